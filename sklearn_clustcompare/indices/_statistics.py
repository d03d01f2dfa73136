"""The statistics that indices are functions of, for given sizes of the clusters.

An index of pairs is a function of the sum of squared cells, one of information of the mutual
information, and others of another sum over the cells. Such an index is declared as that function of
the statistic and the margins: it can be evaluated at a mean, or while clusters merge, and from it
follows the function of a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import Signature, signature
from typing import Any, NamedTuple

from sklearn_clustcompare._table.cell_sums import CellSum
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices._entropies import Information

Parameters = Mapping[str, Any]


class Statistic(NamedTuple):
    """What an index is a function of: "pairs", "information", or "cells" for a sum over them."""

    quantity: str
    declared_sum: CellSum | Callable[..., CellSum] | None = None

    def of(self, table: ContingencyTable, parameters: Parameters) -> Any:
        """Return the SquareSums of a table, its Information or the sum over its cells."""
        if self.quantity == "pairs":
            return table.square_sums
        if self.quantity == "information":
            return Information(table, parameters.get("q", 1.0))
        return self.cell_sum(parameters)(table)

    def cell_sum(self, parameters: Parameters) -> CellSum:
        """Return the sum over the cells for these parameters of the index."""
        declared = self.declared_sum
        assert declared is not None
        return declared if isinstance(declared, CellSum) else declared(**parameters)


@dataclass(frozen=True)
class OfTable:
    """The function of a table that is a function of its statistic and its margins."""

    of_statistic: Callable[..., float]
    statistic: Statistic

    def __call__(self, table: ContingencyTable, **parameters: Any) -> float:
        return self.of_statistic(self.statistic.of(table, parameters), table, **parameters)

    @property
    def __signature__(self) -> Signature:
        _, margins, *parameters = signature(self.of_statistic).parameters.values()
        return Signature([margins.replace(name="table"), *parameters])
