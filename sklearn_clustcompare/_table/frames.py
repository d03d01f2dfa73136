"""Frames of counts, of any package."""

from __future__ import annotations

from typing import Any

import numpy as np

from sklearn_clustcompare._partition.ids import index_of
from sklearn_clustcompare._partition.memberships import column_names


def frame_of_counts(counts: Any, index: Any, *, has_row_labels: bool) -> Any:
    """Return the counts of a frame, and the names of its rows and columns; None for no frame.

    The names of the rows are the index of pandas, the column that ``index`` names, or None.
    """
    names = column_names(counts)
    if names is None:
        if index is not None:
            msg = f"index must be None unless counts are a frame, got {index!r}"
            raise TypeError(msg)
        return None
    if index is None and index_of(counts) is not None:
        return counts, counts.index, names
    names = list(names)
    if index is None and not has_row_labels:
        _check_all_counts(counts, names)
    if index is not None:
        if index not in names or len(names) < 2:
            msg = f"index must be one of several columns of counts, {names}, got {index!r}"
            raise ValueError(msg)
        names.remove(index)
    columns = [np.asarray(counts[name]) for name in names]
    rows = None if index is None else counts[index]
    return np.column_stack(columns), rows, names


def _check_all_counts(counts: Any, names: list[Any]) -> None:
    """Raise ValueError if a column of a frame without an index seems to name the rows."""
    are_numbers = [str(name).lstrip("-").isdecimal() for name in names]
    for name, is_number in zip(names, are_numbers, strict=True):
        values = np.asarray(counts[name])
        is_first = name == names[0] and len(values) > 1
        numbered = is_first and any(
            np.array_equal(np.sort(values), start + np.arange(len(values))) for start in (0, 1)
        )
        if (
            values.dtype.kind not in "biuf"
            or (not is_number and len(names) > 1 and sum(are_numbers) == len(names) - 1)
            or numbered
        ):
            msg = (
                f"counts must have counts in all columns, but column {name!r} seems to name the "
                f"rows: pass index={name!r}, or row_labels if it does not"
            )
            raise ValueError(msg)
