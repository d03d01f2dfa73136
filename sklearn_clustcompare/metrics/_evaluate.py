"""What all public functions of an index share: from labels or memberships to a number."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._partition import Reading, read
from sklearn_clustcompare._partition.reading import DEFAULT
from sklearn_clustcompare._table.contingency import count
from sklearn_clustcompare.indices import INDICES, INTERNAL_INDICES
from sklearn_clustcompare.indices._data import value_of_data


def evaluate(
    name: str,
    labels_true: Any,
    labels_pred: Any,
    sample_weight: ArrayLike | None,
    possibilistic: bool = False,
    **parameters: Any,
) -> float:
    index = INDICES[name]
    reading = DEFAULT if possibilistic is False else Reading(possibilistic=possibilistic)
    table = count(labels_true, labels_pred, sample_weight, reading, moments=index.moments)
    return index(table, **parameters)


def evaluate_data(
    name: str, X: Any, labels: Any, possibilistic: bool = False, **parameters: Any
) -> float:
    """Evaluate an index of the data and one partition; its parameters were checked."""
    reading = DEFAULT if possibilistic is False else Reading(possibilistic=possibilistic)
    return value_of_data(INTERNAL_INDICES[name], X, read(labels, "labels", reading), **parameters)
