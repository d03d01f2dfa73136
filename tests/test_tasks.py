"""What is told when a worker process fails."""

import operator
import os
import subprocess
import sys
import threading
import time
import warnings
from dataclasses import replace

import joblib
import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import (
    _tasks,
    consensus_partition,
    get_index,
    pairwise_scores,
    permutation_test,
    score_candidates,
)
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED, run_tasks
from sklearn_clustcompare.consensus import medoid_partition

pytestmark = pytest.mark.processes


class _CannotBeRead:
    def __reduce__(self):
        return int, ("no number",)


def _exit(status):
    os._exit(status)


@pytest.mark.slow
def test_results_come_in_the_order_of_the_tasks():
    tasks = [(number, 1) for number in range(20)]
    assert run_tasks(operator.add, tasks, n_jobs=2) == list(range(1, 21))


@pytest.mark.slow
def test_a_task_that_cannot_be_read_is_named():
    with (
        joblib.parallel_config("loky", n_jobs=2),
        pytest.raises(
            RuntimeError, match=r"receive its task.*\(ValueError: .*'no number'\): .*n_j"
        ),
    ):
        run_tasks(operator.neg, [(_CannotBeRead(),)] * 3, n_jobs=None)


@pytest.mark.slow
def test_a_worker_that_dies_is_told_with_what_joblib_knows():
    with (
        joblib.parallel_config("loky", n_jobs=2),
        pytest.raises(RuntimeError, match=r"^a worker process died .* Joblib reports: .*EXIT\(3\)"),
    ):
        run_tasks(_exit, [(3,)] * 3, n_jobs=None)


@pytest.fixture
def pools(monkeypatch):
    """The options of all pools that joblib makes."""
    made = []

    class Parallel(joblib.Parallel):
        def __init__(self, **options):
            made.append(options)
            super().__init__(**options)

    monkeypatch.setattr(_tasks, "Parallel", Parallel)
    return made


def test_there_are_no_more_workers_than_tasks(pools):
    tasks = [(number,) for number in range(3)]
    with joblib.parallel_config("threading"):
        for n_jobs, expected in [(10**6, 3), (2, 2), (3, 3), (4, 3)]:
            assert run_tasks(operator.neg, iter(tasks), n_jobs=n_jobs) == [0, -1, -2]
            assert pools.pop()["n_jobs"] == expected
        assert run_tasks(operator.neg, [], n_jobs=10**6) == []
    with joblib.parallel_config("threading", n_jobs=10**6):
        assert run_tasks(operator.neg, tasks, n_jobs=None) == [0, -1, -2]
    assert pools.pop()["n_jobs"] == 3


# --------------------------------------------------------------------------- which backend

_RNG = np.random.default_rng(0)
_PARTITIONS = list(_RNG.integers(4, size=(40, 60)))
_X = _RNG.normal(size=(60, 2))


def _own(table):
    return float(table.n_samples)


_OWN = replace(get_index("purity_score"), name="own", function=_own)
_TRUTH, _SMALL = _PARTITIONS[0], [one[:12] for one in _PARTITIONS[:5]]
_DRAWN = {"index": "purity_score", "n_resamples": 999}
_MANY = {"indices": "purity_score", "confidence_level": 0.9, "n_resamples": 200}
# A function, what it is given, and the part of the result that is compared.
_CALLS = {
    "scores": (score_candidates, [_TRUTH, _PARTITIONS], {"indices": ["ari", "purity_score"]}),
    "scores of a stream": (score_candidates, [_TRUTH, iter], {"indices": "ari"}),
    "scores by the data": (
        *(score_candidates, [None, _PARTITIONS[:9]]),
        {"X": _X, "indices": "silhouette_score"},
    ),
    "scores of an own index": (score_candidates, [_TRUTH, _PARTITIONS], {"indices": _OWN}),
    "intervals": (score_candidates, [_TRUTH, _PARTITIONS[:9]], _MANY),
    "pairs": (pairwise_scores, [_PARTITIONS], {"index": "ari"}),
    "draws": (permutation_test, _PARTITIONS[:2], _DRAWN | {"method": "monte_carlo"}),
    "draws until enough": (permutation_test, _PARTITIONS[:2], _DRAWN),
    "consensus": (consensus_partition, [_SMALL], {"index": "ami", "random_state": 0}),
}
_PARTS = ("intervals", "scores", "pvalue", "values", "labels")


def _call(name, n_jobs):
    function, given, options = _CALLS[name]
    given = [iter(_PARTITIONS) if one is iter else one for one in given]
    found = function(*given, **options, n_jobs=n_jobs)
    parts = (getattr(found, part, None) for part in _PARTS)
    return next(part for part in parts if part is not None)


@pytest.mark.slow
@pytest.mark.parametrize("name", _CALLS)
def test_small_work_starts_no_pool(name, pools, monkeypatch):
    # Others on the machine do not make it large.
    monkeypatch.setattr(_tasks, "_WORTH", dict.fromkeys(_tasks._WORTH, 60.0))
    _call(name, 2)
    assert not pools


@pytest.mark.slow
@pytest.mark.parametrize("name", _CALLS)
def test_pools_do_not_change_a_result(name, pools, pools_at_once):
    alone = _call(name, 1)
    assert not pools
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_equal(_call(name, 2), alone)
    processes = name in ("scores of an own index", "pairs", "consensus")
    own_choice = {"prefer": "processes" if processes else "threads"}
    assert own_choice.items() <= pools[0].items()


class _Clock:
    """A clock that only tasks move: how busy the machine is does not matter."""

    now = 0.0

    def perf_counter(self):
        return self.now

    def wait(self, seconds):
        self.now += seconds
        return threading.get_ident()


@pytest.mark.parametrize(
    ("seconds", "total", "n_here"), [(0.06, 4, 1), (0.06, 0, 2), (0.001, 8, 8), (0.001, 0, 8)]
)
def test_the_time_of_the_first_tasks_tells_whether_a_pool_is_worth_it(
    seconds, total, n_here, monkeypatch
):
    n_tasks, clock = total or 8, _Clock()
    monkeypatch.setattr(_tasks, "time", clock)
    tasks = [(seconds,)] * n_tasks
    found = run_tasks(clock.wait, tasks, n_jobs=2, prefer="threads", total=total)
    assert found.count(threading.get_ident()) == n_here


def test_one_short_task_that_is_interrupted_starts_no_pool(monkeypatch):
    clock = _Clock()
    monkeypatch.setattr(_tasks, "time", clock)
    tasks = [(seconds,) for seconds in (0.02, *[0.0001] * 99)]
    found = run_tasks(clock.wait, tasks, n_jobs=2, prefer="threads", total=100)
    assert found.count(threading.get_ident()) == 100


@pytest.mark.slow
@pytest.mark.parametrize(
    "backend", ["threading", "loky", pytest.param("dask", marks=pytest.mark.processes)]
)
def test_a_backend_of_the_user_gets_what_is_worth_it_and_one_not_of_joblib_all(backend, request):
    if backend == "dask":
        request.getfixturevalue("dask_cluster")
    with joblib.parallel_config(backend, n_jobs=2):
        for prefer in ("threads", "processes", None):
            options = {"n_jobs": None, "prefer": prefer, "total": 4}
            found = run_tasks(_place, [()] * 4, **options, times=[1.0, 1.0])
            assert _place() not in found
            assert ({pid for pid, _ in found} == {os.getpid()}) is (backend == "threading")
            if prefer is not None:
                is_here = {*run_tasks(_place, [()] * 4, **options)} == {_place()}
                assert is_here is (backend != "dask")


def _place():
    return os.getpid(), threading.get_ident()


def _place_later():
    time.sleep(0.05)  # so that both processes get tasks
    return _place()


def test_processes_stay_from_function_to_function(pools_at_once):
    with joblib.parallel_config("loky", n_jobs=2):
        before = {pid for pid, _ in run_tasks(_place_later, [()] * 8, n_jobs=None)}
        for name in ("scores", "pairs", "scores of an own index"):
            _call(name, None)
        after = {pid for pid, _ in run_tasks(_place_later, [()] * 8, n_jobs=None)}
    assert after & before


def test_an_iterator_may_write_each_candidate_into_the_same_array(pools_at_once):

    def one_array():
        labels = np.empty_like(_PARTITIONS[0])
        for one in _PARTITIONS:
            labels[:] = one
            yield labels

    truth = _PARTITIONS[0]
    found = score_candidates(truth, one_array(), indices="ari", n_jobs=2)
    expected = score_candidates(truth, _PARTITIONS, indices="ari")
    np.testing.assert_equal(found.scores, expected.scores)


# --------------------------------------------------------------------------- arguments and faults


@pytest.mark.parametrize("n_jobs", ["2", 2.0, True, 0])
def test_bad_numbers_of_jobs(n_jobs):
    functions = [
        lambda: run_tasks(operator.neg, [], n_jobs=n_jobs),
        lambda: score_candidates([0, 1], [[0, 1]], indices="rand_score", n_jobs=n_jobs),
        lambda: pairwise_scores([[0, 1]], index="rand_score", n_jobs=n_jobs),
        lambda: medoid_partition([[0, 1]], n_jobs=n_jobs),
        lambda: consensus_partition([[0, 1]], n_jobs=n_jobs),
        lambda: permutation_test(
            [0, 1], [0, 1], index="purity_score", method="monte_carlo", n_jobs=n_jobs
        ),
    ]
    for function in functions:
        with pytest.raises((TypeError, ValueError), match=r"^n_jobs must .* got "):
            function()


@pytest.mark.slow
def test_a_full_folder_is_named(tmp_path):
    """Files may not grow beyond some bytes in a process of its own, as on a full disk."""
    program = """
import operator, resource, signal, sys
import numpy as np
from sklearn_clustcompare._tasks import run_tasks

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, 2**20))
array = np.zeros(2**18)
try:
    run_tasks(operator.neg, [(array,)] * 3, n_jobs=2)
except RuntimeError as error:
    print(error)
"""
    pytest.importorskip("resource")
    result = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=os.environ | {"JOBLIB_TEMP_FOLDER": str(tmp_path)},
        check=True,
    )
    assert result.stdout.startswith(
        f"joblib could not write the arrays of a task into its folder, {tmp_path} (OSError: "
    ), result


def test_filters_of_warnings_are_as_before_whichever_thread_ends_last():
    before = list(warnings.filters)
    entered, leave = threading.Barrier(2), threading.Event()

    def stay():
        with UNDEFINED_IGNORED:
            entered.wait()
            leave.wait()

    other = threading.Thread(target=stay)
    with UNDEFINED_IGNORED:
        other.start()
        entered.wait()
    warnings.warn("in the other thread", UndefinedMetricWarning, stacklevel=1)
    leave.set()
    other.join()
    assert list(warnings.filters) == before
    with pytest.raises(UndefinedMetricWarning):
        warnings.warn("after both", UndefinedMetricWarning, stacklevel=1)


@pytest.mark.slow
def test_filters_of_warnings_are_as_before_after_a_consensus_in_threads():
    before = list(warnings.filters)
    rng = np.random.default_rng(0)
    partitions = [rng.integers(4, size=12) for _ in range(4)]
    with joblib.parallel_config("threading", n_jobs=4):
        consensus_partition(partitions, index="adjusted_rand_score", random_state=0)
    assert list(warnings.filters) == before
