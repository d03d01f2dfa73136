"""Properties of means: over the orders of the objects, over candidates of some clusters."""

from __future__ import annotations

import itertools
import math
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.stats import random_table

from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices._properties.search import (
    CounterExample,
    Floats,
    Refutation,
    Search,
    rounding_of,
)
from sklearn_clustcompare.indices._properties.small_partitions import (
    MOST_OBJECTS,
    Partitions,
    small_partitions,
)


def refute_adjusted(search: Search) -> Refutation:
    scale = search.matrix(small_partitions(MOST_OBJECTS))
    for mean in search.means:
        if abs(mean.value) > rounding_of(scale):
            text = f"f(a, b) is {mean.value:.6g} on average over all orders of b"
            return CounterExample(mean.partitions, (mean.value,), text)
    return None


def refute_constant_baseline(search: Search, claim: str) -> Refutation:
    if claim == "asymptotic":
        return _refute_asymptotic_baseline(search)
    scale = search.matrix(small_partitions(MOST_OBJECTS))
    for mean in search.means:
        first = search.means[0]
        if abs(mean.value - first.value) > rounding_of(scale):
            text = (
                f"f(a, b) is {first.value:.6g} on average over all orders of b, "
                f"f(c, d) is {mean.value:.6g}"
            )
            partitions = first.partitions + mean.partitions
            return CounterExample(partitions, (first.value, mean.value), text)
    return None


# Cluster sizes that differ as much as they can, with many objects for each cell.
_SHARES = (
    ((0.5, 0.5), (0.5, 0.5)),
    ((0.1,) * 10, (0.1,) * 10),
    ((0.9, 0.1), (0.25,) * 4),
    ((0.9, 0.1), (0.9, 0.1)),
    ((0.6, 0.3, 0.1), (0.6, 0.3, 0.1)),
)
_N_OBJECTS = (2_000, 20_000)
_N_DRAWS = 30
# Number of standard errors that chance alone does not reach in a few comparisons.
_FAR = 5.0


@cache
def _large_tables() -> list[tuple[str, list[list[ContingencyTable]]]]:
    """Return random tables of few and of many objects, by the shares of their clusters."""
    rng = np.random.default_rng(4)
    tables = []
    for rows, cols in _SHARES:
        draws = []
        for n_objects in _N_OBJECTS:
            row_sums, col_sums = (
                np.rint(np.array(shares) * n_objects).astype(int) for shares in (rows, cols)
            )
            counts = random_table(row_sums, col_sums).rvs(_N_DRAWS, random_state=rng)
            draws.append([ContingencyTable.from_counts(one) for one in counts])
        tables.append((f"clusters of shares {rows} and {cols}", draws))
    return tables


def _refute_asymptotic_baseline(search: Search) -> Refutation:
    """Test whether means for different shares converge as the number of objects grows."""
    first: tuple[str, Floats, Floats] | None = None
    for name, draws in _large_tables():
        values = np.array([[search.value(table) for table in tables] for tables in draws])
        means, errors = values.mean(axis=1), values.std(axis=1) / math.sqrt(_N_DRAWS)
        if first is None:
            first = (name, means, errors)
            continue
        (few, many), slack = abs(means - first[1]), _FAR * (errors + first[2]).sum()
        if many > few / 2 + slack:
            text = (
                f"f is {first[1][1]:.6g} on average over {_N_OBJECTS[1]} objects in {first[0]}, "
                f"{means[1]:.6g} in {name}"
            )
            return CounterExample((), (float(first[1][1]), float(means[1])), text)
    return None


def refute_bias(search: Search, claim: str) -> Refutation:
    space = small_partitions(MOST_OBJECTS)
    values, is_defined = search.sign * search.matrix(space), search.is_defined(space)
    rounding = rounding_of(values)
    rises, trend = 0.0, _Trend(claim)
    for reference in space.proper_references:
        means = {}
        for k in range(1, MOST_OBJECTS + 1):
            candidates = (space.n_clusters == k) & is_defined[reference]
            if candidates.any():
                means[k] = float(values[reference, candidates].mean())
        for (few, low), (many, high) in itertools.pairwise(means.items()):
            rises += abs(high - low) > rounding
            if trend.is_broken(high - low, rounding):
                example = space.example(reference)
                return _trend_example(example, search, (few, low), (many, high))
    if claim != "neutral" and not rises:
        return CounterExample((), (), "on average f(a, b) does not depend on the clusters of b")
    if claim == "neutral" and refute_constant_baseline(search, "exact") is None:
        return None
    return _refute_bias_of_many(search, trend)


class _Trend(NamedTuple):
    """Trend of the means as the number of clusters of the candidate grows."""

    claim: str

    def is_broken(self, rise: float, slack: float) -> bool:
        if self.claim == "neutral":
            return abs(rise) > slack
        return rise < -slack if self.claim == "many" else rise > slack


def _trend_example(
    example: Partitions,
    search: Search,
    fewer: tuple[int, float],
    more: tuple[int, float],
) -> CounterExample:
    means = search.sign * fewer[1], search.sign * more[1]
    text = (
        f"f(a, b) is {means[0]:.6g} on average over b of {fewer[0]} clusters, "
        f"{means[1]:.6g} over b of {more[0]}"
    )
    return CounterExample(example, means, text)


_BIAS_SIZES = ((20, 20), (25, 10, 5), (8,) * 5)
_BIAS_CLUSTERS = (1, 2, 4, 8, 16)


@cache
def _random_candidates() -> list[tuple[tuple[int, ...], dict[int, list[ContingencyTable]]]]:
    rng = np.random.default_rng(5)
    candidates = []
    for sizes in _BIAS_SIZES:
        labels = np.repeat(np.arange(len(sizes)), sizes)
        tables = {
            k: [
                ContingencyTable.from_labels(labels, rng.integers(k, size=len(labels)))
                for _ in range(_N_DRAWS if k > 1 else 1)
            ]
            for k in _BIAS_CLUSTERS
        }
        candidates.append((tuple(labels.tolist()), tables))
    return candidates


def _refute_bias_of_many(search: Search, trend: _Trend) -> Refutation:
    for labels, tables in _random_candidates():
        means, errors = {}, {}
        for k, draws in tables.items():
            values = search.sign * np.array([search.value(table) for table in draws])
            if any(search.is_undefined(table) for table in draws):
                continue
            means[k] = float(values.mean())
            errors[k] = float(values.std() / math.sqrt(len(values)))
        for few, many in itertools.pairwise(means):
            slack = _FAR * (errors[few] + errors[many]) + rounding_of(means[few], means[many])
            if trend.is_broken(means[many] - means[few], slack):
                pairs = (few, means[few]), (many, means[many])
                return _trend_example((labels,), search, *pairs)
    return None
