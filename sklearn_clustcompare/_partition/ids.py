"""Alignment of partitions of different sets of objects on their common objects."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare._partition.forms import is_data_array
from sklearn_clustcompare._partition.labels import as_objects, encode, joined
from sklearn_clustcompare._partition.options import PartitionLike
from sklearn_clustcompare._partition.validation import as_label_array, check_same_length
from sklearn_clustcompare._rendering import Shown, Table, decimal, result_record, table_of

_ALIGN = "; compare those that both have with align_partitions"
# Objects that a message names.
_N_SHOWN = 5

_known_unmatched = one_of("drop", "singleton")


@dataclass(frozen=True, repr=False)
class _Unmatched:
    """The label of an object in the partition that does not have it: a cluster of its own."""

    id: Any

    def __repr__(self) -> str:
        return f"<unmatched {self.id!r}>"


@result_record
@dataclass(frozen=True, eq=False, repr=False)
class AlignedPartitions(Shown):
    """Two partitions of the same objects; made by :func:`align_partitions`.

    Printed, and as HTML in a notebook, it shows a row for each object. All parameters are
    attributes of the same names, which cannot be set; ``labels`` has both partitions as a tuple, to
    pass on.

    Parameters
    ----------
    labels_true : ndarray of shape (n_objects,)
        Labels of the objects in the reference: of the common ones, in the order of the reference,
        or with ``unmatched="singleton"`` of all objects, with those of the candidate only at the
        end.
    labels_pred : ndarray of shape (n_objects,)
        Labels of the same objects in the candidate, in the same order.
    ids : ndarray of shape (n_objects,)
        Ids of these objects.
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
        """Both partitions, to pass on: ``adjusted_rand_score(*aligned.labels)``."""
        return self.labels_true, self.labels_pred

    def _headline(self) -> str:
        return f"AlignedPartitions: {len(self.ids)} objects, coverage {decimal(self.coverage)}"

    def _shown(self) -> Table:
        columns = {
            "id": self.ids,
            "labels_true": self.labels_true,
            "labels_pred": self.labels_pred,
        }
        return table_of(columns, names=columns.keys())


def align_partitions(
    labels_true: PartitionLike,
    labels_pred: PartitionLike,
    *,
    ids_true: Any = None,
    ids_pred: Any = None,
    unmatched: str = "drop",
) -> AlignedPartitions:
    """Align two partitions of different sets of objects by ids of the objects.

    Functions of this package compare labels by position, as scikit-learn does, and raise an error
    for two Series whose indexes show that positions belong to different objects. If objects are
    missing or in another order, align first, then compare:
    ``adjusted_rand_score(*align_partitions(first, second).labels)``.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_true,) and (n_pred,), or dict
        Labels of any hashable kind; if no ids are given, pandas Series, or dicts, whose keys are
        the ids.
    ids_true, ids_pred : array-like of shape (n_true,) and (n_pred,), default=None
        Ids of the objects: integers, strings, dates or any hashable objects. None takes the index
        of the Series.
    unmatched : {"drop", "singleton"}, default="drop"
        How to treat objects of one partition only: leave them out, or make each a cluster of its
        own in the other partition, with a label such as ``<unmatched 'ann'>``. The latter counts
        missing and additional objects as errors; with it, the variation of information is no
        metric (see Notes).

    Returns
    -------
    AlignedPartitions
        With ``labels_true``, ``labels_pred``, ``ids`` and ``coverage``, the number of common
        objects divided by the number of objects that occur in either partition.

    Raises
    ------
    ValueError
        If an id occurs twice in a partition (the message names it), if there are not as many ids as
        labels, if no object is common, or if ``unmatched`` is not one of its options.
    TypeError
        If labels without ids are neither dicts nor pandas Series.

    Warns
    -----
    UserWarning
        If objects are left out.

    See Also
    --------
    ContingencyTable.from_labels : Counts the aligned labels.
    partial_partition_distance : A metric on partitions of different objects.

    Notes
    -----
    With ``unmatched="singleton"`` the variation of information is no metric, since it is divided by
    the number of objects that either partition has, which differs from pair to pair. From {a: 0} to
    {a: 0, b: 1} it is 0 although they differ, from there to {a: 0, c: 0} it is (2/3) log 2, and
    directly it is log 2, which is more. Use :func:`partial_partition_distance`.

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
    >>> aligned = align_partitions(
    ...     [0, 0, 1], [7, 7], ids_true=[1, 2, 3], ids_pred=[3, 4], unmatched="singleton"
    ... )
    >>> aligned.ids, round(aligned.coverage, 2)
    (array([1, 2, 3, 4]), 0.25)
    >>> aligned.labels_pred.tolist()
    [<unmatched 1>, <unmatched 2>, 7, 7]
    """
    _known_unmatched("unmatched", unmatched)
    first = _identified(labels_true, ids_true, ("labels_true", "ids_true"))
    second = _identified(labels_pred, ids_pred, ("labels_pred", "ids_pred"))
    common = common_objects(first.ids, second.ids, ("labels_true", "labels_pred"))
    if unmatched == "singleton":
        return _with_singletons(first, second, common)
    common.warn("labels_true and labels_pred")
    return AlignedPartitions(
        first.labels[common.first],
        second.labels[common.second],
        first.ids[common.first],
        common.coverage,
    )


def _with_singletons(
    first: _Identified, second: _Identified, common: CommonObjects
) -> AlignedPartitions:
    """Give objects of one partition only their own clusters in the other."""
    is_new = np.ones(len(second.ids), bool)
    is_new[common.second] = False
    ids = joined(first.ids, second.ids[is_new])
    sides = np.array([[_Unmatched(one) for one in as_objects(ids).tolist()]] * 2, object)
    sides[0, : len(first.ids)] = as_objects(first.labels)
    sides[1, common.first] = as_objects(second.labels[common.second])
    sides[1, len(first.ids) :] = as_objects(second.labels[is_new])
    return AlignedPartitions(sides[0], sides[1], ids, common.coverage)


# --------------------------------------------------------------------------- the rule


class ObjectNames:
    """What a partition calls its objects: keys of a dict, or members of sets.

    If they have an order (``is_ordered``), they may be compared in it with an array. The objects of
    sets have none; they are sorted if they can be. Numbers from 0 without a gap are positions.
    """

    def __init__(self, values: NDArray[Any], *, is_ordered: bool = True) -> None:
        self.values = values
        self.is_ordered = is_ordered

    @classmethod
    def of_keys(cls, keys: Any, name: str) -> ObjectNames:
        """Return the keys of a dict, whose order means nothing if they are positions."""
        names = cls(read_ids(list(keys), f"keys of {name}"))
        names.is_ordered = not are_positions(names)
        return names

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.values.dtype

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]:
        return self.values

    def to_numpy(self) -> NDArray[Any]:
        return self.values

    def equals(self, other: Any) -> bool:
        return len(self) == len(other) and self.values.tolist() == np.asarray(other).tolist()


def index_of(values: Any) -> Any:
    """Return the index of a pandas Series or DataFrame, or of a DataArray; None for others."""
    if type(values) is np.ndarray:
        return None
    if is_data_array(values):
        return values.indexes.get(values.dims[0]) if values.ndim else None
    index = getattr(values, "index", None)
    return index if hasattr(index, "equals") else None


def order_of(first: Any, second: Any, names: tuple[str, str]) -> NDArray[np.intp] | None:
    """Return where the objects of an index are in another, or None for a comparison by position.

    Names of objects that a partition consists of, such as the keys of a dict, are brought together;
    two indexes of pandas are not. Numbers from 0 without a gap are positions in an array. Raises
    ValueError if the objects differ.
    """
    for one, other, name, others in ((first, second, *names), (second, first, *names[::-1])):
        if not isinstance(one, ObjectNames) or one.is_ordered or other is not None:
            continue
        if not are_positions(one):
            msg = (
                f"{others} must name its objects, as a dict or a Series does, since {name} are "
                "sets, which have no order"
            )
            raise ValueError(msg)
        order = one.values if one is first else np.argsort(one.values)
        return None if np.array_equal(order, np.arange(len(one))) else order.astype(np.intp)
    are_names = isinstance(first, ObjectNames) or isinstance(second, ObjectNames)
    if first is None or second is None or not are_names:
        check_same_objects(first, second, names)
        return None
    ours, theirs = map(read_ids, (first, second), [f"objects of {name}" for name in names])
    return matching_order(ours, theirs, names, _ALIGN)


def matching_order(
    first: NDArray[Any], second: NDArray[Any], names: tuple[str, str], advice: str = ""
) -> NDArray[np.intp] | None:
    """Return where the objects of one list are in another, or None if the order is the same.

    Raises ValueError unless both name the same objects, each of them once.
    """
    ours, theirs = number_objects([first, second])
    if np.array_equal(ours, theirs):
        return None
    position = np.full(max(ours.max(initial=-1), theirs.max(initial=-1)) + 1, -1)
    position[theirs] = np.arange(len(theirs))
    order = position[ours]
    lacks = bool((order < 0).any())
    if lacks or len(ours) != len(theirs):
        only = first[order < 0] if lacks else second[~np.isin(theirs, ours)]
        msg = (
            f"{names[0]} and {names[1]} must have the same objects, got {_few(only)} in "
            f"{names[0 if lacks else 1]} only{advice}"
        )
        raise ValueError(msg)
    return order


def check_other_objects(first: Any, second: Any, names: tuple[str, str]) -> None:
    """Raise ValueError for two indexes of different lengths, unless they only count the objects."""
    if first is None or second is None or (_is_default(first) and _is_default(second)):
        return
    ours, theirs = map(read_ids, (first, second), [f"objects of {name}" for name in names])
    lengths = f"; they must have the same length, got {len(ours)} and {len(theirs)}"
    matching_order(ours, theirs, names, lengths + _ALIGN)


def _few(ids: NDArray[Any]) -> str:
    shown = ", ".join(map(shortened, ids[:_N_SHOWN].tolist()))
    return f"{shown}, ... ({len(ids)})" if len(ids) > _N_SHOWN else shown


def check_same_objects(first: Any, second: Any, names: tuple[str, str]) -> None:
    """Raise ValueError if two indexes, or None, contradict a comparison by position.

    Equal indexes are compared by position. So is a default index, 0 to n - 1, with one that is not
    a reordering of it, such as a copy of some rows with a new Series. Any other difference would
    silently compare the wrong objects.
    """
    if first is None or second is None or first.equals(second):
        return
    if len(first) == len(second) and (
        (_is_default(first) and not are_positions(second))
        or (_is_default(second) and not are_positions(first))
    ):
        return
    what = "hold the same objects in the same order" if len(first) == len(second) else "match"
    msg = (
        f"{names[0]} and {names[1]} must have the same index, got indexes that do not {what}: "
        "bring them together by their index with align_partitions (or align=True, where many are "
        "compared), or compare them by position with .to_numpy()"
    )
    raise ValueError(msg)


def _is_default(index: Any) -> bool:
    if type(index).__name__ == "RangeIndex":
        return bool(index.start == 0 and index.step == 1)
    return bool(
        index.dtype.kind in "iu" and np.array_equal(index.to_numpy(), np.arange(len(index)))
    )


def are_positions(index: Any) -> bool:
    """Return whether an index is 0 to n - 1 in any order."""
    return bool(
        getattr(index.dtype, "kind", "O") in "iu"
        and np.array_equal(np.sort(index.to_numpy()), np.arange(len(index)))
    )


# --------------------------------------------------------------------------- alignment


class CommonObjects(NamedTuple):
    """Positions of the common objects in two partitions, in the order of the first."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    n_objects: int

    @property
    def coverage(self) -> float:
        """Common objects as a share of the objects that occur in either partition."""
        return len(self.first) / self.n_objects

    def warn(self, names: str) -> None:
        """Warn about objects that are left out."""
        n_common = len(self.first)
        if n_common < self.n_objects:
            warnings.warn(
                f"coverage is {self.coverage:.1%}: {n_common} of {self.n_objects} objects are in "
                f"{names}, the others are left out",
                UserWarning,
                stacklevel=3,
            )


def common_objects(first: Any, second: Any, names: tuple[str, str]) -> CommonObjects:
    """Find the objects that two lists of ids share; each id occurs once in a list."""
    together, _ = encode(joined(np.asarray(first), np.asarray(second)), "ids").compact()
    codes, n_first = together.codes, len(first)
    position = np.full(together.n_codes, -1, np.intp)
    position[codes[n_first:]] = np.arange(len(codes) - n_first)
    found = position[codes[:n_first]]
    common = np.flatnonzero(found >= 0)
    if len(common) == 0:
        msg = f"{names[0]} and {names[1]} must have an object in common, got none"
        raise ValueError(msg)
    n_objects = len(codes) - len(common)
    return CommonObjects(common, found[common], n_objects)


def number_objects(ids: Sequence[NDArray[Any]]) -> list[NDArray[np.int64]]:
    """Number the objects of several partitions by their ids; equal ids get equal numbers."""
    together = functools.reduce(joined, ids) if ids else np.zeros(0, np.int64)
    codes = encode(together, "ids").compact()[0].codes
    return np.split(codes, np.cumsum([len(one) for one in ids])[:-1])


def read_ids(values: Any, name: str) -> NDArray[Any]:
    """Return what identifies objects as a new array; raise ValueError if an id occurs twice."""
    ids = as_label_array(values, name).copy()
    codes = encode(ids, name).zero_based()
    order = np.argsort(codes, kind="stable")
    repeated = np.flatnonzero(np.diff(codes[order]) == 0)
    if len(repeated):
        first, second = order[repeated[0] : repeated[0] + 2].tolist()
        msg = (
            f"{name} must name each object once, got {shortened(ids[[first]].tolist()[0])} "
            f"at positions {first} and {second}"
        )
        raise ValueError(msg)
    return ids


def ids_of(index: Any, name: str) -> NDArray[Any]:
    """Return the index of a partition as an array of ids, of which each occurs once."""
    if index is None:
        msg = (
            f"{name} must be a dict, a pandas Series or a DataFrame of memberships to be aligned, "
            "or come with the ids of its objects where a function takes them"
        )
        raise TypeError(msg)
    return read_ids(index, f"index of {name}")


class _Identified(NamedTuple):
    """Labels of one partition and the ids of its objects, each of which occurs once."""

    labels: NDArray[Any]
    ids: NDArray[Any]


def _identified(labels: PartitionLike, ids: Any, names: tuple[str, str]) -> _Identified:
    if isinstance(labels, Mapping):
        ids = list(labels) if ids is None else ids
        labels = list(labels.values())
    if ids is None and index_of(labels) is None:
        msg = (
            f"{names[0]} must be a dict or a pandas Series where no ids are given, "
            f"got {type(labels).__name__}"
        )
        raise TypeError(msg)
    ids_name = f"index of {names[0]}" if ids is None else names[1]
    label_array = as_label_array(labels, names[0])
    id_array = read_ids(index_of(labels) if ids is None else ids, ids_name)
    check_same_length(len(label_array), len(id_array), (names[0], ids_name))
    return _Identified(label_array, id_array)
