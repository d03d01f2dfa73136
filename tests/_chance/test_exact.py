"""Exact tails of sums over cells, tails by four moments, and permutation within blocks."""

import itertools
import json
import math
from collections import Counter

import numpy as np
import pytest
from scipy.stats import hypergeom

from sklearn_clustcompare import ContingencyTable, _kernels, permutation_test, significance
from sklearn_clustcompare._chance import moments as cumulants
from sklearn_clustcompare._chance import null_distribution
from sklearn_clustcompare._chance.draws import BlockMargins
from sklearn_clustcompare._chance.exact import ExactDistribution
from sklearn_clustcompare._chance.functions import PLAIN_SQUARES, InformationTerms, Margin
from sklearn_clustcompare._chance.moments import (
    MomentTail,
    information_cumulants,
    square_sum_moments,
)
from sklearn_clustcompare._chance.null_distribution import EXACT_BUDGET
from sklearn_clustcompare._kernels import _columns
from sklearn_clustcompare._table.cell_sums import Squares, kinds_of_cells
from sklearn_clustcompare.significance import PermutationModel
from tests._files import DATA
from tests._laws import LAWS, law

FILLINGS = EXACT_BUDGET.fillings
FUNCTIONS = {
    "n^2": PLAIN_SQUARES,
    "n^2/b": Squares(lambda a, b: b + 0 * a),
    "n^2/(ab)": Squares(lambda a, b: a * b),
    "n ln n": InformationTerms(1.0),
    "n^1.5": InformationTerms(1.5),
    "occupied": lambda n, a, b: (n > 0).astype(float),
    "kept": lambda n, a, b: ((n == a) | (n == b)) * a * (n > 0),
}


def total(counts, function):
    counts = np.asarray(counts, float)
    a, b = np.meshgrid(counts.sum(axis=1), counts.sum(axis=0), indexing="ij")
    return float(function(counts, a, b).sum())


def distribution_of(counts, function, budget=FILLINGS, **how):
    table = ContingencyTable.from_counts(np.asarray(counts))
    return ExactDistribution.of(table.row_sums, table.col_sums, function, budget, **how)


def tail_in(distribution, counts, *, is_upper=True, most_runs=10**6):
    table = ContingencyTable.from_counts(np.asarray(counts))
    return distribution.tail(kinds_of_cells(table), is_upper=is_upper, most_runs=most_runs)


def tail(counts, function, *, is_upper=True, most_runs=10**6, **how):
    distribution = distribution_of(counts, function, **how)
    return distribution and tail_in(distribution, counts, is_upper=is_upper, most_runs=most_runs)


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("margins", [one for one in LAWS if min(map(len, one)) > 1], ids=str)
def test_tails_by_enumeration(margins, name):
    tables = LAWS[margins]
    values = np.array([total(counts, FUNCTIONS[name]) for counts, _ in tables])
    shares = np.array([float(share) for _, share in tables])
    any_counts, function = tables[0][0], FUNCTIONS[name]
    law = distribution_of(any_counts, function)
    turned_law = distribution_of(np.transpose(any_counts), lambda n, a, b: function(n, b, a))
    for position in range(0, len(tables), max(1, len(tables) // 5)):
        counts = tables[position][0]
        for is_upper in (True, False):
            gap = values - values[position] if is_upper else values[position] - values
            expected = pytest.approx(shares[gap >= -1e-9].sum(), rel=1e-12)
            assert tail_in(law, counts, is_upper=is_upper) == expected
            assert tail_in(turned_law, np.transpose(counts), is_upper=is_upper) == expected


def test_one_free_cell_of_a_million_objects():
    counts = np.array([[10**6 - 7, 2], [3, 2]])
    expected = hypergeom.sf(1, 10**6, 5, 4)  # of two objects or more in common
    for name in ("n^2", "n^2/b", "n ln n"):
        assert tail(counts, FUNCTIONS[name]) == pytest.approx(expected, rel=1e-12)


def test_one_rare_object_in_common():
    counts = np.zeros((5, 5), int)
    counts[0, 0], counts[0, 2:], counts[2:, 0], counts[1, 1] = 993, 1, 1, 1
    expected = 1 - math.comb(996, 4) / math.comb(1000, 4)
    for name in ("n^2", "n^2/b", "n^2/(ab)", "n ln n", "n^1.5"):
        assert tail(counts, FUNCTIONS[name]) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("sizes", [[5, 3, 2], [4, 4, 2, 1], [30, 15, 5]])
def test_equal_partitions_have_the_share_of_the_orders_that_keep_them(sizes):
    ways = math.prod(map(math.factorial, sizes))
    ways *= math.prod(map(math.factorial, Counter(sizes).values()))
    expected = ways / math.factorial(sum(sizes))
    for name in ("n^2", "n ln n"):
        assert tail(np.diag(sizes), FUNCTIONS[name]) == pytest.approx(expected, rel=1e-12)


# By enumeration of all tables in whole numbers.
RARE = {10**6: 7.740030836376625e-16, 10**7: 7.7400030839637795e-19, 10**8: 7.740000308399625e-22}


@pytest.mark.parametrize("n", RARE)
def test_squares_of_many_objects_have_all_digits(n):
    """Sums of squares that differ by less than floats of their size are no ties."""
    counts = np.array([[n - 4, 0, 2, 2], [0, 2, 0, 0], [2, 0, 0, 0], [2, 0, 1, 0]])
    for one in (counts, counts.T):
        test = permutation_test(ContingencyTable.from_counts(one), index="ari")
        assert test.method == "exact"
        assert test.pvalue == pytest.approx(RARE[n], rel=1e-12)


def test_budget_and_number_of_clusters_are_limits():
    counts = [[15, 3, 2], [3, 14, 3], [2, 3, 15]]
    expected = tail(counts, PLAIN_SQUARES, by_runs=False)
    assert tail(counts, PLAIN_SQUARES, budget=4000, by_runs=False) is None
    assert tail(counts, PLAIN_SQUARES, budget=500) == pytest.approx(expected, rel=1e-12)
    assert tail(counts, PLAIN_SQUARES, most_runs=100) is None
    assert tail(counts, PLAIN_SQUARES, most_runs=2000) == pytest.approx(expected, rel=1e-12)
    # Four rows have no runs.
    assert tail(np.diag([5, 6, 7, 8]) + 1, PLAIN_SQUARES, budget=4000) is None
    assert tail(np.diag([1, 2] * 6), PLAIN_SQUARES) is None


# Tails of the sums of n^2, n ln n and n^2 / b, by enumeration of all tables.
GOLDEN = json.loads((DATA / "tails_of_tables.json").read_text("utf-8"))["tables"]
LARGE_TABLES = [(one["counts"], one["tails"]) for one in GOLDEN]


@pytest.mark.parametrize(("counts", "expected"), LARGE_TABLES)
@pytest.mark.parametrize("turned", [False, True])
def test_tails_of_three_by_three_clusters_of_many_objects(counts, expected, turned):
    by_columns = FUNCTIONS["n^2/b"] if not turned else Squares(lambda a, b: a + 0 * b)
    functions = [FUNCTIONS["n^2"], FUNCTIONS["n ln n"], by_columns]
    counts = np.transpose(counts) if turned else counts
    found = [tail(counts, one) for one in functions]
    assert found == pytest.approx(expected, rel=2e-11)  # they have eleven digits


@pytest.mark.slow
@pytest.mark.parametrize("name", ["n^2", "n^2/b", "n^2/(ab)", "n ln n", "n^1.5"])
@pytest.mark.parametrize(
    "counts",
    [
        [[9, 2, 1], [1, 8, 2], [3, 2, 4]],
        [[5, 2, 1, 0], [1, 4, 2, 3], [0, 1, 4, 1]],
        [[1, 8, 0], [30, 2, 1], [2, 2, 9]],
        [[7, 3], [2, 5], [4, 4]],
    ],
)
@pytest.mark.parametrize("is_upper", [True, False])
@pytest.mark.parametrize("kernels", ["compiled", "numpy"])
def test_runs_of_the_last_columns_have_the_tail_of_all_fillings(
    name, counts, is_upper, kernels, monkeypatch
):
    function = FUNCTIONS[name]
    expected = tail(counts, function, is_upper=is_upper, by_runs=False)
    if kernels == "numpy":
        monkeypatch.setattr(_kernels, "tail_of_runs", _columns.tail_of_runs)
        monkeypatch.setattr(_columns, "_BLOCK", 7)
    assert tail(counts, function, is_upper=is_upper) == pytest.approx(expected, rel=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("n_objects", [240, 330])
@pytest.mark.parametrize("name", ["n^2", "n^2/b", "n ln n"])
def test_both_forms_of_the_runs_have_one_tail(name, n_objects, monkeypatch):
    rng = np.random.default_rng(n_objects)
    a = rng.choice(3, n_objects, p=[0.5, 0.3, 0.2])
    b = np.where(rng.random(n_objects) < 0.15, a, rng.integers(0, 3, n_objects))
    counts = np.histogram2d(a, b, bins=3)[0].astype(int)
    sides = True, False
    found = [tail(counts, FUNCTIONS[name], is_upper=side) for side in sides]
    monkeypatch.setattr(_kernels, "tail_of_runs", _columns.tail_of_runs)
    expected = [tail(counts, FUNCTIONS[name], is_upper=side) for side in sides]
    assert found == pytest.approx(expected, rel=2e-14)
    assert sum(found) > 1


@pytest.mark.slow
@pytest.mark.parametrize("n_resamples", [99, 9999])  # a bound, and draws
def test_by_default_more_tables_are_counted_where_no_draw_is_as_extreme(n_resamples, monkeypatch):
    table = ContingencyTable.from_counts(LARGE_TABLES[0][0])
    few = null_distribution.EXACT_BUDGET._replace(runs=10_000)
    monkeypatch.setattr(null_distribution, "EXACT_BUDGET", few)
    found = permutation_test(table, index="mutual_info_score", n_resamples=n_resamples)
    assert (found.method, found.relative_error) == ("exact", 0.0)
    assert found.pvalue == pytest.approx(LARGE_TABLES[0][1][1], rel=2e-11)
    of_report = significance._permutation.quick_test(table, "mutual_info_score")
    assert of_report.method in ("cantelli", "monte_carlo")


@pytest.mark.parametrize("name", ["n^2", "n^2/(ab)", "n ln n"])
def test_both_forms_of_the_kernels_have_one_budget(name, monkeypatch):
    counts = [[7, 2, 1, 1], [1, 8, 2, 0], [0, 1, 9, 2]]
    counts = np.vstack([counts, [0, 1, 0, 2]])
    budgets = [FILLINGS, *range(200, 3000, 200)]
    found = [tail(counts, FUNCTIONS[name], budget=budget) for budget in budgets]
    for kernel in ("column_fillings", "tails_of_ways"):
        monkeypatch.setattr(_kernels, kernel, getattr(_columns, kernel))
    expected = [tail(counts, FUNCTIONS[name], budget=budget) for budget in budgets]
    assert [one is None for one in found] == [one is None for one in expected]
    assert None in found[1:]
    assert found[0] == pytest.approx(expected[0], rel=1e-13)


# --------------------------------------------------------------------------- four moments


def weighted(sums, weights):
    return [(int(size), weight, 1) for size, weight in zip(sums, weights, strict=True)]


@pytest.mark.parametrize("margins", list(LAWS), ids=str)
def test_moments_of_squares_by_enumeration(margins):
    rows, cols = margins
    x, y = range(1, len(rows) + 1), range(3, len(cols) + 3)
    tables = LAWS[margins]
    squares = [np.asarray(counts, int) ** 2 for counts, _ in tables]
    values = [int(np.array(x) @ one @ np.array(y)) for one in squares]
    shares = [float(share) for _, share in tables]
    mean = np.average(values, weights=shares)
    central = [np.average((values - mean) ** m, weights=shares) for m in (2, 3, 4)]
    found = square_sum_moments(weighted(rows, x), weighted(cols, y))
    assert found.mean == pytest.approx(mean, rel=1e-12)
    assert found.variance == pytest.approx(central[0], rel=1e-9, abs=1e-9)
    if central[0] > 1e-9:
        assert found.skewness == pytest.approx(central[1] / central[0] ** 1.5, rel=1e-9, abs=1e-9)
        assert found.excess == pytest.approx(central[2] / central[0] ** 2 - 3, rel=1e-9, abs=1e-9)


def test_moments_of_a_billion_objects_keep_their_digits():
    sides = [(5 * 10**8, 1, 2)], [(25 * 10**7, 1, 4)]
    found = square_sum_moments(*sides)
    assert found.variance == pytest.approx(9.374999990625e16, rel=1e-13)
    assert found.skewness == pytest.approx(1.63299315450698, rel=1e-13)
    assert found.excess == pytest.approx(3.999999952, rel=1e-12)


def test_cumulants_of_information_of_many_objects_are_those_of_draws():
    sizes = np.array([400, 300, 200, 100]), np.array([250] * 4)
    margins = [Margin.from_sums(one) for one in sizes]
    drawn = PermutationModel(*sizes).rvs(20_000, random_state=0)
    values = InformationTerms(1.0)(drawn.astype(float), 0, 0).sum(axis=(1, 2))
    second, third, _ = information_cumulants(*margins, 1000.0)
    variance = PermutationModel(*sizes).mutual_info_variance() * 1000**2
    assert second == pytest.approx(variance, rel=0.01)
    scores = (values - values.mean()) / values.std()
    assert third / variance**1.5 == pytest.approx((scores**3).mean(), abs=0.08)


def test_cumulants_of_many_sizes_are_nearly_those_of_each_size(monkeypatch):
    sizes = np.arange(1, 60), np.arange(20, 30)
    margins = [Margin.from_sums(np.append(one, 3000 - one.sum())) for one in sizes]
    each = information_cumulants(*margins, 3000.0)
    monkeypatch.setattr(cumulants, "_MOST_SIZES", 50)
    some = information_cumulants(*margins, 3000.0)
    assert some != each
    np.testing.assert_allclose(some, each, rtol=2e-3)


@pytest.mark.parametrize(("skewness", "excess"), [(0.5, 0.6), (-0.4, 0.3), (0.0, 0.05)])
def test_law_has_its_moments(skewness, excess):
    law = MomentTail(skewness, excess)
    z = np.linspace(-9, 14, 4001)
    tails = np.array([law.tail(one, is_upper=True) for one in z])
    density = -np.gradient(tails, z)
    step = z[1] - z[0]
    moments = [float((density * z**m).sum() * step) for m in range(5)]
    expected = [1, 0, 1, skewness, 3 + excess]
    np.testing.assert_allclose(moments, expected, atol=0.05 * (3 + excess))
    lower = np.array([law.tail(one, is_upper=False) for one in z])
    np.testing.assert_allclose(tails + lower, 1.0, atol=2e-3)


# --------------------------------------------------------------------------- blocks


@pytest.mark.parametrize(
    "tables",
    [
        ([[3, 0], [1, 1]], [[1, 1], [0, 2]]),
        ([[3, 0], [1, 1]], [[1, 0], [0, 1]], [[0, 1], [0, 0]]),
        ([[2, 0, 0], [0, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, 1, 1], [2, 0, 0]]),
    ],
)
def test_moments_within_blocks_by_all_permutations(tables):
    tables = [np.array(one) for one in tables]
    laws = [law(one.sum(axis=1), one.sum(axis=0)) for one in tables]
    values, times = [], []
    for chosen in itertools.product(*laws):
        values.append((sum(np.array(counts) for counts, _ in chosen) ** 2).sum())
        times.append(math.prod(share for _, share in chosen))
    mean = np.average(values, weights=times)
    margins = BlockMargins(
        np.array([one.sum(axis=1) for one in tables]), np.array([one.sum(axis=0) for one in tables])
    )
    assert margins.mean_of_squares(np.ones(tables[0].shape)) == pytest.approx(mean, rel=1e-12)
    variance = np.average((values - mean) ** 2, weights=times)
    assert margins.variance_of_squares() == pytest.approx(variance, rel=1e-12)


def test_tables_of_very_many_objects_are_not_counted():
    rows, cols = np.array([2**40, 2**41, 5]), np.array([2**40 + 5, 2**41])
    assert ExactDistribution.of(rows, cols, PLAIN_SQUARES, 10**5) is None
    # A few ways only, of however many objects.
    law = ExactDistribution.of(
        np.array([2**40, 2]), np.array([2**39, 2**39 + 2]), PLAIN_SQUARES, 10**5
    )
    assert law is not None


@pytest.mark.parametrize("z", [1e8, 3e9, 1e15])
def test_tail_of_any_number_of_deviations(z):
    for one in (MomentTail(0.0, 0.0), MomentTail(1e-5, 1e-9), MomentTail(-1e-5, 0.0)):
        found = one.log_tail(z, is_upper=True)
        assert found == pytest.approx(-z * z / 2, rel=1e-9)
        assert one.log_tail(z, is_upper=False) == 0.0
