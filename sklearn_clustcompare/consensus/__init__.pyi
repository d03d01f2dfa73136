"""Written by .ci/write_stub.py from the functions themselves."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._array_types import FloatArray
from sklearn_clustcompare._parameters import RandomStateLike
from sklearn_clustcompare._partition.arrays import PartitionsLike, TableLike
from sklearn_clustcompare.consensus._medoid import common_coarsening as common_coarsening
from sklearn_clustcompare.consensus._medoid import common_refinement as common_refinement
from sklearn_clustcompare.consensus._medoid import is_refinement as is_refinement
from sklearn_clustcompare.consensus._posterior import compare_posteriors as compare_posteriors
from sklearn_clustcompare.indices import IndexLike
from sklearn_clustcompare.results import CoAssociation, ConsensusResult, MedoidResult

def co_association_chunked(
    partitions: PartitionsLike | None = None,
    *,
    data: TableLike = None,
    weights: ArrayLike | None = None,
    working_memory: float | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    unmatched: str = "error",
) -> Iterator[NDArray[np.float32]]: ...
def co_association_matrix(
    partitions: PartitionsLike | None = None,
    *,
    data: TableLike = None,
    weights: ArrayLike | None = None,
    align: bool = False,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    unmatched: str = "error",
) -> CoAssociation: ...
def consensus_partition(
    partitions: PartitionsLike | None = None,
    *,
    data: TableLike = None,
    index: IndexLike = "adjusted_rand_score",
    cost: float | None = None,
    average: str = "macro",
    weights: ArrayLike | None = None,
    n_clusters: int | tuple[int | None, int | None] | None = None,
    align: bool = False,
    n_init: int | None = None,
    max_iter: int = 100,
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    unmatched: str = "error",
    **params: Any,
) -> ConsensusResult: ...
def element_consistency(
    partitions: PartitionsLike | None = None,
    *,
    data: TableLike = None,
    alpha: float = 0.9,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    unmatched: str = "error",
) -> FloatArray: ...
def medoid_partition(
    partitions: PartitionsLike | None = None,
    *,
    data: TableLike = None,
    index: IndexLike = "adjusted_rand_score",
    n_jobs: int | None = None,
    verbose: int | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    unmatched: str = "error",
    **params: Any,
) -> MedoidResult: ...
