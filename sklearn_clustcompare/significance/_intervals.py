"""Intervals of a score, of a difference, and of scores by a sample of pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.stats import t as student
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._array_types import FloatArray
from sklearn_clustcompare._chance.draws import task_seeds
from sklearn_clustcompare._options import shortened, warn_caller
from sklearn_clustcompare._parameters import (
    check_random_source,
    non_negative,
    one_of,
    positive_integer,
    positive_number,
    probability,
)
from sklearn_clustcompare._partition import (
    NAMES,
    Reading,
    check_rows,
    read,
    read_labels,
    read_weights,
)
from sklearn_clustcompare._partition.arrays import MISSING
from sklearn_clustcompare._rendering import (
    Result,
    Rows,
    decimals,
    number_text,
)
from sklearn_clustcompare._table import ContingencyTable, cells_as_objects, count
from sklearn_clustcompare.indices import Index
from sklearn_clustcompare.indices._compares import DRAWS, REQUIRED, Given, compares
from sklearn_clustcompare.indices._record import rows_of_objects
from sklearn_clustcompare.significance._resampling import Sample, read_groups, several_resamples
from sklearn_clustcompare.significance._sampling_errors import (
    Differences,
    SamplingErrors,
    read_errors,
)

# What the functions of sampling errors take besides partitions.
_TAKEN = ("index", "X", "sample_weight", "groups", *DRAWS)


class ScoreInterval(Result, eq=True):
    """A score with a confidence interval; made by :func:`score_interval`.

    All parameters are attributes of the same names, which cannot be set.

    Parameters
    ----------
    index : Index
        Record of the index.
    score : float
        Its value for all objects.
    interval : tuple of float
        Lower and upper end of the confidence interval of the value in the population. Where the
        bias is large, the score need not lie between them.
    standard_error : float
        Estimated standard deviation of the score, less its bias where that is due to cells that
        were not seen, from one sample of objects to the next.
    confidence_level : float
        Level of the interval, between 0 and 1.
    n_samples : int
        Number of objects.
    bias : float, default=0.0
        By how much the value of the sample is estimated to exceed that in the population, 0.0 where
        no estimate is known: the interval is corrected by it.
    n_groups : int, default=None
        Number of groups that were sampled; None where the objects were.

    See Also
    --------
    score_interval : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare import get_index
    >>> from sklearn_clustcompare.results import ScoreInterval
    >>> ScoreInterval(get_index("rand_score"), 0.7, (0.6, 0.8), 0.05, 0.95, 100)
    ScoreInterval: rand_score 0.7; for all objects like these 0.6 to 0.8 (95 %, 100 objects)
    """

    index: Index
    score: float
    interval: tuple[float, float]
    standard_error: float
    confidence_level: float
    n_samples: int
    bias: float = 0.0
    n_groups: int | None = None

    def _headline(self) -> str:
        score, low, high = decimals([self.score, *self.interval])
        of_groups = "" if self.n_groups is None else f" in {self.n_groups} groups"
        return (
            f"ScoreInterval: {self.index.name} {score}; for all objects like these {low} to {high} "
            f"({100 * self.confidence_level:g} %, {self.n_samples} objects{of_groups})"
        )


@compares("labels_true", "labels_pred", *_TAKEN)
def score_interval(given: Given, *, confidence_level: float = 0.95) -> ScoreInterval:
    r"""Compute a score and its confidence interval.

    The interval shows how much the score would change for other objects from the same population,
    or for other ``groups`` of them. The clusterings are taken as fixed: the interval does not
    include how the result of a clusterer depends on the data.

    Parameters
    ----------
    confidence_level : float, default=0.95
        Level of the interval, between 0 and 1.

    Returns
    -------
    ScoreInterval
        With ``score``, ``interval``, ``standard_error``, ``confidence_level``, ``index`` and
        ``n_samples``.

    Raises
    ------
    ValueError
        If labels or parameters are invalid, weights or a table are fractional, there are fewer than
        4 objects or 10 groups, or the index is not finite for a part of the sample; if an index
        depends on extreme objects, or ``X`` and ``labels_true`` are not what it needs.
    TypeError
        If a parameter is of the wrong type, or the index does not take it.

    Warns
    -----
    UserWarning
        If the interval may not hold: a quarter of the clusters of a side have a single object, and
        the index is one of information; a side has a single cluster; overlaps of clusters are
        within a standard error of the ``threshold`` of the index, and matter; or nearly all
        cells of a table are occupied that an index counts.

    See Also
    --------
    paired_comparison_test : The difference between two candidates, with an interval.
    independence_test : Test whether two partitions agree more than random ones.

    Notes
    -----
    Each object is left out once. The influences of the objects on the score have the squared
    standard error as the variance of their mean (the jackknife [1]_); objects in the same clusters
    have the same influence, so there are as many as cells, and a smooth index of many cells is
    evaluated a few times only. Groups are left out as a whole. For indices with maxima, matchings
    or thresholds, and own ones, half samples of the objects are drawn instead.

    The interval is of the value in the population, the clusterings fixed: for all objects like
    these. Values of smooth indices are corrected by the ``bias`` that the values without single
    objects show, as are differences; for information, cells that were not seen are estimated by
    those with one and with two objects [2]_. Where maxima nearly tie, the interval is extended by
    the bias that half samples show. An interval need not contain the score of the sample.

    For labels, and an index with a finite best value, the ends are those from which the score lies
    t standard errors away, where the variance falls linearly towards the best value. With no error
    seen the interval reaches to ``-log(1 - confidence_level)`` times the effect of one error, three
    times at 95 %. Near independence the exact mean and variance under permutation take the place of
    the standard error, which vanishes there. Ends of a count, such as ``split_count``, are rounded
    away from it to whole numbers. :doc:`/user_guide/intervals` has a map of where intervals hold.

    An index of the data varies as the objects do: silhouettes and correlations are computed exactly
    without each object, others without each of at most 200 parts of the objects, and those with
    maxima over clusters, Davies-Bouldin and Xie-Beni, for half samples. :func:`dunn_score` and
    :func:`dbcv_score` depend on few extreme objects, and :func:`modularity_score` on edges that
    vary as well as nodes, so that no such method holds: they are refused. The data may also be the
    first argument. Of a silhouette with ``sample_size``, value and error are those of as many
    objects, drawn once.

    References
    ----------
    .. [1] B. Efron, C. Stein, "The jackknife estimate of variance", Annals of Statistics 9(3),
       1981, :doi:`10.1214/aos/1176345462`.
    .. [2] A. Chao, Y. T. Wang, L. Jost, "Entropy and the species accumulation curve", Methods in
       Ecology and Evolution 4(11), 2013, :doi:`10.1111/2041-210X.12108`.

    Examples
    --------
    >>> from sklearn_clustcompare import score_interval
    >>> truth = [0] * 50 + [1] * 50
    >>> found = [0] * 45 + [1] * 52 + [0] * 3
    >>> result = score_interval(truth, found, index="adjusted_rand_score")
    >>> print(f"{result.score:.2f}, {result.interval[0]:.2f} to {result.interval[1]:.2f}")
    0.70, 0.46 to 0.85
    """
    probability("confidence_level", confidence_level)
    return interval_of(*_errors_of(given, "labels_true", "labels_pred"), confidence_level)


def _errors_of(given: Given, *names: str) -> tuple[Sample, SamplingErrors]:
    """Read a reference and candidates, or a table in their place, and return their errors."""
    chosen = given.chosen
    if chosen.index.needs_data and given.X is None:
        given = replace(given, X=given.labels_true, labels_true=None)
    several_resamples("n_resamples", given.n_resamples)
    check_random_source(given.random_state)
    if given.X is not None and chosen.parameters.get("sample_size") is not None:
        given = _sampled(given, names[1:])
    of_objects = {"sample_weight": given.sample_weight, "groups": given.groups}
    sides = [given.reference(), *(getattr(given, name) for name in names[1:])]
    if len(sides) == 2 and isinstance(sides[0], ContingencyTable):
        others = {"labels_pred": sides[1], **of_objects}
        *sides, of_objects["sample_weight"] = cells_as_objects(sides[0], others, given.reading)
    sample, (errors,) = read_errors(
        sides, names, (given.chosen,), given.reading, X=given.X, **of_objects, **given.draws
    )
    return sample, errors


def _sampled(given: Given, names: Sequence[str]) -> Given:
    """Return as many objects with their data as an index of the data asks for, drawn at random."""
    parameters = dict(given.chosen.parameters)
    size = parameters.pop("sample_size")
    chosen = replace(given.chosen, parameters=parameters)
    sides: dict[str, Any] = {
        name: read(getattr(given, name), name, given.reading) for name in names
    }
    first = next(iter(sides.values()))
    n_rows = given.X.shape[0] if hasattr(given.X, "shape") else len(given.X)
    check_rows(given.X, n_rows, first)
    (seed,) = task_seeds(1, 1, given.random_state)[1]
    drawn = np.sort(np.random.default_rng(seed).permutation(first.n_objects)[: int(size)])
    weights, units = read_weights(given.sample_weight, first), read_groups(given.groups, first)
    return replace(
        given,
        **{name: side.with_ids(None).take(drawn) for name, side in sides.items()},
        chosen=chosen,
        X=rows_of_objects(chosen.index, given.X, drawn, parameters),
        sample_weight=None if weights is None else weights[drawn],
        groups=None if units is None else units.with_ids(None).take(drawn),
    )


def interval_of(sample: Sample, errors: SamplingErrors, confidence_level: float) -> ScoreInterval:
    """Return the interval of the first candidate whose sampling errors were computed."""
    low, high = errors.check_finite().intervals(confidence_level)[0].tolist()
    for caution in errors.cautions(0):
        warn_caller(f"the interval may not hold: {caution}")
    return ScoreInterval(
        errors.chosen.index,
        float(errors.values[0]),
        (low, high),
        float(errors.standard_errors[0]),
        confidence_level,
        sample.n_samples,
        float(errors.biases[0]),
        sample.n_groups or None,
    )


# A verdict is claimed at this level only.
_LEVEL = 0.05


class PairedComparisonResult(Rows, eq=True):
    """The difference between two candidates; made by :func:`paired_comparison_test`.

    Printed, and as HTML in a notebook, it shows all numbers in a row. All parameters are attributes
    of the same names, which cannot be set.

    Parameters
    ----------
    difference : float
        By how much candidate A is better than candidate B; negative if it is worse.
    interval : tuple of float
        Lower and upper end of the confidence interval of the difference in the population.
    pvalue : float
        Two-sided p-value of no difference.
    value_a, value_b : float
        Values of the index for the two candidates.
    standard_error : float
        Estimated standard deviation of the difference from one sample of objects to the next.
    confidence_level : float
        Level of the interval, between 0 and 1.
    bias : float, default=0.0
        By how much the value of the sample is estimated to exceed that in the population, 0.0 where
        no estimate is known: the interval is corrected by it.

    See Also
    --------
    paired_comparison_test : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare import paired_comparison_test
    >>> truth, good, poor = [0, 0, 1, 1] * 20, [0, 0, 1, 1] * 19 + [0] * 4, [0, 1, 1, 1] * 20
    >>> result = paired_comparison_test(truth, good, poor, index="rand_score", random_state=0)
    >>> round(result.value_a, 3), round(result.value_b, 3), round(result.difference, 3)
    (0.951, 0.62, 0.33)
    """

    difference: float
    interval: tuple[float, float]
    pvalue: float
    value_a: float
    value_b: float
    standard_error: float
    confidence_level: float
    bias: float = 0.0

    @property
    def log10_pvalue(self) -> float:
        """Decimal logarithm of the p-value."""
        return math.log10(self.pvalue)

    def _headline(self) -> str:
        difference, low, high = decimals([self.difference, *self.interval])
        verdict = "candidates A and B are not distinguishable"
        # An interval of a low level excludes zero where nothing was shown.
        if self.pvalue < _LEVEL and (self.interval[0] > 0 or self.interval[1] < 0):
            change = "better" if self.interval[0] > 0 else "worse"
            verdict = f"candidate A is {change} than candidate B"
        return (
            f"PairedComparisonResult: {verdict} (difference {difference}, "
            f"{100 * self.confidence_level:g} % interval {low} to {high})"
        )

    def _columns(self) -> list[tuple[str, Any]]:
        names = ("value_a", "value_b", "difference", "low", "high", "pvalue")
        values = self.value_a, self.value_b, self.difference, *self.interval, self.pvalue
        return [(name, [value]) for name, value in zip(names, values, strict=True)]


@compares("labels_true", "labels_a", "labels_b", *_TAKEN)
def paired_comparison_test(
    given: Given, *, confidence_level: float = 0.95, n_comparisons: int = 1
) -> PairedComparisonResult:
    """Test whether one candidate is closer to the reference than another.

    The test asks whether the order would be the same for other objects from the same population, or
    for other ``groups`` of them. The clusterings are taken as fixed.

    Parameters
    ----------
    labels_true, labels_a, labels_b : array-like of shape (n_samples,) or (n_samples, n_clusters)
        Labels of the reference and of the two candidates, or memberships of soft partitions; at
        least 4 objects.
    confidence_level : float, default=0.95
        Level of the interval, between 0 and 1.
    n_comparisons : int, default=1
        If A was picked as the best of m candidates, comparing it with another is one of
        ``m - 1`` comparisons that could have been made: pass ``m - 1``. P-value and level are
        corrected by Bonferroni's inequality.

    Returns
    -------
    PairedComparisonResult
        With ``difference`` (positive if A is better, for distances as well), ``interval``,
        ``pvalue``, ``value_a``, ``value_b``, ``standard_error`` and ``confidence_level``.

    Raises
    ------
    ValueError
        If labels or parameters are invalid, weights are fractional, there are fewer than
        10 groups, or the index is not finite for a part of the sample; if an index depends on
        extreme objects, or ``X`` and ``labels_true`` are not what it needs.
    TypeError
        If a parameter is of the wrong type, or the index does not take it.

    Warns
    -----
    UserWarning
        If the candidates differ in their number of clusters and the index is not adjusted for
        chance: it then favors one of them (usually the one with more clusters) whatever their
        labels are, and the test detects that difference. If interval and p-value may not hold, for
        the reasons that :func:`score_interval` gives.

    See Also
    --------
    score_interval : The sampling error of one score.
    independence_test : Test whether one candidate agrees more than chance.

    Notes
    -----
    Both candidates label the same objects, so each object has an influence on the difference: that
    on A less that on B. The influences have its standard error, as in :func:`score_interval`. The
    interval is a score interval: its variance is that of rare errors in favor of either candidate
    [1]_, with Student's quantile. Where all errors count alike the p-value is that of McNemar's
    test. At every level the p-value is below ``1 - confidence_level`` if and only if the interval
    does not contain zero. The interval keeps to what is possible for a difference of two values in
    the range of the index. Differences are corrected by the ``bias``, as scores are in
    :func:`score_interval`: candidates with more clusters are not favored by a small sample.

    With an index of the data, such as the silhouette, both clusterings are compared without a
    reference. The units are the objects, and the clusterings are fixed: what another start of a
    clusterer would change is not part of the error. If a clusterer has very different solutions,
    two starts of it differ significantly.

    If both candidates are independent of the reference, the test is conservative. A bootstrap,
    which draws with replacement, finds differences that do not exist if numbers of clusters differ:
    an object drawn twice agrees with itself in all partitions, with a larger effect the smaller the
    clusters are.

    References
    ----------
    .. [1] T. Tango, "Equivalence test and confidence interval for the difference in proportions for
       the paired-sample design", Statistics in Medicine 17(8), 1998.

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
    probability("confidence_level", confidence_level)
    positive_integer("n_comparisons", n_comparisons)
    sample, errors = _errors_of(given, "labels_true", "labels_a", "labels_b")
    return compared(sample, errors, confidence_level, n_comparisons)


class NoninferiorityResult(Result, eq=True):
    """Whether a candidate is not worse than another; made by :func:`noninferiority_test`.

    All parameters are attributes of the same names, which cannot be set.

    Parameters
    ----------
    difference : float
        By how much candidate A is better than candidate B; negative if it is worse.
    margin : float
        By how much candidate A may be worse, in units of the index; not negative.
    pvalue : float
        One-sided p-value of a difference of at most ``-margin``.
    interval : tuple of float
        Lower and upper end of the 90 % confidence interval of the difference in the population.
    value_a, value_b : float
        Values of the index for the two candidates.
    standard_error : float
        Estimated standard deviation of the difference from one sample of objects to the next.

    See Also
    --------
    noninferiority_test : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare.significance import noninferiority_test
    >>> truth, found = [0, 1] * 300, [0, 1] * 295 + [0, 0] * 5
    >>> noninferiority_test(truth, found, found, index="rand_score", margin=0.02).pvalue < 0.05
    True
    """

    difference: float
    margin: float
    pvalue: float
    interval: tuple[float, float]
    value_a: float
    value_b: float
    standard_error: float

    @property
    def log10_pvalue(self) -> float:
        """Decimal logarithm of the p-value."""
        return math.log10(self.pvalue)

    def _headline(self) -> str:
        difference, margin = decimals([self.difference, self.margin])
        shown = "is not" if self.pvalue < _LEVEL else "was not shown not to be"
        return (
            f"NoninferiorityResult: candidate A {shown} worse than candidate B by more than "
            f"{margin} (difference {difference}, p = {number_text(self.pvalue, 3)})"
        )


@compares("labels_true", "labels_a", "labels_b", *_TAKEN)
def noninferiority_test(given: Given, *, margin: float) -> NoninferiorityResult:
    """Test whether one candidate is not worse than another by more than a margin.

    A small p-value shows that candidate A is at most ``margin`` worse in the population; a large
    one shows nothing: the sample may be too small.

    Parameters
    ----------
    labels_true, labels_a, labels_b : array-like of shape (n_samples,) or (n_samples, n_clusters)
        Labels of the reference and of the two candidates, or memberships of soft partitions; at
        least 4 objects.
    margin : float
        By how much candidate A may be worse, in units of the index; not negative.

    Returns
    -------
    NoninferiorityResult
        With ``difference`` (positive if A is better, for distances as well), ``pvalue``,
        ``interval``, ``value_a``, ``value_b`` and ``standard_error``.

    Raises
    ------
    ValueError
        If ``margin`` is negative or not finite, or as for :func:`paired_comparison_test`.
    TypeError
        If a parameter is of the wrong type, or the index does not take it.

    See Also
    --------
    paired_comparison_test : Test whether one candidate is better than another.
    sklearn_clustcompare.checks.assert_not_worse : The same as an assertion.

    Notes
    -----
    For margins below the width of the range of the index, the p-value is below .05 if and only if
    the lower end of the 90 % interval of :func:`paired_comparison_test` is above ``-margin``.

    Examples
    --------
    >>> from sklearn_clustcompare.significance import noninferiority_test
    >>> truth = [0] * 300 + [1] * 300
    >>> old = [0] * 290 + [1] * 310
    >>> new = [0] * 289 + [1] * 311
    >>> test = noninferiority_test(truth, new, old, index="adjusted_rand_score", margin=0.03)
    >>> round(test.difference, 4), test.pvalue < 0.05
    (-0.0064, True)
    """
    non_negative("margin", margin)
    sample, errors = _errors_of(given, "labels_true", "labels_a", "labels_b")
    test = compared(sample, errors, 1 - 2 * _LEVEL)
    return NoninferiorityResult(
        test.difference,
        float(margin),
        errors.pvalue_above(0, 1, -margin),
        test.interval,
        test.value_a,
        test.value_b,
        test.standard_error,
    )


def compared(
    sample: Sample, errors: SamplingErrors, confidence_level: float, n_comparisons: int = 1
) -> PairedComparisonResult:
    """Compare the two candidates whose sampling errors were computed."""
    chosen = errors.chosen
    warn_of_bias(chosen.index, chosen.parameters, [one.n_clusters for one in sample.sources])
    value_a, value_b = errors.check_finite().values.tolist()
    found = errors.differences([(0, [1])], confidence_level, n_comparisons)
    for caution in errors.cautions(0, 1):
        warn_caller(f"the test may not hold: {caution}")
    low, high = found.intervals[0].tolist()
    pvalue = min(1.0, n_comparisons * float(found.pvalues[0]))
    return PairedComparisonResult(
        float(found.values[0]),
        (low, high),
        pvalue,
        value_a,
        value_b,
        float(found.standard_errors[0]),
        confidence_level,
        float(found.biases[0]),
    )


def warn_of_bias(index: Index, parameters: Mapping[str, Any], n_clusters: list[int]) -> None:
    """Warn if candidates differ in their number of clusters, and the index is biased by it."""
    # Some indices have a parameter that adjusts them.
    adjusted = (
        index.adjusted or parameters.get("adjusted") or parameters.get("normalize") == "expected"
    )
    if adjusted or index.needs_data or len(set(n_clusters)) < 2:
        return
    adjusted_form = "adjusted_rand_score" if index.pairs else "adjusted_mutual_info_score"
    numbers = (
        " and ".join(map(str, n_clusters))
        if len(n_clusters) == 2
        else f"{min(n_clusters)} to {max(n_clusters)}"
    )
    warn_caller(
        f"{index.name} is not adjusted for chance, and the candidates have {numbers} clusters: "
        "the difference includes the bias due to the number of clusters. Compare them by an "
        f"adjusted index, such as {adjusted_form}"
    )


def compare_pairs(
    errors: SamplingErrors, pairs: Iterable[tuple[int, Any]], confidence_level: float
) -> Differences:
    """Compare candidates, each with a slice or an array of others.

    The intervals contain all true differences simultaneously at the confidence level (Bonferroni),
    and the p-values are corrected for the number of pairs (Holm).
    """
    found = errors.differences(pairs, confidence_level)
    return found._replace(pvalues=holm(found.pvalues))


def holm(pvalues: FloatArray) -> FloatArray:
    """Correct p-values for their number, so that the family-wise error rate keeps the level [1]_.

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
       of Statistics 6(2), 1979.
    """
    order = np.argsort(pvalues)
    corrected = np.empty_like(pvalues)
    corrected[order] = np.maximum.accumulate(np.arange(len(pvalues), 0, -1) * pvalues[order])
    return np.minimum(corrected, 1.0)


_check_average = one_of("object", "cluster")
_check_weight = one_of("uniform", "inverse_size")


class SampledReferenceScores(Rows):
    """Scores estimated from a sample of clusters; made by :func:`sampled_reference_scores`.

    Printed, and as HTML in a notebook, it shows a table of them. All parameters are attributes of
    the same names, which cannot be set.

    Parameters
    ----------
    value : dict of str to float
        Estimate of each score, by the name of its function.
    standard_error : dict of str to float
        Estimated standard error of each, for sampling of clusters.
    interval : dict of str to tuple of float
        Lower and upper end of the confidence interval of each.
    confidence_level : float
        Level of the intervals, between 0 and 1.
    n_known : int
        Number of reference clusters that are known.
    known_share : float
        Share of the objects in known clusters.

    See Also
    --------
    sampled_reference_scores : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare import sampled_reference_scores
    >>> known = ["ann", "ann", "ann", "bob", "bob", None, None, "cem"]
    >>> result = sampled_reference_scores(known, [1, 1, 2, 3, 2, 4, 4, 4])
    >>> round(result.value["pair_recall_score"], 4)
    0.2969
    >>> round(result.standard_error["pair_recall_score"], 4)
    0.1083
    """

    value: dict[str, float]
    standard_error: dict[str, float]
    interval: dict[str, tuple[float, float]]
    confidence_level: float
    n_known: int
    known_share: float

    def _columns(self) -> dict[str, list[float]]:
        return {
            "value": list(self.value.values()),
            "standard_error": list(self.standard_error.values()),
            "low": [low for low, _ in self.interval.values()],
            "high": [high for _, high in self.interval.values()],
        }

    def _headline(self) -> str:
        return (
            f"SampledReferenceScores: {self.n_known} reference clusters with "
            f"{self.known_share:.1%} of the objects, {100 * self.confidence_level:g} % intervals"
        )

    def _row_names(self) -> tuple[str, Any]:
        return "score", list(self.value)


@compares("labels_true", "labels_pred", "unmatched", labels_pred=REQUIRED)
def sampled_reference_scores(
    given: Given,
    *,
    cluster_weight: str | Mapping[Any, float] = "uniform",
    average: str = "object",
    beta: float = 1.0,
    confidence_level: float = 0.95,
) -> SampledReferenceScores:
    """Estimate scores if only a sample of the reference clusters is known.

    Labels of the reference are :term:`missing` (None, NaN) for objects of clusters that are not
    known, and all objects of a known cluster have its label. Of a Series of the known
    objects alone take ``known.reindex(found.index)``.

    Labeling a million records is rarely feasible. Instead some entities are drawn, and all records
    of each are found: the reference is complete for these clusters, and unknown elsewhere. The
    precision for the labeled objects alone is far too high, since most of the objects wrongly
    joined with them are left out [1]_. This function estimates the scores for the whole reference.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,)
        :term:`Labels` of the :term:`reference`.
    labels_pred : array-like of shape (n_samples,)
        Labels of the :term:`candidate`.
    cluster_weight : {"uniform", "inverse_size"} or mapping, default="uniform"
        Weights of the known clusters, in inverse proportion to the probability that each was drawn:
        "uniform" if clusters were drawn with equal probability, "inverse_size" if objects were
        drawn together with their clusters; or a dict or Series that maps labels to weights.
    average : {"object", "cluster"}, default="object"
        Mean over all objects, or over the reference clusters of the mean of their objects.
    beta : float, default=1.0
        Weight of recall in the F-scores: above 1 recall counts more.
    confidence_level : float, default=0.95
        Level of the intervals, between 0 and 1.

    Returns
    -------
    SampledReferenceScores
        With ``value``, ``standard_error`` and ``interval``, dicts with the keys
        "pair_precision_score", "pair_recall_score", "pair_f_score", "bcubed_precision_score",
        "bcubed_recall_score", "cluster_precision_score", "cluster_recall_score" and
        "cluster_f_score", and with ``to_frame()``.

    Raises
    ------
    ValueError
        If lengths differ, labels of the candidate are missing, fewer than two clusters of the
        reference are known, or a parameter is not one of its options; or if weights are not
        positive, or a cluster has none.
    TypeError
        If labels are not hashable, or a weight is not a number.

    Warns
    -----
    UndefinedMetricWarning
        If the known clusters have no pairs for the denominator of a score: it is NaN.

    See Also
    --------
    pair_precision_score : The score for a whole reference; likewise the others of the same names.
    score_interval : The sampling error if objects are drawn instead of clusters.

    Notes
    -----
    Each score is a ratio of sums over all reference clusters, estimated by the ratio of the means
    over the known ones [1]_. A cluster c with the weight w_c, of a_c objects of which n_cj are in
    predicted cluster j with b_j objects, adds to precision, recall and the F-score of pairs

        N_c = w_c sum_j n_cj (n_cj - 1) / 2,
        D_c = w_c sum_j n_cj (b_j - 1) / 2, w_c a_c (a_c - 1) / 2, and their weighted mean.

    A predicted pair within c counts once, and a pair with another cluster counts half for each of
    the two clusters. To B-cubed precision and recall a cluster adds ``w_c sum_j n_cj^2 / b_j`` and
    ``w_c sum_j n_cj^2 / a_c`` in the numerator, and ``w_c a_c`` in the denominator, all divided by
    a_c for ``average="cluster"``. To the precision, recall and F-score of clusters it adds, with
    e_c = 1 if it was found exactly and else 0, for N objects in K predicted clusters,

        N_c = w_c e_c,
        D_c = w_c a_c K / N, w_c, and their weighted mean,

    where N and K are known, as the candidate has all objects.

    These are the estimates of er-evaluation, but that its F-score of pairs weights precision with
    ``beta``: pass it the inverse. Its B-cubed scores are those of ``average="cluster"``.

    The ratio of means is corrected for its bias to first order, so it differs slightly from the
    score even if all clusters are known. Standard errors are those of a ratio of means for clusters
    drawn independently [2]_; intervals are t intervals, cut off at 0 and 1. If the ratio is the
    same for all known clusters, as where none was found exactly, the standard error is 0, which is
    no sign of certainty. ``benchmarks/sampled_reference.py`` simulates how often intervals hold.

    If a few clusters contain most of the pairs, and all are drawn with equal probability, most
    samples miss them: estimates of precision are too low, and intervals contain the score in less
    than half of the samples, even from 200 clusters. In this case draw objects together with their
    clusters. A cluster of a objects is found by m of N objects with the probability 1 - (1 - a /
    N)^m; "inverse_size" is the inverse of this as long as hardly any cluster is found twice;
    otherwise pass the weights.

    References
    ----------
    .. [1] O. Binette, S. A. York, E. Hickerson, Y. Baek, S. Madhavan, C. Jones, "Estimating the
       performance of entity resolution algorithms: lessons learned through PatentsView.org",
       arXiv:2210.01230, 2022.
    .. [2] W. G. Cochran, "Sampling Techniques", 3rd edition, Wiley, 1977, chapter 6.

    Examples
    --------
    >>> from sklearn_clustcompare import sampled_reference_scores
    >>> known = ["ann", "ann", "ann", "bob", "bob", None, None, "cem"]
    >>> found = [1, 1, 2, 3, 2, 4, 4, 5]
    >>> sampled_reference_scores(known, found, average="cluster")
    SampledReferenceScores: 3 reference clusters with 75.0% of the objects, 95 % intervals
    score                     value  standard_error     low    high
    pair_precision_score     0.5938          0.2165  0.0000  1.0000
    pair_recall_score        0.2969          0.1083  0.0000  0.7627
    pair_f_score             0.3958          0.1443  0.0000  1.0000
    bcubed_precision_score   0.8611          0.0735  0.5449  1.0000
    bcubed_recall_score      0.6852          0.1582  0.0044  1.0000
    cluster_precision_score  0.1778          0.3355  0.0000  1.0000
    cluster_recall_score     0.3333          0.3333  0.0000  1.0000
    cluster_f_score          0.2475          0.3383  0.0000  1.0000
    """
    _check_average("average", average)
    non_negative("beta", beta)
    probability("confidence_level", confidence_level)
    true = read_labels(given.labels_true, NAMES[0], Reading(missing="cluster"))
    table = count(true, read_labels(given.labels_pred, NAMES[1]), reading=given.reading)
    sizes, terms = _terms(table, cluster_weight, average, beta)
    estimates = {
        name: _ratio_of_means(above, below, name) for name, (above, below) in terms.items()
    }
    far = float(student.ppf((1 + confidence_level) / 2, len(sizes) - 1))
    return SampledReferenceScores(
        {name: value for name, (value, _) in estimates.items()},
        {name: error for name, (_, error) in estimates.items()},
        {name: _interval(value, far * error) for name, (value, error) in estimates.items()},
        confidence_level,
        len(sizes),
        float(sizes.sum() / table.n_samples),
    )


def _terms(
    table: ContingencyTable, cluster_weight: str | Mapping[Any, float], average: str, beta: float
) -> tuple[FloatArray, dict[str, tuple[FloatArray, FloatArray]]]:
    """Return the sizes of the known clusters, and what each adds above and below every ratio.

    The ratios are the scores, by their names.
    """
    is_known = np.array([label is not MISSING for label in table.row_labels.tolist()], bool)
    if is_known.sum() < 2:
        msg = f"{NAMES[0]} must have at least two known clusters, got {is_known.sum()}"
        raise ValueError(msg)
    sizes = table.row_sums[is_known].astype(np.float64)
    weights = _weights(cluster_weight, table.row_labels[is_known].tolist(), sizes)

    def sums(of_cells: FloatArray) -> FloatArray:
        return np.bincount(table.cell_rows, of_cells, len(is_known))[is_known]

    cells = table.cell_counts.astype(np.float64)
    predicted = table.col_sums[table.cell_cols].astype(np.float64)
    right = weights * sums(cells * (cells - 1) / 2)
    found = weights * sums(cells * (predicted - 1) / 2)
    sought = weights * sizes * (sizes - 1) / 2
    objects = weights / sizes if average == "cluster" else weights
    exact = weights * sums((cells == table.row_sums[table.cell_rows]) & (cells == predicted))
    # Reference clusters that as many objects would have as there are predicted ones.
    as_predicted = weights * sizes * (table.shape[1] / table.n_samples)
    return sizes, {
        "pair_precision_score": (right, found),
        "pair_recall_score": (right, sought),
        "pair_f_score": (right, (found + beta**2 * sought) / (1 + beta**2)),
        "bcubed_precision_score": (objects * sums(cells * cells / predicted), objects * sizes),
        "bcubed_recall_score": (objects * sums(cells * cells) / sizes, objects * sizes),
        "cluster_precision_score": (exact, as_predicted),
        "cluster_recall_score": (exact, weights),
        "cluster_f_score": (exact, (as_predicted + beta**2 * weights) / (1 + beta**2)),
    }


def _weights(
    cluster_weight: str | Mapping[Any, float], labels: list[Any], sizes: FloatArray
) -> FloatArray:
    if not hasattr(cluster_weight, "items"):
        _check_weight("cluster_weight", cluster_weight)
        return 1 / sizes if cluster_weight == "inverse_size" else np.ones(len(sizes))
    given = dict(cluster_weight.items())
    for label in {*labels} ^ {*given}:
        whose = "that does not occur" if label in given else "without a weight"
        got = f"{shortened(label)} {whose}"
        msg = f"cluster_weight must have the known clusters of {NAMES[0]}, got {got}"
        raise ValueError(msg)
    for label, weight in given.items():
        positive_number(f"cluster_weight of {label!r}", weight)
    return np.array([given[label] for label in labels], np.float64)


def _ratio_of_means(above: FloatArray, below: FloatArray, name: str) -> tuple[float, float]:
    """Estimate a ratio of means, less its bias of first order, and its standard error."""
    n, mean = len(below), float(below.mean())
    if not mean:
        warn_caller(
            f"{name} is undefined where the known clusters add nothing to its denominator, and set "
            "to NaN",
            UndefinedMetricWarning,
        )
        return math.nan, math.nan
    ratio = float(above.mean()) / mean
    residuals = (above - ratio * below) / mean
    bias = float(np.mean(below * residuals)) / ((n - 1) * mean)
    error = math.sqrt(float(residuals @ residuals) / (n * (n - 1)))
    return min(max(ratio + bias, 0.0), 1.0), error  # the correction may go too far


def _interval(value: float, distance: float) -> tuple[float, float]:
    """Cut off an interval at 0 and 1."""
    low, high = np.clip([value - distance, value + distance], 0.0, 1.0).tolist()
    return low, high
