"""Labels or memberships, read and checked once."""

from __future__ import annotations

from typing import Any

from sklearn_clustcompare._partition.covers import refuse_if_no_partition
from sklearn_clustcompare._partition.ids import index_of
from sklearn_clustcompare._partition.labels import Labels, encode, encode_with_missing
from sklearn_clustcompare._partition.memberships import (
    Memberships,
    as_memberships,
    check_no_labels,
    is_membership_array,
)
from sklearn_clustcompare._partition.reading import DEFAULT, Reading

Partition = Labels | Memberships


def read(
    values: Any, name: str, reading: Reading = DEFAULT, *, may_be_image: bool = True
) -> Partition:
    """Read labels (1-D) or memberships (2-D) that a user passed as the argument ``name``.

    All input goes through here; input that was already read is returned unchanged. Memberships of 0
    and 1 are returned as labels. Rows of other memberships are checked at their first use.
    Two-dimensional input that cannot be memberships is an image of labels, unless ``may_be_image``
    is False.
    """
    if isinstance(values, (Labels, Memberships)):
        return values
    if not is_membership_array(values):
        return read_labels(values, name, reading)
    memberships = as_memberships(values, name, reading, index_of(values))
    labels = memberships.as_labels()
    if may_be_image:
        check_no_labels(memberships, is_crisp=labels is not None)
    return labels or memberships


def read_labels(values: Any, name: str, reading: Reading = DEFAULT) -> Labels:
    """Read labels where memberships are not allowed."""
    if isinstance(values, Labels):
        return values
    refuse_if_no_partition(values, name)
    number = encode if reading.missing == "error" else encode_with_missing
    labels, ids = number(values, name), index_of(values)
    # Labels of categories have another name, and only some have an index.
    return labels if ids is None and labels.name == name else labels._replace(name=name, ids=ids)


def read_memberships(values: Any, name: str) -> Memberships:
    """Read memberships where labels are not allowed, and keep those of 0 and 1 unchanged."""
    refuse_if_no_partition(values, name)
    return as_memberships(values, name, DEFAULT, index_of(values))
