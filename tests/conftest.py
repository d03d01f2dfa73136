"""Partitions that every test of an index should see, and who works."""

import copy
import importlib
import pkgutil
import warnings

import joblib
import numpy as np
import pytest
from hypothesis import settings
from threadpoolctl import threadpool_limits

import sklearn_clustcompare
from tests._examples import slow

# Hypothesis draws numbers that it finds in the modules loaded so far: load all of them, so that
# the random examples of a test do not depend on the tests that ran before it.
if not settings.default.derandomize:
    for _module in pkgutil.walk_packages(sklearn_clustcompare.__path__, "sklearn_clustcompare."):
        if not _module.name.endswith("__main__"):
            importlib.import_module(_module.name)


def _random_pair(n_samples, n_true, n_pred, seed):
    rng = np.random.default_rng(seed)
    labels_true = rng.integers(n_true, size=n_samples)
    noise = rng.integers(n_pred, size=n_samples)
    return labels_true, np.where(rng.random(n_samples) < 0.5, labels_true % n_pred, noise)


def _unbalanced(seed=3):
    rng = np.random.default_rng(seed)
    labels_true = np.repeat([0, 1, 2, 3], [180, 12, 6, 2])
    return labels_true, np.where(rng.random(200) < 0.1, rng.integers(5, size=200), labels_true)


@pytest.fixture(autouse=True)
def _draws_of_its_own(request, monkeypatch):
    """Start the generator of a module anew for each test, whatever ran before it and where."""
    module = request.node.getparent(pytest.Module)
    if generator := getattr(getattr(module, "obj", None), "RNG", None):
        monkeypatch.setattr(module.obj, "RNG", copy.deepcopy(generator))


@pytest.fixture(autouse=True)
def _processes_only_if_marked(request, monkeypatch):
    """Fail tests that start processes, which takes longer than any test, and do not say so."""
    # A check of clusterers predicts in another process.
    is_check = request.node.path.parent.name == "checks"
    if not is_check and not request.node.get_closest_marker("processes"):
        monkeypatch.setattr("joblib._parallel_backends.get_memmapping_executor", _not_marked)


def _not_marked(*_, **__):
    pytest.fail("a test that starts processes must be marked so: pytest.mark.processes")


# Folders of tests of what a process has once.
_ONE_AT_A_TIME = {"cli": "the standard output", "plot": "the state of pyplot"}


def pytest_collection_modifyitems(items):
    """Mark the tests that pytest-run-parallel must not run in several threads at a time."""
    for item in items:
        shared = _ONE_AT_A_TIME.get(item.path.parent.name)
        if "mpmath" in vars(getattr(item, "module", item)):
            shared = "the precision of mpmath"
        if shared:
            item.add_marker(pytest.mark.thread_unsafe(reason=f"all threads share {shared}"))


@pytest.fixture
def one_thread():
    """Fit clusterers of small data in one thread: more cost time, most of all beside others."""
    with threadpool_limits(1):
        yield


_IDENTICAL = np.random.default_rng(5).integers(6, size=40)

# name: (labels_true, labels_pred)
CASES = {
    "random_small": _random_pair(12, 3, 4, 0),
    "random_medium": _random_pair(500, 7, 9, 1),
    "identical": (_IDENTICAL, _IDENTICAL),
    "renamed": (_IDENTICAL, 17 - 3 * _IDENTICAL),
    "singletons_singletons": (np.arange(9), np.arange(9)[::-1]),
    "singletons_one_cluster": (np.arange(9), np.zeros(9, int)),
    "one_cluster_one_cluster": (np.zeros(9, int), np.ones(9, int)),
    "one_cluster_two_clusters": (np.zeros(9, int), np.repeat([0, 1], [4, 5])),
    "strings": (list("aabbbccc"), list("xyyyxzzz")),
    "objects": (
        np.array([(1, 2), (1, 2), "a", "a", 3, 3, "3"], dtype=object),
        np.array([None.__class__, int, int, str, str, str, int], dtype=object),
    ),
    "noise": ([-1, -1, 0, 0, 0, 1, 1, 2], [0, -1, 0, 0, 1, 1, 1, -1]),
    "one_object": ([5], [7]),
    "two_objects_apart": ([0, 1], [0, 0]),
    "empty": ([], []),
    "unbalanced": _unbalanced(),
    "many_tiny_clusters": _random_pair(120, 56, 60, 2),
    "thousands_of_tiny_clusters": _random_pair(3000, 1400, 1500, 2),
    "independent": (np.repeat([0, 1, 2], 8), np.tile([0, 1, 2, 3], 6)),
}


@pytest.fixture(
    scope="session",
    params=[
        slow(pair, id=name) if name.startswith("thousands") else pytest.param(pair, id=name)
        for name, pair in CASES.items()
    ],
)
def case(request):
    """Labels of two partitions, as a pair."""
    return request.param


@pytest.fixture(scope="session")
def dask_cluster():
    distributed = pytest.importorskip("distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        )
        client = distributed.Client(cluster)
    yield client
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        client.close()
        cluster.close()


BACKENDS = [
    # The context of a fixture does not reach the threads of a test.
    *(pytest.param(name, marks=pytest.mark.thread_unsafe) for name in ("sequential", "threading")),
    # Workers import the package, which takes longer than any test; test_tasks.py starts some.
    *(
        pytest.param(name, marks=[pytest.mark.processes, pytest.mark.slow])
        for name in ("loky", "multiprocessing", "dask")
    ),
]


@pytest.fixture
def pools_at_once(monkeypatch):
    """Start pools for small work as well."""
    monkeypatch.setattr("sklearn_clustcompare._tasks._WORTH", {"threads": 0.0, "processes": 0.0})


@pytest.fixture(params=BACKENDS)
def backend(request, pools_at_once):
    if request.param == "dask":
        request.getfixturevalue("dask_cluster")
    with joblib.parallel_config(request.param, n_jobs=2):
        yield request.param
