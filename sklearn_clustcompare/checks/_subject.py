"""The clusterer under check: fresh copies and their results."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

Labels = NDArray[Any]

# In this order: spectral clustering has both, and its components are those of the embedding.
_NAMES_OF_K = ("n_clusters", "n_components")


class Subject:
    """A clusterer and the parameters that a check may set.

    Parameters
    ----------
    estimator : estimator
        A clusterer or mixture; it is never fitted or changed itself.
    n_clusters_param : str or None
        Parameter with the number of clusters; "auto" finds it, None if there is none.
    random_state : int
        Seed of all copies, unless a check uses several.
    """

    def __init__(
        self, estimator: Any, n_clusters_param: str | None = "auto", random_state: int = 0
    ) -> None:
        if isinstance(estimator, type):
            msg = f"estimator must be an instance, got the class {estimator.__name__}"
            raise TypeError(msg)
        if not hasattr(estimator, "fit") or not hasattr(estimator, "get_params"):
            msg = f"estimator must have fit and get_params, got {estimator!r}"
            raise TypeError(msg)
        self.estimator = estimator
        names = list(estimator.get_params())
        if n_clusters_param == "auto":
            n_clusters_param = _find_n_clusters_param(estimator, names)
        elif n_clusters_param is not None and n_clusters_param not in names:
            msg = (
                f"n_clusters_param must be 'auto', None or a parameter of the estimator, "
                f"got {n_clusters_param!r}"
            )
            raise ValueError(msg)
        self.n_clusters_param = n_clusters_param
        self.random_state = random_state
        self._seeds = [name for name in names if name.rpartition("__")[2] == "random_state"]

    # ----------------------------------------------------------------------- capabilities

    @property
    def has_random_state(self) -> bool:
        return bool(self._seeds)

    @property
    def takes_weights(self) -> bool:
        return bool(has_fit_parameter(self.estimator, "sample_weight"))

    @property
    def tags(self) -> Any:
        return get_tags(self.estimator)

    def has(self, method: str) -> bool:
        return hasattr(self.estimator, method)

    # ----------------------------------------------------------------------- copies

    def make(self, n_clusters: int = 3, random_state: int | None = None) -> Any:
        """Return an unfitted copy with its number of clusters and its seed set."""
        return self._set(clone(self.estimator), n_clusters, random_state)

    def copy_all(self) -> Any:
        """Return a copy of the object with all of its attributes, not only its parameters."""
        return self._set(copy.deepcopy(self.estimator), 3, None)

    def _set(self, estimator: Any, n_clusters: int, random_state: int | None) -> Any:
        seed = self.random_state if random_state is None else random_state
        parameters: dict[str, Any] = dict.fromkeys(self._seeds, seed)
        if self.n_clusters_param is not None:
            parameters[self.n_clusters_param] = n_clusters
        return estimator.set_params(**parameters)

    # ----------------------------------------------------------------------- results

    def fit(self, X: Any, n_clusters: int = 3, **fit_params: Any) -> Any:
        return self.make(n_clusters).fit(X, **fit_params)

    def labels(
        self, X: Any, n_clusters: int = 3, random_state: int | None = None, **fit_params: Any
    ) -> Labels:
        """Return the labels that a fresh copy finds."""
        estimator = self.make(n_clusters, random_state)
        if hasattr(estimator, "fit_predict"):
            return np.asarray(estimator.fit_predict(X, **fit_params))
        return labels_of(estimator.fit(X, **fit_params), X)


def labels_of(fitted: Any, X: Any) -> Labels:
    """Return the labels of the objects that a clusterer was fitted to."""
    last = fitted[-1] if hasattr(fitted, "named_steps") else fitted
    return np.asarray(last.labels_ if hasattr(last, "labels_") else fitted.predict(X))


def _find_n_clusters_param(estimator: Any, names: list[str]) -> str | None:
    """Find the number of clusters among the parameters, in a pipeline those of its last step."""
    prefix = f"{estimator.steps[-1][0]}__" if hasattr(estimator, "named_steps") else ""
    return next((prefix + name for name in _NAMES_OF_K if prefix + name in names), None)
