"""Tail probabilities from four moments: Pearson's law of type III with one more term.

The gamma law, moved and scaled, has the mean, the variance and the skewness. The term of degree 4
of its series in Laguerre polynomials corrects the fourth moment. The correction is cut off where it
would leave three quarters of the probability of the gamma law, or double it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from scipy.special import erfcx, gammainc, gammaincc, log_ndtr

from sklearn_clustcompare._numerics import log_gamma_density, log_gamma_start, log_gamma_tail

# With less skewness the law is normal, up to the first terms in the skewness and the excess.
_SYMMETRIC = 1e-4
_LEAST_CORRECTION, _MOST_CORRECTION = -0.25, 1.0
# Below this, probabilities lose digits, and their logarithms come from a series.
_SMALLEST = 1e-290


class MomentLaw(NamedTuple):
    """The law of a standardized sum, by its skewness and excess kurtosis."""

    skewness: float
    excess: float

    @property
    def surplus(self) -> float:
        """Fourth moment beyond that of the gamma law, as a share of the latter's."""
        of_gamma = 1.5 * self.skewness**2
        return (self.excess - of_gamma) / (1 + of_gamma)

    def tail(self, z: float, *, is_upper: bool) -> float:
        """Return the probability of a value at least, or at most, z."""
        return math.exp(self.log_tail(z, is_upper=is_upper))

    def log_tail(self, z: float, *, is_upper: bool) -> float:
        """Return the logarithm of a tail, also where the probability is too small for a float."""
        if not is_upper:
            return MomentLaw(-self.skewness, self.excess).log_tail(-z, is_upper=True)
        if abs(self.skewness) < _SYMMETRIC:
            return self._nearly_normal(z)
        root = 2 / abs(self.skewness)
        shape = root * root
        is_right = self.skewness > 0
        x = root * (root + z if is_right else root - z)
        if x <= 0:  # beyond the end of the gamma law
            return 0.0 if is_right else -math.inf
        plain = float(gammaincc(shape, x) if is_right else gammainc(shape, x))
        if plain > _SMALLEST:
            logarithm = math.log(plain)
        else:
            logarithm = (log_gamma_tail if is_right else log_gamma_start)(shape, x)
        term = self._laguerre_term(shape, x, logarithm)
        return min(logarithm + _corrected(term if is_right else -term), 0.0)

    def _laguerre_term(self, shape: float, x: float, logarithm: float) -> float:
        """Return what the fourth moment adds to the upper tail, as a share of a probability."""
        surplus = self.excess - 1.5 * self.skewness**2
        factor = surplus * shape / ((shape + 1) * (shape + 2) * (shape + 3))
        # The polynomial L3 of parameter k at k + t, in powers of t: nothing large cancels.
        t = x - shape
        polynomial = (-(t**3) + 9 * t * t + 3 * t * (shape - 6) - 7 * shape + 6) / 6
        density = log_gamma_density(shape, x)
        if not polynomial or not factor:
            return 0.0
        size = math.log(abs(factor * polynomial) / 4) + density - logarithm
        sign = -1.0 if factor * polynomial > 0 else 1.0
        return sign * math.exp(min(size, 1.0))

    def _nearly_normal(self, z: float) -> float:
        logarithm = float(log_ndtr(-z))
        terms = self.skewness / 6 * (z * z - 1) + self.excess / 24 * z * (z * z - 3)
        density_by_tail = math.sqrt(2 / math.pi) / float(erfcx(z / math.sqrt(2)))
        return min(logarithm + _corrected(terms * density_by_tail), 0.0)


def _corrected(share: float) -> float:
    return math.log1p(min(max(share, _LEAST_CORRECTION), _MOST_CORRECTION))
