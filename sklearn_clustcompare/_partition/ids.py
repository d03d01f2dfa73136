"""Partitions of different sets of objects, brought together on the objects they share."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._partition.labels import as_objects, encode
from sklearn_clustcompare._partition.validation import as_label_array, check_same_length


@dataclass(frozen=True, eq=False)
class AlignedPartitions:
    """Two partitions on the objects they share; made by :func:`align_partitions`.

    All parameters are attributes of the same names, which cannot be set; ``labels`` has both
    partitions as a tuple, to pass on.

    Parameters
    ----------
    labels_true : ndarray of shape (n_common,)
        Labels of the common objects in the reference, in the order of the reference.
    labels_pred : ndarray of shape (n_common,)
        Labels of the same objects in the candidate, in the same order.
    ids : ndarray of shape (n_common,)
        What identifies these objects.
    coverage : float
        Common objects as a share in (0, 1] of the objects that occur in either partition.

    See Also
    --------
    align_partitions : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare import align_partitions
    >>> aligned = align_partitions(
    ...     [0, 0, 1], ["x", "y", "y"], ids_true=[11, 12, 13], ids_pred=[13, 12, 11]
    ... )
    >>> aligned.ids
    array([11, 12, 13])
    >>> aligned.labels_pred
    array(['y', 'y', 'x'], dtype=object)
    """

    labels_true: NDArray[Any]
    labels_pred: NDArray[Any]
    ids: NDArray[Any]
    coverage: float

    @property
    def labels(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Both partitions, to be passed on: ``adjusted_rand_score(*aligned.labels)``."""
        return self.labels_true, self.labels_pred


def align_partitions(
    labels_true: Any, labels_pred: Any, *, ids_true: Any = None, ids_pred: Any = None
) -> AlignedPartitions:
    """Bring two partitions of different sets of objects together on their common objects.

    Functions of this package compare labels by position, as scikit-learn does, whatever index
    a Series has. Align first where objects are missing or ordered otherwise, then compare:
    ``adjusted_rand_score(*align_partitions(first, second).labels)``.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_true,) and (n_pred,)
        Labels of any hashable kind; pandas Series, if no ids are given.
    ids_true, ids_pred : array-like of shape (n_true,) and (n_pred,), default=None
        What identifies the objects: integers, strings, dates or any hashable objects. None
        takes the index of the Series.

    Returns
    -------
    AlignedPartitions
        With ``labels_true``, ``labels_pred``, ``ids`` and ``coverage``, the number of common
        objects divided by the number of objects that occur in either partition.

    Raises
    ------
    ValueError
        If an id occurs twice in a partition, which names it, if there are not as many ids as
        labels, or if no object is common.
    TypeError
        If labels without ids are no pandas Series.

    Warns
    -----
    UserWarning
        If the coverage is below 100 %.

    See Also
    --------
    ContingencyTable.from_labels : Counts the aligned labels.

    Examples
    --------
    >>> from sklearn_clustcompare import adjusted_rand_score
    >>> from sklearn_clustcompare import align_partitions
    >>> aligned = align_partitions(
    ...     [0, 0, 1, 1], ["x", "y", "y", "x"], ids_true=list("abcd"), ids_pred=list("dcba")
    ... )
    >>> aligned.labels_pred
    array(['x', 'y', 'y', 'x'], dtype=object)
    >>> aligned.coverage
    1.0
    >>> adjusted_rand_score(*aligned.labels)
    -0.5
    """
    aligned = align_all(
        [
            _identified(labels_true, ids_true, ("labels_true", "ids_true")),
            _identified(labels_pred, ids_pred, ("labels_pred", "ids_pred")),
        ]
    )
    _warn_of_others(aligned, "labels_true and labels_pred")
    first, second = aligned.labels
    return AlignedPartitions(first, second, aligned.ids, aligned.coverage)


class Identified(NamedTuple):
    """Labels of one partition and the ids of its objects, each of which occurs once."""

    labels: NDArray[Any]
    ids: NDArray[Any]


class Aligned(NamedTuple):
    """Labels of several partitions on their common objects."""

    labels: list[NDArray[Any]]
    ids: NDArray[Any]
    n_objects: int

    @property
    def coverage(self) -> float:
        """Common objects as a share of the objects that occur in any of the partitions."""
        return len(self.ids) / self.n_objects


def align_series(partitions: Mapping[str, Any]) -> Aligned:
    """Align pandas Series by their index on the objects that all of them have.

    ``partitions`` are given by the names that messages call them. Warns below full coverage.
    """
    aligned = align_all([_identified(each, None, (name, "")) for name, each in partitions.items()])
    _warn_of_others(aligned, f"all {len(partitions)} partitions")
    return aligned


def align_all(partitions: Sequence[Identified]) -> Aligned:
    """Align partitions on the objects that all of them have, in the order of the first."""
    together = encode(_joined([each.ids for each in partitions]), "ids")
    objects, numbers = np.unique(together.zero_based(), return_inverse=True)
    ends = np.cumsum([len(each.ids) for each in partitions])
    sides = np.split(numbers, ends[:-1])
    is_common = np.bincount(numbers, minlength=len(objects)) == len(partitions)
    order = sides[0][is_common[sides[0]]]
    if len(order) == 0:
        msg = "partitions must have an object in common, got none"
        raise ValueError(msg)
    position = np.empty(len(objects), np.intp)
    labels = []
    for each, side in zip(partitions, sides, strict=True):
        position[side] = np.arange(len(side))
        labels.append(each.labels[position[order]])
    ids = partitions[0].ids[is_common[sides[0]]]
    return Aligned(labels, ids, len(objects))


def _identified(labels: Any, ids: Any, names: tuple[str, str]) -> Identified:
    ids_name = names[1]
    if ids is None:
        ids_name = f"index of {names[0]}"
        ids = getattr(labels, "index", None)
        if ids is None or callable(ids):  # lists and tuples have a method of that name
            msg = (
                f"{names[0]} must be a pandas Series where no ids are given, "
                f"got {type(labels).__name__}"
            )
            raise TypeError(msg)
    label_array, id_array = as_label_array(labels, names[0]), as_label_array(ids, ids_name)
    check_same_length(label_array, id_array, (names[0], ids_name))
    codes = encode(id_array, ids_name).zero_based()
    order = np.argsort(codes, kind="stable")
    repeated = np.flatnonzero(np.diff(codes[order]) == 0)
    if len(repeated):
        first, second = order[repeated[0] : repeated[0] + 2].tolist()
        msg = (
            f"{ids_name} must name each object once, got {id_array[first]!r} "
            f"at positions {first} and {second}"
        )
        raise ValueError(msg)
    return Identified(label_array, id_array)


def _joined(arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
    kinds = {array.dtype.kind for array in arrays}
    if len(kinds) == 1 and kinds != {"O"}:
        return np.concatenate(arrays)
    # Kept as they are, as NumPy would write numbers among strings as strings.
    return np.concatenate([as_objects(array) for array in arrays])


def _warn_of_others(aligned: Aligned, names: str) -> None:
    n_common = len(aligned.ids)
    if n_common < aligned.n_objects:
        warnings.warn(
            f"coverage is {aligned.coverage:.1%}: {n_common} of {aligned.n_objects} objects are in "
            f"{names}, the others are left out",
            UserWarning,
            stacklevel=3,
        )
