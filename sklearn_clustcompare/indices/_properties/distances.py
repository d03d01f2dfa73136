"""Properties of distances: zero for equal partitions only, triangle inequality."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sklearn_clustcompare.indices._properties.search import (
    CounterExample,
    Floats,
    Refutation,
    Search,
    all_spaces,
    first_of,
    rounding_of,
)
from sklearn_clustcompare.indices._properties.small_partitions import (
    Partitions,
    SmallPartitions,
    all_small_partitions,
    random_pairs,
    random_triples,
    small_partitions,
)


def refute_identifies_equality(search: Search) -> Refutation:
    best = search.value(small_partitions(1).tables[0])
    for space in all_small_partitions():
        values = search.matrix(space)
        found = _unequal_best(space, values, best, rounding_of(values))
        if found:
            return found
        lost = search.sign * (best - values)
        np.fill_diagonal(lost, np.inf)
        position = first_of(lost <= rounding_of(values))
        if position:
            value = float(values[position])
            text = f"f(a, a) = {best:.6g}, f(a, b) = {value:.6g}"
            return CounterExample(space.example(*position), (best, value), text)
    for one in random_pairs():
        value, equal = search.value(one.tables[0]), one.tables[0].is_identity
        if equal != (abs(best - value) <= rounding_of(best, value)):
            text = f"f(a, b) = {value:.6g}, and {best:.6g} for equal partitions"
            return CounterExample(one.partitions, (value, best), text)
    return None


def _unequal_best(
    space: SmallPartitions, values: Floats, best: float, rounding: float
) -> Refutation:
    differs = first_of(abs(values.diagonal() - best) > rounding)
    if differs is None:
        return None
    value = float(values[differs[0], differs[0]])
    text = f"f(a, a) = {value:.6g}, and {best:.6g} for a single object"
    return CounterExample(space.example(differs[0]), (value, best), text)


def refute_metric(search: Search) -> Refutation:
    return _refute_metric(search, lambda values: values, "f")


def refute_similarity_metric(search: Search) -> Refutation:
    best = search.value(small_partitions(1).tables[0])
    return _refute_metric(search, lambda values: best - values, f"d = {best:.6g} - f, d")


def _refute_metric(search: Search, as_distance: Callable[[Any], Any], name: str) -> Refutation:
    for space in all_spaces():
        distances = as_distance(search.matrix(space))
        rounding = rounding_of(search.matrix(space))
        broken = [
            ("is not symmetric", abs(distances - distances.T) > rounding),
            ("is negative", distances < -rounding),
            ("is not 0 for equal partitions", np.diag(distances.diagonal() > rounding)),
            (
                "is 0 for different partitions",
                (distances <= rounding) & ~np.eye(len(distances), dtype=bool),
            ),
        ]
        for what, mask in broken:
            found = first_of(mask)
            if found:
                value = float(distances[found])
                text = f"{name}(a, b) = {value:.6g} {what}"
                return CounterExample(space.example(*found), (value,), text)
        # Other first partitions differ from these by the order of the objects.
        starts = distances[space.references]
        detours = (starts[:, :, np.newaxis] + distances).min(axis=1)
        found = first_of(starts > detours + rounding)
        if found:
            first, last = space.references[found[0]], found[1]
            middle = int((distances[first] + distances[:, last]).argmin())
            legs = tuple(
                float(distances[leg]) for leg in ((first, middle), (middle, last), (first, last))
            )
            return _long_way(space.example(first, middle, last), legs, name)
    for one in random_triples():
        values = [search.value(table) for table in one.tables]
        legs = tuple(float(as_distance(value)) for value in values)
        if legs[2] > legs[0] + legs[1] + rounding_of(*values):
            return _long_way(one.partitions, legs, name)
    return None


def _long_way(partitions: Partitions, legs: tuple[float, ...], name: str) -> CounterExample:
    text = "{}(a, c) = {:.6g} is more than {:.6g} + {:.6g}, for (a, b) and (b, c)"
    return CounterExample(partitions, legs, text.format(name, legs[2], legs[0], legs[1]))
