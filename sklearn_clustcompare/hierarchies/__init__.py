"""Hierarchies: dendrograms compared, and partitions of increasing resolution."""

from sklearn_clustcompare.hierarchies._clustering_tree import ClusteringTree, clustering_tree
from sklearn_clustcompare.hierarchies._comparison import HierarchyComparison, compare_hierarchies
from sklearn_clustcompare.hierarchies._dendrograms import bakers_gamma, cophenetic_correlation
from sklearn_clustcompare.hierarchies._tanglegram import Tanglegram, tanglegram

__all__ = [
    "ClusteringTree",
    "HierarchyComparison",
    "Tanglegram",
    "bakers_gamma",
    "clustering_tree",
    "compare_hierarchies",
    "cophenetic_correlation",
    "tanglegram",
]
