"""Labels of any hashable type as integers.

Integers of a moderate range are used unchanged: no sort, no copy. Other labels are numbered by a
hash table, which for strings and objects is several times faster than sorting.
"""

from __future__ import annotations

import numbers
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from sklearn_clustcompare._kernels import (
    integer_bounds,
    number_codes,
    number_objects,
    number_text,
    number_values,
)
from sklearn_clustcompare._partition.missing import MISSING, missing_advice, missing_entries
from sklearn_clustcompare._partition.validation import (
    as_label_array,
    check_distinct_labels,
    to_array,
    unhashable_label,
)

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

    codes: NDArray[Any]
    low: int
    n_codes: int
    classes: NDArray[Any] | None
    name: str = "labels"
    ids: Any = None
    is_named: bool = True

    @classmethod
    def of_codes(cls, codes: NDArray[Any], classes: NDArray[Any] | None = None) -> Labels:
        """Return the partition of codes that start from zero."""
        n_codes = int(codes.max(initial=-1)) + 1 if classes is None else len(classes)
        return cls(codes, 0, n_codes, classes)

    @property
    def n_objects(self) -> int:
        return len(self.codes)

    def zero_based(self) -> NDArray[np.int64]:
        """Return codes that start from zero, as int64."""
        codes = self.codes.astype(np.int64)
        if self.low:
            # Modulo 2**64, so that neither unsigned nor extreme integers overflow.
            codes -= np.array(self.low % 2**64, np.uint64).astype(np.int64)
        return codes

    def labels_of(self, codes: NDArray[np.intp]) -> NDArray[Any]:
        """Return the labels of the given codes."""
        if self.classes is not None:
            return self.classes[codes]
        if self.low + self.n_codes > 2**63:
            return codes.astype(np.uint64) + np.uint64(self.low)
        return codes + self.low

    def take(self, positions: NDArray[np.intp]) -> Labels:
        """Return the partition of the objects at these positions."""
        return self._replace(codes=self.codes[positions], ids=None)

    def with_ids(self, ids: Any) -> Labels:
        """Return the same partition with another index."""
        return self._replace(ids=ids)

    def compact(self) -> tuple[Labels, NDArray[np.int64]]:
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

    def among_missing(self, is_missing: NDArray[np.bool_]) -> Labels:
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


def _categories(labels: Any) -> tuple[NDArray[Any], NDArray[np.intp]] | None:
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


def encode_together(first: NDArray[Any], second: NDArray[Any]) -> Labels:
    """Encode two lists of labels, one after the other, by value."""
    return encode(joined(first, second), "labels")


def joined(first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any]:
    """Append labels to others, unchanged: NumPy would make text of numbers among text."""
    if first.dtype.kind == second.dtype.kind != "O":
        return np.concatenate([first, second])
    return np.concatenate([as_objects(first), as_objects(second)])


def as_objects(labels: NDArray[Any]) -> NDArray[Any]:
    if labels.dtype.kind == "O":
        return labels
    objects = np.empty(len(labels), dtype=object)
    # As plain objects, dates of nanoseconds would become integers.
    objects[:] = list(labels) if labels.dtype.kind in "mM" else labels.tolist()
    return objects


def _encode_integers(array: NDArray[Any], name: str) -> Labels:
    if len(array) == 0:
        return Labels(array.astype(np.int64), 0, 0, None, name)
    if array.dtype.kind == "b":
        return Labels(array.view(np.uint8), 0, 2, np.array([False, True]), name)
    low, high = integer_bounds(array)
    span = high - low + 1
    if span <= _MAX_SPAN:
        return Labels(array, low, span, None, name)
    return _encode_sorted(array, name)


def _encode_sorted(array: NDArray[Any], name: str) -> Labels:
    classes, codes = number_values(array)
    return Labels(codes, 0, len(classes), classes, name)


def _encode_text(array: NDArray[Any], name: str) -> Labels:
    array = np.ascontiguousarray(array)
    codes, first = number_text(array)
    return _in_sorted_order(codes, array[first], name)


def _encode_objects(array: NDArray[Any], name: str) -> Labels:
    try:
        codes, first = number_objects(array)
    except TypeError:
        raise unhashable_label(array, name) from None
    classes = array[first]
    check_distinct_labels(classes, first, name)
    return _in_sorted_order(codes, classes, name)


def _encode_categories(categories: NDArray[Any], codes: NDArray[np.intp], name: str) -> Labels:
    if (codes < 0).any():
        position = int(np.flatnonzero(codes < 0)[0])
        msg = f"{name} must not contain missing values, got NaN at position {position}"
        raise ValueError(msg + missing_advice(name))
    encoded = encode(categories, name)
    return encoded._replace(codes=encoded.codes[codes])


def _in_sorted_order(codes: NDArray[np.intp], classes: NDArray[Any], name: str) -> Labels:
    """Renumber the codes, in their own memory, by the order of their classes."""
    order = _sort_order(classes)
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(len(order))
    for start in range(0, len(codes), _BLOCK):
        block = codes[start : start + _BLOCK]
        block[:] = rank.take(block)
    return Labels(codes, 0, len(classes), classes[order], name)


def _sort_order(classes: NDArray[Any]) -> NDArray[np.intp]:
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
