"""The p-value of the mutual information as an index."""

from __future__ import annotations

from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices._information import Information
from sklearn_clustcompare.indices._moments import LawOfInformation
from sklearn_clustcompare.indices._tails import MOST_DRAWN, Plan, SumTest
from sklearn_clustcompare.indices._undefined import ratio


def pvalue_adjusted_mutual_info(
    table: ContingencyTable, *, q: float = 1.0, scale: str = "probability"
) -> float:
    law = LawOfInformation(Information(table, q))
    if law.law.is_constant:  # all tables are equal: 0/0 standard deviations above the mean
        return ratio(0, 0, table, "pvalue_adjusted_mutual_info_score")
    test = SumTest(law, table, law.cell_function)
    tail, method, *_ = test.by_default(Plan(MOST_DRAWN), is_upper=True)
    if scale == "probability":
        return 1.0 - tail.probability
    is_limit = method in ("cantelli", "monte_carlo") and tail.probability < 1 / MOST_DRAWN
    if is_limit:  # all that is known is that the probability is small: the law orders candidates
        return -min(tail.logarithm, test.log_rank(law.above_lowest))
    return -tail.logarithm
