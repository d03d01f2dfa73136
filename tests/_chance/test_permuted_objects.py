"""Objects with weights are permuted as objects that are repeated."""

import numpy as np
import pytest

from sklearn_clustcompare import chance_adjusted_score, permutation_test

RNG = np.random.default_rng(1)
U, V = RNG.dirichlet(np.ones(3), 12), RNG.dirichlet(np.ones(4), 12)
SIDES = {
    "memberships": (U, V),
    "mixed": (U, V.argmax(axis=1)),
    "labels": (U.argmax(axis=1), V.argmax(axis=1)),
}
WEIGHTS = np.arange(12) % 4 * 5
BLOCKS = np.repeat([0, 1], [5, 7])
OPTIONS = {"index": "normalized_mutual_info_score", "method": "monte_carlo"}


@pytest.mark.parametrize("blocks", [None, BLOCKS], ids=["anywhere", "in blocks"])
@pytest.mark.parametrize("case", SIDES)
def test_weights_are_repeated_objects(case, blocks):
    again = np.repeat(np.arange(12), WEIGHTS)
    weighted, repeated = (
        permutation_test(
            *(side[chosen] for side in SIDES[case]),
            sample_weight=weights,
            blocks=None if blocks is None else blocks[chosen],
            n_resamples=29,
            random_state=0,
            **OPTIONS,
        )
        for chosen, weights in ((np.arange(12), WEIGHTS), (again, None))
    )
    assert weighted.statistic == pytest.approx(repeated.statistic, rel=1e-12)
    np.testing.assert_allclose(weighted.null_distribution, repeated.null_distribution, rtol=1e-12)


@pytest.mark.parametrize("weight", [10**6 // 12 + 1, 2**53])
def test_very_many_copies_are_refused_where_they_are_drawn_only(weight):
    weights = np.full(12, weight)
    with pytest.raises(ValueError, match="^sample_weight must sum to at most 1,000,000 to permute"):
        permutation_test(U, V, sample_weight=weights, **OPTIONS)
    found = chance_adjusted_score(U, V, index="rand_score", sample_weight=np.full(12, 10**7))
    assert found.method == "exact"
