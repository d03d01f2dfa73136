"""Checks of attributes of fitted clusterers: centers, inertia, iterations, strengths."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare.checks._comparing import require, require_same_labels
from sklearn_clustcompare.checks._record import NUMBERS, NotApplicable, check
from sklearn_clustcompare.checks._subject import Fitted, Subject

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
