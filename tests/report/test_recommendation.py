"""Which index is recommended for which reference, and whether the reasons say so."""

import re

import numpy as np
import pytest

from sklearn_clustcompare import get_index, recommend_index
from sklearn_clustcompare.report._recommendation import TASKS, paths


def labels_of(sizes):
    return np.repeat(np.arange(len(sizes)), sizes)


@pytest.mark.parametrize("sizes", [(10, 10, 10, 70), (180, 12, 6, 2), (95, 3, 2), (90, 10)])
def test_unbalanced_with_small_clusters(sizes):
    """Romano et al. (2016), sec. 4.1: small q."""
    advice = recommend_index(labels_of(sizes))
    assert advice.index == "adjusted_mutual_info_score"
    assert 0 < advice.parameters["q"] < 1


@pytest.mark.parametrize("sizes", [(20,) * 9 + (5,), (40, 10, 10, 10, 10, 10), (4,) * 4])
def test_neither_balanced_nor_clearly_unbalanced(sizes):
    advice = recommend_index(labels_of(sizes))
    assert (advice.index, advice.parameters) == ("adjusted_mutual_info_score", {})


def test_many_candidates_and_few_objects():
    """Romano et al. (2016), sec. 5: standardize to choose among many candidates."""
    labels = labels_of([10] * 6)
    advice = recommend_index(labels, candidate_n_clusters=[5, 6] * 25)
    assert (advice.index, advice.parameters) == ("standardized_mutual_info_score", {})
    assert "50 candidates of 5 to 6 clusters" in advice.reasons[0]
    assert "1.7 per cell of a 6 x 6 table" in advice.reasons[0]
    assert recommend_index(labels).index == "adjusted_rand_score"
    many = labels_of([30] * 6)  # 5 per cell
    assert recommend_index(many, candidate_n_clusters=[5, 6] * 25).index == "adjusted_rand_score"


def test_numbers_of_clusters_of_the_candidates_count():
    labels = labels_of([50] * 4)
    # 200 objects in 4 x 4 cells are many, in 4 x 25 they are few.
    advice = recommend_index(labels, candidate_n_clusters=range(2, 26))
    assert advice.index == "standardized_mutual_info_score"
    assert "24 candidates of 2 to 25 clusters" in advice.reasons[0]
    assert "2 per cell of a 4 x 25 table" in advice.reasons[0]
    few = recommend_index(labels, candidate_n_clusters=[2, 3, 4, 5])
    assert few.index == "adjusted_rand_score"
    assert recommend_index(labels, candidate_n_clusters=np.array([25])).index == few.index


def test_candidates_with_equal_numbers_of_clusters_vary_alike():
    labels = labels_of([10] * 6)
    unequal = recommend_index(labels, candidate_n_clusters=[5, 6, 6])
    assert unequal.index == "standardized_mutual_info_score"
    equal = recommend_index(labels, candidate_n_clusters=[6, 6, 6])
    assert equal.index == "adjusted_rand_score"


def test_the_p_value_is_not_called_the_same():
    reasons = recommend_index(labels_of([10] * 6), candidate_n_clusters=[5, 6]).reasons
    (about,) = (reason for reason in reasons if "pvalue" in reason)
    assert "rounds to 1" in about
    assert "scale='log'" in about


# --------------------------------------------------------------------------- decision tree

# References of the kinds that the tree distinguishes, and the numbers of clusters of candidates.
KINDS = {
    "big equal clusters": ([25] * 4, None),
    "unbalanced, small clusters": ([10, 10, 10, 70], None),
    "neither": ([40, 10, 10, 10, 10, 10], None),
    "few objects, many candidates": ([10] * 6, range(2, 52)),
}


@pytest.mark.parametrize(
    ("taken", "answer"), [pytest.param(*path, id=path[0][-1][1]) for path in paths()]
)
def test_each_path_of_the_tree_is_what_is_recommended(taken, answer):
    assert len(taken) <= 3
    if answer.task == "agreement":
        sizes, n_clusters = KINDS[taken[-1][1]]
        advice = recommend_index(labels_of(sizes), candidate_n_clusters=n_clusters)
    else:
        advice = recommend_index(task=answer.task)
    assert (advice.index, advice.parameters) == (answer.index, answer.parameters)
    assert answer.reason in advice.reasons
    get_index(advice.index).check_parameters(**advice.parameters)


CASES = [
    *KINDS.values(),
    ([7], None),
    ([1], None),
    ([1], [1, 2]),
    ([1] * 9, None),
    ([1] * 9, range(1, 10)),
]


@pytest.mark.parametrize(("sizes", "n_clusters"), CASES)
def test_advice_can_be_followed_and_gives_reasons(sizes, n_clusters):
    advice = recommend_index(labels_of(sizes), candidate_n_clusters=n_clusters)
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


def test_a_task_is_one_of_the_tree():
    text = ", ".join(map(repr, TASKS[:2]))
    with pytest.raises(ValueError, match=f"^task must be one of {text}.*got 'error'"):
        recommend_index([0, 1], task="error")
    with pytest.raises(ValueError, match="^labels_true must be given for task='agreement'"):
        recommend_index()
