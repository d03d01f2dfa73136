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
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from sklearn_clustcompare._array_types import Array
from sklearn_clustcompare._kernels import count_pair
from sklearn_clustcompare._options import tells_keywords, warn_caller
from sklearn_clustcompare._parameters import boolean
from sklearn_clustcompare._partition import (
    DEFAULT,
    NAMES,
    Labels,
    Partition,
    Reading,
    names_of,
    read,
    read_labels,
    read_pair,
    read_weights,
)
from sklearn_clustcompare._partition.arrays import (
    PartitionLike,
    TableLike,
    advice,
    as_counts,
    as_numbers,
    as_unique_labels,
    is_data_array,
    is_weightless,
    parts_hint,
    plain,
    to_array,
)
from sklearn_clustcompare._partition.labels import (
    ObjectNames,
    check_same_objects,
    encode,
    index_of,
)
from sklearn_clustcompare._partition.memberships import (
    checked_sparse,
    column_names,
    is_membership_array,
    warn_of_other_noise,
    weigh_noise,
)
from sklearn_clustcompare._partition.reading import in_columns
from sklearn_clustcompare._rendering import Table, matrix_table
from sklearn_clustcompare._table.counts import Counts
from sklearn_clustcompare._table.overlap import is_dask, overlap, side_labels, sum_of_blocks

if TYPE_CHECKING:
    import pandas as pd

# The sides of a frame, and what pandas.crosstab calls those that have no names.
_AXES, _UNNAMED = ("index", "columns"), ("row_0", "col_0")


class ContingencyTable(
    Counts,
    made_by=(
        "ContingencyTable.from_labels(labels_true, labels_pred), "
        "ContingencyTable.from_memberships(memberships_true, memberships_pred) or "
        "ContingencyTable.from_counts(counts)"
    ),
):
    """Counts of objects by their cluster in two partitions; frozen, sparse, additive.

    Make one with :meth:`from_labels`, :meth:`from_images`, :meth:`from_memberships` or
    :meth:`from_counts`. A table has no empty row and no empty column.
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
    PermutationModel : Distribution of the table under permutation, given its margins.
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
            How to treat objects that not all partitions have, where they name objects (dicts,
            Series, sets): raise an error, leave them out, or make each a cluster of its own where
            it lacks.

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
        true, pred, weights = in_columns(
            data, labels_true=labels_true, labels_pred=labels_pred, sample_weight=sample_weight
        )
        table = count_any(true, pred, weights, reading, how=read_labels)
        return table._named(names_of(None, labels_true, labels_pred, data))

    @classmethod
    @tells_keywords
    def from_memberships(
        cls,
        memberships_true: Any,
        memberships_pred: Any,
        *,
        sample_weight: ArrayLike | None = None,
        possibilistic: bool = False,
        normalize: bool = False,
        moments: bool = False,
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
        frobenius_adjusted_rand_score : An index that is 1 for equal soft partitions.

        Notes
        -----
        A table of possibilistic memberships is scaled to add up to the number of objects.

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
        table = count_any(
            memberships_true,
            memberships_pred,
            sample_weight,
            Reading(possibilistic=possibilistic, normalize=normalize),
            ("memberships_true", "memberships_pred"),
            how=functools.partial(read, may_be_image=False),
            moments=moments,
        )
        return table._named(names_of(None, memberships_true, memberships_pred))

    @classmethod
    @tells_keywords
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
        table = count_any(true, pred, None, reading, names, how=read_labels)
        return table._without(ignore_true=ignore_true, ignore_pred=ignore_pred)

    @classmethod
    @tells_keywords
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
            Names of the clusters; None takes those of a frame, such as :func:`pandas.crosstab`
            returns, or numbers them from 0.

        Returns
        -------
        ContingencyTable

        Raises
        ------
        ValueError
            If counts are negative, not finite or not two-dimensional, or if labels have the wrong
            length or repeat. If a column of a frame seems to contain names of rows, and
            ``row_labels`` are not given. If the last row and the last column are totals.

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
        frame = frame_of_counts(counts, has_row_labels=row_labels is not None)
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
        table = cls._of_labels(
            encode(row_names, "row_labels").take(rows),
            encode(col_names, "col_labels").take(cols),
            values,
        )
        return table._named(names_of(None if axes == _UNNAMED else axes))

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
) -> ContingencyTable:
    """Count two partitions in any form that was not counted yet; ``how`` they are read."""
    is_by_position = reading.unmatched == "error"
    if type(first) is type(second) is np.ndarray and sample_weight is None and is_by_position:
        packed = count_pair(first, second)
        if packed is not None:
            return ContingencyTable._of(packed)._treated(reading, names)
    if is_dask(first, second, sample_weight) and is_by_position:
        check_same_objects(index_of(first), index_of(second), names)
        first, second, sample_weight = map(plain, (first, second, sample_weight))
        blocks = {names[0]: first, names[1]: second, "sample_weight": sample_weight}
        if max(getattr(side, "ndim", 1) for side in (first, second)) == 1:
            count_block = functools.partial(count_labels, reading=reading)
            return sum_of_blocks(count_block, blocks)._treated(reading, names)
        count_block = functools.partial(
            count_any, reading=reading, names=names, how=how, moments=moments
        )
        return sum_of_blocks(count_block, blocks)
    true, pred = read_pair(first, second, names, reading, how)
    weights = read_weights(sample_weight, true)
    return count_read(true, pred, weights, reading, moments=moments)


def count_labels(
    first: Any, second: Any, sample_weight: Any = None, *, reading: Reading
) -> ContingencyTable:
    """Count a part of two labelings, whose noise is treated in the sum of all parts."""
    of_part = Reading(missing=reading.missing, unmatched=reading.unmatched)
    return count_any(first, second, sample_weight, of_part, how=read_labels)


def count_read(
    true: Partition,
    pred: Partition,
    weights: Array | None = None,
    reading: Reading = DEFAULT,
    *,
    moments: bool = False,
) -> ContingencyTable:
    """Count two partitions and weights that were already read, of the same objects."""
    n_dropped: Any = 0
    if isinstance(true.ids, ObjectNames) and true.ids.n_left_out:
        # Those that only one side has may have no weight: they count as the mean of the others.
        each = 1 if weights is None else float(weights.sum()) / true.n_objects
        n_dropped = each * true.ids.n_left_out
    if not (isinstance(true, Labels) and isinstance(pred, Labels)):
        return _count_memberships(true, pred, weights, n_dropped, reading, moments)
    table = ContingencyTable._of_labels(
        true, pred, weights, n_dropped, is_weightless=is_weightless(weights)
    )
    return table._treated(reading, (true.name, pred.name), (true.is_named, pred.is_named))


def _count_memberships(
    true: Partition,
    pred: Partition,
    weights: Array | None,
    n_dropped: Any,
    reading: Reading,
    moments: bool,
) -> ContingencyTable:
    """Make the table of the sums of products of memberships, or of these and labels."""
    has_no_weight = is_weightless(weights)
    weights, n_noise = weigh_noise((true, pred), weights, reading)
    sides = [side.compact()[0] if isinstance(side, Labels) else side for side in (true, pred)]
    for side in sides:
        if isinstance(side, Labels):
            warn_of_other_noise(side, reading)
    product, soft = overlap(sides[0], sides[1], weights, moments)
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
    return ContingencyTable._of_labels(rows, cols, counts, n_noise + n_dropped, soft, has_no_weight)


# Rows and columns that are not empty, from which on totals without names are no chance; of so many
# objects and totals one less: random tables have them in fewer than 1 of 100,000.
_FEWEST_WITH_TOTALS, _FEWEST_COUNTED = 4, 20
_TOTALS = {"all", "sum", "total", "totals"}
_LAST = ("column", "counts.iloc[:, :-1]"), ("row", "counts.iloc[:-1]")


def frame_of_counts(counts: Any, *, has_row_labels: bool) -> Any:
    """Return the counts of a frame, and the names of its rows and columns; None for no frame.

    Raises ValueError if a column seems to hold names of rows, and these are not given.
    """
    names = column_names(counts)
    if names is None:
        return None
    names, has_index = list(names), index_of(counts) is not None
    if has_index:
        check_no_totals(_numbers_of(counts, names), counts.index, names)
    if not has_row_labels:
        _check_all_counts(counts, names, has_index=has_index)
    if has_index:
        return counts, counts.index, names
    return np.column_stack([np.asarray(counts[name]) for name in names]), None, names


def _numbers_of(counts: Any, names: list[Any]) -> Any:
    columns = [np.asarray(counts[name]) for name in names]
    if any(one.ndim > 1 or one.dtype.kind not in "iuf" for one in columns):
        return np.zeros((0, 0))  # no counts, which are refused later
    return np.column_stack(columns)


def check_no_totals(counts: Any, row_names: Any, col_names: Any) -> None:
    """Raise ValueError if the last row and the last column are the sums of all others.

    A table of few clusters or objects may be so by chance, unless names show that they are totals.
    One of the two alone is a total by its name only.
    """
    by_row, by_col = (np.asarray(counts.sum(axis=axis)).ravel() for axis in (1, 0))
    fewest = _FEWEST_WITH_TOTALS - (by_row.sum() >= _FEWEST_COUNTED)
    fewest = 2 if _are_named_totals(row_names, col_names) else fewest
    if not (len(by_row) and len(by_col)):
        return
    last = [
        side if isinstance(side, np.ndarray) else side.toarray().ravel()
        for side in (counts[:, [-1]], counts[[-1], :])
    ]
    # Twice the totals are the sums of rows and columns that end in them.
    are_totals = [
        np.allclose(2.0 * one.ravel(), sums, rtol=1e-9, atol=0)
        for one, sums in zip(last, (by_row, by_col), strict=True)
    ]
    n_filled = [*map(np.count_nonzero, (by_col, by_row))]
    if not all(are_totals):
        sides = zip(are_totals, n_filled, (col_names, row_names), _LAST, strict=True)
        for is_total, n_others, names, (what, rest) in sides:
            if is_total and n_others > 2 and names is not None and _is_total(names):
                msg = (
                    f"counts must not contain totals, but the last {what}, {[*names][-1]!r}, is "
                    f"the sum of all others: leave it out, as {rest} does"
                )
                raise ValueError(msg)
    elif min(n_filled) >= fewest:
        msg = (
            "counts must not contain totals, but the last row and the last column are the sums of "
            "all others: leave them out, as pandas.crosstab without margins=True or "
            "counts.iloc[:-1, :-1] does; if they are clusters, put them first"
        )
        raise ValueError(msg)


def _is_total(names: Any) -> bool:
    return not _TOTALS.isdisjoint(str(one).lower() for one in [*names][-1:])


def _are_named_totals(*names: Any) -> bool:
    """Return whether the last names are those of totals: by pandas or R, or one among numbers."""
    if any(one is None for one in names):
        return False
    (*rows, row), (*cols, col) = ([str(name).lower() for name in one] for one in names)
    are_numbers = all(name.lstrip("-").isdecimal() for name in (*rows, *cols))
    return {row, col} <= _TOTALS or (row == col and not row.isdecimal() and are_numbers)


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
                "rows: pass it as row_labels and the others as counts, or row_labels if it does not"
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


def count(
    labels_true: Any,
    labels_pred: Any = None,
    sample_weight: Any = None,
    reading: Reading = DEFAULT,
    names: tuple[str, str] = NAMES,
    *,
    moments: bool = False,
) -> ContingencyTable:
    """Count two partitions, raw or already read; or take a table of both, given alone.

    The moments of memberships are kept with ``moments=True`` only, since they take as long as the
    table. A table without objects is an error. Public functions document these arguments by the
    texts below.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    """
    # The most common input first: arrays of integers, which are counted as they are.
    are_arrays = type(labels_true) is type(labels_pred) is np.ndarray
    if are_arrays and sample_weight is None and reading is DEFAULT:
        packed = count_pair(labels_true, labels_pred)
        if packed is not None:
            return ContingencyTable._of(packed)
    given = {names[1]: labels_pred, "sample_weight": sample_weight}
    if isinstance(labels_true, ContingencyTable):
        _check_alone(given, reading)
        return require_objects(labels_true)
    for name, other in given.items():
        if isinstance(other, ContingencyTable):
            msg = f"{name} must not be a ContingencyTable: pass a table alone, as {names[0]}"
            raise TypeError(msg)
    if labels_pred is None:
        got = type(labels_true).__name__
        msg = f"{names[1]} must be given unless {names[0]} is a ContingencyTable, got {got} alone"
        if hint := parts_hint(labels_true):
            msg += f": {hint}"
        elif is_membership_array(labels_true):
            msg += ": pass ContingencyTable.from_counts(...) of an array of counts"
        raise TypeError(msg)
    table = count_any(labels_true, labels_pred, sample_weight, reading, names, moments=moments)
    return require_objects(table)


def cells_as_objects(
    table: ContingencyTable, given: dict[str, Any], reading: Reading
) -> tuple[Labels, Labels, Array]:
    """Return the labels of the cells of a table that was given alone, and their whole counts."""
    _check_alone(given, reading)
    if not table.is_whole:
        msg = (
            f"{NAMES[0]} must be a ContingencyTable of whole counts where objects are the sample, "
            "got one of memberships or fractional weights"
        )
        raise ValueError(msg)
    true, pred = (
        Labels.of_codes(codes)._replace(name=name)
        for codes, name in zip((table.cell_rows, table.cell_cols), NAMES, strict=True)
    )
    return true, pred, table.cell_counts


def has_objects(*given: Any) -> bool:
    """Return whether the objects can be read: they are not in a table, nor on other machines."""
    return not (is_dask(*given) or any(isinstance(one, ContingencyTable) for one in given))


def require_objects(table: ContingencyTable) -> ContingencyTable:
    """Return the table itself, unless all of its objects were dropped or have no weight.

    It is a valid summand, but indices must not treat it as two equal partitions.
    """
    if not table.n_samples and table.coverage == 0:
        msg = (
            "sample_weight must be positive for at least one object, got zeros only"
            if table._is_weightless
            else "what is ignored, noise='drop' and missing='drop' must leave at least one object "
            "that is neither noise nor missing on either side, got none"
        )
        raise ValueError(msg)
    return table


def _check_alone(given: dict[str, Any], reading: Reading) -> None:
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
