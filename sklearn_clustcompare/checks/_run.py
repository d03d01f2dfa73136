"""Run all checks of a clusterer, at once or as tests of pytest."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple
from unittest import SkipTest

from sklearn import config_context
from sklearn.exceptions import EstimatorCheckFailedWarning, SkipTestWarning

from sklearn_clustcompare._options import documented_as, tells_keywords
from sklearn_clustcompare._parameters import OneOf, one_of, options_text
from sklearn_clustcompare.checks._quality import limits_of_own_data
from sklearn_clustcompare.checks._record import (
    CHECKS,
    Check,
    Data,
    NotApplicable,
    Subject,
    promises_known,
)

_known_reaction: OneOf = one_of("raise", "warn", None)
_known_skip: OneOf = one_of("warn", None)

# The default text of scikit-learn.
_NOT_EXPECTED = "Check is not expected to fail"


@tells_keywords
def check_clusterer(
    estimator: Any,
    *,
    promises: Collection[str] = (),
    param_name: str | None = "auto",
    fit_params: Mapping[str, Any] | Callable[[Any], Mapping[str, Any]] | None = None,
    data: Data | None = None,
    random_state: int = 0,
    expected_failed_checks: Mapping[str, str] | None = None,
    on_skip: str | None = "warn",
    on_fail: str | None = "raise",
    callback: Callable[..., Any] | None = None,
) -> list[dict[str, Any]]:
    """Run checks of the properties of a clusterer.

    About seventy checks of the labels, of randomness, of invariance, of predictions, of input
    without clusters, and of the clusters found in small data sets. They complement
    :func:`sklearn.utils.estimator_checks.check_estimator`, which checks the interface.

    Parameters
    ----------
    estimator : estimator object
        A clusterer, a mixture or a pipeline that ends in one. Copies of it are fitted, with its
        parameters except ``random_state`` and the number of clusters, which are set.
    promises : collection of {"order", "means", "compact", "shift", "scale", "rotation"}, default=()
        Changes of the data that do not change its clusters: any order of the objects, even if
        clusters overlap; a constant added to all features; a different unit of all features; a
        rotation. And "means": centers are means of their objects; "compact": it finds clusters as
        compact as those of k-means, so that the floors on real data sets hold.
    param_name : str or None, default="auto"
        Parameter with the number of clusters, which is set; "auto" means ``n_clusters`` or
        ``n_components``, in a pipeline those of the last step; None if there is none, as in
        density-based clustering.
    fit_params : dict, callable or None, default=None
        Keywords of ``fit``, also passed to other methods that have them, such as ``predict``; or a
        function that takes X and returns them.
    data : str, callable, collection or None, default=None
        What the clusterer takes. The form of the built-in data: "continuous", "categories",
        "mixed" (two numbers, then categories), "counts", "sequences" (a list of words),
        "distances" or "affinities" (square matrices), or a function of an array of coordinates of
        shape (n_samples, 2) that returns the objects of its rows. Or a collection of your own data
        sets, tuples ``(name, X, y, limits)``: ``limits`` are those of :func:`assert_clustering`,
        and ``y`` may be None without limits. They replace the built-in data, unless the collection
        has a form as well. None takes the form from the parameters ``metric`` and ``affinity``
        ("precomputed") and the tags, else "continuous".
    random_state : int, default=0
        Seed of every parameter ``random_state`` of the copies, and the first seed if several starts
        are compared.
    expected_failed_checks : dict, default=None
        Maps the names of checks that are expected to fail to the reasons.
    on_skip : "warn" or None, default="warn"
        Whether to warn about checks that cannot run, such as that of DataFrames without pandas.
    on_fail : "raise", "warn" or None, default="raise"
        What to do about a check that fails unexpectedly: raise its exception, warn, or only report
        it in the result.
    callback : callable, default=None
        Called with each entry of the result as keywords; not with ``on_fail="raise"``.

    Returns
    -------
    list of dict
        In the format of :func:`sklearn.utils.estimator_checks.check_estimator`: one dict for each
        check, with the keys ``estimator``, ``check_name``, ``exception``, ``status`` ("passed",
        "failed", "xfail", "skipped"), ``expected_to_fail`` and ``expected_to_fail_reason``; a table
        with ``pandas.DataFrame(results)``.

    Raises
    ------
    AssertionError
        With ``on_fail="raise"``, if a check fails; errors of the clusterer itself are raised
        unchanged.
    ValueError
        If a parameter is not one of its options, or names an unknown check or promise.
    TypeError
        If ``estimator`` is a class or not an estimator.

    Warns
    -----
    EstimatorCheckFailedWarning
        With ``on_fail="warn"``, for each check that fails.
    SkipTestWarning
        With ``on_skip="warn"``, for each check that cannot run.

    See Also
    --------
    parametrize_with_clusterer_checks : The same checks, each a test of pytest.
    list_clusterer_checks : Names and descriptions of the checks.
    assert_clustering : Compares one partition with a reference.

    Notes
    -----
    Tags of scikit-learn are respected: ``non_deterministic`` leaves out checks of equal labels,
    ``input_tags.sparse`` adds sparse input, and ``input_tags.allow_nan`` allows a missing value.
    Warnings of the clusterer are ignored. The notes of an exception state what the check demands
    and how to declare an exception. Checks share fits of the same data.

    Each check is a function of ``sklearn_clustcompare.checks`` that also runs alone:
    ``checks.check_shift(KMeans())``. The check of the limits of your own data set NAME is called
    ``check_limits_on_NAME``.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn_clustcompare import check_clusterer
    >>> results = check_clusterer(KMeans(), promises=["shift", "scale", "rotation"])
    >>> {result["status"] for result in results}
    {'passed'}

    A clusterer of square matrices of distances, and one that is only checked on own data:

    >>> from sklearn.cluster import DBSCAN
    >>> from sklearn.datasets import load_iris
    >>> results = check_clusterer(DBSCAN(metric="precomputed"))
    >>> X, y = load_iris(return_X_y=True)
    >>> own = [("iris", X, y, {"adjusted_rand_score": 0.6})]
    >>> results = check_clusterer(KMeans(n_init=3), data=own)
    >>> results[-1]["check_name"], results[-1]["status"]
    ('check_limits_on_iris', 'passed')
    """
    _known_skip("on_skip", on_skip)
    _known_reaction("on_fail", on_fail)
    if on_fail == "raise" and callback is not None:
        msg = "callback must be None with on_fail='raise'"
        raise ValueError(msg)
    subject = Subject(estimator, param_name, random_state, fit_params, data)
    expected = _checked_names(expected_failed_checks, subject)
    results = []
    for run in _checks_for(subject, promises):
        exception: Exception | None = None
        name, status = run.name, "passed"
        try:
            run(estimator)
        except NotApplicable:
            continue
        except SkipTest as error:
            exception, status = error, "skipped"
        except Exception as error:
            if on_fail == "raise" and name not in expected:
                raise
            exception, status = error, "xfail" if name in expected else "failed"
        result = {
            "estimator": estimator,
            "check_name": name,
            "exception": exception,
            "status": status,
            "expected_to_fail": name in expected,
            "expected_to_fail_reason": expected.get(name, _NOT_EXPECTED),
        }
        results.append(result)
        if status == "skipped" and on_skip == "warn":
            warnings.warn(f"{name} is skipped: {exception}", SkipTestWarning, stacklevel=2)
        if exception is not None and status != "skipped" and on_fail == "warn":
            warnings.warn(EstimatorCheckFailedWarning(**result), stacklevel=2)
        if callback is not None:
            callback(**result)
    return results


@documented_as(check_clusterer)
def parametrize_with_clusterer_checks(
    estimators: Collection[Any],
    *,
    promises: Collection[str] = (),
    param_name: str | None = "auto",
    fit_params: Mapping[str, Any] | Callable[[Any], Mapping[str, Any]] | None = None,
    data: Data | None = None,
    expected_failed_checks: Callable[[Any], Mapping[str, str]] | None = None,
) -> Any:
    """Make each check of each clusterer a test of pytest.

    It works like :func:`sklearn.utils.estimator_checks.parametrize_with_checks`.

    Parameters
    ----------
    estimators : collection of estimator objects
        Clusterers to check; see :func:`check_clusterer`.
    expected_failed_checks : callable, default=None
        Takes an estimator and returns a dict that maps the names of checks that are expected to
        fail to the reasons. Their tests are marked ``xfail(strict=True)``: if one passes, this is
        reported as a failure.

    Returns
    -------
    pytest.MarkDecorator
        Decorator of a test function that takes ``estimator`` and ``check``.

    Raises
    ------
    ValueError
        If a promise or the name of a check is unknown.
    TypeError
        If one of ``estimators`` is a class or not an estimator.

    See Also
    --------
    check_clusterer : The same checks without pytest.

    Examples
    --------
    >>> from sklearn.cluster import DBSCAN, KMeans
    >>> from sklearn_clustcompare import parametrize_with_clusterer_checks
    >>> @parametrize_with_clusterer_checks([KMeans(), DBSCAN()])
    ... def test_clusterer(estimator, check):
    ...     check(estimator)
    """
    import pytest

    parameters = []
    for estimator in estimators:
        subject = Subject(estimator, param_name, 0, fit_params, data)
        expected = _checked_names(
            expected_failed_checks and expected_failed_checks(estimator), subject
        )
        parameters += [
            pytest.param(
                estimator,
                run,
                marks=[pytest.mark.xfail(reason=expected[run.name], strict=True)]
                if run.name in expected
                else [],
            )
            for run in _checks_for(subject, promises)
        ]
    return pytest.mark.parametrize(("estimator", "check"), parameters, ids=_test_id)


def list_clusterer_checks() -> dict[str, str]:
    """List the checks of :func:`check_clusterer`.

    Use their names in ``expected_failed_checks``.

    Returns
    -------
    dict
        Maps the names of the checks, in the order in which they run, to the first line of their
        docstring.

    See Also
    --------
    check_clusterer : Runs the checks that apply to a clusterer.

    Examples
    --------
    >>> from sklearn_clustcompare.checks import list_clusterer_checks
    >>> list_clusterer_checks()["check_shift"]
    'A constant added to all features does not change separated clusters.'
    """
    return {name: check.demand for name, check in CHECKS.items()}


class _Run(NamedTuple):
    """A check of one clusterer, with fits that it shares with the others."""

    check: Check
    subject: Subject

    @property
    def name(self) -> str:
        return self.check.name

    def __call__(self, estimator: Any) -> None:
        same = estimator is self.subject.estimator
        self.check.run(self.subject if same else Subject(estimator, **self.subject.options))


def _checks_for(subject: Subject, promises: Collection[str]) -> list[_Run]:
    """Return the checks that apply to a clusterer, then those of the limits of its own data."""
    made = _checked_promises(promises)
    general = [check for check in CHECKS.values() if check.applies_to(subject, made)]
    return [_Run(check, subject) for check in (*general, *limits_of_own_data(subject))]


def _checked_promises(promises: Collection[str]) -> frozenset[str]:
    names = {promises} if isinstance(promises, str) else set(promises)
    for name in names - set(promises_known()):
        msg = f"promises must be among {options_text(promises_known(), name)}"
        raise ValueError(msg)
    return frozenset(names)


def _checked_names(expected: Mapping[str, str] | None, subject: Subject) -> dict[str, str]:
    reasons = dict(expected or {})
    known = [*CHECKS, *(check.name for check in limits_of_own_data(subject))]
    for name in reasons.keys() - set(known):
        msg = f"expected_failed_checks must name checks: {options_text(known, name)}"
        raise ValueError(msg)
    return reasons


def _test_id(value: Any) -> str:
    if isinstance(value, _Run):
        return value.name
    with config_context(print_changed_only=True):
        return re.sub(r"\s", "", str(value))
