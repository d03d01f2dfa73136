"""Adjustment for chance, against all permutations of small partitions."""

import math
import pickle
import warnings

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import (
    ContingencyTable,
    chance_adjusted_score,
    frobenius_adjusted_rand_score,
    get_index,
)
from tests._deviations import BELOW_ONE_AT_IDENTITY, NOT_ONE_AT_IDENTITY
from tests._examples import COSTLY_INDICES, slow
from tests._laws import (
    LAWS,
    MARGINS,
    TRIVIAL_IDENTICAL_MARGINS,
    TRIVIAL_MARGINS,
    labels_of,
    labels_of_table,
    noisy_copy,
)
from tests._memberships import ENUMERATED, of_tables, permutations, random_memberships
from tests.indices._variants import VARIANTS

# With a best value.
BOUNDED = [one for one in VARIANTS if math.isfinite(one.index.range[one.index.greater_is_better])]
EXACT = [one for one in BOUNDED if one.has_closed_form]
NOT_EXACT = [one for one in BOUNDED if not one.has_closed_form]


def of_each(variants):
    """Call a test with each variant; p-values of all orders take long."""
    cases = [
        (slow if one.name in COSTLY_INDICES and one.parameters else pytest.param)(*one, id=str(one))
        for one in variants
    ]
    return pytest.mark.parametrize(("name", "parameters"), cases)


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


# --------------------------------------------------------------------------- exact mean


@pytest.mark.parametrize("several", [MARGINS[:2], slow(MARGINS[2:])], ids=["two", "others"])
@of_each(EXACT)
def test_exact_mean_is_that_over_all_arrangements(name, parameters, several):
    index = get_index(name)
    best = index.range[1] if index.greater_is_better else index.range[0]
    for margins in several:
        tables = LAWS[margins]
        expected = mean_over_arrangements(name, parameters, tables)
        for counts, _ in tables[:2]:
            labels = labels_of_table(counts)
            score = chance_adjusted_score(*labels, index=name, method="exact", **parameters)
            assert score.method == "exact"
            assert score.standard_error == 0.0
            assert score.expected == pytest.approx(expected, rel=1e-12, abs=1e-14), margins
            value = index(ContingencyTable.from_counts(counts), **parameters)
            assert score.unadjusted == pytest.approx(value, rel=1e-14, abs=1e-15)
            adjusted = (value - expected) / (best - expected)
            assert score == pytest.approx(adjusted, rel=1e-10, abs=1e-12), margins


@pytest.mark.slow
@of_each(EXACT)
def test_exact_mean_where_all_arrangements_are_alike(name, parameters):
    """The value is its own mean, and no candidate is better than chance."""
    for margins in TRIVIAL_MARGINS:
        labels = [labels_of(sizes) for sizes in margins]
        value = quietly(get_index(name), ContingencyTable.from_labels(*labels), **parameters)
        score = quietly(chance_adjusted_score, *labels, index=name, method="exact", **parameters)
        assert score.expected == pytest.approx(value, rel=1e-12, abs=1e-14), margins
        assert score == pytest.approx(0.0, abs=1e-12), margins


@of_each(NOT_EXACT)
def test_exact_is_refused_where_there_is_no_closed_form(name, parameters):
    labels = labels_of((3, 2, 2)), labels_of((4, 2, 1))
    with pytest.raises(ValueError, match=rf"method .*{name}.*'monte_carlo'.*'limit'"):
        chance_adjusted_score(*labels, index=name, method="exact", **parameters)
    score = chance_adjusted_score(*labels, index=name, n_resamples=20, random_state=0, **parameters)
    assert score.method == "monte_carlo"


@pytest.mark.parametrize("name", sorted({name for name, _ in EXACT} - {"pair_counting_score"}))
def test_equal_trivial_partitions_score_one(name):
    for margins in TRIVIAL_IDENTICAL_MARGINS:
        labels = [labels_of(sizes) for sizes in margins]
        assert chance_adjusted_score(*labels, index=name) == 1.0


@of_each(
    one
    for one in BOUNDED
    if one.parameters.get("coefficient") not in NOT_ONE_AT_IDENTITY
    and one.name not in BELOW_ONE_AT_IDENTITY
)
def test_equal_partitions_score_one(name, parameters):
    labels = [0, 0, 0, 1, 1, 2, 2, 2]
    renamed = [5, 5, 5, 0, 0, -1, -1, -1]
    score = chance_adjusted_score(
        labels, renamed, index=name, n_resamples=20, random_state=0, **parameters
    )
    assert score == 1.0


# --------------------------------------------------------------------------- other means


@pytest.mark.slow
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
    adjusted = (score.unadjusted - expected) / (best - expected)
    # The standard error of the mean, from that of the score by the slope of the adjustment.
    slope = abs(score.unadjusted - best) / (best - score.expected) ** 2
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


def test_an_index_of_data_is_adjusted_towards_its_best_value():
    X, labels = np.random.default_rng(0).normal(size=(12, 2)), np.arange(12) % 3
    given = {"index": "silhouette_score", "n_resamples": 50}
    found = chance_adjusted_score(labels_pred=labels, X=X, labels_true=None, **given)
    expected = (found.unadjusted - found.expected) / (1 - found.expected)
    assert float(found) == pytest.approx(expected)


def test_adjusted_score_is_a_float_that_can_be_pickled():
    score = chance_adjusted_score(
        [0, 0, 1, 1, 2], [0, 0, 1, 2, 2], index="purity_score", n_resamples=30, random_state=0
    )
    assert isinstance(score, float)
    copy = pickle.loads(pickle.dumps(score))
    for attribute in ("method", "unadjusted", "expected", "standard_error"):
        assert getattr(copy, attribute) == getattr(score, attribute)
    assert copy == score
    assert type(copy) is type(score)
    assert repr(copy) == repr(score)
    assert "method='monte_carlo'" in repr(score)


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


# --------------------------------------------------------------------------- memberships


@pytest.mark.parametrize("name", ["soft", slow("labels"), slow("nearly crisp"), "few"])
@pytest.mark.parametrize(
    "index", ["rand_score", "mirkin_distance", "adjusted_rand_score", "adjusted_wallace_score"]
)
def test_exact_expected_value_is_the_mean_over_all_orders(index, name):
    u, v = ENUMERATED[name]
    values = of_tables(index, u, v)
    if get_index(index).greater_is_better:
        found = chance_adjusted_score(u, v, index=index, method="exact")
        assert found.expected == pytest.approx(np.mean(values), rel=1e-10, abs=1e-12)
        best = (values[0] - np.mean(values)) / (1 - np.mean(values))
        assert found == pytest.approx(best, rel=1e-9)
    else:
        found = chance_adjusted_score(u, v, index=index, method="exact")
        assert found.expected == pytest.approx(np.mean(values), rel=1e-10)


@pytest.mark.slow
def test_monte_carlo_comes_within_its_standard_error_of_the_mean_over_all_orders():
    u, v = ENUMERATED["soft"]
    name = "normalized_mutual_info_score"
    found = chance_adjusted_score(
        u, v, index=name, method="monte_carlo", n_resamples=1000, random_state=0
    )
    values = of_tables(name, u, v)
    error = np.std(values) / math.sqrt(1000)
    assert abs(found.expected - np.mean(values)) < 4 * error
    # Of the score, error * (1 - value) / (1 - expected)^2.
    slope = (1 - values[0]) / (1 - np.mean(values)) ** 2
    assert found.standard_error == pytest.approx(error * slope, rel=0.1)


@pytest.mark.slow
def test_possibilistic_mean_is_that_over_all_orders():
    rng = np.random.default_rng(0)
    u, v = rng.random((5, 3)), rng.random((5, 2))
    index = get_index("normalized_mutual_info_score")
    values = [
        index(ContingencyTable.from_memberships(u, order, possibilistic=True))
        for order in permutations(v)
    ]
    found = chance_adjusted_score(
        u, v, index=index.name, possibilistic=True, n_resamples=1000, random_state=0
    )
    assert abs(found.expected - np.mean(values)) < 4 * np.std(values) / math.sqrt(1000)
    for name in ("rand_score", "frobenius_adjusted_rand_score"):
        with pytest.raises(ValueError, match="possibilistic partitions.*'monte_carlo'"):
            chance_adjusted_score(u, v, index=name, possibilistic=True, method="exact")
    with pytest.raises(ValueError, match="possibilistic partitions must be adjusted .*Monte Carlo"):
        get_index("standardized_rand_score")(
            ContingencyTable.from_memberships(u, v, possibilistic=True, moments=True)
        )


@pytest.mark.parametrize("name", ["frobenius_adjusted_rand_score", "standardized_rand_score"])
def test_independence_is_where_indices_of_moments_are_zero(name):
    u, v = ENUMERATED["soft"]
    drawn = np.mean(of_tables(name, u, v))
    assert drawn == pytest.approx(0, abs=1e-9)


def test_monte_carlo_of_an_index_that_needs_moments():
    u, v = random_memberships(20, 3, 0), random_memberships(20, 2, 1)
    index = "frobenius_adjusted_rand_score"
    found = chance_adjusted_score(
        u, v, index=index, method="monte_carlo", n_resamples=200, random_state=0
    )
    assert abs(found.expected) < 4 * found.standard_error
    assert found == pytest.approx(frobenius_adjusted_rand_score(u, v), abs=0.1)


def test_indices_of_information_have_no_exact_mean_for_memberships():
    u, v = ENUMERATED["soft"]
    with pytest.raises(ValueError, match="monte_carlo"):
        chance_adjusted_score(u, v, index="normalized_mutual_info_score", method="exact")
