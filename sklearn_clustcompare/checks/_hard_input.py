"""Checks of input without clusters, or that cannot be clustered."""

from __future__ import annotations

import numpy as np

from sklearn_clustcompare.checks._comparing import require_labels_or_error, require_valid
from sklearn_clustcompare.checks._data import blobs
from sklearn_clustcompare.checks._record import check
from sklearn_clustcompare.checks._subject import Subject


@check()
def check_one_object(subject: Subject) -> None:
    """One object gets a label, or raises a clear error (ValueError or TypeError, with a message).

    Data: one object of the blobs, one cluster. Tolerance: none.
    """
    X = blobs()[0][:1]
    require_labels_or_error(lambda: subject.labels(X, n_clusters=1), 1, "one object")


@check()
def check_constant_features(subject: Subject) -> None:
    """Objects that are all equal get labels, or raise a clear error.

    Data: 30 equal rows, one cluster. Tolerance: none.
    """
    X = np.full((30, 2), 4.5)
    require_labels_or_error(lambda: subject.labels(X, n_clusters=1), 30, "constant features")


@check()
def check_more_clusters_than_distinct_rows(subject: Subject) -> None:
    """Fewer distinct objects than clusters get labels, or raise a clear error.

    Data: two distinct rows, each 15 times, three clusters. Tolerance: none.
    """
    X = np.repeat([[3.0, 3.0], [6.0, 3.0]], 15, axis=0)
    what = "more clusters than distinct rows"
    require_labels_or_error(lambda: subject.labels(X), 30, what)


@check()
def check_nan(subject: Subject) -> None:
    """A missing value raises a clear error, or gets labels if the tag ``allow_nan`` is set.

    Data: blobs, one number missing. Tolerance: none.
    """
    X, _ = blobs()
    X[7, 1] = np.nan
    try:
        labels = subject.labels(X)
    except (ValueError, TypeError) as error:
        if subject.tags.input_tags.allow_nan or not str(error):
            raise
        return
    if not subject.tags.input_tags.allow_nan:
        msg = "a missing value must be a ValueError unless the tag allow_nan is set, got labels"
        raise AssertionError(msg)
    require_valid(labels, len(X), "data with a missing value")
