"""Consensus of weighted, partial and soft partitions, against definitions and full enumeration."""

import math
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn import config_context
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import (
    ContingencyTable,
    adjusted_rand_score,
    co_association_matrix,
    consensus_partition,
    get_index,
)
from sklearn_clustcompare.consensus import _co_association, _evidence, common_refinement
from sklearn_clustcompare.metrics import element_centric_similarities
from tests._examples import slow
from tests._laws import all_partitions
from tests.consensus.test_consensus import partitions

# Pairs, information, sums over cells, and none of these.
INDICES = [
    "adjusted_rand_score",
    "pair_jaccard_score",
    "variation_of_information_distance",
    "normalized_mutual_info_score",
    "element_centric_similarity_score",
    "van_dongen_distance",
]


def find(candidates, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return consensus_partition(candidates, random_state=0, **options)


def value(index, first, second):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return get_index(index)(ContingencyTable.from_labels(first, second))


# --------------------------------------------------------------------------- weights


@pytest.mark.parametrize(
    ("index", "largest"),
    [("adjusted_rand_score", 3), ("van_dongen_distance", 3), *(slow(one, 10) for one in INDICES)],
)
@settings(max_examples=5)
@given(data=st.data())
def test_a_weight_is_a_number_of_copies(index, largest, data):
    candidates = data.draw(partitions(st.integers(1, largest), st.integers(1, 3)))
    weights = data.draw(st.lists(st.integers(1, 3), min_size=3, max_size=3))[: len(candidates)]
    copies = [one for one, n in zip(candidates, weights, strict=True) for _ in range(n)]
    weighted, repeated = find(candidates, index=index, weights=weights), find(copies, index=index)
    np.testing.assert_array_equal(weighted.labels, repeated.labels)
    np.testing.assert_array_equal(weighted.history, repeated.history)
    np.testing.assert_array_equal(np.repeat(weighted.scores, weights), repeated.scores)
    np.testing.assert_array_equal(weighted.object_agreement, repeated.object_agreement)
    np.testing.assert_array_equal(weighted.memberships(), repeated.memberships())


@pytest.mark.slow
def test_a_heavy_partition_wins():
    candidates = [[0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1], [0, 1, 2, 2, 1, 0]]
    for heavy in range(3):
        weights = np.where(np.arange(3) == heavy, 10.0, 1.0)
        found = find(candidates, weights=weights)
        assert found.scores[heavy] == 1.0


# --------------------------------------------------------------------------- enumeration


def optimum(candidates, known, weights, index, bounds=(1, 99)):
    """Return the best average of all partitions, each candidate judged on its own objects."""
    best = -np.inf
    sign = 1 if get_index(index).greater_is_better else -1
    for labels in np.array(all_partitions(len(candidates[0]))):
        if bounds[0] <= labels.max() + 1 <= bounds[1]:
            scores = [
                value(index, one[own], labels[own])
                for one, own in zip(candidates, known, strict=True)
            ]
            best = max(best, sign * np.average(scores, weights=weights))
    return sign * best


@pytest.mark.parametrize(
    "index",
    [
        "adjusted_rand_score",
        "variation_of_information_distance",
        slow("van_dongen_distance"),
    ],
)
@pytest.mark.parametrize("n_times", [1, slow(4)])
@pytest.mark.parametrize("kind", ["weights", "missing", "fixed", "bounded"])
def test_consensus_is_the_optimum(index, kind, n_times):
    rng = np.random.default_rng(1)
    for _ in range(n_times):
        candidates = rng.integers(3, size=(4, 5))
        known, weights, bounds = np.ones((4, 5), bool), np.ones(4), (1, 99)
        options = {"n_clusters": (None, 99)}
        if kind == "weights":
            weights = options["weights"] = rng.integers(1, 5, size=4)
        elif kind == "missing":
            known[rng.integers(1, 4, size=2), rng.integers(5, size=2)] = False
            options["missing"] = "drop"
        elif kind == "fixed":
            bounds = (3, 3)
            options["n_clusters"] = 3
        else:
            bounds = options["n_clusters"] = (3, 4)
        found = find(np.where(known, candidates, np.nan), index=index, **options)
        expected = optimum(candidates, known, weights, index, bounds)
        assert found.score == pytest.approx(expected, abs=1e-12)


# --------------------------------------------------------------------------- number of clusters


@pytest.mark.parametrize("largest", [4, slow(9)])
@settings(max_examples=12)
@given(data=st.data(), n_clusters=st.integers(1, 3))
def test_number_of_clusters_is_kept(largest, data, n_clusters):
    candidates = data.draw(partitions(n_samples=st.integers(3, largest)))
    found = find(candidates, n_clusters=n_clusters)
    assert len(np.unique(found.labels)) == n_clusters
    found = find(candidates, n_clusters=(n_clusters, 3))
    assert n_clusters <= len(np.unique(found.labels)) <= 3
    assert len(np.unique(find(candidates, n_clusters=(None, 2)).labels)) <= 2
    assert len(np.unique(find(candidates, n_clusters=(2, None)).labels)) >= 2


@pytest.mark.parametrize("wrong", [0, 5, (3, 2), (1, 2, 3), 2.0, (5, None), "all"])
def test_impossible_numbers_of_clusters(wrong):
    with pytest.raises((TypeError, ValueError), match="^n_clusters must"):
        consensus_partition([[0, 0, 1, 1]], n_clusters=wrong)


# --------------------------------------------------------------------------- missing objects


def shards(rng):
    """Return five overlapping samples of separated clusters, clustered apart, and the whole."""
    centers = [[0, 0], [9, 0], [0, 9], [9, 9], [4, 20]]
    X, _ = make_blobs(500, centers=centers, cluster_std=0.8, random_state=0)
    order = rng.permutation(500)
    found = []
    for start in range(0, 500, 100):
        own = order[max(start - 25, 0) : start + 125]
        found.append(pd.Series(KMeans(5, n_init=5, random_state=0).fit_predict(X[own]), own))
    return KMeans(5, n_init=5, random_state=0).fit_predict(X), found


@pytest.mark.parametrize(
    "options",
    [
        slow({"index": "adjusted_rand_score"}),
        slow({"index": "variation_of_information_distance"}),
    ],
    ids=str,
)
def test_overlapping_shards_give_back_the_whole(options):
    whole, parts = shards(np.random.default_rng(0))
    found = find(parts, align=True, **options)
    labels = pd.Series(found.labels, found.objects).sort_index()
    assert labels.index.tolist() == list(range(500))
    assert adjusted_rand_score(whole, labels.to_numpy()) > 0.95
    assert found.to_frame()["label"].sort_index().equals(labels)


def test_objects_by_name_are_objects_with_missing_labels():
    by_name = [{"a": 0, "b": 0, "c": 1}, {"d": "x", "c": "x", "b": "y"}, {"a": 5, "d": 5}]
    series = [pd.Series(one) for one in by_name]
    frame = pd.DataFrame({k: one for k, one in enumerate(series)}, index=list("abcd"))
    expected = find(frame.to_numpy(object).T, missing="drop")
    for given_so in (by_name, series, dict(enumerate(by_name))):
        found = find(given_so, align=True)
        assert found.objects.tolist() == list("abcd")
        np.testing.assert_array_equal(found.labels, expected.labels)
        np.testing.assert_array_equal(found.scores, expected.scores)


def test_partitions_without_a_common_object():
    message = r"groups of partitions that share none: 'x' and 'z'; 'y'\. Whether a cluster"
    parts = {"x": {1: 0, 2: 1}, "y": {3: 0, 4: 0}, "z": {2: 0, 5: 1}}
    with pytest.raises(ValueError, match=message):
        consensus_partition(parts, align=True)
    with pytest.raises(ValueError, match="share none: 0; 1"):
        consensus_partition([[0, 0, -1, -1], [-1, -1, 0, 0]], noise="drop")
    with pytest.raises(ValueError, match="^partition 1 must have an object that is not left out"):
        consensus_partition([[0, 0], [-1, -1]], noise="drop")
    with pytest.raises(ValueError, match="partition 0 and partition 1 must have the same objects"):
        consensus_partition([{1: 0}, {2: 0}])


def test_noise_by_the_rule_of_the_package():
    candidates = np.array([[0, 0, 1, 1, -1, -1], [0, 0, 0, 1, 1, -1]])
    for noise in ("cluster", "singletons", "drop"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            found = find(candidates, noise=noise)
        known = found.labels >= 0
        assert known.tolist() == [True] * 5 + [noise != "drop"]
        expected = [
            get_index("adjusted_rand_score")(
                ContingencyTable.from_labels(one[known], found.labels[known], noise=noise)
            )
            for one in candidates
        ]
        np.testing.assert_allclose(found.scores, expected, rtol=1e-14)
    with pytest.warns(UserWarning, match="^1 of 6 objects are noise or missing in every"):
        consensus_partition(candidates, noise="drop")


# --------------------------------------------------------------------------- memberships


def test_crisp_memberships_are_labels():
    labels = np.array([[0, 0, 1, 1, 2], [0, 1, 1, 1, 0]])
    expected = find(labels)
    found = find([np.eye(3)[labels[0]], csr_array(np.eye(2)[labels[1]])])
    np.testing.assert_array_equal(found.labels, expected.labels)
    np.testing.assert_array_equal(found.history, expected.history)


def test_soft_partitions_with_the_same_equal_rows_are_two():
    candidates = [
        np.repeat([[0.9, 0.1], [0.2, 0.8]], 3, axis=0),
        np.repeat([[0.6, 0.4], [0.3, 0.7]], 3, axis=0),
        [0, 0, 0, 1, 1, 2],
    ]
    index = "normalized_mutual_info_score"
    found = find(candidates, index=index)
    expected = [
        get_index(index)(ContingencyTable.from_memberships(one, found.labels)) for one in candidates
    ]
    np.testing.assert_allclose(found.scores, expected, rtol=1e-12)


def test_memory_is_that_of_both_matrices_and_more_where_objects_are_missing(monkeypatch):
    asked = []
    monkeypatch.setattr(_co_association, "require_memory", lambda _, size, __: asked.append(size))
    found = co_association_matrix([[0, 0, 0, 1, 1, 1, 2], [0, 0, 0, 1, 1, 1, 1]])
    assert found.expand().nbytes + found.matrix.nbytes == asked[-1]
    labels = np.arange(40.0)
    co_association_matrix([labels, labels // 2])
    co_association_matrix([labels, np.where(labels == 3, np.nan, labels)], missing="drop")
    assert asked[-1] > asked[-2]


def test_products_in_blocks_are_those_of_all_rows(monkeypatch):
    rows = np.random.default_rng(0).random((7, 3)).round(1)
    monkeypatch.setattr(_evidence, "_MAX_DENSE", 0)
    monkeypatch.setattr(_evidence, "_ROWS_AT_ONCE", 2)
    np.testing.assert_allclose(_evidence._products(csr_array(rows)), rows @ rows.T, rtol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    "index",
    ["normalized_mutual_info_score", "van_dongen_distance", "frobenius_adjusted_rand_score"],
)
def test_no_move_improves_on_a_consensus_of_soft_partitions(index):
    rng = np.random.default_rng(2)
    truth = rng.integers(3, size=12)
    soft = [0.5 * np.eye(3)[truth] + 0.5 * rng.dirichlet(np.ones(3), size=12) for _ in range(3)]
    crisp = np.where(rng.random(12) < 0.3, 0, truth)

    def score(labels):
        record = get_index(index)
        tables = [
            ContingencyTable.from_memberships(one, labels, moments=True) for one in (*soft, crisp)
        ]
        return np.mean([record(table) for table in tables])

    found = find([*soft, crisp], index=index)
    sign = 1 if get_index(index).greater_is_better else -1
    assert found.score == pytest.approx(score(found.labels), rel=1e-12)
    for number in range(12):
        for target in range(found.labels.max() + 2):
            moved = found.labels.copy()
            moved[number] = target
            assert sign * score(moved) <= sign * found.score + 1e-11


@pytest.mark.parametrize(("n_objects", "n_most"), [(5, 2), slow(10, 4)])
@settings(max_examples=12)
@given(data=st.data())
def test_memberships_and_agreement_by_their_definitions(n_objects, n_most, data):
    candidates = data.draw(partitions(st.integers(1, n_objects), st.integers(1, n_most)))
    found = find(candidates, index="rand_score")
    soft = found.memberships()
    np.testing.assert_allclose(soft.sum(axis=1), 1, rtol=1e-12)
    for number in range(len(candidates[0])):
        shares = [
            np.mean(found.labels[np.array(one) == one[number]][:, np.newaxis] == found_clusters, 0)
            for one in candidates
            for found_clusters in [np.arange(found.labels.max() + 1)]
        ]
        np.testing.assert_allclose(soft[number], np.mean(shares, axis=0), atol=1e-12)
    by_object = [element_centric_similarities(one, found.labels) for one in candidates]
    np.testing.assert_allclose(found.object_agreement, np.mean(by_object, axis=0), rtol=1e-12)
    for cluster, agreement in enumerate(found.cluster_agreement):
        members = found.labels == cluster
        assert agreement == pytest.approx(found.object_agreement[members].mean())


# --------------------------------------------------------------------------- co-association


@settings(max_examples=12)
@given(candidates=partitions(), data=st.data())
def test_co_association_by_its_definition(candidates, data):
    weights = data.draw(st.lists(st.integers(1, 3), min_size=4, max_size=4))[: len(candidates)]
    found = co_association_matrix(candidates, weights=weights)
    expected = np.average(
        [np.equal.outer(one, one) for one in map(np.array, candidates)], axis=0, weights=weights
    )
    whole = found.expand()
    if isinstance(found.matrix, np.ndarray):
        assert np.count_nonzero(found.matrix) > found.matrix.size / 2
        assert (whole == expected.astype(np.float32)).all()
    else:
        assert found.matrix.nnz <= math.prod(found.matrix.shape) / 2
        assert found.matrix.indices.dtype == whole.indices.dtype == np.int32  # for clusterers
        np.testing.assert_allclose(whole.toarray(), expected, atol=1e-12)
    np.testing.assert_allclose(found.toarray(), expected, atol=1e-7)
    np.testing.assert_array_equal(np.asarray(found), found.toarray())
    np.testing.assert_array_equal(found.groups, common_refinement(*candidates))
    np.testing.assert_array_equal(found.sizes, np.bincount(found.groups))


def test_co_association_of_partial_partitions():
    found = co_association_matrix([[0, 0, 1, None], [0, 1, None, 1]], missing="drop")
    expected = [[1, 0.5, 0, 0], [0.5, 1, 0, 1], [0, 0, 1, 0], [0, 1, 0, 1]]
    np.testing.assert_allclose(found.expand().toarray(), expected)
    # No partition knows the last object, or the two before it together.
    found = co_association_matrix([[0, 0, 0, None, None], [0, 1, None, 0, None]], missing="drop")
    expected = np.zeros((5, 5))
    expected[:4, :4] = [[1, 0.5, 1, 1], [0.5, 1, 1, 0], [1, 1, 1, 0], [1, 0, 0, 1]]
    assert isinstance(found.matrix, np.ndarray)
    np.testing.assert_array_equal(found.expand(), expected)


@pytest.mark.parametrize("missing", [None, 1])
def test_dense_and_sparse_co_associations_agree(missing, monkeypatch):
    rng = np.random.default_rng(0)
    candidates = rng.integers(3, size=(7, 300)).astype(object)
    candidates[:, rng.random(300) < 0.3] = missing
    candidates[3, :50] = missing
    weights = np.arange(1, 8)
    dense = co_association_matrix(candidates, weights=weights, missing="drop")
    monkeypatch.setattr(_co_association, "_MAX_DENSE", 0)
    monkeypatch.setattr(_co_association, "_ENTRIES_SAMPLED", 1000)
    in_blocks = co_association_matrix(candidates, weights=weights, missing="drop")
    np.testing.assert_allclose(dense.matrix, in_blocks.matrix, rtol=1e-6)
    monkeypatch.setattr(_co_association, "_filled_share", lambda shares: 0.5)
    sparse = co_association_matrix(candidates, weights=weights, missing="drop")
    assert isinstance(dense.matrix, np.ndarray)
    np.testing.assert_allclose(dense.matrix, sparse.matrix.toarray(), rtol=1e-7)
    np.testing.assert_allclose(dense.expand(), sparse.expand().toarray(), rtol=1e-7)
    with config_context(working_memory=0.01), pytest.raises(MemoryError, match="of 300 objects"):
        dense.expand()


# --------------------------------------------------------------------------- the result


@pytest.mark.parametrize("find_one", [consensus_partition, co_association_matrix])
@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        *((wrong, ValueError) for wrong in ([1], [1, 0], [1, -1], [1, np.nan], [[1, 1]])),
        ([1e308, 1e308], ValueError),
        ([1e-40, 1.5], ValueError),
        ([1, 2 + 1j], TypeError),
        (["1", "2"], TypeError),
        ("12", TypeError),
        ({"a": 1, "b": 2}, TypeError),
    ],
)
def test_weights_that_are_no_positive_numbers_or_too_large(find_one, wrong, error):
    with pytest.raises(error, match="^weights must"):
        find_one([[0, 1], [0, 0]], weights=wrong)


@pytest.mark.slow
def test_result_shows_partitions_and_clusters():
    found = find({"first": [0, 0, 1], "second": [0, 1, 1]})
    text, html = repr(found), found._repr_html_()
    for part in ("3 objects", "first", "second", "cluster 0", "adjusted_rand_score"):
        assert part in text
        assert part in html
    many = find(np.random.default_rng(0).integers(15, size=(25, 20)), n_clusters=13, n_init=1)
    assert "... 5 more" in repr(many)
    assert "and 3 more clusters" in repr(many)
    again = pickle.loads(pickle.dumps(many))
    np.testing.assert_array_equal(again.memberships(), many.memberships())


@pytest.mark.processes
@pytest.mark.slow
def test_searches_do_not_depend_on_n_jobs():
    candidates = np.random.default_rng(5).integers(3, size=(5, 30))
    options = {"n_init": 6, "index": "normalized_mutual_info_score"}
    first, second = find(candidates, **options), find(candidates, n_jobs=2, **options)
    np.testing.assert_array_equal(first.labels, second.labels)
    np.testing.assert_array_equal(first.history, second.history)
