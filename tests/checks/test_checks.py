"""Each check catches the bug that it is for, and nothing in a clusterer without bugs."""

import dataclasses
import inspect
import re
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
    parametrize_with_clusterer_checks,
)
from sklearn_clustcompare.checks import _record as _forms
from sklearn_clustcompare.checks import list_clusterer_checks
from sklearn_clustcompare.checks._record import CHECKS
from tests._examples import slow
from tests._files import REPOSITORY
from tests.checks import _clusterers as planted
from tests.checks._clusterers import ALL_PROMISES, Healthy

pytestmark = pytest.mark.usefixtures("one_thread")

# The check that is meant to catch the bug, and what else sees it.
CAUGHT = {
    planted.FitPredictDiffers: ["fit_predict_returns_the_labels", "fit_predict_takes_weights"],
    planted.FloatLabels: ["labels_are_integers"],
    # Row j of the centers has no label j.
    planted.GapInLabels: [
        "labels_are_consecutive",
        "centers_are_means",
        "centers_belong_to_the_labels",
        "inertia_is_that_of_the_labels",
    ],
    planted.AtMostThreeClusters: ["n_clusters_is_kept", "one_cluster_and_one_for_each_object"],
    # What is not the same twice is not the same in any comparison to the bit.
    planted.AnotherNumberingEachTime: [
        "same_random_state_same_labels",
        "clone_finds_the_same",
        "fit_after_set_params",
        "fit_predict_returns_the_labels",
        "fit_predict_takes_weights",
        "fit_transform_is_transform_after_fit",
        "global_random_state_is_not_read",
        "n_jobs_does_not_change_labels",
        "second_fit_forgets_the_first",
        "y_is_ignored",
    ],
    planted.SetsGlobalSeed: ["global_random_state_is_not_changed"],
    planted.ReadsGlobalState: ["global_random_state_is_not_read"],
    planted.BadStart: ["different_starts_agree"],
    planted.BadOrder: ["order_of_objects"],
    # The last objects move the centers most, also where one stands for several or for none.
    planted.OnlineUpdate: [
        "order_of_overlapping_objects",
        "centers_are_means",
        "weight_of_two_is_the_row_twice",
        "weight_of_zero_is_no_row",
    ],
    # The first feature is another one after a rotation.
    planted.FirstFeatureOnly: ["order_of_features", "rotation"],
    # What depends on the place in the data depends on the order.
    planted.AlternatesAtBorders: [
        "duplicated_rows_stay_together",
        "inertia_is_that_of_the_labels",
        "order_of_overlapping_objects",
    ],
    planted.IgnoresWeights: ["weight_of_two_is_the_row_twice", "weight_of_zero_is_no_row"],
    # A million is above 500 as well.
    planted.CutsAt500: ["shift", "far_from_zero"],
    planted.Underflows: ["scale"],
    # Sums of two blobs are near each other.
    planted.SumOfFeatures: ["rotation", "many_objects"],
    planted.DropsFirstOfFloat32: ["float32", "predict_of_another_type"],
    planted.WritesToInput: ["read_only_input", "integers"],
    planted.RoundsInput: ["input_is_not_changed", "integers"],
    planted.AssumesCOrder: ["fortran_order"],
    planted.DropsFirstOfSparse: ["sparse", "sparse_formats"],
    planted.DropsFirstOfFrame: ["data_frame"],
    planted.UsesY: ["y_is_ignored"],
    planted.PredictsWithOldCenters: ["predict_on_the_fitted_objects"],
    # Its centers are those of centered data.
    planted.CentersWhatItPredicts: [
        "predict_one_at_a_time",
        "centers_are_means",
        "centers_belong_to_the_labels",
        "inertia_is_that_of_the_labels",
    ],
    planted.WarmStart: ["second_fit_forgets_the_first", "fit_after_set_params"],
    # Another process gets a pickled copy.
    planted.PicklesRoundedCenters: ["pickle_keeps_the_labels", "another_process_predicts_the_same"],
    planted.HidesAParameter: ["clone_finds_the_same"],
    planted.MembershipsDoNotSumToOne: ["memberships_sum_to_one"],
    planted.MembershipsInAnotherOrder: ["largest_membership_is_predicted"],
    planted.NeedsTwoObjects: ["one_object"],
    planted.DividesByTheRange: ["constant_features"],
    planted.NeedsDistinctRows: ["more_clusters_than_distinct_rows"],
    planted.ReplacesNaN: ["nan"],
    # Two of the blobs look the same: which one is cut depends on seed and directions.
    planted.LargestFeatureOnly: [
        "separated_blobs_are_found",
        "many_features",
        "many_objects",
        "rotation",
    ],
    planted.KeepsTheWorstStart: ["more_starts_are_not_worse"],
    planted.TwoClustersOfManyObjects: ["floor_on_iris"],
    planted.LosesFeaturesBeforeThe13th: ["floor_on_wine"],
    planted.OneOfManyFeatures: ["floor_on_breast_cancer", "many_features"],
    planted.ComparesAllTriples: ["memory_growth"],
    planted.GivesNewLabels: ["predict_new_and_far_objects"],
    planted.SkipsBordersOfBlocks: ["many_objects"],
    planted.AtLeastTwoClusters: ["one_cluster_and_one_for_each_object"],
    planted.MergesSmallClusters: ["small_cluster_is_kept"],
    planted.First32Features: ["many_features"],
    planted.SquaresInItsType: ["integers"],
    planted.ChangesItsParameters: ["parameters_are_not_changed"],
    planted.KeepsAView: ["input_may_change_after_the_fit"],
    planted.DependsOnJobs: ["n_jobs_does_not_change_labels"],
    planted.ExpandsInFloat32: ["far_from_zero"],
    # Means and inertia are those of the centers with the right labels.
    planted.CentersInAnotherOrder: [
        "centers_belong_to_the_labels",
        "centers_are_means",
        "inertia_is_that_of_the_labels",
    ],
    planted.CentersAreMedians: ["centers_are_means", "inertia_is_that_of_the_labels"],
    planted.InertiaOfAnotherStep: ["inertia_is_that_of_the_labels"],
    planted.CountsStepsFromZero: ["n_iter_is_positive"],
    planted.AcceptsInfinity: ["infinity"],
    planted.CopiesTheRandomState: ["random_state_instance_advances"],
    planted.SquaresInFitTransform: ["fit_transform_is_transform_after_fit"],
    planted.ScoresByPosition: ["score_is_a_number"],
    planted.RoundsFrames: ["set_output_changes_the_form_only"],
    planted.ForgetsFeatureNames: ["feature_names_are_kept"],
    planted.RemembersTheNumber: ["fit_after_set_params"],
    planted.PredictsFloats: ["labels_are_integers"],
    planted.KeepsStateInTheClass: ["another_process_predicts_the_same"],
    planted.KeepsAHalfFit: ["failed_fit_leaves_nothing"],
    planted.SaysSparse: ["sparse", "sparse_formats"],
    planted.RefusesWeightsInFitPredict: ["fit_predict_takes_weights"],
    # Its centers are those of other labels too.
    planted.LabelsOfAnotherStart: [
        "predict_on_the_fitted_objects",
        "centers_are_means",
        "inertia_is_that_of_the_labels",
    ],
    planted.IntegersOfPythonOnly: ["n_clusters_of_numpy"],
    planted.StrengthsOfEqualRows: ["probabilities_are_strengths"],
    planted.PredictsHalfOfFloat32: ["predict_of_another_type"],
    planted.StartsWithoutWeights: ["weight_of_zero_is_no_row"],
    planted.Prints: ["fit_prints_nothing"],
    planted.LosesEmptyRows: ["sparse_formats"],
    planted.ReadsWithoutStrides: ["strided_view"],
}


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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.thread_unsafe(reason="clusterers with a bug change the state of others")
@pytest.mark.parametrize("kind", CAUGHT, ids=lambda kind: kind.__name__)
def test_a_planted_bug_is_caught(kind):
    assert _not_passed(_made(kind)) == {f"check_{name}" for name in CAUGHT[kind]}


@pytest.mark.thread_unsafe(reason="clusterers with a bug change the state of others")
@pytest.mark.parametrize(
    "kind",
    [slow(kind) if kind is planted.KeepsStateInTheClass else kind for kind in CAUGHT],
    ids=lambda kind: kind.__name__,
)
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


def test_the_chapter_names_the_check_that_catches_each_bug_of_its_table():
    page = (REPOSITORY / "doc" / "user_guide" / "checks.rst").read_text("utf-8")
    _, table = page.split(".. _bugs-behind-checks:")
    named = re.findall(r"^     - ``(\w+)``$", table, re.MULTILINE)
    meant = {names[0] for names in CAUGHT.values()} | {"input_is_not_changed"}
    assert len(named) == len(set(named)) >= 34
    assert set(named) <= meant


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


# --------------------------------------------------------------------------- data


def test_blobs_are_separated_and_exact_in_float32():
    for k in (2, 3, 4):
        X, y = _forms.blobs(k)
        distances = np.linalg.norm(X[:, None] - X, axis=2)
        same = y[:, None] == y
        assert distances[same].max() < 1.4 < distances[~same].min()
        assert np.array_equal(X, X.astype(np.float32))
        assert (X > 0).all()
        assert np.bincount(y).tolist() == [24, 20, 16, 12][:k]


def test_weights_of_the_line_matter():
    X, weights = _forms.weighted_line()

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


@pytest.mark.slow
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


def test_data_frames_are_not_checked_without_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(SkipTest, match="pandas is not installed"):
        checks.check_data_frame(Healthy())


# --------------------------------------------------------------------------- what applies


def _names(estimator, **options):
    results = check_clusterer(estimator, on_fail=None, on_skip=None, **options)
    return {result["check_name"] for result in results}


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


def test_a_check_alone_is_skipped_where_it_makes_no_sense():
    with pytest.raises(SkipTest, match="check_memberships_sum_to_one needs a method predict_proba"):
        checks.check_memberships_sum_to_one(KMeans())


class NonDeterministic(planted.AnotherNumberingEachTime):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.non_deterministic = True
        return tags


class AllowsNaN(planted.ReplacesNaN):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


@pytest.mark.slow
def test_tags_of_scikit_learn_decide_what_is_checked():
    assert "check_same_random_state_same_labels" not in _names(NonDeterministic())


@pytest.mark.slow
@pytest.mark.parametrize("kind", [NonDeterministic, AllowsNaN])
def test_clusterers_pass_what_their_tags_leave(kind):
    assert _not_passed(kind()) == set()


@pytest.mark.slow
def test_pipelines_and_mixtures_are_clusterers():
    results = check_clusterer(make_pipeline(PCA(n_components=1), KMeans(n_init=5)), on_fail=None)
    by_name = {result["check_name"]: result["status"] for result in results}
    assert by_name["check_n_clusters_is_kept"] == "passed"
    assert by_name["check_separated_blobs_are_found"] == "passed"
    checks.check_n_clusters_is_kept(GaussianMixture())
    checks.check_fit_predict_returns_the_labels(GaussianMixture())


@pytest.mark.slow
def test_the_parameter_of_the_number_of_clusters_can_be_named():
    assert "check_n_clusters_is_kept" not in _names(Birch(), param_name=None)
    checks.check_n_clusters_is_kept(Healthy(), param_name="n_clusters")


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
        (ValueError, {"param_name": "k"}, "^param_name must be 'auto', None or a"),
    ],
)
def test_options_that_are_none(error, options, message):
    with pytest.raises(error, match=message):
        check_clusterer(KMeans(), **options)


@pytest.mark.parametrize("run", [check_clusterer, checks.check_nan])
def test_what_is_no_estimator(run):
    with pytest.raises(TypeError, match="^estimator must be an instance, got the class KMeans"):
        run(KMeans)
    with pytest.raises(TypeError, match="^estimator must have fit and get_params, got 3"):
        run(3)


# --------------------------------------------------------------------------- peers


@pytest.mark.processes
@pytest.mark.parametrize("estimator", [KMeans(), AgglomerativeClustering()], ids=str)
def test_clusterers_of_scikit_learn_keep_their_promises(estimator):
    results = check_clusterer(estimator, promises=["shift", "scale", "rotation"])
    assert {result["status"] for result in results} == {"passed"}


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
    n_checks = sum(check.promise in (None, "shift") for check in CHECKS.values())
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
