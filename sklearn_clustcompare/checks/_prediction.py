"""Checks of fitted clusterers: prediction, transformation, second fits and copies."""

from __future__ import annotations

import contextlib
import pickle
from operator import methodcaller
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone

from sklearn_clustcompare.checks._record import (
    BUILT_IN,
    N_CLUSTERS,
    NUMBERS,
    PREDICT,
    PREDICT_PROBA,
    REPEATABLE,
    SCORE,
    SET_OUTPUT,
    TRANSFORM,
    check,
    import_pandas,
    require,
    require_same_labels,
)
from sklearn_clustcompare.checks._subject import Fitted, Subject

# Sums of memberships differ from 1 by rounding, also in float32.
_ROUNDING = 1e-6


@check(PREDICT)
def check_predict_on_the_fitted_objects(subject: Subject) -> None:
    """``predict`` returns the labels of the fit for the objects that were fitted.

    Data: overlapping groups. Tolerance: none.
    """
    fitted = subject.fitted_overlapping
    require_same_labels(fitted.labels, fitted.predict(fitted.X), "predict after fit")


@check(PREDICT)
def check_predict_one_at_a_time(subject: Subject) -> None:
    """``predict`` of one object does not depend on the others in the call.

    Data: overlapping groups, 30 of the objects one at a time. Tolerance: none.
    """
    fitted = subject.fitted_overlapping
    X = fitted.X[:30]
    single = np.concatenate([fitted.predict(X[i : i + 1]) for i in range(len(X))])
    require_same_labels(fitted.predict(X), single, "predict one at a time")


@check(PREDICT, BUILT_IN)
def check_predict_new_and_far_objects(subject: Subject) -> None:
    """``predict`` gives new and far objects labels of the fit, or -1 if a fit of them does.

    Data: fitted to blobs; new objects between them, and 50 and 1000 standard deviations of a blob
    away. Tolerance: none.
    """
    X, _ = subject.blobs()
    fitted = subject.fitted_blobs
    new = np.array([[4.5, 4.0], [4.5, 3.0], [13.0, 3.0], [13.0, 13.0], [203.0, 203.0]])
    labels = fitted.predict(new)
    known = set(fitted.labels.tolist())
    if set(labels.tolist()) - known == {-1}:
        beside = subject.labels(np.vstack([X, new]))[len(X) :]
        known |= {-1} if (beside[labels == -1] == -1).all() else set()
    strange = sorted(set(labels.tolist()) - known)
    require(
        not strange,
        f"predict of new objects must give labels of the fit, {sorted(known)}, got {strange}",
    )


@check(PREDICT, NUMBERS)
def check_predict_of_another_type(subject: Subject) -> None:
    """After a fit of float64 ``predict`` finds the same in float32, and the reverse, or raises.

    Data: blobs. Tolerance: none; a ValueError or TypeError passes.
    """
    X, _ = subject.blobs()
    for fitted_type, type_ in ((np.float64, np.float32), (np.float32, np.float64)):
        fitted = subject.fit(X.astype(fitted_type))
        what = f"predict of {type_.__name__} after a fit of {fitted_type.__name__}"
        with contextlib.suppress(ValueError, TypeError):
            require_same_labels(fitted.labels, fitted.predict(X.astype(type_)), what)


@check(PREDICT, NUMBERS)
def check_input_may_change_after_the_fit(subject: Subject) -> None:
    """The fitted clusterer has no view of X: writing to X later changes no prediction.

    Data: overlapping groups. Tolerance: none.
    """
    X, _ = subject.overlapping()
    given = X.copy()
    fitted = subject.fit(given)
    fitted.X = X
    labels, predicted = fitted.labels.copy(), fitted.predict(X)
    given[:] = given[::-1] + 7
    require_same_labels(labels, fitted.labels, "labels after X was written to")
    require_same_labels(predicted, fitted.predict(X), "predict after X was written to")


@check(PREDICT, NUMBERS)
def check_failed_fit_leaves_nothing(subject: Subject) -> None:
    """After a fit that raises, ``predict`` raises, or predicts as before.

    Data: blobs with a missing value, and two objects in three clusters; new and after a fit of
    blobs. Tolerance: none.
    """
    X, _ = subject.blobs()
    missing = X.copy()
    missing[7, 1] = np.nan
    for bad, what in ((missing, "a missing value"), (X[:2], "two objects")):
        for estimator, was_fitted in ((subject.make(), False), (subject.fit(X).estimator, True)):
            before = estimator.predict(X) if was_fitted else None
            try:
                subject.fit(bad, estimator=estimator)
            except Exception:  # noqa: BLE001 another check asks for a clear one
                predicted = _predicted(estimator, X)
                if predicted is not None:
                    require(was_fitted, f"predict must raise after a failed first fit of {what}")
                    what = f"predict after a failed fit of {what}"
                    require_same_labels(np.asarray(before), predicted, what)


def _predicted(estimator: Any, X: Any) -> Any:
    try:
        return np.asarray(estimator.predict(X))
    except Exception:  # noqa: BLE001 as it should
        return None


@check(REPEATABLE, NUMBERS)
def check_second_fit_forgets_the_first(subject: Subject) -> None:
    """A second fit to other data finds the same as a fit of a new copy.

    Data: blobs, then overlapping groups. Tolerance: none.
    """
    X, _ = subject.overlapping()
    again = subject.fit(X, estimator=subject.fit(subject.blobs()[0]).estimator)
    require_same_labels(subject.fitted_overlapping.labels, again.labels, "a second fit")


@check(N_CLUSTERS, REPEATABLE, BUILT_IN)
def check_fit_after_set_params(subject: Subject) -> None:
    """A fit after ``set_params`` finds the same as a fit of a new copy with these parameters.

    Data: blobs, three clusters, then two. Tolerance: none.
    """
    X, _ = subject.blobs()
    estimator = subject.fit(X).estimator.set_params(**{str(subject.param_name): 2})
    again = subject.fit(X, estimator=estimator)
    require_same_labels(subject.labels(X, 2), again.labels, "a fit after set_params")


@check()
def check_pickle_keeps_the_labels(subject: Subject) -> None:
    """A pickled copy of a fitted clusterer has the same labels and predicts the same.

    Data: overlapping groups. Tolerance: none.
    """
    fitted = subject.fitted_overlapping
    copy = Fitted(subject, pickle.loads(pickle.dumps(fitted.estimator)), fitted.X)  # written here
    require_same_labels(fitted.labels, copy.labels, "a pickled copy")
    if subject.has("predict"):
        require_same_labels(
            fitted.predict(fitted.X), copy.predict(fitted.X), "predict of a pickled copy"
        )


@check(PREDICT)
def check_another_process_predicts_the_same(subject: Subject) -> None:
    """A pickled copy of a fitted clusterer predicts the same in another process.

    Data: overlapping groups. Tolerance: none.
    """
    fitted = subject.fitted_overlapping
    shown = subject.show(fitted.X)
    keywords = subject.keywords(fitted.estimator.predict, shown)
    # Nothing of this package, which would take longer to import there than all checks.
    predict = methodcaller("predict", shown, **keywords)
    (there,) = Parallel(n_jobs=2, backend="loky")([delayed(predict)(fitted.estimator)])
    require_same_labels(fitted.predict(fitted.X), np.asarray(there), "predict in another process")


@check(REPEATABLE)
def check_clone_finds_the_same(subject: Subject) -> None:
    """The parameters are complete: a clone finds the same as the object itself.

    Data: overlapping groups. Tolerance: none.
    """
    X, _ = subject.overlapping()
    original = subject.copy_all()
    cloned = subject.fit(X, estimator=clone(original))
    require_same_labels(
        subject.fit(X, estimator=original).labels, cloned.labels, "a clone of the estimator"
    )


@check(PREDICT_PROBA)
def check_memberships_sum_to_one(subject: Subject) -> None:
    """The rows of ``predict_proba`` are non-negative and sum to 1.

    Data: overlapping groups. Tolerance: 1e-6.
    """
    fitted = subject.fitted_overlapping
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


@check(PREDICT, PREDICT_PROBA)
def check_largest_membership_is_predicted(subject: Subject) -> None:
    """``predict`` returns the column of the largest membership.

    Data: overlapping groups. Tolerance: memberships within 1e-6 of the largest count as largest.
    """
    fitted = subject.fitted_overlapping
    memberships, labels = fitted.call("predict_proba", fitted.X), fitted.predict(fitted.X)
    largest = memberships.max(axis=1)
    below = np.flatnonzero(memberships[np.arange(len(labels)), labels] < largest - _ROUNDING)
    require(
        len(below) == 0,
        f"predict must name the largest membership, got another one for {len(below)} of "
        f"{len(labels)} objects",
    )


@check(PREDICT, NUMBERS)
def check_feature_names_are_kept(subject: Subject) -> None:
    """Columns in another order than in the fit raise an error, or give the same labels.

    Data: blobs as a DataFrame, then with its columns in the other order. Skipped without pandas.
    Tolerance: none.
    """
    pd = import_pandas()
    X, _ = subject.blobs()
    frame = pd.DataFrame(X, columns=["x", "y"])
    estimator = subject.make().fit(frame)
    labels = np.asarray(estimator.predict(frame))
    try:
        swapped = np.asarray(estimator.predict(frame[["y", "x"]]))
    except (ValueError, TypeError, KeyError):
        return
    require_same_labels(labels, swapped, "predict of columns in another order")


@check(TRANSFORM, REPEATABLE, NUMBERS)
def check_fit_transform_is_transform_after_fit(subject: Subject) -> None:
    """``fit_transform`` returns what ``transform`` returns after ``fit``, a row for each object.

    Data: overlapping groups. Tolerance: 1e-6.
    """
    fitted = subject.fitted_overlapping
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


@check(TRANSFORM, SET_OUTPUT, NUMBERS)
def check_set_output_changes_the_form_only(subject: Subject) -> None:
    """After ``set_output(transform="pandas")`` a DataFrame has the same numbers.

    Data: blobs. Skipped without pandas. Tolerance: 1e-6.
    """
    pd = import_pandas()
    X, _ = subject.blobs()
    estimator = subject.fit(X).estimator
    expected = np.asarray(estimator.transform(X))
    got = estimator.set_output(transform="pandas").transform(X)
    require(isinstance(got, pd.DataFrame), f"transform must give a DataFrame, got {type(got)}")
    off = float(abs(np.asarray(got) - expected).max()) if got.shape == expected.shape else np.inf
    require(
        off <= _ROUNDING * abs(expected).max(), f"its numbers must be the same, got {off:g} off"
    )


@check(SCORE, NUMBERS)
def check_score_is_a_number(subject: Subject) -> None:
    """``score`` is a finite number, and does not depend on the order of the objects.

    Data: overlapping groups, in their order and reversed. Tolerance: one in a million.
    """
    fitted = subject.fitted_overlapping
    score, reverse = (fitted.estimator.score(X) for X in (fitted.X, fitted.X[::-1].copy()))
    require(
        np.ndim(score) == 0 and bool(np.isfinite(score)),
        f"score must be a finite number, got {score!r:.80}",
    )
    require(
        abs(score - reverse) <= _ROUNDING * abs(score),
        f"score must not depend on the order of the objects, got {score:.6g} and {reverse:.6g}",
    )
