"""Made-up partitions have the properties that they are asked to have."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare import adjusted_rand_score, make_partition_pair
from sklearn_clustcompare.consensus import is_refinement

SIZES = st.lists(st.integers(1, 30), min_size=1, max_size=8)
SHARES = st.floats(0, 1)
SEEDS = st.integers(0, 2**32 - 1)


@given(SIZES, SHARES, SHARES, SEEDS)
def test_sizes_and_noise_are_exact(row_sizes, agreement, noise, seed):
    true, pred = make_partition_pair(
        row_sizes, agreement=agreement, noise_share=noise, random_state=seed
    )
    assert np.bincount(true).tolist() == row_sizes
    n_noise = int(np.sum(pred == -1))
    assert abs(n_noise - noise * len(true)) <= 0.5
    sizes = np.bincount(pred[pred >= 0], minlength=len(row_sizes))
    expected = np.array(row_sizes) * (1 - n_noise / len(true))
    assert np.all(np.abs(sizes - expected) < 1)


@given(SIZES, st.data(), SHARES, SEEDS)
def test_sizes_of_the_candidate_are_exact(row_sizes, data, agreement, seed):
    n = sum(row_sizes)
    cuts = data.draw(st.sets(st.integers(1, max(n - 1, 1)), max_size=6))
    col_sizes = np.diff([0, *sorted(cuts - {n}), n]).tolist()
    n_noise = data.draw(st.integers(0, min(col_sizes) - 1))
    col_sizes[0] -= n_noise
    true, pred = make_partition_pair(
        row_sizes, col_sizes, agreement=agreement, noise_share=n_noise / n, random_state=seed
    )
    assert np.bincount(true).tolist() == row_sizes
    assert np.bincount(pred[pred >= 0]).tolist() == col_sizes
    assert np.sum(pred == -1) == n_noise


@given(SIZES, SHARES, SEEDS)
def test_no_more_objects_change_than_may(row_sizes, agreement, seed):
    true, pred = make_partition_pair(row_sizes, agreement=agreement, random_state=seed)
    assert np.sum(true != pred) <= (1 - agreement) * len(true) + 0.5


def test_full_agreement():
    true, pred = make_partition_pair([3, 5, 2])
    assert np.array_equal(true, pred)
    true, pred = make_partition_pair([4, 4, 4], [8, 4])
    assert is_refinement(true, pred)
    true, pred = make_partition_pair([4, 4, 4], noise_share=0.5, random_state=0)
    assert np.bincount(pred[pred >= 0]).tolist() == [2, 2, 2]
    assert np.array_equal(true[pred >= 0], pred[pred >= 0])


def _far(counts, expected):
    """Return the largest deviation of counts from what is expected, in standard deviations."""
    return max(abs(counts[key] - mean) / mean**0.5 for key, mean in expected.items())


@pytest.mark.slow
def test_law_is_that_of_the_definition():
    """Enumerate which objects are moved, and how they are permuted."""
    start, n_moved, n_draws = (0, 0, 1, 1, 2), 3, 6000
    law = Counter()
    for moved in itertools.combinations(range(5), n_moved):
        for order in itertools.permutations(moved):
            labels = list(start)
            for to, source in zip(moved, order, strict=True):
                labels[to] = start[source]
            law[tuple(labels)] += n_draws / (10 * 6)
    rng = np.random.default_rng(0)
    drawn = Counter(
        tuple(make_partition_pair([2, 2, 1], agreement=0.4, random_state=rng)[1].tolist())
        for _ in range(n_draws)
    )
    assert set(drawn) == set(law)
    assert _far(drawn, law) < 5


def test_noise_is_anywhere_where_sizes_are_given():
    rng = np.random.default_rng(0)
    drawn = Counter(
        int(np.argmin(make_partition_pair([2, 3], [4], noise_share=0.2, random_state=rng)[1]))
        for _ in range(5000)
    )
    assert _far(drawn, dict.fromkeys(range(5), 1000)) < 5


@pytest.mark.parametrize("agreement", [0.0, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("sizes", [[25_000] * 4, [50_000, 30_000, 15_000, 5_000]])
def test_adjusted_rand_index_of_many_objects(sizes, agreement):
    """Of two objects both stay, one does, or none: the shares of pairs that are joined twice."""
    true, pred = make_partition_pair(sizes, agreement=agreement, random_state=0)
    shares = np.array(sizes) / sum(sizes)
    squares, cubes = (shares**2).sum(), (shares**3).sum()
    a = agreement
    both = a**2 * squares + 2 * a * (1 - a) * cubes + (1 - a) ** 2 * squares**2
    expected = (both - squares**2) / (squares - squares**2)
    assert adjusted_rand_score(true, pred) == pytest.approx(expected, abs=0.01)
    if len(set(sizes)) == 1:
        assert expected == pytest.approx(a**2)


def test_the_seed_decides():
    for seed in (3, np.random.SeedSequence(3)):
        one, other = (
            make_partition_pair([9, 9], agreement=0.3, noise_share=0.2, random_state=seed)
            for _ in range(2)
        )
        assert np.array_equal(one[1], other[1])


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([],), {}, r"^row_sizes must be a list of positive integers, got \[\]"),
        (([2, 0],), {}, "^row_sizes must be a list of positive integers"),
        (([2.5],), {}, "^row_sizes must be a list of positive integers"),
        (([2**62],), {}, r"^row_sizes must add up to less than 2\*\*31, got 4611686018427387904"),
        (([2**30] * 2,), {}, r"^row_sizes must add up to less than 2\*\*31, got 2147483648"),
        (([[1], [1, 2]],), {}, "^row_sizes must be"),
        (([2], [[1, 1]]), {}, "^col_sizes must be a list of positive integers"),
        (([4], [3]), {}, "^col_sizes must sum to 4, .* without 0 objects of noise, got 3"),
        (
            ([4], [3]),
            {"noise_share": 0.5},
            "^col_sizes must sum to 2, .* without 2 objects of noise",
        ),
        (([4],), {"noise_share": 1.5}, r"^noise_share must lie in \[0, 1\], got 1.5"),
        (([4],), {"agreement": -1}, r"^agreement must lie in \[0, 1\], got -1"),
    ],
)
def test_bad_input(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        make_partition_pair(*arguments, **options)
