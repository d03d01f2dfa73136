"""The law of a cloud with elliptical contours, and the distances of the data from its middle."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare.without_reference._laws.repeats import Rows
from sklearn_clustcompare.without_reference._laws.spectrum import decomposed

FloatArray = NDArray[np.floating[Any]]

# Rounds of the fit of a shape, and objects for each feature that it needs.
_ROUNDS, _ENOUGH = 20, 4
# Share of the covariance in a shape, without which it may be singular if many objects lie in one
# direction. More would shrink the distances of objects far away.
_COVARIANCE = 0.01


class Elliptical:
    """Random directions, with the distances of the objects from the mean, given their shape.

    Spheres, shells and clouds with heavy tails are such data. The shape is that of the directions,
    by Tyler (1987): an object far away enlarges the covariance, which would shrink its distance.
    The directions that are drawn have the same shape. Where there are few objects for each feature,
    distances by a shape that is fitted to them are nearly equal, and it is the Gaussian law.
    """

    def __init__(self, X: FloatArray) -> None:
        self._rows = Rows.of(X)
        distinct = self._rows.distinct(X)
        self._mean, frame, self._spectrum = decomposed(distinct)
        sizes = self._spectrum.sizes
        varies = sizes > sizes[0] * np.finfo(np.float32).eps
        self._radii = None
        if 0 < _ENOUGH * np.count_nonzero(varies) < len(distinct):
            root, inverse = roots(shape(frame[:, varies]))
            self._radii = np.linalg.norm(frame[:, varies] @ inverse, axis=1)
            self._axes = (root * sizes[varies]) @ self._spectrum.axes[varies]

    def draw(self, seed: int) -> FloatArray:
        generator = np.random.default_rng(seed)
        if self._radii is None:
            return self._rows.repeated(self._spectrum.draw(generator) + self._mean)
        distances = generator.permutation(self._radii)[:, np.newaxis]
        points = with_lengths(
            generator.standard_normal((len(distances), len(self._axes))), distances
        )
        points -= points.mean(axis=0)
        points = with_lengths(points @ roots(shape(points))[1], distances)
        return self._rows.repeated(points @ self._axes + self._mean)


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


def with_lengths(points: FloatArray, lengths: FloatArray) -> FloatArray:
    found: FloatArray = points * (lengths / np.linalg.norm(points, axis=1, keepdims=True))
    return found
