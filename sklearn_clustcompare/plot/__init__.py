"""Displays: pictures of comparisons, drawn with Matplotlib from computed values."""

from sklearn_clustcompare._options import show_types
from sklearn_clustcompare.plot._alluvial import AlluvialDisplay
from sklearn_clustcompare.plot._candidates import CandidateScoresDisplay, IndexCurveDisplay
from sklearn_clustcompare.plot._cluster_significance import ClusterSignificanceDisplay
from sklearn_clustcompare.plot._credible_ball import CredibleBallDisplay
from sklearn_clustcompare.plot._decomposition import DecompositionDisplay
from sklearn_clustcompare.plot._display import draw_result as draw_result
from sklearn_clustcompare.plot._embedding_agreement import EmbeddingAgreementDisplay
from sklearn_clustcompare.plot._gap import GapDisplay
from sklearn_clustcompare.plot._matrices import ContingencyDisplay, SimilarityMatrixDisplay
from sklearn_clustcompare.plot._n_clusters import NClustersDisplay
from sklearn_clustcompare.plot._null_distribution import NullDistributionDisplay
from sklearn_clustcompare.plot._silhouette import SilhouetteDisplay
from sklearn_clustcompare.plot._stability import ClusterStabilityDisplay, StabilityDisplay
from sklearn_clustcompare.plot._trees import ClusteringTreeDisplay, HierarchyComparisonDisplay
from sklearn_clustcompare.plot._weight_function import WeightFunctionDisplay

__all__ = [
    "AlluvialDisplay",
    "CandidateScoresDisplay",
    "ClusterSignificanceDisplay",
    "ClusterStabilityDisplay",
    "ClusteringTreeDisplay",
    "ContingencyDisplay",
    "CredibleBallDisplay",
    "DecompositionDisplay",
    "EmbeddingAgreementDisplay",
    "GapDisplay",
    "HierarchyComparisonDisplay",
    "IndexCurveDisplay",
    "NClustersDisplay",
    "NullDistributionDisplay",
    "SilhouetteDisplay",
    "SimilarityMatrixDisplay",
    "StabilityDisplay",
    "WeightFunctionDisplay",
]

show_types(globals())
