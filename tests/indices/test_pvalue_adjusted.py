"""The p-value of the mutual information as an index."""

import math

import numpy as np
import pytest
from scipy.stats import kstest

from sklearn_clustcompare import (
    permutation_test,
)
from sklearn_clustcompare.metrics import pvalue_adjusted_mutual_info_score
from sklearn_clustcompare.significance import independence_test
from tests._examples import slow
from tests._laws import (
    labels_of,
    noisy_copy,
)

ORDERS = [0.5, 1, 2, 2.5]


@pytest.mark.slow
@pytest.mark.parametrize("q", ORDERS)
@pytest.mark.parametrize("share", [1.0, 0.8, 0.0])
def test_pvalue_adjusted_score_is_that_of_the_test(q, share):
    labels = labels_of((20, 15, 5)), noisy_copy(labels_of((20, 15, 5)), 4, share, 0)
    test = independence_test(*labels, q=q)
    assert test.method == "exact"
    assert pvalue_adjusted_mutual_info_score(*labels, q=q) == 1 - test.pvalue
    surprisal = pvalue_adjusted_mutual_info_score(*labels, q=q, scale="log")
    assert surprisal == pytest.approx(-math.log(test.pvalue), rel=1e-12)


@pytest.mark.slow
def test_log_scale_where_a_float_is_too_small_for_the_p_value():
    """One object in the wrong cluster, of ever more objects, with all tables and four moments."""
    surprisals = []
    for n in range(300, 1000, 20):
        labels = labels_of((n // 2, n // 4, n // 4))
        other = labels.copy()
        other[0] = 2
        surprisals.append(pvalue_adjusted_mutual_info_score(labels, other, scale="log"))
        exact, moments = (
            permutation_test(labels, other, index="mutual_info_score", method=method)
            for method in ("exact", "moments")
        )
        assert surprisals[-1] == pytest.approx(-exact.log10_pvalue * math.log(10), rel=1e-12)
        # Four moments give some four times the exact p-value, less of more objects.
        assert 0 < moments.log10_pvalue - exact.log10_pvalue < math.log10(4 if n > 400 else 5)
    assert surprisals[0] < 600
    assert surprisals[-1] > 800
    steps = np.diff(surprisals)
    assert np.all(np.abs(np.diff(steps)) < 0.02 * steps[1:])


@pytest.mark.parametrize("skew", [pytest.param(0.0, id="balanced"), slow(1.0, id="skewed")])
@pytest.mark.parametrize("q", [slow(1), 2])
@pytest.mark.parametrize("n_times", [2, slow(40)])
def test_pvalue_adjusted_score_is_uniform_for_independent_partitions(q, skew, n_times):
    rng = np.random.default_rng(0)
    scores = []
    for n_clusters in (3, 5, 8):
        shares = np.arange(1, n_clusters + 1) ** -skew
        for _ in range(n_times):
            labels = (rng.choice(n_clusters, size=400, p=shares / shares.sum()) for _ in range(2))
            scores.append(pvalue_adjusted_mutual_info_score(*labels, q=q))
    assert kstest(scores, "uniform").pvalue > 0.01
