"""Units left out in parts, and intervals against known populations."""

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable, get_index, score_interval
from sklearn_clustcompare.significance._resampling import in_parts
from tests._examples import slow


@pytest.mark.parametrize(
    ("n_units", "most", "n_parts"), [(7, 7, 7), (8, 7, 4), (1000, 1000, 1000), (2500, 1000, 833)]
)
def test_parts_are_disjoint_and_of_equal_size(n_units, most, n_parts):
    parts = in_parts(n_units, most)
    sizes = np.bincount(parts[parts >= 0])
    assert (len(sizes), len({*sizes.tolist()})) == (n_parts, 1)
    assert np.count_nonzero(parts < 0) < sizes[0]


@pytest.mark.parametrize("name", ["adjusted_rand_score", "normalized_mutual_info_score"])
@pytest.mark.parametrize("error", [0.5, slow(0.3), 0.15])
@pytest.mark.filterwarnings("ignore:the interval may not hold")
def test_intervals_hold_the_value_of_the_population(name, error):
    """Two equal clusters, of whose objects a share is in the other one, from independence on."""
    shares = np.array([[1 - error, error], [error, 1 - error]]) / 2
    population = get_index(name)(ContingencyTable.from_counts((shares * 1e7).astype(np.int64)))
    rng, covered = np.random.default_rng(0), 0
    for _ in range(100):
        cells = np.repeat(np.arange(4), rng.multinomial(200, shares.ravel()))
        low, high = score_interval(cells // 2, cells % 2, index=name).interval
        covered += low - 1e-6 <= population <= high + 1e-6
    # At most 88 of 100 intervals of level .95 hold it with probability .004.
    assert covered > 88


INDEPENDENT, MERGED = np.full((4, 4), 1 / 16), np.kron(np.eye(3), np.full((2, 1), 1 / 6))


@pytest.mark.parametrize(
    ("shares", "name"),
    [
        (INDEPENDENT, "purity_score"),
        slow(INDEPENDENT, "matching_accuracy_score"),
        (MERGED, "v_measure_score"),
        slow(MERGED, "variation_of_information_distance"),
    ],
)
@pytest.mark.filterwarnings("ignore:the interval may not hold")
def test_intervals_hold_the_value_where_clusters_tie_and_where_cells_cannot_occur(shares, name):
    """Equal clusters that are independent, or of which pairs are merged without an error."""
    population = get_index(name)(ContingencyTable.from_counts(np.rint(shares * 48e6)))
    rng, covered, widths, scores = np.random.default_rng(1), 0, [], []
    for _ in range(60):
        cells = np.repeat(np.arange(shares.size), rng.multinomial(240, shares.ravel()))
        result = score_interval(
            cells // shares.shape[1], cells % shares.shape[1], index=name, n_resamples=99
        )
        low, high = result.interval
        covered += low - 1e-6 <= population <= high + 1e-6
        widths.append(high - low)
        scores.append(result.score)
    # At most 51 of 60 intervals of level .95 hold it with probability .003.
    assert covered > 51
    # The variance of the score is that of cluster sizes, which intervals overstate.
    assert np.mean(widths) < (3.5 if shares is INDEPENDENT else 2.0) * 3.92 * np.std(scores)
