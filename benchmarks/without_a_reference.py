"""How often do methods that need no reference labels give the right answer, on data made up?

Run ``python benchmarks/without_a_reference.py [--runs 100] [--quick]``. One line for each method
and kind of data: the share of the data sets with the right answer, and the least that it should be,
if there is a bar. The data:

*uniform*
    100 points uniform in the square: one cluster.
*five blobs*
    five Gaussian clusters of 30 points with standard deviation 1, whose centers are uniform in the
    square of side 40 and at least 8 apart.

Answers of the gap statistic are those of its rules, with 50 structureless data sets and k-means
with three starts. The structure test is one of the silhouette of k-means for 2 to 6 clusters; right
is a p-value of at most 5 % for blobs, and above it for uniform data. Stability is the adjusted Rand
index of 10 pairs of bootstrap samples, clustered by k-means with one start, beside that of 19
structureless data sets; prediction strength is that of 25 splits, with its threshold of 0.8.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.spatial.distance import pdist
from sklearn.cluster import KMeans

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sklearn_clustcompare import (
    StabilitySearch,
    gap_statistic,
    prediction_strength,
    structure_test,
)

LEVEL = 0.05


class Line(NamedTuple):
    """A method, the kind of data, the share of right answers and the bar for it."""

    method: str
    data: str
    share: float
    bar: float | None


def uniform(seed: int) -> NDArray[np.float64]:
    return np.random.default_rng(seed).uniform(size=(100, 2))


def five_blobs(seed: int) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    while True:
        centers = rng.uniform(0, 40, size=(5, 2))
        if pdist(centers).min() >= 8:
            return centers.repeat(30, axis=0) + rng.normal(size=(150, 2))


# Kinds of data, and the number of clusters in them.
DATA = {"uniform": (uniform, 1), "five blobs": (five_blobs, 5)}
# The least share of right answers.
BARS = {("tibshirani", 2, "uniform"): 0.85, ("first_se_max", 2, "uniform"): 0.75}
_STABILITY_BARS = {
    ("stability, null", "uniform"): 0.85,
    ("prediction strength", "uniform"): 0.85,
}


# --------------------------------------------------------------------------- gap and structure


def gap_and_structure(n_runs: int, n_null: int) -> Iterator[Line]:
    parallel = Parallel(n_jobs=-1)
    for data, (draw, right) in DATA.items():
        for power in (1, 2):
            chosen = parallel(
                delayed(_choices)(draw(seed), power, n_null, seed) for seed in range(n_runs)
            )
            for rule in chosen[0]:
                share = float(np.mean([one[rule] == right for one in chosen]))
                bar = BARS.get((rule, power, data))
                yield Line(f"gap, power {power}, {rule}", data, share, bar)
        pvalues = np.array(
            parallel(delayed(_pvalue)(draw(seed), n_null, seed) for seed in range(n_runs))
        )
        is_right = pvalues > LEVEL if right == 1 else pvalues <= LEVEL
        yield Line("structure test, silhouette", data, float(is_right.mean()), None)


def _choices(X: NDArray[np.float64], power: int, n_null: int, seed: int) -> dict[str, Any]:
    options = {"n_null": n_null, "power": power, "random_state": seed}
    return gap_statistic(KMeans(n_init=3), X, range(1, 9), **options).choices()


def _pvalue(X: NDArray[np.float64], n_null: int, seed: int) -> float:
    test = structure_test(
        KMeans(n_init=3),
        X,
        statistic="silhouette_score",
        param_range=range(2, 7),
        n_null=n_null,
        random_state=seed,
    )
    return test.pvalue


# --------------------------------------------------------------------------- stability


def stability(n_runs: int) -> Iterator[Line]:
    parallel = Parallel(n_jobs=-1)
    for data, (draw, right) in DATA.items():
        chosen = parallel(delayed(_stable_choices)(draw(seed), seed) for seed in range(n_runs))
        for method in chosen[0]:
            share = float(np.mean([one[method] == right for one in chosen]))
            yield Line(method, data, share, _STABILITY_BARS.get((method, data)))


def _stable_choices(X: NDArray[np.float64], seed: int) -> dict[str, Any]:
    ks = list(range(2, 8))
    search = StabilitySearch(
        KMeans(), {"n_clusters": ks}, n_resamples=10, null="pca", refit=False, random_state=seed
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ties
        chosen = search.fit(X).result_.choices()
    chosen.pop("one_standard_error")
    strength = prediction_strength(
        KMeans(n_init=3), X, param_range=ks, n_resamples=25, random_state=seed
    )
    answers = {f"stability, {rule}": one["n_clusters"] for rule, one in chosen.items()}
    return answers | {"prediction strength": strength.choose()}


# --------------------------------------------------------------------------- the table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=100, help="data sets of each kind")
    parser.add_argument("--quick", action="store_true", help="ten data sets, and 20 draws for each")
    arguments = parser.parse_args()
    n_runs, n_null = (10, 20) if arguments.quick else (arguments.runs, 50)
    print(f"{n_runs} data sets of each kind\n")
    print(f"{'method':32}  {'data':12} {'right':>6} {'bar':>6}")
    for line in itertools.chain(stability(n_runs), gap_and_structure(n_runs, n_null)):
        bar = "-" if line.bar is None else f"{line.bar:.2f}"
        missed = "  missed" if line.bar is not None and line.share < line.bar else ""
        print(f"{line.method:32}  {line.data:12} {line.share:6.2f} {bar:>6}{missed}", flush=True)


if __name__ == "__main__":
    main()
