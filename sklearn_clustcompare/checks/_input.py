"""Checks of the input: forms of the same numbers, labels, and input that is hard."""

from __future__ import annotations

import contextlib
import functools
import io
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from sklearn_clustcompare._array_types import Array, FloatArray
from sklearn_clustcompare._options import shortened
from sklearn_clustcompare.checks._record import (
    FOUND,
    N_STARTS,
    Fitted,
    NotApplicable,
    Subject,
    check,
    import_pandas,
    in_many_features,
    n_clusters_of,
    require,
    require_labels_or_error,
    require_of_one,
    require_same_labels,
    require_same_partition,
    require_valid,
    small_beside_large,
    weighted_line,
    weighted_pairs,
    with_zeros,
)


@check("numbers")
def check_float32(subject: Subject, blobs: Array) -> None:
    """Numbers that float32 represents exactly give the same clusters as in float64.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99.
    """
    _require_same_clusters(subject, blobs.astype(np.float32), "float32 and float64")


@check("numbers")
def check_integers(subject: Subject) -> None:
    """Integers and booleans of any type give the same clusters as in float64.

    Data: blobs in whole numbers up to 240 (uint8, int16, int64), and three groups of twelve
    features that are true or false. Tolerance: adjusted Rand index of at least 0.99.
    """
    X, y = subject.labeled_blobs()
    whole = np.round(24 * X)
    flags = np.arange(12) // 4 == y[:, np.newaxis]
    flags[np.arange(len(y)), np.arange(len(y)) % 12] ^= True
    for given, types in ((whole, ("uint8", "int16", "int64")), (flags, ("bool",))):
        expected = subject.labels(given.astype(float))
        for name in types:
            found = subject.labels(given.astype(name))
            require_same_partition(expected, found, f"{name} and float64")


@check("numbers")
def check_fortran_order(subject: Subject, blobs: Array) -> None:
    """An array in Fortran order gives the same clusters.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99.
    """
    _require_same_clusters(subject, np.asfortranarray(blobs), "an array in Fortran order")


@check("numbers")
def check_strided_view(subject: Subject, blobs: Array) -> None:
    """A view of every second row and column of a larger array gives the same clusters.

    Data: blobs, between rows and columns of noise. Tolerance: adjusted Rand index of at least 0.99.
    """
    larger = np.random.default_rng(0).uniform(1, 9, size=(2 * len(blobs), 2 * blobs.shape[1]))
    larger[::2, ::2] = blobs
    _require_same_clusters(subject, larger[::2, ::2], "a view of a larger array")


@check("numbers")
def check_many_features(subject: Subject) -> None:
    """All of 40 features count.

    Data: blobs in the last two features, noise of standard deviation 0.02 in the others.
    Tolerance: adjusted Rand index of at least 0.99 with the clusters of the two features alone, for
    one of five values of ``random_state``.
    """
    X, _ = in_many_features()
    expected = subject.labels(X[:, -2:].copy())
    _require_found(subject, X, expected, "clusters in the last of 40 features")


def _require_found(
    subject: Subject, X: Array, expected: Array, what: str, at_least: float = FOUND
) -> None:
    """Require the same clusters for one of some seeds."""

    def claim(seed: int) -> None:
        found = subject.labels(X.copy(), random_state=seed)
        require_same_partition(expected, found, what, at_least)

    require_of_one(subject.seeds(N_STARTS), claim)


@check("sparse", "numbers")
def check_sparse(subject: Subject, blobs: Array) -> None:
    """A sparse matrix gives the same clusters.

    Data: blobs, as a CSR matrix. Tolerance: adjusted Rand index of at least 0.99.
    """
    _require_same_clusters(subject, sparse.csr_matrix(blobs), "a sparse matrix")


@check("sparse", "numbers")
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


@check("numbers")
def check_data_frame(subject: Subject, blobs: Array) -> None:
    """A pandas DataFrame gives the same clusters. Skipped without pandas.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99.
    """
    pd = import_pandas()
    _require_same_clusters(subject, pd.DataFrame(blobs, columns=["x", "y"]), "a DataFrame")


def _require_same_clusters(subject: Subject, X: Any, what: str) -> None:
    require_same_partition(subject.fitted_blobs.labels, subject.labels(X), what)


@check("numbers")
def check_read_only_input(subject: Subject, blobs: Array) -> None:
    """Read-only input is accepted.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99.
    """
    blobs.flags.writeable = False
    _require_same_clusters(subject, blobs, "a read-only array")


@check()
def check_input_is_not_changed(subject: Subject, overlapping: Array) -> None:
    """Fitting leaves the input as it was.

    Data: overlapping groups, also as a matrix of distances or affinities. Tolerance: none.
    """
    given, before = subject.show(overlapping), subject.show(overlapping.copy())
    given = given.copy() if hasattr(given, "copy") else given
    subject.make().fit(given, **subject.keywords(subject.estimator.fit, given))
    changed = int((np.asarray(before) != np.asarray(given)).sum())
    require(changed == 0, f"fit must not write to its input, got {changed} changed numbers")


@check("repeatable")
def check_y_is_ignored(subject: Subject) -> None:
    """Reference labels passed as ``y`` do not change the labels.

    Data: overlapping groups and their true labels. Tolerance: none.
    """
    X, y = subject.labeled_overlapping()
    # fit_predict of scikit-learn drops y.
    with_y = subject.fit(X, y=y).labels
    require_same_labels(subject.fitted.labels, with_y, "a fit with y")


@check()
def check_fit_prints_nothing(subject: Subject) -> None:
    """Fitting prints nothing, unless a parameter such as ``verbose`` requires it.

    Data: blobs. Tolerance: none.
    """
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        subject.fit(subject.blobs)
    require(not printed.getvalue(), f"fit must print nothing, got {printed.getvalue()[:60]!r}")


@check()
def check_one_object(subject: Subject) -> None:
    """One object gets a label, or raises a clear error (ValueError or TypeError, with a message).

    Data: one object of the blobs, one cluster. Tolerance: none.
    """
    X = subject.blobs[:1]
    require_labels_or_error(lambda: subject.labels(X, n_clusters=1), 1, "one object")


@check("built_in")
def check_constant_features(subject: Subject) -> None:
    """Objects that are all equal get labels, or raise a clear error.

    Data: 30 equal rows, one cluster. Tolerance: none.
    """
    X = np.full((30, 2), 4.5)
    require_labels_or_error(lambda: subject.labels(X, n_clusters=1), 30, "constant features")


@check("built_in")
def check_more_clusters_than_distinct_rows(subject: Subject) -> None:
    """Fewer distinct objects than clusters get labels, or raise a clear error.

    Data: two distinct rows, each 15 times, three clusters. Tolerance: none.
    """
    X = np.repeat([[3.0, 3.0], [6.0, 3.0]], 15, axis=0)
    what = "more clusters than distinct rows"
    require_labels_or_error(lambda: subject.labels(X), 30, what)


@check("numbers")
def check_nan(subject: Subject) -> None:
    """A missing value raises a clear error, or gets labels if the tag ``allow_nan`` is set.

    Data: blobs, one number missing. Tolerance: none.
    """
    _require_refused(subject, np.nan, "a missing value")


@check("numbers")
def check_infinity(subject: Subject) -> None:
    """An infinite value raises a clear error, or gets labels if the tag ``allow_nan`` is set.

    Data: blobs, one number infinite. Tolerance: none.
    """
    _require_refused(subject, np.inf, "an infinite value")


def _require_refused(subject: Subject, value: float, what: str) -> None:
    X, _ = subject.labeled_blobs()
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


@check("built_in")
def check_parameters_are_not_changed(subject: Subject) -> None:
    """``fit`` does not change the parameters of the clusterer, on hard data neither.

    Data: blobs; two distinct rows, each 15 times, three clusters. Tolerance: none.
    """
    two_rows = np.repeat([[3.0, 3.0], [6.0, 3.0]], 15, axis=0)
    for X, what in ((subject.blobs, "blobs"), (two_rows, "two distinct rows")):
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


# Objects at the border of two clusters may fall on either side.
_WEIGHTED = 0.8


@check("built_in")
def check_order_of_objects(subject: Subject, blobs: Array) -> None:
    """The order of the objects does not change separated clusters.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99, for one of five values of
    ``random_state``.
    """
    _require_order(subject, blobs, "the objects in another order", at_least=0.99)


@check(promise="order")
def check_order_of_overlapping_objects(subject: Subject, overlapping: Array) -> None:
    """The order of the objects does not change any cluster.

    Data: overlapping groups. Tolerance: none, up to the names of the clusters, for one of five
    values of ``random_state``.
    """
    _require_order(subject, overlapping, "overlapping objects in another order", at_least=1.0)


def _require_order(subject: Subject, X: FloatArray, what: str, at_least: float) -> None:
    order = np.random.default_rng(1).permutation(len(X))
    _require_found(subject, X[order], subject.labels(X)[order], what, at_least)


@check("numbers")
def check_order_of_features(subject: Subject) -> None:
    """The order of the features does not change separated clusters.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99.
    """
    _require_invariant(subject, lambda X: X[:, ::-1].copy(), "the features in another order")


def _require_invariant(
    subject: Subject, change: Callable[[FloatArray], FloatArray], what: str
) -> None:
    X, _ = subject.labeled_blobs()
    _require_found(subject, change(X), subject.fitted_blobs.labels, what)


@check()
def check_duplicated_rows_stay_together(subject: Subject, overlapping: Array) -> None:
    """Rows that are equal get the same label.

    Data: overlapping groups, each object twice. Tolerance: none.
    """
    first, second = np.split(subject.labels(np.vstack([overlapping, overlapping])), 2)
    apart = np.flatnonzero(first != second).tolist()
    at = next(iter(apart), 0)
    require(
        not apart,
        f"equal rows must have the same label, got others for {len(apart)} of {len(first)} pairs; "
        f"the first is row {at} and row {at + len(first)}",
    )


@check("weights", "numbers")
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


@check("weights", "built_in")
def check_weight_of_zero_is_no_row(subject: Subject, blobs: Array) -> None:
    """Objects of weight zero do not change the clusters of the others.

    Data: blobs, and six objects of weight zero far away, two and two together. Tolerance: adjusted
    Rand index of at least 0.99 for the blobs.
    """
    far = np.repeat([[30.0, 3.0], [3.0, 30.0], [30.0, 30.0]], 2, axis=0)
    weights = np.repeat([1.0, 0.0], [len(blobs), len(far)])
    found = subject.labels(np.vstack([blobs, far]), sample_weight=weights)[: len(blobs)]
    require_same_partition(subject.fitted_blobs.labels, found, "blobs with objects of no weight")


@check("numbers", promise="shift")
def check_shift(subject: Subject) -> None:
    """A constant added to all features does not change separated clusters.

    Data: blobs, moved by 1000. Tolerance: adjusted Rand index of at least 0.99.
    """
    _require_invariant(subject, lambda X: X + 1000, "objects moved by 1000")


@check("numbers", promise="shift")
def check_far_from_zero(subject: Subject) -> None:
    """Far from zero, separated clusters are the same in float64.

    Data: blobs, moved by 2^20, about a million. Tolerance: adjusted Rand index of at least 0.99.
    """
    _require_invariant(subject, lambda X: X + 2.0**20, "objects moved by a million")


@check("numbers", promise="scale")
def check_scale(subject: Subject) -> None:
    """A different unit of all features does not change separated clusters.

    Data: blobs, times 64. Tolerance: adjusted Rand index of at least 0.99.
    """
    _require_invariant(subject, lambda X: 64 * X, "objects times 64")


@check("numbers", promise="rotation")
def check_rotation(subject: Subject) -> None:
    """A rotation does not change separated clusters.

    Data: blobs, turned by 30 degrees around the origin. Tolerance: adjusted Rand index of at
    least 0.99.
    """
    c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
    _require_invariant(subject, lambda X: X @ np.array([[c, s], [-s, c]]), "rotated objects")


@check("fit_predict", "repeatable")
def check_fit_predict_returns_the_labels(
    subject: Subject, overlapping: Array, fitted: Fitted
) -> None:
    """``fit_predict`` returns the labels of ``fit``: ``labels_``, or ``predict`` for mixtures.

    Data: overlapping groups. Tolerance: none.
    """
    require_same_labels(fitted.labels, subject.fit_predict(overlapping), "fit_predict after fit")


@check("fit_predict", "weights", "repeatable")
def check_fit_predict_takes_weights(subject: Subject, overlapping: Array) -> None:
    """``fit_predict`` with ``sample_weight`` returns the labels of ``fit`` with these weights.

    Data: overlapping groups, weights of 1 and 8. Tolerance: none.
    """
    weights = np.where(np.arange(len(overlapping)) % 3, 1.0, 8.0)
    require_same_labels(
        subject.fit(overlapping, sample_weight=weights).labels,
        subject.fit_predict(overlapping, sample_weight=weights),
        "fit_predict with weights after fit with weights",
    )


@check()
def check_labels_are_integers(subject: Subject, fitted_blobs: Fitted) -> None:
    """There is one label for each object, of an integer type.

    Data: blobs. Tolerance: none.
    """
    found = {"labels": fitted_blobs.labels}
    if subject.has("predict"):
        found["labels of predict"] = fitted_blobs.predict(fitted_blobs.X)
    for what, labels in found.items():
        shape = (len(fitted_blobs.X),)
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


@check("n_clusters", "built_in")
def check_n_clusters_is_kept(subject: Subject) -> None:
    """There are as many clusters as requested.

    Data: 2, 3 and 4 blobs, as many clusters. Tolerance: none.
    """
    for n_clusters in (2, 3, 4):
        X, _ = subject.labeled_blobs(n_clusters)
        _require_n_clusters(subject, subject.labels(X, n_clusters), n_clusters)


@check("n_clusters", "built_in")
def check_one_cluster_and_one_for_each_object(subject: Subject) -> None:
    """One cluster has all objects, and as many clusters as objects one each, or a clear error.

    Data: blobs, one cluster; one object of each of four blobs, four clusters. Tolerance: one of
    thirty values of ``random_state``, as batches may leave out objects; components of a mixture may
    remain empty.
    """
    X, y = subject.labeled_blobs(4)
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


def _require_n_clusters(subject: Subject, labels: Array, n_clusters: int) -> None:
    found = n_clusters_of(labels)
    require(
        found == n_clusters,
        f"{subject.param_name}={n_clusters} must give {n_clusters} clusters, got {found}",
    )


@check("n_clusters", "built_in")
def check_n_clusters_of_numpy(subject: Subject, blobs: Array) -> None:
    """An integer of NumPy is a number of clusters like one of Python.

    Data: blobs, ``numpy.int64(3)`` clusters. Tolerance: adjusted Rand index of at least 0.99.
    """
    found = subject.labels(blobs, np.int64(3))  # type: ignore[arg-type]
    require_same_partition(subject.fitted_blobs.labels, found, "numpy.int64(3) and 3 clusters")


@check("n_clusters", "built_in")
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


def _centers(fitted: Fitted) -> Array:
    centers = np.asarray(_attribute(fitted, "cluster_centers_"), dtype=float)
    if hasattr(fitted.estimator, "named_steps") or centers.shape[1:] != fitted.X.shape[1:]:
        msg = "cluster_centers_ is of other features than X"
        raise NotApplicable(msg)
    return centers


def _squared_distances(X: Array, centers: Array) -> Array:
    return ((X[:, np.newaxis] - centers) ** 2).sum(axis=2)


@check("numbers")
def check_centers_belong_to_the_labels(subject: Subject, fitted_blobs: Fitted) -> None:
    """Row j of ``cluster_centers_`` is the center of the objects with label j.

    Data: blobs. Tolerance: none: of separated clusters, each object is nearest to its own center.
    """
    centers = _centers(fitted_blobs)
    require(len(centers) > 0, "cluster_centers_ must have a row for each cluster, got none")
    labels = fitted_blobs.labels
    nearest = _squared_distances(fitted_blobs.X, centers).argmin(axis=1)
    require_same_labels(labels[labels >= 0], nearest[labels >= 0], "the nearest centers")


@check("numbers", promise="means")
def check_centers_are_means(subject: Subject, fitted: Fitted) -> None:
    """The centers are the means of their objects.

    Data: overlapping groups. Tolerance: 5 % of the standard deviation of the data, since the last
    step may move some objects.
    """
    centers, labels = _centers(fitted), fitted.labels
    means = np.array([fitted.X[labels == label].mean(axis=0) for label in range(len(centers))])
    off = float(abs(means - centers).max() / fitted.X.std())
    require(off <= _OF_MEANS, f"centers must be means of their objects, got one {off:.2g} sd away")


@check("numbers")
def check_inertia_is_that_of_the_labels(subject: Subject, fitted: Fitted) -> None:
    """``inertia_`` is the sum of squared distances of the objects to the centers of their labels.

    Data: overlapping groups. Tolerance: one in a million.
    """
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
    n_iter = np.asarray(_attribute(subject.fitted, "n_iter_"))
    require(
        n_iter.ndim == 0 and n_iter.dtype.kind in "iu" and bool(n_iter >= 1),
        f"n_iter_ must be a positive whole number, got {shortened(n_iter)}",
    )


@check()
def check_probabilities_are_strengths(subject: Subject, overlapping: Array) -> None:
    """``probabilities_`` are in [0, 1], also for equal rows, and 0 for noise.

    Data: overlapping groups with ten copies of eight objects. Tolerance: 1e-6.
    """
    fitted = subject.fit(np.vstack([overlapping, *[overlapping[:8]] * 10]))
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
