"""Missing labels as an error, as one cluster or dropped."""

import copy
import inspect
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sklearn_clustcompare
from sklearn_clustcompare import (
    ContingencyTable,
    adjusted_rand_score,
    chance_adjusted_score,
    cluster_decomposition,
    clustering_comparison_report,
    index_curve,
    make_clustering_scorer,
    match_clusters,
    pair_confusion_matrix,
    paired_comparison_test,
    pairwise_scores,
    permutation_test,
    score_candidates,
    score_interval,
)
from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare._table import count
from sklearn_clustcompare.plot import ContingencyDisplay
from sklearn_clustcompare.report import noise_bounds
from sklearn_clustcompare.significance import independence_test

LABEL = st.sampled_from(["b", "a", "c", None])
OBJECTS = st.lists(st.tuples(LABEL, LABEL, st.integers(0, 3)), max_size=20)


def counted(true, pred, sample_weight=None, **options):
    return count(true, pred, sample_weight, Reading(**options))


def columns(objects):
    return [[item[side] for item in objects] for side in range(3)]


@given(OBJECTS)
def test_drop_is_dropping_by_hand(objects):
    true, pred, weights = columns(objects)
    kept = [item for item in objects if None not in item[:2]]
    kept_true, kept_pred, kept_weights = columns(kept)
    table = ContingencyTable.from_labels(true, pred, missing="drop")
    assert table == ContingencyTable.from_labels(kept_true, kept_pred)
    assert table.coverage == (len(kept) / len(objects) if objects else 1.0)
    weighted = ContingencyTable.from_labels(true, pred, sample_weight=weights, missing="drop")
    assert weighted == ContingencyTable.from_labels(
        kept_true, kept_pred, sample_weight=kept_weights
    )
    if any(weights):
        assert weighted.coverage == sum(kept_weights) / sum(weights)


@given(OBJECTS, st.integers(0, 20))
def test_cluster_is_naming_by_hand_and_parts_add_up(objects, cut):
    true, pred, weights = columns(objects)
    table = ContingencyTable.from_labels(true, pred, sample_weight=weights, missing="cluster")
    named = [["~" if label is None else label for label in side] for side in (true, pred)]
    by_hand = ContingencyTable.from_labels(*named, sample_weight=weights)
    assert [str(label).replace("<missing>", "~") for label in table.row_labels] == list(
        by_hand.row_labels
    )
    np.testing.assert_array_equal(table.counts.toarray(), by_hand.counts.toarray())
    for option in ("cluster", "drop"):
        whole = ContingencyTable.from_labels(true, pred, missing=option)
        parts = ContingencyTable.from_chunks(
            [(true[:cut], pred[:cut]), (true[cut:], pred[cut:])], missing=option
        )
        assert parts == whole
        assert parts.coverage == whole.coverage
        for twin in (pickle.loads(pickle.dumps(whole)), copy.deepcopy(whole)):
            assert twin + whole == whole + whole


@pytest.mark.parametrize(
    "labels",
    [
        [1, None, 10, 1],
        [1.0, float("nan"), 10.0, 1.0],
        np.array([1, np.nan, 10, 1], np.float32),
        np.array([1, None, 10, 1], object),
        np.ma.array([1, 7, 10, 1], mask=[0, 1, 0, 0]),
        np.ma.array([1, np.nan, 10, 1], mask=[0, 0, 0, 0]),
        pd.Series([1, pd.NA, 10, 1], dtype="Int64"),
        pd.Series([1, pd.NA, 10, 1], dtype="category"),
        pd.Categorical([1, None, 10, 1]),
        pd.Series([1, None, 10, 1], dtype=object),
    ],
)
def test_missing_values_of_any_kind(labels):
    other = [0, 1, 2, 2]
    dropped = ContingencyTable.from_labels(labels, other, missing="drop")
    assert dropped == ContingencyTable.from_labels([1, 10, 1], [0, 2, 2])
    assert dropped.coverage == 0.75
    cluster = ContingencyTable.from_labels(other, labels, missing="cluster")
    assert list(map(str, cluster.col_labels)) == ["1", "10", "<missing>"]
    assert cluster.col_sums.tolist() == [2, 1, 1]
    with pytest.raises(ValueError, match="^labels_true must not contain .* at position 1"):
        ContingencyTable.from_labels(labels, other)


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["2020-01-01", "NaT", "2021-01-01"], "M8[s]"),
        pd.Series(["2020", None, "2021"]),
        pd.Series(pd.to_datetime(["2020-01-01", None, "2021-01-01"])),
        [frozenset({1}), None, frozenset({2})],
        [("a", 1), None, ("a", 2)],
        [True, None, False],
    ],
)
def test_missing_labels_among_labels_of_any_kind(labels):
    table = ContingencyTable.from_labels(labels, [0, 0, 1], missing="drop")
    assert table.counts.toarray().sum() == 2
    assert table.shape == (2, 2)
    assert ContingencyTable.from_labels(labels, labels, missing="cluster").shape == (3, 3)


def test_all_labels_missing():
    nothing = [None, None]
    assert ContingencyTable.from_labels(nothing, [0, 1], missing="cluster").shape == (1, 2)
    assert ContingencyTable.from_labels(nothing, [0, 1], missing="drop").coverage == 0
    with pytest.raises(ValueError, match="missing='drop' must leave at least one object"):
        counted(nothing, [0, 1], missing="drop")


def test_noise_and_missing_labels_together():
    true, pred = ["a", "a", None, "b", "b"], [1, -1, 2, None, -1]
    table = ContingencyTable.from_labels(true, pred, noise="singletons", missing="drop")
    assert table.shape == (2, 3)  # a and b; 1 and two objects of noise
    assert table.coverage == 3 / 5
    table = ContingencyTable.from_labels(true, pred, noise="drop", missing="cluster")
    assert table == ContingencyTable.from_labels(["a", None, "b"], [1, 2, None], missing="cluster")
    assert ContingencyTable.from_labels(true, pred, noise="drop", missing="drop").n_samples == 1


def test_missing_labels_of_two_parts_are_one_cluster_in_sorted_order():
    first = ContingencyTable.from_labels([10, None], [0, 0], missing="cluster")
    second = ContingencyTable.from_labels([None, 2, "x"], [0, 0, 0], missing="cluster")
    total = first + second
    assert list(map(str, total.row_labels)) == ["2", "10", "x", "<missing>"]
    assert total.row_sums.tolist() == [1, 1, 1, 2]
    text = [
        ContingencyTable.from_labels(labels, [0, 0], missing="cluster")
        for labels in (["10", None], ["9", "2"])
    ]
    assert list(map(str, sum(text).row_labels)) == ["2", "9", "10", "<missing>"]


# --------------------------------------------------------------------------- memberships

SOFT = np.array([[0.5, 0.5], [np.nan, np.nan], [0.25, 0.75], [1, 0]])


@pytest.mark.parametrize("form", [np.asarray, pd.DataFrame, np.ndarray.tolist])
def test_rows_of_nan_are_dropped(form):
    labels = ["a", "a", None, "b"]
    table = counted(labels, form(SOFT), [1, 2, 3, 4], missing="drop")
    assert table == counted(["a", "b"], SOFT[[0, 3]], [1, 4])
    assert table.coverage == 0.5
    both = counted(form(SOFT), form(SOFT[::-1]), missing="drop")
    assert both == counted(SOFT[[0, 3]], SOFT[[3, 0]])


def test_crisp_rows_of_nan_are_missing_labels():
    crisp = np.array([[0, 1], [np.nan, np.nan], [1, 0], [1, 0]])
    table = counted([0, 1, 2, 0], crisp, missing="drop", noise="singletons", noise_label=5)
    assert table == counted([0, 2, 0], [1, 0, 0])
    assert table.is_whole


def test_crisp_rows_of_nan_keep_their_index():
    crisp = pd.DataFrame([[0, 1], [np.nan, np.nan], [1, 0], [1, 0]], index=list("abcd"))
    labels = pd.Series([0, 1, 2, 0], index=list("dcba"))
    with pytest.raises(ValueError, match="must have the same index"):
        counted(labels, crisp, missing="drop")
    scores = score_candidates(
        labels, [crisp], indices="adjusted_rand_score", missing="drop", align=True
    )
    assert scores.scores["adjusted_rand_score"][0] == adjusted_rand_score([0, 1, 0], [0, 0, 1])
    assert scores.coverage.tolist() == [0.75]


def test_errors_of_missing_memberships():
    with pytest.raises(ValueError, match="'drop' for memberships, .* NaN in row 1 of labels_pred"):
        counted([0, 1, 2, 0], SOFT, missing="cluster")
    with pytest.raises(ValueError, match=r"labels_pred: memberships must lie in \[0, 1\], got nan"):
        counted([0, 1, 2, 0], SOFT)
    half = np.array([[0.5, 0.5], [np.nan, 1]])
    with pytest.raises(ValueError, match=r"labels_pred: memberships must lie in \[0, 1\], got nan"):
        counted([0, 1], half, missing="drop")


# --------------------------------------------------------------------------- every function

TRUE, PRED = [0, 0, 1, 1, None, 2, 2, 0], [1, 1, None, 0, 0, 2, 0, 1]
KEPT = [0, 1, 3, 5, 6, 7]
KEPT_TRUE, KEPT_PRED = ([side[at] for at in KEPT] for side in (TRUE, PRED))


class Found:
    """A clusterer that has found these labels."""

    def __init__(self, labels):
        self.labels = labels

    def predict(self, X):
        return self.labels


FUNCTIONS = {
    "adjustment": lambda t, p, **o: chance_adjusted_score(
        t, p, index="purity_score", random_state=0, **o
    ),
    "permutation": lambda t, p, **o: (
        permutation_test(t, p, index="purity_score", n_resamples=99, **o).pvalue
    ),
    "independence": lambda t, p, **o: independence_test(t, p, n_resamples=99, **o).pvalue,
    "decomposition": lambda t, p, **o: cluster_decomposition(t, p, **o).true.values.tolist(),
    "report": lambda t, p, **o: clustering_comparison_report(t, p, output_dict=True, **o)[
        "overall"
    ],
    "candidates": lambda t, p, **o: score_candidates(
        t, {"p": p}, indices="adjusted_rand_score", **o
    ).scores["adjusted_rand_score"][0],
    "pairwise": lambda t, p, **o: pairwise_scores([t, p], index="adjusted_rand_score", **o).values[
        0, 1
    ],
    "curve": lambda t, p, **o: index_curve(t, {1: p}, index="adjusted_rand_score", **o).values[
        0, 0
    ],
    "scorer": lambda t, p, **o: make_clustering_scorer("adjusted_rand_score", **o)(
        Found(p), np.zeros((len(t), 1)), t
    ),
    "interval": lambda t, p, **o: (
        score_interval(t * 9, p * 9, index="adjusted_rand_score", **o).score
    ),
    "paired": lambda t, p, **o: (
        paired_comparison_test(t * 9, p * 9, t * 9, index="adjusted_rand_score", **o).difference
    ),
    "bounds": lambda t, p, **o: noise_bounds(
        t, p, index="purity_score", noise_label=2, sample_weight=[2] * len(t), **o
    ),
    "pairs": lambda t, p, **o: pair_confusion_matrix(t, p, **o).tolist(),
    "matches": lambda t, p, **o: match_clusters(t, p, **o),
    "display": lambda t, p, **o: ContingencyDisplay.from_predictions(t, p, **o).counts.tolist(),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_all_functions_take_it(name):
    function = FUNCTIONS[name]
    expected = function(KEPT_TRUE, KEPT_PRED)
    assert function(TRUE, PRED, missing="drop") == expected
    with pytest.raises(ValueError, match="must not contain missing values, got None at position"):
        function(TRUE, PRED)


def test_positions_count_all_objects():
    for labels in ([None, 1.5, 2], pd.Series([None, 1.5, 2], dtype=object), [math.nan, 1.5, 2.0]):
        with pytest.raises(ValueError, match="^labels_true must be discrete .* 1.5 at position 1"):
            ContingencyTable.from_labels(labels, [0, 1, 1], missing="drop")
    with pytest.raises(TypeError, match="^labels_true must hold hashable .* at position 2"):
        ContingencyTable.from_labels(np.array([None, 1, []], object), [0, 1, 1], missing="drop")


@pytest.mark.parametrize("side", [0, 1])
def test_the_error_says_what_to_do(side):
    sides = [[0, 1, 1], [0, 1, 1]]
    sides[side] = [0, None, 1]
    advice = r"missing='drop', or ContingencyTable\.from_labels\(\.\.\., missing='drop'\) where "
    with pytest.raises(ValueError, match=advice) as told:
        adjusted_rand_score(*sides)
    assert ("sampled_reference_scores" in str(told.value)) == (side == 0)
    with pytest.raises(ValueError, match="leave such objects out with missing='drop'$"):
        score_candidates([0, 1, 1], [[0, None, 1]], indices="rand_score")


# Functions of two partitions that return more than one number, but for those that return one value
# for each object, where none can be left out.
BY_OBJECT = {
    "align_partitions",
    "element_centric_similarities",
    "partial_partition_distance",  # who has no label is left out of the ids, which counts
    "relabel",
    "sampled_reference_scores",  # missing labels are its question
}


def test_all_functions_of_two_partitions_have_the_same_options():
    options = {"missing", "noise_label", "sample_weight"}
    for name in sklearn_clustcompare.__all__:
        function = getattr(sklearn_clustcompare, name)
        if not inspect.isfunction(function) or name in BY_OBJECT:
            continue
        signature = inspect.signature(function)
        is_of_two = {"labels_true", "labels_pred"} <= set(signature.parameters)
        takes_more = signature.return_annotation not in ("float", "None")
        if is_of_two and takes_more:
            assert options <= set(signature.parameters), name


def test_coverage_of_results():
    scores = score_candidates(TRUE, [PRED], indices="rand_score", missing="drop")
    assert scores.coverage.tolist() == [6 / 8]
    assert pairwise_scores([TRUE, PRED], index="rand_score", missing="drop").coverage[0, 1] == 6 / 8
    report = clustering_comparison_report(TRUE, PRED, missing="drop")
    assert any("25.0% of the objects" in one for one in report.warnings)


def test_weights_of_candidates_go_along():
    weights = np.arange(8)
    scores = score_candidates(
        TRUE, [PRED], indices="adjusted_rand_score", missing="drop", sample_weight=weights
    )
    expected = adjusted_rand_score(KEPT_TRUE, KEPT_PRED, sample_weight=weights[KEPT])
    assert scores.scores["adjusted_rand_score"].tolist() == [expected]
    assert scores.coverage.tolist() == [weights[KEPT].sum() / weights.sum()]


def test_aligned_objects_keep_their_missing_labels():
    true = pd.Series(TRUE, index=list("abcdefgh"))
    pred = pd.Series(PRED, index=list("abcdefgh"))[::-1]
    scores = score_candidates(
        true, {"p": pred}, indices="adjusted_rand_score", missing="drop", align=True
    )
    assert scores.scores["adjusted_rand_score"][0] == adjusted_rand_score(KEPT_TRUE, KEPT_PRED)
    assert scores.coverage.tolist() == [6 / 8]


def test_soft_permutations_leave_missing_objects_out():
    soft = np.array([[0.9, 0.1], [0.8, 0.2], [np.nan, np.nan], [0.3, 0.7], [0.1, 0.9], [0.4, 0.6]])
    labels = [0, 0, 1, None, 1, 1]
    options = {"index": "purity_score", "method": "monte_carlo", "n_resamples": 99}
    kept = [0, 1, 4, 5]
    dropped = permutation_test(labels, soft, missing="drop", **options)
    by_hand = permutation_test([0, 0, 1, 1], soft[kept], **options)
    assert (dropped.statistic, dropped.pvalue) == (by_hand.statistic, by_hand.pvalue)
