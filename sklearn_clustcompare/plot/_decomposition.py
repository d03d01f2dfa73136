"""Pictures of the values and weights of single clusters."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import KW_ONLY
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr

from sklearn_clustcompare._array_types import FloatArray
from sklearn_clustcompare._palette import BLUE, ORANGE, VERDICTS
from sklearn_clustcompare._parameters import logarithm_base
from sklearn_clustcompare._partition import Reading, names_of, read
from sklearn_clustcompare._partition.arrays import PartitionLike, TableLike
from sklearn_clustcompare._partition.reading import in_columns, own_name
from sklearn_clustcompare._rendering import n_clusters_text
from sklearn_clustcompare.indices._entropies import unit as information_unit
from sklearn_clustcompare.plot._display import (
    Display,
    count_named,
    draws,
    inches,
    ink,
    label_clusters,
    lay_out,
    new_axes,
    plain,
    shorten,
    write_title,
)
from sklearn_clustcompare.report._decomposition import (
    ClusterDecomposition,
    cluster_decomposition,
    column_places,
)
from sklearn_clustcompare.report._report import ComparisonReport

# A text and a pattern for each verdict, a second sign beside its color.
_VERDICTS = {
    "kept": ("kept", ""),
    "split": ("split", "//"),
    "part": ("part of a split cluster", ".."),
    "merged": ("merged", "\\\\"),
    "split and merged": ("split and merged", "xx"),
}
# Edges and patterns would hide the thin bars of more clusters than this.
_MAX_EDGED = 50
_HATCH_ALPHA = 0.45
# Height for names above and below the bars: inches of a character, of so many at most.
_NAME_INCHES, _LONGEST_NAME = 0.085, 24
# The lines of the legend are below the bars, on at most half of the height.
_LEGEND_INCHES = 0.22
_ROOM = 1.04
_WIDE_INCHES = 6.0


class DecompositionDisplay(Display, of=(ClusterDecomposition, ComparisonReport)):
    """Picture of the value and the weight of each cluster, for both partitions.

    Each cluster is a bar with its value as height and its weight as width: upwards for clusters of
    ``labels_true``, downwards for those of ``labels_pred``. The area of all bars of a side is the
    overall index, R or C, drawn as a dashed line. Matched clusters face each other, the best of
    ``labels_true`` at the left; the color shows the verdict on the cluster.

    Parameters
    ----------
    decomposition : ClusterDecomposition or ComparisonReport
        The values of the single clusters, as :func:`cluster_decomposition` returns them.
    names : tuple of two str, default=None
        Names of the reference and of the candidate; None takes those of the arguments.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    label_ax_ : matplotlib Axes
        Secondary axis with the labels of the upper bars.
    true_bars_, pred_bars_ : matplotlib PolyCollection
        Bars of the two sides, a rectangle for each cluster, in the order of the decomposition.

    See Also
    --------
    cluster_decomposition : The values.
    WeightFunctionDisplay : The weight as a function of the size.

    Examples
    --------
    >>> from sklearn_clustcompare.plot import DecompositionDisplay
    >>> display = DecompositionDisplay.from_predictions([0, 0, 0, 1, 1], [0, 0, 0, 0, 1])
    >>> [round(float(path.vertices[:, 1].max()), 3) for path in display.true_bars_.get_paths()]
    [0.437, 0.244]
    """

    def __init__(
        self,
        decomposition: ClusterDecomposition | ComparisonReport,
        *,
        names: tuple[str, str] | None = None,
    ) -> None:
        if isinstance(decomposition, ComparisonReport):
            decomposition = decomposition.decomposition
        self.decomposition = decomposition
        self.names = names_of(decomposition.names if names is None else names)

    @draws(cluster_decomposition, own=["names"])
    def from_predictions(cls) -> Any:
        """Decompose the agreement of two partitions, and draw it.

        Use it to see which clusters lower an index: low and wide bars cost the most, and narrow
        ones hardly matter.

        Returns
        -------
        DecompositionDisplay
            Drawn on ``ax_``.

        See Also
        --------
        cluster_decomposition : The values and weights as numbers.
        ContingencyDisplay.from_predictions : The clusters of both sides as a table.

        Examples
        --------
        >>> from sklearn_clustcompare.plot import DecompositionDisplay
        >>> display = DecompositionDisplay.from_predictions([0, 0, 0, 1, 1], [0, 0, 0, 0, 1])
        >>> display.ax_.get_title()
        'Clusters: R = 0.332, C = 0.446'
        """

    def plot(self, ax: Any = None) -> DecompositionDisplay:
        """Draw the bars.

        :meth:`from_predictions` calls it: use it for an existing decomposition, or to draw again on
        other axes. The labels of the upper bars are on a secondary axis, ``label_ax_``, above the
        given axes.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        DecompositionDisplay
            Itself.

        See Also
        --------
        DecompositionDisplay.from_predictions : Computes the decomposition first.

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn_clustcompare import cluster_decomposition
        >>> from sklearn_clustcompare.plot import DecompositionDisplay
        >>> parts = cluster_decomposition([0, 0, 0, 1, 1], [0, 0, 0, 0, 1])
        >>> display = DecompositionDisplay(parts).plot()
        >>> bars = [path.vertices for path in display.true_bars_.get_paths()]
        >>> [round(float(np.ptp(corners[:, 0])), 2) for corners in bars]
        [0.46, 0.54]
        """
        parts = self.decomposition
        longest = (max(map(len, map(str, side.tolist())), default=0) for side in parts.labels)
        room = sum(_NAME_INCHES * min(one, _LONGEST_NAME) for one in longest)
        ax = new_axes(ax, self, (9.0, 6.0 + room))
        self._centers = _facing_centers(parts)
        self.true_bars_ = self._draw_bars(ax, 0, parts.R_i, parts.u_i)
        self.pred_bars_ = self._draw_bars(ax, 1, -parts.C_j, parts.v_j)
        self.label_ax_ = ax.secondary_xaxis("top")
        right = max(
            float((centers + widths / 2).max(initial=0))
            for centers, widths in zip(self._centers, (parts.u_i, parts.v_j), strict=True)
        )
        ax.set_xlim(0, right or 1)
        for height, name in ((parts.R, "R"), (-parts.C, "C")):
            ax.axhline(height, color=ink(ax), linestyle="--", linewidth=1)
            ax.annotate(
                name,
                (1, height),
                (3, 0),
                xycoords=("axes fraction", "data"),
                textcoords="offset points",
                va="center",
            )
        ax.axhline(0, color=ink(ax), linewidth=1)
        n_lines = self._draw_legend(ax)
        ticks = np.linspace(-1, 1, 9)
        ax.set_yticks(ticks, [f"{abs(tick):g}" for tick in ticks])
        ax.set_ylabel("value (width: weight)")
        ax.set_xlabel(self._text_of_side(1))
        self.label_ax_.set_xlabel(self._text_of_side(0))
        write_title(ax, f"Clusters: R = {parts.R:.3f}, C = {parts.C:.3f}")

        for axis, centers, labels in zip(
            (self.label_ax_.xaxis, ax.xaxis), self._centers, parts.labels, strict=True
        ):
            label_clusters(axis, centers, plain(labels), frame=ax)
        lay_out(ax)
        share = min(n_lines * _LEGEND_INCHES / inches(ax)[1], 0.5)
        ax.set_ylim(_ROOM - 2 * _ROOM / (1 - share), _ROOM)
        return self

    def _text_of_side(self, side: int) -> str:
        n_clusters = len(self.decomposition.labels[side])
        return f"{shorten(self.names[side])} ({n_clusters_text(n_clusters)})"

    def _sides(self) -> tuple[Any, Any]:
        return self.decomposition.true, self.decomposition.pred

    def _draw_bars(self, ax: Any, side: int, heights: FloatArray, widths: FloatArray) -> Any:
        from matplotlib.collections import PolyCollection

        centers = self._centers[side]
        x = np.stack([centers - widths / 2, centers + widths / 2], axis=1)[:, [0, 0, 1, 1]]
        y = np.zeros_like(x)
        y[:, 1:3] = heights[:, np.newaxis]
        is_edged = len(heights) <= _MAX_EDGED
        verdicts = self._sides()[side].verdict
        bars = np.stack([x, y], axis=2)
        for verdict, (_, pattern) in _VERDICTS.items():
            if is_edged and pattern:
                hatched = PolyCollection(
                    list(bars[verdicts == verdict]),
                    facecolor="none",
                    edgecolor=(ax.get_facecolor(), _HATCH_ALPHA),
                    hatch=pattern,
                    linewidth=0,
                    zorder=1.5,
                )
                ax.add_collection(hatched)
        return ax.add_collection(
            PolyCollection(
                list(bars),
                facecolor=[VERDICTS[one] for one in verdicts.tolist()],
                edgecolor=ax.get_facecolor(),
                # Thin bars would be hidden by their edges.
                linewidth=0.8 if is_edged else 0,
                antialiased=is_edged,
            )
        )

    def _draw_legend(self, ax: Any) -> int:
        """Write a legend of the verdicts that occur, below the bars; return the number of lines."""
        from matplotlib.patches import Patch

        given = {one for side in self._sides() for one in side.verdict.tolist()}
        is_wide = inches(ax)[0] > _WIDE_INCHES
        n_lines = 1 if is_wide or len(given) <= 2 else 2
        handles = [
            Patch(
                facecolor=VERDICTS[name],
                edgecolor=(ax.get_facecolor(), _HATCH_ALPHA),
                hatch=pattern,
                linewidth=0,
                label=text,
            )
            for name, (text, pattern) in _VERDICTS.items()
            if name in given
        ]
        if given:
            ax.legend(
                handles=handles,
                loc="lower center",
                ncols=-(-len(given) // n_lines),
                frameon=False,
                fontsize=9 if is_wide else 7,
                handlelength=1.6,
                handletextpad=0.4,
                columnspacing=1.0,
            )
        return n_lines


def _facing_centers(
    parts: ClusterDecomposition,
) -> tuple[FloatArray, FloatArray]:
    """Return the centers of the bars of both sides: those of matched clusters are equal.

    A matched pair has a slot as wide as the wider of its bars; any other cluster of ``labels_pred``
    has a slot after the cluster with most of its objects.
    """
    n_true, n_pred = len(parts.R_i), len(parts.C_j)
    place, is_matched = column_places(parts.table)
    rank = np.empty(n_true, np.intp)
    rank[np.argsort(-parts.R_i, kind="stable")] = np.arange(n_true)
    widths = np.append(parts.u_i, parts.v_j[~is_matched])
    np.maximum.at(widths, place[is_matched], parts.v_j[is_matched])
    unmatched = np.flatnonzero(~is_matched)
    ranks = np.append(rank, rank[place[unmatched]])
    values = np.append(np.full(n_true, np.inf), parts.C_j[unmatched])
    order = np.lexsort((-values, ranks))
    centers = np.empty(len(widths))
    centers[order] = np.cumsum(widths[order]) - widths[order] / 2
    pred = np.empty(n_pred)
    pred[is_matched] = centers[place[is_matched]]
    pred[unmatched] = centers[n_true:]
    return centers[:n_true], pred


_MAX_NAMED = 12
# Height of the axes relative to that of the curve.
_ROOM_ABOVE = 1.15


class WeightFunctionDisplay(Display):
    """Picture of the weight function f(p) = -p log p, with the clusters of a partition marked.

    The weight of a cluster in the entropy-weighted means R and C is f(p) divided by the entropy,
    with p the share of the objects in the cluster [1]_. It is largest at p = 1/e, about 0.368:
    smaller and larger clusters have less weight.

    Parameters
    ----------
    shares : array-like of shape (n_clusters,), default=()
        Shares of the objects in each cluster, in [0, 1].
    labels : array-like of shape (n_clusters,), default=None
        Labels of the clusters; None leaves the marks without names.
    base : float, default=None
        Base of the logarithm, above 1: 2 for :term:`bits`, None for :term:`nats`.
    name : str, default=None
        Name of the partition, which stands in the title.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    line_ : matplotlib Line2D
        The function.
    marks_ : matplotlib Line2D
        The clusters.
    label_ax_ : matplotlib Axes or None
        Secondary axis with their labels, as many as fit.

    See Also
    --------
    DecompositionDisplay : Values and weights together.
    cluster_decomposition : The weights as numbers, u_i and v_j.

    References
    ----------
    .. [1] H. van der Hoef, M. J. Warrens, "Understanding information theoretic measures for
       comparing clusterings", Behaviormetrika 46, 2019, :doi:`10.1007/s41237-018-0075-7`,
       Figure 1.

    Examples
    --------
    >>> from sklearn_clustcompare.plot import WeightFunctionDisplay
    >>> display = WeightFunctionDisplay.from_predictions(list("aaab"), base=2)
    >>> display.marks_.get_ydata().round(3)
    array([0.311, 0.5  ])
    """

    shares: ArrayLike = ()
    labels: Any = None
    _: KW_ONLY
    base: float | None = None
    name: str | None = None

    @draws(count_named, own=["base"], without=["names"])
    def from_predictions(
        cls,
        labels: PartitionLike,
        *,
        data: TableLike = None,
        sample_weight: ArrayLike | None = None,
        **counting: Any,
    ) -> Any:
        """Mark the clusters of a partition.

        Use it to see which clusters of a partition have the most weight in an index of information,
        without a second partition.

        Parameters
        ----------
        labels : array-like of shape (n_samples,) or (n_samples, n_clusters)
            :term:`Labels` or :term:`memberships` of one :term:`partition`.

        Returns
        -------
        WeightFunctionDisplay
            Drawn on ``ax_``.

        See Also
        --------
        DecompositionDisplay.from_predictions : Values and weights of two partitions.
        clustering_entropy : The sum of the weights drawn.

        Examples
        --------
        >>> from sklearn_clustcompare.plot import WeightFunctionDisplay
        >>> display = WeightFunctionDisplay.from_predictions(list("aaab"))
        >>> display.marks_.get_xdata(), display.marks_.get_ydata().round(3)
        (array([0.75, 0.25]), array([0.216, 0.347]))
        """
        name = own_name(labels, data)
        labels, sample_weight = in_columns(data, labels=labels, sample_weight=sample_weight)
        partition = read(labels, "labels", Reading(**counting))
        table, _ = count_named(partition, partition, sample_weight=sample_weight, **counting)
        shares = table.row_sums / table.n_samples if table.n_samples else table.row_sums
        own = {"name": None if name is None else str(name)}
        return {"shares": shares, "labels": plain(table.row_labels), **own}

    def plot(self, ax: Any = None) -> WeightFunctionDisplay:
        """Draw the function and the clusters.

        :meth:`from_predictions` calls it: use it for your own shares, for the function alone, or to
        draw again on other axes. With more than twelve clusters the marks have no names.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        WeightFunctionDisplay
            Itself.

        See Also
        --------
        WeightFunctionDisplay.from_predictions : Counts the shares first.

        Examples
        --------
        >>> from sklearn_clustcompare.plot import WeightFunctionDisplay
        >>> display = WeightFunctionDisplay([0.05, 0.95], ["rare", "common"]).plot()
        >>> display.marks_.get_ydata().round(3)
        array([0.15 , 0.049])
        """
        logarithm_base("base", self.base)
        ax = new_axes(ax, self, (6.4, 4.4))
        unit = 1.0 if self.base is None else math.log(self.base)
        grid = np.linspace(0, 1, 501)
        shares = np.asarray(self.shares, dtype=np.float64)
        weights = entr(shares) / unit
        (self.line_,) = ax.plot(grid, entr(grid) / unit, color=BLUE)
        ax.axvline(1 / math.e, color=ink(ax), linestyle=":", linewidth=1)
        top = 1 / math.e / unit
        ax.annotate(f"p = 1/e, f = {top:.3f}", (1 / math.e, 0), (4, 4), textcoords="offset points")
        (self.marks_,) = ax.plot(
            shares,
            weights,
            "o",
            color=ORANGE,
            markeredgecolor="white",
            markersize=7 if len(shares) <= 50 else 5,
            alpha=1.0 if len(shares) <= 50 else 0.6,
        )
        ax.set(
            xlim=(-0.02, 1.02),
            ylim=(0, _ROOM_ABOVE * top),
            xlabel="p, share of the objects in a cluster",
            ylabel=f"f(p) = \N{MINUS SIGN}p log p ({information_unit(base=self.base)})",
        )
        of = "" if self.name is None else f" of {shorten(self.name)}"
        marked = f" ({n_clusters_text(len(shares))}{of} marked)" if len(shares) else ""
        write_title(ax, f"Weight of a cluster by its size{marked}")
        is_named = self.labels is not None and 0 < len(shares) <= _MAX_NAMED
        self.label_ax_ = self._name(ax, shares) if is_named else None
        lay_out(ax)
        return self

    def _name(self, ax: Any, shares: Any) -> Any:
        """Write the labels above the marks, as many as fit; equal clusters share a label."""
        names: defaultdict[float, list[str]] = defaultdict(list)
        for share, name in zip(shares.tolist(), map(str, self.labels), strict=True):
            names[share].append(name)
        texts = [
            ", ".join(same[:3]) + (f" (+{len(same) - 3})" if len(same) > 3 else "")
            for same in names.values()
        ]
        above = ax.secondary_xaxis("top")
        label_clusters(above.xaxis, list(names), texts, frame=ax)
        return above
