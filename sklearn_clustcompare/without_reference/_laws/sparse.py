"""A law of sparse data: few factors decide together where nonzeros are."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csc_array
from scipy.sparse.linalg import LinearOperator, svds
from scipy.stats import norm

from sklearn_clustcompare._array_types import FloatArray

_MOST_FACTORS = 20
# Share of a column's latent variance that factors explain at most.
_MOST_EXPLAINED = 0.95
# Terms of the series of a correlation, and halvings of the interval in which it is sought.
_N_TERMS = 9
_N_HALVINGS = 20
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
    coefficient = norm.pdf(threshold) ** 2 / np.maximum(shares * (1 - shares), 1e-12)
    polynomial, previous = np.ones(len(shares)), np.zeros(len(shares))
    coefficients = []
    for order in range(1, _N_TERMS + 1):
        coefficient = coefficient / order
        coefficients.append(coefficient * polynomial**2)
        polynomial, previous = threshold * polynomial - (order - 1) * previous, polynomial
    low, high = np.zeros(len(shares)), np.ones(len(shares))
    for _ in range(_N_HALVINGS):
        middle = (low + high) / 2
        reached = sum(one * middle**order for order, one in enumerate(coefficients, 1))
        low, high = np.where(reached < correlations, [middle, high], [low, middle])
    return low
