"""Statistics of many partitions of one data set, from its distances.

The valley statistic asks whether clusters are separated, whatever their shape: how much wider the
gaps are that a path between the densest objects of two clusters has to cross than the steps inside
of them. A path through dense data has short steps only, so that the parts of a bent cluster have no
valley between them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.sparse import issparse
from scipy.spatial.distance import pdist, squareform

from sklearn_clustcompare._data import euclidean, near, near_for
from sklearn_clustcompare.without_reference._resamples import all_distances

FloatArray = NDArray[np.float64]

# The radius of a core reaches to this neighbor.
N_NEIGHBORS = 5
# Steps shorter than this share of the median distance are not told apart.
_RESOLUTION = 0.05


class Geometry:
    """Distances of a data set, radii of the cores of its objects, and saddles between objects.

    The core of an object is the ball that reaches to its fifth neighbor. The length of a step is
    the distance of its ends, or the larger radius of their cores if that is larger. The saddle of
    two objects is the longest step of the path between them whose longest step is shortest.
    """

    def __init__(self, X: Any, pairs: str | None = None) -> None:
        if pairs is not None:
            units = near(all_distances(X, pairs), shifts=False)
            self.distances = units.values
        else:
            units = near_for(X, "euclidean")
            values = units.values
            are_sparse = issparse(values)
            self.distances = euclidean(values, values) if are_sparse else squareform(pdist(values))
        self._log_unit = units.exponent * np.log(2)
        n_samples = len(self.distances)
        neighbor = min(N_NEIGHBORS, n_samples - 1)
        self.cores = np.partition(self.distances, neighbor, axis=1)[:, neighbor]
        steps = np.maximum(self.distances, np.maximum.outer(self.cores, self.cores))
        np.fill_diagonal(steps, 0.0)
        steps = squareform(steps, checks=False)
        # The saddle is the height at which single linkage joins the two.
        self.saddles = squareform(cophenet(linkage(steps, "single")))
        above = self.distances[np.triu_indices(n_samples, 1)]
        self._resolution = _RESOLUTION * float(np.median(above))

    def statistics(self, labels: NDArray[Any]) -> tuple[float, float, float]:
        """Return the silhouette, the valley, and the logarithm of the dispersion of a partition.

        Noise (-1) is in no cluster, and has silhouette 0; the valley is multiplied by the share of
        the other objects. Fewer than two clusters have silhouette and valley 0.
        """
        clusters, codes = np.unique(labels[labels != -1], return_inverse=True)
        if len(clusters) == 0:
            return 0.0, 0.0, np.nan
        rows = np.flatnonzero(labels != -1)
        distances = self.distances if len(rows) == len(labels) else self.distances[:, rows]
        members = codes[:, np.newaxis] == np.arange(len(clusters))
        sums = distances @ members.astype(np.float64)
        sizes = np.bincount(codes)
        own = sums[rows, codes]
        with np.errstate(divide="ignore"):
            dispersion = float(np.log(np.sum(own / (2 * sizes[codes])))) + self._log_unit
        if len(clusters) == 1:
            return 0.0, 0.0, dispersion
        within = own / np.maximum(sizes[codes] - 1, 1)
        others = sums[rows] / sizes
        others[np.arange(len(rows)), codes] = np.inf
        nearest = others.min(axis=1)
        largest = np.maximum(within, nearest)
        is_counted = (sizes[codes] > 1) & (largest > 0)
        widths = np.divide(nearest - within, largest, out=np.zeros(len(rows)), where=is_counted)
        return (
            float(widths.sum() / len(labels)),
            self._valley(rows, codes, sizes) * len(rows) / len(labels),
            dispersion,
        )

    def _valley(
        self, rows: NDArray[np.intp], codes: NDArray[np.intp], sizes: NDArray[np.intp]
    ) -> float:
        """Return the mean over the clusters of the lowest log ratio of a saddle and the cores."""
        ordered = rows[np.lexsort((self.cores[rows], codes))]
        starts = np.cumsum(sizes) - sizes
        centers = ordered[starts]
        middle = self.cores[ordered[np.array([(sizes - 1) // 2, sizes // 2]) + starts]]
        radii = middle.mean(axis=0)
        saddles = self.saddles[np.ix_(centers, centers)] + self._resolution
        steps = np.maximum.outer(radii, radii) + self._resolution
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.log(saddles / steps)
        np.fill_diagonal(ratios, np.inf)
        return float(np.nan_to_num(ratios.min(axis=1), nan=0.0, neginf=0.0).mean())
