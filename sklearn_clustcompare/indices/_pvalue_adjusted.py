"""The p-value of the mutual information as an index."""

from __future__ import annotations

import math

from sklearn_clustcompare._parameters import entropy_order, one_of
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices._entropies import Information
from sklearn_clustcompare.indices._index import index
from sklearn_clustcompare.indices._moments import LawOfInformation
from sklearn_clustcompare.indices._sums import standardized_information_sums
from sklearn_clustcompare.indices._tails import MOST_DRAWN, Plan, SumTest
from sklearn_clustcompare.indices._terms import Properties
from sklearn_clustcompare.indices._undefined import ratio


def pvalue_properties(*, q: float = 1.0, scale: str = "probability") -> Properties:
    return {"range": (0.0, math.inf)} if scale == "log" else {}


@index(
    parameters={"q": entropy_order, "scale": one_of("probability", "log")},
    by_parameters=pvalue_properties,
    sampling="smooth",
    sums=standardized_information_sums,
    source="Klede et al. (2023)",
)
def pvalue_adjusted_mutual_info_score(
    table: ContingencyTable, *, q: float = 1.0, scale: str = "probability"
) -> float:
    """Probability that random partitions with these cluster sizes agree less.

    As a probability, it compares candidates with any numbers of clusters without favoring some by
    chance. It is close to 1 for any agreement beyond chance as soon as there are many objects;
    use ``scale="log"`` to choose among such candidates.

    Parameters
    ----------
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    scale : {"probability", "log"}, default="probability"
        "probability" is one minus the p-value, "log" the negative natural logarithm of the p-value,
        which still separates p-values that are too small for the probability scale.

    Returns
    -------
    float
        Higher is better. Between 0 and 1, about uniform for independent partitions; or, with
        ``scale="log"``, 0 or more, about 1 on average for independent partitions. If all partitions
        with these cluster sizes agree equally, 1.0 for equal ones, else 0.0.

    Warns
    -----
    UndefinedMetricWarning
        If all partitions with these cluster sizes agree equally, and the two given are not equal.

    See Also
    --------
    independence_test : The p-value itself, also by Monte Carlo.
    standardized_mutual_info_score : Serves the same purpose, in standard deviations.

    Notes
    -----
    One minus the p-value of :func:`independence_test` with its defaults. On the logarithmic scale,
    where all that is known is that this is below 1e-4, the value is that of a law with the known
    moments, which serves to rank. Equal partitions need not score 1: the fewer objects, the more
    easily chance makes them equal. With many objects the probability rounds to 1.0 for all
    candidates that agree at all, and no longer chooses among them. The logarithm orders candidates
    in the same way and does not round. Both measure how certain it is that partitions agree more
    than by chance, not how much they agree: of two candidates far from chance, the one with more
    clusters may have the higher value although it agrees less.

    References
    ----------
    .. [1] K. Klede, T. Altstidl, D. Zanca, B. Eskofier, "p-value adjustment for monotonous,
       unbiased, and fast clustering comparison", NeurIPS 2023.

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import pvalue_adjusted_mutual_info_score
    >>> score = pvalue_adjusted_mutual_info_score([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1])
    >>> round(score, 2)
    0.6

    Two candidates that agree beyond chance:

    >>> truth = [0] * 100 + [1] * 100 + [2] * 100
    >>> good, better = [0] * 120 + [1] * 80 + [2] * 100, [0] * 105 + [1] * 95 + [2] * 100
    >>> pvalue_adjusted_mutual_info_score(truth, good) > 0.999
    True
    >>> for found in good, better:
    ...     print(round(pvalue_adjusted_mutual_info_score(truth, found, scale="log")))
    270
    304
    """
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
