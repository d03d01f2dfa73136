"""Messages of errors: a table of calls and what each says."""

import math
from functools import partial

import numpy as np
import pytest

from sklearn_clustcompare import (
    ContingencyTable,
    chance_adjusted_score,
    paired_comparison_test,
    permutation_test,
    sampled_reference_scores,
    score_interval,
    standardized_mutual_info_score,
)
from sklearn_clustcompare.metrics import pvalue_adjusted_mutual_info_score
from sklearn_clustcompare.significance import (
    AllPartitionsModel,
    FixedClusterCountModel,
    MultinomialModel,
    PermutationModel,
    independence_test,
    noninferiority_test,
)
from tests._errors import using

TRUTH, FOUND, OTHER = [0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1]
HALF = {"sample_weight": [0.5, 1, 1, 1]}


adjusted = using(chance_adjusted_score, TRUTH, FOUND, index="rand_score")
independent = using(independence_test, TRUTH, FOUND)
interval = using(score_interval, TRUTH, FOUND, index="rand_score")
compared = using(paired_comparison_test, TRUTH, FOUND, OTHER, index="rand_score")
permuted = using(
    permutation_test, [0, 1] * 4, [0, 0, 1, 0, 1, 1, 0, 1], index="ari",
    groups=[0, 0, 1, 1, 2, 2, 3, 3],
)  # fmt: skip
sampled = using(
    sampled_reference_scores, ["c1", "c1", "c1", "c2", "c2", None, None, None],
    [1, 1, 2, 3, 2, 4, 4, 4],
)  # fmt: skip
modeled = using(chance_adjusted_score, [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2], index="rand_score")
SOFT, TABLE = [[0.5, 0.5]] * 4, ContingencyTable.from_counts([[3, 1], [1, 3]])
DATA = {"X": np.arange(8.0)[:, np.newaxis], "groups": [0, 1] * 4}


def labels(function, *sides):
    return partial(function, *sides, index="rand_score")


WRONG_VALUES = [
    (adjusted(method="exakt"), "^method must be one of .*'exakt'"),
    (adjusted(n_resamples=0), "^n_resamples must be at least 1, got 0"),
    (adjusted(index="rande"), "^index must be one of .*rand_score"),
    (adjusted(index="mutual_info_score"), "^index .*mutual_info_score"),
    (adjusted(index="chi_squared_statistic"), "^index .*chi_squared"),
    (adjusted(index="partition_difference"), "^index .*partition_diff"),
    (adjusted(index="standardized_rand_score"), "^index .*standardized"),
    (adjusted(index="v_measure_score", **HALF), "sample_weight"),
    (adjusted(index="purity_score", **HALF), "sample_weight"),
    (adjusted(sample_weight=[1, 1]), "^sample_weight"),
    (adjusted(sample_weight=[-1, 1, 1, 1]), "^sample_weight"),
    (adjusted(index="pair_f_score", beta=-1), "^beta"),
    (adjusted(index="variation_of_information_distance", q=2, base=2), "^base"),
    (modeled(model=MultinomialModel(6, [0.5, 0.5, 0.0], [0.5, 0.25, 0.25])),
     r"^model must have at least \(3, 3\) clusters"),
    (modeled(model="multinomial", index="purity_score"),
     "^model must not be 'multinomial' for purity_score with method='auto'"),
    (modeled(model="multinomial", method="monte_carlo"),
     "^model must not be 'multinomial' for rand_score with method='monte_carlo'"),
    (modeled(model=AllPartitionsModel(7)), "^model must be of 6 objects"),
    (modeled(model=AllPartitionsModel.one_sided([2, 2, 2])),
     "^model must have the cluster sizes of labels_true"),
    (modeled(model=FixedClusterCountModel(6, (3, 4))), r"^model must have \(3, 3\) clusters"),
    (modeled(model=AllPartitionsModel(6), method="limit"),
     "^method must not be 'limit' except under permutation"),
    (modeled(model=AllPartitionsModel(6), method="exact", index="pair_recall_score"),
     "^method must not be 'exact' for pair_recall_score under AllPartitionsModel"),
    (partial(labels(chance_adjusted_score, [0, 0, 1], SOFT[:3]), model=AllPartitionsModel(3)),
     "^model must be 'permutation' for real-valued counts"),
    (partial(labels(chance_adjusted_score, [0] * 4, SOFT), model="multinomial"),
     "^model must be 'permutation' for real-valued counts"),
    (partial(labels(chance_adjusted_score, [0, 0, 1], [0, 1, 1]), model="multinomial"),
     "^model must not be 'multinomial' for less than 4 objec"),
    (independent(method="limit"), "^method must be one of"),
    (independent(n_resamples=0), "^n_resamples"),
    (independent(q=0), "^q must be"),
    *((using(one, TRUTH, FOUND)(**HALF), "sample_weight.*Monte Carlo") for one in (
        independence_test, standardized_mutual_info_score, pvalue_adjusted_mutual_info_score)),
    *((using(one, [0, 1], [0, 1, 1])(),
       "labels_true and labels_pred must have the same length")
      for one in (independence_test, standardized_mutual_info_score)),
    (labels(permutation_test, TRUTH, [0, 1]), "same length"),
    (partial(labels(permutation_test, [0, 1], [0, 1]), blocks=[0]), "same length"),
    (permuted(groups=[0, 1]), "groups"),
    (permuted(groups=[None] * 8), "groups"),
    (permuted(groups=np.zeros((8, 2))), "groups"),
    (permuted(groups=[0] * 8), "^groups must hold at least 2 groups .* got 1$"),
    (permuted(blocks=[0] * 8), "^groups must be None with blocks"),
    (permuted(method="exact"), "^method must be .* with groups"),
    (permuted(groups=[0, 0, 0, 1, 1, 2, 2, 2]), "^groups must hold at least 8 groups"),
    (using(permutation_test, None, [0, 1] * 4, index="silhouette_score")(**DATA),
     "^groups must be None for silhouette_score"),
    *((one(**options), message) for one in (interval, compared) for options, message in (
        ({"confidence_level": 1}, "^confidence_level .*got 1"),
        ({"confidence_level": 0.0}, "^confidence_level"),
        ({"n_resamples": 1}, "^n_resamples must be at least 2, got 1"),
        ({"n_resamples": 0}, "^n_resamples must be at least 1, got 0"),
        ({"index": "rande"}, "^index must be one of"),
        ({"index": "pair_f_score", "beta": -1}, "^beta"),
        ({"index": "mutual_info_score", "q": 2, "base": 2}, "^base"))),
    (compared(n_comparisons=0), "^n_comparisons"),
    *((using(noninferiority_test, TRUTH, FOUND, OTHER, index="ari")(margin=one),
       "^margin must be") for one in (-0.1, np.nan, np.inf)),
    (labels(score_interval, [], []),
     "^labels_true must hold at least 4 objects for a sampling error, got 0$"),
    (labels(score_interval, [0, 1, 1], [0, 1, 1]), "^labels_true must hold at least 4 .* got 3"),
    (labels(score_interval, [0, 1], [0]),
     "^labels_true and labels_pred must have the same length, got 2 and 1"),
    (labels(score_interval, [0, 1], [0, None]), "^labels_pred must not contain missing"),
    (labels(score_interval, [0, 1.5], [0, 1]), "^labels_true must be discrete"),
    (labels(score_interval, TRUTH, [[0.5, 0.6]] * 4), "labels_pred.* must sum to 1, got 1.1"),
    (labels(paired_comparison_test, [], [], []), "^labels_true must hold at least 4 .* got 0"),
    (labels(paired_comparison_test, [0, 1], [0], [0, 1]),
     "^labels_true and labels_a must have the same length, got 2 and 1"),
    (labels(paired_comparison_test, [0, 1], [0, 1], [0]),
     "^labels_true and labels_b must have the same length, got 2 and 1"),
    (labels(paired_comparison_test, [0, 1], [0, 1], [0.0, math.nan]),
     "^labels_b must not contain NaN"),
    (labels(paired_comparison_test, [0, 1], [0, None], [0, 1]), "^labels_a must not contain missi"),
    (sampled(average="macro"), "^average must be one of 'object', 'cluster'"),
    (sampled(beta=-1), "^beta must be"),
    (sampled(confidence_level=1), "^confidence_level must lie between 0 and 1"),
    (sampled(cluster_weight="size"), "^cluster_weight must be one of 'uniform', 'inv"),
    (sampled(cluster_weight={"c1": 1}), "got 'c2' without a weight$"),
    (sampled(cluster_weight={"c1": 1, "c2": 1, "x": 1}), "got 'x' that does not occur"),
    (sampled(cluster_weight={"c1": 1, "c2": 0}), "^cluster_weight of 'c2' must be a p"),
    (partial(sampled_reference_scores, ["c1", None], [0, 1]),
     "^labels_true must have at least two known clusters, got"),
    (partial(sampled_reference_scores, TRUTH, [0]), "^labels_true and labels_pred must have the"),
    (partial(sampled_reference_scores, TRUTH, [None, 0, 1, 1]),
     "^labels_pred must not contain missing values, got None"),
]  # fmt: skip
WRONG_TYPES = [
    (adjusted(n_resamples=9.5), "^n_resamples must be an integer"),
    (adjusted(beta=2), "beta"),
    (modeled(model="perm"), "^model must be 'permutation', 'multin.*, got 'perm'"),
    (modeled(model=PermutationModel([6], [6])), "^model must be 'permutation', 'multin"),
    (independent(q="1"), "^q must be"),
    *((one(**options), message) for one in (interval, compared) for options, message in (
        ({"confidence_level": "high"}, "^confidence_level"),
        ({"n_resamples": 9.5}, "^n_resamples must be an integer"),
        ({"beta": 2}, "beta"))),
    (compared(n_comparisons=1.5), "^n_comparisons"),
    (compared(n_comparisons=True), "^n_comparisons must be an integer"),
    (using(noninferiority_test, TRUTH, FOUND, OTHER, index="ari")(margin="much"), "^margin must"),
    (sampled(cluster_weight={"c1": 1, "c2": "1"}), "^cluster_weight of 'c2' must be an"),
    (partial(permutation_test, TABLE, index="ari", groups=[0, 1] * 4),
     "^groups must be None unless"),
    (partial(permutation_test, TABLE, index="ari", blocks=[0, 0]), "^blocks must be None unless"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "message"), WRONG_VALUES)
def test_wrong_values_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(("call", "message"), WRONG_TYPES)
def test_wrong_types_are_named(call, message):
    with pytest.raises(TypeError, match=message):
        call()


@pytest.mark.filterwarnings("ignore:.* is not adjusted for chance")
@pytest.mark.parametrize("index", ["ari", "ami", "smi", "vi", "bcubed_f_score", "purity_score"])
def test_candidates_of_noise_alone_have_no_error(index):
    truth = np.arange(60) % 4
    noise, kept = np.full(60, -1), np.where(np.arange(60) % 7, truth, -1)
    for function, sides in ((score_interval, [noise]), (paired_comparison_test, [kept, noise])):
        with pytest.raises(ValueError, match="^index must be finite to have a sampling error"):
            function(truth, *sides, index=index, noise="drop", n_resamples=9)
