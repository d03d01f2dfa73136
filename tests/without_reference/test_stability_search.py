"""A search by stability: values by brute force, rules, and what scikit-learn asks for."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import DBSCAN, HDBSCAN, KMeans
from sklearn.exceptions import FitFailedWarning, NotFittedError
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

from sklearn_clustcompare import ContingencyTable, StabilitySearch, get_index
from sklearn_clustcompare.results import StabilityResult
from sklearn_clustcompare.without_reference._stability_search import (
    ambiguous_share,
    consensus_matrix,
)
from tests._examples import FEW_EXAMPLES, slow
from tests.without_reference._stability_data import Middle, Quantiles, five_blobs

X = np.random.default_rng(0).normal(size=(40, 2))
GRID = {"n_clusters": [2, 3]}


def searched(estimator, grid=GRID, X=X, *, random_state=0, **options):
    """Return a search that was fitted."""
    return StabilitySearch(estimator, grid, random_state=random_state, **options).fit(X)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*candidates are equally stable:UserWarning")
@pytest.mark.parametrize(
    ("estimator", "check"),
    # What parametrize_with_checks does, in a list, which newer versions of pytest ask for.
    list(
        estimator_checks_generator(
            StabilitySearch(KMeans(n_init=1, random_state=0), GRID, n_resamples=2, random_state=0),
            mark="xfail",
        )
    ),
)
def test_scikit_learn_takes_it_for_an_estimator(estimator, check):
    check(estimator)


# --------------------------------------------------------------------------- values


class _Recorder:
    """Draws bootstrap samples, and keeps their positions."""

    def __init__(self):
        self.drawn = []

    def __call__(self, X, random_state):
        rng = np.random.default_rng(random_state)
        self.drawn.append(rng.integers(len(X), size=len(X)))
        return self.drawn[-1]


def _cuts(sample, k):
    return np.quantile(sample[:, 0], np.arange(1, k) / k)


def _disagreeing_pairs(one, other):
    """Return the share of ordered pairs, objects with themselves among them, that differ."""
    together = [np.equal.outer(labels, labels) for labels in (one, other)]
    return np.mean(together[0] != together[1])


@pytest.mark.parametrize("index", ["adjusted_rand_score", "mirkin_distance"])
def test_values_are_those_of_pairs_of_samples_carried_over_to_all_objects(index):
    """Of a distance, which is the share of disagreeing pairs, lower values are better."""
    is_distance, record, grid = index == "mirkin_distance", _Recorder(), {"n_clusters": [2, 3, 7]}
    options = {"parameters": {"normalize": True}} if is_distance else {}
    search = searched(Quantiles(), grid, index=index, resampling=record, n_resamples=6, **options)
    compare, sign = (_disagreeing_pairs, -1) if is_distance else (adjusted_rand_score, 1)
    for row, k in enumerate(grid["n_clusters"]):
        expected = [
            compare(*(np.searchsorted(_cuts(X[drawn], k), X[:, 0]) for drawn in pair))
            for pair in zip(record.drawn[::2], record.drawn[1::2], strict=True)
        ]
        assert search.result_.values[row] == pytest.approx(expected, abs=1e-12)
        for number, value in enumerate(expected):
            found = search.cv_results_[f"split{number}_test_score"][row]
            assert found == pytest.approx(sign * value)
        assert search.cv_results_["mean_test_score"][row] == pytest.approx(sign * np.mean(expected))
        assert search.cv_results_["std_test_score"][row] == pytest.approx(np.std(expected))
    assert search.best_score_ == search.cv_results_["mean_test_score"].max()
    assert search.cv_results_["rank_test_score"][search.best_index_] == 1
    assert search.cv_results_["param_n_clusters"].tolist() == [2, 3, 7]


class _Subsampled(Quantiles):
    """Notes what it was fitted to."""

    seen = []

    def fit(self, X, y=None):
        self.seen.append(np.asarray(X)[:, 0])
        return super().fit(X)


@pytest.mark.thread_unsafe(reason="threads of a test share its recorder")
@pytest.mark.parametrize("scheme", ["subsample", "split", "jitter", "noise"])
def test_the_other_schemes_compare_what_they_say(scheme):
    _Subsampled.seen.clear()
    search = searched(
        _Subsampled(3), {"n_clusters": [3]}, resampling=scheme, n_resamples=3, refit=False
    )
    x = X[:, 0]
    for number in range(3):
        samples = _Subsampled.seen[2 * number : 2 * number + 2]
        labels = [np.searchsorted(_cuts(one[:, np.newaxis], 3), one) for one in samples]
        if scheme == "jitter":
            one, other = labels
        elif scheme == "split":
            cuts = _cuts(samples[0][:, np.newaxis], 3)
            one, other = np.searchsorted(cuts, samples[1]), labels[1]
            assert sorted(np.concatenate(samples)) == sorted(x)
        else:
            shared = np.intersect1d(np.intersect1d(*samples), x)
            assert len(samples[0]) == (32 if scheme == "subsample" else 40)
            assert 20 < len(shared) < 40
            one, other = (
                np.array([found[sample == value][0] for value in shared])
                for found, sample in zip(labels, samples, strict=True)
            )
        assert search.result_.values[0, number] == pytest.approx(adjusted_rand_score(one, other))


def test_memberships_are_compared():
    record = _Recorder()
    options = {"resampling": record, "n_resamples": 3, "random_state": 0}
    search = searched(Quantiles(3), {"n_clusters": [3]}, response="predict_proba", **options)
    index = get_index("adjusted_rand_score")
    for number in range(3):
        sides = [
            Quantiles(3).fit(X[drawn]).predict_proba(X)
            for drawn in record.drawn[2 * number : 2 * number + 2]
        ]
        table = ContingencyTable.from_memberships(*sides, moments=index.moments)
        assert search.result_.values[0, number] == pytest.approx(index(table), abs=1e-12)
    assert (search.result_.values < 1).all()
    mixture = searched(
        GaussianMixture(),
        {"n_components": [2, 3]},
        response="predict_proba",
        n_resamples=3,
        X=five_blobs(),
    )
    assert len(np.unique(mixture.labels_)) == mixture.best_params_["n_components"]


@pytest.mark.parametrize("n_resamples", [20, slow(400)])
def test_distances_go_over_those_of_random_labels(n_resamples):
    """The index of Lange et al.: the mean over all labelings of few objects is enumerated."""
    index, k, n = get_index("misclassification_distance"), 2, 4
    labelings = list(itertools.product(range(k), repeat=n))
    exact = np.mean(
        [
            index(ContingencyTable.from_labels(one, other))
            for one, other in itertools.product(labelings, repeat=2)
        ]
    )
    rows = np.arange(8.0)[:, np.newaxis]
    options = {
        "resampling": "split",
        "index": index,
        "n_resamples": n_resamples,
        "refit": False,
        "random_state": 0,
    }
    plain = searched(Quantiles(), {"n_clusters": [k]}, **options, X=rows).result_
    over = StabilitySearch(Quantiles(), {"n_clusters": [k]}, divisor="random_labels", **options)
    values = over.fit(rows).result_.values[0]
    assert (values > 0).any()
    is_some = plain.values[0] > 0
    assert np.array_equal(values > 0, is_some)
    divisors = plain.values[0][is_some] / values[is_some]
    # Each is a mean of 20 pairs of labelings.
    assert divisors.mean() == pytest.approx(exact, abs=5 * divisors.std() / np.sqrt(len(divisors)))
    assert divisors.std() < 0.2 * exact


@pytest.mark.slow
def test_all_candidates_see_the_same_samples_and_seeds_of_their_own():
    short = searched(KMeans(), {"n_clusters": [3]}, n_resamples=4).result_
    long = searched(KMeans(), {"n_clusters": [3, 4, 5]}, n_resamples=4).result_
    assert np.array_equal(short.values[0], long.values[0])
    again = searched(KMeans(), {"n_clusters": [3]}, n_resamples=7).result_
    assert np.array_equal(short.values[0], again.values[0, :4])
    # One start of k-means on all objects: it is the seeds that make the difference.
    same = searched(
        KMeans(init="random", random_state=0),
        {"n_clusters": [8]},
        resampling=lambda X, random_state: np.arange(len(X)),
        n_resamples=5,
    )
    assert (same.result_.values < 1).any()


# --------------------------------------------------------------------------- rules


def _result(values, null_values=None, n_found=None, index="adjusted_rand_score", n_laws=1):
    values = np.asarray(values, float)
    ks = list(range(2, 2 + len(values)))
    return StabilityResult(
        candidates=[{"n_clusters": k} for k in ks],
        values=values,
        null_values=null_values,
        n_found=np.array(ks if n_found is None else n_found, float),
        n_skipped=np.zeros(len(values), int),
        index=get_index(index),
        parameters={},
        null=None if null_values is None else "pca",
        n_laws=n_laws,
    )


def test_of_several_laws_the_one_counts_that_is_hardest_to_exceed():
    rng = np.random.default_rng(0)
    values, null = rng.uniform(0.5, 1, size=(3, 4)), rng.uniform(0.3, 0.9, size=(2, 19, 3, 4))
    alone = [_result(values, one) for one in null]
    both = _result(values, np.concatenate(null), n_laws=2)
    pvalues, standardized = (
        np.array([getattr(one, name) for one in alone]) for name in ("pvalues", "standardized")
    )
    np.testing.assert_array_equal(both.pvalues, pvalues.max(axis=0))
    np.testing.assert_array_equal(both.standardized, standardized.min(axis=0))
    for number, law in enumerate(standardized.argmin(axis=0)):
        for name in ("null_mean", "null_standard_deviation"):
            assert both.columns()[name][number] == alone[law].columns()[name][number]


@pytest.mark.parametrize(
    "index", ["adjusted_rand_score", slow("mirkin_distance"), slow("mutual_info_score")]
)
@FEW_EXAMPLES
@given(arrays(float, (20, 3), elements=st.floats(0, 1)))
def test_not_more_than_one_of_twenty_sets_stands_out(index, means):
    """Any set of twenty is as likely to be the data, if these have no structure: 5 % at most."""
    n_chosen = 0
    for number in range(20):
        null = np.delete(means, number, axis=0)[:, :, np.newaxis]
        pvalues = _result(means[number][:, np.newaxis], null, index=index).pvalues
        assert set(np.round(pvalues * 20)) <= set(range(1, 21))
        n_chosen += (pvalues <= 0.05).any()
    assert n_chosen <= 1


def test_the_pvalue_is_that_of_the_largest_of_all():
    rng = np.random.default_rng(0)
    null = rng.normal(0.5, [[[0.02], [0.1]]], size=(39, 2, 1))
    result = _result([[0.62], [0.62]], null)
    sets = -np.log(1 - np.concatenate([[[0.62, 0.62]], null[:, :, 0]]))
    largest = [
        max(
            (sets[b, k] - np.delete(sets[:, k], b).mean()) / np.delete(sets[:, k], b).std(ddof=1)
            for k in range(2)
        )
        for b in range(1, 40)
    ]
    z = [(sets[0, k] - sets[1:, k].mean()) / sets[1:, k].std(ddof=1) for k in range(2)]
    assert result.standardized == pytest.approx(z, rel=0.15)  # the offset of the scale
    expected = [(1 + sum(one >= value for one in largest)) / 40 for value in z]
    assert result.pvalues == pytest.approx(expected, abs=1 / 40)
    assert result.pvalues[0] == 0.025


def test_rules_choose_as_they_say():
    noisy = np.random.default_rng(0).normal(0, 0.01, size=(4, 30))
    values = noisy - noisy.mean(axis=1, keepdims=True) + [[0.9], [0.899], [0.8], [0.5]]
    result = _result(values)
    assert result.choose() == result.choose("max") == {"n_clusters": 2}
    assert result.choose("one_standard_error") == {"n_clusters": 3}
    assert result.choose(lambda one: int(np.argmin(one.mean))) == {"n_clusters": 5}
    assert result.position("max") == 0
    distances = _result(values, index="mirkin_distance")
    assert distances.choose("max") == {"n_clusters": 5}
    null = np.random.default_rng(0).normal(0.6, 0.02, size=(19, 4, 1)).repeat(30, axis=2)
    beyond = _result(values, null)
    assert beyond.default_rule == "null"
    assert list(beyond.choices()) == ["null", "one_standard_error", "max"]
    assert result.choices() == {"one_standard_error": {"n_clusters": 3}, "max": {"n_clusters": 2}}
    assert beyond.choose() == {"n_clusters": 2}
    null[:, 1] += (null[:, 1] - 0.6) * -0.9  # varies less: it stands out more
    assert _result(values, null).choose() == {"n_clusters": 3}
    for text in (repr(result), result._repr_html_()):
        assert "'one_standard_error'" in text.replace("&#x27;", "'")
        assert "n_clusters=3" in text
    with pytest.raises(ValueError, match="^rule must be 'max' or 'one_standard_error' where"):
        result.choose("null")
    with pytest.raises(ValueError, match="^rule must be a function or one of .*did you mean 'max'"):
        result.choose("maxx")


def test_a_rule_that_chooses_nothing_says_so():
    null = np.random.default_rng(0).normal(0.6, 0.02, size=(19, 2, 1))
    with pytest.raises(ValueError, match="^no candidate is more stable than structureless data"):
        _result([[0.6], [0.61]], null).choose()
    assert _result([[0.6], [0.61]], null).choices()["null"] is None
    assert "'null': none" in repr(_result([[0.6], [0.61]], null))


def test_ties_are_told_and_go_to_more_clusters():
    result = _result([[1.0, 1.0], [0.5, 0.4], [1.0, 1.0]])
    with pytest.warns(UserWarning, match="2 candidates are equally stable.*'n_clusters': 4"):
        assert result.choose() == {"n_clusters": 4}


def test_one_cluster_is_never_the_most_stable_by_itself():
    result = _result([[1.0, 1.0], [0.5, 0.4]], n_found=[1, 2])
    with pytest.warns(UserWarning, match="at most one cluster have no stability and are passed"):
        assert result.choose("max") == {"n_clusters": 3}
    result = _result([[1.0, 1.0]], n_found=[1])
    with pytest.raises(ValueError, match="no candidate finds more than one cluster"):
        result.choose()
    grid = {"eps": [0.3, 50.0]}
    with pytest.warns(UserWarning, match="passed over: {'eps': 50.0}"):
        search = searched(DBSCAN(), grid, n_resamples=3, X=five_blobs())
    assert search.best_params_ == {"eps": 0.3}


class Gaps(ClusterMixin, BaseEstimator):
    """Divides objects at gaps of the first feature; groups of fewer than four are noise."""

    def __init__(self, width=1.0):
        self.width = width

    def fit(self, X, y=None):
        x = np.asarray(X)[:, 0]
        order = np.argsort(x)
        groups = np.concatenate([[0], np.cumsum(np.diff(x[order]) > self.width)])
        self.labels_ = np.empty(len(x), int)
        self.labels_[order] = np.where(np.bincount(groups)[groups] < 4, -1, groups)
        return self


@pytest.mark.parametrize(
    ("index", "options", "worst"),
    [
        ("adjusted_rand_score", {}, 0.0),
        ("mirkin_distance", {"normalize": True}, 1 - 1 / 24),
        ("variation_of_information_distance", {}, np.log(24)),
        ("purity_score", {}, 1 / 24),
    ],
)
@pytest.mark.parametrize("noise", ["cluster", "drop"])
def test_samples_in_which_nothing_is_found_are_the_least_stable(index, options, worst, noise):
    x = np.concatenate([np.linspace(0, 1, 12), np.linspace(9, 10, 12)])[:, np.newaxis]
    # All noise, two clusters, one cluster; subsamples of all objects are the objects.
    found = searched(
        Gaps(),
        {"width": [0.01, 1.0, 100.0]},
        index=index,
        parameters=options,
        resampling="subsample",
        sample_size=1.0,
        n_resamples=2,
        noise=noise,
        rule=lambda result: 1,
        X=x,
    )
    values = found.result_.values
    assert values[[0, 2]] == pytest.approx(np.full((2, 2), worst), rel=1e-12)
    assert values[1] == pytest.approx(1.0 if get_index(index).greater_is_better else 0.0)
    assert found.result_.n_found.tolist() == [0, 2, 1]


@pytest.mark.slow
def test_structureless_data_in_which_nothing_is_found_are_the_worst():
    x = np.concatenate([np.linspace(0, 1, 12), np.linspace(9, 10, 12)])[:, np.newaxis]
    grid = {"width": [0.0001, 0.5, 5.0, 100.0]}
    options = {"resampling": "subsample", "n_resamples": 3, "null": "box", "random_state": 0}
    search = searched(Gaps(), grid, **options, X=x)
    result = search.result_
    # Uniform data are noise, a few groups and noise, or one cluster.
    assert result.null_values[:, [0, 2, 3]].max() == 0.0
    assert result.pvalues.tolist() == [1.0, 0.05, 0.05, 1.0]
    assert np.isfinite(result.standardized).all()
    assert search.best_params_ == {"width": 5.0}


@pytest.mark.slow
def test_no_cluster_at_all_is_not_chosen_in_place_of_one():
    uniform = np.random.default_rng(0).uniform(size=(24, 1))
    options = {"resampling": "subsample", "n_resamples": 2, "null": "box", "random_state": 0}
    search = searched(Gaps(), {"width": [1e-9, 0.05, 9.0]}, **options, X=uniform)
    assert search.result_.is_trivial[[0, 2]].all()
    assert search.best_params_ == {"width": 9.0}
    with pytest.raises(ValueError, match="^no candidate is more stable .* and none finds one clus"):
        searched(Gaps(), {"width": [1e-9, 0.05]}, **options, X=uniform)


@pytest.mark.slow
def test_uniform_data_have_one_cluster():
    uniform = np.random.default_rng(3).random((60, 2))
    options = {"n_resamples": 4, "null": "box", "random_state": 0}
    for grid in ({"n_clusters": [2, 3]}, {"n_clusters": [1, 2, 3]}):
        search = searched(KMeans(), grid, **options, X=uniform)
        assert search.best_params_ == {"n_clusters": 1}
        assert [one["n_clusters"] for one in search.result_.candidates] == [1, 2, 3]
        assert search.result_.values[0].tolist() == [1.0] * 4
        assert (search.result_.standardized[0], search.result_.pvalues[0]) == (0.0, 1.0)
        assert set(search.labels_) == {0}
    pipeline = make_pipeline(StandardScaler(), KMeans())
    search = searched(pipeline, {"kmeans__n_clusters": [2]}, **options, X=uniform)
    assert search.best_params_ == {"kmeans__n_clusters": 1}


# --------------------------------------------------------------------------- consensus


@given(arrays(np.int32, (4, 7), elements=st.integers(-1, 3)))
def test_consensus_by_brute_force(labels):
    matrix = consensus_matrix(labels)
    shares = []
    for i, j in itertools.product(range(7), repeat=2):
        both = [row for row in labels if row[i] >= 0 and row[j] >= 0]
        expected = np.mean([row[i] == row[j] for row in both]) if both else np.nan
        assert matrix[i, j] == pytest.approx(expected, nan_ok=True)
        if i < j and both:
            shares.append(expected)
    expected = np.mean([0.1 < one <= 0.9 for one in shares]) if shares else np.nan
    assert ambiguous_share(labels) == pytest.approx(expected, nan_ok=True)


@pytest.mark.slow
def test_consensus_of_blobs_is_a_matrix_of_blocks():
    search = searched(
        KMeans(n_init=3),
        {"n_clusters": [4, 5, 6]},
        resampling="subsample",
        n_resamples=5,
        null="box",
        X=five_blobs(),
    )
    truth = np.repeat(np.arange(5), 16)
    assert np.array_equal(search.consensus_matrix_, np.equal.outer(truth, truth))
    assert search.pac_[[0, 2]].tolist() == [0.0, 0.0]  # one cluster, five clusters
    assert (search.pac_[[1, 3]] > 0).all()
    null = search.result_.null_pac()
    assert null.shape == (19, 4)
    assert (null[:, 2] > 0).all()
    unfitted = StabilitySearch(KMeans(), GRID, random_state=0)
    assert not hasattr(unfitted, "pac_")
    assert not hasattr(unfitted, "consensus_matrix_")
    with pytest.raises(ValueError, match="^the labels of all samples must be kept"):
        _result([[0.5]]).pac()


# --------------------------------------------------------------------------- what goes in


def test_noise_is_treated_as_asked_for():
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.uniform(-1, 1, 30), rng.uniform(1.5, 3, 10)])[:, np.newaxis]
    grid = {"reach": [1.2]}
    index = get_index("rand_score")
    for noise in ("cluster", "drop", "singletons"):
        record = _Recorder()
        search = searched(
            Middle(), grid, index=index, resampling=record, n_resamples=3, noise=noise, X=x
        )
        assert search.result_.n_found.tolist() == [2]
        for number in range(3):
            sides = []
            for drawn in record.drawn[2 * number : 2 * number + 2]:
                nearest = drawn[np.argmin(np.abs(x - x[drawn].T), axis=1)]
                sides.append(Middle(1.2).fit(x[nearest]).labels_)
            table = ContingencyTable.from_labels(*sides, noise=noise)
            assert search.result_.values[0, number] == index(table)
    with pytest.raises(ValueError, match="^rule must choose .* no candidate finds more than one"):
        searched(Middle(), {"reach": [0.0]}, n_resamples=4, noise="drop", X=x)


def test_objects_with_missing_values_are_noise_of_hdbscan():
    rows = five_blobs()
    rows[::8, 0], rows[1::8, 1] = np.nan, np.inf
    options = {"resampling": "subsample", "n_resamples": 3, "X": rows}
    number, with_noise = (
        searched(HDBSCAN(copy=True), {"min_samples": [4]}, noise_label=label, **options)
        for label in (-1, 7)
    )
    assert number.result_.n_found[0] <= 6
    assert with_noise.result_.n_found[0] == number.result_.n_found[0] + 1


@pytest.mark.slow
def test_samples_with_too_few_distinct_objects_are_skipped_and_counted():
    rows = np.repeat(np.arange(4.0), 5)[:, np.newaxis]
    with pytest.warns(UserWarning, match=r"\d+ of 40 pairs of samples were skipped"):
        search = searched(KMeans(), {"n_clusters": [2, 4]}, n_resamples=40, sample_size=8, X=rows)
    result = search.result_
    assert result.n_skipped[0] < result.n_skipped[1] < 40
    assert np.isnan(result.values).sum(axis=1).tolist() == result.n_skipped.tolist()
    assert search.cv_results_["n_skipped"].tolist() == result.n_skipped.tolist()
    assert not np.isnan(result.mean).any()
    with pytest.raises(ValueError, match="^X must allow at least one of the pairs.* n_samples=20"):
        searched(KMeans(), {"n_clusters": [5]}, n_resamples=2, X=rows)


class _Fragile(Quantiles):
    def fit(self, X, y=None):
        if self.n_clusters == 3:
            msg = "three is too many"
            raise ValueError(msg)
        return super().fit(X)


def test_a_candidate_that_fails_is_last_or_ends_the_search():
    with pytest.warns(FitFailedWarning, match="3 of 6 comparisons .* three is too many .*n_clus"):
        search = searched(_Fragile(), GRID, n_resamples=3)
    assert search.best_params_ == {"n_clusters": 2}
    assert search.cv_results_["rank_test_score"].tolist() == [1, 2]
    assert np.isnan(search.cv_results_["mean_test_score"][1])
    with pytest.warns(FitFailedWarning):
        search = searched(_Fragile(), GRID, n_resamples=3, error_score=-1.0)
    assert search.result_.mean[1] == -1
    with pytest.raises(ValueError, match="^three is too many"):
        searched(_Fragile(), GRID, n_resamples=3, error_score="raise")
    with pytest.raises(ValueError, match="^all 3 comparisons of the search failed; .* three is"):
        searched(_Fragile(), {"n_clusters": [3]}, n_resamples=3)


def test_without_refit_there_are_results_only():
    search = searched(KMeans(), n_resamples=2, refit=False)
    assert search.best_params_ in search.cv_results_["params"]
    assert not hasattr(search, "labels_")
    with pytest.raises(NotFittedError):
        search.predict(X)
    with pytest.raises(NotFittedError):
        StabilitySearch(KMeans(), GRID, random_state=0).choose()


def test_the_best_clusterer_keeps_its_own_random_state():
    search = searched(KMeans(random_state=5), {"n_clusters": [4]}, n_resamples=2)
    own = KMeans(4, random_state=5).fit(X)
    assert np.array_equal(search.labels_, own.labels_)
    first, again = (
        searched(KMeans(init="random"), {"n_clusters": [6]}, n_resamples=2) for _ in range(2)
    )
    assert np.array_equal(first.labels_, again.labels_)
    assert isinstance(first.best_estimator_.random_state, int)


@pytest.mark.parametrize("scheme", ["thin-gaussian", "thin-poisson"])
def test_parts_of_values_agree_on_the_clusters_that_there_are(scheme):
    rng = np.random.default_rng(0)
    means = np.repeat([[2.0, 2.0, 20.0], [2.0, 20.0, 2.0]], 20, axis=0)
    X = rng.poisson(means) if scheme == "thin-poisson" else rng.normal(means)
    search = searched(KMeans(n_init=3), [2, 4], X=X, resampling=scheme, n_resamples=4)
    assert search.best_params_ == {"n_clusters": 2}
    assert search.result_.mean[0] == 1
