"""Compare clusterings: indices of external validity for scikit-learn."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sklearn_clustcompare._version import __version__ as __version__

if TYPE_CHECKING:
    from sklearn_clustcompare import results as results
    from sklearn_clustcompare._partition import (
        Cover as Cover,
    )
    from sklearn_clustcompare._partition import (
        Hierarchy as Hierarchy,
    )
    from sklearn_clustcompare._show_versions import (
        show_versions as show_versions,
    )
    from sklearn_clustcompare._table import (
        ContingencyTable as ContingencyTable,
    )
    from sklearn_clustcompare.candidates import (
        index_curve as index_curve,
    )
    from sklearn_clustcompare.candidates import (
        pairwise_scores as pairwise_scores,
    )
    from sklearn_clustcompare.candidates import (
        score_candidates as score_candidates,
    )
    from sklearn_clustcompare.checks import (
        assert_clustering as assert_clustering,
    )
    from sklearn_clustcompare.checks import (
        check_clusterer as check_clusterer,
    )
    from sklearn_clustcompare.checks import (
        parametrize_with_clusterer_checks as parametrize_with_clusterer_checks,
    )
    from sklearn_clustcompare.consensus import (
        co_association_matrix as co_association_matrix,
    )
    from sklearn_clustcompare.consensus import (
        consensus_partition as consensus_partition,
    )
    from sklearn_clustcompare.indices import (
        get_index as get_index,
    )
    from sklearn_clustcompare.indices import (
        list_indices as list_indices,
    )
    from sklearn_clustcompare.metrics import (
        adjusted_mutual_info_score as adjusted_mutual_info_score,
    )
    from sklearn_clustcompare.metrics import (
        adjusted_rand_score as adjusted_rand_score,
    )
    from sklearn_clustcompare.metrics import (
        bcubed_f_score as bcubed_f_score,
    )
    from sklearn_clustcompare.metrics import (
        bcubed_precision_score as bcubed_precision_score,
    )
    from sklearn_clustcompare.metrics import (
        bcubed_recall_score as bcubed_recall_score,
    )
    from sklearn_clustcompare.metrics import (
        completeness_score as completeness_score,
    )
    from sklearn_clustcompare.metrics import (
        dbcv_score as dbcv_score,
    )
    from sklearn_clustcompare.metrics import (
        element_centric_similarity_score as element_centric_similarity_score,
    )
    from sklearn_clustcompare.metrics import (
        f_measure_score as f_measure_score,
    )
    from sklearn_clustcompare.metrics import (
        fowlkes_mallows_score as fowlkes_mallows_score,
    )
    from sklearn_clustcompare.metrics import (
        frobenius_adjusted_rand_score as frobenius_adjusted_rand_score,
    )
    from sklearn_clustcompare.metrics import (
        homogeneity_score as homogeneity_score,
    )
    from sklearn_clustcompare.metrics import (
        match_clusters as match_clusters,
    )
    from sklearn_clustcompare.metrics import (
        matching_accuracy_score as matching_accuracy_score,
    )
    from sklearn_clustcompare.metrics import (
        mutual_info_score as mutual_info_score,
    )
    from sklearn_clustcompare.metrics import (
        normalized_mutual_info_score as normalized_mutual_info_score,
    )
    from sklearn_clustcompare.metrics import (
        omega_score as omega_score,
    )
    from sklearn_clustcompare.metrics import (
        pair_confusion_matrix as pair_confusion_matrix,
    )
    from sklearn_clustcompare.metrics import (
        pair_f_score as pair_f_score,
    )
    from sklearn_clustcompare.metrics import (
        pair_precision_score as pair_precision_score,
    )
    from sklearn_clustcompare.metrics import (
        pair_recall_score as pair_recall_score,
    )
    from sklearn_clustcompare.metrics import (
        purity_score as purity_score,
    )
    from sklearn_clustcompare.metrics import (
        rand_score as rand_score,
    )
    from sklearn_clustcompare.metrics import (
        relabel as relabel,
    )
    from sklearn_clustcompare.metrics import (
        silhouette_score as silhouette_score,
    )
    from sklearn_clustcompare.metrics import (
        standardized_mutual_info_score as standardized_mutual_info_score,
    )
    from sklearn_clustcompare.metrics import (
        v_measure_score as v_measure_score,
    )
    from sklearn_clustcompare.metrics import (
        variation_of_information_distance as variation_of_information_distance,
    )
    from sklearn_clustcompare.model_selection import (
        TransductiveSplit as TransductiveSplit,
    )
    from sklearn_clustcompare.model_selection import (
        make_clustering_scorer as make_clustering_scorer,
    )
    from sklearn_clustcompare.report import (
        cluster_decomposition as cluster_decomposition,
    )
    from sklearn_clustcompare.report import (
        clustering_comparison_report as clustering_comparison_report,
    )
    from sklearn_clustcompare.report import (
        recommend_index as recommend_index,
    )
    from sklearn_clustcompare.significance import (
        chance_adjusted_score as chance_adjusted_score,
    )
    from sklearn_clustcompare.significance import (
        paired_comparison_test as paired_comparison_test,
    )
    from sklearn_clustcompare.significance import (
        permutation_test as permutation_test,
    )
    from sklearn_clustcompare.significance import (
        sampled_reference_scores as sampled_reference_scores,
    )
    from sklearn_clustcompare.significance import (
        score_interval as score_interval,
    )
    from sklearn_clustcompare.without_reference import (
        NClustersSearch as NClustersSearch,
    )
    from sklearn_clustcompare.without_reference import (
        StabilitySearch as StabilitySearch,
    )
    from sklearn_clustcompare.without_reference import (
        choose_n_clusters as choose_n_clusters,
    )
    from sklearn_clustcompare.without_reference import (
        cluster_significance as cluster_significance,
    )
    from sklearn_clustcompare.without_reference import (
        cluster_stability as cluster_stability,
    )
    from sklearn_clustcompare.without_reference import (
        gap_statistic as gap_statistic,
    )
    from sklearn_clustcompare.without_reference import (
        prediction_strength as prediction_strength,
    )
    from sklearn_clustcompare.without_reference import (
        structure_test as structure_test,
    )

# What most people use, by the part that has it, lower layers first. A name is imported at its first
# use, with the layers below it, so that importing the package is fast.
_AT_THE_TOP = {
    "_show_versions": ("show_versions",),
    "_partition": (
        "Cover",
        "Hierarchy",
    ),
    "_table": ("ContingencyTable",),
    "indices": (
        "get_index",
        "list_indices",
    ),
    "metrics": (
        "adjusted_mutual_info_score",
        "adjusted_rand_score",
        "bcubed_f_score",
        "bcubed_precision_score",
        "bcubed_recall_score",
        "completeness_score",
        "dbcv_score",
        "element_centric_similarity_score",
        "f_measure_score",
        "fowlkes_mallows_score",
        "frobenius_adjusted_rand_score",
        "homogeneity_score",
        "match_clusters",
        "matching_accuracy_score",
        "mutual_info_score",
        "normalized_mutual_info_score",
        "omega_score",
        "pair_confusion_matrix",
        "pair_f_score",
        "pair_precision_score",
        "pair_recall_score",
        "purity_score",
        "rand_score",
        "relabel",
        "silhouette_score",
        "standardized_mutual_info_score",
        "v_measure_score",
        "variation_of_information_distance",
    ),
    "significance": (
        "chance_adjusted_score",
        "paired_comparison_test",
        "permutation_test",
        "sampled_reference_scores",
        "score_interval",
    ),
    "candidates": (
        "index_curve",
        "pairwise_scores",
        "score_candidates",
    ),
    "model_selection": (
        "TransductiveSplit",
        "make_clustering_scorer",
    ),
    "consensus": (
        "co_association_matrix",
        "consensus_partition",
    ),
    "report": (
        "cluster_decomposition",
        "clustering_comparison_report",
        "recommend_index",
    ),
    "without_reference": (
        "NClustersSearch",
        "StabilitySearch",
        "choose_n_clusters",
        "cluster_significance",
        "cluster_stability",
        "gap_statistic",
        "prediction_strength",
        "structure_test",
    ),
    "checks": (
        "assert_clustering",
        "check_clusterer",
        "parametrize_with_clusterer_checks",
    ),
}
# Parts with all public names, but those of the records that functions return.
_PARTS = (
    "indices",
    "metrics",
    "significance",
    "candidates",
    "model_selection",
    "consensus",
    "hierarchies",
    "report",
    "without_reference",
    "plot",
    "checks",
)
_HOMES = {name: part for part, names in _AT_THE_TOP.items() for name in names}
# What others call it, and what it is called here.
_OF_OTHERS = {
    "clustree": "clustering_tree",
    "compare_candidates": "score_candidates",
    "contingency_matrix": "ContingencyTable",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name in _PARTS or name == "results":
        return _import_part(name)
    if name in _HOMES:
        value = globals()[name] = getattr(_import_part(_HOMES[name]), name)
        return value
    msg = f"module {__name__!r} has no attribute {name!r}"
    if not name.startswith("_"):
        known = {one: one for one in __all__}
        known |= {one: f"{__name__}.{part}.{one}" for one, part in _in_parts().items()}
        if name in known:
            msg += f", it is {known[name]}"
        else:
            others = _import_part("indices").NAMES | _OF_OTHERS
            known |= {one: known.get(ours, ours) for one, ours in others.items()}
            msg += _import_part("_options").did_you_mean(name, known)
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return sorted([*__all__, *_PARTS, "results", "__version__"])


def _import_part(name: str) -> Any:
    return import_module(f"{__name__}.{name}")


def _in_parts() -> dict[str, str]:
    """Return the public names that are not at the top, and the part of each."""
    found = dict.fromkeys(_import_part("results").__all__, "results")
    for part in _PARTS:
        found |= dict.fromkeys(_import_part(part).__all__, part)
    return {name: part for name, part in found.items() if name not in _HOMES}
