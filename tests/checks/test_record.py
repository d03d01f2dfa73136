"""What a check says, and whom it applies to."""

from unittest import SkipTest

import pytest
from sklearn.cluster import KMeans

from sklearn_clustcompare import (
    checks,
)
from sklearn_clustcompare.checks import list_clusterer_checks
from sklearn_clustcompare.checks._record import CHECKS
from tests.checks import _clusterers as planted


def test_checks_document_their_data_and_tolerance():
    assert len(CHECKS) == 71
    for name, check in CHECKS.items():
        assert check.name == name
        assert "Data: " in check.text, name
        assert "Tolerance: " in check.text, name
        assert check.text.startswith(list_clusterer_checks()[name])
        assert len(check.demand) <= 96, name


def test_a_failure_tells_what_is_demanded_and_how_to_declare_an_exception():
    with pytest.raises(AssertionError) as caught:
        checks.check_shift(planted.CutsAt500())
    assert caught.value.__notes__ == [
        "check_shift demands: A constant added to all features does not change separated clusters.",
        'To declare an exception: leave out the promise "shift", or '
        'expected_failed_checks={"check_shift": "the reason"}',
    ]
    with pytest.raises(AssertionError) as caught:
        checks.check_y_is_ignored(planted.UsesY())
    assert "set the tag non_deterministic, or expected_failed" in caught.value.__notes__[1]


def test_a_check_alone_is_skipped_where_it_makes_no_sense():
    with pytest.raises(SkipTest, match="check_memberships_sum_to_one needs a method predict_proba"):
        checks.check_memberships_sum_to_one(KMeans())
