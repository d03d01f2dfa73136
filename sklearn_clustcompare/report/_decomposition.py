"""Values of the single clusters of two partitions, and their tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._array_types import Array, FloatArray, Mask, Positions
from sklearn_clustcompare._chance.permutation import has_permutation_model, permutation_model
from sklearn_clustcompare._numerics import deformed_log, entropy_excess, ordered_sum
from sklearn_clustcompare._parameters import entropy_order
from sklearn_clustcompare._partition import NAMES
from sklearn_clustcompare._rendering import (
    Drawn,
    Result,
    Rows,
    Table,
    form_of,
    html_table,
    n_clusters_text,
    number_texts,
    paragraphs,
    percent_texts,
    result_record,
    table_of,
    takes_no_path,
    text_table,
)
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.matching import largest_cells
from sklearn_clustcompare.indices._compares import Given, compares
from sklearn_clustcompare.indices._entropies import Information, entropies_within, entropy
from sklearn_clustcompare.indices._information import explained
from sklearn_clustcompare.indices._pairs import Pairs, adjusted_rand, count_pairs
from sklearn_clustcompare.indices._registry import INDICES
from sklearn_clustcompare.report._clusters import names_by_majority


def matches(table: ContingencyTable, *, of_pred: bool = False) -> tuple[Positions, Mask]:
    """Return the position of the cell that each cluster of a side shares with its match.

    Also, whether the two are matched one to one, with the most objects in matched pairs. A cluster
    without such a partner belongs to the cluster that has most of its objects.
    """
    codes = table.cell_cols if of_pred else table.cell_rows
    cells = largest_cells(codes, table.in_units.cell_counts, table.shape[of_pred])
    is_matched = np.zeros(len(cells), np.bool_)
    matched = table.optimal_matching
    cells[codes[matched]] = matched
    is_matched[codes[matched]] = True
    return cells, is_matched


def column_places(table: ContingencyTable) -> tuple[Positions, Mask]:
    """Return the row that each column belongs to, and whether the two are matched."""
    cells, is_matched = matches(table, of_pred=True)
    return table.cell_rows[cells], is_matched


# A cluster was kept if at least this share of it is in one of the other side, and vice versa.
KEPT = 0.75
# High and poor similarity (van der Hoef & Warrens 2018, section 6), there of unadjusted values.
HIGH, POOR = 0.95, 0.50
_QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


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
        Number of values of at least 0.95. These are the ``adjusted`` values, or ``values`` if
        ``is_adjusted`` is False.
    n_poor : int
        Number of values of at most 0.50.
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
    def mutual_info(self) -> dict[str, FloatArray]:
        rows, cols = permutation_model(self.table).expected_cluster_information(self.q)
        return {"true": rows, "pred": cols}

    @cached_property
    def lost(self) -> dict[str, FloatArray]:
        rows, cols = permutation_model(self.table).expected_cluster_conditional_entropy(self.q)
        return {"true": rows, "pred": cols}


class ClusterValues(Rows, eq=True):
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
    expected_parts: ExpectedParts = field(repr=False, compare=False)

    @property
    def labels(self) -> Array:
        return self.table.row_labels

    @property
    def sizes(self) -> Array:
        return self.table.row_sums

    # ----------------------------------------------------------------- information

    @cached_property
    def entropies(self) -> FloatArray:
        n, sizes = self.table.n_samples, self.sizes
        return sizes / n * deformed_log(n, sizes, self.q) if n else np.zeros(0)

    @cached_property
    def lost(self) -> FloatArray:
        table, n = self.table, self.table.n_samples
        partners = table.col_sums[table.cell_cols]
        weights = table.cell_counts / n if n else np.zeros(0)
        if self.q != 1:
            weights = weights * (partners / n) ** (self.q - 1)
        # Sums of memberships are rounded: a cluster may seem smaller than its part in another.
        partners = np.maximum(partners, table.cell_counts)
        return self._sums(weights * deformed_log(partners, table.cell_counts, self.q))

    @property
    def entropies_within(self) -> FloatArray:
        return entropies_within(self.table.T, self.q)

    @cached_property
    def mutual_info(self) -> FloatArray:
        mostly_lost = self._are_mostly(self.lost)
        return np.where(mostly_lost, self._information, self.entropies - self.lost)

    @cached_property
    def values(self) -> FloatArray:
        return self._shares_told(self.lost, self._information)

    def _shares_told(self, lost: FloatArray, information: FloatArray) -> FloatArray:
        """Return shares of the entropy that were not lost; 1 for a cluster without entropy."""
        shares = np.ones(len(self.sizes))
        some = self.entropies > 0
        share_lost, share_told = (part[some] / self.entropies[some] for part in (lost, information))
        shares[some] = np.where(self._are_mostly(lost)[some], share_told, 1.0 - share_lost)
        return np.clip(shares, 0.0 if self.q >= 1 else None, 1.0)

    def _are_mostly(self, lost: FloatArray) -> Mask:
        return lost > 0.75 * self.entropies

    @cached_property
    def _information(self) -> FloatArray:
        """Parts in the mutual information, without subtracting where a cluster has little."""
        if self.q != 1 or not len(self.sizes):
            return self.entropies - self.lost
        table, n = self.table, self.table.n_samples
        expected, deviations = table.expected_cells
        excess = entropy_excess(table.cell_counts.astype(np.float64), deviations, expected)
        return (self._sums(excess) + self.sizes * (self._unmet / n)) / n

    @property
    def _unmet(self) -> Array:
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
    def expected(self) -> FloatArray:
        if not self.is_adjusted:
            return np.full(len(self.sizes), np.nan)
        return self._shares_told(self._expected_lost, self._expected_information)

    @cached_property
    def adjusted(self) -> FloatArray:
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
    def _expected_lost(self) -> FloatArray:
        return self.expected_parts.lost[self.side]

    @property
    def _expected_information(self) -> FloatArray:
        if self.q != 1:
            return self.entropies - self._expected_lost
        return self.expected_parts.mutual_info[self.side]

    @property
    def _lose_nothing_ever(self) -> Mask:
        """Whether a cluster has no information to lose, or cannot lose it to singletons."""
        to_singletons = self.table.shape[1] == self.table.n_samples
        return to_singletons | (self.sizes == self.table.n_samples)

    # ----------------------------------------------------------------- weights

    @cached_property
    def weights(self) -> FloatArray:
        total = entropy(self.sizes, self.q)
        return self.entropies / total if total else self._object_shares

    @property
    def _object_shares(self) -> FloatArray:
        return self.sizes / self.table.n_samples if self.table.n_samples else np.zeros(0)

    @cached_property
    def overall(self) -> float:
        return explained(Information(self.table, self.q), 0)

    @cached_property
    def unit_weighted(self) -> float:
        if not len(self.sizes):
            return 1.0
        return min(ordered_sum(self._object_shares * self.values), 1.0)

    @cached_property
    def lost_share(self) -> FloatArray:
        total = ordered_sum(self.lost)
        return self.lost / total if total else np.zeros(len(self.lost))

    # ----------------------------------------------------------------- pairs

    @cached_property
    def _pairs(self) -> FloatArray:
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
    def wallace(self) -> FloatArray:
        counts = self.table.cell_counts
        kept = self._sums(counts.astype(np.float64) * (counts - 1))
        return self._per_pair(kept)

    @cached_property
    def adjusted_wallace(self) -> FloatArray:
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

    def _per_pair(self, kept: FloatArray) -> FloatArray:
        if self.table.is_identity:
            return np.ones(len(self.sizes))
        undefined = np.full(len(self.sizes), np.nan)
        if self._kinds_of_pairs is None:
            return undefined
        return np.divide(kept, self._pairs, out=undefined, where=self._pairs != 0)

    @cached_property
    def pair_weights(self) -> FloatArray:
        total = ordered_sum(self._pairs)
        if total:
            return self._pairs / total
        return self._object_shares if self.table.is_identity else np.zeros(len(self.sizes))

    # ----------------------------------------------------------------- matches

    @cached_property
    def _matches(self) -> tuple[FloatArray, Positions, Mask]:
        """Common objects of each cluster and its match, the match, and if it is one to one.

        Both sides show one matching: of several that tie, the turned table may have another.
        """
        table, of_pred = self.table, self.side == "pred"
        table = table.T if of_pred else table
        cells, is_matched = matches(table, of_pred=of_pred)
        others = table.cell_rows if of_pred else table.cell_cols
        return table.cell_counts[cells], others[cells], is_matched

    @property
    def _common(self) -> Array:
        return self._matches[0]

    @property
    def _match_sizes(self) -> Array:
        return self.table.col_sums[self._matches[1]]

    @property
    def match(self) -> Array:
        return self.table.col_labels[self._matches[1]]

    @property
    def is_matched(self) -> Mask:
        return self._matches[2]

    @property
    def precision(self) -> FloatArray:
        return self._share_of(self._match_sizes if self.side == "true" else self.sizes)

    @property
    def recall(self) -> FloatArray:
        return self._share_of(self.sizes if self.side == "true" else self._match_sizes)

    def _share_of(self, sizes: Array) -> FloatArray:
        return np.minimum(self._common / sizes, 1.0)

    @property
    def f_score(self) -> FloatArray:
        return np.minimum(2 * self._common / (self.sizes + self._match_sizes), 1.0)

    @property
    def jaccard(self) -> FloatArray:
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
        n_high, n_poor = int((values >= HIGH).sum()), int((values <= POOR).sum())
        return ClusterSummary(len(values), n_high, n_poor, tuple(quantiles))

    def columns(self) -> dict[str, Array]:
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

    _columns = columns

    def _headline(self) -> str:
        return f"ClusterValues: {len(self.sizes)} clusters of {self.name}"

    def _shown(self) -> Table:
        columns = self.columns()
        shown = ("label", "size", "value", "adjusted", "weight", "lost_share", "match", "verdict")
        return table_of({name: columns[name] for name in shown}, names=("label", "match"))

    def _sums(self, of_cells: Array) -> Array:
        """Add up values of the cells for each cluster, in an order that names do not change."""
        table = self.table
        if not len(of_cells):
            return np.zeros(0)
        ordered = of_cells[np.lexsort((of_cells, table.cell_rows))]
        return np.add.reduceat(ordered, np.searchsorted(table.cell_rows, np.arange(table.shape[0])))


# Titles of the columns of ClusterValues that are shown.
_TITLES = {
    "label": "label",
    "size": "size",
    "value": "agreement",
    "adjusted": "adjusted",
    "weight": "weight",
    "lost_share": "lost",
    "match": "match",
    "precision": "precision",
    "recall": "recall",
    "f_score": "F",
    "jaccard": "Jaccard",
    "verdict": "verdict",
}
# Where there is no room, functions of precision and recall are left out. In a page the numbers come
# first, and the longest names last.
_NARROW = tuple(name for name in _TITLES if name not in ("f_score", "jaccard"))
_WIDE = (*(name for name in _TITLES if name != "match"), "match")
_SHARES = ("weight", "lost_share")

CLUSTER_LEGEND = (
    "agreement: share of the information about the cluster that the other partition holds (R_i of "
    "the reference, C_j of the candidate); adjusted: the same beyond chance, 0 on average for "
    "random partitions and 1 if nothing is lost; weight: weight of the cluster in the mean (u_i, "
    "v_j); lost: its share of the information that is lost; match: cluster of the other side, one "
    "to one with the most objects in matched pairs, or in parentheses, for a cluster that is left "
    "over, the one with most of its objects; precision, recall: of the match; verdict, by the "
    "cluster with most of its objects: split (in the candidate: part of a split one) if less than "
    f"{KEPT:g} of the reference cluster is in both, merged if less than {KEPT:g} of the candidate "
    "cluster is, else kept."
)


def side_headline(side: ClusterValues, name: str) -> str:
    """Name a side and count its clusters."""
    return f"{n_clusters_text(len(side.sizes))} of {name}"


def cluster_rows(
    side: ClusterValues, max_clusters: int, digits: int = 2, *, is_wide: bool = False
) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of a table of clusters, as text.

    Of too many clusters those are kept that lost most of the information, the worst first.
    """
    names = _WIDE if is_wide else _NARROW
    titles = {name: _TITLES[name] for name in names if side.is_adjusted or name != "adjusted"}
    shown = np.arange(len(side.sizes))
    if len(shown) > max_clusters:
        shown = np.argsort(-side.lost_share, kind="stable")[:max_clusters]
    values = side.columns()
    columns = [
        label_texts(side.labels[shown], side.labels)
        if name == "label"
        else _match_texts(side, shown)
        if name == "match"
        else _texts(name, values[name][shown], digits)
        for name in titles
    ]
    return list(titles.values()), [list(row) for row in zip(*columns, strict=True)]


def _match_texts(side: ClusterValues, shown: Positions) -> list[str]:
    """Return the labels of matches, in parentheses if they are not one to one."""
    texts = label_texts(side.match[shown], side.table.col_labels)
    is_matched = side.is_matched[shown].tolist()
    return [text if own else f"({text})" for text, own in zip(texts, is_matched, strict=True)]


def _texts(name: str, values: Array, digits: int) -> list[str]:
    if name == "verdict":
        return list(values.tolist())
    if name == "size":
        return list(map(size_text, values.tolist()))
    if name in _SHARES:
        return percent_texts(values.tolist(), digits)
    return number_texts(values.tolist(), digits)


def size_text(size: float) -> str:
    """Return a number of objects: whole ones in full, fractional ones in six digits."""
    return f"{size:.6g}" if size < 1e5 and size % 1 else f"{size:.0f}"


def label_texts(labels: Array, all_labels: Array | None = None) -> list[str]:
    """Return labels as text; dates not as the numbers that NumPy makes of them.

    If two of ``all_labels``, by default the labels themselves, are equal as text, such as 1 and
    "1", labels are written as literals.
    """
    if labels.dtype.kind in "mM":
        return list(labels.astype(str).tolist())
    known = labels if all_labels is None else all_labels
    form = form_of(known.tolist()) if known.dtype.kind == "O" else str
    return list(map(form, labels.tolist()))


# Clusters that the text and HTML of a decomposition show on each side.
_MAX_SHOWN = 10


@result_record
class Recombination(NamedTuple):
    """An overall index as a mean over the clusters of both sides.

    ``value`` is ``sum(true_weights * x) + sum(pred_weights * y)`` with the values x and y of
    the clusters, and weights that add up to 1; where a weight is 0, the value may be undefined and
    does not count. It is a named tuple: all parameters are attributes of the same names.

    Parameters
    ----------
    value : float
        The overall index.
    true_weights : ndarray of shape (n_true,)
        Weights of the clusters of ``labels_true``.
    pred_weights : ndarray of shape (n_pred,)
        Weights of the clusters of ``labels_pred``.

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
    >>> round(nmi.value, 3), round(float(total), 3)
    (0.479, 0.479)
    """

    value: float
    true_weights: FloatArray
    pred_weights: FloatArray


class ClusterDecomposition(Drawn, Result, eq=True):
    """Result of :func:`cluster_decomposition`: the overall indices, cluster by cluster.

    All values are computed from the table on access, and then kept.

    Parameters
    ----------
    table : ContingencyTable
        The :term:`contingency table` of the two partitions.
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
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
        return ClusterValues(table, self.q, side, name, self._expected_parts)

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
    def R_i(self) -> FloatArray:
        """Value of each cluster of ``labels_true``."""
        return self.true.values

    @property
    def C_j(self) -> FloatArray:
        """Value of each cluster of ``labels_pred``."""
        return self.pred.values

    @property
    def u_i(self) -> FloatArray:
        """Weight of each cluster of ``labels_true``."""
        return self.true.weights

    @property
    def v_j(self) -> FloatArray:
        """Weight of each cluster of ``labels_pred``."""
        return self.pred.weights

    @property
    def sizes(self) -> tuple[Array, Array]:
        """Cluster sizes of both sides."""
        return self.true.sizes, self.pred.sizes

    @property
    def labels(self) -> tuple[Array, Array]:
        """Cluster labels of both sides."""
        return self.true.labels, self.pred.labels

    # ----------------------------------------------------------------- overall indices

    def normalized_mutual_info(self) -> Recombination:
        """Decompose the normalized mutual information into the values R_i and C_j.

        Weight times value is the contribution of a cluster to the index, and weight times (1 -
        value) is its loss.

        Returns
        -------
        Recombination
            Weights of R_i and C_j.

        See Also
        --------
        normalized_mutual_info_score : The index itself.

        Notes
        -----
        Half of the mutual information is the sum of u_i R_i H(true) / 2 and the other half that
        of v_j C_j H(pred) / 2; divided by the mean of the entropies, these are the weights. Of the
        other means, the score is R or C for "max" and "min", the square root of R C for
        "geometric", and 1 / (1/R + 1/C - 1) for "joint".

        Examples
        --------
        >>> from sklearn_clustcompare import cluster_decomposition
        >>> parts = cluster_decomposition(list("aaabbc"), [0, 0, 1, 1, 1, 2])
        >>> nmi = parts.normalized_mutual_info()
        >>> nmi.true_weights.round(2), nmi.pred_weights.round(2)
        (array([0.17, 0.18, 0.15]), array([0.18, 0.17, 0.15]))
        """
        seen = Information(self.table, self.q)
        formula = INDICES["normalized_mutual_info_score"].of_statistic
        first, second = seen.entropies
        total = first + second
        shares = (first / total, second / total) if total else (0.5, 0.5)
        return Recombination(
            formula(seen, self.table), float(shares[0]) * self.u_i, float(shares[1]) * self.v_j
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
            value, shares[0] * self.true.pair_weights, shares[1] * self.pred.pair_weights
        )

    # ----------------------------------------------------------------- display

    @takes_no_path
    def to_frame(self) -> Any:
        """Return all values of all clusters as a DataFrame, a row per cluster.

        The text shows only some clusters: use this to sort clusters by loss, filter by verdict, or
        save them all. Needs pandas.

        Returns
        -------
        pandas.DataFrame
            Columns ``side`` ("true" or "pred"), ``label``, ``size``, and the attributes of
            :class:`ClusterValues` of the same names; and ``name``, of the reference the label as
            text, of the candidate that of :func:`~sklearn_clustcompare.report.cluster_names`.
            Clusters of ``labels_true`` come first.

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

        names = label_texts(self.true.labels), names_by_majority(self.table)
        return pd.concat(
            [
                pd.DataFrame({"side": side.side, **side.columns(), "name": own})
                for side, own in zip((self.true, self.pred), names, strict=True)
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


@compares("labels_true", "labels_pred", "sample_weight")
def cluster_decomposition(given: Given, *, q: float = 1.0) -> ClusterDecomposition:
    """Decompose indices of agreement into values of the single clusters.

    A single score does not show which cluster failed. Indices of information and of pairs are
    weighted means of values of the single clusters [1]_ [2]_. The values show which clusters
    failed, and the weights how much each cluster contributes to the score.

    Parameters
    ----------
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.

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
    entropy_order("q", q)
    return ClusterDecomposition(given.table(), q, given.titles())
