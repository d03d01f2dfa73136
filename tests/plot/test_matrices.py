"""Contingency tables and similarity matrices, by the data in their artists."""

import pickle
from inspect import signature

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import ConfusionMatrixDisplay

from sklearn_clustcompare import ContingencyTable, pairwise_scores
from sklearn_clustcompare.plot import ContingencyDisplay, SimilarityMatrixDisplay
from tests.plot._examples import FOUND, TRUTH, X, texts

pyplot = pytest.importorskip("matplotlib.pyplot")
LogNorm = pytest.importorskip("matplotlib.colors").LogNorm


def test_contingency_is_drawn_in_matched_order():
    display = ContingencyDisplay.from_predictions(TRUTH, FOUND)
    assert display.im_.get_array().filled(0).tolist() == [[5, 1, 0], [0, 3, 1], [0, 0, 2]]
    assert texts(display.ax_.xaxis) == ["1", "0", "2"]
    assert texts(display.ax_.yaxis) == ["a", "b", "c"]
    assert [[one.get_text() for one in row] for row in display.text_] == [
        ["5", "1", "0"],
        ["0", "3", "1"],
        ["0", "0", "2"],
    ]


def test_unmatched_clusters_stand_by_the_one_they_share_most_with():
    true = [0] * 9 + [1] * 9
    pred = list("ccccbbbaa") + list("fffffeeed")
    display = ContingencyDisplay.from_predictions(true, pred)
    assert display.col_labels == ["c", "b", "a", "f", "e", "d"]
    swapped = ContingencyDisplay.from_predictions(pred, true)
    assert swapped.row_labels == display.col_labels
    assert np.array_equal(swapped.counts, display.counts.T)


def test_darkness_rises_with_the_count_and_numbers_stay_readable():
    counts = np.array([[97, 3, 0], [2, 50, 1], [0, 1, 30]])
    display = ContingencyDisplay(counts, row_labels=[0, 1, 2], col_labels=[0, 1, 2]).plot()
    cells = display.im_.to_rgba(display.im_.get_array())[..., :3] @ [0.2126, 0.7152, 0.0722]
    by_count = [cells[counts == count].mean() for count in (1, 2, 3, 30, 50, 97)]
    assert by_count == sorted(by_count, reverse=True)
    assert by_count[2] > 0.9  # a few errors are nearly white
    assert by_count[-1] < 0.2
    for text, cell in zip(display.text_.ravel(), cells.ravel(), strict=True):
        contrast = {"white": 1 - cell, "black": cell}.get(text.get_color())
        assert (contrast is None) == (text.get_text() == "0")
        assert contrast is None or contrast > 0.4


def test_empty_cells_have_no_color():
    display = ContingencyDisplay.from_predictions(TRUTH, FOUND)
    assert display.im_.get_array().mask.tolist() == [[0, 0, 1], [1, 0, 0], [1, 1, 0]]


@pytest.mark.parametrize(("normalize", "axis"), [("true", 1), ("pred", 0)])
def test_shares_add_up_to_one(normalize, axis):
    display = ContingencyDisplay.from_predictions(TRUTH, FOUND, normalize=normalize)
    shares = display.im_.get_array().filled(0)
    assert shares.sum(axis=axis) == pytest.approx(np.ones(3), rel=1e-15)
    assert display.text_[0, 0].get_text() == ("0.83" if normalize == "true" else "1.00")
    assert display.im_.get_clim() == (0, 1)


def test_soft_tables_are_drawn():
    memberships = np.repeat([[0.9, 0.1], [0.25, 0.75]], 6, axis=0)
    display = ContingencyDisplay.from_predictions(TRUTH, memberships)
    table = ContingencyTable.from_memberships(TRUTH, memberships)
    assert display.counts == pytest.approx(table.counts.toarray(), rel=1e-15)
    assert display.text_[0, 0].get_text() == "5.40"


def test_table_counted_elsewhere_is_drawn():
    table = ContingencyTable.from_counts([[0, 3], [2, 0]], row_labels=["x", "y"])
    display = ContingencyDisplay.from_table(table)
    assert display.counts.tolist() == [[3, 0], [0, 2]]
    assert display.col_labels == [1, 0]


def test_long_labels_keep_their_ends():
    labels = [f"session 2005-07-06_14/{number}" for number in range(4)]
    display = ContingencyDisplay.from_predictions(labels, labels)
    assert texts(display.ax_.xaxis) == [f"\N{HORIZONTAL ELLIPSIS}07-06_14/{n}" for n in range(4)]
    assert all(label.get_rotation() == 90 for label in display.ax_.get_xticklabels())


def test_names_of_types_are_whole_where_there_is_room():
    labels = ["CD8+ cytotoxic T", "CD8+ effector T", "B", "NK"]
    display = ContingencyDisplay.from_predictions(labels, labels)
    assert set(texts(display.ax_.yaxis)) == set(labels)


def test_the_color_bar_ends_before_the_labels_of_the_next_axes():
    figure, (ax, neighbor) = pyplot.subplots(1, 2, figsize=(9, 4))
    ContingencyDisplay.from_predictions([0, 0, 1, 1], [0, 0, 1, 0], ax=ax)
    neighbor.set_ylabel("of the neighbor")
    figure.draw_without_rendering()
    assert ax.get_tightbbox().x1 < neighbor.yaxis.label.get_window_extent().x0


def test_labels_are_no_formulas():
    labels = [r"$\nothing$", "b"]
    display = ContingencyDisplay.from_predictions(labels, labels)
    display.figure_.draw_without_rendering()
    assert texts(display.ax_.xaxis) == [r"\$\nothing\$", "b"]


def test_table_is_drawn_with_the_keywords_of_a_confusion_matrix():
    memberships = np.repeat([[0.9, 0.1], [0.25, 0.75]], 6, axis=0)
    options = {
        "display_labels": ["x", "y", "z"],
        "xticks_rotation": "vertical",
        "values_format": ".0f",
        "cmap": "magma",
        "colorbar": False,
        "im_kw": {"alpha": 0.5, "vmax": 20},
        "text_kw": {"color": "red", "size": 5},
    }
    assert set(options) | {"include_values", "normalize", "sample_weight", "ax"} == (
        set(signature(ConfusionMatrixDisplay.from_predictions).parameters)
        - {"y_true", "y_pred", "labels"}
    )
    table = ContingencyTable.from_memberships(TRUTH, memberships)
    for display in (
        ContingencyDisplay.from_predictions(TRUTH, memberships, **options),
        ContingencyDisplay.from_table(table, **options),
    ):
        assert texts(display.ax_.yaxis) == ["x", "y", "z"]
        assert {label.get_rotation() for label in display.ax_.get_xticklabels()} == {90}
        assert display.text_[0, 0].get_text() == "5"
        assert (display.text_[0, 0].get_color(), display.text_[0, 0].get_fontsize()) == ("red", 5)
        assert (display.im_.cmap.name, display.im_.get_alpha()) == ("magma", 0.5)
        assert display.im_.get_clim() == (0, 20)
        assert display.im_.colorbar is None
        assert display.plot(include_values=False).text_ is None


def test_norm_of_the_user_takes_the_place_of_the_limits():
    norm = LogNorm(1, 10)
    display = ContingencyDisplay.from_predictions(TRUTH, FOUND, im_kw={"norm": norm})
    assert display.im_.norm is norm


def test_display_labels_are_one_for_each_cluster():
    with pytest.raises(
        ValueError, match="^display_labels must name the 3 clusters of labels_true, got 2"
    ):
        ContingencyDisplay.from_predictions(TRUTH, FOUND, display_labels=["x", "y"])


def test_of_large_tables_the_largest_confusions_are_drawn_and_no_object_is_lost():
    rng = np.random.default_rng(0)
    true = rng.integers(961, size=9000)
    pred = np.where(rng.random(9000) < 0.7, true, rng.integers(1130, size=9000))
    true, pred = np.append(true, [3] * 30), np.append(pred, [500] * 10 + [501] * 20)
    display = ContingencyDisplay.from_predictions(true, pred, colorbar=False)
    assert max(display.counts.shape) <= 16
    assert display.counts.sum() == len(true)
    n_true, n_pred = len(set(true)), len(set(pred))
    assert display.ax_.get_ylabel() == f"labels_true ({n_true} clusters)"
    assert display.ax_.get_xlabel() == f"labels_pred ({n_pred} clusters)"
    assert [labels[-1] for labels in (display.row_labels, display.col_labels)] == [
        f"other ({size - shown + 1})"
        for size, shown in zip((n_true, n_pred), display.counts.shape, strict=True)
    ]
    row, col = display.row_labels.index(3), display.col_labels.index(500)
    assert display.counts[row, col] == ((true == 3) & (pred == 500)).sum()
    assert display.counts[row].sum() == (true == 3).sum()
    # Sums over many clusters would outshine all cells.
    mask = display.im_.get_array().mask
    assert mask[-1].all()
    assert mask[:, -1].all()


def test_number_of_clusters_drawn_is_chosen():
    draw = ContingencyDisplay.from_predictions
    display = draw(TRUTH, FOUND, max_clusters=2)
    assert display.counts.tolist() == [[5, 1, 0], [0, 3, 1], [0, 0, 2]]
    assert display.row_labels == ["a", "b", "other (1)"]
    # A side with few clusters is drawn whole.
    display = draw([0] * 6 + [1, 2], [0, 1, 2, 3, 4, 5, 6, 7], max_clusters=3)
    assert display.row_labels == [0, 1, 2]
    assert display.counts.shape == (3, 4)
    with pytest.raises(ValueError, match="^max_clusters must be at least 1, got 0"):
        draw(TRUTH, FOUND, max_clusters=0)


def test_empty_cells_are_no_lighter_than_others_on_dark_axes():
    with pyplot.style.context("dark_background"):
        display = ContingencyDisplay.from_predictions(TRUTH, FOUND)
    values = display.im_.get_array()
    lightness = display.im_.to_rgba(values)[..., :3].sum(axis=-1)
    assert np.argmax(lightness) == np.argmax(values.filled(0))
    assert display.text_[1, 2].get_color() == "white"


def test_a_drawn_display_can_be_pickled():
    display = ContingencyDisplay.from_predictions([0, 0, 1], [0, 1, 1])
    twin = pickle.loads(pickle.dumps(display))
    assert texts(twin.ax_.xaxis) == texts(display.ax_.xaxis) == ["0", "1"]


@pytest.mark.slow
def test_long_names_are_within_the_figure():
    names = np.array([f"Cell type {n}, CD4+ memory T lymphocyte" for n in range(40)], object)
    labels = np.repeat(np.arange(40), 5)
    display = ContingencyDisplay.from_predictions(names[labels], labels)
    display.figure_.draw_without_rendering()
    box, frame = display.ax_.get_tightbbox(), display.figure_.bbox
    assert frame.x0 <= box.x0
    assert box.x1 <= frame.x1
    assert box.y1 <= frame.y1


def test_color_bar_of_counts_has_whole_numbers():
    display = ContingencyDisplay.from_predictions([0, 0, 1, 1], [0, 0, 1, 2])
    assert display.im_.colorbar.get_ticks().tolist() == [0, 1, 2]


# ----------------------------------------------- similarity matrices, by the data in their artists


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


@pytest.mark.slow
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
def test_few_partitions_keep_their_order_and_have_no_tree(n):
    display = SimilarityMatrixDisplay.from_scores(np.eye(n), dendrogram=True)
    assert display.order.tolist() == list(range(n))
    assert display.branches_ is None


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


@pytest.mark.slow
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
