"""Sampling errors of indices: how they vary from one sample of objects, or of groups, to the next.

Without one object c of n the index has the value s_c, and I_c = (n - 1) (mean of s - s_c) is the
influence of the object. The mean of the squared influences over n - 1 estimates the variance (the
jackknife); it errs upwards in the mean [1]_. Where these are too many values, parts of the objects
are left out. For indices that contain maxima or thresholds single objects show too little: half
samples are drawn instead. Influences of two candidates are those of the same objects, so
differences have influences as well. Groups are left out as a whole.

References
----------
.. [1] B. Efron, C. Stein, "The jackknife estimate of variance", Annals of Statistics 9(3), 1981,
   :doi:`10.1214/aos/1176345462`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr
from scipy.special import chdtri

from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED, run_tasks
from sklearn_clustcompare.indices._chosen import Chosen, needs_moments
from sklearn_clustcompare.significance._ends import Estimates, Leads
from sklearn_clustcompare.significance._joint_cells import (
    FloatArray,
    JointCells,
    LabeledPair,
    SoftPair,
)
from sklearn_clustcompare.significance._leave_one_out import MOST_VALUES, CountedPair
from sklearn_clustcompare.significance._resampling import half_samples, value_of, without_parts

# Normal draws for the shares in which candidates are first, and units that are taken at a time.
_DRAWS = 4999
_UNITS_PER_BLOCK = 2**16
# Where fewer units of equal influence would have the same error, Student's law does not hold; but
# for fewer errors than these the interval is one of counts.
_FEW_OBJECTS, _FEW_GROUPS, _FEW_ERRORS = 4, 10, 2
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

    ``effect`` is by how much the index gets worse by one more error, and ``facts`` are what is
    special about its table. There are no kinds yet where parts of the objects are to be left out.
    """

    of_kinds: FloatArray
    kinds: NDArray[Any]
    effect: float = 0.0
    facts: TableFacts = TableFacts()

    def of_units(self) -> FloatArray:
        return self.of_kinds[self.kinds]


class Differences(NamedTuple):
    """By how much the first candidate of some pairs is better than the second."""

    values: FloatArray
    standard_errors: FloatArray
    intervals: FloatArray
    pvalues: FloatArray


class SamplingErrors(NamedTuple):
    """Values of an index for some candidates, and how they vary from sample to sample.

    ``counts`` are the numbers of sampling units of each kind. ``influences`` are None for a
    candidate that was not scored. ``deviations``, of shape (n_resamples, n_candidates), are those
    of half samples, where they are needed.
    """

    chosen: Chosen
    values: FloatArray
    influences: tuple[Influences | None, ...]
    counts: NDArray[Any]
    are_crisp: NDArray[np.bool_]
    deviations: FloatArray | None
    is_grouped: bool

    # ------------------------------------------------------------- one candidate

    @property
    def standard_errors(self) -> FloatArray:
        return np.array([self._spread((one,))[0] for one in range(len(self.values))])

    def intervals(self, confidence_level: float) -> FloatArray:
        """Return the intervals of the values, of shape (n_candidates, 2)."""
        spreads = [self._spread((one,)) for one in range(len(self.values))]
        errors, df = np.array(spreads, np.float64).reshape(-1, 2).T
        effects = np.array([0.0 if one is None else one.effect for one in self.influences])
        estimates = Estimates(self.values, errors, df, effects)
        low, high = self._range
        tail = (1 - confidence_level) / 2
        with np.errstate(invalid="ignore"):
            ends = estimates.intervals(tail)
            # Only of labels the range is known.
            sign = self._sign
            best = high if sign > 0 else low
            if math.isfinite(best):
                near = estimates.intervals_within(best, tail, sign)
            else:  # few errors may not have been seen
                near = estimates._replace(errors=np.hypot(errors, effects)).intervals(tail)
            near = np.column_stack([np.maximum(near[:, 0], low), np.minimum(near[:, 1], high)])
            if self.chosen.index.sampling == "counts" and math.isinf(high):  # whole numbers
                near = np.column_stack([np.floor(near[:, 0]), np.ceil(near[:, 1])])
            ends = np.where(self.are_crisp[:, np.newaxis], near, ends)
            ends = np.column_stack(
                [np.minimum(ends[:, 0], self.values), np.maximum(ends[:, 1], self.values)]
            )
        return np.where(self.are_defined[:, np.newaxis], ends, np.nan)

    def cautions(self, candidate: int) -> list[str]:
        """Return why an interval may not hold, as far as the sample itself shows it."""
        return self._cautions((candidate,))

    def cautions_of_difference(self, first: int, second: int) -> list[str]:
        """Return why the interval of a difference may not hold, and its p-value."""
        return self._cautions((first, second))

    def _cautions(self, candidates: tuple[int, ...]) -> list[str]:
        error, _ = self._spread(candidates)
        of_units = self._of_units(candidates)
        influences = [one for k in candidates if (one := self.influences[k]) is not None]
        if of_units is None or not math.isfinite(error):
            return []
        found = []
        squares = self.counts * of_units**2
        fourth = float((squares * of_units**2).sum())
        varies = error > TIE * max(abs(float(self.values[k])) for k in candidates)
        n_effective = float(squares.sum()) ** 2 / fourth if varies and fourth else math.inf
        n_units = float(self.counts.sum())
        is_score = len(candidates) == 1
        if is_score:
            missed = _missed(self.chosen, float(self.values[candidates[0]]))
        else:  # what both gain over each other
            lead = self._sign * float(self.values[candidates[0]] - self.values[candidates[1]])
            missed = float(self.counts @ np.abs(of_units + lead)) / n_units
        effect = sum(one.effect for one in influences) / len(influences)
        # With errors of equal effect there are as many units as errors.
        is_uneven = missed >= _FEW_ERRORS * max(n_effective, 1.0) * effect
        few, units = (_FEW_GROUPS, "groups") if self.is_grouped else (_FEW_OBJECTS, "objects")
        if n_effective < few and (self.is_grouped or is_uneven):
            found.append(
                f"the standard error depends on few {units}: as many as {n_effective:.1f} with "
                "equal influence"
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

    @property
    def _range(self) -> tuple[float, float]:
        low, high = self.chosen.index.properties(**self.chosen.parameters)["range"]
        return low, high

    @property
    def _sign(self) -> int:
        return 1 if self.chosen.index.greater_is_better else -1

    def _spread(self, candidates: tuple[int, ...]) -> tuple[float, float]:
        """Return standard error and degrees of freedom of a value, or of a difference of two."""
        n_units = float(self.counts.sum())
        influences = self._of_units(candidates)
        variance, df = 0.0, n_units - 1
        if influences is not None:
            squares = self.counts * influences**2
            total = float(squares.sum())
            if self.is_grouped and total:
                df = min(max(total**2 / float((squares * influences**2).sum()), 1.0), df)
            if self.chosen.index.sampling != "maximum":
                variance = total / (n_units * (n_units - 1))
        if self.deviations is not None:
            parts = self.deviations[:, list(candidates)]
            of_halves = parts[:, 0] - parts[:, 1] if len(candidates) == 2 else parts[:, 0]
            n_halves = len(of_halves)
            drawn = float(of_halves @ of_halves) / (n_halves - 1)
            if not drawn <= variance:
                variance, df = drawn, 1 / (1 / df + 1 / (n_halves - 1))
        return math.sqrt(variance), df

    def _of_units(self, candidates: tuple[int, ...]) -> FloatArray | None:
        """Return the influences on a value, or on a difference of two, signed."""
        influences = [self.influences[one] for one in candidates]
        parts = [one.of_units() for one in influences if one is not None]
        if len(parts) < len(candidates):
            return None
        return self._sign * (parts[0] - parts[1] if len(parts) == 2 else parts[0])

    # ------------------------------------------------------------- two candidates

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
        found = Leads.of([self._difference(*one) for one in both])
        tail = (1 - confidence_level) / 2 / (n_comparisons or max(len(both), 1))
        estimates = found.estimates
        low, high = self._range
        are_crisp = [bool(self.are_crisp[[*one]].all()) for one in both]
        most = np.where(are_crisp, high - low, np.inf).reshape(-1, 1)
        return Differences(
            estimates.values,
            estimates.errors,
            np.clip(found.intervals(tail), -most, most),
            found.pvalues(),
        )

    def _difference(self, first: int, second: int) -> list[float]:
        """Return the difference, its error and freedom, the effect of an error, and both gains.

        The gains are followed by their variances, which add up to that of the difference.
        """
        pair = (first, second)
        value = self._sign * float(self.values[first] - self.values[second])
        error, df = self._spread(pair)
        sizes = [abs(float(self.values[one])) + self._spread((one,))[0] for one in pair]
        rounding = TIE * max(sizes)
        value = 0.0 if abs(value) <= rounding else value
        error = 0.0 if error <= rounding else error
        influences = self._of_units(pair)
        if influences is None:
            return [value, error, df, 0.0, *[math.nan] * 4]
        n_units = float(self.counts.sum())
        leads = influences + value
        gains = [np.maximum(leads, 0.0), np.maximum(-leads, 0.0)]
        gains = [np.where(one <= n_units * rounding, 0.0, one) for one in gains]
        means = [float(self.counts @ one) / n_units for one in gains]
        variances = [float(self.counts @ one**2) for one in gains]
        total = sum(variances)
        variances = [error**2 * one / total if total else 0.0 for one in variances]
        effect = sum(one.effect for k in pair if (one := self.influences[k]) is not None) / 2
        return [value, error, df, effect, *means, *variances]

    # ------------------------------------------------------------- many candidates

    def first_shares(self) -> FloatArray:
        """Return how often each candidate would have the best value; ties are shared out."""
        drawn = self._sign * self.values + self._sign * self._deviations()
        largest = drawn.max(axis=1, keepdims=True)
        is_first = drawn >= largest - TIE * np.abs(drawn).max(axis=1, keepdims=True)
        return np.mean(is_first / is_first.sum(axis=1, keepdims=True), axis=0)

    def _deviations(self) -> FloatArray:
        """Return deviations of all candidates together: of half samples, or of the normal law."""
        if self.deviations is not None:
            return self.deviations
        n_units = float(self.counts.sum())
        root = np.zeros((0, len(self.values)))
        for start in range(0, len(self.counts), _UNITS_PER_BLOCK):
            block = slice(start, start + _UNITS_PER_BLOCK)
            influences = [one.of_kinds[one.kinds[block]] for one in self.influences if one]
            scaled = np.sqrt(self.counts[block, np.newaxis]) * np.column_stack(influences)
            (root,) = qr(np.vstack([root, scaled]), mode="r")
            root = root[: len(self.values)]
        normal = np.random.default_rng(0).standard_normal((_DRAWS, len(root)))
        return np.asarray(normal @ root / math.sqrt(n_units * (n_units - 1)))

    @property
    def are_defined(self) -> NDArray[np.bool_]:
        """Return for each candidate whether the values of all samples are finite."""
        defined = np.isfinite(self.values)
        for position, one in enumerate(self.influences):
            defined[position] &= one is None or bool(np.isfinite(one.of_kinds).all())
        if self.deviations is not None:
            defined &= np.isfinite(self.deviations).all(axis=0)
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
        deviations = None
        if self.deviations is not None:
            deviations = np.full((len(self.deviations), n_candidates), np.nan)
            deviations[:, scored] = self.deviations
        return self._replace(
            values=values,
            influences=tuple(influences.get(one) for one in range(n_candidates)),
            are_crisp=are_crisp,
            deviations=deviations,
        )

    def take(self, candidates: Any) -> SamplingErrors:
        """Return the errors of some candidates."""
        positions = np.arange(len(self.values))[candidates]
        return self._replace(
            values=self.values[positions],
            influences=tuple(self.influences[one] for one in positions),
            are_crisp=self.are_crisp[positions],
            deviations=None if self.deviations is None else self.deviations[:, positions],
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
    tasks = ((cells._replace(candidates=(candidate,)), chosen) for candidate in cells.candidates)
    n_candidates = len(cells.candidates)
    found = run_tasks(_of_candidate, tasks, n_jobs=n_jobs, prefer="processes", total=n_candidates)
    columns = list(zip(*found, strict=True)) or [()] * len(chosen)
    values = [np.array([value for value, _ in column], np.float64) for column in columns]
    influences = [tuple(one for _, one in column) for column in columns]
    counts = [cells.unit_counts] * len(chosen)
    lacking = [k for k, parts in enumerate(influences) if any(map(_lacks_kinds, parts))]
    if lacking:
        of_parts = without_parts(cells, tuple(chosen[k] for k in lacking), MOST_VALUES, n_jobs)
        for k, without in zip(lacking, np.moveaxis(of_parts, 2, 0), strict=True):
            counts[k] = np.ones(len(without))
            influences[k] = tuple(
                one and one._replace(of_kinds=of_part, kinds=np.arange(len(without)))
                for one, of_part in zip(
                    influences[k], influence_of(without - values[k], counts[k]).T, strict=True
                )
            )
    drawn = [needs_half_samples(one) for one in chosen]
    resampled = tuple(one for one, needed in zip(chosen, drawn, strict=True) if needed)
    deviations: list[FloatArray] = []
    if resampled:
        deviations = half_samples(
            cells,
            resampled,
            n_resamples=n_resamples,
            random_state=random_state,
            n_jobs=n_jobs,
            verbose=verbose,
        )
    remaining = iter(deviations)
    return [
        SamplingErrors(
            one,
            values[k],
            influences[k],
            counts[k],
            cells.are_crisp,
            next(remaining) if drawn[k] else None,
            cells.n_groups > 0,
        )
        for k, one in enumerate(chosen)
    ]


def _lacks_kinds(influences: Influences | None) -> bool:
    return influences is not None and not len(influences.of_kinds)


def needs_half_samples(chosen: Chosen) -> bool:
    """Return whether single objects show too little of how an index varies."""
    return chosen.index.sampling in (None, "maximum")


def _of_candidate(
    cells: JointCells, chosen: tuple[Chosen, ...]
) -> list[tuple[float, Influences | None]]:
    """Return the value of each index for one candidate, and its influences."""
    (pair,) = cells.pairs()
    (table,) = pair.tables(cells.counts[np.newaxis], needs_moments(chosen))
    if table.coverage == 0:
        return [(math.nan, None)] * len(chosen)
    values = [one.value(table) for one in chosen]
    found: list[Influences | None]
    if cells.units is None and isinstance(pair, LabeledPair):
        counted = CountedPair.of(pair, cells.counts)
        found = [
            _influences_by_cell(cells, pair, counted, one, value)
            for one, value in zip(chosen, values, strict=True)
        ]
    else:
        found = [*_influences_by_unit(cells, pair, chosen, values)]
    return list(zip(values, found, strict=True))


def _influences_by_cell(
    cells: JointCells,
    pair: LabeledPair,
    counted: CountedPair,
    chosen: Chosen,
    value: float,
) -> Influences:
    """Leave out single objects; those of a cell of the pair have the same influence."""
    without = counted.without_one(chosen)
    of_kinds = np.zeros(0)
    if without is not None:  # dropped objects change nothing
        shifts = np.where(counted.is_counted, without - value, 0.0)
        of_kinds = influence_of(shifts, np.asarray(pair.members @ cells.counts))
    return Influences(
        of_kinds,
        pair.kinds,
        counted.effect_of_an_error(chosen, value),
        TableFacts.of(counted, chosen, value),
    )


def _influences_by_unit(
    cells: JointCells,
    pair: LabeledPair | SoftPair,
    chosen: tuple[Chosen, ...],
    values: list[float],
) -> list[Influences]:
    """Leave out groups, objects with memberships, or blocks of these."""
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
    return influences_of_units(without - values, cells.unit_counts, chosen, values, counted, size)


def influences_of_units(
    shifts: FloatArray,
    counts: NDArray[Any],
    chosen: Sequence[Chosen],
    values: Sequence[float],
    counted: CountedPair | None,
    size: float,
) -> list[Influences]:
    """Return the influences of units without which the indices change by ``shifts``.

    A unit has ``size`` objects, of labels that were counted.
    """
    kinds = np.arange(len(shifts))
    found = [Influences(influence_of(column, counts), kinds) for column in shifts.T]
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
    of_object: float, size: float, influences: Influences, counts: NDArray[Any], missed: float
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


def influence_of(shifts: FloatArray, counts: NDArray[Any]) -> FloatArray:
    """Return the influences of units of some kinds, of which there are so many, on a value."""
    n_units = counts.sum()
    return np.asarray((n_units - 1) * (counts @ shifts / n_units - shifts), np.float64)
