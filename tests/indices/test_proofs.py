"""Properties that are proved: the proofs, and random partitions of which each inequality holds."""

import math

import numpy as np
import pytest

from sklearn_clustcompare import adjusted_mutual_info_score
from sklearn_clustcompare.metrics import conditional_entropy, pair_sets_score

RNG = np.random.default_rng(0)
TRIPLES = [RNG.integers(RNG.integers(1, 6), size=(3, 9)) for _ in range(150)]


@pytest.mark.parametrize("q", [1.0, 1.5, 2.0, 7.0])
def test_distances_of_information_of_orders_from_one_on_are_metrics(q):
    """Conditional entropies of orders of at least 1 are subadditive: H(U|W) <= H(U|V) + H(V|W).

    Sums of both directions, and the larger one of both, then have the triangle inequality.
    """
    for u, v, w in TRIPLES:
        direct, first, second = (
            conditional_entropy(one, other, q=q) for one, other in ((u, w), (u, v), (v, w))
        )
        assert direct <= first + second + 1e-12


def test_adjusted_information_of_order_two_is_strictly_monotone():
    """A perfect split and a perfect merge raise it, with the geometric mean.

    It counts pairs. Let u and v be the shares of the pairs that are apart in the reference and in
    the candidate, and m of those apart in both: it is (m - uv) / (sqrt(uv) - uv). A perfect merge
    lowers v alone, a perfect split raises v and m by as much. The derivative by v is negative for
    fixed m, since u sqrt(v) + m / sqrt(v) >= 2 sqrt(um) > 2 m sqrt(u). Where m rises with v its
    sign is that of 1 - u/2 - sqrt(uv) + m (sqrt(u / v) - 1 / (2v)), linear in m: it is positive at
    all ends of what m can be, which are 0, u + v - 1, u and v.
    """
    n_changes = 0
    for reference, candidate, _ in TRIPLES[:60]:
        if len({*reference.tolist()}) in (1, len(reference)):
            continue
        joint = reference * 9 + candidate
        mixed = next((k for k in candidate if len({*joint[candidate == k].tolist()}) > 1), None)
        if mixed is None or len({*candidate.tolist()}) == 1:
            continue
        chosen = (candidate == mixed) & (reference == reference[candidate == mixed][0])
        split = np.where(chosen, 99, candidate)
        inside = [*dict.fromkeys(joint.tolist())]
        pure = [one for one in inside if {*reference[candidate == one % 9].tolist()} == {one // 9}]
        same = next(((a, b) for a in pure for b in pure if a < b and a // 9 == b // 9), None)
        better = [split]
        if same is not None:
            better.append(np.where(candidate == same[0] % 9, same[1] % 9, candidate))
        for one in better:
            values = [
                adjusted_mutual_info_score(reference, labels, q=2, average_method="geometric")
                for labels in (candidate, one)
            ]
            assert values[1] > values[0]
            n_changes += 1
    assert n_changes > 40


def test_one_minus_the_simplified_pair_sets_index_is_a_metric():
    """It has the triangle inequality.

    Of clusters of a and b objects that share n, 1 - n / max(a, b) is a metric, and D, the sum of
    it over the best one-to-one matching with 1 for each cluster left over, is one on partitions.
    The index divides D by K - 1, K the larger number of clusters, and stops at 1. A detour over a
    partition of K' > K clusters has K' - K of them left over that the direct way has not: it is at
    least D + K' - K, and (D + K' - K) / (K' - 1) is at least D / (K - 1), or 1 if that is more.
    """
    for u, v, w in TRIPLES:
        direct, first, second = (
            1 - pair_sets_score(one, other, simplified=True)
            for one, other in ((u, w), (u, v), (v, w))
        )
        assert direct <= first + second + 1e-12
        assert math.isfinite(direct)
