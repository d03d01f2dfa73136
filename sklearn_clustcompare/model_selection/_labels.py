"""Labels of the objects to score: predicted, found in fitting, or from a new fit."""

from __future__ import annotations

import math
from collections.abc import Mapping
from inspect import Parameter, signature
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.pipeline import Pipeline

from sklearn_clustcompare._clusterers import pairs_given, pairs_taken, read_pairs
from sklearn_clustcompare._data import caution, check_data, is_far, nearest_centers, to_fit
from sklearn_clustcompare._partition.arrays import device_error, is_on_device
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices import INTERNAL_INDICES, Index
from sklearn_clustcompare.indices._record import rows_of

# Halving searches draw the objects to fit and to score.
_WAYS_OUT = (
    "response='fit_predict' to cluster the objects that are scored again, or "
    "cv=TransductiveSplit() to score the objects fitted (also in a halving search, by an int as "
    "its random_state)"
)

# Attributes in which some clusterers keep objects they were fitted to: positions and rows.
_KEPT_ROWS = (
    ("core_sample_indices_", "components_"),
    ("cluster_centers_indices_", "cluster_centers_"),
)
# Distances of these rows from those scored, relative to their scatter: by rounding, and where the
# steps of a pipeline transform the objects of their fit in another way (NMF: up to 0.1).
_ROUNDING, _TRANSFORMED = 1e-6, 0.2
_BY_POSITION = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


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


def find_labels(estimator: Any, X: Any, y: Any, sample_weight: Any, response: str) -> Found:
    """Return the labels to score; raise ValueError if they are not those of the objects in X."""
    if X is None:
        check_data(X)
    try:
        if response == "auto" and hasattr(estimator, "predict"):
            return Found(predicted(estimator, X), estimator, X)
        if response not in ("auto", "fit_predict"):
            return Found(_named_response(estimator, X, response), estimator, X)
        if (pairs := pairs_given(estimator, X)) is not None:
            X = read_pairs(X, pairs)
        if response == "fit_predict":
            return _fresh_fit(estimator, X, y, sample_weight)
        return Found(_labels_of_fit(estimator, X, y, sample_weight), estimator, X)
    except Exception as error:
        # Some estimators of scikit-learn take arrays on a device.
        if is_on_device(X):
            raise device_error(X) from error
        raise


# --------------------------------------------------------------------------- steps inside


def innermost_data(found: Found) -> Any:
    """Return the data that the clusterer in pipelines and searches gets."""
    return _inside(found.estimator, found.X)[1]


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


def _inside(estimator: Any, X: Any, method: str = "") -> tuple[Any, Any]:
    """Return the first estimator with a method in pipelines and searches, and what it gets."""
    while _is_wrapper(estimator) and not callable(getattr(estimator, method, None)):
        if not isinstance(estimator, Pipeline):
            estimator = estimator.best_estimator_
        else:
            # One without steps does not transform.
            X = estimator[:-1].transform(to_fit(X)) if len(estimator) > 1 else X
            estimator = estimator[-1]
    return estimator, X


def _is_wrapper(estimator: Any) -> bool:
    return isinstance(estimator, Pipeline) or hasattr(estimator, "best_estimator_")


def predicted(estimator: Any, X: Any) -> Any:
    """Return what a clusterer predicts, with a caution where it may lose digits of the data.

    k-means is fitted to data less their mean, but predicts by products of the features as they are:
    of data far from 0, objects get the nearest center by differences.
    """
    model, space = _inside(estimator, X)
    if hasattr(model, "fit") and pairs_taken(model) is None and is_far(space):
        if type(model) is KMeans and not issparse(space):
            return nearest_centers(space, model.cluster_centers_)
        caution(model, space)
    return estimator.predict(to_fit(X))


# --------------------------------------------------------------------------- the fit that was made


def _labels_of_fit(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Any:
    """Return the labels found in fitting, if these objects were fitted.

    Rows that the clusterer kept decide it, else another fit with what the scorer got, which must
    find the same clusters.
    """
    step = innermost(estimator)
    name, n_scored = type(step).__name__, _n_objects(X)
    if not hasattr(step, "labels_"):
        msg = (
            "the estimator must be fitted, and have predict or fit_predict with labels_ to be "
            f"scored as a clusterer, got {name}; response='fit_predict' fits it to the objects"
        )
        raise TypeError(msg)
    labels = np.asarray(step.labels_)
    if len(labels) != n_scored:
        reason = f"was fitted to {len(labels)} objects, {n_scored} are scored"
    else:
        seen = _inside(estimator, X)[1]
        if _keeps_rows(step, seen, _ROUNDING):
            return labels
        # The fit need not have got the weights of the score. Steps before the last may transform in
        # another way than in fitting, or find something else in each fit.
        fits = [(step, seen)] if seen is X else [(step, seen), (estimator, X)]
        weights = (None,) if sample_weight is None else (sample_weight, None)
        for (model, data), weight in product(fits, weights):
            if _same_partition(labels, _fresh_fit(model, data, y, weight).labels):
                return labels
        reason = (
            "another fit to the objects that are scored, with y and sample_weight of the score, "
            "finds other clusters: other objects were fitted, or with other arguments"
        )
        if _draws_at_random(estimator):
            reason += ", or each fit finds others (set random_state to an int)"
    msg = (
        f"{name} cannot predict, and {reason}; pass response='labels_' to take labels_ as they are "
        f"if the objects are those fitted, else {_WAYS_OUT}"
    )
    raise ValueError(msg)


def _fresh_fit(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Found:
    """Fit clones of all steps to the objects, the clusterer also with y and weights if it can."""
    while _is_wrapper(estimator):
        if not isinstance(estimator, Pipeline):
            estimator = estimator.best_estimator_
        else:
            X = clone(estimator[:-1]).fit_transform(to_fit(X), y) if len(estimator) > 1 else X
            estimator = estimator[-1]
    if not hasattr(estimator, "fit_predict"):
        msg = (
            "response='fit_predict' needs an estimator with fit_predict, got "
            f"{type(estimator).__name__}"
        )
        raise TypeError(msg)
    fresh = clone(estimator)
    taken = list(signature(fresh.fit).parameters.values())[1:]
    # Searches pass y by position, whatever it is called.
    is_taken = taken and taken[0].name != "sample_weight" and taken[0].kind in _BY_POSITION
    given = [y] if y is not None and is_taken else []
    weighted = sample_weight is not None and any(one.name == "sample_weight" for one in taken)
    fresh.fit(to_fit(X), *given, **({"sample_weight": sample_weight} if weighted else {}))
    space_fitted(fresh, X)
    return Found(
        fresh.labels_ if hasattr(fresh, "labels_") else fresh.fit_predict(to_fit(X)), fresh, X
    )


def _named_response(estimator: Any, X: Any, response: str) -> Any:
    """Return what a method finds for the objects, or an attribute kept of the objects fitted."""
    step, seen = _inside(estimator, X, response)
    name, is_method = type(step).__name__, callable(getattr(step, response, None))
    if not hasattr(step, response):
        msg = f"response={response!r} needs a fitted estimator with {response}, got {name}"
        raise TypeError(msg)
    value = getattr(step, response)(to_fit(seen)) if is_method else getattr(step, response)
    labels = value if issparse(value) else np.asarray(value)
    if labels.ndim not in (1, 2):
        msg = (
            f"response={response!r} must name labels or memberships of {name}, "
            f"got {type(value).__name__}"
        )
        raise TypeError(msg)
    n_found, n_scored = labels.shape[0], _n_objects(X)
    if n_found != n_scored and labels.shape[-1] == n_scored:
        msg = (
            f"response={response!r} must have a row for each of the {n_scored} objects, got the "
            f"shape {labels.shape} of {name}: is it transposed? Name a method or attribute that "
            "returns its .T"
        )
        raise ValueError(msg)
    if is_method:
        return value
    if n_found != n_scored:
        reason = f"{name} was fitted to {n_found} objects, {n_scored} are scored"
    elif _keeps_rows(step, seen, _ROUNDING if seen is X else _TRANSFORMED) is False:
        reason = f"{name} was fitted to other objects than are scored"
    else:
        return labels
    msg = (
        f"response={response!r} must score the objects that were fitted, but {reason}; pass "
        f"{_WAYS_OUT}"
    )
    raise ValueError(msg)


def _keeps_rows(estimator: Any, X: Any, tolerance: float) -> bool | None:
    """Return whether the rows that a clusterer kept are those of X; None if it kept none."""
    for positions, rows in _KEPT_ROWS:
        kept = np.asarray(getattr(estimator, positions, ()))
        if hasattr(estimator, rows) and len(kept):
            return _offset(rows_of(X, kept), getattr(estimator, rows)) <= tolerance
    return None


def _offset(rows: Any, kept: Any) -> float:
    """Return the distance of rows from those kept, relative to the scatter of the latter."""
    if issparse(rows):
        return math.inf if (rows != kept).nnz else 0.0
    if rows.shape != kept.shape:
        return math.inf
    if np.array_equal(rows, kept):
        return 0.0
    scatter = np.linalg.norm(kept - kept.mean(axis=0))
    return float(np.linalg.norm(rows - kept) / scatter) if scatter else math.inf


def _n_objects(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _same_partition(first: Any, second: Any) -> bool:
    """Return whether two results have the same clusters."""
    table = ContingencyTable.from_labels(first, second)
    # The same labels as well, so that noise is not a cluster.
    return table.is_identity and set(table.row_labels) == set(table.col_labels)


def _draws_at_random(estimator: Any) -> bool:
    """Return whether another fit to the same objects may find other clusters."""
    return any(
        name.split("__")[-1] == "random_state" and not isinstance(value, int | np.integer)
        for name, value in estimator.get_params().items()
    )
