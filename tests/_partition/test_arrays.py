"""Arrays and values as people give them: what is wrong, text, labels of two dimensions."""

import itertools
import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import sklearn_clustcompare
from sklearn_clustcompare import (
    ContingencyTable,
    Cover,
    adjusted_rand_score,
    cluster_decomposition,
    clustering_comparison_report,
    frobenius_adjusted_rand_score,
    pairwise_scores,
    purity_score,
    rand_score,
    score_candidates,
)
from sklearn_clustcompare.candidates import align_partitions
from sklearn_clustcompare.consensus import medoid_partition
from sklearn_clustcompare.hierarchies import clustering_tree
from sklearn_clustcompare.metrics import partition_coefficient
from tests._errors import said_by
from tests._memberships import one_hot

# --------------------------------------------------------------------------- labels


def _among_zeros(label):
    return np.fromiter([0, label, 0], object)


BAD_LABELS = {
    "NaN in objects": (np.array(["a", np.nan, "b"], object), ValueError, "nan at position 1"),
    "NaN beside strings": (["a", "b", float("nan")], ValueError, "nan at position 2"),
    "None": ([0, None, 1], ValueError, "None at position 1"),
    "pandas.NA": ([0, pd.NA, 1], ValueError, "<NA> at position 1"),
    "pandas.NaT": ([0, 1, pd.NaT], ValueError, "NaT at position 2"),
    "NaT": (np.array(["2020-01-01", "NaT", "NaT"], "M8[D]"), ValueError, "NaT at position 1"),
    "NaT difference": (np.array([1, 2, "NaT"], "m8[s]"), ValueError, "NaT at position 2"),
    "Series of floats": (pd.Series([0, np.nan, 1], index=[7, 8, 9]), ValueError, "position 1"),
    "nullable Series": (pd.Series([0, 1, None], dtype="Int64"), ValueError, "position 2"),
    "Series of dates": (pd.Series(pd.to_datetime(["2020", None, "2021"])), ValueError, "1"),
    "Categorical": (pd.Categorical(["a", None, "b"]), ValueError, "position 1"),
    "fractional floats": ([0.0, 1.5, 1.0], ValueError, "1.5 at position 1"),
    "infinity": ([0.0, 1.0, np.inf], ValueError, "inf at position 2"),
    "fractional float among objects": ([0, "a", 0.5], ValueError, "0.5 at position 2"),
    "float beyond whole precision": ([0.0, 1.0, 2.0**60], ValueError, "at position 2"),
    "fractional category": (pd.Categorical([0.5, 1.0, 1.0]), ValueError, "0.5"),
    "masked": (np.ma.array([0, 1, 1], mask=[0, 1, 0]), ValueError, "masked"),
    "masked objects": (np.ma.array(["a", "b", "c"], object, mask=[0, 0, 1]), ValueError, "masked"),
    "column": (np.zeros((3, 1), int), ValueError, "(3, 1)"),
    "2-D": (np.zeros((3, 2)), ValueError, "(3, 2)"),
    "nested list": ([[0, 1], [1, 1], [0, 0]], ValueError, "(3, 2)"),
    "0-D": (np.array(3), (TypeError, ValueError), "()"),
    "DataFrame": (pd.DataFrame({"a": [0, 1, 1]}), ValueError, "(3, 1)"),
    "ragged": ([[0], [1, 2], [3]], ValueError, "ragged"),
    "int": (3, TypeError, "int"),
    "None alone": (None, TypeError, "NoneType"),
    "str": ("abc", TypeError, "str"),
    "dict of sets": ({0: {1}, 1: {2}}, TypeError, "dict"),
    "set": ({0, 1, 2}, TypeError, "set"),
    "generator": ((label for label in [0, 1, 1]), TypeError, "generator"),
    "complex": ([0, 1j, 1], TypeError, "complex"),
    "sparse": (sparse.csr_array([[0, 1, 1]]), (TypeError, ValueError), ""),
    "structured": (np.zeros(3, [("a", int)]), TypeError, "dtype"),
    "dict among them": (_among_zeros({"a": 1}), TypeError, "dict at position 1"),
    "set among them": (_among_zeros({1}), TypeError, "set at position 1"),
    "array among them": (_among_zeros(np.zeros(2)), TypeError, "ndarray at position 1"),
}


@pytest.mark.parametrize("name", BAD_LABELS)
def test_bad_labels(name):
    bad, error, got = BAD_LABELS[name]
    for side, other in itertools.permutations(["labels_true", "labels_pred"]):
        with pytest.raises(error, match=f"{side}.*{re.escape(got)}") as caught:
            ContingencyTable.from_labels(**{side: bad, other: [0, 1, 1]})
        assert type(caught.value) in (TypeError, ValueError)
        assert other not in str(caught.value)


@pytest.mark.parametrize(("n_true", "n_pred"), [(3, 4), (0, 1), (100_001, 100_000)])
def test_lengths_differ(n_true, n_pred):
    message = said_by(
        ValueError, ContingencyTable.from_labels, np.zeros(n_true, int), np.zeros(n_pred, int)
    )
    assert "labels_true and labels_pred" in message
    assert f"{n_true} and {n_pred}" in message


@pytest.mark.parametrize(
    ("labels", "n_clusters"),
    [
        ([1, "1"], 2),
        (["1", 1, 1.0, True], 2),
        ([1, 1.0, True], 1),
        ([0, False, 0.0], 1),
        ([True, 2], 2),
        ([2**63, -1], 2),
        ([2**63, 2**63 + 1, -1], 3),
        ([2**64, 2**64 + 1], 2),
        ([-(2**70), 2**70], 2),
        ([2**53, 2**53 + 1], 2),
        ([2**53 + 1, 1.0, 2**53], 3),
        ([0, 2**64 - 1], 2),
        ([b"a", "a"], 2),
        ([(1, 2), (1, 2), (2, 1)], 2),
        ([(1,), 2, "1", (1,)], 3),
        (["nan", "None", ""], 3),
        (["a", "a\0", "", "\0", "a\0", "a"], 4),
        ([Fraction(1, 2), Fraction(1, 3), Fraction(2, 4)], 2),
        ([1.0, 2.0, 1.0], 2),
        ([-0.0, 0.0], 1),
    ],
    ids=repr,
)
def test_labels_are_equal_where_python_says_so(labels, n_clusters):
    table = ContingencyTable.from_labels(labels, np.zeros(len(labels), int))
    assert table.shape == (n_clusters, 1)
    assert len(set(labels)) == n_clusters
    assert set(table.row_labels.tolist()) == set(labels)


# --------------------------------------------------------------------------- weights


BAD_WEIGHTS = {
    "negative": ([1, -2, 1], ValueError, "-2 at position 1"),
    "infinite": ([1, 1, np.inf], ValueError, "inf at position 2"),
    "None": ([1, None, 1], (TypeError, ValueError), ""),
    "pandas.NA": (pd.Series([1, None, 1], dtype="Int64"), (TypeError, ValueError), ""),
    "short": ([1, 1], ValueError, "(2,)"),
    "empty": ([], ValueError, "(0,)"),
    "2-D": (np.ones((3, 1)), ValueError, "(3, 1)"),
    "strings": (["1", "2", "3"], TypeError, "U1"),
    "objects": (["a", 1, {}], TypeError, ""),
    "complex": ([1, 1j, 1], TypeError, "complex"),
    "masked": (np.ma.array([1, 1, 1], mask=[0, 0, 1]), ValueError, "masked"),
    "ragged": ([[1], [1, 2], 3], (TypeError, ValueError), ""),
    "too many": ([2**62, 2**62, 0], ValueError, "2**63"),
}


@pytest.mark.parametrize("name", BAD_WEIGHTS)
def test_bad_weights(name):
    weights, error, got = BAD_WEIGHTS[name]
    with pytest.raises(error, match=f"sample_weight.*{re.escape(got)}") as caught:
        ContingencyTable.from_labels([0, 1, 1], [0, 0, 1], sample_weight=weights)
    assert type(caught.value) in (TypeError, ValueError)


# --------------------------------------------------------------------------- counts


BAD_COUNTS = {
    "negative": ([[1, -2], [0, 1]], ValueError, "-2 at position (0, 1)"),
    "NaN": ([[1, 2], [np.nan, 1]], ValueError, "nan at position (1, 0)"),
    "scalar": (3, ValueError, "0 dim"),
    "1-D": ([1, 2, 3], ValueError, "1 dim"),
    "ragged": ([[1, 2], [1]], (TypeError, ValueError), ""),
    "strings": ([["1", "2"], ["3", "4"]], TypeError, "U1"),
    "objects": (np.array([["a", 1], [{}, 2]], object), TypeError, "objects"),
    "complex": ([[1j, 2], [1, 1]], TypeError, "complex"),
    "masked": (np.ma.array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]]), ValueError, "masked"),
    "sparse, negative": (sparse.csr_array([[1, -2], [0, 1]]), ValueError, "-2"),
    "sparse, NaN": (sparse.coo_array([[1.0, np.nan], [0, 1]]), ValueError, "nan"),
    "too many": ([[2**62, 2**62]], ValueError, "2**63"),
}
# Older SciPy has sparse arrays of two dimensions only.
if (vector := sparse.coo_array(np.array([1, 2]))).ndim == 1:
    BAD_COUNTS["sparse, 1-D"] = (vector, ValueError, "1 dim")


@pytest.mark.parametrize("name", BAD_COUNTS)
def test_bad_counts(name):
    counts, error, got = BAD_COUNTS[name]
    with pytest.raises(error, match=f"counts.*{re.escape(got)}") as caught:
        ContingencyTable.from_counts(counts)
    assert type(caught.value) in (TypeError, ValueError)


def test_whole_floats_are_exact_up_to_2_53():
    limit = 2.0**53
    table = ContingencyTable.from_counts([[limit - 3, 1.0], [0.0, 2.0]])
    assert table.is_whole
    assert table.n_samples == 2**53
    # The next number may have been rounded.
    assert not ContingencyTable.from_counts([[limit, 4.0], [0.0, 1.0]]).is_whole
    assert ContingencyTable.from_labels([limit, -limit], [0, 1]).row_labels.tolist() == [
        -(2**53),
        2**53,
    ]
    with pytest.raises(ValueError, match="labels_true must be discrete labels"):
        ContingencyTable.from_labels([0.0, limit + 2], [0, 1])


@pytest.mark.parametrize("argument", ["row_labels", "col_labels"])
@pytest.mark.parametrize(
    ("labels", "error", "got"),
    [
        (["a"], ValueError, "got 1"),
        (["a", "b", "c"], ValueError, "got 3"),
        (["a", "a"], ValueError, "a"),
        ([1, 1.0], ValueError, "1"),
        (["a", None], ValueError, "None"),
        ([0.5, 1], ValueError, "0.5"),
        ("ab", TypeError, "str"),
        ([[0, 1], [2, 3]], ValueError, "(2, 2)"),
        (np.fromiter([{}, 1], object), TypeError, "dict"),
    ],
    ids=repr,
)
def test_bad_names_of_clusters(argument, labels, error, got):
    with pytest.raises(error, match=f"{argument}.*{re.escape(got)}"):
        ContingencyTable.from_counts([[1, 2], [3, 4]], **{argument: labels})


# --------------------------------------------------------------------------- text as labels


LONG = "x" * 100_000 + "end"


@pytest.mark.parametrize("na", [None, np.nan])
@pytest.mark.parametrize("missing", ["drop", "cluster"])
def test_text_of_numpy_may_be_missing(na, missing):
    if not hasattr(np.dtypes, "StringDType"):
        pytest.skip("an old version")
    labels = np.array(["a", "b", na, "b"], np.dtypes.StringDType(na_object=na))
    found = ContingencyTable.from_labels(labels, [0, 1, 1, 1], missing=missing)
    plain = np.array(["a", "b", na, "b"], object)
    assert found == ContingencyTable.from_labels(plain, [0, 1, 1, 1], missing=missing)


def test_integers_that_numpy_does_not_have_are_an_error_that_names_the_argument():
    polars = pytest.importorskip("polars")
    labels = polars.Series([1, 2, 2], dtype=polars.Int128)
    with pytest.raises(TypeError, match="^labels_pred must be an array, got Series: .*i128"):
        rand_score([0, 1, 1], labels)


def test_large_whole_floats_name_the_limit():
    limit = 2.0**53
    assert rand_score([limit, limit, 0.0], [1, 1, 0]) == 1.0
    with pytest.raises(ValueError, match=r"whole numbers of at most 2\*\*53.*got 1\.15\d*e\+18"):
        rand_score([2.0**60, 2.0**60, 0.0], [1, 1, 0])
    with pytest.raises(ValueError, match=r"floats only if they are whole numbers\), got 0\.5"):
        rand_score([0.5, 2.0**60, 0.0], [1, 1, 0])


TEXTS = {
    "report": lambda name: clustering_comparison_report([name, name, "b"], [0, 0, 1]),
    "decomposition": lambda name: cluster_decomposition([name, name, "b"], [0, 0, 1]),
    "table": lambda name: ContingencyTable.from_labels([name, name, "b"], [0, 0, 1]),
    "candidates": lambda name: score_candidates([0, 0, 1], {name: [0, 0, 1]}),
    "pairs": lambda name: pairwise_scores({name: [0, 0, 1], "b": [0, 1, 1]}, index="rand_score"),
    "medoid": lambda name: medoid_partition({name: [0, 0, 1], "b": [0, 1, 1]}),
    "tree": lambda name: clustering_tree({"a": [name, name, "b"], "b": [0, 0, 1]}),
    "aligned": lambda name: align_partitions({name: 0, "b": 1}, {name: 0, "b": 1}),
    "cover": lambda name: Cover.from_sets([[name, "c"], ["a"]]),
}


@pytest.mark.parametrize("text", TEXTS)
def test_names_are_cut_in_their_middle_and_turn_nothing(text):
    shown = str(TEXTS[text](LONG))
    assert len(shown) < 20_000
    assert "xxx...xxx" in shown
    shown = str(TEXTS[text]("ab\u202ecd\u2066ef\ngh"))
    assert not {"\u202e", "\u2066"} & set(shown)
    assert "\\u202e" in shown
    assert "\\n" in shown


@pytest.mark.parametrize(
    "call",
    [
        lambda: rand_score({LONG: 0, "b": 1}, {"c": 0, "b": 1}),
        lambda: rand_score([{LONG, "b"}, {LONG}], {LONG: 1, "b": 1}),
        lambda: align_partitions([0, 1], [0, 1], ids_true=[LONG, LONG], ids_pred=[0, 1]),
        lambda: ContingencyTable.from_counts([[1, 2], [3, 4]], row_labels=[LONG, LONG]),
        lambda: score_candidates([0, 1], {LONG: [0]}),
        lambda: ContingencyTable.from_labels(["1", LONG], [0, 1], noise=LONG),
        lambda: Cover.from_sets([[LONG, LONG], ["a"]]),
        lambda: Cover.from_sets([[LONG, "c"], ["a"]], objects=["a", "b"]),
        lambda: score_candidates(LONG, ["a"], data={"a": [0, 1]}),
        lambda: sklearn_clustcompare.get_index(LONG),
    ],
)
def test_errors_cut_names(call):
    with pytest.raises(ValueError, match="xxx|must name a column") as caught:
        call()
    assert len(str(caught.value)) < 1_000


# ----------------------------------------------------- labels of two dimensions are no memberships


IMAGE = np.array([[0, 0, 3], [0, 2, 3], [1, 1, 1]])
ONE_HOT = one_hot([0, 1, 1, 0]).astype(int)
IS_TAKEN = r"labels_true: an array of shape \(4, 2\) of whole numbers, .* is read as memberships"


@pytest.mark.parametrize("form", [np.asarray, np.ndarray.tolist, pd.DataFrame])
@pytest.mark.parametrize("side", [0, 1])
def test_an_image_is_an_error_that_names_ravel(form, side):
    name = ("labels_true", "labels_pred")[side]
    sides = [form(IMAGE) if at == side else [0, 1, 1] for at in (0, 1)]
    with pytest.raises(
        ValueError,
        match=rf"^{name} must be a 1-D .* \.ravel\(\) .*from_images for two images$",
    ):
        adjusted_rand_score(*sides)


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64])
@pytest.mark.parametrize("form", [np.asarray, np.ndarray.tolist, pd.DataFrame])
def test_whole_one_hot_rows_are_memberships_with_a_warning(dtype, form):
    with pytest.warns(UserWarning, match=IS_TAKEN + r".*\.ravel\(\)"):
        score = purity_score(form(ONE_HOT.astype(dtype)), [5, 6, 6, 6])
    assert score == purity_score([0, 1, 1, 0], [5, 6, 6, 6])


def test_images_of_0_and_1_are_not_silent():
    first, second = np.array([[0, 1], [1, 0]]), np.array([[1, 0], [1, 0]])
    with (
        pytest.warns(UserWarning, match="labels_true: .* is read as memberships"),
        pytest.warns(UserWarning, match="labels_pred: .* is read as memberships"),
    ):
        adjusted_rand_score(first, second)
    with pytest.raises(ValueError, match=r"\.ravel\(\)"):
        adjusted_rand_score([0, 1], np.array([[1, 1], [1, 0]]))


def test_where_memberships_are_asked_for_whole_numbers_are_no_question():
    table = ContingencyTable.from_labels([0, 1, 1, 0], [5, 6, 6, 6])
    whole = ContingencyTable.from_memberships(ONE_HOT, [5, 6, 6, 6])
    np.testing.assert_array_equal(whole.counts.toarray(), table.counts.toarray())
    assert partition_coefficient(ONE_HOT) == 1.0
    for form in (sparse.csr_array(ONE_HOT), ONE_HOT.astype(float)):
        assert purity_score(form, [5, 6, 6, 6]) == 0.75
    rows = np.array([[1, 1], [1, 0], [0, 1]])
    assert 0 < frobenius_adjusted_rand_score(rows, rows, possibilistic=True) <= 1


@pytest.mark.parametrize("labels", [np.zeros((2, 2, 2), int), np.full((2, 1, 3), "a")])
def test_more_dimensions_are_an_error_that_names_ravel(labels):
    with pytest.raises(ValueError, match=rf"got an array of shape \({labels.shape[0]}, .*ravel"):
        adjusted_rand_score(labels, [0, 1])


# --------------------------------------------------------------------------- columns


def test_memberships_in_a_single_cluster_are_a_column_of_ones():
    assert purity_score([0, 1, 1], np.ones((3, 1))) == 2 / 3


# --------------------------------------------------------------------------- transposed
