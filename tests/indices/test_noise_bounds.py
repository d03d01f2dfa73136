"""Bounds over everything that noise could have been, against all of it."""

import itertools

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare import ContingencyTable, get_index
from sklearn_clustcompare.report import noise_bounds
from tests._examples import slow

LABEL = st.sampled_from([-1, 0, 1, 2])


def all_values(name, labels_true, labels_pred):
    """Evaluate an index for everything that the noise objects could have been."""
    values = set()
    for sides in itertools.product(completions(labels_true), completions(labels_pred)):
        values.add(get_index(name)(ContingencyTable.from_labels(*sides)))
    return values


def completions(labels):
    loose = [i for i, label in enumerate(labels) if label == -1]
    named = sorted(set(labels) - {-1})
    new = [f"new {i}" for i in range(len(loose))]
    for choice in itertools.product(named + new, repeat=len(loose)):
        filled = [str(label) for label in labels]
        for position, label in zip(loose, choice, strict=True):
            filled[position] = str(label)
        yield filled


SETS = ("purity_score", "inverse_purity_score", "meila_heckerman_score")


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
@given(
    st.lists(st.tuples(LABEL, LABEL), min_size=1, max_size=7).filter(
        lambda pairs: sum(pair.count(-1) for pair in pairs) <= 3
    )
)
def test_bounds_are_the_extremes_of_all_assignments(name, pairs):
    labels = [list(side) for side in zip(*pairs, strict=True)]
    values = all_values(name, *labels)
    assert noise_bounds(*labels, index=name) == (min(values), max(values))


@pytest.mark.parametrize("name", [*map(slow, SETS), "pair_recall_score"])
def test_bounds_where_classes_outgrow_the_clusters(name):
    for labels in (
        ([0, 0, 0, 0, 1, 1], [0, -1, -1, -1, 1, 1]),
        ([0, 0, 0, 1, 1, 2], [0, 0, -1, -1, -1, -1]),
        ([0, 0, 0, 1, 1, 2], [-1, -1, -1, -1, 0, 0]),
        ([0, 0, 1, 1], [-1, -1, -1, -1]),
    ):
        values = all_values(name, *labels)
        assert noise_bounds(*labels, index=name) == (min(values), max(values))


@given(
    st.lists(st.tuples(st.integers(0, 2), LABEL), min_size=3, max_size=7).filter(
        lambda pairs: (
            sum(pair.count(-1) for pair in pairs) <= 4
            and len({a for a, _ in pairs}) < 3
            and len(pairs) > len({a for a, _ in pairs})
        )
    )
)
def test_bounds_of_pairs(pairs):
    labels_true, labels_pred = ([pair[side] for pair in pairs] for side in (0, 1))
    values = all_values("pair_recall_score", labels_true, labels_pred)
    extremes = min(values), max(values)
    assert noise_bounds(labels_true, labels_pred, index="pair_recall_score") == extremes
    assert noise_bounds(labels_pred, labels_true, index="pair_precision_score") == extremes


def test_bounds_without_noise_are_the_value(case):
    for name in SETS:
        value = get_index(name)(ContingencyTable.from_labels(*case))
        low, high = noise_bounds(*case, index=name, noise_label="none")
        assert low == high == value


@pytest.mark.filterwarnings("ignore:coverage is")
def test_objects_without_a_label_or_a_partner_are_left_out():
    labels_true = pd.Series(["a", "a", "b", None, "b", "b"], index=list("uvwxyz"))
    labels_pred = pd.Series([0, 0, 0, 1, -1, 1, 1], index=list("uvwxyzt"))
    kept = list("uvwyz")
    expected = noise_bounds(labels_true[kept], labels_pred[kept], index="purity_score")
    options = {"missing": "drop", "unmatched": "drop"}
    assert noise_bounds(labels_true, labels_pred, index="purity_score", **options) == expected
