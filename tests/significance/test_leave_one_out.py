"""Values without one object, and after one error, against tables one by one."""

import math

import numpy as np
import pytest

from sklearn_clustcompare import (
    ContingencyTable,
    get_index,
    list_indices,
    score_candidates,
    score_interval,
)
from sklearn_clustcompare.indices import CellSum, Index, _sums
from sklearn_clustcompare.indices._judged import Chosen
from sklearn_clustcompare.indices._sums import SizedCells
from sklearn_clustcompare.significance import _leave_one_out as leave_one_out
from sklearn_clustcompare.significance._resampling import joint_cells
from tests._laws import noisy_copy
from tests.significance import _slow

SMOOTH = [name for name in list_indices() if get_index(name).sampling in ("smooth", "counts")]


def counted(truth, found):
    _, _, sample = joint_cells((truth, found), ("truth", "found"))
    return leave_one_out.CountedPairs.of(sample.sources, [sample.counts])


def tables():
    generator = np.random.default_rng(0)
    for n_clusters, n_objects, noise, shares in (
        (6, 120, 0.3, np.ones(6)),
        (12, 150, 0.4, 1 / np.arange(1, 13)),
    ):
        truth = generator.choice(n_clusters, n_objects, p=shares / shares.sum())
        yield truth, noisy_copy(truth, n_clusters, noise, generator)


# What is left out of the sums of these: see their declaration.
ROUGH = ("standardized_mutual_info_score", "reduced_mutual_info_score")


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SMOOTH if name not in ROUGH])
def test_few_values_give_those_without_each_object(monkeypatch, name):
    if name == "pvalue_adjusted_mutual_info_score":
        pytest.skip("one minus a p-value that is too small for any digits")
    chosen = Chosen(name, get_index(name), {})
    for truth, found in tables():
        pair = counted(truth, found)
        counts = pair.sized.counts
        slow = pair.without_one(chosen, pair.values(chosen))[0]
        monkeypatch.setattr(leave_one_out, "MOST_VALUES", 0)
        fast = pair.without_one(chosen, pair.values(chosen))[0]
        monkeypatch.undo()
        spread = np.sqrt(np.average((slow - np.average(slow, weights=counts)) ** 2, weights=counts))
        assert np.sqrt(np.average((fast - slow) ** 2, weights=counts)) <= 2e-3 * spread + 1e-12


@pytest.mark.parametrize("name", ["adjusted_rand_score", "adjusted_mutual_info_score"])
def test_few_values_give_the_effect_of_an_error(monkeypatch, name):
    chosen = Chosen(name, get_index(name), {})
    for truth, found in tables():
        pair = counted(truth, found)
        value = np.array([_slow.value_of(chosen.index, truth, found)])
        monkeypatch.setattr(leave_one_out, "MOST_VALUES", 10**4)
        (slow,) = pair.effects_of_an_error(chosen, value)
        monkeypatch.setattr(leave_one_out, "MOST_VALUES", 0)
        assert pair.effects_of_an_error(chosen, value) == pytest.approx([slow], rel=0.02)
        monkeypatch.undo()


@pytest.mark.parametrize("n_shifts", [500, 1024, 1025, 3000])
@pytest.mark.parametrize("degree", [1, 2])
def test_a_polynomial_of_the_degree_is_exact(degree, n_shifts):
    generator = np.random.default_rng(0)
    shifts = generator.normal(size=(n_shifts, 2))
    values = (1 + shifts @ [2.0, -0.5]) ** degree
    asked = []

    def evaluated(positions):
        asked.extend(positions)
        return values[positions]

    found = leave_one_out.interpolated(shifts, evaluated, degree=degree)
    np.testing.assert_allclose(found, values, rtol=1e-10, atol=1e-10)
    assert len(asked) == {1: 3, 2: 6}[degree]


def _ordered(n, a, b):
    return n * n * a / (b + 1)


@pytest.mark.parametrize("phi", [_ordered, _sums._Information(1.0, 0), _sums._Information(2.5, 2)])
@pytest.mark.parametrize("most", [150, 18, 17])
def test_sums_change_as_they_do_in_the_table(monkeypatch, phi, most):
    """By all errors, and by some that enter any of 36 places, or a place each."""
    monkeypatch.setattr(leave_one_out, "MOST_VALUES", 0)
    truth, found = next(tables())
    pair, total = counted(truth, found), CellSum(phi)
    whole = total(ContingencyTable.from_labels(truth, found))
    (change,) = _sums.changes((total,), pair.sized, None)
    for cell in range(0, len(change), 5):
        row, col = pair.sized.rows[cell], pair.sized.cols[cell]
        gone = np.flatnonzero((truth == row) & (found == col))[0]
        left = total(ContingencyTable.from_labels(np.delete(truth, gone), np.delete(found, gone)))
        assert change[cell] == pytest.approx(left - whole, rel=1e-9, abs=1e-9)
    errors, weights, _ = pair._errors(most)
    assert len(errors.rows) == (36 if most > 17 else most)
    assert (weights == 1).all() == (most < 150) == (len(weights) == most)
    (change,) = _sums.changes((total,), pair.sized, errors)
    for error in range(0, len(change), 7):
        cell = errors.cells[error]
        moved = found.copy()
        here = np.flatnonzero((truth == pair.sized.rows[cell]) & (found == pair.sized.cols[cell]))[
            0
        ]
        moved[here] = errors.cols[errors.places[error]]
        expected = total(ContingencyTable.from_labels(truth, moved)) - whole
        assert change[error] == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_sized_cells_find_their_positions():
    cells = SizedCells.of_table(ContingencyTable.from_labels([0, 0, 1, 1], [0, 1, 1, 1]))
    assert cells.find(np.array([0, 1, 1]), np.array([1, 0, 1])).tolist() == [1, -1, 2]


def test_errors_after_which_an_index_has_no_value_have_no_effect():
    truth, found = np.repeat([0, 0, 1], [5, 1, 6]), np.repeat([0, 1, 1], [5, 1, 6])
    purity = get_index("purity_score").function
    index = Index(
        "of_three_cells",
        lambda table: purity(table) if len(table.cell_counts) < 4 else math.nan,
        greater_is_better=True,
        symmetric=False,
        range=(0.0, 1.0),
        source="none",
    )
    # Of 5 objects that join 7 one in twelve is lost, of 1 that joins 5 one is won.
    chosen = Chosen("of_three_cells", index, {})
    (effect,) = counted(truth, found).effects_of_an_error(chosen, np.array([11 / 12]))
    assert effect == pytest.approx((5 * 7 - 1 * 5) / (5 * 7 + 1 * 5) / 12)


def test_what_is_sampled_of_a_candidate_does_not_depend_on_the_others():
    rng = np.random.default_rng(0)
    true = rng.integers(40, size=1500)
    found = [np.where(rng.random(1500) < 0.5, true, rng.integers(k, size=1500)) for k in (40, 50)]
    for name in ("standardized_rand_score", "adjusted_mutual_info_score"):
        together = score_candidates(true, found, indices=name, confidence_level=0.95)
        for one, interval in zip(found, together.intervals[name], strict=True):
            alone = score_interval(true, one, index=name).interval
            assert tuple(interval) == pytest.approx(alone, rel=1e-12)


def test_quantiles_are_at_equal_distances_in_the_weights_of_each_pair():
    weights, starts = np.array([1, 3, 0, 4, 5, 1, 2.0]), np.array([0, 4, 5, 7])
    found = leave_one_out._quantiles(weights, starts, np.array([0, 2]), 4)
    assert found.tolist() == [1, 1, 3, 3, 5, 6, 6, 6]
