"""Compare clusterings: indices of external validity for scikit-learn."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sklearn_clustcompare._version import __version__ as __version__

if TYPE_CHECKING:
    from sklearn_clustcompare import results as results
    from sklearn_clustcompare._chance import *
    from sklearn_clustcompare._partition import *
    from sklearn_clustcompare._show_versions import *
    from sklearn_clustcompare._table import *
    from sklearn_clustcompare.candidates import *
    from sklearn_clustcompare.checks import *
    from sklearn_clustcompare.consensus import *
    from sklearn_clustcompare.hierarchies import *
    from sklearn_clustcompare.indices import *
    from sklearn_clustcompare.metrics import *
    from sklearn_clustcompare.model_selection import *
    from sklearn_clustcompare.plot import *
    from sklearn_clustcompare.report import *
    from sklearn_clustcompare.significance import *
    from sklearn_clustcompare.without_reference import *

# The public names are those that these parts list, lower layers first. A name is imported at its
# first use, with the layers below it, so that importing the package is fast.
_PARTS = (
    "_show_versions",
    "_partition",
    "_table",
    "_chance",
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
# Public names of a part alone: what describes one partition, and tools of experts.
_IN_PARTS = {
    "ClusteringBaseline": "checks",
    "assert_not_worse": "checks",
    "list_clusterer_checks": "checks",
    "cluster_names": "report",
    "common_refinement": "consensus",
    "is_refinement": "consensus",
    "categorical_entropies": "metrics",
    "categorical_entropy": "metrics",
    "partition_coefficient": "metrics",
    "partition_entropy": "metrics",
    "noninferiority_test": "significance",
    "soft_self_agreement": "metrics",
}

# What others call it, and what it is called here.
_OF_OTHERS = {
    "clustree": "clustering_tree",
    "compare_candidates": "score_candidates",
    "contingency_matrix": "ContingencyTable",
}


def __getattr__(name: str) -> Any:
    if name in _PARTS or name == "results":
        return import_module(f"{__name__}.{name}")
    if name == "__all__":
        return sorted(name for part in map(_import_part, _PARTS) for name in part.__all__)
    if not name.startswith("_"):
        for part in map(_import_part, _PARTS):
            if name in part.__all__:
                value = globals()[name] = getattr(part, name)
                return value
    msg = f"module {__name__!r} has no attribute {name!r}"
    if not name.startswith("_"):
        elsewhere = {one: f"{__name__}.{part}.{one}" for one, part in _in_parts().items()}
        if name in elsewhere:
            msg += f", it is {elsewhere[name]}"
        else:
            known = {one: one for one in __getattr__("__all__")} | elsewhere
            known |= _import_part("indices").NAMES | _OF_OTHERS
            msg += _import_part("_options").did_you_mean(name, known)
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return sorted([*__getattr__("__all__"), "__version__"])


def _import_part(name: str) -> Any:
    return import_module(f"{__name__}.{name}")


def _in_parts() -> dict[str, str]:
    """Return the public names that are not at the top, and the module of each."""
    return dict.fromkeys(_import_part("results").__all__, "results") | _IN_PARTS
