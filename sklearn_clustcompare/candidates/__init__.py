"""Many partitions: compared with a reference and with each other."""

from sklearn_clustcompare.candidates._candidates import score_candidates
from sklearn_clustcompare.candidates._comparison import CandidateComparison
from sklearn_clustcompare.candidates._curve import IndexCurve, index_curve
from sklearn_clustcompare.candidates._pairwise import pairwise_scores
from sklearn_clustcompare.candidates._pairwise_result import PairwiseScores
from sklearn_clustcompare.candidates._partial import (
    PartialPartitionDistance,
    partial_partition_distance,
)
from sklearn_clustcompare.candidates._permutation import CandidatePermutationTest
from sklearn_clustcompare.candidates._profile import ReferenceProfile, reference_profile
from sklearn_clustcompare.candidates._scores import CandidateScores

__all__ = [
    "CandidateComparison",
    "CandidatePermutationTest",
    "CandidateScores",
    "IndexCurve",
    "PairwiseScores",
    "PartialPartitionDistance",
    "ReferenceProfile",
    "index_curve",
    "pairwise_scores",
    "partial_partition_distance",
    "reference_profile",
    "score_candidates",
]
