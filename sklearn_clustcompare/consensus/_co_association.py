"""How often many partitions put two objects together; objects of the same labels share a row."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array
from sklearn import get_config
from sklearn.utils import gen_batches

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Positions
from sklearn_clustcompare._memory import require_memory
from sklearn_clustcompare._parameters import boolean, positive_number
from sklearn_clustcompare._rendering import Result, Table, matrix_table
from sklearn_clustcompare.consensus._ensemble import Ensemble, read_ensemble
from sklearn_clustcompare.consensus._posterior import flatten_chains
from sklearn_clustcompare.indices._compares import Given, compares


class CoAssociation(Result):
    """How often partitions put two objects together; made by :func:`co_association_matrix`.

    Objects with equal labels in all partitions are one group, with one row and one column. Printed,
    and as HTML in a notebook, it shows up to ten groups, by the number of their objects. All
    parameters are attributes of the same names, which cannot be set.

    Parameters
    ----------
    matrix : csr_array or ndarray of float32, of shape (n_groups, n_groups)
        Share, by weight, of the partitions that put objects of two groups together, among those
        that know both; 0 where no partition knows both. An array if more than half of the entries
        are not 0 (judged by some of the rows if there are many), which then needs less memory.
    sizes : ndarray of int64 of shape (n_groups,)
        Number of objects in each group.
    groups : ndarray of int64 of shape (n_samples,)
        Group of each object; -1 for one that is noise or missing in every partition.
    objects : ndarray of shape (n_samples,) or None
        Identifiers of the objects with ``align=True``, in the order of the labels; None where
        objects go by position.

    See Also
    --------
    co_association_matrix : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare import co_association_matrix
    >>> found = co_association_matrix([[0, 0, 1, 1], [0, 0, 0, 1]])
    >>> found.groups, found.sizes
    (array([0, 0, 1, 2]), array([2, 1, 1]))
    >>> found.matrix
    array([[1. , 0.5, 0. ],
           [0.5, 1. , 0.5],
           [0. , 0.5, 1. ]], dtype=float32)
    """

    matrix: csr_array | NDArray[np.float32]
    sizes: IntArray
    groups: IntArray
    objects: Array | None

    def _headline(self) -> str:
        return f"CoAssociation: {len(self.groups)} objects in {len(self.sizes)} groups"

    def _shown(self) -> Table:
        names = [
            f"group {number} ({size} {'object' if size == 1 else 'objects'})"
            for number, size in enumerate(self.sizes.tolist())
        ]
        return matrix_table(names, [str(number) for number in range(len(names))], self.matrix)

    def to_frame(self) -> Any:
        """Return the matrix of groups as a pandas DataFrame.

        pandas has to be installed.

        Returns
        -------
        pandas.DataFrame of shape (n_groups, n_groups)
            The shares.

        See Also
        --------
        CoAssociation.toarray : A row and a column for each object.

        Examples
        --------
        >>> from sklearn_clustcompare import co_association_matrix
        >>> co_association_matrix([[0, 1, 2], [0, 0, 1]]).to_frame().loc[0].tolist()
        [1.0, 0.5, 0.0]
        """
        import pandas as pd

        return pd.DataFrame(_as_array(self.matrix))

    def toarray(self) -> Array:
        """Return the matrix of all objects as an array, whether it is one or sparse.

        Distances for clusterers are 1 minus this.

        Returns
        -------
        ndarray of shape (n_samples, n_samples)
            The shares.

        Raises
        ------
        MemoryError
            If it needs more than eight times the ``working_memory`` of scikit-learn.

        See Also
        --------
        CoAssociation.expand : The same, sparse where most shares are 0.

        Examples
        --------
        >>> from sklearn_clustcompare import co_association_matrix
        >>> co_association_matrix([[0, 0, 1], [0, 0, 0]]).toarray()
        array([[1. , 1. , 0.5],
               [1. , 1. , 0.5],
               [0.5, 0.5, 1. ]], dtype=float32)
        """
        self._require_memory()
        return _as_array(self.expand())

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        if copy is False:
            msg = "copy must not be False: an array of all objects is made"
            raise ValueError(msg)
        return np.asarray(self.toarray(), dtype)

    def _require_memory(self) -> None:
        n_samples = len(self.groups)
        what = f"the co-association matrix of {n_samples} objects"
        n_bytes = 4.0 * (n_samples**2 + len(self.sizes) ** 2)
        require_memory(what, n_bytes, "use that of groups, with weights of groups")

    def expand(self) -> csr_array | NDArray[np.float32]:
        """Return the matrix of all objects.

        For clusterers that do not take weights of objects.

        Returns
        -------
        csr_array or ndarray of float32, of shape (n_samples, n_samples)
            A row and a column per object, of 0 for objects that no partition knows; an array if
            ``matrix`` is one.

        Raises
        ------
        MemoryError
            If an array needs more than eight times the ``working_memory`` of scikit-learn.

        See Also
        --------
        co_association_matrix : Makes the matrix of groups.

        Examples
        --------
        >>> from sklearn_clustcompare import co_association_matrix
        >>> co_association_matrix([[0, 0, 1], [0, 0, 0]]).expand()
        array([[1. , 1. , 0.5],
               [1. , 1. , 0.5],
               [0.5, 0.5, 1. ]], dtype=float32)
        """
        n_samples = len(self.groups)
        if isinstance(self.matrix, np.ndarray):
            self._require_memory()
            padded = np.pad(self.matrix, (0, 1))  # of group -1
            return padded[np.ix_(self.groups, self.groups)]
        known = np.flatnonzero(self.groups >= 0)
        shape = (n_samples, len(self.sizes))
        places = known.astype(np.int32), self.groups[known].astype(np.int32)
        of_group = csr_array((np.ones(len(known)), places), shape)
        return csr_array(of_group @ self.matrix @ of_group.T)


@compares("partitions")
def co_association_matrix(
    given: Given, *, weights: ArrayLike | None = None, align: bool = False
) -> CoAssociation:
    """Compute how often partitions put two objects together.

    A similarity of objects for any clusterer that takes a precomputed one (evidence accumulation);
    others call it ``consensus_matrix``.

    Parameters
    ----------
    partitions : list, dict, DataFrame, iterator or array-like of shape (n_partitions, n_samples)
        The :term:`partitions` to combine: labels, or memberships of shape (n_samples, n_clusters).
        Draws of a posterior: an array of shape (n_draws, n_samples) or (n_chains, n_draws,
        n_samples), or a DataArray of xarray with the dimensions draw and, if there are several,
        chain.
    weights : array-like of shape (n_partitions,), default=None
        Weights of the partitions: a partition of weight 2 counts as if it were given twice. None
        weighs each 1.
    align : bool, default=False
        Whether partitions are of different objects, identified by the index of their pandas Series
        or by the keys of their dicts: the result is for all objects of any of them. Otherwise
        objects go by position.

    Returns
    -------
    CoAssociation
        With ``matrix``, ``sizes``, ``groups`` and ``objects``.

    Raises
    ------
    ValueError
        If there is no partition, lengths differ, labels are missing with ``missing="error"``,
        weights are not positive, or groups of partitions share no object.
    TypeError
        If labels are not hashable, weights are not real numbers, or partitions to be aligned do not
        identify their objects.
    MemoryError
        If the matrix needs more than eight times the ``working_memory`` of scikit-learn.

    See Also
    --------
    consensus_partition : One partition, by this matrix or by an index.

    Notes
    -----
    The share of two objects of memberships u and v is the sum of the products u_k v_k, so that an
    object need not be fully together with itself.

    References
    ----------
    .. [1] A. L. N. Fred, A. K. Jain, "Combining multiple clusterings using evidence
       accumulation", IEEE TPAMI 27(6), 2005. :doi:`10.1109/TPAMI.2005.113`.

    Examples
    --------
    >>> from sklearn.cluster import DBSCAN
    >>> from sklearn_clustcompare import co_association_matrix
    >>> runs = [[0, 0, 1, 1, 1, 2], [0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 1]]
    >>> found = co_association_matrix(runs)
    >>> distances = 1 - found.toarray()
    >>> DBSCAN(eps=0.4, min_samples=2, metric="precomputed").fit_predict(distances)
    array([0, 0, 1, 1, 1, 1])
    """
    boolean("align", align)
    partitions, weights, _ = flatten_chains(given.partitions, weights)
    return co_association(read_ensemble(partitions, weights, given.reading, align=align))


def _as_array(matrix: csr_array | NDArray[np.float32]) -> Array:
    return matrix if isinstance(matrix, np.ndarray) else matrix.toarray()


@compares("partitions")
def co_association_chunked(
    given: Given, *, weights: ArrayLike | None = None, working_memory: float | None = None
) -> Iterator[NDArray[np.float32]]:
    """Compute how often partitions put two objects together, a block of rows at a time.

    For more objects than a matrix of all pairs has room for.

    Parameters
    ----------
    partitions : array-like of shape (n_partitions, n_samples) or (n_chains, n_draws, n_samples)
        The :term:`partitions` to combine: labels, or memberships of shape (n_samples, n_clusters).
    weights : array-like of shape (n_partitions,), default=None
        Weights of the partitions: a partition of weight 2 counts as if it were given twice. None
        weighs each 1.
    working_memory : float, default=None
        Size of a block in MiB; None takes the ``working_memory`` of scikit-learn.

    Returns
    -------
    iterator of ndarray of float32 of shape (n_rows, n_samples)
        Yields the next rows, in the order of the objects: shares of the partitions, by weight, that
        put two objects together.

    Raises
    ------
    ValueError
        If there is no partition, lengths differ, or weights are not positive.

    See Also
    --------
    co_association_matrix : All at once, with one row for objects with equal labels.

    Examples
    --------
    >>> from sklearn_clustcompare.consensus import co_association_chunked
    >>> [block.tolist() for block in co_association_chunked([[0, 0, 1], [0, 0, 0]])]
    [[[1.0, 1.0, 0.5], [1.0, 1.0, 0.5], [0.5, 0.5, 1.0]]]
    """
    if working_memory is not None:
        positive_number("working_memory", working_memory)
    partitions, weights, _ = flatten_chains(given.partitions, weights)
    ensemble = read_ensemble(partitions, weights, given.reading, align=False)
    return _blocks(ensemble, working_memory)


def _blocks(ensemble: Ensemble, working_memory: float | None) -> Iterator[NDArray[np.float32]]:
    shares, is_unknown = class_shares(ensemble), ensemble.cell_of < 0
    n_objects = len(ensemble.cell_of)
    # A block is there as float64 of the cells, and as float32 of the objects.
    row_bytes = max(8 * ensemble.n_cells + 4 * n_objects, 1)
    n_bytes = (working_memory or get_config()["working_memory"]) * 2.0**20
    for block in gen_batches(n_objects, max(int(n_bytes / row_bytes), 1)):
        rows, place = np.unique(ensemble.cell_of[block], return_inverse=True)
        found = _together(ensemble, shares, rows).astype(np.float32)
        found = found[np.ix_(place, ensemble.cell_of)]
        found[is_unknown[block]] = found[:, is_unknown] = np.nan
        yield found


def co_association(ensemble: Ensemble) -> CoAssociation:
    """Compute the matrix of the cells of an ensemble."""
    shares = class_shares(ensemble)
    n_cells, filled = shares.shape[0], _filled_share(shares)
    is_dense = filled > 0.5
    n_filled = filled * n_cells**2
    # Of a dense matrix, with the blocks of float64 of which it is made; else as measured.
    n_bytes = 16.0 * n_filled
    if is_dense:
        in_block = max(min(_ENTRIES_SAMPLED, n_cells**2), n_cells)
        n_bytes = 4.0 * n_cells**2 + (12.0 if ensemble.is_complete else 18.0) * in_block
    elif not ensemble.is_complete:
        n_bytes = 32.0 * n_filled + 80.0 * len(ensemble.weights) * min(n_filled, _ENTRIES_AT_ONCE)
    instead = "leave out coarse partitions, or compare objects in samples"
    require_memory(f"the co-association matrix of {n_cells} cells", n_bytes, instead)
    matrix = _dense(ensemble, shares) if is_dense else _sparse(ensemble, shares)
    groups = ensemble.cell_of.astype(np.int64)
    return CoAssociation(matrix, ensemble.sizes, groups, ensemble.objects)


def class_shares(ensemble: Ensemble) -> csr_array:
    """Return a row per cell, a column per class of a partition: shares times the root of weight.

    The product of two rows is the weight of the partitions that keep the two cells together.
    """
    roots = np.repeat(np.sqrt(ensemble.weights), ensemble.n_classes)
    return csr_array(ensemble.shares().multiply(roots))


def known_shares(ensemble: Ensemble) -> csr_array:
    """Return a row per cell, a column per partition: the root of its weight if it knows the cell.

    The product of two rows is the weight of the partitions that know both cells.
    """
    return csr_array((ensemble.kinds >= 0).T * np.sqrt(ensemble.weights))


def _filled_share(shares: csr_array) -> float:
    """Return the share of the products of rows that are not 0; of many rows by some of them."""
    n_rows = shares.shape[0]
    n_taken = min(max(_ENTRIES_SAMPLED // max(n_rows, 1), 1), n_rows)
    taken = np.linspace(0, n_rows - 1, n_taken).astype(np.intp)
    return float((shares[taken] @ csr_array(shares.T)).nnz / max(n_taken * n_rows, 1))


def _dense(ensemble: Ensemble, shares: csr_array) -> NDArray[np.float32]:
    n_cells = shares.shape[0]
    matrix = np.empty((n_cells, n_cells), np.float32)
    for block in gen_batches(n_cells, max(_ENTRIES_SAMPLED // n_cells, 1)):
        matrix[block] = _together(ensemble, shares, block)
    return matrix


def _together(ensemble: Ensemble, shares: csr_array, block: slice | Positions) -> FloatArray:
    """Return some rows of the matrix, 0 where no partition knows both cells."""
    together = _products(shares, block)
    if ensemble.is_complete:
        together /= ensemble.weights.sum()
    else:
        masses = _products(known_shares(ensemble), block)
        np.divide(together, masses, out=together, where=masses > 0)
    return np.minimum(together, 1.0, out=together)


def _products(shares: csr_array, block: slice | Positions) -> FloatArray:
    """Return the products of some rows and all."""
    if math.prod(shares.shape) <= _MAX_DENSE:
        return np.asarray(shares[block] @ shares.T.toarray())
    return (shares[block] @ csr_array(shares.T)).toarray()


def _sparse(ensemble: Ensemble, shares: csr_array) -> csr_array:
    matrix = csr_array(shares @ shares.T)
    if ensemble.is_complete:
        # Divided by their own sums, which have the same rounding errors.
        matrix.data /= ensemble.weights.sum()
    else:
        known = known_shares(ensemble)
        rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
        masses = np.empty(len(rows))
        for start in range(0, len(rows), _ENTRIES_AT_ONCE):
            block = slice(start, start + _ENTRIES_AT_ONCE)
            products = known[rows[block]].multiply(known[matrix.indices[block]])
            masses[block] = products.sum(axis=1)
        matrix.data /= masses
    np.minimum(matrix.data, 1.0, out=matrix.data)
    matrix.sort_indices()
    return matrix


_ENTRIES_AT_ONCE = 2**16
_ENTRIES_SAMPLED = 2**22
# Up to this size shares become dense, which is faster.
_MAX_DENSE = 2**23
