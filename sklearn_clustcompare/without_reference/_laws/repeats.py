"""Columns with few distinct values, and rows that occur several times."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sklearn_clustcompare._array_types import FloatArray, Mask, Positions

# A column is discrete if its distinct values are fewer than this share of the distinct rows.
_SHARE = 0.5
# Scales of so few values have no shape that could be told from clusters.
_SCALE = 5


class Rows(NamedTuple):
    """First occurrence of each distinct row, and how often it occurs; None for all rows.

    Equal rows are copies if some column is continuous. In a table of discrete columns, they occur
    by chance. The values of a discrete column recur in different rows; it is rounded if it has more
    values than a short scale.
    """

    first: Positions | None
    counts: Positions | None
    is_discrete: Mask
    is_rounded: Mask

    @classmethod
    def of(cls, X: FloatArray) -> Rows:
        _, first, counts = np.unique(X, axis=0, return_index=True, return_counts=True)
        n_rows = len(X) if X.shape[1] == 1 else len(first)
        n_values = 1 + np.count_nonzero(np.diff(np.sort(X, axis=0), axis=0), axis=0)
        is_discrete = (n_values < _SHARE * n_rows) | (n_values == 1)
        kinds = is_discrete, is_discrete & (n_values > _SCALE)
        has_copies = 2 < len(first) < len(X) and not is_discrete.all()
        return cls(first, counts, *kinds) if has_copies else cls(None, None, *kinds)

    def distinct(self, X: FloatArray) -> FloatArray:
        return X if self.first is None else X[self.first]

    def repeated(self, drawn: FloatArray) -> FloatArray:
        """Return a data set with the copies that the data have."""
        return drawn if self.counts is None else np.repeat(drawn, self.counts, axis=0)


def spread(X: FloatArray) -> FloatArray:
    """Return data whose rounded columns are spread within their rounding, always the same.

    A value is moved by at most half of the way to its nearest neighbor among the values.
    """
    found = np.array(X, np.float64)
    generator = np.random.default_rng(0)
    for j in np.flatnonzero(Rows.of(X).is_rounded):
        values, codes = np.unique(X[:, j], return_inverse=True)
        gaps = np.diff(values)
        reach = np.minimum(np.append(gaps, np.inf), np.append(np.inf, gaps)) / 2
        found[:, j] += generator.uniform(-1, 1, len(codes)) * reach[codes]
    return found
