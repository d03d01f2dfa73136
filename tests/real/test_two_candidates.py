"""The difference of two candidates: its interval and its p-value answer alike."""

import numpy as np
import pytest

import sklearn_clustcompare as clustcompare
from tests._examples import slow
from tests.real._inputs import moved, too_small_is_said, zipf_labels

INDICES = ["adjusted_rand_score", "purity_score", "normalized_mutual_info_score"]


@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize(
    ("n_samples", "n_clusters"), [(1_000, 12), (1_000, 60), slow(20_000, 60), slow(20_000, 300)]
)
@too_small_is_said
def test_the_interval_excludes_zero_if_the_p_value_is_small(index, n_samples, n_clusters):
    y = zipf_labels(n_samples, n_clusters)
    good = moved(y, 0.1, seed=1)
    for bad, differs in ((moved(y, 0.6, seed=2), True), (moved(y, 0.1, seed=3), None)):
        test = clustcompare.paired_comparison_test(y, good, bad, index=index)
        low, high = test.interval
        assert low <= test.difference - test.bias <= high
        is_apart = not low <= 0 <= high
        assert is_apart == (test.pvalue < 0.05)
        if differs:
            assert is_apart


@pytest.mark.parametrize("index", INDICES)
@too_small_is_said
def test_candidates_are_compared_as_two_are(index):
    y = zipf_labels(2_000, 60)
    runs = {f"{share:.0%}": moved(y, share, seed=1) for share in (0.1, 0.3, 0.6)}
    scores = clustcompare.score_candidates(y, runs, indices=index, confidence_level=0.95)
    frame = scores.compare().to_frame()
    assert np.all(frame["pvalue"].dropna() < 0.05)
