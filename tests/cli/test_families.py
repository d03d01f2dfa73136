"""``--family``: the indices in common use in a field."""

import pytest

from sklearn_clustcompare import list_indices
from sklearn_clustcompare.cli._arguments import FAMILIES
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
