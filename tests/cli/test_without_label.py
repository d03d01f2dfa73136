"""``clustcompare select --no-label``: the number of clusters without a reference."""

import csv
import json

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.metrics import silhouette_score

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare import choose_n_clusters
from sklearn_clustcompare.cli import _files

CENTERS = [[0, 0], [9, 0], [4, 8]]


@pytest.fixture
def blobs(write):
    X, _ = make_blobs(45, centers=CENTERS, random_state=0)
    rows = [f"{number},{x!r},{y!r}" for number, (x, y) in enumerate(X.tolist())]
    return X, write("blobs.csv", "\n".join(["id,x,y", *rows]))


@pytest.mark.slow
def test_select_prints_the_result_of_choose_n_clusters(blobs, run, monkeypatch):
    monkeypatch.setattr(_files, "_MANY_TIMES", 1)
    X, path = blobs
    status, out, err = run("select", path, "--no-label", "--drop", "id", "-k", "2:4")
    assert status == 0
    assert err.startswith("clustcompare: note: features differ in scale: ")
    choice = choose_n_clusters(KMeans(n_init=3, random_state=0), X, param_range=range(2, 5))
    assert choice.n_clusters == 3
    head = f"{path}: 45 objects, 2 features, kmeans (n_init=3); one cluster is also tried"
    assert out == f"{head}\n\n{choice}\n"


@pytest.mark.slow
def test_select_writes_json_a_table_and_a_picture(blobs, run, tmp_path):
    pytest.importorskip("matplotlib")
    X, path = blobs
    table, picture = tmp_path / "k.csv", tmp_path / "k.PNG"
    status, out, err = run(
        *["select", path, "--no-label", "--drop", "id", "-k", "2:3", "--scale", "--json"],
        *["--estimator", "gaussian-mixture", "--output", table, "--picture", picture],
    )
    assert (status, err) == (0, "")
    result = json.loads(out, parse_constant=pytest.fail)
    assert result["n_samples"] == 45
    assert result["n_features"] == 2
    assert (result["estimator"], result["n_init"]) == ("gaussian-mixture", 3)
    assert result["verdict"].keys() == {"grade", "finer", "at_least", "reasons"}
    assert (result["n_clusters"], result["verdict"]["grade"]) == (3, "separated")
    assert [row["n_clusters"] for row in result["candidates"]] == [1, 2, 3]
    assert result["candidates"][0]["silhouette"] is None
    assert result["verdict"]["reasons"][-1].startswith("No evidence knows")
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["n_clusters"] for row in rows] == ["1", "2", "3"]
    ratios = [row["ratio"] for row in result["candidates"][1:]]
    np.testing.assert_allclose([float(row["ratio"]) for row in rows[1:]], ratios)
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_limit_is_of_an_index_of_the_data(blobs, run):
    X, path = blobs
    quick = ["--no-label", "--drop", "id", "-k", "2:4"]
    found = KMeans(3, n_init=3, random_state=0).fit_predict(X)
    score = silhouette_score(X, found)
    for limit, status in ((score - 1e-6, 0), (score + 1e-6, 1)):
        fails = ["--fail-under", f"silhouette_score={limit!r}", "--json"]
        done = run("select", path, *quick, *fails)
        assert done[0] == status
        assert json.loads(done[1])["thresholds"][0]["value"] == pytest.approx(score)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "name", "values"),
    [
        (["dbscan", "--eps", "0.1,1,2,20"], "eps", [0.1, 1, 2, 20]),
        (["hdbscan"], "min_cluster_size", [5, 10, 15, 20]),
        (["hdbscan", "-k", "6:12:3"], "min_cluster_size", [6, 9, 12]),
    ],
)
def test_clusterers_by_density_take_a_range_of_their_parameter(
    blobs, run_json, options, name, values
):
    quick = ["--no-label", "--drop", "id"]
    result = run_json("select", blobs[1], *quick, "--estimator", *options)
    assert [row[name] for row in result["candidates"]] == values
    assert (result["n_clusters"], result["verdict"]["grade"]) == (3, "separated")


def test_nothing_that_dbscan_clusters_is_said(blobs, run):
    given = ["--no-label", "--drop", "id", "--estimator", "dbscan", "--eps", "1e-6,2e-6"]
    status, out, _ = run("select", blobs[1], *given)
    assert status == 0
    assert "no number of clusters: nothing was divided" in out
    assert "At these values nothing was clustered." in out


def test_the_range_may_go_on_if_none_is_given(blobs, run, monkeypatch):
    given = []
    monkeypatch.setattr(
        clustcompare, "choose_n_clusters", lambda *_, param_range, **__: given.append(param_range)
    )
    with pytest.raises(AttributeError):  # no result to print
        run("select", blobs[1], "--no-label")
    assert given == [None]
