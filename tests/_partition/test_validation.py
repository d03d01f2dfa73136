"""Bad input: a ValueError or TypeError that names the argument and what was got, nothing else."""

import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from sklearn_clustcompare import ContingencyTable
from tests._errors import said_by

# --------------------------------------------------------------------------- labels


BAD_LABELS = {
    "NaN in floats": ([0.0, np.nan, 1.0], ValueError, "nan at position 1"),
    "NaN in a float array": (np.array([np.nan, 1, 1]), ValueError, "nan at position 0"),
    "NaN in objects": (np.array(["a", np.nan, "b"], object), ValueError, "nan at position 1"),
    "NaN beside strings": (["a", "b", float("nan")], ValueError, "nan at position 2"),
    "NumPy NaN beside strings": (["a", "b", np.float64("nan")], ValueError, "at position 2"),
    "None": ([0, None, 1], ValueError, "None at position 1"),
    "None beside strings": (["a", "a", None], ValueError, "None at position 2"),
    "only None": ([None, None, None], ValueError, "None at position 0"),
    "pandas.NA": ([0, pd.NA, 1], ValueError, "<NA> at position 1"),
    "pandas.NaT": ([0, 1, pd.NaT], ValueError, "NaT at position 2"),
    "NaT": (np.array(["2020-01-01", "NaT", "NaT"], "M8[D]"), ValueError, "NaT at position 1"),
    "NaT difference": (np.array([1, 2, "NaT"], "m8[s]"), ValueError, "NaT at position 2"),
    "Series of floats": (pd.Series([0, np.nan, 1], index=[7, 8, 9]), ValueError, "position 1"),
    "Series of strings": (pd.Series(["a", None, "b"], index=[7, 8, 9]), ValueError, "position 1"),
    "nullable Series": (pd.Series([0, 1, None], dtype="Int64"), ValueError, "position 2"),
    "nullable booleans": (pd.Series([True, None, False], dtype="boolean"), ValueError, "1"),
    "Series of dates": (pd.Series(pd.to_datetime(["2020", None, "2021"])), ValueError, "1"),
    "Categorical": (pd.Categorical(["a", None, "b"]), ValueError, "position 1"),
    "Series of Categorical": (pd.Series([1, None, 2], dtype="category"), ValueError, "position 1"),
    "fractional floats": ([0.0, 1.5, 1.0], ValueError, "1.5 at position 1"),
    "fractional float32": (np.array([0, 0, 0.25], np.float32), ValueError, "0.25 at position 2"),
    "infinity": ([0.0, 1.0, np.inf], ValueError, "inf at position 2"),
    "fractional float among objects": ([0, "a", 0.5], ValueError, "0.5 at position 2"),
    "float beyond whole precision": ([0.0, 1.0, 2.0**60], ValueError, "at position 2"),
    "fractional category": (pd.Categorical([0.5, 1.0, 1.0]), ValueError, "0.5"),
    "masked": (np.ma.array([0, 1, 1], mask=[0, 1, 0]), ValueError, "masked"),
    "masked objects": (np.ma.array(["a", "b", "c"], object, mask=[0, 0, 1]), ValueError, "masked"),
    "column": (np.zeros((3, 1), int), ValueError, "(3, 1)"),
    "2-D": (np.zeros((3, 2)), ValueError, "(3, 2)"),
    "nested list": ([[0, 1], [1, 1], [0, 0]], ValueError, "(3, 2)"),
    "3-D": (np.zeros((3, 2, 2), int), ValueError, "(3, 2, 2)"),
    "0-D": (np.array(3), (TypeError, ValueError), "()"),
    "DataFrame": (pd.DataFrame({"a": [0, 1, 1]}), ValueError, "(3, 1)"),
    "ragged": ([[0], [1, 2], [3]], ValueError, "ragged"),
    "int": (3, TypeError, "int"),
    "None alone": (None, TypeError, "NoneType"),
    "str": ("abc", TypeError, "str"),
    "bytes": (b"abc", TypeError, "bytes"),
    "dict of sets": ({0: {1}, 1: {2}}, TypeError, "dict"),
    "set": ({0, 1, 2}, TypeError, "set"),
    "frozenset": (frozenset([0, 1, 2]), TypeError, "frozenset"),
    "generator": ((label for label in [0, 1, 1]), TypeError, "generator"),
    "map": (map(int, "011"), TypeError, "map"),
    "complex": ([0, 1j, 1], TypeError, "complex"),
    "sparse": (sparse.csr_array([[0, 1, 1]]), (TypeError, ValueError), ""),
    "structured": (np.zeros(3, [("a", int)]), TypeError, "dtype"),
}


@pytest.mark.parametrize("side", ["labels_true", "labels_pred"])
@pytest.mark.parametrize("name", BAD_LABELS)
def test_bad_labels(name, side):
    bad, error, got = BAD_LABELS[name]
    other = {"labels_true": "labels_pred", "labels_pred": "labels_true"}[side]
    with pytest.raises(error, match=f"{side}.*{re.escape(got)}") as caught:
        ContingencyTable.from_labels(**{side: bad, other: [0, 1, 1]})
    assert type(caught.value) in (TypeError, ValueError)
    assert other not in str(caught.value)


@pytest.mark.parametrize("unhashable", [{"a": 1}, {1}, np.zeros(2)])
def test_unhashable_labels(unhashable):
    labels = np.empty(3, object)
    labels[:] = [0, 1, 0]
    labels[1] = unhashable
    message = said_by(TypeError, ContingencyTable.from_labels, [0, 1, 1], labels)
    assert "labels_pred" in message
    assert f"{type(unhashable).__name__} at position 1" in message


def test_unhashable_labels_of_equal_length():
    labels = np.empty(2, object)
    labels[:] = [[1, 2], [3, 4]]
    message = said_by(TypeError, ContingencyTable.from_labels, labels, [0, 1])
    assert "labels_true" in message
    assert "list at position 0" in message


@pytest.mark.parametrize(("n_true", "n_pred"), [(3, 4), (0, 1), (100_001, 100_000)])
def test_lengths_differ(n_true, n_pred):
    message = said_by(
        ValueError, ContingencyTable.from_labels, np.zeros(n_true, int), np.zeros(n_pred, int)
    )
    assert "labels_true and labels_pred" in message
    assert f"{n_true} and {n_pred}" in message


def test_lengths_of_strings_and_categories_differ():
    message = said_by(
        ValueError, ContingencyTable.from_labels, ["a", "b"], pd.Categorical([1, 2, 2])
    )
    assert "2 and 3" in message


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


def test_mixed_labels_across_the_sides_are_kept():
    table = ContingencyTable.from_labels([1, "1", 2], [2**63, -1, -1])
    assert table.shape == (3, 2)
    assert table.col_labels.tolist() == [-1, 2**63]


def test_masked_array_without_masked_values_is_fine():
    labels = np.ma.array([0, 1, 1], mask=False)
    assert ContingencyTable.from_labels(labels, labels) == ContingencyTable.from_labels(
        [0, 1, 1], [0, 1, 1]
    )


# --------------------------------------------------------------------------- weights


BAD_WEIGHTS = {
    "negative": ([1, -2, 1], ValueError, "-2 at position 1"),
    "negative float": ([1, 1, -0.5], ValueError, "-0.5 at position 2"),
    "NaN": ([1, np.nan, 1], ValueError, "nan at position 1"),
    "infinite": ([1, 1, np.inf], ValueError, "inf at position 2"),
    "minus infinite": ([1, 1, -np.inf], ValueError, "inf at position 2"),
    "None": ([1, None, 1], (TypeError, ValueError), ""),
    "pandas.NA": (pd.Series([1, None, 1], dtype="Int64"), (TypeError, ValueError), ""),
    "short": ([1, 1], ValueError, "(2,)"),
    "long": (np.ones(4), ValueError, "(4,)"),
    "empty": ([], ValueError, "(0,)"),
    "2-D": (np.ones((3, 1)), ValueError, "(3, 1)"),
    "scalar": (2.0, ValueError, "()"),
    "strings": (["1", "2", "3"], TypeError, "U1"),
    "objects": (["a", 1, {}], TypeError, ""),
    "complex": ([1, 1j, 1], TypeError, "complex"),
    "dates": (np.array([1, 2, 3], "m8[s]"), TypeError, "timedelta64"),
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
    "negative float": ([[1, 2], [-0.5, 1]], ValueError, "-0.5 at position (1, 0)"),
    "NaN": ([[1, 2], [np.nan, 1]], ValueError, "nan at position (1, 0)"),
    "infinite": ([[1, np.inf], [0, 1]], ValueError, "inf at position (0, 1)"),
    "scalar": (3, ValueError, "0 dim"),
    "1-D": ([1, 2, 3], ValueError, "1 dim"),
    "3-D": (np.ones((2, 2, 2)), ValueError, "3 dim"),
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
    ],
    ids=repr,
)
def test_bad_names_of_clusters(argument, labels, error, got):
    with pytest.raises(error, match=f"{argument}.*{re.escape(got)}"):
        ContingencyTable.from_counts([[1, 2], [3, 4]], **{argument: labels})


def test_unhashable_names_of_clusters():
    names = np.empty(2, object)
    names[:] = [{}, 1]
    message = said_by(TypeError, ContingencyTable.from_counts, np.eye(2), row_labels=names)
    assert "row_labels" in message
    assert "dict" in message


def test_a_table_is_not_made_by_calling_the_class():
    message = said_by(TypeError, ContingencyTable, [0, 1], [0, 1])
    assert "from_labels" in message
    assert "from_counts" in message
