"""Missing labels and noise in functions of several partitions."""

import numpy as np
import pytest

from sklearn_clustcompare import pairwise_scores
from sklearn_clustcompare.consensus import element_consistency, medoid_partition
from sklearn_clustcompare.hierarchies import clustering_tree
from sklearn_clustcompare.metrics import element_centric_similarities
from sklearn_clustcompare.plot import AlluvialDisplay, ClusteringTreeDisplay, ContingencyDisplay

pd = pytest.importorskip("pandas")

N_OBJECTS = 60
RNG = np.random.default_rng(0)
LEVELS = {
    name: np.where(RNG.random(N_OBJECTS) < 0.2, np.nan, RNG.integers(4, size=N_OBJECTS))
    for name in "abc"
}
FRAME = pd.DataFrame(LEVELS)
KNOWN = FRAME.notna().all(axis=1).to_numpy()
WEIGHTS = RNG.integers(1, 4, size=N_OBJECTS)


@pytest.mark.parametrize("given", [LEVELS, FRAME, list(LEVELS.values())])
def test_a_tree_leaves_out_objects_that_one_level_lacks(given):
    found = clustering_tree(given, missing="drop", sample_weight=WEIGHTS)
    expected = clustering_tree(FRAME[KNOWN], sample_weight=WEIGHTS[KNOWN])
    assert found.tables == expected.tables
    for one, other in zip(found.stabilities, expected.stabilities, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_tree_with_missing_labels_as_a_cluster():
    found = clustering_tree(FRAME, missing="cluster")
    expected = clustering_tree(FRAME.fillna(9))
    for one, other in zip(found.stabilities, expected.stabilities, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("noise", ["drop", "singletons"])
def test_noise_of_a_tree(noise):
    levels = FRAME.fillna(-1)
    found = clustering_tree(levels, noise=noise)
    if noise == "drop":
        expected = clustering_tree(FRAME[KNOWN])
    else:
        alone = [
            [k + 10 if one == -1 else one for k, one in enumerate(levels[name])] for name in levels
        ]
        expected = clustering_tree(alone)
    for one, other in zip(found.stabilities, expected.stabilities, strict=True):
        np.testing.assert_allclose(np.sort(one), np.sort(other), rtol=1e-14)


@pytest.mark.slow
def test_what_is_drawn():
    pytest.importorskip("matplotlib")
    for make in (AlluvialDisplay.from_partitions, ClusteringTreeDisplay.from_partitions):
        with pytest.raises(ValueError, match="must not contain NaN"):
            make(FRAME)
    display = ContingencyDisplay.from_predictions("a", "b", data=FRAME, missing="drop")
    expected = ContingencyDisplay.from_predictions("a", "b", data=FRAME[["a", "b"]].dropna())
    np.testing.assert_array_equal(display.counts, expected.counts)
    display = AlluvialDisplay.from_partitions(FRAME, missing="drop")
    assert display.tables == clustering_tree(FRAME, missing="drop").tables
    display = ClusteringTreeDisplay.from_partitions(FRAME, missing="drop")
    assert display.tree.tables == clustering_tree(FRAME, missing="drop").tables


def test_consistency_is_the_mean_over_pairs_that_have_the_object():
    values = np.full((3, N_OBJECTS), np.nan)
    for row, (one, other) in enumerate([("a", "b"), ("a", "c"), ("b", "c")]):
        both = FRAME[[one, other]].notna().all(axis=1).to_numpy()
        values[row, both] = element_centric_similarities(LEVELS[one][both], LEVELS[other][both])
    seen = ~np.isnan(values).all(axis=0)
    found = element_consistency(FRAME, missing="drop")
    np.testing.assert_allclose(found[seen], np.nanmean(values[:, seen], axis=0), rtol=1e-14)
    assert np.isnan(found[~seen]).all()
    found = element_consistency(FRAME, missing="cluster")
    np.testing.assert_array_equal(found, element_consistency(FRAME.fillna(9)))


def test_a_medoid_of_partitions_with_gaps():
    found = medoid_partition(FRAME, missing="drop")
    values = pairwise_scores(FRAME, index="adjusted_rand_score", missing="drop").values
    expected = [(row.sum() - 1) / 2 for row in values]
    np.testing.assert_allclose(found.averages, expected, rtol=1e-12)
    assert medoid_partition(FRAME.fillna(-1), noise="drop").score == found.score


def test_at_least_one_object_has_to_be_left():
    with pytest.raises(ValueError, match="must leave at least one object"):
        clustering_tree([[None, "x"], ["y", None]], missing="drop")
