"""Both sides of limits beyond which something else computes: the truth, or one result.

``test_switches.py`` has the limits that only divide work into blocks.
"""

import math

import mpmath
import numpy as np
import pytest
from scipy import sparse, stats

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare import ContingencyTable
from sklearn_clustcompare._chance import draws, functions, null_distribution
from sklearn_clustcompare._chance import exact as exact_tables
from sklearn_clustcompare._chance import functions as cells
from sklearn_clustcompare._chance import moments as moment_law
from sklearn_clustcompare._chance.moments import MomentTail
from sklearn_clustcompare._kernels import _numpy, count_pair, hypergeometric, sum_of_squares
from sklearn_clustcompare.significance import PermutationModel
from sklearn_clustcompare.without_reference import _null_data
from tests._examples import slow
from tests.real._inputs import moved, zipf_labels

Y = zipf_labels(600, 40)
FOUND = moved(Y, 0.3, seed=1)


# --------------------------------------------------------------------------- counting


@pytest.mark.parametrize("n_clusters", [3, 300])
def test_counts_in_32_and_in_64_bits_are_equal(n_clusters, monkeypatch):
    rows, cols = np.random.default_rng(0).integers(n_clusters, size=(2, 2**16 + 7))
    shape = n_clusters, n_clusters
    expected = np.zeros(shape, int)
    np.add.at(expected, (rows, cols), 1)
    types = set()
    for most in (2**31, 2**16):
        monkeypatch.setattr(_numpy, "_MOST_IN_ONE_PASS", most)
        counts = _numpy.count_densely(rows, cols, 0, 0, shape)
        np.testing.assert_array_equal(counts, expected)
        packed = _numpy.pack_table(counts)
        np.testing.assert_array_equal(packed.counts, expected.ravel())
        types.add(packed.counts.dtype)
        assert (_numpy.count_pair(rows, cols) is None) == (most < len(rows))
    assert len(types) == (1 if n_clusters == 3 else 2)


@pytest.mark.parametrize("n_clusters", [40, 41])
def test_three_partitions_together_in_16_and_in_64_bits(n_clusters):
    codes = np.random.default_rng(0).integers(n_clusters, size=(3, 2000)).astype(np.uint16)
    codes[:, 0] = n_clusters - 1
    (found,) = _numpy.square_sums_together(codes, [(0, 1, 2)], [n_clusters] * 3)
    tables = [ContingencyTable.from_labels(codes[i], codes[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert [*found] == [int((table.cell_counts**2).sum()) for table in tables]


@pytest.mark.parametrize("n_objects", [pytest.param(2**31 + 5, marks=pytest.mark.slow)])
def test_more_objects_than_32_bits_count(n_objects):
    labels = np.zeros(n_objects, np.int8)  # pages that nobody writes take no memory
    assert count_pair(labels, labels) is None
    labels[-3:] = 1
    table = ContingencyTable.from_labels(labels, labels)
    assert table.counts.toarray().tolist() == [[n_objects - 3, 0], [0, 3]]


@pytest.mark.parametrize("total", [3_037_000_499, 3_037_000_500, 2**40])
def test_sums_of_squares_on_both_sides_of_64_bits(total):
    counts = [total - 12, 7, 5]
    expected = sum(n * n for n in counts)
    for kernel in (sum_of_squares, _numpy.sum_of_squares):
        assert kernel(np.array(counts), total) == expected
    pairs = clustcompare.pair_confusion_matrix(ContingencyTable.from_counts(np.diag(counts)))
    assert pairs[1, 1] == float(expected - total)
    assert (pairs.dtype.kind == "i") == (total * (total - 1) < 2**63)


@pytest.mark.parametrize("largest", [2**63 - 1, 2**63, 2**64 - 1])
def test_names_of_labels_on_both_sides_of_64_bits(largest):
    labels = np.array([largest - 2, largest, largest], np.uint64)
    table = ContingencyTable.from_labels(labels, [0, 1, 1])
    assert [int(label) for label in table.row_labels] == [largest - 2, largest]


# --------------------------------------------------------------------------- the null distribution


def gain(relative, q):
    """Return ((1 + u)^q - 1 - q u) / (q - 1), for q = 1 its limit, with all digits."""
    with mpmath.workdps(60):
        u = mpmath.mpf(relative)
        if q == 1:
            return float((1 + u) * mpmath.log(1 + u) - u)
        return float(((1 + u) ** q - 1 - q * u) / (q - 1))


@pytest.mark.parametrize("q", [0.001, 0.5, 0.999999, 1.0, 1.000001, 2.0, 2.5, 30.0])
def test_the_gain_of_a_cell_near_and_far_from_its_mean(q):
    for limit in (cells._SERIES_RADIUS, 0.5):
        relative = np.array([-1.001, -1.0, -0.999, 0.999, 1.0, 1.001]) * limit
        counts, mean = 1024.0 * (1 + relative), np.full(6, 1024.0)
        found = cells.convex_gain(counts, counts - mean, mean, 1024.0, q)
        exact = [gain((count - 1024.0) / 1024.0, q) for count in counts.tolist()]
        np.testing.assert_allclose(found, exact, rtol=1e-13)


LAWS = [MomentTail(skewness, skewness**2) for skewness in (-0.7, -0.02, 0.02, 0.7)]


@pytest.mark.parametrize("law", LAWS)
def test_logarithms_of_tails_and_tails_are_one_curve(law, monkeypatch):
    """Below the limit the logarithm comes from a series."""
    for z in (-6.0, -1.5, 0.0, 1.5, 6.0, 12.0):
        for is_upper in (False, True):
            monkeypatch.setattr(moment_law, "_SMALLEST", 1e-290)
            found = [law.log_tail(z, is_upper=is_upper)]
            monkeypatch.setattr(moment_law, "_SMALLEST", 0.01)
            found.append(law.log_tail(z, is_upper=is_upper))
            assert found[1] == pytest.approx(found[0], rel=1e-10)


@pytest.mark.parametrize("sign", [-1, 1])
def test_both_tails_of_gamma_laws_have_logarithms_beyond_the_smallest_number(sign):
    law = MomentTail(sign * 0.05, 1.5 * 0.05**2)
    shape = (2 / 0.05) ** 2
    for z in (30.0, 37.0, 39.0):
        x = shape - math.sqrt(shape) * z
        with mpmath.workdps(60):
            below = float(mpmath.log(mpmath.gammainc(shape, 0, x, regularized=True)))
        assert law.log_tail(-sign * z, is_upper=sign < 0) == pytest.approx(below, rel=1e-9)


def test_a_law_that_is_nearly_normal_is_the_law_with_a_small_skewness(monkeypatch):
    law = MomentTail(2e-4, 1e-7)
    for z in (-6.0, -3.0, -1.0, 0.0, 1.0, 3.0, 6.0, 12.0):
        found = []
        for limit in (1e-4, 1e-3):
            monkeypatch.setattr(moment_law, "_SYMMETRIC", limit)
            found.append(law.log_tail(z, is_upper=True))
        # What is left out are squares of the first terms: they move by z^3 / 6 of the skewness.
        assert found[0] == pytest.approx(found[1], rel=1e-5, abs=(2e-4 * (1 + abs(z) ** 3)) ** 2)


def test_entropies_of_factorials_by_a_table_and_by_a_series():
    counts = np.arange(1, 3 * exact_tables._LARGE_COUNT)
    found = exact_tables.log_factorial_excess(counts)
    with mpmath.workdps(40):
        exact = [float(mpmath.loggamma(n + 1) - n * mpmath.log(n) + n) for n in map(int, counts)]
    np.testing.assert_allclose(found, exact, rtol=4e-15)


@pytest.mark.parametrize("count", [1999.5, 2000.5, 41.0])
def test_few_terms_of_a_series_for_large_counts(count):
    with mpmath.workdps(40):
        n = mpmath.mpf(count)
        exact = mpmath.loggamma(n + 1) - (n * mpmath.log(n) - n + mpmath.log(2 * mpmath.pi * n) / 2)
    found = hypergeometric._stirling_error(np.array([count]))[0]
    assert found == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("many", [2, 2**20, 2**62])
def test_the_shortest_code_with_and_without_its_constant_part(many, monkeypatch):
    parts = np.array([[3, 5, 2], [1, 4, 9], [6, 6, 1]]) * 2**16 + [[1, 7, 3]]
    expected = _numpy.shortest_code(parts.sum(axis=1), parts.ravel(), 3)
    monkeypatch.setattr(_numpy, "_MANY_OBJECTS", many)
    found = _numpy.shortest_code(parts.sum(axis=1), parts.ravel(), 3)
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n_objects", [2**31 - 1, 2**31])
def test_tables_are_drawn_up_to_a_number_of_objects(n_objects):
    model = PermutationModel([n_objects - 40, 40], [n_objects // 2, n_objects - n_objects // 2])
    if n_objects == 2**31:
        with pytest.raises(ValueError, match=r"2\*\*31"):
            model.rvs(1)
        return
    drawn = model.rvs(400, 0)
    assert (drawn.sum(axis=2) == model.row_sums).all()
    assert drawn[:, 1, 0].mean() == pytest.approx(20, abs=4.5 * math.sqrt(10 / 400))


@pytest.mark.parametrize("total", [2**53, 2**53 + 2])
def test_moments_are_exact_up_to_a_number_of_objects(total):
    sizes = [total // 2, total // 2]
    if total > 2**53:
        with pytest.raises(ValueError, match=r"2\*\*53"):
            PermutationModel(sizes, sizes)
        return
    # For two halves 2 N MI is nearly chi-squared with one degree of freedom.
    mean = PermutationModel(sizes, sizes).expected_mutual_info()
    assert mean == pytest.approx(1 / (2 * total), rel=1e-9)


@pytest.mark.parametrize("q", [0.001, 30.0])
def test_orders_at_and_beyond_the_ends(q):
    table = ContingencyTable.from_labels(Y, FOUND)
    with mpmath.workdps(60):
        order = mpmath.mpf(q)

        def entropy(counts):
            shares = [mpmath.mpf(int(n)) / table.n_samples for n in counts]
            return (1 - mpmath.fsum(share**order for share in shares)) / (order - 1)

        exact = entropy(table.row_sums) + entropy(table.col_sums) - entropy(table.cell_counts)
    assert clustcompare.mutual_info_score(table, q=q) == pytest.approx(float(exact), rel=1e-12)
    with pytest.raises(ValueError, match="q must be"):
        clustcompare.mutual_info_score(table, q=q * (1.001 if q > 1 else 0.999))


@pytest.mark.parametrize("most", [0, 2.0**20])
def test_a_jump_that_is_declared_smooth_is_refused_in_cells_of_any_size(most, monkeypatch):
    """Cells above the limit are checked at smaller sizes, in the same proportions."""
    monkeypatch.setattr(functions, "_LARGEST_MEAN_CHECKED", max(most, 500.0))
    model = PermutationModel([4000, 2000, 3000], [5000, 4000])
    with pytest.raises(ValueError, match="smooth must be False"):
        model.expected_cell_sum(lambda n, a, b: n * (n % 3 == 0), smooth=True)
    every = model.expected_cell_sum(lambda n, a, b: n**1.5 / (a + b), smooth=False)
    some = model.expected_cell_sum(lambda n, a, b: n**1.5 / (a + b), smooth=True)
    assert some == pytest.approx(every, rel=1e-12)


def test_a_jump_in_cells_of_millions_is_refused():
    model = PermutationModel([2**26, 2**25], [2**26, 2**25])
    with pytest.raises(ValueError, match="smooth must be False"):
        model.expected_cell_sum(lambda n, a, b: n > a * b / (3 * 2**25), smooth=True)


@pytest.mark.parametrize("where", ["_MAX_DRAWN_CELLS", "_MAX_OBJECTS"])
def test_sums_of_drawn_tables_and_of_permuted_objects_have_one_distribution(where, monkeypatch):
    """Many cells are drawn by permuted objects; very many objects are never permuted."""
    y, found = Y % 6, np.random.default_rng(2).permutation(Y) % 4
    if where == "_MAX_OBJECTS":
        monkeypatch.setattr(draws, "_MAX_DRAWN_CELLS", 0)
    values = []
    for limit in (0, 2**31):
        monkeypatch.setattr(draws, where, limit)
        adjusted = clustcompare.chance_adjusted_score(
            y, found, index="purity_score", n_resamples=400, random_state=limit % 7
        )
        values.append(adjusted.expected)
    exact = np.mean(
        [
            clustcompare.purity_score(y, np.random.default_rng(seed).permutation(found))
            for seed in range(400)
        ]
    )
    for value in values:
        assert value == pytest.approx(exact, abs=0.01)


@pytest.mark.parametrize("strength", [slow(0.0), 0.06])
def test_draws_that_end_early_have_the_p_value_of_all(strength, monkeypatch):
    monkeypatch.setattr(null_distribution, "EXACT_BUDGET", null_distribution.Budget(0, 0))
    rng = np.random.default_rng(4)
    y = np.repeat(np.arange(3), [7, 6, 5])
    found = np.where(rng.random(18) < strength, y, rng.integers(3, size=18))
    found[:3] = 0
    exact = clustcompare.permutation_test(y, found, index="ari", method="exact")
    found_by = []
    for enough, at_a_time in ((20, 20), (10**9, 20), (20, 100)):
        monkeypatch.setattr(null_distribution, "ENOUGH", enough)
        monkeypatch.setattr(draws, "_DRAWS_PER_LOOK", at_a_time)
        result = clustcompare.permutation_test(y, found, index="ari", n_resamples=1999)
        assert result.method == "monte_carlo"
        found_by.append(result.pvalue)
        assert abs(math.log(result.pvalue / exact.pvalue)) < 4.5 / math.sqrt(20)
    assert len(set(found_by)) == 3


@pytest.mark.parametrize("name", ["ari", "nmi"])
def test_where_nothing_is_drawn_a_bound_holds(name, monkeypatch):
    """Above the limit of permuted objects the p-value is a bound: not below the drawn one."""
    monkeypatch.setattr(null_distribution, "EXACT_BUDGET", null_distribution.Budget(0, 0))
    y = np.repeat(np.arange(3), [20, 20, 20])
    found = np.where(np.random.default_rng(0).random(60) < 0.15, y, np.arange(60) % 3)
    drawn = clustcompare.permutation_test(y, found, index=name, n_resamples=499)
    monkeypatch.setattr(null_distribution, "MOST_PERMUTED", 59)
    bound = clustcompare.permutation_test(y, found, index=name, n_resamples=499)
    assert (drawn.method, bound.method) == ("monte_carlo", "cantelli")
    assert bound.pvalue > drawn.pvalue - 4.5 * math.sqrt(drawn.pvalue / 499)


# --------------------------------------------------------------------------- null models of data


def mean_correlations(law, n_draws=15):
    return np.mean([np.corrcoef(law.draw(seed).T) for seed in range(n_draws)], axis=0)


def counts_of(n=400):
    """Return counts of which each column has several values, and all correlate."""
    latent = np.random.default_rng(0).normal(size=(n, 1)) + np.random.default_rng(1).normal(
        size=(n, 4)
    )
    return np.floor(3 * latent + 20)


def test_correlations_of_discrete_columns_with_and_without_a_correction(monkeypatch):
    """Of columns with many values the correction is small; all draws have these values."""
    X = counts_of()
    for most in (0, 1000):
        monkeypatch.setattr(_null_data, "_MAX_CORRECTED", most)
        law = _null_data.Copula(X)
        assert all(np.isin(*columns).all() for columns in zip(law.draw(0).T, X.T, strict=True))
        assert mean_correlations(law) == pytest.approx(np.corrcoef(X.T), abs=0.04)


@pytest.mark.parametrize("n_columns", [60, slow(300)])
def test_correlations_of_many_columns_of_two_values(n_columns):
    """Without a correction they were half of those of the data."""
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(500, 1)) + rng.normal(size=(500, n_columns)) > 1).astype(float)
    pairs = np.triu_indices(n_columns, 1)
    drawn = mean_correlations(_null_data.Copula(X), 4)[pairs].mean()
    assert drawn == pytest.approx(np.corrcoef(X.T)[pairs].mean(), rel=0.1)


def test_ends_that_are_kept_and_those_that_are_not(monkeypatch):
    X = np.random.default_rng(0).normal(size=(60, 2))
    for share, n_kept in ((10, 6), (30, 2)):
        monkeypatch.setattr(_null_data, "_END_SHARE", share)
        drawn = np.sort(_null_data.Copula(X, most_ends=9).draw(0), axis=0)
        np.testing.assert_array_equal(drawn[-n_kept:], np.sort(X, axis=0)[-n_kept:])
        np.testing.assert_array_equal(drawn[:n_kept], np.sort(X, axis=0)[:n_kept])


@pytest.mark.parametrize("share", [0.2, 0.9])
def test_a_column_that_may_be_discrete_keeps_its_distribution(share, monkeypatch):
    rng = np.random.default_rng(0)
    latent = rng.multivariate_normal([0, 0], [[1, 0.7], [0.7, 1]], 400)
    X = np.column_stack([np.round(latent[:, 0], 2), latent[:, 1]])
    assert 0.2 < len(np.unique(X[:, 0])) / 400 < 0.9
    monkeypatch.setattr(_null_data, "_SHARE", share)
    law = _null_data.Copula(X)
    assert _null_data.Rows.of(X).is_discrete.tolist() == [share == 0.9, False]
    drawn = law.draw(0)[:, 0]
    assert stats.ks_2samp(drawn, X[:, 0]).statistic < 0.05
    assert mean_correlations(law) == pytest.approx(np.corrcoef(X.T), abs=0.06)


@pytest.mark.parametrize("name", ["_ENOUGH", "_THIN", "_FEATURES"])
def test_elliptical_laws_of_gaussian_data_on_both_sides(name, monkeypatch):
    X = np.random.default_rng(0).normal(size=(3000, 3)) @ np.diag([3.0, 2.0, 1.0]) + 5
    for side in (0, getattr(_null_data, name), 10**6):
        monkeypatch.setattr(_null_data, name, side)
        law = _null_data.Elliptical(X)
        drawn = np.concatenate([law.draw(seed) for seed in range(3)])
        np.testing.assert_allclose(drawn.std(axis=0), X.std(axis=0), rtol=0.08)
        assert np.corrcoef(drawn.T) == pytest.approx(np.corrcoef(X.T), abs=0.06)


def test_sparse_columns_in_blocks_and_with_a_bound_of_factors(monkeypatch):
    rng = np.random.default_rng(0)
    latent = rng.normal(size=(300, 1)) + rng.normal(size=(300, 30))
    X = sparse.csr_array(np.where(latent > 1, rng.poisson(3, size=latent.shape) + 1, 0))
    one, several = _null_data.SparseCopula(X, most_factors=1), _null_data.SparseCopula(X)
    assert one._loadings.shape == several._loadings.shape == (30, 1)
    expected = several.draw(0).toarray()
    monkeypatch.setattr(_null_data, "_BLOCK", 7)
    np.testing.assert_array_equal(several.draw(0).toarray(), expected)
