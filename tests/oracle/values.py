"""Values of an index for all partitions that are searched, and what a search finds."""

import itertools
import warnings
from functools import cached_property
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from tests.oracle.partitions import all_small_partitions

# Differences below this share of the largest value are rounding.
_ROUNDING = 1e-9


class CounterExample(NamedTuple):
    """A sentence, and the labels of the partitions that it calls a, b, c, d; f is the index."""

    text: str
    partitions: tuple[tuple[int, ...], ...] = ()

    def __str__(self):
        named = [
            f"{name} = {(' ' if max(labels, default=0) > 9 else '').join(map(str, labels))}"
            for name, labels in zip("abcd", self.partitions, strict=False)
        ]
        return f"{self.text}, where {', '.join(named)}" if named else self.text


class Mean(NamedTuple):
    """Mean of an index over all orders of the objects of one side."""

    value: float
    partitions: tuple[tuple[int, ...], ...]


class Values:
    """Values of an index with some of its parameters; each table is evaluated once."""

    def __init__(self, index, parameters=None):
        self.index = index
        self.parameters = parameters or {}
        self.sign = 1.0 if index.greater_is_better else -1.0
        # By the id of the table, which is kept here so that no other table can take its id.
        self._seen = {}
        self._matrices = {}

    def __call__(self, table):
        return self._see(table)[1]

    def is_undefined(self, table):
        """Return whether the index warns that its value is undefined."""
        return self._see(table)[2]

    def _see(self, table):
        seen = self._seen.get(id(table))
        if seen is None:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                value = float(self.index.function(table, **self.parameters))
            undefined = [issubclass(one.category, UndefinedMetricWarning) for one in caught]
            for one in itertools.compress(caught, np.logical_not(undefined)):
                warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
            seen = self._seen[id(table)] = table, value, any(undefined)
        return seen

    def matrix(self, space):
        """Return the values of all pairs of partitions of a space."""
        if space.times not in self._matrices:
            self._matrices[space.times] = np.array([self(one) for one in space.tables])[space.kind]
        return self._matrices[space.times]

    def is_defined(self, space):
        return np.array([not self.is_undefined(table) for table in space.tables])[space.kind]

    @cached_property
    def means(self):
        """Means for all cluster sizes of a few objects, where the index is defined."""
        means = []
        for space in all_small_partitions():
            values, is_defined = self.matrix(space), self.is_defined(space)
            for first, second in itertools.product(space.proper_references, repeat=2):
                # All partitions with these sizes occur in equally many orders of the objects.
                alike = space.sizes == space.sizes[second]
                if is_defined[first, alike].any():
                    value = float(values[first, alike].mean())
                    means.append(Mean(value, space.example(first, second)))
        return means


def rounding_of(*values):
    """Return the largest difference of such values that rounding can explain."""
    return _ROUNDING * max(float(np.abs(one).max(initial=0.0)) for one in values)


def positions(mask):
    """Yield the true positions of a mask, in their order."""
    yield from zip(*(axis.tolist() for axis in np.nonzero(mask)), strict=True)
