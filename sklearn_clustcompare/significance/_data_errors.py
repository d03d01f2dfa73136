"""Sampling errors of indices of the data: how they vary from one sample of objects to the next.

The clusters are taken as fixed. Without one object, or one part of the objects, an index has
another value, and these values make its standard error as for indices of two partitions. Some
indices return all values without one object from one visit of the distances. Others are computed
again without each of at most 200 parts, which are drawn at random, as data may be sorted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare._array_types import FloatArray, Positions
from sklearn_clustcompare._chance.draws import task_seeds
from sklearn_clustcompare._partition import (
    Labels,
    Partition,
    Reading,
    read,
)
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED, progress, run_tasks
from sklearn_clustcompare.indices import preferred
from sklearn_clustcompare.indices._judged import Chosen, Judged
from sklearn_clustcompare.significance._resampling import (
    DRAWS_PER_TASK,
    MOST_UNITS,
    JointCells,
    check_several_groups,
    frequencies,
    half_of_units,
    in_parts,
    joint_cells,
    read_groups,
)
from sklearn_clustcompare.significance._sampling_errors import (
    Influences,
    SamplingErrors,
    needs_half_samples,
    sampling_errors,
)

# Objects are left out one by one up to this number, else in as many parts.
_MOST_PARTS = 200


class _Units(NamedTuple):
    """The sampling unit of each object: a group, or the object itself.

    ``parts`` are the units that are left out together.
    """

    numbers: Positions
    parts: Positions
    are_groups: bool

    @classmethod
    def of(cls, n_objects: int, groups: Labels | None) -> _Units:
        if groups is None:
            each = np.arange(n_objects)
            return cls(each, in_parts(n_objects, _MOST_PARTS), are_groups=False)
        groups, members = groups.compact()
        check_several_groups("groups", len(members))
        numbers = groups.codes.astype(np.intp)
        return cls(numbers, in_parts(len(members), MOST_UNITS)[numbers], are_groups=True)

    @property
    def n_units(self) -> int:
        return int(self.numbers.max()) + 1


def read_errors(
    partitions: Sequence[Any],
    names: Sequence[str],
    chosen: tuple[Chosen, ...],
    reading: Reading,
    *,
    X: Any,
    sample_weight: Any,
    groups: Any,
    **options: Any,
) -> tuple[JointCells, list[SamplingErrors]]:
    """Read a reference and candidates; ``names`` are their names in messages.

    Return them as they were counted, and the sampling errors of indices.
    """
    sides = [read(one, name, reading) for one, name in zip(partitions, names, strict=True)]
    cells = joint_cells(sides, names, sample_weight, groups, reading)
    units = read_groups(groups, sides[0])
    return cells, errors_of_both(cells, X, sides[1:], chosen, units, **options)


def errors_of_both(
    cells: JointCells,
    X: Any,
    candidates: Sequence[Partition],
    chosen: tuple[Chosen, ...],
    groups: Labels | None,
    **options: Any,
) -> list[SamplingErrors]:
    """Compute indices of two partitions from the cells, and others from the data."""
    comparing = tuple(one for one in chosen if not one.index.needs_data)
    judging = tuple(one for one in chosen if one.index.needs_data)
    found = sampling_errors(cells, comparing, **options) if comparing else []
    if judging:
        found += data_errors(X, candidates, judging, cells.reading, groups, **options)
    by_name = {one.chosen.name: one for one in found}
    return [by_name[one.name] for one in chosen]


def data_errors(
    X: Any,
    candidates: Sequence[Partition],
    chosen: tuple[Chosen, ...],
    reading: Reading,
    groups: Labels | None,
    *,
    n_resamples: int,
    random_state: Any,
    n_jobs: int | None,
    verbose: Any = 0,
) -> list[SamplingErrors]:
    """Compute indices of the data for all candidates, and their sampling errors."""
    for one in chosen:
        _check_samplable(one)
    for side in candidates:
        frequencies(side, None)
    if not candidates:
        nothing = np.zeros(0)
        return [
            SamplingErrors(
                one, nothing, (), nothing, nothing.astype(bool), None, 0, groups is not None
            )
            for one in chosen
        ]
    units = _Units.of(candidates[0].n_objects, groups)
    sizes, seeds = task_seeds(n_resamples, DRAWS_PER_TASK, random_state)
    draws = [*zip(sizes, seeds, strict=True)] if any(map(needs_half_samples, chosen)) else []
    tasks = progress(
        ((Judged.of(X, one, reading), one.n_objects, chosen, units, draws) for one in candidates),
        verbose=verbose,
        description="candidates",
        total=len(candidates),
    )
    prefer = preferred(*(one.index for one in chosen))
    total = len(candidates)
    found = run_tasks(_of_candidate, tasks, n_jobs=n_jobs, prefer=prefer, total=total)
    are_crisp = np.array([isinstance(one, Labels) for one in candidates])
    columns = []
    for one, column in zip(chosen, zip(*found, strict=True), strict=True):
        values, influences, counts, halves = zip(*column, strict=True)
        drawn = np.column_stack(halves) if needs_half_samples(one) else None
        columns.append(
            SamplingErrors(
                one,
                np.array(values),
                influences,
                counts[0],
                are_crisp,
                drawn,
                units.n_units,
                units.are_groups,
            )
        )
    return columns


def _check_samplable(chosen: Chosen) -> None:
    """Raise ValueError for indices that no method gives a sampling error."""
    name = chosen.index.name
    if chosen.index.needs_graph:
        msg = (
            f"index must not be {name} for a sampling error: no interval is known to hold for it, "
            "as edges vary as well as nodes, and each is left out with either of its nodes"
        )
        raise ValueError(msg)
    if chosen.index.sampling == "extreme":
        msg = (
            f"index must not be {name} for a sampling error: it depends on a few extreme objects, "
            "so that neither leaving out objects nor half samples show how it varies; take "
            "silhouette_score, or compare it with structureless data by structure_test"
        )
        raise ValueError(msg)
    if chosen.parameters.get("sample_size") is not None:
        msg = (
            f"sample_size must be None for a sampling error of {name}, as other objects would be "
            f"drawn each time, got {chosen.parameters['sample_size']!r}"
        )
        raise ValueError(msg)


def _of_candidate(
    judged: Judged,
    n_objects: int,
    chosen: tuple[Chosen, ...],
    units: _Units,
    draws: list[tuple[int, int]],
) -> list[tuple[float, Influences, FloatArray, FloatArray]]:
    """Return value, influences, numbers of units and values of half samples of each index."""
    # Unit and part of the objects that are left.
    numbers, parts = units.numbers[judged.positions], units.parts[judged.positions]
    n_parts = int(units.parts.max()) + 1
    found = []
    with UNDEFINED_IGNORED:
        for one in chosen:
            value = judged.value_or_nan(one)
            without_each = one.index.without_each
            if without_each is not None and not units.are_groups and np.isfinite(value):
                shifts = np.zeros(n_objects)
                shifts[judged.positions] = judged.apply(without_each, one) - value
            else:
                left_out = (np.flatnonzero(parts != part) for part in range(n_parts))
                without = [judged.take(kept).value_or_nan(one) for kept in left_out]
                is_met = np.isin(np.arange(n_parts), parts)
                shifts = np.where(is_met, without, value) - value
            counts, kinds = np.ones(len(shifts)), np.arange(len(shifts))
            influences = Influences.of_shifts(shifts, counts, kinds, is_biased=False)
            halves = [
                judged.take(np.flatnonzero(half[numbers])).value_or_nan(one)
                for size, seed in (draws if needs_half_samples(one) else ())
                for half in half_of_units(units.n_units, size, np.random.default_rng(seed))
            ]
            found.append((value, influences, counts, np.array(halves)))
    return found
