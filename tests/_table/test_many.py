"""Tables of many pairs at once are those of the pairs."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable, metrics, pairwise_scores
from sklearn_clustcompare._partition.labels import encode
from sklearn_clustcompare._table.many import CodedPartitions, number_together, pair_groups
from tests._examples import slow
from tests.candidates._examples import one_by_one, random_partitions


def test_tables_of_pairs_are_ordinary_tables():
    # Tables of pairs name clusters by their numbers, without gaps.
    partitions = [
        np.unique(labels, return_inverse=True)[1]
        for labels in random_partitions(300, (2, 3, 4, 80))
    ]
    shared = CodedPartitions.of([encode(one, "labels") for one in partitions], pairs=False)
    groups = [(0, 1, 2), (0, 3), (1, 3), (2, 3), (2, 2)]
    seen = set()
    for group in groups:
        for row, col, table, coverage in shared.of_groups([group], both_ways=True):
            assert coverage == 1.0
            seen.add((row, col))
            expected = ContingencyTable.from_labels(partitions[row], partitions[col])
            assert table == expected
            assert table.T == expected.T
            assert table.cell_counts.tolist() == expected.cell_counts.tolist()
            assert table.square_sums == expected.square_sums
            assert table.n_samples == expected.n_samples
            assert table.is_identity == expected.is_identity == (row == col)
            assert (table.coverage, table.is_whole) == (1.0, True)
            assert repr(table) == repr(expected)
    assert seen == set(product(range(4), repeat=2)) - {(0, 0), (1, 1), (3, 3)}


@pytest.mark.parametrize(
    "sizes",
    [
        (255, 257),  # 2**16 - 1 cells
        (256, 256),  # 2**16 cells
        slow((241, 272)),  # 2**16 + 16 cells
        slow((300, 300)),
        slow((181, 724)),  # the last below 2**17 cells
        (40, 40, 40),  # three partitions are counted together
        (16, 64, 64),  # 2**16 cells
        (40, 41, 40),
        (41, 41, 41),
    ],
    ids=str,
)
def test_numbers_of_cells_do_not_wrap_around(sizes):
    n_samples = 70_000
    partitions = random_partitions(n_samples, sizes)
    assert [len(np.unique(labels)) for labels in partitions] == list(sizes)
    shared = CodedPartitions.of([encode(one, "labels") for one in partitions], pairs=False)
    seen = []
    for row, col, table, _ in shared.of_groups([tuple(range(len(sizes)))], both_ways=False):
        seen.append((row, col))
        assert table == ContingencyTable.from_labels(partitions[row], partitions[col])
    assert seen == list(combinations(range(len(sizes)), 2))
    for index in ("adjusted_rand_score", "f_measure_score"):
        expected = one_by_one(partitions, partitions, getattr(metrics, index))
        assert pairwise_scores(partitions, index=index).values.tobytes() == expected.tobytes()


@pytest.mark.parametrize("n_partitions", [*range(32), 200])
def test_each_pair_is_in_one_group(n_partitions):
    groups = pair_groups(n_partitions)
    pairs = Counter(pair for group in groups for pair in combinations(group, 2))
    assert pairs == Counter(combinations(range(n_partitions), 2))
    assert all(list(group) == sorted(group) for group in groups)
    if n_partitions == 200:  # nearly all of them in threes
        assert len(groups) < 1.02 * len(pairs) / 3


@pytest.mark.parametrize("n_objects", [0, 1, 2_000, 6_000])
@pytest.mark.parametrize("n_clusters", [(1,), (1, 3), (3, 40, 50), (70, 70), (9,) * 12, (300, 2)])
def test_codes_together_are_numbered_as_sorted_tuples(n_objects, n_clusters):
    """Up to 2**12 cells, or two per object, are counted densely, more are sorted."""
    rng = np.random.default_rng(0)
    codes = [rng.integers(n, size=n_objects) for n in n_clusters]
    numbers, n_cells = number_together(codes, n_clusters)
    occurring, expected = np.unique(np.array(codes), axis=1, return_inverse=True)
    np.testing.assert_array_equal(numbers, expected.ravel())
    assert n_cells == occurring.shape[1]
