"""Counts of two partitions, of which a table is made; their sums, differences and noise."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
from sklearn_clustcompare._numerics import ordered_sum
from sklearn_clustcompare._partition import NAMES, Labels, Reading
from sklearn_clustcompare._partition.noise import (
    Cells,
    align_labels,
    is_noise_object,
    noise_mask,
    treat_noise,
    warn_of_other_noise,
)
from sklearn_clustcompare._partition.options import as_collection, check_hashable
from sklearn_clustcompare._table.overlap import SoftSides

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
    labels: tuple[NDArray[Any], NDArray[Any]] | None = None
    n_dropped: Any = 0
    soft: SoftSides | None = None
    is_weightless: bool = False

    @classmethod
    def of_labels(
        cls,
        true: Labels,
        pred: Labels,
        weights: NDArray[Any] | None = None,
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
    def names(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The labels of the rows and of the columns."""
        return self.labels or (self.packed.row_codes, self.packed.col_codes)

    @property
    def sizes(self) -> tuple[NDArray[Any], NDArray[Any]]:
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
        treated = treat_noise(cells, reading)
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
    numbers: NDArray[np.int64] | None
    counts: NDArray[Any]

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
        self, counts: NDArray[Any], n_dropped: Any, soft: SoftSides | None, is_weightless: bool
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


def _pack(true: Labels, pred: Labels, weights: NDArray[Any] | None) -> PackedTable:
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


def _remainder(own: NDArray[Any], gone: NDArray[Any]) -> NDArray[Any]:
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
