"""Multilevel splitting against exact tail probabilities."""

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable, permutation_test
from tests._chance.test_exact import LARGE_TABLES
from tests._examples import slow

LARGE, (SQUARES, INFORMATION, _) = LARGE_TABLES[0]


@pytest.mark.parametrize(
    ("counts", "index", "expected"),
    [
        slow(LARGE, "adjusted_rand_score", SQUARES),
        slow(LARGE, "mutual_info_score", INFORMATION),
    ],
)
def test_small_tails_of_large_tables(counts, index, expected):
    table = ContingencyTable.from_counts(counts)
    found = [
        permutation_test(table, index=index, method="splitting", random_state=seed)
        for seed in range(4)
    ]
    ratios = np.array([one.pvalue for one in found]) / expected
    assert 0.6 < ratios.mean() < 1.6
    assert ratios.min() > 0.4
    assert ratios.max() < 2.5


@pytest.mark.slow
@pytest.mark.parametrize("index", ["adjusted_rand_score", "mutual_info_score"])
@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
def test_a_tail_that_is_counted(index, alternative):
    table = ContingencyTable.from_counts([[9, 2, 1], [1, 8, 2]])
    options = {"index": index, "alternative": alternative}
    exact = permutation_test(table, method="exact", **options)
    found = permutation_test(table, method="splitting", **options)
    assert found.pvalue == pytest.approx(exact.pvalue, rel=0.4)
    assert 0 < found.relative_error < 0.3
    assert found.log10_pvalue == pytest.approx(np.log10(found.pvalue))
    assert "by multilevel splitting" in repr(found)


def test_less_agreement_is_the_other_tail():
    table = ContingencyTable.from_counts([[4, 5], [6, 4]])
    options = {"index": "rand_score", "alternative": "less"}
    exact = permutation_test(table, method="exact", **options)
    found = permutation_test(table, method="splitting", **options)
    assert found.pvalue == pytest.approx(exact.pvalue, rel=0.15)


@pytest.mark.slow
@pytest.mark.parametrize("index", ["purity_score", "matching_accuracy_score", "muc_f_score"])
def test_any_index_has_its_tail(index):
    table = ContingencyTable.from_counts([[20, 1], [2, 21]])
    exact = permutation_test(table, index=index, method="exact")
    found = permutation_test(table, index=index, method="splitting")
    assert found.pvalue == pytest.approx(exact.pvalue, rel=0.7)
    assert 0 <= found.relative_error < 0.6


@pytest.mark.slow
def test_by_default_a_tail_is_split_where_no_draw_is_as_extreme():
    rng = np.random.default_rng(0)
    truth = rng.integers(3, size=120)
    found = np.where(rng.random(120) < 0.4, truth, rng.integers(3, size=120))
    test = permutation_test(truth, found, index="purity_score", n_resamples=499)
    assert (test.method, len(test.null_distribution)) == ("splitting", 499)
    assert 1e-20 < test.pvalue < 1 / 500
    assert "none of 499 random tables" in test.reason
    # Not where it would take longer, nor where objects are permuted within blocks.
    many = np.repeat(np.arange(12), 10)
    blocked = permutation_test(
        truth, found, index="purity_score", n_resamples=99, blocks=np.arange(120) % 2
    )
    large = permutation_test(many, many, index="purity_score", n_resamples=99)
    assert [one.method for one in (blocked, large)] == ["monte_carlo"] * 2


def test_indices_of_data_are_refused():
    X = np.arange(8.0)[:, np.newaxis]
    with pytest.raises(ValueError, match="got 'splitting': it needs"):
        permutation_test(None, [0, 1] * 4, index="silhouette_score", X=X, method="splitting")
