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


def test_each_sample_has_its_own_seed():
    """The labels are those of a fit with the seed of the sample, whatever else is drawn."""
    rng = np.random.default_rng(0)
    data = [rng.normal(size=(30, 2)) for _ in range(4)]
    samples = [Sample(one, np.arange(30)) for one in data]

    def labels(draws, seeds):
        options = KMeans(), {"n_clusters": 4}, draws, seeds
        found = compared(*options, lambda found, _: [one.labels.tolist() for one in found])
        return [one for pair in found for one in pair]

    together = labels([samples[:2], samples[2:]], [[1, 2], [3, 4]])
    assert together == [labels([[one]], [[seed]])[0] for seed, one in enumerate(samples, 1)]
