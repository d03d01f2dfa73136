"""From two arguments to counts: what kind they are, and how it is counted.

What is counted elsewhere than in the labels of all objects, as dask collections are on their
workers, has its place in ``count_any``; a new kind of labels or memberships is read by
``_partition``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._kernels import count_pair
from sklearn_clustcompare._partition import (
    DEFAULT,
    NAMES,
    Labels,
    Partition,
    Reading,
    read,
    read_labels,
    read_pair,
    read_weights,
)
from sklearn_clustcompare._partition.forms import plain
from sklearn_clustcompare._partition.ids import check_same_objects, index_of
from sklearn_clustcompare._partition.labels import encode
from sklearn_clustcompare._partition.noise import warn_of_other_noise, weigh_noise
from sklearn_clustcompare._partition.validation import is_weightless
from sklearn_clustcompare._table.counts import Counts
from sklearn_clustcompare._table.dask import is_dask, sum_of_blocks
from sklearn_clustcompare._table.overlap import SoftSides, overlap, side_labels


def count_any(
    first: Any,
    second: Any,
    sample_weight: Any = None,
    reading: Reading = DEFAULT,
    names: tuple[str, str] = NAMES,
    *,
    how: Callable[..., Partition] = read,
    moments: bool = False,
    n_jobs: int | None = None,
) -> Counts:
    """Count two partitions in any form that was not counted yet; ``how`` they are read."""
    if type(first) is type(second) is np.ndarray and sample_weight is None:
        packed = count_pair(first, second)
        if packed is not None:
            return Counts(packed).treated(reading, names)
    if is_dask(first, second, sample_weight):
        check_same_objects(index_of(first), index_of(second), names)
        first, second, sample_weight = map(plain, (first, second, sample_weight))
        blocks = {names[0]: first, names[1]: second, "sample_weight": sample_weight}
        if max(getattr(side, "ndim", 1) for side in (first, second)) == 1:
            count_block = functools.partial(count_labels, missing=reading.missing)
            return sum_of_blocks(count_block, blocks).treated(reading, names)
        count_block = functools.partial(
            count_any, reading=reading, names=names, how=how, moments=moments
        )
        return sum_of_blocks(count_block, blocks)
    true, pred = read_pair(first, second, names, reading, how)
    weights = read_weights(sample_weight, true)
    return count_partitions(true, pred, weights, reading, moments=moments, n_jobs=n_jobs)


def count_labels(first: Any, second: Any, sample_weight: Any = None, *, missing: str) -> Counts:
    """Count a part of two labelings, whose noise is treated in the sum of all parts."""
    return count_any(first, second, sample_weight, Reading(missing=missing), how=read_labels)


def count_partitions(
    true: Partition,
    pred: Partition,
    weights: NDArray[Any] | None = None,
    reading: Reading = DEFAULT,
    *,
    moments: bool = False,
    n_jobs: int | None = None,
) -> Counts:
    """Count two partitions and weights that were already read, of the same objects."""
    if isinstance(true, Labels) and isinstance(pred, Labels):
        counts = Counts.of_labels(true, pred, weights).treated(
            reading, (true.name, pred.name), (true.is_named, pred.is_named)
        )
    else:
        counts = _count_memberships(true, pred, weights, reading, moments, n_jobs)
    if not counts.packed.n_cells and is_weightless(weights):
        return counts._replace(is_weightless=True)
    return counts


def _count_memberships(
    true: Partition,
    pred: Partition,
    weights: NDArray[Any] | None,
    reading: Reading,
    moments: bool,
    n_jobs: int | None,
) -> Counts:
    n_objects = true.n_objects
    weights, n_dropped = weigh_noise((true, pred), weights, reading)
    first, second = (
        side.compact()[0] if isinstance(side, Labels) else side for side in (true, pred)
    )
    for side in (first, second):
        if isinstance(side, Labels):
            warn_of_other_noise(side, reading)
    sums = overlap(first, second, weights, moments, n_jobs)
    return counts_of_products(
        sums.product,
        (first, second),
        SoftSides(sums.true, sums.pred),
        float(n_objects if weights is None else weights.sum()),
        reading,
        n_dropped,
    )


def counts_of_products(
    product: Any,
    sides: tuple[Partition, Partition],
    soft: SoftSides,
    total: float,
    reading: Reading,
    n_dropped: Any = 0,
) -> Counts:
    """Make the table of the sums of products of memberships; labels must be compact.

    ``total`` is the number of objects, or their weight.
    """
    if reading.possibilistic:
        soft = soft._replace(mass=float(product.sum()))
        if total and not soft.mass:
            msg = (
                f"{sides[0].name} and {sides[1].name} must share objects, but no object has "
                "memberships above 0 on both sides"
            )
            raise ValueError(msg)
        product = soft.scaled(product, total)
    cells = product.nonzero()
    true, pred = (
        encode(side_labels(side), side.name).take(codes)
        for side, codes in zip(sides, cells, strict=True)
    )
    counts = np.asarray(product[cells], np.float64).ravel()
    return Counts.of_labels(true, pred, counts, n_dropped, soft)
