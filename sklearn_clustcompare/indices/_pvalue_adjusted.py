"""The p-value of the mutual information as an index."""

from __future__ import annotations

from sklearn_clustcompare._chance.permutation import information_law, permutation_model
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices._moments import InformationStatistic
from sklearn_clustcompare.indices._record import ratio
from sklearn_clustcompare.indices._tails import MOST_DRAWN, Plan, SumTest


def pvalue_adjusted_mutual_info(
    table: ContingencyTable, *, q: float = 1.0, scale: str = "probability"
) -> float:
    if information_law(permutation_model(table), q).is_constant:
        # All tables are equal: 0/0 standard deviations above the mean.
        return ratio(0, 0, table, "pvalue_adjusted_mutual_info_score")
    statistic = InformationStatistic(table, q)
    test = SumTest(statistic, table, statistic.cell_function)
    tails = test.by_default([True], Plan(MOST_DRAWN))
    (tail,) = tails.of_sides
    if scale == "probability":
        return 1.0 - tail.probability
    is_limit = tails.method in ("cantelli", "monte_carlo") and tail.probability < 1 / MOST_DRAWN
    if is_limit:  # all that is known is that the probability is small: the law orders candidates
        return -min(tail.logarithm, test.log_rank(statistic.above_lowest.above_lowest))
    return -tail.logarithm
