"""Is an agreement more than chance, and is one clustering better than another?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._chance.draws import (
    Draw,
    count_as_far,
    in_parallel,
    null_tables,
    null_values,
)
from sklearn_clustcompare._parameters import entropy_order, one_of, positive_integer, probability
from sklearn_clustcompare._partition.labels import encode
from sklearn_clustcompare._partition.rows import as_membership_array, is_membership_array
from sklearn_clustcompare._partition.validation import check_same_length
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.reading import tabulate
from sklearn_clustcompare.indices import get_index
from sklearn_clustcompare.indices._chance import (
    cantelli_p_value,
    exact_expected_value,
    gamma_p_value,
    is_constant,
    standardized_moments,
)
from sklearn_clustcompare.indices._information import conditional_entropies, mutual_info_nats
from sklearn_clustcompare.indices._record import Index, ratio

# Values relatively closer than this count as ties, so that rounding does not decide between them.
_TIE = 1e-12

_check_adjustment = one_of("auto", "exact", "limit", "monte_carlo")
_check_test = one_of("gamma", "cantelli", "monte_carlo")


# --------------------------------------------------------------------------- adjustment


class ChanceAdjustedScore(float):
    """A score adjusted for chance: a float that tells how it was obtained.

    Attributes
    ----------
    method : {"exact", "limit", "monte_carlo"}
        How the expected value was computed.
    value : float
        The index before the adjustment.
    expected : float
        Its expected value for random partitions with the same cluster sizes.
    standard_error : float
        Monte-Carlo standard error of the adjusted score; 0.0 for the other methods.
    """

    method: str
    value: float
    expected: float
    standard_error: float

    def __new__(
        cls, score: float, method: str, value: float, expected: float, standard_error: float
    ) -> ChanceAdjustedScore:
        """Make a float and note how it was obtained."""
        self = super().__new__(cls, score)
        self.method, self.value = method, value
        self.expected, self.standard_error = expected, standard_error
        return self

    def __getnewargs__(self) -> tuple[Any, ...]:
        return float(self), self.method, self.value, self.expected, self.standard_error

    def __repr__(self) -> str:
        return (
            f"ChanceAdjustedScore({float(self)!r}, method={self.method!r}, value={self.value!r}, "
            f"expected={self.expected!r}, standard_error={self.standard_error!r})"
        )


def chance_adjusted_score(
    labels_true: Any,
    labels_pred: Any,
    *,
    index: str,
    method: str = "auto",
    n_resamples: int = 999,
    random_state: Any = None,
    n_jobs: int | None = None,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
    **params: Any,
) -> ChanceAdjustedScore:
    """Adjust any index for chance: ``(value - expected) / (best - expected)``.

    Random partitions with the given cluster sizes score 0 on average, whatever the index, and
    equal partitions score 1 if the index is at its best for them. Distances turn into scores.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters)
        Labels of any hashable kind, or memberships of soft partitions. The random partitions
        of these permute the objects of one side.
    index : str
        Name of an index with a best value; see :func:`list_indices`.
    method : {"auto", "exact", "limit", "monte_carlo"}, default="auto"
        How to get the expected value under permutation:

        - "exact": in closed form, for indices that are linear in the number of pairs together
          in both partitions, or, for labels, in the mutual information, given the cluster sizes;
        - "limit": the value at the expected table ``a_i b_j / N``, for many objects per cell;
        - "monte_carlo": the mean over random tables;
        - "auto": exact where that exists, else Monte Carlo.
    n_resamples : int, default=999
        Number of random tables for Monte Carlo.
    random_state : int, RandomState, Generator or None, default=None
        Source of randomness for Monte Carlo.
    n_jobs : int, default=None
        Number of parallel jobs for Monte Carlo; None means 1 unless in a
        :func:`joblib.parallel_config` context. The result does not depend on it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights as frequencies; whole ones except for pair counting.
    possibilistic : bool, default=False
        Whether rows of memberships need not sum to 1.
    **params : dict
        Parameters of the index.

    Returns
    -------
    ChanceAdjustedScore
        A float, at most 1, that has attributes ``method``, ``value``, ``expected`` and
        ``standard_error``.

    Raises
    ------
    ValueError
        If the index is unknown or has no best value, if there is no exact form, or if weights
        are not whole numbers.

    See Also
    --------
    adjusted_rand_score : Adjusted Rand index, exactly.
    adjusted_mutual_info_score : Adjusted mutual information, exactly.

    References
    ----------
    .. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", JMLR 17(134), 2016, Definitions 1 and 2.

    Examples
    --------
    >>> from sklearn_clustcompare import chance_adjusted_score
    >>> truth = [0, 0, 0, 1, 1, 1, 2, 2, 2]
    >>> found = [0, 0, 1, 1, 1, 1, 2, 2, 0]
    >>> score = chance_adjusted_score(truth, found, index="rand_score")
    >>> round(score, 4), score.method
    (0.3571, 'exact')
    >>> jaccard = chance_adjusted_score(
    ...     truth, found, index="pair_jaccard_score", random_state=0
    ... )
    >>> jaccard.method, 0 < jaccard.standard_error < 0.01
    ('monte_carlo', True)
    """
    record = get_index(index)
    record.check_parameters(**params)
    _check_adjustment("method", method)
    positive_integer("n_resamples", n_resamples)
    best = record.range[1] if record.greater_is_better else record.range[0]
    if not math.isfinite(best):
        msg = (
            f"index must have a best value to be adjusted towards, got {record.name!r}; its "
            "normalized or adjusted forms have one"
        )
        raise ValueError(msg)
    table = tabulate(
        labels_true,
        labels_pred,
        sample_weight=sample_weight,
        possibilistic=possibilistic,
        moments=not possibilistic or record.moments,
    )
    value = record(table, **params)
    draw = null_tables(
        table,
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic=possibilistic,
        moments=record.moments,
    )
    method, expected, error = _expected_value(
        record, table, params, method, draw, n_resamples, random_state, n_jobs
    )
    score = ratio(value - expected, best - expected, table, f"chance-adjusted {record.name}")
    slope = abs(value - best) / (best - expected) ** 2 if best != expected else 0.0
    return ChanceAdjustedScore(score, method, value, expected, slope * error)


def _expected_value(
    index: Index,
    table: ContingencyTable,
    params: dict[str, Any],
    method: str,
    draw: Draw,
    n_resamples: int,
    random_state: Any,
    n_jobs: int | None,
) -> tuple[str, float, float]:
    """Return the method used, the expected value and its standard error."""
    possibilistic = table.soft is not None and table.soft.mass is not None
    if is_constant(table) and not possibilistic:
        return "exact", index(table, **params), 0.0
    if method == "exact" and possibilistic:
        msg = (
            "method must not be 'exact' for possibilistic partitions, whose cluster sizes change "
            "under permutation; use 'monte_carlo'"
        )
        raise ValueError(msg)
    if method in ("auto", "exact") and not possibilistic:
        is_centred = index.adjusted and (table.is_whole or index.moments)
        exact = 0.0 if is_centred else exact_expected_value(table, index.name, **params)
        if exact is not None:
            return "exact", exact, 0.0
        if method == "exact":
            msg = (
                f"method must not be 'exact' for {index.name}, whose mean has no closed form; "
                "use 'monte_carlo' or, for large tables, 'limit'"
            )
            raise ValueError(msg)
    if method == "limit" and index.adjusted and table.is_whole:
        return "limit", 0.0, 0.0
    if method == "limit" and not index.soft:
        msg = f"method must not be 'limit' for {index.name}, which needs whole counts"
        raise ValueError(msg)
    if method == "limit":
        sizes = np.outer(table.row_sums.astype(float), table.col_sums.astype(float))
        return "limit", index(ContingencyTable.from_counts(sizes / table.n_samples), **params), 0.0
    values = null_values(
        draw, lambda drawn: index(drawn, **params), n_resamples, random_state, n_jobs
    )
    return "monte_carlo", float(values.mean()), float(values.std() / math.sqrt(len(values)))


# --------------------------------------------------------------------------- independence


@dataclass(frozen=True)
class IndependenceTestResult:
    """Result of :func:`independence_test`.

    Attributes
    ----------
    statistic : float
        Observed MI_q, in nats for q = 1.
    mean, standard_deviation : float
        Exact mean and standard deviation of MI_q under permutation; for soft partitions those
        of the draws.
    standardized : float
        ``(statistic - mean) / standard_deviation``, or 0.0 if the latter is zero.
    pvalue : float
        Probability of at least the statistic for random partitions with these cluster sizes,
        or, for Cantelli's inequality, an upper bound of it.
    method : {"gamma", "cantelli", "monte_carlo"}
        How the p-value was obtained.
    """

    statistic: float
    mean: float
    standard_deviation: float
    standardized: float
    pvalue: float
    method: str


def independence_test(
    labels_true: Any,
    labels_pred: Any,
    *,
    q: float = 1.0,
    method: str = "gamma",
    n_resamples: int = 999,
    random_state: Any = None,
    n_jobs: int | None = None,
    sample_weight: ArrayLike | None = None,
) -> IndependenceTestResult:
    """Test whether two partitions agree more than random ones with the same cluster sizes.

    The statistic is the mutual information of order q, compared with its law when the objects of
    one partition are permuted [1]_. A small p-value tells that the partitions have to do with each
    other, not that they agree well: with many objects little agreement is enough for it.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters)
        Labels of any hashable kind; or memberships of soft partitions, by Monte Carlo.
    q : float, default=1.0
        Order of the entropy, from 0.001 to 30: 1 is Shannon's mutual information (the G
        statistic), 2 counts pairs of objects, as the Rand index does.
    method : {"gamma", "cantelli", "monte_carlo"}, default="gamma"
        Where the p-value comes from:

        - "gamma": a gamma law with the exact mean and variance, at no further cost. From
          1,000 objects in 5 or more clusters on it is within about 0.01 of Monte Carlo. Two
          clusters allow few values, and it is off by up to 0.05 for 1,000 objects and 0.15
          for 50, as it is with clusters of one or two objects. In the tail it is within a
          third at p = 0.01 for q = 1 and 1,000 objects, but for q of 2 or 3 and skewed
          sizes it can be two or three times too small at p = 0.001, and far more below 200
          objects: use Monte Carlo there.
        - "cantelli": the bound ``1 / (1 + z^2)`` on the standardised value z, valid always,
          and much too large mostly; 1.0 for z <= 0.
        - "monte_carlo": the share of random tables that agree as much, itself included; the
          smallest value possible is ``1 / (1 + n_resamples)``. For soft partitions the objects
          of one side are permuted, and mean and standard deviation are those of the draws.
    n_resamples : int, default=999
        Number of random tables for Monte Carlo.
    random_state : int, RandomState, Generator or None, default=None
        Source of randomness for Monte Carlo.
    n_jobs : int, default=None
        Number of parallel jobs for Monte Carlo; the result does not depend on it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights as whole frequencies.

    Returns
    -------
    IndependenceTestResult
        With ``statistic``, ``mean``, ``standard_deviation``, ``standardized``, ``pvalue`` and
        ``method``.

    Raises
    ------
    ValueError
        If labels or parameters are invalid, or if weights are not whole numbers.

    See Also
    --------
    standardized_mutual_info_score : The standardised value alone.
    pvalue_adjusted_mutual_info_score : One minus the gamma p-value, as an index.

    References
    ----------
    .. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", JMLR 17(134), 2016, Theorem 4 and Proposition 4.

    Examples
    --------
    >>> from sklearn_clustcompare import independence_test
    >>> truth = [0] * 10 + [1] * 10
    >>> found = [0] * 8 + [1] * 12
    >>> test = independence_test(truth, found)
    >>> round(test.standardized, 2), test.pvalue < 0.01
    (10.16, True)
    """
    entropy_order("q", q)
    _check_test("method", method)
    positive_integer("n_resamples", n_resamples)
    table = tabulate(labels_true, labels_pred, sample_weight=sample_weight)
    statistic = mutual_info_nats(table, q)
    if table.soft is not None and method == "monte_carlo":
        # MI_q is large where VI_q is small, and VI_q has its digits for every q.
        distance = sum(conditional_entropies(table, q))
        distances = null_values(
            null_tables(table, labels_true, labels_pred, sample_weight),
            lambda drawn: sum(conditional_entropies(drawn, q)),
            n_resamples,
            random_state,
            n_jobs,
        )
        mean = float(distances.mean())
        deviation = float(distances.std(ddof=1)) if n_resamples > 1 else 0.0
        is_constant_so_far = deviation <= _TIE * mean
        unit = (mean or 1.0) if is_constant_so_far else deviation
        standardized = (mean - distance) / unit
        as_far = count_as_far((mean - distances) / unit, standardized)
        return IndependenceTestResult(
            statistic=statistic,
            mean=statistic + (distance - mean) / 2,
            standard_deviation=deviation / 2,
            standardized=0.0 if is_constant_so_far else standardized,
            pvalue=(1 + as_far) / (1 + n_resamples),
            method=method,
        )
    moments = standardized_moments(table, q)
    if method == "gamma":
        pvalue = gamma_p_value(moments)
    elif method == "cantelli":
        pvalue = cantelli_p_value(moments)
    elif moments.law.is_constant:
        pvalue = 1.0
    else:
        drawn = null_values(
            null_tables(table, labels_true, labels_pred, sample_weight),
            moments.law.standardized,
            n_resamples,
            random_state,
            n_jobs,
        )
        pvalue = (1 + count_as_far(drawn, moments.standardized)) / (1 + n_resamples)
    return IndependenceTestResult(
        statistic=statistic,
        mean=moments.mean,
        standard_deviation=moments.standard_deviation,
        standardized=moments.standardized,
        pvalue=pvalue,
        method=method,
    )


# --------------------------------------------------------------------------- two candidates


@dataclass(frozen=True)
class PairedComparisonResult:
    """Result of :func:`paired_comparison_test`.

    Attributes
    ----------
    difference : float
        By how much candidate A is better than candidate B; negative if it is worse.
    interval : tuple of float
        Bootstrap confidence interval of the difference.
    pvalue : float
        Two-sided p-value of no difference.
    value_a, value_b : float
        Values of the index for the two candidates.
    """

    difference: float
    interval: tuple[float, float]
    pvalue: float
    value_a: float
    value_b: float


def paired_comparison_test(
    labels_true: Any,
    labels_a: Any,
    labels_b: Any,
    *,
    index: str,
    confidence_level: float = 0.95,
    n_comparisons: int = 1,
    n_resamples: int = 999,
    random_state: Any = None,
    n_jobs: int | None = None,
    **params: Any,
) -> PairedComparisonResult:
    """Test whether one candidate is closer to the reference than another.

    Both candidates label the same objects, so the objects are resampled with both labels and
    the reference together (bootstrap of the joint table).

    Parameters
    ----------
    labels_true, labels_a, labels_b : array-like of shape (n_samples,)
        Labels of the reference and of the two candidates.
    index : str
        Name of the index to compare by; see :func:`list_indices`.
    confidence_level : float, default=0.95
        Level of the interval, between 0 and 1.
    n_comparisons : int, default=1
        If A was picked as the best of m candidates, comparing it with another is one of
        ``m - 1`` comparisons that could have been made: pass ``m - 1``. P-value and level are
        corrected by Bonferroni's inequality.
    n_resamples : int, default=999
        Number of bootstrap samples.
    random_state : int, RandomState, Generator or None, default=None
        Source of randomness.
    n_jobs : int, default=None
        Number of parallel jobs; the result does not depend on it.
    **params : dict
        Parameters of the index.

    Returns
    -------
    PairedComparisonResult
        With ``difference`` (positive if A is better, for distances too), ``interval``,
        ``pvalue``, ``value_a`` and ``value_b``.

    Raises
    ------
    ValueError
        If labels or parameters are invalid.

    See Also
    --------
    independence_test : Test whether one candidate agrees more than chance.

    Notes
    -----
    The interval takes percentiles of the differences of the samples; the p-value is twice the
    smaller share of samples, the data included, in which the difference has the other sign or
    none. A bootstrap sample holds objects repeatedly, and pairs of an object with itself
    agree in all partitions. This raises pair-counting indices of both candidates alike, so
    trust the difference more than the level for small samples.

    Examples
    --------
    >>> from sklearn_clustcompare import paired_comparison_test
    >>> truth = [0] * 30 + [1] * 30
    >>> good = [0] * 28 + [1] * 32
    >>> poor = [0] * 20 + [1] * 40
    >>> test = paired_comparison_test(
    ...     truth, good, poor, index="adjusted_rand_score", random_state=0
    ... )
    >>> round(test.difference, 3), test.pvalue < 0.05
    (0.433, True)
    """
    record = get_index(index)
    record.check_parameters(**params)
    probability("confidence_level", confidence_level)
    positive_integer("n_comparisons", n_comparisons)
    positive_integer("n_resamples", n_resamples)
    cells = _joint_cells(labels_true, labels_a, labels_b)

    def values(counts: NDArray[np.int64]) -> tuple[float, float]:
        true, first, second = cells.labels
        tables = (
            tabulate(true, pred, sample_weight=counts, moments=record.moments)
            for pred in (first, second)
        )
        value_a, value_b = (record(table, **params) for table in tables)
        return value_a, value_b

    sign = 1.0 if record.greater_is_better else -1.0
    value_a, value_b = values(cells.counts)
    difference = sign * (value_a - value_b)

    def resample(size: int, seed: int) -> NDArray[np.float64]:
        n_samples = int(cells.counts.sum())
        drawn = np.random.RandomState(seed).multinomial(
            n_samples, cells.counts / n_samples, size=size
        )
        return np.array([sign * (a - b) for a, b in map(values, drawn)])

    differences = in_parallel(resample, n_resamples, random_state, n_jobs)
    tail = (1 - confidence_level) / n_comparisons / 2
    low, high = np.quantile(differences, [tail, 1 - tail])
    tie = _TIE * max(abs(value_a), abs(value_b))
    rarer = min(np.count_nonzero(differences <= tie), np.count_nonzero(differences >= -tie))
    pvalue = float(min(1.0, n_comparisons * 2 * (1 + int(rarer)) / (1 + n_resamples)))
    return PairedComparisonResult(difference, (float(low), float(high)), pvalue, value_a, value_b)


class _JointCells(NamedTuple):
    """Occupied cells of the three-way table: a label each of the three, and the count.

    With memberships every object is a cell of its own.
    """

    labels: tuple[Any, Any, Any]
    counts: NDArray[np.int64]


def _joint_cells(*partitions: Any) -> _JointCells:
    names = ("labels_true", "labels_a", "labels_b")
    are_soft = [is_membership_array(partition) for partition in partitions]
    objects = [
        as_membership_array(partition, name) if is_soft else encode(partition, name).zero_based()
        for partition, is_soft, name in zip(partitions, are_soft, names, strict=True)
    ]
    for name, one in zip(names[1:], objects[1:], strict=True):
        check_same_length(objects[0], one, (names[0], name))
    n_samples = objects[0].shape[0]
    if n_samples == 0:
        msg = "labels_true must hold at least one object to resample, got none"
        raise ValueError(msg)
    if any(are_soft):
        return _JointCells((objects[0], objects[1], objects[2]), np.ones(n_samples, np.int64))
    cells, counts = np.unique(np.stack(objects), axis=1, return_counts=True)
    return _JointCells((cells[0], cells[1], cells[2]), counts)
