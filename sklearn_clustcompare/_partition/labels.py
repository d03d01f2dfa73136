"""Labels of any hashable type as integers, ids of objects, and aligned partitions.

Integers of a moderate range are used unchanged: no sort, no copy. Other labels are numbered by a
hash table, which for strings and objects is several times faster than sorting.
"""

from __future__ import annotations

import functools
import itertools
import numbers
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from sklearn_clustcompare._array_types import Array, IntArray, Mask, Positions
from sklearn_clustcompare._kernels import (
    integer_bounds,
    number_codes,
    number_objects,
    number_text,
    number_values,
)
from sklearn_clustcompare._options import shortened, warn_caller
from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare._partition.arrays import (
    MISSING,
    PartitionLike,
    as_label_array,
    check_distinct_labels,
    check_same_length,
    is_data_array,
    missing_advice,
    missing_entries,
    to_array,
    unhashable_label,
)
from sklearn_clustcompare._rendering import Rows, decimal

# For two ranges below this cell numbers fit into int64, wherever the labels start.
_MAX_SPAN = 2**31

# Codes that are renumbered at once.
_BLOCK = 2**14


class Labels(NamedTuple):
    """One crisp partition that was read: object k is in the cluster of code ``codes[k] - low``.

    Codes lie in ``range(n_codes)``; not all of them need to occur. ``classes[code]`` is the label,
    or None if the label is ``low + code`` itself. ``name`` is the name of the partition in
    messages, ``ids`` the index of a pandas Series, and ``is_named`` is False for memberships of 0
    and 1, whose columns carry no label of noise.
    """

    codes: Array
    low: int
    n_codes: int
    classes: Array | None
    name: str = "labels"
    ids: Any = None
    is_named: bool = True

    @classmethod
    def of_codes(cls, codes: Array, classes: Array | None = None) -> Labels:
        """Return the partition of codes that start from zero."""
        n_codes = int(codes.max(initial=-1)) + 1 if classes is None else len(classes)
        return cls(codes, 0, n_codes, classes)

    @property
    def n_objects(self) -> int:
        return len(self.codes)

    def zero_based(self) -> IntArray:
        """Return codes that start from zero, as int64."""
        codes = self.codes.astype(np.int64)
        if self.low:
            # Modulo 2**64, so that neither unsigned nor extreme integers overflow.
            codes -= np.array(self.low % 2**64, np.uint64).astype(np.int64)
        return codes

    def labels_of(self, codes: Positions) -> Array:
        """Return the labels of the given codes."""
        if self.classes is not None:
            return self.classes[codes]
        if self.low + self.n_codes > 2**63:
            return codes.astype(np.uint64) + np.uint64(self.low)
        return codes + self.low

    def take(self, positions: Positions) -> Labels:
        """Return the partition of the objects at these positions."""
        return self._replace(codes=self.codes[positions], ids=None)

    def with_ids(self, ids: Any) -> Labels:
        """Return the same partition with another index."""
        return self._replace(ids=ids)

    def compact(self) -> tuple[Labels, IntArray]:
        """Number the codes that occur from zero, in their order; count the objects of each."""
        codes = self.zero_based()
        occurring, codes, sizes = number_codes(codes, self.n_codes)
        return self._replace(
            codes=codes, low=0, n_codes=len(occurring), classes=self.labels_of(occurring)
        ), sizes

    def shrunk(self) -> Labels:
        """Return the same codes in the smallest type of integers that holds them."""
        low, high = self.low, self.low + max(self.n_codes - 1, 0)
        dtype = np.result_type(np.min_scalar_type(low), np.min_scalar_type(high))
        return self._replace(codes=self.codes.astype(dtype, copy=False))

    def among_missing(self, is_missing: Mask) -> Labels:
        """Return the partition of more objects, with missing labels as one cluster."""
        known, _ = self.compact()
        codes = np.full(len(is_missing), known.n_codes, np.int64)
        codes[~is_missing] = known.codes
        classes = np.full(known.n_codes + 1, MISSING, dtype=object)
        classes[:-1] = as_objects(known.labels_of(np.arange(known.n_codes)))
        return self._replace(codes=codes, low=0, n_codes=len(classes), classes=classes)

    def rows(self, start: int, stop: int) -> sparse.csr_array:
        """Return objects as memberships of 0 and 1; the partition must be a compact one."""
        codes = self.codes[start:stop]
        ends = np.arange(len(codes) + 1)
        return sparse.csr_array((np.ones(len(codes)), codes, ends), (len(codes), self.n_codes))


def encode(labels: Any, name: str) -> Labels:
    """Number the labels of one partition; ``classes`` are sorted if they can be."""
    categories = _categories(labels)
    if categories is not None:
        return _encode_categories(*categories, name)
    array = as_label_array(labels, name)
    kind = array.dtype.kind
    if kind in "biu":
        return _encode_integers(array, name)
    if kind in "mM":
        return _encode_sorted(array, name)
    if kind in "US":
        return _encode_text(array, name)
    return _encode_objects(array, name)


def encode_with_missing(labels: Any, name: str) -> Labels:
    """Number the labels of one partition; those that are missing come last, as one cluster."""
    categories = _categories(labels)
    if categories is not None:
        is_missing = categories[1] < 0
    else:
        labels = to_array(labels, name)
        if labels.ndim != 1:
            return encode(labels, name)  # raises
        is_missing = missing_entries(labels)
    if not is_missing.any():
        return encode(labels, name)
    known = np.asarray(labels)[~is_missing] if categories is None else labels[~is_missing]
    try:
        return encode(known, name).among_missing(is_missing)
    except (TypeError, ValueError):
        # An error is the same for all labels, but names a position among all of them.
        if categories is None:
            encode(np.where(is_missing, np.zeros(1, labels.dtype), labels), name)
        raise


def _categories(labels: Any) -> tuple[Array, Positions] | None:
    """Return the categories of pandas and the code of each object, or None for other labels."""
    if type(labels) is np.ndarray:
        return None
    categorical = getattr(labels, "cat", labels)
    if hasattr(categorical, "categories") and hasattr(categorical, "codes"):
        return np.asarray(categorical.categories), np.asarray(categorical.codes)
    dtype = getattr(labels, "dtype", None)
    is_text = getattr(dtype, "type", None) is str and hasattr(labels, "factorize")
    # Text of Arrow would first have to become an object for each label.
    if is_text and getattr(dtype, "storage", "pyarrow") == "pyarrow":
        codes, categories = labels.factorize()
        return np.asarray(categories), codes
    return None


def encode_together(first: Array, second: Array) -> Labels:
    """Encode two lists of labels, one after the other, by value."""
    return encode(joined(first, second), "labels")


def joined(first: Array, second: Array) -> Array:
    """Append labels to others, unchanged: NumPy would make text of numbers among text."""
    if first.dtype.kind == second.dtype.kind != "O":
        return np.concatenate([first, second])
    return np.concatenate([as_objects(first), as_objects(second)])


def as_objects(labels: Array) -> Array:
    if labels.dtype.kind == "O":
        return labels
    objects = np.empty(len(labels), dtype=object)
    # As plain objects, dates of nanoseconds would become integers.
    objects[:] = list(labels) if labels.dtype.kind in "mM" else labels.tolist()
    return objects


def _encode_integers(array: Array, name: str) -> Labels:
    if len(array) == 0:
        return Labels(array.astype(np.int64), 0, 0, None, name)
    if array.dtype.kind == "b":
        return Labels(array.view(np.uint8), 0, 2, np.array([False, True]), name)
    low, high = integer_bounds(array)
    span = high - low + 1
    if span <= _MAX_SPAN:
        return Labels(array, low, span, None, name)
    return _encode_sorted(array, name)


def _encode_sorted(array: Array, name: str) -> Labels:
    classes, codes = number_values(array)
    return Labels(codes, 0, len(classes), classes, name)


def _encode_text(array: Array, name: str) -> Labels:
    array = np.ascontiguousarray(array)
    codes, first = number_text(array)
    return _in_sorted_order(codes, array[first], name)


def _encode_objects(array: Array, name: str) -> Labels:
    try:
        codes, first = number_objects(array)
    except TypeError:
        raise unhashable_label(array, name) from None
    classes = array[first]
    check_distinct_labels(classes, first, name)
    return _in_sorted_order(codes, classes, name)


def _encode_categories(categories: Array, codes: Positions, name: str) -> Labels:
    if (codes < 0).any():
        position = int(np.flatnonzero(codes < 0)[0])
        msg = f"{name} must not contain missing values, got NaN at position {position}"
        raise ValueError(msg + missing_advice(name))
    encoded = encode(categories, name)
    return encoded._replace(codes=encoded.codes[codes])


def _in_sorted_order(codes: Positions, classes: Array, name: str) -> Labels:
    """Renumber the codes, in their own memory, by the order of their classes."""
    order = _sort_order(classes)
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(len(order))
    for start in range(0, len(codes), _BLOCK):
        block = codes[start : start + _BLOCK]
        block[:] = rank.take(block)
    return Labels(codes, 0, len(classes), classes[order], name)


def _sort_order(classes: Array) -> Positions:
    try:
        order = np.argsort(classes, kind="stable")
    except TypeError:  # labels of types that cannot be compared: any fixed order
        keys = [_sort_key(label) for label in classes]
        return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.intp)
    try:
        values = classes[order].astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        return order
    return order[np.argsort(values, kind="stable")]  # numbers as text by their values


def _sort_key(label: Any) -> tuple[Any, ...]:
    """Return a key by which numbers come first, in their order, and missing labels last."""
    is_number = isinstance(label, numbers.Real | np.bool_)
    number = label if is_number else 0
    return label is MISSING, not is_number, number, type(label).__name__, repr(label)


_ALIGN = (
    "; pass unmatched='drop' or 'singleton' where a function takes it, or bring them together with "
    "align_partitions"
)
# Objects that a message names.
_N_SHOWN = 5

_known_unmatched = one_of("drop", "singleton")


@dataclass(frozen=True, repr=False)
class _Unmatched:
    """The label of an object in the partition that does not have it: a cluster of its own."""

    id: Any

    def __repr__(self) -> str:
        return f"<unmatched {self.id!r}>"


class AlignedPartitions(Rows):
    """Two partitions of the same objects; made by :func:`align_partitions`.

    Printed, and as HTML in a notebook, it shows a row for each object. All parameters are
    attributes of the same names, which cannot be set; ``labels`` has both partitions as a tuple, to
    pass on.

    Parameters
    ----------
    labels_true : ndarray of shape (n_objects,)
        Labels of the objects in the reference: of the common ones, in the order of the reference,
        or with ``unmatched="singleton"`` of all objects, with those of the candidate only at the
        end.
    labels_pred : ndarray of shape (n_objects,)
        Labels of the same objects in the candidate, in the same order.
    ids : ndarray of shape (n_objects,)
        Ids of these objects.
    coverage : float
        Common objects as a share in (0, 1] of the objects that occur in either partition.

    See Also
    --------
    align_partitions : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare.candidates import align_partitions
    >>> aligned = align_partitions(
    ...     [0, 0, 1], ["x", "y", "y"], ids_true=[11, 12, 13], ids_pred=[13, 12, 11]
    ... )
    >>> aligned.ids
    array([11, 12, 13])
    >>> aligned.labels_pred
    array(['y', 'y', 'x'], dtype=object)
    """

    labels_true: Array
    labels_pred: Array
    ids: Array
    coverage: float
    _names = ("ids", "labels_true", "labels_pred")

    @property
    def labels(self) -> tuple[Array, Array]:
        """Both partitions, to pass on: ``adjusted_rand_score(*aligned.labels)``."""
        return self.labels_true, self.labels_pred

    def _headline(self) -> str:
        return f"AlignedPartitions: {len(self.ids)} objects, coverage {decimal(self.coverage)}"

    def _columns(self) -> list[tuple[str, Any]]:
        return [(name, getattr(self, name)) for name in self._names]


def align_partitions(
    labels_true: PartitionLike,
    labels_pred: PartitionLike,
    *,
    ids_true: Any = None,
    ids_pred: Any = None,
    unmatched: str = "drop",
) -> AlignedPartitions:
    """Align two partitions of different sets of objects by ids of the objects.

    Functions of this package compare labels by position, as scikit-learn does, and raise an error
    for two Series whose indexes show that positions belong to different objects. If objects are
    missing or in another order, align first, then compare:
    ``adjusted_rand_score(*align_partitions(first, second).labels)``.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_true,) and (n_pred,), or dict
        Labels of any hashable kind; if no ids are given, pandas Series, or dicts, whose keys are
        the ids.
    ids_true, ids_pred : array-like of shape (n_true,) and (n_pred,), default=None
        Ids of the objects: integers, strings, dates or any hashable objects. None takes the index
        of the Series.
    unmatched : {"drop", "singleton"}, default="drop"
        How to treat objects of one partition only: leave them out, or make each a cluster of its
        own in the other partition, with a label such as ``<unmatched 'ann'>``. The latter counts
        missing and additional objects as errors; with it, the variation of information is no
        metric (see Notes).

    Returns
    -------
    AlignedPartitions
        With ``labels_true``, ``labels_pred``, ``ids`` and ``coverage``, the number of common
        objects divided by the number of objects that occur in either partition.

    Raises
    ------
    ValueError
        If an id occurs twice in a partition (the message names it), if there are not as many ids as
        labels, if no object is common, or if ``unmatched`` is not one of its options.
    TypeError
        If labels without ids are neither dicts nor pandas Series.

    Warns
    -----
    UserWarning
        If objects are left out.

    See Also
    --------
    ContingencyTable.from_labels : Counts the aligned labels.
    partial_partition_distance : A metric on partitions of different objects.

    Notes
    -----
    With ``unmatched="singleton"`` the variation of information is no metric, since it is divided by
    the number of objects that either partition has, which differs from pair to pair. From {a: 0} to
    {a: 0, b: 1} it is 0 although they differ, from there to {a: 0, c: 0} it is (2/3) log 2, and
    directly it is log 2, which is more. Use :func:`partial_partition_distance`.

    Examples
    --------
    >>> from sklearn_clustcompare import adjusted_rand_score
    >>> from sklearn_clustcompare.candidates import align_partitions
    >>> aligned = align_partitions(
    ...     [0, 0, 1, 1], ["x", "y", "y", "x"], ids_true=list("abcd"), ids_pred=list("dcba")
    ... )
    >>> aligned.labels_pred
    array(['x', 'y', 'y', 'x'], dtype=object)
    >>> aligned.coverage
    1.0
    >>> adjusted_rand_score(*aligned.labels)
    -0.5
    >>> aligned = align_partitions(
    ...     [0, 0, 1], [7, 7], ids_true=[1, 2, 3], ids_pred=[3, 4], unmatched="singleton"
    ... )
    >>> aligned.ids, round(aligned.coverage, 2)
    (array([1, 2, 3, 4]), 0.25)
    >>> aligned.labels_pred.tolist()
    [<unmatched 1>, <unmatched 2>, 7, 7]
    """
    _known_unmatched("unmatched", unmatched)
    first = _identified(labels_true, ids_true, ("labels_true", "ids_true"))
    second = _identified(labels_pred, ids_pred, ("labels_pred", "ids_pred"))
    names = "labels_true and labels_pred"
    common = common_objects((first.ids, second.ids), names, unmatched)
    places = zip((first.labels, second.labels), common.places, strict=True)
    sides = [labels[place] for labels, place in places]
    if unmatched == "singleton":
        for number, is_new in enumerate(common.places < 0):
            sides[number] = as_objects(sides[number])
            sides[number][is_new] = _unmatched(common.ids[is_new])
    else:
        common.warn(names)
    return AlignedPartitions(sides[0], sides[1], common.ids, common.coverage)


def _unmatched(ids: Array) -> Array:
    """Return the labels of objects that a partition does not have."""
    labels = np.empty(len(ids), object)
    labels[:] = [_Unmatched(one) for one in as_objects(ids).tolist()]
    return labels


def with_singletons(labels: Labels, positions: Positions, ids: Array) -> Labels:
    """Return the labels of other objects, at these positions; -1 for a cluster of its own."""
    is_new = positions < 0
    codes = np.empty(len(ids), np.int64)
    codes[~is_new] = labels.zero_based()[positions[~is_new]]
    codes[is_new] = labels.n_codes + np.arange(np.count_nonzero(is_new))
    known = as_objects(labels.labels_of(np.arange(labels.n_codes)))
    classes = np.concatenate([known, _unmatched(ids[is_new])])
    names = ObjectNames(ids, is_ordered=False)
    return Labels(codes, 0, len(classes), classes, labels.name, names, labels.is_named)


# --------------------------------------------------------------------------- ids of objects


class ObjectNames:
    """What a partition calls its objects: keys of a dict, or members of sets.

    If they have an order (``is_ordered``), they may be compared in it with an array. The objects of
    sets have none, nor have those brought together by ``unmatched``; they are sorted if they can
    be. Numbers from 0 without a gap are positions. Of those that are the kept part of several
    partitions' (``is_part``), weights and groups may name more; ``n_left_out`` others were not.
    """

    def __init__(
        self,
        values: Array,
        *,
        is_ordered: bool = True,
        is_part: bool = False,
        n_left_out: int = 0,
    ) -> None:
        self.values = values
        self.is_ordered = is_ordered
        self.is_part = is_part
        self.n_left_out = n_left_out

    @classmethod
    def of_keys(cls, keys: Any, name: str) -> ObjectNames:
        """Return the keys of a dict, whose order means nothing if they are positions."""
        names = cls(read_ids(list(keys), f"keys of {name}"))
        names.is_ordered = not are_positions(names)
        return names

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.values.dtype

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        return self.values

    def to_numpy(self) -> Array:
        return self.values

    def equals(self, other: Any) -> bool:
        return len(self) == len(other) and self.values.tolist() == np.asarray(other).tolist()


def index_of(values: Any) -> Any:
    """Return the index of a pandas Series or DataFrame, or of a DataArray; None for others."""
    if type(values) is np.ndarray:
        return None
    if is_data_array(values):
        return values.indexes.get(values.dims[0]) if values.ndim else None
    index = getattr(values, "index", None)
    return index if hasattr(index, "equals") else None


def order_of(
    first: Any, second: Any, names: tuple[str, str], advice: str = _ALIGN
) -> Positions | None:
    """Return where the objects of an index are in another, or None for a comparison by position.

    Names of objects that a partition consists of, such as the keys of a dict, are brought together;
    two indexes of pandas are not. Numbers from 0 without a gap are positions in an array. Raises
    ValueError if the objects differ.
    """
    is_part = isinstance(first, ObjectNames) and first.is_part and second is not None
    for one, other, name, others in ((first, second, *names), (second, first, *names[::-1])):
        if not isinstance(one, ObjectNames) or one.is_ordered or other is not None:
            continue
        if not are_positions(one):
            msg = (
                f"{others} must name its objects, as a dict or a Series does, since those of "
                f"{name} are known by name alone: they are of sets, or matched by unmatched="
            )
            raise ValueError(msg)
        order = one.values if one is first else np.argsort(one.values)
        return None if np.array_equal(order, np.arange(len(one))) else order.astype(np.intp)
    are_names = isinstance(first, ObjectNames) or isinstance(second, ObjectNames)
    if first is None or second is None or not are_names:
        check_same_objects(first, second, names)
        return None
    ours, theirs = map(read_ids, (first, second), [f"objects of {name}" for name in names])
    return matching_order(ours, theirs, names, advice, is_part=is_part)


def matching_order(
    first: Array, second: Array, names: tuple[str, str], advice: str = "", *, is_part: bool = False
) -> Positions | None:
    """Return where the objects of one list are in another, or None if the order is the same.

    Raises ValueError unless both name the same objects, each of them once; the other one may have
    more if those of the first are a part.
    """
    order = places_among(first, second)
    positions = np.arange(len(second))
    if np.array_equal(order, positions):
        return None
    lacks = bool((order < 0).any())
    if lacks or (len(first) != len(second) and not is_part):
        only = first[order < 0] if lacks else second[~np.isin(positions, order)]
        msg = (
            f"{names[0]} and {names[1]} must have the same objects, got {_few(only)} in "
            f"{names[0 if lacks else 1]} only{advice}"
        )
        raise ValueError(msg)
    return order


def places_among(ids: Array, others: Array) -> Positions:
    """Return where objects are among others, each of which occurs once; -1 for those that lack."""
    ours, theirs = number_ids([ids, others])
    places = np.full(max(ours.max(initial=-1), theirs.max(initial=-1)) + 1, -1)
    places[theirs] = np.arange(len(theirs))
    return places[ours]


def check_other_objects(first: Any, second: Any, names: tuple[str, str]) -> None:
    """Raise ValueError for two indexes of different lengths, unless they only count the objects."""
    if first is None or second is None or (_is_default(first) and _is_default(second)):
        return
    ours, theirs = map(read_ids, (first, second), [f"objects of {name}" for name in names])
    lengths = f"; they must have the same length, got {len(ours)} and {len(theirs)}"
    matching_order(ours, theirs, names, lengths + _ALIGN)


def _few(ids: Array) -> str:
    shown = ", ".join(map(shortened, ids[:_N_SHOWN].tolist()))
    return f"{shown}, ... ({len(ids)})" if len(ids) > _N_SHOWN else shown


def check_same_objects(first: Any, second: Any, names: tuple[str, str]) -> None:
    """Raise ValueError if two indexes, or None, contradict a comparison by position.

    Equal indexes are compared by position. So is a default index, 0 to n - 1, with one that is not
    a reordering of it, such as a copy of some rows with a new Series. Any other difference would
    silently compare the wrong objects.
    """
    if first is None or second is None or first.equals(second):
        return
    if len(first) == len(second) and (
        (_is_default(first) and not are_positions(second))
        or (_is_default(second) and not are_positions(first))
    ):
        return
    what = "hold the same objects in the same order" if len(first) == len(second) else "match"
    msg = (
        f"{names[0]} and {names[1]} must have the same index, got indexes that do not {what}: "
        "bring them together by their index with unmatched='drop' or align_partitions, or compare "
        "them by position with .to_numpy()"
    )
    raise ValueError(msg)


def _is_default(index: Any) -> bool:
    if type(index).__name__ == "RangeIndex":
        return bool(index.start == 0 and index.step == 1)
    return bool(
        index.dtype.kind in "iu" and np.array_equal(index.to_numpy(), np.arange(len(index)))
    )


def are_positions(index: Any) -> bool:
    """Return whether an index is 0 to n - 1 in any order."""
    return bool(
        getattr(index.dtype, "kind", "O") in "iu"
        and np.array_equal(np.sort(index.to_numpy()), np.arange(len(index)))
    )


# --------------------------------------------------------------------------- common objects


class CommonObjects(NamedTuple):
    """Objects of several partitions in the order in which they appear, and their positions in each.

    ``places`` has a row for each partition, with -1 for the objects that it does not have.
    """

    ids: Array
    places: Positions
    n_common: int
    n_objects: int

    @property
    def coverage(self) -> float:
        """Common objects as a share of the objects that occur in any of the partitions."""
        return self.n_common / self.n_objects

    def warn(self, names: str) -> None:
        """Warn about objects that are left out."""
        if self.n_common < self.n_objects:
            warn_caller(
                f"coverage is {self.coverage:.1%}: {self.n_common} of {self.n_objects} objects are "
                f"in {names}, the others are left out"
            )


def common_objects(ids: Sequence[Array], names: str, unmatched: str = "drop") -> CommonObjects:
    """Bring the objects of several partitions together by their ids, each once in a partition.

    Those that not all partitions have are left out, unless each is to be a "singleton".
    """
    numbers = number_ids(ids)
    together = np.concatenate(numbers)
    in_all = np.bincount(together) == len(ids)
    n_common, n_objects = int(np.count_nonzero(in_all)), len(in_all)
    places = np.full((len(ids), n_objects), -1, np.intp)
    for place, own in zip(places, numbers, strict=True):
        place[own] = np.arange(len(own))
    if not n_common:
        msg = f"{names} must have an object in common, got none"
        raise ValueError(msg)
    if unmatched == "drop":
        kept = numbers[0][in_all[numbers[0]]]
        return CommonObjects(ids[0][places[0, kept]], places[:, kept], n_common, n_objects)
    appearing = np.sort(np.unique(together, return_index=True)[1])
    objects = functools.reduce(joined, ids)[appearing]
    return CommonObjects(objects, places[:, together[appearing]], n_common, n_objects)


def number_ids(ids: Sequence[Array]) -> list[IntArray]:
    """Number the objects of several partitions by their ids; equal ids get equal numbers."""
    together = functools.reduce(joined, ids) if ids else np.zeros(0, np.int64)
    codes = encode(together, "ids").compact()[0].codes
    ends = itertools.accumulate(map(len, ids), initial=0)
    return [codes[start:stop] for start, stop in itertools.pairwise(ends)]


def read_ids(values: Any, name: str) -> Array:
    """Return what identifies objects as a new array; raise ValueError if an id occurs twice."""
    ids = as_label_array(values, name).copy()
    codes = encode(ids, name).zero_based()
    order = np.argsort(codes, kind="stable")
    repeated = np.flatnonzero(np.diff(codes[order]) == 0)
    if len(repeated):
        first, second = order[repeated[0] : repeated[0] + 2].tolist()
        msg = (
            f"{name} must name each object once, got {shortened(ids[[first]].tolist()[0])} "
            f"at positions {first} and {second}"
        )
        raise ValueError(msg)
    return ids


def ids_of(index: Any, name: str) -> Array:
    """Return the index of a partition as an array of ids, of which each occurs once."""
    if index is None:
        msg = (
            f"{name} must be a dict, a pandas Series or a DataFrame of memberships to be aligned, "
            "or come with the ids of its objects where a function takes them"
        )
        raise TypeError(msg)
    return read_ids(index, f"index of {name}")


class _Identified(NamedTuple):
    """Labels of one partition and the ids of its objects, each of which occurs once."""

    labels: Array
    ids: Array


def _identified(labels: PartitionLike, ids: Any, names: tuple[str, str]) -> _Identified:
    if isinstance(labels, Mapping):
        ids = list(labels) if ids is None else ids
        labels = list(labels.values())
    if ids is None and index_of(labels) is None:
        msg = (
            f"{names[0]} must be a dict or a pandas Series where no ids are given, "
            f"got {type(labels).__name__}"
        )
        raise TypeError(msg)
    ids_name = f"index of {names[0]}" if ids is None else names[1]
    label_array = as_label_array(labels, names[0])
    id_array = read_ids(index_of(labels) if ids is None else ids, ids_name)
    check_same_length(len(label_array), len(id_array), (names[0], ids_name))
    return _Identified(label_array, id_array)
