"""Draws of a posterior: chains, errors, credible balls, comparisons."""

import warnings
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from sklearn_clustcompare import (
    co_association_matrix,
    consensus_partition,
    variation_of_information_distance,
)
from sklearn_clustcompare.consensus import (
    co_association_chunked,
    compare_posteriors,
    medoid_partition,
)
from sklearn_clustcompare.consensus._posterior import (
    MIN_HALF,
    _autocorrelation_time,
    error_of_mean,
)
from sklearn_clustcompare.metrics import relabel_partitions
from tests._examples import slow

VI = "variation_of_information_distance"


def blurred(rng, truth, n_draws, share=0.1):
    noise = rng.integers(truth.max() + 1, size=(n_draws, len(truth)))
    return np.where(rng.random(noise.shape) < share, noise, truth)


class Labeled:
    """An array with named dimensions, as that of xarray."""

    def __init__(self, values, dims):
        self.values, self.dims = values, dims

    def transpose(self, *dims):
        first = [self.dims.index(dim) for dim in dims if dim is not ...]
        rest = [place for place in range(len(self.dims)) if place not in first]
        return Labeled(self.values.transpose(*first, *rest), None)


def test_chains_are_taken_one_after_the_other():
    rng = np.random.default_rng(0)
    draws = blurred(rng, np.repeat([0, 1, 2], 10), 40)
    chains = draws.reshape(4, 10, 30)
    expected = consensus_partition(draws, index=VI)
    for given in (chains, Labeled(chains.transpose(2, 1, 0), ("obs", "draw", "chain"))):
        found = consensus_partition(given, index=VI)
        np.testing.assert_array_equal(found.labels, expected.labels)
        np.testing.assert_array_equal(found.scores, expected.scores)
    one = consensus_partition(Labeled(draws.T, ("obs", "draw")), index=VI)
    assert one.standard_error == expected.standard_error
    weights = rng.integers(1, 4, size=(4, 10))
    np.testing.assert_array_equal(
        consensus_partition(chains, index=VI, weights=weights).scores,
        consensus_partition(draws, index=VI, weights=weights.ravel()).scores,
    )
    holed = chains.astype(float)
    holed[2, 7, 3] = np.nan
    medoid = medoid_partition(chains, index=VI)
    assert medoid.name == "chain {}, draw {}".format(*divmod(medoid.position, 10))
    relabels = partial(relabel_partitions, None), partial(relabel_partitions, expected.labels)
    for call in (consensus_partition, medoid_partition, *relabels):
        with pytest.raises(ValueError, match=r"^partition 27 \('chain 2, draw 7'\) must not"):
            call(holed)
    dataset = SimpleNamespace(data_vars={"labels": chains, "alpha": 1})
    with pytest.raises(TypeError, match="^partitions must be a variable of a Dataset.* labels, a"):
        consensus_partition(dataset)
    with pytest.raises(ValueError, match="^partitions must have the dimensions chain"):
        consensus_partition(Labeled(np.zeros((2, 2, 2, 2), int), ("chain", "draw", "a", "b")))


@pytest.mark.parametrize("correlation", [slow(0.0), 0.8])
def test_error_of_the_mean_of_a_chain(correlation):
    # An autoregression, of which the variance of the mean is known.
    rng = np.random.default_rng(1)
    n_chains, n_draws, n_times = 2, 500, 300
    noise = rng.normal(size=(n_times, n_chains, n_draws))
    chains = np.empty_like(noise)
    chains[..., 0] = noise[..., 0] / np.sqrt(1 - correlation**2)
    for place in range(1, n_draws):
        chains[..., place] = correlation * chains[..., place - 1] + noise[..., place]
    errors = [error_of_mean(one.ravel(), np.ones(one.size), n_chains) for one in chains]
    assert np.mean(errors) == pytest.approx(chains.mean(axis=(1, 2)).std(), rel=0.15)


def test_error_of_one_value_and_of_equal_values():
    assert np.isnan(error_of_mean(np.ones(1), np.ones(1), 1))
    assert error_of_mean(np.full(9, 0.3), np.ones(9), 1) == pytest.approx(0.0, abs=1e-12)


def test_credible_ball_by_its_definition():
    rng = np.random.default_rng(2)
    draws = blurred(rng, np.repeat([0, 1, 2], 8), 60, 0.3)
    weights = rng.integers(1, 4, size=60)
    found = consensus_partition(draws, index=VI, weights=weights)
    distances = np.array([variation_of_information_distance(found.labels, one) for one in draws])
    numbers = np.array([len(np.unique(one)) for one in draws])
    np.testing.assert_array_equal(found.n_clusters_of_draws, numbers)
    for level in (0.5, 0.95, 1.0):
        ball = found.credible_ball(level)
        held = [weights[distances <= one + 1e-12].sum() / weights.sum() for one in distances]
        radius = min(distances[np.array(held) >= level - 1e-12])
        assert ball.radius == pytest.approx(radius)
        members = np.flatnonzero(distances <= radius + 1e-12)
        np.testing.assert_array_equal(ball.members, members)

        def farthest(kept, members=members):
            return distances[members][kept].max()

        inside = numbers[members]
        bounds = {
            "horizontal": inside > 0,
            "upper": inside == inside.min(),
            "lower": inside == inside.max(),
        }
        for name, kept in bounds.items():
            labels = getattr(ball, name)
            distance = variation_of_information_distance(found.labels, labels)
            assert distance == pytest.approx(farthest(kept))
            assert len(np.unique(labels)) in inside[kept]
    with pytest.raises(ValueError, match=r"^level must lie in \[0, 1\], got 1.5"):
        found.credible_ball(1.5)


def _by_geyer(chains):
    """Return the autocorrelation time by sums over all pairs of draws."""
    n, means = chains.shape[1], chains.mean(axis=1)
    covariances = [
        np.mean(
            [
                (one[: n - lag] - m) @ (one[lag:] - m) / n
                for one, m in zip(chains, means, strict=True)
            ]
        )
        for lag in range(n)
    ]
    within = covariances[0] * n / (n - 1)
    between = sum((means - means.mean()) ** 2) / (len(means) - 1) if len(means) > 1 else 0.0
    total = covariances[0] + between
    rho = [1.0, *(1 - (within - one * n / (n - 1)) / total for one in covariances[1:])]
    least, summed = np.inf, 0.0
    for first, second in zip(rho[::2], rho[1::2], strict=False):
        if first + second <= 0:
            break
        least = min(least, first + second)
        summed += least
    return max(2 * summed - 1, 1.0)


@pytest.mark.parametrize("shape", [(1, 9), (2, 12), (3, 7), (2, 40)])
def test_autocorrelation_times_are_those_of_geyer(shape):
    chains = np.cumsum(np.random.default_rng(4).normal(size=shape), axis=1)
    assert _autocorrelation_time(chains) == pytest.approx(_by_geyer(chains))


def test_a_draw_that_does_not_know_an_object_has_no_cluster_for_it():
    draws = np.array([[0, 0, 1, 1, 2, -1]] * 3 + [[0, 0, 0, 1, -1, -1]])
    with pytest.warns(UserWarning, match="1 of 6 objects are noise or missing in every"):
        found = consensus_partition(draws, index=VI, noise="drop")
    assert found.credible_ball(0.99).horizontal.tolist() == [0, 0, 0, 1, -1, -1]


def test_certainty_by_its_definition():
    draws = blurred(np.random.default_rng(3), np.repeat([0, 1], 6), 20, 0.2)
    found = consensus_partition(draws, index=VI)
    for one in range(12):
        others = (found.labels == found.labels[one]) & (np.arange(12) != one)
        share = np.mean([(draw[others] == draw[one]).mean() for draw in draws])
        assert found.object_certainty[one] == pytest.approx(share)
    alone = consensus_partition([[0, 1, 1], [0, 1, 1]], index=VI)
    assert np.isnan(alone.object_certainty[0])


def test_optima_are_ordered():
    draws = np.random.default_rng(4).integers(4, size=(30, 25))
    found = consensus_partition(draws, index="mirkin_distance", random_state=0, n_init=20)
    scores = [one.score for one in found.optima]
    assert scores == sorted(scores)
    assert scores[0] == found.score
    np.testing.assert_array_equal(found.optima[0].labels, found.labels)
    assert sum(one.n_hits for one in found.optima) == 20


def test_halves_that_disagree_are_said():
    rng = np.random.default_rng(5)
    first = blurred(rng, np.repeat([0, 1], 15), 60, 0.05)
    second = blurred(rng, np.tile([0, 1], 15), 60, 0.05)
    with pytest.warns(UserWarning, match="halves of the chains disagree"):
        consensus_partition(np.concatenate([first[:MIN_HALF], second[:MIN_HALF]]), index=VI)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        consensus_partition(np.concatenate([first, first[::-1]]), index=VI)
        consensus_partition(np.concatenate([first, second])[11:-11], index=VI)  # 49 a half
        consensus_partition(np.concatenate([first, second]), index=VI, cost=1.2)
        mixed = np.concatenate([first, second])[rng.permutation(120)]
        consensus_partition(mixed, index=VI)


def test_two_posteriors():
    rng = np.random.default_rng(6)
    first = blurred(rng, np.repeat([0, 1], 15), 60, 0.05)
    second = blurred(rng, np.tile([0, 1], 15), 60, 0.05)
    found = compare_posteriors(first, second, index=VI)
    assert not found.agree
    expected = variation_of_information_distance(*(one.labels for one in found.estimates))
    assert found.distance == pytest.approx(expected)
    assert compare_posteriors(first[:30], first[30:], index=VI).agree
    # Of objects that the draws of both know.
    first[:, :3], second[:, 10:15] = -1, -1
    with pytest.warns(UserWarning, match="noise or missing in every partition"):
        found = compare_posteriors(first, second, index=VI, noise="drop")
    both = np.r_[3:10, 15:30]
    expected = variation_of_information_distance(*(one.labels[both] for one in found.estimates))
    assert found.distance == pytest.approx(expected)
    with pytest.raises(ValueError, match="^a and b must be of the same objects, got 30 and 3"):
        compare_posteriors(first, [*first[:, :3]], index=VI)


def test_similarity_in_blocks():
    draws = np.random.default_rng(7).integers(3, size=(2, 4, 50))
    expected = co_association_matrix(list(draws.reshape(8, 50))).expand()
    blocks = list(co_association_chunked(draws, working_memory=0.005))
    assert len(blocks) > 3
    np.testing.assert_allclose(np.concatenate(blocks), expected, rtol=1e-6)
    (whole,) = co_association_chunked(draws)
    np.testing.assert_allclose(whole, expected, rtol=1e-6)
