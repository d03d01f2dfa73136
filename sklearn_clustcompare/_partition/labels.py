"""Labels of any hashable kind as integers.

Integers of a moderate span pass through untouched: no sort, no copy. Everything else is
numbered by a hash table, which for strings and objects is several times faster than sorting.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._kernels import integer_range, largest_below
from sklearn_clustcompare._partition.validation import (
    as_label_array,
    check_distinct_labels,
    unhashable_label,
)

# Slots of the hash table for text: many times more than most partitions have labels, and few
# enough to stay in cache.
_SLOT_BITS = 16
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_TEXT_BLOCK = 2**13

# Long arrays of labels below this are numbered from zero, whatever the smallest is.
_FEW_LABELS = 2**9
_LONG = 2**16

# A pair of spans below this fits a cell number into int64, wherever the labels start.
_MAX_SPAN = 2**31


class Encoding(NamedTuple):
    """One partition as integers: object k has code ``codes[k] - low`` in ``range(n_codes)``.

    ``classes[code]`` is the label, or None where the label is ``low + code`` itself.
    Not every code need occur.
    """

    codes: NDArray[Any]
    low: int
    n_codes: int
    classes: NDArray[Any] | None

    def zero_based(self) -> NDArray[np.int64]:
        """Return codes that start from zero, as int64."""
        # Modulo 2**64, so that neither unsigned nor extreme integers overflow.
        low = np.array(self.low % 2**64, np.uint64).astype(np.int64)
        return self.codes.astype(np.int64) - low

    def labels_of(self, codes: NDArray[np.intp]) -> NDArray[Any]:
        """Return the labels of the given codes."""
        if self.classes is not None:
            return self.classes[codes]
        if self.low + self.n_codes > 2**63:
            return codes.astype(np.uint64) + np.uint64(self.low)
        return codes + self.low


def encode(labels: Any, name: str) -> Encoding:
    """Number the labels of one partition; ``classes`` come out sorted where they can be."""
    categorical = getattr(labels, "cat", labels)
    if hasattr(categorical, "categories") and hasattr(categorical, "codes"):
        return _encode_categorical(categorical, name)
    array = as_label_array(labels, name)
    if array.dtype.kind in "biu":
        return _encode_integers(array)
    if array.dtype.kind in "mM":
        return _encode_sorted(array)
    if array.dtype.kind in "US" and len(array) > _TEXT_BLOCK:
        return _encode_text(array) or _encode_hashable(array, name)
    return _encode_hashable(array, name)


def encode_together(first: NDArray[Any], second: NDArray[Any]) -> Encoding:
    """Encode two lists of labels, one after the other, by value."""
    if first.dtype.kind == second.dtype.kind and first.dtype.kind != "O":
        both = np.concatenate([first, second])
    else:
        both = np.append(as_objects(first), as_objects(second))
    return encode(both, "labels")


def as_objects(labels: NDArray[Any]) -> NDArray[Any]:
    if labels.dtype.kind == "O":
        return labels
    objects = np.empty(len(labels), dtype=object)
    # As plain objects, dates of nanoseconds would come out as integers.
    objects[:] = list(labels) if labels.dtype.kind in "mM" else labels.tolist()
    return objects


def _encode_integers(array: NDArray[Any]) -> Encoding:
    if len(array) == 0:
        return Encoding(array.astype(np.int64), 0, 0, None)
    if array.dtype.kind == "b":
        return Encoding(array.view(np.uint8), 0, 2, np.array([False, True]))
    if array.dtype in (np.int64, np.uint64) and len(array) > _LONG:
        # As unsigned numbers negative labels are huge: one pass shows that all are small.
        largest = largest_below(array.view(np.uint64), _FEW_LABELS)
        if largest is not None:
            return Encoding(array, 0, largest + 1, None)
    low, high = integer_range(array)
    span = high - low + 1
    if span <= _MAX_SPAN:
        return Encoding(array, low, span, None)
    return _encode_sorted(array)


def _encode_sorted(array: NDArray[Any]) -> Encoding:
    classes, codes = np.unique(array, return_inverse=True)
    return Encoding(codes, 0, len(classes), classes)


def _encode_text(array: NDArray[Any]) -> Encoding | None:
    """Number strings by a hash of their characters, unless two of them share a slot.

    Each slot is represented by one of its strings, and every string is compared with the one
    of its slot: what passes is right whatever the hash.
    """
    if array.dtype.itemsize == 0:
        return None
    array = np.ascontiguousarray(array)
    characters = array.view(np.uint32 if array.dtype.kind == "U" else np.uint8)
    characters = characters.reshape(len(array), -1)
    blocks = [slice(start, start + _TEXT_BLOCK) for start in range(0, len(array), _TEXT_BLOCK)]
    slots = np.empty(len(array), np.int64)
    representative = np.full(2**_SLOT_BITS, -1)
    for block in blocks:
        columns = np.ascontiguousarray(characters[block].T)
        sums = np.zeros(columns.shape[1], np.uint64)
        for column in columns:
            sums += column
            sums *= _MULTIPLIER
        slots[block] = sums >> np.uint64(64 - _SLOT_BITS)
        representative[slots[block]] = np.arange(block.start, block.start + len(sums))
    for block in blocks:
        if not np.array_equal(characters[block], characters[representative[slots[block]]]):
            return None
    occupied = np.flatnonzero(representative >= 0)
    number = np.empty(len(representative), np.int64)
    number[occupied] = np.arange(len(occupied))
    return _in_sorted_order(number[slots], array[representative[occupied]])


def _encode_hashable(array: NDArray[Any], name: str) -> Encoding:
    number: defaultdict[Any, int] = defaultdict(count().__next__)
    # Fixed-width text is hashed as raw bytes, which are cheaper to make than strings.
    raw = f"V{array.dtype.itemsize}" if array.dtype.kind in "US" and array.dtype.itemsize else None
    keys = np.ascontiguousarray(array).view(raw) if raw else array
    try:
        codes = np.fromiter(map(number.__getitem__, keys.tolist()), np.intp, len(array))
    except TypeError:
        raise unhashable_label(array, name) from None
    distinct = list(number)
    if array.dtype.kind == "O":
        check_distinct_labels(
            distinct, lambda label: int(np.flatnonzero(codes == number[label])[0]), name
        )
        classes = np.empty(len(distinct), dtype=object)
        classes[:] = distinct
    else:
        classes = np.array(distinct, dtype=raw or array.dtype).view(array.dtype)
    return _in_sorted_order(codes, classes)


def _encode_categorical(categorical: Any, name: str) -> Encoding:
    codes = np.asarray(categorical.codes)
    if (codes < 0).any():
        position = int(np.flatnonzero(codes < 0)[0])
        msg = f"{name} must not contain missing values, got NaN at position {position}"
        raise ValueError(msg)
    categories = encode(np.asarray(categorical.categories), name)
    return categories._replace(codes=categories.codes[codes])


def _in_sorted_order(codes: NDArray[np.intp], classes: NDArray[Any]) -> Encoding:
    order = _sort_order(classes)
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(len(order))
    return Encoding(rank[codes], 0, len(classes), classes[order])


def _sort_order(classes: NDArray[Any]) -> NDArray[np.intp]:
    try:
        return np.argsort(classes, kind="stable")
    except TypeError:  # labels of kinds that do not compare: any fixed order will do
        keys = [(type(label).__name__, repr(label)) for label in classes]
        return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.intp)
