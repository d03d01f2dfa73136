"""Totals among counts, and images of colors."""

import warnings

import numpy as np
import pytest
from scipy import sparse

from sklearn_clustcompare import ContingencyTable

pd = pytest.importorskip("pandas")

RNG = np.random.default_rng(0)
LABELS = RNG.integers(3, size=50), RNG.integers(4, size=50)
TEXT = tuple(np.array(list("uvwx"))[one] for one in LABELS)


@pytest.mark.parametrize("labels", [LABELS, TEXT, (TEXT[0], LABELS[1]), (LABELS[0], TEXT[1])])
@pytest.mark.parametrize("name", ["All", "Sum of all"])
def test_totals_of_a_crosstab_are_no_clusters(labels, name):
    frame = pd.crosstab(*labels, margins=True, margins_name=name)
    for given in (frame, frame.to_numpy(), sparse.csr_array(frame.to_numpy()), frame * 0.5):
        with pytest.raises(ValueError, match="must not contain totals, .*without margins=True"):
            ContingencyTable.from_counts(given)
    expected = ContingencyTable.from_labels(*labels)
    assert ContingencyTable.from_counts(frame.iloc[:-1, :-1]) == expected
    assert ContingencyTable.from_counts(pd.crosstab(*labels)) == expected


def test_totals_of_one_cluster_by_their_name():
    frame = pd.crosstab(np.zeros(5, int), LABELS[1][:5], margins=True)
    with pytest.raises(ValueError, match="must not contain totals"):
        ContingencyTable.from_counts(frame)


@pytest.mark.parametrize(
    "counts",
    [
        [[1, 1], [1, 1]],
        [[2, 3, 5], [2, 3, 5]],
        [[2, 1], [3, 4], [5, 5]],
        [[1, 2, 3], [4, 5, 9], [5, 7, 11]],
        [[1, 2, 3], [4, 5, 9], [5, 7, 12]],  # of two clusters a side, by chance
        [[1, 2, 3, 6], [4, 5, 9, 18], [2, 2, 2, 6], [7, 9, 14, 31]],
        [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
    ],
)
def test_counts_that_are_no_totals(counts):
    assert ContingencyTable.from_counts(counts).n_samples == np.sum(counts)


def test_clusters_that_look_like_totals_may_come_first():
    counts = np.array([[1, 2, 3, 6], [4, 5, 9, 18], [2, 2, 2, 6], [7, 9, 14, 30]])
    with pytest.raises(ValueError, match="put them first"):
        ContingencyTable.from_counts(counts)
    assert ContingencyTable.from_counts(counts[::-1, ::-1]).n_samples == 120


@pytest.mark.parametrize(
    ("shape", "is_asked"),
    [
        ((9, 8, 3), True),
        ((9, 8, 4), True),
        ((9, 8, 5), False),
        ((9, 8), False),
        ((3, 9, 8), False),
        ((4, 4, 4), False),
    ],
)
def test_images_of_colors_are_asked_about(shape, is_asked):
    images = RNG.integers(4, size=(2, *shape)).astype(np.uint8)
    if is_asked:
        with pytest.warns(UserWarning, match=r"shape \(9, 8, .\), as images of colors"):
            ContingencyTable.from_images(*images)
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ContingencyTable.from_images(*images)
