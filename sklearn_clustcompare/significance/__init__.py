"""Is an agreement more than chance, and is one clustering better than another?"""

from sklearn_clustcompare.significance._tests import (
    ChanceAdjustedScore,
    IndependenceTestResult,
    PairedComparisonResult,
    chance_adjusted_score,
    independence_test,
    paired_comparison_test,
)

__all__ = [
    "ChanceAdjustedScore",
    "IndependenceTestResult",
    "PairedComparisonResult",
    "chance_adjusted_score",
    "independence_test",
    "paired_comparison_test",
]
