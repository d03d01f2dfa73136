"""All pairs of partitions: values, inputs, workers."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare import (
    ContingencyTable,
    adjusted_rand_score,
    get_index,
    metrics,
    pairwise_scores,
    score_candidates,
)
from sklearn_clustcompare.indices import INDICES
from tests._examples import COSTLY_INDICES, FEW_EXAMPLES, slow
from tests.candidates._examples import (
    one_by_one,
    random_memberships,
    random_partitions,
)

# --------------------------------------------------------------------------- values


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize(
    "name", [slow(name) if name in COSTLY_INDICES else name for name in INDICES]
)
def test_all_pairs_score_as_the_function_does(name):
    partitions = random_partitions()
    function = getattr(metrics, name)
    scores = pairwise_scores(partitions, index=name)
    assert scores.values.tobytes() == one_by_one(partitions, partitions, function).tobytes()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("pair_f_score", {"beta": 2.0}),
        ("v_measure_score", {"beta": 0.5}),
        ("adjusted_wallace_score", {"given": "pred"}),
        ("normalized_mutual_info_score", {"q": 2.0, "average_method": "max"}),
    ],
)
def test_parameters_may_break_the_symmetry(name, params):
    partitions = random_partitions()
    expected = one_by_one(partitions, partitions, getattr(metrics, name), **params)
    assert pairwise_scores(partitions, index=name, **params).values.tobytes() == expected.tobytes()


@given(
    st.integers(1, 40).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(-3, 6), min_size=n, max_size=n), min_size=1, max_size=7
        )
    )
)
@FEW_EXAMPLES
def test_all_pairs_of_any_partitions(partitions):
    for name in ("adjusted_rand_score", "f_measure_score", "variation_of_information_distance"):
        expected = one_by_one(partitions, partitions, getattr(metrics, name))
        assert pairwise_scores(partitions, index=name).values.tobytes() == expected.tobytes()


def test_all_pairs_of_labels_of_every_kind(case):
    partitions = [*case, case[0], list(map(str, case[1]))]
    expected = one_by_one(partitions, partitions, adjusted_rand_score)
    assert (
        pairwise_scores(partitions, index="adjusted_rand_score").values.tolist()
        == expected.tolist()
    )


def test_all_pairs_where_some_are_soft():
    partitions = [
        random_partitions()[2],
        random_memberships(3),
        random_memberships(4, seed=1),
        random_partitions()[5],
    ]
    for name in ("adjusted_rand_score", "purity_score", "frobenius_adjusted_rand_score"):
        expected = one_by_one(partitions, partitions, getattr(metrics, name))
        assert pairwise_scores(partitions, index=name).values.tobytes() == expected.tobytes()


def test_long_partitions_are_counted_in_blocks():
    partitions = random_partitions(70_000, (2, 5, 20, 40, 300))
    expected = one_by_one(partitions, partitions, adjusted_rand_score)
    assert (
        pairwise_scores(partitions, index="adjusted_rand_score").values.tobytes()
        == expected.tobytes()
    )


# --------------------------------------------------------------------------- inputs


# --------------------------------------------------------------------------- workers


@pytest.mark.filterwarnings("ignore")
def test_big_arrays_reach_the_workers_of_every_backend(backend):
    partitions = random_partitions(200_000, (3, 20, 5, 300))
    scores = pairwise_scores(partitions, index="adjusted_rand_score")
    expected = one_by_one(partitions, partitions, adjusted_rand_score)
    assert scores.values.tobytes() == expected.tobytes()
    result = score_candidates(partitions[0], partitions[1:], indices="adjusted_rand_score")
    assert result.scores["adjusted_rand_score"].tolist() == expected[0, 1:].tolist()


# --------------------------------------------------------------------------- ids of objects


def test_each_pair_of_subsamples_is_compared_on_its_own_objects():
    rng = np.random.default_rng(0)
    labels = rng.integers(4, size=(5, 60))
    taken = [rng.choice(60, size=size, replace=False) for size in (60, 40, 45, 30, 50)]
    samples = {f"run {k}": pd.Series(labels[k, ids], index=ids) for k, ids in enumerate(taken)}
    with pytest.warns(UserWarning, match=r"^coverage is \d+\.\d% for some pairs"):
        scores = pairwise_scores(samples, index="pair_f_score", unmatched="drop")
    assert scores.names == list(samples)
    for i, j in np.ndindex(5, 5):
        common = np.intersect1d(taken[i], taken[j])
        expected = metrics.pair_f_score(labels[i, common], labels[j, common])
        assert scores[i, j] == pytest.approx(expected, rel=1e-15)
        assert scores.coverage[i, j] == len(common) / len(np.union1d(taken[i], taken[j]))


def test_the_result_keeps_the_names_that_went_in():
    frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 1, 1]})
    scores = pairwise_scores(frame, index="pair_recall_score")
    assert scores.names == ["a", "b"]
    assert scores.to_frame().loc["b", "a"] == scores[1, 0]
    assert np.asarray(scores) is scores.values
    assert np.array(scores, dtype=np.float32).dtype == np.float32
    assert (len(scores), scores.shape) == (2, (2, 2))
    assert "pair_recall_score" in repr(scores)
    assert "<table>" in scores._repr_html_()


def test_noise_is_dropped_pair_by_pair():
    partitions = [[0, 0, -1, 1, 1], [0, -1, 2, 1, 1], [5, 5, 5, 6, 6]]
    scores = pairwise_scores(partitions, index="adjusted_rand_score", noise="drop")
    for i, j in np.ndindex(3, 3):
        table = ContingencyTable.from_labels(partitions[i], partitions[j], noise="drop")
        assert scores[i, j] == get_index("adjusted_rand_score")(table)
        assert scores.coverage[i, j] == table.coverage
