"""The contingency table of two partitions: all that an index ever sees.

The letters of the literature and the words of the code:

====================  =========================================================
n_ij                  ``counts``: objects in row cluster i and column cluster j
a_i, b_j              ``row_sums``, ``col_sums``: sizes of the clusters
N                     ``n_samples``: number of objects (sum of weights)
R, C                  ``shape``: number of row and of column clusters
====================  =========================================================
"""

from __future__ import annotations

from functools import cached_property
from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from sklearn_clustcompare._counting import (
    count_densely,
    count_sparsely,
    fits_densely,
    split_cells,
)
from sklearn_clustcompare._encoding import Encoding, encode
from sklearn_clustcompare._validation import (
    as_counts,
    as_numbers,
    as_sample_weight,
    as_unique_labels,
    check_same_length,
)

_MAX_SHOWN = 10


class SquareSums(NamedTuple):
    """Sums of squares of a table: ``sum n_ij^2``, ``sum a_i^2``, ``sum b_j^2``."""

    cells: float
    rows: float
    cols: float


class ContingencyTable:
    """Counts of objects by their cluster in two partitions; frozen, sparse, additive.

    Make one with :meth:`from_labels` or :meth:`from_counts`. Clusters without objects do not
    exist: a table has no empty row and no empty column. Labels are kept in sorted order
    where they can be sorted.

    Tables of disjoint sets of objects add up: ``a + b`` and ``sum(tables)`` align the
    clusters by label, so that a table can be counted in parts, anywhere.

    Attributes
    ----------
    counts : scipy.sparse.csr_array of shape (R, C)
        Number of objects (or sum of weights) per cell; int64 if all are whole numbers, else
        float64.
    row_labels, col_labels : ndarray of shape (R,) and (C,)
        Label of each row (first partition, the reference) and each column (second
        partition, the candidate).
    row_sums, col_sums : ndarray of shape (R,) and (C,)
        Cluster sizes, all positive.
    n_samples : int or float
        Number of objects, or the sum of their weights.
    shape : tuple of int
        ``(R, C)``.
    T : ContingencyTable
        The table with the two partitions swapped.

    Examples
    --------
    >>> from sklearn_clustcompare import ContingencyTable
    >>> table = ContingencyTable.from_labels(["a", "a", "b", "b"], [1, 1, 1, 2])
    >>> table
    ContingencyTable: 4 objects in 2 rows x 2 columns, 3 cells occupied
       1  2
    a  2  0
    b  1  1
    >>> parts = [
    ...     ContingencyTable.from_labels(["a", "b"], [1, 2]),
    ...     ContingencyTable.from_labels(["b", "a"], [1, 1]),
    ... ]
    >>> sum(parts) == table
    True
    """

    row_labels: NDArray[Any]
    col_labels: NDArray[Any]
    row_sums: NDArray[Any]
    col_sums: NDArray[Any]
    cell_counts: NDArray[Any]
    _cells: NDArray[np.int64]

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        msg = (
            "ContingencyTable is made by ContingencyTable.from_labels(labels_true, labels_pred) "
            "or ContingencyTable.from_counts(counts)"
        )
        raise TypeError(msg)

    # ----------------------------------------------------------------- constructors

    @classmethod
    def from_labels(
        cls, labels_true: Any, labels_pred: Any, *, sample_weight: ArrayLike | None = None
    ) -> ContingencyTable:
        """Count the objects of two labelings.

        Parameters
        ----------
        labels_true, labels_pred : array-like of shape (n_samples,)
            Labels of any hashable kind: integers, booleans, strings, objects, pandas Series
            and Categorical, lists. No missing values.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights as frequencies: a weight of 3 is an object that stands three times, a
            weight of 0 is an object left out. None means 1 for all.

        Returns
        -------
        ContingencyTable
            With ``labels_true`` in the rows and ``labels_pred`` in the columns.

        Raises
        ------
        ValueError
            If lengths differ, labels are missing, fractional or not one-dimensional, or
            weights are negative or not finite.
        TypeError
            If labels are not hashable.

        Examples
        --------
        >>> from sklearn_clustcompare import ContingencyTable
        >>> ContingencyTable.from_labels([0, 0, 1], [0, 1, 1], sample_weight=[2, 1, 1]).n_samples
        4
        """
        true = encode(labels_true, "labels_true")
        pred = encode(labels_pred, "labels_pred")
        check_same_length(true.codes, pred.codes, ("labels_true", "labels_pred"))
        weights = (
            None if sample_weight is None else as_sample_weight(sample_weight, len(true.codes))
        )
        return cls._from_encodings(true, pred, weights)

    @classmethod
    def from_counts(
        cls, counts: Any, *, row_labels: Any = None, col_labels: Any = None
    ) -> ContingencyTable:
        """Take a table that was counted elsewhere.

        Parameters
        ----------
        counts : array-like or sparse matrix of shape (R, C)
            Number of objects per pair of clusters; not negative. Whole numbers are kept
            exactly, up to a total below 2**63. Rows and columns without objects are no
            clusters and are left out.
        row_labels, col_labels : array-like of shape (R,) and (C,), default=None
            Names of the clusters; None numbers them from 0.

        Returns
        -------
        ContingencyTable

        Raises
        ------
        ValueError
            If counts are negative, not finite or not two-dimensional, or if labels do not
            fit or repeat.

        Examples
        --------
        >>> from sklearn_clustcompare import ContingencyTable
        >>> table = ContingencyTable.from_counts([[5, 1], [0, 4]], row_labels=["x", "y"])
        >>> table.row_sums
        array([6, 4])
        """
        matrix: Any = counts if sparse.issparse(counts) else as_numbers(counts, "counts")
        if matrix.ndim != 2:
            msg = (
                "counts must be a 2-D array of shape (n_row_clusters, n_col_clusters), "
                f"got {matrix.ndim} dimension(s)"
            )
            raise ValueError(msg)
        if sparse.issparse(matrix):
            matrix = sparse.coo_array(matrix)
            # Checked and widened before entries of one cell are added up.
            values = as_counts(matrix.data, "counts")
            matrix = sparse.coo_array((values, (matrix.row, matrix.col)), shape=matrix.shape)
            matrix.sum_duplicates()
            values = matrix.data
            rows, cols = (index.astype(np.int64) for index in (matrix.row, matrix.col))
        else:
            matrix = as_counts(matrix, "counts")
            rows, cols = np.nonzero(matrix)
            values = matrix[rows, cols]
        n_rows, n_cols = matrix.shape
        row_names = (
            np.arange(n_rows)
            if row_labels is None
            else as_unique_labels(row_labels, n_rows, "row_labels", "rows")
        )
        col_names = (
            np.arange(n_cols)
            if col_labels is None
            else as_unique_labels(col_labels, n_cols, "col_labels", "columns")
        )
        return cls._from_encodings(
            _select(encode(row_names, "row_labels"), rows),
            _select(encode(col_names, "col_labels"), cols),
            values,
        )

    @classmethod
    def _from_encodings(
        cls, true: Encoding, pred: Encoding, weights: NDArray[Any] | None = None
    ) -> ContingencyTable:
        shape = (true.n_codes, pred.n_codes)
        if fits_densely(shape, len(true.codes)):
            counts = count_densely(true.codes, pred.codes, true.low, pred.low, shape, weights)
            flat = counts.ravel()
            cells = flat.astype(bool).nonzero()[0]  # NumPy finds True faster than numbers
            values = flat[cells]
            if values.dtype.kind == "i":
                values = values.astype(np.int64, copy=False)
                row_sums = np.add.reduce(counts, axis=1)
                col_sums = np.add.reduce(counts, axis=0)
                if (
                    np.count_nonzero(row_sums) == shape[0]
                    and np.count_nonzero(col_sums) == shape[1]
                ):
                    return cls._build(
                        cells,
                        values,
                        row_sums,
                        col_sums,
                        true.labels_of(np.arange(shape[0])),
                        pred.labels_of(np.arange(shape[1])),
                    )
        else:
            cells, values = count_sparsely(
                true.codes, pred.codes, true.low, pred.low, shape[1], weights
            )
        rows, cols = split_cells(cells, shape[1])
        row_codes, rows, row_sums = _margin(rows, values, shape[0])
        col_codes, cols, col_sums = _margin(cols, values, shape[1])
        return cls._build(
            rows * len(col_codes) + cols,
            values,
            row_sums,
            col_sums,
            true.labels_of(row_codes),
            pred.labels_of(col_codes),
        )

    @classmethod
    def _build(
        cls,
        cells: NDArray[np.int64],
        cell_counts: NDArray[Any],
        row_sums: NDArray[Any],
        col_sums: NDArray[Any],
        row_labels: NDArray[Any],
        col_labels: NDArray[Any],
    ) -> ContingencyTable:
        table = object.__new__(cls)
        parts = {
            "_cells": cells,
            "cell_counts": cell_counts,
            "row_sums": row_sums,
            "col_sums": col_sums,
            "row_labels": row_labels,
            "col_labels": col_labels,
        }
        for part in parts.values():
            part.flags.writeable = False
        table.__dict__.update(parts)
        return table

    def __setattr__(self, name: str, value: Any) -> None:
        msg = f"a ContingencyTable is frozen, {name} cannot be set"
        raise AttributeError(msg)

    def __delattr__(self, name: str) -> None:
        msg = f"a ContingencyTable is frozen, {name} cannot be deleted"
        raise AttributeError(msg)

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (
            self._cells,
            self.cell_counts,
            self.row_sums,
            self.col_sums,
            self.row_labels,
            self.col_labels,
        )
        return self._build, parts

    # ----------------------------------------------------------------- what it holds

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.row_sums), len(self.col_sums)

    @cached_property
    def n_samples(self) -> Any:
        return ordered_sum(self.cell_counts)

    @property
    def is_whole(self) -> bool:
        """Whether all counts are whole numbers, kept exactly as int64."""
        return self.cell_counts.dtype.kind == "i"

    @property
    def is_identity(self) -> bool:
        """Whether the two partitions are the same up to the names of their clusters."""
        return len(self.row_sums) == len(self.col_sums) == len(self.cell_counts)

    @cached_property
    def _cell_codes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return split_cells(self._cells, len(self.col_sums))

    @property
    def cell_rows(self) -> NDArray[np.int64]:
        """Row number of each occupied cell, in the order of ``cell_counts``."""
        return self._cell_codes[0]

    @property
    def cell_cols(self) -> NDArray[np.int64]:
        """Column number of each occupied cell, in the order of ``cell_counts``."""
        return self._cell_codes[1]

    @cached_property
    def counts(self) -> sparse.csr_array:
        starts = np.searchsorted(self.cell_rows, np.arange(len(self.row_sums) + 1))
        matrix = sparse.csr_array((self.cell_counts, self.cell_cols, starts), shape=self.shape)
        for part in (matrix.data, matrix.indices, matrix.indptr):
            part.flags.writeable = False
        return matrix

    @cached_property
    def square_sums(self) -> SquareSums:
        """Sums of squared cells, rows and columns; exact Python ints for whole counts."""
        n = self.n_samples
        return SquareSums(
            _sum_of_squares(self.cell_counts, n),
            _sum_of_squares(self.row_sums, n),
            _sum_of_squares(self.col_sums, n),
        )

    @cached_property
    def T(self) -> ContingencyTable:
        cells = self.cell_cols * len(self.row_sums) + self.cell_rows
        order = np.argsort(cells)
        return self._build(
            cells[order],
            self.cell_counts[order],
            self.col_sums,
            self.row_sums,
            self.col_labels,
            self.row_labels,
        )

    # ----------------------------------------------------------------- arithmetic

    def __add__(self, other: Any) -> ContingencyTable:
        if not isinstance(other, ContingencyTable):
            return NotImplemented
        rows = _align(self.row_labels, other.row_labels)
        cols = _align(self.col_labels, other.col_labels)
        return self._from_encodings(
            _select(rows, np.append(self.cell_rows, other.cell_rows + self.shape[0])),
            _select(cols, np.append(self.cell_cols, other.cell_cols + self.shape[1])),
            as_counts(np.append(self.cell_counts, other.cell_counts), "counts of a sum of tables"),
        )

    def __radd__(self, other: Any) -> ContingencyTable:
        if isinstance(other, int) and other == 0:  # where sum() starts
            return self
        return NotImplemented

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, ContingencyTable):
            return NotImplemented
        if self.shape != other.shape or len(self._cells) != len(other._cells):
            return False
        return self._counts_by_label() == other._counts_by_label()

    def _counts_by_label(self) -> dict[tuple[Any, Any], Any]:
        rows = self.row_labels[self.cell_rows].tolist()
        cols = self.col_labels[self.cell_cols].tolist()
        return dict(zip(zip(rows, cols, strict=True), self.cell_counts.tolist(), strict=True))

    # ----------------------------------------------------------------- display

    def __repr__(self) -> str:
        lines = [self._headline()]
        header, *body = self._shown_cells()
        widths = [max(map(len, column)) for column in zip(header, *body, strict=True)]
        lines += [
            "  ".join(
                [row[0].ljust(widths[0])]
                + [text.rjust(width) for text, width in zip(row[1:], widths[1:], strict=True)]
            ).rstrip()
            for row in [header, *body]
        ]
        return "\n".join(lines if body else lines[:1])

    def _repr_html_(self) -> str:
        header, *body = self._shown_cells()
        head = "".join(f"<th>{escape(text)}</th>" for text in header)
        rows = "".join(
            f"<tr><th>{escape(row[0])}</th>"
            + "".join(f"<td>{escape(text)}</td>" for text in row[1:])
            + "</tr>"
            for row in body
        )
        return (
            f"<table><caption>{escape(self._headline())}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        )

    def _headline(self) -> str:
        n_rows, n_cols = self.shape
        return (
            f"ContingencyTable: {self.n_samples:g} objects in {n_rows} rows x {n_cols} columns, "
            f"{len(self._cells)} cells occupied"
            if not self.is_whole
            else f"ContingencyTable: {self.n_samples} objects in {n_rows} rows x {n_cols} "
            f"columns, {len(self._cells)} cells occupied"
        )

    def _shown_cells(self) -> list[list[str]]:
        """Return the upper left corner of the table as text, with its labels around it."""
        corner = self.counts[:_MAX_SHOWN, :_MAX_SHOWN].toarray()
        more_cols = ["..."] if self.shape[1] > _MAX_SHOWN else []
        header = ["", *map(str, self.col_labels[:_MAX_SHOWN].tolist()), *more_cols]
        body = [
            [str(label), *(f"{value:.6g}" if not self.is_whole else str(value) for value in row)]
            + more_cols
            for label, row in zip(
                self.row_labels[:_MAX_SHOWN].tolist(), corner.tolist(), strict=True
            )
        ]
        if self.shape[0] > _MAX_SHOWN:
            body.append(["..."] * len(header))
        return [header, *body]


def ordered_sum(values: NDArray[Any]) -> Any:
    """Add numbers so that the sum does not depend on their order, to the last bit."""
    if values.dtype.kind == "i":
        return int(np.add.reduce(values))
    return float(np.sort(values).sum())


def _sum_of_squares(counts: NDArray[Any], total: Any) -> Any:
    if counts.dtype.kind == "f":
        return ordered_sum(counts * counts)
    # sum n^2 <= (sum n)^2: int64 holds it as long as the total is small enough.
    if total * total < 2**63:
        return int(counts @ counts)
    return sum(count * count for count in counts.tolist())


def _margin(
    codes: NDArray[np.int64], values: NDArray[Any], n_codes: int
) -> tuple[NDArray[np.intp], NDArray[np.int64], NDArray[Any]]:
    """Number the codes that occur from zero, and add up the values of each."""
    if fits_densely((n_codes, 1), len(codes)):
        occurs = np.zeros(n_codes, bool)
        occurs[codes] = True
        occurring = np.flatnonzero(occurs)
        codes = (np.cumsum(occurs) - 1)[codes]
    else:
        occurring, codes = np.unique(codes, return_inverse=True)
    if values.dtype.kind == "f":
        # Ordered within each group, so that the sums do not depend on the order of labels.
        order = np.lexsort((values, codes))
        codes, values = codes[order], values[order]
        starts = np.searchsorted(codes, np.arange(len(occurring)))
        sums = np.add.reduceat(values, starts) if len(values) else np.zeros(0)
        codes = codes[np.argsort(order)]
    else:
        sums = np.zeros(len(occurring), np.int64)
        np.add.at(sums, codes, values)
    return occurring, codes, sums


def _select(encoding: Encoding, positions: NDArray[np.int64]) -> Encoding:
    return encoding._replace(codes=encoding.codes[positions])


def _align(first: NDArray[Any], second: NDArray[Any]) -> Encoding:
    """Encode two lists of labels together, by value."""
    if first.dtype.kind == second.dtype.kind and first.dtype.kind != "O":
        both = np.concatenate([first, second])
    else:
        both = np.empty(len(first) + len(second), dtype=object)
        both[:] = first.tolist() + second.tolist()
    return encode(both, "labels")
