"""Every index against its definition: brute force, exact fractions, fifty digits."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import maximum_bipartite_matching

from sklearn_clustcompare import ContingencyTable, get_index
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED
from sklearn_clustcompare.indices import _pairs as _coefficients
from tests import _oracles as oracles
from tests._deviations import PRINTED_BAULIEU_1
from tests._examples import FEW_EXAMPLES, slow

ORDERS = [0.5, 1, 2, 3]
AVERAGES = ["min", "geometric", "arithmetic", "max"]

PAIR_INDICES = {
    "rand_score": oracles.rand,
    "adjusted_rand_score": oracles.adjusted_rand,
    "fowlkes_mallows_score": oracles.fowlkes_mallows,
    "pair_jaccard_score": oracles.jaccard,
    "pair_precision_score": oracles.precision,
    "pair_recall_score": oracles.recall,
    "pair_f_score": oracles.f_measure_of_pairs,
    "adjusted_wallace_score": oracles.adjusted_wallace,
    "mirkin_distance": oracles.mirkin,
    "partition_difference": oracles.partition_difference,
}
ROUNDED_ONCE = sorted(set(PAIR_INDICES) - {"fowlkes_mallows_score"})

labels_of_six = st.lists(st.integers(0, 3), min_size=6, max_size=6)
small_pairs = st.integers(2, 14).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2)
)


@pytest.fixture(autouse=True)
def _fifty_digits():
    with mpmath.workdps(50):
        yield


def value_of(name, labels_true, labels_pred, **parameters):
    return of_table(name, ContingencyTable.from_labels(labels_true, labels_pred), **parameters)


def of_table(name, table, **parameters):
    with UNDEFINED_IGNORED:
        return get_index(name)(table, **parameters)


def defined(function, *arguments, **parameters):
    """Return the value by definition, or None where that divides by zero."""
    try:
        return function(*arguments, **parameters)
    except ZeroDivisionError:
        return None


def approx(value, rel=1e-14, abs=1e-14):
    return pytest.approx(float(value), rel=rel, abs=abs)


# --------------------------------------------------------------------------- pairs of objects


@pytest.mark.parametrize("name", PAIR_INDICES)
def test_pair_index_counts_pairs_of_objects(name):
    n_defined = 0

    @given(small_pairs)
    def check(pair):
        nonlocal n_defined
        expected = defined(PAIR_INDICES[name], *oracles.pair_counts(*pair))
        if expected is not None:
            n_defined += 1
            assert value_of(name, *pair) == approx(expected)

    check()
    assert n_defined >= 8


@pytest.mark.parametrize("beta", [0.25, 0.5, 2, 3])
def test_pair_f_of_any_beta(beta):
    @given(small_pairs)
    def check(pair):
        expected = defined(oracles.f_measure_of_pairs, *oracles.pair_counts(*pair), beta=beta)
        if expected is not None:
            assert value_of("pair_f_score", *pair, beta=beta) == approx(expected)

    check()


@pytest.mark.parametrize("name", _coefficients.COEFFICIENTS)
def test_coefficient_counts_pairs_of_objects(name):
    n_defined = 0

    @given(small_pairs)
    def check(pair):
        nonlocal n_defined
        expected = defined(oracles.COEFFICIENTS[name], *oracles.pair_counts(*pair))
        if expected is not None:
            n_defined += 1
            assert value_of("pair_counting_score", *pair, coefficient=name) == approx(expected)

    check()
    assert n_defined >= 8


def test_every_coefficient_has_its_formula_here():
    assert set(_coefficients.COEFFICIENTS) == set(oracles.COEFFICIENTS)


# Printed in the documentation of the R package partitionComparison.
PRINTED_COEFFICIENTS = {
    "baulieu_2": 0.04,
    "fager_mcgowan": 0.25,
    "gower_legendre": 0.75,
    "mcconnaughey": 0,
    "sokal_sneath_1": 7 / 12,
    "sokal_sneath_2": 0.2,
    "sokal_sneath_3": 1 / 3,
    "pearson": 1 / 144,
    "peirce": 1 / 6,
}


@pytest.mark.parametrize("name", PRINTED_COEFFICIENTS)
def test_printed_value_of_coefficient(name):
    value = value_of("pair_counting_score", [0, 0, 0, 1, 1], [0, 0, 1, 1, 1], coefficient=name)
    assert value == approx(PRINTED_COEFFICIENTS[name], rel=1e-15, abs=1e-15)


def test_value_of_baulieu_1_is_not_the_printed_one():
    printed, by_definition, _ = PRINTED_BAULIEU_1
    pair = [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]
    both, true_only, pred_only, neither = oracles.pair_counts(*pair)
    differ = true_only + pred_only
    total = both + differ + neither
    assert (total**2 - total * differ + differ**2) / total**2 == printed
    assert (total**2 - total * differ + (true_only - pred_only) ** 2) / total**2 == by_definition
    assert value_of("pair_counting_score", *pair, coefficient="baulieu_1") == by_definition


def test_printed_value_of_fowlkes_mallows():
    assert value_of("fowlkes_mallows_score", [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]) == 0.5


def test_relations_between_pair_indices():
    @given(small_pairs)
    def check(pair):
        rand = value_of("rand_score", *pair)
        n = len(pair[0])
        mirkin = value_of("mirkin_distance", *pair, normalize=True)
        assert mirkin == approx((n - 1) / n * (1 - rand), abs=1e-15)
        assert value_of("mirkin_distance", *pair) == approx(n * n * mirkin)
        assert value_of("pair_counting_score", *pair) == approx(2 * rand - 1)
        dice = value_of("pair_counting_score", *pair, coefficient="czekanowski")
        assert dice == approx(value_of("pair_f_score", *pair))
        swapped = value_of("adjusted_wallace_score", *pair[::-1])
        assert value_of("adjusted_wallace_score", *pair, given="pred") == swapped

    check()


def test_chi_squared_sums_over_all_cells():
    @given(small_pairs)
    def check(pair):
        expected = oracles.chi_squared(oracles.dense_table(*pair))
        assert value_of("chi_squared_statistic", *pair) == approx(expected, abs=1e-13)

    check()


# --------------------------------------------------------------------------- chance, enumerated


def enumerated_mean(function, labels_true, labels_pred):
    arrangements = oracles.distinct_arrangements(labels_pred)
    return mpmath.fsum(function(labels_true, other) for other in arrangements) / len(arrangements)


FIXED_PAIRS = [
    ([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1]),
    ([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 3]),
    ([0, 0, 0, 0, 0, 1], [0, 0, 0, 1, 1, 0]),
    ([0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 2, 2]),
]


@pytest.mark.parametrize("name", oracles.LINEAR_COEFFICIENTS)
@pytest.mark.parametrize("pair", FIXED_PAIRS)
def test_adjusted_coefficient_is_adjusted_by_the_mean_over_all_permutations(name, pair):
    def coefficient(labels_true, labels_pred):
        counted = oracles.pair_counts(labels_true, labels_pred)
        value = oracles.COEFFICIENTS[name](*counted)
        return mpmath.mpf(value.numerator) / value.denominator if _is_exact(value) else value

    mean = enumerated_mean(coefficient, *pair)
    expected = (coefficient(*pair) - mean) / (1 - mean)
    value = value_of("pair_counting_score", *pair, coefficient=name, adjusted=True)
    assert value == approx(expected, rel=1e-13)


def _is_exact(value):
    return isinstance(value, int | Fraction)


@pytest.mark.parametrize("pair", FIXED_PAIRS)
def test_adjusted_rand_and_wallace_are_adjusted_by_the_mean_over_all_permutations(pair):
    def joined(labels_true, labels_pred):
        return oracles.pair_counts(labels_true, labels_pred)[0]

    n11, n10, n01, _ = oracles.pair_counts(*pair)
    mean = enumerated_mean(joined, *pair)
    adjusted_rand = (n11 - mean) / (mpmath.mpf(2 * n11 + n10 + n01) / 2 - mean)
    assert value_of("adjusted_rand_score", *pair) == approx(adjusted_rand)
    for given_side, n_pairs in (("true", n11 + n10), ("pred", n11 + n01)):
        wallace = (n11 - mean) / (n_pairs - mean)
        value = value_of("adjusted_wallace_score", *pair, given=given_side)
        assert value == approx(wallace)


@pytest.mark.parametrize("q", ORDERS)
@pytest.mark.parametrize("average_method", AVERAGES)
@pytest.mark.parametrize("pair", FIXED_PAIRS)
def test_adjusted_mutual_info_is_adjusted_by_the_mean_over_all_permutations(
    pair, q, average_method
):
    def information(labels_true, labels_pred):
        return oracles.Information(oracles.dense_table(labels_true, labels_pred), q)

    mean = enumerated_mean(lambda *labels: information(*labels).mutual, *pair)
    this = information(*pair)
    expected = (this.mutual - mean) / (this.bound(average_method) - mean)
    value = value_of("adjusted_mutual_info_score", *pair, q=q, average_method=average_method)
    assert value == approx(expected, rel=1e-13)


def test_adjusted_mutual_info_of_many_tiny_clusters():
    rng = np.random.default_rng(2)
    labels_true = rng.integers(700, size=1500)
    labels_pred = np.where(rng.random(1500) < 0.5, labels_true, rng.integers(750, size=1500))
    cells = Counter(zip(labels_true.tolist(), labels_pred.tolist(), strict=True))
    rows, cols = Counter(labels_true.tolist()), Counter(labels_pred.tolist())
    joint, true, pred = (oracles.entropy(sizes.values()) for sizes in (cells, rows, cols))
    mean = oracles.expected_mutual_info(rows.values(), cols.values())
    expected = (true + pred - joint - mean) / ((true + pred) / 2 - mean)
    value = value_of("adjusted_mutual_info_score", labels_true, labels_pred)
    assert value == approx(expected, rel=1e-12)


@pytest.mark.parametrize("q", ORDERS)
@pytest.mark.parametrize("pair", FIXED_PAIRS)
def test_variation_of_information_over_its_mean(pair, q):
    def variation(labels_true, labels_pred):
        return oracles.Information(oracles.dense_table(labels_true, labels_pred), q).variation

    expected = variation(*pair) / enumerated_mean(variation, *pair)
    value = value_of("variation_of_information_distance", *pair, q=q, normalize="expected")
    assert value == approx(expected, rel=1e-13)
    adjusted = value_of("adjusted_mutual_info_score", *pair, q=q)
    assert adjusted == approx(1 - expected, rel=1e-13)


def test_adjusted_mutual_info_of_order_two_is_adjusted_rand():
    @given(small_pairs)
    def check(pair):
        rand = value_of("adjusted_rand_score", *pair)
        assert value_of("adjusted_mutual_info_score", *pair, q=2) == approx(rand, 1e-13, 1e-13)

    check()


# --------------------------------------------------------------------------- sets


@pytest.mark.parametrize(
    ("name", "definition"),
    [
        ("purity_score", oracles.purity),
        ("meila_heckerman_score", oracles.purity),
        ("inverse_purity_score", oracles.inverse_purity),
        ("f_measure_score", oracles.larsen_aone),
        ("van_dongen_distance", oracles.van_dongen),
    ],
)
def test_set_matching_by_definition(name, definition):
    @given(small_pairs)
    def check(pair):
        assert value_of(name, *pair) == approx(definition(oracles.dense_table(*pair)))

    check()


@pytest.mark.parametrize("beta", [0.25, 0.5, 2, 3])
def test_f_measure_of_any_beta(beta):
    @given(small_pairs)
    def check(pair):
        expected = oracles.larsen_aone(oracles.dense_table(*pair), beta)
        assert value_of("f_measure_score", *pair, beta=beta) == approx(expected)

    check()


def test_van_dongen_normalized():
    @given(small_pairs)
    def check(pair):
        expected = Fraction(oracles.van_dongen(oracles.dense_table(*pair)), 2 * len(pair[0]))
        assert value_of("van_dongen_distance", *pair, normalize=True) == approx(expected)

    check()


def test_optimal_matching_is_the_best_of_all_matchings():
    @given(small_pairs)
    def check(pair):
        n = len(pair[0])
        best = oracles.best_matching(oracles.dense_table(*pair))
        assert value_of("matching_accuracy_score", *pair) == best / n
        assert value_of("misclassification_distance", *pair) == (n - best) / n

    check()


def small_tables(max_count):
    sides = st.integers(1, 4)
    return st.tuples(sides, sides).flatmap(
        lambda shape: st.lists(
            st.lists(st.integers(0, max_count), min_size=shape[1], max_size=shape[1]),
            min_size=shape[0],
            max_size=shape[0],
        ).filter(lambda counts: sum(map(sum, counts)) > 0)
    )


@pytest.mark.parametrize("max_count", [1, 2, 3, 9])
@pytest.mark.parametrize("n_examples", [15, slow(150)])
def test_greedy_matching_takes_the_largest_cell_again_and_again(max_count, n_examples):
    n_ties = 0

    @settings(max_examples=n_examples)
    @given(small_tables(max_count), st.randoms(use_true_random=False))
    def check(counts, random):
        nonlocal n_ties
        total = sum(map(sum, counts))
        best = oracles.rank_maximal_matching(counts)
        sums = oracles.greedy_sums(counts)
        assert best in sums
        n_ties += len(sums) > 1
        value = of_table("maximum_match_score", ContingencyTable.from_counts(counts))
        assert value == best / total
        rows = random.sample(counts, len(counts))
        for other in (rows, [row[::-1] for row in rows], list(zip(*counts, strict=True))):
            table = ContingencyTable.from_counts(other)
            assert of_table("maximum_match_score", table) == value

    check()
    assert n_ties >= (n_examples // 30 if max_count < 9 else 0)


def test_greedy_matching_with_ties_takes_as_many_of_the_largest_as_it_can():
    # The 3 in the first row leaves 1 to the second one; the 3 there leaves 2 to the first.
    for counts in ([[3, 2], [3, 1]], [[3, 1], [3, 2]], [[3, 3], [2, 1]]):
        assert oracles.greedy_sums(counts) == {4, 5}
        assert of_table("maximum_match_score", ContingencyTable.from_counts(counts)) == 5 / 9
    # One 3 in the middle, and two 2, would be more; but two 3 come first.
    counts = [[3, 3, 0], [0, 3, 2], [2, 0, 0]]
    assert oracles.greedy_sums(counts) == {6, 7}
    assert of_table("maximum_match_score", ContingencyTable.from_counts(counts)) == 6 / 13


def test_greedy_matching_of_many_tied_cells():
    """Of ones alone it is a largest matching, here found by SciPy."""
    rng = np.random.default_rng(8)
    labels_true, labels_pred = rng.integers(900, size=(2, 1500))
    cells = np.unique(labels_true * 900 + labels_pred)
    table = ContingencyTable.from_labels(*np.divmod(cells, 900))
    assert table.cell_counts.max() == 1
    graph = table.counts.astype(np.int8)
    graph.indices, graph.indptr = graph.indices.astype(np.int32), graph.indptr.astype(np.int32)
    size = np.count_nonzero(maximum_bipartite_matching(graph, perm_type="column") >= 0)
    assert of_table("maximum_match_score", table) == size / len(cells)


def test_greedy_matching_may_be_worse_than_optimal():
    table = ContingencyTable.from_counts([[5, 4], [4, 0]])
    assert of_table("maximum_match_score", table) == 5 / 13
    assert of_table("matching_accuracy_score", table) == 8 / 13


@pytest.mark.parametrize(
    ("n_samples", "n_true", "n_pred"),
    [
        slow(6000, 3000, 3000),
        slow(6000, 3000, 500),
        slow(6000, 400, 2900),
        (1200, 1200, 600),
        (900, 900, 900),
    ],
)
def test_optimal_matching_of_many_tiny_clusters(n_samples, n_true, n_pred):
    rng = np.random.default_rng(n_true)
    labels_true = rng.integers(n_true, size=n_samples)
    labels_pred = np.where(
        rng.random(n_samples) < 0.4, labels_true % n_pred, rng.integers(n_pred, size=n_samples)
    )
    dense = np.zeros((n_true, n_pred), int)
    np.add.at(dense, (labels_true, labels_pred), 1)
    best = int(dense[linear_sum_assignment(dense, maximize=True)].sum())
    assert value_of("matching_accuracy_score", labels_true, labels_pred) == best / n_samples
    missed = value_of("misclassification_distance", labels_true, labels_pred)
    assert missed == (n_samples - best) / n_samples


def test_optimal_matching_of_real_weights():
    rng = np.random.default_rng(4)
    dense = np.where(rng.random((200, 150)) < 0.02, rng.random((200, 150)), 0.0)
    best = dense[linear_sum_assignment(dense, maximize=True)].sum() / dense.sum()
    table = ContingencyTable.from_counts(dense)
    assert of_table("matching_accuracy_score", table) == approx(best, rel=1e-13)


# --------------------------------------------------------------------------- information


def bounded_tables(max_count):
    rows = st.lists(
        st.lists(st.integers(0, max_count), min_size=3, max_size=3), min_size=1, max_size=4
    )
    return rows.filter(lambda counts: sum(map(sum, counts)) > 0)


def check_information(counts, q, rel):
    table = ContingencyTable.from_counts(counts)
    this = oracles.Information(counts, q)

    # The fifty digits of the definition have rounding of their own.
    def expected(value, absolute=1e-300):
        return approx(0 if abs(value) < 1e-40 else value, rel, absolute)

    # Near independence, MI_q is a sum of small terms for q = 1 only.
    rounding = 1e-300 if q == 1 else 2e-15 * float(this.joint)
    information = of_table("mutual_info_score", table, q=q)
    assert information == expected(this.mutual, rounding)
    distance = of_table("variation_of_information_distance", table, q=q)
    assert distance == expected(this.variation)
    conditional = of_table("conditional_entropy", table, q=q)
    assert conditional == expected(this.joint - this.pred)
    if table.is_identity:
        return
    assert of_table("variation_of_information_distance", table, q=q, normalize="joint") == expected(
        this.variation / this.joint
    )
    for average_method in [*AVERAGES, "joint"]:
        bound = this.bound(average_method)
        value = of_table("normalized_mutual_info_score", table, q=q, average_method=average_method)
        if bound > 1e-40:
            assert value == expected(this.mutual / bound, rounding / float(bound))
        else:
            assert value == 0
    if q == 1:
        largest = max(this.true, this.pred)
        assert of_table("normalized_information_distance", table) == expected(
            1 - this.mutual / largest
        )
        # These are one minus something: near zero they are exact in absolute terms only.
        homogeneity = this.mutual / this.true if this.true else 1
        completeness = this.mutual / this.pred if this.pred else 1
        assert of_table("homogeneity_score", table) == approx(homogeneity, rel, rel)
        assert of_table("completeness_score", table) == approx(completeness, rel, rel)
        for beta in (0, 0.3, 1, 2):
            both = beta * homogeneity + completeness
            v_measure = (1 + beta) * homogeneity * completeness / both if both else 0
            value = of_table("v_measure_score", table, beta=beta)
            assert value == approx(v_measure, 2 * rel, 2 * rel)


@pytest.mark.parametrize("q", ORDERS)
@pytest.mark.parametrize("max_count", [1, 3, 20])
def test_information_of_small_tables(q, max_count):
    @FEW_EXAMPLES
    @given(bounded_tables(max_count))
    def check(counts):
        check_information(counts, q, rel=1e-13)

    check()


@pytest.mark.parametrize("base", [2, 10, math.e])
def test_base_is_a_unit(base):
    @given(small_pairs)
    def check(pair):
        for name in (
            "mutual_info_score",
            "conditional_entropy",
            "variation_of_information_distance",
        ):
            nats = value_of(name, *pair)
            assert value_of(name, *pair, base=base) == approx(nats / math.log(base), abs=0)

    check()


def test_variation_of_information_of_order_two_is_mirkin_over_squared_n():
    @given(small_pairs)
    def check(pair):
        mirkin = value_of("mirkin_distance", *pair, normalize=True)
        value = value_of("variation_of_information_distance", *pair, q=2)
        assert value == approx(mirkin, abs=1e-300)

    check()


def test_order_close_to_one_is_close_to_shannon():
    table = ContingencyTable.from_counts([[5, 1, 2], [1, 7, 0]])
    for name in (
        "mutual_info_score",
        "normalized_mutual_info_score",
        "adjusted_mutual_info_score",
        "variation_of_information_distance",
        "conditional_entropy",
    ):
        shannon = of_table(name, table)
        for q in (1 - 1e-9, 1 + 1e-9):
            assert of_table(name, table, q=q) == approx(shannon, rel=1e-7)


# --------------------------------------------------------------------------- many objects

LARGE = bounded_tables(10**11)


@pytest.mark.parametrize("name", ROUNDED_ONCE)
def test_pair_index_of_many_objects_is_rounded_once(name):
    @given(LARGE)
    def check(counts):
        expected = defined(PAIR_INDICES[name], *oracles.pair_counts_of_table(counts))
        if expected is not None:
            assert of_table(name, ContingencyTable.from_counts(counts)) == float(expected)

    check()


@pytest.mark.parametrize("name", ROUNDED_ONCE)
def test_pair_index_of_as_many_objects_as_an_integer_can_hold(name):
    counts = [[2**60, 2**61 - 1, 3], [2**59 + 1, 2**61 + 5, 2**60 - 7]]
    expected = PAIR_INDICES[name](*oracles.pair_counts_of_table(counts))
    assert of_table(name, ContingencyTable.from_counts(counts)) == float(expected)


@pytest.mark.parametrize("name", _coefficients.COEFFICIENTS)
def test_coefficient_of_many_objects(name):
    @FEW_EXAMPLES
    @given(LARGE)
    def check(counts):
        expected = defined(oracles.COEFFICIENTS[name], *oracles.pair_counts_of_table(counts))
        if expected is not None:
            table = ContingencyTable.from_counts(counts)
            value = of_table("pair_counting_score", table, coefficient=name)
            assert value == approx(expected, rel=1e-13, abs=0)

    check()


@pytest.mark.parametrize("q", ORDERS)
def test_information_of_many_objects(q):
    @given(LARGE)
    def check(counts):
        check_information(counts, q, rel=1e-13)

    check()


# Deviations from independence of one in a thousand, a million, and less than one object.
NEAR_INDEPENDENCE = (
    [
        [
            [10**3 * i * j + d for j, d in zip((2, 3, 5), row, strict=True)]
            for i, row in enumerate(deviations, start=1)
        ]
        for deviations in ([(1, -1, 0), (-1, 0, 1)], [(1, 0, 0), (0, 0, 0)])
    ]
    + [
        [[scale + step, scale - step], [scale - step, scale + step]]
        for scale, step in ((10**6, 1), (10**11, 10**5), (10**11, 1))
    ]
    + [
        [[2 * scale + step, 3 * scale - step], [4 * scale - step, 6 * scale + step]]
        for scale, step in ((10**6, 1), (7 * 10**10 + 1, 10**5), (7 * 10**10 + 1, 1))
    ]
    + [[[333333333333, 222222222222], [111111111111, 74074074074]]]
)


@pytest.mark.parametrize("counts", NEAR_INDEPENDENCE, ids=str)
def test_mutual_information_near_independence(counts):
    table = ContingencyTable.from_counts(counts)
    this = oracles.Information(counts)
    mutual = this.mutual if this.mutual > 1e-40 else 0
    assert of_table("mutual_info_score", table) == approx(mutual, rel=1e-13, abs=0)
    value = of_table("normalized_mutual_info_score", table)
    expected = mutual / this.bound("arithmetic")
    assert value == approx(expected, rel=1e-13, abs=0)


@pytest.mark.parametrize("counts", NEAR_INDEPENDENCE, ids=str)
def test_chi_squared_near_independence(counts):
    value = of_table("chi_squared_statistic", ContingencyTable.from_counts(counts))
    assert value == approx(oracles.chi_squared(counts), rel=1e-12, abs=0)


NEAR_IDENTITY = [
    [[10**12 - 1, 1], [0, 10**12]],
    [[10**12, 0, 1], [0, 10**6, 0], [2, 0, 3]],
    [[10**12, 1], [1, 1]],
    [[10**12, 0], [1, 1]],
    [[999_999, 0, 1], [0, 1, 0], [0, 0, 5 * 10**11]],
]


@pytest.mark.parametrize("q", ORDERS)
@pytest.mark.parametrize("counts", NEAR_IDENTITY, ids=str)
def test_information_near_identity(counts, q):
    check_information(counts, q, rel=1e-13)


@pytest.mark.parametrize(
    ("name", "definition"),
    [
        ("purity_score", oracles.purity),
        ("inverse_purity_score", oracles.inverse_purity),
        ("f_measure_score", oracles.larsen_aone),
        ("van_dongen_distance", oracles.van_dongen),
        (
            "matching_accuracy_score",
            lambda counts: Fraction(oracles.best_matching(counts), sum(map(sum, counts))),
        ),
        (
            "maximum_match_score",
            lambda counts: Fraction(oracles.rank_maximal_matching(counts), sum(map(sum, counts))),
        ),
    ],
)
def test_set_matching_of_many_objects(name, definition):
    @given(LARGE)
    def check(counts):
        counts = _without_empty(counts)
        table = ContingencyTable.from_counts(counts)
        assert of_table(name, table) == approx(definition(counts), rel=1e-15, abs=0)

    check()


def _without_empty(counts):
    rows = [row for row in counts if any(row)]
    cols = [col for col in zip(*rows, strict=True) if any(col)]
    return [list(row) for row in zip(*cols, strict=True)]


def test_pairs_of_fractional_weights_use_real_n():
    table = ContingencyTable.from_counts([[2.5, 1.0], [0.5, 3.5]])
    pairs = [n * (n - 1) / 2 for n in (2.5, 1.0, 0.5, 3.5)]
    both = math.fsum(pairs)
    true = 3.5 * 2.5 / 2 + 4 * 3 / 2
    pred = 3 * 2 / 2 + 4.5 * 3.5 / 2
    assert of_table("pair_jaccard_score", table) == approx(both / (true + pred - both))
    total = 7.5 * 6.5 / 2
    assert of_table("rand_score", table) == approx((total - true - pred + 2 * both) / total)


def test_enumeration_counts_each_arrangement_once():
    assert len(oracles.distinct_arrangements([0, 0, 1, 2])) == 12
    assert list(itertools.islice(oracles.distinct_arrangements([0, 1]), 2)) == [(0, 1), (1, 0)]
