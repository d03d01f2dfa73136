"""Counts of dask collections: of each block, added up in a tree by dask's scheduler.

dask is imported only if a dask collection is passed, and only counts are sent from the blocks.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from functools import partial, reduce
from typing import Any

from sklearn_clustcompare._partition.validation import check_same_length

_TABLES_PER_SUM = 16


def is_dask(*values: Any) -> bool:
    """Return whether any of the arguments is a dask collection, or contains one."""
    dask = sys.modules.get("dask.base")  # imported by whoever makes a collection
    return dask is not None and any(map(dask.is_dask_collection, values))


def sum_of_blocks(count: Callable[..., Any], collections: dict[str, Any]) -> Any:
    """Call ``count(*blocks)`` for the blocks of each position, and add the results up.

    ``collections`` are dask arrays and Series by the name of the argument; None is ignored.
    """
    from dask.delayed import delayed

    given = {name: value for name, value in collections.items() if value is not None}
    for name, value in given.items():
        _check_collection(name, value, list(given))
    # A block of memberships has all columns.
    given = {
        name: value.rechunk({1: -1}) if hasattr(value, "rechunk") and value.ndim == 2 else value
        for name, value in given.items()
    }
    blocks = [_delayed_blocks(value) for value in _with_equal_blocks(given).values()]
    one_table, total = delayed(_CountBlock(count)), delayed(partial(reduce, operator.add))
    tables = [one_table(number, *parts) for number, parts in enumerate(zip(*blocks, strict=True))]
    while len(tables) > 1:
        tables = [
            total(tables[start : start + _TABLES_PER_SUM])
            for start in range(0, len(tables), _TABLES_PER_SUM)
        ]
    return tables[0].compute()


class _CountBlock:
    """Counts one block, and names it if that fails."""

    def __init__(self, count: Callable[..., Any]) -> None:
        self.count = count

    def __call__(self, number: int, *blocks: Any) -> Any:
        try:
            return self.count(*blocks)
        except (TypeError, ValueError) as error:
            error.add_note(f"in block {number} of the dask collections, counted from its start")
            raise


def _check_collection(name: str, value: Any, names: list[str]) -> None:
    if not is_dask(value):
        msg = (
            f"{' and '.join(names)} must all be dask collections or none of them, "
            f"got {type(value).__name__} for {name}"
        )
        raise TypeError(msg)
    if getattr(value, "ndim", None) not in (1, 2):
        msg = (
            f"{name} must be a dask array or Series of one dimension, or of two for memberships, "
            f"got {type(value).__name__} of {getattr(value, 'ndim', 'no')} dimension(s)"
        )
        raise ValueError(msg)


def _with_equal_blocks(given: dict[str, Any]) -> dict[str, Any]:
    """Divide all collections into the blocks of the first, if these are known."""
    (first_name, first), *others = given.items()
    cut = {first_name: first}
    for name, value in others:
        cut[name] = _cut_like(first, value, (first_name, name))
        if _n_blocks(cut[name]) != _n_blocks(first):
            msg = (
                f"{first_name} and {name} must have equal numbers of blocks, unless both lengths "
                f"are known, got {_n_blocks(first)} and {_n_blocks(value)}: take columns of one "
                "DataFrame, or call compute_chunk_sizes() of both arrays"
            )
            raise ValueError(msg)
    return cut


def _cut_like(first: Any, value: Any, names: tuple[str, str]) -> Any:
    if _is_known_array(first) and _is_known_array(value):
        check_same_length(first.shape[0], value.shape[0], names)
        return value.rechunk({0: first.chunks[0]})
    if _has_divisions(first) and _has_divisions(value):
        old, new = value.divisions, first.divisions
        if (old[0], old[-1]) != (new[0], new[-1]):
            msg = (
                f"{names[0]} and {names[1]} must have the same range of the index, "
                f"got {new[0]} to {new[-1]} and {old[0]} to {old[-1]}"
            )
            raise ValueError(msg)
        return value.repartition(divisions=new) if old != new else value
    return value


def _is_known_array(value: Any) -> bool:
    # An unknown length is NaN.
    return hasattr(value, "rechunk") and not math.isnan(value.shape[0])


def _has_divisions(value: Any) -> bool:
    return bool(getattr(value, "known_divisions", False))


def _n_blocks(value: Any) -> int:
    return int(value.numblocks[0] if hasattr(value, "numblocks") else value.npartitions)


def _delayed_blocks(value: Any) -> list[Any]:
    blocks = value.to_delayed()
    return list(blocks.ravel() if hasattr(blocks, "ravel") else blocks)
