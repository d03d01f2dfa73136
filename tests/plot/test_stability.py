"""Pictures of stability show the values of the result."""

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.exceptions import NotFittedError

from sklearn_clustcompare import StabilitySearch
from sklearn_clustcompare.plot import ClusterStabilityDisplay, StabilityDisplay
from sklearn_clustcompare.results import ClusterStability, PredictionStrength
from tests.without_reference._stability_data import five_blobs

pytest.importorskip("matplotlib")


@pytest.mark.slow
def test_means_single_values_bands_and_the_choice_are_drawn():
    search = StabilitySearch(
        KMeans(n_init=3), {"n_clusters": [4, 5, 6]}, n_resamples=4, null="box", random_state=0
    ).fit(five_blobs())
    display = StabilityDisplay.from_estimator(search)
    result, columns = search.result_, search.result_.columns()
    assert display.lines_[0].get_xdata().tolist() == [1, 4, 5, 6]
    assert display.lines_[0].get_ydata() == pytest.approx(result.mean)
    points = display.points_[0].get_offsets()
    assert np.asarray(points)[:, 1] == pytest.approx(result.values.ravel())
    (path,) = display.bands_[0].get_paths()
    top = columns["null_mean"] + 2 * columns["null_standard_deviation"]
    assert path.vertices[:, 1].max() == pytest.approx(top.max())
    assert display.choice_mark_.get_offsets().tolist() == [[5, 1]]
    assert display.choice_mark_.get_label() == "chosen by 'null'"
    assert display.ax_.get_ylabel() == "adjusted_rand_score"
    other = StabilityDisplay(result, rule=lambda one: 1).plot(ax=display.ax_)
    assert other.ax_ is display.ax_
    assert other.choice_mark_.get_offsets()[0, 0] == 4


def test_other_parameters_make_curves():
    grid = {"n_clusters": [2, 3], "linkage": ["ward", "single"]}
    X = np.random.default_rng(0).normal(size=(30, 2))
    search = StabilitySearch(AgglomerativeClustering(), grid, n_resamples=3, random_state=0).fit(X)
    display = StabilityDisplay.from_estimator(search)
    assert [line.get_label() for line in display.lines_] == ["linkage=ward", "linkage=single"]
    assert display.bands_ == []
    for line, linkage in zip(display.lines_, ["ward", "single"], strict=True):
        rows = [one["linkage"] == linkage for one in search.cv_results_["params"]]
        assert line.get_ydata() == pytest.approx(search.result_.mean[rows])
    with pytest.raises(ValueError, match="^param_name must have numbers, one of 'n_clusters'"):
        StabilityDisplay.from_estimator(search, param_name="linkage")
    with pytest.raises(NotFittedError):
        StabilityDisplay.from_estimator(StabilitySearch(KMeans(), grid, random_state=0))


@pytest.mark.parametrize(("values", "chosen"), [([[0.9, 1.0], [0.7, 0.8]], 2), ([[0.5], [0.4]], 1)])
def test_prediction_strength_is_drawn_with_its_threshold(values, chosen):
    result = PredictionStrength(np.array([2, 3]), np.array(values), np.zeros(2, int))
    display = StabilityDisplay(result).plot()
    assert display.lines_[0].get_ydata() == pytest.approx(result.mean)
    assert display.choice_mark_.get_offsets()[0, 0] == chosen
    assert display.ax_.get_ylabel() == "prediction strength"


def test_clusters_have_their_values_and_means():
    result = ClusterStability(
        labels=np.array([-1, 0, 0, 1]),
        clusters=np.array([-1, 0, 1]),
        sizes=np.array([1, 2, 1]),
        jaccard=np.array([[np.nan, 1.0, 0.5], [0.25, 0.5, 0.5]]),
        object_stability=np.ones(4),
        n_skipped=0,
        is_noise=np.array([True, False, False]),
    )
    display = ClusterStabilityDisplay(result).plot()
    assert sorted(display.points_.get_offsets()[:, 1]) == [0.25, 0.5, 0.5, 0.5, 1.0]
    heights = [segment[0, 1] for segment in display.bars_.get_segments()]
    assert heights == pytest.approx([0.25, 0.75, 0.5])
    names = [text.get_text() for text in display.ax_.get_xticklabels()]
    assert names == ["noise (1)", "0 (2)", "1 (1)"]
    assert {text.get_text() for text in display.ax_.texts} == {
        "doubtful",
        "valid",
        "highly stable",
    }
