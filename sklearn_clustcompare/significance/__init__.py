"""Adjustment for chance, significance tests and intervals."""

from sklearn_clustcompare.significance._adjustment import (
    ChanceAdjustedScore,
    chance_adjusted_score,
)
from sklearn_clustcompare.significance._intervals import ScoreInterval, score_interval
from sklearn_clustcompare.significance._paired import (
    PairedComparisonResult,
    paired_comparison_test,
)
from sklearn_clustcompare.significance._permutation import (
    PermutationTestResult,
    independence_test,
    permutation_test,
)
from sklearn_clustcompare.significance._sampled_reference import (
    SampledReferenceScores,
    sampled_reference_scores,
)

__all__ = [
    "ChanceAdjustedScore",
    "PairedComparisonResult",
    "PermutationTestResult",
    "SampledReferenceScores",
    "ScoreInterval",
    "chance_adjusted_score",
    "independence_test",
    "paired_comparison_test",
    "permutation_test",
    "sampled_reference_scores",
    "score_interval",
]
