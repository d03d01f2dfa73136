"""Is one clustering better than another?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._chance.draws import task_seeds
from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._parameters import positive_integer, probability
from sklearn_clustcompare._partition import Labels, Partition, read
from sklearn_clustcompare._partition.reading import DEFAULT
from sklearn_clustcompare._table.contingency import check_partners, count_read
from sklearn_clustcompare._tasks import run_tasks
from sklearn_clustcompare.indices import Index, get_index

_DRAWS_PER_TASK = 100


@dataclass(frozen=True)
class PairedComparisonResult:
    """Result of :func:`paired_comparison_test`.

    Attributes
    ----------
    difference : float
        By how much candidate A is better than candidate B; negative if it is worse.
    interval : tuple of float
        Bootstrap confidence interval of the difference.
    pvalue : float
        Two-sided p-value of no difference.
    value_a, value_b : float
        Values of the index for the two candidates.
    """

    difference: float
    interval: tuple[float, float]
    pvalue: float
    value_a: float
    value_b: float


def paired_comparison_test(
    labels_true: Any,
    labels_a: Any,
    labels_b: Any,
    *,
    index: str | Index,
    confidence_level: float = 0.95,
    n_comparisons: int = 1,
    n_resamples: int = 999,
    random_state: Any = None,
    n_jobs: int | None = None,
    **params: Any,
) -> PairedComparisonResult:
    """Test whether one candidate is closer to the reference than another.

    Both candidates label the same objects, so the objects are resampled with both labels and
    the reference together (bootstrap of the joint table).

    Parameters
    ----------
    labels_true, labels_a, labels_b : array-like of shape (n_samples,)
        Labels of the reference and of the two candidates.
    index : str
        Name of the index to compare by; see :func:`list_indices`.
    confidence_level : float, default=0.95
        Level of the interval, between 0 and 1.
    n_comparisons : int, default=1
        If A was picked as the best of m candidates, comparing it with another is one of
        ``m - 1`` comparisons that could have been made: pass ``m - 1``. P-value and level are
        corrected by Bonferroni's inequality.
    n_resamples : int, default=999
        Number of bootstrap samples.
    random_state : int, RandomState, Generator or None, default=None
        Source of randomness.
    n_jobs : int, default=None
        Number of parallel jobs; the result does not depend on it.
    **params : dict
        Parameters of the index.

    Returns
    -------
    PairedComparisonResult
        With ``difference`` (positive if A is better, for distances too), ``interval``,
        ``pvalue``, ``value_a`` and ``value_b``.

    Raises
    ------
    ValueError
        If labels or parameters are invalid.

    See Also
    --------
    independence_test : Test whether one candidate agrees more than chance.

    Notes
    -----
    The interval takes percentiles of the differences of the samples; the p-value is twice the
    smaller share of samples, the data included, in which the difference has the other sign or
    none. A bootstrap sample holds objects repeatedly, and pairs of an object with itself
    agree in all partitions. This raises pair-counting indices of both candidates alike, so
    trust the difference more than the level for small samples.

    Examples
    --------
    >>> from sklearn_clustcompare import paired_comparison_test
    >>> truth = [0] * 30 + [1] * 30
    >>> good = [0] * 28 + [1] * 32
    >>> poor = [0] * 20 + [1] * 40
    >>> test = paired_comparison_test(
    ...     truth, good, poor, index="adjusted_rand_score", random_state=0
    ... )
    >>> round(test.difference, 3), test.pvalue < 0.05
    (0.433, True)
    """
    record = get_index(index)
    record.check_parameters(**params)
    probability("confidence_level", confidence_level)
    positive_integer("n_comparisons", n_comparisons)
    positive_integer("n_resamples", n_resamples)
    cells = _joint_cells(labels_true, labels_a, labels_b)
    value_a, value_b = _two_values(cells, record, params, cells.counts)
    sign = 1.0 if record.greater_is_better else -1.0
    sizes, seeds = task_seeds(n_resamples, _DRAWS_PER_TASK, random_state)
    resample = partial(_resampled_differences, cells, record, params)
    parts = run_tasks(resample, zip(sizes, seeds, strict=True), n_jobs=n_jobs)
    differences = np.concatenate(parts)
    tail = (1 - confidence_level) / n_comparisons / 2
    low, high = np.quantile(differences, [tail, 1 - tail])
    tie = TIE * max(abs(value_a), abs(value_b))
    rarer = min(np.count_nonzero(differences <= tie), np.count_nonzero(differences >= -tie))
    pvalue = float(min(1.0, n_comparisons * 2 * (1 + int(rarer)) / (1 + n_resamples)))
    return PairedComparisonResult(
        sign * (value_a - value_b), (float(low), float(high)), pvalue, value_a, value_b
    )


class _JointCells(NamedTuple):
    """Occupied cells of the three-way table: a partition each of the three, and the counts.

    With memberships every object is a cell of its own.
    """

    partitions: tuple[Partition, Partition, Partition]
    counts: NDArray[np.int64]


def _joint_cells(*given: Any) -> _JointCells:
    names = ("labels_true", "labels_a", "labels_b")
    true, first, second = (read(one, name) for one, name in zip(given, names, strict=True))
    for other in (first, second):
        check_partners(true, other)
    if true.n_objects == 0:
        msg = "labels_true must hold at least one object to resample, got none"
        raise ValueError(msg)
    partitions = (true, first, second)
    labels = [one for one in partitions if isinstance(one, Labels)]
    if len(labels) < len(partitions):
        return _JointCells(partitions, np.ones(true.n_objects, np.int64))
    codes = np.stack([one.zero_based() for one in labels])
    cells, counts = np.unique(codes, axis=1, return_counts=True)
    one, two, three = (Labels.of_codes(side) for side in cells)
    return _JointCells((one, two, three), counts)


def _two_values(
    cells: _JointCells, index: Index, params: dict[str, Any], counts: NDArray[np.int64]
) -> tuple[float, float]:
    true, *candidates = cells.partitions
    first, second = (
        index(count_read(true, pred, counts, DEFAULT, moments=index.moments), **params)
        for pred in candidates
    )
    return first, second


def _resampled_differences(
    cells: _JointCells, index: Index, params: dict[str, Any], size: int, seed: int
) -> NDArray[np.float64]:
    n_samples = int(cells.counts.sum())
    drawn = np.random.RandomState(seed).multinomial(n_samples, cells.counts / n_samples, size=size)
    sign = 1.0 if index.greater_is_better else -1.0
    values = (_two_values(cells, index, params, counts) for counts in drawn)
    return np.array([sign * (a - b) for a, b in values])
