"""One partition for many: consensus, medoid, co-association, lattice."""

from sklearn_clustcompare._options import publish
from sklearn_clustcompare.consensus._co_association import (
    co_association_chunked,
    co_association_matrix,
)
from sklearn_clustcompare.consensus._consensus import consensus_partition
from sklearn_clustcompare.consensus._medoid import (
    common_coarsening,
    element_consistency,
    medoid_partition,
)
from sklearn_clustcompare.consensus._medoid import common_refinement as common_refinement
from sklearn_clustcompare.consensus._medoid import is_refinement as is_refinement
from sklearn_clustcompare.consensus._posterior import compare_posteriors

__all__ = [
    "co_association_chunked",
    "co_association_matrix",
    "common_coarsening",
    "common_refinement",
    "compare_posteriors",
    "consensus_partition",
    "element_consistency",
    "is_refinement",
    "medoid_partition",
]

publish(globals())
