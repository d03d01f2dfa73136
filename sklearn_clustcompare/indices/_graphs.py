"""Indices of one partition and a graph, given by the matrix of the weights of its edges."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from sklearn_clustcompare._data import near, read_numbers
from sklearn_clustcompare._numerics import is_symmetric, ordered_sum
from sklearn_clustcompare.indices._internal import one_hot
from sklearn_clustcompare.indices._undefined import UndefinedIndexError


def modularity(
    X: Any, labels: NDArray[Any], *, resolution: float = 1.0, directed: bool = False
) -> float:
    weights = _read_weights(X, directed)
    members = one_hot(labels) if labels.ndim == 1 else sparse.csr_array(labels)
    within = np.asarray(members.multiply(weights @ members).sum(axis=0)).ravel()
    leaving, entering = (np.asarray(weights.sum(axis=axis)).ravel() for axis in (1, 0))
    if not directed:
        # A loop has two ends at its node, and one entry.
        loops = weights.diagonal()
        within += members.power(2).T @ loops
        leaving = entering = leaving + loops
    total = ordered_sum(leaving)
    if not total:
        msg = "modularity_score is undefined: the graph has no edges"
        raise UndefinedIndexError(msg)
    expected = (members.T @ leaving / total) * (members.T @ entering / total)
    return ordered_sum(within / total - resolution * expected)


def _read_weights(X: Any, directed: bool) -> Any:
    """Return the weights of edges as an array or a CSR array of float64."""
    if hasattr(X, "adj"):
        msg = (
            f"X must be the matrix of the weights of edges, got {type(X).__name__}: pass "
            "networkx.to_scipy_sparse_array(graph), in the order of the labels"
        )
        raise TypeError(msg)
    weights = near(read_numbers(X), shifts=False).values
    if weights.shape[0] != weights.shape[1]:
        msg = f"X must be square, the weights of edges between the objects, got {weights.shape}"
        raise ValueError(msg)
    if weights.size and weights.min() < 0:
        msg = f"X must hold weights of edges, which are not negative, got {weights.min()}"
        raise ValueError(msg)
    if not directed and not is_symmetric(weights):
        msg = (
            "X must be symmetric, as the weights of undirected edges, got a matrix that is not: "
            "pass directed=True for a directed graph"
        )
        raise ValueError(msg)
    return sparse.csr_array(weights) if sparse.issparse(weights) else weights
