"""``clustcompare compare``: one partition against another."""

import csv
import json
import re

import pytest
from sklearn.metrics import homogeneity_score, rand_score

import sklearn_clustcompare
from sklearn_clustcompare import ContingencyTable, clustering_comparison_report
from sklearn_clustcompare.indices import INDICES

DEFAULT_INDICES = (
    "adjusted_rand_score",
    "adjusted_mutual_info_score",
    "homogeneity_score",
    "completeness_score",
    "matching_accuracy_score",
)


def test_compare_two_label_files(run, write):
    true = write("true.txt", "a\na\na\nb\nb\n")
    pred = write("pred.txt.gz", "1\r\n1\r\n2\r\n2\r\n2\r\n\r\n")
    status, out, err = run("compare", true, pred, "--all")
    assert (status, err) == (0, "")
    assert out.startswith("5 objects, 2 clusters in the reference, 2 in the candidate\n")
    lines = [line.split() for line in out.splitlines()[2:]]
    assert lines[0] == ["index", "value", "best", "better"]
    assert [line[0] for line in lines[1:6]] == list(DEFAULT_INDICES)
    assert {line[0] for line in lines[1:]} == set(INDICES)
    assert ["rand_score", "0.6000", "1", "higher"] in lines
    assert ["mirkin_distance", "8.0000", "0", "lower"] in lines
    assert ["mutual_info_score", "0.2911", "-", "higher"] in lines
    assert len({len(line) for line in out.splitlines()[3:] if line.endswith("higher")}) == 1


def test_compare_columns_of_one_or_two_csv_files(run, run_json, write, five_partitions):
    one = write("candidates.csv", five_partitions)
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
    status, out, err = run(
        "compare", one, two, "--true", "truth", "--pred", "found", *index, "--json"
    )
    assert status == 0
    assert err == (
        f"clustcompare: note: the rows of {one} and {two} are matched by position; --id matches "
        "them by a column\n"
    )
    assert run_json("compare", labels, one, "--pred", "far", *index) == json.loads(out)


def test_compare_json_holds_full_precision(run_json, write):
    true, pred = write("true.txt", "a\na\na\nb\nb\n"), write("pred.txt", "1\n1\n2\n2\n2\n")
    scores = run_json("compare", true, pred, "--all")["scores"]
    table = sklearn_clustcompare.ContingencyTable.from_labels(
        ["a", "a", "a", "b", "b"], [1, 1, 2, 2, 2]
    )
    assert scores == {name: index(table) for name, index in INDICES.items()}


def test_compare_labels_are_names_not_numbers(run, write):
    true = write("true.txt", "1\n1.0\n01\n1\n1.0\n01\n")
    pred = write("pred.txt", "a\nb\nc\na\nb\nb\n")
    status, out, err = run("compare", true, pred, "--json")
    assert (status, json.loads(out)["n_clusters_true"]) == (0, 3)
    assert "true.txt, line 2: '1.0' and '1' count as two clusters" in err
    assert err.count("\n") == 1
    ids = (
        "12345678901234567890\n12345678901234567891\n1.5\n1.50\n"  # other numbers, or no whole ones
    )
    assert run("compare", write("ids.txt", ids), write("abab.txt", "a\nb\na\nb\n"))[2] == ""


@pytest.mark.parametrize(
    ("thresholds", "failed"),
    [
        (["rand_score=0.6"], []),
        (["rand_score=0.6000001"], ["rand_score is 0.6000, below 0.6000001"]),
        (["rand_score=0.61"], ["rand_score is 0.6000, below 0.61"]),
        (["mirkin_distance=8"], []),
        (["mirkin_distance=7.9"], ["mirkin_distance is 8.0000, above 7.9"]),
        (["mirkin_distance=9", "rand_score=-1"], []),
        (
            ["mirkin_distance=1", "purity_score=0.1", "rand_score=0.9"],
            ["mirkin_distance is 8.0000, above 1.0", "rand_score is 0.6000, below 0.9"],
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


@pytest.mark.filterwarnings("default")
def test_compare_prints_warnings_as_one_line(run, write):
    true, pred = write("true.txt", "a\nb\nc\n"), write("pred.txt", "1\n1\n2\n")
    status, _, err = run("compare", true, pred, "--index", "pair_recall_score")
    assert status == 0
    assert re.fullmatch(r"clustcompare: warning: pair_recall_score is undefined .*\n", err)


def test_compare_takes_options_anywhere(run, write):
    true, pred = write("true.txt", "a\na\na\nb\nb\n"), write("pred.txt", "1\n1\n2\n2\n2\n")
    expected = run("compare", true, pred, "--index", "rand_score,pair_recall_score", "--json")
    assert expected[0] == 0
    index = ["--index", "rand_score,pair_recall_score"]
    for arguments in (
        ["--json", true, pred, *index],
        [true, "--json", pred, *index],
        [true, *index, "--json", pred],
        ["--json", *index, true, pred],
        ["--json", true, *index, pred],
        [*index, "--json", "--", true, pred],
    ):
        assert run("compare", *arguments) == expected


def test_columns_with_commas_stand_in_quotes(run_json, write):
    path = write("columns.csv", 'true,"a, b",c\nx,1,1\nx,1,2\ny,2,2\n')
    result = run_json("compare", path, "--true", "true", "--pred", '"a, b", c')
    assert [one["candidate"] for one in result["candidates"]] == ["a, b", "c"]
    assert run_json("rank", path, "--reference", "true", "--drop", '"a, b"')["best"] == ["c"]


# --------------------------------------------------------------------------- indices


def test_compare_lists_five_indices_and_all_others_when_asked(run, run_json, write):
    labels = [write("true.txt", "a\na\nb\n"), write("pred.txt", "1\n2\n2\n")]
    assert list(run_json("compare", *labels)["scores"]) == list(DEFAULT_INDICES)
    _, out, _ = run("compare", *labels)
    assert out.endswith(
        "\n\nUse --all for all indices, --report text for the values of each cluster.\n"
    )
    assert "--all" not in run("compare", *labels, "--all")[1]
    assert "--all" not in run("compare", *labels, "--index", "ari")[1]
    first = "normalized_mutual_info_score:q=2"
    for options in (["--index", "nmi:q=2", "--all"], ["--all", "--index", first]):
        titles = list(run_json("compare", *labels, *options)["scores"])
        assert titles[0] == first
        assert set(titles[1:]) == set(INDICES)


# --------------------------------------------------------------------------- several candidates


def test_compare_several_candidates(run, run_json, write, five_partitions):
    path = write("five.csv", five_partitions)
    arguments = ["compare", path, "--true", "truth", "--index", "ari,vi"]
    single = {name: run_json(*arguments, "--pred", name) for name in ("renamed", "near", "far")}
    expected = {"candidates": [{"candidate": name} | one for name, one in single.items()]}
    for columns in (
        ["--pred", "renamed,near,far"],
        ["--pred", "renamed", "--pred", "near,far"],
    ):
        assert run_json(*arguments, *columns) == expected
        assert run_json("compare", *columns, path, *arguments[2:]) == expected
    status, out, err = run(*arguments, "--pred", "renamed,near,far")
    assert (status, err) == (0, "")
    assert run("compare", *columns, path, "--true", "truth")[1].endswith(
        "\n\nUse --all for all indices.\n"
    )
    head, _, titles, *rows = out.splitlines()
    assert head == "6 objects, 3 candidates"
    assert titles.split()[:3] == ["candidate", "n_clusters", "adjusted_rand_score"]
    assert rows[0].split() == ["renamed", "3", "1.0000", "0.0000"]
    assert [row.split()[0] for row in rows] == list(single)


def test_compare_judges_each_of_several_candidates(run, write, five_partitions):
    path = write("five.csv", five_partitions)
    arguments = ["compare", path, "--true", "truth", "--pred", "same,far", "--json"]
    status, out, err = run(*arguments, "--fail-under", "rand_score=0.9")
    assert status == 1
    assert re.fullmatch(r"clustcompare: failed: rand_score of 'far' is 0\.4\d*, below 0\.9\n", err)
    result = json.loads(out)
    assert not result["passed"]
    assert [(one["candidate"], one["passed"]) for one in result["thresholds"]] == [
        ("same", True),
        ("far", False),
    ]


def test_compare_notes_noise_and_coverage_of_each_candidate(run, write):
    path = write("noisy.csv", "true,one,two\n-1,a,a\nx,-1,-1\nx,a,b\ny,b,b\n")
    arguments = ["compare", path, "--true", "true", "--pred", "one,two"]
    notes = run(*arguments)[2].splitlines()
    assert [re.search("in (.*) \\(", note)[1] for note in notes] == ["true", "one", "two"]
    _, out, err = run(*arguments, "--noise", "drop", "--index", "ari")
    assert err == ""
    assert [line.split()[2] for line in out.splitlines()[2:]] == ["coverage", "0.5000", "0.5000"]


# --------------------------------------------------------------------------- ids


@pytest.fixture
def two_tables(write):
    true = write("true.csv", "cell,type\nA,x\nB,x\nC,y\nD,y\nE,z\n")
    return true, write("found.csv", "k,cell\n2,D\n1,B\n2,C\n7,Q\n1,A\n")


COLUMNS = ["--true", "type", "--pred", "k", "--index", "ari"]


def test_compare_aligns_two_files_by_the_ids_of_objects(run, two_tables):
    status, out, err = run("compare", *two_tables, "--id", "cell", *COLUMNS, "--json")
    assert status == 0
    assert err == (
        "clustcompare: note: 4 of 6 objects are in both files; the others are left out\n"
    )
    result = json.loads(out)
    assert result["id_coverage"] == pytest.approx(4 / 6)
    assert (result["n_samples"], result["scores"]) == (4, {"adjusted_rand_score": 1.0})


@pytest.mark.parametrize(
    ("column", "ids", "status"),
    [
        ("cell", "cba", 2),
        ("cell", "cbx", 2),
        ("cell", "cxy", 0),
        ("cell", "abc", 0),
        ("n", "cba", 0),
    ],
)
def test_rows_in_another_order_by_a_column_of_both_files_are_not_matched_by_position(
    run, write, column, ids, status
):
    one = write("one.csv", "cell,y\na,0\nb,0\nc,1\n")
    other = write("other.csv", f"{column},p\n" + "".join(f"{name},1\n" for name in ids))
    found, _, err = run("compare", one, other, "--true", "y", "--pred", "p")
    assert found == status
    assert ("in another order by column 'cell', which both have: --id cell matches" in err) == (
        status == 2
    )


# --------------------------------------------------------------------------- noise

TRUE_WITH_NOISE = ["a", "a", "b", "b", "-1", "-1", "c"]
PRED_WITH_NOISE = ["1", "1", "2", "-1", "2", "-1", "1"]


@pytest.fixture
def noisy_files(write):
    labels = {"true.txt": TRUE_WITH_NOISE, "pred.txt": PRED_WITH_NOISE}
    return [write(name, "\n".join(side)) for name, side in labels.items()]


def test_compare_drops_noise(run, run_json, noisy_files):
    result = run_json("compare", *noisy_files, "--noise", "drop", "--index", "rand_score")
    expected = rand_score(list("aabc"), list("1121"))
    assert result == {
        "n_samples": 4,
        "coverage": pytest.approx(4 / 7),
        "n_clusters_true": 3,
        "n_clusters_pred": 2,
        "scores": {"rand_score": pytest.approx(expected)},
    }
    _, out, _ = run("compare", *noisy_files, "--noise", "drop")
    assert out.startswith("4 of 7 objects, 3 clusters in the reference, 2 in the candidate\n")


def test_compare_keeps_noise(run, run_json, noisy_files):
    index = ["--index", "rand_score,mirkin_distance"]
    kept = run_json("compare", *noisy_files, *index, "--noise", "cluster")
    assert kept["scores"]["rand_score"] == pytest.approx(
        rand_score(TRUE_WITH_NOISE, PRED_WITH_NOISE)
    )
    apart = run_json("compare", *noisy_files, *index, "--noise", "singletons")
    assert (apart["n_clusters_true"], apart["n_clusters_pred"]) == (5, 4)
    expected = rand_score([0, 0, 1, 1, 2, 3, 4], [0, 0, 1, 2, 1, 3, 0])
    assert apart["scores"]["rand_score"] == pytest.approx(expected)
    assert "coverage" not in apart
    _, out, _ = run("compare", *noisy_files, "--noise", "singletons")
    assert out.startswith("7 objects, 5 clusters in the reference, 4 in the candidate\n")


@pytest.mark.parametrize("options", [[], ["--json"], ["--index", "rand_score"]])
def test_compare_tells_that_noise_counts_as_a_cluster(run, noisy_files, options):
    status, out, err = run("compare", *noisy_files, *options)
    assert status == 0
    assert err.splitlines() == [
        f"clustcompare: note: '-1' in {name} (size 2) counts as an ordinary cluster; if it "
        "marks noise, use --noise singletons or --noise drop"
        for name in ("true.txt", "pred.txt")
    ]
    for noise in ("cluster", "singletons", "drop"):
        assert run("compare", *noisy_files, *options, "--noise", noise)[2] == ""
    assert run("compare", *noisy_files, *options, "--noise", "cluster")[1] == out


def test_compare_report_tells_it_in_the_words_of_the_command(run, noisy_files):
    _, out, err = run("compare", *noisy_files, "--report", "json")
    assert err == ""
    notes = json.loads(out)["warnings"]
    assert notes[-2].endswith("use --noise singletons or --noise drop")
    _, out, _ = run("compare", *noisy_files, "--report", "json", "--noise", "cluster")
    assert not any("counts as an ordinary cluster" in note for note in json.loads(out)["warnings"])


def test_compare_takes_one_label_of_noise_that_may_begin_with_a_dash(run, noisy_files):
    arguments = ["compare", *noisy_files, "--noise", "drop", "--index", "rand_score"]
    expected = run(*arguments)
    assert expected[0] == 0
    for label in (["--noise-label", "-1"], ["--noise-label=-1"]):
        assert run(*arguments, *label) == expected
        assert run("compare", *label, *arguments[1:]) == expected


def test_compare_takes_several_labels_of_noise(run_json, write):
    true, pred = write("true.txt", "a\na\nb\nb\nb\n"), write("pred.txt", "0\n-1\n-2\n1\n-3\n")
    labels = [f"--noise-label={label}" for label in (-1, -2, -3)]
    result = run_json("compare", true, pred, "--noise", "drop", *labels, "--index", "rand_score")
    assert result["coverage"] == 2 / 5


def test_compare_leaves_out_objects_without_a_label(run, run_json, refuse, write):
    true, pred = write("true.txt", "a\nNA\nb\nb\n"), write("pred.txt", "0\n0\n\n1\n")
    index = ["--index", "adjusted_rand_score"]
    complaint = refuse("compare", true, pred, *index)
    assert "true.txt, line 2: a label must not be missing, got 'NA'; --missing drop" in complaint
    result = run_json("compare", true, pred, "--missing", "drop", *index)
    assert (result["coverage"], result["n_samples"]) == (0.5, 2)
    _, out, _ = run("compare", true, pred, "--missing", "drop", *index)
    assert out.startswith("2 of 4 objects, 2 clusters in the reference, 2 in the candidate")
    result = run_json("compare", true, pred, "--missing", "cluster")
    assert (result["n_samples"], result["n_clusters_true"]) == (4, 3)
    status, out, err = run("compare", true, pred, "--missing", "drop", "--report", "text")
    assert (status, err) == (0, "")
    assert "coverage 50.0%" in out
    status, out, err = run("compare", true, pred, "--missing", "cluster", "--report", "json")
    assert {row["label"] for row in json.loads(out)["true"]["clusters"]} == {"a", "b", "<missing>"}


def test_compare_lists_numbers_in_their_order(run, write):
    labels = write("labels.txt", "\n".join(map(str, range(12, 0, -1))))
    _, out, _ = run("compare", labels, labels, "--report", "json")
    rows = json.loads(out)["true"]["clusters"]
    assert [row["label"] for row in rows] == [str(label) for label in range(1, 13)]


# --------------------------------------------------------------------------- report


@pytest.fixture
def two_files(write):
    true = write("true.txt", "fish\n" * 4 + "bird\n" * 4 + "<frog & toad>\n" * 2)
    return [true, write("pred.txt", "1\n" * 4 + "2\n" * 6)]


REPORT_OF_TWO_FILES = clustering_comparison_report(
    ["fish"] * 4 + ["bird"] * 4 + ["<frog & toad>"] * 2,
    ["1"] * 4 + ["2"] * 6,
    names=("true.txt", "pred.txt"),
)


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("text", REPORT_OF_TWO_FILES),
        ("html", REPORT_OF_TWO_FILES.to_html()),
        ("markdown", REPORT_OF_TWO_FILES.to_markdown()),
    ],
)
def test_compare_report(run, two_files, tmp_path, form, expected):
    status, out, err = run("compare", *two_files, "--report", form)
    assert (status, err) == (0, "")
    assert out == expected.rstrip("\n") + "\n"
    output = tmp_path / "report"
    assert run("compare", *two_files, "--report", form, "--output", output) == (0, "", "")
    assert output.read_text("utf-8") == out


def test_compare_report_names_columns_and_tells_equal_names_apart(run, write):
    one, two = (write(name, "class,found\na,x\nb,x\n") for name in ("one.csv", "two.csv"))
    columns = ["--true", "class", "--pred"]
    _, out, _ = run("compare", one, *columns, "found", "--report", "text")
    assert "2 clusters of class, 1 cluster of found, coverage" in out
    _, out, _ = run("compare", one, two, *columns, "class", "--report", "text")
    assert f"2 clusters of class in {one}" in out
    assert f"2 clusters of class in {two}" in out


def test_compare_report_html_escapes_labels_and_needs_no_network(run, two_files):
    _, out, _ = run("compare", *two_files, "--report", "html")
    assert out.lower().startswith("<!doctype html>")
    assert "&lt;frog &amp; toad&gt;" in out
    assert not re.search(r"\b(src|href|url)\b *[=(]", out)


def test_compare_report_leaves_noise_out(run, noisy_files):
    _, out, _ = run("compare", *noisy_files, "--report", "json", "--noise", "drop")
    report = json.loads(out)
    assert (report["n_samples"], report["coverage"]) == (4, pytest.approx(4 / 7))


@pytest.mark.parametrize("output", [True, False])
def test_compare_report_with_a_threshold(run, two_files, tmp_path, output):
    to_file = ["--output", str(tmp_path / "page.html")] if output else []
    arguments = ["compare", *two_files, "--report", "html", *to_file]
    fine = run(*arguments, "--fail-under", "rand_score=0.5")
    assert (fine[0], fine[2]) == (0, "")
    short = run(*arguments, "--fail-under", "rand_score=0.9")
    assert short[0] == 1
    assert short[1] == fine[1]
    assert re.fullmatch(r"clustcompare: failed: rand_score is 0\.8\d+, below 0\.9\n", short[2])


def test_compare_counts_once_for_a_report(run, two_files, monkeypatch):
    counted = []
    of_labels = ContingencyTable._of_labels.__func__

    def count(cls, true, pred, weights=None, *others, **more):
        if weights is None:  # not a sample of the objects
            counted.append(cls)
        return of_labels(cls, true, pred, weights, *others, **more)

    monkeypatch.setattr(ContingencyTable, "_of_labels", classmethod(count))
    assert run("compare", *two_files, "--report", "text", "--fail-under", "ari=0.1")[0] == 0
    assert len(counted) == 1


# --------------------------------------------------------------------------- picture


@pytest.mark.slow
def test_compare_draws_the_table_or_the_decomposition(run, two_files, tmp_path, drawn):
    path = tmp_path / "picture.pdf"
    assert run("compare", *two_files, "--picture", path)[0] == 0
    assert path.read_bytes().startswith(b"%PDF")
    status, out, err = run("compare", *two_files, "--report", "text", "--picture", path)
    assert (status, err) == (0, "")
    assert out == REPORT_OF_TWO_FILES.rstrip("\n") + "\n"
    table, decomposition = drawn
    assert sorted(map(sorted, table.counts.tolist())) == [[0, 2], [0, 4], [0, 4]]
    assert table.ax_.get_ylabel().startswith("true.txt")
    assert table.ax_.get_xlabel().startswith("pred.txt")
    assert decomposition.decomposition == REPORT_OF_TWO_FILES.decomposition
    assert decomposition.label_ax_.get_xlabel() == "true.txt (3 clusters)"
    assert decomposition.ax_.get_xlabel() == "pred.txt (2 clusters)"


# --------------------------------------------------------------------------- real data


@pytest.mark.slow
def test_compare_report_of_annotators(run, shared_data):
    path = shared_data / "annotators" / "irc_test.csv"
    columns = ["--true", "adjudicated", "--pred", "jonathan"]
    _, out, _ = run("compare", path, *columns, "--report", "json")
    report = json.loads(out, parse_constant=pytest.fail)
    with path.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    true, pred = ([row[name] for row in rows] for name in ("adjudicated", "jonathan"))
    assert report["true"]["n_clusters"] == len(report["true"]["clusters"]) == len(set(true))
    assert report["pred"]["n_clusters"] == len(set(pred))
    homogeneity = pytest.approx(homogeneity_score(true, pred), abs=1e-12)
    assert report["overall"]["homogeneity_score"]["value"] == homogeneity
    _, text, _ = run("compare", path, *columns, "--report", "text")
    assert len(text.splitlines()) < 120
