"""Compare clusterings: indices of external validity for scikit-learn."""

import sys
from importlib import import_module
from opcode import opmap
from typing import Any

from sklearn_clustcompare._version import __version__ as __version__

# What most people use, by the part that has it, lower layers first. A name is imported at its first
# use, with the layers below it, so that importing the package is fast. Editors read __init__.pyi.
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
    "AlluvialDisplay": "sankey",
    "ContingencyDisplay": "heatmap plot_confusion",
    "ContingencyTable.from_labels(labels_true, labels_pred)": (
        "confusion_matrix contingency_matrix contingency_table crosstab"
    ),
    "SilhouetteDisplay": "silhouette_samples",
    "adjusted_rand_score": "adj_rand_index arandi",
    "metrics.ceaf_f_score(..., similarity='dice')": "ceaf_e ceaf_e_score ceafe",
    "chance_adjusted_score(labels_true, labels_pred, index=...)": "adjust_for_chance",
    "choose_n_clusters": "best_k elbow find_k NbClust optimal_k select_k",
    "cluster_decomposition": "cluster_jaccard",
    "cluster_stability": "clusterboot stability_score",
    "clustering_comparison_report": "compare evaluate",
    "clustering_comparison_report(labels_true, labels_pred).to_frame()": "per worst",
    "clustering_tree": "clustree",
    "co_association_matrix": "coassoc posterior_similarity_matrix",
    "compare_hierarchies": "bk_plot compare_dendrograms tanglegram",
    "consensus_partition": "ensemble minimize_vi point_estimate posterior_point_estimate salso",
    "element_centric_similarity_score": "element_sim",
    "frobenius_adjusted_rand_score": "fuzzy_rand_index soft_rand_score",
    "make_clustering_scorer": "get_scorer",
    "match_clusters": "hungarian",
    "permutation_test(labels_true, labels_pred, index=...).mean": "expected_score",
    "relabel(labels_true, labels_pred) != labels_true": (
        "errors find_errors misassigned misassigned_objects misclassified misclassified_samples "
        "wrong"
    ),
    "relabel_partitions": "align_labels match_labels",
    "misclassification_distance": "classError error_rate",
    "numpy.random.Generator.permutation": (
        "random_labels random_partition random_partitions simulate"
    ),
    "paired_comparison_test": "compare_candidates difference_test mcnemar",
    "score_candidates": "score",
    "score_candidates(labels_true, {'name': labels_pred}, indices=[...])": (
        "clustering_metrics clustering_scores scores"
    ),
    "score_interval": "bootstrap",
    "scipy.sparse.csgraph.connected_components": "labels_from_links labels_from_pairs",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name in _PARTS or name == "results":
        return _import_part(name)
    if name in _HOMES:
        value = globals()[name] = getattr(_import_part(_HOMES[name]), name)
        return value
    raise _unknown_name(__name__, name)


def __dir__() -> list[str]:
    return sorted([*__all__, *_PARTS, "results", "__version__"])


def _unknown_name(module: str, name: str) -> Exception:
    """Return the error for a name that a module lacks, with what may have been meant."""
    msg = f"module {module!r} has no attribute {name!r}"
    if not name.startswith("_"):
        known = _known_names("" if module == __name__ else f"{__name__}.", name != name.lower())
        msg += f", it is {known[name]}" if name in known else _meant(name, known)
        # For ``from module import name`` Python replaces an AttributeError by its own text.
        caller = sys._getframe(1).f_back
        if caller and caller.f_code.co_code[caller.f_lasti] == opmap["IMPORT_FROM"]:
            return ImportError(msg, name=name)
    # Without the module, in which Python would look for names that are like it.
    return AttributeError(msg, name=name, obj=None)


def _known_names(top: str = "", of_results: bool = False) -> dict[str, str]:
    """Return all public names, as one says them where names at the top begin with ``top``.

    Functions return results, which nobody looks for by a name in small letters.
    """
    return {name: top + name for name in _HOMES} | {
        name: f"{__name__}.{part}.{name}"
        for name, part in _in_parts().items()
        if part != "results" or of_results
    }


def _meant_in_python(name: str) -> str:
    return _meant(name, _known_names(), " in Python")


def _meant(name: str, known: dict[str, str], where: str = "") -> str:
    """Write what may have been meant by a name, also by what others call it."""
    named = _import_part("indices").NAMES.items()
    names = known | {one: known.get(ours, ours) for one, ours in named}
    others = {
        one: names.get(ours, ours) for ours, theirs in _OF_OTHERS.items() for one in theirs.split()
    }
    homes = _HOMES | _in_parts()
    docs = {one: getattr(_import_part(homes[one]), one).__doc__ or "" for one in homes}
    hint: str = _import_part("_options").did_you_mean(name, names, where, others, docs)
    return hint


def _import_part(name: str) -> Any:
    return import_module(f"{__name__}.{name}")


def _in_parts() -> dict[str, str]:
    """Return the public names that are not at the top, and the part of each."""
    found = dict.fromkeys(_import_part("results").__all__, "results")
    for part in _PARTS:
        found |= dict.fromkeys(_import_part(part).__all__, part)
    return {name: part for name, part in found.items() if name not in _HOMES}
