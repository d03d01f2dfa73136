"""What an index could have been: bounds over everything that noise objects might belong to."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare._partition.labels import Encoding
from sklearn_clustcompare._partition.noise import check_noise, noise_mask
from sklearn_clustcompare._table.contingency import ContingencyTable


def noise_bounds(
    labels_true: Any, labels_pred: Any, *, index: str, noise_label: Any = -1
) -> tuple[float, float]:
    """Return the lowest and the highest value of an index over all that noise could have been.

    Each noise object, of either partition, might belong to any cluster, known or new, alone or
    with others. The bounds are exact: both are the value of the index for some partition without
    noise.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,)
        :term:`Labels` of the :term:`reference`.
    labels_pred : array-like of shape (n_samples,)
        Labels of the :term:`candidate`.
    index : {"purity_score", "inverse_purity_score", "meila_heckerman_score", \
"pair_recall_score", "pair_precision_score"}
        Name of an index. Pair recall needs a reference without noise, pair precision a
        candidate without noise.
    noise_label : hashable, default=-1
        :term:`Label of noise <noise_label>` on either side; it need not occur.

    Returns
    -------
    low : float
        Lowest value, in [0, 1].
    high : float
        Highest value, in [0, 1]; equal to ``low`` if there is no noise.

    Raises
    ------
    ValueError
        If the bounds of the index have no cheap exact solution; the ones that have are named.
        If pair recall or pair precision is asked for where it needs a side without noise, or
        where there are no pairs to recall.

    See Also
    --------
    ContingencyTable.from_labels : Noise as a cluster, as singletons, or dropped.

    Notes
    -----
    Let S be the sum of the largest cells of the clusters of the candidate, among the objects that
    are noise on neither side. For purity each of the m other objects adds at most one, and does so
    as a cluster of its own: the highest value is (S + m) / N. The lowest value is the larger of
    S / N (a known cluster without such objects counts one) and the share of the largest class:
    below that largest cells cannot fall, and as long as one class is too large for the clusters,
    each object added to a largest cell makes room for one more object of every class.

    For pair recall the sum of the squared cells of each class is highest if all its noise
    objects join its largest cell, and lowest if each is alone.

    For the other indices the extreme assignment is a problem of combinatorial optimisation,
    for which no cheap exact solution is known here on both ends.

    Examples
    --------
    >>> from sklearn_clustcompare import noise_bounds
    >>> noise_bounds([0, 0, 0, 1, 1, 1], [0, 0, -1, 1, 1, 0], index="purity_score")
    (0.6666666666666666, 0.8333333333333334)
    """
    one_of(*_BOUNDS)("index", index)
    check_noise("drop", noise_label)
    return _BOUNDS[index](_Counted.of(labels_true, labels_pred, noise_label))


class _Counted(NamedTuple):
    """A table with noise as a cluster, and which of its rows and columns that is."""

    table: ContingencyTable
    row_is_noise: NDArray[np.bool_]
    col_is_noise: NDArray[np.bool_]

    @classmethod
    def of(cls, labels_true: Any, labels_pred: Any, noise_label: Any) -> _Counted:
        table = ContingencyTable.from_labels(labels_true, labels_pred)
        return cls(
            table,
            *(
                noise_mask(Encoding(np.arange(len(labels)), 0, len(labels), labels), noise_label)
                for labels in (table.row_labels, table.col_labels)
            ),
        )

    @property
    def swapped(self) -> _Counted:
        return _Counted(self.table.T, self.col_is_noise, self.row_is_noise)

    @property
    def is_certain(self) -> NDArray[np.bool_]:
        """Tell which cells are noise on neither side."""
        table = self.table
        return ~(self.row_is_noise[table.cell_rows] | self.col_is_noise[table.cell_cols])


def _purity_bounds(counted: _Counted) -> tuple[float, float]:
    table, certain = counted.table, counted.is_certain
    n = table.n_samples
    if n == 0:
        return 1.0, 1.0
    counts = table.cell_counts[certain]
    largest = np.zeros(table.shape[1], np.int64)
    np.maximum.at(largest, table.cell_cols[certain], counts)
    low = max(
        int(np.maximum(largest, 1)[~counted.col_is_noise].sum()),
        int(table.row_sums[~counted.row_is_noise].max(initial=1)),
    )
    high = int(largest.sum()) + n - int(counts.sum())
    return low / n, high / n


def _inverse_purity_bounds(counted: _Counted) -> tuple[float, float]:
    return _purity_bounds(counted.swapped)


def _pair_recall_bounds(counted: _Counted) -> tuple[float, float]:
    return _pair_share_bounds(counted, "pair_recall_score", "labels_true")


def _pair_precision_bounds(counted: _Counted) -> tuple[float, float]:
    return _pair_share_bounds(counted.swapped, "pair_precision_score", "labels_pred")


def _pair_share_bounds(counted: _Counted, index: str, rows: str) -> tuple[float, float]:
    table, certain = counted.table, counted.is_certain
    if counted.row_is_noise.any():
        msg = f"{rows} must be free of noise for bounds of {index}, got objects of noise"
        raise ValueError(msg)
    n_pairs = _count_pairs(table.row_sums)
    if n_pairs == 0:
        msg = f"{rows} must have a cluster of two objects for bounds of {index}, got none"
        raise ValueError(msg)
    counts = table.cell_counts[certain]
    largest = np.zeros(table.shape[0], np.int64)
    np.maximum.at(largest, table.cell_rows[certain], counts)
    loose = table.row_sums.copy()
    np.subtract.at(loose, table.cell_rows[certain], counts)
    low = _count_pairs(counts)
    return low / n_pairs, (low + _count_pairs(largest + loose) - _count_pairs(largest)) / n_pairs


def _count_pairs(sizes: NDArray[np.int64]) -> int:
    return sum(math.comb(size, 2) for size in sizes.tolist())


_BOUNDS: dict[str, Callable[[_Counted], tuple[float, float]]] = {
    "purity_score": _purity_bounds,
    "inverse_purity_score": _inverse_purity_bounds,
    "meila_heckerman_score": _purity_bounds,
    "pair_recall_score": _pair_recall_bounds,
    "pair_precision_score": _pair_precision_bounds,
}
