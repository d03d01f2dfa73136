"""Displays: pictures of comparisons, drawn with Matplotlib from computed values."""

from sklearn_clustcompare._options import publish
from sklearn_clustcompare.plot._alluvial import AlluvialDisplay, CredibleBallDisplay
from sklearn_clustcompare.plot._candidates import CandidateScoresDisplay, IndexCurveDisplay
from sklearn_clustcompare.plot._decomposition import DecompositionDisplay, WeightFunctionDisplay
from sklearn_clustcompare.plot._display import draw_result as draw_result
from sklearn_clustcompare.plot._evidence import (
    ClusterSignificanceDisplay,
    ClusterStabilityDisplay,
    GapDisplay,
    NClustersDisplay,
    NullDistributionDisplay,
    StabilityDisplay,
)
from sklearn_clustcompare.plot._matrices import ContingencyDisplay, SimilarityMatrixDisplay
from sklearn_clustcompare.plot._objects import EmbeddingAgreementDisplay, SilhouetteDisplay
from sklearn_clustcompare.plot._trees import ClusteringTreeDisplay, HierarchyComparisonDisplay

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

publish(globals())
