"""Sampling errors of indices: how they vary from one sample of objects, or of groups, to the next.

Without one object c of n the index has the value s_c, and I_c = (n - 1) (mean of s - s_c) is the
influence of the object. The mean of the squared influences over n - 1 estimates the variance (the
jackknife); it errs upwards in the mean [1]_. (n - 1) (mean of s_c - s) is the bias [2]_: how much
the value of a sample exceeds that of the population. For indices that contain maxima, and own
ones, half samples are drawn instead, which show no bias. Influences of two candidates are those of
the same objects, so differences have influences as well. Groups are left out as a whole.

References
----------
.. [1] B. Efron, C. Stein, "The jackknife estimate of variance", Annals of Statistics 9(3), 1981,
   :doi:`10.1214/aos/1176345462`.
.. [2] M. H. Quenouille, "Notes on bias in estimation", Biometrika 43(3/4), 1956,
   :doi:`10.1093/biomet/43.3-4.353`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import compress, groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from scipy.special import chdtri

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Mask, Positions
from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._partition import Labels, Partition, Reading
from sklearn_clustcompare._table import ContingencyTable, count_read
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED, run_tasks
from sklearn_clustcompare.indices import preferred
from sklearn_clustcompare.indices._judged import Chosen
from sklearn_clustcompare.significance._ends import (
    ERROR_OF_JACKKNIFE,
    Correction,
    Estimates,
    Independence,
    UnseenCells,
    nearness,
    needs_half_samples,
    signed_range,
    student_quantile,
)
from sklearn_clustcompare.significance._leave_one_out import CountedPairs
from sklearn_clustcompare.significance._resampling import (
    GroupedTables,
    JudgedSide,
    LabeledPair,
    Sample,
    check_samplable,
    growth,
    half_samples,
    joint_cells,
    scaled_deviations,
    values_of,
)

# Candidates whose errors are computed together, by a task.
_CANDIDATES_PER_TASK = 32
# Normal draws for the set of the best candidates.
_DRAWS = 4999
# With two objects a cell or fewer the bias of the jackknife has its whole error.
_CELLS_PER_OBJECT = 2
# From this share of clusters with one object on, some were not seen, and information has a bias.
_SINGLE = 0.25
# From this variance on, as a share of that of the score, maxima may tie.
_MAY_TIE = 0.01
# From this share of occupied cells on, most errors leave their number as it is.
_FULL = 0.9
# Sizes of clusters are called equal unless a test of this level finds them different.
_LEVEL_OF_SIZES = 0.05


class Influences(NamedTuple):
    """Influence of each sampling unit on an index: that of its kind.

    ``powers`` are the sums over all units of their squares, third and fourth powers. There are no
    influences where deviations of half samples, ``halves``, take their place. ``bias`` is by how
    much the value of the sample exceeds that of the population, with ``error_of_bias``, which
    candidates share; ``bias_of_halves`` is not corrected, and ``variance_of_ties`` is what halves
    of tied maxima lack. ``curved_variance`` is that of the part of second order, whose mean is the
    bias; ``curvature`` is by how much, for this part, the variance grows with the score. A bias is
    a share of what the score misses and varies with it: the error is larger by ``gain``, as a
    share. ``effect`` is by how much the index gets worse by one more error. ``facts`` are cautions
    on the score, and ``jump`` is by how much it changes if all clusters that are near its threshold
    cross it.
    """

    of_kinds: FloatArray
    kinds: Array
    powers: tuple[float, float, float] = (0.0, 0.0, 0.0)
    bias: float = 0.0
    error_of_bias: float = 0.0
    curved_variance: float = 0.0
    curvature: float = 0.0
    gain: float = 0.0
    halves: FloatArray | None = None
    bias_of_halves: float = 0.0
    variance_of_ties: float = 0.0
    effect: float = 0.0
    jump: float = 0.0
    facts: tuple[str, ...] = ()
    independence: Independence | None = None

    @classmethod
    def of_shifts(
        cls,
        shifts: FloatArray,
        counts: Array,
        kinds: Sequence[Array],
        starts: Sequence[int] = (0,),
        *,
        is_biased: bool,
    ) -> list[Influences]:
        """Take the changes of an index without a unit of each kind, of which there are so many.

        ``starts`` are where the changes of each candidate start, one after the other. Their mean is
        the bias, unless the index grows with the number of objects.
        """
        lengths = np.diff([*starts, len(shifts)])
        n_units = np.add.reduceat(counts, starts)
        means = np.add.reduceat(counts * shifts, starts) / n_units
        of_kinds = np.repeat(n_units - 1, lengths) * (np.repeat(means, lengths) - shifts)
        biases = ((n_units - 1) * means * is_biased).tolist()
        powers = zip(*_powers(counts, of_kinds, starts).tolist(), strict=True)
        each = zip(np.split(of_kinds, starts[1:]), kinds, powers, biases, strict=True)
        return [cls(*one, ERROR_OF_JACKKNIFE * abs(one[3])) for one in each]

    def of_units(self) -> FloatArray:
        return self.of_kinds[self.kinds]


_NOTHING = math.nan, Influences(np.zeros(0), np.zeros(0, np.intp))


class Differences(NamedTuple):
    """By how much the first candidate of some pairs is better than the second."""

    values: FloatArray
    biases: FloatArray
    standard_errors: FloatArray
    intervals: FloatArray
    pvalues: FloatArray


def _powers(counts: Array, influences: FloatArray, starts: Sequence[int] = (0,)) -> FloatArray:
    """Return the sums of squares, third and fourth powers over all units of each candidate."""
    squares = counts * influences**2
    powers = np.array([squares, squares * influences, squares * influences**2])
    return np.asarray(np.add.reduceat(powers, starts, axis=1))


# Candidates, or pairs of them: one a row.
Parts = Positions
Part = Sequence[int]


@dataclass(frozen=True, eq=False)
class SamplingErrors:
    """Values of an index for some candidates, and how they vary from sample to sample.

    ``counts`` are the numbers of sampling units of each kind. ``influences`` are None for a
    candidate without a value. A part is a candidate, or two of which the difference is taken.
    """

    chosen: Chosen
    values: FloatArray
    influences: tuple[Influences | None, ...]
    counts: Array
    are_crisp: Mask
    is_grouped: bool

    # ------------------------------------------------------------- one candidate

    @property
    def standard_errors(self) -> FloatArray:
        return self._spreads[0]

    @property
    def biases(self) -> FloatArray:
        """By how much the values of the sample are estimated to exceed those of the population."""
        return self._each("bias")

    def intervals(self, confidence_level: float) -> FloatArray:
        """Return the intervals of the values in the population, of shape (n_candidates, 2)."""
        worst, best = signed_range(self.chosen)
        tail = (1 - confidence_level) / 2
        estimates = self._estimates(self._alone, *self._spreads)
        # Where maxima nearly tie their bias falls as the root of the number of objects does: half
        # samples have more of it by the share sqrt(2) - 1. It is not known how far clusters tie.
        of_ties = self._sign * self._each("bias_of_halves") / (math.sqrt(2) - 1)
        of_ties = np.column_stack([np.minimum(of_ties, 0.0), np.maximum(of_ties, 0.0)])
        with np.errstate(invalid="ignore", divide="ignore"):
            centered = estimates._replace(values=np.zeros(len(self.values)))
            ends = estimates.values[:, np.newaxis] + centered.intervals(tail)
            # Only of labels the range is known.
            near = ends
            if math.isfinite(best):
                # Where maxima tie there are two ways to be too good.
                may_tie = self._each("variance_of_ties") > _MAY_TIE * self.standard_errors**2
                below = np.where(may_tie, tail / 2, tail)
                curvatures = self._sign * self._each("curvature")
                near = estimates.intervals_below(best, self._slopes(), curvatures, below, tail)
                for k, one in enumerate(self.influences):
                    if one is not None and one.independence is not None:
                        near[k] = self._near_independence(k, one, one.independence, near[k], tail)
            near, ends = np.clip(near + of_ties, worst, best), ends + of_ties
            if self.chosen.index.sampling == "counts" and math.isinf(worst):
                near = np.column_stack([np.floor(near[:, 0]), np.ceil(near[:, 1])])
            ends = np.where(self.are_crisp[:, np.newaxis], near, ends)
        ends = np.where(self.are_defined[:, np.newaxis], ends, np.nan)
        return np.sort(self._sign * ends, axis=1)

    def _slopes(self) -> FloatArray:
        """Return by how much variances grow with what scores miss: by the third moments."""
        powers = np.array([self._powers((k,)) for k in range(len(self.values))]).reshape(-1, 3)
        slopes = -self._sign * powers[:, 1] / powers[:, 0] / self.counts.sum()
        return np.where(powers[:, 0] > 0, slopes, np.inf)

    def _near_independence(
        self, candidate: int, one: Influences, near: Independence, ends: FloatArray, tail: float
    ) -> FloatArray:
        """Return the ends of a score as far as its partitions may be independent."""
        error, df = (float(column[candidate]) for column in self._spreads)
        weight = near.weight_of_ends(error**2)
        if not weight:
            return ends
        t = float(student_quantile(tail, df))
        low, high = near.ends(error**2, t)
        below, above = np.hypot([near.value - low, high - near.value], t * one.error_of_bias)
        center = near.value - self._sign * one.bias
        return (1 - weight) * ends + weight * (center + np.array([-below, above]))

    @property
    def _alone(self) -> Parts:
        return np.arange(len(self.values))[:, np.newaxis]

    @cached_property
    def _spreads(self) -> tuple[FloatArray, FloatArray]:
        return self._spreads_of(self._alone)

    def _spreads_of(self, parts: Parts) -> tuple[FloatArray, FloatArray]:
        """Return standard errors, 0 if they are rounding alone, and degrees of freedom."""
        spreads = [self._spread(one) for one in parts.tolist()]
        errors, df = np.array(spreads, np.float64).reshape(-1, 2).T
        return np.where(errors <= self._rounding(parts), 0.0, errors), df

    def _rounding(self, parts: Parts) -> FloatArray:
        # Sums of squares have units of the data, which may be tiny.
        unit = np.finfo(np.float64).tiny if self.chosen.index.needs_data else 1.0
        return np.asarray(TIE * np.maximum(np.abs(self.values[parts]).max(axis=1), unit))

    def _spread(self, part: Part) -> tuple[float, float]:
        found = self._found(part)
        if found is None:
            return math.nan, math.nan
        n_units = float(self.counts.sum())
        total, _, fourth = self._powers(part)
        variance, df = total / (n_units * (n_units - 1)), n_units - 1
        if self.is_grouped and total:
            # Few groups may err because errors are rare, for which the effect of one more stands.
            df = min(max(total**2 / fourth, math.sqrt(df)), df)
        if found[0].halves is not None:
            of_halves = _difference([one.halves for one in found])
            variance = float(of_halves @ of_halves) / (len(of_halves) - 1)
            df = 1 / (1 / df + 2 / (len(of_halves) - 1))  # two halves of a sample are one draw
        if len(part) == 1:
            near, variance = found[0].independence, max(variance, found[0].curved_variance)
            variance += near.second_order(variance) if near is not None else 0.0
        return math.sqrt(variance), df

    def _found(self, part: Part) -> list[Influences] | None:
        found = [one for k in part if (one := self.influences[k]) is not None]
        return found if len(found) == len(part) else None

    def _powers(self, part: Part) -> tuple[float, float, float]:
        """Return the sums of powers of the influences, 0 if there are none."""
        found = self._found(part)
        if found is None or not all(len(one.of_kinds) for one in found):
            return 0.0, 0.0, 0.0
        if len(found) == 1:
            return found[0].powers
        influences = _difference([one.of_units() for one in found])
        squares, thirds, fourths = _powers(self.counts, influences)[:, 0].tolist()
        return squares, thirds, fourths

    # ------------------------------------------------------------- cautions

    def cautions(self, *part: int) -> list[str]:
        """Return why the interval of a candidate, or the comparison of two, may not hold.

        As far as the sample itself shows it.
        """
        errors = (
            self.standard_errors[[*part]]
            if len(part) == 1
            else self._spreads_of(np.array([part]))[0]
        )
        error, found = float(errors[0]), self._found(part)
        if found is None or not math.isfinite(error):
            return []
        cautions = [text for one in found if len(part) == 1 for text in one.facts]
        if max(one.jump for one in found) > error:
            cautions.append(
                "overlaps lie within a standard error of the threshold, and to cross it changes "
                "the score by more than a standard error of the score"
            )
        return cautions

    # ------------------------------------------------------------- several candidates

    def differences(
        self,
        pairs: Iterable[tuple[int, Any]],
        confidence_level: float,
        n_comparisons: int | None = None,
    ) -> Differences:
        """Compare candidates, each with some others.

        The intervals have the level together for ``n_comparisons``, by default all pairs; p-values
        are not corrected.
        """
        listed = [(first, int(other)) for first, others in pairs for other in others]
        both = np.array(listed, np.intp).reshape(-1, 2)
        spreads = self._spreads_of(both)
        estimates = self._estimates(both, *spreads)
        tail = (1 - confidence_level) / 2 / (n_comparisons or max(len(both), 1))
        worst, best = signed_range(self.chosen)
        most = np.where(self.are_crisp[both].all(axis=1), best - worst, np.inf)[:, np.newaxis]
        with np.errstate(invalid="ignore"):
            ends, pvalues = estimates.intervals(tail), estimates.pvalues()
        values, biases = (
            self._sign * _of_parts(one, both) + 0.0  # no negative zero
            for one in (self.values, self.biases)
        )
        return Differences(values, biases, spreads[0], np.clip(ends, -most, most), pvalues)

    def pvalue_above(self, first: int, second: int, least: float) -> float:
        """Return the one-sided p-value of a difference of two candidates of at most ``least``."""
        both = np.array([(first, second)])
        return float(self._estimates(both, *self._spreads_of(both)).pvalues_above(least)[0])

    def best_set(self, confidence_level: float) -> Positions:
        """Return the candidates that are not significantly worse than any other one.

        Each is tested against all others together, by the largest of the standardized differences.
        """
        values = self._sign * (self.values - self.biases)
        if len(values) < 2:  # nothing to be worse than
            return np.arange(len(values))
        draws = self._sign * self._draws()
        effects, errors_of_bias = self._each("effect"), self._each("error_of_bias")
        kept = []
        for k in range(len(values)):
            differences, deviations = values - values[k], draws - draws[:, [k]]
            of_bias = (errors_of_bias - errors_of_bias[k]) ** 2
            # All gains together are at least the difference.
            floor = (effects + effects[k]) / 2 * np.abs(differences)
            errors = np.sqrt(np.maximum(deviations.var(axis=0) + of_bias, floor))
            differs = (errors > TIE * np.abs(values).max()) & (np.arange(len(values)) != k)
            if not differs.any():
                kept.append(k)
                continue
            errors = errors[differs]
            largest = (deviations[:, differs] / errors).max(axis=1)
            if (differences[differs] / errors).max() <= np.quantile(largest, confidence_level):
                kept.append(k)
        return np.array(kept, np.intp)

    def _draws(self) -> FloatArray:
        """Return deviations of all candidates together: of half samples, or of Student's law."""
        found = [one for one in self.influences if one is not None]
        if found[0].halves is not None:
            return np.array([one.halves for one in found]).T
        n_units = float(self.counts.sum())
        influences = np.array([one.of_units() for one in found])
        shared = (influences * self.counts) @ influences.T / (n_units * (n_units - 1))
        squares, axes = np.linalg.eigh(shared)
        df = self._spreads[1].min()
        generator = np.random.default_rng(0)
        normal = generator.standard_normal((_DRAWS, len(squares)))
        scale = np.sqrt(df / generator.chisquare(df, (_DRAWS, 1)))
        return np.asarray(scale * normal * np.sqrt(np.maximum(squares, 0.0)) @ axes.T)

    # ------------------------------------------------------------- what both have

    @property
    def _sign(self) -> int:
        return self.chosen.index.sign

    def _each(self, name: str) -> FloatArray:
        """Return a number of all candidates; that of one without a value counts for nothing."""
        default = Influences._field_defaults[name]
        found = [default if one is None else getattr(one, name) for one in self.influences]
        return np.array(found, np.float64)

    def _estimates(self, parts: Parts, errors: FloatArray, df: FloatArray) -> Estimates:
        """Return values in the population with their errors."""
        rounding = self._rounding(parts)
        values, biases = (
            np.where(np.abs(one) <= rounding, 0.0, one)
            for one in (_of_parts(self.values, parts), _of_parts(self.biases, parts))
        )
        # What causes the errors of two biases is shared.
        of_bias = _of_parts(self._each("error_of_bias"), parts)
        effects = self._each("effect")[parts].mean(axis=1)
        errors = errors * (1 + self._each("gain")[parts].mean(axis=1))
        # Of two candidates either one may be too good: a difference lacks less.
        is_alone = parts.shape[1] == 1
        of_ties = self._each("variance_of_ties")[parts[:, 0]] if is_alone else 0.0
        variances = errors**2 + of_bias**2 + of_ties
        variances = np.where(variances <= rounding**2, 0.0, variances)
        return Estimates(self._sign * (values - biases), variances, df, effects)

    @cached_property
    def are_defined(self) -> Mask:
        """Return for each candidate whether the values of all samples are finite."""
        return np.array(
            [
                np.isfinite(value)
                and (one is None or bool(np.isfinite(one.of_kinds).all()))
                and (one is None or one.halves is None or bool(np.isfinite(one.halves).all()))
                for value, one in zip(self.values, self.influences, strict=True)
            ],
            np.bool_,
        )

    def check_finite(self) -> SamplingErrors:
        """Raise ValueError unless all values are finite, and return the errors themselves."""
        name = self.chosen.index.name
        for value, is_defined in zip(self.values, self.are_defined, strict=True):
            if not is_defined:
                got = f"{value} for {name} of the sample"
                if np.isfinite(value):
                    got = (
                        f"an undefined {name} of a part of the sample, in which a single cluster "
                        "may be left"
                    )
                msg = f"index must be finite to have a sampling error, got {got}"
                raise ValueError(msg)
        return self

    def take(self, positions: Positions) -> SamplingErrors:
        """Return the errors of some candidates, NaN for positions of -1."""
        influences = *self.influences, None
        return replace(
            self,
            values=np.append(self.values, np.nan)[positions],
            influences=tuple(influences[k] for k in positions),
            are_crisp=np.append(self.are_crisp, False)[positions],
        )


def _difference(values: Any) -> Any:
    """Return the only value, or the difference of two."""
    return values[0] - values[1] if len(values) > 1 else values[0]


def _of_parts(column: FloatArray, parts: Parts) -> FloatArray:
    return np.asarray(_difference(column[parts].T))


# --------------------------------------------------------------------------- computation


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
) -> tuple[Sample, list[SamplingErrors]]:
    """Read a reference and candidates; ``names`` are their names in messages.

    Return them as they were counted, and the sampling errors of indices.
    """
    sides, units, sample = joint_cells(partitions, names, sample_weight, groups, reading)
    return sample, errors_of_both(sample, X, sides[1:], chosen, reading, units, **options)


def errors_of_both(
    sample: Sample,
    X: Any,
    candidates: Sequence[Partition],
    chosen: tuple[Chosen, ...],
    reading: Reading,
    groups: Labels | None,
    **options: Any,
) -> list[SamplingErrors]:
    """Compute indices of two partitions from the cells, and each other one from the data."""
    comparing = tuple(one for one in chosen if not one.index.needs_data)
    found = sampling_errors(sample, comparing, **options) if comparing else []
    for one in chosen:
        if one.index.needs_data:
            check_samplable(one)
            one_by_one = one.index.without_each is not None
            of_data = Sample.of_data(X, candidates, reading, groups, one_by_one=one_by_one)
            found += sampling_errors(of_data, (one,), **options)
    by_name = {one.chosen.name: one for one in found}
    return [by_name[one.name] for one in chosen]


def sampling_errors(
    sample: Sample,
    chosen: tuple[Chosen, ...],
    *,
    n_resamples: int,
    random_state: Any,
    n_jobs: int | None,
    verbose: Any = 0,
) -> list[SamplingErrors]:
    """Compute indices for all candidates, and their sampling errors."""
    n_candidates = len(sample.sources)
    blocks = list(sample.blocks(_CANDIDATES_PER_TASK))
    tasks = ((one, chosen) for one in blocks)
    by_data = all(one.index.needs_data for one in chosen)
    prefer = preferred(*(one.index for one in chosen)) if by_data else "processes"
    found = run_tasks(_of_block, tasks, n_jobs=n_jobs, prefer=prefer, total=len(blocks))
    columns = [[one for part in column for one in part] for column in zip(*found, strict=True)]
    columns = columns or [[] for _ in chosen]
    # Where single objects were not left out for a candidate, half samples are drawn for all.
    halved = [
        k
        for k, column in enumerate(columns)
        if needs_half_samples(chosen[k])
        or not all(len(parts.of_kinds) for _, parts in column if parts)
    ]
    if halved and n_candidates:
        drawn = half_samples(
            sample,
            tuple(chosen[k] for k in halved),
            n_resamples=n_resamples,
            random_state=random_state,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        for k, of_index in zip(halved, np.moveaxis(drawn, 2, 0), strict=True):
            columns[k] = [
                (value, _with_halves(parts, value, of_candidate, sample))
                for (value, parts), of_candidate in zip(columns[k], of_index.T, strict=True)
            ]
    are_crisp = np.array([one.is_crisp for one in sample.sources], np.bool_)
    return [
        SamplingErrors(
            one,
            np.array([value for value, _ in column], np.float64),
            tuple(parts for _, parts in column),
            sample.unit_counts,
            are_crisp,
            sample.n_groups > 0,
        )
        for one, column in zip(chosen, columns, strict=True)
    ]


def _with_halves(
    influences: Influences | None, value: float, drawn: FloatArray, sample: Sample
) -> Influences | None:
    """Add the deviations of half samples; those of groups show no bias.

    The better of two maxima varies less than either one. What the mean of both halves exceeds the
    value by shows where another one takes over: at a tie it has the variance 1 - 2 / pi of one
    maximum for each pair of them, a third, and the halves lack as much twice.
    """
    if influences is None:
        return None
    influences = influences._replace(halves=scaled_deviations(drawn, sample.n_halved))
    if sample.n_groups:
        return influences
    # The other half of the last of an odd number is missing.
    first, second = drawn[: len(drawn) // 2 * 2].reshape(-1, 2).T
    excess = (first + second) / 2 - value
    of_ties = 2 * float(excess.var()) if sample.are_both_halves_drawn else 0.0
    return influences._replace(bias_of_halves=-float(excess.mean()), variance_of_ties=of_ties)


def _is_biased(chosen: Chosen) -> bool:
    """Return whether an index has a value in the population that a smooth function estimates."""
    by_data = chosen.index.needs_data
    return not by_data and chosen.index.sampling == "smooth" and growth(chosen) == 0


def _of_block(
    sample: Sample, chosen: tuple[Chosen, ...]
) -> list[list[tuple[float, Influences | None]]]:
    """Return the value of each index for each candidate, and its influences: a list by index."""
    by_cell = [isinstance(one, LabeledPair) and sample.units is None for one in sample.sources]
    found: list[list[tuple[float, Influences | None]]] = [[] for _ in chosen]
    with UNDEFINED_IGNORED:
        for is_by_cell, some in groupby(zip(by_cell, sample.sources, strict=True), itemgetter(0)):
            of_some = sample._replace(sources=tuple(source for _, source in some))
            columns = (_by_cell if is_by_cell else _by_unit)(of_some, chosen)
            for whole, column in zip(found, columns, strict=True):
                whole += [
                    (value, parts if math.isfinite(value) else None) for value, parts in column
                ]
    return found


Column = list[tuple[float, Influences]]


def _by_cell(sample: Sample, chosen: tuple[Chosen, ...]) -> list[Column]:
    """Leave out single objects; those of a cell of a pair have the same influence."""
    pairs = [one for one in sample.sources if isinstance(one, LabeledPair)]
    counts = [one.added(sample.counts[np.newaxis])[0] for one in pairs]
    tables = [
        count_read(one.true, one.pred, of_pair, one.reading)
        for one, of_pair in zip(pairs, counts, strict=True)
    ]
    has_objects = [bool(table.n_samples) for table in tables]
    if not all(has_objects):  # no index has a value without
        some = sample._replace(sources=tuple(compress(pairs, has_objects)))
        columns = map(iter, _by_cell(some, chosen) if any(has_objects) else [[] for _ in chosen])
        return [[next(one) if has else _NOTHING for has in has_objects] for one in columns]
    counted = CountedPairs.of(pairs, counts)
    # Where the cells are among those before noise was dropped, which changes nothing.
    starts = np.cumsum([0, *map(len, counts[:-1])]).tolist()
    places = np.concatenate([*map(np.add, counted.before, starts)])
    units = np.concatenate(counts), [pair.kinds for pair in pairs], starts
    unseen_cells = cache(lambda: UnseenCells.of(*counted.sized[:3], counted.owners))
    near_independence = cache(lambda: nearness(*tables))
    lengths, n_before = np.diff(counted.starts[:, 0]), [*map(len, counts)]
    # The bias is the mean of a sum of squares, and there are about as many as free cells.
    n_free = np.maximum(lengths - counted.shapes.min(axis=1), 1)
    # Terms of second order and beyond are small where cells hold many objects.
    shares = np.minimum(_CELLS_PER_OBJECT * lengths / sample.n_samples, 1.0)
    found = []
    for index in chosen:
        values = np.array([values_of((index,), table)[0] for table in tables])
        without: list[FloatArray | None] = [None] * len(pairs)
        if not needs_half_samples(index):
            without = counted.without_one(index, values)
        shifts, sign, missed = np.zeros(len(units[0])), index.index.sign, _missed(index, values)
        shifts[places] = np.concatenate(
            [np.zeros(n) if one is None else one for one, n in zip(without, lengths, strict=True)]
        )
        # Where there are no influences, half samples are drawn.
        is_known = [one is not None for one in without]
        parts = Influences.of_shifts(shifts, *units, is_biased=_is_biased(index))
        curvatures = np.zeros(len(pairs))
        if _is_biased(index):
            curvatures = _curvatures(counted, index, values, parts, places, n_free)
            curvatures *= 1 - near_independence()
        parts = _known(parts, is_known)
        nears = [
            Independence.of(table, index, value) if some > TIE else None
            for table, value, some in zip(tables, values.tolist(), missed.tolist(), strict=True)
        ]
        corrections = []
        for k, (near, part) in enumerate(zip(nears, parts, strict=True)):
            unseen = unseen_cells().of_table(k) if near and near.unit and is_known[k] else None
            plain = Correction(sign * part.bias, part.error_of_bias)
            corrections.append(near.corrected(plain.bias, unseen) if near else plain)
        biases = sign * np.array([part.bias for part in parts])
        curved_variances = 2 * biases**2 / n_free * (not index.index.adjusted)
        corrected, errors, own, of_unseen = np.array(corrections).T
        if (own != 1).any() or of_unseen.any():  # influences are those on the corrected score
            shifts = np.repeat(own, n_before) * shifts
            shifts[places] -= np.repeat(sign * of_unseen, lengths) * unseen_cells().shifts
            parts = _known(Influences.of_shifts(shifts, *units, is_biased=False), is_known)
        has_gain = [near is None or not near.unit for near in nears] & (missed > TIE)
        fields = {
            "bias": sign * corrected,
            "error_of_bias": shares * errors,
            "curved_variance": curved_variances,
            "curvature": curvatures,
            "gain": np.clip(biases / np.where(has_gain, missed, np.inf), 0.0, 1.0),
            "effect": counted.effects_of_an_error(index, values),
        }
        column, numbers = [], np.array([*fields.values()]).T.tolist()
        for k, (near, part, of_pair) in enumerate(zip(nears, parts, numbers, strict=True)):
            facts, jump = _facts(counted, k, index)
            facts = (*_small_clusters(tables[k]), *facts) if near and near.unit else facts
            own_fields = dict(zip(fields, of_pair, strict=True))
            part = part._replace(**own_fields, independence=near, facts=facts, jump=jump)
            column.append((float(values[k]), part))
        found.append(column)
    return found


def _curvatures(
    counted: CountedPairs,
    index: Chosen,
    values: FloatArray,
    parts: list[Influences],
    places: Positions,
    n_free: FloatArray,
) -> FloatArray:
    """Return by how much the variances of the parts of second order grow with the scores.

    It is twice the mean eigenvalue of that part, whose trace is the bias of the shares of the
    cells; as far as the score is curved along the influences, where it is steepest.
    """
    squares = np.array([part.powers[0] for part in parts])
    biases = np.array([part.bias for part in parts])
    influences = np.concatenate([part.of_kinds for part in parts])[places]
    lengths, counts = np.diff(counted.starts[:, 0]), counted.sized.counts
    scales = np.repeat(np.sqrt(np.where(squares > 0, squares, np.inf)), lengths)
    steps = counts * influences / scales
    at, ahead, behind = (
        counted.values_of_shares(index, values, np.clip(one, -counts, counts))
        for one in (0.0, steps, -steps)
    )
    means = 2 * (biases + at - values) / n_free
    curvatures = np.clip(ahead + behind - 2 * at, np.minimum(means, 0.0), np.maximum(means, 0.0))
    return np.asarray(np.where(squares > 0, curvatures, 0.0))


def _known(parts: list[Influences], is_known: list[bool]) -> list[Influences]:
    """Return no influences where they are not known."""
    return [part if one else _NOTHING[1] for part, one in zip(parts, is_known, strict=True)]


def _small_clusters(table: ContingencyTable) -> tuple[str, ...]:
    sides = table.row_sums, table.col_sums
    if max(np.count_nonzero(one == 1) / len(one) for one in sides) < _SINGLE:
        return ()
    return ("the sample is too small for so many clusters: many have a single object",)


def _by_unit(sample: Sample, chosen: tuple[Chosen, ...]) -> list[Column]:
    """Leave out groups, objects with memberships or data, or parts of these."""
    found: list[Column] = [[] for _ in chosen]
    counts = sample.unit_counts
    for source in sample.sources:
        values = source.values(chosen, sample.counts[np.newaxis])[0]
        if sample.units is None and isinstance(source, JudgedSide):
            shifts = source.without_each(chosen[0], float(values[0]), len(sample.counts))
        else:
            drawn = [source.values(chosen, block) for block in sample.without_units()]
            shifts = np.concatenate(drawn) - values
        counted, kinds = _counted(source, sample.counts), [np.arange(len(shifts))]
        for k, (one, value) in enumerate(zip(chosen, values, strict=True)):
            # Clusters that hold few groups each, as of entities, would not hold more of them in a
            # larger sample: how an index changes with the number of groups is no bias.
            is_biased = _is_biased(one) and not sample.n_groups
            (parts,) = Influences.of_shifts(shifts[:, k], counts, kinds, is_biased=is_biased)
            if counted is not None and math.isfinite(value):
                size = float(counted.n_samples[0]) / sample.n_groups
                (effect,) = counted.effects_of_an_error(one, counted.values(one))
                effect = _effect_in_unit(effect, size, parts, counts, _missed(one, value))
                facts, jump = _facts(counted, 0, one, size)
                parts = parts._replace(effect=effect, facts=facts, jump=jump)
            found[k].append((float(value), parts))
    return found


def _counted(source: Any, counts: IntArray) -> CountedPairs | None:
    """Return the table of labels that a candidate has, if it has one."""
    if isinstance(source, LabeledPair):
        return CountedPairs.of([source], [source.added(counts[np.newaxis])[0]])
    return CountedPairs.of_table(source.pooled()) if isinstance(source, GroupedTables) else None


def _facts(
    counted: CountedPairs, pair: int, chosen: Chosen, size: float = 1.0
) -> tuple[tuple[str, ...], float]:
    """Return what is special about the table of a pair, of units that have ``size`` objects.

    That are cautions on the score, and by how much it jumps at its threshold.
    """
    n_rows, n_cols = counted.shapes[pair].tolist()
    facts = []
    if (
        (n_rows == 1) != (n_cols == 1)
        and _may_be_equal(counted.each[pair].sized.counts, size)
        and counted.each[pair].depends_on_sizes(chosen)
    ):
        facts.append(
            "a side has a single cluster, and the other clusters of nearly equal size: no object "
            "changes the score"
        )
    is_count = chosen.index.sampling == "counts" and min(n_rows, n_cols) > 1
    if is_count and len(counted.before[pair]) >= _FULL * n_rows * n_cols:
        facts.append("nearly all cells of the table are occupied: errors hardly change counts")
    jump = 0.0
    if "threshold" in chosen.index.parameters:
        jump = counted.each[pair].jump_at_threshold(chosen)
    return tuple(facts), jump


def _may_be_equal(sizes: FloatArray, size: float) -> bool:
    """Return whether clusters of equal probability may have these sizes, of units with ``size``.

    The chi-squared test does not find them different.
    """
    statistic = len(sizes) * float(sizes @ sizes) / float(sizes.sum()) - float(sizes.sum())
    return bool(statistic / size <= chdtri(len(sizes) - 1, _LEVEL_OF_SIZES))


def _missed(chosen: Chosen, values: Any) -> Any:
    """Return the distance of values from the best one."""
    return abs(signed_range(chosen)[1] - chosen.index.sign * values)


def _effect_in_unit(
    of_object: float, size: float, influences: Influences, counts: Array, missed: float
) -> float:
    """Return the effect of one more unit with errors, of which one object to all may err.

    A sum of errors has the variance over the mean of the effect of one. It is averaged with that of
    a unit that errs as a whole, which counts as much as one of the units that err.
    """
    (total, _, fourth), n_units = influences.powers, float(counts.sum())
    if missed <= TIE or not total or not math.isfinite(missed):
        return size * of_object
    seen = total / (n_units * (n_units - 1)) / missed
    n_effective = total**2 / fourth
    seen = min(max(seen, of_object), size * of_object)
    return (n_effective * seen + size * of_object) / (n_effective + 1)
