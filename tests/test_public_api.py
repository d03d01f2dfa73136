"""The public face: what is exported, how it is called, and that it is documented."""

import inspect
from types import FunctionType, MethodType

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from scipy.stats import entropy
from sklearn.cluster import KMeans
from sklearn.metrics import make_scorer
from sklearn.metrics.cluster import pair_confusion_matrix as sklearn_pair_confusion_matrix
from sklearn.model_selection import GridSearchCV

import sklearn_clustcompare
from sklearn_clustcompare import (
    adjusted_mutual_info_score,
    categorical_entropy,
    clustering_entropy,
    expected_mutual_info,
    fowlkes_mallows_score,
    match_clusters,
    metrics,
    mutual_info_score,
    mutual_info_variance,
    pair_confusion_matrix,
    plot,
)
from sklearn_clustcompare.indices import INDICES

# Functions of labels that are no index: they return no single number, or need no two partitions.
_NO_INDICES = {
    "categorical_entropy",
    "clustering_entropy",
    "expected_mutual_info",
    "match_clusters",
    "mutual_info_variance",
    "pair_confusion_matrix",
    "partition_coefficient",
    "partition_entropy",
    "soft_self_agreement",
}


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
    assert set(metrics.__all__) == set(INDICES) | _NO_INDICES


def test_package_exports_all_metrics():
    assert set(metrics.__all__) <= set(sklearn_clustcompare.__all__)
    assert all(
        getattr(metrics, name) is getattr(sklearn_clustcompare, name) for name in metrics.__all__
    )


def test_package_exports_all_displays():
    assert set(plot.__all__) <= set(sklearn_clustcompare.__all__)


def test_scores_and_distances_are_indices():
    named_so = {n for n in sklearn_clustcompare.__all__ if n.endswith(("_score", "_distance"))}
    # An index goes into chance_adjusted_score; it is none itself.
    assert named_so <= set(INDICES) | {"chance_adjusted_score"}


@pytest.mark.parametrize("name", INDICES)
def test_function_has_the_signature_of_its_index(name):
    function, index = getattr(sklearn_clustcompare, name), INDICES[name]
    assert function.__name__ == index.name == name
    assert _positionals(function) == ["labels_true", "labels_pred"]
    shared = {"sample_weight": None} | ({"possibilistic": False} if index.soft else {})
    # Its law needs cluster sizes that stay as they are when the objects are permuted.
    if name == "standardized_rand_score":
        del shared["possibilistic"]
    assert _keywords(function) == shared | _keywords(index.function)
    assert inspect.signature(function).return_annotation == "float"


@pytest.mark.parametrize("index", INDICES.values(), ids=INDICES)
def test_record_has_a_rule_for_every_parameter(index):
    assert set(index.parameters) == set(_keywords(index.function))


@pytest.mark.parametrize("index", INDICES.values(), ids=INDICES)
def test_default_parameters_obey_their_rules(index):
    index.check_parameters(**_keywords(index.function))


@pytest.mark.parametrize("name", INDICES)
def test_function_passes_every_parameter_on(name):
    function = getattr(sklearn_clustcompare, name)
    for parameter in _keywords(INDICES[name].function):
        with pytest.raises((TypeError, ValueError), match=f"^{parameter} must"):
            function([0, 0, 1], [0, 1, 1], **{parameter: object()})
    with pytest.raises(ValueError, match="^sample_weight must"):
        function([0, 0, 1], [0, 1, 1], sample_weight=[1, 1])


@pytest.mark.parametrize("name", sorted(set(metrics.__all__) & set(dir(sklearn.metrics))))
def test_function_takes_what_scikit_learn_takes(name):
    theirs = inspect.signature(getattr(sklearn.metrics, name)).parameters
    ours = inspect.signature(getattr(metrics, name)).parameters
    # Not taken: a table beside the labels, of which one would have to be ignored, and a switch
    # that scikit-learn dropped after 1.6.
    shared = [parameter for parameter in theirs if parameter not in ("contingency", "sparse")]
    assert [p for p in ours if p in theirs] == shared
    assert all(ours[p].default == theirs[p].default for p in shared)


@pytest.mark.parametrize("name", INDICES)
def test_value_is_a_python_float(name):
    assert type(getattr(metrics, name)(list("aabbc"), [0, 0, 0, 1, 1])) is float


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
    for name in sklearn_clustcompare.__all__:
        yield name
        exported = getattr(sklearn_clustcompare, name)
        for member in vars(exported) if inspect.isclass(exported) else ():
            method = getattr(exported, member)
            if not member.startswith("_") and isinstance(method, FunctionType | MethodType):
                yield f"{name}.{member}"


@pytest.mark.parametrize("name", list(_callables()))
def test_docstring_is_valid_numpydoc(name):
    validate = pytest.importorskip("numpydoc.validate").validate
    assert validate(f"sklearn_clustcompare.{name}")["errors"] == []


@pytest.mark.parametrize("name", metrics.__all__)
def test_docstring_has_an_example_and_a_reference(name):
    doc = getattr(metrics, name).__doc__
    assert f"import {name}" in doc or f", {name}" in doc
    assert ".. [1]" in doc


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


# ------------------------------------------------------------------- functions that are no index


def test_pair_confusion_matrix_is_that_of_scikit_learn(case):
    ours = pair_confusion_matrix(*case)
    assert ours.dtype == np.int64
    if len(case[0]):
        numbers = [pd.factorize(np.array(labels))[0] for labels in case]
        np.testing.assert_array_equal(ours, sklearn_pair_confusion_matrix(*numbers))
    else:
        assert not ours.any()


def test_pair_confusion_matrix_beyond_int64():
    matrix = pair_confusion_matrix([0, 0, 1], [0, 1, 1], sample_weight=[10**12] * 3)
    assert matrix.dtype == np.float64
    assert matrix.sum() == pytest.approx(9e24)


def test_identical_singletons_are_equal_for_fowlkes_mallows_too():
    singletons = [0, 1, 2]
    assert fowlkes_mallows_score(singletons, singletons) == 1.0
    assert sklearn.metrics.fowlkes_mallows_score(singletons, singletons) == 0.0


@pytest.mark.parametrize("base", [None, 2, 10])
def test_clustering_entropy_is_shannons(case, base):
    _, sizes = np.unique(pd.factorize(np.array(case[0]))[0], return_counts=True)
    expected = entropy(sizes, base=base) if len(sizes) else 0.0
    assert clustering_entropy(case[0], base=base) == pytest.approx(expected, abs=1e-14)


def test_clustering_entropy_of_other_orders_and_weights():
    labels = ["a", "a", "b", "c"]
    assert clustering_entropy(labels, q=2) == pytest.approx(1 - (4 + 1 + 1) / 16)
    assert clustering_entropy(labels, q=0.5) == pytest.approx(2 * (0.5**0.5 + 1.0 - 1))
    repeated = clustering_entropy(["a"] * 3 + ["c"] * 2)
    assert clustering_entropy(labels, sample_weight=[1, 2, 0, 2]) == repeated
    assert clustering_entropy(labels, sample_weight=[0.5, 1, 0, 1]) == pytest.approx(repeated)


def test_clustering_entropy_of_singletons_is_log_n():
    assert clustering_entropy(np.arange(100)) == pytest.approx(np.log(100), rel=1e-15)


@pytest.mark.parametrize(
    ("labels", "keywords", "message"),
    [
        ([0, None], {}, "labels must not contain missing values, got None at position 1"),
        ([[0], [1]], {}, "labels: memberships of a row must sum to 1, got 0 in row 0"),
        (np.zeros((1, 1, 1)), {}, r"labels must be a 1-D array of labels, got .*\(1, 1, 1\)"),
        ([0, 1], {"q": 0}, "q must be a number from 0.001 to 30, got 0"),
        ([0, 1], {"base": 1}, "base must be None .* got 1"),
        ([0, 1], {"base": 2, "q": 2}, "base must be None unless q is 1"),
        ([0, 1], {"sample_weight": [1]}, "sample_weight must have shape"),
        ([0, 1], {"sample_weight": [1, -1]}, "sample_weight must not be negative"),
    ],
)
def test_clustering_entropy_names_what_is_wrong(labels, keywords, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        clustering_entropy(labels, **keywords)


# Orman's lecture, EMIAC algorithm: printed as 1.533 bits.
_ROWS = [
    ["Red", "Small", "Soft"],
    ["Green", "Small", "Soft"],
    ["Green", "Large", "Soft"],
    ["Red", "Medium", "Hard"],
    ["Orange", "Medium", "Hard"],
    ["Green", "Medium", "Hard"],
    ["Blue", "Large", "Hard"],
    ["Blue", "Medium", "Hard"],
]
_CLUSTERS = [0, 0, 0, 1, 1, 1, 2, 2]


@pytest.mark.parametrize(
    "X",
    [
        _ROWS,
        np.array(_ROWS),
        np.array(_ROWS, dtype=object),
        pd.DataFrame(_ROWS),
        pd.DataFrame(_ROWS).astype("category"),
    ],
    ids=["lists", "strings", "objects", "frame", "categories"],
)
def test_categorical_entropy_of_the_lecture(X):
    assert categorical_entropy(X, _CLUSTERS, base=2) == pytest.approx(1.533, abs=5e-4)
    assert categorical_entropy(X, list("xxxyyyzz"), base=2) == categorical_entropy(
        X, _CLUSTERS, base=2
    )


def test_categorical_entropy_does_not_depend_on_the_order_of_columns():
    rng = np.random.default_rng(0)
    X, labels = rng.integers(4, size=(60, 9)), rng.integers(3, size=60)
    assert categorical_entropy(X, labels) == categorical_entropy(X[:, ::-1], labels)


def test_categorical_entropy_keeps_values_of_several_types_apart():
    assert categorical_entropy([[1, "x"], ["1", "x"]], [0, 0], base=2) == 1.0


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([1, 2], r"X must be a 2-D array \(n_samples, n_features\), got 1 dimension"),
        ([[1], [2], [3]], "X and labels must have the same length, got 3 and 2"),
        ([[1, "a"], [2, None]], "column 1 of X must not contain missing values, got None"),
        (np.ma.array([[1], [2]], mask=[[0], [1]]), "column 0 of X must not contain masked values"),
    ],
)
def test_categorical_entropy_names_what_is_wrong(X, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        categorical_entropy(X, [0, 1])


def test_match_clusters_greedy_takes_the_largest_share_first():
    labels_true = ["big"] * 6 + ["small"] * 2
    labels_pred = [1, 1, 1, 1, 2, 2, 1, 1]
    assert match_clusters(labels_true, labels_pred) == {"big": 2, "small": 1}
    assert match_clusters(labels_true, labels_pred, method="optimal") == {"big": 1, "small": None}


def test_match_clusters_leaves_clusters_without_a_partner():
    matched = match_clusters(np.array([0, 1, 2]), np.array([7, 7, 7]))
    assert matched == {0: 7, 1: None, 2: None}
    assert {type(label) for label in (*matched, matched[0])} == {int}


def test_match_clusters_weighs_objects():
    labels_true, labels_pred = [0, 0, 1, 1], [0, 1, 0, 1]
    weights = [1, 5, 5, 1]
    for method in ("greedy", "optimal"):
        matched = match_clusters(labels_true, labels_pred, method=method, sample_weight=weights)
        assert matched == {0: 1, 1: 0}


@pytest.mark.parametrize("method", ["greedy", "optimal"])
def test_match_clusters_is_one_to_one_and_finds_renamed_clusters(case, method):
    matched = match_clusters(*case, method=method)
    partners = [label for label in matched.values() if label is not None]
    assert len(partners) == len(set(partners))
    identical = match_clusters(case[0], case[0], method=method)
    assert all(label == partner for label, partner in identical.items())


def test_match_clusters_refuses_an_unknown_method():
    with pytest.raises(ValueError, match="^method must be one of 'greedy', 'optimal'; got 'best'"):
        match_clusters([0], [0], method="best")


def test_moments_of_mutual_information_are_those_of_shuffled_labels():
    labels_true, labels_pred = np.repeat([0, 1, 2], [9, 6, 5]), np.repeat([0, 1], [12, 8])
    rng = np.random.default_rng(0)
    for q in (1.0, 2.0):
        draws = [
            mutual_info_score(labels_true, rng.permutation(labels_pred), q=q) for _ in range(4000)
        ]
        mean = expected_mutual_info(labels_true, labels_pred, q=q)
        variance = mutual_info_variance(labels_true, labels_pred, q=q)
        assert np.mean(draws) == pytest.approx(mean, abs=5 * np.sqrt(variance / 4000))
        assert np.var(draws) == pytest.approx(variance, rel=0.2)


def test_moments_of_mutual_information_take_whole_weights():
    labels = [0, 0, 1, 1], [0, 1, 1, 1]
    weights = [2, 1, 3, 0]
    repeated = [np.repeat(side, weights) for side in labels]
    for function in (expected_mutual_info, mutual_info_variance):
        assert function(*labels, sample_weight=weights) == function(*repeated)
        with pytest.raises(ValueError, match="whole"):
            function(*labels, sample_weight=[0.5, 1, 1, 1])
    limit = expected_mutual_info(*labels, q=2, method="limit")
    assert limit == pytest.approx(clustering_entropy(labels[0], q=2) * 0.375)
