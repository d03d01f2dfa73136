"""Gaussian laws, by their eigenvalues along the principal axes of the data.

The eigenvalues of a sample are spread more widely than those of the law that it is from, the more
so the more features there are for each object. A Gaussian with the covariance of the data therefore
has samples that are spread more widely than the data. Instead, its eigenvalues are chosen such that
those of its samples are on average those of the data.

In this folder n is the number of objects, p the number of features and r = min(n - 1, p) the number
of directions in which centred data vary. No array has p x p elements where p is at least n.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

FloatArray = NDArray[np.floating[Any]]

# Rounds of the fit of the eigenvalues, and fixed normal data sets that give their means.
_ROUNDS, _SETS = 12, 4
# With more objects for each feature than this, samples have the eigenvalues of the law.
_MANY = 10


class Spectrum(NamedTuple):
    """A centred Gaussian: deviations along r axes, and one in all other directions.

    Rows of ``axes`` are orthonormal.
    """

    deviations: FloatArray
    axes: FloatArray
    rest: float
    n_samples: int

    @classmethod
    def of(cls, eigenvalues: FloatArray, axes: FloatArray, n_samples: int) -> Spectrum:
        """Return the Gaussian whose samples have some eigenvalues, decreasing, on average."""
        n_features = axes.shape[1]
        own, rest = law_eigenvalues(eigenvalues, n_samples, n_features)
        return cls(np.sqrt(own), axes, float(np.sqrt(rest)), n_samples)

    def draw(self, generator: np.random.Generator) -> FloatArray:
        """Return a data set."""
        size = self.n_samples, len(self.axes)
        drawn: FloatArray = (generator.standard_normal(size) * self.deviations) @ self.axes
        if self.rest > 0:
            other = generator.standard_normal((self.n_samples, self.axes.shape[1]))
            drawn += self.rest * (other - (other @ self.axes.T) @ self.axes)
        return drawn


class Gaussian:
    """Gaussian with the mean of the data, whose samples have the eigenvalues of the data."""

    def __init__(self, X: FloatArray) -> None:
        self._mean, eigenvalues, axes = sample_spectrum(X)
        self._spectrum = Spectrum.of(eigenvalues, axes, len(X))

    def draw(self, seed: int) -> FloatArray:
        return self._spectrum.draw(np.random.default_rng(seed)) + self._mean


class SigClust:
    """Gaussian with the eigenvalues of the data, but none below that of the background noise.

    The noise is estimated by the median absolute deviation of all values, as by Liu et al. (2008).
    """

    def __init__(self, X: FloatArray) -> None:
        self._mean, eigenvalues, axes = sample_spectrum(X)
        centred = X - self._mean
        noise = np.median(np.abs(centred - np.median(centred))) / norm.ppf(0.75)
        deviations = np.sqrt(np.maximum(eigenvalues, noise**2))
        rest = float(noise) if axes.shape[1] > len(axes) else 0.0
        self._spectrum = Spectrum(deviations, axes, rest, len(X))

    def draw(self, seed: int) -> FloatArray:
        return self._spectrum.draw(np.random.default_rng(seed)) + self._mean


def principal(X: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean of data, their coordinates along the principal axes, and the axes as rows."""
    mean = X.mean(axis=0, dtype=np.float64)
    left, sizes, axes = np.linalg.svd(X - mean, full_matrices=False)
    return mean, left * sizes, axes


def sample_spectrum(X: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean, the r eigenvalues of the covariance, decreasing, and their axes as rows."""
    mean, coordinates, axes = principal(X)
    r = min(len(X) - 1, X.shape[1])
    return mean, (coordinates[:, :r] ** 2).sum(axis=0) / (len(X) - 1), axes[:r]


def law_eigenvalues(sample: FloatArray, n: int, p: int) -> tuple[FloatArray, float]:
    """Return the r largest eigenvalues of a law, and the one that all others are.

    Samples of n objects and p features have the eigenvalues ``sample`` on average. They are found
    by turns: multiply each by the ratio of what it should give and what it gives in a few fixed
    normal data sets. The p - r directions in which the sample does not vary get the mean of the
    last quarter of the others. The sum is kept.
    """
    total = sample.sum()
    if _MANY * p < n or total == 0:
        return sample, 0.0
    r = len(sample)
    law, rest = np.full(r, total / p), total / p
    sets = [_NormalSet.drawn(seed, n, p, r) for seed in range(_SETS)]
    for _ in range(_ROUNDS):
        expected = np.mean([one.eigenvalues(law, rest) for one in sets], axis=0)
        ratio = np.divide(sample, expected, out=np.zeros(r), where=expected > 0)
        law = np.sort(law * ratio)[::-1]
        rest = law[-max(1, r // 4) :].mean() if p > r else 0.0
        scale = total / (law.sum() + (p - r) * rest)
        law, rest = law * scale, rest * scale
    return law, float(rest)


class _NormalSet(NamedTuple):
    """A normal data set whose features can be scaled: the first r, or their Gram matrix.

    ``others`` is the Gram matrix of the objects in all other features.
    """

    first: FloatArray
    others: FloatArray | None

    @classmethod
    def drawn(cls, seed: int, n: int, p: int, r: int) -> _NormalSet:
        normal = np.random.default_rng(seed).standard_normal((n, p))
        normal = (normal - normal.mean(axis=0)) / np.sqrt(n - 1)
        if r == p:
            return cls(normal.T @ normal, None)
        return cls(normal[:, :r], normal[:, r:] @ normal[:, r:].T)

    def eigenvalues(self, law: FloatArray, rest: float) -> FloatArray:
        """Return the r largest eigenvalues of the covariance, decreasing."""
        deviations = np.sqrt(law)
        if self.others is None:
            matrix = deviations[:, np.newaxis] * self.first * deviations
        else:
            scaled = self.first * deviations
            matrix = scaled @ scaled.T + rest * self.others
        return np.linalg.eigvalsh(matrix)[::-1][: len(law)]
