"""Pictures of matrices: a contingency table, and the similarities of objects or partitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from sklearn_clustcompare._array_types import Array, FloatArray, Mask, Positions
from sklearn_clustcompare._data import all_pairs, check_data
from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._palette import GRAY
from sklearn_clustcompare._parameters import boolean, one_of, positive_integer
from sklearn_clustcompare._partition import NAMES, check_rows, names_of, read_labels
from sklearn_clustcompare._partition.arrays import (
    PartitionLike,
    TableLike,
    as_collection,
    check_on_host,
)
from sklearn_clustcompare._partition.reading import in_columns
from sklearn_clustcompare._rendering import n_clusters_text
from sklearn_clustcompare._table import ContingencyTable
from sklearn_clustcompare.candidates._pairwise import PairwiseScores
from sklearn_clustcompare.indices import NAMES as INDEX_NAMES
from sklearn_clustcompare.indices import Index, get_index
from sklearn_clustcompare.plot._display import (
    COLORMAP,
    Display,
    as_names,
    brackets,
    count_named,
    draw_colorbar,
    draws,
    ink,
    is_dark,
    label_clusters,
    lay_out,
    new_axes,
    plain,
    taken,
    write_title,
    write_values,
)
from sklearn_clustcompare.report._decomposition import column_places
from sklearn_clustcompare.report._document import counts_of
from sklearn_clustcompare.report._report import EntityReport

# Larger tables would look empty: only some of their clusters are drawn.
_MAX_DRAWN = 250
_N_OF_LARGE = 15
_MAX_ASPECT = 3.0
# From white to dark, so that single objects off the diagonal are not prominent.
_COLORMAP = "Blues"
_check_normalize = one_of(None, "true", "pred")
_UNITS = {None: "objects", "true": "share of the row", "pred": "share of the column"}


def draw_cells(
    ax: Any,
    values: Array,
    style: dict[str, Any],
    unit: str,
    rows: tuple[Any, Sequence[Any]],
    cols: tuple[Any, Sequence[Any]],
    is_plain: Any = False,
    *,
    include_values: bool | None = None,
    values_format: str | None = None,
    xticks_rotation: Any = None,
    cmap: Any = None,
    colorbar: bool = True,
    im_kw: dict[str, Any] | None = None,
    text_kw: dict[str, Any] | None = None,
) -> tuple[Any, Any]:
    """Draw an image with a color bar, labels and numbers; return the image and the numbers.

    ``style`` has keywords of the image that the user's take precedence of, ``unit`` is the label of
    the color bar, and ``rows`` and ``cols`` have the places of labels and the labels.

    Parameters
    ----------
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
    """
    given = im_kw or {}
    if "norm" in given:
        style = {key: one for key, one in style.items() if key not in ("vmin", "vmax")}
    style = {"interpolation": "nearest", **style, **({"cmap": cmap} if cmap else {}), **given}
    image = ax.imshow(np.ma.array(values, mask=is_plain), **style)
    if colorbar:
        bar = draw_colorbar(image, unit)
        if values.dtype.kind in "iu" and "norm" not in given:
            bar.locator.set_params(integer=True)
    label_clusters(ax.xaxis, *cols, rotation=xticks_rotation)
    label_clusters(ax.yaxis, *rows)
    lay_out(ax)
    texts = write_values(
        image, values, values_format, text_kw, include=include_values, is_plain=is_plain
    )
    return image, texts


class ContingencyDisplay(Display, of=(ContingencyTable, EntityReport)):
    """Picture of a contingency table, with its clusters in matched order.

    Matched clusters lie on the diagonal; counts off the diagonal show splits and merges. Cells of
    small tables contain numbers; cells without objects have no color. For very large tables only
    the most confused clusters are drawn.

    It is made by :meth:`from_predictions` or :meth:`from_table`; all arguments are stored as
    attributes.

    Parameters
    ----------
    counts : ndarray of shape (n_true, n_pred)
        Numbers of objects, with rows and columns in the order to draw them.
    row_labels, col_labels : array-like of shape (n_true,) and (n_pred,)
        Labels of the clusters of ``labels_true`` and ``labels_pred``.
    normalize : {None, "true", "pred"}, default=None
        Draw numbers of objects, or shares of each row ("true") or column ("pred").
    names : tuple of two str, default=None
        Names of the reference and of the candidate; None takes those of the arguments.
    n_others : tuple of two int, default=(0, 0)
        Number of clusters that the last row and the last column sum up; 0 if they are clusters
        themselves.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    im_ : matplotlib AxesImage
        The image of the cells.
    text_ : ndarray of matplotlib Text of shape (n_true, n_pred), or None
        Numbers in the cells, or None if there are too many.

    See Also
    --------
    DecompositionDisplay : How well each cluster was found.
    match_clusters : The matching alone.
    sklearn.metrics.ConfusionMatrixDisplay : The same for classes.

    Examples
    --------
    >>> from sklearn_clustcompare.plot import ContingencyDisplay
    >>> display = ContingencyDisplay.from_predictions(list("aabbb"), [1, 1, 0, 0, 1])
    >>> display.counts, display.col_labels
    (array([[2, 0],
           [1, 2]]), [1, 0])
    """

    counts: Array
    _: KW_ONLY
    row_labels: Any
    col_labels: Any
    normalize: str | None = None
    names: tuple[str, str] | None = None
    n_others: tuple[int, int] = (0, 0)

    @draws(own=["normalize"])
    def from_table(
        cls,
        table: ContingencyTable | EntityReport,
        *,
        display_labels: Any = None,
        names: tuple[str, str] | None = None,
        max_clusters: int | None = None,
    ) -> Any:
        """Draw a contingency table.

        Use it for tables that were counted in parts or elsewhere, without labels. The order of the
        clusters is that of :meth:`from_predictions`.

        Parameters
        ----------
        table : ContingencyTable or EntityReport
            The :term:`contingency table` of the two partitions, or a report that has it.
        display_labels : array-like of shape (n_true,), default=None
            Texts to show instead of the labels of ``labels_true``, in sorted order of the labels as
            in :class:`ContingencyTable`.
        names : tuple of two str, default=None
            Names of the reference and of the candidate; None takes those of the arguments.
        max_clusters : int, default=None
            Largest number of clusters of each side to draw: those in the unmatched cells with the
            most objects, and their matches. The rest is added up as "other", without a color. None
            draws all clusters if there are at most 250, else 15.

        Returns
        -------
        ContingencyDisplay
            Drawn on ``ax_``.

        Raises
        ------
        ValueError
            If the table has no clusters, or a parameter is invalid.

        See Also
        --------
        ContingencyDisplay.from_predictions : Counts the objects first.
        ContingencyTable.from_counts : A table from numbers.

        Examples
        --------
        >>> from sklearn_clustcompare import ContingencyTable
        >>> from sklearn_clustcompare.plot import ContingencyDisplay
        >>> table = ContingencyTable.from_counts([[0, 8], [9, 1]], col_labels=["x", "y"])
        >>> display = ContingencyDisplay.from_table(table)
        >>> display.col_labels
        ['y', 'x']
        """
        if isinstance(table, EntityReport):
            names, table = names or table.names, table.table
        texts = table.row_labels, table.col_labels
        if display_labels is not None:
            what = f"clusters of {NAMES[0]}"
            named = as_names(display_labels, table.shape[0], what, "display_labels")
            texts = np.array(list(map(str, named)), object), table.col_labels
        rows, cols = _matched_order(table)
        most = _MAX_DRAWN if max(table.shape) <= _MAX_DRAWN else _N_OF_LARGE
        if max_clusters is not None:
            positive_integer("max_clusters", max_clusters)
            most = max_clusters
        if max(table.shape) > most:
            kept = _most_confused(table, most)
            rows, cols = (
                order if len(order) <= most else order[np.isin(order, chosen)]
                for order, chosen in zip((rows, cols), kept, strict=True)
            )
        n_others = (table.shape[0] - len(rows), table.shape[1] - len(cols))
        labels = [
            plain(side[order]) + [f"other ({n_other})"] * (n_other > 0)
            for side, order, n_other in zip(texts, (rows, cols), n_others, strict=True)
        ]
        return {
            "counts": counts_of(table, rows, cols),
            "row_labels": labels[0],
            "col_labels": labels[1],
            "names": names_of(names, table),
            "n_others": n_others,
        }

    _of_result = "from_table"

    @draws(count_named, from_table, own=["normalize"])
    def from_predictions(
        cls, labels_true: PartitionLike, labels_pred: PartitionLike | None = None, **options: Any
    ) -> Any:
        """Count the objects of two partitions, and draw the table.

        The side with fewer clusters keeps its order; each cluster of the other side is placed at
        the one that it is matched with, or else at the one with most of its objects. ``normalize``
        makes clusters of different sizes comparable.

        Returns
        -------
        ContingencyDisplay
            Drawn on ``ax_``.

        Raises
        ------
        ValueError
            If there are no objects, or labels or parameters are invalid.

        See Also
        --------
        ContingencyDisplay.from_table : Draws an existing table.
        DecompositionDisplay.from_predictions : How well each cluster was found.
        ContingencyTable.from_labels : The table as numbers.

        Examples
        --------
        >>> from sklearn_clustcompare.plot import ContingencyDisplay
        >>> display = ContingencyDisplay.from_predictions(
        ...     list("aabbb"), [1, 1, 0, 0, 1], normalize="true"
        ... )
        >>> [text.get_text() for text in display.text_.ravel()]
        ['1.00', '0.00', '0.33', '0.67']
        """
        table, options["names"] = count_named(
            labels_true, labels_pred, **taken(options, count_named)
        )
        return cls._drawn_by("from_table", table, **options)

    from_labels = from_predictions  # as the table calls it

    @draws(draw_cells)
    def plot(self, ax: Any = None, **options: Any) -> ContingencyDisplay:
        """Draw the table.

        :meth:`from_predictions` and :meth:`from_table` call it: use it to draw again on other axes
        or in other colors. Only as many labels as fit are written. By default, the colors range
        from white to dark blue, and on dark axes the other way.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        ContingencyDisplay
            Itself.

        See Also
        --------
        ContingencyDisplay.from_predictions : Counts the objects first.

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn_clustcompare.plot import ContingencyDisplay
        >>> display = ContingencyDisplay(
        ...     counts=np.array([[8, 0], [1, 9]]), row_labels=["a", "b"], col_labels=[1, 0]
        ... )
        >>> display.plot(colorbar=False).ax_.get_xlabel()
        'labels_pred (2 clusters)'
        """
        _check_normalize("normalize", self.normalize)
        n_rows, n_cols = self.counts.shape
        if not n_rows or not n_cols:
            msg = f"counts must hold at least one cluster on each side, got {n_rows} and {n_cols}"
            raise ValueError(msg)
        size = [min(max(0.42 * number + 2, 4.8), 8.5) for number in (n_cols, n_rows)]
        ax = new_axes(ax, self, (size[0] + 1.8, size[1]))
        is_slim = max(n_rows, n_cols) > _MAX_ASPECT * min(n_rows, n_cols)
        ax.set(xlabel=self._side_text(1), ylabel=self._side_text(0))
        write_title(
            ax, "Largest confusions" if any(self.n_others) else "Contingency table, matched order"
        )
        self._part_others(ax)
        shares, is_plain = self._shares(), (self.counts == 0) | self._is_other()
        self.im_, self.text_ = draw_cells(
            ax,
            shares,
            {
                "cmap": _COLORMAP + "_r" * (not is_dark(ink(ax))),
                "vmin": 0,
                "vmax": 1 if self.normalize else None,
                "aspect": "auto" if is_slim else "equal",
            },
            _UNITS[self.normalize],
            (np.arange(n_rows), self.row_labels),
            (np.arange(n_cols), self.col_labels),
            is_plain,
            **options,
        )
        return self

    def _shares(self) -> Array:
        if self.normalize is None:
            return self.counts
        sums = self.counts.sum(axis=1 if self.normalize == "true" else 0, keepdims=True)
        return np.divide(self.counts, sums, out=np.zeros(self.counts.shape), where=sums != 0)

    def _is_other(self) -> Mask:
        """Return which cells are sums over other clusters."""
        sides = zip(self.counts.shape, self.n_others, strict=True)
        rows, cols = (np.arange(size) >= size - (n_other > 0) for size, n_other in sides)
        return rows[:, np.newaxis] | cols

    def _side_text(self, side: int) -> str:
        n_other = self.n_others[side]
        n_clusters = self.counts.shape[side] - (n_other > 0) + n_other
        return f"{names_of(self.names)[side]} ({n_clusters_text(n_clusters)})"

    def _part_others(self, ax: Any) -> None:
        for draw, size, n_other in zip(
            (ax.axhline, ax.axvline), self.counts.shape, self.n_others, strict=True
        ):
            if n_other:
                draw(size - 1.5, color=GRAY, linewidth=0.8)


def _most_confused(table: ContingencyTable, most: int) -> tuple[list[int], list[int]]:
    """Choose clusters of the largest cells outside the matching, with their matches."""
    matched = table.optimal_matching
    rows, cols = table.cell_rows, table.cell_cols
    col_of = dict(zip(rows[matched].tolist(), cols[matched].tolist(), strict=True))
    row_of = {col: row for row, col in col_of.items()}
    is_matched = np.isin(np.arange(len(rows)), matched)
    kept_rows: dict[int, None] = {}
    kept_cols: dict[int, None] = {}
    by_size = np.argsort(-table.cell_counts, kind="stable")
    for group in (by_size[~is_matched[by_size]], by_size[is_matched[by_size]]):
        for cell in group.tolist():
            row, col = int(rows[cell]), int(cols[cell])
            new_rows = kept_rows | dict.fromkeys([row, row_of.get(col, row)])
            new_cols = kept_cols | dict.fromkeys([col, col_of.get(row, col)])
            if max(len(new_rows), len(new_cols)) > most:
                break
            kept_rows, kept_cols = new_rows, new_cols
    return list(kept_rows), list(kept_cols)


def _matched_order(table: ContingencyTable) -> tuple[Positions, Positions]:
    """Order clusters so that matched ones face each other.

    The side with fewer clusters keeps its order. Each other cluster is placed at its matched
    cluster; without one, at the cluster with most of its objects, after the matched one.
    """
    n_rows, n_cols = table.shape
    if n_rows > n_cols:
        cols, rows = _matched_order(table.T)
        return rows, cols
    place, is_matched = column_places(table)
    return np.arange(n_rows), np.lexsort((-table.col_sums, ~is_matched, place))


_MAX_OBJECTS = 5000
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

    similarity: FloatArray
    _: KW_ONLY
    order: Positions
    labels: Array | None = None
    names: Sequence[Any] | None = None
    unit: str = "similarity"
    greater_is_better: bool = True
    tree: FloatArray | None = None
    noise_label: Any = -1

    @draws(own=["noise_label"])
    def from_predictions(
        cls,
        X: ArrayLike,
        labels: PartitionLike,
        *,
        data: TableLike = None,
        metric: Any = "euclidean",
    ) -> Any:
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
        >>> from sklearn_clustcompare.plot import SimilarityMatrixDisplay
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
        return {
            "similarity": similarity[np.ix_(order, order)],
            "order": order,
            "labels": encoded.labels_of(codes[order]),
            "unit": f"similarity: 1 \N{MINUS SIGN} distance ({metric}), scaled to [0, 1]",
        }

    @draws(from_predictions, own=["noise_label"], without=["data"])
    def from_estimator(cls, estimator: Any, X: ArrayLike, **options: Any) -> Any:
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
        >>> from sklearn_clustcompare.plot import SimilarityMatrixDisplay
        >>> X = [[0.0], [5.0], [1.0], [6.0]]
        >>> clusterer = AgglomerativeClustering(n_clusters=2).fit(X)
        >>> display = SimilarityMatrixDisplay.from_estimator(clusterer, X)
        >>> display.ax_.get_xlabel()
        'objects by cluster (2 clusters)'
        """
        if not hasattr(estimator, "labels_"):
            msg = f"estimator must be fitted and have labels_, got {shortened(estimator)}"
            raise ValueError(msg)
        return cls._drawn_by("from_predictions", X, estimator.labels_, **options)

    @draws()
    def from_scores(
        cls,
        scores: ArrayLike | PairwiseScores,
        *,
        names: Sequence[Any] | None = None,
        index: str | None = None,
        greater_is_better: bool = True,
        dendrogram: bool = False,
    ) -> Any:
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
        >>> from sklearn_clustcompare import pairwise_scores
        >>> from sklearn_clustcompare.plot import SimilarityMatrixDisplay
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
            record = get_index(index) if index and index.lower() in INDEX_NAMES else None
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
        own_unit = "similarity" if greater_is_better else "distance"
        return {
            "similarity": matrix[np.ix_(order, order)],
            "order": order,
            "names": [titles[position] for position in order],
            "unit": own_unit if index is None else index,
            "greater_is_better": greater_is_better,
            "tree": tree if dendrogram else None,
        }

    _of_result = "from_scores"

    @draws(draw_cells)
    def plot(self, ax: Any = None, **options: Any) -> SimilarityMatrixDisplay:
        """Draw the matrix.

        The class methods call it: use it to draw again on other axes or in other colors. White
        lines separate the clusters, unless there are more than 60 of them. By default, darker
        colors mean more similar.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

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
        >>> from sklearn_clustcompare.plot import SimilarityMatrixDisplay
        >>> display = SimilarityMatrixDisplay(
        ...     np.array([[1.0, 0.4], [0.4, 1.0]]), order=np.array([0, 1]), names=["a", "b"]
        ... )
        >>> display.plot(cmap="magma").ax_.get_title()
        'Similarity of 2 partitions'
        """
        ax = new_axes(ax, self, (7.4, 5.6))
        n = len(self.similarity)
        self.boundaries_: FloatArray = np.zeros(0)
        ticks: tuple[Any, Sequence[Any]] = (), ()
        if self.names is not None:
            ticks = np.arange(n), list(self.names)
            what = "Similarity" if self.greater_is_better else "Distance"
            write_title(ax, f"{what} of {n} partitions")
        else:
            options["include_values"] = options.get("include_values") or False
            if self.labels is not None:
                ticks = self._mark_clusters(ax, self.labels)
        self.branches_ = None if self.tree is None else _draw_tree(ax, self.tree, self.order)
        self.im_, self.text_ = draw_cells(
            ax,
            self.similarity,
            {"cmap": COLORMAP if self.greater_is_better else COLORMAP.removesuffix("_r")},
            self.unit,
            ticks,
            ticks,
            **options,
        )
        return self

    def _mark_clusters(self, ax: Any, labels: Array) -> tuple[FloatArray, list[Any]]:
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
    if n_rows > _MAX_OBJECTS:
        msg = (
            f"X must hold at most {_MAX_OBJECTS} objects, whose pairs are all drawn, got {n_rows}: "
            "draw a sample of them"
        )
        raise ValueError(msg)
    return int(n_rows)


def _tree(scores: FloatArray) -> FloatArray | None:
    """Link partitions by the mean of the scores in both directions; None for fewer than three."""
    if len(scores) < 3:
        return None
    distances = scores.max() - (scores + scores.T) / 2
    condensed = squareform(distances, checks=False)
    return np.asarray(linkage(condensed, "average", optimal_ordering=True))


def _draw_tree(ax: Any, tree: FloatArray, order: Positions) -> Any:
    from matplotlib.collections import LineCollection

    inset = ax.inset_axes((0, 1.02, 1, _TREE_HEIGHT))
    inset.set_axis_off()
    corners = brackets(tree[:, :2].astype(np.int64), tree[:, 2], order)[:, :, ::-1]
    # The scores of equal partitions may all be the same.
    inset.set(xlim=(-0.5, len(order) - 0.5), ylim=(0, 1.03 * (tree[:, 2].max() or 1.0)))
    width = 1.0 if len(order) <= _MAX_SEPARATED else 0.5
    branches = LineCollection(list(corners), colors=[ink(ax)], linewidths=width)
    return inset.add_collection(branches, autolim=False)
