"""How far the p-value of independence_test(method="gamma") is from Monte Carlo.

Run ``python benchmarks/gamma_pvalues.py [--quick]``. Random tables with fixed margins are drawn
and sorted by MI_q; at some of them the gamma p-value is compared with the share of tables that
agree at least as much. Columns, for each order q: *bulk*, the largest difference for p from 0.05
to 0.95; *1 %* and *0.1 %*, gamma p-value divided by the simulated one where the latter is about
0.01 and 0.001 (above 1: the gamma law is cautious). A dash: no table is that rare.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sklearn_clustcompare import PermutationModel, independence_test

ORDERS = (0.5, 1, 2, 3)
BULK = (0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95)
TAILS = (0.01, 0.001)
# A simulated p-value this many times the one aimed at is another one: the law has few values.
_MISSED = 2.0
_TABLES_PER_CHUNK = 2000
# In a skewed partition each cluster has this share of what larger ones left.
_SKEW = 0.5


class Distance(NamedTuple):
    """How far the gamma p-values of one law are from simulated ones."""

    bulk: float
    tails: tuple[float | None, ...]


def cluster_sizes(n_samples: int, n_clusters: int, shape: str) -> NDArray[np.int64]:
    """Divide objects among clusters; each has one at least."""
    shares = np.ones(n_clusters) if shape == "balanced" else _SKEW ** np.arange(n_clusters)
    free = n_samples - n_clusters
    sizes = 1 + np.floor(free * shares / shares.sum()).astype(np.int64)
    sizes[: n_samples - sizes.sum()] += 1
    return sizes


def sums(tables: NDArray[np.int64], q: float) -> NDArray[np.float64]:
    """Return sums of phi(n_ij): MI_q up to a constant and a factor."""
    shares = tables / tables[0].sum()
    occupied = np.where(shares > 0, shares, 1.0)
    terms = np.log(occupied) if q == 1 else (occupied ** (q - 1) - 1) / (q - 1)
    return (shares * terms).sum(axis=(1, 2))


def draws(model: PermutationModel, n_tables: int) -> Iterator[NDArray[np.int64]]:
    rng = np.random.RandomState(0)
    for start in range(0, n_tables, _TABLES_PER_CHUNK):
        yield model.rvs(min(_TABLES_PER_CHUNK, n_tables - start), rng)


def distances(sizes: NDArray[np.int64], n_tables: int) -> list[Distance]:
    """Compare for each order, with these cluster sizes on both sides."""
    model = PermutationModel(sizes, sizes)
    values = np.hstack([[sums(tables, q) for q in ORDERS] for tables in draws(model, n_tables)])
    ranks = np.argsort(values, axis=1)
    wanted = {}
    for row, p in itertools.product(range(len(ORDERS)), (*BULK, *TAILS)):
        wanted[row, p] = int(ranks[row, min(int((1 - p) * n_tables), n_tables - 1)])
    chosen = _tables_at(model, n_tables, set(wanted.values()))
    found = []
    for row, q in enumerate(ORDERS):
        pairs = {
            p: _p_values(chosen[wanted[row, p]], q, values[row], wanted[row, p])
            for p in (*BULK, *TAILS)
        }
        bulk = [
            abs(gamma - simulated)
            for gamma, simulated in pairs.values()
            if BULK[0] <= simulated <= BULK[-1]
        ]
        tails = tuple(
            gamma / simulated if simulated < _MISSED * p else None
            for p, (gamma, simulated) in ((p, pairs[p]) for p in TAILS)
        )
        found.append(Distance(max(bulk, default=0.0), tails))
    return found


def _tables_at(
    model: PermutationModel, n_tables: int, positions: set[int]
) -> dict[int, NDArray[np.int64]]:
    """Draw again, as all tables together may not fit into memory."""
    chosen = {}
    for number, tables in enumerate(draws(model, n_tables)):
        start = number * _TABLES_PER_CHUNK
        for position in positions.intersection(range(start, start + len(tables))):
            chosen[position] = tables[position - start].copy()
    return chosen


def _p_values(
    counts: NDArray[np.int64], q: float, values: NDArray[np.float64], position: int
) -> tuple[float, float]:
    rows, cols = np.nonzero(counts)
    test = independence_test(rows, cols, q=q, method="gamma", sample_weight=counts[rows, cols])
    return test.pvalue, float(np.mean(values >= values[position] - 1e-12))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer sizes and tables")
    quick = parser.parse_args().quick
    n_tables = 5_000 if quick else 50_000
    cases = [
        (n_samples, n_clusters, shape)
        for n_samples in ((50, 1000) if quick else (50, 200, 1000, 10_000))
        for n_clusters in ((2, 5, 10) if quick else (2, 5, 10, 30))
        for shape in ("balanced", "skewed")
    ]
    print(f"{n_tables} random tables each\n")
    columns = f"{'bulk':>7}{'1 %':>6}{'0.1 %':>6}"
    print(f"{'n':>6} {'k':>3} {'sizes':9}", *(f"|{f'q = {q:g}':^19}" for q in ORDERS))
    print(" " * 20, *(f"|{columns}" for _ in ORDERS))
    results = Parallel(n_jobs=-1, return_as="generator")(
        delayed(distances)(cluster_sizes(*case), n_tables) for case in cases
    )
    for (n_samples, n_clusters, shape), row in zip(cases, results, strict=True):
        cells = (f"|{one.bulk:7.3f}{''.join(map(_ratio, one.tails))}" for one in row)
        print(f"{n_samples:6d} {n_clusters:3d} {shape:9}", *cells, flush=True)


def _ratio(number: float | None) -> str:
    return f"{'-':>6}" if number is None else f"{number:6.2f}"


if __name__ == "__main__":
    main()
