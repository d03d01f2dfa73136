"""Laws of one cloud: definitions by brute force, and what each of them keeps of the data."""

import itertools

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import pdist, squareform
from scipy.stats import multivariate_normal, norm, special_ortho_group

from sklearn_clustcompare.without_reference._null_data import (
    Copula,
    latent_correlations,
    laws_of,
    normal_scores,
    step_coefficients,
    unimodal_quantiles,
)
from sklearn_clustcompare.without_reference._resamples import Square
from tests.without_reference._stability_data import law_of

# --------------------------------------------------------------------------- hull


def _envelope(x, values):
    """Return the lower envelope of all chords, which is the greatest convex minorant."""
    return np.array(
        [
            min(
                np.interp(x[at], [x[i], x[j]], [values[i], values[j]])
                for i in range(at + 1)
                for j in range(at, len(x))
            )
            for at in range(len(x))
        ]
    )


def _hull_by_search(sample):
    """Return the function with one mode of the least distance, over all modes."""
    x = np.sort(sample)
    shares = (np.arange(len(x)) + 0.5) / len(x)
    found = []
    for mode in range(len(x)):
        left = _envelope(x[: mode + 1], shares[: mode + 1])
        right = -_envelope(x[mode:], -shares[mode:])
        hull = np.append(left, right[1:])
        found.append((np.abs(hull - shares).max(), hull))
    return x, shares, found


@pytest.mark.parametrize("seed", range(4))
def test_hull_is_the_envelope_of_chords_with_the_best_mode(seed):
    rng = np.random.default_rng(seed)
    sample = np.append(rng.normal(size=7), rng.normal(6, 1, size=6))
    x, shares, found = _hull_by_search(sample)
    least = min(distance for distance, _ in found)
    assert least > 0.02
    # Another mode may have the same distance.
    best = [np.interp(shares, hull, x) for distance, hull in found if distance < least + 1e-12]
    assert any(np.allclose(unimodal_quantiles(sample), one) for one in best)


def test_hull_of_few_values_keeps_them():
    assert unimodal_quantiles(np.array([2.0, 1.0, 2.0])).tolist() == [1, 2, 2]


def test_the_ends_of_a_column_stay_where_asked():
    sample = np.concatenate([np.linspace(0, 1, 40), [9.0, 9.1, 9.2, 9.3]])
    kept, without = unimodal_quantiles(sample[::-1], 4), unimodal_quantiles(sample)
    assert kept[-4:].tolist() == [9.0, 9.1, 9.2, 9.3]
    assert kept[:4].tolist() == sample[:4].tolist()
    assert kept[4:-4].tolist() == without[4:-4].tolist()
    assert without[-4] < 8
    assert (np.diff(kept) >= 0).all()


# --------------------------------------------------------------------------- discrete columns


def test_series_of_steps_has_the_covariances_of_the_bivariate_normal():
    """The covariance of two steps is the probability of both less that of either."""
    first, second = (np.repeat([0.0, 1.0, 2.5], [30, 50, 20]), np.repeat([0.0, 1.0], [65, 35]))
    steps = [(norm.ppf([0.3, 0.8]), [1.0, 1.5]), (norm.ppf([0.65]), [1.0])]
    for rho in (-0.7, -0.2, 0.4, 0.7):
        law = multivariate_normal(cov=[[1, rho], [rho, 1]])
        exact = sum(
            d * e * (law.cdf([t, u]) - norm.cdf(t) * norm.cdf(u))
            for (t, d), (u, e) in itertools.product(
                zip(*steps[0], strict=True), zip(*steps[1], strict=True)
            )
        )
        coefficients = step_coefficients(first) * step_coefficients(second)
        series = sum(c * rho ** (k + 1) for k, c in enumerate(coefficients))
        assert series == pytest.approx(exact, abs=2e-3)


def test_draws_of_counts_have_the_correlations_of_their_values():
    # Counts of objects with different rates depend on each other in their tails, which normal
    # scores of their ranks hardly show.
    rng = np.random.default_rng(0)
    seen, drawn = [], []
    for seed in range(40):
        X = rng.poisson(np.exp(rng.normal(size=(100, 1))), size=(100, 2)).astype(float)
        seen.append(np.corrcoef(X.T)[0, 1])
        drawn.append(np.corrcoef(Copula(X).draw(seed).T)[0, 1])
    error = np.std(np.subtract(seen, drawn)) / 40**0.5
    assert np.mean(drawn) == pytest.approx(np.mean(seen), abs=2 * error + 0.01)


def test_latent_correlations_are_found_behind_steps():
    covariance = np.array([[1, 0.6, -0.4], [0.6, 1, 0.2], [-0.4, 0.2, 1]])
    latent = np.random.default_rng(0).multivariate_normal(np.zeros(3), covariance, 20_000)
    X = latent.copy()
    X[:, 0], X[:, 1] = latent[:, 0] > 0.7, np.digitize(latent[:, 1], [-1, 0, 1])
    found = latent_correlations(normal_scores(X), np.array([True, True, False]))
    assert found == pytest.approx(covariance, abs=0.03)


# --------------------------------------------------------------------------- what is kept


@pytest.mark.parametrize("shape", [(40, 5), (12, 30)])
def test_gaussian_data_sets_are_rotations_of_the_objects(shape):
    """Without the means, a draw is Q X with an orthogonal Q, and has the same X'X."""
    X = np.random.default_rng(0).normal(size=shape) * np.linspace(1, 4, shape[1])
    drawn = law_of("gaussian", X).draw(1)
    mean = X.mean(axis=0)
    assert drawn.mean(axis=0) == pytest.approx(mean)
    assert (drawn - mean).T @ (drawn - mean) == pytest.approx((X - mean).T @ (X - mean), abs=1e-8)


def test_directions_of_a_gaussian_are_those_of_random_rotations():
    """The largest coordinate of the first orthonormal column, as for random orthogonal matrices."""
    X = np.random.default_rng(0).normal(size=(6, 2)) * [100, 1]
    law = law_of("gaussian", X)
    drawn = np.array([law.draw(seed)[:, 0] for seed in range(400)]) - X[:, 0].mean()
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    base = np.linalg.svd(np.eye(6) - 1 / 6)[0][:, :5]
    expected = special_ortho_group.rvs(5, size=400, random_state=0)[:, :, 0] @ base.T
    for function in (np.max, np.min):
        own, other = (function(one, axis=1).mean() for one in (drawn, expected))
        assert own == pytest.approx(other, abs=0.03)


def _shape_and_radii(X):
    """Return the directions' shape by plain iteration, and the distances in it."""
    centered = X - X.mean(axis=0)
    n, p = X.shape
    inverse_root = np.linalg.inv(np.linalg.cholesky(np.cov(X.T))).T
    white, kept, found = centered @ inverse_root, 0.01, np.eye(p)
    for _ in range(20):
        total = np.zeros((p, p))
        for row in white:
            total += np.outer(row, row) / (row @ np.linalg.solve(found, row))
        found = (1 - kept) * p * total / np.trace(total) + kept * np.eye(p)
    return np.array([(row @ np.linalg.solve(found, row)) ** 0.5 for row in white])


def test_elliptical_keeps_the_distances_from_the_mean():
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(80, 3)) / rng.uniform(0.1, 1, size=(80, 1))) @ rng.normal(size=(3, 3))
    law = law_of("elliptical", X)
    expected = np.sort(_shape_and_radii(X))
    drawn = law.draw(0) - X.mean(axis=0)
    inverse = np.linalg.inv(np.ldexp(law.law._axes, law.units.exponent))
    assert np.sort(np.linalg.norm(drawn @ inverse, axis=1)) == pytest.approx(
        expected / np.sqrt(79), rel=1e-6
    )
    directions = drawn @ inverse / np.linalg.norm(drawn @ inverse, axis=1, keepdims=True)
    assert directions.T @ directions / 80 == pytest.approx(np.eye(3) / 3, abs=0.06)


@pytest.mark.parametrize(
    ("scales", "noise"), [([1, 1], 0.0), ([3, 1], 0.0), ([1, 1, 1], 0.0), ([3, 2, 1], 0.05)]
)
def test_a_sample_of_a_shell_has_a_shell_as_its_law(scales, noise):
    rng = np.random.default_rng(0)

    def spread(points):
        """Relative distances from the quadric that fits the points, as a standard deviation."""
        points = (points - points.mean(axis=0)) / points.std(axis=0)
        rows, columns = np.triu_indices(points.shape[1])
        terms = np.hstack([points, points[:, rows] * points[:, columns]])
        weights = np.linalg.lstsq(terms, np.ones(len(points)), rcond=None)[0]
        return (terms @ weights).std() / 2

    found, expected = [], []
    for _ in range(5):
        X = rng.normal(size=(100, len(scales)))
        X *= (1 + noise * rng.normal(size=(100, 1))) / np.linalg.norm(X, axis=1, keepdims=True)
        X = X * scales + 7
        law = law_of("elliptical", X)
        found += [spread(law.draw(seed)) for seed in range(5)]
        expected.append(spread(X))
    assert np.mean(found) == pytest.approx(np.mean(expected), abs=0.025)


def test_two_clusters_on_a_line_are_not_the_elliptical_law():
    X = np.r_[np.full(50, -5.0), np.full(50, 5.0)][:, np.newaxis]
    X += np.random.default_rng(0).normal(size=(100, 1))
    drawn = law_of("elliptical", X).draw(0)
    assert np.mean(np.abs(drawn) < 2) > 0.2
    assert (drawn.mean(), drawn.std()) == pytest.approx((X.mean(), X.std()))


def test_copula_keeps_discrete_values_and_normal_scores_of_the_rest():
    rng = np.random.default_rng(0)
    latent = rng.multivariate_normal([0, 0, 0], [[1, 0.8, 0], [0.8, 1, 0], [0, 0, 1]], 300)
    X = np.column_stack([np.exp(latent[:, 0]), np.digitize(latent[:, 1], [-1, 1]), latent[:, 2]])
    law = law_of("copula", X)
    draws = [law.draw(seed) for seed in range(20)]
    assert all(np.array_equal(np.sort(one[:, 1]), np.sort(X[:, 1])) for one in draws)
    assert all(one[:, 0].min() >= X[:, 0].min() > 0 for one in draws)
    found = np.mean([np.corrcoef(normal_scores(one).T) for one in draws], axis=0)
    assert found == pytest.approx(np.corrcoef(normal_scores(X).T), abs=0.03)


def test_a_single_column_is_a_sample_of_its_distribution():
    X = np.random.default_rng(0).exponential(size=(200, 1))
    law = law_of("copula", X)
    deviations = [law.draw(seed).std() for seed in range(50)]
    assert np.std(deviations) > 0.02
    assert np.mean(deviations) == pytest.approx(X.std(), rel=0.05)
    dice = np.random.default_rng(0).integers(1, 7, size=(200, 1)).astype(float)
    law = law_of("copula", dice)
    counts = np.array([np.unique(law.draw(s), return_counts=True)[1] for s in range(50)])
    assert counts.mean(axis=0) == pytest.approx(np.unique(dice, return_counts=True)[1], abs=4)
    assert counts.std(axis=0).min() > 2


@pytest.mark.parametrize("null", ["copula", "elliptical"])
def test_copies_of_rows_stay_copies(null):
    X = np.random.default_rng(0).normal(size=(9, 2)).repeat([1, 1, 1, 2, 2, 3, 4, 5, 6], axis=0)
    _, counts = np.unique(law_of(null, X).draw(0), axis=0, return_counts=True)
    assert sorted(counts) == [1, 1, 1, 2, 2, 3, 4, 5, 6]


def test_equal_rows_of_discrete_columns_are_no_copies():
    X = np.random.default_rng(0).integers(2, size=(60, 4)).astype(float)
    drawn = [np.unique(law_of("copula", X).draw(seed), axis=0).shape[0] for seed in range(9)]
    assert len(set(drawn)) > 1


def test_sigclust_has_no_eigenvalue_below_the_noise():
    X = np.random.default_rng(0).normal(size=(200, 6)) * [9, 1, 1, 1, 1, 0.01]
    noise = np.median(np.abs(X - X.mean(axis=0))) * 1.4826
    drawn = np.concatenate([law_of("sigclust", X).draw(seed) for seed in range(9)])
    found = np.linalg.eigvalsh(np.cov(drawn.T))
    assert found[-1] == pytest.approx(81, rel=0.15)
    assert found[0] == pytest.approx(noise**2, rel=0.15)


# --------------------------------------------------------------------------- distances


def _laws_of_distances(null, distances):
    return laws_of(null, Square(distances, "distances"))


@pytest.mark.parametrize("null", ["elliptical", "pca", "gaussian"])
def test_distances_of_points_are_those_of_the_law_of_the_points(null):
    """These laws do not depend on a rotation of the features."""
    X = np.random.default_rng(0).normal(size=(30, 3)) * [3, 2, 1]
    (law,) = _laws_of_distances(null, squareform(pdist(X)))
    own = law_of(null, X)
    drawn = law.draw(0).values
    assert drawn.shape == (30, 30)
    assert np.array_equal(drawn, drawn.T)
    means = [
        [pdist(own.draw(seed)).mean(), law.draw(seed).values.sum() / 870] for seed in range(40)
    ]
    first, second = np.mean(means, axis=0)
    assert first == pytest.approx(second, rel=0.02)


def test_objects_at_distance_0_stay_there():
    X = np.random.default_rng(0).normal(size=(12, 2)).repeat(2, axis=0)
    for law in _laws_of_distances(["copula", "elliptical"], squareform(pdist(X))):
        assert np.count_nonzero(law.draw(0).values == 0) == 24 + 24


def test_distances_that_points_cannot_have_are_refused():
    distances = squareform(np.random.default_rng(0).uniform(size=300))
    with pytest.raises(ValueError, match="^X must hold distances that points have nearly, got a"):
        _laws_of_distances("auto", distances)
    (law,) = _laws_of_distances(lambda D, seed: D[::-1, ::-1], distances)
    assert np.array_equal(law.draw(0).values, distances[::-1, ::-1])


# --------------------------------------------------------------------------- sparse data


def test_a_function_for_sparse_data_gets_and_returns_them():
    X = sparse.csr_array(np.eye(5))
    (law,) = laws_of(lambda X, seed: X[::-1], X)
    assert np.array_equal(law.draw(0).toarray(), np.eye(5)[::-1])


# --------------------------------------------------------------------------- counts with rates


def _counts_with_rates(rng, n=300, correlation=0.0):
    """Draw Dirichlet-multinomial counts; events of an object correlate as given."""
    shares = np.array([0.4, 0.3, 0.2, 0.1])
    if correlation:
        shares = rng.dirichlet((1 / correlation - 1) * shares, size=n)
    return rng.multinomial(rng.poisson(rng.gamma(2, 15, size=n)), shares).astype(float)


@pytest.mark.parametrize("correlation", [0.0, 0.1, 0.4])
def test_rates_keep_totals_shares_and_the_correlation_of_events(correlation):
    rng = np.random.default_rng(0)
    X = _counts_with_rates(rng, 2000, correlation)
    law = law_of("rates", X)
    drawn = np.concatenate([law.draw(seed) for seed in range(5)])
    assert drawn.min() >= 0
    assert (drawn == np.floor(drawn)).all()
    assert drawn.mean(axis=0) == pytest.approx(X.mean(axis=0), rel=0.05)
    quantiles = np.linspace(0.05, 0.95, 10)
    totals = [np.quantile(one.sum(axis=1), quantiles) for one in (X, drawn)]
    assert totals[1] == pytest.approx(totals[0], rel=0.1, abs=1)
    # Pairs of events of an object in one column: p^2 + rho p (1 - p) of all pairs.
    pairs = np.sum(drawn * (drawn - 1), axis=0)
    n = drawn.sum(axis=1)
    p = X.sum(axis=0) / X.sum()
    expected = p**2 + correlation * p * (1 - p)
    assert pairs / np.sum(n * (n - 1)) == pytest.approx(expected, abs=0.03)


def test_rates_do_not_carry_clusters_over():
    rng = np.random.default_rng(1)
    X = rng.poisson(np.repeat([[1.0] * 6, [20.0] * 6], 50, axis=0)).astype(float)
    totals = np.sort(law_of("rates", X).draw(0).sum(axis=1))
    assert np.diff(np.sort(X.sum(axis=1))).max() > 50
    assert np.diff(totals).max() < 10


def test_rates_of_empty_objects_and_columns_stay_zero():
    X = np.zeros((6, 3))
    X[0, 0], X[1, 1] = 2, 1
    drawn = law_of("rates", X).draw(0)
    assert drawn.shape == (6, 3)
    assert (drawn[:, 2] == 0).all()


@pytest.mark.parametrize(
    "X",
    [np.eye(3), np.full((4, 2), 1.5), -np.arange(6.0).reshape(3, 2), np.arange(4.0)[:, np.newaxis]],
)
def test_rates_are_refused_where_data_are_no_counts(X):
    with pytest.raises(ValueError, match="^X must hold counts for null='rates'"):
        law_of("rates", X)
