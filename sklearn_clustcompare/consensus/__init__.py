"""One partition for many: consensus, medoid, co-association, lattice."""

from sklearn_clustcompare.consensus._co_association import CoAssociation, co_association_matrix
from sklearn_clustcompare.consensus._consensus import consensus_partition
from sklearn_clustcompare.consensus._element_consistency import element_consistency
from sklearn_clustcompare.consensus._lattice import (
    common_coarsening,
    common_refinement,
    is_refinement,
)
from sklearn_clustcompare.consensus._medoid import MedoidResult, medoid_partition
from sklearn_clustcompare.consensus._result import ConsensusResult

__all__ = [
    "CoAssociation",
    "ConsensusResult",
    "MedoidResult",
    "co_association_matrix",
    "common_coarsening",
    "common_refinement",
    "consensus_partition",
    "element_consistency",
    "is_refinement",
    "medoid_partition",
]
