"""Experiments: many clusterers on many data sets, their ranks, and made-up partitions."""

from sklearn_clustcompare.experiments._ranks import MethodRanks, rank_methods

__all__ = ["MethodRanks", "rank_methods"]
