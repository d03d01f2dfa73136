"""Several indices chosen by name, with parameters that go to those that take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices import get_index
from sklearn_clustcompare.indices._record import Index


class ChosenIndices(NamedTuple):
    """Indices, and the values of some of their parameters."""

    indices: tuple[Index, ...]
    parameters: Mapping[str, Any]

    @classmethod
    def by_name(
        cls, names: str | Sequence[str], parameters: Mapping[str, Any], argument: str
    ) -> ChosenIndices:
        """Look up one name or several; ``argument`` is what the caller calls them."""
        several: list[Any] = list(names) if isinstance(names, list | tuple) else [names]
        indices = tuple(map(get_index, several))
        if not indices:
            msg = f"{argument} must name at least one index, got an empty list"
            raise ValueError(msg)
        if len({index.name for index in indices}) < len(indices):
            msg = f"{argument} must name each index once, got {several!r}"
            raise ValueError(msg)
        for name, value in parameters.items():
            # Where none of them takes it, the first one tells.
            for one in [one for one in indices if name in one.parameters] or indices[:1]:
                one.check_parameters(**{name: value})
        return cls(indices, parameters)

    @property
    def names(self) -> list[str]:
        return [index.name for index in self.indices]

    @property
    def moments(self) -> bool:
        """Whether one of them needs the moments of memberships."""
        return any(index.moments for index in self.indices)

    def values(self, table: ContingencyTable) -> list[float]:
        return [
            index(table, **{k: v for k, v in self.parameters.items() if k in index.parameters})
            for index in self.indices
        ]
