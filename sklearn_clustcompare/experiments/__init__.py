"""Experiments: many clusterers on many data sets, their ranks, and made-up partitions."""

from sklearn_clustcompare._options import show_types
from sklearn_clustcompare.experiments._benchmark import benchmark_clusterers
from sklearn_clustcompare.experiments._benchmark import benchmark_partitions as benchmark_partitions
from sklearn_clustcompare.experiments._made_up import make_partition_pair
from sklearn_clustcompare.experiments._ranks import MethodRanks as MethodRanks
from sklearn_clustcompare.experiments._ranks import rank_methods as rank_methods
from sklearn_clustcompare.experiments._result import BenchmarkResult as BenchmarkResult

__all__ = [
    "benchmark_clusterers",
    "make_partition_pair",
]

show_types(globals())
