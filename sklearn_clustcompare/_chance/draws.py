"""Draws under the null hypothesis in reproducible tasks, of blocks and of groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple, Protocol

import numpy as np

from sklearn_clustcompare._array_types import FloatArray, IntArray, Positions
from sklearn_clustcompare._chance.functions import InformationTerms, PairCounts, transposed
from sklearn_clustcompare._chance.objects import PermutedObjects
from sklearn_clustcompare._chance.permutation import PermutationModel, permutation_model
from sklearn_clustcompare._chance.random_models import RandomModel
from sklearn_clustcompare._kernels import pack_table
from sklearn_clustcompare._parameters import random_source
from sklearn_clustcompare._partition import (
    Labels,
    Partition,
    Reading,
    read_beside,
    read_pair,
    read_weights,
)
from sklearn_clustcompare._partition.arrays import check_whole_weights
from sklearn_clustcompare._partition.memberships import left_out
from sklearn_clustcompare._table import ContingencyTable, count, count_read, has_objects
from sklearn_clustcompare._table.cell_sums import CellSum, Squares
from sklearn_clustcompare._table.counts import KnownMargins, Margins, SquareSums
from sklearn_clustcompare._tasks import Prefer, n_workers, progress, run_tasks

_MAX_SEED = 2**31 - 1
# Number of draws per task and seed.
_DRAWS_PER_TASK = 100
# The same if draws end early.
_DRAWS_PER_LOOK = 20
# Random tables are drawn whole up to this many cells; beyond, the objects are permuted.
_MAX_DRAWN_CELLS = 2**16
# This many objects are neither permuted nor drawn; sums of squares of fewer hold in int64.
_MAX_OBJECTS = 2**31


class ModelTables(NamedTuple):
    """Tables of a model with random cluster sizes."""

    model: RandomModel

    def draw(self, size: int, seed: int) -> Iterator[ContingencyTable]:
        generator = np.random.RandomState(seed)
        for row_sums, col_sums in self.model.draw_sizes(size, generator):
            if len(row_sums) * len(col_sums) <= _MAX_DRAWN_CELLS:
                (dense,) = PermutationModel(row_sums, col_sums).rvs(1, generator)
                yield ContingencyTable._of_dense(dense)
            else:
                yield from _permuted_tables(row_sums, col_sums, generator)

    def draw_pairs(self, size: int, seed: int) -> Iterator[Margins]:
        return self.draw(size, seed)


class NullModel(NamedTuple):
    """A table, and the source of random tables with its margins.

    For whole counts the source is the margins of the table. For soft partitions it is the objects
    of both sides, of which those of one side are permuted, as it is ``within`` "blocks", whose
    ``margins`` may be known, or in "groups".
    """

    table: ContingencyTable
    objects: PermutedObjects | None = None
    within: str = ""
    margins: BlockMargins | None = None

    @classmethod
    def read(
        cls,
        labels_true: Any,
        labels_pred: Any,
        sample_weight: Any,
        reading: Reading,
        *,
        blocks: Any = None,
        groups: Any = None,
        draws_moments: bool,
    ) -> NullModel:
        """Read the user's input.

        The tables drawn have the moments of memberships if ``draws_moments``. The table itself also
        has them if the moments of an index under permutation may follow from them.
        """
        within = "blocks" if blocks is not None else "groups" if groups is not None else ""
        if labels_pred is None or not has_objects(labels_true, labels_pred):
            if within:
                msg = (
                    f"{within} must be None unless labels_true and labels_pred are labels or "
                    f"memberships: a ContingencyTable does not hold the {within} of its objects"
                )
                raise TypeError(msg)
            return cls(count(labels_true, labels_pred, sample_weight, reading))
        true, pred = read_pair(labels_true, labels_pred, reading=reading)
        if within:
            codes = read_beside(true, blocks if groups is None else groups, within)
        moments = draws_moments or not (within or reading.possibilistic)
        table = count(true, pred, sample_weight, reading, moments=moments)
        if not within and table.soft is None:
            return cls(table)
        weights = frequencies_of(true, pred, sample_weight, reading)
        if not within:
            left = Reading(possibilistic=reading.possibilistic)
            objects = PermutedObjects.of(true, [pred], weights, left, moments=draws_moments)
            return cls(table, objects)
        if groups is not None:
            objects = PermutedObjects.in_groups(
                true, [pred], codes, weights, reading, either_side=True, moments=draws_moments
            )
            return cls(table, objects, within)
        kept = np.flatnonzero(weights)
        sides, weights = (true.take(kept), pred.take(kept)), weights[kept]
        block = codes.take(kept).compact()[0].codes
        objects = PermutedObjects.of(
            sides[0], [sides[1]], weights, reading, block, moments=draws_moments
        )
        return cls(table, objects, within, BlockMargins.of(sides, weights, block, reading))

    def draw(self, size: int, seed: int) -> Iterator[ContingencyTable]:
        """Draw random tables from a seed."""
        if self.objects is not None:
            return (table for (table,) in self.objects.draw(size, seed))
        if self.table.soft is None:
            return self._random_tables(size, seed)
        msg = (
            "a ContingencyTable of memberships holds no objects that could be permuted: pass "
            "the memberships themselves, got a table alone"
        )
        raise ValueError(msg)

    def draw_pairs(self, size: int, seed: int) -> Iterator[Margins]:
        """Draw what an index of pairs is a function of."""
        table = self.table
        if self.n_permuted:
            return iter(self.draw(size, seed))
        drawn = permutation_model(table).rvs(size, seed).reshape(size, -1)
        _, rows, cols = table.square_sums
        return (
            KnownMargins.of_squares(table.n_samples, SquareSums(cells, rows, cols))
            for cells in np.einsum("ij,ij->i", drawn, drawn).tolist()
        )

    @property
    def n_permuted(self) -> int:
        """The number of objects that a draw permutes: none if it draws all cells."""
        return int(self.table.n_samples) if self.within else n_permuted(self.table)

    def _random_tables(self, size: int, seed: int) -> Iterator[ContingencyTable]:
        table = self.table
        model = permutation_model(table)
        labels = table.row_labels, table.col_labels
        if not n_permuted(table):
            drawn = model.rvs(size, seed)
            return (ContingencyTable._of(pack_table(one), labels) for one in drawn)
        generator = np.random.RandomState(seed)
        return _permuted_tables(table.row_sums, table.col_sums, generator, size)


def n_permuted(table: ContingencyTable) -> int:
    """Return how many objects are permuted to draw a table with the margins of another one."""
    n_cells = table.shape[0] * table.shape[1]
    is_drawn_whole = n_cells <= _MAX_DRAWN_CELLS or table.n_samples >= _MAX_OBJECTS
    return 0 if table.soft is None and is_drawn_whole else int(table.n_samples)


def _permuted_tables(
    row_sums: IntArray, col_sums: IntArray, generator: np.random.RandomState, size: int = 1
) -> Iterator[ContingencyTable]:
    rows, cols = (np.repeat(np.arange(len(sums)), sums) for sums in (row_sums, col_sums))
    fixed = Labels.of_codes(rows)
    for _ in range(size):
        yield count_read(fixed, Labels.of_codes(generator.permutation(cols)))


def frequencies_of(
    true: Partition, pred: Partition, sample_weight: Any, reading: Reading
) -> IntArray:
    """Return how often each object occurs; 0 for dropped noise."""
    weights = read_weights(sample_weight, true)
    if weights is None:
        weights = np.ones(true.n_objects, np.int64)
    check_whole_weights(weights, "to permute the objects of soft partitions")
    return np.where(left_out(true, reading) | left_out(pred, reading), 0, weights)


class DrawnValues(Protocol):
    """Source of values of random tables."""

    def draw(self, size: int, seed: int) -> FloatArray:
        """Draw from a seed; one row a table."""


class TableValues(NamedTuple):
    """Values of a function of a table, defined in a module."""

    model: NullModel | ModelTables
    function: Callable[..., Any]
    parameters: dict[str, Any]
    sees_pairs: bool

    def draw(self, size: int, seed: int) -> FloatArray:
        function, parameters = self.function, self.parameters
        if self.sees_pairs:
            drawn = self.model.draw_pairs(size, seed)
            values = [function(one.square_sums, one, **parameters) for one in drawn]
            return np.array(values, np.float64)
        tables = self.model.draw(size, seed)
        return np.array([function(table, **parameters) for table in tables], np.float64)


class CellSums(NamedTuple):
    """Sums of a function of a cell and of both cluster sizes, in any order of the clusters."""

    row_sums: IntArray
    col_sums: IntArray
    function: Callable[..., Any]

    @classmethod
    def of(
        cls,
        row_sums: IntArray,
        col_sums: IntArray,
        function: Callable[..., Any],
    ) -> CellSums:
        """Sort the clusters, and put the side with fewer clusters first."""
        rows, cols = np.sort(row_sums), np.sort(col_sums)
        if (len(rows), rows.tolist()) > (len(cols), cols.tolist()):
            return cls(cols, rows, transposed(function))
        return cls(rows, cols, function)

    def draw(self, size: int, seed: int) -> FloatArray:
        rows, cols = self.row_sums, self.col_sums
        if len(rows) * len(cols) > _MAX_DRAWN_CELLS and rows.sum() < _MAX_OBJECTS:
            generator, total = np.random.RandomState(seed), CellSum(self.function)
            permuted = _permuted_tables(rows, cols, generator, size)
            return np.array([total(one) for one in permuted], np.float64)
        tables = PermutationModel(rows, cols).rvs(size, seed)
        if isinstance(self.function, InformationTerms):  # one value for each count
            each = np.arange(int(tables.max(initial=0)) + 1, dtype=np.float64)
            return np.asarray(self.function(each, each, each)[tables].sum(axis=(1, 2)))
        sizes = np.meshgrid(rows.astype(np.float64), cols.astype(np.float64), indexing="ij")
        counts = tables.astype(np.float64)
        if isinstance(self.function, Squares):
            weights = 1.0 / self.function.divisor(*sizes)
            return np.asarray(np.einsum("kij,kij,ij->k", counts, counts, weights))
        return np.array([self.function(table, *sizes).sum() for table in counts])


def drawn_values(
    source: DrawnValues,
    n_resamples: int,
    random_state: Any,
    n_jobs: int | None,
    *,
    prefer: Prefer,
    enough: Callable[[FloatArray], bool] | None = None,
    verbose: Any = 0,
) -> FloatArray:
    """Return the values of ``n_resamples`` random tables, or of the first that are enough.

    They are drawn in blocks, each with its own seed, and looked at in the order of the blocks: the
    result does not depend on the number of workers. ``prefer`` is that of ``run_tasks``.
    """
    per_task = _DRAWS_PER_TASK if enough is None else _DRAWS_PER_LOOK
    sizes, seeds = task_seeds(n_resamples, per_task, random_state)
    tasks = progress(
        zip(sizes, seeds, strict=True),
        verbose=verbose,
        description=f"blocks of {per_task} draws",
        total=len(sizes),
    )
    blocks: list[FloatArray] = []
    times: list[float] = []
    workers = n_workers(n_jobs)
    while True:
        # Several workers draw as many ahead as were drawn before, so that they stay busy.
        ahead = max(workers, len(blocks)) if workers > 1 else 1
        some = list(tasks) if enough is None else list(islice(tasks, ahead))
        if not some:
            return np.concatenate(blocks)
        for block in run_tasks(
            _drawn,
            ((source, *task) for task in some),
            n_jobs=n_jobs,
            prefer=prefer,
            total=len(some),
            times=times,
        ):
            blocks.append(block)
            if enough is not None and enough(np.concatenate(blocks)):
                return np.concatenate(blocks)


def _drawn(source: DrawnValues, size: int, seed: int) -> FloatArray:
    return source.draw(size, seed)


def task_seeds(n_resamples: int, per_task: int, random_state: Any) -> tuple[list[int], list[int]]:
    """Divide draws into tasks: the number of draws and the seed of each."""
    sizes = [min(per_task, n_resamples - start) for start in range(0, n_resamples, per_task)]
    source = random_source(random_state)
    draw = source.integers if isinstance(source, np.random.Generator) else source.randint
    seeds = draw(_MAX_SEED, size=len(sizes))
    return sizes, seeds.tolist()


# Permutation within blocks of objects, such as batches: random tables, and moments of squares.
#
# The cells are sums n_ij = sum_g n_ijg of the tables of the blocks, which are independent, each
# with the permutation model of its own margins a_ig and b_jg of N_g objects. With the means M_ij =
# sum_g mu_ijg and the deviations d_ijg = n_ijg - mu_ijg,
#
#     n_ij^2 = M_ij^2 + sum_g (d_ijg^2 + 2 M_ij d_ijg) + 2 sum_{g<h} d_ijg d_ijh,
#
# whose terms are uncorrelated. In a block, d^2 is a variance, a multiple of d and a part of degree
# 2 in the orthogonal polynomials of the cell, which is uncorrelated with the lines in d.


class BlockMargins(NamedTuple):
    """Cluster sizes of both partitions in each block, of shape (n_blocks, n_clusters)."""

    rows: IntArray
    cols: IntArray

    @classmethod
    def of(
        cls,
        sides: tuple[Partition, Partition],
        weights: IntArray,
        blocks: Positions,
        reading: Reading,
    ) -> BlockMargins | None:
        """Return the cluster sizes, or None for memberships and single noise."""
        if reading.noise == "singletons":
            return None
        margins = []
        for side in sides:
            if not isinstance(side, Labels):
                return None
            codes, sizes = side.compact()
            cells = np.zeros((int(blocks.max(initial=-1)) + 1, len(sizes)), np.int64)
            np.add.at(cells, (blocks, codes.codes), weights)
            margins.append(cells)
        return cls(*margins)

    @property
    def _sizes(self) -> FloatArray:
        """Numbers of objects, one at least, of the blocks."""
        return self.rows.sum(axis=1).astype(np.float64)[:, np.newaxis]

    @property
    def means(self) -> FloatArray:
        """Means M of the cells."""
        result: FloatArray = (self.rows / self._sizes).T @ self.cols
        return result

    def mean_of_squares(self, divisors: FloatArray) -> float:
        """Return the mean of the sum of squared cells, each divided by a number."""
        sizes = self._sizes
        spread = (self.rows * (sizes - self.rows) / (sizes**2 * np.maximum(sizes - 1, 1))).T
        variances = spread @ (self.cols * (sizes - self.cols))
        return float(((self.means**2 + variances) / divisors).sum())

    def variance_of_squares(self) -> float:
        """Return the variance of the sum of squared cells."""
        means = self.means
        within = sum(
            _variance_in_block(rows, cols, means)
            for rows, cols in zip(self.rows, self.cols, strict=True)
        )
        return float(within + self._variance_between())

    def _variance_between(self) -> float:
        """Return the variance of 2 sum_{g<h} sum_ij d_ijg d_ijh."""
        sizes = self._sizes
        products = _covariance_products(self.rows, sizes) * _covariance_products(self.cols, sizes)
        scale = sizes * sizes * np.maximum(sizes - 1, 1)
        np.fill_diagonal(products, 0.0)
        return float(2 * (products / (scale * scale.T)).sum())


def _covariance_products(sums: IntArray, sizes: FloatArray) -> FloatArray:
    """Return <A_g, A_h> for A_g = N_g diag(a_g) - a_g a_g^T, for all pairs of blocks."""
    a = sums.astype(np.float64)
    inner, cubic = a @ a.T, a @ (a * a).T
    result: FloatArray = sizes * sizes.T * inner - sizes * cubic - (sizes * cubic).T + inner * inner
    return result


def _variance_in_block(rows: IntArray, cols: IntArray, means: FloatArray) -> float:
    """Return the variance of the sum of d^2 + 2 M d over the cells of a block."""
    n = float(rows.sum())
    if n < 2:
        return 0.0
    some, others = rows.nonzero()[0], cols.nonzero()[0]
    a, b = rows[some].astype(np.float64), cols[others].astype(np.float64)
    # d^2 is a variance, this multiple of d, and a part of degree 2.
    slopes = np.outer(n - 2 * a, n - 2 * b) / (n * max(n - 2, 1))
    of_squares = slopes + 2 * np.outer(a, b) / n
    lines = slopes + 2 * means[np.ix_(some, others)]
    of_pairs = PairCounts.from_sums(rows[some], cols[others])
    curved = 4 * float(of_pairs.variance) - _variance_of_lines(of_squares, a, b, n)
    return max(curved, 0.0) + _variance_of_lines(lines, a, b, n)


def _variance_of_lines(slopes: FloatArray, a: FloatArray, b: FloatArray, n: float) -> float:
    """Return the variance of a sum of multiples of the deviations of the cells of a block."""
    centered = slopes - (slopes @ b / n)[:, np.newaxis]
    centered -= a @ centered / n
    return float(a @ (centered * centered) @ b) / (n - 1)
