"""Optimal matching: settled cells, components and the solvers, against the dense table."""

import time

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from sklearn_clustcompare import ContingencyTable, matching_accuracy_score
from sklearn_clustcompare._table import matching
from sklearn_clustcompare.metrics import misclassification_distance
from tests._examples import slow

# So many clusters of their own make a table too large to be dense.
N_APART = 65


def best_sum(dense):
    return dense[linear_sum_assignment(dense, maximize=True)].sum()


def check_matching(dense, n_apart=0):
    """Compare with the solver of SciPy for the dense table, some equal clusters aside."""
    whole = np.zeros(np.add(dense.shape, n_apart), dense.dtype)
    whole[: dense.shape[0], : dense.shape[1]] = dense
    np.fill_diagonal(whole[dense.shape[0] :, dense.shape[1] :], 1)
    table = ContingencyTable.from_counts(whole)
    matched = table.optimal_matching
    for codes in (table.cell_rows[matched], table.cell_cols[matched]):
        assert len(np.unique(codes)) == len(codes)
    assert np.array_equal(matched, np.unique(matched))
    assert table.cell_counts[matched].sum() == best_sum(dense) + n_apart
    assert table.optimal_matching is matched


def small_tables(largest):
    shapes = st.tuples(st.integers(1, 7), st.integers(1, 7))
    return shapes.flatmap(
        lambda shape: st.lists(
            st.integers(0, largest), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]
        ).map(lambda cells: np.reshape(cells, shape))
    )


@given(dense=small_tables(1) | small_tables(3) | small_tables(100))
def test_matching_of_small_components(dense):
    check_matching(dense)
    check_matching(dense, N_APART)


@pytest.mark.thread_unsafe(reason="constants of a module are changed")
@given(dense=small_tables(1) | small_tables(3) | small_tables(100))
def test_matching_by_the_sparse_solver(dense):
    assume(dense.any())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "fits_densely", lambda shape, n_cells: False)
        patch.setattr(matching, "_GROUP_CELLS", 8)
        check_matching(dense)
        patch.setattr(matching, "_SETTLED_SHARE", 2.0)  # one round only
        check_matching(dense)


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 1.0])
@pytest.mark.parametrize(("n_objects", "k"), [(300, 200), (900, 300), (3000, 150)])
def test_matching_of_partitions_that_share_some_objects(n_objects, k, share):
    rng = np.random.default_rng(k)
    labels = rng.integers(k, size=n_objects)
    moved = np.where(rng.random(n_objects) < share, rng.integers(k, size=n_objects), labels)
    dense = np.zeros((k, k), int)
    np.add.at(dense, (labels, moved), 1)
    check_matching(dense)


@pytest.mark.parametrize("k", [100, 1500])
def test_matching_of_a_chain_of_ties(k):
    objects = np.arange(2 * k)
    table = ContingencyTable.from_labels(objects // 2, (objects + 1) // 2)
    assert matching_accuracy_score(table) == 0.5


def identical(n_clusters):
    labels = np.arange(n_clusters)
    return labels, np.random.default_rng(0).permutation(n_clusters)[labels]


def nearly_identical(n_clusters):
    """One object in a hundred has moved to another cluster."""
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(n_clusters), 3)
    moved = rng.random(len(labels)) < 0.01
    return labels, np.where(moved, rng.integers(n_clusters, size=len(labels)), labels)


@pytest.mark.parametrize(
    ("partitions", "n_clusters"),
    [(identical, 10**5), slow(identical, 10**6), slow(nearly_identical, 10**6)],
)
def test_matching_of_a_million_clusters(partitions, n_clusters):
    table = ContingencyTable.from_labels(*partitions(n_clusters))
    start = time.process_time()
    accuracy, distance = matching_accuracy_score(table), misclassification_distance(table)
    assert time.process_time() - start < 2
    assert accuracy + distance == pytest.approx(1)
    assert accuracy >= 0.99
