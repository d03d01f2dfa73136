"""Adjustment for chance under models in which cluster sizes are random."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable, chance_adjusted_score, get_index, list_indices
from sklearn_clustcompare.significance import (
    AllPartitionsModel,
    FixedClusterCountModel,
    MultinomialModel,
)
from tests._examples import slow
from tests._laws import all_partitions

TRUTH, FOUND = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]
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


@pytest.mark.slow
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
    MultinomialModel(40, [0.5, 0.25, 0.25], [0.25] * 4),
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


def together(labels, i, j):
    return labels[i] == labels[j]


def modified_adjusted_rand(true, pred):
    """Return the definition of Sundqvist, Chiquet and Rigaill, by pairs and fours of objects."""
    pairs = list(itertools.combinations(range(len(true)), 2))
    fours = [(first, second) for first in pairs for second in pairs if not set(first) & set(second)]
    chance = sum(together(true, *one) and together(pred, *other) for one, other in fours)
    expected = Fraction(chance, len(fours))
    both = Fraction(sum(together(true, *one) and together(pred, *one) for one in pairs), len(pairs))
    joined = sum(together(true, *one) + together(pred, *one) for one in pairs)
    return (both - expected) / (Fraction(joined, 2 * len(pairs)) - expected)


def test_multinomial_rand_is_the_modified_adjusted_rand_index():
    rng = np.random.default_rng(0)
    for n in (4, 5, 8, 12):
        for _ in range(5):
            true, pred = rng.integers(3, size=(2, n)).tolist()
            true[:2], pred[1:3] = [0, 0], [0, 0]  # the mean is not the best value
            score = chance_adjusted_score(true, pred, index="rand_score", model="multinomial")
            assert score.method == "exact"
            assert score == pytest.approx(float(modified_adjusted_rand(true, pred)), rel=1e-12)
            for name, parameters in LINEAR[1:3]:
                options = {"index": name, "model": "multinomial"} | parameters
                assert chance_adjusted_score(true, pred, **options) == pytest.approx(score)


@pytest.mark.parametrize("n", [4, slow(5)])
@pytest.mark.parametrize(
    "joint", [[[2, 4], [1, 2]], [[4, 1], [0, 4]]], ids=["independent", "dependent"]
)
def test_estimated_mean_is_unbiased_over_all_samples(n, joint):
    """Also if the partitions depend on each other: it is the mean for independent ones."""
    joint = np.array(joint) / 9
    cells = list(itertools.product(range(2), repeat=2))
    mean = 0.0
    for sample in itertools.product(cells, repeat=n):
        true, pred = zip(*sample, strict=True)
        probability = math.prod(joint[cell] for cell in sample)
        score = chance_adjusted_score(true, pred, index="rand_score", model="multinomial")
        mean += probability * score.expected
    rows, cols = (joint.sum(axis=axis) for axis in (1, 0))
    model = MultinomialModel(n, rows, cols)
    pairs = model.expected_pair_count(), *model.expected_joined_pairs()
    expected = 1 + (2 * pairs[0] - pairs[1] - pairs[2]) / math.comb(n, 2)
    assert mean == pytest.approx(expected, rel=1e-12)
    assert pairs[0] == pytest.approx(math.comb(n, 2) * (rows**2).sum() * (cols**2).sum())


@pytest.mark.parametrize("scale", [1, 699_050, 699_051, 10**8])
def test_pairs_of_pairs_are_whole_numbers_of_any_size(scale):
    """2**21 objects are the last whose triples are counted in 64 bits."""
    counts = np.array([[1, 0, 1], [0, 1, 0]]) * scale + np.array([[1, 1, 0], [0, 0, 0]])
    n = int(counts.sum())
    rows, cols = counts.sum(axis=1).tolist(), counts.sum(axis=0).tolist()
    # Pairs within a row, by the columns of their two objects, and the pairs left in the columns.
    disjoint = 0
    for row in counts.tolist():
        for j, k in itertools.combinations_with_replacement(range(3), 2):
            ways = math.comb(row[j], 2) if j == k else row[j] * row[k]
            left = [cols[m] - (m == j) - (m == k) for m in range(3)]
            disjoint += ways * sum(size * (size - 1) // 2 for size in left)
    in_both = Fraction(disjoint, math.comb(n - 2, 2))
    joined = sum(math.comb(size, 2) for size in rows + cols)
    expected = 1 + (2 * in_both - joined) / math.comb(n, 2)
    table = ContingencyTable.from_counts(counts)
    score = chance_adjusted_score(table, index="rand_score", model="multinomial")
    assert score.expected == pytest.approx(float(expected), rel=1e-14)


def test_equal_partitions_score_one_and_random_ones_zero_under_the_multinomial_model():
    options = {"index": "rand_score", "model": "multinomial"}
    for labels in ([0, 0, 1, 1], [0, 0, 0, 0], [0, 1, 2, 3], [0, 0, 1, 2]):
        assert chance_adjusted_score(labels, labels, **options) == 1.0
    rng = np.random.default_rng(0)
    many = chance_adjusted_score(*rng.integers(5, size=(2, 10**5)), **options)
    assert abs(many) < 1e-3
    exact = chance_adjusted_score(*rng.integers(5, size=(2, 10**5)), index="rand_score")
    assert abs(exact) < 1e-3


def test_many_clusters_are_drawn_by_permuting():
    model = AllPartitionsModel.one_sided([2] * 1000)
    table = ContingencyTable.from_labels(np.repeat(np.arange(1000), 2), np.arange(2000) % 7)
    drawn = chance_adjusted_score(
        table, index="rand_score", model=model, method="monte_carlo", n_resamples=100
    )
    exact = chance_adjusted_score(table, index="rand_score", model=model)
    assert abs(drawn - exact) < 6 * drawn.standard_error
