"""Permutation tests of agreement beyond chance."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import field, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import t as student

from sklearn_clustcompare._array_types import FloatArray, Mask
from sklearn_clustcompare._chance.draws import NullModel
from sklearn_clustcompare._chance.moments import MomentTail
from sklearn_clustcompare._chance.null_distribution import (
    MOST_DRAWN,
    Draws,
    Found,
    NullDistribution,
    TableDistribution,
)
from sklearn_clustcompare._chance.objects import PermutedObjects
from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._parameters import one_of, positive_integer
from sklearn_clustcompare._partition import partners, read, read_beside
from sklearn_clustcompare._rendering import (
    Drawn,
    Rows,
    number_text,
)
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices import Index, IndexLike, preferred
from sklearn_clustcompare.indices._compares import DRAWS, Given, compares
from sklearn_clustcompare.indices._judged import Chosen, Judged, PermutedLabels
from sklearn_clustcompare.indices._moments import (
    Agreement,
    NullMoments,
    null_moments,
    null_order,
    with_deviation,
)
from sklearn_clustcompare.significance._resampling import TooFewGroups

# What is permuted, and how partitions are drawn.
PERMUTED = ("sample_weight", "blocks", "groups", *DRAWS)

_check_method = one_of("auto", "exact", "moments", "cantelli", "splitting", "monte_carlo")
_check_alternative = one_of("greater", "less", "two-sided")

# Mean and deviation of an index that is not linear in its sum are those of up to so many sums.
_MOST_VALUES = 10_000
# Random tables for mean and deviation of an index that is not linear in its statistic.
_DRAWN_FOR_MOMENTS = 400
# Fewer groups of unequal size do not show how an index varies.
_FEWEST_GROUPS = 8
# Of smaller p-values the power of ten is written.
_SMALLEST_WRITTEN = 1e-3
# Below this texts show no more of the p-value of the approximation with four moments.
_SMALLEST_SHOWN = 1e-8


class PermutationTestResult(Drawn, Rows, eq=True, kw_only=True):
    """Result of a test of agreement beyond chance, by :func:`permutation_test`.

    Printed, and as HTML in a notebook, it shows the statistic, its null distribution and the
    p-value. All parameters are attributes of the same names.

    Parameters
    ----------
    index : Index
        Record of the index.
    parameters : dict
        Its parameters.
    statistic : float
        Its value for the two partitions.
    mean, standard_deviation : float
        Mean and standard deviation under permutation; by the method "jackknife" the value less the
        excess over that mean without bias, and the standard error of that excess.
    standardized : float
        ``(statistic - mean) / standard_deviation``, or 0.0 if the latter is zero.
    pvalue : float
        Probability of at least this agreement for random partitions with these cluster sizes, or of
        the ``alternative``; for Cantelli's inequality an upper bound of it.
    method : {"exact", "moments", "cantelli", "splitting", "monte_carlo", "jackknife"}
        How the p-value was computed.
    reason : str
        Why by this method.
    has_exact_moments : bool
        Whether mean and standard deviation are exact, rather than estimated from draws.
    null_distribution : ndarray of shape (n_drawn,) or None
        Values of the index for random partitions; None if none were drawn.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        Whether the p-value is the probability of at least as much agreement, of at most as much,
        or twice the smaller of both. A distance that is small means more agreement.
    skewness, excess_kurtosis : float or None
        Those of the index under permutation, if the p-value is by the method "moments".
    log10_pvalue : float
        Decimal logarithm of the p-value, also where that is below the smallest number.
    relative_error : float
        Standard error of the p-value as a share of it: 0.0 where it is exact, and NaN where it is
        not known, by other methods than splitting and random partitions.

    See Also
    --------
    permutation_test : Makes it.
    independence_test : Makes it for the mutual information.
    NullDistributionDisplay : A picture of it.

    Examples
    --------
    >>> from sklearn_clustcompare import permutation_test
    >>> test = permutation_test([0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], index="rand_score")
    >>> test.method, round(test.pvalue, 3), test.index.name
    ('exact', 0.1, 'rand_score')
    """

    index: Index
    parameters: dict[str, Any]
    statistic: float
    mean: float
    standard_deviation: float
    standardized: float
    pvalue: float
    method: str
    reason: str
    has_exact_moments: bool
    null_distribution: FloatArray | None = field(default=None, compare=False)
    alternative: str = "greater"
    skewness: float | None = None
    excess_kurtosis: float | None = None
    log10_pvalue: float = field(default=math.nan, compare=False)
    relative_error: float = field(default=math.nan, compare=False)

    @property
    def is_upper_bound(self) -> bool:
        """Whether the p-value is an upper bound of the probability."""
        return self.method == "cantelli"

    def _headline(self) -> str:
        draws = self.null_distribution
        method = {
            "exact": "exact",
            "moments": "by an approximation with four moments",
            "cantelli": "an upper bound by Cantelli's inequality",
            "splitting": "by multilevel splitting",
            "monte_carlo": f"by {0 if draws is None else len(draws)} random partitions",
            "jackknife": "by the values without each group",
        }[self.method]
        by = self.index.axis_text(**self.parameters)
        text = pvalue_text(self.pvalue, self.method)
        if self.method in ("splitting", "monte_carlo") and self.pvalue >= _SMALLEST_WRITTEN:
            text += f" +- {number_text(self.relative_error * self.pvalue, 2)}"
        return f"PermutationTestResult: {by}, {text} ({method})"

    def _columns(self) -> list[tuple[str, Any]]:
        names = ("statistic", "mean", "standard_deviation", "standardized", "pvalue")
        return [(name, [getattr(self, name)]) for name in names]


def pvalue_text(pvalue: float, method: str) -> str:
    """Write a p-value; of a small one the power of ten below which it is."""
    sign = "<=" if method == "cantelli" else "="
    if pvalue >= _SMALLEST_WRITTEN:
        return f"p {sign} {number_text(pvalue, 3)}"
    if method == "moments":
        pvalue = max(pvalue, _SMALLEST_SHOWN / 10)
    return f"p < 1e{math.floor(math.log10(pvalue)) + 1}" if pvalue else "p < 1e-300"


@compares("labels_true", "labels_pred", "index", "X", *PERMUTED, n_resamples=MOST_DRAWN)
def permutation_test(
    given: Given, *, method: str = "auto", alternative: str = "greater"
) -> PermutationTestResult:
    """Test by any index whether two partitions agree more than chance.

    The index is compared with its distribution when the objects of one partition are permuted [1]_.
    A small p-value means that the partitions are related, not that they agree well: with many
    objects little agreement suffices.

    Parameters
    ----------
    method : {"auto", "exact", "moments", "cantelli", "splitting", "monte_carlo"}, default="auto"
        How to compute the p-value: from all tables ("exact"), by four moments ("moments"), by
        Cantelli's bound ("cantelli"), tables that are raised by levels ("splitting") or random ones
        ("monte_carlo"); "auto" chooses, see the Notes of :func:`permutation_test`.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        Whether the p-value is the probability of at least as much agreement, of at most as much,
        or twice the smaller of both. A distance that is small means more agreement.
    groups : array-like of shape (n_samples,) or None, default=None
        Group of each object, if groups of objects were sampled together: entities, documents,
        donors or speakers. Groups are permuted whole; see the Notes of :func:`permutation_test`.
    n_resamples : int, default=9999
        Largest number of random tables: "auto" stops after 20 that are at least as extreme, and
        draws fewer where each permutes more than 100,000 objects.

    Returns
    -------
    PermutationTestResult
        With ``statistic``, ``mean``, ``standard_deviation``, ``standardized``, ``pvalue``,
        ``method``, its ``reason`` and the ``null_distribution`` of Monte Carlo. Mean and standard
        deviation are exact if they are known for the index, else estimated from the draws.

    Raises
    ------
    ValueError
        If labels or parameters are invalid, if weights are not whole numbers, or if there is no
        p-value by this method.
    TypeError
        If the index does not take a parameter.

    See Also
    --------
    independence_test : The same for the mutual information.
    chance_adjusted_score : The index adjusted by its mean.
    NullDistributionDisplay : A picture of the null distribution.

    Notes
    -----
    The methods are, in the order in which "auto" tries them, but for splitting, which follows
    random tables:

    - "exact": all tables with these cluster sizes, for indices that are linear in the number of
      pairs together in both partitions, the mutual information or another sum over the cells; for
      others up to 2,000 tables with 200,000 cells together. Clusters may be many on one side, but
      not on both, and need few ways to be filled: rare clusters and small tables; with three on
      each side up to about 2,000 objects, but by "auto" only 400 unless no random table is as
      extreme. The p-value has all digits; below 1e-308 only its order of magnitude.
    - "moments": a gamma distribution with a correction for the fourth moment. Mean, variance,
      skewness and fourth moment are exact for sums of squared cells, and all but the first two
      nearly so for the mutual information. "auto" takes it where it was found to hold: from about
      200 objects on that are not in the same cluster as most others, with moderate skewness, and
      not for many small clusters. Of random tables, those with p of at most .05, .01 and .001 were
      .95 to 1.03, .82 to 1.11 and .69 to 1.36 times as many as expected
      (``benchmarks/permutation_pvalues.txt``); smaller ones extrapolate. Below 1e-8 texts show
      "< 1e-8", and the number serves to rank.
    - "cantelli": the bound ``1 / (1 + z**2)`` on the standardized value z of an index with exact
      mean and variance, always valid and usually much too large; 1.0 for z <= 0. "auto" takes it if
      it is below what random tables can show, or if more than ten million objects would have to be
      permuted; for sums of squares it then also uses the bound by the fourth moment.
    - "splitting": random tables that move towards more agreement, level by level [3]_, for any
      index of whole counts. It takes seconds; the ``relative_error`` of the result is an estimate
      itself. "auto" takes it where no random table is as extreme, if it needs about ten seconds at
      most, which depends on the free cells, on the p-value, and on whether the index is a function
      of a sum over the cells.
    - "monte_carlo": random tables. "auto" draws until 20 of them are at least as extreme [2]_, so
      that n draws give the p-value 20 / n, or until there are ``n_resamples``; then, as by
      ``method="monte_carlo"``, it is the share of random tables that are at least as extreme,
      including the observed one. It is not below ``1 / (1 + n_resamples)``.
      With "auto" at most 10**9 objects are permuted, in no fewer than 99 tables; ``reason`` then
      shows the number.

    Indices that are monotone functions of the same sum over the cells have the same p-value:
    adjusted Rand, Rand, Fowlkes-Mallows and pair Jaccard; the mutual information and its normalized
    and adjusted forms; chi-squared, Cramér's V and Tschuprow's T. Mean and standard deviation of
    those that are not linear in the sum are estimated from 400 random tables, unless there are at
    most 2,000 tables, or 10,000 values that the sum can be counted to have.

    No p-value is below the probability of the table itself, times the number of tables that only
    swap clusters of equal size. With ``blocks`` random tables are drawn; mean and standard
    deviation are then exact for indices that are linear in the number of pairs, and estimated for
    others, such as the mutual information. Each draw permutes and counts the objects, as for soft
    partitions: without agreement about 150 draws are enough, and if there is agreement
    ``n_resamples`` are made, which takes time.

    With ``groups`` no object moves alone, as objects of a group are no independent observations:
    permuting them makes unrelated partitions significant. If the labels of a side are constant
    within groups, such as a diagnosis of donors, they are permuted over the groups, whatever their
    sizes; else groups of equal size are exchanged whole, the first object for the first and so on,
    in the order given. For groups of unequal size, within which both sides vary, the method is
    "jackknife": how far the index is above its mean under permutation of the objects, less its
    bias, is divided by its standard error, both by the values without each group, and compared with
    Student's t distribution; at least 8 groups. The bias of information, which few groups in many
    cells hardly show, counts as an error as well. Adjusted scores of equal partitions, which do not
    vary, are as significant as the index they adjust.

    With an index of the data, the labels are permuted among the objects: the test asks whether
    labels that are known, such as classes, are related to the data. It must not be used for labels
    that were found from the same data, which would always be significant: see
    :func:`structure_test`. Permuted labels without a value count as the worst. Distances are
    computed for each draw; for a metric that takes long pass them as ``X``.

    With the default ``random_state=0`` every call returns the same p-value.

    References
    ----------
    .. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", JMLR 17(134), 2016, Theorem 4 and Proposition 4.
    .. [2] J. Besag, P. Clifford, "Sequential Monte Carlo p-values", Biometrika 78, 1991
    .. [3] Z. I. Botev, D. P. Kroese, "Efficient Monte Carlo simulation via the generalized
       splitting method", Statistics and Computing 22(1), 2012.

    Examples
    --------
    >>> from sklearn_clustcompare import permutation_test
    >>> truth = [0] * 10 + [1] * 10 + [2] * 10
    >>> found = [0] * 8 + [1] * 12 + [2] * 10
    >>> test = permutation_test(truth, found, index="purity_score")
    >>> test.method, f"{test.pvalue:.1e}"
    ('exact', '7.1e-11')
    """
    return by_permutation(given, method, alternative)


def by_permutation(
    given: Given, method: str = "auto", alternative: str = "greater"
) -> PermutationTestResult:
    """Test two partitions by an index that was chosen."""
    chosen = given.chosen
    _check_method("method", method)
    _check_alternative("alternative", alternative)
    positive_integer("n_resamples", given.n_resamples)
    is_sequential = method != "monte_carlo"
    draws = Draws(**given.draws, is_sequential=is_sequential, prefer=preferred(chosen.index))
    if given.groups is not None:
        _check_with_groups(chosen.index, method, given.blocks)
    if chosen.index.needs_data:
        return _test_of_labels(permuted_labels(given), method, draws, alternative)
    model = null_model(given)
    if model.objects is not None and model.objects.has_fixed_groups:
        return _test_by_jackknife(model.table, model.objects, chosen, alternative)
    return _test_of_tables(chosen, model, method, draws, alternative)


def null_model(given: Given) -> NullModel:
    """Read two partitions, and blocks within which objects are permuted, or groups."""
    return NullModel.read(
        given.reference(),
        given.labels_pred,
        given.sample_weight,
        given.reading,
        blocks=given.blocks,
        groups=given.groups,
        draws_moments=given.chosen.index.moments,
    )


def _check_with_groups(index: Index, method: str, blocks: Any) -> None:
    if blocks is not None:
        msg = "groups must be None with blocks: groups are permuted whole, blocks within each"
        raise ValueError(msg)
    if index.needs_data:
        msg = f"groups must be None for {index.name}, an index of the data"
        raise ValueError(msg)
    if method not in ("auto", "monte_carlo"):
        msg = (
            "method must be 'monte_carlo' or 'auto' with groups, as nothing exact is known of "
            f"groups that are permuted, got {shortened(method)}"
        )
        raise ValueError(msg)


_UNADJUSTED = {"pairs": "rand_score", "information": "mutual_info_score"}


def _test_by_jackknife(
    table: ContingencyTable, objects: PermutedObjects, chosen: Chosen, alternative: str
) -> PermutationTestResult:
    """Test groups that cannot be exchanged, by the values without each group.

    They give the bias and the standard error of how far the index is above its mean under
    permutation of the objects.
    """
    assert objects.groups is not None
    n_groups, index = objects.groups.n_groups, chosen.index
    if n_groups < _FEWEST_GROUPS:
        msg = (
            f"groups must hold at least {_FEWEST_GROUPS} groups where labels of both sides differ "
            f"within groups, and groups differ in size, got {n_groups}"
        )
        raise TooFewGroups(msg)

    def above_mean(table: ContingencyTable, one: Chosen) -> float:
        moments = null_moments(one.index, table, **one.parameters)
        if moments is None:
            msg = (
                f"index must have a known mean under permutation, unlike {index.name}, where "
                "labels of both sides differ within groups, and groups differ in size"
            )
            raise ValueError(msg)
        return one.value(table) - moments.mean

    def jackknifed(one: Chosen) -> tuple[float, float, float]:
        whole = above_mean(table, one)
        without = np.array([above_mean(left, one) for left in objects.without_each()])
        bias = (n_groups - 1) * (float(without.mean()) - whole)
        above, variance = whole - bias, (n_groups - 1) * float(without.var())
        if quantity == "information":
            variance += bias**2  # as few groups in many cells show little of the bias
        error = math.sqrt(variance)
        return above, error, above / error if error > rounding else 0.0

    quantity, value = index.linear_quantity(**chosen.parameters), chosen.value(table)
    rounding = TIE * max(abs(value), 1.0)
    above, error, statistic = jackknifed(chosen)
    if error <= rounding < abs(above) and quantity in _UNADJUSTED:
        # Adjusted scores of equal partitions are 1 without any group; what they adjust varies.
        statistic = jackknifed(Chosen.of(_UNADJUSTED[quantity]))[2]
    far = index.sign * statistic
    upper, lower = student.sf(far, n_groups - 1), student.cdf(far, n_groups - 1)
    tail = {"greater": upper, "less": lower, "two-sided": min(upper, lower)}[alternative]
    found = Found.of(
        max(float(tail), float(np.finfo(np.float64).tiny)),
        "jackknife",
        "groups of unequal size, within which both sides vary, cannot be exchanged",
    )
    found = found.doubled if alternative == "two-sided" else found
    moments = Moments(value - above, error, statistic, has_exact_moments=False)
    return _result_of(chosen, value, found, moments, alternative)


class Moments(NamedTuple):
    """Mean and standard deviation of an index under permutation, and its standardized value."""

    mean: float
    standard_deviation: float
    standardized: float
    has_exact_moments: bool
    skewness: float | None = None
    excess_kurtosis: float | None = None

    @classmethod
    def of_values(cls, value: float, values: FloatArray, weights: FloatArray | None) -> Moments:
        """Estimate them from random values, or compute them from all with their probabilities."""
        mean = float(np.average(values, weights=weights)) if len(values) else math.nan
        if weights is not None:
            deviation = math.sqrt(float(weights @ (values - mean) ** 2))
        else:
            deviation = float(values.std(ddof=1)) if len(values) > 1 else 0.0
        # Differences due to rounding do not count as variation.
        deviation = deviation if deviation > TIE * max(abs(mean), abs(value)) else 0.0
        standardized = (value - mean) / deviation if deviation else 0.0
        return cls(mean, deviation, standardized, weights is not None)


def _result_of(
    chosen: Chosen,
    value: float,
    found: Found,
    moments: Moments,
    alternative: str,
) -> PermutationTestResult:
    return PermutationTestResult(
        index=chosen.index,
        parameters=dict(chosen.parameters),
        statistic=value,
        pvalue=found.probability,
        method=found.method,
        reason=found.reason,
        null_distribution=found.values if found.weights is None else None,
        alternative=alternative,
        log10_pvalue=found.logarithm / math.log(10),
        relative_error=found.relative_error,
        **moments._asdict(),
    )


def _found(
    null: NullDistribution,
    chosen: Chosen,
    method: str,
    draws: Draws,
    alternative: str,
    *,
    rises: bool = True,
) -> Found:
    """Return the p-value of an index, by a null distribution that ``rises`` with agreement."""
    found = null.pvalue(method, draws, alternative, rises=rises)
    if isinstance(found, str):
        msg = (
            f"method must be 'monte_carlo' or 'auto' for {chosen.index.name} and these partitions, "
            f"got {shortened(method)}: {found}"
        )
        raise ValueError(msg)
    return found


def _test_of_labels(
    source: PermutedLabels, method: str, draws: Draws, alternative: str
) -> PermutationTestResult:
    """Test an index of the data by permuted labels; those without a value are the worst."""
    chosen = source.chosen
    sign, value = chosen.index.sign, source.judged.value(chosen)
    rounding = TIE * max(abs(value), 1.0)

    def are_extreme(values: FloatArray, is_upper: bool) -> Mask:
        agreement = np.where(np.isnan(values), -np.inf, sign * values)
        beyond = agreement - sign * value
        return beyond >= -rounding if is_upper else beyond <= rounding

    unknown = "the null distribution of an index of the data is not known"
    null = NullDistribution(source, are_extreme, unknown)
    found = _found(null, chosen, method, draws, alternative)
    assert found.values is not None
    known = found.values[np.isfinite(found.values)]
    return _result_of(chosen, value, found, Moments.of_values(value, known, None), alternative)


def _test_of_tables(
    chosen: Chosen, model: NullModel, method: str, draws: Draws, alternative: str
) -> PermutationTestResult:
    """Test an index by the sum over the cells that orders it, or by its values for tables."""
    index, params = chosen.index, dict(chosen.parameters)
    ordered = moments_under(model, index, params, null_order)
    order = Agreement.of(index, params, ordered)
    sums = None if ordered is None or ordered.null.cell_function is None else ordered.null
    ordered = with_deviation(ordered)
    known = None
    if ordered is not None:
        known = index.sign * ordered.standardized, ordered.standard_deviation
    tables = TableDistribution(model, order, sums, known, of_pairs=index.pairs)
    by_sum = sums is not None and ordered is not None and ordered.standard_deviation > 0
    null = sums if sums is not None and by_sum else tables
    found = _found(null, chosen, method, draws, alternative, rises=order.rises or not by_sum)
    value = chosen.value(model.table)
    if math.isnan(value):
        msg = f"index must be defined for partitions to be tested, got NaN for {index.name}"
        raise ValueError(msg)
    values, weights = found.values, found.weights
    if values is not None and by_sum and ordered is not None:
        values = ordered.values_at(values)
    if ordered is not None and index.linear_quantity(**params) is not None:
        far = ordered.standardized
        moments = Moments(ordered.mean, ordered.standard_deviation, far, has_exact_moments=True)
        four = sums.moment_tail if found.method == "moments" and sums is not None else ""
        if isinstance(four, MomentTail) and by_sum:
            skewness = four.skewness if ordered.rises else -four.skewness
            moments = moments._replace(skewness=skewness, excess_kurtosis=four.excess)
    else:
        if values is None:
            values, weights = _some_values(value, tables, ordered if by_sum else None, draws)
        moments = Moments.of_values(value, values, weights)
    found = found._replace(values=values, weights=weights)
    return _result_of(chosen, value, found, moments, alternative)


def quick_test(table: ContingencyTable, index: IndexLike) -> PermutationTestResult:
    """Test a table by default, but for splitting, which may take seconds."""
    draws = Draws(MOST_DRAWN, splits=False)
    return _test_of_tables(Chosen.of(index), NullModel(table), "auto", draws, "greater")


def _some_values(
    value: float, tables: TableDistribution, ordered: NullMoments | None, draws: Draws
) -> tuple[FloatArray, FloatArray | None]:
    """Return values of all tables with their probabilities, or of some random tables.

    For mean and deviation of an index that is not linear in its statistic.
    """
    if tables.is_constant:
        return np.array([value]), np.ones(1)
    if tables.all_tables is not None:
        return tables.all_tables.values, tables.all_tables.weights
    counted = None if ordered is None else ordered.null.all_sums(_MOST_VALUES)
    if ordered is not None and counted is not None:
        return ordered.values_at(counted[0]), counted[1]
    n_resamples = min(draws.n_resamples, _DRAWN_FOR_MOMENTS)
    draws = draws._replace(n_resamples=n_resamples, is_sequential=False)
    draws, _ = draws.within(tables.n_permuted)
    null = tables if ordered is None else ordered.null
    values = null.monte_carlo(draws, is_upper=True).values
    assert values is not None
    return values if ordered is None else ordered.values_at(values), None


def permuted_labels(given: Given) -> PermutedLabels:
    """Read labels of the objects of the data, to be permuted within blocks."""
    if given.labels_pred is None:
        name = given.chosen.index.name
        msg = f"labels_pred must be given for {name}, which evaluates one partition, got None"
        raise ValueError(msg)
    reference = given.reference()
    _, partition = partners(reference, read(given.labels_pred, "labels_pred", given.reading))
    judged = Judged.of(given.X, partition, given.reading)
    positions = judged.positions
    blocks = np.zeros(len(positions), np.intp)
    if given.blocks is not None:
        blocks = read_beside(reference, given.blocks, "blocks").codes[positions]
    return PermutedLabels(judged, given.chosen, blocks)


def moments_under(
    model: NullModel,
    index: Index,
    params: dict[str, Any],
    moments_of: Callable[..., NullMoments | None] = null_moments,
) -> NullMoments | None:
    """Return the exact moments of an index for random tables of a model, if they are known."""
    if model.within and model.margins is None:
        return None
    return moments_of(index, model.table, blocks=model.margins, **params)


@compares("labels_true", "labels_pred", *PERMUTED, n_resamples=MOST_DRAWN, like=permutation_test)
def independence_test(
    given: Given, *, q: float = 1.0, method: str = "auto", alternative: str = "greater"
) -> PermutationTestResult:
    """Test whether two partitions agree more than random ones with the same cluster sizes.

    The statistic is the mutual information of order q, compared with its distribution when the
    objects of one partition are permuted [1]_: :func:`permutation_test` with ``mutual_info_score``.

    Parameters
    ----------
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.

    Returns
    -------
    PermutationTestResult
        With ``statistic`` in nats for q = 1, ``mean``, ``standard_deviation``, ``standardized``,
        ``pvalue`` and ``method``.

    Raises
    ------
    ValueError
        If labels or parameters are invalid, or if weights are not whole numbers.

    See Also
    --------
    permutation_test : The same for any index.
    standardized_mutual_info_score : The standardized value alone.
    pvalue_adjusted_mutual_info_score : One minus the p-value, as an index.

    Notes
    -----
    For q = 1 it is the test of the G statistic, 2N times the mutual information, by permutation;
    for q = 2 it is that of the Rand index.

    References
    ----------
    .. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", JMLR 17(134), 2016, Theorem 4 and Proposition 4.

    Examples
    --------
    >>> from sklearn_clustcompare.significance import independence_test
    >>> truth = [0] * 10 + [1] * 10
    >>> found = [0] * 8 + [1] * 12
    >>> test = independence_test(truth, found)
    >>> round(test.standardized, 2), test.pvalue < 0.01
    (10.16, True)
    """
    chosen = Chosen.of("mutual_info_score", {"q": q})
    return by_permutation(replace(given, chosen=chosen), method, alternative)
