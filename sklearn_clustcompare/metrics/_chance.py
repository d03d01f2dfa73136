"""Public functions: indices standardized or ranked by the permutation model."""

from __future__ import annotations

from numpy.typing import ArrayLike

from sklearn_clustcompare._partition.arrays import PartitionLike
from sklearn_clustcompare.metrics._evaluate import evaluate


def standardized_mutual_info_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    q: float = 1.0,
    zero_variance: str | float = "warn",
) -> float:
    """Mutual information in standard deviations above its mean under permutation.

    The adjusted mutual information has a constant mean for random partitions, but its spread
    depends on the numbers and sizes of clusters, so that choosing the best of many candidates
    prefers those whose index varies more. The standardized one has a constant spread as well:
    use it to choose when there are few objects and many candidates. It grows with the number of
    objects: it measures how certain the agreement of two partitions is, not how large.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,), or ContingencyTable
        :term:`Labels` of the :term:`reference`; or a :term:`contingency table` of both partitions,
        without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,), default=None
        Labels of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    zero_variance : "warn" or float, default="warn"
        Value if all partitions with these cluster sizes agree equally; "warn" means 0.0 with a
        warning.

    Returns
    -------
    float
        Number of standard deviations; any real number, higher is better. For positive values
        z the probability of at least as much by chance is below ``1 / (1 + z**2)``.

    Raises
    ------
    ValueError
        If lengths differ, or labels or weights are invalid; if ``q`` is not positive and finite; if
        weights are not whole numbers.

    Warns
    -----
    UndefinedMetricWarning
        If the variance is zero and ``zero_variance="warn"``.

    See Also
    --------
    adjusted_mutual_info_score : Adjusted for the mean only; at most 1.
    independence_test : The same value with a p-value.

    Notes
    -----
    ``(MI_q - E MI_q) / sd(MI_q)``, with exact mean and variance. Standardizing VI_q or H_q of the
    joint partition gives the same value up to the sign. For q = 1 it is also the value of the
    standardized G statistic, for q = 2 that of the standardized Rand index.

    References
    ----------
    .. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", JMLR 17(134), 2016, sec. 5.1.

    Examples
    --------
    >>> from sklearn_clustcompare import standardized_mutual_info_score
    >>> round(standardized_mutual_info_score([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]), 4)
    1.2247
    """
    return evaluate(
        "standardized_mutual_info_score",
        labels_true,
        labels_pred,
        sample_weight,
        q=q,
        zero_variance=zero_variance,
    )


def standardized_rand_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    zero_variance: str | float = "warn",
) -> float:
    """Rand index in standard deviations above its mean under permutation.

    It relates to the adjusted Rand index as the standardized mutual information relates to the
    adjusted one: use it to choose among many candidates with different numbers of clusters when
    there are few objects.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    zero_variance : "warn" or float, default="warn"
        Value if all partitions with these cluster sizes agree equally; "warn" means 0.0 with a
        warning.

    Returns
    -------
    float
        Number of standard deviations; any real number, higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid.

    Warns
    -----
    UndefinedMetricWarning
        If the variance is zero and ``zero_variance="warn"``.

    See Also
    --------
    standardized_mutual_info_score : The same for any order q; this one is q = 2.
    adjusted_rand_score : Adjusted for the mean only; at most 1.

    Notes
    -----
    ``(n11 - E n11) / sd(n11)``: the Rand index, the adjusted one and Mirkin's distance are
    linear in n11 for given cluster sizes, and all standardize to the same value. For soft
    partitions the objects of one side are permuted, and sum n_ij^2 is the statistic of [2]_, whose
    mean and variance are exact.

    References
    ----------
    .. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", JMLR 17(134), 2016, sec. 5.1.
    .. [2] N. Mantel, "The detection of disease clustering and a generalized regression approach",
       Cancer Research 27, 1967.

    Examples
    --------
    >>> from sklearn_clustcompare import standardized_rand_score
    >>> round(standardized_rand_score([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]), 4)
    1.2247
    """
    return evaluate(
        "standardized_rand_score",
        labels_true,
        labels_pred,
        sample_weight,
        zero_variance=zero_variance,
    )


def pvalue_adjusted_mutual_info_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    q: float = 1.0,
    scale: str = "probability",
) -> float:
    """Probability that random partitions with these cluster sizes agree less.

    As a probability, it compares candidates with any numbers of clusters without favoring some by
    chance. It is close to 1 for any agreement beyond chance as soon as there are many objects;
    use ``scale="log"`` to choose among such candidates.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,), or ContingencyTable
        :term:`Labels` of the :term:`reference`; or a :term:`contingency table` of both partitions,
        without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,), default=None
        Labels of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
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

    Raises
    ------
    ValueError
        If lengths differ, or labels or weights are invalid; if ``q`` is not positive and finite; if
        weights are not whole numbers.

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
    >>> from sklearn_clustcompare import pvalue_adjusted_mutual_info_score
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
    return evaluate(
        "pvalue_adjusted_mutual_info_score",
        labels_true,
        labels_pred,
        sample_weight,
        q=q,
        scale=scale,
    )
