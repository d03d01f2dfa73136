"""What a test sees by default, and what it sees when it may take long."""

import pytest
from hypothesis import settings

# For properties with costly examples; the random profile keeps all of its own.
FEW_EXAMPLES = settings(
    max_examples=5 if settings.default.derandomize else settings.default.max_examples
)

# Indices that cost hundreds of times as much as others.
COSTLY_INDICES = {
    "pvalue_adjusted_mutual_info_score",
    "reduced_mutual_info_score",
    "standardized_mutual_info_score",
}


def slow(*values, **options):
    """Return values of a parameter with which a test is marked slow."""
    return pytest.param(*values, marks=pytest.mark.slow, **options)
