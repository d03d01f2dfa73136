"""Agreement of two partitions for each object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._partition import Labels
from sklearn_clustcompare._table import count_read, require_objects
from sklearn_clustcompare.metrics import element_centric_similarities


@dataclass(frozen=True, eq=False)
class ObjectAgreement:
    """Where two partitions agree: the matched clusters, and a value for each object.

    ``partners`` has the matched cluster of the candidate for each cluster of the reference, or
    None. ``is_matched`` contains for each object whether its two clusters are matched, and
    ``values`` its element-centric similarity.
    """

    partners: dict[Any, Any]
    is_matched: NDArray[np.bool_]
    values: NDArray[np.float64]


def object_agreement(true: Labels, pred: Labels) -> ObjectAgreement:
    """Match the clusters of two partitions that were read, and compute the agreement per object."""
    (true, sizes), (pred, _) = true.compact(), pred.compact()
    table = require_objects(count_read(true, pred))
    matched = table.optimal_matching
    rows, cols = table.cell_rows[matched], table.cell_cols[matched]
    partner = np.full(len(sizes), -1)
    partner[rows] = cols
    partners = dict.fromkeys(table.row_labels.tolist())
    labels = zip(table.row_labels[rows].tolist(), table.col_labels[cols].tolist(), strict=True)
    partners.update(labels)
    values = element_centric_similarities(true, pred)
    return ObjectAgreement(partners, partner[true.codes] == pred.codes, values)
