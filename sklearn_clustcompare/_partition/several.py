"""Many partitions, given in any of the forms in which people keep them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare._partition.labels import Encoding


class Candidate(NamedTuple):
    """One partition out of many; its name is its position where it has no other."""

    position: int
    name: Any
    labels: Any
    title: str


class Candidates(NamedTuple):
    """Partitions that are read one by one, and how many there are where that is known."""

    stream: Iterator[Candidate]
    total: int | None


def read_candidates(candidates: Any, argument: str, noun: str) -> Candidates:
    """Read an array (one partition per row), a list, a mapping, a data frame or an iterator.

    ``argument`` is the name of the argument, and ``noun`` what messages call one of them.
    """
    if isinstance(candidates, str | bytes) or not hasattr(candidates, "__iter__"):
        msg = (
            f"{argument} must be several partitions: an array with one of them per row, a list, "
            f"a dict, a DataFrame or an iterator; got {type(candidates).__name__}"
        )
        raise TypeError(msg)
    n_dims = getattr(candidates, "ndim", 2)
    if n_dims < 2:
        msg = (
            f"{argument} must be a 2-D array with one partition per row, or a list of partitions; "
            f"got {n_dims} dimension(s)"
        )
        raise ValueError(msg)
    # Mappings and data frames alike; both may load what is asked for, and no sooner.
    if hasattr(candidates, "items"):
        named = (
            Candidate(position, name, labels, f"{noun} {position} ({name!r})")
            for position, (name, labels) in enumerate(candidates.items())
        )
        return Candidates(named, len(candidates.keys()))
    numbered = (
        Candidate(position, position, labels, f"{noun} {position}")
        for position, labels in enumerate(candidates)
    )
    return Candidates(numbered, len(candidates) if hasattr(candidates, "__len__") else None)


def shrink(encoding: Encoding) -> Encoding:
    """Return the same codes in the smallest type of integers that holds them."""
    low, high = encoding.low, encoding.low + max(encoding.n_codes - 1, 0)
    dtype = np.result_type(np.min_scalar_type(low), np.min_scalar_type(high))
    return encoding._replace(codes=encoding.codes.astype(dtype, copy=False))


def as_labels(partition: Any) -> Any:
    """Return an encoded partition as labels again; memberships stay as they are."""
    if isinstance(partition, Encoding):
        return partition.labels_of(partition.zero_based())
    return partition


def has_index(partition: Any) -> bool:
    """Tell whether a partition has ids of its objects, as those of pandas have."""
    return hasattr(getattr(partition, "index", None), "equals")


def differ_in_index(first: Any, second: Any) -> bool:
    """Tell whether both partitions have ids of their objects, as a Series has, and not the same."""
    if has_index(first) and has_index(second):
        return not first.index.equals(second.index)
    return False
