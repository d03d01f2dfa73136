"""The search for broken properties, and the counter-examples it finds."""

from __future__ import annotations

import itertools
import threading
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._rendering import Shown, result_record
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices._properties.small_partitions import (
    Partitions,
    SmallPartitions,
    all_small_partitions,
    repeated_partitions,
)
from sklearn_clustcompare.indices._record import Index

Floats = NDArray[np.float64]

# Differences below this share of the largest value are rounding.
_ROUNDING = 1e-9
# One thread at a time: it would take the warnings of others for those of its index.
_RECORDING = threading.Lock()


@result_record
@dataclass(frozen=True, repr=False)
class CounterExample(Shown):
    """Partitions for which an index does not have a property; see :func:`check_index`.

    All parameters are attributes of the same names, which cannot be set.

    Parameters
    ----------
    partitions : tuple of tuple of int
        Labels of the partitions, called a, b, c, d in the text.
    values : tuple of float
        Values of the index, or their means, for these partitions.
    text : str
        Description of the values; ``f`` is the index.

    See Also
    --------
    check_index : Searches for them.

    Examples
    --------
    >>> import dataclasses
    >>> from sklearn_clustcompare import check_index, get_index
    >>> purity = dataclasses.replace(get_index("purity_score"), symmetric=True)
    >>> print(check_index(purity)["symmetric"].counter_example)
    f(a, b) = 1.0, f(b, a) = 0.5, where a = 00, b = 01
    """

    partitions: Partitions
    values: tuple[float, ...]
    text: str

    def _headline(self) -> str:
        return f"CounterExample: {self}"

    def __str__(self) -> str:
        named = [
            f"{name} = {_as_text(labels)}"
            for name, labels in zip("abcd", self.partitions, strict=False)
        ]
        return f"{self.text}, where {', '.join(named)}" if named else self.text


def _as_text(labels: tuple[int, ...]) -> str:
    return (" " if max(labels, default=0) > 9 else "").join(map(str, labels))


Refutation = CounterExample | None


class Mean(NamedTuple):
    """Mean of an index over all orders of the objects of one side."""

    partitions: Partitions
    value: float


class Search:
    """An index with values of its parameters, and its values for all partitions searched."""

    def __init__(self, index: Index, parameters: Mapping[str, Any]) -> None:
        self.index = index
        self.parameters = dict(parameters)
        self.sign = 1.0 if index.greater_is_better else -1.0
        # By the id of the table, which is kept here so that no other table can take its id.
        self._seen: dict[int, tuple[ContingencyTable, float, bool]] = {}
        self._matrices: dict[tuple[int, ...], Floats] = {}

    def value(self, table: ContingencyTable) -> float:
        return self._see(table)[1]

    def is_undefined(self, table: ContingencyTable) -> bool:
        """Return whether the index warns that its value is undefined."""
        return self._see(table)[2]

    def _see(self, table: ContingencyTable) -> tuple[ContingencyTable, float, bool]:
        seen = self._seen.get(id(table))
        if seen is None:
            with _RECORDING, warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                value = float(self.index.function(table, **self.parameters))
            undefined = False
            for one in caught:
                if issubclass(one.category, UndefinedMetricWarning):
                    undefined = True
                else:
                    warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
            seen = self._seen[id(table)] = table, value, undefined
        return seen

    def matrix(self, space: SmallPartitions) -> Floats:
        """Return the values of all pairs of partitions."""
        if space.times not in self._matrices:
            values = np.array([self.value(table) for table in space.tables])
            self._matrices[space.times] = values[space.kind]
        return self._matrices[space.times]

    def is_defined(self, space: SmallPartitions) -> NDArray[np.bool_]:
        defined = np.array([not self.is_undefined(table) for table in space.tables])
        return defined[space.kind]

    @cached_property
    def means(self) -> list[Mean]:
        """Means for all cluster sizes of a few objects, where the index is defined."""
        means = []
        for space in all_small_partitions():
            values, is_defined = self.matrix(space), self.is_defined(space)
            for first, second in itertools.product(space.proper_references, repeat=2):
                # All partitions with these sizes occur in equally many orders of the objects.
                alike = space.sizes == space.sizes[second]
                if is_defined[first, alike].any():
                    value = float(values[first, alike].mean())
                    means.append(Mean(space.example(first, second), value))
        return means


def rounding_of(*values: Any) -> float:
    """Return the largest difference of such values that rounding can explain."""
    return _ROUNDING * max(float(np.abs(one).max(initial=0.0)) for one in values)


def first_of(mask: NDArray[np.bool_]) -> tuple[int, ...] | None:
    """Return the first true position in a mask, or None."""
    position = int(mask.argmax())
    return tuple(map(int, np.unravel_index(position, mask.shape))) if mask.flat[position] else None


def all_spaces() -> list[SmallPartitions]:
    return [*all_small_partitions(), *repeated_partitions()]
