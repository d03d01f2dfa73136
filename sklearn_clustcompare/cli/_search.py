"""Fit and score every candidate of ``clustcompare select``.

Imports for the search are local, so that the other commands start without them.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare.cli._arguments import ChosenIndex, as_mapping
from sklearn_clustcompare.cli._console import say

if TYPE_CHECKING:
    from numpy.typing import NDArray

# A search that ends before this needs no progress.
_SECONDS_OF_SILENCE = 3.0


class _Clusterer(NamedTuple):
    class_name: str
    module: str = "sklearn.cluster"
    k_parameter: str = "n_clusters"

    def make(self, random_state: int) -> Any:
        estimator = getattr(importlib.import_module(self.module), self.class_name)()
        if "random_state" in estimator.get_params():
            estimator.set_params(random_state=random_state)
        return estimator


ESTIMATORS = {
    "kmeans": _Clusterer("KMeans"),
    "minibatch-kmeans": _Clusterer("MiniBatchKMeans"),
    "bisecting-kmeans": _Clusterer("BisectingKMeans"),
    "gaussian-mixture": _Clusterer("GaussianMixture", "sklearn.mixture", "n_components"),
    "birch": _Clusterer("Birch"),
    "agglomerative": _Clusterer("AgglomerativeClustering"),
    "spectral": _Clusterer("SpectralClustering"),
}


def estimator_names(arguments: argparse.Namespace) -> list[str]:
    """Return the names of the clusterers chosen, each once."""
    return list(dict.fromkeys(arguments.estimator or ["kmeans"]))


class Scores(NamedTuple):
    """Values of each index by its name, and the ranks by the first one; ties share the best."""

    values: dict[str, list[float]]
    ranks: list[int]


def search(
    candidates: list[tuple[str, int]],
    X: NDArray[Any],
    y: NDArray[Any],
    indices: dict[str, ChosenIndex],
    *,
    response: str,
    scale: bool,
    random_state: int,
    n_jobs: int | None,
    verbose: bool,
) -> Scores:
    """Score every candidate with every index; the first one ranks them."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import StandardScaler

    from sklearn_clustcompare._numerics import ranked

    estimators = {name: ESTIMATORS[name].make(random_state) for name, _ in candidates}
    grid = [
        {"cluster": [estimators[name]], f"cluster__{ESTIMATORS[name].k_parameter}": [k]}
        for name, k in candidates
    ]
    scaler = StandardScaler() if scale else "passthrough"
    scorer: Any = clustcompare.make_clustering_scorer(as_mapping(indices), response=response)
    if verbose or sys.stderr.isatty():
        silence = 0.0 if verbose else _SECONDS_OF_SILENCE
        scorer = _ReportingScorer(scorer, candidates, time.time() + silence)
    results = (
        GridSearchCV(
            Pipeline([("scale", scaler), ("cluster", estimators[candidates[0][0]])]),
            grid,
            scoring=scorer,
            cv=clustcompare.TransductiveSplit(),
            refit=False,
            n_jobs=n_jobs,
            error_score="raise",
        )
        .fit(X, y)
        .cv_results_
    )
    values = {
        title: [
            float(value if one.index.greater_is_better else 0.0 - value)
            for value in results[f"mean_test_{title}"]
        ]
        for title, one in indices.items()
    }
    first = next(iter(indices))
    ranks = ranked(results[f"mean_test_{first}"])
    return Scores(values, ranks.astype(int).tolist())


class _ReportingScorer:
    """A scorer that reports each candidate on stderr, also from worker processes."""

    def __init__(
        self,
        scorer: Callable[..., dict[str, float]],
        candidates: list[tuple[str, int]],
        silent_until: float,
    ) -> None:
        self.scorer = scorer
        self.candidates = candidates
        self.silent_until = silent_until

    def __call__(self, estimator: Any, X: Any, y: Any) -> dict[str, float]:
        scores = self.scorer(estimator, X, y)
        if time.time() >= self.silent_until:
            clusterer = estimator[-1]
            name, k_parameter = next(
                (name, known.k_parameter)
                for name, known in ESTIMATORS.items()
                if type(clusterer).__name__ == known.class_name
            )
            k = getattr(clusterer, k_parameter)
            number = self.candidates.index((name, k)) + 1
            say(f"candidate {number} of {len(self.candidates)} done: {name}, k = {k}")
        return scores
