"""Noise as a cluster, as singletons or dropped."""

import copy
import datetime
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare import ContingencyTable, get_index
from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare._table import count


def _counted(true, pred, sample_weight=None, **options):
    return count(true, pred, sample_weight, Reading(**options))


LABEL = st.sampled_from([-1, 0, 1, 2])
OBJECTS = st.lists(st.tuples(LABEL, LABEL, st.integers(0, 3)), max_size=20)
TREATMENTS = ("cluster", "singletons", "drop")
INDICES = ("adjusted_rand_score", "normalized_mutual_info_score", "purity_score")


def table_of(objects, noise, weighted=True):
    labels_true, labels_pred, weights = (
        np.array([item[side] for item in objects], dtype=np.int64) for side in range(3)
    )
    sample_weight = weights if weighted else None
    return ContingencyTable.from_labels(
        labels_true, labels_pred, sample_weight=sample_weight, noise=noise
    )


def renamed(labels, noise_label=-1):
    """Give each noise object a name of its own, by hand."""
    return [
        f"noise {i}" if label == noise_label else f"label {label}" for i, label in enumerate(labels)
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


@given(OBJECTS)
def test_drop_is_dropping_by_hand(objects):
    table = table_of(objects, "drop")
    kept = [item for item in objects if -1 not in item[:2]]
    assert table == table_of(kept, "cluster")
    weight = sum(item[2] for item in objects)
    expected = sum(item[2] for item in kept) / weight if weight else float(not objects)
    assert table.coverage == expected
    assert table_of(objects, "drop", weighted=False).coverage == (
        len(kept) / len(objects) if objects else 1.0
    )


@given(OBJECTS)
def test_singletons_is_renaming_by_hand(objects):
    table = table_of(objects, "singletons", weighted=False)
    by_hand = ContingencyTable.from_labels(
        renamed([item[0] for item in objects]), renamed([item[1] for item in objects])
    )
    assert without_names(table) == without_names(by_hand)
    assert table.shape == by_hand.shape
    assert table.coverage == 1.0
    for name in INDICES:
        assert get_index(name)(table) == get_index(name)(by_hand)


@given(OBJECTS)
def test_a_noise_object_of_weight_three_is_three_singletons(objects):
    repeated = [item for item in objects for _ in range(item[2])]
    assert table_of(objects, "singletons") == table_of(repeated, "singletons", weighted=False)


def test_cluster_is_the_default_and_counts_noise(case):
    table = ContingencyTable.from_labels(*case)
    assert ContingencyTable.from_labels(*case, noise="cluster") == table
    assert table.coverage == 1.0


@given(OBJECTS, st.integers(0, 20), st.sampled_from(TREATMENTS))
def test_sum_over_any_split_is_the_whole(objects, cut, noise):
    parts = table_of(objects[:cut], noise) + table_of(objects[cut:], noise)
    whole = table_of(objects, noise)
    assert parts == whole
    assert parts.coverage == whole.coverage
    assert parts.n_samples == whole.n_samples


@given(OBJECTS, st.sampled_from(TREATMENTS))
def test_coverage_and_singletons_survive(objects, noise):
    table = table_of(objects, noise)
    for twin in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table), table.T.T):
        assert twin == table
        assert twin.coverage == table.coverage
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


def test_both_sides_noise_is_one_object_on_both_sides():
    table = ContingencyTable.from_labels([-1, -1, 0], [-1, -1, -1], noise="singletons")
    assert table.is_identity
    assert table.shape == (3, 3)


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
    assert ContingencyTable.from_labels(labels, [0, 1], noise_label=noise_label).n_samples == 2


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
        table = _counted(HDBSCAN_LABELS, soft, noise=noise, noise_label=kinds)
        assert table == _counted(one_kind, soft, noise=noise)


def test_labels_of_noise_of_another_kind_are_not_overlooked_among_several():
    with pytest.raises(ValueError, match="'-2' does not occur among the labels, but -2 does"):
        ContingencyTable.from_labels([0, -1, -2], [0] * 3, noise="drop", noise_label=[-1, "-2"])


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
        _counted(others, labels, noise=noise, noise_label=noise_label)
    if noise == "drop":
        with pytest.warns(UserWarning, match=message):
            _counted(soft, labels, noise=noise, noise_label=noise_label)
    _counted(others, labels, noise_label=noise_label)  # noise is a cluster: nothing to tell


def test_negative_labels_beside_a_label_of_noise_that_is_not_negative_are_clusters():
    table = ContingencyTable.from_labels([-1, 0, 1], [5, 5, 5], noise="drop", noise_label=0)
    assert table.row_labels.tolist() == [-1, 1]


def test_more_singletons_than_fit_into_memory_are_refused():
    with pytest.raises(ValueError, match="noise must not be 'singletons' for more than 100000000"):
        ContingencyTable.from_labels([-1, 0], [0, -1], noise="singletons", sample_weight=[10**9, 2])


def test_wide_integers_do_not_make_a_list_of_all_of_them():
    labels = [0, 2**30, -1, -1]
    table = ContingencyTable.from_labels(labels, labels, noise="singletons")
    assert table.shape == (4, 4)
    assert table + table == table_of([(x, x, 1) for x in labels * 2], "singletons")


# --------------------------------------------------------------------------- errors, limits


def test_errors():
    with pytest.raises(ValueError, match=r"noise must be one of 'cluster', 'singletons', 'drop'"):
        ContingencyTable.from_labels([0], [0], noise="dropped")
    with pytest.raises(TypeError, match="noise_label must be hashable, .* got dict"):
        ContingencyTable.from_labels([0], [0], noise_label={})
    with pytest.raises(TypeError, match="noise_label must be hashable, .* got list"):
        ContingencyTable.from_labels([0], [0], noise_label=[[-1]])
    with pytest.raises(ValueError, match="noise_label must be a label or .* got an empty one"):
        ContingencyTable.from_labels([0], [0], noise_label=())
    with pytest.raises(ValueError, match="missing must be one of 'error', 'drop', 'cluster'"):
        ContingencyTable.from_labels([0], [0], missing="dropped")
    with pytest.raises(ValueError, match=r"whole numbers with noise='singletons'"):
        ContingencyTable.from_labels([0, -1], [0, 0], sample_weight=[1, 0.5], noise="singletons")


def test_fractional_weights_are_dropped_by_weight():
    table = ContingencyTable.from_labels(
        [0, -1, 1], [0, 0, 0], sample_weight=[0.75, 0.5, 0.75], noise="drop"
    )
    assert table.coverage == 0.75


def test_nothing_left_is_an_empty_summand_but_no_comparison():
    table = ContingencyTable.from_labels([-1, -1], [0, 1], noise="drop")
    assert table.coverage == 0.0
    assert table.n_samples == 0
    other = ContingencyTable.from_labels([0, 1], [0, 1], noise="drop")
    assert (table + other).coverage == 0.5
    with pytest.raises(ValueError, match="noise='drop' and missing='drop' must leave at least one"):
        _counted([-1, -1], [0, 1], noise="drop")
    assert _counted([], [], noise="drop").n_samples == 0


def test_many_noise_objects_are_as_many_clusters():
    rng = np.random.default_rng(0)
    labels = rng.integers(20, size=(2, 10**6))
    labels[rng.random(labels.shape) < 0.3] = -1
    table = ContingencyTable.from_labels(*labels, noise="singletons")
    assert table.shape[0] == 20 + np.count_nonzero(labels[0] == -1)


# --------------------------------------------------------------------------- memberships


def test_memberships_have_no_noise_and_labels_beside_them_do():
    memberships = np.array([[0.5, 0.5], [1, 0], [0.25, 0.75]])
    table = _counted([0, -1, 1], memberships, noise="drop")
    assert table.coverage == 2 / 3
    assert table == _counted([0, 1], memberships[[0, 2]])
    assert _counted(memberships, [0, -1, 1], noise="drop").coverage == 2 / 3
    weighted = _counted([0, -1, 1], memberships, sample_weight=[1, 2, 1], noise="drop")
    assert weighted.coverage == 0.5
    crisp = np.eye(2)[[0, 1, 1]]
    table = _counted([0, -1, 1], crisp, noise="drop", noise_label=0)
    assert table.coverage == 2 / 3  # column 0 is no noise
    assert _counted(memberships, memberships, noise="drop", noise_label=0).coverage == 1.0
    with pytest.raises(ValueError, match="'cluster' or 'drop' where labels with noise"):
        _counted([0, -1, 1], memberships, noise="singletons")
    assert _counted([0, 1, 1], memberships, noise="singletons").coverage == 1.0
