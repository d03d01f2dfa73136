"""How often the checks of clusterers fail for no reason, and how often they miss one.

Run ``python benchmarks/flicker.py [--runs 200]``. A k-means is checked again and again with another
``random_state``: as it is, where no check should fail, and made worse on purpose (one start, two
steps, one feature in a unit a hundred times as small), where one should in at least 95 % of runs.
Columns: the share of runs in which each floor fails, any of them, and the comparison with a
baseline that was accepted from the first run of the k-means as it is, on the wine data. Two minutes
on two cores.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, scale

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sklearn_clustcompare import checks
from sklearn_clustcompare.checks import ClusteringBaseline
from sklearn_clustcompare.checks._record import Subject

WINE, CULTIVARS = load_wine(return_X_y=True)
WINE = scale(WINE)
FLOORS = {
    "iris": checks.check_floor_on_iris,
    "wine": checks.check_floor_on_wine,
    "breast cancer": checks.check_floor_on_breast_cancer,
}


def in_another_unit(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the features with the first one a hundred times as large."""
    return np.column_stack([100 * X[:, 0], X[:, 1:]])


def make_unchanged() -> Any:
    return KMeans()


def make_worse() -> Any:
    return make_pipeline(FunctionTransformer(in_another_unit), KMeans(n_init=1, max_iter=2))


def failing_floors(estimator: Any, seed: int) -> list[str]:
    """Return the names of the floors that fail with this seed."""
    failing = []
    for name, check in FLOORS.items():
        try:
            check(estimator, random_state=seed)
        except AssertionError:
            failing.append(name)
    return failing


def is_worse_than_accepted(baseline: ClusteringBaseline, estimator: Any, seed: int) -> bool:
    """Tell whether the comparison with the accepted labels fails with this seed."""
    comparison = baseline.compare(
        "wine", CULTIVARS, _labels(estimator, seed), data=WINE, rule="test"
    )
    return comparison.is_worse


def accept_unchanged(folder: Path) -> ClusteringBaseline:
    """Accept the first run of the k-means as it is."""
    baseline = ClusteringBaseline(folder / "baseline.json")
    baseline.accept("wine", CULTIVARS, _labels(make_unchanged(), 0), data=WINE)
    return baseline


def _labels(estimator: Any, seed: int) -> Any:
    return Subject(estimator, random_state=seed).labels(WINE)


def main() -> None:
    """Print a row for each clusterer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200, help="seeds for each row (default: 200)")
    runs = parser.parse_args().runs
    columns = [*FLOORS, "any floor", "baseline"]
    print("".join([f"{'share that fails':24}", *(f"{name:>15}" for name in columns)]), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        baseline = accept_unchanged(Path(folder))
        for title, make in (("k-means", make_unchanged), ("k-means made worse", make_worse)):
            failing = [failing_floors(make(), seed) for seed in range(runs)]
            shares = [np.mean([name in names for names in failing]) for name in FLOORS]
            shares += [
                np.mean([bool(names) for names in failing]),
                np.mean([is_worse_than_accepted(baseline, make(), seed) for seed in range(runs)]),
            ]
            print("".join([f"{title:24}", *(f"{share:15.3f}" for share in shares)]), flush=True)


if __name__ == "__main__":
    main()
