"""Accepted results: what is compared, what is refused, and that the file survives."""

import json

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from sklearn_clustcompare import (
    adjusted_rand_score,
    paired_comparison_test,
    score_interval,
    variation_of_information_distance,
)
from sklearn_clustcompare._partition import read
from sklearn_clustcompare.checks import ClusteringBaseline
from sklearn_clustcompare.checks._baseline import _changed_pair
from tests.checks._accepted import GOOD, POOR, X, Y

pytestmark = pytest.mark.thread_unsafe(reason="the threads of a test share its file")


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


def _changed(path, **changes):
    content = json.loads(path.read_text())
    entry = content["baselines"]["iris"]
    for name, value in changes.items():
        (entry if name in entry else content["partitions"][entry["partition"]])[name] = value
    path.write_text(json.dumps(content))


def test_another_scikit_learn_is_told(baseline):
    _changed(baseline.path, scikit_learn="0.18")
    with pytest.warns(UserWarning, match=r"accepted with scikit-learn 0\.18, this is"):
        assert not baseline.compare("iris", Y, GOOD, data=X).is_worse


TOUCHED = X.copy()
TOUCHED[3, 2] += 1e-9
OTHER_DATA, FEW_GROUPS = (
    "is for other data",
    "^groups must hold at least 10 groups for a samp",
)
WRONG = [
    (ValueError, "check", {"tolerance": -1}, "^tolerance must be a non-negative"),
    (TypeError, "check", {"tolerance": "1"}, "^tolerance must be"),
    (ValueError, "check", {"index": "no_score"}, "no_score"),
    (ValueError, "check", {"data": X[1:]}, "^data must have a row for each of the 150 objects"),
    (ValueError, "check", {"data": [["x"]] * 150}, "^data must be an array of numbers, got list"),
    (ValueError, "check", {"data": csr_matrix(X)}, "^data must be an array of numbers, got csr"),
    (ValueError, "compare", {"name": "wine"}, "got 'iris', 'named'; give one of these as name="),
    *((ValueError, "compare", {"data": one}, OTHER_DATA) for one in (TOUCHED, None, X[:, :3])),
    (ValueError, "compare", {"labels_true": np.where(Y == 2, 1, Y)}, OTHER_DATA),
    (TypeError, "accept", {"name": 3}, "^name must be a str, got 3"),
    (ValueError, "accept", {"labels_pred": np.full((150, 2), 0.5)}, "labels_pred"),
    *((ValueError, one, {"groups": Y}, FEW_GROUPS) for one in ("check", "compare", "accept")),
    (ValueError, "check", {"groups": np.arange(149)}, "groups"),
    (
        ValueError,
        "compare",
        {"data": None, "ids": range(150)},
        "has no ids: leave out those",
    ),
]
NAMED = {"name": "named", "data": None}
WRONG_IDS = [
    ({}, "has ids: give those of the objects"),
    ({"ids": range(149)}, "^ids must be different for the 150 objects, got 149"),
    ({"ids": [0] * 150}, "got 150, of which 1 are different"),
    ({"ids": range(1000, 1150)}, "such as '0', got none of them, but such as '1000'"),
    ({"ids": range(150), "data": X}, "^data must be None with ids"),
    (
        {"ids": range(150), "labels_true": np.roll(Y, 1)},
        "is for other reference labels of the",
    ),
]
WRONG += [(ValueError, "compare", NAMED | change, message) for change, message in WRONG_IDS]


@pytest.mark.slow
@pytest.mark.parametrize(("error", "method", "change", "message"), WRONG)
def test_what_is_wrong_is_told(baseline, error, method, change, message):
    baseline.accept("named", Y, GOOD, ids=range(150))
    given = {"name": "iris", "labels_true": Y, "labels_pred": GOOD, "data": X} | change
    with pytest.raises(error, match=message):
        getattr(baseline, method)(**given)


def test_files_that_cannot_be_used_are_told(tmp_path):
    for path, method, message in (
        ("other.json", "compare", "does not exist; accept a first result"),
        (".", "compare", "cannot be read"),
        ("no folder/a.json", "accept", "cannot be written"),
    ):
        with pytest.raises(ValueError, match=message):
            getattr(ClusteringBaseline(tmp_path / path), method)("iris", Y, GOOD)


def test_what_a_baseline_takes_is_told(baseline):
    with pytest.raises(AttributeError, match="it has accept, check, compare, path, update"):
        baseline.save(Y, GOOD)
    with pytest.raises(
        TypeError, match=r"as in ClusteringBaseline.check\(name, labels_true, label"
    ):
        baseline.check(Y, GOOD)


@pytest.mark.parametrize("update", [False, True])
def test_an_unknown_keyword_is_an_error_in_an_update_too(baseline, update):
    again = ClusteringBaseline(baseline.path, update=update)
    before = baseline.path.read_bytes()
    with pytest.raises(TypeError, match="tolrance"):
        again.check("iris", Y, GOOD, data=X, tolrance=0.1)
    again.check("iris", Y, GOOD, data=X, tolerance=0.1)
    assert baseline.path.read_bytes() == before


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


@pytest.mark.parametrize("seed", range(5))
def test_a_changed_pair_is_joined_on_one_side_only(seed):
    new, old = np.random.default_rng(seed).integers(3, size=(2, 6))
    first, second, is_new = _changed_pair(read(new, "new"), read(old, "old"))
    assert (new[first] == new[second], old[first] == old[second]) == (is_new, not is_new)
    assert _changed_pair(read(new, "new"), read(2 - new, "old")) is None
