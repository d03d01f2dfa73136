"""Scorers and splitters for model selection."""

from sklearn_clustcompare.model_selection._scorer import (
    ClusteringScorer,
    make_clustering_scorer,
)
from sklearn_clustcompare.model_selection._split import (
    TransductiveSplit,
)
from sklearn_clustcompare.model_selection._stability_result import (
    StabilityResult,
)
from sklearn_clustcompare.model_selection._stability_search import (
    StabilitySearch,
)

__all__ = [
    "ClusteringScorer",
    "StabilityResult",
    "StabilitySearch",
    "TransductiveSplit",
    "make_clustering_scorer",
]
