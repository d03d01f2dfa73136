"""Hierarchies: dendrograms compared, and partitions of increasing resolution."""

from sklearn_clustcompare._options import publish
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

publish(globals())
