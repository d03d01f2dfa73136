"""Verdicts without a reference: structure, number of clusters, stability."""

from sklearn_clustcompare.without_reference._choose_n_clusters import (
    NClustersChoice,
    choose_n_clusters,
)
from sklearn_clustcompare.without_reference._cluster_significance import (
    ClusterSignificance,
    cluster_significance,
)
from sklearn_clustcompare.without_reference._cluster_stability import (
    ClusterStability,
    cluster_stability,
)
from sklearn_clustcompare.without_reference._gap import GapStatistic, gap_statistic
from sklearn_clustcompare.without_reference._influence import Influence, influence
from sklearn_clustcompare.without_reference._prediction_strength import (
    PredictionStrength,
    prediction_strength,
)
from sklearn_clustcompare.without_reference._stability_result import StabilityResult
from sklearn_clustcompare.without_reference._stability_search import StabilitySearch
from sklearn_clustcompare.without_reference._structure import StructureTestResult, structure_test
from sklearn_clustcompare.without_reference._verdict import NClustersVerdict

__all__ = [
    "ClusterSignificance",
    "ClusterStability",
    "GapStatistic",
    "Influence",
    "NClustersChoice",
    "NClustersVerdict",
    "PredictionStrength",
    "StabilityResult",
    "StabilitySearch",
    "StructureTestResult",
    "choose_n_clusters",
    "cluster_significance",
    "cluster_stability",
    "gap_statistic",
    "influence",
    "prediction_strength",
    "structure_test",
]
