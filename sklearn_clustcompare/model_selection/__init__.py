"""Scorers and splitters for model selection."""

from sklearn_clustcompare.model_selection._gap import GapStatistic, gap_statistic
from sklearn_clustcompare.model_selection._scorer import (
    ClusteringScorer,
    make_clustering_scorer,
)
from sklearn_clustcompare.model_selection._split import (
    TransductiveSplit,
)

__all__ = [
    "ClusteringScorer",
    "GapStatistic",
    "TransductiveSplit",
    "gap_statistic",
    "make_clustering_scorer",
]
