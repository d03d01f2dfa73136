"""Many partitions: compared with a reference and with each other."""

from sklearn_clustcompare._options import show_types
from sklearn_clustcompare._partition import AlignedPartitions, align_partitions
from sklearn_clustcompare.candidates._candidates import score_candidates
from sklearn_clustcompare.candidates._curve import (
    IndexCurve,
    ReferenceProfile,
    index_curve,
    reference_profile,
)
from sklearn_clustcompare.candidates._pairwise import (
    CandidatePermutationTest,
    PairwiseScores,
    PartialPartitionDistance,
    pairwise_scores,
    partial_partition_distance,
)
from sklearn_clustcompare.candidates._scores import CandidateComparison, CandidateScores

__all__ = [
    "align_partitions",
    "index_curve",
    "pairwise_scores",
    "partial_partition_distance",
    "reference_profile",
    "score_candidates",
]

show_types(globals())
