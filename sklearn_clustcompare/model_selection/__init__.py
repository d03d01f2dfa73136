"""Scorers and splitters for model selection."""

from sklearn_clustcompare.model_selection._gap import GapStatistic, gap_statistic
from sklearn_clustcompare.model_selection._scorer import (
    ClusteringScorer,
    make_clustering_scorer,
)
from sklearn_clustcompare.model_selection._split import (
    TransductiveSplit,
)
from sklearn_clustcompare.model_selection._structure import StructureTestResult, structure_test

__all__ = [
    "ClusteringScorer",
    "GapStatistic",
    "StructureTestResult",
    "TransductiveSplit",
    "gap_statistic",
    "make_clustering_scorer",
    "structure_test",
]
