"""Objects in a plane, by the data in their artists."""

import itertools

import numpy as np
import pytest

from sklearn_clustcompare import match_clusters
from sklearn_clustcompare.plot import EmbeddingAgreementDisplay
from tests._examples import slow
from tests.plot._examples import FOUND, MANY, MANY_FOUND, TRUTH, X, Y

pyplot = pytest.importorskip("matplotlib.pyplot")

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


def test_objects_without_a_label_or_of_noise_are_left_out_on_request():
    true, pred = np.array(TRUTH, object), np.array(FOUND, object)
    true[3], pred[7] = None, -1
    draw = EmbeddingAgreementDisplay.from_predictions
    with pytest.raises(ValueError, match="^labels_true must not contain missing"):
        draw(PLACES, true, pred)
    kept = ~np.isin(np.arange(12), [3, 7])
    for given in (None, np.linspace(0, 1, 12)):
        display = draw(PLACES, true, pred, missing="drop", noise="drop", object_agreement=given)
        part = None if given is None else given[kept]
        expected = draw(PLACES[kept], TRUTH[kept], FOUND[kept], object_agreement=part)
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


def test_agreement_is_drawn_with_low_values_above():
    values = np.linspace(1, 0, 12)[np.random.default_rng(0).permutation(12)]
    display = EmbeddingAgreementDisplay.from_predictions(
        PLACES, TRUTH, FOUND, object_agreement=values, color_by="agreement"
    )
    order = np.argsort(-values)
    assert display.points_.get_array().tolist() == values[order].tolist()
    assert display.points_.get_offsets().tolist() == PLACES[order].tolist()
    assert display.points_.get_clim() == (0, 1)
    assert display.plot(color_by="clusters").object_agreement is not None
    display = EmbeddingAgreementDisplay.from_predictions(
        PLACES, TRUTH, FOUND, object_agreement=3 * values, color_by="agreement"
    )
    assert display.points_.get_clim() == (0, 3)


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


def test_pointer_shows_the_object():
    display = EmbeddingAgreementDisplay.from_predictions(
        [[0, 0], [0, 1], [5, 5], [5, 6]], list("aabb"), [1, 1, 1, 0]
    )
    assert display.ax_.format_coord(0.0, 1.0) == "object 1: a | 1, agreement 0.667"
    assert display.ax_.format_coord(2.5, 3.0) == ""


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
