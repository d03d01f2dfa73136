"""Two hierarchies cut by cut, against fresh tables for each cut."""

import dataclasses
import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import pdist

from sklearn_clustcompare import (
    ContingencyTable,
    PermutationModel,
    chance_adjusted_score,
    compare_hierarchies,
    fowlkes_mallows_score,
    get_index,
    list_indices,
    metrics,
    standardized_mutual_info_score,
    standardized_rand_score,
)
from sklearn_clustcompare.indices._moments import null_moments


def _cut(Z, k):
    """Labels after the first n - k merges, by the definition of a linkage."""
    n = len(Z) + 1
    members = {one: [one] for one in range(n)}
    for step in range(n - k):
        first, second = Z[step, :2].astype(int)
        members[n + step] = members.pop(first) + members.pop(second)
    labels = np.empty(n, int)
    for label, objects in enumerate(sorted(members.values(), key=min)):
        labels[objects] = label
    return labels


def _linkages(n, seed, methods=("average", "ward")):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    return tuple(linkage(X, method) for method in methods)


_PARAMETERS = {"adjusted_wallace_score": {"given": "pred"}, "pair_f_score": {"beta": 2.0}}


@pytest.mark.parametrize("name", list_indices())
def test_values_are_those_of_fresh_tables(name):
    first, second = _linkages(40, 0)
    index, params = get_index(name), _PARAMETERS.get(name, {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        expected = [
            index(
                ContingencyTable.from_labels(
                    cut_tree(first, k).ravel(), cut_tree(second, k).ravel()
                ),
                **params,
            )
            for k in range(2, 40)
        ]
        comparison = compare_hierarchies(first, second, index=name, **params)
    assert comparison.values.tolist() == expected
    assert comparison.k.tolist() == list(range(2, 40))
    assert comparison.index == name
    assert comparison.params == params


@pytest.mark.parametrize("name", ["fowlkes_mallows_score", "normalized_mutual_info_score"])
@pytest.mark.parametrize(
    "methods", [("median", "centroid"), ("single", "ward"), ("median", "single")]
)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 30), levels=st.integers(1, 30))
def test_ties_and_inversions_are_cut_by_merge_order(name, methods, seed, n, levels):
    X = np.random.default_rng(seed).integers(levels, size=(n, 2)).astype(float)
    first, second = (linkage(pdist(X), method) for method in methods)
    k_range = range(1, n + 1)
    comparison = compare_hierarchies(first, second, index=name, k_range=k_range)
    function = getattr(metrics, name)
    assert comparison.values.tolist() == [
        function(_cut(first, k), _cut(second, k)) for k in k_range
    ]


def test_there_are_inversions_to_test():
    X = np.random.default_rng(0).normal(size=(30, 2))
    assert (np.diff(linkage(X, "median")[:, 2]) < 0).any()


@given(seed=st.integers(0, 10**6), n=st.integers(3, 25))
def test_values_do_not_depend_on_the_order_of_the_objects(seed, n):
    rng = np.random.default_rng(seed)
    X, order = rng.normal(size=(n, 2)), rng.permutation(n)
    results = [
        compare_hierarchies(linkage(one, "average"), linkage(one, "complete"), index=index)
        for index in ("fowlkes_mallows_score", "adjusted_mutual_info_score")
        for one in (X, X[order])
    ]
    for before, after in (results[:2], results[2:]):
        assert before.values.tolist() == after.values.tolist()
        assert before.expected.tolist() == after.expected.tolist()
        assert before.standardized.tolist() == after.standardized.tolist()


def test_a_hierarchy_agrees_fully_with_itself():
    Z, _ = _linkages(30, 1)
    for name in ("fowlkes_mallows_score", "adjusted_rand_score", "normalized_mutual_info_score"):
        assert set(compare_hierarchies(Z, Z, index=name).values) == {1.0}


def test_swapping_the_hierarchies_swaps_the_sides():
    first, second = _linkages(30, 2)
    recall = compare_hierarchies(first, second, index="pair_recall_score")
    precision = compare_hierarchies(second, first, index="pair_precision_score")
    assert recall.values.tolist() == precision.values.tolist()
    assert (
        recall.values.tolist()
        != compare_hierarchies(second, first, index="pair_recall_score").values.tolist()
    )


# ------------------------------------------------------------------- moments


def test_moments_of_b_k_are_those_of_the_pair_count():
    first, second = _linkages(60, 3)
    comparison = compare_hierarchies(first, second)
    for position, k in enumerate(comparison.k):
        table = ContingencyTable.from_labels(_cut(first, k), _cut(second, k))
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


_EXACT = [
    *sorted(set(list_indices(pairs=True)) - {"pair_jaccard_score"}),
    *("mutual_info_score", "normalized_mutual_info_score", "adjusted_mutual_info_score"),
    *("homogeneity_score", "completeness_score", "v_measure_score", "conditional_entropy"),
    *("variation_of_information_distance", "normalized_information_distance"),
]


def _small_tables():
    return [
        (np.array([0, 1, 1, 1, 1, 1, 0]), np.array([0, 0, 1, 1, 2, 2, 2])),
        (np.array([0, 0, 0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 1, 2, 0])),
    ]


@pytest.mark.parametrize("name", _EXACT)
@pytest.mark.parametrize("labels", _small_tables(), ids=["skewed", "even"])
def test_moments_are_those_of_all_permutations(name, labels):
    index = get_index(name)
    parameters = [{}]
    if "q" in index.parameters:
        parameters += [{"q": 0.5}, {"q": 2.0}, {"q": 3.0}]
    if "base" in index.parameters:
        parameters.append({"base": 2})
    if "average_method" in index.parameters:
        parameters += [{"average_method": "max"}, {"average_method": "geometric"}]
    if name == "pair_counting_score":
        parameters = [{"coefficient": one} for one in ("peirce", "gamma", "fager_mcgowan")]
        parameters.append({"coefficient": "hamann", "adjusted": True})
    orders = [list(order) for order in set(itertools.permutations(labels[1].tolist()))]
    tables = [ContingencyTable.from_labels(labels[0], order) for order in orders]
    observed = ContingencyTable.from_labels(*labels)
    for params in parameters:
        values = np.array([index(table, **params) for table in tables])
        moments = null_moments(observed, index, **params)
        assert moments.expected == pytest.approx(values.mean(), abs=1e-14, rel=1e-13)
        assert moments.standard_deviation == pytest.approx(values.std(), rel=1e-12)
        assert moments.standardized == pytest.approx(
            (index(observed, **params) - values.mean()) / values.std(), abs=1e-12
        )


def test_standardized_values_are_those_of_the_public_functions():
    first, second = _linkages(50, 5)
    k_range = range(2, 50, 7)
    cuts = [(_cut(first, k), _cut(second, k)) for k in k_range]
    for name, function in (
        ("rand_score", standardized_rand_score),
        ("mutual_info_score", standardized_mutual_info_score),
    ):
        result = compare_hierarchies(first, second, index=name, k_range=k_range)
        expected = [function(*cut) for cut in cuts]
        assert result.standardized == pytest.approx(expected, rel=1e-11)
        adjusted = compare_hierarchies(first, second, index="adjusted_rand_score")
        assert not adjusted.expected.any()


@pytest.mark.parametrize("name", ["rand_score", "pair_f_score", "v_measure_score"])
def test_expected_values_are_those_of_chance_adjustment(name):
    first, second = _linkages(40, 6)
    result = compare_hierarchies(first, second, index=name, k_range=[2, 9, 30])
    expected = [
        chance_adjusted_score(_cut(first, k), _cut(second, k), index=name).expected
        for k in result.k
    ]
    assert result.expected.tolist() == expected


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("pair_jaccard_score", {}),
        ("purity_score", {}),
        ("chi_squared_statistic", {}),
        ("normalized_mutual_info_score", {"average_method": "joint"}),
        ("variation_of_information_distance", {"normalize": "joint"}),
        ("pair_counting_score", {"coefficient": "rogers_tanimoto"}),
    ],
)
def test_unknown_moments_are_none(name, params):
    result = compare_hierarchies(*_linkages(12, 7), index=name, **params)
    assert result.expected is None
    assert result.standard_deviation is None
    assert result.standardized is None
    assert result.band is None


def test_a_constant_index_has_no_deviation_and_stands_at_its_mean():
    # Of sizes 1 and 3 against 2 and 2, all tables keep one pair together.
    moments = null_moments(
        ContingencyTable.from_labels([0, 1, 1, 1], [0, 0, 1, 1]), get_index("rand_score")
    )
    assert moments[:3] == (0.5, 0.0, 0.0)
    ends = compare_hierarchies(*_linkages(9, 8), k_range=[1, 9])
    assert ends.values.tolist() == ends.expected.tolist() == [1.0, 1.0]
    assert not ends.standard_deviation.any()
    assert not ends.standardized.any()


def test_soft_tables_have_no_moments():
    table = ContingencyTable.from_counts([[1.5, 0.5], [0.5, 1.5]])
    assert null_moments(table, get_index("rand_score")) is None


# ------------------------------------------------------------------- arguments


def test_k_range_chooses_cuts():
    Z = _linkages(20, 9)
    everything = compare_hierarchies(*Z)
    some = compare_hierarchies(*Z, k_range=np.array([3, 10, 11]))
    assert some.values.tolist() == everything.values[[1, 8, 9]].tolist()
    assert some.standardized.tolist() == everything.standardized[[1, 8, 9]].tolist()


def test_two_objects_have_no_cut_between():
    Z = linkage([[0.0], [1.0]])
    assert compare_hierarchies(Z, Z).k.tolist() == []
    assert compare_hierarchies(Z, Z, k_range=[1, 2]).values.tolist() == [1.0, 1.0]


def test_result_is_frozen():
    result = compare_hierarchies(*_linkages(5, 0))
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.values = None


def test_linkage_of_lists():
    Z = _linkages(8, 0)
    as_lists = [one.tolist() for one in Z]
    assert compare_hierarchies(*as_lists).values.tolist() == compare_hierarchies(*Z).values.tolist()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda Z: Z[:, :3], "Z2.*4 columns"),
        (lambda Z: _linkages(5, 0)[0], "Z1 and Z2 must link the same objects, got 6 and 5 of them"),
        (lambda Z: Z[::-1], "Z2.*before"),
        (lambda Z: Z + [[0.25, 0, 0, 0]], "Z2 must hold whole numbers of clusters"),
    ],
)
def test_invalid_linkages_are_named(change, message):
    Z, _ = _linkages(6, 0)
    with pytest.raises(ValueError, match=message):
        compare_hierarchies(Z, change(Z))


@pytest.mark.parametrize(
    ("k_range", "error", "message"),
    [
        ([3, 2], ValueError, r"k_range must increase and lie between 1 and .* 6, got \[3, 2\]"),
        ([2, 2], ValueError, "k_range must increase"),
        ([0, 2], ValueError, "k_range must increase and lie between 1"),
        ([2, 7], ValueError, "k_range must increase and lie between 1"),
        (3, TypeError, "k_range must be a 1-D sequence of integers, got 3"),
        ([2.0], TypeError, r"k_range must be a 1-D sequence of integers, got \[2.0\]"),
    ],
)
def test_invalid_k_range_is_named(k_range, error, message):
    with pytest.raises(error, match=f"^{message}"):
        compare_hierarchies(*_linkages(6, 0), k_range=k_range)


def test_index_and_parameters_are_checked():
    Z = _linkages(6, 0)
    with pytest.raises(ValueError, match="^index must be one of"):
        compare_hierarchies(*Z, index="fowlkes")
    with pytest.raises(TypeError, match="takes no parameters, got 'q'"):
        compare_hierarchies(*Z, q=2)
    with pytest.raises(ValueError, match="^beta must"):
        compare_hierarchies(*Z, index="pair_f_score", beta=-1)


def test_thousands_of_objects():
    X = np.random.default_rng(0).normal(size=(5000, 3))
    Z = linkage(X, "average"), linkage(X, "ward")
    result = compare_hierarchies(*Z)
    for k in (2, 50, 4000):
        assert result.values[k - 2] == fowlkes_mallows_score(_cut(Z[0], k), _cut(Z[1], k))
