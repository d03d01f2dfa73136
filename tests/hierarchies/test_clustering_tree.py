"""Trees of clusterings, against their definition."""

import numpy as np
import pytest

from sklearn_clustcompare.hierarchies import clustering_tree

LEVELS = {1: list("111111"), 2: list("111222"), 3: list("112233")}


def _stability(partitions, level, label):
    """Sum over the other levels, by sets of objects."""
    cluster = {k for k, found in enumerate(partitions[level]) if found == label}
    total = 0.0
    for other, labels in enumerate(partitions):
        if other != level:
            met = {labels[k] for k in cluster}
            for one in met:
                members = {k for k, found in enumerate(labels) if found == one}
                total += len(cluster & members) / len(members) / len(met) ** 2
    return total / len(partitions)


def test_stabilities_of_three_levels_by_hand():
    expected = [
        [((3 / 3 + 3 / 3) / 4 + (2 / 2 + 2 / 2 + 2 / 2) / 9) / 3],
        [(3 / 6 + (2 / 2 + 1 / 2) / 4) / 3] * 2,
        [(2 / 6 + 2 / 3) / 3, (2 / 6 + (1 / 3 + 1 / 3) / 4) / 3, (2 / 6 + 2 / 3) / 3],
    ]
    for found, values in zip(clustering_tree(LEVELS).stabilities, expected, strict=True):
        assert found == pytest.approx(values, rel=1e-14)
    assert [round(values[0], 6) for values in expected] == [0.277778, 0.291667, 0.333333]


@pytest.mark.parametrize("seed", range(5))
def test_stabilities_follow_their_definition(seed):
    partitions = np.random.default_rng(seed).integers(1, 5, size=(4, 30))
    tree = clustering_tree(partitions)
    for level, (labels, stabilities) in enumerate(zip(tree.labels, tree.stabilities, strict=True)):
        expected = [_stability(partitions, level, label) for label in labels]
        assert stabilities == pytest.approx(expected, rel=1e-13)


def test_a_cluster_on_all_levels_has_the_largest_stability():
    tree = clustering_tree([[0, 0, 1, 1], [5, 5, 4, 3], [7, 7, 8, 8], [7, 7, 8, 9]])
    assert [
        stability[labels.tolist().index(label)]
        for stability, labels, label in zip(
            tree.stabilities, tree.labels, (0, 5, 7, 7), strict=True
        )
    ] == [0.75] * 4


def test_tables_are_of_neighbors_and_have_all_objects():
    tree = clustering_tree(LEVELS, sample_weight=[2, 1, 1, 1, 1, 1])
    assert tree.names == [1, 2, 3]
    assert [table.counts.toarray().tolist() for table in tree.tables] == [
        [[4, 3]],
        [[3, 1, 0], [0, 1, 2]],
    ]
    assert [sizes.tolist() for sizes in tree.sizes] == [[7], [4, 3], [3, 2, 2]]
    assert [labels.tolist() for labels in tree.labels] == [["1"], ["1", "2"], ["1", "2", "3"]]


def test_what_one_level_leaves_out_is_left_out_of_all():
    levels, weights = [[1, 1, 2, -1, 1], [3, 4, 4, 3, -1]], [1, 2, 3, 4, 5]
    (table,) = clustering_tree(levels, noise="drop", sample_weight=weights).tables
    assert table.counts.toarray().tolist() == [[1, 2], [0, 3]]


def test_frame_has_a_row_per_cluster():
    pytest.importorskip("pandas")
    frame = clustering_tree(LEVELS).to_frame()
    assert frame["partition"].tolist() == [1, 2, 2, 3, 3, 3]
    assert frame["cluster"].tolist() == list("112123")
    assert frame["size"].tolist() == [6, 3, 3, 2, 2, 2]
    assert frame["stability"].sum() == pytest.approx(0.277778 + 0.583333 + 0.833333, abs=1e-5)
