"""The file of accepted results."""

import base64
import json
import os
import uuid
import zlib

import numpy as np
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare import (
    score_interval,
)
from sklearn_clustcompare._partition import read_labels
from sklearn_clustcompare.checks import ClusteringBaseline
from sklearn_clustcompare.checks._gates import Accepted, Partition, hashes, numbered, pack
from tests.checks._accepted import GOOD, POOR, X, Y
from tests.checks.test_baseline import _changed


def test_the_file_holds_what_was_accepted(baseline):
    content = json.loads(baseline.path.read_text())
    entry = content["baselines"]["iris"]
    expected = score_interval(Y, GOOD, index="adjusted_rand_score", random_state=0)
    assert entry["score"] == expected.score
    assert (entry["interval_low"], entry["interval_high"]) == expected.interval
    assert entry["scikit_learn"] == sklearn.__version__
    assert entry["n_samples"] == 150
    assert content["version"] == 3


def test_other_baselines_stay_when_one_is_accepted(baseline):
    before = json.loads(baseline.path.read_text())["baselines"]["iris"]
    baseline.accept("again", Y, POOR)
    content = json.loads(baseline.path.read_text())["baselines"]
    assert list(content) == ["again", "iris"]
    assert content["iris"] == before
    assert [path.name for path in baseline.path.parent.iterdir()] == ["baseline.json"]


def test_accepting_twice_writes_the_same_file(baseline):
    text = baseline.path.read_text()
    baseline.accept("iris", Y + 5, np.array(list("abc"))[GOOD], data=X)
    assert baseline.path.read_text() == text


@given(st.lists(st.sampled_from(["x", "y", 3, -1, (1, 2)]), min_size=1, max_size=40))
def test_packed_labels_are_the_partition(labels):
    read = read_labels(labels, "labels")
    accepted = Accepted("", 0, 0, 0, 0, len(labels), "", Partition("", pack(numbered(read))))
    codes = accepted.unpacked("labels", "here").tolist()
    first_seen = list(dict.fromkeys(labels))
    assert codes == [first_seen.index(label) for label in labels]


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=20))
def test_packed_numbers_are_kept_and_differ_for_all_ids(values):
    packed = pack(np.array(values, dtype=np.int64))
    accepted = Accepted("", 0, 0, 0, 0, len(values), "", Partition("", "", packed))
    assert accepted.unpacked("ids", "here").tolist() == values
    ids = ["a", "b", "", "aa", "\ud800", "é", "e\u0301"]
    assert len(set(hashes(ids).tolist())) == len(ids)
    assert hashes(ids[::-1]).tolist() == hashes(ids).tolist()[::-1]


def test_a_night_of_uuids_is_short_in_any_order(tmp_path):
    rng = np.random.default_rng(0)
    persons = rng.integers(2_000, size=4_200)  # at most 200 kB for 10,500 records
    found = np.where(rng.random(4_200) < 0.05, 5_000 + np.arange(4_200), persons)
    ids = np.array([str(uuid.UUID(bytes=rng.bytes(16))) for _ in range(4_200)])
    baseline = ClusteringBaseline(tmp_path / "nights.json")
    baseline.accept("night", persons, found, ids=ids, index="rand_score")
    text = baseline.path.read_bytes()
    assert len(text) < 80_000
    order = rng.permutation(4_200)
    baseline.accept("night", persons[order], found[order], ids=ids[order], index="rand_score")
    assert baseline.path.read_bytes() == text
    night = {"labels_true": persons, "labels_pred": found, "ids": ids}
    assert baseline.compare("night", **night, index="rand_score").difference == 0


def test_codes_that_are_none_are_refused(baseline):
    for text in ("[-1, 1e99]", "{}", '"aaa"', "[[1], 2]", "[0.5]"):
        packed = base64.b64encode(zlib.compress(text.encode())).decode()
        _changed(baseline.path, labels=packed)
        with pytest.raises(ValueError, match="labels"):
            baseline.compare("iris", Y, GOOD, data=X)


BROKEN = {
    "no JSON": (lambda path: path.write_text("{"), "must be JSON"),
    "no text": (lambda path: path.write_bytes(b"\xff\xfe\x00"), "must be JSON"),
    "deep": (lambda path: path.write_text("[" * 100_000), "must be JSON"),
    "a list": (lambda path: path.write_text("[1]"), "must be a baseline file"),
    "another file": (lambda path: path.write_text('{"a": 1}'), "must be a baseline file"),
    "another version": (
        lambda path: path.write_text(path.read_text().replace('"version": 3', '"version": 2')),
        "must be of version 3, got version 2: read it with the release",
    ),
    "no baselines": (
        lambda path: path.write_text(
            '{"format": "sklearn_clustcompare baseline", "version": 3, "baselines": 3}'
        ),
        "must have baselines, by name, got 3",
    ),
    "no partition": (lambda path: _changed(path, partition="?"), "must have a partition of the"),
    "a missing field": (
        lambda path: path.write_text(path.read_text().replace('"score"', '"value"')),
        "must have the fields",
    ),
    "a wrong type": (lambda path: _changed(path, score="0.7"), "score of baseline 'iris' of"),
}


STALE = {
    "labels that are no base64": (lambda path: _changed(path, labels="?"), "cannot be unpacked"),
    "labels that are not packed": (lambda path: _changed(path, labels="aaaa"), "cannot be unpack"),
    "fewer labels": (lambda path: _changed(path, n_samples=149), "must have 149 labels"),
    "a score of other labels": (lambda path: _changed(path, score=0.1), "must have the score of"),
    "no score": (lambda path: _changed(path, score=float("nan")), "must have the score of its"),
    "other data": (lambda path: _changed(path, data_hash="0"), "is for other data"),
    "another index": (lambda path: _changed(path, index="rand_score"), "index must be that of"),
}


@pytest.mark.parametrize(("damage", "message"), (BROKEN | STALE).values(), ids=BROKEN | STALE)
def test_a_file_that_cannot_be_used_is_an_error_and_stays(baseline, damage, message):
    damage(baseline.path)
    before = baseline.path.read_bytes()
    with pytest.raises(ValueError, match=message):
        baseline.compare("iris", Y, GOOD, data=X)
    assert baseline.path.read_bytes() == before


@pytest.mark.parametrize(("damage", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_not_written_over(baseline, damage, message):
    damage(baseline.path)
    before = baseline.path.read_bytes()
    with pytest.raises(ValueError, match=message):
        baseline.accept("iris", Y, POOR)
    assert baseline.path.read_bytes() == before


def test_a_write_protected_file_stays(baseline):
    if os.geteuid() == 0:
        pytest.skip("the superuser may write to any file")
    baseline.path.chmod(0o400)
    with pytest.raises(ValueError, match="cannot be written"):
        baseline.accept("iris", Y, POOR)
