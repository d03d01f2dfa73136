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


class Known:
    """Evidence that is given: (k, silhouette, strength, ratio, z) for each division."""

    n_null = 39
    grade, is_dense = Evidence.grade, Evidence.is_dense

    def __init__(self, rows, pvalue=0.025, partitions=None, chains=False):
        self.rows = [dict(zip("ksprz", row, strict=True)) for row in rows]
        self.partitions = partitions or [LABELS[row["k"]] for row in self.rows]
        self.candidates = self.rows
        self.divisions = [at for at, row in enumerate(self.rows) if row["s"] == row["s"]]
        self.numbers = np.array([row["k"] for row in self.rows])
        self.silhouette = np.array([row["s"] for row in self.rows])
        self.ratio = np.array([row["r"] for row in self.rows])
        self.z = np.full(len(self.rows), np.nan)
        self.chains, self.beyond, self.test, self._p = chains, [], None, pvalue

    def strength(self, at):
        return self.rows[at]["p"]

    def comes_back(self, at):
        return self.rows[at]["p"] >= 0.8

    def precision(self, fine, coarse):
        joined = [
            self.partitions[coarse][i] == self.partitions[coarse][j]
            for i in range(N)
            for j in range(i)
            if self.partitions[fine][i] == self.partitions[fine][j]
        ]
        return np.mean(joined)

    def compare(self):
        self.z = np.array([row["z"] for row in self.rows])
        self.test = NullTest(self._p, self.z, ("copula",), ("pca",), 39)
        return self.test


NAN = np.nan
CASES = {
    # rows, p-value: grade, number, finer (none), at_least (False)
    "separated": ([(2, 0.5, 1, 2.5, NAN), (3, 0.4, 0.7, 1, NAN)], 0.9, "separated", 2),
    "the largest silhouette": (
        [(2, 0.5, 1, 3, NAN), (3, 0.6, 1, 3, NAN), (5, 0.7, 0.7, 3, NAN)],
        0.9,
        "separated",
        3,
        (),
        True,
    ),
    "finer": ([(3, 0.5, 1, 3, NAN), (6, 0.4, 0.8, 1, NAN)], 0.9, "separated", 3, (6,)),
    "finer, not dense": ([(3, 0.5, 1, 3, NAN), (6, 0.4, 1, 0.9, NAN)], 0.9, "separated", 3),
    "finer, crossing": ([(2, 0.5, 1, 3, NAN), (3, 0.4, 1, 3, NAN)], 0.9, "separated", 2),
    "the finest of as good silhouettes": (
        [(2, 0.5, 1, 9, NAN), (3, 0.46, 1, 2.5, NAN), (5, 0.44, 1, 2.5, NAN)],
        0.9,
        "separated",
        3,
    ),
    "dense, but not found again": (
        [(2, 0.4, 0.9, 2.4, 9), (3, 0.5, 0.7, 2.5, 0), (5, 0.3, 0.7, 2.6, 9)],
        0.9,
        "tentative",
        3,
    ),
    "not dense where the silhouette is largest": (
        [(2, 0.4, 0.7, 3, 9), (3, 0.5, 0.7, 2.4, 2)],
        0.025,
        "tentative",
        3,
        (),
        True,
    ),
    "at the end": ([(2, 0.5, 1, 3, NAN), (3, 0.6, 1, 3, NAN)], 0.9, "separated", 3, (), True),
    "one": ([(2, 0.5, 1, 2.4, 3), (3, 0.4, 0.7, 1, 1)], 0.075, "one", 1),
    "touching": ([(2, 0.5, 0.8, 1.0, 1.645), (3, 0.4, 1, 1, 1)], 0.05, "touching", 2),
    "touching comes first": (
        [(2, 0.5, 0.7, 2, 9), (3, 0.4, 0.8, 1, 2), (5, 0.3, 0.1, 1, 9)],
        0.025,
        "touching",
        3,
    ),
    "tentative": ([(2, 0.5, 0.7, 2, 9), (3, 0.4, 0.7, 1, 2)], 0.025, "tentative", 2),
    "tentative, not clear": ([(2, 0.5, 0.7, 2, 1.6), (3, 0.4, 0.7, 1, 2)], 0.025, "one", 1),
    "cut through one mode": ([(2, 0.5, 1, 0.9, 9), (3, 0.4, 0.7, 0.5, 2)], 0.025, "one", 1),
    "outliers alone": ([(2, NAN, NAN, NAN, NAN)], 0.025, "one", 1),
}


@pytest.mark.parametrize("case", CASES)
def test_the_rule(case):
    rows, pvalue, *expected = CASES[case]
    expected += [(), False][len(expected) - 2 :]
    evidence = Known(rows, pvalue)
    verdict, place = decide(evidence, None)
    assert [verdict.grade, verdict.n_clusters, verdict.finer, verdict.at_least] == expected
    assert (place is None) == (verdict.n_clusters in (1, None))
    assert (evidence.test is None) == (
        verdict.grade == "separated" or case.startswith("dense") or not evidence.divisions
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
