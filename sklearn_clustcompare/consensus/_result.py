"""The consensus of many partitions, and how well each partition, object and cluster agrees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Positions
from sklearn_clustcompare._options import tells_keywords
from sklearn_clustcompare._parameters import share
from sklearn_clustcompare._rendering import Result, Table, decimal, decimals, table_of
from sklearn_clustcompare._table.many import in_order_of_appearance
from sklearn_clustcompare.consensus._agreement import Agreement, distances_of, mean
from sklearn_clustcompare.consensus._ensemble import NUMBERS_AT_ONCE, Ensemble
from sklearn_clustcompare.consensus._expected_loss import Draws
from sklearn_clustcompare.consensus._expected_loss import Optimum as FoundOptimum
from sklearn_clustcompare.consensus._posterior import (
    LEVEL,
    CredibleBall,
    ball_around,
    error_of_mean,
)
from sklearn_clustcompare.indices import Index

_MAX_SHOWN = 10
_ROUNDING = 1e-11
_TINY = np.finfo(float).tiny


class Optimum(NamedTuple):
    """A partition where the search ended: its labels, its average index, how often it was found.

    ``n_hits`` is the number of starts of the search that led to it.
    """

    labels: IntArray
    score: float
    n_hits: int


class Solution:
    """The best of the optima, which come first, and the index with each distinct partition.

    ``draws`` is None for an index that is no loss of sizes and overlaps. ``residuals`` have the
    error of the average: they are the scores, unless the average is the ratio of two.
    """

    def __init__(
        self, agreement: Agreement, draws: Draws | None, optima: list[FoundOptimum]
    ) -> None:
        self.ensemble, self.index = agreement.ensemble, agreement.index
        self.parameters = dict(agreement.parameters)
        self.draws, self.labels = draws, optima[0].labels
        self._evaluate(agreement)
        value: Callable[[float], float] = float if draws is None else draws.loss.value
        *before, last = optima[0].history
        self.history = [value(one) for one in before if abs(one - last) > _ROUNDING] + [self.score]
        self.optima = [(one.labels, value(one.loss), one.n_hits) for one in optima]
        self.optima[0] = (self.labels, self.score, optima[0].n_hits)

    def _evaluate(self, agreement: Agreement) -> None:
        draws, weights = self.draws, self.ensemble.weights
        if draws is None:
            self.residuals = self.scores = agreement.scores(in_order_of_appearance(self.labels))
            self.score = mean(self.scores, weights)
            return
        top, bottom = draws.ratios(self.labels)
        self.residuals = self.scores = draws.loss.value(top / bottom)
        self.score = mean(self.scores, weights)
        if draws.loss.is_micro:
            average = mean(bottom, weights)
            ratio = mean(top, weights) / average
            self.score, self.residuals = draws.loss.value(ratio), (top - ratio * bottom) / average


class ConsensusResult(Result):
    """What several partitions have in common; made by :func:`consensus_partition`.

    Printed, and as HTML in a notebook, it shows the first ten partitions and the first ten
    clusters. All parameters are attributes of the same names, which cannot be set.

    Parameters
    ----------
    labels : ndarray of int64 of shape (n_samples,)
        Cluster of each object, numbered from zero in the order in which they appear; -1 for an
        object that is noise or missing in every partition.
    score : float
        Average index with the partitions, by their weights.
    scores : ndarray of float64 of shape (n_partitions,)
        Index with each partition, of the objects that it knows.
    n_iter : int
        Number of rounds of moves that improved the average.
    history : ndarray of float64 of shape (n_iter + 1,)
        Average at the start and after each round; it gets better with each.
    names : list
        Names of the partitions, positions where they have none.
    objects : ndarray of shape (n_samples,) or None
        Identifiers of the objects with ``align=True``, in the order of the labels; None where
        objects go by position.
    index : Index
        Record of the index.
    parameters : dict
        Its parameters.
    object_agreement : ndarray of float64 of shape (n_samples,)
        Average element-centric similarity of each object in its partitions and in the consensus, in
        (0, 1]; NaN where the label is -1.
    cluster_agreement : ndarray of float64 of shape (n_clusters,)
        Mean of these over the objects of each cluster.
    standard_error : float
        Monte Carlo error of ``score``, for partitions that are draws: of each chain they are taken
        as a series. NaN for a single partition.
    optima : list of Optimum
        Local optima that were found, the best first, each with ``labels``, ``score`` and
        ``n_hits``, how many starts led to it.
    n_clusters_of_draws : ndarray of int64 of shape (n_partitions,)
        Number of clusters of each partition.
    object_certainty : ndarray of float64 of shape (n_samples,)
        Mean probability of being together with the other objects of its cluster; NaN for an object
        that is alone in its cluster, or where the label is -1.

    See Also
    --------
    consensus_partition : Makes it.
    element_consistency : Agreement of the partitions on each object, without a consensus.

    Examples
    --------
    >>> from sklearn_clustcompare import consensus_partition
    >>> runs = {"a": [0, 0, 1, 1], "b": [0, 0, 0, 1], "c": [1, 1, 0, 0]}
    >>> consensus = consensus_partition(runs, index="rand_score", random_state=0)
    >>> consensus
    ConsensusResult: 4 objects in 2 clusters, average rand_score 0.8333 with 3 partitions
    partition  rand_score
    a                 1.0
    b                 0.5
    c                 1.0
    cluster 0 (2 objects): agreement 0.8889
    cluster 1 (2 objects): agreement 0.8056
    >>> consensus.object_agreement.round(3).tolist()
    [0.889, 0.889, 0.778, 0.833]
    """

    labels: IntArray
    score: float
    scores: FloatArray
    n_iter: int
    history: FloatArray
    names: list[Any]
    objects: Array | None
    index: Index
    parameters: dict[str, Any]
    object_agreement: FloatArray
    cluster_agreement: FloatArray
    standard_error: float
    optima: list[Optimum]
    n_clusters_of_draws: IntArray
    object_certainty: FloatArray
    _ensemble: Ensemble = field(init=False)
    _cell_labels: Positions = field(init=False)

    @classmethod
    def _of(cls, solution: Solution, n_chains: int) -> ConsensusResult:
        """Describe a partition of the cells, and how it was found."""
        ensemble = solution.ensemble
        of_known = ensemble.cell_of[ensemble.cell_of >= 0]
        cell_labels = _numbered(solution.labels, of_known)
        labels = ensemble.to_objects(cell_labels.astype(np.int64), -1)
        of_cells = _InClusters(ensemble, cell_labels).agreement_and_certainty()
        of_objects, certainty = (ensemble.to_objects(values, np.nan) for values in of_cells)
        known = labels >= 0
        of_clusters = np.bincount(labels[known], of_objects[known]) / np.bincount(labels[known])
        numbers = ensemble.n_classes.astype(np.int64)[ensemble.member_of]
        scores = solution.scores[ensemble.member_of]
        residuals, weights = solution.residuals[ensemble.member_of], ensemble.given_weights
        averages = np.array(solution.history)
        optima = [
            Optimum(ensemble.to_objects(_numbered(one, of_known).astype(np.int64), -1), value, hits)
            for one, value, hits in solution.optima
        ]
        for array in (labels, scores, averages, of_objects, of_clusters, certainty):
            array.flags.writeable = False
        result = cls(
            labels,
            solution.score,
            scores,
            len(averages) - 1,
            averages,
            ensemble.names,
            ensemble.objects,
            solution.index,
            solution.parameters,
            of_objects,
            of_clusters,
            error_of_mean(residuals, weights, n_chains),
            optima,
            numbers,
            certainty,
        )
        object.__setattr__(result, "_ensemble", ensemble)
        object.__setattr__(result, "_cell_labels", cell_labels)
        return result

    @tells_keywords
    def credible_ball(self, level: float = LEVEL) -> CredibleBall:
        """Return the draws nearest to the consensus that have a share of the weight.

        The distance is the index where lower is better, and 1 less the index otherwise.

        Parameters
        ----------
        level : float, default=0.95
            Share of the draws, by their weights, that the ball holds.

        Returns
        -------
        CredibleBall
            With ``radius``, ``members`` and the bounds ``horizontal``, ``upper`` and ``lower``.

        Raises
        ------
        ValueError
            If ``level`` is not a share, or some partitions are memberships.

        See Also
        --------
        consensus_partition : Finds the consensus.

        References
        ----------
        .. [1] S. Wade, Z. Ghahramani, "Bayesian cluster analysis: point estimation and credible
           balls", Bayesian Analysis 13(2), 2018. :doi:`10.1214/17-BA1073`.

        Examples
        --------
        >>> from sklearn_clustcompare import consensus_partition
        >>> draws = [[0, 0, 1, 1]] * 9 + [[0, 0, 0, 1]]
        >>> consensus_partition(draws, index="rand_score").credible_ball(0.9).radius
        0.0
        """
        share("level", level)
        ensemble = self._ensemble
        if not ensemble.is_crisp:
            msg = "partitions must be labels for a credible ball, got memberships"
            raise ValueError(msg)
        distances = distances_of(self.scores, self.index)
        radius, members, bounds = ball_around(
            distances, ensemble.given_weights, self.n_clusters_of_draws, level
        )
        horizontal, upper, lower = (self._draw(position) for position in bounds)
        return CredibleBall(radius, members, horizontal, upper, lower, self.labels, level)

    def _draw(self, position: int) -> IntArray:
        """Return the labels of a partition that was given, numbered as they appear."""
        ensemble = self._ensemble
        kinds = ensemble.kinds[int(ensemble.member_of[position])]
        labels = ensemble.to_objects(kinds.astype(np.int64), -1)
        labels[labels >= 0] = in_order_of_appearance(labels[labels >= 0])
        return labels

    def memberships(self) -> FloatArray:
        """Return the consensus as a soft partition.

        How much of each object is in each cluster, where the partitions are divided: use it to see
        which cluster is the second choice of an object, and how close.

        Returns
        -------
        ndarray of float64 of shape (n_samples, n_clusters)
            Share of the objects with the same label that are in the cluster, averaged over the
            partitions that know the object, by their weights. Rows sum to 1; they are NaN for
            objects that no partition knows.

        See Also
        --------
        consensus_partition : Finds the consensus.

        Examples
        --------
        >>> from sklearn_clustcompare import consensus_partition
        >>> runs = [[0, 0, 1, 1], [0, 0, 0, 1], [1, 1, 0, 0]]
        >>> consensus = consensus_partition(runs, index="rand_score", random_state=0)
        >>> consensus.memberships().round(2)
        array([[0.89, 0.11],
               [0.89, 0.11],
               [0.22, 0.78],
               [0.  , 1.  ]])
        """
        cells = _InClusters(self._ensemble, self._cell_labels).memberships()
        return self._ensemble.to_objects(cells, np.nan)

    def to_frame(self) -> Any:
        """Return labels and agreement of the objects as a pandas DataFrame.

        Sort or select the objects on which the partitions are divided with pandas, which has to be
        installed.

        Returns
        -------
        pandas.DataFrame of shape (n_samples, 2)
            Columns ``label`` and ``agreement``; the index identifies the objects.

        See Also
        --------
        consensus_partition : Finds the consensus.

        Examples
        --------
        >>> from sklearn_clustcompare import consensus_partition
        >>> runs = [[0, 0, 1, 1], [0, 0, 0, 1], [1, 1, 0, 0]]
        >>> consensus_partition(runs, random_state=0).to_frame()["label"].tolist()
        [0, 0, 1, 1]
        """
        import pandas as pd

        columns = {"label": self.labels, "agreement": self.object_agreement}
        return pd.DataFrame(columns, index=self.objects)

    def _headline(self) -> str:
        n_clusters, n_partitions = len(self.cluster_agreement), len(self.names)
        clusters = "cluster" if n_clusters == 1 else "clusters"
        partitions = "partition" if n_partitions == 1 else "partitions"
        return (
            f"ConsensusResult: {len(self.labels)} objects in {n_clusters} {clusters}, average "
            f"{self.index.axis_text(**self.parameters)} {decimal(self.score)} with {n_partitions} "
            f"{partitions}"
        )

    def _shown(self) -> Table:
        columns = {"partition": self.names, self.index.name: self.scores.tolist()}
        return table_of(columns, names=["partition"])

    def _conclusion(self) -> list[str]:
        sizes = np.bincount(self.labels[self.labels >= 0]).tolist()
        values = decimals(self.cluster_agreement.tolist())
        lines = [
            f"cluster {number} ({size} {'object' if size == 1 else 'objects'}): agreement {value}"
            for number, (size, value) in enumerate(zip(sizes, values, strict=True))
        ]
        more = len(lines) - _MAX_SHOWN
        return lines[:_MAX_SHOWN] + ([f"and {more} more clusters"] if more > 0 else [])


def _numbered(cell_labels: Positions, cells: Positions) -> Positions:
    """Number the clusters of the cells in the order in which their objects appear."""
    numbered = np.empty_like(cell_labels)
    numbered[cells] = in_order_of_appearance(cell_labels[cells])
    return numbered


class _InClusters:
    """Tables of all partitions and the clusters of the cells: a row for each class."""

    def __init__(self, ensemble: Ensemble, labels: Positions) -> None:
        self.ensemble, self.labels, self.shares = ensemble, labels, ensemble.shares()
        shape = len(labels), int(labels.max(initial=-1)) + 1
        clusters = csr_array((ensemble.sizes, (np.arange(len(labels)), labels)), shape)
        self.table: FloatArray = csr_array(self.shares.T @ clusters).toarray().astype(float)
        self.class_sizes = np.maximum(self.table.sum(axis=1), _TINY)
        known = ensemble.kinds >= 0
        self.cluster_sizes: FloatArray = np.array(
            [np.bincount(labels[one], ensemble.sizes[one], shape[1]) for one in known]
        )

    def agreement_and_certainty(self) -> tuple[FloatArray, FloatArray]:
        """Return the average element-centric similarity of each cell, and its certainty.

        The first is the number of objects of its class and its cluster over the larger of both
        sizes [1]_, the second the share of the other objects of its cluster that are with it, NaN
        for a cell of one object that is alone in its cluster.

        .. [1] A. J. Gates, I. B. Wood, W. P. Hetrick, Y.-Y. Ahn, "Element-centric clustering
           comparison unifies overlaps and hierarchy", Scientific Reports 9, 2019
        """
        ensemble = self.ensemble
        member_of = np.repeat(np.arange(len(ensemble.kinds)), ensemble.n_classes)
        sums = np.zeros((2, ensemble.n_cells))
        step = max(NUMBERS_AT_ONCE // len(ensemble.kinds), 1)
        for start in range(0, ensemble.n_cells, step):
            shares = self.shares[start : start + step].tocoo()
            cells, classes, values = shares.row + start, shares.col, shares.data
            members, clusters = member_of[classes], self.labels[cells]
            together = self.table[classes, clusters]
            sizes = self.cluster_sizes[members, clusters]
            agreement = together / np.maximum(self.class_sizes[classes], sizes)
            certainty = (together - values) / np.where(sizes > 1, sizes - 1, np.inf)
            values = values * ensemble.weights[members]
            sums[0] += np.bincount(cells, values * agreement, ensemble.n_cells)
            sums[1] += np.bincount(cells, values * certainty, ensemble.n_cells)
        known = ensemble.kinds >= 0
        own = self.cluster_sizes[:, self.labels]
        masses = ensemble.weights @ known, ensemble.weights @ (known & (own > 1))
        return sums[0] / masses[0], np.where(masses[1] > 0, sums[1], np.nan) / masses[1]

    def memberships(self) -> FloatArray:
        """Return the average share of each cluster in the classes of each cell."""
        ensemble = self.ensemble
        weights = np.repeat(ensemble.weights, ensemble.n_classes)
        shares = self.table / self.class_sizes[:, np.newaxis] * weights[:, np.newaxis]
        mass = ensemble.weights @ (ensemble.kinds >= 0)
        return np.asarray((self.shares @ shares) / mass[:, np.newaxis])
