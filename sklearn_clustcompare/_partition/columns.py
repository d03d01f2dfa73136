"""Partitions as columns of a table, named by the arguments of a function with ``data=``."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._options import did_you_mean, shortened
from sklearn_clustcompare._partition.forms import plain
from sklearn_clustcompare._partition.memberships import column_names
from sklearn_clustcompare._partition.validation import advice

# What pandas, NumPy, Polars, Arrow and torch call types whose values are no labels.
_NO_LABELS = re.compile(
    r"(\w+\.)*((half)?float|double|decimal|complex|date|time|duration|period|interval|list|struct|array\b)",
    re.IGNORECASE,
)
# What pandas and Polars call a column without a name: the index that was written to a file.
_UNNAMED = re.compile(r"(Unnamed: \d+.*)?")
_N_SHOWN = 5
# Objects among which most partitions already have two that are together.
_N_FIRST = 1000


class _Table(NamedTuple):
    """Names of columns, and what returns a column."""

    names: list[Any]
    column: Callable[[Any], Any]

    def has(self, value: Any) -> bool:
        return isinstance(value, Hashable) and value in self.names

    def named(self, value: Any, argument: str) -> Any:
        """Return the column of this name; anything but a name unchanged."""
        if self.has(value):
            return self.column(value)
        if value is None or not np.isscalar(value):
            return value
        names = {str(name): name for name in self.names}
        known = ", ".join(map(shortened, self.names[:_N_SHOWN])) or "none"
        hint = did_you_mean(str(value), names) or f"; the first columns are {known}"
        msg = f"{argument} must name a column of data, got {shortened(value)}{hint}"
        raise ValueError(msg)

    def labels_but(self, used: Iterable[Any], argument: str) -> dict[Any, Any]:
        """Return all columns of labels but ids and those that are used otherwise."""
        used = [one for one in used if isinstance(one, Hashable)]
        columns = {name: self.column(name) for name in self.names if name not in used}
        labels = [(name, values) for name, values in columns.items() if _has_labels(values)]
        return dict(without_ids(labels, argument))


def without_ids(
    columns: Iterable[tuple[Any, Any]], argument: str, *, singletons: bool = False
) -> list[tuple[Any, Any]]:
    """Leave out columns that identify objects, with a warning.

    These have no name, or a value for each object, unless partitions may be ``singletons``.
    Columns that are named one by one are not judged.
    """
    found, left_out = [], []
    for name, values in columns:
        has_no_name = isinstance(name, str) and _UNNAMED.fullmatch(name)
        if has_no_name or (not singletons and _are_all_different(values)):
            left_out.append(name)
        else:
            found.append((name, values))
    if left_out:
        msg = (
            f"{argument}: columns without a name or with a different value for each object are "
            f"ids and no partitions: {', '.join(map(shortened, left_out))}; pass a dict of columns "
            "to take those that you name"
        )
        if not found:
            msg += "; got no other columns"
            raise ValueError(msg)
        warnings.warn(f"{msg}; they are left out", UserWarning, stacklevel=4)
    return found


def _are_all_different(values: Any) -> bool:
    values = plain(values)
    # Text and categories take time as arrays. The head of a series of dask is of one part.
    is_quick = hasattr(values, "head") and not hasattr(values, "dask")
    first = values.head(_N_FIRST) if is_quick else np.asarray(values)[:_N_FIRST]
    return all(_n_distinct(np.asarray(part)) == len(part) > 1 for part in (first, values))


def _n_distinct(array: NDArray[Any]) -> int:
    try:
        return len(np.unique(array)) if array.dtype.kind in "biufmM" else len({*array.tolist()})
    except TypeError:  # no labels, which are refused later
        return 0


def is_column(data: Any, value: Any) -> bool:
    """Return whether a value names a column of a table, if there is one."""
    return data is not None and _table_of(data).has(value)


def in_columns(data: Any, **arguments: Any) -> list[Any]:
    """Return arguments with columns of a table instead of their names.

    Without a table they are returned unchanged, as are arrays and None.
    """
    if data is None:
        return [*arguments.values()]
    table = _table_of(data)
    return [table.named(value, argument) for argument, value in arguments.items()]


def several_in_columns(data: Any, given: Any, argument: str, used: Iterable[Any] = ()) -> Any:
    """Return several partitions, the columns of a table by their names.

    None stands for all columns of labels but those that are ``used`` by other arguments.
    """
    if data is None:
        if isinstance(given, str):
            msg = f"{argument} must be several partitions, got str{advice(given)}"
            raise TypeError(msg)
        return given
    table = _table_of(data)
    if given is None:
        found = table.labels_but(used, argument)
        if not found:
            msg = f"{argument} must be columns of labels in data, which has no others, got None"
            raise ValueError(msg)
        return found
    names = given if isinstance(given, list | tuple) and given not in table.names else [given]
    if all(np.isscalar(name) or name in table.names for name in names):
        return {name: table.named(name, argument) for name in names}
    return given


def _table_of(data: Any) -> _Table:
    names = column_names(data)
    if names is None and hasattr(data, "keys"):
        names = data.keys()
    if names is not None:
        return _Table(list(names), data.__getitem__)
    if hasattr(data, "obs"):
        return _table_of(data.obs)
    hint = "" if isinstance(data, str) else advice(data)
    msg = (
        "data must be a data frame, a mapping of names to columns, or have one of these as obs, "
        f"got {type(data).__name__}{hint}"
    )
    raise TypeError(msg)


def _has_labels(values: Any) -> bool:
    """Return whether a column has a type of labels: no numbers with fractions, and no dates."""
    if getattr(values, "ndim", 1) != 1:
        return False
    kind = getattr(values, "dtype", getattr(values, "type", None))
    return not _NO_LABELS.match(str(np.asarray(values).dtype if kind is None else kind))
