"""Silhouettes, ratios of cores and passes, and what the rule decides from a table of evidence."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.metrics import silhouette_samples

from sklearn_clustcompare.without_reference import _verdict
from sklearn_clustcompare.without_reference._null_data import spread
from sklearn_clustcompare.without_reference._verdict import (
    Candidate,
    Evidence,
    NullTest,
    Passes,
    decide,
    is_division,
    silhouettes,
)


def data(seed, n_features=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(36, n_features)) + 4 * np.repeat(rng.normal(size=(3, n_features)), 12, 0)
    return X, np.repeat([0, 1, 2], 12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, lambda X: squareform(pdist(X))])
def test_silhouettes_are_those_of_scikit_learn(seed, form):
    X, labels = data(seed)
    other = np.where(np.arange(36) < 20, 5, 7)
    pairs = "distances" if form(X).shape == (36, 36) else None
    found = silhouettes(form(X), [labels, np.zeros(36), other], pairs)
    expected = [silhouette_samples(X, one).mean() for one in (labels, other)]
    np.testing.assert_allclose([found[0], found[2]], expected, rtol=1e-12)
    assert np.isnan(found[1])


def test_noise_is_in_no_cluster_and_counts_as_zero():
    X, labels = data(0)
    labels[[0, 20]] = -1
    known = labels != -1
    expected = silhouette_samples(X[known], labels[known]).sum() / 36
    assert silhouettes(X, [labels], None) == [pytest.approx(expected)]


def test_clusters_of_five_objects_are_outliers():
    assert is_division(np.repeat([0, 1], [6, 30]))
    assert not is_division(np.repeat([0, 1], [5, 31]))
    assert not is_division(np.repeat([-1, 1], [10, 30]))


def ratio_by_definition(X, labels, m):
    """Return the ratio with single linkage by growing sets of objects that steps join."""
    D = cdist(X, X)
    balls = np.sort(D, axis=1)[:, m]
    steps = np.maximum(D, np.maximum.outer(balls, balls))
    clusters = [np.flatnonzero(labels == one) for one in np.unique(labels)]
    densest = [one[np.argsort(balls[one], kind="stable")] for one in clusters]
    ratios = []
    for own in densest:
        others = {one[0] for one in densest} - {own[0]}
        for longest in np.unique(steps[~np.eye(len(X), dtype=bool)]):
            reached, fresh = {own[0]}, {own[0]}
            while fresh:
                near = np.flatnonzero((steps[list(fresh)] <= longest).any(axis=0))
                fresh = set(near.tolist()) - reached
                reached |= fresh
            if reached & others:
                break
        core = own[: len(own) // 4]
        ratios.append(np.mean([np.sum(D[one] <= longest) - 1 for one in core]) / m)
    return min(ratios)


@pytest.mark.parametrize("seed", range(4))
def test_the_ratio_is_that_of_its_definition(seed):
    X, labels = data(seed)
    expected = ratio_by_definition(X, labels, 5)
    assert Passes(X, None).ratio(labels) == pytest.approx(expected)
    assert Passes(X[:, [2, 0, 1]] * 7 + 1e6, None).ratio(labels) == pytest.approx(expected)
    assert Passes(squareform(pdist(X)), "distances").ratio(labels) == pytest.approx(expected)
    assert Passes(sparse.csr_array(X), None).ratio(labels) == pytest.approx(
        ratio_by_definition(
            np.linalg.svd(X - X.mean(0), full_matrices=False)[0][:, :2]
            * np.linalg.svd(X - X.mean(0))[1][:2],
            labels,
            5,
        )
    )


def test_data_differ_from_one_cluster_at_the_level_itself(monkeypatch):
    monkeypatch.setattr(_verdict, "_compared", lambda *_: [])
    for pvalue, differ in ((0.05, True), (0.0501, False)):
        found = _verdict._one(SimpleNamespace(test=SimpleNamespace(pvalue=pvalue), divisions=[]))
        assert found.reasons[0].startswith("The data differ from one cluster") == differ


@pytest.mark.parametrize("z", [0.0, 3.0])
def test_a_margin_is_two_standard_errors(z):
    draws = np.random.default_rng(0).normal(size=(20_000, 20))
    found = (z - draws.mean(axis=1)) / draws.std(axis=1, ddof=1)
    assert _verdict._margin(np.array([z]), 20)[0] == pytest.approx(2 * found.std(), rel=0.1)


def test_separated_clusters_have_a_larger_ratio_than_halves_of_one():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(200, 2)), np.repeat([0, 1], 100)
    halves = Passes(X, None).ratio((X[:, 0] > 0).astype(int))
    assert halves < 1.5 < 3 < Passes(X + 8 * labels[:, np.newaxis], None).ratio(labels)


def test_rounded_values_are_spread_within_their_rounding():
    rng = np.random.default_rng(0)
    X = np.column_stack(
        [np.round(rng.normal(0, 4, 200)), rng.normal(size=200), rng.integers(4, size=200)]
    )
    found = spread(X)
    np.testing.assert_array_equal(found[:, 1:], X[:, 1:])
    assert len(np.unique(found[:, 0])) == 200
    values = np.unique(X[:, 0])
    for one, moved in zip(X[:, 0], found[:, 0], strict=True):
        nearest = min(abs(one - other) for other in values if other != one)
        assert 0 < abs(moved - one) <= nearest / 2
    np.testing.assert_array_equal(found, spread(X))


# --------------------------------------------------------------------------- decision

N = 90
LABELS = {k: np.repeat(np.arange(k), N // k) for k in (2, 3, 5, 6, 9)}


class Known(Evidence):
    """Evidence that is given: (k, silhouette, strength, ratio, z) for each division."""

    def __init__(self, rows, pvalue=0.025, chains=False):
        super().__init__(None, None, None, None, 39, 20, 1, chains, (), {})
        self._z, self._p = [row[-1] for row in rows], pvalue
        self.candidates = [
            Candidate({}, number, LABELS[k], silhouette, ratio, chains, [strength])
            for number, (k, silhouette, strength, ratio, _) in enumerate(rows)
        ]

    def compare(self):
        for one, z in zip(self.candidates, self._z, strict=True):
            one.z = z
        self.test = NullTest(self._p, np.array(self._z), ("copula",), ("pca",), 39)
        return self.test


NAN = np.nan
# Rows of evidence, the p-value of the comparison, and the verdict: grade, number, whether there may
# be more, and finer divisions.
CASES = """
separated | 2 .5 1 2.5 nan; 3 .4 .7 1 nan | .9 | separated 2 False
the largest silhouette | 2 .5 1 3 nan; 3 .6 1 3 nan; 5 .7 .7 3 nan | .9 | separated 3 True
finer | 3 .5 1 3 nan; 6 .4 .8 1 nan | .9 | separated 3 False 6
finer, not dense | 3 .5 1 3 nan; 6 .4 1 .9 nan | .9 | separated 3 False
finer, crossing | 2 .5 1 3 nan; 3 .4 1 3 nan | .9 | separated 2 False
the finest of as good | 2 .5 1 9 nan; 3 .46 1 2.5 nan; 5 .44 1 2.5 nan | .9 | separated 3 False
dense, not found again | 2 .4 .9 2.4 9; 3 .5 .7 2.5 0; 5 .3 .7 2.6 9 | .9 | tentative 3 False
not dense at the largest silhouette | 2 .4 .7 3 9; 3 .5 .7 2.4 2 | .025 | tentative 3 True
at the end | 2 .5 1 3 nan; 3 .6 1 3 nan | .9 | separated 3 True
one | 2 .5 1 2.4 3; 3 .4 .7 1 1 | .075 | one 1 False
touching | 2 .5 .8 1 1.645; 3 .4 1 1 1 | .05 | touching 2 False
touching comes first | 2 .5 .7 2 9; 3 .4 .8 1 2; 5 .3 .1 1 9 | .025 | touching 3 False
tentative | 2 .5 .7 2 9; 3 .4 .7 1 2 | .025 | tentative 2 False
tentative, not clear | 2 .5 .7 2 1.6; 3 .4 .7 1 2 | .025 | one 1 False
cut through one mode | 2 .5 1 .9 9; 3 .4 .7 .5 2 | .025 | one 1 False
outliers alone | 2 nan nan nan nan | .025 | one 1 False
"""


@pytest.mark.parametrize("case", CASES.strip().splitlines())
def test_the_rule(case):
    name, rows, pvalue, expected = case.split(" | ")
    table = [[float(one) for one in row.split()] for row in rows.split("; ")]
    evidence = Known(table, float(pvalue))
    verdict, division = decide(evidence, None)
    found = verdict.grade, verdict.n_clusters, verdict.at_least, *verdict.finer
    assert " ".join(map(str, found)) == expected
    assert (division is None) == (verdict.n_clusters in (1, None))
    assert (evidence.test is None) == (
        verdict.grade == "separated" or name.startswith("dense") or not evidence.divisions
    )
    assert str(verdict).splitlines() == [verdict.headline, *verdict.reasons]


def test_chains_need_no_silhouettes_and_the_finest_division_is_chosen():
    rows = [(2, 0.1, 1, 5, NAN), (6, -0.2, 1, 2.5, NAN), (9, 0.5, 1, 2.4, NAN)]
    evidence = Known(rows, chains=True)
    verdict, _ = decide(evidence, None)
    assert (verdict.grade, verdict.n_clusters, evidence.test) == ("separated", 6, None)
    verdict, _ = decide(Known(rows[2:], chains=True), None)
    assert (verdict.grade, verdict.n_clusters) == ("touching", 9)
    verdict, _ = decide(Known([(2, 0.5, 0.7, 2.4, NAN)], chains=True), None)
    assert (verdict.grade, verdict.n_clusters) == ("one", 1)
    verdict, _ = decide(Known([(2, 0.5, 0.7, 2.5, NAN)], chains=True), None)
    assert (verdict.grade, verdict.n_clusters) == ("tentative", 2)
    verdict, _ = decide(Known([(2, NAN, NAN, NAN, NAN)], chains=True), None)
    assert (verdict.grade, verdict.n_clusters) == ("nothing", None)


def test_words():
    rows = [(3, 0.5, 1, 4.1, NAN), (6, 0.4, 0.8, 1, NAN), (9, 0.4, 0.8, 1, NAN)]
    verdict, _ = decide(Known(rows), None)
    assert verdict.headline == (
        "3 clusters, separated; divisions into 6 and into 9, nested in these, come back, too"
    )
    assert "at least 4.1 times as dense as the passes between them" in verdict.reasons[0]
    verdict, _ = decide(Known([(2, 0.5, 0.9, 2, 3), (3, 0.4, 0.1, 1, 8)]), None)
    text = " ".join(verdict.reasons)
    assert "may be parts of one bent or skew cluster" in text
    assert "With 3 clusters the data differ from one cluster even more" in text
    assert "The data contradict other null distributions: pca." in text
    assert "p = 0.025, the least that 39 can give" in text
