"""Indices of two partitions that need not have the same objects."""

from __future__ import annotations

from sklearn_clustcompare._parameters import boolean, one_of
from sklearn_clustcompare.indices import _by_parameters, _partial
from sklearn_clustcompare.indices._record import Index
from sklearn_clustcompare.indices._registry._terms import UNBOUNDED

PARTIAL = (
    Index(
        "partial_partition_distance",
        _partial.partial_partition,
        partial=True,
        greater_is_better=False,
        range=UNBOUNDED,
        symmetric=True,
        metric=True,
        identifies_equality=True,
        replication_invariant=False,
        soft=False,
        by_parameters=_by_parameters.normalized_distance,
        unit=_partial.unit,
        source="Mirkin (1996); Meila (2007); Marczewski & Steinhaus (1958)",
        parameters={"kind": one_of("pairs", "information"), "normalize": boolean},
    ),
)
