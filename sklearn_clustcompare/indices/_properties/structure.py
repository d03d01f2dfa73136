"""Properties of structure: what an index depends on, and how."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.margins import CountedPairs, KnownMargins, SquareSums
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED
from sklearn_clustcompare.indices._moments import null_moments
from sklearn_clustcompare.indices._properties.search import (
    CounterExample,
    Floats,
    Refutation,
    Search,
    rounding_of,
)
from sklearn_clustcompare.indices._properties.small_partitions import (
    MOST_OBJECTS,
    all_small_partitions,
)
from sklearn_clustcompare.indices._statistics import Statistic


def refute_pairs(search: Search) -> Refutation:
    for space in all_small_partitions():
        seen: dict[Any, tuple[tuple[int, int], float]] = {}
        for pair, table in zip(space.examples, space.tables, strict=True):
            value = search.value(table)
            other, expected = seen.setdefault(table.square_sums, (pair, value))
            if value != expected:
                text = f"f(a, b) = {expected:.6g}, f(c, d) = {value:.6g}, with the same pair counts"
                return CounterExample(space.example(*other, *pair), (expected, value), text)
            pairs = CountedPairs.of_squares(space.n_objects, table.square_sums)
            failed = _failure(search, pairs, value)
            if failed:
                return CounterExample(space.example(*pair), (value,), failed)
    return None


def _failure(
    search: Search, pairs: CountedPairs, expected: float, rounding: float = 0.0
) -> str | None:
    """Return what fails if an index gets the sums of squares only."""
    index = search.index
    if index.statistic is None:
        return None  # nothing is declared yet
    if index.statistic.quantity != "pairs":
        return f"it is declared as a function of another statistic: {index.statistic.quantity}"
    try:
        with UNDEFINED_IGNORED:
            value = float(index.of_statistic(*pairs, **search.parameters))
    except Exception as error:  # the function may use any attribute
        return f"f(a, b) of the sums of squares alone raises {type(error).__name__}: {error}"
    if abs(value - expected) <= rounding:
        return None
    return f"f(a, b) = {expected!r}, and {value!r} of the sums of squares alone"


def refute_linear_in(search: Search, claim: str) -> Refutation:
    is_declared = search.index.linear_quantity(**search.parameters) == claim
    if claim == "cells" and search.index.cell_sum is None:
        return CounterExample((), (), "the sum over the cells (cell_sum) is not known")
    statistic = Statistic(claim, search.index.cell_sum)
    for space in all_small_partitions():
        values = search.matrix(space)
        known = [statistic.of(one, search.parameters) for one in space.tables]
        quantity = np.array([_AS_NUMBER[claim](one) for one in known], np.float64)[space.kind]
        is_declared &= space.n_objects < MOST_OBJECTS  # variances take long
        for first, second in itertools.product(space.proper_references, repeat=2):
            alike = space.sizes == space.sizes[second]
            found = _curved(quantity[first, alike], values[first, alike], rounding_of(values))
            if found is not None:
                last = int(np.flatnonzero(alike)[found])
                value = float(values[first, last])
                text = (
                    f"f(a, b) = {value:.6g} is not on the line through the values for other "
                    f"orders of b, by {claim}"
                )
                return CounterExample(space.example(first, last), (value,), text)
            if is_declared:
                table = space.tables[space.kind[first, second]]
                wrong = _wrong_moments(search, table, values[first, alike])
                if wrong:
                    return CounterExample(space.example(first, second), (), wrong)
    return None


def refute_linear_in_pair_counts(search: Search) -> Refutation:
    for space in all_small_partitions():
        if space.n_objects < 2:  # there are no pairs
            continue
        values = np.array([search.value(table) for table in space.tables])
        sums = np.array([table.square_sums for table in space.tables], np.float64)
        terms = np.column_stack([np.ones(len(sums)), sums])
        off = abs(values - terms @ np.linalg.lstsq(terms, values, rcond=None)[0])
        if off.max() > rounding_of(values):
            kind = int(off.argmax())
            value = float(values[kind])
            text = f"f(a, b) = {value:.6g} is not what pair counts are for others, by a linear rule"
            return CounterExample(space.example(*space.examples[kind]), (value,), text)
        mean = CountedPairs(SquareSums(*sums.mean(axis=0).tolist()), KnownMargins(space.n_objects))
        failed = _failure(search, mean, float(values.mean()), rounding_of(values))
        if failed:
            return CounterExample((), (), failed)
    return None


# The number in which each statistic varies.
_AS_NUMBER: dict[str, Callable[[Any], float]] = {
    "pairs": lambda squares: squares.cells,
    "information": lambda information: information.mutual,
    "cells": lambda total: total,
}


def _curved(quantity: Floats, values: Floats, rounding: float) -> int | None:
    """Return which value is not on the line through those of the least and greatest quantity."""
    low, high = int(quantity.argmin()), int(quantity.argmax())
    run = quantity[high] - quantity[low]
    slope = (values[high] - values[low]) / run if run > rounding_of(quantity) else 0.0
    off = abs(values - values[low] - slope * (quantity - quantity[low]))
    return int(off.argmax()) if off.max() > rounding else None


def _wrong_moments(search: Search, table: ContingencyTable, values: Floats) -> str | None:
    try:
        with UNDEFINED_IGNORED:
            moments = null_moments(search.index, table, **search.parameters)
            if moments is None:
                return "mean and standard deviation under permutation are not known"
            found = moments.mean, moments.standard_deviation
    except Exception as error:  # the function may use any attribute
        return f"f(a, b) at the mean raises {type(error).__name__}: {error}"
    expected = float(values.mean()), float(values.std())
    for one, true, name in zip(found, expected, ("mean", "standard deviation"), strict=True):
        if abs(one - true) > 10 * rounding_of(values, 1.0):
            return f"its {name} over all orders of b is {true:.6g}, and declared as {one:.6g}"
    return None
