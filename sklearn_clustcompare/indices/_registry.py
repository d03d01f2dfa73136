"""The registry of indices, in the order of their claims."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import Any

from sklearn_clustcompare._options import (
    did_you_mean,
    meant,
    options_text,
    shortened,
    split_parameters,
)
from sklearn_clustcompare.indices import (
    _covers,
    _density,
    _entity,
    _information,
    _internal,
    _moments,
    _pairs,
    _sets,
)
from sklearn_clustcompare.indices._claims import CLAIMS
from sklearn_clustcompare.indices._record import PROPERTIES, REGISTERED, Index, IndexLike

# Their import registers the indices.
FAMILIES = (
    *(_pairs, _sets, _entity, _information),
    *(_moments, _covers, _internal, _density),
)
_ALL = [REGISTERED[name] for name in CLAIMS]
# Of two partitions, of the data and one partition, and of two partitions of different objects.
INDICES = {index.name: index for index in _ALL if not (index.needs_data or index.partial)}
INTERNAL_INDICES = {index.name: index for index in _ALL if index.needs_data}
PARTIAL_INDICES = {index.name: index for index in _ALL if index.partial}

# The name of every index by itself, by its short names, and without its ending.
_STEMS = {name: re.sub("_(score|distance)$", "", name) for name in REGISTERED}
NAMES = {stem: name for name, stem in _STEMS.items()} | {
    name: index.name for index in REGISTERED.values() for name in (index.name, *index.short_names)
}
# Names that others have for an index with some parameters, for one without a name of its own here,
# or for several.
_OF_OTHERS = {
    "accepted": ("assert_not_worse",),
    "baseline": ("assert_not_worse",),
    "binder": ("mirkin_distance",),
    "classification_error": ("misclassification_distance",),
    "f1": ("pair_f_score", "f_measure_score", "bcubed_f_score"),
    "nvi": ("variation_of_information_distance:normalize=joint",),
}
# Properties of several texts.
_SEVERAL = ("families", "short_names")
_MAX_OPTIONS = 10

# The overall indices of a report, in its order.
OVERVIEW = tuple(
    INDICES[name]
    for name in (
        "rand_score",
        "pair_precision_score",
        "pair_recall_score",
        "normalized_mutual_info_score",
        "homogeneity_score",
        "completeness_score",
        "purity_score",
        "inverse_purity_score",
        "f_measure_score",
    )
)
# The index that is 1 for a soft partition against itself.
OF_MEMBERSHIPS = INDICES["frobenius_adjusted_rand_score"]
# The indices of the headline of a report, by short names.
HEADLINE = {
    "ARI": INDICES["adjusted_rand_score"],
    "AMI": INDICES["adjusted_mutual_info_score"],
    "Frobenius ARI": OF_MEMBERSHIPS,
}


def get_index(name: IndexLike) -> Index:
    """Look up an index by its name, a short name or its function.

    Use it to look up the properties of an index, or to compute several indices of one table, which
    is then counted once. To compute a single index, call the public function of the same name.

    Parameters
    ----------
    name : str, callable or Index
        Name of the index, which is also the name of its public function; a short name, such as
        "ari", see ``Index.short_names``; or that function. A record is returned unchanged, so
        functions accept your own records as well as names.

    Returns
    -------
    Index
        Callable with a :class:`ContingencyTable` and the parameters of the index; with
        ``(X, labels)`` if it needs the data.

    Raises
    ------
    ValueError
        If there is no such index, or parameters are given with it; the message lists the closest
        names.

    See Also
    --------
    list_indices : Names of all indices, or of those with given properties.

    Examples
    --------
    >>> from sklearn_clustcompare import ContingencyTable, get_index
    >>> purity = get_index("purity_score")
    >>> purity(ContingencyTable.from_counts([[0, 0, 0], [53, 1, 16], [10, 60, 0]]))
    0.9214285714285714
    >>> get_index("vi")
    Index: variation_of_information_distance, lower is better, range [0, inf]
    """
    index, parameters = find_index(name)
    if parameters:
        msg = (
            f"name must be an index without parameters, got {shortened(name)}: pass them where it "
            f"is called, get_index({index.name!r})(table, {_keywords(parameters)})"
        )
        raise ValueError(msg)
    return index


def read_index(
    given: IndexLike,
    parameters: Mapping[str, Any] = MappingProxyType({}),
    *,
    with_data: bool = True,
) -> tuple[Index, dict[str, Any]]:
    """Return an index, and its parameters: those given with it, and the others.

    ``with_data`` admits indices that need the data.
    """
    index, own = find_index(given)
    if twice := own.keys() & parameters.keys():
        first = min(twice)
        msg = (
            f"{first} must be given once, got {first}={own[first]!r} with the index and "
            f"{first}={parameters[first]!r}"
        )
        raise TypeError(msg)
    if not with_data and index.needs_data:
        msg = (
            f"index must compare two partitions here, got {index.name!r}, which evaluates one by "
            f"the data: call {index.name}(X, labels), compare partitions by it with "
            "score_candidates(None, partitions, indices=..., X=X), or use it in a search with "
            "make_clustering_scorer"
        )
        raise ValueError(msg)
    own.update(parameters)
    index.check_parameters(**own)
    return index, own


def find_index(given: IndexLike) -> tuple[Index, dict[str, Any]]:
    """Find what an index was called by, and the parameters that were given with it.

    That is a record, one of ``NAMES``, or NAME:key=value; the public function; or a
    ``functools.partial`` of that or of a record.
    """
    found = _look_up(given)
    if found is None:
        raise _unknown([given])
    return found


def check_known(several: Iterable[Any]) -> None:
    """Raise one ValueError for all that are no indices."""
    if wrong := [one for one in several if _look_up(one) is None]:
        raise _unknown(wrong)


def _look_up(given: Any) -> tuple[Index, dict[str, Any]] | None:
    if isinstance(given, Index):
        return given, {}
    if isinstance(given, partial) and not given.args:
        found = _look_up(given.func)
        return None if found is None else (found[0], found[1] | given.keywords)
    name, own = split_parameters(given) if isinstance(given, str) else (function_name(given), {})
    full = NAMES.get(name.lower()) if name else None
    return None if full is None else (REGISTERED[full], own)


def function_name(given: Any) -> str | None:
    """Return the name of a public function of an index, or None for anything else."""
    name, module = (str(getattr(given, one, "")) for one in ("__name__", "__module__"))
    if name not in REGISTERED or not module.startswith("sklearn_clustcompare."):
        return None
    return name if getattr(sys.modules[module], name, None) is given else None


def is_index(given: Any) -> bool:
    """Return whether a callable is an index: a record, its function, or a partial of one."""
    function = given.func if isinstance(given, partial) else given
    return isinstance(function, Index) or function_name(function) is not None


def _unknown(several: Iterable[Any]) -> ValueError:
    """Return the error for what is no index, with the closest names of each."""
    rule = "index must be one of list_indices(), its function or an Index"
    shown = [*several]
    got = [shortened(one) + _meant(one) for one in shown[:_MAX_OPTIONS]]
    got += [f"{len(shown) - len(got)} more"] * (len(shown) > len(got))
    return ValueError(f"{rule}, got {' and '.join(got)}")


def _meant(given: Any) -> str:
    if callable(given) and getattr(given, "__name__", "") not in NAMES:
        return ": one of your own is an indices.Index('name', function of a ContingencyTable, ...)"
    text = given if isinstance(given, str) else str(getattr(given, "__name__", ""))
    plain = re.sub("^(min|max)_|_index$", "", text.partition(":")[0])
    lower = plain.lower()
    return meant(_OF_OTHERS.get(lower, ())) or did_you_mean(
        lower if lower in NAMES else plain, NAMES
    )


def _keywords(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in parameters.items())


def refuse_to_drop(indices: Iterable[Index]) -> None:
    """Raise ValueError if one of the indices counts the objects that alignment would leave out."""
    for index in indices:
        if index.partial:
            msg = (
                f"objects must not be left out with {index.name!r}, which counts those that one of "
                "two partitions lacks: pairwise_scores and medoid_partition bring them together"
            )
            raise ValueError(msg)


def list_indices(**properties: Any) -> list[str]:
    """List the names of the indices that have the given properties.

    Use it to find indices for a purpose: adjusted ones to compare partitions with different numbers
    of clusters, metrics to cluster partitions, soft ones for memberships.

    Parameters
    ----------
    **properties : dict
        Properties of :class:`Index` and the value that each must have for the default parameters;
        for ``families`` and ``short_names``, one of them. Indices that need the data are listed
        only with ``needs_data=True``, or ``needs_graph=True``. The properties are
        ``greater_is_better``, ``range``, ``symmetric``, ``metric``, ``similarity_metric``,
        ``identifies_equality``, ``adjusted``, ``constant_baseline``, ``bias``, ``monotone``,
        ``replication_invariant``, ``soft``, ``moments``, ``pairs``, ``linear_in``,
        ``linear_in_pair_counts``, ``covers``, ``hierarchies``, ``needs_data``, ``needs_graph``,
        ``families``, ``short_names``, ``source``.

    Returns
    -------
    list of str
        Names in the order of the registry; all indices of two partitions if no property is given.

    Raises
    ------
    TypeError
        If there is no such property.
    ValueError
        If no index has this value of a property; the message lists the closest ones.

    See Also
    --------
    get_index : Looks up an index by name.
    Index.properties : The properties for other parameters.

    Examples
    --------
    >>> from sklearn_clustcompare import list_indices
    >>> list_indices(adjusted=True, identifies_equality=True, monotone="strict")
    ['adjusted_rand_score', 'frobenius_adjusted_rand_score', 'omega_score']
    >>> list_indices(short_names="vi")
    ['variation_of_information_distance']
    >>> list_indices(needs_data=True, soft=True, needs_graph=False)
    ['within_cluster_sum_of_squares', 'between_cluster_sum_of_squares', 'xie_beni_score']
    """
    for name in properties:
        if name not in PROPERTIES:
            msg = f"a property of an index must be one of {options_text(PROPERTIES, name)}"
            raise TypeError(msg)
    if isinstance(properties.get("range"), list):
        properties["range"] = tuple(properties["range"])
    for name, value in properties.items():
        check_property(name, value)
    properties.setdefault("needs_data", properties.get("needs_graph", False))
    listed = INTERNAL_INDICES if properties["needs_data"] else INDICES
    known = {name: index.properties() for name, index in listed.items()}
    return [
        name
        for name in listed
        if all(has_property(known[name], key, value) for key, value in properties.items())
    ]


def has_property(known: Mapping[str, Any], key: str, value: Any) -> bool:
    """Return whether a property of an index has a value, or is several texts with this one."""
    if isinstance(value, str) and isinstance(known[key], tuple):
        return value in known[key]
    return bool(known[key] == value)


def check_property(key: str, value: Any) -> None:
    """Raise ValueError if no index has a property with this value."""
    known = [getattr(index, key) for index in REGISTERED.values()]
    if any(has_property({key: one}, key, value) for one in known):
        return
    options = sorted({*known} if key not in _SEVERAL else {*chain(*known)}, key=str)
    if len(options) > _MAX_OPTIONS:
        names = {str(one): str(one) for one in options}
        msg = f"{key} must be that of an index, got {shortened(value)}"
        raise ValueError(msg + did_you_mean(str(value), names))
    msg = f"{key} must be one of {options_text(options, value)}"
    raise ValueError(msg)
