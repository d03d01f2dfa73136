"""Each check catches the bug that it is for, and nothing in a clusterer without bugs."""

import inspect
import sys
from concurrent.futures import ThreadPoolExecutor
from unittest import SkipTest

import numpy as np
import pytest
from sklearn.cluster import DBSCAN, AgglomerativeClustering, Birch, KMeans
from sklearn.decomposition import PCA
from sklearn.exceptions import EstimatorCheckFailedWarning, SkipTestWarning
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from sklearn_clustcompare import (
    adjusted_rand_score,
    check_clusterer,
    checks,
    list_clusterer_checks,
    measure_fit_growth,
    parametrize_with_clusterer_checks,
)
from sklearn_clustcompare.checks import _data
from sklearn_clustcompare.checks._record import CHECKS
from tests._examples import slow
from tests.checks import _clusterers as planted
from tests.checks._clusterers import ALL_PROMISES, Healthy

pytestmark = pytest.mark.usefixtures("one_thread")

# The check that is meant to catch the bug, and what else sees it.
CAUGHT = {
    planted.FitPredictDiffers: ["fit_predict_returns_the_labels"],
    planted.FloatLabels: ["labels_are_integers"],
    planted.GapInLabels: ["labels_are_consecutive"],
    planted.AtMostThreeClusters: ["n_clusters_is_kept"],
    # What is not the same twice is not the same in any comparison to the bit.
    planted.AnotherSeedEachTime: [
        "same_random_state_same_labels",
        "clone_finds_the_same",
        "fit_predict_returns_the_labels",
        "global_random_state_is_not_read",
        "second_fit_forgets_the_first",
        "y_is_ignored",
    ],
    planted.SetsGlobalSeed: ["global_random_state_is_not_changed"],
    planted.ReadsGlobalState: ["global_random_state_is_not_read"],
    planted.BadStart: ["different_starts_agree"],
    planted.BadOrder: ["order_of_objects"],
    # The last objects move the centers most, also where one stands for several.
    planted.OnlineUpdate: ["order_of_overlapping_objects", "weight_of_two_is_the_row_twice"],
    # The first feature is another one after a rotation.
    planted.FirstFeatureOnly: ["order_of_features", "rotation"],
    # What depends on the place in the data depends on the order.
    planted.AlternatesAtBorders: ["duplicated_rows_stay_together", "order_of_overlapping_objects"],
    planted.IgnoresWeights: ["weight_of_two_is_the_row_twice"],
    planted.CutsAt500: ["shift"],
    planted.Underflows: ["scale"],
    planted.SumOfFeatures: ["rotation"],
    planted.DropsFirstOfFloat32: ["float32"],
    planted.WritesToInput: ["read_only_input"],
    planted.RoundsInput: ["input_is_not_changed"],
    planted.AssumesCOrder: ["fortran_order"],
    planted.DropsFirstOfSparse: ["sparse"],
    planted.DropsFirstOfFrame: ["data_frame"],
    planted.UsesY: ["y_is_ignored"],
    planted.PredictsWithOldCenters: ["predict_on_the_fitted_objects"],
    planted.CentersWhatItPredicts: ["predict_one_at_a_time"],
    planted.WarmStart: ["second_fit_forgets_the_first"],
    planted.PicklesRoundedCenters: ["pickle_keeps_the_labels"],
    planted.HidesAParameter: ["clone_finds_the_same"],
    planted.MembershipsDoNotSumToOne: ["memberships_sum_to_one"],
    planted.MembershipsInAnotherOrder: ["largest_membership_is_predicted"],
    planted.NeedsTwoObjects: ["one_object"],
    planted.DividesByTheRange: ["constant_features"],
    planted.NeedsDistinctRows: ["more_clusters_than_distinct_rows"],
    planted.ReplacesNaN: ["nan"],
    # Two of the blobs look the same: which one is cut depends on the seed and on the directions.
    planted.LargestFeatureOnly: [
        "separated_blobs_are_found",
        "different_starts_agree",
        "rotation",
    ],
    planted.TwoClustersOfManyObjects: ["floor_on_iris"],
    planted.LosesFeaturesBeforeThe13th: ["floor_on_wine"],
    planted.OneOfManyFeatures: ["floor_on_breast_cancer"],
    planted.ComparesAllTriples: ["memory_growth"],
}


# All checks take a third of a second.
RUN_WITH_ALL = {planted.FloatLabels, planted.FirstFeatureOnly}


@pytest.fixture
def few_checks(monkeypatch):
    """Leave the checks that tests of their results name, and a promise that none makes."""
    kept = {"labels_are_integers", "nan", "data_frame", "shift", "scale"}
    for name in set(CHECKS) - {f"check_{name}" for name in kept}:
        monkeypatch.delitem(CHECKS, name)


def _made(kind):
    return getattr(kind, "make", kind)()


def _not_passed(estimator, **options):
    results = check_clusterer(
        estimator, promises=ALL_PROMISES, on_fail=None, on_skip=None, **options
    )
    return {result["check_name"] for result in results if result["status"] != "passed"}


# --------------------------------------------------------------------------- planted bugs


@pytest.fixture(autouse=True)
def _needs_pandas():
    pytest.importorskip("pandas")


@pytest.mark.thread_unsafe(reason="memory is traced in the main thread only")
def test_a_clusterer_without_bugs_passes_all_checks():
    results = check_clusterer(Healthy(), promises=ALL_PROMISES)
    assert [result["check_name"] for result in results] == list(CHECKS)
    assert {result["status"] for result in results} == {"passed"}


@pytest.mark.slow
def test_checks_can_run_in_several_threads():
    def run(_):
        return check_clusterer(Healthy(), promises=ALL_PROMISES)

    with ThreadPoolExecutor(4) as threads:
        for results in threads.map(run, range(4)):
            # Memory is traced for the whole process.
            names = [name for name in CHECKS if name != "check_memory_growth"]
            assert [result["check_name"] for result in results] == names
            assert {result["status"] for result in results} == {"passed"}


@pytest.mark.thread_unsafe(reason="clusterers with a bug change the state of others")
@pytest.mark.parametrize(
    "kind",
    [kind if kind in RUN_WITH_ALL else slow(kind) for kind in CAUGHT],
    ids=lambda kind: kind.__name__,
)
def test_a_planted_bug_is_caught(kind):
    assert _not_passed(_made(kind)) == {f"check_{name}" for name in CAUGHT[kind]}


@pytest.mark.thread_unsafe(reason="clusterers with a bug change the state of others")
@pytest.mark.parametrize("kind", CAUGHT, ids=lambda kind: kind.__name__)
def test_the_check_that_is_meant_runs_alone(kind):
    run = getattr(checks, f"check_{CAUGHT[kind][0]}")
    run(Healthy())
    with pytest.raises(Exception) as caught:  # noqa: PT011 the clusterer itself may raise
        run(_made(kind))
    assert str(caught.value)


def test_every_check_has_a_bug_that_it_is_meant_for():
    assert {f"check_{names[0]}" for names in CAUGHT.values()} == set(CHECKS)
    broken = {
        kind
        for _, kind in inspect.getmembers(planted, inspect.isclass)
        if issubclass(kind, Healthy) and kind is not Healthy
    }
    assert broken == set(CAUGHT)


def test_checks_document_their_data_and_tolerance():
    assert 30 <= len(CHECKS) <= 45
    for name, check in CHECKS.items():
        doc = check.function.__doc__
        assert check.function.__name__ == name
        assert "Data: " in doc, name
        assert "Tolerance: " in " ".join(doc.split()), name
        assert list_clusterer_checks()[name] in doc


# --------------------------------------------------------------------------- data


def test_blobs_are_separated_and_exact_in_float32():
    for k in (2, 3, 4):
        X, y = _data.blobs(k)
        distances = np.linalg.norm(X[:, None] - X, axis=2)
        same = y[:, None] == y
        assert distances[same].max() < 1.4 < distances[~same].min()
        assert np.array_equal(X, X.astype(np.float32))
        assert (X > 0).all()
        assert np.bincount(y).tolist() == [24, 20, 16, 12][:k]


def test_weights_of_the_line_matter():
    X, weights = _data.weighted_line()

    def best_split(weights):
        costs = []
        for cut in range(1, 40):
            sides = slice(0, cut), slice(cut, 40)
            costs.append(
                sum(
                    weights[s].sum() * np.cov(X[s].T, fweights=weights[s], ddof=0).trace()
                    if len(X[s]) > 1
                    else 0
                    for s in sides
                )
            )
        return np.arange(40) > np.argmin(costs)

    ignored = best_split(np.ones(40, int))
    assert adjusted_rand_score(best_split(weights), ignored) < 0.5


# --------------------------------------------------------------------------- the form of results


@pytest.mark.usefixtures("few_checks")
def test_results_have_the_form_of_scikit_learn():
    theirs = check_estimator(KMeans(), on_fail=None, on_skip=None)[0]
    ours = check_clusterer(KMeans())
    assert all(result.keys() == theirs.keys() for result in ours)
    assert ours[0]["expected_to_fail_reason"] == theirs["expected_to_fail_reason"]
    assert ours[0]["expected_to_fail"] is theirs["expected_to_fail"] is False


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
    def skip(estimator, **options):
        msg = "pandas is not installed"
        raise SkipTest(msg)

    check = CHECKS["check_data_frame"]._replace(function=skip)
    monkeypatch.setitem(CHECKS, "check_data_frame", check)
    with pytest.warns(SkipTestWarning, match="check_data_frame is skipped: pandas is not inst"):
        results = check_clusterer(Healthy())
    skipped = [result["check_name"] for result in results if result["status"] == "skipped"]
    assert skipped == ["check_data_frame"]


def test_data_frames_are_not_checked_without_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(SkipTest, match="pandas is not installed"):
        checks.check_data_frame(Healthy())


# --------------------------------------------------------------------------- what applies


def _names(estimator, **options):
    results = check_clusterer(estimator, on_fail=None, on_skip=None, **options)
    return {result["check_name"] for result in results}


def test_checks_follow_what_the_clusterer_has():
    left_out = set(CHECKS) - _names(DBSCAN(), promises=ALL_PROMISES)
    # scikit-learn 1.6 does not say that DBSCAN takes sparse input.
    assert left_out - {"check_sparse"} == {
        f"check_{name}"
        for name in (
            *("n_clusters_is_kept", "different_starts_agree", "predict_on_the_fitted_objects"),
            *("predict_one_at_a_time", "memberships_sum_to_one", "floor_on_iris", "floor_on_wine"),
            *("largest_membership_is_predicted", "floor_on_breast_cancer"),
        )
    }
    promised = {check for check in CHECKS if CHECKS[check].promise}
    assert len(promised) == len(ALL_PROMISES)
    assert not promised & _names(AgglomerativeClustering())
    assert _names(AgglomerativeClustering(), promises="shift") & promised == {"check_shift"}


def test_a_check_alone_is_skipped_where_it_makes_no_sense():
    with pytest.raises(SkipTest, match="check_memberships_sum_to_one needs a method predict_proba"):
        checks.check_memberships_sum_to_one(KMeans())


class NonDeterministic(planted.AnotherSeedEachTime):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.non_deterministic = True
        return tags


class AllowsNaN(planted.ReplacesNaN):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def test_tags_of_scikit_learn_decide_what_is_checked():
    assert "check_same_random_state_same_labels" not in _names(NonDeterministic())


@pytest.mark.parametrize("kind", [slow(NonDeterministic), AllowsNaN])
def test_clusterers_pass_what_their_tags_leave(kind):
    assert _not_passed(kind()) == set()


def test_pipelines_and_mixtures_are_clusterers():
    results = check_clusterer(make_pipeline(PCA(n_components=1), KMeans(n_init=5)), on_fail=None)
    by_name = {result["check_name"]: result["status"] for result in results}
    assert by_name["check_n_clusters_is_kept"] == "passed"
    assert by_name["check_separated_blobs_are_found"] == "passed"
    checks.check_n_clusters_is_kept(GaussianMixture())
    checks.check_fit_predict_returns_the_labels(GaussianMixture())


def test_the_parameter_of_the_number_of_clusters_can_be_named():
    assert "check_n_clusters_is_kept" not in _names(Birch(), n_clusters_param=None)
    checks.check_n_clusters_is_kept(Healthy(), n_clusters_param="n_clusters")


# --------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("error", "options", "message"),
    [
        (ValueError, {"promises": ["shifts"]}, "^promises must be among .*got 'shifts'; did you"),
        (ValueError, {"on_fail": "stop"}, "^on_fail must be one of"),
        (ValueError, {"on_skip": "raise"}, "^on_skip must be one of"),
        (ValueError, {"callback": print}, "^callback must be None with on_fail='raise'"),
        (
            ValueError,
            {"expected_failed_checks": {"check_nans": ""}},
            "^expected_failed_checks must",
        ),
        (ValueError, {"n_clusters_param": "k"}, "^n_clusters_param must be 'auto', None or a"),
    ],
)
def test_options_that_are_none(error, options, message):
    with pytest.raises(error, match=message):
        check_clusterer(KMeans(), **options)


@pytest.mark.parametrize("run", [check_clusterer, measure_fit_growth, checks.check_nan])
def test_what_is_no_estimator(run):
    with pytest.raises(TypeError, match="^estimator must be an instance, got the class KMeans"):
        run(KMeans)
    with pytest.raises(TypeError, match="^estimator must have fit and get_params, got 3"):
        run(3)


# --------------------------------------------------------------------------- peers and growth


@pytest.mark.parametrize("estimator", [KMeans(), AgglomerativeClustering()], ids=str)
def test_clusterers_of_scikit_learn_keep_their_promises(estimator):
    results = check_clusterer(estimator, promises=["shift", "scale", "rotation"])
    assert {result["status"] for result in results} == {"passed"}


def test_growth_of_memory_is_measured():
    quadratic = measure_fit_growth(AgglomerativeClustering(linkage="average"), n_samples=200)
    assert quadratic.n_samples == (200, 800)
    assert 8 < quadratic.memory_factor < 20
    assert quadratic.time_factor > 0
    cubic = measure_fit_growth(planted.ComparesAllTriples(), n_samples=50, n_repeats=1)
    assert cubic.memory_factor > 32


# --------------------------------------------------------------------------- as tests of pytest

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


@pytest.mark.usefixtures("few_checks")
def test_each_check_is_a_test(pytester):
    pytester.makepyfile(TESTED)
    result = pytester.runpytest_inprocess("-v", "-p", "no:randomly", "-p", "no:cacheprovider")
    n_checks = len(CHECKS) - 1  # a promise that was not made
    result.assert_outcomes(passed=2 * n_checks - 2, failed=1, xfailed=1)
    result.stdout.fnmatch_lines(
        [
            "*::test_clusterer*Healthy(n_clusters=4)-check_shift* PASSED*",
            "*::test_clusterer*FloatLabels()-check_labels_are_integers* XFAIL*",
        ]
    )
    result.stdout.fnmatch_lines(["*XPASS(strict)* not so*"])


def test_parametrize_refuses_classes():
    with pytest.raises(TypeError, match="^estimator must be an instance"):
        parametrize_with_clusterer_checks([KMeans])
    with pytest.raises(ValueError, match="^expected_failed_checks must name checks"):
        parametrize_with_clusterer_checks([KMeans()], expected_failed_checks=lambda _: {"x": ""})
