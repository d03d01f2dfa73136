"""Picture of two hierarchies face to face."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._palette import GRAY
from sklearn_clustcompare.hierarchies import Tanglegram, tanglegram
from sklearn_clustcompare.plot._axes import (
    as_names,
    ink,
    keep_to_cell,
    label_clusters,
    new_axes,
    shorten_all,
    write_title,
)
from sklearn_clustcompare.plot._dendrogram import brackets
from sklearn_clustcompare.plot._display import Display
from sklearn_clustcompare.plot._layers import numbered_color

_NAMES = ("Z1", "Z2")
_FONT_SIZE = 8
_LINE_INCHES, _CHARACTER_INCHES = 0.125, 0.08
# Largest share of the width for the names of the objects on either side.
_NAME_SHARE = 0.2
# Between the leaves and the lines, and around the hierarchies, which are 1 wide.
_GAP = 0.02
# Lines of more objects are thinner.
_FEW = 200
_STEPS = np.linspace(0, 1, 21)


class TanglegramDisplay(Display):
    """Picture of two hierarchies face to face, with a line for each object.

    The leaves are ordered so that few lines cross. Both hierarchies are cut into the same number
    of clusters, and matched clusters have the same color. The line of an object has that color if
    its two clusters are matched, and is gray otherwise.

    Parameters
    ----------
    tangle : Tanglegram
        Result of :func:`tanglegram`.
    names : sequence of shape (2,), default=None
        Names of the two hierarchies; None takes those of the arguments.
    object_names : sequence of shape (n_samples,), default=None
        Names of the objects, which are written if there is room; None writes none.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    lines_ : matplotlib LineCollection
        The lines of the objects, in the order of the first hierarchy.
    branches_ : list of two matplotlib LineCollection
        The branches of the hierarchies, a bracket for each merge.
    texts_ : list of matplotlib Text
        Names of the objects.

    See Also
    --------
    tanglegram : The order of the leaves, and the clusters.
    HierarchyComparisonDisplay : The agreement at every number of clusters.

    Examples
    --------
    >>> from scipy.cluster.hierarchy import linkage
    >>> from sklearn_clustcompare.plot import TanglegramDisplay
    >>> X = [[0.0], [9.0], [1.0], [7.5], [3.3]]
    >>> display = TanglegramDisplay.from_linkages(linkage(X, "single"), linkage(X, "ward"))
    >>> display.ax_.get_title()
    'none of the pairs cross; 2 clusters'
    """

    def __init__(
        self,
        tangle: Tanglegram,
        *,
        names: Sequence[Any] | None = None,
        object_names: Sequence[Any] | None = None,
    ) -> None:
        self.tangle = tangle
        self.names = names
        self.object_names = object_names

    @classmethod
    def from_linkages(
        cls,
        Z1: Any,
        Z2: Any,
        *,
        n_clusters: int | None = None,
        names: Sequence[Any] | None = None,
        object_names: Sequence[Any] | None = None,
        ax: Any = None,
    ) -> TanglegramDisplay:
        """Order the leaves of two linkages, and draw them.

        Use it together with :class:`HierarchyComparisonDisplay`, to see which objects cause the
        differences.

        Parameters
        ----------
        Z1, Z2 : array-like of shape (n_samples - 1, 4), AgglomerativeClustering or Hierarchy
            Linkage matrices of the same objects, as :func:`scipy.cluster.hierarchy.linkage`
            returns them, fitted :class:`~sklearn.cluster.AgglomerativeClustering`, or a
            :class:`Hierarchy` made of labels of several levels. ``Z1`` is the reference.
        n_clusters : int or None, default=None
            Number of clusters into which both are cut, at most n_samples. None takes the number of
            up to 10 at which they agree best, by the adjusted Rand index.
        names : sequence of shape (2,), default=None
            Names of the two hierarchies; None takes those of the arguments.
        object_names : sequence of shape (n_samples,), default=None
            Names of the objects, which are written if there is room; None writes none.
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        TanglegramDisplay
            Drawn on ``ax_``.

        See Also
        --------
        compare_hierarchies : An index at every number of clusters.

        Examples
        --------
        >>> from scipy.cluster.hierarchy import linkage
        >>> from sklearn_clustcompare import TanglegramDisplay
        >>> X = [[0.0], [9.0], [1.0], [7.5], [3.3]]
        >>> display = TanglegramDisplay.from_linkages(
        ...     linkage(X, "single"), linkage(X, "ward"), object_names=list("abcde")
        ... )
        >>> [text.get_text() for text in display.texts_[:5]]
        ['b', 'd', 'e', 'a', 'c']
        """
        tangle = tanglegram(Z1, Z2, n_clusters=n_clusters)
        return cls(tangle, names=names, object_names=object_names).plot(ax=ax)

    def plot(self, ax: Any = None) -> TanglegramDisplay:
        """Draw the hierarchies and the lines.

        :meth:`from_linkages` calls it: use it for an existing tanglegram, or to draw again on other
        axes. Interactive windows show the object of the line under the pointer.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        TanglegramDisplay
            Itself.

        Raises
        ------
        ValueError
            If there are not two ``names``, or not as many ``object_names`` as objects.

        See Also
        --------
        TanglegramDisplay.from_linkages : Orders the leaves first.

        Examples
        --------
        >>> from scipy.cluster.hierarchy import linkage
        >>> from sklearn_clustcompare import TanglegramDisplay, tanglegram
        >>> X = [[0.0], [9.0], [1.0], [7.5], [3.3]]
        >>> tangle = tanglegram(linkage(X, "single"), linkage(X, "ward"), n_clusters=3)
        >>> TanglegramDisplay(tangle, names=["single", "Ward"]).plot().ax_.get_title()
        'none of the pairs cross; 3 clusters'
        """
        tangle = self.tangle
        n = len(tangle.orders[0])
        names = as_names(_NAMES if self.names is None else self.names, 2, "hierarchies")
        if self.object_names is not None:
            as_names(self.object_names, n, "objects", "object_names")
        ax = new_axes(ax, self, (7.2, float(np.clip(0.2 * n, 4.2, 9.0))))
        ax.set(ylim=(n - 0.5, -0.5), xlabel="hierarchies", ylabel=f"{n} objects")
        write_title(ax, f"{_percent(tangle)} of the pairs cross; {tangle.n_clusters} clusters")
        ax.set_yticks([])
        ax.spines[:].set_visible(False)

        def write_labels() -> None:
            _, room = self._shortened_names(ax)
            ax.set_xlim(-_GAP, 3 + 2 * room + _GAP)
            label_clusters(ax.xaxis, [0.5, 2.5 + 2 * room], names)

        keep_to_cell(ax, write_labels)
        ax.tick_params(axis="x", length=0)
        texts, room = self._shortened_names(ax)
        # Lines lie between the first leaves and their names, and the others.
        ends = 1 + room, 2 + room
        self.branches_ = [
            _draw_branches(ax, tangle, side, place) for side, place in ((0, 1), (1, 2 + 2 * room))
        ]
        self.lines_ = _draw_lines(ax, tangle, ends)
        self.texts_ = [
            ax.text(x, place, texts[position], ha=align, va="center", fontsize=_FONT_SIZE)
            for order, x, align in zip(
                tangle.orders, (1 + _GAP, 2 + 2 * room - _GAP), ("left", "right"), strict=True
            )
            for place, position in enumerate(order.tolist())
            if texts
        ]
        ax.format_coord = lambda x, y: self._text_at((x - ends[0]) / (ends[1] - ends[0]), y)
        return self

    def _shortened_names(self, ax: Any) -> tuple[list[str], float]:
        """Return the names of the objects, none if there is no room, and their width."""
        extent = ax.get_window_extent()
        width, height = extent.width / ax.figure.dpi, extent.height / ax.figure.dpi
        if self.object_names is None or len(self.object_names) * _LINE_INCHES > height:
            return [], _GAP
        most = max(int(_NAME_SHARE * width / _CHARACTER_INCHES), 2)
        texts = shorten_all(self.object_names, most)
        inches = max(map(len, texts)) * _CHARACTER_INCHES
        return texts, 2 * _GAP + 3 * inches / (width - 2 * inches)

    def _text_at(self, share_of_way: float, y: float) -> str:
        """Return the names of the objects at a position, for interactive windows."""
        if not -0.1 <= share_of_way <= 1.1:
            return ""
        first, second = (np.argsort(order) for order in self.tangle.orders)
        places = first + _smooth(np.clip(share_of_way, 0, 1)) * (second - first)
        under = np.flatnonzero(np.abs(places - y) <= 0.5).tolist()
        names = range(len(first)) if self.object_names is None else self.object_names
        return ", ".join(str(names[position]) for position in under)


def _percent(tangle: Tanglegram) -> str:
    n = len(tangle.orders[0])
    share = tangle.n_crossings / max(n * (n - 1) // 2, 1)
    # Distinguish no crossings from few.
    return "none" if share == 0 else f"{100 * share:.2g} %"


def _smooth(share_of_way: Any) -> Any:
    return share_of_way**2 * (3 - 2 * share_of_way)


def _draw_lines(ax: Any, tangle: Tanglegram, ends: tuple[float, float]) -> Any:
    from matplotlib.collections import LineCollection

    first, second = tangle.orders
    starts, stops = np.arange(len(first)), np.argsort(second)[first]
    along = ends[0] + _STEPS * (ends[1] - ends[0])
    heights = starts[:, np.newaxis] + _smooth(_STEPS) * (stops - starts)[:, np.newaxis]
    segments = np.stack([np.broadcast_to(along, heights.shape), heights], axis=2)
    pairs = zip(*(labels[first].tolist() for labels in tangle.labels), strict=True)
    lines = LineCollection(
        list(segments),
        colors=[numbered_color(one) if one == other else GRAY for one, other in pairs],
        linewidths=1.3 if len(first) <= _FEW else 0.6,
        alpha=0.8,
        zorder=2,
    )
    return ax.add_collection(lines, autolim=False)


def _draw_branches(ax: Any, tangle: Tanglegram, side: int, place: float) -> Any:
    """Draw a bracket for each merge, in the color of the cluster that it lies in."""
    from matplotlib.collections import LineCollection

    heights = tangle.heights[side]
    corners = brackets(tangle.merges[side], heights, tangle.orders[side])
    numbers = _clusters_of_merges(tangle.merges[side], tangle.labels[side])
    x = corners[:, :, 0] / (float(heights.max(initial=0.0)) or 1.0)
    corners[:, :, 0] = place - x if side == 0 else place + x
    branches = LineCollection(
        list(corners),
        colors=[numbered_color(number) if number >= 0 else ink(ax) for number in numbers.tolist()],
        linewidths=1.0 if len(corners) <= _FEW else 0.5,
        zorder=2,
    )
    return ax.add_collection(branches, autolim=False)


def _clusters_of_merges(merges: NDArray[np.int64], labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the cluster that each merge lies in, or -1 above the cut."""
    n = len(labels)
    clusters = np.append(labels, np.full(n - 1, -1))
    for step, (first, second) in enumerate(merges.tolist()):
        if clusters[first] == clusters[second]:
            clusters[n + step] = clusters[first]
    return clusters[n:]
