"""Checks of the clusters found, and of the cost."""

from __future__ import annotations

import numpy as np

from sklearn_clustcompare.checks._comparing import FOUND, require, require_same_partition
from sklearn_clustcompare.checks._data import (
    FloatArray,
    IntArray,
    blobs,
    iris_petals,
    standardized_breast_cancer,
    standardized_wine,
)
from sklearn_clustcompare.checks._growth import peak_bytes
from sklearn_clustcompare.checks._record import MAIN_THREAD, N_CLUSTERS, check
from sklearn_clustcompare.checks._subject import Subject
from sklearn_clustcompare.metrics import adjusted_rand_score

_N_RUNS = 3
# Four times the objects: 16 times the memory if all pairs are kept. Twice that exceeds noise.
_MOST_GROWTH = 32.0


@check()
def check_separated_blobs_are_found(subject: Subject) -> None:
    """Well separated clusters are found.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99.
    """
    X, y = blobs()
    require_same_partition(y, subject.labels(X), "blobs and what is found", FOUND)


@check(N_CLUSTERS)
def check_floor_on_iris(subject: Subject) -> None:
    """The species of iris are found from their petals.

    Data: iris, petal length and width. Tolerance: adjusted Rand index of at least 0.75, the median
    of three values of ``random_state``; k-means has 0.85 or 0.89.
    """
    _require_floor(subject, *iris_petals(), floor=0.75, name="iris")


@check(N_CLUSTERS)
def check_floor_on_wine(subject: Subject) -> None:
    """The cultivars of wine are found from standardized features.

    Data: wine, standardized. Tolerance: adjusted Rand index of at least 0.75, the median of three
    values of ``random_state``; k-means has 0.85 to 0.92 in 199 of 200 runs.
    """
    _require_floor(subject, *standardized_wine(), floor=0.75, name="wine")


@check(N_CLUSTERS)
def check_floor_on_breast_cancer(subject: Subject) -> None:
    """Benign and malignant tumors are separated by standardized features.

    Data: breast cancer, standardized. Tolerance: adjusted Rand index of at least 0.5, the median
    of three values of ``random_state``; k-means has 0.65 to 0.68.
    """
    _require_floor(subject, *standardized_breast_cancer(), floor=0.5, name="breast cancer")


def _require_floor(subject: Subject, X: FloatArray, y: IntArray, floor: float, name: str) -> None:
    n_classes = len(np.unique(y))
    seeds = range(subject.random_state, subject.random_state + _N_RUNS)
    if not subject.has_random_state:
        seeds = seeds[:1]
    runs = (subject.labels(X, n_classes, random_state=seed) for seed in seeds)
    scores = [adjusted_rand_score(y, labels) for labels in runs]
    median = float(np.median(scores))
    require(
        median >= floor,
        f"adjusted_rand_score on {name} must be at least {floor:g}, got {median:.3f} "
        f"(median of {', '.join(f'{score:.3f}' for score in scores)})",
    )


@check(MAIN_THREAD)
def check_memory_growth(subject: Subject) -> None:
    """Memory grows at most with the square of the number of objects.

    Data: three blobs of 100 and of 400 objects together. Tolerance: the peak that Python traces
    grows by a factor of at most 32, where a square would be 16.
    """
    few, many = (peak_bytes(subject, n_samples) for n_samples in (100, 400))
    require(
        many <= _MOST_GROWTH * few,
        f"four times the objects must take at most {_MOST_GROWTH:g} times the memory, "
        f"got {many / few:.0f} times ({few} and {many} bytes)",
    )
