"""Labels of any kind become codes: values, order, fast paths."""

import numpy as np
import pandas as pd
import pytest

from sklearn_clustcompare import ContingencyTable

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


@pytest.mark.parametrize("n_names", [2, 20, 3000])
@pytest.mark.parametrize("kind", ["U", "S", ">U9"])
def test_long_arrays_of_text_are_counted_as_their_numbers(n_names, kind):
    rng = np.random.default_rng(0)
    numbers, other = rng.integers(0, n_names, (2, 30_000))
    names = np.array([f"name{i:05d}" for i in range(n_names)]).astype(kind)
    table = ContingencyTable.from_labels(names[numbers], other)
    expected = ContingencyTable.from_labels(numbers, other)
    assert table.row_labels.tolist() == names[expected.row_labels].tolist()
    assert (table.counts != expected.counts).nnz == 0


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
