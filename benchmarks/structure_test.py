"""How often does the structure test find structure, in one cloud and in several clusters?

Run ``python benchmarks/structure_test.py [--sets 40] [--seed 20261123] [--output FILE]``. For each
kind of data and clusterer, one line gives the share of the data sets with a p-value of at most 5 %,
its standard error, and the mean number of structureless data sets of each law that were drawn. The
test is that of the silhouette for 2 to 5 clusters with the defaults: ``null="auto"``, 99 data sets
of each law, drawn in turn until the conclusion is certain.

Structure should be found in at most 5 % of the data sets with one cloud, and in at most 8 % of each
kind; in at least 95 % of those with several clusters, which are clustered by k-means only. The
exception is the banana, a connected bent cloud, which differs from all laws. Several clusters are
also clustered with five starts of k-means.

With ``--output`` each p-value is appended to a file of that name as soon as it is known, and those
that it holds are not computed again.
"""

from __future__ import annotations

import argparse
import csv
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context
from sklearn.cluster import AgglomerativeClustering, KMeans

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sklearn_clustcompare import structure_test

FloatArray = NDArray[np.float64]
Draw = Callable[[np.random.Generator], FloatArray]

LEVEL = 0.05
CLUSTERERS: dict[str, Any] = {
    "k-means": KMeans(n_init=1),
    "average": AgglomerativeClustering(linkage="average"),
    "5 starts": KMeans(n_init=5),
}
OF_ONE_CLOUD, OF_SEVERAL = ("k-means", "average"), ("k-means", "5 starts")


# --------------------------------------------------------------------------- one cloud


def coins(rng: np.random.Generator, p: int) -> FloatArray:
    return rng.integers(2, size=(100, p)).astype(float)


def likert(rng: np.random.Generator) -> FloatArray:
    latent = 0.7 * rng.normal(size=(100, 1)) + 0.7 * rng.normal(size=(100, 6))
    return np.digitize(latent, [-1.2, -0.4, 0.4, 1.2]).astype(float)


def t_cloud(rng: np.random.Generator, p: int, degrees: int) -> FloatArray:
    return rng.normal(size=(100, p)) / np.sqrt(rng.chisquare(degrees, size=(100, 1)) / degrees)


def correlated(rng: np.random.Generator) -> FloatArray:
    return rng.multivariate_normal([0, 0], [[1, 0.9], [0.9, 1]], size=100)


def sphere(rng: np.random.Generator) -> FloatArray:
    X = rng.normal(size=(100, 3))
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def ring(rng: np.random.Generator) -> FloatArray:
    angles = rng.uniform(0, 2 * np.pi, size=100)
    return np.column_stack([np.cos(angles), np.sin(angles)])


def mixed(rng: np.random.Generator) -> FloatArray:
    factor = rng.normal(size=(100, 1))
    reals = 0.6 * factor + 0.8 * rng.normal(size=(100, 3))
    counts = rng.poisson(np.exp(1 + 0.4 * factor), size=(100, 2))
    binary = rng.random((100, 1)) < 1 / (1 + np.exp(-factor))
    return np.hstack([reals, counts, binary])


def correlated_counts(rng: np.random.Generator) -> FloatArray:
    return rng.poisson(np.exp(0.7 * rng.normal(size=(100, 1))), size=(100, 10)).astype(float)


def autoregressive(rng: np.random.Generator) -> FloatArray:
    columns = [rng.normal(size=100)]
    for _ in range(9):
        columns.append(0.8 * columns[-1] + 0.6 * rng.normal(size=100))
    return np.column_stack(columns)


def banana(rng: np.random.Generator) -> FloatArray:
    x = rng.normal(size=150)
    return np.column_stack([x, x**2 + 0.4 * rng.normal(size=150)])


ONE_CLOUD: dict[str, Draw] = {
    "lognormal": lambda rng: rng.lognormal(size=(100, 2)),
    "exponential": lambda rng: rng.exponential(size=(100, 2)),
    "4 coins": lambda rng: coins(rng, 4),
    "10 binary": lambda rng: coins(rng, 10),
    "counts 50 x Poisson(.1)": lambda rng: rng.poisson(0.1, size=(100, 50)).astype(float),
    "Likert, 6 with a factor": likert,
    "copies 25 -> 100": lambda rng: rng.normal(size=(25, 2)).repeat(4, axis=0),
    "t3": lambda rng: t_cloud(rng, 2, 3),
    "Gaussian rho .9": correlated,
    "uniform square": lambda rng: rng.uniform(size=(100, 2)),
    "Gaussian 40 x 30": lambda rng: rng.normal(size=(40, 30)),
    "one axis 3 x": lambda rng: rng.normal(size=(100, 2)) * [3, 1],
    "Gaussian 60 x 500": lambda rng: rng.normal(size=(60, 500)),
    "sphere": sphere,
    "ring": ring,
    "sphere, radii 1 +- .2": lambda rng: sphere(rng) * (1 + 0.2 * rng.normal(size=(100, 1))),
    "gamma(2), 3 columns": lambda rng: rng.gamma(2, size=(100, 3)),
    "Laplace": lambda rng: rng.laplace(size=(100, 2)),
    "reals and integers": mixed,
    "correlated counts": correlated_counts,
    "AR(1), 10 columns": autoregressive,
    "t5, 10 columns": lambda rng: t_cloud(rng, 10, 5),
    "banana": banana,
}


# --------------------------------------------------------------------------- several clusters


def blobs(rng: np.random.Generator, distance: float, sizes: list[int]) -> FloatArray:
    centers = distance * np.array([[0, 0], [1, 0], [0.5, 0.75**0.5]])
    return centers.repeat(sizes, axis=0) + rng.normal(size=(sum(sizes), 2))


def two_in_20(rng: np.random.Generator) -> FloatArray:
    X = rng.normal(size=(40, 20))
    X[:20, 0] += 6
    return X


def two_lognormal(rng: np.random.Generator) -> FloatArray:
    X = rng.lognormal(sigma=0.5, size=(100, 2))
    X[:50] += 4
    return X


SEVERAL: dict[str, Draw] = {
    "three blobs at 4": lambda rng: blobs(rng, 4, [40, 40, 40]),
    "sizes 150, 25, 15 at 6": lambda rng: blobs(rng, 6, [150, 25, 15]),
    "two at 6, 40 x 20": two_in_20,
    "two lognormal": two_lognormal,
}


# --------------------------------------------------------------------------- the test


class Outcome(NamedTuple):
    """The p-value of a data set, the law that it is from, and how many data sets were drawn."""

    data: str
    clusterer: str
    number: int
    pvalue: float
    law: str
    drawn: int


def outcome(data: str, draw: Draw, clusterer: str, seed: int, number: int) -> Outcome:
    """Test one data set, which depends on its kind, the seed and its number only."""
    X = draw(np.random.default_rng([seed, zlib.crc32(data.encode()), number]))
    with warnings.catch_warnings(), config_context(assume_finite=True):
        warnings.simplefilter("ignore")  # fewer clusters than asked for, where there are copies
        test = structure_test(
            CLUSTERERS[clusterer],
            X,
            statistic="silhouette_score",
            param_range=range(2, 6),
            random_state=number,
        )
    return Outcome(data, clusterer, number, test.pvalue, test.null, len(test.null_values))


def outcomes(n_sets: int, n_power: int, seed: int, known: set[Any]) -> Iterator[Outcome]:
    """Yield what is not known yet: the first data set of all kinds, then the second ..."""
    for number in range(max(n_sets, n_power)):
        for kinds, n in ((ONE_CLOUD, n_sets), (SEVERAL, n_power)):
            for data, draw in kinds.items():
                for clusterer in OF_ONE_CLOUD if kinds is ONE_CLOUD else OF_SEVERAL:
                    if number < n and (data, clusterer, number) not in known:
                        yield outcome(data, draw, clusterer, seed, number)


def read(path: Path) -> list[Outcome]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return [
            Outcome(data, clusterer, int(number), float(pvalue), law, int(drawn))
            for data, clusterer, number, pvalue, law, drawn in csv.reader(file)
        ]


# --------------------------------------------------------------------------- the table


def print_table(found: list[Outcome]) -> None:
    print(f"{'data':25}  {'clusterer':9} {'sets':>5} {'found':>6} {'s.e.':>6} {'drawn':>6}")
    for kinds in (ONE_CLOUD, SEVERAL):
        for data in kinds:
            for clusterer in CLUSTERERS:
                print_line(data, clusterer, [one for one in found if one[:2] == (data, clusterer)])
        if kinds is ONE_CLOUD:
            is_one = [one for one in found if one.data in kinds and one.data != "banana"]
            for clusterer in OF_ONE_CLOUD:
                of_one = [one for one in is_one if one.clusterer == clusterer]
                print_line("all but the banana", clusterer, of_one)
            print_line("all but the banana", "both", is_one)


def print_line(data: str, clusterer: str, found: list[Outcome]) -> None:
    if not found:
        return
    n, share = len(found), float(np.mean([one.pvalue <= LEVEL for one in found]))
    error = (share * (1 - share) / n) ** 0.5
    drawn = np.mean([one.drawn for one in found])
    print(f"{data:25}  {clusterer:9} {n:5} {share:6.3f} {error:6.3f} {drawn:6.1f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=40, help="data sets of each kind of one cloud")
    parser.add_argument("--power", type=int, default=20, help="those of several clusters")
    parser.add_argument("--seed", type=int, default=20261123)
    parser.add_argument("--output", type=Path, help="file of p-values, to go on with")
    arguments = parser.parse_args()
    found = read(arguments.output) if arguments.output else []
    known = {one[:3] for one in found}
    for one in outcomes(arguments.sets, arguments.power, arguments.seed, known):
        found.append(one)
        if arguments.output:
            with arguments.output.open("a", newline="") as file:
                csv.writer(file).writerow(one)
    print_table(found)


if __name__ == "__main__":
    main()
