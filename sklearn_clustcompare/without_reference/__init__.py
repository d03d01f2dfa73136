"""Verdicts without a reference: structure, number of clusters, stability."""

from sklearn_clustcompare._options import documented_as, publish
from sklearn_clustcompare.without_reference._gap import gap_statistic
from sklearn_clustcompare.without_reference._n_clusters import NClustersSearch, choose_n_clusters
from sklearn_clustcompare.without_reference._stability import (
    cluster_stability,
    influence,
    prediction_strength,
)
from sklearn_clustcompare.without_reference._stability_search import StabilitySearch
from sklearn_clustcompare.without_reference._structure import cluster_significance, structure_test

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

for _one in (
    *(NClustersSearch, StabilitySearch, cluster_significance, cluster_stability),
    *(gap_statistic, influence, prediction_strength, structure_test),
):
    documented_as(choose_n_clusters)(_one)

publish(globals())
