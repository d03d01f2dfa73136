"""Names and defaults of parameters are the same in all public signatures."""

import dataclasses
import inspect
from collections import defaultdict

from sklearn.base import BaseEstimator

from tests._docstrings import public_objects

# Parameters that have more than one default, and why. Each lists all its defaults.
_SEVERAL_DEFAULTS = {
    "what is not asked for, or is known to the object at hand, is None or left out": {
        "confidence_level": [None, 0.95],
        "max_clusters": [None, 20],
        "normalize": [None, False],
        "rule": [None, "auto", "tibshirani"],
    },
    "each algorithm has its own ways": {
        "method": ["auto", "exact", "goodman_kruskal", "majority", "optimal"],
    },
    "how many are enough depends on what is made of them, and what each of them costs": {
        "n_null": [19, 39, 50, 99],
        "n_resamples": [20, 50, 100, 999, 9999],
    },
    "part of a definition, as the law of the gap statistic, the index of influence; or as above": {
        "average": ["macro", "object"],
        "index": [None, "adjusted_rand_score", "variation_of_information_distance"],
        "null": [None, "auto", "pca"],
        "threshold": [0.5, 0.8, 1.0],
    },
    "fits of many clusterers go on where one fails, while labels that were passed are checked": {
        "error_score": ["raise", float("nan")],
    },
    "objects of one partition only are an error but where a function is there to align them": {
        "unmatched": ["drop", "error"],
    },
}


def _signatures():
    """Yield names and signatures of all functions, constructors and methods.

    The fields of a record are no options: its constructor is left out, and so is what scikit-learn
    adds to a class.
    """
    for name, exported in public_objects().items():
        if not inspect.isclass(exported):
            yield name, inspect.signature(exported)
            continue
        if not dataclasses.is_dataclass(exported) or issubclass(exported, BaseEstimator):
            yield name, inspect.signature(exported)
        for member in dir(exported):
            method = getattr(exported, member)
            is_own = str(getattr(method, "__module__", None)).startswith("sklearn_clustcompare.")
            if not member.startswith(("_", "set_")) and callable(method) and is_own:
                yield f"{name}.{member}", inspect.signature(method)


def _defaults():
    """Map each parameter to its defaults, as text, and these to the functions that have them."""
    found = defaultdict(lambda: defaultdict(list))
    for name, signature in _signatures():
        for parameter in signature.parameters.values():
            if parameter.default is not parameter.empty:
                found[parameter.name][repr(parameter.default)].append(name)
    return found


def test_every_parameter_has_one_default():
    several = {name: dict(found) for name, found in _defaults().items() if len(found) > 1}
    del several["random_state"]  # see below
    listed = {
        name: sorted(map(repr, defaults))
        for group in _SEVERAL_DEFAULTS.values()
        for name, defaults in group.items()
    }
    assert {name: found for name, found in several.items() if name not in listed} == {}
    assert {name: sorted(several.get(name, ())) for name in listed} == listed
    assert len(_SEVERAL_DEFAULTS) <= 6


def test_random_numbers_are_the_same_in_each_call_of_a_function():
    found = _defaults()["random_state"]
    estimators = [
        name
        for name, one in public_objects().items()
        if inspect.isclass(one) and issubclass(one, BaseEstimator)
    ]
    assert set(found) == {"0", "None"}
    assert set(found["None"]) == {name for name in estimators if name in found["None"]} != set()
    assert not any(name in estimators for name in found["0"])


def test_values_of_a_parameter_are_the_third_argument():
    several = {name: list(signature.parameters) for name, signature in _signatures()}
    given = {name: names for name, names in several.items() if "param_range" in names}
    assert "choose_n_clusters" in given
    # Estimators get the data later, in fit.
    places = {name: names.index("param_range") for name, names in given.items()}
    assert {name for name, place in places.items() if place != 2} == {"NClustersSearch"}
    assert places["NClustersSearch"] == 1


# Functions of two partitions that return more than one number without options for noise, and why.
_NO_READING = {
    "a value for each object, whose places stay as they are": {"align_partitions"},
    "objects that only one side has, or that were not sampled, are what it is about": {
        "partial_partition_distance",
        "sampled_reference_scores",
    },
    "accepted labels are compared as they were stored": {
        "ClusteringBaseline.accept",
        "ClusteringBaseline.check",
        "ClusteringBaseline.compare",
    },
    "computes all treatments of noise": {"noise_bounds"},
}


def test_functions_of_two_partitions_have_the_same_options_of_reading():
    options = {"noise", "noise_label", "missing"}
    lacking, found = {}, set()
    for name, signature in _signatures():
        names = set(signature.parameters)
        is_one = signature.return_annotation == "float" or name.endswith("Display")
        if {"labels_true", "labels_pred"} <= names and not is_one:
            found.add(name)
            lacking |= {name: options - names} if options - names else {}
    assert {"match_clusters", "relabel", "ContingencyTable.from_labels"} <= found
    excepted = set().union(*_NO_READING.values())
    assert {name: lacks for name, lacks in lacking.items() if name not in excepted} == {}
    assert excepted <= set(lacking)
    assert len(_NO_READING) <= 6


# Functions of several partitions without ``unmatched``, and why.
_NO_MATCHING = {
    "objects that only one side has are what it is about": {"partial_partition_distance"},
    "ids name the objects, and gates count those that are new or lack": {
        "ClusteringBaseline.accept",
        "ClusteringBaseline.check",
        "ClusteringBaseline.compare",
    },
}


def _n_partitions(signature):
    """Return how many partitions a function takes at least, apart from groups of the objects."""
    return sum(
        2 if "PartitionsLike" in str(one.annotation) or one.kind is one.VAR_POSITIONAL else 1
        for name, one in signature.parameters.items()
        if "Partition" in str(one.annotation) and name not in ("blocks", "within", "groups")
    )


def test_functions_of_several_partitions_treat_objects_that_not_all_of_them_have():
    of_several = {name: one.parameters for name, one in _signatures() if _n_partitions(one) > 1}
    assert len(of_several) > 100
    lacking = {name for name, parameters in of_several.items() if "unmatched" not in parameters}
    assert lacking == set().union(*_NO_MATCHING.values())
