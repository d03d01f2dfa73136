"""Indices for arrays of the sums that they declare, against their tables one by one."""

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable, get_index, list_indices
from sklearn_clustcompare.indices import CellSum
from sklearn_clustcompare.indices._sums import SizedCells, values_at

VALUES = {
    "q": (0.5, 1.3, 2.0),
    "average_method": ("min", "geometric", "joint"),
    "average": ("cluster",),
    "beta": (0.5,),
}
# Whose formulas take one table at a time; others do so where a case below is among these.
BY_TABLE = {
    "fowlkes_mallows_score", "correlation_distance", "projection_distance",
    "chi_squared_statistic", "pair_counting_score", "normalized_information_distance",
    "reduced_mutual_info_score", "standardized_mutual_info_score", "standardized_rand_score",
    "pvalue_adjusted_mutual_info_score", "lea_f_score", "muc_precision_score", "muc_recall_score",
    "muc_f_score", "split_count", "merge_count", "merge_distance", "cramers_v_score",
    "tschuprow_score",
}  # fmt: skip

CASES = [
    (name, parameters)
    for name in list_indices()
    if get_index(name).sums is not None
    for parameters in (
        {},
        *({key: value} for key, values in VALUES.items() for value in values
          if key in get_index(name).parameters),
    )
    if not (name.startswith("adjusted") and parameters.get("average_method") == "joint")
]  # fmt: skip


def tables():
    generator = np.random.default_rng(0)
    for _ in range(40):
        n = generator.integers(5, 80)
        true = generator.integers(generator.integers(1, 6), size=n)
        random = generator.integers(generator.integers(1, 7), size=n)
        pred = np.where(generator.random(n) < generator.random(), true, random)
        yield ContingencyTable.from_labels(true, pred)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parameters"), CASES)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_arrays_of_sums_have_the_values_of_their_tables(name, parameters):
    index, several = get_index(name), [*tables()]
    sums = index.sums(**parameters)
    totals = [
        np.array([
            one(table) if isinstance(one, CellSum)
            else one.total(SizedCells.of_table(table), float(table.n_samples))
            for table in several
        ])
        for one in sums
    ]  # fmt: skip
    n_samples = np.array([float(table.n_samples) for table in several])
    found = values_at(index, totals, n_samples, parameters)
    is_other = name == "adjusted_mutual_info_score" and "q" in parameters
    assert (found is None) == (name in BY_TABLE or "average" in parameters or is_other)
    if found is None:
        return
    expected = np.array([index(table, **parameters) for table in several])
    known = np.isfinite(found)  # the others are undefined without their tables
    assert known.sum() > 30
    np.testing.assert_allclose(found[known], expected[known], rtol=1e-12, atol=1e-12)


def test_common_indices_take_arrays():
    """Those whose intervals must be quick are never evaluated table by table."""
    ones = [np.full(3, 9.0)] * 3
    for name in ("ari", "nmi", "v_measure_score", "vi", "bcubed_f_score", "rand_score"):
        index = get_index(name)
        assert values_at(index, ones, np.full(3, 5.0), {}) is not None, name


def test_orders_close_to_one_take_tables():
    ones, n = [np.ones(3)] * 3, np.full(3, 5.0)
    information = get_index("mutual_info_score")
    assert values_at(information, ones, n, {"q": 1.011}) is not None
    assert values_at(information, ones, n, {"q": 1.009}) is None
