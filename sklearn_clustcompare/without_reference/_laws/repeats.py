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
    by chance.
    """

    first: Positions | None
    counts: Positions | None

    @classmethod
    def of(cls, X: FloatArray) -> Rows:
        _, first, counts = np.unique(X, axis=0, return_index=True, return_counts=True)
        has_copies = 2 < len(first) < len(X) and not discrete_columns(X).all()
        return cls(first, counts) if has_copies else cls(None, None)

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
    for j in np.flatnonzero(rounded_columns(X)):
        values, codes = np.unique(X[:, j], return_inverse=True)
        gaps = np.diff(values)
        reach = np.minimum(np.append(gaps, np.inf), np.append(np.inf, gaps)) / 2
        found[:, j] += generator.uniform(-1, 1, len(codes)) * reach[codes]
    return found


def rounded_columns(X: FloatArray) -> Mask:
    """Return for each column whether it is discrete, but has more values than a short scale."""
    n_values = 1 + np.count_nonzero(np.diff(np.sort(X, axis=0), axis=0), axis=0)
    return discrete_columns(X) & (n_values > _SCALE)


def discrete_columns(X: FloatArray) -> Mask:
    """Return for each column whether its values recur in different rows."""
    n_rows = len(X) if X.shape[1] == 1 else len(np.unique(X, axis=0))
    n_values = 1 + np.count_nonzero(np.diff(np.sort(X, axis=0), axis=0), axis=0)
    return (n_values < _SHARE * n_rows) | (n_values == 1)
