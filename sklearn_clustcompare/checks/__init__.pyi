"""Written by .ci/write_stub.py from the functions themselves."""

from typing import Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._partition.arrays import PartitionLike, TableLike
from sklearn_clustcompare.checks import _input as _input
from sklearn_clustcompare.checks._baseline import ClusteringBaseline as ClusteringBaseline
from sklearn_clustcompare.checks._record import CHECKS as CHECKS
from sklearn_clustcompare.checks._record import Check as Check
from sklearn_clustcompare.checks._run import check_clusterer as check_clusterer
from sklearn_clustcompare.checks._run import list_clusterer_checks as list_clusterer_checks
from sklearn_clustcompare.checks._run import (
    parametrize_with_clusterer_checks as parametrize_with_clusterer_checks,
)
from sklearn_clustcompare.indices import IndexLike

def assert_clustering(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    data: TableLike = None,
    confidence_level: float | None = None,
    sample_weight: ArrayLike | None = None,
    groups: PartitionLike | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    unmatched: str = "error",
    **limits: float,
) -> None: ...
def assert_not_worse(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None,
    labels_accepted: PartitionLike,
    *,
    data: TableLike = None,
    index: IndexLike,
    tolerance: float = 0.02,
    confidence_level: float = 0.95,
    groups: PartitionLike | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    unmatched: str = "error",
    **params: Any,
) -> None: ...
