"""Names of found clusters, by the classes that most of their objects belong to."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from sklearn_clustcompare._rendering import form_of
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices._judged import Given, compares

# A class names a cluster if it holds at least this share of its objects. Of other clusters the
# largest classes are named, at most three.
_HALF = 0.5
_MOST_CLASSES = 3


@compares("labels_true", "labels_pred", "data", "sample_weight")
def cluster_names(given: Given) -> dict[Any, str]:
    """Name the clusters of a candidate, for tables and pictures.

    A cluster is named after the reference cluster, or class, that at least half of its objects
    belong to. A cluster without such a class is called mixed, with its largest classes.

    Returns
    -------
    dict
        For each label of the candidate, in sorted order, a text: the class, such as "B cells"; for
        the second largest cluster of a class "B cells (2)", and so on; for a mixed cluster
        "mixed: monocytes, dendritic", the largest classes that together hold half of its objects,
        at most three. All texts are different. A class after which no cluster is named is in no
        text without "mixed".

    Raises
    ------
    ValueError
        If lengths differ, or labels or parameters are invalid.

    See Also
    --------
    relabel : The class of each object, for tools of classification.
    match_clusters : Clusters matched one to one.

    Examples
    --------
    >>> from sklearn_clustcompare.report import cluster_names
    >>> cells = ["B", "B", "B", "B", "T", "T", "T", "NK", "NK", "mono"]
    >>> cluster_names(cells, [0, 0, 0, 1, 2, 2, 3, 3, 3, 3])
    {0: 'B', 1: 'B (2)', 2: 'T', 3: 'NK'}
    >>> cluster_names(cells, [0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
    {0: 'B', 1: 'T'}
    >>> cluster_names(["B", "B", "T", "T", "NK"], [7, 7, 7, 7, 7])
    {7: 'mixed: B, T'}
    """
    table = given.table()
    return dict(zip(table.col_labels.tolist(), names_by_majority(table), strict=True))


def names_by_majority(table: ContingencyTable) -> list[str]:
    """Return the name of each cluster of the candidate, all of them different."""
    if not len(table.col_sums):
        return []
    form = form_of(table.row_labels.tolist())
    classes = [" ".join(form(label).split()) for label in table.row_labels.tolist()]
    order = np.lexsort((table.cell_rows, -table.cell_counts, table.cell_cols))
    ends = np.cumsum(np.bincount(table.cell_cols, minlength=table.shape[1]))[:-1]
    names = [
        _name(classes, table.cell_rows[cells], table.cell_counts[cells])
        for cells in np.split(order, ends)
    ]
    times = Counter[str]()
    for cluster in np.argsort(-table.col_sums, kind="stable").tolist():
        name = names[cluster]
        times[name] += 1
        while times[name] > 1 and f"{name} ({times[name]})" in (*names, *classes):
            times[name] += 1
        if times[name] > 1:
            names[cluster] = f"{name} ({times[name]})"
    return names


def unnamed_classes(table: ContingencyTable) -> list[str]:
    """Return the classes that hold half of no cluster."""
    named = table.cell_rows[table.cell_counts >= _HALF * table.col_sums[table.cell_cols]]
    form = form_of(table.row_labels.tolist())
    return [
        form(label)
        for row, label in enumerate(table.row_labels.tolist())
        if row not in set(named.tolist())
    ]


def _name(classes: list[str], rows: Any, counts: Any) -> str:
    """Name a cluster by its classes, the largest first."""
    shares = np.cumsum(counts) / counts.sum()
    if shares[0] >= _HALF:
        return classes[rows[0]]
    n_needed = min(int(np.argmax(shares >= _HALF)) + 1, _MOST_CLASSES)
    return f"mixed: {', '.join(classes[row] for row in rows[:n_needed])}"
