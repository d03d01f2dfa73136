"""The permutation model against enumeration, mpmath, random tables and scikit-learn."""

import itertools
import math
import pickle

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sklearn_clustcompare._kernels import hypergeometric as _hypergeometric
from sklearn_clustcompare.significance import PermutationModel
from tests._cell_sums import enumerated
from tests._exact_moments import law
from tests._examples import FEW_EXAMPLES, slow
from tests._laws import orders

ORDERS = [0.5, 1.0, 1.001, 2.0, 2.5, 3.0]

# Row and column sums whose cells have either small supports or a standard deviation below 1e4.
LARGE_MARGINS = [
    ((10**12 - 40, 30, 10), (5 * 10**11, 3 * 10**11, 2 * 10**11)),
    ((10**12 - 3, 2, 1), (10**12 - 4, 3, 1)),
    ((60, 999_940), (999_900, 100)),
    ((2,), (1, 1)),
    ((1, 1), (1, 1)),
]
LARGEST_MARGINS = [
    ((250, 250, 250, 250), (700, 299, 1)),
    ((10**12 - 10**7, 10**7), (10**12 - 3 * 10**7, 10**7, 2 * 10**7)),
    ((10**6 - 1500, 1000, 500), (4 * 10**5, 599_999, 1)),
    ((5000, 5000), (4000, 6000)),
]


@pytest.fixture(autouse=True)
def _forty_digits():
    with mpmath.workdps(40):
        yield


def term(x, n, q):
    """The part of x of n objects in an entropy."""
    p, order = mpmath.mpf(int(x)) / n, mpmath.mpf(q)
    return 0 if not x else -p * mpmath.log(p) if q == 1 else (p - p**order) / (order - 1)


def exact_moments(row_sums, col_sums, q):
    """Mean of MI_q and VI_q and variance of MI_q, by full enumeration at 40 digits."""
    n = sum(row_sums)
    joint, variance = enumerated(row_sums, col_sums, lambda x, a, b: term(x, n, q))
    return *means_by(joint, row_sums, col_sums, q), float(variance), float(joint)


def exact_means(row_sums, col_sums, q):
    """Means of MI_q and VI_q, cell by cell."""
    n = sum(row_sums)
    cells = itertools.product(row_sums, col_sums)
    parts = [w * term(x, n, q) for a, b in cells for x, w in law(n, a, b)]
    return means_by(mpmath.fsum(parts), row_sums, col_sums, q)


def means_by(joint, row_sums, col_sums, q):
    margins = mpmath.fsum(term(size, sum(row_sums), q) for size in (*row_sums, *col_sums))
    return float(margins - joint), float(2 * joint - margins)


def exact_two_by_two_variance(n, a, b, q):
    shares = dict(law(n, a, b))
    cells = {x: (x, a - x, b - x, n - a - b + x) for x in shares}
    values = {x: mpmath.fsum(term(one, n, q) for one in cells[x]) for x in shares}
    mean = mpmath.fsum(shares[x] * values[x] for x in shares)
    return float(mpmath.fsum(shares[x] * (values[x] - mean) ** 2 for x in shares))


def partition_of(n, rng):
    return np.bincount(rng.integers(rng.integers(1, n + 1), size=n))


@st.composite
def small_margins(draw):
    n = draw(st.integers(2, 9))
    labels = st.lists(st.integers(0, 4), min_size=n, max_size=n)
    return tuple(tuple(int(c) for c in np.bincount(draw(labels)) if c) for _ in range(2))


@pytest.mark.slow
@given(margins=small_margins(), q=st.sampled_from(ORDERS))
@example(margins=((25, 3, 2), (20, 6, 4)), q=1.0)
@example(margins=((25, 3, 2), (20, 6, 4)), q=2.5)
def test_moments_by_full_enumeration(margins, q):
    with mpmath.workdps(40):
        mutual_info, variation, variance, joint = exact_moments(*margins, q)
    model = PermutationModel(*margins)
    # Below q = 1 what independence contributes is negative, and relative accuracy is lost.
    slack = 1e-14 if q < 1 else 1e-35
    assert model.expected_mutual_info(q) == pytest.approx(mutual_info, rel=1e-13, abs=slack)
    assert model.expected_variation_of_information(q) == pytest.approx(
        variation, rel=1e-13, abs=1e-35
    )
    assert model.expected_joint_entropy(q) == pytest.approx(joint, rel=1e-13)
    assert model.mutual_info_variance(q) == pytest.approx(variance, rel=1e-11, abs=1e-30)
    if q == 2.0:  # sum n^2 is twice the number of pairs and the number of objects
        n, slack = model.n_samples, 1e-14 * model.n_samples**2
        pairs = (n**2 * (1 - joint) - n) / 2
        assert model.expected_pair_count() == pytest.approx(pairs, rel=1e-13, abs=slack)
        assert model.pair_count_variance() == pytest.approx(variance * n**4 / 4, rel=1e-12)


@pytest.mark.parametrize("margins", [*LARGE_MARGINS, *map(slow, LARGEST_MARGINS)])
@pytest.mark.parametrize("q", [0.5, 1.0, 1.001, 2.0, 3.0, 20.0])
def test_means_of_large_tables(margins, q):
    mutual_info, variation = exact_means(*margins, q)
    model = PermutationModel(*margins)
    slack = 1e-14 * abs(model.expected_mutual_info(q, method="limit")) if q in (0.5, 20) else 0
    assert model.expected_mutual_info(q) == pytest.approx(mutual_info, rel=1e-13, abs=slack)
    assert model.expected_variation_of_information(q) == pytest.approx(variation, rel=1e-13, abs=0)


@pytest.mark.parametrize(
    "sizes",
    [
        (100, 90, 50),
        (100, 50, 50),
        (1000, 400, 350),
        slow((10**4, 5000, 4000)),
        (10**6, 900_000, 300),
        (10**6, 999_990, 500_000),
        (10**6, 1000, 40_000),
        slow((10**8, 10**5, 10**6)),
        (10**12, 10**6, 10**7),
        (10**12, 10**12 - 10**5, 10**12 - 3 * 10**8),
        (1146, 10, 892),
        (624_835_979_061, 231_623_600_802, 1),
        (1_694_904_502, 1_688_151_086, 1_694_891_484),
        (677_443_537_251, 931, 10_320_536_282),
        (2**53, 60, 2**52),
    ],
)
@pytest.mark.parametrize("q", [1.0, slow(1.001), 0.5, slow(3.0)])
def test_variance_of_two_by_two_tables(sizes, q):
    n, a, b = sizes
    variance = PermutationModel([a, n - a], [b, n - b]).mutual_info_variance(q)
    assert variance == pytest.approx(exact_two_by_two_variance(n, a, b, q), rel=1e-12, abs=0)


@pytest.mark.parametrize("n", [3, 10, 1000, 10**5])
@pytest.mark.parametrize("q", [0.5, 1.0, 3.0])
def test_singletons_and_one_pair(n, q):
    """The two pairs are the same with probability 1 / C(n, 2): mean and variance are elementary."""
    model = PermutationModel([2] + [1] * (n - 2), [1] * (n - 2) + [2])
    gain = 2 * math.log(2) / n if q == 1 else (2.0**q - 2) / (q - 1) / float(n) ** q
    probability = 2.0 / (n * (n - 1.0))
    variance = gain**2 * probability * (1 - probability)
    variation = 2 * gain * (1 - probability)
    assert model.mutual_info_variance(q) == pytest.approx(variance, rel=1e-11, abs=0)
    assert model.expected_variation_of_information(q) == pytest.approx(variation, rel=1e-13, abs=0)


def test_strides_do_not_change_the_variance(monkeypatch):
    model = PermutationModel([900, 700, 400, 300, 40], [1000, 800, 500, 40])
    strided = model.mutual_info_variance(), model.mutual_info_variance(2.5)
    monkeypatch.setattr(_hypergeometric, "_SMALLEST_STRIDED_CELL", np.inf)
    assert strided == pytest.approx(
        (model.mutual_info_variance(), model.mutual_info_variance(2.5)), rel=1e-12
    )


@pytest.mark.parametrize("q", [np.nextafter(2.0, 1.0), np.nextafter(2.0, 3.0)])
def test_closed_forms_agree_with_the_general_case(q):
    for margins in (((9, 5, 4, 2), (12, 6, 1, 1)), ((10**6, 3 * 10**6), (10**6, 10**6, 2 * 10**6))):
        model = PermutationModel(*margins)
        for moment in (
            model.expected_mutual_info,
            model.expected_variation_of_information,
            model.mutual_info_variance,
        ):
            assert moment(q) == pytest.approx(moment(2.0), rel=1e-12)


def test_pair_counts_do_not_overflow():
    half = 5 * 10**11
    model = PermutationModel([half, half], [half, half])
    assert model.expected_pair_count() == pytest.approx(1.25e23, rel=1e-11)
    # n11 is 2 t^2 up to a constant, and t is normal with variance N / 16.
    assert model.pair_count_variance() == pytest.approx(1e24 / 32, rel=1e-10)


@pytest.mark.parametrize("k", [(2, 3), (10, 7), (30, 30)])
def test_limits_of_many_objects(k):
    """2 N MI is chi-squared with (R - 1)(C - 1) degrees of freedom for large N."""
    n_rows, n_cols = k
    freedom = (n_rows - 1) * (n_cols - 1)
    n = 10**9 * n_rows * n_cols
    model = PermutationModel([n // n_rows] * n_rows, [n // n_cols] * n_cols)
    assert 2 * n * model.expected_mutual_info() == pytest.approx(freedom, rel=1e-5)
    assert 2 * n**2 * model.mutual_info_variance() == pytest.approx(freedom, rel=1e-5)
    for q in ORDERS:
        for moment in (
            model.expected_mutual_info,
            model.expected_variation_of_information,
            model.expected_joint_entropy,
        ):
            assert moment(q, method="limit") == pytest.approx(moment(q), rel=1e-4, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("q", [0.5, 1.0, 1.001, 2.0, 3.0])
def test_results_do_not_depend_on_the_order_of_margins(q):
    rng = np.random.default_rng(0)
    for n in (10, 300, 5000):
        row_sums, col_sums = (partition_of(n, rng) for _ in range(2))
        row_sums, col_sums = row_sums[row_sums > 0], col_sums[col_sums > 0]
        model = PermutationModel([*row_sums, 0], [0, *col_sums])
        of_clusters = cluster_means(model, q)
        for _ in range(3):
            rows, cols = rng.permutation(row_sums.size), rng.permutation(col_sums.size)
            there = PermutationModel(row_sums[rows], col_sums[cols])
            back = PermutationModel(there.col_sums, there.row_sums)
            assert moments(there, q) == moments(back, q) == moments(model, q)
            turned = [cluster_means(back, q)[place] for place in (1, 0, 3, 2)]
            for places, *values in zip(
                (rows, cols) * 2, of_clusters, cluster_means(there, q), turned, strict=True
            ):
                assert values[0][places].tolist() == values[1].tolist() == values[2].tolist()
        row_told, col_told, row_lost, col_lost = cluster_means(PermutationModel(*[row_sums] * 2), q)
        assert row_told.tolist() == col_told.tolist()
        assert row_lost.tolist() == col_lost.tolist()


def moments(model, q):
    return (
        model.expected_mutual_info(q),
        model.expected_variation_of_information(q),
        model.expected_joint_entropy(q),
        model.mutual_info_variance(q),
        model.expected_pair_count(),
        model.pair_count_variance(),
    )


@pytest.mark.parametrize("q", ORDERS)
def test_degenerate_margins(q):
    for row_sums, col_sums in (
        ([], []),
        ([1], [1]),
        ([2], [2]),
        ([1, 1], [1, 1]),
        ([7], [3, 3, 1]),
        ([1] * 7, [3, 3, 1]),
        ([10**12], [10**12]),
        ([10**12], [10**12 - 1, 1]),
        ([2, 2], [3, 1]),
        ([50] * 4, [199, 1]),
        ([2, 1], [1, 1, 1]),
    ):
        model = PermutationModel(row_sums, col_sums)
        values = moments(model, q)
        assert all(math.isfinite(v) for v in values)
        assert model.mutual_info_variance(q) == model.pair_count_variance() == 0.0
        assert model.expected_variation_of_information(q) >= 0.0
        if model.n_samples and 1 in (model.row_sums.size, model.col_sums.size):
            assert model.expected_mutual_info(q) == 0.0
    assert PermutationModel([1] * 5, [1] * 5).expected_variation_of_information(q) == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("moment", [0, 1, 2, 3])
def test_moments_are_continuous_at_one(moment):
    model = PermutationModel([40, 30, 20, 9, 1], [50, 30, 15, 5])
    at_one = moments(model, 1.0)[moment]
    for step in (1e-15, 1e-12, 1e-9, 1e-6):
        for q in (1.0 - step, 1.0 + step):
            assert moments(model, q)[moment] == pytest.approx(at_one, rel=1e-13 + 100 * step)


def test_random_tables_of_empty_margins_and_of_as_many_objects_as_scipy_draws():
    assert PermutationModel([], []).rvs(size=3).shape == (3, 0, 0)
    draws = PermutationModel([2, 0, 1], [3]).rvs(random_state=0)
    assert draws.dtype == np.int64
    assert draws.tolist() == [[[2], [1]]]
    draws = PermutationModel([4], [2, 1, 1]).rvs(2, random_state=0)
    assert draws.tolist() == [[[2, 1, 1]], [[2, 1, 1]]]
    most = PermutationModel([2**31 - 8, 7], [2**30, 2**30 - 1]).rvs(2, random_state=0)
    assert most.sum(axis=(1, 2)).tolist() == [2**31 - 1] * 2


def test_random_tables_are_reproducible():
    model = PermutationModel([30, 20], [25, 25])
    draws = model.rvs(50, random_state=1)
    assert (draws.sum(axis=2) == model.row_sums).all()
    assert (draws.sum(axis=1) == model.col_sums).all()
    np.testing.assert_array_equal(model.rvs(5, random_state=3), model.rvs(5, random_state=3))
    rng = np.random.default_rng(3)
    assert not np.array_equal(model.rvs(50, random_state=rng), model.rvs(50, random_state=rng))


def test_model_can_be_pickled_and_its_arrays_are_read_only():
    sums = np.array([4, 1], dtype=np.uint8)
    model = PermutationModel([3.0, 0.0, 2.0], sums)
    sums[0] = 7  # the caller's array is not kept
    assert model.row_sums.tolist() == [3, 2]
    assert model.n_samples == 5
    assert repr(model) == "PermutationModel(row_sums=[3, 2], col_sums=[4, 1])"
    with pytest.raises(ValueError, match="read-only"):
        model.row_sums[0] = 1
    copy = pickle.loads(pickle.dumps(model))
    assert repr(copy) == repr(model)
    assert copy.mutual_info_variance() == model.mutual_info_variance()
    with pytest.raises(ValueError, match="read-only"):
        copy.row_sums[0] = 1


# ------------------------------------------------------------------- parts of single clusters


def cluster_parts(table, q):
    """Parts of each row in MI_q and in H_q(U | V), by their definitions."""
    n, q = sum(map(sum, table)), mpmath.mpf(q)
    col_shares = [mpmath.mpf(sum(col)) / n for col in zip(*table, strict=True)]
    told, lost = [], []
    for row in table:
        share = mpmath.mpf(sum(row)) / n
        cells = [(mpmath.mpf(x) / n, p) for x, p in zip(row, col_shares, strict=True) if x]
        if q == 1:
            told.append(mpmath.fsum(x * mpmath.log(x / (share * p)) for x, p in cells))
            lost.append(mpmath.fsum(x * mpmath.log(p / x) for x, p in cells))
        else:
            e = q - 1
            told.append(mpmath.fsum(x * (1 - share**e - p**e + x**e) / e for x, p in cells))
            lost.append(mpmath.fsum(x * (p**e - x**e) / e for x, p in cells))
    return told, lost


def enumerated_cluster_means(row_sums, col_sums, q):
    """Means of the parts of the rows over all tables, weighted by their probabilities."""
    total, told, lost = 0, [0] * len(row_sums), [0] * len(row_sums)
    for table, weight in orders(row_sums, col_sums):
        total += weight
        parts = cluster_parts(table, q)
        told = [mean + weight * part for mean, part in zip(told, parts[0], strict=True)]
        lost = [mean + weight * part for mean, part in zip(lost, parts[1], strict=True)]
    return [float(mean / total) for mean in told], [float(mean / total) for mean in lost]


def cluster_means(model, q):
    return *model.expected_cluster_information(q), *model.expected_cluster_conditional_entropy(q)


@pytest.mark.parametrize("q", [slow(0.5), slow(1.0), slow(1.001), slow(2.0), 3.0])
@given(margins=small_margins().filter(lambda margins: sum(margins[0]) <= 8))
@FEW_EXAMPLES
def test_means_of_clusters_by_full_enumeration(q, margins):
    with mpmath.workdps(40):
        expected = [enumerated_cluster_means(*sides, q) for sides in (margins, margins[::-1])]
    row_told, col_told, row_lost, col_lost = cluster_means(PermutationModel(*margins), q)
    for (told, lost), side_told, side_lost in (
        (expected[0], row_told, row_lost),
        (expected[1], col_told, col_lost),
    ):
        np.testing.assert_allclose(side_told, told, rtol=1e-13, atol=1e-14 if q < 1 else 1e-35)
        np.testing.assert_allclose(side_lost, lost, rtol=1e-13, atol=1e-35)


@pytest.mark.parametrize("margins", [*LARGE_MARGINS, *map(slow, LARGEST_MARGINS)])
@pytest.mark.parametrize("q", [0.5, 1.0, 1.001, 2.0, 3.0, 20.0])
def test_means_of_clusters_of_large_tables(margins, q):
    model = PermutationModel(*margins)
    n, e = model.n_samples, mpmath.mpf(q) - 1
    row_told, col_told, row_lost, col_lost = cluster_means(model, q)
    for (sizes, others), side_told, side_lost in (
        (margins, row_told, row_lost),
        (margins[::-1], col_told, col_lost),
    ):
        for place, a in enumerate(sizes):
            told, lost = mpmath.mpf(0), mpmath.mpf(0)
            for b in others:
                own, other = mpmath.mpf(a) / n, mpmath.mpf(b) / n
                for x, weight in law(n, a, b):
                    p = mpmath.mpf(x) / n
                    if x and q == 1:
                        told += weight * p * mpmath.log(p / (own * other))
                        lost += weight * p * mpmath.log(other / p)
                    elif x:
                        told += weight * p * (1 - own**e - other**e + p**e) / e
                        lost += weight * p * (other**e - p**e) / e
            slack = 1e-14 * abs(model.expected_mutual_info(q, method="limit")) if q < 1 else 0
            assert side_told[place] == pytest.approx(float(told), rel=2e-13, abs=slack)
            assert side_lost[place] == pytest.approx(float(lost), rel=2e-13, abs=0)


@pytest.mark.parametrize("q", [3.0, 20.0, 30.0])
def test_means_of_clusters_of_high_order(q):
    """Forty clusters of forty objects on both sides: all cells alike, of one object on average."""
    model = PermutationModel([40] * 40, [40] * 40)
    e = mpmath.mpf(q) - 1
    told, lost = mpmath.mpf(0), mpmath.mpf(0)
    for x, weight in law(1600, 40, 40):
        p, share = mpmath.mpf(x) / 1600, mpmath.mpf(1) / 40
        told += 40 * weight * (p - 2 * p * share**e + p ** (e + 1)) / e
        lost += 40 * weight * p * (share**e - p**e) / e
    rows, _ = model.expected_cluster_information(q)
    np.testing.assert_allclose(rows, float(told), rtol=1e-13)
    rows, _ = model.expected_cluster_conditional_entropy(q)
    np.testing.assert_allclose(rows, float(lost), rtol=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("q", [0.3, *ORDERS, 20.0])
def test_means_of_clusters_add_up(q):
    rng = np.random.default_rng(0)
    for n in (1, 2, 30, 3000, 200_000):
        model = PermutationModel(partition_of(n, rng), partition_of(n, rng))
        row_told, col_told, row_lost, col_lost = cluster_means(model, q)
        # Below q = 1 what independence contributes is negative, and relative accuracy is lost.
        slack = 1e-13 * abs(model.expected_mutual_info(q, method="limit")) if q < 1 else 1e-300
        for told in (row_told, col_told):
            expected = model.expected_mutual_info(q)
            assert math.fsum(told) == pytest.approx(expected, rel=1e-13, abs=slack)
        assert math.fsum([*row_lost, *col_lost]) == pytest.approx(
            model.expected_variation_of_information(q), rel=1e-13, abs=0
        )
        # What is told and what is lost of a cluster make up its part in the entropy.
        shares = model.row_sums / n
        parts = -shares * np.log(shares) if q == 1 else (shares - shares**q) / (q - 1)
        np.testing.assert_allclose(row_told + row_lost, parts, rtol=1e-11, atol=1e-15)


@pytest.mark.parametrize("q", ORDERS)
def test_nothing_can_be_lost_by_the_only_cluster_or_to_singletons(q):
    for row_sums, col_sums in (([7], [3, 3, 1]), ([3, 3, 1], [1] * 7), ([10**12], [10**12 - 1, 1])):
        rows, cols = PermutationModel(row_sums, col_sums).expected_cluster_conditional_entropy(q)
        assert rows.tolist() == [0.0] * len(row_sums)
        assert (cols > 0).all()
    for sizes in ([], [1], [1, 1, 1], [4]):
        model = PermutationModel(sizes, sizes)
        for means in model.expected_cluster_conditional_entropy(q):
            assert means.tolist() == [0.0] * len(sizes)
        for means in model.expected_cluster_information(q):
            assert means.shape == (len(sizes),)
