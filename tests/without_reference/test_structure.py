"""Tests against data without clusters: definitions, size, and data where the answer is known."""

import dataclasses
import statistics

import numpy as np
import pytest
import sklearn.metrics
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import load_iris, make_blobs
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare import get_index, structure_test
from sklearn_clustcompare.indices import Index
from sklearn_clustcompare.results import StructureTestResult
from tests._examples import slow

IRIS = load_iris().data


def of_silhouette(estimator, X=IRIS, **options):
    return structure_test(estimator, X, **{"statistic": "silhouette_score", **options})


def _uniform(X, random_state):
    return np.random.default_rng(random_state).uniform(size=X.shape)


def _n_clusters(X, labels):
    return len(set(labels))


def _spread(X, axis=0):
    return X[:, axis].std()


def result(values, null, *parameters, greater_is_better=True):
    """Return a test of a statistic f, with its values for the data and for others."""
    null = np.reshape(null, (len(null), -1))
    return StructureTestResult("f", greater_is_better, "pca", np.array(values), null, *parameters)


# --------------------------------------------------------------------------- definition


def test_values_are_those_of_the_statistic_for_all_data_sets():
    drawn = []

    def keep(X, random_state):
        drawn.append(_uniform(X, random_state))
        return drawn[-1]

    test = of_silhouette(AgglomerativeClustering(), null=keep, n_null=5)
    expected = [
        sklearn.metrics.silhouette_score(X, AgglomerativeClustering().fit_predict(X))
        for X in (IRIS, *drawn)
    ]
    assert [test.statistic, *test.null_distribution] == pytest.approx(expected, rel=1e-12)
    assert test.null == "keep"
    null = np.array(expected[1:])
    assert test.mean == pytest.approx(null.mean())
    assert test.standard_deviation == pytest.approx(null.std(ddof=1))
    assert test.standardized == pytest.approx((expected[0] - null.mean()) / null.std(ddof=1))
    assert test.pvalue == 1 / 6


@pytest.mark.parametrize("greater_is_better", [True, False])
def test_p_value_counts_ties_as_at_least_as_good(greater_is_better):
    null = [1.0, 2.0, 2.0 + 1e-15, 3.0]
    test = result([2.0], null, greater_is_better=greater_is_better)
    assert test.pvalue == (1 + 3) / 5


def _comparable_by_others(values, sign):
    """Compare each data set with all others, in loops."""
    comparable = np.empty(values.shape)
    for row, column in np.ndindex(values.shape):
        others = [sign * values[other, column] for other in range(len(values)) if other != row]
        median = statistics.median(others)
        squares = [(one - median) ** 2 for one in others if one > median]
        semideviation = statistics.mean(squares) ** 0.5
        comparable[row, column] = (sign * values[row, column] - median) / semideviation
    return comparable


@pytest.mark.parametrize("n_sets", [20, 21])
@pytest.mark.parametrize("greater_is_better", [True, False])
def test_largest_comparable_value_is_compared_with_that_of_each_null_data_set(
    greater_is_better, n_sets
):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(n_sets, 4)) * [1, 10, 100, 1000] + [0, 1, 5, 900]
    ks = 2, 3, 5, 8
    test = result(values[0], values[1:], "k", ks, greater_is_better=greater_is_better)
    comparable = _comparable_by_others(values, 1 if greater_is_better else -1)
    largest = comparable.max(axis=1)
    assert test.statistic == pytest.approx(largest[0])
    assert test.null_distribution == pytest.approx(largest[1:])
    assert test.best == ks[comparable[0].argmax()]
    assert test.pvalue == (1 + (largest[1:] >= largest[0]).sum()) / n_sets
    null = values[1:]
    standardized = (values[0] - null.mean(axis=0)) / null.std(axis=0, ddof=1)
    assert test.standardized_values == pytest.approx(standardized)


def test_poor_fits_of_structureless_data_do_not_hide_structure():
    null = np.random.default_rng(0).normal(size=(99, 2))
    own = np.array([6.0, 0.0])
    null[:20, 0] -= 50  # fits that ended far from the best clusters
    assert result(own, null, "k", (2, 3)).pvalue == 0.01


@pytest.mark.slow
def test_choosing_the_best_of_several_values_does_not_flatter():
    rng = np.random.default_rng(0)
    found = flattered = 0
    for _ in range(250):
        # Neighboring values of the parameter have similar values, as clusterings have.
        values = rng.normal(size=(20, 6)).cumsum(axis=1)
        test = result(values[0], values[1:], "k", tuple(range(6)))
        found += test.pvalue <= 0.05
        flattered += test.pvalues.min() <= 0.05
    assert 3 <= found <= 23  # 12.5 expected, with a standard deviation of 3.4
    assert flattered > 30


def test_a_constant_statistic_has_no_standard_deviation():
    for value, expected in ((0.1, 0.0), (0.3, np.inf), (0.05, -np.inf)):
        assert result([value], [0.1] * 4).standardized == expected


# --------------------------------------------------------------------------- early end


class _Cut(ClusterMixin, BaseEstimator):
    """Clusters of equal size by the sum of the features, in no time."""

    def __init__(self, n_clusters=2):
        self.n_clusters = n_clusters

    def fit(self, X, y=None):
        ranks = np.argsort(np.argsort(X.sum(axis=1)))
        self.labels_ = ranks * self.n_clusters // len(X)
        return self


def _between(X, labels):
    """Return the share of the variance of the sum between clusters."""
    x = X.sum(axis=1)
    return sum(
        (labels == k).sum() * (x[labels == k].mean() - x.mean()) ** 2 for k in set(labels)
    ) / (x.var() * len(x))


def _bimodality(X):
    return -np.mean(((X[:, 0] - X[:, 0].mean()) / X[:, 0].std()) ** 4)


def _of_kind(kind, rng):
    X = rng.normal(size=(40, 2))
    if kind == "two groups":
        X[:20, 0] += rng.uniform(2, 5)
    return X if kind != "uniform" else rng.uniform(size=(40, 2))


def _whole_and_early(seed, kind, n_null, *given, statistic):
    """Return the tests with all data sets and with those that the decision needs, of one seed."""
    X = _of_kind(kind, np.random.default_rng(seed))
    estimator, *param_range = given
    options = {"statistic": statistic, "n_null": n_null, "random_state": seed}
    whole, early = (
        structure_test(estimator, X, *param_range, significance_level=level, **options)
        for level in (None, 0.05)
    )
    assert (whole.pvalue <= 0.05) == (early.pvalue <= 0.05)
    return whole, early


@pytest.mark.parametrize(("n_null", "n_sets"), [(19, 2), (39, 1), slow(39, 8), slow(99, 8)])
@pytest.mark.parametrize("kind", ["one cloud", "uniform", "two groups"])
def test_early_end_has_the_decision_of_all_data_sets(kind, n_null, n_sets):
    for seed in range(n_sets):
        whole, early = _whole_and_early(seed, kind, n_null, None, statistic=_bimodality)
        # It ends after the first data sets of which, for some law, enough are as good.
        h = (n_null + 1) // 20
        ends = [
            np.flatnonzero(np.cumsum(one.null_distribution >= one.statistic) >= h)
            for one in whole.laws.values()
        ]
        expected = min([max(end[0] + 1, 2) for end in ends if len(end)], default=n_null)
        assert {len(one.null_values) for one in early.laws.values()} == {expected}
        assert early.is_ended_early == (expected < n_null)


@pytest.mark.parametrize(("n_null", "n_sets"), [(19, 1), slow(19, 8), slow(99, 8)])
@pytest.mark.parametrize("kind", ["one cloud", "uniform", "two groups"])
def test_early_end_has_the_decision_of_all_data_sets_for_several_values(kind, n_null, n_sets):
    for seed in range(n_sets):
        given = _Cut(), [2, 3, 4]
        _, early = _whole_and_early(seed, kind, n_null, *given, statistic=_between)
        assert len(early.null_values) in (9, 19, 49, 99)


def test_p_value_is_that_of_the_law_that_fits_best():
    X = np.random.default_rng(0).uniform(size=(60, 1))
    options = {"statistic": _bimodality, "random_state": 0, "significance_level": None}
    several = structure_test(None, X, null=["gaussian", "box"], **options)
    alone = {
        law: structure_test(None, X, null=law, **options).pvalue for law in ("gaussian", "box")
    }
    assert {law: one.pvalue for law, one in several.laws.items()} == alone
    assert several.pvalue == max(alone.values())
    assert several.null == max(alone, key=alone.get) == "box"
    assert alone["gaussian"] < 0.05


# --------------------------------------------------------------------------- statistics


def test_a_function_of_the_data_alone():
    test = structure_test(None, IRIS, statistic=_spread, axis=2, null=_uniform, n_null=9)
    assert test.values == [IRIS[:, 2].std()]
    assert test.pvalue == 0.1
    worse = structure_test(
        None, IRIS, statistic=_spread, axis=2, null=_uniform, n_null=9, greater_is_better=False
    )
    assert worse.pvalue == 1.0


def test_a_record_of_ones_own_and_parameters_of_an_index():
    mine = Index(
        "mine_score",
        _n_clusters,
        greater_is_better=True,
        range=(0, np.inf),
        symmetric=False,
        source="here",
        needs_data=True,
        soft=False,
    )
    test = structure_test(KMeans(), IRIS, statistic=mine, param_range=[3], n_null=2)
    assert test.values == [3.0]
    metric = structure_test(
        AgglomerativeClustering(),
        IRIS,
        statistic=get_index("silhouette_score"),
        metric="manhattan",
        n_null=2,
    )
    labels = AgglomerativeClustering().fit_predict(IRIS)
    expected = sklearn.metrics.silhouette_score(IRIS, labels, metric="manhattan")
    assert metric.statistic == pytest.approx(expected, rel=1e-12)


def test_randomness_of_an_index_is_seeded():
    calls = [of_silhouette(KMeans(3), sample_size=50, n_null=3) for _ in range(2)]
    assert np.array_equal(calls[0].null_values, calls[1].null_values)
    assert calls[0].statistic == calls[1].statistic


def test_indices_are_computed_in_the_space_of_the_last_step():
    X = IRIS * [1, 10, 100, 1000]
    scaled = StandardScaler().fit_transform(X)
    pipeline = make_pipeline(StandardScaler(), AgglomerativeClustering())
    test = of_silhouette(
        pipeline, X, param_name="agglomerativeclustering__n_clusters", param_range=[2, 3], n_null=2
    )
    for value, k in zip(test.values, (2, 3), strict=True):
        labels = AgglomerativeClustering(k).fit_predict(scaled)
        assert value == pytest.approx(sklearn.metrics.silhouette_score(scaled, labels))


# --------------------------------------------------------------------------- undefined values


def test_undefined_values_count_as_worse_than_any():
    with pytest.warns(UserWarning, match="undefined for 1 of 3 clusterings of X and for 5 of 15"):
        test = of_silhouette(KMeans(), param_range=[1, 2, 3], null="pca", n_null=5)
    assert np.isnan(test.values[0])
    assert np.isnan(test.standardized_values[0])
    assert np.isnan(test.pvalues[0])
    assert test.best in (2, 3)
    assert np.isfinite(test.null_distribution).all()
    values = np.array([[0.5, np.nan], [0.1, 0.9], [np.nan, 0.6], [np.nan, np.nan], [0.3, 0.7]])
    test = result(values[0], values[1:], "eps", (1.0, 2.0))
    assert test.best == 1.0
    assert test.pvalues[0] == 1 / 5
    assert np.isnan(test.null_distribution).tolist() == [False, False, True, False]
    assert test.pvalue == (1 + (test.null_distribution >= test.statistic).sum()) / 5


def test_nothing_to_compare_is_an_error():
    with pytest.raises(ValueError, match="silhouette_score is not, for the clusters of X"):
        of_silhouette(KMeans(1), n_null=2)
    blobs, _ = make_blobs(60, centers=[[0, 0], [50, 50]], random_state=0)
    with pytest.raises(
        ValueError, match="silhouette_score is not, for the clusters of structureless"
    ):
        of_silhouette(DBSCAN(eps=60), np.vstack([blobs, blobs + 999]), null=_uniform, n_null=3)


# --------------------------------------------------------------------------- bad input, printing


def test_result_is_printed_with_its_law():
    test = result([0.7], [0.4, 0.5, 0.45])
    assert repr(test).splitlines() == [
        "StructureTestResult: f, 3 structureless data sets (pca)",
        "           value  mean  standard_deviation  standardized  pvalue",
        "statistic    0.7  0.45                0.05             5    0.25",
        "no evidence against: pca (p = 0.25)",
    ]
    null = np.array([[0.4, 0.3], [0.5, 0.1], [0.45, 0.2]])
    test = result([0.7, 0.1], null, "k", (2, 3))
    assert repr(test).splitlines()[-2:] == [
        "largest z: 5 for k=2",
        "no evidence against: pca (p = 0.25)",
    ]
    found = dataclasses.replace(test, significance_level=0.3)
    assert repr(found).splitlines()[-1] == "the data differ from: pca (p = 0.25)"
    other = dataclasses.replace(found, null="box", others=(found,), null_values=null[:2], n_null=9)
    assert repr(other).splitlines()[0].endswith("f, 2 of at most 9 structureless data sets (box)")
    assert repr(other).splitlines()[-1] == "no evidence against: box (p = 0.6667)"
    assert "largest z: 5 for k=2" in test._repr_html_()
    lower = dataclasses.replace(test, greater_is_better=False)
    assert "largest z of the opposite sign: 1 for k=3" in repr(lower)
