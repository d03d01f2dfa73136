"""Written by .ci/write_stub.py from the functions themselves."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._parameters import RandomStateLike
from sklearn_clustcompare._partition import align_partitions as align_partitions
from sklearn_clustcompare._partition.arrays import (
    MatrixLike,
    PartitionLike,
    PartitionsLike,
    TableLike,
)
from sklearn_clustcompare.candidates._curve import reference_profile as reference_profile
from sklearn_clustcompare.candidates._pairwise import (
    partial_partition_distance as partial_partition_distance,
)
from sklearn_clustcompare.indices import IndexLike
from sklearn_clustcompare.results import CandidateScores, IndexCurve, PairwiseScores

def index_curve(
    labels_true: PartitionLike,
    candidates: PartitionsLike | None = None,
    *,
    data: TableLike = None,
    X: MatrixLike = None,
    index: IndexLike | Sequence[IndexLike],
    q_range: ArrayLike | None = None,
    confidence_level: float | None = None,
    sample_weight: ArrayLike | None = None,
    n_resamples: int = 999,
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    unmatched: str = "error",
    **params: Any,
) -> IndexCurve: ...
def pairwise_scores(
    partitions: PartitionsLike | None = None,
    *,
    data: TableLike = None,
    index: IndexLike,
    n_jobs: int | None = None,
    verbose: int | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    unmatched: str = "error",
    **params: Any,
) -> PairwiseScores: ...
def score_candidates(
    labels_true: PartitionLike,
    candidates: PartitionsLike | None = None,
    *,
    data: TableLike = None,
    X: MatrixLike = None,
    indices: Any = None,
    references: str = "max",
    error_score: float | str = "raise",
    confidence_level: float | None = None,
    sample_weight: ArrayLike | None = None,
    within: PartitionLike | None = None,
    groups: PartitionLike | None = None,
    n_resamples: int = 999,
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    unmatched: str = "error",
    **params: Any,
) -> CandidateScores: ...
