"""Checks of input without clusters, or that cannot be clustered."""

from __future__ import annotations

import numpy as np

from sklearn_clustcompare.checks._comparing import (
    require,
    require_labels_or_error,
    require_valid,
)
from sklearn_clustcompare.checks._record import BUILT_IN, NUMBERS, check
from sklearn_clustcompare.checks._subject import Subject


@check()
def check_one_object(subject: Subject) -> None:
    """One object gets a label, or raises a clear error (ValueError or TypeError, with a message).

    Data: one object of the blobs, one cluster. Tolerance: none.
    """
    X = subject.blobs()[0][:1]
    require_labels_or_error(lambda: subject.labels(X, n_clusters=1), 1, "one object")


@check(BUILT_IN)
def check_constant_features(subject: Subject) -> None:
    """Objects that are all equal get labels, or raise a clear error.

    Data: 30 equal rows, one cluster. Tolerance: none.
    """
    X = np.full((30, 2), 4.5)
    require_labels_or_error(lambda: subject.labels(X, n_clusters=1), 30, "constant features")


@check(BUILT_IN)
def check_more_clusters_than_distinct_rows(subject: Subject) -> None:
    """Fewer distinct objects than clusters get labels, or raise a clear error.

    Data: two distinct rows, each 15 times, three clusters. Tolerance: none.
    """
    X = np.repeat([[3.0, 3.0], [6.0, 3.0]], 15, axis=0)
    what = "more clusters than distinct rows"
    require_labels_or_error(lambda: subject.labels(X), 30, what)


@check(NUMBERS)
def check_nan(subject: Subject) -> None:
    """A missing value raises a clear error, or gets labels if the tag ``allow_nan`` is set.

    Data: blobs, one number missing. Tolerance: none.
    """
    _require_refused(subject, np.nan, "a missing value")


@check(NUMBERS)
def check_infinity(subject: Subject) -> None:
    """An infinite value raises a clear error, or gets labels if the tag ``allow_nan`` is set.

    Data: blobs, one number infinite. Tolerance: none.
    """
    _require_refused(subject, np.inf, "an infinite value")


def _require_refused(subject: Subject, value: float, what: str) -> None:
    X, _ = subject.blobs()
    X[7, 1] = value
    allowed = bool(subject.tags.input_tags.allow_nan)
    try:
        labels = subject.labels(X)
    except (ValueError, TypeError) as error:
        # No tag is about infinite values alone.
        if (allowed and np.isnan(value)) or not str(error):
            raise
        return
    require(allowed, f"{what} must be a ValueError unless the tag allow_nan is set, got labels")
    require_valid(labels, len(X), f"data with {what}")


@check(BUILT_IN)
def check_parameters_are_not_changed(subject: Subject) -> None:
    """``fit`` does not change the parameters of the clusterer, on hard data neither.

    Data: blobs; two distinct rows, each 15 times, three clusters. Tolerance: none.
    """
    two_rows = np.repeat([[3.0, 3.0], [6.0, 3.0]], 15, axis=0)
    for X, what in ((subject.blobs()[0], "blobs"), (two_rows, "two distinct rows")):
        estimator = subject.make()
        before = {name: repr(value) for name, value in estimator.get_params().items()}
        try:
            subject.fit(X, estimator=estimator)
        except Exception:  # other checks ask for a clear one
            if what == "blobs":
                raise
        after = {name: repr(value) for name, value in estimator.get_params().items()}
        changed = sorted(name for name in before if before[name] != after[name])
        require(
            not changed,
            f"fit of {what} must not change parameters, got others: {', '.join(changed)}",
        )
