"""The branches of a hierarchy as lines."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def brackets(
    merges: NDArray[np.int64], heights: NDArray[np.float64], order: NDArray[np.integer]
) -> NDArray[np.float64]:
    """Return the four corners of each merge, as height and position among the leaves.

    ``merges`` numbers clusters as a linkage does, and ``order`` has the objects from the first to
    the last leaf. SciPy's dendrogram is recursive and fails for deep trees, such as those of single
    linkage.
    """
    n = len(order)
    middles, levels = np.zeros((2, 2 * n - 1))
    middles[order] = np.arange(n)
    corners = np.empty((n - 1, 4, 2))
    for step, (first, second) in enumerate(merges.tolist()):
        height = heights[step]
        corners[step, :, 0] = levels[first], height, height, levels[second]
        corners[step, :, 1] = middles[[first, first, second, second]]
        middles[n + step] = (middles[first] + middles[second]) / 2
        levels[n + step] = height
    return corners
