"""What clusterers take and what their main parameter is: both are those of the last step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from sklearn_clustcompare._array_types import IntArray
from sklearn_clustcompare._numerics import is_symmetric
from sklearn_clustcompare._options import options_text, shortened

# Parameters of this name hold the number of clusters. Spectral clustering has both, and its
# components are those of the embedding.
_NUMBERS_OF_CLUSTERS = ("n_clusters", "n_components")
_MAIN = (*_NUMBERS_OF_CLUSTERS, "min_cluster_size")
# Numbers of clusters that are tried if none are given.
MOST_TRIED = 10
# Parameters that are "precomputed" where the input is of pairs of objects, and what it then holds.
_INPUTS = {"affinity": "similarities", "kernel": "similarities", "metric": "distances"}


def last_step(estimator: Any) -> Any:
    """Return the last step of a pipeline, which may itself be one; the estimator if it is none."""
    while isinstance(estimator, Pipeline):
        estimator = estimator.steps[-1][1]
    return estimator


# --------------------------------------------------------------------------- parameters


def clusters_parameter(estimator: Any) -> str | None:
    """Return the name of the parameter with the number of clusters, None if there is none."""
    return _parameter_of_last(estimator, _NUMBERS_OF_CLUSTERS)


def main_parameter(estimator: Any, name: Any = "auto") -> str:
    """Return the parameter with the number of clusters or their least size, or the one named.

    Raise TypeError unless it is an estimator, ValueError unless it has the parameter.
    """
    found = _parameter_of_last(estimator, _MAIN) if name == "auto" else name
    known = clone(estimator).get_params(deep=True)
    if found in known:
        return str(found)
    msg = (
        f"param_name must be a parameter of {type(estimator).__name__}, one of "
        f"{options_text(known, name)}"
    )
    if name == "auto":
        msg += f", which stands for {', '.join(_MAIN)} of the last step"
    raise ValueError(msg)


def values_tried(name: str, given: Any, n_objects: int) -> Any:
    """Return the values that were given; if none were, those to try of a main parameter.

    Raise ValueError if it is no main parameter, whose values are those of the data.
    """
    if given is not None:
        return given
    if name.endswith("min_cluster_size"):
        return range(5, min(50, n_objects // 2) + 1, 5)
    if name.endswith(_NUMBERS_OF_CLUSTERS):
        return range(1, min(MOST_TRIED, n_objects) + 1)
    msg = f"param_range must list the values of {name} to try, got None"
    raise ValueError(msg)


def read_range(param_range: Any, n_objects: int) -> IntArray:
    """Return numbers of clusters; raise ValueError unless they increase up to that of objects."""
    values = np.asarray(param_range)
    is_whole = values.ndim == 1 and len(values) > 0 and values.dtype.kind in "iu"
    if not is_whole or values[0] < 1 or (values[1:] <= values[:-1]).any():
        msg = f"param_range must hold increasing positive integers, got {shortened(param_range)}"
        raise ValueError(msg)
    if values[-1] > n_objects:
        msg = (
            f"param_range must not exceed the {n_objects} objects that are clustered, got "
            f"{values[-1]}"
        )
        raise ValueError(msg)
    return values.astype(np.int64)


def check_values(name: str, values: Iterable[Any]) -> None:
    """Raise ValueError for values of a parameter that are no sizes of clusters."""
    if not name.endswith("min_cluster_size"):
        return
    for value in values:
        if isinstance(value, int | np.integer) and value < 2:
            msg = f"{name} must be at least 2, since one object is no cluster, got {value}"
            raise ValueError(msg)


def _parameter_of_last(estimator: Any, names: Iterable[str]) -> str | None:
    prefix, step = "", estimator
    while isinstance(step, Pipeline):
        prefix += f"{step.steps[-1][0]}__"
        step = step.steps[-1][1]
    known = _parameters(step)
    return next((prefix + name for name in names if name in known), None)


def _parameters(estimator: Any, *, deep: bool = False) -> dict[str, Any]:
    # A last step "passthrough" or None has no parameters, nor has a class, which clone refuses.
    has_some = hasattr(estimator, "get_params") and not isinstance(estimator, type)
    return estimator.get_params(deep=deep) if has_some else {}


# --------------------------------------------------------------------------- square input


def pairs_taken(estimator: Any) -> str | None:
    """Return what the last step takes of pairs of objects: "distances", "similarities" or "pairs".

    None if it takes objects and their features; "pairs" if scikit-learn's tag is all there is.
    """
    step = last_step(estimator)
    for name, value in _parameters(step, deep=True).items():
        if isinstance(value, str) and value.startswith("precomputed"):
            kind = _INPUTS.get(name.rpartition("__")[2])
            if kind is not None:
                return kind if value == "precomputed" else "distances"
    is_pairwise = hasattr(step, "__sklearn_tags__") and get_tags(step).input_tags.pairwise
    return "pairs" if is_pairwise else None


def pairs_given(estimator: Any, X: Any) -> str | None:
    """Return what data hold of pairs of objects, as :func:`pairs_taken`.

    The first step of a pipeline decides. If only its last step takes pairs, other steps may compute
    them from features or from pairs, which are known by their symmetry. So are distances for
    functions of the data, which are no estimators.
    """
    if estimator is None:
        return "distances" if is_symmetric(X) and not np.diagonal(X).any() else None
    first = estimator
    while isinstance(first, Pipeline):
        first = first.steps[0][1]
    last = pairs_taken(estimator)
    if first is not last_step(estimator) and (first_kind := pairs_taken(first)) is None:
        return last if last is not None and is_symmetric(X) else None
    return last if first is last_step(estimator) else first_kind
