"""Many partitions: against a reference, against each other, and what they have in common."""

from sklearn_clustcompare.comparison._candidate_comparison import CandidateComparison
from sklearn_clustcompare.comparison._candidate_scores import CandidateScores
from sklearn_clustcompare.comparison._candidates import score_candidates
from sklearn_clustcompare.comparison._clustering_tree import ClusteringTree, clustering_tree
from sklearn_clustcompare.comparison._consensus import (
    ConsensusResult,
    MedoidResult,
    common_refinement,
    consensus_partition,
    is_refinement,
    medoid_partition,
)
from sklearn_clustcompare.comparison._curve import IndexCurve, index_curve
from sklearn_clustcompare.comparison._hierarchy import (
    HierarchyComparison,
    compare_hierarchies,
)
from sklearn_clustcompare.comparison._pairwise import pairwise_scores
from sklearn_clustcompare.comparison._result import PairwiseScores
from sklearn_clustcompare.comparison._tanglegram import Tanglegram, tanglegram

__all__ = [
    "CandidateComparison",
    "CandidateScores",
    "ClusteringTree",
    "ConsensusResult",
    "HierarchyComparison",
    "IndexCurve",
    "MedoidResult",
    "PairwiseScores",
    "Tanglegram",
    "clustering_tree",
    "common_refinement",
    "compare_hierarchies",
    "consensus_partition",
    "index_curve",
    "is_refinement",
    "medoid_partition",
    "pairwise_scores",
    "score_candidates",
    "tanglegram",
]
