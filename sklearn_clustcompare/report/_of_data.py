"""Indices of the data in a report, for each of the two partitions."""

from __future__ import annotations

from typing import Any

from sklearn_clustcompare._partition import Labels, Reading, read
from sklearn_clustcompare._table import ContingencyTable
from sklearn_clustcompare.indices import INTERNAL_INDICES
from sklearn_clustcompare.indices._chosen import Chosen
from sklearn_clustcompare.indices._judged import Judged
from sklearn_clustcompare.indices._undefined import UndefinedIndexError

# For each index, its values for the reference and for the candidate.
ValuesOfData = dict[str, tuple[float | None, float | None]]

_CHOSEN = [
    Chosen(name, index, {}) for name, index in INTERNAL_INDICES.items() if not index.needs_graph
]


def values_of_data(
    X: Any, sides: tuple[Any, Any], names: tuple[str, str], reading: Reading, **refused: Any
) -> tuple[ValuesOfData, list[str]]:
    """Evaluate both partitions by the data; what is undefined comes as text.

    Raises ValueError if an argument in ``refused`` was given, or for a table.
    """
    for argument, given in refused.items():
        if given is not None:
            msg = f"{argument} must be None where X is given: indices of the data take all objects"
            raise ValueError(msg)
    if isinstance(sides[0], ContingencyTable):
        msg = "X must be None for a contingency table, which has no labels of single objects"
        raise ValueError(msg)
    judged = [
        Judged.of(X, read(side, argument, reading), reading)
        for argument, side in zip(("labels_true", "labels_pred"), sides, strict=True)
    ]
    values: ValuesOfData = {}
    notes = []
    for one in _CHOSEN:
        pair: list[float | None] = [None, None]
        for position, side in enumerate(judged):
            try:
                if isinstance(side.partition, Labels) or one.index.soft:
                    pair[position] = side.value(one)
            except UndefinedIndexError as error:
                notes.append(f"{one.name} of {names[position]} is undefined: {error}")
        values[one.name] = pair[0], pair[1]
    if not all(isinstance(side.partition, Labels) for side in judged):
        notes.append("memberships have only those indices of the data that are defined for them")
    return values, notes
