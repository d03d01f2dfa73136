"""Indices as they are chosen: with parameters of their own, and common ones."""

from functools import partial

import numpy as np
import pytest
import sklearn.metrics

from sklearn_clustcompare import (
    chance_adjusted_score,
    get_index,
    normalized_mutual_info_score,
    permutation_test,
    rand_score,
    score_candidates,
)
from sklearn_clustcompare.indices import read_index
from tests._errors import said_by

RNG = np.random.default_rng(0)
TRUE, PRED = RNG.integers(3, size=40), RNG.integers(4, size=40)


MAX = {"average_method": "max"}


@pytest.mark.parametrize(
    "given",
    [
        "nmi:average_method=max",
        "normalized_mutual_info_score:average_method=max",
        partial(normalized_mutual_info_score, average_method="max"),
        partial(get_index("nmi"), average_method="max"),
        partial(partial(normalized_mutual_info_score), average_method="max"),
    ],
    ids=lambda given: given if isinstance(given, str) else "partial",
)
def test_parameters_are_given_with_an_index(given):
    index, parameters = read_index(given)
    assert (index.name, parameters) == ("normalized_mutual_info_score", MAX)
    expected = sklearn.metrics.normalized_mutual_info_score(TRUE, PRED, average_method="max")
    scores = score_candidates(TRUE, [PRED], indices=[given, "nmi"])
    full = "normalized_mutual_info_score:average_method=max"
    title = given if isinstance(given, str) else full
    assert list(scores.scores) == [title, "nmi"]
    assert scores.scores[title][0] == pytest.approx(expected, rel=1e-14)
    assert scores.parameters[title] == MAX
    assert scores.best(given) == 0
    other = permutation_test(TRUE, PRED, index=given)
    assert other.pvalue == permutation_test(TRUE, PRED, index="nmi", **MAX).pvalue
    assert other.statistic == pytest.approx(expected, rel=1e-14)


def test_parameters_of_several_indices_go_to_those_without_their_own():
    scores = score_candidates(TRUE, [PRED], indices=["nmi", "nmi:q=2", "ari"], q=0.5).parameters
    assert [one.get("q") for one in scores.values()] == [0.5, 2, None]


@pytest.mark.parametrize(
    ("given", "parameters", "error", "message"),
    [
        ("nmi:q=2", {"q": 3}, TypeError, "q must be given once, got q=2 with the index and q=3"),
        ("nmi:beta=2", {}, TypeError, "normalized_mutual_info_score takes 'q', 'average_method'"),
        ("nmi:q=0", {}, ValueError, "q must be a number from 0.001"),
        (partial(rand_score, sample_weight=[1]), {}, TypeError, "rand_score takes no parameters"),
        (partial(rand_score, TRUE), {}, ValueError, "index must be one of "),
        ("nmi:q", {}, ValueError, "an index must be NAME or NAME:key=value"),
    ],
)
def test_parameters_that_are_refused(given, parameters, error, message):
    for function in (permutation_test, chance_adjusted_score):
        said = said_by(error, partial(function, TRUE, PRED), index=given, **parameters)
        assert said.startswith(message)


def test_common_parameters_that_no_index_is_left_for_are_refused():
    said = said_by(TypeError, partial(score_candidates, TRUE, [PRED]), indices="nmi:q=2", q=3)
    assert said.startswith("q must be given once")
