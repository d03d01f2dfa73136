"""An order of the cells of an ensemble that does not depend on the order of the objects.

Cells are distinguished by their sizes and by the cells that share classes with them, again and
again until nothing changes (color refinement). Names of clusters do not matter. Cells that are
still equal are interchangeable in nearly all ensembles; they stay in the order in which they
appear.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._array_types import Positions
from sklearn_clustcompare.consensus._ensemble import Ensemble

Hashes = NDArray[np.uint64]


def in_canonical_order(ensemble: Ensemble) -> Ensemble:
    """Return the ensemble with its cells in that order."""
    order = np.argsort(_colors(ensemble), kind="stable")
    position = np.argsort(order)
    members = []
    for member in ensemble.members:
        cells = position[member.cells]
        members.append(member.take(np.argsort(cells), np.sort(cells)))
    cell_of = ensemble.to_objects(position, -1)
    return ensemble._replace(members=members, sizes=ensemble.sizes[order], cell_of=cell_of)


def _colors(ensemble: Ensemble) -> Positions:
    """Number the cells, equal numbers for cells that look the same."""
    classes = []
    colors = _mixed(ensemble.sizes.astype(np.uint64))
    for member in ensemble.members:
        if member.codes is None:  # equal memberships, whatever the names of the clusters
            by_size = np.sort(member.shares, axis=1)
            kinds = np.unique(by_size, axis=0, return_inverse=True)[1].ravel()
            colors[member.cells] = _mixed(colors[member.cells] + kinds.astype(np.uint64))
        classes.append((member.cells, member.kinds))
    n_colors = 0
    while True:
        numbers = np.unique(colors, return_inverse=True)[1]
        if numbers.max(initial=-1) < n_colors:
            return numbers
        n_colors = int(numbers.max()) + 1
        hashes = colors = _mixed(numbers.astype(np.uint64))
        for cells, codes in classes:
            of_class = np.zeros(int(codes.max(initial=-1)) + 1, np.uint64)
            np.add.at(of_class, codes, hashes[cells])
            seen = np.zeros(len(hashes), np.uint64)
            seen[cells] = _mixed(of_class)[codes]
            colors = _mixed(colors + seen)


def _mixed(values: Hashes) -> Hashes:
    """Return pseudo-random numbers that depend on the values (SplitMix64)."""
    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
