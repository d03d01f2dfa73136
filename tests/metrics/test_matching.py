"""Clusters matched, labels and columns of memberships named after those that they match."""

import itertools
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.metrics import accuracy_score, classification_report, confusion_matrix

from sklearn_clustcompare import match_clusters, matching_accuracy_score, purity_score, relabel


def test_match_clusters_greedy_takes_the_largest_share_first():
    labels_true = ["big"] * 6 + ["small"] * 2
    labels_pred = [1, 1, 1, 1, 2, 2, 1, 1]
    assert match_clusters(labels_true, labels_pred, method="greedy") == {"big": 2, "small": 1}
    assert match_clusters(labels_true, labels_pred) == {"big": 1, "small": None}


def test_match_clusters_by_majority_takes_the_cluster_with_most_objects():
    labels_true = ["B"] * 101 + ["T"] * 9
    labels_pred = [0] * 92 + [1] * 9 + [0] * 8 + [2]
    assert match_clusters(labels_true, labels_pred, method="majority") == {"B": 0, "T": 0}
    assert match_clusters(labels_true, labels_pred) == {"B": 0, "T": 2}
    assert match_clusters(list("aab"), [1, 0, 1], method="majority") == {"a": 0, "b": 1}


def test_match_clusters_leaves_clusters_without_a_partner():
    matched = match_clusters(np.array([0, 1, 2]), np.array([7, 7, 7]))
    assert matched == {0: 7, 1: None, 2: None}
    assert {type(label) for label in (*matched, matched[0])} == {int}


@pytest.mark.parametrize("method", ["optimal", "greedy"])
def test_match_clusters_is_one_to_one_and_finds_renamed_clusters(case, method):
    matched = match_clusters(*case, method=method)
    partners = [label for label in matched.values() if label is not None]
    assert len(partners) == len(set(partners))
    identical = match_clusters(case[0], case[0], method=method)
    assert all(label == partner for label, partner in identical.items())


# ----------------------------------------------------- clusters named after those of the reference


NUMBERS = st.lists(st.tuples(st.integers(-2, 3), st.integers(0, 5)), min_size=1, max_size=15)
TEXTS = st.lists(
    st.tuples(st.sampled_from(["a", "b", "unmatched 1"]), st.sampled_from([0, 1, 2, "0", "1"])),
    min_size=1,
    max_size=15,
)


def most_accurate(reference, candidate):
    """Return the largest accuracy that new names of the candidate's clusters can have."""
    known, found = set(reference), sorted(set(candidate))
    names = [*known, *(("new", k) for k in range(len(found)))]
    return max(
        sum(name == reference[k] for k, name in enumerate(map(given.get, candidate)))
        for given in (
            dict(zip(found, choice, strict=True))
            for choice in itertools.permutations(names, len(found))
        )
    ) / len(reference)


@given(st.one_of(NUMBERS, TEXTS))
def test_clusters_keep_apart_and_match_best(objects):
    reference, candidate = map(list, zip(*objects, strict=True))
    pred = np.fromiter(candidate, object)
    named = relabel(reference, pred, method="optimal")
    assert len(set(zip(candidate, named.tolist(), strict=True))) == len(set(candidate))
    assert len(set(named.tolist())) == len(set(candidate))
    shared = {(name, true) for name, true in zip(named.tolist(), reference, strict=True)}
    assert all((name, name) in shared for name in set(named.tolist()) & set(reference))
    assert accuracy_score(reference, named) == matching_accuracy_score(reference, pred)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=8))
def test_no_other_names_are_more_accurate(objects):
    reference, candidate = map(list, zip(*objects, strict=True))
    accuracy = accuracy_score(reference, relabel(reference, candidate, method="optimal"))
    assert accuracy == pytest.approx(most_accurate(reference, candidate))


@given(st.one_of(NUMBERS, TEXTS))
def test_by_majority_each_cluster_has_the_commonest_label_of_its_objects(objects):
    reference, candidate = map(list, zip(*objects, strict=True))
    pred = np.fromiter(candidate, object)
    named = relabel(reference, pred).tolist()
    names = {}
    for one, name in zip(candidate, named, strict=True):
        within = Counter(
            true for true, other in zip(reference, candidate, strict=True) if other == one
        )
        assert within[name] == max(within.values())
        assert names.setdefault(one, name) == name
    assert accuracy_score(reference, named) == purity_score(reference, pred)


def test_a_class_may_have_several_clusters_by_majority():
    cells = ["B"] * 62 + ["T"] * 2
    found = [0] * 32 + [1] * 30 + [1] * 2
    assert relabel(cells, found).tolist() == ["B"] * 64
    assert relabel(cells, found, method="optimal").tolist() == ["B"] * 32 + ["T"] * 32
    assert relabel(list("BBBT"), [0, 0, 1, 0], method="greedy").tolist() == [*"TT", "B", "T"]


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ([5, 5, 9], [5, 10, 9]),
        ([-3.0, -3.0, -2.0], [-3.0, -1.0, -2.0]),
        ([False, False, True], [0, 2, 1]),
        (["x", "x", "y"], ["x", "unmatched v", "y"]),
        ([("x", 1), ("x", 1), "y"], [("x", 1), "unmatched v", "y"]),
        (np.array([7, 7, 8], np.uint8), [7, 9, 8]),
    ],
)
def test_names_by_the_kind_of_the_reference(reference, expected):
    labels = np.fromiter(reference, object)
    for given_labels in (reference, labels) if isinstance(reference, list) else (reference,):
        named = relabel(given_labels, ["u", "v", "w"], method="optimal")
        assert named.tolist() == expected


@pytest.mark.parametrize("dtype", ["i1", "u2", "f4", "f8", "?", "U9", "M8[s]", "O"])
def test_labels_keep_their_dtype(dtype):
    days = np.array(["2026-01-02", "2026-01-03"], "M8[s]")
    labels = (days if dtype == "M8[s]" else np.array([0, 1])).astype(dtype)
    reference = labels[[0, 0, 1, 1, 1]]
    for given_labels in (reference, pd.Series(reference, dtype=reference.dtype)):
        named = relabel(given_labels, [7, 7, 7, 8, 8])
        if isinstance(given_labels.dtype, np.dtype):
            assert named.dtype == given_labels.dtype
        np.testing.assert_array_equal(named, labels[[0, 0, 0, 1, 1]])


@pytest.mark.parametrize("names", [[0, 1, 2], ["x", "y", "z"], [False, True]])
def test_scikit_learn_reads_the_result(names):
    rng = np.random.default_rng(0)
    for reference in (np.array(names), names, pd.Series(names)):
        truth = [reference[k] for k in rng.integers(len(names), size=60)]
        named = relabel(truth, rng.integers(5, size=60))
        assert "accuracy" in classification_report(truth, named, output_dict=True, zero_division=0)
        assert confusion_matrix(truth, named).sum() == 60


LABELED = st.lists(
    st.tuples(st.sampled_from([0, 1, 4, -1, None]), st.sampled_from([0, 1, 2, 5, -1, None])),
    min_size=1,
    max_size=12,
)


def columns(objects):
    return [np.fromiter(column, object) for column in zip(*objects, strict=True)]


@given(LABELED)
def test_objects_that_are_left_out_keep_their_label(objects):
    reference, candidate = columns(objects)
    counts = np.array([{-1, None}.isdisjoint(pair) for pair in objects])
    assume(counts.any())
    named = relabel(reference, candidate, noise="drop", missing="drop", method="optimal")
    accuracy = matching_accuracy_score(reference[counts], candidate[counts])
    assert (named[counts] == reference[counts]).mean() == accuracy
    clusters = dict(zip(candidate.tolist(), named.tolist(), strict=True))
    assert [clusters[one] for one in candidate] == named.tolist()
    assert len(set(clusters.values())) == len(clusters)
    assert all(clusters.get(one, one) == one for one in (-1, None))


@given(LABELED)
def test_noise_and_missing_labels_as_clusters(objects):
    reference, candidate = columns(objects)
    named = relabel(reference, candidate, missing="cluster", method="optimal")
    numbered = [np.array([9 if one is None else one for one in side]) for side in columns(objects)]
    accuracy = matching_accuracy_score(*numbered)
    true = np.where(reference == None, 9, reference)  # noqa: E711
    assert (np.where(named == None, 9, named) == true).mean() >= accuracy  # noqa: E711
    apart = [
        np.where(side == -1, 100 * (side_number + 1) + np.arange(len(side)), side)
        for side_number, side in enumerate(numbered)
    ]
    named = relabel(*numbered, noise="singletons", method="optimal")
    assert (named[numbered[1] == -1] == -1).all()
    best = matching_accuracy_score(*apart) * len(named)
    n_noise = sum(-1 in pair for pair in zip(*numbered, strict=True))
    assert best - n_noise <= ((named == numbered[0]) & (numbered[1] != -1)).sum() <= best


def test_new_names_are_not_the_label_of_noise():
    named = relabel([0, 0, 1, 1], [3, 4, 5, 2], noise="drop", noise_label=2, method="optimal")
    assert sorted(named.tolist()[:3]) == [0, 1, 3]
    assert named[3] == 2
    named = relabel(list("aab"), [0, -1, 7], noise="drop")
    assert named.tolist() == ["a", -1, "b"]
    named = relabel([-1, -1], [5, 5], noise="singletons", method="optimal")
    assert named.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("reference", "found", "expected"),
    [
        (np.array([0, 0, 1], np.uint8), [0, -1, 7], [0, -1, 1]),
        (np.array([0, 0, 2**63], np.uint64), [0, -1, -1], [0, -1, -1]),
        (np.array([0, 0, 2**63], np.uint64), [0, 1, 2], [0, 2**63 + 1, 2**63]),
        ([0, 0, 2**63], [0, -1, 7], [0, -1, 2**63]),
    ],
)
def test_large_numbers_beside_noise(reference, found, expected):
    assert relabel(reference, found, noise="drop", method="optimal").tolist() == expected


# ----------------------------- columns of memberships in the order of the clusters that they match


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
