"""The number of clusters by one rule, as a function and as an estimator."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn.base import clone
from sklearn.cluster import DBSCAN, HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_blobs,
    make_moons,
)
from sklearn.metrics import silhouette_score
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

from sklearn_clustcompare import NClustersSearch, choose_n_clusters, prediction_strength
from sklearn_clustcompare.without_reference import _verdict
from sklearn_clustcompare.without_reference._n_clusters import _are_far
from tests._examples import slow

CENTERS = [[5, 5], [13, 11], [3, 20], [22, 3], [24, 17]]
QUICK = {"n_null": 19, "n_resamples": 5}


def blobs(n_samples=100):
    return make_blobs(n_samples, centers=CENTERS, cluster_std=0.7, random_state=0)[0]


def one_cluster(n_samples=60):
    return np.random.default_rng(0).normal(size=(n_samples, 2))


@pytest.fixture(scope="module")
def of_blobs():
    return choose_n_clusters(KMeans(n_init=3), blobs(), param_range=range(3, 7), n_resamples=5)


def test_five_separated_blobs(of_blobs):
    assert (of_blobs.verdict.grade, of_blobs.n_clusters) == ("separated", 5)
    assert repr(of_blobs).splitlines()[0] == "NClustersChoice: 5 clusters, separated"
    assert "<table" in of_blobs._repr_html_()
    assert of_blobs.pvalue is None
    assert np.isnan(of_blobs.z).all()
    assert of_blobs.null_silhouettes == {}


def test_columns_are_the_evidence(of_blobs):
    frame = of_blobs.to_frame()
    names = ["n_clusters", "silhouette", "strength", "ratio", "z", "grade"]
    assert list(frame.columns) == names
    assert frame["n_clusters"].tolist() == [1, 3, 4, 5, 6]
    assert np.isnan(frame.loc[0, ["silhouette", "ratio"]].astype(float)).all()
    score = silhouette_score(blobs(), of_blobs.labels)
    assert frame.loc[3, "silhouette"] == pytest.approx(score)
    assert frame.loc[3, "grade"] == "separated"
    splits = prediction_strength(KMeans(n_init=3), blobs(), [5], n_resamples=5)
    assert frame.loc[3, "strength"] == pytest.approx(splits.mean[0])


def test_labels_and_estimator_are_those_of_the_number(of_blobs):
    X = blobs()
    assert of_blobs.estimator.n_clusters == 5
    np.testing.assert_array_equal(of_blobs.labels, of_blobs.estimator.labels_)
    np.testing.assert_array_equal(of_blobs.labels, of_blobs.estimator.predict(X))
    one = choose_n_clusters(KMeans(), one_cluster(), range(2, 4), **QUICK)
    assert (one.n_clusters, one.estimator.n_clusters) == (1, 1)
    assert one.labels.tolist() == [0] * 60


def test_structureless_data_are_drawn_where_nothing_is_separated():
    X = one_cluster()
    choice = choose_n_clusters(KMeans(), X, range(2, 4), n_resamples=5)
    assert choice.verdict.grade == "one"
    assert choice.null_silhouettes.keys() == {"copula", "elliptical", "pca"}
    assert choice.pvalue > 0.05
    assert np.isfinite(choice.z[1:]).all()
    assert {one.shape[1] for one in choice.null_silhouettes.values()} == {3}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("load", "scales", "numbers"),
    [
        (load_iris, True, {2, 3}),
        (load_wine, True, {3}),
        (load_breast_cancer, True, {2}),
        (load_digits, False, {8, 9, 10, 11, 12}),
    ],
)
def test_data_that_scikit_learn_ships(load, scales, numbers):
    X = load().data
    X = StandardScaler().fit_transform(X) if scales else X
    assert choose_n_clusters(KMeans(n_init=5), X).n_clusters in numbers


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["uniform", "moons"])
def test_data_without_round_clusters_are_not_separated(shape):
    X = np.random.default_rng(0).random((200, 3))
    if shape == "moons":
        X = make_moons(200, noise=0.06, random_state=0)[0]
    found = choose_n_clusters(KMeans(n_init=5), X)
    assert found.verdict.grade in ("one", "tentative")


@pytest.mark.parametrize("seed", [0, slow(1), slow(2)])
def test_two_groups_of_three_are_nested(seed):
    triangle = 6 * np.array([[0, 0], [1, 0], [0.5, 0.75**0.5]])
    X = make_blobs(120, centers=np.vstack([triangle, triangle + [30, 0]]), random_state=seed)[0]
    verdict = choose_n_clusters(KMeans(n_init=3), X, param_range=[2, 6], **QUICK).verdict
    assert (verdict.grade, verdict.n_clusters, verdict.finer) == ("separated", 2, (6,))


def items():
    rng = np.random.default_rng(0)
    prone = (rng.random((3, 20)) < 0.5)[np.repeat([0, 1, 2], 60)]
    return (rng.random(prone.shape) < np.where(prone, 0.9, 0.1)).astype(float)


AVERAGE = AgglomerativeClustering(metric="precomputed", linkage="average")
SEPARATED = {
    "digits 0 and 1": slow(KMeans(n_init=3), load_digits(n_class=2).data, None, 2),
    "yes and no": slow(KMeans(n_init=3), items(), None, 3),
    "copies": (
        *(AgglomerativeClustering(), np.repeat([[0.0, 0], [1, 0], [0, 1]], 25, axis=0)),
        *(range(2, 4), 3),
    ),
    "consensus": (AVERAGE, np.repeat(1 - np.eye(3), 15, 0).repeat(15, axis=1), range(2, 4), 3),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("estimator", "X", "param_range", "n_clusters"), SEPARATED.values(), ids=SEPARATED
)
def test_clusters_that_are_separated(estimator, X, param_range, n_clusters):
    choice = choose_n_clusters(estimator, X, param_range)
    assert (choice.n_clusters, choice.verdict.grade) == (n_clusters, "separated")


@pytest.mark.parametrize("far", [1e3, 1e6])
@pytest.mark.parametrize(
    "estimator",
    [
        KMeans(n_init=3),
        slow(AgglomerativeClustering()),
        AgglomerativeClustering(metric="precomputed", linkage="average"),
        slow(make_pipeline(StandardScaler(), KMeans(n_init=3))),
    ],
)
def test_a_few_objects_far_away_do_not_change_the_number(estimator, far):
    """A clusterer makes clusters of them alone before it divides the others."""
    X = np.concatenate([blobs(), [[far, 0], [far, far]]])
    given = squareform(pdist(X)) if getattr(estimator, "metric", "") == "precomputed" else X
    choice = choose_n_clusters(estimator, given, range(4, 7), n_resamples=5)
    assert (choice.n_clusters, choice.verdict.grade) == (5, "separated")
    assert len(np.unique(choice.labels[:100])) == 5 == len(np.unique(choice.labels))
    assert "Objects that were left out" in " ".join(choice.verdict.reasons)


@pytest.mark.parametrize(
    ("n_far", "n_others", "times", "n_left_out"),
    # Three times as far as others, of which there are nine for each; six are no outliers.
    [
        *[(1, 9, 4, 1), (1, 8, 4, 0), (1, 9, 2.5, 0), (2, 18, 4, 2), (2, 17, 4, 0)],
        *[(5, 60, 4, 5), (6, 90, 4, 0)],
    ],
)
def test_objects_are_far_at_three_times_the_distance(n_far, n_others, times, n_left_out):
    angles = 2 * np.pi * np.arange(n_others) / n_others
    far = np.repeat([[times, 0.0]], n_far, axis=0)
    X = np.concatenate([far, np.column_stack([np.cos(angles), np.sin(angles)])])
    assert np.flatnonzero(_are_far(KMeans(), "n_clusters", X, 0)).tolist() == [*range(n_left_out)]


@pytest.mark.slow
def test_the_range_goes_on_where_its_end_is_best():
    grid = 12 * np.array([[i, j] for i in range(4) for j in range(4)])
    X = make_blobs(240, centers=grid, random_state=0)[0]
    choice = choose_n_clusters(KMeans(n_init=10), X)
    assert (choice.n_clusters, choice.verdict.at_least) == (16, False)
    given = choose_n_clusters(KMeans(n_init=10), X, range(2, 11))
    assert given.verdict.at_least
    assert "clusters or more" in given.verdict.headline


@pytest.mark.parametrize(
    ("estimator", "name", "values", "found"),
    [
        (DBSCAN(), "eps", [0.1, 1, 2, 20], {0.1: 0, 2.0: 3, 20.0: 1}),
        (HDBSCAN(copy=True), "min_cluster_size", [5, 10], {5: 3, 10: 3}),
    ],
)
def test_the_number_found_stands_for_other_parameters(estimator, name, values, found):
    X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
    choice = choose_n_clusters(estimator, X, values, param_name=name, n_resamples=5)
    assert choice.n_clusters == 3
    columns = choice.columns()
    numbers = dict(zip(columns[name].tolist(), columns["n_clusters"].tolist(), strict=True))
    assert numbers.items() >= found.items()
    assert choice.estimator.get_params()[name] in values


def test_nothing_was_divided():
    X = blobs(40)
    choice = choose_n_clusters(DBSCAN(), X, [1e-3, 2e-3], param_name="eps")
    assert (choice.n_clusters, choice.verdict.grade) == (None, "nothing")
    assert choice.verdict.reasons[0] == "At these values nothing was clustered."
    assert choice.labels.tolist() == [0] * 40
    search = NClustersSearch(DBSCAN(), [1e-3, 2e-3], param_name="eps")
    with pytest.warns(UserWarning, match="X has no number of clusters: At these values nothing"):
        search.fit(X)
    assert (search.n_clusters_, search.best_estimator_, search.best_params_) == (None, None, {})
    few = choose_n_clusters(KMeans(n_init=1), blobs(8))
    assert (few.verdict.grade, few.n_clusters) == ("one", 1)
    assert "5 objects or fewer" in few.verdict.reasons[0]


@pytest.mark.slow
def test_parameters_of_pipelines_and_of_mixtures():
    X = blobs(100) * [1, 1000]
    pipeline = make_pipeline(StandardScaler(), KMeans(n_init=3))
    choice = choose_n_clusters(pipeline, X, [4, 5], n_resamples=5)
    assert (choice.param_name, choice.n_clusters) == ("kmeans__n_clusters", 5)
    mixture = GaussianMixture(covariance_type="spherical", n_init=3)
    choice = choose_n_clusters(mixture, blobs(), [4, 5], n_resamples=5)
    assert (choice.param_name, choice.n_clusters) == ("n_components", 5)


@pytest.mark.parametrize("linkage", ["average", slow("single"), slow("complete")])
def test_distances_give_what_objects_give(linkage):
    X = make_blobs(60, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)[0]
    clusterer = AgglomerativeClustering(metric="precomputed", linkage=linkage)
    options = {"param_range": [3, 4], "n_resamples": 5}
    choice = choose_n_clusters(clusterer, squareform(pdist(X)), **options)
    of_objects = choose_n_clusters(clone(clusterer).set_params(metric="euclidean"), X, **options)
    assert choice.verdict.headline == of_objects.verdict.headline == "3 clusters, separated"
    for name in ("silhouette", "strength", "ratio"):
        np.testing.assert_allclose(getattr(choice, name), getattr(of_objects, name), rtol=1e-9)


# --------------------------------------------------------------------------- structureless data


def test_laws_that_the_data_contradict_are_dropped():
    rng = np.random.default_rng(0)
    own = np.array([[0.5, 0.4]])
    fits, above = (mean + 0.02 * rng.normal(size=(39, 2)) for mean in ([0.3, 0.3], [0.8, 0.3]))
    apart = np.where(np.arange(39)[:, np.newaxis] < 5, fits, np.nan)
    test, _ = _verdict.NullTest.of(
        ["fits", "above", "apart"], own, [fits, above, apart], np.ones(2, bool)
    )
    assert (test.laws, test.dropped) == (("fits",), ("above", "apart"))
    expected = (own[0] - fits.mean(axis=0)) / (fits.std(axis=0, ddof=1) * (1 + 1 / 39) ** 0.5)
    np.testing.assert_allclose(test.z, expected)
    assert test.pvalue == pytest.approx(1 / 40 + 0.005)


@pytest.mark.parametrize(("n_sets", "raised"), [(19, 0), (21, 0), (22, 0.005), (39, 0.005)])
def test_the_pvalue_is_the_rank_among_sets_each_standardized_by_the_others(n_sets, raised):
    """The probability of dropping a law by chance is added where p could still be 0.05."""
    rng, can_be = np.random.default_rng(1), np.array([True, False, True])
    own, null = rng.normal(size=(1, 3)), rng.normal(size=(n_sets, 3))
    own[0, 1] = 9  # no such division can be chosen
    largest = [
        np.max(
            (one - rest.mean(axis=0))[can_be]
            / (rest.std(axis=0, ddof=1)[can_be] * np.sqrt(1 + 1 / len(rest)))
        )
        for one, rest in [(own[0], null)]
        + [(null[at], np.delete(null, at, axis=0)) for at in range(n_sets)]
    ]
    test, _ = _verdict.NullTest.of(["law"], own, [null], can_be)
    assert _verdict.NullTest.of(["law"], own, [null], ~can_be)[0].pvalue < 0.051
    assert _verdict.NullTest.of(["law"], own, [null], np.zeros(3, bool))[0].pvalue == 1
    assert test.pvalue == pytest.approx(np.mean(np.array(largest) >= largest[0]) + raised)


@pytest.mark.slow
def test_early_looks_decide_as_all_sets(monkeypatch):
    rng = np.random.default_rng(3)
    data = [rng.normal(size=(80, 2)), rng.exponential(size=(80, 3)), rng.random((80, 2))]
    data += [
        one + distance * np.eye(one.shape[1])[0] * (np.arange(80) % 2)[:, np.newaxis]
        for one, distance in zip(data, (3, 4, 1), strict=True)
    ]
    options = {"param_range": [2, 3, 4]}
    early = [choose_n_clusters(KMeans(n_init=3), X, **options) for X in data]
    monkeypatch.setattr(_verdict, "_LOOKS", ())
    for one, X in zip(early, data, strict=True):
        late = choose_n_clusters(KMeans(n_init=3), X, **options)
        assert (late.n_clusters, late.verdict.grade) == (one.n_clusters, one.verdict.grade)


def test_the_level_holds_for_means_of_parts():
    rng, of, can_be = np.random.default_rng(2), _verdict.NullTest.of, np.ones(4, bool)
    tests = [
        of(["law"], rng.normal(size=(5, 4)), [rng.normal(size=(39, 4))], can_be)[0]
        for _ in range(60)
    ]
    # Binomial with 60 draws at .05: above 9 with probability .0006.
    assert sum(one.pvalue <= 0.05 for one in tests) <= 9


# --------------------------------------------------------------------------- estimator


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:X has no number of clusters")  # in checks of a few objects
@pytest.mark.parametrize(
    ("estimator", "check"),
    # What parametrize_with_checks does, in a list, which newer versions of pytest ask for.
    list(
        estimator_checks_generator(
            NClustersSearch(KMeans(n_init=1), [2, 3], n_null=19, n_resamples=2), mark="xfail"
        )
    ),
)
def test_scikit_learn_takes_it(estimator, check):
    check(estimator)


def test_the_estimator_is_the_function(of_blobs):
    search = NClustersSearch(KMeans(n_init=3), range(3, 7), n_resamples=5, random_state=0)
    search.fit(blobs())
    assert repr(search.result_) == repr(of_blobs)
    assert (search.n_clusters_, search.best_params_) == (5, {"n_clusters": 5})
    assert search.verdict_ == of_blobs.verdict
    np.testing.assert_array_equal(search.predict(blobs()), search.labels_)
    assert not hasattr(NClustersSearch(AgglomerativeClustering()), "predict")


def test_it_is_a_step_of_a_pipeline():
    X = blobs() * [1, 1000]
    pipeline = make_pipeline(StandardScaler(), NClustersSearch(KMeans(n_init=3), [4, 5]))
    labels = clone(pipeline).fit_predict(X)
    assert len(np.unique(labels)) == 5


# --------------------------------------------------------------------------- errors


def test_equal_objects_are_one_cluster_or_nothing():
    same = choose_n_clusters(AgglomerativeClustering(), np.ones((24, 2)), [2, 3], n_resamples=2)
    assert same.n_clusters in (1, None)


def test_the_texts_of_the_estimator_are_those_of_the_function():
    for name in ("param_range : array-like", "n_subsamples : int, default=5"):
        texts = [one.__doc__.split(name)[1] for one in (choose_n_clusters, NClustersSearch)]
        first, second = (text.split(" : ")[0].split() for text in texts)
        assert first[:-1] == second[:-1]


@pytest.mark.slow
def test_what_single_criteria_say_is_said():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.uniform(-3, 3, 200), rng.normal(0, 0.4, 200)])
    verdict = choose_n_clusters(KMeans(n_init=3), X, [2, 3], n_null=19).verdict
    assert verdict.grade == "one"
    assert any("silhouette alone would say" in why for why in verdict.reasons)
