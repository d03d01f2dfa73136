"""A baseline, and a list of few checks."""

import pytest

from sklearn_clustcompare.checks import ClusteringBaseline
from sklearn_clustcompare.checks._record import CHECKS
from tests.checks._accepted import GOOD, X, Y


@pytest.fixture
def baseline(tmp_path):
    baseline = ClusteringBaseline(tmp_path / "baseline.json")
    baseline.accept("iris", Y, GOOD, data=X)
    return baseline


@pytest.fixture
def few_checks(monkeypatch):
    """Leave the checks that tests of their results name, and a promise that none makes."""
    kept = {"labels_are_integers", "nan", "data_frame", "shift", "scale"}
    for name in set(CHECKS) - {f"check_{name}" for name in kept}:
        monkeypatch.delitem(CHECKS, name)
