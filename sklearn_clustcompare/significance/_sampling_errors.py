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
from typing import Any, NamedTuple

import numpy as np
from scipy.special import chdtri
from scipy.stats import t as student

from sklearn_clustcompare._array_types import Array, FloatArray, Mask, Positions
from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._table import ContingencyTable
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED, run_tasks
from sklearn_clustcompare.indices._judged import Chosen, needs_moments
from sklearn_clustcompare.indices._moments import null_moments
from sklearn_clustcompare.significance._leave_one_out import CountedPair
from sklearn_clustcompare.significance._resampling import (
    ERROR_OF_JACKKNIFE,
    Estimates,
    Independence,
    JointCells,
    LabeledPair,
    SoftPair,
    growth,
    half_samples,
    scaled_deviations,
    value_of,
)

# Normal draws for the set of the best candidates.
_DRAWS = 4999
# From so many standard errors on the bias is too large to be corrected without a word.
_LARGE_BIAS = 2.0
# Where fewer units of equal influence would have the same error, Student's law does not hold; but
# for fewer errors than these the interval is one of counts.
_FEW_UNITS, _FEW_ERRORS = 4, 2
# From this share of occupied cells on, most errors leave their number as it is.
_FULL = 0.9
# Sizes of clusters are called equal unless a test of this level finds them different.
_LEVEL_OF_SIZES = 0.05


class TableFacts(NamedTuple):
    """What is special about a table, for an interval of an index.

    ``jump`` is by how much the index changes if two clusters cross its threshold, 0 if none is near
    it; ``is_at_end`` whether a side has a single cluster, and those of the other, on whose sizes
    the index depends, may have equal ones, and ``is_full`` whether nearly all cells are occupied
    that an index counts.
    """

    jump: float = 0.0
    is_at_end: bool = False
    is_full: bool = False

    @classmethod
    def of(
        cls, counted: CountedPair, chosen: Chosen, value: float, size: float = 1.0
    ) -> TableFacts:
        """Return the facts of a table of units that have ``size`` objects."""
        n_rows, n_cols = counted.sized.shape
        n_occupied = len(counted.sized.counts)
        is_one_cluster = (n_rows == 1) != (n_cols == 1)
        is_count = chosen.index.sampling == "counts" and min(n_rows, n_cols) > 1
        return cls(
            counted.jump_at_threshold(chosen),
            is_one_cluster
            and may_be_equal(counted.sized.counts, size)
            and counted.depends_on_sizes(chosen, value),
            is_count and n_occupied >= _FULL * n_rows * n_cols,
        )


class Influences(NamedTuple):
    """Influence of each sampling unit on an index: that of its kind.

    There are no kinds where half samples are drawn. ``powers`` are the sums over all units of
    their squares and fourth powers. ``bias`` is by how much the value of the sample
    exceeds that of the population, with its error, and ``slope`` by how much the corrected value
    varies with that of the sample; ``effect`` is by how much the index gets worse by one more
    error, and ``facts`` are what is special about its table.
    """

    of_kinds: FloatArray
    kinds: Array
    powers: tuple[float, float] = (0.0, 0.0)
    bias: float = 0.0
    error_of_bias: float = 0.0
    slope: float = 1.0
    effect: float = 0.0
    facts: TableFacts = TableFacts()
    independence: Independence | None = None

    @classmethod
    def of_shifts(
        cls, shifts: FloatArray, counts: Array, kinds: Array, *, is_biased: bool
    ) -> Influences:
        """Take the changes of an index without a unit of each kind, of which there are so many.

        The mean change is the bias, unless the index grows with the number of objects.
        """
        n_units = counts.sum()
        mean = float(counts @ shifts / n_units)
        of_kinds = np.asarray((n_units - 1) * (mean - shifts), np.float64)
        bias = float(n_units - 1) * mean if is_biased else 0.0
        squares = counts * of_kinds**2
        powers = float(squares.sum()), float((squares * of_kinds**2).sum())
        return cls(of_kinds, kinds, powers, bias, ERROR_OF_JACKKNIFE * abs(bias))

    def of_units(self) -> FloatArray:
        return self.of_kinds[self.kinds]


class Differences(NamedTuple):
    """By how much the first candidate of some pairs is better than the second."""

    values: FloatArray
    biases: FloatArray
    standard_errors: FloatArray
    intervals: FloatArray
    pvalues: FloatArray


class SamplingErrors(NamedTuple):
    """Values of an index for some candidates, and how they vary from sample to sample.

    ``counts`` are the numbers of sampling units of each kind. ``influences`` are None for a
    candidate that was not scored. ``halves``, of shape (n_resamples, n_candidates), are the values
    of half samples, where they are needed, of which ``n_halved`` units were halved.
    """

    chosen: Chosen
    values: FloatArray
    influences: tuple[Influences | None, ...]
    counts: Array
    are_crisp: Mask
    halves: FloatArray | None
    n_halved: int
    is_grouped: bool

    # ------------------------------------------------------------- one candidate

    @property
    def standard_errors(self) -> FloatArray:
        return np.array([self._spread((one,))[0] for one in range(len(self.values))])

    @property
    def biases(self) -> FloatArray:
        """By how much the values of the sample are estimated to exceed those of the population."""
        return np.array([0.0 if one is None else one.bias for one in self.influences])

    def intervals(self, confidence_level: float) -> FloatArray:
        """Return the intervals of the values in the population, of shape (n_candidates, 2)."""
        sign, (worst, best) = self._sign, self._signed_range
        tail = (1 - confidence_level) / 2
        biases = sign * self.biases
        estimates = self._estimates(sign * self.values, biases, [(k,) for k in self._candidates])
        is_count = self.chosen.index.sampling == "counts" and math.isinf(worst)
        with np.errstate(invalid="ignore"):
            centered = estimates._replace(values=np.zeros(len(biases)))
            ends = estimates.values[:, np.newaxis] + centered.intervals(tail)
            # Only of labels the range is known.
            near = estimates.intervals_below(best, tail) if math.isfinite(best) else ends
            for k, one in enumerate(self.influences):
                if one is not None and one.independence is not None and math.isfinite(best):
                    near[k] = self._near_independence(k, one.independence, near[k], tail)
            near = np.clip(near, worst, best)
            if is_count:
                near = np.column_stack([np.floor(near[:, 0]), np.ceil(near[:, 1])])
            ends = np.where(self.are_crisp[:, np.newaxis], near, ends)
        ends = np.where(self.are_defined[:, np.newaxis], ends, np.nan)
        return np.sort(sign * ends, axis=1)

    def _near_independence(
        self, candidate: int, independence: Independence, ends: FloatArray, tail: float
    ) -> FloatArray:
        """Return the ends of a score as far as its partitions may be independent."""
        if not independence.vanishes:
            return ends
        error, df = self._spread((candidate,))
        value, best = self._sign * float(self.values[candidate]), self._signed_range[1]
        weight = independence.weight(value, error**2, best)
        if not weight:
            return ends
        bias, t = self._sign * float(self.biases[candidate]), float(student.isf(tail, df))
        low, high = independence.ends(value, error**2, best, t)
        of_bias = t * self._errors_of_bias[candidate]
        slope = self._slopes[candidate]
        below, above = np.hypot([slope * (value - low), slope * (high - value)], of_bias)
        return (1 - weight) * ends + weight * (value - bias + np.array([-below, above]))

    def cautions(self, candidate: int) -> list[str]:
        """Return why an interval may not hold, as far as the sample itself shows it."""
        return self._cautions((candidate,))

    def cautions_of_difference(self, first: int, second: int) -> list[str]:
        """Return why the interval of a difference may not hold, and its p-value."""
        return self._cautions((first, second))

    def _cautions(self, candidates: tuple[int, ...]) -> list[str]:
        error, _ = self._spread(candidates)
        influences = [one for k in candidates if (one := self.influences[k]) is not None]
        if len(influences) < len(candidates) or not math.isfinite(error):
            return []
        found = []
        is_score = len(candidates) == 1
        if self._depends_on_few(candidates, error):
            units = "groups" if self.is_grouped else "objects"
            found.append(
                f"the standard error depends on few {units}: it is as uncertain as that of "
                f"{self._n_effective(candidates):.1f} {units} that count alike"
            )
        bias = self._of_pair(self.biases, candidates)
        if self.halves is not None and not self.is_grouped:
            bias = self._of_pair(self.values - self.halves.mean(axis=0), candidates)
        of_chance = self._of_pair(self._biases_of_chance, candidates)
        bias = max(abs(float(bias)), abs(float(of_chance)))
        if bias > _LARGE_BIAS * error > 0 and self.grows_not:
            found.append(
                "the sample is too small for so many clusters: its bias without adjustment is "
                f"about {bias / error:.1f} standard errors"
            )
        facts = [one.facts for one in influences]
        if is_score and facts[0].is_at_end:
            found.append(
                "a side has a single cluster, and the other clusters of nearly equal size: no "
                "object changes the score"
            )
        if max(one.jump for one in facts) > error:
            found.append(
                "an overlap lies within two standard errors of the threshold, and to cross it "
                "changes the score by more than a standard error of the score"
            )
        if is_score and facts[0].is_full:
            found.append("nearly all cells of the table are occupied: errors hardly change counts")
        return found

    def _depends_on_few(self, candidates: tuple[int, ...], error: float) -> bool:
        """Return whether few units of equal influence would have the same error."""
        n_effective = self._n_effective(candidates)
        if error <= TIE * max(abs(float(self.values[k])) for k in candidates):
            return False
        if n_effective >= _FEW_UNITS or self.is_grouped:
            return n_effective < _FEW_UNITS
        of_units, n_units = self._of_units(candidates), float(self.counts.sum())
        assert of_units is not None
        if len(candidates) == 1:
            missed = _missed(self.chosen, float(self.values[candidates[0]]))
        else:  # what both gain over each other
            lead = self._sign * self._of_pair(self.values, candidates)
            missed = float(self.counts @ np.abs(of_units + lead)) / n_units
        effects = [one.effect for k in candidates if (one := self.influences[k]) is not None]
        # With errors of equal effect there are as many units as errors.
        return missed >= _FEW_ERRORS * max(n_effective, 1.0) * float(np.mean(effects))

    def _n_effective(self, candidates: tuple[int, ...]) -> float:
        """Return how many units of equal influence would have the same error."""
        total, fourth = self._powers(candidates) or (0.0, 0.0)
        return total**2 / fourth if fourth else math.inf

    def _powers(self, candidates: tuple[int, ...]) -> tuple[float, float] | None:
        """Return the sums of squares and fourth powers of the influences, if there are some."""
        if len(candidates) == 1:
            one = self.influences[candidates[0]]
            return None if one is None or not len(one.of_kinds) else one.powers
        of_units = self._of_units(candidates)
        if of_units is None:
            return None
        squares = self.counts * of_units**2
        return float(squares.sum()), float((squares * of_units**2).sum())

    @property
    def _biases_of_chance(self) -> FloatArray:
        """Biases of the scores without adjustment for chance, as far as they are known."""
        best = self._signed_range[1]
        return np.array(
            [
                0.0
                if one is None or one.independence is None
                else one.independence.bias_at(self._sign * float(value), best)
                for one, value in zip(self.influences, self.values, strict=True)
            ]
        )

    @property
    def grows_not(self) -> bool:
        """Whether the index has a value in the population: it does not grow with the objects."""
        return growth(self.chosen) == 0

    @property
    def _candidates(self) -> range:
        return range(len(self.values))

    @property
    def _signed_range(self) -> tuple[float, float]:
        """The worst and the best value, signed so that larger is better."""
        low, high = self.chosen.index.properties(**self.chosen.parameters)["range"]
        return (low, high) if self._sign > 0 else (-high, -low)

    @property
    def _sign(self) -> int:
        return 1 if self.chosen.index.greater_is_better else -1

    def _estimates(
        self, values: FloatArray, biases: FloatArray, parts: Sequence[tuple[int, ...]]
    ) -> Estimates:
        """Return values in the population with their errors, of candidates or of pairs of them."""
        errors, df = np.array([self._spread(one) for one in parts], np.float64).reshape(-1, 2).T
        sizes = np.array([np.abs(self.values[[*one]]).max() for one in parts], np.float64)
        rounding = TIE * np.maximum(sizes, np.finfo(np.float64).tiny)
        errors = np.where(errors <= rounding, 0.0, errors)
        biases = np.where(np.abs(biases) <= rounding, 0.0, biases)
        values = np.where(np.abs(values) <= rounding, 0.0, values) - biases
        of_each = np.array([0.0 if one is None else one.effect for one in self.influences])
        effects = np.array([of_each[[*part]].mean() for part in parts], np.float64)
        of_each = self._errors_of_bias
        of_bias = np.array([self._error_of_bias(of_each[[*part]]) for part in parts], np.float64)
        slopes = np.array([self._slopes[[*part]].mean() for part in parts], np.float64)
        return Estimates(values, (slopes * errors) ** 2 + of_bias**2, df, effects)

    @property
    def _slopes(self) -> FloatArray:
        return np.array([1.0 if one is None else one.slope for one in self.influences])

    @property
    def _errors_of_bias(self) -> FloatArray:
        return np.array([0.0 if one is None else one.error_of_bias for one in self.influences])

    @staticmethod
    def _error_of_bias(errors: FloatArray) -> float:
        """Return the error of a bias, or of a difference of two: what causes them is shared."""
        return float(abs(errors[0] - errors[-1]) if len(errors) > 1 else errors[0])

    def _spread(self, candidates: tuple[int, ...]) -> tuple[float, float]:
        """Return standard error and degrees of freedom of a value, or of a difference of two."""
        n_units = float(self.counts.sum())
        powers = self._powers(candidates)
        variance, df = 0.0, n_units - 1
        if powers is not None:
            total, fourth = powers
            if self.is_grouped and total:
                df = min(max(total**2 / fourth, 1.0), df)
            if self.chosen.index.sampling != "maximum":
                variance = total / (n_units * (n_units - 1))
        if self.halves is not None:
            deviations = scaled_deviations(self.halves[:, list(candidates)], self.n_halved)
            of_halves = self._of_pair(deviations.T, range(len(candidates)))
            n_halves = len(of_halves)
            drawn = float(of_halves @ of_halves) / (n_halves - 1)
            if not drawn <= variance:
                variance, df = drawn, 1 / (1 / df + 1 / (n_halves - 1))
        if len(candidates) == 1 and (one := self.influences[candidates[0]]) is not None:
            variance += self._second_order(candidates[0], one.independence, variance)
        return math.sqrt(variance), df

    def _second_order(
        self, candidate: int, independence: Independence | None, variance: float
    ) -> float:
        """Return the variance that influences lack where the first order does not vanish."""
        best = self._signed_range[1]
        if independence is None or independence.vanishes or not math.isfinite(best):
            return 0.0
        value = self._sign * float(self.values[candidate])
        return independence.second_order(value, variance, best)

    def _of_units(self, candidates: tuple[int, ...]) -> FloatArray | None:
        """Return the influences on a value, or on a difference of two, signed."""
        parts = [one.of_units() for k in candidates if (one := self.influences[k]) is not None]
        if len(parts) < len(candidates) or not all(map(len, parts)):
            return None
        return np.asarray(self._sign * self._of_pair(parts, range(len(parts))))

    def _of_pair(self, values: Any, candidates: Sequence[int]) -> Any:
        """Return a value of a candidate, or the difference of those of two."""
        first, *other = (values[k] for k in candidates)
        return first - other[0] if other else first

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
        both = [(first, int(other)) for first, others in pairs for other in others]
        values, biases, estimates = self._differences(both)
        tail = (1 - confidence_level) / 2 / (n_comparisons or max(len(both), 1))
        worst, best = self._signed_range
        are_crisp = [bool(self.are_crisp[[*one]].all()) for one in both]
        most = np.where(are_crisp, best - worst, np.inf).reshape(-1, 1)
        with np.errstate(invalid="ignore"):
            ends, pvalues = estimates.intervals(tail), estimates.pvalues()
        errors = np.array([self._spread(one)[0] for one in both], np.float64)
        return Differences(values, biases, errors, np.clip(ends, -most, most), pvalues)

    def pvalue_above(self, first: int, second: int, least: float) -> float:
        """Return the one-sided p-value of a difference of two candidates of at most ``least``."""
        estimates = self._differences([(first, second)])[2]
        return float(estimates.pvalues_above(least)[0])

    def _differences(self, both: list[tuple[int, int]]) -> tuple[FloatArray, FloatArray, Estimates]:
        """Return differences of candidates in the sample, their biases, and both together."""
        signed = [self._sign * self.values, self._sign * self.biases]
        values, biases = (
            np.array([self._of_pair(one, pair) for pair in both], np.float64) for one in signed
        )
        return values, biases, self._estimates(values, biases, both)

    def best_set(self, confidence_level: float) -> Positions:
        """Return the candidates that are not significantly worse than any other one.

        Each is tested against all others together, by the largest of the standardized differences.
        """
        values = self._sign * (self.values - self.biases)
        if len(values) < 2:  # nothing to be worse than
            return np.arange(len(values))
        draws = self._sign * self._draws() * self._slopes
        effects = np.array([0.0 if one is None else one.effect for one in self.influences])
        kept = []
        for k in self._candidates:
            differences, deviations = values - values[k], draws - draws[:, [k]]
            of_bias = self._errors_of_bias - self._errors_of_bias[k]
            # All gains together are at least the difference.
            floor = (effects + effects[k]) / 2 * np.abs(differences)
            errors = np.sqrt(np.maximum(deviations.var(axis=0) + of_bias**2, floor))
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
        if self.halves is not None:
            return scaled_deviations(self.halves, self.n_halved)
        n_units = float(self.counts.sum())
        influences = np.array([one.of_units() for one in self.influences if one])
        shared = (influences * self.counts) @ influences.T / (n_units * (n_units - 1))
        squares, axes = np.linalg.eigh(shared)
        df = min(self._spread((one,))[1] for one in self._candidates)
        generator = np.random.default_rng(0)
        normal = generator.standard_normal((_DRAWS, len(squares)))
        scale = np.sqrt(df / generator.chisquare(df, (_DRAWS, 1)))
        return np.asarray(scale * normal * np.sqrt(np.maximum(squares, 0.0)) @ axes.T)

    @property
    def are_defined(self) -> Mask:
        """Return for each candidate whether the values of all samples are finite."""
        defined = np.isfinite(self.values)
        for position, one in enumerate(self.influences):
            defined[position] &= one is None or bool(np.isfinite(one.of_kinds).all())
        if self.halves is not None:
            defined &= np.isfinite(self.halves).all(axis=0)
        return defined

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

    def spread_out(self, scored: list[int], n_candidates: int) -> SamplingErrors:
        """Return the errors of more candidates, of which only some were scored."""
        values, are_crisp = np.full(n_candidates, np.nan), np.zeros(n_candidates, np.bool_)
        values[scored], are_crisp[scored] = self.values, self.are_crisp
        influences = dict(zip(scored, self.influences, strict=True))
        halves = None
        if self.halves is not None:
            halves = np.full((len(self.halves), n_candidates), np.nan)
            halves[:, scored] = self.halves
        return self._replace(
            values=values,
            influences=tuple(influences.get(one) for one in range(n_candidates)),
            are_crisp=are_crisp,
            halves=halves,
        )

    def take(self, candidates: Any) -> SamplingErrors:
        """Return the errors of some candidates."""
        positions = np.arange(len(self.values))[candidates]
        return self._replace(
            values=self.values[positions],
            influences=tuple(self.influences[one] for one in positions),
            are_crisp=self.are_crisp[positions],
            halves=None if self.halves is None else self.halves[:, positions],
        )


# --------------------------------------------------------------------------- computation


def sampling_errors(
    cells: JointCells,
    chosen: tuple[Chosen, ...],
    *,
    n_resamples: int,
    random_state: Any,
    n_jobs: int | None,
    verbose: Any = 0,
) -> list[SamplingErrors]:
    """Compute indices for all candidates, and their sampling errors."""
    are_biased = tuple(map(_is_biased, chosen))
    tasks = (
        (cells._replace(candidates=(candidate,)), chosen, are_biased)
        for candidate in cells.candidates
    )
    n_candidates = len(cells.candidates)
    found = run_tasks(_of_candidate, tasks, n_jobs=n_jobs, prefer="processes", total=n_candidates)
    columns = list(zip(*found, strict=True)) or [()] * len(chosen)
    # Where single objects were not left out for a candidate, half samples are drawn for all.
    are_halved = [
        needs_half_samples(one) or not all(len(parts.of_kinds) for _, parts in column if parts)
        for one, column in zip(chosen, columns, strict=True)
    ]
    halved = tuple(one for one, needed in zip(chosen, are_halved, strict=True) if needed)
    halves: list[FloatArray] = []
    n_halved = 0
    if halved:
        halves, n_halved = half_samples(
            cells,
            halved,
            n_resamples=n_resamples,
            random_state=random_state,
            n_jobs=n_jobs,
            verbose=verbose,
        )
    remaining = iter(halves)
    return [
        SamplingErrors(
            one,
            np.array([value for value, _ in column], np.float64),
            tuple(parts for _, parts in column),
            cells.unit_counts,
            cells.are_crisp,
            next(remaining) if is_halved else None,
            n_halved,
            cells.n_groups > 0,
        )
        for one, column, is_halved in zip(chosen, columns, are_halved, strict=True)
    ]


def needs_half_samples(chosen: Chosen) -> bool:
    """Return whether single objects show too little of how an index varies."""
    return chosen.index.sampling in (None, "maximum")


def _of_candidate(
    cells: JointCells, chosen: tuple[Chosen, ...], are_biased: tuple[bool, ...]
) -> list[tuple[float, Influences | None]]:
    """Return the value of each index for one candidate, and its influences."""
    (pair,) = cells.pairs()
    (table,) = pair.tables(cells.counts[np.newaxis], needs_moments(chosen))
    if table.coverage == 0:
        return [(math.nan, None)] * len(chosen)
    values = [one.value(table) for one in chosen]
    if cells.units is not None or isinstance(pair, SoftPair):
        found = _influences_by_unit(cells, pair, chosen, values)
    else:
        counted = CountedPair.of(pair, cells.counts)
        found = [
            _with_independence(
                _influences_by_cell(cells, pair, counted, one, value, is_biased=is_biased),
                table,
                one,
                value,
            )
            for one, value, is_biased in zip(chosen, values, are_biased, strict=True)
        ]
    return list(zip(values, found, strict=True))


def _influences_by_cell(
    cells: JointCells,
    pair: LabeledPair,
    counted: CountedPair,
    chosen: Chosen,
    value: float,
    *,
    is_biased: bool,
) -> Influences:
    """Leave out single objects; those of a cell of the pair have the same influence."""
    found = Influences(np.zeros(0), np.zeros(0, np.intp))
    without = None if chosen.index.sampling == "maximum" else counted.without_one(chosen)
    if without is not None:  # dropped objects change nothing
        shifts = np.where(counted.is_counted, without - value, 0.0)
        counts = np.asarray(pair.members @ cells.counts)
        found = Influences.of_shifts(shifts, counts, pair.kinds, is_biased=is_biased)
    return found._replace(
        effect=counted.effect_of_an_error(chosen, value),
        facts=TableFacts.of(counted, chosen, value),
    )


def _is_biased(chosen: Chosen) -> bool:
    """Return whether an index has a value in the population that a smooth function estimates."""
    return chosen.index.sampling == "smooth" and growth(chosen) == 0


def _with_independence(
    influences: Influences, table: ContingencyTable, chosen: Chosen, value: float
) -> Influences:
    """Add what is known where the partitions are independent, and take the better bias of both."""
    independence = _independence(table, chosen)
    low, high = chosen.index.properties(**chosen.parameters)["range"]
    sign, best = (1, high) if chosen.index.greater_is_better else (-1, -low)
    if independence is None or not math.isfinite(best):
        return influences
    bias, error, slope = independence.better_bias(
        sign * influences.bias, sign * value, best, chosen.index.adjusted
    )
    return influences._replace(
        bias=sign * bias,
        error_of_bias=abs(error * bias),
        slope=slope,
        independence=independence,
    )


def _independence(table: ContingencyTable, chosen: Chosen) -> Independence | None:
    """Return what is known of an index where the partitions are independent.

    The excess of the mean is that of a sum of squares of the deviations of cells, whose weights are
    products over rows and columns: of the sums of eigenvalues and of their squares.
    """
    index = chosen.index
    quantity = index.linear_quantity(**chosen.parameters)
    if quantity not in ("pairs", "information") or not min(table.shape) > 1:
        return None
    moments = null_moments(index, table, **chosen.parameters)
    if moments is None or not moments.standard_deviation:
        return None
    q = 2.0 if quantity == "pairs" else float(chosen.parameters.get("q", 1.0))
    sides = [_traces(sums / table.n_samples, q) for sums in (table.row_sums, table.col_sums)]
    excess = moments.standard_deviation * math.prod(
        trace / math.sqrt(math.sqrt(2.0) * of_squares) for trace, of_squares in sides
    )
    law, vanishes, bias = moments.law, index.adjusted, 0.0
    if quantity == "information":
        (lowest,) = moments.values_at(np.array([-law.mean / law.standard_deviation]))
        bias = moments.mean - float(lowest)
        vanishes = index.adjusted or abs(float(lowest)) <= TIE
    sign = 1 if index.greater_is_better else -1
    return Independence(
        sign * moments.mean, moments.standard_deviation**2, excess, sign * bias, vanishes
    )


def _traces(shares: FloatArray, q: float) -> tuple[float, float]:
    """Return the sums of the eigenvalues of one side and of their squares."""
    weights = shares ** (q - 2)
    first = float(weights @ (shares * (1 - shares)))
    squares = float(weights**2 @ (shares**2 * (1 - 2 * shares)))
    return first, squares + float(weights @ shares**2) ** 2


def _influences_by_unit(
    cells: JointCells,
    pair: LabeledPair | SoftPair,
    chosen: tuple[Chosen, ...],
    values: list[float],
) -> list[Influences]:
    """Leave out groups, objects with memberships, or parts of these."""
    drawn = (counts[np.newaxis] for counts in cells.without_units())
    moments = needs_moments(chosen)
    with UNDEFINED_IGNORED:
        without = np.array(
            [
                [value_of(one, table) for one in chosen]
                for counts in drawn
                for table in pair.tables(counts, moments)
            ]
        )
    counted, size = None, 0.0
    if isinstance(pair, LabeledPair):
        counted, size = CountedPair.of(pair, cells.counts), cells.n_samples / cells.n_groups
    found = influences_of_units(without - values, cells.unit_counts, chosen, values, counted, size)
    if not cells.n_groups:
        return found
    # Clusters that hold few groups each, as of entities, would not hold more of them in a larger
    # sample: how an index changes with the number of groups is no bias.
    return [one._replace(bias=0.0, error_of_bias=0.0) for one in found]


def influences_of_units(
    shifts: FloatArray,
    counts: Array,
    chosen: Sequence[Chosen],
    values: Sequence[float],
    counted: CountedPair | None,
    size: float,
) -> list[Influences]:
    """Return the influences of units without which the indices change by ``shifts``.

    A unit has ``size`` objects, of labels that were counted.
    """
    kinds = np.arange(len(shifts))
    found = [
        Influences.of_shifts(column, counts, kinds, is_biased=_is_biased(one))
        for column, one in zip(shifts.T, chosen, strict=True)
    ]
    if counted is None:
        return found
    return [
        influences._replace(
            effect=_effect_in_unit(
                counted.effect_of_an_error(one, value),
                size,
                influences,
                counts,
                _missed(one, value),
            ),
            facts=TableFacts.of(counted, one, value, size),
        )
        for influences, one, value in zip(found, chosen, values, strict=True)
    ]


def may_be_equal(sizes: FloatArray, size: float) -> bool:
    """Return whether clusters of equal probability may have these sizes, of units with ``size``.

    The chi-squared test does not find them different.
    """
    statistic = len(sizes) * float(sizes @ sizes) / float(sizes.sum()) - float(sizes.sum())
    return bool(statistic / size <= chdtri(len(sizes) - 1, _LEVEL_OF_SIZES))


def _missed(chosen: Chosen, value: float) -> float:
    """Return the distance of a value from the best one."""
    low, high = chosen.index.properties(**chosen.parameters)["range"]
    return abs((high if chosen.index.greater_is_better else low) - value)


def _effect_in_unit(
    of_object: float, size: float, influences: Influences, counts: Array, missed: float
) -> float:
    """Return the effect of one more unit with errors, of which one object to all may err.

    A sum of errors has the variance over the mean of the effect of one. It is averaged with that of
    a unit that errs as a whole, which counts as much as one of the units that err.
    """
    squares = counts * influences.of_kinds**2
    total, n_units = float(squares.sum()), float(counts.sum())
    if missed <= TIE or not total or not math.isfinite(missed):
        return size * of_object
    seen = total / (n_units * (n_units - 1)) / missed
    n_effective = total**2 / float((squares * influences.of_kinds**2).sum())
    seen = min(max(seen, of_object), size * of_object)
    return (n_effective * seen + size * of_object) / (n_effective + 1)
