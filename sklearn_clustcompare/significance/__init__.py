"""Adjustment for chance, significance tests and intervals."""

from sklearn_clustcompare._chance import (
    AllPartitionsModel,
    FixedClusterCountModel,
    MultinomialModel,
    PermutationModel,
)
from sklearn_clustcompare._options import publish
from sklearn_clustcompare.significance._adjustment import chance_adjusted_score
from sklearn_clustcompare.significance._intervals import (
    noninferiority_test,
    paired_comparison_test,
    sampled_reference_scores,
    score_interval,
)
from sklearn_clustcompare.significance._permutation import (
    independence_test,
    permutation_test,
)

__all__ = [
    "AllPartitionsModel",
    "FixedClusterCountModel",
    "MultinomialModel",
    "PermutationModel",
    "chance_adjusted_score",
    "independence_test",
    "noninferiority_test",
    "paired_comparison_test",
    "permutation_test",
    "sampled_reference_scores",
    "score_interval",
]

publish(globals())
