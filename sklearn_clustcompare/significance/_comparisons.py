"""Tests of differences between many candidates and one reference."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare.significance._resampling import HalfSamples

FloatArray = NDArray[np.float64]


class Differences(NamedTuple):
    """By how much the first candidate of some pairs is better than the second.

    The ``intervals`` of shape (n_pairs, 2) contain all true differences simultaneously at the
    confidence level (Bonferroni), and the two-sided ``pvalues`` are corrected for the number of
    pairs (Holm).
    """

    values: FloatArray
    intervals: FloatArray
    pvalues: FloatArray


def compare_pairs(
    samples: HalfSamples, pairs: Iterable[tuple[int, Any]], confidence_level: float
) -> Differences:
    """Compare candidates, for which larger is better, each with a slice or an array of others."""
    found = [samples.differences(first, others) for first, others in pairs]
    n_pairs = sum(len(one.values) for one in found)
    return Differences(
        np.concatenate([np.zeros(0), *(one.values for one in found)]),
        np.concatenate(
            [np.zeros((0, 2)), *(one.intervals(confidence_level, n_pairs) for one in found)]
        ),
        holm(np.concatenate([np.zeros(0), *(one.pvalues() for one in found)])),
    )


def holm(pvalues: FloatArray) -> FloatArray:
    """Correct p-values for their number, so that the family-wise error rate keeps the level [1]_.

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
       of Statistics 6(2), 1979.
    """
    order = np.argsort(pvalues)
    corrected = np.empty_like(pvalues)
    corrected[order] = np.maximum.accumulate(np.arange(len(pvalues), 0, -1) * pvalues[order])
    return np.minimum(corrected, 1.0)
