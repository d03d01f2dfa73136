"""What tests and examples share: pictures go to no screen, and are closed."""

import os
import sys

import pytest

pytest_plugins = ["pytester"]  # runs pytest on tests that a test writes

os.environ["MPLBACKEND"] = "agg"


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
