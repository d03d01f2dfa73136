"""The contingency table of two partitions: the only input of an index.

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
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from sklearn_clustcompare._frozen import Frozen, counted, lazy
from sklearn_clustcompare._kernels import (
    Entropies,
    Groups,
    PackedTable,
    count_densely,
    count_pair,
    count_sparsely,
    entropy_position,
    fits_densely,
    information_excess,
    occupied_cells,
    pack_cells,
    pack_table,
    split_cells,
    sum_of_squares,
    table_entropies,
)
from sklearn_clustcompare._numerics import divide_product, ordered_sum
from sklearn_clustcompare._parameters import boolean
from sklearn_clustcompare._partition import Labels, Partition, Reading, read, read_labels
from sklearn_clustcompare._partition.ids import check_same_objects, index_of
from sklearn_clustcompare._partition.labels import encode
from sklearn_clustcompare._partition.memberships import MembershipMoments, transposed_hint
from sklearn_clustcompare._partition.noise import (
    Cells,
    align_labels,
    is_noise_object,
    noise_mask,
    treat_noise,
    warn_of_other_noise,
    weigh_noise,
)
from sklearn_clustcompare._partition.reading import DEFAULT, as_collection, check_hashable
from sklearn_clustcompare._partition.validation import (
    as_counts,
    as_numbers,
    as_sample_weight,
    as_unique_labels,
    to_array,
)
from sklearn_clustcompare._rendering import Shown, Table, matrix_table
from sklearn_clustcompare._table.dask import is_dask, sum_of_blocks
from sklearn_clustcompare._table.margins import SoftSides, SquareSums
from sklearn_clustcompare._table.matching import optimal_matching
from sklearn_clustcompare._table.overlap import overlap, side_labels

if TYPE_CHECKING:
    import pandas as pd

NAMES = ("labels_true", "labels_pred")
# The attributes that make a table.
_PARTS = (
    *("row_sums", "col_sums", "row_labels", "col_labels"),
    *("_cells", "cell_counts", "_n_dropped", "soft"),
)

# Rounding error of fractional counts in a cell, as a share of it, if all its objects are
# subtracted.
_ROUNDING = 1e-9


class ContingencyTable(
    Frozen,
    Shown,
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

    shape: tuple[int, int]
    n_samples: Any
    n_cells: int  # number of occupied cells
    is_whole: bool  # whether all counts are whole numbers, kept exactly as int64
    soft: SoftSides | None = None
    _packed: PackedTable
    _n_dropped: Any
    _is_weightless: bool = False  # there were objects, all of weight 0

    # ----------------------------------------------------------------- constructors

    @classmethod
    def from_labels(
        cls,
        labels_true: Any,
        labels_pred: Any,
        *,
        sample_weight: ArrayLike | None = None,
        noise: str = "cluster",
        noise_label: Any = -1,
        missing: str = "error",
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
        reading = Reading(noise=noise, noise_label=noise_label, missing=missing)
        if is_dask(labels_true, labels_pred, sample_weight):
            return _count(labels_true, labels_pred, sample_weight, reading, NAMES)
        true = read_labels(labels_true, NAMES[0], reading)
        pred = read_labels(labels_pred, NAMES[1], reading)
        return _count(true, pred, sample_weight, reading, NAMES)

    @classmethod
    def from_chunks(
        cls,
        chunks: Iterable[Any],
        *,
        noise: str = "cluster",
        noise_label: Any = -1,
        missing: str = "error",
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
        reading = Reading(noise=noise, noise_label=noise_label, missing=missing)
        total: ContingencyTable | None = None
        for number, chunk in enumerate(chunks):
            try:
                table = cls._from_chunk(number, chunk, missing)
                total = table if total is None else total + table
            except (TypeError, ValueError) as error:
                error.add_note(f"in chunk {number}, counted from its start")
                raise
        return cls.from_labels([], []) if total is None else total._treat_noise(reading)

    @classmethod
    def _from_chunk(cls, number: int, chunk: Any, missing: str) -> ContingencyTable:
        if not isinstance(chunk, tuple | list) or len(chunk) not in (2, 3):
            got = f"{len(chunk)} items" if hasattr(chunk, "__len__") else type(chunk).__name__
            msg = (
                "chunks must be tuples (labels_true, labels_pred) or (labels_true, labels_pred, "
                f"sample_weight), got {got} as chunk {number}"
            )
            raise ValueError(msg)
        weights = chunk[2] if chunk[2:] else None
        return cls.from_labels(*chunk[:2], sample_weight=weights, missing=missing)

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
        return _count(
            memberships_true,
            memberships_pred,
            sample_weight,
            Reading(possibilistic=possibilistic, normalize=normalize),
            ("memberships_true", "memberships_pred"),
            moments=moments,
            n_jobs=n_jobs,
            may_be_images=False,
        )

    @classmethod
    def from_images(
        cls, image_true: Any, image_pred: Any, *, ignore_true: Any = None, ignore_pred: Any = None
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

        Returns
        -------
        ContingencyTable
            With ``image_true`` in the rows and ``image_pred`` in the columns.

        Raises
        ------
        ValueError
            If shapes differ, or labels are fractional or missing; if a label to ignore occurs only
            as another type.
        TypeError
            If labels are not hashable.

        See Also
        --------
        ContingencyTable.from_labels : One-dimensional arrays.
        cluster_f_score : Objects found; ``background`` excludes pixels of no object.
        pair_f_score : One minus the adapted Rand error.

        Notes
        -----
        If the background of the reference was not annotated, or should not be evaluated,
        ``ignore_true=0`` leaves it out. The background of the candidate remains a segment, so
        missed pixels count as errors; with ``ignore_pred=0`` they do not. :attr:`coverage` is the
        share of the pixels that is counted. Count images in tiles or slices one by one, and add
        their tables.

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
        images = [
            to_array(image, name)
            for image, name in zip((image_true, image_pred), names, strict=True)
        ]
        if images[0].shape != images[1].shape:
            msg = (
                "image_true and image_pred must have the same shape, got "
                f"{images[0].shape} and {images[1].shape}"
            )
            raise ValueError(msg)
        true, pred = (
            read_labels(image.ravel(), name) for image, name in zip(images, names, strict=True)
        )
        table = _count(true, pred, None, DEFAULT, names)
        return table._without(ignore_true, ignore_pred)

    @classmethod
    def from_counts(
        cls, counts: Any, *, row_labels: Any = None, col_labels: Any = None
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
            Names of the clusters; None takes those of a DataFrame of pandas, such as
            :func:`pandas.crosstab` returns, or numbers them from 0.

        Returns
        -------
        ContingencyTable

        Raises
        ------
        ValueError
            If counts are negative, not finite or not two-dimensional, or if labels have the wrong
            length or repeat.

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
        if index_of(counts) is not None:
            row_labels = counts.index if row_labels is None else row_labels
            col_labels = counts.columns if col_labels is None else col_labels
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
        return cls._of_labels(
            encode(row_names, "row_labels").take(rows),
            encode(col_names, "col_labels").take(cols),
            values,
        )

    @classmethod
    def _of_labels(
        cls,
        true: Labels,
        pred: Labels,
        weights: NDArray[Any] | None = None,
        n_dropped: Any = 0,
        soft: SoftSides | None = None,
    ) -> ContingencyTable:
        """Count pairs of codes; used by all tables of labels."""
        packed = count_pair(true.codes, pred.codes) if weights is None else None
        if packed is not None:
            if true.classes is None and pred.classes is None:
                return cls._of(packed, n_dropped=n_dropped)
            lows = np.repeat([true.low, pred.low], packed.shape)
            packed = packed._replace(codes=packed.codes - lows)
        else:
            shape = (true.n_codes, pred.n_codes)
            count = count_densely if fits_densely(shape, len(true.codes)) else count_sparsely
            counted = count(true.codes, pred.codes, true.low, pred.low, shape, weights)
            if isinstance(counted, PackedTable):
                packed = counted
            elif counted.dtype.kind == "i":
                packed = pack_table(counted)
            else:
                packed = pack_cells(*occupied_cells(counted.ravel()), shape)
        labels = true.labels_of(packed.row_codes), pred.labels_of(packed.col_codes)
        return cls._of(packed, labels, n_dropped, soft)

    @classmethod
    def _of(
        cls,
        packed: PackedTable,
        labels: tuple[NDArray[Any], NDArray[Any]] | None = None,
        n_dropped: Any = 0,
        soft: SoftSides | None = None,
    ) -> ContingencyTable:
        """Make a table of counts; without labels those of its clusters are their codes."""
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
            parts["row_labels"], parts["col_labels"] = map(_read_only, labels)
        if soft is not None:
            parts["soft"] = soft
        return table

    def _parts(self) -> dict[str, Any]:
        parts: dict[str, Any] = {name: getattr(self, name) for name in _PARTS}
        if self._is_weightless:
            parts["_is_weightless"] = True
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
        table = self._of(packed, labels, parts["_n_dropped"], parts["soft"])
        self.__dict__.update(table._weightless_if("_is_weightless" in parts).__dict__)

    # ----------------------------------------------------------------- contents

    @property
    def coverage(self) -> float:
        """Share of the objects (of their weight) that is counted; below 1 if some were dropped."""
        if not self._n_dropped:
            return 0.0 if self._is_weightless else 1.0
        return float(self.n_samples / (self.n_samples + self._n_dropped))

    @lazy
    def row_sums(self) -> NDArray[Any]:
        return _read_only(self._packed.row_sums)

    @lazy
    def col_sums(self) -> NDArray[Any]:
        return _read_only(self._packed.col_sums)

    @lazy
    def row_labels(self) -> NDArray[Any]:
        return _read_only(self._packed.row_codes)

    @lazy
    def col_labels(self) -> NDArray[Any]:
        return _read_only(self._packed.col_codes)

    @property
    def is_identity(self) -> bool:
        """Whether the two partitions are the same up to the names of their clusters."""
        return self.shape[0] == self.shape[1] == self.n_cells

    @lazy
    def _occupied(self) -> tuple[NDArray[np.int64], NDArray[Any]]:
        counts, cells = self._packed[:2]
        if cells is None:
            cells, counts = occupied_cells(counts)
        return _read_only(cells), _read_only(counts)

    @property
    def _cells(self) -> NDArray[np.int64]:
        return self._occupied[0]

    @property
    def cell_counts(self) -> NDArray[Any]:
        """Count of each occupied cell, row by row; read-only."""
        return self._occupied[1]

    @lazy
    def _cell_codes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return split_cells(self._cells, self.shape[1])

    @property
    def cell_rows(self) -> NDArray[np.int64]:
        """Row number of each occupied cell, in the order of ``cell_counts``."""
        return self._cell_codes[0]

    @property
    def cell_cols(self) -> NDArray[np.int64]:
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
        parts = self._packed.counts, self.row_sums, self.col_sums
        return SquareSums(*(_sum_of_squares(part, self.n_samples) for part in parts))

    @lazy
    def entropies(self) -> Entropies:
        """Entropies of both partitions and of each within the other one, in nats."""
        return table_entropies(self._packed)

    @lazy
    def information_excess(self) -> float:
        """The mutual information in nats, to all digits near independence."""
        return information_excess(self._packed)

    def _entropy_position(self, margins: tuple[Groups, Groups], mean: float) -> float | None:
        """Return the sum of n ln n without its lines, less the mean, if there is a loop for it."""
        return entropy_position(self._packed, *margins[0], *margins[1], mean)

    @lazy
    def expected_cells(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
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
    def optimal_matching(self) -> NDArray[np.intp]:
        """Positions of the cells that match clusters one to one with the most objects."""
        matched = optimal_matching(self.cell_rows, self.cell_cols, self.cell_counts, self.shape)
        matched.flags.writeable = False
        return matched

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
        soft = self.soft and SoftSides(self.soft.pred, self.soft.true, self.soft.mass)
        labels = self.col_labels, self.row_labels
        table = self._of(packed, labels, self._n_dropped, soft)
        return table._weightless_if(self._is_weightless)

    # ----------------------------------------------------------------- arithmetic

    def _treat_noise(
        self,
        reading: Reading,
        names: tuple[str, str] = NAMES,
        are_named: tuple[bool, bool] = (True, True),
    ) -> ContingencyTable:
        """Drop the clusters of noise and of missing labels, or split noise into single objects.

        It uses the cells only, so its cost does not depend on the number of other objects.
        """
        if reading.counts_all:
            return self
        true, pred = (
            Labels(codes, 0, len(labels), labels, name, is_named=is_named)
            for codes, labels, name, is_named in zip(
                self._cell_codes,
                (self.row_labels, self.col_labels),
                names,
                are_named,
                strict=True,
            )
        )
        cells = Cells(true, pred, self.cell_counts)
        treated = treat_noise(cells, reading)
        for side in (true, pred):
            warn_of_other_noise(side, reading)
        if treated is cells:
            return self
        n_dropped = self._n_dropped + self.n_samples - ordered_sum(treated.counts)
        return self._of_labels(*treated, n_dropped)

    def _without(self, ignore_true: Any, ignore_pred: Any) -> ContingencyTable:
        """Leave out the objects with a label in the rows, or one in the columns."""
        true, pred = (
            Labels(codes, 0, len(labels), labels)
            for codes, labels in zip(
                self._cell_codes, (self.row_labels, self.col_labels), strict=True
            )
        )
        is_left_out = _is_ignored(true, ignore_true, "ignore_true") | _is_ignored(
            pred, ignore_pred, "ignore_pred"
        )
        if not is_left_out.any():
            return self
        kept = np.flatnonzero(~is_left_out)
        n_dropped = self.n_samples - ordered_sum(self.cell_counts[kept])
        return self._of_labels(true.take(kept), pred.take(kept), self.cell_counts[kept], n_dropped)

    def _weightless_if(self, condition: bool) -> ContingencyTable:
        """Mark an empty table: if the condition holds, there were objects of weight 0."""
        if condition and not self.n_cells:
            self.__dict__["_is_weightless"] = True
        return self

    def __add__(self, other: Any) -> ContingencyTable:
        if not isinstance(other, ContingencyTable):
            return NotImplemented
        rows = align_labels(self.row_labels, other.row_labels)
        cols = align_labels(self.col_labels, other.col_labels)
        counts = np.append(self._unscaled_counts, other._unscaled_counts)
        if self.is_whole and other.is_whole:
            counts = as_counts(counts, "counts of a sum of tables")
        soft = _add_soft(self, other)
        if soft and soft.mass:
            counts *= (self.n_samples + other.n_samples) / soft.mass
        return self._of_labels(
            rows.take(np.append(self.cell_rows, other.cell_rows + self.shape[0])),
            cols.take(np.append(self.cell_cols, other.cell_cols + self.shape[1])),
            counts,
            self._n_dropped + other._n_dropped,
            soft,
        )._weightless_if(self._is_weightless or other._is_weightless)

    def __sub__(self, other: Any) -> ContingencyTable:
        if not isinstance(other, ContingencyTable):
            return NotImplemented
        _check_subtrahend(self, other)
        rows = align_labels(self.row_labels, other.row_labels)
        cols = align_labels(self.col_labels, other.col_labels)
        rows = rows.take(np.append(self.cell_rows, other.cell_rows + self.shape[0]))
        cols = cols.take(np.append(self.cell_cols, other.cell_cols + self.shape[1]))
        cells = rows.zero_based() * cols.n_codes + cols.zero_based()
        _, first, cells = np.unique(cells, return_index=True, return_inverse=True)
        own, gone = np.zeros((2, len(first)), np.result_type(self.cell_counts, other.cell_counts))
        own[cells[: self.n_cells]] = self.cell_counts
        gone[cells[self.n_cells :]] = other.cell_counts
        left = _remainder(own, gone)
        negative = np.flatnonzero(left < 0)
        if negative.size:
            cell = first[negative[:1]]
            (row,), (col,) = (
                side.labels_of(side.zero_based()[cell]).tolist() for side in (rows, cols)
            )
            _refuse_negative(
                f"in row {row!r} and column {col!r}", own[negative[0]], gone[negative[0]]
            )
        n_dropped = _remainder(np.array(self._n_dropped), np.array(other._n_dropped)).item()
        if n_dropped < 0:
            _refuse_negative("dropped", self._n_dropped, other._n_dropped)
        positive = np.flatnonzero(left)
        return self._of_labels(
            rows.take(first[positive]), cols.take(first[positive]), left[positive], n_dropped
        )._weightless_if(self._is_weightless)

    @property
    def _unscaled_counts(self) -> NDArray[Any]:
        """Counts as sums of products of memberships; possibilistic tables are scaled."""
        if self.soft is None or not self.soft.mass:
            return self.cell_counts
        return self.cell_counts * (self.soft.mass / self.n_samples)

    def __radd__(self, other: Any) -> ContingencyTable:
        if isinstance(other, int) and other == 0:  # the start value of sum()
            return self
        return NotImplemented

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
            index=pd.Index(self.row_labels, name=NAMES[0]),
            columns=pd.Index(self.col_labels, name=NAMES[1]),
        )

    def _headline(self) -> str:
        n_rows, n_cols = self.shape
        dropped = f", {self._n_dropped} objects dropped" if self._n_dropped else ""
        n_objects = str(self.n_samples) if self.is_whole else f"{self.n_samples:g}"
        return (
            f"ContingencyTable: {n_objects} objects in {n_rows} rows x {n_cols} columns, "
            f"{self.n_cells} cells occupied{dropped}"
        )

    def _shown(self) -> Table:
        return matrix_table(self.row_labels, self.col_labels, self.counts)


# --------------------------------------------------------------------------- the door


def count(
    labels_true: Any,
    labels_pred: Any = None,
    sample_weight: Any = None,
    reading: Reading = DEFAULT,
    names: tuple[str, str] = NAMES,
    *,
    moments: bool = False,
) -> ContingencyTable:
    """Count two partitions: all public functions read their input here.

    The partitions are labels (1-D) or memberships (2-D), or one of each, as raw input or already
    read; or ``labels_true`` is a table of both, alone. The moments of memberships are kept with
    ``moments=True`` only, since they take as long as the table.
    """
    if type(labels_true) is type(labels_pred) is np.ndarray and sample_weight is None:
        packed = count_pair(labels_true, labels_pred)
        if packed is not None:
            table = ContingencyTable._of(packed)
            if reading is not DEFAULT:
                table = require_objects(table._treat_noise(reading, names))
            return table
    if isinstance(labels_true, ContingencyTable):
        _check_alone(labels_pred, sample_weight, reading, names)
        return require_objects(labels_true)
    for other, name in ((labels_pred, names[1]), (sample_weight, "sample_weight")):
        if isinstance(other, ContingencyTable):
            msg = f"{name} must not be a ContingencyTable: pass a table alone, as {names[0]}"
            raise TypeError(msg)
    if labels_pred is None:
        got = type(labels_true).__name__
        msg = f"{names[1]} must be given unless {names[0]} is a ContingencyTable, got {got} alone"
        raise TypeError(msg)
    return require_objects(
        _count(labels_true, labels_pred, sample_weight, reading, names, moments=moments)
    )


def _check_alone(
    labels_pred: Any, sample_weight: Any, reading: Reading, names: tuple[str, str]
) -> None:
    given = {names[1]: labels_pred, "sample_weight": sample_weight}
    for name, value in given.items():
        if value is not None:
            msg = (
                f"{name} must be None with a ContingencyTable, which has counted both "
                f"partitions, got {type(value).__name__}"
            )
            raise TypeError(msg)
    if reading is not DEFAULT and reading != DEFAULT:
        msg = (
            "possibilistic, noise and missing must be left out with a ContingencyTable: they are "
            f"for the method that makes the table, got {reading}"
        )
        raise ValueError(msg)


def require_objects(table: ContingencyTable) -> ContingencyTable:
    # An empty table is a valid summand, but indices must not treat it as two equal partitions.
    if not table.n_samples and table.coverage == 0:
        msg = (
            "sample_weight must be positive for at least one object, got zeros only"
            if table._is_weightless
            else "what is ignored, noise='drop' and missing='drop' must leave at least one object "
            "that is neither noise nor missing on either side, got none"
        )
        raise ValueError(msg)
    return table


def _count(
    first: Any,
    second: Any,
    sample_weight: Any,
    reading: Reading,
    names: tuple[str, str],
    *,
    moments: bool = False,
    n_jobs: int | None = None,
    may_be_images: bool = True,
) -> ContingencyTable:
    are_arrays = type(first) is type(second) is np.ndarray and sample_weight is None
    if not are_arrays and is_dask(first, second, sample_weight):
        blocks = {names[0]: first, names[1]: second, "sample_weight": sample_weight}
        count_block = functools.partial(_count_block, missing=reading.missing)
        return sum_of_blocks(count_block, blocks)._treat_noise(reading, names)
    packed = count_pair(first, second) if are_arrays else None
    if packed is not None:
        return ContingencyTable._of(packed)._treat_noise(reading, names)
    true = read(first, names[0], reading, may_be_image=may_be_images)
    pred = read(second, names[1], reading, may_be_image=may_be_images)
    check_partners(true, pred)
    weights = None
    if sample_weight is not None:
        weights = read_weights(sample_weight, true)
    return count_read(true, pred, weights, reading, moments=moments, n_jobs=n_jobs)


def count_read(
    true: Partition,
    pred: Partition,
    weights: NDArray[Any] | None,
    reading: Reading,
    *,
    moments: bool = False,
    n_jobs: int | None = None,
) -> ContingencyTable:
    """Count two partitions and weights that were already read, of the same objects."""
    is_weightless = weights is not None and weights.size > 0 and not weights.any()
    if isinstance(true, Labels) and isinstance(pred, Labels):
        table = ContingencyTable._of_labels(true, pred, weights)._weightless_if(is_weightless)
        are_named = (true.is_named, pred.is_named)
        return table._treat_noise(reading, (true.name, pred.name), are_named)
    table = _count_memberships(true, pred, weights, reading, moments, n_jobs)
    return table._weightless_if(is_weightless)


def _is_ignored(labels: Labels, ignored: Any, name: str) -> NDArray[np.bool_]:
    """Return which objects have a label that is left out."""
    left_out = () if ignored is None else as_collection(ignored)
    check_hashable(left_out, name)
    return noise_mask(labels, left_out, name)


def _count_block(*, missing: str, **blocks: Any) -> ContingencyTable:
    first, second, *weights = blocks.values()
    return ContingencyTable.from_labels(
        first, second, sample_weight=weights[0] if weights else None, missing=missing
    )


def check_partners(true: Partition, pred: Partition) -> None:
    """Raise ValueError unless two partitions hold the same objects, by number and by index."""
    first, second = true.n_objects, pred.n_objects
    if first != second:
        msg = f"{true.name} and {pred.name} must have the same length, got {first} and {second}"
        raise ValueError(msg + transposed_hint(true, pred))
    if true.ids is not None and pred.ids is not None:
        check_same_objects(true.ids, pred.ids, (true.name, pred.name))


def read_weights(sample_weight: Any, partition: Partition) -> NDArray[Any]:
    """Read the weights of the objects of a partition."""
    check_same_objects(partition.ids, index_of(sample_weight), (partition.name, "sample_weight"))
    return as_sample_weight(sample_weight, partition.n_objects)


def check_whole_weights(weights: NDArray[Any], purpose: str) -> None:
    """Raise ValueError unless weights are numbers of repetitions."""
    if weights.dtype.kind != "i":
        msg = (
            f"sample_weight must hold whole frequencies {purpose}, got "
            f"{weights[weights != np.floor(weights)][0]:g}"
        )
        raise ValueError(msg)


def _count_memberships(
    true: Partition,
    pred: Partition,
    weights: NDArray[Any] | None,
    reading: Reading,
    moments: bool,
    n_jobs: int | None,
) -> ContingencyTable:
    n_objects = true.n_objects
    weights, n_dropped = weigh_noise((true, pred), weights, reading)
    first, second = (
        side.compact()[0] if isinstance(side, Labels) else side for side in (true, pred)
    )
    for side in (first, second):
        if isinstance(side, Labels):
            warn_of_other_noise(side, reading)
    sums = overlap(first, second, weights, moments, n_jobs)
    total = float(n_objects if weights is None else weights.sum())
    product, mass = sums.product, None
    if reading.possibilistic:
        mass = float(product.sum())
        if total and not mass:
            msg = (
                f"{true.name} and {pred.name} must share objects, but no object has "
                "memberships above 0 on both sides"
            )
            raise ValueError(msg)
        product = product * (total / mass if mass else 1.0)
    rows, cols = product.nonzero()
    return ContingencyTable._of_labels(
        encode(side_labels(first), true.name).take(rows),
        encode(side_labels(second), pred.name).take(cols),
        np.asarray(product[rows, cols], np.float64).ravel(),
        n_dropped,
        SoftSides(sums.true, sums.pred, mass),
    )


def _add_soft(first: ContingencyTable, second: ContingencyTable) -> SoftSides | None:
    if first.soft is None and second.soft is None:
        return None
    masses = [table.soft and table.soft.mass for table in (first, second)]
    return SoftSides(
        _add_moments(*(_row_moments(table) for table in (first, second))),
        _add_moments(*(_row_moments(table.T) for table in (first, second))),
        None
        if masses == [None, None]
        else sum(
            mass or float(table.n_samples)
            for mass, table in zip(masses, (first, second), strict=True)
        ),
    )


def _check_subtrahend(table: ContingencyTable, other: ContingencyTable) -> None:
    """Raise ValueError unless another table can be subtracted from a table."""
    if table.soft is not None or other.soft is not None:
        msg = (
            "tables of memberships must not be subtracted, as their sums of products keep the "
            "rounding errors of all objects: add up the tables of the parts that are left"
        )
        raise ValueError(msg)
    if any(is_noise_object(labels).any() for labels in (other.row_labels, other.col_labels)):
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


def _row_moments(table: ContingencyTable) -> MembershipMoments | None:
    if table.soft is None:
        return MembershipMoments.of_sizes(table.row_labels, table.row_sums)
    return table.soft.true


def _add_moments(
    first: MembershipMoments | None, second: MembershipMoments | None
) -> MembershipMoments | None:
    return None if first is None or second is None else first + second


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


def _sum_of_squares(counts: NDArray[Any], total: Any) -> Any:
    if counts.dtype.kind == "f":
        return ordered_sum(counts * counts)
    return sum_of_squares(counts, total)
