"""Indices of the data and one partition, against loops over objects, and against printed values."""

import itertools
import json
import math
import pickle
import re
from fractions import Fraction
from unittest import mock

import networkx
import numpy as np
import pandas as pd
import pytest
import sklearn
import sklearn.metrics
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import pdist
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import AgglomerativeClustering, SpectralClustering
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import GridSearchCV

import sklearn_clustcompare
from sklearn_clustcompare import (
    ContingencyTable,
    TransductiveSplit,
    get_index,
    index_curve,
    list_indices,
    make_clustering_scorer,
    permutation_test,
    score_candidates,
    silhouette_score,
)
from sklearn_clustcompare.indices import INDICES, INTERNAL_INDICES, Index, _internal
from sklearn_clustcompare.metrics import (
    between_cluster_sum_of_squares,
    dunn_score,
    incidence_proximity_correlation,
    modularity_score,
    within_cluster_sum_of_squares,
    xie_beni_score,
)
from tests import _oracles as oracles
from tests._examples import FEW_EXAMPLES
from tests._files import DATA

PRINTED = json.loads((DATA / "without_a_reference.json").read_text(encoding="utf-8"))
SKLEARNS = ["silhouette_score", "calinski_harabasz_score", "davies_bouldin_score"]
OF_FEATURES = list_indices(needs_data=True, needs_graph=False)
# Those without a value for one cluster and for singletons.
OF_SEVERAL = sorted(
    set(OF_FEATURES) - {"within_cluster_sum_of_squares", "between_cluster_sum_of_squares"}
)


def function(name):
    return getattr(sklearn_clustcompare.metrics, name)


def scaled(data):
    return (data - data.mean(axis=0)) / data.std(axis=0, ddof=1)


IRIS, WINE = scaled(load_iris().data), scaled(load_wine().data)


@st.composite
def clustered(draw):
    """Points on a grid, so that distances tie, and labels of 2 to n - 1 clusters."""
    n_objects = draw(st.integers(3, 12))
    points = draw(
        st.lists(st.tuples(*[st.integers(-4, 4)] * 2), min_size=n_objects, max_size=n_objects)
    )
    labels = draw(st.lists(st.integers(0, 4), min_size=n_objects, max_size=n_objects))
    assume(2 <= len(set(labels)) < n_objects)
    return np.array(points, float), np.array(labels)


# --------------------------------------------------------------------------- printed values


def test_average_linkage_of_wine():
    printed = PRINTED["clValid_wine_scaled_average_linkage"]
    # The correlations were computed from their definition.
    correlations = [0.1388, 0.2327, 0.2929, 0.6724]
    rows = zip(printed["k"], printed["dunn"], printed["silhouette"], correlations, strict=True)
    for k, dunn, silhouette, correlation in rows:
        labels = AgglomerativeClustering(k, linkage="average").fit_predict(WINE)
        assert dunn_score(WINE, labels) == pytest.approx(dunn, abs=5e-5)
        assert silhouette_score(WINE, labels) == pytest.approx(silhouette, abs=5e-5)
        found = incidence_proximity_correlation(WINE, labels)
        assert found == pytest.approx(correlation, abs=5e-5)


# --------------------------------------------------------------------------- definitions


@given(clustered())
def test_correlation_is_that_over_all_pairs(case):
    X, labels = case
    if len(set(pdist(X, "sqeuclidean"))) == 1:
        with pytest.raises(ValueError, match="all distances are equal"):
            incidence_proximity_correlation(X, labels)
    else:
        expected = oracles.incidence_proximity_correlation(X, labels)
        found = incidence_proximity_correlation(X, labels)
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_correlations_without_each_object_are_those_of_the_others():
    X, labels = np.random.default_rng(0).normal(size=(12, 2)), np.arange(12) % 3
    expected = [
        incidence_proximity_correlation(np.delete(X, one, axis=0), np.delete(labels, one))
        for one in range(12)
    ]
    assert _internal.correlations_without_each(X, labels) == pytest.approx(expected, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("fewest", [2, 2**11])
@given(case=clustered())
def test_dunn_is_the_ratio_of_two_distances(fewest, case):
    X, labels = case
    separation, diameter = oracles.separation_and_diameter(X, labels)
    with mock.patch.object(_internal, "_FEWEST_IN_TREES", fewest):
        if diameter:
            assert dunn_score(X, labels) == pytest.approx(separation / diameter, rel=1e-12)
        elif separation:
            assert dunn_score(X, labels) == math.inf
        else:
            with pytest.raises(ValueError, match="zero divided by zero"):
                dunn_score(X, labels)


def _shapes(n_features, n_objects=600):
    """Return data and labels by what is hard for trees: ties, ends on a sphere, gaps, many."""
    rng = np.random.default_rng(n_features)
    X, halves = rng.normal(size=(n_objects, n_features)), np.arange(n_objects) % 2
    sphere = X / np.linalg.norm(X, axis=1, keepdims=True)
    lattice = rng.integers(0, 9, size=X.shape)
    many = rng.permutation(np.arange(n_objects) % 60)
    centers = rng.normal(size=(60, n_features))
    return {
        "random": (X, halves),
        "random, many": (X, many),
        "touching": (X + 2 * halves[:, np.newaxis], halves),
        "apart": (X + 20 * halves[:, np.newaxis], halves),
        "many, apart": (centers[many] + X / 1000, many),
        "spheres": (sphere * (1 + halves[:, np.newaxis]), halves),
        "half spheres": (sphere, (sphere[:, 0] > 0).astype(int)),
        "lattice": (lattice * 1.0, lattice[:, 0] // 3),
        "lattice of tenths": (lattice * 0.1, lattice[:, 0] // 3),
        "corners": (lattice % 2, many % 3),
        "line": (np.linspace(0, 1, n_objects)[:, np.newaxis] * np.ones(n_features), many // 30),
        "one apart": (X + 50 * (many[:, np.newaxis] == 3), (many == 3) * 1),
        "singletons": (X, np.r_[0, 0, range(1, n_objects - 1)]),
    }


@pytest.mark.slow
@pytest.mark.parametrize("n_features", [1, 2, 3, 8])
@pytest.mark.parametrize("shape", _shapes(1, 60))
def test_dunn_by_trees_has_all_digits_of_that_over_all_pairs(shape, n_features, monkeypatch):
    X, labels = _shapes(n_features)[shape]
    by_pairs = dunn_score(X, labels)
    monkeypatch.setattr(_internal, "_FEWEST_IN_TREES", 600)
    for name, side in (("_MOST_TIED", 5), ("_ASKED_AT_ONCE", 7), ("_NEIGHBORS", (2,))):
        assert dunn_score(X, labels) == by_pairs
        monkeypatch.setattr(_internal, name, side)
    assert dunn_score(X, labels) == by_pairs


def test_dunn_of_many_objects_visits_few_pairs(monkeypatch):
    X, labels = _shapes(3, 30_000)["touching"]
    seen = []
    monkeypatch.setattr(_internal, "warn_if_long", lambda what, *_: seen.append(what))
    dunn_score(X, labels)
    assert max(int(re.search(r"\d+", what).group()) for what in seen) < 3_000


@given(clustered())
def test_sums_of_squares_are_those_of_fractions_and_add_up(case):
    X, labels = case
    one_hot = (labels[:, np.newaxis] == np.unique(labels)).astype(float)
    _, within, between = oracles.fuzzy_scatter(X, one_hot)
    found = within_cluster_sum_of_squares(X, labels), between_cluster_sum_of_squares(X, labels)
    assert found == pytest.approx((float(sum(within)), float(sum(between))), rel=1e-12, abs=1e-12)
    assert sum(found) == pytest.approx(((X - X.mean(axis=0)) ** 2).sum(), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("as_sparse", [False, True])
def test_sums_of_memberships_are_those_of_fractions(as_sparse):
    rng = np.random.default_rng(0)
    for n_clusters in (2, 3, 5):
        X, memberships = rng.normal(size=(20, 3)), rng.dirichlet(np.ones(n_clusters), 20)
        _, within, between = oracles.fuzzy_scatter(X, memberships)
        given_as = sparse.csr_array(memberships) if as_sparse else memberships
        assert within_cluster_sum_of_squares(X, given_as) == pytest.approx(float(sum(within)))
        assert between_cluster_sum_of_squares(X, given_as) == pytest.approx(float(sum(between)))
        assert xie_beni_score(X, given_as) == pytest.approx(oracles.xie_beni(X, memberships))
        total = float(sum(within) + sum(between))
        assert total == pytest.approx(
            (memberships**2).sum(axis=1) @ ((X - X.mean(axis=0)) ** 2).sum(axis=1)
        )


def test_memberships_of_0_and_1_are_labels_and_empty_clusters_do_not_count():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(20, 3)), rng.integers(3, size=20)
    one_hot = np.eye(4)[labels]
    nearly = np.where(one_hot == 1, 1 - 1e-12, one_hot)  # an empty column, and no labels
    for name in list_indices(needs_data=True, soft=True, needs_graph=False):
        value = function(name)(X, labels)
        assert function(name)(X, one_hot) == value
        assert function(name)(X, nearly) == pytest.approx(value, rel=1e-9)


def test_possibilistic_memberships():
    X = np.arange(4.0)[:, np.newaxis]
    memberships = [[0.9, 0.3], [0.9, 0.3], [0.3, 0.9], [0.3, 0.9]]
    expected = oracles.xie_beni(X, memberships)
    assert xie_beni_score(X, memberships, possibilistic=True) == pytest.approx(expected)


# --------------------------------------------------------------------------- invariances


@FEW_EXAMPLES
@given(clustered(), st.permutations(range(5)))
def test_names_of_clusters_do_not_change_a_bit(case, names):
    X, labels = case
    for name in sorted(set(OF_FEATURES) - set(SKLEARNS)):
        values = []
        for given_as in (labels, np.array(names)[labels], [f"cluster {one}" for one in labels]):
            try:
                values.append(function(name)(X, given_as))
            except ValueError as error:
                values.append(str(error))
        assert values[0] == values[1] == values[2]


@pytest.mark.parametrize("name", sorted(set(OF_FEATURES) - set(SKLEARNS)))
def test_data_far_from_zero_lose_no_digits_beyond_their_own(name):
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(60, 3)), rng.integers(4, size=60)
    expected = function(name)(X, labels)
    assert function(name)(X + 1e6, labels) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize(
    "name", ["incidence_proximity_correlation", "dunn_score", "silhouette_score"]
)
def test_distances_may_be_given_sparse_named_or_precomputed_and_stay_as_they_are(name):
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(30, 3)), rng.integers(4, size=30)
    distances = sklearn.metrics.pairwise_distances(X, metric="cityblock")
    before = distances.copy()
    expected = pytest.approx(function(name)(X, labels, metric="cityblock"), rel=1e-12)
    assert function(name)(distances, labels, metric="precomputed") == expected
    np.testing.assert_array_equal(distances, before)
    named = pytest.approx(function(name)(X, labels), rel=1e-9)
    assert function(name)(sparse.csr_array(X), labels) == named
    assert function(name)(X, labels, metric=lambda a, b: np.linalg.norm(a - b)) == named


def test_chunks_do_not_change_the_value():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(400, 3)), rng.integers(4, size=400)
    for name in ("incidence_proximity_correlation", "dunn_score"):
        expected = function(name)(X, labels)
        with sklearn.config_context(working_memory=0.05):
            assert function(name)(X, labels) == pytest.approx(expected, rel=1e-13)


def test_silhouette_takes_what_scikit_learns_takes():
    keywords = {"sample_size": 60, "random_state": 3, "metric": "minkowski", "p": 3}
    labels = load_iris().target
    expected = sklearn.metrics.silhouette_score(IRIS, labels, **keywords)
    assert silhouette_score(IRIS, labels, **keywords) == expected


@pytest.mark.parametrize("name", SKLEARNS)
def test_scikit_learns_functions_with_any_labels(name):
    labels = load_iris().target
    expected = getattr(sklearn.metrics, name)(IRIS, labels)
    expected = pytest.approx(expected, rel=1e-13)
    assert function(name)(IRIS, labels) == expected
    assert function(name)(IRIS, [("cluster", label) for label in labels.tolist()]) == expected
    assert function(name)(pd.DataFrame(IRIS), pd.Series(labels)) == expected


# --------------------------------------------------------------------------- no value


@pytest.mark.parametrize("name", OF_SEVERAL)
@pytest.mark.parametrize("labels", [[0, 0, 0, 0], [0, 1, 2, 3], [0]])
def test_one_cluster_and_singletons_raise_what_scikit_learn_raises(name, labels):
    X = np.arange(len(labels), dtype=float)[:, np.newaxis] ** 2
    theirs = getattr(sklearn.metrics, name, sklearn.metrics.silhouette_score)
    with pytest.raises(ValueError, match="^Number of labels") as expected:
        theirs(X, labels)
    with pytest.raises(ValueError, match="^Number of labels") as raised:
        function(name)(X, labels)
    assert str(raised.value).startswith(str(expected.value))


def test_limits_of_quotients():
    same = [[0.0], [0.0], [1.0], [1.0]]
    assert dunn_score(same, [0, 0, 1, 1]) == math.inf
    assert xie_beni_score([[0.0], [2.0], [1.0], [1.0]], [0, 0, 1, 1]) == math.inf
    for name in ("dunn_score", "xie_beni_score", "incidence_proximity_correlation"):
        with pytest.raises(ValueError, match="undefined"):
            function(name)(np.zeros((4, 1)), [0, 0, 1, 1])
    with pytest.raises(ValueError, match="two clusters with members"):
        xie_beni_score(same, [[1 - 1e-12, 0.0]] * 4)


# --------------------------------------------------------------------------- the registry


def test_indices_of_the_data_are_listed_apart():
    assert list_indices(needs_data=True) == list(INTERNAL_INDICES)
    assert list_indices() == list_indices(needs_data=False) == list(INDICES)
    assert list_indices(needs_data=True, greater_is_better=False) == [
        "davies_bouldin_score",
        "within_cluster_sum_of_squares",
        "xie_beni_score",
    ]
    for index in INTERNAL_INDICES.values():
        assert get_index(index.name) is index
        assert pickle.loads(pickle.dumps(index)) == index
        assert index.needs_data
        assert index.properties()["needs_data"]
        assert index.source


@pytest.mark.parametrize("name", OF_FEATURES)
def test_an_index_of_the_data_is_called_with_data_and_labels(name):
    X, labels = IRIS, load_iris().target
    value = get_index(name)(X, labels)
    assert type(value) is float
    assert value == function(name)(X, labels)
    low, high = get_index(name).range
    assert low <= value <= high
    table = ContingencyTable.from_labels(labels, labels)
    with pytest.raises(TypeError, match=r"takes the data and one partition, \(X, labels\)"):
        get_index(name)(table)
    with pytest.raises(ValueError, match="X and labels must have the same length, got 150 and 3"):
        get_index(name)(X, [0, 1, 1])


def test_an_index_of_your_own():
    index = Index(
        "n_clusters",
        lambda X, labels: len(X) / (labels.max() + 1),
        greater_is_better=True,
        range=(0.0, math.inf),
        symmetric=False,
        soft=False,
        needs_data=True,
        source="here",
    )
    assert index([[1], [2], [3], [4]], ["x", "y", "y", "x"]) == 2.0
    assert index(["of", "any", "kind"], [7, 7, 7]) == 3.0
    with pytest.raises(ValueError, match=r"labels must be labels for n_clusters.*argmax"):
        index([[1], [2]], [[0.5, 0.5], [0.1, 0.9]])


# --------------------------------------------------------------------------- bad input


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_squared_distances_need_no_pairs(seed, form):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 5, 90)
    labels[:2] = 5, 6  # of one object each
    X = 1e5 + rng.normal(size=(90, 4)) + 2 * rng.normal(size=(7, 4))[labels]
    X[3:5] = X[5]
    D = ((X[:, np.newaxis] - X) ** 2).sum(axis=2)
    expected = sklearn.metrics.silhouette_score(D, labels, metric="precomputed")
    found = silhouette_score(form(X), labels, metric="sqeuclidean")
    assert found == pytest.approx(expected, abs=1e-9)
    drawn = np.random.RandomState(0).permutation(90)[:40]
    expected = sklearn.metrics.silhouette_score(
        D[drawn][:, drawn], labels[drawn], metric="precomputed"
    )
    options = {"sample_size": 40, "random_state": 0, "metric": "sqeuclidean"}
    assert silhouette_score(form(X), labels, **options) == pytest.approx(expected, abs=1e-9)


def test_squared_distances_at_the_end_of_a_block(monkeypatch):
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(50, 3)), rng.integers(0, 4, 50)
    whole = silhouette_score(X, labels, metric="sqeuclidean")
    for size in (1, 4 * 49, 4 * 50, 4 * 51):
        monkeypatch.setattr("sklearn_clustcompare.indices._internal._BLOCK_SIZE", size)
        assert silhouette_score(X, labels, metric="sqeuclidean") == pytest.approx(whole, rel=1e-13)


@pytest.mark.slow
def test_a_million_objects_by_squared_distances():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 10, 1_000_000)
    X = rng.normal(size=(len(labels), 4)) + 9 * rng.normal(size=(10, 4))[labels]
    few = rng.permutation(len(labels))[:2000]
    D = ((X[few, np.newaxis] - X[few]) ** 2).sum(axis=2)
    sampled = sklearn.metrics.silhouette_score(D, labels[few], metric="precomputed")
    assert silhouette_score(X, labels, metric="sqeuclidean") == pytest.approx(sampled, abs=0.02)


# --------------------------------------------------------------------------- modularity


FORMS = {
    "dense": lambda matrix: matrix,
    "csr": sparse.csr_array,
    "coo": sparse.coo_array,
    "csc matrix": sparse.csc_matrix,
    "list": np.ndarray.tolist,
}


def random_graph(rng, *, directed=False):
    """Return a graph with loops and weights, and labels of its nodes."""
    n_nodes = int(rng.integers(2, 20))
    graph = networkx.DiGraph() if directed else networkx.Graph()
    graph.add_nodes_from(range(n_nodes))
    for _ in range(int(rng.integers(1, 60))):
        graph.add_edge(*rng.integers(n_nodes, size=2).tolist(), weight=rng.random() + 0.01)
    return graph, rng.integers(int(rng.integers(1, n_nodes + 1)), size=n_nodes)


def communities(labels):
    return [set(np.flatnonzero(labels == one).tolist()) for one in np.unique(labels)]


@pytest.fixture(scope="module")
def karate():
    graph = networkx.karate_club_graph()
    split = [graph.nodes[node]["club"] for node in graph]
    return networkx.to_scipy_sparse_array(graph, weight=None), split


# --------------------------------------------------------------------------- definition


@pytest.mark.parametrize("directed", [False, True])
def test_modularity_is_that_of_networkx(directed):
    rng = np.random.default_rng(0)
    forms = itertools.cycle(FORMS.values())
    for resolution in [1.0, 0.0, 0.4, 3.0] * 10:
        graph, labels = random_graph(rng, directed=directed)
        expected = networkx.community.modularity(
            graph, communities(labels), weight="weight", resolution=resolution
        )
        X = next(forms)(networkx.to_numpy_array(graph))
        found = modularity_score(X, labels, resolution=resolution, directed=directed)
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)


def by_pairs_of_nodes(matrix, memberships, resolution):
    """Sum over all pairs of nodes, in fractions; a loop has two ends at its node."""
    n_nodes = len(matrix)
    ends = [
        [Fraction(float(matrix[i, j])) * (1 + (i == j)) for j in range(n_nodes)]
        for i in range(n_nodes)
    ]
    degrees = [sum(row) for row in ends]
    total = sum(degrees)
    together = [
        [sum(Fraction(u) * Fraction(v) for u, v in zip(*pair, strict=True)) for pair in row]
        for row in [[(one, other) for other in memberships] for one in memberships]
    ]
    return float(
        sum(
            (ends[i][j] - Fraction(resolution) * degrees[i] * degrees[j] / total) * together[i][j]
            for i in range(n_nodes)
            for j in range(n_nodes)
        )
        / total
    )


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_modularity_of_labels_and_memberships_is_a_sum_over_pairs_of_nodes(form):
    rng = np.random.default_rng(1)
    graph, labels = random_graph(rng)
    matrix = networkx.to_numpy_array(graph)
    one_hot = np.eye(labels.max() + 1)[labels]
    expected = by_pairs_of_nodes(matrix, one_hot.tolist(), 0.75)
    assert modularity_score(form(matrix), labels, resolution=0.75) == pytest.approx(expected)
    memberships = rng.dirichlet(np.ones(3), len(labels))
    expected = by_pairs_of_nodes(matrix, memberships.tolist(), 2)
    for soft in (memberships, sparse.csr_array(memberships)):
        found = modularity_score(form(matrix), soft, resolution=2)
        assert found == pytest.approx(expected, rel=1e-12)


def test_bounds_are_attained():
    # Two nodes and one edge, apart; and many components, each a community.
    edge = np.array([[0, 1], [1, 0]])
    assert modularity_score(edge, [0, 1]) == -0.5
    components = np.kron(np.eye(1000), edge)
    labels = np.arange(2000) // 2
    assert modularity_score(sparse.csr_array(components), labels) == pytest.approx(1 - 1e-3)
    low, high = get_index("modularity_score").range
    assert (low, high) == (-0.5, 1.0)


# --------------------------------------------------------------------------- invariances


def test_neither_names_nor_order_nor_units_matter():
    rng = np.random.default_rng(2)
    graph, labels = random_graph(rng)
    X = networkx.to_numpy_array(graph)
    value = modularity_score(X, labels)
    assert modularity_score(X, rng.permutation(20)[labels]) == value
    assert modularity_score(4 * X, labels) == value
    order = rng.permutation(len(labels))
    assert modularity_score(X[order][:, order], labels[order]) == pytest.approx(value, rel=1e-12)
    assert modularity_score(X, [f"community {one}" for one in labels]) == value
    assert modularity_score(sparse.csr_array(X), labels) == pytest.approx(value, rel=1e-12)
    # A symmetric matrix without loops is a directed graph with both edges.
    np.fill_diagonal(X, 0.0)
    assert modularity_score(X, labels, directed=True) == pytest.approx(modularity_score(X, labels))


def test_one_community_and_singletons_have_a_value(karate):
    graph, _ = karate
    assert modularity_score(graph, [0] * 34) == pytest.approx(0.0, abs=1e-15)
    degrees = graph.sum(axis=0) / graph.sum()
    assert modularity_score(graph, range(34)) == pytest.approx(-(degrees**2).sum())


# --------------------------------------------------------------------------- everywhere


class Louvain(ClusterMixin, BaseEstimator):
    """Communities of networkx; it takes the matrix of a graph, without a tag."""

    def __init__(self, resolution=1.0):
        self.resolution = resolution

    def fit(self, X, y=None):
        """Find the communities of a graph."""
        found = networkx.community.louvain_communities(
            networkx.from_scipy_sparse_array(sparse.csr_array(X)),
            resolution=self.resolution,
            seed=0,
        )
        self.labels_ = np.empty(X.shape[0], int)
        for number, nodes in enumerate(found):
            self.labels_[list(nodes)] = number
        return self


@pytest.mark.parametrize("form", [sparse.csr_array, lambda X: X.toarray()], ids=["csr", "dense"])
def test_a_search_over_resolutions_and_over_numbers_of_communities(karate, form):
    X = form(karate[0])
    options = {
        "scoring": make_clustering_scorer("modularity_score"),
        "cv": TransductiveSplit(),
        "error_score": "raise",
    }
    grid = {"resolution": [0.1, 1.0, 4.0]}
    found = GridSearchCV(Louvain(), grid, **options).fit(X)
    expected = [modularity_score(X, Louvain(one).fit(X).labels_) for one in grid["resolution"]]
    assert found.cv_results_["mean_test_score"].tolist() == expected
    assert found.best_params_ == {"resolution": 1.0}
    spectral = SpectralClustering(
        affinity="precomputed", random_state=0, assign_labels="cluster_qr"
    )
    found = GridSearchCV(spectral, {"n_clusters": [2, 3, 8]}, **options).fit(karate[0].toarray())
    assert 0.3 < found.best_score_ < 0.42


def test_candidates_and_permuted_labels_are_judged_by_a_graph(karate):
    X, split = karate
    candidates = {"split": split, "one": [0] * 34, "random": np.arange(34) % 3}
    scores = score_candidates(None, candidates, indices="modularity_score", X=X)
    expected = [modularity_score(X, one) for one in candidates.values()]
    assert scores.scores["modularity_score"].tolist() == expected
    assert scores.best() == "split"
    fine = score_candidates(None, candidates, indices="modularity_score", X=X, resolution=5)
    assert fine.scores["modularity_score"][0] == modularity_score(X, split, resolution=5)
    curve = index_curve(None, {2: split}, index="modularity_score", X=X)
    assert curve.values == expected[0]
    tested = permutation_test(None, split, index="modularity_score", X=X, n_resamples=19)
    assert (tested.statistic, tested.pvalue) == (expected[0], 1 / 20)
    assert get_index("modularity_score")(X, split) == expected[0]
    assert list_indices(needs_graph=True) == ["modularity_score"]


def test_noise_leaves_with_its_edges(karate):
    X, split = karate
    labels = np.array(split)
    labels[::5] = "noise"
    kept = labels != "noise"
    expected = modularity_score(X[kept][:, kept], labels[kept])
    for form in FORMS.values():
        given = form(X.toarray())
        found = score_candidates(
            None,
            [labels],
            indices="modularity_score",
            X=np.array(given) if isinstance(given, list) else given,
            noise="drop",
            noise_label="noise",
        )
        assert found.scores["modularity_score"] == pytest.approx(expected, rel=1e-12)


# --------------------------------------------------------------------------- errors


def test_a_graph_without_edges_ranks_last_and_distances_are_refused():
    with pytest.warns(UndefinedMetricWarning, match="modularity_score is undefined for 1 of 1"):
        found = score_candidates(None, [[0, 1]], indices="modularity_score", X=np.zeros((2, 2)))
    assert math.isnan(found.scores["modularity_score"][0])
    model = AgglomerativeClustering(2, metric="precomputed", linkage="average")
    distances = np.ones((3, 3)) - np.eye(3)
    with pytest.raises(ValueError, match="^modularity_score must be computed of the edges of"):
        make_clustering_scorer("modularity_score")(model.fit(distances), distances)
