"""Scorers and splitters for model selection."""

from sklearn_clustcompare._options import show_types
from sklearn_clustcompare.model_selection._scorer import ClusteringScorer, make_clustering_scorer
from sklearn_clustcompare.model_selection._split import TransductiveSplit

__all__ = [
    "ClusteringScorer",
    "TransductiveSplit",
    "make_clustering_scorer",
]

show_types(globals())
