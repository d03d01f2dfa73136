"""Many partitions: comparison with a reference and with each other, and consensus."""

from sklearn_clustcompare.comparison._candidate_comparison import CandidateComparison
from sklearn_clustcompare.comparison._candidate_scores import CandidateScores
from sklearn_clustcompare.comparison._candidates import score_candidates
from sklearn_clustcompare.comparison._clustering_tree import ClusteringTree, clustering_tree
from sklearn_clustcompare.comparison._co_association import CoAssociation, co_association_matrix
from sklearn_clustcompare.comparison._consensus import consensus_partition
from sklearn_clustcompare.comparison._consensus_result import ConsensusResult
from sklearn_clustcompare.comparison._curve import IndexCurve, index_curve
from sklearn_clustcompare.comparison._dendrograms import bakers_gamma, cophenetic_correlation
from sklearn_clustcompare.comparison._element_consistency import element_consistency
from sklearn_clustcompare.comparison._hierarchy import (
    HierarchyComparison,
    compare_hierarchies,
)
from sklearn_clustcompare.comparison._lattice import (
    common_coarsening,
    common_refinement,
    is_refinement,
)
from sklearn_clustcompare.comparison._medoid import MedoidResult, medoid_partition
from sklearn_clustcompare.comparison._pairwise import pairwise_scores
from sklearn_clustcompare.comparison._relabel import relabel
from sklearn_clustcompare.comparison._result import PairwiseScores
from sklearn_clustcompare.comparison._tanglegram import Tanglegram, tanglegram

__all__ = [
    "CandidateComparison",
    "CandidateScores",
    "ClusteringTree",
    "CoAssociation",
    "ConsensusResult",
    "HierarchyComparison",
    "IndexCurve",
    "MedoidResult",
    "PairwiseScores",
    "Tanglegram",
    "bakers_gamma",
    "clustering_tree",
    "co_association_matrix",
    "common_coarsening",
    "common_refinement",
    "compare_hierarchies",
    "consensus_partition",
    "cophenetic_correlation",
    "element_consistency",
    "index_curve",
    "is_refinement",
    "medoid_partition",
    "pairwise_scores",
    "relabel",
    "score_candidates",
    "tanglegram",
]
