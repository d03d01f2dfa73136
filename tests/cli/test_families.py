"""``--family``: the indices in common use in a field."""

import json

import pytest

from sklearn_clustcompare import list_indices
from sklearn_clustcompare.cli._parser import FAMILIES
from sklearn_clustcompare.indices import INDICES, INTERNAL_INDICES


@pytest.fixture
def two_files(write):
    return [write("true.txt", "a\na\nb\nb\nb\n"), write("pred.txt", "1\n1\n1\n2\n2\n")]


def test_families_are_those_of_the_registry():
    indices = [*INDICES.values(), *INTERNAL_INDICES.values()]
    assert sorted({family for index in indices for family in index.families}) == list(FAMILIES)


@pytest.mark.parametrize("family", FAMILIES)
def test_compare_takes_the_indices_of_a_field(run_json, two_files, family):
    scores = run_json("compare", *two_files, "--family", family)["scores"]
    assert list(scores) == list_indices(families=family)
    assert [row["name"] for row in run_json("indices", "--family", family)] == list(scores)


def test_families_and_indices_add_up(run_json, two_files):
    options = ["--index", "vi", "--family", "tracking"]
    scores = run_json("compare", *two_files, *options)["scores"]
    assert list(scores) == ["variation_of_information_distance", *list_indices(families="tracking")]


def test_other_fields_are_refused(refuse):
    assert "did you mean 'network'" in refuse("compare", "a", "b", "--family", "networks")
    assert "--family" in refuse("indices", "--family", "x")


@pytest.fixture
def people(write):
    return write("people.csv", "key,person,found\na,ann,1\nb,ann,1\nc,bob,1\nd,bob,2\ne,eve,3\n")


@pytest.mark.parametrize("form", ["text", "json", "html", "markdown"])
def test_a_report_of_entities_names_records(run, people, form):
    columns = ["--true", "person", "--pred", "found", "--family", "entity", "--report", form]
    status, out, err = run("compare", people, *columns)
    assert (status, err) == (0, "")
    assert "B-cubed precision" in out
    assert "line 4" in out
    with_ids = run("compare", people, *columns, "--id", "key")[1]
    assert "line 4" not in with_ids
    if form == "json":
        (merge,) = json.loads(with_ids)["merges"]
        assert merge["parts"] == ["ann", "bob"]
        assert merge["part_ids"] == [["a", "b"], ["c"]]
    else:
        assert "ann: a, b; bob: c" in with_ids


@pytest.mark.parametrize("family", [(), ("--family", "entity")])
def test_objects_of_one_file_lower_the_coverage(run, write, family):
    first = write("true.csv", "key,person\na,ann\nb,ann\nc,bob\nd,bob\ne,eve\n")
    second = write("pred.csv", "key,found\nb,1\nc,2\nd,2\nf,3\n")
    columns = ["--true", "person", "--pred", "found", "--id", "key", *family]
    status, out, _ = run("compare", first, second, *columns, "--report", "json")
    assert status == 0
    report = json.loads(out)
    assert (report["n_samples"], report["coverage"]) == (3, 0.5)


@pytest.mark.slow
def test_thresholds_and_pictures_go_with_a_report_of_a_family(run, people, tmp_path):
    columns = ["--true", "person", "--pred", "found", "--family", "entity", "--report", "text"]
    limit = ["--fail-under", "bcubed_f_score=0.95"]
    picture = tmp_path / "table.svg"
    status, _, err = run("compare", people, *columns, *limit, "--picture", str(picture))
    assert status == 1
    assert err == "clustcompare: failed: bcubed_f_score is 0.7652, below 0.95\n"
    assert picture.stat().st_size
