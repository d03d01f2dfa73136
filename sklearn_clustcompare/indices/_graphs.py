"""Indices of one partition and a graph, given by the matrix of the weights of its edges."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from sklearn_clustcompare._data import near, read_numbers
from sklearn_clustcompare._numerics import is_symmetric, ordered_sum
from sklearn_clustcompare._parameters import boolean, non_negative
from sklearn_clustcompare.indices._index import index
from sklearn_clustcompare.indices._internal import one_hot
from sklearn_clustcompare.indices._undefined import UndefinedIndexError


@index(
    needs_data=True,
    needs_graph=True,
    parameters={"resolution": non_negative, "directed": boolean},
    families=("network",),
    source="Newman & Girvan (2004)",
)
def modularity_score(
    X: Any, labels: NDArray[Any], *, resolution: float = 1.0, directed: bool = False
) -> float:
    """Weight of the edges within communities, less what is expected from the degrees of the nodes.

    The usual objective of community detection. Use it to choose among partitions of one graph, such
    as those for several resolutions or numbers of clusters. It misses communities that are small
    compared with the graph [3]_, and random graphs have partitions of high modularity: it does not
    show that there are communities.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_samples)
        The adjacency matrix of a graph: ``X[i, j]`` is the weight of the edge from node i to node
        j, 0 if there is none. Loops are on the diagonal.
    resolution : float, default=1.0
        Factor of what is expected: above 1 smaller communities are better.
    directed : bool, default=False
        Whether the graph is directed. The matrix of one that is not has to be symmetric.

    Returns
    -------
    float
        In [-0.5, 1] for ``resolution=1.0``; with this a single cluster has 0. Higher is better.

    Raises
    ------
    ValueError
        If X is not square, has negative entries, or no edges; if it is not symmetric and
        ``directed`` is False; if lengths differ, or labels, memberships or ``resolution`` are
        invalid.
    TypeError
        If labels are not hashable, or X is a graph and no matrix.

    See Also
    --------
    structure_test : Whether the value is more than chance, with random graphs of your own.
    silhouette_score : An index of features or distances.

    Notes
    -----
    With the weight m of all edges, of those within cluster c the weight w_c, and the sum k_c of the
    degrees of its nodes, it is sum_c (w_c / m - resolution (k_c / 2m)^2) [1]_. A loop counts twice
    in the degree of its node and once in w_c and m. For a directed graph k_c^2 / 4m^2 is the
    product of the weights of the edges that leave and that enter nodes of c, divided by m^2 [2]_.
    These are the values of ``networkx.community.modularity``. With memberships u_ic the edge from i
    to j counts in w_c with the weight u_ic u_jc, and k_c is the weighted sum of the degrees [4]_.

    The time is linear in the number of entries of X; pass sparse matrices for large graphs, such as
    ``networkx.to_scipy_sparse_array(graph)``. In a search use :class:`TransductiveSplit`.

    References
    ----------
    .. [1] M. E. J. Newman, M. Girvan, "Finding and evaluating community structure in networks",
       Physical Review E 69, 2004, :doi:`10.1103/PhysRevE.69.026113`
    .. [2] E. A. Leicht, M. E. J. Newman, "Community structure in directed networks", Physical
       Review Letters 100, 2008, :doi:`10.1103/PhysRevLett.100.118703`
    .. [3] S. Fortunato, M. Barthelemy, "Resolution limit in community detection", PNAS 104(1),
       2007, :doi:`10.1073/pnas.0605965104`
    .. [4] T. Nepusz, A. Petroczi, L. Negyessy, F. Bazso, "Fuzzy communities and the concept of
       bridgeness in complex networks", Physical Review E 77, 2008,
       :doi:`10.1103/PhysRevE.77.016107`

    Examples
    --------
    Two triangles, joined by an edge:

    >>> import numpy as np
    >>> from sklearn_clustcompare import modularity_score
    >>> X = np.zeros((6, 6))
    >>> for i, j in [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)]:
    ...     X[i, j] = X[j, i] = 1
    >>> round(modularity_score(X, list("aaabbb")), 4)
    0.3571
    >>> round(modularity_score(X, list("aabbcc")), 4)
    0.0816
    """
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
