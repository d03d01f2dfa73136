"""Sums of products of memberships over the objects, also in blocks of dask arrays."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterable
from functools import partial, reduce
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from sklearn_clustcompare._array_types import Array
from sklearn_clustcompare._partition.arrays import check_same_length
from sklearn_clustcompare._partition.memberships import (
    BLOCK_ROWS,
    MembershipMoments,
    Memberships,
    Partition,
    row_blocks,
)

# Objects whose products are added up first, then added to those of others, to lose fewer digits.
_TASK_ROWS = BLOCK_ROWS


class SoftSides(NamedTuple):
    """Data of a table of memberships beyond its cells.

    The moments of both sides, if they were kept; and for possibilistic memberships the ``mass``,
    the sum of all products, which is scaled to the number of objects.
    """

    true: MembershipMoments | None
    pred: MembershipMoments | None
    mass: float | None = None

    @classmethod
    def of_sizes(cls, labels: Iterable[Array], sizes: Iterable[Array]) -> SoftSides:
        """Return those of a crisp table, of the labels and the cluster sizes of both sides."""
        true, pred = map(MembershipMoments.of_sizes, labels, sizes)
        return cls(true, pred)

    @property
    def T(self) -> SoftSides:
        return SoftSides(self.pred, self.true, self.mass)

    def plus(self, other: SoftSides, totals: tuple[Any, Any] = (0, 0)) -> SoftSides:
        """Add those of other objects; ``totals`` are the numbers of objects of both."""
        masses = [side.mass or float(n) for side, n in zip((self, other), totals, strict=True)]
        return SoftSides(
            self.true and other.true and self.true + other.true,
            self.pred and other.pred and self.pred + other.pred,
            None if self.mass is other.mass is None else sum(masses),
        )

    def scaled(self, counts: Array, total: Any) -> Array:
        """Scale sums of products to the number of objects, or to their weight."""
        return counts * (total / self.mass) if self.mass else counts

    def unscaled(self, counts: Array, total: Any) -> Array:
        """Return the sums of products that were scaled."""
        return counts * (self.mass / total) if self.mass else counts


# Sums over a set of objects: the matrix of those of ``u_ki v_kj``, and the moments.
Overlap = tuple[Any, SoftSides]


class _Task(NamedTuple):
    """Arguments of one sum: labels are compact, and the moments of a side are optional."""

    true: Partition
    pred: Partition
    weights: Array | None
    with_moments: tuple[bool, bool]


def overlap(
    true: Partition,
    pred: Partition,
    weights: Array | None,
    with_moments: bool,
) -> tuple[Any, SoftSides]:
    """Sum products of memberships over all objects, and check rows that were not checked before.

    Moments of a soft partition without weights are stored with it: for a reference compared with
    many candidates they are summed once.
    """
    known = [
        side.moments if weights is None and isinstance(side, Memberships) else None
        for side in (true, pred)
    ]
    missing = [with_moments and one is None for one in known]
    task = _Task(true, pred, weights, (missing[0], missing[1]))
    parts = row_blocks(true.n_objects, _TASK_ROWS)
    product, summed = _total(_overlap_of_rows(task, *part) for part in parts)
    moments = [
        (new and new._replace(gram=sparse.csr_array(new.gram))) or old
        for new, old in zip(summed[:2], known, strict=True)
    ]
    for side, one in zip((true, pred), moments, strict=True):
        if isinstance(side, Memberships):
            side.is_judged = True
            if weights is None:
                side.moments = one
    return product, SoftSides(*(moments if with_moments else (None, None)))


def _overlap_of_rows(task: _Task, start: int, stop: int) -> Overlap:
    steps = [
        side.rows_per_block for side in (task.true, task.pred) if isinstance(side, Memberships)
    ]
    return _total(
        _overlap_of_block(task, first, last) for first, last in row_blocks(stop, min(steps), start)
    )


def _overlap_of_block(task: _Task, start: int, stop: int) -> Overlap:
    first, second = (_block(side, start, stop) for side in (task.true, task.pred))
    weights = None if task.weights is None else task.weights[start:stop]
    true, pred = (
        _moments(side, block, weights) if with_moments else None
        for side, block, with_moments in zip(
            task[:2], (first, second), task.with_moments, strict=True
        )
    )
    return _weighted(first, weights).T @ second, SoftSides(true, pred)


def _block(side: Partition, start: int, stop: int) -> Any:
    block = side.rows(start, stop)
    return block.toarray() if isinstance(side, Memberships) and side.is_full else block


def _moments(side: Partition, u: Any, weights: Array | None) -> MembershipMoments:
    weighted = _weighted(u, weights)
    # Products with ones add up rows and columns several times faster than sums along an axis.
    squares = np.asarray((u * u) @ np.ones(u.shape[1])).ravel()
    return MembershipMoments(
        side_labels(side),
        np.asarray(np.ones(u.shape[0]) @ weighted).ravel(),
        # A copy, since NumPy's product of a matrix with its own transpose is slow for few columns.
        weighted.T @ u.copy(),
        squares @ weighted,
        float(squares @ (squares if weights is None else squares * weights)),
    )


def side_labels(side: Partition) -> Array:
    """Return the names of the clusters; labels must be compact."""
    return side.labels if isinstance(side, Memberships) else side.labels_of(np.arange(side.n_codes))


def _total(parts: Iterable[Overlap]) -> Overlap:
    """Add up the sums of blocks, in their order."""
    return reduce(lambda total, part: (total[0] + part[0], total[1].plus(part[1])), parts)


def _weighted(block: Any, weights: Array | None) -> Any:
    if weights is None:
        return block
    if sparse.issparse(block):
        return sparse.csr_array(sparse.diags(weights.astype(np.float64)) @ block)
    return block * weights[:, np.newaxis]


_TABLES_PER_SUM = 16


# Counts of dask collections: of each block, added up in a tree by dask's scheduler.
#
# dask is imported only if a dask collection is passed, and only counts are sent from the blocks.


def is_dask(*values: Any) -> bool:
    """Return whether any of the arguments is a dask collection, or contains one."""
    dask = sys.modules.get("dask.base")  # imported by whoever makes a collection
    return dask is not None and any(map(dask.is_dask_collection, values))


def sum_of_blocks(count: Callable[..., Any], collections: dict[str, Any]) -> Any:
    """Call ``count(*blocks)`` for the blocks of each position, and add the results up.

    ``collections`` are dask arrays and Series by the name of the argument; None is ignored.
    """
    from dask.delayed import delayed

    given = {name: value for name, value in collections.items() if value is not None}
    for name, value in given.items():
        _check_collection(name, value, list(given))
    # A block of memberships has all columns.
    given = {
        name: value.rechunk({1: -1}) if hasattr(value, "rechunk") and value.ndim == 2 else value
        for name, value in given.items()
    }
    blocks = [_delayed_blocks(value) for value in _with_equal_blocks(given).values()]
    one_table, total = delayed(partial(_count_block, count)), delayed(partial(reduce, operator.add))
    tables = [one_table(number, *parts) for number, parts in enumerate(zip(*blocks, strict=True))]
    while len(tables) > 1:
        tables = [
            total(tables[start : start + _TABLES_PER_SUM])
            for start in range(0, len(tables), _TABLES_PER_SUM)
        ]
    return tables[0].compute()


def _count_block(count: Callable[..., Any], number: int, *blocks: Any) -> Any:
    """Count one block, and name it if that fails."""
    try:
        return count(*blocks)
    except (TypeError, ValueError) as error:
        error.add_note(f"in block {number} of the dask collections, counted from its start")
        raise


def _check_collection(name: str, value: Any, names: list[str]) -> None:
    if not is_dask(value):
        msg = (
            f"{' and '.join(names)} must all be dask collections or none of them, "
            f"got {type(value).__name__} for {name}"
        )
        raise TypeError(msg)
    if getattr(value, "ndim", None) not in (1, 2):
        msg = (
            f"{name} must be a dask array or Series of one dimension, or of two for memberships, "
            f"got {type(value).__name__} of {getattr(value, 'ndim', 'no')} dimension(s)"
        )
        raise ValueError(msg)


def _with_equal_blocks(given: dict[str, Any]) -> dict[str, Any]:
    """Divide all collections into the blocks of the first, if these are known."""
    (first_name, first), *others = given.items()
    cut = {first_name: first}
    for name, value in others:
        cut[name] = _cut_like(first, value, (first_name, name))
        if _n_blocks(cut[name]) != _n_blocks(first):
            msg = (
                f"{first_name} and {name} must have equal numbers of blocks, unless both lengths "
                f"are known, got {_n_blocks(first)} and {_n_blocks(value)}: take columns of one "
                "DataFrame, or call compute_chunk_sizes() of both arrays"
            )
            raise ValueError(msg)
    return cut


def _cut_like(first: Any, value: Any, names: tuple[str, str]) -> Any:
    if _is_known_array(first) and _is_known_array(value):
        check_same_length(first.shape[0], value.shape[0], names)
        return value.rechunk({0: first.chunks[0]})
    if _has_divisions(first) and _has_divisions(value):
        old, new = value.divisions, first.divisions
        if (old[0], old[-1]) != (new[0], new[-1]):
            msg = (
                f"{names[0]} and {names[1]} must have the same range of the index, "
                f"got {new[0]} to {new[-1]} and {old[0]} to {old[-1]}"
            )
            raise ValueError(msg)
        return value.repartition(divisions=new) if old != new else value
    return value


def _is_known_array(value: Any) -> bool:
    # An unknown length is NaN.
    return hasattr(value, "rechunk") and not math.isnan(value.shape[0])


def _has_divisions(value: Any) -> bool:
    return bool(getattr(value, "known_divisions", False))


def _n_blocks(value: Any) -> int:
    return int(value.numblocks[0] if hasattr(value, "numblocks") else value.npartitions)


def _delayed_blocks(value: Any) -> list[Any]:
    blocks = value.to_delayed()
    return list(blocks.ravel() if hasattr(blocks, "ravel") else blocks)
