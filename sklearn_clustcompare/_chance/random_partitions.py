"""Laws of one random partition: given sizes, shares or number of clusters, or any number.

All partitions of N objects into k clusters are equally likely, or all partitions. Their numbers are
those of Stirling, S(N, k), and of Bell, B(N) = sum_k S(N, k), with the exponential generating
functions (e^x - 1)^k / k! and exp(e^x - 1). Only ratios of these numbers are needed, which follow
from a law of mean N: with F one of the functions and r its saddle point, r F'(r) / F(r) = N, let T
take the value n with the probability [x^n]F r^n / F(r). Then

    S(N - 1, k) / S(N, k) = (r / N) P(T = N - 1) / P(T = N),

and for Bell's numbers likewise. It is the probability that two given objects are together: without
one of them, any partition of the others remains. The probabilities are integrals over a circle of
the characteristic function F(r e^it) / F(r), which falls off as that of a normal law. Their sums
over equidistant angles are exact up to rounding, for any N [1]_. The mean number of clusters of a
objects is C(N, a) S(N - a, k - 1) / S(N, k), or C(N, a) B(N - a) / B(N), computed in the same way.

Partitions into k clusters are drawn as independent Poisson sizes above zero, until they add up to
N. For all partitions a number of urns is drawn, and then an urn for each object [2]_.

References
----------
.. [1] P. Flajolet, R. Sedgewick, "Analytic Combinatorics", Cambridge University Press, 2009,
   chapter VIII.
.. [2] A. J. Stam, "Generation of a random partition of a finite set by an urn model", Journal of
   Combinatorial Theory A 35, 1983.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import bernoulli, factorial, lambertw, log1p
from scipy.stats import binom

from sklearn_clustcompare._chance.margins import Margin
from sklearn_clustcompare._numerics import FloatArray

Sizes = NDArray[np.int64]

# The mass of a law beyond this many standard deviations, and this many values, is negligible.
_FAR_DEVIATIONS = 12.0
_FAR_VALUES = 144
# From this standard deviation on, the function of a law falls off as that of a normal law.
_NORMAL = 40.0
# Coefficients of log((e^z - 1) / z) - z / 2 at z^2, z^4 and so on.
_EVEN_POWERS = np.arange(2, 18, 2)
_COEFFICIENTS = bernoulli(16)[2::2] / (_EVEN_POWERS * factorial(_EVEN_POWERS))
# Numbers of clusters below this share of the largest are rounding errors.
_NEGLIGIBLE = 1e-17


class RandomPartition(Protocol):
    """The law of one partition, in which all orders of the objects are equally likely."""

    @property
    def n_samples(self) -> int: ...

    @property
    def share_together(self) -> float:
        """Probability that two given objects are together, if there are two."""

    def expected_sizes(self) -> Margin:
        """Return the sizes that clusters may have, and the mean number of clusters of each."""

    def draw(self, source: Any) -> Sizes:
        """Draw the cluster sizes, in random order."""


class FixedSizes(NamedTuple):
    """All partitions with given cluster sizes."""

    sums: Sizes

    @property
    def n_samples(self) -> int:
        return int(self.sums.sum())

    @property
    def share_together(self) -> float:
        pairs = self.expected_sizes().pairs_together()
        return float(Fraction(pairs, math.perm(self.n_samples, 2)))

    def expected_sizes(self) -> Margin:
        return Margin.from_sums(self.sums)

    def draw(self, source: Any) -> Sizes:
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

    def draw(self, source: Any) -> Sizes:
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
        law = _PositivePoisson.of_mean(self.n_samples, self.n_clusters)
        rest = self.n_samples - self.n_clusters
        return law.rate / self.n_samples * law.sum_of(self.n_clusters).ratio_below(rest)

    def expected_sizes(self) -> Margin:
        n, k = self.n_samples, self.n_clusters
        if k in (1, n):
            return Margin(np.array([n / k]), np.array([float(k)]))
        law = _PositivePoisson.of_mean(n, k)
        sizes = _around(law.rate, n - k + 1)
        others = law.sum_of(k - 1).probabilities(n - sizes - (k - 1))
        return _margin(n, sizes, _poisson_weights(law.rate, sizes) * others)

    def draw(self, source: Any) -> Sizes:
        n, k = self.n_samples, self.n_clusters
        if k in (1, n):
            return np.full(k, n // k)
        law = _PositivePoisson.of_mean(n, k)
        sizes = _around(law.rate, n - k + 1)
        weights = _poisson_weights(law.rate, sizes)
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
        return self._rate / self.n_samples * self._law().ratio_below(self.n_samples)

    @property
    def _rate(self) -> float:
        return float(lambertw(self.n_samples).real)

    def _law(self) -> _Tilted:
        rate = self._rate
        deviation = math.sqrt(self.n_samples * (1 + rate))
        n_urns = self.n_samples / rate  # e^r

        def log_function(angles: FloatArray) -> NDArray[np.complex128]:
            return np.asarray(n_urns * np.expm1(rate * _turned(angles)), np.complex128)

        return _Tilted(log_function, deviation)

    def expected_sizes(self) -> Margin:
        n, law = self.n_samples, self._law()
        sizes = _around(self._rate, n)
        return _margin(n, sizes, _poisson_weights(self._rate, sizes) * law.probabilities(n - sizes))

    def draw(self, source: Any) -> Sizes:
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


# --------------------------------------------------------------------------- laws of sums


class _PositivePoisson(NamedTuple):
    """The law of a Poisson variable that is not zero."""

    rate: float

    @classmethod
    def of_mean(cls, total: int, number: int) -> _PositivePoisson:
        excess = (total - number) / number  # of the mean above 1, which lies in [r / 2, r]
        return cls(float(brentq(_mean_above_one, excess, 3 * excess, (excess,), 1e-9 * excess)))

    def sum_of(self, number: int) -> _Tilted:
        """Return the law of the sum of such variables, less one each."""
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
    """The law of a sum T, by the logarithm of its characteristic function and its spread.

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

    def probabilities(self, values: Sizes) -> FloatArray:
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


def _around(rate: float, most: int) -> Sizes:
    """Return the sizes, from one up to ``most``, that a Poisson variable may have."""
    far = int(_FAR_DEVIATIONS * math.sqrt(rate)) + _FAR_VALUES
    return np.arange(max(1, int(rate) - far), min(most, int(rate) + far) + 1)


def _poisson_weights(rate: float, sizes: Sizes) -> FloatArray:
    """Return values proportional to the probabilities of a Poisson variable.

    Added up from ratios of neighbors: the logarithms themselves lose digits with their size.
    """
    logarithms = np.append(0.0, np.cumsum(np.log(rate / sizes[1:])))
    weights: FloatArray = np.exp(logarithms - logarithms.max())
    return weights


def _margin(n_samples: int, sizes: Sizes, weights: FloatArray) -> Margin:
    """Scale numbers of clusters to contain all objects, and leave out rounding errors."""
    is_likely = weights > _NEGLIGIBLE * weights.max()
    sizes, weights = sizes[is_likely], weights[is_likely]
    return Margin(sizes.astype(np.float64), weights * (n_samples / (sizes @ weights)))
