"""Engines for the same work: one process, chunks, threads, processes, dask, DuckDB and Spark SQL.

Run ``python benchmarks/bench_engines.py [--quick]`` for one table, or through asv. "ours" is one
process without chunks; the others call the same functions of the package. All have two workers.
"""

from __future__ import annotations

import atexit
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import parallel_config
from numpy.typing import NDArray

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks._harness import OURS, Target, main, optional
from sklearn_clustcompare import ContingencyTable, pairwise_scores, score_candidates

dask_frame = optional("dask.dataframe")
distributed = optional("distributed")
duckdb = optional("duckdb")
pandas = optional("pandas")
pyarrow = optional("pyarrow")
pyspark_sql = optional("pyspark.sql")

CHUNKS, THREADS, PROCESSES = "chunks", "two threads", "two processes"
DASK, DUCKDB, SPARK = "dask", "DuckDB", "Spark SQL"
MODULES = {DASK: dask_frame and distributed, DUCKDB: duckdb, SPARK: pyspark_sql}
BACKENDS = {OURS: "sequential", THREADS: "threading", PROCESSES: "loky", DASK: "dask"}
N_FILES = 8
QUERY = "SELECT truth, found, count(*) AS n FROM {} GROUP BY truth, found"
NO_TARGETS: tuple[Target, ...] = ()


class Columns(NamedTuple):
    """Two columns of labels: integers, or names of the clusters as text."""

    n_samples: int
    n_clusters: int
    is_text: bool = False


ROWS = {
    "n=1e6 k=100": Columns(10**6, 100),
    "n=1e6 k=100 text": Columns(10**6, 100, is_text=True),
    "n=1e7 k=100": Columns(10**7, 100),
    "n=1e7 k=100 text": Columns(10**7, 100, is_text=True),
    "n=1e7 k=1e5": Columns(10**7, 10**5),
    "n=1e8 k=100": Columns(10**8, 100),
}


def need(peer: str) -> None:
    """Skip an engine that is not installed."""
    if not MODULES.get(peer, True):
        raise NotImplementedError


# --------------------------------------------------------------------------- engines


@lru_cache
def start_dask() -> Any:
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    client = distributed.Client(cluster)
    atexit.register(cluster.close)
    atexit.register(client.close)
    return client


@lru_cache
def start_spark() -> Any:
    builder = pyspark_sql.SparkSession.builder.master("local[2]")
    quiet = builder.config("spark.ui.enabled", False).config("spark.ui.showConsoleProgress", False)
    session = quiet.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    atexit.register(session.stop)
    return session


def of_rows(rows: Any) -> ContingencyTable:
    """Count rows of two labels and the number of objects that have them."""
    return ContingencyTable.from_labels(rows.truth, rows.found, sample_weight=rows.n)


# --------------------------------------------------------------------------- rows in files


@lru_cache(maxsize=1)
def write_rows(case: str) -> tuple[tempfile.TemporaryDirectory[str], Path]:
    """Write Parquet files of two columns of labels that agree on 90 % of the objects."""
    n_samples, n_clusters, is_text = ROWS[case]
    folder = tempfile.TemporaryDirectory()
    rng = np.random.default_rng(0)
    names = np.array([f"cluster {number}" for number in range(n_clusters if is_text else 0)])
    for number in range(N_FILES):
        truth = rng.integers(n_clusters, size=n_samples // N_FILES, dtype=np.int32)
        others = rng.integers(n_clusters, size=len(truth), dtype=np.int32)
        found = np.where(rng.random(len(truth)) < 0.9, truth, others)
        frame = pandas.DataFrame({"truth": truth, "found": found})
        if is_text:
            frame = frame.apply(lambda codes: names[codes])
        frame.to_parquet(Path(folder.name) / f"part-{number}.parquet")
    return folder, Path(folder.name)


def in_one_process(folder: Path) -> ContingencyTable:
    frame = pandas.read_parquet(folder)
    return ContingencyTable.from_labels(frame.truth, frame.found)


def file_by_file(folder: Path) -> Iterator[tuple[Any, Any]]:
    for path in sorted(folder.iterdir()):
        frame = pandas.read_parquet(path)
        yield frame.truth, frame.found


def in_dask(folder: Path) -> ContingencyTable:
    frame = dask_frame.read_parquet(folder)
    return ContingencyTable.from_labels(frame.truth, frame.found)


def in_duckdb(folder: Path) -> ContingencyTable:
    connection = duckdb.connect(config={"threads": 2})
    return of_rows(connection.sql(QUERY.format(f"'{folder}/*.parquet'")).df())


def in_spark(folder: Path) -> ContingencyTable:
    return of_rows(start_spark().sql(QUERY.format(f"parquet.`{folder}`")).toPandas())


COUNTERS: dict[str, Callable[[Path], ContingencyTable]] = {
    OURS: in_one_process,
    CHUNKS: lambda folder: sum(ContingencyTable.from_labels(*one) for one in file_by_file(folder)),
    DASK: in_dask,
    DUCKDB: in_duckdb,
    SPARK: in_spark,
}


class Rows:
    """The table of two columns of labels in Parquet files, reading included."""

    param_names = ("case", "peer")
    n_processors = 2
    params = (list(ROWS), list(COUNTERS))
    quick = frozenset([*ROWS][:4])
    targets: dict[str, tuple[Target, ...]] = dict.fromkeys(ROWS, NO_TARGETS)

    def setup(self, case: str, peer: str) -> None:
        need(peer)
        if not (pandas and pyarrow):
            raise NotImplementedError
        if peer == DASK:
            start_dask()
        self.folder = write_rows(case)[1]
        if COUNTERS[peer](self.folder).n_samples != ROWS[case].n_samples:
            msg = f"{peer} has not counted all objects"
            raise AssertionError(msg)

    def time_rows(self, case: str, peer: str) -> None:
        COUNTERS[peer](self.folder)


# --------------------------------------------------------------------------- many partitions


@lru_cache(maxsize=1)
def make_partitions(n_partitions: int, n_samples: int) -> NDArray[np.int64]:
    return np.random.default_rng(0).integers(20, size=(n_partitions, n_samples))


def all_pairs(n_partitions: int, n_samples: int) -> Callable[[], Any]:
    partitions = make_partitions(n_partitions, n_samples)
    return partial(pairwise_scores, partitions, index="adjusted_rand_score")


def half_samples(n_partitions: int, n_samples: int) -> Callable[[], Any]:
    reference, *candidates = make_partitions(n_partitions, n_samples)
    return partial(
        score_candidates,
        reference,
        candidates,
        indices="adjusted_rand_score",
        confidence_level=0.95,
        random_state=0,
    )


MANY = {
    "all pairs of 20 x 1e4": lambda: all_pairs(20, 10**4),
    "all pairs of 200 x 1e5": lambda: all_pairs(200, 10**5),
    "intervals of 10 x 1e4": lambda: half_samples(11, 10**4),
    "intervals of 20 x 1e5": lambda: half_samples(21, 10**5),
}


class Many:
    """Many partitions by workers of joblib that have started."""

    param_names = ("case", "peer")
    n_processors = 2
    params = (list(MANY), list(BACKENDS))
    quick = frozenset(MANY)
    targets: dict[str, tuple[Target, ...]] = dict.fromkeys(MANY, NO_TARGETS)

    def setup(self, case: str, peer: str) -> None:
        need(peer)
        if peer == DASK:
            start_dask()
        self.function = MANY[case]()
        self.time_many(case, peer)

    def time_many(self, case: str, peer: str) -> None:
        with parallel_config(BACKENDS[peer], n_jobs=1 if peer == OURS else 2):
            self.function()


if __name__ == "__main__":
    main([Rows, Many], __doc__)
