"""Tables counted in parts: chunks, files, databases, dask."""

import tracemalloc
import weakref

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare import ContingencyTable, adjusted_rand_score
from sklearn_clustcompare._table.dask import sum_of_blocks

TREATMENTS = ("cluster", "singletons", "drop")
LABEL = st.sampled_from([-1, 0, 1, "a", "-1"])
CHUNKS = st.lists(st.lists(st.tuples(LABEL, LABEL, st.integers(0, 3)), max_size=6), max_size=5)


def columns(objects):
    """Return labels and weights of a list of triples as arrays."""
    sides = []
    for side in (0, 1):
        array = np.empty(len(objects), dtype=object)
        array[:] = [item[side] for item in objects]
        sides.append(array)
    return (*sides, np.array([item[2] for item in objects], dtype=np.int64))


def labels_and_weights(n_samples=1000):
    rng = np.random.default_rng(7)
    return (*rng.integers(-1, 5, (2, n_samples)), rng.integers(0, 4, n_samples))


def count(labels_true, labels_pred, sample_weight=None, **noise):
    return ContingencyTable.from_labels(
        labels_true, labels_pred, sample_weight=sample_weight, **noise
    )


def import_dask_frame():
    try:
        import dask.dataframe
    except ImportError as error:  # not installed, or its pyarrow does not fit this NumPy
        pytest.skip(str(error))
    return dask.dataframe


# --------------------------------------------------------------------------- chunks


@given(CHUNKS, st.sampled_from(TREATMENTS), st.booleans())
def test_chunks_are_the_whole(chunks, noise, weighted):
    n_columns = 3 if weighted else 2
    whole = count(*columns([item for chunk in chunks for item in chunk])[:n_columns], noise=noise)
    parts = (columns(chunk)[:n_columns] for chunk in chunks)
    table = ContingencyTable.from_chunks(parts, noise=noise)
    assert table == whole
    assert table.coverage == whole.coverage


def test_chunks_are_let_go_one_by_one():
    made = []

    def chunks():
        for start in range(20):
            labels = np.arange(5) + start
            made.append(weakref.ref(labels))
            yield labels, labels
            del labels
            assert sum(reference() is not None for reference in made) <= 1

    assert ContingencyTable.from_chunks(chunks()).n_samples == 100
    assert len(made) == 20


def test_errors_of_chunks():
    with pytest.raises(ValueError, match=r"chunks must be tuples .* got int as chunk 0"):
        ContingencyTable.from_chunks([3])
    with pytest.raises(ValueError, match=r"got 4 items as chunk 1"):
        ContingencyTable.from_chunks([([0], [0]), ([0], [0], [1], [1])])
    with pytest.raises(ValueError, match="same length, got 2 and 1") as caught:
        ContingencyTable.from_chunks([([0], [0]), ([0, 1], [0])])
    assert caught.value.__notes__ == ["in chunk 1, counted from its start"]


def test_chunks_take_constant_memory():
    rng = np.random.default_rng(0)
    peaks = []
    for n_chunks in (3, 30):
        tracemalloc.start()
        chunks = (tuple(rng.integers(0, 50, (2, 10**5))) for _ in range(n_chunks))
        ContingencyTable.from_chunks(chunks)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.1 * peaks[0]


# --------------------------------------------------------------------------- files


@pytest.mark.parametrize("noise", ["cluster", "drop"])
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
def test_memory_mapped_files_are_not_read_at_once(tmp_path, dtype, noise):
    n_samples = 3 * 10**6
    rng = np.random.default_rng(0)
    files = []
    for name in ("true", "pred"):
        labels = np.memmap(tmp_path / name, dtype, "w+", shape=(n_samples,))
        labels[:] = rng.integers(-1, 100, n_samples)
        labels.flush()
        files.append(np.memmap(tmp_path / name, dtype, "r"))
    tracemalloc.start()
    table = ContingencyTable.from_labels(*files, noise=noise)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * 10**6  # bytes: less than the smallest of the files
    assert table == count(*(np.array(labels) for labels in files), noise=noise)


# --------------------------------------------------------------------------- databases


@pytest.mark.parametrize("noise", TREATMENTS)
def test_rows_of_a_group_by(noise):
    duckdb = pytest.importorskip("duckdb")
    labels_true, labels_pred, _ = labels_and_weights()
    clusters = pd.DataFrame({"truth": labels_true, "found": labels_pred})
    with duckdb.connect() as database:
        database.register("clusters", clusters)
        rows = database.execute(
            "SELECT truth, found, count(*) AS n FROM clusters GROUP BY truth, found"
        ).fetchnumpy()
    assert len(rows["n"]) == 36
    table = count(rows["truth"], rows["found"], rows["n"], noise=noise)
    whole = count(labels_true, labels_pred, noise=noise)
    assert table == whole
    assert table.is_whole
    assert table.coverage == whole.coverage


# --------------------------------------------------------------------------- dask


@pytest.mark.parametrize("noise", TREATMENTS)
def test_dask_arrays_of_mixed_chunks(noise):
    dask_array = pytest.importorskip("dask.array")
    whole = labels_and_weights()
    arrays = [
        dask_array.from_array(array, chunks=size)
        for array, size in zip(whole, (30, 77, 1000), strict=True)
    ]
    table = count(*arrays, noise=noise)
    assert table == count(*whole, noise=noise)
    assert table.coverage == count(*whole, noise=noise).coverage
    assert adjusted_rand_score(*arrays[:2]) == adjusted_rand_score(*whole[:2])


def test_dask_series():
    dask_frame = import_dask_frame()
    labels_true, labels_pred, weights = labels_and_weights()
    names = np.array(["one", "two", "three", "four", "five", "noise"])
    frame = pd.DataFrame(
        {"true": names[labels_true], "pred": pd.Categorical(labels_pred), "weight": weights}
    )
    whole = count(frame["true"], frame["pred"], frame["weight"])
    frame = dask_frame.from_pandas(frame, npartitions=7)
    series = [frame[column] for column in ("true", "pred", "weight")]
    assert count(*series) == whole
    # Cut elsewhere along a known index, or without one but in as many blocks.
    assert count(series[0], series[1].repartition(npartitions=3), series[2].values) == whole
    assert count(*(one.clear_divisions() for one in series)) == whole


class Links:
    """Stands for a table, and knows how long the longest chain of additions behind it is."""

    def __init__(self, n_objects, longest=0):
        self.n_objects = n_objects
        self.longest = longest

    def __add__(self, other):
        return Links(self.n_objects + other.n_objects, max(self.longest, other.longest) + 1)

    def __radd__(self, zero):
        return self


def count_links(labels_true, labels_pred):
    return Links(len(labels_true))


def test_blocks_are_added_in_a_tree():
    dask_array = pytest.importorskip("dask.array")
    labels = dask_array.from_array(np.arange(2000), chunks=10)
    links = sum_of_blocks(count_links, {"labels_true": labels, "labels_pred": labels})
    assert links.n_objects == 2000
    assert links.longest < 40  # of 199 additions


def test_a_local_cluster():
    distributed = pytest.importorskip("distributed")
    dask_array = pytest.importorskip("dask.array")
    whole = labels_and_weights()
    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0"
    )
    with cluster, distributed.Client(cluster):
        arrays = [dask_array.from_array(array, chunks=100) for array in whole]
        assert count(*arrays, noise="singletons") == count(*whole, noise="singletons")


def test_errors_of_dask():
    dask_array = pytest.importorskip("dask.array")
    dask_frame = import_dask_frame()
    labels, _, weights = labels_and_weights()
    array = dask_array.from_array(labels, chunks=100)
    frame = dask_frame.from_pandas(pd.DataFrame({"a": labels, "b": labels}), npartitions=4)
    with pytest.raises(TypeError, match="must all be dask collections or none of them, got ndarr"):
        count(array, labels)
    with pytest.raises(TypeError, match="got ndarray for sample_weight"):
        count(array, array, weights)
    with pytest.raises(ValueError, match="must have the same length, got 1000 and 999"):
        count(array, array[:-1])
    with pytest.raises(ValueError, match="of one dimension, got DataFrame of 2 dimension"):
        count(frame, frame["a"])
    with pytest.raises(ValueError, match="must have as many blocks.*, got 4 and 10"):
        count(frame["a"].values, array)
    with pytest.raises(ValueError, match="same range of the index, got 0 to 999 and 0 to 499"):
        count(frame["a"], frame["b"].loc[:499])
    broken = dask_array.from_array(np.where(np.arange(1000) == 555, np.nan, labels), chunks=100)
    with pytest.raises(ValueError, match="labels_pred must not contain NaN, .* position 55") as got:
        count(array, broken)
    assert got.value.__notes__ == ["in block 5 of the dask collections, counted from its start"]
    with pytest.raises(ValueError, match="same length, got 250 and 249") as got:
        count(frame["a"].values, frame["b"].values.compute_chunk_sizes()[:-1])
    assert got.value.__notes__ == ["in block 3 of the dask collections, counted from its start"]
