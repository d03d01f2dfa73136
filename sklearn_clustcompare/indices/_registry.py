"""The indices and what is known of each: the one list that all other lists derive from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from sklearn_clustcompare._parameters import (
    boolean,
    entropy_order,
    logarithm_base,
    non_negative,
    one_of,
    options_text,
    warn_or_number,
)
from sklearn_clustcompare.indices import (
    _by_parameters,
    _chance,
    _coefficients,
    _information,
    _internal,
    _noise_bounds,
    _pairs,
    _sets,
    _soft,
)
from sklearn_clustcompare.indices._record import PROPERTIES, Index

_WAGNER = "Wagner & Wagner (2007)"
_ROMANO = "Romano et al. (2016)"
_ALBATINEH = "Albatineh, Niewiadomska-Bugaj & Mihalko (2006)"
_AVERAGES = one_of("min", "geometric", "arithmetic", "max")

_UNIT = (0.0, 1.0)
_UNBOUNDED = (0.0, math.inf)


@dataclass(frozen=True)
class _CountedIn:
    """The unit of a distance that counts, unless it is normalized; can be pickled."""

    unit: str

    def __call__(self, *, normalize: bool = False) -> str:
        return "" if normalize else self.unit


_PAIR_COUNTING = (
    Index(
        "rand_score",
        _pairs.rand,
        greater_is_better=True,
        range=_UNIT,
        symmetric=True,
        pairs=True,
        similarity_metric=True,
        identifies_equality=True,
        constant_baseline="none",
        bias="varies",
        monotone="strict",
        replication_invariant=False,
        source=f"Rand (1971); {_WAGNER}, sec. 3.2.1",
        linear_in="pairs",
        adjusted_form=("adjusted_rand_score", {}),
    ),
    Index(
        "adjusted_rand_score",
        _pairs.adjusted_rand,
        greater_is_better=True,
        range=(-0.5, 1.0),
        symmetric=True,
        adjusted=True,
        pairs=True,
        similarity_metric=False,
        identifies_equality=True,
        constant_baseline="exact",
        bias="neutral",
        monotone="strict",
        replication_invariant=False,
        source=f"Hubert & Arabie (1985); {_WAGNER}, sec. 3.2.2",
        linear_in="pairs",
    ),
    Index(
        "fowlkes_mallows_score",
        _pairs.fowlkes_mallows,
        greater_is_better=True,
        range=_UNIT,
        symmetric=True,
        pairs=True,
        similarity_metric=False,
        identifies_equality=True,
        constant_baseline="none",
        bias="few",
        monotone="weak",
        replication_invariant=False,
        source=f"Fowlkes & Mallows (1983); {_WAGNER}, sec. 3.3",
        linear_in="pairs",
    ),
    Index(
        "pair_jaccard_score",
        _pairs.pair_jaccard,
        greater_is_better=True,
        range=_UNIT,
        symmetric=True,
        pairs=True,
        similarity_metric=True,
        identifies_equality=True,
        constant_baseline="none",
        bias="few",
        monotone="weak",
        replication_invariant=False,
        source=f"{_WAGNER}, sec. 3.5.1",
    ),
    Index(
        "pair_precision_score",
        _pairs.pair_precision,
        greater_is_better=True,
        range=_UNIT,
        symmetric=False,
        pairs=True,
        similarity_metric=False,
        identifies_equality=False,
        constant_baseline="none",
        bias="neutral",
        monotone="weak",
        replication_invariant=False,
        source="Wallace (1983); Zafarani, Abbasi & Liu (2014), sec. 6.3",
        linear_in="pairs",
        adjusted_form=("adjusted_wallace_score", {"given": "pred"}),
        noise_bounds=_noise_bounds.pair_precision_bounds,
    ),
    Index(
        "pair_recall_score",
        _pairs.pair_recall,
        greater_is_better=True,
        range=_UNIT,
        symmetric=False,
        pairs=True,
        similarity_metric=False,
        identifies_equality=False,
        constant_baseline="none",
        bias="few",
        monotone="weak",
        replication_invariant=False,
        source="Wallace (1983); Zafarani, Abbasi & Liu (2014), sec. 6.3",
        linear_in="pairs",
        adjusted_form=("adjusted_wallace_score", {"given": "true"}),
        noise_bounds=_noise_bounds.pair_recall_bounds,
    ),
    Index(
        "pair_f_score",
        _pairs.pair_f,
        greater_is_better=True,
        range=_UNIT,
        symmetric=True,
        pairs=True,
        similarity_metric=False,
        identifies_equality=True,
        constant_baseline="none",
        bias="few",
        monotone="weak",
        replication_invariant=False,
        by_parameters=_by_parameters.pair_f,
        source="Zafarani, Abbasi & Liu (2014), sec. 6.3",
        parameters={"beta": non_negative},
        linear_in="pairs",
    ),
    Index(
        "adjusted_wallace_score",
        _pairs.adjusted_wallace,
        greater_is_better=True,
        range=(-math.inf, 1.0),
        symmetric=False,
        adjusted=True,
        pairs=True,
        similarity_metric=False,
        identifies_equality=False,
        constant_baseline="exact",
        bias="neutral",
        monotone="weak",
        replication_invariant=False,
        source="Wallace (1983); Severiano et al. (2011)",
        parameters={"given": one_of("true", "pred")},
        linear_in="pairs",
    ),
    Index(
        "mirkin_distance",
        _pairs.mirkin,
        greater_is_better=False,
        range=_UNBOUNDED,
        symmetric=True,
        metric=True,
        pairs=True,
        similarity_metric=False,
        identifies_equality=True,
        constant_baseline="none",
        bias="varies",
        monotone="strict",
        replication_invariant=False,
        by_parameters=_by_parameters.normalized_distance,
        source=f"Mirkin (1996); {_WAGNER}, sec. 3.4",
        parameters={"normalize": boolean},
        linear_in="pairs",
        unit=_CountedIn("ordered pairs"),
    ),
    Index(
        "partition_difference",
        _pairs.partition_difference,
        greater_is_better=True,
        range=_UNBOUNDED,
        symmetric=True,
        pairs=True,
        similarity_metric=False,
        identifies_equality=False,
        constant_baseline="none",
        bias="many",
        monotone="weak",
        replication_invariant=False,
        source=f"Li, Ogihara & Ma (2004); {_WAGNER}, sec. 3.5.2",
        linear_in="pairs",
        unit="pairs",
    ),
    Index(
        "chi_squared_statistic",
        _pairs.chi_squared,
        greater_is_better=True,
        range=_UNBOUNDED,
        symmetric=True,
        similarity_metric=False,
        identifies_equality=False,
        constant_baseline="none",
        bias="many",
        monotone="weak",
        replication_invariant=False,
        source=f"Pearson (1900); {_WAGNER}, sec. 3.1",
    ),
    Index(
        "pair_counting_score",
        _coefficients.pair_counting,
        greater_is_better=True,
        range=(-1.0, 1.0),
        symmetric=True,
        pairs=True,
        similarity_metric=True,
        identifies_equality=True,
        constant_baseline="none",
        bias="varies",
        monotone="strict",
        replication_invariant=False,
        by_parameters=_by_parameters.pair_counting,
        source=_ALBATINEH,
        parameters={
            "coefficient": one_of(*_coefficients.COEFFICIENTS),
            "adjusted": boolean,
        },
        linear_in=_coefficients.linear_quantity,
    ),
)

_SOFT = (
    Index(
        "frobenius_adjusted_rand_score",
        _soft.frobenius_adjusted_rand,
        greater_is_better=True,
        range=(-0.5, 1.0),
        symmetric=True,
        adjusted=True,
        moments=True,
        pairs=True,
        similarity_metric=False,
        identifies_equality=True,
        constant_baseline="exact",
        bias="neutral",
        monotone="strict",
        replication_invariant=False,
        source="Andrews, Browne & Hvingelby (2022)",
        linear_in="pairs",
    ),
)

_SET_MATCHING = (
    Index(
        "purity_score",
        _sets.purity,
        greater_is_better=True,
        range=_UNIT,
        symmetric=False,
        similarity_metric=False,
        identifies_equality=False,
        constant_baseline="none",
        bias="many",
        monotone="weak",
        replication_invariant=True,
        source="Zhao & Karypis (2001)",
        noise_bounds=_noise_bounds.purity_bounds,
    ),
    Index(
        "inverse_purity_score",
        _sets.inverse_purity,
        greater_is_better=True,
        range=_UNIT,
        symmetric=False,
        similarity_metric=False,
        identifies_equality=False,
        constant_baseline="none",
        bias="few",
        monotone="weak",
        replication_invariant=True,
        source="Amigo et al. (2009)",
        noise_bounds=_noise_bounds.inverse_purity_bounds,
    ),
    Index(
        "f_measure_score",
        _sets.f_measure,
        greater_is_better=True,
        range=_UNIT,
        symmetric=False,
        similarity_metric=False,
        identifies_equality=True,
        constant_baseline="none",
        bias="varies",
        monotone="weak",
        replication_invariant=True,
        by_parameters=_by_parameters.f_measure,
        source=f"Larsen & Aone (1999); {_WAGNER}, sec. 4.1",
        parameters={"beta": non_negative},
    ),
    Index(
        "meila_heckerman_score",
        _sets.purity,
        greater_is_better=True,
        range=_UNIT,
        symmetric=False,
        similarity_metric=False,
        identifies_equality=False,
        constant_baseline="none",
        bias="many",
        monotone="weak",
        replication_invariant=True,
        source=f"Meila & Heckerman (2001); {_WAGNER}, sec. 4.2",
        noise_bounds=_noise_bounds.purity_bounds,
    ),
    Index(
        "maximum_match_score",
        _sets.maximum_match,
        greater_is_better=True,
        range=_UNIT,
        symmetric=True,
        similarity_metric=False,
        identifies_equality=True,
        constant_baseline="none",
        bias="varies",
        monotone="weak",
        replication_invariant=True,
        source=f"{_WAGNER}, sec. 4.2",
    ),
    Index(
        "matching_accuracy_score",
        _sets.matching_accuracy,
        greater_is_better=True,
        range=_UNIT,
        symmetric=True,
        similarity_metric=True,
        identifies_equality=True,
        constant_baseline="none",
        bias="varies",
        monotone="weak",
        replication_invariant=True,
        source="Meila (2007)",
    ),
    Index(
        "misclassification_distance",
        _sets.misclassification,
        greater_is_better=False,
        range=_UNIT,
        symmetric=True,
        metric=True,
        similarity_metric=False,
        identifies_equality=True,
        constant_baseline="none",
        bias="varies",
        monotone="weak",
        replication_invariant=True,
        source="Meila (2007)",
    ),
    Index(
        "van_dongen_distance",
        _sets.van_dongen,
        greater_is_better=False,
        range=_UNBOUNDED,
        symmetric=True,
        metric=True,
        similarity_metric=False,
        identifies_equality=True,
        constant_baseline="none",
        bias="varies",
        monotone="weak",
        replication_invariant=False,
        by_parameters=_by_parameters.normalized_distance,
        source=f"van Dongen (2000); {_WAGNER}, sec. 4.3",
        parameters={"normalize": boolean},
        unit=_CountedIn("objects"),
    ),
)

_INFORMATION = (
    Index(
        "mutual_info_score",
        _information.mutual_info,
        greater_is_better=True,
        range=_UNBOUNDED,
        symmetric=True,
        similarity_metric=False,
        identifies_equality=False,
        constant_baseline="asymptotic",
        bias="many",
        monotone="weak",
        replication_invariant=True,
        by_parameters=_by_parameters.mutual_info,
        source=f"{_ROMANO}, sec. 2.1; {_WAGNER}, sec. 5",
        parameters={"q": entropy_order, "base": logarithm_base},
        linear_in="information",
        unit=_information.unit,
    ),
    Index(
        "normalized_mutual_info_score",
        _information.normalized_mutual_info,
        greater_is_better=True,
        range=_UNIT,
        symmetric=True,
        similarity_metric=False,
        identifies_equality=True,
        constant_baseline="asymptotic",
        bias="many",
        monotone="strict",
        replication_invariant=True,
        by_parameters=_by_parameters.normalized_mutual_info,
        source=f"Strehl & Ghosh (2002); Fred & Jain (2003); {_ROMANO}, sec. 2.2",
        parameters={
            "q": entropy_order,
            "average_method": one_of("min", "geometric", "arithmetic", "max", "joint"),
        },
        linear_in=_information.linear_quantity,
        adjusted_form=("adjusted_mutual_info_score", {}),
    ),
    Index(
        "adjusted_mutual_info_score",
        _chance.adjusted_mutual_info,
        greater_is_better=True,
        # A distance is at most three times its mean, by the triangle inequality.
        range=(-2.0, 1.0),
        symmetric=True,
        adjusted=True,
        soft=False,
        similarity_metric=False,
        identifies_equality=True,
        constant_baseline="exact",
        bias="neutral",
        monotone="none",
        replication_invariant=False,
        by_parameters=_by_parameters.adjusted_mutual_info,
        source=f"Vinh, Epps & Bailey (2010); {_ROMANO}, sec. 3.1",
        parameters={"q": entropy_order, "average_method": _AVERAGES},
        linear_in="information",
    ),
    Index(
        "homogeneity_score",
        _information.homogeneity,
        greater_is_better=True,
        range=_UNIT,
        symmetric=False,
        similarity_metric=False,
        identifies_equality=False,
        constant_baseline="asymptotic",
        bias="many",
        monotone="weak",
        replication_invariant=True,
        source="Rosenberg & Hirschberg (2007); van der Hoef & Warrens (2019), R",
        linear_in="information",
    ),
    Index(
        "completeness_score",
        _information.completeness,
        greater_is_better=True,
        range=_UNIT,
        symmetric=False,
        similarity_metric=False,
        identifies_equality=False,
        constant_baseline="asymptotic",
        bias="varies",
        monotone="weak",
        replication_invariant=True,
        source="Rosenberg & Hirschberg (2007); van der Hoef & Warrens (2019), C",
        linear_in="information",
    ),
    Index(
        "v_measure_score",
        _information.v_measure,
        greater_is_better=True,
        range=_UNIT,
        symmetric=True,
        similarity_metric=False,
        identifies_equality=True,
        constant_baseline="asymptotic",
        bias="many",
        monotone="strict",
        replication_invariant=True,
        by_parameters=_by_parameters.v_measure,
        source="Rosenberg & Hirschberg (2007)",
        parameters={"beta": non_negative},
        linear_in="information",
    ),
    Index(
        "conditional_entropy",
        _information.conditional_entropy,
        greater_is_better=False,
        range=_UNBOUNDED,
        symmetric=False,
        similarity_metric=False,
        identifies_equality=False,
        constant_baseline="none",
        bias="many",
        monotone="weak",
        replication_invariant=True,
        by_parameters=_by_parameters.conditional_entropy,
        source="Zhao & Karypis (2001)",
        parameters={"q": entropy_order, "base": logarithm_base},
        linear_in="information",
        unit=_information.unit,
    ),
    Index(
        "variation_of_information_distance",
        _information.variation_of_information,
        greater_is_better=False,
        range=_UNBOUNDED,
        symmetric=True,
        metric=True,
        similarity_metric=False,
        identifies_equality=True,
        constant_baseline="none",
        bias="varies",
        monotone="strict",
        replication_invariant=True,
        by_parameters=_by_parameters.variation_of_information,
        source=f"Meila (2003); {_WAGNER}, sec. 5.3; {_ROMANO}, sec. 2.1",
        parameters={
            "q": entropy_order,
            "base": logarithm_base,
            "normalize": one_of(None, "joint", "expected"),
        },
        linear_in=_information.linear_quantity,
        unit=_information.unit,
    ),
    Index(
        "normalized_information_distance",
        _information.normalized_information_distance,
        greater_is_better=False,
        range=_UNIT,
        symmetric=True,
        metric=True,
        similarity_metric=False,
        identifies_equality=True,
        constant_baseline="asymptotic",
        bias="many",
        monotone="weak",
        replication_invariant=True,
        source="Vinh, Epps & Bailey (2010)",
        linear_in="information",
    ),
)

_CHANCE = (
    Index(
        "standardized_mutual_info_score",
        _chance.standardized_mutual_info,
        greater_is_better=True,
        range=(-math.inf, math.inf),
        symmetric=True,
        adjusted=True,
        soft=False,
        similarity_metric=False,
        identifies_equality=False,
        constant_baseline="exact",
        bias="neutral",
        monotone="none",
        replication_invariant=False,
        source=f"{_ROMANO}, sec. 5.1",
        parameters={"q": entropy_order, "zero_variance": warn_or_number},
        linear_in="information",
        unit="standard deviations",
    ),
    Index(
        "standardized_rand_score",
        _chance.standardized_rand,
        greater_is_better=True,
        range=(-math.inf, math.inf),
        symmetric=True,
        adjusted=True,
        moments=True,
        similarity_metric=False,
        identifies_equality=False,
        constant_baseline="exact",
        bias="neutral",
        monotone="none",
        replication_invariant=False,
        source=f"{_ROMANO}, sec. 5.1",
        parameters={"zero_variance": warn_or_number},
        linear_in="pairs",
        unit="standard deviations",
    ),
    Index(
        "pvalue_adjusted_mutual_info_score",
        _chance.pvalue_adjusted_mutual_info,
        greater_is_better=True,
        range=_UNIT,
        symmetric=True,
        soft=False,
        similarity_metric=False,
        identifies_equality=False,
        constant_baseline="asymptotic",
        bias="varies",
        monotone="none",
        replication_invariant=False,
        by_parameters=_by_parameters.pvalue_adjusted_mutual_info,
        source="Klede et al. (2023)",
        parameters={"q": entropy_order, "scale": one_of("probability", "log")},
    ),
)

# Of the data and one partition.
_INTERNAL = (
    Index(
        "silhouette_score",
        _internal.silhouette,
        greater_is_better=True,
        range=(-1.0, 1.0),
        symmetric=False,
        soft=False,
        needs_data=True,
        source="Rousseeuw (1987)",
        parameters={
            "metric": _internal.distance_metric,
            "sample_size": _internal.sample_size,
            "random_state": _internal.random_state,
        },
    ),
    Index(
        "calinski_harabasz_score",
        _internal.calinski_harabasz,
        greater_is_better=True,
        range=_UNBOUNDED,
        symmetric=False,
        soft=False,
        needs_data=True,
        source="Calinski & Harabasz (1974)",
    ),
    Index(
        "davies_bouldin_score",
        _internal.davies_bouldin,
        greater_is_better=False,
        range=_UNBOUNDED,
        symmetric=False,
        soft=False,
        needs_data=True,
        source="Davies & Bouldin (1979)",
    ),
    Index(
        "within_cluster_sum_of_squares",
        _internal.within_sum_of_squares,
        greater_is_better=False,
        range=_UNBOUNDED,
        symmetric=False,
        needs_data=True,
        source="Edwards & Cavalli-Sforza (1965); Bezdek (1981)",
    ),
    Index(
        "between_cluster_sum_of_squares",
        _internal.between_sum_of_squares,
        greater_is_better=True,
        range=_UNBOUNDED,
        symmetric=False,
        needs_data=True,
        source="Edwards & Cavalli-Sforza (1965); Bezdek (1981)",
    ),
    Index(
        "incidence_proximity_correlation",
        _internal.incidence_proximity_correlation,
        greater_is_better=True,
        range=(-1.0, 1.0),
        symmetric=False,
        soft=False,
        needs_data=True,
        source="Hubert & Schultz (1976)",
        parameters={"metric": _internal.distance_metric},
    ),
    Index(
        "dunn_score",
        _internal.dunn,
        greater_is_better=True,
        range=_UNBOUNDED,
        symmetric=False,
        soft=False,
        needs_data=True,
        source="Dunn (1974)",
        parameters={"metric": _internal.distance_metric},
    ),
    Index(
        "xie_beni_score",
        _internal.xie_beni,
        greater_is_better=False,
        range=_UNBOUNDED,
        symmetric=False,
        needs_data=True,
        source="Xie & Beni (1991)",
    ),
)

# Of two partitions.
INDICES: dict[str, Index] = {
    index.name: index
    for index in (*_PAIR_COUNTING, *_SOFT, *_SET_MATCHING, *_INFORMATION, *_CHANCE)
}

INTERNAL_INDICES: dict[str, Index] = {index.name: index for index in _INTERNAL}

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
# The one that is 1 for a soft partition against itself.
OF_MEMBERSHIPS = INDICES["frobenius_adjusted_rand_score"]


def get_index(name: str | Index) -> Index:
    """Look up an index by its name.

    Use it to learn what is known of an index, or to compute several indices of one table, which
    is then counted once. For the value of one index call the public function of its name.

    Parameters
    ----------
    name : str or Index
        Name of the index, which is also the name of its public function. A record is returned as
        it is, so that functions take records of your own in the place of names.

    Returns
    -------
    Index
        Callable with a :class:`ContingencyTable` and the parameters of the index; with
        ``(X, labels)`` if it needs the data.

    Raises
    ------
    ValueError
        If there is no index of that name; the closest names are offered.

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
    known = INDICES | INTERNAL_INDICES
    if not isinstance(name, str) or name not in known:
        msg = f"index must be one of {options_text(known, name)}"
        raise ValueError(msg)
    return known[name]


def reference_index(name: str | Index) -> Index:
    """Look up an index of two partitions; refuse one that needs the data."""
    index = get_index(name)
    if index.needs_data:
        msg = (
            f"index must compare two partitions here, got {index.name!r}, which judges one by the "
            f"data: call {index.name}(X, labels), or use it in a search with make_clustering_scorer"
        )
        raise ValueError(msg)
    return index


def list_indices(**properties: Any) -> list[str]:
    """List the names of the indices that have the given properties.

    Use it to compute all indices that fit a purpose: those adjusted for chance where numbers of
    clusters differ, metrics where partitions are to be clustered themselves, soft ones for
    memberships.

    Parameters
    ----------
    **properties : dict
        Properties of :class:`Index` and the value each must have with the default parameters;
        indices that need the data are listed with ``needs_data=True`` only. They are
        ``greater_is_better``, ``range``, ``symmetric``, ``metric``, ``similarity_metric``,
        ``identifies_equality``, ``adjusted``, ``constant_baseline``, ``bias``, ``monotone``,
        ``replication_invariant``, ``soft``, ``moments``, ``pairs``, ``linear_in``, ``needs_data``,
        ``source``.

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
    get_index : The index of one name.
    Index.properties : What is known with other parameters.

    Examples
    --------
    >>> from sklearn_clustcompare import list_indices
    >>> list_indices(adjusted=True, identifies_equality=True, monotone="strict")
    ['adjusted_rand_score', 'frobenius_adjusted_rand_score']
    >>> list_indices(needs_data=True, soft=True)
    ['within_cluster_sum_of_squares', 'between_cluster_sum_of_squares', 'xie_beni_score']
    """
    for name in properties:
        if name not in PROPERTIES:
            msg = f"a property of an index must be one of {options_text(PROPERTIES, name)}"
            raise TypeError(msg)
    if "range" in properties:
        properties["range"] = tuple(properties["range"])
    properties.setdefault("needs_data", False)
    listed = INTERNAL_INDICES if properties["needs_data"] else INDICES
    known = {name: index.properties() for name, index in listed.items()}
    return [
        name
        for name in listed
        if all(known[name][key] == value for key, value in properties.items())
    ]
