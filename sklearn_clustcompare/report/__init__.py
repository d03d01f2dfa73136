"""Reports of two clusterings: values of single clusters, and recommendation of an index."""

from sklearn_clustcompare._options import show_types
from sklearn_clustcompare.report._clusters import InternalDecomposition as InternalDecomposition
from sklearn_clustcompare.report._clusters import cluster_names as cluster_names
from sklearn_clustcompare.report._clusters import internal_decomposition, noise_bounds
from sklearn_clustcompare.report._decomposition import (
    ClusterDecomposition as ClusterDecomposition,
)
from sklearn_clustcompare.report._decomposition import ClusterSummary as ClusterSummary
from sklearn_clustcompare.report._decomposition import ClusterValues as ClusterValues
from sklearn_clustcompare.report._decomposition import (
    Recombination as Recombination,
)
from sklearn_clustcompare.report._decomposition import (
    cluster_decomposition,
)
from sklearn_clustcompare.report._overall import OverallIndex as OverallIndex
from sklearn_clustcompare.report._overall import ReportHeadline as ReportHeadline
from sklearn_clustcompare.report._overall import ReportProvenance as ReportProvenance
from sklearn_clustcompare.report._recommendation import (
    IndexRecommendation as IndexRecommendation,
)
from sklearn_clustcompare.report._recommendation import (
    recommend_index,
)
from sklearn_clustcompare.report._report import ComparisonReport as ComparisonReport
from sklearn_clustcompare.report._report import EntityReport as EntityReport
from sklearn_clustcompare.report._report import MixedCluster as MixedCluster
from sklearn_clustcompare.report._report import clustering_comparison_report

__all__ = [
    "cluster_decomposition",
    "cluster_names",
    "clustering_comparison_report",
    "internal_decomposition",
    "noise_bounds",
    "recommend_index",
]

show_types(globals())
