"""Evidence for each number of clusters, from fits that its parts share.

Each data set, the data or structureless ones, is clustered once for each value of the parameter;
silhouette, valley and dispersion are computed from these partitions and one matrix of distances.
Halves of the data and bootstrap samples are drawn in stages: a value of the parameter whose mean
can no longer reach what a verdict needs is left out of the later ones, which changes no verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._clusterers import pairs_taken
from sklearn_clustcompare._numerics import known_mean
from sklearn_clustcompare._partition import read_labels
from sklearn_clustcompare.metrics import pair_precision_score
from sklearn_clustcompare.without_reference._cluster_stability import (
    ClusterStability,
    Resample,
    compare_with_resample,
    stability_of_resamples,
)
from sklearn_clustcompare.without_reference._fit_tasks import run_fits
from sklearn_clustcompare.without_reference._fitting import fit_seeds
from sklearn_clustcompare.without_reference._gap import GapStatistic
from sklearn_clustcompare.without_reference._geometry import Geometry
from sklearn_clustcompare.without_reference._many_fits import cluster_many
from sklearn_clustcompare.without_reference._null_data import NullData
from sklearn_clustcompare.without_reference._prediction_strength import strength_of_halves
from sklearn_clustcompare.without_reference._resamples import (
    Bootstrap,
    Split,
    has_distinct_objects,
    without_copies,
)
from sklearn_clustcompare.without_reference._stability_values import n_clusters_asked
from sklearn_clustcompare.without_reference._structure import StructureTestResult

FloatArray = NDArray[np.float64]

NOISE = (-1,)
# Structureless data sets that a task clusters together.
_SETS_PER_TASK = 20
# Samples of the first stage; each stage doubles their number.
_FIRST_STAGE = 5


class Needs(NamedTuple):
    """Least means with which a verdict may accept a number of clusters."""

    strength: float
    jaccard: float


@dataclass(frozen=True, eq=False)
class Evidence:
    """Evidence for each value of the parameter.

    ``partitions`` holds the labels of the data for each value. ``silhouette``, ``valley`` and
    ``log_dispersion`` have a row for the data, and one for each structureless data set of each law,
    in the order of ``laws``. ``strengths`` has a column for each split, NaN where none was needed.
    ``resamples`` is None for values whose clusters were not resampled.
    """

    param_name: str
    param_range: tuple[Any, ...]
    laws: tuple[str, ...]
    partitions: Sequence[NDArray[Any]]
    silhouette: FloatArray
    valley: FloatArray
    log_dispersion: FloatArray
    strengths: FloatArray
    resamples: Sequence[Sequence[Resample | None] | None]

    @cached_property
    def n_found(self) -> NDArray[np.intp]:
        """Number of clusters of each partition, without noise."""
        return np.array([len(np.unique(one[one != -1])) for one in self.partitions])

    @cached_property
    def smallest(self) -> NDArray[np.intp]:
        """Number of objects of the smallest cluster of each partition, without noise; 0 if none."""
        counts = [np.unique(one[one != -1], return_counts=True)[1] for one in self.partitions]
        return np.array([min(one, default=0) for one in counts])

    @cached_property
    def jaccard(self) -> FloatArray:
        """Smallest mean Jaccard index of a cluster over its resamples; NaN where there is none."""
        return np.array([np.nan if one is None else _smallest_mean(one) for one in self.resamples])

    @property
    def strength(self) -> FloatArray:
        """Mean prediction strength; NaN where there is none."""
        return known_mean(self.strengths)

    def test(self, statistic: str) -> StructureTestResult:
        """Return the test of a statistic over the fitted values; the worst law first."""
        own, *null = np.split(getattr(self, statistic)[:, self.several], self._starts)
        values = tuple(np.array(self.param_range, object)[self.several])
        found = [
            StructureTestResult(statistic, True, law, own[0], of_law, self.param_name, values)
            for law, of_law in zip(self.laws, null, strict=True)
        ]
        worst, *others = sorted(found, key=lambda test: -test.pvalue)
        return replace(worst, others=tuple(others))

    def pvalue(self, statistic: str, *, is_count: bool) -> float:
        """Return the p-value of the best value of the parameter, the largest one over the laws.

        Numbers of clusters are standardized one by one. Of other parameters many values may find
        nothing in nearly all data sets, which leaves nothing to standardize by.
        """
        if is_count:
            return self.test(statistic).pvalue
        own, *null = np.split(getattr(self, statistic).max(axis=1), self._starts)
        return max(float((1 + np.sum(one >= own[0])) / (1 + len(one))) for one in null)

    def gap(self) -> GapStatistic | None:
        """Return the gap statistic of the first law, with the others.

        Numbers for which W is 0 somewhere, with as many clusters as distinct objects, have no gap.
        """
        has_gap = np.isfinite(self.log_dispersion).all(axis=0)
        if not has_gap.any():
            return None
        values = np.array(self.param_range)[has_gap]
        own, *null = np.split(self.log_dispersion[:, has_gap], self._starts)
        first, *others = (
            GapStatistic(self.param_name, values, own[0], of_law, law, 1)
            for law, of_law in zip(self.laws, null, strict=True)
        )
        return replace(first, others=tuple(others))

    @cached_property
    def several(self) -> NDArray[np.bool_]:
        """Which values were fitted: all but a single cluster on request."""
        return np.isfinite(self.silhouette[0])

    @property
    def _starts(self) -> list[int]:
        n_null = (len(self.silhouette) - 1) // len(self.laws)
        return [1 + n_null * number for number in range(len(self.laws))]

    def precision(self, fine: int, coarse: int) -> float:
        """Return the share of the pairs of objects of a partition that another one joins."""
        first, second = self.partitions[fine], self.partitions[coarse]
        is_known = (first != -1) & (second != -1)
        return pair_precision_score(second[is_known], first[is_known])

    def cluster_stability(self, position: int) -> ClusterStability | None:
        """Return the stability of the clusters of a value, if it was computed."""
        found = self.resamples[position]
        if found is None:
            return None
        labels = self.partitions[position]
        return stability_of_resamples(labels, found, NOISE)


def _smallest_mean(resamples: Sequence[Resample | None], n_to_come: int = 0) -> float:
    """Return the smallest mean Jaccard index of a cluster, if all to come are 1."""
    found = np.array([one.jaccard for one in resamples if one is not None])
    if len(found) == 0:
        return np.nan if n_to_come == 0 else 1.0
    counts = np.sum(~np.isnan(found), axis=0) + n_to_come
    sums = np.nansum(found, axis=0) + n_to_come
    means = np.divide(sums, counts, out=np.ones(len(sums)), where=counts > 0)
    return float(means.min())


# --------------------------------------------------------------------------- computation


@dataclass(frozen=True)
class _Fits:
    """The fits that are to be made, for tasks; ``partitions`` are those of the data."""

    estimator: Any
    candidates: Sequence[dict[str, Any]]
    X: Any
    extension: Any
    partitions: Sequence[NDArray[Any]] = ()


def gather(
    estimator: Any,
    X: Any,
    *,
    param_name: str,
    param_range: Sequence[Any],
    is_count: bool,
    laws: Sequence[NullData],
    n_null: int,
    n_resamples: int,
    extension: Any,
    needs: Needs,
    random_state: Any,
    n_jobs: int | None,
    verbose: Any,
) -> Evidence:
    """Compute the evidence for values of a parameter, which may be numbers of clusters."""
    fits = _Fits(estimator, [{param_name: value} for value in param_range], X, extension)
    is_fitted = np.array([not (is_count and value == 1) for value in param_range])
    how = {"n_jobs": n_jobs, "verbose": verbose}
    seeds = [seed for (seed,) in fit_seeds(3, 1, random_state)]
    partitions, values = _of_sets(fits, laws, n_null, seeds[0], how)
    values[:, ~is_fitted, :2] = np.nan
    fits = replace(fits, partitions=partitions)
    strengths = np.where(is_fitted[:, np.newaxis], np.nan, np.ones((1, n_resamples)))
    for number, found in _staged(
        _strengths_of,
        fits,
        np.flatnonzero(is_fitted).tolist(),
        fit_seeds(n_resamples, 1 + 2 * len(param_range), seeds[1]),
        lambda found, n_to_come: _mean_at_most(found, n_to_come) > needs.strength,
        {"description": "splits of the data", **how},
    ).items():
        strengths[number, : len(found)] = found
    is_reproducible = is_fitted & (known_mean(strengths) >= needs.strength)
    several = [number for number, one in enumerate(partitions) if len(np.unique(one)) > 1]
    resamples = _staged(
        _resamples_of,
        fits,
        [number for number in several if is_reproducible[number]],
        fit_seeds(n_resamples, 1 + len(param_range), seeds[2]),
        lambda found, n_to_come: _smallest_mean(found, n_to_come) >= needs.jaccard,
        {"description": "samples", **how},
    )
    return Evidence(
        param_name=param_name,
        param_range=tuple(param_range),
        laws=tuple(law.name for law in laws),
        partitions=partitions,
        silhouette=values[..., 0],
        valley=values[..., 1],
        log_dispersion=values[..., 2],
        strengths=strengths,
        resamples=[resamples.get(number) for number in range(len(param_range))],
    )


def _staged(
    function: Callable[[_Fits, int, Sequence[list[int]]], list[Any]],
    fits: _Fits,
    numbers: Sequence[int],
    seeds: Sequence[list[int]],
    may_suffice: Callable[[Any, int], bool],
    how: dict[str, Any],
) -> dict[int, list[Any]]:
    """Return what samples give for candidates, each for as long as it may still suffice."""
    found: dict[int, list[Any]] = {number: [] for number in numbers}
    start, stop = 0, _FIRST_STAGE
    going = list(numbers)
    while going and start < len(seeds):
        results = run_fits(function, [(fits, one, seeds[start:stop]) for one in going], **how)
        for number, result in zip(going, results, strict=True):
            found[number] += result
        n_to_come = max(len(seeds) - stop, 0)
        going = [number for number in going if may_suffice(found[number], n_to_come)]
        start, stop = stop, 2 * stop
    return found


def _mean_at_most(strengths: Sequence[float], n_to_come: int) -> float:
    """Return the mean strength if all to come are 1."""
    known = [one for one in strengths if one == one]
    n_in_all = len(known) + n_to_come
    return (sum(known) + n_to_come) / n_in_all if n_in_all else 0.0


def _of_sets(
    fits: _Fits, laws: Sequence[NullData], n_null: int, seed: int, how: dict[str, Any]
) -> tuple[list[NDArray[Any]], FloatArray]:
    """Return the partitions of the data, and the statistics of all data sets."""
    seeds = fit_seeds(1 + len(laws) * n_null, 1 + len(fits.candidates), seed)
    tasks: list[tuple[Any, ...]] = [(fits.estimator, fits.candidates, fits.X, seeds[:1])]
    for number, law in enumerate(laws):
        rows = seeds[1 + number * n_null : 1 + (number + 1) * n_null]
        tasks += [
            (fits.estimator, fits.candidates, law, rows[start : start + _SETS_PER_TASK])
            for start in range(0, n_null, _SETS_PER_TASK)
        ]
    found = run_fits(_statistics_of, tasks, description="data sets", **how)
    partitions, _ = found[0]
    return partitions, np.concatenate([values for _, values in found])


def _statistics_of(
    estimator: Any, candidates: Sequence[dict[str, Any]], source: Any, seeds: Sequence[list[int]]
) -> tuple[list[NDArray[Any]], FloatArray]:
    """Return labels of the first data set, and statistics of each set and candidate."""
    if not isinstance(source, NullData):
        return _statistics(estimator, candidates, [source], seeds)
    try:
        return _statistics(estimator, candidates, [source.draw(row[0]) for row in seeds], seeds)
    except Exception as error:
        error.add_note(f"The data were structureless, null={source.name!r}.")
        raise


def _statistics(
    estimator: Any,
    candidates: Sequence[dict[str, Any]],
    sets: list[Any],
    seeds: Sequence[list[int]],
) -> tuple[list[NDArray[Any]], FloatArray]:
    found = [
        cluster_many(estimator, candidate, sets, [row[1 + number] for row in seeds])
        for number, candidate in enumerate(candidates)
    ]
    pairs = pairs_taken(estimator)
    values = np.empty((len(sets), len(candidates), 3))
    for b in range(len(sets)):
        space = geometry = None
        for number, of_candidate in enumerate(found):
            one = of_candidate[b]
            if geometry is None or not _is_same(one.space, space):
                space, geometry = one.space, Geometry(one.space, pairs)
            values[b, number] = geometry.statistics(one.labels)
    return [of_candidate[0].labels for of_candidate in found], values


def _is_same(space: Any, other: Any) -> bool:
    """Return whether two inputs of the last step are equal, as they mostly are."""
    if space is other:
        return True
    return type(space) is type(other) is np.ndarray and np.array_equal(space, other)


def _strengths_of(fits: _Fits, number: int, seeds: Sequence[list[int]]) -> list[float]:
    """Return the prediction strength of splits, NaN where a half has too few distinct objects."""
    n_clusters = n_clusters_asked(fits.estimator, fits.candidates[number])
    splits = [Split().draw(fits.X, 2, row[0]) for row in seeds]
    used = [
        place
        for place, split in enumerate(splits)
        if all(has_distinct_objects(half, n_clusters) for half in split)
    ]
    found = cluster_many(
        fits.estimator,
        fits.candidates[number],
        [half.X for place in used for half in splits[place]],
        [seed for place in used for seed in seeds[place][1 + 2 * number : 3 + 2 * number]],
    )
    strengths = [np.nan] * len(seeds)
    for at, place in enumerate(used):
        pair = found[2 * at : 2 * at + 2]
        strengths[place] = strength_of_halves(splits[place], pair, fits.extension, NOISE, fits.X)
    return strengths


def _resamples_of(fits: _Fits, number: int, seeds: Sequence[list[int]]) -> list[Resample | None]:
    """Return how the clusters come back in bootstrap samples, None where one is too small."""
    n_clusters = n_clusters_asked(fits.estimator, fits.candidates[number])
    original = read_labels(fits.partitions[number], "estimator").compact()[0]
    drawing = Bootstrap(fits.X.shape[0])
    samples = [without_copies(drawing.draw(fits.X, 1, row[0])[0]) for row in seeds]
    used = [at for at, sample in enumerate(samples) if has_distinct_objects(sample, n_clusters)]
    found = cluster_many(
        fits.estimator,
        fits.candidates[number],
        [samples[at].X for at in used],
        [seeds[at][1 + number] for at in used],
    )
    results: list[Resample | None] = [None] * len(seeds)
    for at, one in zip(used, found, strict=True):
        results[at] = compare_with_resample(original, one.labels, samples[at].positions, NOISE)
    return results
