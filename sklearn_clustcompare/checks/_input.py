"""Checks of the form of the input: the same numbers give the same clusters."""

from __future__ import annotations

from typing import Any
from unittest import SkipTest

import numpy as np
from scipy import sparse

from sklearn_clustcompare.checks._comparing import (
    require,
    require_same_labels,
    require_same_partition,
)
from sklearn_clustcompare.checks._data import blobs, overlapping
from sklearn_clustcompare.checks._record import REPEATABLE, SPARSE, check
from sklearn_clustcompare.checks._subject import Subject, labels_of


@check()
def check_float32(subject: Subject) -> None:
    """Numbers that float32 represents exactly give the same clusters as in float64.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99.
    """
    X, _ = blobs()
    _require_same_clusters(subject, X.astype(np.float32), "float32 and float64")


@check()
def check_fortran_order(subject: Subject) -> None:
    """An array in Fortran order gives the same clusters.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99.
    """
    X, _ = blobs()
    _require_same_clusters(subject, np.asfortranarray(X), "an array in Fortran order")


@check(SPARSE)
def check_sparse(subject: Subject) -> None:
    """A sparse matrix gives the same clusters.

    Data: blobs, as a CSR matrix. Tolerance: adjusted Rand index of at least 0.99.
    """
    X, _ = blobs()
    _require_same_clusters(subject, sparse.csr_matrix(X), "a sparse matrix")


@check()
def check_data_frame(subject: Subject) -> None:
    """A pandas DataFrame gives the same clusters. Skipped without pandas.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99.
    """
    try:
        import pandas as pd
    except ImportError:
        msg = "pandas is not installed"
        raise SkipTest(msg) from None
    X, _ = blobs()
    _require_same_clusters(subject, pd.DataFrame(X, columns=["x", "y"]), "a DataFrame")


def _require_same_clusters(subject: Subject, X: Any, what: str) -> None:
    require_same_partition(subject.labels(blobs()[0]), subject.labels(X), what)


@check()
def check_read_only_input(subject: Subject) -> None:
    """Read-only input is accepted.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99.
    """
    X, _ = blobs()
    X.flags.writeable = False
    _require_same_clusters(subject, X, "a read-only array")


@check()
def check_input_is_not_changed(subject: Subject) -> None:
    """Fitting leaves the input as it was.

    Data: overlapping groups. Tolerance: none.
    """
    X, _ = overlapping()
    before = X.copy()
    subject.labels(X)
    changed = int((before != X).sum())
    require(changed == 0, f"fit must not write to its input, got {changed} changed numbers")


@check(REPEATABLE)
def check_y_is_ignored(subject: Subject) -> None:
    """Reference labels passed as ``y`` do not change the labels.

    Data: overlapping groups and their true labels. Tolerance: none.
    """
    X, y = overlapping()
    # fit_predict of scikit-learn drops y.
    with_y = labels_of(subject.fit(X, y=y), X)
    require_same_labels(labels_of(subject.fit(X), X), with_y, "a fit with y")
