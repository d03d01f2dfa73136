"""Models of chance with random cluster sizes.

Each of the two partitions has its own law, and given the sizes of their clusters the table follows
the permutation model. A sum over the cells of f(n; a, b) has the mean

    sum_ab E r_a E c_b E f(n; a, b)

with E r_a and E c_b the mean numbers of clusters of a and of b objects in the two partitions, and n
hypergeometric.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._chance.cells import expected_convex_gain
from sklearn_clustcompare._chance.margins import margin_entropy
from sklearn_clustcompare._chance.permutation import PermutationModel, sizes_text
from sklearn_clustcompare._chance.random_partitions import (
    AnyClusterCount,
    FixedClusterCount,
    FixedSizes,
    RandomPartition,
    Sizes,
)
from sklearn_clustcompare._parameters import (
    RandomStateLike,
    at_most_objects,
    entropy_order,
    positive_integer,
    random_source,
)
from sklearn_clustcompare._rendering import Shown

# Pairs of cluster sizes for which the mean of the mutual information takes some seconds.
_MOST_SIZE_PAIRS = 2 * 10**6


class _NotKnown(NotImplementedError, AttributeError):
    """Error for methods of the permutation model only; an AttributeError, for hasattr."""


class RandomModel(Shown):
    """Two independent random partitions; the clusters of the first may have given sizes."""

    _true: RandomPartition
    _pred: RandomPartition

    @property
    def n_samples(self) -> int:
        """Number of objects."""
        return self._pred.n_samples

    @property
    def row_sums(self) -> NDArray[np.int64] | None:
        """Cluster sizes of the first partition if these are given, else None."""
        return self._true.sums if isinstance(self._true, FixedSizes) else None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(PermutationModel, name):
            msg = f"{type(self).__name__!r} object has no attribute {name!r}"
            raise AttributeError(msg)
        msg = (
            f"{name} needs the permutation model, got {type(self).__name__}: estimate "
            "it from the tables that rvs draws"
        )
        raise _NotKnown(msg)

    def expected_pair_count(self) -> float:
        """Mean of n11, the number of pairs of objects together in both partitions.

        It is the number of pairs, times the probabilities that two objects are together in each of
        the two partitions. Exact up to rounding for any number of objects.

        Returns
        -------
        float
            The mean.

        See Also
        --------
        AllPartitionsModel.expected_joined_pairs : The means for each of the two partitions.

        Examples
        --------
        >>> from sklearn_clustcompare import AllPartitionsModel
        >>> print(f"{AllPartitionsModel(4).expected_pair_count():.6f}")
        0.666667
        """
        if self.n_samples < 2:
            return 0.0
        return self._pairs * self._true.share_together * self._pred.share_together

    def expected_joined_pairs(self) -> tuple[float, float]:
        """Mean numbers of pairs of objects together in the first and in the second partition.

        With :meth:`expected_pair_count` they are the means of all quantities in the Rand index.

        Returns
        -------
        tuple of two floats
            The means, exact up to rounding for any number of objects.

        See Also
        --------
        AllPartitionsModel.expected_pair_count : The mean number of pairs together in both.

        Examples
        --------
        >>> from sklearn_clustcompare import FixedClusterCountModel
        >>> first, second = FixedClusterCountModel(3, (2, 3)).expected_joined_pairs()
        >>> print(f"{first:.6f} {second:.6f}")
        1.000000 0.000000
        """
        if self.n_samples < 2:
            return 0.0, 0.0
        return self._pairs * self._true.share_together, self._pairs * self._pred.share_together

    @property
    def _pairs(self) -> int:
        return math.comb(self.n_samples, 2)

    def expected_mutual_info(self, q: float = 1.0) -> float:
        """Mean of MI_q, in nats for q = 1.

        The time grows with the number of likely cluster sizes on either side.

        Parameters
        ----------
        q : float, default=1.0
            :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.

        Returns
        -------
        float
            The mean.

        Raises
        ------
        NotImplementedError
            If there are more than 2,000,000 pairs of such sizes, as for a million objects in ten
            clusters on both sides.

        See Also
        --------
        PermutationModel.expected_mutual_info : The mean for given cluster sizes.

        Examples
        --------
        >>> from sklearn_clustcompare import AllPartitionsModel
        >>> print(f"{AllPartitionsModel(4).expected_mutual_info():.6f}")
        0.423954
        """
        entropy_order("q", q)
        rows, cols = self._true.expected_sizes(), self._pred.expected_sizes()
        n_pairs = rows.sizes.size * cols.sizes.size
        if n_pairs > _MOST_SIZE_PAIRS:
            msg = (
                f"the mean of the mutual information is known for up to {_MOST_SIZE_PAIRS:,} pairs "
                f"of likely cluster sizes, got {n_pairs:,}: estimate it from the tables that rvs "
                "draws"
            )
            raise NotImplementedError(msg)
        n, q = float(self.n_samples), float(q)
        independent = margin_entropy(rows, n, q) * margin_entropy(cols, n, q)
        return (q - 1.0) * independent + expected_convex_gain(rows, cols, n, q)

    def draw_sizes(self, size: int, source: Any) -> Iterator[tuple[Sizes, Sizes]]:
        """Yield the cluster sizes of random partitions."""
        return ((self._true.draw(source), self._pred.draw(source)) for _ in range(size))

    def _draw_dense(self, size: int, random_state: Any) -> list[NDArray[np.int64]]:
        number, source = _checked_size(size), random_source(random_state)
        return [
            PermutationModel(*sums).rvs(1, source)[0] for sums in self.draw_sizes(number, source)
        ]


class FixedClusterCountModel(RandomModel):
    """Law of a table if all partitions into given numbers of clusters are equally likely.

    The numbers of clusters are fixed, and their sizes are random: the model for clusterers with a
    given number of clusters, such as k-means [1]_. It is the law of random labels that are drawn
    again if a cluster is empty.

    Parameters
    ----------
    n_samples : int
        Number of objects.
    n_clusters : tuple of two int
        Numbers of clusters of the two partitions, such as ``table.shape``.

    Attributes
    ----------
    n_samples : int
        Number of objects.
    n_clusters : tuple of two int
        Numbers of clusters of the two partitions.
    row_sums : ndarray of int64 or None
        Cluster sizes of the first partition if they are fixed, else None; read-only.

    Raises
    ------
    ValueError
        If there are fewer objects than clusters.
    TypeError
        If numbers are not integers, or ``n_clusters`` does not have two.

    See Also
    --------
    AllPartitionsModel : Partitions into any number of clusters.
    PermutationModel : Given cluster sizes on both sides.
    chance_adjusted_score : Any index adjusted by its mean under such a model.

    Notes
    -----
    Two objects are together with the probability S(N - 1, k) / S(N, k), a ratio of Stirling numbers
    of the second kind, which is computed to machine precision for any number of objects N. Other
    methods of :class:`PermutationModel`, such as those of variances, have no closed form under this
    model and raise NotImplementedError.

    References
    ----------
    .. [1] A. J. Gates, Y.-Y. Ahn, "The impact of random models on clustering similarity", JMLR
       18(87), 2017.

    Examples
    --------
    >>> from sklearn_clustcompare import FixedClusterCountModel
    >>> model = FixedClusterCountModel(6, (2, 3))
    >>> model
    FixedClusterCountModel(n_samples=6, n_clusters=(2, 3))
    >>> print(f"{model.expected_pair_count():.6f}")
    2.016129
    >>> FixedClusterCountModel.one_sided([3, 1, 2], 3)
    FixedClusterCountModel.one_sided(row_sums=[3, 1, 2], n_clusters=3)
    """

    # Documented with the class.
    expected_pair_count = RandomModel.expected_pair_count
    expected_joined_pairs = RandomModel.expected_joined_pairs
    expected_mutual_info = RandomModel.expected_mutual_info

    def __init__(self, n_samples: int, n_clusters: tuple[int, int]) -> None:
        positive_integer("n_samples", n_samples)
        if not isinstance(n_clusters, tuple | list) or len(n_clusters) != 2:
            msg = (
                "n_clusters must be two numbers, those of the clusters of both partitions, "
                f"got {n_clusters!r}"
            )
            raise TypeError(msg)
        self._true, self._pred = (_fixed_count(int(n_samples), number) for number in n_clusters)

    @classmethod
    def one_sided(cls, row_sums: ArrayLike, n_clusters: int) -> FixedClusterCountModel:
        """Fix the cluster sizes of the first partition, and the number of those of the second.

        Use it for a known reference, and candidates with a given number of clusters.

        Parameters
        ----------
        row_sums : array-like of int of shape (n_rows,)
            Cluster sizes of the first partition. Zeros are dropped.
        n_clusters : int
            Number of clusters.

        Returns
        -------
        FixedClusterCountModel
            The model.

        Raises
        ------
        ValueError
            If sizes are negative or not whole, or there are fewer objects than clusters.
        TypeError
            If the sizes are not numbers, or ``n_clusters`` is not an integer.

        See Also
        --------
        AllPartitionsModel.one_sided : A second partition into any number of clusters.

        Examples
        --------
        >>> from sklearn_clustcompare import FixedClusterCountModel
        >>> model = FixedClusterCountModel.one_sided([3, 1, 2], 3)
        >>> model.n_clusters
        (3, 3)
        """
        model = cls.__new__(cls)
        model._true = _fixed_sizes(row_sums)
        model._pred = _fixed_count(model._true.n_samples, n_clusters)
        return model

    @property
    def n_clusters(self) -> tuple[int, int]:
        true, pred = self._true, self._pred
        assert isinstance(pred, FixedClusterCount)
        if isinstance(true, FixedSizes):
            return len(true.sums), pred.n_clusters
        assert isinstance(true, FixedClusterCount)
        return true.n_clusters, pred.n_clusters

    def _headline(self) -> str:
        if self.row_sums is None:
            return (
                f"FixedClusterCountModel(n_samples={self.n_samples}, n_clusters={self.n_clusters})"
            )
        return (
            f"FixedClusterCountModel.one_sided(row_sums={sizes_text(self.row_sums)}, "
            f"n_clusters={self.n_clusters[1]})"
        )

    def rvs(self, size: int = 1, random_state: RandomStateLike = 0) -> NDArray[np.int64]:
        """Draw random tables, exactly: every pair of such partitions is equally likely.

        Use them to estimate variances, and means without an exact form. Tables are dense.
        Each call draws the same tables by default: pass a ``Generator`` to draw others.

        Parameters
        ----------
        size : int, default=1
            Number of tables.
        random_state : int, RandomState, Generator, SeedSequence or None, default=0
            :term:`Source of randomness <random_state>`.

        Returns
        -------
        ndarray of int64 of shape (size, n_rows, n_cols)
            The tables. The order of the clusters is meaningless, unless their sizes are fixed.

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
        >>> from sklearn_clustcompare import FixedClusterCountModel
        >>> tables = FixedClusterCountModel(5, (2, 3)).rvs(size=10, random_state=0)
        >>> tables.shape, set(tables.sum(axis=(1, 2)).tolist())
        ((10, 2, 3), {5})
        """
        tables = np.empty((_checked_size(size), *self.n_clusters), np.int64)
        for place, table in enumerate(self._draw_dense(size, random_state)):
            tables[place] = table
        return tables


class AllPartitionsModel(RandomModel):
    """Law of a table if all partitions of the objects are equally likely.

    Numbers and sizes of clusters are random: the model for clusterers that choose the number of
    clusters [1]_. Most partitions have many small clusters, of 4 objects on average for N = 200 and
    of 11 for a million.

    Parameters
    ----------
    n_samples : int
        Number of objects.

    Attributes
    ----------
    n_samples : int
        Number of objects.
    row_sums : ndarray of int64 or None
        Cluster sizes of the first partition if they are fixed, else None; read-only.

    Raises
    ------
    ValueError
        If there are no objects.
    TypeError
        If ``n_samples`` is not an integer.

    See Also
    --------
    FixedClusterCountModel : Partitions into given numbers of clusters.
    PermutationModel : Given cluster sizes on both sides.
    chance_adjusted_score : Any index adjusted by its mean under such a model.

    Notes
    -----
    Two objects are together with the probability B(N - 1) / B(N), a ratio of Bell numbers, which is
    computed to machine precision for any number of objects N. Other methods of
    :class:`PermutationModel`, such as those of variances, have no closed form under this model and
    raise NotImplementedError.

    References
    ----------
    .. [1] A. J. Gates, Y.-Y. Ahn, "The impact of random models on clustering similarity", JMLR
       18(87), 2017.

    Examples
    --------
    >>> from sklearn_clustcompare import AllPartitionsModel
    >>> model = AllPartitionsModel(6)
    >>> model
    AllPartitionsModel(n_samples=6)
    >>> print(f"{model.expected_pair_count():.6f}")
    0.984251
    >>> AllPartitionsModel.one_sided([3, 1, 2])
    AllPartitionsModel.one_sided(row_sums=[3, 1, 2])
    """

    # Documented with the class.
    expected_pair_count = RandomModel.expected_pair_count
    expected_joined_pairs = RandomModel.expected_joined_pairs
    expected_mutual_info = RandomModel.expected_mutual_info

    def __init__(self, n_samples: int) -> None:
        positive_integer("n_samples", n_samples)
        self._true = self._pred = AnyClusterCount(int(n_samples))

    @classmethod
    def one_sided(cls, row_sums: ArrayLike) -> AllPartitionsModel:
        """Fix the cluster sizes of the first partition, and leave the second one free.

        Use it for a known reference, and candidates with any number of clusters.

        Parameters
        ----------
        row_sums : array-like of int of shape (n_rows,)
            Cluster sizes of the first partition. Zeros are dropped.

        Returns
        -------
        AllPartitionsModel
            The model.

        Raises
        ------
        ValueError
            If sizes are negative or not whole, or there are no objects.
        TypeError
            If the sizes are not numbers.

        See Also
        --------
        FixedClusterCountModel.one_sided : A second partition into a given number of clusters.

        Examples
        --------
        >>> from sklearn_clustcompare import AllPartitionsModel
        >>> AllPartitionsModel.one_sided([3, 1, 2]).n_samples
        6
        """
        model = cls.__new__(cls)
        model._true = _fixed_sizes(row_sums)
        model._pred = AnyClusterCount(model._true.n_samples)
        return model

    def _headline(self) -> str:
        if self.row_sums is None:
            return f"AllPartitionsModel(n_samples={self.n_samples})"
        return f"AllPartitionsModel.one_sided(row_sums={sizes_text(self.row_sums)})"

    def rvs(self, size: int = 1, random_state: RandomStateLike = 0) -> list[NDArray[np.int64]]:
        """Draw random tables, exactly: every pair of partitions is equally likely.

        Use them to estimate variances, and means without an exact form. Tables are dense, and most
        of them have many clusters on both sides. Each call draws the same tables by default: pass a
        ``Generator`` to draw others.

        Parameters
        ----------
        size : int, default=1
            Number of tables.
        random_state : int, RandomState, Generator, SeedSequence or None, default=0
            :term:`Source of randomness <random_state>`.

        Returns
        -------
        list of ndarray of int64 of shape (n_rows, n_cols)
            The tables, of different shapes. The order of the clusters is meaningless, unless their
            sizes are fixed.

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
        >>> from sklearn_clustcompare import AllPartitionsModel
        >>> tables = AllPartitionsModel(5).rvs(size=10, random_state=0)
        >>> len(tables), {int(table.sum()) for table in tables}
        (10, {5})
        """
        return self._draw_dense(size, random_state)


def _fixed_sizes(row_sums: ArrayLike) -> FixedSizes:
    # The permutation model checks cluster sizes.
    sizes = FixedSizes(PermutationModel(row_sums, row_sums).row_sums)
    if not sizes.n_samples:
        msg = "row_sums must hold at least one object, got none"
        raise ValueError(msg)
    return sizes


def _fixed_count(n_samples: int, n_clusters: int) -> FixedClusterCount:
    at_most_objects("n_clusters", n_clusters, n_samples)
    return FixedClusterCount(n_samples, int(n_clusters))


def _checked_size(size: int) -> int:
    if not isinstance(size, numbers.Integral) or size < 0:
        msg = f"size must be a non-negative integer, got {size!r}"
        raise ValueError(msg)
    return int(size)
