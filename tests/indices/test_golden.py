"""Figures printed in the papers, matched to half a unit of the last printed digit."""

import json
from decimal import Decimal

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable, get_index
from sklearn_clustcompare.indices import _entropies
from sklearn_clustcompare.indices._pairs import count_pairs
from tests._deviations import PRINTED_ORMAN_SECOND_MI
from tests._files import DATA


def load(name):
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"), parse_float=Decimal)


HOEF_WARRENS = load("van_der_hoef_warrens_2018")["tables"]
ORMAN = load("orman_lectures")


def half_a_unit(printed):
    return 0.5 * 10.0 ** Decimal(printed).as_tuple().exponent


def agrees(value, printed):
    """Tell whether a value rounds to the printed figure; half a unit is either way."""
    return abs(value - float(printed)) <= half_a_unit(printed) * (1 + 1e-9)


def is_cut_off_at(value, printed):
    """Tell whether a value has the printed digits, the rest cut off."""
    return 0 <= value - float(printed) < 2 * half_a_unit(printed)


def as_floats(rows):
    return np.array([[float(cell) for cell in row] for row in rows])


def of(name, table, **parameters):
    return get_index(name)(table, **parameters)


def table_of_clusters_by_classes(example):
    """Return a table with the classes, the reference, in the rows."""
    return ContingencyTable.from_counts(np.array(example["clusters_by_classes"]).T)


def test_a_printed_figure_is_matched_to_its_last_digit():
    assert agrees(0.7249, Decimal("0.72"))
    assert not agrees(0.7251, Decimal("0.72"))
    assert not agrees(0.7149, Decimal("0.72"))
    assert agrees(1.3, 1)
    assert not is_cut_off_at(0.5199, Decimal("0.52"))
    assert not is_cut_off_at(0.53, Decimal("0.52"))


@pytest.mark.parametrize("name", HOEF_WARRENS)
@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_van_der_hoef_and_warrens(name, scale):
    printed = HOEF_WARRENS[name]
    counts = as_floats(printed["proportions"] if "proportions" in printed else printed["counts"])
    table = ContingencyTable.from_counts(counts * scale)
    assert agrees(of("homogeneity_score", table), printed["R"])
    assert agrees(of("completeness_score", table), printed["C"])
    # Exact where the paper has a whole number.
    if printed["R"] in (0, 1):
        assert of("homogeneity_score", table) == pytest.approx(printed["R"], abs=1e-15)


def test_orman_purity():
    table = table_of_clusters_by_classes(ORMAN["purity"])
    assert table.n_samples == ORMAN["purity"]["N"]
    assert is_cut_off_at(of("purity_score", table), ORMAN["purity"]["purity"])


def check_pairs(table, printed):
    pairs = count_pairs(table.square_sums, table)
    assert pairs == tuple(printed[name] for name in ("TP", "FN", "FP", "TN"))


def test_orman_pairs_of_twenty_objects():
    printed = ORMAN["pairs_20_objects"]
    table = ContingencyTable.from_counts(np.array(printed["communities_by_labels"]).T)
    check_pairs(table, printed)
    assert agrees(of("pair_precision_score", table), printed["precision"])
    assert is_cut_off_at(of("pair_recall_score", table), printed["recall"])


def test_orman_rand_of_seventeen_objects():
    printed = ORMAN["rand_17_objects"]
    table = table_of_clusters_by_classes(printed)
    check_pairs(table, printed)
    assert agrees(of("rand_score", table), printed["rand"])


@pytest.mark.parametrize("name", ["nmi_first", "nmi_second"])
def test_orman_mutual_information(name):
    printed = ORMAN[name]
    table = table_of_clusters_by_classes(printed)
    information = of("mutual_info_score", table, base=2)
    if float(printed["MI"]) == PRINTED_ORMAN_SECOND_MI[0]:
        assert information == pytest.approx(PRINTED_ORMAN_SECOND_MI[1], abs=1e-8)
    else:
        assert agrees(information, printed["MI"])
    assert agrees(of("normalized_mutual_info_score", table), printed["NMI_arithmetic"])
    # The slide rounds each cluster's part before it adds them.
    parts = [float(part) for part in printed["H_Y_given_C_parts"]]
    assert of("conditional_entropy", table, base=2) == pytest.approx(sum(parts), abs=1e-4)
    # It counts the entropy of a cluster by its share of the objects.
    within = _entropies.entropies_within(table) / np.log(2)
    for value, share, part in zip(
        within, table.col_sums / table.n_samples, printed["H_Y_given_C_parts"], strict=True
    ):
        assert agrees(value * share, part)
