"""Objects as points with given distances, by classical scaling, and their distances again."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.sparse import issparse
from scipy.spatial.distance import pdist, squareform

from sklearn_clustcompare.without_reference._resamples import Square

FloatArray = NDArray[np.float64]

# Share of the eigenvalues that may be negative: other distances are not those of points.
_MOST_NEGATIVE = 0.1
_ROUNDING = 1e-10


def principal_coordinates(X: Square) -> FloatArray:
    """Return points along their principal axes; raise ValueError where there are none."""
    if X.kind != "distances" or issparse(X.values):
        what = f"a sparse graph of {X.kind}" if issparse(X.values) else X.kind
        msg = (
            "null must be None: no test against structureless data is available for "
            f"{what}, only for the distances of all pairs of objects"
        )
        raise ValueError(msg)
    squares = np.asarray(X.values, dtype=np.float64) ** 2
    if not np.isfinite(squares).all():
        msg = "X must hold finite distances for a test against structureless data"
        raise ValueError(msg)
    means = squares.mean(axis=0)
    products = (means + means[:, np.newaxis] - squares - means.mean()) / 2
    values, axes = eigh(products)
    share = float(-values[values < 0].sum() / np.abs(values).sum()) if values.any() else 0.0
    if share > _MOST_NEGATIVE:
        msg = (
            "null must be None: no test against structureless data is available for distances "
            f"that are not nearly those of points, got {share:.0%} of the eigenvalues negative"
        )
        raise ValueError(msg)
    is_real = values > _ROUNDING * values.max(initial=0.0)
    return (axes[:, is_real] * np.sqrt(values[is_real]))[:, ::-1]


def distances_between(points: NDArray[Any]) -> Square:
    """Return the distances of points."""
    return Square(squareform(pdist(points)), "distances")
