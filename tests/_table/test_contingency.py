"""The contingency table: construction, arithmetic, freezing, display, memory."""

import copy
import random
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from sklearn_clustcompare import ContingencyTable, adjusted_rand_score
from tests import _oracles as oracles
from tests._inputs import import_or_skip

LABEL = st.one_of(st.integers(-3, 3), st.sampled_from(["a", "b", "1", "é", ""]), st.booleans())
LABEL_OF_ONE_TYPE = LABEL.filter(lambda label: label != "1")  # beside 1, the type has changed
OF_ONE_TYPE = st.lists(
    st.tuples(LABEL_OF_ONE_TYPE, LABEL_OF_ONE_TYPE, st.integers(0, 3)), max_size=25
)
OBJECTS = st.lists(st.tuples(LABEL, LABEL, st.integers(0, 3)), max_size=25)


def table_of(objects, weighted=True):
    """Count triples of true label, predicted label, weight."""
    sides = [np.fromiter([item[side] for item in objects], object) for side in (0, 1)]
    weights = np.array([item[2] for item in objects], dtype=np.int64)
    return ContingencyTable.from_labels(*sides, sample_weight=weights if weighted else None)


def by_label(table):
    dense = table.counts.toarray()
    return {
        (row, col): dense[i, j]
        for i, row in enumerate(table.row_labels.tolist())
        for j, col in enumerate(table.col_labels.tolist())
        if dense[i, j]
    }


# --------------------------------------------------------------------------- construction


@given(OBJECTS)
def test_counts_of_labels(objects):
    table = table_of(objects, weighted=False)
    counted = {}
    for first, second, _ in objects:
        counted[first, second] = counted.get((first, second), 0) + 1
    assert by_label(table) == counted
    assert table.n_samples == len(objects)
    assert table.row_sums.tolist() == table.counts.toarray().sum(axis=1).tolist()
    assert table.col_sums.tolist() == table.counts.toarray().sum(axis=0).tolist()
    assert (table.row_sums > 0).all()
    assert (table.col_sums > 0).all()
    assert table.shape == (len(table.row_labels), len(table.col_labels)) == table.counts.shape


def test_all_roads_of_counting_agree(case):
    labels_true, labels_pred = (list(labels) for labels in case)
    expected = sorted(n for row in oracles.dense_table(labels_true, labels_pred) for n in row if n)
    number = [{label: i for i, label in enumerate(dict.fromkeys(side))} for side in case]
    coded = [[number[side][label] for label in case[side]] for side in (0, 1)]
    for spread in (1, 10**6, 10**15):  # an array of all cells, sorted cells, sorted labels
        spread_out = [[spread * code for code in side] for side in coded]
        table = ContingencyTable.from_labels(*spread_out)
        assert sorted(table.cell_counts.tolist()) == expected


def test_integers_of_both_ends_against_each_other():
    low, high = np.iinfo(np.int64).min, np.iinfo(np.uint64).max
    table = ContingencyTable.from_labels(
        np.array([low, low + 1, low]), np.array([high, high - 1, high], np.uint64)
    )
    assert by_label(table) == {(low, high): 2, (low + 1, high - 1): 1}


DENSE = np.array([[5, 0, 1], [0, 0, 0], [2, 0, 7]])


@pytest.mark.parametrize(
    "counts",
    [
        DENSE,
        DENSE.tolist(),
        DENSE.astype(float),
        DENSE.astype(np.uint8),
        DENSE.astype(object),
        pd.DataFrame(DENSE),
        np.asfortranarray(DENSE),
        sparse.csr_array(DENSE),
        sparse.csc_matrix(DENSE),
        sparse.coo_array(([2, 3, 1, 2, 7, 0], ([0, 0, 0, 2, 2, 1], [0, 0, 2, 0, 2, 1])), (3, 3)),
        sparse.lil_array(DENSE),
    ],
    ids=lambda counts: type(counts).__name__,
)
def test_counts_of_any_kind(counts):
    table = ContingencyTable.from_counts(counts)
    assert table.counts.toarray().tolist() == [[5, 1], [2, 7]]
    assert table.row_labels.tolist() == table.col_labels.tolist() == [0, 2]
    assert table.n_samples == 15
    assert table.counts.dtype == np.int64
    assert table.is_whole


def test_counts_of_a_crosstab_have_its_names():
    true, pred = list("abcab"), [10, 9, 9, 10, 10]
    crosstab = pd.crosstab(np.array(true), np.array(pred))
    table = ContingencyTable.from_counts(crosstab)
    assert table == ContingencyTable.from_labels(true, pred)
    assert table.to_frame().equals(ContingencyTable.from_counts(table.to_frame()).to_frame())
    named = ContingencyTable.from_counts(crosstab, row_labels=[1, 2, 3])
    assert (named.row_labels.tolist(), named.col_labels.tolist()) == ([1, 2, 3], [9, 10])
    levels = pd.crosstab([np.array(true), np.array(pred)], np.array(pred))
    assert ContingencyTable.from_counts(levels).row_labels.tolist() == [
        ("a", 10),
        ("b", 9),
        ("b", 10),
        ("c", 9),
    ]
    crosstab.columns = ["x", "x"]
    with pytest.raises(ValueError, match="^col_labels must be unique, got"):
        ContingencyTable.from_counts(crosstab)


def test_counts_with_names():
    table = ContingencyTable.from_counts(
        [[1, 2], [3, 0], [0, 0]], row_labels=["z", "a", "empty"], col_labels=[5, -5]
    )
    assert by_label(table) == {("z", 5): 1, ("z", -5): 2, ("a", 5): 3}
    assert table.row_labels.tolist() == ["a", "z"]
    assert table.col_labels.tolist() == [-5, 5]
    assert table.counts.toarray().tolist() == [[0, 3], [2, 1]]


def test_counts_beyond_what_a_float_tells_apart():
    huge = 2**60 + 1
    table = ContingencyTable.from_counts([[huge, 1], [0, huge + 2]])
    assert table.counts.toarray().tolist() == [[huge, 1], [0, huge + 2]]
    assert table.n_samples == 2 * huge + 3
    squares = 2 * huge**2 + 4 * huge + 5
    assert table.square_sums.cells == squares


@pytest.mark.parametrize(
    "table",
    [
        ContingencyTable.from_labels([], []),
        ContingencyTable.from_labels(np.array([], str), pd.Series([], dtype=object)),
        ContingencyTable.from_labels([1, 2], [3, 4], sample_weight=[0, 0]),
        ContingencyTable.from_counts(np.zeros((0, 0))),
        ContingencyTable.from_counts(np.zeros((3, 2))),
        ContingencyTable.from_counts(sparse.csr_array((4, 5))),
    ],
)
def test_empty_table(table):
    assert table.shape == (0, 0)
    assert table.n_samples == 0
    assert table.counts.shape == (0, 0)
    assert table == table.T
    assert table + table == table
    full = ContingencyTable.from_labels([1, 1], ["a", "b"])
    assert table + full == full + table == full
    assert "0 objects" in repr(table)
    assert "0 objects" in table._repr_html_()


def test_input_is_not_modified():
    arrays = {
        "labels_true": np.array([5, 3, 3, 9]),
        "labels_pred": np.array(["b", "a", "b", "a"], object),
        "sample_weight": np.array([1.0, 2.0, 0.0, 4.0]),
    }
    before = copy.deepcopy(arrays)
    table = ContingencyTable.from_labels(**arrays)
    counts = sparse.coo_array(([1, 2, 3], ([0, 0, 1], [0, 0, 1])), (2, 2))
    dense = np.array([[1, 2], [3, 4]])
    ContingencyTable.from_counts(counts)
    ContingencyTable.from_counts(dense)
    for name, array in arrays.items():
        assert array.tolist() == before[name].tolist()
        assert array.flags.writeable
    assert counts.nnz == 3
    assert counts.data.tolist() == [1, 2, 3]
    assert counts.data.flags.writeable
    assert dense.flags.writeable
    arrays["labels_true"][:] = 0
    assert table.row_labels.tolist() == [3, 5, 9]


def test_input_may_change_after_the_table_was_made():
    dense = np.array([[1, 2], [3, 4]])
    names = np.array(["x", "y"])
    table = ContingencyTable.from_counts(dense, row_labels=names, col_labels=names)
    dense[:] = 0
    names[:] = "z"
    assert table.counts.toarray().tolist() == [[1, 2], [3, 4]]
    assert table.row_labels.tolist() == ["x", "y"]


# --------------------------------------------------------------------------- transpose, sum, ==


@given(OBJECTS)
def test_transpose_swaps_the_sides(objects):
    table = table_of(objects)
    swapped = table_of([(second, first, weight) for first, second, weight in objects])
    assert swapped == table.T
    assert table == table.T.T
    assert table.T.counts.toarray().tolist() == table.counts.toarray().T.tolist()


@given(OF_ONE_TYPE, st.integers(1, 4), st.randoms(use_true_random=False))
def test_sum_of_parts_is_the_whole_in_any_order(objects, n_parts, shuffler):
    parts = [[] for _ in range(n_parts)]
    for item in objects:
        shuffler.choice(parts).append(item)
    tables = [table_of(part) for part in parts]
    whole = table_of(objects)
    assert sum(tables) == whole
    random.Random(0).shuffle(tables)
    added = sum(tables[1:], tables[0])
    assert added == whole
    assert by_label(added) == by_label(whole)
    assert added.row_sums.sum() == whole.n_samples


@given(OF_ONE_TYPE, st.integers(0, 25))
def test_difference_is_the_table_of_the_objects_left(objects, n_gone):
    whole, gone = table_of(objects), table_of(objects[:n_gone])
    left = whole - gone
    assert left == table_of(objects[n_gone:])
    assert left.row_sums.tolist() == table_of(objects[n_gone:]).row_sums.tolist()
    assert left.is_whole
    assert gone + left == left + gone == whole
    assert whole - whole == table_of([])


@given(OF_ONE_TYPE, OF_ONE_TYPE)
def test_difference_has_no_negative_cells(objects, others):
    first, second = table_of(objects), table_of(others)
    counts, gone = by_label(first), by_label(second)
    if all(counts.get(cell, 0) >= count for cell, count in gone.items()):
        assert by_label(first - second) == {
            cell: count - gone.get(cell, 0)
            for cell, count in counts.items()
            if count > gone.get(cell, 0)
        }
    else:
        with pytest.raises(ValueError, match="^a table must hold all objects of the table that is"):
            _ = first - second


def test_a_window_slides():
    rng = np.random.default_rng(0)
    sides = rng.integers(5, size=(2, 400)) * 1000
    weights = rng.random(400)
    for sample_weight in (np.ones(400, int), weights):
        parts = [
            ContingencyTable.from_labels(
                *sides[:, start : start + 20], sample_weight=sample_weight[start : start + 20]
            )
            for start in range(0, 400, 20)
        ]
        window = sum(parts[:3])
        for old, new in zip(parts, parts[3:], strict=False):
            window = window + new - old
        counted = sum(parts[-3:])
        assert window.shape == counted.shape
        np.testing.assert_allclose(window.counts.toarray(), counted.counts.toarray(), rtol=1e-12)


def test_difference_of_tables_with_dropped_objects():
    first, second = (
        ContingencyTable.from_labels(labels, [0] * len(labels), noise="drop")
        for labels in ([-1, -1, 0, 1], [-1, 0])
    )
    left = first - second
    assert (left.n_samples, left.coverage) == (1, 0.5)
    with pytest.raises(ValueError, match="got 1 objects dropped, and 2 to subtract"):
        _ = second + ContingencyTable.from_labels([0, 1], [0, 0]) - first


def test_what_cannot_be_subtracted():
    table = ContingencyTable.from_labels([0, -1], [0, 1], noise="singletons")
    with pytest.raises(ValueError, match="^a table that is subtracted must not have noise as sing"):
        _ = table - table
    assert table - ContingencyTable.from_labels([0], [0]) != table
    soft = ContingencyTable.from_memberships([0, 1], [[0.5, 0.5], [1, 0]])
    with pytest.raises(ValueError, match="^tables of memberships must not be subtracted"):
        _ = soft - soft


def test_sum_of_different_kinds_of_labels():
    first = ContingencyTable.from_labels([1, 2], ["a", "b"])
    second = ContingencyTable.from_labels(["y", "x", "x"], [True, 7, 7])
    total = first + second
    assert by_label(total) == {(1, "a"): 1, (2, "b"): 1, ("y", True): 1, ("x", 7): 2}
    floats = ContingencyTable.from_labels([1.0], np.array(["a"], object))
    assert (first + floats).counts.toarray().tolist() == [[2, 0], [0, 1]]
    unsigned = ContingencyTable.from_labels(np.array([2**63 + 1], np.uint64), ["a"])
    negative = ContingencyTable.from_labels([-1], ["a"])
    assert (unsigned + negative).row_labels.tolist() == [-1, 2**63 + 1]


@pytest.mark.parametrize("other", [1, "table", None, np.eye(2), 1.0])
def test_only_tables_are_added(other):
    table = ContingencyTable.from_labels([0, 1], [0, 1])
    with pytest.raises(TypeError):
        _ = table + other
    with pytest.raises(TypeError):
        _ = other + table
    with pytest.raises(TypeError):
        _ = table - other


def test_equality_is_by_label():
    table = ContingencyTable.from_labels([0, 0, 1], ["a", "b", "b"])
    for other in (
        ContingencyTable.from_labels([1.0, 0.0, 0.0], np.array(list("bab"), object)),
        ContingencyTable.from_counts([[1, 1], [0, 1]], col_labels=["a", "b"]),
    ):
        assert (table, hash(table)) == (other, hash(other))
    assert table != ContingencyTable.from_counts([[1, 1], [0, 1]])
    assert table != ContingencyTable.from_labels([0, 0, 1, 1], ["a", "b", "b", "b"])
    assert table != ContingencyTable.from_labels([0, 1, 1], ["a", "a", "b"])
    assert table != table.T
    assert table != "table"
    assert (table == table.counts) is False or table != 1


# --------------------------------------------------------------------------- frozen, pickled


# --------------------------------------------------------------------------- display


def test_repr_shows_counts_and_labels():
    table = ContingencyTable.from_labels(["x", "x", "yy"], [10, 10, -3])
    assert repr(table).splitlines() == [
        "ContingencyTable: 3 objects in 2 rows x 2 columns, 2 cells occupied",
        "    -3  10",
        "x    0   2",
        "yy   1   0",
    ]
    fractional = ContingencyTable.from_counts([[0.25, 1]])
    assert "1.25 objects" in repr(fractional)
    assert "0.25" in repr(fractional).splitlines()[-1]


def test_repr_of_a_large_table_is_short():
    labels = np.arange(2000)
    table = ContingencyTable.from_labels(labels, labels)
    text = repr(table)
    assert "2000 rows x 2000 columns" in text
    assert "..." in text
    assert len(text.splitlines()) <= 15
    assert max(map(len, text.splitlines())) < 120
    assert table._repr_html_().count("<tr>") <= 15


# --------------------------------------------------------------------------- memory


N_CLUSTERS = 43_000


def peak_of(function, *arguments, **keywords):
    tracemalloc.start()
    try:
        result = function(*arguments, **keywords)
        return result, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.thread_unsafe(reason="memory of the whole process is traced")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("spread", [1, 10**12])
def test_never_dense_with_many_clusters(spread, weighted):
    rng = np.random.default_rng(0)
    labels = [spread * rng.integers(N_CLUSTERS, size=100_000) for _ in range(2)]
    weights = rng.integers(1, 4, size=100_000) if weighted else None

    def use():
        table = ContingencyTable.from_labels(*labels, sample_weight=weights)
        _ = table.counts, table.square_sums, table.T, table + table, repr(table)
        return table

    table, peak = peak_of(use)
    assert min(table.shape) > 30_000
    assert peak < 60e6  # an array of all cells would take 1.3e9 even with one byte for each


@pytest.mark.thread_unsafe(reason="memory of the whole process is traced")
def test_never_dense_from_sparse_counts():
    codes = np.arange(N_CLUSTERS)
    matrix = sparse.coo_array((np.ones(N_CLUSTERS), (codes, codes[::-1])))
    table, peak = peak_of(ContingencyTable.from_counts, matrix)
    assert table.shape == (N_CLUSTERS, N_CLUSTERS)
    assert peak < 30e6


@pytest.mark.thread_unsafe(reason="memory of the whole process is traced")
def test_memory_does_not_grow_with_objects():
    labels = np.random.default_rng(0).integers(10, size=2_000_000).astype(np.int8)
    table, peak = peak_of(ContingencyTable.from_labels, labels, labels)
    assert table.n_samples == 2_000_000
    assert peak < 5e6


@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
def test_narrow_entries_of_one_cell_do_not_wrap_around(dtype):
    counts = sparse.coo_array((np.array([100, 100], dtype), ([0, 0], [0, 0])), shape=(1, 1))
    assert ContingencyTable.from_counts(counts).n_samples == 200


@pytest.mark.parametrize("labels", [[0, 1, 2], ["p", "q", "r"], [2, 0, 7]])
@pytest.mark.parametrize("columns", [["0", "1"], ["x", "y"]])
@pytest.mark.parametrize("package", ["polars.DataFrame", "pyarrow.table"])
def test_counts_of_a_frame_whose_rows_are_named_by_a_column(labels, columns, package):
    module, name = package.split(".")
    make = getattr(import_or_skip(module), name)
    counts = np.array([[1, 2], [0, 7], [5, 0]])
    of_columns = dict(zip(columns, counts.T.tolist(), strict=True))
    with pytest.raises(ValueError, match=r"column 'a' seems to name .* pass it as row_labels"):
        ContingencyTable.from_counts(make({"a": labels} | of_columns))
    plain = make(of_columns)
    expected = ContingencyTable.from_counts(counts, row_labels=labels, col_labels=columns)
    assert ContingencyTable.from_counts(plain, row_labels=make({"a": labels})["a"]) == expected
    if columns == ["x", "y"]:  # counts that differ may be names of rows
        with pytest.raises(ValueError, match=r"column 'x' seems to name .* or row_labels"):
            ContingencyTable.from_counts(plain)
    else:
        unnamed = ContingencyTable.from_counts(plain)
        assert unnamed == ContingencyTable.from_counts(counts, col_labels=columns)
        # Also where the names of the rows are no index of pandas.
        with pytest.raises(ValueError, match="column 'a' seems to name"):
            ContingencyTable.from_counts(pd.DataFrame({"a": labels} | of_columns))
    assert ContingencyTable.from_counts(make({"x": [1, 0, 1], "y": [2, 7, 3]})).n_samples == 14


def test_counts_given_as_labels_are_told_where_to_go():
    for counts, labels in ((np.array([[5, 1], [0, 4]]), None), ([[5, 1], [0, 4]], [0, 1])):
        with pytest.raises((TypeError, ValueError), match=r"ContingencyTable\.from_counts"):
            adjusted_rand_score(counts, labels)


@pytest.mark.parametrize(
    ("first", "second", "is_identity"),
    [
        (["a", "a", "b"], [1, 1, 0], True),
        ([0, 0, 0], [0, 1, 2], False),
        ([0, 1, 2], [0, 0, 0], False),
        ([0, 0, 1, 1], [0, 1, 1, 0], False),
        ([], [], True),
    ],
)
def test_equal_partitions(first, second, is_identity):
    assert ContingencyTable.from_labels(first, second).is_identity == is_identity
