"""``clustcompare rank``: many candidate partitions against one reference."""

import csv
import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import sklearn_clustcompare
from sklearn_clustcompare import score_candidates
from tests._examples import in_processes, slow


def test_rank_sorts_candidates_and_ties_share_a_rank(run, write, five_partitions):
    status, out, err = run(
        *["rank", write("candidates.csv", five_partitions), "--reference", "truth"],
        *["--index", "adjusted_rand_score,mirkin_distance"],
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
    assert rows[0][2:] == ["3", "1.0000", "0.0000"]


def test_rank_by_a_distance_takes_the_smallest_first(run_json, write, five_partitions):
    path = write("candidates.csv.gz", five_partitions)
    result = run_json(
        *["rank", path, "--reference", "truth", "--index", "variation_of_information_distance"]
    )
    assert [row["candidate"] for row in result["candidates"]] == ["same", "renamed", "near", "far"]
    assert [row["rank"] for row in result["candidates"]] == [1, 1, 3, 4]
    assert result["index"] == "variation_of_information_distance"
    assert result["n_samples"] == 6


def test_rank_against_a_file_of_labels(run_json, write, five_partitions):
    candidates = write("candidates.csv", five_partitions)
    reference = write("truth.txt.gz", "a\na\nb\nb\nb\nc\n")
    columns = ["--candidate", "near,same", "--candidate", "far"]
    by_file = run_json("rank", candidates, "--reference-file", reference, *columns)
    by_column = run_json("rank", candidates, "--reference", "truth", *columns)
    assert by_file == by_column
    assert [row["candidate"] for row in by_file["candidates"]] == ["same", "near", "far"]
    everything = run_json("rank", candidates, "--reference-file", reference)
    assert {row["candidate"] for row in everything["candidates"]} >= {"truth", "renamed"}
    by_pattern = run_json("rank", candidates, "--reference", "truth", "--candidate", "[nf]*ar")
    assert {row["candidate"] for row in by_pattern["candidates"]} == {"near", "far"}


def test_rank_output(run_json, write, tmp_path, five_partitions):
    output = tmp_path / "ranking.csv"
    result = run_json(
        *["rank", write("candidates.csv", five_partitions), "--reference", "truth"],
        *["--output", output, "--index", "normalized_mutual_info_score"],
    )
    assert len(result["candidates"]) == 4
    with output.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["candidate"] for row in rows] == [r["candidate"] for r in result["candidates"]]
    assert [float(row["normalized_mutual_info_score"]) for row in rows] == [
        row["normalized_mutual_info_score"] for row in result["candidates"]
    ]


def test_rank_is_that_of_score_candidates(run_json, write, five_partitions):
    path = write("candidates.csv", five_partitions)
    indices = ["purity_score", "van_dongen_distance"]
    result = run_json("rank", path, "--reference", "truth", "--index", ",".join(indices))
    columns = read_columns(path)
    scores = score_candidates(columns.pop("truth"), columns, indices=indices)
    assert result["n_candidates"] == len(columns)
    assert result["best"] == ["same", "renamed"]
    assert [row["rank"] for row in result["candidates"]] == sorted(scores.rank())
    for row in result["candidates"]:
        position = scores.names.index(row["candidate"])
        assert row["rank"] == scores.rank()[position]
        assert row["n_clusters"] == scores.n_clusters[position]
        assert [row[name] for name in indices] == [
            scores.scores[name][position] for name in indices
        ]


WITH_BARCODES = """\
barcode,truth,near
AAA,a,1
AAC,a,1
AAG,b,1
AAT,b,2
"""


def test_rank_leaves_out_a_column_of_names_with_a_warning(run, refuse, write):
    arguments = ["rank", write("runs.csv", WITH_BARCODES), "--reference", "truth"]
    dropped = run(*arguments, "--drop", "barcode")
    assert (dropped[0], dropped[2]) == (0, "")
    assert "barcode" not in dropped[1]
    warning = (
        "clustcompare: warning: every label in column 'barcode' is different, as in ids of the "
        "objects"
    )
    assert run(*arguments) == (0, dropped[1], f"{warning}: it is left out; --candidate takes it\n")
    status, out, err = run(*arguments, "--candidate", "barcode,near")
    assert (status, err) == (0, f"{warning}\n")
    assert "barcode" in out
    only_ids = write("ids.csv", "barcode,truth\nAAA,a\nAAC,a\n")
    status, out, err = run("rank", only_ids, "--reference", "truth")
    assert (status, out) == (2, "")
    assert "must have columns of candidates whose labels do not all differ" in err
    assert dropped == run(*arguments, "--candidate", "near")
    assert dropped == run("rank", "--drop", "barcode", *arguments[1:])


NOISY = """\
truth,half,none,all
a,1,1,n
a,1,1,n
b,2,2,n
b,n,2,n
n,n,2,n
n,3,3,n
"""


def test_rank_drops_noise_and_shows_the_coverage(run, run_json, write):
    columns = ["--candidate", "half,none"]
    arguments = ["rank", write("noisy.csv", NOISY), "--reference", "truth", "--noise-label", "n"]
    result = run_json(*arguments, *columns, "--noise", "drop")
    rows = {row["candidate"]: row for row in result["candidates"]}
    assert rows["half"]["coverage"] == 0.5
    assert rows["none"]["coverage"] == pytest.approx(2 / 3)
    assert [rows[name]["n_clusters"] for name in ("half", "none")] == [2, 2]
    assert [rows[name]["rank"] for name in ("half", "none")] == [1, 1]
    _, out, _ = run(*arguments, *columns, "--noise", "drop")
    assert "coverage" in out
    assert "0.6667" in out


MISSING = """\
truth,half,other
a,1,1
a,NA,1
b,2,2
,2,<NA>
b,3,nan
"""


def test_rank_leaves_out_objects_without_a_label(run_json, refuse, write):
    path = write("missing.csv", MISSING)
    arguments = ["rank", path, "--reference", "truth"]
    complaint = (
        "line 5, column 'truth': a label must not be missing, got ''; --missing drop of compare"
    )
    assert complaint in refuse(*arguments)
    rows = {
        row["candidate"]: row for row in run_json(*arguments, "--missing", "drop")["candidates"]
    }
    assert [rows[name]["coverage"] for name in ("half", "other")] == [3 / 5, 3 / 5]
    assert rows["half"]["adjusted_rand_score"] == adjusted_rand_score(list("abb"), [1, 2, 3])
    assert rows["other"]["adjusted_rand_score"] == adjusted_rand_score(list("aab"), [1, 1, 2])
    rows = run_json(*arguments, "--missing", "cluster")["candidates"]
    (row,) = [row for row in rows if row["candidate"] == "half"]
    assert row["adjusted_rand_score"] == adjusted_rand_score(list("aab?b"), list("1?223"))
    assert "coverage" not in row
    reference = write("truth.txt", "a\na\nb\nNA\nb\n")
    arguments = ["rank", path, "--reference-file", reference, "--drop", "truth"]
    rows = run_json(*arguments, "--missing", "drop")["candidates"]
    assert [row["coverage"] for row in rows] == [3 / 5, 3 / 5]


@pytest.mark.filterwarnings("default")
def test_rank_takes_a_candidate_that_is_all_noise_for_the_worst(run, write):
    arguments = ["rank", write("noisy.csv", NOISY), "--reference", "truth", "--noise-label", "n"]
    status, out, err = run(*arguments, "--noise", "drop")
    assert status == 0
    assert out.splitlines()[-1].split() == ["3", "all", "0", "0.0000", "-"]
    assert err == (
        "clustcompare: warning: 1 of 3 candidates have no object left to compare, their scores are "
        "undefined, set to NaN and ranked last: 'all'\n"
    )
    status, out, _ = run(*arguments, "--noise", "drop", "--json")
    result = json.loads(out, parse_constant=pytest.fail)
    assert result["best"] == ["half", "none"]
    assert result["candidates"][-1]["adjusted_rand_score"] is None
    status, out, err = run(
        *[*arguments, "--noise", "drop", "--candidate", "all", "--json"],
        *["--fail-under", "ari=0"],
    )
    assert status == 1
    assert json.loads(out)["best"] == []
    assert err.endswith("failed: adjusted_rand_score is undefined, required is 0.0\n")


@pytest.mark.parametrize("noise", ["cluster", "singletons", in_processes("drop")])
def test_rank_is_the_same_with_two_jobs(run_json, write, noise):
    rng = np.random.default_rng(0)
    labels = rng.integers(-1, 4, size=(60, 20))
    header = ",".join(f"run{column}" for column in range(20))
    path = write("many.csv", "\n".join([header, *(",".join(map(str, row)) for row in labels)]))
    arguments = ["rank", path, "--reference", "run0", "--noise", noise]
    assert run_json(*arguments, "--n-jobs", "2") == run_json(*arguments)


def test_rank_shows_progress_if_asked_to(run, write, five_partitions):
    arguments = ["rank", write("candidates.csv", five_partitions), "--reference", "truth"]
    status, out, err = run(*arguments, "--verbose")
    assert status == 0
    assert "candidates" in err
    assert out == run(*arguments)[1]


def test_rank_tells_in_one_line_that_a_worker_died(refuse, monkeypatch, write, five_partitions):
    def die(*_, **__):
        error = RuntimeError("a worker process died")
        error.add_note("This happened with candidate 1.")
        raise error

    monkeypatch.setattr(sklearn_clustcompare, "score_candidates", die)
    complaint = refuse("rank", write("five.csv", five_partitions), "--reference", "truth")
    assert complaint.endswith("error: a worker process died This happened with candidate 1.\n")


# --------------------------------------------------------------------------- real data


@pytest.mark.parametrize("noise", ["cluster", "drop"])
@pytest.mark.parametrize(
    ("name", "n_files"),
    [
        ("labirynth", 2),
        *(slow(name, None) for name in ("windows", "isolation", "labirynth", "g2mg_8_50")),
    ],
)
def test_rank_candidate_partitions(run, shared_data, name, n_files, noise):
    candidates = shared_data / "candidates"
    (reference,) = candidates.glob(f"data/*/{name}.labels0.gz")
    truth = np.array(gzip.decompress(reference.read_bytes()).decode().split())
    files = sorted(candidates.glob(f"results/original/*/*/{name}.result*.gz"))
    assert len(files) > 20
    best = []
    for file in files[:n_files]:
        status, out, _ = run(
            *["rank", file, "--reference-file", reference, "--json"],
            *["--noise", noise, "--noise-label", "0"],
        )
        assert status == 0
        rows = json.loads(out)["candidates"]
        columns = read_columns(file)
        assert {row["candidate"] for row in rows} == set(columns)
        assert [row["adjusted_rand_score"] for row in rows] == sorted(
            (row["adjusted_rand_score"] for row in rows), reverse=True
        )
        for row in rows:
            labels = columns[row["candidate"]]
            kept = (
                (truth != "0") & (labels != "0") if noise == "drop" else np.full(len(truth), True)
            )
            assert row.get("coverage", 1.0) == kept.mean()
            expected = adjusted_rand_score(truth[kept], labels[kept])
            assert row["adjusted_rand_score"] == pytest.approx(expected, abs=1e-12)
        best.append(rows[0]["adjusted_rand_score"])
    if name in ("windows", "isolation"):
        assert max(best) == 1.0


def read_columns(path):
    data = Path(path).read_bytes()
    text = (gzip.decompress(data) if str(path).endswith(".gz") else data).decode()
    header, *rows = csv.reader(text.splitlines())
    return dict(zip(header, np.array(rows).T, strict=True))


def test_rank_draws_the_candidates(run, write, five_partitions, tmp_path, drawn):
    path, picture = write("five.csv", five_partitions), tmp_path / "rank.png"
    status, _, err = run(
        "rank", path, "--reference", "truth", "--index", "vi", "--picture", picture
    )
    assert (status, err) == (0, "")
    assert picture.read_bytes().startswith(b"\x89PNG")
    (display,) = drawn
    shown = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert sorted(shown[:2]) == ["renamed", "same"]
    assert sorted(shown[2:]) == ["far", "near"]
