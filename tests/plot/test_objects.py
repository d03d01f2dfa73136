"""Pictures of silhouettes, by the data in their artists."""

import itertools

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import load_wine, make_blobs
from sklearn.metrics import pairwise_distances, silhouette_samples
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare import match_clusters
from sklearn_clustcompare.plot import EmbeddingAgreementDisplay, SilhouetteDisplay
from sklearn_clustcompare.plot._objects import _silhouettes
from tests._examples import slow
from tests.plot._examples import FOUND, MANY, MANY_FOUND, TRUTH, X, Y

pyplot = pytest.importorskip("matplotlib.pyplot")
WINE = StandardScaler().fit_transform(load_wine().data)
GROWERS = load_wine().target
NAMES = np.array(["Barolo", "Grignolino", "Barbera"])[GROWERS]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "as_sparse"),
    [
        *(("euclidean", False), ("cityblock", False), ("cosine", False), ("sqeuclidean", False)),
        *(("euclidean", True), ("cityblock", True), ("cosine", True)),
    ],
)
def test_values_are_those_of_scikit_learn(metric, as_sparse):
    expected = silhouette_samples(WINE, GROWERS, metric=metric)
    X = sparse.csr_array(WINE) if as_sparse else WINE
    display = SilhouetteDisplay.from_labels(X, NAMES, metric=metric)
    np.testing.assert_allclose(display.values, expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(display.labels, NAMES)


@pytest.mark.parametrize(
    "labels", [[0, 0, 0, 1, 2, 2], [5, 5, 5, 5, 5, 9], [0, 1, 0, 1, 0, 1]], ids=str
)
def test_by_the_formula_one_object_at_a_time(labels):
    X = np.array([[0.0], [1.0], [1.0], [4.0], [9.0], [9.0]])
    labels = np.array(labels)
    expected = []
    for i in range(6):
        gaps = np.abs(X[:, 0] - X[i, 0])
        own = (labels == labels[i]) & (np.arange(6) != i)
        if not own.any():
            expected.append(0.0)
            continue
        a = gaps[own].mean()
        b = min(gaps[labels == one].mean() for one in set(labels.tolist()) - {labels[i]})
        expected.append((b - a) / max(a, b) if max(a, b) else 0.0)
    assert SilhouetteDisplay.from_labels(X, labels).values == pytest.approx(expected)


def test_precomputed_distances():
    distances = pairwise_distances(WINE)
    expected = silhouette_samples(WINE, GROWERS)
    values = SilhouetteDisplay.from_labels(distances, GROWERS, metric="precomputed").values
    np.testing.assert_allclose(values, expected, rtol=1e-9)
    clusterer = AgglomerativeClustering(3, metric="precomputed", linkage="average")
    labels = clusterer.fit_predict(distances)
    found = SilhouetteDisplay.from_estimator(clusterer, distances, [2, 3]).values[1]
    np.testing.assert_allclose(found, silhouette_samples(WINE, labels), rtol=1e-9)


def test_features_far_from_zero_keep_their_digits():
    X, labels = make_blobs(60, centers=3, random_state=0)
    X, shift = np.round(X, 3), 2.0**30
    near = SilhouetteDisplay.from_labels(X, labels).values
    np.testing.assert_allclose(
        SilhouetteDisplay.from_labels(X + shift, labels).values, near, atol=1e-5
    )


@pytest.mark.parametrize("n_samples", [900, slow(20_000)])
def test_distances_from_some_objects_estimate_those_from_all(n_samples):
    X, labels = make_blobs(n_samples, centers=5, n_features=3, random_state=0)
    labels[:3] = 5  # a cluster of three, all of which are drawn
    exact = _silhouettes(X, labels, subsample=None)[0][:900]
    found = _silhouettes(X, labels, subsample=300)[0]
    assert found.shape == (n_samples,)
    assert np.abs(found[:900] - exact).max() < 0.2
    assert abs((found[:900] - exact).mean()) < 0.01
    np.testing.assert_array_equal(found, _silhouettes(X, labels, subsample=300)[0])
    other = _silhouettes(X, labels, subsample=300, random_state=1)[0]
    assert np.any(found != other)


# --------------------------------------------------------------------------- estimators


@pytest.mark.parametrize(
    "estimator",
    [
        KMeans(3, n_init=2, random_state=5),
        AgglomerativeClustering(4),
        make_pipeline(StandardScaler(), KMeans(3, n_init=2, random_state=5)),
    ],
)
def test_an_estimator_is_fitted_as_it_is(estimator):
    X = WINE * 7
    display = SilhouetteDisplay.from_estimator(estimator, X)
    labels = clone(estimator).fit_predict(X)
    space = StandardScaler().fit_transform(X) if hasattr(estimator, "steps") else X
    np.testing.assert_allclose(display.values, silhouette_samples(space, labels), rtol=1e-9)
    assert not hasattr(estimator, "labels_")


@pytest.mark.slow
def test_several_numbers_of_clusters_side_by_side():
    pipeline = make_pipeline(StandardScaler(), KMeans(n_init=2, random_state=0))
    display = SilhouetteDisplay.from_estimator(pipeline, WINE, range(2, 5))
    assert display.values.shape == display.labels.shape == (3, len(WINE))
    assert [ax.get_title() for ax in display.axes_] == [f"n_clusters = {k}" for k in range(2, 5)]
    assert [len(knives) for knives in display.knives_] == list(range(2, 5))
    assert len({ax.get_xlim() for ax in display.axes_}) == 1
    for values, line in zip(display.values, display.mean_lines_, strict=True):
        assert line.get_xdata() == pytest.approx([values.mean()] * 2)
    assert len(display.figure_.axes) == 3
    # One cluster has no silhouettes.
    with pytest.raises(ValueError, match="Number of labels is 1"):
        SilhouetteDisplay.from_estimator(pipeline, WINE, [1, 2])
    with pytest.raises(ValueError, match="param_range must hold at least one value"):
        SilhouetteDisplay.from_estimator(pipeline, WINE, [])


def test_another_parameter_and_axes_of_yours():
    figure, axes = pyplot.subplots(1, 2)
    display = SilhouetteDisplay.from_estimator(
        DBSCAN(), WINE, [2.2, 2.4], param_name="eps", ax=axes
    )
    assert display.axes_.tolist() == axes.tolist()
    assert display.figure_ is figure
    assert axes[1].get_title() == "eps = 2.4"
    with pytest.raises(ValueError, match="ax must be one for each of the 2 clusterings, got 1"):
        display.plot(ax=axes[0])


# --------------------------------------------------------------------------- what is drawn


def edges_and_values(knife):
    values, edges, _ = knife.get_data()
    return edges, values


@pytest.mark.parametrize(("n_samples", "n_clusters"), [(30, 2), (30, 5), slow(3_000, 60)])
def test_each_object_is_a_bar_of_its_knife(n_samples, n_clusters):
    X, labels = make_blobs(n_samples, centers=n_clusters, random_state=0)
    display = SilhouetteDisplay.from_labels(X, labels)
    (knives,) = display.knives_
    assert list(knives) == list(range(n_clusters))
    ends = []
    for label, knife in knives.items():
        edges, values = edges_and_values(knife)
        assert values.tolist() == sorted(display.values[labels == label], reverse=True)
        np.testing.assert_allclose(np.diff(edges), 1)
        ends.append((edges[0], edges[-1]))
    # One below the other, with gaps of at most a fifth of all.
    gaps = [low - high for (_, high), (low, _) in zip(ends, ends[1:], strict=False)]
    assert min(gaps) > 0
    assert sum(gaps) <= 0.2 * n_samples
    low, high = sorted(display.ax_.get_ylim())
    assert low <= ends[0][0]
    assert ends[-1][1] <= high
    display.figure_.draw_without_rendering()
    texts = [text for text in display.ax_.get_yticklabels() if text.get_text()]
    boxes = sorted((text.get_window_extent() for text in texts), key=lambda box: box.y0)
    assert len(boxes) >= min(n_clusters, 5)
    assert all(one.y1 <= other.y0 + 1 for one, other in zip(boxes, boxes[1:], strict=False))


def test_large_knives_are_drawn_in_few_steps():
    values = np.linspace(-0.5, 1, 100_000)
    labels = np.arange(100_000) % 2
    display = SilhouetteDisplay(values, labels).plot()
    for label, knife in display.knives_[0].items():
        edges, steps = edges_and_values(knife)
        assert len(steps) <= 1000
        assert edges[-1] - edges[0] == np.count_nonzero(labels == label)
        assert steps.max() == pytest.approx(1, abs=0.002)
        assert steps.min() == pytest.approx(-0.5, abs=0.002)
    assert display.mean_lines_[0].get_xdata() == pytest.approx([0.25] * 2)


@pytest.mark.parametrize("noise", ["cluster", "drop", "singletons"])
def test_noise_is_gray_or_left_out(noise):
    labels = np.where(np.arange(len(WINE)) % 9, GROWERS, -1)
    display = SilhouetteDisplay.from_labels(WINE, labels, noise=noise)
    kept = labels != -1
    if noise == "singletons":
        assert (display.values[~kept] == 0).all()
        alone = np.where(kept, labels, 10 + np.arange(len(labels)))
        np.testing.assert_allclose(display.values, silhouette_samples(WINE, alone), rtol=1e-9)
    if noise == "drop":
        assert np.isnan(display.values[~kept]).all()
        expected = silhouette_samples(WINE[kept], labels[kept])
        np.testing.assert_allclose(display.values[kept], expected, rtol=1e-9)
    colors = {label: knife.get_facecolor() for label, knife in display.knives_[0].items()}
    assert (-1 in colors) == (noise != "drop")
    grays = [label for label, (red, green, blue, _) in colors.items() if red == green == blue]
    assert grays == ([] if noise == "drop" else [-1])


PLACES = np.random.default_rng(0).normal(size=(12, 2))


def _element_centric_similarity(first, second, k, alpha=0.9):
    """1 - L1 distance of the personalized PageRank of object k in two graphs of cliques."""
    ranks = []
    for labels in (first, second):
        members = np.asarray(labels) == labels[k]
        rank = alpha * members / members.sum()
        rank[k] += 1 - alpha
        ranks.append(rank)
    return 1 - np.abs(ranks[0] - ranks[1]).sum() / (2 * alpha)


def test_default_agreement_is_the_element_centric_similarity():
    display = EmbeddingAgreementDisplay.from_predictions(PLACES, TRUTH, FOUND)
    expected = [_element_centric_similarity(TRUTH, FOUND, k) for k in range(12)]
    assert display.object_agreement == pytest.approx(expected, rel=1e-13)


def test_matched_clusters_share_a_color():
    display = EmbeddingAgreementDisplay.from_predictions(PLACES, TRUTH, FOUND)
    assert display.partners == match_clusters(TRUTH, FOUND, method="optimal")
    partner = np.array([display.partners[label] for label in TRUTH])
    is_matched = partner == FOUND
    assert display.points_.get_offsets().tolist() == PLACES[is_matched].tolist()
    assert display.other_points_.get_offsets().tolist() == PLACES[~is_matched].tolist()
    assert display.ax_.get_title() == f"{is_matched.sum()} of 12 objects in matched clusters"

    colors = dict(
        zip(FOUND[is_matched], map(tuple, display.points_.get_facecolors()[:, :3]), strict=True)
    )
    assert len(set(colors.values())) == 3
    fills = map(tuple, display.other_points_.get_facecolors()[:, :3])
    rings = map(tuple, display.other_points_.get_edgecolors()[:, :3])
    assert list(fills) == [colors[label] for label in FOUND[~is_matched]]
    assert list(rings) == [colors[label] for label in partner[~is_matched]]


@pytest.mark.slow
def test_objects_without_a_label_or_of_noise_are_left_out_on_request():
    true, pred = np.array(TRUTH, object), np.array(FOUND, object)
    true[3], pred[7] = None, -1
    draw = EmbeddingAgreementDisplay.from_predictions
    with pytest.raises(ValueError, match="^labels_true must not contain missing"):
        draw(PLACES, true, pred)
    kept = ~np.isin(np.arange(12), [3, 7])
    display = draw(PLACES, true, pred, missing="drop", noise="drop")
    expected = draw(PLACES[kept], TRUTH[kept], FOUND[kept])
    np.testing.assert_array_equal(display.X, expected.X)
    np.testing.assert_array_equal(display.object_agreement, expected.object_agreement)
    assert display.partners == expected.partners
    with pytest.raises(ValueError, match="must leave at least one object .* got none"):
        draw(PLACES[:2], [0, None], [None, 0], missing="drop")


def test_objects_of_noise_as_clusters_of_their_own_have_no_partner():
    true, pred = [0, 0, -1, -1, -1, 1], [5, 5, -1, 7, 7, -1]
    draw = EmbeddingAgreementDisplay.from_predictions
    assert draw(PLACES[:6], true, pred).partners == {-1: 7, 0: 5, 1: -1}
    display = draw(PLACES[:6], true, pred, noise="singletons")
    assert display.partners == {-1: None, 0: 5, 1: None}
    # As if each had a label of its own.
    expected = draw(PLACES[:6], [0, 0, 2, 3, 4, 1], [5, 5, 8, 7, 7, 9]).object_agreement
    assert display.object_agreement.tolist() == expected.tolist()
    assert display.labels_true.tolist() == true


def test_clusters_without_a_partner_have_a_color_of_their_own():
    display = EmbeddingAgreementDisplay.from_predictions(
        PLACES[:6], [0, 0, 0, 0, 1, 1], [5, 5, 6, 7, 8, 8]
    )
    assert display.partners == {0: 5, 1: 8}
    colors = [*display.points_.get_facecolors()[:, :3], *display.other_points_.get_facecolors()]
    assert len({tuple(color[:3]) for color in colors}) == 4
    names = {text.get_text() for text in display.texts_}
    assert names <= {"0\n5", "1\n8", "0 (2)\n6", "0 (3)\n7"}


@pytest.mark.slow
def test_agreement_is_drawn_with_low_values_above():
    display = EmbeddingAgreementDisplay.from_predictions(PLACES, TRUTH, FOUND, color_by="agreement")
    values = display.object_agreement
    order = np.argsort(-values, kind="stable")
    assert display.points_.get_array().tolist() == values[order].tolist()
    assert display.points_.get_offsets().tolist() == PLACES[order].tolist()
    assert display.points_.get_clim() == (0, 1)
    assert display.plot(color_by="clusters").object_agreement is not None


@pytest.mark.parametrize("n_clusters", [10, slow(40)])
def test_names_do_not_overlap_or_leave_the_axes(n_clusters):
    rng = np.random.default_rng(0)
    labels = rng.integers(n_clusters, size=1000)
    names = np.array([f"a long name of cluster {number}" for number in range(n_clusters)])
    figure, axes = pyplot.subplots(2, 2, figsize=(9, 7))
    display = EmbeddingAgreementDisplay.from_predictions(
        rng.normal(size=(n_clusters, 2))[labels] * 5, labels, names[labels], ax=axes[0, 1]
    )
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in display.texts_]
    assert len(boxes) >= 4
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
    frame = display.ax_.get_window_extent()
    assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 for box in boxes)


def test_small_clusters_have_no_name():
    places = np.random.default_rng(0).normal(size=(1500, 2))
    display = EmbeddingAgreementDisplay.from_predictions(places, MANY, MANY_FOUND)
    named = {int(text.get_text().split()[-1]) for text in display.texts_}
    assert named <= set(np.flatnonzero(np.bincount(MANY_FOUND) >= 15))
    display = EmbeddingAgreementDisplay.from_predictions(X[:, :2], Y, Y)
    assert {text.get_text() for text in display.texts_} <= {"0", "1", "2"}


def test_names_without_room_are_shortened_before_they_are_left_out():
    labels = np.repeat(["a long name of one cluster", "a long name of another one"], 50)
    for gap, n_cut in ((9.0, 0), (2.2, 1)):
        X = np.random.default_rng(0).normal(scale=0.01, size=(100, 2))
        X[50:, 0] += gap
        _, ax = pyplot.subplots(figsize=(9, 5))
        ax.set(xlim=(-2, 11), autoscale_on=False)
        display = EmbeddingAgreementDisplay.from_predictions(X, labels, labels, ax=ax)
        lengths = sorted(len(text.get_text()) for text in display.texts_)
        assert len(lengths) == 2
        assert (lengths[0] < lengths[1] - 5) == n_cut
