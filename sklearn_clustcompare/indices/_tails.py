"""Tail probabilities of the quantity that an index is linear in, when objects are permuted.

Indices that rise with the same sum over the cells have the same p-values: from all tables, where
they can be counted; else from a law with four moments, where it holds; else from random tables, or
by Cantelli's inequality where it is below what random tables can show.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare._array_types import FloatArray, IntArray, Mask
from sklearn_clustcompare._chance.draws import CellSums, DrawnValues, drawn_values, n_permuted
from sklearn_clustcompare._chance.exact_law import ExactLaw, log_factorial_excess
from sklearn_clustcompare._chance.functions import InformationTerms, Margin
from sklearn_clustcompare._chance.moments import (
    MomentLaw,
    information_cumulants,
    square_sum_moments,
)
from sklearn_clustcompare._chance.splitting import MOST_VALUES, log_tail
from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._table.cell_sums import CellSum, Squares, kinds_of_cells
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._tasks import Prefer
from sklearn_clustcompare.indices._entropies import Information
from sklearn_clustcompare.indices._moments import StatisticLaw

# Random tables are at most this many by default.
MOST_DRAWN = 9999
# By default so many objects are permuted, a minute of work, but so many tables are drawn at least.
_MOST_PERMUTED_IN_ALL = 10**9
_FEWEST_DRAWN = 99
# Random tables that are at least as extreme, after which no more are drawn.
ENOUGH = 20
# Above this, permuting objects takes long, and SciPy draws no whole tables.
MOST_PERMUTED = 10**7
# Fillings of a column by which all tables are counted: by default, and on request.
EXACT_BUDGET, LARGEST_EXACT_BUDGET = 2_000_000, 4_000_000

# Where the law of four moments holds: measured against random tables, see the benchmarks.
_FEWEST_MOVED = 200.0
_SKEWNESS = -0.2, 3.0
_SURPLUS = 0.1
_LARGEST_STEP, _LARGEST_STEP_OF_INFORMATION = 0.4, 0.2
_VARIANCE_RATIO = 0.99, 1.05
# If the skewness is this small, an error as large as itself does not matter.
_NO_SKEWNESS, _WIDE_VARIANCE_RATIO = 0.03, (0.9, 2.0)
# Both tails hold if the fourth moment is nearly that of a gamma law.
_SMALL_SURPLUS, _SMALL_SKEWNESS, _NO_SURPLUS = 0.03, 0.5, 0.002
# Rounding errors of a sum, relative to it: more would make ties of large tables.
_ROUNDING = 2.0**-48
# Weights of squares are multiples of 2 to the power of minus this.
_WEIGHT_BITS = 256


class Tail(NamedTuple):
    """A tail probability, at least the smallest number above 0, and its logarithm."""

    logarithm: float
    probability: float

    @classmethod
    def of(cls, probability: float) -> Tail:
        return cls(math.log(probability) if probability else -math.inf, probability)

    @classmethod
    def of_logarithm(cls, logarithm: float) -> Tail:
        return cls(logarithm, max(math.exp(logarithm), math.ulp(0.0)))


CERTAIN = Tail(0.0, 1.0)


class FoundTail(NamedTuple):
    """A tail probability, its source, and why that was taken.

    ``standardized`` are the random sums, if some were drawn, and ``relative_error`` is that of
    splitting.
    """

    tail: Tail
    method: str
    reason: str
    standardized: FloatArray | None = None
    relative_error: float = math.nan


class SumLaw(NamedTuple):
    """The law with four moments of a standardized sum on a lattice; ``step`` is in deviations."""

    law: MomentLaw
    step: float
    # Why it does not hold in the upper tail, and in the lower one; empty where it holds.
    refusals: tuple[str, str]

    def log_tail(self, z: float, *, is_upper: bool) -> float:
        half = self.step / 2
        return self.law.log_tail(z - half if is_upper else z + half, is_upper=is_upper)


class Plan(NamedTuple):
    """How random tables are drawn."""

    n_resamples: int
    random_state: Any = 0
    n_jobs: int | None = None
    verbose: Any = 0
    is_sequential: bool = True
    prefer: Prefer = "threads"

    def draw(
        self, source: DrawnValues, are_extreme: Callable[[FloatArray], Mask]
    ) -> tuple[FloatArray, Tail]:
        """Return values, and the p-value by those that are extreme.

        If it is sequential, tables are drawn until 20 are extreme [1]_.

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
        return values, Tail.of(self._share(are_extreme(values)))

    def within(self, n_permuted: int) -> tuple[Plan, str]:
        """Return a plan of fewer draws if each permutes many objects, and a text about it."""
        most = max(_MOST_PERMUTED_IN_ALL // max(n_permuted, 1), _FEWEST_DRAWN)
        if self.n_resamples <= most:
            return self, ""
        return self._replace(n_resamples=most), (
            f"; at most {most:,} random tables were to be drawn instead of {self.n_resamples:,}, "
            f"as each permutes {n_permuted:,} objects: method='monte_carlo' draws all"
        )

    def _share(self, is_extreme: Mask) -> float:
        places = np.flatnonzero(is_extreme)
        if self.is_sequential and len(places) >= ENOUGH:
            return ENOUGH / int(places[ENOUGH - 1] + 1)
        return (len(places) + 1) / (len(is_extreme) + 1)


class SumTest:
    """Tails of the sum over the cells behind a statistic of a table of whole counts."""

    def __init__(
        self, statistic: StatisticLaw, table: ContingencyTable, function: Callable[..., Any]
    ) -> None:
        self._statistic = statistic
        self._table = table
        self._function = function

    def by_default(self, plan: Plan, *, is_upper: bool) -> FoundTail:
        """Return a tail by the first method that holds."""
        found = self.exact(EXACT_BUDGET, is_upper=is_upper)
        if found is not None:
            return found
        if not self._statistic.sum_deviation:
            return FoundTail(CERTAIN, "exact", "all tables with these cluster sizes tie")
        law = self.law
        if isinstance(law, str):
            refusal = law
        else:
            refusal = law.refusals[not is_upper]
            if not refusal:
                reason = "a law with four moments holds for these cluster sizes"
                return self.moments(reason, is_upper=is_upper)
            refusal = f"the law with four moments does not hold: {refusal}"
        plan, fewer = plan.within(n_permuted(self._table))
        bound = self._bound(refusal, is_upper=is_upper)
        can_show = 1 / (1 + plan.n_resamples)
        if self._table.n_samples > MOST_PERMUTED or bound.tail.probability < can_show:
            return bound
        return self.draw(refusal + fewer, plan, is_upper=is_upper)

    def _bound(self, reason: str, *, is_upper: bool) -> FoundTail:
        """Return the bounds by Cantelli's inequality, or by the fourth moment if it is known."""
        z = self._statistic.standardized
        bound = cantelli(z if is_upper else -z, reason)
        is_beyond = z > 0 if is_upper else z < 0
        law = self.law if isinstance(self._function, Squares) and is_beyond else ""
        if isinstance(law, str):
            return bound
        by_fourth = Tail.of((3 + law.law.excess) / z**4)
        return bound._replace(tail=min(bound.tail, by_fourth))

    def log_rank(self, gamma_root: float) -> float:
        """Return ln of the upper tail by the law with four moments, whether it holds or not.

        If they are not known, by a gamma law whose mean is ``gamma_root`` deviations above its end.
        """
        law, z = self.law, self._statistic.standardized
        if isinstance(law, str):
            law = SumLaw(MomentLaw(2 / gamma_root, 6 / gamma_root**2), 0.0, ("", ""))
        return max(law.log_tail(z, is_upper=True), self.floor.logarithm)

    def exact(self, budget: int, *, is_upper: bool) -> FoundTail | None:
        """Return an exact tail if it takes no more fillings of a column than the budget."""
        table = self._table
        law = ExactLaw.of(table.row_sums, table.col_sums, self._function, budget)
        found = None if law is None else law.tail(kinds_of_cells(table), is_upper=is_upper)
        if found is None:
            return None
        tail = Tail.of(found)
        if found < sys.float_info.min:  # terms were too small to be added
            tail = max(tail, self.floor)
        return FoundTail(tail, "exact", "all tables with these cluster sizes could be counted")

    def all_sums(self, most: int) -> tuple[FloatArray, FloatArray] | None:
        """Return all standardized sums with their probabilities, if they are few and counted."""
        table = self._table
        law = ExactLaw.of(table.row_sums, table.col_sums, self._function, EXACT_BUDGET)
        found = None if law is None else law.all_sums(kinds_of_cells(table))
        if found is None or len(found[0]) > most:
            return None
        beyond, weights = found
        return self._statistic.standardized + beyond / self._statistic.sum_deviation, weights

    def moments(self, reason: str, *, is_upper: bool) -> FoundTail:
        """Return a tail by the law with four moments, which must be known."""
        law = self.law
        assert isinstance(law, SumLaw)
        tail = Tail.of_logarithm(law.log_tail(self._statistic.standardized, is_upper=is_upper))
        return FoundTail(self._not_below_floor(tail), "moments", reason)

    def split(self, reason: str, plan: Plan, *, is_upper: bool) -> FoundTail | None:
        """Return a tail by multilevel splitting; None for tables that are too large for it."""
        table = self._table
        largest = min(int(table.row_sums.max()), int(table.col_sums.max()))
        if min(table.shape) < 2 or largest * math.prod(table.shape) > MOST_VALUES:
            return None
        observed, slack = self._observed()
        least = observed - slack if is_upper else observed + slack
        logarithm, error = log_tail(
            table.row_sums,
            table.col_sums,
            self._function,
            least,
            is_upper=is_upper,
            random_state=plan.random_state,
        )
        tail = self._not_below_floor(Tail.of_logarithm(logarithm))
        return FoundTail(tail, "splitting", reason, relative_error=error)

    def _observed(self) -> tuple[float, float]:
        """Return the sum, and how much less counts as a tie."""
        observed = float(CellSum(self._function)(self._table))
        return observed, max(1e-9 * self._statistic.sum_deviation, _ROUNDING * abs(observed))

    def draw(self, reason: str, plan: Plan, *, is_upper: bool) -> FoundTail:
        """Return a tail of random tables."""
        table = self._table
        observed, slack = self._observed()
        deviation = self._statistic.sum_deviation

        def are_extreme(values: FloatArray) -> Mask:
            return values >= observed - slack if is_upper else values <= observed + slack

        source = CellSums.of(table.row_sums, table.col_sums, self._function)
        values, tail = plan.draw(source, are_extreme)
        standardized = self._statistic.standardized + (values - observed) / deviation
        return FoundTail(self._not_below_floor(tail), "monte_carlo", reason, standardized)

    @property
    def shape(self) -> tuple[float, float]:
        """Skewness and excess kurtosis of the sum, which must be known."""
        law = self.law
        assert isinstance(law, SumLaw)
        return law.law.skewness, law.law.excess

    @cached_property
    def floor(self) -> Tail:
        """Probability of the table and of those with other names of clusters."""
        return table_probability(self._table)

    def _not_below_floor(self, tail: Tail) -> Tail:
        # Clusters are compared with each other only if the floor may matter.
        highest = log_probability(self._table) + _most_log_orders(self._table)
        return tail if tail.logarithm > highest else max(tail, self.floor)

    # ----------------------------------------------------------------------- four moments

    @cached_property
    def law(self) -> SumLaw | str:
        """The law with four moments, or why they are not known."""
        table, function = self._table, self._function
        margins = Margin.from_sums(table.row_sums), Margin.from_sums(table.col_sums)
        if isinstance(function, InformationTerms):
            if function.q != 1:
                return "four moments are known for the orders 1 and 2 of the information only"
            return self._of_information(*sorted(margins, key=Margin.sort_key))
        if isinstance(function, Squares):
            return self._of_squares(margins, function)
        return "four moments are known for sums of squares and the mutual information only"

    def _of_squares(self, margins: tuple[Margin, Margin], squares: Squares) -> SumLaw | str:
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
        law = MomentLaw(moments.skewness, moments.excess)
        return self._judged(law, step, _LARGEST_STEP, "")

    def _of_information(self, rows: Margin, cols: Margin) -> SumLaw:
        deviation = self._statistic.sum_deviation
        step = 2 * math.log(2) / deviation if self._is_sparse else 0.0
        found = information_cumulants(rows, cols, float(self._table.n_samples))
        ratio = found.second / deviation**2
        law = MomentLaw(found.third / deviation**3, found.fourth / deviation**4)
        is_symmetric = abs(law.skewness) <= _NO_SKEWNESS
        low, high = _WIDE_VARIANCE_RATIO if is_symmetric else _VARIANCE_RATIO
        refusal = ""
        if not low <= ratio <= high:
            refusal = f"its variance is {ratio:.3g} times the exact one"
        return self._judged(law, step, _LARGEST_STEP_OF_INFORMATION, refusal)

    def _judged(self, law: MomentLaw, step: float, largest_step: float, refusal: str) -> SumLaw:
        moved = self.n_moved
        low, high = _SKEWNESS
        if moved < _FEWEST_MOVED:
            refusal = f"only {moved:.0f} objects move, of {_FEWEST_MOVED:.0f} that it needs"
        elif not low <= law.skewness <= high:
            refusal = f"the skewness is {law.skewness:.2f}, not in [{low:g}, {high:g}]"
        elif abs(law.surplus) > _SURPLUS:
            refusal = f"the fourth moment is {law.surplus:+.0%} off that of a gamma law"
        elif step > largest_step:
            refusal = f"few values: they are {step:.2f} standard deviations apart"
        lower = refusal
        has_both = abs(law.surplus) <= _SMALL_SURPLUS and law.skewness <= _SMALL_SKEWNESS
        if not lower and not has_both and abs(law.surplus) > _NO_SURPLUS:
            lower = "the fourth moment is not near enough to that of a gamma law for both tails"
        return SumLaw(law, step, (refusal, lower))

    @property
    def n_moved(self) -> float:
        """Number of objects times the shares of pairs that are apart on each side."""
        table = self._table
        n = float(table.n_samples)
        shares = (float(((sums / n) ** 2).sum()) for sums in (table.row_sums, table.col_sums))
        return n * math.prod(1 - share for share in shares)

    @property
    def _is_sparse(self) -> bool:
        """Whether less than one object is expected in every cell."""
        table = self._table
        return float(table.row_sums.max()) * float(table.col_sums.max()) < table.n_samples


def cantelli(standardized: float, reason: str) -> FoundTail:
    """Return a bound of the upper tail of a standardized value by Cantelli's inequality."""
    return FoundTail(Tail.of(1 / (1 + max(standardized, 0.0) ** 2)), "cantelli", reason)


def table_probability(table: ContingencyTable) -> Tail:
    """Return the probability of a table and of those with clusters of equal size swapped."""
    swapped = max(
        _log_orders(table.row_sums, table.cell_rows, table.cell_cols, table.cell_counts),
        _log_orders(table.col_sums, table.cell_cols, table.cell_rows, table.cell_counts),
    )
    return Tail.of_logarithm(min(log_probability(table) + swapped, 0.0))


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
    return math.fsum(parts) - table.n_samples * Information(table).mutual


def _most_log_orders(table: ContingencyTable) -> float:
    """Return the largest that ln of the number of swapped tables may be."""
    return max(
        math.fsum(math.lgamma(times + 1) for times in Counter(sums.tolist()).values())
        for sums in (table.row_sums, table.col_sums)
    )


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
