"""The indices and what is known of each: the one list that all other lists derive from."""

from __future__ import annotations

import math
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
    _chance,
    _coefficients,
    _information,
    _pairs,
    _sets,
    _soft,
)
from sklearn_clustcompare.indices._record import Index

_WAGNER = "Wagner & Wagner (2007)"
_ROMANO = "Romano et al. (2016)"
_ALBATINEH = "Albatineh, Niewiadomska-Bugaj & Mihalko (2006)"
_AVERAGES = one_of("min", "geometric", "arithmetic", "max")

_UNIT = (0.0, 1.0)
_UNBOUNDED = (0.0, math.inf)

_PAIR_COUNTING = (
    Index(
        "rand_score",
        _pairs.rand,
        greater_is_better=True,
        range=_UNIT,
        symmetric=True,
        pairs=True,
        source=f"Rand (1971); {_WAGNER}, sec. 3.2.1",
    ),
    Index(
        "adjusted_rand_score",
        _pairs.adjusted_rand,
        greater_is_better=True,
        range=(-0.5, 1.0),
        symmetric=True,
        adjusted=True,
        pairs=True,
        source=f"Hubert & Arabie (1985); {_WAGNER}, sec. 3.2.2",
    ),
    Index(
        "fowlkes_mallows_score",
        _pairs.fowlkes_mallows,
        greater_is_better=True,
        range=_UNIT,
        symmetric=True,
        pairs=True,
        source=f"Fowlkes & Mallows (1983); {_WAGNER}, sec. 3.3",
    ),
    Index(
        "pair_jaccard_score",
        _pairs.pair_jaccard,
        greater_is_better=True,
        range=_UNIT,
        symmetric=True,
        pairs=True,
        source=f"{_WAGNER}, sec. 3.5.1",
    ),
    Index(
        "pair_precision_score",
        _pairs.pair_precision,
        greater_is_better=True,
        range=_UNIT,
        symmetric=False,
        pairs=True,
        source="Wallace (1983); Zafarani, Abbasi & Liu (2014), sec. 6.3",
    ),
    Index(
        "pair_recall_score",
        _pairs.pair_recall,
        greater_is_better=True,
        range=_UNIT,
        symmetric=False,
        pairs=True,
        source="Wallace (1983); Zafarani, Abbasi & Liu (2014), sec. 6.3",
    ),
    Index(
        "pair_f_score",
        _pairs.pair_f,
        greater_is_better=True,
        range=_UNIT,
        symmetric=True,
        pairs=True,
        source="Zafarani, Abbasi & Liu (2014), sec. 6.3",
        parameters={"beta": non_negative},
    ),
    Index(
        "adjusted_wallace_score",
        _pairs.adjusted_wallace,
        greater_is_better=True,
        range=(-math.inf, 1.0),
        symmetric=False,
        adjusted=True,
        pairs=True,
        source="Wallace (1983); Severiano et al. (2011)",
        parameters={"given": one_of("true", "pred")},
    ),
    Index(
        "mirkin_distance",
        _pairs.mirkin,
        greater_is_better=False,
        range=_UNBOUNDED,
        symmetric=True,
        metric=True,
        pairs=True,
        source=f"Mirkin (1996); {_WAGNER}, sec. 3.4",
        parameters={"normalize": boolean},
    ),
    Index(
        "partition_difference",
        _pairs.partition_difference,
        greater_is_better=True,
        range=_UNBOUNDED,
        symmetric=True,
        pairs=True,
        source=f"Li, Ogihara & Ma (2004); {_WAGNER}, sec. 3.5.2",
    ),
    Index(
        "chi_squared_statistic",
        _pairs.chi_squared,
        greater_is_better=True,
        range=_UNBOUNDED,
        symmetric=True,
        source=f"Pearson (1900); {_WAGNER}, sec. 3.1",
    ),
    Index(
        "pair_counting_score",
        _coefficients.pair_counting,
        greater_is_better=True,
        range=(-1.0, 1.0),
        symmetric=True,
        pairs=True,
        source=_ALBATINEH,
        parameters={
            "coefficient": one_of(*_coefficients.COEFFICIENTS),
            "adjusted": boolean,
        },
    ),
)

_SOFT = (
    Index(
        "frobenius_adjusted_rand_score",
        _soft.frobenius_adjusted_rand,
        greater_is_better=True,
        range=(-math.inf, 1.0),
        symmetric=True,
        adjusted=True,
        moments=True,
        pairs=True,
        source="Andrews, Browne & Hvingelby (2022)",
    ),
)

_SET_MATCHING = (
    Index(
        "purity_score",
        _sets.purity,
        greater_is_better=True,
        range=_UNIT,
        symmetric=False,
        source="Zhao & Karypis (2001)",
    ),
    Index(
        "inverse_purity_score",
        _sets.inverse_purity,
        greater_is_better=True,
        range=_UNIT,
        symmetric=False,
        source="Amigo et al. (2009)",
    ),
    Index(
        "f_measure_score",
        _sets.f_measure,
        greater_is_better=True,
        range=_UNIT,
        symmetric=False,
        source=f"Larsen & Aone (1999); {_WAGNER}, sec. 4.1",
        parameters={"beta": non_negative},
    ),
    Index(
        "meila_heckerman_score",
        _sets.purity,
        greater_is_better=True,
        range=_UNIT,
        symmetric=False,
        source=f"Meila & Heckerman (2001); {_WAGNER}, sec. 4.2",
    ),
    Index(
        "maximum_match_score",
        _sets.maximum_match,
        greater_is_better=True,
        range=_UNIT,
        # It is, unless cells tie: then the order of the clusters decides.
        symmetric=False,
        source=f"{_WAGNER}, sec. 4.2",
    ),
    Index(
        "matching_accuracy_score",
        _sets.matching_accuracy,
        greater_is_better=True,
        range=_UNIT,
        symmetric=True,
        source="Meila (2007)",
    ),
    Index(
        "misclassification_distance",
        _sets.misclassification,
        greater_is_better=False,
        range=_UNIT,
        symmetric=True,
        metric=True,
        source="Meila (2007)",
    ),
    Index(
        "van_dongen_distance",
        _sets.van_dongen,
        greater_is_better=False,
        range=_UNBOUNDED,
        symmetric=True,
        metric=True,
        source=f"van Dongen (2000); {_WAGNER}, sec. 4.3",
        parameters={"normalize": boolean},
    ),
)

_INFORMATION = (
    Index(
        "mutual_info_score",
        _information.mutual_info,
        greater_is_better=True,
        range=_UNBOUNDED,
        symmetric=True,
        source=f"{_ROMANO}, sec. 2.1; {_WAGNER}, sec. 5",
        parameters={"q": entropy_order, "base": logarithm_base},
    ),
    Index(
        "normalized_mutual_info_score",
        _information.normalized_mutual_info,
        greater_is_better=True,
        range=_UNIT,
        symmetric=True,
        source=f"Strehl & Ghosh (2002); Fred & Jain (2003); {_ROMANO}, sec. 2.2",
        parameters={
            "q": entropy_order,
            "average_method": one_of("min", "geometric", "arithmetic", "max", "joint"),
        },
    ),
    Index(
        "adjusted_mutual_info_score",
        _chance.adjusted_mutual_info,
        greater_is_better=True,
        range=(-math.inf, 1.0),
        symmetric=True,
        adjusted=True,
        soft=False,
        source=f"Vinh, Epps & Bailey (2010); {_ROMANO}, sec. 3.1",
        parameters={"q": entropy_order, "average_method": _AVERAGES},
    ),
    Index(
        "homogeneity_score",
        _information.homogeneity,
        greater_is_better=True,
        range=_UNIT,
        symmetric=False,
        source="Rosenberg & Hirschberg (2007); van der Hoef & Warrens (2019), R",
    ),
    Index(
        "completeness_score",
        _information.completeness,
        greater_is_better=True,
        range=_UNIT,
        symmetric=False,
        source="Rosenberg & Hirschberg (2007); van der Hoef & Warrens (2019), C",
    ),
    Index(
        "v_measure_score",
        _information.v_measure,
        greater_is_better=True,
        range=_UNIT,
        symmetric=True,
        source="Rosenberg & Hirschberg (2007)",
        parameters={"beta": non_negative},
    ),
    Index(
        "conditional_entropy",
        _information.conditional_entropy,
        greater_is_better=False,
        range=_UNBOUNDED,
        symmetric=False,
        source="Zhao & Karypis (2001)",
        parameters={"q": entropy_order, "base": logarithm_base},
    ),
    Index(
        "variation_of_information_distance",
        _information.variation_of_information,
        greater_is_better=False,
        range=_UNBOUNDED,
        symmetric=True,
        metric=True,
        source=f"Meila (2003); {_WAGNER}, sec. 5.3; {_ROMANO}, sec. 2.1",
        parameters={
            "q": entropy_order,
            "base": logarithm_base,
            "normalize": one_of(None, "joint", "expected"),
        },
    ),
    Index(
        "normalized_information_distance",
        _information.normalized_information_distance,
        greater_is_better=False,
        range=_UNIT,
        symmetric=True,
        metric=True,
        source="Vinh, Epps & Bailey (2010)",
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
        source=f"{_ROMANO}, sec. 5.1",
        parameters={"q": entropy_order, "zero_variance": warn_or_number},
    ),
    Index(
        "standardized_rand_score",
        _chance.standardized_rand,
        greater_is_better=True,
        range=(-math.inf, math.inf),
        symmetric=True,
        adjusted=True,
        moments=True,
        source=f"{_ROMANO}, sec. 5.1",
        parameters={"zero_variance": warn_or_number},
    ),
    Index(
        "pvalue_adjusted_mutual_info_score",
        _chance.pvalue_adjusted_mutual_info,
        greater_is_better=True,
        range=_UNIT,
        symmetric=True,
        soft=False,
        source="Klede et al. (2023)",
        parameters={"q": entropy_order},
    ),
)

INDICES: dict[str, Index] = {
    index.name: index
    for index in (*_PAIR_COUNTING, *_SOFT, *_SET_MATCHING, *_INFORMATION, *_CHANCE)
}

_PROPERTIES = (
    "greater_is_better",
    "range",
    "symmetric",
    "metric",
    "adjusted",
    "soft",
    "moments",
    "pairs",
    "source",
)


def get_index(name: str) -> Index:
    """Look up an index by its name.

    Use it to learn what is known of an index, or to compute several indices of one table, which
    is then counted once. For the value of one index call the public function of its name.

    Parameters
    ----------
    name : str
        Name of the index, of its public function and of its scorer.

    Returns
    -------
    Index
        Callable with a :class:`ContingencyTable` and the parameters of the index.

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
    if not isinstance(name, str) or name not in INDICES:
        msg = f"index must be one of {options_text(INDICES, name)}"
        raise ValueError(msg)
    return INDICES[name]


def list_indices(**properties: Any) -> list[str]:
    """List the names of the indices that have the given properties.

    Use it to compute all indices that fit a purpose: those adjusted for chance where numbers of
    clusters differ, metrics where partitions are to be clustered themselves, soft ones for
    memberships.

    Parameters
    ----------
    **properties : dict
        Properties of :class:`Index` and the value each must have: ``greater_is_better``,
        ``range``, ``symmetric``, ``metric``, ``adjusted`` (for chance), ``soft`` (defined for
        tables of real-valued counts), ``moments`` (needs those of memberships), ``pairs``
        (counts pairs), ``source``.

    Returns
    -------
    list of str
        Names in the order of the registry; all of them if no property is given.

    Raises
    ------
    TypeError
        If there is no such property.

    See Also
    --------
    get_index : The index of one name.

    Examples
    --------
    >>> from sklearn_clustcompare import list_indices
    >>> list_indices(adjusted=True, range=(-0.5, 1.0))
    ['adjusted_rand_score']
    """
    for name in properties:
        if name not in _PROPERTIES:
            msg = f"a property of an index must be one of {options_text(_PROPERTIES, name)}"
            raise TypeError(msg)
    if "range" in properties:
        properties["range"] = tuple(properties["range"])
    return [
        index.name
        for index in INDICES.values()
        if all(getattr(index, name) == value for name, value in properties.items())
    ]
