"""Indices that match clusters of one partition with clusters of the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import breadth_first_order, maximum_bipartite_matching

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Mask, Positions
from sklearn_clustcompare._numerics import equal_ties, ordered_sum, sum_of_quotients
from sklearn_clustcompare._parameters import boolean, non_negative
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.matching import graph_of, largest_values, optimal_matching
from sklearn_clustcompare.indices._index import index
from sklearn_clustcompare.indices._pairs import is_certain
from sklearn_clustcompare.indices._record import REGISTERED, Index, ratio
from sklearn_clustcompare.indices._sums import (
    MAXIMUM,
    WAGNER,
    CountedIn,
    SizedCells,
    normalized_distance_properties,
)

# The lowest and the highest value over all assignments of noise objects.


def purity_bounds(
    table: ContingencyTable, row_is_noise: Mask, col_is_noise: Mask
) -> tuple[float, float]:
    certain = is_certain(table, row_is_noise, col_is_noise)
    n = table.n_samples
    if n == 0:
        return 1.0, 1.0
    counts = table.cell_counts[certain]
    largest = largest_values(table.cell_cols[certain], counts, table.shape[1])
    low = max(
        int(np.maximum(largest, 1)[~col_is_noise].sum()),
        int(table.row_sums[~row_is_noise].max(initial=1)),
    )
    high = int(largest.sum()) + n - int(counts.sum())
    return low / n, high / n


def inverse_purity_bounds(
    table: ContingencyTable, row_is_noise: Mask, col_is_noise: Mask
) -> tuple[float, float]:
    return purity_bounds(table.T, col_is_noise, row_is_noise)


# Tables of more cells are matched one by one, as sparse ones.
_MANY_CELLS = 2**10

# Greedy matching as a function of the partitions, even if cells tie.
#
# Greedy matching repeatedly takes the largest cell whose row and column are free. If several cells
# tie, different choices lead to different sums. Here the matching has as many of the largest cells
# as possible; among those, as many of the next largest, and so on. Such matchings are called rank-
# maximal, and all of them have the same sum.
#
# R. W. Irving, T. Kavitha, K. Mehlhorn, D. Michail, K. Paluch, "Rank-maximal matchings", ACM
# Transactions on Algorithms 2(4), 2006.


def greedy_overlap(table: ContingencyTable) -> Any:
    """Return the number of objects in the cells that greedy matching takes."""
    units = table.in_units.cell_counts
    order = np.argsort(-units, kind="stable")
    counts = table.cell_counts[order]
    cells = np.array([table.cell_rows[order], table.cell_cols[order]])
    ends = np.append(np.flatnonzero(np.diff(units[order])) + 1, len(counts)).tolist()
    row_is_open, col_is_open = (np.ones(n_clusters, bool) for n_clusters in table.shape)
    kept, n_kept = cells[:, :0], 0
    taken = []
    start = 0
    for end in ends:
        tied = cells[:, start:end]
        tied = tied[:, row_is_open[tied[0]] & col_is_open[tied[1]]]
        start = end
        if not tied.size:
            continue
        graph = np.hstack([kept, tied])
        matched = _Matched.of(graph)
        taken.append(np.repeat(counts[end - 1], matched.size - n_kept))
        row_is_open[graph[0, ~matched.row_is_even]] = False
        col_is_open[graph[1, ~matched.col_is_even]] = False
        kept, n_kept = graph[:, matched.is_alternative], matched.n_alternative(graph)
        if not (row_is_open.any() and col_is_open.any()):
            break
    return ordered_sum(np.concatenate([counts[:0], *taken]))


class _Matched(NamedTuple):
    """Largest matching of some cells: its size, and for each cell the state of its ends.

    An end is even if some largest matching leaves it free. Cells between an even end and one that
    is not can be exchanged for each other later; others are settled.
    """

    size: int
    row_is_even: Mask
    col_is_even: Mask

    @property
    def is_alternative(self) -> Mask:
        return self.row_is_even != self.col_is_even

    def n_alternative(self, cells: IntArray) -> int:
        """Size of the largest matching of those cells alone: the other end of each is matched."""
        rows = cells[0, self.col_is_even & ~self.row_is_even]
        cols = cells[1, self.row_is_even & ~self.col_is_even]
        return len(np.unique(rows)) + len(np.unique(cols))

    @classmethod
    def of(cls, cells: IntArray) -> _Matched:
        row_codes, rows = np.unique(cells[0], return_inverse=True)
        col_codes, cols = np.unique(cells[1], return_inverse=True)
        n_rows, n_cols = len(row_codes), len(col_codes)
        if n_rows == n_cols == len(rows):  # no two cells share a row or a column
            nowhere = np.zeros(len(rows), bool)
            return cls(len(rows), nowhere, nowhere)
        partners = maximum_bipartite_matching(
            graph_of(np.ones(len(rows)), rows, cols, (n_rows, n_cols)), perm_type="column"
        )
        is_matched = partners[rows] == cols
        even_rows = _reachable(rows, cols, is_matched, partners < 0, n_cols)
        is_free = np.ones(n_cols, bool)
        is_free[partners[partners >= 0]] = False
        even_cols = _reachable(cols, rows, is_matched, is_free, n_rows)
        return cls(int(np.count_nonzero(partners >= 0)), even_rows[rows], even_cols[cols])


def _reachable(
    near: IntArray,
    far: IntArray,
    is_matched: Mask,
    is_free: Mask,
    n_far: int,
) -> Mask:
    """Return the near ends that alternating paths reach from free ones.

    A path goes out by any cell, and back by one that is matched.
    """
    n_near = len(is_free)
    source = n_near + n_far
    free = np.flatnonzero(is_free)
    starts = np.concatenate([near, far[is_matched] + n_near, np.full(len(free), source)])
    ends = np.concatenate([far + n_near, near[is_matched], free])
    graph = graph_of(np.ones(len(starts)), starts, ends, (source + 1, source + 1))
    reached = breadth_first_order(graph, source, return_predecessors=False)
    is_reached = np.zeros(source + 1, bool)
    is_reached[reached] = True
    return is_reached[:n_near]


def largest_per_row(table: ContingencyTable, values: Array | None = None) -> Array:
    """Return the largest cell of each row, or the largest of other values of the cells."""
    return largest_values(
        table.cell_rows, table.cell_counts if values is None else values, table.shape[0]
    )


def largest_per_col(table: ContingencyTable) -> Array:
    return largest_values(table.cell_cols, table.cell_counts, table.shape[1])


def _share(count: Any, table: ContingencyTable) -> float:
    return min(count / table.n_samples, 1.0) if table.n_samples else 1.0


def purity(table: ContingencyTable) -> float:
    return _share(ordered_sum(largest_per_col(table)), table)


class Tables(NamedTuple):
    """Cells of many tables of the same clusters, of shape (n_tables, n_cells)."""

    counts: IntArray
    rows: IntArray
    cols: IntArray

    def _largest(self, codes: IntArray) -> Array:
        """Return the sum of the largest cells of the clusters of one side, of each table."""
        n_tables, n_codes = len(self.counts), int(codes.max()) + 1
        each = codes + n_codes * np.arange(n_tables)[:, np.newaxis]
        largest = largest_values(each.ravel(), self.counts.ravel(), n_tables * n_codes)
        return np.asarray(largest.reshape(n_tables, n_codes).sum(axis=1))

    def values(self, index: Index, parameters: Mapping[str, Any]) -> FloatArray | None:
        """Return an index of the largest cells; None for any other. There must be objects."""
        name, n = index.name, self.counts.sum(axis=1)
        if REGISTERED.get(name) is not index:
            return None
        if name in ("purity_score", "meila_heckerman_score"):
            return np.asarray(self._largest(self.cols) / n)
        if name == "inverse_purity_score":
            return np.asarray(self._largest(self.rows) / n)
        if name == "van_dongen_distance":
            distances = 2 * n - self._largest(self.rows) - self._largest(self.cols)
            return np.asarray(distances / (2 * n if parameters.get("normalize") else 1.0))
        n_rows, n_cols = int(self.rows.max()) + 1, int(self.cols.max()) + 1
        if name not in ("matching_accuracy_score", "misclassification_distance"):
            return None
        if n_rows * n_cols > _MANY_CELLS:
            return None
        tables = np.zeros((len(n), n_rows, n_cols))
        tables[:, self.rows, self.cols] = self.counts
        matched = [one[linear_sum_assignment(one, maximize=True)].sum() for one in tables]
        share = np.array(matched) / n
        return share if index.greater_is_better else 1 - share


@index(
    noise_bounds=inverse_purity_bounds,
    families=("diarization",),
    source="Amigo et al. (2009)",
    **MAXIMUM,
)
def inverse_purity_score(table: ContingencyTable) -> float:
    """Inverse purity: share of the objects in the main cluster of their class.

    Purity with the partitions swapped: splitting reference clusters lowers it, merging them does
    not. A single cluster scores 1.

    Returns
    -------
    float
        In [0, 1], above 0 for any objects; 1.0 if every reference cluster lies within a predicted
        cluster. Higher is better.

    See Also
    --------
    purity_score : The other direction.
    f_measure_score : A compromise between the two.

    Notes
    -----
    (1/N) sum_i max_j n_ij. No objects: 1.0.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, J. Artiles, F. Verdejo, "A comparison of extrinsic clustering
       evaluation metrics based on formal constraints", Information Retrieval 12, 2009,
       :doi:`10.1007/s10791-008-9066-8`

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import inverse_purity_score
    >>> round(inverse_purity_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.667
    """
    return _share(ordered_sum(largest_per_row(table)), table)


@index(
    parameters={"beta": non_negative}, source=f"Larsen & Aone (1999); {WAGNER}, sec. 4.1", **MAXIMUM
)
def f_measure_score(table: ContingencyTable, *, beta: float = 1.0) -> float:
    """F-measure: best F-score of each reference cluster, weighted by its size.

    Each reference cluster is compared with the predicted cluster that matches it best. One
    predicted cluster may be the best match of several reference clusters, and predicted clusters
    that are the best match of none do not matter. Not symmetric.

    Parameters
    ----------
    beta : float, default=1.0
        How many times as much recall counts as precision; not negative.

    Returns
    -------
    float
        In [0, 1], above 0 for any objects; 1.0 for equal partitions. Higher is better.

    See Also
    --------
    pair_f_score : F-score of pairs of objects.
    v_measure_score : The counterpart in information.
    matching_accuracy_score : With one-to-one matching.

    Notes
    -----
    (1/N) sum_i a_i max_j F_ij with F_ij = (1 + beta^2) n_ij / (beta^2 a_i + b_j), from precision
    n_ij / b_j and recall n_ij / a_i; for beta = 1 that is 2 n_ij / (a_i + b_j). The formula printed
    in [2]_ has 2 a_i b_j / (a_i + b_j) instead, a slip: it would not depend on the overlap.

    No objects: 1.0.

    References
    ----------
    .. [1] B. Larsen, C. Aone, "Fast and effective text mining using linear-time document
       clustering", KDD, 1999, :doi:`10.1145/312129.312186`
    .. [2] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Technical Report 2006-04, 2007, section 4.1

    Examples
    --------
    >>> from sklearn_clustcompare import f_measure_score
    >>> round(f_measure_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.8
    """
    weight = beta * beta
    # Written in inverse precision and recall it is exactly 1 for equal clusters.
    with np.errstate(over="ignore"):  # memberships can be too small to divide by
        inverse_recall = table.row_sums[table.cell_rows] / table.cell_counts
        inverse_precision = table.col_sums[table.cell_cols] / table.cell_counts
        f_values = (1 + weight) / (weight * inverse_recall + inverse_precision)
    return _share(ordered_sum(table.row_sums * largest_per_row(table, f_values)), table)


@index(source=f"{WAGNER}, sec. 4.2", **MAXIMUM)
def maximum_match_score(table: ContingencyTable) -> float:
    """Share of the objects in clusters matched greedily, largest overlap first.

    Clusters are matched one to one, always by the largest remaining overlap.
    :func:`matching_accuracy_score` finds the best matching and is hardly slower; prefer it except
    to reproduce values from the literature.

    Returns
    -------
    float
        In [0, 1], above 0 for any objects; 1.0 for equal partitions. Higher is better.

    See Also
    --------
    matching_accuracy_score : The same with the optimal matching, at least as high.
    match_clusters : The matching itself.

    Notes
    -----
    The largest n_ij is taken, its row and column are crossed out, and so on until no cell is left;
    the sum of what was taken is divided by N.

    If cells tie, several matchings are greedy. The value is that of the rank-maximal matchings
    [2]_: as many of the largest cells as can be taken one to one, then as many of the next largest,
    and so on. All of these have the same sum, so the value depends neither on the names of the
    clusters nor on the order of the partitions.

    No objects: 1.0.

    References
    ----------
    .. [1] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Technical Report 2006-04, 2007, section 4.2
    .. [2] R. W. Irving, T. Kavitha, K. Mehlhorn, D. Michail, K. Paluch, "Rank-maximal matchings",
       ACM Transactions on Algorithms 2(4), 2006, :doi:`10.1145/1198513.1198520`

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import maximum_match_score
    >>> round(maximum_match_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.667
    """
    return _share(greedy_overlap(table), table)


def matching_accuracy(table: ContingencyTable) -> float:
    return _share(ordered_sum(table.cell_counts[table.optimal_matching]), table)


@index(families=("diarization",), source="Meila (2007)", **MAXIMUM)
def misclassification_distance(table: ContingencyTable) -> float:
    """Classification error under the best one-to-one matching of the clusters.

    The share of objects that have to be moved to turn one partition into the other: a metric that
    is easy to explain. It distinguishes similar partitions well, and very different ones poorly.

    Returns
    -------
    float
        In [0, 1], below 1 for any objects; 0.0 for equal partitions only. Lower is better.

    See Also
    --------
    matching_accuracy_score : 1 minus this distance.
    van_dongen_distance : A metric with matches that need not be one to one.
    variation_of_information_distance : A metric from information theory.

    Notes
    -----
    1 - (1/N) max over one-to-one matchings of the sum of the matched n_ij. No objects: 0.0.

    References
    ----------
    .. [1] M. Meila, "Comparing clusterings: an information based distance", Journal of Multivariate
       Analysis 98(5), 2007, :doi:`10.1016/j.jmva.2006.11.013`

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import misclassification_distance
    >>> round(misclassification_distance(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.333
    """
    missed = table.n_samples - ordered_sum(table.cell_counts[table.optimal_matching])
    return max(missed / table.n_samples, 0.0) if table.n_samples else 0.0


@index(
    parameters={"normalize": boolean},
    unit=CountedIn("objects"),
    by_parameters=normalized_distance_properties,
    source=f"van Dongen (2000); {WAGNER}, sec. 4.3",
    **MAXIMUM,
)
def van_dongen_distance(table: ContingencyTable, *, normalize: bool = False) -> float:
    """Van Dongen metric: objects outside the largest overlaps, in both directions.

    A metric on the partitions of a set, the ``split_join_distance`` of igraph. If one partition
    refines the other, only one of its two halves is positive. Only the largest overlap of each
    cluster counts; the distribution of the remaining objects does not matter.

    Parameters
    ----------
    normalize : bool, default=False
        Divide by 2N.

    Returns
    -------
    float
        Number of objects, from 0.0 for equal partitions to below 2N; normalized, in [0, 1). Lower
        is better.

    See Also
    --------
    purity_score : One of the two halves.
    inverse_purity_score : The other half.
    misclassification_distance : A metric with one-to-one matching.

    Notes
    -----
    2N - sum_i max_j n_ij - sum_j max_i n_ij; normalized, 1 - (purity + inverse purity)/2.

    References
    ----------
    .. [1] S. van Dongen, "Performance criteria for graph clustering and Markov cluster
       experiments", CWI, Technical Report INS-R0012, 2000
    .. [2] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Technical Report 2006-04, 2007, section 4.3

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import van_dongen_distance
    >>> van_dongen_distance(list("aaabbb"), [1, 1, 2, 2, 3, 3])
    3.0
    >>> van_dongen_distance(list("aaabbb"), [1, 1, 2, 2, 3, 3], normalize=True)
    0.25
    """
    kept = ordered_sum(largest_per_row(table)) + ordered_sum(largest_per_col(table))
    distance = max(2 * table.n_samples - kept, 0)
    if not normalize:
        return distance
    return distance / (2 * table.n_samples) if table.n_samples else 0.0


def best_matching(
    cells: SizedCells, numerators: FloatArray, denominators: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Match clusters one to one such that the quotients of the matched cells have the largest sum.

    Returns numerators and denominators of the matched cells. If several matchings are best, the sum
    of their quotients is the same.
    """
    matched = optimal_matching(cells.rows, cells.cols, numerators / denominators, cells.shape)
    return numerators[matched], denominators[matched]


@index(short_names=("nca",), source="Gagolewski (2025)", **MAXIMUM)
def normalized_clustering_accuracy_score(table: ContingencyTable) -> float:
    """Normalized clustering accuracy: mean recall of optimally matched clusters, rescaled.

    Reference clusters of any size count equally, unlike in :func:`matching_accuracy_score`. 0 is
    the value of an uninformative candidate with as many clusters as the reference.

    Returns
    -------
    float
        In (-1, 1]; 1.0 for equal partitions only, at least 0 unless the candidate has more clusters
        than the reference. Higher is better.

    See Also
    --------
    normalized_pivoted_accuracy_score : Every object counts equally.
    matching_accuracy_score : Not normalized.
    pair_sets_score : Symmetric, and nearer to 0 by chance.

    Notes
    -----
    (max sum_i n_(i,s(i)) / a_i - 1) / (R - 1), over all assignments s of different candidate
    clusters to the reference clusters. If there are fewer candidate clusters, some reference
    clusters get none; if there are more, some candidate clusters are left over. For a reference of
    one cluster this is 0/0: equal partitions score 1.0, others 0.0 with an
    :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    References
    ----------
    .. [1] M. Gagolewski, "Normalised clustering accuracy: an asymmetric external cluster validity
       measure", Journal of Classification 42, 2025, :doi:`10.1007/s00357-024-09482-2`

    Examples
    --------
    >>> from sklearn_clustcompare import ContingencyTable
    >>> from sklearn_clustcompare.metrics import normalized_clustering_accuracy_score
    >>> table = ContingencyTable.from_counts([[45, 5, 0], [0, 25, 5], [2, 0, 18]])
    >>> round(normalized_clustering_accuracy_score(table), 4)
    0.8167
    """
    if table.is_identity:
        return 1.0
    cells = SizedCells.of_table(table)
    found = best_matching(cells, cells.counts, cells.row_sizes)
    name = "normalized_clustering_accuracy_score"
    n_others = table.shape[0] - 1
    return ratio(_sum_less(found, 1, 1) if n_others else 0, n_others, table, name)


@index(short_names=("npa",), source="Gagolewski (2025)", **MAXIMUM)
def normalized_pivoted_accuracy_score(table: ContingencyTable) -> float:
    """Matching accuracy, rescaled so that the least value of any candidate is 0.

    The share of objects in optimally matched clusters is at least 1/k for k clusters; rescaling
    makes it comparable between numbers of clusters. Large clusters weigh most, and values for
    random candidates depend on the sizes of the clusters.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions only. Higher is better.

    See Also
    --------
    matching_accuracy_score : Not rescaled.
    normalized_clustering_accuracy_score : Every reference cluster counts equally.
    chance_adjusted_score : Adjusts for the sizes as well.

    Notes
    -----
    (k A - 1) / (k - 1), with A the matching accuracy and k = max(R, C).

    References
    ----------
    .. [1] M. Gagolewski, "Normalised clustering accuracy: an asymmetric external cluster validity
       measure", Journal of Classification 42, 2025, :doi:`10.1007/s00357-024-09482-2`

    Examples
    --------
    >>> from sklearn_clustcompare import ContingencyTable
    >>> from sklearn_clustcompare.metrics import normalized_pivoted_accuracy_score
    >>> table = ContingencyTable.from_counts([[45, 5, 0], [0, 25, 5], [2, 0, 18]])
    >>> round(normalized_pivoted_accuracy_score(table), 4)
    0.82
    """
    if table.is_identity:
        return 1.0
    matched = ordered_sum(table.cell_counts[table.optimal_matching])
    n_clusters, n_samples = max(table.shape), table.n_samples
    return max((n_clusters * matched - n_samples) / ((n_clusters - 1) * n_samples), 0.0)


@index(
    short_names=("psi",),
    parameters={"simplified": boolean},
    source="Rezaei & Franti (2016)",
    **MAXIMUM,
)
def pair_sets_score(table: ContingencyTable, *, simplified: bool = False) -> float:
    """Pair sets index: similarity of optimally matched clusters, above chance.

    Clusters of any size count equally. The expected value for random partitions is subtracted, by a
    simple approximation: the largest cluster meets the largest, and so on.

    Parameters
    ----------
    simplified : bool, default=False
        Whether to subtract 1 for chance instead of E; see Notes.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions only, close to 0.0 for random ones. Higher is better.

    See Also
    --------
    normalized_clustering_accuracy_score : Recall of the reference clusters only.
    ceaf_f_score : Matched clusters, not adjusted for chance.
    adjusted_rand_score : Based on pairs; exactly 0 by chance.

    Notes
    -----
    max(0, (S - E) / (max(R, C) - E)), where S is the largest sum of n_ij / max(a_i, b_j) over
    clusters that are matched one to one, and E = sum_k min(a_(k), b_(k)) / N, sizes in descending
    order. With ``simplified=True``, 1 - score is a metric.

    References
    ----------
    .. [1] M. Rezaei, P. Fränti, "Set matching measures for external cluster validity", IEEE
       Transactions on Knowledge and Data Engineering 28(8), 2016, :doi:`10.1109/TKDE.2016.2551240`

    Examples
    --------
    >>> from sklearn_clustcompare import ContingencyTable
    >>> from sklearn_clustcompare.metrics import pair_sets_score
    >>> table = ContingencyTable.from_counts([[45, 5, 0], [0, 25, 5], [2, 0, 18]])
    >>> round(pair_sets_score(table), 4)
    0.7615
    >>> round(pair_sets_score(table, simplified=True), 4)
    0.758
    """
    if table.is_identity:
        return 1.0
    cells = SizedCells.of_table(table)
    found = best_matching(cells, cells.counts, np.maximum(cells.row_sizes, cells.col_sizes))
    expected, n = (1, 1) if simplified else (_overlap_by_size(table), table.n_samples)
    return max(_sum_less(found, expected, n) / (max(table.shape) - expected / n), 0.0)


def _sum_less(quotients: tuple[FloatArray, FloatArray], part: Any, whole: Any) -> float:
    """Return the sum of quotients less another one, rounded once."""
    numerators, denominators = quotients
    return sum_of_quotients(np.append(numerators, -part), np.append(denominators, whole))


def _overlap_by_size(table: ContingencyTable) -> Any:
    """Return how much clusters can have in common at most, the largest with the largest."""
    n_both = min(table.shape)
    rows, cols = (np.sort(sizes)[::-1][:n_both] for sizes in (table.row_sums, table.col_sums))
    return ordered_sum(np.minimum(rows, cols))


def greedy_matching(table: ContingencyTable, overlap: Array) -> Positions:
    """Match the pair of clusters with the largest overlap, cross both out, and repeat.

    Ties go to the first in row-major order. Returns the positions of the matched cells.
    """
    order = np.argsort(-overlap if table.is_whole else -equal_ties(overlap), kind="stable")
    row_free = np.ones(table.shape[0], bool)
    col_free = np.ones(table.shape[1], bool)
    matched = []
    for position, row, col in zip(
        order.tolist(),
        table.cell_rows[order].tolist(),
        table.cell_cols[order].tolist(),
        strict=True,
    ):
        if row_free[row] and col_free[col]:
            row_free[row] = col_free[col] = False
            matched.append(position)
    return np.array(matched, dtype=np.intp)


@index(
    noise_bounds=purity_bounds, families=("diarization",), source="Zhao & Karypis (2001)", **MAXIMUM
)
def purity_score(table: ContingencyTable) -> float:
    """Purity: share of the objects in the majority class of their cluster.

    The accuracy reached if every predicted cluster is named after its most frequent reference
    label. Splitting never lowers it and singletons score 1, so compare only candidates with similar
    numbers of clusters, or read it together with :func:`inverse_purity_score`.

    Returns
    -------
    float
        In [0, 1], above 0 for any objects; 1.0 if every predicted cluster lies within a reference
        cluster. Higher is better.

    See Also
    --------
    inverse_purity_score : The other direction.
    meila_heckerman_score : The same value, from another paper.
    matching_accuracy_score : With one-to-one matching.

    Notes
    -----
    (1/N) sum_j max_i n_ij. No objects: 1.0.

    References
    ----------
    .. [1] Y. Zhao, G. Karypis, "Criterion functions for document clustering", University of
       Minnesota, Technical Report 01-40, 2001
    .. [2] G. K. Orman, "Clustering Evaluation", lecture, Galatasaray University, purity measure

    Examples
    --------
    >>> from sklearn_clustcompare import purity_score
    >>> round(purity_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.833
    """
    return purity(table)


@index(
    noise_bounds=purity_bounds, source=f"Meila & Heckerman (2001); {WAGNER}, sec. 4.2", **MAXIMUM
)
def meila_heckerman_score(table: ContingencyTable) -> float:
    """Meila-Heckerman measure: share of the objects that the best classes explain.

    Every predicted cluster is assigned the class with which it overlaps most, so the value equals
    :func:`purity_score`. It is provided under this name for readers of [1]_ and [2]_, and has the
    drawback of purity: many clusters score high.

    Returns
    -------
    float
        In [0, 1], above 0 for any objects; 1.0 if every predicted cluster lies within a reference
        cluster. Higher is better.

    See Also
    --------
    purity_score : The same value.
    maximum_match_score : A symmetric measure from the same source.

    Notes
    -----
    (1/N) sum_j max_i n_ij. No objects: 1.0.

    References
    ----------
    .. [1] M. Meila, D. Heckerman, "An experimental comparison of model-based clustering methods",
       Machine Learning 42, 2001, :doi:`10.1023/A:1007648401407`
    .. [2] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Technical Report 2006-04, 2007, section 4.2

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import meila_heckerman_score
    >>> round(meila_heckerman_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.833
    """
    return purity(table)


@index(short_names=("acc",), source="Meila (2007)", **MAXIMUM)
def matching_accuracy_score(table: ContingencyTable) -> float:
    """Accuracy under the best one-to-one matching of the clusters.

    The accuracy of a classifier if each predicted cluster is assigned a different class such that
    the accuracy is highest. Clusters without a partner count as errors, so both splitting and
    merging lower the score. Not adjusted for chance.

    Returns
    -------
    float
        In [0, 1], above 0 for any objects; 1.0 for equal partitions only. Higher is better.

    See Also
    --------
    misclassification_distance : 1 minus this score, a metric.
    match_clusters : The matching itself.
    purity_score : Allows several predicted clusters per class.

    Notes
    -----
    (1/N) max over one-to-one matchings of the sum of the matched n_ij, solved as a linear
    assignment problem. No objects: 1.0. Clusters that nearly coincide with one cluster of the other
    side are matched directly. For the others the time grows with the square of their number in each
    connected component of the table.

    References
    ----------
    .. [1] M. Meila, "Comparing clusterings: an information based distance", Journal of Multivariate
       Analysis 98(5), 2007, :doi:`10.1016/j.jmva.2006.11.013`
    .. [2] H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics
       Quarterly 2, 1955, :doi:`10.1002/nav.3800020109`

    Examples
    --------
    >>> from sklearn_clustcompare import matching_accuracy_score
    >>> round(matching_accuracy_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.667
    """
    return matching_accuracy(table)
