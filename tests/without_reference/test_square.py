"""Distances and similarities of pairs of objects: the same numbers as from the objects."""

from functools import partial

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.base import BaseEstimator, ClusterMixin, TransformerMixin, clone
from sklearn.cluster import (
    DBSCAN,
    HDBSCAN,
    AffinityPropagation,
    AgglomerativeClustering,
    SpectralClustering,
)
from sklearn.neighbors import KNeighborsClassifier, KNeighborsTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from sklearn_clustcompare import (
    StabilitySearch,
    choose_n_clusters,
    cluster_stability,
    gap_statistic,
    prediction_strength,
    structure_test,
)
from sklearn_clustcompare._clusterers import main_parameter
from sklearn_clustcompare.without_reference._resamples import NearestOfPairs

pytestmark = pytest.mark.filterwarnings("ignore:The default value of .copy:FutureWarning")

_CENTERS = np.array([[0.0, 0.0], [5.0, 0.0], [0.0, 5.0]])
X = np.concatenate([one + np.random.default_rng(0).normal(size=(12, 2)) for one in _CENTERS])
D = cdist(X, X)
AFFINITY = np.exp(-(D**2))
OF_X = AgglomerativeClustering(linkage="average")
OF_D = AgglomerativeClustering(linkage="average", metric="precomputed")


class ToDistances(TransformerMixin, BaseEstimator):
    """Gives the distances to the objects that it was fitted to."""

    def fit(self, X, y=None):
        self.X_ = np.asarray(X)
        return self

    def transform(self, X):
        return cdist(X, self.X_)


WAYS = {
    "distances": (OF_D, D),
    "pipeline of one step": (make_pipeline(OF_D), D),
    "steps that keep distances": (make_pipeline(FunctionTransformer(), make_pipeline(OF_D)), D),
    "steps that compute distances": (make_pipeline(ToDistances(), OF_D), X),
}


@pytest.fixture(params=WAYS)
def way(request):
    return WAYS[request.param]


# --------------------------------------------------------------------------- the same numbers


def search(estimator, data, grid=(2,), **options):
    return StabilitySearch(estimator, grid, **{"random_state": 0, **options}).fit(data)


def of_search(estimator, data, resampling):
    found = search(estimator, data, [3, 4], resampling=resampling, n_resamples=4)
    return np.append(found.result_.values, found.labels_)


def of_clusters(estimator, data):
    four = clone(estimator).set_params(**{main_parameter(estimator): 4})
    found = cluster_stability(four, data, n_resamples=5)
    return np.append(found.jaccard, found.object_stability)


GAP = {"null": "box", "n_null": 2}
SAME = {
    "strength": lambda *given: prediction_strength(*given, [2, 3, 4], n_resamples=4).values,
    "clusters": of_clusters,
    "bootstrap": partial(of_search, resampling="bootstrap"),
    "subsample": partial(of_search, resampling="subsample"),
    "split": partial(of_search, resampling="split"),
    "sums of distances": lambda *given: (
        gap_statistic(*given, [1, 2, 3, 4], power=1, **GAP).log_dispersion
    ),
    "sums of squares": lambda *given: gap_statistic(*given, [1, 2, 3, 4], **GAP).log_dispersion,
    "silhouette": lambda *given: (
        structure_test(*given, [2, 3], statistic="silhouette_score", **GAP).values
    ),
    "dunn": lambda *given: structure_test(*given, [2, 3], statistic="dunn_score", **GAP).values,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SAME)
def test_results_are_those_of_the_objects(name, way):
    expected, found = SAME[name](OF_X, X), SAME[name](*way)
    assert len(np.unique(expected)) > 1
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_a_classifier_of_precomputed_distances_extends():
    options = {"n_resamples": 4, "random_state": 0}
    expected = prediction_strength(OF_X, X, [3, 4], extension=KNeighborsClassifier(3), **options)
    own = KNeighborsClassifier(3, metric="precomputed")
    found = prediction_strength(OF_D, D, [3, 4], extension=own, **options)
    np.testing.assert_allclose(found.values, expected.values, rtol=0, atol=1e-12)


# --------------------------------------------------------------------------- graphs


class Louvain(ClusterMixin, BaseEstimator):
    """Communities of the graph of an affinity matrix."""

    def __init__(self, resolution=1.0, affinity="precomputed", random_state=None):
        self.resolution = resolution
        self.affinity = affinity
        self.random_state = random_state

    def fit(self, X, y=None):
        nx = pytest.importorskip("networkx")
        graph = nx.from_scipy_sparse_array(sparse.csr_array(X))
        found = nx.community.louvain_communities(
            graph, resolution=self.resolution, seed=self.random_state
        )
        self.labels_ = np.empty(X.shape[0], int)
        for number, members in enumerate(found):
            self.labels_[list(members)] = number
        return self


@pytest.fixture(scope="module")
def blocks():
    nx = pytest.importorskip("networkx")
    graph = nx.planted_partition_graph(4, 12, 0.8, 0.05, seed=0)
    return nx.to_scipy_sparse_array(graph, dtype=float)


def test_communities_of_a_graph(blocks):
    grid = {"resolution": [0.1, 1.0, 6.0]}
    with pytest.warns(UserWarning, match="at most one cluster have no stability"):
        found = search(Louvain(), blocks, grid, resampling="subsample", n_resamples=4)
    assert found.best_params_ == {"resolution": 1.0}
    truth = np.repeat(np.arange(4), 12)
    together = np.equal.outer(found.labels_, found.labels_)
    assert np.array_equal(together, np.equal.outer(truth, truth))


def test_an_affinity_of_predicting_clusterers_is_extended_by_the_nearest():
    near = AffinityPropagation(affinity="precomputed", preference=-50, random_state=0)
    found = cluster_stability(near, -(D**2), n_resamples=3)
    assert len(found.sizes) == 3
    assert search(near, -(D**2), {"damping": [0.7]}, n_resamples=3).result_.mean == 1.0


@pytest.mark.parametrize("kind", ["distances", "similarities"])
def test_the_nearest_of_pairs(kind):
    rng = np.random.default_rng(1)
    pairs = np.where(rng.uniform(size=(30, 8)) < 0.3, rng.uniform(0.1, 1, size=(30, 8)), 0.0)
    labels = np.arange(8)
    found = NearestOfPairs(kind).fit(None, labels).predict(sparse.csr_array(pairs))
    for row, label in zip(pairs, found, strict=True):
        known = np.flatnonzero(row)
        if len(known) == 0:
            assert label == -1
        else:
            best = np.argmin if kind == "distances" else np.argmax
            assert label == known[best(row[known])]
    assert -1 in found
    dense = NearestOfPairs(kind).fit(None, labels).predict(pairs)
    if kind == "similarities":
        assert np.array_equal(dense, found)
    else:
        assert np.array_equal(dense, pairs.argmin(axis=1))


# --------------------------------------------------------------------------- density

SUBSAMPLES = {"resampling": "subsample", "n_resamples": 3}
OF_NEIGHBORS = KNeighborsTransformer(mode="distance", n_neighbors=8)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("estimator", "data", "prefix"),
    [
        (DBSCAN(metric="precomputed"), D, ""),
        (make_pipeline(OF_NEIGHBORS, DBSCAN(metric="precomputed")), X, "dbscan__"),
    ],
)
def test_dbscan_takes_distances_and_graphs_of_neighbors(estimator, data, prefix):
    found = search(estimator, data, {f"{prefix}eps": [1.0, 1.5]}, **SUBSAMPLES)
    expected = search(DBSCAN(), X, {"eps": [1.0, 1.5]}, **SUBSAMPLES)
    assert np.array_equal(found.result_.values, expected.result_.values)


@pytest.mark.parametrize("estimator", [HDBSCAN(), HDBSCAN(metric="precomputed")])
def test_distances_are_not_overwritten(estimator):
    rows = X if estimator.metric == "euclidean" else D.copy()
    found, expected = (
        search(one, data, [4, 6], **SUBSAMPLES) for one, data in ((estimator, rows), (HDBSCAN(), X))
    )
    assert np.array_equal(found.result_.values, expected.result_.values)
    assert rows is X or np.array_equal(rows, D)


# --------------------------------------------------------------------------- bad input


class Tagged(ClusterMixin, BaseEstimator):
    """Tells by a tag alone that its input is of pairs."""

    def fit(self, X, y=None):
        assert X.shape[0] == X.shape[1]
        self.labels_ = (np.asarray(X)[:, 0] > 3).astype(int)
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = True
        return tags


NO_DISTANCES = {
    r"X must be square, the distances between the objects, .* got shape \(36, 2\)": X,
    "X must be symmetric, as distances between the objects": np.triu(D),
    "X must hold distances, which are not negative, got -": -D,
}
OF_DISTANCES = {
    "search": lambda D: search(OF_D, D),
    "strength": lambda D: prediction_strength(OF_D, D, [2]),
    "stability": lambda D: cluster_stability(OF_D, D),
    "gap": lambda D: gap_statistic(OF_D, D, [2]),
    "number": lambda D: choose_n_clusters(OF_D, D),
    "structure": lambda D: structure_test(OF_D, D, statistic="silhouette_score"),
}


@pytest.mark.parametrize("message", NO_DISTANCES)
@pytest.mark.parametrize("name", OF_DISTANCES)
def test_what_are_no_distances_is_refused(message, name):
    with pytest.raises(ValueError, match=f"^{message}"):
        OF_DISTANCES[name](NO_DISTANCES[message])


SPECTRAL = SpectralClustering(3, affinity="precomputed")
GRAPH = sparse.csr_array(np.where(D < 2, D, 0.0))
ODD = squareform(np.random.default_rng(0).uniform(1, 10, size=len(pdist(X))))
NO_TEST = "null must be a function .* test .* is available for .*, not for"
ALL_PAIRS = "X must hold the distances of all pairs .* got similar"
REFUSED = [
    (f"{NO_TEST} similarities", lambda: search(SPECTRAL, AFFINITY, null="pca")),
    (
        f"{NO_TEST} similarities",
        lambda: structure_test(SPECTRAL, AFFINITY, statistic=lambda A, labels: 1.0),
    ),
    (
        f"{NO_TEST} a sparse graph of distances; got 'pca'",
        lambda: search(DBSCAN(metric="precomputed"), GRAPH, {"eps": [1.0]}, null="pca"),
    ),
    (ALL_PAIRS, lambda: choose_n_clusters(SPECTRAL, AFFINITY)),
    (ALL_PAIRS, lambda: gap_statistic(SPECTRAL, AFFINITY, [2], null=lambda A, seed: A)),
    (
        "silhouette_score must be computed of distances, got th",
        lambda: structure_test(SPECTRAL, AFFINITY, statistic="silhouette_score"),
    ),
    (
        "calinski_harabasz_score must be computed of features",
        lambda: structure_test(OF_D, D, statistic="calinski_harabasz_score"),
    ),
    *(
        (
            "extension must be 'nearest' or a classifier of precom",
            partial(prediction_strength, OF_D, D, [2], extension=one),
        )
        for one in ("nearest_centroid", KNeighborsClassifier())
    ),
    (
        "resampling must return a row for each position, and positions alone",
        lambda: search(
            OF_D, D, resampling=lambda D, seed: (np.arange(20), D[:20, :20]), error_score="raise"
        ),
    ),
    ("extension='nearest' must know whether X holds dist", lambda: search(Tagged(), D, {})),
    (
        "X must hold distances that points have nearly",
        lambda: structure_test(OF_D, ODD, statistic="silhouette_score"),
    ),
]


@pytest.mark.parametrize(("message", "call"), REFUSED)
def test_what_needs_other_input_is_refused(message, call):
    with pytest.raises((ValueError, TypeError), match=f"^{message}"):
        call()


def test_samples_of_tagged_pairs_share_their_objects():
    search(Tagged(), D, {}, resampling="subsample", n_resamples=2, refit=False)


def test_a_law_of_your_own_for_similarities():
    def shuffled(A, seed):
        order = np.random.default_rng(seed).permutation(len(A))
        drawn = np.triu(A, 1)[:, order]
        return np.eye(len(A)) + np.triu(drawn, 1) + np.triu(drawn, 1).T

    options = {"statistic": lambda A, labels: A.shape[1], "n_null": 2}
    found = structure_test(SPECTRAL, AFFINITY, null=shuffled, **options)
    assert found.null_values.tolist() == [[36], [36]]
    with pytest.raises(ValueError, match="^X must be symmetric, as similarities between"):
        structure_test(SPECTRAL, AFFINITY, null=lambda A, seed: np.triu(A), **options)
