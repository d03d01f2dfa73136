"""Rules of parameters that many functions share."""

import numpy as np
import pytest

from sklearn_clustcompare import (
    chance_adjusted_score,
    consensus_partition,
    paired_comparison_test,
    permutation_test,
    score_interval,
)
from sklearn_clustcompare.plot import NullDistributionDisplay
from sklearn_clustcompare.significance import PermutationModel, independence_test

TRUE, PRED = [0, 0, 1, 1, 2, 2] * 3, [0, 1, 1, 1, 2, 0] * 3
FEW = {"n_resamples": 19}

# Every function with a source of randomness; the result as something that can be compared.
RANDOM = {
    "rvs": lambda r: PermutationModel([5, 4], [3, 3, 3]).rvs(4, random_state=r).tolist(),
    "consensus": lambda r: consensus_partition([TRUE, PRED], random_state=r).labels.tolist(),
    "adjusted": lambda r: (
        chance_adjusted_score(
            TRUE, PRED, index="pair_jaccard_score", random_state=r, **FEW
        ).expected
    ),
    "permutation": lambda r: (
        permutation_test(
            TRUE, PRED, index="purity_score", method="monte_carlo", random_state=r, **FEW
        ).pvalue
    ),
    "independence": lambda r: (
        independence_test(TRUE, PRED, method="monte_carlo", random_state=r, **FEW).pvalue
    ),
    "interval": lambda r: (
        score_interval(TRUE, PRED, index="rand_score", random_state=r, n_resamples=100).interval
    ),
    "paired": lambda r: (
        paired_comparison_test(
            TRUE, PRED, TRUE[::-1], index="rand_score", random_state=r, n_resamples=100
        ).interval
    ),
    "display": lambda r: (
        NullDistributionDisplay.from_predictions(
            TRUE, PRED, index="purity_score", random_state=r, **FEW
        ).result.pvalue
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RANDOM)
def test_seed_sequences_are_sources_of_randomness(name):
    draw = RANDOM[name]
    sequence = np.random.SeedSequence(7)
    assert draw(sequence) == draw(np.random.SeedSequence(7)) == draw(np.random.default_rng(7))


@pytest.mark.parametrize("name", RANDOM)
@pytest.mark.parametrize("random_state", ["seven", -1, 2**32, 1.5])
def test_bad_sources_of_randomness(name, random_state):
    with pytest.raises(ValueError, match=f"^random_state must be None, .*; got {random_state!r}$"):
        RANDOM[name](random_state)


def test_the_largest_seed_is_one():
    assert len(RANDOM["interval"](2**32 - 1)) == len(RANDOM["interval"](0)) == 2
