"""Standardized values, p-values and limits of q against exact arithmetic."""

import itertools
import math
from collections import Counter

import mpmath
import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import ContingencyTable, cluster_decomposition, get_index, list_indices
from sklearn_clustcompare._chance.permutation import information_moments, permutation_model
from sklearn_clustcompare._chance.spectral import CellSumMoments
from sklearn_clustcompare.indices._entropies import Information
from sklearn_clustcompare.indices._moments import (
    InformationDistribution,
    null_moments,
    room_below_independence,
)
from sklearn_clustcompare.metrics import expected_mutual_info, mutual_info_variance
from sklearn_clustcompare.significance import PermutationModel, independence_test
from tests import _exact_moments as exact
from tests._examples import slow
from tests._laws import orders

ORDERS = [0.01, 0.05, 0.3, 0.5, 0.9, 1 - 1e-9, 1, 1 + 1e-9, 1.5, 2, 3, 5, 10, 20]
SOME_ORDERS = [q if q in (0.05, 0.5, 1 - 1e-9, 1, 2, 3, 20) else slow(q) for q in ORDERS]
WHOLE_ORDERS = [2, 3, 5, 10, 20, 30]
LIMITS = 0.001, 30

smi = get_index("standardized_mutual_info_score")
sri = get_index("standardized_rand_score")
from_counts = ContingencyTable.from_counts
from_labels = ContingencyTable.from_labels


def law_of(table, q):
    return information_moments(permutation_model(table), q)


def close_to(value, rel=1e-11):
    """Right to 1e-11 standard deviations, or in 11 digits if there are more of them."""
    return pytest.approx(float(value), rel=rel, abs=rel)


@pytest.fixture(autouse=True)
def _forget_laws():
    yield
    exact.clear()


# --------------------------------------------------------------------------- the reference itself


def law_of_cells(row_sums, col_sums):
    """Probability of the occupied cells of a table, by its definition, and a table with them."""
    weights, examples = Counter(), {}
    for table, ways in orders(row_sums, col_sums):
        cells = tuple(sorted(n for row in table for n in row if n))
        weights[cells] += mpmath.mpf(ways)
        examples.setdefault(cells, []).append(table)
    total = mpmath.fsum(weights.values())
    return {cells: weight / total for cells, weight in weights.items()}, examples


def moments_of_law(law, q):
    values = {cells: mpmath.fsum(exact.phi(n, q) for n in cells) for cells in law}
    mean = mpmath.fsum(share * values[cells] for cells, share in law.items())
    square = mpmath.fsum(share * (values[cells] - mean) ** 2 for cells, share in law.items())
    return values, mean, square


@pytest.mark.parametrize("q", [0.05, 1, 1.5, 2, 3, 20])
@pytest.mark.parametrize(
    "margins",
    [((3, 2, 2), (4, 2, 1)), ((5, 2, 1, 1), (3, 3, 3)), ((3, 3), (2, 2, 2)), ((6, 2), (5, 3))],
)
def test_reference_agrees_with_enumeration(margins, q):
    with mpmath.workprec(exact.BITS):
        _, mean, variance = moments_of_law(law_of_cells(*margins)[0], q)
        sizes = tuple(map(Counter, margins))
        for got, expected in zip(
            exact.moments_of_any_order(*sizes, q), (mean, variance), strict=True
        ):
            assert abs(got / expected - 1) < mpmath.mpf(10) ** -80
        if q in WHOLE_ORDERS:
            # Powers instead of phi: they differ by a factor, and n^q - n by a constant sum.
            whole_mean, whole_variance = map(exact.to_mpf, exact.moments_of_whole_order(*sizes, q))
            assert abs((whole_mean - sum(margins[0])) / (q - 1) / mean - 1) < 1e-80
            assert abs(whole_variance / (q - 1) ** 2 / variance - 1) < 1e-80


@pytest.mark.slow
@pytest.mark.parametrize("q", [0.01, 1, 2.5])
def test_strides_of_the_reference_do_not_matter(q, monkeypatch):
    rows, cols = Counter([40_000, 60_000]), Counter([30_000, 70_000])
    with mpmath.workprec(exact.BITS):
        strided = exact.moments_of_any_order(rows, cols, q)
        exact.clear()
        monkeypatch.setattr(exact, "_SMALLEST_STRIDED", math.inf)
        full = exact.moments_of_any_order(rows, cols, q)
        assert all(abs(a / b - 1) < 1e-40 for a, b in zip(strided, full, strict=True))


# --------------------------------------------------------------------------- all small tables


def integer_partitions(n, largest=None):
    if n == 0:
        yield ()
    for first in range(min(n, largest or n), 0, -1):
        for rest in integer_partitions(n - first, first):
            yield (first, *rest)


def small_margins(n, most):
    """All pairs of cluster sizes, but those with very many tables."""
    sizes = [part for part in integer_partitions(n) if len(part) <= most]
    return itertools.combinations_with_replacement(sizes, 2)


@pytest.mark.parametrize(
    ("n", "most"),
    [
        *[(2, 2), (3, 3), (4, 4)],
        *(slow(*one) for one in [(5, 5), (6, 5), (7, 4), (8, 3)]),
    ],
)
def test_all_tables_of_few_objects(n, most):
    n_constant = 0
    for row_sums, col_sums in small_margins(n, most):
        with mpmath.workprec(exact.BITS):
            law, examples = law_of_cells(row_sums, col_sums)
            for q in ORDERS:
                values, mean, variance = moments_of_law(law, q)
                information = law_of(from_counts(next(iter(examples.values()))[0]), q)
                assert information.is_constant == (len(set(values.values())) == 1)
                if information.is_constant:
                    n_constant += 1
                    assert information.standard_deviation == 0.0
                    continue
                deviation = mpmath.sqrt(variance)
                expected_deviation = float(deviation / mpmath.mpf(n) ** mpmath.mpf(q))
                assert information.standard_deviation == pytest.approx(
                    expected_deviation, rel=1e-13
                )
                for cells, value in values.items():
                    for table in examples[cells][:3]:
                        expected = close_to((value - mean) / deviation, 1e-13)
                        assert information.standardized(from_counts(table)) == expected
                        assert q != 2 or sri(from_counts(table)) == expected
    assert n_constant


# --------------------------------------------------------------------------- where digits were lost


def pairs_and_singletons(n, n_pairs):
    labels = np.arange(n)
    labels[1 : 2 * n_pairs : 2] = labels[0 : 2 * n_pairs : 2]
    return labels


def all_apart(n, n_pairs):
    """Singletons but some pairs, each of which two halves tear apart."""
    return from_labels(pairs_and_singletons(n, n_pairs), np.arange(n) % 2)


def equal_clusters(n, k):
    labels = np.arange(n) // (n // k)
    return from_labels(labels, np.random.default_rng(1).permutation(labels))


def small_clusters_and_halves(n):
    rng = np.random.default_rng(0)
    return from_labels(rng.integers(n // 2, size=n), rng.integers(2, size=n))


LOST = [
    (lambda: all_apart(10**5, 1), 3, -0.99999),
    (lambda: all_apart(10**6, 5), 3, -2.2361),
    (lambda: all_apart(10**6, 5), 0.5, -2.2361),
    slow(lambda: small_clusters_and_halves(10**6), 3, None),
    slow(lambda: small_clusters_and_halves(10**6), 10, None),
    *(slow(lambda: equal_clusters(10**6, 1000), q, None) for q in (3, 5, 20, 30)),
    *(
        (lambda n=n: from_counts([[n // 2, n // 2 - 2], [0, 2]]), q, 1.0)
        for n in (10**7, 10**8, 10**9)
        for q in (2, 3, 20)
    ),
    (lambda: from_counts([[6, 4, 5], [0, 0, 1]]), 2, -0.577),
    (lambda: from_counts([[6, 4, 5], [0, 0, 1]]), 30, -0.577),
    *((lambda: from_counts([[499_999_999] * 2, [1, 1]]), q, -1.0) for q in (2, 3, 30)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("make", "q", "rounded"), LOST)
def test_digits_that_were_lost(make, q, rounded):
    table = make()
    expected = exact.standardized(table, q)
    if rounded is not None:
        assert float(expected) == pytest.approx(rounded, abs=1e-3)
    assert smi(table, q=q) == close_to(expected)
    if q == 2:
        assert sri(table) == close_to(expected, 1e-15)


@pytest.mark.parametrize("q", [2, 3])
def test_exact_independence_is_not_significant(q):
    n = 499_999_999
    table = independence_test([0, 0, 1, 1], [0, 1, 0, 1], q=q, sample_weight=[n, n, 1, 1])
    assert table.standardized == close_to(-1.0, 1e-8)
    # This table has the lowest MI_q that there is.
    assert table.pvalue == pytest.approx(1.0, abs=1e-8)


# --------------------------------------------------------------------------- random tables


def random_sizes(rng, n, k):
    """Sizes of k clusters: alike, uneven, one large and some tiny ones, or almost equal."""
    shares = [
        np.ones(k),
        rng.dirichlet(np.full(k, 0.2)),
        np.append(10.0 ** rng.uniform(-9, -1, k - 1), 1.0),
    ][rng.integers(3)]
    sizes = np.maximum((shares / shares.sum() * n).astype(np.int64), 1)
    sizes[np.argmax(sizes)] += n - sizes.sum()
    if rng.random() < 0.3 and sizes.min() > 3:
        sizes[0] += 1
        sizes[1] -= 1
    return sizes


def random_table(rng, n, n_rows, n_cols):
    row_sums, col_sums = random_sizes(rng, n, n_rows), random_sizes(rng, n, n_cols)
    counts = PermutationModel(row_sums, col_sums).rvs(random_state=int(rng.integers(2**31)))[0]
    if rng.random() < 0.4:  # some agreement
        (i, j), (k, m) = rng.choice(n_rows, 2, False), rng.choice(n_cols, 2, False)
        moved = int(min(counts[i, m], counts[j, k]) * rng.random())
        counts[[i, j], [k, m]] += moved
        counts[[i, j], [m, k]] -= moved
    return from_counts(counts)


@pytest.mark.parametrize("digits", [2, *(slow(digits) for digits in range(3, 10))])
def test_random_tables_at_whole_orders(digits):
    rng = np.random.default_rng(digits)
    n_checked = 0
    while n_checked < 25:
        table = random_table(rng, 10**digits, *rng.integers(2, 7, 2))
        for q in WHOLE_ORDERS:
            if not law_of(table, q).is_constant:
                assert smi(table, q=q) == close_to(exact.standardized(table, q)), (table, q)
                n_checked += 1


@pytest.mark.parametrize(
    ("counts", "q"),
    [
        # Two columns of the same size: fewer pairs of cells that differ.
        (np.array([[300, 150, 50], [100, 250, 150]]) * 10**6 + [[17, 0, 5], [0, 17, 0]], 1.5),
        (np.outer([400, 600], [300, 300, 400]) * 4_000 + [[900, -900, 0], [-900, 900, 0]], 0.3),
    ],
    ids=["dependent", "independent"],
)
@pytest.mark.slow
def test_a_table_of_a_billion_objects(counts, q, monkeypatch):
    # The reference subtracts squares of 1e9, after which these leave it 15 digits or more.
    monkeypatch.setattr(exact, "BITS", 220)
    monkeypatch.setattr(exact, "_NEGLIGIBLE", 1e-45)
    table = from_counts(counts)
    assert smi(table, q=q) == close_to(exact.standardized(table, q))


def labels_with_small_clusters(rng, n):
    k = int(10 ** rng.uniform(0.5, math.log10(n)))
    return [
        lambda: rng.integers(k, size=n),
        lambda: np.minimum(np.arange(n), k),
        lambda: pairs_and_singletons(n, min(k, n // 2)),
        lambda: rng.geometric(0.3, size=n) + np.arange(n) * (np.arange(n) < n // 3) * 2,
    ][rng.integers(4)]()


@pytest.mark.parametrize(("seed", "n_tables"), [(0, 1), *(slow(seed, 5) for seed in range(6))])
def test_many_clusters_at_whole_orders(seed, n_tables):
    rng = np.random.default_rng(seed)
    for _ in range(n_tables):
        n = int(10 ** rng.uniform(2, 5))
        first, second = (labels_with_small_clusters(rng, n) for _ in range(2))
        table = from_labels(first, rng.permutation(second) if rng.random() < 0.7 else second)
        for q in WHOLE_ORDERS:
            if not law_of(table, q).is_constant:
                expected = exact.standardized(table, q)
                assert smi(table, q=q) == close_to(expected), (table, q)


KINDS = ["pairs", "triples", "big", "halves", "mixed"]


def sizes_with_singletons(kind, n):
    return {
        "pairs": [2] * 7 + [1] * (n - 14),
        "triples": [3] * (n // 3) + [1] * (n % 3),
        "big": [n - 60] + [1] * 60,
        "halves": [n // 2 + 1, n - n // 2 - 1],
        "mixed": [n // 2, 3, 2, 2] + [1] * (n - n // 2 - 7),
    }[kind]


@pytest.mark.parametrize(
    "kinds", [*itertools.combinations_with_replacement(KINDS, 2)], ids="-".join
)
@pytest.mark.parametrize("n", [100, pytest.param(3000, marks=pytest.mark.slow)])
def test_many_clusters_at_any_order(kinds, n):
    rng = np.random.default_rng(n)
    sizes = [sizes_with_singletons(kind, n) for kind in kinds]
    first, second = (np.repeat(np.arange(len(part)), part) for part in sizes)
    table = from_labels(first, rng.permutation(second))
    orders = [LIMITS[0], *(q for q in ORDERS if q not in WHOLE_ORDERS)]
    for q in rng.choice(orders, 3, replace=False) if kinds != ("halves", "halves") else orders:
        assert smi(table, q=q) == close_to(exact.standardized(table, q)), q


@pytest.mark.parametrize("n", [10**6, slow(10**9)])
@pytest.mark.parametrize("q", [LIMITS[0], *SOME_ORDERS, LIMITS[1]])
def test_tiny_clusters_against_almost_equal_ones(q, n):
    third = n // 3
    for rows, cols in (
        ((n - 2, 2), (n // 2 + 1, n // 2 - 1)),
        ((n - 3, 2, 1), (third + 2, third - 1, n - 2 * third - 1)),
        ((n - 8, 5, 3), (n - 6, 3, 2, 1)),
    ):
        counts = np.outer(rows, cols) // n
        counts[0] += np.array(cols) - counts.sum(axis=0)
        counts[:, 0] += np.array(rows) - counts.sum(axis=1)
        counts[0, 0] -= counts.sum() - n
        table = from_counts(counts)
        assert table.row_sums.tolist() == list(rows)
        assert table.col_sums.tolist() == list(cols)
        assert smi(table, q=q) == close_to(exact.standardized(table, q))


@pytest.mark.parametrize("q", [0.5, 1, 3, slow(20)])
def test_standardized_value_does_not_depend_on_order_or_sides(q):
    rng = np.random.default_rng(0)
    for n, k in ((300, 5), (5000, 4000), (10**5, 300)):
        first, second = rng.integers(k, size=n), rng.integers(2 * k, size=n)
        table = from_labels(first, second)
        renamed = from_labels(rng.permutation(k)[first], rng.permutation(2 * k)[second])
        assert smi(renamed, q=q) == smi(table.T, q=q) == smi(table, q=q)


# --------------------------------------------------------------------------- what builds on it


@pytest.mark.parametrize("name", ["adjusted_rand_score", "rand_score", "mirkin_distance"])
@pytest.mark.parametrize("n", [10**5, 10**9])
def test_moments_of_pair_indices_have_the_exact_standardized_value(name, n):
    table = from_counts([[n // 2, n // 2 - 2], [0, 2]])
    moments = null_moments(get_index(name), table)
    sign = 1 if moments.rises else -1
    assert moments.standardized == close_to(sign * exact.standardized(table, 2), 1e-14)


@pytest.mark.parametrize(
    "name", ["adjusted_mutual_info_score", "variation_of_information_distance"]
)
@pytest.mark.parametrize("q", [0.3, 1, 2, 3, 20])
def test_moments_of_information_have_the_exact_standardized_value(name, q):
    table = all_apart(10**4, 3)
    moments = null_moments(get_index(name), table, q=q)
    sign = 1 if moments.rises else -1
    assert moments.rises == (name == "adjusted_mutual_info_score")
    assert moments.standardized == close_to(sign * exact.standardized(table, q))


@pytest.mark.parametrize("sizes", [(7, 5, 3, 1), (500, 300, 199, 1), (4, 4, 4), (10**8, 2, 1)])
@pytest.mark.parametrize("q", [LIMITS[0], *ORDERS, LIMITS[1]])
def test_room_below_independence_keeps_its_digits(sizes, q):
    other = (sum(sizes) - 3, 2, 1)
    counts = np.zeros((len(sizes), 3), np.int64)
    rest = list(other)
    for i, size in enumerate(sizes):
        for j in range(3):
            counts[i, j] = min(size - counts[i].sum(), rest[j])
            rest[j] -= counts[i, j]
    with mpmath.workprec(exact.BITS):
        order, n, spread = mpmath.mpf(q), sum(sizes), mpmath.mpf(1)
        for side in (sizes, other):
            shares = [mpmath.mpf(size) / n for size in side]
            low = 1 / mpmath.fsum(share ** (2 - order) for share in shares)
            spread *= mpmath.fsum(share**order for share in shares) - low
        expected = float(order / (2 * (order - 1) ** 2) * spread) if q != 1 else 0.0
    expected *= len(set(sizes)) > 1  # else zero but for rounding
    assert room_below_independence(from_counts(counts), q) == pytest.approx(
        expected, rel=1e-12, abs=1e-300
    )


@pytest.mark.parametrize("q", [2, 3, 5, 20])
@pytest.mark.parametrize(
    "counts",
    [
        [[30, 10, 5], [8, 25, 2], [7, 5, 8]],
        [[3_000_100, 999_900], [2_999_900, 1_000_100]],
        [[499_990, 499_999], [6, 5]],
    ],
)
def test_the_mean_is_above_the_lowest_value_as_the_exact_moments_are(counts, q):
    table = from_counts(counts)
    rows, cols = exact.sizes_of(table)
    n = int(table.n_samples)
    with mpmath.workprec(exact.BITS):
        # In units of (q - 1) N^q: the factor does not matter.
        mean, variance = map(exact.to_mpf, exact.moments_of_whole_order(rows, cols, q))
        row_power, col_power = (
            mpmath.fsum(times * (mpmath.mpf(size) / n) ** q for size, times in sizes.items())
            for sizes in (rows, cols)
        )
        lowest = mpmath.mpf(n) ** q * (
            row_power * col_power - (q - 1) * room_below_independence(table, float(q))
        )
        above = mean - lowest
        expected = above / mpmath.sqrt(variance)
    law = InformationDistribution(Information(table, q))
    assert law.above_lowest == pytest.approx(float(expected), rel=1e-9)


@pytest.mark.parametrize("n_samples", [60, 4000])
@pytest.mark.parametrize("q", [1, 1.5])
@pytest.mark.parametrize("method", ["auto", "moments", "cantelli", "monte_carlo"])
def test_variance_is_computed_once(method, q, n_samples, monkeypatch):
    if method == "moments" and q != 1:
        pytest.skip("four moments are known for the order 1 only")
    calls = []
    make = CellSumMoments.__init__

    def counted(self, *args, **options):
        calls.append(self)
        make(self, *args, **options)

    monkeypatch.setattr(CellSumMoments, "__init__", counted)
    rng = np.random.default_rng(0)
    first, second = rng.integers(3, size=n_samples), rng.integers(4, size=n_samples)
    independence_test(first, second, q=q, method=method, n_resamples=30)
    assert len(calls) == 1


@pytest.mark.parametrize("q", [slow(0.5), 2, slow(3)])
def test_ties_are_judged_in_standard_deviations(q):
    """Two objects against two halves: both in one half, or one in each, with probability 1 / 2."""
    half = 5 * 10**6
    for lone, expected in ((1, 1.0), (0, 0.5)):
        result = independence_test(
            [0, 0, 1, 1],
            [0, 1, 0, 1],
            sample_weight=[half - lone, half - 2 + lone, lone, 2 - lone],
            q=q,
            method="monte_carlo",
            n_resamples=400,
            random_state=0,
        )
        assert result.pvalue == pytest.approx(expected, abs=0.12 * (expected < 1))


@pytest.mark.parametrize("q", [slow(q) for q in (0.3, 1.5, 3)])
def test_tables_of_the_same_cells_tie(q):
    """Whatever their arrangement, from which rounding makes differences."""
    with mpmath.workprec(exact.BITS):
        law, examples = law_of_cells((3, 2, 1), (3, 2, 1))
        values, _, _ = moments_of_law(law, q)
    n_draws = 500
    for cells, same in examples.items():
        above = float(sum(law[other] for other in law if values[other] >= values[cells]))
        for table in same:
            result = independence_test(
                *np.indices((3, 3)).reshape(2, -1),
                sample_weight=np.ravel(table),
                q=q,
                method="monte_carlo",
                n_resamples=n_draws,
                random_state=0,
            )
            error = math.sqrt(above * (1 - above) / n_draws)
            assert result.pvalue == pytest.approx(above, abs=4 * error + 1 / n_draws)


CLOSE_TO_AN_ENTROPY = {
    "pairs apart": all_apart(10**4, 5),
    "small clusters and halves": small_clusters_and_halves(1000),
    "equal clusters": equal_clusters(1000, 20),
    "three": from_counts([[50, 0, 0], [0, 48, 2], [0, 14, 36]]),
    "almost refined": from_counts([[50, 0, 0, 0], [0, 48, 2, 0], [0, 0, 0, 50]]),
    "halves": from_counts([[500, 498], [0, 2]]),
    "refined but for one": from_labels(np.arange(900) // 2, (np.arange(900) + 1) // 300),
}


@pytest.mark.parametrize(
    "name",
    [slow(name) if name in ("three", "almost refined") else name for name in CLOSE_TO_AN_ENTROPY],
)
@pytest.mark.parametrize("q", [LIMITS[0], 1, *map(slow, (0.5, 2, 3, 10, 20, LIMITS[1]))])
def test_where_the_mean_is_close_to_an_entropy(name, q):
    """Or the entropies are close to each other, as they are for large orders."""
    index, table = get_index("adjusted_mutual_info_score"), CLOSE_TO_AN_ENTROPY[name]
    expected, mean_given_pred = exact.adjusted_mutual_info(table, q)
    for average_method, (value, deviation) in expected.items():
        parameters = {"q": q, "average_method": average_method}
        assert index(table, **parameters) == close_to(value)
        moments = null_moments(index, table, **parameters)
        assert moments.standard_deviation == pytest.approx(float(deviation), rel=1e-10, abs=0)
    moments = null_moments(get_index("conditional_entropy"), table, q=q)
    assert moments.mean == pytest.approx(float(mean_given_pred), rel=1e-12, abs=0)


# --------------------------------------------------------------------------- limits of q


def functions_of_order():
    labels = [0, 0, 1, 1, 1, 2], [0, 1, 1, 1, 2, 2]
    table = from_labels(*labels)
    model = PermutationModel(table.row_sums, table.col_sums)
    for name in list_indices():
        if "q" in get_index(name).parameters:
            yield name, lambda q, name=name: get_index(name).check_parameters(q=q)
    for method in (
        model.expected_mutual_info,
        model.expected_convex_gain,
        model.expected_variation_of_information,
        model.expected_joint_entropy,
        model.mutual_info_variance,
    ):
        yield method.__name__, method
    for function in (
        expected_mutual_info,
        mutual_info_variance,
        independence_test,
        cluster_decomposition,
    ):
        yield function.__name__, lambda q, function=function: function(*labels, q=q)


@pytest.mark.parametrize(
    "function", [pytest.param(call, id=name) for name, call in functions_of_order()]
)
def test_limits_of_the_order_are_the_same_everywhere(function):
    for q in LIMITS:
        function(q=q)
    for q in (0.00099, 30.01, 500, 0, -1, math.inf, math.nan):
        with pytest.raises(ValueError, match="^q must be a number from 0.001 to 30, got"):
            function(q=q)


@pytest.mark.slow
@pytest.mark.parametrize("q", LIMITS)
def test_indices_at_the_limits_of_the_order(q):
    """Half a million pairs: the powers that would vanish first."""
    n = 10**6
    table = from_labels(np.arange(n) // 2, (np.arange(n) + 1) % n // 2)
    assert table.shape == (n // 2, n // 2)
    with mpmath.workprec(exact.BITS):
        rows, cols = exact.sizes_of(table)
        mean, variance = exact.moments_of_any_order(rows, cols, q)
        largest = n // 2 * exact.phi(2, q)
        adjusted = float(-mean / (largest - mean))
        standardized = float(-mean / mpmath.sqrt(variance))
    assert get_index("adjusted_mutual_info_score")(table, q=q) == pytest.approx(adjusted, rel=1e-9)
    assert smi(table, q=q) == close_to(standardized)
    assert get_index("pvalue_adjusted_mutual_info_score")(table, q=q) < 0.5
    distance = get_index("variation_of_information_distance")(table, q=q, normalize="expected")
    assert distance == pytest.approx(1 - adjusted, rel=1e-9)


@pytest.mark.parametrize("q", ORDERS)
def test_no_warning_without_reason(q):
    assert smi(from_counts([[6, 4, 5], [0, 0, 1]]), q=q) < 0
    with pytest.warns(UndefinedMetricWarning, match="zero variance"):
        smi(from_counts([[2, 0], [1, 1]]), q=q)
