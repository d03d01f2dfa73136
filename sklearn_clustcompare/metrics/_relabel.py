"""Clusters of a candidate named after those of the reference."""

from __future__ import annotations

import itertools
import numbers
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._partition import NAMES, read_labels
from sklearn_clustcompare._partition.columns import in_columns
from sklearn_clustcompare._partition.options import PartitionLike, TableLike
from sklearn_clustcompare._table import count
from sklearn_clustcompare.metrics._matching import check_matching, matched_cells


def relabel(
    labels_true: PartitionLike,
    labels_pred: PartitionLike,
    *,
    data: TableLike = None,
    method: str = "optimal",
) -> NDArray[Any]:
    """Name the clusters of a candidate after the reference clusters that they match.

    The names of clusters are arbitrary, so tools for classification, such as
    :func:`sklearn.metrics.classification_report` and :func:`sklearn.metrics.confusion_matrix`,
    cannot evaluate a clustering. Pass ``labels_true`` and the relabeled candidate to these tools.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,)
        :term:`Labels` of the :term:`reference`.
    labels_pred : array-like of shape (n_samples,)
        Labels of the :term:`candidate`.
    data : DataFrame, mapping or object with ``obs``, default=None
        Table of which the other arguments name columns instead of being arrays: a frame of any
        package, a mapping such as a dict of arrays, or an object with such a table as ``obs``.
    method : {"optimal", "greedy", "majority"}, default="optimal"
        "optimal" and "greedy" match the clusters one to one as :func:`match_clusters` does.
        "majority" gives each cluster the label that most of its objects have in the reference;
        several clusters may share it.

    Returns
    -------
    ndarray of shape (n_samples,)
        The candidate with new names: a matched cluster has the label of its reference cluster.
        Unmatched clusters, which occur if the candidate has more clusters or if clusters share no
        object, have names that no reference cluster has: numbers above the largest label if the
        labels of the reference are numbers, else text such as "unmatched 7".

    Raises
    ------
    ValueError
        If lengths differ, labels are missing or ``method`` is not one of its options; or if
        there is no number above the largest label that its type can hold.
    TypeError
        If labels are not hashable.

    See Also
    --------
    match_clusters : The matching itself.
    matching_accuracy_score : Share of the objects in matched clusters: the accuracy of the result.

    Notes
    -----
    By default clusters are matched one to one so that the matched ones share the most objects. If
    several matchings tie, the result is one of them, which does not depend on the order of the
    objects; by majority, it is the first label in sorted order.

    Use "majority" where the candidate has more clusters than the reference and a class may have
    several, such as cell types. The accuracy of the result is then :func:`purity_score`, which many
    clusters raise.

    References
    ----------
    .. [1] H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics
       Quarterly 2, 1955, :doi:`10.1002/nav.3800020109`

    Examples
    --------
    >>> from sklearn.metrics import confusion_matrix
    >>> from sklearn_clustcompare import relabel
    >>> animals = ["cat", "cat", "cat", "dog", "dog", "cow"]
    >>> named = relabel(animals, [2, 2, 1, 1, 1, 0])
    >>> named.tolist()
    ['cat', 'cat', 'dog', 'dog', 'dog', 'cow']
    >>> confusion_matrix(animals, named, labels=["cat", "cow", "dog"])
    array([[2, 0, 1],
           [0, 1, 0],
           [0, 0, 2]])
    >>> relabel([0, 0, 1, 1], list("abcc"))
    array([0, 2, 1, 1])
    >>> relabel([0, 0, 1, 1], list("abcc"), method="majority")
    array([0, 0, 1, 1])
    """
    labels_true, labels_pred = in_columns(data, labels_true=labels_true, labels_pred=labels_pred)
    check_matching("method", method)
    true = read_labels(labels_true, NAMES[0])
    pred, _ = read_labels(labels_pred, NAMES[1]).compact()
    table = count(true, pred)
    known, found = table.row_labels.tolist(), table.col_labels.tolist()
    matched = matched_cells(table, method, of_pred=True)
    rows, cols = table.cell_rows[matched].tolist(), table.cell_cols[matched].tolist()
    names = dict(zip(cols, map(known.__getitem__, rows), strict=True))
    unmatched = [col for col in range(len(found)) if col not in names]
    names.update(zip(unmatched, _new_names([found[col] for col in unmatched], known), strict=False))
    return _array([names[col] for col in range(len(found))], table.row_labels.dtype)[pred.codes]


def _new_names(labels: list[Any], known: list[Any]) -> Iterator[Any]:
    """Name unmatched clusters by names that no reference cluster has."""
    if all(isinstance(label, numbers.Real) for label in known):
        yield from itertools.count(int(max(known, default=-1)) + 1)
    taken = set(known)
    for label in labels:
        name = f"unmatched {label}"
        while name in taken:
            name += "'"
        taken.add(name)
        yield name


def _array(names: list[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return names as an array of the kind of the labels of the reference."""
    if dtype.kind in "iuf":
        try:
            return np.array(names, dtype)
        except OverflowError:
            msg = (
                f"labels_true must leave numbers of type {dtype} above its largest label for "
                f"clusters without a match, got labels that need {max(names)}"
            )
            raise ValueError(msg) from None
    if dtype.kind in "bU":
        return np.array(names, int if dtype.kind == "b" else str)
    array = np.empty(len(names), object)
    array[:] = names
    return array
