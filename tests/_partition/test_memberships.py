"""Memberships wherever labels go: tables, blocks, what is refused, and rows with fewer digits."""

import contextlib
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import sklearn_clustcompare
from sklearn_clustcompare import (
    ContingencyTable,
    Cover,
    adjusted_rand_score,
    assert_clustering,
    co_association_matrix,
    consensus_partition,
    frobenius_adjusted_rand_score,
    get_index,
    metrics,
    paired_comparison_test,
    score_interval,
)
from sklearn_clustcompare._partition import memberships as memberships_module
from sklearn_clustcompare._table import overlap as overlap_module
from sklearn_clustcompare.consensus import medoid_partition
from sklearn_clustcompare.metrics import clustering_entropy, xie_beni_score
from tests._memberships import (
    FORMS,
    SEEDS,
    SOFT_FORMS,
    dense,
    one_hot,
    random_memberships,
    random_pair,
    table_by_loops,
)

NAMES = ("labels_true", "labels_pred")
TWO_NAMES = ("memberships_true", "memberships_pred")


@pytest.fixture
def small_blocks(monkeypatch):
    """Let a few rows be many blocks and tasks."""
    monkeypatch.setattr(memberships_module, "_BLOCK_SIZE", 8)
    monkeypatch.setattr(overlap_module, "_TASK_ROWS", 7)


# --------------------------------------------------------------------------- crisp memberships


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


@given(
    n_samples=st.integers(1, 20),
    seed=SEEDS,
    sides=st.sampled_from(["both", "true", "pred", "none", "rounded"]),
)
def test_possibilistic_table_is_scaled_to_the_number_of_objects(n_samples, seed, sides):
    rng = np.random.default_rng(seed)
    u, v = rng.random((n_samples, 3)), rng.random((n_samples, 2))
    if sides in ("true", "none", "rounded"):
        v = random_memberships(n_samples, 2, seed)
    if sides in ("none", "rounded"):
        u = random_memberships(n_samples, 3, seed + 1)
    if sides == "rounded":  # rows that would be divided by their sum otherwise
        u, v = u.round(2), v.round(2)
    if sides == "pred":
        u = one_hot([*rng.integers(0, 3, n_samples), 2])[:-1]
    weights = rng.random(n_samples) + 0.5
    table = ContingencyTable.from_memberships(u, v, possibilistic=True, sample_weight=weights)
    unscaled = table_by_loops(u, v, weights)
    occupied = unscaled[unscaled.any(axis=1)][:, unscaled.any(axis=0)]
    phi = weights.sum() / unscaled.sum()
    np.testing.assert_allclose(dense(table), phi * occupied, rtol=1e-12)
    assert table.n_samples == pytest.approx(weights.sum(), rel=1e-13)


@pytest.mark.parametrize("form", SOFT_FORMS)
def test_normalize_divides_each_row_by_its_sum(form):
    rng = np.random.default_rng(0)
    u, v = 50 * rng.random((20, 3)), rng.random((20, 2))
    shares = [side / side.sum(axis=1, keepdims=True) for side in (u, v)]
    table = ContingencyTable.from_memberships(FORMS[form](u), FORMS[form](v), normalize=True)
    tolerance = 1e-6 if form == "float32" else 1e-13
    np.testing.assert_allclose(dense(table), table_by_loops(*shares), rtol=tolerance)


@pytest.mark.slow
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


@pytest.mark.parametrize("possibilistic", [False, True])
@pytest.mark.parametrize("form", ["float64", "float32", "csr_array"])
@pytest.mark.parametrize("n_samples", [1, 6, 7, 8, 14, 15, 101])
def test_blocks_change_nothing(n_samples, form, possibilistic, request):
    """Parts of seven rows, and blocks of two or three, against all rows at once."""
    u, v = random_pair(n_samples)
    expected = table_by_loops(u, v)[u.any(axis=0)][:, v.any(axis=0)]
    tolerance = 1e-6 if form == "float32" else 1e-13
    tables = []
    for fixture in ("request", "small_blocks"):
        request.getfixturevalue(fixture)
        sides = [FORMS[form](side) for side in (u, v)]
        tables.append(
            ContingencyTable.from_memberships(*sides, moments=True, possibilistic=possibilistic)
        )
        np.testing.assert_allclose(dense(tables[-1]), expected, rtol=tolerance, atol=tolerance)
    whole, divided = map(get_index("frobenius_adjusted_rand_score"), tables)
    assert divided == pytest.approx(whole, abs=1e-12)


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
def test_bad_row_is_named(side, form):
    for row, options, message in BAD_ROWS:
        sides = [random_memberships(9, 2, seed) for seed in (0, 1)]
        sides[side][5] = row
        sides[side] = FORMS[form](sides[side])
        with pytest.raises(ValueError, match=f"^{TWO_NAMES[side]}: .*{message}"):
            ContingencyTable.from_memberships(*sides, **options)
        if not options:
            with pytest.raises(ValueError, match=f"^{NAMES[side]}: .*{message}"):
                adjusted_rand_score(*sides)


def test_rounded_rows_of_float32_are_accepted_and_kept_as_they_are():
    u = random_memberships(1000, 7, 0).astype(np.float32)
    assert (u.sum(axis=1, dtype=np.float64) != 1).any()
    table = ContingencyTable.from_memberships(u, u)
    np.testing.assert_allclose(dense(table), table_by_loops(u, u), rtol=1e-12)


# --------------------------------------------------------------------------- input


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


@pytest.mark.parametrize(
    ("form", "part", "value"),
    [
        *(("csr_array", "indices", 10**6), ("csc_array", "indices", 10**6)),
        *(("coo_matrix", "row", 3), ("coo_matrix", "col", 2), ("coo_matrix", "col", -1)),
    ],
)
def test_a_sparse_matrix_whose_indices_point_outside_is_refused(form, part, value):
    broken = getattr(sparse, form)(np.eye(3)[:, :2] + [[0, 0], [0, 0], [0, 1]])
    getattr(broken, part)[-1] = value
    for call, name in (
        (lambda: adjusted_rand_score(broken, [0, 1, 1]), "labels_true"),
        (lambda: ContingencyTable.from_counts(broken), "counts"),
        (lambda: Cover.from_matrix(broken), "matrix"),
    ):
        with pytest.raises(ValueError, match=f"^{name} must be a valid sparse matrix"):
            call()


def test_a_sparse_matrix_that_is_a_mapping_is_no_dict_of_labels():
    matrix = sparse.dok_array(np.eye(2)[[0, 1, 1]])
    assert adjusted_rand_score(matrix, [0, 1, 1]) == 1.0


@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
@pytest.mark.parametrize(
    ("rows", "advice"),
    [
        ([[1, 1], [0, 1]], "use Cover.from_matrix"),
        ([[0.5, 0.25], [0, 1]], "use possibilistic=True if"),
    ],
)
def test_only_zeros_and_ones_may_be_overlapping_clusters(form, rows, advice):
    with pytest.raises(ValueError, match=f"must sum to 1, .*; {advice}"):
        ContingencyTable.from_memberships(form(np.array(rows, float)), [0, 1])


# ------------------------------------------------------------ memberships that went through a file


FARI = "frobenius_adjusted_rand_score"
ROUNDED_FORMS = {
    "array": (np.asarray, 1e-12),
    "sparse": (sparse.csr_array, 1e-12),
    "float32": (lambda u: u.astype(np.float32), 1e-6),
    "through float32": (lambda u: u.astype(np.float32).astype(float), 1e-6),
}


def random_rows(n_clusters, n_objects=300, seed=0):
    return np.random.default_rng(seed).dirichlet(np.ones(n_clusters), n_objects)


def divided(u):
    return u / u.sum(axis=1, keepdims=True)


def warns_if(condition):
    match = "memberships of a row must sum to 1, and were rounded"
    return pytest.warns(UserWarning, match=match) if condition else contextlib.nullcontext()


@pytest.mark.slow
@pytest.mark.parametrize("form", ROUNDED_FORMS)
@pytest.mark.parametrize("n_decimals", [1, 2, 3, 4, 5, 6, 7, 8, 12])
def test_rounded_rows_are_divided_by_their_sum(form, n_decimals):
    for n_clusters in (2, 3, 12):
        check_rounded_rows(form, n_clusters, n_decimals)


def check_rounded_rows(form, n_clusters, n_decimals):
    make, tolerance = ROUNDED_FORMS[form]
    rounded = random_rows(n_clusters).round(n_decimals)
    rounded = rounded[rounded.any(axis=1)]
    deviation = np.abs(make(rounded).sum(axis=1, dtype=float) - 1).max()
    if n_decimals == 1 and deviation > n_clusters * 0.05 - 1e-9:
        return  # nothing but ties
    other = random_rows(3, len(rounded), 1)
    with warns_if(deviation > 1.001e-6):
        found = frobenius_adjusted_rand_score(make(rounded), other)
    expected = frobenius_adjusted_rand_score(divided(rounded), other)
    assert found == pytest.approx(expected, abs=max(tolerance, 1e-8 if n_decimals > 7 else 0))


@pytest.mark.slow
def test_every_function_sees_the_same_rows():
    rounded = random_rows(4, 60).round(3)
    other = random_rows(3, 60, seed=1)
    X = np.random.default_rng(2).normal(size=(60, 2))
    calls = [
        lambda u: score_interval(u, other, index=FARI).interval,
        lambda u: paired_comparison_test(other, u, other, index=FARI).interval,
        lambda u: co_association_matrix([u, other]).toarray(),
        lambda u: medoid_partition([u, other], index=FARI).averages,
        lambda u: metrics.partition_coefficient(u),
        lambda u: metrics.partition_entropy(u),
        lambda u: clustering_entropy(u),
        lambda u: xie_beni_score(X, u),
        lambda u: sklearn_clustcompare.chance_adjusted_score(u, other, index=FARI),
    ]
    for call in calls:
        with pytest.warns(UserWarning, match="were rounded"):
            found = call(rounded)
        np.testing.assert_allclose(found, call(divided(rounded)), rtol=1e-5)


def test_one_warning_names_the_partition_and_the_furthest_row_of_a_block():
    rounded = np.full((6, 3), 1 / 3).round(6)
    rounded[2] = [0.2, 0.3, 0.5]
    with pytest.warns(UserWarning, match="were rounded") as caught:
        assert ContingencyTable.from_memberships([0] * 6, rounded.round(3)).n_samples == 6
    (message,) = [str(one.message) for one in caught]
    assert message.startswith("memberships_pred: memberships of a row must sum to 1")
    assert "got 0.999 in row 0" in message
    assert ContingencyTable.from_memberships([0] * 6, rounded).n_samples == 6


@pytest.mark.parametrize(
    ("row", "is_rounded"),
    [
        ([0.5, 0.501], True),
        ([0.5, 0.502], False),
        ([0.25, 0.76], True),
        ([0.25, 0.77], False),
        ([0.333333, 0.666668], True),
        ([0.333333, 0.666669], False),
        ([0.3, 0.6], False),
        ([0.3, 0.3, 0.3], True),
        ([0.3, 0.3, 0.2], False),
        ([0.12345678, 0.87654422], True),
        ([0.12345678, 0.87654522], False),
        ([1.0, 1.0], False),
        ([0.0, 0.0], False),
    ],
)
def test_both_sides_of_what_rounding_explains(row, is_rounded):
    u = np.array([row, row])
    if is_rounded:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table = ContingencyTable.from_memberships([0, 0], u)
        np.testing.assert_allclose(table.col_sums, 2 * divided(u)[0], rtol=1e-12)
    else:
        with pytest.raises(ValueError, match="must sum to 1, .* or divide each row by its sum"):
            ContingencyTable.from_memberships([0, 0], u)


def test_half_of_a_row_is_no_rounding_however_many_clusters():
    u = np.zeros((3, 300))
    u[:, 0], u[0, 1:26] = 0.5, 0.02
    with pytest.raises(ValueError, match="must sum to 1, got 0.5 in row 1"):
        ContingencyTable.from_memberships([0, 1, 1], u)


def test_rows_of_half_floats_are_divided_with_a_warning():
    u = random_rows(7, 300).astype(np.float16)
    with pytest.warns(UserWarning, match="rows are divided by their sums"):
        table = ContingencyTable.from_memberships(u, u)
    expected = divided(u.astype(float))
    np.testing.assert_allclose(table.counts.toarray(), expected.T @ expected, rtol=1e-12)


# --------------------------------------------------------------------------- the advice


P = random_rows(3, 40) * np.linspace(0.4, 0.9, 40)[:, np.newaxis]
Q = random_rows(3, 40, seed=1)
TAKERS = {
    "score_interval": lambda u, **k: score_interval(u, Q, index=FARI, **k).score,
    "paired_comparison_test": lambda u, **k: (
        paired_comparison_test(Q, u, Q, index=FARI, **k).value_a
    ),
    "medoid_partition": lambda u, **k: medoid_partition([u, Q], index=FARI, **k).score,
    "co_association_matrix": lambda u, **k: co_association_matrix([u, Q], **k).toarray(),
    "consensus_partition": lambda u, **k: (
        consensus_partition([u, Q], index=FARI, n_init=1, **k).scores
    ),
    "clustering_entropy": clustering_entropy,
    "partition_entropy": metrics.partition_entropy,
    "partition_coefficient": metrics.partition_coefficient,
    "assert_clustering": lambda u, **k: assert_clustering(
        u, Q, frobenius_adjusted_rand_score=-1.0, **k
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TAKERS)
def test_the_advice_of_the_error_works(name):
    with pytest.raises(ValueError, match="must sum to 1, .*; use possibilistic=True if they need"):
        TAKERS[name](P)
    TAKERS[name](P, possibilistic=True)
    TAKERS[name](divided(P))


def test_values_of_possibilistic_memberships():
    fari = get_index(FARI)
    table = ContingencyTable.from_memberships(P, Q, possibilistic=True, moments=True)
    expected = pytest.approx(fari(table), rel=1e-12)
    assert TAKERS["score_interval"](P, possibilistic=True) == expected
    assert TAKERS["medoid_partition"](P, possibilistic=True) == expected
    sums = P.sum(axis=0) / P.sum()
    found = clustering_entropy(P, possibilistic=True)
    assert found == pytest.approx(-(sums * np.log(sums)).sum(), rel=1e-12)
    found = metrics.partition_coefficient(P, possibilistic=True)
    assert found == pytest.approx((P**2).sum(axis=1).mean(), rel=1e-12)
    found = co_association_matrix([P, Q], possibilistic=True)
    np.testing.assert_allclose(found.expand(), (P @ P.T + Q @ Q.T) / 2, rtol=1e-5)


@pytest.mark.slow
def test_the_consensus_of_possibilistic_memberships_scores_as_its_labels_do():
    found = consensus_partition([P, Q], index=FARI, n_init=1, possibilistic=True)
    expected = [
        frobenius_adjusted_rand_score(one, found.labels, possibilistic=True) for one in (P, Q)
    ]
    np.testing.assert_allclose(found.scores, expected, rtol=1e-12)
    # No single move is better.
    for position in range(0, 40, 4):
        moved = found.labels.copy()
        for cluster in range(found.labels.max() + 2):
            moved[position] = cluster
            mean = np.mean(
                [frobenius_adjusted_rand_score(one, moved, possibilistic=True) for one in (P, Q)]
            )
            assert mean <= found.score + 1e-12
