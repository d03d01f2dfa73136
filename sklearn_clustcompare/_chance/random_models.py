"""Models of chance with random cluster sizes, and random partitions of these.

Both partitions are independent, each of its own distribution; given the sizes of their clusters the
table follows the permutation model. A sum over the cells of f(n; a, b) has the mean

    sum_ab E r_a E c_b E f(n; a, b)

with E r_a and E c_b the mean numbers of clusters of a and of b objects in the two partitions, and n
hypergeometric.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import bernoulli, factorial, lambertw, log1p
from scipy.stats import binom

from sklearn_clustcompare._array_types import FloatArray, IntArray
from sklearn_clustcompare._chance.functions import Margin, expected_convex_gain, margin_entropy
from sklearn_clustcompare._chance.permutation import PermutationModel, checked_size, sizes_text
from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._parameters import (
    RandomStateLike,
    at_most_objects,
    entropy_order,
    positive_integer,
    random_source,
)
from sklearn_clustcompare._partition.arrays import as_numbers
from sklearn_clustcompare._partition.memberships import tolerance_of
from sklearn_clustcompare._rendering import Shown
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import read_only

# What lies beyond this many standard deviations, and this many values, is negligible.
_FAR_DEVIATIONS = 12.0
_FAR_VALUES = 144
# From this standard deviation on, characteristic functions fall off as a normal one.
_NORMAL = 40.0
# Coefficients of log((e^z - 1) / z) - z / 2 at z^2, z^4 and so on.
_EVEN_POWERS = np.arange(2, 18, 2)
_COEFFICIENTS = bernoulli(16)[2::2] / (_EVEN_POWERS * factorial(_EVEN_POWERS))
# Numbers of clusters below this share of the largest are rounding errors.
_NEGLIGIBLE = 1e-17


# Laws of one random partition: given sizes, shares or number of clusters, or any number.
#
# All partitions of N objects into k clusters are equally likely, or all partitions. Their numbers
# are those of Stirling, S(N, k), and of Bell, B(N) = sum_k S(N, k), with the exponential generating
# functions (e^x - 1)^k / k! and exp(e^x - 1). Only ratios of these numbers are needed, which follow
# from a sum of mean N: with F one of the functions and r its saddle point, r F'(r) / F(r) = N, let
# T take the value n with the probability [x^n]F r^n / F(r). Then
#
#     S(N - 1, k) / S(N, k) = (r / N) P(T = N - 1) / P(T = N),
#
# and for Bell's numbers likewise. It is the probability that two given objects are together:
# without one of them, any partition of the others remains. The probabilities are integrals over a
# circle of the characteristic function F(r e^it) / F(r), which falls off as a normal one.
# Their sums over equidistant angles are exact up to rounding, for any N [1]. The mean number of
# clusters of a objects is C(N, a) S(N - a, k - 1) / S(N, k), or C(N, a) B(N - a) / B(N), computed
# in the same way.
#
# Partitions into k clusters are drawn as independent Poisson sizes above zero, until they add up to
# N. For all partitions a number of urns is drawn, and then an urn for each object [2].
#
# [1] P. Flajolet, R. Sedgewick, "Analytic Combinatorics", Cambridge University Press, 2009,
#    chapter VIII.
# [2] A. J. Stam, "Generation of a random partition of a finite set by an urn model", Journal of
#    Combinatorial Theory A 35, 1983.


class FixedSizes(NamedTuple):
    """All partitions with given cluster sizes.

    These classes have the same members; all orders of the objects are equally likely.
    """

    sums: IntArray

    @property
    def n_samples(self) -> int:
        return int(self.sums.sum())

    @property
    def share_together(self) -> float:
        """Probability that two given objects are together, if there are two."""
        pairs = self.expected_sizes().pairs_together()
        return float(Fraction(pairs, math.perm(self.n_samples, 2)))

    def expected_sizes(self) -> Margin:
        """Return the sizes that clusters may have, and the mean number of clusters of each."""
        return Margin.from_sums(self.sums)

    def draw(self, source: Any) -> IntArray:
        """Draw the cluster sizes, in random order."""
        return self.sums


class FixedShares(NamedTuple):
    """Independent objects, each in the clusters with given probabilities."""

    n_samples: int
    shares: FloatArray

    @property
    def share_together(self) -> float:
        return math.fsum(self.shares**2)

    def expected_sizes(self) -> Margin:
        n, parts = self.n_samples, []
        for share, number in zip(*np.unique(self.shares, return_counts=True), strict=True):
            sizes = _around(n * share, n)
            parts.append((sizes, number * binom.pmf(sizes, n, share)))
        sizes, weights = map(np.concatenate, zip(*parts, strict=True))
        sizes, places = np.unique(sizes, return_inverse=True)
        return _margin(n, sizes, np.bincount(places, weights).astype(np.float64))

    def draw(self, source: Any) -> IntArray:
        sizes = source.multinomial(self.n_samples, self.shares)
        return np.asarray(sizes[sizes > 0], np.int64)


class FixedClusterCount(NamedTuple):
    """All partitions into a given number of clusters, between one and the number of objects."""

    n_samples: int
    n_clusters: int

    @property
    def share_together(self) -> float:
        if self.n_clusters in (1, self.n_samples):
            return float(self.n_clusters == 1)
        urn = _PositivePoisson.of_mean(self.n_samples, self.n_clusters)
        rest = self.n_samples - self.n_clusters
        return urn.rate / self.n_samples * urn.sum_of(self.n_clusters).ratio_below(rest)

    def expected_sizes(self) -> Margin:
        n, k = self.n_samples, self.n_clusters
        if k in (1, n):
            return Margin(np.array([n / k]), np.array([float(k)]))
        urn = _PositivePoisson.of_mean(n, k)
        sizes = _around(urn.rate, n - k + 1)
        others = urn.sum_of(k - 1).probabilities(n - sizes - (k - 1))
        return _margin(n, sizes, _poisson_weights(urn.rate, sizes) * others)

    def draw(self, source: Any) -> IntArray:
        n, k = self.n_samples, self.n_clusters
        if k in (1, n):
            return np.full(k, n // k)
        urn = _PositivePoisson.of_mean(n, k)
        sizes = _around(urn.rate, n - k + 1)
        weights = _poisson_weights(urn.rate, sizes)
        cumulated = np.cumsum(weights)
        while True:
            drawn = sizes[np.searchsorted(cumulated, source.random(k - 1) * cumulated[-1])]
            # The others leave one size for the last, which is accepted with its probability.
            place = n - int(drawn.sum()) - int(sizes[0])
            accepted = source.random() * weights.max()
            if 0 <= place < len(sizes) and accepted < weights[place]:
                return np.append(drawn, sizes[place])


class AnyClusterCount(NamedTuple):
    """All partitions of some objects, at least one."""

    n_samples: int

    @property
    def share_together(self) -> float:
        return self._rate / self.n_samples * self._rest().ratio_below(self.n_samples)

    @property
    def _rate(self) -> float:
        return float(lambertw(self.n_samples).real)

    def _rest(self) -> _Tilted:
        rate = self._rate
        deviation = math.sqrt(self.n_samples * (1 + rate))
        n_urns = self.n_samples / rate  # e^r

        def log_function(angles: FloatArray) -> NDArray[np.complex128]:
            return np.asarray(n_urns * np.expm1(rate * _turned(angles)), np.complex128)

        return _Tilted(log_function, deviation)

    def expected_sizes(self) -> Margin:
        sizes = _around(self._rate, self.n_samples)
        others = self._rest().probabilities(self.n_samples - sizes)
        return _margin(self.n_samples, sizes, _poisson_weights(self._rate, sizes) * others)

    def draw(self, source: Any) -> IntArray:
        """Draw m urns with a probability that is proportional to m^N / m!."""
        middle = self.n_samples / self._rate
        spread = math.sqrt(middle / (1 + self._rate))
        n_urns = np.arange(
            max(1, int(middle - _FAR_DEVIATIONS * spread) - _FAR_VALUES),
            int(middle + _FAR_DEVIATIONS * spread) + _FAR_VALUES,
        )
        # Added up from ratios of neighbors, as the numbers themselves have lost all digits.
        steps = self.n_samples * np.log1p(1 / n_urns[:-1]) - np.log(n_urns[1:])
        logarithms = np.cumsum(np.append(0.0, steps))
        weights = np.cumsum(np.exp(logarithms - logarithms.max()))
        urns = int(n_urns[np.searchsorted(weights, source.random() * weights[-1])])
        sizes = source.multinomial(self.n_samples, np.full(urns, 1 / urns))
        return np.asarray(sizes[sizes > 0], np.int64)


# --------------------------------------------------------------------------- distributions of sums


class _PositivePoisson(NamedTuple):
    """The distribution of a Poisson variable that is not zero."""

    rate: float

    @classmethod
    def of_mean(cls, total: int, number: int) -> _PositivePoisson:
        excess = (total - number) / number  # of the mean above 1, which lies in [r / 2, r]
        return cls(float(brentq(_mean_above_one, excess, 3 * excess, (excess,), 1e-9 * excess)))

    def sum_of(self, number: int) -> _Tilted:
        """Return the distribution of the sum of such variables, less one each."""
        excess = _mean_above_one(self.rate)
        deviation = math.sqrt((1 + excess) * (self.rate - excess))
        # One of them may be far from its mean for a single size.
        spread = (1 + math.sqrt(number)) * deviation
        return _Tilted(lambda angles: number * self._log_function(angles), spread)

    def _log_function(self, angles: FloatArray) -> NDArray[np.complex128]:
        rate, turned = self.rate, _turned(angles)
        if rate < 0.5:
            found = rate / 2 * turned
            for power, coefficient in zip(_EVEN_POWERS, _COEFFICIENTS, strict=True):
                found += coefficient * rate**power * _turned(power * angles)
            return found
        found = rate * turned - 1j * angles
        if rate < 40.0:  # else the probability of zero is below rounding
            found += log1p(-np.expm1(-rate * turned) / math.expm1(rate))
        return found


class _Tilted(NamedTuple):
    """The distribution of a sum T, by the logarithm of its characteristic function and its spread.

    The number of angles exceeds the range of T.
    """

    log_function: Callable[[FloatArray], NDArray[np.complex128]]
    spread: float

    @property
    def n_angles(self) -> int:
        return 2 * int(20 * self.spread + _FAR_VALUES) + 1

    def ratio_below(self, value: int) -> float:
        """Return P(T = value - 1) / P(T = value)."""
        n_angles = self.n_angles
        most = n_angles // 2
        if self.spread > _NORMAL:
            most = int(n_angles * _FAR_DEVIATIONS / (2 * math.pi * self.spread))
        places = np.arange(-most, most + 1)
        angles = places.astype(np.float64) * (2 * math.pi / n_angles)
        # Full turns are left out to avoid rounding of the angle.
        turns = places * (value % n_angles) % n_angles
        terms = np.exp(self.log_function(angles) - 2j * math.pi / n_angles * turns)
        return float((terms * np.exp(1j * angles)).real.sum() / terms.real.sum())

    def probabilities(self, values: IntArray) -> FloatArray:
        angles = np.arange(self.n_angles, dtype=np.float64) * (2 * math.pi / self.n_angles)
        found = np.fft.fft(np.exp(self.log_function(angles))).real / self.n_angles
        return np.asarray(found[values % self.n_angles])


def _mean_above_one(rate: float, less: float = 0.0) -> float:
    """Return the mean of a Poisson variable that is not zero, less 1 and another number."""
    if rate < 1e-4:
        return rate / 2 + rate * rate / 12 - less
    return (rate + math.expm1(-rate)) / -math.expm1(-rate) - less


def _turned(angles: FloatArray) -> NDArray[np.complex128]:
    """Return e^it - 1, with all digits."""
    return -2 * np.sin(angles / 2) ** 2 + 1j * np.sin(angles)


def _around(rate: float, most: int) -> IntArray:
    """Return the sizes, from one up to ``most``, that a Poisson variable may have."""
    far = int(_FAR_DEVIATIONS * math.sqrt(rate)) + _FAR_VALUES
    return np.arange(max(1, int(rate) - far), min(most, int(rate) + far) + 1)


def _poisson_weights(rate: float, sizes: IntArray) -> FloatArray:
    """Return values proportional to the probabilities of a Poisson variable.

    Added up from ratios of neighbors: the logarithms themselves lose digits with their size.
    """
    logarithms = np.append(0.0, np.cumsum(np.log(rate / sizes[1:])))
    weights: FloatArray = np.exp(logarithms - logarithms.max())
    return weights


def _margin(n_samples: int, sizes: IntArray, weights: FloatArray) -> Margin:
    """Scale numbers of clusters to contain all objects, and leave out rounding errors."""
    is_likely = weights > _NEGLIGIBLE * weights.max()
    sizes, weights = sizes[is_likely], weights[is_likely]
    return Margin(sizes.astype(np.float64), weights * (n_samples / (sizes @ weights)))


# Pairs of cluster sizes for which the mean of the mutual information takes some seconds.
_MOST_SIZE_PAIRS = 2 * 10**6


class _NotKnown(NotImplementedError, AttributeError):
    """Error for methods of the permutation model only; an AttributeError, for hasattr."""


RandomPartition = FixedSizes | FixedShares | FixedClusterCount | AnyClusterCount


class RandomModel(Shown):
    """Two independent random partitions; the clusters of the first may have given sizes."""

    _true: RandomPartition
    _pred: RandomPartition

    @property
    def n_samples(self) -> int:
        """Number of objects."""
        return self._pred.n_samples

    @property
    def row_sums(self) -> IntArray | None:
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
        >>> from sklearn_clustcompare.significance import AllPartitionsModel
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
        >>> from sklearn_clustcompare.significance import FixedClusterCountModel
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
        >>> from sklearn_clustcompare.significance import AllPartitionsModel
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

    def draw_sizes(self, size: int, source: Any) -> Iterator[tuple[IntArray, IntArray]]:
        """Yield the cluster sizes of random partitions."""
        return ((self._true.draw(source), self._pred.draw(source)) for _ in range(size))

    def rvs(self, size: int = 1, random_state: RandomStateLike = 0) -> list[IntArray]:
        """Draw random tables, exactly as likely as the model has them.

        Use them to estimate variances, and means without an exact form. Tables are dense. Each call
        draws the same tables by default: pass a ``Generator`` to draw others.

        Parameters
        ----------
        size : int, default=1
            Number of tables.
        random_state : int, RandomState, Generator, SeedSequence or None, default=0
            :term:`Source of randomness <random_state>`.

        Returns
        -------
        list of ndarray of int64 of shape (n_rows, n_cols)
            The tables, without empty rows and columns, so that shapes may differ. The order of the
            clusters is meaningless, unless their sizes or shares are given.

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
        >>> from sklearn_clustcompare.significance import AllPartitionsModel
        >>> tables = AllPartitionsModel(5).rvs(size=10, random_state=0)
        >>> len(tables), {int(table.sum()) for table in tables}
        (10, {5})
        """
        number, source = checked_size(size), random_source(random_state)
        return [
            PermutationModel(*sums).rvs(1, source)[0] for sums in self.draw_sizes(number, source)
        ]


class FixedClusterCountModel(RandomModel):
    """Distribution of a table if all partitions into given numbers of clusters are equally likely.

    The numbers of clusters are fixed, and their sizes are random: the model for clusterers with a
    given number of clusters, such as k-means [1]_. It is that of random labels that are drawn
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
    >>> from sklearn_clustcompare.significance import FixedClusterCountModel
    >>> model = FixedClusterCountModel(6, (2, 3))
    >>> model
    FixedClusterCountModel(n_samples=6, n_clusters=(2, 3))
    >>> print(f"{model.expected_pair_count():.6f}")
    2.016129
    >>> FixedClusterCountModel.one_sided([3, 1, 2], 3)
    FixedClusterCountModel.one_sided(row_sums=[3, 1, 2], n_clusters=3)
    """

    def __init__(self, n_samples: int, n_clusters: tuple[int, int]) -> None:
        positive_integer("n_samples", n_samples)
        if not isinstance(n_clusters, tuple | list) or len(n_clusters) != 2:
            msg = (
                "n_clusters must be two numbers, those of the clusters of both partitions, "
                f"got {shortened(n_clusters)}"
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
        >>> from sklearn_clustcompare.significance import FixedClusterCountModel
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

    def rvs(self, size: int = 1, random_state: RandomStateLike = 0) -> IntArray:  # type: ignore[override]
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
        >>> from sklearn_clustcompare.significance import FixedClusterCountModel
        >>> tables = FixedClusterCountModel(5, (2, 3)).rvs(size=10, random_state=0)
        >>> tables.shape, set(tables.sum(axis=(1, 2)).tolist())
        ((10, 2, 3), {5})
        """
        tables = np.empty((checked_size(size), *self.n_clusters), np.int64)
        for place, table in enumerate(super().rvs(size, random_state)):
            tables[place] = table
        return tables


class AllPartitionsModel(RandomModel):
    """Distribution of a table if all partitions of the objects are equally likely.

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
    >>> from sklearn_clustcompare.significance import AllPartitionsModel
    >>> model = AllPartitionsModel(6)
    >>> model
    AllPartitionsModel(n_samples=6)
    >>> print(f"{model.expected_pair_count():.6f}")
    0.984251
    >>> AllPartitionsModel.one_sided([3, 1, 2])
    AllPartitionsModel.one_sided(row_sums=[3, 1, 2])
    """

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
        >>> from sklearn_clustcompare.significance import AllPartitionsModel
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


# Up to this number of objects, sums over their triples fit into 64 bits.
_MOST_IN_INT64 = 2**21


class MultinomialModel(RandomModel):
    """Distribution of a table if each object is in each cluster with a given probability.

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
    >>> from sklearn_clustcompare.significance import MultinomialModel
    >>> model = MultinomialModel(6, [0.5, 0.5], [0.2, 0.3, 0.5])
    >>> model
    MultinomialModel(n_samples=6, row_shares=[0.5, 0.5], col_shares=[0.2, 0.3, 0.5])
    >>> print(f"{model.expected_pair_count():.6f}")
    2.850000
    """

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
        msg = f"{name} must be numbers, got {shortened(values)}"
        raise TypeError(msg) from None
    if shares.ndim != 1 or not shares.size or not (shares >= 0).all():
        msg = f"{name} must be a sequence of probabilities, got {shortened(values)}"
        raise ValueError(msg)
    total = math.fsum(shares)
    if not abs(total - 1) <= tolerance_of(given.dtype):
        msg = f"{name} must add up to 1, got {shortened(total)}"
        raise ValueError(msg)
    return read_only(shares / total)
