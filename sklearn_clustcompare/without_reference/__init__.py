"""Verdicts without a reference: structure, number of clusters, stability."""

from inspect import getdoc, signature

from sklearn_clustcompare._options import documented, parameter_texts, publish
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

if choose_n_clusters.__doc__:  # python -OO drops it
    _SHARED = parameter_texts(getdoc(choose_n_clusters) or "")
    for _one in (
        *(NClustersSearch, StabilitySearch, cluster_significance, cluster_stability),
        *(gap_statistic, influence, prediction_strength, structure_test),
    ):
        _one.__doc__ = documented(getdoc(_one) or "", _SHARED, signature(_one).parameters)

publish(globals())
