"""Are the compiled kernels slower than those of another build, and are all results the same?

Run ``python benchmarks/compare_kernels.py OTHER [WORD ...] [--rounds 41]``. OTHER is a compiled
file, or a folder that contains one; words choose the cases whose names contain one of them. Both
builds run in one process and take turns. The table shows the least processor times, and how fast
this build is: the median of the ratios of the rounds, 1 if it is as fast; the slowest come last.
Results that differ in a bit, or in the records of an older build, are marked.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import struct
import sys
import time
from collections.abc import Callable
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np

import sklearn_clustcompare._kernels as package_of
from sklearn_clustcompare._kernels import _numpy

HERE = Path(__file__).resolve().parents[1] / "sklearn_clustcompare" / "_kernels"

# Seconds that one sample takes at least.
_SAMPLE = 2e-3

Case = tuple[Any, ...]


def load(path: Path, package: str) -> Any:
    """Import a compiled file under another name, beside those imported before."""
    if path.is_dir():
        found = sorted(path.rglob("_compiled.*.so")) + sorted(path.rglob("_compiled.*.pyd"))
        if len(found) != 1:
            msg = f"{path} must contain one compiled file of the kernels, got {len(found)}"
            raise SystemExit(msg)
        path = found[0]
    name = f"{package}._compiled"
    spec = spec_from_file_location(name, path, loader=ExtensionFileLoader(name, str(path)))
    assert spec is not None
    module = module_from_spec(spec)
    assert spec.loader is not None
    # It takes records from the kernels of NumPy beside it.
    twin = spec_from_file_location(_numpy.__name__, path.with_name("_numpy.py"))
    assert twin is not None
    beside = module_from_spec(twin)
    assert twin.loader is not None
    sys.modules[_numpy.__name__] = package_of._numpy = beside
    try:
        twin.loader.exec_module(beside)
        spec.loader.exec_module(module)
    finally:
        sys.modules[_numpy.__name__] = package_of._numpy = _numpy
    return module


def make_cases() -> dict[str, Case]:
    """Return the kernel and the arguments of each case."""
    rng = np.random.default_rng(0)
    cases: dict[str, Case] = {}

    def labels(n: int, k: int, dtype: str = "i8") -> Any:
        return rng.integers(k, size=n).astype(dtype)

    for mine, other in itertools.product(["u1", "i2", "i4", "i8"], repeat=2):
        arrays = labels(10**5, 30, mine), labels(10**5, 30, other)
        cases[f"count_pair {mine} {other} 1e5"] = ("count_pair", *arrays)
    for dtype, n in itertools.product(["u1", "i4", "i8"], [150, 10**4, 10**6]):
        arrays = labels(n, 10, dtype), labels(n, 10, dtype)
        cases[f"count_pair {dtype} {n:.0e}"] = ("count_pair", *arrays)
    arrays = labels(10**6, 1000), labels(10**6, 1000)
    cases["count_pair i8 1e6, 1000 clusters"] = ("count_pair", *arrays)
    arrays = np.sort(labels(10**5, 200, "i2")), labels(10**5, 16)
    cases["count_pair i2 i8 1e5 sorted"] = ("count_pair", *arrays)

    for dtype, side in itertools.product(["i4", "i8"], [3, 50, 1000]):
        cases[f"pack_table {dtype} {side}"] = (
            "pack_table",
            rng.integers(9, size=(side, side), dtype=dtype),
        )
    gaps = rng.integers(1, 9, size=(700, 700))
    gaps[::3] = gaps[:, ::2] = 0
    cases["pack_table i8 700 gaps"] = ("pack_table", gaps)

    for dtype, (n, most) in itertools.product(["i4", "i8"], [(9, 99), (10**4, 999), (10**6, 99)]):
        counts = rng.integers(most, size=n, dtype=dtype)
        cases[f"sum_of_squares {dtype} {n}"] = ("sum_of_squares", counts, int(counts.sum()))
    counts = rng.integers(9000, size=10**5, dtype=np.int32)
    cases["sum_of_squares i4 large"] = ("sum_of_squares", counts, int(counts.sum()))

    for dtype, n, k in [
        ("u2", 10**3, 900),
        ("i4", 10**5, 50_000),
        ("i8", 10**5, 50_000),
        ("i8", 10**5, 90_000),
        ("i8", 10**6, 60_000),
        ("i8", 10**6, 900_000),
    ]:
        arguments = labels(n, k, dtype), labels(n, k, dtype), 0, 0, (k, k)
        cases[f"count_sparsely {dtype} {n:.0e}, {k} clusters"] = ("count_sparsely", *arguments)

    for dtype in ("u1", "i2", "i4", "i8"):
        cases[f"number_codes {dtype} 1e5"] = ("number_codes", labels(10**5, 100, dtype), 100)
        odd = 2 * labels(10**5, 50, dtype) + np.array(1, dtype)
        cases[f"number_codes {dtype} 1e5 gaps"] = ("number_codes", odd, 100)

    for n, k, text in [
        (150, 3, "U4"),
        (10**5, 20, "U10"),
        (10**5, 20, "S3"),
        (10**5, 60_000, "U10"),
    ]:
        texts = np.char.add("c", labels(n, k).astype("U8")).astype(text)
        cases[f"number_text {text} {n:.0e}, {k} clusters"] = ("number_text", texts)
    for n, k in [(150, 3), (10**5, 20), (10**5, 60_000)]:
        names = np.array([f"c{number}" for number in range(k)], object)
        cases[f"number_objects {n:.0e}, {k} clusters"] = ("number_objects", names[labels(n, k)])

    for n, k in [(10**3, 5), (10**4, 20), (10**4, 100)]:
        codes = rng.integers(k, size=(9, n)).astype(np.uint16)
        groups = [(0, 1, 2), (3, 4, 5), (6, 7)]
        cases[f"square_sums_together {n:.0e}, {k} clusters"] = (
            "square_sums_together",
            codes,
            groups,
            [k] * 9,
        )

    for dtype, n in itertools.product(["i8", "f8"], [9, 10**4]):
        parts = rng.integers(1, 99, size=n).astype(dtype)
        cases[f"log_ratio_sum {dtype} {n}"] = ("log_ratio_sum", parts, parts + 7, 10**6)
        cases[f"log_ratio_sum {dtype} {n} one whole"] = ("log_ratio_sum", parts, 10**6, 10**6)

    for shape in [(150, 3), (10**5, 2), (10**5, 9)]:
        rows = rng.dirichlet(np.ones(shape[1]), shape[0])
        cases[f"membership_bounds {shape[0]:.0e} x {shape[1]}"] = ("membership_bounds", rows)

    for n, sizes in [
        (150, [40, 50, 60]),
        (10**4, range(20, 200, 7)),
        (10**6, range(5000, 20_000, 500)),
    ]:
        side = np.array(sizes, float)
        other = side[1:] + 1.0
        margins = side, np.ones(len(side)), other, np.full(len(other), 2.0)
        rows, cols = (grid.ravel() for grid in np.meshgrid(side, other))
        shares = 1e-4 ** np.arange(1.0, 9.0)
        for name in ("convex_gain_sums", "conditional_gain_sums"):
            cases[f"{name} {n:.0e}"] = (name, *margins, float(n))
        cases[f"entropy_expansions {n:.0e}"] = ("entropy_expansions", rows, cols, float(n), shares)
    states = np.array([[a, b, 130 - a - b] for a in range(20, 59) for b in range(20, 59)])
    cells = np.arange(59 * 60, dtype=float)
    arguments = (
        states,
        np.arange(3),
        62,
        59 * (states % 60),
        -cells / cells.size,
        cells.astype(int),
    )
    cases["column_fillings 1521 states"] = ("column_fillings", *arguments, 10**7)
    first = np.arange(0, 10**6 + 1, 1000)
    branches = np.repeat(np.arange(1000), 100)
    missing = np.tile(np.arange(100)[::-1], 1000)
    cases["tails_of_ways 1e6"] = (
        "tails_of_ways",
        first,
        rng.integers(-5, 110, size=10**6),
        rng.random(10**6),
        branches,
        missing,
        rng.random(len(branches)),
    )
    return cases


def bits(value: Any) -> Any:
    """Return what is equal only for results that are equal to the last bit."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, list | tuple):
        return type(value).__name__, [bits(one) for one in value]
    return struct.pack("d", value) if isinstance(value, float) else (type(value), value)


def cpu_seconds(function: Callable[..., Any], arguments: Case, loops: int) -> float:
    start = time.process_time_ns()
    for _ in range(loops):
        function(*arguments)
    return (time.process_time_ns() - start) / loops * 1e-9


def compare(other: Any, this: Any, case: Case, rounds: int) -> tuple[float, float, float, bool]:
    """Return the speed, the least times of both builds, and whether their results are equal."""
    name, *arguments = case
    functions = getattr(other, name), getattr(this, name)
    first, second = (bits(function(*arguments)) for function in functions)
    loops = 1
    while (once := cpu_seconds(functions[0], tuple(arguments), loops)) * loops < _SAMPLE:
        loops = max(2 * loops, int(1.2 * _SAMPLE / once) if once else 0)
    times = np.empty((rounds, 2))
    for number, pair in enumerate(times):
        for which in (0, 1) if number % 2 else (1, 0):
            pair[which] = cpu_seconds(functions[which], tuple(arguments), loops)
    return float(np.median(times[:, 0] / times[:, 1])), *times.min(axis=0).tolist(), first == second


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("other", type=Path, help="a compiled file, or what contains one")
    parser.add_argument("words", nargs="*", help="parts of the names of cases; all by default")
    parser.add_argument("--rounds", type=int, default=41)
    options = parser.parse_args()
    other, this = load(options.other, "other"), load(HERE, "this")
    rows = []
    for name, case in make_cases().items():
        is_asked = any(word in name for word in options.words or [""])
        if is_asked and hasattr(other, case[0]):
            rows.append((*compare(other, this, case, options.rounds), name))
    print(f"{'case':45} {'other':>10} {'this':>10} {'speed':>6}")
    for speed, theirs, mine, is_equal, name in sorted(rows, reverse=True):
        mark = "" if is_equal else "  other results"
        print(f"{name:45} {theirs * 1e6:8.1f}us {mine * 1e6:8.1f}us {speed:6.2f}{mark}")
    speeds, are_equal = [row[0] for row in rows], [row[3] for row in rows]
    print(
        f"{len(rows)} cases, {sum(are_equal)} with equal results; median speed "
        f"{statistics.median(speeds):.2f}"
    )


if __name__ == "__main__":
    main()
