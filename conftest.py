"""What tests and examples share: pictures go to no screen, and are closed."""

import os
import sys

import pytest

pytest_plugins = ["pytester"]  # runs pytest on tests that a test writes

os.environ["MPLBACKEND"] = "agg"
if "PYTEST_XDIST_WORKER" in os.environ:  # as many workers as cores: more threads slow each other
    os.environ["OMP_NUM_THREADS"] = "1"


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
