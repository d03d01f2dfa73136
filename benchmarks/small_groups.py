"""Which small groups of large data does ``choose_n_clusters`` find, and does it find any in none?

Run ``python benchmarks/small_groups.py [--draws 10] [--tables power designs nothing]``. Only the
stage for small groups is run, on two samples of half of the rows each. Three tables are printed,
with the CPU seconds of a data set:

- a normal cloud with one group eight standard deviations from its middle, by the rows of a sample
  and those of them in the group: the share of data sets in which it is found (Jaccard index with
  the rows drawn of at least 0.75). From it come the numbers of rows behind ``smallest_share``;
- other designs of one or two groups;
- data of one cluster, of several equal ones, and bent ones, where any group is an error.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.verdicts import bent, plain
from sklearn_clustcompare.without_reference import _n_clusters

FloatArray = NDArray[np.float64]
Generator = np.random.Generator
# Data, and the number of the group of each row, 0 for none.
Drawn = tuple[FloatArray, NDArray[np.intp]]
SERIAL = {"n_jobs": None, "verbose": 0}
FOUND = 0.75


def planted(
    rng: Generator, X: FloatArray, shares: list[float], distance: float, spread: float = 1.0
) -> Drawn:
    """Replace shares of the rows by normal groups at a distance from the mean."""
    truth = rng.choice(len(shares) + 1, len(X), p=[1 - sum(shares), *shares])
    for number in range(1, len(shares) + 1):
        rows = truth == number
        way = rng.normal(size=X.shape[1])
        center = X.mean(axis=0) + distance * way / np.linalg.norm(way)
        X[rows] = center + spread * rng.normal(size=(rows.sum(), X.shape[1]))
    return X, truth


def designs(rng: Generator, n: int) -> Iterator[tuple[str, Drawn]]:
    cloud = lambda p: rng.normal(size=(n, p))  # noqa: E731
    yield "0.2 %, 7 sd, 4 features", planted(rng, cloud(4), [0.002], 7)
    yield "0.2 %, 7 sd, 10 features", planted(rng, cloud(10), [0.002], 7)
    yield "0.5 %, 7 sd, 30 features", planted(rng, cloud(30), [0.005], 7)
    yield "2 %, 7 sd, 6 features", planted(rng, cloud(6), [0.02], 7)
    yield "0.3 and 0.6 %, 8 sd", planted(rng, cloud(10), [0.003, 0.006], 8)
    yield "1 %, half as wide, 7 sd", planted(rng, cloud(5), [0.01], 7, 0.5)
    four = 10 * np.eye(8)[rng.integers(4, size=n)]
    yield "0.5 % beside four clusters", planted(rng, four + cloud(8), [0.005], 14)
    yield "1 %, 14 from a t of 5", planted(rng, rng.standard_t(5, (n, 6)), [0.01], 14)


def nothing(rng: Generator, n: int) -> Iterator[tuple[str, FloatArray]]:
    yield from ((name, X) for name, _, X in plain(rng, n))
    yield from ((name, X) for name, _, X in bent(rng, n))
    yield "four equal clusters", rng.normal(size=(n, 5)) + 7 * np.eye(5)[rng.integers(4, size=n)]
    nested = np.array([[0, 0], [5, 0], [20, 0], [25, 0]])[rng.integers(4, size=n)]
    yield "nested clusters", rng.normal(size=(n, 2)) + nested


def groups_of(X: FloatArray, seed: int) -> NDArray[np.intp]:
    """Return the number of the group of each row, -1 for none."""
    rows = min(_n_clusters.n_rows_sought(*X.shape), len(X) // 2)
    order = np.random.default_rng(seed).permutation(len(X))
    samples = [X[order[:rows]], X[order[rows : 2 * rows]]]
    found = _n_clusters.sought(samples, np.asarray, "auto", seed, SERIAL)
    return np.full(len(X), -1) if found is None else found.of(X)


def is_found(drawn: Drawn, seed: int) -> bool:
    """Return whether all groups are found, and no other one."""
    X, truth = drawn
    found = groups_of(X, seed)
    jaccards = [
        max((np.mean((found == one) & (truth == true)) / np.mean((found == one) | (truth == true))
             for one in np.unique(found[found >= 0])), default=0.0)
        for true in np.unique(truth[truth > 0])
    ]  # fmt: skip
    return min(jaccards) >= FOUND and len(np.unique(found[found >= 0])) == len(jaccards)


def share(results: list[bool]) -> str:
    mean = np.mean(results)
    error = np.sqrt(mean * (1 - mean) / len(results))
    return f"{mean:.2f} +- {error:.2f} of {len(results)}"


def report(name: str, run: Callable[[int], bool], draws: int) -> None:
    start = time.process_time()
    results = [run(draw) for draw in range(draws)]
    seconds = (time.process_time() - start) / draws
    print(f"{name:34}{share(results):>22}{seconds:8.1f} s", flush=True)


def power(draws: int, halves: list[int]) -> None:
    print("One group, eight standard deviations away: found")
    for half, size, p in product(halves, (15, 20, 30, 40), (4, 20)):

        def run(draw: int, half: int = half, size: int = size, p: int = p) -> bool:
            rng = np.random.default_rng([draw, half, size, p])
            X = rng.normal(size=(2 * half, p))
            return is_found(planted(rng, X, [size / half], 8), draw)

        report(f"{size} of {half} rows, {p} features", run, draws)


def of_all(kinds: Callable[..., Iterator[Any]], is_right: Any, draws: int, n: int) -> None:
    for number, (name, _) in enumerate(kinds(np.random.default_rng(0), 100)):

        def run(draw: int, number: int = number) -> bool:
            rng = np.random.default_rng([draw, 1 if kinds is designs else 2])
            return bool(is_right(next(islice(kinds(rng, n), number, None))[1], draw))

        report(name, run, draws)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--rows", type=int, default=40_000)
    parser.add_argument("--halves", type=int, nargs="+", default=[1000, 5000, 20_000])
    parser.add_argument("--tables", nargs="+", default=["power", "designs", "nothing"])
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    draws, n = arguments.draws, arguments.rows
    if "power" in arguments.tables:
        power(draws, arguments.halves)
    if "designs" in arguments.tables:
        print("Other designs: all found, and no other")
        of_all(designs, is_found, draws, n)
    if "nothing" in arguments.tables:
        print("No group: found one")
        of_all(nothing, lambda X, draw: (groups_of(X, draw) >= 0).any(), draws, n)


if __name__ == "__main__":
    main()
