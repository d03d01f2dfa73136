"""Modularity, against its definition over all pairs of nodes and networkx."""

import itertools
import math
from fractions import Fraction

import networkx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import AgglomerativeClustering, SpectralClustering
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import GridSearchCV

from sklearn_clustcompare import (
    TransductiveSplit,
    get_index,
    index_curve,
    list_indices,
    make_clustering_scorer,
    permutation_test,
    score_candidates,
)
from sklearn_clustcompare.metrics import modularity_score

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


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        (np.ones((3, 2)), ValueError, r"^X must be square, the weights of edges .* got \(3, 2\)"),
        (np.eye(3) - 0.5, ValueError, "^X must hold weights of edges, .* got -0.5"),
        (np.tri(3), ValueError, "^X must be symmetric.*directed=True"),
        (sparse.csr_array(np.tri(3)), ValueError, "^X must be symmetric.*directed=True"),
        (np.full((3, 3), np.nan), ValueError, "X must be finite, got nan in row 0"),
        (networkx.path_graph(3), TypeError, "^X must be the matrix .* got Graph: pass networkx"),
        (np.zeros((3, 3)), ValueError, "^modularity_score is undefined: the graph has no edges"),
        (sparse.csr_array((3, 3)), ValueError, "^modularity_score is undefined: the graph has no"),
    ],
)
def test_what_is_no_graph_is_refused(X, error, message):
    with pytest.raises(error, match=message):
        modularity_score(X, [0, 1, 1])


def test_bad_arguments_are_named():
    X = np.ones((3, 3))
    with pytest.raises(ValueError, match="^resolution must be a non-negative finite number"):
        modularity_score(X, [0, 1, 1], resolution=-1)
    with pytest.raises(TypeError, match="^directed must be True or False, got 1"):
        modularity_score(X, [0, 1, 1], directed=1)
    with pytest.raises(ValueError, match="X and labels must have the same length, got 3 and 2"):
        modularity_score(X, [0, 1])
    with pytest.raises(ValueError, match="X and labels must have the same index"):
        modularity_score(pd.DataFrame(X, index=[2, 0, 1]), pd.Series([0, 0, 1]))


def test_a_graph_without_edges_ranks_last_and_distances_are_refused():
    with pytest.warns(UndefinedMetricWarning, match="modularity_score is undefined for 1 of 1"):
        found = score_candidates(None, [[0, 1]], indices="modularity_score", X=np.zeros((2, 2)))
    assert math.isnan(found.scores["modularity_score"][0])
    model = AgglomerativeClustering(2, metric="precomputed", linkage="average")
    distances = np.ones((3, 3)) - np.eye(3)
    with pytest.raises(ValueError, match="^modularity_score must be computed of the edges of"):
        make_clustering_scorer("modularity_score")(model.fit(distances), distances)
