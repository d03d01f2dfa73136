"""How far other clusterings with as small an inertia can be from one: ``doc/design.rst`` proves it.

A clustering is the matrix Z that replaces each object by the mean of its cluster. Z 1 = 1, Z >= 0,
and Z - 1 1'/n = P projects onto k - 1 dimensions. With G the Gram matrix of the centered data the
inertia is tr G - tr PG.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar
from scipy.sparse import issparse
from sklearn.metrics import euclidean_distances

from sklearn_clustcompare._partition import Reading, read_labels
from sklearn_clustcompare._partition.noise import treat_one
from sklearn_clustcompare._rendering import Shown, decimal, result_record
from sklearn_clustcompare.without_reference._cluster_tree import sums_of_clusters
from sklearn_clustcompare.without_reference._fit_tasks import one_thread
from sklearn_clustcompare.without_reference._null_data import read_data

FloatArray = NDArray[np.float64]

# Shares of the objects that are closer to another cluster than the rows of W allow for.
_SHARES = (0.0, 0.01, 0.03, 0.1, 0.3)
# Logarithms of the multipliers that are tried, relative to k over the sum of squares.
_MULTIPLIERS = (-5.0, 9.0)


@result_record
@dataclass(frozen=True, repr=False)
class OptimalityInterval(Shown):
    """Where all clusterings with as small an inertia are; from :func:`optimality_interval`.

    Printed, it states what was proven. All parameters are attributes of the same names, which
    cannot be set.

    Parameters
    ----------
    n_samples : int
        Number of objects.
    n_clusters : int
        Number of clusters, k.
    inertia : float
        Sum of squared distances of the objects to the means of their clusters.
    lower_bound : float
        No clustering into k clusters has a smaller inertia.
    max_moved : int or None
        Every clustering into k clusters with at most this inertia is the same one but for this
        many objects, in [0, n_samples]; None for no statement.

    See Also
    --------
    optimality_interval : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare.results import OptimalityInterval
    >>> OptimalityInterval(150, 3, 78.85, 40.2, None).is_void
    True
    """

    n_samples: int
    n_clusters: int
    inertia: float
    lower_bound: float
    max_moved: int | None

    @property
    def max_distance(self) -> float | None:
        """Largest :func:`misclassification_distance` of such a clustering; None: no statement."""
        return None if self.max_moved is None else self.max_moved / self.n_samples

    @property
    def is_void(self) -> bool:
        """Whether nothing was proven about other clusterings."""
        return self.max_moved is None

    def _headline(self) -> str:
        clusters = "1 cluster" if self.n_clusters == 1 else f"{self.n_clusters} clusters"
        others = f"clustering into {clusters} with an inertia of at most {decimal(self.inertia)}"
        if self.max_moved is None:
            found = f"no statement about any other {others}"
        elif self.max_moved == 0:
            found = f"there is no other {others}"
        else:
            found = (
                f"every {others} differs from this one in at most {self.max_moved} of "
                f"{self.n_samples} objects"
            )
        return f"OptimalityInterval: {found}"

    def _conclusion(self) -> list[str]:
        return [f"the smallest inertia possible is at least {decimal(self.lower_bound)}"]


def optimality_interval(
    X: ArrayLike, labels: ArrayLike, *, noise_label: Any = -1
) -> OptimalityInterval:
    """Bound how far any clustering with as small a k-means loss can be from this one.

    k-means may stop at a poor clustering, and quite different clusterings may be as good. Where
    this bound is small, neither is so: it holds for all clusterings into k clusters whose inertia,
    the sum of squares within clusters, is at most that of the labels, the best one among them. It
    is proven from the data alone, without assumptions about their law and without another fit.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        :term:`Labels` of one :term:`partition`.
    noise_label : hashable or collection of these, default=-1
        :term:`Label of noise <noise_label>`, or several; they need not occur.

    Returns
    -------
    OptimalityInterval
        With ``max_moved``, the largest number of objects, and ``max_distance``, the largest share
        in [0, 1], in other clusters once these are matched; both are None, and ``is_void`` is True,
        if nothing can be stated. ``inertia`` and its ``lower_bound`` are in squared units of X.

    Raises
    ------
    ValueError
        If X or labels are invalid or differ in length, X is sparse, or all objects are noise.

    See Also
    --------
    misclassification_distance : The distance that is bounded.
    cluster_stability : Whether clusters come back in other samples.
    cluster_significance : Whether clusters are clouds of their own.

    Notes
    -----
    Clusterings with a small inertia are near the first k - 1 principal components of X, and hence
    near each other if the gap between the eigenvalues is large [1]_. [2]_ and [3]_ extend this to
    other losses and semidefinite relaxations. Here the bound is the value of a dual problem, which
    needs eigenvalues of matrices of d + k * k rows with d features: as multipliers of pairs
    in different clusters it takes those by which [4]_ certifies optima. Multipliers zero give a
    spectral bound. Rounding errors are added to the bound. ``doc/design.rst`` has the proof.

    Noise is left out. The labels may come from any clusterer, but the bound is best for those of
    k-means. It is not the largest distance that occurs, and a void one does not show that there
    are other clusterings. It is void if clusters touch, and small from some 6 standard deviations
    between centers on. It concerns the k-means loss of these objects: that a clustering is the only
    good one for k clusters does not show that k is right, or that other samples have the same.

    The cost is proportional to the number of objects, but grows with the sixth power of the number
    of clusters.

    References
    ----------
    .. [1] M. Meilă, "The uniqueness of a good optimum for k-means", ICML 2006,
       :doi:`10.1145/1143844.1143923`
    .. [2] M. Meilă, "How to tell when a clustering is (approximately) correct using convex
       relaxations", NeurIPS 2018
    .. [3] M. Meilă, H. Zhang, "Distribution free optimality intervals for clustering", 2021,
       arXiv:2107.14442
    .. [4] T. Iguchi, D. G. Mixon, J. Peterson, S. Villar, "Probably certifiably correct k-means
       clustering", Mathematical Programming 165(2), 2017, :doi:`10.1007/s10107-016-1097-0`

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_clustcompare import optimality_interval
    >>> X = load_iris().data
    >>> found = optimality_interval(X, KMeans(2, random_state=0).fit_predict(X))
    >>> found.max_moved, found.is_void
    (4, False)
    """
    rows = read_data(X)
    if issparse(rows):
        msg = "X must be dense, got a sparse matrix: pass X.toarray()"
        raise ValueError(msg)
    partition = read_labels(labels, "labels")
    if partition.n_objects != len(rows):
        msg = f"labels must be as many as the {len(rows)} rows of X, got {partition.n_objects}"
        raise ValueError(msg)
    partition, kept = treat_one(partition, Reading(noise="drop", noise_label=noise_label))
    if partition.n_objects == 0:
        msg = "labels must contain an object that is not noise, got noise only"
        raise ValueError(msg)
    compact, _ = partition.compact()
    points = np.asarray(rows if kept is None else rows[kept], np.float64)
    data = _Clustered.of(points, np.asarray(compact.codes), compact.n_codes)
    n, k = len(points), compact.n_codes
    # Small matrices, many times: threads cost more than they save, and change the last digits.
    with one_thread():
        relaxations = list(data.relaxations())
        values = [one.least(data.sizes / n) for one in relaxations]
        best = relaxations[int(np.argmax(values))]
        moved = n * max(1.0 - max(values), 0.0) / 2
        share = min(best.least(one) for one in np.eye(k))
        gap = max(one.value(1.0, np.zeros(k)) for one in relaxations)
    return OptimalityInterval(
        n_samples=n,
        n_clusters=k,
        inertia=data.inertia,
        lower_bound=max(data.inertia + gap, 0.0),
        max_moved=int(moved / share) if share > 0.5 else None,
    )


class _Clustered(NamedTuple):
    """Centered data and their clusters."""

    points: FloatArray
    codes: NDArray[np.intp]
    sizes: FloatArray
    centers: FloatArray
    rounding: float

    @classmethod
    def of(cls, points: FloatArray, codes: NDArray[np.intp], n_clusters: int) -> _Clustered:
        # Errors of the coordinates after centering are relative to those before.
        epsilon = np.finfo(np.float64).eps
        rounding = epsilon * float(np.abs(points).max()) * np.sqrt(points.size)
        points = points - points.mean(axis=0)
        sizes = np.bincount(codes, minlength=n_clusters).astype(np.float64)
        centers = sums_of_clusters(points, codes, n_clusters) / sizes[:, np.newaxis]
        return cls(points, codes, sizes, centers, rounding)

    @property
    def inertia(self) -> float:
        return float(np.square(self.points - self.centers[self.codes]).sum())

    def relaxations(self) -> Iterator[_Relaxation]:
        """Yield relaxations, any of which gives a bound: the spectral one, and some with W."""
        n, k = len(self.points), len(self.sizes)
        yield self._relaxation(np.zeros((n, 0)), [])
        if k == 1:
            return
        # By how much objects are closer to their own center than to others.
        distances = euclidean_distances(self.points, self.centers, squared=True)
        margins = distances - distances[np.arange(n), self.codes][:, np.newaxis]
        own, other = self.sizes[self.codes][:, np.newaxis], self.sizes[np.newaxis]
        nearest = np.where(np.arange(k) == self.codes[:, np.newaxis], np.inf, margins)
        nearest = (nearest * (own * other / (own + other))).min(axis=1)
        thresholds = np.unique(np.quantile(nearest, _SHARES))
        for threshold in thresholds[thresholds > 0].tolist():
            rows = other / 2 * margins - threshold * (own + other) / (2 * own)
            yield self._relaxation(*self._pairs(np.maximum(rows, 0.0)))

    def _pairs(self, rows: FloatArray) -> tuple[FloatArray, list[tuple[int, int]]]:
        """Return the columns of W = sum of u_ab u_ba' + u_ba u_ab', and which belong together."""
        k = len(self.sizes)
        columns: list[FloatArray] = []
        for a, b in combinations(range(k), 2):
            u = np.where(self.codes == a, rows[:, b], 0.0)
            v = np.where(self.codes == b, rows[:, a], 0.0)
            scale = (u.sum() * v.sum()) ** 0.25
            if scale > 0:
                columns += [u / scale, v / scale]
        couples = [(place, place + 1) for place in range(0, len(columns), 2)]
        return np.array(columns).reshape(-1, len(self.points)).T, couples

    def _relaxation(self, columns: FloatArray, couples: list[tuple[int, int]]) -> _Relaxation:
        n, d = self.points.shape
        k = len(self.sizes)
        members = np.zeros((n, k))
        members[np.arange(n), self.codes] = 1 / np.sqrt(self.sizes[self.codes])
        means = columns.mean(axis=0)
        all_columns = [self.points, members - members.mean(axis=0), columns - means]
        triangle: FloatArray = np.asarray(np.linalg.qr(np.hstack(all_columns), mode="r"))
        parts = triangle[:, :d], triangle[:, d : d + k], triangle[:, d + k :]
        gram, pairs, mean = parts[0] @ parts[0].T, np.zeros((len(triangle),) * 2), 0.0
        for u, v in couples:
            pairs += np.outer(parts[2][:, u], parts[2][:, v])
            pairs += np.outer(parts[2][:, v], parts[2][:, u])
            mean += float(2 * n * means[u] * means[v])
        between = float(self.sizes @ np.square(self.centers).sum(axis=1))
        total = float(np.trace(gram))
        return _Relaxation(
            loss=gram + pairs,
            members=parts[1],
            between=between - mean,
            sizes=self.sizes,
            unit=k / (total or 1.0),
            rounding=np.finfo(np.float64).eps
            * (n + len(triangle) ** 2)
            * np.array([total + mean + float(np.linalg.norm(pairs)), 1.0])
            + np.array([2 * np.sqrt(total) * self.rounding, 0.0]),
        )


class _Relaxation(NamedTuple):
    """The matrices G + W and v_a in an orthonormal basis of what they span, without 1."""

    loss: FloatArray
    members: FloatArray
    between: float
    sizes: FloatArray
    unit: float
    rounding: FloatArray

    def value(self, multiplier: float, weights: FloatArray) -> float:
        """Return a lower bound of the weighted sum of v_a' Z v_a, for any multiplier >= 0."""
        n, k = int(self.sizes.sum()), len(self.sizes)
        matrix = multiplier * self.loss - (self.members * weights) @ self.members.T
        eigenvalues = np.linalg.eigvalsh(matrix)
        n_zeros = min(max(n - 1 - len(matrix), 0), k - 1)
        largest = np.sort(np.append(eigenvalues, np.zeros(n_zeros)))[::-1][: k - 1]
        found = multiplier * self.between - largest.sum() + weights @ self.sizes / n
        return float(found - self.rounding @ (multiplier, 1.0))

    def least(self, weights: FloatArray) -> float:
        """Return the best of these bounds."""
        found = minimize_scalar(
            lambda log: -self.value(float(np.exp(log)) * self.unit, weights),
            bounds=_MULTIPLIERS,
            method="bounded",
            options={"xatol": 0.02},
        )
        return -float(found.fun)
