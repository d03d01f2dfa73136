"""Partitions from arguments: named objects, columns of a table, several at once, options."""

import io
import math
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from sklearn_clustcompare import (
    Cover,
    Hierarchy,
    adjusted_rand_score,
    cluster_decomposition,
    co_association_matrix,
    consensus_partition,
    index_curve,
    make_clustering_scorer,
    omega_score,
    pairwise_scores,
    permutation_test,
    relabel,
    score_candidates,
    silhouette_score,
)
from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare.consensus import element_consistency, medoid_partition
from sklearn_clustcompare.hierarchies import clustering_tree
from sklearn_clustcompare.plot import (
    CandidateScoresDisplay,
    DecompositionDisplay,
    IndexCurveDisplay,
    NullDistributionDisplay,
)
from sklearn_clustcompare.significance import independence_test
from tests._examples import slow
from tests._inputs import import_or_skip

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


@pytest.mark.slow
@pytest.mark.parametrize("first", FORMS)
def test_any_two_are_compared_by_the_names_of_their_objects(first):
    for second, found in FOUND_FORMS.items():
        if not first == second == "Series":  # indexes are not aligned
            assert adjusted_rand_score(FORMS[first], found) == EXPECTED, second


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
        (SETS, FOUND, "^labels_pred must name its objects.*labels_true are known by name"),
        (TRUTH, FOUND_SETS, "^labels_true must name its objects.*labels_pred are known by name"),
        (SETS, [{"eve", "bob"}, {"bob"}], "^labels_pred must be a partition, got 'bob' in several"),
        (SETS, [*SETS[:2], {"joe"}], "same objects, got '(tom|joe)' in labels_(true|pred) only"),
        (
            SETS,
            SETS[:2],
            "got 'tom' in labels_true only; .* length, got 5 and 4; .*align_partitions",
        ),
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
    networkx = import_or_skip("networkx")
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
    igraph = import_or_skip("igraph")
    graph = igraph.Graph.Ring(5)
    graph.vs["name"] = PEOPLE
    assert adjusted_rand_score(igraph.VertexClustering(graph, TRUTH), FOUND_SETS) == EXPECTED
    assert adjusted_rand_score(igraph.VertexClustering(igraph.Graph.Ring(5), TRUTH), FOUND) == (
        EXPECTED
    )
    overlapping = igraph.VertexCover(graph, [[0, 1], [1, 2, 3, 4]])
    with pytest.raises(ValueError, match=r"^labels_true must be a partition, .* overlap"):
        adjusted_rand_score(overlapping, FOUND_SETS)


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


# ----------------------------------------------------------- columns of tables that are partitions


ARI = "adjusted_rand_score"
N_OBJECTS = 2_500
RNG = np.random.default_rng(0)
GROUPS = RNG.integers(4, size=N_OBJECTS)
RUNS = {
    name: np.where(RNG.random(N_OBJECTS) < 0.2, RNG.integers(4, size=N_OBJECTS), GROUPS)
    for name in ("first", "second", "third")
}
OF_SEVERAL = {
    "pairwise_scores": lambda given: pairwise_scores(given, index=ARI).values,
    "score_candidates": lambda given: score_candidates(GROUPS, given, indices=ARI).scores[ARI],
    "medoid_partition": lambda given: medoid_partition(given).averages,
    "element_consistency": element_consistency,
    "co_association_matrix": lambda given: co_association_matrix(given).toarray(),
    "consensus_partition": lambda given: consensus_partition(given, n_init=1).labels,
    "clustering_tree": lambda given: np.concatenate(clustering_tree(given).stabilities),
}


def as_written(index=None):
    """Return the runs as they come back from a file that pandas wrote with its index."""
    text = pd.DataFrame(RUNS, index=index).to_csv()
    return pd.read_csv(io.StringIO(text))


@pytest.mark.parametrize("name", OF_SEVERAL)
def test_an_index_that_was_written_to_a_file_is_no_partition(name):
    with pytest.warns(UserWarning, match="no partitions: 'Unnamed: 0'; pass a dict"):
        found = OF_SEVERAL[name](as_written())
    np.testing.assert_array_equal(found, OF_SEVERAL[name](RUNS))


@pytest.mark.parametrize(
    "ids",
    [
        [f"cell {number}" for number in range(N_OBJECTS)],
        RNG.permutation(N_OBJECTS) / 7,
        pd.date_range("2020", periods=N_OBJECTS),
        pd.Categorical(range(N_OBJECTS)),
    ],
)
def test_a_column_with_a_value_for_each_object_is_no_partition(ids):
    with pytest.warns(UserWarning, match="no partitions: 'cell'"):
        found = pairwise_scores(pd.DataFrame({**RUNS, "cell": ids}), index=ARI)
    assert found.names == list(RUNS)


@pytest.mark.slow
@pytest.mark.parametrize("package", ["polars", "pyarrow", "dask.dataframe"])
def test_frames_of_other_packages(package):
    module = import_or_skip(package)
    frame = as_written()
    make = {
        "polars": lambda: module.from_pandas(frame),
        "pyarrow": lambda: module.Table.from_pandas(frame),
        "dask.dataframe": lambda: module.from_pandas(frame, npartitions=3),
    }[package]
    with pytest.warns(UserWarning, match="no partitions: 'Unnamed: 0'"):
        found = pairwise_scores(make(), index=ARI)
    np.testing.assert_array_equal(found.values, pairwise_scores(RUNS, index=ARI).values)


def test_columns_of_data_by_default_and_by_name():
    data = as_written().assign(truth=GROUPS)
    with pytest.warns(UserWarning, match="no partitions: 'Unnamed: 0'"):
        assert score_candidates("truth", data=data).names == list(RUNS)
    chosen = ["Unnamed: 0", "first"]
    assert score_candidates("truth", chosen, data=data, indices=ARI).names == chosen


def test_what_is_given_one_by_one_stays():
    singletons, few = np.arange(100), RUNS["first"][:100]
    for given in (
        [singletons, few],
        np.array([singletons, few]),
        {"Unnamed: 0": singletons, "first": few},
    ):
        assert pairwise_scores(given, index=ARI).values.shape == (2, 2)
        assert consensus_partition(given, n_init=1).labels.shape == (100,)


@pytest.mark.parametrize("other", [998, 999, 1_000, N_OBJECTS - 1])
def test_two_objects_together_make_a_partition_wherever_they_are(other):
    labels = np.arange(N_OBJECTS)
    labels[other] = 0
    frame = pd.DataFrame({"fine": labels, **RUNS})
    assert pairwise_scores(frame, index=ARI).names == ["fine", *RUNS]


def test_a_single_object_is_a_partition():
    assert pairwise_scores(pd.DataFrame({"a": [1], "b": [2]}), index=ARI).values[0, 1] == 1


def test_the_finest_level_of_a_taxonomy_may_have_single_objects():
    frame = pd.DataFrame({"genus": [0, 0, 1, 1], "species": [0, 1, 2, 3]})
    assert Hierarchy.from_labels(frame) == Hierarchy.from_labels(dict(frame))
    with pytest.warns(UserWarning, match="no partitions: 'Unnamed: 0'"):
        found = Hierarchy.from_labels(frame.assign(**{"Unnamed: 0": [0, 1, 2, 3]}))
    assert found == Hierarchy.from_labels(dict(frame))


# ---------------------------- many partitions, kept in the smallest integers that hold their codes


# Numbers of clusters and smallest labels around the ends of the types of integers.
BOUNDARIES = [
    *((n_clusters, low) for n_clusters in (127, 128, 129, 255, 256, 257) for low in (0, -1, -128)),
    *((n_clusters, -129) for n_clusters in (256, 257, 258)),
    *((n_clusters, low) for n_clusters in (32_767, 32_768, 32_769) for low in (-1, -32_768)),
    *((n_clusters, low) for n_clusters in (65_535, 65_536, 65_537) for low in (0, -1, -32_769)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("n_clusters", "low"), BOUNDARIES)
def test_no_cluster_is_lost_in_small_integers(n_clusters, low):
    check_scores(np.arange(low, low + n_clusters))


@pytest.mark.parametrize("n_clusters", [255, 256, 257, slow(65_535), slow(65_536), slow(65_537)])
def test_no_cluster_of_names_is_lost_in_small_integers(n_clusters):
    check_scores(np.array([f"{number:05d}" for number in range(n_clusters)]))


def check_scores(names):
    """Score clusters of two objects each, and the same with the last joined to the first."""
    n_clusters = len(names)
    labels, joined = np.tile(names, 2), np.tile(np.append(names[:-1], names[0]), 2)
    # Two pairs became six; all pairs of the first partition are together in the other.
    n_pairs, n_joined = n_clusters, n_clusters + 4
    mean = Fraction(n_pairs * n_joined, math.comb(2 * n_clusters, 2))
    adjusted = (n_pairs - mean) / (Fraction(n_pairs + n_joined, 2) - mean)
    expected = pytest.approx(float(adjusted), rel=1e-14)
    index = "adjusted_rand_score"
    result = score_candidates(labels, [labels, joined], indices=index)
    assert result.n_clusters.tolist() == [n_clusters, n_clusters - 1]
    assert result.scores[index].tolist() == [1.0, expected]
    result = score_candidates(joined, [labels, joined], indices=index)
    assert result.scores[index].tolist() == [expected, 1.0]
    assert pairwise_scores([labels, joined], index=index).values.tolist() == [
        [1.0, expected],
        [expected, 1.0],
    ]


def test_an_array_with_objects_in_its_rows():
    rng = np.random.default_rng(0)
    objects_first = rng.integers(3, size=(20, 2))
    with pytest.raises(ValueError, match=r"^candidates: .* \(20, 2\): is it transposed"):
        score_candidates([0, 1] * 10, objects_first, indices="rand_score")
    assert len(score_candidates([0, 1] * 10, objects_first.T, indices="rand_score").names) == 2


# --------------------------------------------------------------------------- options of reading


GIVEN = {"possibilistic": True, "noise": "drop", "noise_label": [7, 8], "missing": "drop"}
GIVEN["unmatched"] = "singleton"


def test_options_are_keywords_in_this_order():
    assert Reading(**GIVEN).keywords == GIVEN
    assert list(Reading().keywords) == list(GIVEN)
    assert Reading(**GIVEN, normalize=False) == Reading(**GIVEN)
    with pytest.raises(TypeError, match="positional"):
        Reading(*GIVEN.values())


def null_values(result):
    return [result.statistic, result.pvalue, result.mean]


def of_decomposition(true, pred, **options):
    drawn = DecompositionDisplay.from_predictions(true, pred, **options).decomposition
    assert drawn.R == cluster_decomposition(true, pred, **options).R
    return [drawn.R, drawn.C]


def of_null_display(true, pred, **options):
    pytest.importorskip("matplotlib")
    drawn = NullDistributionDisplay.from_predictions(true, pred, n_resamples=9, **options)
    return null_values(drawn.result)


def of_independence(true, pred, **options):
    result = independence_test(true, pred, n_resamples=9, **options)
    whole = permutation_test(true, pred, index="mutual_info_score", n_resamples=9, **options)
    assert null_values(result) == null_values(whole)
    return null_values(result)


def of_candidates(true, pred, **options):
    drawn = CandidateScoresDisplay.from_predictions(true, [pred], index="rand_score", **options)
    (value,) = score_candidates(true, [pred], indices="rand_score", **options).scores["rand_score"]
    assert drawn.scores.scores["rand_score"] == [value]
    return [value, *drawn.expected]


def of_curve(true, pred, **options):
    drawn = IndexCurveDisplay.from_predictions(true, {"a": pred}, index="rand_score", **options)
    found = index_curve(true, {"a": pred}, index="rand_score", confidence_level=0.9, **options)
    scores = score_candidates(
        true, {"a": pred}, indices="rand_score", confidence_level=0.9, **options
    )
    np.testing.assert_array_equal(found.intervals[0], scores.intervals["rand_score"])
    return [*drawn.curve.values.ravel(), *found.values.ravel()]


OF_OPTIONS = [of_decomposition, of_null_display, of_independence, of_candidates, of_curve]


@pytest.mark.slow
@pytest.mark.parametrize("function", OF_OPTIONS)
def test_what_is_dropped_is_as_if_it_had_not_been_given(function):
    pytest.importorskip("matplotlib")
    rng = np.random.default_rng(0)
    true, pred = rng.integers(3, size=(2, 20)).tolist()
    noisy = [*true, 7, 0, None, 1], [*pred, 0, 7, 1, None]
    options = {"noise": "drop", "noise_label": 7, "missing": "drop"}
    np.testing.assert_array_equal(function(*noisy, **options), function(true, pred))


@pytest.mark.slow
@pytest.mark.parametrize("function", [of_decomposition, of_null_display, of_independence])
def test_memberships_may_be_possibilistic(function):
    pytest.importorskip("matplotlib")
    rng = np.random.default_rng(0)
    true, pred = rng.random((2, 12, 3)) * 0.9
    assert np.isfinite(function(true, pred, possibilistic=True)).all()
    with pytest.raises(ValueError, match="must sum to 1"):
        function(true, pred)
