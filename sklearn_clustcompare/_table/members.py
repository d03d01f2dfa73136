"""Several partitions of the same objects, given in any form, as labels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._partition import DEFAULT, Labels, Memberships, Reading, partners
from sklearn_clustcompare._partition.forms import plain
from sklearn_clustcompare._partition.memberships import is_membership_array
from sklearn_clustcompare._partition.several import Candidate, each_candidate


def list_members(partitions: Any) -> list[Candidate]:
    """List the partitions, of which there must be at least one."""
    members = list(each_candidate(partitions, "partitions", "partition").stream)
    if not members:
        msg = "partitions must hold at least one partition, got none"
        raise ValueError(msg)
    return members


def read_labels_of(members: list[Candidate], reading: Reading = DEFAULT) -> list[Labels]:
    """Read all partitions, which must be labels of the same objects."""
    labels = []
    for member in members:
        partition = member.read(reading)
        if isinstance(partition, Memberships) or is_membership_array(plain(member.values)):
            msg = (
                f"{partition.name} must be a 1-D array of labels, got memberships: convert "
                "them to labels first, for example by the largest of each row"
            )
            raise TypeError(msg)
        labels.append(partition)
    return partners(*labels)


def common_cells(codes: Iterable[NDArray[Any]]) -> NDArray[np.intp]:
    """Number the objects by their codes in all partitions, as they appear."""
    first, *others = codes
    cells = in_order_of_appearance(first)
    for more in others:
        cells = product(cells, more)
    return cells


def product(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.intp]:
    """Number the pairs of codes in the order in which they appear.

    The first must be numbers from zero, no more of them than objects; the second is compressed to
    that.
    """
    second = in_order_of_appearance(second)
    return in_order_of_appearance(first * (int(second.max(initial=0)) + 1) + second)


def in_order_of_appearance(codes: NDArray[Any]) -> NDArray[np.intp]:
    """Number codes from zero, in the order in which they appear."""
    _, first, number = np.unique(codes, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.intp)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[number]
