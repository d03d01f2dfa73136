"""What holds for every index of the registry, whatever it measures."""

import math
import pickle
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare import ContingencyTable, get_index, list_indices
from sklearn_clustcompare.indices import INDICES
from sklearn_clustcompare.indices._pairs import COEFFICIENTS
from sklearn_clustcompare.metrics import pair_confusion_matrix
from tests._deviations import (
    CHANGE_IN_STEPS,
    EXCEEDED_BY_OTHER_SIZES,
    NOT_BEST_AT_IDENTITY,
    NOT_ONE_AT_IDENTITY,
)
from tests._examples import COSTLY_INDICES, FEW_EXAMPLES, slow
from tests.indices._variants import VARIANTS, Variant

# Those that cost more than all others together are tried less often.
COSTLY = [one for one in VARIANTS if one.name in {*COSTLY_INDICES, "adjusted_mutual_info_score"}]
QUICK = [variant for variant in VARIANTS if variant not in COSTLY]
quick_or_costly = pytest.mark.parametrize(
    "variants", [pytest.param(QUICK, id="quick"), slow(COSTLY, id="costly")]
)


def same(first, second):
    """Tell whether two floats are the same number, bit for bit."""
    return isinstance(first, float) and np.float64(first).tobytes() == np.float64(second).tobytes()


def failing(variants, holds):
    """Names of the variants for which something does not hold; all of them, not only the first."""
    return [str(variant) for variant in variants if not holds(variant)]


def variants_where(holds):
    chosen = [variant for variant in VARIANTS if holds(variant)]
    assert chosen
    return chosen


def table_of(pair, sample_weight=None):
    return ContingencyTable.from_labels(*pair, sample_weight=sample_weight)


def partitions(n_samples, max_clusters=5):
    return st.lists(st.integers(0, max_clusters - 1), min_size=n_samples, max_size=n_samples)


def pairs_of_partitions(max_samples=30):
    sizes = st.integers(0, max_samples)
    return sizes.flatmap(lambda n: st.tuples(partitions(n), partitions(n)))


# --------------------------------------------------------------------------- the registry


def test_every_parameter_of_every_index_is_varied():
    varied = {(variant.name, key) for variant in VARIANTS for key in variant.parameters}
    declared = {(index.name, key) for index in INDICES.values() for key in index.parameters}
    assert varied == declared


def test_names_say_the_direction():
    for index in INDICES.values():
        if index.name.endswith("_score"):
            assert index.greater_is_better
        if index.name.endswith("_distance"):
            assert not index.greater_is_better


@pytest.mark.parametrize("name", INDICES)
def test_declaration_is_complete(name):
    index = get_index(name)
    assert index is get_index(index)
    assert index.name == name
    assert index.range[0] < index.range[1]
    assert index.source
    assert index.symmetric or not index.metric
    known = index.properties()
    assert None not in {known[key] for key in set(known) - {"linear_in"}}
    assert pickle.loads(pickle.dumps(index)) == index


def test_an_index_cannot_be_changed():
    with pytest.raises(AttributeError):
        get_index("rand_score").symmetric = False


# --------------------------------------------------------------------------- range, identity


def is_in_range(variant, table):
    low, high = variant.declared["range"]
    value = variant.of(table)
    return type(value) is float and low <= value <= high


@quick_or_costly
@FEW_EXAMPLES
@given(pair=pairs_of_partitions())
def test_random_values_are_in_range(variants, pair):
    table = table_of(pair)
    assert not failing(variants, lambda v: is_in_range(v, table))


ONE_AT_IDENTITY = variants_where(lambda v: v.is_one_at_identity)
ZERO_AT_IDENTITY = variants_where(
    lambda v: not v.index.greater_is_better and v.name not in NOT_BEST_AT_IDENTITY
)


def check_equal(table):
    assert not failing(ONE_AT_IDENTITY, lambda v: same(v.of(table), 1.0))
    assert not failing(ZERO_AT_IDENTITY, lambda v: same(v.of(table), 0.0))


@pytest.mark.slow
@given(st.lists(st.integers(0, 30), max_size=60))
def test_equal_random_partitions_score_exactly_one(labels):
    check_equal(table_of((labels, [f"c{-label}" for label in labels])))


@pytest.mark.slow
@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=8))
def test_equal_weighted_partitions_score_exactly_one(weights):
    table = ContingencyTable.from_counts(np.diag(weights))
    proportions = [v for v in ONE_AT_IDENTITY if v.is_proportion]
    assert not failing(proportions, lambda v: same(v.of(table), 1.0))


@pytest.mark.parametrize("coefficient", NOT_ONE_AT_IDENTITY)
def test_coefficients_that_are_not_one_at_identity(coefficient):
    labels = [0, 0, 0, 1, 1, 2]
    assert (
        get_index("pair_counting_score")(
            ContingencyTable.from_labels(labels, labels), coefficient=coefficient
        )
        != 1.0
    )


def test_unbounded_similarities_at_identity():
    table = ContingencyTable.from_labels([0, 0, 0, 1, 1, 2], [0, 0, 0, 1, 1, 2])
    entropy = sum(n / 6 * math.log(6 / n) for n in (3, 2, 1))
    assert get_index("mutual_info_score")(table) == pytest.approx(entropy, rel=1e-15)
    assert get_index("chi_squared_statistic")(table) == pytest.approx(6 * 2, rel=1e-15)
    assert get_index("partition_difference")(table) == 15 - 3 - 1


# --------------------------------------------------------------------------- invariance

SYMMETRIC = variants_where(lambda v: v.declared["symmetric"])


def _numbered(labels):
    """Number the labels in order of appearance."""
    number = {}
    return np.array([number.setdefault(label, len(number)) for label in labels], dtype=np.int64)


@quick_or_costly
def test_names_of_clusters_do_not_matter(case, variants):
    labels_true, labels_pred = (_numbered(labels) for labels in case)
    table = table_of(case)
    texts = np.array([f"c{(37 * label) % 1999}" for label in labels_true])
    for renamed in ((texts, 100 - labels_pred), (-5 - labels_true, labels_pred * 10**9)):
        other = table_of(renamed)
        assert not failing(variants, lambda v, other=other: same(v.of(other), v.of(table)))


@quick_or_costly
@FEW_EXAMPLES
@given(labels=st.integers(1, 30).flatmap(partitions), random=st.randoms(use_true_random=False))
def test_swapping_partitions_of_equal_cluster_sizes(variants, labels, random):
    # Sizes do not say then which of the two partitions comes first.
    shuffled = random.sample(labels, len(labels))
    table, swapped = table_of((labels, shuffled)), table_of((shuffled, labels))
    symmetric = [variant for variant in SYMMETRIC if variant in variants]
    assert not failing(symmetric, lambda v: same(v.of(swapped), v.of(table)))


# --------------------------------------------------------------------------- weights


@quick_or_costly
@FEW_EXAMPLES
@given(
    objects=st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 3)), max_size=20
    ),
    dtype=st.sampled_from([np.int8, np.uint64, np.float32, np.float64]),
)
def test_whole_weights_repeat_objects_and_zero_drops_them(variants, objects, dtype):
    repeated = [(first, second) for first, second, weight in objects for _ in range(weight)]
    labels_true, labels_pred, weights = zip(*objects, strict=True) if objects else ((),) * 3
    table = table_of(zip(*repeated, strict=True) if repeated else ([], []))
    weighted = table_of((labels_true, labels_pred), np.array(weights, dtype))
    assert weighted == table
    if objects and not repeated:  # nothing is left to compare, which no index takes
        assert weighted.coverage == 0
        return
    assert not failing(variants, lambda v: same(v.of(weighted), v.of(table)))


@pytest.mark.slow
@pytest.mark.parametrize("variant", variants_where(lambda v: v.is_proportion), ids=str)
def test_proportions_do_not_change_with_the_scale_of_weights(variant):
    rng = np.random.default_rng(6)
    labels_true, labels_pred = rng.integers(4, size=60), rng.integers(5, size=60)
    weights = rng.gamma(2.0, size=60)
    value = variant(labels_true, labels_pred, sample_weight=weights)
    assert value != variant(labels_true, labels_pred) or variant.name in CHANGE_IN_STEPS
    for scale in (1e-9, 0.37, 12345.678, 1e15):
        scaled = variant(labels_true, labels_pred, sample_weight=scale * weights)
        assert scaled == pytest.approx(value, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", INDICES)
def test_real_weights_close_to_whole_ones_give_close_values(name):
    """Nothing rounds real weights, and nothing takes another road to another value."""
    rng = np.random.default_rng(7)
    labels_true, labels_pred = rng.integers(3, size=40), rng.integers(4, size=40)
    weights = rng.integers(1, 5, size=40)
    almost = weights + 1e-9 * rng.random(40)
    variant = Variant(name, {})
    if not variant.index.soft:
        with pytest.raises(ValueError, match="whole counts"):
            variant(labels_true, labels_pred, sample_weight=almost)
        return
    whole = variant(labels_true, labels_pred, sample_weight=weights)
    real = variant(labels_true, labels_pred, sample_weight=almost)
    assert real == pytest.approx(whole, rel=1e-6)
    assert (real != whole) or name in CHANGE_IN_STEPS


PAIR_INDICES = (*list_indices(pairs=True), "standardized_rand_score")
TOO_SMALL = "^sample_weight must be frequencies"


def test_pairs_cannot_be_counted_with_weights_that_are_no_frequencies():
    many = (np.arange(30) % 3, np.arange(30) % 2)  # the clusters have pairs, the cells have none
    few = ([0, 0, 1], [0, 1, 1])
    assert len(PAIR_INDICES) > 13
    for name in PAIR_INDICES:
        for pair, weights in ((few, [0.2, 0.2, 0.1]), (many, [0.1] * 30)):
            with pytest.raises(ValueError, match=TOO_SMALL):
                get_index(name)(ContingencyTable.from_labels(*pair, sample_weight=weights))
    with pytest.raises(ValueError, match=TOO_SMALL):
        pair_confusion_matrix(*many, sample_weight=[0.1] * 30)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        *((name, {}) for name in list_indices(pairs=True)),
        *(("pair_counting_score", {"coefficient": name}) for name in COEFFICIENTS),
    ],
    ids=lambda value: value if isinstance(value, str) else "".join(value.values()),
)
def test_pairs_of_weights_that_are_not_whole_stay_in_the_range(name, parameters):
    index, rng, n_counted = get_index(name), np.random.default_rng(5), 0
    draws = (
        lambda size: rng.exponential(size=size),
        lambda size: np.full(size, rng.choice([0.1, 0.3, 0.5, 1.2])),
        lambda size: 10 ** rng.uniform(-2, 1, size),
        lambda size: 10 ** (rng.uniform(-29, 1, size) * (rng.random(size) < 0.3)),
    )
    for _ in range(200):
        size, draw = rng.integers(3, 30), draws[rng.integers(len(draws))]
        labels = rng.integers(rng.integers(2, 5), size=(2, size))
        table = ContingencyTable.from_labels(*labels, sample_weight=draw(size))
        try:
            value = index(table, **parameters)
        except ValueError as error:
            assert re.match(TOO_SMALL, str(error))  # noqa: PT017
            continue
        n_counted += 1
        low, high = index.range if not parameters else (-1, 1)
        assert low <= value <= high + 1e-15
    assert n_counted > 50


# --------------------------------------------------------------------------- direction

DIRECTED = variants_where(lambda v: v.name not in NOT_BEST_AT_IDENTITY)


@quick_or_costly
@FEW_EXAMPLES
@given(labels=st.lists(st.integers(0, 4), min_size=2, max_size=25), data=st.data())
def test_moving_an_object_never_improves_on_equal_partitions(variants, labels, data):
    moved = list(labels)
    moved[data.draw(st.integers(0, len(labels) - 1))] = data.draw(st.integers(0, 5))
    equal, other = table_of((labels, labels)), table_of((labels, moved))

    def is_no_better(variant):
        sign = 1 if variant.index.greater_is_better else -1
        best = variant.of(equal)
        return sign * variant.of(other) <= sign * best + 1e-14 * abs(best)

    same_sizes = sorted(map(labels.count, set(labels))) == sorted(map(moved.count, set(moved)))
    comparable = [
        v
        for v in DIRECTED
        if v in variants and (same_sizes or v.name not in EXCEEDED_BY_OTHER_SIZES)
    ]
    assert not failing(comparable, is_no_better)


def test_costly_indices_of_a_small_table():
    """The slow tests look at these indices in all ways in which others are tested above."""
    table = table_of(([0, 0, 0, 1, 1, 2], [4, 9, 9, 9, 2, 2]))
    renamed = table_of(([5, 5, 5, 3, 3, 4], list("xaaabb")))
    assert not failing(COSTLY, lambda v: is_in_range(v, table))
    assert not failing(COSTLY, lambda v: same(v.of(renamed), v.of(table)))
    symmetric = [variant for variant in SYMMETRIC if variant in COSTLY]
    assert not failing(symmetric, lambda v: same(v.of(table.T), v.of(table)))
