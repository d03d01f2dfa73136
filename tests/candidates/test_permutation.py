"""Permutation tests of many candidates against one reference."""

import itertools

import numpy as np
import pytest

from sklearn_clustcompare import permutation_test, score_candidates
from sklearn_clustcompare.candidates._pairwise import step_down
from tests._indices import own_index

RNG = np.random.default_rng(3)
TRUTH = RNG.integers(3, size=90)
CANDIDATES = {
    "good": np.where(RNG.random(90) < 0.7, TRUTH, RNG.integers(3, size=90)),
    "alike": np.where(RNG.random(90) < 0.7, TRUTH, RNG.integers(3, size=90)),
    "random": RNG.integers(4, size=90),
    "other": RNG.integers(5, size=90),
}


@pytest.mark.slow
@pytest.mark.parametrize("index", ["adjusted_rand_score", "mirkin_distance", "purity_score"])
def test_pvalues_of_single_candidates(index):
    test = score_candidates(TRUTH, CANDIDATES, indices=index).permutation_test(n_resamples=500)
    assert test.names == list(CANDIDATES)
    for name, pvalue, far in zip(test.names, test.pvalues, test.standardized, strict=True):
        single = permutation_test(TRUTH, CANDIDATES[name], index=index, n_resamples=999)
        assert abs(pvalue - single.pvalue) < 0.02 + 4 * np.sqrt(pvalue * (1 - pvalue) / 100)
        if single.has_exact_moments:
            sign = 1 if single.index.greater_is_better else -1
            assert far == pytest.approx(sign * single.standardized, rel=1e-12)
    assert (test.pvalue_adjusted >= test.pvalues).all()
    assert (test.pvalue_adjusted[:2] <= 0.01).all()
    assert (test.pvalue_adjusted[2:] > 0.05).all()


def test_step_down_by_its_definition():
    rng = np.random.default_rng(1)
    observed, drawn = rng.normal(size=5) + 1, rng.normal(size=(200, 5))
    _, adjusted = step_down(observed, drawn)
    order = sorted(range(5), key=lambda one: -observed[one])
    least = 0.0
    for step, one in enumerate(order):
        maxima = drawn[:, order[step:]].max(axis=1)
        least = max(least, (1 + (maxima >= observed[one]).sum()) / 201)
        assert adjusted[one] == pytest.approx(least, rel=1e-12)


def test_candidates_that_are_equal_count_once():
    pairs = itertools.product(CANDIDATES, "abc")
    many = {f"{name}{copy}": CANDIDATES[name] for name, copy in pairs}
    few, all_ = (
        score_candidates(TRUTH, ones, indices="rand_score").permutation_test(n_resamples=99)
        for ones in (CANDIDATES, many)
    )
    np.testing.assert_array_equal(all_.pvalue_adjusted[::3], few.pvalue_adjusted)


@pytest.mark.parametrize("groups", [None, 5 * TRUTH + np.arange(90) % 5])
def test_weights_are_repeated_objects(groups):
    weights = np.arange(90) % 3
    how = {"indices": "rand_score"}
    weighted = score_candidates(TRUTH, CANDIDATES, sample_weight=weights, groups=groups, **how)
    repeated = {name: np.repeat(one, weights) for name, one in CANDIDATES.items()}
    groups = None if groups is None else np.repeat(groups, weights)
    plain = score_candidates(np.repeat(TRUTH, weights), repeated, groups=groups, **how)
    one, other = (found.permutation_test(n_resamples=200) for found in (weighted, plain))
    np.testing.assert_array_equal(one.standardized, other.standardized)
    np.testing.assert_array_equal(one.pvalues, other.pvalues)
    np.testing.assert_array_equal(one.pvalue_adjusted, other.pvalue_adjusted)


def test_very_many_copies_are_refused():
    many = np.full(90, 2**53)
    too_many = score_candidates(TRUTH, CANDIDATES, indices="rand_score", sample_weight=many)
    with pytest.raises(ValueError, match="^sample_weight must sum to at most 1,000,000 to permute"):
        too_many.permutation_test(n_resamples=19)


def test_frame_has_the_adjusted_pvalues():
    pytest.importorskip("pandas")
    test = score_candidates(TRUTH, CANDIDATES, indices="rand_score").permutation_test(
        n_resamples=50
    )
    assert test.to_frame()["pvalue_adjusted"].tolist() == test.pvalue_adjusted.tolist()
    assert repr(test).startswith("CandidatePermutationTest: rand_score, 2 of 4 candidates")


@pytest.mark.parametrize(
    ("candidates", "options"),
    [(iter([TRUTH]), {}), ([TRUTH], {"within": TRUTH}), ([TRUTH], {"several": True})],
)
def test_labels_that_were_not_kept(candidates, options):
    truth = {"one": TRUTH, "two": TRUTH} if options.pop("several", False) else TRUTH
    result = score_candidates(truth, candidates, indices="rand_score", **options)
    with pytest.raises(ValueError, match=r"^permutation_test\(\) needs the labels"):
        result.permutation_test()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_a_candidate_without_a_value_is_named():
    index = own_index(lambda table: 0.5 if table.shape[1] < 5 else np.nan)
    scores = score_candidates(TRUTH, CANDIDATES, indices=index)
    with pytest.raises(ValueError, match="^index must be defined .* of candidate 'other'"):
        scores.permutation_test(n_resamples=9)


def test_groups_permute_the_reference_alone_and_objects_without_weight_are_absent():
    groups = np.repeat(np.arange(8), [3, 4] * 4)
    rng = np.random.default_rng(0)
    constant, mixed = groups % 3, rng.integers(3, size=28)
    given = {"indices": "rand_score", "groups": groups}
    with pytest.raises(ValueError, match="^groups must be of equal size, or the labels of the ref"):
        score_candidates(mixed, [constant], **given).permutation_test(n_resamples=9)
    # Without weight, an object makes no group mixed or larger.
    weights = np.ones(28, int)
    weights[[3, 10, 17]] = 0
    turned, kept = np.where(weights, constant, 5), weights > 0
    found = score_candidates(turned, [mixed], sample_weight=weights, **given)
    given["groups"] = groups[kept]
    expected = score_candidates(constant[kept], [mixed[kept]], **given)
    tests = [one.permutation_test(n_resamples=99) for one in (found, expected)]
    assert tests[0].pvalues.tolist() == tests[1].pvalues.tolist()
