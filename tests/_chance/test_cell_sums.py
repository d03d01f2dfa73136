"""Moments of sums over cells against enumeration, joint laws of cells, mpmath and draws."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare._table.cell_sums import Squares
from sklearn_clustcompare.significance import PermutationModel
from tests._cell_sums import by_pairs_of_cells, enumerated
from tests._examples import slow


def occupied(n, a, b):
    return n > 0


def above_mean(n, a, b):
    return n > (a * b) / 1000


def odd(n, a, b):
    return n % 2


def overlap(n, a, b):
    return n / (a + b - n)


def share(n, a, b):
    return n * n / b


def half_overlap(n, a, b):
    return 2 * n > a + b - n


def waves(n, a, b):
    return np.cos(n) * a + b  # not zero for an empty cell


def linear(n, a, b):
    return 3 * n * a - 7.0 / b


SMOOTH = {overlap: True, share: True, Squares(np.maximum): True, Squares(np.multiply): True}


def name_of(phi):
    return getattr(phi, "__name__", str(phi))


FUNCTIONS = SMOOTH | {
    f: False for f in (occupied, odd, overlap, share, half_overlap, waves, linear)
}

MARGINS = [
    ((3, 2, 2), (4, 2, 1)),
    ((5, 3, 1), (2, 2, 2, 3)),
    ((4, 4), (3, 5)),
    ((1, 1, 1, 6), (2, 3, 4)),
    ((12, 5, 3), (10, 6, 4)),
    ((25, 15), (20, 18, 2)),
    ((60, 40), (70, 30)),
    ((30, 3, 2), (25, 6, 4)),
    slow(((9, 9, 9), (9, 9, 9))),
    ((2, 1), (1, 1, 1)),
    ((3,), (1, 2)),
]


def exactly(phi):
    """The function of numbers at the working precision of mpmath."""
    if isinstance(phi, Squares):
        return lambda n, a, b: mpmath.mpf(n * n) / int(phi.divisor(a, b))
    if phi is waves:
        return lambda n, a, b: mpmath.cos(n) * a + b
    return lambda n, a, b: mpmath.mpf(1) * phi(mpmath.mpf(n), a, b)


def moments(model, phi, smooth):
    return model.expected_cell_sum(phi, smooth=smooth), model.cell_sum_variance(phi, smooth=smooth)


@pytest.mark.slow
@pytest.mark.parametrize("margins", MARGINS, ids=str)
@pytest.mark.parametrize("phi", FUNCTIONS, ids=name_of)
def test_moments_by_full_enumeration(phi, margins):
    with mpmath.workdps(30):
        mean, variance = map(float, enumerated(*margins, exactly(phi)))
    found = moments(PermutationModel(*margins), phi, FUNCTIONS[phi])
    assert found[0] == pytest.approx(mean, rel=1e-13, abs=1e-12 if phi is waves else 0)
    assert found[1] == pytest.approx(variance, rel=1e-12, abs=1e-25)


@pytest.mark.slow
@given(
    sizes=st.integers(2, 9).flatmap(
        lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 2)
    ),
    values=st.lists(st.floats(-1e3, 1e3), min_size=10, max_size=10),
)
def test_any_function_of_the_cell(sizes, values):
    margins = [[c for c in np.bincount(labels).tolist() if c] for labels in sizes]
    values = np.array(values)
    of_cell = lambda n, a, b: mpmath.mpf(float(values[n])) / a  # noqa: E731
    mean, variance = map(float, enumerated(*margins, of_cell))
    phi = lambda n, a, b: values[n.astype(int)] / a  # noqa: E731
    found = moments(PermutationModel(*margins), phi, smooth=False)
    scale = len(margins[0]) * len(margins[1]) * max(1e-3, np.abs(values).max())
    assert found[0] == pytest.approx(mean, rel=1e-12, abs=1e-14 * scale)
    assert found[1] == pytest.approx(variance, rel=1e-10, abs=1e-24 * scale**2)


LARGER = [
    ((100, 100, 100), (100, 100, 100)),
    ((900, 60, 40), (950, 30, 20)),
    ((20, 980), (10, 990)),
    ((9, 990, 1), (9, 990, 1)),
    slow(((500, 300, 200), (600, 300, 100))),
    slow(((1000, 9000), (3000, 5000, 2000))),
    slow(((300, 300, 400), (200, 300, 500))),
    slow(((300, 9650, 50), (300, 9650, 50))),
]


@pytest.mark.slow
@pytest.mark.skipif(np.finfo(np.longdouble).eps > 2e-19, reason="no extended precision")
@pytest.mark.parametrize("margins", LARGER, ids=str)
@pytest.mark.parametrize("phi", [occupied, odd, above_mean, overlap, share], ids=name_of)
def test_moments_of_larger_tables_by_joint_laws_of_cells(phi, margins):
    mean, variance = by_pairs_of_cells(*margins, phi)
    model = PermutationModel(*margins)
    for smooth in {False, FUNCTIONS.get(phi, False) or phi in SMOOTH}:
        found = moments(model, phi, smooth)
        assert found[0] == pytest.approx(mean, rel=1e-13)
        # Phi of doubles is rounded, which is all that the variance loses.
        assert found[1] == pytest.approx(variance, rel=1e-11, abs=1e-18)


def squares_by_fractions(sizes, divisor):
    """Mean and variance of sum n^2 / d of a 2 x 2 table: a polynomial of its only free cell."""
    n, a, b = sizes
    weights = {
        cell: Fraction(1, divisor(*size))
        for cell, size in {
            (0, 1): (a, b),
            (a, -1): (a, n - b),
            (b, -1): (n - a, b),
            (n - a - b, 1): (n - a, n - b),
        }.items()
    }
    coefficients = [
        sum(
            w * start ** (2 - k) * sign**k * math.comb(2, k) for (start, sign), w in weights.items()
        )
        for k in range(3)
    ]
    moment = [factorial_moments_to_raw(sizes, k) for k in range(5)]
    mean = sum(c * moment[k] for k, c in enumerate(coefficients))
    square = sum(
        c * d * moment[k + m]
        for k, c in enumerate(coefficients)
        for m, d in enumerate(coefficients)
    )
    return mean, square - mean**2


def factorial_moments_to_raw(sizes, order):
    n, a, b = sizes
    stirling = {0: [1], 1: [0, 1], 2: [0, 1, 1], 3: [0, 1, 3, 1], 4: [0, 1, 7, 6, 1]}[order]
    return sum(
        Fraction(s * math.perm(a, r) * math.perm(b, r), math.perm(n, r))
        for r, s in enumerate(stirling)
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "sizes",
    [
        (100, 30, 40),
        (10**4, 50, 60),
        (10**6, 3 * 10**5, 10**5),
        (10**9, 4 * 10**8, 3 * 10**8),
        (10**9, 10**9 - 1000, 10**5),
        (10**12, 10**6, 4 * 10**11),
    ],
    ids=str,
)
@pytest.mark.parametrize("divisor", [max, min, lambda a, b: a * b, lambda a, b: b])
def test_sums_of_squares_of_many_objects(sizes, divisor):
    n, a, b = sizes
    mean, variance = squares_by_fractions(sizes, divisor)
    of_arrays = {max: np.maximum, min: np.minimum}.get(divisor, divisor)
    model = PermutationModel([a, n - a], [b, n - b])
    found = moments(model, Squares(of_arrays), smooth=True)
    assert found[0] == pytest.approx(float(mean), rel=1e-13)
    assert found[1] == pytest.approx(float(variance), rel=1e-12)
    # Without knowing what it is, the function has rounded off digits of a large cell.
    other = moments(model, lambda n, a, b: n * n / of_arrays(a, b), smooth=True)
    assert other[0] == pytest.approx(float(mean), rel=1e-13)
    deviation = math.sqrt(variance)
    assert math.sqrt(other[1]) == pytest.approx(deviation, rel=1e-12, abs=1e-16 * float(mean))


@pytest.mark.parametrize(("n", "k"), [(10**4, 7), (10**9, 30)])
def test_chi_squared_of_many_objects(n, k):
    rng = np.random.default_rng(0)
    row_sums, col_sums = rng.multinomial(n - k, rng.dirichlet(np.full(k, 5.0)), size=2) + 1
    model = PermutationModel(row_sums, col_sums)
    mean = n * model.expected_cell_sum(Squares(np.multiply)) - n
    assert mean == pytest.approx(n * (k - 1) ** 2 / (n - 1), abs=1e-15 * n)
    limit = 2 * (k - 1) ** 2
    variance = n**2 * model.cell_sum_variance(Squares(np.multiply))
    assert variance == pytest.approx(limit, rel=0.1 if n < 10**5 else 1e-6)


@pytest.mark.slow
def test_a_sum_that_margins_determine_does_not_vary():
    for margins in (((4, 3, 2), (5, 2, 2)), ((10**9, 10**8), (5 * 10**8, 6 * 10**8))):
        model = PermutationModel(*margins)
        assert model.cell_sum_variance(lambda n, a, b: n * a - 1.0, smooth=True) == 0.0
        n = model.n_samples
        assert model.expected_cell_sum(lambda n, a, b: n) == pytest.approx(n, rel=1e-15)
    assert PermutationModel([3], [1, 2]).cell_sum_variance(share) == 0.0
    assert PermutationModel([], []).expected_cell_sum(occupied) == 0.0
    assert PermutationModel([], []).cell_sum_variance(occupied) == 0.0


def test_order_and_sides_do_not_matter():
    rows, cols = [7, 3, 5, 5], [4, 4, 12]
    model, turned = PermutationModel(rows, cols), PermutationModel(cols[::-1], rows[::-1])
    for phi, swapped in (
        (Squares(lambda a, b: b), Squares(lambda a, b: a)),
        (share, lambda n, a, b: n * n / a),
    ):
        assert moments(model, phi, True) == moments(turned, swapped, True)


@pytest.mark.slow
def test_what_is_left_out_is_an_error_and_no_value():
    model = PermutationModel([9000, 900, 100], [9000, 900, 100])
    with pytest.raises(ValueError, match=r"leave a remainder of up to [\d.e-]+ of the variance"):
        model.cell_sum_variance(lambda n, a, b: n > a * b / 1e4)


@pytest.mark.parametrize("sums", [[10**12, 10**6, 5], [10**7] * 3, [1, 1], [400, 300, 300]])
def test_smooth_functions_are_not_taken_for_jumps(sums):
    model = PermutationModel(sums, sums[::-1])
    for phi in (
        overlap,
        share,
        linear,
        lambda n, a, b: np.sqrt(n),
        lambda n, a, b: np.exp(-n / 50),
    ):
        model.expected_cell_sum(phi, smooth=True)
