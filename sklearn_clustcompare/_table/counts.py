"""Counts of two partitions, of which a table is made: margins, sums, differences, frames."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from sklearn_clustcompare._array_types import Array, IntArray
from sklearn_clustcompare._kernels import (
    PackedTable,
    count_densely,
    count_pair,
    count_sparsely,
    fits_densely,
    occupied_cells,
    pack_cells,
    pack_table,
    split_cells,
)
from sklearn_clustcompare._kernels import SquareSums as SquareSums
from sklearn_clustcompare._numerics import ordered_sum
from sklearn_clustcompare._partition import (
    DEFAULT,
    NAMES,
    Labels,
    Partition,
    Reading,
    read,
    read_labels,
    read_pair,
    read_weights,
)
from sklearn_clustcompare._partition.arrays import (
    as_collection,
    check_hashable,
    is_weightless,
    plain,
)
from sklearn_clustcompare._partition.labels import (
    ObjectNames,
    check_same_objects,
    encode,
    index_of,
)
from sklearn_clustcompare._partition.memberships import (
    Cells,
    align_labels,
    column_names,
    is_noise_object,
    noise_mask,
    treated_cells,
    warn_of_other_noise,
    weigh_noise,
)
from sklearn_clustcompare._table.overlap import (
    SoftSides,
    is_dask,
    overlap,
    side_labels,
    sum_of_blocks,
)

if TYPE_CHECKING:
    from sklearn_clustcompare._table.contingency import ContingencyTable

# Rounding error of fractional counts in a cell, as a share of it, if all its objects are
# subtracted.
_ROUNDING = 1e-9


class Counts(NamedTuple):
    """The cells and margins of a table, and what is known of the objects beyond them.

    ``labels`` name the rows and the columns; without them their codes do. ``n_dropped`` objects, or
    their weight, are left out. The table is empty if it ``is_weightless``: its objects have
    weight 0.
    """

    packed: PackedTable
    labels: tuple[Array, Array] | None = None
    n_dropped: Any = 0
    soft: SoftSides | None = None
    is_weightless: bool = False

    @classmethod
    def of_labels(
        cls,
        true: Labels,
        pred: Labels,
        weights: Array | None = None,
        n_dropped: Any = 0,
        soft: SoftSides | None = None,
        is_weightless: bool = False,
    ) -> Counts:
        """Count pairs of codes of objects, or of the cells of a table, by their weights."""
        packed = count_pair(true.codes, pred.codes) if weights is None else None
        if packed is None:
            packed = _pack(true, pred, weights)
        elif true.classes is None and pred.classes is None:
            return cls(packed, None, n_dropped)
        else:
            lows = np.repeat([true.low, pred.low], packed.shape)
            packed = packed._replace(codes=packed.codes - lows)
        labels = true.labels_of(packed.row_codes), pred.labels_of(packed.col_codes)
        return cls(packed, labels, n_dropped, soft, is_weightless and not packed.n_cells)

    @property
    def names(self) -> tuple[Array, Array]:
        """The labels of the rows and of the columns."""
        return self.labels or (self.packed.row_codes, self.packed.col_codes)

    @property
    def sizes(self) -> tuple[Array, Array]:
        """The sums of the rows and of the columns."""
        return self.packed.row_sums, self.packed.col_sums

    def cells(
        self, names: tuple[str, str] = NAMES, are_named: tuple[bool, bool] = (True, True)
    ) -> Cells:
        """Return the occupied cells, row by row; ``names`` are those of the sides in messages."""
        packed = self.packed
        counts, cells = packed.counts, packed.cells
        if cells is None:
            cells, counts = occupied_cells(counts)
        sides = zip(split_cells(cells, packed.shape[1]), self.names, names, are_named, strict=True)
        true, pred = (
            Labels(codes, 0, len(labels), labels, name, is_named=is_named)
            for codes, labels, name, is_named in sides
        )
        return Cells(true, pred, counts)

    def treated(
        self,
        reading: Reading,
        names: tuple[str, str] = NAMES,
        are_named: tuple[bool, bool] = (True, True),
    ) -> Counts:
        """Drop the clusters of noise and of missing labels, or split noise into single objects.

        It uses the cells only, so its cost does not depend on the number of other objects.
        """
        if reading.counts_all:
            return self
        cells = self.cells(names, are_named)
        treated, _ = treated_cells(cells, reading)
        for side in (cells.true, cells.pred):
            warn_of_other_noise(side, reading)
        return self if treated is cells else self._with_the_rest_dropped(treated)

    def without(self, **ignored: Any) -> Counts:
        """Leave out the objects with a label to ignore in the rows, or in the columns."""
        cells = self.cells()
        is_left_out = np.zeros(len(cells.counts), bool)
        for side, (argument, labels) in zip((cells.true, cells.pred), ignored.items(), strict=True):
            left_out = () if labels is None else as_collection(labels)
            check_hashable(left_out, argument)
            is_left_out |= noise_mask(side, left_out, argument)
        if not is_left_out.any():
            return self
        return self._with_the_rest_dropped(cells.take(np.flatnonzero(~is_left_out)))

    def _with_the_rest_dropped(self, cells: Cells) -> Counts:
        n_dropped = self.n_dropped + self.packed.n_samples - ordered_sum(cells.counts)
        return Counts.of_labels(*cells, n_dropped)

    def __add__(self, other: Counts) -> Counts:  # type: ignore[override]
        """Count disjoint sets of objects together; clusters of the same label are one."""
        cells = _CommonCells.of(self, other)
        ours, theirs = cells.counts
        totals = self.packed.n_samples, other.packed.n_samples
        if ours.dtype.kind == "i" and sum(totals) >= 2**63:
            msg = f"counts of a sum of tables must add up to less than 2**63, got {sum(totals):g}"
            raise ValueError(msg)
        soft = None
        if self.soft or other.soft:
            sides = [one.soft or SoftSides.of_sizes(one.names, one.sizes) for one in (self, other)]
            soft = sides[0].plus(sides[1], totals)
            ours, theirs = map(SoftSides.unscaled, sides, (ours, theirs), totals)
            ours, theirs = (soft.scaled(one, sum(totals)) for one in (ours, theirs))
        n_dropped = self.n_dropped + other.n_dropped
        is_weightless = self.is_weightless or other.is_weightless
        return cells.table(ours + theirs, n_dropped, soft, is_weightless)

    def __sub__(self, other: Counts) -> Counts:
        """Remove objects that were counted."""
        _check_subtrahend(self, other)
        cells = _CommonCells.of(self, other)
        own, gone = cells.counts
        left = _remainder(own, gone)
        if np.minimum.reduce(left, initial=0) < 0:
            place = int((left < 0).argmax())
            row, col = cells.labels_of(place)
            _refuse_negative(f"in row {row!r} and column {col!r}", own[place], gone[place])
        n_dropped = _remainder(np.array(self.n_dropped), np.array(other.n_dropped)).item()
        if n_dropped < 0:
            _refuse_negative("dropped", self.n_dropped, other.n_dropped)
        return cells.table(left, n_dropped, None, self.is_weightless)


class _CommonCells(NamedTuple):
    """The counts of two tables in the same cells: all, or those of some flat ``numbers``."""

    rows: Labels
    cols: Labels
    numbers: IntArray | None
    counts: Array

    @classmethod
    def of(cls, *tables: Counts) -> _CommonCells:
        sides = [align_labels(*names) for names in zip(*(one.names for one in tables), strict=True)]
        shape = sides[0].n_codes, sides[1].n_codes
        row_codes, col_codes = (side.zero_based() for side in sides)
        parts, values = [], []
        for packed in (one.packed for one in tables):
            counts, cells = packed.counts, packed.cells
            if cells is None:
                cells, counts = occupied_cells(counts)
            rows, cols = split_cells(cells, packed.shape[1])
            parts.append(row_codes[rows] * shape[1] + col_codes[cols])
            values.append(counts)
            row_codes, col_codes = row_codes[packed.shape[0] :], col_codes[packed.shape[1] :]
        numbers, n_cells = None, shape[0] * shape[1]
        if not fits_densely(shape, sum(map(len, parts))):
            numbers, places = np.unique(np.concatenate(parts), return_inverse=True)
            parts, n_cells = np.split(places, [len(parts[0])]), len(numbers)
        common = np.zeros((2, n_cells), np.result_type(*values))
        for filled, cells, counts in zip(common, parts, values, strict=True):
            filled[cells] = counts
        return cls(sides[0], sides[1], numbers, common)

    def labels_of(self, place: int) -> tuple[Any, Any]:
        """Return the labels of the row and of the column of a cell."""
        cell = place if self.numbers is None else int(self.numbers[place])
        row, col = (
            side.labels_of(np.array([code])).tolist()[0]
            for side, code in zip(self[:2], divmod(cell, self.cols.n_codes), strict=True)
        )
        return row, col

    def table(
        self, counts: Array, n_dropped: Any, soft: SoftSides | None, is_weightless: bool
    ) -> Counts:
        """Return a table of other counts in these cells."""
        shape = self.rows.n_codes, self.cols.n_codes
        if self.numbers is None and counts.dtype.kind == "i":
            packed = pack_table(counts.reshape(shape))
        else:
            cells, counts = occupied_cells(counts)
            packed = pack_cells(
                cells if self.numbers is None else self.numbers[cells], counts, shape
            )
        labels = self.rows.labels_of(packed.row_codes), self.cols.labels_of(packed.col_codes)
        return Counts(packed, labels, n_dropped, soft, is_weightless and not packed.n_cells)


def _pack(true: Labels, pred: Labels, weights: Array | None) -> PackedTable:
    shape = (true.n_codes, pred.n_codes)
    count = count_densely if fits_densely(shape, len(true.codes)) else count_sparsely
    counted = count(true.codes, pred.codes, true.low, pred.low, shape, weights)
    if isinstance(counted, PackedTable):
        return counted
    if counted.dtype.kind == "i":
        return pack_table(counted)
    return pack_cells(*occupied_cells(counted.ravel()), shape)


def _check_subtrahend(first: Counts, second: Counts) -> None:
    """Raise ValueError unless a table can be subtracted from another."""
    if first.soft is not None or second.soft is not None:
        msg = (
            "tables of memberships must not be subtracted, as their sums of products keep the "
            "rounding errors of all objects: add up the tables of the parts that are left"
        )
        raise ValueError(msg)
    if any(is_noise_object(labels).any() for labels in second.names):
        msg = (
            "a table that is subtracted must not have noise as singletons, which have no names "
            "to be found by: count it with noise='cluster' or noise='drop'"
        )
        raise ValueError(msg)


def _remainder(own: Array, gone: Array) -> Array:
    """Subtract counts; fractions within rounding error become 0."""
    left = own - gone
    if left.dtype.kind == "f":
        left = np.where(np.abs(left) <= _ROUNDING * own, 0.0, left)
    return left


def _refuse_negative(where: str, own: Any, gone: Any) -> None:
    msg = (
        "a table must hold all objects of the table that is subtracted from it, got "
        f"{own:g} objects {where}, and {gone:g} to subtract"
    )
    raise ValueError(msg)


# From two arguments to counts: what kind they are, and how it is counted.
#
# What is counted elsewhere than in the labels of all objects, as dask collections are on their
# workers, has its place in ``count_any``; a new kind of labels or memberships is read by
# ``_partition``.


def count_any(
    first: Any,
    second: Any,
    sample_weight: Any = None,
    reading: Reading = DEFAULT,
    names: tuple[str, str] = NAMES,
    *,
    how: Callable[..., Partition] = read,
    moments: bool = False,
    n_jobs: int | None = None,
) -> Counts:
    """Count two partitions in any form that was not counted yet; ``how`` they are read."""
    is_by_position = reading.unmatched == "error"
    if type(first) is type(second) is np.ndarray and sample_weight is None and is_by_position:
        packed = count_pair(first, second)
        if packed is not None:
            return Counts(packed).treated(reading, names)
    if is_dask(first, second, sample_weight) and is_by_position:
        check_same_objects(index_of(first), index_of(second), names)
        first, second, sample_weight = map(plain, (first, second, sample_weight))
        blocks = {names[0]: first, names[1]: second, "sample_weight": sample_weight}
        if max(getattr(side, "ndim", 1) for side in (first, second)) == 1:
            count_block = functools.partial(count_labels, reading=reading)
            return sum_of_blocks(count_block, blocks).treated(reading, names)
        count_block = functools.partial(
            count_any, reading=reading, names=names, how=how, moments=moments
        )
        return sum_of_blocks(count_block, blocks)
    true, pred = read_pair(first, second, names, reading, how)
    weights = read_weights(sample_weight, true)
    return count_partitions(true, pred, weights, reading, moments=moments, n_jobs=n_jobs)


def count_labels(first: Any, second: Any, sample_weight: Any = None, *, reading: Reading) -> Counts:
    """Count a part of two labelings, whose noise is treated in the sum of all parts."""
    of_part = Reading(missing=reading.missing, unmatched=reading.unmatched)
    return count_any(first, second, sample_weight, of_part, how=read_labels)


def count_partitions(
    true: Partition,
    pred: Partition,
    weights: Array | None = None,
    reading: Reading = DEFAULT,
    *,
    moments: bool = False,
    n_jobs: int | None = None,
) -> Counts:
    """Count two partitions and weights that were already read, of the same objects."""
    if isinstance(true, Labels) and isinstance(pred, Labels):
        counts = Counts.of_labels(true, pred, weights).treated(
            reading, (true.name, pred.name), (true.is_named, pred.is_named)
        )
    else:
        counts = _count_memberships(true, pred, weights, reading, moments, n_jobs)
    if isinstance(true.ids, ObjectNames) and true.ids.n_left_out:
        # Those that only one side has may have no weight: they count as the mean of the others.
        each = 1 if weights is None else float(weights.sum()) / true.n_objects
        counts = counts._replace(n_dropped=counts.n_dropped + each * true.ids.n_left_out)
    if not counts.packed.n_cells and is_weightless(weights):
        return counts._replace(is_weightless=True)
    return counts


def _count_memberships(
    true: Partition,
    pred: Partition,
    weights: Array | None,
    reading: Reading,
    moments: bool,
    n_jobs: int | None,
) -> Counts:
    """Make the table of the sums of products of memberships, or of these and labels."""
    weights, n_dropped = weigh_noise((true, pred), weights, reading)
    sides = [side.compact()[0] if isinstance(side, Labels) else side for side in (true, pred)]
    for side in sides:
        if isinstance(side, Labels):
            warn_of_other_noise(side, reading)
    product, soft = overlap(sides[0], sides[1], weights, moments, n_jobs)
    if reading.possibilistic:
        total = float(true.n_objects if weights is None else weights.sum())
        soft = soft._replace(mass=float(product.sum()))
        if total and not soft.mass:
            msg = (
                f"{sides[0].name} and {sides[1].name} must share objects, but no object has "
                "memberships above 0 on both sides"
            )
            raise ValueError(msg)
        product = soft.scaled(product, total)
    cells = product.nonzero()
    rows, cols = (
        encode(side_labels(side), side.name).take(codes)
        for side, codes in zip(sides, cells, strict=True)
    )
    counts = np.asarray(product[cells], np.float64).ravel()
    return Counts.of_labels(rows, cols, counts, n_dropped, soft)


# Rows and columns that are not empty, from which on totals without names are no chance.
_FEWEST_WITH_TOTALS = 4


def frame_of_counts(counts: Any, index: Any, *, has_row_labels: bool) -> Any:
    """Return the counts of a frame, and the names of its rows and columns; None for no frame.

    The names of the rows are the index of pandas, the column that ``index`` names, or None.
    """
    names = column_names(counts)
    if names is None:
        if index is not None:
            msg = f"index must be None unless counts are a frame, got {index!r}"
            raise TypeError(msg)
        return None
    names, has_index = list(names), index_of(counts) is not None
    if has_index:
        check_no_totals(_numbers_of(counts, names), counts.index, names)
    if index is None and not has_row_labels:
        _check_all_counts(counts, names, has_index=has_index)
    if index is None and has_index:
        return counts, counts.index, names
    if index is not None:
        if index not in names or len(names) < 2:
            msg = f"index must be one of several columns of counts, {names}, got {index!r}"
            raise ValueError(msg)
        names.remove(index)
    columns = [np.asarray(counts[name]) for name in names]
    rows = None if index is None else counts[index]
    return np.column_stack(columns), rows, names


def _numbers_of(counts: Any, names: list[Any]) -> Any:
    columns = [np.asarray(counts[name]) for name in names]
    if any(one.ndim > 1 or one.dtype.kind not in "iuf" for one in columns):
        return np.zeros((0, 0))  # no counts, which are refused later
    return np.column_stack(columns)


def check_no_totals(counts: Any, row_names: Any, col_names: Any) -> None:
    """Raise ValueError if the last row and the last column are the sums of all others.

    A table of few clusters may be so by chance, unless names show that they are totals.
    """
    by_row, by_col = (np.asarray(counts.sum(axis=axis)).ravel() for axis in (1, 0))
    are_named = _are_totals(row_names) and _are_totals(col_names)
    if min(map(np.count_nonzero, (by_row, by_col))) < (2 if are_named else _FEWEST_WITH_TOTALS):
        return
    last = [
        side if isinstance(side, np.ndarray) else side.toarray().ravel()
        for side in (counts[:, [-1]], counts[[-1], :])
    ]
    # Twice the totals are the sums of rows and columns that end in them.
    if all(
        np.allclose(2.0 * one.ravel(), sums, rtol=1e-9, atol=0)
        for one, sums in zip(last, (by_row, by_col), strict=True)
    ):
        msg = (
            "counts must not contain totals, but the last row and the last column are the sums of "
            "all others: leave them out, as pandas.crosstab without margins=True or "
            "counts.iloc[:-1, :-1] does; if they are clusters, put them first"
        )
        raise ValueError(msg)


def _are_totals(names: Any) -> bool:
    """Return whether the last name is that of totals, as pandas and R call them."""
    return names is not None and str([*names][-1]).lower() in ("all", "sum", "total", "totals")


def _check_all_counts(counts: Any, names: list[Any], *, has_index: bool) -> None:
    """Raise ValueError if a column of a frame seems to name the rows.

    Its name shows it among numbers, or its values: a pivot, of a package without an index, has the
    names of the rows in the first column, and no two of them are equal.
    """
    are_numbers = [str(name).lstrip("-").isdecimal() for name in names]
    for name, is_number in zip(names, are_numbers, strict=True):
        values = np.asarray(counts[name])
        is_other = not is_number and sum(are_numbers) == len(names) - 1
        is_first = name == names[0] and not has_index
        if values.dtype.kind not in "biuf" or (
            len(names) > 1
            and (is_other or (is_first and _may_name_rows(values, any_values=not all(are_numbers))))
        ):
            msg = (
                f"counts must have counts in all columns, but column {name!r} seems to name the "
                f"rows: pass index={name!r}, or row_labels if it does not"
            )
            raise ValueError(msg)


def _may_name_rows(values: Any, *, any_values: bool) -> bool:
    """Return whether values are whole and all differ, or are numbered from 0 or 1 in any order."""
    if any_values:
        is_whole = bool((values == np.floor(values)).all())  # not where one is missing
        return is_whole and len(np.unique(values)) == len(values)
    n_rows = len(values)
    starts = (0, 1) if n_rows > 1 else ()
    return any(np.array_equal(np.sort(values), start + np.arange(n_rows)) for start in starts)


@dataclass(slots=True)
class KnownMargins:
    """Margins without a table; an index of pairs needs sums of squares only, and no sizes."""

    n_samples: Any
    square_sums: SquareSums = None  # type: ignore[assignment]
    is_identity: bool = False
    is_whole: bool = True
    soft: SoftSides | None = None
    row_sums: Array = field(init=False)
    col_sums: Array = field(init=False)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.row_sums), len(self.col_sums)

    @classmethod
    def of(cls, given: Margins) -> KnownMargins:
        """Return the margins of a table without its cells."""
        known = cls(given.n_samples, is_whole=given.is_whole, soft=given.soft)
        known.row_sums, known.col_sums = given.row_sums, given.col_sums
        return known

    @classmethod
    def of_squares(cls, n_samples: Any, squares: SquareSums) -> KnownMargins:
        """Return those of whole counts: equal partitions have equal sums of squares."""
        return cls(n_samples, squares, squares.cells == squares.rows == squares.cols)

    @property
    def T(self) -> KnownMargins:
        cells, rows, cols = self.square_sums
        return KnownMargins(self.n_samples, SquareSums(cells, cols, rows), self.is_identity)


# What an index of pairs is a function of: sizes of the clusters of two partitions, their sums of
# squares, and whether the partitions are known to be equal.
Margins: TypeAlias = "ContingencyTable | KnownMargins"
