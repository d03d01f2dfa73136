"""Parallel tasks by joblib, taken one by one, and progress of long calls."""

from __future__ import annotations

import math
import numbers
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sized
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from itertools import chain, islice
from pickle import PicklingError
from tempfile import gettempdir
from typing import Any, Literal, TypeVar

from joblib import Parallel, delayed, effective_n_jobs
from joblib.parallel import (
    LokyBackend,
    MultiprocessingBackend,
    ThreadingBackend,
    get_active_backend,
)

from sklearn_clustcompare._memory import is_long, time_text
from sklearn_clustcompare._options import shortened

T = TypeVar("T")
Prefer = Literal["threads", "processes"]

# Seconds of work that are worth the cost of a pool: threads start and stop in some 10 ms, and
# processes import the package first.
_WORTH = {"threads": 0.05, "processes": 2.0}
_PROCESSES = LokyBackend, MultiprocessingBackend


def run_tasks(
    function: Callable[..., T],
    tasks: Iterable[tuple[Any, ...]],
    *,
    n_jobs: int | None,
    prefer: Prefer | None = None,
    total: int = 0,
    times: list[float] | None = None,
    require: str | None = None,
) -> list[T]:
    """Return ``function(*task)`` for each task, in their order.

    All parallel work goes through it. The function must be defined in a module, or a partial of
    such a function, so that every backend can pickle it. No more tasks are taken than the workers
    need to stay busy, and no more workers are started than there are tasks. Errors of the iterator
    of the tasks are raised here, and a worker that dies ends the call. ``require`` is that of
    joblib; its other options are the same for every call, as loky starts its processes again
    for others.

    The backend is the one that the user sets, or that the function is made for: "threads" if its
    loops release the GIL, "processes" if not. One that is not joblib's own, such as dask, gets all
    tasks. Else the first ones, which should be short, are done here until the remaining ones of the
    ``total`` are worth a pool. They are taken to be half as many as those done, if the total is not
    known. ``times`` collects the seconds of tasks done here, over several calls. ``prefer=None`` is
    for tasks that may take long from the first one on, such as fits: processes get all of them.
    """
    most = n_workers(n_jobs)
    if most == 1:
        return [function(*task) for task in tasks]
    source = _Source(tasks)
    ahead, done = iter(source), []
    backend = get_active_backend(prefer=prefer)[0]
    if prefer is not None and isinstance(backend, (*_PROCESSES, ThreadingBackend)):
        times = [] if times is None else times
        worth = _WORTH["processes" if isinstance(backend, _PROCESSES) else "threads"]
        done = _first_results(function, ahead, worth, total, times)
    waiting = list(islice(ahead, most))
    if waiting:
        given = {"prefer": prefer, "require": require}
        hints = {name: hint for name, hint in given.items() if hint is not None}
        # One task a batch: joblib would grow batches of quick tasks, and read far ahead for them.
        parallel = Parallel(n_jobs=len(waiting), batch_size=1, **hints)
        with _explained_failures():
            done += parallel(delayed(function)(*task) for task in chain(waiting, ahead))
    if source.error is not None:
        raise source.error
    return done


def _first_results(
    function: Callable[..., T],
    tasks: Iterator[tuple[Any, ...]],
    worth: float,
    total: int,
    times: list[float],
) -> list[T]:
    """Return the results of the first tasks, until the others would take so many seconds."""
    results: list[T] = []
    while True:
        n_left = max(total - len(results), len(results) / 2)
        # One short task may have been interrupted: two are needed to believe it.
        are_known = len(times) > 1 or any(one > _WORTH["threads"] for one in times)
        if are_known and min(times[-2:]) * n_left > worth:
            return results
        try:
            task = next(tasks)
        except StopIteration:
            return results
        begin = time.perf_counter()
        results.append(function(*task))
        times.append(time.perf_counter() - begin)


class _UndefinedIgnored:
    """A context that ignores warnings of undefined values, in several threads at the same time.

    Filters are those of the process: if each thread restored the filters that it found, the last
    one would restore those that another one had set.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._n_inside = 0

    def __enter__(self) -> None:
        from sklearn.exceptions import UndefinedMetricWarning

        with self._lock:
            if self._n_inside == 0:
                self._filters = warnings.catch_warnings()
                self._filters.__enter__()
                warnings.simplefilter("ignore", UndefinedMetricWarning)
            self._n_inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._n_inside -= 1
            if self._n_inside == 0:
                self._filters.__exit__(None, None, None)


UNDEFINED_IGNORED = _UndefinedIgnored()


@contextmanager
def _explained_failures() -> Iterator[None]:
    """Name the remedy if a worker failed, and not its task."""
    try:
        yield
    except PicklingError as error:
        reason = _last_line(error.__cause__)
        if not reason.startswith("OSError"):
            raise
        folder = os.environ.get("JOBLIB_TEMP_FOLDER") or f"/dev/shm or {gettempdir()}"
        msg = (
            f"joblib could not write the arrays of a task into its folder, {folder} ({reason}): "
            "make room there, set JOBLIB_TEMP_FOLDER to another folder, or use n_jobs=1"
        )
        raise RuntimeError(msg) from error
    except BrokenExecutor as error:
        if error.__cause__ is None:
            msg = (
                "a worker process died in the middle of its task (killed by the system for lack of "
                "memory, or by a user): try again with a smaller n_jobs, or with n_jobs=1. Joblib "
                f"reports: {' '.join(str(error).split())}"
            )
        else:  # the traceback of the worker, whose last line is the error
            msg = (
                "a worker process could not receive its task, or could not return its result "
                f"({_last_line(error.__cause__)}): try again with n_jobs=1"
            )
        raise RuntimeError(msg) from error
    except Exception as error:
        if type(error).__name__ == "KilledWorker":  # of dask, which need not be installed
            msg = f"a worker of dask died in the middle of its task: {' '.join(str(error).split())}"
            raise RuntimeError(msg) from error
        raise


def _last_line(traceback: Any) -> str:
    """Return the error at the end of a traceback given as text."""
    return ["", *str(traceback).strip('"\n ').splitlines()][-1]


def n_workers(n_jobs: Any) -> int:
    """Return the number of workers for ``n_jobs``, in the context of joblib.

    Raise TypeError or ValueError unless ``n_jobs`` is None or an integer other than 0.
    """
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, numbers.Integral | None):
        msg = f"n_jobs must be None or an integer, got {shortened(n_jobs)}"
        raise TypeError(msg)
    if n_jobs == 0:
        msg = "n_jobs must not be 0: use 1 for one job, -1 for all processors, got 0"
        raise ValueError(msg)
    return int(effective_n_jobs(n_jobs))


class _Source:
    """Tasks of an iterator up to its end or its first error, which is kept.

    Joblib takes most tasks in its own thread, where an error would leave the call waiting.
    """

    def __init__(self, tasks: Iterable[tuple[Any, ...]]) -> None:
        self._tasks = tasks
        self.error: Exception | None = None

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._tasks
        except Exception as error:
            self.error = error


# --------------------------------------------------------------------------- progress

# Seconds between two lines of plain text.
_INTERVAL = 2.0
# Seconds of work that an estimate is made of.
_SEEN = 1.0
# When the work that was announced last is done, so that its parts are not announced, too; and
# whether all work belongs to one call.
_announced = {"until": 0.0, "is_one": False}


def check_verbose(verbose: Any) -> None:
    """Raise TypeError or ValueError unless ``verbose`` is None or an integer from 0 on."""
    if not isinstance(verbose, numbers.Integral | None):
        msg = f"verbose must be None or an integer from 0 on, got {shortened(verbose)}"
        raise TypeError(msg)
    if verbose is not None and int(verbose) < 0:
        msg = f"verbose must be None or an integer from 0 on, got {shortened(verbose)}"
        raise ValueError(msg)


def progress(
    items: Iterable[T], *, verbose: Any, description: str, total: int | None = None
) -> Iterator[T]:
    """Pass items on; with ``verbose`` show how many of ``total`` are done.

    A bar if tqdm is installed, in notebooks a widget; otherwise lines on stderr. None shows one
    line with an estimate if the work is long, on a terminal or in a notebook. The number of items
    is the total unless it is given.
    """
    check_verbose(verbose)
    if total is None and isinstance(items, Sized):
        total = len(items)
    if verbose is None and total is not None and _is_watched():
        return _estimated(items, description, total)
    if not verbose:
        return iter(items)
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _plain(items, description, total)
    return iter(tqdm(items, desc=description, total=total))


def _is_watched() -> bool:
    return sys.stderr.isatty() or "ipykernel" in sys.modules


def _estimated(items: Iterable[T], description: str, total: int) -> Iterator[T]:
    begin = time.monotonic()
    for n_done, item in enumerate(items):
        now = time.monotonic()
        if n_done and now - begin >= _SEEN and now >= _announced["until"]:
            seconds = (now - begin) / n_done * max(total - n_done, 0)
            if is_long(seconds):
                _announced["until"] = math.inf if _announced["is_one"] else now + seconds
                about = f"{description}: may take about {time_text(seconds)} more"
                print(f"{about} (verbose=0 is silent)", file=sys.stderr, flush=True)
        yield item


@contextmanager
def one_estimate() -> Iterator[None]:
    """Announce the work of a call once, however many parts it has."""
    before = dict(_announced)
    _announced["is_one"] = True
    try:
        yield
    finally:
        _announced.update(_announced if before["is_one"] else before)


def _plain(items: Iterable[T], description: str, total: int | None) -> Iterator[T]:
    n_items, told = 0, time.monotonic()
    for item in items:
        yield item
        n_items += 1
        if time.monotonic() - told >= _INTERVAL:
            _tell(description, n_items, total)
            told = time.monotonic()
    _tell(description, n_items, total)


def _tell(description: str, n_items: int, total: int | None) -> None:
    of = "" if total is None else f" of {total}"
    print(f"{description}: {n_items}{of}", file=sys.stderr, flush=True)
