"""Soft partitions: memberships, checked block by block, their moments, and noise.

A soft partition is an array U of shape (n_samples, n_clusters), dense or sparse. All results are
sums over the objects, computed block by block: each block is checked, converted and multiplied
while it is in the cache, without temporaries of the size of the input.
"""

from __future__ import annotations

import contextlib
import copy
import math
import numbers
import operator
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from itertools import repeat
from typing import Any, NamedTuple, NoReturn

import numpy as np
from scipy import sparse
from scipy.cluster.hierarchy import is_valid_linkage

from sklearn_clustcompare._array_types import Array, FloatArray, Mask, Positions
from sklearn_clustcompare._kernels import membership_bounds
from sklearn_clustcompare._options import shortened, warn_caller
from sklearn_clustcompare._partition.arrays import (
    MISSING,
    SETS_HINT,
    Reading,
    as_numbers,
    as_reals,
    as_unique_labels,
)
from sklearn_clustcompare._partition.labels import Labels, as_objects, encode_together

# Numbers in a block of a dense array: two blocks fit into the cache.
_BLOCK_SIZE = 2**16
# Share of entries that are not 0 from which products of dense matrices are faster.
_FULL = 0.1
# Objects in a block of a sparse array, and of a task for a thread.
BLOCK_ROWS = 2**18

_COVER_HINT = "use Cover.from_matrix for overlapping clusters as columns of 0 and 1"
_LEVELS_HINT = "use Hierarchy.from_labels for the levels of a hierarchy"
_FRACTIONS_HINT = (
    "use possibilistic=True if they need not, where it is taken, or divide each row by its sum, as "
    "ContingencyTable.from_memberships(..., normalize=True) does"
)

# Rows are divided by their sum if it was rounded to decimals, of which more than so many are the
# same as these, or to the 24 bits of float32. Users hear of sums further from 1 than the last one.
_MAX_DECIMALS = 6
_BITS = 2.0**-24
_UNSEEN = 1.001e-6  # a unit of the last decimal, and digits of float64


class Memberships:
    """One soft partition: ``values[k, i]`` is the membership of object k in cluster i.

    ``labels`` name the clusters, ``name`` is the name of the partition in messages, and ``ids`` is
    the index of a DataFrame. ``is_missing`` marks objects without memberships, whose rows are not
    used, or is None. Each block of rows is checked at its first use: :meth:`judge` checks all of
    them. Rows that sum to 1 up to rounding are divided by their sum in each block.
    ``moments`` are kept once they were summed without weights.
    """

    def __init__(
        self,
        values: Any,
        labels: Array,
        name: str,
        reading: Reading,
        ids: Any = None,
        is_missing: Mask | None = None,
    ) -> None:
        self.values = values
        self.labels = labels
        self.name = name
        self.reading = reading
        self.ids = ids
        self.is_missing = is_missing
        self.moments: MembershipMoments | None = None
        self.is_judged = False
        self._is_rounded = False
        self._warned: set[str] = set()  # also of its parts and copies

    @property
    def n_objects(self) -> int:
        return int(self.values.shape[0])

    @property
    def is_full(self) -> bool:
        """Whether it is sparse, but products of its dense blocks are faster."""
        values = self.values
        return bool(sparse.issparse(values) and values.nnz > _FULL * math.prod(values.shape))

    @property
    def rows_per_block(self) -> int:
        if sparse.issparse(self.values) and not self.is_full:
            return BLOCK_ROWS
        return max(_BLOCK_SIZE // max(self.values.shape[1], 1), 1)

    def judge(self) -> Memberships:
        """Check all rows that have not been checked, and return the partition itself."""
        if not self.is_judged:
            for start, stop in row_blocks(self.n_objects, self.rows_per_block):
                self.rows(start, stop)
            self.is_judged = True
        return self

    def rows(self, start: int, stop: int) -> Any:
        """Return a block of rows as float64; raise ValueError if one breaks the rule."""
        block = self.values[start:stop]
        if block.dtype != np.float64:
            block = block.astype(np.float64)
        if self.is_judged and not (self.reading.normalize or self._is_rounded):
            return block
        return self._judged_rows(block, start)

    def _judged_rows(self, block: Any, start: int) -> Any:
        are_allowed, smallest_sum, largest_sum = _bounds(block)
        if not are_allowed:
            self._reject(block, lambda values: values >= 0, start)
        if self.reading.normalize:
            return self._normalized(block, start)
        tolerance = tolerance_of(self.values.dtype)
        is_possibilistic = self.reading.possibilistic
        exact = self._exactness
        is_off = not is_possibilistic and not (
            smallest_sum >= 1 - exact and largest_sum <= 1 + exact
        )
        if (is_off or is_possibilistic) and not _largest(block) <= 1 + tolerance:
            self._reject(block, lambda values: values <= 1 + tolerance, start)
        return self._without_rounding(block, start, tolerance) if is_off else block

    def _without_rounding(self, block: Any, start: int, tolerance: float) -> Any:
        """Divide rows by their sum if rounding moved it away from 1; refuse others."""
        sums = _row_sums(block)
        deviations = np.abs(sums - 1)
        largest = deviations.max(initial=0)
        if not largest <= tolerance:
            tolerance = max(tolerance, self._rounding)
        if not (self.is_judged or largest <= tolerance):
            row = int(np.flatnonzero(~(deviations <= tolerance))[0])
            msg = (
                f"{self.name}: memberships of a row must sum to 1, got {sums[row]:.10g} in row "
                f"{start + row}; {self._advice(tolerance)}"
            )
            raise ValueError(msg)
        if largest > _UNSEEN and self.name not in self._warned:
            self._warned.add(self.name)
            row = int(deviations.argmax())
            warn_caller(
                f"{self.name}: memberships of a row must sum to 1, and were rounded: got "
                f"{sums[row]:.10g} in row {start + row}; rows are divided by their sums",
            )
        self._is_rounded = True
        return _divided(block, np.where(deviations > self._exactness, sums, 1))

    @cached_property
    def _exactness(self) -> float:
        """How far from 1 the sum of a row may be by the digits of its type alone, unseen."""
        dtype = self.values.dtype
        eps = np.finfo(dtype).eps if dtype.kind == "f" else 0.0
        of_digits = min(self.values.shape[1] * float(eps) / 2, _UNSEEN)
        return max(tolerance_of(np.dtype(np.float64)), of_digits)

    @cached_property
    def _rounding(self) -> float:
        """How far from 1 rounding to the decimals that occur may move the sum of a row."""
        decimals = 0
        for start, stop in row_blocks(self.n_objects, self.rows_per_block):
            block = self.values[start:stop]
            values = (block.data if sparse.issparse(block) else block).astype(np.float64)
            while decimals < _MAX_DECIMALS and not _are_multiples(values, 10.0**decimals):
                decimals += 1
        # Whole numbers were not rounded. Nor were those of one decimal if it takes the most that
        # rounding can do, as for two memberships of 0.5 and 0.6.
        unit = 0.5 * 10.0**-decimals if decimals else 0.0
        bits = -_BITS if decimals == 1 else _BITS
        # Where clusters are many, the limit would let rows pass that have lost half of their sum.
        return min(self.values.shape[1] * (unit + bits), 0.5 - _BITS)

    def _advice(self, tolerance: float) -> str:
        """Return advice for rows that do not sum to one."""
        if np.allclose(self.values.sum(axis=0), 1, rtol=0, atol=tolerance):
            return "the columns do: are they transposed? Objects are rows, pass them as .T"
        if _is_cover(self.values):
            return f"{_COVER_HINT}; {_FRACTIONS_HINT}"
        return _FRACTIONS_HINT

    def take(self, positions: Positions) -> Memberships:
        """Return the partition of the objects at these positions."""
        is_missing = None if self.is_missing is None else self.is_missing[positions]
        values = self.values[positions]
        taken = Memberships(values, self.labels, self.name, self.reading, is_missing=is_missing)
        taken.is_judged = self.is_judged
        taken._is_rounded = self._is_rounded
        taken._warned = self._warned
        return taken

    def with_ids(self, ids: Any) -> Memberships:
        """Return the same partition with another index, or with none to send it to a worker."""
        other = copy.copy(self)
        other.ids = ids
        return other

    def as_labels(self) -> Labels | None:
        """Return memberships of 0 and 1 as labels, or None if some object has another share."""
        codes = []
        # The first row alone is enough for most soft partitions.
        first = min(1, self.n_objects)
        for start, stop in [(0, first), *row_blocks(self.n_objects, self.rows_per_block, first)]:
            block = self.values[start:stop]
            rows, cols = (block == 1).nonzero()
            # A single one in each row.
            if not np.array_equal(rows, np.arange(stop - start)) or _count(block) != len(rows):
                return None
            codes.append(cols)
        labels = Labels(
            np.concatenate(codes),
            0,
            len(self.labels),
            self.labels,
            self.name,
            self.ids,
            is_named=False,
        )
        if self.is_missing is None:
            return labels
        known = labels.take(np.flatnonzero(~self.is_missing))
        return known.among_missing(self.is_missing).with_ids(self.ids)

    def _reject(self, block: Any, rule: Callable[[Array], Mask], start: int) -> NoReturn:
        values = block.toarray() if sparse.issparse(block) else block
        row, column = np.argwhere(~rule(values))[0].tolist()
        msg = (
            f"{self.name}: memberships must lie in [0, 1], got {values[row, column]:g} in row "
            f"{start + row}"
        )
        if _is_linkage(self.values):
            msg += ": pass a linkage matrix to Hierarchy.from_linkage, or cut it with cut_tree"
        raise ValueError(msg)

    def _normalized(self, block: Any, start: int) -> Any:
        sums = _row_sums(block)
        bad = ~((sums > 0) & np.isfinite(sums))
        if bad.any():
            row = int(np.flatnonzero(bad)[0])
            msg = (
                f"{self.name}: memberships of a row must have a positive finite sum to be "
                f"normalized, got the sum {sums[row]:g} in row {start + row}"
            )
            raise ValueError(msg)
        return _divided(block, sums)


Partition = Labels | Memberships


class MembershipMoments(NamedTuple):
    """Sums over the objects k of products of their memberships ``u_k`` in the clusters i.

    ``sizes`` are the sums of ``u_ki``, ``gram`` those of ``u_ki u_kj`` (sparse), ``cubes`` those of
    ``|u_k|^2 u_ki`` and ``fourth`` that of ``|u_k|^4``. All of them add up over disjoint sets of
    objects. ``labels`` name the clusters.
    """

    labels: Array
    sizes: FloatArray
    gram: sparse.csr_array
    cubes: FloatArray
    fourth: float

    @classmethod
    def of_sizes(cls, labels: Array, sizes: Array) -> MembershipMoments:
        """Return the moments of a crisp partition with these cluster sizes."""
        masses = np.asarray(sizes, np.float64)
        gram = sparse.csr_array(sparse.diags(masses))
        return cls(labels, masses, gram, masses, float(masses.sum()))

    def __add__(self, other: MembershipMoments) -> MembershipMoments:  # type: ignore[override]
        if np.array_equal(self.labels, other.labels):
            return MembershipMoments(
                self.labels,
                *(ours + theirs for ours, theirs in zip(self[1:], other[1:], strict=True)),
            )
        together = encode_together(self.labels, other.labels)
        codes, n_codes = together.zero_based(), together.n_codes
        first, second = np.split(codes, [len(self.labels)])
        grams = [sparse.coo_array(self.gram), sparse.coo_array(other.gram)]
        rows = np.append(first[grams[0].row], second[grams[1].row])
        cols = np.append(first[grams[0].col], second[grams[1].col])
        values = np.append(grams[0].data, grams[1].data)
        sizes: Any = np.bincount(codes, np.append(self.sizes, other.sizes), n_codes)
        cubes: Any = np.bincount(codes, np.append(self.cubes, other.cubes), n_codes)
        return MembershipMoments(
            together.labels_of(np.arange(n_codes)),
            sizes,
            sparse.csr_array((values, (rows, cols)), shape=(n_codes, n_codes)),
            cubes,
            self.fourth + other.fourth,
        )


def is_membership_array(values: Any) -> bool:
    """Return whether an argument has two dimensions, and is therefore memberships."""
    if isinstance(values, list | tuple) and len(values):
        return all(map(_is_row, values)) and len({len(row) for row in values}) == 1
    # Frames of some packages have a shape, but no number of dimensions.
    n_dimensions = getattr(values, "ndim", None)
    if n_dimensions is None:
        n_dimensions = len(getattr(values, "shape", ()))
    return bool(n_dimensions == 2)


def _is_row(row: Any) -> bool:
    if isinstance(row, tuple):
        # Tuples may be labels, unless they contain fractions.
        return any(isinstance(value, float | np.floating) for value in row)
    return isinstance(row, list | np.ndarray)


def as_memberships(values: Any, name: str, reading: Reading, ids: Any = None) -> Memberships:
    """Take an array of memberships unchanged; its rows are checked block by block later."""
    labels = column_names(values)
    array = as_membership_array(values, name)
    n_clusters = array.shape[1]
    names = as_unique_labels(labels, n_clusters, f"columns of {name}", "columns")
    if reading.missing == "error" or sparse.issparse(array) or array.dtype.kind != "f":
        return Memberships(array, names, name, reading, ids)
    is_missing = np.isnan(array).all(axis=1)
    if not is_missing.any():
        return Memberships(array, names, name, reading, ids)
    if reading.missing == "cluster":
        msg = (
            "missing must be 'error' or 'drop' for memberships, which have no cluster of missing "
            f"objects, got 'cluster' and NaN in row {np.argmax(is_missing)} of {name}"
        )
        raise ValueError(msg)
    # A valid row of weight 0.
    array = np.where(is_missing[:, np.newaxis], np.eye(1, n_clusters, dtype=array.dtype), array)
    return Memberships(array, names, name, reading, ids, is_missing)


def column_names(values: Any) -> Any:
    """Return the names of the columns of a frame of any package, or None."""
    if not hasattr(values, "shape"):  # a query without data
        return None
    # The attribute ``columns`` of an Arrow table is the data.
    names = getattr(values, "column_names", None)
    return getattr(values, "columns", None) if names is None else names


def check_no_labels(memberships: Memberships, *, is_crisp: bool) -> None:
    """Raise an error for an image or a column of labels, which is two-dimensional like memberships.

    Whole numbers with one 1 in each row may be either: they are read as memberships, with a
    warning. A column of ones is the same partition either way. If options for rows are given, or
    the array is sparse, it is read as memberships.
    """
    values, name, reading = memberships.values, memberships.name, memberships.reading
    if sparse.issparse(values) or reading.possibilistic or len(values) == 0:
        return
    shape = f"an array of shape {values.shape}"
    is_whole = values.dtype.kind in "biu"
    if values.shape[1] == 1 and (is_whole or not is_crisp):
        msg = (
            f"{name} must be a 1-D array of labels, got {shape}: pass a column of labels "
            "with .ravel(), or the column of a frame itself"
        )
        raise ValueError(msg)
    if is_whole and not is_crisp:
        hint = _COVER_HINT if _is_cover(values) else _LEVELS_HINT
        msg = (
            f"{name} must be a 1-D array of labels, or memberships whose rows sum to 1, got "
            f"{shape} of whole numbers: {hint}, Cover.from_sets for clusters as lists of objects, "
            "ContingencyTable.from_counts for the counts of a table, .ravel() for the labels of an "
            "image, or ContingencyTable.from_images for two images"
        )
        raise ValueError(msg)
    if is_whole:
        warn_caller(
            f"{name}: {shape} of whole numbers, with one 1 in each row, is read as memberships; "
            "use .ravel() for the labels of an image, ContingencyTable.from_images for two images, "
            "or .astype(float) for memberships without this warning",
        )


def _is_cover(values: Any) -> bool:
    entries = values.data if sparse.issparse(values) else values
    return bool(((entries == 0) | (entries == 1)).all())


def _is_linkage(values: Any) -> bool:
    """Return whether an array is a linkage matrix, none of whose rows could be memberships."""
    is_matrix = not sparse.issparse(values) and values.shape[1] == 4
    return is_matrix and bool(is_valid_linkage(values.astype(np.float64)))


def transposed_hint(first: Partition, second: Partition) -> str:
    """Return a hint if memberships have a column for each object of the other side."""
    for side, other in ((first, second), (second, first)):
        if isinstance(side, Memberships):
            shape = side.values.shape
            n_objects = [other.n_objects]
            if isinstance(other, Memberships):
                n_objects.append(other.values.shape[1])
            if shape[1] in n_objects:
                return (
                    f": {side.name} has the shape {shape}: is it transposed? Objects are rows, "
                    "pass .T"
                )
    return ""


def as_membership_array(values: Any, name: str) -> Any:
    """Return a 2-D array of real numbers, dense or CSR; its values are not checked."""
    if sparse.issparse(values):
        array: Any = sparse.csr_array(checked_sparse(values, name))
        if not array.has_canonical_format:
            array = array.copy()
            array.sum_duplicates()
    else:
        array = as_numbers(values, name)
    if array.ndim != 2:
        msg = (
            f"{name} must be an array of memberships of shape (n_samples, n_clusters), "
            f"got {array.ndim} dimension(s)"
        )
        raise ValueError(msg)
    return as_reals(
        array,
        f"{name} must hold real numbers as memberships (or be a 1-D array of labels, for which "
        f".ravel() makes one; {SETS_HINT})",
    )


def checked_sparse(values: Any, name: str) -> Any:
    """Return a sparse matrix; raise ValueError if its indices point outside of it."""
    if values.format == "coo" and values.ndim == 2 and values.nnz:
        # SciPy does not look at them again once they were changed.
        for indices, size in zip((values.row, values.col), values.shape, strict=True):
            if not 0 <= indices.min() <= indices.max() < size:
                msg = f"{name} must be a valid sparse matrix, got one with indices outside of it"
                raise ValueError(msg)
    if hasattr(values, "check_format"):
        try:
            values.check_format()
        except ValueError as error:
            msg = f"{name} must be a valid sparse matrix, got one in which {error}"
            raise ValueError(msg) from error
    return values


def row_blocks(stop: int, step: int, start: int = 0) -> Iterator[tuple[int, int]]:
    """Yield the ranges of rows, and an empty one if there are no objects."""
    return ((at, min(at + step, stop)) for at in range(start, max(stop, start + 1), step))


def _bounds(block: Any) -> tuple[bool, float, float]:
    """Return the ``membership_bounds`` of a dense or sparse block."""
    if not sparse.issparse(block):
        return membership_bounds(block)
    sums = _row_sums(block)
    are_allowed = bool(block.data.min(initial=np.inf) >= 0)
    return are_allowed, float(sums.min(initial=np.inf)), float(sums.max(initial=-np.inf))


@cache
def tolerance_of(dtype: np.dtype[Any]) -> float:
    """Return how far a membership and a sum of memberships may be above 1."""
    return float(np.finfo(dtype if dtype.kind == "f" else np.float64).eps ** 0.5)


def _are_multiples(values: FloatArray, factor: float) -> bool:
    """Return whether numbers in [0, 1], times a factor, are whole up to the digits of float32."""
    scaled = values * factor
    return bool((np.abs(scaled - np.rint(scaled)) <= factor * _BITS).all())


def _divided(block: Any, sums: FloatArray) -> Any:
    """Divide rows by numbers."""
    if sparse.issparse(block):
        return sparse.csr_array(sparse.diags(1 / sums) @ block)
    return block / sums[:, np.newaxis]


def _largest(block: Any) -> float:
    values = block.data if sparse.issparse(block) else block
    return float(values.max(initial=0.0))


def _row_sums(block: Any) -> FloatArray:
    sums: FloatArray = np.asarray(block @ np.ones(block.shape[1])).ravel()
    return sums


def _count(block: Any) -> int:
    return int(block.count_nonzero() if sparse.issparse(block) else np.count_nonzero(block))


# More would not fit into the memory of common machines.
_MAX_SINGLETONS = 10**8

# Number of labels that a warning names.
_MAX_SHOWN = 5


# Treatment of noise and of missing labels.
#
# Labels are counted first, with noise and missing ones as ordinary clusters. Their treatment then
# concerns a few cells, however many objects there are.


class _NoiseObject:
    """The label of every cluster that consists of one noise object.

    There is one such object per process, for all of these clusters: they have no name, and no two
    of them are the same cluster.
    """

    def __repr__(self) -> str:
        return "<noise>"

    def __reduce__(self) -> str:
        return "NOISE_OBJECT"


NOISE_OBJECT = _NoiseObject()


class Cells(NamedTuple):
    """Cells of a table: the cluster of each in two partitions, and its count."""

    true: Labels
    pred: Labels
    counts: Array

    def take(self, positions: Positions) -> Cells:
        """Return the cells at these positions."""
        return Cells(self.true.take(positions), self.pred.take(positions), self.counts[positions])


def treated_cells(cells: Cells, reading: Reading) -> tuple[Cells, Positions]:
    """Drop the cells that are noise or missing on either side, or split noise into objects.

    Also return which cell each one was before.
    """
    is_left_out = left_out(cells.true, reading) | left_out(cells.pred, reading)
    kept = np.arange(len(is_left_out))
    if is_left_out.any():
        kept = np.flatnonzero(~is_left_out)
        cells = cells.take(kept)
    if reading.noise != "singletons":
        return cells, kept
    true_noise = noise_mask(cells.true, reading.noise_labels)
    pred_noise = noise_mask(cells.pred, reading.noise_labels)
    either = true_noise | pred_noise
    if not either.any():
        return cells, kept
    if cells.counts.dtype.kind == "f":
        msg = (
            "sample_weight must be whole numbers with noise='singletons' (an object of weight 3 is "
            "three clusters of their own), got fractions"
        )
        raise ValueError(msg)
    n_singletons = int(cells.counts[either].sum())
    if n_singletons > _MAX_SINGLETONS:
        msg = (
            f"noise must not be 'singletons' for more than {_MAX_SINGLETONS} objects of noise "
            f"(each is a cluster of its own), got {n_singletons}"
        )
        raise ValueError(msg)
    objects = np.repeat(np.arange(len(either)), np.where(either, cells.counts, 1))
    true, pred, counts = cells.take(objects)
    treated = Cells(
        _noise_as_singletons(true, true_noise[objects]),
        _noise_as_singletons(pred, pred_noise[objects]),
        np.where(either[objects], 1, counts),
    )
    return treated, kept[objects]


def left_out(side: Partition, reading: Reading) -> Mask:
    """Return which objects of one partition are dropped, as noise or missing."""
    is_left_out = np.zeros(side.n_objects, bool)
    if isinstance(side, Memberships):
        return is_left_out if side.is_missing is None else side.is_missing
    if reading.noise == "drop":
        is_left_out |= noise_mask(side, reading.noise_labels)
    if reading.missing == "drop":
        is_left_out |= _has_label(side, MISSING)
    return is_left_out


def weigh_noise(
    sides: Sequence[Partition], weights: Array | None, reading: Reading
) -> tuple[Array | None, Any]:
    """Give dropped objects weight 0 if a side is soft; return their previous weight."""
    for side in sides:
        if reading.noise != "singletons" or not isinstance(side, Labels):
            continue
        if noise_mask(side, reading.noise_labels).any():
            msg = (
                "noise must be 'cluster' or 'drop' where labels with noise are compared with "
                "memberships, got 'singletons'"
            )
            raise ValueError(msg)
    is_left_out = np.logical_or.reduce([left_out(side, reading) for side in sides])
    if not is_left_out.any():
        return weights, 0
    if weights is None:
        weights = np.ones(len(is_left_out), np.int64)
    return np.where(is_left_out, 0, weights), weights[is_left_out].sum().item()


def treat_one(labels: Labels, reading: Reading) -> tuple[Labels, Positions | None]:
    """Treat noise and missing labels of a single partition.

    Also returns the positions of the remaining objects, or None if all remain.
    """
    is_left_out = left_out(labels, reading)
    if is_left_out.any():
        kept = np.flatnonzero(~is_left_out)
        return labels.take(kept), kept
    if reading.noise == "singletons":
        is_noise = noise_mask(labels, reading.noise_labels)
        if is_noise.any():
            return _noise_as_singletons(labels.compact()[0], is_noise), None
    return labels, None


# --------------------------------------------------------------------------- labels of noise


def noise_mask(labels: Labels, noise_labels: Sequence[Any], argument: str = "noise_label") -> Mask:
    """Return which objects of one partition have a label of noise, by value."""
    is_noise = np.zeros(labels.n_objects, bool)
    if labels.is_named:
        for label in noise_labels:
            has_label = _has_label(labels, label)
            if not has_label.any():
                _reject_twin(labels, label, argument)
            is_noise |= has_label
    return is_noise


def warn_of_other_noise(labels: Labels, reading: Reading) -> None:
    """Warn about negative integers that are not labels of noise.

    Clusterers use them for kinds of noise, and number clusters from zero. Labels must be compact.
    """
    if reading.noise == "cluster" or not labels.is_named:
        return
    known = {*reading.noise_labels, *map(str, reading.noise_labels)}
    others = [label for label in _negative_integers(labels) if not known & {label, str(label)}]
    found = [label for label in reading.noise_labels if _code_of(labels, label) is not None]
    if others and all(map(_is_negative_integer, found)):
        shown = ", ".join(map(repr, sorted(others, key=int, reverse=True)[:_MAX_SHOWN]))
        warn_caller(
            f"{labels.name} has clusters with negative labels, {shown}, that are not the "
            f"noise_label, {reading.noise_label!r}: if they are also noise, pass all of them "
            "as noise_label",
        )


def _negative_integers(labels: Labels) -> set[Any]:
    """Return labels that are negative integers, or the text of one."""
    classes = labels.labels_of(np.arange(labels.n_codes))
    if classes.dtype.kind not in "iUO":
        return set()
    return {label for label in classes.tolist() if _is_negative_integer(label)}


def _is_negative_integer(label: Any) -> bool:
    if isinstance(label, str):
        return label.startswith("-") and label[1:].isdecimal()
    return isinstance(label, numbers.Integral) and int(label) < 0


def _has_label(labels: Labels, label: Any) -> Mask:
    code = _code_of(labels, label)
    if code is None:
        return np.zeros(labels.n_objects, bool)
    return np.asarray(labels.codes == code + labels.low)


def _reject_twin(labels: Labels, noise_label: Any, argument: str) -> None:
    """Raise ValueError if the noise label does not occur, but one with the same text does.

    Labels read from a file are text, among which a number finds no noise.
    """
    twins: list[Any] = [str(noise_label)]
    with contextlib.suppress(ValueError, TypeError, OverflowError):
        number = float(noise_label)
        twins += [int(number), str(number)] if number.is_integer() else [str(number)]
    for twin in twins:
        if twin != noise_label and _code_of(labels, twin) is not None:
            msg = (
                f"{argument} must have the type of the other labels: {shortened(noise_label)} does "
                f"not occur among the labels, but {shortened(twin)} does"
            )
            raise ValueError(msg)


def _code_of(labels: Labels, label: Any) -> int | None:
    if label is MISSING and (labels.classes is None or labels.classes.dtype.kind != "O"):
        return None
    if labels.classes is None:
        if not isinstance(label, int | float | np.integer | np.floating | np.bool_):
            return None
        if not (np.isfinite(label) and int(label) == label):
            return None
        code = int(label) - labels.low
        return code if 0 <= code < labels.n_codes else None
    if labels.classes.dtype.kind in "mM":
        matches = np.flatnonzero(labels.classes == label)
        return int(matches[0]) if len(matches) else None
    numbers: dict[Any, int] = {found: i for i, found in enumerate(labels.classes.tolist())}
    return numbers.get(label)


def align_labels(first: Array, second: Array) -> Labels:
    """Encode the labels of two tables together, by value; clusters of noise objects stay apart."""
    if first.dtype.kind == second.dtype.kind != "O":
        return encode_together(first, second)
    first, second = as_objects(first), as_objects(second)
    _reject_drift(first.tolist(), second.tolist())
    is_noise = np.append(is_noise_object(first), is_noise_object(second))
    if not is_noise.any():
        return encode_together(first, second)
    named = np.append(first, second)[~is_noise]
    labels = encode_together(named, named[:0])
    codes = np.empty(len(is_noise), np.int64)
    codes[~is_noise] = labels.zero_based()
    return _noise_as_singletons(labels._replace(codes=codes, low=0), is_noise)


def _reject_drift(first: list[Any], second: list[Any]) -> None:
    """Raise ValueError if a label of one table prints like one of the other, but differs.

    The type of labels has changed between two parts, and their clusters would be split.
    """
    types = {*map(type, first), *map(type, second)} - {_NoiseObject, type(MISSING)}
    if len(types) < 2:
        return
    texts: defaultdict[str, set[Any]] = defaultdict(set)
    for label in first:
        if type(label) in types:
            texts[str(label)].add(label)
    for label in second:
        if type(label) in types and texts.get(str(label), {label}) != {label}:
            (twin, *_) = texts[str(label)] - {label}
            msg = (
                "labels of one side must have one type in all the tables of a sum, "
                f"got {shortened(twin)} in one of them and {shortened(label)} in another"
            )
            raise ValueError(msg)


def is_noise_object(labels: Array) -> Mask:
    """Return which labels of a table are noise objects."""
    same = map(operator.is_, labels.tolist(), repeat(NOISE_OBJECT))
    return np.fromiter(same, bool, len(labels))


def _noise_as_singletons(labels: Labels, is_noise: Mask) -> Labels:
    """Give each noise object of one partition its own cluster, last in order."""
    n_noise, n_named = np.count_nonzero(is_noise), labels.n_codes
    if n_noise == 0:
        return labels
    codes = labels.codes.copy()
    codes[is_noise] = np.arange(n_named, n_named + n_noise)
    classes = np.full(n_named + n_noise, NOISE_OBJECT, dtype=object)
    classes[:n_named] = as_objects(labels.labels_of(np.arange(n_named)))
    return Labels(codes, 0, len(classes), classes)
