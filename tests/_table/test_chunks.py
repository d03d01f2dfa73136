"""Tables counted in parts: chunks, files, databases."""

import tracemalloc
import weakref
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare import ContingencyTable
from tests._table._chunks import TREATMENTS, count, labels_and_weights

LABEL = st.sampled_from([-1, 0, 1, "a", "-1"])
CHUNKS = st.lists(st.lists(st.tuples(LABEL, LABEL, st.integers(0, 3)), max_size=6), max_size=5)


def columns(objects):
    """Return labels and weights of a list of triples as arrays."""
    sides = [np.fromiter([item[side] for item in objects], object) for side in (0, 1)]
    return (*sides, np.array([item[2] for item in objects], dtype=np.int64))


# --------------------------------------------------------------------------- chunks


@given(CHUNKS, st.sampled_from(TREATMENTS), st.booleans())
def test_chunks_are_the_whole(chunks, noise, weighted):
    n_columns = 3 if weighted else 2
    together = [item for chunk in chunks for item in chunk]
    parts = [columns(chunk)[:n_columns] for chunk in chunks]
    kinds = [
        [{item[side] for item in chunk if item[2] or not weighted} for chunk in chunks]
        for side in (0, 1)
    ]
    for side in (0, 1):
        if any(-1 in one and "-1" in other for one, other in permutations(kinds[side], 2)):
            with pytest.raises(ValueError, match=r"^labels of one side must have one type in all"):
                ContingencyTable.from_chunks(parts, noise=noise)
            return
    for side in (0, 1):
        labels = set().union(*kinds[side])
        if noise != "cluster" and "-1" in labels and -1 not in labels:
            with pytest.raises(
                ValueError, match="^noise_label must have the type of the other labels"
            ):
                count(*columns(together)[:n_columns], noise=noise)
            with pytest.raises(
                ValueError, match="^noise_label must have the type of the other labels"
            ):
                ContingencyTable.from_chunks(parts, noise=noise)
            return
    whole = count(*columns(together)[:n_columns], noise=noise)
    table = ContingencyTable.from_chunks(iter(parts), noise=noise)
    assert table == whole
    assert table.coverage == whole.coverage


def test_labels_that_change_their_type_between_chunks_are_an_error():
    labels = [np.arange(3), np.arange(3.0), np.array([0, 1, 2], object), np.array(["0", "1", "2"])]
    truth = ["a", "b", "b"]
    table = ContingencyTable.from_chunks((truth, one) for one in labels[:3])
    assert table.col_sums.tolist() == [3, 3, 3]
    for chunks in ([(truth, one) for one in labels], [(one, truth) for one in labels]):
        with pytest.raises(ValueError, match="one type in all the tables of a sum, got 0") as got:
            ContingencyTable.from_chunks(chunks)
        assert got.value.__notes__ == ["in chunk 3, counted from its start"]
    first, second = (ContingencyTable.from_labels(truth, one) for one in (labels[3], labels[0]))
    with pytest.raises(ValueError, match="got '0' in one of them and 0 in another"):
        sum([first, first, second])
    named = ContingencyTable.from_labels([None, -1], [0, 1], missing="cluster", noise="singletons")
    like = ContingencyTable.from_labels(["<missing>", "<noise>"], [0, 1])
    assert (named + like).shape == (4, 2)


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


@pytest.mark.thread_unsafe(reason="memory of the whole process is traced")
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
