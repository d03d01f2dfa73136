"""Assertions that a clustering agrees with a reference, and not less than an accepted one."""

from __future__ import annotations

from typing import Any

from sklearn_clustcompare._parameters import finite, non_negative, probability
from sklearn_clustcompare._partition import DEFAULT, Reading
from sklearn_clustcompare._partition.arrays import PartitionLike
from sklearn_clustcompare._table import count
from sklearn_clustcompare.indices import IndexLike
from sklearn_clustcompare.indices._judged import Chosen
from sklearn_clustcompare.report import clustering_comparison_report
from sklearn_clustcompare.significance import noninferiority_test, score_interval


def assert_clustering(
    labels_true: PartitionLike,
    labels_pred: PartitionLike,
    *,
    confidence_level: float | None = None,
    possibilistic: bool = False,
    **limits: float,
) -> None:
    """Assert that the agreement of a clustering with a reference keeps limits.

    Use it in tests: the message shows which clusters are wrong.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters)
        :term:`Labels` or :term:`memberships` of the :term:`reference`.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters)
        Labels or memberships of the :term:`candidate`.
    confidence_level : float or None, default=None
        If given, the lower end of a confidence interval of this level (for distances the upper end)
        must keep the limit instead of the value: see :func:`score_interval`.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
    **limits : dict
        Names or short names of indices and their limits: the lowest allowed value of a score, the
        highest one of a distance. At least one.

    Raises
    ------
    AssertionError
        If a limit is not kept. The message names the limit and includes the report of the
        comparison (:func:`clustering_comparison_report`).
    TypeError
        If no limit is given, or one is not a number.
    ValueError
        If labels are invalid, a name is not an index, or a limit is not finite.

    See Also
    --------
    clustering_comparison_report : The report of the message.
    score_interval : The interval.
    ClusteringBaseline.check : Compares with an accepted result instead of a limit.

    Notes
    -----
    The interval shows how the score varies from one sample of objects to the next. Its lower end is
    below 1 even for perfect agreement, by about three times the effect of one error: a test that
    requires 0.9 of the interval fails where so few objects cannot show it. The same labels always
    give the same result.

    Examples
    --------
    >>> from sklearn_clustcompare import assert_clustering
    >>> truth, found = list("aaaabbbbcc"), [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    >>> assert_clustering(truth, found, ari=0.6, misclassification_distance=0.3)
    >>> try:
    ...     assert_clustering(truth, found, ari=0.7)
    ... except AssertionError as error:
    ...     print(str(error).splitlines()[0])
    adjusted_rand_score must be at least 0.7, got 0.634
    """
    if not limits:
        msg = "at least one limit must be given, such as ari=0.7, got none"
        raise TypeError(msg)
    if confidence_level is not None:
        probability("confidence_level", confidence_level)
    chosen = {name: Chosen.of(name, with_data=False) for name in limits}
    for name, limit in limits.items():
        finite(chosen[name].name, limit)
    reading = DEFAULT if possibilistic is False else Reading(possibilistic)
    table = count(labels_true, labels_pred, None, reading, moments=True)
    broken = []
    for name, limit in limits.items():
        one = chosen[name]
        if confidence_level is None:
            value, shown = one.value(table), ""
        else:
            value, shown = _worse_end(
                labels_true, labels_pred, one, confidence_level, possibilistic
            )
        is_kept = value >= limit if one.index.greater_is_better else value <= limit
        if not is_kept:  # also where it is not defined
            side = "at least" if one.index.greater_is_better else "at most"
            broken.append(f"{one.name} must be {side} {limit:g}, got {shown}{value:.3f}")
    if broken:
        report = clustering_comparison_report(labels_true, labels_pred, possibilistic=possibilistic)
        msg = "\n".join([*broken, "", str(report)])
        raise AssertionError(msg)


def _worse_end(
    labels_true: PartitionLike,
    labels_pred: PartitionLike,
    chosen: Chosen,
    confidence_level: float,
    possibilistic: bool,
) -> tuple[float, str]:
    """Return the end of the interval that has to keep the limit, and its name."""
    result = score_interval(
        labels_true,
        labels_pred,
        index=chosen.index,
        confidence_level=confidence_level,
        possibilistic=possibilistic,
        random_state=0,
        **chosen.parameters,
    )
    low, high = result.interval
    level = f"{100 * confidence_level:g} % interval of {result.score:.3f}"
    if chosen.index.greater_is_better:
        return low, f"the lower end of the {level}: "
    return high, f"the upper end of the {level}: "


def assert_not_worse(
    labels_true: PartitionLike,
    labels_pred: PartitionLike,
    labels_accepted: PartitionLike,
    *,
    index: IndexLike,
    tolerance: float = 0.02,
    confidence_level: float = 0.95,
    groups: Any = None,
) -> None:
    """Assert that a clustering is shown to be not worse than an accepted one.

    It fails as well where there are too few objects to show that.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters)
        :term:`Labels` or :term:`memberships` of the :term:`reference`.
    labels_pred, labels_accepted : array-like of shape (n_samples,) or (n_samples, n_clusters)
        Labels or memberships of the new clustering, and of the accepted one.
    index : str, callable or Index
        The :term:`index`: a name (see :func:`list_indices`), its function or a record.
    tolerance : int or float, default=0.02
        By how much the new clustering may be worse, in units of the index; not negative.
    confidence_level : float, default=0.95
        One minus the level of the one-sided test, between 0 and 1.
    groups : array-like of shape (n_samples,), default=None
        Sampling unit of each object, if groups of objects were sampled together: entities,
        documents, donors or speakers. None: each object is one. At least 10 groups.

    Raises
    ------
    AssertionError
        If it was not shown. The message has the difference and the p-value.
    ValueError
        If labels, ``tolerance`` or another parameter are invalid.
    TypeError
        If a parameter is of the wrong type.

    See Also
    --------
    sklearn_clustcompare.significance.noninferiority_test : The test.
    assert_clustering : Keeps a fixed limit.

    Examples
    --------
    >>> from sklearn_clustcompare.checks import assert_not_worse
    >>> truth = [0] * 300 + [1] * 300
    >>> accepted = [0] * 290 + [1] * 310
    >>> assert_not_worse(truth, accepted, accepted, index="adjusted_rand_score")
    """
    non_negative("tolerance", tolerance)
    probability("confidence_level", confidence_level)
    test = noninferiority_test(
        labels_true, labels_pred, labels_accepted, index=index, margin=tolerance, groups=groups
    )
    if not test.pvalue < 1 - confidence_level:
        name = Chosen.of(index).name
        msg = (
            f"labels_pred must be at most {tolerance:g} worse by {name} than labels_accepted, "
            f"which was not shown: got {test.value_a:.4g} for {test.value_b:.4g}, "
            f"p = {test.pvalue:.3g}"
        )
        raise AssertionError(msg)
