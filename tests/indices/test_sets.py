"""Indices that match clusters, against their definitions in fractions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import maximum_bipartite_matching

from sklearn_clustcompare import ContingencyTable
from sklearn_clustcompare.indices import INDICES
from sklearn_clustcompare.indices._sets import Tables
from tests import _oracles as oracles
from tests._examples import slow
from tests.indices._truth import LARGE, approx, of_table, value_of, without_empty


def small_tables(max_count):
    sides = st.integers(1, 4)
    return st.tuples(sides, sides).flatmap(
        lambda shape: st.lists(
            st.lists(st.integers(0, max_count), min_size=shape[1], max_size=shape[1]),
            min_size=shape[0],
            max_size=shape[0],
        ).filter(lambda counts: sum(map(sum, counts)) > 0)
    )


@pytest.mark.parametrize("max_count", [1, 2, 3, 9])
@pytest.mark.parametrize("n_examples", [15, slow(150)])
def test_greedy_matching_takes_the_largest_cell_again_and_again(max_count, n_examples):
    n_ties = 0

    @settings(max_examples=n_examples)
    @given(small_tables(max_count), st.randoms(use_true_random=False))
    def check(counts, random):
        nonlocal n_ties
        total = sum(map(sum, counts))
        best = oracles.rank_maximal_matching(counts)
        sums = oracles.greedy_sums(counts)
        assert best in sums
        n_ties += len(sums) > 1
        value = of_table("maximum_match_score", ContingencyTable.from_counts(counts))
        assert value == best / total
        rows = random.sample(counts, len(counts))
        for other in (rows, [row[::-1] for row in rows], list(zip(*counts, strict=True))):
            table = ContingencyTable.from_counts(other)
            assert of_table("maximum_match_score", table) == value

    check()
    assert n_ties >= (n_examples // 30 if max_count < 9 else 0)


def test_greedy_matching_with_ties_takes_as_many_of_the_largest_as_it_can():
    # The 3 in the first row leaves 1 to the second one; the 3 there leaves 2 to the first.
    for counts in ([[3, 2], [3, 1]], [[3, 1], [3, 2]], [[3, 3], [2, 1]]):
        assert oracles.greedy_sums(counts) == {4, 5}
        assert of_table("maximum_match_score", ContingencyTable.from_counts(counts)) == 5 / 9
    # One 3 in the middle, and two 2, would be more; but two 3 come first.
    counts = [[3, 3, 0], [0, 3, 2], [2, 0, 0]]
    assert oracles.greedy_sums(counts) == {6, 7}
    assert of_table("maximum_match_score", ContingencyTable.from_counts(counts)) == 6 / 13


def test_greedy_matching_of_many_tied_cells():
    """Of ones alone it is a largest matching, here found by SciPy."""
    rng = np.random.default_rng(8)
    labels_true, labels_pred = rng.integers(900, size=(2, 1500))
    cells = np.unique(labels_true * 900 + labels_pred)
    table = ContingencyTable.from_labels(*np.divmod(cells, 900))
    assert table.cell_counts.max() == 1
    graph = table.counts.astype(np.int8)
    graph.indices, graph.indptr = graph.indices.astype(np.int32), graph.indptr.astype(np.int32)
    size = np.count_nonzero(maximum_bipartite_matching(graph, perm_type="column") >= 0)
    assert of_table("maximum_match_score", table) == size / len(cells)


@pytest.mark.parametrize(
    ("n_samples", "n_true", "n_pred"),
    [
        slow(6000, 3000, 3000),
        slow(6000, 3000, 500),
        slow(6000, 400, 2900),
        (1200, 1200, 600),
        (900, 900, 900),
    ],
)
def test_optimal_matching_of_many_tiny_clusters(n_samples, n_true, n_pred):
    rng = np.random.default_rng(n_true)
    labels_true = rng.integers(n_true, size=n_samples)
    labels_pred = np.where(
        rng.random(n_samples) < 0.4, labels_true % n_pred, rng.integers(n_pred, size=n_samples)
    )
    dense = np.zeros((n_true, n_pred), int)
    np.add.at(dense, (labels_true, labels_pred), 1)
    best = int(dense[linear_sum_assignment(dense, maximize=True)].sum())
    assert value_of("matching_accuracy_score", labels_true, labels_pred) == best / n_samples
    missed = value_of("misclassification_distance", labels_true, labels_pred)
    assert missed == (n_samples - best) / n_samples


def test_optimal_matching_of_real_weights():
    rng = np.random.default_rng(4)
    dense = np.where(rng.random((200, 150)) < 0.02, rng.random((200, 150)), 0.0)
    best = dense[linear_sum_assignment(dense, maximize=True)].sum() / dense.sum()
    table = ContingencyTable.from_counts(dense)
    assert of_table("matching_accuracy_score", table) == approx(best, rel=1e-13)


@pytest.mark.parametrize(
    "name", sorted(set(oracles.SET_INDICES) - {"f_measure_score", "maximum_match_score"})
)
def test_values_of_many_tables_are_those_of_each(name):
    counts = np.random.default_rng(0).integers(1, 9, size=(5, 3, 4))
    found = Tables(counts.reshape(5, 12), *np.indices((3, 4)).reshape(2, 12))
    expected = [approx(oracles.SET_INDICES[name](one.tolist())) for one in counts]
    assert found.values(INDICES[name], {}).tolist() == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", oracles.SET_INDICES)
@given(counts=LARGE)
def test_set_matching_of_many_objects(name, counts):
    counts = without_empty(counts)
    table = ContingencyTable.from_counts(counts)
    assert of_table(name, table) == approx(oracles.SET_INDICES[name](counts), rel=1e-15, abs=0)
