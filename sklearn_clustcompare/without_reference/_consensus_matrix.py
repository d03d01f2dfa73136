"""Consensus matrices: how often two objects are in the same cluster."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

FloatArray = NDArray[np.float64]

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
