"""Null distributions: what orders two partitions, when objects are permuted, and its tails.

``NullDistribution.tail`` is where a p-value comes from: by the method that is asked for, or by the
first one that holds. A method returns what it ``Found``, or says why it does not hold.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from scipy.special import logsumexp

from sklearn_clustcompare._array_types import FloatArray, IntArray, Mask
from sklearn_clustcompare._chance.draws import (
    CellSums,
    DrawnValues,
    NullModel,
    TableValues,
    drawn_values,
    n_permuted,
)
from sklearn_clustcompare._chance.exact import (
    ExactDistribution,
    all_tables,
    log_factorial_excess,
)
from sklearn_clustcompare._chance.functions import InformationTerms, Margin
from sklearn_clustcompare._chance.moments import (
    MomentTail,
    information_cumulants,
    square_sum_moments,
)
from sklearn_clustcompare._chance.spectral import InformationMoments
from sklearn_clustcompare._chance.splitting import MOST_FREE, MOST_VALUES, log_tail, values_of_cells
from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._table.cell_sums import CellSum, Squares, kinds_of_cells
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import SquareSums
from sklearn_clustcompare._tasks import Prefer

# Random tables are at most this many by default.
MOST_DRAWN = 9999
# By default so many objects are permuted, a minute of work, but so many tables are drawn at least.
_MOST_PERMUTED_IN_ALL = 10**9
_FEWEST_DRAWN = 99
# Random tables that are at least as extreme, after which no more are drawn.
ENOUGH = 20
# Above this, permuting objects takes long, and SciPy draws no whole tables.
MOST_PERMUTED = 10**7

# Where the approximation with four moments holds: measured against random tables (benchmarks).
_FEWEST_MOVED = 200.0
_SKEWNESS = -0.2, 3.0
_SURPLUS = 0.1
_LARGEST_STEP, _LARGEST_STEP_OF_INFORMATION = 0.4, 0.2
_VARIANCE_RATIO = 0.99, 1.05
# If the skewness is this small, an error as large as itself does not matter.
_NO_SKEWNESS, _WIDE_VARIANCE_RATIO = 0.03, (0.9, 2.0)
# Both tails hold if the fourth moment is nearly that of a gamma distribution.
_SMALL_SURPLUS, _SMALL_SKEWNESS, _NO_SURPLUS = 0.03, 0.5, 0.002
# Rounding errors of a sum, relative to it: more would make ties of large tables.
_ROUNDING = 2.0**-48
# By default splitting may take so many CPU seconds.
_MOST_SECONDS = 10.0
_TOO_SLOW = "it would take too many levels"
# Weights of squares are multiples of 2 to the power of minus this.
_WEIGHT_BITS = 256
# Why only values are known, by what objects are permuted within.
_UNKNOWN_WITHIN = {
    "": "the exact null distribution of this index is not known for these partitions",
    "blocks": "the exact null distribution within blocks is not known",
    "groups": "groups are permuted whole",
}


class Budget(NamedTuple):
    """By how many fillings of a column, and runs of their last cells, all tables are counted."""

    fillings: int
    runs: int


# By default, and on request or where no random table is as extreme: some seconds.
EXACT_BUDGET, LARGEST_EXACT_BUDGET = Budget(2_000_000, 700_000), Budget(4_000_000, 70_000_000)


class Found(NamedTuple):
    """A p-value: its logarithm, by which method and why, and its standard error as a share of it.

    ``values`` are those that were drawn, or of all tables, with their ``weights``.
    """

    logarithm: float
    probability: float
    method: str
    reason: str
    relative_error: float = math.nan
    values: FloatArray | None = None
    weights: FloatArray | None = None

    @classmethod
    def of(cls, probability: float, method: str, reason: str = "", **others: Any) -> Found:
        logarithm = math.log(probability) if probability else -math.inf
        return cls(logarithm, probability, method, reason, **others)

    @classmethod
    def of_logarithm(cls, logarithm: float, method: str, reason: str = "", **others: Any) -> Found:
        """Take a probability of at least the smallest number above 0."""
        return cls(logarithm, max(math.exp(logarithm), math.ulp(0.0)), method, reason, **others)

    def at_least(self, logarithm: float) -> Found:
        """Raise the probability to one that it cannot be below."""
        if self.logarithm >= logarithm:
            return self
        probability = max(math.exp(logarithm), math.ulp(0.0))
        return self._replace(logarithm=logarithm, probability=probability)

    @property
    def doubled(self) -> Found:
        """The p-value of both tails."""
        logarithm = min(self.logarithm + math.log(2), 0.0)
        return self._replace(logarithm=logarithm, probability=min(2 * self.probability, 1.0))


class Draws(NamedTuple):
    """How random values are drawn."""

    n_resamples: int
    random_state: Any = 0
    n_jobs: int | None = None
    verbose: Any = 0
    is_sequential: bool = True
    prefer: Prefer = "threads"
    # Whether "auto" splits where no draw is extreme, which may take seconds.
    splits: bool = True

    def take(self, source: DrawnValues, are_extreme: Callable[[FloatArray], Mask]) -> Found:
        """Return the p-value by those values that are extreme, and all of them.

        If it is sequential, values are drawn until 20 are extreme [1]_.

        .. [1] J. Besag, P. Clifford, "Sequential Monte Carlo p-values", Biometrika 78, 1991
        """

        def are_enough(values: FloatArray) -> bool:
            return bool(np.count_nonzero(are_extreme(values)) >= ENOUGH)

        values = drawn_values(
            source,
            self.n_resamples,
            self.random_state,
            self.n_jobs,
            prefer=self.prefer,
            enough=are_enough if self.is_sequential else None,
            verbose=self.verbose,
        )
        places = np.flatnonzero(are_extreme(values))
        n_extreme, n_drawn = len(places) + 1, len(values) + 1
        if self.is_sequential and len(places) >= ENOUGH:
            n_extreme, n_drawn = ENOUGH, int(places[ENOUGH - 1] + 1)
        share = n_extreme / n_drawn
        error = math.sqrt((1 - share) / n_extreme)
        return Found.of(share, "monte_carlo", relative_error=error, values=values)

    def within(self, n_permuted: int) -> tuple[Draws, str]:
        """Return fewer draws if each permutes many objects, and a text about it."""
        most = max(_MOST_PERMUTED_IN_ALL // max(n_permuted, 1), _FEWEST_DRAWN)
        if self.n_resamples <= most:
            return self, ""
        return self._replace(n_resamples=most), (
            f"; at most {most:,} random tables were to be drawn instead of {self.n_resamples:,}, "
            f"as each permutes {n_permuted:,} objects: method='monte_carlo' draws all"
        )


class NullDistribution:
    """The null distribution of a statistic, of which all that is known is a source of values.

    ``are_extreme`` tells which of them are, ``unknown`` why all else is not known. Subclasses know
    more.
    """

    table: ContingencyTable

    def __init__(
        self, source: DrawnValues, are_extreme: Callable[[FloatArray, bool], Mask], unknown: str
    ) -> None:
        self._source, self._are_extreme, self._unknown = source, are_extreme, unknown

    @property
    def standardized(self) -> float | None:
        """How far the statistic is above its mean, in standard deviations, if these are known."""
        return None

    @property
    def is_constant(self) -> bool:
        """Whether all tables are known to tie."""
        return False

    @property
    def n_permuted(self) -> int:
        """The number of objects that a draw permutes."""
        return 0

    def pvalue(self, method: str, draws: Draws, alternative: str, *, rises: bool) -> Found | str:
        """Return a p-value; the upper tail is that of more agreement if the statistic ``rises``."""
        found = self.tail(method, draws, is_upper=(alternative != "less") == rises)
        if alternative != "two-sided" or isinstance(found, str):
            return found
        if found.probability > 0.5:  # else the other tail is larger, as both add up to 1 at least
            other = self.tail(method, draws, is_upper=not rises)
            assert isinstance(other, Found)
            found = min(found, other, key=lambda one: one.probability)
        return found.doubled

    def tail(self, method: str, draws: Draws, *, is_upper: bool) -> Found | str:
        """Return a tail probability by a method, or why it does not hold."""
        if method == "auto":
            return self._first_that_holds(draws, is_upper)
        chosen = f"method={method!r} was chosen"
        if self.is_constant and method not in ("exact", "monte_carlo"):
            return Found.of(1.0, method, chosen)
        methods: dict[str, Callable[..., Found | str]] = {
            "exact": partial(self.exact, LARGEST_EXACT_BUDGET),
            "moments": self.moments,
            "cantelli": self.cantelli,
            "splitting": partial(self.splitting, draws, math.inf),
            "monte_carlo": partial(self.monte_carlo, draws),
        }
        found = methods[method](is_upper=is_upper)
        if isinstance(found, str) or found.reason:
            return found
        return found._replace(reason=chosen)

    def _first_that_holds(self, draws: Draws, is_upper: bool) -> Found:
        if self.is_constant:
            tie = "all tables with these cluster sizes tie"
            return Found.of(1.0, "exact", tie, relative_error=0.0)
        exact = self.exact(EXACT_BUDGET, is_upper=is_upper)
        if isinstance(exact, Found):
            return exact
        refusal = self.refusal(is_upper)
        if not refusal:
            found = self.moments(is_upper=is_upper)
            assert isinstance(found, Found)
            reason = "an approximation with four moments holds for these cluster sizes"
            return found._replace(reason=reason)
        draws, fewer = draws.within(self.n_permuted)
        can_show = 1 / (1 + draws.n_resamples)
        found = self.bound(is_upper=is_upper)
        is_bound = isinstance(found, Found) and (
            self.table.n_samples > MOST_PERMUTED or found.probability < can_show
        )
        if not is_bound:
            found = self.monte_carlo(draws, is_upper=is_upper)
        assert isinstance(found, Found)
        if draws.splits and found.probability <= can_show:
            by_runs = self.exact_by_runs(is_upper=is_upper)
            if isinstance(by_runs, Found):
                return by_runs
            if found.values is not None:
                split = self.splitting(draws, _MOST_SECONDS, is_upper=is_upper)
                if isinstance(split, Found):
                    reason = f"none of {len(found.values):,} random tables was as extreme"
                    return split._replace(reason=reason, values=found.values)
        return found._replace(reason=refusal if is_bound else refusal + fewer)

    def exact(self, budget: Budget, *, is_upper: bool) -> Found | str:
        """Count all tables."""
        return self._unknown

    def exact_by_runs(self, *, is_upper: bool) -> Found | str | None:
        """Count all tables of three rows, if that takes no more than some seconds."""
        return None

    def refusal(self, is_upper: bool) -> str:
        """Return why four moments are not enough, or not known; empty if they are."""
        return self._unknown

    def moments(self, *, is_upper: bool) -> Found | str:
        """Take the approximation with four moments, whether it holds or not."""
        return "four exact moments under permutation are not known"

    def cantelli(self, *, is_upper: bool) -> Found | str:
        """Bound the tail of a statistic with known mean and variance by Cantelli's inequality."""
        if self.standardized is None:
            return "its exact mean and variance under permutation are not known"
        return _cantelli(self.standardized if is_upper else -self.standardized)

    def bound(self, *, is_upper: bool) -> Found | str:
        """Return the smallest bound that is known."""
        return self.cantelli(is_upper=is_upper)

    def splitting(self, draws: Draws, seconds: float, *, is_upper: bool) -> Found | str:
        """Raise tables level by level, if that takes no more than some seconds."""
        return "it needs a table of whole counts whose objects are all permuted"

    def monte_carlo(self, draws: Draws, *, is_upper: bool) -> Found:
        """Draw random values."""
        return draws.take(self._source, lambda values: self._are_extreme(values, is_upper))


def _cantelli(standardized: float) -> Found:
    """Bound the upper tail of a standardized value."""
    return Found.of(1 / (1 + max(standardized, 0.0) ** 2), "cantelli")


def _split(logarithm: float, error: float) -> Found:
    return Found.of_logarithm(logarithm, "splitting", relative_error=error)


class SumDistribution(NullDistribution):
    """The null distribution of a statistic that rises with a sum over the cells of a table.

    ``statistic`` is the observed one, as an index takes it, and ``cell_function`` that of a cell,
    for tables of whole counts. Mean and standard deviation are computed on access: the latter takes
    far longer. Values that are found are in standard deviations from the mean.
    """

    cell_function: Callable[..., Any] | None = None

    def __init__(self, table: Any, statistic: Any) -> None:
        self.table, self.statistic = table, statistic

    @property
    def mean(self) -> float:
        raise NotImplementedError

    @property
    def standard_deviation(self) -> float:
        raise NotImplementedError

    @property
    def standardized(self) -> float:
        found, deviation = self.statistic, self.standard_deviation
        value = found.cells if isinstance(found, SquareSums) else found
        return float(value - self.mean) / deviation if deviation else 0.0

    @property
    def sum_deviation(self) -> float:
        """The standard deviation of the sum."""
        return self.standard_deviation

    @property
    def information(self) -> InformationMoments | None:
        """Moments of the information that the statistic is, if whole counts vary."""
        return None

    @property
    def other(self) -> float:
        """A value of the statistic far from its mean, to compute the slope of an index."""
        return self.mean / 2 or 1.0

    def at(self, value: float) -> Any:
        """Return what the index is a function of if the statistic had this value."""
        if not isinstance(self.statistic, SquareSums):
            return value
        return SquareSums(value, float(self.statistic.rows), float(self.statistic.cols))

    @property
    def is_constant(self) -> bool:
        return not self.standard_deviation

    @property
    def n_permuted(self) -> int:
        return n_permuted(self.table)

    @cached_property
    def _counted(self) -> ExactDistribution | None:
        return self._count(EXACT_BUDGET)

    def _count(self, budget: Budget, *, by_runs: bool = True) -> ExactDistribution | None:
        sums, function = (self.table.row_sums, self.table.col_sums), self.cell_function
        if function is None:
            return None
        return ExactDistribution.of(*sums, function, budget.fillings, by_runs=by_runs)

    def exact(self, budget: Budget, *, is_upper: bool) -> Found | str:
        counted = self._counted if budget is EXACT_BUDGET else self._count(budget)
        return self._tail_of(counted, budget.runs, is_upper)

    def exact_by_runs(self, *, is_upper: bool) -> Found | str | None:
        counted = self._counted
        has_runs = counted is not None and counted.last_columns is not None
        return self._tail_of(counted, LARGEST_EXACT_BUDGET.runs, is_upper) if has_runs else None

    def _tail_of(
        self, counted: ExactDistribution | None, most_runs: int, is_upper: bool
    ) -> Found | str:
        found = counted and counted.tail(
            kinds_of_cells(self.table), is_upper=is_upper, most_runs=most_runs
        )
        if found is None:
            return "its tables are too many to count"
        reason = "all tables with these cluster sizes could be counted"
        tail = Found.of(found, "exact", reason, relative_error=0.0)
        # Terms of less were too small to be added.
        return tail if found >= sys.float_info.min else tail.at_least(self.floor)

    def all_sums(self, most: int) -> tuple[FloatArray, FloatArray] | None:
        """Return all standardized sums with their probabilities, if they are few and counted."""
        counted = self._counted
        if counted is not None and counted.last_columns is not None:
            counted = self._count(EXACT_BUDGET, by_runs=False)
        found = counted and counted.all_sums(kinds_of_cells(self.table))
        if found is None or len(found[0]) > most:
            return None
        beyond, weights = found
        return self.standardized + beyond / self.sum_deviation, weights

    def refusal(self, is_upper: bool) -> str:
        tail = self.moment_tail
        if isinstance(tail, str):
            return tail
        refusal = tail.refusals[not is_upper]
        return refusal and f"the approximation with four moments does not hold: {refusal}"

    def moments(self, *, is_upper: bool) -> Found | str:
        tail = self.moment_tail
        if isinstance(tail, str):
            return tail
        logarithm = tail.log_tail(self.standardized, is_upper=is_upper)
        return self._not_below_floor(Found.of_logarithm(logarithm, "moments"))

    def bound(self, *, is_upper: bool) -> Found | str:
        """Take the bound by the fourth moment where that is smaller."""
        z = self.standardized
        found = _cantelli(z if is_upper else -z)
        is_beyond = z > 0 if is_upper else z < 0
        tail = self.moment_tail if isinstance(self.cell_function, Squares) and is_beyond else ""
        if isinstance(tail, str):
            return found
        return min(found, Found.of((3 + tail.excess) / z**4, "cantelli"))

    def splitting(self, draws: Draws, seconds: float, *, is_upper: bool) -> Found | str:
        table, sign = self.table, 1 if is_upper else -1
        sums = table.row_sums, table.col_sums
        if min(map(max, sums)) * math.prod(table.shape) > MOST_VALUES:
            return "its table is too large"
        assert self.cell_function is not None
        of_cells = sign * values_of_cells(*sums, self.cell_function)
        observed, slack = self._observed
        found = log_tail(
            *sums,
            lambda tables: np.take_along_axis(of_cells, tables, axis=0).sum(axis=(1, 2)),
            sign * observed - slack,
            of_cells=of_cells,
            most_seconds=seconds,
            random_state=draws.random_state,
        )
        return _TOO_SLOW if found is None else self._not_below_floor(_split(*found))

    def monte_carlo(self, draws: Draws, *, is_upper: bool) -> Found:
        observed, slack = self._observed

        def are_extreme(values: FloatArray) -> Mask:
            return values >= observed - slack if is_upper else values <= observed + slack

        assert self.cell_function is not None
        source = CellSums.of(self.table.row_sums, self.table.col_sums, self.cell_function)
        found = draws.take(source, are_extreme)
        assert found.values is not None
        values = self.standardized + (found.values - observed) / self.sum_deviation
        return self._not_below_floor(found._replace(values=values))

    @cached_property
    def _observed(self) -> tuple[float, float]:
        """The sum, and how much less counts as a tie."""
        assert self.cell_function is not None
        observed = float(CellSum(self.cell_function)(self.table))
        return observed, max(1e-9 * self.sum_deviation, _ROUNDING * abs(observed))

    def log_rank(self, gamma_root: float) -> float:
        """Return ln of the upper tail by four moments, whether that holds or not.

        If they are not known, by a gamma distribution whose mean is ``gamma_root`` deviations above
        its end.
        """
        tail = self.moment_tail
        if isinstance(tail, str):
            tail = MomentTail(2 / gamma_root, 6 / gamma_root**2)
        return max(tail.log_tail(self.standardized, is_upper=True), self.floor)

    @cached_property
    def floor(self) -> float:
        """Ln of the probability of the table and of those with clusters of equal size swapped."""
        table = self.table
        swapped = max(
            _log_orders(table.row_sums, table.cell_rows, table.cell_cols, table.cell_counts),
            _log_orders(table.col_sums, table.cell_cols, table.cell_rows, table.cell_counts),
        )
        return min(log_probability(table) + swapped, 0.0)

    def _not_below_floor(self, found: Found) -> Found:
        # Clusters are compared with each other only if the floor may matter.
        most_orders = max(
            math.fsum(math.lgamma(times + 1) for times in Counter(sums.tolist()).values())
            for sums in (self.table.row_sums, self.table.col_sums)
        )
        highest = log_probability(self.table) + most_orders
        return found if found.logarithm > highest else found.at_least(self.floor)

    # ----------------------------------------------------------------------- four moments

    @cached_property
    def moment_tail(self) -> MomentTail | str:
        """The approximation with four moments, or why they are not known."""
        table, function = self.table, self.cell_function
        margins = Margin.from_sums(table.row_sums), Margin.from_sums(table.col_sums)
        if isinstance(function, InformationTerms):
            if function.q != 1:
                return "four moments are known for the orders 1 and 2 of the information only"
            return self._of_information(*sorted(margins, key=Margin.sort_key))
        if isinstance(function, Squares):
            return self._of_squares(margins, function)
        return "four moments are known for sums of squares and the mutual information only"

    def _of_squares(self, margins: tuple[Margin, Margin], squares: Squares) -> MomentTail | str:
        sizes = [margin.sizes for margin in margins]
        divisors = np.asarray(squares.divisor(*np.meshgrid(*sizes, indexing="ij")), np.float64)
        product = np.outer(divisors[:, 0], divisors[0] / divisors[0, 0])
        if not np.allclose(divisors, product, rtol=TIE, atol=0):
            return "four moments are known for squares weighted by a product of both sizes only"
        corner = Fraction(float(divisors[0, 0]))
        of_sides = [(divisors[:, 0], Fraction(1)), (divisors[0], corner)]
        rows, cols = [
            [
                (int(size), int(2**_WEIGHT_BITS * unit / Fraction(divisor)), int(times))
                for size, times, divisor in zip(*margin, of_side.tolist(), strict=True)
            ]
            for margin, (of_side, unit) in zip(margins, of_sides, strict=True)
        ]
        moments = square_sum_moments(rows, cols, 2 * _WEIGHT_BITS)
        has_step = np.ptp(divisors) == 0 or self._is_sparse
        step = 2 / divisors.max() / math.sqrt(moments.variance) if has_step else 0.0
        tail = MomentTail(moments.skewness, moments.excess)
        return self._judged(tail, step, _LARGEST_STEP, "")

    def _of_information(self, rows: Margin, cols: Margin) -> MomentTail:
        deviation = self.sum_deviation
        step = 2 * math.log(2) / deviation if self._is_sparse else 0.0
        second, third, fourth = information_cumulants(rows, cols, float(self.table.n_samples))
        ratio = second / deviation**2
        tail = MomentTail(third / deviation**3, fourth / deviation**4)
        is_symmetric = abs(tail.skewness) <= _NO_SKEWNESS
        low, high = _WIDE_VARIANCE_RATIO if is_symmetric else _VARIANCE_RATIO
        refusal = ""
        if not low <= ratio <= high:
            refusal = f"its variance is {ratio:.3g} times the exact one"
        return self._judged(tail, step, _LARGEST_STEP_OF_INFORMATION, refusal)

    def _judged(
        self, tail: MomentTail, step: float, largest_step: float, refusal: str
    ) -> MomentTail:
        moved = self.n_moved
        low, high = _SKEWNESS
        if moved < _FEWEST_MOVED:
            refusal = f"only {moved:.0f} objects move, of {_FEWEST_MOVED:.0f} that it needs"
        elif not low <= tail.skewness <= high:
            refusal = f"the skewness is {tail.skewness:.2f}, not in [{low:g}, {high:g}]"
        elif abs(tail.surplus) > _SURPLUS:
            refusal = f"the fourth moment is {tail.surplus:+.0%} off that of a gamma distribution"
        elif step > largest_step:
            refusal = f"few values: they are {step:.2f} standard deviations apart"
        lower = refusal
        has_both = abs(tail.surplus) <= _SMALL_SURPLUS and tail.skewness <= _SMALL_SKEWNESS
        if not lower and not has_both and abs(tail.surplus) > _NO_SURPLUS:
            lower = "the fourth moment is too far from that of a gamma distribution for both tails"
        return tail._replace(step=step, refusals=(refusal, lower))

    @property
    def n_moved(self) -> float:
        """Number of objects times the shares of pairs that are apart on each side."""
        table = self.table
        n = float(table.n_samples)
        shares = (float(((sums / n) ** 2).sum()) for sums in (table.row_sums, table.col_sums))
        return n * math.prod(1 - share for share in shares)

    @property
    def _is_sparse(self) -> bool:
        """Whether less than one object is expected in every cell."""
        table = self.table
        return float(table.row_sums.max()) * float(table.col_sums.max()) < table.n_samples


class AllTables(NamedTuple):
    """Values, orders and logarithms of the probabilities of all tables with some margins."""

    values: FloatArray
    orders: FloatArray
    logarithms: FloatArray

    @property
    def weights(self) -> FloatArray:
        return np.exp(self.logarithms)


class TableDistribution(NullDistribution):
    """The null distribution of any function of a table, of which more agreement is the upper tail.

    ``order`` has the value of a table and its place in the order, and tells ties; ``sums`` is the
    null distribution of a sum over the cells that orders tables as well, if there is one.
    ``moments`` are how far the agreement is above its mean, and its standard deviation, if known.
    """

    def __init__(
        self,
        model: NullModel,
        order: Any,
        sums: SumDistribution | None,
        moments: tuple[float, float] | None,
        *,
        of_pairs: bool,
    ) -> None:
        self._model, self._order, self._sums, self._moments = model, order, sums, moments
        self.table = model.table
        function = order.value_and_order_of_pairs if of_pairs else order.value_and_order
        unknown = _UNKNOWN_WITHIN[model.within]
        super().__init__(TableValues(model, function, {}, of_pairs), self._extreme, unknown)

    @property
    def standardized(self) -> float | None:
        return self._moments and self._moments[0]

    @property
    def is_constant(self) -> bool:
        return self._moments is not None and self.table.is_whole and not self._moments[1]

    @property
    def n_permuted(self) -> int:
        return self._model.n_permuted

    def _extreme(self, draws: FloatArray, is_upper: bool) -> Mask:
        sign = 1 if is_upper else -1
        return self._order.ties(sign * draws[:, 1], sign * self.observed)

    @cached_property
    def observed(self) -> float:
        return self._order.value_and_order(self.table)[1]

    def exact(self, budget: Budget, *, is_upper: bool) -> Found | str:
        found = self._unknown if self._sums is None else self._sums.exact(budget, is_upper=is_upper)
        tables = self.all_tables
        if isinstance(found, Found) or tables is None:
            return found
        are_extreme = self._extreme(np.column_stack(tables[:2]), is_upper)
        logarithm = 0.0
        if not are_extreme.all():
            logarithm = min(float(logsumexp(tables.logarithms[are_extreme])), 0.0)
        reason = "all tables with these cluster sizes were evaluated"
        found = Found.of_logarithm(logarithm, "exact", reason, relative_error=0.0)
        return found._replace(values=tables.values, weights=tables.weights)

    @cached_property
    def all_tables(self) -> AllTables | None:
        """All tables with these margins; None if they are too many, or not of whole counts."""
        table = self.table
        if self._model.within or not table.is_whole:
            return None
        tables = [table]
        if min(table.shape) > 1:
            found = all_tables(table.row_sums, table.col_sums)
            if found is None:
                return None
            tables = [ContingencyTable._of_dense(counts) for counts in found]
        values, orders = np.array([self._order.value_and_order(one) for one in tables]).T
        logarithms = np.array([log_probability(one) for one in tables])
        return AllTables(values, orders, logarithms - logsumexp(logarithms))

    def splitting(self, draws: Draws, seconds: float, *, is_upper: bool) -> Found | str:
        table, sign = self.table, 1 if is_upper else -1
        n_free = math.prod(table.shape) - sum(table.shape) + 1
        if self._model.within or not table.is_whole or not n_free or n_free > MOST_FREE:
            return super().splitting(draws, seconds, is_upper=is_upper)
        known: dict[bytes, float] = {}
        observed = sign * self.observed

        def order(counts: IntArray) -> float:
            key = counts.tobytes()
            if key not in known:
                table = ContingencyTable._of_dense(counts)
                value = np.array([sign * self._order.value_and_order(table)[1]])
                is_tie = self._order.ties(value, observed) & ~(value > observed)
                known[key] = observed if is_tie[0] else float(value[0])
            return known[key]

        found = log_tail(
            table.row_sums,
            table.col_sums,
            lambda tables: np.array([order(one) for one in tables]),
            observed,
            most_seconds=seconds,
            random_state=draws.random_state,
        )
        if found is None:
            return _TOO_SLOW
        return _split(*found).at_least(min(log_probability(table), 0.0))

    def monte_carlo(self, draws: Draws, *, is_upper: bool) -> Found:
        found = super().monte_carlo(draws, is_upper=is_upper)
        assert found.values is not None
        return found._replace(values=found.values[:, 0])


def log_probability(table: ContingencyTable) -> float:
    """Return ln of the probability of a table of whole counts.

    The large terms n ln n of its factorials add up to the mutual information, which has all digits.
    """
    parts = [
        *log_factorial_excess(table.row_sums),
        *log_factorial_excess(table.col_sums),
        *-log_factorial_excess(table.cell_counts),
        *-log_factorial_excess(np.array([table.n_samples])),
    ]
    return math.fsum(parts) - table.n_samples * table._information_excess


def _log_orders(
    sums: IntArray,
    clusters: IntArray,
    others: IntArray,
    counts: IntArray,
) -> float:
    """Return ln of the number of different tables by swaps of clusters of equal size."""
    order = np.lexsort((others, clusters))
    first = np.searchsorted(clusters[order], np.arange(len(sums) + 1))
    cells = np.column_stack([others[order], counts[order]])
    rows = Counter(
        (size, cells[start:stop].tobytes())
        for size, start, stop in zip(sums.tolist(), first[:-1], first[1:], strict=True)
    )
    sizes = Counter(sums.tolist())
    logarithms = [math.lgamma(times + 1) for times in sizes.values()]
    return math.fsum([*logarithms, *(-math.lgamma(times + 1) for times in rows.values())])
