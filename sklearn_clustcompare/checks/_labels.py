"""Checks of the labels themselves, and of the other attributes of a fit."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare.checks._forms import small_beside_large
from sklearn_clustcompare.checks._record import (
    BUILT_IN,
    FIT_PREDICT,
    N_CLUSTERS,
    NUMBERS,
    REPEATABLE,
    WEIGHTS,
    NotApplicable,
    check,
    n_clusters_of,
    require,
    require_labels_or_error,
    require_of_one,
    require_same_labels,
    require_same_partition,
)
from sklearn_clustcompare.checks._subject import Fitted, Labels, Subject


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


_ROUNDING = 1e-6
# Means of the last step, before the last assignment, are a little off.
_OF_MEANS = 0.05


def _attribute(fitted: Fitted, name: str) -> Any:
    estimator = fitted.estimator
    last = estimator[-1] if hasattr(estimator, "named_steps") else estimator
    value = getattr(last, name, None)
    if value is None:
        msg = f"the fitted clusterer has no {name}"
        raise NotApplicable(msg)
    return value


def _centers(fitted: Fitted) -> NDArray[Any]:
    centers = np.asarray(_attribute(fitted, "cluster_centers_"), dtype=float)
    if hasattr(fitted.estimator, "named_steps") or centers.shape[1:] != fitted.X.shape[1:]:
        msg = "cluster_centers_ is of other features than X"
        raise NotApplicable(msg)
    return centers


def _squared_distances(X: NDArray[Any], centers: NDArray[Any]) -> NDArray[Any]:
    return ((X[:, np.newaxis] - centers) ** 2).sum(axis=2)


@check(NUMBERS)
def check_centers_belong_to_the_labels(subject: Subject) -> None:
    """Row j of ``cluster_centers_`` is the center of the objects with label j.

    Data: blobs. Tolerance: none: of separated clusters, each object is nearest to its own center.
    """
    fitted = subject.fitted_blobs
    centers = _centers(fitted)
    require(len(centers) > 0, "cluster_centers_ must have a row for each cluster, got none")
    labels = fitted.labels
    nearest = _squared_distances(fitted.X, centers).argmin(axis=1)
    require_same_labels(labels[labels >= 0], nearest[labels >= 0], "the nearest centers")


@check(NUMBERS, promise="means")
def check_centers_are_means(subject: Subject) -> None:
    """The centers are the means of their objects.

    Data: overlapping groups. Tolerance: 5 % of the standard deviation of the data, since the last
    step may move some objects.
    """
    fitted = subject.fitted_overlapping
    centers, labels = _centers(fitted), fitted.labels
    means = np.array([fitted.X[labels == label].mean(axis=0) for label in range(len(centers))])
    off = float(abs(means - centers).max() / fitted.X.std())
    require(off <= _OF_MEANS, f"centers must be means of their objects, got one {off:.2g} sd away")


@check(NUMBERS)
def check_inertia_is_that_of_the_labels(subject: Subject) -> None:
    """``inertia_`` is the sum of squared distances of the objects to the centers of their labels.

    Data: overlapping groups. Tolerance: one in a million.
    """
    fitted = subject.fitted_overlapping
    inertia = float(_attribute(fitted, "inertia_"))
    labels = fitted.labels.astype(int)  # another check asks for integers
    distances = _squared_distances(fitted.X, _centers(fitted))
    expected = float(distances[np.arange(len(labels)), labels].sum())
    require(
        abs(inertia - expected) <= _ROUNDING * expected,
        f"inertia_ must be that of the labels and centers, {expected:.6g}, got {inertia:.6g}",
    )


@check()
def check_n_iter_is_positive(subject: Subject) -> None:
    """``n_iter_`` is a positive whole number.

    Data: overlapping groups. Tolerance: none.
    """
    n_iter = np.asarray(_attribute(subject.fitted_overlapping, "n_iter_"))
    require(
        n_iter.ndim == 0 and n_iter.dtype.kind in "iu" and bool(n_iter >= 1),
        f"n_iter_ must be a positive whole number, got {n_iter!r}",
    )


@check()
def check_probabilities_are_strengths(subject: Subject) -> None:
    """``probabilities_`` are in [0, 1], also for equal rows, and 0 for noise.

    Data: overlapping groups with ten copies of eight objects. Tolerance: 1e-6.
    """
    X, _ = subject.overlapping()
    fitted = subject.fit(np.vstack([X, *[X[:8]] * 10]))
    strengths = np.asarray(_attribute(fitted, "probabilities_"), dtype=float)
    labels = fitted.labels
    require(
        strengths.shape == labels.shape,
        f"probabilities_ must have shape {labels.shape}, got {strengths.shape}",
    )
    outside = strengths[~((strengths >= -_ROUNDING) & (strengths <= 1 + _ROUNDING))]
    require(
        len(outside) == 0,
        f"probabilities_ must be in [0, 1], got {outside[:1]} for {len(outside)} objects",
    )
    noise = strengths[labels < 0]
    require(not noise.any(), f"probabilities_ of noise must be 0, got up to {noise.max(initial=0)}")
