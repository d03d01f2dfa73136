"""Soft partitions: memberships of objects in clusters, and what is summed over the objects.

A soft partition is an array U of shape (n_samples, n_clusters), dense or sparse. Everything that
is computed from two of them is a sum over the objects, so that it is taken block by block: each
block is checked, converted and multiplied while it lies in cache, and nothing of the size of
the input is ever made.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy import sparse

from sklearn_clustcompare._partition.labels import Encoding, encode_together
from sklearn_clustcompare._partition.rows import RowRule, as_membership_array
from sklearn_clustcompare._partition.validation import as_unique_labels

# Numbers in a block of a dense array: two blocks fit into the cache.
_BLOCK_SIZE = 2**15
# Objects per task: results do not depend on the number of jobs.
_TASK_ROWS = 2**18


class Memberships(NamedTuple):
    """One soft partition: ``values[k, i]`` is the degree to which object k is in cluster i."""

    values: Any
    labels: NDArray[Any]
    name: str

    def rows(self, start: int, stop: int) -> Any:
        return self.values[start:stop]


class CrispMemberships(NamedTuple):
    """One crisp partition in the place of a soft one: each object has one code."""

    codes: NDArray[np.int64]
    labels: NDArray[Any]

    @classmethod
    def from_encoding(cls, encoding: Encoding) -> CrispMemberships:
        occurring, codes = np.unique(encoding.zero_based(), return_inverse=True)
        return cls(codes, encoding.labels_of(occurring))

    def rows(self, start: int, stop: int) -> Any:
        codes = self.codes[start:stop]
        shape = (len(codes), len(self.labels))
        return sparse.csr_array((np.ones(len(codes)), codes, np.arange(len(codes) + 1)), shape)


class MembershipMoments(NamedTuple):
    """Sums over the objects k of products of their memberships ``u_k`` in the clusters i.

    ``sizes`` are the sums of ``u_ki``, ``gram`` those of ``u_ki u_kj`` (sparse), ``cubes`` those of
    ``|u_k|^2 u_ki`` and ``fourth`` that of ``|u_k|^4``. All of them add up over disjoint sets of
    objects. ``labels`` name the clusters.
    """

    labels: NDArray[Any]
    sizes: NDArray[np.float64]
    gram: sparse.csr_array
    cubes: NDArray[np.float64]
    fourth: float

    @classmethod
    def of_sizes(cls, labels: NDArray[Any], sizes: NDArray[Any]) -> MembershipMoments:
        """Return the moments of a crisp partition with these cluster sizes."""
        masses = np.asarray(sizes, np.float64)
        gram = sparse.csr_array(sparse.diags(masses))
        return cls(labels, masses, gram, masses, float(masses.sum()))

    def __add__(self, other: MembershipMoments) -> MembershipMoments:  # type: ignore[override]
        together = encode_together(self.labels, other.labels)
        codes, n_codes = together.zero_based(), together.n_codes
        first, second = np.split(codes, [len(self.labels)])
        grams = [sparse.coo_array(self.gram), sparse.coo_array(other.gram)]
        rows = np.append(first[grams[0].row], second[grams[1].row])
        cols = np.append(first[grams[0].col], second[grams[1].col])
        values = np.append(grams[0].data, grams[1].data)
        sizes: Any = np.bincount(codes, np.append(self.sizes, other.sizes), n_codes)
        cubes: Any = np.bincount(codes, np.append(self.cubes, other.cubes), n_codes)
        return MembershipMoments(
            together.labels_of(np.arange(n_codes)),
            sizes,
            sparse.csr_array((values, (rows, cols)), shape=(n_codes, n_codes)),
            cubes,
            self.fourth + other.fourth,
        )


class Overlap(NamedTuple):
    """Sums over a set of objects: ``product[i, j]`` is the sum of ``u_ki v_kj``."""

    product: Any
    true: MembershipMoments | None
    pred: MembershipMoments | None


def as_memberships(values: Any, name: str) -> Memberships:
    """Take an array of memberships as it is; its rows are judged block by block later."""
    labels = getattr(values, "columns", None)
    array = as_membership_array(values, name)
    n_clusters = array.shape[1]
    if labels is None:
        return Memberships(array, np.arange(n_clusters), name)
    names = as_unique_labels(labels, n_clusters, f"columns of {name}", "columns")
    return Memberships(array, names, name)


def as_crisp(memberships: Memberships) -> Encoding | None:
    """Return memberships of 0 and 1 as labels, or None if some object has another share."""
    values = memberships.values
    n_clusters = len(memberships.labels)
    codes = []
    for start, stop in _ranges(values.shape[0], _rows_per_block(values)):
        block = values[start:stop]
        ones = block == 1
        rows, cols = ones.nonzero()
        # One in each row, and nothing else.
        if not np.array_equal(rows, np.arange(stop - start)) or _count_nonzero(block) != len(rows):
            return None
        codes.append(cols)
    return Encoding(np.concatenate(codes), 0, n_clusters, memberships.labels)


def overlap(
    true: Memberships | CrispMemberships,
    pred: Memberships | CrispMemberships,
    weights: NDArray[Any] | None,
    rule: RowRule,
    with_moments: bool,
    n_objects: int,
    n_jobs: int | None,
) -> Overlap:
    """Sum products of memberships over all objects; ``rule`` judges the rows of each block."""
    tasks = (
        delayed(_overlap_of_rows)(true, pred, weights, rule, with_moments, start, stop)
        for start, stop in _ranges(n_objects, _TASK_ROWS)
    )
    # Matrix products release the GIL, and threads need no copy of the memberships.
    product, *moments = _total(Parallel(n_jobs=n_jobs, require="sharedmem")(tasks))
    return Overlap(
        product,
        *(one and one._replace(gram=sparse.csr_array(one.gram)) for one in moments),
    )


def _overlap_of_rows(
    true: Memberships | CrispMemberships,
    pred: Memberships | CrispMemberships,
    weights: NDArray[Any] | None,
    rule: RowRule,
    with_moments: bool,
    start: int,
    stop: int,
) -> Overlap:
    step = min(_rows_per_block(true.rows(0, 0)), _rows_per_block(pred.rows(0, 0)))
    return _total(
        _overlap_of_block(true, pred, weights, rule, with_moments, first, last)
        for first, last in _ranges(stop, step, start)
    )


def _overlap_of_block(
    true: Memberships | CrispMemberships,
    pred: Memberships | CrispMemberships,
    weights: NDArray[Any] | None,
    rule: RowRule,
    with_moments: bool,
    start: int,
    stop: int,
) -> Overlap:
    first, second = (
        rule(_as_float64(side.rows(start, stop)), side.values.dtype, side.name, start)
        if isinstance(side, Memberships)
        else side.rows(start, stop)
        for side in (true, pred)
    )
    some = None if weights is None else weights[start:stop]
    product = _weighted(first, some).T @ second
    if not with_moments:
        return Overlap(product, None, None)
    moments = (_moments(side.labels, u, some) for side, u in ((true, first), (pred, second)))
    return Overlap(product, *moments)


def _moments(labels: NDArray[Any], u: Any, weights: NDArray[Any] | None) -> MembershipMoments:
    weighted = _weighted(u, weights)
    # Products with ones add up rows and columns several times faster than sums along an axis.
    squares = np.asarray((u * u) @ np.ones(u.shape[1])).ravel()
    return MembershipMoments(
        labels,
        np.asarray(np.ones(u.shape[0]) @ weighted).ravel(),
        # A copy, as NumPy's road for a matrix with its own transpose is slow for few columns.
        weighted.T @ u.copy(),
        squares @ weighted,
        float(squares @ (squares if weights is None else squares * weights)),
    )


def _total(parts: Iterable[Overlap]) -> Overlap:
    """Add up the sums of blocks, in their order."""
    return functools.reduce(
        lambda total, part: Overlap(
            total.product + part.product,
            _add_aligned(total.true, part.true),
            _add_aligned(total.pred, part.pred),
        ),
        parts,
    )


def _add_aligned(
    first: MembershipMoments | None, second: MembershipMoments | None
) -> MembershipMoments | None:
    if first is None or second is None:
        return None
    return first._replace(
        sizes=first.sizes + second.sizes,
        gram=first.gram + second.gram,
        cubes=first.cubes + second.cubes,
        fourth=first.fourth + second.fourth,
    )


# --------------------------------------------------------------------------- sparse or dense


def _rows_per_block(values: Any) -> int:
    if sparse.issparse(values):
        return _TASK_ROWS
    return max(_BLOCK_SIZE // max(values.shape[1], 1), 1)


def _ranges(stop: int, step: int, start: int = 0) -> list[tuple[int, int]]:
    """Return the ranges of rows, and one without rows where there are no objects at all."""
    return [(at, min(at + step, stop)) for at in range(start, max(stop, start + 1), step)]


def _as_float64(block: Any) -> Any:
    return block if block.dtype == np.float64 else block.astype(np.float64)


def _weighted(block: Any, weights: NDArray[Any] | None) -> Any:
    if weights is None:
        return block
    if sparse.issparse(block):
        return sparse.csr_array(sparse.diags(weights.astype(np.float64)) @ block)
    return block * weights[:, np.newaxis]


def _count_nonzero(block: Any) -> int:
    return int(block.count_nonzero() if sparse.issparse(block) else np.count_nonzero(block))
