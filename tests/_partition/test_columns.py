"""Columns of tables that are partitions, and those that identify the objects."""

import io
import warnings

import numpy as np
import pytest

from sklearn_clustcompare import (
    Hierarchy,
    co_association_matrix,
    consensus_partition,
    pairwise_scores,
    score_candidates,
)
from sklearn_clustcompare.consensus import element_consistency, medoid_partition
from sklearn_clustcompare.hierarchies import clustering_tree
from tests._inputs import import_or_skip

pd = pytest.importorskip("pandas")

ARI = "adjusted_rand_score"
N_OBJECTS = 2_500
RNG = np.random.default_rng(0)
TRUTH = RNG.integers(4, size=N_OBJECTS)
RUNS = {
    name: np.where(RNG.random(N_OBJECTS) < 0.2, RNG.integers(4, size=N_OBJECTS), TRUTH)
    for name in ("first", "second", "third")
}
FUNCTIONS = {
    "pairwise_scores": lambda given: pairwise_scores(given, index=ARI).values,
    "pairwise_scores(Y=)": lambda given: pairwise_scores(RUNS, given, index=ARI).values,
    "score_candidates": lambda given: score_candidates(TRUTH, given, indices=ARI).scores[ARI],
    "medoid_partition": lambda given: medoid_partition(given).averages,
    "element_consistency": element_consistency,
    "co_association_matrix": lambda given: co_association_matrix(given).toarray(),
    "consensus_partition": lambda given: consensus_partition(given, n_init=1).labels,
    "clustering_tree": lambda given: np.concatenate(clustering_tree(given).stabilities),
}


def as_written(index=None):
    """Return the runs as they come back from a file that pandas wrote with its index."""
    text = pd.DataFrame(RUNS, index=index).to_csv()
    return pd.read_csv(io.StringIO(text))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_index_that_was_written_to_a_file_is_no_partition(name):
    with pytest.warns(UserWarning, match="no partitions: 'Unnamed: 0'; pass a dict"):
        found = FUNCTIONS[name](as_written())
    np.testing.assert_array_equal(found, FUNCTIONS[name](RUNS))


@pytest.mark.parametrize(
    "ids",
    [
        [f"cell {number}" for number in range(N_OBJECTS)],
        RNG.permutation(N_OBJECTS) / 7,
        pd.date_range("2020", periods=N_OBJECTS),
        pd.Categorical(range(N_OBJECTS)),
    ],
)
def test_a_column_with_a_value_for_each_object_is_no_partition(ids):
    with pytest.warns(UserWarning, match="no partitions: 'cell'"):
        found = pairwise_scores(pd.DataFrame({**RUNS, "cell": ids}), index=ARI)
    assert found.names == list(RUNS)


@pytest.mark.parametrize("package", ["polars", "pyarrow", "dask.dataframe"])
def test_frames_of_other_packages(package):
    module = import_or_skip(package)
    frame = as_written()
    make = {
        "polars": lambda: module.from_pandas(frame),
        "pyarrow": lambda: module.Table.from_pandas(frame),
        "dask.dataframe": lambda: module.from_pandas(frame, npartitions=3),
    }[package]
    with pytest.warns(UserWarning, match="no partitions: 'Unnamed: 0'"):
        found = pairwise_scores(make(), index=ARI)
    np.testing.assert_array_equal(found.values, pairwise_scores(RUNS, index=ARI).values)


def test_columns_of_data_by_default_and_by_name():
    data = as_written().assign(truth=TRUTH)
    with pytest.warns(UserWarning, match="no partitions: 'Unnamed: 0'"):
        assert score_candidates("truth", data=data).names == list(RUNS)
    chosen = ["Unnamed: 0", "first"]
    assert score_candidates("truth", chosen, data=data, indices=ARI).names == chosen


def test_what_is_given_one_by_one_stays():
    singletons, few = np.arange(100), RUNS["first"][:100]
    for given in (
        [singletons, few],
        np.array([singletons, few]),
        {"Unnamed: 0": singletons, "first": few},
    ):
        assert pairwise_scores(given, index=ARI).values.shape == (2, 2)
        assert consensus_partition(given, n_init=1).labels.shape == (100,)


@pytest.mark.parametrize("other", [998, 999, 1_000, N_OBJECTS - 1])
def test_two_objects_together_make_a_partition_wherever_they_are(other):
    labels = np.arange(N_OBJECTS)
    labels[other] = 0
    frame = pd.DataFrame({"fine": labels, **RUNS})
    assert pairwise_scores(frame, index=ARI).names == ["fine", *RUNS]


def test_a_single_object_is_a_partition():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pairwise_scores(pd.DataFrame({"a": [1], "b": [2]}), index=ARI).values[0, 1] == 1


def test_a_table_of_ids_only_is_an_error():
    with pytest.raises(ValueError, match=r"partitions: .* 'a', 'b'; .* got no other columns"):
        pairwise_scores(pd.DataFrame({"a": [0, 1, 2], "b": list("xyz")}), index=ARI)


def test_the_finest_level_of_a_taxonomy_may_have_single_objects():
    frame = pd.DataFrame({"genus": [0, 0, 1, 1], "species": [0, 1, 2, 3]})
    assert Hierarchy.from_labels(frame) == Hierarchy.from_labels(dict(frame))
    with pytest.warns(UserWarning, match="no partitions: 'Unnamed: 0'"):
        found = Hierarchy.from_labels(frame.assign(**{"Unnamed: 0": [0, 1, 2, 3]}))
    assert found == Hierarchy.from_labels(dict(frame))
