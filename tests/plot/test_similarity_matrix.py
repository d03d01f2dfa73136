"""Similarity matrices, by the data in their artists."""

import numpy as np
import pytest
from sklearn.cluster import KMeans

from sklearn_clustcompare import pairwise_scores
from sklearn_clustcompare.plot import SimilarityMatrixDisplay
from tests.plot._examples import X, Y, texts

pyplot = pytest.importorskip("matplotlib.pyplot")


def test_objects_are_ordered_by_cluster():
    data = np.array([[0.0], [10.0], [1.0], [9.0]])
    display = SimilarityMatrixDisplay.from_predictions(data, ["b", "a", "b", "a"])
    assert display.order.tolist() == [1, 3, 0, 2]
    ordered = data[[1, 3, 0, 2], 0]
    expected = 1 - np.abs(ordered[:, np.newaxis] - ordered) / 10
    assert display.im_.get_array().data == pytest.approx(expected)
    assert display.boundaries_.tolist() == [1.5]
    assert texts(display.ax_.yaxis) == ["a", "b"]
    assert display.ax_.yaxis.get_ticklocs().tolist() == [0.5, 2.5]


def test_similarity_of_an_estimator():
    fitted = KMeans(3, n_init=1, random_state=0).fit(X)
    display = SimilarityMatrixDisplay.from_estimator(fitted, X, metric="cityblock")
    assert display.labels.tolist() == sorted(fitted.labels_)
    assert "cityblock" in display.unit
    with pytest.raises(ValueError, match="^estimator must be fitted and have labels_, got KMeans"):
        SimilarityMatrixDisplay.from_estimator(KMeans(3), X)


@pytest.mark.parametrize(
    ("labels", "options", "what"),
    [
        ([0, -1, 1, -1], {}, "2 clusters and noise"),
        ([0, -1, 1, -1], {"noise_label": 9}, "3 clusters"),
        (list("abxb"), {"noise_label": ["x", "y"]}, "2 clusters and noise"),
        ([-1, -1, -1, -1], {}, "0 clusters and noise"),
    ],
)
def test_noise_is_no_cluster(labels, options, what):
    display = SimilarityMatrixDisplay.from_predictions(X[:4], labels, **options)
    assert display.ax_.get_xlabel() == f"objects by cluster ({what})"


def test_similar_partitions_are_neighbors():
    scores = np.eye(4)
    scores[0, 2] = scores[2, 0] = scores[1, 3] = scores[3, 1] = 0.9
    display = SimilarityMatrixDisplay.from_scores(scores, names=list("pqrs"), index="rand_score")
    order = display.order.tolist()
    assert {frozenset(order[:2]), frozenset(order[2:])} == {frozenset({0, 2}), frozenset({1, 3})}
    assert texts(display.ax_.xaxis) == ["pqrs"[one] for one in order]
    assert display.im_.get_array().tolist() == scores[np.ix_(order, order)].tolist()


@pytest.mark.parametrize("n", [1, 2])
def test_few_partitions_keep_their_order(n):
    assert SimilarityMatrixDisplay.from_scores(np.eye(n)).order.tolist() == list(range(n))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SimilarityMatrixDisplay.from_predictions(X, Y[:-1]), "X and labels must have the"),
        (
            lambda: SimilarityMatrixDisplay.from_predictions(
                np.zeros((5001, 1)), np.zeros(5001, int)
            ),
            "X must hold at most 5000 objects, .* got 5001",
        ),
        (
            lambda: SimilarityMatrixDisplay.from_scores(np.zeros((2, 3))),
            r"scores must be a square matrix .* got an array of shape \(2, 3\)",
        ),
        (lambda: SimilarityMatrixDisplay.from_scores([[np.nan]]), "scores must be finite, got nan"),
        (
            lambda: SimilarityMatrixDisplay.from_scores(np.eye(2), names=list("abc")),
            "names must name the 2 rows of scores, got 3",
        ),
    ],
)
def test_bad_similarities_are_named(make, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        make()


@pytest.mark.slow
def test_small_distances_are_dark_and_next_to_each_other():
    runs = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [1, 1, 0, 0], "d": [1, 0, 1, 0]}
    name = "variation_of_information_distance"
    scores = pairwise_scores(runs, index=name)
    for display in (
        SimilarityMatrixDisplay.from_scores(scores),
        SimilarityMatrixDisplay.from_scores(scores.values, index=name),
        SimilarityMatrixDisplay.from_scores(scores.values, greater_is_better=False),
    ):
        assert {frozenset(display.order.tolist()[:2])} <= {frozenset({0, 2}), frozenset({1, 3})}
        assert display.ax_.get_title() == "Distance of 4 partitions"
        lightness = display.im_.to_rgba(display.im_.get_array())[..., :3].sum(axis=-1)
        assert lightness[0, 0] < lightness[0, 3]
    assert display.unit == "distance"
    similar = SimilarityMatrixDisplay.from_scores(scores.values)
    assert similar.ax_.get_title() == "Similarity of 4 partitions"


def test_values_are_written_into_few_cells():
    scores = np.array([[1.0, 0.25], [0.25, 1.0]])
    options = {
        "values_format": ".1%",
        "xticks_rotation": 45,
        "cmap": "magma",
        "colorbar": False,
        "im_kw": {"vmin": -1},
        "text_kw": {"color": "red"},
    }
    display = SimilarityMatrixDisplay.from_scores(scores, **options)
    assert [text.get_text() for text in display.text_.ravel()] == ["100.0%", "25.0%"] + [
        "25.0%",
        "100.0%",
    ]
    assert display.text_[0, 0].get_color() == "red"
    assert display.im_.cmap.name == "magma"
    assert display.im_.get_clim() == (-1, 1)
    assert {label.get_rotation() for label in display.ax_.get_xticklabels()} == {45}
    assert SimilarityMatrixDisplay.from_scores(np.eye(21), colorbar=False).text_ is None
    objects = SimilarityMatrixDisplay.from_predictions([[0.0], [1.0]], [0, 1])
    assert objects.text_ is None
    assert objects.plot(include_values=True).text_.shape == (2, 2)


def test_the_pair_under_the_pointer_is_named():
    display = SimilarityMatrixDisplay.from_scores(np.eye(2), names=["p", "q"])
    assert display.ax_.format_coord(1, 0) == "p and q: 0"
    objects = SimilarityMatrixDisplay.from_predictions([[0.0], [5.0], [1.0]], [0, 1, 0])
    assert objects.ax_.format_coord(1.2, 0) == "objects 0 and 2 of clusters 0 and 0: 0.8"


@pytest.mark.parametrize("sign", [1, -1])
def test_tree_joins_at_the_mean_score(sign):
    # 0 and 2 at 0.9, 1 and 3 at 0.7, and these pairs at 0.1.
    scores = np.full((4, 4), 0.1)
    scores[0, 2] = scores[2, 0] = 0.9
    scores[1, 3] = scores[3, 1] = 0.7
    np.fill_diagonal(scores, 1.0)
    display = SimilarityMatrixDisplay.from_scores(
        sign * scores, greater_is_better=sign > 0, dendrogram=True
    )
    corners = np.array(display.branches_.get_segments())
    assert corners[:, 1, 1] == pytest.approx([0.1, 0.3, 0.9])
    # Above their rows: the pairs are neighbors, and the last bracket joins their middles.
    rows = {position: row for row, position in enumerate(display.order.tolist())}
    ends = np.sort(corners[:, [0, 3], 0], axis=1).tolist()
    assert ends == [
        sorted([rows[0], rows[2]]),
        sorted([rows[1], rows[3]]),
        sorted([(rows[0] + rows[2]) / 2, (rows[1] + rows[3]) / 2]),
    ]
    tree_ax = display.branches_.axes
    assert tree_ax.get_xlim() == display.ax_.get_xlim()


@pytest.mark.slow
def test_tree_is_between_the_title_and_the_matrix():
    scores = np.random.default_rng(0).random((9, 9))
    figure, axes = pyplot.subplots(2, 2)
    display = SimilarityMatrixDisplay.from_scores(scores, dendrogram=True, ax=axes[1, 0])
    figure.draw_without_rendering()
    tree = display.branches_.axes.get_window_extent()
    assert display.ax_.get_window_extent().y1 < tree.y0
    assert tree.y1 <= display.ax_.title.get_window_extent().y0 + 1
    assert not display.ax_.get_tightbbox().overlaps(axes[0, 0].get_tightbbox())


@pytest.mark.parametrize("n", [1, 2])
def test_few_partitions_have_no_tree(n):
    assert SimilarityMatrixDisplay.from_scores(np.eye(n), dendrogram=True).branches_ is None


def test_dendrogram_must_be_a_bool():
    with pytest.raises(TypeError, match="^dendrogram must be True or False, got 'left'"):
        SimilarityMatrixDisplay.from_scores(np.eye(3), dendrogram="left")
