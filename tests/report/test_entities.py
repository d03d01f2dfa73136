"""Reports of entities, against loops over records and pairs."""

import json
import pickle
import time
from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linear_sum_assignment

from sklearn_clustcompare import (
    ContingencyTable,
    clustering_comparison_report,
    get_index,
    score_interval,
)
from sklearn_clustcompare.results import EntityReport
from tests._examples import slow


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
    report = clustering_comparison_report(true, pred, family="entity", ids=ids, max_clusters=7)
    assert isinstance(report, EntityReport)
    assert [tuple(one) for one in report.merges] == mixed(pred, true, ids)[:7]
    assert [tuple(one) for one in report.splits] == mixed(true, pred, ids)[:7]


def test_records_to_move_are_the_fewest_of_all_matchings():
    true, pred, _ = records()
    counts = pd.crosstab(true, pred).to_numpy()
    kept = counts[linear_sum_assignment(counts, maximize=True)].sum()
    report = clustering_comparison_report(true, pred, family="entity")
    assert report.n_moved == len(true) - kept
    assert f"{len(true) - kept} of {len(true)} records to move" in report


def test_sizes_are_counted():
    true, pred, _ = records(400, 40)
    report = clustering_comparison_report(true, pred, family="entity")
    for side, labels in (("true", true), ("pred", pred)):
        expected = Counter(Counter(labels.tolist()).values())
        assert report.to_dict()["sizes"][side] == sorted(map(list, expected.items()))
    rows = report.partition("histogram\n")[2].partition("\n\n")[0].splitlines()
    cells = [row.rsplit(None, 3) for row in rows]
    assert sum(int(row[1]) for row in cells) == len(set(true.tolist()))
    assert sum(int(row[2]) for row in cells) == len(set(pred.tolist()))


@pytest.mark.filterwarnings("ignore:the interval may not hold")
def test_scores_and_intervals_are_those_of_the_functions():
    true, pred, _ = records()
    report = clustering_comparison_report(true, pred, family="entity")
    names = [f"{k}_{w}_score" for k in ("bcubed", "pair") for w in ("precision", "recall", "f")]
    assert list(report.intervals) == names
    table = ContingencyTable.from_labels(true, pred)
    overall = report.to_dict()["overall"]
    for name in names:
        interval = score_interval(true, pred, index=name, groups=true).interval
        assert overall[name]["interval"] == pytest.approx(interval, abs=1e-12)
        assert overall[name]["value"] == get_index(name)(table)
    assert [line.name for line in report.overall] == [
        *names,
        *(f"cluster_{what}_score" for what in ("precision", "recall", "f")),
    ]
    assert "B-cubed precision" in report.splitlines()[2]
    assert any("may not hold: the standard error" in note for note in report.warnings)


def test_names_of_records_come_from_ids_index_or_position():
    people, found = ["ann", "ann", "bob"], [1, 1, 1]
    series = pd.Series(people, index=["x", "y", "z"])
    pairs = pd.Series(found, index=["x", "y", "z"])
    made = clustering_comparison_report(series, pairs, family="entity")
    assert made.merges[0].part_ids == [["x", "y"], ["z"]]
    frame = pd.DataFrame({"who": people, "found": found, "key": ["k", "l", "m"]})
    made = clustering_comparison_report("who", "found", data=frame, family="entity", ids="key")
    assert made.merges[0].part_ids == [["k", "l"], ["m"]]
    made = clustering_comparison_report(people, found, family="entity")
    assert made.merges[0].part_ids == [[0, 1], [2]]
    table = ContingencyTable.from_labels(people, found)
    made = clustering_comparison_report(table, family="entity")
    assert made.merges[0].part_ids is None
    assert made.merges[0].part_sizes == [2, 1]
    assert "ann (2); bob (1)" in made


@pytest.mark.parametrize("noise", ["drop", "singletons"])
def test_noise_is_left_out_of_merges_with_its_records(noise):
    true, pred = [0, 0, 0, 1, 1, 2], [-1, 5, 5, 5, -1, -1]
    ids = list("abcdef")
    report = clustering_comparison_report(true, pred, family="entity", ids=ids, noise=noise)
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
    report = clustering_comparison_report(labels, labels, family="entity", ids=labels)
    assert text in report


def test_right_entities_have_neither_merges_nor_splits():
    report = clustering_comparison_report([0, 0, 1, 2], [5, 5, 6, 7], family="entity")
    assert (report.merges, report.splits, report.n_moved) == ((), (), 0)
    assert report.count("\nNone.\n") == 2
    assert "None." in report.to_html()


@pytest.mark.parametrize("n_records", [120, slow(20_000)])
def test_many_entities_are_quick_and_the_page_is_small(n_records):
    true, pred, _ = records(n_records, n_records // 2)
    started = time.process_time()
    report = clustering_comparison_report(true, pred, family="entity")
    page = report.to_html()
    assert time.process_time() - started < 5
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
    report = clustering_comparison_report(true, pred, family=family, missing="drop")
    others = (" is undefined", "may not hold", " is left out: ", " is not adjusted", "unassigned")
    notes = [note for note in report.warnings if not any(text in note for text in others)]
    expected = notes_by_loops(true, pred, family)
    assert len(notes) == len(expected)
    assert all(note.startswith(start) for note, start in zip(notes, expected, strict=True))
    assert all(f"- {start[:60]}" in report for start in expected)


@pytest.mark.parametrize("family", [None, "entity"])
def test_no_common_objects_are_an_error_and_no_objects_a_note(family):
    with pytest.raises(ValueError, match="must leave at least one object that is neither noise"):
        clustering_comparison_report([0, 1, None], [None, None, 4], family=family, missing="drop")
    report = clustering_comparison_report([], [], family=family)
    note = "there are no objects: all values are those of equal partitions"
    assert [one for one in report.warnings if "undefined" not in one] == [note]


def test_a_report_has_all_forms_and_can_be_copied():
    true, pred, _ = records()
    report = clustering_comparison_report(true, pred, family="entity", names=("<a>", "b|c"))
    copy = pickle.loads(pickle.dumps(report))
    assert (str(copy), copy.to_dict()) == (str(report), report.to_dict())
    numbers = clustering_comparison_report(
        true, pred, family="entity", names=("<a>", "b|c"), output_dict=True
    )
    assert json.loads(json.dumps(numbers)) == numbers == report.to_dict()
    assert "&lt;a&gt;" in report.to_html()
    assert "<a>" not in report._repr_html_()
    assert "b\\|c" in report.to_markdown()
    assert len(report.to_frame())
