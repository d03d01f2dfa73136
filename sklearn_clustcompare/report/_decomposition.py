"""Contribution of each cluster to an overall index, and its verdict."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._parameters import entropy_order, share
from sklearn_clustcompare._partition import NAMES, Reading, names_of
from sklearn_clustcompare._partition.arrays import PartitionLike, TableLike
from sklearn_clustcompare._partition.reading import in_columns
from sklearn_clustcompare._rendering import (
    html_table,
    paragraphs,
    record_html,
    result_record,
    text_table,
)
from sklearn_clustcompare._table import ContingencyTable, count
from sklearn_clustcompare.indices import INDICES
from sklearn_clustcompare.indices._entropies import Information
from sklearn_clustcompare.indices._pairs import adjusted_rand, count_pairs
from sklearn_clustcompare.indices._terms import ALL_AVERAGES
from sklearn_clustcompare.report._cluster_rows import (
    CLUSTER_LEGEND,
    cluster_rows,
    side_headline,
    size_text,
)
from sklearn_clustcompare.report._cluster_values import HIGH, POOR, ClusterValues, ExpectedParts

if TYPE_CHECKING:
    import pandas as pd

# Clusters that the text and HTML of a decomposition show on each side.
_MAX_SHOWN = 10


@result_record
class Recombination(NamedTuple):
    """An overall index as a sum over the clusters of both sides.

    ``value`` is ``sum(true_weights * x) + sum(pred_weights * y)`` with the values x and y of
    the clusters; where a weight is 0, the value may be undefined and does not count. It is a named
    tuple: all parameters are attributes of the same names.

    Parameters
    ----------
    value : float
        The overall index.
    true_weights : ndarray of shape (n_true,)
        Weights of the clusters of ``labels_true``.
    pred_weights : ndarray of shape (n_pred,)
        Weights of the clusters of ``labels_pred``.
    is_mean : bool
        Whether the weights are shares that add up to 1, so that the index lies between the
        values of the clusters.

    See Also
    --------
    ClusterDecomposition.normalized_mutual_info : Of the values R_i and C_j.
    ClusterDecomposition.adjusted_rand : Of the adjusted Wallace indices.

    Examples
    --------
    >>> from sklearn_clustcompare import cluster_decomposition
    >>> parts = cluster_decomposition(list("aaaabb"), [0, 0, 0, 1, 1, 1])
    >>> nmi = parts.normalized_mutual_info()
    >>> total = (nmi.true_weights * parts.R_i).sum() + (nmi.pred_weights * parts.C_j).sum()
    >>> round(nmi.value, 3), round(float(total), 3), nmi.is_mean
    (0.479, 0.479, True)
    """

    value: float
    true_weights: NDArray[np.float64]
    pred_weights: NDArray[np.float64]
    is_mean: bool

    def _repr_html_(self) -> str:
        return record_html("Recombination", self._asdict())


@result_record
@dataclass(frozen=True)
class ClusterDecomposition:
    """Result of :func:`cluster_decomposition`: the overall indices, cluster by cluster.

    All values are computed from the table on access, and then kept.

    Parameters
    ----------
    table : ContingencyTable
        The :term:`contingency table` of the two partitions.
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    high : float, default=0.95
        Least adjusted value that the summaries count as high, in [0, 1].
    poor : float, default=0.5
        Largest adjusted value that the summaries count as poor, in [0, 1] and at most ``high``.
    names : tuple of two str, default=("labels_true", "labels_pred")
        Names of the two partitions.

    Attributes
    ----------
    true, pred : ClusterValues
        All values of the clusters of ``labels_true`` and of ``labels_pred``; the names below are
        those of the paper for the most important ones.
    R, C : float
        MI_q / H_q(true) and MI_q / H_q(pred), for q = 1 homogeneity and completeness; both are
        weighted means, ``R = sum(u_i * R_i)`` and ``C = sum(v_j * C_j)``.
    R_i, C_j : ndarray of shape (n_true,) and (n_pred,)
        How well the other partition predicts each cluster.
    u_i, v_j : ndarray of shape (n_true,) and (n_pred,)
        Weight of each cluster, its share of the entropy.
    sizes, labels : tuple of two ndarrays
        Sizes and labels of the clusters of ``labels_true`` and of ``labels_pred``.

    See Also
    --------
    clustering_comparison_report : The same in words.

    Examples
    --------
    A table that was counted elsewhere:

    >>> from sklearn_clustcompare import ContingencyTable
    >>> from sklearn_clustcompare.results import ClusterDecomposition
    >>> table = ContingencyTable.from_counts([[96, 0, 0], [0, 1, 1], [0, 1, 1]])
    >>> parts = ClusterDecomposition(table)
    >>> parts.R_i.round(2), parts.u_i.round(2)
    (array([1.  , 0.82, 0.82]), array([0.2, 0.4, 0.4]))
    >>> parts.pred.summary.n_high
    1
    """

    table: ContingencyTable
    q: float = 1.0
    high: float = HIGH
    poor: float = POOR
    names: tuple[str, str] = NAMES

    @cached_property
    def true(self) -> ClusterValues:
        """Values of the clusters of ``labels_true``."""
        return self._side(self.table, "true", self.names[0])

    @cached_property
    def pred(self) -> ClusterValues:
        """Values of the clusters of ``labels_pred``."""
        return self._side(self.table.T, "pred", self.names[1])

    def _side(self, table: ContingencyTable, side: str, name: str) -> ClusterValues:
        return ClusterValues(table, self.q, side, name, self.high, self.poor, self._expected_parts)

    @cached_property
    def _expected_parts(self) -> ExpectedParts:
        return ExpectedParts(self.table, self.q)

    @property
    def R(self) -> float:
        """Overall value of the clusters of ``labels_true``, homogeneity for q = 1."""
        return self.true.overall

    @property
    def C(self) -> float:
        """Overall value of the clusters of ``labels_pred``, completeness for q = 1."""
        return self.pred.overall

    @property
    def R_i(self) -> NDArray[np.float64]:
        """Value of each cluster of ``labels_true``."""
        return self.true.values

    @property
    def C_j(self) -> NDArray[np.float64]:
        """Value of each cluster of ``labels_pred``."""
        return self.pred.values

    @property
    def u_i(self) -> NDArray[np.float64]:
        """Weight of each cluster of ``labels_true``."""
        return self.true.weights

    @property
    def v_j(self) -> NDArray[np.float64]:
        """Weight of each cluster of ``labels_pred``."""
        return self.pred.weights

    @property
    def sizes(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Cluster sizes of both sides."""
        return self.true.sizes, self.pred.sizes

    @property
    def labels(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Cluster labels of both sides."""
        return self.true.labels, self.pred.labels

    # ----------------------------------------------------------------- overall indices

    def normalized_mutual_info(self, average_method: str = "arithmetic") -> Recombination:
        """Decompose a normalized mutual information into the values R_i and C_j.

        Weight times value is the contribution of a cluster to the index, and weight times (1 -
        value) is its loss.

        Parameters
        ----------
        average_method : {"min", "geometric", "arithmetic", "max", "joint"}, default="arithmetic"
            Divisor of the information: a mean of the two entropies or, with "joint", the joint
            entropy of both partitions.

        Returns
        -------
        Recombination
            Weights of R_i and C_j. They are those of a mean for "arithmetic", over both sides, and
            for "min" and "max", over the side with the smaller or the larger entropy. The other two
            are not means of the values of the clusters: their weights add up to more than 1
            ("geometric") or less ("joint"), unless both sides have the same entropy, or the joint
            entropy, respectively.

        Raises
        ------
        ValueError
            If there is no such average.

        See Also
        --------
        normalized_mutual_info_score : The index itself.

        Notes
        -----
        Half of the mutual information is the sum of u_i R_i H(true) / 2 and the other half that
        of v_j C_j H(pred) / 2; divided by the bound of the average, these are the weights. As
        functions of R and C, "geometric" is the square root of R C, and "joint" is
        1 / (1/R + 1/C - 1).

        Examples
        --------
        >>> from sklearn_clustcompare import cluster_decomposition
        >>> parts = cluster_decomposition(list("aaabbc"), [0, 0, 1, 1, 1, 2])
        >>> nmi = parts.normalized_mutual_info("max")
        >>> nmi.true_weights.round(2), nmi.pred_weights.round(2)
        (array([0.34, 0.36, 0.3 ]), array([0., 0., 0.]))
        >>> round(float(nmi.true_weights @ parts.R_i) - nmi.value, 14)
        0.0
        """
        ALL_AVERAGES("average_method", average_method)
        seen = Information(self.table, self.q)
        formula = INDICES["normalized_mutual_info_score"].of_statistic
        value = formula(seen, self.table, average_method=average_method)
        first, second = seen.entropies
        if average_method in ("min", "max"):
            first_divides = first >= second if average_method == "max" else first <= second
            # Without entropy there is no value of this side: the score is that of the other side.
            if not (first if first_divides else second):
                first_divides = not first_divides
            shares = (1.0, 0.0) if first_divides else (0.0, 1.0)
        elif not (first and second):
            shares = (0.5, 0.5) if first == second else (float(first > 0), float(second > 0))
        else:
            information = self.true.overall * first
            bound = {
                "arithmetic": (first + second) / 2,
                "geometric": np.sqrt(first) * np.sqrt(second),
                "joint": first + second - information,
            }[average_method]
            shares = (float(first / (2 * bound)), float(second / (2 * bound)))
        return Recombination(
            value,
            shares[0] * self.u_i,
            shares[1] * self.v_j,
            average_method in ("arithmetic", "min", "max"),
        )

    def adjusted_rand(self) -> Recombination:
        """Decompose the adjusted Rand index into the adjusted Wallace values of the clusters.

        A cluster is weighted by its pairs of objects, nearly the square of its size: large clusters
        dominate, and the failure of small ones may go unnoticed.

        Returns
        -------
        Recombination
            Weights of ``true.adjusted_wallace`` and ``pred.adjusted_wallace``, which are those
            of a mean.

        See Also
        --------
        adjusted_rand_score : The index itself.
        adjusted_wallace_score : The mean of the values of one side.

        Examples
        --------
        >>> from sklearn_clustcompare import cluster_decomposition
        >>> parts = cluster_decomposition(list("aaabb"), [0, 0, 0, 1, 1])
        >>> parts.adjusted_rand().true_weights
        array([0.375, 0.125])
        """
        pairs = count_pairs(self.table.square_sums, self.table)
        value = adjusted_rand(self.table.square_sums, self.table)
        first = pairs.true * (pairs.true_only + pairs.neither)
        second = pairs.pred * (pairs.pred_only + pairs.neither)
        both = first + second
        shares = (first / both, second / both) if both else (0.5, 0.5)
        return Recombination(
            value, shares[0] * self.true.pair_weights, shares[1] * self.pred.pair_weights, True
        )

    # ----------------------------------------------------------------- display

    def to_frame(self) -> pd.DataFrame:
        """Return all values of all clusters as a DataFrame, a row per cluster.

        The text shows only some clusters: use this to sort clusters by loss, filter by verdict, or
        save them all. Needs pandas.

        Returns
        -------
        pandas.DataFrame
            Columns ``side`` ("true" or "pred"), ``label``, ``size``, and the attributes of
            :class:`ClusterValues` of the same names. Clusters of ``labels_true`` come first.

        See Also
        --------
        ComparisonReport.to_dict : The same as plain data.

        Examples
        --------
        >>> from sklearn_clustcompare import cluster_decomposition
        >>> frame = cluster_decomposition(list("aaabb"), [0, 0, 1, 1, 1]).to_frame()
        >>> frame["verdict"].tolist()
        ['split', 'merged', 'part', 'merged']
        >>> frame.columns.tolist()[:6]
        ['side', 'label', 'size', 'value', 'expected', 'adjusted']
        """
        import pandas as pd

        return pd.concat(
            [
                pd.DataFrame({"side": side.side, **side.columns()})
                for side in (self.true, self.pred)
            ],
            ignore_index=True,
        )

    def __repr__(self) -> str:
        parts = [self._headline()]
        for side in (self.true, self.pred):
            header, body = cluster_rows(side, _MAX_SHOWN)
            table = f"\n{side_headline(side, side.name)}\n{text_table(header, body)}"
            parts.append(table if body else "")
        return "\n".join(parts).rstrip()

    def _repr_html_(self) -> str:
        parts = paragraphs((self._headline(),))
        for side in (self.true, self.pred):
            header, body = cluster_rows(side, _MAX_SHOWN, is_wide=True)
            parts.append(html_table(header, body, side_headline(side, side.name)))
        return "".join([*parts, *paragraphs((CLUSTER_LEGEND,))])

    def _headline(self) -> str:
        order = "" if self.q == 1 else f", q = {self.q:g}"
        return (
            f"ClusterDecomposition: {size_text(self.table.n_samples)} objects, R = {self.R:.4f}, "
            f"C = {self.C:.4f}{order}"
        )


def cluster_decomposition(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    data: TableLike = None,
    q: float = 1.0,
    high: float = HIGH,
    poor: float = POOR,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
) -> ClusterDecomposition:
    """Decompose indices of agreement into values of the single clusters.

    A single score does not show which cluster failed. Indices of information and of pairs are
    weighted means of values of the single clusters [1]_ [2]_. The values show which clusters
    failed, and the weights how much each cluster contributes to the score.

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
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    high : float, default=0.95
        Least adjusted value that the summaries count as high, in [0, 1].
    poor : float, default=0.5
        Largest adjusted value that the summaries count as poor, in [0, 1] and at most ``high``.
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
    ClusterDecomposition
        With ``R``, ``C``, ``R_i``, ``u_i``, ``C_j``, ``v_j``, ``sizes``, ``labels``, and in
        ``true`` and ``pred`` all values of the clusters of each side, including those adjusted for
        chance.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if a parameter is out of
        its range.
    TypeError
        If labels are not hashable, or ``q`` is not a real number.

    See Also
    --------
    clustering_comparison_report : The same in words, with the overall indices.
    homogeneity_score : Has the value R.
    completeness_score : Has the value C.
    normalized_mutual_info_score : A function of the two.

    Notes
    -----
    With the shares p_i = a_i / N, p_j = b_j / N and p_ij = n_ij / N, cluster i has the part
    h_i = (p_i - p_i^q) / (q - 1) of the entropy, for q = 1 its limit -p_i log p_i, and the part

        I_i = sum_j (p_ij - p_ij p_i^(q-1) - p_ij p_j^(q-1) + p_ij^q) / (q - 1)

    of the mutual information, for q = 1 its limit sum_j p_ij log(p_ij / (p_i p_j)). Then
    R_i = I_i / h_i, u_i = h_i / H_q and R = sum u_i R_i; likewise for C_j and v_j. R_i is 1 if all
    clusters that overlap cluster i lie within it. For q = 1 it is never negative, and 0 if cluster
    i is spread over the other partition as all objects are; for q > 1 it is not negative either,
    but in general not 0 in that case; for q < 1 it may be negative.

    Small clusters have high values by chance: with 500 random clusters of about 10 objects on each
    side no R_i is below 0.5. They are adjusted like the mutual information,

        adjusted R_i = (R_i - E R_i) / (1 - E R_i),  E R_i = E I_i / h_i,

    with the exact mean when the objects are permuted, from
    :meth:`PermutationModel.expected_cluster_information`. It is 0 on average for random
    partitions with the same cluster sizes, 1 where R_i is, and may fall far below 0 where
    E R_i is close to 1. Means need whole counts: for memberships and real-valued weights the
    adjusted values are NaN, and the summaries count R_i itself.

    E R_i is 1 for the only cluster of a partition, and for all clusters if the other partition
    has singletons only: no partition with these cluster sizes has another value. As in
    :func:`adjusted_mutual_info_score` this is not agreement beyond chance, and the adjusted value
    is 0, unless the cluster is also a cluster of the other partition: then it is 1. Equal
    partitions therefore have 1 everywhere.

    A weight -p log p is largest for a cluster with 1/e = 0.368 of the objects: of two
    clusters the smaller one weighs more, of many the larger ones. The authors propose equal
    weights per object instead, ``true.unit_weighted`` and ``pred.unit_weighted``.

    The values of pairs, such as ``true.wallace``, do not depend on ``q``.

    Limits: the only cluster of a partition has the value and the weight 1. No objects: R and
    C are 1.

    References
    ----------
    .. [1] H. van der Hoef, M. J. Warrens, "Understanding information theoretic measures for
       comparing clusterings", Behaviormetrika 46, 2019, :doi:`10.1007/s41237-018-0075-7`
    .. [2] M. J. Warrens, H. van der Hoef, "Understanding the adjusted Rand index and other
       partition comparison indices based on counting object pairs", Journal of Classification
       39, 2022, :doi:`10.1007/s00357-022-09413-z`

    Examples
    --------
    >>> from sklearn_clustcompare import cluster_decomposition
    >>> animals = ["fish"] * 4 + ["bird"] * 4 + ["frog"] * 2
    >>> found = [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    >>> decomposition = cluster_decomposition(animals, found)
    >>> decomposition
    ClusterDecomposition: 10 objects, R = 0.6380, C = 1.0000
    <BLANKLINE>
    3 clusters of labels_true
    label  size  agreement  adjusted  weight   lost  match  precision  recall  verdict
    bird      4       0.56      0.50   34.7%  42.5%      1       0.67    1.00  merged
    fish      4       1.00      1.00   34.7%   0.0%      0       1.00    1.00  kept
    frog      2       0.32      0.16   30.5%  57.5%    (1)       0.33    1.00  merged
    <BLANKLINE>
    2 clusters of labels_pred
    label  size  agreement  adjusted  weight  lost  match  precision  recall  verdict
        0     4       1.00      1.00   54.5%  0.0%   fish       1.00    1.00  kept
        1     6       1.00      1.00   45.5%  0.0%   bird       0.67    1.00  merged
    >>> bool(abs(decomposition.u_i @ decomposition.R_i - decomposition.R) < 1e-15)
    True
    """
    names = names_of(None, labels_true, labels_pred, data)
    labels_true, labels_pred, sample_weight = in_columns(
        data, labels_true=labels_true, labels_pred=labels_pred, sample_weight=sample_weight
    )
    entropy_order("q", q)
    check_limits(high, poor)
    reading = Reading(possibilistic, noise, noise_label, missing)
    table = count(labels_true, labels_pred, sample_weight, reading)
    return ClusterDecomposition(table, q, high, poor, names)


def check_limits(high: Any, poor: Any) -> None:
    """Check the limits from which on, and up to which, clusters count as found well or badly."""
    share("high", high)
    share("poor", poor)
    if poor > high:
        msg = f"poor must be at most high, got poor={poor!r} and high={high!r}"
        raise ValueError(msg)
