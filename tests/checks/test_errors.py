"""What is wrong is an error that names it."""

import numpy as np
import pytest
from sklearn.cluster import KMeans

from sklearn_clustcompare import (
    assert_clustering,
    check_clusterer,
    checks,
    parametrize_with_clusterer_checks,
)
from tests._errors import error_cases, using
from tests.checks._accepted import GOOD, Y

checked = using(check_clusterer, KMeans())
asserted, parametrized = using(assert_clustering, Y, GOOD), using(parametrize_with_clusterer_checks)
instances = (check_clusterer, checks.check_nan)
VALUE_ERRORS = {
    # thresholds
    "^rand_score must be a finite number, got nan": asserted(rand_score=np.nan),
    "rand_scor": asserted(rand_scor=0.7),
    "^confidence_level must lie": asserted(rand_score=0.7, confidence_level=95),
    "same length": using(assert_clustering)(Y, GOOD[1:], rand_score=0.5),
    # checks
    "^promises must be among .*got 'shifts'; did you": checked(promises=["shifts"]),
    "^on_fail must be one of": checked(on_fail="stop"),
    "^on_skip must be one of": checked(on_skip="raise"),
    "^callback must be None with on_fail='raise'": checked(callback=print),
    "^expected_failed_checks must": checked(expected_failed_checks={"check_nans": ""}),
    "^expected_failed_checks must name checks": parametrized(
        [KMeans()], expected_failed_checks=lambda _: {"x": ""}
    ),
    "^param_name must be 'auto', None or a": checked(param_name="k"),
    "^data must be one of 'continuous'": checked(data="numbers"),
    "^data must name a form or hold data sets, got none": checked(data=[]),
    "^y of the data 'a' must be given where limits are": checked(
        data=[("a", [[0]], None, {"rand_score": 1})]
    ),
}

TYPE_ERRORS = {
    # thresholds
    "^at least one limit must be given": [asserted(), asserted(confidence_level=0.9)],
    "^rand_score must be an int or a float, got '0.7'": asserted(rand_score="0.7"),
    # checks
    "^estimator must be an instance, got the class KMeans": [
        *(using(run)(KMeans) for run in instances),
        parametrized([KMeans]),
    ],
    "^estimator must have fit and get_params, got 3": [using(run)(3) for run in instances],
    r"^data must hold tuples \(name, X, y, limits\)": checked(data=[("iris", 1)]),
    "^fit_params must be a dict, a function of X, or None": checked(fit_params=["a"]),
}


@error_cases(VALUE_ERRORS, TYPE_ERRORS)
def test_what_is_wrong_is_named(error, text, call):
    with pytest.raises(error, match=text):
        call()
