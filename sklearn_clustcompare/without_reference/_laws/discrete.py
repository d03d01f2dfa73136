"""Correlations of normal variables that are seen through steps."""

from __future__ import annotations

import numpy as np
from numpy.polynomial.hermite_e import hermeval
from scipy.special import gammaln
from scipy.stats import norm

from sklearn_clustcompare._array_types import FloatArray, Mask

# Terms of the series, and halvings of the interval that holds a correlation.
_TERMS, _HALVINGS = 9, 30


def latent_correlations(seen: FloatArray, is_discrete: Mask) -> FloatArray:
    """Return correlations of normal variables, of which discrete columns show steps only.

    ``seen`` has the normal scores of continuous columns, and values of discrete ones: increasing
    step functions of their variables. With Hermite coefficients a_k and b_k of two such functions,
    their covariance is the sum of a_k b_k rho^k over k >= 1, which rises with the correlation rho
    of the variables.
    """
    n, p = seen.shape
    coefficients = np.zeros((_TERMS, p))
    coefficients[0] = 1.0
    for j in np.flatnonzero(is_discrete):
        coefficients[:, j] = step_coefficients(seen[:, j])
    # Continuous columns have the variance 1 of their variable.
    deviations = seen.std(axis=0)
    scale = np.where(is_discrete, 1.0, 1.0 / np.where(deviations > 0, deviations, 1.0))
    centered = (seen - seen.mean(axis=0)) * scale
    rows, columns = np.triu_indices(p, 1)
    products = coefficients[:, rows] * coefficients[:, columns]
    covariances = (centered.T @ centered / n)[rows, columns]
    low, high = np.full(len(rows), -1.0), np.full(len(rows), 1.0)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        is_below = _series(products, middle) < covariances
        low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
    varies = products[0] != 0
    found = np.eye(p)
    found[rows, columns] = found[columns, rows] = np.where(varies, (low + high) / 2, 0.0)
    return found


def step_coefficients(column: FloatArray) -> FloatArray:
    """Return the Hermite coefficients 1 to 9 of the steps that give values their frequencies.

    A step of height d at t adds d phi(t) He_(k-1)(t) / sqrt(k!) to the k-th.
    """
    values, counts = np.unique(column, return_counts=True)
    at = norm.ppf(np.cumsum(counts)[:-1] / len(column))
    heights = np.diff(values) * norm.pdf(at)
    sums = np.array([heights @ hermeval(at, np.eye(_TERMS)[k]) for k in range(_TERMS)])
    return sums / np.exp(gammaln(np.arange(_TERMS) + 2) / 2)


def _series(products: FloatArray, rho: FloatArray) -> FloatArray:
    value = np.zeros_like(rho)
    for term in products[::-1]:
        value = (value + term) * rho
    return value
