"""Run all checks of a clusterer, at once or as tests of pytest."""

from __future__ import annotations

import functools
import re
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any
from unittest import SkipTest

from sklearn import config_context
from sklearn.exceptions import EstimatorCheckFailedWarning, SkipTestWarning

from sklearn_clustcompare._parameters import OneOf, one_of, options_text
from sklearn_clustcompare.checks._record import CHECKS, promises_known
from sklearn_clustcompare.checks._subject import Subject

_known_reaction: OneOf = one_of("raise", "warn", None)
_known_skip: OneOf = one_of("warn", None)

# The default text of scikit-learn.
_NOT_EXPECTED = "Check is not expected to fail"


def check_clusterer(
    estimator: Any,
    *,
    promises: Collection[str] = (),
    n_clusters_param: str | None = "auto",
    random_state: int = 0,
    expected_failed_checks: Mapping[str, str] | None = None,
    on_skip: str | None = "warn",
    on_fail: str | None = "raise",
    callback: Callable[..., Any] | None = None,
) -> list[dict[str, Any]]:
    """Run checks of the properties of a clusterer.

    About forty checks of the labels, of randomness, of invariance, of predictions, of input without
    clusters, and of the clusters found in small data sets. They complement
    :func:`sklearn.utils.estimator_checks.check_estimator`, which checks the interface.

    Parameters
    ----------
    estimator : estimator object
        A clusterer, a mixture or a pipeline that ends in one. Copies of it are fitted, with its
        parameters except ``random_state`` and the number of clusters, which are set.
    promises : collection of {"order", "shift", "scale", "rotation"}, default=()
        Changes of the data that do not change its clusters: any order of the objects, even if
        clusters overlap; a constant added to all features; a different unit of all features; a
        rotation.
    n_clusters_param : str or None, default="auto"
        Parameter with the number of clusters, which is set; "auto" means ``n_clusters`` or
        ``n_components``, in a pipeline those of the last step; None if there is none, as in
        density-based clustering.
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
        "failed", "xfail", "skipped"), ``expected_to_fail`` and ``expected_to_fail_reason``.

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
    Warnings of the clusterer are ignored. Each check is a function of
    ``sklearn_clustcompare.checks`` that also runs alone: ``checks.check_shift(KMeans())``.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn_clustcompare import check_clusterer
    >>> results = check_clusterer(KMeans(), promises=["shift", "scale", "rotation"])
    >>> {result["status"] for result in results}
    {'passed'}
    """
    _known_skip("on_skip", on_skip)
    _known_reaction("on_fail", on_fail)
    if on_fail == "raise" and callback is not None:
        msg = "callback must be None with on_fail='raise'"
        raise ValueError(msg)
    expected = _checked_names(expected_failed_checks)
    results = []
    for name, run in _checks_for(estimator, promises, n_clusters_param, random_state):
        exception: Exception | None = None
        status = "passed"
        try:
            run(estimator)
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


def parametrize_with_clusterer_checks(
    estimators: Collection[Any],
    *,
    promises: Collection[str] = (),
    n_clusters_param: str | None = "auto",
    expected_failed_checks: Callable[[Any], Mapping[str, str]] | None = None,
) -> Any:
    """Make each check of each clusterer a test of pytest.

    It works like :func:`sklearn.utils.estimator_checks.parametrize_with_checks`.

    Parameters
    ----------
    estimators : collection of estimator objects
        Clusterers to check; see :func:`check_clusterer`.
    promises : collection of {"order", "shift", "scale", "rotation"}, default=()
        Changes of the data that do not change its clusters: any order of the objects, even if
        clusters overlap; a constant added to all features; a different unit of all features; a
        rotation.
    n_clusters_param : str or None, default="auto"
        Parameter with the number of clusters, which is set; "auto" means ``n_clusters`` or
        ``n_components``, in a pipeline those of the last step; None if there is none, as in
        density-based clustering.
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
        expected = _checked_names(expected_failed_checks and expected_failed_checks(estimator))
        parameters += [
            pytest.param(
                estimator,
                run,
                marks=[pytest.mark.xfail(reason=expected[name], strict=True)]
                if name in expected
                else [],
            )
            for name, run in _checks_for(estimator, promises, n_clusters_param, random_state=0)
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
    >>> from sklearn_clustcompare import list_clusterer_checks
    >>> list_clusterer_checks()["check_shift"]
    'A constant added to all features does not change separated clusters.'
    """
    return {
        name: (check.function.__doc__ or "").strip().splitlines()[0]
        for name, check in CHECKS.items()
    }


def _checks_for(
    estimator: Any, promises: Collection[str], n_clusters_param: str | None, random_state: int
) -> Iterator[tuple[str, Callable[[Any], None]]]:
    """Return the checks that apply to a clusterer: names, and functions of the clusterer alone."""
    subject = Subject(estimator, n_clusters_param, random_state)
    made = _checked_promises(promises)
    for name, check in CHECKS.items():
        if check.applies_to(subject, made):
            yield (
                name,
                functools.partial(
                    check.function, n_clusters_param=n_clusters_param, random_state=random_state
                ),
            )


def _checked_promises(promises: Collection[str]) -> frozenset[str]:
    names = {promises} if isinstance(promises, str) else set(promises)
    for name in names - set(promises_known()):
        msg = f"promises must be among {options_text(promises_known(), name)}"
        raise ValueError(msg)
    return frozenset(names)


def _checked_names(expected: Mapping[str, str] | None) -> dict[str, str]:
    reasons = dict(expected or {})
    for name in reasons.keys() - CHECKS.keys():
        msg = f"expected_failed_checks must name checks: {options_text(CHECKS, name)}"
        raise ValueError(msg)
    return reasons


def _test_id(value: Any) -> str:
    if isinstance(value, functools.partial):
        return str(value.func.__name__)
    with config_context(print_changed_only=True):
        return re.sub(r"\s", "", str(value))
