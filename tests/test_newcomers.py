"""Calls as somebody would write them before reading the documentation."""

from collections.abc import Set
from functools import partial
from types import SimpleNamespace

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.model_selection import GridSearchCV

import sklearn_clustcompare as scc
from tests._errors import error_cases
from tests._inputs import import_or_skip

mpl.use("Agg")

RNG = np.random.default_rng(0)
TYPES = np.repeat(["B", "T", "NK"], 20)
COARSE = np.where(RNG.random(60) < 0.9, np.repeat([0, 1, 1], 20), 2)
FINE = np.where(RNG.random(60) < 0.8, np.repeat([0, 1, 2], 20), 3)
DONORS = np.tile(np.arange(30), 2)
WEIGHTS = RNG.integers(1, 5, 60)
X, BLOBS = make_blobs([30] * 3, 2, cluster_std=0.5, random_state=0)

COLUMNS = {
    "cell_type": TYPES,
    "leiden_0.5": COARSE,
    "leiden_1.0": FINE,
    "weight": WEIGHTS,
    "total_counts": RNG.random(60),
    "day": np.repeat(np.datetime64("2026-01-01"), 60),
}
FRAME = pd.DataFrame(COLUMNS)
CATEGORIES = FRAME.assign(cell_type=FRAME.cell_type.astype("category"))
LEIDEN = ["leiden_0.5", "leiden_1.0"]


TABLES = {
    "dict": dict,
    "dict of lists": lambda columns: {name: list(one) for name, one in columns.items()},
    "pandas": pd.DataFrame,
    "categories": lambda columns: pd.DataFrame(columns).astype({"cell_type": "category"}),
    "Arrow types": lambda columns: pd.DataFrame(columns).convert_dtypes(
        dtype_backend=import_or_skip("pyarrow").__name__
    ),
    "polars": lambda columns: import_or_skip("polars").DataFrame(columns),
    "arrow": lambda columns: import_or_skip("pyarrow").table(columns),
    "narwhals": lambda columns: import_or_skip("narwhals").from_native(pd.DataFrame(columns)),
    "xarray": lambda columns: import_or_skip("xarray").Dataset(
        {name: ("cell", values) for name, values in columns.items()}
    ),
    "AnnData": lambda columns: SimpleNamespace(obs=pd.DataFrame(columns), shape=(60, 7)),
}


def _same(found, expected):
    assert repr(found) == repr(expected)


# --------------------------------------------------------------------------- their calls


def test_1_a_function_as_index():
    found = scc.permutation_test(TYPES, FINE, index=scc.rand_score)
    _same(found, scc.permutation_test(TYPES, FINE, index="rand_score"))


def test_2_a_partial_as_index():
    by_max = partial(scc.normalized_mutual_info_score, average_method="max")
    found = scc.score_interval(TYPES, FINE, index=by_max)
    expected = scc.score_interval(
        TYPES, FINE, index="normalized_mutual_info_score", average_method="max"
    )
    assert (found.score, found.interval) == (expected.score, expected.interval)


def test_3_short_names_in_an_assertion():
    scc.assert_clustering(TYPES, FINE, ari=0.4, NMI=0.4, vi=2)
    with pytest.raises(AssertionError, match=r"^adjusted_rand_score must be at least 0.99, got"):
        scc.assert_clustering(TYPES, FINE, ari=0.99)


def test_4_short_names_in_a_grid_search():
    def best(*index):
        search = GridSearchCV(
            KMeans(random_state=0, n_init=1),
            {"n_clusters": [2, 3]},
            scoring=scc.make_clustering_scorer(*index),
            cv=scc.TransductiveSplit(),
        )
        return search.fit(X, BLOBS).best_score_

    assert best("ami") == best(scc.adjusted_mutual_info_score) == best("adjusted_mutual_info_score")


@pytest.mark.parametrize("kind", TABLES)
def test_5_candidates_of_a_table_without_indices(kind):
    found = scc.score_candidates("cell_type", LEIDEN, data=TABLES[kind](COLUMNS))
    candidates = {"leiden_0.5": COARSE, "leiden_1.0": FINE}
    _same(found, scc.score_candidates(TYPES, candidates))
    assert list(found.scores) == [
        *("adjusted_rand_score", "adjusted_mutual_info_score", "homogeneity_score"),
        *("completeness_score", "matching_accuracy_score"),
    ]


@pytest.mark.parametrize("kind", TABLES)
def test_6_all_other_columns_of_labels(kind):
    found = scc.score_candidates("cell_type", data=TABLES[kind](COLUMNS), sample_weight="weight")
    candidates = {"leiden_0.5": COARSE, "leiden_1.0": FINE}
    _same(found, scc.score_candidates(TYPES, candidates, sample_weight=WEIGHTS))


@pytest.mark.slow
@pytest.mark.parametrize(
    "display",
    ["AlluvialDisplay", "ContingencyDisplay", "DecompositionDisplay", "NullDistributionDisplay"],
)
def test_12_a_picture_of_two_columns(display):
    draw = getattr(scc.plot, display).from_predictions
    found = draw("cell_type", "leiden_1.0", data=CATEGORIES)
    expected = draw(CATEGORIES["cell_type"], CATEGORIES["leiden_1.0"])
    assert [text.get_text() for text in found.ax_.texts] == [
        text.get_text() for text in expected.ax_.texts
    ]
    assert found.ax_.get_title() == expected.ax_.get_title()


# --------------------------------------------------------------------------- other pictures


@pytest.mark.slow
def test_other_pictures_take_columns():
    found = scc.plot.EmbeddingAgreementDisplay.from_predictions(
        RNG.random((60, 2)), "cell_type", "leiden_1.0", data=FRAME
    )
    assert found.labels_true.tolist() == TYPES.tolist()
    found = scc.plot.SimilarityMatrixDisplay.from_predictions(X[:60], "cell_type", data=FRAME)
    assert sorted(found.labels.tolist()) == sorted(TYPES.tolist())
    found = scc.plot.WeightFunctionDisplay.from_predictions("cell_type", data=FRAME)
    assert sorted(found.labels) == ["B", "NK", "T"]
    found = scc.plot.CandidateScoresDisplay.from_predictions("cell_type", data=FRAME, index="ari")
    assert found.scores.names == [*LEIDEN, "weight"]
    found = scc.plot.IndexCurveDisplay.from_predictions(
        "cell_type", LEIDEN, data=FRAME, index="nmi"
    )
    assert sorted(found.curve.candidates) == LEIDEN


def test_arrays_beside_a_table_are_taken_as_they_are():
    found = scc.score_candidates(TYPES, LEIDEN, data=FRAME)
    _same(found, scc.score_candidates("cell_type", LEIDEN, data=FRAME))
    found = scc.score_candidates("cell_type", {"mine": FINE}, data=FRAME)
    _same(found, scc.score_candidates(TYPES, {"mine": FINE}))


def test_names_of_columns_need_not_be_text():
    data = pd.DataFrame({0: TYPES, 1: FINE, ("a", "b"): COARSE})
    assert scc.score_candidates(0, data=data).names == [1, ("a", "b")]
    assert scc.score_candidates(0, [1], data=data).names == [1]
    assert scc.score_candidates(("a", "b"), 1, data=data).names == [1]


def test_a_column_called_obs_is_a_column():
    data = pd.DataFrame({"obs": TYPES, "found": FINE})
    _same(scc.score_candidates("obs", data=data), scc.score_candidates(TYPES, {"found": FINE}))


TEXT_DATA = X.astype("U4").astype(object) + " cm"


# --------------------------------------------------------------------------- other packages' users

COUNTS = pd.crosstab(TYPES, FINE)
COMMUNITIES = [set(np.flatnonzero(one == FINE).tolist()) for one in np.unique(FINE)]
NODES = dict(enumerate(TYPES.tolist()))

WORK_AT_ONCE = {
    "columns of obs": lambda: scc.adjusted_rand_score(FRAME["cell_type"], FRAME["leiden_1.0"]),
    "an attribute of nodes and communities": lambda: scc.adjusted_rand_score(NODES, COMMUNITIES),
    "a view of communities": lambda: scc.adjusted_rand_score(
        NODES, dict(enumerate(COMMUNITIES)).values()
    ),
    "a crosstab": lambda: scc.adjusted_rand_score(scc.ContingencyTable.from_counts(COUNTS)),
    "a dict of labelings": lambda: scc.score_candidates(NODES, {"found": COMMUNITIES}).scores[
        "adjusted_rand_score"
    ],
    "a frame of candidates": lambda: scc.score_candidates(TYPES, FRAME[["leiden_1.0"]]).scores[
        "adjusted_rand_score"
    ],
    "all labelings of a dict": lambda: scc.score_candidates(
        "y", data={"y": TYPES, "p": FINE}
    ).scores["adjusted_rand_score"],
    "all pairs of a dict": lambda: scc.pairwise_scores({"y": TYPES, "p": FINE}, index="ARI").values[
        0, 1
    ],
}


@pytest.mark.parametrize("call", WORK_AT_ONCE)
def test_calls_that_work_at_once(call):
    assert WORK_AT_ONCE[call]() == scc.adjusted_rand_score(TYPES, FINE)


class NodesWithData(Set):
    """Nodes of a graph with an attribute, as networkx returns them."""

    def __len__(self):
        return len(NODES)

    def __iter__(self):
        return iter(NODES.items())

    def __contains__(self, one):
        return one in NODES.items()


def test_groups_are_a_column():
    options = {"data": {**COLUMNS, "donor": DONORS}, "groups": "donor"}
    interval = scc.score_interval("cell_type", "leiden_0.5", index="ari", **options).interval
    assert interval == scc.score_interval(TYPES, COARSE, index="ari", groups=DONORS).interval


# --------------------------------------------------------------------------- what is refused

NO_TABLE = "^data must be a data frame, a mapping of names to columns, or have one"
VALUE_ERRORS = {
    "got 'baseline'; did you mean 'assert_not_worse'": lambda: scc.assert_clustering(
        TYPES, FINE, baseline=COARSE
    ),
    "one of your own is an indices.Index": lambda: scc.score_candidates(
        TYPES, [FINE], indices=lambda true, pred: 1.0
    ),
    "Cover.from_sets for clusters as lists": lambda: scc.omega_score([[0, 1, 2], [2, 3, 4]], FINE),
    "with weights use adjusted_rand_score, or": lambda: scc.adjusted_mutual_info_score(
        TYPES, FINE, sample_weight=WEIGHTS / 3
    ),
    "^labels_true must name a column of data, got 'cell_typ'; did you mean 'cell_type'": lambda: (
        scc.score_candidates("cell_typ", LEIDEN, data=FRAME)
    ),
    "^candidates must name a column of data, got 'leiden'; did you mean 'leiden_": lambda: (
        scc.score_candidates("cell_type", ["leiden"], data=FRAME)
    ),
    r"^labels_pred must name a column of data, got '\?'; the first columns are 'cell_t": lambda: (
        scc.permutation_test("cell_type", "?", index="ari", data=FRAME)
    ),
    "^labels_pred must name a column of data, got 3; the first columns are": lambda: scc.relabel(
        "cell_type", 3, data=FRAME
    ),
    "^within must name a column of data, got 'donor'": lambda: scc.clustering_comparison_report(
        "cell_type", LEIDEN[0], within="donor", data=FRAME
    ),
    "^labels_true must name a column of data, got 'aaa.*": lambda: scc.relabel(
        "a" * 150, "b", data={letter * 200: [0, 1] for letter in "abcdefgh"}
    ),
    "^candidates must be columns of labels in data, which has no others, got None$": lambda: (
        scc.score_candidates("cell_type", data={"cell_type": TYPES, "score": RNG.random(60)})
    ),
    "X must hold numbers": lambda: scc.cluster_significance(BLOBS, TEXT_DATA),
    "X must have a row": [
        lambda: scc.cluster_significance(X, BLOBS),
        lambda: scc.cluster_significance(BLOBS, X[:, 0]),
        lambda: scc.cluster_significance(KMeans(2), X[:, 0]),
        lambda: scc.cluster_stability(KMeans(2), X[:, 0].tolist()),
    ],
    "concatenate the arrays if they are parts": lambda: scc.adjusted_rand_score(
        [TYPES[:32], TYPES[32:]], FINE
    ),
}
TYPE_ERRORS = {
    "; score_candidates takes several": lambda: scc.permutation_test(
        TYPES, {"coarse": COARSE, "fine": FINE}, index="ari"
    ),
    r"ContingencyTable\.from_counts": lambda: scc.adjusted_rand_score(COUNTS),
    NO_TABLE: [
        lambda: scc.relabel("cell_type", "leiden_1.0", data=TYPES),
        lambda: scc.relabel("cell_type", "leiden_1.0", data=[TYPES, FINE]),
        lambda: scc.relabel("cell_type", "leiden_1.0", data="cell_type"),
        lambda: scc.relabel("cell_type", "leiden_1.0", data=3),
    ],
    "got str; functions with data= take names of columns$": [
        lambda: scc.score_candidates("cell_type", "leiden_1.0"),
        lambda: scc.permutation_test("cell_type", "leiden_1.0", index="ari"),
    ],
    r"got LazyFrame: call \.collect\(\) first$": lambda: scc.relabel(
        "cell_type", "leiden_1.0", data=import_or_skip("polars").DataFrame(COLUMNS).lazy()
    ),
    "X must be data, got the clus": [
        lambda: scc.cluster_significance(X, KMeans(2)),
        lambda: scc.cluster_stability(X, KMeans(2)),
    ],
    "estimator must be a clusterer, whi": [
        lambda: scc.cluster_stability(BLOBS, X),
        lambda: scc.cluster_stability(X, BLOBS),
    ],
    "got .* 'index'; did you mean 'indices'": lambda: scc.score_candidates(
        BLOBS, {"a": BLOBS}, index="ari"
    ),
    r"pass dict\(\.\.\.\) of pairs": lambda: scc.adjusted_rand_score(NodesWithData(), COMMUNITIES),
    "from_counts": lambda: scc.ContingencyTable(COUNTS),
    "functions with data= take names": lambda: scc.score_candidates(FRAME, "cell_type"),
    "choose_n_clusters.. got .* 'index'; it takes estimator, X, param_range": lambda: (
        scc.choose_n_clusters(KMeans(), X, index="silhouette")
    ),
    "'groupby'; did you mean 'within'": lambda: scc.score_candidates(TYPES, [FINE], groupby=DONORS),
    r"takes several partitions as one list: clustering_tree\(\[a, b, \.\.\.\]\)": lambda: (
        scc.hierarchies.clustering_tree(TYPES, FINE)
    ),
    r"takes several partitions as one list: consensus_partition\(\[": lambda: (
        scc.consensus_partition(TYPES, FINE)
    ),
    "^clustering_comparison_report.*; 'vi' is .*metrics.variation_of_information_dist": lambda: (
        scc.clustering_comparison_report(TYPES, FINE, method="vi")
    ),
    "'min_cluster_size'; it takes labels_true": lambda: scc.clustering_comparison_report(
        TYPES, FINE, min_cluster_size=10
    ),
    "did you mean 'n_resamples'.\nthe clusterer comes first, then X$": lambda: (
        scc.cluster_stability(X, KMeans(), n_boot=20)
    ),
    "such as ari=0.7, got index='ari'$": lambda: scc.assert_clustering(
        TYPES, FINE, index="ari", min_score=0.5
    ),
    "^tables must be contingency tables, got 'cell_type'; it is made by from_partitions": lambda: (
        scc.plot.AlluvialDisplay(FRAME)
    ),
    r"recommend_index\(\) too many .* it takes labels_true": lambda: scc.recommend_index(
        TYPES, FINE
    ),
    r"pass \*\*min_scores$": lambda: scc.assert_clustering(TYPES, FINE, min_scores={"ari": 0.5}),
}


@error_cases(VALUE_ERRORS, TYPE_ERRORS)
def test_the_right_call_is_told_in_a_few_lines(error, text, call):
    with pytest.raises(error, match=text) as caught:
        call()
    assert len(str(caught.value)) <= 400


ATTRIBUTE_ERRORS = {
    r"'to_json'; did you mean 'json.dumps\(result.to_dict\(\)\)'": lambda: (
        scc.clustering_comparison_report(TYPES, FINE).to_json
    ),
    r"'low'; did you mean 'interval\[0\]'": lambda: (
        scc.score_interval(TYPES, FINE, index="ari").low
    ),
    "'best_k'; it has .*index, .*pvalue": lambda: (
        scc.permutation_test(TYPES, FINE, index="ari").best_k
    ),
    "'capitalise'; it has decomposition, .*to_markdown": lambda: (
        scc.clustering_comparison_report(TYPES, FINE).capitalise
    ),
}


# What somebody called, and what does it here, named first.
NAMES_OF_OTHERS = {
    "plot_confusion_matrix": "sklearn_clustcompare.plot.ContingencyDisplay",
    "alluvial_plot": "sklearn_clustcompare.plot.AlluvialDisplay",
    "plot_gap": "sklearn_clustcompare.plot.GapDisplay",
    "consensus_matrix": "co_association_matrix",
    "compare_communities": "clustering_comparison_report",
    "compare_partitions": "clustering_comparison_report",
    "split_join_distance": "sklearn_clustcompare.metrics.van_dongen_distance",
    "cluster_stats": "sklearn_clustcompare.report.internal_decomposition",
    "score_by_group": "score_candidates",
    "bcubed_f1_score": "bcubed_f_score",
    "clustComp": "clustering_comparison_report",
    "rand_index": "rand_score",
    "jaccard_coefficient": "sklearn_clustcompare.metrics.pair_jaccard_score",
    "plot_confusion": "sklearn_clustcompare.plot.ContingencyDisplay",
    "sankey_plot": "sklearn_clustcompare.plot.AlluvialDisplay",
    "best_k": "choose_n_clusters",
    "adjust_for_chance": "chance_adjusted_score(labels_true, labels_pred, index=...)",
    "ceaf_e_score": "metrics.ceaf_f_score(..., similarity='dice')",
    "misclassified_samples": "relabel(labels_true, labels_pred) != labels_true",
    "clustering_scores": "score_candidates(labels_true, {'name': labels_pred}, indices=[...])",
    "pair_precision_recall_fscore": "pair_precision_score', 'pair_recall_score', 'pair_f_score",
    "record_linkage_report": "clustering_comparison_report",
    "labels_from_pairs": "scipy.sparse.csgraph.connected_components",
    "random_partition": "numpy.random.Generator.permutation",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES_OF_OTHERS)
def test_a_name_of_others_is_told_what_it_is_here(name):
    with pytest.raises(AttributeError) as caught:
        getattr(scc, name)
    assert str(caught.value).partition("; did you mean ")[2].startswith(NAMES_OF_OTHERS[name], 1)


@pytest.mark.parametrize("text", ATTRIBUTE_ERRORS)
def test_attributes_that_a_result_has_are_told(text):
    with pytest.raises(AttributeError, match=text):
        ATTRIBUTE_ERRORS[text]()
