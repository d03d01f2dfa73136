"""Functions that compare two partitions of the same objects, or evaluate one by the data."""

from sklearn_clustcompare._options import show_types
from sklearn_clustcompare.indices._cell_sums import (
    bcubed_f_score,
    bcubed_precision_score,
    bcubed_recall_score,
    cramers_v_score,
    element_centric_similarity_score,
    merge_count,
    merge_distance,
    muc_f_score,
    muc_precision_score,
    muc_recall_score,
    split_count,
    tschuprow_score,
)
from sklearn_clustcompare.indices._chance import (
    adjusted_mutual_info_score,
    standardized_mutual_info_score,
    standardized_rand_score,
)
from sklearn_clustcompare.indices._coefficients import (
    pair_counting_score,
)
from sklearn_clustcompare.indices._covers import (
    average_f_score,
    omega_score,
    overlapping_normalized_mutual_info_score,
)
from sklearn_clustcompare.indices._density import (
    dbcv_score,
)
from sklearn_clustcompare.indices._entity import (
    ceaf_f_score,
    ceaf_precision_score,
    ceaf_recall_score,
    cluster_f_score,
    cluster_precision_score,
    cluster_recall_score,
    jaccard_error_rate,
    lea_f_score,
    lea_precision_score,
    lea_recall_score,
    panoptic_quality_score,
)
from sklearn_clustcompare.indices._graphs import (
    modularity_score,
)
from sklearn_clustcompare.indices._information import (
    completeness_score,
    conditional_entropy,
    homogeneity_score,
    mutual_info_score,
    normalized_information_distance,
    normalized_mutual_info_score,
    v_measure_score,
    variation_of_information_distance,
)
from sklearn_clustcompare.indices._internal import (
    between_cluster_sum_of_squares,
    calinski_harabasz_score,
    davies_bouldin_score,
    dunn_score,
    incidence_proximity_correlation,
    silhouette_score,
    within_cluster_sum_of_squares,
    xie_beni_score,
)
from sklearn_clustcompare.indices._pairs import (
    adjusted_rand_score,
    adjusted_wallace_score,
    chi_squared_statistic,
    correlation_distance,
    fowlkes_mallows_score,
    mirkin_distance,
    pair_f_score,
    pair_jaccard_score,
    pair_precision_score,
    pair_recall_score,
    partition_difference,
    projection_distance,
    rand_score,
)
from sklearn_clustcompare.indices._pvalue_adjusted import (
    pvalue_adjusted_mutual_info_score,
)
from sklearn_clustcompare.indices._reduced import (
    reduced_mutual_info_score,
)
from sklearn_clustcompare.indices._sets import (
    f_measure_score,
    inverse_purity_score,
    matching_accuracy_score,
    maximum_match_score,
    meila_heckerman_score,
    misclassification_distance,
    normalized_clustering_accuracy_score,
    normalized_pivoted_accuracy_score,
    pair_sets_score,
    purity_score,
    van_dongen_distance,
)
from sklearn_clustcompare.indices._soft import (
    frobenius_adjusted_rand_score,
)
from sklearn_clustcompare.metrics._element_centric import (
    element_centric_similarities,
)
from sklearn_clustcompare.metrics._information import categorical_entropies as categorical_entropies
from sklearn_clustcompare.metrics._information import categorical_entropy as categorical_entropy
from sklearn_clustcompare.metrics._information import (
    clustering_entropy,
    expected_mutual_info,
    mutual_info_variance,
)
from sklearn_clustcompare.metrics._pairs import (
    pair_confusion_matrix,
)
from sklearn_clustcompare.metrics._relabel import (
    relabel,
)
from sklearn_clustcompare.metrics._sets import (
    match_clusters,
)
from sklearn_clustcompare.metrics._soft import partition_coefficient as partition_coefficient
from sklearn_clustcompare.metrics._soft import partition_entropy as partition_entropy
from sklearn_clustcompare.metrics._soft import soft_self_agreement as soft_self_agreement

__all__ = [
    "adjusted_mutual_info_score",
    "adjusted_rand_score",
    "adjusted_wallace_score",
    "average_f_score",
    "bcubed_f_score",
    "bcubed_precision_score",
    "bcubed_recall_score",
    "between_cluster_sum_of_squares",
    "calinski_harabasz_score",
    "ceaf_f_score",
    "ceaf_precision_score",
    "ceaf_recall_score",
    "chi_squared_statistic",
    "cluster_f_score",
    "cluster_precision_score",
    "cluster_recall_score",
    "clustering_entropy",
    "completeness_score",
    "conditional_entropy",
    "correlation_distance",
    "cramers_v_score",
    "davies_bouldin_score",
    "dbcv_score",
    "dunn_score",
    "element_centric_similarities",
    "element_centric_similarity_score",
    "expected_mutual_info",
    "f_measure_score",
    "fowlkes_mallows_score",
    "frobenius_adjusted_rand_score",
    "homogeneity_score",
    "incidence_proximity_correlation",
    "inverse_purity_score",
    "jaccard_error_rate",
    "lea_f_score",
    "lea_precision_score",
    "lea_recall_score",
    "match_clusters",
    "matching_accuracy_score",
    "maximum_match_score",
    "meila_heckerman_score",
    "merge_count",
    "merge_distance",
    "mirkin_distance",
    "misclassification_distance",
    "modularity_score",
    "muc_f_score",
    "muc_precision_score",
    "muc_recall_score",
    "mutual_info_score",
    "mutual_info_variance",
    "normalized_clustering_accuracy_score",
    "normalized_information_distance",
    "normalized_mutual_info_score",
    "normalized_pivoted_accuracy_score",
    "omega_score",
    "overlapping_normalized_mutual_info_score",
    "pair_confusion_matrix",
    "pair_counting_score",
    "pair_f_score",
    "pair_jaccard_score",
    "pair_precision_score",
    "pair_recall_score",
    "pair_sets_score",
    "panoptic_quality_score",
    "partition_difference",
    "projection_distance",
    "purity_score",
    "pvalue_adjusted_mutual_info_score",
    "rand_score",
    "reduced_mutual_info_score",
    "relabel",
    "silhouette_score",
    "split_count",
    "standardized_mutual_info_score",
    "standardized_rand_score",
    "tschuprow_score",
    "v_measure_score",
    "van_dongen_distance",
    "variation_of_information_distance",
    "within_cluster_sum_of_squares",
    "xie_beni_score",
]

show_types(globals())

# Their examples, since a public function is made where no module would look for it.
__test__ = {name: globals()[name] for name in __all__}
