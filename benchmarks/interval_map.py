"""Where intervals and paired tests hold: index x design, with coverage and width.

    python benchmarks/interval_map.py --runs 400 --write

Fewer samples are drawn of more than 2,000 objects. The committed table was put together from
several runs: its column ``samples`` says how many a row has. A row fails if its coverage is below
.93 by two Monte Carlo errors.

Samples are drawn from populations that are known. An interval covers if it holds the value of the
population; its width is a multiple of 3.92 standard deviations of the score. The test compares two
candidates of equal quality: its size is how often p <= .05.
"""

from __future__ import annotations

import argparse
import csv
import sys
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sklearn_clustcompare import (
    ContingencyTable,
    get_index,
    paired_comparison_test,
    score_interval,
)

TABLE = Path(__file__).with_suffix(".csv")
INDICES = (
    "adjusted_rand_score",
    "pair_f_score",
    "normalized_mutual_info_score",
    "adjusted_mutual_info_score",
    "variation_of_information_distance",
    "bcubed_f_score",
    "purity_score",
    "matching_accuracy_score",
)
COLUMNS = (
    "design",
    "objects",
    "index",
    "samples",
    "coverage",
    "error",
    "width",
    "size",
    "cautioned",
)
# Objects by which the value of a population is computed.
_POPULATION = 10**9
_FEWEST = 0.93


class Design(NamedTuple):
    """Classes with these shares, of which a share of the objects is given a cluster at random.

    The others are in the cluster of their class, or of their pair of classes. So many objects make
    a group of the same class and cluster.
    """

    name: str
    n_objects: int
    shares: NDArray[np.float64]
    n_clusters: int
    error: float
    merges: bool = False
    group_size: int = 1

    def population(self) -> NDArray[np.float64]:
        """Return the probability of each pair of class and cluster."""
        n_classes = len(self.shares)
        place = np.arange(n_classes) // 2 if self.merges else np.arange(n_classes)
        kept = np.zeros((n_classes, self.n_clusters))
        kept[np.arange(n_classes), place % self.n_clusters] = self.shares
        of_clusters = kept.sum(axis=0)
        if self.error == 1:
            of_clusters = np.full(self.n_clusters, 1 / self.n_clusters)
        return (1 - self.error) * kept + self.error * np.outer(self.shares, of_clusters)

    def draw(self, generator: np.random.Generator) -> tuple[NDArray[np.intp], ...]:
        """Return classes, clusters of two candidates of equal quality, and groups."""
        shares, n_groups = self.population(), self.n_objects // self.group_size
        true = generator.choice(len(shares), n_groups, p=self.shares)
        within = (shares / self.shares[:, np.newaxis]).cumsum(axis=1)[true]
        found = [(generator.random((n_groups, 1)) > within).sum(axis=1) for _ in range(2)]
        sides = [np.repeat(one, self.group_size) for one in (true, *found, np.arange(n_groups))]
        return tuple(sides)


def _zipf(n_classes: int) -> NDArray[np.float64]:
    shares = 1 / np.arange(1, n_classes + 1)
    return np.asarray(shares / shares.sum())


def _equal(n_classes: int) -> NDArray[np.float64]:
    return np.full(n_classes, 1 / n_classes)


DESIGNS = (
    Design("2 x 2 independent", 200, _equal(2), 2, 1.0),
    Design("2 x 2 independent", 2000, _equal(2), 2, 1.0),
    Design("70:30 independent", 200, np.array([0.7, 0.3]), 2, 1.0),
    Design("95:5 independent", 200, np.array([0.95, 0.05]), 2, 1.0),
    Design("3 x 7 independent", 200, _zipf(3), 7, 1.0),
    Design("8 x 8 independent", 400, _equal(8), 8, 1.0),
    Design("2 x 2, error .9", 200, _equal(2), 2, 0.9),
    Design("3 x 3, error .03", 150, _equal(3), 3, 0.03),
    Design("3 x 3, error .15", 150, _equal(3), 3, 0.15),
    Design("6 equal merged to 3", 300, _equal(6), 3, 0.0, merges=True),
    Design("6 unequal merged to 3", 300, _zipf(6), 3, 0.0, merges=True),
    Design("10 of Zipf sizes, error .3", 80, _zipf(10), 10, 0.3),
    Design("10 of Zipf sizes, error .3", 350, _zipf(10), 10, 0.3),
    Design("25 of Zipf sizes, error .1", 350, _zipf(25), 25, 0.1),
    Design("60 equal, error .2", 1200, _equal(60), 60, 0.2),
    Design("300 equal, error .1", 3000, _equal(300), 300, 0.1),
    Design("3 x 3, error .15, groups of 5", 300, _equal(3), 3, 0.15, group_size=5),
)


def simulate(design: Design, index: str, n_runs: int, seed: int = 0) -> dict[str, float]:
    """Return coverage, width, size of the test and how often a caution is given."""
    record = get_index(index)
    population = np.rint(_POPULATION * design.population())
    truth = record(ContingencyTable.from_counts(population))
    covered, found, cautioned, widths, scores = 0, 0, 0, [], []
    for run in range(n_runs):
        true, first, other, groups = design.draw(np.random.default_rng([seed, run]))
        options = {"index": index, "n_resamples": 99}
        if design.group_size > 1:
            options["groups"] = groups
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            result = score_interval(true, first, **options)
        cautioned += any("may not hold" in str(one.message) for one in told)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found += paired_comparison_test(true, first, other, **options).pvalue <= 0.05
        low, high = result.interval
        covered += low - 1e-9 <= truth <= high + 1e-9
        widths.append(high - low)
        scores.append(result.score)
    coverage = covered / n_runs
    deviation = float(np.std(scores))
    return {
        "coverage": coverage,
        "error": (max(coverage * (1 - coverage), 1 / n_runs) / n_runs) ** 0.5,
        "width": float(np.mean(widths)) / (3.92 * deviation) if deviation else np.inf,
        "size": found / n_runs,
        "cautioned": cautioned / n_runs,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.name}")
    arguments = parser.parse_args()
    rows = []
    for design in DESIGNS:
        for index in INDICES:
            n_runs = arguments.runs if design.n_objects <= 2000 else arguments.runs // 4
            values = simulate(design, index, n_runs)
            row = {"design": design.name, "objects": design.n_objects, "index": index}
            row |= {"samples": n_runs} | {name: round(one, 3) for name, one in values.items()}
            print(*(row[name] for name in COLUMNS), sep="  ", flush=True)
            rows.append(row)
    for row in rows:
        if row["coverage"] + 2 * row["error"] < _FEWEST:
            print("fails:", *(row[name] for name in COLUMNS), sep="  ")
    if arguments.write:
        with TABLE.open("w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
