"""Evidence accumulation: a partition of the co-associations of many, and their tree.

The tree is made by average linkage of cells, by how many of the partitions that know both keep them
apart.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, csr_matrix
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from sklearn_clustcompare._array_types import FloatArray, Positions
from sklearn_clustcompare._kernels import average_linkage
from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare._table.many import common_cells, in_order_of_appearance
from sklearn_clustcompare.consensus._co_association import (
    class_shares,
    co_association,
    known_shares,
)
from sklearn_clustcompare.consensus._ensemble import Bounds, Ensemble

# Two arrays of distances between so many groups take 200 MB.
_MAX_GROUPS = 5000
_ROWS_AT_ONCE = 256
# Shares up to this size are multiplied as a dense array.
_MAX_DENSE = 2**23
# The distance of two groups of which no partition knows an object of each: above all others.
_UNKNOWN = 2.0
_known_method = one_of("local_search", "evidence_accumulation")


def check_method(method: Any, n_clusters: Any) -> None:
    """Raise ValueError or TypeError unless it is the name of a method or a clusterer."""
    if isinstance(method, str):
        _known_method("method", method)
        return
    if _takes(method) is None:
        msg = (
            "method must be 'local_search', 'evidence_accumulation', or a clusterer with "
            f"metric='precomputed' or affinity='precomputed', got {shortened(method)}"
        )
        raise ValueError(msg)
    if n_clusters is not None:
        msg = (
            "n_clusters must be None where method is a clusterer, which has its own number of "
            f"clusters, got {shortened(n_clusters)}"
        )
        raise ValueError(msg)


def accumulate_evidence(
    ensemble: Ensemble, method: Any, bounds: Bounds
) -> tuple[Ensemble, Positions]:
    """Return the ensemble, divided into objects if need be, and the cluster of each cell."""
    if isinstance(method, str):
        if not ensemble.n_cells:
            return ensemble, np.zeros(0, np.intp)
        tree = average_tree(ensemble)
        if bounds.low > tree.n_groups:
            msg = (
                f"n_clusters must be at most {tree.n_groups}, the number of groups in the tree of "
                f"co-associations, got a lower bound of {bounds.low}"
            )
            raise ValueError(msg)
        return ensemble, tree.cut(tree.longest_lived(*bounds))
    weighs = has_fit_parameter(method, "sample_weight")
    if not weighs:
        ensemble = ensemble.with_cells(int(ensemble.sizes.sum()))
    found = co_association(ensemble)
    values: Any
    if _takes(method) == "distances":
        values = 1.0 - found.toarray()
        np.fill_diagonal(values, 0.0)
    else:
        values = found.matrix if isinstance(found.matrix, np.ndarray) else csr_matrix(found.matrix)
    weights = {"sample_weight": ensemble.sizes} if weighs else {}
    labels = clone(method).fit_predict(values, **weights)
    return ensemble, in_order_of_appearance(np.asarray(labels))


def _takes(clusterer: Any) -> str | None:
    """Return what a clusterer takes, distances or similarities, or None for neither."""
    if isinstance(clusterer, type) or not hasattr(clusterer, "fit_predict"):
        return None
    parameters = clusterer.get_params(deep=False) if hasattr(clusterer, "get_params") else {}
    if parameters.get("affinity") == "precomputed":
        return "similarities"
    return "distances" if parameters.get("metric") == "precomputed" else None


class Tree(NamedTuple):
    """Groups of cells, which of them are merged, and the distances of these."""

    group_of: Positions
    merges: Positions
    heights: FloatArray

    @property
    def n_groups(self) -> int:
        return len(self.merges) + 1

    def cut(self, n_clusters: int) -> Positions:
        """Return the cluster of each cell when so many clusters are left."""
        label = np.arange(self.n_groups)
        for kept, gone in self.merges[: self.n_groups - n_clusters].tolist():
            label[gone] = kept
        # What was kept may be merged later: follow the merges to their end.
        while not np.array_equal(label[label], label):
            label = label[label]
        return in_order_of_appearance(label[self.group_of])

    def n_clusters_at(self, height: float) -> int:
        """Return how many clusters are left before the first merge above a height."""
        above = np.flatnonzero(self.heights > height)
        return self.n_groups - (int(above[0]) if len(above) else len(self.heights))

    def longest_lived(self, low: int, high: int) -> int:
        """Return the number of clusters within bounds that the widest gap in height keeps."""
        high = min(high, self.n_groups)
        low = min(max(low, 1), high)
        # After r merges, a partition lives from the height of the last one to that of the next.
        heights = np.concatenate([[0.0], np.maximum.accumulate(self.heights), [1.0]])
        numbers = np.arange(high, low - 1, -1)
        made = self.n_groups - numbers
        return int(numbers[np.diff(heights)[made].argmax()])


def average_tree(ensemble: Ensemble) -> Tree:
    """Merge cells by the average share of the partitions that separate their objects.

    Only partitions that know both objects count. Where there are too many cells, those that the
    heaviest partitions keep together start as one group.
    """
    group_of = _groups(ensemble)
    n_groups = int(group_of.max(initial=-1)) + 1
    members = csr_array(
        (ensemble.sizes.astype(np.float64), (group_of, np.arange(ensemble.n_cells)))
    )
    together = _products(csr_array(members @ class_shares(ensemble)))
    masses = _products(csr_array(members @ known_shares(ensemble)))
    known = masses > 0
    np.divide(together, masses, out=together, where=known)
    np.subtract(1, together, out=together)
    together[~known] = _UNKNOWN
    if n_groups < 2:
        return Tree(group_of, np.zeros((0, 2), np.intp), np.zeros(0))
    return Tree(group_of, *average_linkage(together, masses))


def _products(shares: csr_array) -> NDArray[np.float32]:
    """Return the products of all rows."""
    n_rows = shares.shape[0]
    if n_rows * shares.shape[1] <= _MAX_DENSE:
        dense = shares.toarray().astype(np.float32)
        return np.asarray(dense @ dense.T)
    products = np.empty((n_rows, n_rows), np.float32)
    columns = csr_array(shares.T)
    for start in range(0, n_rows, _ROWS_AT_ONCE):
        block = slice(start, start + _ROWS_AT_ONCE)
        products[block] = (shares[block] @ columns).toarray()
    return products


def _groups(ensemble: Ensemble) -> Positions:
    if ensemble.n_cells <= _MAX_GROUPS:
        return np.arange(ensemble.n_cells)
    group_of = np.zeros(ensemble.n_cells, np.intp)
    for number in np.argsort(-ensemble.weights, kind="stable").tolist():
        if number not in ensemble.memberships:
            finer = common_cells([group_of, ensemble.kinds[number]])
            if finer.max() < _MAX_GROUPS:
                group_of = finer
    return group_of
