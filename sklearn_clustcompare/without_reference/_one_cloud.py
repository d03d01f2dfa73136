"""Test whether objects are one cloud: do k-means clusters in them explain more than in one cloud?

A few structureless data sets suffice, since the tail of their law is extrapolated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from scipy.stats import t as student
from sklearn.cluster import KMeans

from sklearn_clustcompare._data import near_for
from sklearn_clustcompare.without_reference._cluster_tree import sums_of_clusters
from sklearn_clustcompare.without_reference._fitting import caught_warnings
from sklearn_clustcompare.without_reference._many_fits import cluster_many
from sklearn_clustcompare.without_reference._null_data import NullData, laws_of
from sklearn_clustcompare.without_reference._structure import StructureTestResult

FloatArray = NDArray[np.float64]

# Numbers of parts that are tried: two alone would miss three clusters in a triangle.
NUMBERS = (2, 3, 4)
# With fewer starts the p-values of the same data vary by a factor of a hundred.
_KMEANS = KMeans(n_init=5)
# So few objects far from the others are no cluster: the copula keeps them where they are.
_MOST_ENDS = 9
# A law explains the data if the p-value of so many data sets is above this, and above so many times
# the level: no more are drawn.
_FIRST_LOOK, _CLEARLY, _TIMES = 9, 0.25, 5
# Sums of squares within clusters are at least this share of the total one.
_LEAST_SHARE = np.finfo(np.float64).eps


class CloudTest(NamedTuple):
    """The p-value, the largest z of the numbers of parts, and the law that decides."""

    pvalue: float
    statistic: float
    null: str


def cloud_test(
    X: Any, null: Any, n_null: int, significance_level: float, seeds: Sequence[int]
) -> CloudTest:
    """Return the test of the first law with a p-value above the level, or of the largest p-value.

    ``seeds`` are one for the data, and two for each structureless data set.
    """
    clearly = max(_CLEARLY, _TIMES * significance_level)
    draws, fits = seeds[1 : 1 + n_null], seeds[1 + n_null :]
    with caught_warnings():  # draws may have fewer distinct objects than there are parts
        own = _explained([X], seeds[:1])[0]
        found = []
        for law in laws_of(null, X, most_ends=_MOST_ENDS):
            of_law = np.empty((0, len(NUMBERS)))
            for part in (slice(_FIRST_LOOK), slice(_FIRST_LOOK, None)):
                sets = _drawn(law, draws[part])
                of_law = np.vstack([of_law, _explained(sets, fits[part])])
                test = StructureTestResult("", True, law.name, own, of_law, "n_clusters", NUMBERS)
                pvalue = tail_pvalue(test.statistic, test.null_distribution)
                if pvalue > clearly:
                    break
            found.append(CloudTest(pvalue, test.statistic, law.name))
            if pvalue > significance_level:
                return found[-1]
    return max(found)


def _drawn(law: NullData, seeds: Sequence[int]) -> list[Any]:
    try:
        sets = [law.draw(seed) for seed in seeds]
    except Exception as error:
        error.add_note(f"The data were structureless, null={law.name!r}.")
        raise
    return [X if issparse(X) else np.asarray(X, np.float64) for X in sets]


def _explained(sets: list[Any], seeds: Sequence[int]) -> FloatArray:
    """Return log(total / within) sums of squares of each data set, for each number of parts."""
    values = np.empty((len(sets), len(NUMBERS)))
    for column, number in enumerate(NUMBERS):
        found = cluster_many(_KMEANS, {"n_clusters": number}, sets, seeds)
        values[:, column] = [
            log_ratio(X, np.asarray(one.labels), number) for X, one in zip(sets, found, strict=True)
        ]
    return values


def log_ratio(X: Any, codes: NDArray[Any], n_clusters: int) -> float:
    """Return the logarithm of the total sum of squares divided by that within clusters."""
    X = near_for(X, "euclidean").values
    if not issparse(X):
        X = X - X.mean(axis=0)
    sizes = np.bincount(codes, minlength=n_clusters)[:, np.newaxis]
    sums = sums_of_clusters(X, codes, n_clusters)
    of_mean = np.sum(sums.sum(axis=0) ** 2) / len(codes)
    squares = X.multiply(X).sum() if issparse(X) else np.sum(X**2)
    total = squares - of_mean
    between = np.sum(sums**2 / np.maximum(sizes, 1)) - of_mean
    if total <= 0:
        return 0.0
    return float(-np.log(max(1 - between / total, _LEAST_SHARE)))


def tail_pvalue(value: float, sample: FloatArray) -> float:
    """Return the probability that one more value of a normal sample exceeds a value.

    It is uniform if both are from one normal law, for any size of the sample.
    """
    deviation = sample.std(ddof=1) * np.sqrt(1 + 1 / len(sample))
    if not 0 < deviation < np.inf:
        return 1.0
    return float(student.sf((value - sample.mean()) / deviation, len(sample) - 1))
