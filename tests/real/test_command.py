"""The command, in a process of its own, on files as pandas and R write them."""

import csv
import io
import json
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

from tests._examples import slow
from tests._files import REPOSITORY
from tests._inputs import import_or_skip
from tests.real._inputs import moved, shipped, zipf_labels

pytestmark = [pytest.mark.processes, pytest.mark.slow]


@pytest.fixture
def command(tmp_path):
    def run(*arguments, status=0, stdin=None):
        done = subprocess.run(
            [sys.executable, "-m", "sklearn_clustcompare", *map(str, arguments)],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(REPOSITORY), "OMP_NUM_THREADS": "1"},
            input=stdin,
            text=True,
            capture_output=True,
            check=False,
        )
        assert done.returncode == status, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout, done.stderr

    return run


@pytest.fixture(scope="module")
def table():
    """A frame of barcodes, types and three runs, with clusters of unequal sizes."""
    y = zipf_labels(1_200, 60)
    runs = {f"run{k}": moved(y, share, seed=k) for k, share in enumerate((0.1, 0.4, 0.8))}
    names = [f"CELL{k:05}-1" for k in range(len(y))]
    types = [f"type {label}, {'T' if label % 2 else 'B'} cell" for label in y]
    return pd.DataFrame({"type": types, **runs}, index=names)


def as_r(frame, sep, header="short"):
    """Write a frame as write.csv (with a header for the names of rows) or write.table do."""
    text = io.StringIO()
    names = ([""] if header == "full" else []) + list(frame.columns)
    text.write(sep.join(f'"{name}"' for name in names) + "\n")
    for name, row in zip(frame.index, frame.itertuples(index=False), strict=True):
        cells = [f'"{one}"' if isinstance(one, str) else str(one) for one in (name, *row)]
        text.write(sep.join(cells) + "\n")
    return text.getvalue()


def write(folder, frame, form):
    """Write a file, and return its name and the options to read it."""
    if form == "pandas":
        frame.to_csv(folder / "cells.csv")
        return "cells.csv", []
    if form == "parquet":
        import_or_skip("pyarrow")
        frame.to_parquet(folder / "cells.parquet")
        return "cells.parquet", []
    if form == "pandas, compressed":
        frame.to_csv(folder / "cells.csv.gz")
        return "cells.csv.gz", []
    if form == "pandas, tabs":
        frame.to_csv(folder / "cells.tsv", sep="\t")
        return "cells.tsv", []
    sep, header, name = {
        "write.csv": (",", "full", "cells.csv"),
        "write.csv2": (";", "full", "cells.csv"),
        "write.table": (" ", "short", "cells.txt"),
        "write.table, tabs": ("\t", "short", "cells.tsv"),
    }[form]
    (folder / name).write_text(as_r(frame, sep, header), encoding="utf-8")
    return name, [] if sep in ",\t" else ["--delimiter", sep]


FORMS = [
    "pandas",
    "pandas, compressed",
    "pandas, tabs",
    "parquet",
    "write.csv",
    "write.csv2",
    "write.table",
    "write.table, tabs",
]


@pytest.mark.parametrize("form", FORMS)
def test_rank_and_compare_have_the_values_of_scikit_learn(command, table, tmp_path, form):
    file, options = write(tmp_path, table, form)
    out, err = command("rank", file, "--reference", "type", "--json", *options)
    assert err == ""
    found = {row["candidate"]: row["adjusted_rand_score"] for row in json.loads(out)["candidates"]}
    expected = {
        name: metrics.adjusted_rand_score(table["type"], table[name])
        for name in ("run0", "run1", "run2")
    }
    assert found == pytest.approx(expected, rel=1e-12)
    arguments = ["--true", "type", "--pred", "run1", "--index", "ari,ami,nmi", "--json", *options]
    out, err = command("compare", file, *arguments)
    scores = json.loads(out)["scores"]
    for name, value in scores.items():
        assert value == pytest.approx(getattr(metrics, name)(table["type"], table["run1"]))


@pytest.mark.parametrize("form", ["pandas", slow("parquet"), "write.table"])
def test_rows_of_two_files_are_matched_by_the_index(command, table, tmp_path, form):
    first, options = write(tmp_path, table[["type"]], form)
    shuffled = table[["run0"]].sample(frac=0.9, random_state=0)
    (tmp_path / "found").mkdir()
    second, _ = write(tmp_path / "found", shuffled, form)
    arguments = ["--true", "type", "--pred", "run0", "--id", "index", "--index", "ari", "--json"]
    out, err = command("compare", first, f"found/{second}", *arguments, *options)
    result = json.loads(out)
    assert result["n_samples"] == len(shuffled) == 1_080
    common = table.loc[shuffled.index]
    assert result["scores"]["adjusted_rand_score"] == pytest.approx(
        metrics.adjusted_rand_score(common["type"], common["run0"]), rel=1e-12
    )
    assert "1080 of 1200 objects are in both files" in err


def test_a_report_a_limit_and_a_pipe(command, table, tmp_path):
    file, _ = write(tmp_path, table, "pandas")
    columns = ["--true", "type", "--pred", "run0"]
    command("compare", file, *columns, "--report", "html", "--output", "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.count("<tr") > 40
    assert "type 7, T cell" in page
    ari = metrics.adjusted_rand_score(table["type"], table["run0"])
    command("compare", file, *columns, "--fail-under", f"ari={ari - 1e-6:.12f}")
    _, err = command("compare", file, *columns, "--fail-under", f"ari={ari + 1e-6:.12f}", status=1)
    assert "failed: adjusted_rand_score" in err
    text = (tmp_path / file).read_text(encoding="utf-8")
    by_pipe = command("compare", "-", *columns, "--json", stdin=text)
    assert by_pipe == command("compare", file, *columns, "--json")


def test_select_reads_the_features_that_pandas_wrote(command, tmp_path):
    X, y = shipped("wine")
    frame = pd.DataFrame(X, columns=[f"x{k}" for k in range(X.shape[1])])
    frame.assign(label=y).to_csv(tmp_path / "wine.csv")
    out, err = command("select", "wine.csv", "-k", "2:4", "--estimator", "agglomerative", "--json")
    result = json.loads(out)
    assert (result["n_samples"], result["n_features"], result["n_classes"]) == (178, 13, 3)
    assert (result["best"]["k"], err) == (3, "")


def test_a_nightly_job_on_the_default_file_of_pandas(command, table, tmp_path):
    accepted, worse = table[["type", "run0"]], table[["type"]].assign(run0=table["run2"])
    options = ["--true", "type", "--pred", "run0", "--id", "index", "--baseline", "nights.json"]
    write(tmp_path, accepted, "pandas")
    command("compare", "cells.csv", *options, "--update")
    command("compare", "cells.csv", *options)
    write(tmp_path, worse.sample(frac=1, random_state=1), "pandas")
    _, err = command("compare", "cells.csv", *options, status=1)
    assert "is worse than accepted" in err


def test_labels_of_a_vector_that_r_wrote_are_no_singletons(command, table, tmp_path):
    labels = table["run0"].tolist()
    lines = [f'"{k}" {label}' for k, label in enumerate(labels, 1)]
    (tmp_path / "run0.txt").write_text("\n".join(['"x"', *lines]), encoding="utf-8")
    (tmp_path / "types.txt").write_text("\n".join(table["type"]), encoding="utf-8")
    _, err = command("compare", "types.txt", "run0.txt", status=2)
    assert "run0.txt, line 2: must be one label" in err
    out, _ = command(
        *("compare", "types.txt", "run0.txt", "--pred", "x", "--delimiter", " "),
        *("--index", "ari", "--json"),
    )
    expected = metrics.adjusted_rand_score(table["type"], labels)
    assert json.loads(out)["scores"]["adjusted_rand_score"] == pytest.approx(expected, rel=1e-12)


def test_a_ranking_goes_back_into_pandas(command, table, tmp_path):
    file, _ = write(tmp_path, table, "pandas")
    command("rank", file, "--reference", "type", "--output", "ranking.csv")
    frame = pd.read_csv(tmp_path / "ranking.csv")
    assert frame["candidate"].tolist() == ["run0", "run1", "run2"]
    with open(tmp_path / "ranking.csv", newline="", encoding="utf-8") as stream:
        values = [float(row["adjusted_rand_score"]) for row in csv.DictReader(stream)]
    assert values == sorted(values, reverse=True)
    assert np.all(np.isfinite(values))
