"""Permutation tests of agreement beyond chance."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp
from scipy.stats import t as student

from sklearn_clustcompare._array_types import FloatArray, Mask
from sklearn_clustcompare._chance.draws import BlockedModel, GroupedModel, NullModel, TableValues
from sklearn_clustcompare._chance.exact_law import all_tables
from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._parameters import RandomStateLike, one_of, positive_integer
from sklearn_clustcompare._partition import Labels, Reading, partners, read, read_beside
from sklearn_clustcompare._partition.arrays import MatrixLike, PartitionLike, TableLike
from sklearn_clustcompare._partition.reading import in_columns
from sklearn_clustcompare._rendering import (
    Drawn,
    Shown,
    Table,
    number_text,
    result_record,
    table_of,
)
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices import Index, IndexLike, preferred, read_index
from sklearn_clustcompare.indices._judged import Chosen, Judged, PermutedLabels, reference_of
from sklearn_clustcompare.indices._moments import (
    Agreement,
    NullMoments,
    null_moments,
    null_order,
    with_deviation,
)
from sklearn_clustcompare.indices._tails import (
    CERTAIN,
    ENOUGH,
    EXACT_BUDGET,
    LARGEST_EXACT_BUDGET,
    MOST_PERMUTED,
    FoundTail,
    Plan,
    SumTest,
    Tail,
    cantelli,
    log_probability,
)

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
# Beyond this the p-value of the law with four moments may be off by more than a factor of 5.
_SMALLEST_SHOWN = 1e-8


@result_record
@dataclass(frozen=True, repr=False)
class PermutationTestResult(Drawn, Shown):
    """Result of a test of agreement beyond chance, by :func:`permutation_test`.

    Printed, and as HTML in a notebook, it shows the statistic, its law and the p-value. All
    parameters are attributes of the same names.

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
        Those of the index under permutation, if the p-value is by the law with four moments.
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
            "moments": "by a law with four moments",
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

    def _shown(self) -> Table:
        names = ("statistic", "mean", "standard_deviation", "standardized", "pvalue")
        return table_of({name: [getattr(self, name)] for name in names})


def pvalue_text(pvalue: float, method: str) -> str:
    """Write a p-value; of a small one the power of ten below which it is."""
    sign = "<=" if method == "cantelli" else "="
    if pvalue >= _SMALLEST_WRITTEN:
        return f"p {sign} {number_text(pvalue, 3)}"
    if method == "moments":
        pvalue = max(pvalue, _SMALLEST_SHOWN / 10)
    return f"p < 1e{math.floor(math.log10(pvalue)) + 1}" if pvalue else "p < 1e-300"


def permutation_test(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    data: TableLike = None,
    index: IndexLike,
    X: MatrixLike = None,
    method: str = "auto",
    alternative: str = "greater",
    blocks: Any = None,
    groups: Any = None,
    n_resamples: int = 9999,
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    **params: Any,
) -> PermutationTestResult:
    """Test by any index whether two partitions agree more than chance.

    The index is compared with its distribution when the objects of one partition are permuted [1]_.
    A small p-value means that the partitions are related, not that they agree well: with many
    objects little agreement suffices.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    data : DataFrame, mapping or object with ``obs``, default=None
        Table of which the other arguments name columns instead of being arrays: a frame of any
        package, a mapping such as a dict of arrays, or an object with such a table as ``obs``.
    index : str, callable or Index
        The :term:`index`: a name (see :func:`list_indices`), its function or a record.
    X : array-like of shape (n_samples, n_features) or (n_samples, n_samples), default=None
        The data, for indices that need them, or distances for ``metric="precomputed"``;
        ``labels_true`` is None if no index compares.
    method : {"auto", "exact", "moments", "cantelli", "splitting", "monte_carlo"}, default="auto"
        How to compute the p-value: from all tables ("exact"), a law with four moments ("moments"),
        Cantelli's bound ("cantelli"), tables that are raised by levels ("splitting") or random ones
        ("monte_carlo"); "auto" chooses, see the Notes of :func:`permutation_test`.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        Whether the p-value is the probability of at least as much agreement, of at most as much,
        or twice the smaller of both. A distance that is small means more agreement.
    blocks : array-like of shape (n_samples,), default=None
        Block of each object, such as its batch, donor or document: objects are permuted within
        blocks only, so that agreement due to the blocks does not count. Of any type that labels
        may have; None permutes all objects.
    groups : array-like of shape (n_samples,) or None, default=None
        Group of each object, if groups of objects were sampled together: entities, documents,
        donors or speakers. Groups are permuted whole; see the Notes of :func:`permutation_test`.
    n_resamples : int, default=9999
        Largest number of random tables: "auto" stops after 20 that are at least as extreme, and
        draws fewer where each permutes more than 100,000 objects.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int, default=0
        Whether to show progress on stderr.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each, or
        leave them out.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
    missing : {"error", "drop", "cluster"}, default="error"
        How to treat objects whose label is :term:`missing`: raise an error, leave them out, or take
        them as one cluster.
    **params : dict
        Parameters of the index.

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
    NullDistributionDisplay : A picture of the law.

    Notes
    -----
    The methods are, in the order in which "auto" tries them:

    - "exact": all tables with these cluster sizes, for indices that are linear in the number of
      pairs together in both partitions, the mutual information or another sum over the cells; for
      others up to 2,000 tables with 200,000 cells together. Clusters may be many on one side, but
      not on both, and need few ways to be filled: rare clusters and small tables. The p-value has
      all digits; below 1e-308 only its order of magnitude.
    - "moments": a gamma law with a correction for the fourth moment. Mean, variance, skewness and
      fourth moment are exact for sums of squared cells, and all but the first two nearly so for the
      mutual information. "auto" takes it where it was found to hold: from about 200 objects on
      that are not in the same cluster as most others, with moderate skewness, and not for many
      small clusters. It is then right within a third down to 1e-6, and within a factor of 5 down
      to 1e-12; below 1e-8 texts show "< 1e-8", and the number serves to rank.
    - "cantelli": the bound ``1 / (1 + z**2)`` on the standardized value z of an index with exact
      mean and variance, always valid and usually much too large; 1.0 for z <= 0. "auto" takes it if
      it is below what random tables can show, or if more than ten million objects would have to be
      permuted; for sums of squares it then also uses the bound by the fourth moment.
    - "splitting": random tables that move towards more agreement, level by level [3]_, for indices
      that are ordered by a sum over the cells. It takes seconds, and shows p-values of 1e-20 with
      the ``relative_error`` that the result has; below 1e-12 that is too small by up to a half.
      "auto" does not choose it.
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

    No p-value is below the probability of the table itself, times that of the tables that only swap
    clusters of equal size. With ``blocks`` random tables are drawn; mean and standard deviation are
    then exact for indices that are linear in the number of pairs, and estimated for others, such as
    the mutual information. Each draw permutes and counts the objects, as for soft partitions:
    without agreement about 150 draws are enough, and if there is agreement ``n_resamples`` are
    made, which takes time.

    With ``groups`` no object moves alone, as objects of a group are no independent observations:
    permuting them makes unrelated partitions significant. If the labels of a side are constant
    within groups, such as a diagnosis of donors, they are permuted over the groups, whatever their
    sizes; else groups of equal size are exchanged whole. For groups of unequal size, within which
    both sides vary, the method is "jackknife": how far the index is above its mean under
    permutation of the objects, less its bias, is divided by its standard error, both by the values
    without each group, and compared with Student's t distribution; at least 8 groups.

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
    labels_true, labels_pred, sample_weight, blocks, groups = in_columns(
        data,
        labels_true=labels_true,
        labels_pred=labels_pred,
        sample_weight=sample_weight,
        blocks=blocks,
        groups=groups,
    )
    record, params = read_index(index, params)
    _check_method("method", method)
    _check_alternative("alternative", alternative)
    positive_integer("n_resamples", n_resamples)
    reading = Reading(possibilistic, noise, noise_label, missing)
    labels_true = reference_of(labels_true, X, [record], sample_weight)
    is_sequential = method != "monte_carlo"
    plan = Plan(n_resamples, random_state, n_jobs, verbose, is_sequential, preferred(record))
    if groups is not None:
        _check_with_groups(record, method, blocks)
    if record.needs_data:
        source = permuted_labels(record, params, X, labels_true, labels_pred, reading, blocks)
        return _test_of_data(source, plan, method, alternative)
    sides = labels_true, labels_pred, sample_weight, reading
    model: NullModel | BlockedModel | GroupedModel
    if groups is not None:
        model = GroupedModel.read(*sides, groups, draws_moments=record.moments)
        if model.members is None:
            return _test_by_jackknife(model, Chosen(record.name, record, params), alternative)
    elif blocks is None:
        model = NullModel.read(*sides, draws_moments=record.moments)
    else:
        model = BlockedModel.read(*sides, blocks, draws_moments=record.moments)
    return _Test(record, params, model, plan).result(method, alternative)


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
            f"groups that are permuted, got {method!r}"
        )
        raise ValueError(msg)


def _test_by_jackknife(
    model: GroupedModel, chosen: Chosen, alternative: str
) -> PermutationTestResult:
    """Test groups that cannot be exchanged, by the values without each group.

    They give the bias and the standard error of how far the index is above its mean under
    permutation of the objects.
    """
    n_groups, index = model.n_groups, chosen.index
    if n_groups < _FEWEST_GROUPS:
        msg = (
            f"groups must hold at least {_FEWEST_GROUPS} groups where labels of both sides differ "
            f"within groups, and groups differ in size, got {n_groups}"
        )
        raise ValueError(msg)

    def above_mean(table: ContingencyTable) -> float:
        moments = null_moments(index, table, **chosen.parameters)
        if moments is None:
            msg = (
                f"index must have a known mean under permutation, unlike {index.name}, where "
                "labels of both sides differ within groups, and groups differ in size"
            )
            raise ValueError(msg)
        return float(index(table, **chosen.parameters)) - moments.mean

    value = float(index(model.table, **chosen.parameters))
    whole = above_mean(model.table)
    without = np.array([above_mean(table) for table in model.without_each()])
    above = whole - (n_groups - 1) * (float(without.mean()) - whole)
    error = math.sqrt((n_groups - 1) / n_groups * float(((without - without.mean()) ** 2).sum()))
    statistic = above / error if error > TIE * max(abs(value), 1.0) else 0.0
    far = statistic if index.greater_is_better else -statistic
    tails = {
        "greater": student.sf(far, n_groups - 1),
        "less": student.cdf(far, n_groups - 1),
        "two-sided": 2 * student.sf(abs(far), n_groups - 1),
    }
    return PermutationTestResult(
        index,
        dict(chosen.parameters),
        value,
        value - above,
        error,
        statistic,
        max(float(tails[alternative]), float(np.finfo(np.float64).tiny)),
        "jackknife",
        "groups of unequal size, within which both sides vary, cannot be exchanged",
        False,
        alternative=alternative,
        log10_pvalue=_log10(float(tails[alternative])),
    )


def _test_of_data(
    source: PermutedLabels, plan: Plan, method: str, alternative: str
) -> PermutationTestResult:
    """Test an index of the data by permuted labels."""
    index = source.chosen.index
    if method not in ("auto", "monte_carlo"):
        raise ValueError(_not_known(index, method))
    value = source.judged.value(source.chosen)
    rounding = TIE * max(abs(value), 1.0)

    def draw(is_more: bool) -> tuple[FloatArray, Tail]:
        sign = 1 if index.greater_is_better == is_more else -1

        def are_extreme(draws: FloatArray) -> Mask:
            worst = np.where(np.isnan(draws), -np.inf if is_more else np.inf, sign * draws)
            return np.asarray(worst >= sign * value - rounding)

        return plan.draw(source, are_extreme)

    values, tail = draw(alternative != "less")
    pvalue = tail.probability
    if alternative == "two-sided":
        if pvalue > 0.5:
            values, tail = draw(False)
        pvalue = min(2 * tail.probability, 1.0)
    known = values[np.isfinite(values)]
    mean = float(known.mean()) if len(known) else math.nan
    deviation = _deviation(known, None, mean)
    deviation = deviation if deviation > TIE * max(abs(mean), abs(value)) else 0.0
    return PermutationTestResult(
        index,
        dict(source.chosen.parameters),
        value,
        mean,
        deviation,
        (value - mean) / deviation if deviation else 0.0,
        pvalue,
        "monte_carlo",
        "the law of an index of the data is not known",
        False,
        values,
        alternative,
        log10_pvalue=_log10(pvalue),
        relative_error=_error_of_share(tail.probability, len(values), plan),
    )


def permuted_labels(
    index: Index,
    params: dict[str, Any],
    X: Any,
    reference: Labels,
    labels: PartitionLike,
    reading: Reading,
    blocks: Any,
) -> PermutedLabels:
    """Read labels of the objects of the data, to be permuted within blocks."""
    if labels is None:
        msg = f"labels_pred must be given for {index.name}, which evaluates one partition, got None"
        raise ValueError(msg)
    _, partition = partners(reference, read(labels, "labels_pred", reading))
    judged = Judged.of(X, partition, reading)
    positions = judged.positions
    groups = np.zeros(len(positions), np.intp)
    if blocks is not None:
        groups = read_beside(reference, blocks, "blocks").codes[positions]
    return PermutedLabels(judged, Chosen(index.name, index, params), groups)


class _Found(NamedTuple):
    """A tail, and values of the index with their probabilities if its moments are not known."""

    tail: FoundTail
    values: FloatArray | None = None
    weights: FloatArray | None = None


class _AllTables(NamedTuple):
    """Values, agreements and logarithms of the probabilities of all tables with some margins."""

    values: FloatArray
    agreements: FloatArray
    logarithms: FloatArray


class _Test:
    """The test of one table by one index."""

    def __init__(
        self,
        index: Index,
        params: dict[str, Any],
        model: NullModel | BlockedModel | GroupedModel,
        plan: Plan,
    ) -> None:
        self._index, self._params, self._model, self._plan = index, params, model, plan
        self._table = table = model.table
        # Of the statistic that the index is ordered by, and of the index if it is linear in it.
        ordered = moments_under(model, index, params, null_order)
        self._ordered = with_deviation(ordered)
        is_linear = index.linear_quantity(**params) is not None
        self._known = self._ordered if is_linear else None
        self._order = Agreement.of(index, params, ordered)
        function = None if ordered is None else ordered.statistic.cell_function
        self._sum: SumTest | None = None
        if ordered is not None and function is not None:
            self._sum = SumTest(ordered.statistic, table, function)

    def result(self, method: str, alternative: str) -> PermutationTestResult:
        """Compute p-value and moments."""
        found = self._by(method, is_more=alternative != "less")
        pvalue = _probability(found)
        if alternative == "two-sided":
            if pvalue > 0.5:  # else the other tail is larger, as both add up to 1 at least
                found = min(found, self._by(method, is_more=False), key=_probability)
            pvalue = min(2 * _probability(found), 1.0)
        tail, values, weights = found
        if self._known is None and values is None:
            values, weights = self._some_values()
        value = self._index(self._table, **self._params)
        if math.isnan(value):
            msg = (
                f"index must be defined for partitions to be tested, got NaN for {self._index.name}"
            )
            raise ValueError(msg)
        if self._known is not None:
            moments = self._known
            mean, deviation = moments.mean, moments.standard_deviation
            standardized = moments.standardized
        else:
            assert values is not None
            mean = float(np.average(values, weights=weights))
            deviation = _deviation(values, weights, mean)
            # Differences due to rounding do not count as variation.
            deviation = deviation if deviation > TIE * max(abs(mean), abs(value)) else 0.0
            standardized = (value - mean) / deviation if deviation else 0.0
        skewness = excess = None
        is_by_moments = tail.method == "moments" and self._varies
        if is_by_moments and self._sum is not None and self._known is not None:
            skewness, excess = self._sum.shape
            skewness = skewness if self._known.rises else -skewness
        return PermutationTestResult(
            self._index,
            self._params,
            value,
            mean,
            deviation,
            standardized,
            pvalue,
            tail.method,
            tail.reason,
            self._known is not None or weights is not None,
            values if weights is None else None,
            alternative,
            skewness,
            excess,
            min(tail.tail.logarithm + (math.log(2) if alternative == "two-sided" else 0.0), 0.0)
            / math.log(10),
            self._relative_error(found),
        )

    def _relative_error(self, found: _Found) -> float:
        tail = found.tail
        if tail.method == "exact":
            return 0.0
        if tail.method != "monte_carlo" or found.values is None:
            return tail.relative_error
        return _error_of_share(tail.tail.probability, len(found.values), self._plan)

    def _by_default(self, *, is_more: bool) -> _Found:
        table = self._table
        ordered = self._ordered
        if ordered is not None and table.is_whole and not ordered.standard_deviation:
            tie = "all tables with these cluster sizes tie"
            return _Found(FoundTail(CERTAIN, "exact", tie))
        if self._sum is not None and ordered is not None:
            is_upper = self._is_upper(is_more)
            return self._of_sum(self._sum.by_default(self._plan, is_upper=is_upper))
        exact = self._exact(is_more=is_more)
        if exact is not None:
            return exact
        reason = "the exact law of this index is not known for these partitions"
        if isinstance(self._model, BlockedModel):
            reason = "the exact law within blocks is not known"
        if isinstance(self._model, GroupedModel):
            reason = "groups are permuted whole"
        plan, fewer = self._plan.within(self._model.n_permuted)
        if ordered is not None:
            bound = cantelli(self._beyond_mean(is_more=is_more), reason)
            can_show = 1 / (1 + plan.n_resamples)
            if table.n_samples > MOST_PERMUTED or bound.tail.probability < can_show:
                return _Found(bound)
        return self._drawn(reason + fewer, plan, is_more=is_more)

    def _beyond_mean(self, *, is_more: bool) -> float:
        """Return how far the table is above the mean agreement, or below it, in deviations."""
        assert self._ordered is not None
        far = self._ordered.standardized
        return far if self._index.greater_is_better == is_more else -far

    def _by(self, method: str, *, is_more: bool) -> _Found:
        if method == "auto":
            return self._by_default(is_more=is_more)
        reason = f"method={method!r} was chosen"
        if method == "exact":
            found = self._exact(LARGEST_EXACT_BUDGET, is_more=is_more)
            if found is None:
                raise ValueError(_too_many_tables(self._index, self._table))
            return found
        if method == "monte_carlo":
            if self._sum is not None and self._ordered is not None and self._varies:
                is_upper = self._is_upper(is_more)
                return self._of_sum(self._sum.draw(reason, self._plan, is_upper=is_upper))
            return self._drawn(reason, self._plan, is_more=is_more)
        if self._ordered is None:
            raise ValueError(_not_known(self._index, method))
        if not self._varies:
            return _Found(FoundTail(CERTAIN, method, reason))
        if method == "splitting":
            split = None
            if self._sum is not None and isinstance(self._model, NullModel):
                split = self._sum.split(reason, self._plan, is_upper=self._is_upper(is_more))
            if split is None:
                raise ValueError(_not_known(self._index, method))
            return _Found(split)
        if method == "cantelli":
            return _Found(cantelli(self._beyond_mean(is_more=is_more), reason))
        if self._sum is None or isinstance(self._sum.law, str):
            raise ValueError(_not_known(self._index, method))
        return _Found(self._sum.moments(reason, is_upper=self._is_upper(is_more)))

    def _is_upper(self, is_more: bool) -> bool:
        """Return whether the upper tail of the sum is that of more agreement, or of less."""
        return is_more == self._order.rises

    def _of_sum(self, tail: FoundTail) -> _Found:
        """Return values of the index for the sums that were drawn."""
        if tail.standardized is None:
            return _Found(tail)
        if self._known is None:
            assert self._ordered is not None
            return _Found(tail, self._ordered.values_at(tail.standardized))
        moments = self._known
        deviation = moments.standard_deviation if moments.rises else -moments.standard_deviation
        return _Found(tail, moments.mean + deviation * tail.standardized)

    def _some_values(self) -> tuple[FloatArray, FloatArray | None]:
        """Return values of all tables with their probabilities, or of some random tables.

        For mean and deviation of an index that is not linear in its statistic.
        """
        if not self._varies:
            return np.array([float(self._index(self._table, **self._params))]), np.ones(1)
        if self._all_tables is not None:
            return self._all_tables.values, np.exp(self._all_tables.logarithms)
        counted = None if self._sum is None else self._sum.all_sums(_MOST_VALUES)
        if counted is not None:
            assert self._ordered is not None
            return self._ordered.values_at(counted[0]), counted[1]
        n_resamples = min(self._plan.n_resamples, _DRAWN_FOR_MOMENTS)
        plan = self._plan._replace(n_resamples=n_resamples, is_sequential=False)
        plan, _ = plan.within(self._model.n_permuted)
        if self._sum is None:
            values = self._drawn("", plan, is_more=True).values
        else:
            values = self._of_sum(self._sum.draw("", plan, is_upper=True)).values
        assert values is not None
        return values, None

    @property
    def _varies(self) -> bool:
        return self._ordered is not None and self._ordered.standard_deviation > 0

    def _exact(self, budget: int = EXACT_BUDGET, *, is_more: bool) -> _Found | None:
        """Return the p-value from all tables, or None if they are too many."""
        found = None
        if self._sum is not None:
            found = self._sum.exact(budget, is_upper=self._is_upper(is_more))
        if found is not None:
            return _Found(found)
        if self._all_tables is None:
            return None
        values, agreements, logarithms = self._all_tables
        observed = self._order(self._table)
        sign = 1 if is_more else -1
        is_extreme = self._order.ties(sign * agreements, sign * observed)
        tail = CERTAIN
        if not is_extreme.all():
            tail = Tail.of_logarithm(min(float(logsumexp(logarithms[is_extreme])), 0.0))
        reason = "all tables with these cluster sizes were evaluated"
        return _Found(FoundTail(tail, "exact", reason), values, np.exp(logarithms))

    @cached_property
    def _all_tables(self) -> _AllTables | None:
        """All tables with these margins; None if they are too many, or not of whole counts."""
        table = self._table
        if not isinstance(self._model, NullModel) or not table.is_whole:
            return None
        tables = [table]
        if min(table.shape) > 1:
            found = all_tables(table.row_sums, table.col_sums)
            if found is None:
                return None
            tables = [ContingencyTable.from_counts(counts) for counts in found]
        values, agreements = np.array([self._order.value_and_order(one) for one in tables]).T
        logarithms = np.array([log_probability(one) for one in tables])
        return _AllTables(values, agreements, logarithms - logsumexp(logarithms))

    def _drawn(self, reason: str, plan: Plan, *, is_more: bool) -> _Found:
        observed = self._order(self._table)
        sign = 1 if is_more else -1

        def are_extreme(draws: FloatArray) -> Mask:
            return self._order.ties(sign * draws[:, 1], sign * observed)

        order, sees_pairs = self._order, self._index.pairs
        function = order.value_and_order_of_pairs if sees_pairs else order.value_and_order
        source = TableValues(self._model, function, {}, sees_pairs)
        draws, tail = plan.draw(source, are_extreme)
        return _Found(FoundTail(tail, "monte_carlo", reason), draws[:, 0])


def _log10(pvalue: float) -> float:
    return math.log10(max(pvalue, math.ulp(0.0)))


def _error_of_share(pvalue: float, n_drawn: int, plan: Plan) -> float:
    """Return the relative standard error of a share of draws, among which is the observed one."""
    n_extreme = pvalue * (n_drawn + 1)
    if plan.is_sequential:
        n_extreme = min(n_extreme, ENOUGH)
    return math.sqrt((1 - pvalue) / n_extreme)


def _probability(found: _Found) -> float:
    return found.tail.tail.probability


def moments_under(
    model: NullModel | BlockedModel | GroupedModel,
    index: Index,
    params: dict[str, Any],
    moments_of: Callable[..., NullMoments | None] = null_moments,
) -> NullMoments | None:
    """Return the exact moments of an index for random tables of a model, if they are known."""
    if isinstance(model, NullModel):
        return moments_of(index, model.table, **params)
    blocks = model.margins
    return None if blocks is None else moments_of(index, model.table, blocks=blocks, **params)


def _deviation(values: FloatArray, weights: FloatArray | None, mean: float) -> float:
    if weights is None:
        return float(values.std(ddof=1)) if len(values) > 1 else 0.0
    return math.sqrt(float(weights @ (values - mean) ** 2))


def _not_known(index: Index, method: str) -> str:
    if method == "splitting":
        return (
            f"method must not be 'splitting' for {index.name} and these partitions, as it needs an "
            "index that is ordered by a sum over the cells of a table of whole counts"
        )
    what = "its exact mean and variance" if method != "moments" else "four exact moments"
    return (
        f"method must be 'monte_carlo' or 'auto' for {index.name} and these partitions, as "
        f"{what} under permutation are not known, got {method!r}"
    )


def _too_many_tables(index: Index, table: ContingencyTable) -> str:
    rows, cols = table.shape
    return (
        f"method must not be 'exact' for {index.name} and these partitions, whose tables are too "
        f"many to count or not known by a sum over cells: {rows} and {cols} clusters of "
        f"{table.n_samples} objects"
    )


def independence_test(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    q: float = 1.0,
    method: str = "auto",
    alternative: str = "greater",
    blocks: Any = None,
    groups: Any = None,
    n_resamples: int = 9999,
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
) -> PermutationTestResult:
    """Test whether two partitions agree more than random ones with the same cluster sizes.

    The statistic is the mutual information of order q, compared with its distribution when the
    objects of one partition are permuted [1]_: :func:`permutation_test` with ``mutual_info_score``.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    method : {"auto", "exact", "moments", "cantelli", "splitting", "monte_carlo"}, default="auto"
        How to compute the p-value: from all tables ("exact"), a law with four moments ("moments"),
        Cantelli's bound ("cantelli"), tables that are raised by levels ("splitting") or random ones
        ("monte_carlo"); "auto" chooses, see the Notes of :func:`permutation_test`.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        Whether the p-value is the probability of at least as much agreement, of at most as much,
        or twice the smaller of both. A distance that is small means more agreement.
    blocks : array-like of shape (n_samples,), default=None
        Block of each object, such as its batch, donor or document: objects are permuted within
        blocks only, so that agreement due to the blocks does not count. Of any type that labels
        may have; None permutes all objects.
    groups : array-like of shape (n_samples,) or None, default=None
        Group of each object, if groups of objects were sampled together: entities, documents,
        donors or speakers. Groups are permuted whole; see the Notes of :func:`permutation_test`.
    n_resamples : int, default=9999
        Largest number of random tables: "auto" stops after 20 that are at least as extreme, and
        draws fewer where each permutes more than 100,000 objects.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int, default=0
        Whether to show progress on stderr.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each, or
        leave them out.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
    missing : {"error", "drop", "cluster"}, default="error"
        How to treat objects whose label is :term:`missing`: raise an error, leave them out, or take
        them as one cluster.

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
    return permutation_test(
        labels_true,
        labels_pred,
        index="mutual_info_score",
        q=q,
        method=method,
        alternative=alternative,
        blocks=blocks,
        groups=groups,
        n_resamples=n_resamples,
        random_state=random_state,
        n_jobs=n_jobs,
        verbose=verbose,
        sample_weight=sample_weight,
        **Reading(possibilistic, noise, noise_label, missing).keywords,
    )
