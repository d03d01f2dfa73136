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
from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._parameters import at_most_objects, positive_integer
from sklearn_clustcompare._partition import Labels, Memberships, Reading, partners
from sklearn_clustcompare._partition.arrays import as_counts, as_numbers
from sklearn_clustcompare._partition.labels import as_objects, ids_of, number_ids
from sklearn_clustcompare._partition.memberships import left_out, treat_one, warn_of_other_noise
from sklearn_clustcompare._table.many import common_cells, in_order_of_appearance, list_members

Codes = NDArray[np.int32]

# Groups of partitions that an error names.
_MAX_SHOWN = 5
# Codes of so many cells and partitions are looked at together.
NUMBERS_AT_ONCE = 2**22
_MOST_IN_32_BITS = 2**31 - 1


class Ensemble(NamedTuple):
    """Distinct partitions (members) and their weights, the cells, and the objects in them.

    ``kinds`` has a row for each member: the class of each cell, numbered as they appear, and -1 for
    cells that it does not know. For memberships it is the number of their distinct row, and
    ``memberships`` has a row of shares of the classes for each cell, by the number of the member.

    ``member_of`` is the position of the member that each partition given is. ``cell_of`` has the
    cell of each object, -1 for an object that no partition knows; ``objects`` identifies the
    objects, or is None where they go by position. ``reading`` has the rules for memberships;
    ``given_weights`` the weights of the partitions given.
    """

    names: list[Any]
    member_of: Positions
    kinds: Codes
    memberships: dict[int, FloatArray]
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
        return bool((self.kinds >= 0).all())

    @property
    def is_crisp(self) -> bool:
        return not self.memberships

    @property
    def n_classes(self) -> Positions:
        """Number of classes of each member."""
        numbers = self.kinds.max(axis=1, initial=-1).astype(np.intp) + 1
        for member, shares in self.memberships.items():
            numbers[member] = shares.shape[1]
        return numbers

    @property
    def codes(self) -> Codes:
        """A row of classes for each member, of memberships the largest one; -1 where unknown."""
        codes = self.kinds.copy()
        for member, shares in self.memberships.items():
            known = codes[member] >= 0
            codes[member, known] = in_order_of_appearance(shares[known].argmax(axis=1))
        return codes

    def shares(self) -> csr_array:
        """Return how much of each cell (rows) is in each class of each member (columns)."""
        n_classes = self.n_classes
        starts = np.cumsum(n_classes) - n_classes
        shape = self.n_cells, int(n_classes.sum())
        is_known = self.kinds >= 0
        is_known[list(self.memberships)] = False
        places = (self.kinds + starts[:, np.newaxis]).T[is_known.T]
        ends = np.append(0, np.cumsum(is_known.sum(axis=0)))
        # scikit-learn's clusterers take sparse matrices with indices of 32 bits only.
        kind = np.int32 if len(places) <= _MOST_IN_32_BITS else np.int64
        indices = places.astype(kind), ends.astype(kind)
        shares = csr_array((np.ones(len(places)), *indices), shape)
        for member, values in self.memberships.items():
            dense = coo_array(values)
            at = dense.row, dense.col + starts[member]
            shares += csr_array((dense.data, at), shape)
        return shares

    def with_cells(self, n_cells: int) -> Ensemble:
        """Divide cells into single objects, in their order, where there are fewer than that."""
        if self.n_cells >= n_cells:
            return self
        origin = np.repeat(np.arange(self.n_cells), self.sizes)
        known = np.flatnonzero(self.cell_of >= 0)
        cell_of = np.full(len(self.cell_of), -1)
        cell_of[known[np.argsort(self.cell_of[known], kind="stable")]] = np.arange(len(origin))
        return self._of_cells(origin)._replace(sizes=np.ones(len(origin), int), cell_of=cell_of)

    def in_canonical_order(self) -> Ensemble:
        """Return it with its cells in an order that does not depend on that of the objects.

        Nor on the names of clusters. Cells that still look the same stay in their order.
        """
        order = np.argsort(self._colors(), kind="stable")
        cell_of = self.to_objects(np.argsort(order), -1)
        return self._of_cells(order)._replace(sizes=self.sizes[order], cell_of=cell_of)

    def to_objects(self, values: Array, fill: Any) -> Array:
        """Return the value of the cell of each object, and ``fill`` for one without a cell."""
        last = np.full((1, *values.shape[1:]), fill, values.dtype)
        return np.concatenate([values, last])[self.cell_of]

    def _of_cells(self, origin: Positions) -> Ensemble:
        """Return partitions of other cells, each of which is like one of these."""
        memberships = {member: shares[origin] for member, shares in self.memberships.items()}
        return self._replace(kinds=_rows_numbered(self.kinds[:, origin]), memberships=memberships)

    def _colors(self) -> Positions:
        """Number the cells, equal numbers for cells that look the same.

        They are distinguished by their sizes and by the cells that share classes with them, again
        and again until nothing changes (color refinement). Cells that are still equal are
        interchangeable in nearly all ensembles.
        """
        colors = _mixed(self.sizes.astype(np.uint64))
        for shares in self.memberships.values():  # whatever the names of the clusters
            by_size = np.sort(shares, axis=1)
            kinds = np.unique(by_size, axis=0, return_inverse=True)[1].ravel()
            colors = _mixed(colors + kinds.astype(np.uint64))
        n_colors, width = 0, int(self.kinds.max(initial=-1)) + 2
        step = max(NUMBERS_AT_ONCE // max(self.n_cells, 1), 1)
        while True:
            numbers = np.unique(colors, return_inverse=True)[1]
            if numbers.max(initial=-1) < n_colors:
                return np.asarray(numbers)
            n_colors = int(numbers.max()) + 1
            hashes = colors = _mixed(numbers.astype(np.uint64))
            for start in range(0, len(self.kinds), step):
                codes = self.kinds[start : start + step] + 1
                places = codes + np.arange(len(codes))[:, np.newaxis] * width
                of_class = np.zeros(len(codes) * width, np.uint64)
                np.add.at(of_class, places.ravel(), np.tile(hashes, len(codes)))
                # Members differ, so that cells in other classes of others do as well.
                salts = _mixed(np.arange(start, start + len(codes)).astype(np.uint64))
                seen = _mixed(of_class.reshape(-1, width) + salts[:, np.newaxis])
                seen[:, 0] = 0  # cells that are not known
                colors = colors + seen.ravel()[places].sum(axis=0, dtype=np.uint64)
            colors = _mixed(colors)


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return pseudo-random numbers that depend on the values (SplitMix64)."""
    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _rows_numbered(codes: NDArray[Any]) -> Codes:
    """Number the codes of each row from zero in the order in which they appear; -1 remains."""
    n_rows, n_cols = codes.shape
    width = int(codes.max(initial=-1)) + 2
    rows = np.arange(n_rows)[:, np.newaxis]
    first = np.full((n_rows, width), n_cols)
    # Backwards, because the last assignment to a code is the one that counts; copied, because
    # NumPy goes through reversed views in the order of the memory.
    first[rows, codes[:, ::-1].copy()] = np.arange(n_cols)[::-1].copy()
    first[:, -1] = n_cols  # of -1
    numbers = np.empty((n_rows, width), np.int32)
    np.put_along_axis(numbers, first.argsort(axis=1, kind="stable"), np.arange(width), axis=1)
    numbers[:, -1] = -1
    return np.asarray(numbers[rows, codes])


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
        rule = "must be an integer, a pair (low, high) or None"
        msg = f"n_clusters {rule}, got {shortened(n_clusters)}"
        raise ValueError(msg)
    for end in ends:
        if end is not None:
            positive_integer("n_clusters", end)
    low = min(1, n_objects) if ends[0] is None else int(ends[0])
    high = max(most, low) if ends[1] is None else min(int(ends[1]), max(n_objects, low))
    if ends[1] is not None and low > ends[1]:
        msg = f"n_clusters must have its lower bound first, got {shortened(n_clusters)}"
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
    codes = np.full((len(members), n_objects), -1, np.int32)
    soft = {
        position: _dense_rows(one)
        for position, one in enumerate(read_members)
        if isinstance(one, Memberships)
    }
    for position, (row, one, where) in enumerate(zip(codes, read_members, place, strict=True)):
        own = _codes(one, reading, soft.get(position))
        row[where[own >= 0]] = own[own >= 0]
    # Numbered as they appear, so that equal partitions are equal rows.
    codes = _rows_numbered(codes)
    number: dict[Any, int] = {}
    member_of = np.empty(len(members), np.intp)
    for position, row in enumerate(codes):
        key = row.tobytes()
        if position in soft:
            key += soft[position].tobytes()
        member_of[position] = number.setdefault(key, len(number))
    first = np.unique(member_of, return_index=True)[1]
    given_weights = _read_weights(weights, len(members))
    known = (codes >= 0).any(axis=0)
    cells = common_cells(codes[first][:, known]) if known.any() else np.zeros(0, np.intp)
    cell_of = np.full(n_objects, -1)
    cell_of[known] = cells
    _, example, sizes = np.unique(cells, return_index=True, return_counts=True)
    example = np.flatnonzero(known)[example]
    memberships = {}
    for number_of_member, position in enumerate(first.tolist()):
        if position in soft:
            rows = np.zeros((n_objects, soft[position].shape[1]))
            rows[place[position]] = soft[position]
            rows[codes[position] < 0] = 0
            memberships[number_of_member] = rows[example]
    ensemble = Ensemble(
        [member.name for member in members],
        member_of,
        codes[first][:, example],
        memberships,
        np.bincount(member_of, given_weights, len(first)).astype(float),
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


def _codes(
    partition: Labels | Memberships, reading: Reading, shares: FloatArray | None
) -> Positions:
    """Return the class, or the number of the distinct row of memberships; -1 if dropped."""
    codes = np.full(partition.n_objects, -1)
    if isinstance(partition, Labels):
        treated, kept = treat_one(partition, reading)
        warn_of_other_noise(partition.compact()[0], reading)
        codes[slice(None) if kept is None else kept] = treated.zero_based()
        return codes
    assert shares is not None
    known = np.flatnonzero(~left_out(partition, reading))
    codes[known] = np.unique(shares[known], axis=0, return_inverse=True)[1].ravel()
    return codes


def _dense_rows(memberships: Memberships) -> FloatArray:
    rows = memberships.rows(0, memberships.n_objects)
    return np.asarray(rows if isinstance(rows, np.ndarray) else rows.toarray(), np.float64)


def _read_weights(weights: ArrayLike | None, n_partitions: int) -> FloatArray:
    if weights is None:
        return np.ones(n_partitions)
    if isinstance(weights, str | Mapping):
        msg = f"weights must be an array of numbers, got {shortened(weights)}"
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
    is_known = ensemble.kinds >= 0
    for number, one in enumerate(ensemble.member_of.tolist()):
        if len(ensemble.cell_of) and not is_known[one].any():
            msg = f"{titles[number]} must have an object that is not left out, got none"
            raise ValueError(msg)
    if is_known.all(axis=1).any():
        return
    shared = coo_array(is_known)
    n_nodes = sum(is_known.shape)
    edges = shared.row.astype(np.int32), (shared.col + len(is_known)).astype(np.int32)
    graph = coo_array((shared.data, edges), (n_nodes, n_nodes))
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
