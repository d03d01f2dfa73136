"""Distances and similarities of pairs of objects: the same numbers as from the objects."""

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


def test_prediction_strength_is_that_of_the_objects(way):
    expected = prediction_strength(OF_X, X, [2, 3, 4], n_resamples=4)
    found = prediction_strength(*way, [2, 3, 4], n_resamples=4)
    assert len(np.unique(expected.values)) > 3
    np.testing.assert_allclose(found.values, expected.values, rtol=0, atol=1e-12)


@pytest.mark.parametrize("resampling", ["bootstrap", "subsample", "split"])
def test_stability_is_that_of_the_objects(resampling, way):
    options = {"resampling": resampling, "n_resamples": 4, "random_state": 0}
    expected = StabilitySearch(OF_X, [3, 4], **options).fit(X)
    found = StabilitySearch(way[0], [3, 4], **options).fit(way[1])
    assert len(np.unique(expected.result_.values)) > 2
    np.testing.assert_allclose(found.result_.values, expected.result_.values, rtol=0, atol=1e-12)
    assert np.array_equal(found.labels_, expected.labels_)


def test_stability_of_clusters_is_that_of_the_objects(way):
    estimator = clone(way[0]).set_params(**{main_parameter(way[0]): 4})
    expected = cluster_stability(clone(OF_X).set_params(n_clusters=4), X, n_resamples=5)
    found = cluster_stability(estimator, way[1], n_resamples=5)
    np.testing.assert_allclose(found.jaccard, expected.jaccard, rtol=0, atol=1e-12)
    assert np.array_equal(found.object_stability, expected.object_stability, equal_nan=True)


@pytest.mark.parametrize("power", [1, 2])
def test_dispersion_is_that_of_the_objects(power, way):
    options = {"param_range": [1, 2, 3, 4], "null": "box", "n_null": 2, "power": power}
    expected, found = gap_statistic(OF_X, X, **options), gap_statistic(*way, **options)
    np.testing.assert_allclose(found.log_dispersion, expected.log_dispersion, rtol=0, atol=1e-12)


@pytest.mark.parametrize("index", ["silhouette_score", "dunn_score"])
def test_the_statistic_is_that_of_the_objects(index, way):
    options = {"statistic": index, "null": "box", "n_null": 2}
    expected = structure_test(OF_X, X, [2, 3], **options)
    found = structure_test(*way, [2, 3], **options)
    np.testing.assert_allclose(found.values, expected.values, rtol=0, atol=1e-12)


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
    options = {"resampling": "subsample", "n_resamples": 4, "random_state": 0}
    with pytest.warns(UserWarning, match="at most one cluster have no stability"):
        search = StabilitySearch(Louvain(), grid, **options).fit(blocks)
    assert search.best_params_ == {"resolution": 1.0}
    assert np.array_equal(np.unique(search.labels_, return_counts=True)[1], [12] * 4)
    truth = np.repeat(np.arange(4), 12)
    together = np.equal.outer(search.labels_, search.labels_)
    assert np.array_equal(together, np.equal.outer(truth, truth))


@pytest.mark.slow
def test_bootstrap_samples_of_a_graph(blocks):
    dense, found = (
        StabilitySearch(Louvain(), {"resolution": [1.0]}, n_resamples=5, random_state=0).fit(one)
        for one in (blocks.toarray(), blocks)
    )
    # Ties between neighbors, whose edges all weigh 1, go to the first: a sixth are of other blocks.
    assert found.result_.mean > 0.5
    assert np.array_equal(dense.result_.values, found.result_.values)


@pytest.mark.parametrize("as_graph", [np.asarray, sparse.csr_matrix])
def test_spectral_clusters_of_affinities(as_graph):
    graph = as_graph(np.where(AFFINITY > 1e-9, AFFINITY, 0.0))
    spectral = SpectralClustering(affinity="precomputed")
    search = StabilitySearch(spectral, [2, 3], n_resamples=3, random_state=0).fit(graph)
    assert search.best_params_ == {"n_clusters": 3}
    assert prediction_strength(spectral, graph, [2, 3], n_resamples=3).choose() == 3


def test_an_affinity_of_predicting_clusterers_is_extended_by_the_nearest():
    near = AffinityPropagation(affinity="precomputed", preference=-50, random_state=0)
    found = cluster_stability(near, -(D**2), n_resamples=3)
    search = StabilitySearch(near, {"damping": [0.7]}, n_resamples=3, random_state=0).fit(-(D**2))
    assert len(found.sizes) == 3
    assert search.result_.mean == 1.0


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


def test_a_graph_of_neighbors_computed_by_a_pipeline():
    steps = [KNeighborsTransformer(mode="distance", n_neighbors=8), DBSCAN(metric="precomputed")]
    options = {"n_resamples": 3, "resampling": "subsample", "random_state": 0}
    grid = [1.0, 1.5]
    found = StabilitySearch(make_pipeline(*steps), {"dbscan__eps": grid}, **options).fit(X)
    expected = StabilitySearch(DBSCAN(), {"eps": grid}, **options).fit(X)
    assert np.array_equal(found.result_.values, expected.result_.values)


# --------------------------------------------------------------------------- density


@pytest.mark.parametrize("estimator", [HDBSCAN(), HDBSCAN(metric="precomputed")])
def test_distances_are_not_overwritten(estimator):
    rows = X if estimator.metric == "euclidean" else D.copy()
    search = StabilitySearch(
        estimator, [4, 6], resampling="subsample", n_resamples=3, random_state=0
    ).fit(rows)
    expected = StabilitySearch(
        HDBSCAN(), [4, 6], resampling="subsample", n_resamples=3, random_state=0
    ).fit(X)
    assert np.array_equal(search.result_.values, expected.result_.values)
    if rows is not X:
        assert np.array_equal(rows, D)


def test_dbscan_takes_distances():
    options = {"resampling": "subsample", "n_resamples": 3, "random_state": 0}
    grid = {"eps": [0.8, 1.5]}
    found = StabilitySearch(DBSCAN(metric="precomputed"), grid, **options).fit(D)
    expected = StabilitySearch(DBSCAN(), grid, **options).fit(X)
    assert np.array_equal(found.result_.values, expected.result_.values)


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


def test_a_tag_does_not_tell_what_is_near():
    options = {"n_resamples": 2, "refit": False, "random_state": 0}
    StabilitySearch(Tagged(), {}, resampling="subsample", **options).fit(D)
    with pytest.raises(ValueError, match="^extension='nearest' must know whether X holds dist"):
        StabilitySearch(Tagged(), {}, **options).fit(D)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (X, r"^X must be square, the distances between the objects, .* got shape \(36, 2\)"),
        (np.triu(D), "^X must be symmetric, as distances between the objects"),
        (-D, "^X must hold distances, which are not negative, got -"),
    ],
)
@pytest.mark.parametrize(
    "call",
    [
        lambda D: StabilitySearch(OF_D, [2], random_state=0).fit(D),
        lambda D: prediction_strength(OF_D, D, [2]),
        lambda D: cluster_stability(OF_D, D),
        lambda D: gap_statistic(OF_D, D, [2]),
        lambda D: choose_n_clusters(OF_D, D),
        lambda D: structure_test(OF_D, D, statistic="silhouette_score"),
    ],
)
def test_what_are_no_distances_is_refused(matrix, message, call):
    with pytest.raises(ValueError, match=message):
        call(matrix)


def test_what_needs_other_input_is_refused():
    spectral = SpectralClustering(3, affinity="precomputed")
    not_available = "^null must be a function .* test .* is available for .*, not for similarities"
    with pytest.raises(ValueError, match=not_available):
        StabilitySearch(spectral, [2], null="pca", random_state=0).fit(AFFINITY)
    with pytest.raises(ValueError, match=not_available):
        structure_test(spectral, AFFINITY, statistic=lambda A, labels: 1.0)
    graph = sparse.csr_array(np.where(D < 2, D, 0.0))
    with pytest.raises(ValueError, match="not for a sparse graph of distances; got 'pca'"):
        StabilitySearch(
            DBSCAN(metric="precomputed"), {"eps": [1.0]}, null="pca", random_state=0
        ).fit(graph)
    with pytest.raises(ValueError, match="^X must hold the distances of all pairs .* got similar"):
        choose_n_clusters(spectral, AFFINITY)
    with pytest.raises(ValueError, match="^X must hold the distances of all pairs .* got similar"):
        gap_statistic(spectral, AFFINITY, [2], null=lambda A, seed: A)
    with pytest.raises(ValueError, match="^silhouette_score must be computed of distances, got th"):
        structure_test(spectral, AFFINITY, statistic="silhouette_score")
    with pytest.raises(ValueError, match="^calinski_harabasz_score must be computed of features"):
        structure_test(OF_D, D, statistic="calinski_harabasz_score")
    with pytest.raises(TypeError, match="^resampling must not be 'jitter' for distances"):
        StabilitySearch(OF_D, [2], resampling="jitter", random_state=0).fit(D)
    with pytest.raises(ValueError, match="^extension must be 'nearest' or a classifier of precom"):
        prediction_strength(OF_D, D, [2], extension="nearest_centroid")
    with pytest.raises(ValueError, match="^extension must be 'nearest' or a classifier of precom"):
        prediction_strength(OF_D, D, [2], extension=KNeighborsClassifier())
    drawn = np.arange(20), D[:20, :20]
    with pytest.raises(ValueError, match="^resampling must return positions alone for distances"):
        StabilitySearch(
            OF_D, [2], resampling=lambda D, seed: drawn, error_score="raise", random_state=0
        ).fit(D)


def test_a_law_of_your_own_for_similarities():
    def shuffled(A, seed):
        order = np.random.default_rng(seed).permutation(len(A))
        drawn = np.triu(A, 1)[:, order]
        return np.eye(len(A)) + np.triu(drawn, 1) + np.triu(drawn, 1).T

    spectral = SpectralClustering(3, affinity="precomputed")
    options = {"statistic": lambda A, labels: A.shape[1], "n_null": 2}
    found = structure_test(spectral, AFFINITY, null=shuffled, **options)
    assert found.null_values.tolist() == [[36], [36]]
    with pytest.raises(ValueError, match="^X must be symmetric, as similarities between"):
        structure_test(spectral, AFFINITY, null=lambda A, seed: np.triu(A), **options)


def test_distances_that_are_not_those_of_points_have_no_test():
    rng = np.random.default_rng(0)
    odd = squareform(rng.uniform(1, 10, size=len(pdist(X))))
    with pytest.raises(ValueError, match="^X must hold distances that points have nearly"):
        structure_test(OF_D, odd, statistic="silhouette_score")
