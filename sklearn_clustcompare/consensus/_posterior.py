"""A posterior of partitions: its chains, the error of their mean, balls, comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sklearn_clustcompare._array_types import FloatArray, IntArray, Positions
from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._parameters import share
from sklearn_clustcompare._partition import partners
from sklearn_clustcompare._partition.arrays import PartitionsLike
from sklearn_clustcompare._rendering import Drawn, Result, Table, decimal, table_of
from sklearn_clustcompare._table.many import list_members
from sklearn_clustcompare.consensus._agreement import distances_of, value_of
from sklearn_clustcompare.indices import Index, IndexLike
from sklearn_clustcompare.indices._index import reading_of

if TYPE_CHECKING:
    from sklearn_clustcompare.consensus._result import ConsensusResult

# Halves of chains are compared where both have so many draws.
MIN_HALF = 50
LEVEL = 0.95


def flatten_chains(partitions: Any, weights: Any) -> tuple[Any, Any, int]:
    """Return draws of all chains one after the other, their weights, and how many chains there are.

    Draws of chains get names, by which errors call them. Takes arrays of shape (chain, draw, n),
    and arrays with ``dims`` (of xarray) of which one is called draw, and one may be called chain.
    """
    if hasattr(partitions, "data_vars"):
        msg = (
            "partitions must be a variable of a Dataset, not all of it, got the variables "
            f"{', '.join(map(str, partitions.data_vars))}"
        )
        raise TypeError(msg)
    dims = [str(dim) for dim in getattr(partitions, "dims", ())]
    if "draw" in dims:
        first = [dim for dim in ("chain", "draw") if dim in dims]
        if len(dims) != len(first) + 1:
            msg = (
                "partitions must have the dimensions chain (if there are several), draw and one of "
                f"the objects, got {tuple(dims)}"
            )
            raise ValueError(msg)
        partitions = np.asarray(partitions.transpose(*first, ...).values)
    if not isinstance(partitions, np.ndarray) or partitions.ndim != 3:
        return partitions, weights, 1
    n_chains, n_draws = partitions.shape[:2]
    if weights is not None and np.shape(weights) == (n_chains, n_draws):
        weights = np.ravel(weights)
    draws = {
        f"chain {chain}, draw {draw}": partitions[chain, draw]
        for chain, draw in np.ndindex(n_chains, n_draws)
    }
    return draws, weights, n_chains


def error_of_mean(values: FloatArray, weights: FloatArray, n_chains: int) -> float:
    """Return the standard error of the weighted mean of a series, NaN for a single value.

    The variance of independent values, times the integrated autocorrelation time of the chains.
    """
    if len(values) < 2:
        return float("nan")
    shares = weights / weights.sum()
    deviations = values - shares @ values
    variance = float((shares * deviations) @ (shares * deviations)) / (1 - float(shares @ shares))
    return float(np.sqrt(variance * _autocorrelation_time(values.reshape(n_chains, -1))))


def _autocorrelation_time(chains: FloatArray) -> float:
    """Return 1 + twice the sum of autocorrelations, at least 1, by Geyer's monotone sequence.

    Differences between chains count as autocorrelation, as in Gelman et al., "Bayesian data
    analysis", 3rd ed., section 11.5.
    """
    n_draws = chains.shape[1]
    if n_draws < 4:
        return 1.0
    centered = chains - chains.mean(axis=1, keepdims=True)
    spectrum = np.abs(np.fft.rfft(centered, 2 * n_draws, axis=1)) ** 2
    covariances = np.fft.irfft(spectrum, axis=1)[:, :n_draws].mean(axis=0) / n_draws
    within = covariances[0] * n_draws / (n_draws - 1)
    between = float(chains.mean(axis=1).var(ddof=1)) if len(chains) > 1 else 0.0
    total = covariances[0] + between
    if total <= TIE * np.abs(chains).max() ** 2:
        return 1.0
    correlations = 1 - (within - covariances * n_draws / (n_draws - 1)) / total
    correlations[0] = 1.0
    pairs = correlations[: n_draws // 2 * 2].reshape(-1, 2).sum(axis=1)
    negative = np.flatnonzero(pairs <= 0)
    pairs = np.minimum.accumulate(pairs[: negative[0]] if len(negative) else pairs)
    return max(2 * float(pairs.sum()) - 1, 1.0)


class CredibleBall(Drawn, Result):
    """The draws nearest to a consensus that have a share of the weight, and the extremes of them.

    Made by :meth:`~sklearn_clustcompare.results.ConsensusResult.credible_ball`. All parameters are
    attributes of the same names, which cannot be set.

    Parameters
    ----------
    radius : float
        The smallest distance to the consensus that holds the share of the draws, by their weights.
    members : ndarray of int64 of shape (n_members,)
        Positions of the draws within that distance.
    horizontal : ndarray of int64 of shape (n_samples,)
        The member that is farthest from the consensus.
    upper : ndarray of int64 of shape (n_samples,)
        Of the members with fewest clusters, the farthest.
    lower : ndarray of int64 of shape (n_samples,)
        Of the members with most clusters, the farthest.
    center : ndarray of int64 of shape (n_samples,)
        The consensus.
    level : float
        Share of the draws, by their weights, that the ball holds.

    See Also
    --------
    consensus_partition : Finds the consensus.

    References
    ----------
    .. [1] S. Wade, Z. Ghahramani, "Bayesian cluster analysis: point estimation and credible balls",
       Bayesian Analysis 13(2), 2018. :doi:`10.1214/17-BA1073`.

    Examples
    --------
    >>> from sklearn_clustcompare import consensus_partition
    >>> draws = [[0, 0, 1, 1]] * 8 + [[0, 0, 0, 0], [0, 1, 2, 3]]
    >>> ball = consensus_partition(draws, index="variation_of_information_distance").credible_ball()
    >>> round(ball.radius, 3), len(ball.members)
    (0.693, 10)
    >>> ball.upper, ball.lower
    (array([0, 0, 0, 0]), array([0, 1, 2, 3]))
    """

    radius: float
    members: IntArray
    horizontal: IntArray
    upper: IntArray
    lower: IntArray
    center: IntArray
    level: float

    def _headline(self) -> str:
        return (
            f"CredibleBall: {100 * self.level:g} % of the draws lie within {decimal(self.radius)} "
            "of the consensus"
        )

    def _shown(self) -> Table:
        bounds = {
            "center": self.center,
            "horizontal": self.horizontal,
            "upper": self.upper,
            "lower": self.lower,
        }
        numbers = [len(np.unique(labels[labels >= 0])) for labels in bounds.values()]
        return table_of({"bound": list(bounds), "clusters": numbers}, names=["bound"])


def ball_around(
    distances: FloatArray, weights: FloatArray, n_clusters: Positions, level: float
) -> tuple[float, IntArray, tuple[int, int, int]]:
    """Return the radius, the draws inside, and which are the horizontal, upper and lower bound."""
    order = np.argsort(distances, kind="stable")
    held = np.cumsum(weights[order]) / weights.sum()
    last = min(int(np.searchsorted(held, level - TIE)), len(order) - 1)
    radius = float(distances[order[last]])
    members = np.flatnonzero(distances <= radius + TIE * (1 + abs(radius)))
    inside, numbers = distances[members], n_clusters[members]
    bounds = (
        members[inside.argmax()],
        members[np.where(numbers == numbers.min(), inside, -np.inf).argmax()],
        members[np.where(numbers == numbers.max(), inside, -np.inf).argmax()],
    )
    return radius, members, (int(bounds[0]), int(bounds[1]), int(bounds[2]))


class PosteriorComparison(Result):
    """Two posteriors of partitions side by side; made by :func:`compare_posteriors`.

    All parameters are attributes of the same names, which cannot be set.

    Parameters
    ----------
    distance : float
        Distance of the two estimates, by the loss.
    radii : tuple of two floats
        Radius of the credible ball of each.
    agree : bool
        Whether each estimate lies in the credible ball of the other.
    estimates : tuple of two ConsensusResult
        The consensus of each.
    confidence_level : float
        Share of the draws that a credible ball holds.

    See Also
    --------
    compare_posteriors : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare.consensus import compare_posteriors
    >>> first = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]]
    >>> compare_posteriors(first, first[::-1], index="vi").agree
    True
    """

    distance: float
    radii: tuple[float, float]
    agree: bool
    estimates: tuple[ConsensusResult, ConsensusResult]
    confidence_level: float

    def _headline(self) -> str:
        verdict = "agree" if self.agree else "disagree"
        return f"PosteriorComparison: the posteriors {verdict}, distance {decimal(self.distance)}"

    def _shown(self) -> Table:
        columns = {
            "posterior": ["a", "b"],
            "clusters": [len(one.cluster_agreement) for one in self.estimates],
            "radius": list(self.radii),
        }
        return table_of(columns, names=["posterior"])


def compare_posteriors(
    a: PartitionsLike,
    b: PartitionsLike,
    *,
    index: IndexLike = "adjusted_rand_score",
    confidence_level: float = LEVEL,
    unmatched: str = "error",
    **options: Any,
) -> PosteriorComparison:
    """Compare two posteriors of partitions: two samplers, two models, or two parts of a chain.

    They agree if the estimate of each lies in the credible ball of the other.

    Parameters
    ----------
    a : array-like of shape (n_draws, n_samples) or (n_chains, n_draws, n_samples)
        Draws of the first posterior.
    b : array-like of shape (n_draws, n_samples) or (n_chains, n_draws, n_samples)
        Draws of the second, of the same objects.
    index : str, callable or Index, default="adjusted_rand_score"
        The :term:`index`: a name (see :func:`list_indices`), its function or a record.
    confidence_level : float, default=0.95
        Share of the draws that a credible ball holds.
    unmatched : {"error", "drop", "singleton"}, default="error"
        How to treat objects that not all partitions have, where they name objects (dicts,
        Series, sets): raise an error, leave them out, or make each a cluster of its own where
        it lacks.
    **options : dict
        Other keywords of :func:`consensus_partition`, and parameters of the index.

    Returns
    -------
    PosteriorComparison
        With ``distance``, ``radii``, ``agree`` and ``estimates``.

    Raises
    ------
    ValueError
        If the objects differ, ``cost`` is given, or as :func:`consensus_partition` raises it.

    See Also
    --------
    consensus_partition : The estimate of one posterior.

    Notes
    -----
    Where an estimate lies outside of the ball of the other, the draws may not be of the same
    posterior, or a chain has not converged. Estimates also differ by chance and by the local
    optimum that was found. By the variation of information, :func:`consensus_partition` warned of
    halves of independent draws of one posterior in none of 200 simulations, and not of diffuse
    draws either of which three objects in ten had other clusters in one half: agreement is no
    proof (``benchmarks/posterior.py``).

    References
    ----------
    .. [1] S. Wade, Z. Ghahramani, "Bayesian cluster analysis: point estimation and credible balls",
       Bayesian Analysis 13(2), 2018. :doi:`10.1214/17-BA1073`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_clustcompare.consensus import compare_posteriors
    >>> rng = np.random.default_rng(0)
    >>> one = np.repeat([0, 1], 20) ^ (rng.random((100, 40)) < 0.05)
    >>> other = np.tile([0, 1], 20) ^ (rng.random((100, 40)) < 0.05)
    >>> compare_posteriors(one[:50], one[50:]).agree, compare_posteriors(one, other).agree
    (True, False)
    """
    from sklearn_clustcompare.consensus._consensus import consensus_partition

    share("confidence_level", confidence_level)
    if options.get("cost") not in (None, 1):
        msg = f"cost must be None where distances are compared, got {options['cost']}"
        raise ValueError(msg)
    if unmatched != "error":
        reading = reading_of(options | {"unmatched": unmatched})
        firsts, seconds = (
            [one.read(reading) for one in list_members(flatten_chains(draws, None)[0])]
            for draws in (a, b)
        )
        together = partners(*firsts, *seconds, unmatched=unmatched)
        a, b = together[: len(firsts)], together[len(firsts) :]
    options |= {"index": index, "unmatched": unmatched}
    estimates = tuple(consensus_partition(draws, **options) for draws in (a, b))
    lengths = [len(one.labels) for one in estimates]
    if lengths[0] != lengths[1]:
        msg = f"a and b must be of the same objects, got {lengths[0]} and {lengths[1]}"
        raise ValueError(msg)
    first, second = (np.asarray(one.objects) for one in estimates)  # None if they have no names
    if not np.array_equal(first, second):
        msg = "a and b must have the same objects in the same order, got others"
        raise ValueError(msg)
    radii = tuple(one.credible_ball(confidence_level).radius for one in estimates)
    record, params = estimates[0].index, estimates[0].parameters
    distance, agree = compared([one.labels for one in estimates], radii, record, params)
    return PosteriorComparison(
        distance, (radii[0], radii[1]), agree, (estimates[0], estimates[1]), confidence_level
    )


def compared(
    labels: Sequence[Positions],
    radii: Sequence[float],
    index: Index,
    parameters: Mapping[str, Any],
) -> tuple[float, bool]:
    """Return the distance of two estimates, and whether each lies in the ball of the other."""
    distances = [
        distances_of(value_of(index, parameters, *side), index) for side in (labels[::-1], labels)
    ]
    pairs = zip(distances, radii, strict=True)
    return max(distances), all(one <= radius + TIE * (1 + abs(one)) for one, radius in pairs)
