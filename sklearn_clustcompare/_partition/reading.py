"""From an argument to a partition: what kind it is, read and checked once.

All input goes through here. A new kind of input has its place in ``read``, or in ``read_labels``
if it is one of labels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._partition.columns import is_column
from sklearn_clustcompare._partition.covers import refuse_if_no_partition
from sklearn_clustcompare._partition.forms import plain
from sklearn_clustcompare._partition.ids import (
    ObjectNames,
    check_other_objects,
    index_of,
    order_of,
)
from sklearn_clustcompare._partition.labels import Labels, encode, encode_with_missing
from sklearn_clustcompare._partition.memberships import (
    Memberships,
    Partition,
    as_memberships,
    check_no_labels,
    is_membership_array,
    transposed_hint,
)
from sklearn_clustcompare._partition.named import names_objects, read_named
from sklearn_clustcompare._partition.options import DEFAULT, Reading
from sklearn_clustcompare._partition.validation import as_sample_weight, check_same_length

# The names of two partitions as arguments of a public function.
NAMES = ("labels_true", "labels_pred")


def names_of(
    names: Any, labels_true: Any = None, labels_pred: Any = None, data: Any = None
) -> tuple[str, str]:
    """Return the names of two partitions: those given, else their own, else of the arguments.

    Their own are those of Series, of columns of ``data``, or of both sides of a table alone. None
    for one of the two stands for its name.
    """
    given = (None, None) if names is None else names
    is_pair = isinstance(given, Sequence | np.ndarray) and not isinstance(given, str | bytes)
    if not is_pair or len(given) != 2:
        msg = f"names must be one for the reference and one for the candidate, got {names!r}"
        raise ValueError(msg)
    if labels_pred is None and hasattr(labels_true, "names"):
        own = labels_true.names
    else:
        own = (own_name(one, data) for one in (labels_true, labels_pred))
    choices = zip(given, own, NAMES, strict=True)
    first, second = (str(next(one for one in each if one is not None)) for each in choices)
    return first, second


def own_name(labels: Any, data: Any = None) -> Any:
    """Return the name of a Series or of a column of ``data``, or None."""
    if is_column(data, labels):
        return labels
    # The name of a dask array is a key; a Series of Polars without a name has an empty one.
    if not (hasattr(labels, "index") or hasattr(labels, "to_numpy")):
        return None
    name = getattr(labels, "name", None)
    return None if name == "" else name


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
    values = plain(values)
    if not holds_memberships(values):
        return read_labels(values, name, reading)
    refuse_if_no_partition(values, name)
    memberships = as_memberships(values, name, reading, index_of(values))
    labels = memberships.as_labels()
    if may_be_image:
        check_no_labels(memberships, is_crisp=labels is not None)
    return labels or memberships


def holds_memberships(values: Any) -> bool:
    """Return whether an argument is memberships: an array of two dimensions, and no sets."""
    values = plain(values)
    return not names_objects(values) and is_membership_array(values)


def read_labels(values: Any, name: str, reading: Reading = DEFAULT) -> Labels:
    """Read labels where memberships are not allowed."""
    if isinstance(values, Labels):
        return values
    number = encode if reading.missing == "error" else encode_with_missing
    values = plain(values)
    if names_objects(values):
        return read_named(values, name, number)
    refuse_if_no_partition(values, name)
    labels, ids = number(values, name), index_of(values)
    # Labels of categories have another name, and only some have an index.
    return labels if ids is None and labels.name == name else labels._replace(name=name, ids=ids)


def read_memberships(values: Any, name: str, reading: Reading = DEFAULT) -> Memberships:
    """Read memberships where labels are not allowed, and keep those of 0 and 1 unchanged."""
    refuse_if_no_partition(values, name)
    values = plain(values)
    return as_memberships(values, name, reading, index_of(values))


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
    true, pred = partners(true, pred)
    return true, pred


def read_beside(partition: Partition, values: Any, name: str) -> Labels:
    """Read further labels of the objects of a partition, such as groups."""
    return partners(partition, read_labels(values, name))[1]


def partners(first: Partition, *others: Partition) -> list[Any]:
    """Return partitions of the same objects, in the order of the first.

    Partitions that name their objects are brought to that order; others must have it. Raises
    ValueError if objects differ, by their number or by their index; or if labels are clusters.
    """
    if others and _are_clusters(first) and any(map(_are_clusters, others)):
        msg = (
            f"{first.name} and {others[0].name} must be labels of the objects, got tuples or "
            "frozensets that are all different on both sides: if these are the members of "
            "clusters, pass lists of sets, or make covers by Cover.from_sets if they overlap"
        )
        raise ValueError(msg)
    indexed, n_objects, found = first, first.n_objects, [first]
    for other in others:
        names = indexed.name, other.name
        if other.n_objects != n_objects:
            check_other_objects(indexed.ids, other.ids, names)
            hint = transposed_hint(first, other)
            check_same_length(n_objects, other.n_objects, (first.name, other.name), hint)
        order = order_of(indexed.ids, other.ids, names)
        if order is not None:
            known = (
                ObjectNames(np.arange(n_objects), is_ordered=False)
                if indexed.ids is None
                else indexed.ids
            )
            other = other.take(order).with_ids(known)
        found.append(other)
        if indexed.ids is None:
            indexed = other
    return found


def _are_clusters(side: Partition) -> bool:
    """Return whether labels by position are collections that are all different, as clusters are."""
    if not isinstance(side, Labels) or isinstance(side.ids, ObjectNames) or side.classes is None:
        return False
    is_list = side.classes.dtype.kind == "O" and 0 < side.n_objects == side.n_codes
    return is_list and all(isinstance(one, tuple | frozenset) for one in side.classes.tolist())


def check_rows(X: Any, n_rows: int, partition: Partition) -> None:
    """Raise ValueError unless the rows of data are the objects of a partition."""
    names = ("X", partition.name)
    check_same_length(n_rows, partition.n_objects, names)
    if order_of(index_of(X), partition.ids, names) is not None:
        msg = f"{partition.name} must have the objects of X in their order, got another order"
        raise ValueError(msg)


def read_weights(sample_weight: Any, partition: Partition) -> NDArray[Any] | None:
    """Read the weights of the objects of a partition; None means 1 for each of them."""
    if sample_weight is None:
        return None
    weights, ids = plain(sample_weight), index_of(sample_weight)
    if isinstance(weights, Mapping):
        ids = ObjectNames.of_keys(weights, "sample_weight")
        weights = list(weights.values())
    order = order_of(partition.ids, ids, (partition.name, "sample_weight"))
    weights = as_sample_weight(weights, partition.n_objects)
    return weights if order is None else weights[order]
