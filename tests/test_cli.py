"""The command, from its arguments to what it prints, writes and returns."""

import csv
import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

import sklearn_clustcompare
from sklearn_clustcompare import cli
from sklearn_clustcompare.indices import INDICES

REPOSITORY = Path(__file__).parents[1]
SHARED_DATA = REPOSITORY.parent / "shared" / "data"

needs_shared_data = pytest.mark.skipif(
    not SHARED_DATA.is_dir(), reason="needs the folder shared/data beside the repository"
)

FIVE_CANDIDATES = """\
truth,same,renamed,near,far
a,a,2,x,1
a,a,2,x,2
b,b,1,y,1
b,b,1,y,2
b,b,1,x,1
c,c,3,z,2
"""


@pytest.fixture
def write(tmp_path):
    def write_file(name, text):
        path = tmp_path / name
        data = text if isinstance(text, bytes) else text.encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return str(path)

    return write_file


@pytest.fixture
def run(capsys):
    """Run the command in this process: exit status, standard output, standard error."""

    def run_main(*arguments):
        status = cli.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run_main


@pytest.fixture
def run_json(run):
    def run_main(*arguments):
        status, out, err = run(*arguments, "--json")
        assert (status, err) == (0, "")
        return json.loads(out, parse_constant=pytest.fail)

    return run_main


@pytest.fixture
def refuse(run):
    """Run the command on bad input and return its one line of complaint."""

    def run_main(*arguments):
        status, out, err = run(*arguments)
        assert (status, out) == (2, "")
        assert err.startswith("clustcompare: error: ")
        assert err.count("\n") == 1
        return err

    return run_main


def run_process(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "sklearn_clustcompare", *map(str, arguments)],
        cwd=REPOSITORY,
        text=True,
        capture_output=True,
        check=False,
        **options,
    )


# --------------------------------------------------------------------------- select


def test_select_finds_three_species_of_iris_with_a_gaussian_mixture(run):
    status, out, err = run("select", "iris", "-k", "2:6", "--estimator", "gaussian-mixture")
    assert (status, err) == (0, "")
    assert out.startswith("iris: 150 objects, 4 features, 3 classes\n")
    (winner,) = [line for line in out.splitlines() if re.match(r"\*\s+1 ", line)]
    assert winner.split() == ["*", "1", "gaussian-mixture", "3", "0.903874"]
    assert "* best: gaussian-mixture, k = 3, adjusted_rand_score 0.903874" in out
    assert "equally good" not in out


def test_select_scores_are_those_of_the_estimators_themselves(run_json):
    names = ["adjusted_rand_score", "variation_of_information_distance"]
    result = run_json("select", "iris", "-k", "2:6", "--index", *names, "--scale")
    X, y = load_iris(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    assert [row["k"] for row in result["candidates"]] == [2, 3, 4, 5, 6]
    for row in result["candidates"]:
        labels = KMeans(row["k"], random_state=0).fit_predict(X)
        assert row["adjusted_rand_score"] == pytest.approx(adjusted_rand_score(y, labels))
    assert result["best"] == max(result["candidates"], key=lambda row: row[names[0]])
    assert result["index"] == names[0]
    assert result["n_samples"] == 150
    assert result["n_features"] == 4
    assert result["n_classes"] == 3


def test_select_shows_distances_as_distances_and_takes_the_smallest(run_json):
    name = "variation_of_information_distance"
    result = run_json("select", "iris", "-k", "2:5", "--index", name, "adjusted_rand_score")
    values = [row[name] for row in result["candidates"]]
    assert min(values) > 0
    assert result["best"][name] == min(values)
    assert [row["rank"] for row in result["candidates"]] == list(np.argsort(np.argsort(values)) + 1)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", cli._ESTIMATORS)
def test_select_runs_every_estimator(name, run):
    status, out, _ = run("select", "iris", "-k", "2:3", "--estimator", name, "--scale")
    assert status == 0
    assert len(re.findall(rf"^.\s+\d  {name} +[23] +0\.\d{{6}}$", out, re.MULTILINE)) == 2


def test_select_compares_estimators_given_apart_or_together(run_json):
    apart = run_json(
        "select", "iris", "-k", "3", "--estimator", "agglomerative", "--estimator", "birch"
    )
    together = run_json("select", "iris", "-k", "3", "--estimator", "agglomerative", "birch")
    assert apart == together
    assert [row["estimator"] for row in apart["candidates"]] == ["agglomerative", "birch"]
    X, y = load_iris(return_X_y=True)
    expected = adjusted_rand_score(y, AgglomerativeClustering(3).fit_predict(X))
    assert apart["candidates"][0]["adjusted_rand_score"] == pytest.approx(expected)


def test_select_tells_ties(run, run_json):
    # Both split off setosa, so that their partitions are equal.
    arguments = ["select", "iris", "-k", "2:2", "--estimator", "agglomerative", "gaussian-mixture"]
    result = run_json(*arguments)
    assert [row["rank"] for row in result["candidates"]] == [1, 1]
    assert result["best"]["estimator"] == "agglomerative"
    assert [row["estimator"] for row in result["ties"]] == ["gaussian-mixture"]
    _, out, _ = run(*arguments)
    assert out.endswith("equally good: gaussian-mixture, k = 2\n")
    assert out.count("\n*") == 2


def test_select_reads_a_csv_whose_labels_are_in_the_last_column(run_json, write):
    X, y = load_iris(return_X_y=True)
    rows = [[*map(repr, x.tolist()), f"species {label}"] for x, label in zip(X, y, strict=True)]
    text = "\n".join(map(",".join, [["a", "b", "c", "d", "species"], *rows])) + "\n"
    from_csv = run_json("select", write("flowers.csv.gz", text), "-k", "2:4")
    toy = run_json("select", "iris", "-k", "2:4")
    assert from_csv["candidates"] == toy["candidates"]


def test_select_takes_the_label_column_by_name(run_json, write):
    path = write("points.csv", "kind,x,y\nu,0,0\nu,0,1\nv,9,9\nv,9,8\n")
    result = run_json("select", path, "--label", "kind", "-k", "2")
    assert result["best"]["adjusted_rand_score"] == 1.0
    assert result["n_features"] == 2


def test_select_writes_all_candidates_to_a_csv(run_json, tmp_path):
    output = tmp_path / "candidates.csv"
    names = ["adjusted_mutual_info_score", "mirkin_distance"]
    result = run_json("select", "iris", "-k", "2:4", "--index", *names, "--output", output)
    with output.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == ["rank", "estimator", "k", *names]
    for row, candidate in zip(rows, result["candidates"], strict=True):
        assert (int(row["rank"]), int(row["k"])) == (candidate["rank"], candidate["k"])
        assert [float(row[name]) for name in names] == [candidate[name] for name in names]


def test_select_is_the_same_in_two_processes(run_json):
    arguments = ["select", "iris", "-k", "2:4", "--estimator", "kmeans", "gaussian-mixture"]
    assert run_json(*arguments, "--n-jobs", "2") == run_json(*arguments)


def test_select_random_state_reaches_the_estimator(run_json):
    (row,) = run_json(
        *["select", "iris", "-k", "5", "--estimator", "gaussian-mixture", "--random-state", "7"]
    )["candidates"]
    X, y = load_iris(return_X_y=True)
    expected = adjusted_rand_score(y, GaussianMixture(5, random_state=7).fit(X).predict(X))
    assert row["adjusted_rand_score"] == pytest.approx(expected)


def test_select_verbose_tells_each_candidate_on_stderr(run):
    _, out, err = run("select", "iris", "-k", "2:3", "--estimator", "kmeans", "birch", "--verbose")
    assert err.splitlines() == [
        "clustcompare: candidate 1 of 4 done: kmeans, k = 2",
        "clustcompare: candidate 2 of 4 done: kmeans, k = 3",
        "clustcompare: candidate 3 of 4 done: birch, k = 2",
        "clustcompare: candidate 4 of 4 done: birch, k = 3",
    ]
    assert "candidate" not in out


@pytest.mark.parametrize(("seconds", "n_lines"), [(0.0, 2), (1000.0, 0)])
def test_select_tells_progress_of_long_runs_on_a_terminal(run, monkeypatch, seconds, n_lines):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(cli, "_SECONDS_OF_SILENCE", seconds)
    _, _, err = run("select", "iris", "-k", "2:3")
    assert err.count("candidate") == n_lines


def test_select_refuses_an_unknown_data_set(refuse):
    err = refuse("select", "iriss")
    assert "must be a CSV file or one of 'iris', 'wine'" in err
    assert "did you mean 'iris'?" in err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["iris", "-k", "6:2"], "argument -k: must be LOW:HIGH or one number"),
        (["iris", "-k", "0:2"], "argument -k: must be LOW:HIGH or one number"),
        (["iris", "-k", "2:x"], "got '2:x'"),
        (["iris", "-k", "2:151"], "-k must not exceed the number of objects, 150, got 151"),
        (["iris", "--estimator", "kmean"], "did you mean 'kmeans'"),
        (["iris", "--index", "ajusted_rand_score"], "did you mean 'adjusted_rand_score'"),
        (["iris", "--label", "species"], "but iris is a toy set"),
        (["iris", "--random-state", "-1"], "random_state"),
        (["iris", "--n-jobs", "0"], "n_jobs"),
        (["iris", "--output", "no/such/folder/x.csv"], "a folder that exists"),
        (["iris", "--output", "."], "a folder that exists"),
        ([], "required: DATA"),
    ],
)
def test_select_refuses_bad_arguments(refuse, arguments, complaint):
    assert complaint in refuse("select", *arguments)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "must have a header and rows, got an empty file"),
        ("\n\n", "must have a header and rows, got an empty file"),
        ("x,label\n", "must have rows below its header, got none"),
        ("x,label\n1,a\n2,b,c\n3,c\n", "line 3: expected 2 fields as in the header, found 3"),
        ("x,label\n1,a\n\n3,c\n", "line 3: expected 2 fields as in the header, found 0"),
        ("x,label\n1,a\n2\n", "line 3: expected 2 fields as in the header, found 1"),
        ("x,x,label\n1,1,a\n", "line 1: column names must differ, got 'x' as columns 1 and 2"),
        (",x,label\n0,1,a\n", "line 1: every column must have a name, column 1 has none"),
        ("\nx,label\n0,a\n", "line 1: every column must have a name, column 1 has none"),
        ("x,label\n1,a\n2,\n", "line 3, column 'label': a label must not be missing, got ''"),
        ("x,label\n1,a\n2,nan\n", "line 3, column 'label': a label must not be missing, got 'nan'"),
        ("x,label\n1,a\ntwo,b\n", "line 3, column 'x': a feature must be a finite number"),
        ("x,label\n1,a\n,b\n", "line 3, column 'x': a feature must be a finite number, got ''"),
        ("x,label\n1,a\nnan,b\n", "column 'x': a feature must be a finite number, got 'nan'"),
        ("x,label\n1,a\n-inf,b\n", "column 'x': a feature must be a finite number, got '-inf'"),
        ("x,label\n1,a\n1_0,b\n", "column 'x': a feature must be a finite number, got '1_0'"),
        ('x,label\n1,"a\nb"\n?,b\n', "line 4, column 'x'"),
        ('x,label\n1,a\n2,"b\n3,c\n', "line 3: not a row of a CSV file"),
        ('x,label\n1,a\n2,"b"b\n', "line 3: not a row of a CSV file"),
        ("label\na\nb\n", "must have columns of features beside the labels, got 'label' only"),
        (b"x,label\n1,a\n2,\xe9\n", "line 3: must be UTF-8 text, got byte 0xe9"),
        (b"x,label\n1,a\n2,\x00\n", "line 3: must be UTF-8 text, got byte 0x00"),
    ],
)
def test_bad_csv_files_are_refused_with_the_line(refuse, write, text, complaint):
    path = write("data.csv", text)
    err = refuse("select", path, "-k", "1")
    assert complaint in err
    assert path in err


def test_a_column_that_is_not_there(refuse, write):
    path = write("data.csv", "height,width,species\n1,2,a\n")
    assert "has no column 'specie'; the closest: 'species'" in refuse(
        "select", path, "--label", "specie"
    )
    assert "its columns: 'height', 'width', 'species'\n" in refuse("select", path, "--label", "?")
    many = write("many.csv", ",".join(f"c{i}" for i in range(30)) + "\n" + ",".join("1" * 30))
    assert "'c8', 'c9', ...\n" in refuse("select", many, "--label", "?")


def test_a_file_that_is_not_gzip_or_not_readable(refuse, tmp_path):
    path = tmp_path / "data.csv.gz"
    path.write_bytes(b"x,label\n1,a\n")
    assert "must be a gzip file, as its name says" in refuse("select", path)
    path.write_bytes(gzip.compress(b"x,label\n1,a\n" * 50)[:-20])
    assert "must be a gzip file, as its name says" in refuse("select", path)
    assert "cannot be read: Is a directory" in refuse("select", tmp_path)


def test_csv_with_byte_order_mark_crlf_quotes_and_blanks(run_json, write):
    text = b'\xef\xbb\xbf"x, y",label\r\n1, a\r\n"1",a \r\n9,"b"\r\n\r\n'
    result = run_json("select", write("data.csv", text), "-k", "2")
    assert result["best"]["adjusted_rand_score"] == 1.0
    assert (result["n_samples"], result["n_classes"]) == (3, 2)


# --------------------------------------------------------------------------- compare


def test_compare_two_label_files(run, write):
    true = write("true.txt", "a\na\na\nb\nb\n")
    pred = write("pred.txt.gz", "1\r\n1\r\n2\r\n2\r\n2\r\n\r\n")
    status, out, err = run("compare", true, pred)
    assert (status, err) == (0, "")
    assert out.startswith("5 objects, 2 clusters in the reference, 2 compared\n")
    lines = [line.split() for line in out.splitlines()[2:]]
    assert lines[0] == ["index", "value", "best", "better"]
    assert [line[0] for line in lines[1:]] == list(INDICES)
    assert ["rand_score", "0.600000", "1", "higher"] in lines
    assert ["mirkin_distance", "8.000000", "0", "lower"] in lines
    assert ["mutual_info_score", "0.291103", "-", "higher"] in lines
    assert len({len(line) for line in out.splitlines()[3:] if line.endswith("higher")}) == 1


def test_compare_columns_of_one_or_two_csv_files(run_json, write):
    one = write("candidates.csv", FIVE_CANDIDATES)
    two = write("other.csv", "id,found\n" + "".join(f"{i},{i % 2}\n" for i in range(6)))
    labels = write("labels.txt", "a\na\nb\nb\nb\nc\n")
    index = ["--index", "adjusted_rand_score"]
    result = run_json("compare", one, "--true", "truth", "--pred", "renamed", *index)
    assert result == {
        "n_samples": 6,
        "n_clusters_true": 3,
        "n_clusters_pred": 3,
        "scores": {"adjusted_rand_score": 1.0},
    }
    assert run_json("compare", labels, one, "--pred", "far", *index) == run_json(
        "compare", one, two, "--true", "truth", "--pred", "found", *index
    )


def test_compare_json_holds_full_precision(run_json, write):
    true, pred = write("true.txt", "a\na\na\nb\nb\n"), write("pred.txt", "1\n1\n2\n2\n2\n")
    scores = run_json("compare", true, pred)["scores"]
    table = sklearn_clustcompare.ContingencyTable.from_labels(
        ["a", "a", "a", "b", "b"], [1, 1, 2, 2, 2]
    )
    assert scores == {name: index(table) for name, index in INDICES.items()}


def test_compare_labels_are_names_not_numbers(run_json, write):
    true = write("true.txt", "1\n1.0\n01\n1\n1.0\n01\n")
    pred = write("pred.txt", "a\nb\nc\na\nb\nb\n")
    assert run_json("compare", true, pred)["n_clusters_true"] == 3


@pytest.mark.parametrize(
    ("thresholds", "failed"),
    [
        (["rand_score=0.6"], []),
        (["rand_score=0.61"], ["rand_score is 0.6, below 0.61"]),
        (["mirkin_distance=8"], []),
        (["mirkin_distance=7.9"], ["mirkin_distance is 8.0, above 7.9"]),
        (["mirkin_distance=9", "rand_score=-1"], []),
        (
            ["mirkin_distance=1", "purity_score=0.1", "rand_score=0.9"],
            ["mirkin_distance is 8.0, above 1.0", "rand_score is 0.6, below 0.9"],
        ),
    ],
)
@pytest.mark.parametrize("options", [[], ["--json"], ["--index", "purity_score"]])
def test_compare_fail_under(run, write, thresholds, failed, options):
    true, pred = write("true.txt", "a\na\na\nb\nb\n"), write("pred.txt", "1\n1\n2\n2\n2\n")
    flags = [part for threshold in thresholds for part in ("--fail-under", threshold)]
    status, out, err = run("compare", true, pred, *flags, *options)
    assert status == (1 if failed else 0)
    assert all(threshold.split("=")[0] in out for threshold in thresholds)
    assert err.splitlines() == [f"clustcompare: failed: {text}" for text in failed]


@pytest.mark.parametrize("value", ["nan", "NaN", "inf", "-inf", "", "high", "0.5=1"])
def test_compare_refuses_thresholds_that_are_no_numbers(refuse, value):
    err = refuse("compare", "a", "b", "--fail-under", f"rand_score={value}")
    assert "argument --fail-under: must be NAME=VALUE with a finite number" in err


def test_compare_refuses_bad_thresholds_and_indices(refuse):
    assert "must be NAME=VALUE" in refuse("compare", "a", "b", "--fail-under", "rand_score")
    err = refuse("compare", "a", "b", "--fail-under", "rnd_score=0.5")
    assert "did you mean 'rand_score'" in err
    assert "did you mean" in refuse("compare", "a", "b", "--index", "purity")


def test_compare_refuses_bad_files(refuse, write):
    true, pred = write("true.txt", "a\na\nb\n"), write("pred.txt", "1\n1\n")
    missing = write("missing.txt", "1\n\n2\n")
    not_a_number = write("nan.txt", "0\n1\nnan\n")
    empty = write("empty.txt", "\n")
    columns = write("columns.csv", FIVE_CANDIDATES)
    assert f"{true} and {pred} must have the same length, got 3 and 2" in refuse(
        "compare", true, pred
    )
    assert "line 2: a label must not be missing, got ''" in refuse("compare", true, missing)
    assert "line 3: a label must not be missing, got 'nan'" in refuse("compare", true, not_a_number)
    assert "must have one label per line, got an empty file" in refuse("compare", true, empty)
    assert "nowhere.txt cannot be read: No such file" in refuse("compare", "nowhere.txt", true)
    assert "--pred must name its column" in refuse("compare", true, columns)
    assert "one CSV file with both --true and --pred" in refuse("compare", columns)
    assert "takes one or two files, got 3" in refuse("compare", true, true, true)
    err = refuse("compare", columns, "--true", "truth", "--pred", "rename")
    assert "has no column 'rename'; the closest: 'renamed'" in err


@pytest.mark.filterwarnings("default")
def test_compare_prints_warnings_as_one_line(run, write):
    true, pred = write("true.txt", "a\nb\nc\n"), write("pred.txt", "1\n1\n2\n")
    status, _, err = run("compare", true, pred, "--index", "pair_recall_score")
    assert status == 0
    assert re.fullmatch(r"clustcompare: warning: pair_recall_score is undefined .*\n", err)


# --------------------------------------------------------------------------- rank


def test_rank_sorts_candidates_and_ties_share_a_rank(run, write):
    status, out, err = run(
        *["rank", write("candidates.csv", FIVE_CANDIDATES), "--reference", "truth"],
        *["--index", "adjusted_rand_score", "mirkin_distance"],
    )
    assert (status, err) == (0, "")
    assert out.startswith("6 objects, 4 candidates\n")
    header, *rows = [line.split() for line in out.splitlines()[2:]]
    assert header == ["rank", "candidate", "n_clusters", "adjusted_rand_score", "mirkin_distance"]
    assert [row[:2] for row in rows] == [
        ["1", "same"],
        ["1", "renamed"],
        ["3", "near"],
        ["4", "far"],
    ]
    assert rows[0][2:] == ["3", "1.000000", "0.000000"]


def test_rank_by_a_distance_takes_the_smallest_first(run_json, write):
    path = write("candidates.csv.gz", FIVE_CANDIDATES)
    result = run_json(
        *["rank", path, "--reference", "truth", "--index", "variation_of_information_distance"]
    )
    assert [row["candidate"] for row in result["candidates"]] == ["same", "renamed", "near", "far"]
    assert [row["rank"] for row in result["candidates"]] == [1, 1, 3, 4]
    assert result["index"] == "variation_of_information_distance"
    assert result["n_samples"] == 6


def test_rank_against_a_file_of_labels(run_json, write):
    candidates = write("candidates.csv", FIVE_CANDIDATES)
    reference = write("truth.txt.gz", "a\na\nb\nb\nb\nc\n")
    columns = ["--candidate", "near", "same", "--candidate", "far"]
    by_file = run_json("rank", candidates, "--reference-file", reference, *columns)
    by_column = run_json("rank", candidates, "--reference", "truth", *columns)
    assert by_file == by_column
    assert [row["candidate"] for row in by_file["candidates"]] == ["same", "near", "far"]
    everything = run_json("rank", candidates, "--reference-file", reference)
    assert {row["candidate"] for row in everything["candidates"]} >= {"truth", "renamed"}


def test_rank_top_and_output(run_json, write, tmp_path):
    output = tmp_path / "ranking.csv"
    result = run_json(
        *["rank", write("candidates.csv", FIVE_CANDIDATES), "--reference", "truth"],
        *["--top", "3", "--output", output, "--index", "normalized_mutual_info_score"],
    )
    assert len(result["candidates"]) == 3
    with output.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["candidate"] for row in rows] == [r["candidate"] for r in result["candidates"]]
    assert [float(row["normalized_mutual_info_score"]) for row in rows] == [
        row["normalized_mutual_info_score"] for row in result["candidates"]
    ]


def test_rank_refuses_bad_input(refuse, write):
    path = write("candidates.csv", FIVE_CANDIDATES)
    assert "one of the arguments --reference --reference-file is required" in refuse("rank", path)
    assert "not allowed with" in refuse(
        "rank", path, "--reference", "truth", "--reference-file", "truth.txt"
    )
    assert "no column 'thruth'; the closest: 'truth'" in refuse(
        "rank", path, "--reference", "thruth"
    )
    assert "no column 'nea'" in refuse("rank", path, "--reference", "truth", "--candidate", "nea")
    for top in ("0", "-1", "many"):
        err = refuse("rank", path, "--reference", "truth", "--top", top)
        assert "argument --top" in err
    short = write("short.txt", "a\nb\n")
    assert "got 2 labels in" in refuse("rank", path, "--reference-file", short)
    assert "got a CSV file" in refuse("rank", path, "--reference-file", path)
    alone = write("alone.csv", "truth\na\n")
    assert "columns of candidates beside 'truth'" in refuse("rank", alone, "--reference", "truth")
    hole = write("hole.csv", "truth,found\na,1\nb,\n")
    assert "line 3, column 'found': a label must not be missing" in refuse(
        "rank", hole, "--reference", "truth"
    )


# --------------------------------------------------------------------------- indices, the rest


def test_indices_lists_the_registry(run, run_json):
    status, out, _ = run("indices")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == ["name", *INDICES]
    for row, index in zip(run_json("indices"), INDICES.values(), strict=True):
        bounds = [None if np.isinf(bound) else bound for bound in index.range]
        assert row["range"] == bounds
        for name in ("name", "greater_is_better", "symmetric", "metric", "adjusted", "soft"):
            assert row[name] == getattr(index, name)


def test_version_and_help(capsys):
    for arguments, expected in [
        (["--version"], f"clustcompare {sklearn_clustcompare.__version__}\n"),
        (["--help"], "usage: clustcompare"),
        *(([command, "--help"], "usage: clustcompare") for command in ("select", "rank")),
    ]:
        with pytest.raises(SystemExit) as stop:
            cli.main(arguments)
        assert stop.value.code == 0
        assert capsys.readouterr().out.startswith(expected)


def test_every_index_is_named_in_the_help(capsys):
    with pytest.raises(SystemExit):
        cli.main(["compare", "--help"])
    assert set(INDICES) <= set(re.findall(r"\w+", capsys.readouterr().out))


def test_no_or_unknown_command(refuse):
    assert "required: COMMAND" in refuse()
    assert "invalid choice: 'choose'" in refuse("choose")


def test_interruption_is_status_130(run, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_search", interrupt)
    assert run("select", "iris") == (130, "", "clustcompare: interrupted\n")


def test_as_a_process(write):
    true, pred = write("true.txt", "a\na\na\nb\nb\n"), write("pred.txt", "1\n1\n2\n2\n2\n")
    fine = run_process("compare", true, pred, "--fail-under", "rand_score=0.6", "--json")
    assert (fine.returncode, fine.stderr) == (0, "")
    assert json.loads(fine.stdout)["scores"]["rand_score"] == 0.6
    short = run_process("compare", true, pred, "--fail-under", "rand_score=0.7")
    assert short.returncode == 1
    assert short.stderr == "clustcompare: failed: rand_score is 0.6, below 0.7\n"
    bad = run_process("compare", true, "nowhere.txt")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr == (
        "clustcompare: error: nowhere.txt cannot be read: No such file or directory\n"
    )


@pytest.mark.skipif(os.name == "nt", reason="no such pipes on Windows")
def test_a_reader_that_goes_away_leaves_no_traceback():
    reader, writer = os.pipe()
    os.close(reader)
    try:
        process = subprocess.run(
            [sys.executable, "-m", "sklearn_clustcompare", "indices"],
            cwd=REPOSITORY,
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writer)
    assert (process.returncode, process.stderr) == (141, b"")


# --------------------------------------------------------------------------- real data


@needs_shared_data
def test_compare_annotators_of_conversations(run_json):
    path = SHARED_DATA / "annotators" / "irc_test.csv"
    names = ("adjudicated", "hussam")
    result = run_json("compare", path, "--true", names[0], "--pred", names[1])
    with path.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    expected = adjusted_rand_score(*([row[name] for row in rows] for name in names))
    assert result["n_samples"] == len(rows)
    assert result["scores"]["adjusted_rand_score"] == pytest.approx(expected, abs=1e-12)
    assert list(result["scores"]) == list(INDICES)


@needs_shared_data
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", ["windows", "isolation", "labirynth", "g2mg_8_50"])
def test_rank_candidate_partitions(run_json, name):
    candidates = SHARED_DATA / "candidates"
    (reference,) = candidates.glob(f"data/*/{name}.labels0.gz")
    truth = gzip.decompress(reference.read_bytes()).decode().split()
    best = []
    files = sorted(candidates.glob(f"results/original/*/*/{name}.result*.gz"))
    assert files
    for file in files:
        result = run_json("rank", file, "--reference-file", reference)
        first = result["candidates"][0]
        best.append(first["adjusted_rand_score"])
        with gzip.open(file, "rt", newline="") as stream:
            labels = [row[first["candidate"]] for row in csv.DictReader(stream)]
        assert best[-1] == pytest.approx(adjusted_rand_score(truth, labels), abs=1e-12)
    if name in ("windows", "isolation"):
        assert max(best) == 1.0
