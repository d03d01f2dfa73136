"""Memberships wherever labels go: tables, all indices, and what is refused."""

import math
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import UndefinedMetricWarning

import sklearn_clustcompare
from sklearn_clustcompare import ContingencyTable, get_index, list_indices
from sklearn_clustcompare._partition import memberships as memberships_module
from tests.conftest import CASES

SEEDS = st.integers(0, 2**32 - 1)
TWO_NAMES = ("memberships_true", "memberships_pred")

# name: how an array of memberships may be handed over
FORMS = {
    "float64": np.asarray,
    "float32": lambda u: u.astype(np.float32),
    "float16": lambda u: u.astype(np.float16),
    "int8": lambda u: u.astype(np.int8),
    "bool": lambda u: u.astype(bool),
    "fortran": np.asfortranarray,
    "lists": lambda u: u.tolist(),
    "csr_array": sparse.csr_array,
    "csc_matrix": sparse.csc_matrix,
    "coo_float32": lambda u: sparse.coo_array(u.astype(np.float32)),
    "DataFrame": pd.DataFrame,
}
SOFT_FORMS = ["float64", "float32", "fortran", "lists", "csr_array", "csc_matrix", "DataFrame"]


def one_hot(labels):
    return np.eye(max(labels, default=0) + 1)[np.asarray(labels, dtype=int)]


def encode(labels):
    """Number any labels in order of appearance."""
    order = list(dict.fromkeys(labels))
    return np.array([order.index(label) for label in labels])


def random_memberships(n_samples, n_clusters, seed, concentration=0.7):
    """Rows that sum to 1, some of them crisp, some with exact zeros."""
    rng = np.random.default_rng(seed)
    u = rng.dirichlet(np.full(n_clusters, concentration), n_samples)
    u[u < 0.02] = 0.0
    u[rng.random(n_samples) < 0.2] = np.eye(n_clusters)[0]
    return u / u.sum(axis=1, keepdims=True)


def random_pair(n_samples=30, seed=0):
    return random_memberships(n_samples, 4, seed), random_memberships(n_samples, 3, seed + 1)


def table_by_loops(u, v, weights=None):
    """Return N* object by object and cell by cell."""
    u, v = np.asarray(u, float).tolist(), np.asarray(v, float).tolist()
    weights = [1.0] * len(u) if weights is None else weights
    return np.array(
        [
            [
                math.fsum(w * a[i] * b[j] for w, a, b in zip(weights, u, v, strict=True))
                for j in range(len(v[0]))
            ]
            for i in range(len(u[0]))
        ]
    )


def dense(table):
    return table.counts.toarray()


def value(name, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return getattr(sklearn_clustcompare, name)(*args, **kwargs)


@pytest.fixture
def small_blocks(monkeypatch):
    """Let a few rows be many blocks and tasks."""
    monkeypatch.setattr(memberships_module, "_BLOCK_SIZE", 8)
    monkeypatch.setattr(memberships_module, "_TASK_ROWS", 7)


# --------------------------------------------------------------------------- crisp memberships


@pytest.mark.parametrize("name", list_indices())
@given(data=st.data())
def test_memberships_of_0_and_1_give_the_values_of_the_labels(name, data):
    n_samples = data.draw(st.integers(2, 25))
    labels = [data.draw(st.lists(st.integers(0, 4), min_size=n_samples, max_size=n_samples))] * 2
    labels[1] = data.draw(st.lists(st.integers(0, 4), min_size=n_samples, max_size=n_samples))
    expected = value(name, *labels)
    forms = [data.draw(st.sampled_from(["labels", *FORMS])) for _ in labels]
    sides = [
        side if form == "labels" else FORMS[form](one_hot(side))
        for side, form in zip(labels, forms, strict=True)
    ]
    assert value(name, *sides) == pytest.approx(expected, abs=1e-12, rel=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_memberships_of_0_and_1_make_the_table_of_the_labels(form):
    labels = np.array([0, 0, 2, 2, 1, 4, 4]), np.array([1, 0, 0, 0, 1, 1, 0])
    table = ContingencyTable.from_memberships(*(FORMS[form](one_hot(side)) for side in labels))
    assert table == ContingencyTable.from_labels(*labels)
    assert table.is_whole


def test_whole_weights_of_crisp_memberships_stay_whole():
    labels = [0, 0, 1, 1], [0, 1, 1, 1]
    weights = [3, 0, 2, 1]
    table = ContingencyTable.from_memberships(*map(one_hot, labels), sample_weight=weights)
    assert table == ContingencyTable.from_labels(*labels, sample_weight=weights)
    assert table.is_whole


@pytest.mark.parametrize("name", list_indices(soft=True, moments=False))
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


# --------------------------------------------------------------------------- the table


@given(n_samples=st.integers(1, 30), n_clusters=st.integers(1, 6), seed=SEEDS, data=st.data())
def test_table_is_the_sum_over_the_objects(n_samples, n_clusters, seed, data):
    u = random_memberships(n_samples, n_clusters, seed)
    v = random_memberships(n_samples, 4, seed + 1)
    forms = [data.draw(st.sampled_from(SOFT_FORMS)) for _ in range(2)]
    weights = data.draw(
        st.none() | st.lists(st.floats(0.1, 9), min_size=n_samples, max_size=n_samples)
    )
    table = ContingencyTable.from_memberships(
        FORMS[forms[0]](u), FORMS[forms[1]](v), sample_weight=weights
    )
    expected = table_by_loops(u, v, weights)
    expected = expected[expected.any(axis=1)][:, expected.any(axis=0)]
    tolerance = 1e-6 if "float32" in forms else 1e-13
    np.testing.assert_allclose(dense(table), expected, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(table.row_sums, expected.sum(axis=1), rtol=tolerance)
    np.testing.assert_allclose(table.col_sums, expected.sum(axis=0), rtol=tolerance)
    total = n_samples if weights is None else sum(weights)
    assert table.n_samples == pytest.approx(total, rel=tolerance)


@pytest.mark.parametrize("soft_side", [0, 1])
def test_labels_of_any_kind_on_one_side(soft_side):
    labels = ["b", "a", "b", "c"]
    u = np.array([[0.5, 0.5], [0.25, 0.75], [1, 0], [0, 1]])
    sides = (u, labels) if soft_side == 0 else (labels, u)
    table = ContingencyTable.from_memberships(*sides)
    table = table.T if soft_side == 0 else table
    assert table.row_labels.tolist() == ["a", "b", "c"]
    assert table.col_labels.tolist() == [0, 1]
    np.testing.assert_array_equal(dense(table), [[0.25, 0.75], [1.5, 0.5], [0, 1]])


def test_columns_of_a_data_frame_name_the_clusters():
    frame = pd.DataFrame({"x": [0.5, 0.25], "y": [0.5, 0.75]}, index=["p", "q"])
    table = ContingencyTable.from_memberships([0, 1], frame)
    assert table.col_labels.tolist() == ["x", "y"]


def test_clusters_without_members_are_no_clusters():
    u = np.array([[0.5, 0, 0.5], [0.25, 0, 0.75]])
    table = ContingencyTable.from_memberships(u, u)
    assert table.shape == (2, 2)
    assert table.row_labels.tolist() == [0, 2]


@given(n_samples=st.integers(1, 20), seed=SEEDS, sides=st.sampled_from(["both", "true", "pred"]))
def test_possibilistic_table_is_scaled_to_the_number_of_objects(n_samples, seed, sides):
    rng = np.random.default_rng(seed)
    u, v = rng.random((n_samples, 3)), rng.random((n_samples, 2))
    if sides == "true":
        v = random_memberships(n_samples, 2, seed)
    if sides == "pred":
        u = one_hot([*rng.integers(0, 3, n_samples), 2])[:-1]
    weights = rng.random(n_samples) + 0.5
    table = ContingencyTable.from_memberships(u, v, possibilistic=True, sample_weight=weights)
    unscaled = table_by_loops(u, v, weights)
    phi = weights.sum() / unscaled.sum()
    np.testing.assert_allclose(dense(table), phi * unscaled[unscaled.any(axis=1)], rtol=1e-12)
    assert table.n_samples == pytest.approx(weights.sum(), rel=1e-13)


def test_possibilistic_rows_that_sum_to_one_are_not_scaled():
    u, v = random_pair()
    plain = ContingencyTable.from_memberships(u, v)
    possibilistic = ContingencyTable.from_memberships(u, v, possibilistic=True)
    np.testing.assert_allclose(dense(possibilistic), dense(plain), rtol=1e-14)


@pytest.mark.parametrize("form", SOFT_FORMS)
def test_normalize_divides_each_row_by_its_sum(form):
    rng = np.random.default_rng(0)
    u, v = 50 * rng.random((20, 3)), rng.random((20, 2))
    shares = [side / side.sum(axis=1, keepdims=True) for side in (u, v)]
    table = ContingencyTable.from_memberships(FORMS[form](u), FORMS[form](v), normalize=True)
    tolerance = 1e-6 if form == "float32" else 1e-13
    np.testing.assert_allclose(dense(table), table_by_loops(*shares), rtol=tolerance)


@pytest.mark.parametrize("moments", [False, True])
@pytest.mark.parametrize("possibilistic", [False, True])
@given(n_samples=st.integers(2, 30), seed=SEEDS, data=st.data())
def test_tables_of_parts_add_up(possibilistic, moments, n_samples, seed, data):
    rng = np.random.default_rng(seed)
    u, v = random_memberships(n_samples, 4, seed), random_memberships(n_samples, 3, seed + 1)
    if possibilistic:
        u, v = u * rng.random((n_samples, 1)) + 0.01, v * rng.random((n_samples, 1)) + 0.01
        u, v = np.minimum(u, 1), np.minimum(v, 1)
    cuts = sorted(data.draw(st.lists(st.integers(1, n_samples - 1), max_size=3)))
    options = {"possibilistic": possibilistic, "moments": moments}
    whole = ContingencyTable.from_memberships(u, v, **options)
    total = sum(
        ContingencyTable.from_memberships(*part, **options)
        for part in zip(np.split(u, cuts), np.split(v, cuts), strict=True)
        if len(part[0])
    )
    np.testing.assert_allclose(dense(total), dense(whole), rtol=1e-12, atol=1e-13)
    assert total.row_labels.tolist() == whole.row_labels.tolist()
    assert total.is_whole == whole.is_whole
    if moments:
        fari = get_index("frobenius_adjusted_rand_score")
        assert fari(total) == pytest.approx(fari(whole), abs=1e-10)


def test_soft_and_crisp_parts_add_up():
    u, v = random_pair()
    labels = np.array([0, 1, 1, 3]), np.array([2, 0, 0, 1])
    total = ContingencyTable.from_memberships(u, v) + ContingencyTable.from_labels(*labels)
    expected = table_by_loops(u, v)
    np.add.at(expected, labels, 1)
    np.testing.assert_allclose(dense(total), expected, rtol=1e-13)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("form", ["float64", "float32", "csr_array"])
@pytest.mark.parametrize("possibilistic", [False, True])
def test_blocks_and_jobs_change_nothing(form, possibilistic):
    u, v = (FORMS[form](side) for side in random_pair(101))
    options = {"moments": True, "possibilistic": possibilistic}
    tables = [
        ContingencyTable.from_memberships(u, v, **options, n_jobs=n_jobs) for n_jobs in (None, 1, 2)
    ]
    assert tables[0] == tables[1] == tables[2]
    first, *others = (get_index("frobenius_adjusted_rand_score")(table) for table in tables)
    assert others == [first, first]
    tolerance = 1e-6 if form == "float32" else 1e-13
    np.testing.assert_allclose(
        dense(tables[0]), table_by_loops(*random_pair(101)), rtol=tolerance, atol=tolerance
    )


def test_input_is_not_changed():
    arrays = [*random_pair(), *map(sparse.csr_array, random_pair())]
    before = [array.copy() for array in arrays]
    for u, v in (arrays[:2], arrays[2:]):
        weights = np.linspace(1, 2, 30)
        for options in ({"moments": True}, {"normalize": True}, {"possibilistic": True}):
            ContingencyTable.from_memberships(u, v, sample_weight=weights, **options)
    for array, copy in zip(arrays, before, strict=True):
        assert (array != copy).sum() == 0


# --------------------------------------------------------------------------- what is refused


BAD_ROWS = [
    ([0.5, 0.6], {}, r"memberships of a row must sum to 1, got 1.1\d* in row 5; use possibilistic"),
    ([0.0, 0.0], {}, r"memberships of a row must sum to 1, got 0 in row 5"),
    ([-0.2, 1.2], {}, r"memberships must lie in \[0, 1\], got -0.2 in row 5"),
    ([1.5, 0.0], {}, r"memberships must lie in \[0, 1\], got 1.5 in row 5"),
    ([np.nan, 1.0], {}, r"memberships must lie in \[0, 1\], got nan in row 5"),
    ([np.inf, 0.0], {}, r"memberships must lie in \[0, 1\], got inf in row 5"),
    ([1.2, 0.3], {"possibilistic": True}, r"must lie in \[0, 1\], got 1.2 in row 5"),
    ([0.2, -0.3], {"possibilistic": True}, r"must lie in \[0, 1\], got -0.3 in row 5"),
    ([np.nan, 0.3], {"possibilistic": True}, r"must lie in \[0, 1\], got nan in row 5"),
    ([0.0, 0.0], {"normalize": True}, r"must have a positive finite sum .* got the sum 0 in row 5"),
    ([np.inf, 1.0], {"normalize": True}, r"must have a positive finite sum .* sum inf in row 5"),
    ([3.0, -0.5], {"normalize": True}, r"memberships must lie in \[0, 1\], got -0.5 in row 5"),
]


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("form", ["float64", "float32", "csr_array"])
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(("row", "options", "message"), BAD_ROWS)
def test_bad_row_is_named(row, options, message, side, form):
    sides = [random_memberships(9, 2, seed) for seed in (0, 1)]
    sides[side][5] = row
    sides[side] = FORMS[form](sides[side])
    with pytest.raises(ValueError, match=f"^{TWO_NAMES[side]}: .*{message}"):
        ContingencyTable.from_memberships(*sides, **options)


@pytest.mark.parametrize("side", [0, 1])
def test_bad_row_is_named_with_the_argument_of_the_public_function(side):
    sides = [random_memberships(9, 2, seed) for seed in (0, 1)]
    sides[side][7] = [0.9, 0.2]
    name = ("labels_true", "labels_pred")[side]
    with pytest.raises(ValueError, match=f"^{name}: .* sum to 1, got 1.1 in row 7"):
        sklearn_clustcompare.adjusted_rand_score(*sides)


@pytest.mark.parametrize(
    ("u", "v", "options", "error", "message"),
    [
        (np.ones((3, 1)), np.ones((4, 1)), {}, ValueError, "same length, got 3 and 4"),
        (np.ones((3, 1)), [0, 1], {}, ValueError, "same length, got 3 and 2"),
        (np.ones((2, 1, 1)), np.ones((2, 1)), {}, ValueError, "memberships_true must be .*2"),
        (np.array([["a"], ["b"]]), [0, 1], {}, TypeError, "memberships_true must hold real num"),
        (np.ones((2, 1)) * 1j, [0, 1], {}, TypeError, "memberships_true must hold real numbers"),
        (
            np.ones((2, 1)),
            [0, 1],
            {"possibilistic": True, "normalize": True},
            ValueError,
            "possibilistic and normalize must not both be True",
        ),
        (np.ones((2, 1)), [0, 1], {"possibilistic": 1}, TypeError, "possibilistic must be"),
        (np.ones((2, 1)), [0, 1], {"normalize": "no"}, TypeError, "normalize must be"),
        (np.ones((2, 1)), [0, 1], {"moments": 0}, TypeError, "moments must be"),
        (np.ones((2, 1)), [0, 1], {"sample_weight": [1, -1]}, ValueError, "sample_weight"),
        (np.ones((2, 1)), [0, 1], {"sample_weight": [1]}, ValueError, "sample_weight"),
        (
            np.array([[0.5, 0.0], [0.0, 0.0]]),
            np.array([[0.0, 0.0], [0.5, 0.0]]),
            {"possibilistic": True},
            ValueError,
            "must share objects, but no object has memberships above 0 on both sides",
        ),
    ],
)
def test_bad_arguments(u, v, options, error, message):
    with pytest.raises(error, match=message):
        ContingencyTable.from_memberships(u, v, **options)


def test_rounded_rows_of_float32_are_accepted_and_kept_as_they_are():
    u = random_memberships(1000, 7, 0).astype(np.float32)
    assert (u.sum(axis=1, dtype=np.float64) != 1).any()
    table = ContingencyTable.from_memberships(u, u)
    np.testing.assert_allclose(dense(table), table_by_loops(u, u), rtol=1e-12)


@pytest.mark.parametrize("name", list_indices(soft=False))
def test_indices_that_need_whole_counts_say_what_to_use(name):
    u, v = random_pair()
    with pytest.raises(ValueError, match="needs whole counts, .*memberships") as raised:
        value(name, u, v)
    offered = set(re.findall(r"[a-z_]+_score", str(raised.value))) & set(list_indices(soft=True))
    assert offered
    for other in offered:
        assert math.isfinite(value(other, u, v))


@pytest.mark.parametrize("name", list_indices(soft=True))
@pytest.mark.parametrize("mixed", [False, True])
def test_soft_indices_are_finite_and_in_range(name, mixed):
    u, v = random_pair(60)
    true = u.argmax(axis=1) if mixed else u
    low, high = get_index(name).range
    assert low <= value(name, true, v) <= high


@pytest.mark.parametrize("name", list_indices(soft=True))
@pytest.mark.parametrize("least", [1e-300, 1e-310, 5e-324])
def test_memberships_too_small_to_divide_by_count_as_none(name, least):
    """Posterior probabilities of mixtures come down to the smallest numbers there are."""
    labels = np.repeat([0, 1, 2], 6)
    u = 0.85 * np.eye(3)[np.roll(labels, 2)] + 0.05
    u[labels == 0] = [1, 0, 0]
    v = u.copy()
    v[labels == 0, 1:] = least
    assert value(name, labels, v) == pytest.approx(value(name, labels, u), rel=1e-12)


@pytest.mark.parametrize("name", list_indices(soft=True, symmetric=True))
def test_soft_symmetric_indices_are_symmetric(name):
    u, v = random_pair(60)
    assert value(name, u, v) == pytest.approx(value(name, v, u), rel=1e-12)


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


@pytest.mark.parametrize("reference", ["labels", "memberships"])
@pytest.mark.parametrize("possibilistic", [False, True])
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


# --------------------------------------------------------------------------- one soft partition


@pytest.mark.parametrize("form", SOFT_FORMS)
def test_partition_coefficient_and_entropy_by_definition(form):
    u = random_memberships(25, 4, 3)
    weights = np.linspace(0, 2, 25)
    shares = weights / weights.sum()
    tolerance = 1e-6 if form == "float32" else 1e-13
    squares = math.fsum(x * x for x in u.ravel()) / 25
    bits = -math.fsum(x * math.log2(x) for x in u.ravel() if x) / 25
    weighted = math.fsum(w * x * x for w, row in zip(shares, u, strict=True) for x in row)
    given_form = FORMS[form](u)
    coefficient = sklearn_clustcompare.partition_coefficient
    entropy = sklearn_clustcompare.partition_entropy
    assert coefficient(given_form) == pytest.approx(squares, rel=tolerance)
    assert coefficient(given_form, sample_weight=weights) == pytest.approx(weighted, rel=tolerance)
    assert entropy(given_form, base=2) == pytest.approx(bits, rel=tolerance)
    assert entropy(given_form) == pytest.approx(bits * math.log(2), rel=tolerance)


@pytest.mark.parametrize("name", [name for name in CASES if len(CASES[name][0])])
def test_partition_coefficient_and_entropy_of_crisp_and_of_equal_memberships(name):
    labels = encode(CASES[name][0])
    assert sklearn_clustcompare.partition_coefficient(one_hot(labels)) == 1.0
    assert sklearn_clustcompare.partition_entropy(one_hot(labels)) == 0.0
    equal = np.full((len(labels), 8), 1 / 8)
    assert sklearn_clustcompare.partition_coefficient(equal) == pytest.approx(1 / 8)
    assert sklearn_clustcompare.partition_entropy(equal, base=2) == pytest.approx(3)


def test_self_agreement_is_the_index_of_the_partition_against_itself():
    u = random_memberships(40, 4, 0)
    for name in ("adjusted_rand_score", "normalized_mutual_info_score", "purity_score"):
        ceiling = sklearn_clustcompare.soft_self_agreement(u, index=name)
        assert ceiling == value(name, u, u)
        assert ceiling < 0.95
    joint = sklearn_clustcompare.soft_self_agreement(
        u, index="normalized_mutual_info_score", average_method="joint"
    )
    assert joint == value("normalized_mutual_info_score", u, u, average_method="joint")
    assert sklearn_clustcompare.soft_self_agreement(one_hot(u.argmax(axis=1))) == 1.0
    assert sklearn_clustcompare.soft_self_agreement(
        u, index="frobenius_adjusted_rand_score"
    ) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("function", ["partition_coefficient", "partition_entropy"])
def test_measures_of_one_partition_refuse_bad_rows(function):
    measure = getattr(sklearn_clustcompare, function)
    with pytest.raises(ValueError, match="memberships: .* sum to 1, got 0.9 in row 1"):
        measure([[1, 0], [0.5, 0.4]])
    with pytest.raises(ValueError, match="at least one object"):
        measure(np.empty((0, 3)))
    with pytest.raises(ValueError, match="2-D|dimension"):
        measure([0, 1, 1])


def test_rows_may_be_tuples_of_fractions():
    rows = [(0.9, 0.1), (0.8, 0.2), (0.3, 0.7), (0.1, 0.9)]
    labels = [0, 0, 1, 1]
    for form in (tuple(rows), rows, [list(row) for row in rows]):
        table = ContingencyTable.from_memberships(labels, form)
        assert table == ContingencyTable.from_memberships(labels, np.array(rows))
        assert sklearn_clustcompare.purity_score(labels, form) == pytest.approx(0.825)
    whole = [(1, 0), (0, 1), (1, 0), (1, 0)]
    assert ContingencyTable.from_labels(labels, whole).col_labels.tolist() == [(0, 1), (1, 0)]


def test_a_sparse_matrix_of_the_caller_is_not_changed():
    data, columns = np.array([0.3, 0.2, 0.5, 0.5, 0.5]), np.array([1, 0, 1, 0, 1])
    matrix = sparse.csr_array((data, columns, np.array([0, 3, 5])), shape=(2, 2))
    before = [part.copy() for part in (matrix.data, matrix.indices, matrix.indptr)]
    assert sklearn_clustcompare.purity_score(matrix, [0, 1]) == pytest.approx(0.65)
    for part, was in zip((matrix.data, matrix.indices, matrix.indptr), before, strict=True):
        np.testing.assert_array_equal(part, was)
