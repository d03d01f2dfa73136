"""The sampling error of one score."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._parameters import RandomStateLike, probability, random_source
from sklearn_clustcompare._partition import NAMES, Reading
from sklearn_clustcompare._partition.arrays import MatrixLike, PartitionLike, TableLike
from sklearn_clustcompare._partition.reading import in_columns
from sklearn_clustcompare._rendering import Shown, decimals, result_record
from sklearn_clustcompare._table import ContingencyTable, cells_as_objects
from sklearn_clustcompare.indices import Index, IndexLike, read_index
from sklearn_clustcompare.indices._chosen import Chosen
from sklearn_clustcompare.indices._judged import reference_of
from sklearn_clustcompare.significance._data_errors import read_errors
from sklearn_clustcompare.significance._joint_cells import JointCells
from sklearn_clustcompare.significance._resampling import several_resamples
from sklearn_clustcompare.significance._sampling_errors import SamplingErrors


@result_record
@dataclass(frozen=True, repr=False)
class ScoreInterval(Shown):
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
        Estimated standard deviation of the score from one sample of objects to the next.
    confidence_level : float
        Level of the interval, between 0 and 1.
    n_samples : int
        Number of objects.
    bias : float, default=0.0
        By how much the value of the sample is estimated to exceed that in the population, 0.0 where
        no estimate is known: the interval is corrected by it.

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

    def _headline(self) -> str:
        score, low, high = decimals([self.score, *self.interval])
        return (
            f"ScoreInterval: {self.index.name} {score}; for all objects like these {low} to {high} "
            f"({100 * self.confidence_level:g} %, {self.n_samples} objects)"
        )


def score_interval(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    data: TableLike = None,
    index: IndexLike,
    X: MatrixLike = None,
    confidence_level: float = 0.95,
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
) -> ScoreInterval:
    r"""Compute a score and its confidence interval.

    The interval shows how much the score would change for other objects from the same population,
    or for other ``groups`` of them. The clusterings are taken as fixed: the interval does not
    include how the result of a clusterer depends on the data.

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
    confidence_level : float, default=0.95
        Level of the interval, between 0 and 1.
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
        If the interval may not hold: the standard error depends on fewer than 4 objects of equal
        influence while more errors were seen, or on fewer than 4 groups; the estimated bias exceeds
        two standard errors; a side has a single
        cluster; an overlap of two clusters is within two standard errors of the ``threshold`` of
        the index, and matters; or nearly all cells of a table are occupied that an index counts.

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
    objects show, as are differences; that of information is at least the bias under permutation, as
    far as the score is from its best value. An interval need not contain the score of the sample.

    For labels, and an index with a finite best value, the ends are those from which the score lies
    t standard errors away, where the variance falls linearly towards the best value. With no error
    seen the interval reaches to about three times the effect of one error. Near independence the
    exact mean and variance under permutation take the place of the standard error, which vanishes
    there. Ends of a count, such as ``split_count``, are rounded away from it to whole numbers.
    :doc:`/user_guide/intervals` has a map of where intervals hold.

    An index of the data varies as the objects do: silhouettes and correlations are computed exactly
    without each object, others without each of at most 200 parts of the objects, and those with
    maxima over clusters, Davies-Bouldin and Xie-Beni, for half samples. :func:`dunn_score` and
    :func:`dbcv_score` depend on few extreme objects, and :func:`modularity_score` on edges that
    vary as well as nodes, so that no such method holds: they are refused.

    References
    ----------
    .. [1] B. Efron, C. Stein, "The jackknife estimate of variance", Annals of Statistics 9(3),
       1981, :doi:`10.1214/aos/1176345462`.

    Examples
    --------
    >>> from sklearn_clustcompare import score_interval
    >>> truth = [0] * 50 + [1] * 50
    >>> found = [0] * 45 + [1] * 52 + [0] * 3
    >>> result = score_interval(truth, found, index="adjusted_rand_score")
    >>> print(f"{result.score:.2f}, {result.interval[0]:.2f} to {result.interval[1]:.2f}")
    0.70, 0.45 to 0.84
    """
    labels_true, labels_pred, sample_weight, groups = in_columns(
        data,
        labels_true=labels_true,
        labels_pred=labels_pred,
        sample_weight=sample_weight,
        groups=groups,
    )
    record, params = read_index(index, params)
    labels_true = reference_of(labels_true, X, [record], sample_weight)
    probability("confidence_level", confidence_level)
    several_resamples("n_resamples", n_resamples)
    random_source(random_state)
    reading = Reading(possibilistic, noise, noise_label, missing)
    if isinstance(labels_true, ContingencyTable):
        given = {"labels_pred": labels_pred, "sample_weight": sample_weight, "groups": groups}
        labels_true, labels_pred, sample_weight = cells_as_objects(labels_true, given, reading)
    cells, (errors,) = read_errors(
        (labels_true, labels_pred),
        NAMES,
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
    return interval_of(cells, errors, confidence_level)


def interval_of(
    cells: JointCells, errors: SamplingErrors, confidence_level: float
) -> ScoreInterval:
    """Return the interval of the first candidate whose sampling errors were computed."""
    low, high = errors.check_finite().intervals(confidence_level)[0].tolist()
    for caution in errors.cautions(0):
        warnings.warn(f"the interval may not hold: {caution}", UserWarning, stacklevel=3)
    return ScoreInterval(
        errors.chosen.index,
        float(errors.values[0]),
        (low, high),
        float(errors.standard_errors[0]),
        confidence_level,
        cells.n_samples,
        float(errors.biases[0]),
    )
