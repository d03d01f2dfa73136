"""Ends of intervals and p-values in closed form, with variances that depend on the end.

A score misses its best value by a sum of rare errors, so that its variance falls with what it
misses: ends are the roots of ``(m - x)^2 = t^2 V(x)``, with V linear in x. Without errors the end
is that of an error that was not seen. A difference of two candidates is that of what each gains
over the other; of rare gains of the effect c it has the variance ``(V + sqrt(V^2 - 4 c^2 x (d -
x))) / 2`` where x is the true difference [1]_: V, as McNemar's test has it, where that is 0.
Student's quantile t allows for few sampling units.

References
----------
.. [1] T. Tango, "Equivalence test and confidence interval for the difference in proportions for
   the paired-sample design", Statistics in Medicine 17(8), 1998.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from sklearn_clustcompare._array_types import FloatArray
from sklearn_clustcompare._numerics import TIE

# Errors of estimated biases, as a share of them, and the share of the variance under permutation in
# that of first order from which on it counts, and counts alone: chosen by hand;
# ``benchmarks/interval_map.csv`` has the coverage of 17 designs.
ERROR_OF_JACKKNIFE, _ERROR_OF_UNSEEN = 0.75, 0.3
_MATTERS, _ALONE = 0.005, 0.02
_SMALLEST = float(np.finfo(np.float64).tiny)


def student_quantile(tail: float, df: FloatArray | float) -> FloatArray:
    """Return how far Student's law has this upper tail."""
    return np.asarray(-stdtrit(df, tail))


class Estimates(NamedTuple):
    """Values, signed so that larger is better, with all that their ends depend on.

    ``effects`` are those of one more error; all are arrays of the same length.
    """

    values: FloatArray
    variances: FloatArray
    degrees_of_freedom: FloatArray
    effects: FloatArray

    def intervals_below(self, best: FloatArray | float, tail: float) -> FloatArray:
        """Return the intervals of scores with a finite best value, of shape (n, 2)."""
        t = student_quantile(tail, self.degrees_of_freedom)
        missed = best - self.values
        missed = np.where(missed <= TIE * np.maximum(np.abs(best), 1.0), 0.0, missed)
        variances, effects = self.variances, self.effects
        # By how much the variance grows with what is missed: that of errors seen, and of one more.
        growth = _ratio(variances + effects**2, missed + effects)
        growth = np.minimum(growth, np.maximum(np.sqrt(variances), effects))
        half = t**2 * growth / 2
        reach = np.hypot(t * np.sqrt(variances), half)
        # Without variance it is the effect of an error that was not seen, or of one that was.
        unseen = -np.log(2 * tail) * effects
        low = np.maximum(missed - np.where(variances > 0, reach - half, unseen), 0.0)
        high = missed + np.where(variances > 0, reach + half, unseen)
        return np.column_stack([best - high, best - low])

    def intervals(self, tail: float) -> FloatArray:
        """Return the intervals of differences, of shape (n, 2); also of scores without a best one.

        They are the outer roots x of the equation above: ``y = x - d`` solves
        ``y^3 = t^2 (V + c^2 t^2) y + t^4 c^2 d``.
        """
        t = student_quantile(tail, self.degrees_of_freedom)
        variances, effects = self.variances, self.effects
        d = self._bounded
        p = t**2 * (variances + (effects * t) ** 2)
        cosine = 1.5 * _ratio(t**4 * effects**2 * d, p) * np.sqrt(_ratio(3.0, p))
        # The least root is the largest one of the mirrored equation, to the last digit.
        down, up = (np.cos(np.arccos(np.clip(one, -1.0, 1.0)) / 3) for one in (-cosine, cosine))
        ends = 2 * np.sqrt(p / 3) * np.array([-down, up])
        return np.asarray(self.values[:, np.newaxis] + ends.T)

    def pvalues(self) -> FloatArray:
        """Return twice the tail at which the intervals of differences end at zero."""
        pvalues = 2 * stdtr(self.degrees_of_freedom, -np.abs(self._statistics(0.0)))
        return np.where(self.values == 0, 1.0, np.maximum(pvalues, _SMALLEST))

    def pvalues_above(self, least: float) -> FloatArray:
        """Return the tail at which the lower ends of the intervals of differences are ``least``."""
        pvalues = stdtr(self.degrees_of_freedom, -self._statistics(least))
        return np.asarray(np.maximum(pvalues, _SMALLEST))

    def _statistics(self, at: float) -> FloatArray:
        """Return how many standard errors the differences are above a value, by that of the value.

        The squared statistic is the root of the equation of the intervals.
        """
        y = at - self.values
        variances, d = self.variances, self._bounded
        inner = variances**2 + 4 * self.effects**2 * y * (y + d)
        return -np.sign(y) * np.sqrt(_ratio(2 * y**2, variances + np.sqrt(np.maximum(inner, 0.0))))

    @property
    def _bounded(self) -> FloatArray:
        """The differences as far as all gains together are at least as large."""
        bound = _ratio(self.variances, self.effects)
        return np.clip(self.values, -bound, bound)


class Independence(NamedTuple):
    """What an index is where partitions are independent, signed so that larger is better.

    There the score is a quadratic form of the deviations of a table, added to what depends on the
    cluster sizes. If nothing does, the error of first order ``vanishes``: exact ``mean`` and
    ``variance`` under permutation take its place, and ``excess`` is how far the mean is above the
    value of the table of independent partitions, to second order. ``value`` and ``best`` are those
    of the score, and ``lowest`` is its value without information. ``share`` is the bias of the
    information, and ``unseen`` the part of it that is due to cells that were not seen, both as
    shares of its mean under permutation; 0 for other quantities.
    """

    value: float
    best: float
    mean: float
    variance: float
    excess: float
    vanishes: bool
    is_adjusted: bool
    lowest: float = 0.0
    share: float = 0.0
    unseen: float = 0.0

    def better_bias(self, of_jackknife: float) -> tuple[float, float, float]:
        """Return the bias of the score, and its errors: that of the jackknife, and a random one.

        The jackknife knows nothing of cells that were not seen. An adjusted index of information
        has the value in the population that the index without adjustment has; it has no bias within
        about three deviations of its mean, as one of pairs. No value is below that of independence.
        """
        if not self.is_adjusted:
            of_unseen = (self.mean - self.lowest) * self.unseen
            bias, least = of_jackknife + of_unseen, self.lowest
            errors = [abs(ERROR_OF_JACKKNIFE * of_jackknife), abs(_ERROR_OF_UNSEEN * of_unseen)]
        else:
            bias, errors = of_jackknife, [ERROR_OF_JACKKNIFE * abs(of_jackknife), 0.0]
            least = self.mean
            reach = self.best - self.mean
            if self.share:
                lowest = (self.best - self.lowest) / reach
                scale = reach * (lowest - 1) / lowest
                bias = scale * (self.share - (self.best - self.value) / reach)
                errors = [0.0, _ERROR_OF_UNSEEN * scale * abs(self.unseen)]
            distance = (self.value - self.mean) ** 2
            near = distance / (distance + 9 * self.variance)
            bias, errors = near * bias, [near * error for error in errors]
        if self.share:
            bias = min(bias, max(self.value - least, 0.0))
        return bias, errors[0], errors[1]

    def second_order(self, variance: float) -> float:
        """Return the variance besides that of first order, where this does not vanish."""
        if self.vanishes:
            return 0.0
        return self.weight(variance) * self.variance * self._shrunk**2

    def weight(self, variance: float) -> float:
        """Return how much these ends count against those of first order, between 0 and 1."""
        shrunk = self._shrunk
        # Half of the variance of first order that such a score has without a symmetry, such as that
        # of merged clusters of equal size.
        usual = max(self.value - self.mean, 0.0) * shrunk * self.variance / self.excess
        if not shrunk or not max(variance, usual):
            return 1.0 if shrunk else 0.0
        share = self.variance * shrunk**2 / max(variance, usual)
        return min(max((share - _MATTERS) / (_ALONE - _MATTERS), 0.0), 1.0)

    def ends(self, variance: float, t: float) -> tuple[float, float]:
        """Return the ends: ``(s - x)^2 = t^2 (V2 g^2 + 4 kappa (x - mean) g)``, g linear in x."""
        value, best, mean, excess = self.value, self.best, self.mean, self.excess
        above = max(value - mean + excess, 0.0) * self._shrunk + excess
        slope = (variance + 2 * self.variance) / (4 * above) if above > 0 else 0.0
        low = high = value
        # Below the mean the variance is that of independence.
        if value - t * np.sqrt(self.variance) <= mean:
            low = value - t * np.sqrt(self.variance)
        high = min(value + t * np.sqrt(self.variance), mean) if value < mean else value
        # Between the mean, y = 0, and the best value, y = r, g is 1 - y / r.
        r, s = best - mean, value - mean
        a = 1 - t**2 * (self.variance / r**2 - 4 * slope / r)
        b = -2 * s + t**2 * (2 * self.variance / r - 4 * slope)
        c = s**2 - t**2 * self.variance
        roots = np.roots([a, b, c])
        found = mean + roots[np.isreal(roots)].real
        found = found[(found >= mean) & (found <= best)]
        if len(found):
            low, high = min(low, float(found.min())), max(high, float(found.max()))
        return float(low), float(high)

    @property
    def _shrunk(self) -> float:
        return min(max((self.best - self.value) / (self.best - self.mean), 0.0), 1.0)


def _ratio(above: FloatArray | float, below: FloatArray) -> FloatArray:
    """Return a quotient that is infinite or zero, not undefined, where its denominator is zero."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.asarray(above / below)
    return np.where((below == 0) & (np.asarray(above) == 0), 0.0, found)
