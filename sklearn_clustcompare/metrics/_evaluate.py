"""Evaluation of an index from labels or memberships, shared by all public functions."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._parameters import boolean
from sklearn_clustcompare._partition import DEFAULT, NAMES, Cover, Hierarchy, Reading, read
from sklearn_clustcompare._partition.covers import NoPartition, refuse_if_no_partition
from sklearn_clustcompare._table import count
from sklearn_clustcompare._table.cover_pair import CoverPair, pair_covers
from sklearn_clustcompare.indices import INDICES, INTERNAL_INDICES
from sklearn_clustcompare.indices._record import value_of_data


def evaluate(
    name: str,
    labels_true: Any,
    labels_pred: Any,
    sample_weight: ArrayLike | None,
    possibilistic: bool = False,
    **parameters: Any,
) -> float:
    index = INDICES[name]
    if index.of_covers is not None and is_no_partition(labels_true, labels_pred):
        if not index.hierarchies:
            _refuse_hierarchies(labels_true, labels_pred)
        pair = _pair_of(labels_true, labels_pred, sample_weight, possibilistic)
        index.check_parameters(**parameters)
        return float(index.of_covers(pair, **parameters))
    reading = DEFAULT if possibilistic is False else Reading(possibilistic=possibilistic)
    table = count(labels_true, labels_pred, sample_weight, reading, moments=index.moments)
    for parameter, value in parameters.items():
        index.parameters[parameter](parameter, value)
    return float(index.function(table, **parameters))


def is_no_partition(first: Any, second: Any) -> bool:
    """Return whether one of the two is a hierarchy, or a cover that is no partition."""
    return any(
        isinstance(side, NoPartition) and not (isinstance(side, Cover) and side.is_partition)
        for side in (first, second)
    )


def _refuse_hierarchies(*sides: Any) -> None:
    for side, name in zip(sides, NAMES, strict=True):
        if isinstance(side, Hierarchy):
            refuse_if_no_partition(side, name)


def _pair_of(
    labels_true: Any, labels_pred: Any, sample_weight: ArrayLike | None, possibilistic: bool
) -> CoverPair:
    boolean("possibilistic", possibilistic)
    if possibilistic:
        msg = "possibilistic must be False with a Cover, whose memberships are 0 and 1"
        raise ValueError(msg)
    return pair_covers(labels_true, labels_pred, sample_weight)


def evaluate_data(
    name: str, X: Any, labels: Any, possibilistic: bool = False, **parameters: Any
) -> float:
    """Evaluate an index of the data and one partition; its parameters were checked."""
    reading = DEFAULT if possibilistic is False else Reading(possibilistic=possibilistic)
    return value_of_data(INTERNAL_INDICES[name], X, read(labels, "labels", reading), **parameters)
