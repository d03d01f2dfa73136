"""P-values of all methods against all tables with the same cluster sizes, counted one by one."""

import math
from fractions import Fraction

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable, get_index, permutation_test
from sklearn_clustcompare.indices import Index
from tests._examples import slow
from tests._laws import orders
from tests.oracle.partitions import all_small_partitions

# Whole numbers or fractions that order tables with given cluster sizes as the indices do.
ORDERS = {
    "adjusted_rand_score": lambda n, a, b: n * n,
    "bcubed_precision_score": lambda n, a, b: Fraction(n * n, b),
    "bcubed_recall_score": lambda n, a, b: Fraction(n * n, a),
    "cramers_v_score": lambda n, a, b: Fraction(n * n, a * b),
    "mutual_info_score": lambda n, a, b: n**n,  # a product, not a sum
}
# Parameters of indices of each order that are not linear in its sum.
NOT_LINEAR = {
    "adjusted_rand_score": [
        ("pair_jaccard_score", {}),
        ("correlation_distance", {}),
        *(
            ("pair_counting_score", {"coefficient": one})
            for one in (
                "sokal_sneath_2",
                "sokal_sneath_3",
                "rogers_tanimoto",
                "gower_legendre",
                "goodman_kruskal",
            )
        ),
    ],
    "mutual_info_score": [
        ("normalized_mutual_info_score", {"average_method": "joint"}),
        ("variation_of_information_distance", {"normalize": "joint"}),
    ],
    "cramers_v_score": [("chi_squared_statistic", {}), ("tschuprow_score", {})],
}


def order_of(name, columns, row_sums, col_sums):
    parts = [
        ORDERS[name](n, a, b)
        for column, b in zip(columns, col_sums, strict=True)
        for n, a in zip(column, row_sums, strict=True)
    ]
    return math.prod(parts) if name == "mutual_info_score" else sum(parts)


def floor_of(columns, row_sums, col_sums, total, ways):
    """Probability of the tables that swap rows of equal size, or columns of equal size."""
    rows = tuple(zip(*columns, strict=True))
    n_swaps = []
    for clusters, sizes in ((rows, row_sums), (columns, col_sums)):
        swaps = 1
        for size in set(sizes):
            members = [one for one, other in zip(clusters, sizes, strict=True) if other == size]
            same = [members.count(one) for one in set(members)]
            swaps *= math.factorial(len(members)) // math.prod(map(math.factorial, same))
        n_swaps.append(swaps)
    return Fraction(ways * max(n_swaps), total)


def random_sizes(rng, n_samples):
    k = int(rng.integers(1, 5))
    cuts = np.sort(rng.choice(np.arange(1, n_samples), size=k - 1, replace=False))
    return np.diff([0, *cuts.tolist(), n_samples]).tolist()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize(("seed", "n_tables"), [(2, 1), slow(1, 200)])
def test_all_methods_against_enumeration(seed, n_tables):
    rng = np.random.default_rng(seed)
    for _ in range(n_tables):
        n_samples = int(rng.integers(4, 15))
        sizes = [random_sizes(rng, n_samples) for _ in range(2)]
        tables = list(orders(*sizes[::-1]))
        total = sum(ways for _, ways in tables)
        is_equal = rng.random() < 0.2
        if is_equal:
            sizes[1] = sizes[0]
            tables = list(orders(*sizes[::-1]))
            total = sum(ways for _, ways in tables)
            counts = np.diag(sizes[0])
        else:
            counts = np.array(tables[rng.integers(len(tables))][0]).T
        columns = tuple(map(tuple, counts.T.tolist()))
        table = ContingencyTable.from_counts(counts)
        name = list(ORDERS)[rng.integers(len(ORDERS))]
        observed = order_of(name, columns, *sizes)
        values = [(order_of(name, one, *sizes), ways) for one, ways in tables]
        greater = Fraction(sum(ways for value, ways in values if value >= observed), total)
        less = Fraction(sum(ways for value, ways in values if value <= observed), total)
        floor = floor_of(columns, *sizes, total, dict(tables)[columns])
        assert greater >= floor
        for index, parameters in [(name, {}), *NOT_LINEAR.get(name, [])]:
            found = {
                alternative: permutation_test(
                    table, index=index, alternative=alternative, **parameters
                )
                for alternative in ("greater", "less", "two-sided")
            }
            assert {one.method for one in found.values()} == {"exact"}
            expected = {"greater": greater, "less": less}
            expected["two-sided"] = min(1, 2 * min(greater, less))
            for alternative, one in found.items():
                assert one.pvalue == pytest.approx(float(expected[alternative]), rel=1e-12)
            assert found["greater"].pvalue + found["less"].pvalue >= 1
        if 1 in map(len, sizes):
            assert greater == less == 1
        if is_equal:
            assert greater == floor
        for method in ("moments", "cantelli", "monte_carlo"):
            try:
                bounded = permutation_test(table, index=name, method=method, n_resamples=30)
            except ValueError as error:
                if "are not known" not in str(error) or method == "monte_carlo":
                    raise
                continue
            assert float(floor) * (1 - 1e-9) <= bounded.pvalue <= 1
            if method == "cantelli":
                assert bounded.pvalue >= greater - Fraction(1, 10**12)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("order", NOT_LINEAR)
def test_what_is_ordered_by_a_sum_rises_or_falls_with_it(order):
    for space in all_small_partitions()[3:4]:
        for table in space.tables:
            columns = tuple(map(tuple, table.counts.toarray().T.tolist()))
            sizes = table.row_sums.tolist(), table.col_sums.tolist()
            same = [
                (order_of(order, one, *sizes), ContingencyTable.from_counts(np.array(one).T))
                for one, _ in orders(*sizes[::-1])
            ]
            same.sort(key=lambda one: one[0])
            assert order_of(order, columns, *sizes) in {one for one, _ in same}
            for name, parameters in NOT_LINEAR[order]:
                index = get_index(name)
                assert index.order_quantity(**parameters) is not None
                sign = 1 if index.greater_is_better else -1
                values = [sign * index(one, **parameters) for _, one in same]
                for (low, _), (high, _), one, other in zip(
                    same, same[1:], values, values[1:], strict=False
                ):
                    assert (other > one + 1e-12) if high > low else abs(other - one) < 1e-12


@pytest.mark.parametrize("name", ["adjusted_rand_score", "mutual_info_score", "cramers_v_score"])
def test_a_billion_objects_with_rare_clusters_have_all_digits(name):
    n, rare = 10**9, 4
    counts = np.zeros((5, 5), np.int64)
    counts[0, 0] = n - 2 * rare + 1
    counts[1, 1] = 1
    counts[2:, 0] = counts[0, 2:] = 1
    table = ContingencyTable.from_counts(counts)
    expected = 1 - Fraction(math.comb(n - rare, rare), math.comb(n, rare))
    found = permutation_test(table, index=name)
    assert found.method == "exact"
    assert found.pvalue == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.parametrize("name", ["adjusted_rand_score", "mutual_info_score", "bcubed_f_score"])
def test_weights_and_noise_are_objects_and_clusters(name):
    rng = np.random.default_rng(0)
    first, second = rng.integers(-1, 3, size=(2, 14))
    weights = rng.integers(0, 3, size=14)
    whole = np.repeat(first, weights), np.repeat(second, weights)
    weighted = permutation_test(first, second, index=name, n_resamples=60, sample_weight=weights)
    assert weighted == permutation_test(*whole, index=name, n_resamples=60)
    apart = [np.where(one < 0, 100 + np.arange(len(one)), one) for one in whole]
    singles = permutation_test(*whole, index=name, n_resamples=60, noise="singletons")
    assert singles.pvalue == permutation_test(*apart, index=name, n_resamples=60).pvalue
    kept = (whole[0] >= 0) & (whole[1] >= 0)
    dropped = permutation_test(*whole, index=name, n_resamples=60, noise="drop")
    assert (
        dropped.pvalue
        == permutation_test(*(one[kept] for one in whole), index=name, n_resamples=60).pvalue
    )


def test_mean_and_deviation_of_an_index_that_is_not_linear_are_those_of_all_tables():
    # Of more tables than are evaluated one by one: the sums are counted.
    table = ContingencyTable.from_counts([[9, 1, 0, 1], [2, 6, 1, 1], [1, 0, 5, 2]])
    sizes = table.row_sums.tolist(), table.col_sums.tolist()
    tables = list(orders(*sizes[::-1]))
    assert len(tables) > 2000
    weights = np.array([float(ways) for _, ways in tables])
    squares = np.array([(np.array(one) ** 2).sum() for one, _ in tables])
    joined = [sum(size * (size - 1) for size in side) for side in sizes]
    both = squares - table.n_samples
    values = both / (sum(joined) - both)
    mean = np.average(values, weights=weights)
    found = permutation_test(table, index="pair_jaccard_score")
    assert found.method == "exact"
    assert found.has_exact_moments
    assert found.mean == pytest.approx(mean, rel=1e-12)
    deviation = np.sqrt(np.average((values - mean) ** 2, weights=weights))
    assert found.standard_deviation == pytest.approx(deviation, rel=1e-10)


# Indices of each kind, with the order of the tables as the definition has it.
ANY_KIND = [
    "purity_score",
    "v_measure_score",
    "ceaf_f_score",
    "bcubed_f_score",
    "pair_jaccard_score",
    "misclassification_distance",
    "cluster_f_score",
]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("name", ANY_KIND)
@pytest.mark.parametrize(
    "counts",
    [
        [[3, 2]],
        [[3], [2], [1]],
        [[5, 0], [0, 1]],
        [[2, 1], [0, 3], [1, 1]],
        [[1, 0, 2], [0, 2, 1]],
        [[1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1]],
    ],
)
@pytest.mark.parametrize("method", ["auto", "exact"])
def test_any_index_of_few_tables_is_evaluated_for_all_of_them(name, counts, method):
    index, table = get_index(name), ContingencyTable.from_counts(counts)
    sizes = table.row_sums.tolist(), table.col_sums.tolist()
    tables = list(orders(*sizes[::-1]))
    total = sum(ways for _, ways in tables)
    values = [(index(ContingencyTable.from_counts(np.array(one).T)), ways) for one, ways in tables]
    sign, observed = 1 if index.greater_is_better else -1, index(table)
    mean = sum(value * ways for value, ways in values) / total
    variance = sum((value - mean) ** 2 * ways for value, ways in values) / total
    for alternative, side in (("greater", sign), ("less", -sign)):
        extreme = sum(ways for one, ways in values if side * one >= side * observed - 1e-12)
        found = permutation_test(table, index=name, method=method, alternative=alternative)
        assert found.method == "exact"
        assert found.pvalue == pytest.approx(extreme / total, rel=1e-13)
        assert (found.pvalue == 1) == (extreme == total)
        assert found.has_exact_moments
        assert found.mean == pytest.approx(mean, rel=1e-12, abs=1e-15)
        assert found.standard_deviation == pytest.approx(math.sqrt(variance), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("sizes", [(1999, 2000), (4000, 5000)])
def test_two_clusters_a_side_on_both_sides_of_the_number_of_tables(sizes):
    # 2,000 tables are evaluated; one more is too many.
    rare, others = sizes
    counts = [[rare // 2, rare - rare // 2], [others // 2, others - others // 2]]
    found = permutation_test(
        ContingencyTable.from_counts(counts), index="purity_score", n_resamples=19
    )
    assert found.method == ("exact" if rare == 1999 else "monte_carlo")


# --------------------------------------------------------------------------- all digits


@pytest.mark.parametrize(
    "counts",
    [
        [[3, 0], [199_997, 9_800_000]],
        [[3, 0], [1_999_997, 98_000_000]],
        [[4, 1], [300_000, 9_000_000]],
        [[0, 6], [50_000_000, 49_000_000]],
    ],
)
@pytest.mark.parametrize("index", ["adjusted_rand_score", "mutual_info_score"])
def test_exact_tails_of_rare_clusters_among_millions_have_all_digits(counts, index):
    (a, b), (c, d) = counts
    row, col, total = a + b, a + c, a + b + c + d
    probabilities = [
        Fraction(math.comb(row, n) * math.perm(col, n) * math.perm(total - col, row - n))
        / math.perm(total, row)
        for n in range(row + 1)
    ]

    def place(n):  # both indices are convex in the cell
        return abs(n - Fraction(row * col, total))

    expected = sum(p for n, p in enumerate(probabilities) if place(n) >= place(a))
    found = permutation_test(ContingencyTable.from_counts(counts), index=index)
    assert found.method == "exact"
    assert found.pvalue == pytest.approx(float(expected), rel=1e-12, abs=0)


def test_the_smallest_pvalues_are_not_zero():
    equal = ContingencyTable.from_counts(np.diag([40_000, 35_000, 25_000]))
    for method in ("auto", "moments"):
        found = permutation_test(equal, index="adjusted_rand_score", method=method)
        assert 0 < found.pvalue < 1e-300
    pairs = ContingencyTable.from_counts([[1500, 0], [0, 1000]])
    assert 0 < permutation_test(pairs, index="purity_score").pvalue < 1e-300


def test_an_index_without_a_value_is_not_tested():
    index = Index(
        "no_value",
        lambda table: math.nan,
        greater_is_better=True,
        symmetric=True,
        range=(0, 1),
        source="none",
    )
    with pytest.raises(ValueError, match="^index must be defined for .* NaN for no_value"):
        permutation_test([0, 0, 1, 1], [0, 1, 0, 1], index=index)
