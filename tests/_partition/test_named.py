"""Partitions that name their objects: sets, dicts, communities, covers without overlap."""

import importlib
import warnings
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from sklearn_clustcompare import (
    Cover,
    adjusted_mutual_info_score,
    adjusted_rand_score,
    clustering_comparison_report,
    consensus_partition,
    make_clustering_scorer,
    normalized_mutual_info_score,
    omega_score,
    pairwise_scores,
    permutation_test,
    relabel,
    score_candidates,
    score_interval,
    silhouette_score,
    variation_of_information_distance,
)
from sklearn_clustcompare.consensus import element_consistency
from sklearn_clustcompare.plot import AlluvialDisplay, ContingencyDisplay

PEOPLE = ["eve", "bob", "ann", "dan", "tom"]
TRUTH, FOUND = [0, 0, 1, 1, 2], ["x", "y", "y", "y", "z"]
SETS = [{"eve", "bob"}, {"dan", "ann"}, {"tom"}]
FOUND_SETS = [{"eve"}, {"bob", "ann", "dan"}, {"tom"}]
EXPECTED = adjusted_rand_score(TRUTH, FOUND)


def forms(sets, labels):
    nodes = dict(zip(PEOPLE, labels, strict=True))
    codes = np.unique(labels, return_inverse=True)[1].tolist()
    graph = SimpleNamespace(vs=_Vertices(), vcount=lambda: len(PEOPLE))
    return {
        "sets": sets,
        "frozen sets": [frozenset(one) for one in sets],
        "tuple of sets": tuple(sets),
        "values of a dict": dict(enumerate(sets)).values(),
        "with an empty set": [*sets, set()],
        "dict": nodes,
        "dict in another order": dict(sorted(nodes.items())),
        "Series": pd.Series(nodes),
        "cover": Cover.from_sets(sets),
        "cover in another order": Cover.from_sets(sets, objects=PEOPLE),
        "igraph": SimpleNamespace(membership=codes, graph=graph),
        "cdlib": SimpleNamespace(communities=[sorted(one) for one in sets], graph=object()),
    }


class _Vertices:
    def attributes(self):
        return ["name"]

    def __getitem__(self, name):
        return PEOPLE


FORMS, FOUND_FORMS = forms(SETS, TRUTH), forms(FOUND_SETS, FOUND)


@pytest.mark.parametrize("second", FOUND_FORMS)
@pytest.mark.parametrize("first", FORMS)
def test_any_two_are_compared_by_the_names_of_their_objects(first, second):
    if first == second == "Series":
        pytest.skip("indexes are not aligned")
    assert adjusted_rand_score(FORMS[first], FOUND_FORMS[second]) == EXPECTED


@pytest.mark.parametrize("form", FORMS)
def test_every_door_takes_them(form):
    given, found = FORMS[form], FOUND_FORMS["dict"]
    for function in (
        normalized_mutual_info_score,
        adjusted_mutual_info_score,
        variation_of_information_distance,
    ):
        assert function(given, found) == function(TRUTH, FOUND)
    scores = score_candidates(given, [found, FOUND_SETS], indices="adjusted_rand_score")
    assert scores.scores["adjusted_rand_score"].tolist() == [EXPECTED, EXPECTED]
    scores = score_candidates(found, {"it": given}, indices="adjusted_rand_score", n_jobs=2)
    assert scores.scores["adjusted_rand_score"].tolist() == [EXPECTED]
    assert pairwise_scores([given, found], index="adjusted_rand_score").values[0, 1] == EXPECTED
    report = clustering_comparison_report(given, found, output_dict=True)
    assert (
        report["overall"] == clustering_comparison_report(TRUTH, FOUND, output_dict=True)["overall"]
    )
    test = permutation_test(given, found, index="adjusted_rand_score", n_resamples=99)
    assert test.statistic == EXPECTED
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        interval = score_interval(given, found, index="adjusted_rand_score", n_resamples=9)
    assert interval.score == EXPECTED
    drawn = ContingencyDisplay.from_predictions(given, found)
    expected = ContingencyDisplay.from_predictions(TRUTH, FOUND)
    assert sorted(drawn.counts.ravel()) == sorted(expected.counts.ravel())
    AlluvialDisplay.from_partitions([given, found])
    assert omega_score(given, found) == pytest.approx(EXPECTED)
    consistency = element_consistency([found, given])
    np.testing.assert_array_equal(consistency, element_consistency([FOUND, TRUTH]))


def test_weights_by_name():
    weights = dict(zip(PEOPLE, [1, 2, 3, 4, 5], strict=True))
    expected = adjusted_rand_score(TRUTH, FOUND, sample_weight=list(weights.values()))
    for one in (weights, dict(sorted(weights.items())), pd.Series(weights)):
        for form in ("sets", "dict", "dict in another order"):
            assert adjusted_rand_score(FORMS[form], FOUND_SETS, sample_weight=one) == expected


def test_results_by_object_have_the_order_of_the_dict():
    named = relabel(FORMS["dict"], FOUND_FORMS["dict"])
    assert named.tolist() == relabel(TRUTH, FOUND).tolist()
    result = consensus_partition([FORMS["dict"], FOUND_SETS], random_state=0)
    assert len(result.labels) == 5


def test_labels_of_a_dict_may_be_missing_or_noise():
    gone = dict(zip(PEOPLE, [0, -1, 1, None, 2], strict=True))
    scores = score_candidates(
        gone, [FOUND_SETS], indices="adjusted_rand_score", missing="drop", noise="drop"
    )
    expected = adjusted_rand_score([0, 1, 2], ["x", "y", "z"])
    assert scores.scores["adjusted_rand_score"].tolist() == [expected]
    with pytest.raises(ValueError, match="labels_true must not contain missing values, got None"):
        adjusted_rand_score(gone, FOUND_SETS)


def test_a_dict_of_references_is_none_of_labels():
    references = {"first": TRUTH, "second": FORMS["dict"], "third": SETS}
    scores = score_candidates(references, [FOUND_FORMS["dict"]], indices="adjusted_rand_score")
    assert scores.reference_scores["adjusted_rand_score"].tolist() == [[EXPECTED] * 3]


def test_a_dict_is_compared_by_position_with_what_has_no_names():
    assert adjusted_rand_score(FORMS["dict"], FOUND) == EXPECTED
    assert adjusted_rand_score(TRUTH, FOUND_FORMS["dict"]) == EXPECTED
    assert adjusted_rand_score([{0, 1}, {2, 3}, {4}], FOUND) == EXPECTED


@pytest.mark.parametrize("seed", range(3))
def test_keys_that_count_the_objects_are_positions(seed):
    order = np.random.default_rng(seed).permutation(5).tolist()
    true, found = ({at: labels[at] for at in order} for labels in (TRUTH, FOUND))
    weights = [1, 2, 3, 4, 5]
    by_position = {at: weights[at] for at in order}
    expected = adjusted_rand_score(TRUTH, FOUND, sample_weight=weights)
    for a, b in ((true, FOUND), (TRUTH, found), (np.array(TRUTH), found)):
        assert adjusted_rand_score(a, b) == EXPECTED
        assert adjusted_rand_score(a, b, sample_weight=by_position) == expected
        found_scores = score_candidates(a, [FOUND, b, found], indices="adjusted_rand_score")
        assert found_scores.scores["adjusted_rand_score"].tolist() == [EXPECTED] * 3
    assert adjusted_rand_score(true, found, sample_weight=by_position) == expected
    index = "adjusted_rand_score"
    np.testing.assert_array_equal(
        pairwise_scores([TRUTH, found, true, FOUND], index=index).values,
        pairwise_scores([TRUTH, FOUND, TRUTH, FOUND], index=index).values,
    )
    overlapping = Cover.from_matrix([[1, 0], [1, 1], [0, 1], [0, 1], [1, 0]])
    assert omega_score(overlapping, true) == omega_score(overlapping, TRUTH)
    with pytest.raises(ValueError, match="objects of X in their order"):
        silhouette_score(np.arange(10.0).reshape(5, 2), {4 - at: at // 2 for at in range(5)})


@pytest.mark.parametrize(
    ("true", "pred", "message"),
    [
        (SETS, FOUND, "^labels_pred must name its objects, .* labels_true are sets, .* no order"),
        (TRUTH, FOUND_SETS, "^labels_true must name its objects, .* labels_pred are sets"),
        (SETS, [{"eve", "bob"}, {"bob"}], "^labels_pred must be a partition, got 'bob' in several"),
        (SETS, [*SETS[:2], {"joe"}], "same objects, got '(tom|joe)' in labels_(true|pred) only"),
        (
            SETS,
            SETS[:2],
            "got 'tom' in labels_true only; .* length, got 5 and 4; .*align_partitions",
        ),
        (
            FORMS["dict"],
            {"joe": 1, **FORMS["dict"]},
            "got 'joe' in labels_pred only; .* got 5 and 6",
        ),
        (
            pd.Series(FORMS["dict"]),
            {"ann": 1},
            "got 'eve', 'bob', 'dan', 'tom' in labels_true only",
        ),
        (FORMS["dict"], dict.fromkeys("abcdefg", 1), "got 'eve', .*, 'tom' in labels_true only"),
        (pd.Series({"x": 0}), dict.fromkeys("xabcdefg", 1), r"'a', .*, 'e', ... \(7\) in labels_p"),
        (pd.Series(FORMS["dict"]), pd.Series({"eve": 1}), "got 'bob', 'ann', 'dan', 'tom' in lab"),
        (FORMS["dict"], TRUTH[:4], "must have the same length, got 5 and 4"),
    ],
)
def test_errors(true, pred, message):
    with pytest.raises(ValueError, match=message):
        adjusted_rand_score(true, pred)


def test_covers_that_overlap_or_lack_objects_are_no_partitions():
    for cover in (
        Cover.from_sets([{"eve", "bob"}, {"bob", "ann", "dan", "tom"}]),
        Cover.from_sets([{"eve", "bob"}], objects=PEOPLE),
    ):
        with pytest.raises(TypeError, match="^labels_true must be labels .* got a Cover"):
            adjusted_rand_score(cover, FOUND_SETS)


def test_one_partition_is_no_list_of_candidates():
    with pytest.raises(TypeError, match="a partition is a list of sets"):
        score_candidates(SETS, FOUND_SETS, indices="adjusted_rand_score")
    with pytest.raises(TypeError, match=r"got generator: pass list\(\.\.\.\)"):
        adjusted_rand_score(SETS, (one for one in FOUND_SETS))


def test_frozen_sets_that_share_objects_are_labels():
    ab, bc = frozenset("ab"), frozenset("bc")
    assert adjusted_rand_score([ab, ab, bc], [0, 0, 1]) == 1.0


def test_a_scorer_takes_what_a_clusterer_returns():
    found = SimpleNamespace(predict=lambda X: FOUND_FORMS["dict"])
    scorer = make_clustering_scorer("adjusted_rand_score")
    assert scorer(found, np.zeros((5, 1)), pd.Series(FORMS["dict"])) == EXPECTED


def test_communities_of_networkx():
    networkx = _import("networkx")
    graph = networkx.les_miserables_graph()
    louvain = networkx.community.louvain_communities(graph, weight="weight", seed=0)
    spread = list(networkx.community.asyn_lpa_communities(graph, seed=0))
    number = {node: at for at, one in enumerate(spread) for node in one}
    codes = {node: at for at, one in enumerate(louvain) for node in one}
    nodes = sorted(graph)
    expected = adjusted_rand_score([codes[node] for node in nodes], [number[n] for n in nodes])
    for one in (spread, number, Cover.from_communities(spread)):
        assert adjusted_rand_score(louvain, one) == expected
    assert adjusted_rand_score(louvain, networkx.community.greedy_modularity_communities(graph)) > 0


def test_clusterings_of_igraph():
    igraph = _import("igraph")
    graph = igraph.Graph.Ring(5)
    graph.vs["name"] = PEOPLE
    assert adjusted_rand_score(igraph.VertexClustering(graph, TRUTH), FOUND_SETS) == EXPECTED
    assert adjusted_rand_score(igraph.VertexClustering(igraph.Graph.Ring(5), TRUTH), FOUND) == (
        EXPECTED
    )
    overlapping = igraph.VertexCover(graph, [[0, 1], [1, 2, 3, 4]])
    with pytest.raises(ValueError, match=r"^labels_true must be a partition, .* overlap"):
        adjusted_rand_score(overlapping, FOUND_SETS)


def _import(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({0: {0, 1}, 1: {2}}, "got dict: a partition is a dict of objects to labels, or the list"),
        ({"a": 0, "b": 1}.values(), r"got dict_values: pass list\(...\) of it"),
        ([{0, 1}, {1, 2}], "got 1 in several of its sets"),
        ({0: "a", 1: "b", 7: "c"}, "got 7 in labels_true only"),
    ],
)
def test_messages_show_objects_and_a_way(given, message):
    with pytest.raises((TypeError, ValueError), match=message):
        adjusted_rand_score(given, {0: 1, 1: 1, 2: 2})


def test_other_objects_of_packages_name_the_argument():
    xarray = pytest.importorskip("xarray")
    data = xarray.Dataset({"a": ("x", [0, 1])})
    with pytest.raises(TypeError, match="^labels_true must be an array, got Dataset: "):
        adjusted_rand_score(data, [0, 1])
    pandas = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match="^labels_true must not .* got None at position 1"):
        adjusted_rand_score(pandas.Series([0, None], dtype="Int64"), [0, 1])
