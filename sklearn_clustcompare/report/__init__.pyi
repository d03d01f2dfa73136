"""Written by .ci/write_stub.py from the functions themselves."""

from typing import Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._partition.arrays import PartitionLike, TableLike
from sklearn_clustcompare.indices import IndexLike
from sklearn_clustcompare.report._clusters import internal_decomposition as internal_decomposition
from sklearn_clustcompare.report._recommendation import recommend_index as recommend_index
from sklearn_clustcompare.results import ClusterDecomposition, ComparisonReport, EntityReport

def cluster_decomposition(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    data: TableLike = None,
    q: float = 1.0,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    unmatched: str = "error",
) -> ClusterDecomposition: ...
def cluster_names(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    data: TableLike = None,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    unmatched: str = "error",
) -> dict[Any, str]: ...
def clustering_comparison_report(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    data: TableLike = None,
    family: str | None = None,
    ids: ArrayLike | None = None,
    names: tuple[str, str] | None = None,
    digits: int = 2,
    max_clusters: int = 20,
    output_dict: bool = False,
    sample_weight: ArrayLike | None = None,
    within: PartitionLike | None = None,
    groups: PartitionLike | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    unmatched: str = "error",
) -> ComparisonReport | EntityReport | dict[str, Any]: ...
def noise_bounds(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None,
    *,
    data: TableLike = None,
    index: IndexLike,
    sample_weight: ArrayLike | None = None,
    noise_label: Any = -1,
    missing: str = "error",
    unmatched: str = "error",
) -> tuple[float, float]: ...
