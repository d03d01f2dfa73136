"""Chance in which each object falls into the clusters with given probabilities."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._chance.permutation import sizes_text
from sklearn_clustcompare._chance.random_models import RandomModel
from sklearn_clustcompare._chance.random_partitions import FixedShares
from sklearn_clustcompare._numerics import FloatArray
from sklearn_clustcompare._parameters import RandomStateLike, positive_integer
from sklearn_clustcompare._partition.arrays import as_numbers
from sklearn_clustcompare._partition.memberships import tolerance_of
from sklearn_clustcompare._table.contingency import ContingencyTable

# Up to this number of objects, sums over their triples fit into 64 bits.
_MOST_IN_INT64 = 2**21


class MultinomialModel(RandomModel):
    """Law of a table if each object is assigned to clusters at random, with given probabilities.

    Both partitions are independent, and so are the objects, as in a random sample of a population
    whose clusters have known shares [1]_. Numbers and sizes of clusters are random; a cluster may
    get no object, and is left out then.

    Parameters
    ----------
    n_samples : int
        Number of objects.
    row_shares : array-like of shape (n_rows,)
        Probabilities of the clusters of the first partition, which add up to 1.
    col_shares : array-like of shape (n_cols,)
        Probabilities of the clusters of the second partition.

    Attributes
    ----------
    n_samples : int
        Number of objects.
    row_shares : ndarray of shape (n_rows,)
        Probabilities of the clusters of the first partition.
    col_shares : ndarray of shape (n_cols,)
        Probabilities of the clusters of the second partition.

    Raises
    ------
    ValueError
        If there are no objects, or shares are negative or do not add up to 1.
    TypeError
        If ``n_samples`` is not an integer, or shares are not numbers.

    See Also
    --------
    FixedClusterCountModel : Partitions into given numbers of clusters.
    PermutationModel : Given cluster sizes on both sides.
    chance_adjusted_score : Any index adjusted by its mean under such a model;
        ``model="multinomial"`` estimates the probabilities without bias.

    Notes
    -----
    Two objects are together with the probability sum_i p_i^2. Other methods of
    :class:`PermutationModel`, such as those of variances, raise NotImplementedError.

    References
    ----------
    .. [1] M. Sundqvist, J. Chiquet, G. Rigaill, "Adjusting the adjusted Rand index: a multinomial
       story", Computational Statistics 38, 2023, :doi:`10.1007/s00180-022-01230-7`

    Examples
    --------
    >>> from sklearn_clustcompare import MultinomialModel
    >>> model = MultinomialModel(6, [0.5, 0.5], [0.2, 0.3, 0.5])
    >>> model
    MultinomialModel(n_samples=6, row_shares=[0.5, 0.5], col_shares=[0.2, 0.3, 0.5])
    >>> print(f"{model.expected_pair_count():.6f}")
    2.850000
    """

    # Documented with the class.
    expected_pair_count = RandomModel.expected_pair_count
    expected_joined_pairs = RandomModel.expected_joined_pairs
    expected_mutual_info = RandomModel.expected_mutual_info

    _true: FixedShares
    _pred: FixedShares

    def __init__(self, n_samples: int, row_shares: ArrayLike, col_shares: ArrayLike) -> None:
        positive_integer("n_samples", n_samples)
        self._true = FixedShares(int(n_samples), _checked_shares("row_shares", row_shares))
        self._pred = FixedShares(int(n_samples), _checked_shares("col_shares", col_shares))

    @property
    def row_shares(self) -> FloatArray:
        return self._true.shares

    @property
    def col_shares(self) -> FloatArray:
        return self._pred.shares

    def _headline(self) -> str:
        return (
            f"MultinomialModel(n_samples={self.n_samples}, "
            f"row_shares={sizes_text(self.row_shares)}, col_shares={sizes_text(self.col_shares)})"
        )

    def rvs(self, size: int = 1, random_state: RandomStateLike = 0) -> list[NDArray[np.int64]]:
        """Draw random tables.

        Use them to estimate variances, and means without an exact form. Tables are dense.

        Parameters
        ----------
        size : int, default=1
            Number of tables.
        random_state : int, RandomState, Generator, SeedSequence or None, default=0
            :term:`Source of randomness <random_state>`.

        Returns
        -------
        list of ndarray of int64 of shape (n_rows, n_cols)
            The tables, without empty rows and columns, so that shapes may differ.

        Raises
        ------
        ValueError
            If ``size`` is negative or not an integer, there are 2**31 objects or more, or
            ``random_state`` is invalid.

        See Also
        --------
        PermutationModel.rvs : Tables with given cluster sizes.

        Examples
        --------
        >>> from sklearn_clustcompare import MultinomialModel
        >>> tables = MultinomialModel(9, [0.5, 0.5], [0.2, 0.8]).rvs(size=10, random_state=0)
        >>> len(tables), {int(table.sum()) for table in tables}
        (10, {9})
        """
        return self._draw_dense(size, random_state)


class MultinomialEstimate(NamedTuple):
    """Mean numbers of pairs under the multinomial model, estimated from a table without bias.

    Squared shares of the clusters in a table are too large on average. Pairs of objects that are
    together are not; and for both partitions, pairs together in the first one and other, disjoint
    pairs together in the second one. This also holds if the partitions depend on each other.
    """

    n_samples: int
    in_both: float
    in_each: tuple[float, float]

    @classmethod
    def of(cls, table: ContingencyTable) -> MultinomialEstimate:
        """Estimate the means; raise ValueError if there are less than two disjoint pairs."""
        n = int(table.n_samples)
        if n < 4:
            msg = f"model must not be 'multinomial' for less than 4 objects, got {n}"
            raise ValueError(msg)
        squares = table.square_sums
        both, true, pred = ((int(square) - n) // 2 for square in squares)
        kind = np.int64 if n <= _MOST_IN_INT64 else object
        sizes = table.row_sums[table.cell_rows], table.col_sums[table.cell_cols]
        counts, rows, cols = (part.astype(kind) for part in (table.cell_counts, *sizes))
        # Pairs of one partition and of the other that share one object.
        touching = int((counts * rows * cols).sum()) - sum(map(int, squares)) + 2 * n
        disjoint = true * pred - both - touching
        in_both = float(Fraction(disjoint, math.comb(n - 2, 2)))
        return cls(n, in_both, (float(true), float(pred)))

    def expected_pair_count(self) -> float:
        return self.in_both

    def expected_joined_pairs(self) -> tuple[float, float]:
        return self.in_each


def _checked_shares(name: str, values: ArrayLike) -> FloatArray:
    """Return shares that add up to 1, read-only; raise ValueError or TypeError for others."""
    given = as_numbers(values, name)
    try:
        shares = given.astype(np.float64)
    except (TypeError, ValueError):
        msg = f"{name} must be numbers, got {values!r}"
        raise TypeError(msg) from None
    if shares.ndim != 1 or not shares.size or not (shares >= 0).all():
        msg = f"{name} must be a sequence of probabilities, got {values!r}"
        raise ValueError(msg)
    total = math.fsum(shares)
    if not abs(total - 1) <= tolerance_of(given.dtype):
        msg = f"{name} must add up to 1, got {total!r}"
        raise ValueError(msg)
    shares /= total
    shares.flags.writeable = False
    return shares
