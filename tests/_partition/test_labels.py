"""Labels of any kind become codes; partitions of different sets of objects on those they share."""

import builtins
import datetime
import pickle
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sklearn_clustcompare
from sklearn_clustcompare import (
    ContingencyTable,
    adjusted_rand_score,
    consensus_partition,
    pairwise_scores,
    permutation_test,
    recommend_index,
    score_candidates,
)
from sklearn_clustcompare.candidates import align_partitions
from sklearn_clustcompare.consensus import common_coarsening, common_refinement, is_refinement
from sklearn_clustcompare.metrics import categorical_entropy
from tests._functions import FUNCTIONS, result_of

# --------------------------------------------------------------------------- kinds and order


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ([3, -1, 3, 2], [-1, 2, 3]),
        ([10**15, -(10**15)], [-(10**15), 10**15]),
        (["b", "a", "b"], ["a", "b"]),
        (["10", "-1", "2", "0"], ["-1", "0", "2", "10"]),
        (np.array(["10", "9", "-20"], object), ["-20", "9", "10"]),
        (["10", "2", "02"], ["02", "2", "10"]),
        (["10", "2", "x"], ["10", "2", "x"]),
        (["10" + "0" * 30, "9" * 18], ["9" * 18, "10" + "0" * 30]),
        (["10", "9", "-1", "2", "2.5"], ["-1", "2", "2.5", "9", "10"]),
        (np.array(["10", "9"], object), ["9", "10"]),
        (np.array([b"10", b"9"]), [b"9", b"10"]),
        (["10", "9", "noise"], ["10", "9", "noise"]),
        (["x", 10, 9, True, "a"], [True, 9, 10, "a", "x"]),
        ([f"{i}" for i in reversed(range(10**4))], [f"{i}" for i in range(10**4)]),
        (np.array(["b", "a"], object), ["a", "b"]),
        ([True, False], [False, True]),
        ([2.0, 1.0], [1, 2]),
        (pd.Categorical(["x", "y"], ["y", "x", "unused"]), ["x", "y"]),
        (np.array(["2021", "2020"], "M8[Y]"), None),
    ],
)
def test_labels_are_sorted(labels, expected):
    table = ContingencyTable.from_labels(labels, labels)
    for kept in (table.row_labels, table.col_labels):
        if expected is None:
            assert kept.tolist() == sorted(labels.tolist())
        else:
            assert kept.tolist() == expected


@pytest.mark.parametrize("dtype", [np.int64, np.uint64, np.int8, np.uint8, np.int32])
def test_extremes_of_integers(dtype):
    info = np.iinfo(dtype)
    labels = np.array([info.max, info.min, info.max, info.max - 1], dtype)
    table = ContingencyTable.from_labels(labels, labels)
    assert table.row_labels.tolist() == [info.min, info.max - 1, info.max]
    assert table.row_sums.tolist() == [1, 1, 2]
    near = np.array([info.max, info.max - 2, info.max], dtype)
    table = ContingencyTable.from_labels(near, near[::-1])
    assert table.col_labels.tolist() == [info.max - 2, info.max]
    assert table.col_labels.dtype.kind in "iu"


# --------------------------------------------------------------------------- long arrays


@pytest.mark.parametrize("n_samples", [2**13, 2**13 + 1, 30_000])
@pytest.mark.parametrize("kind", ["U", "S", ">U9", "O"])
@pytest.mark.parametrize("n_words", [2, 50, 3000])
def test_random_words_are_counted_as_their_numbers(n_words, kind, n_samples):
    rng = np.random.default_rng(0)
    words = np.array(["".join(map(chr, word)) for word in rng.integers(97, 123, (n_words, 9))])
    words = np.unique(words.astype(kind))
    assert len(words) == n_words
    numbers = np.arange(n_samples) % n_words
    other = rng.integers(0, n_words, n_samples)
    table = ContingencyTable.from_labels(words[numbers], other)
    assert table.row_labels.tolist() == words.tolist()
    assert (table.counts != ContingencyTable.from_labels(numbers, other).counts).nnz == 0


def text_of_pandas(words, dtype):
    """Return a Series, or skip the test if Arrow is missing or does not fit the NumPy installed."""
    if dtype == "arrow":
        dtype = pd.ArrowDtype(pytest.importorskip("pyarrow", exc_type=ImportError).string())
    elif dtype == "string[pyarrow]":
        pytest.importorskip("pyarrow", exc_type=ImportError)
    return pd.Series(words, dtype=dtype)


@pytest.mark.parametrize("dtype", ["str", "string[pyarrow]", "string[python]", "object", "arrow"])
def test_text_of_pandas_is_counted_as_its_values(dtype):
    words = ["b", "a", "10", "b", "", "a\0", "9"]
    series = text_of_pandas(words, dtype)
    for labels in (series, pd.Index(series), series.array):
        table = ContingencyTable.from_labels(labels, np.arange(len(words)))
        assert table == ContingencyTable.from_labels(words, np.arange(len(words)))
        assert table.row_labels.tolist() == ["", "10", "9", "a", "a\0", "b"]
        assert table.row_labels.dtype == object


@pytest.mark.parametrize("dtype", ["string[pyarrow]", "string[python]", "category", "arrow"])
def test_missing_text_of_pandas_is_missing(dtype):
    labels = text_of_pandas(["b", None, "a", "b", None], dtype)
    with pytest.raises(ValueError, match=r"labels_true must not contain missing.*position 1"):
        ContingencyTable.from_labels(labels, range(5))
    table = ContingencyTable.from_labels(labels, [0] * 5, missing="cluster")
    assert [str(label) for label in table.row_labels] == ["a", "b", "<missing>"]
    assert table.row_sums.tolist() == [1, 2, 2]


@pytest.mark.parametrize("shift", [0, 1, 400, -1, -(2**62), 2**40])
@pytest.mark.parametrize("dtype", [np.int64, ">i8", np.int16])
def test_long_arrays_of_integers_are_counted_wherever_they_start(shift, dtype):
    if dtype == np.int16 and abs(shift) > 400:
        pytest.skip("out of range")
    rng = np.random.default_rng(0)
    numbers, other = rng.integers(0, 5, (2, 100_000))
    table = ContingencyTable.from_labels((numbers + shift).astype(dtype), other)
    expected = ContingencyTable.from_counts(np.histogram2d(numbers, other, bins=5)[0])
    assert table.row_labels.tolist() == [i + shift for i in range(5)]
    assert (table.counts != expected.counts).nnz == 0


# ------------------------------- partitions of different sets of objects on the objects they share


ID = st.one_of(st.integers(-5, 5), st.sampled_from(["a", "b", "1", "-1"]))
PARTITION = st.dictionaries(ID, st.integers(0, 3), max_size=8)


def aligned_dicts(first, second, **options):
    return align_partitions(
        list(first.values()),
        list(second.values()),
        ids_true=np.fromiter(first, object),
        ids_pred=np.fromiter(second, object),
        **options,
    )


@pytest.mark.filterwarnings("ignore:coverage is")
@given(PARTITION, PARTITION)
def test_common_objects_in_the_order_of_the_reference(first, second):
    common = [key for key in first if key in second]
    if not common:
        with pytest.raises(ValueError, match="must have an object in common, got none"):
            aligned_dicts(first, second)
        return
    aligned = aligned_dicts(first, second)
    assert aligned.ids.tolist() == common
    assert aligned.labels_true.tolist() == [first[key] for key in common]
    assert aligned.labels_pred.tolist() == [second[key] for key in common]
    assert aligned.coverage == len(common) / len({*first, *second})


@given(PARTITION, PARTITION)
def test_unmatched_objects_are_singletons(first, second):
    everyone = [*first, *(key for key in second if key not in first)]
    if len(everyone) == len(first) + len(second):
        with pytest.raises(ValueError, match="must have an object in common, got none"):
            aligned_dicts(first, second, unmatched="singleton")
        return
    aligned = aligned_dicts(first, second, unmatched="singleton")
    assert aligned.ids.tolist() == everyone
    assert aligned.coverage == (len(first) + len(second) - len(everyone)) / len(everyone)
    for side, labels in ((first, aligned.labels_true), (second, aligned.labels_pred)):
        for key, label in zip(everyone, labels.tolist(), strict=True):
            if key in side:
                assert label == side[key]
            else:
                assert labels.tolist().count(label) == 1
                assert repr(label) == f"<unmatched {key!r}>"
    assert ContingencyTable.from_labels(*aligned.labels).n_samples == len(everyone)


def test_unmatched_objects_count_as_errors():
    first, second = pd.Series([0, 0, 0], index=list("abc")), pd.Series([5, 5, 5], index=list("abd"))
    found = align_partitions(first, second, unmatched="singleton")
    assert adjusted_rand_score(*found.labels) == adjusted_rand_score([0, 0, 0, 1], [0, 0, 1, 0])
    assert pickle.loads(pickle.dumps(found)).labels_true.tolist() == found.labels_true.tolist()
    with pytest.raises(ValueError, match="^unmatched must be one of 'drop', 'singleton'; got 'kee"):
        align_partitions(first, second, unmatched="keep")


@pytest.mark.parametrize(
    ("ids_true", "ids_pred", "common"),
    [
        ([3, 1, 2], [2, 3, 4], [3, 2]),
        (np.array([3, 1, 2], np.uint8), [2, 3, -4], [3, 2]),
        ([3, 10**15, 2], [2, 3, -(10**15)], [3, 2]),
        (["c", "a", "b"], ["b", "c", "long name"], ["c", "b"]),
        (["c", 1, 2], [2, "c", "1"], ["c", 2]),
        (
            np.array(["2020-01-03", "2020-01-01", "2020-01-02"], "M8[D]"),
            np.array(["2020-01-02", "2020-01-03", "2020-01-04"], "M8[ns]"),
            [datetime.date(2020, 1, 3), datetime.date(2020, 1, 2)],
        ),
    ],
)
def test_ids_of_any_kind(ids_true, ids_pred, common):
    with pytest.warns(UserWarning, match=r"coverage is 50.0%: 2 of 4 objects are in labels_true"):
        aligned = align_partitions(["x", "y", "z"], [7, 8, 9], ids_true=ids_true, ids_pred=ids_pred)
    assert aligned.ids.tolist() == common
    assert [labels.tolist() for labels in aligned.labels] == [["x", "z"], [8, 7]]
    assert aligned.coverage == 0.5


def test_ids_come_before_the_index():
    series = pd.Series([0, 1], index=["a", "b"])
    aligned = align_partitions(series, [5, 6], ids_true=[2, 1], ids_pred=[1, 2])
    assert aligned.labels_pred.tolist() == [6, 5]
    aligned = align_partitions(series, [5, 6], ids_pred=["b", "a"])
    assert aligned.labels_pred.tolist() == [6, 5]


def test_an_index_of_several_levels():
    index = pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)])
    first = pd.Series([0, 1, 2], index=index)
    aligned = align_partitions(first, first.iloc[[2, 0, 1]])
    assert aligned.labels_pred.tolist() == [0, 1, 2]
    assert aligned.ids.tolist() == [("a", 1), ("a", 2), ("b", 1)]


# --------------------------------------------------------------------------- the rule for all

DEFAULT = pd.Series([0, 0, 1, 1, 1] * 4)
LETTERS = DEFAULT.set_axis(list("abcdefghijklmnopqrst"))
SAME = [
    (DEFAULT, DEFAULT.copy()),
    (LETTERS, LETTERS.copy()),
    (LETTERS, DEFAULT),
    (DEFAULT, LETTERS),
    (DEFAULT.set_axis(np.r_[10, 3, 8, 4:21]), DEFAULT),
    (DEFAULT.set_axis(np.r_[:19, 20]), DEFAULT),
    (DEFAULT.set_axis(np.arange(20)), DEFAULT),
    (LETTERS, DEFAULT.to_numpy()),
    (DEFAULT.to_list(), LETTERS),
]
OTHERS = [
    (DEFAULT, DEFAULT.iloc[np.r_[4, 2, 0, 1, 3, 5:20]]),
    (DEFAULT.iloc[np.r_[4, 2, 0, 1, 3, 5:20]], DEFAULT),
    (DEFAULT.set_axis(np.r_[1, 0, 2:20]), DEFAULT),
    (LETTERS, LETTERS.iloc[::-1]),
    (LETTERS, DEFAULT.set_axis(list("abcdefghijklmnopqrsx"))),
    (DEFAULT.set_axis(pd.RangeIndex(0, 40, 2)), LETTERS),
    (LETTERS, DEFAULT.set_axis(pd.RangeIndex(1, 21))),
]


def _of_two(name, y, found):
    return result_of(name, [y, found, [0, 0, 1, 1, 0] * 4])


CALLS_OF_TWO = {
    **{name: partial(_of_two, name) for name in FUNCTIONS},
    "memberships": lambda y, found: ContingencyTable.from_memberships(
        y, pd.get_dummies(found) * 1.0
    ),
    "table": ContingencyTable.from_labels,
    "product": common_refinement,
    "join": common_coarsening,
    "refinement": is_refinement,
    "weights": lambda y, weight: recommend_index(y, sample_weight=weight + 1),
    "categories": lambda X, labels: (
        categorical_entropy(X.to_frame(), labels) if hasattr(X, "to_frame") else None
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("function", CALLS_OF_TWO.values(), ids=CALLS_OF_TWO)
def test_positions_count_where_indexes_do_not_contradict_them(function):
    for labels in SAME:
        function(*labels)


@pytest.mark.slow
@pytest.mark.parametrize("function", CALLS_OF_TWO.values(), ids=CALLS_OF_TWO)
def test_indexes_of_other_orders_are_an_error_that_names_both_ways_out(function):
    message = r"must have the same index.*align_partitions.*\.to_numpy"
    for labels in OTHERS:
        with pytest.raises(ValueError, match=message):
            function(*labels)


def test_ids_need_no_pandas(monkeypatch):
    real_import = builtins.__import__

    def without_pandas(name, *args, **kwargs):
        if name.startswith("pandas"):
            raise ImportError(name)
        return real_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_pandas)
    aligned = align_partitions(["a", "b"], [0, 1], ids_true=[1, 2], ids_pred=[2, 1])
    assert aligned.labels_pred.tolist() == [1, 0]


def test_dicts_are_aligned_by_their_keys():
    first, second = {"a": 0, "b": 0, "c": 1}, {"c": "x", "d": "y", "b": "x"}
    for sides in ((first, second), (pd.Series(first), second), (first, pd.Series(second))):
        with pytest.warns(UserWarning, match="2 of 4 objects"):
            found = align_partitions(*sides)
        assert found.ids.tolist() == ["b", "c"]
        assert [side.tolist() for side in found.labels] == [[0, 1], ["x", "x"]]
    assert len(align_partitions(first, second, unmatched="singleton").ids) == 4


# ------------------------------- clusters as lists of members where labels of objects are expected


TRUE = [(0, 1), (2, 3, 4), (5,)]
PRED = [(0, 1, 2), (3, 4), (5,)]
CALLS = {
    "adjusted_rand_score": adjusted_rand_score,
    "permutation_test": lambda a, b: permutation_test(a, b, index="rand_score"),
    "score_candidates": lambda a, b: score_candidates(a, {"b": b}),
    "pairwise_scores": lambda a, b: pairwise_scores([a, b], index="rand_score"),
    "consensus_partition": lambda a, b: consensus_partition([a, b]),
    "relabel": sklearn_clustcompare.relabel,
    "from_labels": sklearn_clustcompare.ContingencyTable.from_labels,
    "element_centric_similarity_score": sklearn_clustcompare.element_centric_similarity_score,
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("pred", [PRED, [(0, 1, 2), (3, 4, 5)], [(1, 2), (0, 3), (4, 5)]])
def test_lists_of_members_have_no_score(call, pred):
    with pytest.raises(ValueError, match=r"all different on both sides: .* Cover\.from_sets"):
        CALLS[call](TRUE, pred)


def test_tuples_remain_labels():
    chains = [("A", 1), ("A", 2), ("B", 1), ("B", 1)]
    assert adjusted_rand_score(chains, [0, 1, 2, 2]) == 1.0
    assert adjusted_rand_score([(0,), (1,), (2,)], [0, 1, 1]) == 0.0
    first = {"x": (0, 1), "y": (2, 3)}  # the objects have names
    assert adjusted_rand_score(first, {"y": (0, 2), "x": (1, 3)}) == 1.0
