"""The rule for the number of clusters: the evidence in five steps, and what it decides.

A *division* is a partition into several clusters of more than five objects each. It *comes back* if
the clusters of one half of the data predict those of the other. Its *ratio* says how much denser
the cores of its clusters are than the passes between them. Structureless data are drawn only if
ratios do not decide.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare._array_types import Array, FloatArray, Positions
from sklearn_clustcompare._clusterers import pairs_taken
from sklearn_clustcompare._partition import read_labels
from sklearn_clustcompare.metrics import pair_precision_score
from sklearn_clustcompare.without_reference._fits import (
    cluster_many,
    fit_seeds,
    run_fits,
)
from sklearn_clustcompare.without_reference._geometry import (
    Passes,
    is_division,
    silhouettes,
    sizes_of,
)
from sklearn_clustcompare.without_reference._null_data import NullData, naming, tail_pvalue
from sklearn_clustcompare.without_reference._resamples import (
    Clustering,
    Split,
    Subsample,
    take_rows,
)
from sklearn_clustcompare.without_reference._stability import (
    Splits,
    compare_with_resample,
    strengths_of,
)

NOISE = (-1,)
# A silhouette is so many standard deviations above the mean of structureless data.
CLEAR = 1.645
# So far below its mean, the data contradict a law (Berger and Boos, 1994).
_CONTRADICTS = -3.0
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
_SETS_PER_TASK = 10


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
    candidates: list[dict[str, Any]]
    extension: Any
    laws: Callable[[], Sequence[NullData]]
    n_null: int
    n_resamples: int
    n_parts: int
    chains: bool
    seeds: tuple[int, ...]
    how: dict[str, Any]
    groups: Positions | None = None
    partitions: list[Array] = field(default_factory=list)
    silhouette: FloatArray = field(default_factory=lambda: np.empty(0))
    ratio: FloatArray = field(default_factory=lambda: np.empty(0))
    strengths: list[list[float]] = field(default_factory=list)
    z: FloatArray = field(default_factory=lambda: np.empty(0))
    beyond: list[float] = field(default_factory=list)
    test: NullTest | None = None
    null_silhouettes: dict[str, FloatArray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.extend(self.candidates)

    def extend(self, candidates: Sequence[dict[str, Any]]) -> None:
        """Add candidates, with their divisions, silhouettes, ratios and strengths."""
        if not candidates:
            return
        known = len(self.partitions)
        self.candidates[known:] = candidates
        pairs = pairs_taken(self.estimator)
        found = self._fitted([self.X], range(known, len(self.candidates)), self.seeds[0])[0]
        self.partitions += [one.labels for one in found]
        self.silhouette = np.append(self.silhouette, _by_space(found, silhouettes, pairs))
        self.ratio = np.append(self.ratio, _by_space(found, _ratios, pairs))
        self.z = np.append(self.z, np.full(len(found), np.nan))
        fresh = range(known, len(self.candidates))
        self.strengths += [[] for _ in fresh]
        rows = fit_seeds(self.n_resamples, 1 + 2 * len(self.candidates), self.seeds[1])
        going = [number for number in fresh if is_division(self.partitions[number])]
        splits = Splits(self.estimator, self.X, self.extension, NOISE, self.groups)
        for part in (rows[:_FIRST_SPLITS], rows[_FIRST_SPLITS:]):
            tasks: list[tuple[Any, ...]] = [
                (splits, self.candidates[number], number, part) for number in going
            ]
            if self.chains:
                tasks = [(*task, self.partitions[task[2]]) for task in tasks]
            found_again = self._run(_found_again if self.chains else strengths_of, tasks)
            for number, values in zip(going, found_again, strict=True):
                self.strengths[number] += values
            going = [number for number in going if self.strength(number) > _HOPELESS]

    def keep(self, n_candidates: int) -> None:
        """Leave out the last candidates, but for their silhouettes."""
        self.beyond = self.silhouette[n_candidates:].tolist()
        for one in (self.candidates, self.partitions, self.strengths):
            del one[n_candidates:]
        self.silhouette, self.ratio, self.z = (
            one[:n_candidates] for one in (self.silhouette, self.ratio, self.z)
        )

    def _run(self, function: Any, tasks: Any, total: int | None = None) -> list[Any]:
        return run_fits(function, tasks, description="fits", total=total, **self.how)

    def _fitted(self, sets: list[Any], numbers: Sequence[int], seed: int) -> list[list[Clustering]]:
        seeds = fit_seeds(len(sets), len(self.candidates), seed)
        tasks = [
            (self.estimator, self.candidates[number], sets, [row[number] for row in seeds])
            for number in numbers
        ]
        return [list(one) for one in zip(*self._run(cluster_many, tasks), strict=True)]

    # ----------------------------------------------------------------- questions

    def strength(self, number: int) -> float:
        """Return the mean strength of the splits that had enough objects; NaN without any."""
        known = [one for one in self.strengths[number] if one == one]
        return float(np.mean(known)) if known else np.nan

    def comes_back(self, number: int) -> bool:
        """Return whether the mean strength is above .65 and, within its error, at least .8."""
        known = [one for one in self.strengths[number] if one == one]
        if len(known) < min(len(self.strengths[number]), 2):
            return False
        mean = self.strength(number)  # NaN, which is never larger, without any
        error = np.std(known, ddof=1) / np.sqrt(len(known)) if len(known) > 1 else 0.0
        return bool(mean > _HOPELESS and mean + error >= COMES_BACK)

    @property
    def divisions(self) -> list[int]:
        """Positions of the candidates that are divisions."""
        return [number for number, one in enumerate(self.partitions) if is_division(one)]

    @property
    def numbers(self) -> Positions:
        """Number of clusters of each candidate, without noise."""
        return np.array([len(sizes_of(one)) for one in self.partitions], np.intp)

    def precision(self, fine: int, coarse: int) -> float:
        """Return the share of the pairs of objects of a partition that another one joins."""
        first, second = self.partitions[fine], self.partitions[coarse]
        is_known = (first != -1) & (second != -1)
        return pair_precision_score(second[is_known], first[is_known])

    def grade(self, number: int) -> str:
        """Return the grade that a division would have alone, "" for none."""
        if not self.ratio[number] >= TOUCHING:
            return ""
        comes_back, is_dense = self.comes_back(number), self.is_dense(number)
        if comes_back and is_dense:
            return "separated"
        if not (is_dense or self.z[number] >= CLEAR or (self.chains and comes_back)):
            return ""
        return "touching" if comes_back else "tentative"

    def is_dense(self, number: int) -> bool:
        """Return whether the ratio is as large as hardly any of data that are one cluster."""
        return bool(self.ratio[number] >= SEPARATED)

    # ----------------------------------------------------------------- structureless data

    def compare(self) -> NullTest:
        """Compare the silhouettes with those of structureless data, as many as are needed."""
        laws, divisions, pairs = self.laws(), self.divisions, pairs_taken(self.estimator)
        candidates = [self.candidates[number] for number in divisions]
        own, n_rows = self._silhouettes_of_parts(divisions, pairs)
        seeds = fit_seeds(self.n_null, 1 + len(self.candidates), self.seeds[3])
        null = [np.empty((0, len(divisions))) for _ in laws]
        for look in (*(one for one in _LOOKS if one < self.n_null), self.n_null):
            starts = range(len(null[0]), look, _SETS_PER_TASK)
            tasks = [
                (
                    self.estimator,
                    candidates,
                    law,
                    seeds[start : start + _SETS_PER_TASK][: look - start],
                    n_rows,
                    pairs,
                )
                for law in laws
                for start in starts
            ]
            n_left = -(-(self.n_null - starts.start) // _SETS_PER_TASK) * len(laws)
            results = iter(self._run(_of_sets, tasks, n_left))
            null = [np.vstack([one, *(next(results) for _ in starts)]) for one in null]
            self.test, is_one = NullTest.of([law.name for law in laws], own, null)
            if look < self.n_null and is_one is not None:
                if not is_one:  # hardly a further set can be as good as the data
                    self.test = self.test._replace(pvalue=1 / (1 + self.n_null))
                break
        assert self.test is not None
        self.z[divisions] = self.test.z
        for law, values in zip(laws, null, strict=True):
            of_all = np.full((len(values), len(self.candidates)), np.nan)
            of_all[:, divisions] = values
            self.null_silhouettes[law.name] = of_all
        return self.test

    def _silhouettes_of_parts(
        self, divisions: Sequence[int], pairs: str | None
    ) -> tuple[FloatArray, int]:
        """Return the silhouettes of each part of the data, and the objects of a part."""
        if self.n_parts == 1:
            return self.silhouette[np.newaxis, divisions], self.X.shape[0]
        parts = [one.X for one in Split(self.groups).draw(self.X, self.n_parts, self.seeds[2])]
        found = self._fitted(parts, divisions, self.seeds[2])
        own = np.array([_by_space(one, silhouettes, pairs) for one in found])
        return own, parts[0].shape[0]


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
    original, n_objects = read_labels(labels, "estimator").compact()[0], splits.X.shape[0]
    drawing = Subsample(round(_OF_CHAINS * n_objects), splits.groups)
    samples = [drawing.draw(splits.X, 1, row[0])[0] for row in seeds]
    found = cluster_many(
        splits.estimator,
        candidate,
        [one.X for one in samples],
        [row[1 + 2 * number] for row in seeds],
    )
    clusters = np.unique(original.codes[labels != -1])
    compared = [
        compare_with_resample(original, one.labels, sample.positions, NOISE).jaccard[clusters]
        for one, sample in zip(found, samples, strict=True)
    ]
    return [float(np.min(one)) for one in compared]


def _of_sets(
    estimator: Any,
    candidates: Sequence[dict[str, Any]],
    law: NullData,
    seeds: Sequence[list[int]],
    n_rows: int,
    pairs: str | None,
) -> FloatArray:
    """Return the silhouettes of structureless data sets, a row for each."""
    with naming(law):
        sets = [_some(law.draw(row[0]), n_rows, row[0]) for row in seeds]
        found = [
            cluster_many(estimator, one, sets, [row[1 + number] for row in seeds])
            for number, one in enumerate(candidates)
        ]
    return np.array([_by_space(one, silhouettes, pairs) for one in zip(*found, strict=True)])


def _some(X: Any, n_rows: int, seed: int) -> Any:
    if X.shape[0] == n_rows:
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
        cls, names: Sequence[str], own: FloatArray, null: Sequence[FloatArray]
    ) -> tuple[NullTest, bool | None]:
        """Compare the silhouettes of parts of the data with those of each law's sets.

        Also return whether more sets would leave the data one cluster, or would not; None if that
        is not known.
        """
        found = [_OfLaw.of(name, own, one) for name, one in zip(names, null, strict=True)]
        kept = [one for one in found if not one.is_contradicted]
        if not kept:
            kept = [max(found, key=lambda one: np.nanmin(one.z, initial=np.inf))]
        with np.errstate(invalid="ignore"):
            z = np.fmin.reduce([one.z for one in kept])
        laws = tuple(one.name for one in kept)
        return cls(
            pvalue=max(one.pvalue for one in kept),
            z=z,
            laws=laws,
            dropped=tuple(one.name for one in found if one.name not in laws),
            n_null=len(null[0]),
        ), _is_enough(found, kept, z)


class _OfLaw(NamedTuple):
    """Comparison with one law: z of the data, and the largest z of the data and of each set."""

    name: str
    z: FloatArray
    largest: float
    others: FloatArray

    @classmethod
    def of(cls, name: str, own: FloatArray, null: FloatArray) -> _OfLaw:
        z = _standardized(own, null)
        n_sets, n_parts = len(null), len(own)
        if n_parts == 1:
            groups = [[number] for number in range(n_sets)]
        else:
            rng = np.random.default_rng(0)
            groups = [rng.permutation(n_sets)[:n_parts].tolist() for _ in range(n_sets)]
        others = [_standardized(null[one], np.delete(null, one, axis=0)) for one in groups]
        return cls(name, z, _largest(z), np.array(list(map(_largest, others))))

    @property
    def pvalue(self) -> float:
        """Share of the data sets, with the data, that are as good."""
        return float((1 + np.sum(self.others >= self.largest)) / (1 + len(self.others)))

    @property
    def is_contradicted(self) -> bool:
        """Whether the data lie below the law, or its sets fall apart into outliers."""
        is_unknown = np.isnan(self.z)
        return bool((self.z < _CONTRADICTS).any() or 2 * is_unknown.sum() > len(self.z))


def _largest(z: FloatArray) -> float:
    return float(np.nanmax(z, initial=-np.inf))


def _standardized(own: FloatArray, others: FloatArray) -> FloatArray:
    """Return the mean of some sets by the others; NaN where fewer than half have a division."""
    n_own, n_others = (np.sum(~np.isnan(one), axis=0) for one in (own, others))
    is_known = (
        (2 * n_own >= len(own)) & (n_own > 0) & (2 * n_others >= len(others)) & (n_others > 1)
    )
    found = np.full(own.shape[1], np.nan)
    for number in np.flatnonzero(is_known):
        one, null = (values[:, number][~np.isnan(values[:, number])] for values in (own, others))
        deviation = null.std(ddof=1) * np.sqrt(1 / len(one) + 1 / len(null))
        difference = one.mean() - null.mean()
        if difference:
            sure = math.copysign(math.inf, difference)
            found[number] = difference / deviation if deviation > 0 else sure
        else:
            found[number] = 0.0
    return found


def _is_enough(found: Sequence[_OfLaw], kept: Sequence[_OfLaw], z: FloatArray) -> bool | None:
    """Return whether the data are one cluster if more sets would not change it, else None."""
    n_sets = len(found[0].others)
    for one in found:
        n_unknown = np.isnan(one.z).sum()
        if (np.abs(one.z - _CONTRADICTS) < _margin(one.z, n_sets)).any():
            return None
        if 0 < n_unknown < len(z) and abs(2 * n_unknown - len(z)) < 2:
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
