"""Draws under the null hypothesis, in tasks that do not depend on the number of workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state

from sklearn_clustcompare._chance.permutation import permutation_model
from sklearn_clustcompare._partition.labels import encode
from sklearn_clustcompare._partition.rows import as_membership_array, is_membership_array
from sklearn_clustcompare._partition.validation import as_sample_weight
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.reading import tabulate

# Standardized values that are closer than this, in standard deviations, count as ties.
_TIE = 1e-9
_MAX_SEED = 2**31 - 1
# Draws that one task makes from one seed.
_DRAWS_PER_TASK = 100
# Random tables are drawn whole up to this many cells; beyond, the objects are permuted.
_MAX_DRAWN_CELLS = 2**16

# Makes a number of random tables from a seed.
Draw = Callable[[int, int], Iterator[ContingencyTable]]


def null_tables(
    table: ContingencyTable,
    labels_true: Any,
    labels_pred: Any,
    sample_weight: ArrayLike | None,
    *,
    possibilistic: bool = False,
    moments: bool = False,
) -> Draw:
    """Return the null model of a table, or of the soft partitions it was made from."""
    if table.soft is None:
        return partial(_random_tables, table)
    true, pred = _objects(labels_true, "labels_true"), _objects(labels_pred, "labels_pred")
    if sample_weight is not None:
        weights = as_sample_weight(sample_weight, true.shape[0])
        if weights.dtype.kind != "i":
            msg = (
                "sample_weight must hold whole frequencies to permute the objects of soft "
                f"partitions, got {weights[weights != np.floor(weights)][0]:g}"
            )
            raise ValueError(msg)
        repeated = np.repeat(np.arange(len(weights)), weights)
        true, pred = true[repeated], pred[repeated]
    return partial(_permuted_tables, true, pred, possibilistic, moments)


def null_values(
    draw: Draw,
    function: Callable[[ContingencyTable], float],
    n_resamples: int,
    random_state: Any,
    n_jobs: int | None,
) -> NDArray[np.float64]:
    """Return values of a function for random tables."""
    return in_parallel(partial(_values, draw, function), n_resamples, random_state, n_jobs)


def count_as_far(drawn: NDArray[np.float64], value: float) -> int:
    """Count the draws that are at least the value, both standardized; rounding is no difference.

    Equal tables but for the order of their cells are equally far, which rounding must not deny.
    """
    tie = _TIE * max(1.0, abs(value))
    return int(np.count_nonzero(drawn >= value - tie))


def in_parallel(
    draw: Callable[[int, int], NDArray[np.float64]],
    n_resamples: int,
    random_state: Any,
    n_jobs: int | None,
) -> NDArray[np.float64]:
    """Join the results of ``draw(size, seed)``."""
    sizes = [
        min(_DRAWS_PER_TASK, n_resamples - start)
        for start in range(0, n_resamples, _DRAWS_PER_TASK)
    ]
    if isinstance(random_state, np.random.Generator):
        seeds = random_state.integers(_MAX_SEED, size=len(sizes))
    else:
        seeds = check_random_state(random_state).randint(_MAX_SEED, size=len(sizes))
    tasks = (delayed(draw)(size, seed) for size, seed in zip(sizes, seeds.tolist(), strict=True))
    return np.concatenate(Parallel(n_jobs=n_jobs)(tasks))


def _values(
    draw: Draw, function: Callable[[ContingencyTable], float], size: int, seed: int
) -> NDArray[np.float64]:
    return np.array([function(table) for table in draw(size, seed)])


def _random_tables(table: ContingencyTable, size: int, seed: int) -> Iterator[ContingencyTable]:
    model = permutation_model(table)
    if table.shape[0] * table.shape[1] <= _MAX_DRAWN_CELLS:
        return map(ContingencyTable.from_counts, model.rvs(size, seed))
    generator = np.random.RandomState(seed)
    rows = np.repeat(np.arange(table.shape[0]), table.row_sums)
    cols = np.repeat(np.arange(table.shape[1]), table.col_sums)
    return (ContingencyTable.from_labels(rows, generator.permutation(cols)) for _ in range(size))


def _permuted_tables(
    true: Any, pred: Any, possibilistic: bool, moments: bool, size: int, seed: int
) -> Iterator[ContingencyTable]:
    generator = np.random.RandomState(seed)
    orders = (generator.permutation(pred.shape[0]) for _ in range(size))
    return (
        tabulate(true, pred[order], possibilistic=possibilistic, moments=moments)
        for order in orders
    )


def _objects(partition: Any, name: str) -> Any:
    """Return memberships, or labels as integers, by object."""
    if is_membership_array(partition):
        return as_membership_array(partition, name)
    return encode(partition, name).zero_based()
