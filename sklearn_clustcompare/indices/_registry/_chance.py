"""Indices standardized by the permutation model."""

from __future__ import annotations

import math

from sklearn_clustcompare._parameters import entropy_order, one_of, warn_or_number
from sklearn_clustcompare.indices import _by_parameters, _chance, _pvalue_adjusted, _sums
from sklearn_clustcompare.indices._record import Index
from sklearn_clustcompare.indices._registry._terms import ROMANO, UNIT

CHANCE = (
    Index(
        "standardized_mutual_info_score",
        short_names=("smi",),
        of_statistic=_chance.standardized_mutual_info,
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
        source=f"{ROMANO}, sec. 5.1",
        parameters={"q": entropy_order, "zero_variance": warn_or_number},
        linear_in="information",
        unit="standard deviations",
        sampling="smooth",
        sums=_sums.standardized_information_sums,
    ),
    Index(
        "standardized_rand_score",
        of_statistic=_chance.standardized_rand,
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
        source=f"{ROMANO}, sec. 5.1",
        parameters={"zero_variance": warn_or_number},
        linear_in="pairs",
        unit="standard deviations",
        sampling="smooth",
        sums=_sums.standardized_pair_sums,
    ),
    Index(
        "pvalue_adjusted_mutual_info_score",
        _pvalue_adjusted.pvalue_adjusted_mutual_info,
        greater_is_better=True,
        range=UNIT,
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
        sampling="smooth",
        sums=_sums.standardized_information_sums,
    ),
)

# Of the data and one partition.
