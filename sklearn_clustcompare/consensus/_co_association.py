"""How often many partitions put two objects together; objects of the same labels share a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from sklearn_clustcompare._memory import require_memory
from sklearn_clustcompare._parameters import boolean
from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare._rendering import Shown, Table, matrix_table
from sklearn_clustcompare.consensus._agglomeration import class_shares, known_shares
from sklearn_clustcompare.consensus._ensemble import Ensemble, read_ensemble


@dataclass(frozen=True, eq=False, repr=False)
class CoAssociation(Shown):
    """How often partitions put two objects together; made by :func:`co_association_matrix`.

    Objects with equal labels in all partitions are one group, with one row and one column. Printed,
    and as HTML in a notebook, it shows up to ten groups, by the number of their objects. All
    parameters are attributes of the same names, which cannot be set.

    Parameters
    ----------
    matrix : csr_array of shape (n_groups, n_groups)
        Share, by weight, of the partitions that put objects of two groups together, among those
        that know both. Not stored where that is 0, or where no partition knows both.
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
    >>> found.matrix.toarray()
    array([[1. , 0.5, 0. ],
           [0.5, 1. , 0.5],
           [0. , 0.5, 1. ]])
    """

    matrix: csr_array
    sizes: NDArray[np.int64]
    groups: NDArray[np.int64]
    objects: NDArray[Any] | None

    def _headline(self) -> str:
        return f"CoAssociation: {len(self.groups)} objects in {len(self.sizes)} groups"

    def _shown(self) -> Table:
        names = [
            f"group {number} ({size} {'object' if size == 1 else 'objects'})"
            for number, size in enumerate(self.sizes.tolist())
        ]
        return matrix_table(names, [str(number) for number in range(len(names))], self.matrix)

    def expand(self) -> csr_array:
        """Return the matrix of all objects.

        For clusterers that do not take weights of objects.

        Returns
        -------
        csr_array of shape (n_samples, n_samples)
            A row and a column per object; empty for objects that no partition knows.

        See Also
        --------
        co_association_matrix : Makes the matrix of groups.

        Examples
        --------
        >>> from sklearn_clustcompare import co_association_matrix
        >>> co_association_matrix([[0, 0, 1], [0, 0, 0]]).expand().toarray()
        array([[1. , 1. , 0.5],
               [1. , 1. , 0.5],
               [0.5, 0.5, 1. ]])
        """
        known = np.flatnonzero(self.groups >= 0)
        shape = (len(self.groups), len(self.sizes))
        of_group = csr_array((np.ones(len(known)), (known, self.groups[known])), shape)
        return csr_array(of_group @ self.matrix @ of_group.T)


def co_association_matrix(
    partitions: Any,
    *,
    weights: ArrayLike | None = None,
    align: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
) -> CoAssociation:
    """Compute how often partitions put two objects together.

    A similarity of objects for any clusterer that takes a precomputed one (evidence accumulation).

    Parameters
    ----------
    partitions : list, dict, DataFrame, iterator or array-like of shape (n_partitions, n_samples)
        The :term:`partitions` to combine: labels, or memberships of shape (n_samples, n_clusters).
    weights : array-like of shape (n_partitions,), default=None
        Weights of the partitions: a partition of weight 2 counts as if it were given twice. None
        weighs each 1.
    align : bool, default=False
        Whether partitions are of different objects, identified by the index of their pandas Series
        or by the keys of their dicts: the result is for all objects of any of them. Otherwise
        objects go by position.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each, or
        leave them out.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
    missing : {"error", "drop", "cluster"}, default="error"
        How to treat objects whose label is :term:`missing`: raise an error, leave them out, or take
        them as one cluster.

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
    >>> distances = 1 - found.matrix.toarray()
    >>> clusterer = DBSCAN(eps=0.4, min_samples=2, metric="precomputed")
    >>> clusterer.fit_predict(distances, sample_weight=found.sizes)[found.groups]
    array([0, 0, 1, 1, 1, 1])
    """
    boolean("align", align)
    reading = Reading(noise=noise, noise_label=noise_label, missing=missing)
    return co_association(read_ensemble(partitions, weights, reading, align=align))


def co_association(ensemble: Ensemble) -> CoAssociation:
    """Compute the matrix of the cells of an ensemble."""
    shares = class_shares(ensemble)
    n_cells, in_class = shares.shape[0], (shares != 0).sum(axis=0).astype(np.float64)
    # Each entry is stored twice while rows are sorted.
    n_bytes = 32 * min(float(n_cells) ** 2, float((in_class**2).sum()))
    instead = "leave out coarse partitions, or compare objects in samples"
    require_memory(f"the co-association matrix of {n_cells} cells", n_bytes, instead)
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
    groups = ensemble.cell_of.astype(np.int64)
    return CoAssociation(matrix, ensemble.sizes, groups, ensemble.objects)


_ENTRIES_AT_ONCE = 2**16
