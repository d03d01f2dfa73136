"""Many candidates and one reference: which of them differ, and which is the best?"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare.indices import Index
from sklearn_clustcompare.significance._resampling import (
    JointCells,
    cut_to_range,
    half_samples,
)

FloatArray = NDArray[np.float64]


class CandidateComparison(NamedTuple):
    """Candidates with the sampling errors of their scores, and all pairs of them.

    ``intervals`` of shape (m, 2) are those of the ``scores``, each at the confidence level.
    ``first_shares`` are the shares of half samples in which a candidate is the best; candidates
    that tie share a half sample. A row of ``pairs`` of shape (n_pairs, 2) holds the positions of
    two candidates, and ``differences`` by how much the first of them is better. The
    ``difference_intervals`` hold all true differences together at the confidence level
    (Bonferroni), and the two-sided ``pvalues`` are corrected for the number of pairs (Holm).
    """

    scores: FloatArray
    standard_errors: FloatArray
    intervals: FloatArray
    first_shares: FloatArray
    pairs: NDArray[np.intp]
    differences: FloatArray
    difference_intervals: FloatArray
    pvalues: FloatArray


def compare_candidates(
    cells: JointCells,
    index: Index,
    parameters: dict[str, Any],
    *,
    confidence_level: float,
    n_resamples: int,
    random_state: Any,
    n_jobs: int | None,
    verbose: int = 0,
) -> CandidateComparison:
    """Compare all candidates with each other by the same half samples of the objects."""
    samples = half_samples(
        cells,
        index,
        parameters,
        n_resamples=n_resamples,
        random_state=random_state,
        n_jobs=n_jobs,
        verbose=verbose,
    )
    scores = samples.scores()
    intervals = scores.intervals(confidence_level)
    if cells.is_crisp and not parameters:
        intervals = cut_to_range(intervals, scores.values, index)
    sign = 1.0 if index.greater_is_better else -1.0
    better = samples._replace(values=sign * samples.values, deviations=sign * samples.deviations)
    n_candidates = len(scores.values)
    pairs = np.column_stack(np.triu_indices(n_candidates, 1))
    found = [better.differences(first, slice(first + 1, None)) for first in range(n_candidates - 1)]
    return CandidateComparison(
        scores.values,
        scores.standard_errors,
        intervals,
        better.first_shares(),
        pairs,
        np.concatenate([np.zeros(0), *(one.values for one in found)]),
        np.concatenate(
            [np.zeros((0, 2)), *(one.intervals(confidence_level, len(pairs)) for one in found)]
        ),
        holm(np.concatenate([np.zeros(0), *(one.pvalues() for one in found)])),
    )


def holm(pvalues: FloatArray) -> FloatArray:
    """Correct p-values for their number: the chance of any false one keeps to the level [1]_.

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
       of Statistics 6(2), 1979.
    """
    order = np.argsort(pvalues)
    corrected = np.empty_like(pvalues)
    corrected[order] = np.maximum.accumulate(np.arange(len(pvalues), 0, -1) * pvalues[order])
    return np.minimum(corrected, 1.0)
