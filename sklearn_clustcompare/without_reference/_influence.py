"""How far a clustering moves when one object goes, or when the order of the objects changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Mask, Positions
from sklearn_clustcompare._parameters import (
    RandomStateLike,
    at_most_objects,
    one_of,
    positive_integer,
)
from sklearn_clustcompare._partition import read_labels
from sklearn_clustcompare._partition.arrays import MatrixLike
from sklearn_clustcompare._rendering import Rows, result_record
from sklearn_clustcompare._table import count_read
from sklearn_clustcompare.indices import Index, IndexLike, read_index
from sklearn_clustcompare.without_reference._fits import (
    checked_clustering,
    fit_seeds,
    run_fits,
    seeded,
)
from sklearn_clustcompare.without_reference._resamples import as_rows, take_rows, values_of

_known_change = one_of("delete", "reorder")
# Random orders of the objects, unless their number is given.
_N_ORDERS = 20


@result_record
@dataclass(frozen=True, eq=False, repr=False)
class Influence(Rows):
    """How far a clustering moves with changes of the data; made by :func:`influence`.

    Printed, and as HTML in a notebook, it shows the changes that move it most. All parameters are
    attributes of the same names, which cannot be set.

    Parameters
    ----------
    change : {"delete", "reorder"}
        What changes: one object is left out, each in turn; or the objects come in a random order.
    index : Index
        Record of the index.
    parameters : dict
        Its parameters.
    labels : ndarray of shape (n_samples,)
        Labels of all objects, clustered together.
    values : ndarray of float64 of shape (n_changes,)
        Index of the clusterings before and after each change, on the objects that both have.
    is_changed : ndarray of bool of shape (n_changes,)
        Whether the partition of these objects changes at all.
    objects : ndarray of int64 of shape (n_changes,) or None
        Position of the object that is left out in each change, ascending; None for orders.

    See Also
    --------
    influence : Makes it.

    Examples
    --------
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> from sklearn_clustcompare.without_reference import influence
    >>> X = [[0], [1], [3], [7], [8], [30]]
    >>> found = influence(AgglomerativeClustering(2), X, base=2)
    >>> found
    Influence: 1 of 6 objects left out one by one change the clustering
    object  variation_of_information_distance
         5                             0.9710
         0                             0.0000
         1                             0.0000
         2                             0.0000
         3                             0.0000
         4                             0.0000
    >>> int(found.ranking[0])
    5
    """

    change: str
    index: Index
    parameters: dict[str, Any]
    labels: Array
    values: FloatArray
    is_changed: Mask
    objects: IntArray | None

    @property
    def ranking(self) -> IntArray:
        """Objects, or numbers of orders, that move the clustering most first."""
        return self._order if self.objects is None else self.objects[self._order]

    @property
    def share_changed(self) -> float:
        """Share of the changes after which the partition is another one."""
        return float(self.is_changed.mean())

    @property
    def _order(self) -> IntArray:
        sign = self.index.sign
        return np.argsort(sign * self.values, kind="stable")

    def _headline(self) -> str:
        what = "orders" if self.objects is None else "objects left out one by one"
        n_changed = np.count_nonzero(self.is_changed)
        return f"Influence: {n_changed} of {len(self.values)} {what} change the clustering"

    def _columns(self) -> list[tuple[str, Any]]:
        name = "order" if self.objects is None else "object"
        return [(name, self.ranking.tolist()), (self.index.name, self.values[self._order])]


def influence(
    estimator: Any,
    X: MatrixLike,
    y: Any = None,
    *,
    change: str = "delete",
    n_changes: int | None = None,
    index: IndexLike = "variation_of_information_distance",
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int | None = None,
    **params: Any,
) -> Influence:
    """Compute how far a clustering moves when one object goes, or the order of all changes.

    An object without which many others change their cluster deserves a look: it may be an error,
    or bridge two clusters. A clustering that depends on the order of the objects is one of several
    that the data allow.

    Parameters
    ----------
    estimator : estimator
        A clusterer, or a pipeline that ends in one.
    X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
        The data; or distances or similarities between the objects, if the clusterer takes these.
    y : ignored
        Not used, present for API consistency.
    change : {"delete", "reorder"}, default="delete"
        What changes: one object is left out, each in turn; or the objects come in a random order.
    n_changes : int, default=None
        Number of objects, drawn at random, or of orders. None takes all objects, or 20 orders.
    index : str, callable or Index, default="variation_of_information_distance"
        The :term:`index`: a name (see :func:`list_indices`), its function or a record.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int or None, default=None
        Progress on stderr: 0 shows none, 1 all of it. None shows one line with an estimate
        if it may take more than ten seconds, on a terminal or in a notebook.
    **params : dict
        Parameters of the index, such as ``base=2`` for bits.

    Returns
    -------
    Influence
        With ``values``, one for each object or order, ``ranking``, ``share_changed`` and
        ``labels``.

    Raises
    ------
    ValueError
        If there are fewer than two objects, ``n_changes`` exceeds them, a parameter is invalid or
        the index is unknown.
    TypeError
        If the index does not take the parameters.

    See Also
    --------
    cluster_stability : Stability of clusters when many objects change.
    check_clusterer : Checks that the order of objects does not matter, on its own data.
    partial_partition_distance : Distance of clusterings of different objects.

    Notes
    -----
    All fits have the same seed, so that differences are due to the change alone: a ``random_state``
    that the clusterer has is kept, and one that is None is drawn once. Starting points of k-means
    are drawn among the objects, and may still change with them: use several (``n_init``).

    The clusterings are compared on the objects that remain. Noise counts as a cluster.

    References
    ----------
    .. [1] M. Meilă, "Comparing clusterings: an information based distance", Journal of Multivariate
       Analysis 98(5), 2007, :doi:`10.1016/j.jmva.2006.11.013`

    Examples
    --------
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_clustcompare.without_reference import influence
    >>> X = load_iris().data
    >>> found = influence(AgglomerativeClustering(3, linkage="ward"), X, base=2)
    >>> found.ranking[:2], round(float(found.values.max()), 3)
    (array([123, 126]), 0.188)
    """
    _known_change("change", change)
    record, params = read_index(index, params, with_data=False)
    record.check_parameters(**params)
    rows = as_rows(X, estimator)
    n_samples = rows.shape[0]
    if n_samples < 2:
        msg = f"X must have at least two objects, got {n_samples}"
        raise ValueError(msg)
    if n_changes is not None:
        positive_integer("n_changes", n_changes)
        if change == "delete":
            at_most_objects("n_changes", n_changes, n_samples)
    (seeds,) = fit_seeds(1, 2, random_state)
    positions, objects = _changes(change, n_changes, n_samples, seeds[1])
    tasks = [(estimator, rows, one, seeds[0]) for one in (np.arange(n_samples), *positions)]
    description = "objects" if change == "delete" else "orders"
    labels, *others = run_fits(_fit, tasks, n_jobs=n_jobs, verbose=verbose, description=description)
    values, is_changed = [], []
    for kept, found in zip(positions, others, strict=True):
        before, after = read_labels(labels[kept], "estimator"), read_labels(found, "estimator")
        table = count_read(before, after)
        values.append(float(record.function(table, **params)))
        is_changed.append(not table.is_identity)
    return Influence(
        change, record, params, labels, np.array(values), np.array(is_changed), objects
    )


def _changes(
    change: str, n_changes: int | None, n_samples: int, seed: int
) -> tuple[list[Positions], IntArray | None]:
    """Return the objects in each changed data set, in their order, and those left out."""
    source = np.random.default_rng(seed)
    if change == "reorder":
        return [source.permutation(n_samples) for _ in range(n_changes or _N_ORDERS)], None
    objects = np.arange(n_samples)
    if n_changes is not None:
        objects = np.sort(source.choice(n_samples, n_changes, replace=False))
    return [np.delete(np.arange(n_samples), one) for one in objects], objects


def _fit(estimator: Any, X: Any, positions: Positions, seed: int) -> Array:
    model = seeded(clone(estimator), seed, unset_only=True)
    return checked_clustering(model, values_of(take_rows(X, positions))).labels
