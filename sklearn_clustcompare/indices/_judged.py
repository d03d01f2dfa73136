"""An index as a user chose it, with its parameters, and its value for data and labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare._array_types import FloatArray, Positions
from sklearn_clustcompare._chance.objects import orders_within
from sklearn_clustcompare._options import (
    shortened,
    unknown_parameter,
    with_parameters,
)
from sklearn_clustcompare._partition import Labels, Partition, Reading
from sklearn_clustcompare._partition.labels import index_of
from sklearn_clustcompare._partition.memberships import treat_one
from sklearn_clustcompare._table import ContingencyTable
from sklearn_clustcompare.indices._record import (
    Index,
    IndexLike,
    UndefinedIndexError,
    apply_to_data,
    rows_of_objects,
)
from sklearn_clustcompare.indices._registry import check_known, read_index


@dataclass(frozen=True)
class Chosen:
    """An index with values of its parameters, and the name of its scores."""

    name: str
    index: Index
    parameters: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        given: IndexLike,
        parameters: Mapping[str, Any] = MappingProxyType({}),
        *,
        with_data: bool = True,
    ) -> Chosen:
        """Look up an index; its scores are named by it and the parameters given with it."""
        index, all_parameters = read_index(given, parameters, with_data=with_data)
        own = {key: all_parameters[key] for key in all_parameters if key not in parameters}
        return cls(with_parameters(index.name, own), index, all_parameters)

    @cached_property
    def evaluate(self) -> Callable[[ContingencyTable], float]:
        """Function of a table with objects; the parameters were checked when it was chosen."""
        return partial(self.index.function, **self.parameters)

    def value(self, table: ContingencyTable) -> float:
        return self.index(table, **self.parameters)

    @cached_property
    def range(self) -> tuple[float, float]:
        ends: tuple[float, float] = self.index.properties(**self.parameters)["range"]
        return ends

    def keeps(self, value: float, limit: float) -> bool:
        """Return whether a value is as good as a limit; one that is not defined is not."""
        return value >= limit if self.index.greater_is_better else value <= limit


def choose(
    indices: Any,
    parameters: Mapping[str, Any],
    argument: str,
    *,
    others: Mapping[str, Index] = MappingProxyType({}),
) -> tuple[Chosen, ...]:
    """Look up one index, several, or a mapping of names to indices with their parameters.

    Scores are named as the index was written. ``argument`` is their name for the caller;
    ``others`` are known to the caller only.
    Each of the common parameters is passed to the indices that take it; parameters given for one
    index in a mapping take precedence.
    """
    named = _named(indices, argument, others)
    if not named:
        msg = f"{argument} must name at least one index, got an empty {type(indices).__name__}"
        raise ValueError(msg)
    for name, value in parameters.items():
        takers = [one for one in named if name in one.index.parameters]
        if not takers:
            raise unknown_parameter(name, {one.index.name: one.index.parameters for one in named})
        if all(name in one.parameters for one in takers):
            msg = f"{name} must be given once, got {name}={value!r} and another with {argument}"
            raise TypeError(msg)
        for one in takers:
            one.index.check_parameters(**{name: value})
    chosen = tuple(
        replace(one, parameters={**_taken(one.index, parameters), **one.parameters})
        for one in named
    )
    if not isinstance(indices, Mapping):
        check_different(chosen, argument)
    return chosen


def chosen_by_name(indices: Mapping[str, IndexLike]) -> dict[str, Chosen]:
    """Look up indices of two partitions, without parameters of their own."""
    check_known(indices.values())
    return {name: Chosen.of(one, with_data=False) for name, one in indices.items()}


def check_different(chosen: Iterable[Chosen], argument: str) -> None:
    """Raise ValueError if a list names an index twice, however it is written."""
    for one, other in combinations(chosen, 2):
        is_same = (one.index, one.parameters) == (other.index, other.parameters)
        if is_same or one.name == other.name:
            msg = f"{argument} must name each index once, got {one.name!r} and {other.name!r}"
            raise ValueError(msg)


def _taken(index: Index, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of common parameters that an index takes."""
    return {key: value for key, value in parameters.items() if key in index.parameters}


def spelled(index: IndexLike, names: Iterable[str]) -> str | None:
    """Return the name that stands for an index, however it was written; None if none does."""
    try:
        asked = Chosen.of(index)
    except (TypeError, ValueError):
        return None
    for name in names:
        with suppress(TypeError, ValueError):
            if name == asked.name or Chosen.of(name) == asked:
                return name
    return None


def _named(
    indices: Any,
    argument: str,
    others: Mapping[str, Index] = MappingProxyType({}),
) -> list[Chosen]:
    names: Iterable[Any] = indices if isinstance(indices, list | tuple | Mapping) else [indices]
    if isinstance(indices, Mapping):
        several = [_with_parameters(name, given, argument) for name, given in indices.items()]
    else:
        several = [(one, {}) for one in names]
    known = [others.get(one.lower(), one) if isinstance(one, str) else one for one, _ in several]
    try:
        found = [Chosen.of(one, own) for one, (_, own) in zip(known, several, strict=True)]
    except ValueError:
        check_known(known)
        raise
    return [
        replace(one, name=name) if isinstance(name, str) else one
        for one, name in zip(found, names, strict=True)
    ]


def _with_parameters(name: Any, given: Any, argument: str) -> tuple[IndexLike, Mapping[str, Any]]:
    if not isinstance(name, str):
        msg = (
            f"{argument} must have strings as keys, the names of the scores, got {shortened(name)}"
        )
        raise TypeError(msg)
    if not isinstance(given, tuple):
        return given, {}
    if len(given) != 2 or not isinstance(given[1], Mapping):
        msg = (
            f"{argument}[{name!r}] must be an index or a tuple (index, dict of parameters), "
            f"got {shortened(given)}"
        )
        raise TypeError(msg)
    return given[0], given[1]


def needs_moments(chosen: tuple[Chosen, ...]) -> bool:
    """Return whether one of the indices needs the moments of memberships."""
    return any(one.index.moments for one in chosen)


class Judged(NamedTuple):
    """Data, and a partition of those objects that are left after noise was treated.

    ``kept`` are the positions of these objects in the data, None for all.
    """

    X: Any
    partition: Partition
    kept: Positions | None
    noise_labels: tuple[Any, ...]

    @classmethod
    def of(cls, X: Any, partition: Partition, reading: Reading) -> Judged:
        kept = None
        if isinstance(partition, Labels):
            partition, kept = treat_one(partition, reading)
        return cls(X, partition, kept, reading.noise_labels)

    @property
    def positions(self) -> Positions:
        return np.arange(self.partition.n_objects) if self.kept is None else self.kept

    def take(self, objects: Positions) -> Judged:
        """Return some of the objects that are left."""
        return self._replace(
            partition=self.partition.with_ids(None).take(objects), kept=self.positions[objects]
        )

    def permuted(self, order: Positions) -> Judged:
        """Give the objects the clusters of others."""
        return self._replace(partition=self.partition.with_ids(None).take(order))

    def value(self, chosen: Chosen) -> float:
        """Evaluate an index; raise UndefinedIndexError if it has no value."""
        return float(self.apply(chosen.index.function, chosen))

    def apply(self, function: Callable[..., Any], chosen: Chosen) -> Any:
        """Call a function with the arguments of an index."""
        index, parameters = chosen.index, chosen.parameters
        X = rows_of_objects(index, self.X, self.kept, parameters)
        return apply_to_data(function, index, X, self.partition, parameters, self.noise_labels)

    def value_or_nan(self, chosen: Chosen) -> float:
        try:
            return self.value(chosen)
        except UndefinedIndexError:
            return float("nan")


class PermutedLabels(NamedTuple):
    """Values of an index for the data and labels that are permuted within blocks."""

    judged: Judged
    chosen: Chosen
    blocks: Positions

    def draw(self, size: int, seed: int) -> FloatArray:
        orders = orders_within(self.blocks, size, seed)
        return np.array([self.judged.permuted(one).value_or_nan(self.chosen) for one in orders])


def reference_of(
    labels_true: Any, X: Any, indices: Iterable[Index], sample_weight: Any = None
) -> Any:
    """Check that indices get what they need: a reference, the data, or both.

    Without a reference, return one cluster of all objects in its place, so that candidates are
    read, checked and counted as others are.
    """
    indices = list(indices)
    judging = [index.name for index in indices if index.needs_data]
    comparing = [index.name for index in indices if not index.needs_data]
    if judging and X is None:
        msg = (
            f"X must be given for {', '.join(judging)}, which evaluates a partition by the data, "
            "got None"
        )
        raise ValueError(msg)
    if X is not None and not judging:
        msg = f"X must be None for {', '.join(comparing)}, which needs no data"
        raise ValueError(msg)
    if comparing and labels_true is None:
        msg = f"labels_true must be given for {', '.join(comparing)}, got None"
        raise ValueError(msg)
    if judging and sample_weight is not None:
        msg = f"sample_weight must be None for {', '.join(judging)}, which takes no weights"
        raise ValueError(msg)
    if comparing:
        return labels_true
    if labels_true is not None:
        msg = (
            f"labels_true must be None for {', '.join(judging)}, which evaluates a partition "
            f"without a reference, got {type(labels_true).__name__}"
        )
        raise ValueError(msg)
    n_objects = X.shape[0] if hasattr(X, "shape") else len(X)
    one = Labels.of_codes(np.zeros(n_objects, np.int64))
    return one._replace(name="X", ids=index_of(X), is_named=False)  # its label is not noise


def treats_noise(given: Mapping[str, Any]) -> bool:
    """Return whether one of the indices of a call gets the labels of noise."""
    argument = "index" if "index" in given else "indices"
    indices = given.get(argument)
    named = _named([] if indices is None else indices, argument)
    return any("noise_label" in one.index.parameters for one in named)
