"""Many partitions: compared with a reference and with each other."""

from sklearn_clustcompare._options import show_types
from sklearn_clustcompare._partition import AlignedPartitions as AlignedPartitions
from sklearn_clustcompare._partition import align_partitions as align_partitions
from sklearn_clustcompare.candidates._candidates import score_candidates
from sklearn_clustcompare.candidates._curve import IndexCurve as IndexCurve
from sklearn_clustcompare.candidates._curve import ReferenceProfile as ReferenceProfile
from sklearn_clustcompare.candidates._curve import index_curve, reference_profile
from sklearn_clustcompare.candidates._pairwise import (
    CandidatePermutationTest as CandidatePermutationTest,
)
from sklearn_clustcompare.candidates._pairwise import PairwiseScores as PairwiseScores
from sklearn_clustcompare.candidates._pairwise import (
    PartialPartitionDistance as PartialPartitionDistance,
)
from sklearn_clustcompare.candidates._pairwise import pairwise_scores, partial_partition_distance
from sklearn_clustcompare.candidates._scores import CandidateComparison as CandidateComparison
from sklearn_clustcompare.candidates._scores import CandidateScores as CandidateScores

__all__ = [
    "align_partitions",
    "index_curve",
    "pairwise_scores",
    "partial_partition_distance",
    "reference_profile",
    "score_candidates",
]

show_types(globals())
