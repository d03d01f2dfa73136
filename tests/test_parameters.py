"""Rules of parameters that many functions share."""

import inspect
from functools import partial

import numpy as np
import pytest

from sklearn_clustcompare.plot import NullDistributionDisplay
from sklearn_clustcompare.significance import PermutationModel
from tests._functions import differ, leaves
from tests.test_progress import CALLS, PRED, PUBLIC, TRUE, call

# Every function with a source of randomness.
RANDOM = {
    name: partial(call, name)
    for name in CALLS
    if "random_state" in inspect.signature(PUBLIC[name]).parameters
} | {
    "rvs": partial(PermutationModel([5, 4], [3, 3, 3]).rvs, 4),
    "display": lambda random_state: (
        NullDistributionDisplay.from_predictions(
            TRUE, PRED, index="purity_score", n_resamples=19, random_state=random_state
        ).result
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RANDOM)
def test_seed_sequences_are_sources_of_randomness(name):
    sources = np.random.SeedSequence(7), np.random.SeedSequence(7), np.random.default_rng(7)
    first, *others = (leaves(RANDOM[name](random_state=source)) for source in sources)
    assert not any(differ(first, other) for other in others)


@pytest.mark.parametrize("name", RANDOM)
@pytest.mark.parametrize("random_state", ["seven", -1, 2**32, 1.5])
def test_bad_sources_of_randomness(name, random_state):
    with pytest.raises(ValueError, match=f"^random_state must be None, .*; got {random_state!r}$"):
        RANDOM[name](random_state=random_state)


def test_the_largest_seed_is_one():
    for seed in (0, 2**32 - 1):
        assert len(RANDOM["score_interval"](random_state=seed).interval) == 2
