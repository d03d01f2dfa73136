"""Many partitions, given in any of several forms."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._partition.columns import without_ids
from sklearn_clustcompare._partition.devices import is_on_device, to_host
from sklearn_clustcompare._partition.labels import Labels
from sklearn_clustcompare._partition.memberships import Partition, column_names
from sklearn_clustcompare._partition.options import DEFAULT, Reading
from sklearn_clustcompare._partition.reading import own_name, read
from sklearn_clustcompare._partition.validation import advice

# Partitions per object from which an array seems to be transposed.
_MANY = 100


class Candidate(NamedTuple):
    """One partition out of many, as it was given.

    Its name is its position if it has no other, and its title is its name in messages.
    """

    position: int
    name: Any
    values: Any
    title: str

    def read(self, reading: Reading = DEFAULT) -> Partition:
        """Read it, with labels in the smallest integer type: many are kept or sent to workers."""
        partition = read(self.values, self.title, reading)
        return partition.shrunk() if isinstance(partition, Labels) else partition


class Naming(NamedTuple):
    """How candidates are called: by a noun and their positions, and by names if they have some."""

    noun: str
    are_named: bool

    def candidate(self, position: int, item: tuple[Any, Any]) -> Candidate:
        """Return the candidate at a position, given its name and its values."""
        name, values = item
        title = f"{self.noun} {position}" + (f" ({shortened(name)})" if self.are_named else "")
        return Candidate(position, name, values, title)


class Candidates(NamedTuple):
    """Names and values of partitions that are given one by one, and their number if it is known."""

    items: Iterable[tuple[Any, Any]]
    total: int | None
    naming: Naming

    @property
    def stream(self) -> Iterator[Candidate]:
        """The candidates one by one, once."""
        return (self.naming.candidate(position, item) for position, item in enumerate(self.items))


def each_candidate(
    candidates: Any,
    argument: str,
    noun: str,
    n_objects: int | None = None,
    *,
    singletons: bool = False,
) -> Candidates:
    """Iterate over an array (one partition per row), a list, a mapping, a frame or an iterator.

    Columns of a frame that identify objects are left out, see ``without_ids``.

    Series in a list keep their names if all of them have one, and no two the same.
    ``argument`` is the name of the argument, and ``noun`` the name of one of them in messages.
    ``n_objects`` is the number of objects that each should have, if it is known.
    """
    if is_on_device(candidates):
        candidates = to_host(candidates)
    columns = column_names(candidates)
    is_several = hasattr(candidates, "__iter__") or columns is not None
    if isinstance(candidates, str | bytes) or not is_several:
        msg = (
            f"{argument} must be several partitions: an array with one of them per row, a list, "
            f"a dict, a DataFrame or an iterator; got {type(candidates).__name__}"
            + advice(candidates)
        )
        raise TypeError(msg)
    n_dims = getattr(candidates, "ndim", 2)
    if n_dims < 2:
        msg = (
            f"{argument} must be a 2-D array with one partition per row, or a list of partitions; "
            f"got {n_dims} dimension(s)"
        )
        raise ValueError(msg)
    if columns is not None:
        own = hasattr(candidates, "items")
        items = candidates.items() if own else ((name, candidates[name]) for name in columns)
        kept = without_ids(items, argument, singletons=singletons)
        return Candidates(kept, len(kept), Naming(noun, are_named=True))
    if hasattr(candidates, "items"):  # a mapping may load values only when they are accessed
        return Candidates(candidates.items(), len(candidates.keys()), Naming(noun, are_named=True))
    if len(getattr(candidates, "shape", ())) == 2:
        _check_rows(argument, noun, candidates.shape, n_objects)
    if isinstance(candidates, list | tuple):
        names = [own_name(one) for one in candidates]
        if names and None not in names and len(set(names)) == len(names):
            items = zip(names, candidates, strict=True)
            return Candidates(items, len(names), Naming(noun, are_named=True))
    total = len(candidates) if hasattr(candidates, "__len__") else None
    return Candidates(enumerate(candidates), total, Naming(noun, are_named=False))


def _check_rows(argument: str, noun: str, shape: tuple[int, int], n_objects: int | None) -> None:
    """Refuse an array with objects in its rows, or warn where it seems to be one."""
    msg = f"{argument}: an array has one {noun} per row, got the shape {shape}: is it transposed?"
    if n_objects not in (None, shape[1]) and n_objects == shape[0]:
        raise ValueError(msg + " Pass .T")
    if n_objects is None and shape[0] > _MANY * shape[1]:
        warnings.warn(f"{msg} Then pass .T", UserWarning, stacklevel=4)
