"""Adjustment for chance and significance tests against all permutations of small partitions."""

import itertools
import math
import pickle
import warnings
from collections import Counter

import mpmath
import numpy as np
import pytest
from scipy.stats import kstest
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import (
    ContingencyTable,
    PermutationModel,
    adjusted_mutual_info_score,
    adjusted_rand_score,
    chance_adjusted_score,
    get_index,
    independence_test,
    list_indices,
    paired_comparison_test,
    pvalue_adjusted_mutual_info_score,
    standardized_mutual_info_score,
    standardized_rand_score,
)
from tests import _oracles as oracles
from tests._deviations import BELOW_ONE_AT_IDENTITY, NOT_ONE_AT_IDENTITY

ORDERS = [0.5, 1, 2, 2.5]
AVERAGES = ["min", "geometric", "arithmetic", "max"]

# Sizes of the clusters of two partitions; every arrangement of the objects is looked at.
MARGINS = [
    ((3, 2, 2), (4, 2, 1)),
    ((3, 3), (2, 2, 2)),
    ((1, 1, 1, 4), (5, 2)),
    ((2, 2, 1, 1), (3, 3)),
    ((4, 2), (1, 1, 1, 1, 2)),
]
# One cluster or singletons on a side: all arrangements are alike.
TRIVIAL_MARGINS = [
    ((6,), (4, 2)),
    ((4, 2), (6,)),
    ((1,) * 6, (3, 2, 1)),
    ((3, 2, 1), (1,) * 6),
    ((1,) * 6, (6,)),
    ((6,), (1,) * 6),
]
# The same on both sides.
TRIVIAL_IDENTICAL_MARGINS = [((6,), (6,)), ((1,) * 6, (1,) * 6), ((1,), (1,))]

# Every index that is linear in the number of pairs or in MI_q, with its parameters.
EXACT = [
    ("rand_score", {}),
    ("adjusted_rand_score", {}),
    ("frobenius_adjusted_rand_score", {}),
    ("fowlkes_mallows_score", {}),
    ("pair_precision_score", {}),
    ("pair_recall_score", {}),
    *(("pair_f_score", {"beta": beta}) for beta in (0, 0.5, 1, 2)),
    *(("adjusted_wallace_score", {"given": given}) for given in ("true", "pred")),
    *(("mirkin_distance", {"normalize": normalize}) for normalize in (False, True)),
    *(
        ("pair_counting_score", {"coefficient": coefficient, "adjusted": adjusted})
        for coefficient in oracles.LINEAR_COEFFICIENTS
        for adjusted in (False, True)
    ),
    *(
        ("normalized_mutual_info_score", {"q": q, "average_method": average})
        for q in ORDERS
        for average in AVERAGES
    ),
    *(
        ("adjusted_mutual_info_score", {"q": q, "average_method": average})
        for q in (1, 2.5)
        for average in AVERAGES
    ),
    ("homogeneity_score", {}),
    ("completeness_score", {}),
    *(("v_measure_score", {"beta": beta}) for beta in (0, 0.5, 1, 2)),
    *(
        (name, {"q": q})
        for name in ("conditional_entropy", "variation_of_information_distance")
        for q in ORDERS
    ),
    ("conditional_entropy", {"base": 2}),
    ("variation_of_information_distance", {"base": 2}),
    ("normalized_information_distance", {}),
]

# No closed form: a maximum, or a ratio whose denominator varies.
NOT_EXACT = [
    ("pair_jaccard_score", {}),
    ("purity_score", {}),
    ("inverse_purity_score", {}),
    ("f_measure_score", {"beta": 0.5}),
    ("meila_heckerman_score", {}),
    ("maximum_match_score", {}),
    ("matching_accuracy_score", {}),
    ("misclassification_distance", {}),
    ("van_dongen_distance", {"normalize": True}),
    ("normalized_mutual_info_score", {"average_method": "joint"}),
    ("variation_of_information_distance", {"normalize": "joint"}),
    ("pvalue_adjusted_mutual_info_score", {}),
    *(
        ("pair_counting_score", {"coefficient": coefficient})
        for coefficient in sorted(set(oracles.COEFFICIENTS) - set(oracles.LINEAR_COEFFICIENTS))
    ),
]


def named(cases):
    return [f"{name}-{','.join(map(str, parameters.values()))}" for name, parameters in cases]


def labels_of(sizes):
    return np.repeat(np.arange(len(sizes)), sizes)


def labels_of_table(counts):
    rows, cols = np.indices(np.shape(counts))
    return np.repeat(rows, np.ravel(counts)), np.repeat(cols, np.ravel(counts))


def law(row_sums, col_sums):
    """Return each table that an arrangement of the objects gives, and its probability."""
    true = labels_of(row_sums).tolist()
    found = Counter()
    for order in distinct_arrangements(labels_of(col_sums).tolist()):
        cells = Counter(zip(true, order, strict=True))
        found[
            tuple(tuple(cells[i, j] for j in range(len(col_sums))) for i in range(len(row_sums)))
        ] += 1
    total = found.total()
    return [(counts, number / total) for counts, number in found.items()]


def distinct_arrangements(labels):
    """Yield all orders of the labels that differ, each once."""
    if not labels:
        yield []
    for first in sorted(set(labels)):
        rest = labels.copy()
        rest.remove(first)
        for order in distinct_arrangements(rest):
            yield [first, *order]


LAWS = {margins: law(*margins) for margins in MARGINS}


def quietly(function, *arguments, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return function(*arguments, **parameters)


def mean_over_arrangements(name, parameters, tables):
    index = get_index(name)
    return math.fsum(
        share * quietly(index, ContingencyTable.from_counts(counts), **parameters)
        for counts, share in tables
    )


def noisy_copy(labels, n_clusters, share, seed):
    rng = np.random.default_rng(seed)
    return np.where(
        rng.random(len(labels)) < share, rng.integers(n_clusters, size=len(labels)), labels
    )


# --------------------------------------------------------------------------- standardised


@pytest.mark.parametrize("q", ORDERS)
@pytest.mark.parametrize("margins", MARGINS, ids=str)
def test_standardized_scores_by_enumeration(margins, q):
    with mpmath.workdps(40):
        information = {counts: oracles.Information(counts, q) for counts, _ in LAWS[margins]}
        for attribute, sign in (("mutual", 1), ("variation", -1)):
            values = {
                counts: sign * getattr(measures, attribute)
                for counts, measures in information.items()
            }
            mean = mpmath.fsum(share * values[counts] for counts, share in LAWS[margins])
            sd = mpmath.sqrt(
                mpmath.fsum(share * (values[counts] - mean) ** 2 for counts, share in LAWS[margins])
            )
            for counts, value in values.items():
                expected = float((value - mean) / sd)
                score = standardized_mutual_info_score(*labels_of_table(counts), q=q)
                assert isinstance(score, float)
                assert score == pytest.approx(expected, rel=1e-11, abs=1e-12)
                if q == 2:
                    score = standardized_rand_score(*labels_of_table(counts))
                    assert score == pytest.approx(expected, rel=1e-11, abs=1e-12)


@pytest.mark.parametrize("q", [1, 2])
def test_standardized_scores_of_larger_tables(q):
    drawn = PermutationModel([30, 20, 10], [25, 25, 10]).rvs(size=20_000, random_state=0) / 60
    if q == 1:
        values = (drawn * np.log(np.where(drawn > 0, drawn, 1.0))).sum(axis=(1, 2))
    else:
        values = (drawn**2).sum(axis=(1, 2))
    simulated = (values - values.mean()) / values.std()
    for position in range(10):
        labels = labels_of_table((drawn[position] * 60).round().astype(int))
        score = standardized_mutual_info_score(*labels, q=q)
        assert score == pytest.approx(simulated[position], rel=0.05, abs=0.05)
        if q == 2:
            assert standardized_rand_score(*labels) == pytest.approx(score, rel=1e-12)


@pytest.mark.parametrize("function", [standardized_mutual_info_score, standardized_rand_score])
@pytest.mark.parametrize("margins", [*TRIVIAL_MARGINS, *TRIVIAL_IDENTICAL_MARGINS], ids=str)
def test_standardized_score_without_variance(function, margins):
    labels = [labels_of(sizes) for sizes in margins]
    with pytest.warns(UndefinedMetricWarning, match=function.__name__) as record:
        assert function(*labels) == 0.0
    assert len(record) == 1
    assert function(*labels, zero_variance=0.5) == 0.5
    assert math.isnan(function(*labels, zero_variance=math.nan))


@pytest.mark.parametrize("function", [standardized_mutual_info_score, standardized_rand_score])
def test_standardized_score_of_balanced_partitions_without_variance(function):
    """Two clusters of two against three and one: all tables have the same cells."""
    with pytest.warns(UndefinedMetricWarning, match="zero_variance"):
        assert function([0, 0, 1, 1], [0, 0, 0, 1]) == 0.0


# --------------------------------------------------------------------------- exact mean


@pytest.mark.parametrize(("name", "parameters"), EXACT, ids=named(EXACT))
def test_exact_mean_is_that_over_all_arrangements(name, parameters):
    index = get_index(name)
    best = index.range[1] if index.greater_is_better else index.range[0]
    for margins in MARGINS:
        tables = LAWS[margins]
        expected = mean_over_arrangements(name, parameters, tables)
        for counts, _ in tables[:2]:
            labels = labels_of_table(counts)
            score = chance_adjusted_score(*labels, index=name, method="exact", **parameters)
            assert score.method == "exact"
            assert score.standard_error == 0.0
            assert score.expected == pytest.approx(expected, rel=1e-12, abs=1e-14), margins
            value = index(ContingencyTable.from_counts(counts), **parameters)
            assert score.value == pytest.approx(value, rel=1e-14, abs=1e-15)
            adjusted = (value - expected) / (best - expected)
            assert score == pytest.approx(adjusted, rel=1e-10, abs=1e-12), margins


@pytest.mark.parametrize(("name", "parameters"), EXACT, ids=named(EXACT))
def test_exact_mean_where_all_arrangements_are_alike(name, parameters):
    """The value is its own mean, and no candidate is better than chance."""
    for margins in TRIVIAL_MARGINS:
        labels = [labels_of(sizes) for sizes in margins]
        value = quietly(get_index(name), ContingencyTable.from_labels(*labels), **parameters)
        score = quietly(chance_adjusted_score, *labels, index=name, method="exact", **parameters)
        assert score.expected == pytest.approx(value, rel=1e-12, abs=1e-14), margins
        assert score == pytest.approx(0.0, abs=1e-12), margins


@pytest.mark.parametrize(("name", "parameters"), NOT_EXACT, ids=named(NOT_EXACT))
def test_exact_is_refused_where_there_is_no_closed_form(name, parameters):
    labels = labels_of((3, 2, 2)), labels_of((4, 2, 1))
    with pytest.raises(ValueError, match=rf"method .*{name}.*'monte_carlo'.*'limit'"):
        chance_adjusted_score(*labels, index=name, method="exact", **parameters)
    score = chance_adjusted_score(*labels, index=name, n_resamples=20, random_state=0, **parameters)
    assert score.method == "monte_carlo"


def test_every_index_with_a_best_value_is_tested():
    bounded = {
        name
        for name in list_indices()
        if math.isfinite(get_index(name).range[1 if get_index(name).greater_is_better else 0])
    }
    assert bounded == {name for name, _ in EXACT} | {name for name, _ in NOT_EXACT}


@pytest.mark.parametrize("name", sorted({name for name, _ in EXACT} - {"pair_counting_score"}))
def test_equal_trivial_partitions_score_one(name):
    for margins in TRIVIAL_IDENTICAL_MARGINS:
        labels = [labels_of(sizes) for sizes in margins]
        assert chance_adjusted_score(*labels, index=name) == 1.0


ONE_AT_IDENTITY = [
    (name, parameters)
    for name, parameters in [*EXACT, *NOT_EXACT]
    if parameters.get("coefficient") not in NOT_ONE_AT_IDENTITY
    and name not in BELOW_ONE_AT_IDENTITY
]


@pytest.mark.parametrize(("name", "parameters"), ONE_AT_IDENTITY, ids=named(ONE_AT_IDENTITY))
def test_equal_partitions_score_one(name, parameters):
    labels = [0, 0, 0, 1, 1, 2, 2, 2]
    renamed = [5, 5, 5, 0, 0, -1, -1, -1]
    score = chance_adjusted_score(
        labels, renamed, index=name, n_resamples=20, random_state=0, **parameters
    )
    assert score == 1.0


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("q", ORDERS)
def test_adjusted_nmi_is_ami(q, average):
    labels = labels_of((20, 15, 5)), noisy_copy(labels_of((20, 15, 5)), 4, 0.4, 0)
    score = chance_adjusted_score(
        *labels, index="normalized_mutual_info_score", q=q, average_method=average
    )
    ami = adjusted_mutual_info_score(*labels, q=q, average_method=average)
    assert score == pytest.approx(ami, rel=1e-12)
    if average == "arithmetic":
        avi = chance_adjusted_score(*labels, index="variation_of_information_distance", q=q)
        assert avi == pytest.approx(ami, rel=1e-12)


@pytest.mark.parametrize("name", ["rand_score", "mirkin_distance", "pair_f_score"])
def test_adjusted_rand_is_ari(name):
    labels = labels_of((20, 15, 5)), noisy_copy(labels_of((20, 15, 5)), 4, 0.4, 0)
    score = chance_adjusted_score(*labels, index=name)
    assert score == pytest.approx(adjusted_rand_score(*labels), rel=1e-13)


# --------------------------------------------------------------------------- other means


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("purity_score", {}),
        ("pair_jaccard_score", {}),
        ("f_measure_score", {}),
        ("van_dongen_distance", {"normalize": True}),
        ("matching_accuracy_score", {}),
        ("rand_score", {}),
    ],
)
@pytest.mark.parametrize("margins", MARGINS[:2], ids=str)
def test_monte_carlo_agrees_with_all_arrangements(name, parameters, margins):
    expected = mean_over_arrangements(name, parameters, LAWS[margins])
    score = chance_adjusted_score(
        *labels_of_table(LAWS[margins][0][0]),
        index=name,
        method="monte_carlo",
        n_resamples=1000,
        random_state=3,
        **parameters,
    )
    best = 0.0 if name.endswith("distance") else 1.0
    adjusted = (score.value - expected) / (best - expected)
    # The standard error of the mean, from that of the score by the slope of the adjustment.
    slope = abs(score.value - best) / (best - score.expected) ** 2
    assert score.standard_error > 0
    assert abs(score.expected - expected) < 5 * score.standard_error / slope
    assert abs(score - adjusted) < 5 * score.standard_error


def test_monte_carlo_error_is_that_of_repetitions():
    labels = labels_of((30, 20, 10)), noisy_copy(labels_of((30, 20, 10)), 3, 0.5, 1)
    scores = [
        chance_adjusted_score(*labels, index="purity_score", n_resamples=30, random_state=seed)
        for seed in range(60)
    ]
    spread = np.std(scores, ddof=1)
    told = np.mean([score.standard_error for score in scores])
    assert spread == pytest.approx(told, rel=0.3)


@pytest.mark.parametrize(
    "name", ["purity_score", "pair_jaccard_score", "f_measure_score", "van_dongen_distance"]
)
def test_limit_is_close_to_monte_carlo_for_many_objects(name):
    rng = np.random.default_rng(0)
    labels = [rng.choice(4, size=10**5, p=[0.4, 0.3, 0.2, 0.1]) for _ in range(2)]
    parameters = {"normalize": True} if name == "van_dongen_distance" else {}
    limit = chance_adjusted_score(*labels, index=name, method="limit", **parameters)
    drawn = chance_adjusted_score(
        *labels, index=name, method="monte_carlo", n_resamples=200, random_state=0, **parameters
    )
    assert (limit.method, limit.standard_error) == ("limit", 0.0)
    assert limit.expected == pytest.approx(drawn.expected, abs=2e-3)
    assert limit == pytest.approx(drawn, abs=5e-3)


@pytest.mark.parametrize(
    "name", ["adjusted_rand_score", "adjusted_wallace_score", "adjusted_mutual_info_score"]
)
def test_limit_of_an_adjusted_index_is_zero(name):
    labels = labels_of((200, 150, 50)), noisy_copy(labels_of((200, 150, 50)), 4, 0.4, 0)
    score = chance_adjusted_score(*labels, index=name, method="limit")
    assert score.expected == pytest.approx(0.0, abs=0.01)


def test_adjusted_score_is_a_float_that_can_be_pickled():
    score = chance_adjusted_score(
        [0, 0, 1, 1, 2], [0, 0, 1, 2, 2], index="purity_score", n_resamples=30, random_state=0
    )
    assert isinstance(score, float)
    copy = pickle.loads(pickle.dumps(score))
    for attribute in ("method", "value", "expected", "standard_error"):
        assert getattr(copy, attribute) == getattr(score, attribute)
    assert copy == score
    assert type(copy) is type(score)
    assert repr(copy) == repr(score)
    assert "method='monte_carlo'" in repr(score)


def test_adjusted_score_does_not_depend_on_the_number_of_jobs():
    labels = labels_of((30, 20, 10)), noisy_copy(labels_of((30, 20, 10)), 3, 0.5, 1)

    def score(**options):
        return repr(
            chance_adjusted_score(*labels, index="pair_jaccard_score", n_resamples=250, **options)
        )

    first = score(random_state=4, n_jobs=1)
    assert first == score(random_state=4, n_jobs=2)
    assert first == score(random_state=np.random.RandomState(4))
    assert first != score(random_state=5)


def test_adjusted_score_of_a_table_too_large_to_draw_whole():
    rng = np.random.default_rng(0)
    labels = [np.append(np.arange(300), rng.integers(300, size=600)) for _ in range(2)]
    score = chance_adjusted_score(*labels, index="purity_score", n_resamples=30, random_state=0)
    # The diagonal is occupied by construction, so this is more than chance.
    assert 0 < score < 1
    permuted = [
        chance_adjusted_score(
            labels[0],
            rng.permutation(labels[1]),
            index="purity_score",
            n_resamples=30,
            random_state=seed,
        )
        for seed in range(10)
    ]
    assert abs(np.mean(permuted)) < 5 * np.std(permuted)
    exact = chance_adjusted_score(*labels, index="rand_score")
    drawn = chance_adjusted_score(
        *labels, index="rand_score", method="monte_carlo", n_resamples=100, random_state=0
    )
    assert abs(drawn - exact) < 5 * drawn.standard_error


# --------------------------------------------------------------------------- independence


@pytest.mark.parametrize("q", [0.5, 1, 2])
@pytest.mark.parametrize("margins", MARGINS[:2], ids=str)
def test_independence_by_enumeration(margins, q):
    tables = LAWS[margins]
    values = np.array([float(oracles.Information(counts, q).mutual) for counts, _ in tables])
    shares = np.array([share for _, share in tables])
    for counts in (tables[0][0], tables[len(tables) // 2][0]):
        labels = labels_of_table(counts)
        statistic = float(oracles.Information(counts, q).mutual)
        exact = shares[values >= statistic - 1e-9].sum()
        drawn = independence_test(
            *labels, q=q, method="monte_carlo", n_resamples=500, random_state=1
        )
        error = math.sqrt(exact * (1 - exact) / 500)
        assert abs(drawn.pvalue - exact) <= 5 * error + 2 / 500
        assert 0 < drawn.pvalue <= 1
        bound = independence_test(*labels, q=q, method="cantelli")
        assert bound.pvalue >= exact - 1e-12
        for result in (drawn, bound, independence_test(*labels, q=q)):
            assert result.statistic == pytest.approx(statistic, rel=1e-12, abs=1e-14)
        assert bound.method == "cantelli"
        assert drawn.method == "monte_carlo"


@pytest.mark.parametrize("q", ORDERS)
def test_independence_reports_the_moments_of_the_model(q):
    labels = labels_of((20, 15, 5)), noisy_copy(labels_of((20, 15, 5)), 4, 0.7, 0)
    table = ContingencyTable.from_labels(*labels)
    model = PermutationModel(table.row_sums, table.col_sums)
    result = independence_test(*labels, q=q)
    assert result.method == "gamma"
    assert result.statistic == get_index("mutual_info_score")(table, q=q)
    assert result.mean == model.expected_mutual_info(q)
    assert result.standard_deviation == math.sqrt(model.mutual_info_variance(q))
    assert result.standardized == standardized_mutual_info_score(*labels, q=q)
    assert result.standardized == pytest.approx(
        (result.statistic - result.mean) / result.standard_deviation, rel=1e-10
    )
    weighted = independence_test(*labels, q=q, sample_weight=np.ones(40))
    assert weighted == result


@pytest.mark.parametrize("q", [1, 2])
@pytest.mark.parametrize(
    "margins",
    [
        ([100] * 5, [100] * 5),
        ([150, 120, 100, 80, 50], [200, 100, 80, 70, 50]),
        ([350, 75, 50, 15, 10], [300, 100, 50, 30, 20]),
    ],
    ids=["balanced", "uneven", "skewed"],
)
def test_gamma_is_close_to_monte_carlo_for_middle_sizes(margins, q):
    drawn = PermutationModel(*margins).rvs(size=20_000, random_state=0) / 500.0
    if q == 1:
        values = (drawn * np.log(np.where(drawn > 0, drawn, 1.0))).sum(axis=(1, 2))
    else:
        values = (drawn**2).sum(axis=(1, 2))
    order = np.argsort(values)
    for pvalue in (0.01, 0.05, 0.2, 0.5, 0.8, 0.95):
        position = order[int((1 - pvalue) * len(values))]
        labels = labels_of_table((drawn[position] * 500).round().astype(int))
        simulated = np.mean(values >= values[position] - 1e-12)
        assert independence_test(*labels, q=q).pvalue == pytest.approx(simulated, abs=0.02)


def test_published_bound():
    """Romano et al. (2016), sec. 5.1: SMI = 4.46 means p < 0.05."""
    n, low, high = 10**6, 250_000, 300_000
    while high - low > 1:
        middle = (low + high) // 2
        far = independence_test(
            [0, 0, 1, 1], [0, 1, 0, 1], sample_weight=weights(n, middle)
        ).standardized
        low, high = (low, middle) if far >= 4.46 else (middle, high)
    result = independence_test(
        [0, 0, 1, 1], [0, 1, 0, 1], sample_weight=weights(n, high), method="cantelli"
    )
    assert result.standardized == pytest.approx(4.46, abs=0.05)
    assert 0.046 < result.pvalue < 0.0479 < 0.05
    assert result.pvalue == pytest.approx(1 / (1 + result.standardized**2), rel=1e-12)


def weights(n, agreement):
    rest = n // 2 - agreement
    return [agreement, rest, rest, agreement]


@pytest.mark.parametrize("method", ["gamma", "cantelli", "monte_carlo"])
@pytest.mark.parametrize("margins", [*TRIVIAL_MARGINS, *TRIVIAL_IDENTICAL_MARGINS], ids=str)
def test_independence_without_variance(method, margins):
    labels = [labels_of(sizes) for sizes in margins]
    result = independence_test(*labels, method=method, n_resamples=20, random_state=0)
    assert result.pvalue == 1.0
    assert result.standardized == result.standard_deviation == 0.0
    assert result.mean == pytest.approx(result.statistic, abs=1e-15)


@pytest.mark.parametrize("method", ["gamma", "cantelli", "monte_carlo"])
def test_independence_of_no_objects(method):
    result = independence_test([], [], method=method, n_resamples=20, random_state=0)
    assert (result.statistic, result.pvalue) == (0.0, 1.0)


def test_independence_by_monte_carlo_is_reproducible():
    labels = labels_of((20, 15, 5)), noisy_copy(labels_of((20, 15, 5)), 4, 0.9, 0)

    def simulate(**options):
        return independence_test(*labels, method="monte_carlo", n_resamples=250, **options)

    first = simulate(random_state=0, n_jobs=1)
    assert first == simulate(random_state=0, n_jobs=2)
    assert first == simulate(random_state=0)
    assert first.pvalue != simulate(random_state=1).pvalue
    assert (first.pvalue * 251) == pytest.approx(round(first.pvalue * 251))


def test_independence_by_monte_carlo_of_a_clear_agreement():
    result = independence_test(
        labels_of((30, 30)), labels_of((29, 31)), method="monte_carlo", n_resamples=99
    )
    assert result.pvalue == 0.01


@pytest.mark.parametrize("q", ORDERS)
def test_pvalue_adjusted_score_is_one_minus_the_pvalue(q):
    for seed, share in ((0, 1.0), (1, 0.8)):
        labels = labels_of((20, 15, 5)), noisy_copy(labels_of((20, 15, 5)), 4, share, seed)
        score = pvalue_adjusted_mutual_info_score(*labels, q=q)
        assert score == 1 - independence_test(*labels, q=q).pvalue
        assert 0 <= score <= 1


@pytest.mark.parametrize("skew", [0.0, 1.0], ids=["balanced", "skewed"])
@pytest.mark.parametrize("q", [1, 2])
def test_pvalue_adjusted_score_is_uniform_for_independent_partitions(q, skew):
    rng = np.random.default_rng(0)
    scores = []
    for n_clusters in (3, 5, 8):
        shares = np.arange(1, n_clusters + 1) ** -skew
        for _ in range(40):
            labels = (rng.choice(n_clusters, size=400, p=shares / shares.sum()) for _ in range(2))
            scores.append(pvalue_adjusted_mutual_info_score(*labels, q=q))
    assert kstest(scores, "uniform").pvalue > 0.01


# --------------------------------------------------------------------------- two candidates


TRUTH = labels_of((30, 30, 40))
GOOD = noisy_copy(TRUTH, 3, 0.1, 0)
POOR = noisy_copy(TRUTH, 3, 0.7, 1)


@pytest.mark.parametrize("name", ["adjusted_rand_score", "variation_of_information_distance"])
def test_identical_candidates_do_not_differ(name):
    renamed = 2 - np.asarray(GOOD)
    for other in (GOOD, renamed):
        result = paired_comparison_test(TRUTH, GOOD, other, index=name, n_resamples=99)
        assert (result.difference, result.interval, result.pvalue) == (0.0, (0.0, 0.0), 1.0)
        assert result.value_a == result.value_b


@pytest.mark.parametrize(
    "name",
    [
        "adjusted_rand_score",
        "normalized_mutual_info_score",
        "purity_score",
        "van_dongen_distance",
        "variation_of_information_distance",
        "misclassification_distance",
    ],
)
def test_better_candidate_is_found(name):
    result = paired_comparison_test(TRUTH, GOOD, POOR, index=name, n_resamples=199, random_state=0)
    index = get_index(name)
    assert result.value_a == index(ContingencyTable.from_labels(TRUTH, GOOD))
    assert result.value_b == index(ContingencyTable.from_labels(TRUTH, POOR))
    sign = -1 if name.endswith("distance") else 1
    assert result.difference == sign * (result.value_a - result.value_b) > 0
    assert 0 < result.interval[0] < result.difference < result.interval[1]
    assert result.pvalue < 1e-4

    swapped = paired_comparison_test(TRUTH, POOR, GOOD, index=name, n_resamples=199, random_state=0)
    assert swapped.difference == -result.difference
    assert (swapped.value_a, swapped.value_b) == (result.value_b, result.value_a)
    assert swapped.pvalue < 1e-4
    width = result.interval[1] - result.interval[0]
    assert swapped.interval == pytest.approx(
        (-result.interval[1], -result.interval[0]), abs=0.2 * width
    )


def test_candidates_of_similar_quality_do_not_differ():
    other = noisy_copy(TRUTH, 3, 0.1, 7)
    result = paired_comparison_test(
        TRUTH, GOOD, other, index="adjusted_rand_score", n_resamples=199, random_state=0
    )
    assert result.pvalue > 0.05
    assert result.interval[0] < 0 < result.interval[1]


def test_parameters_reach_the_index():
    result = paired_comparison_test(
        TRUTH, GOOD, POOR, index="pair_f_score", beta=2, n_resamples=20, random_state=0
    )
    table = ContingencyTable.from_labels(TRUTH, GOOD)
    assert result.value_a == get_index("pair_f_score")(table, beta=2)


def test_many_comparisons_widen_the_interval_and_multiply_the_pvalue():
    other = noisy_copy(TRUTH, 3, 0.25, 3)

    def compare(**options):
        return paired_comparison_test(
            TRUTH, GOOD, other, index="rand_score", n_resamples=999, random_state=0, **options
        )

    one, five, wide = compare(), compare(n_comparisons=5), compare(confidence_level=0.99)
    assert one.difference == five.difference
    assert five.interval[0] < one.interval[0] < one.interval[1] < five.interval[1]
    assert five.pvalue == pytest.approx(min(1.0, 5 * one.pvalue))
    assert wide.interval == pytest.approx(five.interval, rel=1e-9)
    assert compare(n_comparisons=10**6).pvalue == 1.0


def test_comparison_is_reproducible():
    def compare(**options):
        return paired_comparison_test(
            TRUTH, GOOD, POOR, index="adjusted_rand_score", n_resamples=250, **options
        )

    first = compare(random_state=0, n_jobs=1)
    assert first == compare(random_state=0, n_jobs=2)
    assert first == compare(random_state=np.random.RandomState(0))
    assert first.interval != compare(random_state=1).interval
    strings = [np.array(["x", "y", "z"])[labels] for labels in (TRUTH, GOOD, POOR)]
    named_first = paired_comparison_test(
        *strings, index="adjusted_rand_score", n_resamples=250, random_state=0
    )
    assert named_first == first


def test_interval_covers_the_difference_of_the_population():
    rng = np.random.default_rng(0)
    cells = np.array(list(itertools.product(range(3), repeat=3)))
    true, first, second = cells.T
    agreement = np.where(first == true, 0.8, 0.1) * np.where(second == true, 0.7, 0.15)
    shares = agreement / agreement.sum()
    large = np.round(shares * 10**8)
    index = get_index("adjusted_rand_score")
    difference = index(ContingencyTable.from_labels(true, first, sample_weight=large)) - index(
        ContingencyTable.from_labels(true, second, sample_weight=large)
    )
    covered = 0
    for seed in range(40):
        drawn = cells[rng.choice(len(cells), size=200, p=shares)]
        low, high = paired_comparison_test(
            *drawn.T,
            index="adjusted_rand_score",
            confidence_level=0.9,
            n_resamples=199,
            random_state=seed,
        ).interval
        covered += low <= difference <= high
    # 36 are expected; fewer than 30 of 40 have a probability below 0.2 % then.
    assert covered >= 30


# --------------------------------------------------------------------------- bad input


def adjust(**options):
    return chance_adjusted_score([0, 0, 1, 1], [0, 1, 1, 1], **{"index": "rand_score", **options})


def independent(**options):
    return independence_test([0, 0, 1, 1], [0, 1, 1, 1], **options)


def compare_two(**options):
    return paired_comparison_test(
        [0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1], **{"index": "rand_score", **options}
    )


@pytest.mark.parametrize(
    ("function", "options", "error", "message"),
    [
        (adjust, {"method": "exakt"}, ValueError, r"^method must be one of .*'exakt'"),
        (adjust, {"method": "gamma"}, ValueError, r"^method must be one of"),
        (adjust, {"n_resamples": 0}, ValueError, r"^n_resamples must be at least 1, got 0"),
        (adjust, {"n_resamples": 9.5}, TypeError, r"^n_resamples must be an integer"),
        (adjust, {"index": "rand"}, ValueError, r"^index must be one of .*rand_score"),
        (adjust, {"index": "mutual_info_score"}, ValueError, r"^index .*mutual_info_score"),
        (adjust, {"index": "chi_squared_statistic"}, ValueError, r"^index .*chi_squared"),
        (adjust, {"index": "partition_difference"}, ValueError, r"^index .*partition_diff"),
        (adjust, {"index": "standardized_rand_score"}, ValueError, r"^index .*standardized"),
        (
            adjust,
            {"index": "v_measure_score", "sample_weight": [0.5, 1, 1, 1]},
            ValueError,
            r"sample_weight",
        ),
        (adjust, {"sample_weight": [1, 1]}, ValueError, r"^sample_weight"),
        (adjust, {"sample_weight": [-1, 1, 1, 1]}, ValueError, r"^sample_weight"),
        (adjust, {"beta": 2}, TypeError, r"beta"),
        (adjust, {"index": "pair_f_score", "beta": -1}, ValueError, r"^beta"),
        (
            adjust,
            {"index": "purity_score", "sample_weight": [0.5, 1, 1, 1]},
            ValueError,
            r"sample_weight",
        ),
        (
            adjust,
            {"index": "variation_of_information_distance", "q": 2, "base": 2},
            ValueError,
            r"^base",
        ),
        (independent, {"method": "exact"}, ValueError, r"^method must be one of"),
        (independent, {"n_resamples": 0}, ValueError, r"^n_resamples"),
        (independent, {"q": 0}, ValueError, r"^q must be"),
        (independent, {"q": "1"}, TypeError, r"^q must be"),
        (independent, {"sample_weight": [0.5, 1, 1, 1]}, ValueError, r"sample_weight"),
        (compare_two, {"confidence_level": 1}, ValueError, r"^confidence_level .*got 1"),
        (compare_two, {"confidence_level": 0.0}, ValueError, r"^confidence_level"),
        (compare_two, {"confidence_level": "high"}, TypeError, r"^confidence_level"),
        (compare_two, {"n_resamples": 0}, ValueError, r"^n_resamples"),
        (compare_two, {"n_comparisons": 0}, ValueError, r"^n_comparisons"),
        (compare_two, {"n_comparisons": 1.5}, TypeError, r"^n_comparisons"),
        (compare_two, {"index": "rand"}, ValueError, r"^index must be one of"),
        (compare_two, {"beta": 2}, TypeError, r"beta"),
    ],
)
def test_bad_input_is_named(function, options, error, message):
    with pytest.raises(error, match=message):
        function(**options)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (([], [], []), "^labels_true must hold at least 4 objects, .* got 0"),
        (([0, 1], [0], [0, 1]), "^labels_true and labels_a must have the same length, got 2 and 1"),
        (([0, 1], [0, 1], [0]), "^labels_true and labels_b must have the same length, got 2 and 1"),
        (([0, 1], [0, 1], [0.0, math.nan]), "^labels_b must not contain NaN"),
        (([0, 1], [0, None], [0, 1]), "^labels_a must not contain missing"),
        (([0, 1.5], [0, 1], [0, 1]), "^labels_true must be discrete"),
    ],
)
def test_bad_labels_are_named(labels, message):
    with pytest.raises(ValueError, match=message):
        paired_comparison_test(*labels, index="rand_score")


@pytest.mark.parametrize("function", [independence_test, standardized_mutual_info_score])
def test_labels_of_different_lengths(function):
    with pytest.raises(ValueError, match="labels_true and labels_pred must have the same length"):
        function([0, 1], [0, 1, 1])


@pytest.mark.parametrize(
    "function",
    [
        standardized_mutual_info_score,
        pvalue_adjusted_mutual_info_score,
        independence_test,
    ],
)
def test_real_valued_weights_name_the_alternative(function):
    with pytest.raises(ValueError, match=r"sample_weight.*Monte Carlo"):
        function([0, 0, 1], [0, 1, 1], sample_weight=[0.5, 1, 1])


@pytest.mark.parametrize("dtype", [np.uint64, np.int64, np.int8])
def test_labels_of_any_width_make_the_same_comparison(dtype):
    good, poor = [0] * 28 + [1] * 32, [0] * 20 + [1] * 40
    truth = np.array([0] * 30 + [1] * 30)
    top = np.full(60, np.iinfo(dtype).max - 1, dtype) + truth.astype(dtype)
    options = {"index": "adjusted_rand_score", "random_state": 0, "n_resamples": 99}
    assert paired_comparison_test(top, good, poor, **options) == paired_comparison_test(
        truth, good, poor, **options
    )


@pytest.mark.parametrize("q", [4.0, 5.5, 8.0])
def test_agreement_is_significant_at_any_order(q):
    truth = np.arange(2000) // 4
    found = np.roll(truth, 2)
    drawn = independence_test(
        truth, found, q=q, method="monte_carlo", random_state=0, n_resamples=99
    )
    assert drawn.pvalue == 0.01
    assert independence_test(truth, found, q=q).pvalue < 1e-6


def test_a_generator_is_a_source_of_randomness():
    truth, found = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]
    scores = [
        chance_adjusted_score(
            truth, found, index="purity_score", random_state=np.random.default_rng(seed)
        )
        for seed in (0, 0, 1)
    ]
    assert scores[0] == scores[1] != scores[2]
