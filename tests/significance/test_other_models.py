"""Adjustment for chance under models in which cluster sizes are random."""

import math
from collections import Counter

import numpy as np
import pytest

from sklearn_clustcompare import (
    AllPartitionsModel,
    ContingencyTable,
    FixedClusterCountModel,
    PermutationModel,
    chance_adjusted_score,
    get_index,
    list_indices,
)
from tests._chance.test_random_models import all_partitions
from tests._examples import slow

TRUTH, FOUND = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]
TABLE = ContingencyTable.from_labels(TRUTH, FOUND)
LINEAR = [
    ("rand_score", {}),
    ("mirkin_distance", {}),
    ("mirkin_distance", {"normalize": True}),
    ("pair_counting_score", {"coefficient": "hamann"}),
]


@pytest.mark.parametrize(
    ("model", "reference", "candidate", "expected"),
    [
        (FixedClusterCountModel(6, (3, 3)), TRUTH, FOUND, 0.1692308),
        (FixedClusterCountModel.one_sided([2, 2, 2], 3), FOUND, TRUTH, 0.0909091),
        (FixedClusterCountModel.one_sided([3, 2, 1], 3), TRUTH, FOUND, 0.1588785),
        (AllPartitionsModel(6), TRUTH, FOUND, 0.1252972),
        (AllPartitionsModel.one_sided([2, 2, 2]), FOUND, TRUTH, 0.0575673),
        (AllPartitionsModel.one_sided([3, 2, 1]), TRUTH, FOUND, 0.1369048),
        ("permutation", TRUTH, FOUND, 0.0740741),
    ],
    ids=str,
)
def test_printed_adjusted_rand_indices(model, reference, candidate, expected):
    """Values of the Python package of Gates and Ahn."""
    score = chance_adjusted_score(reference, candidate, index="rand_score", model=model)
    assert score == pytest.approx(expected, abs=1e-7)
    assert score.method == "exact"
    assert score.standard_error == 0


@pytest.mark.parametrize(("name", "parameters"), LINEAR)
@pytest.mark.parametrize("k", [2, 3, None])
def test_exact_means_are_those_of_all_candidates(name, parameters, k):
    candidates = [one for one in all_partitions(6) if k in (None, len(set(one)))]
    sizes = list(Counter(TRUTH).values())
    for found in candidates[:: len(candidates) // 5]:
        model = (
            AllPartitionsModel.one_sided(sizes)
            if k is None
            else FixedClusterCountModel.one_sided(sizes, k)
        )
        index = get_index(name)
        values = [
            index(ContingencyTable.from_labels(TRUTH, one), **parameters) for one in candidates
        ]
        score = chance_adjusted_score(TRUTH, found, index=name, model=model, **parameters)
        assert score.expected == pytest.approx(np.mean(values), rel=1e-13)
        assert score.unadjusted == index(ContingencyTable.from_labels(TRUTH, found), **parameters)
        assert score.method == "exact"


def test_indices_that_are_linear_in_pair_counts():
    assert list_indices(linear_in_pair_counts=True) == [
        "rand_score",
        "mirkin_distance",
        "partition_difference",
        "pair_counting_score",
    ]
    assert get_index("pair_counting_score").properties(coefficient="russell_rao")[
        "linear_in_pair_counts"
    ]


MODELS = [
    FixedClusterCountModel(40, (3, 4)),
    FixedClusterCountModel.one_sided([20, 10, 10], 4),
    AllPartitionsModel(40),
    AllPartitionsModel.one_sided([20, 10, 10]),
]


@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize("n_resamples", [100, slow(2000)])
def test_draws_agree_with_exact_means(model, n_resamples):
    rng = np.random.default_rng(0)
    table = ContingencyTable.from_labels(
        np.repeat([0, 1, 2], [20, 10, 10]), np.append(rng.integers(4, size=36), range(4))
    )
    exact = chance_adjusted_score(table, index="rand_score", model=model)
    options = {"model": model, "n_resamples": n_resamples, "random_state": 0}
    drawn = chance_adjusted_score(table, index="rand_score", method="monte_carlo", **options)
    assert abs(drawn - exact) < 5 * drawn.standard_error
    assert drawn.method == "monte_carlo"
    # Of an index of the mutual information alone the mean is known, too.
    found = chance_adjusted_score(
        table, index="variation_of_information_distance", n_jobs=2, **options
    )
    error = found.standard_error * (found.expected**2 / found.unadjusted)
    sizes = model._true.expected_sizes(), model._pred.expected_sizes()
    entropies = [
        -sum(m * a / 40 * math.log(a / 40) for a, m in zip(*side, strict=True)) for side in sizes
    ]
    expected = sum(entropies) - 2 * model.expected_mutual_info()
    assert abs(found.expected - expected) < 5 * error
    again = chance_adjusted_score(table, index="variation_of_information_distance", **options)
    assert again == found


def test_many_clusters_are_drawn_by_permuting():
    model = AllPartitionsModel.one_sided([2] * 1000)
    table = ContingencyTable.from_labels(np.repeat(np.arange(1000), 2), np.arange(2000) % 7)
    drawn = chance_adjusted_score(
        table, index="rand_score", model=model, method="monte_carlo", n_resamples=100
    )
    exact = chance_adjusted_score(table, index="rand_score", model=model)
    assert abs(drawn - exact) < 6 * drawn.standard_error


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"model": "perm"}, TypeError, "^model must be 'permutation', a FixedCl.*, got 'perm'"),
        ({"model": PermutationModel([6], [6])}, TypeError, "^model must be 'permutation', a Fixe"),
        ({"model": AllPartitionsModel(7)}, ValueError, "^model must be of 6 objects"),
        (
            {"model": AllPartitionsModel.one_sided([2, 2, 2])},
            ValueError,
            "^model must have the cluster sizes of labels_true",
        ),
        (
            {"model": FixedClusterCountModel(6, (3, 4))},
            ValueError,
            r"^model must have \(3, 3\) clusters",
        ),
        (
            {"model": AllPartitionsModel(6), "method": "limit"},
            ValueError,
            "^method must not be 'limit' except under permutation",
        ),
        (
            {"model": AllPartitionsModel(6), "method": "exact", "index": "pair_recall_score"},
            ValueError,
            "^method must not be 'exact' for pair_recall_score under AllPartitionsModel",
        ),
    ],
)
def test_models_that_do_not_fit(options, error, message):
    with pytest.raises(error, match=message):
        chance_adjusted_score(TABLE, **{"index": "rand_score"} | options)


def test_models_are_of_labels():
    model = AllPartitionsModel(3)
    with pytest.raises(ValueError, match="^model must be 'permutation' for real-valued counts"):
        chance_adjusted_score([0, 0, 1], [[0.5, 0.5]] * 3, index="rand_score", model=model)
