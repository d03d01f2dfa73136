"""Indices of covers against brute force over the pairs of objects, and printed values."""

import itertools
import time
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from scipy import sparse
from scipy.cluster.hierarchy import linkage
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import (
    ContingencyTable,
    Cover,
    Hierarchy,
    adjusted_rand_score,
    get_index,
    list_indices,
    omega_score,
)
from sklearn_clustcompare._table.cover_pair import pair_covers
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED
from sklearn_clustcompare.indices import INDICES, _covers
from sklearn_clustcompare.indices._covers import Tree
from sklearn_clustcompare.metrics import average_f_score, overlapping_normalized_mutual_info_score
from tests import _oracles
from tests._covers import DISJOINT, OVERLAPPING, cover_of, pairs_of_covers, random_covers
from tests._examples import FEW_EXAMPLES

RNG = np.random.default_rng(0)
COVERS = [
    (*random_covers(RNG, n_objects, n_clusters), n_objects)
    for n_objects, n_clusters in [(6, 3), (9, 5), (14, 4), (20, 8), (40, 12)]
] + [
    (*OVERLAPPING, 6),
    (*DISJOINT, 6),
    ([{0}, {0, 1, 2, 3}], [{0, 1}, {0, 1}, {2}], 5),
    # Fewer objects than clusters: walks from objects to objects.
    ([{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 2}, {1, 3}], [{0, 1, 2}, {2, 3}, {0, 3}, {1}], 6),
    # A small cluster outside of a large one informs of it, although they share no object.
    ([set(range(29)), {35}, {0, 29}], [{39}, {30, 31, 29}], 40),
]


def pair_of(true, pred, n_objects):
    return pair_covers(cover_of(true, n_objects), cover_of(pred, n_objects))


def per_object(values, pair):
    return values[pair.codes]


FUNCTIONS = {
    "omega": _covers.omega_of_covers,
    "mgh": _covers.overlapping_normalized_mutual_info,
    "lfk": partial(_covers.overlapping_normalized_mutual_info, variant="lfk"),
    "average_f": _covers.average_f,
    "bcubed_precision": _covers.bcubed_precision_of_covers,
    "bcubed_recall": _covers.bcubed_recall_of_covers,
    "bcubed_f": partial(_covers.bcubed_f_of_covers, beta=0.5),
    "element_centric": _covers.element_centric_of_covers,
}


# --------------------------------------------------------------------------- definitions


def check_definitions(true, pred, n_objects):
    pair, case = pair_of(true, pred, n_objects), (true, pred, n_objects)
    assert _covers.average_f(pair) == pytest.approx(float(_oracles.average_f(true, pred)))
    precision = float(_oracles.multiplicity_precision(*case))
    recall = float(_oracles.multiplicity_precision(pred, true, n_objects))
    assert _covers.bcubed_precision_of_covers(pair) == pytest.approx(precision, rel=1e-14)
    assert _covers.bcubed_recall_of_covers(pair) == pytest.approx(recall, rel=1e-14)
    if precision and recall:
        f_score = 1.25 * precision * recall / (0.25 * precision + recall)
        assert _covers.bcubed_f_of_covers(pair, beta=0.5) == pytest.approx(f_score, rel=1e-14)
    for alpha in (0.3, 0.9):
        expected = _oracles.element_centric(*case, alpha)
        values = per_object(_covers.element_centric_values(pair, alpha), pair)
        assert values == pytest.approx(expected, abs=1e-12)
        value = _covers.element_centric_of_covers(pair, alpha=alpha)
        assert value == pytest.approx(expected.mean())
    if not pair.is_identity and any(len(c) < n_objects for c in true + pred):
        for variant in ("mgh", "lfk"):
            value = _covers.overlapping_normalized_mutual_info(pair, variant=variant)
            expected = float(_oracles.overlapping_nmi(*case, variant))
            assert value == pytest.approx(expected, abs=1e-14)
            assert value == _covers.overlapping_normalized_mutual_info(pair.T, variant=variant)
    try:
        expected = float(_oracles.omega(*case))
    except ZeroDivisionError:
        return
    assert _covers.omega_of_covers(pair) == _covers.omega_of_covers(pair.T) == expected


@pytest.mark.slow
@pytest.mark.parametrize("case", COVERS)
def test_some_covers_by_all_definitions(case):
    check_definitions(*case)


@FEW_EXAMPLES
@given(pairs_of_covers())
def test_random_covers_by_all_definitions(case):
    check_definitions(*case)


def test_a_cluster_informs_of_one_that_it_does_not_meet():
    # Without {39}, which shares no object with any cluster of the reference, more is left.
    true, pred, n_objects = COVERS[-1]
    left = [
        _oracles._information_left(true[0], clusters, n_objects)[1] for clusters in (pred, pred[1:])
    ]
    assert left[0] < left[1]


def _chains(n_chains, shift):
    """Return covers of chains of four objects in two or three linked clusters."""
    return [
        {4 * chain + (one + shift) % 4 for one in part}
        for chain in range(n_chains)
        for part in ({0, 1}, {1, 2}, {2, 3})[: 2 + chain % 2]
    ]


@pytest.mark.parametrize("n_chains", [1, 2, 25])
def test_element_centric_similarity_where_clusters_fall_into_parts(n_chains, monkeypatch):
    """Small parts are inverted one by one, and the walks are sparse."""
    true, pred, n_objects = _chains(n_chains, 0), _chains(n_chains, 1), 4 * n_chains
    pair = pair_of(true, pred, n_objects)
    assert sparse.issparse(
        _covers._walk_on(pair.true, pair.scales[0], pair.weights, 0.9).walk(0.9).middle
    ) is (n_chains == 25)
    expected = _oracles.element_centric(true, pred, n_objects)
    for full in (_covers._FULL, 0.0, 2.0):  # the last two: dense, and sparse
        monkeypatch.setattr(_covers, "_FULL", full)
        values = per_object(_covers.element_centric_values(pair, 0.9), pair)
        assert values == pytest.approx(expected, abs=1e-12)


# --------------------------------------------------------------------------- printed values


def test_values_that_the_authors_program_prints():
    pairs = [pair_of(*sets, 6) for sets in (OVERLAPPING, DISJOINT)]
    onmi = _covers.overlapping_normalized_mutual_info
    assert [round(onmi(pair), 6) for pair in pairs] == [0.639432, 0.614955]
    assert [round(onmi(pair, variant="lfk"), 6) for pair in pairs] == [0.653049, 0.631869]


def test_values_that_another_implementation_prints():
    pair = pair_of(*OVERLAPPING, 6)
    assert _covers.omega_of_covers(pair) == 0.5
    assert _covers.element_centric_of_covers(pair) == pytest.approx(0.5738968634, abs=5e-11)


# --------------------------------------------------------------------------- hierarchies


@pytest.mark.parametrize("r", [-1.0, 0.0, 2.5])
def test_hierarchies_by_page_ranks(r):
    rng = np.random.default_rng(3)
    Z = linkage(rng.normal(size=(12, 2)), "average")
    levels = [np.arange(12) // 6, np.arange(12) // 3, np.arange(12)]
    hierarchies = [Hierarchy.from_linkage(Z, r=r), Hierarchy.from_labels(levels, r=r)]
    sets = [
        [set(column.nonzero()[0].tolist()) for column in one.cover.membership.toarray().T]
        for one in hierarchies
    ]
    weights = [np.exp(r * one.levels) for one in hierarchies]
    pair = pair_covers(*hierarchies)
    expected = _oracles.element_centric(*sets, 12, 0.8, weights)
    values = per_object(_covers.element_centric_values(pair, 0.8), pair)
    assert values == pytest.approx(expected, abs=1e-12)
    assert values == pytest.approx(
        per_object(_covers.element_centric_values(pair.T, 0.8), pair.T), abs=1e-12
    )


def test_a_hierarchy_of_one_level_is_a_partition():
    labels = [0, 0, 1, 1, 1, 2]
    hierarchy = Hierarchy.from_labels([labels], r=3.0)
    other = [0, 1, 1, 1, 1, 2]
    value = _covers.element_centric_of_covers(pair_covers(hierarchy, other))
    partition = Cover.from_communities(dict(enumerate(labels)))
    assert value == pytest.approx(_covers.element_centric_of_covers(pair_covers(partition, other)))
    assert _covers.element_centric_of_covers(pair_covers(hierarchy, hierarchy)) == 1.0


# --------------------------------------------------------------------------- partitions


@pytest.mark.slow
def test_of_partitions_each_index_has_its_own_form(case):
    labels_true, labels_pred = case
    table = ContingencyTable.from_labels(labels_true, labels_pred)
    covers = [Cover.from_sets(_as_sets(side)) for side in case]
    position_of = {label: position for position, label in enumerate(list(labels_pred))}
    numbers = [position_of[label] for label in list(labels_pred)]
    with UNDEFINED_IGNORED:
        assert omega_score(*covers) == adjusted_rand_score(table) == omega_score(table)
        for name in list_indices(covers=True):
            function, of_table = INDICES[name].of_covers, get_index(name)(table)
            assert function(pair_covers(*covers)) == pytest.approx(of_table, abs=1e-13), name
            # Labels stand on either side.
            for sides in ((covers[0], numbers), (labels_true, covers[1])):
                assert function(pair_covers(*sides)) == pytest.approx(of_table, abs=1e-13), name


def _as_sets(labels):
    clusters = {}
    for position, label in enumerate(list(labels)):
        clusters.setdefault(label, set()).add(position)
    return list(clusters.values())


# --------------------------------------------------------------------------- what holds for all


@pytest.mark.slow
@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_equal_covers_score_one(function):
    for true, pred, n_objects in COVERS:
        for sets in (true, pred):
            assert function(pair_of(sets, sets[::-1], n_objects)) == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_whole_weights_repeat_objects_and_zero_drops_them(function):
    rng = np.random.default_rng(2)
    for true, pred, n_objects in COVERS:
        weights = rng.integers(0, 4, size=n_objects)
        weights[0] = 2
        repeated = [
            np.repeat([[o in c for c in side] for o in range(n_objects)], weights, axis=0)
            for side in (true, pred)
        ]
        covers = [cover_of(side, n_objects) for side in (true, pred)]
        with UNDEFINED_IGNORED:
            value = function(pair_covers(*map(Cover.from_matrix, repeated)))
            for kind in (int, float):
                weighted = pair_covers(*covers, weights.astype(kind))
                assert function(weighted) == pytest.approx(value, abs=1e-13)


def test_objects_in_no_cluster_count():
    true, pred = OVERLAPPING
    assert omega_score(cover_of(true, 6), cover_of(pred, 6)) < omega_score(
        cover_of(true, 60), cover_of(pred, 60)
    )
    # In no cluster, an object has no precision, and is like one in a cluster of its own.
    pair, alone = pair_of(true, pred, 8), pair_of([*true, {6}, {7}], [*pred, {6}, {7}], 8)
    assert _covers.bcubed_precision_of_covers(pair) == _covers.bcubed_precision_of_covers(
        pair_of(true, pred, 6)
    )
    values = [per_object(_covers.element_centric_values(one, 0.9), one) for one in (pair, alone)]
    assert values[0] == pytest.approx(values[1], abs=1e-14)


NOTHING = Cover.from_matrix(np.zeros((6, 0)))


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_covers_without_clusters(function):
    assert function(pair_covers(NOTHING, NOTHING)) == 1.0
    some = cover_of(OVERLAPPING[0], 6)
    if function in [FUNCTIONS[name] for name in ("omega", "element_centric", "bcubed_recall")]:
        assert 0 <= function(pair_covers(some, NOTHING)) < 1
        return
    with pytest.warns(UndefinedMetricWarning):
        assert function(pair_covers(some, NOTHING)) == 0.0


def test_covers_of_all_objects_alone_have_no_entropy():
    everything = [set(range(6))]
    with pytest.warns(UndefinedMetricWarning):
        assert FUNCTIONS["mgh"](pair_of(everything, everything * 2, 6)) == 0.0
    assert FUNCTIONS["lfk"](pair_of(everything, DISJOINT[0], 6)) == 0.5


# --------------------------------------------------------------------------- speed


@pytest.mark.slow
def test_large_covers_cost_little():
    rng = np.random.default_rng(0)
    n_objects = 20_000
    numbers = rng.integers(1, 4, n_objects)
    objects = np.repeat(np.arange(n_objects), numbers)
    first = rng.integers(numbers.sum() // 50, size=len(objects))
    second = np.where(rng.random(len(objects)) < 0.2, rng.permutation(first), first)
    covers = [
        Cover.from_matrix(sparse.coo_array((np.ones(len(objects)), (objects, codes))).tocsr() > 0)
        for codes in (first, second)
    ]
    start = time.process_time()
    value = omega_score(*covers)
    assert time.process_time() - start < 2
    assert 0.5 < value < 0.8
    for function in (overlapping_normalized_mutual_info_score, average_f_score):
        assert 0.5 < function(*covers) < 0.9


def chain(n_objects, r):
    steps = np.arange(n_objects - 1)
    Z = np.column_stack(
        [steps + 1, np.where(steps, n_objects + steps - 1, 0), steps + 1, steps + 2]
    )
    return Hierarchy.from_linkage(Z.astype(float), r=r)


def nested_cover(n_objects):
    """Nested sets, two of them equal, and objects in none."""
    sets = [set(range(n_objects // stop)) for stop in (2, 3, 3)]
    return Cover.from_sets([*sets, {n_objects - 1}], objects=range(n_objects))


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.1, 0.9, 0.99])
@pytest.mark.parametrize("n_objects", [3, 30])
def test_walks_on_trees_and_over_dense_and_sparse_matrices_agree(n_objects, alpha, monkeypatch):
    rng = np.random.default_rng(0)
    data, weights = rng.random((n_objects, 2)), rng.integers(1, 9, n_objects)
    sides = [
        *(Hierarchy.from_linkage(linkage(data, how), r=2.0) for how in ("single", "ward")),
        chain(n_objects, -3.0),
        nested_cover(n_objects),
        rng.integers(2, size=n_objects),
    ]
    pairs = [pair_covers(*two, weights) for two in itertools.combinations(sides, 2)]
    assert all(Tree.of(side) for pair in pairs for side in (pair.true, pair.pred))
    on_trees = [_covers.element_centric_values(pair, alpha) for pair in pairs]
    monkeypatch.setattr(_covers.Tree, "of", lambda side: None)
    for full in (0, 2):  # all matrices are dense, or none
        monkeypatch.setattr(_covers, "_FULL", full)
        for pair, expected in zip(pairs, on_trees, strict=True):
            values = _covers.element_centric_values(pair, alpha)
            np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)


def test_clusters_that_overlap_are_no_tree():
    for sets in ([{0, 1}, {1, 2}], [{0, 1, 2}, {0, 1}, {1, 2}], [{0, 1, 2, 3}, {0, 1}, {1, 2}]):
        assert Tree.of(sparse.csr_array(cover_of(sets, 4).membership)) is None
    tree = Tree.of(sparse.csr_array(cover_of([{1}, {0, 1, 2}, {0, 1}], 5).membership))
    assert (tree.parents.tolist(), tree.leaves.tolist()) == ([-1, 0, 1], [1, 2, 0, -1, -1])
