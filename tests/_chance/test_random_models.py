"""Random models in which cluster sizes are random, against enumeration and exact numbers."""

import itertools
import math
import pickle
from collections import Counter
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy.stats import chisquare

from sklearn_clustcompare import ContingencyTable, mutual_info_score
from sklearn_clustcompare._chance.random_models import (
    AnyClusterCount,
    FixedClusterCount,
    FixedShares,
)
from sklearn_clustcompare.significance import (
    AllPartitionsModel,
    FixedClusterCountModel,
    MultinomialModel,
    PermutationModel,
)
from tests._exact_moments import stirling_numbers
from tests._examples import slow
from tests._laws import all_partitions

STIRLING = stirling_numbers(400)
BELL = [sum(row) for row in STIRLING]


def sizes_of(labels):
    return list(Counter(labels).values())


def joined(labels):
    return sum(math.comb(size, 2) for size in sizes_of(labels))


def joint(first, second):
    return [f"{u} {v}" for u, v in zip(first, second, strict=True)]


def check_means(model, space):
    """Compare the means of a model with those over pairs of partitions, all equally likely."""

    def mean(values):
        return math.fsum(values) / len(space)

    assert model.expected_pair_count() == pytest.approx(
        mean(joined(joint(u, v)) for u, v in space), rel=1e-13, abs=1e-15
    )
    sides = [mean(map(joined, side)) for side in zip(*space, strict=True)]
    assert model.expected_joined_pairs() == pytest.approx(sides, rel=1e-13, abs=1e-15)
    tables = [ContingencyTable.from_labels(u, v) for u, v in space]
    for q in (0.5, 1, 2, 3):
        information = mean(mutual_info_score(table, q=q) for table in tables)
        assert model.expected_mutual_info(q) == pytest.approx(information, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("n", [1, 2, 3, slow(4), slow(5)])
def test_means_are_those_of_all_pairs_of_partitions(n):
    everything = all_partitions(n)
    check_means(AllPartitionsModel(n), list(itertools.product(everything, repeat=2)))
    by_count = {k: [u for u in everything if len(set(u)) == k] for k in range(1, n + 1)}
    for k, m in itertools.product(by_count, repeat=2):
        pairs = list(itertools.product(by_count[k], by_count[m]))
        check_means(FixedClusterCountModel(n, (k, m)), pairs)


@pytest.mark.parametrize(
    "reference",
    [
        [0, 0, 0, 1, 1, 2],
        slow([0, 0, 0, 0, 1, 1, 2, 3]),
        [0] * 5,
        list(range(6)),
        slow([*range(7)]),
    ],
)
def test_means_are_those_of_all_candidates(reference):
    pairs = [(reference, candidate) for candidate in all_partitions(len(reference))]
    sizes = sizes_of(reference)
    check_means(AllPartitionsModel.one_sided(sizes), pairs)
    for k in (1, 2, 4, len(reference)):
        of_count = [pair for pair in pairs if len(set(pair[1])) == k]
        check_means(FixedClusterCountModel.one_sided(sizes, k), of_count)


@pytest.mark.parametrize("n", [1, 2, slow(3), slow(4)])
def test_means_are_those_of_all_samples_of_objects(n):
    # A cluster has the share of the equally likely draws that lead to it.
    first, second = "aabc", "xxy"
    space = itertools.product(
        itertools.product(first, repeat=n), itertools.product(second, repeat=n)
    )
    check_means(MultinomialModel(n, [1 / 4, 1 / 2, 1 / 4], [2 / 3, 1 / 3]), list(space))


# --------------------------------------------------------------------------- one partition


@pytest.mark.parametrize("n", [2, 3, 7, 30, 100, 400])
def test_share_together_is_a_ratio_of_stirling_and_bell_numbers(n):
    for k in range(1, n + 1):
        exact = Fraction(sum(STIRLING[n - 1][k : k + 1]), STIRLING[n][k])
        found = FixedClusterCount(n, k).share_together
        assert found == pytest.approx(float(exact), rel=2e-15, abs=0)
    exact = Fraction(BELL[n - 1], BELL[n])
    assert AnyClusterCount(n).share_together == pytest.approx(float(exact), rel=1e-15, abs=0)


@pytest.mark.parametrize("n", [10**4, 10**6, 10**9, 10**17])
def test_share_together_of_many_objects(n):
    known = {
        1: 1,
        n - 2: Fraction(math.comb(n - 1, 2), math.comb(n, 3) + 3 * math.comb(n, 4)),
        n - 1: Fraction(1, math.comb(n, 2)),
        n: 0,
    }
    for k, exact in known.items():
        found = FixedClusterCount(n, k).share_together
        assert found == pytest.approx(float(exact), rel=1e-14, abs=0)
    # Both sides are S(N - 2, k - 1) / S(N, k), by S(N, k) = k S(N - 1, k) + S(N - 1, k - 1).
    for k in (n // 10, n // 3, n // 2, n - n // 10):
        above, beside, before = (
            FixedClusterCount(*one).share_together for one in ((n, k), (n - 1, k), (n - 1, k - 1))
        )
        assert before * (1 - k * above) == pytest.approx(above * (1 - k * beside), rel=1e-10)


def test_share_together_in_two_and_three_clusters():
    for n in (40, 60, 3000):
        two = Fraction(2 ** (n - 2) - 1, 2 ** (n - 1) - 1)
        assert FixedClusterCount(n, 2).share_together == pytest.approx(float(two), rel=2e-15)
        three = Fraction(3 ** (n - 2) - 2 ** (n - 1) + 1, 3 ** (n - 1) - 2**n + 1)
        assert FixedClusterCount(n, 3).share_together == pytest.approx(float(three), rel=2e-15)


@pytest.mark.parametrize("n", [1000, 10**6])
def test_ratio_of_large_bell_numbers(n):
    """Dobinski: B(N) is proportional to the sum of m^N / m! over all m."""
    rate = float(mpmath.lambertw(n))
    middle, far = int(n / rate), int(15 * math.sqrt(n / rate / (1 + rate)))
    with mpmath.workdps(40):
        terms = {
            m: mpmath.exp(n * mpmath.log(m) - n * mpmath.log(middle) - mpmath.loggamma(m + 1))
            for m in range(max(1, middle - far), middle + far)
        }
        exact = sum(term / m for m, term in terms.items()) / sum(terms.values())
    assert AnyClusterCount(n).share_together == pytest.approx(float(exact), rel=1e-14)


@pytest.mark.parametrize("n", [2, 5, 8, 40, 400])
def test_expected_sizes_are_counts_of_partitions(n):
    def exact(a, ways, total):
        return float(Fraction(math.comb(n, a) * ways, total))

    laws = [
        (FixedClusterCount(n, k), lambda a, k=k: sum(STIRLING[n - a][k - 1 : k]), STIRLING[n][k])
        for k in sorted({1, 2, 3, n // 2, n - 1, n} & set(range(1, n + 1)))
    ]
    laws.append((AnyClusterCount(n), lambda a: BELL[n - a], BELL[n]))
    for law, ways, total in laws:
        sizes, numbers = law.expected_sizes()
        found = dict(zip(sizes.tolist(), numbers.tolist(), strict=True))
        expected = {a: exact(a, ways(a), total) for a in range(1, n + 1)}
        for a, number in expected.items():
            assert found.get(a, 0) == pytest.approx(number, rel=1e-10, abs=2e-13 * n)
        assert math.fsum(sizes * numbers) == pytest.approx(n, rel=1e-14)


def binomial(n, size, share):
    return mpmath.binomial(n, size) * share**size * (1 - share) ** (n - size)


@pytest.mark.parametrize("shares", [[1.0], [0.0, 1.0], [0.5, 0.5], [0.6, 0.3, 0.05, 0.05]])
@pytest.mark.parametrize("n", [1, 2, 50, 10**5])
def test_expected_sizes_of_shares_are_binomial(shares, n):
    sizes, numbers = FixedShares(n, np.array(shares)).expected_sizes()
    assert math.fsum(sizes * numbers) == pytest.approx(n, rel=1e-14)
    assert (np.diff(sizes) > 0).all()
    far = np.linspace(0, len(sizes) - 1, 7, dtype=int)
    for size, number in zip(sizes[far].astype(int).tolist(), numbers[far].tolist(), strict=True):
        with mpmath.workdps(40):
            exact = sum(binomial(n, size, mpmath.mpf(share)) for share in shares)
        assert number == pytest.approx(float(exact), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize(
    "law",
    [FixedClusterCount(7, 3), FixedClusterCount(7, 6), FixedClusterCount(8, 2), AnyClusterCount(6)],
    ids=str,
)
@pytest.mark.parametrize("n_draws", [1000, slow(20_000)])
def test_draws_are_uniform(law, n_draws):
    space = all_partitions(law.n_samples)
    if isinstance(law, FixedClusterCount):
        space = [labels for labels in space if len(set(labels)) == law.n_clusters]
    expected = Counter(tuple(sorted(sizes_of(labels))) for labels in space)
    source = np.random.default_rng(0)
    drawn = Counter(tuple(sorted(law.draw(source).tolist())) for _ in range(n_draws))
    assert set(drawn) <= set(expected)
    if len(expected) > 1:
        frequencies = [drawn[sizes] for sizes in expected]
        shares = np.array(list(expected.values())) / len(space)
        assert chisquare(frequencies, n_draws * shares).pvalue > 1e-3


@pytest.mark.slow
@pytest.mark.parametrize(
    "law", [FixedClusterCount(10**6, 1000), FixedClusterCount(10**4, 9000), AnyClusterCount(10**5)]
)
def test_draws_of_many_objects(law):
    source = np.random.RandomState(0)
    drawn = [law.draw(source) for _ in range(30)]
    assert {int(sizes.sum()) for sizes in drawn} == {law.n_samples}
    assert all((sizes > 0).all() for sizes in drawn)
    pairs = np.array([(sizes * (sizes - 1.0)).sum() for sizes in drawn])
    expected = law.share_together * law.n_samples * (law.n_samples - 1)
    assert abs(pairs.mean() - expected) < 5 * pairs.std() / math.sqrt(len(pairs)) + 1e-9 * expected


# --------------------------------------------------------------------------- models

MODELS = [
    FixedClusterCountModel(20, (3, 5)),
    FixedClusterCountModel.one_sided([9, 6, 5], 4),
    AllPartitionsModel(12),
    AllPartitionsModel.one_sided([5, 4, 1]),
    MultinomialModel(15, [0.5, 0.3, 0.2], [0.25] * 4),
]


@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize("n_tables", [300, slow(3000)])
def test_means_of_the_tables_drawn(model, n_tables):
    tables = model.rvs(n_tables, random_state=0)
    pairs = np.array([(table * (table - 1)).sum() / 2 for table in tables])
    assert abs(pairs.mean() - model.expected_pair_count()) < 5 * pairs.std() / math.sqrt(n_tables)
    few = tables[: n_tables // 3]
    information = np.array([mutual_info_score(ContingencyTable.from_counts(one)) for one in few])
    error = information.std() / math.sqrt(len(few))
    assert abs(information.mean() - model.expected_mutual_info()) < 5 * error
    for table in tables[:50]:
        assert table.sum() == model.n_samples
        assert table.any(axis=0).all()
        assert table.any(axis=1).all()
        if model.row_sums is not None:
            assert table.sum(axis=1).tolist() == model.row_sums.tolist()
        if isinstance(model, FixedClusterCountModel):
            assert table.shape == model.n_clusters


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_draws_come_again_with_their_seed(model):
    first, second, other = (
        [table.tolist() for table in model.rvs(3, random_state=seed)] for seed in (1, 1, 2)
    )
    assert first == second != other
    assert len(model.rvs(0)) == 0
    copy = pickle.loads(pickle.dumps(model))
    assert repr(copy) == repr(model)
    assert copy.expected_pair_count() == model.expected_pair_count()
    with pytest.raises(AttributeError):
        model.n_samples = 3
    with pytest.raises(AttributeError, match="has no attribute 'unknown'"):
        _ = model.unknown


@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize(
    "name", ["mutual_info_variance", "pair_count_variance", "expected_variation_of_information"]
)
def test_what_is_known_under_permutation_only(model, name):
    with pytest.raises(NotImplementedError, match=f"^{name} needs the permutation model"):
        getattr(model, name)()
    assert not hasattr(model, name)
    assert hasattr(PermutationModel, name)


def test_mutual_information_of_too_many_sizes():
    model = FixedClusterCountModel(10**6, (10, 10))
    with pytest.raises(NotImplementedError, match="pairs of likely cluster sizes, got 28,"):
        model.expected_mutual_info()
    one_sided = FixedClusterCountModel.one_sided([10**5] * 10, 10)
    fixed = PermutationModel([10**5] * 10, [10**5] * 10)
    # Sizes that vary by a few parts in a thousand hardly matter.
    assert one_sided.expected_mutual_info() == pytest.approx(fixed.expected_mutual_info(), rel=1e-4)
