"""The distribution with one mode that is nearest to a sample."""

from __future__ import annotations

import numpy as np
from scipy.optimize import isotonic_regression

from sklearn_clustcompare._array_types import FloatArray


def unimodal_quantiles(sample: FloatArray, n_ends: int = 0) -> FloatArray:
    """Return as many quantiles, increasing, of the distribution with one mode nearest to a sample.

    Its distribution function is convex up to the mode and concave from there on: the greatest
    convex minorant and the least concave majorant of that of the sample, which goes through the
    middle of its steps. The mode is the observation for which the largest distance of the two
    functions is least. That distribution draws long tails in: the ``n_ends`` smallest and largest
    values stay.
    """
    n = len(sample)
    values, counts = np.unique(sample, return_counts=True)
    if len(values) < 3:
        return np.sort(sample)
    shares = (np.cumsum(counts) - counts / 2) / n
    fitted = _nearest(values, shares)
    quantiles = np.interp((np.arange(n) + 0.5) / n, fitted, values)
    ends = np.r_[:n_ends, n - n_ends : n]
    quantiles[ends] = np.sort(sample)[ends]
    return quantiles


def unimodal_values(sample: FloatArray) -> FloatArray:
    """Return as many values of a rounded sample, sorted, with the nearest shares of one mode.

    Each value stands for what is rounded to it: its density is its share by the width of this.
    """
    values, counts = np.unique(sample, return_counts=True)
    middles = (values[1:] + values[:-1]) / 2
    edges = np.concatenate([[2 * values[0] - middles[0]], middles, [2 * values[-1] - middles[-1]]])
    fitted = _nearest(edges, np.append(0.0, np.cumsum(counts)) / len(sample))
    positions = (np.arange(len(sample)) + 0.5) / len(sample)
    at = np.searchsorted(fitted[1:-1], positions)
    return values[at]


def _nearest(x: FloatArray, shares: FloatArray) -> FloatArray:
    """Return the function with one mode at points.

    As the mode moves to the right, the part that is convex grows, and so does the distance there;
    the distance of the other part falls. The best mode is where they meet, found by bisection.
    """
    low, high = 0, len(x) - 1
    while high - low > 1:
        middle = (low + high) // 2
        left, right = _distances(x, shares, middle)
        low, high = (low, middle) if left > right else (middle, high)
    mode = min((low, high), key=lambda at: max(_distances(x, shares, at)))
    return np.concatenate(_parts(x, shares, mode))


def _distances(x: FloatArray, shares: FloatArray, mode: int) -> tuple[float, float]:
    left, right = _parts(x, shares, mode)
    return (
        float(np.abs(left - shares[: mode + 1]).max()),
        float(np.abs(right - shares[mode + 1 :]).max(initial=0.0)),
    )


def _parts(x: FloatArray, shares: FloatArray, mode: int) -> tuple[FloatArray, FloatArray]:
    """Return the values up to the mode, and those after it."""
    left = _bent(x[: mode + 1], shares[: mode + 1], convex=True)
    return left, _bent(x[mode:], shares[mode:], convex=False)[1:]


def _bent(x: FloatArray, values: FloatArray, *, convex: bool) -> FloatArray:
    """Return the greatest convex minorant, or the least concave majorant, at its points.

    Its slopes are the isotonic regression of the slopes between neighbors.
    """
    if len(x) < 3:
        return values
    steps = np.diff(x)
    slopes = isotonic_regression(np.diff(values) / steps, weights=steps, increasing=convex).x
    return values[0] + np.append(0.0, np.cumsum(slopes * steps))
