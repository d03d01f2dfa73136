"""Ranked candidates and curves of indices, by the data in their artists."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import GridSearchCV

import sklearn_clustcompare as scc
from sklearn_clustcompare.metrics import standardized_rand_score
from sklearn_clustcompare.plot import CandidateScoresDisplay, IndexCurveDisplay
from sklearn_clustcompare.results import IndexCurve
from tests.plot._examples import X, Y, texts

pyplot = pytest.importorskip("matplotlib.pyplot")

REFERENCE = np.repeat([0, 1, 2], [4, 3, 2])
RANKED = {
    "far": [0, 1, 2, 0, 1, 2, 0, 1, 2],
    "same": [2, 2, 2, 2, 1, 1, 1, 0, 0],
    "two": [0, 0, 0, 0, 1, 1, 1, 1, 1],
    "again": [1, 1, 1, 1, 0, 0, 0, 2, 2],
}


def _many(n_candidates, n_samples=60):
    rng = np.random.default_rng(0)
    reference = np.arange(n_samples) % 3
    shares = rng.random(n_candidates)[:, np.newaxis]
    changed = rng.integers(5, size=(n_candidates, n_samples))
    return reference, np.where(rng.random((n_candidates, n_samples)) < shares, reference, changed)


def test_best_is_at_the_top():
    display = CandidateScoresDisplay.from_predictions(
        REFERENCE, RANKED, index="adjusted_rand_score"
    )
    assert texts(display.ax_.yaxis) == ["same", "again", "two", "far"]
    x, y = display.points_.get_offsets().T
    assert y.tolist() == [0, 1, 2, 3]
    expected = [
        scc.adjusted_rand_score(REFERENCE, RANKED[name]) for name in texts(display.ax_.yaxis)
    ]
    assert x.tolist() == pytest.approx(expected)
    assert display.ax_.yaxis_inverted()


def test_lowest_distance_is_at_the_top():
    scores = scc.score_candidates(REFERENCE, RANKED, indices=["rand_score", "mirkin_distance"])
    display = CandidateScoresDisplay(scores, index="mirkin_distance").plot()
    x = display.points_.get_offsets()[:, 0]
    assert x[0] == 0
    assert (np.diff(x) >= 0).all()
    assert "lower is better" in display.ax_.get_xlabel()


def test_ties_are_joined():
    display = CandidateScoresDisplay.from_predictions(REFERENCE, RANKED, index="rand_score")
    (segment,) = display.ties_.get_segments()
    assert segment.tolist() == [[1.0, 0.0], [1.0, 1.0]]
    colors = display.points_.get_facecolors()
    assert np.array_equal(colors[0], colors[1])
    assert not np.array_equal(colors[1], colors[2])


def test_band_is_the_mean_and_two_deviations_over_all_orders():
    y, found = [0, 0, 0, 1, 1, 2], [0, 1, 0, 1, 1, 1]
    display = CandidateScoresDisplay.from_predictions(y, [found], index="rand_score")
    values = [scc.rand_score(y, list(order)) for order in itertools.permutations(found)]
    (bar,) = display.band_
    assert bar.get_x() == pytest.approx(np.mean(values) - 2 * np.std(values))
    assert bar.get_width() == pytest.approx(4 * np.std(values))


def test_band_is_left_out_where_it_is_not_known():
    display = CandidateScoresDisplay.from_predictions(REFERENCE, RANKED, index="purity_score")
    assert display.band_ is None
    assert display.expected is None


def test_intervals_are_those_of_the_scores():
    reference, candidates = _many(5)
    scores = scc.score_candidates(
        reference,
        candidates,
        indices="adjusted_rand_score",
        confidence_level=0.9,
        n_resamples=50,
        random_state=0,
    )
    display = CandidateScoresDisplay(scores).plot()
    order = np.argsort(scores.rank(), kind="stable")
    ends = [segment[:, 0].tolist() for segment in display.intervals_.get_segments()]
    assert ends == scores.intervals["adjusted_rand_score"][order].tolist()
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert "90 % interval" in labels


def test_of_many_the_best_and_the_worst_are_named():
    reference, candidates = _many(1000)
    scores = scc.score_candidates(reference, candidates, indices="purity_score")
    display = CandidateScoresDisplay(scores, max_shown=12).plot()
    names = texts(display.ax_.yaxis)
    values = scores.scores["purity_score"]
    order = np.argsort(-values, kind="stable")
    assert names == [*map(str, order[:8]), "988 others", *map(str, order[-4:])]
    assert sorted(display.other_points_.get_offsets()[:, 0]) == sorted(values[order[8:-4]])
    assert set(display.other_points_.get_offsets()[:, 1]) == {8}
    assert display.points_.get_offsets()[:, 1].tolist() == [*range(8), *range(9, 13)]


def test_a_generator_of_candidates_is_enough():
    display = CandidateScoresDisplay.from_predictions(
        REFERENCE, iter(RANKED.values()), index="rand_score"
    )
    assert len(display.band_) == 4


def test_undefined_scores_are_last_and_said_to_be():
    candidates = {"noise": [-1] * 9, **RANKED}
    with pytest.warns(UndefinedMetricWarning):
        scores = scc.score_candidates(REFERENCE, candidates, indices="rand_score", noise="drop")
    display = CandidateScoresDisplay(scores).plot()
    assert texts(display.ax_.yaxis)[-1] == "noise"
    (text,) = display.ax_.texts
    assert text.get_text() == "undefined"
    assert text.get_position()[1] == 4
    display.figure_.draw_without_rendering()


def test_bad_input_is_named():
    scores = scc.score_candidates(REFERENCE, RANKED, indices="rand_score")
    with pytest.raises(ValueError, match="^index must be one of those computed: 'rand_score'"):
        CandidateScoresDisplay(scores, index="purity_score").plot()
    with pytest.raises(ValueError, match="^max_shown must be"):
        CandidateScoresDisplay(scores, max_shown=0).plot()
    none = np.empty(0)
    nothing = replace(scores, scores={"rand_score": none}, names=[], n_clusters=none.astype(int))
    with pytest.raises(ValueError, match="^scores must hold at least one candidate"):
        CandidateScoresDisplay(nothing).plot()


# ------------------------------------------------- curves of indices, by the data in their artists


CANDIDATES = {k: KMeans(k, n_init=1, random_state=0).fit_predict(X) for k in (4, 2, 3, 5)}


def test_curve_has_the_winner_and_the_band_of_chance():
    display = IndexCurveDisplay.from_predictions(Y, CANDIDATES, index="rand_score")
    (line,) = display.lines_
    assert line.get_xdata().tolist() == [2, 3, 4, 5]
    values = [scc.chance_adjusted_score(Y, CANDIDATES[k], index="rand_score") for k in (2, 3, 4, 5)]
    assert line.get_ydata().tolist() == [one.unadjusted for one in values]
    assert display.curve.expected[0].tolist() == [one.expected for one in values]
    best = int(np.argmax(line.get_ydata()))
    assert display.winner_marks_.get_offsets().tolist() == [[2 + best, line.get_ydata()[best]]]
    corners = display.bands_[0].get_paths()[0].vertices
    top = display.curve.expected[0] + 2 * display.curve.standard_deviation[0]
    assert corners[:, 1].max() == pytest.approx(top.max())
    deviations = [
        (one.unadjusted - one.expected) / standardized_rand_score(Y, CANDIDATES[k])
        for k, one in zip((2, 3, 4, 5), values, strict=True)
    ]
    assert display.curve.standard_deviation[0] == pytest.approx(deviations, rel=1e-9)


def test_smallest_distance_wins():
    name = "variation_of_information_distance"
    display = IndexCurveDisplay.from_predictions(Y, CANDIDATES, index=name, base=2)
    values = [scc.variation_of_information_distance(Y, CANDIDATES[k], base=2) for k in (2, 3, 4, 5)]
    assert display.winner_marks_.get_offsets()[0, 1] == min(values)
    assert display.ax_.get_ylabel() == f"{name} (bits)"


def test_curve_without_known_moments_has_no_band():
    display = IndexCurveDisplay.from_predictions(Y, CANDIDATES, index="purity_score")
    assert display.bands_ == []


def test_named_candidates_stand_at_their_number_of_clusters():
    named = {f"k-means {k}": labels for k, labels in CANDIDATES.items()}
    display = IndexCurveDisplay.from_predictions(Y, named, index="adjusted_rand_score")
    assert display.lines_[0].get_xdata().tolist() == [2, 3, 4, 5]
    assert display.ax_.get_xlabel() == "number of clusters k"


def test_other_keys_are_no_numbers_of_clusters():
    display = IndexCurveDisplay.from_predictions(
        Y, {0.1: CANDIDATES[2], 0.2: CANDIDATES[3]}, index="adjusted_rand_score"
    )
    assert display.lines_[0].get_xdata().tolist() == [0.1, 0.2]
    assert display.ax_.get_xlabel() == "candidate"
    mixed = IndexCurveDisplay.from_predictions(Y, {0.1: Y, "b": Y}, index="rand_score")
    assert mixed.ax_.get_xlabel() == "number of clusters k"


def test_curves_against_q_mark_the_winner_at_each_order():
    orders = [0.5, 1.0, 2.0, 3.0]
    display = IndexCurveDisplay.from_predictions(
        Y, CANDIDATES, index="adjusted_mutual_info_score", q_range=orders
    )
    expected = np.array(
        [
            [scc.adjusted_mutual_info_score(Y, labels, q=q) for q in orders]
            for labels in CANDIDATES.values()
        ]
    )
    assert [line.get_ydata().tolist() for line in display.lines_] == expected.tolist()
    marks = display.winner_marks_.get_offsets()
    assert sorted(marks.tolist()) == sorted(
        [q, best] for q, best in zip(orders, expected.max(axis=0).tolist(), strict=True)
    )
    assert [line.get_label() for line in display.lines_] == ["4", "2", "3", "5"]


def test_of_many_curves_only_winners_have_a_name():
    rng = np.random.default_rng(0)
    many = {f"run {i}": rng.permutation(Y) for i in range(30)}
    display = IndexCurveDisplay.from_predictions(
        Y, many, index="normalized_mutual_info_score", q_range=[1, 2]
    )
    named = [line for line in display.lines_ if not line.get_label().startswith("_")]
    assert 1 <= len(named) <= 2
    assert len(display.lines_) == 30


def _search(grid, **scoring):
    return GridSearchCV(
        AgglomerativeClustering(),
        grid,
        scoring=scc.make_clustering_scorer("adjusted_rand_score")
        if not scoring
        else {name: scc.make_clustering_scorer(index) for name, index in scoring.items()},
        refit=False,
        cv=scc.TransductiveSplit(),
    ).fit(X, Y)


def test_curve_of_a_search():
    grid = {"linkage": ["ward", "single"], "n_clusters": [5, 2, 3]}
    search = _search(grid)
    display = IndexCurveDisplay.from_estimator(search)
    assert display.ax_.get_xlabel() == "n_clusters"
    for line, method in zip(display.lines_, grid["linkage"], strict=True):
        assert line.get_label() == f"linkage={method}"
        assert line.get_xdata().tolist() == [2, 3, 5]
        assert line.get_ydata().tolist() == [
            scc.adjusted_rand_score(Y, AgglomerativeClustering(k, linkage=method).fit_predict(X))
            for k in (2, 3, 5)
        ]
    best = search.cv_results_["mean_test_score"].max()
    assert display.winner_marks_.get_offsets()[:, 1].tolist() == [best]


def test_curve_of_a_search_with_several_scores():
    search = _search({"n_clusters": [2, 3]}, ari="adjusted_rand_score", purity="purity_score")
    display = IndexCurveDisplay.from_estimator(search, score_name="purity")
    assert display.ax_.get_ylabel() == "mean test purity"
    assert display.lines_[0].get_ydata().tolist() == list(search.cv_results_["mean_test_purity"])
    with pytest.raises(ValueError, match="^score_name must be one of 'ari', 'purity'; got 'score'"):
        IndexCurveDisplay.from_estimator(search, score_name="score")
    with pytest.raises(
        ValueError, match="^param_name must have numbers, one of 'n_clusters'; got 'linkage'"
    ):
        IndexCurveDisplay.from_estimator(search, param_name="linkage")


def test_no_line_goes_through_candidates_of_the_same_number_of_clusters():
    named = {
        f"{name} {k}": labels if name == "good" else np.arange(150) % k
        for k, labels in CANDIDATES.items()
        for name in ("good", "bad")
    }
    name = "variation_of_information_distance"
    display = IndexCurveDisplay.from_predictions(Y, named, index=name)
    (points,) = display.points_
    places = np.asarray(points.get_offsets())
    assert len(places) == 8
    assert len(set(places[:, 0].tolist())) == 8  # beside each other
    assert np.abs(places[:, 0] - np.repeat([2, 3, 4, 5], 2)).max() < 0.5
    (line,) = display.lines_
    assert line.get_linestyle() == "None"
    assert line.get_xdata().tolist() == [2, 3, 4, 5]
    best = [scc.variation_of_information_distance(Y, CANDIDATES[k]) for k in (2, 3, 4, 5)]
    assert line.get_ydata().tolist() == best
    assert display.winner_marks_.get_offsets()[0, 1] == min(best)


def test_band_of_candidates_of_the_same_number_holds_those_of_all():
    candidates = {"even": [0, 0, 0, 1, 1, 1], "uneven": [0, 0, 0, 0, 0, 1]}
    curve = scc.index_curve([0, 0, 0, 1, 1, 1], candidates, index="rand_score")
    (band,) = IndexCurveDisplay(curve).plot().bands_
    heights = band.get_paths()[0].vertices[:, 1]
    spread = 2 * np.array([[-1], [1]]) * curve.standard_deviation[0]
    ends = curve.expected[0] + spread
    assert (heights.min(), heights.max()) == pytest.approx((ends.min(), ends.max()))


def test_several_indices_are_a_curve_each():
    names = ["adjusted_rand_score", "variation_of_information_distance"]
    display = IndexCurveDisplay.from_predictions(Y, CANDIDATES, index=names)
    assert [line.get_label() for line in display.lines_] == [names[0], f"{names[1]} (nats)"]
    for name, line in zip(names, display.lines_, strict=True):
        (alone,) = IndexCurveDisplay.from_predictions(Y, CANDIDATES, index=name).lines_
        assert line.get_ydata().tolist() == alone.get_ydata().tolist()
    heights = [line.get_ydata() for line in display.lines_]
    assert sorted(display.winner_marks_.get_offsets()[:, 1]) == sorted(
        [heights[0].max(), heights[1].min()]
    )
    assert display.ax_.get_ylabel() == "value of the index"


def test_error_bars_are_the_intervals():
    options = {"confidence_level": 0.9, "n_resamples": 50, "random_state": 0}
    candidates = {3: CANDIDATES[3], 2: CANDIDATES[2]}
    display = IndexCurveDisplay.from_predictions(
        Y, candidates, index="adjusted_rand_score", **options
    )
    scores = scc.score_candidates(Y, candidates, indices="adjusted_rand_score", **options)
    (bars,) = display.errorbars_
    segments = np.array(bars.lines[2][0].get_segments())
    assert segments[:, 0, 0].tolist() == [2, 3]
    assert segments[:, :, 1] == pytest.approx(scores.intervals["adjusted_rand_score"][[1, 0]])


def test_long_names_of_curves_remain_different():
    names = [f"KMeans(n_clusters=3, init=random, random_state={seed})" for seed in range(4)]
    curve = IndexCurve(
        [1, 2], np.arange(8.0).reshape(4, 2), winners=np.zeros((4, 2), bool), names=names
    )
    display = IndexCurveDisplay(curve).plot()
    labels = [line.get_label() for line in display.lines_]
    assert len(set(labels)) == 4
    assert all(f"random_state={seed}" in label for seed, label in enumerate(labels))


def test_points_of_a_curve_may_come_in_any_order():
    curve = IndexCurve(
        [3, 2, 3],
        [[0.2, 0.3, 0.5]],
        winners=[[False, False, True]],
        expected=[[0.1, 0.2, 0.3]],
        standard_deviation=[[0.0, 0.0, 0.0]],
    )
    display = IndexCurveDisplay(curve).plot()
    places = display.points_[0].get_offsets()[:, 0]
    assert places.tolist() == pytest.approx([2.7, 2, 3.3])
    assert display.lines_[0].get_xydata().tolist() == [[2, 0.3], [3, 0.5]]
    corners = display.bands_[0].get_paths()[0].vertices
    assert set(corners[corners[:, 0] == 2, 1].round(12).tolist()) == {0.2}
    assert {0.1, 0.3} <= set(corners[corners[:, 0] == 3, 1].round(12).tolist())


def test_the_winner_of_a_search_may_lack_the_parameter():
    grid = [{"n_clusters": [6, 7]}, {"n_clusters": [6, 7], "init": ["random"]}, {"n_init": [3]}]
    search = GridSearchCV(KMeans(2, n_init=1, random_state=0), grid, scoring="adjusted_rand_score")
    search.fit(X, Y)
    display = IndexCurveDisplay.from_estimator(search, param_name="n_clusters")
    assert not display.curve.winners.any()
    assert display.curve.names == ["no other parameter", "init=random"]
