"""Checks of invariance: order, duplicates, weights, units and directions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sklearn_clustcompare.checks._forms import FloatArray, weighted_line, weighted_pairs
from sklearn_clustcompare.checks._record import (
    BUILT_IN,
    NUMBERS,
    WEIGHTS,
    check,
    require_of_one,
    require_same_partition,
)
from sklearn_clustcompare.checks._subject import N_STARTS, Subject

# Objects at the border of two clusters may fall on either side.
_WEIGHTED = 0.8


@check(BUILT_IN)
def check_order_of_objects(subject: Subject) -> None:
    """The order of the objects does not change separated clusters.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99, for one of five values of
    ``random_state``.
    """
    X, _ = subject.blobs()
    _require_order(subject, X, "the objects in another order", at_least=0.99)


@check(promise="order")
def check_order_of_overlapping_objects(subject: Subject) -> None:
    """The order of the objects does not change any cluster.

    Data: overlapping groups. Tolerance: none, up to the names of the clusters, for one of five
    values of ``random_state``.
    """
    X, _ = subject.overlapping()
    _require_order(subject, X, "overlapping objects in another order", at_least=1.0)


def _require_order(subject: Subject, X: FloatArray, what: str, at_least: float) -> None:
    order = np.random.default_rng(1).permutation(len(X))
    expected = subject.labels(X)[order]

    def claim(seed: int) -> None:
        found = subject.labels(X[order], random_state=seed)
        require_same_partition(expected, found, what, at_least)

    require_of_one(subject.seeds(N_STARTS), claim)


@check(NUMBERS)
def check_order_of_features(subject: Subject) -> None:
    """The order of the features does not change separated clusters.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99.
    """
    _require_invariant(subject, lambda X: X[:, ::-1].copy(), "the features in another order")


def _require_invariant(
    subject: Subject, change: Callable[[FloatArray], FloatArray], what: str
) -> None:
    X, _ = subject.blobs()
    expected = subject.fitted_blobs.labels

    def claim(seed: int) -> None:
        require_same_partition(expected, subject.labels(change(X), random_state=seed), what)

    require_of_one(subject.seeds(N_STARTS), claim)


@check()
def check_duplicated_rows_stay_together(subject: Subject) -> None:
    """Rows that are equal get the same label.

    Data: overlapping groups, each object twice. Tolerance: none.
    """
    X, _ = subject.overlapping()
    labels = subject.labels(np.vstack([X, X]))
    apart = np.flatnonzero(labels[: len(X)] != labels[len(X) :])
    if len(apart):
        msg = (
            f"equal rows must have the same label, got others for {len(apart)} of {len(X)} pairs; "
            f"the first is row {apart[0]} and row {apart[0] + len(X)}"
        )
        raise AssertionError(msg)


@check(WEIGHTS, NUMBERS)
def check_weight_of_two_is_the_row_twice(subject: Subject) -> None:
    """An object of integer weight w counts as w equal rows.

    Data: a line of objects with falling weights, in two clusters, if the number of clusters can be
    set; else blobs with two objects of weight 4 far from them. The clusters without weights differ.
    Tolerance: adjusted Rand index of at least 0.8, since an object at the border may fall on either
    side, for one of five values of ``random_state``; without weights it is below 0.5 for the line.
    """
    X, weights = weighted_pairs() if subject.param_name is None else weighted_line()
    rows = np.repeat(np.arange(len(X)), weights)
    first = np.flatnonzero(np.r_[True, np.diff(rows) > 0])

    def claim(seed: int) -> None:
        repeated = subject.labels(X[rows], 2, random_state=seed)[first]
        weighted = subject.labels(X, 2, seed, sample_weight=weights.astype(float))
        require_same_partition(repeated, weighted, "weights and repeated rows", _WEIGHTED)

    require_of_one(subject.seeds(N_STARTS), claim)


@check(WEIGHTS, BUILT_IN)
def check_weight_of_zero_is_no_row(subject: Subject) -> None:
    """Objects of weight zero do not change the clusters of the others.

    Data: blobs, and six objects of weight zero far away, two and two together. Tolerance: adjusted
    Rand index of at least 0.99 for the blobs.
    """
    X, _ = subject.blobs()
    far = np.repeat([[30.0, 3.0], [3.0, 30.0], [30.0, 30.0]], 2, axis=0)
    weights = np.repeat([1.0, 0.0], [len(X), len(far)])
    found = subject.labels(np.vstack([X, far]), sample_weight=weights)[: len(X)]
    require_same_partition(subject.fitted_blobs.labels, found, "blobs with objects of no weight")


@check(NUMBERS, promise="shift")
def check_shift(subject: Subject) -> None:
    """A constant added to all features does not change separated clusters.

    Data: blobs, moved by 1000. Tolerance: adjusted Rand index of at least 0.99.
    """
    _require_invariant(subject, lambda X: X + 1000, "objects moved by 1000")


@check(NUMBERS, promise="shift")
def check_far_from_zero(subject: Subject) -> None:
    """Far from zero, separated clusters are the same in float64.

    Data: blobs, moved by 2^20, about a million. Tolerance: adjusted Rand index of at least 0.99.
    """
    _require_invariant(subject, lambda X: X + 2.0**20, "objects moved by a million")


@check(NUMBERS, promise="scale")
def check_scale(subject: Subject) -> None:
    """A different unit of all features does not change separated clusters.

    Data: blobs, times 64. Tolerance: adjusted Rand index of at least 0.99.
    """
    _require_invariant(subject, lambda X: 64 * X, "objects times 64")


@check(NUMBERS, promise="rotation")
def check_rotation(subject: Subject) -> None:
    """A rotation does not change separated clusters.

    Data: blobs, turned by 30 degrees around the origin. Tolerance: adjusted Rand index of at
    least 0.99.
    """
    c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
    _require_invariant(subject, lambda X: X @ np.array([[c, s], [-s, c]]), "rotated objects")
