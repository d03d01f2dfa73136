"""What a check is: its name, whom it applies to, what it requires of labels; the list of checks."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar
from unittest import SkipTest

import numpy as np

from sklearn_clustcompare._array_types import Array
from sklearn_clustcompare.checks._subject import FOUND, Subject
from sklearn_clustcompare.metrics import adjusted_rand_score


class Need(NamedTuple):
    """What a clusterer must have for a check to apply."""

    text: str
    is_met: Callable[[Subject], bool]


N_CLUSTERS = Need(
    "a parameter for the number of clusters", lambda subject: subject.param_name is not None
)
RANDOM_STATE = Need("a parameter random_state", lambda subject: subject.has_random_state)
N_JOBS = Need("a parameter n_jobs", lambda subject: "n_jobs" in subject.estimator.get_params())
N_INIT = Need("a parameter n_init", lambda subject: "n_init" in subject.estimator.get_params())
FIT_PREDICT = Need("a method fit_predict", lambda subject: subject.has("fit_predict"))
PREDICT = Need("a method predict", lambda subject: subject.has("predict"))
PREDICT_PROBA = Need("a method predict_proba", lambda subject: subject.has("predict_proba"))
TRANSFORM = Need(
    "methods transform and fit_transform",
    lambda subject: subject.has("transform") and subject.has("fit_transform"),
)
SCORE = Need("a method score", lambda subject: subject.has("score"))
SET_OUTPUT = Need("a method set_output", lambda subject: subject.has("set_output"))
WEIGHTS = Need("sample_weight in fit", lambda subject: subject.takes_weights)
SPARSE = Need("the tag of sparse input", lambda subject: bool(subject.tags.input_tags.sparse))
REPEATABLE = Need("no tag non_deterministic", lambda subject: not subject.tags.non_deterministic)
BUILT_IN = Need("the built-in data", lambda subject: subject.is_built_in)
NUMBERS = Need("data of continuous features", lambda subject: subject.takes_numbers)
# Python traces memory for the whole process, and may crash if other threads use it meanwhile.
MAIN_THREAD = Need(
    "the main thread", lambda subject: threading.current_thread() is threading.main_thread()
)


class NotApplicable(SkipTest):
    """Raised by a check where only the fitted clusterer shows that it does not apply."""


# One check at a time: filters of warnings and global generators are those of the process.
_RUNNING = threading.RLock()


@dataclass(frozen=True)
class Check:
    """A check: its function, its needs, and the promise that a clusterer must have made, if any.

    It is called with an estimator and the options of a Subject. Alone it runs regardless of
    promises, and raises SkipTest if a need is not met.
    """

    body: Callable[[Subject], None]
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
        if REPEATABLE in self.needs:
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
                self.body(subject)
            except SkipTest:
                raise
            except Exception as error:
                error.add_note(f"{self.name} demands: {self.demand}")
                error.add_note(f"To declare an exception: {self.exception}")
                raise


# In the order in which the modules define them.
CHECKS: dict[str, Check] = {}


def check(*needs: Need, promise: str | None = None) -> Callable[[Callable[[Subject], None]], Check]:
    """Register a check."""

    def register(body: Callable[[Subject], None]) -> Check:
        made = Check(body, needs, promise)
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
