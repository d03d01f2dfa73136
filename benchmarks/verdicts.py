"""How often is the number of clusters right, of ``choose_n_clusters`` and of other methods?

Run ``python benchmarks/verdicts.py [--draws 5] [--rows 300] [--data FOLDER]``. Every method sees
the same data in the same run. Two tables are printed, with the CPU seconds of each:

- made-up data, ``--draws`` of each design (0 for none): clear clusters; one cluster of many
  distributions, where more than one is wrong; and bent continua, where "separated" is wrong. The
  level is the share of p-values of at most 0.05, or of "separated", of one cluster;
- real data, a line for each, with the numbers that are accepted: those that scikit-learn ships,
  and others of a folder: files NAME.csv.gz, and a ``manifest.json`` with the numbers (``accept``),
  and whether to standardize; a column ``known`` is left out.

``--no-peers`` runs this rule alone. Clusterers are k-means with three starts. The vote of three
says 1 if the gap statistic does; else what two of silhouette, gap statistic and prediction strength
say; else what the strength says.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.metrics import calinski_harabasz_score, silhouette_score
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sklearn_clustcompare import choose_n_clusters, gap_statistic, prediction_strength
from sklearn_clustcompare.without_reference._null_data import unimodal_quantiles

FloatArray = NDArray[np.float64]
Generator = np.random.Generator
Drawn = Iterator[tuple[str, int, FloatArray]]

KMEANS = KMeans(n_init=3, random_state=0)
NUMBERS = range(2, 11)


# --------------------------------------------------------------------------- made-up data


def centers(rng: Generator, k: int, p: int, apart: float) -> FloatArray:
    """Return centers of which no two are nearer than some standard deviations."""
    while True:
        found = rng.uniform(0, 1.6 * apart * k ** (1 / p), (k, p))
        distances = np.linalg.norm(found[:, np.newaxis] - found, axis=2)
        if distances[~np.eye(k, dtype=bool)].min() >= apart:
            return found


def clouds(rng: Generator, means: FloatArray, sizes: Any, spreads: Any = 1.0) -> FloatArray:
    """Return normal clouds of some sizes and spreads around their means."""
    spread = np.broadcast_to(spreads, len(means))
    parts = [
        rng.normal(mean, one, (size, means.shape[1]))
        for mean, size, one in zip(means, sizes, spread, strict=True)
    ]
    return np.vstack(parts)


def clear(rng: Generator, n: int) -> Drawn:
    for k, p, apart in ((2, 2, 6), (3, 4, 5), (5, 2, 6), (6, 5, 6), (8, 3, 7), (10, 4, 7)):
        yield f"{k} round, {p} features", k, clouds(rng, centers(rng, k, p, apart), [n // k] * k)
    sizes = [n // 2, 3 * n // 10, 12 * n // 100, 8 * n // 100]
    yield "unequal sizes", 4, clouds(rng, centers(rng, 4, 3, 6), sizes)
    yield "unequal spreads", 3, clouds(rng, centers(rng, 3, 2, 11), [n // 3] * 3, [0.5, 1, 2])
    long = clouds(rng, np.array([[0, 0], [0, 8], [0, 16.0]]), [n // 3] * 3)
    yield "elongated 4:1", 3, long * [4, 1]
    means = np.zeros((3, 50))
    means[:, :3] = 8 * np.eye(3)
    yield "3 of 50 features", 3, clouds(rng, means, [n // 3] * 3)
    prone = (rng.random((3, 20)) < 0.5)[rng.integers(0, 3, n)]
    yield "binary classes", 3, (rng.random((n, 20)) < np.where(prone, 0.9, 0.1)).astype(float)
    few = clouds(rng, centers(rng, 4, 3, 7), [n // 16] * 4)
    yield "rows with copies", 4, np.repeat(few, 4, axis=0)
    yield "rounded", 3, np.round(clouds(rng, 7 * np.eye(3), [n // 3] * 3))
    heavy = rng.standard_t(5, (n, 3)) + np.repeat([[0, 0, 0], [9, 0, 0]], n // 2, axis=0)
    yield "heavy tails", 2, heavy


def plain(rng: Generator, n: int) -> Drawn:
    factor = rng.normal(size=(n, 1))
    shapes: dict[str, Any] = {
        "normal": rng.normal(size=(n, 2)),
        "correlated": rng.multivariate_normal(np.zeros(4), 0.1 * np.eye(4) + 0.9, n),
        "t with 3 degrees": rng.standard_t(3, (n, 3)),
        "lognormal": np.exp(rng.normal(0, 0.8, (n, 3))),
        "uniform cube": rng.random((n, 3)),
        "exponential": rng.exponential(size=(n, 5)),
        "ordinal": np.clip(np.round(3 + 0.7 * factor + rng.normal(0, 0.8, (n, 12))), 1, 5),
        "counts": rng.poisson(rng.gamma(3, 1, (n, 1)) * rng.gamma(2, 1, (1, 8))).astype(float),
        "zero-inflated": np.maximum(np.exp(rng.normal(size=(n, 5)) + 0.6 * factor) - 1, 0),
        "Clayton copula": (1 + rng.exponential(size=(n, 3)) / rng.gamma(0.5, 1, (n, 1))) ** -0.5,
        "rounded": np.round(rng.normal(0, 3, (n, 3))),
        "sphere": (lambda v: v / np.linalg.norm(v, axis=1, keepdims=True))(rng.normal(size=(n, 3))),
    }
    for name, X in shapes.items():
        yield name, 1, X


def bent(rng: Generator, n: int) -> Drawn:
    t = rng.random(n)
    noise = rng.normal(0, 0.15, (n, 5))
    curves = {
        "banana": np.column_stack([np.cos(3 * t), np.sin(3 * t)]),
        "ring": np.column_stack([np.cos(6.3 * t), np.sin(6.3 * t)]),
        "spiral": ((1 + 3 * t) * np.array([np.cos(9 * t), np.sin(9 * t)])).T,
        "S in 5 features": np.column_stack(
            [np.sin(6 * t), 3 * t, np.cos(4 * t), t**2, np.sin(3 * t)]
        ),
        "parabola": np.column_stack([3 * t - 1.5, (3 * t - 1.5) ** 2]),
    }
    for name, curve in curves.items():
        yield name, 1, curve + noise[:, : curve.shape[1]]


# --------------------------------------------------------------------------- methods


def by_score(score: Callable[[FloatArray, Any], float]) -> Callable[[FloatArray], int]:
    """Return the number with the largest value of an index."""

    def choose(X: FloatArray) -> int:
        labels = {k: KMeans(k, n_init=3, random_state=0).fit_predict(X) for k in NUMBERS}
        return max(labels, key=lambda k: score(X, labels[k]))

    return choose


def bic(X: FloatArray) -> int:
    mixtures = {k: GaussianMixture(k, random_state=0, reg_covar=1e-3) for k in range(1, 11)}
    return min(mixtures, key=lambda k: float(mixtures[k].fit(X).bic(X)))


def x_means(X: FloatArray) -> int:
    """Return the number of parts that k-means divides in two while that lowers the BIC."""
    if len(X) < 2 * (X.shape[1] + 1):
        return 1

    def cost(parts: list[FloatArray]) -> float:
        squares = sum(((part - part.mean(axis=0)) ** 2).sum() for part in parts)
        variance = max(squares / (X.shape[1] * max(len(X) - len(parts), 1)), 1e-12)
        shares = sum(len(part) * np.log(len(part) / len(X)) for part in parts)
        fit = X.size / 2 * np.log(variance) - shares
        return float(2 * fit + len(parts) * (X.shape[1] + 1) * np.log(len(X)))

    labels = KMeans(2, n_init=3, random_state=0).fit_predict(X)
    halves = [X[labels == 0], X[labels == 1]]
    if min(map(len, halves)) == 0 or cost(halves) >= cost([X]):
        return 1
    return sum(map(x_means, halves))


def dip(sample: FloatArray) -> float:
    """Return the distance from the nearest distribution with one mode, times sqrt(n)."""
    n, values = len(sample), np.sort(sample)
    middles = (np.arange(n) + 0.5) / n
    shares = np.interp(values, unimodal_quantiles(values), middles)
    return float(np.abs(shares - middles).max() * np.sqrt(n))


@cache
def largest_dip(n: int) -> float:
    """Return the largest dip of uniform samples, as in the paper (significance level 0)."""
    rng = np.random.default_rng(0)
    return max(dip(rng.random(n)) for _ in range(300))


def dip_means(X: FloatArray) -> int:
    """Return the number of parts that k-means divides in two while distances have several modes.

    A part is divided if the distances from more than 1 % of its objects do (Kalogeratos and Likas,
    2012); up to 100 of them look at up to 300 others.
    """
    rng = np.random.default_rng(0)
    viewers, seen = (rng.permutation(len(X))[:most] for most in (100, 300))
    if len(X) < 10:
        return 1
    critical = largest_dip(len(seen))
    n_split = sum(dip(row) > critical for row in cdist(X[viewers], X[seen]))
    if n_split <= 0.01 * len(viewers):
        return 1
    labels = KMeans(2, n_init=3, random_state=0).fit_predict(X)
    return sum(dip_means(X[labels == one]) for one in (0, 1)) if labels.any() else 1


def gap(X: FloatArray) -> int:
    found = gap_statistic(KMEANS, X, range(1, 11), n_null=20, power=1)
    return int(found.choose("tibshirani") or 1)


def strength(X: FloatArray) -> int:
    return int(prediction_strength(KMEANS, X, range(1, 11), n_resamples=20).choose() or 1)


METHODS: dict[str, Callable[[FloatArray], int]] = {
    "silhouette": by_score(silhouette_score),
    "Calinski-Harabasz": by_score(calinski_harabasz_score),
    "gap": gap,
    "prediction strength": strength,
    "BIC of mixtures": bic,
    "x-means": x_means,
    "dip-means": dip_means,
}


VOTERS = ("silhouette", "gap", "prediction strength")


def vote(numbers: dict[str, int]) -> int:
    """Return the number that two of three methods say, one if the gap statistic says so."""
    if numbers["gap"] == 1:
        return 1
    said = [numbers[name] for name in VOTERS]
    return next((k for k in said if said.count(k) > 1), numbers["prediction strength"])


class Table:
    """Shares of right numbers and CPU seconds, by method and kind of data."""

    def __init__(self, peers: bool) -> None:
        self.peers = peers
        self.right: dict[tuple[str, str], list[bool]] = defaultdict(list)
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.grades: dict[str, list[str]] = defaultdict(list)
        self.pvalues: dict[str, list[float]] = defaultdict(list)

    def add(self, kind: str, name: str, accepted: set[int], X: FloatArray) -> None:
        start = time.process_time()
        choice = choose_n_clusters(KMEANS, X)
        self.seconds["this rule"].append(time.process_time() - start)
        self.right["this rule", kind].append(choice.n_clusters in accepted)
        self.grades[kind].append(choice.verdict.grade)
        separated = choice.verdict.grade == "separated"
        self.pvalues[kind].append(float(not separated) if choice.pvalue is None else choice.pvalue)
        numbers = {}
        for method, choose in METHODS.items() if self.peers else ():
            start = time.process_time()
            numbers[method] = choose(X)
            self.right[method, kind].append(numbers[method] in accepted)
            self.seconds[method].append(time.process_time() - start)
        if self.peers:
            self.right["vote of three", kind].append(vote(numbers) in accepted)
            self.seconds["vote of three"].append(sum(self.seconds[name][-1] for name in VOTERS))
        if kind == "real":
            others = ", ".join(f"{method} {number}" for method, number in numbers.items())
            print(f"  {name}, {sorted(accepted)}: {choice.verdict.headline}; {others}")
        elif choice.n_clusters not in accepted:
            print(f"  {kind}, {name}: {choice.verdict.headline}")

    def __str__(self) -> str:
        kinds = list(self.grades)
        lines = ["".join([f"{'method':22}", *(f"{kind:>18}" for kind in kinds), f"{'CPU s':>9}"])]
        for method in self.seconds:
            cells = []
            for kind in kinds:
                found = self.right[method, kind]
                share = np.mean(found)
                error = np.sqrt(share * (1 - share) / len(found))
                cells.append(f"{sum(found)} of {len(found)} +- {100 * error:.0f} %".rjust(18))
            lines.append(f"{method:22}{''.join(cells)}{np.mean(self.seconds[method]):9.2f}")
        for kind in kinds:
            separated = np.mean([one == "separated" for one in self.grades[kind]])
            level = np.mean([one <= 0.05 for one in self.pvalues[kind]])
            lines.append(
                f"{kind}: {len(self.grades[kind])} sets, {separated:.2f} separated"
                + (f", level {level:.3f}" if kind == "plain" else "")
            )
        return "\n".join(lines)


def real(folder: Path | None) -> Iterator[tuple[str, set[int], FloatArray]]:
    """Return names, accepted numbers and data."""
    shipped = {
        "iris": (load_iris, True, {2, 3}),
        "wine": (load_wine, True, {3}),
        "breast_cancer": (load_breast_cancer, True, {2}),
        "all digits": (load_digits, False, {8, 9, 10, 11, 12}),
    }
    given = {} if folder is None else json.loads((folder / "manifest.json").read_text())
    import pandas as pd

    for name, about in given.items():
        frame = pd.read_csv(folder / f"{name}.csv.gz")
        X = frame[[column for column in frame if column != "known"]].to_numpy(float)
        scaled = StandardScaler().fit_transform(X) if about["standardize"] else X
        yield name, set(about["accept"]), scaled
    for name, (load, scales, accepted) in shipped.items():
        if name not in given:
            X = load().data
            yield name, accepted, StandardScaler().fit_transform(X) if scales else X


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--only-made-up", action="store_true")
    parser.add_argument("--no-peers", action="store_true")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    made_up, shipped = (Table(not arguments.no_peers) for _ in range(2))
    for draw in range(arguments.draws):
        rng = np.random.default_rng([arguments.seed, draw])
        for kind in (clear, plain, bent):
            for name, k, X in kind(rng, arguments.rows):
                made_up.add(kind.__name__, name, {k}, X)
    if made_up.grades:
        print(f"{made_up}\n")
    if arguments.only_made_up:
        return
    for name, accepted, X in real(arguments.data):
        shipped.add("real", name, accepted, X)
    print(shipped)


if __name__ == "__main__":
    main()
