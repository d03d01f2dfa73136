"""What a check is, and the clusterer under check: its copies, their results, and its data."""

from __future__ import annotations

import contextlib
import copy
import inspect
import threading
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeVar
from unittest import SkipTest

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray
from sklearn_clustcompare._clusterers import clusters_parameter, pairs_taken
from sklearn_clustcompare._options import options_text, shortened
from sklearn_clustcompare.metrics import adjusted_rand_score

# How rows of coordinates are shown to a clusterer, given the rows that it was fitted to.
Form = Callable[[Array, Array], Any]

_CENTERS = np.array([[3.0, 3.0], [6.0, 3.0], [4.5, 6.0], [7.5, 6.0]])


class OwnData(NamedTuple):
    """Data of the user: objects, true labels or None, and the limits that an index must keep."""

    name: str
    X: Any
    y: Any
    limits: Mapping[str, float]


def _categories(X: Array) -> Array:
    """Return coarse categories, which are those of the blobs, and two fine ones."""
    coarse = np.round(np.column_stack([X, X.sum(axis=1), X[:, :1] - X[:, 1:]]) / 1.5)
    return np.column_stack([coarse, np.round(2 * X)]).astype(int).astype(str)


def _mixed(X: Array) -> Array:
    """Return the coordinates as numbers, followed by the coarse categories as objects."""
    return np.column_stack([X.astype(object), _categories(X)[:, :4].astype(object)])


def _counts(X: Array) -> Array:
    """Return counts at the centers: they tell the blobs apart, also as shares of their sum."""
    return np.round(40 * np.exp(-(cdist(X, _CENTERS) ** 2) / 4)).astype(int)


def _sequences(X: Array) -> list[str]:
    """Return words, of which the numbers of two letters are the coordinates in fifths."""
    return ["a" * a + "b" * b for a, b in np.round(5 * X).clip(0).astype(int).tolist()]


FORMS: dict[str, Form] = {
    "continuous": lambda X, _: X,
    "categories": lambda X, _: _categories(X),
    "mixed": lambda X, _: _mixed(X),
    "counts": lambda X, _: _counts(X),
    "sequences": lambda X, _: _sequences(X),
    "distances": lambda X, fitted: cdist(X, fitted),
    "affinities": lambda X, fitted: np.exp(-(cdist(X, fitted) ** 2)),
}
CONTINUOUS = FORMS["continuous"]


def form_of(estimator: Any, tags: Any) -> Form:
    """Return the form that the parameters and tags of a clusterer require."""
    if (pairs := pairs_taken(estimator)) is not None:
        return FORMS["affinities" if pairs == "similarities" else "distances"]
    if tags.input_tags.categorical and not tags.input_tags.two_d_array:
        return FORMS["categories"]
    return CONTINUOUS


def rows_of(X: Any, pairwise: bool) -> Form:
    """Return how numbers of rows are shown: as those rows of one's own data."""

    def show(rows: Array, fitted: Array) -> Any:
        at = rows[:, 0]
        if pairwise:
            return np.asarray(X)[np.ix_(at, fitted[:, 0])]
        if hasattr(X, "iloc"):
            return X.iloc[at]
        return X[at] if hasattr(X, "shape") else [X[i] for i in at]

    return show


_SIZES = (24, 20, 16, 12)


def blobs(n_clusters: int = 3) -> tuple[FloatArray, IntArray]:
    """Up to 4 round blobs in the plane of 24, 20, 16 and 12 objects, 15 standard deviations apart.

    Blobs have a standard deviation of 0.2, cut at 0.4, and a distance of 3.
    """
    return _normal_groups(n_clusters, spread=0.2, copies=1)


def overlapping() -> tuple[FloatArray, IntArray]:
    """Three groups of 48, 40 and 32 objects that overlap: 0.8 wide, 3 apart."""
    return _normal_groups(3, spread=0.8, copies=2)


def _normal_groups(n_groups: int, spread: float, copies: int) -> tuple[FloatArray, IntArray]:
    rng = np.random.default_rng(0)
    y = rng.permutation(np.repeat(np.arange(n_groups), copies * np.array(_SIZES[:n_groups])))
    noise = np.clip(rng.normal(size=(len(y), 2)), -2, 2)
    return _rounded(_CENTERS[y] + spread * noise), y


def many_blobs() -> FloatArray:
    """Twelve blobs of ten objects at random places: one start seldom finds them all."""
    rng = np.random.default_rng(0)
    centers = rng.uniform(1, 9, (12, 2))
    noise = np.clip(rng.normal(size=(120, 2)), -2, 2)
    return _rounded(centers[np.arange(120) % 12] + 0.3 * noise)


def small_beside_large() -> tuple[FloatArray, IntArray]:
    """Two round groups of 200 and 5 objects, 15 standard deviations of a blob apart."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [200, 5])
    noise = np.clip(rng.normal(size=(205, 2)), -2, 2)
    return _rounded(_CENTERS[y] + np.where(y, 0.05, 0.1)[:, np.newaxis] * noise), y


def in_many_features() -> tuple[FloatArray, IntArray]:
    """Return the blobs in the last two of 40 features; the others are small noise."""
    X, y = blobs()
    noise = 0.02 * np.random.default_rng(1).normal(size=(len(X), 38))
    return np.column_stack([1 + _rounded(noise), X]), y


def with_zeros() -> FloatArray:
    """Return 60 objects in three groups: at zero, the first exactly, and far along two features."""
    rng = np.random.default_rng(0)
    X = np.zeros((60, 4))
    X[20:40, 0], X[40:, 1] = 3, 5
    X[1:, 2] = 0.1 * np.clip(rng.normal(size=59), 0, 2)
    X[1:, 3] = 0.1 * np.clip(rng.normal(size=59), -2, 0)
    return _rounded(X)


def weighted_line() -> tuple[FloatArray, IntArray]:
    """Return 40 objects along a line, of weights that fall from 24 to 1 along it.

    With these weights the best split in two lies at a third of the line; without weights it lies in
    the middle.
    """
    place = np.linspace(0, 1, 40)
    X = np.column_stack([1 + 4 * place, 1 + 0.05 * (np.arange(40) % 2)])
    return _rounded(X), np.ceil(24 * np.exp(-4 * place)).astype(np.int64)


def weighted_pairs() -> tuple[FloatArray, IntArray]:
    """Return the three blobs and two objects of weight 4 far from them; others have weight 1.

    With weights the two count as eight objects, without weights as two.
    """
    X, _ = blobs()
    X = np.vstack([X, [[12.0, 12.0], [12.125, 12.0]]])
    return X, np.repeat([1, 4], [len(X) - 2, 2])


def large_blobs(n_samples: int) -> FloatArray:
    """Return three blobs with more objects: object i is of blob i modulo 3."""
    rng = np.random.default_rng(0)
    noise = np.clip(rng.normal(size=(n_samples, 2)), -2, 2)
    return _rounded(_CENTERS[np.arange(n_samples) % 3] + 0.2 * noise)


def _rounded(X: FloatArray) -> FloatArray:
    return np.round(1024 * X) / 1024


# Agreement of partitions of the blobs that counts as "the same clusters".
FOUND = 0.99
# Starts of a clusterer, one of which has to be a good one.
N_STARTS = 5

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
            msg = f"estimator must have fit and get_params, got {shortened(estimator)}"
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
                f"got {shortened(param_name)}"
            )
            raise ValueError(msg)
        self.param_name = param_name
        self.random_state = random_state
        self._seeds = [name for name in names if name.rpartition("__")[2] == "random_state"]
        if not (fit_params is None or callable(fit_params) or isinstance(fit_params, Mapping)):
            msg = (
                f"fit_params must be a dict, a function of X, or None, got {shortened(fit_params)}"
            )
            raise TypeError(msg)
        self._fit_params = {} if fit_params is None else fit_params
        form, self.own = _read_data(data)
        self.is_built_in = form is not None or not self.own
        self.form = form or (
            form_of(estimator, self.tags) if self.is_built_in else self._form_of_own(self.own[0])
        )

    def _form_of_own(self, own: OwnData) -> Form:
        is_square = form_of(self.estimator, self.tags) in (FORMS["distances"], FORMS["affinities"])
        return rows_of(own.X, is_square)

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
            X, y = self.labeled_blobs()
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

    def labeled_blobs(self, n_clusters: int = 3) -> tuple[Array, Array]:
        """Return rows of separated clusters and their classes; the user's own without these."""
        return blobs(n_clusters) if self.is_built_in else self._own_rows()

    def labeled_overlapping(self) -> tuple[Array, Array]:
        return overlapping() if self.is_built_in else self._own_rows()

    @property
    def blobs(self) -> Array:
        return self.labeled_blobs()[0]

    @property
    def overlapping(self) -> Array:
        return self.labeled_overlapping()[0]

    def _own_rows(self) -> tuple[Array, Array]:
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
        return self.form(X, X if fitted is None else fitted)

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
    ) -> Array:
        """Return the labels that a fresh copy finds."""
        return self.fit(X, n_clusters, random_state=random_state, **fit_params).labels

    def fit_predict(self, X: Any, **fit_params: Any) -> Array:
        shown = self.show(X)
        return np.asarray(self.make().fit_predict(shown, **{**self._given(shown), **fit_params}))

    @cached_property
    def fitted_blobs(self) -> Fitted:
        """A fit of the blobs that several checks share, and leave as it is."""
        return self.fit(self.blobs)

    @cached_property
    def fitted(self) -> Fitted:
        """A fit of the overlapping groups that several checks share, and leave as it is."""
        return self.fit(self.overlapping)

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
    def labels(self) -> Array:
        """Labels of the fitted objects."""
        fitted = self.estimator
        last = fitted[-1] if hasattr(fitted, "named_steps") else fitted
        if hasattr(last, "labels_"):
            return np.asarray(last.labels_)
        if hasattr(fitted, "predict"):
            return self.predict(self.X)
        shown = self.subject.show(self.X)
        return np.asarray(fitted.fit_predict(shown, **self.subject.keywords(fitted.fit, shown)))

    def predict(self, X: Any) -> Array:
        return self.call("predict", X)

    def call(self, method: str, X: Any) -> Array:
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
            form = _shown_by(one)
        else:
            own.append(_as_own(one))
    if not given:
        msg = "data must name a form or hold data sets, got none"
        raise ValueError(msg)
    return form, tuple(own)


def _shown_by(function: Callable[[Any], Any]) -> Form:
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


class Need(NamedTuple):
    """What a clusterer must have for a check to apply."""

    text: str
    is_met: Callable[[Subject], bool]


def _of_parameter(name: str) -> Need:
    return Need(f"a parameter {name}", lambda subject: name in subject.estimator.get_params())


def _of_method(name: str) -> Need:
    return Need(f"a method {name}", lambda subject: subject.has(name))


# Decorators of checks name them by these keys.
NEEDS = {
    **{name: _of_parameter(name) for name in ("n_jobs", "n_init")},
    **{
        name: _of_method(name)
        for name in ("fit_predict", "predict", "predict_proba", "score", "set_output")
    },
    "transform": Need(
        "methods transform and fit_transform",
        lambda subject: subject.has("transform") and subject.has("fit_transform"),
    ),
    "n_clusters": Need(
        "a parameter for the number of clusters", lambda subject: subject.param_name is not None
    ),
    "random_state": Need("a parameter random_state", lambda subject: subject.has_random_state),
    "weights": Need("sample_weight in fit", lambda subject: subject.takes_weights),
    "sparse": Need("the tag of sparse input", lambda subject: bool(subject.tags.input_tags.sparse)),
    "repeatable": Need(
        "no tag non_deterministic", lambda subject: not subject.tags.non_deterministic
    ),
    "built_in": Need("the built-in data", lambda subject: subject.is_built_in),
    "numbers": Need("data of continuous features", lambda subject: subject.takes_numbers),
    # Python traces memory for the whole process, and may crash if other threads use it meanwhile.
    "main_thread": Need(
        "the main thread", lambda _: threading.current_thread() is threading.main_thread()
    ),
}


class NotApplicable(SkipTest):
    """Raised by a check where only the fitted clusterer shows that it does not apply."""


# One check at a time: filters of warnings and global generators are those of the process.
_RUNNING = threading.RLock()


@dataclass(frozen=True)
class Check:
    """A check: its function, its needs, and the promise that a clusterer must have made, if any.

    The function takes the clusterer, and by their names what several checks read of it. The check
    is called with an estimator and the options of a Subject; alone it runs regardless of
    promises, and raises SkipTest if a need is not met.
    """

    body: Callable[..., None]
    needs: tuple[Need, ...]
    promise: str | None

    @property
    def name(self) -> str:
        return self.body.__name__

    @property
    def text(self) -> str:
        """What the check demands, on which data, and within which tolerance."""
        return " ".join((self.body.__doc__ or "").split())

    @property
    def demand(self) -> str:
        """What it takes to pass, in one line."""
        return (self.body.__doc__ or "").strip().splitlines()[0]

    @property
    def exception(self) -> str:
        """How an author declares that a clusterer is excepted."""
        expected = f'expected_failed_checks={{"{self.name}": "the reason"}}'
        if self.promise is not None:
            return f'leave out the promise "{self.promise}", or {expected}'
        if NEEDS["repeatable"] in self.needs:
            return f"set the tag non_deterministic, or {expected}"
        return expected

    def applies_to(self, subject: Subject, promises: frozenset[str]) -> bool:
        promised = self.promise is None or self.promise in promises
        return promised and all(need.is_met(subject) for need in self.needs)

    def __call__(self, estimator: Any, **options: Any) -> None:
        subject = Subject(estimator, **options)
        for need in self.needs:
            if not need.is_met(subject):
                msg = f"{self.name} needs {need.text}"
                raise SkipTest(msg)
        self.run(subject)

    def run(self, subject: Subject) -> None:
        with _RUNNING, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of convergence, of fewer clusters
            try:
                _, *names = inspect.signature(self.body).parameters
                self.body(subject, **{name: getattr(subject, name) for name in names})
            except SkipTest:
                raise
            except Exception as error:
                error.add_note(f"{self.name} demands: {self.demand}")
                error.add_note(f"To declare an exception: {self.exception}")
                raise


# In the order in which the modules define them.
CHECKS: dict[str, Check] = {}


def check(*needs: str, promise: str | None = None) -> Callable[[Callable[..., None]], Check]:
    """Register a check, with the names of its needs."""

    def register(body: Callable[..., None]) -> Check:
        made = Check(body, tuple(NEEDS[name] for name in needs), promise)
        CHECKS[made.name] = made
        return made

    return register


def promises_known() -> list[str]:
    """Return what a clusterer can promise."""
    return list(dict.fromkeys(one.promise for one in CHECKS.values() if one.promise is not None))


T = TypeVar("T")


def require(condition: bool, message: str) -> None:
    if not condition:
        raise AssertionError(message)


def require_of_one(starts: Iterable[T], claim: Callable[[T], None]) -> None:
    """Require that a claim holds for one of some random starts: a single one may be a bad one."""
    failure: AssertionError | None = None
    for start in starts:
        try:
            return claim(start)
        except AssertionError as error:
            failure = failure or error
    assert failure is not None
    raise failure


def require_same_labels(expected: Array, got: Array, what: str) -> None:
    """Require the same label for every object."""
    require(
        expected.shape == got.shape,
        f"{what} must have shape {expected.shape}, got {got.shape}",
    )
    differ = np.flatnonzero(expected != got)
    if len(differ):
        first = int(differ[0])
        msg = (
            f"{what} must have the same labels, got others for {len(differ)} of {len(expected)} "
            f"objects; the first is object {first}: {expected[first]} and {got[first]}"
        )
        raise AssertionError(msg)


def require_same_partition(expected: Array, got: Array, what: str, at_least: float = FOUND) -> None:
    """Require the same clusters, up to their names."""
    require(
        expected.shape == got.shape,
        f"{what} must have labels of shape {expected.shape}, got {got.shape}",
    )
    score = adjusted_rand_score(expected, got)
    require(
        score >= at_least,
        f"{what} must have the same clusters: adjusted_rand_score at least {at_least:g}, "
        f"got {score:.3f} ({len(np.unique(expected))} and {len(np.unique(got))} clusters)",
    )


def n_clusters_of(labels: Array) -> int:
    return len(np.unique(labels[labels >= 0]))


def require_labels_or_error(find: Callable[[], Array], n_objects: int, what: str) -> Array | None:
    """Require a whole number for each object, or a ValueError or TypeError with a message."""
    try:
        labels = find()
    except (ValueError, TypeError) as error:
        require(bool(str(error)), f"the {type(error).__name__} for {what} must have a message")
        return None
    except Exception as error:
        msg = f"{what} must give labels or a ValueError, got {type(error).__name__}: {error}"
        raise AssertionError(msg) from error
    else:
        require_valid(labels, n_objects, what)
        return labels


def require_valid(labels: Array, n_objects: int, what: str) -> None:
    require(
        labels.shape == (n_objects,),
        f"labels of {what} must have shape {(n_objects,)}, got {labels.shape}",
    )
    require(_are_whole(labels), f"labels of {what} must be whole numbers, got {_shown(labels)}")


def _are_whole(labels: Array) -> bool:
    return labels.dtype.kind in "iu" or (
        labels.dtype.kind == "f" and bool((labels == np.floor(labels)).all())
    )


def _shown(labels: Array) -> str:
    distinct: list[Any] = list(dict.fromkeys(labels.tolist()))
    return ", ".join(map(repr, distinct[:5]))


def import_pandas() -> Any:
    """Return pandas; without it the check is skipped."""
    try:
        import pandas as pd
    except ImportError:
        msg = "pandas is not installed"
        raise SkipTest(msg) from None
    return pd
