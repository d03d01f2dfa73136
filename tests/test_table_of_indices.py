"""The script of the page ``user_guide/try_a_table``, run by node."""

import csv
import itertools
import json
import re
import shutil
import subprocess
import warnings
from math import comb

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import chance_adjusted_score
from tests._files import DATA, REPOSITORY

SCRIPT = REPOSITORY / "doc" / "_static" / "table_of_indices.js"
PAGE = REPOSITORY / "doc" / "user_guide" / "try_a_table.rst"
_RUN = """
const {evaluate} = require(process.argv[1]);
const tables = JSON.parse(require("fs").readFileSync(0));
console.log(JSON.stringify(tables.map(evaluate)));
"""
with (DATA / "try_a_table.csv").open(newline="", encoding="utf-8") as file:
    QUOTED = [*csv.reader(file)][1:]
EXACT = (
    "rand_score",
    "pair_precision_score",
    "pair_recall_score",
    "fowlkes_mallows_score",
    "normalized_mutual_info_score",
    "homogeneity_score",
    "completeness_score",
    "bcubed_precision_score",
    "bcubed_recall_score",
)
NONE = [0, 0, 0]
TABLES = {
    "equal partitions": [[5, 0, 0], [0, 4, 0], [0, 0, 9]],
    "renamed": [[0, 5, 0], [0, 0, 4], [9, 0, 0]],
    "equal cells": [[4, 4, 4], [4, 4, 4], [4, 4, 4]],
    "zero row": [[5, 1, 2], NONE, [0, 3, 3]],
    "zero column": [[5, 0, 2], [1, 0, 7], [0, 0, 3]],
    "zero row and column": [[5, 2, 0], [1, 7, 0], NONE],
    "one object": [NONE, [0, 0, 1], NONE],
    "one cluster on both sides": [[9, 0, 0], NONE, NONE],
    "one candidate cluster": [[9, 0, 0], [1, 0, 0], [4, 0, 0]],
    "one reference cluster": [NONE, [9, 1, 4], NONE],
    "singletons on both sides": [[0, 1, 0], [1, 0, 0], [0, 0, 1]],
    "candidate of singletons": [[1, 1, 0], [0, 0, 1], NONE],
    "reference of singletons": [[1, 0, 0], [1, 0, 0], [0, 1, 0]],
    "one cluster of singletons": [[1, 1, 1], NONE, NONE],
    "nearly singletons": [[1, 1, 0], [1, 0, 1], NONE],
    "small clusters": [[9999, 1, 0], [0, 0, 1], [1, 0, 0]],
    "large counts": [[9999, 500, 3], [0, 9000, 9999], [77, 1, 9999]],
    "largest counts": [[9999, 9999, 9999], [9999, 9999, 9998], [9999, 9999, 9999]],
    "as the page begins": [[18, 2, 0], [3, 14, 3], [0, 4, 16]],
}


@pytest.fixture(scope="module")
def results():
    """What the script computes, for each table by its name."""
    if shutil.which("node") is None:
        pytest.skip("needs node")
    random = np.random.default_rng(0).integers(0, 7, (20, 3, 3)).tolist()
    tables = TABLES | {f"random {number}": counts for number, counts in enumerate(random)}
    for link, cells in re.findall(r"`([^`<]+) <\?table=([\d,]+)>`__", PAGE.read_text("utf-8")):
        tables[link] = np.reshape([int(cell) for cell in cells.split(",")], (3, 3)).tolist()
    found = subprocess.run(
        ["node", "-e", _RUN, str(SCRIPT)],
        input=json.dumps([*tables.values()]),
        text=True,
        capture_output=True,
        check=True,
    )
    pairs = zip(tables.values(), json.loads(found.stdout), strict=True)
    return dict(zip(tables, pairs, strict=True))


def _of_package(counts, index):
    """Return the adjusted score and the beginnings of the warnings."""
    labels = np.repeat(np.arange(9), np.ravel(counts))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UndefinedMetricWarning)
        score = chance_adjusted_score(
            labels // 3, labels % 3, index=index, n_resamples=9, random_state=0
        )
    return score, {str(one.message).split(" is undefined")[0] for one in caught}


@pytest.mark.parametrize("name", EXACT)
def test_values_means_and_adjusted_values_are_those_of_the_package(results, name):
    for counts, found in results.values():
        score, warned = _of_package(counts, name)
        assert score.method == "exact"
        one = found[name]
        assert one["index"]["value"] == pytest.approx(score.unadjusted, abs=1e-12)
        assert one["expected"] == pytest.approx(score.expected, abs=1e-12)
        assert one["adjusted"]["value"] == pytest.approx(float(score), abs=1e-9)
        assert one["index"]["isDefined"] == (name not in warned)
        assert one["adjusted"]["isDefined"] == (f"chance-adjusted {name}" not in warned)


def _mean_purity(counts):
    """Add up all columns that can be drawn from the rows."""
    rows, cols = np.sum(counts, axis=1).tolist(), np.sum(counts, axis=0).tolist()
    n_objects = sum(rows)
    total = 0.0
    for size in cols:
        drawn = itertools.product(*(range(min(row, size) + 1) for row in rows))
        for column in drawn:
            if sum(column) == size:
                ways = (
                    comb(rows[0], column[0]) * comb(rows[1], column[1]) * comb(rows[2], column[2])
                )
                total += max(column) * ways / comb(n_objects, size)
    return total / n_objects


def test_purity_has_the_mean_of_all_tables(results):
    seen = 0
    for counts, found in results.values():
        one = found["purity_score"]
        if np.sum(counts) < 100:
            assert one["expected"] == pytest.approx(_mean_purity(counts), abs=1e-12)
            seen += 1
        score, warned = _of_package(counts, "purity_score")
        assert one["index"]["value"] == pytest.approx(score.unadjusted, abs=1e-12)
        assert one["adjusted"]["isDefined"] == ("chance-adjusted purity_score" not in warned)
        if one["adjusted"]["isDefined"]:
            expected = one["expected"]
            adjusted = (score.unadjusted - expected) / (1 - expected) if expected < 1 else 1.0
            assert one["adjusted"]["value"] == pytest.approx(adjusted, abs=1e-12)
    assert seen > 30


def test_every_index_of_the_page_has_a_formula(results):
    _, found = results["as the page begins"]
    page = PAGE.read_text("utf-8")
    listed = re.findall(r"^ +\* - :func:`.+ <sklearn_clustcompare\.(\w+)>`$", page, re.MULTILINE)
    assert listed == [*found]
    assert len(listed) == 10


@pytest.mark.parametrize(("link", "index", "part", "quoted"), QUOTED)
def test_the_page_quotes_what_it_shows(results, link, index, part, quoted):
    found = results[link][1][index][part]
    assert f"{found['value'] if part != 'expected' else found:.3f}" == quoted
    assert quoted.rstrip("0").rstrip(".") in PAGE.read_text("utf-8")


def test_adjusted_values_of_the_page_without_a_relation_are_not_positive(results):
    for link in ("Labels without a relation", "A single cluster"):
        adjusted = [one["adjusted"]["value"] for one in results[link][1].values()]
        assert max(adjusted) <= 0
