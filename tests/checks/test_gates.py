"""The gates of a baseline: what fails, what passes, on both sides of each limit."""

import json
import os

import numpy as np
import pytest
from scipy.stats import norm

from sklearn_clustcompare import (
    get_index,
    pair_precision_score,
    paired_comparison_test,
    score_interval,
)
from sklearn_clustcompare.checks import ClusteringBaseline

pytestmark = [
    pytest.mark.thread_unsafe(reason="the threads of a test share its file"),
    pytest.mark.filterwarnings("ignore:.* are both in baseline"),
    pytest.mark.filterwarnings("ignore:.* is not adjusted for chance"),
    pytest.mark.filterwarnings("ignore:the (test|interval) may not hold"),
]

N = 200
IDS = np.array([f"r{k:03}" for k in range(N)])
PERSONS = np.arange(N) // 4
RNG = np.random.default_rng(0)
FOUND = np.where(RNG.random(N) < 0.1, 100 + np.arange(N), PERSONS)
PRECISION = {"index": "pair_precision_score"}


@pytest.fixture
def baseline(tmp_path):
    baseline = ClusteringBaseline(tmp_path / "nights.json")
    baseline.accept("night", PERSONS, FOUND, ids=IDS, **PRECISION)
    return baseline


def _with_new(n_new):
    """Add records of as many other persons, all in one found cluster."""
    new = 1000 + np.arange(n_new)
    return {
        "labels_true": np.append(PERSONS, new),
        "labels_pred": np.append(FOUND, np.full(n_new, 9999)),
        "ids": np.append(IDS, [f"n{k}" for k in new]),
        **PRECISION,
    }


def _gates(compared):
    return {one.measure if one.gate == "records" else one.gate: one for one in compared.rows}


def test_gates_are_a_frame(baseline):
    pytest.importorskip("pandas")
    gates = baseline.compare("night", PERSONS, FOUND, ids=IDS, **PRECISION).gates
    assert gates.columns.tolist() == ["gate", "value", "limit", "passed"]
    assert gates.gate.tolist() == ["accepted", "all", "records", "records", "records"]
    assert gates.index.tolist() == ["loss", "loss", "new", "unlabeled", "coverage"]
    assert gates.value.tolist() == [0, 0, 0, 0, 1]
    assert gates.limit.tolist() == [0.02, 0.02, 0.2, 0.05, 0.9]
    assert gates.passed.all()


@pytest.mark.slow
def test_wrong_new_records_fail_though_the_accepted_ones_are_as_they_were(baseline):
    night = _with_new(30)
    compared = baseline.compare("night", **night)
    gates = _gates(compared)
    assert compared.difference == 0
    assert [name for name, one in gates.items() if not one.passed] == ["all"]
    assert compared.of_all.score == pair_precision_score(night["labels_true"], night["labels_pred"])
    with pytest.raises(AssertionError, match="^night is worse than accepted in all 230 objects: "):
        baseline.check("night", **night)


def test_the_loss_of_all_is_tested_by_both_standard_errors(baseline):
    night = _with_new(30)
    (now, before) = (
        score_interval(true, pred, **PRECISION)
        for true, pred in ((night["labels_true"], night["labels_pred"]), (PERSONS, FOUND))
    )
    error = np.hypot(now.standard_error, before.standard_error)
    least = before.score - now.score - norm.ppf(0.975) * error
    gate = _gates(baseline.compare("night", **night))["all"]
    assert gate.value == pytest.approx(least)
    for tolerance, passed in ((least + 1e-6, True), (least - 1e-6, False)):
        compared = baseline.compare("night", **night, tolerance=tolerance)
        assert _gates(compared)["all"].passed is passed
    loss = _gates(baseline.compare("night", **night, rule="difference"))["all"].value
    assert loss == pytest.approx(before.score - now.score)


def test_the_accepted_objects_are_tested_in_pairs(baseline):
    some = slice(10, None)
    worse = np.where(np.arange(N) % 20 == 0, 0, FOUND)
    night = {"labels_true": PERSONS[some], "labels_pred": worse[some], "ids": IDS[some]}
    test = paired_comparison_test(PERSONS[some], worse[some], FOUND[some], **PRECISION)
    gate = _gates(baseline.compare("night", **night, **PRECISION))["accepted"]
    least = -test.difference - norm.ppf(0.975) * test.standard_error
    assert (gate.measure, gate.value) == ("loss, at least", pytest.approx(least))


def test_gates_of_several_indices_have_the_records_once(baseline):
    baseline.accept("found", PERSONS, FOUND, ids=IDS, index="ari")
    alike = [
        baseline.compare(name, PERSONS, FOUND, ids=IDS, index=index)
        for name, index in (("night", "pair_precision_score"), ("found", "ari"))
    ]
    _, *rows = alike[0]._gates_text(alike).splitlines()
    assert [row.split()[:2] for row in rows] == [
        *(["accepted", "loss"], ["all", "loss"]) * 2,
        *(["records", what] for what in ("new", "unlabeled", "coverage")),
    ]


@pytest.mark.parametrize("rule", ["auto", "difference"])
def test_on_the_same_objects_the_tolerance_decides(baseline, rule):
    worse = FOUND.copy()
    worse[[0, 50]] = 7777  # too few for a test
    given = {"labels_true": PERSONS, "labels_pred": worse, "ids": IDS, **PRECISION}
    compared = baseline.compare("night", **given)
    loss = -compared.difference
    assert loss > 0
    assert compared.pvalue > 0.05
    assert baseline.compare("night", **given, rule=rule, tolerance=loss).passed
    assert not baseline.compare("night", **given, rule=rule, tolerance=0.99 * loss).passed
    assert baseline.compare("night", **given, rule="test", tolerance=0.99 * loss).passed


def test_limits_of_records(baseline):
    night = _with_new(1)
    night["labels_pred"] = night["labels_pred"].astype(object)
    night["labels_pred"][:4] = None
    exact = {"max_new": 1 / 197, "max_unlabeled": 4 / 201, "min_coverage": 196 / 200}
    compared = baseline.compare("night", **night, **exact)
    assert compared.passed
    for name, sign in (("max_new", -1), ("max_unlabeled", -1), ("min_coverage", 1)):
        compared = baseline.compare("night", **night, **exact | {name: exact[name] + sign * 1e-6})
        assert not compared.passed
        assert not compared.is_worse
        ((sentence,),) = (texts for gate, texts in compared.failures.items() if texts)
        assert f" than {name}, " in sentence


def test_missing_labels_need_ids(tmp_path):
    baseline = ClusteringBaseline(tmp_path / "fixed.json")
    with pytest.raises(ValueError, match="missing"):
        baseline.accept("fixed", [*PERSONS[1:], None], FOUND)
    with pytest.raises(ValueError, match="must not all be missing"):
        baseline.accept("fixed", [None] * N, FOUND, ids=IDS)


def test_a_count_is_taken_for_as_many_objects(tmp_path):
    baseline = ClusteringBaseline(tmp_path / "counts.json")
    options = {"index": "split_count", "rule": "difference", "max_new": 1}
    baseline.accept("night", PERSONS, FOUND, ids=IDS, index="split_count")
    twice = {
        "labels_true": np.append(PERSONS, PERSONS + 1000),
        "labels_pred": np.append(FOUND, FOUND + 1000),
        "ids": np.append(IDS, [f"n{k}" for k in range(N)]),
    }
    gate = _gates(baseline.compare("night", **twice, **options, tolerance=0))["all"]
    assert (gate.value, gate.passed) == (0, True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "tests"}, "rule must be"),
        ({"max_new": 1.5}, r"max_new must lie in \[0, 1\], got 1.5"),
        ({"max_unlabeled": -0.1}, r"max_unlabeled must lie in \[0, 1\]"),
        ({"min_coverage": float("nan")}, r"min_coverage must lie in \[0, 1\]"),
    ],
)
def test_bad_limits(baseline, options, message):
    with pytest.raises(ValueError, match=message):
        baseline.compare("night", PERSONS, FOUND, ids=IDS, **PRECISION, **options)


def test_ten_thousand_records_are_a_small_file(tmp_path):
    rng = np.random.default_rng(1)
    n = 10_500
    persons = np.sort(rng.integers(6000, size=n))
    found = np.where(rng.random(n) < 0.05, 10_000 + np.arange(n), persons)
    ids = rng.permutation([f"customer-{k:07}" for k in range(n)])
    baseline = ClusteringBaseline(tmp_path / "nights.json")
    indices = {name: name for name in ("ari", "vi", "pair_precision_score", "bcubed_f_score")}
    baseline._accept_each(indices, persons, found, ids=ids, data=None, groups=None)
    assert os.path.getsize(baseline.path) < 200_000
    content = json.loads(baseline.path.read_text())
    scores = {one["index"]: one["score"] for one in content["baselines"].values()}
    for name in indices:
        index = get_index(name)
        assert scores[index.name] == pytest.approx(score_interval(persons, found, index=name).score)
    assert len(content["partitions"]) == 1
