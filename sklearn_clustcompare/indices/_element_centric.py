"""Element-centric similarity of single objects."""

from __future__ import annotations

import numpy as np

from sklearn_clustcompare._array_types import FloatArray
from sklearn_clustcompare._kernels import number_codes
from sklearn_clustcompare._partition import Labels, Partition


def labels_only(partition: Partition) -> Labels:
    """Return labels, or raise for memberships."""
    if not isinstance(partition, Labels):
        msg = f"{partition.name} must be labels (1-D), got memberships (2-D)"
        raise TypeError(msg)
    return partition


def similarities(first: Labels, second: Labels) -> FloatArray:
    """Return n / max(a, b) of the cell and of both clusters of each object."""
    first_codes, second_codes = first.zero_based(), second.zero_based()
    _, cells, counts = number_codes(
        first_codes * second.n_codes + second_codes, first.n_codes * second.n_codes
    )
    larger = np.maximum(
        np.bincount(first_codes)[first_codes], np.bincount(second_codes)[second_codes]
    )
    result: FloatArray = counts[cells] / larger
    return result
