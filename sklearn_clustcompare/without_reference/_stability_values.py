"""Stability of candidates by pairs of samples, and consensus matrices."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._array_types import Array, FloatArray, Positions
from sklearn_clustcompare._clusterers import clusters_parameter
from sklearn_clustcompare._data import to_fit
from sklearn_clustcompare._partition import Reading, read, read_labels
from sklearn_clustcompare._partition.memberships import noise_mask
from sklearn_clustcompare._table import count_read
from sklearn_clustcompare.indices import Index
from sklearn_clustcompare.without_reference._fits import (
    Clustering,
    cluster,
    fit_seeds,
    is_one_cluster,
    run_fits,
)
from sklearn_clustcompare.without_reference._null_data import NullData
from sklearn_clustcompare.without_reference._resamples import (
    Resampling,
    Sample,
    as_new,
    has_distinct_objects,
    labels_at,
)

# Pairs of random labelings by which a value is divided.
_RANDOM_PAIRS = 20


@dataclass(frozen=True, eq=False)
class Setting:
    """Parameters of the computation for each pair of samples, independent of the data.

    ``raises`` is whether the error of a candidate ends the search, ``keeps_labels`` whether the
    labels of all samples are returned.
    """

    estimator: Any
    candidates: Sequence[Mapping[str, Any]]
    resampling: Resampling
    extension: Any
    is_soft: bool
    index: Index
    parameters: Mapping[str, Any]
    relative_to_random: bool
    reading: Reading
    raises: bool
    keeps_labels: bool


class Pair(NamedTuple):
    """Result of one pair of samples for one candidate.

    ``value`` is NaN where it was skipped or failed, and the worst where a sample has at most one
    cluster, unless a single one was requested; ``error`` is the text of the error.
    ``n_found`` is the mean number of clusters found.
    """

    value: float = np.nan
    n_found: float = np.nan
    is_skipped: bool = False
    error: str | None = None
    labels: NDArray[np.int32] | None = None


def stability_values(
    setting: Setting,
    X: Any,
    laws: Sequence[NullData],
    n_null: int,
    n_resamples: int,
    random_state: Any,
    n_jobs: int | None,
    verbose: Any,
) -> list[list[list[Pair]]]:
    """Return the result for each data set, pair of samples and candidate.

    The data are first, and then as many structureless data sets of each law.
    """
    n_sets = 1 + n_null * len(laws)
    n_seeds = 1 + 2 * len(setting.candidates)
    sets = fit_seeds(n_sets, 2, random_state)
    rows = [fit_seeds(n_resamples, n_seeds, seed) for _, seed in sets]
    # Each pair of the data is a task; the pairs of a structureless set, drawn by the worker,
    # are one.
    tasks = [(setting, X, 0, [row]) for row in rows[0]]
    tasks += [(setting, laws[(b - 1) // n_null], sets[b][0], rows[b]) for b in range(1, n_sets)]
    pairs = run_fits(
        _pairs_of_set,
        tasks,
        n_jobs=n_jobs,
        verbose=verbose,
        description="pairs of samples, structureless data",
    )
    return [[pair for (pair,) in pairs[:n_resamples]], *pairs[n_resamples:]]


def _pairs_of_set(
    setting: Setting, data: Any, draw_seed: int, rows: list[list[int]]
) -> list[list[Pair]]:
    is_null = isinstance(data, NullData)
    try:
        X = data.draw(draw_seed) if is_null else data
        return [_pairs_of_samples(setting, X, row) for row in rows]
    except Exception as error:
        if is_null:
            error.add_note(f"The data were structureless, null={data.name!r}.")
        raise


def _pairs_of_samples(setting: Setting, X: Any, seeds: list[int]) -> list[Pair]:
    draw_seed, *own_seeds = seeds
    samples = setting.resampling.draw(X, 2, draw_seed)
    positions = _compared(setting.resampling, X, samples)
    found = []
    for number, candidate in enumerate(setting.candidates):
        two = own_seeds[2 * number : 2 * number + 2]
        try:
            found.append(_pair(setting, candidate, X, samples, positions, two))
        except Exception as error:
            if setting.raises:
                raise
            notes = " ".join(getattr(error, "__notes__", ()))
            found.append(Pair(error=f"{type(error).__name__}: {error} {notes}".strip()))
    return found


def _compared(resampling: Resampling, X: Any, samples: list[Sample]) -> Positions:
    """Return the objects on which two samples are compared."""
    if resampling.compares == "all":
        return np.arange(X.shape[0])
    first, second = (np.unique(one.positions[one.positions >= 0]) for one in samples)
    if resampling.compares == "second":
        return second
    return np.intersect1d(first, second, assume_unique=True)


def _pair(
    setting: Setting,
    candidate: Mapping[str, Any],
    X: Any,
    samples: list[Sample],
    positions: Positions,
    seeds: list[int],
) -> Pair:
    n_clusters = n_clusters_asked(setting.estimator, candidate)
    if len(positions) < 2 or not all(has_distinct_objects(one, n_clusters) for one in samples):
        return Pair(is_skipped=True)
    found = [
        cluster(setting.estimator, candidate, one.X, seed)
        for one, seed in zip(samples, seeds, strict=True)
    ]
    sides = [
        _at(positions, setting, one, sample, X) for one, sample in zip(found, samples, strict=True)
    ]
    numbers = [_n_clusters(one.labels, setting.reading) for one in found]
    if min(numbers) > 1 or is_one_cluster(setting.estimator, candidate):
        value = _value(setting, *sides)
    else:
        value = _worst_value(setting, len(positions))
    if setting.relative_to_random and value:
        most = max(n_clusters, 2, *numbers)
        value /= _mean_of_random_labels(setting, len(positions), most, seeds[0])
    labels = None
    if setting.keeps_labels:
        pairs = zip(found, samples, strict=True)
        labels = np.array([_of_objects(one.labels, sample, X) for one, sample in pairs])
    return Pair(value, float(np.mean(numbers)), np.isnan(value), labels=labels)


def _n_clusters(labels: Array, reading: Reading) -> int:
    """Return the number of clusters that are not noise."""
    is_noise = noise_mask(read_labels(labels, "estimator"), reading.noise_labels)
    return len(np.unique(labels[~is_noise]))


def n_clusters_asked(estimator: Any, candidate: Mapping[str, Any]) -> int:
    """Return the number of clusters that a candidate has to find; 1 if none is given."""
    model = clone(estimator).set_params(**candidate)
    name = clusters_parameter(model)
    asked = None if name is None else model.get_params(deep=True)[name]
    return int(asked) if isinstance(asked, int | np.integer) else 1


def _at(positions: Positions, setting: Setting, found: Clustering, sample: Sample, X: Any) -> Array:
    """Return labels or memberships of the objects at some positions."""
    if setting.is_soft:
        if found.model is None:
            return np.ones((len(positions), 1))
        return found.model.predict_proba(to_fit(as_new(X, positions, sample)))
    return labels_at(
        positions,
        found.model,
        found.labels,
        sample,
        X,
        setting.extension,
        setting.reading.noise_labels,
    )


def _value(setting: Setting, first: Any, second: Any) -> float:
    """Compare two partitions; NaN where all objects are noise that is dropped."""
    one, other = (read(side, "estimator", setting.reading) for side in (first, second))
    table = count_read(one, other, None, setting.reading, moments=setting.index.moments)
    return setting.index(table, **setting.parameters) if table.coverage else np.nan


def _worst_value(setting: Setting, n_objects: int) -> float:
    """Return the worse value of one cluster and singletons, which have nothing in common.

    Two samples in which nothing is found would agree perfectly, and are the least stable instead.
    """
    setting = replace(setting, reading=Reading())
    sides = np.zeros(n_objects, np.intp), np.arange(n_objects)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        values = [_value(setting, *pair) for pair in (sides, sides[::-1])]
    return min(values) if setting.index.greater_is_better else max(values)


def _mean_of_random_labels(setting: Setting, n_objects: int, n_clusters: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    drawn = rng.integers(n_clusters, size=(_RANDOM_PAIRS, 2, n_objects))
    return float(np.mean([_value(setting, *pair) for pair in drawn]))


def _of_objects(labels: Array, sample: Sample, X: Any) -> NDArray[np.int32]:
    """Number the labels of the objects in a sample; the others have -1."""
    codes = np.full(X.shape[0], -1, np.int32)
    is_object = sample.positions >= 0
    _, numbers = np.unique(labels, return_inverse=True)
    codes[sample.positions[is_object]] = numbers[is_object]
    return codes


# Pairs of objects that are counted at a time.
_PAIRS_PER_BLOCK = 2**22
# A pair that is together more often than the first and at most as often as the second is ambiguous.
_SELDOM, _OFTEN = 0.1, 0.9


def consensus_matrix(labels: NDArray[np.int32]) -> FloatArray:
    """Return the share of the samples with both objects in which they are in one cluster.

    ``labels`` has the shape (n_draws, n_samples), and -1 for objects that are not in a sample.
    """
    return np.concatenate([block for _, block in _blocks(labels)])


def ambiguous_share(labels: NDArray[np.int32]) -> float:
    """Return the share of the pairs of objects with an ambiguous consensus."""
    n_pairs = n_ambiguous = 0
    for start, block in _blocks(labels):
        rows, columns = np.ogrid[start : start + len(block), : block.shape[1]]
        shares = block[(rows < columns) & ~np.isnan(block)]
        n_pairs += len(shares)
        n_ambiguous += int(np.count_nonzero((shares > _SELDOM) & (shares <= _OFTEN)))
    return n_ambiguous / n_pairs if n_pairs else np.nan


def _blocks(labels: NDArray[np.int32]) -> Iterator[tuple[int, FloatArray]]:
    """Yield rows of the consensus matrix, a block of them at a time."""
    n_samples = labels.shape[1]
    is_drawn = labels >= 0
    draws, objects = np.nonzero(is_drawn)
    starts = np.concatenate([[0], np.cumsum(labels.max(axis=1, initial=-1) + 1)])
    columns = starts[draws] + labels[draws, objects]
    together = sparse.csr_array(
        (np.ones(len(objects)), (objects, columns)), shape=(n_samples, int(starts[-1]))
    )
    drawn = sparse.csr_array(is_drawn.T.astype(np.float64))
    size = max(_PAIRS_PER_BLOCK // max(n_samples, 1), 1)
    for start in range(0, n_samples, size):
        rows = slice(start, start + size)
        n_together = (together[rows] @ together.T).toarray()
        n_both = (drawn[rows] @ drawn.T).toarray()
        missing = np.full(n_both.shape, np.nan)
        yield start, np.divide(n_together, n_both, out=missing, where=n_both > 0)
