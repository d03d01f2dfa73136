"""The same comparison in other words: weights, orders and names that must not change a value.

Every public function of two partitions that takes weights is called. What does not stay the same is
in a table, with its reason.
"""

import math

import numpy as np
import pytest

from sklearn_clustcompare import get_index, list_indices
from tests._functions import differ, with_parameters
from tests._functions import outcome as outcome_of

FUNCTIONS = with_parameters("sample_weight")
INDICES = [name for name in list_indices() if name in FUNCTIONS]

# What weights of another scale change, or must not have: why.
CHANGES_WITH_SCALE = {
    **dict.fromkeys(list_indices(pairs=True), "n objects have n(n - 1)/2 pairs"),
    **dict.fromkeys(["standardized_rand_score", "pair_confusion_matrix"], "counts pairs"),
    **dict.fromkeys(
        [name for name in INDICES if not get_index(name).soft]
        + ["expected_mutual_info", "mutual_info_variance", "permutation_test", "independence_test"]
        + ["chance_adjusted_score"],
        "counts objects, such as those that are alone or permuted",
    ),
    **dict.fromkeys(
        ["score_interval", "paired_comparison_test", "noninferiority_test"],
        "more objects are known more exactly",
    ),
    **dict.fromkeys(
        ["chi_squared_statistic", "van_dongen_distance", "clustering_tree"], "in units of objects"
    ),
    "index_curve": "shows the mean under permutation",
    "noise_bounds": "each noise object may belong elsewhere",
    "clustering_comparison_report": "shows sizes, pairs, and p-values",
}
COSTLY = ("paired_comparison_test", "clustering_comparison_report", "permutation_test")


def outcome(name, labels, weights):
    return outcome_of(name, labels, sample_weight=weights)


def examples(name):
    """Yield three partitions of few objects, with many ties, and whole weights."""
    for seed in range(1 if name in COSTLY else 8):
        rng = np.random.default_rng(seed)
        n_objects = rng.integers(6, 14)
        labels = [rng.integers(rng.integers(2, 5), size=n_objects) for _ in range(3)]
        yield labels, rng.integers(1, 4, n_objects)


def moved(name, found, positions):
    """Return what a function finds of objects in other places."""
    return [found[place] for place in positions] if name == "relabel" else found


pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_whole_weights_are_frequencies(name):
    for labels, weights in examples(name):
        for times in (weights, 3 * weights):
            places = np.repeat(np.arange(len(times)), times)
            repeated = outcome(name, [one[places] for one in labels], None)
            assert not differ(moved(name, outcome(name, labels, times), places), repeated)


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_order_of_objects_changes_nothing(name):
    for labels, weights in examples(name):
        order = np.random.default_rng(0).permutation(len(weights))
        for scale in (1, 0.7):
            found = outcome(name, labels, scale * weights)
            if not isinstance(found, str):
                found = moved(name, found, order)
            in_order = [one[order] for one in labels]
            other = outcome(name, in_order, scale * weights[order])
            if isinstance(found, str):  # an error may show the first weight
                found, other = found.partition(", got")[0], other.partition(", got")[0]
            assert not differ(found, other)


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_scale_of_weights(name):
    changes = set()
    for labels, weights in examples(name):
        found = outcome(name, labels, weights)
        for scale in (0.1, 0.3, 1 / 3, 3, math.pi, 1e5 / 7):
            scaled = outcome(name, labels, scale * weights)
            if name not in CHANGES_WITH_SCALE:
                assert not differ(found, scaled), scale
            else:
                changes.add(differ(found, scaled) is not None)
                assert not isinstance(scaled, str) or "sample_weight" in scaled
    assert True in changes or name not in CHANGES_WITH_SCALE


@pytest.mark.slow
@pytest.mark.parametrize("name", INDICES)
def test_names_of_clusters_change_no_value(name):
    for labels, weights in examples(name):
        rng = np.random.default_rng(0)
        renamed = [rng.permutation(10)[one] for one in labels]
        texts = [np.array(list("hdacbgfeji"))[one] for one in renamed]
        for other in (renamed, texts):
            assert outcome(name, labels, weights) == outcome(name, other, weights)
            assert not differ(*(outcome(name, one, 3.7 * weights) for one in (labels, other)))


@pytest.mark.slow
@pytest.mark.parametrize("name", list_indices(symmetric=True))
def test_partitions_change_places(name):
    for (true, pred, other), weights in examples(name):
        pair, swapped = [true, pred, other], [pred, true, other]
        assert outcome(name, pair, weights) == outcome(name, swapped, weights)
        for scale in (0.1, 3.7):
            assert not differ(*(outcome(name, one, scale * weights) for one in (pair, swapped)))


def test_what_changes_is_known():
    assert len(FUNCTIONS) > 75
    assert set(CHANGES_WITH_SCALE) <= set(FUNCTIONS)
    for name in INDICES:
        claimed = get_index(name).replication_invariant
        needs_whole = not get_index(name).soft
        assert claimed == (name not in CHANGES_WITH_SCALE) or needs_whole
