"""Picture of which clusters are clusters of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_clustcompare._array_types import FloatArray, IntArray
from sklearn_clustcompare._palette import GRAY
from sklearn_clustcompare._rendering import n_clusters_text
from sklearn_clustcompare.plot._axes import (
    brackets,
    ink,
    label_clusters,
    lay_out,
    new_axes,
    plain,
    write_title,
)
from sklearn_clustcompare.plot._display import Display, draws
from sklearn_clustcompare.plot._layers import numbered_color
from sklearn_clustcompare.without_reference import ClusterSignificance, cluster_significance

# Inches for the axis and the title, and for each cluster; inches at least and at most.
_AROUND, _PER_CLUSTER, _LOWEST, _HIGHEST = 1.2, 0.32, 3.2, 14.0
_FONT_SIZE = 8


class ClusterSignificanceDisplay(Display, of=(ClusterSignificance,)):
    """Picture of the tree over the clusters, with the p-values of its nodes.

    Branches have a color for each cluster that remains; those above them are dark. A filled circle
    is a node that is more than one cluster, an open one a node that is one cluster. Nodes without a
    circle were not tested: they are too small, or inside one cluster.

    Parameters
    ----------
    result : ClusterSignificance
        What :func:`cluster_significance` returns.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    branches_ : matplotlib LineCollection
        Two lines for each merge.
    points_ : matplotlib PathCollection
        The nodes that were tested.
    texts_ : list of matplotlib Text
        Their p-values.

    See Also
    --------
    cluster_significance : The values as numbers.
    NClustersDisplay : The evidence for the number of clusters.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn_clustcompare.plot import ClusterSignificanceDisplay
    >>> X = [[number] for number in range(20)]
    >>> display = ClusterSignificanceDisplay.from_estimator(KMeans(2), X)
    >>> display.ax_.get_title()
    '1 cluster remains of 2'
    """

    result: ClusterSignificance

    @classmethod
    @draws(cluster_significance)
    def from_estimator(
        cls, estimator: Any, X: ArrayLike, **options: Any
    ) -> ClusterSignificanceDisplay:
        """Test the clusters of an estimator, or given labels, and draw the tree.

        Use it to see which clusters are parts of one cluster.

        Returns
        -------
        ClusterSignificanceDisplay
            Drawn on ``ax_``.

        See Also
        --------
        cluster_significance : The values as numbers.

        Examples
        --------
        >>> from sklearn_clustcompare.plot import ClusterSignificanceDisplay
        >>> X = [[number] for number in range(20)]
        >>> display = ClusterSignificanceDisplay.from_estimator([0] * 10 + [1] * 10, X)
        >>> display.result.n_clusters
        1
        """
        return cls._drawn(cluster_significance, estimator, X, **options)

    def plot(self, ax: Any = None) -> ClusterSignificanceDisplay:
        """Draw the tree, with its root on the left.

        :meth:`from_estimator` calls it: use it for an existing result, or to draw again on other
        axes.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        ClusterSignificanceDisplay
            Itself.

        See Also
        --------
        ClusterSignificanceDisplay.from_estimator : Computes the result first.

        Examples
        --------
        >>> from sklearn_clustcompare import cluster_significance
        >>> from sklearn_clustcompare.plot import ClusterSignificanceDisplay
        >>> X = [[number] for number in range(20)]
        >>> found = cluster_significance([0] * 10 + [1] * 10, X)
        >>> len(ClusterSignificanceDisplay(found).plot().texts_)
        1
        """
        from matplotlib.collections import LineCollection

        result = self.result
        k = len(result.clusters)
        height = min(max(_AROUND + _PER_CLUSTER * k, _LOWEST), _HIGHEST)
        ax = new_axes(ax, self, (7.2, height))
        order, levels = _leaves(result.merges), _levels(result.merges)
        corners = brackets(result.merges, levels[k:], order)
        colors = [
            numbered_color(result.groups[one[0]]) if len(set(result.groups[one])) == 1 else ink(ax)
            for one in result.members
        ]
        middles = np.zeros(2 * k - 1)
        middles[order] = np.arange(k)
        middles[k:] = corners[:, 1:3, 1].mean(axis=1)
        lines, line_colors = [], []
        for merge, shape in zip(result.merges.tolist(), corners, strict=True):
            center = shape[1:3].mean(axis=0)
            lines += [[shape[0], shape[1], center], [shape[3], shape[2], center]]
            line_colors += [colors[part] for part in merge]
        self.branches_ = ax.add_collection(
            LineCollection(lines, colors=line_colors, linewidths=1.5, zorder=1)
        )
        tested = np.flatnonzero(~np.isnan(result.pvalues))
        is_significant = result.is_significant[tested]
        background = ax.get_facecolor()
        self.points_ = ax.scatter(
            levels[tested],
            middles[tested],
            s=34,
            c=[
                colors[node] if is_full else background
                for node, is_full in zip(tested, is_significant, strict=True)
            ],
            edgecolors=[colors[node] for node in tested],
            linewidths=1.5,
            zorder=2,
        )
        self.texts_ = [
            ax.annotate(
                f"p = {result.pvalues[node]:.2g}",
                (levels[node], middles[node]),
                xytext=(-7, 4) if node < k else (7, 0),
                textcoords="offset points",
                ha="right" if node < k else "left",
                va="bottom" if node < k else "center",
                fontsize=_FONT_SIZE,
                color=ink(ax) if is_full else GRAY,
            )
            for node, is_full in zip(tested, is_significant, strict=True)
        ]
        most = max(levels[-1], 1)
        ax.set(xlim=(most + 0.06 * most, -0.03 * most), ylim=(k - 0.4, -0.6))
        ax.set(xlabel="levels of the tree below", ylabel="cluster (objects)")
        ax.yaxis.tick_right()
        ax.yaxis.set_label_position("right")
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.spines[["top", "left", "right"]].set_visible(False)
        remain = f"{n_clusters_text(result.n_clusters)} remain{'s' * (result.n_clusters == 1)}"
        write_title(ax, f"{remain} of {k}")
        names, sizes = plain(result.clusters), result.sizes[:k]
        label_clusters(
            ax.yaxis,
            np.arange(k),
            [names[code] for code in order],
            suffixes=[f" ({sizes[code]:,})" for code in order],
        )
        lay_out(ax)
        ax.tick_params(axis="y", length=0)  # ticks before numbers would be read as minus signs
        return self


def _leaves(merges: IntArray) -> IntArray:
    """Return the clusters in an order in which no branches cross."""
    k, waiting, order = len(merges) + 1, [2 * len(merges)], []
    while waiting:
        node = waiting.pop()
        if node < k:
            order.append(node)
        else:
            waiting += merges[node - k].tolist()[::-1]
    return np.array(order)


def _levels(merges: IntArray) -> FloatArray:
    """Return the number of merges on the longest way down from each node."""
    levels = np.zeros(2 * len(merges) + 1)
    for number, parts in enumerate(merges):
        levels[len(merges) + 1 + number] = 1 + levels[parts].max()
    return levels
