"""How often the default p-value of permutation_test is at most a level under independence.

Run ``python benchmarks/permutation_pvalues.py [--quick]``. Thirty pairs of lists of cluster sizes
are drawn, with 50 to 20,000 objects each, and for each pair random tables with these margins. For
four sums over the cells the script prints the method that "auto" uses, and the share of tables with
p at most .05, .01 and .001 as a multiple of the level, with the Monte Carlo error of that multiple;
for the method "moments" also the share of small p-values of "less" where it is trusted there.
A line is marked if a multiple is above 1.1, 1.2 or 1.3 by more than three errors.

Where the tests are sequential, half of the random tables are tested by draws from the other half:
20 over the number of draws that a negative binomial law gives. The first 200 of them are tested by
the code of the package, whose p-values must have the same law. The
number of tables is that of a half with the same error as both together.

The last parts are the family-wise error at .05 of the test of several unrelated candidates, how
often labels that depend on the batch only agree, with and without ``blocks``, how often unrelated
labels of grouped objects do, with and without ``groups``, and CPU times.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom, ks_2samp

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sklearn_clustcompare import ContingencyTable, permutation_test, score_candidates
from sklearn_clustcompare._chance.draws import CellSums
from sklearn_clustcompare._chance.exact import ExactDistribution
from sklearn_clustcompare._chance.null_distribution import ENOUGH, EXACT_BUDGET, Draws
from sklearn_clustcompare._table.cell_sums import kinds_of_cells
from sklearn_clustcompare.indices import CellSum, get_index
from sklearn_clustcompare.indices._moments import null_moments
from sklearn_clustcompare.significance import PermutationModel

SEED, N_PAIRS = 90417, 30
LEVELS = (0.05, 0.01, 0.001)
LIMITS = (1.1, 1.2, 1.3)
INDICES = (
    "adjusted_rand_score",
    "mutual_info_score",
    "bcubed_precision_score",
    "chi_squared_statistic",
)
# Tables of a case, and the CPU seconds after which no more are drawn.
N_TABLES, N_SEQUENTIAL, SECONDS = 60_000, 200, 4.0
MOST_EXACT = 20_000


class Rates(NamedTuple):
    """Shares of tables with a p-value at most each level, as multiples of the level."""

    method: str
    n_tables: int
    rates: tuple[float, ...]
    draws: float = 0.0

    @property
    def errors(self) -> list[float]:
        return [math.sqrt((1 - level) / level / self.n_tables) for level in LEVELS]

    @property
    def are_within_limits(self) -> bool:
        checked = zip(self.rates, LIMITS, self.errors, strict=True)
        return all(rate <= limit + 3 * error for rate, limit, error in checked)


class Pool(NamedTuple):
    """Sums of random tables, of which others are drawn."""

    sums: NDArray[np.float64]

    def draw(self, size: int, seed: int) -> NDArray[np.float64]:
        return self.sums[np.random.RandomState(seed).randint(len(self.sums), size=size)]


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
        n_samples = int(np.exp(rng.uniform(np.log(50), np.log(20_000))))
        yield random_sizes(rng, n_samples), random_sizes(rng, n_samples)


def drawn_sums(source: CellSums, seed: int, most: int, seconds: float) -> NDArray[np.float64]:
    """Return sums of random tables, in blocks until enough or until the time is over."""
    start, blocks, n_drawn = time.process_time(), [], 0
    while n_drawn < most and (not blocks or time.process_time() - start < seconds):
        blocks.append(source.draw(100 if len(blocks) < 5 else 1000, seed + len(blocks)))
        n_drawn += len(blocks[-1])
    return np.concatenate(blocks)


def rates_of_law(
    sums: NDArray[np.float64], pvalue: Callable[[int], float], *, rises: bool
) -> tuple[float, ...]:
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
    return tuple(found)


class Case:
    """A pair of lists of cluster sizes, and an index."""

    def __init__(
        self, number: int, rows: NDArray[np.int64], cols: NDArray[np.int64], name: str, scale: float
    ) -> None:
        self.number, self.scale = number, scale
        self.model = PermutationModel(rows, cols)
        self.index = get_index(name)
        self.first = ContingencyTable.from_counts(self.model.rvs(1, SEED + number)[0])
        moments = null_moments(self.index, self.first)
        assert moments is not None
        self.null, self.side = moments.null, moments.rises
        self.function: Any = self.null.cell_function

    def rates(self) -> Iterator[tuple[str, Rates]]:
        """Yield alternatives, and rates by the method that is the default for these sizes."""
        first = self.first
        if self.function is None or not self.null.sum_deviation:
            yield "greater", Rates("trivial", 1, (0.0,) * 3)
            return
        law = ExactDistribution.of(
            first.row_sums, first.col_sums, self.function, EXACT_BUDGET.fillings
        )
        if law is not None and self.tail(law, first, is_upper=self.side) is not None:
            yield "greater", self.of_exact_distribution(law)
            return
        four = self.null.moment_tail
        source = CellSums.of(first.row_sums, first.col_sums, self.function)
        seed = SEED + 1000 * self.number
        sums = drawn_sums(source, seed, int(N_TABLES * self.scale), SECONDS * self.scale)
        if isinstance(four, str) or four.refusals[not self.side]:
            yield "greater", self.of_sequential_draws(sums)
            return
        observed = CellSum(self.function)(first)
        z = self.null.standardized + (sums - observed) / self.null.sum_deviation
        for alternative, side in (("greater", self.side), ("less", not self.side)):
            if not four.refusals[not side]:
                shares = rates_of_law(
                    z,
                    lambda which, side=side: math.exp(four.log_tail(z[which], is_upper=side)),
                    rises=side,
                )
                yield alternative, Rates("moments", len(sums), shares)

    @staticmethod
    def tail(law: ExactDistribution, table: ContingencyTable, *, is_upper: bool) -> float | None:
        runs = EXACT_BUDGET.runs
        return law.tail(kinds_of_cells(table), is_upper=is_upper, most_runs=runs)

    def of_exact_distribution(self, law: ExactDistribution) -> Rates:
        n_tables = min(int(N_TABLES * self.scale), MOST_EXACT)
        tables = self.model.rvs(n_tables, SEED + self.number)
        a, b = np.meshgrid(self.model.row_sums * 1.0, self.model.col_sums * 1.0, indexing="ij")
        sums = np.array([self.function(table, a, b).sum() for table in tables.astype(float)])
        found: dict[int, float] = {}

        def of_table(which: int) -> float:
            if which not in found:
                table = ContingencyTable.from_counts(tables[which])
                probability = self.tail(law, table, is_upper=self.side)
                if probability is None:  # too many branches
                    one = null_moments(self.index, table).null
                    probability = one.tail(
                        "auto", Draws(9999, which), is_upper=self.side
                    ).probability
                elif len(found) < 5:
                    other = self.tail(law, table, is_upper=not self.side)
                    assert other is None or probability + other >= 1 - 1e-12
                found[which] = probability
            return found[which]

        return Rates("exact", n_tables, rates_of_law(sums, of_table, rises=self.side))

    def of_sequential_draws(self, sums: NDArray[np.float64]) -> Rates:
        """Test one half of the sums by draws from the other half."""
        sign = 1 if self.side else -1
        observed, pool = np.array_split(sign * sums, 2)
        seen = observed - 1e-9 * self.null.sum_deviation
        tails = 1 - np.searchsorted(np.sort(pool), seen) / len(pool)
        pvalues, n_drawn = sequential_pvalues(tails, np.random.default_rng(SEED + self.number))
        shares = tuple(float(np.mean(pvalues <= level)) / level for level in LEVELS)
        in_code = []
        for test, least in enumerate(seen[: int(N_SEQUENTIAL * self.scale)]):
            some = Draws(9999, SEED + 10_000 * self.number + test)
            in_code.append(some.take(Pool(pool), partial(at_least, least)).probability)
        compared = ks_2samp(pvalues, in_code)
        assert compared.pvalue > 1e-6, compared
        return Rates("monte_carlo", len(sums) // 4, shares, float(n_drawn.mean()))


def at_least(least: float, values: NDArray[np.float64]) -> NDArray[np.bool_]:
    return values >= least


def sequential_pvalues(
    tails: NDArray[np.float64], rng: np.random.Generator, most: int = 9999
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return p-values, and numbers of draws until 20 are as extreme, of which ``tails`` are."""
    n_drawn = np.full(tails.shape, np.inf)
    n_drawn[tails > 0] = ENOUGH + rng.negative_binomial(ENOUGH, tails[tails > 0])
    fewer = binom(most, tails)
    n_extreme = fewer.ppf(rng.random(tails.shape) * fewer.cdf(ENOUGH - 1))
    pvalues = np.where(n_drawn <= most, ENOUGH / n_drawn, (n_extreme + 1) / (most + 1))
    # Tables are drawn 20 at a time.
    return pvalues, np.minimum(20 * np.ceil(n_drawn / 20), most)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer pairs and tables")
    quick = parser.parse_args().quick
    scale = 0.1 if quick else 1.0
    print(f"seed {SEED}, {N_PAIRS} pairs of lists of cluster sizes")
    print(f"{'pair':>4} {'n':>6} {'k':>10} {'index':24}{'alternative':12}{'method':12}", end="")
    print(f"{'tables':>7}", *(f"{level:>14g}" for level in LEVELS), "  draws")
    totals: dict[tuple[str, str], list[Rates]] = {}
    for number, (rows, cols) in enumerate(random_pairs()):
        if quick and number % 5:
            continue
        for name in INDICES:
            for alternative, found in Case(number, rows, cols, name, scale).rates():
                totals.setdefault((found.method, alternative), []).append(found)
                cells = (
                    f"{rate:7.2f} +-{error:4.2f}"
                    for rate, error in zip(found.rates, found.errors, strict=True)
                )
                flag = "" if found.are_within_limits else "   above the limit"
                print(
                    f"{number:4d} {rows.sum():6d} {len(rows):5d}x{len(cols):4d} {name:24}"
                    f"{alternative:12}{found.method:12}{found.n_tables:7d}",
                    *cells,
                    f"{found.draws:7.0f}{flag}",
                    flush=True,
                )
    print("\nmean and largest multiple of the level")
    for (method, alternative), some in totals.items():
        all_rates = np.array([one.rates for one in some])
        texts = (
            f"{mean:.3f} (largest {top:.2f})"
            for mean, top in zip(all_rates.mean(axis=0), all_rates.max(axis=0), strict=True)
        )
        n_above = sum(not one.are_within_limits for one in some)
        print(f"{method:12}{alternative:8}{len(some):4d} cases  ", ", ".join(texts), end="")
        print(f"; above the limit: {n_above}")
    drawn = [
        one.draws for (method, _), some in totals.items() if method == "monte_carlo" for one in some
    ]
    if drawn:
        print(f"draws: {np.mean(drawn):.0f} on average over the cases, {max(drawn):.0f} at most")
    n_runs = int(1000 * scale)
    print(f"\nfamily-wise error at .05 of {n_runs} runs: {family_wise_error(n_runs):.3f}")
    print("\nlabels that depend on the batch only: share of data sets with p <= .05 by the ARI")
    print_batches(int(150 * scale))
    print("\nunrelated labels of grouped objects: share of data sets with p <= .05 by the ARI")
    print_groups(int(400 * scale))
    print("\nCPU seconds of a default p-value, and its method")
    print_times(quick=quick)


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


# Numbers of groups, whether these differ in size, and the share of objects of each side that have
# the label of their group: 1 if labels are constant within groups.
GROUPS = (
    (40, False, 1.0, 1.0),
    (40, True, 1.0, 1.0),
    (30, True, 1.0, 0.7),
    (40, False, 0.7, 0.7),
    (40, True, 0.7, 0.7),
    (15, True, 0.8, 0.8),
)


def print_groups(n_runs: int) -> None:
    """Print how often unrelated partitions agree whose labels depend on the group."""
    rng = np.random.default_rng(SEED)
    for n_groups, are_unequal, *shares in GROUPS:
        found, method = np.zeros(2), ""
        for run in range(n_runs):
            sizes = rng.integers(3, 20, n_groups) if are_unequal else np.full(n_groups, 10)
            group = np.repeat(np.arange(n_groups), sizes)
            sides = []
            for share in shares:
                own = rng.integers(4, size=n_groups)[group]
                keeps = rng.random(len(group)) < share
                sides.append(np.where(keeps, own, rng.integers(4, size=len(group))))
            for which, groups in enumerate((None, group)):
                test = permutation_test(
                    *sides, index="ari", groups=groups, n_resamples=199, random_state=run
                )
                found[which] += test.pvalue <= 0.05
                method = test.method
        alone, whole = found / n_runs
        error = math.sqrt(0.05 * 0.95 / n_runs)
        kind = "unequal" if are_unequal else "equal"
        print(
            f"{n_groups} groups of {kind} size, shares {shares}: {alone:.3f} one by one, "
            f"{whole:.3f} +- {error:.3f} by groups ({method})",
            flush=True,
        )


def print_batches(n_runs: int) -> None:
    """Print how often partitions agree that depend on the batch, and are independent within."""
    rng = np.random.default_rng(SEED)
    for n_batches, size in ((4, 100), (3, 200), (6, 50), (8, 30), (5, 400)):
        batch = np.repeat(np.arange(n_batches), size)
        found = np.zeros(2)
        n_draws = []
        for run in range(n_runs):
            sides = []
            for k in rng.integers(3, 7, size=2):
                shares = rng.dirichlet(np.ones(k), size=n_batches).cumsum(axis=1)
                sides.append((rng.random(len(batch))[:, np.newaxis] > shares[batch]).sum(axis=1))
            for which, blocks in enumerate((None, batch)):
                test = permutation_test(
                    *sides, index="adjusted_rand_score", blocks=blocks, random_state=run
                )
                found[which] += test.pvalue <= 0.05
            n_draws.append(0 if test.null_distribution is None else len(test.null_distribution))
        free, within = found / n_runs
        error = math.sqrt(0.05 * 0.95 / n_runs)
        print(
            f"{n_batches} batches of {size:4d}: {free:.3f} without blocks, "
            f"{within:.3f} with blocks (+-{error:.3f} at .05), "
            f"{np.mean(n_draws):.0f} draws",
            flush=True,
        )


def print_times(*, quick: bool) -> None:
    rng = np.random.default_rng(SEED)
    for k, n_samples in ((3, 150), (20, 10**5), (1000, 10**5 if quick else 10**6)):
        kinds = {
            "equal": np.ones(k),
            "Zipf": 1 / np.arange(1, k + 1),
            "lognormal": rng.lognormal(0, 1, k),
        }
        for kind, weights in kinds.items():
            sizes = np.maximum((weights / weights.sum() * n_samples).astype(int), 1)
            sizes[0] += n_samples - sizes.sum()
            labels = np.repeat(np.arange(k), sizes)
            table = ContingencyTable.from_labels(labels, rng.permutation(labels))
            for name in INDICES:
                start = time.process_time()
                test = permutation_test(table, index=name)
                seconds = time.process_time() - start
                print(
                    f"{n_samples:8d} objects, {k:4d} x {k:4d} {kind:10} {name:24}{seconds:6.2f}  "
                    f"{test.method}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
