"""Indices of the data and one partition, without a reference: the functions."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._parameters import RandomStateLike
from sklearn_clustcompare._partition.arrays import PartitionLike
from sklearn_clustcompare.indices import INTERNAL_INDICES
from sklearn_clustcompare.metrics._evaluate import evaluate_data


def silhouette_score(
    X: ArrayLike,
    labels: PartitionLike,
    *,
    metric: Any = "euclidean",
    sample_size: int | None = None,
    random_state: RandomStateLike = 0,
    **kwds: Any,
) -> float:
    """Mean silhouette coefficient: how much closer objects are to their own cluster than to others.

    scikit-learn's index, for labels of any hashable type. It favors round clusters of similar
    size and is not suited to elongated or nested ones.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
        The data, or distances for ``metric="precomputed"``.
    labels : array-like of shape (n_samples,)
        :term:`Labels` of one :term:`partition`.
    metric : str or callable, default="euclidean"
        Distance, as in :func:`sklearn.metrics.pairwise_distances`.
    sample_size : int, default=None
        Number of objects to draw at random, to avoid n^2 distances; None takes all.
    random_state : int, RandomState or None, default=0
        :term:`Source of randomness <random_state>` of the draw. An int, such as the default, gives
        all candidates of a search the same objects.
    **kwds : dict
        Further parameters of the distance.

    Returns
    -------
    float
        In [-1, 1]. Higher is better.

    Raises
    ------
    ValueError
        If there are not 2 to n_samples - 1 clusters; if lengths differ, or data or labels are
        invalid.
    TypeError
        If labels are not hashable, or X holds no real numbers.

    See Also
    --------
    sklearn.metrics.silhouette_score : The same index, by products of features.
    internal_decomposition : The mean of each cluster.
    make_clustering_scorer : Searches without reference labels.

    Notes
    -----
    The mean over all objects of (b - a) / max(a, b), where a is the mean distance to the other
    objects of the cluster and b that to the objects of the nearest other cluster; 0 for the only
    object of a cluster.

    References
    ----------
    .. [1] P. J. Rousseeuw, "Silhouettes: a graphical aid to the interpretation and validation of
       cluster analysis", Journal of Computational and Applied Mathematics 20, 1987,
       :doi:`10.1016/0377-0427(87)90125-7`

    Examples
    --------
    >>> from sklearn_clustcompare import silhouette_score
    >>> round(silhouette_score([[1], [2], [4], [5]], list("aabb")), 3)
    0.657
    """
    parameters = {"metric": metric, "sample_size": sample_size, "random_state": random_state}
    INTERNAL_INDICES["silhouette_score"].check_parameters(**parameters)
    return evaluate_data("silhouette_score", X, labels, **parameters, **kwds)


def calinski_harabasz_score(X: ArrayLike, labels: PartitionLike) -> float:
    """Ratio of the variance between the clusters to that within them.

    scikit-learn's index, for labels of any hashable type. It is fast, and favors clusters that
    k-means finds.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        :term:`Labels` of one :term:`partition`.

    Returns
    -------
    float
        From 0, not bounded. Higher is better.

    Raises
    ------
    ValueError
        If there are not 2 to n_samples - 1 clusters; if lengths differ, or data or labels are
        invalid.
    TypeError
        If labels are not hashable, or X holds no real numbers.

    See Also
    --------
    sklearn.metrics.calinski_harabasz_score : The same index, without scaling.
    within_cluster_sum_of_squares : Its divisor, up to a factor.

    Notes
    -----
    (BSS / (k - 1)) / (WSS / (n - k)) for k clusters of n objects. If there is no variance within
    clusters it is 1.0, as in scikit-learn.

    References
    ----------
    .. [1] T. Caliński, J. Harabasz, "A dendrite method for cluster analysis", Communications in
       Statistics 3, 1974, :doi:`10.1080/03610927408827101`

    Examples
    --------
    >>> from sklearn_clustcompare import calinski_harabasz_score
    >>> round(calinski_harabasz_score([[1], [2], [4], [5]], list("aabb")), 3)
    18.0
    """
    return evaluate_data("calinski_harabasz_score", X, labels)


def davies_bouldin_score(X: ArrayLike, labels: PartitionLike) -> float:
    """Mean similarity of each cluster to the one most similar to it.

    scikit-learn's index, for labels of any hashable type. Despite its name, lower is better; its
    scorer is negated.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        :term:`Labels` of one :term:`partition`.

    Returns
    -------
    float
        From 0, not bounded. Lower is better.

    Raises
    ------
    ValueError
        If there are not 2 to n_samples - 1 clusters; if lengths differ, or data or labels are
        invalid.
    TypeError
        If labels are not hashable, or X holds no real numbers.

    See Also
    --------
    sklearn.metrics.davies_bouldin_score : The same index, with an absolute tolerance.
    xie_beni_score : A similar index for memberships.

    Notes
    -----
    The similarity of two clusters is the sum of their mean distances to their centers, divided
    by the distance of the centers; 0 if these are at the same place up to the rounding of means.

    References
    ----------
    .. [1] D. L. Davies, D. W. Bouldin, "A cluster separation measure", IEEE Transactions on
       Pattern Analysis and Machine Intelligence 1(2), 1979, :doi:`10.1109/TPAMI.1979.4766909`

    Examples
    --------
    >>> from sklearn_clustcompare import davies_bouldin_score
    >>> round(davies_bouldin_score([[1], [2], [4], [5]], list("aabb")), 3)
    0.333
    """
    return evaluate_data("davies_bouldin_score", X, labels)


def within_cluster_sum_of_squares(
    X: ArrayLike, labels: PartitionLike, *, possibilistic: bool = False
) -> float:
    """Sum of squared distances of the objects to the centers of their clusters.

    The objective of k-means. It falls with the number of clusters whatever the data are: compare
    clusterings with the same number of clusters, or with clusterings of structureless data.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,) or (n_samples, n_clusters)
        :term:`Labels` or :term:`memberships` of one :term:`partition`.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In squared units of the data, from 0.0 if all objects of a cluster are the same. Lower is
        better.

    Raises
    ------
    ValueError
        If lengths differ, or data, labels or memberships are invalid.
    TypeError
        If labels are not hashable, or X holds no real numbers.

    Warns
    -----
    RuntimeWarning
        If the value is beyond the range of floats, and became 0 or infinite.

    See Also
    --------
    between_cluster_sum_of_squares : Adds up with this one to the total sum of squares.
    internal_decomposition : The sum of each cluster.

    Notes
    -----
    sum_ij u_ij^2 d_ij^2, where d_ij is the distance of object i to the center
    v_j = sum_i u_ij^2 x_i / sum_i u_ij^2, and memberships u_ij are 0 or 1 for labels; what fuzzy
    c-means minimizes with its exponent 2. It takes O(n p) time for p features, and O(n p k) for
    memberships in k clusters.

    References
    ----------
    .. [1] A. W. F. Edwards, L. L. Cavalli-Sforza, "A method for cluster analysis", Biometrics 21,
       1965, :doi:`10.2307/2528096`
    .. [2] J. C. Bezdek, "Pattern recognition with fuzzy objective function algorithms", Plenum
       Press, 1981

    Examples
    --------
    >>> from sklearn_clustcompare import within_cluster_sum_of_squares
    >>> within_cluster_sum_of_squares([[1], [2], [4], [5]], list("aabb"))
    1.0
    """
    return evaluate_data("within_cluster_sum_of_squares", X, labels, possibilistic)


def between_cluster_sum_of_squares(
    X: ArrayLike, labels: PartitionLike, *, possibilistic: bool = False
) -> float:
    """Sum of squared distances of the centers to the mean of all objects, by size of cluster.

    How far apart the clusters are. It grows with the number of clusters whatever the data are.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,) or (n_samples, n_clusters)
        :term:`Labels` or :term:`memberships` of one :term:`partition`.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In squared units of the data; 0 up to rounding for one cluster. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or data, labels or memberships are invalid.
    TypeError
        If labels are not hashable, or X holds no real numbers.

    Warns
    -----
    RuntimeWarning
        If the value is beyond the range of floats, and became 0 or infinite.

    See Also
    --------
    within_cluster_sum_of_squares : Adds up with this one to the total sum of squares.
    internal_decomposition : The sum of each cluster.

    Notes
    -----
    sum_ij u_ij^2 e_j^2, where e_j is the distance of the center v_j of
    :func:`within_cluster_sum_of_squares` to the mean of all objects. For labels the two add up to
    the sum of the squared distances of the objects to their mean, which does not depend on the
    clusters; for memberships object i counts sum_j u_ij^2 times there.

    References
    ----------
    .. [1] A. W. F. Edwards, L. L. Cavalli-Sforza, "A method for cluster analysis", Biometrics 21,
       1965, :doi:`10.2307/2528096`

    Examples
    --------
    >>> from sklearn_clustcompare import between_cluster_sum_of_squares
    >>> between_cluster_sum_of_squares([[1], [2], [4], [5]], list("aabb"))
    9.0
    """
    return evaluate_data("between_cluster_sum_of_squares", X, labels, possibilistic)


def incidence_proximity_correlation(
    X: ArrayLike, labels: PartitionLike, *, metric: Any = "euclidean"
) -> float:
    """Correlation, over the pairs of objects, of their distance with being in different clusters.

    Known as Hubert's normalized Gamma. It is high if objects of the same cluster are close and
    others are not; it is not suited to elongated or nested clusters.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
        The data, or distances for ``metric="precomputed"``.
    labels : array-like of shape (n_samples,)
        :term:`Labels` of one :term:`partition`.
    metric : str or callable, default="euclidean"
        Distance, as in :func:`sklearn.metrics.pairwise_distances`.

    Returns
    -------
    float
        In [-1, 1]. Higher is better.

    Raises
    ------
    ValueError
        If there are not 2 to n_samples - 1 clusters, or all distances are equal; if lengths differ,
        or data or labels are invalid.
    TypeError
        If labels are not hashable, or X holds no real numbers.

    See Also
    --------
    SimilarityMatrixDisplay : Shows the distances, ordered by cluster.
    silhouette_score : Compares distances object by object.

    Notes
    -----
    Pearson's correlation over the n (n - 1) / 2 pairs. The source uses being in the *same* cluster
    and therefore prints negative numbers; here higher is better. It takes O(n^2 p) time for p
    features; the matrix of distances is made in chunks of at most 64 MiB.

    References
    ----------
    .. [1] L. Hubert, J. Schultz, "Quadratic assignment as a general data analysis strategy",
       British Journal of Mathematical and Statistical Psychology 29, 1976,
       :doi:`10.1111/j.2044-8317.1976.tb00714.x`
    .. [2] P.-N. Tan, M. Steinbach, V. Kumar, "Introduction to data mining", Addison-Wesley, 2005,
       section 8.5

    Examples
    --------
    >>> from sklearn_clustcompare import incidence_proximity_correlation
    >>> round(incidence_proximity_correlation([[1], [2], [4], [5]], list("aabb")), 3)
    0.853
    """
    _check_metric("incidence_proximity_correlation", metric)
    return evaluate_data("incidence_proximity_correlation", X, labels, metric=metric)


def dunn_score(X: ArrayLike, labels: PartitionLike, *, metric: Any = "euclidean") -> float:
    """Smallest distance between clusters, divided by the largest within one.

    A single object between two clusters, or far off in its own cluster, determines the value.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
        The data, or distances for ``metric="precomputed"``.
    labels : array-like of shape (n_samples,)
        :term:`Labels` of one :term:`partition`.
    metric : str or callable, default="euclidean"
        Distance, as in :func:`sklearn.metrics.pairwise_distances`.

    Returns
    -------
    float
        From 0, not bounded; infinite if all objects of a cluster are the same. Higher is better.

    Raises
    ------
    ValueError
        If there are not 2 to n_samples - 1 clusters, or both distances are 0; if lengths differ, or
        data or labels are invalid.
    TypeError
        If labels are not hashable, or X holds no real numbers.

    See Also
    --------
    davies_bouldin_score : Takes means where this takes extremes.
    silhouette_score : Takes the distances of all objects.

    Notes
    -----
    The smallest distance of two objects in different clusters, divided by that of the two objects
    of one cluster that are farthest apart. It takes O(n^2 p) time for p features; the matrix of
    distances is made in chunks of at most 64 MiB.

    References
    ----------
    .. [1] J. C. Dunn, "Well-separated clusters and optimal fuzzy partitions", Journal of
       Cybernetics 4, 1974, :doi:`10.1080/01969727408546059`

    Examples
    --------
    >>> from sklearn_clustcompare import dunn_score
    >>> dunn_score([[1], [2], [4], [5]], list("aabb"))
    2.0
    """
    _check_metric("dunn_score", metric)
    return evaluate_data("dunn_score", X, labels, metric=metric)


def _check_metric(name: str, metric: Any) -> None:
    INTERNAL_INDICES[name].check_parameters(metric=metric)


def xie_beni_score(X: ArrayLike, labels: PartitionLike, *, possibilistic: bool = False) -> float:
    """Scatter within the clusters, divided by the squared distance of the closest two centers.

    Made for memberships of fuzzy c-means. Despite its name, lower is better; its scorer is negated.
    It falls towards 0 as the number of clusters approaches that of the objects.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,) or (n_samples, n_clusters)
        :term:`Labels` or :term:`memberships` of one :term:`partition`.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        From 0, not bounded; infinite if two centers are the same. Lower is better.

    Raises
    ------
    ValueError
        If there are not 2 to n_samples - 1 clusters with members, or if scatter and distance are
        both 0; if lengths differ, or data, labels or memberships are invalid.
    TypeError
        If labels are not hashable, or X holds no real numbers.

    See Also
    --------
    within_cluster_sum_of_squares : The scatter.
    davies_bouldin_score : A similar index for labels.
    partition_coefficient : How crisp memberships are.

    Notes
    -----
    sum_ij u_ij^2 d_ij^2 / (n min e_jk^2), where d_ij is the distance of object i to the center v_j
    and e_jk the distance of two centers. The centers are those of
    :func:`within_cluster_sum_of_squares`, which fuzzy c-means reaches when it converges.

    References
    ----------
    .. [1] X. L. Xie, G. Beni, "A validity measure for fuzzy clustering", IEEE Transactions on
       Pattern Analysis and Machine Intelligence 13(8), 1991, :doi:`10.1109/34.85677`

    Examples
    --------
    >>> from sklearn_clustcompare import xie_beni_score
    >>> round(xie_beni_score([[1], [2], [4], [5]], list("aabb")), 4)
    0.0278
    >>> memberships = [[1, 0], [0.9, 0.1], [0.1, 0.9], [0, 1]]
    >>> round(xie_beni_score([[1], [2], [4], [5]], memberships), 4)
    0.0271
    """
    return evaluate_data("xie_beni_score", X, labels, possibilistic)


def dbcv_score(
    X: ArrayLike,
    labels: PartitionLike,
    *,
    metric: Any = "euclidean",
    n_features: int | None = None,
    ties: str = "density",
    noise_label: Any = -1,
) -> float:
    """Density-based clustering validation: how sparse clusters are, compared with what is between.

    Suited to clusters of any shape, such as those of DBSCAN and HDBSCAN, for which the silhouette
    and other indices prefer what k-means finds. Objects of noise belong to no cluster, and lower
    the value by their share.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
        The data, or distances for ``metric="precomputed"``.
    labels : array-like of shape (n_samples,)
        :term:`Labels` of one :term:`partition`.
    metric : str or callable, default="euclidean"
        Distance, as in :func:`sklearn.metrics.pairwise_distances`.
    n_features : int, default=None
        Dimension of the density; None takes the number of features, which has to be given for
        ``metric="precomputed"``.
    ties : {"density", "position"}, default="density"
        Which of several minimum spanning trees of a cluster is taken, see Notes.
    noise_label : hashable or collection of these, default=-1
        :term:`Label of noise <noise_label>`, or several; they need not occur.

    Returns
    -------
    float
        In [-1, 1]. Higher is better.

    Raises
    ------
    ValueError
        If there are not two clusters of at least two objects that are not noise, or
        ``n_features`` is missing; if lengths differ, or data or labels are invalid.
    TypeError
        If labels are not hashable, or X holds no real numbers.

    See Also
    --------
    silhouette_score : For round clusters.
    structure_test : Whether the value is more than chance.

    Notes
    -----
    The core distance of an object is (sum d^-p / (n - 1))^(-1/p) over its distances d to the other
    objects of its cluster, in p dimensions. Two objects are as far apart as the largest of their
    distance and their two core distances. In the minimum spanning tree of a cluster by these, an
    object is internal if it has at least two edges. The sparseness of a cluster is the longest edge
    between internal objects, and its separation the smallest distance of an internal object to an
    internal one of another cluster. The value is the mean over all objects of
    (separation - sparseness) / max(separation, sparseness) of their cluster, and of 0 for noise
    [1]_. It takes O(n^2 p) time, and O(n) memory and chunks of distances of at most 64 MiB.

    What the source leaves open is defined here as follows:

    - Many edges have the same length, and a cluster has several minimum spanning trees, with other
      internal objects. ``ties="density"`` joins the denser object, the one with the smaller core
      distance, so that the value does not depend on the order of the objects. ``ties="position"``
      joins the one that comes first: this is what the function ``validity_index`` of the package
      hdbscan does. Its value for two moons is 0.50 in the order in which scikit-learn generates
      them, and 0.16 to 0.46 in twelve random orders.
    - An object with a duplicate in its cluster has the core distance 0, the limit for two objects
      that approach each other. hdbscan leaves out distances of 0.
    - A single object is noise, as in the authors' program; hdbscan raises an error. Where no object
      or no edge is internal, as in a cluster of two, all are; hdbscan takes the first object.
    - If separation and sparseness are 0, the cluster has the value 0.

    References
    ----------
    .. [1] D. Moulavi, P. A. Jaskowiak, R. J. G. B. Campello, A. Zimek, J. Sander, "Density-based
       clustering validation", SIAM International Conference on Data Mining, 2014,
       :doi:`10.1137/1.9781611973440.96`

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_moons
    >>> from sklearn_clustcompare import dbcv_score
    >>> X, y = make_moons(400, noise=0.06, random_state=0)
    >>> halves = KMeans(2, n_init=10, random_state=0).fit_predict(X)
    >>> round(dbcv_score(X, y), 2), round(dbcv_score(X, halves), 2)
    (0.64, -0.42)
    >>> round(dbcv_score(X, y, ties="position"), 3)
    0.495
    """
    parameters = {
        "metric": metric,
        "n_features": n_features,
        "ties": ties,
        "noise_label": noise_label,
    }
    INTERNAL_INDICES["dbcv_score"].check_parameters(**parameters)
    return evaluate_data("dbcv_score", X, labels, **parameters)


def modularity_score(
    X: ArrayLike,
    labels: PartitionLike,
    *,
    resolution: float = 1.0,
    directed: bool = False,
    possibilistic: bool = False,
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
    labels : array-like of shape (n_samples,) or (n_samples, n_clusters)
        :term:`Labels` or :term:`memberships` of one :term:`partition`.
    resolution : float, default=1.0
        Factor of what is expected: above 1 smaller communities are better.
    directed : bool, default=False
        Whether the graph is directed. The matrix of one that is not has to be symmetric.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

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
    parameters = {"resolution": resolution, "directed": directed}
    INTERNAL_INDICES["modularity_score"].check_parameters(**parameters)
    return evaluate_data("modularity_score", X, labels, possibilistic, **parameters)
