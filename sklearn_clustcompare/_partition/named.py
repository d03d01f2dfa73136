"""Partitions that name their objects: dicts, sets of objects, communities, covers without overlap.

None of the packages that make them is imported: they are recognized by their attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from itertools import chain
from typing import Any

import numpy as np

from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._partition.covers import Cover, refuse_if_no_partition, vertices
from sklearn_clustcompare._partition.ids import ObjectNames, read_ids
from sklearn_clustcompare._partition.labels import Labels, encode

_COLLECTIONS = (list, tuple, type(dict[int, int]().values()))


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
