"""Which clusters are clouds of their own."""

import math

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse import csr_matrix
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import make_blobs
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare import adjusted_rand_score, cluster_significance
from sklearn_clustcompare._partition import DEFAULT
from sklearn_clustcompare.without_reference._null_data import tail_pvalue
from sklearn_clustcompare.without_reference._resamples import Clustering
from sklearn_clustcompare.without_reference._structure import _clusters_of, explained, tree_of

RNG = np.random.default_rng(0)
CENTERS = np.array([[0, 0], [8, 0], [4, 7]])
BLOBS, TRUE = make_blobs([15, 20, 25], centers=CENTERS, random_state=0)
FAST = {"n_null": 19, "null": "gaussian"}


def partitions_of(merges, members):
    """Return the sets of clusters before each merge, and after the last one."""
    k = len(merges) + 1
    current = {frozenset([code]) for code in range(k)}
    found = [current]
    for number, pair in enumerate(merges.tolist()):
        current = current - {frozenset(members[one].tolist()) for one in pair}
        current |= {frozenset(members[k + number].tolist())}
        found.append(current)
    return found


def sets_of(labels):
    return {frozenset(np.flatnonzero(labels == one).tolist()) for one in np.unique(labels)}


# --------------------------------------------------------------------------- the tree


def test_merges_of_centers_are_wards():
    places, copies = RNG.normal(size=(12, 3)), RNG.integers(1, 6, size=12)
    codes = np.repeat(np.arange(12), copies)
    # SciPy joins the copies first.
    tree = linkage(places[codes], "ward")
    first = np.cumsum(copies) - copies
    found = partitions_of(*tree_of(places[codes], codes))
    for number, partition in enumerate(found):
        expected = fcluster(tree, 12 - number, "maxclust")[first]
        assert partition == sets_of(expected)


def test_one_cluster_has_no_merges():
    assert tree_of(BLOBS, np.zeros(60, int))[0].shape == (0, 2)


# --------------------------------------------------------------------------- the statistic


@pytest.mark.parametrize("form", [np.asarray, csr_matrix])
def test_ratio_is_that_of_all_pairs(form):
    X, codes = RNG.normal(3, 1, size=(20, 4)), RNG.integers(3, size=20)

    def squares(rows):
        return sum(np.sum((a - b) ** 2) for a in rows for b in rows) / (2 * len(rows))

    within = sum(squares(X[codes == one]) for one in range(3))
    found = explained(0, Clustering(None, codes, form(X)), {})
    assert found == pytest.approx(math.log(squares(X) / within))


def test_ratio_of_nothing_to_explain():
    codes = np.repeat([0, 1], 5)
    assert explained(0, Clustering(None, codes, np.ones((10, 2))), {}) == 0
    assert np.isfinite(explained(0, Clustering(None, codes, codes[:, np.newaxis]), {}))


@pytest.mark.slow
def test_tail_of_few_values_has_its_size():
    draws = RNG.normal(7, 3, size=(4000, 5))
    pvalues = np.array([tail_pvalue(row[0], row[1:]) for row in draws])
    for level in (0.01, 0.05, 0.5):
        error = math.sqrt(level * (1 - level) / len(draws))
        assert abs(np.mean(pvalues <= level) - level) < 4 * error


def test_values_that_do_not_vary_show_nothing():
    assert tail_pvalue(3.0, np.ones(19)) == 1.0


# --------------------------------------------------------------------------- what is found


D = squareform(pdist(BLOBS))
OF_PAIRS = AgglomerativeClustering(5, metric="precomputed", linkage="average")
GIVEN = {
    "k-means": (KMeans(6, n_init=3), BLOBS),
    "Ward": (AgglomerativeClustering(6), BLOBS),
    "average": (AgglomerativeClustering(None, distance_threshold=0, linkage="average"), BLOBS),
    "pipeline": (make_pipeline(StandardScaler(), AgglomerativeClustering(5)), BLOBS),
    "labels": (np.array(["b", "c", "a"])[TRUE], BLOBS),
    "distances": (OF_PAIRS, D),
    "labels and distances": (TRUE, D),
}


@pytest.mark.slow
@pytest.mark.parametrize(("estimator", "X"), GIVEN.values(), ids=GIVEN)
def test_parts_of_clusters_are_joined(estimator, X):
    found = cluster_significance(estimator, X, **FAST)
    assert found.n_clusters == 3
    assert adjusted_rand_score(TRUE, found.labels) == 1
    k = len(found.clusters)
    assert found.merges.shape == (k - 1, 2)
    assert found.sizes[:k].sum() == found.sizes[-1] == 60
    np.testing.assert_allclose(found.levels, 0.05 * (found.sizes - 1) / 59)


@pytest.mark.slow
def test_nodes_are_tested_from_the_top_down():
    found = cluster_significance(KMeans(6, n_init=3), BLOBS, **FAST)
    k = len(found.clusters)
    parent = {part: k + m for m, pair in enumerate(found.merges.tolist()) for part in pair}
    for node, reading in enumerate(found.readings[:-1]):
        is_reached = found.readings[parent[node]] == "more than one cluster"
        assert (reading == "inside one cluster") != is_reached
        is_tested = is_reached and found.sizes[node] >= 10
        assert np.isnan(found.pvalues[node]) != is_tested
        assert bool(found.nulls[node]) == is_tested
    assert found.readings[-1] == "more than one cluster"


def test_a_cluster_may_be_more_than_one_cloud():
    found = cluster_significance(TRUE > 0, BLOBS, **FAST)
    assert found.readings == ("one cluster", "more than one cluster", "more than one cluster")
    assert found.n_clusters == 2


@pytest.mark.slow
def test_levels_decide():
    labels = BLOBS[:20, 0] > np.median(BLOBS[:20, 0])
    X = RNG.normal(size=(20, 2))
    strict = cluster_significance(labels, X, **FAST, significance_level=0.01)
    assert strict.pvalues[-1] > strict.levels[-1] == 0.01
    assert strict.n_clusters == 1
    lenient = cluster_significance(labels, X, **FAST, significance_level=0.999)
    assert lenient.pvalues[-1] <= lenient.levels[-1] == 0.999
    assert lenient.n_clusters == 2


@pytest.mark.slow
def test_the_largest_pvalue_of_several_laws_counts():
    labels = TRUE > 0
    alone = {
        law: cluster_significance(labels, BLOBS, null=law, n_null=19).pvalues[-1]
        for law in ("gaussian", "pca")
    }
    both = cluster_significance(labels, BLOBS, null=list(alone), n_null=19)
    assert both.pvalues[-1] == max(alone.values())
    assert both.nulls[-1] == max(alone, key=alone.get)


def test_few_objects_are_not_tested():
    found = cluster_significance(np.repeat([0, 1], [4, 5]), RNG.normal(size=(9, 2)))
    assert found.readings == ("inside one cluster", "inside one cluster", "too small to test")
    assert found.n_clusters == 1
    # Nor are few distinct ones.
    found = cluster_significance([0] * 10 + [1] * 10, np.repeat(np.eye(4), 5, axis=0))
    assert found.readings[-1] == "too small to test"


def test_a_small_cluster_apart_is_kept():
    X = np.vstack([BLOBS[TRUE == 1], BLOBS[TRUE == 2], BLOBS[TRUE == 0][:5]])
    found = cluster_significance(np.repeat([0, 1, 2], [20, 25, 5]), X, **FAST)
    assert found.n_clusters == 3
    assert found.readings[2] == "too small to test"


@pytest.mark.slow
def test_noise_is_left_out():
    labels = np.where(np.arange(60) % 10 == 0, -1, TRUE)
    found = cluster_significance(labels, BLOBS, **FAST)
    without = cluster_significance(labels[labels >= 0], BLOBS[labels >= 0], **FAST)
    np.testing.assert_array_equal(found.labels, np.where(labels < 0, -1, found.labels))
    np.testing.assert_array_equal(found.labels[labels >= 0], without.labels)
    np.testing.assert_array_equal(found.pvalues, without.pvalues)
    assert len(found.clusters) == 3
    dense = cluster_significance(DBSCAN(eps=1.5), BLOBS, **FAST)
    assert dense.n_clusters == len(dense.clusters) == 3


@pytest.mark.parametrize("n_distinct", [5, 8, 12])
def test_copies_are_no_ends_of_columns(n_distinct):
    distinct = np.random.default_rng(0).normal(size=(n_distinct, 2))
    X = np.repeat(distinct, 100 // n_distinct + 1, axis=0)
    found = cluster_significance(np.arange(len(X)) % 2, X, n_null=19)
    assert found.readings[-1] == "one cluster"


@pytest.mark.slow
def test_sparse_data():
    groups = np.repeat([0, 1], 30)
    X = RNG.poisson(np.where(np.arange(8) // 4 == groups[:, np.newaxis], 3.0, 0.2))
    found = cluster_significance(groups, csr_matrix(X.astype(float)), n_null=19)
    assert found.n_clusters == 2
    assert found.nulls[-1] == "copula"
    one = csr_matrix(X[:30].astype(float))
    assert cluster_significance(np.arange(30) % 2, one, n_null=19).n_clusters == 1


@pytest.mark.slow
def test_own_law():
    def law(X, random_state):
        return np.random.default_rng(random_state).normal(size=X.shape)

    found = cluster_significance(TRUE, BLOBS, null=law, n_null=19)
    assert found.nulls[-1] == "law"

    def failing(X, random_state):
        raise RuntimeError

    with pytest.raises(RuntimeError) as caught:
        cluster_significance(TRUE, BLOBS, null=failing, n_null=19)
    assert "null='failing'" in caught.value.__notes__[0]


@pytest.mark.slow
def test_table_and_text():
    found = cluster_significance(KMeans(4, random_state=0), BLOBS, **FAST)
    frame = found.to_frame()
    assert frame.index.name == "node"
    assert frame["clusters"].iloc[-1] == (0, 1, 2, 3)
    assert frame["size"].tolist() == found.sizes.tolist()
    head, *lines = repr(found).splitlines()
    assert head == "ClusterSignificance: 3 clusters remain of 4"
    assert lines[-2] == "level of all tests together: 0.05, as far as null distributions fit"
    assert lines[-4].split()[:5] == ["6", "0", "1", "2", "3"]
    many = cluster_significance(np.arange(60) % 9, BLOBS, **FAST)
    assert "0 1 2 3 4 ... (9)" in repr(many)


def test_a_long_tail_is_no_cluster():
    # The nearest law with one mode draws the tail in; its data sets would be divided less.
    X = np.random.default_rng(29).lognormal(size=(100, 2))
    found = cluster_significance(KMeans(4, n_init=3, random_state=0), X, null="copula")
    assert found.n_clusters == 1
    assert found.pvalues[-1] > 0.2


class ThreeOfTwo(KMeans):
    """Finds two clusters, and a third one in rows that it was not fitted to."""

    def predict(self, X, sample_weight=None):
        labels = super().predict(X)
        labels[X[:, 1] > 4] = 2
        return labels


def test_rows_of_clusters_that_no_sample_has_are_seen_as_the_clusterer_sees_them():
    rng = np.random.default_rng(0)
    X = np.hstack([1e4 * rng.normal(size=(5004, 1)), rng.normal(size=(5004, 1)).clip(-3, 3)])
    X[-4:, 1] = 60
    pipeline = make_pipeline(StandardScaler(), ThreeOfTwo(2, n_init=1, random_state=0))
    points = _clusters_of(pipeline, X, 200, 5, 0, DEFAULT)[2]
    assert 1000 <= len(points) <= 1004
    assert points.std(axis=0).max() < 10
