"""Joint cells; half samples against their full enumeration, and each fast path to the slow one."""

import itertools
import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joblib import parallel_config

from sklearn_clustcompare import ContingencyTable, get_index, list_indices
from sklearn_clustcompare._partition import Labels, read
from sklearn_clustcompare.indices import Index
from sklearn_clustcompare.indices._judged import Chosen
from sklearn_clustcompare.significance import _resampling as resampling
from sklearn_clustcompare.significance._intervals import compare_pairs, holm
from sklearn_clustcompare.significance._resampling import (
    GroupedTables,
    LabeledPair,
    Sample,
    SoftPair,
    half_samples,
    joint_cells,
    pooled,
    scaled_deviations,
)
from sklearn_clustcompare.significance._sampling_errors import Influences, sampling_errors
from tests._examples import slow
from tests._laws import noisy_copy

ARI = get_index("adjusted_rand_score")

TRUTH = np.array([0, 0, 0, 0, 1, 1, 1, 2])
FIRST = np.array([0, 0, 1, 1, 1, 1, 2, 2])
SECOND = np.array([0, 1, 0, 0, 1, 1, 1, 1])


def cells_of(*partitions):
    names = [f"partition {k}" for k in range(len(partitions))]
    return joint_cells(partitions, names)[-1]


def deviations(cells, index=ARI, **options):
    settings = {"n_resamples": 50, "random_state": 0, "n_jobs": 1} | options
    chosen = Chosen(index.name, index, settings.pop("parameters", {}))
    drawn = half_samples(cells, (chosen,), **settings)
    return scaled_deviations(drawn[:, :, 0], cells.n_halved)


def spreads(cells, index=ARI, **options):
    return deviations(cells, index, **options).std(axis=0, ddof=1)


def errors_of(cells, index=ARI, **options):
    settings = {"n_resamples": 50, "random_state": 0, "n_jobs": 1} | options
    chosen = Chosen(index.name, index, settings.pop("parameters", {}))
    (found,) = sampling_errors(cells, (chosen,), **settings)
    return found


def large_cells():
    truth = np.repeat(np.arange(4), 60)
    return cells_of(truth, noisy_copy(truth, 5, 0.3, 0), noisy_copy(truth, 9, 0.5, 1))


def codes_of(cells):
    """Return the labels of the joint cells in the reference and in all candidates."""
    first = cells.sources[0]
    sides = [first.true.codes[first.kinds], *(one.pred.codes[one.kinds] for one in cells.sources)]
    return np.stack(sides)


# --------------------------------------------------------------------------- joint cells


@pytest.mark.parametrize("n_codes", [3, 4000])
def test_joint_cells_are_the_rows_that_occur(n_codes):
    generator = np.random.default_rng(0)
    partitions = generator.integers(n_codes, size=(4, 200)) - n_codes // 2
    cells = cells_of(*partitions)
    rows, counts = np.unique(partitions, axis=1, return_counts=True)
    codes = np.stack([np.unique(row, return_inverse=True)[1] for row in rows])
    order = np.lexsort(codes_of(cells)[::-1])
    np.testing.assert_array_equal(codes_of(cells)[:, order], codes)
    np.testing.assert_array_equal(cells.counts[order], counts)
    assert cells.n_samples == 200
    assert [one.is_crisp for one in cells.sources] == [True] * 3
    assert [one.n_clusters for one in cells.sources] == [len(set(row)) for row in partitions[1:]]


# --------------------------------------------------------------------------- full enumeration


def all_half_samples(n_objects):
    return [list(chosen) for chosen in itertools.combinations(range(n_objects), n_objects // 2)]


@pytest.mark.parametrize(("n_objects", "n_resamples"), [(7, 3000), slow(8, 5000)])
@pytest.mark.parametrize(
    "name", ["adjusted_rand_score", slow("purity_score"), slow("mutual_info_score")]
)
def test_standard_error_is_that_over_all_half_samples(name, n_objects, n_resamples):
    partitions = [labels[:n_objects] for labels in (TRUTH, FIRST, SECOND)]
    index = get_index(name)
    values = np.array(
        [
            [
                index(ContingencyTable.from_labels(TRUTH[half], side[half]))
                for side in partitions[1:]
            ]
            for half in all_half_samples(n_objects)
        ]
    )
    n_drawn = n_objects // 2
    scale = math.sqrt(n_drawn / (n_objects - n_drawn))
    found = deviations(cells_of(*partitions), index, n_resamples=n_resamples)
    assert found.std(axis=0) == pytest.approx(scale * values.std(axis=0), rel=0.04)
    expected = scale * np.std(values[:, 0] - values[:, 1])
    assert np.std(found[:, 0] - found[:, 1]) == pytest.approx(expected, rel=0.04)


@pytest.mark.slow
def test_half_of_the_groups_are_drawn():
    groups = np.array([0, 0, 1, 2, 2, 2, 3, 3])
    groups = np.concatenate([groups, groups + 4, groups + 8])
    truth, first = np.tile(TRUTH, 3), np.tile(FIRST, 3)
    cells = Sample.of([read(truth, "t"), read(first, "f")], None, groups=read(groups, "groups"))
    purity = get_index("purity_score")
    values = [
        purity(ContingencyTable.from_labels(truth[kept], first[kept]))
        for half in itertools.combinations(range(12), 6)
        for kept in [np.isin(groups, half)]
    ]
    found = deviations(cells, purity, n_resamples=5000)
    assert found.std() == pytest.approx(np.std(values), rel=0.04)


def test_each_half_sample_is_equally_likely():
    cells = cells_of(TRUTH, FIRST)
    true, pred = codes_of(cells)
    objects = np.argmax((true[:, None] == TRUTH) & (pred[:, None] == FIRST), 0)
    law = {}
    for half in all_half_samples(8):
        counts = tuple(np.bincount(objects[half], minlength=len(cells.counts)).tolist())
        law[counts] = law.get(counts, 0) + 1 / 70
    drawn = np.concatenate([half for k in range(20) for half in cells.halves(1000, k)])
    found, times = np.unique(drawn, axis=0, return_counts=True)
    assert {tuple(row) for row in found.tolist()} == set(law)
    for row, number in zip(found.tolist(), times, strict=True):
        share = law[tuple(row)]
        assert number / 20_000 == pytest.approx(share, abs=4 * math.sqrt(share / 20_000))


# --------------------------------------------------------------------------- the paths


def test_tables_of_draws_are_those_of_the_objects():
    cells = large_cells()
    (drawn,) = cells.halves(10, 1)
    assert (drawn.sum(axis=1) == cells.n_samples // 2).all()
    assert (drawn <= cells.counts).all()
    true, *candidates = codes_of(cells)
    for candidate, pair in zip(candidates, cells.sources, strict=True):
        for counts, table in zip(drawn, pair.tables(drawn), strict=True):
            objects = np.repeat(np.arange(len(counts)), counts)
            assert table == ContingencyTable.from_labels(true[objects], candidate[objects])


def test_one_hot_memberships_scatter_as_labels_do():
    truth = np.repeat(np.arange(3), 20)
    found = noisy_copy(truth, 3, 0.3, 0)
    soft = errors_of(cells_of(truth, np.eye(3)[found] * (1 - 3e-9) + 1e-9))
    crisp = errors_of(cells_of(truth, found))
    assert soft.values == pytest.approx(crisp.values, abs=1e-6)
    assert soft.standard_errors == pytest.approx(crisp.standard_errors, rel=1e-5)


def test_labels_beside_memberships_take_the_path_of_labels():
    truth = np.repeat(np.arange(3), 20)
    found = noisy_copy(truth, 3, 0.3, 0)
    cells = cells_of(truth, found, np.eye(3)[found] * (1 - 3e-9) + 1e-9)
    assert [type(pair) for pair in cells.sources] == [LabeledPair, SoftPair]
    drawn = deviations(cells)
    np.testing.assert_allclose(drawn[:, 0], drawn[:, 1], atol=1e-7)


@pytest.mark.parametrize(("n_objects", "is_paired"), [(98, True), (99, False), (101, True)])
def test_half_samples_come_with_the_other_halves(n_objects, is_paired):
    truth = np.arange(n_objects) % 4
    sample = cells_of(truth, noisy_copy(truth, 4, 0.1, 0))
    drawn = np.concatenate([*sample.halves(20, 0)])
    assert (abs(drawn.sum(axis=1) - n_objects / 2) < 1).all()
    assert (drawn[::2] + drawn[1::2] == sample.counts).all() == is_paired


def test_an_odd_number_of_half_samples_is_drawn():
    assert len(np.concatenate([*large_cells().halves(7, 0)])) == 7


def test_blocks_change_no_value(monkeypatch):
    cells = large_cells()
    cells = cells._replace(counts=100 * cells.counts)
    before = deviations(cells, n_resamples=120)
    monkeypatch.setattr(resampling, "_CELLS_PER_BLOCK", 1)
    after = deviations(cells, n_resamples=120)
    # Not to the last bit: means add up in another order.
    np.testing.assert_allclose(before, after, rtol=0, atol=1e-14)


@pytest.mark.parametrize("limit", ["_MOST_DRAWN_OBJECTS", "_OBJECTS_PER_CELL"])
@pytest.mark.parametrize(
    ("name", "n_resamples"), [("adjusted_rand_score", 2000), slow("mirkin_distance", 3000)]
)
def test_all_ways_to_draw_have_one_law(monkeypatch, limit, name, n_resamples):
    truth = np.repeat(np.arange(3), 2000)
    cells = cells_of(truth, noisy_copy(truth, 4, 0.3, 0))
    index = get_index(name)
    before = spreads(cells, index, n_resamples=n_resamples)
    monkeypatch.setattr(resampling, limit, 1 if limit == "_MOST_DRAWN_OBJECTS" else 10**6)
    after = spreads(cells, index, n_resamples=n_resamples)
    assert after == pytest.approx(before, rel=0.06)
    assert after != before


def test_billions_of_objects():
    true, found = Labels.of_codes(np.array([0, 0, 1, 1])), Labels.of_codes(np.array([0, 1, 0, 1]))
    counts = np.array([4, 1, 1, 4]) * 10**11
    cells = Sample((LabeledPair.of(true, found),), counts)
    large, small = errors_of(cells), errors_of(cells._replace(counts=counts // 10**7))
    assert large.values == pytest.approx(small.values, abs=1e-4)
    ratio = small.standard_errors / large.standard_errors
    assert ratio == pytest.approx(math.sqrt(10**7), rel=1e-3)
    drawn = spreads(cells, n_resamples=500)
    assert drawn == pytest.approx(large.standard_errors, rel=0.15)


# --------------------------------------------------------------------------- reproducible


SOURCES = [
    lambda: 3,
    lambda: np.random.RandomState(3),
    lambda: np.random.default_rng(3),
    lambda: np.random.SeedSequence(3),
]


@pytest.mark.parametrize("source", SOURCES)
def test_a_source_of_randomness_gives_the_same_again(source):
    cells = large_cells()
    first = deviations(cells, random_state=source())
    np.testing.assert_array_equal(first, deviations(cells, random_state=source()))
    assert (first != deviations(cells, random_state=4)).any()


def test_no_source_of_randomness_gives_others():
    cells = large_cells()
    first, second = (deviations(cells, random_state=None) for _ in range(2))
    assert (first != second).any()


def test_half_of_the_groups_is_drawn():
    groups = read(np.repeat(np.arange(12), 3), "groups")
    sides = [read(np.arange(36) % k, "labels") for k in (5, 4)]
    sample = Sample.of(sides, None, groups=groups)
    for half in sample._half(5, np.random.default_rng(0)):
        assert len(np.unique(sample.units[np.flatnonzero(half)])) == 6


def test_values_of_groups_are_those_of_drawn_ones_that_hold_objects():
    rng = np.random.default_rng(0)
    tables = [ContingencyTable.from_labels(*rng.integers(3, size=(2, n))) for n in (9, 7, 0, 8)]
    chosen = (Chosen("ari", ARI, {}),) * 2
    (found,) = GroupedTables(tables).values(chosen, np.array([[1, 0, 1, 2]]))
    kept = [tables[0], tables[3]]
    assert found[0] == pytest.approx(ARI(pooled(kept)))
    assert found[1] == pytest.approx(np.mean([ARI(one) for one in kept]))


def test_groups_have_the_index_of_the_reference():
    pd = pytest.importorskip("pandas")
    groups = pd.Series(np.repeat(np.arange(12), 3)).sample(frac=1, random_state=0)
    with pytest.raises(ValueError, match="^truth and groups must have the same index"):
        joint_cells([pd.Series(np.arange(36) % 5), np.arange(36)], ["truth", "b"], None, groups)


def test_workers_change_no_value(pools_at_once):
    cells = large_cells()
    one = deviations(cells, n_resamples=250)
    with parallel_config("threading"):
        two = deviations(cells, n_resamples=250, n_jobs=2)
    assert one.shape == (250, 2)
    np.testing.assert_array_equal(one, two)


def test_tasks_can_be_pickled():
    cells = large_cells()
    copy = pickle.loads(pickle.dumps(cells))
    np.testing.assert_array_equal(deviations(copy), deviations(cells))


# --------------------------------------------------------------------------- growth with n


@pytest.mark.parametrize(
    ("name", "parameters", "power"),
    [
        ("mirkin_distance", {}, 2),
        ("mirkin_distance", {"normalize": True}, 0),
        ("partition_difference", {}, 2),
        ("chi_squared_statistic", {}, 1),
        ("van_dongen_distance", {}, 1),
        ("van_dongen_distance", {"normalize": True}, 0),
        ("standardized_mutual_info_score", {}, 1),
        ("standardized_rand_score", {}, 1),
        ("adjusted_rand_score", {}, 0),
        ("adjusted_mutual_info_score", {}, 0),
        ("mutual_info_score", {"q": 0.5}, 0),
        ("variation_of_information_distance", {"normalize": "expected"}, 0),
        ("pair_counting_score", {"coefficient": "goodman_kruskal"}, 0),
        ("pvalue_adjusted_mutual_info_score", {}, 0),
    ],
)
def test_growth_with_the_number_of_objects(name, parameters, power):
    assert resampling.growth(Chosen(name, get_index(name), parameters)) == power


def test_every_index_grows_as_a_whole_power():
    for name in list_indices():
        assert resampling.growth(Chosen(name, get_index(name), {})) in (0, 1, 2)


@pytest.mark.parametrize("name", ["mirkin_distance", "van_dongen_distance"])
def test_standard_error_of_a_number_is_that_of_a_share(name):
    cells = large_cells()
    number, share = (
        errors_of(cells, get_index(name), parameters={"normalize": normalize})
        for normalize in (False, True)
    )
    ratio = number.values / share.values
    tolerance = 1e-12 if number.influences[0].halves is not None else 0.01
    assert number.standard_errors == pytest.approx(ratio * share.standard_errors, rel=tolerance)


# --------------------------------------------------------------------------- many candidates


def several():
    truth = np.repeat(np.arange(3), 40)
    candidates = [
        noisy_copy(truth, 3, share, seed) for seed, share in enumerate((0.1, 0.5, 0.2, 0.12))
    ]
    return cells_of(truth, *candidates)


def test_all_indices_and_blocks_of_candidates_see_the_same_draws(monkeypatch):
    cells = several()
    names = ["adjusted_rand_score", "purity_score", "mirkin_distance"]
    alone = [deviations(cells, get_index(name)) for name in names]
    monkeypatch.setattr(resampling, "_CODES_PER_TASK", 2 * len(cells.counts))
    assert [len(block.sources) for block in cells.blocks()] == [2, 2]
    chosen = tuple(Chosen(name, get_index(name), {}) for name in names)
    together = half_samples(cells, chosen, n_resamples=50, random_state=0, n_jobs=1)
    for one, other in zip(alone, np.moveaxis(together, 2, 0), strict=True):
        other = scaled_deviations(other, cells.n_halved)
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["adjusted_rand_score", "purity_score"])
def test_pairs_of_candidates_are_corrected_together(name):
    errors = errors_of(several(), get_index(name), n_resamples=99)
    groups = [(0, range(1, 4)), (1, np.array([2, 3])), (2, [3])]
    found = compare_pairs(errors, groups, 0.9)
    single = [
        errors.differences([(i, [j])], 0.9, 6) for i, j in itertools.combinations(range(4), 2)
    ]
    assert found.values.tolist() == [one.values[0] for one in single]
    intervals = np.concatenate([one.intervals for one in single])
    np.testing.assert_allclose(found.intervals, intervals, rtol=1e-9)
    pvalues = holm(np.concatenate([one.pvalues for one in single]))
    np.testing.assert_allclose(found.pvalues, pvalues, rtol=1e-6)


@pytest.mark.slow
def test_a_pvalue_is_small_where_the_interval_excludes_zero():
    errors = errors_of(several())
    pairs = list(itertools.permutations(range(4), 2))
    for level in (0.5, 0.9, 0.95, 0.999):
        found = errors.differences([(i, [j]) for i, j in pairs], level, 1)
        low, high = found.intervals.T
        np.testing.assert_array_equal(found.pvalues < 1 - level, (low > 0) | (high < 0))


def test_no_pairs():
    found = compare_pairs(errors_of(cells_of(TRUTH, FIRST)), [], 0.95)
    assert [part.shape for part in found] == [(0,), (0,), (0,), (0, 2), (0,)]


def test_errors_of_undefined_values():
    cells = several()
    errors = errors_of(cells)
    nothing = Influences(np.array([np.nan]), np.zeros(len(cells.counts), int))
    undefined = replace(
        errors,
        values=np.array([0.1, np.nan, 0.3, 0.2]),
        influences=(errors.influences[0], None, nothing, errors.influences[3]),
    )
    assert undefined.are_defined.tolist() == [True, False, False, True]
    assert np.isnan(undefined.intervals(0.9)).any(axis=1).tolist() == [False, True, True, False]
    with pytest.raises(ValueError, match=r"^index must be finite .* got nan for .* of the sample"):
        undefined.check_finite()
    with pytest.raises(ValueError, match=r"an undefined adjusted_rand_score of a part of the sam"):
        undefined.take([0, 2]).check_finite()
    kept = undefined.take([0, 3])
    assert kept.check_finite() is kept
    assert kept.values.tolist() == [0.1, 0.2]


@pytest.mark.parametrize("memberships", [False, slow(True)])
def test_weights_stand_for_objects(memberships):
    generator = np.random.default_rng(0)
    weights = generator.integers(4, size=40)
    truth, found = generator.integers(3, size=(2, 40))
    if memberships:
        found = generator.dirichlet([1, 1, 1], 40)
    weighed = Sample.of([read(truth, "truth"), read(found, "found")], weights)
    repeated = cells_of(np.repeat(truth, weights), np.repeat(found, weights, axis=0))
    assert weighed.n_samples == repeated.n_samples == weights.sum()
    first, second = (errors_of(cells) for cells in (weighed, repeated))
    assert first.values == pytest.approx(second.values, rel=1e-12)
    assert first.standard_errors == pytest.approx(second.standard_errors, rel=1e-9)


def test_fractional_weights_are_refused():
    sides = [read(TRUTH, "labels_true"), read(FIRST, "found")]
    with pytest.raises(ValueError, match=r"^sample_weight must hold whole freq.*, got 0.5$"):
        Sample.of(sides, np.array([1, 1, 1, 0.5, 1, 1, 1, 1]))
    with pytest.raises(ValueError, match=r"^labels_true must hold at least 4 objects.*got 3$"):
        Sample.of(sides, np.array([1, 1, 1, 0, 0, 0, 0, 0]))


# --------------------------------------------------------------------------- Holm


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_is_the_largest_level_at_which_the_steps_keep_a_hypothesis(pvalues):
    """The definition: steps through the sorted p-values stop at the first one above its limit."""
    corrected = holm(np.array(pvalues))
    order = sorted(range(len(pvalues)), key=pvalues.__getitem__)
    worst = 0.0
    for step, position in enumerate(order):
        worst = max(worst, (len(pvalues) - step) * pvalues[position])
        assert corrected[position] == min(1.0, worst)


# --------------------------------------------------------------------------- the user's own


def share_of_largest_cell(table, *, power=1.0):
    return float(table.cell_counts.max() / table.n_samples) ** power


def not_finite(table):
    return float("nan") if table.n_samples < 100 else 1.0


OWN = Index(
    "share_of_largest_cell",
    share_of_largest_cell,
    greater_is_better=True,
    range=(0.0, 1.0),
    symmetric=True,
    source="a user",
    parameters={"power": lambda name, value: None},
)


def test_an_index_of_the_users_own():
    truth = np.repeat(np.arange(3), [160, 40, 40])
    pred = noisy_copy(truth, 3, 0.3, 0)
    found = errors_of(cells_of(truth, pred), OWN, n_resamples=4000, parameters={"power": 1.0})
    share = np.count_nonzero((truth == 0) & (pred == 0)) / 240
    assert found.values[0] == share
    # The largest cell is the same in every half sample: its share is a mean.
    expected = math.sqrt(share * (1 - share) / 239)
    assert found.standard_errors[0] == pytest.approx(expected, rel=0.05)


def test_an_index_that_is_not_finite_is_refused():
    options = {
        "greater_is_better": True,
        "range": (0.0, 1.0),
        "symmetric": True,
        "source": "a user",
    }
    index = Index("not_finite", not_finite, **options)
    labels = np.repeat(np.arange(2), 60)
    with pytest.raises(ValueError, match=r"^index must be finite .* undefined not_finite of a pa"):
        errors_of(cells_of(labels, labels), index).check_finite()
    with pytest.raises(ValueError, match=r"^index must be finite .* nan for not_finite of the sam"):
        errors_of(cells_of(labels[:80], labels[:80]), index).check_finite()
