"""Noise and missing labels: as a cluster, as singletons or dropped."""

import copy
import datetime
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare import (
    ContingencyTable,
    adjusted_rand_score,
    clustering_comparison_report,
    get_index,
    pairwise_scores,
    permutation_test,
    score_candidates,
)
from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare._table import count


def counted(true, pred, sample_weight=None, **options):
    return count(true, pred, sample_weight, Reading(**options))


TREATMENTS = ("cluster", "singletons", "drop")
INDICES = ("adjusted_rand_score", "normalized_mutual_info_score", "purity_score")
# The label of noise, and labels.
KINDS = {"numbers": (-1, [-1, 0, 1, 2]), "text": ("n", ["n", "b", "a", None])}


def table_of(objects, weighted=True, **options):
    """Count triples of two labels and a weight."""
    true, pred, weights = ([item[side] for item in objects] for side in range(3))
    weights = np.array(weights, dtype=np.int64) if weighted else None
    return ContingencyTable.from_labels(true, pred, sample_weight=weights, **options)


def treated_by_hand(objects, noise_label, noise, missing):
    """Return the triples that are left, a missing label and each object of noise with a name."""
    kept = [
        (*("~" if label is None else label for label in labels), weight)
        for *labels, weight in objects
        if not (noise == "drop" and noise_label in labels)
        and not (missing == "drop" and None in labels)
    ]
    if noise != "singletons":
        return kept
    repeated = [labels for *labels, weight in kept for _ in range(weight)]
    return [
        (*(f"alone {number}" if label == noise_label else label for label in labels), 1)
        for number, labels in enumerate(repeated)
    ]


def without_names(table):
    """Return the cells of a table as they are seen by an index."""
    return sorted(
        zip(
            table.row_sums[table.cell_rows].tolist(),
            table.col_sums[table.cell_cols].tolist(),
            table.cell_counts.tolist(),
            strict=True,
        )
    )


# --------------------------------------------------------------------------- the treatments


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("noise", TREATMENTS)
@pytest.mark.parametrize("missing", ["drop", "cluster"])
@given(data=st.data(), weighted=st.booleans(), cut=st.integers(0, 20))
def test_a_table_is_that_of_labels_treated_by_hand(kind, noise, missing, data, weighted, cut):
    noise_label, labels = KINDS[kind]
    label, weight = st.sampled_from(labels), st.integers(0, 3) if weighted else st.just(1)
    objects = data.draw(st.lists(st.tuples(label, label, weight), max_size=20))
    options = {"noise": noise, "missing": missing, "weighted": weighted}
    options |= {"noise_label": noise_label} if noise != "cluster" else {}
    table = table_of(objects, **options)
    kept = treated_by_hand(objects, noise_label, noise, missing)
    expected = table_of(kept)
    assert without_names(table) == without_names(expected)
    assert table.shape == expected.shape
    if noise != "singletons":
        for one, other in ((table, expected), (table.T, expected.T)):
            names = [str(label).replace("<missing>", "~") for label in one.row_labels]
            assert names == [*map(str, other.row_labels)]
        np.testing.assert_array_equal(table.counts.toarray(), expected.counts.toarray())
    total, left = (sum(item[2] for item in some) for some in (objects, kept))
    assert table.coverage == (left / total if total else float(not objects))
    for name in INDICES if left else ():
        assert get_index(name)(table) == get_index(name)(expected)
    parts = table_of(objects[:cut], **options) + table_of(objects[cut:], **options)
    for twin in (parts, pickle.loads(pickle.dumps(table)), copy.deepcopy(table), table.T.T):
        assert twin == table
        assert (twin.coverage, twin.n_samples) == (table.coverage, table.n_samples)
        assert twin + table == table + table
        assert without_names(twin + table) == without_names(table + table)
    assert table.T.coverage == table.coverage


def test_coverage_of_a_sum_is_weighted_by_the_objects():
    half = ContingencyTable.from_labels([0, -1], [0, 0], noise="drop")
    full = ContingencyTable.from_labels([0] * 6, [1] * 6, noise="drop")
    assert half.coverage == 0.5
    assert (half + full).coverage == 7 / 8
    assert sum([half, full, half]).coverage == 8 / 10
    assert "1 objects dropped" in repr(half)
    assert "dropped" not in repr(full)


def test_singletons_of_two_tables_never_merge_with_anything():
    table = ContingencyTable.from_labels([-1, 0], ["<noise>", "a"], noise="singletons")
    assert (table + table).row_sums.tolist() == [2, 1, 1]
    named = ContingencyTable.from_labels(["<noise>", "noise"], ["a", "a"])
    assert sorted((table + named).row_sums.tolist()) == [1, 1, 1, 1]
    assert table != named


# --------------------------------------------------------------------------- labels of noise


@pytest.mark.parametrize(
    ("labels", "noise_label"),
    [
        ([0, -1, 2, -1], -1),
        (np.array([0, 255, 2, 255], np.uint8), 255),
        ([0, -1, 2, -1], -1.0),
        ([0, -1, 2, -1], np.int8(-1)),
        ([0, 10**18, 2, 10**18], 10**18),
        (np.array([0, 2**64 - 1, 2, 2**64 - 1], np.uint64), 2**64 - 1),
        (["a", "noise", "b", "noise"], "noise"),
        (["a", "", "b", ""], ""),
        ([True, False, True, False], False),
        ([frozenset("a"), frozenset(), 3, frozenset()], [frozenset()]),
        ([("a", 1), (), ("b", 2), ()], [()]),
        (pd.Series(["a", "?", "b", "?"], dtype="category"), "?"),
        (np.array(["2020", "1970", "2021", "1970"], "M8[ns]"), np.datetime64("1970")),
        ([0.0, -1.0, 2.0, -1.0], -1),
    ],
)
def test_noise_label_is_found_by_value(labels, noise_label):
    other = [5, 5, 6, 6]
    table = ContingencyTable.from_labels(labels, other, noise="drop", noise_label=noise_label)
    assert table.coverage == 0.5
    assert table.col_labels.tolist() == [5, 6]
    both = [
        ContingencyTable.from_labels(other, labels, noise="singletons", noise_label=noise_label)
        for _ in range(2)
    ]
    n_named = len(set(map(str, labels))) - 1
    assert both[0].shape == (2, n_named + 2)
    assert sum(both).shape == (2, n_named + 4)


@pytest.mark.parametrize(
    ("labels", "noise_label"),
    [
        ([0, 1], "-1"),
        (["0", "1"], -1),
        ([0, 1], -1),
        ([0, 1], 0.5),
        ([0, 1], float("nan")),
        ([0, 1], float("inf")),
        ([0, 1], None),
        ([0, 1], 1j),
        (np.array(["2020", "2021"], "M8[ns]"), 0),
        (np.array(["2020", "2021"], "M8[ns]"), datetime.date(2019, 1, 1)),
    ],
)
@pytest.mark.parametrize("noise", ["singletons", "drop"])
def test_a_label_that_does_not_occur_means_no_noise(labels, noise_label, noise):
    table = ContingencyTable.from_labels(labels, labels, noise=noise, noise_label=noise_label)
    assert table == ContingencyTable.from_labels(labels, labels)
    assert table.coverage == 1.0


@pytest.mark.parametrize(
    ("labels", "noise_label", "message"),
    [
        ([0, -1], "-1", "'-1' does not occur among the labels, but -1 does"),
        (["0", "-1"], -1, "-1 does not occur among the labels, but '-1' does"),
        (["0.0", "-1.0"], "-1", "'-1' does not occur among the labels, but '-1.0' does"),
        (np.array(["0", "-1"]), -1, "-1 does not occur among the labels, but '-1' does"),
    ],
)
@pytest.mark.parametrize("noise", ["singletons", "drop"])
def test_a_noise_label_of_another_kind_is_not_overlooked(labels, noise_label, message, noise):
    with pytest.raises(ValueError, match=message):
        ContingencyTable.from_labels(labels, [0, 1], noise=noise, noise_label=noise_label)


# What scikit-learn's HDBSCAN says of noise, of infinite and of missing rows.
HDBSCAN_LABELS = [0, 0, 1, -1, -2, -3, 1, 0]


@pytest.mark.parametrize(
    "kinds", [(-1, -2, -3), [-3, -2, -1], {-1, -2, -3}, frozenset([-1, -2, -3])]
)
@pytest.mark.parametrize("noise", ["singletons", "drop"])
def test_several_labels_of_noise(kinds, noise):
    truth = list("aabbcccb")
    one_kind = [max(label, -1) for label in HDBSCAN_LABELS]
    for sides in ((truth, HDBSCAN_LABELS), (HDBSCAN_LABELS, truth)):
        table = ContingencyTable.from_labels(*sides, noise=noise, noise_label=kinds)
        by_hand = ContingencyTable.from_labels(
            *(one_kind if side is HDBSCAN_LABELS else side for side in sides), noise=noise
        )
        assert table == by_hand
        assert table.coverage == by_hand.coverage
    soft = np.random.default_rng(0).dirichlet([1, 1], len(truth))
    if noise == "drop":
        table = counted(HDBSCAN_LABELS, soft, noise=noise, noise_label=kinds)
        assert table == counted(one_kind, soft, noise=noise)


@pytest.mark.parametrize(
    ("labels", "noise_label", "shown"),
    [
        (HDBSCAN_LABELS, -1, "-2, -3"),
        (list(map(str, HDBSCAN_LABELS)), "-1", "'-2', '-3'"),
        ([0, 0, 1, -9, 1, 1, 1, 1], -1, "-9"),
        ([0, 0, "x", -9, 1, 1, 1, 1], "noise", "-9"),
        ([-(10**12), 10**12, 1, 1, 1, 1, 1, 1], -1, "-1000000000000"),
    ],
)
@pytest.mark.parametrize("noise", ["singletons", "drop"])
def test_negative_labels_that_are_not_noise_are_told(labels, noise_label, shown, noise):
    others = list("aabbcccb")
    soft = np.full((8, 2), 0.5)
    message = f"labels_pred has clusters with negative labels, {shown}, that are not"
    with pytest.warns(UserWarning, match=message):
        counted(others, labels, noise=noise, noise_label=noise_label)
    if noise == "drop":
        with pytest.warns(UserWarning, match=message):
            counted(soft, labels, noise=noise, noise_label=noise_label)
    counted(others, labels, noise_label=noise_label)  # noise is a cluster: nothing to tell


def test_negative_labels_beside_a_label_of_noise_that_is_not_negative_are_clusters():
    table = ContingencyTable.from_labels([-1, 0, 1], [5, 5, 5], noise="drop", noise_label=0)
    assert table.row_labels.tolist() == [-1, 1]


# --------------------------------------------------------------------------- errors, limits


def test_nothing_left_is_an_empty_summand_but_no_comparison():
    table = ContingencyTable.from_labels([-1, -1], [0, 1], noise="drop")
    assert table.coverage == 0.0
    assert table.n_samples == 0
    other = ContingencyTable.from_labels([0, 1], [0, 1], noise="drop")
    assert (table + other).coverage == 0.5
    with pytest.raises(ValueError, match="noise='drop' and missing='drop' must leave at least one"):
        counted([-1, -1], [0, 1], noise="drop")
    assert counted([], [], noise="drop").n_samples == 0


def test_many_noise_objects_are_as_many_clusters():
    rng = np.random.default_rng(0)
    labels = rng.integers(20, size=(2, 10**6))
    labels[rng.random(labels.shape) < 0.3] = -1
    table = ContingencyTable.from_labels(*labels, noise="singletons")
    assert table.shape[0] == 20 + np.count_nonzero(labels[0] == -1)


# --------------------------------------------------------------------------- memberships


def test_memberships_have_no_noise_and_labels_beside_them_do():
    memberships = np.array([[0.5, 0.5], [1, 0], [0.25, 0.75]])
    table = counted([0, -1, 1], memberships, noise="drop")
    assert table.coverage == 2 / 3
    assert table == counted([0, 1], memberships[[0, 2]])
    assert counted(memberships, [0, -1, 1], noise="drop").coverage == 2 / 3
    weighted = counted([0, -1, 1], memberships, sample_weight=[1, 2, 1], noise="drop")
    assert weighted.coverage == 0.5
    crisp = np.eye(2)[[0, 1, 1]]
    table = counted([0, -1, 1], crisp, noise="drop", noise_label=0)
    assert table.coverage == 2 / 3  # column 0 is no noise
    assert counted(memberships, memberships, noise="drop", noise_label=0).coverage == 1.0
    with pytest.raises(ValueError, match="'cluster' or 'drop' where labels with noise"):
        counted([0, -1, 1], memberships, noise="singletons")
    assert counted([0, 1, 1], memberships, noise="singletons").coverage == 1.0


# ------------------------------------------- missing labels as an error, as one cluster or dropped


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
    with pytest.raises(ValueError, match="missing='drop' must leave at least one object"):
        counted(nothing, [0, 1], missing="drop")


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
        labels, [crisp], indices="adjusted_rand_score", missing="drop", unmatched="drop"
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
        true, {"p": pred}, indices="adjusted_rand_score", missing="drop", unmatched="drop"
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
