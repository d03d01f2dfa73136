"""Scorers and splitters for model selection."""

from sklearn_clustcompare._options import publish
from sklearn_clustcompare.model_selection._scorer import (
    ClusteringScorer,
    TransductiveSplit,
    make_clustering_scorer,
)

__all__ = [
    "ClusteringScorer",
    "TransductiveSplit",
    "make_clustering_scorer",
]

publish(globals())
