"""Memberships that went through a file, with fewer digits, and what is no rounding."""

import contextlib
import warnings

import numpy as np
import pytest
from scipy import sparse

import sklearn_clustcompare
from sklearn_clustcompare import (
    ContingencyTable,
    assert_clustering,
    co_association_matrix,
    consensus_partition,
    frobenius_adjusted_rand_score,
    get_index,
    metrics,
    paired_comparison_test,
    score_interval,
)
from sklearn_clustcompare.consensus import medoid_partition
from sklearn_clustcompare.metrics import clustering_entropy, xie_beni_score

FARI = "frobenius_adjusted_rand_score"
FORMS = {
    "array": (np.asarray, 1e-12),
    "sparse": (sparse.csr_array, 1e-12),
    "float32": (lambda u: u.astype(np.float32), 1e-6),
    "through float32": (lambda u: u.astype(np.float32).astype(float), 1e-6),
}


def random_memberships(n_clusters, n_objects=300, seed=0):
    return np.random.default_rng(seed).dirichlet(np.ones(n_clusters), n_objects)


def divided(u):
    return u / u.sum(axis=1, keepdims=True)


def warns_if(condition):
    match = "memberships of a row must sum to 1, and were rounded"
    return pytest.warns(UserWarning, match=match) if condition else contextlib.nullcontext()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n_clusters", [2, 3, 12])
@pytest.mark.parametrize("n_decimals", [1, 2, 3, 4, 5, 6, 7, 8, 12])
def test_rounded_rows_are_divided_by_their_sum(form, n_clusters, n_decimals):
    make, tolerance = FORMS[form]
    rounded = random_memberships(n_clusters).round(n_decimals)
    rounded = rounded[rounded.any(axis=1)]
    deviation = np.abs(make(rounded).sum(axis=1, dtype=float) - 1).max()
    if n_decimals == 1 and deviation > n_clusters * 0.05 - 1e-9:
        pytest.skip("nothing but ties")
    other = random_memberships(3, len(rounded), 1)
    with warns_if(deviation > 1.001e-6):
        found = frobenius_adjusted_rand_score(make(rounded), other)
    expected = frobenius_adjusted_rand_score(divided(rounded), other)
    assert found == pytest.approx(expected, abs=max(tolerance, 1e-8 if n_decimals > 7 else 0))


def test_every_function_sees_the_same_rows():
    rounded = random_memberships(4).round(3)
    other = random_memberships(3, seed=1)
    X = np.random.default_rng(2).normal(size=(300, 2))
    calls = [
        lambda u: score_interval(u, other, index=FARI).interval,
        lambda u: paired_comparison_test(other, u, other, index=FARI).interval,
        lambda u: co_association_matrix([u, other]).toarray(),
        lambda u: medoid_partition([u, other], index=FARI).averages,
        lambda u: metrics.partition_coefficient(u),
        lambda u: metrics.partition_entropy(u),
        lambda u: clustering_entropy(u),
        lambda u: xie_beni_score(X, u),
        lambda u: sklearn_clustcompare.chance_adjusted_score(u, other, index=FARI),
    ]
    for call in calls:
        with pytest.warns(UserWarning, match="were rounded"):
            found = call(rounded)
        np.testing.assert_allclose(found, call(divided(rounded)), rtol=1e-5)


def test_one_warning_names_the_partition_and_the_furthest_row_of_a_block():
    rounded = np.full((6, 3), 1 / 3).round(6)
    rounded[2] = [0.2, 0.3, 0.5]
    with pytest.warns(UserWarning, match="were rounded") as caught:
        assert ContingencyTable.from_memberships([0] * 6, rounded.round(3)).n_samples == 6
    (message,) = [str(one.message) for one in caught]
    assert message.startswith("memberships_pred: memberships of a row must sum to 1")
    assert "got 0.999 in row 0" in message
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # six decimals are as good as all of them
        assert ContingencyTable.from_memberships([0] * 6, rounded).n_samples == 6


@pytest.mark.parametrize(
    ("row", "is_rounded"),
    [
        ([0.5, 0.501], True),
        ([0.5, 0.502], False),
        ([0.25, 0.76], True),
        ([0.25, 0.77], False),
        ([0.333333, 0.666668], True),
        ([0.333333, 0.666669], False),
        ([0.3, 0.6], False),
        ([0.3, 0.3, 0.3], True),
        ([0.3, 0.3, 0.2], False),
        ([0.12345678, 0.87654422], True),
        ([0.12345678, 0.87654522], False),
        ([1.0, 1.0], False),
        ([0.0, 0.0], False),
    ],
)
def test_both_sides_of_what_rounding_explains(row, is_rounded):
    u = np.array([row, row])
    if is_rounded:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table = ContingencyTable.from_memberships([0, 0], u)
        np.testing.assert_allclose(table.col_sums, 2 * divided(u)[0], rtol=1e-12)
    else:
        with pytest.raises(ValueError, match="must sum to 1, .* or divide each row by its sum"):
            ContingencyTable.from_memberships([0, 0], u)


def test_half_of_a_row_is_no_rounding_however_many_clusters():
    u = np.zeros((3, 300))
    u[:, 0], u[0, 1:26] = 0.5, 0.02
    with pytest.raises(ValueError, match="must sum to 1, got 0.5 in row 1"):
        ContingencyTable.from_memberships([0, 1, 1], u)


def test_possibilistic_rows_are_never_divided():
    rounded = random_memberships(3).round(2)
    other = random_memberships(3, seed=1).round(2)
    found = ContingencyTable.from_memberships(rounded, other, possibilistic=True)
    product = rounded.T @ other
    expected = product * (len(rounded) / product.sum())
    np.testing.assert_allclose(found.counts.toarray(), expected, rtol=1e-12)


# --------------------------------------------------------------------------- the advice


P = random_memberships(3, 80) * np.linspace(0.4, 0.9, 80)[:, np.newaxis]
Q = random_memberships(3, 80, seed=1)
TAKERS = {
    "score_interval": lambda u, **k: score_interval(u, Q, index=FARI, **k).score,
    "paired_comparison_test": lambda u, **k: (
        paired_comparison_test(Q, u, Q, index=FARI, **k).value_a
    ),
    "medoid_partition": lambda u, **k: medoid_partition([u, Q], index=FARI, **k).score,
    "co_association_matrix": lambda u, **k: co_association_matrix([u, Q], **k).toarray(),
    "consensus_partition": lambda u, **k: (
        consensus_partition([u, Q], index=FARI, n_init=1, **k).scores
    ),
    "clustering_entropy": clustering_entropy,
    "partition_entropy": metrics.partition_entropy,
    "partition_coefficient": metrics.partition_coefficient,
    "assert_clustering": lambda u, **k: assert_clustering(
        u, Q, frobenius_adjusted_rand_score=-1.0, **k
    ),
}


@pytest.mark.parametrize("name", TAKERS)
def test_the_advice_of_the_error_works(name):
    with pytest.raises(ValueError, match="must sum to 1, .*; use possibilistic=True if they need"):
        TAKERS[name](P)
    TAKERS[name](P, possibilistic=True)
    TAKERS[name](divided(P))


def test_values_of_possibilistic_memberships():
    fari = get_index(FARI)
    table = ContingencyTable.from_memberships(P, Q, possibilistic=True, moments=True)
    expected = pytest.approx(fari(table), rel=1e-12)
    assert TAKERS["score_interval"](P, possibilistic=True) == expected
    assert TAKERS["medoid_partition"](P, possibilistic=True) == expected
    sums = P.sum(axis=0) / P.sum()
    found = clustering_entropy(P, possibilistic=True)
    assert found == pytest.approx(-(sums * np.log(sums)).sum(), rel=1e-12)
    found = metrics.partition_coefficient(P, possibilistic=True)
    assert found == pytest.approx((P**2).sum(axis=1).mean(), rel=1e-12)
    found = co_association_matrix([P, Q], possibilistic=True)
    np.testing.assert_allclose(found.expand(), (P @ P.T + Q @ Q.T) / 2, rtol=1e-5)


def test_the_consensus_of_possibilistic_memberships_scores_as_its_labels_do():
    found = consensus_partition([P, Q], index=FARI, n_init=1, possibilistic=True)
    expected = [
        frobenius_adjusted_rand_score(one, found.labels, possibilistic=True) for one in (P, Q)
    ]
    np.testing.assert_allclose(found.scores, expected, rtol=1e-12)
    # No single move is better.
    for position in range(0, 80, 8):
        moved = found.labels.copy()
        for cluster in range(found.labels.max() + 2):
            moved[position] = cluster
            mean = np.mean(
                [frobenius_adjusted_rand_score(one, moved, possibilistic=True) for one in (P, Q)]
            )
            assert mean <= found.score + 1e-12
