"""All partitions of a few objects, and some of more: the search space for counter-examples.

An index depends on the table of two partitions only, up to the order of its rows and columns. The
41,209 pairs of partitions of six objects have 298 such tables, so 298 values cover every pair.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from sklearn_clustcompare._table.contingency import ContingencyTable

Integers = NDArray[np.int64]
Partitions = tuple[tuple[int, ...], ...]

MOST_OBJECTS = 6

_N_RANDOM = 60
_RANDOM_OBJECTS = (7, 61)
# Numbers of copies of four objects, for partitions of more than six.
_REPETITIONS = ((1, 2, 2, 2), (1, 1, 2, 3), (1, 1, 9, 9), (2, 3, 5, 7), (1, 4, 20, 30))


class SmallPartitions:
    """All partitions of some objects, with copies of each, and all tables of two of them."""

    def __init__(self, times: tuple[int, ...]) -> None:
        self.times = times
        self.labels = growth_strings(len(times))
        self.n_clusters: Integers = self.labels.max(axis=1) + 1
        are_alike = len(set(times)) == 1
        kinds, examples = self._pairs_up_to_order() if are_alike else self._all_pairs()
        # Number of the table of each pair of partitions, and the tables.
        self.kind: Integers = kinds
        self.examples: list[tuple[int, int]] = examples
        self.tables = [
            ContingencyTable.from_labels(
                self.labels[first], self.labels[second], sample_weight=times
            )
            for first, second in examples
        ]

    @property
    def n_objects(self) -> int:
        return sum(self.times)

    def example(self, *which: Any) -> Partitions:
        """Return the labels of some of the partitions."""
        several = (np.repeat(self.labels[int(one)], self.times) for one in which)
        return tuple(tuple(labels.tolist()) for labels in several)

    @cached_property
    def sizes(self) -> Integers:
        """Number of the sorted cluster sizes of each partition."""
        n_labels = len(self.times)
        sizes = [np.sort(np.bincount(one, self.times, n_labels)) for one in self.labels]
        return np.unique(sizes, axis=0, return_inverse=True)[1].ravel()

    @cached_property
    def references(self) -> Integers:
        """Partitions from which all others differ by the order of the objects only."""
        if len(self.examples) == self.kind.size:
            return np.arange(len(self.labels))
        return np.sort(np.unique(self.sizes, return_index=True)[1])

    @property
    def proper_references(self) -> list[int]:
        """References that are neither one cluster nor singletons."""
        return [one for one in self.references.tolist() if not self.is_trivial[one]]

    @cached_property
    def is_trivial(self) -> NDArray[np.bool_]:
        return (self.n_clusters == 1) | (self.n_clusters == self.n_objects)

    def nearer(self, reference: int) -> NDArray[np.bool_]:
        """Return for each candidate and each other one whether the other is nearer the reference.

        It is nearer if it agrees with the reference on all pairs of objects on which the first one
        does: perfect splits and perfect merges lead to it.
        """
        errors = self._joined ^ self._joined[reference]
        nearer = (errors & ~errors[:, np.newaxis]) == 0
        np.fill_diagonal(nearer, False)
        return nearer

    @cached_property
    def _joined(self) -> Integers:
        """Pairs of objects that each partition joins, as bits."""
        first, second = np.triu_indices(len(self.times), 1)
        joined = self.labels[:, first] == self.labels[:, second]
        return (joined << np.arange(len(first))).sum(axis=1)

    def _all_pairs(self) -> tuple[Integers, list[tuple[int, int]]]:
        n = len(self.labels)
        pairs = [(first, second) for first in range(n) for second in range(n)]
        return np.arange(n * n).reshape(n, n), pairs

    def _pairs_up_to_order(self) -> tuple[Integers, list[tuple[int, int]]]:
        """Number the pairs of partitions, the same if equal up to the order of the objects."""
        n_partitions = len(self.labels)
        number = {tuple(one): position for position, one in enumerate(self.labels.tolist())}
        first, second = np.indices((n_partitions, n_partitions)).reshape(2, -1)
        edges = [np.arange(n_partitions**2)]
        for position in range(len(self.times) - 1):  # swaps of neighbors lead to every order
            swapped = self.labels.copy()
            swapped[:, [position, position + 1]] = swapped[:, [position + 1, position]]
            moved = np.array([number[numbered(one)] for one in swapped.tolist()])
            edges.append(moved[first] * n_partitions + moved[second])
        ends = np.concatenate(edges)
        starts = np.tile(edges[0], len(edges))
        graph = coo_array((np.ones(len(ends), bool), (starts, ends)), shape=(n_partitions**2,) * 2)
        _, kinds = connected_components(graph, directed=False)
        examples = np.unique(kinds, return_index=True)[1]
        return kinds.reshape(n_partitions, n_partitions), [
            divmod(example, n_partitions) for example in examples.tolist()
        ]


def growth_strings(n_objects: int) -> Integers:
    """Return all partitions of ``n`` objects: each object in an old cluster or the next new one."""
    strings: list[tuple[int, ...]] = [(0,)]
    for _ in range(n_objects - 1):
        strings = [(*one, label) for one in strings for label in range(max(one) + 2)]
    return np.array(strings)


def numbered(labels: Any) -> tuple[int, ...]:
    """Number the clusters in order of appearance."""
    names: dict[Any, int] = {}
    return tuple(names.setdefault(label, len(names)) for label in labels)


@cache
def small_partitions(n_objects: int) -> SmallPartitions:
    return SmallPartitions((1,) * n_objects)


def all_small_partitions() -> list[SmallPartitions]:
    return [small_partitions(n_objects) for n_objects in range(1, MOST_OBJECTS + 1)]


@cache
def repeated_partitions() -> tuple[SmallPartitions, ...]:
    return tuple(SmallPartitions(times) for times in _REPETITIONS)


# --------------------------------------------------------------------------- more objects


class Sample(NamedTuple):
    """Some partitions of the same objects, and tables of pairs of them."""

    partitions: Partitions
    tables: tuple[ContingencyTable, ...]


@cache
def random_pairs() -> tuple[Sample, ...]:
    """Pairs of more objects: independent, noisy copies, refinements."""
    rng = np.random.default_rng(0)
    return tuple(_sample(_related(rng, 2), [(0, 1)]) for _ in range(_N_RANDOM))


@cache
def all_tables() -> list[tuple[Partitions, ContingencyTable]]:
    """Return the tables of all pairs of a few objects, and of random pairs of more."""
    small = [
        (space.example(*pair), table)
        for space in all_small_partitions()
        for pair, table in zip(space.examples, space.tables, strict=True)
    ]
    return small + [(one.partitions, one.tables[0]) for one in random_pairs()]


@cache
def random_triples() -> tuple[Sample, ...]:
    """Triples, and the tables of first and second, second and third, first and third."""
    rng = np.random.default_rng(1)
    return tuple(_sample(_related(rng, 3), [(0, 1), (1, 2), (0, 2)]) for _ in range(_N_RANDOM))


@cache
def random_improvements() -> tuple[Sample, ...]:
    """A reference, a candidate, and the candidate one perfect split or merge nearer to it."""
    rng = np.random.default_rng(2)
    samples: list[Sample] = []
    while len(samples) < _N_RANDOM:
        reference, candidate = _related(rng, 2)
        nearer = _one_step_nearer(rng, reference, candidate)
        if nearer is not None and 1 < len(set(reference.tolist())) < len(reference):
            samples.append(_sample([reference, candidate, nearer], [(0, 1), (0, 2)]))
    return tuple(samples)


def _sample(labels: list[Integers], ends: list[tuple[int, int]]) -> Sample:
    tables = [ContingencyTable.from_labels(labels[first], labels[last]) for first, last in ends]
    return Sample(tuple(numbered(one.tolist()) for one in labels), tuple(tables))


def _related(rng: np.random.Generator, number: int) -> list[Integers]:
    """Draw a partition, and others that are independent, noisy copies or finer."""
    n_objects = int(rng.integers(*_RANDOM_OBJECTS))
    labels = [_random_labels(rng, n_objects)]
    for _ in range(number - 1):
        other, copied = _random_labels(rng, n_objects), labels[-1]
        noisy = np.where(rng.random(n_objects) < rng.choice([0.1, 0.4]), other, copied)
        finer = copied * n_objects + other
        labels.append([other, noisy, finer][rng.integers(3)])
    return labels


def _random_labels(rng: np.random.Generator, n_objects: int) -> Integers:
    n_clusters = int(rng.integers(2, max(3, n_objects // 2)))
    shares = rng.dirichlet(np.full(n_clusters, rng.choice([0.3, 5.0])))
    return rng.choice(n_clusters, size=n_objects, p=shares)


def _one_step_nearer(
    rng: np.random.Generator, reference: Integers, candidate: Integers
) -> Integers | None:
    """Split a cluster without separating a class, or merge two clusters of one class."""
    nearer = candidate.copy()
    for cluster in rng.permutation(np.unique(candidate)):
        inside = candidate == cluster
        classes = np.unique(reference[inside])
        if len(classes) > 1:
            parted = rng.permutation(classes)[: rng.integers(1, len(classes))]
            nearer[inside & np.isin(reference, parted)] = candidate.max() + 1
            return nearer
        for other in np.unique(candidate[reference == classes[0]]):
            if other != cluster and len(np.unique(reference[candidate == other])) == 1:
                nearer[candidate == other] = cluster
                return nearer
    return None
