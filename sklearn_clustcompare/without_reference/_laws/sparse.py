"""The law of sparse data of one cloud: which values are not zero depends on a few factors."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, svds
from scipy.stats import norm

FloatArray = NDArray[np.floating[Any]]

# Factors at most, the largest share of a column that they determine, and columns drawn at a time.
_FACTORS, _MOST, _BLOCK = 20, 0.95, 256


class SparseCopula:
    """Each column keeps its nonzero values, in the rows with the largest values of a normal one.

    The normal columns have the factors of the pattern of nonzeros that exceed those of independent
    columns. Nothing dense of the size of the data is made.
    """

    def __init__(self, X: Any) -> None:
        columns = sparse.csc_array(X, copy=True)
        columns.eliminate_zeros()
        columns.sort_indices()
        self._kind, self._format = type(X), X.format
        self._shape, self._starts = columns.shape, columns.indptr
        counts = np.diff(columns.indptr)
        owner = np.repeat(np.arange(len(counts)), counts)
        self._values = columns.data[np.lexsort((-columns.data, owner))]
        self._loadings = _loadings(columns, counts)

    def draw(self, seed: int) -> Any:
        generator = np.random.default_rng(seed)
        n, p = self._shape
        factors = generator.standard_normal((n, self._loadings.shape[1]))
        counts = np.diff(self._starts)
        rows = np.empty(len(self._values), dtype=self._starts.dtype)
        for start in range(0, p, _BLOCK):
            loadings = self._loadings[start : start + _BLOCK]
            own = np.sqrt(1 - (loadings**2).sum(axis=1))
            latent = factors @ loadings.T + generator.standard_normal((n, len(loadings))) * own
            order = np.argsort(-latent, axis=0)
            for column in range(len(loadings)):
                first = self._starts[start + column]
                taken = counts[start + column]
                rows[first : first + taken] = order[:taken, column]
        drawn = sparse.csc_array((self._values.copy(), rows, self._starts), shape=self._shape)
        drawn.sort_indices()
        return self._kind(drawn.asformat(self._format))


def _loadings(columns: Any, counts: NDArray[Any]) -> FloatArray:
    """Return the loadings of the normal columns behind the pattern of nonzeros, one row each.

    Correlations of indicators of a share q are smaller than those behind them, by the first
    Hermite coefficient phi(t) / sqrt(q (1 - q)) of a step at t for each of both.
    """
    n, p = columns.shape
    shares = counts / n
    deviations = np.sqrt(shares * (1 - shares))
    varies = deviations > 0
    n_columns, k = np.count_nonzero(varies), min(_FACTORS, n - 1, p - 1)
    if n_columns < 2 or k < 1:
        return np.zeros((p, 0))
    scale = np.divide(1.0, deviations * np.sqrt(n), out=np.zeros(p), where=varies)
    pattern = columns.astype(bool).astype(np.float64)
    operator = LinearOperator(
        (n, p),
        matvec=lambda v: pattern @ (scale * v.ravel()) - shares @ (scale * v.ravel()),
        rmatvec=lambda u: scale * (pattern.T @ u.ravel() - shares * u.sum()),
        dtype=np.float64,
    )
    _, sizes, axes = svds(operator, k=k, v0=np.random.default_rng(0).standard_normal(min(n, p)))
    strengths = _strengths(sizes**2, n_columns / n)
    found = axes.T * np.sqrt(strengths)
    step = np.divide(norm.pdf(norm.isf(shares)), deviations, out=np.ones(p), where=varies)
    loadings = found[:, strengths > 0] / step[:, np.newaxis]
    communality = (loadings**2).sum(axis=1, keepdims=True)
    return loadings * np.sqrt(np.minimum(1.0, _MOST / np.maximum(communality, _MOST)))


def _strengths(eigenvalues: FloatArray, ratio: float) -> FloatArray:
    """Return the variances of factors whose samples have these eigenvalues; 0 for noise.

    Independent columns have none above the edge of Marchenko and Pastur. A factor that adds s to
    the variance along its axis has one of (1 + s) (1 + ratio / s).
    """
    is_factor = eigenvalues > (1 + np.sqrt(ratio)) ** 2
    middle = eigenvalues - 1 - ratio
    root = np.sqrt(np.maximum(middle**2 - 4 * ratio, 0.0))
    return np.where(is_factor, (middle + root) / 2, 0.0)
