"""The claims, each a name, what can be claimed, and the counter-examples to it.

A search yields counter-examples to one claim, the smallest first, so that the first one is enough.
"""

import itertools
import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import random_table

from sklearn_clustcompare import ContingencyTable
from sklearn_clustcompare._table.counts import KnownMargins, SquareSums
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED
from sklearn_clustcompare.indices._moments import null_moments
from sklearn_clustcompare.indices._record import Statistic
from sklearn_clustcompare.indices._registry import read_index
from tests.oracle.partitions import (
    MOST_OBJECTS,
    all_small_partitions,
    all_tables,
    random_improvements,
    random_pairs,
    random_triples,
    repeated_partitions,
    small_partitions,
)
from tests.oracle.values import CounterExample, Values, positions, rounding_of


class Claim(NamedTuple):
    """A property, what can be claimed of it, the strongest first, and a search."""

    name: str
    options: tuple[Any, ...]
    search: Callable[[Values, Any], Any]

    def is_made(self, declared):
        """Return whether the declared value is a claim: not if it is unknown or denied."""
        return declared in self.options or not self.options

    def refute(self, values, claimed):
        """Return the first counter-example, or None."""
        try:
            return next(self.search(values, claimed), None)
        except Exception as error:  # the index may fail where it was never called before
            return CounterExample(f"f raises {type(error).__name__}: {error}")


CLAIMS = {}


def claim(*options):
    """List a search, of the name of the property, for what can be claimed."""

    def add(search):
        name = search.__name__.rstrip("_")
        CLAIMS[name] = Claim(name, options, search)
        return search

    return add


def broken_claims(index, **parameters):
    """Return what is declared of an index and does not hold, with a counter-example to each."""
    values = Values(*read_index(index, parameters, with_data=False))
    declared = values.index.properties(**parameters)
    found = {}
    for name, one in CLAIMS.items():
        claimed = declared.get(name, True)
        if one.is_made(claimed) and (example := one.refute(values, claimed)) is not None:
            found[name] = example
            if name == "range":
                break  # without such values no other claim means anything
    return found


def possible_claims(index, **parameters):
    """Return the strongest claims that nothing breaks where none is made."""
    values = Values(*read_index(index, parameters, with_data=False))
    declared = values.index.properties(**parameters)
    found = {}
    for name, one in CLAIMS.items():
        if not one.is_made(declared.get(name, True)):
            kept = (option for option in one.options if one.refute(values, option) is None)
            if (strongest := next(kept, None)) is not None:
                found[name] = strongest
    return found


# --------------------------------------------------------------------------- of single values


@claim()
def range_(f, limits):
    for partitions, table in all_tables():
        value = f(table)
        if not limits[0] <= value <= limits[1] or not math.isfinite(value):
            yield CounterExample(f"f(a, b) = {value!r}", partitions)


@claim(True)
def independent_of_names(f, _):
    """Every index has to be; it is not declared."""
    for partitions, table, others in _renamed_tables():
        for other in others:
            if f(table) != f(other):
                text = f"f(a, b) = {f(table)!r}, and {f(other)!r} after renaming clusters"
                yield CounterExample(text, partitions)


@cache
def _renamed_tables():
    rng = np.random.default_rng(3)
    renamed = []
    for partitions, table in all_tables():
        if len(partitions[0]) == MOST_OBJECTS:  # further tables hardly find more than five do
            continue
        counts = table.counts.toarray()
        rows, cols = (rng.permutation(number) for number in table.shape)
        names = {"row_labels": [f"cluster {row}" for row in rows], "col_labels": -cols}
        others = [ContingencyTable.from_counts(counts[rows][:, cols], **names)]
        if len(partitions[0]) < MOST_OBJECTS:
            others.append(ContingencyTable.from_counts(counts[::-1]))
        renamed.append((partitions, table, others))
    return renamed


@claim(True, False)
def greater_is_better(f, claimed):
    sign = 1.0 if claimed else -1.0
    for space in all_small_partitions():
        values = f.matrix(space)
        for one in space.proper_references:
            equal, mean = values[one, one], values[one].mean()
            if sign * (equal - mean) < -rounding_of(values):
                text = f"f(a, a) = {equal:.6g}, the mean of f(a, b) over all b is {mean:.6g}"
                yield CounterExample(text, space.example(one))


@claim(True)
def symmetric(f, _):
    for partitions, table in all_tables():
        if f(table) != f(table.T):
            yield CounterExample(f"f(a, b) = {f(table)!r}, f(b, a) = {f(table.T)!r}", partitions)


@claim(True)
def identifies_equality(f, _):
    best = f(small_partitions(1).tables[0])
    for partitions, table in all_tables():
        value = f(table)
        if table.is_identity != (abs(best - value) <= rounding_of(best, value)):
            text = f"f(a, b) = {value:.6g}, and {best:.6g} for a single object"
            yield CounterExample(text, partitions)


@claim(True)
def soft(f, _):
    rng = np.random.default_rng(6)
    for partitions, _ in random_pairs()[:20]:
        weights = 1 + rng.random(len(partitions[0]))
        value = f(ContingencyTable.from_labels(*partitions, sample_weight=weights))
        if not math.isfinite(value):
            yield CounterExample(f"f(a, b) = {value} with weights from 1 to 2", partitions)


@claim(True)
def replication_invariant(f, _):
    for partitions, table in all_tables():
        if len(partitions[0]) != MOST_OBJECTS:
            value, doubled = f(table), f(ContingencyTable.from_counts(2 * table.counts))
            if abs(value - doubled) > rounding_of(value, doubled):
                text = f"f(a, b) = {value:.6g}, and {doubled:.6g} if every object is duplicated"
                yield CounterExample(text, partitions)


# --------------------------------------------------------------------------- of three partitions


def _spaces():
    return [*all_small_partitions(), *repeated_partitions()]


@claim(True)
def metric(f, _):
    yield from _no_metric(f, lambda values: values, "f")


@claim(True)
def similarity_metric(f, _):
    best = f(small_partitions(1).tables[0])
    yield from _no_metric(f, lambda values: best - values, f"d = {best:.6g} - f, d")


def _no_metric(f, as_distance, name):
    way = name + "(a, c) = {2:.6g} is more than {0:.6g} + {1:.6g}, for (a, b) and (b, c)"
    for space in _spaces():
        distances, rounding = as_distance(f.matrix(space)), rounding_of(f.matrix(space))
        is_same = np.eye(len(distances), dtype=bool)
        for what, mask in (
            ("is not symmetric", abs(distances - distances.T) > rounding),
            ("is negative", distances < -rounding),
            ("is not 0 for equal partitions", is_same & (distances > rounding)),
            ("is 0 for different partitions", ~is_same & (distances <= rounding)),
        ):
            for one in positions(mask):
                text = f"{name}(a, b) = {distances[one]:.6g} {what}"
                yield CounterExample(text, space.example(*one))
        # Other first partitions differ from these by the order of the objects.
        starts = distances[space.references]
        detours = (starts[:, :, np.newaxis] + distances).min(axis=1)
        for start, last in positions(starts > detours + rounding):
            first = space.references[start]
            middle = int((distances[first] + distances[:, last]).argmin())
            legs = [distances[one] for one in ((first, middle), (middle, last), (first, last))]
            yield CounterExample(way.format(*legs), space.example(first, middle, last))
    for partitions, tables in random_triples():
        legs = [as_distance(f(table)) for table in tables]
        if legs[2] > legs[0] + legs[1] + rounding_of(*map(f, tables)):
            yield CounterExample(way.format(*legs), partitions)


@claim("strict", "weak")
def monotone(f, claimed):
    text = "f(a, b) = {:.6g}, f(a, c) = {:.6g}, and c is nearer to a than b"

    def is_broken(gain, rounding):
        return gain <= rounding if claimed == "strict" else gain < -rounding

    for space in _spaces():
        values, defined = f.matrix(space), f.is_defined(space)
        for one in space.proper_references:
            gains = f.sign * (values[one] - values[one][:, np.newaxis])
            are_defined = defined[one] & defined[one][:, np.newaxis]
            broken = are_defined & is_broken(gains, rounding_of(values))
            for pair in positions(space.nearer(one) & broken):
                found = text.format(*values[one, list(pair)])
                yield CounterExample(found, space.example(one, *pair))
    for partitions, tables in random_improvements():
        before, after = map(f, tables)
        is_defined = not any(map(f.is_undefined, tables))
        if is_defined and is_broken(f.sign * (after - before), rounding_of(before, after)):
            yield CounterExample(text.format(before, after), partitions)


# --------------------------------------------------------------------------- of means


@claim(True)
def adjusted(f, _):
    scale = rounding_of(f.matrix(small_partitions(MOST_OBJECTS)))
    for mean in f.means:
        if abs(mean.value) > scale:
            text = f"f(a, b) is {mean.value:.6g} on average over all orders of b"
            yield CounterExample(text, mean.partitions)


@claim("exact", "asymptotic")
def constant_baseline(f, claimed):
    if claimed == "asymptotic":
        yield from _other_limits(f)
        return
    scale, first = rounding_of(f.matrix(small_partitions(MOST_OBJECTS))), f.means[0]
    for mean in f.means:
        if abs(mean.value - first.value) > scale:
            text = (
                f"f(a, b) is {first.value:.6g} on average over all orders of b, "
                f"f(c, d) is {mean.value:.6g}"
            )
            yield CounterExample(text, first.partitions + mean.partitions)


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
def _large_tables():
    """Return random tables of few and of many objects, by the shares of their clusters."""
    rng = np.random.default_rng(4)
    tables = []
    for shares in _SHARES:
        draws = []
        for n_objects in _N_OBJECTS:
            sums = [np.rint(np.array(one) * n_objects).astype(int) for one in shares]
            counts = random_table(*sums).rvs(_N_DRAWS, random_state=rng)
            draws.append([ContingencyTable.from_counts(one) for one in counts])
        tables.append(("clusters of shares {} and {}".format(*shares), draws))
    return tables


def _other_limits(f):
    """Test whether means for different shares converge as the number of objects grows."""
    found = []
    for name, draws in _large_tables():
        values = np.array([[f(table) for table in tables] for tables in draws])
        found.append((name, values.mean(axis=1), values.std(axis=1) / math.sqrt(_N_DRAWS)))
    first = found[0]
    for name, means, errors in found[1:]:
        (few, many), slack = abs(means - first[1]), _FAR * (errors + first[2]).sum()
        if many > few / 2 + slack:
            yield CounterExample(
                f"f is {first[1][1]:.6g} on average over {_N_OBJECTS[1]} objects in {first[0]}, "
                f"{means[1]:.6g} in {name}"
            )


@claim("neutral", "many", "few")
def bias(f, claimed):
    """Search the trend of the means as the number of clusters of the candidate grows."""
    text = "f(a, b) is {:.6g} on average over b of {} clusters, {:.6g} over b of {}"

    def broken(partitions, means, slack_of):
        for (few, low), (many, high) in itertools.pairwise(means.items()):
            rise, slack = f.sign * (high - low), slack_of(few, many)
            is_broken = {"neutral": abs(rise) > slack, "many": rise < -slack, "few": rise > slack}
            if is_broken[claimed]:
                yield CounterExample(text.format(low, few, high, many), partitions)

    space = small_partitions(MOST_OBJECTS)
    values, is_defined, is_flat = f.matrix(space), f.is_defined(space), True
    for one in space.proper_references:
        groups = {k: (space.n_clusters == k) & is_defined[one] for k in np.unique(space.n_clusters)}
        means = {int(k): values[one, group].mean() for k, group in groups.items() if group.any()}
        is_flat &= np.ptp(list(means.values())) <= rounding_of(values)
        yield from broken(space.example(one), means, lambda *_: rounding_of(values))
    if claimed != "neutral" and is_flat:
        yield CounterExample("on average f(a, b) does not depend on the clusters of b")
    if claimed == "neutral" and next(constant_baseline(f, "exact"), None) is None:
        return
    for labels, tables in _random_candidates():
        draws = {
            k: np.array([f(table) for table in some])
            for k, some in tables.items()
            if not any(map(f.is_undefined, some))
        }
        means = {k: some.mean() for k, some in draws.items()}
        errors = {k: some.std() / math.sqrt(len(some)) for k, some in draws.items()}

        def slack_of(few, many, means=means, errors=errors):
            return _FAR * (errors[few] + errors[many]) + rounding_of(means[few], means[many])

        yield from broken((labels,), means, slack_of)


@cache
def _random_candidates():
    rng = np.random.default_rng(5)
    candidates = []
    for sizes in ((20, 20), (25, 10, 5), (8,) * 5):
        labels = np.repeat(np.arange(len(sizes)), sizes)
        tables = {
            k: [
                ContingencyTable.from_labels(labels, rng.integers(k, size=len(labels)))
                for _ in range(_N_DRAWS if k > 1 else 1)
            ]
            for k in (1, 2, 4, 8, 16)
        }
        candidates.append((tuple(labels.tolist()), tables))
    return candidates


# --------------------------------------------------------------------------- of what it depends on


@claim(True)
def pairs(f, _):
    for space in all_small_partitions():
        seen = {}
        for pair, table in zip(space.examples, space.tables, strict=True):
            value = f(table)
            other, expected = seen.setdefault(table.square_sums, (pair, value))
            if value != expected:
                text = f"f(a, b) = {expected:.6g}, f(c, d) = {value:.6g}, with the same pair counts"
                yield CounterExample(text, space.example(*other, *pair))
            counted = KnownMargins.of_squares(space.n_objects, table.square_sums)
            yield from _other_value(f, counted, value, space.example(*pair))


def _other_value(f, counted, expected, partitions=(), rounding=0.0):
    """Yield what fails if an index gets the sums of squares only."""
    if f.index.statistic is None:
        return  # nothing is declared yet
    if f.index.statistic.quantity != "pairs":
        quantity = f.index.statistic.quantity
        yield CounterExample(f"it is declared as a function of another statistic: {quantity}")
        return
    with UNDEFINED_IGNORED:
        value = float(f.index.of_statistic(counted.square_sums, counted, **f.parameters))
    if abs(value - expected) > rounding:
        text = f"f(a, b) = {expected!r}, and {value!r} of the sums of squares alone"
        yield CounterExample(text, partitions)


# The number in which each statistic varies.
_AS_NUMBER = {
    "pairs": lambda squares: squares.cells,
    "information": lambda information: information.mutual,
    "cells": lambda total: total,
}


@claim("pairs", "information", "cells")
def linear_in(f, claimed):
    is_declared = f.index.linear_quantity(**f.parameters) == claimed
    if claimed == "cells" and f.index.cell_sum is None:
        yield CounterExample("the sum over the cells (cell_sum) is not known")
        return
    statistic = Statistic(claimed, f.index.cell_sum)
    text = "f(a, b) = {:.6g} is not on the line through the values for other orders of b, by {}"
    for space in all_small_partitions():
        values = f.matrix(space)
        known = [_AS_NUMBER[claimed](statistic.of(one, f.parameters)) for one in space.tables]
        quantity = np.array(known, np.float64)[space.kind]
        is_declared &= space.n_objects < MOST_OBJECTS  # variances take long
        for first, second in itertools.product(space.proper_references, repeat=2):
            alike = np.flatnonzero(space.sizes == space.sizes[second])
            off = _off_the_line(quantity[first, alike], values[first, alike])
            if off.max() > rounding_of(values):
                last = alike[off.argmax()]
                found = text.format(values[first, last], claimed)
                yield CounterExample(found, space.example(first, last))
            if is_declared:
                table = space.tables[space.kind[first, second]]
                yield from _other_moments(
                    f, table, values[first, alike], space.example(first, second)
                )


def _off_the_line(quantity, values):
    """Return how far values are from the line through those of least and greatest quantity."""
    low, high = quantity.argmin(), quantity.argmax()
    run = quantity[high] - quantity[low]
    slope = (values[high] - values[low]) / run if run > rounding_of(quantity) else 0.0
    return abs(values - values[low] - slope * (quantity - quantity[low]))


def _other_moments(f, table, values, partitions):
    with UNDEFINED_IGNORED:
        moments = null_moments(f.index, table, **f.parameters)
        found = moments and {"mean": moments.mean, "deviation": moments.standard_deviation}
    if not found:
        yield CounterExample("mean and deviation under permutation are not known", partitions)
        return
    for (name, one), expected in zip(found.items(), (values.mean(), values.std()), strict=True):
        if abs(one - expected) > 10 * rounding_of(values, 1.0):
            text = f"its {name} over all orders of b is {expected:.6g}, and declared as {one:.6g}"
            yield CounterExample(text, partitions)


@claim(True)
def linear_in_pair_counts(f, _):
    for space in all_small_partitions()[1:]:  # of two objects or more: there are pairs
        values = np.array([f(table) for table in space.tables])
        sums = np.array([table.square_sums for table in space.tables], np.float64)
        terms = np.column_stack([np.ones(len(sums)), sums])
        off = abs(values - terms @ np.linalg.lstsq(terms, values, rcond=None)[0])
        if off.max() > rounding_of(values):
            kind = int(off.argmax())
            text = "f(a, b) = {:.6g} is not what pair counts are for others, by a linear rule"
            yield CounterExample(text.format(values[kind]), space.example(*space.examples[kind]))
        mean = KnownMargins(space.n_objects, SquareSums(*sums.mean(axis=0).tolist()))
        yield from _other_value(f, mean, float(values.mean()), rounding=rounding_of(values))
