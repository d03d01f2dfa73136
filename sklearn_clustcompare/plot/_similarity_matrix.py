"""A picture of a similarity matrix whose rows are ordered by cluster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform
from sklearn.metrics import pairwise_distances

from sklearn_clustcompare._partition import read_labels
from sklearn_clustcompare._partition.ids import check_same_objects, index_of
from sklearn_clustcompare._partition.validation import check_same_length
from sklearn_clustcompare.comparison import PairwiseScores
from sklearn_clustcompare.plot._axes import (
    COLORMAP,
    draw_colorbar,
    label_clusters,
    new_axes,
    plain,
)

_MAX_DRAWN = 5000
# Lines between more clusters than this would hide the cells.
_MAX_SEPARATED = 60


class SimilarityMatrixDisplay:
    """Picture of the similarities of all pairs, ordered by cluster.

    Clusters that are compact and well separated show as dark blocks on the diagonal. The rows are
    objects, from data (:meth:`from_predictions`, :meth:`from_estimator`), or whole partitions
    with an index as their similarity (:meth:`from_scores`).

    Parameters
    ----------
    similarity : ndarray of shape (n, n)
        Similarities, with rows and columns in the order to draw them.
    order : ndarray of int of shape (n,)
        Which object each row is.
    labels : ndarray of shape (n,), default=None
        Cluster of each row, equal ones adjacent; None draws no clusters.
    names : sequence of shape (n,), default=None
        Name of each row; None writes the labels of the clusters instead.
    unit : str, default="similarity"
        What the colours show.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of the axes.
    im_ : matplotlib AxesImage
        The image.
    boundaries_ : ndarray of float of shape (n_clusters - 1,)
        Where one cluster ends and the next begins.

    See Also
    --------
    pairwise_scores : Similarities of many partitions.

    References
    ----------
    .. [1] P.-N. Tan, M. Steinbach, V. Kumar, "Introduction to Data Mining", 2005, section 8.5.

    Examples
    --------
    >>> from sklearn_clustcompare.plot import SimilarityMatrixDisplay
    >>> X = [[0.0], [5.0], [1.0], [6.0]]
    >>> display = SimilarityMatrixDisplay.from_predictions(X, [0, 1, 0, 1])
    >>> display.order
    array([0, 2, 1, 3])
    >>> display.similarity.round(2)[0]
    array([1.  , 0.83, 0.17, 0.  ])
    """

    def __init__(
        self,
        similarity: NDArray[np.float64],
        *,
        order: NDArray[np.intp],
        labels: NDArray[Any] | None = None,
        names: Sequence[Any] | None = None,
        unit: str = "similarity",
    ) -> None:
        self.similarity = similarity
        self.order = order
        self.labels = labels
        self.names = names
        self.unit = unit

    @classmethod
    def from_predictions(
        cls, X: ArrayLike, labels: Any, *, metric: Any = "euclidean", ax: Any = None
    ) -> SimilarityMatrixDisplay:
        """Draw the similarities of the objects of a data set, ordered by cluster.

        The similarity is 1 for the smallest distance and 0 for the largest.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
            The data, or distances for ``metric="precomputed"``.
        labels : array-like of shape (n_samples,)
            :term:`Labels` of one :term:`partition`.
        metric : str or callable, default="euclidean"
            Distance, as in :func:`sklearn.metrics.pairwise_distances`.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        SimilarityMatrixDisplay
            Drawn on ``ax_``.

        Raises
        ------
        ValueError
            If the lengths differ, or there are more than 5,000 objects.

        See Also
        --------
        SimilarityMatrixDisplay.from_estimator : Takes the labels of a fitted clusterer.
        sklearn.metrics.pairwise_distances : The distances, and their names.

        Examples
        --------
        >>> from sklearn_clustcompare import SimilarityMatrixDisplay
        >>> display = SimilarityMatrixDisplay.from_predictions(
        ...     [[0.0], [5.0], [1.0], [6.0]], list("xyxy"), metric="manhattan"
        ... )
        >>> display.labels.tolist(), display.boundaries_
        (['x', 'x', 'y', 'y'], array([1.5]))
        """
        encoded = read_labels(labels, "labels")
        codes = encoded.zero_based()
        check_same_length(np.arange(_n_rows(X)), codes, ("X", "labels"))
        check_same_objects(index_of(X), encoded.ids, ("X", "labels"))
        distances = pairwise_distances(X, metric=metric)
        low, high = float(distances.min(initial=0.0)), float(distances.max(initial=0.0))
        similarity = 1.0 - (distances - low) / ((high - low) or 1.0)
        order = np.argsort(codes, kind="stable")
        display = cls(
            similarity[np.ix_(order, order)],
            order=order,
            labels=encoded.labels_of(codes[order]),
            unit=f"similarity: 1 \N{MINUS SIGN} distance ({metric}), scaled to [0, 1]",
        )
        return display.plot(ax=ax)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: ArrayLike, *, metric: Any = "euclidean", ax: Any = None
    ) -> SimilarityMatrixDisplay:
        """Draw the similarities of the objects, ordered by the clusters of an estimator.

        Needs no reference: blocks that are dark and sharp speak for the clusters found, and
        blocks as light as what lies beside them against.

        Parameters
        ----------
        estimator : clusterer
            Fitted on these objects; its ``labels_`` are taken.
        X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
            The data, or distances for ``metric="precomputed"``.
        metric : str or callable, default="euclidean"
            Distance, as in :func:`sklearn.metrics.pairwise_distances`.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        SimilarityMatrixDisplay
            Drawn on ``ax_``.

        Raises
        ------
        ValueError
            If the estimator has no ``labels_``, the lengths differ, or there are more than 5,000
            objects.

        See Also
        --------
        SimilarityMatrixDisplay.from_predictions : Takes labels of any origin.

        Examples
        --------
        >>> from sklearn.cluster import AgglomerativeClustering
        >>> from sklearn_clustcompare import SimilarityMatrixDisplay
        >>> X = [[0.0], [5.0], [1.0], [6.0]]
        >>> clusterer = AgglomerativeClustering(n_clusters=2).fit(X)
        >>> display = SimilarityMatrixDisplay.from_estimator(clusterer, X)
        >>> display.ax_.get_xlabel()
        'objects by cluster (2 clusters)'
        """
        if not hasattr(estimator, "labels_"):
            msg = f"estimator must be fitted and have labels_, got {estimator!r}"
            raise ValueError(msg)
        return cls.from_predictions(X, estimator.labels_, metric=metric, ax=ax)

    @classmethod
    def from_scores(
        cls,
        scores: ArrayLike | PairwiseScores,
        *,
        names: Sequence[Any] | None = None,
        index: str | None = None,
        ax: Any = None,
    ) -> SimilarityMatrixDisplay:
        """Draw the similarities of many partitions, those alike next to each other.

        Use it to find groups among the results of many runs, methods or parameters: each group
        that agrees within itself is a dark block.

        Parameters
        ----------
        scores : PairwiseScores or array-like of shape (n_partitions, n_partitions)
            Value of an index for each pair of partitions, as :func:`pairwise_scores` returns it;
            in an array, higher for those more alike.
        names : sequence of shape (n_partitions,), default=None
            Names of the partitions; None takes those of the scores, and numbers an array's.
        index : str or None, default=None
            What the colours show; None takes the index of the scores, or "similarity".
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        SimilarityMatrixDisplay
            Drawn on ``ax_``.

        Raises
        ------
        ValueError
            If ``scores`` is not square, not finite, or has another length than ``names``.

        See Also
        --------
        pairwise_scores : Makes the scores.
        medoid_partition : The partition that agrees best with all others.

        Notes
        -----
        The order is that of the leaves of an average linkage, with the mean of the scores in
        both directions.

        Examples
        --------
        >>> from sklearn_clustcompare import SimilarityMatrixDisplay, pairwise_scores
        >>> runs = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [1, 1, 0, 0]}
        >>> scores = pairwise_scores(runs, index="adjusted_rand_score")
        >>> display = SimilarityMatrixDisplay.from_scores(scores)
        >>> display.names
        ['b', 'c', 'a']
        """
        if isinstance(scores, PairwiseScores):
            names = scores.names if names is None else names
            index = scores.index.axis_text(**scores.parameters) if index is None else index
        matrix = np.asarray(scores, dtype=np.float64)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not len(matrix):
            msg = (
                "scores must be a square matrix of one partition or more, "
                f"got an array of shape {matrix.shape}"
            )
            raise ValueError(msg)
        if not np.isfinite(matrix).all():
            msg = f"scores must be finite, got {matrix[~np.isfinite(matrix)][0]}"
            raise ValueError(msg)
        titles = list(range(len(matrix)) if names is None else names)
        if len(titles) != len(matrix):
            msg = f"names must name the {len(matrix)} rows of scores, got {len(titles)}"
            raise ValueError(msg)
        order = _order_of_leaves(matrix)
        display = cls(
            matrix[np.ix_(order, order)],
            order=order,
            names=[titles[position] for position in order],
            unit="similarity" if index is None else index,
        )
        return display.plot(ax=ax)

    def plot(
        self, ax: Any = None, *, cmap: Any = COLORMAP, colorbar: bool = True
    ) -> SimilarityMatrixDisplay:
        """Draw the matrix.

        The class methods have done so already: call it to draw again, into other axes or in
        other colours. White lines part the clusters, unless there are more than 60 of them.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        cmap : str or matplotlib Colormap, default="cividis_r"
            Colours of the values, from low to high.
        colorbar : bool, default=True
            Whether to add a bar that explains the colours.

        Returns
        -------
        SimilarityMatrixDisplay
            Itself.

        See Also
        --------
        SimilarityMatrixDisplay.from_predictions : Objects ordered by cluster.
        SimilarityMatrixDisplay.from_scores : Partitions, those alike next to each other.

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn_clustcompare import SimilarityMatrixDisplay
        >>> display = SimilarityMatrixDisplay(
        ...     np.array([[1.0, 0.4], [0.4, 1.0]]), order=np.array([0, 1]), names=["a", "b"]
        ... )
        >>> display.plot(cmap="magma").ax_.get_title()
        'Similarity of 2 partitions'
        """
        ax = new_axes(ax, self, (7.4, 5.6))
        self.im_ = ax.imshow(self.similarity, cmap=cmap, interpolation="nearest")
        n = len(self.similarity)
        self.boundaries_: NDArray[np.float64] = np.zeros(0)
        if self.names is not None:
            for axis in (ax.xaxis, ax.yaxis):
                label_clusters(axis, np.arange(n), self.names)
            ax.set(title=f"Similarity of {n} partitions")
        elif self.labels is not None:
            self._mark_clusters(ax, self.labels)
        if colorbar:
            draw_colorbar(self.im_, self.unit)
        return self

    def _mark_clusters(self, ax: Any, labels: NDArray[Any]) -> None:
        starts = np.flatnonzero(np.append(True, labels[1:] != labels[:-1])[: len(labels)])
        ends = np.append(starts[1:], len(labels))
        self.boundaries_ = (starts[1:] - 0.5).astype(np.float64)
        if len(starts) <= _MAX_SEPARATED:
            for boundary in self.boundaries_:
                ax.axhline(boundary, color="white", linewidth=0.8)
                ax.axvline(boundary, color="white", linewidth=0.8)
        for axis in (ax.xaxis, ax.yaxis):
            label_clusters(axis, (starts + ends - 1) / 2, plain(labels[starts]))
        what = f"objects by cluster ({len(starts)} clusters)"
        ax.set(xlabel=what, ylabel=what, title=f"Similarity of {len(labels)} objects")


def _n_rows(X: Any) -> int:
    n_rows = X.shape[0] if hasattr(X, "shape") else len(X)
    if n_rows > _MAX_DRAWN:
        msg = (
            f"X must hold at most {_MAX_DRAWN} objects, whose pairs are all drawn, got {n_rows}: "
            "draw a sample of them"
        )
        raise ValueError(msg)
    return int(n_rows)


def _order_of_leaves(scores: NDArray[np.float64]) -> NDArray[np.intp]:
    if len(scores) < 3:
        return np.arange(len(scores))
    distances = scores.max() - (scores + scores.T) / 2
    condensed = squareform(distances, checks=False)
    tree = linkage(condensed, "average", optimal_ordering=True)
    return np.asarray(leaves_list(tree), dtype=np.intp)
