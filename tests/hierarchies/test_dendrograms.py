"""Two hierarchies in one number, by brute force over all cuts and all pairs of pairs."""

import itertools
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import linkage
from scipy.stats import kendalltau, pearsonr, rankdata
from sklearn.cluster import AgglomerativeClustering
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import Hierarchy, adjusted_rand_score
from sklearn_clustcompare.hierarchies import (
    bakers_gamma,
    compare_hierarchies,
    cophenetic_correlation,
)
from tests.hierarchies._hierarchies import cut, linkages


def last_together(Z):
    """For each pair of objects, the largest k of which a cut leaves them together."""
    n = len(Z) + 1
    cuts = [cut(Z, k) for k in range(1, n + 1)]
    return [
        max(k for k, labels in enumerate(cuts, 1) if labels[i] == labels[j])
        for i, j in itertools.combinations(range(n), 2)
    ]


def heights(Z):
    n = len(Z) + 1
    return [Z[n - k - 1, 2] for k in last_together(Z)]


def goodman_kruskal(first, second):
    signs = [
        np.sign(first[i] - first[j]) * np.sign(second[i] - second[j])
        for i, j in itertools.combinations(range(len(first)), 2)
    ]
    concordant, discordant = signs.count(1), signs.count(-1)
    return Fraction(concordant - discordant, concordant + discordant)


@pytest.mark.parametrize("seed", range(5))
def test_definitions(seed):
    first, second = linkages(11, seed)
    expected = pearsonr(heights(first), heights(second)).statistic
    assert cophenetic_correlation(first, second) == pytest.approx(expected, abs=1e-13)
    k = last_together(first), last_together(second)
    assert bakers_gamma(first, second) == float(goodman_kruskal(*k))
    spearman = np.corrcoef(*map(rankdata, k))[0, 1]
    assert bakers_gamma(first, second, method="spearman") == pytest.approx(spearman, abs=1e-13)


@pytest.mark.slow
@given(seed=st.integers(0, 10**6), n=st.integers(3, 12), n_values=st.integers(2, 9))
def test_ties_are_of_equal_heights(seed, n, n_values):
    X = np.random.default_rng(seed).integers(n_values, size=(2, n, 1)).astype(float)
    trees = [linkage(one, "complete") for one in X]
    joined = [heights(Z) for Z in trees]
    if any(len(set(one)) == 1 for one in joined):
        return
    assert bakers_gamma(*trees) == float(goodman_kruskal(*joined))
    # SciPy's tau has the same sign and numerator.
    tau = kendalltau(*joined).statistic
    assert np.sign(bakers_gamma(*trees)) == np.sign(round(tau, 12))
    assert bakers_gamma(*trees) == bakers_gamma(*trees[::-1])


@pytest.mark.parametrize(
    "function", [cophenetic_correlation, bakers_gamma], ids=lambda function: function.__name__
)
def test_what_holds_for_both(function):
    first, second = linkages(20, 3)
    assert function(first, first) == pytest.approx(1.0, abs=1e-15)
    assert function(first, second) == function(second, first)
    assert type(function(first, second)) is float
    scaled = first * [1, 1, 3, 1] + [0, 0, 5, 0]
    assert function(scaled, second) == pytest.approx(function(first, second), abs=1e-13)
    hierarchies = map(Hierarchy.from_linkage, (first, second))
    assert function(*hierarchies) == function(first, second)


def test_only_the_order_matters_to_bakers_gamma():
    first, second = linkages(20, 4)
    warped = first.copy()
    warped[:, 2] = np.exp(first[:, 2])
    assert bakers_gamma(warped, second) == bakers_gamma(first, second)
    assert cophenetic_correlation(warped, second) != cophenetic_correlation(first, second)


def test_clusterers_without_heights_have_an_order():
    X = np.random.default_rng(0).normal(size=(15, 2))
    trees = [linkage(X, method) for method in ("average", "complete")]
    clusterers = [AgglomerativeClustering(linkage=m).fit(X) for m in ("average", "complete")]
    assert bakers_gamma(*clusterers) == bakers_gamma(*trees)
    with pytest.raises(ValueError, match="compute_distances=True"):
        cophenetic_correlation(*clusterers)
    for clusterer in clusterers:
        clusterer.set_params(compute_distances=True).fit(X)
    expected = cophenetic_correlation(*trees)
    assert cophenetic_correlation(*clusterers) == pytest.approx(expected, abs=1e-12)


# --------------------------------------------------------------------------- nested labels

COARSE, FINE = list("aaaabbbb"), [0, 0, 1, 1, 2, 2, 3, 3]
OTHER = [0, 0, 0, 1, 2, 2, 2, 2]


def test_labels_of_several_levels_are_compared_where_both_have_a_level():
    first = Hierarchy.from_labels([COARSE, FINE])
    second = Hierarchy.from_labels([COARSE, OTHER, range(8)])
    comparison = compare_hierarchies(first, second)
    assert comparison.k.tolist() == [2]
    assert comparison.values.tolist() == [1.0]
    Z = linkage(np.random.default_rng(0).normal(size=(8, 2)), "ward")
    comparison = compare_hierarchies(Z, first, index="adjusted_rand_score")
    assert comparison.k.tolist() == [2, 4]
    expected = [adjusted_rand_score(cut(Z, 2), COARSE), adjusted_rand_score(cut(Z, 4), FINE)]
    assert comparison.values.tolist() == expected
    only = compare_hierarchies(Z, first, param_range=[4])
    assert only.values.tolist() == [adjusted_rand_score(cut(Z, 4), FINE)]


def test_labels_of_several_levels_in_one_number():
    first, second = [COARSE, FINE], [OTHER, range(8)]
    pairs = list(itertools.combinations(range(8), 2))
    apart = [
        [sum(level[i] != level[j] for level in levels) for i, j in pairs]
        for levels in (first, second)
    ]
    hierarchies = [Hierarchy.from_labels(levels) for levels in (first, second)]
    assert bakers_gamma(*hierarchies) == float(goodman_kruskal(*apart))
    expected = pearsonr(*apart).statistic
    assert cophenetic_correlation(*hierarchies) == pytest.approx(expected, abs=1e-14)


# --------------------------------------------------------------------------- undefined, errors


@pytest.mark.parametrize("function", [cophenetic_correlation, bakers_gamma])
def test_hierarchies_of_one_height(function):
    flat, deep = Hierarchy.from_labels([[0, 1, 2]]), Hierarchy.from_labels([[0, 0, 1]])
    assert function(flat, Hierarchy.from_labels([[5, 5, 5]])) == 1.0
    assert function(Hierarchy.from_labels([["x"]]), Hierarchy.from_labels([[3]])) == 1.0
    with pytest.warns(UndefinedMetricWarning, match=f"^{function.__name__} is undefined"):
        assert function(flat, deep) == 0.0


@pytest.mark.parametrize(
    "function",
    [cophenetic_correlation, bakers_gamma, compare_hierarchies],
    ids=lambda function: function.__name__,
)
def test_what_cannot_be_compared_is_an_error(function):
    first, second = linkages(8, 0)
    with pytest.raises(ValueError, match="^Z1 and Z2 must link the same objects, got 8 and 7"):
        function(first, linkages(7, 0)[0])
    names = [
        Hierarchy.from_labels([pd.Series(FINE, index=list(order))])
        for order in ("abcdefgh", "bacdefgh")
    ]
    with pytest.raises(ValueError, match="^Z1 and Z2 must have the same objects in the same order"):
        function(*names)
    with pytest.raises(ValueError, match="Linkage"):
        function(first, second[:, :3])
