"""Reports of two clusterings: values of single clusters, and recommendation of an index."""

from sklearn_clustcompare.report._annotation_report import (
    AnnotatedCluster,
    AnnotatedType,
    AnnotationReport,
)
from sklearn_clustcompare.report._cluster_values import (
    ClusterSummary,
    ClusterValues,
)
from sklearn_clustcompare.report._comparison_report import ComparisonReport
from sklearn_clustcompare.report._decomposition import (
    ClusterDecomposition,
    Recombination,
    cluster_decomposition,
)
from sklearn_clustcompare.report._diarization import DiarizationScores, diarization_scores
from sklearn_clustcompare.report._entity_report import EntityReport
from sklearn_clustcompare.report._headline import ReportHeadline
from sklearn_clustcompare.report._internal import (
    InternalDecomposition,
    internal_decomposition,
)
from sklearn_clustcompare.report._mixed_clusters import MixedCluster
from sklearn_clustcompare.report._noise_bounds import noise_bounds
from sklearn_clustcompare.report._overall import OverallIndex
from sklearn_clustcompare.report._provenance import ReportProvenance
from sklearn_clustcompare.report._recommendation import (
    IndexRecommendation,
    recommend_index,
)
from sklearn_clustcompare.report._report import clustering_comparison_report

__all__ = [
    "AnnotatedCluster",
    "AnnotatedType",
    "AnnotationReport",
    "ClusterDecomposition",
    "ClusterSummary",
    "ClusterValues",
    "ComparisonReport",
    "DiarizationScores",
    "EntityReport",
    "IndexRecommendation",
    "InternalDecomposition",
    "MixedCluster",
    "OverallIndex",
    "Recombination",
    "ReportHeadline",
    "ReportProvenance",
    "cluster_decomposition",
    "clustering_comparison_report",
    "diarization_scores",
    "internal_decomposition",
    "noise_bounds",
    "recommend_index",
]
