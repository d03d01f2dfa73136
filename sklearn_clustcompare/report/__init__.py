"""Reports of two clusterings: values of single clusters, and recommendation of an index."""

from sklearn_clustcompare._options import show_types
from sklearn_clustcompare.report._decomposition import (
    ClusterDecomposition,
    ClusterSummary,
    ClusterValues,
    Recombination,
    cluster_decomposition,
)
from sklearn_clustcompare.report._entities import EntityReport, MixedCluster
from sklearn_clustcompare.report._internal import InternalDecomposition, internal_decomposition
from sklearn_clustcompare.report._names import cluster_names
from sklearn_clustcompare.report._noise_bounds import noise_bounds
from sklearn_clustcompare.report._overall import OverallIndex, ReportHeadline, ReportProvenance
from sklearn_clustcompare.report._recommendation import IndexRecommendation, recommend_index
from sklearn_clustcompare.report._report import ComparisonReport, clustering_comparison_report

__all__ = [
    "cluster_decomposition",
    "cluster_names",
    "clustering_comparison_report",
    "internal_decomposition",
    "noise_bounds",
    "recommend_index",
]

show_types(globals())
