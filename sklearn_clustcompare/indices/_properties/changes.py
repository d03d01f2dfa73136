"""Properties of changes: of the candidate, or of the number of objects."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices._properties.search import (
    CounterExample,
    Refutation,
    Search,
    all_spaces,
    first_of,
    rounding_of,
)
from sklearn_clustcompare.indices._properties.small_partitions import (
    MOST_OBJECTS,
    Partitions,
    all_tables,
    random_improvements,
)


def refute_monotone(search: Search, claim: str) -> Refutation:
    def is_broken(gain: Any, rounding: float) -> Any:
        return gain <= rounding if claim == "strict" else gain < -rounding

    for space in all_spaces():
        values, defined = search.sign * search.matrix(space), search.is_defined(space)
        rounding = rounding_of(values)
        for reference in space.proper_references:
            gains = values[reference] - values[reference][:, np.newaxis]
            are_defined = defined[reference] & defined[reference][:, np.newaxis]
            broken = are_defined & is_broken(gains, rounding)
            found = first_of(space.nearer(reference) & broken)
            if found:
                example = space.example(reference, *found)
                before, after = (search.sign * values[reference, one] for one in found)
                return _no_better(example, float(before), float(after))
    for one in random_improvements():
        if any(search.is_undefined(table) for table in one.tables):
            continue
        before, after = (search.value(table) for table in one.tables)
        if is_broken(search.sign * (after - before), rounding_of(before, after)):
            return _no_better(one.partitions, before, after)
    return None


def _no_better(partitions: Partitions, before: float, after: float) -> CounterExample:
    text = f"f(a, b) = {before:.6g}, f(a, c) = {after:.6g}, and c is nearer to a than b"
    return CounterExample(partitions, (before, after), text)


def refute_replication_invariant(search: Search) -> Refutation:
    for partitions, table, doubled in _doubled_tables():
        value, other = search.value(table), search.value(doubled)
        if abs(value - other) > rounding_of(value, other):
            text = f"f(a, b) = {value:.6g}, and {other:.6g} if every object is duplicated"
            return CounterExample(partitions, (value, other), text)
    return None


@cache
def _doubled_tables() -> list[tuple[Partitions, ContingencyTable, ContingencyTable]]:
    return [
        (partitions, table, ContingencyTable.from_counts(2 * table.counts))
        for partitions, table in all_tables()
        if len(partitions[0]) != MOST_OBJECTS
    ]
