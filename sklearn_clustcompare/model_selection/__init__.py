"""Scorers and splitters for model selection; methods that need no reference."""

from sklearn_clustcompare.model_selection._choose_n_clusters import (
    NClustersChoice,
    choose_n_clusters,
)
from sklearn_clustcompare.model_selection._cluster_stability import (
    ClusterStability,
    cluster_stability,
)
from sklearn_clustcompare.model_selection._gap import GapStatistic, gap_statistic
from sklearn_clustcompare.model_selection._prediction_strength import (
    PredictionStrength,
    prediction_strength,
)
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
from sklearn_clustcompare.model_selection._structure import StructureTestResult, structure_test

__all__ = [
    "ClusterStability",
    "ClusteringScorer",
    "GapStatistic",
    "NClustersChoice",
    "PredictionStrength",
    "StabilityResult",
    "StabilitySearch",
    "StructureTestResult",
    "TransductiveSplit",
    "choose_n_clusters",
    "cluster_stability",
    "gap_statistic",
    "make_clustering_scorer",
    "prediction_strength",
    "structure_test",
]
