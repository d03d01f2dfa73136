"""The registry of indices: the one list that all other lists derive from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sklearn_clustcompare._parameters import options_text
from sklearn_clustcompare.indices._record import PROPERTIES, REGISTERED, Index
from sklearn_clustcompare.indices._registry._cell_sums import CELL_SUMS
from sklearn_clustcompare.indices._registry._chance import CHANCE
from sklearn_clustcompare.indices._registry._covers import COVERS
from sklearn_clustcompare.indices._registry._entity import ENTITY
from sklearn_clustcompare.indices._registry._information import INFORMATION
from sklearn_clustcompare.indices._registry._internal import INTERNAL
from sklearn_clustcompare.indices._registry._pairs import PAIR_COUNTING, SOFT
from sklearn_clustcompare.indices._registry._partial import PARTIAL
from sklearn_clustcompare.indices._registry._sets import SET_MATCHING

# Of two partitions.
INDICES: dict[str, Index] = {
    index.name: index
    for index in (
        *PAIR_COUNTING,
        *SOFT,
        *SET_MATCHING,
        *ENTITY,
        *INFORMATION,
        *CHANCE,
        *CELL_SUMS,
        *COVERS,
    )
}

INTERNAL_INDICES: dict[str, Index] = {index.name: index for index in INTERNAL}

# Of two partitions of different objects.
PARTIAL_INDICES: dict[str, Index] = {index.name: index for index in PARTIAL}
REGISTERED.update(INDICES | INTERNAL_INDICES | PARTIAL_INDICES)

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


def get_index(name: str | Index) -> Index:
    """Look up an index by its name.

    Use it to look up the properties of an index, or to compute several indices of one table, which
    is then counted once. To compute a single index, call the public function of the same name.

    Parameters
    ----------
    name : str or Index
        Name of the index, which is also the name of its public function. A record is returned
        unchanged, so functions accept your own records as well as names.

    Returns
    -------
    Index
        Callable with a :class:`ContingencyTable` and the parameters of the index; with
        ``(X, labels)`` if it needs the data.

    Raises
    ------
    ValueError
        If there is no index of that name; the message lists the closest names.

    See Also
    --------
    list_indices : Names of all indices, or of those with given properties.

    Examples
    --------
    >>> from sklearn_clustcompare import ContingencyTable, get_index
    >>> purity = get_index("purity_score")
    >>> purity(ContingencyTable.from_counts([[0, 0, 0], [53, 1, 16], [10, 60, 0]]))
    0.9214285714285714
    """
    if isinstance(name, Index):
        return name
    if not isinstance(name, str) or name not in REGISTERED:
        msg = f"index must be one of {options_text(REGISTERED, name)}"
        raise ValueError(msg)
    return REGISTERED[name]


def reference_index(name: str | Index) -> Index:
    """Look up an index of two partitions; refuse one that needs the data."""
    index = get_index(name)
    if index.needs_data:
        msg = (
            f"index must compare two partitions here, got {index.name!r}, which evaluates one by "
            f"the data: call {index.name}(X, labels), compare partitions by it with "
            "score_candidates(None, partitions, indices=..., X=X), or use it in a search with "
            "make_clustering_scorer"
        )
        raise ValueError(msg)
    return index


def refuse_to_drop(indices: Iterable[Index]) -> None:
    """Raise ValueError if one of the indices counts the objects that alignment would leave out."""
    for index in indices:
        if index.partial:
            msg = (
                f"align must be False with {index.name!r}, which counts the objects that one of "
                "two partitions lacks: pairwise_scores and medoid_partition align it"
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
        for ``families``, one of the families. Indices that need the data are listed only with
        ``needs_data=True``, or ``needs_graph=True``. The properties are ``greater_is_better``,
        ``range``, ``symmetric``, ``metric``, ``similarity_metric``, ``identifies_equality``,
        ``adjusted``, ``constant_baseline``, ``bias``, ``monotone``, ``replication_invariant``,
        ``soft``, ``moments``, ``pairs``, ``linear_in``, ``linear_in_pair_counts``, ``covers``,
        ``hierarchies``, ``needs_data``, ``needs_graph``, ``families``, ``source``.

    Returns
    -------
    list of str
        Names in the order of the registry; all indices of two partitions if no property is given.

    Raises
    ------
    TypeError
        If there is no such property.

    See Also
    --------
    get_index : Looks up an index by name.
    Index.properties : The properties for other parameters.

    Examples
    --------
    >>> from sklearn_clustcompare import list_indices
    >>> list_indices(adjusted=True, identifies_equality=True, monotone="strict")
    ['adjusted_rand_score', 'frobenius_adjusted_rand_score', 'omega_score']
    >>> list_indices(covers=True, adjusted=True)
    ['omega_score']
    >>> list_indices(needs_data=True, soft=True, needs_graph=False)
    ['within_cluster_sum_of_squares', 'between_cluster_sum_of_squares', 'xie_beni_score']
    """
    for name in properties:
        if name not in PROPERTIES:
            msg = f"a property of an index must be one of {options_text(PROPERTIES, name)}"
            raise TypeError(msg)
    if "range" in properties:
        properties["range"] = tuple(properties["range"])
    properties.setdefault("needs_data", properties.get("needs_graph", False))
    listed = INTERNAL_INDICES if properties["needs_data"] else INDICES
    known = {name: index.properties() for name, index in listed.items()}
    return [
        name
        for name in listed
        if all(has_property(known[name], key, value) for key, value in properties.items())
    ]


def has_property(known: Mapping[str, Any], key: str, value: Any) -> bool:
    """Return whether a property of an index has a value, or contains the family."""
    if key == "families" and isinstance(value, str):
        return value in known[key]
    return bool(known[key] == value)
