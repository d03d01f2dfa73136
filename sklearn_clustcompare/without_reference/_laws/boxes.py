"""Laws without a model: uniform in a box, and the data with shuffled columns."""

from __future__ import annotations

import numpy as np

from sklearn_clustcompare._array_types import FloatArray
from sklearn_clustcompare.without_reference._laws.spectrum import principal


class PrincipalBox:
    """Uniform in the box that holds the data and lies along their principal axes."""

    def __init__(self, X: FloatArray) -> None:
        self._mean, coordinates, self._axes = principal(X)
        self._low, self._high = coordinates.min(axis=0), coordinates.max(axis=0)
        self._n_samples = len(X)

    def draw(self, seed: int) -> FloatArray:
        size = self._n_samples, len(self._axes)
        coordinates = np.random.default_rng(seed).uniform(self._low, self._high, size)
        return coordinates @ self._axes + self._mean


class Box:
    """Uniform in the box of the ranges of the features."""

    def __init__(self, X: FloatArray) -> None:
        self._low, self._high = X.min(axis=0), X.max(axis=0)
        self._shape = X.shape

    def draw(self, seed: int) -> FloatArray:
        return np.random.default_rng(seed).uniform(self._low, self._high, self._shape)


class PermutedColumns:
    """The data with the values of each feature in random order."""

    def __init__(self, X: FloatArray) -> None:
        self._X = X

    def draw(self, seed: int) -> FloatArray:
        return np.random.default_rng(seed).permuted(self._X, axis=0)
