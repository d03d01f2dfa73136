"""The rule for the number of clusters: the evidence in five steps, and what it decides in words.

A *division* is a partition into several clusters of more than five objects each. It *comes back* if
the clusters of one half of the data predict those of the other. Its *ratio* says how much denser
the cores of its clusters are than the passes between them. Structureless data are drawn only if
ratios do not decide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.sparse import issparse
from scipy.spatial.distance import pdist, squareform
from sklearn.decomposition import PCA

from sklearn_clustcompare._array_types import Array, FloatArray, Mask, Positions
from sklearn_clustcompare._clusterers import MOST_TRIED, pairs_taken
from sklearn_clustcompare._data import euclidean, near, near_for
from sklearn_clustcompare._numerics import known_mean, silhouettes_of
from sklearn_clustcompare._partition import read_labels
from sklearn_clustcompare._rendering import Result, decimal
from sklearn_clustcompare.metrics import pair_precision_score
from sklearn_clustcompare.without_reference._fits import (
    cluster_many,
    compare_with_null,
    fit_seeds,
    run_fits,
)
from sklearn_clustcompare.without_reference._null_data import (
    LEVEL,
    NullData,
    in_units,
    moments,
    principal,
    spread,
    tail_pvalue,
)
from sklearn_clustcompare.without_reference._resamples import (
    FEWEST,
    NOISE,
    Clustering,
    Split,
    Subsample,
    all_distances,
    take_rows,
)
from sklearn_clustcompare.without_reference._stability import (
    Splits,
    resampled,
    strengths_of,
)

# --------------------------------------------------------------------------- silhouettes, ratios

# Neighbors in the ball of an object at most, and their share of the smallest cluster; FEWEST at
# least.
_MOST_NEIGHBORS, _SHARE = 10, 6
# Principal axes in which passes are sought at least.
_FEWEST_AXES = 3


def sizes_of(labels: Array) -> Positions:
    """Return the sizes of the clusters of a partition, without noise (-1)."""
    return np.unique(labels[labels != -1], return_counts=True)[1]


def is_division(labels: Array) -> bool:
    """Return whether a partition has several clusters, none of so few objects as outliers are."""
    sizes = sizes_of(labels)
    return len(sizes) > 1 and int(sizes.min()) > FEWEST


def silhouettes(space: Any, partitions: Sequence[Array], pairs: str | None) -> list[float]:
    """Return the mean silhouette of each partition of a data set, NaN of what is no division.

    ``pairs`` says what the space holds of pairs of objects, None for features. Noise (-1) is in no
    cluster, and has silhouette 0.
    """
    found = [np.nan] * len(partitions)
    divisions = [number for number, one in enumerate(partitions) if is_division(one)]
    if not divisions:
        return found
    distances = _distances(space, pairs)
    codes = [np.unique(partitions[number], return_inverse=True)[1] for number in divisions]
    members = [one[:, np.newaxis] == np.arange(one.max() + 1) for one in codes]
    starts = np.cumsum([0, *(one.shape[1] for one in members)])
    sums = distances @ np.concatenate(members, axis=1).astype(distances.dtype)
    for number, code, start, end in zip(divisions, codes, starts, starts[1:], strict=False):
        found[number] = _silhouette(sums[:, start:end].astype(np.float64), code, partitions[number])
    return found


def _silhouette(sums: FloatArray, codes: Positions, labels: Array) -> float:
    """Return the mean silhouette from the sums of the distances of each object to each cluster."""
    is_noise, rows = labels == -1, np.arange(len(labels))
    sizes = np.bincount(codes)
    within = sums[rows, codes] / np.maximum(sizes[codes] - 1, 1)
    others = sums / sizes
    others[rows, codes] = np.inf
    if is_noise.any():
        others[:, codes[is_noise][0]] = np.inf
    nearest = others.min(axis=1)
    return float(silhouettes_of(within, nearest)[~is_noise].sum() / len(labels))


def _distances(space: Any, pairs: str | None) -> FloatArray:
    if pairs is not None:
        return near(all_distances(space, pairs), shifts=False).values
    values = near_for(space, "euclidean").values
    return euclidean(values, values) if issparse(values) else squareform(pdist(values))


class Passes:
    """The passes between clusters of a data set, in its first principal axes.

    A step from one object to another is as long as the largest of their distance and the radii of
    both balls of m neighbors. Distances of pairs that are given have no axes.
    """

    def __init__(self, space: Any, pairs: str | None) -> None:
        self._pairs = pairs
        if pairs is not None:
            self._values = _distances(space, pairs)
            return
        self._values = near_for(space, "euclidean").values
        if not issparse(self._values):
            _, self._values, _ = principal(spread(self._values))

    def ratio(self, labels: Array) -> float:
        """Return how much denser the cores of the clusters are than the passes, of the worst.

        From the densest object of a cluster, the best path to that of any other has the longest
        step r. The density of the core is the mean number of neighbors within r of the densest
        quarter of the cluster, and that of the pass is m.
        """
        clusters, codes = np.unique(labels[labels != -1], return_inverse=True)
        rows, sizes = np.flatnonzero(labels != -1), np.bincount(codes)
        distances = self._in_axes(max(_FEWEST_AXES, len(clusters) - 1))
        m = int(np.clip(sizes.min() // _SHARE, FEWEST, _MOST_NEIGHBORS))
        balls = np.partition(distances, m, axis=1)[:, m]
        steps = np.maximum(distances, np.maximum.outer(balls, balls))
        np.fill_diagonal(steps, 0.0)
        ordered = rows[np.lexsort((balls[rows], codes))]
        starts = np.cumsum(sizes) - sizes
        steps = squareform(steps, checks=False)
        passes = _longest_steps(steps, ordered[starts])
        ratios = []
        for start, size, longest in zip(starts, sizes, passes, strict=True):
            densest = ordered[start : start + max(size // 4, 1)]
            within = np.count_nonzero(distances[densest] <= longest, axis=1) - 1
            ratios.append(float(within.mean()) / m)
        return min(ratios)

    def _in_axes(self, n_axes: int) -> FloatArray:
        """Return the distances of all objects in the first principal axes."""
        if self._pairs is not None:
            return self._values
        values = self._values
        if issparse(values):
            n_axes = min(n_axes, min(values.shape) - 1)
            values = PCA(n_axes, svd_solver="arpack", random_state=0).fit_transform(values)
        return squareform(pdist(values[:, :n_axes]))


def _longest_steps(steps: FloatArray, centers: Positions) -> FloatArray:
    """Return the longest step of the best path from each center to any other.

    It is the height at which single linkage first joins the center with another one.
    """
    heights = squareform(cophenet(linkage(steps, "single")))[np.ix_(centers, centers)]
    np.fill_diagonal(heights, np.inf)
    return heights.min(axis=1)


# --------------------------------------------------------------------------- evidence

# A silhouette is so many standard deviations above the mean of structureless data.
CLEAR = 1.645
# So far below its mean, the data contradict a law; and the probability that one of nine z is so low
# by chance, by which Berger and Boos (1994) raise p. At -3 and without it, .125 of 352 data sets of
# one cluster had a p of at most .05, with both .060 (benchmarks/verdicts.txt).
_CONTRADICTS, _BY_CHANCE = -3.5, 0.005
# Prediction strength of a division that comes back (Tibshirani and Walther, 2005).
COMES_BACK = 0.8
# Ratios of separated clusters, and of those that are no cut through one mode.
SEPARATED, TOUCHING = 2.5, 1.0
# Pairs of objects of a finer division that a coarser one joins, at least.
NESTED = 0.95
# Splits after which those with a strength of at most this are given up.
_FIRST_SPLITS, _HOPELESS = 5, 0.65
# Share of the objects of each sample of chains, which break if half of them are left out.
_OF_CHAINS = 0.8
# Numbers of structureless data sets of each law after which it is asked whether they are enough;
# and how many as good as the data show that they explain them.
_LOOKS, _EXPLAIN = (9, 19), 3
# Tail of Student's law below which more sets would change no decision.
_SURE = 0.002


@dataclass(eq=False)
class Candidate:
    """A value of the parameter: its partition of the data, and the evidence for it.

    ``number`` is its place among all. A division has a silhouette and a ratio, others have NaN.
    """

    parameters: dict[str, Any]
    number: int
    labels: Array
    silhouette: float
    ratio: float
    chains: bool = False
    strengths: list[float] = field(default_factory=list)
    z: float = np.nan

    @property
    def is_division(self) -> bool:
        return not np.isnan(self.silhouette)

    @property
    def n_clusters(self) -> int:
        """Number of clusters, without noise."""
        return len(sizes_of(self.labels))

    @property
    def strength(self) -> float:
        """The mean strength of the splits that had enough objects; NaN without any."""
        return float(known_mean(np.array([self.strengths or [np.nan]]))[0])

    @property
    def comes_back(self) -> bool:
        """Whether the mean strength is above .65 and, within its error, at least .8."""
        known = [one for one in self.strengths if one == one]
        if len(known) < min(len(self.strengths), 2):
            return False
        mean = self.strength  # NaN, which is never larger, without any
        error = np.std(known, ddof=1) / np.sqrt(len(known)) if len(known) > 1 else 0.0
        return bool(mean > _HOPELESS and mean + error >= COMES_BACK)

    @property
    def is_dense(self) -> bool:
        """Whether the ratio is as large as hardly any of data that are one cluster."""
        return self.ratio >= SEPARATED

    @property
    def grade(self) -> str:
        """The grade that it would have alone, "" for none."""
        if not self.ratio >= TOUCHING:
            return ""
        if self.comes_back and self.is_dense:
            return "separated"
        if not (self.is_dense or self.z >= CLEAR or (self.chains and self.comes_back)):
            return ""
        return "touching" if self.comes_back else "tentative"

    def is_inside(self, other: Candidate) -> bool:
        """Whether nearly all pairs of objects of its clusters are in one cluster of another."""
        is_known = (self.labels != -1) & (other.labels != -1)
        return pair_precision_score(other.labels[is_known], self.labels[is_known]) >= NESTED


@dataclass(eq=False)
class Evidence:
    """Evidence on the values of a parameter; fits are made when they are needed.

    ``X`` is what the rule looks at, all data or a sample of them. Structureless data are compared
    in ``n_parts`` parts of it. ``beyond`` has the silhouettes of candidates that were left out.
    ``chains`` are clusters of any shape: silhouettes say nothing of them. ``groups`` has the group
    of each row, if these stay together in splits and parts.
    """

    estimator: Any
    X: Any
    extension: Any
    laws: Callable[[], Sequence[NullData]]
    n_null: int
    n_resamples: int
    n_parts: int
    chains: bool
    seeds: tuple[int, ...]
    how: dict[str, Any]
    groups: Positions | None = None
    candidates: list[Candidate] = field(default_factory=list)
    beyond: list[float] = field(default_factory=list)
    test: NullTest | None = None
    null_silhouettes: dict[str, FloatArray] = field(default_factory=dict)

    def extend(self, values: Sequence[dict[str, Any]]) -> None:
        """Add candidates, with their divisions, silhouettes, ratios and strengths."""
        known, pairs = len(self.candidates), pairs_taken(self.estimator)
        (seeds,) = fit_seeds(1, known + len(values), self.seeds[0])
        tasks: list[tuple[Any, ...]] = [
            (self.estimator, one, [self.X], [seed])
            for one, seed in zip(values, seeds[known:], strict=True)
        ]
        found = [one for (one,) in self._run(cluster_many, tasks)]
        evidence = (_by_space(found, one, pairs) for one in (silhouettes, _ratios))
        columns = zip(values, found, *evidence, strict=True)
        fresh = [
            Candidate(one, number, of.labels, silhouette, ratio, self.chains)
            for number, (one, of, silhouette, ratio) in enumerate(columns, known)
        ]
        self.candidates += fresh
        rows = fit_seeds(self.n_resamples, 1 + 2 * len(self.candidates), self.seeds[1])
        going = [one for one in fresh if one.is_division]
        splits = Splits(self.estimator, self.X, self.extension, NOISE, self.groups)
        for part in (rows[:_FIRST_SPLITS], rows[_FIRST_SPLITS:]):
            tasks = [(splits, one.parameters, one.number, part) for one in going]
            if self.chains:
                tasks = [(*task, one.labels) for task, one in zip(tasks, going, strict=True)]
            found_again = self._run(_found_again if self.chains else strengths_of, tasks)
            for one, values_of_splits in zip(going, found_again, strict=True):
                one.strengths += values_of_splits
            going = [one for one in going if one.strength > _HOPELESS]

    def keep(self, n_candidates: int) -> None:
        """Leave out the last candidates, but for their silhouettes."""
        self.beyond = [one.silhouette for one in self.candidates[n_candidates:]]
        del self.candidates[n_candidates:]

    @property
    def divisions(self) -> list[Candidate]:
        return [one for one in self.candidates if one.is_division]

    def _run(self, function: Any, tasks: Any) -> list[Any]:
        return run_fits(function, tasks, description="fits", **self.how)

    # ----------------------------------------------------------------- structureless data

    def compare(self) -> NullTest:
        """Compare the silhouettes with those of structureless data, as many as are needed."""
        laws, divisions, pairs = self.laws(), self.divisions, pairs_taken(self.estimator)
        names, parameters = [law.name for law in laws], [one.parameters for one in divisions]
        statistic = _Silhouettes(self.estimator, parameters, None, pairs)
        own, n_rows = self._silhouettes_of_parts(divisions, statistic)
        can_be = np.array([one.ratio >= TOUCHING for one in divisions])
        _, null = compare_with_null(
            statistic._replace(n_rows=n_rows),
            self.X,
            laws,
            [[], *fit_seeds(self.n_null, 1 + len(self.candidates), self.seeds[3])],
            own=own,
            looks=_LOOKS,
            is_enough=lambda own, null: NullTest.of(names, own, null, can_be)[1] is not None,
            **self.how,
        )
        self.test, is_one = NullTest.of(names, own, null, can_be)
        if len(null[0]) < self.n_null and not is_one:
            # Hardly a further set can be as good as the data.
            self.test = self.test._replace(pvalue=least_pvalue(self.n_null))
        for one, z in zip(divisions, self.test.z.tolist(), strict=True):
            one.z = z
        self.null_silhouettes = dict(zip(names, null, strict=True))
        return self.test

    def _silhouettes_of_parts(
        self, divisions: Sequence[Candidate], statistic: _Silhouettes
    ) -> tuple[FloatArray, int]:
        """Return the silhouettes of each part of the data, and the objects of a part."""
        if self.n_parts == 1:
            return np.array([[one.silhouette for one in divisions]]), self.X.shape[0]
        parts = [one.X for one in Split(self.groups).draw(self.X, self.n_parts, self.seeds[2])]
        rows = fit_seeds(self.n_parts, 1 + divisions[-1].number, self.seeds[2])
        seeds = [[0, *(row[one.number] for one in divisions)] for row in rows]
        return self._run(statistic, [(parts, seeds)])[0], parts[0].shape[0]


def _by_space(
    found: Sequence[Clustering], statistic: Callable[..., list[float]], pairs: str | None
) -> list[float]:
    """Return a statistic of partitions in their spaces, which mostly are all the same."""
    values: list[float] = []
    start = 0
    for stop in range(1, len(found) + 1):
        if stop == len(found) or not _is_same(found[stop].space, found[start].space):
            labels = [one.labels for one in found[start:stop]]
            values += statistic(found[start].space, labels, pairs)
            start = stop
    return values


def _is_same(space: Any, other: Any) -> bool:
    if space is other:
        return True
    return type(space) is type(other) is np.ndarray and np.array_equal(space, other)


def _ratios(space: Any, partitions: Sequence[Array], pairs: str | None) -> list[float]:
    if not any(map(is_division, partitions)):
        return [np.nan] * len(partitions)
    passes = Passes(space, pairs)
    return [passes.ratio(one) if is_division(one) else np.nan for one in partitions]


# --------------------------------------------------------------------------- tasks


def _found_again(
    splits: Splits,
    candidate: dict[str, Any],
    number: int,
    seeds: Sequence[list[int]],
    labels: Array,
) -> list[float]:
    """Return the Jaccard index of the worst cluster in samples without replacement."""
    original = read_labels(labels, "estimator").compact()[0]
    drawing = Subsample(round(_OF_CHAINS * splits.X.shape[0]), splits.groups)
    given = splits.estimator, candidate, splits.X, drawing, original, NOISE
    clusters = np.unique(original.codes[labels != -1])
    found = [resampled(*given, [row[0], row[1 + 2 * number]]) for row in seeds]
    return [np.nan if one is None else float(one.jaccard[clusters].min()) for one in found]


class _Silhouettes(NamedTuple):
    """The silhouettes of data sets by each candidate, from so many rows of each set, None for all.

    The first seed of each row is that of the rows that are looked at.
    """

    estimator: Any
    candidates: Sequence[dict[str, Any]]
    n_rows: int | None
    pairs: str | None

    def __call__(self, sets: Sequence[Any], seeds: Sequence[Sequence[int]]) -> FloatArray:
        some = [_some(X, self.n_rows, row[0]) for X, row in zip(sets, seeds, strict=True)]
        found = [
            cluster_many(self.estimator, one, some, [row[number] for row in seeds])
            for number, one in enumerate(self.candidates, 1)
        ]
        columns = zip(*found, strict=True)
        return np.array([_by_space(one, silhouettes, self.pairs) for one in columns])


def _some(X: Any, n_rows: int | None, seed: int) -> Any:
    if n_rows in (None, X.shape[0]):
        return X
    chosen = np.random.default_rng(seed).choice(X.shape[0], n_rows, replace=False)
    return take_rows(X, np.sort(chosen))


# --------------------------------------------------------------------------- comparison


class NullTest(NamedTuple):
    """Comparison with laws of structureless data: of those that the data do not contradict.

    ``z`` has the least standardized silhouette over these laws for each division.
    """

    pvalue: float
    z: FloatArray
    laws: tuple[str, ...]
    dropped: tuple[str, ...]
    n_null: int

    @classmethod
    def of(
        cls, names: Sequence[str], own: FloatArray, null: Sequence[FloatArray], can_be: Mask
    ) -> tuple[NullTest, bool | None]:
        """Compare the silhouettes of parts of the data with those of each law's sets.

        The p-value is of the divisions that can be chosen, 1 without any.

        Also return whether more sets would leave the data one cluster, or would not; None if that
        is not known.
        """
        found = [_OfLaw.of(name, own, one, can_be) for name, one in zip(names, null, strict=True)]
        kept = [one for one in found if not one.is_contradicted]
        if not kept:
            kept = [max(found, key=lambda one: np.nanmin(one.z, initial=np.inf))]
        with np.errstate(invalid="ignore"):
            z = np.fmin.reduce([one.z for one in kept])
        laws = tuple(one.name for one in kept)
        return cls(
            pvalue=min(max(one.pvalue for one in kept) + _raised(len(null[0])), 1.0),
            z=z,
            laws=laws,
            dropped=tuple(one.name for one in found if one.name not in laws),
            n_null=len(null[0]),
        ), _is_enough(found, kept, z[can_be])


def _raised(n_sets: int) -> float:
    """Return by how much p is raised: not of so few sets that no p could reach the level."""
    return _BY_CHANCE if 1 / (1 + n_sets) + _BY_CHANCE <= LEVEL else 0.0


def least_pvalue(n_sets: int) -> float:
    """Return the least p that so many sets can give."""
    return 1 / (1 + n_sets) + _raised(n_sets)


class _OfLaw(NamedTuple):
    """Comparison with one law: z of the data, and the largest of them and of each set."""

    name: str
    z: FloatArray
    largest: float
    others: FloatArray

    @classmethod
    def of(cls, name: str, own: FloatArray, null: FloatArray, can_be: Mask) -> _OfLaw:
        z = _standardized(own, null)
        n_sets, n_parts = len(null), len(own)
        if n_parts == 1:
            groups = [[number] for number in range(n_sets)]
        else:
            rng = np.random.default_rng(0)
            groups = [rng.permutation(n_sets)[:n_parts].tolist() for _ in range(n_sets)]
        others = [_standardized(null[one], np.delete(null, one, axis=0)) for one in groups]
        largest, *of_sets = (np.nanmax(one[can_be], initial=-np.inf) for one in (z, *others))
        return cls(name, z, largest, np.array(of_sets))

    @property
    def pvalue(self) -> float:
        """Share of the data sets, with the data, that are as good."""
        return float((1 + np.sum(self.others >= self.largest)) / (1 + len(self.others)))

    @property
    def is_contradicted(self) -> bool:
        """Whether the data lie below the law, or its sets fall apart into outliers."""
        is_unknown = np.isnan(self.z)
        return bool((self.z < _CONTRADICTS).any() or 2 * is_unknown.sum() > len(self.z))


def _standardized(own: FloatArray, others: FloatArray) -> FloatArray:
    """Return the mean of some sets by the others; NaN where fewer than half have a division."""
    n_own, n_others = (np.sum(~np.isnan(one), axis=0) for one in (own, others))
    is_known = (
        (2 * n_own >= len(own)) & (n_own > 0) & (2 * n_others >= len(others)) & (n_others > 1)
    )
    (mean, _), (middle, deviation) = moments(own), moments(others)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = in_units(mean, middle, deviation * np.sqrt(1 / n_own + 1 / n_others))
    return np.where(is_known, found, np.nan)


def _is_enough(found: Sequence[_OfLaw], kept: Sequence[_OfLaw], z: FloatArray) -> bool | None:
    """Return whether the data are one cluster if more sets would not change it, else None."""
    n_sets = len(found[0].others)
    for one in found:
        n_unknown = np.isnan(one.z).sum()
        if (np.abs(one.z - _CONTRADICTS) < _margin(one.z, n_sets)).any():
            return None
        if 0 < n_unknown < len(one.z) and abs(2 * n_unknown - len(one.z)) < 2:
            return None
    if any(np.sum(one.others >= one.largest) >= _EXPLAIN for one in kept):
        return True
    is_near = np.abs(z - CLEAR) < _margin(z, n_sets)
    return False if max(map(_tail, kept)) < _SURE and not is_near.any() else None


def _margin(z: FloatArray, n_sets: int) -> FloatArray:
    """Return two standard errors of z."""
    return 2 * np.sqrt(1 / n_sets + z**2 / (2 * (n_sets - 1)))


def _tail(one: _OfLaw) -> float:
    """Return the probability that one more normal value exceeds the largest z of the data."""
    return tail_pvalue(one.largest, one.others) if np.isfinite(one.others).all() else 1.0


# --------------------------------------------------------------------------- decision

Grade = Literal["separated", "touching", "tentative", "one", "nothing"]

# If no range is given and the last numbers are the best, so many times as many are tried.
_TIMES = 3
_GRADES: tuple[Grade, ...] = ("separated", "touching", "tentative")
# Of separated divisions, silhouettes that differ by this do not decide: the finest one does.
_AS_GOOD = 0.05


class NClustersVerdict(Result, eq=True):
    """Verdict on the number of clusters; an attribute of NClustersChoice.

    Printed, it shows the verdict and its reasons. All parameters are attributes of the same names,
    which cannot be set.

    Parameters
    ----------
    grade : {"separated", "touching", "tentative", "one", "nothing"}
        How sure the number is: the clusters are separated and come back in other halves of the
        data; they come back, but may be parts of one bent or skew cluster; they do not come back;
        no evidence of more than one cluster; nothing was divided. Small groups have no part in it.
    n_clusters : int or None
        The number, with small groups; None if nothing was divided.
    finer : tuple of int
        Numbers of clusters of divisions inside of these clusters that come back, too.
    at_least : bool
        Whether there may be more, since the last number that was tried is the best.
    reasons : tuple of str
        Sentences: what was found, what was compared, and what the verdict cannot know.
    small_shares : tuple of float, default=()
        Shares of small groups of large data, which are no clusters of the clusterer.

    See Also
    --------
    choose_n_clusters : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare.results import NClustersVerdict
    >>> print(NClustersVerdict("separated", 2, (3, 4), False, ()))
    2 clusters, separated; divisions into 3 and into 4, nested in these, come back, too
    """

    grade: Grade
    n_clusters: int | None
    finer: tuple[int, ...]
    at_least: bool
    reasons: tuple[str, ...]
    small_shares: tuple[float, ...] = ()

    @property
    def headline(self) -> str:
        """The answer in words, without its reasons."""
        if self.n_clusters is None:
            return "no number of clusters: nothing was divided"
        n_small = len(self.small_shares)
        n_clusters = self.n_clusters - n_small
        shares = ", ".join(f"{100 * one:.2g} %" for one in self.small_shares)
        small = f"{n_small} small group{'s' if n_small > 1 else ''} ({shares})"
        if n_clusters == 1:
            return f"1 large cluster and {small}" if n_small else "1 cluster: no evidence of more"
        more = " or more" if self.at_least else ""
        head = f"{n_clusters} clusters{more}, {self.grade}" + (f", and {small}" if n_small else "")
        if not self.finer:
            return head
        divisions = "divisions" if len(self.finer) > 1 else "a division"
        comes = "come" if len(self.finer) > 1 else "comes"
        finer = " and ".join(f"into {number}" for number in self.finer)
        return f"{head}; {divisions} {finer}, nested in these, {comes} back, too"

    def _headline(self) -> str:
        return self.headline

    def _conclusion(self) -> Sequence[str]:
        return self.reasons


def with_small_groups(
    verdict: NClustersVerdict, shares: Sequence[float], notes: Sequence[str]
) -> NClustersVerdict:
    """Return the verdict with small groups, and with sentences on samples before the last one."""
    *own, last = verdict.reasons
    n_clusters = verdict.n_clusters and verdict.n_clusters + len(shares)
    reasons = (*own, *notes, last)
    return replace(verdict, n_clusters=n_clusters, small_shares=tuple(shares), reasons=reasons)


def decide(
    evidence: Evidence, more: Callable[[int], dict[str, Any]] | None
) -> tuple[NClustersVerdict, Candidate | None]:
    """Return the verdict and its division, None for one cluster or nothing.

    ``more`` makes the candidate of a number of clusters beyond the last one, if these may be tried.
    """
    if not evidence.divisions:
        return _nothing(evidence), None
    if more is not None and not evidence.chains and _best(evidence) is evidence.candidates[-1]:
        _go_on(evidence, more)
    return _graded(evidence)


def _go_on(evidence: Evidence, more: Callable[[int], dict[str, Any]]) -> None:
    """Try up to three times as many clusters; the largest number that comes back is the last."""
    last = len(evidence.candidates)
    stop = min(_TIMES * MOST_TRIED, evidence.X.shape[0] // (FEWEST + 1))
    if last + 2 <= stop:
        evidence.extend([more(number) for number in range(last + 2, stop + 1)])
    back = [one.number for one in evidence.candidates[last:] if one.comes_back]
    evidence.keep(max(back, default=last - 1) + 1)


def _best(evidence: Evidence) -> Candidate:
    """Return the division with the largest silhouette."""
    return max(evidence.divisions, key=lambda one: one.silhouette)


def _graded(evidence: Evidence) -> tuple[NClustersVerdict, Candidate | None]:
    """Return the verdict from the best grade that a division has, and the division.

    Structureless data are drawn only where the ratios do not decide. Chains follow a bent cluster
    instead of cutting it: of them no silhouettes are compared, and the finest division is chosen.
    """

    def value(one: Candidate) -> float:
        return 0.0 if evidence.chains else one.silhouette

    passes = [one for one in evidence.divisions if one.ratio >= TOUCHING]
    largest = max(map(value, passes), default=np.nan)
    is_known = evidence.chains or any(
        one.is_dense and (one.comes_back or value(one) == largest) for one in passes
    )
    if not is_known and evidence.compare().pvalue > LEVEL:
        return _one(evidence), None
    for grade in _GRADES:
        best = [one for one in passes if one.grade == grade]
        most = largest if grade == "tentative" else max(map(value, best), default=np.nan)
        least = most - (_AS_GOOD if grade == "separated" else 0.0)
        best = [one for one in best if value(one) >= least]
        if best:
            found = max(best, key=lambda one: (one.n_clusters, one.ratio))
            return _several(evidence, found, grade), found
    return _one(evidence), None


# --------------------------------------------------------------------------- words


_CAVEAT = (
    "No evidence knows the purpose of the clusters, and all of it depends on the scales of the "
    "features and on the clusterer."
)


def _nothing(evidence: Evidence) -> NClustersVerdict:
    most = max((one.n_clusters for one in evidence.candidates), default=0)
    if most > 1 and not evidence.chains:
        why = f"Only clusters of {FEWEST} objects or fewer were divided off, which are outliers."
        return NClustersVerdict("one", 1, (), False, (why, _CAVEAT))
    why = "At these values nothing was clustered."
    if most == 1:
        why = "At these values there is one cluster, or none."
    if most > 1:
        why = f"{why[:-1]}, or only clusters of {FEWEST} objects or fewer were divided off."
    return NClustersVerdict("nothing", None, (), False, (why, _CAVEAT))


def _several(evidence: Evidence, found: Candidate, grade: Grade) -> NClustersVerdict:
    n_clusters = found.n_clusters
    finer = {
        one.n_clusters
        for one in evidence.divisions
        if one.n_clusters > n_clusters
        and one.comes_back
        and one.ratio >= TOUCHING
        and one.is_inside(found)
    }
    name = "worst Jaccard index" if evidence.chains else "prediction strength"
    strength = f"{name} {decimal(found.strength)}"
    ratio = f"{found.ratio:.2f}".rstrip("0").rstrip(".")
    dense = f"{ratio} times as dense as the passes between them"
    back = f"The {n_clusters} clusters come back in other samples ({strength})"
    has = f", with cores {dense}" if found.is_dense else ""
    why = {
        "separated": f"{back}, and their cores are at least {dense}.",
        "touching": f"{back}, but they touch: they may be parts of one bent or skew cluster (their "
        f"cores are {dense}; {SEPARATED} would be separated).",
        "tentative": f"The best division has {n_clusters} clusters{has}, but it does not come back "
        f"in other samples ({strength}).",
    }[grade]
    best = _best(evidence)
    beyond = np.nanmax([*evidence.beyond, -np.inf]) if evidence.beyond else np.inf
    is_last = not evidence.chains and best is evidence.candidates[-1]
    at_least = bool(is_last and beyond > best.silhouette)
    rises = "The silhouette still rises at the last number that was tried: there may be more."
    reasons = (why, *_compared(evidence, found), *[rises] * at_least, _CAVEAT)
    return NClustersVerdict(grade, n_clusters, tuple(sorted(finer)), at_least, reasons)


def _one(evidence: Evidence) -> NClustersVerdict:
    reasons = _compared(evidence, None)
    if evidence.test is None:
        reasons.append(
            "No division comes back in other samples with cores denser than the passes between."
        )
    elif evidence.test.pvalue <= LEVEL:
        reasons.insert(
            0,
            "The data differ from one cluster, but no division has both cores denser than its "
            "passes and a silhouette clearly above those of one cluster.",
        )
    elif back := [one.n_clusters for one in evidence.divisions if one.comes_back]:
        reasons.append(
            f"Divisions into {_listed(back)} come back in other halves of the data, but so do "
            "parts of a continuum."
        )
        if (best := _best(evidence).n_clusters) in back:
            reasons.append(f"The largest silhouette alone would say {best}, too.")
    return NClustersVerdict("one", 1, (), False, (*reasons, _CAVEAT))


def _compared(evidence: Evidence, found: Candidate | None) -> list[str]:
    """Return what the comparison with structureless data says, if there was any."""
    test = evidence.test
    if test is None:
        return []
    smallest = ""
    if test.pvalue <= least_pvalue(evidence.n_null):
        early = " by the normal tail" if test.n_null < evidence.n_null else ""
        smallest = f"{early}, the least that {evidence.n_null} can give"
    better = "better than those" if test.pvalue <= LEVEL else "no better than those"
    reasons = [
        f"The silhouettes are {better} of {test.n_null} data sets of one cluster of each null "
        f"distribution ({_listed(test.laws)}): p = {decimal(test.pvalue)}{smallest}."
    ]
    if not any(one.ratio >= TOUCHING for one in evidence.divisions):
        reasons = ["No division has cores as dense as the passes between them: p = 1."]
    if test.dropped:
        reasons.append(f"The data contradict other null distributions: {_listed(test.dropped)}.")
    last = evidence.divisions[-1]
    if found is not None and found is not last and last.z > found.z:
        reasons.append(
            f"With {last.n_clusters} clusters the data differ from one cluster even more: "
            "there may be more of them, or a continuum."
        )
    return reasons


def _listed(items: Sequence[object]) -> str:
    *first, last = map(str, items)
    return f"{', '.join(first)} and {last}" if first else last
