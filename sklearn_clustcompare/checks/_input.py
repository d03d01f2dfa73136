"""Checks of the input: forms of the same numbers, and input that is hard or refused."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import numpy as np
from scipy import sparse

from sklearn_clustcompare.checks._forms import in_many_features, with_zeros
from sklearn_clustcompare.checks._record import (
    BUILT_IN,
    NUMBERS,
    REPEATABLE,
    SPARSE,
    check,
    import_pandas,
    require,
    require_labels_or_error,
    require_of_one,
    require_same_labels,
    require_same_partition,
    require_valid,
)
from sklearn_clustcompare.checks._subject import N_STARTS, Subject


@check(NUMBERS)
def check_float32(subject: Subject) -> None:
    """Numbers that float32 represents exactly give the same clusters as in float64.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99.
    """
    X, _ = subject.blobs()
    _require_same_clusters(subject, X.astype(np.float32), "float32 and float64")


@check(NUMBERS)
def check_integers(subject: Subject) -> None:
    """Integers and booleans of any type give the same clusters as in float64.

    Data: blobs in whole numbers up to 240 (uint8, int16, int64), and three groups of twelve
    features that are true or false. Tolerance: adjusted Rand index of at least 0.99.
    """
    X, y = subject.blobs()
    whole = np.round(24 * X)
    flags = np.arange(12) // 4 == y[:, np.newaxis]
    flags[np.arange(len(y)), np.arange(len(y)) % 12] ^= True
    for given, types in ((whole, ("uint8", "int16", "int64")), (flags, ("bool",))):
        expected = subject.labels(given.astype(float))
        for name in types:
            found = subject.labels(given.astype(name))
            require_same_partition(expected, found, f"{name} and float64")


@check(NUMBERS)
def check_fortran_order(subject: Subject) -> None:
    """An array in Fortran order gives the same clusters.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99.
    """
    X, _ = subject.blobs()
    _require_same_clusters(subject, np.asfortranarray(X), "an array in Fortran order")


@check(NUMBERS)
def check_strided_view(subject: Subject) -> None:
    """A view of every second row and column of a larger array gives the same clusters.

    Data: blobs, between rows and columns of noise. Tolerance: adjusted Rand index of at least 0.99.
    """
    X, _ = subject.blobs()
    larger = np.random.default_rng(0).uniform(1, 9, size=(2 * len(X), 2 * X.shape[1]))
    larger[::2, ::2] = X
    _require_same_clusters(subject, larger[::2, ::2], "a view of a larger array")


@check(NUMBERS)
def check_many_features(subject: Subject) -> None:
    """All of 40 features count.

    Data: blobs in the last two features, noise of standard deviation 0.02 in the others.
    Tolerance: adjusted Rand index of at least 0.99 with the clusters of the two features alone, for
    one of five values of ``random_state``.
    """
    X, _ = in_many_features()
    expected = subject.labels(X[:, -2:].copy())

    def claim(seed: int) -> None:
        found = subject.labels(X, random_state=seed)
        require_same_partition(expected, found, "clusters in the last of 40 features")

    require_of_one(subject.seeds(N_STARTS), claim)


@check(SPARSE, NUMBERS)
def check_sparse(subject: Subject) -> None:
    """A sparse matrix gives the same clusters.

    Data: blobs, as a CSR matrix. Tolerance: adjusted Rand index of at least 0.99.
    """
    X, _ = subject.blobs()
    _require_same_clusters(subject, sparse.csr_matrix(X), "a sparse matrix")


@check(SPARSE, NUMBERS)
def check_sparse_formats(subject: Subject) -> None:
    """Sparse formats, explicit zeros and rows without entries give the same clusters.

    Formats other than CSR may raise a clear error. Data: three groups of 20, one at zero and its
    first object exactly; as CSR, CSR with zeros stored, CSC, COO, and CSR array. Tolerance:
    adjusted Rand index of at least 0.99 with the clusters of the dense array.
    """
    X = with_zeros()
    stored = sparse.csr_matrix(np.where(X, X, 1))
    stored.data[stored.data == 1] = 0
    csr = sparse.csr_matrix(X)
    given = {"CSR with zeros": csr, "CSR with stored zeros": stored, "CSC": csr.tocsc()}
    given |= {"COO": csr.tocoo(), "a CSR array": sparse.csr_array(X)}
    expected = subject.labels(X)
    for name, matrix in given.items():
        try:
            found = subject.labels(matrix)
        except (TypeError, ValueError) as error:
            require(not name.startswith("CSR") and bool(str(error)), f"{name} must be accepted")
            continue
        require_same_partition(expected, found, f"{name} and the dense array")


@check(NUMBERS)
def check_data_frame(subject: Subject) -> None:
    """A pandas DataFrame gives the same clusters. Skipped without pandas.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99.
    """
    pd = import_pandas()
    X, _ = subject.blobs()
    _require_same_clusters(subject, pd.DataFrame(X, columns=["x", "y"]), "a DataFrame")


def _require_same_clusters(subject: Subject, X: Any, what: str) -> None:
    require_same_partition(subject.fitted_blobs.labels, subject.labels(X), what)


@check(NUMBERS)
def check_read_only_input(subject: Subject) -> None:
    """Read-only input is accepted.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99.
    """
    X, _ = subject.blobs()
    X.flags.writeable = False
    _require_same_clusters(subject, X, "a read-only array")


@check()
def check_input_is_not_changed(subject: Subject) -> None:
    """Fitting leaves the input as it was.

    Data: overlapping groups, also as a matrix of distances or affinities. Tolerance: none.
    """
    X, _ = subject.overlapping()
    given, before = subject.show(X), subject.show(X.copy())
    given = given.copy() if hasattr(given, "copy") else given
    subject.make().fit(given, **subject.keywords(subject.estimator.fit, given))
    changed = int((np.asarray(before) != np.asarray(given)).sum())
    require(changed == 0, f"fit must not write to its input, got {changed} changed numbers")


@check(REPEATABLE)
def check_y_is_ignored(subject: Subject) -> None:
    """Reference labels passed as ``y`` do not change the labels.

    Data: overlapping groups and their true labels. Tolerance: none.
    """
    X, y = subject.overlapping()
    # fit_predict of scikit-learn drops y.
    with_y = subject.fit(X, y=y).labels
    require_same_labels(subject.fitted_overlapping.labels, with_y, "a fit with y")


@check()
def check_fit_prints_nothing(subject: Subject) -> None:
    """Fitting prints nothing, unless a parameter such as ``verbose`` requires it.

    Data: blobs. Tolerance: none.
    """
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        subject.fit(subject.blobs()[0])
    require(not printed.getvalue(), f"fit must print nothing, got {printed.getvalue()[:60]!r}")


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
