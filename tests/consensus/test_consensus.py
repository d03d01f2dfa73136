"""Medoid, consensus and product of partitions, against definitions and full enumeration."""

import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning, UndefinedMetricWarning

from sklearn_clustcompare import (
    ContingencyTable,
    adjusted_rand_score,
    consensus_partition,
    get_index,
)
from sklearn_clustcompare.consensus import (
    co_association_matrix,
    common_coarsening,
    common_refinement,
    is_refinement,
    medoid_partition,
)
from sklearn_clustcompare.consensus._agreement import mean
from sklearn_clustcompare.consensus._evidence import Tree
from sklearn_clustcompare.consensus._search import _unions
from tests._examples import FEW_EXAMPLES, slow
from tests._laws import all_partitions

# Pair counting, information, sets; scores and distances; one that is not symmetric each.
INDICES = [
    "adjusted_rand_score",
    "pair_recall_score",
    "mirkin_distance",
    "variation_of_information_distance",
    "mutual_info_score",
    "purity_score",
    "van_dongen_distance",
]
# The search of one of pairs and of one that is not symmetric takes less time than of others.
SEARCHED = INDICES[:2] + [slow(index) for index in INDICES[2:]]
# Equal partitions, and these only, have the best value of these.
TELLING = [
    "adjusted_rand_score",
    "mirkin_distance",
    "variation_of_information_distance",
    "van_dongen_distance",
]
SIZES, FEW = st.integers(1, 10), st.integers(1, 4)


@st.composite
def partitions(draw, n_samples=SIZES, n_partitions=FEW):
    n = draw(n_samples)
    labels = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    m = draw(n_partitions)
    return draw(st.lists(labels, min_size=m, max_size=m))


def average(candidates, labels, index, **params):
    """Return the average index of labels with the candidates, each in turn the reference."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        values = [
            get_index(index)(ContingencyTable.from_labels(one, labels), **params)
            for one in candidates
        ]
    return sum(values) / len(values)


def is_no_worse(value, other, index, tolerance=1e-12):
    gain = value - other if get_index(index).greater_is_better else other - value
    return gain >= -tolerance * max(abs(value), abs(other), 1)


def same_partition(first, second):
    return np.array_equal(common_refinement(first), common_refinement(second))


# --------------------------------------------------------------------------- product


@given(partitions(n_partitions=st.integers(1, 3)))
def test_product_keeps_together_what_all_keep_together(candidates):
    number = {}
    expected = [number.setdefault(one, len(number)) for one in zip(*candidates, strict=True)]
    product = common_refinement(*candidates)
    assert (product.dtype, product.tolist()) == (np.int64, expected)
    assert common_refinement(["b", "a", "b", "b"], [1, 2, "1", 1]).tolist() == [0, 1, 2, 0]


def chained(candidates):
    """Return the set of the objects that chains of common clusters lead to, for each object."""
    n_samples = len(candidates[0])
    sets = [{k} for k in range(n_samples)]
    for labels in candidates:
        for first in range(n_samples):
            for second in range(n_samples):
                if labels[first] == labels[second] and sets[first] is not sets[second]:
                    merged = sets[first] | sets[second]
                    for member in merged:
                        sets[member] = merged
    return sets


@given(partitions(n_partitions=st.integers(1, 4)))
def test_join_keeps_together_what_chains_connect(candidates):
    join = common_coarsening(*candidates)
    for k, members in enumerate(chained(candidates)):
        assert set(np.flatnonzero(join == join[k]).tolist()) == members
    np.testing.assert_array_equal(join, common_refinement(join))  # numbered as they appear
    assert join.dtype == np.int64


def test_product_join_and_refinement_of_nothing():
    assert common_refinement([], []).tolist() == []
    assert common_coarsening([], []).tolist() == []
    assert is_refinement([], [])


@pytest.mark.parametrize("labels", all_partitions(4))
def test_refinement_by_its_definition(labels):
    for coarser in all_partitions(4):
        inside = all(
            {b for a, b in zip(labels, coarser, strict=True) if a == label} == {coarser[first]}
            for first, label in enumerate(labels)
        )
        assert is_refinement(labels, coarser) is inside


def test_refinement_names_what_is_wrong():
    with pytest.raises(ValueError, match="^finer and coarser must have the same length, got 1 and"):
        is_refinement([0], [0, 1])
    with pytest.raises(ValueError, match="^coarser must not contain NaN, got nan at position 1"):
        is_refinement([0, 0], [0.0, np.nan])


# --------------------------------------------------------------------------- medoid


@pytest.mark.slow
@pytest.mark.parametrize("index", INDICES)
@settings(max_examples=10)
@given(candidates=partitions(n_partitions=st.integers(2, 4)))
def test_medoid_has_the_best_average_with_the_others(index, candidates):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        medoid = medoid_partition(candidates, index=index)
    expected = [
        average(candidates[:k] + candidates[k + 1 :], one, index)
        for k, one in enumerate(candidates)
    ]
    np.testing.assert_allclose(medoid.averages, expected, rtol=1e-14, atol=1e-14)
    assert all(is_no_worse(medoid.score, value, index) for value in expected)
    assert medoid.labels == candidates[medoid.position]
    assert medoid.position == medoid.ties[0] == medoid.name
    best = [k for k, value in enumerate(expected) if is_no_worse(value, medoid.score, index)]
    assert medoid.ties == tuple(best)


def test_medoid_goes_by_the_name_of_its_column():
    frame = pd.DataFrame({"x": [0, 0, 1, 1], "y": [1, 1, 1, 0], "z": [0, 0, 1, 1]})
    medoid = medoid_partition(frame, index="variation_of_information_distance")
    assert (medoid.name, medoid.position, medoid.ties) == ("x", 0, (0, 2))
    pd.testing.assert_series_equal(medoid.labels, frame["x"])
    assert not medoid.averages.flags.writeable


def test_medoid_of_an_index_with_parameters():
    candidates = [[0, 0, 1, 1], [0, 0, 0, 1]]
    assert medoid_partition(candidates, index="mirkin_distance").score == 6.0
    assert medoid_partition(candidates, index="mirkin_distance", normalize=True).score == 6 / 16
    with pytest.raises(TypeError, match="normed"):
        medoid_partition(candidates, index="mirkin_distance", normed=True)


# --------------------------------------------------------------------------- consensus


@pytest.mark.parametrize(("n_objects", "n_most"), [(4, 2), slow(10, 4)])
@pytest.mark.parametrize("index", SEARCHED)
@settings(max_examples=15)
@given(data=st.data())
def test_consensus_is_never_worse_than_a_candidate(index, n_objects, n_most, data):
    candidates = data.draw(partitions(st.integers(1, n_objects), st.integers(1, n_most)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        consensus = consensus_partition(candidates, index=index, random_state=0)
    assert all(
        is_no_worse(consensus.score, average(candidates, one, index), index) for one in candidates
    )
    assert consensus.score == pytest.approx(average(candidates, consensus.labels, index), abs=1e-14)
    assert consensus.score == consensus.history[-1]
    assert len(consensus.history) == consensus.n_iter + 1
    gains = np.diff(consensus.history)
    assert (gains > 0 if get_index(index).greater_is_better else gains < 0).all()
    np.testing.assert_array_equal(consensus.labels, common_refinement(consensus.labels))


@pytest.mark.slow
@pytest.mark.parametrize("index", TELLING)
@FEW_EXAMPLES
@given(candidates=partitions(n_partitions=st.just(1)), n_copies=st.integers(1, 4))
def test_consensus_of_one_opinion_is_that_opinion(index, candidates, n_copies):
    consensus = consensus_partition(candidates * n_copies, index=index)
    assert same_partition(consensus.labels, candidates[0])
    assert consensus.score == (1.0 if get_index(index).greater_is_better else 0.0)
    assert consensus.n_iter == 0


@pytest.mark.parametrize(
    ("index", "share", "most"),
    [
        ("adjusted_rand_score", 0.5, 0.35),
        ("normalized_mutual_info_score", 0.2, 0.75),
        ("variation_of_information_distance", 0.2, 0.75),
    ],
)
def test_consensus_recovers_what_every_partition_blurs(index, share, most):
    truth, candidates = blurred(share)
    consensus = consensus_partition(candidates, index=index, random_state=0)
    assert max(adjusted_rand_score(truth, one) for one in candidates) < most
    assert adjusted_rand_score(truth, consensus.labels) > 0.97
    assert is_no_worse(consensus.score, average(candidates, truth, index), index)


@pytest.mark.slow
def test_information_prefers_one_cluster_to_partitions_that_hardly_agree():
    index = "variation_of_information_distance"
    truth, candidates = blurred(0.3)
    consensus = consensus_partition(candidates, index=index, random_state=0)
    assert consensus.labels.max() == 0
    assert consensus.score < average(candidates, truth, index)


def blurred(share):
    """Return five clusters, and 25 copies in which a share of the objects is anywhere."""
    rng = np.random.default_rng(0)
    truth = rng.integers(5, size=400)
    noise = rng.integers(5, size=(25, 400))
    return truth, np.where(rng.random((25, 400)) < share, noise, truth)


def test_a_tree_is_cut_as_it_was_merged():
    tree = Tree(np.array([3, 0, 1, 2, 0]), np.array([[0, 1], [2, 3], [0, 2]]), np.arange(3.0))
    cuts = [[0] * 5, [0, 1, 1, 0, 1], [0, 1, 1, 2, 1], [0, 1, 2, 3, 1]]
    assert [tree.cut(n_clusters).tolist() for n_clusters in range(1, 5)] == cuts


def test_a_mean_of_counted_values_is_that_of_copies():
    values, counts = np.random.default_rng(0).random(50), np.arange(1, 51)
    assert mean(values, counts.astype(float)) == mean(np.repeat(values, counts))
    assert mean(np.array([np.inf, 1.0]), np.array([9.0, 1.0])) == np.inf


@pytest.mark.slow
def test_consensus_where_a_tree_would_be_too_large(monkeypatch):
    monkeypatch.setattr("sklearn_clustcompare.consensus._evidence._MAX_GROUPS", 50)
    rng = np.random.default_rng(2)
    truth = rng.integers(3, size=300)
    candidates = np.where(rng.random((9, 300)) < 0.2, rng.integers(3, size=(9, 300)), truth)
    consensus = consensus_partition(candidates, index="matching_accuracy_score")
    assert adjusted_rand_score(truth, consensus.labels) > 0.85


def test_consensus_takes_labels_of_any_kind_and_form():
    rows = [[0, 0, 1, 1, 2], [0, 0, 0, 1, 1], [5, 5, 7, 7, 7]]
    expected = consensus_partition(rows)
    mixed = {
        "numbers": pd.Series(rows[0], index=list("vwxyz")),
        "strings": np.array(list("ppprr")),
        3: pd.Categorical([("a",), ("a",), "b", "b", "b"]),
    }
    forms = [np.array(rows), pd.DataFrame(rows).T, iter(rows), mixed, list(mixed.values())]
    for form in forms:
        found = consensus_partition(form)
        np.testing.assert_array_equal(found.labels, expected.labels)
        np.testing.assert_array_equal(found.scores, expected.scores)
    assert expected.labels.dtype == np.int64
    for array in (expected.labels, expected.scores, expected.history):
        assert not array.flags.writeable


@pytest.mark.parametrize(
    "options",
    [
        {"index": "adjusted_rand_score"},
        slow({"index": "variation_of_information_distance", "n_clusters": 3}),
    ],
    ids=str,
)
@pytest.mark.parametrize("largest", [4, slow(6)])
@settings(max_examples=10)
@given(data=st.data())
def test_reordered_objects_reorder_the_consensus(options, largest, data):
    candidates = np.array(data.draw(partitions(n_samples=st.integers(3, largest))))
    order = data.draw(st.permutations(range(candidates.shape[1])))
    reordered = candidates[:, order]
    expected = consensus_partition(candidates, random_state=0, **options)
    found = consensus_partition(reordered, random_state=0, **options)
    assert found.history[-1] == expected.history[-1]  # from other starts in other rounds
    np.testing.assert_array_equal(found.scores, expected.scores)
    # Objects that can be exchanged without a change of any partition are in either order.
    exchanges = map(list, itertools.permutations(range(len(order))))
    assert any(
        same_partition(found.labels[exchange], expected.labels[order])
        and all(same_partition(one[exchange], one) for one in reordered)
        for exchange in exchanges
    )


@pytest.mark.slow
def test_consensus_may_separate_equal_objects_of_a_few():
    candidates = [[0, 0, 1, 1, 0, 0, 1], [0, 0, 0, 1, 1, 1, 0]]
    consensus = consensus_partition(candidates, index="panoptic_quality_score", random_state=0)
    averages = [average(candidates, one, "panoptic_quality_score") for one in all_partitions(7)]
    assert consensus.score == pytest.approx(max(averages))
    assert not is_refinement(common_refinement(*candidates), consensus.labels)


@pytest.mark.parametrize("index", ["rand_score", "purity_score"])
def test_no_objects_are_in_no_clusters(index):
    found = consensus_partition([[], []], index=index)
    assert found.labels.tolist() == []
    assert found.score == 1.0


def test_neighbors_of_a_partition_have_two_clusters_united_or_one_divided():
    found = [
        np.unique(one, return_inverse=True)[1].tolist() for one in _unions(np.array([0, 0, 1]))
    ]
    assert sorted(found) == [[0, 0, 0], [0, 0, 1], [1, 2, 0]]


@pytest.mark.slow
def test_consensus_may_dissolve_a_cluster():
    # From the first partition no move of a cell and no union is better, but single cells are.
    candidates = [*2 * [[1, 0, 1, 0, 0, 1, 0]], [0, 1, 1, 1, 0, 1, 0]]
    index, best = "standardized_mutual_info_score", [0, 1, 2, 1, 1, 3, 1]
    consensus = consensus_partition(candidates, index=index, n_clusters=(None, 7), random_state=0)
    assert consensus.score == pytest.approx(average(candidates, best, index))
    assert consensus.score > average(candidates, candidates[0], index) + 0.6


@pytest.mark.parametrize("index", ["adjusted_rand_score", slow("van_dongen_distance")])
@pytest.mark.parametrize("n_samples", [5, slow(25)])
def test_names_of_clusters_do_not_matter(index, n_samples):
    rng = np.random.default_rng(3)
    candidates = rng.integers(3, size=(4, n_samples))
    renamed = 17 - 3 * candidates
    first = consensus_partition(candidates, index=index, random_state=0)
    second = consensus_partition(renamed, index=index, random_state=0)
    np.testing.assert_array_equal(first.labels, second.labels)
    np.testing.assert_array_equal(first.history, second.history)


@pytest.mark.parametrize("n_samples", [5, slow(80)])
@pytest.mark.parametrize("make", [int, np.random.RandomState, np.random.default_rng])
def test_consensus_is_the_same_for_the_same_random_state(make, n_samples):
    candidates = np.random.default_rng(4).integers(3, size=(5, n_samples))
    first, second = (consensus_partition(candidates, random_state=make(7)) for _ in range(2))
    np.testing.assert_array_equal(first.labels, second.labels)
    np.testing.assert_array_equal(first.history, second.history)


def test_consensus_tells_when_it_has_to_stop():
    # It takes several rounds with the kernels compiled and in NumPy.
    candidates = np.random.default_rng(21).integers(5, size=(5, 30))
    options = {"index": "adjusted_mutual_info_score", "random_state": 0, "n_init": 1}
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        full = consensus_partition(candidates, **options)
    assert full.n_iter > 1
    with pytest.warns(ConvergenceWarning, match="max_iter=1 rounds"):
        stopped = consensus_partition(candidates, max_iter=1, **options)
    np.testing.assert_array_equal(stopped.history, full.history[:2])


def test_consensus_counts_objects_not_kinds_of_objects():
    few = np.array([[0, 0, 1, 1, 2], [0, 1, 1, 1, 0], [0, 0, 0, 1, 1]])
    repeats = [4, 1, 3, 2, 5]
    many = np.repeat(few, repeats, axis=1)
    consensus = consensus_partition(many)
    for one in all_partitions(5):
        trial = np.repeat(one, repeats)
        assert is_no_worse(
            consensus.score, average(many, trial, "adjusted_rand_score"), "rand_score"
        )


@pytest.mark.parametrize("function", [medoid_partition, consensus_partition])
@pytest.mark.parametrize("index", ["adjusted_rand_score", "mutual_info_score"])
def test_one_partition(function, index):
    labels = ["a", "b", "b", "c"]
    result = function([labels], index=index)
    assert same_partition(result.labels, labels)
    assert result.score == average([labels], labels, index)


@pytest.mark.parametrize("function", [medoid_partition, consensus_partition])
@pytest.mark.parametrize(
    ("candidates", "error", "message"),
    [
        ([], ValueError, "partitions must hold at least one partition, got none"),
        ([0, 1], (TypeError, ValueError), "partition 0 must be a 1-D array"),
        (np.array([0, 1]), ValueError, "partitions must be a 2-D array"),
        ("aabb", TypeError, "partitions must be several partitions"),
        ([[0, 1], [0, 1, 1]], ValueError, "partition 1"),
        ([[0, 1], [0, 1], [0.0, np.nan]], ValueError, "partition 2 must not contain NaN, got nan"),
        ({"x": [0, 1], "y": [None, 1]}, ValueError, r"partition 1 \('y'\) must not .* got None"),
    ],
    ids=["none", "numbers", "1-D", "text", "lengths", "NaN", "None"],
)
def test_errors_name_the_partition(function, candidates, error, message):
    with pytest.raises(error, match=message):
        function(candidates)


@pytest.mark.parametrize("function", [common_refinement, common_coarsening])
def test_product_and_join_take_at_least_one_partition(function):
    with pytest.raises(ValueError, match="^partitions must hold at least one partition, got none"):
        function()
    with pytest.raises(ValueError, match="^partition 0 and partition 1 must have the same length"):
        function([0, 1], [0])


@pytest.mark.parametrize("wrong", [{"max_iter": 0}, {"max_iter": 2.0}, {"beta": 1}])
def test_consensus_names_a_wrong_parameter(wrong):
    with pytest.raises((TypeError, ValueError), match=next(iter(wrong))):
        consensus_partition([[0, 1], [0, 0]], **wrong)


@pytest.mark.parametrize("options", [{"align": True}, {"unmatched": "drop"}])
def test_objects_that_an_index_counts_are_not_left_out(options):
    with pytest.raises(ValueError, match="^objects must not be left out with 'partial_part"):
        consensus_partition([{0: 1, 1: 0}, {0: 1}], index="partial_partition_distance", **options)


@pytest.mark.parametrize("function", [consensus_partition, co_association_matrix])
def test_align_is_true_or_false(function):
    with pytest.raises(TypeError, match="^align must be True or False, got 1"):
        function([[0, 1]], align=1)


def test_consensus_of_an_unknown_index():
    with pytest.raises(ValueError, match="did you mean"):
        consensus_partition([[0, 1]], index="adjusted_rnd")


# --------------------------------------------------------------------------- ids of objects


@pytest.mark.slow
@pytest.mark.parametrize("limit", [1, 50_000])
def test_the_best_of_many_objects_is_taken_as_it_is(limit, monkeypatch):
    monkeypatch.setattr("sklearn_clustcompare.consensus._search._TABLES_COUNTED", limit)
    partitions = np.random.default_rng(9).integers(12, size=(6, 30))
    options = {"index": "van_dongen_distance", "random_state": 0}
    found, moved = (consensus_partition(partitions, n_init=n, **options) for n in (None, 1))
    assert moved.n_iter > 0
    assert (found.n_iter == 0) is (limit == 1)


def test_a_long_search_is_said_before(monkeypatch):
    monkeypatch.setattr("sklearn_clustcompare.consensus._search._SECONDS_PER_TABLE", 60.0)
    partitions = [[0, 0, 1], [0, 1, 1]]
    with pytest.warns(UserWarning, match="search with purity_score, .* may take .* min: take"):
        consensus_partition(partitions, index="purity_score", n_init=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        consensus_partition(partitions, index="rand_score", n_init=50)
