"""Ends of intervals, by gamma laws of the distance from the best value.

A sum of rare errors, each of another weight, has the mid-p limits of the gamma interval for
weighted counts [1]_ [2]_: half of the probability is that of a gamma law with the mean and the
variance that were observed, the other half that of the law with one error more. Without errors its
upper limit is that of an error that was not seen. Far from the best value both halves are normal.
A difference of two candidates is that of what each of them gains over the other, and the interval
of this difference follows from those of both parts [3]_.

References
----------
.. [1] M. P. Fay, E. J. Feuer, "Confidence intervals for directly standardized rates: a method based
   on the gamma distribution", Statistics in Medicine 16(7), 1997.
.. [2] M. P. Fay, S. Kim, "Confidence intervals for directly standardized rates using mid-p gamma
   intervals", Biometrical Journal 59(2), 2017, :doi:`10.1002/bimj.201600111`.
.. [3] G. Y. Zou, A. Donner, "Construction of confidence limits about effect measures: a general
   approach", Statistics in Medicine 27(10), 2008, :doi:`10.1002/sim.3095`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammainc, gammaincinv
from scipy.stats import norm
from scipy.stats import t as student

from sklearn_clustcompare._numerics import TIE

FloatArray = NDArray[np.float64]

_HALVINGS = 40
# Tails of p-values, and the search for one: steps, and precision of its logarithm.
_TAILS = (1e-300, 0.5)
_STEPS, _PRECISION = 60, 1e-7


def widening(tail: FloatArray, degrees_of_freedom: FloatArray) -> FloatArray:
    """Return the squared ratio of the quantiles of Student's and of the normal law."""
    # At the median both are zero; there the ratio is that of the densities.
    tail = np.minimum(tail, 0.5 - 1e-6)
    return np.asarray((student.isf(tail, degrees_of_freedom) / norm.isf(tail)) ** 2)


class Amounts(NamedTuple):
    """Non-negative amounts with their variances, and the effect of one error on each of them."""

    means: FloatArray
    variances: FloatArray
    effects: FloatArray

    def probability(self, values: FloatArray) -> FloatArray:
        """Return the mid-p probability of amounts up to these values."""
        seen, with_one_more = _gamma_cdf(values, *self._both())
        return np.asarray((seen + with_one_more) / 2)

    def limits(self, probability: FloatArray) -> FloatArray:
        """Return the values with these probabilities; 0 is the lower limit of the amount 0."""
        ends = _gamma_ppf(probability, *self._both())
        low, high = ends.min(axis=0), ends.max(axis=0)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            is_below = self.probability(middle) < probability
            low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
        return np.where((self.means == 0) & (probability < 0.5), 0.0, high)

    def _both(self) -> tuple[FloatArray, FloatArray]:
        """Return means and variances of the law that was seen, and of that with an error more."""
        return (
            np.array([self.means, self.means + self.effects]),
            np.array([self.variances, self.variances + self.effects**2]),
        )


def _gamma_cdf(values: FloatArray, means: FloatArray, variances: FloatArray) -> FloatArray:
    """Return the probability of values up to these; without variance the mean is certain."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        scales = variances / means
        probability = gammainc(means / scales, np.maximum(values, 0.0) / scales)
    certain = np.where(np.isnan(means) | np.isnan(variances), np.nan, values >= means)
    return np.where((means > 0) & (variances > 0), probability, certain)


def _gamma_ppf(probability: FloatArray, means: FloatArray, variances: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        scales = variances / means
        values = gammaincinv(means / scales, probability) * scales
    return np.where((means > 0) & (variances > 0), values, means)


class Estimates(NamedTuple):
    """Values with their standard errors, degrees of freedom and the effect of one error."""

    values: FloatArray
    errors: FloatArray
    degrees_of_freedom: FloatArray
    effects: FloatArray

    def intervals(self, tail: float) -> FloatArray:
        """Return the intervals of Student's law, of shape (n, 2)."""
        reach = student.isf(tail, self.degrees_of_freedom) * self.errors
        # Where nothing varies it is the effect of an error that was not seen.
        reach = np.where(self.errors == 0, -np.log(2 * tail) * self.effects, reach)
        return np.column_stack([self.values - reach, self.values + reach])

    def pvalues(self) -> FloatArray:
        """Return twice the tail at which these intervals end at zero."""
        values, errors, df, effects = self
        with np.errstate(divide="ignore", invalid="ignore"):
            of_student = 2 * student.sf(np.abs(values) / errors, df)
            return np.where(errors == 0, np.exp(-np.abs(values) / effects), of_student)

    def intervals_within(self, best: float, tail: float, sign: int) -> FloatArray:
        """Return the intervals of values with a finite best value; sign is -1 for distances."""
        missed = sign * (best - self.values)
        missed = np.where(missed <= TIE * max(abs(best), 1.0), 0.0, missed)
        wider = widening(np.full(len(missed), tail), self.degrees_of_freedom)
        amounts = Amounts(missed, wider * self.errors**2, self.effects)
        low, high = (amounts.limits(np.full(len(missed), one)) for one in (tail, 1 - tail))
        # Where the amount is far below its error, no gamma law reaches as far as Student's.
        high = np.maximum(high, missed + student.isf(tail, self.degrees_of_freedom) * self.errors)
        return np.sort(np.column_stack([best - sign * low, best - sign * high]), axis=1)


class Leads(NamedTuple):
    """Differences of two candidates, and what each of the two gains over the other."""

    estimates: Estimates
    first: Amounts
    second: Amounts

    @classmethod
    def of(cls, rows: Sequence[Sequence[float]]) -> Leads:
        """Take rows of value, error, degrees of freedom, effect, both gains, their variances."""
        columns = np.array(rows, np.float64).reshape(-1, 8).T
        effects = columns[3]
        return cls(
            Estimates(*columns[:4]),
            Amounts(columns[4], columns[6], effects),
            Amounts(columns[5], columns[7], effects),
        )

    def intervals(self, tail: float) -> FloatArray:
        """Return the hull of the intervals of Student's law and of those from both gains."""
        ends = self.estimates.intervals(tail)
        with np.errstate(invalid="ignore"):
            first, second, _ = self._at(np.full(len(ends), tail))
            low, high = (np.full(len(ends), one) for one in (tail, 1 - tail))
            # Medians of these laws lie above the gains: small levels must not reach back.
            down, up = (np.maximum(one.means - one.limits(low), 0.0) for one in (first, second))
            more, less = (np.maximum(one.limits(high) - one.means, 0.0) for one in (second, first))
            below, above = np.hypot(down, more), np.hypot(less, up)
        values = self.estimates.values
        return np.column_stack(
            [np.minimum(ends[:, 0], values - below), np.maximum(ends[:, 1], values + above)]
        )

    def pvalues(self) -> FloatArray:
        """Return twice the tail at which the hull of both intervals ends at zero."""
        with np.errstate(divide="ignore", invalid="ignore"):
            pvalues = np.maximum(self.estimates.pvalues(), self._pvalues_of_gains())
        return np.where(self.estimates.values == 0, 1.0, pvalues)

    def _pvalues_of_gains(self) -> FloatArray:
        """Return twice the tail at which the interval from both gains ends at zero.

        A smaller tail has wider laws, which have a larger tail: there is one that has itself.
        """
        low, high = (np.full(len(self.first.means), np.log(one)) for one in _TAILS)
        at_low, at_high = (self._tail_at_zero(np.exp(one)) - one for one in (low, high))
        is_below, is_known, middle = at_high < 0, ~np.isnan(at_high), high
        for _ in range(_STEPS):
            middle = np.where(
                at_high < at_low, (low * at_high - high * at_low) / (at_high - at_low), middle
            )
            found = self._tail_at_zero(np.exp(middle)) - middle
            if np.all(np.abs(found) <= _PRECISION):
                break
            is_low = found > 0
            # The value at an end that stays is halved (the Illinois rule).
            at_low = np.where(is_low, found, at_low / 2)
            at_high = np.where(is_low, at_high / 2, found)
            low, high = np.where(is_low, middle, low), np.where(is_low, high, middle)
        return np.where(is_known, np.where(is_below, 2 * np.exp(middle), 1.0), np.nan)

    def _tail_at_zero(self, tail: FloatArray) -> FloatArray:
        """Return the logarithm of the tail beyond zero, with laws as wide as for another tail."""
        is_first = self.estimates.values > 0
        first, second, is_bounded = self._at(tail)
        more, less = (
            Amounts(*(np.where(is_first, *both) for both in zip(*pair, strict=True)))
            for pair in ((first, second), (second, first))
        )
        difference = more.means - less.means
        # The lower limit of the larger gain, and the upper one of the other at that distance.
        low, high = less.means, more.means
        for _ in range(_HALVINGS):
            limit = (low + high) / 2
            reach = np.sqrt(np.maximum(difference**2 - (more.means - limit) ** 2, 0.0))
            is_low = more.probability(limit) < 1 - less.probability(less.means + reach)
            low, high = np.where(is_low, limit, low), np.where(is_low, high, limit)
        # Where the median of the larger gain lies above it, the other one alone reaches zero.
        alone = 1 - less.probability(less.means + difference)
        found = np.where(more.probability(more.means) < alone, alone, more.probability(high))
        return np.log(np.clip(np.where(is_bounded, found, 0.5), *_TAILS))

    def _at(self, tail: FloatArray) -> tuple[Amounts, Amounts, NDArray[np.bool_]]:
        """Return both gains with laws as wide as for this tail, and whether that is possible.

        Student's quantiles may be too large for any law, which has half of its mass beyond zero.
        """
        wider = widening(tail, self.estimates.degrees_of_freedom)
        return (
            self.first._replace(variances=wider * self.first.variances),
            self.second._replace(variances=wider * self.second.variances),
            np.isfinite(wider),
        )
