"""The law of one cloud whose columns have the distributions of the data, but one mode each."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm, rankdata

from sklearn_clustcompare._array_types import FloatArray, Mask
from sklearn_clustcompare.without_reference._laws.discrete import latent_correlations
from sklearn_clustcompare.without_reference._laws.hull import unimodal_quantiles, unimodal_values
from sklearn_clustcompare.without_reference._laws.repeats import Rows
from sklearn_clustcompare.without_reference._laws.spectrum import Spectrum, decomposed

# Correlations of discrete columns are corrected up to this number of columns.
_MAX_CORRECTED = 1000
# Ends of columns that are kept are at most one of so many distinct rows.
_END_SHARE = 10


class Copula:
    """Gaussian dependence of the columns, and the distribution of each.

    A discrete column keeps its values: ties, atoms and integers stay. A continuous one, and one of
    rounded values, has the distribution with one mode that is nearest: with its own, a column that
    shows the clusters would carry them over. Of a continuous one the ``most_ends`` smallest and
    largest values stay, for tests in which so few objects are no cluster; but at most a tenth of
    the distinct rows at each end, since the ends of two small clusters would be all objects.
    """

    def __init__(self, X: FloatArray, most_ends: int = 0) -> None:
        self._rows = Rows.of(X)
        is_discrete = self._rows.is_discrete
        distinct = self._rows.distinct(X)
        self._columns = np.sort(distinct, axis=0)
        n_ends = min(most_ends, len(distinct) // _END_SHARE)
        for j in np.flatnonzero(~is_discrete):
            self._columns[:, j] = unimodal_quantiles(distinct[:, j], n_ends)
        for j in np.flatnonzero(self._rows.is_rounded):
            self._columns[:, j] = unimodal_values(distinct[:, j])
        self._is_stepped = bool(is_discrete.all())
        scores = normal_scores(distinct)
        if is_discrete.any() and len(is_discrete) <= _MAX_CORRECTED:
            # Clusterers see values: of counts, those of the tail matter more than their ranks.
            scores[:, is_discrete] = _standardized(distinct[:, is_discrete])
            self._spectrum = _corrected(scores, is_discrete)
        else:
            _, _, self._spectrum = decomposed(_standardized(scores))

    def draw(self, seed: int) -> FloatArray:
        latent = self._spectrum.draw(np.random.default_rng(seed))
        if latent.shape[1] == 1:
            return self._rows.repeated(self._sample(latent))
        drawn = np.empty_like(self._columns)
        np.put_along_axis(drawn, latent.argsort(axis=0, kind="stable"), self._columns, axis=0)
        return self._rows.repeated(drawn)

    def _sample(self, latent: FloatArray) -> FloatArray:
        """Return values of the only column: in any other order they would be the same data."""
        shares = norm.cdf(latent / max(latent.std(), np.finfo(float).tiny)) * len(latent)
        if self._is_stepped:
            return self._columns[shares.astype(np.intp)[:, 0]]
        middles = np.arange(len(latent)) + 0.5
        return np.interp(shares, middles, self._columns[:, 0])


def normal_scores(X: FloatArray) -> FloatArray:
    """Return the normal quantiles of the ranks in each column; ties have their middle rank."""
    return norm.ppf((rankdata(X, axis=0) - 0.5) / len(X))


def _standardized(scores: FloatArray) -> FloatArray:
    deviations = scores.std(axis=0, ddof=1)
    centered = scores - scores.mean(axis=0)
    return np.divide(centered, deviations, out=np.zeros_like(centered), where=deviations > 0)


def _corrected(scores: FloatArray, is_discrete: Mask) -> Spectrum:
    """Return the law of the latent columns that give discrete columns the correlations they have.

    Latent correlations of all pairs may have negative eigenvalues. The nearest matrix without them
    and with the same trace has smaller ones (with larger variances, correlations would be less).
    """
    n, p = scores.shape
    eigenvalues, axes = np.linalg.eigh(latent_correlations(scores, is_discrete))
    r = min(n - 1, p)
    largest = eigenvalues[::-1][:r]
    surplus = (np.cumsum(largest) - p) / np.arange(1, r + 1)
    largest = np.maximum(largest - surplus[np.count_nonzero(largest > surplus) - 1], 0.0)
    return Spectrum(np.sqrt(largest), axes.T[::-1][:r], n)
