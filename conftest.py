"""What tests and examples share: pictures are closed, what fits many clusterers is slow."""

import atexit
import gc
import os
import sys

import pytest

# Its classes are found only where they were used before; their examples run in test_public_api.py.
collect_ignore = ["sklearn_clustcompare/results.py"]

pytest_plugins = ["pytester"]  # runs pytest on tests that a test writes

os.environ["MPLBACKEND"] = "agg"
if "PYTEST_XDIST_WORKER" in os.environ:  # as many workers as cores: more threads slow each other
    os.environ["OMP_NUM_THREADS"] = "1"


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


# Ends of the names of pages and docstrings with examples that fit many clusterers.
_SLOW_EXAMPLES = (
    "README.rst",
    "candidates.rst",
    "chance.rst",
    "checks.rst",
    "consensus.rst",
    "getting_started.rst",
    "many_data_sets.rst",
    "model_selection.rst",
    "networks.rst",
    "own_index.rst",
    "pictures.rst",
    "scale.rst",
    "soft.rst",
    "without_reference.rst",
    ".ClusterStabilityDisplay.plot",
    ".NClustersDisplay",
    ".NClustersDisplay.from_estimator",
    ".NClustersDisplay.plot",
    ".NullDistributionDisplay.plot",
    ".StabilitySearch",
    ".check_clusterer",
    ".choose_n_clusters",
    ".permutation_test",
    ".pvalue_adjusted_mutual_info_score",
)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Look for garbage neither during the collection nor, later, in what was collected."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        atexit.register(gc.unfreeze)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark slow examples, which cannot be marked where they stand."""
    for item in items:
        if isinstance(item, pytest.DoctestItem) and item.name.endswith(_SLOW_EXAMPLES):
            item.add_marker("slow")
