"""Backends of joblib."""

import warnings

import joblib
import pytest


@pytest.fixture(scope="package")
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
    "sequential",
    "threading",
    *(
        pytest.param(name, marks=pytest.mark.processes)
        for name in ("loky", "multiprocessing", "dask")
    ),
]


@pytest.fixture(params=BACKENDS)
def backend(request):
    if request.param == "dask":
        request.getfixturevalue("dask_cluster")
    with joblib.parallel_config(request.param, n_jobs=2):
        yield request.param
