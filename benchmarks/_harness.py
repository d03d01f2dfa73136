"""Benchmarks that asv runs, run plainly: one table, a column for each peer.

A benchmark is an asv class with two parameters, the case and the peer. Its ``setup`` raises
NotImplementedError where a peer cannot do a case, for asv as well as here.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from threadpoolctl import threadpool_limits

from sklearn_clustcompare._kernels import KERNELS

OURS = "ours"
# The same functions with the kernels of NumPy, where OURS runs the compiled ones.
OURS_IN_NUMPY = "ours in NumPy"

# Seconds: what one peer may spend on one case, and the least that one sample should take.
_BUDGET = 2.0
_SAMPLE = 2e-3
_MAX_SAMPLES = 50

_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6}


class Faster(NamedTuple):
    """The peer's time must be at least ``times`` ours; 1 / 1.8 lets ours be 1.8 times longer."""

    peer: str
    times: float

    def __str__(self) -> str:
        return f"{self.peer} {_short(self.times)}"

    def is_met(self, values: dict[str, float]) -> bool | None:
        if not {OURS, self.peer} <= values.keys():
            return None
        return values[self.peer] >= self.times * values[OURS]


class AtMost(NamedTuple):
    """Our value itself must not exceed ``limit``."""

    limit: float
    unit: str = "s"

    def __str__(self) -> str:
        return f"<= {_with_unit(self.limit, self.unit)}"

    def is_met(self, values: dict[str, float]) -> bool | None:
        return values[OURS] <= self.limit if OURS in values else None


Target = Faster | AtMost


def optional(name: str) -> Any:
    """Import a module, or return None if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def median_times(
    functions: dict[str, Callable[[], Any]], clock: Callable[[], float]
) -> dict[str, float]:
    """Return the median time of each function in seconds.

    The functions take turns, so that a disturbance of the machine strikes all of them. One
    that is slow is called once.
    """
    samples: dict[str, list[float]] = {}
    loops = {}
    for name, function in functions.items():
        first = _seconds(function, 1, clock)
        loops[name] = max(1, int(_SAMPLE / first))
        samples[name] = [first] if first > _BUDGET else []
    for _ in range(_MAX_SAMPLES):
        for name, function in functions.items():
            if sum(samples[name]) * loops[name] < _BUDGET:
                samples[name].append(_seconds(function, loops[name], clock) / loops[name])
    return {name: statistics.median(times) for name, times in samples.items()}


def _seconds(function: Callable[[], Any], loops: int, clock: Callable[[], float]) -> float:
    start = clock()
    for _ in range(loops):
        function()
    return clock() - start


Row = tuple[str, str, dict[str, float], tuple[Target, ...]]


def main(benchmarks: Iterable[type], description: str) -> None:
    """Run asv classes from the command line and print their table.

    Each class has ``params`` (cases, peers), ``targets`` by case and ``quick``, the cases that
    ``--quick`` keeps; a ``track_*`` method has a ``unit``, a ``time_*`` method takes seconds.
    Everything runs on one processor and takes CPU seconds of this process, or runs on
    ``n_processors`` of the class and takes those of the clock.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="leave out what takes long")
    # What a second process does, in which the kernels of NumPy run.
    parser.add_argument("--json", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.json:
        print(json.dumps([row[2] for row in _rows(benchmarks, options.quick, only_ours=True)]))
        return
    rows = list(_rows(benchmarks, options.quick))
    if KERNELS == "compiled":
        for (_, _, values, _), in_numpy in zip(rows, _values_in_numpy(), strict=True):
            if OURS in in_numpy:
                values[OURS_IN_NUMPY] = in_numpy[OURS]
    print("\n")
    print_table(rows)


def _rows(benchmarks: Iterable[type], quick: bool, only_ours: bool = False) -> Iterator[Row]:
    for benchmark in benchmarks:
        for method in (name for name in vars(benchmark) if name.startswith(("time_", "track_"))):
            cases, peers = benchmark.params  # type: ignore[attr-defined]
            for case in cases:
                if quick and case not in benchmark.quick:  # type: ignore[attr-defined]
                    continue
                with _processors(getattr(benchmark, "n_processors", 1)):
                    values = _measure(benchmark, method, case, [OURS] if only_ours else peers)
                unit = getattr(getattr(benchmark, method), "unit", "s")
                print(".", end="", flush=True, file=sys.stderr)
                targets = benchmark.targets[case]  # type: ignore[attr-defined]
                yield f"{method.split('_', 1)[1]}, {case}", unit, values, targets


def _values_in_numpy() -> list[dict[str, float]]:
    """Measure the same rows in a process with the kernels of NumPy."""
    done = subprocess.run(
        [sys.executable, *sys.orig_argv[1:], "--json"],
        env={**os.environ, "SKLEARN_CLUSTCOMPARE_KERNELS": "numpy"},
        stdout=subprocess.PIPE,
        check=True,
    )
    values: list[dict[str, float]] = json.loads(done.stdout)
    return values


@contextmanager
def _processors(n_processors: int) -> Iterator[None]:
    """Run on the first processors only, if the system can pin a process."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(allowed)[:n_processors])
    try:
        with threadpool_limits(n_processors):
            yield
    finally:
        os.sched_setaffinity(0, allowed)


def _measure(benchmark: type, method: str, case: str, peers: Iterable[str]) -> dict[str, float]:
    functions: dict[str, Callable[[], Any]] = {}
    for peer in peers:
        instance = benchmark()
        try:
            instance.setup(case, peer)
        except NotImplementedError:
            continue
        functions[peer] = _bind(getattr(instance, method), case, peer)
    if method.startswith("track_"):
        return {peer: function() for peer, function in functions.items()}
    is_one_process = not hasattr(benchmark, "n_processors")
    return median_times(functions, time.process_time if is_one_process else time.perf_counter)


def _bind(method: Callable[[str, str], Any], case: str, peer: str) -> Callable[[], Any]:
    return lambda: method(case, peer)


def print_table(rows: list[Row]) -> None:
    """Print rows of case, unit, values by peer and targets, with what follows from them."""
    peers = list(dict.fromkeys(peer for _, _, values, _ in rows for peer in values))
    table = [["case", *peers, "times faster than", "target", "met"]]
    for name, unit, values, targets in rows:
        ratios = [
            f"{peer} {_short(value / values[OURS])}"
            for peer, value in values.items()
            if peer != OURS and values.get(OURS)  # no memory at all has no ratio
        ]
        missed = [str(target) for target in targets if target.is_met(values) is False]
        unknown = [target for target in targets if target.is_met(values) is None]
        verdict = "no: " + ", ".join(missed) if missed else "?" if unknown else "yes"
        table.append(
            [
                name,
                *(_with_unit(values[peer], unit) if peer in values else "-" for peer in peers),
                ", ".join(ratios) or "-",
                ", ".join(map(str, targets)) or "-",
                verdict if targets else "-",
            ]
        )
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = (text.ljust(width) for text, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())


def _with_unit(value: float, unit: str) -> str:
    if unit == "s":
        unit = next((name for name, size in _UNITS.items() if value >= size), "us")
        value /= _UNITS[unit]
    return f"{_short(value)} {unit}"


def _short(number: float) -> str:
    return f"{number:.0f}" if number >= 99.5 else f"{number:.3g}"
