"""What prediction strength, stability of clusters and influence have in common."""

import numpy as np
import pytest
from sklearn.cluster import KMeans

from sklearn_clustcompare import cluster_stability, gap_statistic, prediction_strength
from sklearn_clustcompare.without_reference import influence
from sklearn_clustcompare.without_reference._fits import compared
from sklearn_clustcompare.without_reference._resamples import Sample

X = np.arange(12.0).reshape(-1, 1)


@pytest.mark.parametrize(
    "function", [prediction_strength, cluster_stability, influence, gap_statistic]
)
def test_labels_and_exchanged_arguments_are_named(function):
    with pytest.raises(TypeError, match="^estimator must be a clusterer, .* labels alone"):
        function([0, 1] * 6, X)
    with pytest.raises(TypeError, match="^X must be data, .* the clusterer comes first$"):
        function(X, KMeans())


@pytest.mark.parametrize("at_once", [True, False])
def test_samples_with_too_few_distinct_objects_are_not_clustered(at_once):
    """Of each draw that is left, the samples and their clusterings are compared together."""
    equal, first, second = np.repeat(X[:1], 4, axis=0), X[:4], X[4:10]
    draws = [
        [Sample(one, np.arange(len(one))) for one in pair]
        for pair in ([first, second], [first, equal], [second, first])
    ]

    def sizes(found, samples):
        return [(len(one.labels), len(two.X)) for one, two in zip(found, samples, strict=True)]

    seeds = [[1, 2], [3, 4], [5, 6]]
    found = compared(KMeans(), {"n_clusters": 2}, draws, seeds, sizes, at_once=at_once)
    assert found == [[(4, 4), (6, 6)], None, [(6, 6), (4, 4)]]
