"""The headline of a report by the functions and all matchings, and where a report comes from."""

import datetime
import itertools
import json

import numpy as np
import pytest
from hypothesis import given

import sklearn_clustcompare
import sklearn_clustcompare as scc
from sklearn_clustcompare.significance import independence_test
from tests import _oracles as oracle
from tests._examples import pairs_of_labels

TRUE = ["fish"] * 40 + ["bird"] * 40 + ["frog"] * 20
PRED = [0] * 36 + [1] * 44 + [2] * 10 + [1] * 10
labelings = pairs_of_labels(1, 25, 4)


def headline(*labels, **keywords):
    return scc.clustering_comparison_report(*labels, **keywords).headline


def test_values_are_those_of_the_functions():
    result = headline(TRUE, PRED)
    assert result.scores == {
        "adjusted_rand_score": scc.adjusted_rand_score(TRUE, PRED),
        "adjusted_mutual_info_score": scc.adjusted_mutual_info_score(TRUE, PRED),
    }
    for name, ends in result.intervals.items():
        expected = scc.score_interval(TRUE, PRED, index=name)
        assert ends == pytest.approx(expected.interval, rel=1e-12)
        assert ends[0] < result.scores[name] < ends[1]
    assert len(result.intervals) == 2
    test = independence_test(TRUE, PRED)
    assert (result.pvalue, result.pvalue_method) == (test.pvalue, test.method)


def test_the_sentence():
    report = scc.clustering_comparison_report(TRUE, PRED)
    result, data = report.headline, report.to_dict()["headline"]
    (low, high) = result.intervals["adjusted_rand_score"]
    assert data["text"].startswith(
        f"ARI {result.scores['adjusted_rand_score']:.2f} [{low:.2f}, {high:.2f}], AMI "
    )
    share = float(report.decomposition.true.lost_share.max())
    power = int(data["text"].split("(p < 1e")[1].split(")")[0])
    assert 10.0 ** (power - 1) <= result.pvalue < 10.0**power
    assert data["text"].endswith(
        "): 1 of 3 clusters kept, 1 split, 1 merged; worst: "
        f"frog, {share:.1%} of the lost information"
    )
    assert data["verdicts"] == {"kept": 1, "split": 1, "merged": 1}
    assert data["worst"] == {"label": "frog", "size": 20, "lost_share": share}
    assert data["intervals"]["adjusted_rand_score"] == [low, high]


def test_equal_partitions():
    text = scc.clustering_comparison_report(TRUE, TRUE).to_dict()["headline"]["text"]
    assert text.startswith("ARI 1.00 [0.91, 1.00], AMI 1.00 [0.87, 1.00] (p < 1e")
    assert text.endswith("): 3 of 3 clusters kept")


@pytest.mark.slow
@given(labelings)
def test_unmatched_objects_by_all_matchings(labels):
    counts = np.array(oracle.dense_table(*labels))
    report = scc.clustering_comparison_report(*labels)
    result, lost_share = report.headline, report.decomposition.true.lost_share
    n_rows, n_cols = counts.shape
    padded = np.zeros((max(n_rows, n_cols),) * 2, int)
    padded[:n_rows, :n_cols] = counts
    places = np.arange(len(padded))
    kept = max(padded[places, list(order)].sum() for order in itertools.permutations(places))
    assert result.unmatched.sum() == counts.sum() - kept
    assert (result.unmatched >= 0).all()
    if result.worst is None:
        assert not lost_share.any()
    else:
        assert lost_share[result.worst] == lost_share.max() > 0
    assert sum(result.verdicts.values()) == n_rows
    if result.pvalue is not None:
        assert 0 <= result.pvalue <= 1
    # They are of the population, and corrected for bias: the score may lie beyond an end.
    assert all(low <= high for low, high in result.intervals.values())
    assert set(result.intervals) <= set(result.scores)


def test_statistics_of_groups_are_those_of_the_functions():
    donors = np.random.default_rng(0).permutation(100) % 12
    result = headline(TRUE, PRED, groups=donors)
    test = scc.permutation_test(TRUE, PRED, index="mutual_info_score", groups=donors)
    assert (result.pvalue, result.pvalue_method) == (test.pvalue, test.method)
    assert len(result.intervals) == 2
    for name, ends in result.intervals.items():
        assert ends == scc.score_interval(TRUE, PRED, index=name, groups=donors).interval
        assert ends != headline(TRUE, PRED).intervals[name]
    report = scc.clustering_comparison_report(TRUE, PRED, groups=donors).replace("\n", " ")
    assert "95 % intervals, for other groups." in report


@pytest.mark.parametrize(("n_donors", "lacking"), [(7, 2), (9, 1), (10, 0)])
def test_what_a_few_groups_cannot_give_is_said(n_donors, lacking):
    donors = np.minimum(np.random.default_rng(0).permutation(100) % (n_donors + 1), n_donors - 1)
    report = scc.clustering_comparison_report(TRUE, PRED, groups=donors)
    said = ["no p-value: groups must hold at least 8" in report.replace("\n", " ")]
    said += ["no intervals: groups must hold at least 10" in report.replace("\n", " ")]
    assert said == [report.headline.pvalue is None, not report.headline.intervals]
    assert sum(said) == lacking


def test_reports_of_groups_of_weights_or_memberships_have_no_intervals():
    rng = np.random.default_rng(0)
    donors = np.minimum(rng.permutation(100) % 13, 11)
    soft = rng.dirichlet([0.2, 0.2, 0.2], size=100)
    for one in (
        headline(TRUE, soft, groups=donors),
        headline(TRUE, PRED, groups=donors, sample_weight=rng.random(100)),
    ):
        assert (one.pvalue, one.intervals) == (None, {})
    with pytest.raises(ValueError, match="and groups must have the same length"):
        headline(TRUE, soft, groups=donors[:99])


@pytest.mark.parametrize("n_objects", [3, 4])
def test_intervals_need_four_objects(n_objects):
    result = headline([0, 0, 1, 1][:n_objects], [0, 0, 1, 0][:n_objects])
    assert len(result.intervals) == (2 if n_objects == 4 else 0)


def test_no_interval_and_no_p_value_without_single_objects():
    memberships = np.random.default_rng(0).dirichlet([0.2, 0.2, 0.2], size=len(TRUE))
    soft = headline(TRUE, memberships)
    assert soft.scores == {
        "frobenius_adjusted_rand_score": scc.frobenius_adjusted_rand_score(TRUE, memberships)
    }
    groups = headline(TRUE, PRED, within=[0, 1] * 50)
    assert len(groups.scores) == 2
    report = scc.clustering_comparison_report(TRUE, PRED, within=[0, 1] * 50)
    known = {one.name: one.macro for one in report.overall if one.macro is not None}
    lines = report.to_dict()["overall"].items()
    assert {name: one["macro"] for name, one in lines if "macro" in one} == known != {}
    proportions = scc.clustering_comparison_report(TRUE, PRED, sample_weight=[0.5] * 100).headline
    for result in (soft, groups, proportions):
        assert result.intervals == {}
        assert (result.pvalue, result.pvalue_method) == (None, None)


def test_large_tables_have_intervals():
    rng = np.random.default_rng(0)
    true = rng.integers(200, size=40_000)
    pred = rng.integers(200, size=40_000)
    result = headline(true, pred)
    low, high = result.intervals["adjusted_rand_score"]
    assert low < 0 < high
    assert 0.01 < result.pvalue < 0.99


# ----------------------------------------------------------------------- where a report comes from


NOISY, FOUND = [0, 0, 1, 1, -1, -1], [0, 0, 0, 1, 1, 1]


def last_paragraph(*labels, **keywords):
    report = scc.clustering_comparison_report(*labels, **keywords)
    return " ".join(report.rpartition("\n\n")[2].split())


def test_version_and_date_are_in_every_form(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(86400 * 365 - 1))
    report = scc.clustering_comparison_report(NOISY, FOUND)
    made = f"Made with sklearn_clustcompare {sklearn_clustcompare.__version__} on 1970-12-31."
    assert made in report
    assert made in report.to_html()
    assert made.replace("_", "\\_") in report.to_markdown()
    data = report.to_dict()["provenance"]
    assert (data["version"], data["date"]) == (sklearn_clustcompare.__version__, "1970-12-31")
    assert json.loads(json.dumps(data)) == data


def test_the_date_of_a_reproducible_build_is_a_number(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "now")
    with pytest.raises(ValueError, match="^SOURCE_DATE_EPOCH must be a number of seconds"):
        scc.clustering_comparison_report(NOISY, FOUND)


def test_the_date_is_that_of_today(monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    before = datetime.datetime.now(datetime.UTC).date().isoformat()
    found = scc.clustering_comparison_report(NOISY, FOUND).provenance.date
    assert before <= found <= datetime.datetime.now(datetime.UTC).date().isoformat()


@pytest.mark.parametrize(
    ("keywords", "text"),
    [
        ({}, "6 objects compared, 100% of those given, not weighted."),
        ({}, "Noise: an ordinary cluster; missing labels: not allowed."),
        ({"noise": "drop"}, "4 objects compared, 66.7% of those given, not weighted."),
        ({"noise": "drop"}, "Noise (-1): left out; missing labels: not allowed."),
        ({"noise": "singletons", "missing": "drop"}, "Noise (-1): a cluster for each object; "),
        ({"missing": "cluster"}, "missing labels: one cluster."),
        (
            {"sample_weight": [1, 2, 1, 2, 1, 2]},
            "9 objects compared, 100% of those given, weighted.",
        ),
        ({"within": [0, 0, 1, 1, 2, 2]}, "in 3 groups, not weighted."),
        ({}, "95 % intervals, for other objects."),
        ({}, "p: mutual information when the objects are permuted, from all tables"),
    ],
)
def test_what_was_done(keywords, text):
    assert text in last_paragraph(NOISY, FOUND, **keywords)


@pytest.mark.slow
def test_intervals_that_leave_out_the_score_or_may_not_hold_are_told():
    rng = np.random.default_rng(0)
    truth = rng.integers(103, size=300)
    found = np.where(rng.random(300) < 0.1, 200 + rng.integers(10, size=300), truth)
    interval = scc.score_interval(truth, found, index="ami")
    assert not interval.interval[0] <= interval.score <= interval.interval[1]
    (text,) = scc.clustering_comparison_report(truth, found).warnings
    assert text.startswith("the interval of adjusted_mutual_info_score leaves out the score")
    assert not scc.clustering_comparison_report(truth % 5, found % 5).warnings
    single = np.arange(40) // np.repeat([1, 4], 20)
    warned = scc.clustering_comparison_report(single, np.arange(40) // 3).warnings
    assert any("adjusted_mutual_info_score may not hold: the sample is" in one for one in warned)
    truth = np.arange(400) // 2 % 150
    found = np.where(np.arange(400) % 5, truth, 200 + np.arange(400))
    both = scc.clustering_comparison_report(truth, found).warnings[-1]
    assert "may not hold and leaves out the score: the sample is too small" in both


def test_a_table_was_counted_before():
    text = last_paragraph(scc.ContingencyTable.from_labels(NOISY, FOUND))
    assert "The table was given" in text
    assert "weighted" not in text


def test_parameters_are_the_defaults_of_the_indices():
    report = scc.clustering_comparison_report(NOISY, FOUND)
    parameters = report.provenance.parameters
    assert set(parameters) == {
        line.name for line in report.overall if scc.get_index(line.name).parameters
    }
    for name, values in parameters.items():
        index = scc.get_index(name)
        assert set(values) == set(index.parameters)
        assert index(report.decomposition.table, **values) == index(report.decomposition.table)
