"""Experiments: many clusterers on many data sets, their ranks, and made-up partitions."""

from sklearn_clustcompare.experiments._benchmark import benchmark_clusterers, benchmark_partitions
from sklearn_clustcompare.experiments._made_up import make_partition_pair
from sklearn_clustcompare.experiments._ranks import MethodRanks, rank_methods
from sklearn_clustcompare.experiments._result import BenchmarkResult

__all__ = [
    "BenchmarkResult",
    "MethodRanks",
    "benchmark_clusterers",
    "benchmark_partitions",
    "make_partition_pair",
    "rank_methods",
]
