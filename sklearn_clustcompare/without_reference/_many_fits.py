"""Clusterings of many data sets with the same parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sklearn.base import clone

from sklearn_clustcompare.without_reference._batched_kmeans import batched_kmeans, can_batch
from sklearn_clustcompare.without_reference._fitting import Clustering, cluster, is_one_cluster

# More would use memory, and leave workers without tasks.
_AT_ONCE = 10


def sets_at_once(estimator: Any, X: Any) -> int:
    """Return how many data sets like X to cluster in one call of :func:`cluster_many`."""
    return _AT_ONCE if can_batch(estimator, X) else 1


def cluster_many(
    estimator: Any, parameters: Mapping[str, Any], data: Sequence[Any], seeds: Sequence[int]
) -> list[Clustering]:
    """Cluster data sets, each with its own seed; k-means of small ones in one go.

    The result for a data set does not depend on the others, but for its last bits.
    """
    found: list[Any] = [None] * len(data)
    model = clone(estimator).set_params(**parameters)
    is_batch = data and not is_one_cluster(estimator, parameters)
    if is_batch and all(can_batch(model, X) for X in data):
        found = batched_kmeans(model, data, seeds)
    return [
        cluster(estimator, parameters, X, seed) if one is None else Clustering(one[1], one[0], X)
        for one, X, seed in zip(found, data, seeds, strict=True)
    ]
