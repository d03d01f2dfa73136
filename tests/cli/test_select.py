"""``clustcompare select``: the number of clusters and the algorithm."""

import csv
import json
import re
import sys

import numpy as np
import pytest
from sklearn.cluster import DBSCAN, HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare import ContingencyTable, get_index
from sklearn_clustcompare.cli import _files, _select
from sklearn_clustcompare.cli._options import ESTIMATORS


def test_select_finds_three_species_of_iris_with_a_gaussian_mixture(run):
    status, out, err = run("select", "iris", "-k", "2:6", "--estimator", "gaussian-mixture")
    assert (status, err) == (0, "")
    assert out.startswith("iris: 150 objects, 4 features, 3 classes\n")
    (winner,) = [line for line in out.splitlines() if re.match(r"\*\s+1 ", line)]
    assert winner.split() == ["*", "1", "gaussian-mixture", "3", "0.9039"]
    assert "* best: gaussian-mixture, k = 3, adjusted_rand_score 0.9039" in out
    assert "equally good" not in out


def test_select_scores_are_those_of_the_estimators_themselves(run_json):
    names = ["adjusted_rand_score", "variation_of_information_distance"]
    result = run_json("select", "iris", "-k", "2:6", "--index", ",".join(names), "--scale")
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
    result = run_json("select", "iris", "-k", "2:5", "--index", f"{name},adjusted_rand_score")
    values = [row[name] for row in result["candidates"]]
    assert min(values) > 0
    assert result["best"][name] == min(values)
    assert [row["rank"] for row in result["candidates"]] == list(np.argsort(np.argsort(values)) + 1)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", ESTIMATORS)
def test_select_runs_every_estimator(name, run):
    values = ["--eps", "2,3"] if name == "dbscan" else ["-k", "2:3"]
    status, out, _ = run("select", "iris", *values, "--estimator", name, "--scale")
    assert status == 0
    assert len(re.findall(rf"^.\s+\d +{name} +[23] +0\.\d{{4}}$", out, re.MULTILINE)) == 2


def test_select_tells_ties(run, run_json):
    # Both split off setosa, so that their partitions are equal.
    arguments = ["select", "iris", "-k", "2:2", "--estimator", "agglomerative,gaussian-mixture"]
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


def test_select_takes_the_label_column_by_name(run, run_json, write):
    path = write("points.csv", "kind,x,y\nu,0,0.5\nu,0,1\nv,9,9\nv,9,8\n")
    assert (
        "points.csv: 4 objects, 2 features, 2 classes of 'kind'\n"
        in run("select", path, "--label", "kind", "-k", "2")[1]
    )
    result = run_json("select", path, "--label", "kind", "-k", "2")
    assert result["best"]["adjusted_rand_score"] == 1.0
    assert result["n_features"] == 2


def test_select_writes_all_candidates_to_a_csv(run_json, tmp_path):
    output = tmp_path / "candidates.csv"
    names = ["adjusted_mutual_info_score", "mirkin_distance"]
    result = run_json("select", "iris", "-k", "2:4", "--index", ",".join(names), "--output", output)
    with output.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == ["rank", "estimator", "k", *names]
    for row, candidate in zip(rows, result["candidates"], strict=True):
        assert (int(row["rank"]), int(row["k"])) == (candidate["rank"], candidate["k"])
        assert [float(row[name]) for name in names] == [candidate[name] for name in names]


@pytest.mark.processes
@pytest.mark.slow
def test_select_is_the_same_in_two_processes(run_json):
    arguments = ["select", "iris", "-k", "2:4", "--estimator", "kmeans,gaussian-mixture"]
    assert run_json(*arguments, "--n-jobs", "2") == run_json(*arguments)


def test_a_picture_marks_the_winners_of_the_search(run, drawn, tmp_path):
    picture = tmp_path / "k.png"
    run("select", "iris", "--estimator", "birch", "-k", "2:4", "--picture", picture)
    scores = np.array(drawn[0].curve.values)
    np.testing.assert_array_equal(drawn[0].curve.winners, scores == scores.max())


def test_select_random_state_reaches_the_estimator(run_json):
    (row,) = run_json(
        *["select", "iris", "-k", "5", "--estimator", "gaussian-mixture", "--random-state", "7"]
    )["candidates"]
    X, y = load_iris(return_X_y=True)
    expected = adjusted_rand_score(y, GaussianMixture(5, random_state=7).fit(X).predict(X))
    assert row["adjusted_rand_score"] == pytest.approx(expected)


def test_select_verbose_tells_each_candidate_on_stderr(run):
    _, out, err = run("select", "iris", "-k", "2:3", "--estimator", "kmeans,birch", "--verbose")
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
    monkeypatch.setattr(_select, "_SECONDS_OF_SILENCE", seconds)
    _, _, err = run("select", "iris", "-k", "2:3")
    assert err.count("candidate") == n_lines


def test_select_leaves_columns_out(run_json, write):
    rows = [f"{k},{name},{k % 2 * 9},{k % 2}" for k, name in enumerate("abcdef")]
    path = write("points.csv", "\n".join(["id,name,x,class", *rows]))
    for drop in (["--drop", "id,name"], ["--drop", "name", "--drop", "id"]):
        result = run_json("select", path, "-k", "2", *drop)
        assert result["n_features"] == 1
        assert result["best"]["adjusted_rand_score"] == 1.0


def test_select_takes_options_of_several_values_before_the_data(run, run_json, write):
    path = write("points.csv", "id,x,class\n1,0,u\n2,0,u\n3,9,v\n4,9,v\n")
    result = run_json("select", path, "-k", "2", "--index", "rand_score", "--drop", "id")
    for arguments in (
        ["-k", "2", "--drop", "id", "--index", "rand_score", path],
        ["-k", "2", "--index", "rand_score", "--drop", "id", path],
        ["--index", "rand_score", path, "--drop", "id", "-k", "2"],
        ["--index", "rand_score", "-k", "2", "--drop", "id", "--", path],
    ):
        # --json goes before what ends the options.
        status, out, err = run("select", "--json", *arguments)
        assert (status, err) == (0, "")
        assert json.loads(out) == result


def test_select_takes_steps_of_k(run_json):
    result = run_json("select", "iris", "-k", "2:9:3")
    assert [row["k"] for row in result["candidates"]] == [2, 5, 8]


def test_select_notes_features_of_different_scale(run, write, monkeypatch):
    monkeypatch.setattr(_files, "_MANY_TIMES", 50)
    X = np.random.default_rng(0).random((12, 2)) * [[1, 60]]
    rows = [f"{x!r},{y!r},3,{k % 2}" for k, (x, y) in enumerate(X.tolist())]
    path = write("points.csv", "\n".join(["width,height,constant,kind", *rows]))
    arguments = ["select", path, "-k", "2"]
    spans = [f"{span:.3g}" for span in np.ptp(X, axis=0)]
    note = (
        f"clustcompare: note: features differ in scale: 'height' spans {spans[1]} and 'width' "
        f"{spans[0]}; --scale gives all of them the same variance\n"
    )
    assert run(*arguments)[2] == note
    assert run(*arguments, "--scale")[2] == ""


def test_select_draws_a_curve_for_each_clusterer(run, tmp_path, drawn):
    path = tmp_path / "k.svg"
    names = ["kmeans", "agglomerative"]
    status, _, err = run(
        "select", "iris", "-k", "2:4", "--estimator", ",".join(names), "--picture", path
    )
    assert (status, err) == (0, "")
    assert path.read_text().startswith("<?xml")
    (display,) = drawn
    assert list(display.curve.names) == names
    assert display.curve.x == [2, 3, 4]
    assert display.ax_.get_ylabel() == "adjusted_rand_score"
    best = adjusted_rand_score(
        load_iris().target, AgglomerativeClustering(3).fit_predict(load_iris().data)
    )
    assert display.curve.values[1][1] == pytest.approx(best)
    assert sum(map(sum, display.curve.winners)) == 1


@pytest.mark.slow
def test_clusterers_by_density_are_tried_by_their_own_parameters(run_json, run, refuse):
    options = ["--estimator", "hdbscan,dbscan", "-k", "5:10:5", "--eps", "0.4,0.8"]
    X, y = load_iris(return_X_y=True)
    labels = [HDBSCAN(min_cluster_size=k, copy=True).fit_predict(X) for k in (5, 10)]
    labels += [DBSCAN(eps=eps).fit_predict(X) for eps in (0.4, 0.8)]
    expected = [
        get_index("ari")(ContingencyTable.from_labels(y, one, noise="singletons")) for one in labels
    ]
    rows = run_json("select", "iris", *options)["candidates"]
    assert [row["adjusted_rand_score"] for row in rows] == pytest.approx(expected)
    assert [row["k"] for row in rows] == [5, 10, 0.4, 0.8]
    out = run("select", "iris", "--estimator", "dbscan", "--eps", "0.8")[1]
    assert "* best: dbscan, eps = 0.8, adjusted_rand_score" in out
