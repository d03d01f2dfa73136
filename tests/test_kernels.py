"""The kernels, in each form that is installed, against loops of Python."""

import collections
import subprocess
import sys

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sklearn_clustcompare import _kernels
from sklearn_clustcompare._kernels import _numpy

FORMS = [pytest.param(_numpy, id="numpy")]
try:
    from sklearn_clustcompare._kernels import _compiled
except ImportError:
    _compiled = None
else:
    FORMS.append(pytest.param(_compiled, id="compiled"))

INTEGERS = [np.dtype(code) for code in "bBhHiIlLqQ"]
each_form = pytest.mark.parametrize("kernels", FORMS)


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


@each_form
@pytest.mark.parametrize("n_cells", [2**16, 2**18])
def test_large_tables_have_short_integers(kernels, n_cells):
    side = int(n_cells**0.5)
    rows, cols = np.divmod(np.arange(n_cells), side)
    assert kernels.count_pair(rows, cols).counts.dtype == (
        np.int64 if n_cells == 2**16 else np.int32
    )


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
def test_count_pair_of_no_objects(kernels):
    nothing = np.zeros(0, np.int64)
    assert kernels.count_pair(nothing, nothing) is None


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
@pytest.mark.parametrize("counts", [[], [3], [1, 2, 3], [2**30, 2**30], [2**31 - 1, 5]])
def test_sum_of_squares_is_exact(kernels, dtype, counts):
    exact = sum(count * count for count in counts)
    assert kernels.sum_of_squares(np.array(counts, dtype), sum(counts)) == exact
    spread = np.zeros(2 * len(counts), dtype)
    spread[::2] = counts
    assert kernels.sum_of_squares(spread[::2], sum(counts)) == exact


@each_form
def test_sum_of_squares_beyond_64_bits(kernels):
    counts = np.array([2**40, 2**41])
    assert kernels.sum_of_squares(counts, int(counts.sum())) == 2**80 + 2**82


@pytest.mark.skipif(_compiled is None, reason="the kernels were not compiled")
@pytest.mark.parametrize(("value", "form"), [("numpy", "numpy"), ("", "compiled")])
def test_the_environment_chooses_the_kernels(value, form):
    code = "from sklearn_clustcompare import _kernels; print(_kernels.KERNELS)"
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={"SKLEARN_CLUSTCOMPARE_KERNELS": value},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == [form]


def test_every_compiled_kernel_has_its_form_in_numpy():
    for name in _kernels.__all__:
        assert name == "KERNELS" or hasattr(_numpy, name)


@each_form
@pytest.mark.parametrize("shape", [(0, 3), (4, 0), (1, 1), (7, 1), (7, 2), (300, 5), (50, 8)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_bounds_of_memberships(kernels, shape, order):
    memberships = np.asarray(np.random.default_rng(0).normal(size=shape), order=order)
    lowest, smallest_sum, largest_sum = kernels.membership_bounds(memberships)
    rows = memberships.tolist()
    sums = [sum(row) for row in rows]
    assert lowest == min((value for row in rows for value in row), default=np.inf)
    assert smallest_sum == pytest.approx(min(sums, default=np.inf), rel=1e-14, abs=1e-14)
    assert largest_sum == pytest.approx(max(sums, default=-np.inf), rel=1e-14, abs=1e-14)


@each_form
@pytest.mark.parametrize("place", [(0, 0), (0, 2), (1, 1), (2, 2)])
def test_bounds_of_memberships_with_a_missing_one(kernels, place):
    memberships = np.full((3, 3), 1 / 3)
    memberships[place] = np.nan
    assert np.isnan(kernels.membership_bounds(memberships)[0])


@each_form
def test_bounds_of_infinite_memberships_break_the_rule(kernels):
    for row in ([np.inf, 0.0], [-np.inf, 1.0], [np.inf, -np.inf]):
        lowest, smallest_sum, largest_sum = kernels.membership_bounds(np.array([row]))
        assert not (lowest >= 0 and smallest_sum >= 1 and largest_sum <= 1)


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


@each_form
def test_ratios_too_large_for_a_float_have_a_logarithm(kernels):
    found = kernels.log_ratio_sum(np.array([1e-310, 1.0]), 1.0, 1.0)
    assert found == pytest.approx(1e-310 * 310 * np.log(10), rel=1e-4, abs=0)


@each_form
def test_logarithms_of_counts_beyond_floats(kernels):
    counts = np.array([2**60, 2**60 + 1])
    total = int(counts.sum())
    assert kernels.log_ratio_sum(counts, total, total) == pytest.approx(np.log(2), rel=1e-14)
