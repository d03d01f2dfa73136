"""Written by .ci/write_stub.py from the functions themselves."""

from typing import Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._chance import AllPartitionsModel as AllPartitionsModel
from sklearn_clustcompare._chance import FixedClusterCountModel as FixedClusterCountModel
from sklearn_clustcompare._chance import MultinomialModel as MultinomialModel
from sklearn_clustcompare._chance import PermutationModel as PermutationModel
from sklearn_clustcompare._options import publish as publish
from sklearn_clustcompare._parameters import RandomStateLike
from sklearn_clustcompare._partition.arrays import MatrixLike, PartitionLike, TableLike
from sklearn_clustcompare.indices import IndexLike
from sklearn_clustcompare.results import (
    ChanceAdjustedScore,
    NoninferiorityResult,
    PairedComparisonResult,
    PermutationTestResult,
    ScoreInterval,
)
from sklearn_clustcompare.significance._intervals import (
    sampled_reference_scores as sampled_reference_scores,
)

def chance_adjusted_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    index: IndexLike,
    X: MatrixLike = None,
    method: str = "auto",
    model: Any = "permutation",
    sample_weight: ArrayLike | None = None,
    blocks: PartitionLike | None = None,
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
) -> ChanceAdjustedScore: ...
def independence_test(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    q: float = 1.0,
    method: str = "auto",
    alternative: str = "greater",
    sample_weight: ArrayLike | None = None,
    blocks: PartitionLike | None = None,
    groups: PartitionLike | None = None,
    n_resamples: int = 9999,
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    unmatched: str = "error",
) -> PermutationTestResult: ...
def noninferiority_test(
    labels_true: PartitionLike,
    labels_a: PartitionLike,
    labels_b: PartitionLike,
    *,
    data: TableLike = None,
    index: IndexLike,
    X: MatrixLike = None,
    margin: float,
    sample_weight: ArrayLike | None = None,
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
) -> NoninferiorityResult: ...
def paired_comparison_test(
    labels_true: PartitionLike,
    labels_a: PartitionLike,
    labels_b: PartitionLike,
    *,
    data: TableLike = None,
    index: IndexLike,
    X: MatrixLike = None,
    confidence_level: float = 0.95,
    n_comparisons: int = 1,
    sample_weight: ArrayLike | None = None,
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
) -> PairedComparisonResult: ...
def permutation_test(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    data: TableLike = None,
    index: IndexLike,
    X: MatrixLike = None,
    method: str = "auto",
    alternative: str = "greater",
    sample_weight: ArrayLike | None = None,
    blocks: PartitionLike | None = None,
    groups: PartitionLike | None = None,
    n_resamples: int = 9999,
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    unmatched: str = "error",
    **params: Any,
) -> PermutationTestResult: ...
def score_interval(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    data: TableLike = None,
    index: IndexLike,
    X: MatrixLike = None,
    confidence_level: float = 0.95,
    sample_weight: ArrayLike | None = None,
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
) -> ScoreInterval: ...
