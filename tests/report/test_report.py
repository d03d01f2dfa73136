"""The report in words: its numbers are those of the functions, and each form of it holds them."""

import copy
import json
import math
import pickle
import warnings
from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linear_sum_assignment

import sklearn_clustcompare as scc
from sklearn_clustcompare.metrics import adjusted_wallace_score
from sklearn_clustcompare.results import ComparisonReport, EntityReport
from tests._examples import slow
from tests.report._examples import ANIMALS, FOUND


def numbers(*labels, **keywords):
    return scc.clustering_comparison_report(*labels, output_dict=True, **keywords)


# ------------------------------------------------------------------- text


def test_text():
    report = scc.clustering_comparison_report(ANIMALS, FOUND)
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
    report = scc.clustering_comparison_report([0, 0, -1], [1, 1, 1], names=names)
    assert "3 objects, 2 clusters of cell_type, 1 cluster of <found>, coverage 100%" in report
    assert "\n2 clusters of cell_type\nMean agreement: " in report
    assert "\n1 cluster of <found>\nMean agreement: " in report
    assert report.warnings[1].startswith("<found> is a single cluster")
    assert report.warnings[2].startswith("-1 in cell_type (size 1)")
    assert not any("labels_" in text for text in (report, report.to_html(), report.to_markdown()))
    assert "1 cluster of &lt;found&gt;" in report.to_html()
    assert "cell\\_type" in report.to_markdown()
    assert pickle.loads(pickle.dumps(report)) == report


def test_a_report_is_a_string_that_can_be_copied_and_written(tmp_path):
    report = scc.clustering_comparison_report(ANIMALS, FOUND, digits=3)
    assert f"{scc.adjusted_rand_score(ANIMALS, FOUND):.3f}  adjusted_rand_score" in report
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
    report = scc.clustering_comparison_report(labels_true, labels_pred, max_clusters=5)
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
    assert "worst first" not in scc.clustering_comparison_report(
        labels_true, labels_pred, max_clusters=300
    )


# ------------------------------------------------------------------- numbers


@pytest.mark.slow
def test_overall_values_are_those_of_the_functions(case):
    if not len(case[0]):
        return
    overall = numbers(*case)["overall"]
    table = scc.cluster_decomposition(*case).table
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, line in overall.items():
            assert line["value"] == scc.get_index(name)(table)
        adjusted = {name: line["adjusted"] for name, line in overall.items()}
        assert adjusted["rand_score"] == scc.adjusted_rand_score(*case)
        assert adjusted["normalized_mutual_info_score"] == scc.adjusted_mutual_info_score(*case)
        assert adjusted["pair_recall_score"] == adjusted_wallace_score(*case, given="true")
        assert adjusted["pair_precision_score"] == adjusted_wallace_score(*case, given="pred")
        for name in ("homogeneity_score", "completeness_score"):
            expected = scc.chance_adjusted_score(*case, index=name, method="exact")
            assert adjusted[name] == float(expected)
    assert adjusted["purity_score"] is None
    for line in overall.values():
        assert (line["adjusted_by"] is None) == (line["adjusted"] is None)
    assert overall["homogeneity_score"]["adjusted_by"] == "exact mean"


def test_dict_holds_plain_data_only():
    labels_true = [("a", 1), ("a", 1), None.__class__, b"x", 3, np.datetime64("2020-01-01")]
    data = numbers(
        np.fromiter(labels_true, object),
        np.array(["2021-01-01"] * 4 + ["2022-01-01"] * 2, "M8[ns]"),
    )
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
    decomposition = scc.cluster_decomposition(ANIMALS, FOUND)
    assert (data["n_samples"], data["coverage"], data["warnings"]) == (10, 1.0, [])
    for side in (decomposition.true, decomposition.pred):
        part = data[side.side]
        assert part["overall"] == side.overall
        assert part["unit_weighted"] == side.unit_weighted
        assert (part["n_clusters"], part["n_high"], part["n_poor"]) == side.summary[:3]
        assert tuple(part["quantiles"]) == side.summary.quantiles
        for name, column in side.columns().items():
            assert [cluster[name] for cluster in part["clusters"]] == column.tolist()


# ------------------------------------------------------------------- warnings


@pytest.mark.parametrize(
    ("labels", "keywords", "message"),
    [
        (([0, 0, 1, -1], [1, 1, 0, 0]), {}, "(size 1) counts as an ordinary cluster"),
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
        ((range(4), [0, 0, 1, 1]), {}, "pair_recall_score is undefined"),
    ],
)
def test_warnings(labels, keywords, message):
    report = scc.clustering_comparison_report(*labels, **keywords)
    assert any(message in warning for warning in report.warnings), report.warnings
    assert "\nNotes\n- " in report
    assert report.to_dict()["warnings"] == list(report.warnings)


def test_no_warnings_where_there_is_nothing_to_mind():
    report = scc.clustering_comparison_report(ANIMALS, FOUND)
    assert report.warnings == ()
    assert "Notes" not in report
    singletons = scc.clustering_comparison_report([0, 0, 1, 1, -1], FOUND[3:8], noise="singletons")
    assert not any("counts as an ordinary cluster" in warning for warning in singletons.warnings)


def test_shares_instead_of_frequencies_leave_pairs_out():
    report = scc.clustering_comparison_report(ANIMALS, FOUND, sample_weight=[0.1] * 10)
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
    report = scc.clustering_comparison_report(labels, memberships)
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
    crisp = scc.clustering_comparison_report(labels, np.eye(3)[labels])
    assert crisp == scc.clustering_comparison_report(labels, labels)


@pytest.mark.slow
def test_pairs_of_soft_partitions_that_cannot_be_counted_are_left_out():
    # The cells are 0.5, 1.5, 0.6 and 0.4. On average fewer than no pairs would be in one cell.
    report = scc.clustering_comparison_report([0, 1, 0], [[0.3, 0.7], [0.6, 0.4], [0.2, 0.8]])
    overall = report.to_dict()["overall"]
    both = (0.5**2 + 1.5**2 + 0.6**2 + 0.4**2 - 3) / 2
    assert overall["pair_recall_score"]["value"] == pytest.approx(both / 1)
    assert overall["pair_recall_score"]["adjusted"] is None
    assert any("pair_recall_score is not adjusted" in warning for warning in report.warnings)
    report = scc.clustering_comparison_report([0, 1, 1, 2], [[0.6, 0.4], [0.7, 0.3]] * 2)
    assert report.to_dict()["overall"]["pair_recall_score"]["value"] is None
    assert any("pair_recall_score is left out" in warning for warning in report.warnings)
    rng = np.random.default_rng(0)
    for _ in range(30):
        n_samples = rng.integers(2, 9)
        soft = rng.dirichlet([5] * rng.integers(2, 5), size=n_samples)
        report = scc.clustering_comparison_report(rng.integers(3, size=n_samples), soft)
        assert report.to_dict()["overall"]["frobenius_adjusted_rand_score"]["value"] <= 1


def test_possibilistic_memberships_are_not_adjusted():
    memberships = np.array([[0.9, 0.5], [0.8, 0.4], [0.1, 0.9], [0.3, 0.7]])
    report = scc.clustering_comparison_report([0, 0, 1, 1], memberships, possibilistic=True)
    assert any("possibilistic partitions change" in warning for warning in report.warnings)


@pytest.mark.parametrize("given", [None, ("type", "louvain")])
def test_names_of_series_are_those_of_the_sides(given):
    sides = pd.Series(ANIMALS, name="species"), pd.Series(FOUND)
    one_named = scc.clustering_comparison_report(*sides, names=(None, "found"))
    assert one_named == scc.clustering_comparison_report(*sides, names=("species", "found"))
    first, second = given or ("species", "labels_pred")
    report = scc.clustering_comparison_report(*sides, names=given)
    assert f"3 clusters of {first}, 2 clusters of {second}," in report
    assert f"rows {first}, columns {second}" in report


@pytest.mark.slow
@pytest.mark.parametrize(("n_clusters", "length"), [(4, 20), (11, 5), (12, 60)])
def test_wide_tables_are_cut_in_their_middle(n_clusters, length):
    labels = np.arange(40 * n_clusters) % n_clusters
    names = np.array([f"{'x' * length} of kind number {one}" for one in range(n_clusters)])
    report = scc.clustering_comparison_report(names[labels], names[(labels * 5 + 1) % n_clusters])
    table = report.partition("columns labels_pred\n")[2].partition("\n\n")[0].splitlines()
    assert max(map(len, report.splitlines())) <= 100
    assert len(table) == n_clusters + 2
    assert " sum" in table[0]
    assert "..." in table[0] or all(f"number {one}" in table[0] for one in range(n_clusters))
    assert table[-1].split()[-1] == str(40 * n_clusters)
    assert f"{'x' * length} of kind number 3" in report.to_html()


@pytest.mark.slow
def test_names_in_lines_differ_by_what_they_do_not_share():
    names = np.array([f"a written digit {one} of the archive of the post" for one in "abcdefgh"])
    labels = np.arange(80) % 8
    report = scc.clustering_comparison_report(names[labels], np.roll(names[labels], 3))
    table = report.partition("8 clusters of labels_true\n")[2].splitlines()[2:10]
    assert len({line.split("  ")[0] for line in table}) == 8
    assert max(map(len, report.splitlines())) <= 100


def records(n=60, k=25, seed=0):
    """Records of entities, of which some are in a wrong cluster or a new one."""
    rng = np.random.default_rng(seed)
    true = rng.integers(k, size=n)
    pred = np.where(rng.random(n) < 0.2, rng.integers(k, size=n), true)
    pred = np.where(rng.random(n) < 0.2, pred + k, pred)
    ids = np.array([f"r{number}" for number in rng.permutation(n)])
    return true, pred, ids


def mixed(own, other, ids):
    """Return the clusters with wrong pairs, the worst first, by loops."""
    found = []
    for label in sorted(set(own.tolist())):
        members = np.flatnonzero(own == label)
        wrong = sum(other[i] != other[j] for i, j in combinations(members, 2))
        parts = Counter(other[members].tolist())
        parts = sorted(parts, key=lambda part: (-parts[part], part))
        named = [ids[members][other[members] == part].tolist() for part in parts]
        if wrong:
            found.append((label, len(members), wrong, parts, list(map(len, named)), named))
    return sorted(found, key=lambda one: (-one[2], -one[1], one[0]))


@pytest.mark.parametrize("seed", range(3))
def test_worst_merges_and_splits_are_those_of_loops(seed):
    true, pred, ids = records(seed=seed)
    report = scc.clustering_comparison_report(true, pred, family="entity", ids=ids, max_clusters=7)
    assert isinstance(report, EntityReport)
    assert [tuple(one) for one in report.merges] == mixed(pred, true, ids)[:7]
    assert [tuple(one) for one in report.splits] == mixed(true, pred, ids)[:7]


def test_records_to_move_are_the_fewest_of_all_matchings():
    true, pred, _ = records()
    counts = pd.crosstab(true, pred).to_numpy()
    kept = counts[linear_sum_assignment(counts, maximize=True)].sum()
    report = scc.clustering_comparison_report(true, pred, family="entity")
    assert report.n_moved == len(true) - kept
    assert f"{len(true) - kept} of {len(true)} records to move" in report


def test_sizes_are_counted():
    true, pred, _ = records(400, 40)
    report = scc.clustering_comparison_report(true, pred, family="entity")
    for side, labels in (("true", true), ("pred", pred)):
        expected = Counter(Counter(labels.tolist()).values())
        assert report.to_dict()["sizes"][side] == sorted(map(list, expected.items()))
    rows = report.partition("histogram\n")[2].partition("\n\n")[0].splitlines()
    cells = [row.rsplit(None, 3) for row in rows]
    sizes = [np.unique(labels, return_counts=True)[1] for labels in (true, pred)]
    assert [sum(int(row[place]) for row in cells) for place in (1, 2)] == list(map(len, sizes))
    longest = max(int(number) for row in cells for number in row[1:3])
    for label, *numbers, bar in cells:
        low, high = int(label.split()[0]), int(label.split()[-1])
        held = [np.count_nonzero((low <= side) & (side <= high)) for side in sizes]
        assert list(map(int, numbers)) == held
        lengths = np.array([bar.count("="), len(bar)])
        np.testing.assert_allclose(lengths, 40 * np.sort(held) / longest, atol=0.5)


@pytest.mark.filterwarnings("ignore:the interval may not hold")
def test_scores_and_intervals_are_those_of_the_functions():
    true, pred, _ = records()
    report = scc.clustering_comparison_report(true, pred, family="entity")
    names = [f"{k}_{w}_score" for k in ("bcubed", "pair") for w in ("precision", "recall", "f")]
    assert list(report.intervals) == names
    table = scc.ContingencyTable.from_labels(true, pred)
    overall = report.to_dict()["overall"]
    for name in names:
        interval = scc.score_interval(true, pred, index=name, groups=true).interval
        assert overall[name]["interval"] == pytest.approx(interval, abs=1e-12)
        assert overall[name]["value"] == scc.get_index(name)(table)
    assert [line.name for line in report.overall] == [
        *names,
        *(f"cluster_{what}_score" for what in ("precision", "recall", "f")),
    ]
    assert "B-cubed precision" in report.splitlines()[2]


def test_names_of_records_come_from_ids_index_or_position():
    people, found = ["ann", "ann", "bob"], [1, 1, 1]
    series = pd.Series(people, index=["x", "y", "z"])
    pairs = pd.Series(found, index=["x", "y", "z"])
    made = scc.clustering_comparison_report(series, pairs, family="entity")
    assert made.merges[0].part_ids == [["x", "y"], ["z"]]
    frame = pd.DataFrame({"who": people, "found": found, "key": ["k", "l", "m"]})
    made = scc.clustering_comparison_report("who", "found", data=frame, family="entity", ids="key")
    assert made.merges[0].part_ids == [["k", "l"], ["m"]]
    made = scc.clustering_comparison_report(people, found, family="entity")
    assert made.merges[0].part_ids == [[0, 1], [2]]
    table = scc.ContingencyTable.from_labels(people, found)
    made = scc.clustering_comparison_report(table, family="entity")
    assert made.merges[0].part_ids is None
    assert made.merges[0].part_sizes == [2, 1]
    assert "ann (2); bob (1)" in made


@pytest.mark.parametrize("noise", ["drop", "singletons"])
def test_noise_is_left_out_of_merges_with_its_records(noise):
    true, pred = [0, 0, 0, 1, 1, 2], [-1, 5, 5, 5, -1, -1]
    ids = list("abcdef")
    report = scc.clustering_comparison_report(true, pred, family="entity", ids=ids, noise=noise)
    (merge,) = report.merges
    assert (merge.label, merge.part_ids) == (5, [["b", "c"], ["d"]])
    splits = {split.label: split.part_ids for split in report.splits}
    alone = {0: [["b", "c"], ["a"]], 1: [["d"], ["e"]]}
    assert {key: sorted(one, key=str) for key, one in splits.items()} == (
        {key: sorted(one, key=str) for key, one in alone.items()} if noise == "singletons" else {}
    )


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        ([], "0 of 0 records to move\n0 records, 0 ent"),
        ([7], "0 of 1 record to move\n1 record, 1 ent"),
    ],
)
def test_no_record_and_one_record_are_reported(labels, text):
    report = scc.clustering_comparison_report(labels, labels, family="entity", ids=labels)
    assert text in report


def test_right_entities_have_neither_merges_nor_splits():
    report = scc.clustering_comparison_report([0, 0, 1, 2], [5, 5, 6, 7], family="entity")
    assert (report.merges, report.splits, report.n_moved) == ((), (), 0)
    assert report.count("\nNone.\n") == 2
    assert "None." in report.to_html()


@pytest.mark.parametrize("n_records", [120, slow(20_000)])
def test_the_page_of_many_entities_is_small(n_records):
    true, pred, _ = records(n_records, n_records // 2)
    report = scc.clustering_comparison_report(true, pred, family="entity")
    page = report.to_html()
    assert len(page.encode()) < 100_000
    assert page.count("<tr>") < 70
    assert len(report.merges) == min(20, len(mixed(pred, true, np.arange(n_records))))
    assert len(report.splitlines()) < 100


# --------------------------------------------------------------------------- both


def notes_by_loops(true, pred, family):
    """Return how the notes on the two sides begin."""
    kept = [pair for pair in zip(true, pred, strict=True) if None not in pair]
    share = 100 * (len(true) - len(kept)) / len(true)
    notes = [f"{share:.1f}% of the objects are noise or have no label"] if share else []
    sides = {"labels_true": [one for one, _ in kept], "labels_pred": [one for _, one in kept]}
    joined = [
        {(i, j) for i, j in combinations(range(len(kept)), 2) if side[i] == side[j]}
        for side in sides.values()
    ]
    if joined[0] == joined[1]:
        notes.append("the two partitions are equal up to the names of the clusters")
    for name, side in sides.items():
        n_clusters = len(set(side))
        if n_clusters == 1:
            notes.append(f"{name} is a single cluster, which contains no information")
        elif n_clusters > len(side) / 2:
            notes.append(
                f"{name} has more clusters ({n_clusters}) than half the objects ({len(side)}): "
            )
    if family == "entity":
        notes += [
            f"{name} joins no two records: scores of pairs are 0 or undefined"
            for name, pairs in zip(sides, joined, strict=True)
            if not pairs
        ]
    return notes


@pytest.mark.slow
@pytest.mark.parametrize("family", [None, "entity"])
@pytest.mark.parametrize(
    ("true", "pred"),
    [
        pytest.param([0] * 6, [0, 0, 0, 1, 1, 1], id="one class"),
        pytest.param([0, 0, 0, 1, 1, 1], [0] * 6, id="one cluster"),
        pytest.param([0] * 6, [7] * 6, id="one of both"),
        pytest.param([*range(6)], [0, 0, 0, 1, 1, 1], id="singletons"),
        pytest.param([*range(6)], [*range(6, 12)], id="singletons on both sides"),
        pytest.param([*range(6)], [0] * 6, id="singletons and one cluster"),
        pytest.param([0, 0, 1, 1, 2, 2], [5, 5, 3, 3, 4, 4], id="equal"),
        pytest.param([0, 0, 1, None], [None, 4, 4, 4], id="few in common"),
        pytest.param([0], [1], id="one object"),
        pytest.param([0, 0, 0, 0, 1, 1, 1, 2], [0, 0, 0, 1, 1, 1, 2, 2], id="nothing to note"),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_notes_on_edges_are_those_of_loops(true, pred, family):
    report = scc.clustering_comparison_report(true, pred, family=family, missing="drop")
    others = (" is undefined", "may not hold", " is left out: ", " is not adjusted", "unassigned")
    notes = [note for note in report.warnings if not any(text in note for text in others)]
    expected = notes_by_loops(true, pred, family)
    assert len(notes) == len(expected)
    assert all(note.startswith(start) for note, start in zip(notes, expected, strict=True))
    assert all(f"- {start[:60]}" in report for start in expected)


@pytest.mark.parametrize("family", [None, "entity"])
def test_no_common_objects_are_an_error_and_no_objects_a_note(family):
    with pytest.raises(ValueError, match="must leave at least one object that is neither noise"):
        scc.clustering_comparison_report(
            [0, 1, None], [None, None, 4], family=family, missing="drop"
        )
    report = scc.clustering_comparison_report([], [], family=family)
    note = "there are no objects: all values are those of equal partitions"
    assert [one for one in report.warnings if "undefined" not in one] == [note]


def test_a_report_has_all_forms_and_can_be_copied():
    true, pred, _ = records()
    report = scc.clustering_comparison_report(true, pred, family="entity", names=("<a>", "b|c"))
    copy = pickle.loads(pickle.dumps(report))
    assert (str(copy), copy.to_dict()) == (str(report), report.to_dict())
    numbers = scc.clustering_comparison_report(
        true, pred, family="entity", names=("<a>", "b|c"), output_dict=True
    )
    assert json.loads(json.dumps(numbers)) == numbers == report.to_dict()
    assert "&lt;a&gt;" in report.to_html()
    assert "<a>" not in report._repr_html_()
    assert "b\\|c" in report.to_markdown()
    assert len(report.to_frame())
