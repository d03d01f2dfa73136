"""Indices of covers, which also accept partitions."""

from __future__ import annotations

from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare.indices import _covers, _pairs
from sklearn_clustcompare.indices._record import Index
from sklearn_clustcompare.indices._registry._terms import MAXIMUM, OF_PAIRS, UNIT

COVERS = (
    Index(
        "omega_score",
        of_statistic=_pairs.adjusted_rand,
        of_covers=_covers.omega_of_covers,
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
        source="Collins & Dent (1988)",
        linear_in="pairs",
        families=("network",),
        **OF_PAIRS,
    ),
    Index(
        "overlapping_normalized_mutual_info_score",
        _covers.overlapping_normalized_mutual_info,
        short_names=("onmi",),
        of_covers=_covers.overlapping_normalized_mutual_info,
        greater_is_better=True,
        range=UNIT,
        symmetric=True,
        similarity_metric=False,
        identifies_equality=True,
        constant_baseline="asymptotic",
        bias="varies",
        monotone="none",
        replication_invariant=True,
        source="McDaid, Greene & Hurley (2011); Lancichinetti, Fortunato & Kertesz (2009)",
        parameters={"variant": one_of("mgh", "lfk")},
        families=("network",),
        **MAXIMUM,
    ),
    Index(
        "average_f_score",
        _covers.average_f,
        of_covers=_covers.average_f,
        greater_is_better=True,
        range=UNIT,
        symmetric=True,
        similarity_metric=False,
        identifies_equality=True,
        constant_baseline="none",
        bias="varies",
        monotone="none",
        replication_invariant=True,
        source="Yang & Leskovec (2013)",
        families=("network",),
        **MAXIMUM,
    ),
)
