"""Exact moments of indices, against all permutations."""

import numpy as np
import pytest

from sklearn_clustcompare import (
    ContingencyTable,
    chance_adjusted_score,
    get_index,
)
from sklearn_clustcompare.hierarchies import compare_hierarchies
from sklearn_clustcompare.indices import Index
from sklearn_clustcompare.indices._moments import null_moments
from sklearn_clustcompare.significance import PermutationModel
from tests._laws import law
from tests.hierarchies._hierarchies import cut, linkages
from tests.indices._variants import VARIANTS


def test_moments_of_b_k_are_those_of_the_pair_count():
    first, second = linkages(60, 3)
    comparison = compare_hierarchies(first, second, index="fowlkes_mallows_score")
    for position, k in enumerate(comparison.k):
        table = ContingencyTable.from_labels(cut(first, k), cut(second, k))
        model = PermutationModel(table.row_sums, table.col_sums)
        pairs = [(sizes * (sizes - 1) // 2).sum() for sizes in (table.row_sums, table.col_sums)]
        scale = np.sqrt(float(pairs[0]) * float(pairs[1]))
        assert comparison.expected[position] == pytest.approx(
            model.expected_pair_count() / scale, rel=1e-14
        )
        assert comparison.standard_deviation[position] == pytest.approx(
            np.sqrt(model.pair_count_variance()) / scale, rel=1e-13
        )
    low, high = comparison.band
    assert (high + low) / 2 == pytest.approx(comparison.expected, abs=1e-15)
    assert high - low == pytest.approx(4 * comparison.standard_deviation, rel=1e-13)


_SKEWED = (0, 1, 1, 1, 1, 1, 0), (0, 0, 1, 1, 2, 2, 2)
_EVEN = (0, 0, 0, 1, 1, 2, 2), (0, 0, 1, 1, 1, 2, 0)


@pytest.mark.slow
@pytest.mark.parametrize("variant", [one for one in VARIANTS if one.has_closed_form], ids=str)
@pytest.mark.parametrize("labels", [_SKEWED, _EVEN], ids=["skewed", "even"])
def test_moments_are_those_of_all_permutations(variant, labels):
    counts, times = zip(*law(*map(np.bincount, labels)), strict=True)
    values = np.array([variant.of(ContingencyTable.from_counts(one)) for one in counts])
    mean = np.average(values, weights=times)
    deviation = np.sqrt(np.average((values - mean) ** 2, weights=times))
    observed = ContingencyTable.from_labels(*labels)
    moments = null_moments(variant.index, observed, **variant.parameters)
    assert moments.mean == pytest.approx(mean, abs=1e-14, rel=1e-13)
    assert moments.standard_deviation == pytest.approx(deviation, rel=1e-12)
    assert moments.standardized == pytest.approx(
        (variant.of(observed) - mean) / deviation, abs=1e-12
    )


@pytest.mark.parametrize("name", ["rand_score", "pair_f_score", "v_measure_score"])
def test_expected_values_are_those_of_chance_adjustment(name):
    first, second = linkages(40, 6)
    result = compare_hierarchies(first, second, index=name, param_range=[2, 9, 30])
    expected = [
        chance_adjusted_score(cut(first, k), cut(second, k), index=name).expected for k in result.k
    ]
    assert result.expected.tolist() == expected


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("pair_jaccard_score", {}),
        ("purity_score", {}),
        ("cramers_v_score", {}),
        ("bcubed_f_score", {}),
        ("normalized_mutual_info_score", {"average_method": "joint"}),
        ("variation_of_information_distance", {"normalize": "joint"}),
        ("pair_counting_score", {"coefficient": "rogers_tanimoto"}),
    ],
)
def test_unknown_moments_are_none(name, params):
    result = compare_hierarchies(*linkages(12, 7), index=name, **params)
    assert result.expected is None
    assert result.standard_deviation is None
    assert result.standardized is None
    assert result.band is None


def test_a_constant_index_has_no_deviation_and_stands_at_its_mean():
    # Of sizes 1 and 3 against 2 and 2, all tables keep one pair together.
    moments = null_moments(
        get_index("rand_score"), ContingencyTable.from_labels([0, 1, 1, 1], [0, 0, 1, 1])
    )
    assert (moments.mean, moments.standard_deviation, moments.standardized) == (0.5, 0.0, 0.0)
    ends = compare_hierarchies(*linkages(9, 8), param_range=[1, 9])
    assert ends.values.tolist() == ends.expected.tolist() == [1.0, 1.0]
    assert not ends.standard_deviation.any()
    assert not ends.standardized.any()


@pytest.mark.slow
def test_tables_of_memberships_need_the_moments_of_both_sides():
    u, v = np.random.default_rng(0).dirichlet([1, 1, 1], size=(2, 20))
    index = get_index("rand_score")
    assert null_moments(index, ContingencyTable.from_memberships(u, v)) is None
    table = ContingencyTable.from_memberships(u, v, moments=True)
    moments = null_moments(index, table)
    rng = np.random.default_rng(1)
    draws = np.array(
        [index(ContingencyTable.from_memberships(u, v[rng.permutation(20)])) for _ in range(3000)]
    )
    assert moments.mean == pytest.approx(draws.mean(), abs=5 * draws.std() / np.sqrt(3000))
    assert moments.standard_deviation == pytest.approx(draws.std(), rel=0.1)
    loose = ContingencyTable.from_memberships(u / 2, v, possibilistic=True, moments=True)
    assert null_moments(index, loose) is None
    assert null_moments(get_index("mutual_info_score"), table) is None


def test_moments_of_an_index_of_a_users_own_are_known_only_if_it_says_so():
    rand = get_index("rand_score").of_statistic

    def squared_rand(squares, margins):
        return rand(squares, margins) ** 2

    def squared_rand_of_table(table):
        return squared_rand(table.square_sums, table)

    table = ContingencyTable.from_labels([0, 0, 1, 1, 2], [0, 1, 1, 2, 2])
    about = {"greater_is_better": True, "range": (0.0, 1.0), "symmetric": True, "source": "own"}
    for own in (
        Index("squared_rand", squared_rand_of_table, **about),
        Index("squared_rand", of_statistic=squared_rand, pairs=True, **about),
    ):
        assert null_moments(own, table) is None
    linear = Index("own_rand", of_statistic=rand, linear_in="pairs", **about)
    known = null_moments(get_index("rand_score"), table)
    assert null_moments(linear, table).mean == known.mean
    assert null_moments(linear, table).standard_deviation == known.standard_deviation
