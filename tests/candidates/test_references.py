"""Candidates against several references of the same objects."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import score_candidates

RNG = np.random.default_rng(0)
REFERENCES = {"first": RNG.integers(3, size=40), "second": RNG.integers(4, size=40)}
CANDIDATES = {name: RNG.integers(k, size=40) for name, k in [("a", 2), ("b", 3), ("c", 5)]}
INDICES = ["adjusted_rand_score", "van_dongen_distance"]


def _alone(**options):
    """Return values of shape (n_references, n_candidates) by index, of one reference at a time."""
    results = [
        score_candidates(one, CANDIDATES, indices=INDICES, **options) for one in REFERENCES.values()
    ]
    return {index: np.array([result.scores[index] for result in results]) for index in INDICES}


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("references", ["max", "mean"])
def test_scores_are_the_best_or_the_mean_over_the_references(references, n_jobs):
    result = score_candidates(
        REFERENCES, CANDIDATES, indices=INDICES, references=references, n_jobs=n_jobs
    )
    alone = _alone()
    over = {"max": (np.max, np.min), "mean": (np.mean, np.mean)}[references]
    for index, function in zip(INDICES, over, strict=True):
        assert result.scores[index].tolist() == function(alone[index], axis=0).tolist()
        assert np.array_equal(result.reference_scores[index], alone[index].T)
    assert result.reference_names == ["first", "second"]
    headline = str(result).splitlines()[0]
    assert headline.endswith(f", {'best' if references == 'max' else 'mean'} of 2 references")


def test_the_best_value_is_taken_by_default():
    result = score_candidates(REFERENCES, {"same": REFERENCES["second"]}, indices=INDICES)
    assert [values.tolist() for values in result.scores.values()] == [[1.0], [0.0]]


def test_one_reference_in_a_dict_is_that_reference():
    first = REFERENCES["first"]
    result = score_candidates({"first": first}, CANDIDATES, indices=INDICES, sample_weight=first)
    expected = score_candidates(first, CANDIDATES, indices=INDICES, sample_weight=first)
    assert {k: v.tolist() for k, v in result.scores.items()} == {
        k: v.tolist() for k, v in expected.scores.items()
    }


def test_an_iterator_is_read_once():
    result = score_candidates(REFERENCES, iter(CANDIDATES.values()), indices=INDICES)
    expected = score_candidates(REFERENCES, CANDIDATES, indices=INDICES)
    assert len(result) == 3
    assert np.array_equal(result.scores[INDICES[0]], expected.scores[INDICES[0]])


def test_noise_of_each_reference_is_left_out_for_it():
    references = {"with": [0, 0, 1, 1, -1], "without": [0, 0, 1, 1, 2]}
    result = score_candidates(
        references, [[5, 5, 6, 6, 6]], indices="rand_score", noise="drop", references="mean"
    )
    assert result.reference_scores["rand_score"].tolist() == [[1.0, 0.8]]
    assert result.scores["rand_score"].tolist() == [0.9]
    assert result.coverage.tolist() == [0.8]


def test_each_reference_is_aligned():
    references = {
        "whole": pd.Series([0, 0, 1, 1], index=list("abcd")),
        "turned": pd.Series([1, 1, 0, 0], index=list("dcba")),
    }
    candidate = pd.Series([1, 1, 0, 0], index=list("cdab"))
    result = score_candidates(references, [candidate], indices="rand_score", unmatched="drop")
    assert result.reference_scores["rand_score"].tolist() == [[1.0, 1.0]]


def test_a_candidate_that_fails_with_one_reference_has_failed():
    references = {"empty": [-1, -1, -1], "full": [0, 0, 1]}
    with pytest.warns(UndefinedMetricWarning, match="1 of 1 candidates have no object left"):
        result = score_candidates(references, [[0, 0, 1]], indices="rand_score", noise="drop")
    assert np.isnan(result.scores["rand_score"]).all()
    assert np.array_equal(result.reference_scores["rand_score"], [[np.nan, 1.0]], equal_nan=True)


def test_failures_are_warned_of_once():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = score_candidates(REFERENCES, [[0, 1]], indices=INDICES, error_score=-5)
    assert [str(one.message)[:25] for one in caught] == ["1 of 1 candidates failed,"]
    assert caught[0].filename == __file__
    assert result.scores[INDICES[0]].tolist() == [-5]
