"""Properties of single values: range, direction, names, order of the two, real counts."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices._properties.search import (
    CounterExample,
    Refutation,
    Search,
    first_of,
    rounding_of,
)
from sklearn_clustcompare.indices._properties.small_partitions import (
    MOST_OBJECTS,
    Partitions,
    Sample,
    all_small_partitions,
    all_tables,
    random_pairs,
)


def refute_range(search: Search, claim: tuple[float, float]) -> Refutation:
    low, high = claim
    for partitions, table in all_tables():
        try:
            value = search.value(table)
        except Exception as error:  # users of the index would get any of these errors
            text = f"f(a, b) raises {type(error).__name__}: {error}"
            return CounterExample(partitions, (), text)
        if not low <= value <= high or not math.isfinite(value):
            return CounterExample(partitions, (value,), f"f(a, b) = {value!r}")
    return None


def refute_independence_of_names(search: Search) -> Refutation:
    for partitions, table, others in _renamed_tables():
        value = search.value(table)
        for other in others:
            renamed = search.value(other)
            if value != renamed:
                text = f"f(a, b) = {value!r}, and {renamed!r} after renaming clusters"
                return CounterExample(partitions, (value, renamed), text)
    return None


@cache
def _renamed_tables() -> list[tuple[Partitions, ContingencyTable, list[ContingencyTable]]]:
    rng = np.random.default_rng(3)
    renamed = []
    for partitions, table in all_tables():
        n_objects = len(partitions[0])
        if n_objects == MOST_OBJECTS:  # further tables hardly find more than five do
            continue
        counts = table.counts.toarray()
        rows, cols = (rng.permutation(number) for number in table.shape)
        others = [
            ContingencyTable.from_counts(
                counts[rows][:, cols],
                row_labels=[f"cluster {row}" for row in rows],
                col_labels=-cols,
            )
        ]
        if n_objects < MOST_OBJECTS:
            others.append(ContingencyTable.from_counts(counts[::-1]))
        renamed.append((partitions, table, others))
    return renamed


def refute_direction(search: Search, claim: bool) -> Refutation:
    sign = 1.0 if claim else -1.0
    for space in all_small_partitions():
        values = search.matrix(space)
        for reference in space.proper_references:
            equal, mean = (
                float(one) for one in (values[reference, reference], values[reference].mean())
            )
            if sign * (equal - mean) < -rounding_of(values):
                text = f"f(a, a) = {equal:.6g}, the mean of f(a, b) over all b is {mean:.6g}"
                return CounterExample(space.example(reference), (equal, mean), text)
    return None


def refute_symmetric(search: Search) -> Refutation:
    for space in all_small_partitions():
        values = search.matrix(space)
        found = first_of(values != values.T)
        if found:
            return _swapped(space.example(*found), float(values[found]), float(values.T[found]))
    for one in random_pairs():
        value, swapped = search.value(one.tables[0]), search.value(one.tables[0].T)
        if value != swapped:
            return _swapped(one.partitions, value, swapped)
    return None


def _swapped(partitions: Partitions, value: float, swapped: float) -> CounterExample:
    text = f"f(a, b) = {value!r}, f(b, a) = {swapped!r}"
    return CounterExample(partitions, (value, swapped), text)


def refute_soft(search: Search) -> Refutation:
    for one, table in _real_tables():
        try:
            value = search.value(table)
        except Exception as error:  # users of the index would get any of these errors
            text = f"f(a, b) with weights from 1 to 2 raises {type(error).__name__}: {error}"
            return CounterExample(one.partitions, (), text)
        if not math.isfinite(value):
            text = f"f(a, b) = {value} with weights from 1 to 2"
            return CounterExample(one.partitions, (value,), text)
    return None


@cache
def _real_tables() -> list[tuple[Sample, ContingencyTable]]:
    rng = np.random.default_rng(6)
    return [
        (
            one,
            ContingencyTable.from_labels(
                *one.partitions, sample_weight=1 + rng.random(len(one.partitions[0]))
            ),
        )
        for one in random_pairs()[:20]
    ]
