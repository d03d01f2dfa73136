"""Objects that only one partition has, in all functions of partitions that name their objects."""

import warnings

import numpy as np
import pandas as pd
import pytest

from sklearn_clustcompare import (
    co_association_matrix,
    consensus_partition,
    paired_comparison_test,
    pairwise_scores,
    score_candidates,
)
from sklearn_clustcompare.candidates import align_partitions
from sklearn_clustcompare.metrics import adjusted_rand_score
from tests._functions import DRAWN, NAMED, differ, outcome, result_of, with_parameters

RNG = np.random.default_rng(4)
OBJECTS = [f"object {number}" for number in range(24)]
TRUE = dict(zip(OBJECTS[:20], RNG.integers(3, size=20).tolist(), strict=True))
PRED = dict(zip(OBJECTS[:3:-1], RNG.integers(4, size=20).tolist(), strict=True))
OTHER = dict(zip(OBJECTS[2:22], RNG.integers(3, size=20).tolist(), strict=True))


@pytest.mark.parametrize("name", with_parameters("labels_true", "labels_pred", "unmatched"))
def test_two_partitions_by_name(name):
    with pytest.raises(ValueError, match="objects.*unmatched='drop' or 'singleton'"):
        result_of(name, [TRUE, PRED, None])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        common = align_partitions(TRUE, PRED).labels
    found = outcome(name, [TRUE, PRED, None], unmatched="drop")
    assert not differ(found, outcome(name, [*common, None]))
    every = [*TRUE, *(one for one in PRED if one not in TRUE)]
    sides = [[side.get(one, f"alone {one}") for one in every] for side in (TRUE, PRED)]
    numbers = [pd.factorize(np.array(side, dtype=object))[0] for side in sides]
    exact = {"index": "rand_score"} if name in DRAWN else {}
    found = outcome(name, [TRUE, PRED, None], unmatched="singleton", **exact)
    if name not in NAMED:
        assert not differ(found, outcome(name, [*numbers, None], **exact))


def in_common(*partitions):
    kept = [one for one in partitions[0] if all(one in other for other in partitions)]
    return [[side[one] for one in kept] for side in partitions]


@pytest.mark.filterwarnings("ignore:coverage")
def test_candidates_are_compared_with_the_reference_one_by_one():
    given = {"pred": PRED, "other": OTHER}
    for unmatched in ("drop", "singleton"):
        found = score_candidates(TRUE, given, indices="ari", unmatched=unmatched).scores["ari"]
        expected = [adjusted_rand_score(TRUE, one, unmatched=unmatched) for one in given.values()]
        assert found.tolist() == expected
    for name, value in {"sample_weight": [1] * 20, "groups": [*range(20)]}.items():
        with pytest.raises(ValueError, match=f"^{name} must be None with unmatched='singleton'"):
            score_candidates(TRUE, given, indices="ari", unmatched="singleton", **{name: value})


@pytest.mark.filterwarnings("ignore")
def test_candidates_are_compared_with_each_other_on_what_all_have():
    options = {"index": "ari", "random_state": 0}
    found = paired_comparison_test(TRUE, PRED, OTHER, **options, unmatched="drop")
    expected = paired_comparison_test(*in_common(TRUE, PRED, OTHER), **options)
    assert found.difference == expected.difference
    assert found.interval == expected.interval


@pytest.mark.filterwarnings("ignore:coverage")
def test_pairs_of_partitions():
    given = [TRUE, PRED, OTHER]
    found = pairwise_scores(given, index="ari", unmatched="drop").values
    assert found[0, 1] == adjusted_rand_score(TRUE, PRED, unmatched="drop")
    found = pairwise_scores(given, index="ari", unmatched="singleton").values
    sides = [[side.get(one, f"alone {one}") for one in OBJECTS] for side in given]
    assert found[1, 2] == pytest.approx(adjusted_rand_score(*sides[1:]))


@pytest.mark.filterwarnings("ignore:coverage")
def test_a_consensus_names_its_objects():
    given = [TRUE, PRED, OTHER]
    found = consensus_partition(given, unmatched="drop", random_state=0)
    expected = consensus_partition(in_common(*given), random_state=0)
    assert found.labels.tolist() == expected.labels.tolist()
    assert found.objects.tolist() == [one for one in TRUE if one in PRED and one in OTHER]
    found = consensus_partition(given, unmatched="singleton", random_state=0)
    assert sorted(found.objects) == sorted(OBJECTS)


def test_what_has_no_names_is_refused():
    with pytest.raises(ValueError, match="^labels_pred must name its objects for unmatched='drop'"):
        adjusted_rand_score(TRUE, list(PRED.values()), unmatched="drop")
    with pytest.raises(ValueError, match="must have an object in common, got none"):
        adjusted_rand_score({1: 0, 2: 1}, {3: 0, 4: 1}, unmatched="drop")
    with pytest.raises(ValueError, match="^unmatched must be one of"):
        pairwise_scores([TRUE, PRED], index="ari", unmatched="keep")


@pytest.mark.parametrize("function", [consensus_partition, co_association_matrix])
def test_a_consensus_of_all_objects_leaves_none_out(function):
    with pytest.raises(ValueError, match="^unmatched must be 'error' with align=True, .* 'drop'"):
        function([TRUE, PRED], align=True, unmatched="drop")
