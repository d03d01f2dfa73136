"""Chance candidates, bias and attainable values of an index for a reference."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare import (
    ContingencyTable,
    get_index,
    permutation_test,
    reference_profile,
)
from sklearn_clustcompare._chance.functions import PLAIN_SQUARES, InformationTerms
from sklearn_clustcompare._table import extremes
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED
from sklearn_clustcompare.indices import _attainable
from tests._examples import slow


def labels_of(sizes):
    return np.repeat(np.arange(len(sizes)), sizes)


def orders_of(labels):
    """Yield all distinct orders of some labels."""
    return map(list, set(itertools.permutations(labels)))


def values_in_all_orders(name, row_sums, col_sums, **parameters):
    index, truth = get_index(name), labels_of(row_sums)
    with UNDEFINED_IGNORED:
        return [
            index(ContingencyTable.from_labels(truth, order), **parameters)
            for order in orders_of(labels_of(col_sums).tolist())
        ]


# ------------------------------------------------------------------- attainable values


@pytest.mark.parametrize(
    ("row_sums", "col_sums", "pairs", "values"),
    [
        # Fewest and most pairs together in both, and ARI, NMI and FM, by enumeration of tables.
        ((5, 3, 2), (4, 4, 2), (2, 10), (-0.216, 0.630, 0.057, 0.772, 0.148, 0.741)),
        ((6, 2, 2), (4, 3, 3), (3, 8), (-0.154, 0.348, 0.150, 0.660, 0.210, 0.560)),
        ((8, 1, 1), (4, 3, 3), (7, 9), (-0.037, 0.122, 0.258, 0.358, 0.382, 0.491)),
        ((5, 5), (4, 3, 3), (4, 10), (-0.125, 0.438, 0.038, 0.564, 0.258, 0.645)),
        ((4, 4, 4), (6, 6), (6, 14), (-0.138, 0.368, 0.000, 0.516, 0.258, 0.602)),
        ((10, 10), (10, 10), (40, 90), None),
        ((12, 6, 2), (10, 10), (36, 62), None),
        ((7, 7, 6), (10, 6, 4), (16, 45), None),
    ],
)
def test_attainable_values_of_small_tables(row_sums, col_sums, pairs, values):
    rows, cols = np.array(row_sums), np.array(col_sums)
    low = extremes.lowest_of_convex(PLAIN_SQUARES, rows, cols)
    high = extremes.highest_of_convex(
        PLAIN_SQUARES, rows, cols, sees_sizes=False, matches_equal=True
    )
    assert ((low.total - rows.sum()) / 2, (high.total - rows.sum()) / 2) == pairs
    names = ("adjusted_rand_score", "normalized_mutual_info_score", "fowlkes_mallows_score")
    expected = [] if values is None else zip(names, values[::2], values[1::2], strict=True)
    for name, lowest, highest in expected:
        profile = reference_profile(
            labels_of(row_sums), index=name, n_clusters=[1], candidate_sizes=col_sums
        )
        assert profile.is_attained == (True, True)
        assert np.round(profile.attainable, 3).tolist() == [lowest, highest]


SIZES = st.lists(st.integers(1, 4), min_size=1, max_size=4).filter(lambda sizes: sum(sizes) <= 6)


@pytest.mark.parametrize(
    "name",
    [
        "adjusted_rand_score",
        "purity_score",
        slow("split_count"),
        slow("variation_of_information_distance"),
        slow("standardized_mutual_info_score"),
        slow("cramers_v_score"),
        slow("bcubed_precision_score"),
        slow("muc_f_score"),
        slow("lea_recall_score"),
        slow("cluster_f_score"),
        slow("element_centric_similarity_score"),
    ],
)
@given(row_sums=SIZES, data=st.data())
def test_attainable_values_are_those_of_all_orders(name, row_sums, data):
    n_samples = sum(row_sums)
    cuts = data.draw(st.sets(st.integers(1, max(n_samples - 1, 1))), "cuts")
    ends = sorted({0, n_samples} | {cut for cut in cuts if cut < n_samples})
    col_sums = np.diff(ends)
    values = values_in_all_orders(name, row_sums, col_sums)
    found = _attainable.attainable_values(get_index(name), np.array(row_sums), col_sums, {})
    assert found.is_attained == (True, True)
    assert found.lowest == pytest.approx(min(values), abs=1e-12)
    assert found.highest == pytest.approx(max(values), abs=1e-12)


def all_sums(function, rows, cols):
    """Add up a function of all tables, which are listed row by row."""

    def tables(left, remaining):
        if not left:
            yield []
            return
        for cells in itertools.product(*(range(min(left[0], cap) + 1) for cap in remaining)):
            if sum(cells) == left[0]:
                others = [cap - cell for cap, cell in zip(remaining, cells, strict=True)]
                for rest in tables(left[1:], others):
                    yield [cells, *rest]

    a, b = np.array(rows)[:, np.newaxis] * 1.0, np.array(cols) * 1.0
    for table in tables(list(rows), list(cols)):
        n = np.array(table, float)
        yield float(function(n, *np.broadcast_arrays(a, b)[:2]).sum()) if n.size else 0.0


FUNCTIONS = {
    "pairs": (PLAIN_SQUARES, False),
    "entropy": (InformationTerms(1.0), False),
    "order 3": (InformationTerms(3.0), False),
    "order .3": (InformationTerms(0.3), False),
    "chi squared": (lambda n, a, b: n * n / (a * b), True),
    "excess": (lambda n, a, b: np.maximum(n - a * b / 9, 0) ** 2, True),
}


@pytest.mark.parametrize("kind", FUNCTIONS)
@pytest.mark.parametrize("seed", [0, slow(1), slow(2), slow(3), slow(4), slow(5)])
def test_both_ends_are_those_of_all_tables(kind, seed):
    function, sees_sizes = FUNCTIONS[kind]
    rng = np.random.default_rng(seed)
    total = 11
    rows, cols = (
        np.bincount(rng.choice(size, total, p=rng.dirichlet(np.full(size, 2)))) for size in (3, 4)
    )
    rows, cols = rows[rows > 0], cols[cols > 0]
    sums = list(all_sums(function, rows.tolist(), cols.tolist()))
    low = extremes.lowest_of_convex(function, rows, cols)
    high = extremes.highest_of_convex(
        function,
        rows,
        cols,
        sees_sizes=sees_sizes,
        matches_equal=not sees_sizes and getattr(function, "q", 2) >= 1,
    )
    assert high.is_exact
    assert low.total == pytest.approx(min(sums), rel=1e-9)
    assert high.total == pytest.approx(max(sums), rel=1e-12)
    for found in (low, high):
        assert found.table.sum(axis=1).tolist() == rows.tolist()
        assert found.table.sum(axis=0).tolist() == cols.tolist()
        assert found.table.min() >= 0


def test_the_lowest_sum_of_a_large_table_has_no_cycle_of_gains():
    # A table is the lowest if moving one object around any rectangle, or longer cycle, is no gain.
    rng = np.random.default_rng(0)
    rows, cols = rng.multinomial(500, np.full(6, 1 / 6)), rng.multinomial(500, np.full(5, 0.2))
    found = extremes.lowest_of_convex(PLAIN_SQUARES, rows, cols).table
    for i, k in itertools.permutations(range(6), 2):
        for j, m in itertools.permutations(range(5), 2):
            moved = found.copy()
            moved[[i, k], [j, m]] += 1
            moved[[i, k], [m, j]] -= 1
            assert moved.min() < 0 or (moved**2).sum() >= (found**2).sum()


def test_ends_that_are_not_found_are_bounds(monkeypatch):
    rows, cols = np.array([9, 7, 4, 3]), np.array([8, 6, 5, 4])
    indices = {
        name: get_index(name)
        for name in ("adjusted_rand_score", "variation_of_information_distance", "cramers_v_score")
    }
    exact = {
        name: _attainable.attainable_values(index, rows, cols, {})
        for name, index in indices.items()
    }
    monkeypatch.setattr(extremes, "MOST_NODES", 0)
    for name, index in indices.items():
        found = _attainable.attainable_values(index, rows, cols, {})
        lowest, highest = exact[name][:2]
        assert exact[name].is_attained == (True, True)
        if index.greater_is_better:
            assert found.is_attained == (True, False)
            assert found.lowest == lowest
            assert highest < found.highest <= index.range[1] * 1.5
        else:
            assert found.is_attained == (False, True)
            assert found.lowest < lowest
            assert found.highest == highest
    profile = reference_profile(
        labels_of(rows), index="adjusted_rand_score", n_clusters=2, candidate_sizes=cols
    )
    assert repr(profile).endswith("(a bound)")
    monkeypatch.setattr(extremes, "_MOST_STEPS", 0)
    found = _attainable.attainable_values(indices["cramers_v_score"], rows, cols, {})
    assert found == (0, 1, (False, False))
    monkeypatch.setattr(_attainable, "_MOST_TABLES", 2)
    found = _attainable.attainable_values(get_index("purity_score"), rows, cols, {})
    assert found == (0, 1, (False, False))


@pytest.mark.parametrize("budget", [0, 1, 3, slow(10)])
@pytest.mark.parametrize("seed", [0, slow(1), slow(2)])
def test_no_value_is_beyond_the_bounds_of_a_short_search(budget, seed, monkeypatch):
    monkeypatch.setattr(extremes, "MOST_NODES", budget)
    rng = np.random.default_rng(seed)
    all_sizes = [((4, 1), (2, 1, 2))]  # the table found first is one with the most splits
    all_sizes += [
        tuple(np.diff(np.sort([0, 6, *rng.integers(1, 6, n)])) for n in (2, 2)) for _ in range(4)
    ]
    for sizes in all_sizes:
        rows, cols = (np.array([size for size in side if size]) for side in sizes)
        for name in ("split_count", "adjusted_rand_score", "cramers_v_score", "merge_distance"):
            values = values_in_all_orders(name, rows, cols)
            found = _attainable.attainable_values(get_index(name), rows, cols, {})
            ends = (found.lowest, min(values)), (max(values), found.highest)
            for is_attained, (below, above) in zip(found.is_attained, ends, strict=True):
                assert below == pytest.approx(above) if is_attained else below <= above + 1e-12


@given(row_sums=SIZES, data=st.data())
def test_forced_pairs_are_the_fewest_that_can_be_together_in_both(row_sums, data):
    col_sums = data.draw(st.permutations(row_sums), "other order")
    if len(col_sums) > 1:
        col_sums = [col_sums[0] + col_sums[1], *col_sums[2:]]
    truth = labels_of(row_sums)
    table = [ContingencyTable.from_labels(truth, order) for order in orders_of(labels_of(col_sums))]
    together = min(int(one.square_sums.cells - len(truth)) // 2 for one in table)
    profile = reference_profile(
        truth, index="pair_recall_score", n_clusters=1, candidate_sizes=col_sums
    )
    if (n_pairs := sum(math.comb(size, 2) for size in row_sums)) == 0:
        return
    assert profile.attainable[0] * n_pairs == pytest.approx(together, abs=1e-12)


def test_functions_that_are_neither_convex_nor_concave_are_found():
    rows, cols = np.array([4, 2]), np.array([3, 3])
    assert extremes.curvature(PLAIN_SQUARES, rows, cols) == 1
    assert extremes.curvature(lambda n, a, b: n > 0, rows, cols) == -1
    assert extremes.curvature(lambda n, a, b: n == 1, rows, cols) == 0


def test_a_score_is_shown_with_what_is_attainable():
    truth = labels_of([5, 3, 2])
    profile = reference_profile(truth, index="adjusted_rand_score", candidate_sizes=[4, 4, 2])
    assert profile.text_of(0.58) == "0.58 of at most 0.63"
    # 14 and 13 of the 45 pairs are together, and from 2 to 10 in both.
    chance = 14 * 13 / 45
    lowest, highest = ((pairs - chance) / (13.5 - chance) for pairs in (2, 10))
    assert f"clusters of 4, 4, 2 objects: from {lowest:.4f} to {highest:.4f}" in repr(profile)
    distance = reference_profile(truth, index="split_count", candidate_sizes=[4, 4, 2])
    assert distance.text_of(3) == "3.00, at least 1.00"
    with pytest.raises(ValueError, match="candidate_sizes must be given"):
        reference_profile(truth, index="rand_score").text_of(0.5)


# ------------------------------------------------------------------- means


@pytest.mark.parametrize(
    ("sizes", "share", "expected", "bias"),
    [
        ((90, 5, 5), 0.8131, (0.500, 0.343, 0.265, 0.226), "few"),
        ((34, 33, 33), 0.3267, (0.500, 0.587, 0.630, 0.652), "many"),
    ],
)
def test_rand_index_prefers_few_or_many(sizes, share, expected, bias):
    profile = reference_profile(labels_of(sizes), index="rand_score", n_clusters=(2, 4, 8, 16))
    assert sum(math.comb(size, 2) for size in sizes) / math.comb(100, 2) == pytest.approx(
        share, abs=5e-5
    )
    assert np.round(profile.expected, 3).tolist() == list(expected)
    assert not profile.standard_error.any()
    assert profile.bias == bias


@pytest.mark.parametrize(
    "name",
    [
        "rand_score",
        "mirkin_distance",
        "adjusted_rand_score",
        "fowlkes_mallows_score",
        "mutual_info_score",
        "normalized_mutual_info_score",
        "bcubed_recall_score",
        "muc_precision_score",
    ],
)
@pytest.mark.parametrize(("sizes", "n_clusters"), [((3, 2), 3), slow((3, 2, 2), 3), ((4, 1), 2)])
def test_exact_means_are_those_of_all_labels(name, sizes, n_clusters):
    index, truth = get_index(name), labels_of(sizes)
    with UNDEFINED_IGNORED:
        values = [
            index(ContingencyTable.from_labels(truth, labels))
            for labels in itertools.product(range(n_clusters), repeat=len(truth))
        ]
    profile = reference_profile(truth, index=name, n_clusters=n_clusters)
    assert profile.standard_error.tolist() == [0]
    assert profile.expected[0] == pytest.approx(math.fsum(values) / len(values), abs=1e-12)
    assert profile.bias is None


def test_estimated_means_are_near_those_of_all_labels(monkeypatch):
    truth = labels_of([4, 2])
    for name in ("purity_score", "normalized_mutual_info_score"):
        index = get_index(name)
        with UNDEFINED_IGNORED:
            values = [
                index(ContingencyTable.from_labels(truth, labels))
                for labels in itertools.product(range(3), repeat=6)
            ]
        monkeypatch.setattr("sklearn_clustcompare.candidates._profile._MOST_SIZES", 1)
        profile = reference_profile(truth, index=name, n_clusters=3, n_resamples=200)
        again = reference_profile(truth, index=name, n_clusters=3, n_resamples=200)
        error = profile.standard_error[0]
        assert 0 < error < 0.02
        assert abs(profile.expected[0] - np.mean(values)) < 4 * error
        assert profile.expected[0] == again.expected[0]


def test_bias_is_that_of_the_index_or_of_the_reference():
    truth = labels_of([12, 9, 9])
    purity = reference_profile(truth, index="purity_score", n_resamples=50)
    assert purity.bias == get_index("purity_score").bias == "many"
    assert purity.n_clusters.tolist() == [2, 4, 8]
    adjusted = reference_profile(truth, index="adjusted_rand_score")
    assert adjusted.bias == get_index("adjusted_rand_score").bias == "neutral"
    distance = reference_profile(truth, index="mirkin_distance", n_clusters=range(2, 5))
    assert distance.bias == "many"
    assert (np.diff(distance.expected) < 0).all()


def test_means_given_sizes_are_those_of_the_permutation_model():
    # All labels equal but for rare cases: one cluster.
    profile = reference_profile([0, 0, 1], index="normalized_mutual_info_score", n_clusters=[1])
    assert profile.expected.tolist() == [0]
    truth, found = [0, 0, 0, 1], [0, 0, 1, 1]
    test = permutation_test(truth, found, index="normalized_mutual_info_score")
    one = permutation_test(truth, [0, 1, 1, 1], index="normalized_mutual_info_score")
    profile = reference_profile(truth, index="normalized_mutual_info_score", n_clusters=[2])
    # Of 16 candidates 6 have two clusters of two, 8 have one of three, and 2 have one cluster.
    expected = (6 * test.mean + 8 * one.mean) / 16
    assert profile.expected[0] == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"index": "silhouette_score"}, ValueError, "index must compare two partitions"),
        ({"q": 2}, TypeError, "rand_score takes no parameters"),
        ({"n_clusters": 0}, ValueError, "n_clusters must be"),
        ({"n_clusters": 6}, ValueError, "n_clusters"),
        ({"n_clusters": []}, ValueError, "n_clusters must have at least one number"),
        ({"candidate_sizes": [2, 2]}, ValueError, "candidate_sizes must add up to .* 5, got 4"),
        ({"candidate_sizes": [6, -1]}, ValueError, "candidate_sizes must be positive whole"),
        ({"candidate_sizes": [2.5, 2.5]}, ValueError, "candidate_sizes must be positive whole"),
        (
            {"candidate_sizes": "ab"},
            TypeError,
            "candidate_sizes must be real numbers, got an array",
        ),
        ({"n_resamples": 0}, ValueError, "n_resamples must be"),
    ],
)
def test_errors(keywords, error, message):
    with pytest.raises(error, match=message):
        reference_profile([0, 0, 0, 1, 1], **{"index": "rand_score"} | keywords)


@pytest.mark.parametrize("index", ["rand_score", "purity_score", "mutual_info_score"])
def test_the_only_partition_of_one_object(index):
    profile = reference_profile([0], index=index, candidate_sizes=[1])
    value = get_index(index)(ContingencyTable.from_labels([0], [0]))
    assert (*profile.expected, *profile.attainable) == (value, value, value)


def test_a_reference_without_objects_is_an_error():
    with pytest.raises(ValueError, match="labels_true must have at least one object"):
        reference_profile([], index="rand_score")
