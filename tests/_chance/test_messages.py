"""What the messages of errors of random models name."""

import math

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable, adjusted_mutual_info_score
from sklearn_clustcompare.indices import CellSum
from sklearn_clustcompare.significance import (
    AllPartitionsModel,
    FixedClusterCountModel,
    MultinomialModel,
    PermutationModel,
)

MODEL = PermutationModel([3, 2, 2], [4, 2, 1])
LARGE = PermutationModel([400, 300, 300], [500, 250, 250])
MANY = AllPartitionsModel(12)
TABLE = ContingencyTable.from_labels([0, 0, 1], [0, 1, 1])
V, T = ValueError, TypeError
SHAPE, REAL = "phi.* must return an array of the shape", "phi.* must return an array of real num"
ORDER, SIZE = (
    r"^q must be a number from 0\.001 to 30, got",
    "^size must be a non-negative integer, got",
)
JUMPS = "^smooth must be False for phi.*which jumps between"
EMPTY = "must be 0 for an empty cell, n = 0, got 1"
OF_PHI = [
    (2.0, T, "phi must be a function of n, a and b, got 2.0"),
    (lambda n, a, b: 1.0, V, rf"{SHAPE}.*got \(\)"),
    (lambda n, a, b: n.sum(axis=0), V, SHAPE),
    (lambda n, a, b: n * 1j, T, f"{REAL}bers, got complex"),
    (lambda n, a, b: n.astype(str), T, REAL),
    (lambda n, a, b: np.where(n > 0, n, np.nan), V, "phi.* must be finite.*n = 0"),
    (lambda n, a, b: np.where(n > 1, np.inf, n), V, "phi.* must be finite.*got inf"),
]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: PermutationModel([3, 2], [4]), V, "^row_sums and col_sums must .* got 5 and 4"),
        (lambda: PermutationModel([3, -1], [2]), V, "^row_sums must not be negative, got -1"),
        (lambda: PermutationModel([5], [2.5, 2.5]), V, r"^col_sums must .* got 2.5.*Monte Carlo"),
        (lambda: PermutationModel([np.nan], [1]), V, "^row_sums must hold whole counts, got nan"),
        (lambda: PermutationModel([[1, 2]], [3]), V, r"^row_sums must be one-dimen.* \(1, 2\)"),
        (lambda: PermutationModel(["3"], [3]), T, "^row_sums must hold whole .* type <U1"),
        (lambda: PermutationModel([True], [1]), T, "^row_sums must hold whole .* type bool"),
        (lambda: PermutationModel([2**53, 1], [1]), V, r"^row_sums .* 2\*\*53, got 90071992547409"),
        (lambda: PermutationModel([2**31 - 7, 7], [2**30] * 2).rvs(), V, r"^row_sums .* 2\*\*31 "),
        (lambda: MODEL.rvs(size=-1), V, SIZE),
        *((lambda q=q: MODEL.expected_mutual_info(q), V, ORDER) for q in (0.0, math.nan, math.inf)),
        (lambda: MODEL.mutual_info_variance(-1.0), V, ORDER),
        (lambda: MODEL.expected_cluster_information(-1), V, ORDER),
        (lambda: MODEL.expected_cluster_conditional_entropy(-1), V, ORDER),
        (lambda: MODEL.expected_mutual_info("1"), T, "q must be an int or a float, got .1."),
        (
            lambda: MODEL.expected_mutual_info(method="fast"),
            V,
            "'limit'; got 'fast'",
        ),
        (
            lambda: adjusted_mutual_info_score([0, 0, 1], [0, 1, 1], sample_weight=[2**53] * 3),
            V,
            r"^sample_weight, or the counts of a table, must sum to at most 2\*\*53",
        ),
        (lambda: FixedClusterCountModel(3, (4, 2)), V, "^n_clusters must be at most the"),
        (lambda: FixedClusterCountModel(3, (0, 2)), V, "^n_clusters must be at least 1"),
        (lambda: FixedClusterCountModel(3, 2), T, "^n_clusters must be two numbers"),
        (lambda: FixedClusterCountModel(2.5, (1, 1)), T, "^n_samples must be an integer"),
        (lambda: FixedClusterCountModel.one_sided([2, -1], 1), V, "^row_sums must not be"),
        (lambda: FixedClusterCountModel.one_sided([2, 1], 4), V, "^n_clusters must be at"),
        (lambda: AllPartitionsModel(0), V, "^n_samples must be at least 1"),
        (lambda: AllPartitionsModel.one_sided([]), V, "^row_sums must hold at least one"),
        (lambda: MultinomialModel(0, [1], [1]), V, "^n_samples must be at least 1"),
        (lambda: MultinomialModel(3, [0.5, 0.6], [1]), V, "^row_shares must add up to 1"),
        (lambda: MultinomialModel(3, [1], [2, -1]), V, "^col_shares must be a sequence"),
        (lambda: MultinomialModel(3, [1], []), V, "^col_shares must be a sequence"),
        (lambda: MultinomialModel(3, [1], [math.nan]), V, "^col_shares must be a seq"),
        (lambda: MultinomialModel(3, "a", [1]), T, "^row_shares must be numbers, got 'a'"),
        (lambda: MANY.rvs(-1), V, SIZE),
        (lambda: MANY.rvs(1.5), V, SIZE),
        (lambda: MANY.expected_mutual_info(0), V, ORDER),
        (lambda: MODEL.expected_cell_sum(abs, smooth=1), T, "smooth must be True or False, got 1"),
        (lambda: CellSum(lambda n, a, b: n == 0)(TABLE), V, EMPTY),
        (lambda: CellSum(lambda n, a, b: n + 1.0)(TABLE), V, EMPTY),
        *(
            (lambda f=f: f(lambda n, a, b: n > 110, smooth=True), V, JUMPS)
            for f in (LARGE.expected_cell_sum, LARGE.cell_sum_variance)
        ),
        *(
            (lambda f=f, phi=phi: f(phi), error, message)
            for f in (MODEL.expected_cell_sum, MODEL.cell_sum_variance)
            for phi, error, message in OF_PHI
        ),
    ],
)
def test_bad_arguments_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_a_jump_is_no_error_unless_it_is_declared_smooth():
    LARGE.expected_cell_sum(lambda n, a, b: n > 110)
    LARGE.cell_sum_variance(lambda n, a, b: n > 110)
