"""Where a report comes from."""

import datetime
import json

import pytest

import sklearn_clustcompare
from sklearn_clustcompare import ContingencyTable, clustering_comparison_report, get_index

TRUE, PRED = [0, 0, 1, 1, -1, -1], [0, 0, 0, 1, 1, 1]
DAY = datetime.date(2026, 3, 1)


def last_paragraph(*labels, **keywords):
    report = clustering_comparison_report(*labels, date=DAY, **keywords)
    return " ".join(report.rpartition("\n\n")[2].split())


def test_version_and_date_are_in_every_form():
    report = clustering_comparison_report(TRUE, PRED, date=DAY)
    made = f"Made with sklearn_clustcompare {sklearn_clustcompare.__version__} on 2026-03-01."
    assert made in report
    assert made in report.to_html()
    assert made.replace("_", "\\_") in report.to_markdown()
    data = report.to_dict()["provenance"]
    assert (data["version"], data["date"]) == (sklearn_clustcompare.__version__, "2026-03-01")
    assert json.loads(json.dumps(data)) == data


def test_the_date_of_a_reproducible_build(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(86400 * 365 - 1))
    assert clustering_comparison_report(TRUE, PRED).provenance.date == "1970-12-31"
    given = clustering_comparison_report(TRUE, PRED, date=datetime.datetime(2020, 1, 2, 23))
    assert given.provenance.date == "2020-01-02"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "now")
    with pytest.raises(ValueError, match="^SOURCE_DATE_EPOCH must be a number of seconds"):
        clustering_comparison_report(TRUE, PRED)


def test_the_date_is_that_of_today(monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    before = datetime.datetime.now(datetime.UTC).date().isoformat()
    found = clustering_comparison_report(TRUE, PRED).provenance.date
    assert before <= found <= datetime.datetime.now(datetime.UTC).date().isoformat()


def test_bad_dates():
    with pytest.raises(TypeError, match="^date must be a datetime.date or None, got '2026'"):
        clustering_comparison_report(TRUE, PRED, date="2026")


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
    assert text in last_paragraph(TRUE, PRED, **keywords)


def test_a_table_was_counted_before():
    text = last_paragraph(ContingencyTable.from_labels(TRUE, PRED))
    assert "The table was given" in text
    assert "weighted" not in text


def test_parameters_are_the_defaults_of_the_indices():
    report = clustering_comparison_report(TRUE, PRED)
    parameters = report.provenance.parameters
    assert set(parameters) == {
        line.name for line in report.overall if get_index(line.name).parameters
    }
    for name, values in parameters.items():
        index = get_index(name)
        assert set(values) == set(index.parameters)
        assert index(report.decomposition.table, **values) == index(report.decomposition.table)
