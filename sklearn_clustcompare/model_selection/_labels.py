"""Labels of the objects to score: predicted, found in fitting, or from a new fit."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.pipeline import Pipeline

from sklearn_clustcompare._clusterers import last_step, pairs_given, pairs_taken, read_pairs
from sklearn_clustcompare._data import caution, check_data, is_far, nearest_centers, to_fit
from sklearn_clustcompare._partition.devices import device_error, is_on_device
from sklearn_clustcompare._partition.memberships import is_membership_array
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices import INTERNAL_INDICES, Index, get_index
from sklearn_clustcompare.indices._judged import rows_of

# Share of the objects that have to be predicted into the cluster of their largest membership.
_MOST = 0.9

# Halving searches draw the objects to fit and to score.
_AS_FITTED = "the objects fitted (also in a halving search, by an int as its random_state)"

# Attributes in which some clusterers keep objects they were fitted to: positions and rows.
_KEPT_ROWS = (
    ("core_sample_indices_", "components_"),
    ("cluster_centers_indices_", "cluster_centers_"),
)


class Found(NamedTuple):
    """Labels or memberships, the estimator that found them, and the data it was given."""

    labels: Any
    estimator: Any
    X: Any


def parameters_of_space(
    index: Index, parameters: Mapping[str, Any], pairs: str | None
) -> dict[str, Any]:
    """Return parameters of an index of the data for a space of pairs of objects, or features.

    Distances are taken as such unless another metric is given, which takes their rows for features.
    Raise ValueError where an index cannot be computed of what a clusterer takes.
    """
    given = dict(parameters)
    if index.needs_graph:
        if pairs == "distances":
            msg = (
                f"{index.name} must be computed of the edges of a graph or of similarities, got "
                "the distances between objects that the clusterer takes"
            )
            raise ValueError(msg)
        return given
    is_known = INTERNAL_INDICES.get(index.name) is index
    if pairs is None or not is_known or given.get("metric", "precomputed") != "precomputed":
        return given
    if "metric" in index.parameters and pairs == "distances":
        return given | {"metric": "precomputed"}
    needs = "distances" if "metric" in index.parameters else "features of the objects"
    msg = (
        f"{index.name} must be computed of {needs}, got the {pairs} between objects that the "
        "clusterer takes"
    )
    raise ValueError(msg)


def find_labels(estimator: Any, X: Any, response: str) -> Found:
    if X is None:
        check_data(X)
    try:
        if response == "auto":
            return _predicted_labels(estimator, X)
        return Found(_named_response(estimator, X, response), estimator, X)
    except Exception as error:
        # Some estimators of scikit-learn take arrays on a device.
        if is_on_device(X):
            raise device_error(X) from error
        raise


def _named_response(estimator: Any, X: Any, response: str) -> Any:
    if response != "labels_" and callable(getattr(estimator, response, None)):
        return getattr(estimator, response)(to_fit(X))
    if _is_wrapper(estimator):
        return _named_response(*_step_inside(estimator, X), response)
    return _fitted_labels(estimator, X, response)


def innermost_data(found: Found) -> Any:
    """Return the data that the clusterer in pipelines and searches gets."""
    estimator, X = found.estimator, found.X
    while _is_wrapper(estimator):
        estimator, X = _step_inside(estimator, X)
    return X


def space_fitted(estimator: Any, X: Any) -> Any:
    """Return the data that the clusterer in pipelines was fitted to; warn if it may lose digits.

    k-means subtracts the means of dense data itself.
    """
    model, space = innermost(estimator), innermost_data(Found(None, estimator, X))
    if pairs_taken(model) is None:
        caution(model, space, subtracts_means=type(model) is KMeans and not issparse(space))
    return space


def innermost(estimator: Any) -> Any:
    """Return the clusterer in pipelines and searches."""
    while _is_wrapper(estimator):
        is_pipeline = isinstance(estimator, Pipeline)
        estimator = estimator[-1] if is_pipeline else estimator.best_estimator_
    return estimator


def _is_wrapper(estimator: Any) -> bool:
    return isinstance(estimator, Pipeline) or hasattr(estimator, "best_estimator_")


def _step_inside(estimator: Any, X: Any) -> tuple[Any, Any]:
    if isinstance(estimator, Pipeline):
        # One without steps does not transform.
        return estimator[-1], estimator[:-1].transform(to_fit(X)) if len(estimator) > 1 else X
    return estimator.best_estimator_, X


def _predicted_labels(estimator: Any, X: Any) -> Found:
    if hasattr(estimator, "predict"):
        return Found(predicted(estimator, X), estimator, X)
    if hasattr(estimator, "fit_predict"):
        if (pairs := pairs_given(estimator, X)) is not None:
            X = read_pairs(X, pairs)
        fresh = clone(estimator)
        labels = fresh.fit_predict(to_fit(X))
        space_fitted(fresh, X)
        _warn_of_other_objects(estimator, labels)
        return Found(labels, fresh, X)
    if _is_wrapper(estimator):
        return _predicted_labels(*_step_inside(estimator, X))
    msg = (
        f"the estimator must have predict or fit_predict to be scored as a clusterer, "
        f"got {type(estimator).__name__}"
    )
    raise TypeError(msg)


def predicted(estimator: Any, X: Any) -> Any:
    """Return what a clusterer predicts, with a caution where it may lose digits of the data.

    k-means is fitted to data less their mean, but predicts by products of the features as they are:
    of data far from 0, objects get the nearest center by differences.
    """
    model, space = estimator, X
    while _is_wrapper(model):
        model, space = _step_inside(model, space)
    if hasattr(model, "fit") and pairs_taken(model) is None and is_far(space):
        if type(model) is KMeans and not issparse(space):
            return nearest_centers(space, model.cluster_centers_)
        caution(model, space)
    return estimator.predict(to_fit(X))


def _warn_of_other_objects(estimator: Any, labels: Any) -> None:
    """Warn if a clusterer that was fitted again to the objects scored was fitted to others."""
    estimator = last_step(estimator)
    fitted = getattr(estimator, "labels_", None)
    if fitted is None or _same_partition(fitted, labels):
        return
    name, n_fitted, n_scored = type(estimator).__name__, len(fitted), len(labels)
    if n_fitted == n_scored and _draws_at_random(estimator):
        return
    warnings.warn(
        f"{name} cannot predict, so that the {n_scored} objects that are scored are clustered "
        f"again, without the {n_fitted} fitted: parameters that depend on the number of objects, "
        "such as eps or min_samples, are chosen for samples of that size; use "
        f"cv=TransductiveSplit() to score {_AS_FITTED}",
        UserWarning,
        stacklevel=2,
    )


def _fitted_labels(estimator: Any, X: Any, response: str) -> Any:
    name = type(estimator).__name__
    if not hasattr(estimator, response):
        msg = f"response={response!r} needs a fitted estimator with {response}, got {name}"
        raise TypeError(msg)
    labels = _as_array(getattr(estimator, response))
    if labels.ndim not in (1, 2):
        msg = (
            f"response={response!r} must name labels or memberships of {name}, "
            f"got {type(getattr(estimator, response)).__name__}"
        )
        raise TypeError(msg)
    n_scored = X.shape[0] if hasattr(X, "shape") else len(X)
    n_fitted = labels.shape[0]
    if n_fitted != n_scored:
        reason = f"{name} was fitted to {n_fitted} objects, {n_scored} are scored"
    elif not _was_fitted_to(estimator, X, labels, response):
        reason = f"{name} was fitted to other objects than are scored"
        if _draws_at_random(estimator):
            reason += ", or finds other clusters in each fit (set its random_state to an int)"
    else:
        return labels
    msg = (
        f"response={response!r} must score the objects that were fitted, but {reason}: "
        f"use cv=TransductiveSplit() to score {_AS_FITTED}, or response='auto'"
    )
    raise ValueError(msg)


def _was_fitted_to(estimator: Any, X: Any, labels: NDArray[Any], response: str) -> bool:
    for positions, rows in _KEPT_ROWS:
        kept = np.asarray(getattr(estimator, positions, ()))
        if hasattr(estimator, rows) and len(kept):
            return _same_rows(X, kept, getattr(estimator, rows))
    if hasattr(estimator, "predict"):
        return _same_partition(labels, predicted(estimator, X))
    # Nothing else reveals it.
    fresh = clone(estimator).fit(to_fit(X))
    return _same_partition(labels, _as_array(getattr(fresh, response)))


def _as_array(labels: Any) -> Any:
    return labels if issparse(labels) else np.asarray(labels)


def _same_partition(first: Any, second: Any) -> bool:
    """Return whether two results have the same clusters, or largest memberships in them."""
    are_soft = is_membership_array(first) or is_membership_array(second)
    first, second = (
        np.asarray(one.argmax(axis=1)).ravel() if is_membership_array(one) else one
        for one in (first, second)
    )
    if len(first) != len(second):
        return False
    table = ContingencyTable.from_labels(first, second)
    # The last memberships of an iteration need not be quite those of its last centers.
    if are_soft:
        return get_index("matching_accuracy_score")(table) >= _MOST
    # The same labels as well, so that noise is not a cluster.
    return table.is_identity and set(table.row_labels) == set(table.col_labels)


def _draws_at_random(estimator: Any) -> bool:
    """Return whether another fit to the same objects may find other clusters."""
    return any(
        name.split("__")[-1] == "random_state" and not isinstance(value, int | np.integer)
        for name, value in estimator.get_params().items()
    )


def _same_rows(X: Any, positions: NDArray[np.intp], rows: Any) -> bool:
    taken = rows_of(X, positions)
    if issparse(taken):
        return bool((taken != rows).nnz == 0)
    return bool(np.array_equal(taken, rows))
