"""Several indices chosen by name or record, with their parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices._record import Index
from sklearn_clustcompare.indices._registry import get_index, reference_index


@dataclass(frozen=True)
class Chosen:
    """An index with values of its parameters, and the name of its scores."""

    name: str
    index: Index
    parameters: Mapping[str, Any]

    @cached_property
    def evaluate(self) -> Callable[[ContingencyTable], float]:
        """Function of a table with objects; the parameters were checked when it was chosen."""
        return partial(self.index.function, **self.parameters)

    def value(self, table: ContingencyTable) -> float:
        return self.index(table, **self.parameters)


def choose(
    indices: Any, parameters: Mapping[str, Any], argument: str, *, with_data: bool = False
) -> tuple[Chosen, ...]:
    """Look up one index, several, or a mapping of names to indices with their parameters.

    ``argument`` is their name for the caller; ``with_data`` admits indices that need the data. Each
    of the common parameters is passed to the indices that take it; parameters given for one index
    in a mapping take precedence.
    """
    named = _named(indices, argument)
    if not with_data:
        for _, index, _ in named:
            reference_index(index)
    if not named:
        msg = f"{argument} must name at least one index, got an empty {type(indices).__name__}"
        raise ValueError(msg)
    names = [name for name, _, _ in named]
    if len(set(names)) < len(names):
        msg = (
            f"{argument} must name each index once, got {names!r}; a dict of names to "
            "(index, parameters) computes one with several parameters"
        )
        raise ValueError(msg)
    for name, value in parameters.items():
        takers = [index for _, index, _ in named if name in index.parameters]
        # If no index takes it, the first one raises the error.
        for index in takers or [named[0][1]]:
            index.check_parameters(**{name: value})
    chosen = []
    for name, index, own in named:
        index.check_parameters(**own)
        common = {key: value for key, value in parameters.items() if key in index.parameters}
        chosen.append(Chosen(name, index, common | own))
    return tuple(chosen)


def _named(indices: Any, argument: str) -> list[tuple[str, Index, dict[str, Any]]]:
    if isinstance(indices, Mapping):
        return [(name, *_with_parameters(name, one, argument)) for name, one in indices.items()]
    several = indices if isinstance(indices, list | tuple) else [indices]
    return [(index.name, index, {}) for index in map(get_index, several)]


def _with_parameters(name: Any, given: Any, argument: str) -> tuple[Index, dict[str, Any]]:
    if not isinstance(name, str):
        msg = f"{argument} must have strings as keys, the names of the scores, got {name!r}"
        raise TypeError(msg)
    if not isinstance(given, tuple):
        return get_index(given), {}
    if len(given) != 2 or not isinstance(given[1], Mapping):
        msg = (
            f"{argument}[{name!r}] must be an index or a tuple (index, dict of parameters), "
            f"got {given!r}"
        )
        raise TypeError(msg)
    return get_index(given[0]), dict(given[1])


def needs_moments(chosen: tuple[Chosen, ...]) -> bool:
    """Return whether one of the indices needs the moments of memberships."""
    return any(one.index.moments for one in chosen)
