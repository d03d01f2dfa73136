"""Several weighted partitions of overlapping sets of objects, read once.

Objects that no partition distinguishes form a cell: they have the same label, or the same
memberships, in every partition, and are absent from the same ones. Whatever is computed from an
ensemble sees cells and their sizes only. Partitions that are equal are one, with their weights
added up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Positions
from sklearn_clustcompare._parameters import at_most_objects, positive_integer
from sklearn_clustcompare._partition import Labels, Memberships, Reading, partners
from sklearn_clustcompare._partition.arrays import as_counts, as_numbers
from sklearn_clustcompare._partition.labels import as_objects, ids_of, number_ids
from sklearn_clustcompare._partition.memberships import left_out, treat_one, warn_of_other_noise
from sklearn_clustcompare._table.many import common_cells, in_order_of_appearance, list_members

# Groups of partitions that an error names.
_MAX_SHOWN = 5


class Member(NamedTuple):
    """A partition of some of the cells: their classes, or their memberships in the classes.

    ``cells`` are the cells that the partition knows. ``codes`` are the classes of these, numbered
    as they appear, and ``memberships`` a dense array with a row for each; one of them is None.
    """

    cells: Positions
    codes: Positions | None
    memberships: FloatArray | None = None

    @property
    def shares(self) -> Any:
        """A row for each cell, a column for each class: sparse 0 and 1, or the memberships."""
        if self.codes is None:
            return self.memberships
        ends = np.arange(len(self.codes) + 1)
        shape = len(self.codes), int(self.codes.max(initial=-1)) + 1
        return csr_array((np.ones(len(self.codes)), self.codes, ends), shape)

    @property
    def kinds(self) -> Positions:
        """The class of each cell, or the number of its distinct row of memberships."""
        if self.codes is not None:
            return self.codes
        return np.unique(self.shares, axis=0, return_inverse=True)[1].ravel()

    @property
    def n_classes(self) -> int:
        if self.memberships is not None:
            return int(self.memberships.shape[1])
        return 0 if self.codes is None else int(self.codes.max(initial=-1)) + 1

    def take(self, rows: Positions, cells: Positions) -> Member:
        """Return a partition of other cells, each of which is like one of its rows."""
        codes, memberships = self.codes, self.memberships
        return Member(
            cells,
            None if codes is None else in_order_of_appearance(codes[rows]),
            None if memberships is None else memberships[rows],
        )


class Ensemble(NamedTuple):
    """Distinct partitions and their weights, the cells, and the objects in them.

    ``member_of`` is the position in ``members`` of each partition given. ``cell_of`` has the cell
    of each object, -1 for an object that no partition knows; ``objects`` identifies the objects,
    or is None where they go by position. ``reading`` has the rules for memberships;
    ``given_weights`` the weights of the partitions given.
    """

    names: list[Any]
    member_of: Positions
    members: list[Member]
    weights: FloatArray
    sizes: IntArray
    cell_of: Positions
    objects: Array | None
    reading: Reading
    given_weights: FloatArray

    @property
    def n_cells(self) -> int:
        return len(self.sizes)

    @property
    def is_complete(self) -> bool:
        """Whether every partition knows every cell."""
        return all(len(member.cells) == self.n_cells for member in self.members)

    @property
    def is_crisp(self) -> bool:
        return all(member.codes is not None for member in self.members)

    def codes(self) -> NDArray[np.int32]:
        """Return a row of classes for each member; -1 for cells that it does not know.

        The class of memberships is the largest one.
        """
        codes = np.full((len(self.members), self.n_cells), -1, np.int32)
        for row, member in zip(codes, self.members, strict=True):
            classes = member.codes
            if classes is None:
                classes = in_order_of_appearance(np.argmax(member.shares, axis=1))
            row[member.cells] = classes
        return codes

    def with_cells(self, n_cells: int) -> Ensemble:
        """Divide cells into single objects, in their order, where there are fewer than that."""
        if self.n_cells >= n_cells:
            return self
        origin = np.repeat(np.arange(self.n_cells), self.sizes)
        known = np.flatnonzero(self.cell_of >= 0)
        cell_of = np.full(len(self.cell_of), -1)
        cell_of[known[np.argsort(self.cell_of[known], kind="stable")]] = np.arange(len(origin))
        members = []
        for member in self.members:
            cells = np.flatnonzero(np.isin(origin, member.cells))
            members.append(member.take(np.searchsorted(member.cells, origin[cells]), cells))
        return self._replace(members=members, sizes=np.ones(len(origin), int), cell_of=cell_of)

    def resampled(self, times: IntArray | FloatArray) -> Ensemble:
        """Return some of its partitions, by these weights, and what these do not distinguish.

        All partitions must know all cells.
        """
        kept = np.flatnonzero(times)
        members = [self.members[position] for position in kept.tolist()]
        cells = common_cells([one.kinds for one in members])
        first = np.unique(cells, return_index=True)[1]
        return self._replace(
            members=[one.take(first, np.arange(len(first))) for one in members],
            weights=times[kept].astype(np.float64),
            sizes=np.bincount(cells, self.sizes, len(first)).astype(np.int64),
            cell_of=self.to_objects(cells, -1),
        )

    def to_objects(self, values: Array, fill: Any) -> Array:
        """Return the value of the cell of each object, and ``fill`` for one without a cell."""
        last = np.full((1, *values.shape[1:]), fill, values.dtype)
        return np.concatenate([values, last])[self.cell_of]


class Bounds(NamedTuple):
    """Smallest and largest number of clusters."""

    low: int
    high: int

    def hold(self, labels: Positions) -> bool:
        return self.low <= len(np.unique(labels)) <= self.high


def read_bounds(n_clusters: Any, n_objects: int, most: int) -> Bounds:
    """Read a number of clusters or a pair of bounds; no upper bound (None) means ``most``."""
    ends = n_clusters if isinstance(n_clusters, tuple) else (n_clusters, n_clusters)
    if len(ends) != 2:
        msg = f"n_clusters must be an integer, a pair (low, high) or None, got {n_clusters!r}"
        raise ValueError(msg)
    for end in ends:
        if end is not None:
            positive_integer("n_clusters", end)
    low = min(1, n_objects) if ends[0] is None else int(ends[0])
    high = max(most, low) if ends[1] is None else min(int(ends[1]), max(n_objects, low))
    if ends[1] is not None and low > ends[1]:
        msg = f"n_clusters must have its lower bound first, got {n_clusters!r}"
        raise ValueError(msg)
    if ends[0] is not None:
        at_most_objects("n_clusters", ends[0], n_objects)
    return Bounds(low, high)


def read_ensemble(
    partitions: Any, weights: ArrayLike | None, reading: Reading, *, align: bool
) -> Ensemble:
    """Read partitions of the same objects, or with ``align`` of the objects that they name."""
    if align and reading.unmatched != "error":
        msg = (
            "unmatched must be 'error' with align=True, which keeps all objects, got "
            f"{reading.unmatched!r}"
        )
        raise ValueError(msg)
    members = list_members(partitions)
    read_members = [member.read(reading) for member in members]
    for one in read_members:
        if isinstance(one, Memberships):
            one.judge()
    if not align:
        read_members = partners(*read_members, unmatched=reading.unmatched)
    place, objects = _places(read_members, align=align)
    if reading.unmatched != "error":
        objects = ids_of(read_members[0].ids, read_members[0].name)
    n_objects = max((int(where.max(initial=-1)) + 1 for where in place), default=0)
    columns = np.full((len(members), n_objects), -1, np.int32)
    number: dict[Any, int] = {}
    member_of = np.empty(len(members), np.intp)
    for position, one in enumerate(read_members):
        # Numbered as they appear, so that equal partitions are equal rows.
        codes = _codes(one, reading)
        kept, row = np.flatnonzero(codes >= 0), columns[position]
        row[place[position][kept]] = codes[kept]
        row[row >= 0] = in_order_of_appearance(row[row >= 0])
        key = row.tobytes()
        if isinstance(one, Memberships):
            key += _dense_rows(one).tobytes()
        member_of[position] = number.setdefault(key, len(number))
    first = np.unique(member_of, return_index=True)[1]
    summed = np.zeros(len(first))
    given_weights = _read_weights(weights, len(members))
    np.add.at(summed, member_of, given_weights)

    known = (columns >= 0).any(axis=0)
    cells = common_cells(columns[first][:, known]) if known.any() else np.zeros(0, np.intp)
    cell_of = np.full(n_objects, -1)
    cell_of[known] = cells
    _, example, sizes = np.unique(cells, return_index=True, return_counts=True)
    example = np.flatnonzero(known)[example]
    found = [
        _member(read_members[number], columns[number, example], place[number], example)
        for number in first.tolist()
    ]
    ensemble = Ensemble(
        [member.name for member in members],
        member_of,
        found,
        summed,
        sizes,
        cell_of,
        objects,
        Reading(reading.possibilistic),
        given_weights,
    )
    _check_connected(ensemble, [one.name for one in read_members])
    return ensemble


def _places(
    partitions: Sequence[Labels | Memberships], *, align: bool
) -> tuple[list[Positions], Array | None]:
    """Return the number of each object of each partition, and what identifies the objects."""
    if not align:
        return [np.arange(one.n_objects) for one in partitions], None
    ids = [ids_of(one.ids, one.name) for one in partitions]
    joined = in_order_of_appearance(np.concatenate(number_ids(ids)))
    _, first = np.unique(joined, return_index=True)
    same_kind = len({one.dtype.kind for one in ids}) == 1
    together = np.concatenate(ids if same_kind else [as_objects(one) for one in ids])
    return np.split(joined, np.cumsum([len(one) for one in ids])[:-1]), together[first]


def _codes(partition: Labels | Memberships, reading: Reading) -> Positions:
    """Return the class, or the number of the distinct row of memberships; -1 if dropped."""
    codes = np.full(partition.n_objects, -1)
    if isinstance(partition, Labels):
        treated, kept = treat_one(partition, reading)
        warn_of_other_noise(partition.compact()[0], reading)
        codes[slice(None) if kept is None else kept] = treated.zero_based()
        return codes
    known = np.flatnonzero(~left_out(partition, reading))
    rows = _dense_rows(partition.take(known))
    codes[known] = np.unique(rows, axis=0, return_inverse=True)[1].ravel()
    return codes


def _dense_rows(memberships: Memberships) -> FloatArray:
    rows = memberships.rows(0, memberships.n_objects)
    return np.asarray(rows if isinstance(rows, np.ndarray) else rows.toarray(), np.float64)


def _member(
    partition: Labels | Memberships,
    codes: Positions,
    place: Positions,
    example: Positions,
) -> Member:
    """Return a partition of the cells, each of which is represented by one of its objects."""
    cells = np.flatnonzero(codes >= 0)
    if isinstance(partition, Labels):
        return Member(cells, codes[cells].astype(np.intp))
    position = np.empty(int(place.max(initial=-1)) + 1, np.intp)
    position[place] = np.arange(len(place))
    return Member(cells, None, _dense_rows(partition.take(position[example[cells]])))


def _read_weights(weights: ArrayLike | None, n_partitions: int) -> FloatArray:
    if weights is None:
        return np.ones(n_partitions)
    if isinstance(weights, str | Mapping):
        msg = f"weights must be an array of numbers, got {weights!r:.80}"
        raise TypeError(msg)
    values = as_numbers(weights, "weights")
    if values.shape != (n_partitions,):
        msg = (
            f"weights must have one number for each of the {n_partitions} partitions, got an "
            f"array of shape {values.shape}"
        )
        raise ValueError(msg)
    values = as_counts(values, "weights").astype(np.float64)
    if not values.all():
        msg = "weights must be positive finite numbers, got 0"
        raise ValueError(msg)
    return values


def _check_connected(ensemble: Ensemble, titles: list[str]) -> None:
    """Raise ValueError where some partitions share no object with the others, even indirectly."""
    for number, one in enumerate(ensemble.member_of.tolist()):
        if not len(ensemble.members[one].cells) and len(ensemble.cell_of):
            msg = f"{titles[number]} must have an object that is not left out, got none"
            raise ValueError(msg)
    cells = np.concatenate([member.cells for member in ensemble.members])
    rows = np.repeat(
        np.arange(len(ensemble.members)), [len(member.cells) for member in ensemble.members]
    )
    n_nodes = len(ensemble.members) + ensemble.n_cells
    edges = (rows.astype(np.int32), (cells + len(ensemble.members)).astype(np.int32))
    graph = coo_array((np.ones(len(cells), bool), edges), (n_nodes, n_nodes))
    group = connected_components(graph.tocsr(), directed=False)[1][ensemble.member_of]
    groups = [
        " and ".join(repr(ensemble.names[one]) for one in np.flatnonzero(group == number))
        for number in dict.fromkeys(group.tolist())
    ]
    if len(groups) > 1 and ensemble.n_cells:
        more = f" and {len(groups) - _MAX_SHOWN} more" if len(groups) > _MAX_SHOWN else ""
        msg = (
            "partitions must be connected by common objects, got groups of partitions that share "
            f"none: {'; '.join(groups[:_MAX_SHOWN])}{more}. Whether a cluster of one group is a "
            "cluster of another cannot be known: find the consensus of each group"
        )
        raise ValueError(msg)
