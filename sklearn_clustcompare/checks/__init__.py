"""Checks of clusterers for their authors: properties, limits, and accepted results."""
# ruff: noqa: F401 single checks are here to run alone, and no public names of the package

from sklearn_clustcompare._options import show_types
from sklearn_clustcompare.checks._assertion import assert_clustering
from sklearn_clustcompare.checks._assertion import assert_not_worse as assert_not_worse
from sklearn_clustcompare.checks._baseline import ClusteringBaseline as ClusteringBaseline
from sklearn_clustcompare.checks._gates import BaselineComparison as BaselineComparison
from sklearn_clustcompare.checks._input import (
    check_centers_are_means,
    check_centers_belong_to_the_labels,
    check_constant_features,
    check_data_frame,
    check_duplicated_rows_stay_together,
    check_far_from_zero,
    check_fit_predict_returns_the_labels,
    check_fit_predict_takes_weights,
    check_fit_prints_nothing,
    check_float32,
    check_fortran_order,
    check_inertia_is_that_of_the_labels,
    check_infinity,
    check_input_is_not_changed,
    check_integers,
    check_labels_are_consecutive,
    check_labels_are_integers,
    check_many_features,
    check_more_clusters_than_distinct_rows,
    check_n_clusters_is_kept,
    check_n_clusters_of_numpy,
    check_n_iter_is_positive,
    check_nan,
    check_one_cluster_and_one_for_each_object,
    check_one_object,
    check_order_of_features,
    check_order_of_objects,
    check_order_of_overlapping_objects,
    check_parameters_are_not_changed,
    check_probabilities_are_strengths,
    check_read_only_input,
    check_rotation,
    check_scale,
    check_shift,
    check_small_cluster_is_kept,
    check_sparse,
    check_sparse_formats,
    check_strided_view,
    check_weight_of_two_is_the_row_twice,
    check_weight_of_zero_is_no_row,
    check_y_is_ignored,
)
from sklearn_clustcompare.checks._quality import (
    check_another_process_predicts_the_same,
    check_clone_finds_the_same,
    check_different_starts_agree,
    check_failed_fit_leaves_nothing,
    check_feature_names_are_kept,
    check_fit_after_set_params,
    check_fit_transform_is_transform_after_fit,
    check_floor_on_breast_cancer,
    check_floor_on_iris,
    check_floor_on_wine,
    check_global_random_state_is_not_changed,
    check_global_random_state_is_not_read,
    check_input_may_change_after_the_fit,
    check_largest_membership_is_predicted,
    check_many_objects,
    check_memberships_sum_to_one,
    check_memory_growth,
    check_more_starts_are_not_worse,
    check_n_jobs_does_not_change_labels,
    check_pickle_keeps_the_labels,
    check_predict_new_and_far_objects,
    check_predict_of_another_type,
    check_predict_on_the_fitted_objects,
    check_predict_one_at_a_time,
    check_random_state_instance_advances,
    check_same_random_state_same_labels,
    check_score_is_a_number,
    check_second_fit_forgets_the_first,
    check_separated_blobs_are_found,
    check_set_output_changes_the_form_only,
)
from sklearn_clustcompare.checks._run import (
    check_clusterer,
    parametrize_with_clusterer_checks,
)
from sklearn_clustcompare.checks._run import (
    list_clusterer_checks as list_clusterer_checks,
)

__all__ = [
    "ClusteringBaseline",
    "assert_clustering",
    "assert_not_worse",
    "check_clusterer",
    "list_clusterer_checks",
    "parametrize_with_clusterer_checks",
]

show_types(globals())
