"""A picture of a contingency table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare._table.contingency import ContingencyTable, count
from sklearn_clustcompare.plot._axes import (
    GREY,
    draw_colorbar,
    label_clusters,
    new_axes,
    plain,
)

# Numbers are written into the cells up to this many clusters on a side.
_MAX_ANNOTATED = 20
_MAX_ASPECT = 3.0
# From white to dark, so that single objects off the diagonal do not shout.
_COLORMAP = "Blues"
_check_normalize = one_of(None, "true", "pred")
_UNITS = {
    None: "objects",
    "true": "share of the cluster of labels_true",
    "pred": "share of the cluster of labels_pred",
}


class ContingencyDisplay:
    """Picture of a contingency table, its clusters in matched order.

    Clusters that belong together lie on the diagonal, and what lies off it was split or merged.
    Numbers are written into the cells of small tables; cells without objects stay white.

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

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
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

    Examples
    --------
    >>> from sklearn_clustcompare.plot import ContingencyDisplay
    >>> display = ContingencyDisplay.from_predictions(list("aabbb"), [1, 1, 0, 0, 1])
    >>> display.counts, display.col_labels
    (array([[2, 0],
           [1, 2]]), [1, 0])
    """

    def __init__(
        self,
        counts: NDArray[Any],
        *,
        row_labels: Any,
        col_labels: Any,
        normalize: str | None = None,
    ) -> None:
        self.counts = counts
        self.row_labels = row_labels
        self.col_labels = col_labels
        self.normalize = normalize

    @classmethod
    def from_predictions(
        cls,
        labels_true: Any,
        labels_pred: Any = None,
        *,
        normalize: str | None = None,
        sample_weight: ArrayLike | None = None,
        possibilistic: bool = False,
        noise: str = "cluster",
        noise_label: Any = -1,
        missing: str = "error",
        ax: Any = None,
    ) -> ContingencyDisplay:
        """Count the objects of two partitions, and draw the table.

        The side with fewer clusters keeps its order, and each cluster of the other side goes to
        the one that it is matched with, or else to the one that has most of its objects.
        ``normalize`` makes clusters of different sizes comparable.

        Parameters
        ----------
        labels_true : array-like or ContingencyTable
            :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
            :term:`contingency table` of both partitions, without ``labels_pred``.
        labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
            Labels or memberships of the :term:`candidate`.
        normalize : {None, "true", "pred"}, default=None
            Draw numbers of objects, or shares of each row ("true") or column ("pred").
        sample_weight : array-like of shape (n_samples,), default=None
            :term:`Frequency weights <sample_weight>`; None weighs every object 1.
        possibilistic : bool, default=False
            Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
        noise : {"cluster", "singletons", "drop"}, default="cluster"
            What objects with the label of :term:`noise` are: one cluster, a cluster each, or left
            out.
        noise_label : hashable or collection of them, default=-1
            :term:`Label of noise <noise_label>` on either side, or several; none need occur.
        missing : {"error", "drop", "cluster"}, default="error"
            What objects whose label is :term:`missing` are: an error, left out, or one cluster.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

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
        ContingencyDisplay.from_table : Draws a table that was counted before.
        DecompositionDisplay.from_predictions : How well each cluster was found.
        ContingencyTable.from_labels : The table as numbers.

        Examples
        --------
        >>> from sklearn_clustcompare import ContingencyDisplay
        >>> display = ContingencyDisplay.from_predictions(
        ...     list("aabbb"), [1, 1, 0, 0, 1], normalize="true"
        ... )
        >>> [text.get_text() for text in display.text_.ravel()]
        ['1.00', '0.00', '0.33', '0.67']
        """
        reading = Reading(
            possibilistic=possibilistic, noise=noise, noise_label=noise_label, missing=missing
        )
        table = count(labels_true, labels_pred, sample_weight, reading)
        return cls.from_table(table, normalize=normalize, ax=ax)

    @classmethod
    def from_table(
        cls, table: ContingencyTable, *, normalize: str | None = None, ax: Any = None
    ) -> ContingencyDisplay:
        """Draw a contingency table.

        For tables that were counted in parts or elsewhere, of which no labels are at hand. The
        order of the clusters is that of :meth:`from_predictions`.

        Parameters
        ----------
        table : ContingencyTable
            The :term:`contingency table` of the two partitions.
        normalize : {None, "true", "pred"}, default=None
            Draw numbers of objects, or shares of each row ("true") or column ("pred").
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ContingencyDisplay
            Drawn on ``ax_``.

        Raises
        ------
        ValueError
            If the table has no clusters, or ``normalize`` is none of those above.

        See Also
        --------
        ContingencyDisplay.from_predictions : Counts the objects first.
        ContingencyTable.from_counts : A table from numbers.

        Examples
        --------
        >>> from sklearn_clustcompare import ContingencyDisplay, ContingencyTable
        >>> table = ContingencyTable.from_counts([[0, 8], [9, 1]], col_labels=["x", "y"])
        >>> display = ContingencyDisplay.from_table(table)
        >>> display.col_labels
        ['y', 'x']
        """
        _check_normalize("normalize", normalize)
        rows, cols = _matched_order(table)
        display = cls(
            table.counts.toarray()[np.ix_(rows, cols)],
            row_labels=plain(table.row_labels[rows]),
            col_labels=plain(table.col_labels[cols]),
            normalize=normalize,
        )
        return display.plot(ax=ax)

    def plot(self, ax: Any = None, *, cmap: Any = _COLORMAP, colorbar: bool = True) -> Any:
        """Draw the table.

        :meth:`from_predictions` and :meth:`from_table` have done so already: call it to draw
        again, into other axes or in other colours. Numbers stand in the cells of tables with at
        most 20 clusters on a side; of many labels, only as many as fit are written.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        cmap : str or matplotlib Colormap, default="Blues"
            Colours of the values, from low to high.
        colorbar : bool, default=True
            Whether to add a bar that explains the colours.

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
        >>> from sklearn_clustcompare import ContingencyDisplay
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
        shares = self._shares()
        shown = np.ma.masked_where(self.counts == 0, shares)
        is_slim = max(n_rows, n_cols) > _MAX_ASPECT * min(n_rows, n_cols)
        self.im_ = ax.imshow(
            shown,
            cmap=cmap,
            vmin=0,
            vmax=1 if self.normalize else None,
            aspect="auto" if is_slim else "equal",
            interpolation="nearest",
        )
        self.text_ = None
        if max(n_rows, n_cols) <= _MAX_ANNOTATED:
            self.text_ = self._write(ax, shares)
        ax.set(
            xlabel=f"labels_pred ({n_cols} clusters)",
            ylabel=f"labels_true ({n_rows} clusters)",
            title="Contingency table, matched order",
        )
        label_clusters(ax.xaxis, np.arange(n_cols), self.col_labels)
        label_clusters(ax.yaxis, np.arange(n_rows), self.row_labels)
        if colorbar:
            draw_colorbar(self.im_, _UNITS[self.normalize])
        return self

    def _shares(self) -> NDArray[Any]:
        if self.normalize is None:
            return self.counts
        sums = self.counts.sum(axis=1 if self.normalize == "true" else 0, keepdims=True)
        return np.divide(self.counts, sums, out=np.zeros(self.counts.shape), where=sums != 0)

    def _write(self, ax: Any, shares: NDArray[Any]) -> NDArray[Any]:
        texts = np.empty(shares.shape, dtype=object)
        for (row, col), share in np.ndenumerate(shares):
            red, green, blue, _ = self.im_.cmap(self.im_.norm(share))
            is_dark = 0.3 * red + 0.59 * green + 0.11 * blue < 0.5
            on_colour = "white" if is_dark else "black"
            if self.normalize:
                text = f"{share:.2f}"
            else:
                text = f"{share:.2f}" if shares.dtype.kind == "f" else str(share)
            texts[row, col] = ax.text(
                col,
                row,
                text,
                ha="center",
                va="center",
                fontsize=9 if max(shares.shape) <= 12 and len(text) <= 5 else 7,
                color=on_colour if self.counts[row, col] else GREY,
            )
        return texts


def _matched_order(table: ContingencyTable) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Order clusters so that matched ones face each other.

    The side with fewer clusters keeps its order. The others stand where the cluster does that
    they are matched with; without one, where most of their objects are, after the matched one.
    """
    n_rows, n_cols = table.shape
    if n_rows > n_cols:
        cols, rows = _matched_order(table.T)
        return rows, cols
    matched = table.optimal_matching
    is_matched = np.zeros(n_cols, bool)
    place = np.zeros(n_cols, np.int64)
    # The largest cell of each column comes last, and stays.
    by_size = np.argsort(table.cell_counts, kind="stable")
    place[table.cell_cols[by_size]] = table.cell_rows[by_size]
    place[table.cell_cols[matched]] = table.cell_rows[matched]
    is_matched[table.cell_cols[matched]] = True
    return np.arange(n_rows), np.lexsort((-table.col_sums, ~is_matched, place))
