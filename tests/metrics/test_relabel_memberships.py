"""Columns of memberships in the order of the clusters that they match."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from sklearn_clustcompare import match_clusters, relabel

U = np.random.default_rng(0).dirichlet([0.3] * 4, 200)
V = 0.9 * U + 0.1 * np.random.default_rng(1).dirichlet([1] * 4, 200)
ORDER = [2, 0, 3, 1]


def best_order(reference, memberships):
    """Return the order of the columns with the largest sum of products, among all orders."""
    orders = itertools.permutations(range(memberships.shape[1]))
    return max(orders, key=lambda order: (reference * memberships[:, list(order)]).sum())


@pytest.mark.parametrize("method", ["optimal", "greedy", "majority"])
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array, pd.DataFrame, np.ndarray.tolist])
def test_columns_come_back_in_the_order_of_the_reference(make, method):
    found = relabel(U, make(V[:, ORDER]), method=method)
    found = found.toarray() if sparse.issparse(found) else found
    np.testing.assert_array_equal(found, V)


def test_columns_follow_the_best_of_all_orders():
    rng = np.random.default_rng(2)
    for _ in range(10):
        first, second = rng.dirichlet([0.5] * 4, 30), rng.dirichlet([0.5] * 4, 30)
        expected = second[:, list(best_order(first, second))]
        found = relabel(first, second, method="optimal")
        np.testing.assert_array_equal(found, expected)
        partners = match_clusters(first, second)
        np.testing.assert_array_equal(found, second[:, list(partners.values())])


def test_labels_are_a_reference_of_memberships_and_the_other_way_round():
    labels = np.array(list("wxyz"))[U.argmax(axis=1)]
    np.testing.assert_array_equal(relabel(labels, V[:, ORDER]), V)
    named = pd.DataFrame(U, columns=list("wxyz"))
    assert relabel(named, np.array(ORDER)[V.argmax(axis=1)]).tolist() == (
        np.array(list("wxyz"))[V.argmax(axis=1)].tolist()
    )


def test_more_and_fewer_clusters():
    fewer = np.column_stack([V[:, 3], V[:, 0] + V[:, 1] + V[:, 2]])
    found = relabel(U, fewer)
    assert found.shape == (200, 4)
    np.testing.assert_array_equal(found.sum(axis=1), fewer.sum(axis=1))
    np.testing.assert_array_equal(found[:, 3], fewer[:, 0])
    split = np.column_stack([V[:, 2] * 0.4, V[:, 0], V[:, 2] * 0.6, V[:, 3], V[:, 1]])
    found = relabel(U, split, method="optimal")
    np.testing.assert_array_equal(found, split[:, [1, 4, 2, 3, 0]])
    found = relabel(U, split)
    np.testing.assert_allclose(found, V, rtol=1e-14)


def test_memberships_of_0_and_1_keep_their_columns():
    crisp = np.eye(4)[[0, 1, 1, 2]]  # the last column is empty
    found = relabel(np.array([[1.0, 0, 0], [0, 0, 1], [0, 0, 1], [0, 1, 0]]), crisp)
    np.testing.assert_array_equal(found, crisp[:, [0, 2, 1, 3]])


def test_options():
    possibilistic = V[:, ORDER] * 0.7
    np.testing.assert_array_equal(relabel(U, possibilistic, possibilistic=True), V * 0.7)
    gaps = V[:, ORDER].copy()
    gaps[5] = np.nan
    expected = V.copy()
    expected[5] = np.nan
    np.testing.assert_array_equal(relabel(U, gaps, missing="drop"), expected)
    weights = np.zeros(200)
    weights[:2] = 1
    assert relabel(U, V, sample_weight=weights + 1).shape == (200, 4)
    by_name = pd.DataFrame(V[:, ORDER], index=[f"n{k}" for k in range(200)])
    np.testing.assert_array_equal(relabel(pd.DataFrame(U, index=by_name.index), by_name), V)
    rounded = V[:, ORDER].round(3)
    with pytest.warns(UserWarning, match="were rounded"):
        np.testing.assert_array_equal(relabel(U, rounded), V.round(3))
    with pytest.raises(ValueError, match="method must be one of"):
        relabel(U, V, method="best")
