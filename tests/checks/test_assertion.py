"""A threshold whose message says which clusters are wrong."""

import numpy as np
import pytest

from sklearn_clustcompare import (
    adjusted_rand_score,
    assert_clustering,
    clustering_comparison_report,
    score_interval,
    variation_of_information_distance,
)

TRUTH = np.repeat(["fish", "bird", "frog"], [40, 40, 20])
# Frogs are taken for birds.
FOUND = np.repeat([0, 1, 1], [40, 40, 20])
SCORE = adjusted_rand_score(TRUTH, FOUND)
DISTANCE = variation_of_information_distance(TRUTH, FOUND)


def _message(*arguments, **limits):
    with pytest.raises(AssertionError) as caught:
        assert_clustering(*arguments, **limits)
    return str(caught.value)


def test_limits_are_lowest_scores_and_highest_distances():
    assert_clustering(TRUTH, FOUND, adjusted_rand_score=SCORE)
    assert_clustering(TRUTH, FOUND, variation_of_information_distance=DISTANCE)
    above = np.nextafter(SCORE, 1)
    assert "adjusted_rand_score must be at least" in _message(
        TRUTH, FOUND, adjusted_rand_score=above
    )
    below = np.nextafter(DISTANCE, 0)
    text = _message(TRUTH, FOUND, variation_of_information_distance=below)
    assert "variation_of_information_distance must be at most" in text


def test_short_names_are_those_of_the_indices():
    # Fish, birds and frogs have 780, 780 and 190 pairs, all found together, of 780 + 1,770 found.
    assert_clustering(TRUTH, FOUND, precision=1750 / 2550, recall=1, ari=SCORE, vi=DISTANCE)
    assert "pair_precision_score must be" in _message(TRUTH, FOUND, precision=0.7)


def test_the_message_names_the_limits_that_broke_and_is_the_report():
    text = _message(TRUTH, FOUND, adjusted_rand_score=0.9, rand_score=0.5, purity_score=0.9)
    first, second, empty, *report = text.splitlines()
    assert first == f"adjusted_rand_score must be at least 0.9, got {SCORE:.3f}"
    assert second == "purity_score must be at least 0.9, got 0.800"
    assert empty == ""
    assert report == str(clustering_comparison_report(TRUTH, FOUND)).splitlines()
    assert any("frog" in line and "merged" in line for line in report)


def test_with_a_level_the_end_of_the_interval_is_compared():
    interval = score_interval(TRUTH, FOUND, index="adjusted_rand_score", random_state=0).interval
    low = interval[0]
    assert low < SCORE - 0.01
    options = {"confidence_level": 0.95}
    assert_clustering(TRUTH, FOUND, adjusted_rand_score=low, **options)
    text = _message(TRUTH, FOUND, adjusted_rand_score=low + 1e-9, **options)
    assert f"got the lower end of the 95 % interval of {SCORE:.3f}: {low:.3f}" in text
    name = "variation_of_information_distance"
    high = score_interval(TRUTH, FOUND, index=name, random_state=0).interval[1]
    assert_clustering(TRUTH, FOUND, **{name: high}, **options)
    assert "the upper end" in _message(TRUTH, FOUND, **{name: high - 1e-9}, **options)


def test_memberships_go_where_labels_go():
    soft = np.random.default_rng(0).dirichlet([1, 1, 1], 100)
    assert "got" in _message(TRUTH, soft, adjusted_rand_score=0.5)
    assert_clustering(TRUTH, soft, rand_score=0.1)
