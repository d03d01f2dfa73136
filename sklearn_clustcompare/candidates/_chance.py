"""Exact moments of the scores of candidates under permutation."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._partition import Reading, read
from sklearn_clustcompare._partition.reading import each_candidate
from sklearn_clustcompare._table import count
from sklearn_clustcompare.indices import IndexLike, read_index
from sklearn_clustcompare.indices._moments import null_moments


def candidate_moments(
    labels_true: Any,
    candidates: Any,
    index: IndexLike,
    sample_weight: ArrayLike | None,
    reading: Reading,
    params: dict[str, Any],
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Return mean and standard deviation under permutation for each candidate, if known."""
    record, params = read_index(index, params)
    if record.needs_data:
        return None
    reference = read(labels_true, "labels_true", reading)
    found = []
    for candidate in each_candidate(candidates, "candidates", "candidate").stream:
        partition = candidate.read(reading)
        table = count(reference, partition, sample_weight, reading, moments=record.moments)
        moments = null_moments(record, table, **params)
        if moments is None:
            return None
        found.append((moments.mean, moments.standard_deviation))
    mean, deviation = np.array(found).reshape(-1, 2).T
    return mean, deviation
