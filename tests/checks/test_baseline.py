"""Accepted results: what is compared, what is refused, and that the file survives."""

import base64
import json
import os
import subprocess
import sys
import tomllib
import uuid
import zlib

import numpy as np
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris

from sklearn_clustcompare import (
    adjusted_rand_score,
    paired_comparison_test,
    score_interval,
    variation_of_information_distance,
)
from sklearn_clustcompare._partition import read_labels
from sklearn_clustcompare.checks import ClusteringBaseline
from sklearn_clustcompare.checks._gates import Accepted, Partition, hashes, numbered, pack
from tests._files import REPOSITORY

pytestmark = pytest.mark.thread_unsafe(reason="the threads of a test share its file")

X, Y = load_iris(return_X_y=True)
GOOD = np.where((Y == 2) & (np.arange(150) % 10 == 0), 1, Y)
POOR = np.where((Y == 2) & (np.arange(150) % 2 == 0), 1, Y)
PLUGIN = "sklearn_clustcompare._pytest_plugin"


@pytest.fixture
def baseline(tmp_path):
    baseline = ClusteringBaseline(tmp_path / "baseline.json")
    baseline.accept("iris", Y, GOOD, data=X)
    return baseline


# --------------------------------------------------------------------------- what is compared


def test_the_comparison_is_the_paired_test_on_the_same_objects(baseline):
    found = baseline.compare("iris", Y, POOR, data=X)
    test = paired_comparison_test(Y, POOR, GOOD, index="adjusted_rand_score", random_state=0)
    assert found.score == test.value_a == adjusted_rand_score(Y, POOR)
    assert found.accepted_score == pytest.approx(adjusted_rand_score(Y, GOOD))
    assert (found.difference, found.interval, found.pvalue) == (
        test.difference,
        test.interval,
        test.pvalue,
    )
    assert found.is_worse


def test_names_of_clusters_do_not_matter(baseline):
    names = np.array(["c", "a", "b"], dtype=object)
    found = baseline.compare("iris", names[Y], names[GOOD][::1], data=X)
    assert found.difference == 0
    assert not found.is_worse


def test_on_fixed_data_worse_means_by_more_than_the_tolerance(baseline):
    difference = baseline.compare("iris", Y, POOR, data=X).difference
    assert difference < -0.2
    baseline.check("iris", Y, POOR, data=X, tolerance=0.9)
    with pytest.raises(AssertionError, match="worse by"):
        baseline.check("iris", Y, POOR, data=X)
    baseline.check("iris", Y, Y, data=X)


def test_a_distance_is_worse_where_it_is_larger(baseline):
    index = "variation_of_information_distance"
    baseline.accept("distance", Y, GOOD, index=index)
    found = baseline.compare("distance", Y, POOR, index=index)
    assert found.score == variation_of_information_distance(Y, POOR) > found.accepted_score
    assert found.difference < 0
    assert found.is_worse


def test_the_message_names_the_clusters_that_got_worse(baseline):
    with pytest.raises(AssertionError) as caught:
        baseline.check("iris", Y, POOR, data=X)
    headline, _, title, header, first, *rest = str(caught.value).splitlines()
    assert headline.startswith("iris: adjusted_rand_score 0.")
    assert "worst change first" in title
    assert header.split()[-4:] == ["accepted", "as", "now", "as"]
    assert first.split()[:2] == ["2", "50"]
    assert "kept" in first
    assert any(line.startswith("Comparison of two clusterings") for line in rest)


@pytest.mark.slow
def test_of_many_clusters_the_worst_are_shown(tmp_path):
    baseline = ClusteringBaseline(tmp_path / "many.json")
    truth = np.repeat(np.arange(30), 5)
    baseline.accept("many", truth, truth)
    text = str(baseline.compare("many", truth, truth // 2))
    assert "(10 more)" in text


# --------------------------------------------------------------------------- the file


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


def test_a_write_protected_file_stays(baseline):
    if os.geteuid() == 0:
        pytest.skip("the superuser may write to any file")
    baseline.path.chmod(0o400)
    with pytest.raises(ValueError, match="cannot be written"):
        baseline.accept("iris", Y, POOR)


def _changed(path, **changes):
    content = json.loads(path.read_text())
    entry = content["baselines"]["iris"]
    for name, value in changes.items():
        (entry if name in entry else content["partitions"][entry["partition"]])[name] = value
    path.write_text(json.dumps(content))


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


def test_what_is_missing_is_told(baseline, tmp_path):
    with pytest.raises(ValueError, match="must have a baseline 'wine', got 'iris'"):
        baseline.compare("wine", Y, GOOD)
    with pytest.raises(ValueError, match="does not exist; accept a first result"):
        ClusteringBaseline(tmp_path / "other.json").compare("iris", Y, GOOD)
    with pytest.raises(ValueError, match="cannot be read"):
        ClusteringBaseline(tmp_path).compare("iris", Y, GOOD)
    with pytest.raises(ValueError, match="cannot be written"):
        ClusteringBaseline(tmp_path / "no folder" / "a.json").accept("iris", Y, GOOD)


def test_other_data_is_told(baseline):
    changed = X.copy()
    changed[3, 2] += 1e-9
    for data in (changed, None, X[:, :3]):
        with pytest.raises(ValueError, match="is for other data"):
            baseline.compare("iris", Y, GOOD, data=data)
    with pytest.raises(ValueError, match="is for other data"):
        baseline.compare("iris", np.where(Y == 2, 1, Y), GOOD, data=X)


def test_another_scikit_learn_is_told(baseline):
    _changed(baseline.path, scikit_learn="0.18")
    with pytest.warns(UserWarning, match=r"accepted with scikit-learn 0\.18, this is"):
        assert not baseline.compare("iris", Y, GOOD, data=X).is_worse


@pytest.mark.parametrize(
    ("error", "options", "message"),
    [
        (ValueError, {"tolerance": -1}, "^tolerance must be a non-negative"),
        (TypeError, {"tolerance": "1"}, "^tolerance must be"),
        (ValueError, {"index": "no_score"}, "no_score"),
        (ValueError, {"data": X[1:]}, "^data must have a row for each of the 150 objects"),
        (ValueError, {"data": [["x"]] * 150}, "^data must be an array of numbers, got list"),
        (ValueError, {"data": csr_matrix(X)}, "^data must be an array of numbers, got csr"),
    ],
)
def test_bad_arguments(baseline, error, options, message):
    with pytest.raises(error, match=message):
        baseline.check("iris", Y, GOOD, **options)


@pytest.mark.parametrize("update", [False, True])
def test_an_unknown_keyword_is_an_error_in_an_update_too(baseline, update):
    again = ClusteringBaseline(baseline.path, update=update)
    before = baseline.path.read_bytes()
    with pytest.raises(TypeError, match="tolrance"):
        again.check("iris", Y, GOOD, data=X, tolrance=0.1)
    again.check("iris", Y, GOOD, data=X, tolerance=0.1)
    assert baseline.path.read_bytes() == before


def test_a_name_is_text(baseline):
    with pytest.raises(TypeError, match="^name must be a str, got 3"):
        baseline.accept(3, Y, GOOD)


def test_memberships_are_no_labels(baseline):
    with pytest.raises(ValueError, match="labels_pred"):
        baseline.accept("soft", Y, np.full((150, 2), 0.5))


# --------------------------------------------------------------------------- the fixture

TESTED = """
    import json, pathlib
    def test_iris(clustering_baseline):
        truth, found = json.loads(pathlib.Path("labels.json").read_text())
        clustering_baseline.check("iris", truth, found)
"""


@pytest.fixture
def run_tests(pytester):
    """Run a test of the labels found, in the file's own folder."""
    pytester.makepyfile(TESTED)

    def run(found, *options):
        (pytester.path / "labels.json").write_text(json.dumps([Y.tolist(), found.tolist()]))
        return pytester.runpytest_inprocess("-p", PLUGIN, "-p", "no:randomly", *options)

    return run


def test_the_plugin_is_an_entry_point_of_its_own_name():
    # So that it is loaded once, also where it is named by -p.
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {PLUGIN: PLUGIN}


@pytest.mark.slow
def test_the_fixture_compares_and_updates(run_tests, pytester):
    result = run_tests(GOOD)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*clustering_baseline.json does not exist*"])
    run_tests(GOOD, "--clustering-baseline-update").assert_outcomes(passed=1)
    run_tests(GOOD).assert_outcomes(passed=1)
    result = run_tests(POOR)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*iris: adjusted_rand_score 0.*, accepted 0.*: worse by 0.*"])
    assert [path.name for path in pytester.path.glob("*.json")].count("clustering_baseline.json")


def test_the_file_can_be_named(run_tests, pytester):
    pytester.makeini("[pytest]\nclustering_baseline = kept/accepted.json\n")
    (pytester.path / "kept").mkdir()
    run_tests(GOOD, "--clustering-baseline-update").assert_outcomes(passed=1)
    assert (pytester.path / "kept" / "accepted.json").exists()
    run_tests(GOOD).assert_outcomes(passed=1)


@pytest.mark.processes
@pytest.mark.slow
def test_several_processes_do_not_write_one_file(run_tests, pytester):
    pytest.importorskip("xdist")
    result = run_tests(GOOD, "--clustering-baseline-update", "-n", "1")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*run it in one process, with -n 0*"])
    assert not (pytester.path / "clustering_baseline.json").exists()


@pytest.mark.slow
@pytest.mark.processes
def test_an_unused_plugin_imports_nothing(tmp_path):
    code = f"""
import sys, pytest
status = pytest.main(["-q", "-p", "no:cacheprovider", "-p", "{PLUGIN}", sys.argv[1]])
loaded = {{name.partition(".")[0] for name in sys.modules}}
print(int(status), "{PLUGIN}" in sys.modules, sorted(loaded & {{"numpy", "scipy", "sklearn"}}))
"""
    (tmp_path / "test_nothing.py").write_text("def test_nothing():\n    pass\n")
    process = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=REPOSITORY,
        env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(REPOSITORY)},
        text=True,
        capture_output=True,
        check=True,
    )
    assert process.stdout.splitlines()[-1] == "0 True []"


# --------------------------------------------------------------------------- nights


def _moved(rng, labels, share):
    """Move objects to clusters at random."""
    found = labels.copy()
    rows = rng.permutation(len(labels))[: round(share * len(labels))]
    found[rows] = rng.integers(labels.max() + 1, size=len(rows))
    return found


@pytest.mark.slow
def test_a_worse_night_is_found_and_an_unchanged_law_is_not(tmp_path):
    found = false = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        truth = rng.integers(10, size=500)
        accepted = _moved(rng, truth, 0.1)
        baseline = ClusteringBaseline(tmp_path / f"{seed}.json")
        baseline.accept("night", truth, accepted)
        worse, same_law = _moved(rng, accepted, 0.05), _moved(rng, truth, 0.1)
        found += baseline.compare("night", truth, worse, rule="test").is_worse
        false += baseline.compare("night", truth, same_law, rule="test").is_worse
    assert found >= 95
    assert false <= 5


def test_objects_are_matched_by_their_ids(tmp_path):
    baseline = ClusteringBaseline(tmp_path / "nights.json")
    ids = np.array([f"flower {i}" for i in range(150)])
    baseline.accept("iris", Y, GOOD, ids=ids)
    order = np.random.default_rng(0).permutation(150)
    found = baseline.compare("iris", Y[order], GOOD[order], ids=ids[order])
    assert found.difference == 0
    some, new = order[:120], np.array(["one", "two"])
    with pytest.warns(UserWarning, match="120 of 152 objects are both in baseline 'iris'"):
        found = baseline.compare(
            "iris",
            np.append(Y[some], [0, 1]),
            np.append(POOR[some], [0, 1]),
            ids=np.append(ids[some], new),
            min_coverage=0.8,
        )
    expected = paired_comparison_test(
        Y[some], POOR[some], GOOD[some], index="adjusted_rand_score", random_state=0
    )
    assert (found.difference, found.pvalue) == (expected.difference, expected.pvalue)
    assert found.is_worse
    assert found.coverage == 0.8


def test_few_of_the_accepted_objects_are_no_comparison(tmp_path):
    baseline = ClusteringBaseline(tmp_path / "nights.json")
    baseline.accept("iris", Y, GOOD, ids=range(150))
    before = baseline.path.read_bytes()
    rows = slice(None, None, 5)
    some = {"labels_true": Y[rows], "labels_pred": GOOD[rows], "ids": range(0, 150, 5)}
    message = (
        "^30 of the 150 objects of baseline 'iris' of .* are in the new labels, 20.0%, less than "
        "min_coverage, 0.9: check that the new labels are complete, or set a lower min_coverage\n"
    )
    with pytest.warns(UserWarning, match="30 of 150"), pytest.raises(AssertionError, match=message):
        baseline.check("iris", **some)
    assert baseline.path.read_bytes() == before
    with pytest.warns(UserWarning, match="30 of 150 objects"):
        compared = baseline.compare("iris", **some, min_coverage=0.2)
    assert compared.coverage == 0.2
    assert compared.gates.loc["coverage"].tolist() == ["records", 0.2, 0.2, True]
    more = {"labels_true": [*Y, 0], "labels_pred": [*GOOD, 0], "ids": range(151)}
    with pytest.warns(UserWarning, match="150 of 151 objects"):
        baseline.check("iris", **more, min_coverage=1)  # new objects do not count


# --------------------------------------------------------------------------- groups


def _persons(rng):
    """Draw 120 persons of 1 to 10 records, and two results that each lose whole persons."""
    persons = np.repeat(np.arange(120), rng.integers(1, 11, size=120))
    alone = 120 + np.arange(len(persons))
    return persons, *(np.where((rng.random(120) < 0.25)[persons], alone, persons) for _ in range(2))


@pytest.mark.filterwarnings("ignore:bcubed_recall_score is not adjusted for chance")
def test_groups_are_the_units_of_the_test(tmp_path):
    rng = np.random.default_rng(0)
    persons, accepted, night = _persons(rng)
    ids = np.array([f"r{k}" for k in range(len(persons))])
    baseline = ClusteringBaseline(tmp_path / "nights.json")
    kind = {"index": "bcubed_recall_score"}
    baseline.accept("night", persons, accepted, ids=ids, groups=persons, **kind)
    rows = rng.permutation(len(persons))[5:]
    with pytest.warns(UserWarning, match="are left out"):
        found = baseline.compare(
            "night", persons[rows], night[rows], ids=ids[rows], groups=persons[rows], **kind
        )
    some = {"groups": persons[rows]} | kind
    test = paired_comparison_test(persons[rows], night[rows], accepted[rows], **some)
    assert [found.difference, *found.interval, found.pvalue] == pytest.approx(
        [test.difference, *test.interval, test.pvalue]
    )
    by_record = paired_comparison_test(persons[rows], night[rows], accepted[rows], **kind)
    assert by_record.pvalue < found.pvalue
    n_groups = len(set(persons[rows]))
    assert (
        f", of {n_groups} groups, 99.3% of the accepted objects; tolerance 0.02)"
        in found.message.splitlines()[0]
    )
    (entry,) = json.loads(baseline.path.read_text())["baselines"].values()
    interval = score_interval(persons, accepted, groups=persons, **kind).interval
    assert (entry["interval_low"], entry["interval_high"]) == pytest.approx(interval)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (Y, "^groups must hold at least 10 groups for a sampling error, got 3"),
        (np.arange(149), "groups"),
    ],
)
def test_groups_that_do_not_fit_are_an_error(baseline, groups, message):
    for change in (baseline.check, baseline.compare, baseline.accept):
        with pytest.raises(ValueError, match=message):
            change("iris", Y, GOOD, data=X, groups=groups)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:bcubed_recall_score is not adjusted for chance")
def test_equal_nights_of_whole_persons_pass():
    # The second result is another draw of the same law, so each significant change is false.
    n_nights, n_false = 60, np.zeros(2)
    for seed in range(n_nights):
        persons, accepted, night = _persons(np.random.default_rng([1, seed]))
        for has_groups, groups in enumerate([None, persons]):
            test = paired_comparison_test(
                persons, night, accepted, index="bcubed_recall_score", groups=groups
            )
            n_false[has_groups] += test.pvalue < 0.05
    n_most = 0.05 * n_nights + 3 * (0.05 * 0.95 * n_nights) ** 0.5
    assert n_false[1] <= n_most < n_false[0]


# --------------------------------------------------------------------------- the message


def test_a_tolerance_of_a_count_is_a_share(tmp_path):
    baseline = ClusteringBaseline(tmp_path / "counts.json")
    truth = np.repeat(np.arange(40), 10)
    accepted, found = (
        np.where(np.isin(np.arange(400), np.arange(0, 10 * n, 10)), 100, truth) for n in (10, 16)
    )
    baseline.accept("splits", truth, accepted, index="split_count")
    compared = baseline.compare("splits", truth, found, index="split_count", tolerance=0.59)
    assert (compared.score, compared.accepted_score) == (16, 10)
    assert compared.pvalue < 0.05
    assert compared.is_worse
    assert "tolerance 0.59 of the accepted value)" in compared.message
    assert not baseline.compare(
        "splits", truth, found, index="split_count", tolerance=0.61
    ).is_worse


def test_the_message_names_records(tmp_path):
    baseline = ClusteringBaseline(tmp_path / "records.json")
    persons = np.repeat(["ann", "bob", "eve"], 4)
    found = np.array(["f1", "f2", "f2", "f3"] + ["f4"] * 4 + ["f5"] * 4)
    ids = [f"r{k}" for k in range(12)]
    baseline.accept("night", persons, persons, ids=ids)
    text = str(baseline.compare("night", persons, found, ids=ids, names=("person", "found")))
    _, _, _, header, *rows = text.splitlines()
    assert header.startswith("cluster of person ")
    assert rows[0].endswith("  f2: r1, r2; f1: r0; f3: r3")
    assert rows[1].endswith("  f4: r4, r5, r6, r7")
    assert "3 clusters of person, 5 clusters of found" in text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ids": None}, "has ids: give those of the objects"),
        ({"ids": range(149)}, "^ids must be different for the 150 objects, got 149"),
        ({"ids": [0] * 150}, "got 150, of which 1 are different"),
        ({"ids": range(1000, 1150)}, "such as '0', got none of them, but such as '1000'"),
        ({"data": X}, "^data must be None with ids"),
        ({"labels_true": np.roll(Y, 1)}, "is for other reference labels of the same objects"),
    ],
)
def test_ids_that_do_not_fit_are_an_error(tmp_path, change, message):
    baseline = ClusteringBaseline(tmp_path / "nights.json")
    baseline.accept("iris", Y, GOOD, ids=range(150))
    given = {"labels_true": Y, "labels_pred": GOOD, "ids": range(150)} | change
    with pytest.raises(ValueError, match=message):
        baseline.compare("iris", **given)


def test_ids_for_a_baseline_without_ids_are_an_error(baseline):
    with pytest.raises(ValueError, match="has no ids: leave out those of the objects"):
        baseline.compare("iris", Y, GOOD, ids=range(150))


WRITES = """
import sys
from sklearn_clustcompare.checks import ClusteringBaseline
baseline = ClusteringBaseline(sys.argv[1])
for i in range(10):
    baseline.accept(f"{sys.argv[2]} {i}", [0, 0, 1, 1], [0, 0, 1, 1])
"""


@pytest.mark.processes
@pytest.mark.slow
def test_two_jobs_that_write_one_file_lose_nothing(tmp_path):
    path = tmp_path / "nights.json"
    jobs = [
        subprocess.Popen([sys.executable, "-c", WRITES, str(path), name], cwd=REPOSITORY)
        for name in ("first", "second")
    ]
    assert [job.wait() for job in jobs] == [0, 0]
    baselines = json.loads(path.read_text())["baselines"]
    assert len(baselines) == 20
    assert [one.name for one in tmp_path.iterdir()] == ["nights.json"]
