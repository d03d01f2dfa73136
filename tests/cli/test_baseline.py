"""``clustcompare compare --baseline``: labels that another program writes, night by night."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from sklearn_clustcompare import sampled_reference_scores, score_interval
from sklearn_clustcompare._options import SCORES_OF_ENTITIES
from sklearn_clustcompare.checks import list_clusterer_checks
from sklearn_clustcompare.cli._baseline import _make, _row
from tests._examples import slow
from tests._files import REPOSITORY

COLUMNS = ("--true", "person", "--pred", "cluster", "--baseline", "nights.json")
PAGE = REPOSITORY / "doc" / "user_guide" / "checks.rst"


@pytest.fixture
def night(tmp_path, monkeypatch):
    """Write a table of 300 records of 10 persons, of which a share has a label at random."""
    monkeypatch.chdir(tmp_path)
    truth = np.random.default_rng(0).integers(10, size=300)

    def write(share, seed=0, rows=slice(None)):
        rng = np.random.default_rng([seed, 1])
        found = np.where(rng.random(300) < share, rng.integers(10, size=300), truth)
        records = [f"r{i},p{truth[i]},c{found[i]}" for i in rng.permutation(300)][rows]
        (tmp_path / "LABELS.csv").write_text("\n".join(["record,person,cluster", *records]))
        return "LABELS.csv"

    return write


def test_accept_then_compare_by_id(run, night):
    options = (*COLUMNS, "--id", "record")
    status, out, err = run("compare", night(0.1), *options, "--update")
    note = "clustcompare: note: cluster against person: accepted, written to nights.json\n"
    assert (status, err) == (0, note)
    assert out.startswith("300 objects, 10 clusters")
    status, out, err = run("compare", night(0.1, seed=1), *options)
    assert (status, err) == (0, "")
    assert "cluster against person: adjusted_rand_score 0." in out
    status, out, err = run("compare", night(0.4, seed=2), *options)
    assert status == 1
    assert re.fullmatch(
        r"clustcompare: failed: cluster against person is worse than accepted: "
        r"adjusted_rand_score 0\.\d{3}, by 0\.\d{3}\n",
        err,
    )
    assert "worst change first" in out
    assert run("compare", night(0.4, seed=2), *options, "--tolerance", "0.9")[0] == 0


def test_an_index_with_parameters_is_part_of_the_baseline(run, run_json, refuse, night):
    options = (*COLUMNS, "--id", "record")
    index = ("--index", "nmi:average_method=max")
    run("compare", night(0.1), *options, *index, "--update")
    compared = run_json("compare", night(0.1), *options, *index)
    title = "normalized_mutual_info_score:average_method=max"
    assert compared["baselines"][0]["index"] == title
    assert compared["baselines"][0]["score"] == compared["scores"][title]


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_other_objects_are_counted(run, night):
    options = (*COLUMNS, "--id", "record")
    run("compare", night(0.1, rows=slice(250)), *options, "--update")
    short = night(0.1, rows=slice(100, None))
    status, out, err = run("compare", short, *options)
    assert status == 1
    assert "150 of the 250 objects of baseline 'cluster against person' of nights.json are" in err
    assert "clustcompare: failed: " in err
    assert "less than --min-coverage, 0.9: check that the new labels are complete, or set" in err
    assert out.startswith("200 objects")
    status, out, err = run("compare", short, *options, "--min-coverage", "0.6", "--max-new", "0.3")
    assert status == 0
    assert "of 150 objects, 60.0% of the accepted objects; tolerance" in out
    assert "clustcompare: warning: 150 of 300 objects are both in baseline" in err


@pytest.mark.slow
def test_several_indices_in_json(run, night):
    options = (*COLUMNS, "--index", "ari,vi")
    assert run("compare", night(0.1), *options, "--update", "--json")[0] == 0
    status, out, _ = run("compare", night(0.1), *options, "--json")
    assert status == 0
    first, second = json.loads(out)["baselines"]
    assert first["name"] == "cluster against person"
    assert second["name"] == "cluster against person by variation_of_information_distance"
    assert (first["difference"], first["is_worse"]) == (0, False)


def test_groups_are_a_column_by_name(run, run_json, night):
    table = night(0.1)
    rows = [line.split(",") for line in Path(table).read_text().splitlines()[1:]]
    lines = [f"{r},{p},{c},{int(r[1:]) // 2}" for r, p, c in rows]
    Path(table).write_text("\n".join(["record,person,cluster,batch", *lines]))
    options = (*COLUMNS, "--groups", "batch")
    run("compare", table, *options, "--update")
    (found,) = run_json("compare", table, *options)["baselines"]
    assert found["groups"] == "batch"
    _, persons, clusters, batches = np.array([line.split(",") for line in lines]).T
    interval = score_interval(persons, clusters, index="ari", groups=batches).interval
    (entry,) = json.loads(Path("nights.json").read_text())["baselines"].values()
    assert (entry["interval_low"], entry["interval_high"]) == pytest.approx(interval)


@pytest.mark.filterwarnings("ignore:the (interval|test) may not hold")
def test_entities_are_compared_by_six_scores_with_entities_as_groups(run, night):
    options = (*COLUMNS, "--id", "record", "--family", "entity")
    _, _, err = run("compare", night(0.1), *options, "--update")
    assert err.count("accepted, written to") == len(SCORES_OF_ENTITIES)
    status, out, _ = run("compare", night(0.1), *options, "--json")
    compared = json.loads(out)["baselines"]
    assert status == 0
    assert [one["index"] for one in compared] == [*SCORES_OF_ENTITIES]
    assert {one["groups"] for one in compared} == {"person"}
    text = run("compare", night(0.1), *options)[1]
    assert "Intervals and p-values are for other clusters of person, as --family entity" in text
    assert text.count("of 10 groups; tolerance 0.01)") == len(SCORES_OF_ENTITIES)


@pytest.mark.slow
def test_other_fields_are_compared_by_indices_of_a_finite_range(run, night):
    _, _, err = run("compare", night(0.1), *COLUMNS, "--family", "network", "--update")
    assert "adjusted_mutual_info_score: accepted" in err
    assert "variation_of_information_distance" not in err


@pytest.mark.parametrize("form", ["text", *map(slow, ["json", "html", "markdown"])])
def test_all_reports_show_the_comparison(run, night, form):
    run("compare", night(0.1), *COLUMNS, "--update")
    status, out, _ = run("compare", night(0.1), *COLUMNS, "--report", form)
    assert status == 0
    if form == "json":
        assert len(json.loads(out)["baselines"]) == 1
    else:
        assert "cluster against person: adjusted_rand_score 0." in out
        assert (form == "html") == out.rstrip().endswith("</html>")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("r7,p", "r7,q", "of the same objects, where r7 and r16 are in one cluster; if the new"),
        ("r7,p7", "r7,p2", "same objects, where r2 and r7 are not in one cluster; if the new ones"),
        ("\nr", "\nx", "nights.json, such as 'r0', got none of them, but such as 'x0'"),
        ("r7,", ",", "LABELS.csv, line 9, column 'record': an id must not be missing; give"),
        ("r7,", "r3,", "column 'record': ids must be unique, got 'r3' as on line 5; remove one"),
        (",c5", ",c5,", "expected 3 fields as in the header, found 4; fields that contain the"),
    ],
)
def test_errors_of_tables_say_what_to_do(run, refuse, tmp_path, monkeypatch, old, new, message):
    monkeypatch.chdir(tmp_path)
    text = "\n".join(["record,person,cluster", *(f"r{i},p{i % 9},c{i % 9}" for i in range(90))])
    table, options = tmp_path / "LABELS.csv", (*COLUMNS, "--id", "record")
    table.write_text(text)
    run("compare", table.name, *options, "--update")
    table.write_text(text.replace(old, new))
    assert message in refuse("compare", table.name, *options)


# --------------------------------------------------------------------------- the recipes


def _recipes():
    blocks = re.findall(
        r"\.\. code-block:: (yaml|ini)\n\n((?:   .*\n|\n)+)", PAGE.read_text("utf-8")
    )
    return ["\n".join(line[3:] for line in text.splitlines()) for _, text in blocks]


def test_recipes_install_files_that_exist():
    recipes = _recipes()
    assert len(recipes) == 2
    for recipe in recipes:
        assert "wheels/*.whl" in recipe
        assert not re.search(r"install[^\n]*sklearn[-_]clustcompare", recipe)


@pytest.mark.processes
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the (interval|test) may not hold")
def test_the_nightly_workflow_writes_the_summary(run, night, tmp_path):
    yaml = pytest.importorskip("yaml")
    (workflow,) = (text for text in _recipes() if "GITHUB_STEP_SUMMARY" in text)
    steps = yaml.safe_load(workflow)["jobs"]["compare"]["steps"]
    commands = [step["run"].strip() for step in steps if "run" in step]
    assert commands[:2] == ["pip install wheels/*.whl", "python deduplicate.py --output LABELS.csv"]
    assert len(commands) == 3
    run("compare", night(0.1), *COLUMNS, "--id", "record", "--family", "entity", "--update")
    command = commands[-1].replace("clustcompare", f"{sys.executable} -m sklearn_clustcompare", 1)
    for share, status in ((0.1, 0), (0.5, 1)):
        night(share, seed=3)
        summary = tmp_path / f"summary-{status}.md"
        environment = os.environ | {
            "GITHUB_STEP_SUMMARY": str(summary),
            "PYTHONPATH": str(REPOSITORY),
        }
        done = subprocess.run(["bash", "-c", command], env=environment, cwd=tmp_path, check=False)
        assert done.returncode == status
        text = summary.read_text("utf-8")
        assert text.startswith("# ")
        assert "cluster against person by bcubed_f_score: " in text


def test_too_few_persons_are_named_as_the_groups(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    records = [f"{i},{i % 5},{i % 5}" for i in range(50)]
    (tmp_path / "LABELS.csv").write_text("\n".join(["record,person,cluster", *records]))
    options = (*COLUMNS, "--id", "record", "--family", "entity")
    status, _, err = run("compare", "LABELS.csv", *options, "--update")
    assert status == 2
    assert "they are the clusters of person, unless --groups names a column" in err


# --------------------------------------------------------------------------- gates


def _append(n, label="c0"):
    """Add records of as many new persons, all in one found cluster."""
    with Path("LABELS.csv").open("a") as file:
        file.writelines(f"\nn{k},new{k},{label}" for k in range(n))


NEW_IN_ONE = "worse than accepted in all 340 objects: pair_precision_score 0."
GATES = (*COLUMNS, "--id", "record", "--index", "pair_precision_score")


@pytest.mark.filterwarnings("default")
def test_new_records_in_one_cluster_fail_the_gate_of_all(run, night):
    run("compare", night(0.1), *GATES, "--update")
    _append(40, "one")
    status, out, err = run("compare", "LABELS.csv", *GATES)
    assert status == 1
    assert NEW_IN_ONE in err
    assert re.search(r"^all +loss, at least +pair_precision_score .* 0\.01 +failed$", out, re.M)
    assert re.search(r"^accepted +loss, at least +pair_precision_score .* passed$", out, re.M)
    assert run("compare", "LABELS.csv", *GATES, "--gate", "accepted,records")[0] == 0
    assert run("compare", "LABELS.csv", *GATES, "--gate", "all")[0] == 1
    result = json.loads(run("compare", "LABELS.csv", *GATES, "--json")[1])["baselines"][0]
    failed = [one["gate"] for one in result["gates"] if not one["passed"]]
    assert (failed, result["is_worse"], result["passed"]) == (["all"], True, False)


@pytest.mark.filterwarnings("default")
def test_records_that_come_go_and_have_no_label_are_counted(run, night):
    run("compare", night(0.1), *GATES, "--update")
    _append(30, "")
    status, _, err = run("compare", "LABELS.csv", *GATES)
    assert status == 1
    assert (
        "failed: 30 of the 330 objects have no label, 9.1%, more than --max-unlabeled, 0.05" in err
    )
    assert run("compare", "LABELS.csv", *GATES, "--max-unlabeled", "0.1")[0] == 0
    night(0.1)
    with Path("LABELS.csv").open("a") as file:
        file.writelines(f"\nn{k},new{k},new{k}" for k in range(100))
    status, _, err = run("compare", "LABELS.csv", *GATES)
    assert status == 1
    assert "failed: 100 of the 400 objects of the new labels are not in baseline" in err
    assert "25.0%, more than --max-new, 0.2: check" in err
    assert run("compare", "LABELS.csv", *GATES, "--max-new", "0.25")[0] == 0


def test_a_seed_that_is_given_stays_and_others_are_set():
    for given, seed in (({"random_state": 7}, 7), ({}, 3)):
        made = _make("sklearn.cluster:KMeans", {"n_clusters": 2, **given}, 3).get_params()
        assert (made["random_state"], made["n_clusters"]) == (seed, 2)
    assert _make("sklearn.cluster:HDBSCAN", {}, 3).get_params()["max_cluster_size"] is None


@pytest.mark.parametrize(
    ("error", "message"), [(ValueError("a\n b"), "ValueError: a b"), (AssertionError("c"), "c")]
)
def test_a_check_that_failed_says_what_was_raised(error, message):
    result = {"exception": error, "status": "failed", "check_name": "check_shift"}
    assert _row(result)["message"] == message


@pytest.mark.filterwarnings("default")
def test_the_rule_is_an_option(run, night):
    run("compare", night(0), *GATES, "--update")
    table = night(0)
    text = Path(table).read_text()
    Path(table).write_text(re.sub(r"(r1|r2),p(\d),c\d", r"\1,p\2,c99", text))
    assert run("compare", table, *GATES, "--tolerance", "0")[0] == 1
    assert run("compare", table, *GATES, "--tolerance", "0", "--rule", "test")[0] == 0
    assert run("compare", table, *GATES, "--tolerance", "1", "--rule", "difference")[0] == 0


def test_bad_gates(run, refuse, night):
    run("compare", night(0), *GATES, "--update")
    message = "--max-new must lie in [0, 1], got 2.0"
    assert message in refuse("compare", night(0), *GATES, "--max-new", "2")


# --------------------------------------------------------------------------- partial truth


def _partly_labeled(n_known):
    """Write persons of whom some are known, all of whose records have a label; found clusters."""
    rng = np.random.default_rng(0)
    persons = np.repeat(np.arange(200), 3)
    found = np.where(rng.random(600) < 0.1, rng.integers(200, size=600), persons)
    known = [f"p{p}" if p < n_known else None for p in persons]
    rows = [f"{p or ''},c{f}" for p, f in zip(known, found, strict=True)]
    Path("PARTLY.csv").write_text("\n".join(["person,cluster", *rows]))
    return known, found


def test_scores_of_a_sampled_reference(run, refuse, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    known, found = _partly_labeled(60)
    columns = ("PARTLY.csv", "--true", "person", "--pred", "cluster")
    expected = sampled_reference_scores(known, found)
    assert "--sampled of compare estimates scores if only some clusters" in refuse(
        "compare", *columns
    )
    status, out, err = run("compare", *columns, "--sampled", "--json")
    assert (status, err) == (0, "")
    result = json.loads(out)
    assert (result["n_samples"], result["n_known"]) == (600, 180)
    assert {one["index"]: one["value"] for one in result["scores"]} == expected.value
    status, out, _ = run("compare", *columns, "--sampled")
    assert out.startswith("180 of 600 objects are in known clusters of the reference\n")
    limit = expected.value["pair_precision_score"]
    for value, status in ((limit - 0.01, 0), (limit + 0.01, 1)):
        fails = ("--fail-under", f"pair_precision_score={value}")
        assert run("compare", *columns, "--sampled", *fails)[0] == status
    assert "with --sampled must be of one of" in refuse(
        "compare", *columns, "--sampled", "--fail-under", "ari=0.5"
    )
    gap = Path("PARTLY.csv").read_text().replace(",c5\n", ",\n")
    Path("PARTLY.csv").write_text(gap)
    err = refuse("compare", *columns, "--sampled")
    assert err.endswith("must not be missing, got ''; give the object a label of its own\n")


@pytest.mark.parametrize(("n_known", "warns"), [(60, True), (190, True), (197, False)])
def test_a_reference_that_is_partly_dropped_is_a_warning(
    run, tmp_path, monkeypatch, n_known, warns
):
    monkeypatch.chdir(tmp_path)
    _partly_labeled(n_known)
    columns = ("PARTLY.csv", "--true", "person", "--pred", "cluster", "--missing", "drop")
    status, _, err = run("compare", *columns)
    assert status == 0
    assert ("have no label in person and are left out: precision is too high" in err) is warns


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
    start = "clustcompare: failed: sklearn.cluster:KMeans on iris is worse than accepted: "
    assert err.startswith(f"{start}adjusted_rand_score 0.")
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


def test_a_column_called_otherwise_each_night_has_a_baseline_by_name(refuse, run, write, tmp_path):
    nights = write("nights.csv", "truth,monday,tuesday\n" + "a,1,1\na,1,2\nb,2,2\nb,2,1\n" * 10)
    arguments = ("compare", nights, "--true", "truth", "--baseline", tmp_path / "night.json")
    assert run(*arguments, "--pred", "monday", "--name", "night", "--update")[0] == 0
    assert run(*arguments, "--pred", "tuesday", "--name", "night")[0] == 1
    assert "got 'night'; give one of these as --name, or" in refuse(*arguments, "--pred", "tuesday")
    assert "--name is for one candidate, got monday, tuesday" in refuse(
        *arguments, "--pred", "monday,tuesday", "--name", "night"
    )


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


@pytest.mark.slow
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
