"""Several partitions of the same objects, given in any form, as labels."""

from __future__ import annotations

from typing import Any

from sklearn_clustcompare._partition import Labels, Memberships
from sklearn_clustcompare._partition.ids import check_same_objects
from sklearn_clustcompare._partition.several import Candidate, each_candidate
from sklearn_clustcompare._table.contingency import check_partners


def list_members(partitions: Any) -> list[Candidate]:
    """List the partitions, of which there must be at least one."""
    members = list(each_candidate(partitions, "partitions", "partition").stream)
    if not members:
        msg = "partitions must hold at least one partition, got none"
        raise ValueError(msg)
    return members


def read_labels_of(members: list[Candidate]) -> list[Labels]:
    """Read all partitions, which must be labels of the same objects."""
    read = [member.read() for member in members]
    labels = []
    for partition in read:
        if isinstance(partition, Memberships) or not partition.is_named:
            msg = (
                f"{partition.name} must be a 1-D array of labels, got memberships: convert "
                "them to labels first, for example by the largest of each row"
            )
            raise TypeError(msg)
        labels.append(partition)
    indexed = [partition for partition in labels if partition.ids is not None]
    for other in labels[1:]:
        check_partners(labels[0], other)
    for other in indexed[1:]:
        check_same_objects(indexed[0].ids, other.ids, (indexed[0].name, other.name))
    return labels
