"""Names of clusters, by counting objects one by one."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import silhouette_samples

import sklearn_clustcompare as scc
from sklearn_clustcompare.metrics import (
    between_cluster_sum_of_squares,
    within_cluster_sum_of_squares,
)
from sklearn_clustcompare.report import cluster_names, internal_decomposition

OBJECTS = st.lists(
    st.tuples(st.sampled_from(["a", "b", "c", "a (2)"]), st.integers(0, 5)), min_size=1, max_size=30
)


@given(OBJECTS)
def test_a_class_names_a_cluster_if_it_holds_half_of_it(objects):
    classes, clusters = map(list, zip(*objects, strict=True))
    names = cluster_names(classes, clusters)
    assert list(names) == sorted(set(clusters))
    assert len(set(names.values())) == len(names)
    for cluster, name in names.items():
        within = Counter(one for one, other in objects if other == cluster)
        share = max(within.values()) / sum(within.values())
        assert name.startswith("mixed: ") == (share < 0.5)
        if share < 0.5:
            largest = name.removeprefix("mixed: ").partition(" (3")[0].split(", ")
            least = min(within[one] or within[one.removesuffix(" (2)")] for one in largest)
            assert least >= sorted(within.values())[-len(largest)]
        else:
            largest = [one for one, size in within.items() if size == max(within.values())]
            assert any(name.startswith(one) for one in largest)


def test_the_largest_cluster_of_a_class_has_its_plain_name():
    assert cluster_names(list("BBBBT"), [0, 1, 1, 1, 2]) == {0: "B (2)", 1: "B", 2: "T"}
    # A class may have the name that a second cluster would get.
    classes = ["B", "B", "B", "B (2)"]
    assert cluster_names(classes, [0, 0, 1, 2]) == {0: "B", 1: "B (3)", 2: "B (2)"}


@pytest.mark.parametrize(("n_others", "name"), [(2, "a"), (3, "mixed: a, b")])
def test_half_is_enough(n_others, name):
    assert cluster_names([*"aa", *"bcd"[:n_others]], [0] * (2 + n_others)) == {0: name}


def test_mixed_clusters_have_their_largest_classes():
    assert cluster_names(list("aaabbccd"), [0] * 8) == {0: "mixed: a, b"}
    assert cluster_names(range(12), np.zeros(12)) == {0.0: "mixed: 0, 1, 2"}


def test_names_that_look_alike_are_written_as_literals():
    assert cluster_names([1, 1, "1"], [0, 0, 1]) == {0: "1", 1: "'1'"}


def test_names_are_those_of_purity():
    rng = np.random.default_rng(0)
    truth = rng.integers(4, size=300)
    found = np.where(rng.random(300) < 0.3, rng.integers(4, 8, size=300), truth + 4)
    names = cluster_names(truth, found)
    pairs = zip(truth.tolist(), found.tolist(), strict=True)
    named = [names[one].partition(" ")[0] == str(true) for true, one in pairs]
    assert not any(name.startswith("mixed") for name in names.values())
    assert np.mean(named) == pytest.approx(scc.purity_score(truth, found))


def test_reports_and_frames_have_the_names():
    classes, clusters = list("aabbbcd"), [0, 0, 0, 1, 1, 1, 0]
    report = scc.clustering_comparison_report(classes, clusters)
    text = " ".join(report.split())
    assert "Names, by the classes of at least half of the objects: 0: a; 1: b." in text
    assert "No cluster is named after: c, d." in text
    frame = report.to_frame().set_index(["side", "label"])["name"]
    assert frame["pred"].to_dict() == cluster_names(classes, clusters)
    assert frame["true"].to_dict() == {one: one for one in "abcd"}


X, Y = load_iris(return_X_y=True)
NAMES = load_iris().target_names[Y]


def test_values_are_those_of_the_objects_of_each_cluster():
    parts = internal_decomposition(X, NAMES, metric="cityblock")
    widths = silhouette_samples(X, Y, metric="cityblock")
    assert parts.labels.tolist() == sorted(set(NAMES))
    for at, label in enumerate(parts.labels):
        own = X[label == NAMES]
        center = own.mean(axis=0)
        assert parts.sizes[at] == len(own)
        assert parts.within[at] == pytest.approx(((own - center) ** 2).sum())
        assert parts.between[at] == pytest.approx(len(own) * ((center - X.mean(axis=0)) ** 2).sum())
        assert parts.silhouettes[at] == pytest.approx(widths[label == NAMES].mean())


def test_values_make_up_the_indices():
    parts = internal_decomposition(X, NAMES)
    assert parts.within.sum() == pytest.approx(within_cluster_sum_of_squares(X, Y))
    assert parts.between.sum() == pytest.approx(between_cluster_sum_of_squares(X, Y))
    mean = parts.sizes @ parts.silhouettes / parts.sizes.sum()
    assert mean == pytest.approx(scc.silhouette_score(X, Y))


def test_silhouettes_of_a_sample_are_those_of_the_score():
    labels = np.repeat(["few", "many", "more"], [2, 100, 48])
    drawn = np.random.RandomState(0).permutation(150)[:30]
    parts = internal_decomposition(X, labels, sample_size=30, random_state=0)
    sizes = np.array([np.count_nonzero(labels[drawn] == label) for label in parts.labels])
    assert sizes[0] == 0
    assert np.isnan(parts.silhouettes[0])
    mean = sizes[1:] @ parts.silhouettes[1:] / 30
    score = scc.silhouette_score(X, labels, sample_size=30, random_state=0)
    assert mean == pytest.approx(score)
    assert parts.sizes.tolist() == [2, 100, 48]


@pytest.mark.parametrize("labels", [np.zeros(150), np.arange(150)])
def test_silhouettes_without_a_value_are_nan(labels):
    with pytest.warns(UndefinedMetricWarning, match="silhouettes are NaN: Number of labels is"):
        parts = internal_decomposition(X, labels)
    assert np.isnan(parts.silhouettes).all()
    total = ((X - X.mean(axis=0)) ** 2).sum()
    assert (parts.within + parts.between).sum() == pytest.approx(total)


def test_noise_is_a_cluster_singletons_or_left_out():
    labels = np.where(np.arange(150) % 30 == 7, -1, Y)
    kept = labels != -1
    assert internal_decomposition(X, labels).labels.tolist() == [-1, 0, 1, 2]
    dropped = internal_decomposition(X, labels, noise="drop")
    by_hand = internal_decomposition(X[kept], labels[kept])
    pd.testing.assert_frame_equal(dropped.to_frame(), by_hand.to_frame())
    alone = internal_decomposition(X, labels, noise="singletons")
    renamed = np.where(kept, labels, 10 + np.arange(150))
    expected = internal_decomposition(X, renamed)
    assert alone.sizes.tolist() == expected.sizes.tolist() == [*dropped.sizes, 1, 1, 1, 1, 1]
    np.testing.assert_array_equal(alone.within, expected.within)
    np.testing.assert_array_equal(alone.silhouettes, expected.silhouettes)
    with pytest.raises(ValueError, match="noise='drop' must leave at least one object"):
        internal_decomposition(X, np.full(150, -1), noise="drop")
