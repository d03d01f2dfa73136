"""How often the default p-value of permutation_test is at most a level under independence.

Run ``python benchmarks/permutation_pvalues.py [--quick]``. Thirty pairs of lists of cluster sizes
are drawn (seed 20261122) and, for each, random tables with these margins (seed: the number of the
pair). For four sums over the cells the script prints the method that "auto" uses, and the share of
tables with p at most .05, .01 and .001 as a multiple of the level, with the Monte Carlo
error of that multiple. Sequential draws are made for fewer tables, and their number is counted. A
line is marked if a multiple is above 1.1, 1.2 or 1.3 by more than three errors. The last line is
the family-wise error at .05 of the test of several unrelated candidates.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sklearn_clustcompare import (
    ContingencyTable,
    PermutationModel,
    permutation_test,
    score_candidates,
)
from sklearn_clustcompare.indices import get_index
from sklearn_clustcompare.indices._moments import null_moments
from sklearn_clustcompare.indices._tails import Plan, SumTest

SEED, N_PAIRS = 20261122, 30
LEVELS = (0.05, 0.01, 0.001)
LIMITS = (1.1, 1.2, 1.3)
INDICES = (
    "adjusted_rand_score",
    "mutual_info_score",
    "bcubed_precision_score",
    "chi_squared_statistic",
)


class Rates(NamedTuple):
    """Shares of tables with a p-value at most each level, as multiples of the level."""

    method: str
    n_tables: int
    rates: tuple[float, ...]
    draws: float

    @property
    def errors(self) -> list[float]:
        return [math.sqrt((1 - level) / level / self.n_tables) for level in LEVELS]

    @property
    def are_within_limits(self) -> bool:
        checked = zip(self.rates, LIMITS, self.errors, strict=True)
        return all(rate <= limit + 3 * error for rate, limit, error in checked)


def random_sizes(rng: np.random.Generator, n_samples: int) -> NDArray[np.int64]:
    """Draw a list of cluster sizes of one of five kinds."""
    kind = rng.integers(5)
    k = int(rng.integers(2, 13))
    if kind == 0:  # nearly equal
        sizes = np.full(k, n_samples // k)
    elif kind == 1:  # shares of a Dirichlet law
        sizes = np.maximum(rng.dirichlet(np.ones(k)) * n_samples, 1).astype(np.int64)
    elif kind == 2:  # one large cluster and rare ones
        sizes = np.append(rng.integers(1, 30, size=k), 0)
    elif kind == 3:  # some clusters and singletons, as noise
        n_noise = int(n_samples * rng.uniform(0.05, 0.4))
        sizes = np.append(np.ones(n_noise, np.int64), np.full(k - 1, (n_samples - n_noise) // k))
    else:  # halving
        sizes = np.maximum(n_samples // 2 ** np.arange(1, k + 1), 1)
    sizes = np.append(sizes, 0)
    while sizes[:-1].sum() > n_samples:
        sizes[int(np.argmax(sizes[:-1]))] -= 1
    sizes[-1] = n_samples - sizes[:-1].sum()
    return np.sort(sizes[sizes > 0])[::-1]


def random_pairs() -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    rng = np.random.default_rng(SEED)
    for _ in range(N_PAIRS):
        n_samples = int(rng.choice([60, 150, 400, 1000, 3000, 10_000]))
        yield random_sizes(rng, n_samples), random_sizes(rng, n_samples)


def sums(tables: NDArray[np.int64], function: object, margins: list[NDArray[np.int64]]):
    a, b = np.meshgrid(*(side.astype(float) for side in margins), indexing="ij")
    return np.array([function(table, a, b).sum() for table in tables.astype(float)])


def rates(number: int, rows, cols, name: str, n_tables: int, n_drawn: int, seconds: float) -> Rates:
    """Compute p-values of random tables; of tied sums only once, by a law or exactly."""
    model = PermutationModel(rows, cols)
    margins = [model.row_sums, model.col_sums]
    index = get_index(name)
    tables = model.rvs(n_tables, number)
    first = ContingencyTable.from_counts(tables[0])
    moments = null_moments(index, first)
    function = moments.statistic.cell_function if moments is not None else None
    if function is None:
        return Rates("trivial", n_tables, (0.0,) * 3, 0.0)
    probe = permutation_test(first, index=name, n_resamples=999)
    draws = 0.0
    if probe.method in ("monte_carlo", "cantelli"):
        start, pvalues, used = time.process_time(), [], []
        for seed, table in enumerate(tables[:n_drawn]):
            if time.process_time() - start > seconds:
                break
            counts = ContingencyTable.from_counts(table)
            statistic = null_moments(index, counts).statistic
            tails = SumTest(statistic, counts, function).draw([True], "", Plan(9999, seed))
            pvalues.append(tails.of_sides[0].probability)
            used.append(len(tails.standardized))
        draws = float(np.mean(used))
        pvalues = np.array(pvalues)
    else:
        values = sums(tables, function, margins)
        step = 1e-9 * values.std()
        order = np.argsort(values)
        kinds = np.cumsum(np.diff(values[order], prepend=values[order[0]]) > step)
        pvalues = np.empty(n_tables)
        # p falls as the sum rises: only tables near the levels are asked, by bisection.
        of_kinds: dict[int, float] = {}
        firsts = np.searchsorted(kinds, np.arange(kinds[-1] + 1))

        def pvalue(kind: int) -> float:
            if kind not in of_kinds:
                table = ContingencyTable.from_counts(tables[order[firsts[kind]]])
                of_kinds[kind] = permutation_test(table, index=name).pvalue
            return of_kinds[kind]

        falls = bool(pvalue(int(kinds[-1])) <= pvalue(0))
        found = []
        for level in LEVELS:
            low, high = 0, int(kinds[-1]) + 1
            while low < high:
                middle = (low + high) // 2
                if (pvalue(middle) <= level) == falls:
                    high = middle
                else:
                    low = middle + 1
            share = np.mean(kinds >= low) if falls else np.mean(kinds < low)
            found.append(float(share) / level)
        return Rates(probe.method, n_tables, tuple(found), 0.0)
    shares = tuple(float(np.mean(pvalues <= level)) / level for level in LEVELS)
    return Rates(probe.method, len(pvalues), shares, draws)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer pairs and tables")
    quick = parser.parse_args().quick
    n_tables, n_drawn, seconds = (4000, 100, 1.0) if quick else (20_000, 400, 1.0)
    print(f"{'n':>6} {'k':>9} {'index':24}{'method':12}{'tables':>7}", end="")
    print("".join(f"{level:>14g}" for level in LEVELS), "   draws")
    totals: dict[str, list[Rates]] = {}
    for number, (rows, cols) in enumerate(random_pairs()):
        if quick and number % 5:
            continue
        for name in INDICES:
            found = rates(number, rows, cols, name, n_tables, n_drawn, seconds)
            totals.setdefault(found.method, []).append(found)
            cells = (
                f"{rate:7.2f} +-{error:4.2f}"
                for rate, error in zip(found.rates, found.errors, strict=True)
            )
            flag = "" if found.are_within_limits else "   above the limit"
            print(
                f"{rows.sum():6d} {len(rows):4d}x{len(cols):4d} {name:24}{found.method:12}"
                f"{found.n_tables:7d}",
                *cells,
                f"{found.draws:7.0f}{flag}",
                flush=True,
            )
    print("\nmean and largest multiple of the level")
    for method, some in totals.items():
        all_rates = np.array([one.rates for one in some])
        texts = (
            f"{mean:.3f} (largest {top:.2f})"
            for mean, top in zip(all_rates.mean(axis=0), all_rates.max(axis=0), strict=True)
        )
        print(f"{method:12} {len(some):4d} cases  ", ", ".join(texts))
    drawn = [one.draws for one in totals.get("monte_carlo", [])]
    if drawn:
        print(f"draws, mean over cases: {np.mean(drawn):.0f}")
    n_runs = 100 if quick else 1000
    print(f"family-wise error at .05 of {n_runs} runs: {family_wise_error(n_runs):.3f}")


def family_wise_error(n_runs: int) -> float:
    """Return how often any of six candidates that are unrelated to the reference is found."""
    rng = np.random.default_rng(SEED)
    n_found = 0
    for run in range(n_runs):
        truth, base = rng.integers(3, size=(2, 60))
        candidates = [
            np.where(rng.random(60) < 0.8, base, rng.integers(3, size=60)) for _ in range(6)
        ]
        result = score_candidates(truth, candidates, indices="adjusted_rand_score")
        test = result.permutation_test(n_resamples=199, random_state=run)
        n_found += bool((test.pvalue_adjusted <= 0.05).any())
    return n_found / n_runs


if __name__ == "__main__":
    main()
