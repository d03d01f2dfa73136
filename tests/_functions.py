"""Every public function of partitions, called on three partitions of the same objects."""

import inspect
import math
import warnings
from collections.abc import Iterator

import numpy as np

from sklearn_clustcompare import ContingencyTable
from tests._docstrings import public_objects

OF_PARTITIONS = ({"labels_true", "labels_pred"}, {"labels_a"}, {"candidates"}, {"partitions"})
# Other arguments name the objects; partitions are given one by one.
LEFT_OUT = {"align_partitions", "partial_partition_distance"}
LEFT_OUT |= {"common_coarsening", "common_refinement"}
FUNCTIONS = {
    name: function
    for name, function in public_objects().items()
    if inspect.isfunction(function)
    and name not in LEFT_OUT
    and (
        name == "pairwise_scores"
        or any(names <= set(inspect.signature(function).parameters) for names in OF_PARTITIONS)
    )
}
PARAMETERS = {name: inspect.signature(one).parameters for name, one in FUNCTIONS.items()}

GIVEN = {"index": "purity_score", "n_resamples": 99, "random_state": 0}
OF_FUNCTION = {
    "assert_clustering": {"purity_score": 0},
    "assert_not_worse": {"tolerance": 0.9},
    "consensus_partition": {"index": "adjusted_rand_score"},
    "index_curve": {"index": "mutual_info_score"},
    "medoid_partition": {"index": "adjusted_rand_score"},
    "noninferiority_test": {"margin": 0.1},
    "relabel_partitions": {"method": "majority"},
    "score_candidates": {"indices": ["purity_score", "van_dongen_distance:normalize=True"]},
}
# Of some results the part that does not depend on the number of objects, or on how it is given.
_OF_SHARES = ["label", "value", "weight", "lost_share", "match", "is_matched", "verdict"]
_OF_SHARES += ["precision", "recall", "f_score", "jaccard"]
PARTS = {
    "cluster_decomposition": lambda found: found.to_frame()[_OF_SHARES].to_dict("list"),
    "clustering_comparison_report": lambda found: {**found.to_dict(), "provenance": None},
}

# What these find is called by the names of clusters.
NAMED = {"match_clusters", "relabel", "cluster_names", "cluster_decomposition", "clustering_tree"}
NAMED |= {"clustering_comparison_report"}
# What these draw depends on how labels are given.
DRAWN = {"chance_adjusted_score", "permutation_test", "score_interval"}


def with_parameters(*names):
    """Return the functions that have all of these parameters."""
    return [name for name, parameters in PARAMETERS.items() if set(names) <= set(parameters)]


def names_of_sides(name):
    """Return how messages call the first two of the three partitions."""
    if "labels_true" not in PARAMETERS[name] or name == "relabel_partitions":
        return "partition 0", "partition 1"
    sides = ("labels_pred", "labels_a", "candidates")
    second = next(one for one in sides if one in PARAMETERS[name])
    return "labels_true", second.replace("candidates", "candidate 0")


def result_of(name, labels, **options):
    """Return what a function finds."""
    true, pred, other = labels
    given = {
        "labels_true": true,
        "labels_pred": pred,
        "labels_a": pred,
        "labels_b": other,
        "labels_accepted": pred,
        "candidates": {"a": pred, "b": other},
        "partitions": list(labels),
        "X": list(labels),
        **GIVEN,
    }
    if "labels_true" in PARAMETERS[name]:
        del given["X"]  # of pairwise_scores these are partitions
    taken = {key: given[key] for key in PARAMETERS[name] if key in given}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return FUNCTIONS[name](**(taken | OF_FUNCTION.get(name, {}) | options))


def outcome(name, labels, **options):
    """Return the leaves of a result, or the text of its error."""
    try:
        found = result_of(name, labels, **options)
    except ValueError as error:
        return str(error)
    return leaves(PARTS.get(name, lambda found: found)(found))


def leaves(value):
    """Return the numbers and texts that a result is made of, in their order."""
    if isinstance(value, ContingencyTable):
        return leaves([value.row_labels, value.col_labels, value.counts.toarray()])
    for form in ("to_dict", "toarray", "_asdict"):
        if hasattr(value, form):
            return leaves(getattr(value, form)())
    if hasattr(value, "to_frame"):
        return leaves(value.to_frame().to_dict("list"))
    if isinstance(value, dict):
        return leaves([*value.items()])
    if isinstance(value, np.ndarray | np.generic):
        return leaves(value.tolist())
    if isinstance(value, list | tuple | Iterator):
        return [leaf for one in value for leaf in leaves(one)]
    if hasattr(value, "__dict__"):
        return leaves({name: one for name, one in vars(value).items() if name[0] != "_"})
    return [value]


def differ(first, second):
    """Return the first leaves that differ by more than rounding, or two errors that differ."""
    if isinstance(first, str) or isinstance(second, str) or len(first) != len(second):
        return None if first == second else (first, second)
    pairs = zip(first, second, strict=True)
    return next((pair for pair in pairs if not _are_same(*pair)), None)


def _are_same(one, other):
    if isinstance(one, float | int) and isinstance(other, float | int):
        are_nan = math.isnan(one) and math.isnan(other)
        return are_nan or math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)
    return one == other
