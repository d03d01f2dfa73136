"""The record of a table: its cells and sizes, what follows from them, sums and differences."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np
from scipy import sparse

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Positions
from sklearn_clustcompare._frozen import counted, lazy
from sklearn_clustcompare._kernels import (
    Entropies,
    PackedTable,
    count_densely,
    count_pair,
    count_sparsely,
    fits_densely,
    information_excess,
    occupied_cells,
    pack_cells,
    pack_table,
    split_cells,
    sum_of_squares,
    table_entropies,
)
from sklearn_clustcompare._kernels import SquareSums as SquareSums
from sklearn_clustcompare._numerics import divide_product, equal_ties, ordered_sum, whole_multiples
from sklearn_clustcompare._partition import NAMES, Labels, Reading
from sklearn_clustcompare._partition.arrays import as_collection, check_hashable
from sklearn_clustcompare._partition.covers import NoLabels
from sklearn_clustcompare._partition.memberships import (
    Cells,
    align_labels,
    is_noise_object,
    noise_mask,
    treated_cells,
    warn_of_other_noise,
)
from sklearn_clustcompare._rendering import Drawn
from sklearn_clustcompare._table.matching import optimal_matching
from sklearn_clustcompare._table.overlap import SoftSides

# Rounding error of fractional counts in a cell, as a share of it, if all its objects are
# subtracted.
_ROUNDING = 1e-9
# The attributes that make a table.
_PARTS = (
    *("row_sums", "col_sums", "row_labels", "col_labels"),
    *("_cells", "cell_counts", "_n_dropped", "soft"),
)


class Counts(NoLabels, Drawn):
    """What a table of two partitions is, however it was counted; frozen, sparse, additive.

    Its constructors and its documentation have :class:`ContingencyTable`, the only kind there is.
    """

    _takers = "the objects themselves are needed, of which a table has only the numbers"
    shape: tuple[int, int]
    n_samples: Any
    n_cells: int  # number of occupied cells
    is_whole: bool  # whether all counts are whole numbers, kept exactly as int64
    soft: SoftSides | None = None
    names: tuple[str, str] = NAMES
    _packed: PackedTable
    _n_dropped: Any
    _is_weightless: bool = False  # there were objects, all of weight 0

    @classmethod
    def _of_dense(cls, counts: Array) -> Self:
        """Make a table of whole counts that are not a user's: none is taken for totals."""
        return cls._of(pack_table(counts))

    @classmethod
    def _of(
        cls,
        packed: PackedTable,
        labels: tuple[Array, Array] | None = None,
        n_dropped: Any = 0,
        soft: SoftSides | None = None,
        is_weightless: bool = False,
    ) -> Self:
        """Make a table; without ``labels`` the codes of its rows and columns name them.

        ``n_dropped`` objects, or their weight, are left out. The table is empty if it
        ``is_weightless``: its objects have weight 0.
        """
        table = object.__new__(cls)
        parts = table.__dict__
        parts["_packed"] = packed
        parts["shape"] = packed.shape
        parts["n_samples"] = packed.n_samples
        parts["n_cells"] = packed.n_cells
        parts["is_whole"] = packed.sizes.dtype.kind == "i"
        parts["_n_dropped"] = n_dropped
        if packed.square_sums is not None:
            parts["square_sums"] = packed.square_sums
        if labels is not None:
            parts["row_labels"], parts["col_labels"] = map(read_only, labels)
        if soft is not None:
            parts["soft"] = soft
        if is_weightless:
            parts["_is_weightless"] = True
        return table

    @classmethod
    def _of_labels(
        cls,
        true: Labels,
        pred: Labels,
        weights: Array | None = None,
        n_dropped: Any = 0,
        soft: SoftSides | None = None,
        is_weightless: bool = False,
    ) -> Self:
        """Count pairs of codes of objects, or of the cells of a table, by their weights."""
        packed = count_pair(true.codes, pred.codes) if weights is None else None
        if packed is None:
            packed = _pack(true, pred, weights)
        elif true.classes is None and pred.classes is None:
            return cls._of(packed, None, n_dropped)
        else:
            lows = np.repeat([true.low, pred.low], packed.shape)
            packed = packed._replace(codes=packed.codes - lows)
        labels = true.labels_of(packed.row_codes), pred.labels_of(packed.col_codes)
        return cls._of(packed, labels, n_dropped, soft, is_weightless and not packed.n_cells)

    def _named(self, names: tuple[str, str]) -> Self:
        """Return the table, just made, with names of the partitions."""
        if names != NAMES:
            self.__dict__["names"] = names
        return self

    def _parts(self) -> dict[str, Any]:
        parts: dict[str, Any] = {name: getattr(self, name) for name in _PARTS}
        if self._is_weightless:
            parts["_is_weightless"] = True
        if self.names != NAMES:
            parts["names"] = self.names
        return parts

    def _fill(self, parts: dict[str, Any]) -> None:
        sums = parts["row_sums"], parts["col_sums"]
        counts = parts["cell_counts"]
        packed = PackedTable(
            counts,
            parts["_cells"],
            np.concatenate(sums),
            np.zeros(0, np.int64),
            (len(sums[0]), len(sums[1])),
            ordered_sum(counts),
            len(counts),
        )
        labels = parts["row_labels"], parts["col_labels"]
        rest = parts["_n_dropped"], parts["soft"], "_is_weightless" in parts
        made = self._of(packed, labels, *rest)._named(parts.get("names", NAMES))
        self.__dict__.update(made.__dict__)

    # ----------------------------------------------------------------- contents

    @property
    def coverage(self) -> float:
        """Share of the objects (of their weight) that is counted; below 1 if some were dropped.

        Objects that only one partition has count as the mean weight of the others.
        """
        if not self._n_dropped:
            return 0.0 if self._is_weightless else 1.0
        return float(self.n_samples / (self.n_samples + self._n_dropped))

    @lazy
    def row_sums(self) -> Array:
        return read_only(self._packed.row_sums)

    @lazy
    def col_sums(self) -> Array:
        return read_only(self._packed.col_sums)

    @lazy
    def row_labels(self) -> Array:
        return read_only(self._packed.row_codes)

    @lazy
    def col_labels(self) -> Array:
        return read_only(self._packed.col_codes)

    @property
    def _sides(self) -> SoftSides:
        labels, sizes = (self.row_labels, self.col_labels), (self.row_sums, self.col_sums)
        return self.soft or SoftSides.of_sizes(labels, sizes)

    @property
    def is_identity(self) -> bool:
        """Whether the two partitions are the same up to the names of their clusters."""
        return self.shape[0] == self.shape[1] == self.n_cells

    @lazy
    def _occupied(self) -> tuple[IntArray, Array]:
        cells, counts = self._packed.occupied
        return read_only(cells), read_only(counts)

    @property
    def _cells(self) -> IntArray:
        return self._occupied[0]

    @property
    def cell_counts(self) -> Array:
        """Count of each occupied cell, row by row; read-only."""
        return self._occupied[1]

    @lazy
    def _cell_codes(self) -> tuple[IntArray, IntArray]:
        return split_cells(self._cells, self.shape[1])

    @property
    def cell_rows(self) -> IntArray:
        """Row number of each occupied cell, in the order of ``cell_counts``."""
        return self._cell_codes[0]

    @property
    def cell_cols(self) -> IntArray:
        """Column number of each occupied cell, in the order of ``cell_counts``."""
        return self._cell_codes[1]

    @lazy
    def counts(self) -> sparse.csr_array:
        starts = np.searchsorted(self.cell_rows, np.arange(len(self.row_sums) + 1))
        matrix = sparse.csr_array((self.cell_counts, self.cell_cols, starts), shape=self.shape)
        for part in (matrix.data, matrix.indices, matrix.indptr):
            part.flags.writeable = False
        return matrix

    @lazy
    def square_sums(self) -> SquareSums:
        """Sums of squared cells, rows and columns; exact Python ints for whole counts."""
        n = self.n_samples
        parts = self._packed.counts, self.row_sums, self.col_sums
        cells, rows, cols = (_sum_of_squares(part, n) for part in parts)
        # The sums of one cluster are those of the other side, which rounding must not hide.
        if self.shape[1] == 1:
            cells, cols = rows, n * n
        if self.shape[0] == 1:
            cells, rows = cols, n * n
        return SquareSums(cells, rows, cols)

    @lazy
    def _entropies(self) -> Entropies:
        """Entropies of both partitions and of each within the other one, in nats."""
        return table_entropies(self._packed)

    @lazy
    def _information_excess(self) -> float:
        """The mutual information in nats, to all digits near independence."""
        return information_excess(self._packed)

    @lazy
    def expected_cells(self) -> tuple[FloatArray, FloatArray]:
        """a_i b_j / N of each occupied cell, and the deviation of n_ij from it.

        The deviations are as accurate as the counts, however small they are.
        """
        expected, rest = divide_product(
            self.row_sums[self.cell_rows].astype(np.float64),
            self.col_sums[self.cell_cols].astype(np.float64),
            float(self.n_samples),
        )
        return expected, (self.cell_counts - expected) - rest

    @lazy
    def in_units(self) -> Self:
        """The table to choose clusters by: counts that tie are equal, whatever their rounding.

        Itself if counts are whole. Others are multiples of a common unit, and whole as well, where
        all have one, as multiples of one weight have.
        """
        counts = self.cell_counts
        if self.is_whole or not counts.size:
            return self
        whole = whole_multiples(counts)
        packed = pack_cells(self._cells, equal_ties(counts) if whole is None else whole, self.shape)
        return self._of(packed, (self.row_labels, self.col_labels))

    @lazy
    def optimal_matching(self) -> Positions:
        """Positions of the cells that match clusters one to one with the most objects."""
        counts = self.in_units.cell_counts
        return read_only(optimal_matching(self.cell_rows, self.cell_cols, counts, self.shape))

    @lazy
    def T(self) -> Self:
        counts, cells = self._packed[:2]
        if cells is None:
            counts = counts.reshape(self.shape).T.ravel()
        else:
            cells = self.cell_cols * self.shape[0] + self.cell_rows
            order = np.argsort(cells)
            counts, cells = counts[order], cells[order]
        packed = self._packed._replace(
            counts=counts,
            cells=cells,
            sizes=np.concatenate([self.col_sums, self.row_sums]),
            shape=self.shape[::-1],
            square_sums=None,
        )
        if "square_sums" in self.__dict__:
            squares = self.square_sums
            packed = packed._replace(
                square_sums=SquareSums(squares.cells, squares.cols, squares.rows)
            )
        labels = self.col_labels, self.row_labels
        soft = self.soft and self.soft.T
        swapped = self._of(packed, labels, self._n_dropped, soft, self._is_weightless)
        return swapped if self.names == NAMES else swapped._named(self.names[::-1])

    # ----------------------------------------------------------------- noise

    def _labeled_cells(
        self, names: tuple[str, str] = NAMES, are_named: tuple[bool, bool] = (True, True)
    ) -> Cells:
        """Return the occupied cells; ``names`` are those of the sides in messages."""
        codes, labels = (self.cell_rows, self.cell_cols), (self.row_labels, self.col_labels)
        true, pred = (
            Labels(*side)
            for side in zip(
                codes, (0, 0), self.shape, labels, names, (None, None), are_named, strict=True
            )
        )
        return Cells(true, pred, self.cell_counts)

    def _treated(
        self,
        reading: Reading,
        names: tuple[str, str] = NAMES,
        are_named: tuple[bool, bool] = (True, True),
    ) -> Self:
        """Drop the clusters of noise and of missing labels, or split noise into single objects.

        It uses the cells only, so its cost does not depend on the number of other objects.
        """
        if reading.counts_all:
            return self
        cells = self._labeled_cells(names, are_named)
        treated, _ = treated_cells(cells, reading)
        for side in (cells.true, cells.pred):
            warn_of_other_noise(side, reading)
        return self if treated is cells else self._with_the_rest_dropped(treated)

    def _without(self, **ignored: Any) -> Self:
        """Leave out the objects with a label to ignore in the rows, or in the columns."""
        cells = self._labeled_cells()
        is_left_out = np.zeros(self.n_cells, bool)
        for side, (argument, labels) in zip((cells.true, cells.pred), ignored.items(), strict=True):
            left_out = () if labels is None else as_collection(labels)
            check_hashable(left_out, argument)
            is_left_out |= noise_mask(side, left_out, argument)
        if not is_left_out.any():
            return self
        return self._with_the_rest_dropped(cells.take(np.flatnonzero(~is_left_out)))

    def _with_the_rest_dropped(self, cells: Cells) -> Self:
        n_dropped = self._n_dropped + self.n_samples - ordered_sum(cells.counts)
        return self._of_labels(*cells, n_dropped)

    # ----------------------------------------------------------------- arithmetic

    def __add__(self, other: Any) -> Self:
        """Count disjoint sets of objects together; clusters of the same label are one."""
        if not isinstance(other, Counts):
            return NotImplemented
        cells = _CommonCells.of(self, other)
        ours, theirs = cells.counts
        totals = self.n_samples, other.n_samples
        if ours.dtype.kind == "i" and sum(totals) >= 2**63:
            msg = f"counts of a sum of tables must add up to less than 2**63, got {sum(totals):g}"
            raise ValueError(msg)
        soft = None
        if self.soft or other.soft:
            sides = [one._sides for one in (self, other)]
            soft = sides[0].plus(sides[1], totals)
            ours, theirs = map(SoftSides.unscaled, sides, (ours, theirs), totals)
            ours, theirs = (soft.scaled(one, sum(totals)) for one in (ours, theirs))
        n_dropped = self._n_dropped + other._n_dropped
        packed, labels = cells.table(ours + theirs)
        is_weightless = (self._is_weightless or other._is_weightless) and not packed.n_cells
        made = self._of(packed, labels, n_dropped, soft, is_weightless)
        return made._named(self._names_with(other))

    def __sub__(self, other: Any) -> Self:
        """Remove objects that were counted."""
        if not isinstance(other, Counts):
            return NotImplemented
        _check_subtrahend(self, other)
        cells = _CommonCells.of(self, other)
        own, gone = cells.counts
        left = _remainder(own, gone)
        if np.minimum.reduce(left, initial=0) < 0:
            place = int((left < 0).argmax())
            codes = split_cells(cells.numbers[[place]], cells.pred.n_codes)
            row, col = (
                side.labels_of(code).tolist()[0]
                for side, code in zip(cells[:2], codes, strict=True)
            )
            _refuse_negative(f"in row {row!r} and column {col!r}", own[place], gone[place])
        n_dropped = _remainder(np.array(self._n_dropped), np.array(other._n_dropped)).item()
        if n_dropped < 0:
            _refuse_negative("dropped", self._n_dropped, other._n_dropped)
        packed, labels = cells.table(left)
        is_weightless = self._is_weightless and not packed.n_cells
        made = self._of(packed, labels, n_dropped, is_weightless=is_weightless)
        return made._named(self._names_with(other))

    def __radd__(self, other: Any) -> Self:
        if isinstance(other, int) and other == 0:  # the start value of sum()
            return self
        return NotImplemented

    def _names_with(self, other: Counts) -> tuple[str, str]:
        return self.names if self.names == other.names else NAMES

    def _content(self) -> Hashable:
        # Counted, since the clusters of single noise objects all have the same label.
        rows = self.row_labels[self.cell_rows].tolist()
        cols = self.col_labels[self.cell_cols].tolist()
        return counted(zip(rows, cols, self.cell_counts.tolist(), strict=True))


class _CommonCells(NamedTuple):
    """Cells that one of two tables has at least, by their numbers, and the counts of both."""

    true: Labels
    pred: Labels
    numbers: IntArray
    counts: Array

    @classmethod
    def of(cls, first: Counts, second: Counts) -> _CommonCells:
        true = align_labels(first.row_labels, second.row_labels)
        pred = align_labels(first.col_labels, second.col_labels)
        n_rows, n_cols = first.shape
        rows = true.zero_based()[np.append(first.cell_rows, second.cell_rows + n_rows)]
        cols = pred.zero_based()[np.append(first.cell_cols, second.cell_cols + n_cols)]
        places = rows * pred.n_codes + cols
        if fits_densely((true.n_codes, pred.n_codes), len(places)):
            numbers = np.arange(true.n_codes * pred.n_codes)
        else:
            numbers, places = np.unique(places, return_inverse=True)
        counts = np.append(first.cell_counts, second.cell_counts)
        common = np.zeros((2, len(numbers)), counts.dtype)
        common[0, places[: first.n_cells]] = counts[: first.n_cells]
        common[1, places[first.n_cells :]] = counts[first.n_cells :]
        return cls(true, pred, numbers, common)

    def table(self, counts: Array) -> tuple[PackedTable, tuple[Array, Array]]:
        """Return a table of other counts in these cells, and the labels of its clusters."""
        shape = self.true.n_codes, self.pred.n_codes
        if counts.dtype.kind == "i" and len(counts) == math.prod(shape):
            packed = pack_table(counts.reshape(shape))
        else:
            occupied = counts.nonzero()[0]
            packed = pack_cells(self.numbers[occupied], counts[occupied], shape)
        return packed, (
            self.true.labels_of(packed.row_codes),
            self.pred.labels_of(packed.col_codes),
        )


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
    if any(is_noise_object(labels).any() for labels in (second.row_labels, second.col_labels)):
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


def read_only(array: Array) -> Array:
    array.flags.writeable = False
    return array


def _sum_of_squares(counts: Array, total: Any) -> Any:
    if counts.dtype.kind == "f":
        return ordered_sum(counts * counts)
    return sum_of_squares(counts, total)


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
Margins = Counts | KnownMargins
