"""Tests of differences between many candidates and one reference."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare.significance._sampling_errors import Differences, SamplingErrors

FloatArray = NDArray[np.float64]


def compare_pairs(
    errors: SamplingErrors, pairs: Iterable[tuple[int, Any]], confidence_level: float
) -> Differences:
    """Compare candidates, each with a slice or an array of others.

    The intervals contain all true differences simultaneously at the confidence level (Bonferroni),
    and the p-values are corrected for the number of pairs (Holm).
    """
    found = errors.differences(pairs, confidence_level)
    return found._replace(pvalues=holm(found.pvalues))


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
