"""The law of a cloud with elliptical contours, and the distances of the data from its middle."""

from __future__ import annotations

import numpy as np

from sklearn_clustcompare._array_types import FloatArray
from sklearn_clustcompare.without_reference._laws.repeats import Rows
from sklearn_clustcompare.without_reference._laws.spectrum import decomposed

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
