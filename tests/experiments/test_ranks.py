"""Ranks and tests of methods on many data sets, by printed figures and by other packages."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from mpmath import betainc
from scipy.stats import friedmanchisquare, wilcoxon

from sklearn_clustcompare.experiments import rank_methods
from tests._examples import FEW_EXAMPLES

# Table 6 of Demsar (2006): area under the curve of four variants of C4.5 on 14 data sets.
NAMES = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
AUC = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        # Ranked 2 and 3 in the paper, by digits that are not printed.
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)


def test_figures_of_the_paper():
    result = rank_methods(AUC, names=NAMES, tie_correction=False)
    assert result.mean_ranks.round(3).tolist() == [3.143, 2.000, 2.893, 1.964]
    assert round(result.statistic, 2) == 9.28
    assert round(result.f_statistic, 2) == 3.69
    assert round(result.critical_difference, 2) == 1.25
    # 3 and 39 degrees of freedom.
    share = 39 / (39 + 3 * result.f_statistic)
    assert result.f_pvalue == pytest.approx(
        float(betainc(39 / 2, 3 / 2, 0, share, True)), rel=1e-12
    )
    assert rank_methods(AUC, significance_level=0.1).critical_difference == pytest.approx(
        1.12, abs=0.005
    )


def test_groups_of_the_paper():
    """At .10 the difference of C4.5 from C4.5+m+cf and from C4.5+m exceeds 1.12."""
    result = rank_methods(AUC, names=NAMES, significance_level=0.1)
    assert result.groups() == [["C4.5+m+cf", "C4.5+m", "C4.5+cf"], ["C4.5+cf", "C4.5"]]
    assert rank_methods(AUC, names=NAMES).groups() == [["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]]


@pytest.mark.parametrize(
    ("n_methods", "significance_level", "quantile"),
    # Table 5a of the paper.
    [(3, 0.05, 2.343), (5, 0.05, 2.728), (10, 0.05, 3.164), (3, 0.1, 2.052), (10, 0.1, 2.920)],
)
def test_critical_values_of_the_paper(n_methods, significance_level, quantile):
    scores = np.random.default_rng(0).random((7, n_methods))
    expected = quantile * math.sqrt(n_methods * (n_methods + 1) / (6 * 7))
    found = rank_methods(scores, significance_level=significance_level).critical_difference
    assert found == pytest.approx(expected, abs=0.0011)


def test_tie_correction_is_that_of_scipy():
    result = rank_methods(AUC)
    assert (result.statistic, result.pvalue) == pytest.approx(tuple(friedmanchisquare(*AUC.T)))


def test_corrected_statistic_is_the_analysis_of_variance_of_the_ranks():
    """Conover: with ties, too, F is the ratio of mean squares of a two-way layout of ranks."""
    result = rank_methods(AUC)
    ranks = result.ranks
    n_datasets, n_methods = ranks.shape
    effects = ranks.mean(axis=0) - ranks.mean()
    between = n_datasets * (effects**2).sum() / (n_methods - 1)
    rest = ((ranks - ranks.mean() - effects) ** 2).sum()
    within = rest / ((n_datasets - 1) * (n_methods - 1))
    assert result.f_statistic == pytest.approx(between / within)


def test_pvalues_are_below_the_level_where_ranks_differ_by_the_critical_difference():
    scores = np.random.default_rng(1).normal(size=(20, 6)) + np.arange(6) / 3
    result = rank_methods(scores)
    mean = result.mean_ranks
    differs = np.abs(mean[:, np.newaxis] - mean) >= result.critical_difference
    assert np.array_equal(result.pvalues < 0.05, differs)
    assert differs.any()
    assert not differs[np.triu_indices(6, 1)].all()


def test_pvalues_are_those_of_scikit_posthocs():
    scikit_posthocs = pytest.importorskip("scikit_posthocs")
    expected = np.asarray(scikit_posthocs.posthoc_nemenyi_friedman(AUC))
    assert rank_methods(AUC).pvalues == pytest.approx(expected)


@pytest.mark.filterwarnings("ignore:Exact p-value calculation does not work:UserWarning")
def test_wilcoxon_with_holm():
    result = rank_methods(AUC, post_hoc="wilcoxon")
    pairs = list(itertools.combinations(range(4), 2))
    single = {
        pair: wilcoxon(AUC[:, pair[0]], AUC[:, pair[1]], zero_method="zsplit").pvalue
        for pair in pairs
    }
    reached = 0.0
    for step, pair in enumerate(sorted(pairs, key=single.get)):
        reached = max(reached, min((len(pairs) - step) * single[pair], 1.0))
        assert result.pvalues[pair] == pytest.approx(reached)
        assert result.pvalues[pair[::-1]] == result.pvalues[pair]
    assert result.critical_difference is None


def test_methods_that_never_differ():
    scores = np.repeat(np.arange(5.0)[:, np.newaxis], 3, axis=1)
    for post_hoc in ("nemenyi", "wilcoxon"):
        result = rank_methods(scores, post_hoc=post_hoc)
        assert (result.statistic, result.pvalue, result.f_statistic) == (0.0, 1.0, 0.0)
        assert (result.pvalues == 1).all()
        assert result.groups() == [[0, 1, 2]]


def test_the_same_order_everywhere():
    result = rank_methods(np.tile([3.0, 2.0, 1.0], (30, 1)))
    assert result.f_statistic == math.inf
    assert result.f_pvalue == 0.0
    assert result.groups() == []


def test_lower_is_better():
    result = rank_methods([[1, 2, 3], [1, 3, 2]], greater_is_better=False)
    assert result.ranks.tolist() == [[1, 2, 3], [1, 3, 2]]


def test_names_come_from_where_they_are():
    table = {"a": [3.0, 3.0], "b": [2.0, 1.0], "c": [1.0, 2.0]}
    for scores in (table, pd.DataFrame(table, index=["iris", "wine"])):
        result = rank_methods(scores)
        assert result.names == ["a", "b", "c"]
        assert result.ranks.tolist() == [[1, 2, 3], [1, 3, 2]]
    frame = result.to_frame()
    assert frame["mean_rank"].to_dict() == {"a": 1.0, "b": 2.5, "c": 2.5}
    assert frame.loc["b", "c"] == result.pvalues[1, 2]


def test_failures_share_the_last_rank():
    scores = [[0.5, np.nan, np.nan], [0.1, 0.2, 0.3]]
    with pytest.warns(UserWarning, match=r"2 scores are NaN .*: 1 \(1\), 2 \(1\)"):
        result = rank_methods(scores)
    assert result.ranks.tolist() == [[1, 2.5, 2.5], [3, 2, 1]]
    with pytest.raises(
        ValueError, match=r"^scores must be finite for post_hoc='wilcoxon'.*got NaN"
    ):
        rank_methods(scores, post_hoc="wilcoxon")


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ([[1, 2], [2, 1]], {}, r"^scores must have one row .* got shape \(2, 2\)"),
        ([[1, 2, 3]], {}, r"^scores must have one row .* got shape \(1, 3\)"),
        ([[1, 2, np.inf], [1, 2, 3]], {}, "^scores must be finite or NaN, got inf"),
        ({"a": [1, 2], "b": [1]}, {}, r"^scores must have as many values .* \(1,\), \(2,\)"),
        ({"a": 1, "b": 2, "c": 3}, {}, r"^scores must have as many values .* shape \(\)"),
        ([[1, 2, 3], [1, 2]], {}, "^scores must be an array of numbers, got a ragged"),
        (AUC + 1j, {}, "^scores must be real numbers, got an array of dtype complex128"),
        ({"a": [1, 2], "b": [1, 2], "c": ["1", "2"]}, {}, "^scores must be real numbers, got an"),
        (
            pd.DataFrame({"a": [1, 2], "b": [1, 2], "c": ["1", "x"]}),
            {},
            "^scores must be real .*'1",
        ),
        (
            {name: pd.Series([1, 2], index=list(name + "x")) for name in "abc"},
            {},
            "^scores must have the same index for each method, got another one for 'b'",
        ),
        (AUC, {"names": 3}, "^names must be 4 different names, one per method, got 3"),
        (AUC, {"names": "abcd"}, "^names must be 4 different names, one per method, got 'abcd'"),
        (AUC, {"names": [[1], 2, 3, 4]}, "^names must be 4 .* that can be hashed"),
        (AUC, {"names": ["mean_rank", *"abc"]}, "^names must not contain 'mean_rank'"),
        (AUC, {"names": list("abca")}, "^names must be 4 different names"),
        (AUC, {"names": list("abc")}, "^names must be 4 different names"),
        (AUC, {"post_hoc": "tukey"}, "^post_hoc must be one of 'nemenyi', 'wilcoxon'; got 'tukey'"),
        (AUC, {"significance_level": 0}, "^significance_level must lie between 0 and 1"),
    ],
)
def test_bad_input(scores, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        rank_methods(scores, **options)


@pytest.mark.slow
@FEW_EXAMPLES
@given(
    arrays(
        np.float64,
        st.tuples(st.integers(2, 6), st.integers(3, 6)),
        elements=st.integers(0, 3).map(float),
    ),
    st.sampled_from(["nemenyi", "wilcoxon"]),
)
def test_groups_are_the_largest_sets_without_a_difference(scores, post_hoc):
    result = rank_methods(scores, post_hoc=post_hoc, significance_level=0.5)
    n_methods = scores.shape[1]
    alike = [
        set(group)
        for size in range(2, n_methods + 1)
        for group in itertools.combinations(range(n_methods), size)
        if all(result.pvalues[pair] >= 0.5 for pair in itertools.combinations(group, 2))
    ]
    largest = [group for group in alike if not any(group < other for other in alike)]
    assert sorted(map(sorted, result.groups())) == sorted(map(sorted, largest))


@pytest.mark.parametrize(
    "scores",
    [
        np.ma.masked_equal([[5, 9, 9], [1, 2, 3]], 9),
        {k: np.ma.masked_equal(one, 9) for k, one in enumerate([[5, 1], [9, 2], [9, 3]])},
        [np.ma.masked_equal(one, 9) for one in ([5, 9, 9], [1, 2, 3])],
        pd.DataFrame({"a": [5, 1], "b": [pd.NA, 2], "c": [None, 3]}, dtype="Int64"),
        [[5, None, None], [1, 2, 3]],
    ],
)
def test_masked_and_missing_scores_are_failures(scores):
    with pytest.warns(UserWarning, match="2 scores are NaN"):
        result = rank_methods(scores)
    assert result.ranks.tolist() == [[1, 2.5, 2.5], [3, 2, 1]]


def test_no_method_is_best_where_all_fail():
    with pytest.warns(UserWarning, match="3 scores are NaN"):
        result = rank_methods([[np.nan] * 3, [0.1, 0.2, 0.3], [0.5, 0.5, 0.5]])
    assert result.times_best.tolist() == [1, 1, 2]


@pytest.mark.parametrize("post_hoc", ["nemenyi", "wilcoxon"])
def test_rounding_makes_no_order_of_methods(post_hoc):
    scores = np.random.default_rng(0).random((9, 3))
    scores[:5, 1] = scores[:5, 0]
    rounded = scores.copy()
    rounded[:5, 1] = np.nextafter(rounded[:5, 1], [0, 1, 0, 1, 0])
    assert (scores != rounded).any()
    expected, found = (rank_methods(one, post_hoc=post_hoc) for one in (scores, rounded))
    assert found.ranks.tolist() == expected.ranks.tolist()
    assert found.times_best.tolist() == expected.times_best.tolist()
    assert found.pvalues == pytest.approx(expected.pvalues, rel=1e-12)


def test_pvalues_are_shown_as_0_and_1_only_if_they_are():
    alike = repr(rank_methods(np.tile([3.0, 2.0, 1.0], (30, 1))))
    assert "F inf (all data sets rank the methods equally)\n" in alike
    assert "p = 0" not in repr(rank_methods(np.tile([3.0, 2.0, 1.0], (400, 1))))
    assert "chi-squared 800, p < 1e-16" in repr(rank_methods(np.tile([3.0, 2.0, 1.0], (400, 1))))
    # Mean ranks that differ by very little: each order 5,000 times, and one once more.
    orders = [list(map(float, order)) for order in itertools.permutations(range(3))]
    nearly = rank_methods(orders * 5000 + orders[:1])
    assert 0.9999 < nearly.pvalue < 1
    assert "p 1," not in repr(nearly)
    assert "p = 0.9999" in repr(nearly)
    assert "chi-squared 0, p = 1\n" in repr(rank_methods(np.ones((3, 3))))


def test_shown():
    text = repr(rank_methods(AUC, names=NAMES, tie_correction=False))
    assert "chi-squared 9.279" in text
    assert "F 3.686" in text
    assert "critical difference 1.254" in text
    assert "<table>" in rank_methods(AUC)._repr_html_()
