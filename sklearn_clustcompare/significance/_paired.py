"""Test whether one clustering is closer to the reference than another."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._parameters import (
    RandomStateLike,
    non_negative,
    positive_integer,
    probability,
    random_source,
)
from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare._partition.arrays import MatrixLike, PartitionLike, TableLike
from sklearn_clustcompare._partition.reading import in_columns
from sklearn_clustcompare._rendering import (
    Shown,
    Table,
    decimals,
    number_text,
    result_record,
    table_of,
)
from sklearn_clustcompare.indices import Index, IndexLike, read_index
from sklearn_clustcompare.indices._chosen import Chosen
from sklearn_clustcompare.indices._judged import reference_of
from sklearn_clustcompare.significance._data_errors import read_errors
from sklearn_clustcompare.significance._joint_cells import JointCells
from sklearn_clustcompare.significance._resampling import several_resamples
from sklearn_clustcompare.significance._sampling_errors import SamplingErrors

# A verdict is claimed at this level only.
_LEVEL = 0.05


@result_record
@dataclass(frozen=True, repr=False)
class PairedComparisonResult(Shown):
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

    def _shown(self) -> Table:
        low, high = self.interval
        row = {
            "value_a": self.value_a,
            "value_b": self.value_b,
            "difference": self.difference,
            "low": low,
            "high": high,
            "pvalue": self.pvalue,
        }
        return table_of({name: [value] for name, value in row.items()})


def paired_comparison_test(
    labels_true: PartitionLike,
    labels_a: PartitionLike,
    labels_b: PartitionLike,
    *,
    data: TableLike = None,
    index: IndexLike,
    X: MatrixLike = None,
    confidence_level: float = 0.95,
    n_comparisons: int = 1,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    n_resamples: int = 999,
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
    **params: Any,
) -> PairedComparisonResult:
    """Test whether one candidate is closer to the reference than another.

    The test asks whether the order would be the same for other objects from the same population, or
    for other ``groups`` of them. The clusterings are taken as fixed.

    Parameters
    ----------
    labels_true, labels_a, labels_b : array-like of shape (n_samples,) or (n_samples, n_clusters)
        Labels of the reference and of the two candidates, or memberships of soft partitions; at
        least 4 objects.
    data : DataFrame, mapping or object with ``obs``, default=None
        Table of which the other arguments name columns instead of being arrays: a frame of any
        package, a mapping such as a dict of arrays, or an object with such a table as ``obs``.
    index : str, callable or Index
        The :term:`index`: a name (see :func:`list_indices`), its function or a record.
    X : array-like of shape (n_samples, n_features) or (n_samples, n_samples), default=None
        The data, for indices that need them, or distances for ``metric="precomputed"``;
        ``labels_true`` is None if no index compares.
    confidence_level : float, default=0.95
        Level of the interval, between 0 and 1.
    n_comparisons : int, default=1
        If A was picked as the best of m candidates, comparing it with another is one of
        ``m - 1`` comparisons that could have been made: pass ``m - 1``. P-value and level are
        corrected by Bonferroni's inequality.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    groups : array-like of shape (n_samples,), default=None
        Sampling unit of each object, if groups of objects were sampled together: entities,
        documents, donors or speakers. None: each object is one. At least 10 groups.
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
    n_resamples : int, default=999
        Number of half samples, at least 2; drawn for indices with maxima or thresholds only.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int, default=0
        Whether to show progress on stderr.
    **params : dict
        Parameters of the index.

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
    labels_true, labels_a, labels_b, sample_weight, groups = in_columns(
        data,
        labels_true=labels_true,
        labels_a=labels_a,
        labels_b=labels_b,
        sample_weight=sample_weight,
        groups=groups,
    )
    record, params = read_index(index, params)
    labels_true = reference_of(labels_true, X, [record], sample_weight)
    probability("confidence_level", confidence_level)
    positive_integer("n_comparisons", n_comparisons)
    several_resamples("n_resamples", n_resamples)
    random_source(random_state)
    reading = Reading(possibilistic, noise, noise_label, missing)
    names = ("labels_true", "labels_a", "labels_b")
    cells, (errors,) = read_errors(
        (labels_true, labels_a, labels_b),
        names,
        (Chosen(record.name, record, params),),
        reading,
        X=X,
        sample_weight=sample_weight,
        groups=groups,
        n_resamples=n_resamples,
        random_state=random_state,
        n_jobs=n_jobs,
        verbose=verbose,
    )
    return compared(cells, errors, confidence_level, n_comparisons)


@result_record
@dataclass(frozen=True, repr=False)
class NoninferiorityResult(Shown):
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


def noninferiority_test(
    labels_true: PartitionLike,
    labels_a: PartitionLike,
    labels_b: PartitionLike,
    *,
    data: TableLike = None,
    index: IndexLike,
    margin: float,
    X: MatrixLike = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    n_resamples: int = 999,
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
    **params: Any,
) -> NoninferiorityResult:
    """Test whether one candidate is not worse than another by more than a margin.

    A small p-value shows that candidate A is at most ``margin`` worse in the population; a large
    one shows nothing: the sample may be too small.

    Parameters
    ----------
    labels_true, labels_a, labels_b : array-like of shape (n_samples,) or (n_samples, n_clusters)
        Labels of the reference and of the two candidates, or memberships of soft partitions; at
        least 4 objects.
    data : DataFrame, mapping or object with ``obs``, default=None
        Table of which the other arguments name columns instead of being arrays: a frame of any
        package, a mapping such as a dict of arrays, or an object with such a table as ``obs``.
    index : str, callable or Index
        The :term:`index`: a name (see :func:`list_indices`), its function or a record.
    margin : float
        By how much candidate A may be worse, in units of the index; not negative.
    X : array-like of shape (n_samples, n_features) or (n_samples, n_samples), default=None
        The data, for indices that need them, or distances for ``metric="precomputed"``;
        ``labels_true`` is None if no index compares.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    groups : array-like of shape (n_samples,), default=None
        Sampling unit of each object, if groups of objects were sampled together: entities,
        documents, donors or speakers. None: each object is one. At least 10 groups.
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
    n_resamples : int, default=999
        Number of half samples, at least 2; drawn for indices with maxima or thresholds only.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int, default=0
        Whether to show progress on stderr.
    **params : dict
        Parameters of the index.

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
    The p-value is below .05 if and only if the lower end of the 90 % interval of
    :func:`paired_comparison_test` is above ``-margin``.

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
    labels_true, labels_a, labels_b, sample_weight, groups = in_columns(
        data,
        labels_true=labels_true,
        labels_a=labels_a,
        labels_b=labels_b,
        sample_weight=sample_weight,
        groups=groups,
    )
    record, params = read_index(index, params)
    labels_true = reference_of(labels_true, X, [record], sample_weight)
    several_resamples("n_resamples", n_resamples)
    random_source(random_state)
    cells, (errors,) = read_errors(
        (labels_true, labels_a, labels_b),
        ("labels_true", "labels_a", "labels_b"),
        (Chosen(record.name, record, params),),
        Reading(possibilistic, noise, noise_label, missing),
        X=X,
        sample_weight=sample_weight,
        groups=groups,
        n_resamples=n_resamples,
        random_state=random_state,
        n_jobs=n_jobs,
        verbose=verbose,
    )
    test = compared(cells, errors, 1 - 2 * _LEVEL)
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
    cells: JointCells, errors: SamplingErrors, confidence_level: float, n_comparisons: int = 1
) -> PairedComparisonResult:
    """Compare the two candidates whose sampling errors were computed."""
    chosen = errors.chosen
    warn_of_bias(chosen.index, chosen.parameters, [cells.n_clusters(one) for one in (0, 1)])
    value_a, value_b = errors.check_finite().values.tolist()
    found = errors.differences([(0, [1])], confidence_level, n_comparisons)
    for caution in errors.cautions_of_difference(0, 1):
        warnings.warn(f"the test may not hold: {caution}", UserWarning, stacklevel=3)
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
    warnings.warn(
        f"{index.name} is not adjusted for chance, and the candidates have {numbers} clusters: "
        "the difference includes the bias due to the number of clusters. Compare them by an "
        f"adjusted index, such as {adjusted_form}",
        UserWarning,
        stacklevel=4,
    )
