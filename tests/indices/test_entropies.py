"""Entropies of partitions as printed."""

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable
from sklearn_clustcompare.indices import _entropies
from tests.indices.test_golden import ORMAN, agrees, table_of_clusters_by_classes


def test_orman_entropies_of_the_sides():
    printed = ORMAN["nmi_first"]
    table = table_of_clusters_by_classes(printed)
    assert _entropies.entropy(table.row_sums) / np.log(2) == pytest.approx(
        float(printed["H_Y"]), rel=1e-15
    )
    assert _entropies.entropy(table.col_sums) / np.log(2) == pytest.approx(
        float(printed["H_C"]), rel=1e-15
    )


def test_orman_entropy_of_a_vector():
    printed = ORMAN["shannon"]
    sizes = ContingencyTable.from_labels(printed["vector"], printed["vector"]).row_sums
    assert agrees(_entropies.entropy(sizes) / np.log(2), printed["H_bits"])
