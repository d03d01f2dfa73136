"""How often the default p-value of permutation_test is at most a level under independence.

Run ``python benchmarks/permutation_pvalues.py [--quick]``. Thirty pairs of lists of cluster sizes
are drawn (seed 20261207) and, for each, random tables with these margins (seed: the number of the
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
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sklearn_clustcompare import (
    CellSum,
    ContingencyTable,
    PermutationModel,
    score_candidates,
)
from sklearn_clustcompare._chance.draws import CellSums
from sklearn_clustcompare._chance.exact_law import ExactLaw
from sklearn_clustcompare._table.cell_sums import kinds_of_cells
from sklearn_clustcompare.indices import get_index
from sklearn_clustcompare.indices._moments import null_moments
from sklearn_clustcompare.indices._tails import EXACT_BUDGET, Plan, SumTest

SEED, N_PAIRS = 20261207, 30
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


def drawn_sums(
    model: PermutationModel, function: Any, seed: int, most: int, seconds: float
) -> NDArray[np.float64]:
    """Return sums of random tables, in blocks until enough or until the time is over."""
    source = CellSums.of(model.row_sums, model.col_sums, function)
    start, blocks, n_drawn = time.process_time(), [], 0
    while n_drawn < most and (not blocks or time.process_time() - start < seconds):
        blocks.append(source.draw(100 if len(blocks) < 5 else 1000, seed + 10_000 * len(blocks)))
        n_drawn += len(blocks[-1])
    return np.concatenate(blocks)


def rates_of_law(
    sums: NDArray[np.float64], pvalue: Callable[[int], float], *, rises: bool
) -> list[float]:
    """Return shares of sums with a p-value at most each level: p falls, or rises, with the sum."""
    order = np.argsort(sums if rises else -sums)
    found = []
    for level in LEVELS:
        low, high = 0, len(order)
        while low < high:
            middle = (low + high) // 2
            if pvalue(int(order[middle])) <= level:
                high = middle
            else:
                low = middle + 1
        # Equal sums have one p-value, so that their order does not matter.
        found.append((len(order) - low) / len(order) / level)
    return found


def rates(number: int, rows, cols, name: str, n_tables: int, seconds: float) -> Rates:
    """Compute p-values of random tables by the method that is the default for their sizes."""
    model = PermutationModel(rows, cols)
    index = get_index(name)
    first = ContingencyTable.from_counts(model.rvs(1, number)[0])
    moments = null_moments(index, first)
    function = moments.statistic.cell_function if moments is not None else None
    if function is None or not moments.statistic.sum_deviation:
        return Rates("trivial", n_tables, (0.0,) * 3, 0.0)
    test = SumTest(moments.statistic, first, function)
    side = moments.rises
    law = ExactLaw.of(first.row_sums, first.col_sums, function, EXACT_BUDGET)
    if law is not None and law.tail(kinds_of_cells(first), is_upper=side) is not None:
        tables = model.rvs(n_tables, number)
        a, b = np.meshgrid(model.row_sums * 1.0, model.col_sums * 1.0, indexing="ij")
        sums = np.array([function(table, a, b).sum() for table in tables.astype(float)])
        found: dict[int, float] = {}

        def of_table(which: int) -> float:
            if which not in found:
                table = ContingencyTable.from_counts(tables[which])
                kinds = kinds_of_cells(table)
                one = SumTest(null_moments(index, table).statistic, table, function)
                tails = [law.tail(kinds, is_upper=upper) for upper in (side, not side)]
                if tails[0] is None:  # too many branches
                    tails[0] = one.by_default([side], Plan(9999, which)).of_sides[0].probability
                elif tails[1] is not None:
                    assert sum(tails) >= 1 - 1e-12
                assert tails[0] >= one.floor.probability * (1 - 1e-9)
                found[which] = tails[0]
            return found[which]

        shares = rates_of_law(sums, of_table, rises=side)
        return Rates("exact", len(sums), tuple(shares), 0.0)
    if not isinstance(test.law, str) and not test.law.refusals[not side]:
        sums = drawn_sums(model, function, number, n_tables, seconds)
        observed, deviation = CellSum(function)(first), moments.statistic.sum_deviation
        z = moments.statistic.standardized + (sums - observed) / deviation
        shares = rates_of_law(
            z, lambda which: math.exp(test.law.log_tail(z[which], is_upper=side)), rises=side
        )
        return Rates("moments", len(sums), tuple(shares), 0.0)
    start, pvalues, used = time.process_time(), [], []
    seed = number
    while len(pvalues) < 100 and time.process_time() - start < seconds:
        seed += 1000
        table = ContingencyTable.from_counts(model.rvs(1, seed)[0])
        statistic = null_moments(index, table).statistic
        tails = SumTest(statistic, table, function).draw([side], "", Plan(9999, seed))
        assert tails.of_sides[0] >= SumTest(statistic, table, function).floor
        pvalues.append(tails.of_sides[0].probability)
        used.append(len(tails.standardized))
    shares = [float(np.mean(np.array(pvalues) <= level)) / level for level in LEVELS]
    return Rates("monte_carlo", len(pvalues), tuple(shares), float(np.mean(used)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer pairs and tables")
    quick = parser.parse_args().quick
    n_tables, seconds = (4000, 0.5) if quick else (20_000, 1.0)
    print(f"{'n':>6} {'k':>9} {'index':24}{'method':12}{'tables':>7}", end="")
    print("".join(f"{level:>14g}" for level in LEVELS), "   draws")
    totals: dict[str, list[Rates]] = {}
    for number, (rows, cols) in enumerate(random_pairs()):
        if quick and number % 5:
            continue
        for name in INDICES:
            found = rates(number, rows, cols, name, n_tables, seconds)
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
