"""Partitions from arguments: columns of a table, named objects, one partition, several."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare._array_types import Array
from sklearn_clustcompare._options import did_you_mean, shortened, warn_caller
from sklearn_clustcompare._partition.arrays import (
    DEFAULT,
    Reading,
    advice,
    as_numbers,
    as_sample_weight,
    check_same_length,
    is_on_device,
    plain,
    to_host,
)
from sklearn_clustcompare._partition.covers import Cover, refuse_if_no_partition, vertices
from sklearn_clustcompare._partition.labels import (
    Labels,
    ObjectNames,
    check_other_objects,
    common_objects,
    encode,
    encode_with_missing,
    ids_of,
    index_of,
    order_of,
    read_ids,
    with_singletons,
)
from sklearn_clustcompare._partition.memberships import (
    Memberships,
    Partition,
    as_memberships,
    check_no_labels,
    column_names,
    is_membership_array,
    transposed_hint,
)

# What pandas, NumPy, Polars, Arrow and torch call types whose values are no labels.
_NO_LABELS = re.compile(
    r"(\w+\.)*((half)?float|double|decimal|complex|date|time|duration|period|interval|list|struct|array\b)",
    re.IGNORECASE,
)
# What pandas and Polars call a column without a name: the index that was written to a file.
_UNNAMED = re.compile(r"(Unnamed: \d+.*)?")
_N_SHOWN = 5
# Objects among which most partitions already have two that are together.
_N_FIRST = 1000


class _Table(NamedTuple):
    """Names of columns, and what returns the column of a name."""

    names: list[Any]
    read: Callable[[Any], Any]

    def has(self, value: Any) -> bool:
        return isinstance(value, Hashable) and value in self.names

    def column(self, name: Any, argument: str) -> Any:
        """Return the only column of a name."""
        if (n_columns := self.names.count(name)) > 1:
            msg = (
                f"{argument} must name one column of data, got {shortened(name)}, the name of "
                f"{n_columns} of its columns"
            )
            raise ValueError(msg)
        return self.read(name)

    def named(self, value: Any, argument: str) -> Any:
        """Return the column of this name; anything but a name unchanged."""
        if self.has(value):
            return self.column(value, argument)
        if value is None or not np.isscalar(value):
            return value
        names = {str(name): name for name in self.names}
        known = ", ".join(map(shortened, self.names[:_N_SHOWN])) or "none"
        hint = did_you_mean(str(value), names) or f"; the first columns are {known}"
        msg = f"{argument} must name a column of data, got {shortened(value)}{hint}"
        raise ValueError(msg)

    def labels_but(self, used: Iterable[Any], argument: str) -> dict[Any, Any]:
        """Return all columns of labels but ids and those that are used otherwise."""
        used = [one for one in used if isinstance(one, Hashable)]
        columns = {name: self.column(name, argument) for name in self.names if name not in used}
        labels = [(name, values) for name, values in columns.items() if _has_labels(values)]
        return dict(without_ids(labels, argument))


def without_ids(
    columns: Iterable[tuple[Any, Any]], argument: str, *, singletons: bool = False
) -> list[tuple[Any, Any]]:
    """Leave out columns that identify objects, with a warning.

    These have no name, or a value for each object, unless partitions may be ``singletons``.
    Columns that are named one by one are not judged.
    """
    found, left_out = [], []
    for name, values in columns:
        has_no_name = isinstance(name, str) and _UNNAMED.fullmatch(name)
        if has_no_name or (not singletons and _are_all_different(values)):
            left_out.append(name)
        else:
            found.append((name, values))
    if left_out:
        msg = (
            f"{argument}: columns without a name or with a different value for each object are "
            f"ids and no partitions: {', '.join(map(shortened, left_out))}; pass a dict of columns "
            "to take those that you name"
        )
        if not found:
            msg += "; got no other columns"
            raise ValueError(msg)
        warn_caller(f"{msg}; they are left out")
    return found


def _are_all_different(values: Any) -> bool:
    values = plain(values)
    # Text and categories take time as arrays. The head of a series of dask is of one part.
    is_quick = hasattr(values, "head") and not hasattr(values, "dask")
    first = values.head(_N_FIRST) if is_quick else np.asarray(values)[:_N_FIRST]
    return all(_n_distinct(np.asarray(part)) == len(part) > 1 for part in (first, values))


def _n_distinct(array: Array) -> int:
    try:
        return len(np.unique(array)) if array.dtype.kind in "biufmM" else len({*array.tolist()})
    except TypeError:  # no labels, which are refused later
        return 0


def in_columns(data: Any, **arguments: Any) -> list[Any]:
    """Return arguments with columns of a table instead of their names.

    Without a table they are returned unchanged, as are arrays and None. Public functions document
    the table by the text below.

    Parameters
    ----------
    data : DataFrame, mapping or object with ``obs``, default=None
        Table of which the other arguments name columns instead of being arrays: a frame of any
        package, a mapping such as a dict of arrays, or an object with such a table as ``obs``.
    """
    if data is None:
        return [*arguments.values()]
    table = _table_of(data)
    return [table.named(value, argument) for argument, value in arguments.items()]


def several_in_columns(data: Any, given: Any, argument: str, used: Iterable[Any] = ()) -> Any:
    """Return several partitions, the columns of a table by their names.

    None stands for all columns of labels but those that are ``used`` by other arguments.
    """
    if data is None:
        if isinstance(given, str):
            msg = f"{argument} must be several partitions, got str{advice(given)}"
            raise TypeError(msg)
        return given
    table = _table_of(data)
    if given is None:
        found = table.labels_but(used, argument)
        if not found:
            msg = f"{argument} must be columns of labels in data, which has no others, got None"
            raise ValueError(msg)
        return found
    if isinstance(given, Mapping):
        return {name: table.named(one, f"{argument}[{name!r}]") for name, one in given.items()}
    names = given if isinstance(given, list | tuple) and not table.has(given) else [given]
    if all(np.isscalar(name) or table.has(name) for name in names):
        if twice := [name for name in names if names.count(name) > 1]:
            msg = f"{argument} must name each column of data once, got {shortened(twice[0])} twice"
            raise ValueError(msg)
        return {name: table.named(name, argument) for name in names}
    return given


def _table_of(data: Any) -> _Table:
    names = column_names(data)
    if names is None and hasattr(data, "keys"):
        names = data.keys()
    if names is not None:
        return _Table(list(names), data.__getitem__)
    if hasattr(data, "obs"):
        return _table_of(data.obs)
    hint = "" if isinstance(data, str) else advice(data)
    msg = (
        "data must be a data frame, a mapping of names to columns, or have one of these as obs, "
        f"got {type(data).__name__}{hint}"
    )
    raise TypeError(msg)


def _has_labels(values: Any) -> bool:
    """Return whether a column has a type of labels: no numbers with fractions, and no dates."""
    if getattr(values, "ndim", 1) != 1:
        return False
    kind = getattr(values, "dtype", getattr(values, "type", None))
    return not _NO_LABELS.match(str(np.asarray(values).dtype if kind is None else kind))


_COLLECTIONS = (list, tuple, type(dict[int, int]().values()))


# Partitions that name their objects: dicts, sets of objects, communities, covers without overlap.
#
# None of the packages that make them is imported: they are recognized by their attributes.


def names_objects(values: Any) -> bool:
    """Return whether an argument is a partition that names its objects."""
    if type(values) is np.ndarray:
        return False
    return (
        isinstance(values, Cover)
        or is_dict_of_labels(values)
        or (type(values) is dict and not values)  # no objects
        or _are_sets(values)
        or _is_graph_clustering(values)
        or _has_communities(values)
    )


def is_dict_of_labels(values: Any) -> bool:
    """Return whether a mapping is one of objects to labels, rather than of names to partitions."""
    # Datasets of xarray and sparse matrices of SciPy are mappings as well.
    if not isinstance(values, Mapping) or hasattr(values, "dims") or hasattr(values, "shape"):
        return False
    if not len(values):
        return False
    first = next(iter(values.values()))
    return isinstance(first, str | bytes | tuple | frozenset) or not hasattr(first, "__len__")


def read_named(values: Any, name: str, number: Callable[[Any, str], Labels]) -> Labels:
    """Read a partition that names its objects; ``number`` encodes the labels of a dict."""
    if isinstance(values, Cover):
        return _labels_of_cover(values, name)
    if isinstance(values, Mapping):
        labels = number(list(values.values()), name)
        return labels._replace(ids=ObjectNames.of_keys(values, name))
    if _is_graph_clustering(values):
        return _labels_of_vertices(values, name)
    return _labels_of_sets(values.communities if _has_communities(values) else values, name)


def _are_sets(values: Any) -> bool:
    """Return whether values are sets of objects.

    Frozen sets are hashable, and therefore labels if any two of them share an object.
    """
    if not isinstance(values, _COLLECTIONS) or not len(values):
        return False
    if not all(isinstance(one, Set) for one in values):
        return False
    if all(isinstance(one, frozenset) for one in values):
        return len(frozenset().union(*values)) == sum(map(len, values))
    return True


def _is_graph_clustering(values: Any) -> bool:
    """Return whether values are a clustering of igraph."""
    return hasattr(values, "membership") and hasattr(values, "graph")


def _has_communities(values: Any) -> bool:
    """Return whether values are a clustering of cdlib."""
    return hasattr(values, "communities") and hasattr(values, "graph")


def _labels_of_cover(cover: Cover, name: str) -> Labels:
    if not cover.is_partition:
        refuse_if_no_partition(cover, name)
    ids = None if cover.objects is None else ObjectNames(cover.objects)
    codes = cover.membership.indices.astype(np.int64)
    return Labels.of_codes(codes)._replace(name=name, ids=ids, is_named=False)


def _labels_of_vertices(clustering: Any, name: str) -> Labels:
    codes = list(clustering.membership)
    if any(isinstance(one, list | tuple) for one in codes):
        msg = f"{name} must be a partition, got clusters that overlap: use Cover.from_communities"
        raise ValueError(msg)
    labels, names = encode(codes, name), vertices(clustering.graph)
    has_names = names != list(range(len(names)))
    ids = ObjectNames(read_ids(names, f"vertices of {name}")) if has_names else None
    return labels._replace(ids=ids, is_named=False)


def _labels_of_sets(sets: Any, name: str) -> Labels:
    sets = list(sets)
    members = list(chain.from_iterable(sets))
    known = encode(members, f"objects of {name}").compact()[0]
    codes = np.empty(known.n_codes, np.int64)
    codes[known.codes] = np.repeat(np.arange(len(sets)), [len(one) for one in sets])
    objects = known.labels_of(np.arange(known.n_codes))
    if len(objects) < len(members):
        (twice,) = objects[[np.argmax(np.bincount(known.codes))]].tolist()
        msg = (
            f"{name} must be a partition, got {shortened(twice)} in several of its sets: use "
            "Cover.from_sets for clusters that overlap"
        )
        raise ValueError(msg)
    return Labels.of_codes(codes)._replace(
        name=name, ids=ObjectNames(objects, is_ordered=False), is_named=False
    )


# The names of two partitions as arguments of a public function.
NAMES = ("labels_true", "labels_pred")


# From an argument to a partition: what kind it is, read and checked once.
#
# All input goes through here. A new kind of input has its place in ``read``, or in ``read_labels``
# if it is one of labels.


def names_of(
    names: Any, labels_true: Any = None, labels_pred: Any = None, data: Any = None
) -> tuple[str, str]:
    """Return the names of two partitions: those given, else their own, else of the arguments.

    Their own are those of Series, of columns of ``data``, or of both sides of a table alone. None
    for one of the two stands for its name.
    """
    given = (None, None) if names is None else names
    is_pair = isinstance(given, Sequence | np.ndarray) and not isinstance(given, str | bytes)
    if not is_pair or len(given) != 2:
        msg = (
            f"names must be one for the reference and one for the candidate, got {shortened(names)}"
        )
        raise ValueError(msg)
    if labels_pred is None and hasattr(labels_true, "names"):
        own = labels_true.names
    else:
        own = (own_name(one, data) for one in (labels_true, labels_pred))
    choices = zip(given, own, NAMES, strict=True)
    first, second = (str(next(one for one in each if one is not None)) for each in choices)
    return first, second


def own_name(labels: Any, data: Any = None) -> Any:
    """Return the name of a Series or of a column of ``data``, or None."""
    if data is not None and _table_of(data).has(labels):
        return labels
    # The name of a dask array is a key; a Series of Polars without a name has an empty one.
    if not (hasattr(labels, "index") or hasattr(labels, "to_numpy")):
        return None
    name = getattr(labels, "name", None)
    return None if name == "" else name


def read(
    values: Any, name: str, reading: Reading = DEFAULT, *, may_be_image: bool = True
) -> Partition:
    """Read labels (1-D) or memberships (2-D) that a user passed as the argument ``name``.

    Input that was already read is returned unchanged. Memberships of 0 and 1 are returned as
    labels. Rows of other memberships are checked at their first use. Two-dimensional input that
    cannot be memberships is an image of labels, unless ``may_be_image`` is False.
    """
    if isinstance(values, (Labels, Memberships)):
        return values
    values = plain(values)
    if not holds_memberships(values):
        return read_labels(values, name, reading)
    refuse_if_no_partition(values, name)
    memberships = as_memberships(values, name, reading, index_of(values))
    labels = memberships.as_labels()
    if may_be_image:
        check_no_labels(memberships, is_crisp=labels is not None)
    return labels or memberships


def holds_memberships(values: Any) -> bool:
    """Return whether an argument is memberships: an array of two dimensions, and no sets."""
    values = plain(values)
    return not names_objects(values) and is_membership_array(values)


def read_labels(values: Any, name: str, reading: Reading = DEFAULT) -> Labels:
    """Read labels where memberships are not allowed."""
    if isinstance(values, Labels):
        return values
    number = encode if reading.missing == "error" else encode_with_missing
    values = plain(values)
    if names_objects(values):
        return read_named(values, name, number)
    refuse_if_no_partition(values, name)
    labels, ids = number(values, name), index_of(values)
    # Labels of categories have another name, and only some have an index.
    return labels if ids is None and labels.name == name else labels._replace(name=name, ids=ids)


def read_memberships(values: Any, name: str, reading: Reading = DEFAULT) -> Memberships:
    """Read memberships where labels are not allowed, and keep those of 0 and 1 unchanged."""
    refuse_if_no_partition(values, name)
    values = plain(values)
    return as_memberships(values, name, reading, index_of(values))


def read_pair(
    first: Any,
    second: Any,
    names: tuple[str, str] = NAMES,
    reading: Reading = DEFAULT,
    how: Callable[..., Any] = read,
) -> tuple[Any, Any]:
    """Read two partitions, which must hold the same objects."""
    true = how(first, names[0], reading)
    pred = true if second is first else how(second, names[1], reading)
    true, pred = partners(true, pred, unmatched=reading.unmatched)
    return true, pred


def _matched(sides: Sequence[Partition], unmatched: str) -> list[Partition]:
    """Bring partitions that name their objects to the same ones, in the order of the first.

    Objects that not all of them have are dropped, or are a "singleton" each where they lack.
    """
    for side in sides:
        if side.ids is None:
            msg = (
                f"{side.name} must name its objects for unmatched={unmatched!r}, as a dict, a "
                "Series or sets do, got labels by position"
            )
            raise ValueError(msg)
        if unmatched == "singleton" and not isinstance(side, Labels):
            msg = f"{side.name} must be labels for unmatched='singleton', got memberships"
            raise ValueError(msg)
    ids = [ids_of(side.ids, side.name) for side in sides]
    names = " and ".join(side.name for side in sides)
    common = common_objects(ids, names, unmatched)
    placed = zip(sides, common.places, strict=True)
    if unmatched == "drop":
        common.warn(names)
        n_left_out = common.n_objects - common.n_common
        kept = ObjectNames(common.ids, is_ordered=False, is_part=True, n_left_out=n_left_out)
        return [side.take(place).with_ids(kept) for side, place in placed]
    return [
        with_singletons(side, place, common.ids)
        for side, place in placed
        if isinstance(side, Labels)
    ]


def read_beside(partition: Partition, values: Any, name: str) -> Labels:
    """Read further labels of the objects of a partition, such as groups."""
    return partners(partition, read_labels(values, name))[1]


def partners(first: Partition, *others: Partition, unmatched: str = "error") -> list[Any]:
    """Return partitions of the same objects, in the order of the first.

    Partitions that name their objects are brought to that order; others must have it. Raises
    ValueError if objects differ, by their number or by their index, unless those that not all of
    them have are "drop"ped or a "singleton" each; or if labels are clusters.
    """
    if unmatched != "error":
        return [*_matched((first, *others), unmatched)]
    if others and _are_clusters(first) and any(map(_are_clusters, others)):
        both = " and ".join(dict.fromkeys((first.name, others[0].name)))
        msg = (
            f"{both} must be labels of the objects, got tuples or frozensets that are all "
            "different on both sides: if these are the members of clusters, pass lists of sets, "
            "or make covers by Cover.from_sets if they overlap"
        )
        raise ValueError(msg)
    indexed, n_objects, found = first, first.n_objects, [first]
    for other in others:
        names = indexed.name, other.name
        ids = indexed.ids
        is_part = isinstance(ids, ObjectNames) and ids.is_part and other.ids is not None
        if other.n_objects != n_objects and not is_part:
            check_other_objects(indexed.ids, other.ids, names)
            hint = transposed_hint(first, other)
            check_same_length(n_objects, other.n_objects, (first.name, other.name), hint)
        order = order_of(indexed.ids, other.ids, names)
        if order is not None:
            known = (
                ObjectNames(np.arange(n_objects), is_ordered=False)
                if indexed.ids is None
                else indexed.ids
            )
            other = other.take(order).with_ids(known)
        found.append(other)
        if indexed.ids is None:
            indexed = other
    return found


def _are_clusters(side: Partition) -> bool:
    """Return whether labels by position are collections that are all different, as clusters are."""
    if not isinstance(side, Labels) or isinstance(side.ids, ObjectNames) or side.classes is None:
        return False
    is_list = side.classes.dtype.kind == "O" and 0 < side.n_objects == side.n_codes
    return is_list and all(isinstance(one, tuple | frozenset) for one in side.classes.tolist())


def check_rows(X: Any, n_rows: int, partition: Partition) -> None:
    """Raise ValueError unless the rows of data are the objects of a partition."""
    names = ("X", partition.name)
    check_same_length(n_rows, partition.n_objects, names)
    if order_of(index_of(X), partition.ids, names) is not None:
        msg = f"{partition.name} must have the objects of X in their order, got another order"
        raise ValueError(msg)


def read_weights(sample_weight: Any, partition: Partition) -> Array | None:
    """Read the weights of the objects of a partition; None means 1 for each of them."""
    if sample_weight is None:
        return None
    weights, ids = plain(sample_weight), index_of(sample_weight)
    if isinstance(weights, Mapping):
        ids = ObjectNames.of_keys(weights, "sample_weight")
        weights = list(weights.values())
    names = partition.name, "sample_weight"
    order = order_of(partition.ids, ids, names, "; weigh the objects that are compared")
    if order is not None:
        weights = as_numbers(weights, "sample_weight")[order]
    return as_sample_weight(weights, partition.n_objects)


# Partitions per object from which an array seems to be transposed: of so few objects, fewer.
_MANY, _MANY_OF_FEW, _FEW = 100, 5, 20


class Candidate(NamedTuple):
    """One partition out of many, as it was given.

    Its name is its position if it has no other, and its title is its name in messages.
    """

    position: int
    name: Any
    values: Any
    title: str

    def read(self, reading: Reading = DEFAULT) -> Partition:
        """Read it, with labels in the smallest integer type: many are kept or sent to workers."""
        partition = read(self.values, self.title, reading)
        return partition.shrunk() if isinstance(partition, Labels) else partition


class Naming(NamedTuple):
    """How candidates are called: by a noun and their positions, and by names if they have some."""

    noun: str
    are_named: bool

    def candidate(self, position: int, item: tuple[Any, Any]) -> Candidate:
        """Return the candidate at a position, given its name and its values."""
        name, values = item
        title = f"{self.noun} {position}" + (f" ({shortened(name)})" if self.are_named else "")
        return Candidate(position, name, values, title)


class Candidates(NamedTuple):
    """Names and values of partitions that are given one by one, and their number if it is known."""

    items: Iterable[tuple[Any, Any]]
    total: int | None
    naming: Naming

    @property
    def stream(self) -> Iterator[Candidate]:
        """The candidates one by one, once."""
        return (self.naming.candidate(position, item) for position, item in enumerate(self.items))


def each_candidate(
    candidates: Any,
    argument: str,
    noun: str,
    n_objects: int | None = None,
    *,
    singletons: bool = False,
) -> Candidates:
    """Iterate over an array (one partition per row), a list, a mapping, a frame or an iterator.

    Columns of a frame that identify objects are left out, see ``without_ids``.

    Series in a list keep their names if all of them have one, and no two the same.
    ``argument`` is the name of the argument, and ``noun`` the name of one of them in messages.
    ``n_objects`` is the number of objects that each should have, if it is known.
    """
    if is_on_device(candidates):
        candidates = to_host(candidates)
    columns = column_names(candidates)
    is_several = hasattr(candidates, "__iter__") or columns is not None
    if isinstance(candidates, str | bytes) or not is_several:
        msg = (
            f"{argument} must be several partitions: an array with one of them per row, a list, "
            f"a dict, a DataFrame or an iterator; got {type(candidates).__name__}"
            + advice(candidates)
        )
        raise TypeError(msg)
    n_dims = getattr(candidates, "ndim", 2)
    if n_dims < 2:
        msg = (
            f"{argument} must be a 2-D array with one partition per row, or a list of partitions; "
            f"got {n_dims} dimension(s); of a single one make {{'name': labels}}"
        )
        raise ValueError(msg)
    if columns is not None:
        own = hasattr(candidates, "items")
        items = candidates.items() if own else ((name, candidates[name]) for name in columns)
        kept = without_ids(items, argument, singletons=singletons)
        return Candidates(kept, len(kept), Naming(noun, are_named=True))
    if hasattr(candidates, "items"):  # a mapping may load values only when they are accessed
        return Candidates(candidates.items(), len(candidates.keys()), Naming(noun, are_named=True))
    if len(getattr(candidates, "shape", ())) == 2:
        _check_rows(argument, noun, candidates.shape, n_objects)
    if isinstance(candidates, list | tuple):
        names = [own_name(one) for one in candidates]
        if names and None not in names and len(set(names)) == len(names):
            items = zip(names, candidates, strict=True)
            return Candidates(items, len(names), Naming(noun, are_named=True))
    total = len(candidates) if hasattr(candidates, "__len__") else None
    return Candidates(enumerate(candidates), total, Naming(noun, are_named=False))


def _check_rows(argument: str, noun: str, shape: tuple[int, int], n_objects: int | None) -> None:
    """Refuse an array with objects in its rows, or warn where it seems to be one."""
    msg = f"{argument}: an array has one {noun} per row, got the shape {shape}: is it transposed?"
    if n_objects not in (None, shape[1]) and n_objects == shape[0]:
        raise ValueError(msg + " Pass .T")
    if n_objects is None and shape[0] > (_MANY_OF_FEW if shape[1] <= _FEW else _MANY) * shape[1]:
        warn_caller(f"{msg} Then pass .T")
