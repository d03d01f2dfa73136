"""The gap statistic: its definition, printed tables, and data where the answer is known."""

import itertools
import json
import math
import re
import warnings

import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import euclidean
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import load_iris, make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare import gap_statistic
from sklearn_clustcompare.results import GapStatistic
from sklearn_clustcompare.without_reference import _gap
from sklearn_clustcompare.without_reference._fits import warn_once
from sklearn_clustcompare.without_reference._gap import RULES, chosen, log_dispersion
from tests._examples import slow
from tests._files import DATA

IRIS = load_iris().data
SCALED = (IRIS - IRIS.mean(axis=0)) / IRIS.std(axis=0, ddof=1)

# Printed by the documentation of other packages, for power 1 and half of our W.
PRINTED = json.loads((DATA / "without_a_reference.json").read_text(encoding="utf-8"))["gap"]
PRINTED_IRIS = PRINTED["iris_scaled_kmeans"]
# Their names of the rules.
NAMES = {
    "tibshirani": "Tibs2001SEmax",
    "first_se_max": "firstSEmax",
    "global_se_max": "globalSEmax",
    "first_max": "firstmax",
    "global_max": "globalmax",
}


def _choices(gap, error, factor=1.0):
    return {
        rule: None
        if (position := chosen(rule, np.array(gap), factor * np.array(error))) is None
        else position + 1
        for rule in RULES
    }


# --------------------------------------------------------------------------- rules


@pytest.mark.parametrize("name", ["iris_scaled_kmeans", "usarrests_scaled_kmeans", "ruspini_pam"])
def test_rules_choose_from_printed_tables_what_their_definitions_say(name):
    table = PRINTED[name]
    expected = table["choice_of_this_table"]
    if name == "ruspini_pam":
        assert expected == "4 by all five rules"
        expected = dict.fromkeys(NAMES.values(), 4)
    chosen = _choices(table["gap"], table["SE"])
    assert {NAMES[rule]: choice for rule, choice in chosen.items()} == expected


def _chosen_in_loops(gap, error):
    """Choose as the definitions of the rules say, number by number; from 1."""
    numbers = range(len(gap))
    tibshirani = [k for k in numbers[:-1] if gap[k] >= gap[k + 1] - error[k + 1]]
    first = next((k for k in numbers[:-1] if gap[k + 1] <= gap[k]), len(gap) - 1)
    largest = next(k for k in numbers if gap[k] == max(gap))
    within = [
        min(k for k in numbers[: best + 1] if gap[k] >= gap[best] - error[best])
        for best in (first, largest)
    ]
    found = [tibshirani[0] if tibshirani else None, *within, first, largest]
    return tuple(None if one is None else one + 1 for one in found)


# Quarters, whose sums and differences are exact.
QUARTERS = st.integers(-20, 20).map(lambda number: number / 4)


@given(st.lists(st.tuples(QUARTERS, QUARTERS.map(abs)), min_size=1, max_size=9))
def test_rules_are_their_definitions(table):
    gap, error = zip(*table, strict=True)
    assert tuple(_choices(gap, error).values()) == _chosen_in_loops(gap, error)


def _rising():
    null = np.array([[4.0, 4.0, 4.0], [4.2, 4.2, 4.2]])
    return GapStatistic(
        "n_clusters", np.array([2, 4, 6]), np.array([3.0, 2.0, 1.0]), null, "box", 2
    )


def test_the_last_value_is_returned_with_a_warning_where_none_obeys_the_rule():
    gap = _rising()
    with pytest.warns(UserWarning, match="no n_clusters obeys .* last value 6 is returned"):
        assert gap.choose() == 6
    assert gap.choices() == dict(zip(RULES, (None, 6, 6, 6, 6), strict=True))
    with pytest.raises(ValueError, match="^rule must be one of .* did you mean 'tibshirani'"):
        gap.choose("tibshirany")


# --------------------------------------------------------------------------- definition


def _brute_force(X, labels, power):
    total = 0.0
    for cluster in set(labels):
        members = X[labels == cluster]
        pairs = itertools.product(members, repeat=2)
        total += sum(euclidean(x, y) ** power for x, y in pairs) / (2 * len(members))
    return total


@pytest.mark.parametrize("power", [1, 2])
def test_dispersion_is_that_of_its_definition(power, monkeypatch):
    rng = np.random.default_rng(0)
    monkeypatch.setattr(_gap, "_MAX_DISTANCES", 50)  # several chunks, the last one shorter
    for n_clusters in (1, 2, 5):
        X, labels = rng.normal(3, 2, size=(40, 3)), rng.integers(n_clusters, size=40)
        expected = _brute_force(X, labels, power)
        assert math.exp(log_dispersion(X, labels, power)) == pytest.approx(expected, rel=1e-12)


def test_dispersion_of_equal_objects_is_zero_to_the_last_bit():
    X = np.repeat([[0.1, 1e8], [0.7, 0.3]], 7, axis=0)
    assert [log_dispersion(X, X[:, 0] > 0.5, power) for power in (1, 2)] == [-math.inf] * 2


def test_gap_and_standard_error_are_those_of_their_definitions():
    gap = gap_statistic(KMeans(n_init=2), IRIS, param_range=[1, 3], n_null=7)
    assert gap.null_log_dispersion.shape == (7, 2)
    for column in range(2):
        logs = gap.null_log_dispersion[:, column].tolist()
        mean = sum(logs) / 7
        deviation = math.sqrt(sum((log - mean) ** 2 for log in logs) / 7)
        assert gap.gap[column] == pytest.approx(mean - gap.log_dispersion[column], rel=1e-12)
        assert gap.standard_error[column] == pytest.approx(
            math.sqrt(1 + 1 / 7) * deviation, rel=1e-12
        )


# --------------------------------------------------------------------------- answers


@pytest.mark.slow
def test_gap_of_scaled_iris_is_near_the_printed_one():
    gap = gap_statistic(KMeans(n_init=5), SCALED, param_range=range(1, 11), n_null=15, power=1)
    assert (np.abs(gap.gap - PRINTED_IRIS["gap"]) <= 4 * gap.standard_error).all()


@pytest.mark.parametrize(("null", "power"), [("pca", 1), ("box", 1), ("gaussian", 2)])
@pytest.mark.slow
def test_five_blobs_are_five_by_every_rule(null, power):
    centers = np.array([[0, 0], [10, 0], [3, 11], [18, 6], [12, 16]])
    X, _ = make_blobs([30] * 5, centers=centers, cluster_std=0.5, random_state=0)
    options = {"param_range": range(1, 9), "n_null": 10, "null": null, "power": power}
    assert set(gap_statistic(KMeans(n_init=5), X, **options).choices().values()) == {5}


@pytest.mark.parametrize("rule", ["tibshirani", slow("first_se_max")])
@pytest.mark.parametrize(("n_sets", "fewest"), [(1, 1), slow(8, 6)])
def test_uniform_data_are_mostly_one_cluster(rule, n_sets, fewest):
    ones = 0
    for seed in range(n_sets):
        X = np.random.default_rng(seed).uniform(size=(100, 2))
        gap = gap_statistic(
            KMeans(n_init=2), X, param_range=range(1, 5), n_null=15, random_state=seed
        )
        ones += gap.choose(rule) == 1
    assert ones >= fewest


# --------------------------------------------------------------------------- estimators


def test_dispersion_is_computed_in_the_space_of_the_last_step():
    scaled = make_pipeline(StandardScaler(), KMeans(n_init=10))
    gap = gap_statistic(
        scaled,
        IRIS * [1, 10, 100, 1000],
        param_name="kmeans__n_clusters",
        param_range=[1, 2],
        n_null=2,
        power=1,
    )
    # One object fewer in the divisor of the standard deviation.
    expected = np.add(PRINTED_IRIS["logW"][:2], math.log(2) + math.log(150 / 149) / 2)
    assert gap.log_dispersion == pytest.approx(expected, abs=1e-6)


def test_every_fit_has_a_seed_of_its_own():
    seeds = []

    class Spy(ClusterMixin, BaseEstimator):
        def __init__(self, n_clusters=2, random_state=None):
            self.n_clusters = n_clusters
            self.random_state = random_state

        def fit(self, X):
            seeds.append(self.random_state)
            self.labels_ = np.arange(len(X)) % self.n_clusters
            return self

    gap_statistic(Spy(random_state=0), IRIS, param_range=range(1, 5), n_null=4)
    assert len(set(seeds)) == len(seeds) == 3 * (1 + 4)


# --------------------------------------------------------------------------- what cannot be


@pytest.mark.parametrize(
    ("estimator", "param_name"), [(DBSCAN(eps=0.5), "min_samples"), (DBSCAN(eps=0.1), "leaf_size")]
)
def test_clusterers_without_a_fixed_number_of_clusters_are_refused(estimator, param_name):
    with pytest.raises(ValueError, match="must be a clusterer with a fixed number of clusters"):
        gap_statistic(estimator, IRIS, param_name=param_name, param_range=[2, 5], n_null=2)


def test_as_many_clusters_as_distinct_objects_have_no_gap():
    X = np.repeat([[0.1], [0.7], [0.9]], 5, axis=0)
    with pytest.raises(ValueError, match="^W, .*, is 0 for n_clusters=3, .* distinct objects"):
        gap_statistic(KMeans(n_init=5), X, param_range=[1, 2, 3], n_null=2)
    with pytest.raises(ValueError, match="^W, .*, is 0 for n_clusters=1"):
        gap_statistic(KMeans(), np.ones((5, 2)), param_range=[1, 2], n_null=2)


class _FailsAtThree(KMeans):
    def fit_predict(self, X, y=None):
        if self.n_clusters == 3:
            msg = "not three"
            raise RuntimeError(msg)
        return super().fit_predict(X)


@pytest.mark.slow
@pytest.mark.parametrize(("n_objects", "last"), [(2, 1), (3, 2), (10, 9), (11, 10), (15, 10)])
def test_without_a_range_no_number_is_tried_that_has_no_gap(n_objects, last):
    X = np.random.default_rng(0).normal(size=(n_objects, 2))
    for rows in (X, np.repeat(X, 3, axis=0)):
        gap = gap_statistic(KMeans(n_init=1), rows, n_null=3)
        assert gap.param_range.tolist() == list(range(1, last + 1))


def test_a_clusterer_that_fails_is_named_with_its_parameters():
    with pytest.raises(RuntimeError, match="not three") as caught:
        gap_statistic(_FailsAtThree(), IRIS, param_range=[2, 3], n_null=2)
    assert caught.value.__notes__ == ["Raised by _FailsAtThree with n_clusters=3."]


def _three_points(X, random_state):
    return np.resize([[0.0], [1.0], [2.0]], X.shape)


def test_it_is_said_that_null_data_failed():
    X = np.arange(12.0)[:, np.newaxis]
    with pytest.raises(ValueError, match="is 0 for n_clusters=3") as caught:
        gap_statistic(KMeans(n_init=3), X, param_range=[2, 3], n_null=2, null=_three_points)
    assert caught.value.__notes__ == ["The data were structureless, null='_three_points'."]


class _Complains(KMeans):
    def fit(self, X, y=None, sample_weight=None):
        warnings.warn(f"stopped after {len(np.unique(X))} steps", ConvergenceWarning, stacklevel=2)
        return super().fit(X)


@pytest.mark.processes
@pytest.mark.parametrize("backend", ["serial", "threading", slow("loky")])
def test_a_warning_of_many_fits_is_given_once(backend):
    X = np.random.default_rng(0).normal(size=(20, 2))
    n_jobs = 1 if backend == "serial" else 2
    with (
        joblib.parallel_config("loky" if backend == "serial" else backend, n_jobs=n_jobs),
        pytest.warns(ConvergenceWarning, match=re.escape("(and 11 more of these")) as caught,
    ):
        gap_statistic(_Complains(), X, param_range=[1, 2, 3], n_null=5)
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_warnings_that_were_counted_are_added_up():
    kept = [(UserWarning, "after 2 steps (and 3 more of these in other fits)")]
    kept += [(UserWarning, "after 5 steps"), (UserWarning, "no steps")]
    with pytest.warns(UserWarning, match="steps") as caught:
        warn_once(kept)
    texts = [str(one.message) for one in caught]
    assert texts == ["after 2 steps (and 4 more of these in other fits)", "no steps"]


class _Forks(KMeans):
    def fit(self, X, y=None, sample_weight=None):
        # Python 3.12 and newer warn so of each process of the backend "multiprocessing".
        text = "This process (pid=7) is multi-threaded, use of fork() may lead to deadlocks"
        warnings.warn(text, DeprecationWarning, stacklevel=1)
        return super().fit(X)


def test_a_warning_of_the_start_of_processes_is_not_repeated():
    X = np.random.default_rng(0).normal(size=(20, 2))
    gap = gap_statistic(_Forks(), X, param_range=[1, 2], n_null=2)
    assert len(gap.gap) == 2


def test_fewer_clusters_than_asked_for_are_told():
    X = np.random.default_rng(0).normal(size=(40, 2))

    class Half(KMeans):
        def fit_predict(self, X, y=None):
            return super().fit_predict(X) // 2

    with pytest.warns(
        UserWarning, match=r"only 2 clusters were found for n_clusters=4 \(and 3 more"
    ):
        gap_statistic(Half(), X, param_range=[4], n_null=3)


# --------------------------------------------------------------------------- what is shown


def test_values_are_printed_with_the_rules_that_choose_them():
    lines = repr(_rising()).splitlines()
    assert lines[0] == "GapStatistic: 2 structureless data sets (box), power 2"
    assert lines[-1].startswith("chosen by tibshirani: None, first_se_max: 6, ")
    assert lines[-2].split()[:4] == ["6", "1", "4.1", "3.1"]
    html = _rising()._repr_html_()
    assert "<caption" in html
    assert html.count("<tr>") == 4


def test_a_gap_over_several_laws_has_a_curve_for_each_and_chooses_the_smallest_number():
    options = {"param_range": range(1, 6), "n_null": 4, "random_state": 0}
    ward = AgglomerativeClustering()
    several = gap_statistic(ward, SCALED, null=["box", "gaussian"], **options)
    alone = {law: gap_statistic(ward, SCALED, null=law, **options) for law in ("box", "gaussian")}
    assert list(several.laws) == ["box", "gaussian"]
    for law, one in several.laws.items():
        assert np.array_equal(one.gap, alone[law].gap)
    choices = [one.choices() for one in alone.values()]
    assert choices[0] != choices[1]
    for rule, choice in several.choices().items():
        known = [one[rule] for one in choices if one[rule] is not None]
        assert choice == min(known, default=None)
    assert "data sets (box, gaussian)" in repr(several)
