"""Sampling errors of scores by groups of objects whose clusters differ: the groups are sampled."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._chance.draws import task_seeds
from sklearn_clustcompare._partition import Labels
from sklearn_clustcompare._table import ContingencyTable
from sklearn_clustcompare._table.many import pooled
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED, run_tasks
from sklearn_clustcompare.indices._chosen import Chosen
from sklearn_clustcompare.significance._joint_cells import (
    MOST_UNITS,
    FloatArray,
    JointCells,
    LabeledPair,
    in_parts,
)
from sklearn_clustcompare.significance._leave_one_out import CountedPair
from sklearn_clustcompare.significance._resampling import (
    DRAWS_PER_TASK,
    growth,
    half_of_units,
)
from sklearn_clustcompare.significance._sampling_errors import (
    Influences,
    SamplingErrors,
    influences_of_units,
    needs_half_samples,
)


class GroupedTables(NamedTuple):
    """Tables of the groups of a candidate, and the unit of each group."""

    tables: list[ContingencyTable]
    units: NDArray[Any]
    chosen: tuple[Chosen, ...]

    def of_groups(self) -> FloatArray:
        """Return the indices of each group, of shape (n_groups, n_indices)."""
        return np.array([self._of(one) for one in self.tables])

    def values(self, are_kept: NDArray[np.bool_], of_groups: FloatArray) -> FloatArray:
        """Return the indices for some units each: of one table of all, then means over groups.

        ``are_kept`` has the shape (n_parts, n_units).
        """
        sizes = np.array([table.n_samples for table in self.tables])
        found = []
        # What is in no part is never left out.
        for kept in (are_kept[:, self.units] | (self.units < 0)) & (sizes > 0):
            some = [table for table, one in zip(self.tables, kept, strict=True) if one]
            if some:
                found.append([*self._of(pooled(some)), *of_groups[kept].mean(axis=0)])
            else:
                found.append([math.nan] * (2 * len(self.chosen)))
        return np.array(found, np.float64)

    def _of(self, table: ContingencyTable) -> list[float]:
        if not table.n_samples:
            return [math.nan] * len(self.chosen)
        return [float(one.index.function(table, **one.parameters)) for one in self.chosen]


def errors_within(
    candidates: list[list[ContingencyTable]],
    chosen: tuple[Chosen, ...],
    columns: list[Chosen],
    *,
    n_resamples: int,
    random_state: Any,
    n_jobs: int | None,
) -> list[SamplingErrors]:
    """Return the sampling errors of both averages of the indices over groups.

    Each candidate has a table for each group.
    """
    n_groups = len(candidates[0]) if candidates else 0
    units = in_parts(n_groups, MOST_UNITS)
    n_units = int(units.max(initial=-1)) + 1
    halves = np.zeros((0, n_units), bool)
    if any(map(needs_half_samples, chosen)):
        sizes, seeds = task_seeds(n_resamples, DRAWS_PER_TASK, random_state)
        drawn = zip(sizes, map(np.random.default_rng, seeds), strict=True)
        halves = np.concatenate([half_of_units(n_units, size, one) for size, one in drawn])
    tasks = ((GroupedTables(tables, units, chosen), halves) for tables in candidates)
    total = len(candidates)
    found = run_tasks(_of_candidate, tasks, n_jobs=n_jobs, prefer="processes", total=total)
    values = np.array([one for one, _, _ in found]).reshape(-1, len(columns))
    halves_of = np.array([one for _, _, one in found]).reshape(len(found), -1, len(columns))
    return [
        SamplingErrors(
            one,
            values[:, k],
            tuple(influences[k] for _, influences, _ in found),
            np.ones(n_units),
            np.ones(len(found), bool),
            halves_of[:, :, k].T if needs_half_samples(one) else None,
            n_units,
            is_grouped=True,
        )
        for k, one in enumerate(columns)
    ]


def _of_candidate(
    grouped: GroupedTables, halves: NDArray[np.bool_]
) -> tuple[FloatArray, list[Influences], FloatArray]:
    """Return values, influences of the units, and values of half samples.

    An error has about the same effect on the mean over groups as on the index of all of them.
    """
    n_units, n_indices = halves.shape[1], len(grouped.chosen)
    of_all = pooled(grouped.tables)
    sides = (Labels.of_codes(codes) for codes in (of_all.cell_rows, of_all.cell_cols))
    cells = JointCells.of([*sides], of_all.cell_counts)
    (pair,) = cells.pairs()
    assert isinstance(pair, LabeledPair)
    with UNDEFINED_IGNORED:
        of_groups = grouped.of_groups()
        (values,) = grouped.values(np.ones((1, n_units), bool), of_groups)
        without = grouped.values(~np.eye(n_units, dtype=bool), of_groups)
        drawn = grouped.values(halves, of_groups).reshape(len(halves), 2 * n_indices)
    counted, size = CountedPair.of(pair, cells.counts), of_all.n_samples / len(grouped.tables)
    micro, macro = (
        influences_of_units(
            one, np.ones(n_units), grouped.chosen, values[:n_indices], counted, size
        )
        for one in np.hsplit(without - values, 2)
    )
    grown = n_units / (n_units // 2)
    drawn = drawn * grown ** np.array([growth(one) for one in grouped.chosen * 2])
    return values, micro + macro, drawn
