"""Checks of the labels themselves."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from sklearn_clustcompare.checks._comparing import (
    n_clusters_of,
    require,
    require_labels_or_error,
    require_of_one,
    require_same_labels,
    require_same_partition,
)
from sklearn_clustcompare.checks._data import small_beside_large
from sklearn_clustcompare.checks._record import (
    BUILT_IN,
    FIT_PREDICT,
    N_CLUSTERS,
    REPEATABLE,
    WEIGHTS,
    check,
)
from sklearn_clustcompare.checks._subject import Labels, Subject


@check(FIT_PREDICT, REPEATABLE)
def check_fit_predict_returns_the_labels(subject: Subject) -> None:
    """``fit_predict`` returns the labels of ``fit``: ``labels_``, or ``predict`` for mixtures.

    Data: overlapping groups. Tolerance: none.
    """
    X, _ = subject.overlapping()
    require_same_labels(
        subject.fitted_overlapping.labels, subject.fit_predict(X), "fit_predict after fit"
    )


@check(FIT_PREDICT, WEIGHTS, REPEATABLE)
def check_fit_predict_takes_weights(subject: Subject) -> None:
    """``fit_predict`` with ``sample_weight`` returns the labels of ``fit`` with these weights.

    Data: overlapping groups, weights of 1 and 8. Tolerance: none.
    """
    X, _ = subject.overlapping()
    weights = np.where(np.arange(len(X)) % 3, 1.0, 8.0)
    require_same_labels(
        subject.fit(X, sample_weight=weights).labels,
        subject.fit_predict(X, sample_weight=weights),
        "fit_predict with weights after fit with weights",
    )


@check()
def check_labels_are_integers(subject: Subject) -> None:
    """There is one label for each object, of an integer type.

    Data: blobs. Tolerance: none.
    """
    fitted = subject.fitted_blobs
    found = {"labels": fitted.labels}
    if subject.has("predict"):
        found["labels of predict"] = fitted.predict(fitted.X)
    for what, labels in found.items():
        shape = (len(fitted.X),)
        require(labels.shape == shape, f"{what} must have shape {shape}, got {labels.shape}")
        require(labels.dtype.kind in "iu", f"{what} must be integers, got {labels.dtype}")


@check()
def check_labels_are_consecutive(subject: Subject) -> None:
    """Clusters are numbered 0 to k - 1 without gaps; noise is negative.

    Data: blobs. Tolerance: none.
    """
    clusters = np.unique(subject.fitted_blobs.labels)
    clusters = clusters[clusters >= 0]
    require(
        np.array_equal(clusters, np.arange(len(clusters))),
        f"clusters must be numbered from 0 without gaps, got {clusters.tolist()}",
    )


@check(N_CLUSTERS, BUILT_IN)
def check_n_clusters_is_kept(subject: Subject) -> None:
    """There are as many clusters as requested.

    Data: 2, 3 and 4 blobs, as many clusters. Tolerance: none.
    """
    for n_clusters in (2, 3, 4):
        X, _ = subject.blobs(n_clusters)
        _require_n_clusters(subject, subject.labels(X, n_clusters), n_clusters)


@check(N_CLUSTERS, BUILT_IN)
def check_one_cluster_and_one_for_each_object(subject: Subject) -> None:
    """One cluster has all objects, and as many clusters as objects one each, or a clear error.

    Data: blobs, one cluster; one object of each of four blobs, four clusters. Tolerance: one of
    thirty values of ``random_state``, as batches may leave out objects; components of a mixture may
    remain empty.
    """
    X, y = subject.blobs(4)
    few = X[[np.flatnonzero(y == label)[0] for label in range(4)]]
    for n_clusters, rows in ((1, X), (4, few)):
        claim = functools.partial(_require_n_clusters_or_error, subject, rows, n_clusters)
        require_of_one(subject.seeds(30), claim)


def _require_n_clusters_or_error(subject: Subject, X: Any, n_clusters: int, seed: int) -> None:
    what = f"{n_clusters} clusters of {len(X)} objects"
    find = functools.partial(subject.labels, X, n_clusters, random_state=seed)
    labels = require_labels_or_error(find, len(X), what)
    is_mixture = str(subject.param_name).endswith("n_components")
    if labels is not None and not (is_mixture and n_clusters_of(labels) < n_clusters):
        _require_n_clusters(subject, labels, n_clusters)


def _require_n_clusters(subject: Subject, labels: Labels, n_clusters: int) -> None:
    found = n_clusters_of(labels)
    require(
        found == n_clusters,
        f"{subject.param_name}={n_clusters} must give {n_clusters} clusters, got {found}",
    )


@check(N_CLUSTERS, BUILT_IN)
def check_n_clusters_of_numpy(subject: Subject) -> None:
    """An integer of NumPy is a number of clusters like one of Python.

    Data: blobs, ``numpy.int64(3)`` clusters. Tolerance: adjusted Rand index of at least 0.99.
    """
    X, _ = subject.blobs()
    found = subject.labels(X, np.int64(3))  # type: ignore[arg-type]
    require_same_partition(subject.fitted_blobs.labels, found, "numpy.int64(3) and 3 clusters")


@check(N_CLUSTERS, BUILT_IN)
def check_small_cluster_is_kept(subject: Subject) -> None:
    """A small cluster far from a large one stays a cluster.

    Data: groups of 200 and 5 objects, far apart. Tolerance: adjusted Rand index of at least 0.99
    for one of ten values of ``random_state``.
    """
    X, y = small_beside_large()
    what = "groups of 200 and 5 objects and the clusters"
    require_of_one(
        subject.seeds(10),
        lambda seed: require_same_partition(y, subject.labels(X, 2, random_state=seed), what),
    )
