"""Reports of two clusterings: values of single clusters, and recommendation of an index."""

from sklearn_clustcompare._options import publish
from sklearn_clustcompare.report._clusters import (
    cluster_names,
    internal_decomposition,
    noise_bounds,
)
from sklearn_clustcompare.report._decomposition import cluster_decomposition
from sklearn_clustcompare.report._recommendation import recommend_index
from sklearn_clustcompare.report._report import clustering_comparison_report

__all__ = [
    "cluster_decomposition",
    "cluster_names",
    "clustering_comparison_report",
    "internal_decomposition",
    "noise_bounds",
    "recommend_index",
]

publish(globals())
