"""``clustcompare check``: a clusterer by its checks, or by what was accepted before."""

import json
import sys

import pytest
from sklearn.datasets import make_blobs

from sklearn_clustcompare.checks import list_clusterer_checks

pytestmark = pytest.mark.usefixtures("one_thread")

KMEANS = ("sklearn.cluster:KMeans", "--param", "n_clusters=3")
MODULE = """
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans

class Fails(ClusterMixin, BaseEstimator):
    def fit(self, X, y=None):
        raise OSError("no device")

class Floats(KMeans):
    def fit(self, X, y=None, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.labels_ = self.labels_.astype(float)
        return self

class NoFitPredict(BaseEstimator):
    def fit(self, X):
        self.labels_ = [int(x > 0) for x in X[:, 0]]
        return self

ready = KMeans(n_clusters=2)

def make(k):
    return KMeans(n_clusters=k)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_clusterers.py").write_text(MODULE)
    X, y = make_blobs(60, centers=2, random_state=0)
    rows = [f"{i},{a},{b},{'xy'[c]}" for i, ((a, b), c) in enumerate(zip(X, y, strict=True))]
    (tmp_path / "own.csv").write_text("\n".join(["id,a,b,kind", *rows]))
    yield tmp_path
    sys.modules.pop("own_clusterers", None)


# --------------------------------------------------------------------------- accepted labels


def test_accept_then_compare(run, folder):
    assert run("check", *KMEANS, "--data", "iris", "--update") == (
        0,
        "sklearn.cluster:KMeans on iris: accepted, written to clustering_baseline.json\n",
        "",
    )
    status, out, err = run("check", *KMEANS, "--data", "iris")
    assert (status, err) == (0, "")
    assert "adjusted_rand_score 0.716, accepted 0.716: no difference (95 %" in out
    worse = ("check", "sklearn.cluster:KMeans", "--param", "n_clusters=2", "--data", "iris")
    before = (folder / "clustering_baseline.json").read_bytes()
    status, out, err = run(*worse)
    assert status == 1
    assert err == ("clustcompare: failed: sklearn.cluster:KMeans on iris is worse than accepted\n")
    assert out.count("worse by 0.1") == 1
    assert "merged" in out
    assert "Comparison of two clusterings" in out
    assert run(*worse, "--tolerance", "0.5")[0] == 0
    assert (folder / "clustering_baseline.json").read_bytes() == before


def test_a_csv_file_a_name_and_a_file(run_json, folder):
    options = ("--data", "own.csv", "--true", "kind", "--drop", "id", "--baseline", "b.json")
    options += ("--name", "mine", "--index", "rand_score")
    accepted = run_json("check", "own_clusterers:make", "--param", "k=2", *options, "--update")
    assert accepted == {"name": "mine", "baseline": "b.json", "accepted": True}
    found = run_json("check", "own_clusterers:ready", *options)
    assert found["name"] == "mine"
    assert found["index"] == "rand_score"
    assert found["score"] == found["accepted_score"]
    assert (found["is_worse"], found["difference"], found["pvalue"]) == (False, 0, 1)
    own = json.loads((folder / "b.json").read_text())["baselines"]["mine"]
    assert own["n_samples"] == 60


def test_json_of_a_worse_result(run, folder):
    run("check", *KMEANS, "--data", "iris", "--update")
    options = ("--param", "n_clusters=2", "--data", "iris", "--json")
    status, out, err = run("check", "sklearn.cluster:KMeans", *options)
    assert status == 1
    assert err.startswith("clustcompare: failed: ")
    assert json.loads(out)["is_worse"] is True


def test_labels_without_fit_predict(run, folder):
    arguments = ("check", "own_clusterers:NoFitPredict", "--data", "own.csv")
    assert run(*arguments, "--update")[0] == 0
    assert run(*arguments)[0] == 0


@pytest.mark.slow
def test_seeds_that_nobody_set_are_set(run_json, folder):
    starts = ("--param", "n_clusters=8", "--param", "init=random", "--param", "max_iter=1")
    arguments = ("check", "sklearn.cluster:KMeans", *starts, "--data", "digits")
    run_json(*arguments, "--update")
    scores = [run_json(*arguments)["difference"] for _ in range(2)]
    assert scores == [0, 0]
    assert run_json(*arguments, "--random-state", "3", "--tolerance", "1")["difference"] != 0


def test_a_file_that_cannot_be_used_is_status_2_and_stays(refuse, run, folder):
    arguments = ("check", *KMEANS, "--data", "iris")
    path = folder / "clustering_baseline.json"
    assert "does not exist; accept a first result" in refuse(*arguments)
    assert not path.exists()
    path.write_text("{")
    for options in ((), ("--update",)):
        assert "must be JSON" in refuse(*arguments, *options)
        assert path.read_text() == "{"
    path.unlink()
    run(*arguments, "--update")
    before = path.read_bytes()
    assert "must have a baseline 'sklearn.cluster:KMeans on wine'" in refuse(
        "check", *KMEANS, "--data", "wine"
    )
    assert "is for other data" in refuse(
        *("check", *KMEANS, "--data", "wine", "--name", "sklearn.cluster:KMeans on iris")
    )
    path.write_text(before.decode().replace('"version": 3', '"version": 2'))
    assert "must be of version 3, got version 2" in refuse(*arguments)


@pytest.mark.filterwarnings("default")
def test_another_scikit_learn_is_a_note(run, folder):
    arguments = ("check", *KMEANS, "--data", "iris")
    run(*arguments, "--update")
    path = folder / "clustering_baseline.json"
    content = json.loads(path.read_text())
    content["baselines"]["sklearn.cluster:KMeans on iris"]["scikit_learn"] = "0.18"
    path.write_text(json.dumps(content))
    status, _, err = run(*arguments)
    assert status == 0
    assert err.startswith("clustcompare: warning: baseline")
    assert "0.18" in err


# --------------------------------------------------------------------------- properties


@pytest.mark.slow
def test_properties_are_checked(run, run_json, folder):
    status, out, err = run("check", "sklearn.cluster:AgglomerativeClustering")
    assert (status, err) == (0, "")
    n_checks = len(run_json("check", "sklearn.cluster:AgglomerativeClustering")["checks"])
    assert out.endswith(f": {n_checks} of {n_checks} checks passed\n")
    promised = ("--promise", "shift", "--promise", "rotation")
    checks = run_json("check", "sklearn.cluster:AgglomerativeClustering", *promised)["checks"]
    assert len(checks) == n_checks + 3
    assert {row["check"] for row in checks} <= set(list_clusterer_checks())


@pytest.mark.processes
@pytest.mark.slow
def test_a_failed_check_is_status_1(run, folder):
    name = "check_labels_are_integers"
    status, out, err = run("check", "own_clusterers:Floats")
    assert (status, err) == (1, "")
    (line,) = (line for line in out.splitlines() if line.startswith(name))
    assert line.split()[1] == "failed"
    assert "got float64" in line
    status, out, _ = run("check", "own_clusterers:Floats", "--expected-failure", f"{name}=so be it")
    assert status == 0
    assert "expected (so be it)" in out
    status, _, err = run("check", *KMEANS, "--expected-failure", f"{name}=so be it")
    assert status == 1
    assert err == f"clustcompare: failed: {name} was expected to fail and passed\n"


# --------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["KMeans"], "the clusterer must be MODULE:NAME, got 'KMeans'"),
        (["no_module:KMeans"], "no_module cannot be imported: ModuleNotFoundError"),
        (["broken_module:KMeans"], "broken_module cannot be imported: SyntaxError"),
        (["sklearn.cluster:KMean"], "sklearn.cluster has no 'KMean'"),
        (["sklearn.cluster:KMeans", "--param", "k=3"], "cannot be made with {'k': 3}"),
        (["sklearn.cluster:KMeans", "--param", "k"], "must be NAME=VALUE, got 'k'"),
        (["sklearn.cluster:k_means"], "sklearn.cluster:k_means cannot be made with {}"),
        (["own_clusterers:Fails", "--data", "iris"], "fails on iris: OSError: no device"),
        (["sklearn.cluster:KMeans", "--data", "irs"], "no file is named 'irs': --data must be"),
        (["sklearn.cluster:KMeans", "--update"], "--update needs --data"),
        (["sklearn.cluster:KMeans", "--tolerance", "0"], "--tolerance needs --data"),
        (["sklearn.cluster:KMeans", "--delimiter", ";"], "--delimiter needs --data"),
        (["sklearn.cluster:KMeans", "--data", "iris", "--true", "a"], "--true names a column"),
        (
            ["sklearn.cluster:KMeans", "--data", "iris", "--promise", "x"],
            "--promise applies to checks",
        ),
        (["sklearn.cluster:KMeans", "--promise", "x"], "promises must be among"),
        (["sklearn.cluster:KMeans", "--expected-failure", "x=y"], "expected_failed_checks must"),
        (["sklearn.cluster:KMeans", "--expected-failure", "x"], "must be CHECK=REASON, got 'x'"),
        (["sklearn.cluster:KMeans", "--data", "own.csv", "--tolerance", "-1"], "tolerance must be"),
    ],
)
def test_what_cannot_run_is_status_2(refuse, folder, arguments, message):
    (folder / "broken_module.py").write_text("def (")
    assert message in refuse("check", *arguments)


def test_the_import_path_is_left_as_it_was(run, folder):
    before = list(sys.path)
    run("check", "own_clusterers:make", "--param", "k=2", "--data", "own.csv", "--update")
    assert sys.path == before
