"""Permutation tests of agreement beyond chance."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._chance.draws import NullModel, null_values
from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._parameters import one_of, positive_integer
from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare._rendering import Shown, Table, decimal, table_of
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices import Index, reference_index
from sklearn_clustcompare.indices._chance import gamma_p_value
from sklearn_clustcompare.indices._moments import (
    Agreement,
    NullMoments,
    null_moments,
    with_deviation,
)

_check_method = one_of("auto", "exact", "gamma", "cantelli", "monte_carlo")

# Tables of two clusters a side are all evaluated, up to this many.
_MAX_ENUMERATED = 2000
# From these numbers of objects, of clusters and of objects per cluster on, a gamma law is close.
_GAMMA_OBJECTS, _GAMMA_CLUSTERS, _GAMMA_SIZE = 1000, 5, 5.0
# Above this, permuting objects takes long, and SciPy draws no whole tables.
_MAX_PERMUTED = 10**7


@dataclass(frozen=True, repr=False)
class PermutationTestResult(Shown):
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
        Mean and standard deviation under permutation.
    standardized : float
        ``(statistic - mean) / standard_deviation``, or 0.0 if the latter is zero.
    pvalue : float
        Probability of at least this agreement for random partitions with these cluster sizes, or,
        for Cantelli's inequality, an upper bound of it.
    method : {"exact", "gamma", "cantelli", "monte_carlo"}
        How the p-value was computed.
    has_exact_moments : bool
        Whether mean and standard deviation are exact, rather than estimated from draws.
    null_distribution : ndarray of shape (n_resamples,) or None
        Values of the index for random partitions; None if none were drawn.
    gamma_shape : float or None
        Shape of the gamma law with the exact mean and variance, negative for an index that
        decreases with agreement; None if the moments are not exact.
    gamma_pvalue : float or None
        The p-value by that law.

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
    has_exact_moments: bool
    null_distribution: NDArray[np.float64] | None = field(default=None, compare=False)
    gamma_shape: float | None = None
    gamma_pvalue: float | None = None

    def _headline(self) -> str:
        draws = self.null_distribution
        method = {
            "exact": "exact",
            "gamma": "by a gamma law",
            "cantelli": "an upper bound by Cantelli's inequality",
            "monte_carlo": f"by {0 if draws is None else len(draws)} random partitions",
        }[self.method]
        by = self.index.axis_text(**self.parameters)
        return f"PermutationTestResult: {by}, p-value {decimal(self.pvalue)} ({method})"

    def _shown(self) -> Table:
        names = ("statistic", "mean", "standard_deviation", "standardized", "pvalue")
        return table_of({name: [getattr(self, name)] for name in names})


def permutation_test(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    index: str | Index,
    method: str = "auto",
    n_resamples: int = 999,
    random_state: Any = 0,
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
    index : str or Index
        The :term:`index`, by its name (see :func:`list_indices`) or as your own record.
    method : {"auto", "exact", "gamma", "cantelli", "monte_carlo"}, default="auto"
        How to compute the p-value: from all tables of two clusters a side ("exact"), a gamma law
        with the exact mean and variance ("gamma"), Cantelli's bound ("cantelli") or random tables
        ("monte_carlo"); "auto" chooses, see the Notes of :func:`permutation_test`.
    n_resamples : int, default=999
        Number of random tables for Monte Carlo.
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
        ``method`` and the ``null_distribution`` of Monte Carlo. Mean and standard deviation are
        exact if they are known for the index, else estimated from the draws.

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
    The methods are:

    - "exact": all tables with these cluster sizes, for two clusters on each side and up to 2,000
      tables;
    - "gamma": a gamma law with the exact mean and variance, for indices that are linear in the
      number of pairs together in both partitions, the mutual information, or a sum of squared cells
      that is lowest for independent partitions, such as chi-squared or B-cubed precision;
    - "cantelli": the bound ``1 / (1 + z**2)`` on the standardized value z of an index with exact
      mean and variance, always valid and usually much too large; 1.0 for z <= 0;
    - "monte_carlo": the share of random tables that agree at least as much, including the observed
      one; the smallest value possible is ``1 / (1 + n_resamples)``;
    - "auto": exact where possible; gamma from 1,000 objects on, with 5 clusters or more on each
      side and 5 objects per cluster on average; Monte Carlo otherwise, or Cantelli's bound if there
      is no gamma law and more than ten million objects would have to be permuted.

    With the default ``random_state=0`` every call returns the same p-value.

    Where "auto" uses it, the p-value of the gamma law is within about 0.01 of Monte Carlo. With two
    clusters the index has few values, and the error is up to 0.05 for 1,000 objects and 0.17 for
    50, as it is with clusters of one or two objects. In the tail the relative error is at most a
    third at p = 0.01 for q = 1 and 1,000 objects; for q of 2 or 3 and skewed sizes the p-value can
    be two or three times too small at p = 0.001.

    References
    ----------
    .. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", JMLR 17(134), 2016, Theorem 4 and Proposition 4.

    Examples
    --------
    >>> from sklearn_clustcompare import permutation_test
    >>> truth = [0] * 10 + [1] * 10 + [2] * 10
    >>> found = [0] * 8 + [1] * 12 + [2] * 10
    >>> test = permutation_test(truth, found, index="purity_score")
    >>> test.method, test.pvalue
    ('monte_carlo', 0.001)
    """
    record = reference_index(index)
    record.check_parameters(**params)
    _check_method("method", method)
    positive_integer("n_resamples", n_resamples)
    reading = Reading(
        possibilistic=possibilistic, noise=noise, noise_label=noise_label, missing=missing
    )
    model = NullModel.read(
        labels_true, labels_pred, sample_weight, reading, draws_moments=record.moments
    )
    table = model.table
    moments = with_deviation(null_moments(record, table, **params))
    used = _chosen_method(record, table, moments) if method == "auto" else method
    if used in ("gamma", "cantelli") and moments is None:
        raise ValueError(_not_known(record, used))
    order = Agreement.of(record, params, moments)
    draws = None
    if used == "monte_carlo":
        draws = null_values(
            model,
            order.value_and_order_of_pairs if record.pairs else order.value_and_order,
            {},
            n_resamples,
            random_state,
            n_jobs,
            sees_pairs=record.pairs,
            verbose=verbose,
        )
    return _result(order, table, moments, used, draws)


def _chosen_method(index: Index, table: ContingencyTable, moments: NullMoments | None) -> str:
    if _is_enumerable(table):
        return "exact"
    if moments is None or not table.is_whole or not _agrees_upwards(index, moments):
        return "monte_carlo"
    n, shape = table.n_samples, table.shape
    is_large = n >= _GAMMA_OBJECTS and n / max(shape) >= _GAMMA_SIZE
    if not ((is_large and min(shape) >= _GAMMA_CLUSTERS) or n > _MAX_PERMUTED):
        return "monte_carlo"
    if moments.above_lowest is not None:
        return "gamma"
    return "cantelli" if n > _MAX_PERMUTED else "monte_carlo"


def _is_enumerable(table: ContingencyTable) -> bool:
    return (
        table.is_whole
        and table.shape == (2, 2)
        and min(*table.row_sums.tolist(), *table.col_sums.tolist()) < _MAX_ENUMERATED
    )


def _agrees_upwards(index: Index, moments: NullMoments) -> bool:
    """Return whether an index improves as the mutual information or the pairs increase."""
    return moments.rises == index.greater_is_better


def _result(
    order: Agreement,
    table: ContingencyTable,
    moments: NullMoments | None,
    method: str,
    draws: NDArray[np.float64] | None,
) -> PermutationTestResult:
    index, params = order.index, order.parameters
    value = index(table, **params)
    gamma_pvalue = shape = None
    values = agreements = weights = np.zeros(0)
    if method == "exact":
        values, agreements, weights = _all_tables(table, order)
    elif draws is not None:
        values, agreements = draws.T
    if moments is not None:
        mean, deviation, standardized = (
            moments.mean,
            moments.standard_deviation,
            moments.standardized,
        )
        above_lowest = moments.above_lowest if order.rises else None
        if above_lowest is not None:
            gamma_pvalue = gamma_p_value(above_lowest)
            size = above_lowest.above_lowest**2
            shape = (size if moments.rises else -size) if size else None
    else:
        if method == "exact":
            mean = float(weights @ values)
            deviation = math.sqrt(float(weights @ (values - mean) ** 2))
        else:
            mean = float(values.mean())
            deviation = float(values.std(ddof=1)) if len(values) > 1 else 0.0
        # Differences due to rounding do not count as variation.
        deviation = deviation if deviation > TIE * max(abs(mean), abs(value)) else 0.0
        standardized = (value - mean) / deviation if deviation else 0.0
    if method in ("gamma", "cantelli"):
        pvalue = _closed_pvalue(index, method, standardized, gamma_pvalue)
    else:
        as_close = order.ties(agreements, order(table))
        if method == "exact":
            pvalue = min(float(weights[as_close].sum()), 1.0)
        else:
            pvalue = (1 + int(np.count_nonzero(as_close))) / (1 + len(values))
    return PermutationTestResult(
        index,
        params,
        value,
        mean,
        deviation,
        standardized,
        pvalue,
        method,
        moments is not None or method == "exact",
        None if draws is None else values,
        shape,
        gamma_pvalue,
    )


def _closed_pvalue(
    index: Index,
    method: str,
    standardized: float,
    gamma_pvalue: float | None,
) -> float:
    if method == "gamma":
        if gamma_pvalue is None:
            raise ValueError(_not_known(index, method))
        return gamma_pvalue
    z = standardized if index.greater_is_better else -standardized
    return 1 / (1 + z * z) if z > 0 else 1.0


def _not_known(index: Index, method: str) -> str:
    return (
        f"method must be 'monte_carlo' or 'auto' for {index.name} and these partitions, as "
        f"its exact mean and variance under permutation are not known, got {method!r}"
    )


def _all_tables(
    table: ContingencyTable, order: Agreement
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return value, agreement and probability of all tables of two rows and two columns."""
    if not _is_enumerable(table):
        msg = (
            "method must not be 'exact' except for labels with two clusters on each side, of which "
            f"the smallest has fewer than {_MAX_ENUMERATED} objects, got {table.shape[0]} and "
            f"{table.shape[1]} clusters of {table.n_samples} objects"
        )
        raise ValueError(msg)
    n, a, b = table.n_samples, int(table.row_sums[0]), int(table.col_sums[0])
    first = np.arange(max(0, a + b - n), min(a, b) + 1)
    tables = np.stack([first, a - first, b - first, n - a - b + first], axis=1)
    values = [
        order.value_and_order(ContingencyTable.from_counts(counts.reshape(2, 2)))
        for counts in tables
    ]
    # Probabilities by the ratios of neighbors: log-gamma functions lose digits of large tables.
    ratios = (a - first) * ((b - first) / ((first + 1.0) * (n - a - b + first + 1.0)))
    logs = np.cumsum(np.log(ratios[:-1]))
    weights = np.exp(np.append(0.0, logs) - logs.max(initial=0.0))
    return *np.array(values).T, weights / weights.sum()


def independence_test(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    q: float = 1.0,
    method: str = "auto",
    n_resamples: int = 999,
    random_state: Any = 0,
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
    method : {"auto", "exact", "gamma", "cantelli", "monte_carlo"}, default="auto"
        How to compute the p-value: from all tables of two clusters a side ("exact"), a gamma law
        with the exact mean and variance ("gamma"), Cantelli's bound ("cantelli") or random tables
        ("monte_carlo"); "auto" chooses, see the Notes of :func:`permutation_test`.
    n_resamples : int, default=999
        Number of random tables for Monte Carlo.
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
    pvalue_adjusted_mutual_info_score : One minus the gamma p-value, as an index.

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
    >>> from sklearn_clustcompare import independence_test
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
        n_resamples=n_resamples,
        random_state=random_state,
        n_jobs=n_jobs,
        verbose=verbose,
        sample_weight=sample_weight,
        possibilistic=possibilistic,
        noise=noise,
        noise_label=noise_label,
        missing=missing,
    )
