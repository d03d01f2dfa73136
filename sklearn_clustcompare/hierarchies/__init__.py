"""Hierarchies: dendrograms compared, and partitions of increasing resolution."""

from sklearn_clustcompare._options import show_types
from sklearn_clustcompare.hierarchies._comparison import (
    bakers_gamma,
    clustering_tree,
    compare_hierarchies,
    cophenetic_correlation,
)

__all__ = [
    "bakers_gamma",
    "clustering_tree",
    "compare_hierarchies",
    "cophenetic_correlation",
]

show_types(globals())
