"""The pages of the documentation, apart from their doctests."""

import ast
import csv
import importlib
import itertools
import re
import shlex
import textwrap
import warnings

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.model_selection import GridSearchCV

import sklearn_clustcompare
from sklearn_clustcompare import ContingencyTable, get_index
from sklearn_clustcompare.cli import main
from sklearn_clustcompare.plot._display import CYCLE
from tests._docstrings import public_objects
from tests._examples import in_processes, slow
from tests._files import REPOSITORY, write_cells

DOC = REPOSITORY / "doc"
PAGES = {
    page.relative_to(DOC).as_posix(): page.read_text("utf-8")
    for folder in (DOC, DOC / "user_guide", DOC / "user_guide" / "fields", DOC / "papers")
    for page in sorted(folder.glob("*.rst"))
}


def _blocks(language):
    pattern = rf"\.\. code-block:: {language}\n\n((?:(?:   .*)?\n)+)"
    return [
        (name, textwrap.dedent(block).strip())
        for name, text in PAGES.items()
        for block in re.findall(pattern, text)
    ]


# The commands of a block run one after the other in the same folder.
COMMANDS = [
    pytest.param(name, lines, marks=[pytest.mark.slow] if "--no-label" in block else [])
    for name, block in _blocks("bash")
    if (lines := re.findall(r"^clustcompare .*", block.replace("\\\n", ""), re.MULTILINE))
]


def test_the_commands_were_found():
    lines = [line for one in COMMANDS for line in one.values[1]]
    assert {shlex.split(line)[1] for line in lines} >= {"compare", "select", "indices"}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "lines"), COMMANDS)
def test_commands_succeed(name, lines, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_cells(tmp_path)
    records = [f"{i},{i % 15},{i % 15}" for i in range(90)]
    (tmp_path / "LABELS.csv").write_text("\n".join(["record,person,cluster", *records, ""]))
    for line in lines:
        assert main(shlex.split(line)[1:]) == 0
        assert any(capsys.readouterr()) or list(tmp_path.glob("report.*"))


@pytest.mark.parametrize(("name", "block"), _blocks("python"))
def test_block_that_needs_a_cluster_of_machines_is_python(name, block):
    ast.parse(block)


def test_every_public_object_is_in_the_api_reference():
    listed = set(re.findall(r"^   (?:\w+\.)?(\w+)$", PAGES["api.rst"], flags=re.MULTILINE))
    assert {name.split(".")[-1] for name in public_objects()} <= listed


def test_every_name_stands_in_a_chapter_an_example_or_a_tutorial():
    folders = "user_guide", "examples", "tutorials"
    pages = [page for folder in folders for page in (DOC / folder).rglob("*.*")]
    texts = [page.read_text("utf-8") for page in pages if page.suffix in (".rst", ".py")]
    used = set(re.findall(r"\w+", "\n".join(texts)))
    names = [name for name in public_objects() if not name.startswith("results.")]
    assert len(names) > 150
    assert {name.split(".")[-1] for name in names} - used == set()


def test_the_gallery_has_the_colors_of_the_package(monkeypatch):
    pytest.importorskip("sphinx_gallery")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    monkeypatch.syspath_prepend(DOC / "_ext")
    with pyplot.rc_context(), warnings.catch_warnings():
        importlib.import_module("gallery_style").reset_pictures(None, None)
        assert pyplot.rcParams["axes.prop_cycle"].by_key()["color"] == list(CYCLE)


def test_rows_of_a_table_have_equally_many_cells():
    """Where a line ends between two cells, the rest would be a row of its own."""
    tables = [
        (name, options, list(csv.reader(rows.splitlines(), skipinitialspace=True)))
        for name, text in PAGES.items()
        for options, rows in re.findall(
            r"^\.\. csv-table::.*\n((?:   :.*\n)*)\n((?:   .*\n)+)", text, flags=re.MULTILINE
        )
    ]
    assert len(tables) > 20
    for name, options, rows in tables:
        rows += csv.reader(re.findall(":header: (.*)", options), skipinitialspace=True)
        assert len({len(row) for row in rows}) == 1, (name, rows)


# --------------------------------------------------------------------------- tasks

_CALLS = re.findall(r"``((?:[^`]|\n)+)``\"$", PAGES["user_guide/tasks.rst"], flags=re.MULTILINE)
_SLOW_CALLS = (
    *("choose_n_clusters", "NClustersSearch", "structure_test", "cluster_significance"),
    *("cluster_stability", "clustcompare select"),
)


def _marked(call):
    if call.startswith("check_clusterer"):
        return in_processes(call)
    return slow(call) if call.startswith(_SLOW_CALLS) else call


@pytest.fixture(scope="module")
def meant():
    """What the names in the calls of the page stand for."""
    X, y = make_blobs([30, 30, 30], random_state=0)
    found, other = np.where(np.arange(90) % 8, y, 0), np.where(np.arange(90) % 7, y, 1)
    names = *sklearn_clustcompare.__all__, "significance", "hierarchies", "plot"
    return {name: getattr(sklearn_clustcompare, name) for name in names} | {
        **{"X": X, "y": y, "found": found, "other": other, "U": np.eye(3)[found] * 0.7 + 0.1},
        "candidates": {"found": found, "other": other},
        "km": KMeans(n_clusters=3, n_init=1, random_state=0),
        "GridSearchCV": GridSearchCV,
        "grid": {"n_clusters": [2, 3]},
        "cells": {"type": y, "kmeans": found},
        "teams": [{0, 1, 2}, {2, 3}],
        "groups": [{0, 1}, {2, 3}],
        "ward": linkage(X, "ward"),
        "single": linkage(X, "single"),
    }


def test_the_calls_of_all_tasks_were_found():
    rows = re.findall(r'^   ".+", "``', PAGES["user_guide/tasks.rst"], flags=re.MULTILINE)
    assert len(_CALLS) == len(rows) > 30


@pytest.mark.slow
@pytest.mark.parametrize("call", [_marked(call) for call in _CALLS])
def test_the_call_for_a_task_runs(call, meant, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_cells(tmp_path)
    call = " ".join(call.replace('""', '"').split())
    if call.startswith("clustcompare"):
        assert main(shlex.split(call)[1:]) == 0
    else:
        eval(call, meant)


# --------------------------------------------------------------------------- disagreements


@pytest.fixture
def disagreements(monkeypatch):
    """The search of the page, which runs when the site is built."""
    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(DOC / "_ext")
    return importlib.import_module("disagreements")


def _compared():
    page = PAGES["user_guide/disagreements.rst"]
    (block,) = re.findall(r"\.\. index-disagreements::\n\n((?:   .+\n)+)", page)
    return block.split()


def _is_closer(name, reference, candidate, other):
    index = get_index(name)
    values = [index(ContingencyTable.from_labels(reference, one)) for one in (candidate, other)]
    return values[0] > values[1] if index.greater_is_better else values[0] < values[1]


@pytest.mark.slow
def test_indices_disagree_on_the_examples_of_the_page(disagreements):
    assert len(_compared()) == 12
    for first, second in itertools.combinations(_compared(), 2):
        example = disagreements.smallest_disagreement(first, second)
        assert _is_closer(first, *example)
        assert _is_closer(second, example[0], example[2], example[1])
        assert len(example[0]) <= 6


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("adjusted_rand_score", "normalized_mutual_info_score"),
        ("rand_score", "adjusted_rand_score"),
        ("purity_score", "normalized_mutual_info_score"),
    ],
)
def test_no_fewer_objects_show_it(disagreements, first, second):
    example = disagreements.smallest_disagreement(first, second)
    for n_objects in range(3, min(len(example[0]), 5)):
        labelings = [
            labels
            for labels in itertools.product(range(n_objects), repeat=n_objects)
            if 1 < len(set(labels)) < n_objects
        ]
        indices = [get_index(name) for name in (first, second)]
        for reference in labelings[:: max(len(labelings) // 9, 1)]:
            values = {}
            for candidate in labelings:
                table = ContingencyTable.from_labels(reference, candidate)
                values[round(indices[0](table), 12), round(indices[1](table), 12)] = candidate
            for one, other in itertools.combinations(values, 2):
                assert (one[0] - other[0]) * (one[1] - other[1]) >= 0


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("mirkin_distance", "rand_score"),
        ("pair_f_score", "pair_jaccard_score"),
        ("matching_accuracy_score", "misclassification_distance"),
    ],
)
def test_indices_that_order_all_candidates_alike(disagreements, first, second):
    assert f"``{first}`` and ``{second}``" in PAGES["user_guide/disagreements.rst"]
    assert disagreements.smallest_disagreement(first, second) is None
