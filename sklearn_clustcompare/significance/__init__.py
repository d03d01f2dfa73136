"""Is an agreement more than chance, how accurate is it, and which clustering is the better one?"""

from sklearn_clustcompare.significance._intervals import ScoreInterval, score_interval
from sklearn_clustcompare.significance._paired import (
    PairedComparisonResult,
    paired_comparison_test,
)
from sklearn_clustcompare.significance._tests import (
    ChanceAdjustedScore,
    IndependenceTestResult,
    chance_adjusted_score,
    independence_test,
)

__all__ = [
    "ChanceAdjustedScore",
    "IndependenceTestResult",
    "PairedComparisonResult",
    "ScoreInterval",
    "chance_adjusted_score",
    "independence_test",
    "paired_comparison_test",
    "score_interval",
]
