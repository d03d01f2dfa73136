"""Gaussian laws along the principal axes of the data.

Centered Gaussian data are as likely as any rotation of their rows, as points in the space of the
objects. Given their covariance, which is sufficient, they are random orthonormal columns, times the
deviations along the principal axes. Such data sets have exactly the mean and the covariance of the
data, for any number of features, and a test against them is exact for Gaussian data (Langsrud,
"Rotation tests", 2005). A Gaussian with the covariance of the data has samples that are spread more
widely, since the eigenvalues of a sample are spread more widely than those of its law.

In this folder n is the number of objects, p the number of features and r = min(n - 1, p) the number
of directions in which centered data vary. No array has p x p elements where p is at least n.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from sklearn_clustcompare._array_types import FloatArray


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
    """Gaussian, given the mean and the covariance of the data."""

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
