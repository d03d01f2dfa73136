"""One partition that agrees well with many."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from sklearn_clustcompare._options import warn_caller
from sklearn_clustcompare._parameters import (
    boolean,
    one_of,
    positive_integer,
    random_source,
)
from sklearn_clustcompare._tasks import n_workers
from sklearn_clustcompare.consensus._agreement import Agreement
from sklearn_clustcompare.consensus._ensemble import read_bounds, read_ensemble
from sklearn_clustcompare.consensus._expected_loss import (
    Draws,
    LossSearch,
    loss_of,
)
from sklearn_clustcompare.consensus._posterior import (
    LEVEL,
    MIN_HALF,
    ball_around,
    compared,
    flatten_chains,
)
from sklearn_clustcompare.consensus._result import ConsensusResult, Solution
from sklearn_clustcompare.consensus._search import search
from sklearn_clustcompare.indices import refuse_to_drop
from sklearn_clustcompare.indices._compares import Given, compares

# The halves of the chains are compared by so many of their draws.
_DRAWS_OF_HALVES = 256
_known_average = one_of("macro", "micro")


@compares("partitions", "index", "random_state", "n_jobs", "verbose", index="adjusted_rand_score")
def consensus_partition(
    given: Given,
    *,
    cost: float | None = None,
    average: str = "macro",
    weights: ArrayLike | None = None,
    n_clusters: int | tuple[int | None, int | None] | None = None,
    align: bool = False,
    n_init: int | None = None,
    max_iter: int = 100,
) -> ConsensusResult:
    """Find a partition that agrees well with all the given ones, on average.

    A compiled search finds it if the index is a function of cluster sizes and overlaps: VI, Binder
    (``mirkin_distance``), Rand, ARI, information distances, NMI, Jaccard, pair F or Fowlkes-
    Mallows. For all other indices and for memberships the search is slower and not exhaustive.

    Parameters
    ----------
    partitions : list, dict, DataFrame, iterator or array-like of shape (n_partitions, n_samples)
        The :term:`partitions` to combine: labels, or memberships of shape (n_samples, n_clusters).
        Draws of a posterior: an array of shape (n_draws, n_samples) or (n_chains, n_draws,
        n_samples), or a DataArray of xarray with the dimensions draw and, if there are several,
        chain.
    cost : float, default=None
        For ``variation_of_information_distance`` and ``mirkin_distance``: cost, in (0, 2), of
        putting together what a partition separates; 2 less that is the cost of the reverse. Above 1
        there are more clusters, below it fewer. None means 1, the distance itself.
    average : {"macro", "micro"}, default="macro"
        For an index that is a ratio, such as ``adjusted_rand_score``: the average of the ratios, or
        the ratio of the averages.
    weights : array-like of shape (n_partitions,), default=None
        Weights of the partitions: a partition of weight 2 counts as if it were given twice. None
        weighs each 1.
    n_clusters : int or tuple of two, default=None
        Number of clusters of the consensus: exactly that many, or ``(low, high)`` for at least
        ``low`` and at most ``high``, either of which may be None. No upper bound means the largest
        number of clusters of any partition; ``(None, 10)`` allows ten.
    align : bool, default=False
        Whether partitions are of different objects, identified by the index of their pandas Series
        or by the keys of their dicts: the result is for all objects of any of them. Otherwise
        objects go by position.
    n_init : int, default=None
        Number of starts of the search. None takes 4 to 8, fewer for larger ensembles, and
        ends early if the best optimum was reached three times. For an index of no compiled search
        it takes up to 40 for few objects, and none for many: then the best partition that was tried
        is the result as it is.
    max_iter : int, default=100
        Largest number of rounds of each search, in each of which many objects may move.

    Returns
    -------
    ConsensusResult
        With ``labels``, ``score``, its ``standard_error``, ``scores`` of the partitions,
        ``optima``, ``object_agreement``, ``object_certainty``, ``credible_ball()`` and
        ``memberships()``.

    Raises
    ------
    ValueError
        If there is no partition, lengths differ, labels are missing with ``missing="error"``,
        weights are not positive, ``n_clusters`` is impossible, or the index is unknown; if groups
        of partitions share no object, so that their clusters cannot be related.
    TypeError
        If the index does not take the parameters, labels are not hashable, weights are not real
        numbers, or partitions to be aligned do not identify their objects.

    Warns
    -----
    ConvergenceWarning
        If the average could still be improved after ``max_iter`` rounds.
    UserWarning
        If objects are noise or missing in every partition; their label is -1. If the partitions are
        100 or more, and the halves of the chains disagree: the estimate of one does not lie in the
        credible ball of the other.

    See Also
    --------
    medoid_partition : The best of the partitions given.
    common_refinement : The partition by all of them at once.
    co_association_matrix : What clusterers can make a consensus of.

    Notes
    -----
    Distances are minimized. Of an index that is not symmetric, the consensus is ``labels_pred``.
    Each partition is compared with the consensus on its own objects, without those that are left
    out as noise or missing there.

    Objects that have the same label in every partition move together, unless ``n_clusters`` needs
    more clusters. The compiled search starts from partitions, from one cluster and from nothing,
    moves such groups of objects, and unites clusters [3]_. From the best optimum, or from the best
    three if none was reached three times, it goes on by simulated annealing and by dissolving
    clusters, for a limited time. Of more than 256 partitions it takes 256 first, evenly spaced by
    weight, and goes on with all from the best three; for Binder and Rand losses of up to 2,048
    groups it takes all, as one matrix of pairs. It takes one job and shows no progress. Its memory
    is of the order of all labels, plus the classes of all partitions times the number of clusters.
    What remains is a local optimum where all moves are tried, as long as the number of groups times
    that of the cells of all tables is at most 20,000. Of more, only the two moves that look best by
    the slope of the loss are tried for each group: a better one may remain. No search of this kind
    is sure to find the best partition.

    For other indices it takes the best of the partitions given, of cuts through the tree of co-
    associations, and of the optima for ARI and VI. From these, groups of few objects move where
    that is better, each move counted anew, and up to 100 objects one by one in the end.

    Reordering the objects reorders the consensus, and new names of clusters do not change it: ties
    are broken by what the partitions have in common. Where objects can be exchanged without a
    change of any partition, the one that appears first comes first.

    The best average may be trivial: by the variation of information, one cluster is closest to
    partitions that hardly agree. ``n_clusters=(2, None)`` excludes it.

    The tree is made by average linkage of the objects under the share of partitions that separate
    two of them, among those that know both. Above 5,000 groups of objects, groups that are equal in
    the heaviest partitions start as one. It is cut at the numbers of clusters of the partitions, at
    one half, and where a number of clusters persists longest [2]_.

    References
    ----------
    .. [1] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Interner Bericht 2006-04, 2007, section 1.
    .. [2] A. L. N. Fred, A. K. Jain, "Combining multiple clusterings using evidence
       accumulation", IEEE TPAMI 27(6), 2005. :doi:`10.1109/TPAMI.2005.113`.
    .. [3] D. B. Dahl, D. J. Johnson, P. Müller, "Search algorithms and loss functions for Bayesian
       clustering", Journal of Computational and Graphical Statistics 31(4), 2022.
       :doi:`10.1080/10618600.2022.2069779`.

    Examples
    --------
    >>> from sklearn_clustcompare import consensus_partition
    >>> runs = [[0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2], [0, 1, 1, 0, 0, 0], list("aaabbb")]
    >>> consensus = consensus_partition(runs, random_state=0)
    >>> consensus.labels
    array([0, 0, 0, 1, 1, 1])
    >>> round(consensus.score, 4)
    0.5682

    Partitions of different objects:

    >>> shards = [{"ann": 0, "bob": 0, "cem": 1}, {"bob": 5, "cem": 7, "dee": 7}]
    >>> consensus = consensus_partition(shards, align=True, random_state=0)
    >>> dict(zip(consensus.objects.tolist(), consensus.labels.tolist()))
    {'ann': 0, 'bob': 0, 'cem': 1, 'dee': 1}
    """
    record, params, reading = given.chosen.index, given.chosen.parameters, given.reading
    positive_integer("max_iter", max_iter)
    n_workers(given.n_jobs)
    if n_init is not None:
        positive_integer("n_init", n_init)
    boolean("align", align)
    _known_average("average", average)
    if align or reading.unmatched == "drop":
        refuse_to_drop([record])
    partitions, weights, n_chains = flatten_chains(given.partitions, weights)
    ensemble = read_ensemble(partitions, weights, reading, align=align)
    n_unknown = int((ensemble.cell_of < 0).sum())
    if n_unknown:
        warn_caller(
            f"{n_unknown} of {len(ensemble.cell_of)} objects are noise or missing in every "
            "partition: their label is -1",
        )
    loss = loss_of(record, params, cost, average)
    if loss is not None and not ensemble.is_crisp:
        if cost is not None or average == "micro":
            msg = (
                "cost and average must have their defaults for memberships, got "
                f"cost={cost!r}, average={average!r}"
            )
            raise ValueError(msg)
        loss = None
    n_objects = int(ensemble.sizes.sum())
    most = int(ensemble.n_classes.max()) if ensemble.is_complete else n_objects
    bounds = read_bounds(n_clusters, n_objects, min(most, n_objects))
    generator = random_source(given.random_state)
    ensemble = ensemble.in_canonical_order().with_cells(bounds.low)
    agreement, draws = Agreement(ensemble, record, params), None
    if loss is not None:
        draws = Draws(ensemble.codes, ensemble.weights, ensemble.sizes, loss)
        search_in = LossSearch(draws, bounds, max_iter, generator)
        optima = search_in.find(n_init)
    else:
        how = {"n_jobs": given.n_jobs, "verbose": given.verbose}
        ensemble, found = search(agreement, bounds, max_iter, n_init, generator, **how)
        agreement, optima = replace(agreement, ensemble=ensemble), [found]
    solution = Solution(agreement, draws, optima)
    if not optima[0].is_optimum:
        warn_caller(
            f"the consensus still improved after max_iter={max_iter} rounds; raise max_iter",
            ConvergenceWarning,
        )
    if loss is not None and loss.cost == 1:
        _warn_of_halves(solution, search_in, n_chains)
    return ConsensusResult._of(solution, n_chains)


def _warn_of_halves(solution: Solution, search_in: LossSearch, n_chains: int) -> None:
    """Warn where the estimates of the halves of long chains do not lie in each other's balls.

    Each is the better one of two optima, from the estimate of all draws and from nothing.
    """
    ensemble = solution.ensemble
    length = len(ensemble.member_of) // n_chains
    is_first = np.tile(np.arange(length) < length // 2, n_chains)
    if not ensemble.is_complete or is_first.sum() < MIN_HALF:
        return
    estimates, radii = [], []
    for half in map(np.flatnonzero, (is_first, ~is_first)):
        spaced = half[:: -(-len(half) // _DRAWS_OF_HALVES)]
        weights = ensemble.given_weights[spaced]
        codes = search_in.draws.codes[ensemble.member_of[spaced]]
        draws = replace(search_in.draws, codes=codes, weights=weights)
        starts = solution.labels, np.full_like(solution.labels, -1)
        labels = replace(search_in, draws=draws).best_from(starts)
        top, bottom = draws.ratios(labels)
        estimates.append(ensemble.to_objects(labels, -1))
        radii.append(ball_around(top / bottom, weights, 0 * spaced, LEVEL)[0])
    distance, agree = compared(estimates, radii, solution.index, solution.parameters)
    if not agree:
        warn_caller(
            "the halves of the chains disagree: their estimates differ by "
            f"{distance:.3g}, and the credible balls around them have radii of {radii[0]:.3g} and "
            f"{radii[1]:.3g}; the chains may not have converged",
        )
