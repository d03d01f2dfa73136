"""All checks of a clusterer, at once or as tests of pytest."""

import dataclasses
from unittest import SkipTest

import pytest
from sklearn.cluster import DBSCAN, AgglomerativeClustering
from sklearn.exceptions import EstimatorCheckFailedWarning, SkipTestWarning

from sklearn_clustcompare import (
    check_clusterer,
)
from sklearn_clustcompare.checks._record import CHECKS
from tests.checks import _clusterers as planted
from tests.checks._clusterers import ALL_PROMISES, Healthy
from tests.checks.test_checks import _names


@pytest.mark.usefixtures("few_checks")
def test_failures_are_raised_or_warned_of_or_told():
    broken = planted.FloatLabels()
    with pytest.raises(AssertionError, match="labels must be integers, got float64"):
        check_clusterer(broken)
    with pytest.warns(EstimatorCheckFailedWarning, match="check_labels_are_integers"):
        check_clusterer(broken, on_fail="warn")
    told = []
    results = check_clusterer(broken, on_fail=None, callback=lambda **result: told.append(result))
    assert told == results
    (failed,) = (result for result in results if result["status"] == "failed")
    assert failed["check_name"] == "check_labels_are_integers"
    assert isinstance(failed["exception"], AssertionError)


@pytest.mark.usefixtures("few_checks")
def test_expected_failures_are_told_and_not_raised():
    reasons = {"check_labels_are_integers": "labels are weights", "check_nan": "none"}
    results = {
        result["check_name"]: result
        for result in check_clusterer(planted.FloatLabels(), expected_failed_checks=reasons)
    }
    assert results["check_labels_are_integers"]["status"] == "xfail"
    assert results["check_labels_are_integers"]["expected_to_fail_reason"] == "labels are weights"
    assert results["check_nan"]["status"] == "passed"
    assert results["check_nan"]["expected_to_fail"]


@pytest.mark.usefixtures("few_checks")
def test_a_check_that_cannot_run_is_skipped_with_a_warning(monkeypatch):
    def skip(subject):
        msg = "pandas is not installed"
        raise SkipTest(msg)

    skip.__name__ = "check_data_frame"
    check = dataclasses.replace(CHECKS["check_data_frame"], body=skip)
    monkeypatch.setitem(CHECKS, "check_data_frame", check)
    with pytest.warns(SkipTestWarning, match="check_data_frame is skipped: pandas is not inst"):
        results = check_clusterer(Healthy())
    skipped = [result["check_name"] for result in results if result["status"] == "skipped"]
    assert skipped == ["check_data_frame"]


@pytest.mark.slow
def test_checks_follow_what_the_clusterer_has():
    left_out = set(CHECKS) - _names(DBSCAN(), promises=ALL_PROMISES)
    without = set()
    for name, check in CHECKS.items():
        needs = {need.text for need in check.needs}
        if needs & {
            "a parameter for the number of clusters",
            "a parameter random_state",
            "methods transform and fit_transform",
            *(f"a method {method}" for method in ("predict", "predict_proba", "score")),
        }:
            without.add(name)
    attributes = ("centers_belong_to_the_labels", "centers_are_means", "n_iter_is_positive")
    attributes += ("inertia_is_that_of_the_labels", "probabilities_are_strengths")
    # scikit-learn 1.6 does not say that DBSCAN takes sparse input.
    optional = {"check_sparse", "check_sparse_formats"}
    assert left_out - optional == without | {f"check_{name}" for name in attributes}
    promised = {check for check in CHECKS if CHECKS[check].promise}
    assert {CHECKS[check].promise for check in promised} == set(ALL_PROMISES)
    assert not promised & _names(AgglomerativeClustering())
    assert _names(AgglomerativeClustering(), promises="shift") & promised == {
        "check_far_from_zero",
        "check_shift",
    }


TESTED = """
    from sklearn.cluster import AgglomerativeClustering, KMeans
    from sklearn_clustcompare import parametrize_with_clusterer_checks
    from tests.checks._clusterers import FloatLabels, Healthy

    def reasons(estimator):
        if isinstance(estimator, FloatLabels):
            return {"check_labels_are_integers": "floats", "check_nan": "not so"}
        return {}

    @parametrize_with_clusterer_checks(
        [Healthy(n_clusters=4), FloatLabels()], promises=["shift"], expected_failed_checks=reasons
    )
    def test_clusterer(estimator, check):
        check(estimator)
"""


@pytest.mark.slow
@pytest.mark.usefixtures("few_checks")
def test_each_check_is_a_test(pytester):
    pytester.makepyfile(TESTED)
    result = pytester.runpytest_inprocess("-v", "-p", "no:randomly", "-p", "no:cacheprovider")
    n_checks = sum(check.promise in (None, "shift") for check in CHECKS.values())
    result.assert_outcomes(passed=2 * n_checks - 2, failed=1, xfailed=1)
    result.stdout.fnmatch_lines(
        [
            "*::test_clusterer*Healthy(n_clusters=4)-check_shift* PASSED*",
            "*::test_clusterer*FloatLabels()-check_labels_are_integers* XFAIL*",
        ]
    )
    result.stdout.fnmatch_lines(["*XPASS(strict)* not so*"])
