"""The record of a check: its name, what it demands, who is excepted, its function; the list."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple
from unittest import SkipTest

from sklearn_clustcompare.checks._subject import Subject


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
