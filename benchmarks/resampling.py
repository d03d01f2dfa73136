"""Power of paired_comparison_test, and errors of CandidateScores.compare, by simulation.

Run ``python benchmarks/resampling.py [--runs 1000] [--quick]``. Objects are drawn with the labels
of a reference and of candidates. A candidate with *signal* s has the cluster of the reference
with probability s (its clusters beyond those of the reference are noise), else one at random.

The first table compares the power with that of the bootstrap (objects drawn with replacement,
percentiles of the difference), for candidates with equal numbers of clusters. The second one is of
five candidates, all pairs of them compared by ``CandidateScores.compare``: the share of runs in
which any p-value is small and in which the intervals of all differences hold their means together,
the share of intervals of scores that hold theirs, and the mean number of candidates that are not
worse than the best. Where single intervals and tests hold is shown by ``interval_map.py``.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sklearn_clustcompare import get_index, paired_comparison_test, score_candidates
from sklearn_clustcompare.significance._resampling import joint_cells

ARI, AMI = "adjusted_rand_score", "adjusted_mutual_info_score"
NMI, VI = "normalized_mutual_info_score", "variation_of_information_distance"
PURITY = "purity_score"
SHORT = {ARI: "ARI", AMI: "AMI", NMI: "NMI", VI: "VI", PURITY: "purity"}

LEVEL = 0.95
MOST_FOUND = 0.065
LEAST_COVERAGE = 0.93
LEAST_POWER = 0.9
# The share of the agreement that is left by 35 % noise.
MODERATE = 0.65
# Every draw of the adjusted mutual information takes a mean under permutation: fewer of them.
SLOW = {AMI}
_RUNS_PER_TASK = 20


class Candidate(NamedTuple):
    n_clusters: int
    signal: float


class Design(NamedTuple):
    n_samples: int
    n_true: int
    first: Candidate
    second: Candidate

    @property
    def candidates(self) -> tuple[Candidate, Candidate]:
        return self.first, self.second

    def draw(self, generator: np.random.Generator) -> list[NDArray[np.int64]]:
        true = generator.integers(self.n_true, size=self.n_samples)
        labels = [true]
        for n_clusters, signal in self.candidates:
            noise = generator.integers(n_clusters, size=self.n_samples)
            is_signal = generator.random(self.n_samples) < signal
            labels.append(np.where(is_signal, true % n_clusters, noise))
        return labels

    def __str__(self) -> str:
        sides = " and ".join(f"{k} ({signal:g})" for k, signal in self.candidates)
        return f"{self.n_true} against {sides}"


def found(design: Design, index: str, n_runs: int, n_resamples: int) -> float:
    """Return how often the paired test finds a difference at the 5 % level."""
    tasks = (delayed(_pvalue)(design, index, n_resamples, seed) for seed in range(n_runs))
    return float(np.mean(np.array(Parallel(n_jobs=-1)(tasks)) <= 1 - LEVEL))


def _pvalue(design: Design, index: str, n_resamples: int, seed: int) -> float:
    labels = _labels(design, seed)
    return paired_comparison_test(*labels, index=index, n_resamples=n_resamples).pvalue


def _labels(design: Design, seed: int) -> list[NDArray[np.int64]]:
    return design.draw(np.random.default_rng([seed, design.n_samples]))


# --------------------------------------------------------------------------- the bootstrap


def bootstrap(design: Design, index: str, n_runs: int, n_resamples: int) -> float:
    """Return how often a bootstrap finds a difference at the 5 % level."""
    tasks = (
        delayed(_bootstrap_found)(
            design, index, min(_RUNS_PER_TASK, n_runs - seed), n_resamples, seed
        )
        for seed in range(0, n_runs, _RUNS_PER_TASK)
    )
    return float(np.mean(np.concatenate(Parallel(n_jobs=-1)(tasks))))


def _bootstrap_found(
    design: Design, index: str, n_runs: int, n_resamples: int, seed: int
) -> list[bool]:
    record = get_index(index)
    found = []
    for run in range(seed, seed + n_runs):
        _, _, cells = joint_cells(_labels(design, run), ["the reference", "A", "B"])
        shares = cells.counts / design.n_samples
        drawn = np.random.default_rng(run).multinomial(design.n_samples, shares, size=n_resamples)
        first, second = (
            np.array([record.function(table) for table in one.tables(drawn)])
            for one in cells.sources
        )
        rarer = min(np.count_nonzero(first <= second), np.count_nonzero(first >= second))
        found.append(2 * (1 + rarer) / (1 + n_resamples) <= 1 - LEVEL)
    return found


# --------------------------------------------------------------------------- tables


def power_cases(quick: bool) -> Iterator[tuple[str, Design]]:
    for index in (ARI, PURITY, NMI, AMI):
        for n_samples in (100, 200) if index in (ARI, PURITY) and not quick else (200,):
            for first, second in ((0.65, 0.5), (0.75, 0.5), (0.65, 0.65)):
                design = Design(n_samples, 4, Candidate(4, first), Candidate(4, second))
                yield index, design


def many_cases(quick: bool) -> Iterator[tuple[str, int, tuple[int, ...], str]]:
    """Yield index, number of objects, numbers of clusters of the candidates, and ``noise``."""
    for index in (ARI,) if quick else (ARI, AMI):
        for n_samples in (200,) if quick else (200, 1000):
            for noise in ("cluster", "drop"):
                yield index, n_samples, (4, 4, 4, 4, 4), noise
            yield index, n_samples, (4, 6, 10, 20, 40), "cluster"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000, help="runs of each design")
    parser.add_argument("--quick", action="store_true", help="fewer sizes and runs")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    n_runs = min(options.runs, 200) if options.quick else options.runs
    start = time.perf_counter()
    _print_power(n_runs, options.quick)
    _print_many(n_runs, options.quick)
    print(f"\n{time.perf_counter() - start:.0f} s")


def _effort(index: str, n_runs: int) -> tuple[int, int]:
    """Return the number of runs, and of half samples in each."""
    return (n_runs // 4, 99) if index in SLOW else (n_runs, 199)


def _print_power(n_runs: int, quick: bool) -> None:
    print(f"\n{'index':7}{'reference against A and B (signal)':39}{'n':>5}{'runs':>6}", end="")
    print(f"{'influences':>14}{'bootstrap':>11}{'ratio':>7}  bar")
    for index, design in power_cases(quick):
        number, n_resamples = _effort(index, n_runs)
        ours = found(design, index, number, n_resamples)
        theirs = bootstrap(design, index, number, n_resamples)
        if design.first == design.second:
            verdict = "(size)"
        else:
            verdict = "met" if ours >= LEAST_POWER * theirs else "missed"
        print(
            f"{SHORT[index]:7}{design!s:39}{design.n_samples:5}{number:6}{ours:14.3f}{theirs:11.3f}"
            f"{ours / theirs if theirs else np.nan:7.2f}  {verdict}",
            flush=True,
        )


def _print_many(n_runs: int, quick: bool) -> None:
    print(f"\n{'index':7}{'clusters of five candidates':28}{'noise':>8}{'n':>5}{'runs':>6}", end="")
    print(f"{'any p <= .05':>14}{'all differences':>17}{'scores':>8}{'in set':>7}  bar")
    for index, n_samples, n_clusters, noise in many_cases(quick):
        number, n_resamples = _effort(index, n_runs)
        compared = Parallel(n_jobs=-1)(
            delayed(_compare_many)(index, n_samples, n_clusters, noise, n_resamples, seed)
            for seed in range(number)
        )
        pvalues, differences, scores, in_set = map(np.array, zip(*compared, strict=True))
        truth = scores[:, :, 0].mean(axis=0)
        pairs = np.array(list(itertools.combinations(range(len(n_clusters)), 2)))
        leads = truth[pairs[:, 0]] - truth[pairs[:, 1]]
        inside = (differences[:, :, 0] <= leads) & (leads <= differences[:, :, 1])
        covered = (scores[:, :, 1] <= truth) & (truth <= scores[:, :, 2])
        any_found = float((pvalues <= 1 - LEVEL).any(axis=1).mean())
        together, alone = float(inside.all(axis=1).mean()), float(covered.mean())
        is_met = together >= LEAST_COVERAGE and alone >= LEAST_COVERAGE
        is_met &= len(set(n_clusters)) > 1 or any_found <= MOST_FOUND
        print(
            f"{SHORT[index]:7}{', '.join(map(str, n_clusters)):28}{noise:>8}{n_samples:5}{number:6}"
            f"{any_found:14.3f}{together:17.3f}{alone:8.3f}{in_set.sum(axis=1).mean():7.2f}  "
            f"{'met' if is_met else 'missed'}",
            flush=True,
        )


def _compare_many(
    index: str, n_samples: int, n_clusters: tuple[int, ...], noise: str, n_resamples: int, seed: int
) -> tuple[NDArray[Any], ...]:
    """Compare five candidates with the signal of moderate agreement, a fifth of it noise."""
    generator = np.random.default_rng([seed, n_samples])
    true = generator.integers(4, size=n_samples)
    candidates = []
    for number in n_clusters:
        other = generator.integers(number, size=n_samples)
        labels = np.where(generator.random(n_samples) < MODERATE, true, other)
        left_out = (generator.random(n_samples) < 0.2) & (noise == "drop")
        candidates.append(np.where(left_out, -1, labels))
    scores = score_candidates(
        true,
        candidates,
        indices=index,
        noise=noise,
        confidence_level=LEVEL,
        n_resamples=n_resamples,
        random_state=seed,
    )
    compared = scores.compare()
    found = np.column_stack([scores.scores[index], scores.intervals[index]])
    return compared.pvalues, compared.intervals, found, np.isin(scores.names, scores.best_set())


if __name__ == "__main__":
    main()
