"""The contingency table of two partitions, of which an index is a function.

Symbols of the literature and names in the code:

====================  =========================================================
n_ij                  ``counts``: objects in row cluster i and column cluster j
a_i, b_j              ``row_sums``, ``col_sums``: sizes of the clusters
N                     ``n_samples``: number of objects (sum of weights)
R, C                  ``shape``: number of row and of column clusters
====================  =========================================================
"""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Positions
from sklearn_clustcompare._frozen import counted, lazy
from sklearn_clustcompare._kernels import (
    Entropies,
    PackedTable,
    information_excess,
    occupied_cells,
    pack_cells,
    pack_table,
    split_cells,
    sum_of_squares,
    table_entropies,
)
from sklearn_clustcompare._numerics import divide_product, equal_ties, ordered_sum, whole_multiples
from sklearn_clustcompare._options import tells_keywords, warn_caller
from sklearn_clustcompare._parameters import boolean
from sklearn_clustcompare._partition import NAMES, Reading, names_of, read, read_labels
from sklearn_clustcompare._partition.arrays import (
    PartitionLike,
    TableLike,
    advice,
    as_counts,
    as_numbers,
    as_unique_labels,
    is_data_array,
    plain,
    to_array,
)
from sklearn_clustcompare._partition.covers import NoLabels
from sklearn_clustcompare._partition.labels import check_same_objects, encode
from sklearn_clustcompare._partition.memberships import checked_sparse
from sklearn_clustcompare._partition.reading import in_columns
from sklearn_clustcompare._rendering import Drawn, Table, matrix_table
from sklearn_clustcompare._table.counts import (
    Counts,
    SquareSums,
    check_no_totals,
    count_any,
    count_labels,
    frame_of_counts,
)
from sklearn_clustcompare._table.matching import optimal_matching
from sklearn_clustcompare._table.overlap import SoftSides, is_dask

if TYPE_CHECKING:
    import pandas as pd

# The sides of a frame, and what pandas.crosstab calls those that have no names.
_AXES, _UNNAMED = ("index", "columns"), ("row_0", "col_0")
# The attributes that make a table.
_PARTS = (
    *("row_sums", "col_sums", "row_labels", "col_labels"),
    *("_cells", "cell_counts", "_n_dropped", "soft"),
)


class ContingencyTable(
    NoLabels,
    Drawn,
    made_by=(
        "ContingencyTable.from_labels(labels_true, labels_pred), "
        "ContingencyTable.from_memberships(memberships_true, memberships_pred) or "
        "ContingencyTable.from_counts(counts)"
    ),
):
    """Counts of objects by their cluster in two partitions; frozen, sparse, additive.

    Make one with :meth:`from_labels`, :meth:`from_chunks`, :meth:`from_images`,
    :meth:`from_memberships` or :meth:`from_counts`. A table has no empty row and no empty column.
    Labels are sorted if they can be sorted.

    Tables of disjoint sets of objects add up: ``a + b`` and ``sum(tables)`` align the clusters by
    label, so a table can be counted in parts. ``total - part`` removes objects again, for sliding
    windows: add the new part, subtract the old one.

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
    coverage : float
        Share of the objects (of their weight) that is counted: 1.0, unless noise or missing labels
        were dropped, and 0.0 if all weights are zero.
    T : ContingencyTable
        The table with the two partitions swapped.
    names : tuple of str
        Names of the two partitions: those of Series, or of the axes of a frame of counts, else of
        the arguments. Tables that differ in them alone are equal.

    See Also
    --------
    get_index : Any index as a function of such a table.
    PermutationModel : Law of the table under permutation, given its margins.
    ContingencyDisplay : A picture of it.

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
    >>> table - parts[0] == parts[1]
    True
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

    # ----------------------------------------------------------------- constructors

    @classmethod
    @tells_keywords
    def from_labels(
        cls,
        labels_true: PartitionLike,
        labels_pred: PartitionLike,
        *,
        data: TableLike = None,
        sample_weight: ArrayLike | None = None,
        noise: str = "cluster",
        noise_label: Any = -1,
        missing: str = "error",
        unmatched: str = "error",
    ) -> ContingencyTable:
        """Count the objects of two labelings.

        Functions of labels make the same table internally. Make it yourself to compute several
        indices from one count, to store it instead of the labels, or to add it to others.

        Parameters
        ----------
        labels_true : array-like of shape (n_samples,)
            :term:`Labels` of the :term:`reference`.
        labels_pred : array-like of shape (n_samples,)
            Labels of the :term:`candidate`.
        data : DataFrame, mapping or object with ``obs``, default=None
            Table of which the other arguments name columns instead of being arrays: a frame of any
            package, a mapping such as a dict of arrays, or an object with such a table as ``obs``.
        sample_weight : array-like of shape (n_samples,), default=None
            :term:`Frequency weights <sample_weight>`; None means 1 for every object.
        noise : {"cluster", "singletons", "drop"}, default="cluster"
            How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each,
            or leave them out.
        noise_label : hashable or collection of them, default=-1
            :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
        missing : {"error", "drop", "cluster"}, default="error"
            How to treat objects whose label is :term:`missing`: raise an error, leave them out, or
            take them as one cluster.
        unmatched : {"error", "drop", "singleton"}, default="error"
            How to treat objects that only one of two partitions has, where both name their objects
            (dicts, Series, sets): raise an error, leave them out, or make each a cluster of its own
            in the other partition.

        Returns
        -------
        ContingencyTable
            With ``labels_true`` in the rows and ``labels_pred`` in the columns.

        Raises
        ------
        ValueError
            If lengths differ, labels are missing with ``missing="error"``, fractional or not
            one-dimensional, or weights are negative or not finite; or not whole for noise objects
            that become singletons.
        TypeError
            If labels are not hashable.

        Warns
        -----
        UserWarning
            If noise is dropped or split, and there are negative integers that are not among its
            labels.

        See Also
        --------
        ContingencyTable.from_chunks : Labels in parts.
        ContingencyTable.from_memberships : Soft partitions.
        ContingencyTable.from_counts : Tables counted elsewhere.

        Notes
        -----
        Dask arrays and Series are counted block by block on their workers; blocks are aligned if
        their lengths are known. If noise or missing labels are dropped, :attr:`coverage` is the
        share of the remaining objects. If none remain, or all weights are zero, it is 0.0 and the
        table is empty.

        Examples
        --------
        >>> from sklearn_clustcompare import ContingencyTable
        >>> ContingencyTable.from_labels([0, 0, 1], [0, 1, 1], sample_weight=[2, 1, 1]).n_samples
        4
        """
        reading = Reading(
            noise=noise, noise_label=noise_label, missing=missing, unmatched=unmatched
        )
        true, pred, weights = labels_true, labels_pred, sample_weight
        if data is not None:
            true, pred, weights = in_columns(
                data, labels_true=true, labels_pred=pred, sample_weight=weights
            )
        counts = count_any(true, pred, weights, reading, how=read_labels)
        return cls._of(*counts)._named(names_of(None, labels_true, labels_pred, data))

    @classmethod
    @tells_keywords
    def from_chunks(
        cls,
        chunks: Iterable[Any],
        *,
        noise: str = "cluster",
        noise_label: Any = -1,
        missing: str = "error",
        unmatched: str = "error",
    ) -> ContingencyTable:
        """Count the objects of two labelings given in parts.

        For labels that do not fit into memory together, such as those of a file or a database
        read in batches: only the cells counted so far are kept.

        Parameters
        ----------
        chunks : iterable of tuple
            ``(labels_true, labels_pred)`` or ``(labels_true, labels_pred, sample_weight)`` of
            disjoint sets of objects, each in a form accepted by :meth:`from_labels`. They are
            consumed one by one, and not kept.
        noise : {"cluster", "singletons", "drop"}, default="cluster"
            How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each,
            or leave them out.
        noise_label : hashable or collection of them, default=-1
            :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
        missing : {"error", "drop", "cluster"}, default="error"
            How to treat objects whose label is :term:`missing`: raise an error, leave them out, or
            take them as one cluster.
        unmatched : {"error", "drop", "singleton"}, default="error"
            How to treat objects that only one of two partitions has, where both name their objects
            (dicts, Series, sets): raise an error, leave them out, or make each a cluster of its own
            in the other partition.

        Returns
        -------
        ContingencyTable
            The same as for all chunks concatenated.

        Raises
        ------
        ValueError
            If a chunk is not a tuple of two or three arrays, if labels of one side change their
            type between chunks (1 in one, "1" in another), or as in :meth:`from_labels`; the error
            names the chunk by its number.
        TypeError
            If labels are not hashable.

        Warns
        -----
        UserWarning
            If noise is dropped or split, and there are negative integers that are not among its
            labels.

        See Also
        --------
        ContingencyTable.from_labels : All labels at once, dask arrays among them.
        ContingencyTable.from_counts : Tables counted by a database.

        Examples
        --------
        >>> from sklearn_clustcompare import ContingencyTable
        >>> ContingencyTable.from_chunks((["a", "b"], [part, 0]) for part in range(3))
        ContingencyTable: 6 objects in 2 rows x 3 columns, 4 cells occupied
           0  1  2
        a  1  1  1
        b  3  0  0
        """
        reading = Reading(
            noise=noise, noise_label=noise_label, missing=missing, unmatched=unmatched
        )
        total: Counts | None = None
        for number, chunk in enumerate(chunks):
            try:
                counts = _count_chunk(number, chunk, reading)
                total = counts if total is None else total + counts
            except (TypeError, ValueError) as error:
                error.add_note(f"in chunk {number}, counted from its start")
                raise
        return cls.from_labels([], []) if total is None else cls._of(*total.treated(reading))

    @classmethod
    def from_memberships(
        cls,
        memberships_true: Any,
        memberships_pred: Any,
        *,
        sample_weight: ArrayLike | None = None,
        possibilistic: bool = False,
        normalize: bool = False,
        moments: bool = False,
        n_jobs: int | None = None,
    ) -> ContingencyTable:
        """Count the objects of two partitions, at least one of which may be soft.

        For memberships of fuzzy clusters, posterior probabilities of a mixture model, or degrees
        of possibility, compared with each other or with labels. The counts are then real numbers.

        Parameters
        ----------
        memberships_true, memberships_pred : {array-like, sparse} of shape (n_samples, n_clusters)
            Degree in [0, 1] to which each object is in each cluster; every row sums to 1.
            Columns without members are left out. One or both of them may be labels of shape
            (n_samples,). The columns of a DataFrame name the clusters.
        sample_weight : array-like of shape (n_samples,), default=None
            :term:`Frequency weights <sample_weight>`; None means 1 for every object.
        possibilistic : bool, default=False
            Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
        normalize : bool, default=False
            Whether to divide each row by its sum first.
        moments : bool, default=False
            Whether to keep moments of the memberships (such as the Gram matrices of both sides),
            which some indices need; see :attr:`Index.moments`. For each side this takes as much
            time as the table.
        n_jobs : int, default=None
            :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.

        Returns
        -------
        ContingencyTable
            N* = phi U^T V, with ``memberships_true`` in the rows; phi is 1 unless possibilistic.
            Memberships of 0 and 1 give the integer counts of the labels.

        Raises
        ------
        ValueError
            If shapes do not match, memberships lie outside [0, 1] or are NaN, or rows do not sum to
            1; the error names the row. If no object has a membership on both sides.
        TypeError
            If memberships are not real numbers.

        See Also
        --------
        ContingencyTable.from_labels : Two labelings, with options for noise.
        soft_self_agreement : The value of a soft partition against itself.
        frobenius_adjusted_rand_score : An index that is 1 for equal soft partitions.

        Notes
        -----
        Jobs are threads, each for different objects. A table of possibilistic memberships is scaled
        to add up to the number of objects.

        The literature writes memberships as (n_clusters, n_samples) and the table as U V^T. A
        cell is the expected number of objects in two clusters if the clusters of each object
        are drawn from its memberships, independently on both sides; therefore a soft partition does
        not agree fully with itself.

        References
        ----------
        .. [1] D. T. Anderson, J. C. Bezdek, M. Popescu, J. M. Keller, "Comparing fuzzy,
           probabilistic, and possibilistic partitions", IEEE Transactions on Fuzzy Systems
           18(5), 2010
        .. [2] Y. Lei, J. C. Bezdek, J. Chan, N. X. Vinh, S. Romano, J. Bailey, "Extending
           information-theoretic validity indices for fuzzy clustering", IEEE Transactions on
           Fuzzy Systems, 2016

        Examples
        --------
        >>> from sklearn_clustcompare import ContingencyTable
        >>> ContingencyTable.from_memberships(["a", "a", "b"], [[1, 0], [0.5, 0.5], [0.25, 0.75]])
        ContingencyTable: 3 objects in 2 rows x 2 columns, 4 cells occupied
              0     1
        a  1.50  0.50
        b  0.25  0.75
        """
        boolean("moments", moments)
        counts = count_any(
            memberships_true,
            memberships_pred,
            sample_weight,
            Reading(possibilistic=possibilistic, normalize=normalize),
            ("memberships_true", "memberships_pred"),
            how=functools.partial(read, may_be_image=False),
            moments=moments,
            n_jobs=n_jobs,
        )
        return cls._of(*counts)._named(names_of(None, memberships_true, memberships_pred))

    @classmethod
    def from_images(
        cls,
        image_true: Any,
        image_pred: Any,
        *,
        ignore_true: Any = None,
        ignore_pred: Any = None,
        missing: str = "error",
    ) -> ContingencyTable:
        """Count the pixels of two images of labels, of any number of dimensions.

        Use it for segmentations, whose labels are arrays of the shape of the image. Functions of
        labels accept one-dimensional arrays, since two-dimensional ones are memberships; pass them
        this table instead.

        Parameters
        ----------
        image_true, image_pred : array-like of any shape, the same for both
            Label of each pixel in the :term:`reference` and in the :term:`candidate`.
        ignore_true, ignore_pred : hashable or collection of them, default=None
            Label, or several, whose pixels are left out, whatever their label in the other image.
            None leaves out nothing.
        missing : {"error", "drop", "cluster"}, default="error"
            How to treat objects whose label is :term:`missing`: raise an error, leave them out, or
            take them as one cluster.

        Returns
        -------
        ContingencyTable
            With ``image_true`` in the rows and ``image_pred`` in the columns.

        Raises
        ------
        ValueError
            If shapes, or names of dimensions or coordinates differ, or labels are fractional, or
            missing with ``missing="error"``; if a label to ignore occurs only as another type.
        TypeError
            If labels are not hashable.

        Warns
        -----
        UserWarning
            If the images seem to have colors, with three or four channels as the last dimension.

        See Also
        --------
        ContingencyTable.from_labels : One-dimensional arrays.
        cluster_f_score : Objects found; ``background`` excludes pixels of no object.
        pair_f_score : One minus the adapted Rand error.

        Notes
        -----
        If the background of the reference was not annotated, or should not be evaluated,
        ``ignore_true=0`` leaves it out. The background of the candidate remains a segment, so
        missed pixels count as errors; with ``ignore_pred=0`` they do not. Pixels without data,
        which are NaN or masked, are missing labels. :attr:`coverage` is the share of the pixels
        that is counted. Count images in tiles or slices one by one, and add their tables.

        Examples
        --------
        >>> from sklearn_clustcompare import ContingencyTable, pair_f_score
        >>> truth, found = [[0, 1, 1], [0, 2, 2]], [[5, 5, 1], [5, 2, 0]]
        >>> table = ContingencyTable.from_images(truth, found, ignore_true=0)
        >>> table
        ContingencyTable: 4 objects in 2 rows x 4 columns, 4 cells occupied, 2 objects dropped
           0  1  2  5
        1  0  1  0  1
        2  1  0  1  0
        """
        names = ("image_true", "image_pred")
        reading = Reading(missing=missing)
        images = [
            image if is_dask(image) else to_array(image, name)
            for image, name in zip(_of_equal_dims(image_true, image_pred), names, strict=True)
        ]
        if images[0].shape != images[1].shape:
            msg = (
                "image_true and image_pred must have the same shape, got "
                f"{images[0].shape} and {images[1].shape}"
            )
            raise ValueError(msg)
        shape = tuple(images[0].shape)
        # Channels are few, and last.
        if len(shape) == 3 and shape[-1] in (3, 4) and min(shape[:2]) > shape[-1]:
            warn_caller(
                f"image_true and image_pred have the shape {shape}, as images of colors do, whose "
                "channels are counted as pixels here: pass images of labels, such as [:, :, 0] of "
                "these",
            )
        true, pred = (image.ravel() for image in images)
        counts = count_any(true, pred, None, reading, names, how=read_labels)
        return cls._of(*counts.without(ignore_true=ignore_true, ignore_pred=ignore_pred))

    @classmethod
    def from_counts(
        cls, counts: Any, *, row_labels: Any = None, col_labels: Any = None, index: Any = None
    ) -> ContingencyTable:
        """Make a table from given counts.

        Use it for tables printed in a paper, or counted by a database or another program. All
        functions that need only counts accept it.

        Parameters
        ----------
        counts : array-like, DataFrame or sparse matrix of shape (R, C)
            Number of objects per pair of clusters; not negative. Whole numbers are kept
            exactly, up to a total below 2**63. Rows and columns without objects are left out.
        row_labels, col_labels : array-like of shape (R,) and (C,), default=None
            Names of the clusters; None takes those of a frame, such as :func:`pandas.crosstab`
            returns, or numbers them from 0.
        index : hashable, default=None
            Name of the column that contains the names of the rows, for frames of packages that have
            no index: a pivot of Polars, a table of Arrow or of a database.

        Returns
        -------
        ContingencyTable

        Raises
        ------
        ValueError
            If counts are negative, not finite or not two-dimensional, or if labels have the wrong
            length or repeat. If a column of a frame seems to contain names of rows, and neither
            ``index`` nor ``row_labels`` is given. If the last row and the last column are totals.

        See Also
        --------
        ContingencyTable.from_labels : Counts the objects itself.
        sklearn.metrics.cluster.contingency_matrix : Computes such counts, without the labels.

        Examples
        --------
        >>> from sklearn_clustcompare import ContingencyTable
        >>> table = ContingencyTable.from_counts([[5, 1], [0, 4]], row_labels=["x", "y"])
        >>> table.row_sums
        array([6, 4])
        """
        counts = plain(counts)
        # Only frames with an index name their columns; those of a lazy one would cost a query.
        named = counts if hasattr(counts, "index") else None
        axes = tuple(getattr(getattr(named, side, None), "name", None) for side in _AXES)
        frame = frame_of_counts(counts, index, has_row_labels=row_labels is not None)
        if frame is not None:
            counts, frame_rows, frame_cols = frame
            row_labels = frame_rows if row_labels is None else row_labels
            col_labels = frame_cols if col_labels is None else col_labels
        is_sparse = sparse.issparse(counts)
        matrix: Any = counts if is_sparse else as_numbers(counts, "counts")
        if matrix.ndim != 2:
            msg = (
                "counts must be a 2-D array of shape (n_row_clusters, n_col_clusters), "
                f"got {matrix.ndim} dimension(s){advice(counts)}"
            )
            raise ValueError(msg)
        if is_sparse:
            matrix = sparse.coo_array(checked_sparse(matrix, "counts"))
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
        check_no_totals(sparse.csr_array(matrix) if is_sparse else matrix, row_labels, col_labels)
        n_rows, n_cols = matrix.shape
        row_names = as_unique_labels(row_labels, n_rows, "row_labels", "rows")
        col_names = as_unique_labels(col_labels, n_cols, "col_labels", "columns")
        counted = Counts.of_labels(
            encode(row_names, "row_labels").take(rows),
            encode(col_names, "col_labels").take(cols),
            values,
        )
        return cls._of(*counted)._named(names_of(None if axes == _UNNAMED else axes))

    @classmethod
    def _of_dense(cls, counts: Array) -> ContingencyTable:
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
    ) -> ContingencyTable:
        """Make a table of the parts of ``Counts``."""
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

    def _named(self, names: tuple[str, str]) -> ContingencyTable:
        """Return the table, just made, with names of the partitions."""
        if names != NAMES:
            self.__dict__["names"] = names
        return self

    @property
    def _counts(self) -> Counts:
        labels = self.row_labels, self.col_labels
        return Counts(self._packed, labels, self._n_dropped, self.soft, self._is_weightless)

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
    def is_identity(self) -> bool:
        """Whether the two partitions are the same up to the names of their clusters."""
        return self.shape[0] == self.shape[1] == self.n_cells

    @lazy
    def _occupied(self) -> tuple[IntArray, Array]:
        counts, cells = self._packed[:2]
        if cells is None:
            cells, counts = occupied_cells(counts)
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
    def in_units(self) -> ContingencyTable:
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
    def T(self) -> ContingencyTable:
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

    # ----------------------------------------------------------------- arithmetic

    def __add__(self, other: Any) -> ContingencyTable:
        if not isinstance(other, ContingencyTable):
            return NotImplemented
        return self._of(*(self._counts + other._counts))._named(self._names_with(other))

    def __sub__(self, other: Any) -> ContingencyTable:
        if not isinstance(other, ContingencyTable):
            return NotImplemented
        return self._of(*(self._counts - other._counts))._named(self._names_with(other))

    def __radd__(self, other: Any) -> ContingencyTable:
        if isinstance(other, int) and other == 0:  # the start value of sum()
            return self
        return NotImplemented

    def _names_with(self, other: ContingencyTable) -> tuple[str, str]:
        return self.names if self.names == other.names else NAMES

    def _content(self) -> Hashable:
        # Counted, since the clusters of single noise objects all have the same label.
        rows = self.row_labels[self.cell_rows].tolist()
        cols = self.col_labels[self.cell_cols].tolist()
        return counted(zip(rows, cols, self.cell_counts.tolist(), strict=True))

    # ----------------------------------------------------------------- display

    def to_frame(self) -> pd.DataFrame:
        """Return the counts as a DataFrame, with the labels as its index and columns.

        It includes empty cells: tables of very many clusters fit into memory only as ``counts``.
        Needs pandas.

        Returns
        -------
        pandas.DataFrame of shape (R, C)
            Counts as in ``counts``.

        See Also
        --------
        ContingencyTable.from_counts : A table from such counts.
        ContingencyDisplay : A picture of it.

        Examples
        --------
        >>> from sklearn_clustcompare import ContingencyTable
        >>> frame = ContingencyTable.from_labels(["a", "a", "b"], [1, 2, 2]).to_frame()
        >>> frame.loc["a"].to_dict()
        {1: 1, 2: 1}
        """
        import pandas as pd

        return pd.DataFrame(
            self.counts.toarray(),
            index=pd.Index(self.row_labels, name=self.names[0]),
            columns=pd.Index(self.col_labels, name=self.names[1]),
        )

    def _headline(self) -> str:
        n_rows, n_cols = self.shape
        dropped = f", {self._n_dropped} objects dropped" if self._n_dropped else ""
        n_objects = str(self.n_samples) if self.is_whole else f"{self.n_samples:g}"
        names = ("", "") if self.names == NAMES else [f" ({name})" for name in self.names]
        return (
            f"ContingencyTable: {n_objects} objects in {n_rows} rows{names[0]} x "
            f"{n_cols} columns{names[1]}, "
            f"{self.n_cells} cells occupied{dropped}"
        )

    def _shown(self) -> Table:
        return matrix_table(self.row_labels, self.col_labels, self.counts)


def _of_equal_dims(first: Any, second: Any) -> tuple[Any, Any]:
    """Return images of xarray with the same order of dimensions, and all others unchanged."""
    if is_data_array(first) and is_data_array(second):
        if set(first.dims) != set(second.dims):
            msg = (
                "image_true and image_pred must have the same dimensions, got "
                f"{first.dims} and {second.dims}"
            )
            raise ValueError(msg)
        second = second.transpose(*first.dims)
        for dim in first.dims:
            names = (f"dimension {dim!r} of image_true", "that of image_pred")
            check_same_objects(first.indexes.get(dim), second.indexes.get(dim), names)
    return tuple(one.data if is_data_array(one) else one for one in (first, second))


def _count_chunk(number: int, chunk: Any, reading: Reading) -> Counts:
    if not isinstance(chunk, tuple | list) or len(chunk) not in (2, 3):
        got = f"{len(chunk)} items" if hasattr(chunk, "__len__") else type(chunk).__name__
        msg = (
            "chunks must be tuples (labels_true, labels_pred) or (labels_true, labels_pred, "
            f"sample_weight), got {got} as chunk {number}"
        )
        raise ValueError(msg)
    return count_labels(*chunk, reading=reading)


def read_only(array: Array) -> Array:
    array.flags.writeable = False
    return array


def _sum_of_squares(counts: Array, total: Any) -> Any:
    if counts.dtype.kind == "f":
        return ordered_sum(counts * counts)
    return sum_of_squares(counts, total)
