"""Clusters of several partitions side by side: order, colors, alluvial diagram, credible ball."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Positions
from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._palette import BLUE, GRAY, GREEN, ORANGE, PURPLE, SKY, YELLOW
from sklearn_clustcompare._parameters import share
from sklearn_clustcompare._partition.arrays import PartitionsLike
from sklearn_clustcompare._rendering import n_clusters_text
from sklearn_clustcompare._table import ContingencyTable
from sklearn_clustcompare.consensus import consensus_partition
from sklearn_clustcompare.consensus._posterior import LEVEL, CredibleBall
from sklearn_clustcompare.hierarchies import clustering_tree
from sklearn_clustcompare.plot._display import (
    Display,
    as_names,
    count_named,
    draws,
    faint,
    inches,
    label_clusters,
    lay_out,
    new_axes,
    plain,
    shorten_all,
    write_title,
)

# The palette of all Displays, and for more clusters some of Tol's "muted" colors.
_MORE_HUES = ("#332288", "#882255", "#DDCC77", "#117733", "#CC6677", "#999933")
_HUES = (BLUE, ORANGE, GREEN, PURPLE, SKY, YELLOW, *_MORE_HUES)
# Share of white in the colors after these.
_TINT = 0.5
_MAX_SWEEPS = 20
_MAX_STARTS, _CLUSTERS_OF_STARTS = 10, 1000


def order_layers(flows: Sequence[FloatArray], is_last: Sequence[bool]) -> list[Positions]:
    """Order the clusters of each layer so that few objects cross between layers.

    ``flows[i]`` counts the objects in the clusters of layer i and of layer i + 1. The last cluster
    of a layer stays last if ``is_last`` is set. The layers are sorted by the mean position of the
    neighbors of their clusters, forwards and backwards (Sugiyama, Tagawa, Toda, 1981), and
    neighbors are then exchanged as long as that reduces crossings. If there are few clusters, the
    best of several starts is taken.
    """
    sizes = [len(flows[0]), *(flow.shape[1] for flow in flows)]
    generator = np.random.default_rng(0)
    best = _improve([np.arange(size) for size in sizes], flows, is_last)
    for _ in range(min(_MAX_STARTS, _CLUSTERS_OF_STARTS // sum(sizes)) - 1):
        start = [
            np.append(generator.permutation(size - last), np.arange(size - last, size))
            for size, last in zip(sizes, map(int, is_last), strict=True)
        ]
        best = min(best, _improve(start, flows, is_last), key=lambda one: crossings(flows, one))
    upside_down = [
        np.append(order[: len(order) - last][::-1], order[len(order) - last :])
        for order, last in zip(best, map(int, is_last), strict=True)
    ]
    # Ties go to the order that is closer to the given one.
    return min(best, upside_down, key=lambda one: (crossings(flows, one), one[0].tolist()))


def _improve(
    orders: list[Positions], flows: Sequence[FloatArray], is_last: Sequence[bool]
) -> list[Positions]:
    best, fewest = list(orders), crossings(flows, orders)
    forward = list(range(len(orders)))
    for sweep in range(_MAX_SWEEPS):
        for layer in forward if sweep % 2 == 0 else forward[::-1]:
            orders[layer] = _by_mean_position(layer, flows, orders, is_last[layer])
        found = crossings(flows, orders)
        if found < fewest:
            best, fewest = list(orders), found
        elif sweep % 2:
            break
    for _ in range(_MAX_SWEEPS):
        if not any([_exchange(layer, flows, best, is_last[layer]) for layer in forward]):
            break
    return best


def crossings(flows: Sequence[FloatArray], orders: Sequence[Positions]) -> float:
    """Count the pairs of objects that cross between two layers."""
    total = 0.0
    for flow, (first, second) in zip(flows, itertools.pairwise(orders), strict=True):
        ordered = flow[np.ix_(first, second)]
        above = np.cumsum(ordered, axis=0) - ordered
        total += float((above * _sums_before(ordered)).sum())
    return total


def _sums_before(flow: FloatArray) -> FloatArray:
    """Sum the columns before each one."""
    sums: FloatArray = np.cumsum(flow, axis=1) - flow
    return sums


def _neighbors(
    layer: int, flows: Sequence[FloatArray], orders: Sequence[Positions]
) -> list[FloatArray]:
    """Return the flows from a layer to the adjacent ones, which are in their order."""
    found = []
    if layer > 0:
        found.append(flows[layer - 1].T[:, orders[layer - 1]])
    if layer < len(flows):
        found.append(flows[layer][:, orders[layer + 1]])
    return found


def _by_mean_position(
    layer: int, flows: Sequence[FloatArray], orders: Sequence[Positions], is_last: bool
) -> Positions:
    beside = _neighbors(layer, flows, orders)
    # In units of the objects, so that large clusters are far apart.
    sizes = [flow.sum(axis=0) for flow in beside]
    places = [np.cumsum(one) - one / 2 for one in sizes]
    weights = sum(flow.sum(axis=1) for flow in beside)
    means = sum(flow @ place for flow, place in zip(beside, places, strict=True)) / weights
    if is_last:
        means[-1] = np.inf
    current = orders[layer]
    return current[np.argsort(means[current], kind="stable")]


def _exchange(
    layer: int, flows: Sequence[FloatArray], orders: list[Positions], is_last: bool
) -> bool:
    """Exchange neighbors if that reduces crossings; return whether there were any."""
    beside = [(flow, _sums_before(flow)) for flow in _neighbors(layer, flows, orders)]
    order = orders[layer].copy()
    is_changed = False
    for place in range(len(order) - 1 - is_last):
        upper, lower = order[place : place + 2]
        gain = sum(
            flow[upper] @ before[lower] - flow[lower] @ before[upper] for flow, before in beside
        )
        if gain > 0:
            order[place : place + 2] = lower, upper
            is_changed = True
    orders[layer] = order
    return is_changed


def match_colors(flows: Sequence[FloatArray], has_rest: Sequence[bool]) -> list[Positions]:
    """Number the colors of the clusters, so that matched clusters of neighbors share theirs.

    Clusters are matched one to one with the most objects in matched pairs. If ``has_rest`` is set,
    the last entry of a layer is the rest and not a cluster; its number is -1.
    """
    sizes = flows[0].sum(axis=1)
    unknown = np.full(len(sizes), -1)
    numbers = [_number_the_rest(unknown, unknown, sizes, has_rest[0])]
    for flow, was_rest, is_rest in zip(flows, has_rest[:-1], has_rest[1:], strict=True):
        n_rows, n_cols = flow.shape[0] - was_rest, flow.shape[1] - is_rest
        rows, cols = linear_sum_assignment(flow[:n_rows, :n_cols], maximize=True)
        is_matched = flow[rows, cols] > 0
        inherited = np.full(flow.shape[1], -1)
        inherited[cols[is_matched]] = numbers[-1][rows[is_matched]]
        numbers.append(_number_the_rest(inherited, numbers[-1], flow.sum(axis=0), is_rest))
    return numbers


def _number_the_rest(
    numbers: Positions,
    before: Positions,
    sizes: FloatArray,
    has_rest: bool,
) -> Positions:
    """Give clusters without a number one that is not used here or before, the largest first."""
    used = {*numbers.tolist(), *before.tolist()}
    free = (number for number in itertools.count() if number not in used)
    found = numbers.copy()
    for position in np.argsort(-sizes, kind="stable").tolist():
        if numbers[position] < 0 and not (has_rest and position == len(sizes) - 1):
            found[position] = next(free)
    return found


def numbered_color(number: int) -> tuple[float, float, float]:
    """Return the color of a number; 24 are distinct, and then they repeat."""
    hue = _HUES[number % len(_HUES)]
    tint = _TINT if number // len(_HUES) % 2 else 0.0
    red, green, blue = (int(hue[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return red + tint * (1 - red), green + tint * (1 - green), blue + tint * (1 - blue)


# Shares of the objects: all gaps of a layer together, the largest gap, and the room for all labels.
_GAPS, _MAX_GAP, _LABELS = 0.3, 0.04, 0.8
# Smaller clusters are "other", unless more than half of the objects were.
_MIN_SHARE = 0.01
_MOST_NEEDED = 120
# More bars than this are not visible, and need a large matrix.
_MAX_BARS = 1000
_FONT_SIZE = 9
_LINE_INCHES = 0.16
_CHARACTER_INCHES = 0.085
# Points between a bar and its label, and inches of the label of the axis and of the margins.
_TEXT_POINTS, _AROUND_INCHES = 3, 0.6
# Labels at either end may take this share of the width.
_MAX_LABEL_SHARE, _MAX_LABEL_SHARE_OF_TWO = 0.28, 0.36
_STEPS = np.linspace(0, 1, 31)


class AlluvialDisplay(Display):
    """Picture of the objects as streams from the clusters of one partition to those of the next.

    Each partition is a column of bars with heights proportional to the sizes of its clusters, and
    the width of a stream between two bars is the number of objects that both clusters share.
    Clusters are ordered so that few streams cross. Neighboring columns are matched one to one with
    the most objects in matched pairs; matched clusters have the same color, and streams have the
    color of the cluster they come from. Small clusters are drawn together as "other", in gray.

    Parameters
    ----------
    tables : ContingencyTable or sequence of ContingencyTable
        Table of each partition, in the rows, and the next one, in the columns.
    names : sequence of shape (n_partitions,), default=None
        Names of the partitions; None numbers them from 0.
    min_share : float, default=None
        Clusters with a smaller share of the objects are drawn as one bar, "other". None means 0.01,
        or less, so that at most half of the objects of each partition are in "other".

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    bars_ : list of matplotlib BarContainer
        Bars of each partition, from the top down.
    streams_ : matplotlib PolyCollection
        The streams.
    texts_ : list of matplotlib Text
        Labels of the clusters, as many as fit.

    See Also
    --------
    ContingencyDisplay : The same counts as a table.
    clustering_tree : Many partitions of increasing resolution.
    match_clusters : The matching of the clusters of two partitions.

    Notes
    -----
    Columns are sorted by the mean position of the neighbors of their clusters, forwards and
    backwards [1]_, and neighbors are then exchanged as long as fewer pairs of objects cross.
    Finding the minimum is NP-hard.

    References
    ----------
    .. [1] K. Sugiyama, S. Tagawa, M. Toda, "Methods for visual understanding of hierarchical
       system structures", IEEE Transactions on Systems, Man, and Cybernetics 11(2), 1981,
       :doi:`10.1109/TSMC.1981.4308636`

    Examples
    --------
    >>> from sklearn_clustcompare.plot import AlluvialDisplay
    >>> display = AlluvialDisplay.from_predictions(list("aaabb"), [2, 2, 1, 1, 1])
    >>> [text.get_text() for text in display.texts_]
    ['a', 'b', '2', '1']
    """

    tables: ContingencyTable | Sequence[ContingencyTable]
    _: KW_ONLY
    names: Sequence[Any] | None = None
    min_share: float | None = None

    def __post_init__(self) -> None:
        _chain(self.tables)

    @draws(count_named, own=["min_share"])
    def from_predictions(cls) -> Any:
        """Count two partitions, and draw the streams between them.

        Use it to see which clusters were split or merged, and how many objects are concerned.

        Returns
        -------
        AlluvialDisplay
            Drawn on ``ax_``.

        See Also
        --------
        AlluvialDisplay.from_partitions : A chain of several partitions.

        Examples
        --------
        >>> from sklearn_clustcompare.plot import AlluvialDisplay
        >>> display = AlluvialDisplay.from_predictions([0, 0, 0, 1, 1], [0, 0, 1, 1, 1])
        >>> [[float(bar.get_height()) for bar in bars] for bars in display.bars_]
        [[3.0, 2.0], [2.0, 3.0]]
        """

    @draws(clustering_tree, own=["min_share"])
    def from_partitions(cls, partitions: PartitionsLike, **options: Any) -> Any:
        """Count each partition with the next one, and draw the streams through all of them.

        Use it for clusterings of the same objects that have an order: by time, number of clusters
        or step of a workflow.

        Returns
        -------
        AlluvialDisplay
            Drawn on ``ax_``.

        See Also
        --------
        AlluvialDisplay.from_predictions : Two partitions, which may be soft, or a table.

        Examples
        --------
        >>> from sklearn_clustcompare.plot import AlluvialDisplay
        >>> years = {"2023": [0, 0, 1, 1], "2024": [0, 0, 0, 1], "2025": [1, 1, 1, 1]}
        >>> [len(bars) for bars in AlluvialDisplay.from_partitions(years).bars_]
        [2, 2, 1]
        """
        tree = clustering_tree(partitions, **options)
        return tree.tables, tree.names

    def plot(self, ax: Any = None) -> AlluvialDisplay:
        """Draw the bars and the streams.

        The class methods call it: use it for existing tables, or to draw again on other axes.
        Labels of small clusters are left out if they do not fit.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        AlluvialDisplay
            Itself.

        Raises
        ------
        ValueError
            If the columns of a table are not the rows of the next one, with the same sums,
            the length of ``names`` is not the number of partitions, ``min_share`` is not in [0,
            1], or all clusters are smaller.

        See Also
        --------
        AlluvialDisplay.from_predictions : Counts the table first.
        AlluvialDisplay.from_partitions : Counts the tables first.

        Examples
        --------
        >>> from sklearn_clustcompare import ContingencyTable
        >>> from sklearn_clustcompare.plot import AlluvialDisplay
        >>> table = ContingencyTable.from_counts([[5, 0], [1, 4]])
        >>> AlluvialDisplay(table).plot().ax_.get_ylabel()
        '10 objects'
        """
        if self.min_share is not None:
            share("min_share", self.min_share)
        tables = _chain(self.tables)
        n_partitions = len(tables) + 1
        named = range(n_partitions) if self.names is None else self.names
        names = as_names(named, n_partitions, "partitions")
        min_share = _share_of_half(tables) if self.min_share is None else self.min_share
        layout = _Layout.of(tables, min_share)
        if all(layer.has_rest and len(layer.texts) == 1 for layer in layout.layers):
            sizes = np.concatenate([tables[0].row_sums, *(one.col_sums for one in tables)])
            largest = float(sizes.max() / tables[0].row_sums.sum())
            msg = (
                f"min_share must be at most the share of the largest cluster, {largest:.3g}, got "
                f"{min_share:.3g}: all clusters would be one bar; of so many small clusters "
                "ContingencyDisplay draws those that differ most"
            )
            raise ValueError(msg)
        n_bars = max(len(layer.texts) for layer in layout.layers)
        height = min(max(4.8, 0.27 * n_bars), 14.0)
        ax = new_axes(ax, self, (max(6.4, 1.5 * len(names)), height))
        n_objects = f"{layout.layers[0].sizes.sum():g} objects"
        if any(layer.has_rest for layer in layout.layers):
            n_objects += f"\n(other: clusters below {100 * min_share:.3g} %)"
        ax.set(xlabel="partitions", ylabel=n_objects)
        write_title(ax, "Objects across clusterings")
        ax.set_yticks([])
        ax.spines[:].set_visible(False)

        ax.tick_params(axis="x", length=0)
        # Layers are centered at zero.
        reach = -1.02 * min(float(start.min()) for start in layout.starts)
        half = layout.bar_width / 2
        ax.set(xlim=(-half, len(layout.streams) + half), ylim=(reach, -reach))
        _name_partitions(ax, names)
        texts = self._draw(ax, layout)
        lay_out(ax)
        self.texts_ = _keep_apart(texts)
        return self

    def _draw(self, ax: Any, layout: _Layout) -> list[Any]:
        self.bars_ = [
            ax.bar(
                [place] * len(order),
                layer.sizes[order],
                layout.bar_width,
                start[order],
                color=[colors[position] for position in order],
                zorder=3,
            )
            for place, (layer, order, start, colors) in enumerate(zip(*layout[:4], strict=True))
        ]
        self.streams_ = _draw_streams(ax, layout)
        outer, inner = layout.text_widths(inches(ax)[0])
        last = len(layout.layers) - 1
        # The label of the axis stands to the left of the names of the first layer.
        longest = max(map(len, shorten_all(layout.layers[0].texts, outer)))
        ax.yaxis.labelpad += 72 * _CHARACTER_INCHES * (longest + 1)
        return [
            text
            for place in range(last + 1)
            for text in _draw_texts(ax, layout, place, outer if place in (0, last) else inner)
        ]


class _Layer(NamedTuple):
    """Clusters of one partition as drawn; the last one may represent all small ones."""

    texts: list[str]
    sizes: FloatArray
    bar_of_cluster: Positions
    has_rest: bool

    @classmethod
    def of(cls, labels: Array, sizes: Array, min_size: float) -> _Layer:
        is_small = sizes < min_size
        is_small[np.argsort(-sizes, kind="stable")[_MAX_BARS:]] = True
        # A single cluster keeps its name.
        if is_small.sum() < 2:
            is_small[:] = False
        kept = np.flatnonzero(~is_small)
        bars = np.full(len(sizes), len(kept))
        bars[kept] = np.arange(len(kept))
        texts = [str(label) for label in plain(labels[kept])]
        if is_small.any():
            texts.append(f"other ({is_small.sum()})")
        drawn = np.zeros(len(texts))
        np.add.at(drawn, bars, sizes)
        return cls(texts, drawn, bars, bool(is_small.any()))

    def starts(self, order: Positions, gap: float, pitch: float) -> FloatArray:
        """Return the start of each bar, from the top down, with the layer centered at zero.

        Bars are at least a gap apart, and their middles, where labels are, a pitch.
        """
        sizes = self.sizes[order]
        steps = np.maximum(sizes[:-1] + gap, pitch + (sizes[:-1] - sizes[1:]) / 2)
        below = np.concatenate([[0.0], np.cumsum(steps)])
        starts = np.empty(len(sizes))
        starts[order] = below - (below[-1] + sizes[-1]) / 2
        return starts


class _Streams(NamedTuple):
    """Streams from one layer to the next: bars, widths, starts and ends."""

    rows: Positions
    cols: Positions
    widths: FloatArray
    tops: FloatArray

    @classmethod
    def of(
        cls,
        flow: FloatArray,
        orders: Sequence[Positions],
        starts: Sequence[FloatArray],
    ) -> _Streams:
        ordered = flow[np.ix_(*orders)]
        rows, cols = np.nonzero(ordered)
        tops = np.array(
            [
                (starts[0][orders[0]][:, np.newaxis] + np.cumsum(ordered, 1) - ordered)[rows, cols],
                (starts[1][orders[1]] + np.cumsum(ordered, 0) - ordered)[rows, cols],
            ]
        )
        return cls(orders[0][rows], orders[1][cols], ordered[rows, cols], tops)

    def tops_at(self, share_of_way: Any) -> FloatArray:
        """Return the upper edges at shares of the way, an S-shaped curve each."""
        smooth = np.asarray(share_of_way) ** 2 * (3 - 2 * np.asarray(share_of_way))
        first, second = self.tops
        edges: FloatArray = first + np.multiply.outer(smooth, second - first)
        return edges


class _Layout(NamedTuple):
    """Positions of all bars and streams, in the units of the axes: layers and objects."""

    layers: list[_Layer]
    orders: list[Positions]
    starts: list[FloatArray]
    colors: list[list[Any]]
    streams: list[_Streams]

    @classmethod
    def of(cls, tables: list[ContingencyTable], min_share: float) -> _Layout:
        min_size = min_share * float(tables[0].n_samples)
        layers = [_Layer.of(tables[0].row_labels, tables[0].row_sums, min_size)]
        layers += [_Layer.of(table.col_labels, table.col_sums, min_size) for table in tables]
        flows = [
            _flow(table, *pair)
            for table, pair in zip(tables, itertools.pairwise(layers), strict=True)
        ]
        has_rest = [layer.has_rest for layer in layers]
        orders = order_layers(flows, has_rest)
        total, most = layers[0].sizes.sum(), max(len(layer.texts) for layer in layers)
        gap, pitch = total * min(_MAX_GAP, _GAPS / most), total * _LABELS / most
        starts = [
            layer.starts(order, gap, pitch) for layer, order in zip(layers, orders, strict=True)
        ]
        colors = [
            [numbered_color(number) if number >= 0 else GRAY for number in numbers.tolist()]
            for numbers in match_colors(flows, has_rest)
        ]
        streams = [
            _Streams.of(flow, orders[place : place + 2], starts[place : place + 2])
            for place, flow in enumerate(flows)
        ]
        return cls(layers, orders, starts, colors, streams)

    @property
    def bar_width(self) -> float:
        return min(0.03 * len(self.streams), 0.25)

    def text_widths(self, room: float) -> tuple[int, int]:
        """Return the characters of the longest text at either end, and of one within."""
        n_gaps = len(self.layers) - 1
        share = _MAX_LABEL_SHARE if n_gaps > 1 else _MAX_LABEL_SHARE_OF_TWO
        outer = max(int(share * room / _CHARACTER_INCHES), len("other (999)"))
        ends = [min(max(map(len, self.layers[end].texts)), outer) for end in (0, -1)]
        unit = (room - sum(ends) * _CHARACTER_INCHES - _AROUND_INCHES) / n_gaps
        return outer, int((unit - 0.2) / _CHARACTER_INCHES)


def _name_partitions(ax: Any, names: list[Any]) -> None:
    """Write the names below the bars, at full length if there is room for all of them."""
    longest = max(len(str(name)) for name in names)
    if len(names) * longest * _CHARACTER_INCHES < 0.9 * inches(ax)[0]:
        ax.set_xticks(range(len(names)), shorten_all(names, 99), fontsize=_FONT_SIZE, rotation=0)
    else:
        label_clusters(ax.xaxis, np.arange(len(names)), names)


def _share_of_half(tables: list[ContingencyTable]) -> float:
    """Return the share down to which clusters are drawn: they hold at least half of the objects."""
    total = float(tables[0].row_sums.sum())
    found = _MIN_SHARE
    for sizes in (tables[0].row_sums, *(table.col_sums for table in tables)):
        largest = np.sort(sizes)[::-1]
        n_needed = int(np.searchsorted(np.cumsum(largest), total / 2)) + 1
        if n_needed > _MOST_NEEDED:
            msg = (
                f"min_share must be given: half of the objects are in {n_needed} clusters, more "
                f"than the {_MOST_NEEDED} that can be told apart; of so many small clusters "
                "ContingencyDisplay draws those that differ most"
            )
            raise ValueError(msg)
        found = min(found, float(largest[n_needed - 1]) / total)
    return found


def _flow(table: ContingencyTable, first: _Layer, second: _Layer) -> FloatArray:
    """Count the objects that two layers share, bar by bar."""
    shape = len(first.texts), len(second.texts)
    rows, cols = first.bar_of_cluster[table.cell_rows], second.bar_of_cluster[table.cell_cols]
    flow = np.zeros(shape)
    np.add.at(flow, (rows, cols), table.cell_counts)
    return flow


def _chain(given: ContingencyTable | Sequence[ContingencyTable]) -> list[ContingencyTable]:
    tables = [given] if isinstance(given, ContingencyTable) else list(given)
    if not tables:
        msg = "tables must hold at least one table, got none"
        raise ValueError(msg)
    for one in tables:
        if not isinstance(one, ContingencyTable):
            msg = (
                f"tables must be contingency tables, got {shortened(one)}{AlluvialDisplay._ways()}"
            )
            raise TypeError(msg)
    for position, (first, second) in enumerate(itertools.pairwise(tables)):
        are_equal = np.array_equal(first.col_labels, second.row_labels)
        if not are_equal or not np.allclose(first.col_sums, second.row_sums):
            msg = (
                f"the columns of table {position} must be the rows of table {position + 1}, with "
                "the same sums, got other clusters or sums"
            )
            raise ValueError(msg)
    return tables


def _draw_streams(ax: Any, layout: _Layout) -> Any:
    from matplotlib.collections import PolyCollection

    half = layout.bar_width / 2
    outlines: list[Any] = []
    colors: list[Any] = []
    for place, streams in enumerate(layout.streams):
        x = place + half + _STEPS * (1 - 2 * half)
        tops = streams.tops_at(_STEPS).T
        bottoms = tops + streams.widths[:, np.newaxis]
        along = np.broadcast_to(x, tops.shape)
        upper = np.stack([along, tops], axis=2)
        lower = np.stack([along, bottoms], axis=2)[:, ::-1]
        outlines.extend(np.concatenate([upper, lower], axis=1))
        colors.extend(layout.colors[place][row] for row in streams.rows)
    collection = PolyCollection(
        outlines, facecolors=colors, alpha=faint(ax, 0.42), linewidths=0, zorder=2
    )
    return ax.add_collection(collection, autolim=False)


def _draw_texts(ax: Any, layout: _Layout, place: int, width: int) -> list[Any]:
    """Write the labels of a layer, those of large clusters first."""
    if width < 1:
        return []
    layer, start = layout.layers[place], layout.starts[place]
    side = -1 if place == 0 else 1
    texts = shorten_all(layer.texts, width)
    return [
        ax.annotate(
            texts[bar],
            (place + side * layout.bar_width / 2, start[bar] + layer.sizes[bar] / 2),
            (side * _TEXT_POINTS, 0),
            textcoords="offset points",
            annotation_clip=False,
            ha="right" if place == 0 else "left",
            va="center",
            fontsize=_FONT_SIZE,
            zorder=4,
        )
        for bar in np.argsort(-layer.sizes, kind="stable").tolist()
    ]


def _keep_apart(texts: list[Any]) -> list[Any]:
    """Remove texts that are too close to earlier ones; return the others, from the top down."""
    kept: dict[float, list[Any]] = {}
    for text in texts:
        others = kept.setdefault(text.xy[0], [])
        to_pixels = text.axes.transData.transform
        heights = to_pixels([one.xy for one in (text, *others)])[:, 1]
        if np.abs(heights[1:] - heights[0]).min(initial=np.inf) < _LINE_INCHES * text.figure.dpi:
            text.remove()
        else:
            others.append(text)
    return [text for column in kept.values() for text in sorted(column, key=lambda one: one.xy[1])]


# --------------------------------------------------------------------------- credible ball


class CredibleBallDisplay(Display, of=(CredibleBall,)):
    """Picture of a consensus and of the partitions at the bounds of its credible ball.

    Each row is a partition, each column an object, each color a cluster; matched clusters have the
    color of the cluster of the consensus. Objects are in the order of the clusters. Where the rows
    have the same colors, the draws agree. An object that a partition does not know is white.

    Parameters
    ----------
    ball : CredibleBall
        What :meth:`~sklearn_clustcompare.results.ConsensusResult.credible_ball` returns.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    im_ : matplotlib AxesImage
        The rows.

    See Also
    --------
    consensus_partition : Finds the consensus.
    AlluvialDisplay : The objects as streams between partitions.

    Examples
    --------
    >>> from sklearn_clustcompare import consensus_partition
    >>> from sklearn_clustcompare.plot import CredibleBallDisplay
    >>> draws = [[0, 0, 1, 1]] * 9 + [[0, 0, 0, 1]]
    >>> CredibleBallDisplay(consensus_partition(draws).credible_ball()).plot().im_.get_array().shape
    (4, 4, 3)
    """

    ball: CredibleBall

    @draws(consensus_partition)
    def from_partitions(
        cls, partitions: PartitionsLike, *, level: float = LEVEL, **options: Any
    ) -> Any:
        """Find the consensus of partitions or draws, and draw its credible ball.

        Use it to see which parts of a clustering are sure.

        Parameters
        ----------
        level : float, default=0.95
            Share of the draws, by their weights, that the ball holds.

        Returns
        -------
        CredibleBallDisplay
            Drawn on ``ax_``.

        See Also
        --------
        consensus_partition : The consensus as numbers.

        Examples
        --------
        >>> from sklearn_clustcompare.plot import CredibleBallDisplay
        >>> draws = [[0, 0, 1, 1]] * 9 + [[0, 0, 0, 1]]
        >>> CredibleBallDisplay.from_partitions(draws, index="rand_score", level=0.9).ball.radius
        0.0
        """
        return consensus_partition(partitions, **options).credible_ball(level)

    def plot(self, ax: Any = None) -> CredibleBallDisplay:
        """Draw the rows.

        :meth:`from_partitions` calls it: use it for an existing ball, or to draw again on other
        axes.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        CredibleBallDisplay
            Itself.

        See Also
        --------
        CredibleBallDisplay.from_partitions : Finds the consensus first.

        Examples
        --------
        >>> from sklearn_clustcompare import consensus_partition
        >>> draws = [[0, 0, 1, 1]] * 9 + [[0, 0, 0, 1]]
        >>> consensus_partition(draws).credible_ball(0.9).plot().ax_.get_xlabel()
        '4 objects, by cluster'
        """
        ball = self.ball
        rows = {
            "consensus": ball.center,
            "farthest": ball.horizontal,
            "fewest clusters": ball.upper,
            "most clusters": ball.lower,
        }
        ax = new_axes(ax, self, (6.4, 2.8))
        order = np.lexsort((ball.lower, ball.upper, ball.horizontal, ball.center))
        image = np.stack([_colors(ball.center, labels)[order] for labels in rows.values()])
        self.im_ = ax.imshow(image, aspect="auto", interpolation="nearest")
        numbers = [len(np.unique(labels[labels >= 0])) for labels in rows.values()]
        texts = [
            f"{name}\n{n_clusters_text(number)}" for name, number in zip(rows, numbers, strict=True)
        ]
        ax.set_yticks(range(len(rows)), texts)
        ax.hlines(np.arange(1, len(rows)) - 0.5, -0.5, len(order) - 0.5, color="white", lw=3)
        ax.set(xlabel=f"{len(order)} objects, by cluster", ylabel="partitions")
        write_title(
            ax, f"{100 * ball.level:g} % of the draws are within {ball.radius:.3g} of the consensus"
        )
        lay_out(ax)
        return self


def _colors(center: IntArray, labels: IntArray) -> FloatArray:
    """Return the color of each object, that of the matched cluster of the consensus."""
    both = (center >= 0) & (labels >= 0)
    flow = np.zeros((int(center.max(initial=-1)) + 1, int(labels.max(initial=-1)) + 1))
    np.add.at(flow, (center[both], labels[both]), 1.0)
    numbers = match_colors([flow], [False, False])[1]
    palette = [numbered_color(number) for number in numbers.tolist()]
    return np.array([*palette, (1.0, 1.0, 1.0)])[labels]
