"""Fits of clones of a clusterer by seed, one by one or many at once; the base of searches."""

from __future__ import annotations

import re
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import chain, compress
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin, MetaEstimatorMixin, clone
from sklearn.cluster import HDBSCAN, KMeans
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import UNUSED
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import ThreadpoolController

from sklearn_clustcompare._array_types import Array, FloatArray, Positions
from sklearn_clustcompare._chance.draws import task_seeds
from sklearn_clustcompare._clusterers import clusters_parameter, last_step
from sklearn_clustcompare._data import BEYOND, has_squares, needing_numbers, to_fit
from sklearn_clustcompare._options import warn_caller
from sklearn_clustcompare._tasks import n_workers, one_estimate, progress, run_tasks
from sklearn_clustcompare.model_selection._scorer import predicted, space_fitted
from sklearn_clustcompare.without_reference._null_data import NullData, naming
from sklearn_clustcompare.without_reference._resamples import (
    Clustering,
    Sample,
    has_distinct_objects,
    take_rows,
    values_of,
)

T = TypeVar("T")

_NUMBER = re.compile(r"\d+(\.\d+)?")
_MORE = " (and {} more of these in other fits)"
_HAS_MORE = re.compile(re.escape(_MORE).replace(r"\{\}", r"(\d+)") + "$")


def cluster(estimator: Any, parameters: Mapping[str, Any], X: Any, seed: int) -> Clustering:
    """Fit a clone with some parameters, and with a seed for all of its randomness.

    One cluster needs no fit: pipelines fit the steps before the last. An error of the clusterer
    gets a note with the parameters.
    """
    X = values_of(X)
    model = seeded(clone(estimator).set_params(**parameters), seed)
    try:
        if is_one_cluster(estimator, parameters):
            return Clustering(None, np.zeros(X.shape[0], np.intp), _fit_space(model, X))
        return checked_clustering(model, X)
    except Exception as error:
        error.add_note(f"Raised by {_named(estimator, parameters)}.")
        raise


def is_one_cluster(estimator: Any, parameters: Mapping[str, Any]) -> bool:
    """Return whether the parameters request a single cluster."""
    return parameters.get(clusters_parameter(estimator) or "") == 1


def n_clusters_asked(estimator: Any, candidate: Mapping[str, Any]) -> int:
    """Return the number of clusters that a candidate has to find; 1 if none is given."""
    model = clone(estimator).set_params(**candidate)
    name = clusters_parameter(model)
    asked = None if name is None else model.get_params(deep=True)[name]
    return int(asked) if isinstance(asked, int | np.integer) else 1


def _named(estimator: Any, parameters: Mapping[str, Any]) -> str:
    given = ", ".join(f"{name}={value!r}" for name, value in parameters.items())
    return type(estimator).__name__ + (f" with {given}" if given else "")


def seeded(model: Any, seed: int, *, unset_only: bool = False) -> Any:
    """Set every random_state of an estimator and of its components, or those that are None."""
    names = sorted(
        name
        for name, value in model.get_params(deep=True).items()
        if (name == "random_state" or name.endswith("__random_state"))
        and (value is None or not unset_only)
    )
    states = np.random.SeedSequence(seed).generate_state(len(names)).tolist()
    return model.set_params(**dict(zip(names, states, strict=True)))


def fit_labels(model: Any, X: Any) -> Any:
    """Fit a clusterer, and return the labels as it gives them."""
    with needing_numbers(model, X):
        if hasattr(model, "fit_predict"):
            return model.fit_predict(to_fit(X))
        model.fit(to_fit(X))
    return model.labels_ if hasattr(model, "labels_") else predicted(model, X)


def checked_clustering(model: Any, X: Any) -> Clustering:
    labels = np.asarray(fit_labels(model, X))
    if labels.shape != (X.shape[0],):
        msg = (
            f"the estimator must give one label to each of {X.shape[0]} objects, "
            f"got an array of shape {labels.shape}"
        )
        raise ValueError(msg)
    # HDBSCAN labels objects with infinite values -2 and those with missing ones -3: they are noise.
    labels = np.maximum(labels, -1) if isinstance(last_step(model), HDBSCAN) else labels
    return Clustering(model, labels, space_fitted(model, X))


def _fit_space(model: Any, X: Any) -> Any:
    """Fit the steps before the last, and return what the last one would see."""
    while isinstance(model, Pipeline):
        if len(model) > 1:
            X = model[:-1].fit_transform(to_fit(X))
        model = model[-1]
    return X


def fit_seeds(n_rows: int, n_columns: int, random_state: Any) -> list[list[int]]:
    """Return a seed for each row and column, which depends on no other row or column."""
    _, (entropy,) = task_seeds(1, 1, random_state)
    rows = np.random.SeedSequence(entropy).spawn(n_rows)
    return [row.generate_state(n_columns).tolist() for row in rows]


# --------------------------------------------------------------------------- warnings

Warnings = list[tuple[type[Warning], str]]


@contextmanager
def caught_warnings() -> Iterator[Warnings]:
    """Keep the warnings of a block instead of showing them.

    A task keeps its own and returns them, so that they come back from worker processes. Threads
    share one list of filters: their warnings are kept by the block around all tasks.
    """
    kept: Warnings = []
    if threading.current_thread() is not threading.main_thread():
        yield kept
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # It concerns how joblib starts processes, not a fit, and is hidden by default.
        warnings.filterwarnings("ignore", r".*use of fork\(\) may lead", DeprecationWarning)
        yield kept
    kept += [(one.category, str(one.message)) for one in caught]


_NO_FLOATS = "overflow encountered", "invalid value encountered"


def warn_once(kept: Iterable[tuple[type[Warning], str]]) -> None:
    """Give the first of all warnings that differ in their numbers only, with their count.

    Those of NumPy that numbers are no floats are left out where it is said that squares of the data
    are beyond the floats.
    """
    kept = [*kept]
    if any(BEYOND in message for _, message in kept):
        kept = [one for one in kept if not one[1].startswith(_NO_FLOATS)]
    first: dict[tuple[type[Warning], str], str] = {}
    counts: Counter[tuple[type[Warning], str]] = Counter()
    for category, message in kept:
        # Those of several rounds of fits were counted in each.
        more = _HAS_MORE.search(message)
        text = message[: more.start()] if more else message
        key = category, _NUMBER.sub("#", text)
        first.setdefault(key, text)
        counts[key] += 1 + (int(more[1]) if more else 0)
    for key, text in first.items():
        more_of_it = _MORE.format(counts[key] - 1) if counts[key] > 1 else ""
        warn_caller(text + more_of_it, key[0])


@contextmanager
def one_call() -> Iterator[None]:
    """Make one call of several rounds of fits: warnings once, and one estimate of its time."""
    with caught_warnings() as kept, one_estimate():
        yield
    warn_once(kept)


# Tasks that fit clusterers: one thread each, and warnings once each, after all of them.
#
# Fits in one thread are faster for small data, and give the same bits wherever they run: threads of
# OpenMP and BLAS add up in an order of their own.


def run_fits(
    function: Callable[..., T],
    tasks: Sequence[tuple[Any, ...]],
    *,
    n_jobs: int | None,
    verbose: Any,
    description: str,
    total: int | None = None,
) -> list[T]:
    """Return ``function(*task)`` for each task.

    Warnings name the line that called the package. ``total`` is the number of tasks, with those of
    further calls.
    """
    total = len(tasks) if total is None else total
    progressing = progress(tasks, verbose=verbose, description=description, total=total)
    with caught_warnings() as in_threads, one_thread():
        results = run_tasks(_call, ((function, task) for task in progressing), n_jobs=n_jobs)
    warn_once([*in_threads, *(one for _, kept in results for one in kept)])
    return [result for result, _ in results]


def _call(function: Callable[..., T], task: tuple[Any, ...]) -> tuple[T, Warnings]:
    with caught_warnings() as kept, one_thread():
        result = function(*task)
    return result, kept


# Libraries used in fits have to be loaded before the controller looks for them.
@cache
def _controller() -> Any:
    return ThreadpoolController()


def one_thread() -> Any:
    """Return a context in which native code uses one thread.

    The setting of BLAS is that of the process, so only its main thread may change it.
    """
    is_main = threading.current_thread() is threading.main_thread()
    return _controller().limit(limits=1, user_api=None if is_main else "openmp")


# Larger data sets gain nothing: most of their time is arithmetic. In numbers of a data set.
_LARGEST_SET = 2**15
# Numbers of all data sets that are taken together.
_LARGEST_BATCH = 2**21


# k-means of many small data sets at once.
#
# A fit of scikit-learn's ``KMeans`` to a hundred objects consists mostly of checks. Here the data
# sets are one array, and each step is taken for all of them: the starting centers are those of
# k-means++ with the same number of local trials, and the iterations are Lloyd's with scikit-learn's
# rules to stop. From the same start the labels are those of ``KMeans``.


class Centers(NamedTuple):
    """A fitted model, as far as it is needed: the nearest center of an object is its cluster.

    Centers are those of data less their mean.
    """

    centers: FloatArray
    mean: FloatArray

    def predict(self, X: Any) -> Positions:
        """Return the number of the nearest center of each object."""
        return _scores(np.asarray(X, np.float64) - self.mean, self.centers).argmin(axis=-1)


def can_batch(model: Any, X: Any) -> bool:
    """Return whether labels for a data set can be found here, and are faster so."""
    return (
        type(model) is KMeans
        and isinstance(model.init, str)
        and model.init == "k-means++"
        and model.algorithm == "lloyd"
        and isinstance(X, np.ndarray)
        and X.ndim == 2
        and X.dtype == np.float64
        and len(X) >= model.n_clusters
        and len(X) * max(X.shape[1], model.n_clusters) <= _LARGEST_SET
        and has_squares(X)
    )


def batched_kmeans(
    model: KMeans, data: Sequence[FloatArray], seeds: Sequence[int]
) -> list[tuple[Positions, Centers] | None]:
    """Return labels and centers for each data set, which depend on it and on its seed only.

    None stands where a cluster became empty; scikit-learn then moves its center.
    """
    found: list[tuple[Positions, Centers] | None] = [None] * len(data)
    for size in {len(X) for X in data}:
        places = [place for place, X in enumerate(data) if len(X) == size]
        step = max(1, _LARGEST_BATCH // (size * max(data[0].shape[1], model.n_clusters)))
        for start in range(0, len(places), step):
            some = places[start : start + step]
            fits = _fitted(model, np.stack([data[at] for at in some]), [seeds[at] for at in some])
            for place, fit in zip(some, fits, strict=True):
                found[place] = fit
    return found


def _fitted(
    model: KMeans, data: FloatArray, seeds: Sequence[int]
) -> list[tuple[Positions, Centers] | None]:
    means = data.mean(axis=1)
    X = data - means[:, np.newaxis]
    tolerance = model.tol * data.var(axis=1).mean(axis=1)
    generators = [np.random.default_rng([seed, model.n_clusters]) for seed in seeds]
    least = np.full(len(data), np.inf)
    labels = np.zeros(X.shape[:2], np.intp)
    centers = np.zeros((len(data), model.n_clusters, X.shape[2]))
    for _ in range(1 if model.n_init == "auto" else model.n_init):
        starts = plus_plus(X, model.n_clusters, generators)
        inertia, *found = lloyd(X, starts, model.max_iter, tolerance)
        is_better = inertia < least
        least = np.minimum(least, inertia)  # NaN if one is
        labels[is_better], centers[is_better] = (one[is_better] for one in found)
    return [
        None if np.isnan(least[number]) else (labels[number], Centers(centers[number], mean))
        for number, mean in enumerate(means)
    ]


def plus_plus(X: FloatArray, k: int, generators: Sequence[np.random.Generator]) -> FloatArray:
    """Draw starting centers of each data set: the best of some candidates each, by inertia."""
    n_trials = 2 + int(np.log(k))
    drawn = np.array([rng.random((k, n_trials)) for rng in generators])
    sets, rows = np.arange(len(X)), np.arange(len(X))[:, np.newaxis]
    first = _positions(np.arange(1.0, X.shape[1] + 1)[np.newaxis], drawn[:, 0, :1])[:, 0]
    centers = np.empty((len(X), k, X.shape[2]))
    centers[:, 0] = X[sets, first]
    closest = _squares(X, centers[:, :1])[..., 0]
    for number in range(1, k):
        candidates = X[rows, _positions(np.cumsum(closest, axis=1), drawn[:, number])]
        distances = _squares(X, candidates)
        np.minimum(distances, closest[..., np.newaxis], out=distances)
        best = distances.sum(axis=1).argmin(axis=1)
        centers[:, number] = candidates[sets, best]
        closest = distances[sets, :, best]
    return centers


def _positions(sums: FloatArray, shares: FloatArray) -> Positions:
    """Return where sums of each row first exceed shares of their total."""
    exceeds = sums[:, np.newaxis, :] <= shares[..., np.newaxis] * sums[:, np.newaxis, -1:]
    last = np.minimum(exceeds.sum(axis=-1), sums.shape[1] - 1)
    return np.asarray(last, np.intp)


def lloyd(
    X: FloatArray, centers: FloatArray, max_iter: int, tolerance: FloatArray
) -> tuple[FloatArray, Positions, FloatArray]:
    """Move centers to the means of their clusters until labels stay, or centers nearly do.

    Return the inertia, labels and centers of each data set; it is NaN after an empty cluster.
    """
    centers, k = centers.copy(), centers.shape[1]
    labels = np.full(X.shape[:2], -1, np.intp)
    has_empty = np.zeros(len(X), bool)
    moving = np.arange(len(X))
    for _ in range(max_iter):
        found = _scores(X[moving], centers[moving]).argmin(axis=-1)
        members = np.equal(found[:, np.newaxis], np.arange(k)[:, np.newaxis]).astype(np.float64)
        sizes = members.sum(axis=-1)
        has_empty[moving] = (sizes == 0).any(axis=1)
        means = members @ X[moving] / np.maximum(sizes, 1)[..., np.newaxis]
        shift = ((means - centers[moving]) ** 2).sum(axis=(1, 2))
        centers[moving] = means
        is_same = (found == labels[moving]).all(axis=1)
        labels[moving] = found
        goes_on = ~is_same & (shift > tolerance[moving]) & ~has_empty[moving]
        # Labels are those of the last centers, unless these were found to stay.
        unsettled = moving[~is_same & ~goes_on]
        labels[unsettled] = _scores(X[unsettled], centers[unsettled]).argmin(axis=-1)
        moving = moving[goes_on]
        if len(moving) == 0:
            break
    labels[moving] = _scores(X[moving], centers[moving]).argmin(axis=-1)
    own = np.take_along_axis(centers, labels[..., np.newaxis], axis=1)
    inertia = ((X - own) ** 2).sum(axis=-1).sum(axis=-1)
    inertia[has_empty] = np.nan
    return inertia, labels, centers


def _scores(X: FloatArray, centers: FloatArray) -> FloatArray:
    """Return squared distances to centers, less the squared length of each object."""
    lengths = (centers**2).sum(axis=-1)
    return lengths[..., np.newaxis, :] - 2 * (X @ np.swapaxes(centers, -1, -2))


def _squares(X: FloatArray, centers: FloatArray) -> FloatArray:
    """Return squared distances to centers, none below zero."""
    lengths = (X**2).sum(axis=-1)[..., np.newaxis]
    return np.maximum(_scores(X, centers) + lengths, 0.0)


# More would use memory, and leave workers without tasks.
_AT_ONCE = 10


def sets_at_once(estimator: Any, X: Any) -> int:
    """Return how many data sets like X to cluster in one call of :func:`cluster_many`."""
    return _AT_ONCE if can_batch(estimator, X) else 1


def cluster_many(
    estimator: Any,
    parameters: Mapping[str, Any],
    data: Sequence[Any],
    seeds: Sequence[int],
    *,
    at_once: bool = True,
) -> list[Clustering]:
    """Cluster data sets, each with its own seed; k-means of small ones in one go.

    The result for a data set does not depend on the others, but for its last bits.
    """
    found: list[Any] = [None] * len(data)
    if at_once and data and not is_one_cluster(estimator, parameters):
        model = clone(estimator).set_params(**parameters)
        if all(can_batch(model, X) for X in data):
            found = batched_kmeans(model, data, seeds)
    return [
        cluster(estimator, parameters, X, seed) if one is None else Clustering(one[1], one[0], X)
        for one, X, seed in zip(found, data, seeds, strict=True)
    ]


def compared(
    estimator: Any,
    candidate: Mapping[str, Any],
    draws: Sequence[Sequence[Sample]],
    seeds: Sequence[Sequence[int]],
    compare: Callable[[list[Clustering], Sequence[Sample]], T],
    *,
    at_once: bool = True,
) -> list[T | None]:
    """Cluster the samples of each draw by a candidate, and compare those that go together.

    There is a seed for each sample. None stands for a draw of which a sample has fewer distinct
    objects than clusters.
    """
    n_clusters = n_clusters_asked(estimator, candidate)
    used = [all(has_distinct_objects(one, n_clusters) for one in samples) for samples in draws]
    data = [one.X for samples in compress(draws, used) for one in samples]
    of_data = [*chain(*compress(seeds, used))]
    found = iter(cluster_many(estimator, candidate, data, of_data, at_once=at_once))
    return [
        compare([next(found) for _ in samples], samples) if is_used else None
        for samples, is_used in zip(draws, used, strict=True)
    ]


def check_skipped(
    n_skipped: Any, n_resamples: int, n_objects: int, is_lost: bool, what: tuple[str, str]
) -> None:
    """Warn of samples that were skipped, of the candidate with most of them, or raise an error.

    ``what`` says what was skipped, and why.
    """
    if is_lost:
        msg = (
            f"X must allow at least one of the {what[0]}, but all were skipped: {what[1]}, got "
            f"n_samples={n_objects}"
        )
        raise ValueError(msg)
    if np.any(n_skipped):
        warn_caller(f"{np.max(n_skipped)} of {n_resamples} {what[0]} were skipped: {what[1]}")


# --------------------------------------------------------------------------- searches


def _can_predict(search: Any) -> bool:
    return hasattr(getattr(search, "best_estimator_", search.estimator), "predict")


class Search(MetaEstimatorMixin, ClusterMixin, BaseEstimator):
    """A search for parameters of a clusterer; it takes the data that the clusterer takes."""

    # Groups are of the data of this call, and are not routed by others.
    __metadata_request__fit: ClassVar = {"groups": UNUSED}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    @available_if(_can_predict)  # type: ignore[untyped-decorator]
    def predict(self, X: Any) -> Array:
        """Label objects with the best clusterer, if it can predict.

        For clusterers that cannot predict, use ``labels_``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn_clustcompare import StabilitySearch
        >>> X = [[0.0], [1.0], [2.0], [20.0], [21.0], [22.0]]
        >>> search = StabilitySearch(
        ...     KMeans(), {"n_clusters": [2, 3]}, n_resamples=9, random_state=0
        ... ).fit(X)
        >>> bool(search.predict([[1.5]])[0] == search.labels_[0])
        True
        """
        check_is_fitted(self, "best_estimator_")
        return predicted(self.best_estimator_, X)


# --------------------------------------------------------------------------- structureless data


@dataclass(frozen=True, eq=False)
class Statistic:
    """A statistic of the clusterings of data sets by each candidate; an instance can be pickled.

    ``function`` gets the seed of a fit, the clustering, whose labels are None without an estimator,
    and the candidate. Where a set is looked at in ``parts``, by their rows, it is their mean.
    """

    estimator: Any
    candidates: Sequence[dict[str, Any]]
    function: Callable[[int, Clustering, dict[str, Any]], float]
    parts: Sequence[Positions] = ()

    def __call__(self, sets: Sequence[Any], seeds: Sequence[Sequence[int]]) -> FloatArray:
        """Return the values of data sets, a row for each, by their rows of seeds."""
        data = [take_rows(X, part) for X in sets for part in self.parts] or sets
        n_parts = len(data) // len(sets)
        columns, (_, *fits) = [], zip(*seeds, strict=True)
        for candidate, column in zip(self.candidates, fits, strict=True):
            of_data = [seed for seed in column for _ in range(n_parts)]
            found = [Clustering(None, None, values_of(X)) for X in data]
            if self.estimator is not None:
                found = cluster_many(self.estimator, candidate, data, of_data)
            pairs = zip(of_data, found, strict=True)
            columns.append([self.function(seed, one, candidate) for seed, one in pairs])
        return np.reshape(columns, (-1, len(sets), n_parts)).mean(axis=2).T


def compare_with_null(
    statistic: Any,
    X: Any,
    laws: Sequence[NullData],
    seeds: Sequence[Sequence[int]],
    *,
    own: FloatArray | None = None,
    looks: Sequence[int] = (),
    is_enough: Callable[[FloatArray, Sequence[FloatArray]], bool] | None = None,
    n_jobs: int | None = 1,
    verbose: Any = 0,
) -> tuple[FloatArray, list[FloatArray]]:
    """Return a statistic of data, and of structureless data sets of each law, a row for each.

    ``statistic`` has an estimator and candidates, and returns the values of some sets by their rows
    of seeds. ``own`` has those of the data, if they are known. ``seeds`` has a row for the data and
    for each set: for the draw, and for each candidate. All laws are drawn as often as each other.
    At each number of sets in ``looks`` it is asked whether the values are enough; those of further
    sets are left out, so that results do not depend on how many are drawn at a time. Warnings name
    the line that called the package.
    """
    n_null, at_once = len(seeds) - 1, sets_at_once(statistic.estimator, X)
    step, stop = max(at_once, n_workers(n_jobs)), 0
    tasks: list[tuple[Any, ...]] = [] if own is not None else [(statistic, X, seeds[:1])]
    null = [np.empty((0, len(statistic.candidates)))] * len(laws)
    with one_call():
        while stop < n_null:
            start, ahead = stop, [look for look in looks if stop < look < n_null]
            near = [look for look in ahead if look <= start + step]
            stop = near[-1] if near else (*ahead, n_null)[0]
            firsts = range(start, stop, at_once)
            tasks += [
                (statistic, law, seeds[1 + first : 1 + min(first + at_once, stop)])
                for law in laws
                for first in firsts
            ]
            results = run_fits(
                *(_values_of_sets, tasks),
                n_jobs=n_jobs,
                verbose=verbose,
                description="blocks of data sets",
                total=len(tasks) + len(range(stop, n_null, at_once)) * len(laws),
            )
            own, tasks = results.pop(0) if own is None else own, []
            of_laws = np.split(np.vstack(results), len(laws))
            null = [np.vstack(both) for both in zip(null, of_laws, strict=True)]
            for look in (one for one in ahead if one <= stop):
                if is_enough is not None and is_enough(own, [one[:look] for one in null]):
                    stop, null = n_null, [one[:look] for one in null]
                    break
    assert own is not None
    return own, null


def _values_of_sets(statistic: Any, data: Any, seeds: Sequence[list[int]]) -> FloatArray:
    """Return the values of data, or of structureless data sets that are drawn first."""
    with naming(data):
        sets = [data.draw(row[0]) for row in seeds] if isinstance(data, NullData) else [data]
        return statistic(sets, seeds)
