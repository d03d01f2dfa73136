"""Many partitions: compared with a reference and with each other."""

from sklearn_clustcompare._options import publish
from sklearn_clustcompare._partition import align_partitions
from sklearn_clustcompare.candidates._candidates import score_candidates
from sklearn_clustcompare.candidates._curve import index_curve, reference_profile
from sklearn_clustcompare.candidates._pairwise import pairwise_scores, partial_partition_distance

__all__ = [
    "align_partitions",
    "index_curve",
    "pairwise_scores",
    "partial_partition_distance",
    "reference_profile",
    "score_candidates",
]

publish(globals())
