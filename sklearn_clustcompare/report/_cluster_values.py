"""The values of the single clusters of one partition, given the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._chance.permutation import has_permutation_model, permutation_model
from sklearn_clustcompare._numerics import deformed_log, entropy_excess, ordered_sum
from sklearn_clustcompare._rendering import Shown, Table, record_html, result_record, table_of
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices._entropies import Information, entropies_within, entropy
from sklearn_clustcompare.indices._information import explained
from sklearn_clustcompare.indices._pairs import Pairs, count_pairs
from sklearn_clustcompare.report._matched import matches

# A cluster was kept if at least this share of it is in one of the other side, and vice versa.
KEPT = 0.75
# High and poor similarity (van der Hoef & Warrens 2018, section 6), there of unadjusted values.
HIGH, POOR = 0.95, 0.50
_QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)

Values = NDArray[np.float64]


@result_record
class ClusterSummary(NamedTuple):
    """Summary of the values of many clusters, adjusted for chance where possible.

    With many clusters, look at it before the single values. It is a named tuple: all parameters are
    attributes of the same names.

    Parameters
    ----------
    n_clusters : int
        Number of clusters.
    n_high : int
        Number of values of at least ``high`` (0.95 by default). These are the ``adjusted`` values,
        or ``values`` if ``is_adjusted`` is False.
    n_poor : int
        Number of values of at most ``poor`` (0.50 by default).
    quantiles : tuple of float
        Smallest value, quartiles and largest, with each cluster counting once; empty if there are
        no clusters.

    See Also
    --------
    ClusterValues : The values themselves.

    Examples
    --------
    >>> from sklearn_clustcompare import cluster_decomposition
    >>> parts = cluster_decomposition(list("aaaabbcc"), [0, 0, 0, 0, 1, 1, 1, 1])
    >>> parts.true.summary.n_high, parts.true.summary.n_poor
    (1, 2)
    >>> [round(quantile, 2) for quantile in parts.true.summary.quantiles]
    [0.36, 0.36, 0.36, 0.68, 1.0]
    """

    n_clusters: int
    n_high: int
    n_poor: int
    quantiles: tuple[float, ...]

    def _repr_html_(self) -> str:
        return record_html("ClusterSummary", self._asdict())


@dataclass(frozen=True)
class ExpectedParts:
    """Means under permutation of the parts of the clusters of both sides.

    The two sides share the sums over pairs of cluster sizes, which are computed on access.
    """

    table: ContingencyTable
    q: float

    @property
    def are_known(self) -> bool:
        return has_permutation_model(self.table)

    @cached_property
    def mutual_info(self) -> dict[str, Values]:
        rows, cols = permutation_model(self.table).expected_cluster_information(self.q)
        return {"true": rows, "pred": cols}

    @cached_property
    def lost(self) -> dict[str, Values]:
        rows, cols = permutation_model(self.table).expected_cluster_conditional_entropy(self.q)
        return {"true": rows, "pred": cols}


@result_record
@dataclass(frozen=True, repr=False)
class ClusterValues(Shown):
    """Values of all clusters of one side of a comparison; made by :func:`cluster_decomposition`.

    Printed, and as HTML in a notebook, it shows a row for each cluster. All values are arrays in
    the order of ``labels``, computed on access. The parameters are attributes of the same names,
    which cannot be set.

    Parameters
    ----------
    table : ContingencyTable
        The :term:`contingency table` of the two partitions.
    q : float
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    side : {"true", "pred"}
        The partition of the clusters, which are the rows of the table.
    name : str
        Name of this partition: that of its Series, or else of the argument.
    high : float
        Least adjusted value that the summaries count as high, in [0, 1].
    poor : float
        Largest adjusted value that the summaries count as poor, in [0, 1] and at most ``high``.
    expected_parts : ExpectedParts
        Means of the parts of all clusters under permutation, shared by the two sides.

    Attributes
    ----------
    labels : ndarray of shape (n_clusters,)
        Their labels; column numbers for memberships.
    sizes : ndarray of shape (n_clusters,)
        Number of objects, or sum of weights.
    entropies : ndarray of shape (n_clusters,)
        Part of each cluster in the entropy of the partition, in nats.
    lost : ndarray of shape (n_clusters,)
        Part of each cluster in the conditional entropy given the other partition, in nats.
    entropies_within : ndarray of shape (n_clusters,)
        Entropy of the other partition among the objects of the cluster, in nats: for the clusters
        of ``labels_pred``, H(true | pred = j). For q = 1 their mean, weighted by the sizes, is the
        conditional entropy of the other partition.
    mutual_info : ndarray of shape (n_clusters,)
        Part in the mutual information, in nats; ``entropies`` is ``lost + mutual_info``.
    values : ndarray of shape (n_clusters,)
        ``mutual_info / entropies``, R_i or C_j: in [0, 1], below q = 1 possibly negative.
    is_adjusted : bool
        Whether ``expected`` and ``adjusted`` are known: if counts are whole, of at most 2**53
        objects. Otherwise both are NaN: for memberships and for real-valued weights.
    expected : ndarray of shape (n_clusters,)
        Exact mean of ``values`` when the objects are permuted at random.
    adjusted : ndarray of shape (n_clusters,)
        ``(values - expected) / (1 - expected)``, at most 1: 0 is the mean for random partitions
        with the same cluster sizes. Where ``values`` is 1 for all of them, it is 1 for a cluster
        that is a cluster of the other partition as well, and else 0. NaN where counts are not
        whole numbers.
    weights : ndarray of shape (n_clusters,)
        Share of the entropy, u_i or v_j; adds up to 1.
    overall : float
        ``sum(weights * values)``, R or C.
    unit_weighted : float
        Mean of ``values`` in which each object has the same weight.
    lost_share : ndarray of shape (n_clusters,)
        Share of the lost information; all 0 if nothing was lost.
    wallace : ndarray of shape (n_clusters,)
        Probability that two objects of the cluster are together in the other partition as
        well. NaN for clusters of one object, which have no pairs, and for all clusters if weights
        are not frequencies, so that there are no pairs. In [0, 1] for whole counts.
    adjusted_wallace : ndarray of shape (n_clusters,)
        The same adjusted for chance: 0 is the value of two random objects, 1 the maximum. NaN if
        there are no pairs, or if the other partition is one cluster.
    pair_weights : ndarray of shape (n_clusters,)
        Share of the pairs: the overall Wallace indices are means of those of the clusters with
        these weights. All 0 if no cluster has a pair.
    match : ndarray of shape (n_clusters,)
        Label of the cluster of the other side that it is matched with, one to one with the most
        objects in matched pairs as in :func:`match_clusters`; for clusters that are left over, that
        of the cluster with most of their objects.
    is_matched : ndarray of bool of shape (n_clusters,)
        Whether it is matched one to one.
    precision, recall : ndarray of shape (n_clusters,)
        Objects that cluster and match have in common, as a share of the one in ``labels_pred`` and
        of the one in ``labels_true``.
    f_score, jaccard : ndarray of shape (n_clusters,)
        Harmonic mean of precision and recall; common objects as a share of all objects of the two.
    verdict : ndarray of shape (n_clusters,)
        Whether it was found, by the cluster of the other side that has most of its objects, matched
        with it or not. For a cluster of ``labels_true``: "split" if it has less than 75% of them,
        "merged" with others if less than 75% of its own are of the cluster, "split and merged" if
        both, else "kept". For a cluster of ``labels_pred``: "merged" from several if it has less
        than 75% of them, "part" of it if it has others, by the same share. The threshold is ours.
    summary : ClusterSummary
        Numbers of high and poor adjusted values, and their quantiles.

    See Also
    --------
    cluster_decomposition : Makes one for each side, ``true`` and ``pred``.

    Examples
    --------
    >>> from sklearn_clustcompare import cluster_decomposition
    >>> found = cluster_decomposition(list("aaabb"), [0, 0, 1, 1, 1]).pred
    >>> found.match.tolist(), found.verdict.tolist()
    (['a', 'b'], ['part', 'merged'])
    """

    table: ContingencyTable = field(repr=False)
    q: float
    side: str
    name: str
    high: float
    poor: float
    expected_parts: ExpectedParts = field(repr=False, compare=False)

    @property
    def labels(self) -> NDArray[Any]:
        return self.table.row_labels

    @property
    def sizes(self) -> NDArray[Any]:
        return self.table.row_sums

    # ----------------------------------------------------------------- information

    @cached_property
    def entropies(self) -> Values:
        n, sizes = self.table.n_samples, self.sizes
        return sizes / n * deformed_log(n, sizes, self.q) if n else np.zeros(0)

    @cached_property
    def lost(self) -> Values:
        table, n = self.table, self.table.n_samples
        partners = table.col_sums[table.cell_cols]
        weights = table.cell_counts / n if n else np.zeros(0)
        if self.q != 1:
            weights = weights * (partners / n) ** (self.q - 1)
        # Sums of memberships are rounded: a cluster may seem smaller than its part in another.
        partners = np.maximum(partners, table.cell_counts)
        return self._sums(weights * deformed_log(partners, table.cell_counts, self.q))

    @property
    def entropies_within(self) -> Values:
        return entropies_within(self.table.T, self.q)

    @cached_property
    def mutual_info(self) -> Values:
        mostly_lost = self._are_mostly(self.lost)
        return np.where(mostly_lost, self._information, self.entropies - self.lost)

    @cached_property
    def values(self) -> Values:
        return self._shares_told(self.lost, self._information)

    def _shares_told(self, lost: Values, information: Values) -> Values:
        """Return shares of the entropy that were not lost; 1 for a cluster without entropy."""
        shares = np.ones(len(self.sizes))
        some = self.entropies > 0
        share_lost, share_told = (part[some] / self.entropies[some] for part in (lost, information))
        shares[some] = np.where(self._are_mostly(lost)[some], share_told, 1.0 - share_lost)
        return np.clip(shares, 0.0 if self.q >= 1 else None, 1.0)

    def _are_mostly(self, lost: Values) -> NDArray[np.bool_]:
        return lost > 0.75 * self.entropies

    @cached_property
    def _information(self) -> Values:
        """Parts in the mutual information, without subtracting where a cluster has little."""
        if self.q != 1 or not len(self.sizes):
            return self.entropies - self.lost
        table, n = self.table, self.table.n_samples
        expected, deviations = table.expected_cells
        excess = entropy_excess(table.cell_counts.astype(np.float64), deviations, expected)
        return (self._sums(excess) + self.sizes * (self._unmet / n)) / n

    @property
    def _unmet(self) -> NDArray[Any]:
        """Objects in clusters of the other side that share nothing with the cluster."""
        table = self.table
        met = self._sums(table.col_sums[table.cell_cols])
        meets_all = np.bincount(table.cell_rows, minlength=table.shape[0]) == table.shape[1]
        return np.where(meets_all, 0, np.maximum(table.n_samples - met, 0))

    # ----------------------------------------------------------------- chance

    @property
    def is_adjusted(self) -> bool:
        return self.expected_parts.are_known

    @cached_property
    def expected(self) -> Values:
        if not self.is_adjusted:
            return np.full(len(self.sizes), np.nan)
        return self._shares_told(self._expected_lost, self._expected_information)

    @cached_property
    def adjusted(self) -> Values:
        adjusted = np.full(len(self.sizes), np.nan)
        if not self.is_adjusted:
            return adjusted
        # (R - E R) / (1 - E R) in terms of the lost information, which keeps its digits close to 1.
        expected = self._expected_lost
        gain = np.where(
            self._are_mostly(self.lost),
            self._information - self._expected_information,
            expected - self.lost,
        )
        np.divide(gain, expected, out=adjusted, where=expected > 0)
        return np.where(self._lose_nothing_ever, self.jaccard == 1, adjusted)

    @property
    def _expected_lost(self) -> Values:
        return self.expected_parts.lost[self.side]

    @property
    def _expected_information(self) -> Values:
        if self.q != 1:
            return self.entropies - self._expected_lost
        return self.expected_parts.mutual_info[self.side]

    @property
    def _lose_nothing_ever(self) -> NDArray[np.bool_]:
        """Whether a cluster has no information to lose, or cannot lose it to singletons."""
        to_singletons = self.table.shape[1] == self.table.n_samples
        return to_singletons | (self.sizes == self.table.n_samples)

    # ----------------------------------------------------------------- weights

    @cached_property
    def weights(self) -> Values:
        total = entropy(self.sizes, self.q)
        return self.entropies / total if total else self._object_shares

    @property
    def _object_shares(self) -> Values:
        return self.sizes / self.table.n_samples if self.table.n_samples else np.zeros(0)

    @cached_property
    def overall(self) -> float:
        return explained(Information(self.table, self.q))[0]

    @cached_property
    def unit_weighted(self) -> float:
        if not len(self.sizes):
            return 1.0
        return min(ordered_sum(self._object_shares * self.values), 1.0)

    @cached_property
    def lost_share(self) -> Values:
        total = ordered_sum(self.lost)
        return self.lost / total if total else np.zeros(len(self.lost))

    # ----------------------------------------------------------------- pairs

    @cached_property
    def _pairs(self) -> Values:
        """Twice the number of pairs of objects in each cluster."""
        return self.sizes.astype(np.float64) * (self.sizes - 1)

    @cached_property
    def _kinds_of_pairs(self) -> Pairs | None:
        """Numbers of pairs, None unless counts are of objects: sums of shares have none."""
        try:
            return count_pairs(self.table.square_sums, self.table)
        except ValueError:
            return None

    @cached_property
    def wallace(self) -> Values:
        counts = self.table.cell_counts
        kept = self._sums(counts.astype(np.float64) * (counts - 1))
        return self._per_pair(kept)

    @cached_property
    def adjusted_wallace(self) -> Values:
        table, pairs = self.table, self._kinds_of_pairs
        apart = pairs.true_only + pairs.neither if pairs else 0
        if not pairs or not apart:
            return self._per_pair(np.full(len(self.sizes), np.nan))
        # From the separated pairs, since the others may be nearly all.
        own = self.sizes[table.cell_rows]
        separated = self._sums(
            table.cell_counts.astype(np.float64) * np.maximum(own - table.cell_counts, 0)
        )
        return self._per_pair(self._pairs - separated * (pairs.total / apart))

    def _per_pair(self, kept: Values) -> Values:
        if self.table.is_identity:
            return np.ones(len(self.sizes))
        undefined = np.full(len(self.sizes), np.nan)
        if self._kinds_of_pairs is None:
            return undefined
        return np.divide(kept, self._pairs, out=undefined, where=self._pairs != 0)

    @cached_property
    def pair_weights(self) -> Values:
        total = ordered_sum(self._pairs)
        if total:
            return self._pairs / total
        return self._object_shares if self.table.is_identity else np.zeros(len(self.sizes))

    # ----------------------------------------------------------------- matches

    @cached_property
    def _matches(self) -> tuple[Values, NDArray[np.intp], NDArray[np.bool_]]:
        """Common objects of each cluster and its match, the match, and if it is one to one.

        Both sides show one matching: of several that tie, the turned table may have another.
        """
        table, of_pred = self.table, self.side == "pred"
        table = table.T if of_pred else table
        cells, is_matched = matches(table, of_pred=of_pred)
        others = table.cell_rows if of_pred else table.cell_cols
        return table.cell_counts[cells], others[cells], is_matched

    @property
    def _common(self) -> NDArray[Any]:
        return self._matches[0]

    @property
    def _match_sizes(self) -> NDArray[Any]:
        return self.table.col_sums[self._matches[1]]

    @property
    def match(self) -> NDArray[Any]:
        return self.table.col_labels[self._matches[1]]

    @property
    def is_matched(self) -> NDArray[np.bool_]:
        return self._matches[2]

    @property
    def precision(self) -> Values:
        return self._share_of(self._match_sizes if self.side == "true" else self.sizes)

    @property
    def recall(self) -> Values:
        return self._share_of(self.sizes if self.side == "true" else self._match_sizes)

    def _share_of(self, sizes: NDArray[Any]) -> Values:
        return np.minimum(self._common / sizes, 1.0)

    @property
    def f_score(self) -> Values:
        return np.minimum(2 * self._common / (self.sizes + self._match_sizes), 1.0)

    @property
    def jaccard(self) -> Values:
        union = self.sizes + (self._match_sizes - self._common)
        return np.minimum(self._common / union, 1.0)

    @property
    def verdict(self) -> NDArray[np.str_]:
        table = self.table
        counts, both = table.cell_counts, table.row_sums[table.cell_rows]
        both = both + table.col_sums[table.cell_cols]
        order = np.lexsort((-(counts / both), -counts, table.cell_rows))
        most = order[np.searchsorted(table.cell_rows, np.arange(table.shape[0]))]
        is_scattered = counts[most] < KEPT * self.sizes
        is_part = counts[most] < KEPT * table.col_sums[table.cell_cols[most]]
        incomplete, merged = is_scattered, is_part
        if self.side == "pred":
            incomplete, merged = merged, incomplete
        # A cluster of the candidate was not split: it is a part of a reference cluster that was.
        name = "split" if self.side == "true" else "part"
        return np.where(
            incomplete,
            np.where(merged, "split and merged", name),
            np.where(merged, "merged", "kept"),
        )

    # ----------------------------------------------------------------- summary

    @cached_property
    def summary(self) -> ClusterSummary:
        """Numbers of high and poor adjusted values, and their quantiles."""
        values = self.adjusted if self.is_adjusted else self.values
        quantiles = np.quantile(values, _QUANTILES).tolist() if len(values) else []
        n_high, n_poor = int((values >= self.high).sum()), int((values <= self.poor).sum())
        return ClusterSummary(len(values), n_high, n_poor, tuple(quantiles))

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return the values as columns of a table with a row per cluster.

        Use it for tables of other libraries; with pandas use :meth:`ClusterDecomposition.to_frame`,
        which contains both sides.

        Returns
        -------
        dict of str to ndarray of shape (n_clusters,)
            ``label``, ``size``, ``value``, ``expected``, ``adjusted``, ``weight``,
            ``lost_share``, ``entropy_within``, ``wallace``, ``adjusted_wallace``,
            ``pair_weight``, ``match``, ``is_matched``, ``precision``, ``recall``, ``f_score``,
            ``jaccard`` and ``verdict``.

        See Also
        --------
        ClusterDecomposition.to_frame : A DataFrame with the clusters of both sides.

        Examples
        --------
        >>> from sklearn_clustcompare import cluster_decomposition
        >>> columns = cluster_decomposition(list("aaabb"), [0, 0, 1, 1, 1]).true.columns()
        >>> columns["label"], columns["match"]
        (array(['a', 'b'], dtype=object), array([0, 1]))
        """
        return {
            "label": self.labels,
            "size": self.sizes,
            "value": self.values,
            "expected": self.expected,
            "adjusted": self.adjusted,
            "weight": self.weights,
            "lost_share": self.lost_share,
            "entropy_within": self.entropies_within,
            "wallace": self.wallace,
            "adjusted_wallace": self.adjusted_wallace,
            "pair_weight": self.pair_weights,
            "match": self.match,
            "is_matched": self.is_matched,
            "precision": self.precision,
            "recall": self.recall,
            "f_score": self.f_score,
            "jaccard": self.jaccard,
            "verdict": self.verdict,
        }

    def _headline(self) -> str:
        return f"ClusterValues: {len(self.sizes)} clusters of {self.name}"

    def _shown(self) -> Table:
        columns = self.columns()
        shown = ("label", "size", "value", "adjusted", "weight", "lost_share", "match", "verdict")
        return table_of({name: columns[name] for name in shown}, names=("label", "match"))

    def _sums(self, of_cells: NDArray[Any]) -> NDArray[Any]:
        """Add up values of the cells for each cluster, in an order that names do not change."""
        table = self.table
        if not len(of_cells):
            return np.zeros(0)
        ordered = of_cells[np.lexsort((of_cells, table.cell_rows))]
        return np.add.reduceat(ordered, np.searchsorted(table.cell_rows, np.arange(table.shape[0])))
