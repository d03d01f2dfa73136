"""Checks of the clusters found, and of the cost."""

from __future__ import annotations

import itertools
import tracemalloc
from typing import Any

import numpy as np

from sklearn_clustcompare._table import count
from sklearn_clustcompare.checks._assertion import assert_clustering
from sklearn_clustcompare.checks._forms import (
    FloatArray,
    IntArray,
    OwnData,
    iris_petals,
    large_blobs,
    many_blobs,
    standardized_breast_cancer,
    standardized_wine,
)
from sklearn_clustcompare.checks._record import (
    BUILT_IN,
    MAIN_THREAD,
    N_CLUSTERS,
    N_INIT,
    NUMBERS,
    RANDOM_STATE,
    Check,
    NotApplicable,
    check,
    require,
    require_of_one,
    require_same_labels,
    require_same_partition,
)
from sklearn_clustcompare.checks._subject import FOUND, N_STARTS, Labels, Subject
from sklearn_clustcompare.indices._chosen import Chosen
from sklearn_clustcompare.metrics import adjusted_rand_score

_N_RUNS = 3
# Four times the objects: 16 times the memory if all pairs are kept. Twice that exceeds noise.
_MOST_GROWTH = 32.0
_OF_MANY = 0.998


@check(BUILT_IN)
def check_separated_blobs_are_found(subject: Subject) -> None:
    """Well separated clusters are found.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99.
    """
    _, y = subject.blobs()
    require_same_partition(y, subject.fitted_blobs.labels, "blobs and what is found", FOUND)


@check(BUILT_IN)
def check_many_objects(subject: Subject) -> None:
    """Many objects are clustered as few are, also across the borders of blocks.

    Data: three blobs of 600 and of 1,500 objects together. Tolerance: adjusted Rand index of at
    least 0.998, about one object, for one of five values of ``random_state``, and none between
    ``predict`` and the labels.
    """
    for n_objects in (600, 1500):
        X, y = large_blobs(n_objects), np.arange(n_objects) % 3
        fitted = subject.fit(X)
        if subject.has("predict"):
            what = f"predict of {n_objects} fitted objects"
            require_same_labels(fitted.labels, fitted.predict(X), what)

        def claim(labels: Labels, y: IntArray = y) -> None:
            what = f"blobs of {len(y)} objects and what is found"
            require_same_partition(y, labels, what, _OF_MANY)

        others = (subject.labels(X, random_state=seed) for seed in subject.seeds(N_STARTS))
        require_of_one(itertools.chain([fitted.labels], others), claim)


@check(N_INIT, N_CLUSTERS, RANDOM_STATE, NUMBERS)
def check_more_starts_are_not_worse(subject: Subject) -> None:
    """Twenty starts are not worse than one, by what the clusterer itself optimizes.

    Of several starts the best is kept. Data: twelve blobs, of which one start seldom finds all, for
    a clusterer that has ``inertia_`` or ``lower_bound_``. Tolerance: the mean of five values of
    ``random_state`` with one start, and 1e-6 of it for rounding, for one of five values.
    """
    X = many_blobs()
    seeds = subject.seeds(N_STARTS)
    mean = float(np.mean([_loss(subject, X, 1, seed) for seed in seeds]))

    def claim(several: float) -> None:
        require(
            several <= mean + 1e-6 * abs(mean),
            f"n_init=20 must not be worse than n_init=1, got a loss of {several:.6g} for "
            f"{mean:.6g}, the mean of single starts: inertia_, or minus lower_bound_",
        )

    require_of_one((_loss(subject, X, 20, seed) for seed in seeds), claim)


def _loss(subject: Subject, X: FloatArray, n_init: int, seed: int) -> float:
    """Return what the clusterer minimizes, with a number of starts."""
    estimator = subject.make(12, seed, n_init=n_init)
    fitted = subject.fit(X, estimator=estimator).estimator
    for name, sign in (("inertia_", 1), ("lower_bound_", -1)):
        if hasattr(fitted, name):
            return sign * float(getattr(fitted, name))
    msg = "the fitted clusterer has neither inertia_ nor lower_bound_"
    raise NotApplicable(msg)


@check(N_CLUSTERS, NUMBERS, promise="compact")
def check_floor_on_iris(subject: Subject) -> None:
    """The species of iris are found from their petals.

    Data: iris, petal length and width. Tolerance: adjusted Rand index of at least 0.75, the median
    of three values of ``random_state``; k-means has 0.85 or 0.89.
    """
    _require_floor(subject, *iris_petals(), floor=0.75, name="iris")


@check(N_CLUSTERS, NUMBERS, promise="compact")
def check_floor_on_wine(subject: Subject) -> None:
    """The cultivars of wine are found from standardized features.

    Data: wine, standardized. Tolerance: adjusted Rand index of at least 0.75, the median of three
    values of ``random_state``; k-means has 0.85 to 0.92 in 199 of 200 runs.
    """
    _require_floor(subject, *standardized_wine(), floor=0.75, name="wine")


@check(N_CLUSTERS, NUMBERS, promise="compact")
def check_floor_on_breast_cancer(subject: Subject) -> None:
    """Benign and malignant tumors are separated by standardized features.

    Data: breast cancer, standardized. Tolerance: adjusted Rand index of at least 0.5, the median
    of three values of ``random_state``; k-means has 0.65 to 0.68.
    """
    _require_floor(subject, *standardized_breast_cancer(), floor=0.5, name="breast cancer")


def _require_floor(subject: Subject, X: FloatArray, y: IntArray, floor: float, name: str) -> None:
    runs = _runs(subject, X, len(np.unique(y)))
    scores = [adjusted_rand_score(y, labels) for labels in runs]
    median = float(np.median(scores))
    require(
        median >= floor,
        f"adjusted_rand_score on {name} must be at least {floor:g}, got {median:.3f} "
        f"(median of {', '.join(f'{score:.3f}' for score in scores)})",
    )


def _runs(subject: Subject, X: Any, n_clusters: int) -> list[Labels]:
    """Return the labels of three seeds, or of one fit where there is no seed."""
    seeds = subject.seeds(_N_RUNS)
    return [subject.labels(X, n_clusters, random_state=seed) for seed in seeds]


def limits_of_own_data(subject: Subject) -> list[Check]:
    """Return a check for each data set of the user that has limits."""
    return [_limits_on(own) for own in subject.own if own.limits]


def _limits_on(own: OwnData) -> Check:
    def body(subject: Subject) -> None:
        mine = subject.on_own(own)
        rows, y = mine.blobs()
        runs = _runs(mine, rows, len(np.unique(y)))
        for name, limit in own.limits.items():
            index = Chosen.of(name, with_data=False)
            values = [index.value(count(y, labels, moments=True)) for labels in runs]
            middle = runs[int(np.argsort(values)[len(values) // 2])]
            limits: dict[str, Any] = {name: limit}
            assert_clustering(y, middle, **limits)

    body.__name__ = f"check_limits_on_{own.name}"
    body.__doc__ = (
        f"The clusters of {own.name} keep the limits of "
        f"{', '.join(f'{name} ({limit:g})' for name, limit in own.limits.items())}.\n\n"
        "Data: your own. Tolerance: the median of three values of ``random_state``."
    )
    return Check(body, (), None)


@check(MAIN_THREAD, NUMBERS)
def check_memory_growth(subject: Subject) -> None:
    """Memory grows at most with the square of the number of objects.

    Data: three blobs of 100 and of 400 objects together. Tolerance: the peak that Python traces
    grows by a factor of at most 32, where a square would be 16.
    """
    few, many = (_peak_bytes(subject, n_samples) for n_samples in (100, 400))
    require(
        many <= _MOST_GROWTH * few,
        f"four times the objects must take at most {_MOST_GROWTH:g} times the memory, "
        f"got {many / few:.0f} times ({few} and {many} bytes)",
    )


def _peak_bytes(subject: Subject, n_samples: int) -> int:
    """Return the peak memory of a fit above that before it, as traced by Python."""
    X = large_blobs(n_samples)
    subject.fit(X)  # what the first fit imports and keeps does not count
    estimator = subject.make()
    was_tracing = tracemalloc.is_tracing()
    if not was_tracing:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        subject.fit(X, estimator=estimator)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        if not was_tracing:
            tracemalloc.stop()
    return max(peak - before, 1)
