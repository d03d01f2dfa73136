"""Evidence accumulation: a partition of the co-associations of many."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from sklearn_clustcompare._array_types import Positions
from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare._table.many import in_order_of_appearance
from sklearn_clustcompare.consensus._agglomeration import average_tree
from sklearn_clustcompare.consensus._co_association import co_association
from sklearn_clustcompare.consensus._ensemble import Bounds, Ensemble

_known_method = one_of("local_search", "evidence_accumulation")


def check_method(method: Any, n_clusters: Any) -> None:
    """Raise ValueError or TypeError unless it is the name of a method or a clusterer."""
    if isinstance(method, str):
        _known_method("method", method)
        return
    if _takes(method) is None:
        msg = (
            "method must be 'local_search', 'evidence_accumulation', or a clusterer with "
            f"metric='precomputed' or affinity='precomputed', got {method!r}"
        )
        raise ValueError(msg)
    if n_clusters is not None:
        msg = (
            "n_clusters must be None where method is a clusterer, which has its own number of "
            f"clusters, got {n_clusters!r}"
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
