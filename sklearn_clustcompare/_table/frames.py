"""Frames of counts, of any package."""

from __future__ import annotations

from typing import Any

import numpy as np

from sklearn_clustcompare._partition.ids import index_of
from sklearn_clustcompare._partition.memberships import column_names

# Rows and columns that are not empty, from which on totals without names are no chance.
_FEWEST_WITH_TOTALS = 4


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
    names, has_index = list(names), index_of(counts) is not None
    if has_index:
        check_no_totals(_numbers_of(counts, names), counts.index, names)
    if index is None and not has_row_labels:
        _check_all_counts(counts, names, has_index=has_index)
    if index is None and has_index:
        return counts, counts.index, names
    if index is not None:
        if index not in names or len(names) < 2:
            msg = f"index must be one of several columns of counts, {names}, got {index!r}"
            raise ValueError(msg)
        names.remove(index)
    columns = [np.asarray(counts[name]) for name in names]
    rows = None if index is None else counts[index]
    return np.column_stack(columns), rows, names


def _numbers_of(counts: Any, names: list[Any]) -> Any:
    columns = [np.asarray(counts[name]) for name in names]
    if any(one.ndim > 1 or one.dtype.kind not in "iuf" for one in columns):
        return np.zeros((0, 0))  # no counts, which are refused later
    return np.column_stack(columns)


def check_no_totals(counts: Any, row_names: Any, col_names: Any) -> None:
    """Raise ValueError if the last row and the last column are the sums of all others.

    A table of few clusters may be so by chance, unless names show that they are totals.
    """
    by_row, by_col = (np.asarray(counts.sum(axis=axis)).ravel() for axis in (1, 0))
    are_named = _are_totals(row_names) and _are_totals(col_names)
    if min(map(np.count_nonzero, (by_row, by_col))) < (2 if are_named else _FEWEST_WITH_TOTALS):
        return
    last = [
        side if isinstance(side, np.ndarray) else side.toarray().ravel()
        for side in (counts[:, [-1]], counts[[-1], :])
    ]
    # Twice the totals are the sums of rows and columns that end in them.
    if all(
        np.allclose(2.0 * one.ravel(), sums, rtol=1e-9, atol=0)
        for one, sums in zip(last, (by_row, by_col), strict=True)
    ):
        msg = (
            "counts must not contain totals, but the last row and the last column are the sums of "
            "all others: leave them out, as pandas.crosstab without margins=True or "
            "counts.iloc[:-1, :-1] does; if they are clusters, put them first"
        )
        raise ValueError(msg)


def _are_totals(names: Any) -> bool:
    """Return whether the last name is that of totals, as pandas and R call them."""
    return names is not None and str([*names][-1]).lower() in ("all", "sum", "total", "totals")


def _check_all_counts(counts: Any, names: list[Any], *, has_index: bool) -> None:
    """Raise ValueError if a column of a frame seems to name the rows.

    Its name shows it among numbers, or its values: a pivot, of a package without an index, has the
    names of the rows in the first column, and no two of them are equal.
    """
    are_numbers = [str(name).lstrip("-").isdecimal() for name in names]
    for name, is_number in zip(names, are_numbers, strict=True):
        values = np.asarray(counts[name])
        is_other = not is_number and sum(are_numbers) == len(names) - 1
        is_first = name == names[0] and not has_index
        if values.dtype.kind not in "biuf" or (
            len(names) > 1
            and (is_other or (is_first and _may_name_rows(values, any_values=not all(are_numbers))))
        ):
            msg = (
                f"counts must have counts in all columns, but column {name!r} seems to name the "
                f"rows: pass index={name!r}, or row_labels if it does not"
            )
            raise ValueError(msg)


def _may_name_rows(values: Any, *, any_values: bool) -> bool:
    """Return whether values are whole and all differ, or are numbered from 0 or 1 in any order."""
    if any_values:
        is_whole = bool((values == np.floor(values)).all())  # not where one is missing
        return is_whole and len(np.unique(values)) == len(values)
    n_rows = len(values)
    starts = (0, 1) if n_rows > 1 else ()
    return any(np.array_equal(np.sort(values), start + np.arange(n_rows)) for start in starts)
