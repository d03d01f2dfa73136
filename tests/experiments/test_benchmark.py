"""Clusterers on many data sets: what is fitted, scored, kept and resumed."""

import errno
import functools
import json
import math
import os
import pathlib
import subprocess
import sys
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import sklearn
from sklearn.cluster import DBSCAN, KMeans
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare import (
    adjusted_rand_score,
    benchmark_clusterers,
    score_interval,
    van_dongen_distance,
)
from sklearn_clustcompare.experiments import benchmark_partitions, rank_methods
from sklearn_clustcompare.experiments._fit_file import Fit, FitFile, Task
from sklearn_clustcompare.results import BenchmarkResult
from tests._files import REPOSITORY
from tests.experiments._clusterers import Cut, Labeled, OtherLabels, RandomLabels

RNG = np.random.default_rng(0)
X = RNG.random((40, 2))
COARSE = (X[:, 0] > 0.4).astype(int)
FINE = COARSE * 2 + (X[:, 1] > 0.5)
DATASETS = {
    "one": (X, COARSE),
    "two": (X, {"coarse": COARSE, "fine": FINE}),
    "three": (X[:30], FINE[:30]),
}
ESTIMATORS = {"low": Cut(0.3), "middle": Cut(0.5), "random": RandomLabels(2)}
INDICES = ["adjusted_rand_score", "van_dongen_distance"]


def _values(result, **where):
    return [
        record["value"]
        for record in result.records
        if all(record[key] == value for key, value in where.items())
    ]


def _without_times(result):
    return [
        {key: value for key, value in record.items() if key != "seconds"}
        for record in result.records
    ]


def _same(one, other):
    assert repr(_without_times(one)) == repr(_without_times(other))


# --------------------------------------------------------------------------- the table


def test_every_value_is_that_of_the_index():
    result = benchmark_clusterers(ESTIMATORS, DATASETS, INDICES, random_state=0)
    assert len(result) == (1 + 2 + 1) * 3 * 2
    for name, estimator in list(ESTIMATORS.items())[:2]:
        for dataset, (features, labels) in DATASETS.items():
            found = estimator.fit_predict(features)
            several = labels if isinstance(labels, dict) else {"reference": labels}
            for reference, truth in several.items():
                where = {"dataset": dataset, "estimator": name, "reference": reference}
                assert _values(result, **where) == [
                    adjusted_rand_score(truth, found),
                    van_dongen_distance(truth, found),
                ]
    assert {record["n_clusters"] for record in result.records} == {2}
    assert all(record["seconds"] >= 0 for record in result.records)
    assert all(math.isnan(record["low"]) for record in result.records)
    assert all(record["error"] is None for record in result.records)


@pytest.mark.parametrize("references", ["max", "mean"])
def test_scores_are_over_references(references):
    result = benchmark_clusterers(
        ESTIMATORS, DATASETS, INDICES, references=references, random_state=0
    )
    for index, best in zip(INDICES, (max, min), strict=True):
        values = _values(result, dataset="two", estimator="low", index=index)
        expected = best(values) if references == "max" else np.mean(values)
        assert result.scores(index)[1, 0] == expected
    assert result.scores().shape == (3, 3)
    with pytest.raises(ValueError, match="^index must be one of those computed: 'adj.*got 'rand_"):
        result.scores("rand_score")
    with pytest.raises(ValueError, match=r"^index must be one of those computed: .*got \['rand_"):
        result.scores(["rand_score"])


def test_frame_has_the_records():
    pytest.importorskip("pandas")
    result = benchmark_clusterers(ESTIMATORS, DATASETS, INDICES, random_state=0)
    frame = result.to_frame()
    assert list(frame.columns) == list(result.records[0])
    assert frame["value"].tolist() == [record["value"] for record in result.records]


def test_ranks_are_those_of_the_scores():
    result = benchmark_clusterers(ESTIMATORS, DATASETS, INDICES, random_state=0)
    ranks = result.rank("van_dongen_distance")
    expected = rank_methods(result.scores("van_dongen_distance"), greater_is_better=False)
    assert np.array_equal(ranks.ranks, expected.ranks)
    assert ranks.names == list(ESTIMATORS)


@pytest.mark.filterwarnings("ignore:the intervals of")
def test_intervals_are_around_the_values():
    result = benchmark_clusterers(
        ESTIMATORS, DATASETS, INDICES, confidence_level=0.9, n_resamples=50, random_state=0
    )
    for record in result.records:
        assert record["low"] <= record["value"] <= record["high"]
        assert record["low"] < record["high"]
    widths = [record["high"] - record["low"] for record in result.records][:1]
    alone = score_interval(
        COARSE,
        Cut(0.3).fit_predict(X),
        index=INDICES[0],
        confidence_level=0.9,
        n_resamples=999,
        random_state=1,
    )
    assert widths[0] == pytest.approx(np.diff(alone.interval)[0], rel=0.4)


def test_shown():
    result = benchmark_clusterers(ESTIMATORS, DATASETS, INDICES, random_state=0)
    assert repr(result).startswith(
        "BenchmarkResult: 3 estimators on 3 data sets by adjusted_rand_score\nestimator"
    )
    assert "<table>" in result._repr_html_()


# --------------------------------------------------------------------------- numbers of clusters


def test_number_of_clusters_of_each_reference():
    estimators = {
        "k-means": KMeans(n_init=1),
        "mixture": make_pipeline(StandardScaler(), GaussianMixture(2)),
        "scan": DBSCAN(0.2),
    }
    result = benchmark_clusterers(
        estimators, DATASETS, "rand_score", n_clusters="reference", random_state=0
    )
    for record in result.records:
        if record["estimator"] == "k-means":
            is_coarse = record["dataset"] == "one" or record["reference"] == "coarse"
            assert record["n_clusters"] == (2 if is_coarse else 4)
    assert len({r["n_clusters"] for r in result.records if r["estimator"] == "mixture"}) == 2
    scans = [r for r in result.records if r["estimator"] == "scan" and r["dataset"] == "two"]
    assert len({(r["n_clusters"], r["seconds"]) for r in scans}) == 1


def test_noise_is_no_cluster_to_look_for():
    labels = np.where(np.arange(40) < 4, -1, FINE)
    for noise, expected in {"drop": 4, "cluster": 5}.items():
        result = benchmark_clusterers(
            {"k-means": KMeans(n_init=1)},
            {"data": (X, labels)},
            "rand_score",
            n_clusters="reference",
            noise=noise,
            random_state=0,
        )
        assert result.records[0]["n_clusters"] == expected
        assert result.records[0]["coverage"] == (0.9 if noise == "drop" else 1.0)


@pytest.mark.parametrize(("missing", "expected"), [("drop", 4), ("cluster", 5)])
def test_missing_labels_are_no_cluster_to_look_for_if_they_are_dropped(missing, expected):
    labels = np.where(np.arange(40) < 4, None, FINE.astype(object))
    result = benchmark_clusterers(
        {"random": RandomLabels()},
        {"data": (X, labels)},
        "rand_score",
        n_clusters="reference",
        missing=missing,
        random_state=0,
    )
    assert result.records[0]["n_clusters"] == expected


def test_lists_frames_and_sparse_matrices_are_data():
    pandas = pytest.importorskip("pandas")
    estimators = {"k-means": KMeans(2, n_init=1)}
    values = [
        benchmark_clusterers(
            estimators, {"data": (data, COARSE)}, "rand_score", random_state=0
        ).scores()
        for data in (X, X.tolist(), pandas.DataFrame(X), scipy.sparse.csr_array(X))
    ]
    assert len({float(one[0, 0]) for one in values}) == 1


# --------------------------------------------------------------------------- randomness


def test_repeats_differ_and_are_averaged():
    result = benchmark_clusterers(ESTIMATORS, DATASETS, INDICES, n_repeats=4, random_state=0)
    values = _values(result, dataset="one", estimator="random", index=INDICES[0])
    assert len(set(values)) > 1
    assert result.scores()[0, 2] == pytest.approx(np.mean(values))
    assert len(_values(result, dataset="one", estimator="low", index=INDICES[0])) == 1


def test_results_depend_on_the_seed_alone():
    first, same, other = (
        benchmark_clusterers(ESTIMATORS, DATASETS, INDICES, random_state=seed) for seed in (0, 0, 1)
    )
    _same(first, same)
    assert repr(_without_times(first)) != repr(_without_times(other))


def test_other_clusterers_and_data_do_not_matter():
    whole = benchmark_clusterers(ESTIMATORS, DATASETS, INDICES, n_repeats=2, random_state=0)
    part = benchmark_clusterers(
        {"random": RandomLabels()}, {"three": DATASETS["three"]}, INDICES, random_state=0
    )
    where = {"dataset": "three", "estimator": "random", "repeat": 0}
    assert _values(part) == _values(whole, **where)


@pytest.mark.slow
@pytest.mark.usefixtures("backend")
def test_result_does_not_depend_on_the_backend(tmp_path):
    path = tmp_path / "fits"
    options = {"n_repeats": 3, "random_state": 0}
    result = benchmark_clusterers(ESTIMATORS, DATASETS, INDICES, path=path, **options)
    _same(result, benchmark_clusterers(ESTIMATORS, DATASETS, INDICES, n_jobs=1, **options))
    again = benchmark_clusterers(ESTIMATORS, DATASETS, INDICES, path=path, n_jobs=1, **options)
    assert repr(again.records) == repr(result.records)  # the times, too


# --------------------------------------------------------------------------- failures


def test_one_failing_fit_loses_nothing():
    estimators = {"fails": Cut(fails=True), **ESTIMATORS}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = benchmark_clusterers(estimators, DATASETS, INDICES, random_state=0)
    (warning,) = caught
    assert warning.filename == __file__
    assert str(warning.message).startswith(
        "3 of 12 results failed, their scores are set to nan: 'fails' on 'one', 'fails' on 'two', "
    )
    assert "ArithmeticError: no convergence" in str(warning.message)
    errors = {record["error"] for record in result.records if record["estimator"] == "fails"}
    assert errors == {"ArithmeticError: no convergence\nat all"}
    others = [record for record in result.records if record["estimator"] != "fails"]
    expected = benchmark_clusterers(ESTIMATORS, DATASETS, INDICES, random_state=0)
    assert repr([one | {"seconds": 0} for one in others]) == repr(
        [one | {"seconds": 0} for one in expected.records]
    )
    with pytest.warns(UserWarning, match="3 scores are NaN and share the last rank"):
        assert result.rank().mean_ranks[0] == 4
    assert " 3 " in repr(result).splitlines()[-1] + " "


def test_a_failure_may_have_a_number_or_be_raised():
    estimators = {"fails": Cut(fails=True)}
    with pytest.warns(UserWarning, match="scores are set to -1"):
        result = benchmark_clusterers(estimators, DATASETS, INDICES, error_score=-1)
    assert set(_values(result)) == {-1}
    with pytest.raises(ArithmeticError) as caught:
        benchmark_clusterers(estimators, DATASETS, INDICES, error_score="raise")
    assert caught.value.__notes__ == ["Raised by 'fails' on 'one'."]


def test_warnings_of_fits_are_given_once():
    estimators = {"k-means": KMeans(3, n_init=1)}
    datasets = {name: (np.zeros((8, 1)), [0, 1] * 4) for name in "ab"}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        benchmark_clusterers(estimators, datasets, "rand_score", random_state=0)
    (warning,) = caught
    assert "distinct clusters" in str(warning.message)
    assert warning.filename == __file__


# --------------------------------------------------------------------------- the file


def _count(path):
    return len(path.read_text().splitlines()) if path.exists() else 0


def test_a_file_is_resumed_at_any_byte(tmp_path):
    """What was cut off, in the middle of a line or behind one, is fitted again, and no more."""
    log, path = tmp_path / "log", tmp_path / "fits.json"
    estimators = {"low": Cut(0.3, log=str(log)), "middle": Cut(0.5, log=str(log))}
    expected = benchmark_clusterers(estimators, DATASETS, INDICES, random_state=0, path=path)
    content = path.read_bytes()
    assert _count(log) == 6
    header = content.index(b"\n") + 1
    for length in [header, *np.linspace(header + 1, len(content), 12).astype(int).tolist()]:
        log.unlink(missing_ok=True)
        path.write_bytes(content[:length])
        whole = [json.loads(line) for line in content[:length].split(b"\n")[:-1]]
        result = benchmark_clusterers(estimators, DATASETS, INDICES, random_state=0, path=path)
        _same(result, expected)
        assert _count(log) == 6 - sum("task" in line for line in whole)
        assert all(json.loads(line) for line in path.read_bytes().splitlines())


def test_other_indices_repeats_estimators_and_data_need_no_fit_again(tmp_path):
    log, path = tmp_path / "log", tmp_path / "fits.json"
    estimators = {"low": Cut(0.3, log=str(log)), "random": RandomLabels()}
    some = {name: DATASETS[name] for name in ("one", "two")}
    benchmark_clusterers(estimators, some, INDICES, random_state=0, path=path)
    assert _count(log) == 2
    benchmark_clusterers(estimators, some, "purity_score", noise="drop", path=path)
    assert _count(log) == 2
    more = {**estimators, "middle": Cut(0.5, log=str(log))}
    result = benchmark_clusterers(more, DATASETS, INDICES, n_repeats=2, path=path)
    assert _count(log) == 2 + 1 + 3
    _same(result, benchmark_clusterers(more, DATASETS, INDICES, n_repeats=2, random_state=0))


def test_failed_fits_are_tried_again(tmp_path):
    path = tmp_path / "fits.json"
    log = tmp_path / "log"
    for expected in (3, 6):
        with pytest.warns(UserWarning, match="3 of 3 results failed"):
            benchmark_clusterers(
                {"fails": Cut(fails=True, log=str(log))}, DATASETS, INDICES, path=path
            )
        assert _count(log) == expected


def test_labels_come_back_as_they_were(tmp_path):
    path = tmp_path / "fits.json"
    for _ in range(2):
        result = benchmark_clusterers(
            {"scan": DBSCAN(0.1)}, DATASETS, "rand_score", noise="drop", path=path
        )
        expected = [np.mean(DBSCAN(0.1).fit_predict(data) != -1) for data in (X, X, X, X[:30])]
        assert [record["coverage"] for record in result.records] == pytest.approx(expected)


@pytest.mark.slow
@pytest.mark.processes
def test_what_was_finished_before_a_crash_is_kept(tmp_path):
    path = tmp_path / "fits.json"
    program = """
import sys
sys.path.append(sys.argv[2])
from tests.experiments._clusterers import Cut, Ending
from tests.experiments.test_benchmark import DATASETS, INDICES
from sklearn_clustcompare import benchmark_clusterers
benchmark_clusterers({"low": Cut(0.3)}, DATASETS, INDICES, random_state=0, path=sys.argv[1])
both = {"low": Cut(0.3), "middle": Cut(0.5), "ends": Ending()}
benchmark_clusterers(both, DATASETS, INDICES, random_state=0, path=sys.argv[1])
"""
    command = [sys.executable, "-c", program, str(path), str(REPOSITORY)]
    ended = subprocess.run(command, check=False)
    assert ended.returncode == 3
    kept = [json.loads(line).get("task") for line in path.read_bytes().splitlines()]
    # The fits go from data set to data set.
    assert [task[:2] for task in kept if task] == [
        *(["one", "low"], ["two", "low"], ["three", "low"]),
        ["one", "middle"],
    ]


@pytest.mark.slow
@pytest.mark.processes
def test_a_worker_that_dies_ends_the_call_and_keeps_the_others(tmp_path):
    from tests.experiments._clusterers import Ending

    path = tmp_path / "fits.json"
    estimators = {"low": Cut(0.3), "middle": Cut(0.5), "ends": Ending()}
    with (
        joblib.parallel_config("loky", n_jobs=2),
        pytest.raises(RuntimeError, match="^a worker process died"),
    ):
        benchmark_clusterers(estimators, {"one": DATASETS["one"]}, INDICES, path=path)
    assert path.read_bytes().endswith(b"\n")


def _opened(path, random_state=0, **estimators):
    return FitFile(path, random_state, False, estimators, {"d": X})


def _labels_of(name, number):
    return Fit(Task("d", name, number, None), 0.1, np.arange(len(X)))


def test_one_call_at_a_time_writes_a_file(tmp_path):
    path = tmp_path / "fits.json"
    first, second = _opened(path, 1, low=Cut(0.3)), _opened(path, 2, low=Cut(0.3))
    with first:
        first.add(_labels_of("low", 0))
        first._file.write(b'{"task": ["d", "low", 1')  # the beginning of a line
        first._file.flush()
        before = path.read_bytes()
        with pytest.raises(ValueError, match="^path must be a file that no other call is writing"):
            second.__enter__()
        assert path.read_bytes() == before
    # What was written since the second one was made is kept, as is the header.
    with second:
        assert second.entropy == 1
        assert list(second.fits) == [Task("d", "low", 0, None)]
        second.add(_labels_of("low", 1))
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert [line["task"][2] for line in lines if "task" in line] == [0, 1]
    assert sum("format" in line for line in lines) == 1


def test_a_file_in_use_by_another_process_is_an_error(tmp_path):
    path = tmp_path / "fits.json"
    program = """
import sys
from pathlib import Path
from sklearn_clustcompare._files import open_alone
stream = open_alone(Path(sys.argv[1]), "path")
print("open", flush=True)
sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout.readline().strip() == b"open"
        with pytest.raises(ValueError, match="no other call is writing, got one in use: .*json"):
            _begun(path)
        other.kill()  # a lock does not outlive its process
    _begun(path)


def _begun(path, **options):
    return benchmark_clusterers(
        {"low": Cut(0.3), "k-means": make_pipeline(StandardScaler(), KMeans(2, n_init=1))},
        DATASETS,
        INDICES,
        random_state=0,
        path=path,
        **options,
    )


@pytest.mark.parametrize(
    ("estimators", "datasets", "random_state", "message"),
    [
        (
            {"low": Cut(0.3)},
            DATASETS,
            0,
            r"^estimators must have all that are in .*, got none called 'k-means'",
        ),
        (
            {"low": Cut(0.2), "k-means": make_pipeline(StandardScaler(), KMeans(2, n_init=1))},
            DATASETS,
            0,
            r"^estimators\['low'\] must be the same as in .*, got at=0.2 for 0.3: name another",
        ),
        (
            {"low": Cut(0.3), "k-means": make_pipeline(StandardScaler(), KMeans(2, n_init=5))},
            DATASETS,
            0,
            r"^estimators\['k-means'\] .* got kmeans__n_init=5 for 1",
        ),
        (
            {
                "low": RandomLabels(),
                "k-means": make_pipeline(StandardScaler(), KMeans(2, n_init=1)),
            },
            DATASETS,
            0,
            r"^estimators\['low'\] .*class=tests.experiments._clusterers.RandomLabels for tests",
        ),
        (
            None,
            {"one": DATASETS["one"]},
            0,
            r"^datasets must have all .* none called 'two', 'three'",
        ),
        (
            None,
            DATASETS | {"one": (X + 1, COARSE)},
            0,
            r"^datasets\['one'\] must be the same as in .*, got other data: name another file",
        ),
        (None, DATASETS, 1, "^random_state must be the one with which .* was started, or None"),
    ],
)
def test_a_file_of_another_experiment_is_an_error(
    estimators, datasets, random_state, message, tmp_path
):
    path = tmp_path / "fits.json"
    _begun(path)
    before = path.read_bytes()
    if estimators is None:
        estimators = {
            "low": Cut(0.3),
            "k-means": make_pipeline(StandardScaler(), KMeans(2, n_init=1)),
        }
    with pytest.raises(ValueError, match=message):
        benchmark_clusterers(estimators, datasets, INDICES, random_state=random_state, path=path)
    assert path.read_bytes() == before


def _last(lines, **change):
    """Change the last fit, which is one of the smallest data set."""
    return [*lines[:-2], json.dumps(json.loads(lines[-2]) | change), ""]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: ["no file of ours"], "^path must be a file of this function or a new one"),
        (lambda lines: ["a,b", "1,2", ""], "^path must be a file of this function or a new one"),
        (lambda lines: ["[]", *lines[1:]], "^path must be a file of this function or a new one"),
        (
            lambda lines: [lines[0].replace('"version": 1', '"version": 2'), *lines[1:]],
            "must be of version 1, got version 2",
        ),
        (lambda lines: [lines[0].replace("entropy", "e"), *lines[1:]], "a damaged line 1"),
        (lambda lines: [*lines[:-2], lines[-2][:-9], ""], r"damaged line \d+ \("),
        (lambda lines: [*lines[:-2], lines[-2].replace('"labels"', '"l"'), ""], "damaged line"),
        (lambda lines: [*lines[:-1], '{"task": 1}', ""], "damaged line"),
        (lambda lines: [*lines[:-1], "[]", ""], "damaged line"),
        (lambda lines: [lines[0], '{"estimator": [], "parameters": {}}', ""], "damaged line 2"),
        (lambda lines: [lines[0], '{"estimator": "low", "parameters": 3}', ""], "damaged line 2"),
        (lambda lines: [lines[0], '{"dataset": "one", "hash": 3}', ""], "damaged line 2"),
        (lambda lines: [lines[0], *lines[-2:]], "damaged line 2"),
        (lambda lines: _last(lines, seconds="x"), "seconds must be a number"),
        (lambda lines: _last(lines, error="x"), "labels or an error"),
        (lambda lines: _last(lines, labels=None), "labels or an error"),
        (lambda lines: _last(lines, labels=None, error=3), "must be a string"),
        (lambda lines: _last(lines, task=["one", "low", -1, None]), "must be integers"),
        (lambda lines: _last(lines, task=["one", "none", 0, None]), "estimator must be known"),
        (lambda lines: _last(lines, task=["one", "low", 0, None]), "as many as the objects"),
    ],
)
def test_a_file_that_is_none_of_ours_stays_as_it_is(change, message, tmp_path):
    path = tmp_path / "fits.json"
    _begun(path)
    path.write_text("\n".join(change(path.read_text().split("\n"))))
    before = path.read_bytes()
    with pytest.raises(ValueError, match=message):
        _begun(path)
    assert path.read_bytes() == before


def _long(changed):
    values = np.zeros(2000)
    values[1000] = changed
    return values


@pytest.mark.parametrize(
    "make",
    [
        lambda one: scipy.sparse.csr_matrix(np.diag(_long(one)[990:1010] + 1)),
        lambda one: pd.Series(_long(one)),
        lambda one: pd.DataFrame({"a": _long(one)}),
        lambda one: {"a": _long(one)},
        lambda one: [{"a": (_long(one),)}],
        lambda one: Cut(one),
        lambda one: [Cut(one)],
        lambda one: functools.partial(np.quantile, q=one),
    ],
)
def test_values_that_look_alike_are_other_parameters(make, tmp_path):
    path = tmp_path / "fits.json"
    data = {"d": (X, COARSE)}
    for _ in range(2):
        benchmark_clusterers({"a": Labeled(make(0))}, data, INDICES, path=path)
    with pytest.raises(ValueError, match=r"^estimators\['a'\] must be the same as .* got value"):
        benchmark_clusterers({"a": Labeled(make(1))}, data, INDICES, path=path)


def _named():
    """Is a function that can be imported."""


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (lambda x: x, "^value of .*'a'.* must be a function or class that can be imported"),
        ([functools.partial(lambda x: x)], "^value of .* must be a function or class"),
        ((one for one in "ab"), r"^value of .* must be a value that joblib\.hash can hash"),
    ],
)
def test_values_that_another_run_cannot_recognize(value, message, tmp_path):
    path = tmp_path / "fits.json"
    data = {"d": (X, COARSE)}
    benchmark_clusterers({"a": Labeled(_named)}, data, INDICES, path=path)
    with pytest.raises(ValueError, match=message):
        benchmark_clusterers({"a": Labeled(value)}, data, INDICES, path=tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("dtype", ["S1", "datetime64[D]"])
def test_labels_that_no_file_can_keep(dtype, tmp_path):
    with pytest.raises(TypeError, match="^labels of 'a' on 'd' must be integers, .* got an array"):
        benchmark_clusterers(
            {"a": OtherLabels(dtype)}, {"d": (X, COARSE)}, INDICES, path=tmp_path / "fits"
        )


def test_another_version_of_scikit_learn_is_warned_of(tmp_path, monkeypatch):
    path = tmp_path / "fits.json"
    _begun(path)
    monkeypatch.setattr(sklearn, "__version__", "99.0")
    with pytest.warns(
        UserWarning, match=r"started with scikit-learn .* continued with 99\.0"
    ) as told:
        _begun(path)
    assert told[0].filename == __file__


# --------------------------------------------------------------------------- partitions


def _found(dataset, reference=None):
    features, _ = DATASETS[dataset]
    return {name: one.fit_predict(features) for name, one in list(ESTIMATORS.items())[:2]}


def test_partitions_are_scored_as_fits_are():
    estimators = dict(list(ESTIMATORS.items())[:2])
    expected = benchmark_clusterers(estimators, DATASETS, INDICES)
    result = benchmark_partitions(
        {name: labels for name, (_, labels) in DATASETS.items()},
        {name: _found(name) for name in DATASETS},
        INDICES,
    )
    assert isinstance(result, BenchmarkResult)
    _same(result, expected)
    assert all(math.isnan(record["seconds"]) for record in result.records)


def test_a_partition_for_each_reference():
    result = benchmark_partitions(
        {"data": {"coarse": COARSE, "fine": FINE}},
        {"data": {"matched": {"coarse": COARSE, "fine": FINE}, "single": COARSE}},
        "adjusted_rand_score",
        references="mean",
    )
    assert result.scores()[0, 0] == 1
    assert result.scores()[0, 1] == (1 + adjusted_rand_score(FINE, COARSE)) / 2


def test_soft_partitions_and_references():
    soft = np.eye(2)[COARSE] * 0.8 + 0.1
    result = benchmark_partitions({"data": COARSE}, {"data": {"soft": soft}}, INDICES[0])
    assert result.records[0]["value"] == adjusted_rand_score(COARSE, soft)


def test_a_method_without_a_partition():
    with pytest.warns(UserWarning, match="1 of 2 results failed.*'b' on 'data'.*no partition"):
        result = benchmark_partitions({"data": COARSE}, {"data": {"a": FINE, "b": None}}, INDICES)
    assert np.isnan(result.scores()).tolist() == [[False, True]]
    with pytest.raises(ValueError, match="the method has no partition"):
        benchmark_partitions({"data": COARSE}, {"data": {"b": None}}, INDICES, error_score="raise")


def test_a_partition_that_cannot_be_scored():
    with pytest.warns(UserWarning, match="1 of 2 results failed.*'b' on 'data'"):
        result = benchmark_partitions(
            {"data": COARSE}, {"data": {"a": FINE, "b": FINE[1:]}}, INDICES
        )
    assert "ValueError" in result.records[-1]["error"]
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        benchmark_partitions(
            {"data": COARSE}, {"data": {"b": FINE[1:]}}, INDICES, error_score="raise"
        )
    assert "Raised in scoring 'b' on 'data'." in caught.value.__notes__


# --------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"estimators": [KMeans()]}, TypeError, "^estimators must be a dict, .* got list"),
        ({"estimators": {}}, ValueError, "^estimators must not be empty"),
        ({"estimators": {1: KMeans()}}, TypeError, "^estimators must have strings as keys, got 1"),
        ({"estimators": {"a": KMeans}}, TypeError, r"^estimators\['a'\] must be an estimator"),
        ({"datasets": {"a": X}}, TypeError, r"^datasets\['a'\] must be a tuple \(X, labels_true\)"),
        ({"datasets": {"a": (X, {})}}, ValueError, "^labels_true of 'a' must not be empty"),
        ({"indices": "rand"}, ValueError, "^.*rand_score"),
        ({"references": "min"}, ValueError, "^references must be one of 'max', 'mean'; got 'min'"),
        ({"n_clusters": 3}, ValueError, "^n_clusters must be one of 'reference', None; got 3"),
        ({"n_repeats": 0}, ValueError, "^n_repeats must be at least 1, got 0"),
        ({"error_score": "nan"}, ValueError, "^error_score must be 'raise' or a real number"),
        ({"confidence_level": 1}, ValueError, "^confidence_level must lie between 0 and 1, got 1"),
        ({"n_jobs": 0}, ValueError, "^n_jobs must not be 0"),
        ({"noise": "leave"}, ValueError, "^noise must be one of"),
        ({"random_state": "x"}, ValueError, "^random_state must be"),
    ],
)
def test_bad_input(change, error, message):
    given = {"estimators": ESTIMATORS, "datasets": DATASETS, "indices": INDICES} | change
    with pytest.raises(error, match=message):
        benchmark_clusterers(**given)


@pytest.mark.parametrize(
    ("labels_true", "partitions", "message"),
    [
        (
            {"a": COARSE},
            {"b": {"m": FINE}},
            "^partitions must have the data sets of .* 'a'; got 'b'",
        ),
        (
            {"a": COARSE, "b": COARSE},
            {"a": {"m": FINE}, "b": {"m": FINE, "n": FINE}},
            r"^partitions\['b'\] must have the methods of the other data sets, 'm'; got 'm', 'n'",
        ),
        (
            {"a": {"r": COARSE, "s": FINE}},
            {"a": {"m": {"r": FINE}}},
            r"^partitions\['a'\]\['m'\] must be a partition, or one for each .* 'r', 's'; got 'r'",
        ),
        ({"a": COARSE}, {"a": {}}, r"^partitions\['a'\] must not be empty"),
        ({"a": COARSE}, {"a": None}, r"^partitions\['a'\] must be a dict, .* got NoneType"),
    ],
)
def test_partitions_that_do_not_fit(labels_true, partitions, message):
    with pytest.raises((TypeError, ValueError), match=message):
        benchmark_partitions(labels_true, partitions, INDICES)


def test_a_file_that_cannot_be_written(tmp_path, monkeypatch):
    def refuse(*arguments):
        raise OSError(errno.ENOLCK, "no locks here")

    monkeypatch.setattr(pathlib.Path, "open", refuse)
    with pytest.raises(ValueError, match="^path cannot be written: no locks here"):
        _begun(tmp_path / "fits.json")


@pytest.mark.parametrize("path", ["", ".", "no folder/fits.json", os.devnull])
def test_a_path_that_is_no_file(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="^path must be a file, .* got"):
        _begun(path)


def test_a_path_must_be_a_path():
    with pytest.raises(TypeError, match="^path must be a str, a path or None, got 3"):
        _begun(3)


@pytest.mark.parametrize(
    ("labels_true", "error", "message"),
    [
        (None, TypeError, "^labels_true of 'd' must be a 1-D array of labels, got NoneType"),
        ({"r": COARSE, "s": None}, TypeError, "^reference 's' in labels_true of 'd' must be"),
        (COARSE[1:], ValueError, "^labels_true of 'd' must have a label for each of 40 .* got 39"),
        (np.where(COARSE, np.nan, 1.0), ValueError, "^labels_true of 'd' must not contain NaN"),
    ],
)
def test_bad_references_are_errors_before_any_fit(labels_true, error, message, tmp_path):
    log = tmp_path / "log"
    with pytest.raises(error, match=message):
        benchmark_clusterers({"a": Cut(log=log)}, {"d": (X, labels_true)}, INDICES)
    assert not log.exists()
    if len(labels_true if labels_true is not None else []) != 39:
        with pytest.raises(error, match=message):
            benchmark_partitions({"d": labels_true}, {"d": {"a": FINE}}, INDICES)


def test_references_of_one_data_set_have_as_many_objects():
    with pytest.raises(ValueError, match="^reference 's' in .* each of 40 objects, got 39"):
        benchmark_partitions({"d": {"r": COARSE, "s": FINE[1:]}}, {"d": {"a": FINE}}, INDICES)


def test_data_and_references_of_other_objects():
    frame = pd.DataFrame(X, index=[f"object {k}" for k in range(40)])
    labels = pd.Series(COARSE, index=frame.index)
    benchmark_clusterers({"a": Cut()}, {"d": (frame, labels)}, INDICES)
    with pytest.raises(ValueError, match="^X of 'd' and labels_true of 'd' must have the same ind"):
        benchmark_clusterers({"a": Cut()}, {"d": (frame, labels[::-1])}, INDICES)


@pytest.mark.parametrize("last", ["passthrough", None])
def test_a_last_step_that_is_none_has_no_number_of_clusters(last):
    pipeline = Pipeline([("scale", StandardScaler()), ("last", last)])
    with pytest.warns(UserWarning, match="'a' on 'd'"):
        result = benchmark_clusterers(
            {"a": pipeline, "b": Cut()}, {"d": (X, COARSE)}, INDICES, n_clusters="reference"
        )
    assert [record["error"] is None for record in result.records] == [False] * 2 + [True] * 2


def test_intervals_do_not_depend_on_other_methods():
    options = {"confidence_level": 0.9, "n_resamples": 20, "random_state": 0}
    found = {"m": FINE, "a": np.roll(COARSE, 1), "z": COARSE}
    all_three = benchmark_partitions({"d": COARSE}, {"d": found}, INDICES, **options)
    for name in found:
        alone = benchmark_partitions({"d": COARSE}, {"d": {name: found[name]}}, INDICES, **options)
        assert alone.records == [one for one in all_three.records if one["estimator"] == name]


def test_verbose_counts_fits(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    benchmark_clusterers(ESTIMATORS, DATASETS, INDICES, verbose=1)
    assert "fits: 9 of 9" in capsys.readouterr().err
