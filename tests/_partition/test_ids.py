"""Partitions of different sets of objects on the objects they share."""

import builtins
import dataclasses
import datetime
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare import (
    ContingencyTable,
    adjusted_rand_score,
    chance_adjusted_score,
    cluster_decomposition,
    clustering_comparison_report,
    consensus_partition,
    index_curve,
    match_clusters,
    pair_confusion_matrix,
    paired_comparison_test,
    pairwise_scores,
    permutation_test,
    recommend_index,
    score_candidates,
)
from sklearn_clustcompare.candidates import align_partitions
from sklearn_clustcompare.consensus import common_refinement, is_refinement, medoid_partition
from sklearn_clustcompare.metrics import categorical_entropy, expected_mutual_info
from sklearn_clustcompare.report import noise_bounds
from sklearn_clustcompare.significance import independence_test
from tests._examples import slow

ID = st.one_of(st.integers(-5, 5), st.sampled_from(["a", "b", "1", "-1"]))
PARTITION = st.dictionaries(ID, st.integers(0, 3), max_size=8)


def aligned_dicts(first, second, **options):
    return align_partitions(
        list(first.values()),
        list(second.values()),
        ids_true=_ids(first),
        ids_pred=_ids(second),
        **options,
    )


def _ids(partition):
    array = np.empty(len(partition), dtype=object)
    array[:] = list(partition)
    return array


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


def test_series_by_their_index():
    first = pd.Series([0, 0, 1, 1], index=list("abcd"))
    second = pd.Series(["x", "y", "x", "y"], index=list("dbca"), dtype="category")
    aligned = align_partitions(first, second)
    frame = pd.DataFrame({"true": first, "pred": second}).loc[first.index]
    assert aligned.labels_pred.tolist() == frame["pred"].tolist()
    assert aligned.coverage == 1.0
    assert adjusted_rand_score(*aligned.labels) == adjusted_rand_score(frame["true"], frame["pred"])


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


def test_many_series_on_the_objects_of_each_pair():
    series = {
        "one": pd.Series([0, 1, 2, 3], index=[4, 3, 2, 1]),
        "two": pd.Series([5, 6, 7], index=[1, 2, 3]),
        "three": pd.Series([8, 8], index=[3, 1]),
    }
    with pytest.warns(UserWarning, match="coverage is 50.0% for some pairs"):
        scores = pairwise_scores(series, index="rand_score", align=True)
    assert scores.coverage.tolist() == [[1.0, 0.75, 0.5], [0.75, 1.0, 2 / 3], [0.5, 2 / 3, 1.0]]
    assert scores.values.tolist() == [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


# --------------------------------------------------------------------------- the rule for all

DEFAULT = pd.Series([0, 0, 1, 1, 1])
LETTERS = DEFAULT.set_axis(list("abcde"))
SAME = [
    (DEFAULT, DEFAULT.copy()),
    (LETTERS, LETTERS.copy()),
    (LETTERS, DEFAULT),
    (DEFAULT, LETTERS),
    (DEFAULT.set_axis([10, 3, 8, 4, 5]), DEFAULT),
    (DEFAULT.set_axis([0, 1, 2, 3, 5]), DEFAULT),
    (DEFAULT.set_axis(np.arange(5)), DEFAULT),
    (LETTERS, DEFAULT.to_numpy()),
    (DEFAULT.to_list(), LETTERS),
]
OTHERS = [
    (DEFAULT, DEFAULT.iloc[[4, 2, 0, 1, 3]]),
    (DEFAULT.iloc[[4, 2, 0, 1, 3]], DEFAULT),
    (DEFAULT.set_axis([1, 0, 2, 3, 4]), DEFAULT),
    (LETTERS, LETTERS.iloc[::-1]),
    (LETTERS, DEFAULT.set_axis(list("abcdx"))),
    (DEFAULT.set_axis(pd.RangeIndex(0, 10, 2)), LETTERS),
    (LETTERS, DEFAULT.set_axis(pd.RangeIndex(1, 6))),
]
FUNCTIONS = {
    "index": adjusted_rand_score,
    "table": ContingencyTable.from_labels,
    "pairs": pair_confusion_matrix,
    "matching": match_clusters,
    "moments": expected_mutual_info,
    "memberships": lambda y, found: ContingencyTable.from_memberships(
        y, pd.get_dummies(found) * 1.0
    ),
    "report": clustering_comparison_report,
    "decomposition": cluster_decomposition,
    "adjustment": lambda y, found: chance_adjusted_score(y, found, index="rand_score"),
    "independence": independence_test,
    "permutation": lambda y, found: permutation_test(y, found, index="purity_score", n_resamples=9),
    "paired": lambda y, found: paired_comparison_test(
        y, found, [0, 0, 1, 1, 0], index="adjusted_rand_score", n_resamples=9, random_state=0
    ),
    "candidates": lambda y, found: score_candidates(y, [found], indices="rand_score"),
    "pairwise": lambda y, found: pairwise_scores([y, found], index="rand_score"),
    "curve": lambda y, found: index_curve(y, {2: found}, index="rand_score"),
    "consensus": lambda y, found: consensus_partition([y, found]),
    "medoid": lambda y, found: medoid_partition([y, found]),
    "product": common_refinement,
    "refinement": is_refinement,
    "bounds": lambda y, found: noise_bounds(y, found, index="purity_score"),
    "weights": lambda y, weight: recommend_index(y, sample_weight=weight + 1),
    "categories": lambda X, labels: (
        categorical_entropy(X.to_frame(), labels) if hasattr(X, "to_frame") else None
    ),
}


@pytest.mark.parametrize(
    "function",
    [
        slow(function, id=name) if name == "paired" else pytest.param(function, id=name)
        for name, function in FUNCTIONS.items()
    ],
)
def test_positions_count_where_indexes_do_not_contradict_them(function):
    for labels in SAME:
        function(*labels)


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_indexes_of_other_orders_are_an_error_that_names_both_ways_out(function):
    message = r"must have the same index.*align_partitions.*\.to_numpy"
    for labels in OTHERS:
        with pytest.raises(ValueError, match=message):
            function(*labels)


def test_shuffled_reference_and_fresh_candidates_are_not_aligned_silently():
    truth = pd.Series(np.repeat([0, 1, 2], 50)).sample(frac=1, random_state=0)
    candidates = pd.DataFrame({"a": np.repeat([0, 1], 75), "b": np.arange(150) % 5})
    with pytest.raises(ValueError, match=r"candidate 0 \('a'\) must have the same index"):
        score_candidates(truth, candidates, indices="adjusted_rand_score")


def test_the_result_is_frozen():
    aligned = align_partitions([0, 1], [0, 1], ids_true=[1, 2], ids_pred=[2, 1])
    with pytest.raises(dataclasses.FrozenInstanceError):
        aligned.coverage = 1.0


def test_ids_need_no_pandas(monkeypatch):
    real_import = builtins.__import__

    def without_pandas(name, *args, **kwargs):
        if name.startswith("pandas"):
            raise ImportError(name)
        return real_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_pandas)
    aligned = align_partitions(["a", "b"], [0, 1], ids_true=[1, 2], ids_pred=[2, 1])
    assert aligned.labels_pred.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"ids_true": ["a", "b", "a"], "ids_pred": ["a", "b", "c"]},
            ValueError,
            "ids_true must name each object once, got 'a' at positions 0 and 2",
        ),
        (
            {"ids_true": [1, 2, 3], "ids_pred": [5, 4, 4]},
            ValueError,
            r"ids_pred must name each object once, got (np.int64\()?4\)? at positions 1 and 2",
        ),
        (
            {"ids_true": [1, 2], "ids_pred": [1, 2, 3]},
            ValueError,
            "labels_true and ids_true must have the same length, got 3 and 2",
        ),
        (
            {"ids_true": [1, 2, 3]},
            TypeError,
            "labels_pred must be a dict or a pandas Series where no ids are given, got list",
        ),
        (
            {"ids_true": [1, 2, 3], "ids_pred": ["1", "2", "3"]},
            ValueError,
            "must have an object in common, got none",
        ),
        (
            {"ids_true": [1, 2, None], "ids_pred": [1, 2, 3]},
            ValueError,
            "ids_true must not contain missing values, got None at position 2",
        ),
    ],
)
def test_errors(arguments, error, message):
    with pytest.raises(error, match=message):
        align_partitions([0, 1, 2], [0, 1, 2], **arguments)


def test_a_repeated_index_is_named():
    series = pd.Series([0, 1], index=["a", "a"])
    with pytest.raises(
        ValueError, match="index of labels_true must name each object once, got 'a'"
    ):
        align_partitions(series, series)


def test_dicts_are_aligned_by_their_keys():
    first, second = {"a": 0, "b": 0, "c": 1}, {"c": "x", "d": "y", "b": "x"}
    for sides in ((first, second), (pd.Series(first), second), (first, pd.Series(second))):
        with pytest.warns(UserWarning, match="2 of 4 objects"):
            found = align_partitions(*sides)
        assert found.ids.tolist() == ["b", "c"]
        assert [side.tolist() for side in found.labels] == [[0, 1], ["x", "x"]]
    assert len(align_partitions(first, second, unmatched="singleton").ids) == 4
