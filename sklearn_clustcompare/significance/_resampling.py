"""Half samples of the objects: the sampling variation of an index.

The objects are taken as a sample of a population, with all their labels, and the clusterers as
fixed. A half sample of r of the n objects leaves out d = n - r. The deviations of an index in half
samples from its mean over them, times sqrt(r / d), scatter as the index itself does from one sample
of n objects to the next. This is the delete-d jackknife [1]_. As d is a share of n, and not 1, it
is also valid for indices that contain maxima [2]_.

Half samples are drawn without replacement. In a bootstrap sample an object can occur twice, and
then agrees with itself in all partitions. This raises even adjusted indices, more so the smaller
the clusters are: candidates with more clusters seem better. The variance over half samples is
biased upwards [3]_: up to three times if the reference and a candidate are independent, as an index
of pairs is then a degenerate U-statistic, whose variance falls as 1 / n^2.

Half samples are drawn from the occupied cells of the joint table of all partitions, so the cost of
a draw is proportional to the number of cells, not of objects.

References
----------
.. [1] J. Shao, C. F. J. Wu, "A general theory for jackknife variance estimation", Annals of
   Statistics 17(3), 1989, :doi:`10.1214/aos/1176347263`.
.. [2] D. N. Politis, J. P. Romano, "Large sample confidence regions based on subsamples under
   minimal assumptions", Annals of Statistics 22(4), 1994, :doi:`10.1214/aos/1176325770`.
.. [3] B. Efron, C. Stein, "The jackknife estimate of variance", Annals of Statistics 9(3), 1981,
   :doi:`10.1214/aos/1176345462`.
"""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._chance.draws import task_seeds
from sklearn_clustcompare._parameters import positive_integer
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._tasks import progress, run_tasks
from sklearn_clustcompare.indices import preferred
from sklearn_clustcompare.indices._chosen import Chosen, needs_moments
from sklearn_clustcompare.significance._joint_cells import (
    FloatArray,
    IntArray,
    JointCells,
    LabeledPair,
    SoftPair,
)

# Draws that one task makes from one seed.
DRAWS_PER_TASK = 100
# Numbers that are drawn at a time.
_CELLS_PER_BLOCK = 2**20
# From this many objects on NumPy draws no multivariate hypergeometric numbers.
_MOST_DRAWN_OBJECTS = 10**9
# To draw the count of a cell takes as long as to shuffle this many objects.
_OBJECTS_PER_CELL = 8


# --------------------------------------------------------------------------- drawing


class _HalfSampling(NamedTuple):
    """The input of a worker that draws half samples and computes indices of them."""

    cells: JointCells
    chosen: tuple[Chosen, ...]
    growths: tuple[float, ...]

    @classmethod
    def of(cls, cells: JointCells, chosen: tuple[Chosen, ...]) -> _HalfSampling:
        return cls(cells, chosen, tuple(growth(one) for one in chosen))

    def blocks(self) -> list[_HalfSampling]:
        """Divide the candidates into those of one task each."""
        return [self._replace(cells=block) for block in self.cells.blocks()]

    def values(self, size: int, seed: int) -> FloatArray:
        """Return the indices of each draw, of shape (size, n_candidates, n_indices)."""
        generator = np.random.default_rng(seed)
        pairs = list(self.cells.pairs())
        most = max(1, _CELLS_PER_BLOCK // len(self.cells.counts))
        sizes = [min(most, size - start) for start in range(0, size, most)]
        return np.concatenate([self._values(pairs, self._draw(one, generator)) for one in sizes])

    @property
    def n_units(self) -> int:
        """Number of groups or blocks of them, or of objects."""
        return self.cells.n_units if self.cells.n_groups else self.cells.n_samples

    def _draw(self, size: int, generator: np.random.Generator) -> IntArray:
        counts, n_samples = self.cells.counts, self.cells.n_samples
        if self.cells.n_groups:
            drawn = half_of_units(self.n_units, size, generator)
            return np.asarray(counts * drawn[:, self.cells.units])
        return _drawn_objects(counts, n_samples // 2, size, generator)

    def _values(self, pairs: list[LabeledPair | SoftPair], drawn: IntArray) -> FloatArray:
        """Return the indices brought to the size of the sample."""
        grown = self.cells.n_samples / drawn.sum(axis=1)
        scale = grown[:, np.newaxis] ** self.growths
        moments = needs_moments(self.chosen)
        values = [
            [[value_of(one, table) for one in self.chosen] for table in pair.tables(drawn, moments)]
            for pair in pairs
        ]
        return np.array(values, np.float64).swapaxes(0, 1) * scale[:, np.newaxis]


def _drawn_objects(
    counts: IntArray, n_drawn: int, size: int, generator: np.random.Generator
) -> IntArray:
    """Draw so many objects from cells, of shape (size, n_cells)."""
    n_samples = int(counts.sum())
    if n_samples >= _MOST_DRAWN_OBJECTS:
        # Each object by itself: with so many objects, about this number is as good as exactly it.
        return generator.binomial(counts, n_drawn / n_samples, size=(size, len(counts)))
    shuffles = n_samples < _OBJECTS_PER_CELL * len(counts)
    method: Literal["count", "marginals"] = "count" if shuffles else "marginals"
    return generator.multivariate_hypergeometric(counts, n_drawn, size=size, method=method)


def half_of_units(n_units: int, size: int, generator: np.random.Generator) -> NDArray[np.bool_]:
    """Draw half of the units, of shape (size, n_units)."""
    half = np.arange(n_units) < n_units // 2
    return generator.permuted(np.tile(half, (size, 1)), axis=1)


def scaled_deviations(drawn: FloatArray, n_units: int) -> FloatArray:
    """Return deviations from the mean of half samples, as those of whole samples."""
    scale = math.sqrt((n_units // 2) / (n_units - n_units // 2))
    with np.errstate(invalid="ignore"):  # infinite values
        return np.asarray(scale * (drawn - drawn.mean(axis=0)))


def value_of(chosen: Chosen, table: ContingencyTable) -> float:
    """Return an index of some of the objects; NaN if none of them are left to compare."""
    if table.coverage == 0:
        return math.nan
    return float(chosen.index.function(table, **chosen.parameters))


# Counts of a table of equal clusters: for unequal ones some standardized indices grow more slowly.
_SOME_COUNTS = np.array([[6, 2], [2, 6]]) * 2**10


def growth(chosen: Chosen) -> float:
    """Return the power of the number of objects with which an index grows.

    It is 0 for all that compare shares of objects or of pairs, 1 and 2 for numbers of objects and
    of pairs, and 1 for standardized indices. It is measured on a large table and its double.
    """
    single, double = (
        chosen.value(ContingencyTable.from_counts(counts))
        for counts in (_SOME_COUNTS, 2 * _SOME_COUNTS)
    )
    grown = double / single if single else 0.0
    return round(2 * math.log2(grown)) / 2 if 0 < grown < math.inf else 0.0


def half_samples(
    cells: JointCells,
    chosen: tuple[Chosen, ...],
    *,
    n_resamples: int,
    random_state: Any,
    n_jobs: int | None,
    verbose: Any = 0,
) -> tuple[list[FloatArray], int]:
    """Return the values of indices in half samples, each of shape (n_resamples, n_candidates).

    They are brought to the size of the sample. All indices and candidates see the same half
    samples, of objects or of their groups, whose number is returned as well.
    """
    sampling = _HalfSampling.of(cells, chosen)
    sizes, seeds = task_seeds(n_resamples, DRAWS_PER_TASK, random_state)
    blocks = sampling.blocks()
    tasks = progress(
        ((block, size, seed) for block in blocks for size, seed in zip(sizes, seeds, strict=True)),
        verbose=verbose,
        description=f"blocks of {DRAWS_PER_TASK} half samples",
        total=len(blocks) * len(sizes),
    )
    parts = run_tasks(
        _HalfSampling.values,
        tasks,
        n_jobs=n_jobs,
        prefer=preferred(*(one.index for one in chosen)),
        total=len(blocks) * len(sizes),
    )
    drawn = np.concatenate(
        [
            np.zeros((n_resamples, 0, len(chosen))),
            *(
                np.concatenate(parts[start : start + len(sizes)])
                for start in range(0, len(parts), len(sizes))
            ),
        ],
        axis=1,
    )
    return list(np.moveaxis(drawn, 2, 0)), sampling.n_units


def several_resamples(name: str, value: Any) -> None:
    """Check a number of half samples: a standard deviation needs at least two."""
    positive_integer(name, value)
    if value < 2:
        msg = f"{name} must be at least 2, got {value!r}"
        raise ValueError(msg)
