"""Verdicts without a reference: structure, number of clusters, stability."""

from sklearn_clustcompare._options import publish
from sklearn_clustcompare.without_reference._against_null import gap_statistic, structure_test
from sklearn_clustcompare.without_reference._cluster_significance import cluster_significance
from sklearn_clustcompare.without_reference._n_clusters import NClustersSearch, choose_n_clusters
from sklearn_clustcompare.without_reference._stability import (
    cluster_stability,
    influence,
    prediction_strength,
)
from sklearn_clustcompare.without_reference._stability_search import StabilitySearch

__all__ = [
    "NClustersSearch",
    "StabilitySearch",
    "choose_n_clusters",
    "cluster_significance",
    "cluster_stability",
    "gap_statistic",
    "influence",
    "prediction_strength",
    "structure_test",
]

publish(globals())
