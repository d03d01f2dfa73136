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
from sklearn_clustcompare._partition.validation import as_counts
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
        rows, cols, parts = _aligned(self, other)
        counts = np.concatenate(parts)
        if all(one.packed.sizes.dtype.kind == "i" for one in (self, other)):
            counts = as_counts(counts, "counts of a sum of tables")
        soft = None
        if self.soft or other.soft:
            totals = self.packed.n_samples, other.packed.n_samples
            sides = [one.soft or SoftSides.of_sizes(one.names, one.sizes) for one in (self, other)]
            scaled = zip(sides, parts, totals, strict=True)
            soft = sides[0].plus(sides[1], totals)
            counts = soft.scaled(
                np.concatenate([side.unscaled(*part) for side, *part in scaled]), sum(totals)
            )
        return Counts.of_labels(
            rows,
            cols,
            counts,
            self.n_dropped + other.n_dropped,
            soft,
            self.is_weightless or other.is_weightless,
        )

    def __sub__(self, other: Counts) -> Counts:
        """Remove objects that were counted."""
        _check_subtrahend(self, other)
        rows, cols, parts = _aligned(self, other)
        cells = rows.zero_based() * cols.n_codes + cols.zero_based()
        _, at, cells = np.unique(cells, return_index=True, return_inverse=True)
        own, gone = np.zeros((2, len(at)), np.result_type(*parts))
        own[cells[: len(parts[0])]], gone[cells[len(parts[0]) :]] = parts
        left = _remainder(own, gone)
        negative = np.flatnonzero(left < 0)
        if negative.size:
            cell = at[negative[:1]]
            (row,), (col,) = (
                side.labels_of(side.zero_based()[cell]).tolist() for side in (rows, cols)
            )
            _refuse_negative(
                f"in row {row!r} and column {col!r}", own[negative[0]], gone[negative[0]]
            )
        n_dropped = _remainder(np.array(self.n_dropped), np.array(other.n_dropped)).item()
        if n_dropped < 0:
            _refuse_negative("dropped", self.n_dropped, other.n_dropped)
        positive = np.flatnonzero(left)
        sides = rows.take(at[positive]), cols.take(at[positive])
        return Counts.of_labels(*sides, left[positive], n_dropped, is_weightless=self.is_weightless)


def _pack(true: Labels, pred: Labels, weights: NDArray[Any] | None) -> PackedTable:
    shape = (true.n_codes, pred.n_codes)
    count = count_densely if fits_densely(shape, len(true.codes)) else count_sparsely
    counted = count(true.codes, pred.codes, true.low, pred.low, shape, weights)
    if isinstance(counted, PackedTable):
        return counted
    if counted.dtype.kind == "i":
        return pack_table(counted)
    return pack_cells(*occupied_cells(counted.ravel()), shape)


def _aligned(first: Counts, second: Counts) -> tuple[Labels, Labels, list[NDArray[Any]]]:
    """Return the rows and columns of the cells of two tables in turn, and the counts of each."""
    cells = first.cells(), second.cells()
    rows, cols = (
        align_labels(ours, theirs).take(np.append(codes, others + len(ours)))
        for ours, theirs, codes, others in zip(
            first.names,
            second.names,
            (cells[0].true.codes, cells[0].pred.codes),
            (cells[1].true.codes, cells[1].pred.codes),
            strict=True,
        )
    )
    return rows, cols, [one.counts for one in cells]


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
