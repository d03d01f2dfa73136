"""Tasks that fit clusterers: one thread each, and warnings once each, after all of them.

Fits in one thread are faster for small data, and give the same bits wherever they run: threads of
OpenMP and BLAS add up in an order of their own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Protocol, TypeVar

# Libraries used in fits have to be loaded before the controller looks for them.
import scipy.linalg  # noqa: F401
import sklearn.cluster  # noqa: F401
from threadpoolctl import ThreadpoolController

from sklearn_clustcompare._tasks import progress, results_as_finished, run_tasks
from sklearn_clustcompare.without_reference._fitting import Warnings, caught_warnings, warn_once

T = TypeVar("T")


class SizedTasks(Protocol):
    """Tasks, and how many there are at most."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[tuple[Any, ...]]: ...


def run_fits(
    function: Callable[..., T],
    tasks: Sequence[tuple[Any, ...]],
    *,
    n_jobs: int | None,
    verbose: Any,
    description: str,
) -> list[T]:
    """Return ``function(*task)`` for each task; warnings name the caller of the caller."""
    progressing = progress(tasks, verbose=verbose, description=description, total=len(tasks))
    with caught_warnings() as in_threads, one_thread():
        results = run_tasks(_call, ((function, task) for task in progressing), n_jobs=n_jobs)
    warn_once([*in_threads, *(one for _, kept in results for one in kept)], stacklevel=3)
    return [result for result, _ in results]


def keep_fits(
    function: Callable[..., T],
    tasks: SizedTasks,
    keep: Callable[[T], None],
    *,
    n_jobs: int | None,
    verbose: Any,
    description: str,
) -> None:
    """Call ``keep(function(*task))`` for each task as soon as it is finished, in no order.

    Tasks are taken as workers need them, so that ``keep`` can make them end.

    Warnings name the caller of the caller.
    """
    kept_warnings: Warnings = []
    with caught_warnings() as in_threads, one_thread():
        found = results_as_finished(_call, ((function, task) for task in tasks), n_jobs=n_jobs)
        for result, kept in progress(
            found, verbose=verbose, description=description, total=len(tasks)
        ):
            keep(result)
            kept_warnings += kept
    warn_once([*in_threads, *kept_warnings], stacklevel=3)


def _call(function: Callable[..., T], task: tuple[Any, ...]) -> tuple[T, Warnings]:
    with caught_warnings() as kept, one_thread():
        result = function(*task)
    return result, kept


@cache
def _controller() -> Any:
    return ThreadpoolController()


def one_thread() -> Any:
    """Return a context in which native code uses one thread.

    The setting of BLAS is that of the process, so only its main thread may change it.
    """
    is_main = threading.current_thread() is threading.main_thread()
    return _controller().limit(limits=1, user_api=None if is_main else "openmp")
