"""All pairs of partitions: values, inputs, workers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare import adjusted_rand_score, metrics, pairwise_scores, score_candidates
from sklearn_clustcompare.indices import INDICES
from tests.comparison._examples import (
    INDEXED,
    SHUFFLED,
    TRUTH,
    one_by_one,
    random_memberships,
    random_partitions,
)

# --------------------------------------------------------------------------- values


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("name", INDICES)
def test_all_pairs_score_as_the_function_does(name):
    partitions = random_partitions()
    function = getattr(metrics, name)
    scores = pairwise_scores(partitions, index=name)
    assert scores.tobytes() == one_by_one(partitions, partitions, function).tobytes()
    scores = pairwise_scores(partitions[:3], partitions[2:], index=name)
    assert scores.tobytes() == one_by_one(partitions[:3], partitions[2:], function).tobytes()


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
    assert pairwise_scores(partitions, index=name, **params).tobytes() == expected.tobytes()


@given(
    st.integers(1, 40).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(-3, 6), min_size=n, max_size=n), min_size=1, max_size=7
        )
    )
)
def test_all_pairs_of_any_partitions(partitions):
    for name in ("adjusted_rand_score", "f_measure_score", "variation_of_information_distance"):
        expected = one_by_one(partitions, partitions, getattr(metrics, name))
        assert pairwise_scores(partitions, index=name).tobytes() == expected.tobytes()


def test_all_pairs_of_labels_of_every_kind(case):
    partitions = [*case, case[0], list(map(str, case[1]))]
    expected = one_by_one(partitions, partitions, adjusted_rand_score)
    assert pairwise_scores(partitions, index="adjusted_rand_score").tolist() == expected.tolist()


def test_all_pairs_where_some_are_soft():
    partitions = [
        random_partitions()[2],
        random_memberships(3),
        random_memberships(4, seed=1),
        random_partitions()[5],
    ]
    for name in ("adjusted_rand_score", "purity_score", "frobenius_adjusted_rand_score"):
        expected = one_by_one(partitions, partitions, getattr(metrics, name))
        assert pairwise_scores(partitions, index=name).tobytes() == expected.tobytes()
        expected = one_by_one(partitions[:1], partitions, getattr(metrics, name))
        scores = pairwise_scores(partitions[:1], partitions, index=name)
        assert scores.tobytes() == expected.tobytes()


def test_long_partitions_are_counted_in_blocks():
    partitions = random_partitions(70_000, (2, 5, 20, 40, 300))
    expected = one_by_one(partitions, partitions, adjusted_rand_score)
    assert pairwise_scores(partitions, index="adjusted_rand_score").tobytes() == expected.tobytes()


# --------------------------------------------------------------------------- inputs


@pytest.mark.parametrize(
    ("partitions", "Y", "message"),
    [
        ([TRUTH, TRUTH[1:]], None, "partition 0 and partition 1 must have the same length"),
        ([TRUTH], {"y": [1]}, r"partition 0 and partition of Y 0 \('y'\) must have the same"),
        ([TRUTH], [[*TRUTH[1:], np.nan]], "partition of Y 0 must not contain .*, got nan"),
        ([TRUTH, [[0.5, 0.5]] * 5], None, "partition 0 and partition 1 must have the same length"),
        ([TRUTH, [[0.5, 0.6]] * 6], None, "partition 1: memberships of a row must sum to 1"),
        (np.array(TRUTH), None, "partitions must be a 2-D array"),
    ],
)
def test_errors_name_the_partition(partitions, Y, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        pairwise_scores(partitions, Y, index="rand_score")


# --------------------------------------------------------------------------- workers


@pytest.mark.filterwarnings("ignore")
def test_big_arrays_reach_the_workers_of_every_backend(backend):
    partitions = random_partitions(200_000, (3, 20, 5, 300))
    scores = pairwise_scores(partitions, index="adjusted_rand_score")
    expected = one_by_one(partitions, partitions, adjusted_rand_score)
    assert scores.tobytes() == expected.tobytes()
    result = score_candidates(partitions[0], partitions[1:], indices="adjusted_rand_score")
    assert result.scores["adjusted_rand_score"].tolist() == expected[0, 1:].tolist()


# --------------------------------------------------------------------------- ids of objects


def test_pairs_are_aligned_whichever_is_first():
    scores = pairwise_scores([INDEXED], [INDEXED, SHUFFLED], index="adjusted_rand_score")
    assert scores.tolist() == [[1.0, 1.0]]
    with pytest.raises(ValueError, match="partition 0 must be a pandas Series of labels"):
        pairwise_scores([[0, 0, 1, 1]], [INDEXED, SHUFFLED], index="adjusted_rand_score")
    with pytest.raises(ValueError, match="partition 2 must be a pandas Series of labels"):
        pairwise_scores([INDEXED, SHUFFLED, [0, 0, 1, 1]], index="adjusted_rand_score")
