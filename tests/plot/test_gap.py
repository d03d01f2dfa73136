"""Pictures of the gap statistic, by the data in their artists."""

import dataclasses

import numpy as np
import pytest
from sklearn.cluster import KMeans

from sklearn_clustcompare import gap_statistic
from sklearn_clustcompare.plot import GapDisplay
from sklearn_clustcompare.results import GapStatistic

pyplot = pytest.importorskip("matplotlib.pyplot")

X = np.random.default_rng(0).normal(size=(40, 2))
# Its gaps are 0, 0.6 and 0.4; the standard errors are sqrt(1.5) / 10 each.
GAP = GapStatistic(
    "kmeans__n_clusters",
    np.array([1, 2, 5]),
    np.array([4.0, 2.5, 2.0]),
    np.array([[4.1, 3.0, 2.5], [3.9, 3.2, 2.3]]),
    "pca",
    2,
)


def test_gaps_have_bars_of_one_standard_error():
    display = GapDisplay(GAP).plot()
    line, _, (bars,) = display.errorbar_
    assert line.get_xdata().tolist() == [1, 2, 5]
    assert line.get_ydata() == pytest.approx([0, 0.6, 0.4])
    for (_, low), (_, high) in bars.get_segments():
        assert high - low == pytest.approx(2 * 1.5**0.5 / 10)
    assert display.lines_ == []
    assert display.band_ is None
    assert display.ax_.get_xlabel() == "n_clusters"


def test_what_each_rule_chooses_is_marked_below_the_gaps():
    display = GapDisplay(GAP).plot()
    lowest = display.ax_.transData.transform((0, min(GAP.gap - GAP.standard_error)))[1]
    assert list(display.choice_marks_) == list(GAP.choices())
    for rule, mark in display.choice_marks_.items():
        assert mark.get_xdata() == [GAP.choices()[rule]]
        assert mark.get_window_extent().y1 < lowest


def test_gaps_of_other_laws_are_lines_without_bars():
    other = dataclasses.replace(GAP, null="box", null_log_dispersion=GAP.null_log_dispersion + 1)
    display = GapDisplay(dataclasses.replace(GAP, others=(other,))).plot()
    (line,) = display.lines_
    assert line.get_ydata() == pytest.approx(GAP.gap + 1)
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert sorted(texts) == ["box", "pca"]


def test_each_law_has_its_own_look_and_name():
    names = ["box", "gaussian", "copula", "permute"]
    others = tuple(dataclasses.replace(GAP, null=name) for name in names)
    several = dataclasses.replace(GAP, others=others)
    display = GapDisplay(several).plot()
    looks = {(line.get_color(), line.get_linestyle()) for line in display.lines_}
    assert len(looks) == len(names)
    assert [line.get_label() for line in display.lines_] == names
    assert all(name in display.ax_.get_title() for name in ["pca", *names])
    elbow = GapDisplay(several).plot(curve="elbow").ax_.get_title()
    assert "(pca)" in elbow


def test_a_rule_without_a_choice_has_no_mark():
    rising = dataclasses.replace(GAP, log_dispersion=np.array([4.0, 2.0, 0.5]))
    display = GapDisplay(rising).plot()
    assert "tibshirani" not in display.choice_marks_
    assert "tibshirani (none)" in [text.get_text() for text in display.ax_.texts]


def test_elbow_has_the_curve_of_structureless_data_and_no_mark():
    display = GapDisplay(GAP).plot(curve="elbow")
    own, null = display.lines_
    assert own.get_ydata().tolist() == [4.0, 2.5, 2.0]
    assert null.get_ydata() == pytest.approx([4.0, 3.1, 2.4])
    heights = display.band_.get_paths()[0].vertices[:, 1]
    assert heights.max() == pytest.approx(4.0 + 2 * 0.1)
    assert heights.min() == pytest.approx(2.4 - 2 * 0.1)
    assert display.errorbar_ is None
    assert display.choice_marks_ == {}


def test_both_kinds_side_by_side():
    figure, (left, right) = pyplot.subplots(1, 2)
    display = GapDisplay(GAP).plot(left).plot(right, curve="elbow")
    assert display.ax_ is right
    assert display.figure_ is figure


def test_display_computes_what_the_function_does():
    options = {"param_range": [1, 2, 3], "n_null": 3, "power": 1, "null": "box", "random_state": 1}
    display = GapDisplay.from_estimator(KMeans(), X, curve="elbow", **options)
    expected = gap_statistic(KMeans(), X, **options)
    assert np.array_equal(display.result.gap, expected.gap)
    assert display.lines_


def test_an_unknown_kind_is_an_error_before_anything_is_fitted():
    with pytest.raises(ValueError, match="^curve must be one of 'gap', 'elbow'; got 'both'"):
        GapDisplay.from_estimator(None, X, param_range=[1], curve="both")
    with pytest.raises(ValueError, match="^curve must be"):
        GapDisplay(GAP).plot(curve="Elbow")
