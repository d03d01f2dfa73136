"""Pictures of clusterings of several resolutions: as a tree, and of two hierarchies compared."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Any

import numpy as np
from sklearn.isotonic import isotonic_regression

from sklearn_clustcompare._array_types import FloatArray, Positions
from sklearn_clustcompare._palette import BLUE, GRAY
from sklearn_clustcompare._parameters import share
from sklearn_clustcompare.hierarchies import clustering_tree, compare_hierarchies
from sklearn_clustcompare.hierarchies._comparison import ClusteringTree, HierarchyComparison
from sklearn_clustcompare.plot._alluvial import order_layers
from sklearn_clustcompare.plot._display import (
    COLORMAP,
    Display,
    draw_band,
    draw_colorbar,
    draw_legend,
    draws,
    inches,
    ink,
    is_dark,
    label_clusters,
    lay_out,
    new_axes,
    plain,
    shorten,
    tick_decades,
    whole_ticks,
    write_title,
)

_MAX_CLUSTERS = 2000
_ROUNDS = 10
# Diameter of the largest and of the smallest visible cluster in points.
_MAX_DIAMETER, _MIN_DIAMETER = 34.0, 2.5
# A label needs a circle of this diameter, and more for each of its characters, in points.
_TEXT_POINTS, _CHARACTER_POINTS = 4.0, 5.2
_FONT_SIZE = 8
# Width of the widest line in points, and as a share of the distance between neighbors.
_MAX_WIDTH, _WIDTH_SHARE = 7.0, 0.3


class ClusteringTreeDisplay(Display, of=(ClusteringTree,)):
    """Picture of clusterings of increasing resolution, with the stability of each cluster.

    Each partition is a row of circles, with the sizes of its clusters as areas and their SC3
    stabilities as colors. A line joins two clusters of neighboring rows that share objects: its
    width shows its share of the lower cluster, its darkness the share of the upper one. A cluster
    with several wide lines from above combines parts of several clusters, which indicates that the
    resolution is too high [1]_.

    Parameters
    ----------
    tree : ClusteringTree
        Result of :func:`clustering_tree`.
    min_line_share : float, default=0.1
        Lines with a smaller share of the lower cluster are left out.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    points_ : matplotlib PathCollection
        The clusters, level by level, in the order of their sorted labels.
    lines_ : matplotlib LineCollection
        The lines.
    texts_ : list of matplotlib Text
        Labels of the clusters, where there is room.

    See Also
    --------
    clustering_tree : The values.
    AlluvialDisplay : The same partitions as streams of objects.

    References
    ----------
    .. [1] L. Zappia, A. Oshlack, "Clustering trees: a visualization for evaluating clusterings at
       multiple resolutions", GigaScience 7(7), 2018, :doi:`10.1093/gigascience/giy083`

    Examples
    --------
    >>> from sklearn_clustcompare.plot import ClusteringTreeDisplay
    >>> levels = {1: [0, 0, 0, 0, 0, 0], 2: [0, 0, 0, 1, 1, 1], 3: [0, 0, 1, 1, 2, 2]}
    >>> display = ClusteringTreeDisplay.from_partitions(levels)
    >>> display.points_.get_array().data.round(3)
    array([0.278, 0.292, 0.292, 0.333, 0.167, 0.333])
    """

    tree: ClusteringTree
    _: KW_ONLY
    min_line_share: float = 0.1

    @draws(clustering_tree, own=["min_line_share"])
    def from_partitions(cls) -> Any:
        """Link the clusters of neighboring partitions, and draw them.

        Use it to choose a number of clusters or a resolution: stop before clusters begin to
        exchange objects from level to level.

        Returns
        -------
        ClusteringTreeDisplay
            Drawn on ``ax_``.

        See Also
        --------
        clustering_tree : The tree as numbers.

        Examples
        --------
        >>> from sklearn_clustcompare.plot import ClusteringTreeDisplay
        >>> display = ClusteringTreeDisplay.from_partitions([[0, 0, 0, 0], [0, 0, 0, 1]])
        >>> [text.get_text() for text in display.texts_]
        ['0', '0', '1']
        """

    def plot(self, ax: Any = None) -> ClusteringTreeDisplay:
        """Draw the tree.

        :meth:`from_partitions` calls it: use it for an existing tree, or to draw again on other
        axes.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        ClusteringTreeDisplay
            Itself.

        Raises
        ------
        ValueError
            If ``min_line_share`` is not in [0, 1], or a partition has more than 2,000 clusters.

        See Also
        --------
        ClusteringTreeDisplay.from_partitions : Computes the tree first.

        Examples
        --------
        >>> from sklearn_clustcompare.hierarchies import clustering_tree
        >>> from sklearn_clustcompare.plot import ClusteringTreeDisplay
        >>> tree = clustering_tree([[0, 0, 0, 0], [0, 0, 1, 1]])
        >>> len(ClusteringTreeDisplay(tree).plot().lines_.get_segments())
        2
        """
        share("min_line_share", self.min_line_share)
        tree = self.tree
        _check_size(tree)
        flows = [table.counts.toarray().astype(np.float64) for table in tree.tables]
        places = _places(flows)
        n_levels, most = len(places), max(map(len, places))
        size = min(max(6.4, 0.5 * most), 14.0), min(max(4.8, 0.7 * n_levels), 14.0)
        ax = new_axes(ax, self, size)
        edge = max(float(np.abs(place).max()) for place in places) + 0.7
        ax.set(
            xlim=(-edge, edge),
            ylim=(n_levels - 0.4, -0.6),
            xlabel="clusters; area: number of objects",
            ylabel="partitions",
        )
        write_title(ax, "Clusters across resolutions")
        ax.set_xticks([])
        ax.spines[:].set_visible(False)
        self._draw_points(ax, places)
        draw_colorbar(self.points_, "SC3 stability")
        label_clusters(ax.yaxis, np.arange(n_levels), tree.names)
        lay_out(ax)
        ax.tick_params(axis="y", length=0)
        diameters = self._size_points(ax, places)
        self.lines_ = self._draw_lines(ax, flows, places)
        self._draw_texts(ax, diameters)
        return self

    def _draw_lines(self, ax: Any, flows: list[FloatArray], places: list[FloatArray]) -> Any:
        from matplotlib.collections import LineCollection
        from matplotlib.colors import to_rgb

        segments, widths, colors = [], [], []
        widest = min(_MAX_WIDTH, _WIDTH_SHARE * _points_per_unit(ax)[0])
        color = to_rgb(ink(ax))
        for level, flow in enumerate(flows):
            of_upper = flow / flow.sum(axis=1, keepdims=True)
            of_lower = flow / flow.sum(axis=0)
            # A cluster of many small parts keeps its largest.
            drawn = of_lower >= np.minimum(self.min_line_share, of_lower.max(axis=0))
            for row, col in np.argwhere(drawn & (flow > 0)).tolist():
                ends = ((places[level][row], level), (places[level + 1][col], level + 1))
                segments.append(ends)
                widths.append(widest * of_lower[row, col])
                colors.append((*color, 0.1 + 0.6 * of_upper[row, col]))
        lines = LineCollection(segments, linewidths=widths, colors=colors, zorder=1)
        return ax.add_collection(lines, autolim=False)

    def _draw_points(self, ax: Any, places: list[FloatArray]) -> None:
        stabilities = np.concatenate(self.tree.stabilities)
        self.points_ = ax.scatter(
            np.concatenate(places),
            np.repeat(np.arange(len(places)), list(map(len, places))),
            c=stabilities,
            vmin=0.0,
            vmax=max(stabilities.max(), np.finfo(float).tiny),
            cmap=COLORMAP,
            linewidths=0.8,
            zorder=2,
        )

    def _size_points(self, ax: Any, places: list[FloatArray]) -> FloatArray:
        """Make the clusters as large as their neighbors allow; return their diameters in points."""
        roots = [np.sqrt(sizes) for sizes in self.tree.sizes]
        per_column, per_row = _points_per_unit(ax)
        scale = min(0.75 * per_row, _MAX_DIAMETER) / max(root.max() for root in roots)
        for place, root in zip(places, roots, strict=True):
            order = np.argsort(place)
            room = 1.8 * per_column * np.diff(place[order])
            scale = np.min(room / (root[order][1:] + root[order][:-1]), initial=scale)
        diameters = np.maximum(scale * np.concatenate(roots), _MIN_DIAMETER)
        self.points_.set_sizes(diameters**2)
        self.points_.set_edgecolor("none" if diameters.max() < 8 else ax.get_facecolor())
        return diameters

    def _draw_texts(self, ax: Any, diameters: FloatArray) -> None:
        labels = [label for level in self.tree.labels for label in plain(level)]
        fills = self.points_.to_rgba(self.points_.get_array())
        self.texts_ = []
        for label, place, diameter, fill in zip(
            labels, self.points_.get_offsets(), diameters, fills, strict=True
        ):
            text = shorten(label)
            if diameter >= _TEXT_POINTS + _CHARACTER_POINTS * len(text):
                self.texts_.append(
                    ax.text(
                        *place,
                        text,
                        ha="center",
                        va="center",
                        fontsize=_FONT_SIZE,
                        color="white" if is_dark(fill) else "black",
                        zorder=3,
                    )
                )


def _check_size(tree: ClusteringTree) -> None:
    for name, labels in zip(tree.names, tree.labels, strict=True):
        if len(labels) > _MAX_CLUSTERS:
            msg = (
                f"partitions must have at most {_MAX_CLUSTERS} clusters to be drawn, "
                f"got {len(labels)} in partition {name!r}"
            )
            raise ValueError(msg)


def _points_per_unit(ax: Any) -> FloatArray:
    return np.asarray(72 * inches(ax) / np.ptp([ax.get_xlim(), ax.get_ylim()], axis=1))


def _places(flows: list[FloatArray]) -> list[FloatArray]:
    """Place the clusters of each level, at least one apart and near those they come from."""
    orders = order_layers(flows, [False] * (len(flows) + 1))
    ranks = [np.argsort(order) for order in orders]
    places = [rank - (len(rank) - 1) / 2 for rank in ranks]
    links = [flow / flow.sum(axis=0) for flow in flows]
    back = [(flow / flow.sum(axis=1, keepdims=True)).T for flow in flows]
    for _ in range(_ROUNDS):
        for level in range(1, len(places)):
            places[level] = _apart(places[level - 1] @ links[level - 1], ranks[level])
        for level in reversed(range(len(flows))):
            places[level] = _apart(places[level + 1] @ back[level], ranks[level])
    middle = (min(place.min() for place in places) + max(place.max() for place in places)) / 2
    return [place - middle for place in places]


def _apart(wanted: FloatArray, ranks: Positions) -> FloatArray:
    """Return the positions nearest to given ones that keep the order and are at least one apart."""
    order = np.argsort(ranks)
    steps = np.arange(len(order))
    places = np.empty(len(order))
    places[order] = isotonic_regression(wanted[order] - steps) + steps
    return places


# From this ratio of the largest to the smallest number of clusters on, the axis is logarithmic.
_WIDE = 50


class HierarchyComparisonDisplay(Display, of=(HierarchyComparison,)):
    """Picture of an index against the number of clusters of two hierarchies.

    If they are known exactly, the expected value for random partitions with the same cluster sizes
    and a band of two standard deviations around it are drawn: values within the band may be due to
    chance [1]_.

    Parameters
    ----------
    comparison : HierarchyComparison
        Result of :func:`compare_hierarchies`.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    line_ : matplotlib Line2D
        The index.
    expected_line_ : matplotlib Line2D or None
        Its expected value, if known.
    band_ : matplotlib PolyCollection or None
        The band, if known.

    See Also
    --------
    compare_hierarchies : The values.

    References
    ----------
    .. [1] E. B. Fowlkes, C. L. Mallows, "A method for comparing two hierarchical clusterings",
       Journal of the American Statistical Association 78(383), 1983,
       :doi:`10.1080/01621459.1983.10478008`

    Examples
    --------
    >>> from scipy.cluster.hierarchy import linkage
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_clustcompare.plot import HierarchyComparisonDisplay
    >>> X = load_iris().data
    >>> display = HierarchyComparisonDisplay.from_linkages(
    ...     linkage(X, "average"), linkage(X, "ward"), param_range=range(2, 21)
    ... )
    >>> display.line_.get_ydata()[:3].round(3)
    array([1.   , 0.961, 0.77 ])
    """

    comparison: HierarchyComparison

    @draws(compare_hierarchies)
    def from_linkages(cls) -> Any:
        """Compare two linkages, and draw the values.

        Both trees are cut into each number of clusters. The curve shows at which numbers the trees
        agree, and at which they agree no more than by chance.

        Returns
        -------
        HierarchyComparisonDisplay
            Drawn on ``ax_``.

        See Also
        --------
        compare_hierarchies : The values as numbers.
        scipy.cluster.hierarchy.linkage : Makes linkage matrices.

        Examples
        --------
        >>> from scipy.cluster.hierarchy import linkage
        >>> from sklearn_clustcompare.plot import HierarchyComparisonDisplay
        >>> X = [[0.0], [1.0], [2.1], [3.3], [4.6]]
        >>> display = HierarchyComparisonDisplay.from_linkages(
        ...     linkage(X, "single"), linkage(X, "complete")
        ... )
        >>> display.line_.get_xdata(), display.line_.get_ydata().round(2)
        (array([2, 3, 4]), array([-0.15,  0.21,  1.  ]))
        """

    def plot(self, ax: Any = None) -> HierarchyComparisonDisplay:
        """Draw the values.

        :meth:`from_linkages` calls it: use it for an existing comparison, or to draw again on other
        axes. The axis of the numbers of clusters is logarithmic if their range is wide.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        HierarchyComparisonDisplay
            Itself.

        See Also
        --------
        HierarchyComparisonDisplay.from_linkages : Compares the linkages first.

        Examples
        --------
        >>> from scipy.cluster.hierarchy import linkage
        >>> from sklearn_clustcompare.hierarchies import compare_hierarchies
        >>> from sklearn_clustcompare.plot import HierarchyComparisonDisplay
        >>> X = [[0.0], [1.0], [2.1], [3.3], [4.6]]
        >>> comparison = compare_hierarchies(linkage(X, "single"), linkage(X, "complete"))
        >>> HierarchyComparisonDisplay(comparison).plot().ax_.get_ylabel()
        'adjusted_rand_score'
        """
        ax = new_axes(ax, self, (7.2, 4.4))
        shown = self.comparison
        k = shown.k
        self.band_ = self.expected_line_ = None
        if shown.expected is not None and shown.standard_deviation is not None:
            self.band_ = draw_band(
                ax,
                k,
                shown.expected,
                shown.standard_deviation,
                color=GRAY,
                label="mean \N{PLUS-MINUS SIGN} 2 sd",
            )
            (self.expected_line_,) = ax.plot(
                k,
                shown.expected,
                "--" if len(k) > 1 else "_",
                color=ink(ax),
                linewidth=1,
                label="mean under permutation",
            )
        (self.line_,) = ax.plot(
            k,
            shown.values,
            "o-" if len(k) <= 60 else "-",
            color=BLUE,
            markersize=4,
            linewidth=1.3,
            label=shown.index.name,
        )
        if len(k) == 1:
            ax.set_xticks(k)
        elif len(k) and k[-1] > _WIDE * k[0]:
            ax.set_xscale("log")
            tick_decades(ax.xaxis, k[0], k[-1])
        else:
            whole_ticks(ax)
        ax.set(
            xlabel="number of clusters k of both hierarchies",
            ylabel=shown.index.axis_text(**shown.parameters),
        )
        write_title(ax, "Two hierarchies at each number of clusters")
        draw_legend(ax)
        lay_out(ax)
        return self
