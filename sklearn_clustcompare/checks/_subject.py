"""The clusterer under check: fresh copies, their results, and the data that it takes."""

from __future__ import annotations

import contextlib
import copy
import inspect
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from sklearn_clustcompare._clusterers import clusters_parameter
from sklearn_clustcompare._options import options_text
from sklearn_clustcompare.checks import _forms as _data
from sklearn_clustcompare.checks._forms import (
    CONTINUOUS,
    FORMS,
    Form,
    OwnData,
    Show,
    form_of,
    rows_of,
)
from sklearn_clustcompare.metrics import adjusted_rand_score

# Agreement of partitions of the blobs that counts as "the same clusters".
FOUND = 0.99
# Starts of a clusterer, one of which has to be a good one.
N_STARTS = 5

Labels = NDArray[Any]
Data = str | Callable[[Any], Any] | Collection[Any]


class Subject:
    """A clusterer, the parameters that a check may set, and its data.

    Parameters
    ----------
    estimator : estimator
        A clusterer or mixture; it is never fitted or changed itself.
    param_name : str or None
        Parameter with the number of clusters; "auto" finds it, None if there is none.
    random_state : int
        Seed of all copies, or the first after it with which separated clusters are found; some
        checks use several.
    fit_params : dict, callable or None
        Keywords of fit, and of the other methods that have them; or a function of the objects.
    data : str, callable, collection or None
        Form of the built-in data, one's own data, or both.
    """

    def __init__(
        self,
        estimator: Any,
        param_name: str | None = "auto",
        random_state: int = 0,
        fit_params: Mapping[str, Any] | Callable[[Any], Mapping[str, Any]] | None = None,
        data: Data | None = None,
    ) -> None:
        if isinstance(estimator, type):
            msg = f"estimator must be an instance, got the class {estimator.__name__}"
            raise TypeError(msg)
        if not hasattr(estimator, "fit") or not hasattr(estimator, "get_params"):
            msg = f"estimator must have fit and get_params, got {estimator!r}"
            raise TypeError(msg)
        self.options: dict[str, Any] = {
            "param_name": param_name,
            "random_state": random_state,
            "fit_params": fit_params,
            "data": data,
        }
        self.estimator = estimator
        names = list(estimator.get_params())
        if param_name == "auto":
            param_name = clusters_parameter(estimator)
        elif param_name is not None and param_name not in names:
            msg = (
                f"param_name must be 'auto', None or a parameter of the estimator, "
                f"got {param_name!r}"
            )
            raise ValueError(msg)
        self.param_name = param_name
        self.random_state = random_state
        self._seeds = [name for name in names if name.rpartition("__")[2] == "random_state"]
        if not (fit_params is None or callable(fit_params) or isinstance(fit_params, Mapping)):
            msg = f"fit_params must be a dict, a function of X, or None, got {fit_params!r}"
            raise TypeError(msg)
        self._fit_params = {} if fit_params is None else fit_params
        form, self.own = _read_data(data)
        self.is_built_in = form is not None or not self.own
        self.form = form or (
            form_of(estimator, self.tags) if self.is_built_in else self._form_of_own(self.own[0])
        )

    def _form_of_own(self, own: OwnData) -> Form:
        is_square = form_of(self.estimator, self.tags) in (FORMS["distances"], FORMS["affinities"])
        return Form(own.name, rows_of(own.X, is_square))

    def on_own(self, own: OwnData) -> Subject:
        """Return the same clusterer with one data set of the user instead of the built-in ones."""
        return Subject(self.estimator, **{**self.options, "data": [own]})

    # ----------------------------------------------------------------------- capabilities

    @property
    def has_random_state(self) -> bool:
        return bool(self._seeds)

    @cached_property
    def _good_seed(self) -> int:
        """The first of some seeds with which the blobs are found, as a random start may be bad."""
        if self.has_random_state and self.is_built_in:
            X, y = self.blobs()
            for seed in self.seeds(N_STARTS):
                with contextlib.suppress(Exception):  # the checks show errors
                    if adjusted_rand_score(y, self.labels(X, random_state=seed)) >= FOUND:
                        return seed
        return self.random_state

    def seeds(self, n_seeds: int) -> range:
        """Return some seeds from that of the subject on; one if there are none."""
        number = n_seeds if self.has_random_state else 1
        return range(self.random_state, self.random_state + number)

    @property
    def takes_weights(self) -> bool:
        return bool(has_fit_parameter(self.estimator, "sample_weight"))

    @property
    def takes_numbers(self) -> bool:
        return self.form is CONTINUOUS

    @property
    def tags(self) -> Any:
        return get_tags(self.estimator)

    def has(self, method: str) -> bool:
        return hasattr(self.estimator, method)

    # ----------------------------------------------------------------------- data

    def blobs(self, n_clusters: int = 3) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return rows of separated clusters and their classes; the user's own without these."""
        return _data.blobs(n_clusters) if self.is_built_in else self._own_rows()

    def overlapping(self) -> tuple[NDArray[Any], NDArray[Any]]:
        return _data.overlapping() if self.is_built_in else self._own_rows()

    def _own_rows(self) -> tuple[NDArray[Any], NDArray[Any]]:
        own = self.own[0]
        n_objects = own.X.shape[0] if hasattr(own.X, "shape") else len(own.X)
        rows = np.arange(n_objects)[:, np.newaxis]
        return rows, np.zeros(n_objects, int) if own.y is None else np.asarray(own.y)

    @property
    def usual_n_clusters(self) -> int | None:
        """The number of clusters in the data, None to leave that of the clusterer."""
        if self.is_built_in:
            return 3
        return None if self.own[0].y is None else len(np.unique(np.asarray(self.own[0].y)))

    def show(self, X: Any, fitted: Any = None) -> Any:
        """Return what the clusterer takes for rows of coordinates."""
        return self.form.show(X, X if fitted is None else fitted)

    # ----------------------------------------------------------------------- copies

    def make(
        self, n_clusters: int | None = None, random_state: Any = None, **parameters: Any
    ) -> Any:
        """Return an unfitted copy with its number of clusters and its seed set."""
        return self._set(clone(self.estimator), n_clusters, random_state).set_params(**parameters)

    def copy_all(self) -> Any:
        """Return a copy of the object with all of its attributes, not only its parameters."""
        return self._set(copy.deepcopy(self.estimator), None, None)

    def _set(self, estimator: Any, n_clusters: int | None, random_state: Any) -> Any:
        seed = self._good_seed if random_state is None else random_state
        parameters: dict[str, Any] = dict.fromkeys(self._seeds, seed)
        n_clusters = self.usual_n_clusters if n_clusters is None else n_clusters
        if self.param_name is not None and n_clusters is not None:
            parameters[self.param_name] = n_clusters
        return estimator.set_params(**parameters)

    # ----------------------------------------------------------------------- results

    def fit(
        self,
        X: Any,
        n_clusters: int | None = None,
        *,
        estimator: Any = None,
        random_state: Any = None,
        **fit_params: Any,
    ) -> Fitted:
        """Fit a fresh copy, or the estimator given."""
        estimator = self.make(n_clusters, random_state) if estimator is None else estimator
        shown = self.show(X)
        estimator.fit(shown, **{**self._given(shown), **fit_params})
        return Fitted(self, estimator, X)

    def labels(
        self, X: Any, n_clusters: int | None = None, random_state: Any = None, **fit_params: Any
    ) -> Labels:
        """Return the labels that a fresh copy finds."""
        return self.fit(X, n_clusters, random_state=random_state, **fit_params).labels

    def fit_predict(self, X: Any, **fit_params: Any) -> Labels:
        shown = self.show(X)
        return np.asarray(self.make().fit_predict(shown, **{**self._given(shown), **fit_params}))

    @cached_property
    def fitted_blobs(self) -> Fitted:
        """A fit of the blobs that several checks share, and leave as it is."""
        return self.fit(self.blobs()[0])

    @cached_property
    def fitted_overlapping(self) -> Fitted:
        """A fit of the overlapping groups that several checks share, and leave as it is."""
        return self.fit(self.overlapping()[0])

    def keywords(self, method: Callable[..., Any], shown: Any) -> dict[str, Any]:
        """Return the keywords of fit that a method has as well."""
        names = inspect.signature(method).parameters
        return {name: value for name, value in self._given(shown).items() if name in names}

    def _given(self, shown: Any) -> dict[str, Any]:
        return dict(self._fit_params(shown) if callable(self._fit_params) else self._fit_params)


class Fitted:
    """A fitted copy, and the rows that it was fitted to."""

    def __init__(self, subject: Subject, estimator: Any, X: Any) -> None:
        self.subject = subject
        self.estimator = estimator
        self.X = X

    @property
    def labels(self) -> Labels:
        """Labels of the fitted objects."""
        fitted = self.estimator
        last = fitted[-1] if hasattr(fitted, "named_steps") else fitted
        if hasattr(last, "labels_"):
            return np.asarray(last.labels_)
        return self.predict(self.X) if hasattr(fitted, "predict") else self._fit_predicted

    @property
    def _fit_predicted(self) -> Labels:
        shown = self.subject.show(self.X)
        method = self.estimator.fit_predict
        return np.asarray(method(shown, **self.subject.keywords(self.estimator.fit, shown)))

    def predict(self, X: Any) -> Labels:
        return self.call("predict", X)

    def call(self, method: str, X: Any) -> NDArray[Any]:
        """Call a method for rows of coordinates."""
        shown = self.subject.show(X, self.X)
        bound = getattr(self.estimator, method)
        return np.asarray(bound(shown, **self.subject.keywords(bound, shown)))


def _read_data(data: Data | None) -> tuple[Form | None, tuple[OwnData, ...]]:
    """Return the form of the built-in data, None to find it or to leave these out; one's own."""
    if data is None:
        return None, ()
    given = [data] if isinstance(data, str) or callable(data) else list(data)
    form, own = None, []
    for one in given:
        if isinstance(one, str):
            if one not in FORMS:
                msg = f"data must be one of {options_text(FORMS, one)}, or data of your own"
                raise ValueError(msg)
            form = FORMS[one]
        elif callable(one):
            form = Form("own", _shown_by(one))
        else:
            own.append(_as_own(one))
    if not given:
        msg = "data must name a form or hold data sets, got none"
        raise ValueError(msg)
    return form, tuple(own)


def _shown_by(function: Callable[[Any], Any]) -> Show:
    return lambda X, _: function(X)


def _as_own(one: Any) -> OwnData:
    try:
        own = OwnData(*one)
    except TypeError:
        own = None
    if own is None or not isinstance(own.name, str) or not isinstance(own.limits, Mapping):
        msg = (
            "data must hold tuples (name, X, y, limits), such as "
            "('iris', X, y, {'adjusted_rand_score': 0.7}), "
            f"got {one if isinstance(one, str) else type(one).__name__!r:.80}"
        )
        raise TypeError(msg)
    if own.limits and own.y is None:
        msg = f"y of the data {own.name!r} must be given where limits are, got None"
        raise ValueError(msg)
    return own
