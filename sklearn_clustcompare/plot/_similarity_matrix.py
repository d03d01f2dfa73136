"""Picture of a similarity matrix whose rows are ordered by cluster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from sklearn_clustcompare._data import all_pairs, check_data
from sklearn_clustcompare._parameters import boolean
from sklearn_clustcompare._partition import check_rows, read_labels
from sklearn_clustcompare._partition.columns import in_columns
from sklearn_clustcompare._partition.devices import check_on_host
from sklearn_clustcompare._partition.options import PartitionLike, TableLike, as_collection
from sklearn_clustcompare.candidates import PairwiseScores
from sklearn_clustcompare.indices import NAMES, Index, get_index
from sklearn_clustcompare.plot._axes import (
    COLORMAP,
    as_names,
    brackets,
    draw_colorbar,
    draw_matrix,
    hover_cells,
    ink,
    label_clusters,
    lay_out,
    n_clusters_text,
    new_axes,
    plain,
    write_title,
    write_values,
)
from sklearn_clustcompare.plot._display import Display, draws

_MAX_DRAWN = 5000
# With more clusters than this, lines between them would hide the cells.
_MAX_SEPARATED = 60
# Height of the tree, as a share of the matrix.
_TREE_HEIGHT = 0.18


class SimilarityMatrixDisplay(Display, of=(PairwiseScores,)):
    """Picture of the similarities of all pairs, ordered by cluster.

    Compact and well separated clusters appear as dark blocks on the diagonal. The rows are objects,
    from data (:meth:`from_predictions`, :meth:`from_estimator`), or partitions with an index as
    their similarity (:meth:`from_scores`).

    Parameters
    ----------
    similarity : ndarray of shape (n, n)
        Similarities or distances, with rows and columns in the order to draw them.
    order : ndarray of int of shape (n,)
        Position of the object of each row.
    labels : ndarray of shape (n,), default=None
        Cluster of each row, equal ones adjacent; None draws no clusters.
    names : sequence of shape (n,), default=None
        Name of each row; None writes the labels of the clusters instead.
    unit : str, default="similarity"
        Label of the color bar.
    greater_is_better : bool, default=True
        Whether a higher value means more similar; False for distances.
    tree : ndarray of shape (n - 1, 4), default=None
        Linkage of the objects in their original order, to draw above the matrix; None draws none.
    noise_label : hashable or collection of these, default=-1
        :term:`Label of noise <noise_label>`, or several; they need not occur.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    im_ : matplotlib AxesImage
        The image.
    text_ : ndarray of matplotlib Text of shape (n, n), or None
        Values in the cells, or None if there are too many.
    boundaries_ : ndarray of float of shape (n_clusters - 1,)
        Positions of the boundaries between clusters.
    branches_ : matplotlib LineCollection or None
        The branches of the tree, a bracket for each merge.

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
        greater_is_better: bool = True,
        tree: NDArray[np.float64] | None = None,
        noise_label: Any = -1,
    ) -> None:
        self.similarity = similarity
        self.order = order
        self.labels = labels
        self.names = names
        self.unit = unit
        self.greater_is_better = greater_is_better
        self.tree = tree
        self.noise_label = noise_label

    @classmethod
    @draws()
    def from_predictions(
        cls,
        X: ArrayLike,
        labels: PartitionLike,
        *,
        data: TableLike = None,
        metric: Any = "euclidean",
        noise_label: Any = -1,
        **options: Any,
    ) -> SimilarityMatrixDisplay:
        """Draw the similarities of the objects of a data set, ordered by cluster.

        The similarity is 1 for the smallest distance and 0 for the largest.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
            The data, or distances for ``metric="precomputed"``.
        labels : array-like of shape (n_samples,)
            :term:`Labels` of one :term:`partition`.
        data : DataFrame, mapping or object with ``obs``, default=None
            Table of which the other arguments name columns instead of being arrays: a frame of any
            package, a mapping such as a dict of arrays, or an object with such a table as ``obs``.
        metric : str or callable, default="euclidean"
            Distance, as in :func:`sklearn.metrics.pairwise_distances`.
        noise_label : hashable or collection of these, default=-1
            :term:`Label of noise <noise_label>`, or several; they need not occur.

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
        (labels,) = in_columns(data, labels=labels)
        encoded = read_labels(labels, "labels")
        codes = encoded.zero_based()
        check_data(X)
        check_rows(X, _n_rows(X), encoded)
        distances = all_pairs(X, metric)
        low, high = float(distances.min(initial=0.0)), float(distances.max(initial=0.0))
        similarity = 1.0 - (distances - low) / ((high - low) or 1.0)
        order = np.argsort(codes, kind="stable")
        display = cls(
            similarity[np.ix_(order, order)],
            order=order,
            labels=encoded.labels_of(codes[order]),
            unit=f"similarity: 1 \N{MINUS SIGN} distance ({metric}), scaled to [0, 1]",
            noise_label=noise_label,
        )
        return display.plot(**options)

    @classmethod
    @draws(from_predictions, without=["data"])
    def from_estimator(
        cls, estimator: Any, X: ArrayLike, **options: Any
    ) -> SimilarityMatrixDisplay:
        """Draw the similarities of the objects, ordered by the clusters of an estimator.

        No reference is needed: dark blocks with sharp borders support the clusters, and blocks as
        light as their surroundings do not.

        Parameters
        ----------
        estimator : clusterer
            Clusterer fitted to these objects, with ``labels_``.

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
        SimilarityMatrixDisplay.from_predictions : Takes any labels.

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
        return cls.from_predictions(X, estimator.labels_, **options)

    @classmethod
    @draws()
    def from_scores(
        cls,
        scores: ArrayLike | PairwiseScores,
        *,
        names: Sequence[Any] | None = None,
        index: str | None = None,
        greater_is_better: bool = True,
        dendrogram: bool = False,
        **options: Any,
    ) -> SimilarityMatrixDisplay:
        """Draw the similarities of many partitions, similar ones next to each other.

        Use it to find groups among the results of many runs, methods or parameters: each group of
        similar results is a dark block.

        Parameters
        ----------
        scores : PairwiseScores or array-like of shape (n_partitions, n_partitions)
            Value of an index or a distance for each pair of partitions, as
            :func:`pairwise_scores` returns it.
        names : sequence of shape (n_partitions,), default=None
            Names of the partitions; None takes those of the scores, or numbers for an array.
        index : str or None, default=None
            Label of the color bar; None takes the index of the scores, or "similarity".
        greater_is_better : bool, default=True
            Whether a higher score means more similar. An index of the registry has its own
            direction.
        dendrogram : bool, default=False
            Whether to draw the tree of the partitions above the matrix, if there are at least
            three.

        Returns
        -------
        SimilarityMatrixDisplay
            Drawn on ``ax_``.

        Raises
        ------
        ValueError
            If ``scores`` is not square, not finite, or its length is not that of ``names``.

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
            record: Index | None = scores.index
            index = scores.index.axis_text(**scores.parameters) if index is None else index
        else:
            record = get_index(index) if index and index.lower() in NAMES else None
        greater_is_better = greater_is_better and (record is None or record.greater_is_better)
        check_on_host(scores, "scores")
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
        named = range(len(matrix)) if names is None else names
        titles = as_names(named, len(matrix), "rows of scores")
        boolean("dendrogram", dendrogram)
        tree = _tree(matrix if greater_is_better else -matrix)
        order = np.arange(len(matrix)) if tree is None else np.asarray(leaves_list(tree), np.intp)
        display = cls(
            matrix[np.ix_(order, order)],
            order=order,
            names=[titles[position] for position in order],
            unit=("similarity" if greater_is_better else "distance") if index is None else index,
            greater_is_better=greater_is_better,
            tree=tree if dendrogram else None,
        )
        return display.plot(**options)

    _of_result: Any = from_scores

    def plot(
        self,
        ax: Any = None,
        *,
        include_values: bool | None = None,
        values_format: str | None = None,
        xticks_rotation: Any = None,
        cmap: Any = None,
        colorbar: bool = True,
        im_kw: dict[str, Any] | None = None,
        text_kw: dict[str, Any] | None = None,
    ) -> SimilarityMatrixDisplay:
        """Draw the matrix.

        The class methods call it: use it to draw again on other axes or in other colors. White
        lines separate the clusters, unless there are more than 60 of them. By default, darker
        colors mean more similar.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.
        include_values : bool, default=None
            Whether to write numbers into the cells; None writes them if they are few and readable.
        values_format : str, default=None
            Format of the numbers, such as ".1%"; None writes whole numbers in full, and others with
            two digits.
        xticks_rotation : {"vertical", "horizontal"} or float, default=None
            Rotation of the labels of columns; None rotates long labels.
        cmap : str or matplotlib Colormap, default=None
            Colormap of the values; None takes that of the Display.
        colorbar : bool, default=True
            Whether to add a color bar.
        im_kw, text_kw : dict, default=None
            Keywords of :meth:`matplotlib.axes.Axes.imshow`, and of the numbers in the cells.

        Returns
        -------
        SimilarityMatrixDisplay
            Itself.

        See Also
        --------
        SimilarityMatrixDisplay.from_predictions : Objects ordered by cluster.
        SimilarityMatrixDisplay.from_scores : Partitions, similar ones next to each other.

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
        default = COLORMAP if self.greater_is_better else COLORMAP.removesuffix("_r")
        self.im_ = draw_matrix(ax, self.similarity, im_kw, cmap=cmap or default)
        n = len(self.similarity)
        self.boundaries_: NDArray[np.float64] = np.zeros(0)
        places: Any = []
        texts: list[Any] = []
        if self.names is not None:
            places, texts = np.arange(n), list(self.names)
            what = "Similarity" if self.greater_is_better else "Distance"
            write_title(ax, f"{what} of {n} partitions")
        elif self.labels is not None:
            places, texts = self._mark_clusters(ax, self.labels)
        if colorbar:
            draw_colorbar(self.im_, self.unit)
        self.branches_ = None if self.tree is None else _draw_tree(ax, self.tree, self.order)

        if texts:
            label_clusters(ax.xaxis, places, texts, rotation=xticks_rotation)
            label_clusters(ax.yaxis, places, texts)
        lay_out(ax)
        if include_values is None and self.names is None:
            include_values = False
        self.text_ = write_values(
            self.im_, self.similarity, values_format, text_kw, include=include_values
        )
        hover_cells(ax, (n, n), self._cell_text)
        return self

    def _cell_text(self, row: int, col: int) -> str:
        if self.names is not None:
            pair = f"{self.names[row]} and {self.names[col]}"
        else:
            pair = f"objects {self.order[row]} and {self.order[col]}"
            if self.labels is not None:
                pair += f" of clusters {self.labels[row]} and {self.labels[col]}"
        return f"{pair}: {self.similarity[row, col]:.3g}"

    def _mark_clusters(
        self, ax: Any, labels: NDArray[Any]
    ) -> tuple[NDArray[np.float64], list[Any]]:
        """Draw lines between clusters; return the positions of their labels, and the labels."""
        starts = np.flatnonzero(np.append(True, labels[1:] != labels[:-1])[: len(labels)])
        ends = np.append(starts[1:], len(labels))
        self.boundaries_ = (starts[1:] - 0.5).astype(np.float64)
        if len(starts) <= _MAX_SEPARATED:
            for boundary in self.boundaries_:
                ax.axhline(boundary, color="white", linewidth=0.8)
                ax.axvline(boundary, color="white", linewidth=0.8)
        names = plain(labels[starts])
        noise = [name for name in names if name in as_collection(self.noise_label)]
        number = n_clusters_text(len(names) - len(noise))
        what = f"objects by cluster ({number}{' and noise' if noise else ''})"
        ax.set(xlabel=what, ylabel=what)
        write_title(ax, f"Similarity of {len(labels)} objects")
        return (starts + ends - 1) / 2, names


def _n_rows(X: Any) -> int:
    n_rows = X.shape[0] if hasattr(X, "shape") else len(X)
    if n_rows > _MAX_DRAWN:
        msg = (
            f"X must hold at most {_MAX_DRAWN} objects, whose pairs are all drawn, got {n_rows}: "
            "draw a sample of them"
        )
        raise ValueError(msg)
    return int(n_rows)


def _tree(scores: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Link partitions by the mean of the scores in both directions; None for fewer than three."""
    if len(scores) < 3:
        return None
    distances = scores.max() - (scores + scores.T) / 2
    condensed = squareform(distances, checks=False)
    return np.asarray(linkage(condensed, "average", optimal_ordering=True))


def _draw_tree(ax: Any, tree: NDArray[np.float64], order: NDArray[np.intp]) -> Any:
    from matplotlib.collections import LineCollection

    inset = ax.inset_axes((0, 1.02, 1, _TREE_HEIGHT))
    inset.set_axis_off()
    corners = brackets(tree[:, :2].astype(np.int64), tree[:, 2], order)[:, :, ::-1]
    # The scores of equal partitions may all be the same.
    inset.set(xlim=(-0.5, len(order) - 0.5), ylim=(0, 1.03 * (tree[:, 2].max() or 1.0)))
    width = 1.0 if len(order) <= _MAX_SEPARATED else 0.5
    branches = LineCollection(list(corners), colors=[ink(ax)], linewidths=width)
    return inset.add_collection(branches, autolim=False)
