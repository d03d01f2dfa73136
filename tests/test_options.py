"""Words that parameters accept, values in texts, and arguments that a function does not take."""

import inspect
import re
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import linkage
from sklearn.cluster import KMeans

import sklearn_clustcompare as scc
from sklearn_clustcompare import (
    ContingencyTable,
    adjusted_rand_score,
    consensus_partition,
    get_index,
    mutual_info_score,
    score_candidates,
)
from sklearn_clustcompare.hierarchies import clustering_tree, compare_hierarchies
from sklearn_clustcompare.indices import read_index
from sklearn_clustcompare.significance import noninferiority_test
from tests._errors import said_by

TRUE, PRED = np.arange(40) % 3, np.arange(40) % 4


@pytest.mark.parametrize(("text", "value"), [("2", 2), ("0.5", 0.5), ("1e0", 1.0)])
def test_numbers_are_read_from_texts(text, value):
    _, parameters = read_index(f"mi:q={text}")
    assert parameters == {"q": value}
    assert type(parameters["q"]) is type(value)


def test_constants_are_read_from_texts():
    assert read_index("mi:base=None")[1] == {"base": None}
    assert read_index("van_dongen_distance:normalize=true")[1] == {"normalize": True}


@pytest.mark.parametrize("wrong", ["x" * 10_000, list(range(10_000)), "a_b_" * 5_000, {}, ""])
def test_long_or_strange_values_are_shortened(wrong):
    assert len(said_by(ValueError, get_index, wrong)) <= 400


# --------------------------------------------------------------------------- arguments of calls

DRAWN = [TRUE, PRED, TRUE]
TREES = [linkage(np.arange(12.0).reshape(6, 2) ** 2, how) for how in ("single", "ward")]
FOUND = consensus_partition(DRAWN, index="vi")
LONG = partial(scc.score_interval, TRUE, PRED, index="ari")

# A call, a keyword that others have, and what the function calls it.
KEYWORDS = [
    (partial(adjusted_rand_score, TRUE, PRED), "dropna", "missing='drop'"),
    (partial(adjusted_rand_score, TRUE, PRED), "weights", "'sample_weight'"),
    (partial(mutual_info_score, TRUE, PRED), "bse", "'base'"),
    (partial(score_candidates, TRUE, DRAWN), "confidence", "'confidence_level'"),
    (partial(score_candidates, TRUE, DRAWN), "metric", "'indices'"),
    (partial(score_candidates, TRUE, DRAWN, indices=["mi", "nmi"]), "bse", "'base'"),
    (partial(consensus_partition, DRAWN), "loss", "'index'"),
    (partial(consensus_partition, DRAWN), "max_n_clusters", "n_clusters=(None, K)"),
    (partial(consensus_partition, DRAWN), "sample_weight", "'weights'"),
    (partial(scc.pairwise_scores, DRAWN), "scoring", "'index'"),
    (partial(scc.make_clustering_scorer, "ari"), "respons", "'response'"),
    (scc.make_clustering_scorer, "metric", "'index'"),
    (partial(compare_hierarchies, *TREES), "k", "'param_range'"),
    (partial(compare_hierarchies, *TREES), "n_clusters", "'param_range'"),
    (partial(scc.gap_statistic, KMeans(), PRED[:, None]), "max_k", "param_range=range(2, K + 1)"),
    (FOUND.credible_ball, "alpha", "'level' (1 - alpha)"),
    (LONG, "alpha", "'confidence_level' (1 - alpha)"),
    (LONG, "level", "'confidence_level'"),
    (LONG, "n_permutations", "'n_resamples'"),
    (LONG, "B", "'n_resamples'"),
    (LONG, "n_boot", "'n_resamples'"),
    (partial(scc.cluster_stability, KMeans(), PRED[:, None]), "n_bootstraps", "'n_resamples'"),
    (partial(score_candidates, TRUE, DRAWN), "metrics", "'indices'"),
    (LONG, "seed", "'random_state'"),
    (LONG, "processes", "'n_jobs'"),
    (scc.clustering_comparison_report, "target_names", "labels_true=names[labels_true]"),
]


@pytest.mark.parametrize(("call", "got", "ours"), KEYWORDS)
def test_a_keyword_of_others_is_answered_by_that_of_the_function(call, got, ours):
    said = said_by(TypeError, call, **{got: 1})
    function = getattr(call, "func", call)
    start = f"{function.__qualname__}() got an unexpected keyword argument {got!r}"
    assert said == f"{start}; did you mean {ours}?"
    # What is said is taken.
    assert re.search(r"\w+", ours)[0] in inspect.signature(call).parameters or ours == "'base'"


def test_another_keyword_is_answered_by_all_that_there_are():
    for call, end in (
        (partial(adjusted_rand_score, TRUE, PRED), "missing, unmatched, data"),
        (
            partial(consensus_partition, DRAWN),
            "unmatched, and adjusted_rand_score takes no parameters",
        ),
        (partial(LONG.func, TRUE, PRED, index="mi"), "and mutual_info_score takes 'q', 'base'"),
        (
            partial(score_candidates, TRUE, DRAWN, indices=["mi", "nmi"]),
            "and the indices take 'q', 'base', 'average_method'",
        ),
    ):
        said = said_by(TypeError, call, colour=1)
        names = [*inspect.signature(call.func).parameters]
        assert f"'colour'; it takes {', '.join(names[:4])}" in said
        assert said.endswith(end)
    said = said_by(TypeError, partial(LONG.func, TRUE, PRED, index="ari"), method_=1)
    assert "'index'" not in said.partition("did you mean")[2]
    paired = partial(scc.paired_comparison_test, TRUE, PRED, PRED, index="ari")
    said = said_by(TypeError, paired, margin=0.02)
    assert "'margin'; taken by significance.noninferiority_test; it takes labels_true" in said
    assert "taken by" not in said_by(TypeError, paired, null="pca")  # by many
    chosen = partial(scc.choose_n_clusters, KMeans(), PRED[:, None])
    said = said_by(TypeError, chosen, criterion="bic")
    assert said.endswith("chooses in GridSearchCV, by make_clustering_scorer")
    said = said_by(TypeError, chosen, seed=1, k=range(1, 9)).splitlines()
    assert [line.rpartition("; ")[2] for line in said] == [
        "did you mean 'random_state'?",
        "did you mean 'param_range'?",
    ]
    # Parameters that are no keywords of the call are the index's own.
    said = said_by(TypeError, partial(consensus_partition, DRAWN), index="ari:colour=1")
    assert said == "adjusted_rand_score takes no parameters, got 'colour'"


@pytest.mark.parametrize(
    ("call", "arguments", "text"),
    [
        (LONG.func, (TRUE, PRED, "ari"), "it takes labels_true, labels_pred: pass index='ari'"),
        (score_candidates, (TRUE, DRAWN, "ari"), "pass indices='ari'"),
        (scc.match_clusters, (TRUE, PRED, "greedy"), "pass method='greedy'"),
        (scc.match_clusters, (TRUE, PRED, b""), "pass the others by keyword"),
        (consensus_partition, (DRAWN, "vi"), "it takes partitions: pass index='vi'"),
        (scc.assert_clustering, (pd.DataFrame(), "a", "b"), "pass the table as data="),
        (FOUND.credible_ball, (0.9, 3), "it takes level: pass the others by keyword"),
        (
            scc.permutation_test,
            (TRUE, PRED),
            "missing a required argument: 'index', as in "
            "permutation_test(labels_true, labels_pred, index='adjusted_rand_score')",
        ),
        (scc.pairwise_scores, (), "as in pairwise_scores(partitions, index='adjusted_rand_score')"),
        (
            noninferiority_test,
            (TRUE, PRED, PRED),
            "'index', as in noninferiority_test(labels_true, "
            "labels_a, labels_b, index='adjusted_rand_score', margin=...)",
        ),
        (scc.gap_statistic, (KMeans(),), "'X', as in gap_statistic(estimator, X)"),
    ],
)
def test_other_calls_are_answered_by_the_right_one(call, arguments, text):
    assert said_by(TypeError, call, *arguments).endswith(text)


@pytest.mark.parametrize(
    "call",
    [
        partial(adjusted_rand_score, TRUE, PRED),
        partial(scc.silhouette_score, TRUE[:, None], PRED),
        LONG,
        partial(LONG.func, PRED[:, None], PRED, index="silhouette_score"),
        partial(score_candidates, TRUE, DRAWN),
        partial(score_candidates, TRUE, DRAWN, indices=["ari", "nmi"]),
        partial(consensus_partition, DRAWN),
        partial(scc.make_clustering_scorer, ["ari", "silhouette"]),
        partial(ContingencyTable.from_labels, TRUE, PRED),
        partial(scc.pair_confusion_matrix, TRUE, PRED),
        partial(scc.clustering_comparison_report, TRUE, PRED),
        partial(clustering_tree, DRAWN),
    ],
)
def test_labels_of_noise_without_effect_are_refused(call):
    for label in (-1, "zzz", [1, 2]):
        said = said_by(ValueError, call, noise_label=label)
        assert said.startswith("noise_label has no effect with noise='cluster': pass noise='drop'")
    call(noise="drop", noise_label=99)
    call(noise="cluster", noise_label=99)


def test_labels_of_noise_for_an_index_that_treats_it():
    X = np.r_[np.arange(10.0), np.arange(50, 60.0)][:, None]
    labels = np.repeat([7, 1, 2, 7], 5)
    expected = scc.dbcv_score(X, labels, noise_label=7)
    assert expected != scc.dbcv_score(X, labels)
    result = score_candidates(None, [labels], indices=["dbcv", "asw"], X=X, noise_label=7)
    assert result.scores["dbcv"][0] == expected
    scorer = scc.make_clustering_scorer("dbcv_score", response="labels_", noise_label=7)
    fitted = KMeans(2, n_init=1).fit(X)
    fitted.labels_ = labels
    assert scorer(fitted, X) == expected


def test_names_of_columns_stand_for_labels():
    data = {"species": TRUE, "km": PRED, "n": np.arange(40)}
    weighted = {"sample_weight": "n", "data": data}
    found = ContingencyTable.from_labels("species", "km", **weighted)
    assert found == ContingencyTable.from_labels(TRUE, PRED, sample_weight=data["n"])
    assert found.names == ("species", "km")
