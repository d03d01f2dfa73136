"""Order and colors of the clusters of several partitions side by side."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from sklearn_clustcompare._array_types import FloatArray, Positions
from sklearn_clustcompare._palette import BLUE, GREEN, ORANGE, PURPLE, SKY, YELLOW

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
