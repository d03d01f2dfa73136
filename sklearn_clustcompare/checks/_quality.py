"""Checks of the clusters found, of prediction, of randomness, and of the cost."""

from __future__ import annotations

import contextlib
import itertools
import pickle
import random
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from operator import methodcaller
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.preprocessing import scale

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray
from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._table import count
from sklearn_clustcompare.checks._gates import assert_clustering
from sklearn_clustcompare.checks._record import (
    FOUND,
    N_STARTS,
    Check,
    Fitted,
    NotApplicable,
    OwnData,
    Subject,
    check,
    import_pandas,
    large_blobs,
    many_blobs,
    require,
    require_of_one,
    require_same_labels,
    require_same_partition,
)
from sklearn_clustcompare.indices._judged import Chosen
from sklearn_clustcompare.metrics import adjusted_rand_score

_N_RUNS = 3
# Four times the objects: 16 times the memory if all pairs are kept. Twice that exceeds noise.
_MOST_GROWTH = 32.0
_OF_MANY = 0.998


@check("built_in")
def check_separated_blobs_are_found(subject: Subject) -> None:
    """Well separated clusters are found.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99.
    """
    _, y = subject.labeled_blobs()
    require_same_partition(y, subject.fitted_blobs.labels, "blobs and what is found", FOUND)


@check("built_in")
def check_many_objects(subject: Subject) -> None:
    """Many objects are clustered as few are, also across the borders of blocks.

    Data: three blobs of 600 and of 1,500 objects together. Tolerance: adjusted Rand index of at
    least 0.998, about one object, for one of five values of ``random_state``, and none between
    ``predict`` and the labels.
    """
    for n_objects in (600, 1500):
        X, y = large_blobs(n_objects), np.arange(n_objects) % 3
        fitted = subject.fit(X)
        if subject.has("predict"):
            what = f"predict of {n_objects} fitted objects"
            require_same_labels(fitted.labels, fitted.predict(X), what)

        def claim(labels: Array, y: IntArray = y) -> None:
            what = f"blobs of {len(y)} objects and what is found"
            require_same_partition(y, labels, what, _OF_MANY)

        others = (subject.labels(X, random_state=seed) for seed in subject.seeds(N_STARTS))
        require_of_one(itertools.chain([fitted.labels], others), claim)


@check("n_init", "n_clusters", "random_state", "numbers")
def check_more_starts_are_not_worse(subject: Subject) -> None:
    """Twenty starts are not worse than one, by what the clusterer itself optimizes.

    Of several starts the best is kept. Data: twelve blobs, of which one start seldom finds all, for
    a clusterer that has ``inertia_`` or ``lower_bound_``. Tolerance: the mean of five values of
    ``random_state`` with one start, and 1e-6 of it for rounding, for one of five values.
    """
    X = many_blobs()
    seeds = subject.seeds(N_STARTS)
    mean = float(np.mean([_loss(subject, X, 1, seed) for seed in seeds]))

    def claim(several: float) -> None:
        require(
            several <= mean + 1e-6 * abs(mean),
            f"n_init=20 must not be worse than n_init=1, got a loss of {several:.6g} for "
            f"{mean:.6g}, the mean of single starts: inertia_, or minus lower_bound_",
        )

    require_of_one((_loss(subject, X, 20, seed) for seed in seeds), claim)


def _loss(subject: Subject, X: FloatArray, n_init: int, seed: int) -> float:
    """Return what the clusterer minimizes, with a number of starts."""
    estimator = subject.make(12, seed, n_init=n_init)
    fitted = subject.fit(X, estimator=estimator).estimator
    for name, sign in (("inertia_", 1), ("lower_bound_", -1)):
        if hasattr(fitted, name):
            return sign * float(getattr(fitted, name))
    msg = "the fitted clusterer has neither inertia_ nor lower_bound_"
    raise NotApplicable(msg)


@check("n_clusters", "numbers", promise="compact")
def check_floor_on_iris(subject: Subject) -> None:
    """The species of iris are found from their petals.

    Data: iris, petal length and width. Tolerance: adjusted Rand index of at least 0.75, the median
    of three values of ``random_state``; k-means has 0.85 or 0.89.
    """
    X, y = load_iris(return_X_y=True)
    _require_floor(subject, X[:, 2:].copy(), y, floor=0.75, name="iris")


@check("n_clusters", "numbers", promise="compact")
def check_floor_on_wine(subject: Subject) -> None:
    """The cultivars of wine are found from standardized features.

    Data: wine, standardized. Tolerance: adjusted Rand index of at least 0.75, the median of three
    values of ``random_state``; k-means has 0.85 to 0.92 in 199 of 200 runs.
    """
    X, y = load_wine(return_X_y=True)
    _require_floor(subject, scale(X), y, floor=0.75, name="wine")


@check("n_clusters", "numbers", promise="compact")
def check_floor_on_breast_cancer(subject: Subject) -> None:
    """Benign and malignant tumors are separated by standardized features.

    Data: breast cancer, standardized. Tolerance: adjusted Rand index of at least 0.5, the median
    of three values of ``random_state``; k-means has 0.65 to 0.68.
    """
    X, y = load_breast_cancer(return_X_y=True)
    _require_floor(subject, scale(X), y, floor=0.5, name="breast cancer")


def _require_floor(subject: Subject, X: FloatArray, y: IntArray, floor: float, name: str) -> None:
    runs = _runs(subject, X, len(np.unique(y)))
    scores = [adjusted_rand_score(y, labels) for labels in runs]
    median = float(np.median(scores))
    require(
        median >= floor,
        f"adjusted_rand_score on {name} must be at least {floor:g}, got {median:.3f} "
        f"(median of {', '.join(f'{score:.3f}' for score in scores)})",
    )


def _runs(subject: Subject, X: Any, n_clusters: int) -> list[Array]:
    """Return the labels of three seeds, or of one fit where there is no seed."""
    seeds = subject.seeds(_N_RUNS)
    return [subject.labels(X, n_clusters, random_state=seed) for seed in seeds]


def limits_of_own_data(subject: Subject) -> list[Check]:
    """Return a check for each data set of the user that has limits."""
    return [_limits_on(own) for own in subject.own if own.limits]


def _limits_on(own: OwnData) -> Check:
    def body(subject: Subject) -> None:
        mine = subject.on_own(own)
        rows, y = mine.labeled_blobs()
        runs = _runs(mine, rows, len(np.unique(y)))
        for name, limit in own.limits.items():
            index = Chosen.of(name, with_data=False)
            values = [index.value(count(y, labels, moments=True)) for labels in runs]
            middle = runs[int(np.argsort(values)[len(values) // 2])]
            limits: dict[str, Any] = {name: limit}
            assert_clustering(y, middle, **limits)

    body.__name__ = f"check_limits_on_{own.name}"
    body.__doc__ = (
        f"The clusters of {own.name} keep the limits of "
        f"{', '.join(f'{name} ({limit:g})' for name, limit in own.limits.items())}.\n\n"
        "Data: your own. Tolerance: the median of three values of ``random_state``."
    )
    return Check(body, (), None)


@check("main_thread", "numbers")
def check_memory_growth(subject: Subject) -> None:
    """Memory grows at most with the square of the number of objects.

    Data: three blobs of 100 and of 400 objects together. Tolerance: the peak that Python traces
    grows by a factor of at most 32, where a square would be 16.
    """
    few, many = (_peak_bytes(subject, n_samples) for n_samples in (100, 400))
    require(
        many <= _MOST_GROWTH * few,
        f"four times the objects must take at most {_MOST_GROWTH:g} times the memory, "
        f"got {many / few:.0f} times ({few} and {many} bytes)",
    )


def _peak_bytes(subject: Subject, n_samples: int) -> int:
    """Return the peak memory of a fit above that before it, as traced by Python."""
    X = large_blobs(n_samples)
    subject.fit(X)  # what the first fit imports and keeps does not count
    estimator = subject.make()
    was_tracing = tracemalloc.is_tracing()
    if not was_tracing:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        subject.fit(X, estimator=estimator)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        if not was_tracing:
            tracemalloc.stop()
    return max(peak - before, 1)


@check("repeatable")
def check_same_random_state_same_labels(
    subject: Subject, overlapping: Array, fitted: Fitted
) -> None:
    """With the same ``random_state`` a second copy finds the same labels.

    Data: overlapping groups. Tolerance: none.
    """
    require_same_labels(fitted.labels, subject.labels(overlapping), "a second copy")


@check()
def check_global_random_state_is_not_changed(subject: Subject, overlapping: Array) -> None:
    """Fitting with ``random_state`` set leaves the global generators as they were.

    The generators are those of NumPy and of Python's ``random``. Data: overlapping groups.
    Tolerance: none.
    """
    with _global_state_kept():
        _set_global_seed(1729)  # a global generator that the clusterer does not set
        before = _global_state()
        subject.labels(overlapping)
        require(
            before == _global_state(),
            "fit must not change the global random state where random_state is set",
        )


@check("repeatable")
def check_global_random_state_is_not_read(subject: Subject, overlapping: Array) -> None:
    """The labels do not depend on the global generators if ``random_state`` is set.

    The generators are those of NumPy and of Python's ``random``. Data: overlapping groups.
    Tolerance: none.
    """
    with _global_state_kept():
        _set_global_seed(1)
        first = subject.labels(overlapping)
        _set_global_seed(2)
        second = subject.labels(overlapping)
    require_same_labels(first, second, "a fit after another global seed")


@check("random_state", "built_in")
def check_different_starts_agree(subject: Subject, blobs: Array) -> None:
    """Most of five values of ``random_state`` lead to the same separated clusters.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99 with a good start, for three.
    """
    expected = subject.fitted_blobs.labels
    found = [subject.labels(blobs, random_state=seed) for seed in subject.seeds(N_STARTS)]
    n_same = sum(adjusted_rand_score(expected, labels) >= FOUND for labels in found)
    require(
        n_same > N_STARTS / 2,
        f"most values of random_state must lead to the same clusters, got them for {n_same} of "
        f"{N_STARTS}",
    )


@check("random_state")
def check_random_state_instance_advances(subject: Subject, overlapping: Array) -> None:
    """A ``RandomState`` that is passed is used itself, so that a second fit goes on with it.

    Data: overlapping groups. It must have advanced after the fit, unless five seeds find the same
    labels, so that it need not be used. Tolerance: none.
    """
    instance = np.random.RandomState(subject.random_state)  # noqa: NPY002
    before = instance.get_state(legacy=False)
    subject.labels(overlapping, random_state=instance)
    if repr(before) == repr(instance.get_state(legacy=False)):
        seeds = subject.seeds(N_STARTS)
        found = {tuple(subject.labels(overlapping, random_state=seed).tolist()) for seed in seeds}
        require(
            len(found) == 1,
            "fit must draw from the RandomState that is passed, got one as it was before, and "
            "other labels with other seeds",
        )


@check("n_jobs", "repeatable")
def check_n_jobs_does_not_change_labels(subject: Subject, overlapping: Array) -> None:
    """The labels do not depend on ``n_jobs``.

    Data: overlapping groups, ``n_jobs`` of 1 and 2. Tolerance: none.
    """
    one, two = (subject.fit(overlapping, estimator=subject.make(n_jobs=n)).labels for n in (1, 2))
    require_same_labels(one, two, "n_jobs=2 and n_jobs=1")


def _set_global_seed(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002


def _global_state() -> tuple[Any, ...]:
    kind, keys, *others = np.random.get_state()  # noqa: NPY002
    return kind, np.asarray(keys).tolist(), *others, random.getstate()


@contextmanager
def _global_state_kept() -> Iterator[None]:
    ours, pythons = np.random.get_state(), random.getstate()  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(ours)  # noqa: NPY002
        random.setstate(pythons)


# Sums of memberships differ from 1 by rounding, also in float32.
_ROUNDING = 1e-6


@check("predict")
def check_predict_on_the_fitted_objects(subject: Subject, fitted: Fitted) -> None:
    """``predict`` returns the labels of the fit for the objects that were fitted.

    Data: overlapping groups. Tolerance: none.
    """
    require_same_labels(fitted.labels, fitted.predict(fitted.X), "predict after fit")


@check("predict")
def check_predict_one_at_a_time(subject: Subject, fitted: Fitted) -> None:
    """``predict`` of one object does not depend on the others in the call.

    Data: overlapping groups, 30 of the objects one at a time. Tolerance: none.
    """
    X = fitted.X[:30]
    single = np.concatenate([fitted.predict(X[i : i + 1]) for i in range(len(X))])
    require_same_labels(fitted.predict(X), single, "predict one at a time")


@check("predict", "built_in")
def check_predict_new_and_far_objects(subject: Subject, blobs: Array, fitted_blobs: Fitted) -> None:
    """``predict`` gives new and far objects labels of the fit, or -1 if a fit of them does.

    Data: fitted to blobs; new objects between them, and 50 and 1000 standard deviations of a blob
    away. Tolerance: none.
    """
    new = np.array([[4.5, 4.0], [4.5, 3.0], [13.0, 3.0], [13.0, 13.0], [203.0, 203.0]])
    labels = fitted_blobs.predict(new)
    known = set(fitted_blobs.labels.tolist())
    if set(labels.tolist()) - known == {-1}:
        beside = subject.labels(np.vstack([blobs, new]))[len(blobs) :]
        known |= {-1} if (beside[labels == -1] == -1).all() else set()
    strange = sorted(set(labels.tolist()) - known)
    require(
        not strange,
        f"predict of new objects must give labels of the fit, {sorted(known)}, got {strange}",
    )


@check("predict", "numbers")
def check_predict_of_another_type(subject: Subject, blobs: Array) -> None:
    """After a fit of float64 ``predict`` finds the same in float32, and the reverse, or raises.

    Data: blobs. Tolerance: none; a ValueError or TypeError passes.
    """
    for fitted_type, type_ in ((np.float64, np.float32), (np.float32, np.float64)):
        fitted = subject.fit(blobs.astype(fitted_type))
        what = f"predict of {type_.__name__} after a fit of {fitted_type.__name__}"
        with contextlib.suppress(ValueError, TypeError):
            require_same_labels(fitted.labels, fitted.predict(blobs.astype(type_)), what)


@check("predict", "numbers")
def check_input_may_change_after_the_fit(subject: Subject, overlapping: Array) -> None:
    """The fitted clusterer has no view of X: writing to X later changes no prediction.

    Data: overlapping groups. Tolerance: none.
    """
    given = overlapping.copy()
    fitted = subject.fit(given)
    fitted.X = overlapping
    labels, predicted = fitted.labels.copy(), fitted.predict(overlapping)
    given[:] = given[::-1] + 7
    require_same_labels(labels, fitted.labels, "labels after X was written to")
    require_same_labels(predicted, fitted.predict(overlapping), "predict after X was written to")


@check("predict", "numbers")
def check_failed_fit_leaves_nothing(subject: Subject, blobs: Array) -> None:
    """After a fit that raises, ``predict`` raises, or predicts as before.

    Data: blobs with a missing value, and two objects in three clusters; new and after a fit of
    blobs. Tolerance: none.
    """
    missing = blobs.copy()
    missing[7, 1] = np.nan
    for bad, what in ((missing, "a missing value"), (blobs[:2], "two objects")):
        for estimator, was_fitted in (
            (subject.make(), False),
            (subject.fit(blobs).estimator, True),
        ):
            before = estimator.predict(blobs) if was_fitted else None
            try:
                subject.fit(bad, estimator=estimator)
            except Exception:  # noqa: BLE001 another check asks for a clear one
                predicted = _predicted(estimator, blobs)
                if predicted is not None:
                    require(was_fitted, f"predict must raise after a failed first fit of {what}")
                    what = f"predict after a failed fit of {what}"
                    require_same_labels(np.asarray(before), predicted, what)


def _predicted(estimator: Any, X: Any) -> Any:
    try:
        return np.asarray(estimator.predict(X))
    except Exception:  # noqa: BLE001 as it should
        return None


@check("repeatable", "numbers")
def check_second_fit_forgets_the_first(subject: Subject, overlapping: Array) -> None:
    """A second fit to other data finds the same as a fit of a new copy.

    Data: blobs, then overlapping groups. Tolerance: none.
    """
    again = subject.fit(overlapping, estimator=subject.fit(subject.blobs).estimator)
    require_same_labels(subject.fitted.labels, again.labels, "a second fit")


@check("n_clusters", "repeatable", "built_in")
def check_fit_after_set_params(subject: Subject, blobs: Array) -> None:
    """A fit after ``set_params`` finds the same as a fit of a new copy with these parameters.

    Data: blobs, three clusters, then two. Tolerance: none.
    """
    estimator = subject.fit(blobs).estimator.set_params(**{str(subject.param_name): 2})
    again = subject.fit(blobs, estimator=estimator)
    require_same_labels(subject.labels(blobs, 2), again.labels, "a fit after set_params")


@check()
def check_pickle_keeps_the_labels(subject: Subject, fitted: Fitted) -> None:
    """A pickled copy of a fitted clusterer has the same labels and predicts the same.

    Data: overlapping groups. Tolerance: none.
    """
    copy = Fitted(subject, pickle.loads(pickle.dumps(fitted.estimator)), fitted.X)  # written here
    require_same_labels(fitted.labels, copy.labels, "a pickled copy")
    if subject.has("predict"):
        require_same_labels(
            fitted.predict(fitted.X), copy.predict(fitted.X), "predict of a pickled copy"
        )


@check("predict")
def check_another_process_predicts_the_same(subject: Subject, fitted: Fitted) -> None:
    """A pickled copy of a fitted clusterer predicts the same in another process.

    Data: overlapping groups. Tolerance: none.
    """
    shown = subject.show(fitted.X)
    keywords = subject.keywords(fitted.estimator.predict, shown)
    # Nothing of this package, which would take longer to import there than all checks.
    predict = methodcaller("predict", shown, **keywords)
    (there,) = Parallel(n_jobs=2, backend="loky")([delayed(predict)(fitted.estimator)])
    require_same_labels(fitted.predict(fitted.X), np.asarray(there), "predict in another process")


@check("repeatable")
def check_clone_finds_the_same(subject: Subject, overlapping: Array) -> None:
    """The parameters are complete: a clone finds the same as the object itself.

    Data: overlapping groups. Tolerance: none.
    """
    original = subject.copy_all()
    cloned = subject.fit(overlapping, estimator=clone(original))
    require_same_labels(
        subject.fit(overlapping, estimator=original).labels,
        cloned.labels,
        "a clone of the estimator",
    )


@check("predict_proba")
def check_memberships_sum_to_one(subject: Subject, fitted: Fitted) -> None:
    """The rows of ``predict_proba`` are non-negative and sum to 1.

    Data: overlapping groups. Tolerance: 1e-6.
    """
    memberships = fitted.call("predict_proba", fitted.X)
    require(
        memberships.ndim == 2 and len(memberships) == len(fitted.X),
        f"predict_proba must have a row for each of {len(fitted.X)} objects, "
        f"got {memberships.shape}",
    )
    lowest = float(memberships.min())
    require(lowest >= -_ROUNDING, f"memberships must not be negative, got {lowest:g}")
    sums = memberships.sum(axis=1)
    worst = int(abs(sums - 1).argmax())
    require(
        abs(sums[worst] - 1) <= _ROUNDING,
        f"memberships of an object must sum to 1, got {sums[worst]:g} in row {worst}",
    )


@check("predict", "predict_proba")
def check_largest_membership_is_predicted(subject: Subject, fitted: Fitted) -> None:
    """``predict`` returns the column of the largest membership.

    Data: overlapping groups. Tolerance: memberships within 1e-6 of the largest count as largest.
    """
    memberships, labels = fitted.call("predict_proba", fitted.X), fitted.predict(fitted.X)
    largest = memberships.max(axis=1)
    below = np.flatnonzero(memberships[np.arange(len(labels)), labels] < largest - _ROUNDING)
    require(
        len(below) == 0,
        f"predict must name the largest membership, got another one for {len(below)} of "
        f"{len(labels)} objects",
    )


@check("predict", "numbers")
def check_feature_names_are_kept(subject: Subject, blobs: Array) -> None:
    """Columns in another order than in the fit raise an error, or give the same labels.

    Data: blobs as a DataFrame, then with its columns in the other order. Skipped without pandas.
    Tolerance: none.
    """
    pd = import_pandas()
    frame = pd.DataFrame(blobs, columns=["x", "y"])
    estimator = subject.make().fit(frame)
    labels = np.asarray(estimator.predict(frame))
    try:
        swapped = np.asarray(estimator.predict(frame[["y", "x"]]))
    except (ValueError, TypeError, KeyError):
        return
    require_same_labels(labels, swapped, "predict of columns in another order")


@check("transform", "repeatable", "numbers")
def check_fit_transform_is_transform_after_fit(subject: Subject, fitted: Fitted) -> None:
    """``fit_transform`` returns what ``transform`` returns after ``fit``, a row for each object.

    Data: overlapping groups. Tolerance: 1e-6.
    """
    after = fitted.call("transform", fitted.X)
    at_once = np.asarray(subject.make().fit_transform(fitted.X))
    require(
        len(after) == len(fitted.X) and after.shape == at_once.shape,
        f"transform and fit_transform must have a row for each of {len(fitted.X)} objects, and "
        f"equal shapes, got {after.shape} and {at_once.shape}",
    )
    off = float(abs(after - at_once).max())
    require(
        off <= _ROUNDING * abs(after).max(), f"fit_transform must be transform, got {off:g} off"
    )


@check("transform", "set_output", "numbers")
def check_set_output_changes_the_form_only(subject: Subject, blobs: Array) -> None:
    """After ``set_output(transform="pandas")`` a DataFrame has the same numbers.

    Data: blobs. Skipped without pandas. Tolerance: 1e-6.
    """
    pd = import_pandas()
    estimator = subject.fit(blobs).estimator
    expected = np.asarray(estimator.transform(blobs))
    got = estimator.set_output(transform="pandas").transform(blobs)
    require(isinstance(got, pd.DataFrame), f"transform must give a DataFrame, got {type(got)}")
    off = float(abs(np.asarray(got) - expected).max()) if got.shape == expected.shape else np.inf
    require(
        off <= _ROUNDING * abs(expected).max(), f"its numbers must be the same, got {off:g} off"
    )


@check("score", "numbers")
def check_score_is_a_number(subject: Subject, fitted: Fitted) -> None:
    """``score`` is a finite number, and does not depend on the order of the objects.

    Data: overlapping groups, in their order and reversed. Tolerance: one in a million.
    """
    score, reverse = (fitted.estimator.score(X) for X in (fitted.X, fitted.X[::-1].copy()))
    require(
        np.ndim(score) == 0 and bool(np.isfinite(score)),
        f"score must be a finite number, got {shortened(score)}",
    )
    require(
        abs(score - reverse) <= _ROUNDING * abs(score),
        f"score must not depend on the order of the objects, got {score:.6g} and {reverse:.6g}",
    )
