"""Values that are not defined, and the rule for 0/0."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from sklearn_clustcompare._options import warn_caller
from sklearn_clustcompare._table.counts import Margins


class UndefinedIndexError(ValueError):
    """The index has no value for this partition and these data."""


class _Comparable(Protocol):
    @property
    def is_identity(self) -> bool: ...


def ratio(numerator: Any, denominator: Any, compared: _Comparable, name: str) -> Any:
    """Divide; if that is 0/0, equal partitions score 1.

    For others the value is undefined: 0.0 with an UndefinedMetricWarning. Arrays, of many tables,
    are NaN there.
    """
    if isinstance(denominator, np.ndarray):
        return numerator / denominator
    if denominator:
        return numerator / denominator
    if compared.is_identity:
        return 1.0
    from sklearn.exceptions import UndefinedMetricWarning

    warn_caller(
        f"{name} is undefined for these partitions (division of zero by zero) and set to 0.0",
        UndefinedMetricWarning,
    )
    return 0.0


def at_most(value: Any, most: float) -> Any:
    """Cut off a value, or an array of many tables, where rounding leads beyond a bound."""
    return np.minimum(value, most) if isinstance(value, np.ndarray) else min(value, most)


def require_whole(margins: Margins, name: str, instead: str) -> None:
    """Raise ValueError unless the counts are of whole objects."""
    if not margins.is_whole:
        msg = (
            f"{name} needs whole counts, got real-valued ones (from memberships, sample_weight or "
            f"counts): round weights to frequencies; for memberships use {instead}"
        )
        raise ValueError(msg)
