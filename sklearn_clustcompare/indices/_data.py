"""Evaluation of indices of one partition and the data, and their undefined values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from sklearn_clustcompare._partition import Partition
from sklearn_clustcompare._partition.ids import check_same_objects, index_of
from sklearn_clustcompare._partition.labels import Labels

if TYPE_CHECKING:
    from sklearn_clustcompare.indices._record import Index


class UndefinedIndexError(ValueError):
    """The index has no value for this partition and these data."""


def value_of_data(index: Index, X: Any, partition: Partition, **parameters: Any) -> float:
    """Evaluate an index of the data and one partition that was read.

    Its function gets the data unchanged, and consecutive cluster numbers from 0 on, or memberships
    of shape (n_samples, n_clusters).
    """
    n_rows = X.shape[0] if hasattr(X, "shape") else len(X)
    if n_rows != partition.n_objects:
        msg = (
            f"X and {partition.name} must have the same length, "
            f"got {n_rows} and {partition.n_objects}"
        )
        raise ValueError(msg)
    check_same_objects(index_of(X), partition.ids, ("X", partition.name))
    return float(index.function(X, _as_array(index, partition), **parameters))


def _as_array(index: Index, partition: Partition) -> NDArray[Any]:
    if isinstance(partition, Labels):
        return partition.compact()[0].codes
    if index.soft:
        return partition.judge().values
    msg = (
        f"{partition.name} must be labels for {index.name}, got memberships of shape "
        f"{partition.values.shape}: take the largest of each row, .argmax(axis=1)"
    )
    raise ValueError(msg)
