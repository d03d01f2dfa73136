"""Tables of dask collections are those of the arrays."""

import numpy as np
import pandas as pd
import pytest

from sklearn_clustcompare import (
    ContingencyTable,
    adjusted_rand_score,
    frobenius_adjusted_rand_score,
    score_candidates,
)
from sklearn_clustcompare._table.overlap import sum_of_blocks
from tests._inputs import import_or_skip
from tests._table._chunks import TREATMENTS, count, labels_and_weights


@pytest.mark.slow
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


@pytest.mark.slow
def test_dask_series():
    dask_frame = import_or_skip("dask.dataframe")
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
    dask_frame = import_or_skip("dask.dataframe")
    labels, _, weights = labels_and_weights()
    array = dask_array.from_array(labels, chunks=100)
    frame = dask_frame.from_pandas(pd.DataFrame({"a": labels, "b": labels}), npartitions=4)
    with pytest.raises(TypeError, match="must all be dask collections or none of them, got ndarr"):
        count(array, labels)
    with pytest.raises(TypeError, match="got ndarray for sample_weight"):
        count(array, array, weights)
    with pytest.raises(ValueError, match="must have the same length, got 1000 and 999"):
        count(array, array[:-1])
    with pytest.raises(ValueError, match="must be a 1-D array of labels, got an array of shape"):
        count(frame, frame["a"])
    with pytest.raises(ValueError, match="must have equal numbers of blocks.*, got 4 and 10"):
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


def test_missing_labels_and_several_labels_of_noise_in_dask():
    dask_array = pytest.importorskip("dask.array")
    dask_frame = import_or_skip("dask.dataframe")
    rng = np.random.default_rng(0)
    labels = rng.integers(-3, 4, 1000).astype(float)
    labels[rng.random(1000) < 0.1] = np.nan
    truth = rng.integers(0, 4, 1000)
    text = pd.Series(np.where(np.isnan(labels), None, np.char.mod("%d", np.nan_to_num(labels))))
    arrays = [dask_array.from_array(one, chunks=300) for one in (truth, labels)]
    frame = dask_frame.from_pandas(pd.DataFrame({"truth": truth, "text": text}), npartitions=3)
    options = {"noise": "drop", "noise_label": [-1, -2, -3]}
    named = options | {"noise_label": ["-1", "-2", "-3"]}
    for missing in ("drop", "cluster"):
        expected = count(truth, labels, **options, missing=missing)
        assert count(*arrays, **options, missing=missing) == expected
        assert count(*arrays, **options, missing=missing).coverage == expected.coverage
        expected = count(truth, text, **named, missing=missing)
        assert count(frame["truth"], frame["text"], **named, missing=missing) == expected


def test_a_dask_frame_of_candidates_has_names():
    dask_frame = import_or_skip("dask.dataframe")
    frame = pd.DataFrame({"far": [0, 1, 0, 1], "same": [7, 7, 5, 5]})
    scores = score_candidates(
        list("aabb"), dask_frame.from_pandas(frame, npartitions=2), indices="rand_score"
    )
    assert scores.names == ["far", "same"]
    assert scores.best() == "same"


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_memberships_in_dask(weighted):
    dask_array = pytest.importorskip("dask.array")
    dask_frame = import_or_skip("dask.dataframe")
    rng = np.random.default_rng(0)
    soft, other = rng.dirichlet(np.ones(3), 50), rng.dirichlet(np.ones(2), 50)
    labels, weights = rng.integers(3, size=50), rng.integers(1, 4, 50) if weighted else None

    def chunked(values, size):
        chunks = size if values.ndim == 1 else (size, 1)
        return dask_array.from_array(values, chunks=chunks)

    blocks = None if weights is None else chunked(weights, 11)
    for first, second in ((soft, other), (labels, other), (soft, np.eye(3)[labels])):
        expected = ContingencyTable.from_memberships(
            first, second, sample_weight=weights, moments=True
        )
        table = ContingencyTable.from_memberships(
            chunked(first, 20), chunked(second, 7), sample_weight=blocks, moments=True
        )
        np.testing.assert_allclose(table.counts.toarray(), expected.counts.toarray(), rtol=1e-13)
        value = frobenius_adjusted_rand_score(
            chunked(first, 20), chunked(second, 7), sample_weight=blocks
        )
        exact = frobenius_adjusted_rand_score(first, second, sample_weight=weights)
        assert value == pytest.approx(exact, rel=1e-11)
    frame = dask_frame.from_pandas(pd.DataFrame(soft, columns=list("abc")), npartitions=3)
    series = dask_frame.from_pandas(pd.Series(labels), npartitions=3)
    table = ContingencyTable.from_memberships(series, frame)
    assert table.col_labels.tolist() == ["a", "b", "c"]
    with pytest.raises(ValueError, match="one dimension, or of two for memberships"):
        count(dask_array.zeros((2, 2, 2)), dask_array.zeros((2, 2, 2)))
