"""What an index may be called: its name, short names, its function, and what is nearly one."""

import re
from functools import partial

import numpy as np
import pytest
import sklearn.metrics

import sklearn_clustcompare
from sklearn_clustcompare import (
    assert_clustering,
    get_index,
    index_curve,
    list_indices,
    make_clustering_scorer,
    rand_score,
    score_candidates,
    silhouette_score,
)
from sklearn_clustcompare.indices import Index
from sklearn_clustcompare.indices._record import REGISTERED as ALL
from sklearn_clustcompare.indices._registry import is_index
from tests._docstrings import public
from tests._errors import said_by

TRUE = [0, 0, 0, 1, 1, 1, 2, 2]
PRED = [0, 0, 1, 1, 1, 1, 2, 0]

# Names in scikit-learn, R, torchmetrics, clusim, genieclust, cdlib, scikit-image and papers, and
# the index that they stand for.
FOREIGN = {
    "ARI_score": "adjusted_rand_score",
    "BCubed": "bcubed_f_score",
    "adapted_rand_error": "adjusted_rand_score",
    "adjustedRandIndex": "adjusted_rand_score",
    "adjusted_mutual_information": "adjusted_mutual_info_score",
    "adjusted_rand_index": "adjusted_rand_score",
    "adjusted_wallace_coefficient": "adjusted_wallace_score",
    "bcubed": "bcubed_f_score",
    "calinski_harabaz_score": "calinski_harabasz_score",
    "ceaf_e": "ceaf_f_score",
    "cluster_accuracy": "matching_accuracy_score",
    "conditionalEntropy": "conditional_entropy",
    "davies_bouldin_index": "davies_bouldin_score",
    "dunn_index": "dunn_score",
    "element_sim": "element_centric_similarity_score",
    "fowlkes_mallows_index": "fowlkes_mallows_score",
    "homogeneity_completeness_v_measure": "v_measure_score",
    "jaccard_index": "pair_jaccard_score",
    "mirkin_metric": "mirkin_distance",
    "mutual_information": "mutual_info_score",
    "mutual_information_score": "mutual_info_score",
    "nmi_score": "normalized_mutual_info_score",
    "normalized_accuracy": "normalized_clustering_accuracy_score",
    "normalized_mutual_information": "normalized_mutual_info_score",
    "omega_index": "omega_score",
    "overlapping_normalized_mutual_information_LFK": "overlapping_normalized_mutual_info_score",
    "pair_sets_index": "pair_sets_score",
    "puritty_score": "purity_score",
    "rand_index": "rand_score",
    "silhouette_samples": "silhouette_score",
    "vmeasure": "v_measure_score",
}


# --------------------------------------------------------------------------- what is taken


def test_short_names_are_unique_and_no_names():
    short = [one for index in ALL.values() for one in index.short_names]
    assert len(set(short)) == len(short)
    assert not set(short) & set(ALL)
    assert {"ari", "ami", "nmi", "vi", "ri", "fmi", "ecs"} <= set(short)
    assert all(one == one.lower() and ":" not in one for one in short)


@pytest.mark.parametrize("name", ALL)
def test_an_index_is_found_by_all_that_it_is_called(name):
    index = ALL[name]
    given = [name, index, *index.short_names, *map(str.upper, index.short_names)]
    assert all(get_index(one) is index for one in given)
    assert get_index(public(name)) is index
    assert index.properties()["short_names"] == index.short_names
    assert all(one in index._repr_html_() for one in index.short_names)


def test_short_names_are_listed():
    assert list_indices(short_names="ari") == ["adjusted_rand_score"]
    assert list_indices(short_names="asw", needs_data=True) == ["silhouette_score"]


def test_an_index_of_the_data_is_given_by_its_function():
    X = np.arange(8.0)[:, None]
    scores = score_candidates(None, [PRED], indices=[silhouette_score, "dbi"], X=X).scores
    assert scores["silhouette_score"][0] == sklearn.metrics.silhouette_score(X, PRED)
    expected = sklearn.metrics.davies_bouldin_score(X, PRED)
    assert scores["dbi"][0] == pytest.approx(expected, rel=1e-12)


def test_results_are_asked_by_any_name():
    candidates = {"good": PRED, "poor": [0, 1] * 4}
    result = score_candidates(TRUE, candidates, indices=["ari", "vi"])
    for index in (
        "vi",
        "VI",
        get_index("vi"),
        sklearn_clustcompare.variation_of_information_distance,
    ):
        assert result.best(index) == "good"
    said = said_by(ValueError, result.rank, "nmi")
    assert said == "index must be one of those computed: 'ari', 'vi'; got 'nmi'"


# --------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize("name", ALL)
def test_a_name_without_its_ending_is_one_if_no_other_index_has_it(name):
    stem = re.sub("_(score|distance)$", "", name)
    others = [one for one in ALL if one != name and re.sub("_(score|distance)$", "", one) == stem]
    assert not others  # merge_count and merge_distance differ
    assert get_index(stem.upper()).name == name


def test_all_that_are_no_indices_are_told_together():
    wrong = ["bcubed", "ari", "f1", "nvi:q=2", "purity", len]
    said = said_by(ValueError, partial(score_candidates, TRUE, [PRED]), indices=wrong)
    assert all(f"{one!r}; did you mean" in said for one in ("bcubed", "f1", "nvi:q=2"))
    assert repr(len) in said
    assert not re.search("'ari'|'purity'", said)
    for call in (
        lambda: score_candidates(TRUE, [PRED], indices={"a": "bcubed", "b": ("f1", {})}),
        lambda: index_curve(TRUE, {2: PRED}, index=["bcubed", "f1"]),
        lambda: make_clustering_scorer(["bcubed", "bic", "f1"]),
        lambda: assert_clustering(TRUE, PRED, bcubed=0.5, f1=0.5, ari=0.5),
    ):
        said = said_by(ValueError, call)
        assert re.search("'bcubed'; did you mean 'bcubed_f_score'.*'f1'; did you mean", said)


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("F1", "'pair_f_score', 'f_measure_score', 'bcubed_f_score'"),
        ("NVI", "'variation_of_information_distance:normalize=joint'"),
        ("binder", "'mirkin_distance'"),
        ("jaccard", "'pair_jaccard_score', 'jaccard_error_rate'"),
        ("max_vi", "'variation_of_information_distance'"),
        ("min_adjusted_rand_index", "'adjusted_rand_score'"),
        ("min_ari", "'adjusted_rand_score'"),
        ("min_f1", "'pair_f_score', 'f_measure_score', 'bcubed_f_score'"),
    ],
)
def test_what_others_call_an_index_or_a_limit(wrong, meant):
    assert said_by(ValueError, get_index, wrong).endswith(f"; did you mean {meant}?")


@pytest.mark.slow
@pytest.mark.parametrize("wrong", FOREIGN)
def test_foreign_names_are_answered_with_what_is_meant(wrong):
    message = said_by(ValueError, get_index, wrong)
    assert len(message) <= 400
    assert f"list_indices(), its function or an Index, got {wrong!r}; did you mean" in message
    near = message.split("did you mean ")[1].rstrip("?").split(", ")
    assert len(near) <= 5
    assert repr(FOREIGN[wrong]) in near
    with pytest.raises(AttributeError) as error:
        getattr(sklearn_clustcompare, wrong)
    assert len(str(error.value)) <= 400
    assert f"no attribute {wrong!r}; did you mean " in str(error.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("contingency_matrix", "ContingencyTable.from_labels.*"),
        ("silhouette", "silhouette_score"),
        ("ari", "adjusted_rand_score"),
        ("cluster_report", "clustering_comparison_report"),
        ("GridScorer", "ClusteringScorer"),
        ("clustree", "clustering_tree"),
        ("nmi", "normalized_mutual_info_score"),
        ("compare_candidates", "paired_comparison_test"),
        ("confidence_interval", "score_interval"),
        ("get_scorer", "make_clustering_scorer"),
        ("parametrize_with_checks", "parametrize_with_clusterer_checks"),
        ("posterior_similarity_matrix", "co_association_matrix"),
        ("silhouette_samples", "SilhouetteDisplay"),
    ],
)
def test_what_the_package_lacks_is_answered_with_what_it_has(wrong, meant):
    text = rf"no attribute '{wrong}'; did you mean .*'(sklearn_clustcompare\..*)?{meant}'"
    with pytest.raises(AttributeError, match=text):
        getattr(sklearn_clustcompare, wrong)


def test_private_names_get_no_advice():
    with pytest.raises(AttributeError, match="has no attribute '_rand'$"):
        sklearn_clustcompare._rand  # noqa: B018


def test_dir_offers_public_names_only():
    parts = [*sklearn_clustcompare._PARTS, "results", "__version__"]
    assert dir(sklearn_clustcompare) == sorted([*sklearn_clustcompare.__all__, *parts])


@pytest.mark.parametrize(
    "wrong", [sklearn.metrics.rand_score, rand_score.__call__, lambda table: 0.0, partial(max)]
)
def test_other_functions_are_no_index(wrong):
    message = said_by(ValueError, get_index, wrong)
    assert "its function or an Index, got <" in message or "got functools.partial" in message


def test_functions_of_the_package_that_are_no_index():
    assert not is_index(sklearn_clustcompare.metrics.categorical_entropy)
    assert is_index(sklearn_clustcompare.silhouette_score)
    assert is_index(partial(get_index("asw")))


def test_a_function_of_another_package_names_that_of_the_same_name():
    message = said_by(ValueError, get_index, sklearn.metrics.rand_score)
    assert "did you mean 'rand_score'" in message


def test_get_index_returns_no_parameters():
    message = said_by(ValueError, get_index, "nmi:q=2")
    assert "get_index('normalized_mutual_info_score')(table, q=2)" in message


# --------------------------------------------------------------------------- properties


@pytest.mark.parametrize(
    ("properties", "meant"),
    [
        ({"families": "entities"}, "did you mean 'entity'?"),
        ({"monotone": "strictly"}, "did you mean 'strict'?"),
        ({"adjusted": "yes"}, "must be one of False, True; got 'yes'"),
        ({"range": (0, 2)}, "(0.0, 1.0), (0.0, inf); got (0, 2)"),
        ({"short_names": "arri"}, "did you mean 'ari'"),
        ({"source": "Hubert"}, "did you mean 'Hubert & Schultz (1976)'"),
        ({"bias": None, "linear_in": "pair"}, "did you mean 'pairs'?"),
    ],
)
def test_unknown_values_of_properties_are_refused(properties, meant):
    message = said_by(ValueError, list_indices, **properties)
    assert message.startswith(f"{list(properties)[-1]} must be ")
    assert meant in message
    assert len(message) <= 400


def test_known_values_that_no_index_has_together_find_none():
    assert list_indices(families="tracking", adjusted=True, metric=True) == []
    assert list_indices(range=[0, 1]) == list_indices(range=(0.0, 1.0)) != []


def test_names_of_an_index_of_ones_own_are_not_looked_up():
    own = Index(
        "own",
        lambda table: 1.0,
        greater_is_better=True,
        range=(0, 1),
        symmetric=True,
        source="own",
        short_names=("mine",),
    )
    assert get_index(own) is own
    said_by(ValueError, get_index, "mine")
