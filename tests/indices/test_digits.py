"""Indices by their definitions in exact arithmetic or sixty digits.

They are compared on small and on large tables, and near independence and near equality, where a
difference would lose the digits.
"""

import functools
import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given

from sklearn_clustcompare import ContingencyTable, get_index
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED
from sklearn_clustcompare.significance import PermutationModel
from tests import _oracles as oracles
from tests._examples import FEW_EXAMPLES
from tests.indices._truth import bounded_tables, without_empty

SIZES = (1, 100, 10**4, 10**6, 10**8)


def _outer(rows, cols, size):
    return [[row * col * size for col in cols] for row in rows]


def _changed(counts, *changes):
    counts = [list(row) for row in counts]
    for row, col, by in changes:
        counts[row][col] += by
    return counts


NEAR_INDEPENDENCE = [
    [[1000, 1001], [1000, 1000]],
    [[10**6 + 1, 10**6], [10**6, 10**6]],
    [[10**8 + 7, 10**8], [10**8, 10**8]],
    [[10**10 + 7, 10**10], [10**10, 10**10]],
    # Clusters of which one has nearly all objects.
    [[10**8, 1], [10**8 - 1, 1], [5, 0]],
    [[10**7, 10**7], [1, 0]],
    [[10**8, 1], [10**8, 0]],
    # For q < 1 the value at independence and the rest of the information cancel.
    *([[size, 1], [1, 0]] for size in (10**6, 10**9, 10**12)),
    [[10**12, 4], [1, 0], [3, 0]],
    [[10**12, 4], [3, 1]],
    [[10**10, 10**5, 1], [10**5, 0, 0], [1, 0, 0]],
    *(_changed(_outer((1, 2, 3), (1, 1, 4, 5), size), (1, 2, 1)) for size in SIZES),
    *(_changed(_outer((3, 1), (2, 5), size), (0, 1, -1), (1, 0, 1)) for size in SIZES),
    *(_changed(_outer((1, 1000), (1, 3), size), (1, 0, 1)) for size in SIZES),
    *(_changed(_outer((1, 100), (1, 200, 30), size), (0, 0, 1)) for size in SIZES),
]
FAR_SCALES = [
    *(
        _changed(_outer((1, 2), (1, 1, 1), 10**3), (0, 0, 2 + d), (0, 1, 3 - d), (0, 2, 5))
        for d in (0, 1)
    ),
    *([[n + d, n - d], [n - d, n + d]] for n, d in ((10**6, 1), (10**11, 10**5), (10**11, 1))),
    *(
        [[2 * n + d, 3 * n - d], [4 * n - d, 6 * n + d]]
        for n, d in ((10**6, 1), (7 * 10**10 + 1, 10**5), (7 * 10**10 + 1, 1))
    ),
    [[333333333333, 222222222222], [111111111111, 74074074074]],
    [[10**12 - 1, 1], [0, 10**12]],
    [[10**12, 0, 1], [0, 10**6, 0], [2, 0, 3]],
    [[10**12, 1], [1, 1]],
    [[10**12, 0], [1, 1]],
    [[999_999, 0, 1], [0, 1, 0], [0, 0, 5 * 10**11]],
]
NEAR_EQUALITY = [
    counts
    for size in (10, 1000, 10**6, 10**8)
    for counts in (
        [[size, 1], [0, size]],
        [[size, 1], [0, 1]],
        [[size, 0, 0], [1, 2 * size, 0], [0, 3, size]],
        [[size, 0, 1, 0], [0, size, 0, 0], [0, 0, size, 7]],
    )
]


def _sums(counts):
    return [sum(row) for row in counts], [sum(col) for col in zip(*counts, strict=True)]


def _best_matching(counts, value):
    """Return the largest sum of values of cells, no two in the same row or column."""
    rows, cols = _sums(counts)
    if len(rows) > len(cols):
        transposed = list(zip(*counts, strict=True))
        return _best_matching(transposed, lambda n, a, b: value(n, b, a))
    return max(
        sum(value(counts[i][j], rows[i], cols[j]) for i, j in enumerate(order))
        for order in itertools.permutations(range(len(cols)), len(rows))
    )


def _of_pairs(function, **parameters):
    return lambda counts: function(*oracles.pair_counts_of_table(counts), **parameters)


def _v_measure(counts, beta):
    information, beta = oracles.Information(counts), mpmath.mpf(beta)
    return (1 + beta) * information.mutual / (information.true + beta * information.pred)


def _normalized(counts, q, average_method):
    information = oracles.Information(counts, q)
    return information.mutual / information.bound(average_method)


def _adjusted_pairs(counts):
    """Return AMI of order 2, whose mean follows from the mean number of pairs."""
    rows, cols = _sums(counts)
    n = sum(rows)
    pairs = [sum(math.comb(size, 2) for size in sizes) for sizes in (rows, cols)]
    apart = [Fraction(n * n - sum(size * size for size in sizes), n * n) for sizes in (rows, cols)]
    squares = sum(cell * cell for row in counts for cell in row)
    mean_square = Fraction(2 * math.prod(pairs), math.comb(n, 2)) + n
    # MI_2 is u + v - 1 + s / N^2, u and v the shares of the ordered pairs that are apart.
    room = sum(apart) / 2 - (sum(apart) - 1 + mean_square / n**2)
    return (squares - mean_square) / n**2 / room


def _adjusted(counts, q, average_method):
    information, (rows, cols) = oracles.Information(counts, q), _sums(counts)
    mean = _mean_information(tuple(sorted(rows)), tuple(sorted(cols)), q)
    return (information.mutual - mean) / (information.bound(average_method) - mean)


@functools.cache
def _mean_information(rows, cols, q):
    n, q = sum(rows), mpmath.mpf(q)
    lost = mpmath.mpf(0)
    for a, b in itertools.product(rows, cols):
        tables = math.comb(n, b)
        lost += mpmath.fsum(
            mpmath.mpf(math.comb(a, k) * math.comb(n - a, b - k))
            / tables
            * (mpmath.mpf(k) / n) ** q
            for k in range(max(1, a + b - n), min(a, b) + 1)
        )
    shares = [mpmath.fsum((mpmath.mpf(size) / n) ** q for size in sizes) for sizes in (rows, cols)]
    return (1 - sum(shares) + lost) / (q - 1)


def _overlapping(counts, variant):
    rows, cols = _sums(counts)
    n = sum(rows)

    def term(count):
        return -mpmath.mpf(count) / n * mpmath.log(mpmath.mpf(count) / n) if count else 0

    def side(counts, rows, cols):
        for row, a in zip(counts, rows, strict=True):
            own = left = term(a) + term(n - a)
            for cell, b in zip(row, cols, strict=True):
                agreeing = term(cell) + term(n - a - b + cell)
                differing = term(a - cell) + term(b - cell)
                if agreeing >= differing:
                    left = min(left, agreeing + differing - term(b) - term(n - b))
            yield own, left

    sides = [list(side(counts, rows, cols)), list(side(zip(*counts, strict=True), cols, rows))]
    if variant == "lfk":
        return 1 - sum(sum(left / own for own, left in one) / len(one) for one in sides) / 2
    return (
        sum(own - left for one in sides for own, left in one)
        / 2
        / max(sum(own for own, _ in one) for one in sides)
    )


def _pair_sets(counts, simplified):
    rows, cols = _sums(counts)
    in_order = (sorted(sizes, reverse=True) for sizes in (rows, cols))
    overlap = sum(map(min, zip(*in_order, strict=False)))
    expected = 1 if simplified else Fraction(overlap, sum(rows))
    found = _best_matching(counts, lambda n, a, b: Fraction(n, max(a, b)))
    return max((found - expected) / (max(len(rows), len(cols)) - expected), 0)


def _class_accuracy(counts):
    found = _best_matching(counts, lambda n, a, b: Fraction(n, a))
    return (found - 1) / (len(counts) - 1)


def _pivoted_accuracy(counts):
    n_clusters = max(len(counts), len(counts[0]))
    share = Fraction(oracles.best_matching(counts), sum(map(sum, counts)))
    return max((n_clusters * share - 1) / (n_clusters - 1), 0)


def _segments_missed(counts):
    return 1 - _best_matching(counts, lambda n, a, b: Fraction(n, a + b - n)) / len(counts)


def _projection_distance(counts):
    rows, cols = _sums(counts)
    shared = sum(
        Fraction(cell * cell, a * b)
        for row, a in zip(counts, rows, strict=True)
        for cell, b in zip(row, cols, strict=True)
    )
    return mpmath.sqrt(_as_float(len(rows) + len(cols) - 2 * shared))


def _association(counts, freedom):
    n_rows, n_cols = len(counts) - 1, len(counts[0]) - 1
    square = _as_float(oracles.chi_squared(counts) / sum(map(sum, counts)))
    return mpmath.sqrt(square / freedom(n_rows, n_cols))


def _adjusted_coefficient(counts, coefficient):
    a, b, c, d = oracles.pair_counts_of_table(counts)
    mean = Fraction((a + b) * (a + c), a + b + c + d)
    pairs = (a, b, c, d), (mean, a + b - mean, a + c - mean, d - a + mean)
    value, expected = (_as_float(oracles.COEFFICIENTS[coefficient](*one)) for one in pairs)
    return (value - expected) / (1 - expected)


def _as_float(value):
    """Return an exact number with the digits that are set."""
    if isinstance(value, Fraction):
        return mpmath.mpf(value.numerator) / value.denominator
    return mpmath.mpf(value)


# Indices that are a difference, one minus a share, or may be close to 0, with their parameters.
DEFINITIONS = [
    ("homogeneity_score", {}, functools.partial(_v_measure, beta=0)),
    (
        "completeness_score",
        {},
        lambda counts: oracles.Information(counts).mutual / oracles.Information(counts).pred,
    ),
    *(
        ("v_measure_score", {"beta": beta}, functools.partial(_v_measure, beta=beta))
        for beta in (0, 1e-8, 0.5, 1, 2, 1e8)
    ),
    *(
        ("mutual_info_score", {"q": q}, lambda counts, q=q: oracles.Information(counts, q).mutual)
        for q in (0.1, 0.5, 0.9, 0.999999, 1, 1 + 1e-8, 1.2, 1.5, 2, 3, 5)
    ),
    *(
        ("normalized_mutual_info_score", parameters, functools.partial(_normalized, **parameters))
        for q in (0.5, 1, 1 + 1e-8, 2, 3)
        for average in ("min", "geometric", "arithmetic", "max", "joint")
        for parameters in [{"q": q, "average_method": average}]
    ),
    *(
        (name, {"q": q}, lambda counts, q=q, f=function: f(oracles.Information(counts, q)))
        for q in (0.5, 1, 1 + 1e-8, 2, 3)
        for name, function in (
            ("conditional_entropy", lambda information: information.joint - information.pred),
            ("variation_of_information_distance", lambda information: information.variation),
        )
    ),
    (
        "information_distance",
        {},
        lambda counts: (
            max(oracles.Information(counts, 1).true, oracles.Information(counts, 1).pred)
            - oracles.Information(counts, 1).mutual
        ),
    ),
    (
        "normalized_information_distance",
        {},
        lambda counts: 1 - _normalized(counts, 1, "max"),
    ),
    *(
        (
            "overlapping_normalized_mutual_info_score",
            {"variant": variant},
            functools.partial(_overlapping, variant=variant),
        )
        for variant in ("mgh", "lfk")
    ),
    *(
        (
            "pair_sets_score",
            {"simplified": simplified},
            functools.partial(_pair_sets, simplified=simplified),
        )
        for simplified in (False, True)
    ),
    ("normalized_clustering_accuracy_score", {}, _class_accuracy),
    ("normalized_pivoted_accuracy_score", {}, _pivoted_accuracy),
    ("jaccard_error_rate", {}, _segments_missed),
    ("projection_distance", {}, _projection_distance),
    ("chi_squared_statistic", {}, oracles.chi_squared),
    ("cramers_v_score", {}, functools.partial(_association, freedom=min)),
    (
        "tschuprow_score",
        {},
        functools.partial(_association, freedom=lambda *both: mpmath.sqrt(math.prod(both))),
    ),
    (
        "correlation_distance",
        {},
        _of_pairs(lambda *pairs: mpmath.acos(oracles._phi(*pairs)) / mpmath.pi),
    ),
    *((name, {}, _of_pairs(function)) for name, function in oracles.PAIR_INDICES.items()),
    *(
        ("pair_f_score", {"beta": beta}, _of_pairs(oracles.f_measure_of_pairs, beta=beta))
        for beta in (0.25, 0.5, 2, 3)
    ),
    *((name, {}, function) for name, function in oracles.SET_INDICES.items()),
    *(
        ("f_measure_score", {"beta": beta}, functools.partial(oracles.larsen_aone, beta=beta))
        for beta in (0.25, 0.5, 2, 3)
    ),
    (
        "van_dongen_distance",
        {"normalize": True},
        lambda counts: Fraction(oracles.van_dongen(counts), 2 * sum(map(sum, counts))),
    ),
    *(
        (
            "variation_of_information_distance",
            {"normalize": "joint", "q": q},
            lambda counts, q=q: (
                oracles.Information(counts, q).variation / oracles.Information(counts, q).joint
            ),
        )
        for q in (0.5, 1, 2, 3)
    ),
    *(
        ("pair_counting_score", {"coefficient": name}, _of_pairs(function))
        for name, function in oracles.COEFFICIENTS.items()
    ),
    *(
        (
            "pair_counting_score",
            {"coefficient": name, "adjusted": True},
            functools.partial(_adjusted_coefficient, coefficient=name),
        )
        for name in oracles.LINEAR_COEFFICIENTS
    ),
]


def _text(value):
    return value if isinstance(value, str) else ",".join(f"{k}={v}" for k, v in value.items())


def _wrong(name, parameters, definition, tables, tolerance=1e-14, near_zero=lambda counts: 0):
    """Return the tables for which an index has lost digits."""
    index = get_index(name)
    found, n_undefined = [], 0
    with mpmath.workdps(60):
        for counts in tables:
            try:
                expected = _as_float(definition(counts))
            except ZeroDivisionError:
                n_undefined += 1
                continue
            with UNDEFINED_IGNORED:
                value = index(ContingencyTable.from_counts(counts), **parameters)
            # Sixty digits have rounding of their own.
            allowed = tolerance * abs(expected) + max(1e-40, near_zero(counts))
            if abs(value - expected) > allowed:
                found.append((counts, value, float(expected)))
    return found, n_undefined


NEAR = [*NEAR_INDEPENDENCE, *NEAR_EQUALITY]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "parameters", "definition"),
    DEFINITIONS,
    ids=lambda value: _text(value) if not callable(value) else "",
)
def test_no_digits_are_lost(name, parameters, definition):
    for tables, tolerance in ((NEAR, 1e-14), (FAR_SCALES, 1e-13)):
        wrong, n_undefined = _wrong(name, parameters, definition, tables, tolerance)
        assert wrong == []
        assert n_undefined < max(2, len(tables) / 2)


def _rounding(name, q=1, **_):
    """Return what may be left of a value near 0: of order 1 alone it is a sum of small terms."""
    if name not in ("mutual_info_score", "normalized_mutual_info_score") or q == 1:
        return lambda counts: 0
    return lambda counts: 2e-15 * max(1, oracles.Information(counts, q).joint)


@pytest.mark.slow
@pytest.mark.parametrize("max_count", [3, 20, 10**11])
@pytest.mark.parametrize(
    ("name", "parameters", "definition"),
    DEFINITIONS,
    ids=lambda value: _text(value) if not callable(value) else "",
)
def test_values_of_any_tables(name, parameters, definition, max_count):
    rounding, n_defined = _rounding(name, **parameters), 0

    @FEW_EXAMPLES
    @given(bounded_tables(max_count))
    def check(counts):
        nonlocal n_defined
        tables = [without_empty(counts)]
        wrong, n_undefined = _wrong(name, parameters, definition, tables, 1e-13, rounding)
        assert wrong == []
        n_defined += not n_undefined

    check()
    assert n_defined >= 2


@pytest.mark.slow
@pytest.mark.parametrize("average_method", ["min", "geometric", "arithmetic", "max"])
@pytest.mark.parametrize("q", [0.5, 0.9, 1.001, 1.5, 3])
def test_no_digits_of_adjusted_information_are_lost(q, average_method):
    parameters = {"q": q, "average_method": average_method}
    tables = [
        _changed(_outer((1, 2, 3), (1, 1, 4, 5), 2), (1, 2, 1)),
        [[30, 31], [30, 30]],
        _changed(_outer((1, 10), (1, 3), 2), (1, 0, 1)),
        [[30, 1], [0, 30]],
    ]
    definition = functools.partial(_adjusted, **parameters)
    assert _wrong("adjusted_mutual_info_score", parameters, definition, tables) == ([], 0)


@pytest.mark.slow
@pytest.mark.parametrize("q", [0.01, 0.1, 0.5, 0.9, 2])
def test_no_digits_of_the_mean_are_lost(q):
    for rows, cols in (
        ([10**6, 1], [10**6, 1]),
        ([10**9, 4], [10**9 - 3, 3, 4]),
        ([10**6, 50, 3], [10**6, 30, 20, 3]),
        ([1000, 10], [900, 110]),
        ([3] * 20, [2] * 30),
    ):
        with mpmath.workdps(60):
            expected = float(_mean_information(tuple(rows), tuple(cols), q))
        mean = PermutationModel(rows, cols).expected_mutual_info(q)
        assert mean == pytest.approx(expected, rel=1e-13, abs=0)


def test_no_digits_of_adjusted_pairs_are_lost_among_many_objects():
    tables = NEAR_INDEPENDENCE[:4] + NEAR_INDEPENDENCE[13:] + NEAR_EQUALITY
    assert _wrong("adjusted_mutual_info_score", {"q": 2}, _adjusted_pairs, tables) == ([], 0)


@pytest.mark.parametrize("size", [100, 1000, 10**5, 10**8])
def test_reduced_information_near_independence_is_no_rounding_error(size):
    # Both sequences are shortest for infinite alpha, where no cell tells anything.
    table = ContingencyTable.from_counts([[size, size + 1], [size, size]])
    assert get_index("reduced_mutual_info_score")(table) == 0.0


@pytest.mark.parametrize("q", [0.001, 0.5, 0.999999, 1, 1.000001, 30])
def test_weights_may_differ_by_many_powers_of_ten(q):
    rng = np.random.default_rng(0)
    for smallest in (-20, -29):
        counts = 10.0 ** rng.uniform(smallest, 15, (3, 4))
        table = ContingencyTable.from_counts(counts)
        with mpmath.workdps(120):
            exact = [[mpmath.mpf(n) for n in row] for row in counts.tolist()]
            expected = float(_normalized(exact, q, "arithmetic"))
        value = get_index("normalized_mutual_info_score")(table, q=q)
        # Sizes are rounded, which limits the digits near independence.
        assert value == pytest.approx(expected, rel=1e-11, abs=1e-14)


@pytest.mark.parametrize("given", ["true", "pred"])
def test_rounding_does_not_lead_beyond_the_best_value(given):
    rng = np.random.default_rng(0)
    for _ in range(100):
        true = rng.integers(rng.integers(2, 8), size=25)
        pred = 7 * true + rng.integers(rng.integers(1, 4), size=25)  # nested
        weights = rng.uniform(1, 9, 25)
        table = ContingencyTable.from_labels(true, pred, sample_weight=weights)
        assert get_index("adjusted_wallace_score")(table, given=given) <= 1
