"""Checks of the input."""

import sys
from unittest import SkipTest

import pytest

from sklearn_clustcompare import (
    checks,
)
from tests.checks._clusterers import Healthy, WritesToDistances


def test_data_frames_are_not_checked_without_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(SkipTest, match="pandas is not installed"):
        checks.check_data_frame(Healthy())


def test_a_matrix_that_is_written_to_is_found():
    with pytest.raises(AssertionError, match="^fit must not write to its input"):
        checks.check_input_is_not_changed(WritesToDistances())
