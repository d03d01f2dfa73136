"""Options of reading: the same whether a function reads, or calls one that does."""

import numpy as np
import pytest

from sklearn_clustcompare import (
    cluster_decomposition,
    index_curve,
    permutation_test,
    score_candidates,
)
from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare.plot import (
    CandidateScoresDisplay,
    DecompositionDisplay,
    IndexCurveDisplay,
    NullDistributionDisplay,
)
from sklearn_clustcompare.significance import independence_test

GIVEN = {"possibilistic": True, "noise": "drop", "noise_label": [7, 8], "missing": "drop"}


def test_options_are_keywords_in_this_order():
    assert Reading(**GIVEN).keywords == GIVEN
    assert list(Reading().keywords) == list(GIVEN)
    assert Reading(*GIVEN.values()) == Reading(**GIVEN)
    assert Reading(**GIVEN, normalize=False) == Reading(**GIVEN)
    with pytest.raises(TypeError, match="positional"):
        Reading(*GIVEN.values(), True)


def null_values(result):
    return [result.statistic, result.pvalue, result.mean]


def of_decomposition(true, pred, **options):
    drawn = DecompositionDisplay.from_predictions(true, pred, **options).decomposition
    assert drawn.R == cluster_decomposition(true, pred, **options).R
    return [drawn.R, drawn.C]


def of_null_display(true, pred, **options):
    pytest.importorskip("matplotlib")
    drawn = NullDistributionDisplay.from_predictions(true, pred, n_resamples=9, **options)
    return null_values(drawn.result)


def of_independence(true, pred, **options):
    result = independence_test(true, pred, n_resamples=9, **options)
    whole = permutation_test(true, pred, index="mutual_info_score", n_resamples=9, **options)
    assert null_values(result) == null_values(whole)
    return null_values(result)


def of_candidates(true, pred, **options):
    drawn = CandidateScoresDisplay.from_predictions(true, [pred], index="rand_score", **options)
    (value,) = score_candidates(true, [pred], indices="rand_score", **options).scores["rand_score"]
    assert drawn.scores.scores["rand_score"] == [value]
    return [value, *drawn.expected]


def of_curve(true, pred, **options):
    drawn = IndexCurveDisplay.from_predictions(true, {"a": pred}, index="rand_score", **options)
    found = index_curve(true, {"a": pred}, index="rand_score", confidence_level=0.9, **options)
    scores = score_candidates(
        true, {"a": pred}, indices="rand_score", confidence_level=0.9, **options
    )
    np.testing.assert_array_equal(found.intervals[0], scores.intervals["rand_score"])
    return [*drawn.curve.values.ravel(), *found.values.ravel()]


FUNCTIONS = [of_decomposition, of_null_display, of_independence, of_candidates, of_curve]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_is_dropped_is_as_if_it_had_not_been_given(function):
    pytest.importorskip("matplotlib")
    rng = np.random.default_rng(0)
    true, pred = rng.integers(3, size=(2, 20)).tolist()
    noisy = [*true, 7, 0, None, 1], [*pred, 0, 7, 1, None]
    options = {"noise": "drop", "noise_label": 7, "missing": "drop"}
    np.testing.assert_array_equal(function(*noisy, **options), function(true, pred))


@pytest.mark.parametrize("function", [of_decomposition, of_null_display, of_independence])
def test_memberships_may_be_possibilistic(function):
    pytest.importorskip("matplotlib")
    rng = np.random.default_rng(0)
    true, pred = rng.random((2, 12, 3)) * 0.9
    assert np.isfinite(function(true, pred, possibilistic=True)).all()
    with pytest.raises(ValueError, match="must sum to 1"):
        function(true, pred)
