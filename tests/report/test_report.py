"""The report in words: its numbers are those of the functions, and each form of it holds them."""

import copy
import json
import math
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics

from sklearn_clustcompare import (
    ContingencyTable,
    adjusted_mutual_info_score,
    adjusted_rand_score,
    chance_adjusted_score,
    cluster_decomposition,
    clustering_comparison_report,
    get_index,
)
from sklearn_clustcompare.metrics import adjusted_wallace_score
from sklearn_clustcompare.report._overall import overall_indices
from sklearn_clustcompare.results import ComparisonReport

ANIMALS = ["fish"] * 4 + ["bird"] * 4 + ["frog"] * 2
FOUND = [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]


def numbers(*labels, **keywords):
    return clustering_comparison_report(*labels, output_dict=True, **keywords)


# ------------------------------------------------------------------- text


def test_text():
    report = clustering_comparison_report(ANIMALS, FOUND)
    assert isinstance(report, str)
    assert repr(report) == str(report)
    assert max(map(len, report.splitlines())) <= 100
    blocks = [block.splitlines() for block in report.split("\n\n")]
    assert [block[0] for block in blocks] == [
        "Comparison of two clusterings",
        "Overall",
        "Objects by cluster: rows labels_true, columns labels_pred",
        "3 clusters of labels_true",
        "2 clusters of labels_pred",
        "ARI: adjusted Rand index; AMI: adjusted mutual information; coverage: share of the "
        "objects that are",
        blocks[-1][0],
    ]
    title, line, headline, end, intro = blocks[0]
    assert line == "=" * len(title)
    assert f"{headline} {end}" == report.to_dict()["headline"]["text"]
    assert intro == (
        "10 objects, 3 clusters of labels_true, 2 clusters of labels_pred, coverage 100%"
    )
    assert blocks[1][5].split() == [
        "normalized_mutual_info_score", "0.78", "0.74", "adjusted_mutual_info_score",
    ]  # fmt: skip
    assert blocks[2][1:] == [
        "      1  0  sum",
        "bird  4  0    4",
        "fish  0  4    4",
        "frog  2  0    2",
        "sum   6  4   10",
    ]
    assert blocks[3][1:] == [
        "Mean agreement: 0.64 by weight (homogeneity, R), 0.69 by cluster size.",
        "label  size  agreement  adjusted  weight   lost  match  precision  recall  verdict",
        "bird      4       0.56      0.50   34.7%  42.5%      1       0.67    1.00  merged",
        "fish      4       1.00      1.00   34.7%   0.0%      0       1.00    1.00  kept",
        "frog      2       0.32      0.16   30.5%  57.5%    (1)       0.33    1.00  merged",
        "Adjusted agreement: at least 0.95 for 1 of 3, at most 0.5 for 1; from 0.16 to 1.00, "
        "quartiles 0.33,",
        "0.50, 0.75.",
    ]
    legend = " ".join(blocks[5])
    assert "-: no exact mean, see chance_adjusted_score." in legend
    for symbol in ("R_i", "C_j", "u_i", "v_j"):
        assert symbol in legend
    assert blocks[-1][0].startswith("Made with sklearn_clustcompare ")


def test_names():
    names = ("cell_type", "<found>")
    report = clustering_comparison_report([0, 0, -1], [1, 1, 1], names=names)
    assert "3 objects, 2 clusters of cell_type, 1 cluster of <found>, coverage 100%" in report
    assert "\n2 clusters of cell_type\nMean agreement: " in report
    assert "\n1 cluster of <found>\nMean agreement: " in report
    assert report.warnings[1].startswith("<found> is a single cluster")
    assert report.warnings[2].startswith("-1 in cell_type (size 1)")
    assert not any("labels_" in text for text in (report, report.to_html(), report.to_markdown()))
    assert "1 cluster of &lt;found&gt;" in report.to_html()
    assert "cell\\_type" in report.to_markdown()
    assert pickle.loads(pickle.dumps(report)) == report


def test_indices_of_the_data_for_both_partitions():
    X = np.random.default_rng(0).normal(size=(10, 2))
    report = clustering_comparison_report(ANIMALS, FOUND, X=X, digits=3)
    for name, function in (
        ("silhouette_score", sklearn.metrics.silhouette_score),
        ("calinski_harabasz_score", sklearn.metrics.calinski_harabasz_score),
        ("davies_bouldin_score", sklearn.metrics.davies_bouldin_score),
    ):
        expected = function(X, ANIMALS), function(X, FOUND)
        assert report.of_data[name] == pytest.approx(expected)
        assert dict(zip(("true", "pred"), expected, strict=True)) == pytest.approx(
            report.to_dict()["of_data"][name]
        )
        texts = [f"{value:.3f}" for value in expected]
        assert " ".join([name, *texts]) in " ".join(report.split())
    better = report.partition("Indices of the data\n")[2].split("\n\n")[0].splitlines()
    assert better[0].split() == ["index", "labels_true", "labels_pred", "better"]
    assert {line.split()[0]: line.split()[-1] for line in better}["dunn_score"] == "higher"
    assert {line.split()[0]: line.split()[-1] for line in better}["xie_beni_score"] == "lower"
    for text in (report.to_html(), report.to_markdown()):
        assert text.count("Indices of the data") >= 1
    assert "modularity_score" not in report.of_data
    assert pickle.loads(pickle.dumps(report)).of_data == report.of_data
    without = clustering_comparison_report(ANIMALS, FOUND)
    assert without.of_data == {}
    assert "of_data" not in without.to_dict()


def test_indices_of_the_data_that_are_undefined_are_noted():
    X = np.arange(10.0)[:, np.newaxis]
    report = clustering_comparison_report(ANIMALS, [0] * 10, X=X)
    assert report.of_data["silhouette_score"][1] is None
    assert any(note.startswith("silhouette_score of labels_pred is") for note in report.warnings)
    soft = np.random.default_rng(0).dirichlet([1, 1], size=10)
    report = clustering_comparison_report(ANIMALS, soft, X=X)
    assert report.of_data["dunn_score"][1] is None
    assert report.of_data["xie_beni_score"][1] > 0
    assert any("memberships have only" in note for note in report.warnings)
    noisy = clustering_comparison_report([-1, *ANIMALS[1:]], FOUND, X=X, noise="drop")
    expected = sklearn.metrics.silhouette_score(X[1:], ANIMALS[1:])
    assert noisy.of_data["silhouette_score"][0] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"sample_weight": [1] * 10}, "^sample_weight must be None where X is given"),
        ({"within": [1] * 10}, "^within must be None where X is given"),
        ({"X": np.ones((9, 1))}, "10"),
        ({"X": np.full((10, 1), np.nan)}, "X must be finite, got nan"),
    ],
)
def test_what_indices_of_the_data_cannot_take(keywords, message):
    with pytest.raises(ValueError, match=message):
        clustering_comparison_report(ANIMALS, FOUND, **{"X": np.ones((10, 1)), **keywords})
    with pytest.raises(ValueError, match="^X must be None for a contingency table"):
        clustering_comparison_report(ContingencyTable.from_labels(ANIMALS, FOUND), X=np.ones(10))


def test_digits():
    report = clustering_comparison_report(ANIMALS, FOUND, digits=4)
    assert f"{adjusted_rand_score(ANIMALS, FOUND):.4f}  adjusted_rand_score" in report


def test_a_report_is_a_string_that_can_be_copied_and_written(tmp_path):
    report = clustering_comparison_report(ANIMALS, FOUND, digits=3)
    (tmp_path / "report.txt").write_text(report, encoding="utf-8")
    assert (tmp_path / "report.txt").read_text("utf-8") == report
    for other in (pickle.loads(pickle.dumps(report)), copy.deepcopy(report)):
        assert isinstance(other, ComparisonReport)
        assert other == report
        assert other.to_html() == report.to_html()
        assert other.to_dict() == report.to_dict()


def test_only_the_worst_of_many_clusters_are_shown_but_all_are_in_the_data():
    rng = np.random.default_rng(0)
    labels_true = rng.integers(100, size=1000)
    labels_pred = np.where(rng.random(1000) < 0.7, labels_true, rng.integers(100, size=1000))
    report = clustering_comparison_report(labels_true, labels_pred, max_clusters=5)
    assert len(report.splitlines()) < 80
    table = report.partition("columns labels_pred\n")[2].partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in table[-2:]] == ["other", "sum"]
    assert table[-1].split()[-1] == "1000"
    assert max(map(len, table)) <= 100
    side = report.decomposition.true
    block = next(block for block in report.split("\n\n") if block.startswith("100 clusters"))
    lines = block.splitlines()
    shown = [int(line.split()[0]) for line in lines[3:8]]
    assert shown == side.labels[np.argsort(-side.lost_share, kind="stable")[:5]].tolist()
    assert lines[-1] == "Shown: the 5 with most of the lost information, worst first."
    assert f"for {(side.adjusted >= 0.95).sum()} of 100" in block
    assert len(report.to_dict()["true"]["clusters"]) == 100
    assert len(report.to_frame()) == sum(report.decomposition.table.shape)
    assert "worst first" not in clustering_comparison_report(
        labels_true, labels_pred, max_clusters=300
    )


# ------------------------------------------------------------------- numbers


def test_overall_values_are_those_of_the_functions(case):
    if not len(case[0]):
        return
    overall = numbers(*case)["overall"]
    table = cluster_decomposition(*case).table
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, line in overall.items():
            assert line["value"] == get_index(name)(table)
        adjusted = {name: line["adjusted"] for name, line in overall.items()}
        assert adjusted["rand_score"] == adjusted_rand_score(*case)
        assert adjusted["normalized_mutual_info_score"] == adjusted_mutual_info_score(*case)
        assert adjusted["pair_recall_score"] == adjusted_wallace_score(*case, given="true")
        assert adjusted["pair_precision_score"] == adjusted_wallace_score(*case, given="pred")
        for name in ("homogeneity_score", "completeness_score"):
            expected = chance_adjusted_score(*case, index=name, method="exact")
            assert adjusted[name] == float(expected)
    assert adjusted["purity_score"] is None
    for line in overall.values():
        assert (line["adjusted_by"] is None) == (line["adjusted"] is None)
    assert overall["homogeneity_score"]["adjusted_by"] == "exact mean"


def test_adjusted_values_vanish_on_average_for_random_partitions():
    rng = np.random.default_rng(0)
    labels_true, labels_pred = (
        np.repeat([0, 1, 2], [12, 9, 9]),
        np.repeat([0, 1, 2, 3], [9, 9, 6, 6]),
    )
    tables = (
        ContingencyTable.from_labels(labels_true, rng.permutation(labels_pred)) for _ in range(150)
    )
    values = [[line.adjusted for line in overall_indices(table)[0]] for table in tables]
    adjusted = np.array([[one for one in row if one is not None] for row in values])
    assert adjusted.shape == (150, 6)
    error = adjusted.std(axis=0) / math.sqrt(len(adjusted))
    assert (np.abs(adjusted.mean(axis=0)) < 4 * error).all()


def test_dict_holds_plain_data_only():
    labels_true = [("a", 1), ("a", 1), None.__class__, b"x", 3, np.datetime64("2020-01-01")]
    array = np.empty(6, object)
    array[:] = labels_true
    data = numbers(array, np.array(["2021-01-01"] * 4 + ["2022-01-01"] * 2, "M8[ns]"))
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert {cluster["label"] for cluster in data["true"]["clusters"]} == {
        "('a', 1)", str(type(None)), "b'x'", 3, "2020-01-01",
    }  # fmt: skip
    assert data["pred"]["clusters"][0]["label"].startswith("2021-01-01")
    singles = [cluster for cluster in data["true"]["clusters"] if cluster["size"] == 1]
    assert len(singles) == 4
    assert all(cluster["wallace"] is None for cluster in singles)


@pytest.mark.parametrize(
    "labels", [ANIMALS, np.array(ANIMALS), pd.Series(ANIMALS), pd.Categorical(ANIMALS)]
)
def test_dict_has_the_values_of_the_decomposition(labels):
    data = numbers(labels, FOUND)
    decomposition = cluster_decomposition(ANIMALS, FOUND)
    assert (data["n_samples"], data["coverage"], data["warnings"]) == (10, 1.0, [])
    for side in (decomposition.true, decomposition.pred):
        part = data[side.side]
        assert part["overall"] == side.overall
        assert part["unit_weighted"] == side.unit_weighted
        assert (part["n_clusters"], part["n_high"], part["n_poor"]) == side.summary[:3]
        assert tuple(part["quantiles"]) == side.summary.quantiles
        for name, column in side.columns().items():
            assert [cluster[name] for cluster in part["clusters"]] == column.tolist()


def test_frame_is_that_of_the_decomposition():
    report = clustering_comparison_report(ANIMALS, FOUND)
    pd.testing.assert_frame_equal(
        report.to_frame(), cluster_decomposition(ANIMALS, FOUND).to_frame()
    )


# ------------------------------------------------------------------- warnings


@pytest.mark.parametrize(
    ("labels", "keywords", "message"),
    [
        (([0, 0, 0], [0, 0, 1]), {}, "labels_true is a single cluster"),
        (([0, 0, 1], [0, 0, 0]), {}, "labels_pred is a single cluster"),
        ((range(6), [0, 0, 0, 1, 1, 1]), {}, "labels_true has more clusters (6) than half"),
        (([0, 0, 1, 1], [1, 1, 0, 0]), {}, "equal up to the names"),
        (([0, 0, 1, -1], [1, 1, 0, 0]), {}, "(size 1) counts as an ordinary cluster"),
        ((list("aabn"), list("aabb")), {"noise_label": "n"}, "'n' in labels_true (size 1)"),
        (
            ([0, 0, 1, -1], [1, 1, 0, 0]),
            {"noise": "drop"},
            "25.0% of the objects are noise or have no label on one of the sides and were left out",
        ),
        (([0, 0, 1], [0, 1, 1]), {"sample_weight": [1.5, 2, 3]}, "the counts are not whole"),
        (
            (list("aab") + ["-1"], list("aabb")),
            {},
            "'-1' in labels_true (size 1) counts as an ordinary cluster: if it stands for "
            'noise, choose noise="singletons" or noise="drop", with noise_label="-1"',
        ),
        (([], []), {}, "there are no objects"),
        ((range(4), [0, 0, 1, 1]), {}, "pair_recall_score is undefined"),
    ],
)
def test_warnings(labels, keywords, message):
    report = clustering_comparison_report(*labels, **keywords)
    assert any(message in warning for warning in report.warnings), report.warnings
    assert "\nNotes\n- " in report
    assert report.to_dict()["warnings"] == list(report.warnings)


def test_no_warnings_where_there_is_nothing_to_mind():
    report = clustering_comparison_report(ANIMALS, FOUND)
    assert report.warnings == ()
    assert "Notes" not in report
    singletons = clustering_comparison_report([0, 0, 1, 1, -1], FOUND[3:8], noise="singletons")
    assert not any("counts as an ordinary cluster" in warning for warning in singletons.warnings)


def test_coverage():
    data = numbers([0, 0, 1, -1], [1, 1, 0, 0], noise="drop")
    assert (data["coverage"], data["n_samples"]) == (0.75, 3)


def test_shares_instead_of_frequencies_leave_pairs_out():
    report = clustering_comparison_report(ANIMALS, FOUND, sample_weight=[0.1] * 10)
    overall = report.to_dict()["overall"]
    assert overall["rand_score"]["value"] is None
    assert overall["homogeneity_score"]["value"] == pytest.approx(
        numbers(ANIMALS, FOUND)["overall"]["homogeneity_score"]["value"]
    )
    assert any("rand_score is left out: sample_weight" in warning for warning in report.warnings)
    assert "rand_score                        -" in report


@pytest.mark.slow
def test_soft_partitions():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], 30)
    memberships = 0.8 * np.eye(3)[labels] + 0.2 * rng.dirichlet([1, 1, 1], size=90)
    report = clustering_comparison_report(labels, memberships)
    overall = report.to_dict()["overall"]
    assert any("adjusted_mutual_info_score is left out" in warning for warning in report.warnings)
    assert overall["normalized_mutual_info_score"]["adjusted"] is None
    assert 0.3 < overall["normalized_mutual_info_score"]["value"] < 1
    assert 0.3 < overall["rand_score"]["adjusted"] < overall["rand_score"]["value"]
    assert overall["frobenius_adjusted_rand_score"]["value"] > overall["rand_score"]["adjusted"]
    assert "89." not in report
    shown = [
        line.split()[1] for line in report.split("clusters of labels_pred\n")[1].splitlines()[2:5]
    ]
    assert all(len(size.replace(".", "")) <= 6 for size in shown)
    assert np.array(shown, float) == pytest.approx(memberships.sum(axis=0), rel=1e-5)
    shuffled = [
        numbers(labels, rng.permutation(memberships))["overall"]["rand_score"]["adjusted"]
        for _ in range(60)
    ]
    assert abs(np.mean(shuffled)) < 4 * np.std(shuffled) / math.sqrt(60)
    crisp = clustering_comparison_report(labels, np.eye(3)[labels])
    assert crisp == clustering_comparison_report(labels, labels)


@pytest.mark.slow
def test_pairs_of_soft_partitions_that_cannot_be_counted_are_left_out():
    # The cells are 0.5, 1.5, 0.6 and 0.4. On average fewer than no pairs would be in one cell.
    report = clustering_comparison_report([0, 1, 0], [[0.3, 0.7], [0.6, 0.4], [0.2, 0.8]])
    overall = report.to_dict()["overall"]
    both = (0.5**2 + 1.5**2 + 0.6**2 + 0.4**2 - 3) / 2
    assert overall["pair_recall_score"]["value"] == pytest.approx(both / 1)
    assert overall["pair_recall_score"]["adjusted"] is None
    assert any("pair_recall_score is not adjusted" in warning for warning in report.warnings)
    report = clustering_comparison_report([0, 1, 1, 2], [[0.6, 0.4], [0.7, 0.3]] * 2)
    assert report.to_dict()["overall"]["pair_recall_score"]["value"] is None
    assert any("pair_recall_score is left out" in warning for warning in report.warnings)
    rng = np.random.default_rng(0)
    for _ in range(30):
        n_samples = rng.integers(2, 9)
        soft = rng.dirichlet([5] * rng.integers(2, 5), size=n_samples)
        report = clustering_comparison_report(rng.integers(3, size=n_samples), soft)
        assert report.to_dict()["overall"]["frobenius_adjusted_rand_score"]["value"] <= 1


def test_possibilistic_memberships_are_not_adjusted():
    memberships = np.array([[0.9, 0.5], [0.8, 0.4], [0.1, 0.9], [0.3, 0.7]])
    report = clustering_comparison_report([0, 0, 1, 1], memberships, possibilistic=True)
    assert any("possibilistic partitions change" in warning for warning in report.warnings)


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"digits": 0}, ValueError, "digits must be at least 1"),
        ({"max_clusters": 2.5}, TypeError, "max_clusters must be an integer"),
        ({"output_dict": "yes"}, TypeError, "output_dict must be True or False"),
        ({"noise": "keep"}, ValueError, "noise must be one of"),
        ({"names": ("a",)}, ValueError, r"names must be one for the reference .*, got \('a',\)"),
        ({"names": "ab"}, ValueError, "names must be one for the reference .*, got 'ab'"),
        ({"names": 5}, ValueError, "names must be one for the reference .*, got 5"),
        ({"names": {"a": 1, "b": 2}}, ValueError, "names must be one for the reference .*, got {"),
    ],
)
def test_bad_arguments(keywords, error, message):
    with pytest.raises(error, match=f"^{message}"):
        clustering_comparison_report(ANIMALS, FOUND, **keywords)


def test_labels_of_different_lengths():
    with pytest.raises(ValueError, match="^labels_true and labels_pred must have the same length"):
        clustering_comparison_report([0, 1], [0])


@pytest.mark.parametrize("given", [None, ("type", "louvain")])
def test_names_of_series_are_those_of_the_sides(given):
    sides = pd.Series(ANIMALS, name="species"), pd.Series(FOUND)
    one_named = clustering_comparison_report(*sides, names=(None, "found"))
    assert one_named == clustering_comparison_report(*sides, names=("species", "found"))
    first, second = given or ("species", "labels_pred")
    report = clustering_comparison_report(*sides, names=given)
    assert f"3 clusters of {first}, 2 clusters of {second}," in report
    assert f"rows {first}, columns {second}" in report


@pytest.mark.parametrize(("n_clusters", "length"), [(4, 20), (11, 5), (12, 60)])
def test_wide_tables_are_cut_in_their_middle(n_clusters, length):
    labels = np.arange(40 * n_clusters) % n_clusters
    names = np.array([f"{'x' * length} of kind number {one}" for one in range(n_clusters)])
    report = clustering_comparison_report(names[labels], names[(labels * 5 + 1) % n_clusters])
    table = report.partition("columns labels_pred\n")[2].partition("\n\n")[0].splitlines()
    assert max(map(len, report.splitlines())) <= 100
    assert len(table) == n_clusters + 2
    assert " sum" in table[0]
    assert "..." in table[0] or length == 5
    assert table[-1].split()[-1] == str(40 * n_clusters)
    assert f"{'x' * length} of kind number 3" in report.to_html()
