"""Picture of which clusters are clouds of their own."""

import numpy as np
import pytest

from sklearn_clustcompare.plot import ClusterSignificanceDisplay
from sklearn_clustcompare.results import ClusterSignificance

pytest.importorskip("matplotlib")

NAN = np.nan


def result_of(n_clusters, pvalues, clusters=None):
    """Return a result with a chain of merges, whose nodes have given p-values from the root on."""
    k = n_clusters
    merges = np.array([[0, 1], *([number, k + number - 2] for number in range(2, k))])[: k - 1]
    sizes = np.array([10] * k + [10 * (m + 2) for m in range(k - 1)])
    found = np.full(2 * k - 1, NAN)
    found[: -len(pvalues) - 1 : -1] = pvalues
    return ClusterSignificance(
        labels=np.repeat(np.arange(k), 10),
        clusters=np.arange(k) if clusters is None else np.array(clusters),
        merges=merges,
        sizes=sizes,
        levels=np.full(2 * k - 1, 0.05),
        pvalues=found,
        statistics=found,
        nulls=(None,) * (2 * k - 1),
        significance_level=0.05,
    )


def test_nodes_that_were_tested_are_marked():
    result = result_of(4, [0.01, 0.02, 0.6])
    display = ClusterSignificanceDisplay(result).plot()
    assert display.ax_.get_title() == "3 clusters remain of 4"
    # From the root, the chain splits off clusters 3 and 2; 0 and 1 are one cloud.
    places = display.points_.get_offsets()[::-1]
    assert places[:, 0].tolist() == [3, 2, 1]
    assert [text.get_text() for text in display.texts_][::-1] == ["p = 0.01", "p = 0.02", "p = 0.6"]
    filled = [tuple(one) for one in display.points_.get_facecolors()][::-1]
    edges = [tuple(one) for one in display.points_.get_edgecolors()][::-1]
    assert filled[:2] == edges[:2]
    assert filled[2] == (1, 1, 1, 1) != edges[2]


def test_branches_have_the_color_of_the_cluster_that_remains():
    display = ClusterSignificanceDisplay(result_of(4, [0.01, 0.02, 0.6])).plot()
    colors = [tuple(one) for one in display.branches_.get_colors()]
    # Two lines a merge: 0 and 1; 2 and these; 3 and these.
    assert colors[0] == colors[1] == colors[3]
    assert len({colors[0], colors[2], colors[4], colors[5]}) == 4
    for line in display.branches_.get_segments():
        assert (np.diff(line, axis=0) == 0).any(axis=1).all()  # right angles


@pytest.mark.parametrize("n_clusters", [1, 2, 40])
def test_names_are_beside_the_leaves(n_clusters):
    names = [f"a very long name of a cluster, {number}" for number in range(n_clusters)]
    display = ClusterSignificanceDisplay(result_of(n_clusters, [0.4], names)).plot()
    labels = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert len(labels) == n_clusters
    assert all(label.endswith(" (10)") for label in labels)
    assert len(set(labels)) == n_clusters
    assert display.ax_.get_title() == f"1 cluster remains of {n_clusters}"


def test_no_tick_before_a_number_looks_like_its_sign():
    ax = ClusterSignificanceDisplay(result_of(3, [0.01, 0.5])).plot().ax_
    assert {tick.get_markersize() for tick in ax.yaxis.get_ticklines()} == {0}
