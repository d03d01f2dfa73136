"""Ranked candidates, by the data in their artists."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import adjusted_rand_score, rand_score, score_candidates
from sklearn_clustcompare.plot import CandidateScoresDisplay
from tests.plot._examples import texts

pyplot = pytest.importorskip("matplotlib.pyplot")

Y = np.repeat([0, 1, 2], [4, 3, 2])
CANDIDATES = {
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
    display = CandidateScoresDisplay.from_predictions(Y, CANDIDATES, index="adjusted_rand_score")
    assert texts(display.ax_.yaxis) == ["same", "again", "two", "far"]
    x, y = display.points_.get_offsets().T
    assert y.tolist() == [0, 1, 2, 3]
    expected = [adjusted_rand_score(Y, CANDIDATES[name]) for name in texts(display.ax_.yaxis)]
    assert x.tolist() == pytest.approx(expected)
    assert display.ax_.yaxis_inverted()


def test_lowest_distance_is_at_the_top():
    scores = score_candidates(Y, CANDIDATES, indices=["rand_score", "mirkin_distance"])
    display = CandidateScoresDisplay(scores, index="mirkin_distance").plot()
    x = display.points_.get_offsets()[:, 0]
    assert x[0] == 0
    assert (np.diff(x) >= 0).all()
    assert "lower is better" in display.ax_.get_xlabel()


def test_ties_are_joined():
    display = CandidateScoresDisplay.from_predictions(Y, CANDIDATES, index="rand_score")
    (segment,) = display.ties_.get_segments()
    assert segment.tolist() == [[1.0, 0.0], [1.0, 1.0]]
    colors = display.points_.get_facecolors()
    assert np.array_equal(colors[0], colors[1])
    assert not np.array_equal(colors[1], colors[2])


def test_band_is_the_mean_and_two_deviations_over_all_orders():
    y, found = [0, 0, 0, 1, 1, 2], [0, 1, 0, 1, 1, 1]
    display = CandidateScoresDisplay.from_predictions(y, [found], index="rand_score")
    values = [rand_score(y, list(order)) for order in itertools.permutations(found)]
    (bar,) = display.band_
    assert bar.get_x() == pytest.approx(np.mean(values) - 2 * np.std(values))
    assert bar.get_width() == pytest.approx(4 * np.std(values))


def test_band_is_left_out_where_it_is_not_known():
    display = CandidateScoresDisplay.from_predictions(Y, CANDIDATES, index="purity_score")
    assert display.band_ is None
    assert display.expected is None


def test_intervals_are_those_of_the_scores():
    reference, candidates = _many(5)
    scores = score_candidates(
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
    scores = score_candidates(reference, candidates, indices="purity_score")
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
        Y, iter(CANDIDATES.values()), index="rand_score"
    )
    assert len(display.band_) == 4


def test_undefined_scores_are_last_and_said_to_be():
    candidates = {"noise": [-1] * 9, **CANDIDATES}
    with pytest.warns(UndefinedMetricWarning):
        scores = score_candidates(Y, candidates, indices="rand_score", noise="drop")
    display = CandidateScoresDisplay(scores).plot()
    assert texts(display.ax_.yaxis)[-1] == "noise"
    (text,) = display.ax_.texts
    assert text.get_text() == "undefined"
    assert text.get_position()[1] == 4
    display.figure_.draw_without_rendering()


def test_pointer_shows_the_candidate():
    display = CandidateScoresDisplay.from_predictions(Y, CANDIDATES, index="rand_score")
    assert display.ax_.format_coord(0.0, 0.9) == "rank 1: again, 1, 3 clusters"
    assert display.ax_.format_coord(0.0, 5.0) == ""


def test_bad_input_is_named():
    scores = score_candidates(Y, CANDIDATES, indices="rand_score")
    with pytest.raises(ValueError, match="^index must be one of those computed: 'rand_score'"):
        CandidateScoresDisplay(scores, index="purity_score").plot()
    with pytest.raises(ValueError, match="^max_shown must be"):
        CandidateScoresDisplay(scores, max_shown=0).plot()
    none = np.empty(0)
    nothing = replace(scores, scores={"rand_score": none}, names=[], n_clusters=none.astype(int))
    with pytest.raises(ValueError, match="^scores must hold at least one candidate"):
        CandidateScoresDisplay(nothing).plot()
