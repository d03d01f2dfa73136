"""The public face: what is exported, how it is called, and that it is documented."""

import doctest
import importlib
import inspect
import pickle
import pydoc
import re
import subprocess
import sys
from dataclasses import is_dataclass
from pathlib import Path
from types import FunctionType, MethodType

import numpy as np
import pytest
import sklearn.metrics
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV

import sklearn_clustcompare
from sklearn_clustcompare import adjusted_mutual_info_score, metrics, results
from sklearn_clustcompare.indices import (
    INDICES,
    INTERNAL_INDICES,
    PARTIAL_INDICES,
    CellSum,
    Index,
)
from sklearn_clustcompare.plot._display import Display
from tests._docstrings import (
    docstring,
    parameter_texts,
    place_of,
    public,
    public_names,
    public_objects,
)

# Functions of labels that are no index: they return no single number, or need no two partitions.
_NO_INDICES = {
    "categorical_entropies",
    "categorical_entropy",
    "element_centric_similarities",
    "clustering_entropy",
    "expected_mutual_info",
    "match_clusters",
    "relabel",
    "relabel_partitions",
    "mutual_info_variance",
    "pair_confusion_matrix",
    "partition_coefficient",
    "partition_entropy",
}


# Records that users make; a Display is made from a result. Searches are data classes, too.
_MADE_BY_CALL = (BaseEstimator, CellSum, Display, Index)

# Examples of classes with a public module that fit many clusterers.
_SLOW_EXAMPLES = (
    "ClusterStability.to_frame",
    "NClustersChoice",
    "NClustersChoice.columns",
    "NClustersChoice.to_frame",
    "PredictionStrength.choose",
    "StabilityResult.choose",
    "StabilityResult.consensus_matrix",
    "StabilityResult.null_pac",
    "StabilityResult.position",
)


def _keywords(function):
    """Return the keyword-only parameters and their defaults."""
    return {
        name: parameter.default
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    }


def _positionals(function):
    return [
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]


# ------------------------------------------------------------------- registry and functions


@pytest.mark.parametrize("module", [sklearn_clustcompare, metrics], ids=lambda m: m.__name__)
def test_exported_names_exist_and_are_sorted(module):
    assert module.__all__ == sorted(set(module.__all__))
    assert all(hasattr(module, name) for name in module.__all__)


def test_metrics_are_the_registry_and_the_listed_others():
    assert set(metrics.__all__) == set(INDICES) | set(INTERNAL_INDICES) | _NO_INDICES


def test_the_top_is_what_users_call_and_make():
    assert len(sklearn_clustcompare.__all__) <= 60
    assert not set(sklearn_clustcompare.__all__) & set(results.__all__)
    assert dir(results) == results.__all__
    for name, one in public_objects().items():
        assert name.startswith("results.") == (one.__module__ == results.__name__), name
        if inspect.isclass(one) and (is_dataclass(one) or issubclass(one, float | str | tuple)):
            made = {key for key, value in vars(one).items() if isinstance(value, classmethod)}
            made = {key for key in made if not key.startswith("_")}
            assert name.startswith("results.") != bool(made or issubclass(one, _MADE_BY_CALL)), name


@pytest.mark.slow
@pytest.mark.parametrize("name", sklearn_clustcompare._in_parts())
def test_names_that_are_not_at_the_top_are_found(name):
    path = f"sklearn_clustcompare.{sklearn_clustcompare._in_parts()[name]}.{name}"
    assert pickle.loads(pickle.dumps(pydoc.locate(path))) is pydoc.locate(path)
    with pytest.raises(AttributeError, match=f"no attribute '{name}', it is {path}$"):
        getattr(sklearn_clustcompare, name)
    nearly = f"{name}s"
    with pytest.raises(AttributeError, match=f"'{nearly}'; did you mean .*'{path}'"):
        getattr(sklearn_clustcompare, nearly)


@pytest.mark.parametrize(
    ("module", "name", "hint"),
    [
        ("", "match_labels", "metrics.relabel_partitions'"),
        ("", "dunn_score", "it is sklearn_clustcompare.metrics.dunn_score"),
        (".metrics", "TransductiveSplit", "it is sklearn_clustcompare.TransductiveSplit"),
        (".plot", "AluvialDisplay", "'sklearn_clustcompare.plot.AlluvialDisplay'"),
        (".results", "ConsensusResults", "'sklearn_clustcompare.results.ConsensusResult'"),
    ],
)
def test_the_error_of_an_import_says_what_was_meant(module, name, hint):
    module = f"sklearn_clustcompare{module}"
    with pytest.raises(ImportError, match=f"^module '{module}' has no .*{name}'.*{hint}"):
        exec(f"from {module} import {name}")
    assert not hasattr(importlib.import_module(module), name)


def test_what_functions_return_is_public():
    ours = re.compile(r"\b[A-Z]\w+")
    exported = {name.split(".")[-1] for name in public_objects()}
    returned = set()
    for name in _callables():
        one = public(name)
        if not inspect.isclass(one):
            returned |= set(ours.findall(str(inspect.signature(one).return_annotation)))
    assert len(returned & set(results.__all__)) > 30
    others = {"Any", "ArrayLike", "DataFrame", "Iterator", "MetadataRequest", "None", "Self"}
    arrays = {"NDArray", "Array", "FloatArray", "IntArray", "Positions", "Mask"}
    assert returned - exported <= others | arrays


def test_records_are_pickled_by_public_names():
    for name in results.__all__:
        assert pickle.dumps(getattr(results, name)).count(b"sklearn_clustcompare.results") == 1


def test_what_the_top_lacks_costs_no_import():
    code = "import sklearn_clustcompare.results, sys; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_scores_and_distances_are_indices():
    named_so = {n for n in public_names() if n.endswith(("_score", "_distance"))}
    # An index goes into chance_adjusted_score; it is none itself.
    others = {*INTERNAL_INDICES, *PARTIAL_INDICES, "chance_adjusted_score"}
    assert named_so <= set(INDICES) | others


_READING = {"noise": "cluster", "noise_label": -1, "missing": "error"}


def test_functions_have_the_signature_of_their_index():
    for name, index in (INDICES | INTERNAL_INDICES).items():
        function, of_data = getattr(metrics, name), index.needs_data
        assert function.__name__ == index.name == name
        own = ["X", "labels"] if of_data else ["labels_true", "labels_pred"]
        assert _positionals(function) == own, name
        shared = _READING | ({"possibilistic": False} if index.soft else {})
        if not of_data:
            # A contingency table goes alone.
            assert inspect.signature(function).parameters["labels_pred"].default is None, name
            shared |= {"sample_weight": None, "unmatched": "error", "data": None}
        elif "noise_label" in index.parameters:  # it treats noise itself
            del shared["noise"]
        assert _keywords(function) == shared | _keywords(index.function), name
        assert inspect.signature(function).return_annotation == "float", name


def test_every_parameter_has_a_rule_that_its_default_obeys():
    for name, index in (INDICES | INTERNAL_INDICES).items():
        assert set(index.parameters) == set(_keywords(index.function)), name
        index.check_parameters(**_keywords(index.function))


@pytest.mark.parametrize("name", INDICES | INTERNAL_INDICES)
def test_function_passes_every_parameter_on(name):
    function, index = getattr(metrics, name), (INDICES | INTERNAL_INDICES)[name]
    wrong = dict.fromkeys(_keywords(index.function), {})
    if not index.needs_data:
        wrong["sample_weight"] = [1, 1]
    for parameter, value in wrong.items():
        with pytest.raises((TypeError, ValueError), match=f"^{parameter} must"):
            function(
                [[0], [1], [5]] if index.needs_data else [0, 0, 1], [0, 1, 1], **{parameter: value}
            )


@pytest.mark.parametrize("name", sorted(set(metrics.__all__) & set(dir(sklearn.metrics))))
def test_function_takes_what_scikit_learn_takes(name):
    theirs = inspect.signature(getattr(sklearn.metrics, name)).parameters
    ours = inspect.signature(getattr(metrics, name)).parameters
    # Not taken: a table beside the labels, of which one would have to be ignored, and a switch
    # that scikit-learn dropped after 1.6.
    shared = [parameter for parameter in theirs if parameter not in ("contingency", "sparse")]
    assert [p for p in ours if p in theirs] == shared
    # What is required there may have a default here; random numbers are the same in each call.
    same = [p for p in shared if p != "random_state"]
    assert all(theirs[p].default in (ours[p].default, inspect.Parameter.empty) for p in same)


def test_values_are_python_floats():
    for name in INDICES:
        assert type(getattr(metrics, name)(list("aabbc"), [0, 0, 0, 1, 1])) is float, name


def test_scikit_learns_make_scorer_takes_a_function():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 40)
    X = rng.normal(size=(120, 2)) + 8 * y[:, np.newaxis]
    search = GridSearchCV(
        KMeans(n_init=3, random_state=0),
        {"n_clusters": [2, 3, 5]},
        scoring=make_scorer(adjusted_mutual_info_score, q=0.5),
    ).fit(X, y)
    assert search.best_params_ == {"n_clusters": 3}
    assert search.best_score_ == pytest.approx(1.0)


# ------------------------------------------------------------------- documentation


def _callables():
    """Yield the names of all that is exported, and of the public methods of the classes."""
    for name, exported in public_objects().items():
        yield name
        for member in vars(exported) if inspect.isclass(exported) else ():
            method = getattr(exported, member)
            if not member.startswith("_") and isinstance(method, FunctionType | MethodType):
                yield f"{name}.{member}"


@pytest.mark.parametrize("name", list(_callables()))
def test_docstring_is_valid_numpydoc(name):
    validate = pytest.importorskip("numpydoc.validate").validate
    assert validate(f"sklearn_clustcompare.{place_of(name)}")["errors"] == []


# Parameters that mean different things although name and type are the same, and why.
_OWN_MEANING = {
    "X": "needed by a function of the data, and for some indices by those of partitions",
    "adjusted": "a property of an Index, an option of pair_counting_score",
    "moments": "a property of an Index, an option of ContingencyTable.from_memberships",
    "beta": "the weight of recall against precision, of completeness against homogeneity",
    "distance": "of two partitions of different objects, or of two estimates",
    "difference": "between two candidates, or a new result and the accepted one",
    "max_clusters": "of more, those that lost most are listed, or the largest confusions drawn",
    "name": "an index has one, and each of its properties",
    "function": "of a table, or of the cells that an index sums over",
    "reasons": "of a recommendation, or of a verdict",
    "groups": "units of a sampling error, or objects that stay together in samples",
    "names": "of candidates, of partitions, or of the rows of a matrix",
    "normalize": "the divisor is part of a definition: N^2, 2N, the sum of a row of memberships",
    "confidence_level": "of one interval, of each of several, or of all of them together",
    "n_resamples": "random partitions of the null model, or half samples of the objects",
    "interval": "a result holds the interval of its own number",
    "ids": "objects are found again by them, or listed",
    "size": "of a cluster, or of a sample of tables",
    "pvalue": "of no agreement beyond chance, or of no difference between two candidates",
    "standard_error": "of draws of the null model, or of samples of objects",
    "score": "a result holds the number that its function is asked for",
    "param_range": "numbers of clusters, with one cluster where a method needs it",
    "error_score": "of candidates in a search, or of those that are read",
    "param_name": "what a picture is drawn against, the number of clusters, or any parameter tried",
    "n_null": "how few structureless data sets are enough depends on what is made of them",
    "threshold": "of the overlap of two clusters, or of the prediction strength",
    "greater_is_better": "of an index, a result and a function of a user's own",
    "parameters": "of an index, or of each of several",
    "significance_level": "of one test, or of all pairs together",
    "**params": "parameters of one index, of several, or of the function that a Display calls",
}


def test_parameters_of_the_same_name_and_type_have_the_same_text():
    texts = parameter_texts(_callables())
    several = {key: dict(found) for key, found in texts.items() if len(found) > 1}
    assert {key: texts for key, texts in several.items() if key[0] not in _OWN_MEANING} == {}
    assert {name for name, _ in several} == set(_OWN_MEANING)


def test_terms_of_docstrings_are_in_the_glossary():
    page = Path(__file__).parents[1] / "doc" / "glossary.rst"
    terms = set(re.findall(r"^   (\w[\w ]*)$", page.read_text("utf-8"), flags=re.MULTILINE))
    used = {
        term.lower()
        for name in _callables()
        for term in re.findall(r":term:`(?:[^`<]*<)?([^`<>]+)>?`", docstring(name))
    }
    assert used
    assert used <= terms


def test_docstrings_have_an_example_and_a_reference():
    for name in metrics.__all__:
        doc = getattr(metrics, name).__doc__
        assert f"import {name}" in doc or f", {name}" in doc, name
        assert ".. [1]" in doc, name


def test_all_pair_coefficients_are_documented():
    rule = INDICES["pair_counting_score"].parameters["coefficient"]
    doc = metrics.pair_counting_score.__doc__
    rows = [line.split() for line in doc.splitlines() if line.strip().startswith('"')]
    adjustable = {row[0].strip('"'): row[-1] for row in rows if row[-1] in ("yes", "no")}
    assert len(adjustable) == 17
    labels_true, labels_pred = list("aaabbb"), [1, 1, 2, 2, 3, 3]
    for coefficient, answer in adjustable.items():
        rule("coefficient", coefficient)
        keywords = {"coefficient": coefficient, "adjusted": True}
        if answer == "yes":
            metrics.pair_counting_score(labels_true, labels_pred, **keywords)
        else:
            with pytest.raises(ValueError, match="adjusted must be False"):
                metrics.pair_counting_score(labels_true, labels_pred, **keywords)


def _examples():
    """Yield the examples of classes that have a public module, where pytest does not find them."""
    named_publicly = ("sklearn_clustcompare", results.__name__)
    find = doctest.DocTestFinder(exclude_empty=True).find
    for one in public_objects().values():
        if inspect.isclass(one) and one.__module__ in named_publicly:
            for example in find(one, module=False):
                is_slow = example.name in _SLOW_EXAMPLES
                yield pytest.param(example, marks=[pytest.mark.slow] * is_slow, id=example.name)


@pytest.mark.slow
@pytest.mark.parametrize("example", list(_examples()))
def test_examples_of_classes_with_a_public_module(example):
    if example.examples:
        assert doctest.DocTestRunner().run(example).failed == 0
