"""How long does ``clustcompare compare`` take on a file of a million rows and three columns?

Beside it, a program that reads the file by pandas and computes one index. Both run as processes of
their own, with the import of what they need.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks._harness import OURS, AtMost, Faster, Target, main, optional

PANDAS = "pandas"
CSV = "1e6 rows x 3 columns"
QUOTED = "1e6 rows x 3 columns, quoted"

_READ_BY_PANDAS = """
import sys
import pandas
from sklearn_clustcompare import adjusted_rand_score

frame = pandas.read_csv(sys.argv[1])
print(adjusted_rand_score(frame["type"], frame["found"]))
"""


@lru_cache(maxsize=1)
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


@lru_cache(maxsize=2)
def make_file(case: str) -> Path:
    path = Path(_folder().name) / f"{case}.csv"
    rng = np.random.default_rng(0)
    types = rng.integers(0, 20, 10**6)
    found = np.where(rng.random(10**6) < 0.7, types, rng.integers(0, 25, 10**6))
    quote = '"' if case == QUOTED else ""
    rows = zip(types.tolist(), found.tolist(), rng.normal(size=10**6).tolist(), strict=True)
    with path.open("w") as file:
        file.write("type,found,x\n")
        file.writelines(f"{quote}class {i}{quote},{j},{x:.4f}\n" for i, j, x in rows)
    return path


def run(command: list[str]) -> float:
    """Run a process, and return its peak memory in MB."""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    process = subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.DEVNULL, env=environment
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        msg = f"{command} ended with status {process.returncode}"
        raise RuntimeError(msg)
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


class _OfAProcess:
    """What both benchmarks set up."""

    param_names = ("case", "peer")
    params = ([CSV, QUOTED], [OURS, PANDAS])
    quick = frozenset(params[0])

    def setup(self, case: str, peer: str) -> None:
        if peer == PANDAS and optional("pandas") is None:
            raise NotImplementedError
        path = str(make_file(case))
        compare = ["-m", "sklearn_clustcompare", "compare", path, "--true", "type"]
        self.command = {
            OURS: [*compare, "--pred", "found"],
            PANDAS: ["-c", _READ_BY_PANDAS, path],
        }[peer]


class CompareTime(_OfAProcess):
    """Seconds of the whole process."""

    n_processors = 1
    targets: dict[str, tuple[Target, ...]] = dict.fromkeys(
        _OfAProcess.params[0], (Faster(PANDAS, 1 / 2),)
    )

    def time_compare(self, case: str, peer: str) -> None:
        run(self.command)


class CompareMemory(_OfAProcess):
    """Peak memory of the whole process, with Python and what it imports."""

    targets: dict[str, tuple[Target, ...]] = dict.fromkeys(
        _OfAProcess.params[0], (AtMost(250, "MB"),)
    )

    def track_peak_memory(self, case: str, peer: str) -> float:
        return run(self.command)

    track_peak_memory.unit = "MB"  # type: ignore[attr-defined]


if __name__ == "__main__":
    main([CompareTime, CompareMemory], __doc__ or "")
