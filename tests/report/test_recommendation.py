"""Which index is recommended for which reference, and whether the reasons say so."""

import re

import numpy as np
import pytest

from sklearn_clustcompare import get_index, recommend_index


def labels_of(sizes):
    return np.repeat(np.arange(len(sizes)), sizes)


def test_big_equal_clusters():
    """Romano et al. (2016), sec. 4.2: four clusters of 25."""
    advice = recommend_index(labels_of([25] * 4))
    assert (advice.index, advice.parameters) == ("adjusted_rand_score", {})


@pytest.mark.parametrize("sizes", [(10, 10, 10, 70), (180, 12, 6, 2), (95, 3, 2)])
def test_unbalanced_with_small_clusters(sizes):
    """Romano et al. (2016), sec. 4.1: small q."""
    advice = recommend_index(labels_of(sizes))
    assert advice.index == "adjusted_mutual_info_score"
    assert 0 < advice.parameters["q"] < 1


@pytest.mark.parametrize("sizes", [(20,) * 9 + (5,), (40, 10, 10, 10, 10, 10)])
def test_neither_balanced_nor_clearly_unbalanced(sizes):
    advice = recommend_index(labels_of(sizes))
    assert (advice.index, advice.parameters) == ("adjusted_mutual_info_score", {})


def test_many_candidates_and_few_objects():
    """Romano et al. (2016), sec. 5: standardise to choose among many candidates."""
    labels = labels_of([10] * 6)
    advice = recommend_index(labels, n_candidates=50)
    assert (advice.index, advice.parameters) == ("standardized_mutual_info_score", {})
    assert "50 candidates" in advice.reasons[0]
    assert "1.7 per cell of a 6 x 6 table" in advice.reasons[0]
    assert recommend_index(labels, n_candidates=1).index == "adjusted_rand_score"
    many = labels_of([1000] * 6)
    assert recommend_index(many, n_candidates=50).index == "adjusted_rand_score"


CASES = [
    ([25] * 4, 1),
    ([10, 10, 10, 70], 1),
    ([40, 10, 10, 10, 10, 10], 1),
    ([10] * 6, 20),
    ([7], 1),
    ([1], 1),
    ([1], 9),
    ([1] * 9, 1),
    ([1] * 9, 9),
]


@pytest.mark.parametrize(("sizes", "n_candidates"), CASES)
def test_advice_can_be_followed_and_gives_reasons(sizes, n_candidates):
    advice = recommend_index(labels_of(sizes), n_candidates=n_candidates)
    get_index(advice.index).check_parameters(**advice.parameters)
    assert advice.reasons
    for reason in advice.reasons:
        assert len(reason.split()) >= 6
        assert "nan" not in reason.split()
    assert any(re.search(r"\d", reason) for reason in advice.reasons)


@pytest.mark.parametrize(
    ("sizes", "figures"),
    [
        ([25] * 4, ["1.00 of the largest for 4 clusters", "1.00 of the mean size"]),
        ([10, 10, 10, 70], ["0.68 of the largest for 4 clusters", "0.40 of the mean size"]),
    ],
)
def test_reasons_hold_the_figures(sizes, figures):
    reasons = " ".join(recommend_index(labels_of(sizes)).reasons)
    for figure in figures:
        assert figure in reasons


def test_weights_are_frequencies():
    advice = recommend_index(labels_of([10, 10, 10, 70]))
    assert recommend_index(list("abcd"), sample_weight=[10, 10, 10, 70]) == advice
    assert recommend_index([0, 1, 2, 3, 9], sample_weight=[10, 10, 10, 70, 0]) == advice


@pytest.mark.parametrize(
    ("labels", "options", "error", "message"),
    [
        ([], {}, ValueError, "^labels_true must hold at least one object, got none"),
        ([0, 1], {"sample_weight": [0, 0]}, ValueError, "^labels_true must hold at least one"),
        ([0, 1], {"sample_weight": [1]}, ValueError, "^sample_weight"),
        ([0, 1], {"n_candidates": 0}, ValueError, "^n_candidates must be at least 1"),
        ([0, 1], {"n_candidates": 2.5}, TypeError, "^n_candidates must be an integer"),
        ([[0, 1]], {}, ValueError, "^labels_true must be a 1-D array"),
        ([0, None], {}, ValueError, "^labels_true must not contain missing values"),
    ],
)
def test_bad_input_is_named(labels, options, error, message):
    with pytest.raises(error, match=message):
        recommend_index(labels, **options)
