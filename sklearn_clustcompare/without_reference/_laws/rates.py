"""The law of counts with a rate for each object and one for each column."""

from __future__ import annotations

import numpy as np

from sklearn_clustcompare._array_types import FloatArray
from sklearn_clustcompare.without_reference._laws.hull import unimodal_quantiles

# Of the correlation of two events of an object, so that parameters of a gamma law stay above 0.
_LARGEST = 0.99


class Rates:
    """Events of each object fall into the columns independently of each other, or nearly so.

    Poisson counts with the mean ``r_i * c_j``, given the totals of the objects, are multinomial
    with shares proportional to ``c_j``, whatever the rates are. Where counts vary more, the shares
    of each object are Dirichlet, which correlates its events. The totals have the distribution with
    one mode that is nearest: their own would carry clusters over that differ in their rates.
    """

    def __init__(self, X: FloatArray) -> None:
        if not is_counts(X):
            msg = (
                "X must hold counts for null='rates': integers of at least 0 in several columns, "
                "not all below 2"
            )
            raise ValueError(msg)
        totals = X.sum(axis=1, dtype=np.float64)
        self._totals = unimodal_quantiles(totals)
        self._shares = X.sum(axis=0, dtype=np.float64) / totals.sum()
        self._correlation = _correlation(X, totals, self._shares)

    def draw(self, seed: int) -> FloatArray:
        generator = np.random.default_rng(seed)
        totals = np.floor(self._totals + generator.random(len(self._totals))).astype(np.int64)
        shares = np.broadcast_to(self._shares, (len(totals), len(self._shares)))
        if self._correlation > 0:
            gammas = generator.standard_gamma((1 / self._correlation - 1) * shares)
            sums = gammas.sum(axis=1, keepdims=True)
            shares = np.divide(gammas, sums, out=shares.copy(), where=sums > 0)
        return generator.multinomial(totals, shares).astype(np.float64)


def is_counts(X: FloatArray) -> bool:
    """Return whether data are counts of events, more than yes or no, in several columns."""
    return X.shape[1] > 1 and bool(
        X.min() >= 0 and X.max() > 1 and X.max() < 2**53 and (np.floor(X) == X).all()
    )


def _correlation(X: FloatArray, totals: FloatArray, shares: FloatArray) -> float:
    """Return the correlation of two events of an object falling into a column, by moments.

    With rho, the chi-squared statistic of an object with N events, for given shares of p columns,
    has the mean (p - 1) (1 + (N - 1) rho). Shares of n objects cost one of them.
    """
    has_events = totals > 1
    n, p = np.count_nonzero(has_events), np.count_nonzero(shares)
    if n < 2 or p < 2:
        return 0.0
    expected = totals[has_events, np.newaxis] * shares[shares > 0]
    chi_squared = np.sum((X[has_events][:, shares > 0] - expected) ** 2 / expected)
    excess = chi_squared / (p - 1) * n / (n - 1) - n
    return float(np.clip(excess / np.sum(totals[has_events] - 1), 0.0, _LARGEST))
