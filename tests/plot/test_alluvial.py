"""Alluvial diagrams, by the data in their artists."""

import itertools

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable
from sklearn_clustcompare.plot import AlluvialDisplay, CredibleBallDisplay
from sklearn_clustcompare.plot._alluvial import (
    crossings,
    match_colors,
    numbered_color,
    order_layers,
)
from sklearn_clustcompare.results import CredibleBall
from tests._examples import slow
from tests.plot._examples import FOUND, MANY, MANY_FOUND, TRUTH

pyplot = pytest.importorskip("matplotlib.pyplot")


def _labels(display):
    return [text.get_text() for text in display.texts_]


def test_bars_are_clusters_and_streams_are_cells():
    display = AlluvialDisplay.from_predictions(TRUTH, FOUND)
    heights = [[bar.get_height() for bar in bars] for bars in display.bars_]
    assert [sorted(side) for side in heights] == [[2, 4, 6], [3, 4, 5]]
    table = ContingencyTable.from_labels(TRUTH, FOUND)
    widths = []
    for path in display.streams_.get_paths():
        x, y = path.vertices[:-1].T
        at_start, at_end = y[x == x.min()], y[x == x.max()]
        assert np.ptp(at_start) == pytest.approx(np.ptp(at_end))
        widths.append(np.ptp(at_start))
    assert sorted(widths) == pytest.approx(sorted(table.cell_counts))


@pytest.mark.parametrize("side", [0, 1])
def test_streams_fill_their_bars(side):
    display = AlluvialDisplay.from_predictions(TRUTH, FOUND)
    ends = []
    for path in display.streams_.get_paths():
        x, y = path.vertices[:-1].T
        at_end = y[x == (x.min() if side == 0 else x.max())]
        ends.append((at_end.min(), at_end.max()))
    for bar in display.bars_[side]:
        low, high = bar.get_y(), bar.get_y() + bar.get_height()
        inside = [end for end in sorted(ends) if low - 1e-9 <= end[0] < high - 1e-9]
        assert inside[0][0] == pytest.approx(low)
        assert inside[-1][1] == pytest.approx(high)
        assert all(one[1] == pytest.approx(two[0]) for one, two in itertools.pairwise(inside))


def test_equal_partitions_do_not_cross_and_have_equal_colors():
    renamed = np.array([2, 0, 1])[np.searchsorted(["a", "b", "c"], TRUTH)]
    display = AlluvialDisplay.from_predictions(TRUTH, renamed)
    first, second = display.bars_
    for bar, other in zip(first, second, strict=True):
        assert bar.get_height() == other.get_height()
        assert bar.get_facecolor() == other.get_facecolor()
    assert len({bar.get_facecolor() for bar in first}) == 3


@pytest.mark.slow
def test_small_clusters_are_one_bar():
    display = AlluvialDisplay.from_predictions(MANY, MANY_FOUND, min_share=0.0065)
    sizes = np.bincount(MANY)
    n_small = int(np.sum((sizes > 0) & (sizes < 0.0065 * len(MANY))))
    heights = [bar.get_height() for bar in display.bars_[0]]
    assert len(heights) == np.sum(sizes >= 0.0065 * len(MANY)) + 1
    assert heights[-1] == sizes[sizes < 0.0065 * len(MANY)].sum()
    assert f"other ({n_small})" in _labels(display)
    assert "below 0.65 %" in display.ax_.get_ylabel()


def test_a_single_small_cluster_keeps_its_name():
    display = AlluvialDisplay.from_predictions([0] * 9 + [1], [0] * 10, min_share=0.2)
    assert _labels(display) == ["0", "1", "0"]
    assert display.ax_.get_ylabel() == "10 objects"


@pytest.mark.parametrize(
    ("n_clusters", "is_even"),
    [(20, True), (150, False), slow(150, True), slow(200, True), slow(200, False)],
)
def test_at_most_half_of_the_objects_are_other(n_clusters, is_even):
    sizes = np.full(n_clusters, 10) if is_even else 1 + 2000 // np.arange(1, n_clusters + 1)
    labels = np.repeat(np.arange(n_clusters), sizes)
    display = AlluvialDisplay.from_predictions(labels, np.roll(labels, 5))
    for bars in display.bars_:
        rest = bars[-1].get_height() if any("other" in one for one in _labels(display)) else 0
        assert rest <= len(labels) / 2


def test_chain_has_a_column_for_each_partition():
    partitions = {2: [0, 0, 0, 0, 1, 1], 3: [0, 0, 2, 2, 1, 1], 4: [3, 0, 2, 2, 1, 1]}
    display = AlluvialDisplay.from_partitions(partitions, sample_weight=[1, 2, 1, 1, 1, 1])
    assert [label.get_text() for label in display.ax_.get_xticklabels()] == ["2", "3", "4"]
    assert [sum(bar.get_height() for bar in bars) for bars in display.bars_] == [7, 7, 7]
    # The cluster of 1 is on all levels.
    colors = [
        [bar.get_facecolor() for bar in bars if bar.get_height() == 2] for bars in display.bars_
    ]
    assert colors[0][0] in colors[1]
    assert colors[0][0] in colors[2]


@pytest.mark.parametrize("n_clusters", [5, slow(40)])
def test_labels_do_not_overlap_or_cover_a_neighbor(n_clusters):
    rng = np.random.default_rng(0)
    names = np.array([f"a long name of cluster {number}" for number in range(n_clusters)])
    first = rng.integers(n_clusters, size=2000)
    second = np.where(rng.random(2000) < 0.7, first, rng.integers(n_clusters, size=2000))
    figure, axes = pyplot.subplots(2, 2, figsize=(9, 7), layout="constrained")
    display = AlluvialDisplay.from_partitions(
        {"one": names[first], "two": second, "three": names[second]}, ax=axes[0, 0]
    )
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in display.texts_]
    assert len(boxes) >= 3 * 5
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
    own, *others = (ax.get_tightbbox() for ax in axes.flat)
    assert not any(own.overlaps(other) for other in others)
    assert all(figure.bbox.x0 <= box.x0 and box.x1 <= own.x1 for box in boxes)


def test_all_of_40_clusters_of_about_equal_size_are_labelled():
    first = np.arange(4000) % 40
    display = AlluvialDisplay.from_predictions(first, (first * 7 + 3) % 40)
    assert len(display.texts_) == 80


def _crossings_by_pairs(flow):
    cells = list(np.ndindex(flow.shape))
    return sum(
        flow[first] * flow[second]
        for first, second in itertools.product(cells, cells)
        if first[0] < second[0] and first[1] > second[1]
    )


@pytest.mark.parametrize("seed", range(5))
def test_crossings_are_pairs_of_objects_that_cross(seed):
    rng = np.random.default_rng(seed)
    flow = rng.integers(4, size=(4, 5)).astype(float)
    orders = [rng.permutation(4), rng.permutation(5)]
    assert crossings([flow], orders) == _crossings_by_pairs(flow[np.ix_(*orders)])


@pytest.mark.parametrize("seed", range(5))
def test_nested_clusters_need_not_cross(seed):
    rng = np.random.default_rng(seed)
    fine = rng.permutation(12)
    coarse, coarsest = fine // 3, fine // 6
    flows = []
    for first, second in itertools.pairwise([rng.permutation(2)[coarsest], coarse, fine]):
        flow = np.zeros((first.max() + 1, second.max() + 1))
        np.add.at(flow, (first, second), 1 + fine % 4)
        flows.append(flow)
    orders = order_layers(flows, [False] * 3)
    assert crossings(flows, orders) == 0
    assert [sorted(order) for order in orders] == [list(range(n)) for n in (2, 4, 12)]


@pytest.mark.parametrize("seed", range(10))
def test_order_is_near_the_best_of_all(seed):
    flow = np.random.default_rng(seed).integers(1, 9, size=(4, 4)) ** 3.0
    fewest = min(
        crossings([flow], [np.array(rows), np.array(cols)])
        for rows in itertools.permutations(range(4))
        for cols in itertools.permutations(range(4))
    )
    assert crossings([flow], order_layers([flow], [False, False])) <= 1.1 * fewest


def test_the_rest_stays_last():
    flow = np.array([[0.0, 1.0, 9.0], [9.0, 0.0, 0.0], [1.0, 9.0, 0.0]])
    rows, cols = order_layers([flow], [True, True])
    assert rows[-1] == cols[-1] == 2


def test_matched_clusters_share_a_number_and_others_get_a_new_one():
    first = np.array([[0.0, 5.0], [9.0, 0.0], [3.0, 1.0]])
    second = np.array([[0.0, 4.0, 5.0], [6.0, 0.0, 0.0]])
    numbers = match_colors([first, second], [False] * 3)
    # By size: 9, 5, 4. The optimal matching of the first table is 1-0, 0-1.
    assert [one.tolist() for one in numbers] == [[1, 0, 2], [0, 1], [1, 2, 0]]


def test_the_rest_has_no_number():
    numbers = match_colors([np.eye(3) * 4], [True, True])
    assert [one.tolist() for one in numbers] == [[0, 1, -1], [0, 1, -1]]


def test_colors_of_24_clusters_are_distinct():
    assert len({numbered_color(number) for number in range(24)}) == 24
    assert numbered_color(24) == numbered_color(0)


# --------------------------------------------------------------------------- credible ball


def test_matched_clusters_have_the_color_of_the_consensus():
    center = np.array([0, 1, 0, 1, 2])
    renamed, split = np.array([2, 0, 2, 0, 1]), np.array([0, 1, 0, 2, 3])
    unknown = np.array([0, 1, 0, 1, -1])
    ball = CredibleBall(0.5, np.arange(4), renamed, unknown, split, center, 0.9)
    display = CredibleBallDisplay(ball).plot()
    colors = np.asarray(display.im_.get_array())
    order = np.argsort(center, kind="stable")
    np.testing.assert_array_equal(colors[1], colors[0])
    np.testing.assert_array_equal(colors[2, :4], colors[0, :4])
    np.testing.assert_array_equal(colors[2, 4], 1.0)  # white
    same = (colors[3] == colors[0]).all(axis=1)
    assert same[order < 4].sum() == 3  # one of the two parts has the color of the whole
    assert len(np.unique(colors[3], axis=0)) == 4
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == [
        "consensus\n3 clusters",
        "farthest\n3 clusters",
        "fewest clusters\n2 clusters",
        "most clusters\n4 clusters",
    ]
