"""Rules that choose a number of clusters by the gap statistic.

Each takes the gaps and their standard errors, in the order of the numbers of clusters, and returns
the position of the one that it chooses, or None.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def first_max(gap: FloatArray, error: FloatArray) -> int:
    """Choose the first local maximum: the next gap is no larger."""
    return _first(np.append(gap[1:] <= gap[:-1], True))


def global_max(gap: FloatArray, error: FloatArray) -> int:
    """Choose the largest gap, or the first of several."""
    return int(gap.argmax())


def first_se_max(gap: FloatArray, error: FloatArray) -> int:
    """Choose the smallest number that is within a standard error of the first local maximum."""
    return _within(gap, error, first_max(gap, error))


def global_se_max(gap: FloatArray, error: FloatArray) -> int:
    """Choose the smallest number that is within a standard error of the largest gap."""
    return _within(gap, error, global_max(gap, error))


def tibshirani(gap: FloatArray, error: FloatArray) -> int | None:
    """Choose the smallest number whose gap is within a standard error of the next, if any is."""
    suffices = gap[:-1] >= gap[1:] - error[1:]
    return _first(suffices) if suffices.any() else None


RULES: dict[str, Callable[[FloatArray, FloatArray], int | None]] = {
    "tibshirani": tibshirani,
    "first_se_max": first_se_max,
    "global_se_max": global_se_max,
    "first_max": first_max,
    "global_max": global_max,
}


def _first(holds: NDArray[np.bool_]) -> int:
    return int(holds.argmax())


def _within(gap: FloatArray, error: FloatArray, best: int) -> int:
    return _first(gap[: best + 1] >= gap[best] - error[best])
