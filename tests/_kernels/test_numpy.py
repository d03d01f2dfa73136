"""The kernels, in each form that is installed, against loops of Python."""

import collections
import ctypes
import functools
import math
import os
import subprocess
import sys
from unittest import mock

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import random_table

from sklearn_clustcompare import ContingencyTable, _kernels
from sklearn_clustcompare._chance.permutation import information_moments, permutation_model
from sklearn_clustcompare._kernels import _columns, _consensus, _numpy
from tests import _exact_moments
from tests._examples import FEW_EXAMPLES, slow
from tests._kernels import _forms as forms
from tests._laws import CELLS

INTEGERS = [np.dtype(code) for code in "bBhHiIlLqQ"]
each_form = forms.each_form(_numpy)


def as_counter(packed):
    """Return the count of each pair of codes, and check what else a packed table holds."""
    counts = packed.counts.reshape(len(packed.row_codes), len(packed.col_codes))
    assert counts.flags.c_contiguous
    assert counts.dtype == (np.int64 if counts.size <= 2**16 else np.int32)
    assert packed.row_sums.tolist() == counts.sum(axis=1).tolist()
    assert packed.col_sums.tolist() == counts.sum(axis=0).tolist()
    assert packed.row_sums.all()
    assert packed.col_sums.all()
    assert (packed.n_samples, packed.n_cells) == (counts.sum(), np.count_nonzero(counts))
    if packed.square_sums is not None:
        parts = counts.ravel(), packed.row_sums, packed.col_sums
        squares = [sum(n * n for n in part.tolist()) for part in parts]
        assert list(packed.square_sums) == squares
    return collections.Counter(
        {
            (row, col): int(counts[i, j])
            for i, row in enumerate(packed.row_codes.tolist())
            for j, col in enumerate(packed.col_codes.tolist())
            if counts[i, j]
        }
    )


@st.composite
def pairs_of_labels(draw):
    """Two arrays of small integers of any types, which may be -1 where the type allows it."""
    length = draw(st.integers(1, 40))
    sides = []
    for _ in range(2):
        dtype = draw(st.sampled_from(INTEGERS))
        low = -1 if dtype.kind == "i" else 0
        sides.append(draw(hnp.arrays(dtype, length, elements=st.integers(low, 30))))
    return sides


@each_form
@given(sides=pairs_of_labels())
def test_count_pair_is_a_count_of_pairs(kernels, sides):
    packed = kernels.count_pair(*sides)
    assert as_counter(packed) == collections.Counter(
        zip(sides[0].tolist(), sides[1].tolist(), strict=True)
    )


@pytest.mark.slow
@each_form
@pytest.mark.parametrize("n_objects", [2047, 2048, 2049, 16384, 16385, 70_000])
@pytest.mark.parametrize("is_sorted", [False, True])
def test_count_pair_of_many(kernels, n_objects, is_sorted):
    # Sorted labels need more bits again and again.
    rng = np.random.default_rng(0)
    rows = rng.integers(-1, 200, n_objects).astype(np.int16)
    cols = rng.integers(0, 16, n_objects)
    if is_sorted:
        rows.sort()
    counted = as_counter(kernels.count_pair(rows, cols))
    assert counted == collections.Counter(zip(rows.tolist(), cols.tolist(), strict=True))


# Of 1024 codes on a side: one run of them, in most of the table or in little of it, or gaps.
@each_form
@pytest.mark.parametrize("used", [range(1000), range(-1, 700), range(300, 900), range(0, 900, 2)])
@pytest.mark.parametrize(
    "others", [range(1000), slow(range(500, 990)), slow([*range(400), *range(500, 1000)])]
)
def test_large_tables_leave_out_what_is_empty(kernels, used, others):
    rng = np.random.default_rng(0)
    rows = rng.permutation(np.append(used, rng.choice(used, 300_000 - len(used))))
    cols = rng.permutation(np.append(others, rng.choice(others, 300_000 - len(others))))
    packed = kernels.count_pair(rows, cols)
    assert packed.row_codes.tolist() == list(used)
    assert packed.col_codes.tolist() == list(others)
    counts = np.zeros((1024, 1024), int)
    np.add.at(counts, (rows, cols), 1)
    counts = counts[np.ix_(used, others)]
    assert np.array_equal(packed.counts, counts.ravel())
    assert packed.counts.dtype == np.int32
    assert np.array_equal(packed.row_sums, counts.sum(axis=1))
    assert np.array_equal(packed.col_sums, counts.sum(axis=0))


SMALL = np.array([0, 1, 2, 1])


@each_form
@pytest.mark.parametrize(
    "other",
    [
        np.array([0, -2, 1, 1]),
        np.array([0, -128, 1, 1], np.int8),
        np.array([0, 2**40, 1, 1]),
        np.array([0, 2**63 - 1, 1, 1]),
        np.array([0, 2**64 - 1, 1, 1], np.uint64),
        np.array([0.0, 1, 1, 1]),
        np.array([True, False, True, True]),
        np.array(["a", "b", "b", "b"]),
        np.array([[0, 1], [1, 1]]),
        np.array([0, 1, 1]),
        np.array(0),
        np.arange(8)[::2],
        np.array([0, 1, 1, 1], np.dtype(np.int64).newbyteorder()),
    ],
    ids=lambda other: f"{other.dtype}{other.tolist()}"[:40],
)
def test_count_pair_leaves_other_arrays_to_their_readers(kernels, other):
    assert kernels.count_pair(SMALL, other) is None
    assert kernels.count_pair(other, SMALL) is None


@each_form
def test_the_largest_label_of_a_signed_type_is_not_small(kernels):
    # One more would be below zero.
    labels, zeros = np.array([-1, 126], np.int8), np.zeros(2, np.int8)
    assert kernels.count_pair(labels, zeros).row_codes.tolist() == [-1, 126]
    assert kernels.count_pair(labels + np.int8(1), zeros) is None


@each_form
@pytest.mark.parametrize("n_objects", [4, 2**10])
def test_count_pair_makes_a_table_that_is_worth_its_memory(kernels, n_objects):
    largest = (max(2**12, 8 * n_objects) // 2) - 1
    labels = np.zeros(n_objects, np.uint64)
    other = labels.copy()
    other[-1] = 1
    labels[-1] = largest
    assert kernels.count_pair(labels, other) is not None
    labels[-1] = largest + 1
    assert kernels.count_pair(labels, other) is None


@each_form
@given(
    counts=hnp.arrays(
        st.sampled_from([np.int32, np.int64]),
        hnp.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=6),
        elements=st.integers(0, 3),
    )
)
def test_pack_table_leaves_out_what_is_empty(kernels, counts):
    expected = {(i, j): n for (i, j), n in np.ndenumerate(counts) if n}
    assert as_counter(kernels.pack_table(counts)) == expected
    assert as_counter(kernels.pack_table(counts.T)) == {(j, i): n for (i, j), n in expected.items()}


@each_form
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize(
    "counts",
    [
        *([], [3], [1, 2, 3], [2**30, 2**30], [2**31 - 1, 5], [2**40, 2**41]),
        *(
            [most] * (n_counts - 1) + [largest]
            for n_counts in (255, 256, 257, 600)
            for largest in (4095, 4096, 65_535, 65_536)
            for most in (1, largest)
        ),
    ],
    ids=lambda counts: f"{len(counts)} to {max(counts, default=0)}",
)
def test_sum_of_squares_is_exact(kernels, dtype, counts):
    if max(counts, default=0) > np.iinfo(dtype).max:
        return
    exact = sum(count * count for count in counts)
    assert kernels.sum_of_squares(np.array(counts, dtype), sum(counts)) == exact
    spread = np.zeros(2 * len(counts), dtype)
    spread[::2] = counts
    assert kernels.sum_of_squares(spread[::2], sum(counts)) == exact


NOTHING = np.zeros(0, np.int64)
NO_CLUSTERS = (np.zeros(0), np.zeros(0)) * 2
EMPTY = _numpy.PackedTable(NOTHING, NOTHING, NOTHING, NOTHING, (0, 0), 0, 0)
OF_NO_OBJECTS = {
    "count_pair": ((NOTHING, NOTHING), None),
    "count_sparsely": ((NOTHING, NOTHING, 0, 0, (0, 0)), [[], [], [], [], (0, 0), 0, 0, None]),
    "number_codes": ((NOTHING, 0), [[], [], []]),
    "number_codes ": ((NOTHING, 3), [[], [], []]),
    "table_entropies": ((EMPTY,), [(0, 0), (0, 0)]),
    "information_excess": ((EMPTY,), 0),
    "expected_information": ((NOTHING, 0), 0),
    "convex_gain_sums": ((*NO_CLUSTERS, 0.0), [[], []]),
    "conditional_gain_sums": ((*NO_CLUSTERS, 0.0), [[], []]),
    "square_sums_together": (
        (np.zeros((3, 0), np.uint16), [(0, 1, 2), (0, 1)], [0, 0, 0]),
        [(0, 0, 0), (0,)],
    ),
}


@each_form
@pytest.mark.parametrize("name", OF_NO_OBJECTS)
def test_no_objects_have_no_counts_and_no_information(kernels, name):
    arguments, expected = OF_NO_OBJECTS[name]
    found = getattr(kernels, name.strip())(*arguments)
    if isinstance(expected, list):
        found = [one.tolist() if isinstance(one, np.ndarray) else one for one in found]
    assert found == expected


# --------------------------------------------------------------------------- sparse cells

LOWS = [0, -1, 7, -(2**63), 2**63 - 40, 2**64 - 40]


def cells_of(packed, n_samples):
    """Return the count of each pair of codes, and check what else packed cells hold."""
    for part in (packed.cells, packed.sizes, packed.codes):
        assert part.dtype == np.int64
    shape = len(packed.row_codes), len(packed.col_codes)
    assert packed.shape == shape
    assert (packed.n_samples, packed.n_cells) == (n_samples, len(packed.counts))
    assert (np.diff(packed.cells) > 0).all()
    rows, cols = np.divmod(packed.cells, max(shape[1], 1))
    for codes, sums, own in (
        (packed.row_codes, packed.row_sums, rows),
        (packed.col_codes, packed.col_sums, cols),
    ):
        assert (np.diff(codes) > 0).all()
        assert sums.tolist() == np.bincount(own, packed.counts, len(codes)).tolist()
    assert packed.counts.sum() == n_samples
    assert (packed.counts > 0).all()
    pairs = zip(packed.row_codes[rows].tolist(), packed.col_codes[cols].tolist(), strict=True)
    return dict(zip(pairs, packed.counts.tolist(), strict=True))


@st.composite
def sides_with_lows(draw):
    """Two arrays of codes that start from a number which may be anywhere, as (codes, low, n)."""
    length = draw(st.integers(0, 40))
    sides = []
    for _ in range(2):
        low = draw(st.sampled_from(LOWS))
        fitting = [
            dtype
            for dtype in INTEGERS
            if np.iinfo(dtype).min <= low and low + 39 <= np.iinfo(dtype).max
        ]
        dtype = draw(st.sampled_from(fitting)).newbyteorder(draw(st.sampled_from("=S")))
        codes = draw(st.lists(st.integers(0, 39), min_size=length, max_size=length))
        values = np.zeros(2 * length, dtype)
        values[::2] = [low + code for code in codes]
        values = values[::2] if draw(st.booleans()) else values[::2].copy()
        sides.append((values, low, codes, draw(st.sampled_from([40, 5000, 2**31]))))
    return sides


@pytest.mark.slow
@each_form
@given(sides=sides_with_lows())
def test_count_sparsely_is_a_count_of_pairs(kernels, sides):
    (rows, row_low, row_codes, n_rows), (cols, col_low, col_codes, n_cols) = sides
    packed = kernels.count_sparsely(rows, cols, row_low, col_low, (n_rows, n_cols))
    pairs = zip(row_codes, col_codes, strict=True)
    assert cells_of(packed, len(rows)) == collections.Counter(pairs)


@each_form
@pytest.mark.parametrize(
    "n_clusters", [1, 2, slow(3), 2**11, slow(5000), slow(50_000), 70_000, 2**23]
)
@pytest.mark.parametrize("is_sorted", [False, slow(True)])
def test_count_sparsely_of_many(kernels, n_clusters, is_sorted):
    rng = np.random.default_rng(0)
    rows, cols = rng.integers(0, n_clusters, (2, 70_000))
    if is_sorted:
        rows.sort()
    packed = kernels.count_sparsely(rows, cols, 0, 0, (n_clusters, n_clusters))
    pairs = zip(rows.tolist(), cols.tolist(), strict=True)
    assert cells_of(packed, len(rows)) == collections.Counter(pairs)


@each_form
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_count_sparsely_with_weights(kernels, dtype):
    rows, cols = np.array([7, 0, 7, 3]), np.array([9, 9, 9, 0])
    weights = np.array([2, 3, 4, 0], dtype)
    packed = kernels.count_sparsely(rows, cols, 0, 0, (10**6, 10**6), weights)
    found = packed.cells, packed.counts, packed.sizes, packed.codes
    assert [part.tolist() for part in found] == [[0, 1], [3, 6], [3, 6, 9], [0, 7, 9]]
    assert packed[4:] == ((2, 1), 9, 2, None)
    assert packed.counts.dtype == packed.sizes.dtype == dtype


# --------------------------------------------------------------------------- codes


@each_form
@pytest.mark.parametrize("used", [range(90), range(0, 90, 7), [40]])
def test_number_codes_leaves_out_what_does_not_occur(kernels, used):
    rng = np.random.default_rng(0)
    for dtype in INTEGERS:
        codes = rng.permutation(np.append(used, rng.choice(used, 300))).astype(dtype)
        occurring, numbers, sizes = kernels.number_codes(codes, 90)
        assert occurring.tolist() == list(used)
        assert np.array_equal(occurring[numbers], codes)
        assert sizes.tolist() == [codes.tolist().count(one) for one in used]


@each_form
@pytest.mark.parametrize("n_codes", [1, 2**50])
def test_number_codes_of_few_objects_among_many_codes(kernels, n_codes):
    codes = np.array([n_codes - 1, n_codes - 1])
    occurring, numbers, sizes = kernels.number_codes(codes, n_codes)
    assert (occurring.tolist(), numbers.tolist(), sizes.tolist()) == ([n_codes - 1], [0, 0], [2])


# --------------------------------------------------------------------------- text and objects


def check_numbers(found, labels):
    """Compare numbers of labels, and the first row of each, with those of a dict."""
    number = {}
    expected = [number.setdefault(label, len(number)) for label in labels]
    numbers, first = found
    assert numbers.dtype == first.dtype == np.int64
    assert numbers.tolist() == expected
    assert first.tolist() == [expected.index(one) for one in range(len(number))]


TEXTS = ["", "a", "b", "ab", "ba", "abcdefgh", "abcdefghi", "bbcdefghi"]


@each_form
@given(
    texts=st.lists(st.sampled_from(TEXTS), max_size=40),
    dtype=st.sampled_from(
        ["U0", "U1", "U2", "U3", "U9", ">U3", "S0", "S1", "S2", "S7", "S8", "S9", "S17"]
    ),
)
def test_number_text_numbers_by_first_rows(kernels, texts, dtype):
    is_empty = dtype.endswith("0")
    array = np.ndarray(len(texts), dtype, b"") if is_empty else np.array(texts).astype(dtype)
    assert array.dtype == dtype
    check_numbers(kernels.number_text(array), array.tolist())


@pytest.mark.slow
@each_form
@pytest.mark.parametrize("kind", ["U", "S", ">U9"])
@pytest.mark.parametrize("n_texts", [1, 3, 510, 514, 40_000])
def test_number_text_of_many(kernels, kind, n_texts):
    # Some are first seen in the last rows; 40,000 are more than fit into the slots of either form.
    rng = np.random.default_rng(0)
    texts = np.array([f"{i * 7919}" for i in range(n_texts)]).astype(kind)
    codes = np.append(rng.integers(0, n_texts, 50_000), np.arange(n_texts))
    numbers, first = kernels.number_text(texts[codes])
    by_value, expected_first = np.unique(codes, return_index=True)
    order = np.argsort(expected_first)
    assert first.tolist() == expected_first[order].tolist()
    assert (by_value[order][numbers] == codes).all()


@each_form
@pytest.mark.parametrize("width", [1, 7, 8, 9, 15, 16])
def test_texts_of_few_bytes_are_known_by_their_hash(kernels, width):
    rng = np.random.default_rng(width)
    texts = rng.integers(1, 256, (300, width)).astype(np.uint8)
    texts[150:] = texts[:150]
    texts[150:, -1] ^= 1  # as different as one bit
    rows = np.append(np.arange(300), rng.integers(300, size=9000))
    numbers, first = kernels.number_text(texts[rows].view(f"S{width}")[:, 0])
    check_numbers((numbers, first), [texts[row].tobytes() for row in rows])


class Alike:
    """Objects of the same hash; two of them are equal where their values are."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return isinstance(other, Alike) and self.value == other.value

    def __hash__(self):
        return 1


NAN = float("nan")
LABELS = [0, 1, True, 1.0, "1", "a", b"a", None, (1, "a"), Alike(1), Alike(1), Alike(2), NAN, -1]


@each_form
@given(labels=st.lists(st.sampled_from(LABELS), max_size=40), step=st.sampled_from([1, 2]))
def test_number_objects_numbers_by_first_rows(kernels, labels, step):
    array = np.fromiter(labels, object, len(labels))[::step]
    check_numbers(kernels.number_objects(array), labels[::step])


@each_form
@pytest.mark.parametrize("n_texts", [3, slow(3000)])
def test_number_objects_of_many(kernels, n_texts):
    # The same object again and again, and equal ones that are different objects.
    codes = np.random.default_rng(0).integers(0, n_texts, 20_000).tolist()
    texts = [f"name {code}" for code in range(n_texts)]
    same = [texts[code] for code in codes]
    for labels in (same, [f"name {code}" for code in codes]):
        check_numbers(kernels.number_objects(np.array(labels, object)), same)


@each_form
def test_number_objects_reads_entries_never_set_as_none(kernels):
    labels = np.array([None, "a", None, "a", None])
    ctypes.memset(labels.ctypes.data, 0, labels.itemsize)
    check_numbers(kernels.number_objects(labels), [None, "a", None, "a", None])


@pytest.mark.slow
@each_form
@pytest.mark.parametrize("n_values", [1, 40, 40_000, 10**6])
@pytest.mark.parametrize("dtype", ["int64", "uint64", "int32", ">i8", "M8[s]"])
def test_number_values_numbers_in_their_order(kernels, n_values, dtype):
    """A table of hashes; dates are sorted."""
    rng = np.random.default_rng(n_values)
    ends = np.iinfo(np.int32 if dtype == "int32" else np.int64)
    some = rng.integers(ends.min, ends.max, size=n_values)
    for n_rows in (0, 1, 1000, 65_536, 70_001):
        values = some[rng.integers(n_values, size=n_rows)].astype(dtype)[::-1]
        occurring, numbers = kernels.number_values(values)
        expected, expected_numbers = np.unique(values, return_inverse=True)
        assert occurring.dtype == values.dtype
        np.testing.assert_array_equal(occurring, expected)
        np.testing.assert_array_equal(numbers, expected_numbers)


@each_form
@pytest.mark.parametrize("labels", [[1, [2]], [{}], [1, 1, {3}]])
def test_number_objects_raises_where_labels_have_no_hash(kernels, labels):
    with pytest.raises(TypeError, match="unhashable"):
        kernels.number_objects(np.fromiter(labels, object, len(labels)))


@pytest.mark.slow
@pytest.mark.parametrize(("value", "form"), [("numpy", "numpy"), ("", "compiled")])
def test_the_environment_chooses_the_kernels(value, form):
    pytest.importorskip("sklearn_clustcompare._kernels._compiled")
    code = "from sklearn_clustcompare import _kernels; print(_kernels.KERNELS)"
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "SKLEARN_CLUSTCOMPARE_KERNELS": value},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == [form]


def test_every_compiled_kernel_has_its_form_in_numpy():
    for name, kernel in vars(_kernels).items():
        if str(getattr(kernel, "__module__", "")).endswith("._compiled"):
            assert any(hasattr(one, name) for one in (_numpy, _consensus, _columns))


@each_form
@pytest.mark.parametrize("shape", [(0, 3), (4, 0), (1, 1), (7, 1), (7, 2), (300, 5), (50, 8)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_bounds_of_memberships(kernels, shape, order):
    memberships = np.asarray(1 + np.random.default_rng(0).random(size=shape), order=order)
    for lowest in (-1.0, -0.0, 0.0, 1.0):
        if memberships.size:
            memberships[-1, shape[1] // 2] = lowest
        are_allowed, smallest_sum, largest_sum = kernels.membership_bounds(memberships)
        sums = [sum(row) for row in memberships.tolist()]
        assert are_allowed is (lowest >= 0 or not memberships.size)
        assert smallest_sum == pytest.approx(min(sums, default=np.inf), rel=1e-14, abs=1e-14)
        assert largest_sum == pytest.approx(max(sums, default=-np.inf), rel=1e-14, abs=1e-14)


@each_form
def test_bounds_of_memberships_that_are_no_numbers_break_the_rule(kernels):
    for row in ([np.inf, 0.0], [-np.inf, 1.0], [np.inf, -np.inf]):
        are_allowed, smallest_sum, largest_sum = kernels.membership_bounds(np.array([row]))
        assert not (are_allowed and smallest_sum >= 1 and largest_sum <= 1)
    for place in ((0, 0), (0, 2), (1, 1), (2, 2)):
        memberships = np.full((3, 3), 1 / 3)
        memberships[place] = np.nan
        assert kernels.membership_bounds(memberships)[0] is False


def exact_log_ratio_sum(parts, wholes, total):
    with mpmath.workdps(40):
        return float(
            mpmath.fsum(
                mpmath.mpf(part) / total * mpmath.log(mpmath.mpf(whole) / part)
                for part, whole in zip(parts, wholes, strict=True)
            )
        )


@each_form
@given(data=st.data())
def test_sum_of_logarithms_of_ratios(kernels, data):
    parts = data.draw(st.lists(st.integers(1, 10**6), min_size=1, max_size=30))
    rests = data.draw(st.lists(st.integers(0, 10**6), min_size=len(parts), max_size=len(parts)))
    order = data.draw(st.permutations(range(len(parts))))
    wholes, total = [part + rest for part, rest in zip(parts, rests, strict=True)], sum(parts)
    exact = exact_log_ratio_sum(parts, wholes, total)
    entropy = exact_log_ratio_sum(parts, [total] * len(parts), total)
    for dtype in (np.int64, np.float64):
        n, a = np.array(parts, dtype), np.array(wholes, dtype)
        found = kernels.log_ratio_sum(n, a, total)
        assert found == pytest.approx(exact, rel=1e-14, abs=0)
        assert found == kernels.log_ratio_sum(n[order], a[order], total)
        assert kernels.log_ratio_sum(n, total, total) == pytest.approx(entropy, rel=1e-14, abs=0)


# --------------------------------------------------------------------------- whole tables


def packed_forms(counts):
    """Return a table with all cells, and with the occupied ones, in each type that holds it."""
    counts = np.array(counts)
    whole = [counts.astype(dtype) for dtype in (np.int64, np.int32, np.float64)]
    sizes = np.concatenate([counts.sum(axis=1), counts.sum(axis=0)])
    for table in whole:
        kind = np.float64 if table.dtype.kind == "f" else np.int64
        flat, rest = table.ravel(), (sizes.astype(kind), np.zeros(0, int), counts.shape)
        cells = np.flatnonzero(flat)
        known = int(counts.sum()), len(cells)
        yield _numpy.PackedTable(flat, None, *rest, *known)
        yield _numpy.PackedTable(flat[cells], cells, *rest, *known)


def entropy_of(sizes, total):
    return exact_log_ratio_sum(sizes, [total] * len(sizes), total)


@st.composite
def full_tables(draw):
    """Counts without empty rows and columns."""
    n_rows, n_cols = draw(st.tuples(st.integers(1, 4), st.integers(1, 4)))
    largest = draw(st.sampled_from([2, 50, 10**6]))
    counts = draw(hnp.arrays(np.int64, (n_rows, n_cols), elements=st.integers(0, largest)))
    counts[np.arange(max(counts.shape)) % n_rows, np.arange(max(counts.shape)) % n_cols] += 1
    return counts


@each_form
@settings(max_examples=12)
@given(counts=full_tables())
def test_entropies_of_a_table(kernels, counts):
    rows, cols = np.nonzero(counts)
    row_sums, col_sums, n = counts.sum(axis=1), counts.sum(axis=0), counts.sum()
    cells = [int(count) for count in counts[rows, cols]]
    exact = (
        entropy_of(row_sums.tolist(), int(n)),
        entropy_of(col_sums.tolist(), int(n)),
        exact_log_ratio_sum(cells, col_sums[cols].tolist(), int(n)),
        exact_log_ratio_sum(cells, row_sums[rows].tolist(), int(n)),
    )
    for packed in packed_forms(counts):
        of_sides, given = kernels.table_entropies(packed)
        assert (*of_sides, *given) == pytest.approx(exact, rel=1e-14, abs=0)


@each_form
@settings(max_examples=12)
@given(
    counts=st.one_of(
        full_tables(),
        st.integers(2, 10**12).map(lambda n: np.array([[n, n + 1], [n, n]])),
        st.integers(1, 10**4).map(lambda n: np.array([[n, 0, 1], [0, n, 1], [1, 1, n]])),
    )
)
def test_information_near_independence(kernels, counts):
    n = int(counts.sum())
    with mpmath.workdps(60):
        expected = [
            [mpmath.mpf(int(a)) * int(b) / n for b in counts.sum(axis=0)]
            for a in counts.sum(axis=1)
        ]
        terms = [
            x * mpmath.log(mpmath.mpf(x) / e) - (x - e) if x else e
            for row, means in zip(counts.tolist(), expected, strict=True)
            for x, e in zip(row, means, strict=True)
        ]
        exact = float(mpmath.fsum(terms) / n)
    for packed in packed_forms(np.minimum(counts, 2**31 - 1)):
        if n == packed.n_samples and packed.counts.dtype.kind == "i":
            found = kernels.information_excess(packed)
            assert found == pytest.approx(exact, rel=2e-14, abs=1e-32)


@each_form
@given(
    rows=st.lists(st.integers(1, 9), min_size=1, max_size=20),
    cols=st.lists(st.integers(1, 2**53), min_size=1, max_size=20),
)
def test_sizes_of_both_sides_are_grouped(kernels, rows, cols):
    found = kernels.group_sizes(np.array(rows + cols), len(rows))
    for side, (sizes, counts) in zip((rows, cols), found, strict=True):
        assert sizes.dtype == counts.dtype == np.float64
        assert list(zip(sizes, counts, strict=True)) == sorted(collections.Counter(side).items())


@each_form
@given(
    rows=st.lists(st.integers(1, 40), min_size=1, max_size=8),
    data=st.data(),
)
def test_expected_information_is_the_sum_over_all_rows(kernels, rows, data):
    n = sum(rows)
    ends = data.draw(st.lists(st.integers(0, n), max_size=8))
    cols = [int(size) for size in np.diff(sorted({0, n, *ends}))]
    (row_sizes, row_counts), (col_sizes, col_counts) = (
        np.unique(side, return_counts=True) for side in (rows, cols)
    )
    in_rows, _ = kernels.convex_gain_sums(
        *(part.astype(float) for part in (row_sizes, row_counts, col_sizes, col_counts)), float(n)
    )
    found = kernels.expected_information(np.array(rows + cols), len(rows))
    exact = float(mpmath.fsum(in_rows * row_counts)) / n
    assert found == pytest.approx(exact, rel=1e-14, abs=1e-18)
    rng = np.random.default_rng(n)
    mixed = [*rng.permutation(cols), *rng.permutation(rows)]
    assert kernels.expected_information(np.array(mixed), len(cols)) == found


def length_of_code(totals, parts, n_labels, log_alpha):
    """Return the length for one alpha, by its logarithms."""
    steps = np.concatenate([np.arange(n) for n in totals]) / (n_labels * np.exp(log_alpha))
    kept = np.concatenate([np.arange(n) for n in parts]) / np.exp(log_alpha)
    return math.fsum(np.log1p(steps)) - math.fsum(np.log1p(kept))


@each_form
@pytest.mark.parametrize(
    ("totals", "parts"),
    [([12], [1, 4, 7]), ([5, 7], [5, 3, 4]), ([9, 3, 6], [8, 1, 3, 5, 1]), ([4, 4], [2, 2, 2, 2])],
)
def test_shortest_code_is_the_least_of_all_alphas(kernels, totals, parts):
    n_labels = 3
    lengths = [
        length_of_code(totals, parts, n_labels, number / 8) for number in range(-8 * 12, 8 * 12)
    ]
    nearest = int(np.argmin(lengths)) - 8 * 12
    steps = np.linspace((nearest - 1) / 8, (nearest + 1) / 8, 41)
    least = min(float(length_of_code(totals, parts, n_labels, one)) for one in steps)
    found = kernels.shortest_code(np.array(totals), np.array(parts), n_labels)
    assert min(least, 0.0) - 1e-4 < found <= min(least, 0.0) + 1e-12


@each_form
@pytest.mark.parametrize("exponent", [20, 40, 50, 53, 56])
def test_shortest_code_of_very_many_objects(kernels, exponent):
    parts = np.array([[3, 5, 2], [1, 4, 9], [6, 6, 1]]) * 2**exponent + [[1, 7, 3]]
    totals, n = parts.sum(axis=1), int(parts.sum())
    found = kernels.shortest_code(totals, parts.ravel(), 3)
    # The length changes with the logarithm of the counts only, where alpha is less than they are.
    with mpmath.workdps(50):
        factorials = [mpmath.loggamma(int(part) + 1) for part in parts.ravel()]
        rises = [mpmath.loggamma(int(total) + 3) - mpmath.loggamma(3) for total in totals]
        at_one = float(mpmath.fsum(rises) - n * mpmath.log(3) - mpmath.fsum(factorials))
    assert at_one - 100 - 1e-15 * n < found <= at_one + 1e-15 * n


@each_form
def test_code_of_one_label_each_has_no_choice(kernels):
    totals = np.array([3, 5, 1])
    found = kernels.shortest_code(totals, totals, 4)
    assert found == pytest.approx(-np.log(4) * (2 + 4), rel=1e-14)


MARGINS_OF_MOMENTS = [
    ([1, 1, 2, 3], [2, 5]),
    ([40, 50, 60], [50, 50, 50]),
    ([1] * 30 + [70], [10] * 10),  # one cluster has most of the objects
    ([98, 2], [50, 50]),
    ([3000, 5000, 2000], [9000, 500, 500]),
    (list(range(1, 30)), [29] * 15),
]


@pytest.mark.parametrize("sums", MARGINS_OF_MOMENTS)
def test_law_is_the_same_where_the_loops_do_not_answer(sums):
    table = random_table.rvs(*map(np.array, sums), random_state=1).astype(np.int64)
    found = []
    for counts in (table, table.T):
        seen = ContingencyTable.from_counts(counts)
        law = information_moments(permutation_model(seen), 1.0)
        found.append((law.standard_deviation, law.standardized(seen)))
        with (
            mock.patch("sklearn_clustcompare._chance.spectral.entropy_moments", return_value=None),
            mock.patch("sklearn_clustcompare._chance.spectral.entropy_position", return_value=None),
        ):
            law = information_moments(permutation_model(seen), 1.0)
            found.append((law.standard_deviation, law.standardized(seen)))
    for deviation, standardized in found[1:]:
        assert deviation == pytest.approx(found[0][0], rel=1e-11)
        assert standardized == pytest.approx(found[0][1], rel=1e-9, abs=1e-11)


@each_form
@pytest.mark.parametrize(
    ("parts", "whole", "expected", "rel"),
    [
        ([1e-310, 1.0], 1.0, 1e-310 * 310 * math.log(10), 1e-4),  # a ratio above all floats
        ([2**60, 2**60 + 1], 2**61 + 1, math.log(2), 1e-14),  # counts beyond whole floats
    ],
)
def test_logarithms_at_the_ends_of_floats(kernels, parts, whole, expected, rel):
    found = kernels.log_ratio_sum(np.array(parts), whole, whole)
    assert found == pytest.approx(expected, rel=rel, abs=0)


# --------------------------------------------------------------------------- hypergeometric laws

# Means on both sides of each change of method, the largest number of objects, cells that hardly
# vary, cells with many objects although few are outside.
HARD_CELLS = [
    (10**4, 1599, 1600),
    (10**4, 1600, 1600),
    (10**5, 5060, 5060),
    (243_264, 1709, 33_915),
    (258, 257, 257),
    (300, 299, 256),
    (620, 619, 619),
    (2000, 1990, 257),
    (600, 590, 262),
    (530, 500, 515),
    (10**9, 10**9 - 3, 255),
    (2**53, 2**30, 2**30),
    (2**53, 2**30, 2**31 - 1),
    (2**53, 2**40, 2**45),
    (2**53, 2**53 - 1, 200),
    (2**53, 2**53 - 1, 2**52),
    (2**53, 2**53 - 1, 2**53 - 1),
    (1, 1, 1),
    (7, 7, 3),
]


@functools.cache
def exact_gains(n, a, b):
    """E x ln(x N / (a b)), E x ln(b / x) and E x ln(a / x) of a cell."""
    with mpmath.workprec(_exact_moments.BITS):
        law = [(x, weight) for x, weight in _exact_moments.law(n, a, b) if x]
        return [
            float(mpmath.fsum(sign * weight * x * mpmath.log(x / whole) for x, weight in law))
            for sign, whole in (
                (1, mpmath.mpf(a) * b / n),
                (-1, mpmath.mpf(b)),
                (-1, mpmath.mpf(a)),
            )
        ]


def margin(*sizes):
    return np.array(sizes, np.float64), np.ones(len(sizes))


def check_gains(kernels, n, a, b):
    convex, given_col, given_row = exact_gains(n, a, b)
    rows, cols = margin(a), margin(b)
    sums = [
        *kernels.convex_gain_sums(*rows, *cols, float(n)),
        *kernels.conditional_gain_sums(*rows, *cols, float(n)),
    ]
    expected = [convex, convex, given_col, given_row]
    np.testing.assert_allclose(np.ravel(sums), expected, rtol=1e-14)


@pytest.mark.slow
@each_form
def test_gains_of_one_cell(kernels):
    for cell in CELLS + HARD_CELLS:
        check_gains(kernels, *cell)


@st.composite
def cells(draw):
    n = draw(st.integers(1, 2**53) | st.integers(1, 10**4))
    sizes = st.integers(1, n) | st.integers(1, min(n, 2**27)) | st.integers(max(1, n - 2**27), n)
    return n, draw(sizes), draw(sizes)


@each_form
@FEW_EXAMPLES
@given(cell=cells())
def test_gains_of_any_cell(kernels, cell):
    check_gains(kernels, *cell)


@each_form
@pytest.mark.parametrize("gains", ["convex_gain_sums", "conditional_gain_sums"])
@pytest.mark.parametrize("sizes", [(12, 9), slow((40, 30))], ids=str)
def test_gains_add_up(kernels, gains, sizes):
    rng = np.random.default_rng(0)
    n = 10**5
    rows, cols = (np.unique(rng.integers(1, 2000, size)).astype(float) for size in sizes)
    row_counts, col_counts = (rng.integers(1, 5, len(side)) + 0.5 for side in (rows, cols))
    add_up = getattr(kernels, gains)
    parts = np.array([[np.ravel(add_up(*margin(a), *margin(b), n)) for b in cols] for a in rows])
    in_rows, in_cols = add_up(rows, row_counts, cols, col_counts, n)
    np.testing.assert_allclose(in_rows, parts[:, :, 0] @ col_counts, rtol=1e-14)
    np.testing.assert_allclose(in_cols, row_counts @ parts[:, :, 1], rtol=1e-14)


@each_form
@pytest.mark.parametrize("gains", ["convex_gain_sums", "conditional_gain_sums"])
def test_gains_of_equal_margins(kernels, gains):
    sizes = np.array([1.0, 2.0, 7.0, 300.0, 4000.0])
    counts = np.array([3.0, 1.0, 2.0, 1.0, 1.0])
    n = sizes @ counts
    add_up = getattr(kernels, gains)
    in_rows, in_cols = add_up(sizes, counts, sizes, counts, n)
    # Beside a size that does not occur, the margins are not equal.
    other = np.append(sizes, 5.0), np.append(counts, 0.0)
    np.testing.assert_allclose(in_rows, add_up(sizes, counts, *other, n)[0], rtol=1e-14)
    np.testing.assert_allclose(in_cols, add_up(*other, sizes, counts, n)[1], rtol=1e-14)


# Cells of both methods and near their limits, few enough counts for exact polynomials.
EXPANDED_CELLS = [
    (2, 1, 1),
    (10, 5, 5),
    (40, 39, 17),
    (50, 3, 20),
    (300, 150, 140),
    (600, 590, 262),
    (620, 619, 619),
    (1000, 30, 40),
    (1000, 100, 100),
    (1000, 999, 998),
    (1600, 640, 639),
    (1600, 640, 641),
    (10**4, 1000, 500),
    (500_500, 700, 800),
    (10**6, 90, 500_000),
    (10**12, 1000, 10**6),
    (10**12, 10**12 - 5, 5 * 10**11),
    (10**12, 10**12 - 1000, 10**12 - 10**4),
    (2**53, 2**53 - 4, 2**53 - 2**50),
]
# Some of the variance may be left, less and less of it, none at all.
SHARES = [[1.0], [1e-3, 1e-6, 1e-9, 1e-12], [1e-10] * 24, [0.0] * 24]


@functools.cache
def exact_expansion(n, a, b):
    """Six coefficients of x ln x, mean and variance, without the tangent at mu if mu > 1."""
    law = dict(_exact_moments.law(n, a, b))
    mean = mpmath.mpf(a) * b / n

    def times(left, right):
        return mpmath.fsum(law[x] * left[x] * right[x] for x in law)

    values = {x: mpmath.mpf(x) * mpmath.log(x) if x else mpmath.mpf(0) for x in law}
    if mean > 1:
        line = {x: x * mpmath.log(mean) + x - mean for x in law}
        values = {x: values[x] - line[x] for x in law}
    basis, coefficients = [dict.fromkeys(law, mpmath.mpf(1))], []
    expected = times(values, basis[0])
    while len(basis) <= min(6, len(law) - 1):
        vector = {x: basis[-1][x] * (x - mean) for x in law}
        for known in basis:
            part = times(vector, known)
            vector = {x: vector[x] - part * known[x] for x in law}
        norm = mpmath.sqrt(times(vector, vector))
        basis.append({x: vector[x] / norm for x in law})
        coefficients.append(times(values, basis[-1]))
    square = times(values, values)
    return coefficients, expected, square - expected**2, square


def check_expansion(kernels, n, a, b, shares):
    found, mean, remainder = kernels.entropy_expansions(
        np.array([float(a)]), np.array([float(b)]), float(n), np.array(shares)
    )
    found = [float(column[0]) for column in found]
    with mpmath.workprec(_exact_moments.BITS):
        coefficients, expected, variance, square = exact_expansion(n, a, b)
        np.testing.assert_allclose(mean, float(expected), rtol=1e-14)
        total = mpmath.fsum(c * mpmath.mpf(c) for c in found) + mpmath.mpf(remainder[0])
        # Each value is rounded: where they nearly agree, their variance has fewer digits.
        rounding = 8 * np.finfo(float).eps * float(mpmath.sqrt(variance * square))
        np.testing.assert_allclose(float(total), float(variance), rtol=2e-14, atol=rounding)
        beyond = variance - (coefficients[0] ** 2 if coefficients else 0)
        left = beyond
        for degree, (mine, exact) in enumerate(zip(found, coefficients, strict=False), start=1):
            if degree > 1:
                allowed = shares[min(degree - 1, len(shares)) - 1]
                left, before = left - exact**2, left
                if not mine:  # other cells of a batch may have more degrees
                    assert before <= max(allowed, 1e-20) * beyond
                    continue
            tolerance = 1e-13 * float(mpmath.sqrt(variance))
            assert mine == pytest.approx(float(exact), rel=1e-13, abs=tolerance)


@pytest.mark.slow
@each_form
@pytest.mark.parametrize("shares", SHARES, ids=lambda shares: f"{shares[-1]}")
def test_expansion_of_one_cell(kernels, shares):
    for cell in EXPANDED_CELLS:
        check_expansion(kernels, *cell, shares)


@each_form
@given(
    cell=st.integers(2, 60).flatmap(lambda n: st.tuples(st.just(n), *[st.integers(1, n - 1)] * 2))
)
@settings(max_examples=20, deadline=None)
def test_expansion_of_any_small_cell(kernels, cell):
    check_expansion(kernels, *cell, [1e-10] * 24)


@each_form
def test_expansions_of_many_cells_are_those_of_each(kernels):
    n = 10**4
    sizes = [(1, 1), (3, 40), (100, 9000), (2000, 1500), (9999, 9998), (5000, 5000), (30, 70)]
    rows, cols = np.array(sizes, np.float64).T
    shares = np.array([1e-4, 1e-8, 1e-12, 1e-14] + [1e-16] * 4)
    found, means, remainders = kernels.entropy_expansions(rows, cols, float(n), shares)
    totals = np.sum(np.square(found), axis=0) + remainders
    for k in range(len(sizes)):
        one = slice(k, k + 1)
        alone, mean, remainder = kernels.entropy_expansions(rows[one], cols[one], float(n), shares)
        total = np.sum(np.square(alone), axis=0) + remainder
        assert means[k] == pytest.approx(mean[0], rel=1e-14)
        assert totals[k] == pytest.approx(total[0], rel=1e-14)
        for mine, other in zip(found, alone, strict=False):
            assert mine[k] == pytest.approx(other[0], rel=1e-11, abs=1e-7 * total[0] ** 0.5)


@pytest.mark.parametrize("n", [10**7, 10**12, 2**53])
def test_both_forms_expand_alike(n):
    compiled = pytest.importorskip("sklearn_clustcompare._kernels._compiled")
    # Too many counts for the exact polynomials.
    sizes = np.unique(np.geomspace(1, n - 1, 12).astype(np.int64)).astype(np.float64)
    rows, cols = (side.ravel() for side in np.meshgrid(sizes, sizes))
    shares = np.array([1e-6, 1e-10, 1e-14, 1e-18])
    first, second = (
        form.entropy_expansions(rows, cols, float(n), shares) for form in (compiled, _numpy)
    )
    np.testing.assert_allclose(first[1], second[1], rtol=1e-14)
    variances = [np.sum(np.square(found), axis=0) + left for found, _, left in (first, second)]
    np.testing.assert_allclose(*variances, rtol=1e-13)
    # In higher degrees NumPy's form misses the tails that it leaves out.
    for mine, other in zip(first[0][:12], second[0][:12], strict=True):
        both = (mine != 0) & (other != 0)
        assert np.all(np.abs(mine - other)[both] <= 1e-13 * np.sqrt(variances[1][both]))
