"""All benchmarks in one table, a column for each peer: ``python -m benchmarks [--quick]``."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from pathlib import Path

from benchmarks._harness import main


def find_benchmarks() -> list[type]:
    """Return the asv classes of the files ``bench_*.py``, in the order of files and lines."""
    found: list[type] = []
    for module_info in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if module_info.name.startswith("bench_"):
            module = importlib.import_module(f"benchmarks.{module_info.name}")
            found += [
                value
                for _, value in inspect.getmembers(module, inspect.isclass)
                if value.__module__ == module.__name__
                and any(name.startswith(("time_", "track_")) for name in vars(value))
            ]
    return sorted(found, key=lambda benchmark: (benchmark.__module__, _first_line(benchmark)))


def _first_line(benchmark: type) -> int:
    return inspect.getsourcelines(benchmark)[1]


if __name__ == "__main__":
    main(find_benchmarks(), __doc__ or "")
