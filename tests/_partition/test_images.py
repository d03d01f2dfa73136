"""Labels of two dimensions are no memberships, and memberships have objects as rows."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from sklearn_clustcompare import (
    ContingencyTable,
    adjusted_rand_score,
    frobenius_adjusted_rand_score,
    purity_score,
    score_candidates,
)
from sklearn_clustcompare.metrics import clustering_entropy, partition_coefficient
from tests._memberships import one_hot

IMAGE = np.array([[0, 0, 3], [0, 2, 3], [1, 1, 1]])
ONE_HOT = one_hot([0, 1, 1, 0]).astype(int)
IS_TAKEN = r"labels_true: an array of shape \(4, 2\) of whole numbers, .* is read as memberships"


@pytest.mark.parametrize("form", [np.asarray, np.ndarray.tolist, pd.DataFrame])
@pytest.mark.parametrize("side", [0, 1])
def test_an_image_is_an_error_that_names_ravel(form, side):
    name = ("labels_true", "labels_pred")[side]
    sides = [form(IMAGE) if at == side else [0, 1, 1] for at in (0, 1)]
    with pytest.raises(
        ValueError,
        match=rf"^{name} must be a 1-D .* \.ravel\(\) .*from_images for two images$",
    ):
        adjusted_rand_score(*sides)


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64])
@pytest.mark.parametrize("form", [np.asarray, np.ndarray.tolist, pd.DataFrame])
def test_whole_one_hot_rows_are_memberships_with_a_warning(dtype, form):
    with pytest.warns(UserWarning, match=IS_TAKEN + r".*\.ravel\(\)"):
        score = purity_score(form(ONE_HOT.astype(dtype)), [5, 6, 6, 6])
    assert score == purity_score([0, 1, 1, 0], [5, 6, 6, 6])


def test_images_of_0_and_1_are_not_silent():
    first, second = np.array([[0, 1], [1, 0]]), np.array([[1, 0], [1, 0]])
    with (
        pytest.warns(UserWarning, match="labels_true: .* is read as memberships"),
        pytest.warns(UserWarning, match="labels_pred: .* is read as memberships"),
    ):
        adjusted_rand_score(first, second)
    with pytest.raises(ValueError, match=r"\.ravel\(\)"):
        adjusted_rand_score([0, 1], np.array([[1, 1], [1, 0]]))


def test_where_memberships_are_asked_for_whole_numbers_are_no_question():
    table = ContingencyTable.from_labels([0, 1, 1, 0], [5, 6, 6, 6])
    whole = ContingencyTable.from_memberships(ONE_HOT, [5, 6, 6, 6])
    np.testing.assert_array_equal(whole.counts.toarray(), table.counts.toarray())
    assert partition_coefficient(ONE_HOT) == 1.0
    for form in (sparse.csr_array(ONE_HOT), ONE_HOT.astype(float)):
        assert purity_score(form, [5, 6, 6, 6]) == 0.75
    rows = np.array([[1, 1], [1, 0], [0, 1]])
    assert 0 < frobenius_adjusted_rand_score(rows, rows, possibilistic=True) <= 1


@pytest.mark.parametrize("labels", [np.zeros((2, 2, 2), int), np.full((2, 1, 3), "a")])
def test_more_dimensions_are_an_error_that_names_ravel(labels):
    with pytest.raises(ValueError, match=rf"got an array of shape \({labels.shape[0]}, .*ravel"):
        adjusted_rand_score(labels, [0, 1])


# --------------------------------------------------------------------------- columns


@pytest.mark.parametrize(
    "column",
    [
        np.array([[0], [1], [1]]),
        np.array([[0.0], [1], [2]]),
        np.array([[True], [True], [True]]),
        pd.DataFrame({"species": [0, 1, 1]}),
        [[0], [1], [1]],
    ],
)
def test_a_column_of_labels_is_an_error_that_names_ravel(column):
    with pytest.raises(ValueError, match=r"^labels_true must be a 1-D .* column .* \.ravel\(\)"):
        adjusted_rand_score(column, [0, 1, 1])
    with pytest.raises(ValueError, match=r"^labels must be a 1-D .* column .* \.ravel\(\)"):
        clustering_entropy(column)


@pytest.mark.parametrize("column", [[["a"], ["b"], ["b"]], pd.DataFrame({"x": ["a", "b", "b"]})])
def test_a_column_of_text_is_an_error_that_names_ravel(column):
    with pytest.raises(
        TypeError, match=r"^labels_true must hold real numbers .* \.ravel\(\) makes"
    ):
        adjusted_rand_score(column, [0, 1, 1])


def test_memberships_in_a_single_cluster_are_a_column_of_ones():
    assert purity_score([0, 1, 1], np.ones((3, 1))) == 2 / 3


# --------------------------------------------------------------------------- transposed


def test_transposed_memberships_are_asked_about():
    soft = np.random.default_rng(0).dirichlet([1, 1, 1], 5)
    asked = "shape .* transposed"
    with pytest.raises(ValueError, match=f"got 5 and 3: labels_pred has .*{asked}"):
        adjusted_rand_score([0, 1, 1, 0, 2], soft.T)
    with pytest.raises(ValueError, match=f"got 3 and 5: labels_true has .*{asked}"):
        adjusted_rand_score(soft.T, [0, 1, 1, 0, 2])
    with pytest.raises(ValueError, match=f"got 3 and 2: labels_true has .*{asked}"):
        adjusted_rand_score(soft.T, np.full((2, 5), 0.5))
    with pytest.raises(ValueError, match="must sum to 1, .* the columns do: .* transposed"):
        adjusted_rand_score(soft.T, soft.T)
    with pytest.raises(ValueError, match=f"candidate 0 has .*{asked}"):
        score_candidates([0, 1, 1, 0, 2], [soft.T], indices="rand_score")
    with pytest.raises(ValueError, match="got 5 and 4$"):
        adjusted_rand_score([0, 1, 1, 0, 2], soft[:4])
