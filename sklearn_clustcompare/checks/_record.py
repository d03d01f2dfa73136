"""The record of a check: a named function, what it needs of a clusterer; the list of checks."""

from __future__ import annotations

import functools
import threading
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol
from unittest import SkipTest

from sklearn_clustcompare.checks._subject import Subject


class Need(NamedTuple):
    """What a clusterer must have for a check to apply."""

    text: str
    is_met: Callable[[Subject], bool]


N_CLUSTERS = Need(
    "a parameter for the number of clusters", lambda subject: subject.n_clusters_param is not None
)
RANDOM_STATE = Need("a parameter random_state", lambda subject: subject.has_random_state)
FIT_PREDICT = Need("a method fit_predict", lambda subject: subject.has("fit_predict"))
PREDICT = Need("a method predict", lambda subject: subject.has("predict"))
PREDICT_PROBA = Need("a method predict_proba", lambda subject: subject.has("predict_proba"))
WEIGHTS = Need("sample_weight in fit", lambda subject: subject.takes_weights)
SPARSE = Need("the tag of sparse input", lambda subject: bool(subject.tags.input_tags.sparse))
REPEATABLE = Need("no tag non_deterministic", lambda subject: not subject.tags.non_deterministic)
# Python traces memory for the whole process, and may crash if other threads use it meanwhile.
MAIN_THREAD = Need(
    "the main thread", lambda subject: threading.current_thread() is threading.main_thread()
)


class CheckFunction(Protocol):
    """A registered check: takes an estimator, raises an error if the property does not hold."""

    __name__: str

    def __call__(
        self, estimator: Any, *, n_clusters_param: str | None = "auto", random_state: int = 0
    ) -> None: ...


class Check(NamedTuple):
    """A check, what it needs, and the promise that a clusterer must have made, if any."""

    function: CheckFunction
    needs: tuple[Need, ...]
    promise: str | None

    def applies_to(self, subject: Subject, promises: frozenset[str]) -> bool:
        promised = self.promise is None or self.promise in promises
        return promised and all(need.is_met(subject) for need in self.needs)


# One check at a time: filters of warnings and global generators are those of the process.
_RUNNING = threading.RLock()
# In the order in which the modules define them.
CHECKS: dict[str, Check] = {}


def check(
    *needs: Need, promise: str | None = None
) -> Callable[[Callable[[Subject], None]], CheckFunction]:
    """Register a check, and return a function of an estimator that also runs alone.

    Alone it runs regardless of promises, and raises SkipTest if a need is not met.
    """

    def register(body: Callable[[Subject], None]) -> CheckFunction:
        def run(
            estimator: Any, *, n_clusters_param: str | None = "auto", random_state: int = 0
        ) -> None:
            subject = Subject(estimator, n_clusters_param, random_state)
            for need in needs:
                if not need.is_met(subject):
                    msg = f"{body.__name__} needs {need.text}"
                    raise SkipTest(msg)
            with _RUNNING, warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of convergence, of fewer clusters
                body(subject)

        functools.update_wrapper(run, body)
        del run.__wrapped__  # type: ignore[attr-defined]  # whose parameters differ
        CHECKS[body.__name__] = Check(run, needs, promise)
        return run

    return register


def promises_known() -> list[str]:
    """Return what a clusterer can promise."""
    return [one.promise for one in CHECKS.values() if one.promise is not None]
