"""Pictures of silhouettes, by the data in their artists."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import load_wine, make_blobs
from sklearn.metrics import pairwise_distances, silhouette_samples
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare.plot import SilhouetteDisplay
from tests._examples import slow

pyplot = pytest.importorskip("matplotlib.pyplot")
WINE = StandardScaler().fit_transform(load_wine().data)
GROWERS = load_wine().target
NAMES = np.array(["Barolo", "Grignolino", "Barbera"])[GROWERS]


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
    exact = SilhouetteDisplay.from_labels(X, labels, subsample=None).values[:900]
    found = SilhouetteDisplay.from_labels(X, labels, subsample=300).values
    assert found.shape == (n_samples,)
    assert np.abs(found[:900] - exact).max() < 0.2
    assert abs((found[:900] - exact).mean()) < 0.01
    again = SilhouetteDisplay.from_labels(X, labels, subsample=300).values
    np.testing.assert_array_equal(found, again)
    other = SilhouetteDisplay.from_labels(X, labels, subsample=300, random_state=1).values
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


def test_several_numbers_of_clusters_side_by_side():
    pipeline = make_pipeline(StandardScaler(), KMeans(n_init=2, random_state=0))
    display = SilhouetteDisplay.from_estimator(pipeline, WINE, range(2, 8))
    assert display.values.shape == display.labels.shape == (6, len(WINE))
    assert [ax.get_title() for ax in display.axes_] == [f"n_clusters = {k}" for k in range(2, 8)]
    assert [len(knives) for knives in display.knives_] == list(range(2, 8))
    assert len({ax.get_xlim() for ax in display.axes_}) == 1
    for values, line in zip(display.values, display.mean_lines_, strict=True):
        assert line.get_xdata() == pytest.approx([values.mean()] * 2)
    assert len(display.figure_.axes) == 6
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
