"""Data of any size: rows that are looked at, and labels of all others.

A sample of some thousand rows is read for the evidence. All rows are only labeled, a block at a
time, so that memory does not grow with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._clusterers import last_step
from sklearn_clustcompare._parameters import positive_integer
from sklearn_clustcompare.without_reference._extension import labels_at
from sklearn_clustcompare.without_reference._fitting import Clustering
from sklearn_clustcompare.without_reference._resamples import Sample, Square, as_rows, take_rows

# Rows of each sample, and rows up to which all are one sample.
ROWS, _FEW = 500, 1500
# Numbers in a block of rows that get their labels together.
_BLOCK = 2**22
# Parameters that count objects, and their least value in a sample; those that are distances mean
# another number of neighbors in a sample.
_COUNTS, _FEWEST = ("min_samples", "min_cluster_size", "n_neighbors"), 5
_RADII = ("eps", "max_eps")


class LookedAt(NamedTuple):
    """Rows that the evidence is taken from, their positions, and in how many parts.

    ``size`` is the number of rows of a part, None where all rows are looked at as one.
    """

    rows: Any
    positions: NDArray[np.intp]
    n_parts: int
    size: int | None

    def share(self, n_rows: int) -> float:
        return len(self.positions) / n_rows


def look_at(
    X: Any, estimator: Any, subsample: Any, n_subsamples: Any, seed: int
) -> tuple[Any, LookedAt]:
    """Return data whose rows can be taken, and the rows to look at.

    Raise ValueError if the samples need more rows than there are.
    """
    positive_integer("n_subsamples", n_subsamples)
    data = _opened(X, estimator)
    n_rows = data.shape[0]
    size = subsample
    if isinstance(subsample, str) and subsample == "auto":
        size = ROWS if n_rows > _FEW and _radius(estimator) is None else None
        if size is not None:
            size = min(size, n_rows // n_subsamples)
    elif subsample is not None:
        positive_integer("subsample", subsample)
        if subsample * n_subsamples > n_rows:
            msg = (
                f"subsample must leave {n_subsamples} disjoint samples of {n_rows} rows, got "
                f"{subsample}"
            )
            raise ValueError(msg)
    if size is None:
        everything = np.arange(n_rows)
        return data, LookedAt(_taken(data, everything), everything, 1, None)
    rng = np.random.default_rng(seed)
    positions = np.sort(rng.choice(n_rows, size * n_subsamples, replace=False, shuffle=False))
    return data, LookedAt(_taken(data, positions), positions, n_subsamples, size)


def _opened(X: Any, estimator: Any) -> Any:
    """Return data as they are if their rows are read on demand, else rows as for any function."""
    if hasattr(X, "to_dask_array"):
        X = X.to_dask_array(lengths=True)
    is_lazy = hasattr(X, "chunks") and hasattr(X, "dtype") and len(getattr(X, "shape", ())) == 2
    if not is_lazy:
        return as_rows(X, estimator)
    as_rows(_read(X[:2]), estimator)  # what is no data is an error here
    return X


def _read(rows: Any) -> Any:
    return rows.compute() if hasattr(rows, "compute") else rows


def _taken(data: Any, positions: NDArray[np.intp]) -> Any:
    if len(positions) == data.shape[0] and not hasattr(data, "chunks"):
        return data
    return _read(take_rows(data, positions))


def _radius(estimator: Any) -> str | None:
    """Return the parameter that is a distance within which objects are counted, None if none is."""
    step = last_step(estimator)
    known = step.get_params(deep=False) if hasattr(step, "get_params") else {}
    return next((name for name in _RADII if np.isfinite(known.get(name) or np.inf)), None)


def scaled(name: str, value: Any, share: float) -> Any:
    """Return the value of a parameter for a share of the rows, if it counts objects."""
    is_count = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if share == 1 or not is_count or not name.endswith(_COUNTS):
        return value
    return max(round(value * share), min(value, _FEWEST))


def scaled_parameters(estimator: Any, share: float) -> dict[str, Any]:
    """Return the parameters that have another value for a share of the rows."""
    found = {
        name: (value, scaled(name, value, share))
        for name, value in estimator.get_params(deep=True).items()
    }
    return {name: new for name, (old, new) in found.items() if new is not old and new != old}


def labels_of_all(data: Any, looked: LookedAt, found: Clustering, extension: Any) -> NDArray[Any]:
    """Return labels of all rows: those that were found, and for the others by extension."""
    n_rows = data.shape[0]
    if len(looked.positions) == n_rows:
        return found.labels
    if isinstance(data, Square):
        sample = Sample(looked.rows, looked.positions)
        everything = np.arange(n_rows)
        return labels_at(everything, found.model, found.labels, sample, data, extension, (-1,))
    labels = np.empty(n_rows, found.labels.dtype)
    sample = Sample(looked.rows, np.full(len(looked.positions), -1))
    for start, block in _blocks(data):
        at = np.arange(block.shape[0])
        labels[start : start + len(at)] = labels_at(
            at, found.model, found.labels, sample, block, extension, (-1,)
        )
    labels[looked.positions] = found.labels
    return labels


def _blocks(data: Any) -> Iterator[tuple[int, Any]]:
    step = max(_BLOCK // data.shape[1], 1)
    for start in range(0, data.shape[0], step):
        stop = start + step
        block = data.iloc[start:stop] if hasattr(data, "iloc") else data[start:stop]
        yield start, _read(block)
