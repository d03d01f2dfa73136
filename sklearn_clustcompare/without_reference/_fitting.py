"""Fits of clones of a clusterer, each with its own seed."""

from __future__ import annotations

import re
import threading
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.cluster import HDBSCAN
from sklearn.pipeline import Pipeline

from sklearn_clustcompare._chance.draws import task_seeds
from sklearn_clustcompare._clusterers import clusters_parameter, last_step
from sklearn_clustcompare._data import to_fit
from sklearn_clustcompare.model_selection._labels import predicted, space_fitted
from sklearn_clustcompare.without_reference._resamples import values_of

_NUMBER = re.compile(r"\d+(\.\d+)?")
_MORE = " (and {} more of these in other fits)"
_HAS_MORE = re.compile(re.escape(_MORE).replace(r"\{\}", r"(\d+)") + "$")


class Clustering(NamedTuple):
    """A fitted clone, its labels, and the input of its last step.

    Without a pipeline these are the data themselves. No model is fitted for one cluster.
    """

    model: Any
    labels: NDArray[Any]
    space: Any


def cluster(estimator: Any, parameters: Mapping[str, Any], X: Any, seed: int) -> Clustering:
    """Fit a clone with some parameters, and with a seed for all of its randomness.

    One cluster needs no fit: pipelines fit the steps before the last. An error of the clusterer
    gets a note with the parameters.
    """
    X = values_of(X)
    model = seeded(clone(estimator).set_params(**parameters), seed)
    try:
        if is_one_cluster(estimator, parameters):
            return Clustering(None, np.zeros(X.shape[0], np.intp), _fit_space(model, X))
        return checked_clustering(model, X)
    except Exception as error:
        error.add_note(f"Raised by {_named(estimator, parameters)}.")
        raise


def is_one_cluster(estimator: Any, parameters: Mapping[str, Any]) -> bool:
    """Return whether the parameters request a single cluster."""
    return parameters.get(clusters_parameter(estimator) or "") == 1


def _named(estimator: Any, parameters: Mapping[str, Any]) -> str:
    given = ", ".join(f"{name}={value!r}" for name, value in parameters.items())
    return type(estimator).__name__ + (f" with {given}" if given else "")


def seeded(model: Any, seed: int, *, unset_only: bool = False) -> Any:
    """Set every random_state of an estimator and of its components, or those that are None."""
    names = sorted(
        name
        for name, value in model.get_params(deep=True).items()
        if (name == "random_state" or name.endswith("__random_state"))
        and (value is None or not unset_only)
    )
    states = np.random.SeedSequence(seed).generate_state(len(names)).tolist()
    return model.set_params(**dict(zip(names, states, strict=True)))


def fit_labels(model: Any, X: Any) -> Any:
    """Fit a clusterer, and return the labels as it gives them."""
    if hasattr(model, "fit_predict"):
        return model.fit_predict(to_fit(X))
    model.fit(to_fit(X))
    return model.labels_ if hasattr(model, "labels_") else predicted(model, X)


def checked_labels(model: Any, X: Any) -> NDArray[Any]:
    return checked_clustering(model, X).labels


def checked_clustering(model: Any, X: Any) -> Clustering:
    labels = np.asarray(fit_labels(model, X))
    if labels.shape != (X.shape[0],):
        msg = (
            f"the estimator must give one label to each of {X.shape[0]} objects, "
            f"got an array of shape {labels.shape}"
        )
        raise ValueError(msg)
    # HDBSCAN labels objects with infinite values -2 and those with missing ones -3: they are noise.
    labels = np.maximum(labels, -1) if isinstance(last_step(model), HDBSCAN) else labels
    return Clustering(model, labels, space_fitted(model, X))


def _fit_space(model: Any, X: Any) -> Any:
    """Fit the steps before the last, and return what the last one would see."""
    while isinstance(model, Pipeline):
        if len(model) > 1:
            X = model[:-1].fit_transform(to_fit(X))
        model = model[-1]
    return X


def fit_seeds(n_rows: int, n_columns: int, random_state: Any) -> list[list[int]]:
    """Return a seed for each row and column, which depends on no other row or column."""
    _, (entropy,) = task_seeds(1, 1, random_state)
    rows = np.random.SeedSequence(entropy).spawn(n_rows)
    return [row.generate_state(n_columns).tolist() for row in rows]


# --------------------------------------------------------------------------- warnings

Warnings = list[tuple[type[Warning], str]]


@contextmanager
def caught_warnings() -> Iterator[Warnings]:
    """Keep the warnings of a block instead of showing them.

    A task keeps its own and returns them, so that they come back from worker processes. Threads
    share one list of filters: their warnings are kept by the block around all tasks.
    """
    kept: Warnings = []
    if threading.current_thread() is not threading.main_thread():
        yield kept
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # It concerns how joblib starts processes, not a fit, and is hidden by default.
        warnings.filterwarnings("ignore", r".*use of fork\(\) may lead", DeprecationWarning)
        yield kept
    kept += [(one.category, str(one.message)) for one in caught]


def warn_once(kept: Iterable[tuple[type[Warning], str]], stacklevel: int) -> None:
    """Give the first of all warnings that differ in their numbers only, with their count."""
    first: dict[tuple[type[Warning], str], str] = {}
    counts: Counter[tuple[type[Warning], str]] = Counter()
    for category, message in kept:
        # Those of several rounds of fits were counted in each.
        more = _HAS_MORE.search(message)
        text = message[: more.start()] if more else message
        key = category, _NUMBER.sub("#", text)
        first.setdefault(key, text)
        counts[key] += 1 + (int(more[1]) if more else 0)
    for key, text in first.items():
        more_of_it = _MORE.format(counts[key] - 1) if counts[key] > 1 else ""
        warnings.warn(text + more_of_it, key[0], stacklevel=stacklevel + 1)
