"""How many examples a property sees, and with which values a test is slow."""

import os

import pytest
import sklearn
from hypothesis import Phase, settings
from hypothesis import strategies as st
from sklearn.utils.fixes import parse_version

settings.register_profile(
    "deterministic",
    derandomize=True,
    deadline=None,
    max_examples=25,
    database=None,
    phases=[Phase.explicit, Phase.generate],  # examples are small without shrinking
)
settings.register_profile("random", deadline=None, max_examples=200, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "deterministic"))

# For properties with costly examples; the random profile keeps its number.
FEW_EXAMPLES = settings(
    max_examples=5 if settings.default.derandomize else settings.default.max_examples
)


def pairs_of_labels(fewest, most, largest):
    """Return two partitions of as many objects, whose labels are numbers up to the largest."""
    return st.integers(fewest, most).flatmap(
        lambda n: st.tuples(*[st.lists(st.integers(0, largest), min_size=n, max_size=n)] * 2)
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


def in_processes(*values, **options):
    """Return values of a parameter with which a test starts processes, and is marked slow."""
    return pytest.param(*values, marks=[pytest.mark.processes, pytest.mark.slow], **options)


# Searches of scikit-learn 1.6 hand weights to the fit, and none to the score.
WEIGHTS_REACH_SCORERS = parse_version(sklearn.__version__) >= parse_version("1.7")
weighted_search = pytest.mark.skipif(
    not WEIGHTS_REACH_SCORERS, reason="this version of scikit-learn scores without weights"
)
