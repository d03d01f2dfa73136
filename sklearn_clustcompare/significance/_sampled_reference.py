"""Scores if only a sample of the reference clusters is known."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import t as student
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._numerics import FloatArray
from sklearn_clustcompare._parameters import non_negative, one_of, positive_number, probability
from sklearn_clustcompare._partition import NAMES, Reading, read_labels
from sklearn_clustcompare._partition.arrays import MISSING, PartitionLike
from sklearn_clustcompare._rendering import Shown, Table, result_record, table_of
from sklearn_clustcompare._table import ContingencyTable, count

_check_average = one_of("object", "cluster")
_check_weight = one_of("uniform", "inverse_size")


@result_record
@dataclass(frozen=True, eq=False, repr=False)
class SampledReferenceScores(Shown):
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

    def to_frame(self) -> Any:
        """Return the estimates as a pandas DataFrame, one row per score.

        Join the estimates of several candidates, or save them with pandas, which has to be
        installed.

        Returns
        -------
        pandas.DataFrame
            Indexed by the names of the scores, with columns ``value``, ``standard_error``, ``low``
            and ``high``.

        See Also
        --------
        sampled_reference_scores : Explains the scores.

        Examples
        --------
        >>> from sklearn_clustcompare import sampled_reference_scores
        >>> frame = sampled_reference_scores(list("aab") + [None], [0, 0, 1, 1]).to_frame()
        >>> frame.round(2).loc["bcubed_precision_score"].tolist()
        [0.91, 0.22, 0.0, 1.0]
        """
        import pandas as pd

        return pd.DataFrame(self._columns(), index=pd.Index(list(self.value), name="score"))

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

    def _shown(self) -> Table:
        return table_of({"score": list(self.value), **self._columns()})


def sampled_reference_scores(
    labels_true: PartitionLike,
    labels_pred: PartitionLike,
    *,
    cluster_weight: str | Mapping[Any, float] = "uniform",
    average: str = "object",
    beta: float = 1.0,
    confidence_level: float = 0.95,
) -> SampledReferenceScores:
    """Estimate scores if only a sample of the reference clusters is known.

    Labels of the reference are :term:`missing` (None, NaN) for objects of clusters that are not
    known, and all objects of a known cluster have its label.

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
    score even if all clusters are known. Standard errors are those of a ratio of means for
    clusters drawn independently [2]_; intervals are t intervals, cut off at 0 and 1. If the
    ratio is the same for all known clusters, as where none was found exactly, the standard
    error is 0, which is no sign of certainty. In simulations with clusters of 2 to 7 objects,
    95 % intervals of pair scores from 12 clusters contained the score in 9 of 10 samples, and
    those from 50 in 92 to 95 %.

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
    true = read_labels(labels_true, NAMES[0], Reading(missing="cluster"))
    table = count(true, read_labels(labels_pred, NAMES[1]))
    terms = _Terms(table, cluster_weight)
    estimates = {
        name: _ratio_of_means(above, below, name)
        for name, (above, below) in terms.ratios(average, beta).items()
    }
    far = float(student.ppf((1 + confidence_level) / 2, terms.n_clusters - 1))
    return SampledReferenceScores(
        {name: value for name, (value, _) in estimates.items()},
        {name: error for name, (_, error) in estimates.items()},
        {name: _interval(value, far * error) for name, (value, error) in estimates.items()},
        confidence_level,
        terms.n_clusters,
        float(terms.sizes.sum() / table.n_samples),
    )


class _Terms:
    """Contribution of each known cluster to the numerators and denominators."""

    def __init__(self, table: ContingencyTable, cluster_weight: str | Mapping[Any, float]) -> None:
        is_known = np.array([label is not MISSING for label in table.row_labels.tolist()], bool)
        self.n_clusters = int(is_known.sum())
        if self.n_clusters < 2:
            msg = f"{NAMES[0]} must have at least two known clusters, got {self.n_clusters}"
            raise ValueError(msg)
        self.sizes = table.row_sums[is_known].astype(np.float64)
        self._weights = _weights(cluster_weight, table.row_labels[is_known].tolist(), self.sizes)
        self._table, self._is_known = table, is_known

    def _sums(self, values: FloatArray) -> FloatArray:
        """Add up the values of the cells of each known cluster."""
        n_rows = len(self._is_known)
        return np.bincount(self._table.cell_rows, values, n_rows)[self._is_known]

    def ratios(self, average: str, beta: float) -> dict[str, tuple[FloatArray, FloatArray]]:
        """Return the numerator and denominator terms of each score."""
        cells = self._table.cell_counts.astype(np.float64)
        predicted = self._table.col_sums[self._table.cell_cols].astype(np.float64)
        weights, sizes = self._weights, self.sizes
        right = weights * self._sums(cells * (cells - 1) / 2)
        found = weights * self._sums(cells * (predicted - 1) / 2)
        sought = weights * sizes * (sizes - 1) / 2
        objects = weights / sizes if average == "cluster" else weights
        is_exact = (cells == self._table.row_sums[self._table.cell_rows]) & (cells == predicted)
        exact = weights * self._sums(is_exact)
        # Reference clusters that as many objects would have as there are predicted ones.
        as_predicted = weights * sizes * (self._table.shape[1] / self._table.n_samples)
        return {
            "pair_precision_score": (right, found),
            "pair_recall_score": (right, sought),
            "pair_f_score": (right, (found + beta**2 * sought) / (1 + beta**2)),
            "bcubed_precision_score": (
                objects * self._sums(cells * cells / predicted),
                objects * sizes,
            ),
            "bcubed_recall_score": (objects * self._sums(cells * cells) / sizes, objects * sizes),
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
        msg = f"cluster_weight must have the known clusters of {NAMES[0]}, got {label!r} {whose}"
        raise ValueError(msg)
    for label, weight in given.items():
        positive_number(f"cluster_weight of {label!r}", weight)
    return np.array([given[label] for label in labels], np.float64)


def _ratio_of_means(above: FloatArray, below: FloatArray, name: str) -> tuple[float, float]:
    """Estimate a ratio of means, less its bias of first order, and its standard error."""
    n, mean = len(below), float(below.mean())
    if not mean:
        warnings.warn(
            f"{name} is undefined where the known clusters add nothing to its denominator, and set "
            "to NaN",
            UndefinedMetricWarning,
            stacklevel=3,
        )
        return math.nan, math.nan
    ratio = float(above.mean()) / mean
    residuals = (above - ratio * below) / mean
    bias = float(np.mean(below * residuals)) / ((n - 1) * mean)
    error = math.sqrt(float(residuals @ residuals) / (n * (n - 1)))
    return min(max(ratio + bias, 0.0), 1.0), error  # the correction may go too far


def _interval(value: float, distance: float) -> tuple[float, float]:
    """Cut off an interval at 0 and 1."""
    if math.isnan(value):
        return value, value
    return max(value - distance, 0.0), min(value + distance, 1.0)
