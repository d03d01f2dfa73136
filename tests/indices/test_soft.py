"""Indices of soft partitions: those of labels where crisp, FARI and Lei et al. by definition."""

import itertools
import math
import re
import warnings
from fractions import Fraction
from operator import mul

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import UndefinedMetricWarning

import sklearn_clustcompare
from sklearn_clustcompare import (
    ContingencyTable,
    adjusted_rand_score,
    frobenius_adjusted_rand_score,
    get_index,
    list_indices,
    purity_score,
)
from tests._examples import FEW_EXAMPLES
from tests._files import SHARED_DATA
from tests._memberships import (
    ENUMERATED,
    FORMS,
    SEEDS,
    SOFT_FORMS,
    one_hot,
    permutations,
    random_memberships,
    random_pair,
    table_by_loops,
    value,
)

# --------------------------------------------------------------------------- crisp memberships


@pytest.mark.slow
@pytest.mark.parametrize("name", list_indices())
@FEW_EXAMPLES
@given(data=st.data())
def test_memberships_of_0_and_1_give_the_values_of_the_labels(name, data):
    n_samples = data.draw(st.integers(2, 25))
    labels = [data.draw(st.lists(st.integers(0, 4), min_size=n_samples, max_size=n_samples))] * 2
    labels[1] = data.draw(st.lists(st.integers(0, 4), min_size=n_samples, max_size=n_samples))
    expected = value(name, *labels)
    forms = [data.draw(st.sampled_from(["labels", *SOFT_FORMS])) for _ in labels]
    sides = [
        side if form == "labels" else FORMS[form](one_hot(side))
        for side, form in zip(labels, forms, strict=True)
    ]
    assert value(name, *sides) == pytest.approx(expected, abs=1e-12, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", list_indices(soft=True, moments=False))
@FEW_EXAMPLES
@given(seed=SEEDS)
def test_half_an_object_here_and_there_is_an_object_of_half_the_weight(name, seed):
    """An object of weight 2 with memberships in halves is two objects, if only cells count."""
    rng = np.random.default_rng(seed)
    true, *halves = rng.integers(0, 3, (3, 12))
    soft = (one_hot([*halves[0], 2])[:-1] + one_hot([*halves[1], 2])[:-1]) / 2
    expected = value(name, np.tile(true, 2), np.concatenate(halves))
    if set(map(tuple, soft)) <= {(1, 0, 0), (0, 1, 0), (0, 0, 1)}:
        soft[0] = [0.5, 0.5, 0]
        expected = value(
            name, np.append(np.tile(true[1:], 2), true[[0, 0]]), [*halves[0][1:]] * 2 + [0, 1]
        )
    found = value(name, true, soft, sample_weight=np.full(12, 2))
    assert found == pytest.approx(expected, abs=1e-12, rel=1e-12)


# --------------------------------------------------------------------------- any memberships


@pytest.mark.parametrize("name", list_indices(soft=False))
def test_indices_that_need_whole_counts_say_what_to_use(name):
    u, v = random_pair()
    with pytest.raises(ValueError, match="needs whole counts, .*memberships") as raised:
        value(name, u, v)
    offered = set(re.findall(r"[a-z_]+_score", str(raised.value))) & set(list_indices(soft=True))
    assert offered
    for other in offered:
        assert math.isfinite(value(other, u, v))


@pytest.mark.parametrize("mixed", [False, True])
def test_soft_indices_are_finite_and_in_range(mixed):
    u, v = random_pair(60)
    true = u.argmax(axis=1) if mixed else u
    for name in list_indices(soft=True):
        low, high = get_index(name).range
        assert low <= value(name, true, v) <= high, name


@pytest.mark.slow
@pytest.mark.parametrize("least", [1e-300, 1e-310, 5e-324])
def test_memberships_too_small_to_divide_by_count_as_none(least):
    """Posterior probabilities of mixtures come down to the smallest numbers there are."""
    labels = np.repeat([0, 1, 2], 6)
    u = 0.85 * np.eye(3)[np.roll(labels, 2)] + 0.05
    u[labels == 0] = [1, 0, 0]
    v = u.copy()
    v[labels == 0, 1:] = least
    for name in list_indices(soft=True):
        assert value(name, labels, v) == pytest.approx(value(name, labels, u), rel=1e-12), name


@pytest.mark.parametrize("name", list_indices(soft=True))
def test_order_of_objects_and_clusters_does_not_matter(name):
    u, v = random_pair(60)
    rng = np.random.default_rng(0)
    order = rng.permutation(60)
    shuffled = u[order][:, rng.permutation(4)], v[order][:, rng.permutation(3)]
    assert value(name, *shuffled) == pytest.approx(value(name, u, v), rel=1e-11, abs=1e-13)


# --------------------------------------------------------------------------- Lei et al. (2016)


def lei_indices(counts):
    """Return the indices of Lei et al.'s Table II, RI and ARI, by their formulas."""
    counts = counts.tolist()
    n = math.fsum(map(math.fsum, counts))
    rows = [math.fsum(row) for row in counts]
    cols = [math.fsum(col) for col in zip(*counts, strict=True)]

    def entropy(sizes):
        return -math.fsum(size / n * math.log(size / n) for size in sizes if size)

    def pairs(sizes):
        return math.fsum(size * (size - 1) / 2 for size in sizes)

    joint = entropy([cell for row in counts for cell in row])
    information = math.fsum(
        cell / n * math.log(cell / n / (rows[i] * cols[j] / n**2))
        for i, row in enumerate(counts)
        for j, cell in enumerate(row)
        if cell
    )
    first, second = entropy(rows), entropy(cols)
    both = pairs([cell for row in counts for cell in row])
    true, pred, total = pairs(rows), pairs(cols), n * (n - 1) / 2
    expected = true * pred / total
    return {
        "MI_s": information,
        "NMI_sj": information / joint,
        "NMI_sM": information / max(first, second),
        "NMI_ss": 2 * information / (first + second),
        "NMI_sr": information / math.sqrt(first * second),
        "NMI_sm": information / min(first, second),
        "VI_s": joint - information,
        "NVI_s": 1 - information / joint,
        "RI_s": (total + 2 * both - true - pred) / total,
        "ARI_s": (both - expected) / ((true + pred) / 2 - expected),
    }


LEI_NAMES = {
    "MI_s": ("mutual_info_score", {}),
    "NMI_sj": ("normalized_mutual_info_score", {"average_method": "joint"}),
    "NMI_sM": ("normalized_mutual_info_score", {"average_method": "max"}),
    "NMI_ss": ("normalized_mutual_info_score", {"average_method": "arithmetic"}),
    "NMI_sr": ("normalized_mutual_info_score", {"average_method": "geometric"}),
    "NMI_sm": ("normalized_mutual_info_score", {"average_method": "min"}),
    "VI_s": ("variation_of_information_distance", {}),
    "NVI_s": ("variation_of_information_distance", {"normalize": "joint"}),
    "RI_s": ("rand_score", {}),
    "ARI_s": ("adjusted_rand_score", {}),
}


@pytest.mark.slow
@pytest.mark.parametrize("reference", ["labels", "memberships"])
@pytest.mark.parametrize("possibilistic", [False, True])
@FEW_EXAMPLES
@given(n_samples=st.integers(20, 60), seed=SEEDS)
def test_indices_of_lei_et_al(reference, possibilistic, n_samples, seed):
    u = random_memberships(n_samples, 3, seed)
    v = random_memberships(n_samples, 4, seed + 1)
    if possibilistic:
        v = v * np.random.default_rng(seed).uniform(0.2, 1, (n_samples, 1))
    true = u.argmax(axis=1) if reference == "labels" else u
    counts = table_by_loops(one_hot([*true, 2])[:-1] if reference == "labels" else u, v)
    counts *= n_samples / counts.sum()
    options = {"possibilistic": possibilistic}
    for paper_name, expected in lei_indices(counts).items():
        name, parameters = LEI_NAMES[paper_name]
        found = value(name, true, v, **parameters, **options)
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12), paper_name


# --------------------------------------------------------------------------- FARI


def fari_by_definition(u, v):
    """Scale the n x n similarities, compare them, subtract the mean over all orders of v."""
    n_objects = len(u)
    ones = np.ones((n_objects, n_objects))

    def scaled(memberships):
        similarity = memberships @ memberships.T
        return similarity * similarity.sum() / (similarity**2).sum()

    def rand(first, second):
        agreement = np.sum(first * second) + np.sum((ones - first) * (ones - second))
        return (agreement - n_objects) / (n_objects * (n_objects - 1))

    first = scaled(u)
    expected = np.mean([rand(first, scaled(order)) for order in permutations(v)])
    return (rand(first, scaled(v)) - expected) / (1 - expected)


@pytest.mark.parametrize(
    "name", [name for name in ENUMERATED if name not in ("one cluster", "all alike")]
)
def test_fari_by_definition(name):
    u, v = ENUMERATED[name]
    assert frobenius_adjusted_rand_score(u, v) == pytest.approx(
        fari_by_definition(u, v), rel=1e-10, abs=1e-12
    )


@given(n_samples=st.integers(2, 5), seed=SEEDS)
def test_fari_by_definition_for_any_memberships(n_samples, seed):
    u = random_memberships(n_samples, 3, seed, 1.0)
    v = random_memberships(n_samples, 2, seed + 1, 1.0)
    found = frobenius_adjusted_rand_score(u, v)
    if not (u - u[0]).any() or not (v - v[0]).any():
        return
    assert found == pytest.approx(fari_by_definition(u, v), rel=1e-7, abs=1e-9)


@given(data=st.data(), n_samples=st.integers(2, 40))
def test_fari_of_labels_is_the_adjusted_rand_index(data, n_samples):
    labels = st.lists(st.integers(0, 4), min_size=n_samples, max_size=n_samples)
    true, pred = data.draw(labels), data.draw(labels)
    expected = adjusted_rand_score(true, pred)
    for u, v in ((true, pred), (one_hot(true), pred), (sparse.csr_array(one_hot(true)), pred)):
        assert frobenius_adjusted_rand_score(u, v) == pytest.approx(expected, abs=1e-12)
    soft = [1e-9 + (1 - 5e-9) * np.eye(5)[side] for side in (true, pred)]
    if expected not in (0, 1):
        assert frobenius_adjusted_rand_score(*soft) == pytest.approx(expected, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("form", [np.asarray, np.float32, sparse.csr_array])
@given(n_samples=st.integers(2, 60), n_clusters=st.integers(1, 5), seed=SEEDS)
@example(n_samples=2, n_clusters=3, seed=27160773)  # one cluster of three has no objects
def test_fari_of_a_partition_and_itself_is_one(form, n_samples, n_clusters, seed):
    u = random_memberships(n_samples, n_clusters, seed)
    renamed = u[:, np.random.default_rng(seed).permutation(n_clusters)]
    assert frobenius_adjusted_rand_score(form(u), form(renamed)) == pytest.approx(1, abs=1e-9)


def test_fari_of_possibilistic_memberships_by_definition():
    rng = np.random.default_rng(1)
    u, v = rng.random((6, 3)), rng.random((6, 2))
    found = frobenius_adjusted_rand_score(u, v, possibilistic=True)
    assert found == pytest.approx(fari_by_definition(u, v), rel=1e-10)
    assert frobenius_adjusted_rand_score(u, u, possibilistic=True) == pytest.approx(1, abs=1e-12)


def test_tables_without_moments_say_how_to_keep_them():
    table = ContingencyTable.from_memberships(*ENUMERATED["soft"])
    for name in ("frobenius_adjusted_rand_score", "standardized_rand_score"):
        with pytest.raises(ValueError, match="moments=True"):
            get_index(name)(table)
    assert purity_score(*ENUMERATED["soft"]) == get_index("purity_score")(table)


@pytest.mark.slow
@pytest.mark.parametrize("whole", [np.zeros(20, int), np.ones((20, 1))])
@pytest.mark.parametrize(
    "name", ["correlation_distance", "adjusted_rand_score", "adjusted_wallace_score", "rand_score"]
)
def test_order_of_objects_does_not_matter_beside_a_single_cluster(name, whole):
    rng = np.random.default_rng(0)
    u = rng.dirichlet(np.ones(3), 20)
    weights = rng.random(20) * 3 + 1
    function = getattr(sklearn_clustcompare.metrics, name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        for sides in (lambda u: (u, whole), lambda u: (whole, u)):
            for given in (None, weights):
                orders = [rng.permutation(20) for _ in range(20)]
                found = {
                    round(
                        function(
                            *sides(u[order]), sample_weight=None if given is None else given[order]
                        ),
                        12,
                    )
                    for order in orders
                }
                assert len(found) == 1
    if name == "correlation_distance":
        assert found == {0.5}


# --------------------------------------------------------------------------- nearly uniform


def _exact_fari(u, v):
    """Return the index in fractions, with the mean over all orders of the objects."""
    u, v = ([[Fraction(float(x)) for x in row] for row in side] for side in (u, v))
    n = len(u)

    def squares(first, second):
        columns = list(zip(*first, strict=True)), list(zip(*second, strict=True))
        sums = [[sum(map(mul, one, other)) for other in columns[1]] for one in columns[0]]
        return sum(x * x for row in sums for x in row)

    def side(memberships):
        total = sum(sum(column) ** 2 for column in zip(*memberships, strict=True))
        diagonal = sum(x * x for row in memberships for x in row)
        return total, diagonal, total / squares(memberships, memberships)

    (total, diagonal, scale), (other_total, other_diagonal, other_scale) = side(u), side(v)
    apart = (total - diagonal) * (other_total - other_diagonal)
    expected = diagonal * other_diagonal / n + apart / (n * (n - 1))
    most = (scale * total + other_scale * other_total) / 2
    scale *= other_scale
    return float(scale * (squares(u, v) - expected) / (most - scale * expected))


@pytest.mark.slow
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize(("exponent", "digits"), [(1, 12), (2, 10), (3, 8), (4, 6), (5, 4)])
@pytest.mark.parametrize("n_clusters", [(3, 3), (2, 4)])
def test_fari_of_nearly_uniform_memberships(form, exponent, digits, n_clusters):
    rng = np.random.default_rng(exponent)
    common = rng.normal(size=(30, 4))
    sides = []
    for k in n_clusters:
        off = common[:, :k] + 0.5 * rng.normal(size=(30, k))
        side = np.abs(1 / k + 10.0**-exponent * 0.1 * (off - off.mean(axis=1, keepdims=True)))
        sides.append(side / side.sum(axis=1, keepdims=True))
    expected = _exact_fari(*sides)
    found = frobenius_adjusted_rand_score(*map(form, sides))
    assert found == pytest.approx(expected, rel=10.0**-digits)
    parts = [
        ContingencyTable.from_memberships(*(side[rows] for side in sides), moments=True)
        for rows in (slice(12), slice(12, None))
    ]
    table = parts[0] + parts[1]
    index = get_index("frobenius_adjusted_rand_score")
    assert index(table) == pytest.approx(expected, rel=10.0**-digits)
    assert index(table.T) == pytest.approx(expected, rel=10.0**-digits)


def test_fari_of_memberships_with_an_unused_cluster():
    u, v = ENUMERATED["soft"]
    unused = np.insert(u, 1, 0.0, axis=1)
    expected = frobenius_adjusted_rand_score(u, v)
    assert frobenius_adjusted_rand_score(unused, v) == pytest.approx(expected, rel=1e-12)


# ------------------------------------ published soft partitions, where the folder of data is there


DATA = SHARED_DATA / "soft"

needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="published soft partitions not there")


def read_partitions(name):
    """Return memberships by the part of a column name before the colon."""
    frame = pd.read_csv(DATA / f"{name}.csv", index_col="item")
    partition = frame.columns.str.split(":").str[0]
    return {one: frame.loc[:, partition == one] for one in partition.unique()}


def divided(memberships):
    """Printed to two or three digits, rows do not sum to 1 exactly."""
    return memberships.div(memberships.sum(axis=1), axis=0)


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize(
    ("name", "n_partitions", "n_objects"),
    [
        ("gvme_memberships", 5, 21),
        ("gvme_consensus_memberships", 8, 21),
        ("kinship82_consensus_memberships", 3, 15),
    ],
)
def test_every_soft_index_of_every_pair(name, n_partitions, n_objects):
    partitions = read_partitions(name)
    assert len(partitions) == n_partitions
    for first, second in itertools.combinations(map(divided, partitions.values()), 2):
        table = ContingencyTable.from_memberships(first, second, moments=True)
        assert table.n_samples == pytest.approx(n_objects, rel=1e-12)
        np.testing.assert_allclose(
            table.counts.toarray(), first.to_numpy().T @ second.to_numpy(), rtol=1e-12
        )
        for index in map(get_index, list_indices(soft=True)):
            low, high = index.range
            assert low <= index(table) <= high + 1e-12


@needs_data
def test_rows_as_printed_are_refused_by_name_and_accepted_when_normalized():
    frame = read_partitions("gvme_consensus_memberships")["JMF/2"]
    exact = divided(frame)
    off = frame.copy()
    off.iloc[3, 0] += 0.01
    with pytest.raises(ValueError, match="must sum to 1, got 1.01 in row 3; use possibilistic"):
        ContingencyTable.from_memberships(off, exact)
    table = ContingencyTable.from_memberships(off, exact, normalize=True)
    assert table.n_samples == pytest.approx(21)
