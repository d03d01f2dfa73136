"""What is claimed of every index, searched for partitions that break it, and what is proved."""

import dataclasses
import itertools
import math

import numpy as np
import pytest

from sklearn_clustcompare import (
    ContingencyTable,
    get_index,
    list_indices,
)
from sklearn_clustcompare.indices import INDICES, Index
from sklearn_clustcompare.metrics import conditional_entropy, pair_sets_score
from tests._examples import slow
from tests._files import REPOSITORY
from tests._laws import all_partitions
from tests.indices._variants import VARIANTS, Variant
from tests.oracle import CLAIMS, Values, broken_claims, possible_claims
from tests.oracle.partitions import (
    SmallPartitions,
    random_improvements,
    random_pairs,
    small_partitions,
)

# One of each family; a search takes a fifth of a second or more.
SEARCHED_AT_ONCE = {
    "adjusted_rand_score",
    "bcubed_precision_score",
    "cluster_precision_score",
    "cramers_v_score",
    "homogeneity_score",
    "inverse_purity_score",
    "merge_distance",
    "omega_score",
    "variation_of_information_distance",
}


@pytest.mark.parametrize(
    "variant",
    [
        variant if variant.name in SEARCHED_AT_ONCE and not variant.parameters else slow(variant)
        for variant in VARIANTS
    ],
    ids=str,
)
def test_what_is_declared_holds_and_what_is_not_does_not(variant):
    declared = variant.index.properties(**variant.parameters)
    values = Values(variant.index, variant.parameters)
    for name, one in CLAIMS.items():
        claim = declared.get(name, True)
        if claim is None and name != "linear_in":
            assert variant.parameters, name  # of the defaults all is known
            continue
        if one.is_made(claim):
            assert one.refute(values, claim) is None, name
        # Of pairs and information of order 2, which are the same thing, one is declared.
        if name == "linear_in" and claim and variant.parameters.get("q") == 2:
            continue
        stronger = itertools.takewhile(lambda other, claim=claim: other != claim, one.options)
        for other in stronger:
            assert one.refute(values, other) is not None, f"{name}={other!r} could be declared"


def small_nearer(reference, candidate, other):
    """Tell by all pairs of objects whether the other candidate keeps all that is right."""
    pairs = list(itertools.combinations(range(len(reference)), 2))

    def right(labels):
        return {
            (i, j) for i, j in pairs if (labels[i] == labels[j]) == (reference[i] == reference[j])
        }

    return right(candidate) < right(other)


# --------------------------------------------------------------------------- known theorems


def test_one_minus_these_similarities_is_a_metric():
    assert list_indices(similarity_metric=True) == [
        "rand_score",
        "pair_jaccard_score",
        "pair_counting_score",
        "matching_accuracy_score",
        "ceaf_precision_score",
        "ceaf_recall_score",
        "ceaf_f_score",
        "element_centric_similarity_score",
    ]
    maximum = get_index("normalized_mutual_info_score").properties(average_method="max")
    assert maximum["similarity_metric"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "parameters", "text"),
    [
        ("pair_f_score", {"beta": 0}, "``pair_f_score(beta=0)``"),
        ("pair_counting_score", {"coefficient": "sokal_sneath_1"}, '``"sokal_sneath_1"``'),
        (
            "variation_of_information_distance",
            {"normalize": "expected"},
            '``normalize="expected"``',
        ),
    ],
)
def test_indices_that_are_neutral_but_not_adjusted_are_those_of_the_page(name, parameters, text):
    assert text in (REPOSITORY / "doc" / "user_guide" / "choosing.rst").read_text("utf-8")
    assert not get_index(name).properties(**parameters)["adjusted"]
    assert CLAIMS["bias"].refute(Values(get_index(name), parameters), "neutral") is None


@pytest.mark.slow
def test_variation_of_information_below_order_one_breaks_the_triangle_inequality():
    claimed = dataclasses.replace(
        get_index("variation_of_information_distance"), by_parameters=lambda q: {"metric": True}
    )
    example = broken_claims(claimed, q=0.5)["metric"]
    a, b, c = example.partitions
    value = Variant(claimed.name, {"q": 0.5})
    assert value(a, c) > value(a, b) + value(b, c)
    assert broken_claims(claimed, q=1.5) == {}


def test_adjusted_mutual_information_is_above_minus_two():
    """A distance is at most three times its mean over the orders of the objects.

    With the triangle inequality over two reordered copies of both partitions; then
    AMI = 1 - VI / E VI is at least -2. Big clusters that miss each other get far below 0.
    """
    values = []
    for half in (3, 30, 300, 3000):
        apart = np.arange(2 * half)
        first, second = apart.copy(), apart.copy()
        first[:half] = 0
        second[half:] = half
        table = ContingencyTable.from_labels(first, second)
        values.append(get_index("adjusted_mutual_info_score")(table))
    assert values == sorted(values, reverse=True)
    assert -2 < values[-1] < -0.75


# --------------------------------------------------------------------------- the search


@pytest.mark.parametrize("n_objects", [1, 2, 3, 4, 5])
def test_all_partitions_are_looked_at(n_objects):
    space = small_partitions(n_objects)
    found = [
        [sorted(set(one), key=one.index).index(x) for x in one] for one in space.labels.tolist()
    ]
    assert sorted(found) == all_partitions(n_objects)


def test_numbers_of_partitions_and_of_tables():
    """Bell numbers; and multiset partitions of two kinds of marks (OEIS A007716)."""
    spaces = [small_partitions(n) for n in range(1, 7)]
    assert [len(space.labels) for space in spaces] == [1, 2, 5, 15, 52, 203]
    assert [len(space.tables) for space in spaces] == [1, 4, 10, 33, 91, 298]


@pytest.mark.parametrize(
    "space", [small_partitions(5), SmallPartitions((1, 2, 2, 4))], ids=["labels", "sizes"]
)
def test_each_pair_has_the_table_of_its_labels(space):
    for first, second in itertools.product(range(0, len(space.labels), 3), repeat=2):
        labels = space.example(first, second)
        expected = ContingencyTable.from_labels(*labels).counts.toarray()
        table = space.tables[space.kind[first, second]].counts.toarray()
        assert table.shape == expected.shape
        same = any(
            (expected[list(rows)][:, list(cols)] == table).all()
            for rows in itertools.permutations(range(len(expected)))
            for cols in itertools.permutations(range(expected.shape[1]))
        )
        assert same


def test_perfect_splits_and_merges_lead_nearer():
    space = small_partitions(5)
    for reference in space.proper_references:
        nearer = space.nearer(reference)
        for first, second in itertools.product(range(0, 52, 5), range(52)):
            labels = space.example(reference, first, second)
            assert nearer[first, second] == small_nearer(*labels)


def test_random_candidates_are_larger_and_the_third_is_nearer():
    assert all(7 <= len(one.partitions[0]) <= 60 for one in random_pairs())
    for one in random_improvements():
        assert small_nearer(*one.partitions)


# --------------------------------------------------------------------------- made-up indices


def constant(table):
    return 0.5


def first_cell(table):
    return float(table.counts.toarray()[0, 0] / table.n_samples)


def label_sum(table):
    """Fails for labels that are text."""
    return float(sum(map(float, table.row_labels)) / 1e9)


def joined_share(table):
    counts = table.counts.toarray()
    return float((counts**2).sum() / table.n_samples**2)


def cells_squared(table):
    return table.square_sums.cells / table.n_samples**2


def joined_share_of(squares, margins):
    return float(squares.cells / margins.n_samples**2)


def not_of_pairs(squares, margins):
    return float(len(margins.row_sums) * squares.cells / margins.n_samples**3)


def share_of_information(information, margins):
    return information.mutual / (1 + sum(information.entropies))


def divides(table):
    return 1 / abs(table.shape[0] - 3)


def fails_when_large(table):
    return 1.0 if table.n_samples < 1000 else table.missing


def not_finite(table):
    return math.nan


def record(function=None, **declared):
    given = {"greater_is_better": True, "range": (0, 1), "symmetric": True} | declared
    name = (function or declared["of_statistic"]).__name__
    return Index(name, function, source="made up", **given)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("index", "broken"),
    [
        (record(constant), ()),
        (record(constant, identifies_equality=True), ("identifies_equality",)),
        (record(constant, adjusted=True), ("adjusted",)),
        (record(constant, constant_baseline="exact", monotone="weak", bias="neutral"), ()),
        (record(constant, monotone="strict", bias="many"), ("monotone", "bias")),
        (record(first_cell, symmetric=False), ("independent_of_names",)),
        (record(first_cell, range=(0.5, 1)), ("range",)),
        (record(label_sum, range=(0, 1e-6)), ("independent_of_names", "symmetric")),
        (record(fails_when_large), ()),
        (record(fails_when_large, constant_baseline="asymptotic"), ("constant_baseline",)),
        (record(joined_share, replication_invariant=True, monotone="none"), ()),
        (record(joined_share, of_statistic=not_of_pairs, pairs=True), ("pairs",)),
        (record(joined_share, of_statistic=not_of_pairs, linear_in="pairs"), ("linear_in",)),
        (record(joined_share, similarity_metric=True), ("similarity_metric",)),
        (record(joined_share, bias="many"), ("bias",)),
        (record(of_statistic=joined_share_of, pairs=True, linear_in="pairs", bias="few"), ()),
        (
            record(cells_squared, of_statistic=share_of_information, linear_in="information"),
            ("linear_in",),
        ),
        (record(of_statistic=joined_share_of, linear_in_pair_counts=True), ()),
        (
            record(joined_share, of_statistic=not_of_pairs, linear_in_pair_counts=True),
            ("linear_in_pair_counts",),
        ),
        (record(divides, range=(0, math.inf)), ("range",)),
        (record(not_finite), ("range",)),
    ],
    ids=str,
)
def test_made_up_indices(index, broken):
    assert tuple(broken_claims(index)) == broken


def test_what_an_index_is_a_function_of_has_to_be_told():
    for declared in ({"pairs": True}, {"linear_in": "pairs"}, {"linear_in_pair_counts": True}):
        with pytest.raises(TypeError, match="of_statistic must be a function .* got None"):
            record(joined_share, **declared)
    with pytest.raises(TypeError, match="of_statistic must be .* None if they do not, got <func"):
        record(joined_share, of_statistic=joined_share_of)
    with pytest.raises(
        TypeError, match="^function must be a function of a ContingencyTable, .* got None"
    ):
        Index("none", greater_is_better=True, range=(0, 1), symmetric=True, source="made up")


def test_what_could_be_declared():
    assert possible_claims(record(cells_squared)) == {
        "bias": "few",
        "monotone": "weak",
        "replication_invariant": True,
        "pairs": True,
        "linear_in": "pairs",
        "linear_in_pair_counts": True,
    }


def test_a_counter_example_has_labels_and_a_sentence():
    example = broken_claims(record(first_cell))["independent_of_names"]
    assert str(example).endswith("where a = 01, b = 01")
    assert "after renaming clusters" in example.text


def test_the_smallest_counter_example_comes_first():
    purity = dataclasses.replace(get_index("purity_score"), symmetric=True)
    example = broken_claims(purity)["symmetric"]
    assert example.partitions == ((0, 0), (0, 1))
    assert example.text == "f(a, b) = 1.0, f(b, a) = 0.5"


def test_an_error_of_the_index_is_told_and_ends_the_search():
    broken = broken_claims(record(divides, range=(0, math.inf)))
    assert list(broken) == ["range"]
    assert "ZeroDivisionError" in str(broken["range"])


def test_properties_of_an_index_are_those_of_its_parameters():
    index = get_index("variation_of_information_distance")
    assert index.properties() == index.properties(q=1.0)
    assert index.properties()["metric"] is index.metric is True
    assert index.properties(q=0.9)["metric"] is None
    assert index.properties(normalize="joint")["linear_in"] is None
    assert [index.unit_text(**one) for one in ({}, {"q": 2.0}, {"normalize": "joint"})] == [
        *("nats", "", ""),
    ]
    with pytest.raises(TypeError, match="takes"):
        index.properties(order=2)


def test_list_indices_takes_every_property():
    properties = {name: index.properties() for name, index in INDICES.items()}
    for key in properties["rand_score"]:
        values = {str(one[key]): one[key] for one in properties.values()}
        for value in values.values():
            having = [name for name, one in properties.items() if str(one[key]) == str(value)]
            assert list_indices(**{key: value}) == having


def test_quantities_check_parameters():
    index = get_index("pair_counting_score")
    for quantity in (index.linear_quantity, index.order_quantity):
        with pytest.raises(ValueError, match="^coefficient must be one of .*; got 'jaccard'$"):
            quantity(coefficient="jaccard")


# ---------------------------------------------------------------------- properties that are proved


RNG = np.random.default_rng(0)
TRIPLES = [RNG.integers(RNG.integers(1, 6), size=(3, 9)) for _ in range(150)]


@pytest.mark.parametrize("q", [1.0, 1.5, 2.0, 7.0])
def test_distances_of_information_of_orders_from_one_on_are_metrics(q):
    """Conditional entropies of orders of at least 1 are subadditive: H(U|W) <= H(U|V) + H(V|W).

    Sums of both directions, and the larger one of both, then have the triangle inequality.
    """
    for u, v, w in TRIPLES:
        direct, first, second = (
            conditional_entropy(one, other, q=q) for one, other in ((u, w), (u, v), (v, w))
        )
        assert direct <= first + second + 1e-12


def test_adjusted_information_of_order_two_is_strictly_monotone():
    """A perfect split and a perfect merge raise it, with the geometric mean.

    It counts pairs. Let u and v be the shares of the pairs that are apart in the reference and in
    the candidate, and m of those apart in both: it is (m - uv) / (sqrt(uv) - uv). A perfect merge
    lowers v alone, a perfect split raises v and m by as much. The derivative by v is negative for
    fixed m, since u sqrt(v) + m / sqrt(v) >= 2 sqrt(um) > 2 m sqrt(u). Where m rises with v its
    sign is that of 1 - u/2 - sqrt(uv) + m (sqrt(u / v) - 1 / (2v)), linear in m: it is positive at
    all ends of what m can be, which are 0, u + v - 1, u and v.
    """
    values = Values(
        get_index("adjusted_mutual_info_score"), {"q": 2, "average_method": "geometric"}
    )
    assert CLAIMS["monotone"].refute(values, "strict") is None


def test_one_minus_the_simplified_pair_sets_index_is_a_metric():
    """It has the triangle inequality.

    Of clusters of a and b objects that share n, 1 - n / max(a, b) is a metric, and D, the sum of
    it over the best one-to-one matching with 1 for each cluster left over, is one on partitions.
    The index divides D by K - 1, K the larger number of clusters, and stops at 1. A detour over a
    partition of K' > K clusters has K' - K of them left over that the direct way has not: it is at
    least D + K' - K, and (D + K' - K) / (K' - 1) is at least D / (K - 1), or 1 if that is more.
    """
    for u, v, w in TRIPLES:
        direct, first, second = (
            1 - pair_sets_score(one, other, simplified=True)
            for one, other in ((u, w), (u, v), (v, w))
        )
        assert direct <= first + second + 1e-12
        assert math.isfinite(direct)
