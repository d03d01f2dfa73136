"""Many candidates against one reference: values, inputs, workers, faults."""

import gzip
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from collections import UserDict
from dataclasses import replace
from itertools import islice
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import (
    adjusted_rand_score,
    get_index,
    metrics,
    pairwise_scores,
    score_candidates,
)
from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare._table import count
from sklearn_clustcompare._tasks import run_tasks
from sklearn_clustcompare.indices import INDICES
from sklearn_clustcompare.results import CandidateScores
from tests._examples import in_processes, slow
from tests._files import REPOSITORY, SHARED_DATA
from tests._indices import own_index
from tests.candidates._examples import (
    FIVE,
    INDEXED,
    LETTERS,
    NAMED,
    SHUFFLED,
    TRUTH,
    are_equal,
    random_memberships,
    random_partitions,
)

CANDIDATES = SHARED_DATA / "candidates"


# --------------------------------------------------------------------------- values


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_candidates_score_as_the_functions_do():
    truth, *candidates = random_partitions()
    result = score_candidates(truth, candidates, indices=list(INDICES))
    assert list(result.scores) == list(INDICES)
    for name, values in result.scores.items():
        expected = [getattr(metrics, name)(truth, labels) for labels in candidates]
        assert values.tolist() == expected
    assert result.n_clusters.tolist() == [len(set(labels)) for labels in candidates]
    assert result.coverage.tolist() == [1.0] * len(candidates)


def test_weights_and_parameters_reach_the_indices_that_take_them():
    truth, *candidates = random_partitions()
    weights = np.random.default_rng(1).integers(4, size=len(truth))
    names = ["mutual_info_score", "normalized_mutual_info_score", "rand_score"]
    result = score_candidates(truth, candidates, indices=names, sample_weight=weights, q=2.0)
    for name, params in zip(names, [{"q": 2.0}, {"q": 2.0}, {}], strict=True):
        function = getattr(metrics, name)
        expected = [function(truth, one, sample_weight=weights, **params) for one in candidates]
        assert result.scores[name].tolist() == expected


@pytest.mark.parametrize("noise", ["cluster", "singletons", "drop"])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_noise_is_treated_as_in_one_table(noise, n_jobs):
    rng = np.random.default_rng(0)
    truth, *candidates = rng.integers(-1, 4, (6, 50))
    result = score_candidates(truth, candidates, indices=FIVE, noise=noise, n_jobs=n_jobs)
    tables = [count(truth, labels, None, Reading(noise=noise)) for labels in candidates]
    for name, values in result.scores.items():
        assert values.tolist() == [INDICES[name](table) for table in tables]
    assert result.coverage.tolist() == [table.coverage for table in tables]
    assert (result.coverage < 1).all() == (noise == "drop")
    assert result.n_clusters.tolist() == [table.shape[1] for table in tables]


@pytest.mark.parametrize("n_jobs", [1, in_processes(2, id="processes")])
def test_memberships_are_candidates_and_references(n_jobs):
    truth = random_partitions()[2]
    soft, other = random_memberships(3), random_memberships(4, seed=1)
    names = [n for n, index in INDICES.items() if index.soft]
    for reference in (truth, soft):
        candidates = {"soft": other, "crisp": random_partitions()[3], "self": soft}
        result = score_candidates(reference, candidates, indices=names, n_jobs=n_jobs)
        for position, candidate in enumerate(candidates.values()):
            table = count(reference, candidate, moments=True)
            found = {name: values[position] for name, values in result.scores.items()}
            assert found == {name: INDICES[name](table) for name in names}
            assert result.n_clusters[position] == table.shape[1]


def test_possibilistic_memberships_need_to_be_told():
    loose = random_memberships(3) / 2
    truth = random_partitions()[2]
    result = score_candidates(truth, [loose], indices="purity_score", possibilistic=True)
    table = count(truth, loose, None, Reading(possibilistic=True))
    assert result.scores["purity_score"].tolist() == [INDICES["purity_score"](table)]


# --------------------------------------------------------------------------- inputs


class _LazyMapping(UserDict):
    """Loads what is asked for, as an .npz file does."""


def _as_generator(candidates):
    yield from candidates


@pytest.mark.parametrize(
    "convert",
    [
        np.array,
        list,
        _as_generator,
        lambda c: map(tuple, c),
        lambda c: np.array(c).astype(float),
        lambda c: np.array(c).astype(np.uint8),
        lambda c: [pd.Series(labels) for labels in c],
        lambda c: [pd.Series(labels).astype("category") for labels in c],
        lambda c: np.asfortranarray(c),
    ],
    ids=["array", "list", "generator", "map", "floats", "uint8", "series", "categories", "columns"],
)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_candidates_come_in_many_forms(convert, n_jobs):
    truth, *candidates = random_partitions()
    result = score_candidates(truth, convert(candidates), indices=FIVE, n_jobs=n_jobs)
    assert are_equal(result, score_candidates(truth, candidates, indices=FIVE))
    assert result.names == list(range(len(candidates)))
    scores = pairwise_scores(convert(candidates), index="rand_score")
    assert (
        scores.values.tobytes() == pairwise_scores(candidates, index="rand_score").values.tobytes()
    )


@pytest.mark.parametrize("convert", [dict, _LazyMapping, pd.DataFrame])
def test_candidates_have_names(convert):
    result = score_candidates(TRUTH, convert(NAMED), indices=FIVE)
    assert result.names == list(NAMED)
    assert result.best() == "same"
    expected = score_candidates(TRUTH, list(NAMED.values()), indices=FIVE)
    assert all((result.scores[name] == expected.scores[name]).all() for name in FIVE)
    pairs = pairwise_scores(convert(NAMED), index="rand_score")
    assert (
        pairs.values.tolist()
        == pairwise_scores(list(NAMED.values()), index="rand_score").values.tolist()
    )


def test_columns_of_a_frame_may_share_a_name():
    frame = pd.DataFrame(np.transpose(list(random_partitions(6, (2, 2)))), columns=["a", "a"])
    assert score_candidates(TRUTH, frame, indices="rand_score").names == ["a", "a"]


def test_candidates_of_a_file_of_arrays(tmp_path):
    path = tmp_path / "candidates.npz"
    np.savez(path, **{name: np.array(labels) for name, labels in NAMED.items()})
    with np.load(path) as file:
        assert score_candidates(TRUTH, file, indices=FIVE).best() == "same"


@pytest.mark.parametrize("empty", [[], {}, iter(()), np.empty((0, 6), int), pd.DataFrame()])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_no_candidates_are_refused(empty, n_jobs):
    with pytest.raises(ValueError, match="^candidates must hold at least one partition, got an em"):
        score_candidates(TRUTH, empty, indices=FIVE, n_jobs=n_jobs)


def test_result_without_candidates():
    nothing = np.empty(0)
    indices = {"adjusted_rand_score": get_index("ari")}
    parameters = {"adjusted_rand_score": {}}
    scores = {"adjusted_rand_score": nothing}
    result = CandidateScores(scores, [], nothing.astype(int), nothing, indices, parameters)
    assert (len(result), result.names) == (0, [])
    assert result.rank().tolist() == []
    assert result.to_frame().shape == (0, 3)
    assert repr(result) == "CandidateScores: 0 candidates by adjusted_rand_score"
    assert "0 candidates" in result._repr_html_()
    with pytest.raises(ValueError, match="^there is no best candidate"):
        result.best()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_no_partitions_and_one(n_jobs):
    for name in ("rand_score", "purity_score"):
        with pytest.raises(ValueError, match="^partitions must hold at least one partition"):
            pairwise_scores([], index=name, n_jobs=n_jobs)
        assert pairwise_scores([TRUTH], index=name, n_jobs=n_jobs).values.tolist() == [[1.0]]
    one = score_candidates(TRUTH, [TRUTH], indices=FIVE, n_jobs=n_jobs)
    assert one.best() == 0
    assert one.rank().tolist() == [1]


def test_one_object_and_none():
    assert pairwise_scores([[1], [2], ["a"]], index="rand_score").values.tolist() == [[1.0] * 3] * 3
    assert pairwise_scores([[], []], index="rand_score").values.tolist() == [[1.0] * 2] * 2
    assert score_candidates([], [[]], indices="rand_score").scores["rand_score"].tolist() == [1.0]


@pytest.mark.parametrize(
    ("candidates", "error", "message"),
    [
        (
            "abc",
            TypeError,
            "candidates must be several partitions.* got str; functions with data= t",
        ),
        (None, TypeError, "candidates must be several partitions: .* got NoneType$"),
        (np.array(TRUTH), ValueError, "candidates must be a 2-D .* make {'name': labels}$"),
        ([TRUTH, TRUTH[1:]], ValueError, "labels_true and candidate 1 must have the same length"),
        ({"a": TRUTH[1:]}, ValueError, r"labels_true and candidate 0 \('a'\) must have the same"),
        ([TRUTH, [0, 0, np.nan, 1, 1, 1]], ValueError, "candidate 1 must not contain .*, got nan"),
        ({"a": [*"aaabb", None]}, ValueError, r"candidate 0 \('a'\) must not contain missing"),
        ([TRUTH, None], TypeError, "candidate 1 must be a 1-D array of labels, got NoneType"),
        ([TRUTH, [[0.5, 0.6]] * 6], ValueError, "candidate 1: memberships of a row must sum to 1"),
    ],
)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_errors_name_the_candidate(candidates, error, message, n_jobs):
    with pytest.raises(error, match=f"^{message}"):
        score_candidates(TRUTH, candidates, indices=FIVE, n_jobs=n_jobs)


@pytest.mark.parametrize("n_jobs", [1, in_processes(2, id="processes")])
def test_errors_of_an_index_tell_the_candidate(n_jobs):
    weights = [0.1] * 6
    with pytest.raises(ValueError, match="frequencies") as caught:
        score_candidates(TRUTH, NAMED, indices="rand_score", sample_weight=weights, n_jobs=n_jobs)
    assert caught.value.__notes__ == [
        "The comparison of labels_true with candidate 0 ('near') failed."
    ]


# --------------------------------------------------------------------------- candidates that fail


def fails_for_five(table):
    if table.shape[1] == 5:
        msg = "five is too many"
        raise ZeroDivisionError(msg)
    return 1.0 / table.shape[1]


FAILING = {
    "good": TRUTH,
    "short": TRUTH[1:],
    "missing": [0, 0, np.nan, 1, 1, 1],
    "soft": [[0.5, 0.6]] * 6,
    "none": None,
    "far": NAMED["far"],
    "five": [0, 1, 2, 3, 4, 4],
}


@pytest.mark.parametrize("n_jobs", [1, in_processes(2, id="processes")])
@pytest.mark.parametrize("error_score", [np.nan, -1.0, 0])
def test_candidates_that_fail_have_the_error_score(n_jobs, error_score, monkeypatch):
    own = own_index(fails_for_five, adjusted=True)
    with pytest.warns(UserWarning, match="^5 of 7 candidates failed.*'short', 'missing'") as told:
        result = score_candidates(
            TRUTH,
            FAILING,
            indices=[own, "purity_score"],
            error_score=error_score,
            n_jobs=n_jobs,
            confidence_level=0.9,
            n_resamples=5,
        )
    assert f"are set to {error_score}" in str(told[0].message)
    assert "The first error: labels_true and candidate 1 ('short') must have" in str(
        told[0].message
    )
    is_bad = [name not in ("good", "far") for name in FAILING]
    assert result.names == list(FAILING)
    for name, good in (("own", [0.5, 1 / 3]), ("purity_score", [1.0, 0.5])):
        np.testing.assert_array_equal(result.scores[name][is_bad], error_score)
        assert result.scores[name][np.logical_not(is_bad)].tolist() == good
        assert np.isnan(result.intervals[name]).any(axis=1).tolist() == is_bad
        assert result.best(name) == "good"
        assert result.rank(name).tolist() == [1, 3, 3, 3, 3, 2, 3]
    assert result.n_clusters.tolist() == [2, 0, 0, 0, 0, 3, 0]
    assert result.coverage.tolist() == [1.0, 0, 0, 0, 0, 1.0, 0]
    assert result.compare("own").pairs == [("good", "far")]


def test_a_failure_without_a_message_is_a_failure():
    def fails(table):
        raise MemoryError

    with pytest.warns(UserWarning, match="1 of 1 candidates failed.* The first error: MemoryError"):
        result = score_candidates(TRUTH, [TRUTH], indices=own_index(fails), error_score=0.0)
    assert result.scores["own"].tolist() == [0.0]


def test_an_error_of_ones_own_index_is_raised_with_the_candidate():
    with pytest.raises(ZeroDivisionError, match="five") as caught:
        score_candidates(TRUTH, {"five": FAILING["five"]}, indices=own_index(fails_for_five))
    assert "candidate 0 ('five') failed" in caught.value.__notes__[0]


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("error_score", ["raise", 0.0])
def test_a_candidate_that_is_all_noise_is_the_worst(n_jobs, error_score):
    noisy = {"all": [-1] * 6, "near": NAMED["near"], "too": [-1, -1, -1, -1, -1, -1]}
    options = {"noise": "drop", "error_score": error_score, "n_jobs": n_jobs}
    with pytest.warns(UndefinedMetricWarning, match="^2 of 3 candidates have no obj.*'all', 'too'"):
        result = score_candidates(
            TRUTH, noisy, indices=["purity_score", "mirkin_distance"], **options
        )
    for name in result.scores:
        assert np.isnan(result.scores[name]).tolist() == [True, False, True]
        assert result.rank(name).tolist() == [2, 1, 2]
        assert result.best(name) == "near"
    assert result.coverage.tolist() == [0.0, 1.0, 0.0]
    with pytest.warns(UndefinedMetricWarning, match="^1 of 1 candidates have no object left"):
        result = score_candidates([-1] * 6, [TRUTH], indices="rand_score", **options)
    with pytest.raises(ValueError, match="none of the 1 has a score by rand_score"):
        result.best()


# --------------------------------------------------------------------------- ids


def test_series_are_aligned_by_their_index():
    truth = pd.Series([0, 0, 1, 1, 2], index=list("abcde"))
    shuffled = pd.Series([7, 3, 3, 4, 7], index=list("ecdab"))
    expected = adjusted_rand_score(truth, [4, 7, 3, 3, 7])
    weights = pd.Series([1, 2, 3, 4, 5], truth.index)
    for n_jobs in (1, 2):
        result = score_candidates(
            truth,
            {"by id": shuffled, "in order": pd.Series([4, 7, 3, 3, 7], index=truth.index)},
            indices="adjusted_rand_score",
            sample_weight=weights,
            unmatched="drop",
            n_jobs=n_jobs,
        )
        weighted = adjusted_rand_score(truth, [4, 7, 3, 3, 7], sample_weight=weights)
        assert result.scores["adjusted_rand_score"].tolist() == [weighted] * 2
        assert result.coverage.tolist() == [1.0, 1.0]
    pairs = pairwise_scores([truth, shuffled], index="adjusted_rand_score", unmatched="drop")
    assert pairs[0, 1] == expected


def test_series_of_other_objects_are_compared_on_the_common_ones():
    truth = pd.Series([0, 0, 1, 1, 2], index=list("abcde"))
    other = pd.Series([5, 6, 5, 6], index=list("xbda"))
    weights = dict(zip("abcde", (1, 2, 3, 4, 5), strict=True))
    with pytest.warns(UserWarning, match="^coverage is 50.0%: 3 of 6 objects"):
        result = score_candidates(
            truth, [other], indices="rand_score", sample_weight=weights, unmatched="drop"
        )
    expected = metrics.rand_score([0, 0, 1], [6, 6, 5], sample_weight=[1, 2, 4])
    assert result.scores["rand_score"].tolist() == [expected]
    assert result.coverage.tolist() == [0.5]
    with pytest.warns(UserWarning, match="^coverage is 50.0%"):
        scores = pairwise_scores([truth, other], index="purity_score", unmatched="drop")
    assert scores.values.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert scores.coverage.tolist() == [[1.0, 0.5], [0.5, 1.0]]
    twice = pd.Series([0, 1], index=["a", "a"])
    with pytest.raises(ValueError, match="^index of candidate 0 must name each object once"):
        score_candidates(truth, [twice], indices="rand_score", unmatched="drop")


# --------------------------------------------------------------------------- workers


@pytest.mark.filterwarnings("ignore")
def test_results_do_not_depend_on_the_backend(backend, monkeypatch):
    truth, *candidates = random_partitions()
    result = score_candidates(truth, iter(candidates), indices=FIVE)
    scores = {name: pairwise_scores(candidates, index=name) for name in FIVE[:2]}
    with joblib.parallel_config("sequential"):
        assert are_equal(result, score_candidates(truth, candidates, indices=FIVE))
        for name, found in scores.items():
            assert (
                found.values.tobytes() == pairwise_scores(candidates, index=name).values.tobytes()
            )


@pytest.mark.parametrize("n_jobs", [None, 1, 2, 3, -1])
@pytest.mark.parametrize("size", [1, 700, 2**40])
def test_results_do_not_depend_on_jobs_and_blocks(n_jobs, size, monkeypatch):
    truth, *candidates = random_partitions()
    expected = score_candidates(truth, candidates, indices=FIVE)
    pairs = pairwise_scores(candidates, index="purity_score")
    monkeypatch.setattr("sklearn_clustcompare.candidates._candidates._OBJECTS_PER_TASK", size)
    monkeypatch.setattr("sklearn_clustcompare.candidates._pairwise._PAIRED_OBJECTS_PER_TASK", size)
    monkeypatch.setattr("sklearn_clustcompare._kernels._numpy._SMALL_BLOCK", min(size, 2**10))
    assert are_equal(score_candidates(truth, candidates, indices=FIVE, n_jobs=n_jobs), expected)
    found = pairwise_scores(candidates, index="purity_score", n_jobs=n_jobs)
    assert found.values.tobytes() == pairs.values.tobytes()


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (299, [1] * 8),
        (300, [1] * 8),
        (301, [2] * 4),
        (600, [2] * 4),
        (601, [3, 3, 2]),
        (2400, [8]),
        (2401, [8]),
    ],
)
@pytest.mark.parametrize("n_clusters", [None, 2])
def test_a_task_ends_with_the_candidate_that_reaches_the_limit(
    limit, expected, n_clusters, monkeypatch
):
    truth, *candidates = random_partitions(n_samples=300)
    if n_clusters:  # of memberships each number counts
        candidates = [random_memberships(n_clusters, seed=seed) for seed in range(8)]
        limit *= n_clusters
    indices = ["purity_score", "normalized_mutual_info_score"]
    whole = score_candidates(truth, candidates, indices=indices, n_jobs=2)
    lengths = []

    def counted(tasks):
        for task in tasks:
            lengths.append(len(task[0]))
            yield task

    def run(function, tasks, **options):
        return run_tasks(function, counted(tasks), **options)

    monkeypatch.setattr("sklearn_clustcompare.candidates._candidates._OBJECTS_PER_TASK", limit)
    monkeypatch.setattr("sklearn_clustcompare.candidates._candidates.run_tasks", run)
    # Of those whose number is known, each worker gets several tasks.
    streamed = score_candidates(truth, iter(candidates), indices=indices, n_jobs=2)
    assert are_equal(streamed, whole)
    assert lengths == expected


@pytest.mark.parametrize(("n_jobs", "most"), [(1, 1), (2, 6)])
def test_iterators_are_read_no_further_than_needed(n_jobs, most, monkeypatch):
    """Workers that are busy hold the reader back."""
    monkeypatch.setattr("sklearn_clustcompare.candidates._candidates._CANDIDATES_PER_TASK", 1)
    truth, *candidates = random_partitions()
    ahead = []
    n_read = n_done = 0

    def read():
        nonlocal n_read
        for labels in candidates * 5:
            n_read += 1
            ahead.append(n_read - n_done)
            yield labels

    def score(table):
        nonlocal n_done
        time.sleep(0.005)
        n_done += 1
        return 0.0

    index = INDICES["rand_score"]
    monkeypatch.setitem(index.__dict__, "function", score)
    result = score_candidates(truth, read(), indices="rand_score", n_jobs=n_jobs)
    assert len(result) == n_read == 5 * len(candidates)
    assert max(ahead) <= most


@pytest.mark.thread_unsafe(reason="memory of the whole process is traced")
def test_candidates_need_not_fit_into_memory_together():
    n_samples, n_candidates = 10**5, 60
    truth = np.arange(n_samples) % 7

    def candidates():
        for seed in range(n_candidates):
            yield np.random.default_rng(seed).integers(5, size=n_samples)

    tracemalloc.start()
    try:
        score_candidates(truth, candidates(), indices="rand_score")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10 * truth.nbytes < n_candidates * truth.nbytes / 5


# --------------------------------------------------------------------------- faults


class _BrokenSourceError(Exception):
    pass


@pytest.mark.parametrize("n_good", [0, 3, 400])
@pytest.mark.filterwarnings("ignore")
@pytest.mark.slow
def test_what_an_iterator_raises_comes_out(backend, n_good):
    def read():
        yield from islice([TRUTH] * n_good, n_good)
        raise _BrokenSourceError

    with pytest.raises(_BrokenSourceError):
        score_candidates(TRUTH, read(), indices=FIVE)
    with pytest.raises(_BrokenSourceError):
        pairwise_scores(read(), index="rand_score")


def _die(table):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
@pytest.mark.slow
def test_a_killed_worker_ends_the_call(pools_at_once):
    parent = os.getpid()

    def die_in_a_worker(table):
        if os.getpid() != parent:
            _die(table)
        return 0.0

    # An index of the package is sent to workers as its name.
    dying = replace(INDICES["purity_score"], name="dying", function=die_in_a_worker)
    with joblib.parallel_config("loky", n_jobs=2):
        for call in (
            lambda: score_candidates(TRUTH, [TRUTH] * 300, indices=dying),
            lambda: pairwise_scores([TRUTH] * 40, index=dying),
        ):
            with pytest.raises(RuntimeError, match="^a worker process died in the middle"):
                call()
    result = score_candidates(TRUTH, [TRUTH] * 300, indices="purity_score", n_jobs=2)
    assert result.scores["purity_score"].tolist() == [1.0] * 300


_INTERRUPTED = """
import signal, sys
from sklearn_clustcompare import score_candidates
import numpy as np

# Processes in the background inherit that it is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

def read():
    yield from np.random.default_rng(0).integers(300, size=(4, 30_000))
    print("started", flush=True)
    while True:
        yield np.random.default_rng(0).integers(300, size=30_000)

try:
    score_candidates(next(read()), read(), indices="standardized_mutual_info_score", n_jobs=2)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(3)
"""


@pytest.mark.processes
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
@pytest.mark.slow
def test_an_interrupt_leaves_no_workers(tmp_path):
    script = tmp_path / "interrupted.py"
    script.write_text(_INTERRUPTED)
    process = subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
    )
    assert process.stdout.readline() == "started\n"
    time.sleep(1.5)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (3, "interrupted\n"), err
    deadline = time.monotonic() + 20
    while _processes_of_session(process.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert _processes_of_session(process.pid) == []


def _processes_of_session(session):
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # gone meanwhile
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(path.parent.name)
    return found


# --------------------------------------------------------------------------- real data


def _read_labels(path):
    return np.loadtxt(path, dtype=int)


def _read_real_candidates(battery, name):
    found = {}
    for path in sorted(CANDIDATES.glob(f"results/original/*/{battery}/{name}.result*.gz")):
        with gzip.open(path, "rt") as file:
            frame = pd.read_csv(file)
        method = path.parent.parent.name
        k = path.name.split(".result")[1].removesuffix(".gz")
        found |= {(method, k, run): frame[run].to_numpy() for run in frame}
    return found


@pytest.mark.skipif(not CANDIDATES.is_dir(), reason="needs shared/data beside the repository")
@pytest.mark.parametrize(
    ("battery", "name", "best"),
    [
        slow("wut", "windows", 1.0),
        slow("wut", "isolation", 1.0),
        slow("wut", "labirynth", None),
        ("g2mg", "g2mg_8_50", None),
    ],
)
def test_candidates_of_a_benchmark(battery, name, best):
    truth = _read_labels(CANDIDATES / "data" / battery / f"{name}.labels0.gz")
    candidates = _read_real_candidates(battery, name)
    assert len(candidates) >= 99
    names = ["adjusted_rand_score", "normalized_mutual_info_score", "purity_score"]
    for noise in ("cluster", "drop"):
        result = score_candidates(truth, candidates, indices=names, noise=noise, noise_label=0)
        kept = truth != 0 if noise == "drop" else np.ones(len(truth), bool)
        for position in range(0, len(candidates), 37):
            labels = list(candidates.values())[position]
            for one in names:
                expected = getattr(metrics, one)(truth[kept], labels[kept])
                assert result.scores[one][position] == expected
        assert result.coverage.tolist() == [kept.mean()] * len(candidates)
        top = result.scores["adjusted_rand_score"].max()
        assert top == best if best else 0.2 < top <= 1.0


# --------------------------------------------------------------------------- ids of objects


FUZZY = pd.DataFrame(np.eye(2)[INDEXED], index=LETTERS)


def test_weights_with_other_ids_are_refused():
    weights = pd.Series([1, 2, 3, 4], LETTERS)
    same = score_candidates(
        INDEXED, [SHUFFLED], indices="purity_score", sample_weight=weights, unmatched="drop"
    )
    assert same.scores["purity_score"] == [1.0]
    with pytest.raises(ValueError, match="labels_true and sample_weight must have the same index"):
        score_candidates(
            INDEXED, [SHUFFLED], indices="purity_score", sample_weight=weights.loc[list("zyxw")]
        )


def test_memberships_with_other_ids_are_refused():
    result = score_candidates(INDEXED, [FUZZY], indices="adjusted_rand_score")
    assert result.scores["adjusted_rand_score"] == [1.0]
    for reference, candidate in ((INDEXED, FUZZY.loc[SHUFFLED.index]), (FUZZY, SHUFFLED)):
        with pytest.raises(ValueError, match="candidate 0 must have the same index"):
            score_candidates(reference, [candidate], indices="adjusted_rand_score")
