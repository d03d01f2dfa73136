"""Indices of the data and one partition."""

from __future__ import annotations

from sklearn_clustcompare.indices import _internal
from sklearn_clustcompare.indices._record import Index
from sklearn_clustcompare.indices._registry._terms import UNBOUNDED

INTERNAL = (
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
        range=UNBOUNDED,
        symmetric=False,
        soft=False,
        needs_data=True,
        source="Calinski & Harabasz (1974)",
    ),
    Index(
        "davies_bouldin_score",
        _internal.davies_bouldin,
        greater_is_better=False,
        range=UNBOUNDED,
        symmetric=False,
        soft=False,
        needs_data=True,
        source="Davies & Bouldin (1979)",
    ),
    Index(
        "within_cluster_sum_of_squares",
        _internal.within_sum_of_squares,
        greater_is_better=False,
        range=UNBOUNDED,
        symmetric=False,
        needs_data=True,
        source="Edwards & Cavalli-Sforza (1965); Bezdek (1981)",
    ),
    Index(
        "between_cluster_sum_of_squares",
        _internal.between_sum_of_squares,
        greater_is_better=True,
        range=UNBOUNDED,
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
        range=UNBOUNDED,
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
        range=UNBOUNDED,
        symmetric=False,
        needs_data=True,
        source="Xie & Beni (1991)",
    ),
)
