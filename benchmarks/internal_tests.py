"""How often tests and intervals of indices of the data are wrong, on data made up.

Run ``OMP_NUM_THREADS=1 python benchmarks/internal_tests.py [--runs 300]``. The first table has the
share of data sets for which ``paired_comparison_test`` by the silhouette finds a difference at the
level .05 between two clusterings of equal clusterers, with the Monte Carlo error of that share, the
same without those of which the test warns, and the share of warnings. The data have no clusters,
there are three in each clustering, and the pairs of clusterings are

*seeds*
    k-means with one start each, from two seeds;
*noise*
    k-means of the data with normal noise of standard deviation .3 added, drawn twice;
*halves*
    k-means of two disjoint halves of the objects, which then assigns all of them;
*labels*
    labels at random, drawn twice.

The second table has the share of intervals at the level .95 that contain the value of the
population, which is the mean over samples of the same size. The clusters are fixed: those of the
nearest of three points, for normal data with and without clusters.
"""

from __future__ import annotations

import argparse
import math
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sklearn_clustcompare import get_index, paired_comparison_test, score_interval

SEED = 60223
LEVEL = 0.05
DATA = {
    "uniform 60 x 2": lambda rng: rng.uniform(size=(60, 2)),
    "uniform 300 x 2": lambda rng: rng.uniform(size=(300, 2)),
    "normal 100 x 5": lambda rng: rng.normal(size=(100, 5)),
    "lognormal 100 x 2": lambda rng: rng.lognormal(size=(100, 2)),
}
K = 3
INTERVALS = (
    "silhouette_score",
    "calinski_harabasz_score",
    "within_cluster_sum_of_squares",
    "incidence_proximity_correlation",
    "xie_beni_score",
)
CENTERS = {
    "three clusters": 2.0 * np.array([[0.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]),
    "one cluster": np.array([[0.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]),
}
N_POPULATION = 1000


def _fitted(X: NDArray[Any], rng: np.random.Generator) -> KMeans:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return KMeans(K, n_init=1, random_state=int(rng.integers(2**31))).fit(X)


def _by_seeds(X: NDArray[Any], rng: np.random.Generator) -> list[NDArray[Any]]:
    return [_fitted(X, rng).labels_ for _ in range(2)]


def _by_noise(X: NDArray[Any], rng: np.random.Generator) -> list[NDArray[Any]]:
    scale = 0.3 * X.std(axis=0)
    return [_fitted(X + scale * rng.normal(size=X.shape), rng).labels_ for _ in range(2)]


def _by_halves(X: NDArray[Any], rng: np.random.Generator) -> list[NDArray[Any]]:
    order = rng.permutation(len(X))
    return [_fitted(X[half], rng).predict(X) for half in np.array_split(order, 2)]


def _at_random(X: NDArray[Any], rng: np.random.Generator) -> list[NDArray[Any]]:
    return [rng.integers(K, size=len(X)) for _ in range(2)]


PAIRS: dict[str, Callable[..., list[NDArray[Any]]]] = {
    "seeds": _by_seeds,
    "noise": _by_noise,
    "halves": _by_halves,
    "labels": _at_random,
}


def false_alarms(n_runs: int) -> Iterator[tuple[str, str, NDArray[Any], NDArray[Any]]]:
    """Yield which differences are found and which tests warn, by data and pair."""
    for data, draw in DATA.items():
        for pair, cluster in PAIRS.items():
            rng = np.random.default_rng([SEED, *data.encode(), *pair.encode()])
            found, is_warned = np.zeros((2, n_runs), bool)
            for run in range(n_runs):
                X = draw(rng)
                a, b = cluster(X, rng)
                with warnings.catch_warnings(record=True) as told:
                    warnings.simplefilter("always")
                    test = paired_comparison_test(None, a, b, index="silhouette_score", X=X)
                found[run], is_warned[run] = test.pvalue <= LEVEL, bool(told)
            yield data, pair, found, is_warned


def coverage(n_runs: int) -> Iterator[tuple[str, str, NDArray[Any]]]:
    """Yield which intervals contain the mean value, by data and index."""
    for data, centers in CENTERS.items():
        for name in INTERVALS:
            rng = np.random.default_rng([SEED, *data.encode(), *name.encode()])

            def draw(rng: np.random.Generator, of: NDArray[Any] = centers, data: str = data) -> Any:
                X = rng.normal(size=(100, 2))
                X += of[rng.integers(3, size=100)] if data == "three clusters" else 0.0
                return X, ((X[:, np.newaxis] - of) ** 2).sum(axis=2).argmin(axis=1)

            index = get_index(name)
            mean = np.mean([index(*draw(rng)) for _ in range(N_POPULATION)])
            found = np.zeros(n_runs, bool)
            for run in range(n_runs):
                X, labels = draw(rng)
                low, high = score_interval(
                    None, labels, index=index, X=X, n_resamples=99, random_state=0
                ).interval
                found[run] = low <= mean <= high
            yield data, name, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=300, help="data sets for each line")
    n_runs = parser.parse_args().runs
    print(f"seed {SEED}, {n_runs} data sets a line")
    print(f"{'data':18} {'pair':7} false alarms   unwarned       warned")
    pooled = []
    for data, pair, found, is_warned in false_alarms(n_runs):
        shares = _text(found), _text(found[~is_warned]), _text(is_warned)
        print(f"{data:18} {pair:7}", *shares, flush=True)
        pooled.append((found, is_warned))
    found, is_warned = (np.concatenate(one) for one in zip(*pooled, strict=True))
    print(f"{'all':18} {'':7}", _text(found), _text(found[~is_warned]), _text(is_warned))
    print(f"{'data':18} {'index':32}  coverage at .95")
    for data, name, found in coverage(n_runs // 3):
        print(f"{data:18} {name:32}  {_text(found)}", flush=True)


def _text(found: NDArray[Any]) -> str:
    if not len(found):
        return f"{'-':13}"
    share = found.mean()
    return f"{share:.3f} +-{math.sqrt(max(share * (1 - share), 1 / len(found)) / len(found)):.3f}"


if __name__ == "__main__":
    main()
