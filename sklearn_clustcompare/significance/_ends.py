"""Ends of intervals and p-values in closed form, and what is known near independence.

A score misses its best value by a sum of rare errors, so that its variance falls with what it
misses: ends are the roots of ``(m - x)^2 = t^2 V(x)``, with V linear in x. Without errors the end
is that of an error that was not seen. A difference of two candidates is that of what each gains
over the other; of rare gains of the effect c it has the variance ``(V + sqrt(V^2 - 4 c^2 x (d -
x))) / 2`` where x is the true difference [1]_: V, as McNemar's test has it, where that is 0.
Student's quantile t allows for few sampling units.

Between independent partitions that variance vanishes: moments under permutation take its place.
Cells that were not seen add to the entropy of the population.

References
----------
.. [1] T. Tango, "Equivalence test and confidence interval for the difference in proportions for
   the paired-sample design", Statistics in Medicine 17(8), 1998.
"""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.special import digamma, exp1, stdtr, stdtrit

from sklearn_clustcompare._array_types import Array, FloatArray, Positions
from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._table import ContingencyTable
from sklearn_clustcompare.indices._judged import Chosen
from sklearn_clustcompare.indices._moments import null_moments
from sklearn_clustcompare.indices._registry import get_index

# The error of a bias by the jackknife, as a share of it, and the share of the variance under
# permutation in that of first order from which on it counts, and counts alone: chosen by hand;
# ``benchmarks/interval_map.csv`` has the coverage of 17 designs.
ERROR_OF_JACKKNIFE = 0.75
_MATTERS, _ALONE = 0.005, 0.02
# From so many deviations above the mean under permutation on it counts less.
_FAR = 10.0
# The sizes of clusters explain the cells with two objects up to a multiple of them and one more;
# the odds that they do before the cells are seen.
_MORE_DOUBLE, _ODDS = 1.25, 30.0
_SMALLEST = float(np.finfo(np.float64).tiny)


def student_quantile(tail: FloatArray | float, df: FloatArray | float) -> FloatArray:
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

    def intervals_below(
        self,
        best: FloatArray | float,
        slopes: FloatArray | float,
        curvatures: FloatArray,
        below: FloatArray | float,
        above: float,
    ) -> FloatArray:
        """Return the intervals of scores with a finite best value, of shape (n, 2).

        ``slopes`` are by how much the variance grows with what is missed, as far as that of rare
        errors does; ``curvatures`` are by how much it grows with the score otherwise. Near merged
        clusters of equal size a score is a noncentral chi-squared number, whose root has a constant
        variance: the ends are those of the root, as far as it is above 0. The tails are those
        ``below`` the lower end and ``above`` the upper one.
        """
        df = self.degrees_of_freedom
        t = np.column_stack([student_quantile(one, df) for one in (below, above)])
        missed = best - self.values
        missed = np.where(missed <= TIE * np.abs(best), 0.0, missed)
        variances, effects = self.variances, self.effects
        # By how much the variance grows with what is missed: that of errors seen, and of one more.
        growth = _ratio(variances + effects**2, missed + effects)
        growth = np.minimum(growth, np.maximum(np.sqrt(variances), effects))
        growth = np.clip(slopes, -growth, growth)[:, np.newaxis]
        spread = np.sqrt(variances)[:, np.newaxis]
        outward, bent = np.array([-1, 1]), (t**2 + 1) / 2 * curvatures[:, np.newaxis]
        most = np.where(outward * bent < 0, _ratio(t * spread, 2 * np.abs(bent)), 1.0)
        share = np.minimum(most, 1.0)
        t = share * t
        half = -outward * t**2 * growth / 2
        # Without variance it is the effect of an error that was not seen, or of one that was.
        unseen = -math.log(2 * above) * effects[:, np.newaxis]
        far = np.where(spread > 0, np.hypot(t * spread, half) + half, unseen)
        ends = best - missed[:, np.newaxis] + outward * far
        # Errors that were seen leave the best value out.
        ends += np.minimum(share**2 * bent, np.maximum(best - ends, 0.0) / 2)
        return np.asarray(np.minimum(ends, best))

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


def signed_range(chosen: Chosen) -> tuple[float, float]:
    """Return the worst and the best value of an index, signed so that larger is better."""
    low, high = chosen.range
    return (low, high) if chosen.index.greater_is_better else (-high, -low)


def needs_half_samples(chosen: Chosen) -> bool:
    """Return whether single objects show too little of how an index varies."""
    return chosen.index.sampling in (None, "maximum")


class UnseenCells(NamedTuple):
    """By how much the entropy of the cells of some tables is larger in the population.

    ``shifts`` are the changes of ``entropy`` without an object of each cell, one table after the
    other, and ``of_jackknife`` is the bias by the jackknife.
    """

    entropy: FloatArray
    shifts: FloatArray
    of_jackknife: FloatArray

    @classmethod
    def of(cls, n: FloatArray, a: FloatArray, b: FloatArray, owners: Positions) -> UnseenCells:
        """Estimate the entropy from occupied cells, and from the sizes of their clusters.

        Cells that were not seen are as large as the cells with one and with two objects tell [1]_,
        and there are few; or they are all empty cells, as large as the sizes of the clusters tell.
        The latter holds unless too many cells have two objects. ``owners`` are the tables of cells.

        References
        ----------
        .. [1] A. Chao, Y. T. Wang, L. Jost, "Entropy and the species accumulation curve", Methods
           in Ecology and Evolution 4(11), 2013, :doi:`10.1111/2041-210X.12108`.
        """
        sums = partial(np.bincount, owners)
        total, single, double = (sums(one) for one in (n, n == 1, n == 2))
        rest = np.maximum(n - 1, 1.0)
        information = n * np.log(n)
        excess = information - n * digamma(n)
        less_information = information - rest * np.log(rest)
        less_excess = excess - np.where(n > 1, rest * (np.log(rest) - digamma(rest)), 0.0)
        by_sizes, share = _rate_by_sizes(n, a, b, owners)

        def entropy(total: Array, excess: Array, unseen: Array) -> FloatArray:
            return np.asarray(digamma(total) - np.log(total) + excess / total + unseen)

        # With as many objects as cells have, and one less of a cell with one, two, three or more.
        single, double = (
            np.add.outer(by, one)
            for by, one in (([0, -1, 1, 0, 0], single), ([0, 0, -1, 1, 0], double))
        )
        left = total - np.minimum(np.arange(5), 1)[:, np.newaxis]
        with np.errstate(divide="ignore", invalid="ignore"):
            by_cells = np.where(double, 2 * double / single, 2 / np.maximum(single - 1, 1))
            rates = np.minimum([by_cells, single * by_sizes], 500.0)
            # The entropy of cells that were not seen, in both ways.
            unseen = (single / left) * np.exp(rates) * exp1(rates)
        unseen = unseen[0] * (1 - share) + unseen[1] * share
        unseen = np.where((single < 1) | (by_sizes == 0), 0.0, unseen)
        excesses = sums(excess)
        whole = entropy(total, excesses, unseen[0])
        less = entropy(
            left[1][owners],
            excesses[owners] - less_excess,
            unseen[np.minimum(n, 4).astype(np.intp), owners],
        )
        of_jackknife = sums(n * less_information - information) / total
        return cls(whole, less - whole[owners], of_jackknife + (total - 1) * np.log1p(-1 / total))

    def of_table(self, table: int) -> tuple[float, float]:
        """Return the entropy of one table, and the bias by the jackknife."""
        return float(self.entropy[table]), float(self.of_jackknife[table])


def _rate_by_sizes(
    n: FloatArray, a: FloatArray, b: FloatArray, owners: Positions
) -> tuple[FloatArray, FloatArray]:
    """Return the objects in an empty cell for each cell with one, and how likely that holds.

    If as many objects are in all empty cells as there are cells with one object, spread by the
    product of the sizes of both clusters. 0 if no cell is empty.
    """
    sums = partial(np.bincount, owners)
    total, single, double = (sums(one) for one in (n, n == 1, n == 2))
    shares = n / total[owners]
    products = a * b / total[owners] ** 2
    empty = 1 - sums(products)
    has_rate = (empty > TIE) & (single > 0)
    empty = np.where(has_rate, empty, 1.0)
    mean_logarithm = sums((shares - products) * np.log(products)) / empty
    squares = sums(n * a) * sums(n * b) / total**4 - sums(products**2)
    most = 1 + _MORE_DOUBLE / 2 * np.maximum(squares, 0.0) * (single / empty) ** 2
    # The likelihood of Poisson's law, as a share of the largest.
    above = np.maximum(double, most)
    unlikely = above * np.log(above / most) - above + most
    rates = np.where(has_rate, np.exp(mean_logarithm) / empty, 0.0)
    return rates, 1 / (1 + np.exp(np.minimum(unlikely, 500.0)) / _ODDS)


class Correction(NamedTuple):
    """The bias of a score and its error, and what influences on the corrected score are made of.

    They are ``own`` times those on the score, less ``of_unseen`` times those on the entropy of
    cells that were not seen.
    """

    bias: float
    error: float
    own: float = 1.0
    of_unseen: float = 0.0


class Independence(NamedTuple):
    """What an index is where partitions are independent, signed so that larger is better.

    There the score is a quadratic form of the deviations of a table, added to what depends on the
    cluster sizes. If nothing does, the error of first order ``vanishes``: exact ``mean`` and
    ``variance`` under permutation take its place. ``sides`` are the shares of the clusters, and
    ``order`` is that of the entropy, 2 for pairs. ``value`` and ``best`` are those of the score,
    and ``lowest`` is its value without information. ``unit`` is by how much it rises with the
    information, 0 for other quantities, and ``of_margins`` the bias of the latter by the entropies
    of both sides.
    """

    value: float
    best: float
    mean: float
    variance: float
    sides: tuple[FloatArray, FloatArray]
    order: float
    vanishes: bool
    is_adjusted: bool
    lowest: float = 0.0
    unit: float = 0.0
    of_margins: float = 0.0

    @classmethod
    def of(cls, table: ContingencyTable, chosen: Chosen, value: float) -> Independence | None:
        """Return what is known of an index where the partitions are independent."""
        index, (_, best) = chosen.index, signed_range(chosen)
        quantity = index.linear_quantity(**chosen.parameters)
        if quantity not in ("pairs", "information") or min(table.shape) < 2:
            return None
        if not math.isfinite(best) and (index.adjusted or quantity == "pairs"):
            return None
        moments = null_moments(index, table, **chosen.parameters)
        if moments is None or not moments.standard_deviation:
            return None
        q = 2.0 if quantity == "pairs" else float(chosen.parameters.get("q", 1.0))
        sign = index.sign
        near = cls(
            sign * value,
            best,
            sign * moments.mean,
            moments.standard_deviation**2,
            (table.row_sums / table.n_samples, table.col_sums / table.n_samples),
            q,
            index.adjusted,
            index.adjusted,
        )
        if quantity == "pairs":
            return near
        law = moments.null
        (lowest,) = moments.values_at(np.array([-law.mean / law.standard_deviation]))
        vanishes = index.adjusted or abs(float(lowest)) <= TIE
        near = near._replace(vanishes=vanishes, lowest=sign * float(lowest))
        if q != 1 or needs_half_samples(chosen):
            return near._replace(lowest=near.mean)
        of_margins = (sum(table.shape) - 2) / (2 * float(table.n_samples))
        unit = (near.mean - near.lowest) / law.mean
        return near._replace(unit=unit, of_margins=of_margins)

    @property
    def excess(self) -> float:
        """How far the mean is above the value of the table of independent partitions.

        To second order, that of a sum of squares of the deviations of cells, whose weights are
        products over rows and columns: of the sums of eigenvalues and of their squares.
        """
        return math.sqrt(self.variance) * math.prod(
            trace / math.sqrt(math.sqrt(2.0) * of_squares)
            for trace, of_squares in (_traces(side, self.order) for side in self.sides)
        )

    def corrected(self, of_jackknife: float, unseen: tuple[float, float] | None) -> Correction:
        """Return the bias of the score, by that of the jackknife and by cells that were not seen.

        Of the latter ``unseen`` is what :meth:`UnseenCells.of_table` returns.

        An adjusted index of information has the value in the population that the index without
        adjustment has; it has no bias within about three deviations of its mean, as one of pairs.
        No value of information is below that of independence.
        """
        bias, error, own, of_unseen = of_jackknife, abs(of_jackknife), 1.0, 0.0
        entropy, its_bias = unseen or (0.0, 0.0)
        if unseen and self.is_adjusted:
            own = (self.best - self.mean) / (self.best - self.lowest)
            of_unseen, error = self.unit * own, 0.0
            missed = own * (self.best - self.value)
            # The mean entropy of both sides, by which the information is divided, is larger, too.
            of_margins = self.of_margins * (1 + missed) / 2
            bias = of_unseen * (entropy - of_margins) - missed * (1 / own - 1)
        elif unseen:
            of_unseen = self.unit
            rest = of_jackknife + of_unseen * its_bias
            bias, error = rest + of_unseen * entropy, min(error, abs(rest))
        found = Correction(bias, ERROR_OF_JACKKNIFE * error, own, of_unseen)
        if self.is_adjusted:
            distance = (self.value - self.mean) ** 2
            far = distance / (distance + 9 * self.variance)
            own = 1 + far * (own - 1)
            found = Correction(far * bias, far * found.error, own, far * of_unseen)
        if unseen:
            least = self.mean if self.is_adjusted else self.lowest
            found = found._replace(bias=min(found.bias, max(self.value - least, 0.0)))
        return found

    def second_order(self, variance: float) -> float:
        """Return the variance besides that of first order, where this does not vanish."""
        if self.vanishes:
            return 0.0
        return self.weight(variance) * self.variance * self._shrunk**2

    def weight_of_ends(self, variance: float) -> float:
        """Return how much the ends under permutation count against those of first order."""
        is_known = self.vanishes and math.isfinite(self.best)
        return self.weight(variance) if is_known else 0.0

    def weight(self, variance: float) -> float:
        """Return how much the error under permutation counts, between 0 and 1."""
        shrunk = self._shrunk
        if not shrunk or not variance:
            return 1.0 if shrunk else 0.0
        share = self.variance * shrunk**2 / variance
        weight = min(max((share - _MATTERS) / (_ALONE - _MATTERS), 0.0), 1.0)
        # Of tables with many cells the variance under permutation matters, although they are far.
        distance = (self.value - self.mean) ** 2
        return weight * min(_FAR**2 * self.variance / distance, 1.0) if distance else weight

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
        # Both roots without a loss of digits; one if the equation is linear.
        half = -(b + math.copysign(math.sqrt(max(b * b - 4 * a * c, 0.0)), b)) / 2
        roots = [above / below for above, below in ((half, a), (c, half)) if below]
        found = [mean + one for one in roots if 0 <= one <= r and b * b >= 4 * a * c]
        return float(min([low, *found])), float(max([high, *found]))

    @property
    def _shrunk(self) -> float:
        return min(max((self.best - self.value) / (self.best - self.mean), 0.0), 1.0)


def nearness(*tables: ContingencyTable) -> FloatArray:
    """Return how near tables are to independence, from 1 to 0, by their adjusted Rand index."""
    index = get_index("adjusted_rand_score")
    found = []
    for table in tables:
        moments = null_moments(index, table)
        value = abs(index(table))
        far = _FAR * (moments.standard_deviation if moments else 0.0)
        found.append(1.0 if value <= far else (far / value) ** 2)
    return np.array(found)


def _ratio(above: FloatArray | float, below: FloatArray) -> FloatArray:
    """Return a quotient that is infinite or zero, not undefined, where its denominator is zero."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.asarray(above / below)
    return np.where((below == 0) & (np.asarray(above) == 0), 0.0, found)


def _traces(shares: FloatArray, q: float) -> tuple[float, float]:
    """Return the sums of the eigenvalues of one side and of their squares."""
    weights = shares ** (q - 2)
    first = float(weights @ (shares * (1 - shares)))
    squares = float(weights**2 @ (shares**2 * (1 - 2 * shares)))
    return first, squares + float(weights @ shares**2) ** 2
