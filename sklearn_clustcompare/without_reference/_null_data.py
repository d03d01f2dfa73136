"""Structureless data: distributions without clusters, their names, and what is read.

A distribution, a *law*, is a class made from data, with a method ``draw(seed)``. It keeps summaries
of the data, so that passing it to worker processes is cheap. Here n is the number of objects, p the
number of features and r = min(n - 1, p) the number of directions in which centered data vary. No
array has p x p elements where p is at least n, but for discrete columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.polynomial.hermite_e import hermeval
from scipy.optimize import isotonic_regression
from scipy.sparse import csc_array, issparse
from scipy.sparse.linalg import LinearOperator, svds
from scipy.spatial.distance import pdist, squareform
from scipy.special import factorial
from scipy.stats import norm, rankdata
from scipy.stats import t as student

from sklearn_clustcompare._array_types import FloatArray, Mask, Positions
from sklearn_clustcompare._data import Near, near, read_numbers, read_pairs, to_fit
from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._parameters import options_text
from sklearn_clustcompare.significance._resampling import several_resamples
from sklearn_clustcompare.without_reference._resamples import Square

# --------------------------------------------------------------------------- distances of pairs

# Distances are not those of points if a negative eigenvalue exceeds this share of the largest one.
_MOST_NEGATIVE = 0.25


class Law(Protocol):
    """A law that data sets are drawn from."""

    def draw(self, seed: int) -> FloatArray:
        """Return a data set of the shape of the data."""
        ...


@dataclass(frozen=True)
class DistancesOf:
    """Euclidean distances of the points that a law draws."""

    points: Law

    def draw(self, seed: int) -> FloatArray:
        return squareform(pdist(self.points.draw(seed)))


def points_of(distances: FloatArray) -> FloatArray:
    """Return points whose Euclidean distances are given, by classical scaling.

    Other distances have negative eigenvalues: directions with no larger ones are left out. Objects
    at distance 0 get the same point. Raises ValueError where the negative ones are large.
    """
    squares = distances.astype(np.float64) ** 2
    means = squares.mean(axis=0)
    eigenvalues, vectors = np.linalg.eigh(
        (means + means[:, np.newaxis] - squares - means.mean()) / 2
    )
    largest, lowest = eigenvalues[-1], max(-eigenvalues[0], 0.0)
    if lowest > _MOST_NEGATIVE * largest:
        msg = (
            "X must hold distances that points have nearly, got a negative eigenvalue of "
            f"{lowest / largest:.2f} times the largest one: no structureless data are known for "
            "these distances, pass null=f with a function f(X, random_state) of your own"
        )
        raise ValueError(msg)
    is_kept = eigenvalues > max(lowest, largest * len(squares) * np.finfo(np.float64).eps)
    if not is_kept.any():
        return np.zeros((len(squares), 1))
    points = (vectors[:, is_kept] * np.sqrt(eigenvalues[is_kept]))[:, ::-1]
    same = (distances == 0).argmax(axis=0)
    return np.ascontiguousarray(points[same])


# --------------------------------------------------------------------------- columns

# A column is discrete if its distinct values are fewer than this share of the distinct rows.
_SHARE = 0.5
# Scales of so few values have no shape that could be told from clusters.
_SCALE = 5


class Rows(NamedTuple):
    """First occurrence of each distinct row, and how often it occurs; None for all rows.

    Equal rows are copies if some column is continuous. In a table of discrete columns, they occur
    by chance. The values of a discrete column recur in different rows; it is rounded if it has more
    values than a short scale.
    """

    first: Positions | None
    counts: Positions | None
    is_discrete: Mask
    is_rounded: Mask

    @classmethod
    def of(cls, X: FloatArray) -> Rows:
        _, first, counts = np.unique(X, axis=0, return_index=True, return_counts=True)
        n_rows = len(X) if X.shape[1] == 1 else len(first)
        n_values = 1 + np.count_nonzero(np.diff(np.sort(X, axis=0), axis=0), axis=0)
        is_discrete = (n_values < _SHARE * n_rows) | (n_values == 1)
        kinds = is_discrete, is_discrete & (n_values > _SCALE)
        has_copies = 2 < len(first) < len(X) and not is_discrete.all()
        return cls(first, counts, *kinds) if has_copies else cls(None, None, *kinds)

    def distinct(self, X: FloatArray) -> FloatArray:
        return X if self.first is None else X[self.first]

    def repeated(self, drawn: FloatArray) -> FloatArray:
        """Return a data set with the copies that the data have."""
        return drawn if self.counts is None else np.repeat(drawn, self.counts, axis=0)


def spread(X: FloatArray) -> FloatArray:
    """Return data whose rounded columns are spread within their rounding, always the same.

    A value is moved by at most half of the way to its nearest neighbor among the values.
    """
    found = np.array(X, np.float64)
    generator = np.random.default_rng(0)
    for j in np.flatnonzero(Rows.of(X).is_rounded):
        values, codes = np.unique(X[:, j], return_inverse=True)
        gaps = np.diff(values)
        reach = np.minimum(np.append(gaps, np.inf), np.append(np.inf, gaps)) / 2
        found[:, j] += generator.uniform(-1, 1, len(codes)) * reach[codes]
    return found


# --------------------------------------------------------------------------- one mode


def unimodal_quantiles(sample: FloatArray, n_ends: int = 0) -> FloatArray:
    """Return as many quantiles, increasing, of the distribution with one mode nearest to a sample.

    Its distribution function is convex up to the mode and concave from there on: the greatest
    convex minorant and the least concave majorant of that of the sample, which goes through the
    middle of its steps. The mode is the observation for which the largest distance of the two
    functions is least. That distribution draws long tails in: the ``n_ends`` smallest and largest
    values stay.
    """
    n = len(sample)
    values, counts = np.unique(sample, return_counts=True)
    if len(values) < 3:
        return np.sort(sample)
    shares = (np.cumsum(counts) - counts / 2) / n
    fitted = _nearest(values, shares)
    quantiles = np.interp((np.arange(n) + 0.5) / n, fitted, values)
    ends = np.r_[:n_ends, n - n_ends : n]
    quantiles[ends] = np.sort(sample)[ends]
    return quantiles


def unimodal_values(sample: FloatArray) -> FloatArray:
    """Return as many values of a rounded sample, sorted, with the nearest shares of one mode.

    Each value stands for what is rounded to it: its density is its share by the width of this.
    """
    values, counts = np.unique(sample, return_counts=True)
    middles = (values[1:] + values[:-1]) / 2
    edges = np.concatenate([[2 * values[0] - middles[0]], middles, [2 * values[-1] - middles[-1]]])
    fitted = _nearest(edges, np.append(0.0, np.cumsum(counts)) / len(sample))
    positions = (np.arange(len(sample)) + 0.5) / len(sample)
    at = np.searchsorted(fitted[1:-1], positions)
    return values[at]


def _nearest(x: FloatArray, shares: FloatArray) -> FloatArray:
    """Return the function with one mode at points.

    As the mode moves to the right, the part that is convex grows, and so does the distance there;
    the distance of the other part falls. The best mode is where they meet, found by bisection.
    """
    low, high = 0, len(x) - 1
    while high - low > 1:
        middle = (low + high) // 2
        left, right = _distances_of_parts(x, shares, middle)
        low, high = (low, middle) if left > right else (middle, high)
    mode = min((low, high), key=lambda at: max(_distances_of_parts(x, shares, at)))
    return np.concatenate(_parts(x, shares, mode))


def _distances_of_parts(x: FloatArray, shares: FloatArray, mode: int) -> tuple[float, float]:
    left, right = _parts(x, shares, mode)
    return (
        float(np.abs(left - shares[: mode + 1]).max()),
        float(np.abs(right - shares[mode + 1 :]).max(initial=0.0)),
    )


def _parts(x: FloatArray, shares: FloatArray, mode: int) -> tuple[FloatArray, FloatArray]:
    """Return the values up to the mode, and those after it."""
    left = _bent(x[: mode + 1], shares[: mode + 1], convex=True)
    return left, _bent(x[mode:], shares[mode:], convex=False)[1:]


def _bent(x: FloatArray, values: FloatArray, *, convex: bool) -> FloatArray:
    """Return the greatest convex minorant, or the least concave majorant, at its points.

    Its slopes are the isotonic regression of the slopes between neighbors.
    """
    if len(x) < 3:
        return values
    steps = np.diff(x)
    slopes = isotonic_regression(np.diff(values) / steps, weights=steps, increasing=convex).x
    return values[0] + np.append(0.0, np.cumsum(slopes * steps))


# --------------------------------------------------------------------------- normal


class Spectrum(NamedTuple):
    """Centered data of n objects as ``frame * sizes @ axes``, with orthonormal columns and axes."""

    sizes: FloatArray
    axes: FloatArray
    n_samples: int

    def draw(self, generator: np.random.Generator) -> FloatArray:
        """Return a data set with random orthonormal columns of mean 0."""
        normal = generator.standard_normal((self.n_samples, len(self.sizes)))
        frame, triangle = np.linalg.qr(normal - normal.mean(axis=0))
        return (frame * np.sign(np.diagonal(triangle)) * self.sizes) @ self.axes


class Gaussian:
    """Gaussian, given the mean and the covariance of the data.

    Centered Gaussian data are as likely as any rotation of their rows, as points in the space of
    the objects. Given their covariance, which is sufficient, they are random orthonormal columns,
    times the deviations along the principal axes. Such data sets have exactly the mean and the
    covariance of the data, for any number of features, and a test against them is exact for
    Gaussian data (Langsrud, "Rotation tests", 2005). A Gaussian with the covariance of the data has
    samples that are spread more widely, since the eigenvalues of a sample are spread more widely
    than those of its distribution.
    """

    def __init__(self, X: FloatArray) -> None:
        self._mean, _, self._spectrum = decomposed(X)

    def draw(self, seed: int) -> FloatArray:
        return self._spectrum.draw(np.random.default_rng(seed)) + self._mean


class SigClust:
    """Gaussian with the eigenvalues of the data, but none below that of the background noise.

    The noise is estimated by the median absolute deviation of all values, as by Liu et al. (2008).
    """

    def __init__(self, X: FloatArray) -> None:
        self._mean, _, spectrum = decomposed(X)
        centered = X - self._mean
        self._axes, self._shape = spectrum.axes, X.shape
        self._noise = np.median(np.abs(centered - np.median(centered))) / norm.ppf(0.75)
        deviations = spectrum.sizes / np.sqrt(len(X) - 1)
        self._more = np.sqrt(np.maximum(deviations**2 - self._noise**2, 0.0))

    def draw(self, seed: int) -> FloatArray:
        generator = np.random.default_rng(seed)
        scores = generator.standard_normal((len(self._axes), self._shape[0])).T
        noise = self._noise * generator.standard_normal(self._shape)
        return (scores * self._more) @ self._axes + noise + self._mean


def decomposed(X: FloatArray) -> tuple[FloatArray, FloatArray, Spectrum]:
    """Return the mean of data, their r orthonormal columns, and the rest of the decomposition."""
    n, p = X.shape
    r = min(n - 1, p)
    mean = X.mean(axis=0, dtype=np.float64)
    frame, sizes, axes = np.linalg.svd(X - mean, full_matrices=False)
    return mean, frame[:, :r], Spectrum(sizes[:r], axes[:r], n)


def principal(X: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean of data, their coordinates along the principal axes, and the axes as rows."""
    mean, frame, spectrum = decomposed(X)
    return mean, frame * spectrum.sizes, spectrum.axes


# --------------------------------------------------------------------------- boxes


class Box:
    """Uniform in the box that holds the data, along the features or their principal axes."""

    def __init__(self, X: FloatArray, *, is_principal: bool = False) -> None:
        found: tuple[Any, FloatArray, Any] = principal(X) if is_principal else (0.0, X, None)
        self._mean, coordinates, self._axes = found
        self._low, self._high = coordinates.min(axis=0), coordinates.max(axis=0)
        self._shape = coordinates.shape

    def draw(self, seed: int) -> FloatArray:
        drawn = np.random.default_rng(seed).uniform(self._low, self._high, self._shape)
        return drawn if self._axes is None else drawn @ self._axes + self._mean


class PermutedColumns:
    """The data with the values of each feature in random order."""

    def __init__(self, X: FloatArray) -> None:
        self._X = X

    def draw(self, seed: int) -> FloatArray:
        return np.random.default_rng(seed).permuted(self._X, axis=0)


# --------------------------------------------------------------------------- steps

# Terms of the series, and halvings of the interval that holds a correlation.
_TERMS, _HALVINGS = 9, 30


def latent_correlations(seen: FloatArray, is_discrete: Mask) -> FloatArray:
    """Return correlations of normal variables, of which discrete columns show steps only.

    ``seen`` has the normal scores of continuous columns, and values of discrete ones: increasing
    step functions of their variables. With Hermite coefficients a_k and b_k of two such functions,
    their covariance is the sum of a_k b_k rho^k over k >= 1, which rises with the correlation rho
    of the variables.
    """
    n, p = seen.shape
    coefficients = np.zeros((_TERMS, p))
    coefficients[0] = 1.0
    for j in np.flatnonzero(is_discrete):
        coefficients[:, j] = step_coefficients(seen[:, j])
    # Continuous columns have the variance 1 of their variable.
    deviations = seen.std(axis=0)
    scale = np.where(is_discrete, 1.0, 1.0 / np.where(deviations > 0, deviations, 1.0))
    centered = (seen - seen.mean(axis=0)) * scale
    rows, columns = np.triu_indices(p, 1)
    products = coefficients[:, rows] * coefficients[:, columns]
    covariances = (centered.T @ centered / n)[rows, columns]
    low, high = _solved(products, covariances, -1.0, _HALVINGS)
    varies = products[0] != 0
    found = np.eye(p)
    found[rows, columns] = found[columns, rows] = np.where(varies, (low + high) / 2, 0.0)
    return found


def step_coefficients(column: FloatArray) -> FloatArray:
    """Return the Hermite coefficients 1 to 9 of the steps that give values their frequencies.

    A step of height d at t adds d phi(t) He_(k-1)(t) / sqrt(k!) to the k-th.
    """
    values, counts = np.unique(column, return_counts=True)
    at = norm.ppf(np.cumsum(counts)[:-1] / len(column))
    return _of_steps(at) @ np.diff(values)


def _of_steps(at: FloatArray) -> FloatArray:
    """Return the Hermite coefficients 1 to 9, in columns, of steps of height 1 at points."""
    orders = np.arange(1, _TERMS + 1)[:, np.newaxis]
    return norm.pdf(at) * hermeval(at, np.eye(_TERMS)) / np.sqrt(factorial(orders))


def _solved(
    terms: FloatArray, values: FloatArray, lowest: float, n_halvings: int
) -> tuple[FloatArray, FloatArray]:
    """Return intervals of the arguments at which series without a constant have these values."""
    low, high = np.full(len(values), lowest), np.ones(len(values))
    for _ in range(n_halvings):
        middle = (low + high) / 2
        reached = np.zeros_like(middle)
        for term in terms[::-1]:
            reached = (reached + term) * middle
        is_below = reached < values
        low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
    return low, high


# --------------------------------------------------------------------------- copula

# Correlations of discrete columns are corrected up to this number of columns.
_MAX_CORRECTED = 1000
# Ends of columns that are kept are at most one of so many distinct rows.
_END_SHARE = 10


class Copula:
    """Gaussian dependence of the columns, and the distribution of each.

    A discrete column keeps its values: ties, atoms and integers stay. A continuous one, and one of
    rounded values, has the distribution with one mode that is nearest: with its own, a column that
    shows the clusters would carry them over. Of a continuous one the ``most_ends`` smallest and
    largest values stay, for tests in which so few objects are no cluster; but at most a tenth of
    the distinct rows at each end, since the ends of two small clusters would be all objects.
    """

    def __init__(self, X: FloatArray, most_ends: int = 0) -> None:
        self._rows = Rows.of(X)
        is_discrete = self._rows.is_discrete
        distinct = self._rows.distinct(X)
        self._columns = np.sort(distinct, axis=0)
        n_ends = min(most_ends, len(distinct) // _END_SHARE)
        for j in np.flatnonzero(~is_discrete):
            self._columns[:, j] = unimodal_quantiles(distinct[:, j], n_ends)
        for j in np.flatnonzero(self._rows.is_rounded):
            self._columns[:, j] = unimodal_values(distinct[:, j])
        self._is_stepped = bool(is_discrete.all())
        scores = normal_scores(distinct)
        if is_discrete.any() and len(is_discrete) <= _MAX_CORRECTED:
            # Clusterers see values: of counts, those of the tail matter more than their ranks.
            scores[:, is_discrete] = _standardized(distinct[:, is_discrete])
            self._spectrum = _corrected(scores, is_discrete)
        else:
            _, _, self._spectrum = decomposed(_standardized(scores))

    def draw(self, seed: int) -> FloatArray:
        latent = self._spectrum.draw(np.random.default_rng(seed))
        if latent.shape[1] == 1:
            return self._rows.repeated(self._sample(latent))
        drawn = np.empty_like(self._columns)
        np.put_along_axis(drawn, latent.argsort(axis=0, kind="stable"), self._columns, axis=0)
        return self._rows.repeated(drawn)

    def _sample(self, latent: FloatArray) -> FloatArray:
        """Return values of the only column: in any other order they would be the same data."""
        shares = norm.cdf(latent / max(latent.std(), np.finfo(float).tiny)) * len(latent)
        if self._is_stepped:
            return self._columns[shares.astype(np.intp)[:, 0]]
        middles = np.arange(len(latent)) + 0.5
        return np.interp(shares, middles, self._columns[:, 0])


def normal_scores(X: FloatArray) -> FloatArray:
    """Return the normal quantiles of the ranks in each column; ties have their middle rank."""
    return norm.ppf((rankdata(X, axis=0) - 0.5) / len(X))


def _standardized(scores: FloatArray) -> FloatArray:
    deviations = scores.std(axis=0, ddof=1)
    centered = scores - scores.mean(axis=0)
    return np.divide(centered, deviations, out=np.zeros_like(centered), where=deviations > 0)


def _corrected(scores: FloatArray, is_discrete: Mask) -> Spectrum:
    """Return the law of the latent columns that give discrete columns the correlations they have.

    Latent correlations of all pairs may have negative eigenvalues. The nearest matrix without them
    and with the same trace has smaller ones (with larger variances, correlations would be less).
    """
    n, p = scores.shape
    eigenvalues, axes = np.linalg.eigh(latent_correlations(scores, is_discrete))
    r = min(n - 1, p)
    largest = eigenvalues[::-1][:r]
    surplus = (np.cumsum(largest) - p) / np.arange(1, r + 1)
    largest = np.maximum(largest - surplus[np.count_nonzero(largest > surplus) - 1], 0.0)
    return Spectrum(np.sqrt(largest), axes.T[::-1][:r], n)


# --------------------------------------------------------------------------- elliptical

# Rounds of the fit of a shape, and objects for each feature that it needs.
_ROUNDS, _ENOUGH = 20, 4
# Largest coefficient of variation of the distances of a shell, given their directions, and its
# largest number of features: clouds of more may have as equal distances.
_THIN, _FEATURES = 0.15, 10
# Share of the covariance in a shape, without which it may be singular if many objects lie in one
# direction. More would shrink the distances of objects far away.
_COVARIANCE = 0.01


class Elliptical:
    """Random directions, with the distances of the objects from the mean, given their shape.

    Spheres, shells and clouds with heavy tails are such data. The shape is that of the directions,
    by Tyler (1987): an object far away enlarges the covariance, which would shrink its distance.
    The directions that are drawn have the same shape. Where there are few objects for each feature,
    distances by a shape that is fitted to them are nearly equal, and it is the Gaussian law; also
    in one dimension, where two clusters of a size are as far from their middle on both sides.

    Middle and shape of a sample of a sphere are not those of the sphere, so that its objects differ
    in their distance from the one, given the other. Of a shell, which is thin once this is taken
    into account, distances therefore are a quadratic function of the direction, and a rest.
    """

    def __init__(self, X: FloatArray) -> None:
        self._rows = Rows.of(X)
        distinct = self._rows.distinct(X)
        self._mean, frame, self._spectrum = decomposed(distinct)
        sizes = self._spectrum.sizes
        varies = sizes > sizes[0] * np.finfo(np.float32).eps
        self._distances, self._bend = None, None
        n_varying = np.count_nonzero(varies)
        if n_varying > 1 and _ENOUGH * n_varying < len(distinct):
            root, inverse = roots(shape(frame[:, varies]))
            white = frame[:, varies] @ inverse
            self._distances, self._bend = bent_shell(white)
            self._axes = (root * sizes[varies]) @ self._spectrum.axes[varies]

    def draw(self, seed: int) -> FloatArray:
        generator = np.random.default_rng(seed)
        if self._distances is None:
            return self._rows.repeated(self._spectrum.draw(generator) + self._mean)
        distances = generator.permutation(self._distances)
        points = self._at(distances, generator.standard_normal((len(distances), len(self._axes))))
        points -= points.mean(axis=0)
        points = self._at(distances, points @ roots(shape(points))[1])
        return self._rows.repeated(points @ self._axes + self._mean)

    def _at(self, distances: FloatArray, points: FloatArray) -> FloatArray:
        """Return points at these distances in the directions of others."""
        directions = points / np.linalg.norm(points, axis=1, keepdims=True)
        if self._bend is not None:
            distances = np.maximum(distances + quadratic(directions) @ self._bend, 0.0)
        return directions * distances[:, np.newaxis]


def bent_shell(points: FloatArray) -> tuple[FloatArray, FloatArray | None]:
    """Return distances of centered points, and by which function of directions they are bent.

    It is given by the coefficients of :func:`quadratic`, and the distances are without it; it is
    None if the points are no thin shell, or too few for such a function.
    """
    lengths = np.linalg.norm(points, axis=1)
    n, p = points.shape
    m = p * (p + 3) // 2 - 1
    if p > _FEATURES or n < _ENOUGH * m:
        return lengths, None
    directions = np.divide(points.T, lengths, out=np.zeros((p, n)), where=lengths > 0).T
    design = quadratic(directions)
    bend = np.linalg.lstsq(design - design.mean(axis=0), lengths - lengths.mean(), rcond=None)[0]
    rest = lengths - design @ bend
    spread = np.sqrt(n / (n - 1 - m)) * rest.std()
    return (rest, bend) if spread <= _THIN * lengths.mean() else (lengths, None)


def quadratic(directions: FloatArray) -> FloatArray:
    """Return linear and quadratic terms; the last square is 1 less the others."""
    rows, columns = np.triu_indices(directions.shape[1])
    products = directions[:, rows[:-1]] * directions[:, columns[:-1]]
    return np.hstack([directions, products])


def shape(points: FloatArray) -> FloatArray:
    """Return the shape of centered points: that for which their directions are uniform.

    It has a small part of the covariance.
    """
    n, p = points.shape
    covariance = points.T @ points
    covariance /= np.trace(covariance) / p
    covariance += 1e-9 * np.eye(p)
    found = covariance
    for _ in range(_ROUNDS):
        squares = np.einsum("ij,ij->i", points @ np.linalg.inv(found), points)
        weights = np.divide(1.0, squares, out=np.zeros(n), where=squares > 0)
        tyler = (points * weights[:, np.newaxis]).T @ points
        tyler *= p / np.trace(np.linalg.solve(covariance, tyler))
        found = (1 - _COVARIANCE) * tyler + _COVARIANCE * covariance
    return found


def roots(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the symmetric root of a positive matrix, and its inverse."""
    eigenvalues, vectors = np.linalg.eigh(matrix)
    root = np.sqrt(eigenvalues)
    return (vectors * root) @ vectors.T, (vectors / root) @ vectors.T


# --------------------------------------------------------------------------- counts

# Of the correlation of two events of an object, so that parameters of a gamma law stay above 0.
_LARGEST = 0.99


class Rates:
    """Events of each object fall into the columns independently of each other, or nearly so.

    Poisson counts with the mean ``r_i * c_j``, given the totals of the objects, are multinomial
    with shares proportional to ``c_j``, whatever the rates are. Where counts vary more, the shares
    of each object are Dirichlet, which correlates its events. The totals have the distribution with
    one mode that is nearest: their own would carry clusters over that differ in their rates.
    """

    def __init__(self, X: FloatArray) -> None:
        if not is_counts(X):
            msg = (
                "X must hold counts for null='rates': integers of at least 0 in several columns, "
                "not all below 2"
            )
            raise ValueError(msg)
        totals = X.sum(axis=1, dtype=np.float64)
        self._totals = unimodal_quantiles(totals)
        self._shares = X.sum(axis=0, dtype=np.float64) / totals.sum()
        self._correlation = _correlation(X, totals, self._shares)

    def draw(self, seed: int) -> FloatArray:
        generator = np.random.default_rng(seed)
        totals = np.floor(self._totals + generator.random(len(self._totals))).astype(np.int64)
        shares = np.broadcast_to(self._shares, (len(totals), len(self._shares)))
        if self._correlation > 0:
            gammas = generator.standard_gamma((1 / self._correlation - 1) * shares)
            sums = gammas.sum(axis=1, keepdims=True)
            shares = np.divide(gammas, sums, out=shares.copy(), where=sums > 0)
        return generator.multinomial(totals, shares).astype(np.float64)


def is_counts(X: FloatArray) -> bool:
    """Return whether data are counts of events, more than yes or no, in several columns."""
    return X.shape[1] > 1 and bool(
        X.min() >= 0 and X.max() > 1 and X.max() < 2**53 and (np.floor(X) == X).all()
    )


def _correlation(X: FloatArray, totals: FloatArray, shares: FloatArray) -> float:
    """Return the correlation of two events of an object falling into a column, by moments.

    With rho, the chi-squared statistic of an object with N events, for given shares of p columns,
    has the mean (p - 1) (1 + (N - 1) rho). Shares of n objects cost one of them.
    """
    has_events = totals > 1
    n, p = np.count_nonzero(has_events), np.count_nonzero(shares)
    if n < 2 or p < 2:
        return 0.0
    expected = totals[has_events, np.newaxis] * shares[shares > 0]
    chi_squared = np.sum((X[has_events][:, shares > 0] - expected) ** 2 / expected)
    excess = chi_squared / (p - 1) * n / (n - 1) - n
    return float(np.clip(excess / np.sum(totals[has_events] - 1), 0.0, _LARGEST))


# --------------------------------------------------------------------------- sparse data

_MOST_FACTORS = 20
# Share of a column's latent variance that factors explain at most.
_MOST_EXPLAINED = 0.95
# Halvings of the interval in which a correlation is sought.
_FEW_HALVINGS = 20
# Columns that are drawn at a time.
_BLOCK = 256
# Of singular values: those of noise lie close together, and need not be told apart.
_TOLERANCE = 1e-2


class SparseCopula:
    """Nonzeros of each column in the objects whose latent values are largest.

    Each column keeps its number of nonzeros and their values, the larger ones at larger latent
    values. These are Gaussian, with the factors by which the columns' patterns of nonzeros vary
    together: those whose variance exceeds what independent columns reach by chance. Without factors
    the columns are independent.
    """

    def __init__(self, X: Any, most_factors: int = _MOST_FACTORS) -> None:
        columns = csc_array(X)
        columns.sum_duplicates()
        columns.eliminate_zeros()
        self._kind, self._format = type(X), getattr(X, "format", None)
        self._shape, self._starts = columns.shape, columns.indptr
        self._values = columns.data.copy()
        for start, stop in zip(self._starts[:-1], self._starts[1:], strict=True):
            self._values[start:stop].sort()
        self._loadings = _loadings(columns, most_factors)

    def draw(self, seed: int) -> Any:
        rng = np.random.default_rng(seed)
        n_samples, n_columns = self._shape
        factors = rng.standard_normal((n_samples, self._loadings.shape[1]))
        rows = np.empty(len(self._values), self._starts.dtype)
        for first in range(0, n_columns, _BLOCK):
            loadings = self._loadings[first : first + _BLOCK]
            own = np.sqrt(1 - np.einsum("ij,ij->i", loadings, loadings))
            latent = rng.standard_normal((len(loadings), n_samples)) * own[:, np.newaxis]
            # Without BLAS, whose last bits depend on the number of its threads.
            latent += np.einsum("ij,kj->ik", loadings, factors)
            for number, values in enumerate(latent, first):
                start, stop = self._starts[number : number + 2]
                largest = np.argpartition(values, n_samples - (stop - start) - 1)
                at = largest[n_samples - (stop - start) :]
                rows[start:stop] = at[np.argsort(values[at])]
        drawn = csc_array((self._values, rows, self._starts), shape=self._shape)
        return drawn if self._format is None else self._kind(drawn.asformat(self._format))


def _loadings(columns: Any, most_factors: int) -> FloatArray:
    """Return the loadings of the latent values of each column, of shape (n_columns, n_factors)."""
    n_samples, n_columns = columns.shape
    n_factors = min(most_factors, n_samples - 1, n_columns - 1)
    shares = np.diff(columns.indptr) / n_samples
    deviations = np.sqrt(shares * (1 - shares))
    if n_factors < 1 or not deviations.any():
        return np.zeros((n_columns, 0))
    scales = np.divide(1.0, deviations, out=np.zeros(n_columns), where=deviations > 0)
    pattern = csc_array((np.ones(columns.nnz), columns.indices, columns.indptr), columns.shape)
    pattern = pattern.tocsr()

    def times(vector: FloatArray) -> FloatArray:
        scaled = scales * vector.ravel()
        return pattern @ scaled - shares @ scaled

    def transposed(vector: FloatArray) -> FloatArray:
        return scales * (pattern.T @ vector.ravel() - shares * vector.sum())

    standardized = LinearOperator(columns.shape, times, transposed, dtype=np.float64)
    start = np.random.default_rng(0).standard_normal(min(columns.shape))
    _, sizes, axes = svds(standardized, n_factors, v0=start, tol=_TOLERANCE)
    # Variances of the factors above the largest one of independent columns, without its share.
    ratio, variances = n_columns / n_samples, sizes**2 / n_samples
    is_factor = variances > (1 + np.sqrt(ratio)) ** 2
    half = (variances[is_factor] + 1 - ratio) / 2
    variances = half + np.sqrt(half**2 - variances[is_factor])
    loadings: FloatArray = axes[is_factor].T * np.sqrt(np.maximum(variances - 1, 0))
    common = np.einsum("ij,ij->i", loadings, loadings)
    latent = np.minimum(_latent_correlations(common, shares), _MOST_EXPLAINED)
    ratios = np.divide(latent, common, out=np.zeros(n_columns), where=common > 0)
    return loadings * np.sqrt(ratios)[:, np.newaxis]


def _latent_correlations(correlations: FloatArray, shares: FloatArray) -> FloatArray:
    """Return correlations of two normal values whose largest shares correlate as given.

    The correlation of the indicators is a power series, by Hermite polynomials of the threshold.
    """
    threshold = norm.ppf(1 - np.clip(shares, 1e-12, 1 - 1e-12))
    terms = _of_steps(threshold) ** 2 / np.maximum(shares * (1 - shares), 1e-12)
    return _solved(terms, correlations, 0.0, _FEW_HALVINGS)[0]


# --------------------------------------------------------------------------- names


@dataclass(frozen=True)
class NullData:
    """Data sets without clusters, like the data that it was made from by :func:`laws_of`.

    ``name`` is the name of the law. A DataFrame gives DataFrames with the same columns and index.
    """

    name: str
    law: Law
    dtype: Any
    wrap: Callable[[FloatArray], Any] | None = None
    units: Near | None = None

    def draw(self, seed: int) -> Any:
        """Return the data set of a seed, an integer from 0 to 2**32 - 1."""
        values = self.law.draw(seed)
        values = values if self.units is None else self.units.of(values)
        values = values.astype(self.dtype, copy=False)
        return values if self.wrap is None else self.wrap(values)


def laws_of(null: Any, X: Any, *, most_ends: int = 0) -> tuple[NullData, ...]:
    """Return the requested laws of data without clusters, made from data.

    ``null`` is a name, a callable ``f(X, random_state)`` that gets an integer as its second
    argument, or a list of these. "auto" stands for all laws that suit the data. The copula keeps
    ``most_ends`` values at most at both ends of a column. Of a square matrix, laws known by name
    are of points with all its distances, and a callable gets the matrix. Raises ValueError or
    TypeError unless ``null`` is one of these and the data are finite.
    """
    given, is_square = read_names(null), isinstance(X, Square)
    data, has_points = X.values if is_square else X, is_square and not all(map(callable, given))
    if has_points and (X.kind != "distances" or issparse(data)):
        what = f"a sparse graph of {X.kind}" if issparse(data) else X.kind
        msg = (
            "null must be a function f(X, random_state) of your own: a test against structureless "
            f"data is available for the distances of all pairs of objects, not for {what}; "
            f"got {shortened(null)}"
        )
        raise ValueError(msg)
    values = read_data(data)
    units = None if issparse(values) else near(values, shifts=not is_square)
    wrap = None
    if is_square:
        wrap = partial(_as_square, X.kind)
    elif hasattr(X, "iloc"):
        wrap = partial(X.__class__, index=X.index, columns=X.columns)
    points = values if units is None else units.values
    points = points_of(points) if has_points else points
    source = points if has_points else values
    laws = []
    for name, one in _chosen(given, source).items():
        # Rates are of counts as they are, and functions get what was given.
        own = None if callable(one) or one == "rates" else units
        if callable(one):
            law: Law = UserLaw(one, data, values.shape)
        else:
            law = _named(one, source if one == "rates" else points, most_ends)
            law = DistancesOf(law) if is_square else law
        laws.append(NullData(name, law, values.dtype, wrap, own))
    return tuple(laws)


def _as_square(kind: str, values: Any) -> Square:
    return Square(read_pairs(values, kind), kind)


def read_data(X: Any) -> Any:
    """Return data as float32 or float64, of at least two objects, all finite."""
    return read_numbers(X, dtype=[np.float64, np.float32], least=2)


def as_data(X: Any) -> Any:
    """Return rows as clusterers of data and of structureless data take them alike."""
    return X if isinstance(X, Square) or hasattr(X, "iloc") else read_data(X)


_LAWS: dict[str, Callable[[FloatArray], Law]] = {
    "copula": Copula,
    "elliptical": Elliptical,
    "pca": partial(Box, is_principal=True),
    "rates": Rates,
    "gaussian": Gaussian,
    "sigclust": SigClust,
    "box": Box,
    "permute": PermutedColumns,
}
NAMES = ("auto", *_LAWS)
# Other laws would fill the zeros of sparse data.
_SPARSE_LAWS: dict[str, Callable[[Any], Law]] = {
    "copula": SparseCopula,
    "permute": partial(SparseCopula, most_factors=0),
}


def read_names(null: Any) -> list[Any]:
    """Return names and functions; raise ValueError if there are others."""
    given = list(null) if isinstance(null, list | tuple) else [null]
    for one in given:
        if not callable(one) and (not isinstance(one, str) or one not in NAMES):
            msg = f"null must be a callable, a list or one of {options_text(NAMES, one)}"
            raise ValueError(msg)
    return given


def _chosen(given: Sequence[Any], X: FloatArray) -> dict[str, Any]:
    """Return what was given by name, "auto" replaced by the laws that suit the data."""
    laws = [law for one in given for law in (_auto(X) if one == "auto" else [one])]
    chosen = {
        one if isinstance(one, str) else getattr(one, "__name__", repr(one)): one for one in laws
    }
    if not laws or len(chosen) < len(laws):
        msg = f"null must hold one law or several different ones, got {shortened(given)}"
        raise ValueError(msg)
    return chosen


def _auto(X: FloatArray) -> Sequence[str]:
    """Return the laws that suit data: discrete columns, which have ties, differ from any box."""
    if issparse(X):
        return ("copula",)
    laws = ["copula", "elliptical"]
    if is_counts(X):
        laws.append("rates")
    if not Rows.of(X).is_discrete.any():
        laws.append("pca")
    return laws


def _named(name: str, values: FloatArray, most_ends: int) -> Law:
    if issparse(values) and name not in _SPARSE_LAWS:
        msg = f"null must be a callable or one of {options_text(_SPARSE_LAWS, name)} for sparse X"
        raise ValueError(msg)
    if name == "copula" and not issparse(values):
        return Copula(values, most_ends)
    return (_SPARSE_LAWS if issparse(values) else _LAWS)[name](values)


class UserLaw:
    """A user's function of data and an integer, whose results are checked."""

    def __init__(self, function: Callable[[Any, int], Any], X: Any, shape: tuple[int, ...]) -> None:
        self._function = function
        self._X = X
        self._shape = shape

    def draw(self, seed: int) -> FloatArray:
        values = read_data(self._function(to_fit(self._X), seed))
        if values.shape != self._shape:
            msg = f"null must return data of the shape of X, {self._shape}, got {values.shape}"
            raise ValueError(msg)
        return values


@contextmanager
def naming(data: Any) -> Iterator[None]:
    """Note in an error that the data were structureless, and of which law."""
    try:
        yield
    except Exception as error:
        if isinstance(data, NullData):
            error.add_note(f"The data were structureless, null={data.name!r}.")
        raise


# Level of tests against structureless data.
LEVEL = 0.05


def check_n_null(n_null: Any) -> None:
    """Raise ValueError unless so many structureless data sets allow a test at the level."""
    several_resamples("n_null", n_null)
    if n_null < 1 / LEVEL - 1:
        msg = (
            f"n_null must be at least {1 / LEVEL - 1:.0f} for a test at the level {LEVEL}, "
            f"got {n_null}"
        )
        raise ValueError(msg)


def tail_pvalue(value: float, sample: FloatArray) -> float:
    """Return the probability that one more value of a normal sample exceeds a value.

    It is uniform if both are from one normal law, for any size of the sample.
    """
    deviation = sample.std(ddof=1) * np.sqrt(1 + 1 / len(sample))
    if not 0 < deviation < np.inf:
        return 1.0
    return float(student.sf((value - sample.mean()) / deviation, len(sample) - 1))


def in_units(values: FloatArray, middle: FloatArray, deviation: FloatArray) -> FloatArray:
    """Return how far values are above the middle; infinite where nothing deviates from it."""
    difference = values - middle
    # Differences due to rounding do not count as variation.
    rounding = TIE * np.fmax(np.abs(values), np.abs(middle))
    extreme = np.where(np.abs(difference) <= rounding, 0.0, np.copysign(np.inf, difference))
    varies = ~(deviation <= rounding)
    return np.divide(difference, deviation, out=extreme, where=varies)


def moments(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return mean and standard deviation of the finite values of each column; NaN for too few."""
    is_known = np.isfinite(values)
    n_known = is_known.sum(axis=0)
    with np.errstate(invalid="ignore"):
        mean = np.where(is_known, values, 0.0).sum(axis=0) / n_known
        squares = np.where(is_known, values - mean, 0.0) ** 2
    n_free = np.where(n_known > 1, n_known - 1.0, np.nan)
    return mean, np.sqrt(squares.sum(axis=0) / n_free)
