"""Intervals of scores within groups of objects: coverage, width and standard error by simulation.

    python benchmarks/intervals_within.py --seed 20261126

Groups of 10 to 60 objects have clusters of their own, and each group another share of objects with
a random label. For each design and index, of all groups together (``micro``) and as a mean over the
groups (``macro``): the share of 95 % intervals that contain the mean of all samples, their mean
width over that of the normal law, and the mean standard error over the standard deviation of the
scores.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sklearn_clustcompare import score_candidates

INDICES = (
    "adjusted_rand_score",
    "normalized_mutual_info_score",
    "variation_of_information_distance",
    "bcubed_f_score",
    "purity_score",
)
# Number of groups, of clusters in each, share of random labels.
DESIGNS = ((12, 3, 0.05), (20, 4, 0.02), (20, 4, 0.1), (20, 4, 0.4), (60, 3, 0.1), (60, 8, 0.3))


def draw(
    n_groups: int, n_clusters: int, noise: float, generator: np.random.Generator
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return reference, candidate and groups."""
    sizes = generator.integers(10, 61, size=n_groups)
    groups = np.repeat(np.arange(n_groups), sizes)
    of_groups = np.clip(noise * generator.lognormal(-0.125, 0.5, n_groups), 0, 1)
    true = generator.integers(n_clusters, size=len(groups))
    is_random = generator.random(len(groups)) < of_groups[groups]
    found = np.where(is_random, generator.integers(n_clusters, size=len(groups)), true)
    return true, found, groups


def simulate(design: tuple[int, int, float], n_runs: int, seed: int) -> list[dict[str, Any]]:
    """Return a row for each index and average."""
    generator = np.random.default_rng([seed, *(int(100 * one) for one in design)])
    values, ends, errors = [], [], []
    for run in range(n_runs):
        true, found, groups = draw(*design, generator)
        scores = score_candidates(
            true, [found], indices=INDICES, within=groups, confidence_level=0.95, random_state=run
        )
        of_run = scores.sampling_errors.values()
        values.append([one.values[0] for one in of_run])
        errors.append([one.standard_errors[0] for one in of_run])
        ends.append([one[0] for one in scores.intervals.values()])
    (low, high), spread = np.moveaxis(ends, 2, 0), np.std(values, axis=0, ddof=1)
    truth = np.mean(values, axis=0)
    coverage = np.mean((low <= truth) & (truth <= high), axis=0)
    width = np.mean(high - low, axis=0) / (2 * 1.96 * spread)
    ratio = np.mean(errors, axis=0) / spread
    return [
        {"index": name, "coverage": c, "width": w, "ratio": r}
        for name, c, w, r in zip(scores.intervals, coverage, width, ratio, strict=True)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, required=True, help="one that was not used before")
    parser.add_argument("--runs", type=int, default=200)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"Monte Carlo error of a coverage of .95: {np.sqrt(0.95 * 0.05 / options.runs):.3f}")
    print(f"{'groups':>6} {'k':>2} {'noise':>5}  {'index':<40} coverage  width  ratio")
    for design in DESIGNS:
        for row in simulate(design, options.runs, options.seed):
            print(
                f"{design[0]:6} {design[1]:2} {design[2]:5g}  {row['index']:<40} "
                f"{row['coverage']:8.3f}  {row['width']:5.2f}  {row['ratio']:5.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
