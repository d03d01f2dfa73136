"""Checks of fitted clusterers: prediction, second fits and copies."""

from __future__ import annotations

import pickle

import numpy as np
from sklearn.base import clone

from sklearn_clustcompare.checks._comparing import require, require_same_labels
from sklearn_clustcompare.checks._data import blobs, overlapping
from sklearn_clustcompare.checks._record import PREDICT, PREDICT_PROBA, REPEATABLE, check
from sklearn_clustcompare.checks._subject import Subject, labels_of

# Sums of memberships differ from 1 by rounding, also in float32.
_ROUNDING = 1e-6


@check(PREDICT)
def check_predict_on_the_fitted_objects(subject: Subject) -> None:
    """``predict`` returns the labels of the fit for the objects that were fitted.

    Data: overlapping groups. Tolerance: none.
    """
    X, _ = overlapping()
    fitted = subject.fit(X)
    require_same_labels(labels_of(fitted, X), np.asarray(fitted.predict(X)), "predict after fit")


@check(PREDICT)
def check_predict_one_at_a_time(subject: Subject) -> None:
    """``predict`` of one object does not depend on the others in the call.

    Data: overlapping groups, 30 of the objects one at a time. Tolerance: none.
    """
    X, _ = overlapping()
    fitted = subject.fit(X)
    single = np.concatenate([fitted.predict(X[i : i + 1]) for i in range(30)])
    require_same_labels(np.asarray(fitted.predict(X))[:30], single, "predict one at a time")


@check(REPEATABLE)
def check_second_fit_forgets_the_first(subject: Subject) -> None:
    """A second fit to other data finds the same as a fit of a new copy.

    Data: blobs, then overlapping groups. Tolerance: none.
    """
    X, _ = overlapping()
    again = subject.fit(blobs()[0]).fit(X)
    require_same_labels(labels_of(subject.fit(X), X), labels_of(again, X), "a second fit")


@check()
def check_pickle_keeps_the_labels(subject: Subject) -> None:
    """A pickled copy of a fitted clusterer has the same labels and predicts the same.

    Data: overlapping groups. Tolerance: none.
    """
    X, _ = overlapping()
    fitted = subject.fit(X)
    copy = pickle.loads(pickle.dumps(fitted))  # written here
    require_same_labels(labels_of(fitted, X), labels_of(copy, X), "a pickled copy")
    if subject.has("predict"):
        require_same_labels(
            np.asarray(fitted.predict(X)), np.asarray(copy.predict(X)), "predict of a pickled copy"
        )


@check(REPEATABLE)
def check_clone_finds_the_same(subject: Subject) -> None:
    """The parameters are complete: a clone finds the same as the object itself.

    Data: overlapping groups. Tolerance: none.
    """
    X, _ = overlapping()
    original = subject.copy_all()
    cloned = clone(original)
    require_same_labels(
        labels_of(original.fit(X), X), labels_of(cloned.fit(X), X), "a clone of the estimator"
    )


@check(PREDICT_PROBA)
def check_memberships_sum_to_one(subject: Subject) -> None:
    """The rows of ``predict_proba`` are non-negative and sum to 1.

    Data: overlapping groups. Tolerance: 1e-6.
    """
    X, _ = overlapping()
    memberships = np.asarray(subject.fit(X).predict_proba(X))
    require(
        memberships.ndim == 2 and len(memberships) == len(X),
        f"predict_proba must have a row for each of {len(X)} objects, got {memberships.shape}",
    )
    lowest = float(memberships.min())
    require(lowest >= -_ROUNDING, f"memberships must not be negative, got {lowest:g}")
    sums = memberships.sum(axis=1)
    worst = int(abs(sums - 1).argmax())
    require(
        abs(sums[worst] - 1) <= _ROUNDING,
        f"memberships of an object must sum to 1, got {sums[worst]:g} in row {worst}",
    )


@check(PREDICT, PREDICT_PROBA)
def check_largest_membership_is_predicted(subject: Subject) -> None:
    """``predict`` returns the column of the largest membership.

    Data: overlapping groups. Tolerance: memberships within 1e-6 of the largest count as largest.
    """
    X, _ = overlapping()
    fitted = subject.fit(X)
    memberships, labels = np.asarray(fitted.predict_proba(X)), np.asarray(fitted.predict(X))
    largest = memberships.max(axis=1)
    below = np.flatnonzero(memberships[np.arange(len(X)), labels] < largest - _ROUNDING)
    require(
        len(below) == 0,
        f"predict must name the largest membership, got another one for {len(below)} of "
        f"{len(X)} objects",
    )
