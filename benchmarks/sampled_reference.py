"""How good the estimates of sampled_reference_scores and their intervals are.

Run ``python benchmarks/sampled_reference.py [--quick]``. Of 2,000 reference clusters some are
drawn, again and again: with equal probability, or those of objects that are drawn, weighted by
``inverse_size`` or by the inverse of the probability that they are found. Columns, for pair
precision and pair recall: *bias*, the mean of the estimates less the score; *sd*, their standard
deviation; *held*, the share of samples in which the 95 % interval holds the score.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sklearn_clustcompare import pair_precision_score, pair_recall_score, sampled_reference_scores

SCORES = (pair_precision_score, pair_recall_score)
N_CLUSTERS = 2000
DRAWN = (6, 12, 50, 200)


def cluster_sizes(shape: str, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return sizes from 2 to 7, or such that a few clusters hold most of the pairs."""
    if shape == "even":
        return rng.integers(2, 8, size=N_CLUSTERS)
    return np.minimum(rng.zipf(2.2, size=N_CLUSTERS), 300)


def draw(
    labels: NDArray[np.int64], n_drawn: int, design: str, rng: np.random.Generator
) -> tuple[NDArray[np.int64], Any]:
    """Draw clusters and return them with their weights."""
    if design == "clusters":
        return rng.choice(N_CLUSTERS, n_drawn, replace=False), "uniform"
    found = np.unique(rng.choice(labels, n_drawn))
    if design == "inverse_size":
        return found, design
    shares = np.bincount(labels)[found] / len(labels)
    return found, dict(zip(found.tolist(), 1 / (1 - (1 - shares) ** n_drawn), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer samples")
    n_samples = 40 if parser.parse_args().quick else 400
    warnings.simplefilter("ignore", UndefinedMetricWarning)  # left out of bias and sd
    rng = np.random.default_rng(0)
    print(f"{n_samples} samples each\n")
    print(f"{'sizes':6} {'design':12} {'drawn':>5}", *[f"|{'bias':>7}{'sd':>7}{'held':>6}"] * 2)
    for shape in ("even", "skewed"):
        labels = np.repeat(np.arange(N_CLUSTERS), cluster_sizes(shape, rng))
        moved = rng.random(len(labels)) < 0.15
        found = np.where(moved, rng.permutation(labels), labels)
        truth = {score.__name__: score(labels, found) for score in SCORES}
        for design in ("clusters", "inverse_size", "inclusion"):
            for n_drawn in DRAWN:
                results = []
                for _ in range(n_samples):
                    known, weights = draw(labels, n_drawn, design, rng)
                    if len(known) > 1:
                        partial = np.where(np.isin(labels, known), labels, np.nan)
                        results.append(
                            sampled_reference_scores(partial, found, cluster_weight=weights)
                        )
                cells = []
                for name, score in truth.items():
                    values = np.array([one.value[name] for one in results])
                    low, high = np.array([one.interval[name] for one in results]).T
                    held = np.mean((low <= score) & (score <= high))
                    bias, spread = np.nanmean(values) - score, np.nanstd(values)
                    cells.append(f"|{bias:7.3f}{spread:7.3f}{held:6.2f}")
                print(f"{shape:6} {design:12} {n_drawn:5d}", *cells, flush=True)


if __name__ == "__main__":
    main()
