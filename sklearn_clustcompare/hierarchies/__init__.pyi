"""Written by .ci/write_stub.py from the functions themselves."""

from typing import Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._partition.arrays import PartitionsLike, TableLike
from sklearn_clustcompare.hierarchies._comparison import bakers_gamma as bakers_gamma
from sklearn_clustcompare.hierarchies._comparison import compare_hierarchies as compare_hierarchies
from sklearn_clustcompare.hierarchies._comparison import (
    cophenetic_correlation as cophenetic_correlation,
)
from sklearn_clustcompare.results import ClusteringTree

def clustering_tree(
    partitions: PartitionsLike | None = None,
    *,
    data: TableLike = None,
    sample_weight: ArrayLike | None = None,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    unmatched: str = "error",
) -> ClusteringTree: ...
