"""Where intervals and paired tests hold: index x design, with coverage and width.

    python benchmarks/interval_map.py --runs 400 --write

A row fails if its coverage is below .93 by two Monte Carlo errors.

Samples are drawn from populations that are known. An interval covers if it holds the value of the
population; its width is a multiple of 3.92 standard deviations of the score. The test compares two
candidates of equal quality: its size is how often p <= .05.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sklearn_clustcompare import ContingencyTable
from sklearn_clustcompare._partition import DEFAULT
from sklearn_clustcompare.indices._judged import Chosen
from sklearn_clustcompare.significance._sampling_errors import read_errors

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
    Design("3 x 3, error .03, groups of 5", 300, _equal(3), 3, 0.03, group_size=5),
    Design("3 x 3, error .3, groups of 10", 120, _equal(3), 3, 0.3, group_size=10),
)


def simulate(design: Design, n_runs: int, seed: int = 0) -> dict[str, dict[str, float]]:
    """Return coverage, width, size of the test and how often a caution is given, by index."""
    chosen = tuple(map(Chosen.of, INDICES))
    population = ContingencyTable.from_counts(np.rint(_POPULATION * design.population()))
    truths = [one.value(population) for one in chosen]
    found: dict[str, list[tuple[float, ...]]] = {name: [] for name in INDICES}
    for run in range(n_runs):
        *sides, groups = design.draw(np.random.default_rng([seed, run]))
        _, of_all = read_errors(
            sides,
            ("labels_true", "labels_a", "labels_b"),
            chosen,
            DEFAULT,
            X=None,
            sample_weight=None,
            groups=groups if design.group_size > 1 else None,
            n_resamples=99,
            random_state=0,
            n_jobs=None,
        )
        for name, truth, errors in zip(INDICES, truths, of_all, strict=True):
            low, high = errors.intervals(0.95)[0]
            pvalue = errors.differences([(0, [1])], 0.95).pvalues[0]
            covers = low - 1e-9 <= truth <= high + 1e-9
            of_run = covers, high - low, errors.values[0], pvalue <= 0.05, bool(errors.cautions(0))
            found[name].append(of_run)
    return {name: _summary(np.array(runs, np.float64)) for name, runs in found.items()}


def _summary(runs: NDArray[np.float64]) -> dict[str, float]:
    coverage, width, _, size, cautioned = runs.mean(axis=0).tolist()
    deviation = float(runs[:, 2].std())
    return {
        "coverage": coverage,
        "error": (max(coverage * (1 - coverage), 1 / len(runs)) / len(runs)) ** 0.5,
        "width": width / (3.92 * deviation) if deviation else np.inf,
        "size": size,
        "cautioned": cautioned,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.name}")
    arguments = parser.parse_args()
    rows = []
    for design in DESIGNS:
        for index, values in simulate(design, arguments.runs).items():
            row = {"design": design.name, "objects": design.n_objects, "index": index}
            row["samples"] = arguments.runs
            row |= {name: round(one, 3) for name, one in values.items()}
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
