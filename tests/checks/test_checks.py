"""Each check catches the bug that it is for, and nothing in a clusterer without bugs."""

import inspect
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from sklearn.cluster import AgglomerativeClustering, Birch, KMeans
from sklearn.decomposition import PCA
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from sklearn_clustcompare import (
    check_clusterer,
    checks,
)
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


def _made(kind):
    return getattr(kind, "make", kind)()


def _not_passed(estimator, **options):
    results = check_clusterer(
        estimator, promises=ALL_PROMISES, on_fail=None, on_skip=None, **options
    )
    return {result["check_name"] for result in results if result["status"] != "passed"}


# --------------------------------------------------------------------------- planted bugs


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
    named = re.findall(r"^   \".*, \"``(\w+)``\"$", table, re.MULTILINE)
    meant = {names[0] for names in CAUGHT.values()} | {"input_is_not_changed"}
    assert len(named) == len(set(named)) >= 34
    assert set(named) <= meant


# --------------------------------------------------------------------------- the form of results


@pytest.mark.slow
@pytest.mark.usefixtures("few_checks")
def test_results_have_the_form_of_scikit_learn():
    theirs = check_estimator(KMeans(), on_fail=None, on_skip=None)[0]
    ours = check_clusterer(KMeans())
    assert all(result.keys() == theirs.keys() for result in ours)
    assert ours[0]["expected_to_fail_reason"] == theirs["expected_to_fail_reason"]
    assert ours[0]["expected_to_fail"] is theirs["expected_to_fail"] is False


# --------------------------------------------------------------------------- what applies


def _names(estimator, **options):
    results = check_clusterer(estimator, on_fail=None, on_skip=None, **options)
    return {result["check_name"] for result in results}


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


# --------------------------------------------------------------------------- peers


@pytest.mark.processes
@pytest.mark.parametrize("estimator", [slow(KMeans()), AgglomerativeClustering()], ids=str)
def test_clusterers_of_scikit_learn_keep_their_promises(estimator):
    results = check_clusterer(estimator, promises=["shift", "scale", "rotation"])
    assert {result["status"] for result in results} == {"passed"}
