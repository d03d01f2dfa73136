"""The law of a cloud with elliptical contours, and the distances of the data from its middle."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare.without_reference._laws.repeats import Rows
from sklearn_clustcompare.without_reference._laws.spectrum import (
    Spectrum,
    law_eigenvalues,
    sample_spectrum,
)

FloatArray = NDArray[np.floating[Any]]


class Elliptical:
    """Random directions, with the distances of the objects from the mean, in principal axes.

    Spheres, shells and clouds with heavy tails are such data. Where there are as many features as
    objects, all distances are nearly equal, and it is the Gaussian law.
    """

    def __init__(self, X: FloatArray) -> None:
        self._rows = Rows.of(X)
        distinct = self._rows.distinct(X)
        self._mean, eigenvalues, axes = sample_spectrum(distinct)
        n, p = distinct.shape
        self._spectrum = None
        if p >= n:
            self._spectrum = Spectrum.of(eigenvalues, axes, n)
            return
        law, _ = law_eigenvalues(eigenvalues, n, p)
        varies = law > law[0] * np.finfo(np.float32).eps ** 2
        self._axes = np.sqrt(law[varies])[:, np.newaxis] * axes[varies]
        coordinates = (distinct - self._mean) @ axes[varies].T / np.sqrt(law[varies])
        self._radii = np.linalg.norm(coordinates, axis=1)

    def draw(self, seed: int) -> FloatArray:
        generator = np.random.default_rng(seed)
        if self._spectrum is not None:
            return self._rows.repeated(self._spectrum.draw(generator) + self._mean)
        directions = generator.standard_normal((len(self._radii), len(self._axes)))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        radii = generator.permutation(self._radii)[:, np.newaxis]
        return self._rows.repeated((radii * directions) @ self._axes + self._mean)
