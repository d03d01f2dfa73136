"""Tables counted in parts: chunks, files, databases."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare import ContingencyTable
from tests._table._chunks import TREATMENTS, count, labels_and_weights

LABEL = st.sampled_from([-1, 0, 1, "a"])
CHUNKS = st.lists(
    st.lists(st.tuples(LABEL, LABEL, st.integers(0, 3)), max_size=6), min_size=1, max_size=5
)


def columns(objects):
    """Return labels and weights of a list of triples as arrays."""
    sides = [np.fromiter([item[side] for item in objects], object) for side in (0, 1)]
    return (*sides, np.array([item[2] for item in objects], dtype=np.int64))


# --------------------------------------------------------------------------- chunks


@given(CHUNKS, st.sampled_from(TREATMENTS), st.booleans())
def test_tables_of_chunks_add_up_to_the_whole(chunks, noise, weighted):
    n_columns = 3 if weighted else 2
    together = [item for chunk in chunks for item in chunk]
    whole = count(*columns(together)[:n_columns], noise=noise)
    table = sum(count(*columns(chunk)[:n_columns], noise=noise) for chunk in chunks)
    assert table == whole
    assert table.coverage == whole.coverage


def test_labels_that_change_their_type_between_tables_are_an_error():
    labels = [np.arange(3), np.arange(3.0), np.array([0, 1, 2], object), np.array(["0", "1", "2"])]
    truth = ["a", "b", "b"]
    tables = [ContingencyTable.from_labels(truth, one) for one in labels]
    assert sum(tables[:3]).col_sums.tolist() == [3, 3, 3]
    for some in (tables, [table.T for table in tables]):
        with pytest.raises(ValueError, match="one type in all the tables of a sum, got 0"):
            sum(some)
    with pytest.raises(ValueError, match="got '0' in one of them and 0 in another"):
        sum([tables[3], tables[3], tables[0]])
    named = ContingencyTable.from_labels([None, -1], [0, 1], missing="cluster", noise="singletons")
    like = ContingencyTable.from_labels(["<missing>", "<noise>"], [0, 1])
    assert (named + like).shape == (4, 2)


# --------------------------------------------------------------------------- files


@pytest.mark.slow
@pytest.mark.thread_unsafe(reason="memory of the whole process is traced")
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
