"""The nodes, weights and expansions against mpmath at 50 digits, and against scipy."""

import mpmath
import numpy as np
import pytest
from scipy import stats

from sklearn_clustcompare._kernels import hypergeometric as _hypergeometric
from sklearn_clustcompare._kernels.hypergeometric import (
    MEAN_PRECISION,
    VARIANCE_PRECISION,
    PairLaws,
    expand,
    node_blocks,
    windows,
)
from sklearn_clustcompare._numerics import entropy_excess
from tests._laws import CELLS


def laws_of(*sizes):
    n_samples = {n for n, _, _ in sizes}
    assert len(n_samples) == 1
    row_size, col_size = (np.array([s[i] for s in sizes], dtype=np.float64) for i in (1, 2))
    return PairLaws.from_sizes(float(n_samples.pop()), row_size, col_size)


def only_block(sizes, precision=MEAN_PRECISION):
    (block,) = node_blocks(laws_of(sizes), precision)
    return block


@pytest.fixture(autouse=True)
def _fifty_digits():
    with mpmath.workdps(50):
        yield


@pytest.mark.parametrize("sizes", CELLS)
def test_weights_have_the_moments_of_the_law(sizes):
    block = only_block(sizes)
    scaled = block.deviations / np.sqrt(block.laws.variance)
    assert abs(np.sum(block.weights * scaled)) < 1e-13
    np.testing.assert_allclose(np.sum(block.weights * scaled**2), 1.0, rtol=1e-13)
    _, a, b = sizes
    n = sizes[0]
    exact = mpmath.mpf(a) * b * (n - a) * (n - b) / (mpmath.mpf(n) ** 2 * (n - 1))
    np.testing.assert_allclose(block.laws.variance, float(exact), rtol=1e-15)


def test_weights_of_a_small_law_are_those_of_scipy():
    block = only_block((50, 13, 20))
    expected = stats.hypergeom(50, 13, 20).pmf(block.counts[:, 0])
    np.testing.assert_allclose(block.weights[:, 0], expected, rtol=1e-12)


@pytest.mark.parametrize(
    "sizes", [(10**12, 10**12 - 3, 10**12 - 7), (10**12, 999_983, 777_777_777)]
)
def test_means_carry_twice_the_working_precision(sizes):
    laws = laws_of(sizes)
    n, a, b = sizes
    exact = mpmath.mpf(a) * b / n
    both = mpmath.mpf(float(laws.mean[0])) + mpmath.mpf(float(laws.mean_low[0]))
    assert abs(both / exact - 1) < 1e-30


@pytest.mark.parametrize("deviation", [-7.0, -1.0, -1e-3, 0.0, 1e-6, 0.3, 0.9, 5.0, 1e4])
@pytest.mark.parametrize("expected", [7.0, 1e3, 1e9])
def test_entropy_excess_is_accurate_in_both_regimes(deviation, expected):
    count = expected + deviation
    exact = (count * mpmath.log(mpmath.mpf(count) / expected) if count else 0) - (count - expected)
    got = entropy_excess(*(np.array([x]) for x in (count, count - expected, expected)))
    tolerance = 1e-15 + 1e-15 * abs(expected / (deviation or 1.0)) * (expected < 8)
    np.testing.assert_allclose(got, float(exact), rtol=tolerance)


def test_number_of_nodes_does_not_grow_with_the_number_of_objects():
    lengths = [
        int(windows(laws_of((n, n // 10, n // 5)), MEAN_PRECISION).length[0])
        for n in (10**4, 10**6, 10**9, 10**12, 10**15)
    ]
    assert max(lengths) < 50


@pytest.mark.parametrize("sizes", [(1000, 220, 220), (10**4, 1000, 500), (5000, 2500, 100)])
def test_strided_sums_equal_full_sums(sizes, monkeypatch):
    strided = only_block(sizes)
    assert strided.counts[1, 0] - strided.counts[0, 0] > 1
    monkeypatch.setattr(_hypergeometric, "_SMALLEST_STRIDED_CELL", np.inf)
    full = only_block(sizes)
    assert full.counts[1, 0] - full.counts[0, 0] == 1
    means = [
        np.sum(b.weights * entropy_excess(b.counts, b.deviations, b.laws.mean))
        for b in (strided, full)
    ]
    np.testing.assert_allclose(*means, rtol=1e-14)


def test_blocks_cover_every_pair_once_and_stay_small():
    sizes = np.arange(1.0, 201.0)
    laws = PairLaws.from_sizes(20100.0, np.repeat(sizes, 200), np.tile(sizes, 200))
    blocks = list(node_blocks(laws, MEAN_PRECISION, max_nodes=4096))
    seen = np.sort(np.concatenate([block.pairs for block in blocks]))
    np.testing.assert_array_equal(seen, np.arange(200 * 200))
    assert max(block.counts.size for block in blocks) <= 4096
    means = [np.zeros(200 * 200), np.zeros(200 * 200)]
    for found, divided in zip(means, (blocks, node_blocks(laws, MEAN_PRECISION)), strict=True):
        for block in divided:
            found[block.pairs] = (block.weights * block.counts**2).sum(axis=0)
    np.testing.assert_allclose(*means, rtol=1e-13)


def test_one_point_laws_are_certain():
    for sizes in ((1, 1, 1), (7, 7, 3), (10**12, 10**12, 5)):
        block = only_block(sizes)
        assert block.counts.tolist() == [[sizes[2]]]
        assert block.weights.tolist() == [[1.0]]
        assert block.deviations.tolist() == [[0.0]]


def test_expansion_of_a_polynomial_ends_at_its_degree():
    block = only_block((30, 12, 14), VARIANCE_PRECISION)
    coefficients, remainder, _ = expand(
        block, block.deviations**3, lambda degree, left: degree >= 6
    )
    assert all(abs(c[0]) > 1e-3 for c in coefficients[:3])
    assert all(abs(c[0]) < 1e-12 for c in coefficients[3:])
    assert remainder[0] < 1e-24
