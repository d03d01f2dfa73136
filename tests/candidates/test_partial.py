"""The metric on partitions of different objects."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest

from sklearn_clustcompare import (
    ContingencyTable,
    get_index,
    pairwise_scores,
    variation_of_information_distance,
)
from sklearn_clustcompare.candidates import align_partitions, partial_partition_distance
from sklearn_clustcompare.consensus import medoid_partition
from sklearn_clustcompare.metrics import mirkin_distance
from sklearn_clustcompare.plot import SimilarityMatrixDisplay
from tests._examples import slow
from tests._laws import all_partitions

NAME = "partial_partition_distance"
EMPTY = pd.Series([], dtype=int)


def partial_partitions(n_objects):
    """Return all partitions of all sets of objects as dicts of objects to labels."""
    return [
        dict(zip(objects, labels, strict=True))
        for size in range(n_objects + 1)
        for objects in itertools.combinations(range(n_objects), size)
        for labels in all_partitions(size)
    ]


def joined_pairs(partition):
    return {(i, j) for i in partition for j in partition if i < j and partition[i] == partition[j]}


def by_pairs(p, q):
    return len(joined_pairs(p) ^ joined_pairs(q)) + len(p.keys() ^ q.keys())


def by_information(p, q):
    """Add up N VI of the partitions completed by singletons, object by object."""
    objects = p.keys() | q.keys()
    first, second = ({x: one.get(x, ("alone", x)) for x in objects} for one in (p, q))
    total = 0.0
    for x in objects:
        a, b, n = (
            sum(all(side[y] == side[x] for side in sides) for y in objects)
            for sides in ([first], [second], [first, second])
        )
        total += math.log(a / n) + math.log(b / n)
    return total + len(p.keys() ^ q.keys())


def steinhaus(distance, p, q):
    d = distance(p, q)
    return 2 * d / (distance(p, {}) + distance(q, {}) + d) if d else 0.0


def series(partition):
    return pd.Series(partition, dtype=int)


def matrix_of(partitions, **parameters):
    runs = [series(one) for one in partitions]
    return pairwise_scores(runs, index=NAME, unmatched="drop", **parameters).values


@pytest.mark.parametrize("n_objects", [3, slow(4)])
def test_values_are_those_of_the_definitions(n_objects):
    partitions = partial_partitions(n_objects)
    for kind, distance in (("pairs", by_pairs), ("information", by_information)):
        found = matrix_of(partitions, kind=kind)
        shares = matrix_of(partitions, kind=kind, normalize=True)
        for (i, p), (j, q) in itertools.product(enumerate(partitions), repeat=2):
            assert found[i, j] == pytest.approx(distance(p, q), abs=1e-13)
            assert shares[i, j] == pytest.approx(steinhaus(distance, p, q), abs=1e-14)


# Largest distance, and smallest share of different partitions, as enumerated by loops over sets.
@pytest.mark.parametrize(
    ("n_objects", "kind", "largest", "smallest_share"),
    [
        (4, "pairs", 10, 0.1429),
        (4, "information", 9.5452, 0.1371),
        slow(5, "pairs", 15, 0.0909),
        slow(5, "information", 13.0472, 0.0948),
    ],
)
def test_distances_and_shares_are_metrics(n_objects, kind, largest, smallest_share):
    """All triples of partitions of all sets of objects have the triangle inequality.

    That of pairs is the number of pairs, each object with itself included, that are in one of two
    relations only, and a relation determines its partition. That of information is N VI of the
    partitions completed by singletons, plus the number of objects of one only. Objects that both
    are completed by add nothing to N VI, so all partitions can be completed to the same objects,
    where VI is a metric. With G the sum of g(a) over clusters, g(a) = a (a + 1) / 2 or a log a + a,
    and M that over the cells of the common objects, the distance is d = G(p) + G(q) - 2 M, and
    d(p, 0) = G(p). So the Steinhaus transform, 2 d / (d(p, 0) + d(q, 0) + d), is
    1 - M / (G(p) + G(q) - M): in [0, 1], and 1 if no object is common.
    """
    partitions = partial_partitions(n_objects)
    assert len(partitions) == {4: 52, 5: 203}[n_objects]
    expected = {False: (1, largest), True: (smallest_share, 1)}
    for normalize, (smallest, most) in expected.items():
        d = matrix_of(partitions, kind=kind, normalize=normalize)
        assert np.array_equal(d, d.T)
        assert not d.diagonal().any()
        # From i over j to k.
        assert (d[:, np.newaxis, :] <= d[:, :, np.newaxis] + d + 1e-12).all()
        apart = d[~np.eye(len(d), dtype=bool)]
        assert apart.min() == pytest.approx(smallest, abs=5e-5)
        assert d.max() == pytest.approx(most, abs=5e-5)


def test_aligned_information_is_no_metric():
    def distance(p, q):
        aligned = align_partitions(series(p), series(q), unmatched="singleton")
        return variation_of_information_distance(*aligned.labels)

    p, q, r = {0: 0}, {0: 0, 1: 1}, {0: 0, 2: 0}
    assert distance(p, q) == 0
    assert distance(q, r) == pytest.approx(2 / 3 * math.log(2))
    assert distance(p, r) == pytest.approx(math.log(2))
    assert distance(p, r) > distance(p, q) + distance(q, r)
    assert float(partial_partition_distance(p, q)) == 1


@pytest.mark.parametrize("n_objects", [5, slow(6)])
def test_nearest_partitions_by_information(n_objects):
    # As the guide states: the nearest one takes an object out of the smallest cluster that has
    # more than one, or merges the two smallest clusters.
    partitions = [one for one in partial_partitions(n_objects) if len(one) == n_objects]
    labels = [[one[i] for i in range(n_objects)] for one in partitions]
    bits = pairwise_scores(labels, index="variation_of_information_distance", base=2).values
    bits = np.where(np.eye(len(bits), dtype=bool), np.inf, bits) * n_objects
    assert bits.min() == pytest.approx(2)

    def weight(size):
        return size * math.log2(size)

    for partition, nearest in zip(labels, bits.min(axis=1), strict=True):
        sizes = sorted(np.bincount(partition).tolist())
        steps = [weight(a) - weight(a - 1) for a in sizes if a > 1][:1]
        if len(sizes) > 1:
            steps.append(weight(sum(sizes[:2])) - sum(map(weight, sizes[:2])))
        assert nearest == pytest.approx(min(steps))


def test_parts_of_an_example():
    p, q = [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]
    ids = {"ids_true": list("abcde"), "ids_pred": list("abcdf")}
    pairs = partial_partition_distance(p, q, **ids)
    assert (pairs.distance, pairs.moved, pairs.inserted, pairs.deleted) == (8, 6, 1, 1)
    information = partial_partition_distance(p, q, **ids, kind="information")
    assert information.moved == pytest.approx(6.591674, abs=5e-7)
    assert float(information) == pytest.approx(8.591674, abs=5e-7)
    share = partial_partition_distance(p, q, **ids, normalize=True)
    # Each partition has 4 pairs and 5 objects.
    assert float(share) == 2 * 8 / (9 + 9 + 8)
    assert (share.moved, share.inserted) == (6, 1)
    more = partial_partition_distance({1: 0}, {1: 0, 2: 0, 3: 0})
    assert (more.inserted, more.deleted, more.moved) == (2, 0, 3)


def test_same_objects_have_the_usual_distances():
    rng = np.random.default_rng(0)
    p, q = rng.integers(6, size=(2, 300))
    order = rng.permutation(300)
    ids = {"ids_true": range(300), "ids_pred": order}
    shuffled = q[order]
    assert float(partial_partition_distance(p, shuffled, **ids)) == mirkin_distance(p, q) / 2
    information = partial_partition_distance(p, shuffled, **ids, kind="information")
    assert float(information) == pytest.approx(300 * variation_of_information_distance(p, q))
    table = ContingencyTable.from_labels(p, q)
    assert get_index(NAME)(table) == mirkin_distance(p, q) / 2
    same = pairwise_scores([series(dict(enumerate(p))), q], index=NAME)
    assert same[0, 1] == mirkin_distance(p, q) / 2


def test_empty_and_disjoint_partitions():
    assert float(partial_partition_distance(EMPTY, EMPTY, normalize=True)) == 0
    assert float(partial_partition_distance({1: 0}, {}, normalize=True)) == 1
    empty = partial_partition_distance([], ["x", "x"], ids_true=[], ids_pred=["a", "b"])
    assert (float(empty), empty.inserted, empty.moved) == (3, 2, 1)
    for kind in ("pairs", "information"):
        apart = partial_partition_distance({1: 0, 2: 0}, {3: 0}, kind=kind, normalize=True)
        assert float(apart) == 1
    assert float(partial_partition_distance({1: 0, 2: 0}, {3: 0})) == 1 + 3
    distances = pairwise_scores([{}, {1: 0}, {1: 0, 2: 0}], index=NAME, unmatched="drop").values
    assert distances.tolist() == [[0, 1, 3], [1, 0, 2], [3, 2, 0]]


def test_a_distance_keeps_its_digits():
    # Near equality N VI is a small difference of large sums. The terms are those of one object
    # that left a cluster of n + 1 for an n-th one, by series of high order.
    n = 10**6
    table = ContingencyTable.from_counts([[n, 1], [0, n]])
    expected = 2 * (n * math.log1p(1 / n) + math.log1p(n))
    found = get_index(NAME)(table, kind="information")
    assert found == pytest.approx(expected, rel=1e-14)
    big = ContingencyTable.from_counts([[2**40, 1]])
    assert get_index(NAME)(big) == 2**40


def test_objects_of_noise_are_absent():
    runs = [pd.Series([0, 0, 1, -1], list("abcd")), pd.Series([0, 0, 1, 1], list("abcx"))]
    scores = pairwise_scores(runs, index=NAME, unmatched="drop", noise="drop")
    kept = partial_partition_distance(runs[0][:3], runs[1])
    assert scores[0, 1] == float(kept) == 2
    assert (scores.coverage == 1).all()


def test_medoid_and_picture_of_partitions_that_change():
    weeks = [{"a": 0, "b": 0}, {"a": 0, "b": 0, "c": 1}, {"b": 0, "c": 1}]
    medoid = medoid_partition(weeks, index=NAME, unmatched="drop")
    assert (medoid.position, medoid.averages.tolist()) == (1, [(1 + 3) / 2, (1 + 2) / 2, 5 / 2])
    pytest.importorskip("matplotlib")
    scores = pairwise_scores(weeks, index=NAME, unmatched="drop")
    display = SimilarityMatrixDisplay.from_scores(scores)
    assert display.figure_ is not None
