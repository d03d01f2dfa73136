"""Laws of a matrix of distances: those of points with these distances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.spatial.distance import pdist, squareform

from sklearn_clustcompare._array_types import FloatArray

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
