"""From an argument to a partition: what kind it is, read and checked once.

All input goes through here. A new kind of input has its place in ``read``, or in ``read_labels``
if it is one of labels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from sklearn_clustcompare._partition.covers import refuse_if_no_partition
from sklearn_clustcompare._partition.ids import check_same_objects, index_of
from sklearn_clustcompare._partition.labels import Labels, encode, encode_with_missing
from sklearn_clustcompare._partition.memberships import (
    Memberships,
    Partition,
    as_memberships,
    check_no_labels,
    is_membership_array,
    transposed_hint,
)
from sklearn_clustcompare._partition.options import DEFAULT, Reading
from sklearn_clustcompare._partition.validation import as_sample_weight, check_same_length

# The names of two partitions as arguments of a public function.
NAMES = ("labels_true", "labels_pred")


def read(
    values: Any, name: str, reading: Reading = DEFAULT, *, may_be_image: bool = True
) -> Partition:
    """Read labels (1-D) or memberships (2-D) that a user passed as the argument ``name``.

    Input that was already read is returned unchanged. Memberships of 0 and 1 are returned as
    labels. Rows of other memberships are checked at their first use. Two-dimensional input that
    cannot be memberships is an image of labels, unless ``may_be_image`` is False.
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


def read_pair(
    first: Any,
    second: Any,
    names: tuple[str, str] = NAMES,
    reading: Reading = DEFAULT,
    how: Callable[..., Any] = read,
) -> tuple[Any, Any]:
    """Read two partitions, which must hold the same objects."""
    true = how(first, names[0], reading)
    pred = true if second is first else how(second, names[1], reading)
    check_partners(true, pred)
    return true, pred


def read_beside(partition: Partition, values: Any, name: str) -> Labels:
    """Read further labels of the objects of a partition, such as groups."""
    labels = read_labels(values, name)
    check_partners(partition, labels)
    return labels


def check_partners(first: Partition, *others: Partition) -> None:
    """Raise ValueError unless partitions hold the same objects, by number and by index."""
    indexed, n_objects = first, first.n_objects
    for other in others:
        if other.n_objects != n_objects:
            hint = transposed_hint(first, other)
            check_same_length(n_objects, other.n_objects, (first.name, other.name), hint)
        if indexed.ids is None:
            indexed = other
        else:
            check_same_objects(indexed.ids, other.ids, (indexed.name, other.name))


def check_rows(X: Any, n_rows: int, partition: Partition) -> None:
    """Raise ValueError unless the rows of data are the objects of a partition."""
    names = ("X", partition.name)
    check_same_length(n_rows, partition.n_objects, names)
    check_same_objects(index_of(X), partition.ids, names)


def read_weights(sample_weight: Any, partition: Partition) -> NDArray[Any] | None:
    """Read the weights of the objects of a partition; None means 1 for each of them."""
    if sample_weight is None:
        return None
    check_same_objects(partition.ids, index_of(sample_weight), (partition.name, "sample_weight"))
    return as_sample_weight(sample_weight, partition.n_objects)
