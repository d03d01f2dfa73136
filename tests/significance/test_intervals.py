"""Intervals of one score: the score they hold, their ends, and how often they cover the truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sklearn_clustcompare import ContingencyTable, get_index, score_interval
from sklearn_clustcompare.results import ScoreInterval
from tests._examples import slow
from tests._laws import noisy_copy

TRUTH = np.repeat(np.arange(3), 50)
ARI = "adjusted_rand_score"

FOUND = noisy_copy(TRUTH, 4, 0.3, np.random.default_rng(0))


def interval(**options):
    settings = {"index": ARI, "random_state": 0, "n_resamples": 99} | options
    return score_interval(TRUTH, FOUND, **settings)


def test_result_holds_what_was_computed():
    result = interval(confidence_level=0.9)
    assert isinstance(result, ScoreInterval)
    assert result.index.name == ARI
    assert result.score == get_index(ARI)(ContingencyTable.from_labels(TRUTH, FOUND))
    assert result.confidence_level == 0.9
    assert result.n_samples == 150
    assert result.interval[0] < result.score < result.interval[1]
    assert type(result.score) is type(result.standard_error) is type(result.interval[0]) is float


def test_repr_tells_score_level_and_interval():
    result = ScoreInterval(get_index("purity_score"), 0.712345, (0.65, 0.7745), 0.03, 0.975, 200)
    assert (
        repr(result)
        == "ScoreInterval: purity_score 0.7123; for all objects like these 0.6500 to 0.7745 "
        "(97.5 %, 200 objects)"
    )
    with pytest.raises(AttributeError):
        result.score = 1.0


def test_higher_levels_are_wider():
    ends = [interval(confidence_level=level).interval for level in (0.5, 0.9, 0.95, 0.99)]
    lows, highs = zip(*ends, strict=True)
    assert list(lows) == sorted(lows, reverse=True)
    assert list(highs) == sorted(highs)


def test_standard_error_falls_with_the_root_of_the_number_of_objects():
    one = interval(n_resamples=999)
    repeated = score_interval(
        np.tile(TRUTH, 16), np.tile(FOUND, 16), index=ARI, n_resamples=999, random_state=0
    )
    assert repeated.standard_error == pytest.approx(one.standard_error / 4, rel=0.1)


@pytest.mark.slow
def test_standard_error_of_purity_is_that_of_a_share():
    """With a clear majority in each cluster purity is a mean over objects."""
    result = interval(index="purity_score", n_resamples=4000)
    expected = np.sqrt(result.score * (1 - result.score) / 149)
    assert result.standard_error == pytest.approx(expected, rel=0.05)


def test_parameters_reach_the_index():
    table = ContingencyTable.from_labels(TRUTH, FOUND)
    result = interval(index="pair_f_score", beta=2)
    assert result.score == get_index("pair_f_score")(table, beta=2)


def test_an_index_itself_is_taken_for_its_name():
    assert interval(index=get_index(ARI)) == interval()


# --------------------------------------------------------------------------- ends


@pytest.mark.parametrize("name", [ARI, "normalized_mutual_info_score", "purity_score"])
def test_interval_ends_within_the_range(name):
    almost = TRUTH.copy()
    almost[0] = 1
    result = score_interval(TRUTH, almost, index=name, random_state=0)
    assert 0 < result.interval[0] < result.score < result.interval[1] < 1.0


def test_distance_is_not_below_zero():
    almost = TRUTH.copy()
    almost[0] = 1
    result = score_interval(TRUTH, almost, index="variation_of_information_distance")
    assert 0.0 < result.interval[0] < result.score < result.interval[1]


@pytest.mark.slow
def test_range_depends_on_parameters():
    """With q below 1 the mutual information of independent partitions may be negative."""
    generator = np.random.default_rng(1)
    labels = generator.integers(3, size=(2, 100))
    assert score_interval(*labels, index="mutual_info_score").interval[0] == 0.0
    assert score_interval(*labels, index="mutual_info_score", q=0.5).interval[0] < 0.0
    almost = np.where(np.arange(100) == 50, (labels[0] + 1) % 3, labels[0])
    options = {"index": "normalized_mutual_info_score", "average_method": "max"}
    assert score_interval(labels[0], almost, **options, random_state=0).interval[1] < 1.0


@pytest.mark.filterwarnings("ignore:the interval may not hold")
@given(
    st.integers(4, 30).flatmap(lambda n: arrays(np.int64, (2, n), elements=st.integers(0, 3))),
    st.sampled_from(["rand_score", "mirkin_distance", "purity_score", "f_measure_score"]),
    st.floats(0.01, 0.99),
)
def test_interval_holds_the_score(labels, name, confidence_level):
    result = score_interval(
        *labels, index=name, confidence_level=confidence_level, n_resamples=20, random_state=0
    )
    low, high = result.interval
    assert low <= result.score <= high
    assert result.standard_error >= 0


@pytest.mark.slow
def test_memberships_have_intervals():
    generator = np.random.default_rng(0)
    soft = generator.dirichlet(np.ones(3), size=150) * 0.3 + np.eye(3)[TRUTH] * 0.7
    for name in ("rand_score", "frobenius_adjusted_rand_score"):
        result = score_interval(TRUTH, soft, index=name, n_resamples=50, random_state=0)
        expected = get_index(name)(ContingencyTable.from_memberships(TRUTH, soft, moments=True))
        assert result.score == pytest.approx(expected, rel=1e-12)
        assert result.interval[0] < result.score < result.interval[1]


# --------------------------------------------------------------------------- coverage


@pytest.mark.parametrize(("n_runs", "fewest"), [(20, 14), slow(200, 165)])
def test_interval_covers_the_score_of_the_population(n_runs, fewest):
    generator = np.random.default_rng(0)
    shares = np.full((3, 3), 0.1) + 0.7 * np.eye(3)
    index = get_index(ARI)
    truth = index(ContingencyTable.from_counts(np.rint(shares * 10**8)))
    covered = 0
    for seed in range(n_runs):
        true = generator.integers(3, size=100)
        found = (generator.random(100)[:, np.newaxis] > shares.cumsum(axis=1)[true]).sum(axis=1)
        low, high = score_interval(
            true, found, index=ARI, confidence_level=0.9, n_resamples=99, random_state=seed
        ).interval
        covered += low <= truth <= high
    # Nine of ten are expected; fewer have a probability below 0.3 % then.
    assert covered >= fewest


# --------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"confidence_level": 1}, ValueError, r"^confidence_level .*got 1"),
        ({"confidence_level": "high"}, TypeError, r"^confidence_level"),
        ({"n_resamples": 1}, ValueError, r"^n_resamples must be at least 2, got 1"),
        ({"n_resamples": 0}, ValueError, r"^n_resamples must be at least 1, got 0"),
        ({"n_resamples": 9.5}, TypeError, r"^n_resamples must be an integer"),
        ({"index": "rande"}, ValueError, r"^index must be one of"),
        ({"random_state": "x"}, ValueError, r"^random_state must be None, an int"),
        ({"beta": 2}, TypeError, r"beta"),
        ({"index": "pair_f_score", "beta": -1}, ValueError, r"^beta"),
        ({"index": "mutual_info_score", "q": 2, "base": 2}, ValueError, r"^base"),
    ],
)
def test_bad_parameters_are_named(options, error, message):
    with pytest.raises(error, match=message):
        interval(**options)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (([], []), "^labels_true must hold at least 4 objects for a sampling error, got 0$"),
        (([0, 1, 1], [0, 1, 1]), "^labels_true must hold at least 4 objects .* got 3"),
        (([0, 1], [0]), "^labels_true and labels_pred must have the same length, got 2 and 1"),
        (([0, 1], [0, None]), "^labels_pred must not contain missing"),
        (([0, 1.5], [0, 1]), "^labels_true must be discrete"),
        (([0, 1, 0, 1], [[0.5, 0.6]] * 4), "labels_pred.* must sum to 1, got 1.1"),
    ],
)
def test_bad_labels_are_named(labels, message):
    with pytest.raises(ValueError, match=message):
        score_interval(*labels, index=ARI)


def test_a_sampled_silhouette_has_the_error_of_its_sample():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 900)
    X = rng.normal(size=(900, 2)) + 3 * np.eye(3)[labels][:, :2]
    options = {"index": "silhouette_score", "metric": "sqeuclidean"}
    found = score_interval(X, labels, sample_size=200, random_state=1, **options)
    again = score_interval(None, list(labels), X=X, sample_size=200, random_state=1, **options)
    assert found == again
    assert found.n_samples == 200
    whole = score_interval(X, labels, **options)
    assert found.standard_error == pytest.approx(whole.standard_error * 4.5**0.5, rel=0.3)
    inside = [
        low <= whole.score <= high
        for low, high in (
            score_interval(X, labels, sample_size=90, random_state=seed, **options).interval
            for seed in range(40)
        )
    ]
    assert sum(inside) >= 33  # binomial with 40 and .95: fewer with probability .001
    with pytest.raises(ValueError, match="sample_size must be at least 1, got 0"):
        score_interval(X, labels, sample_size=0, **options)
    with pytest.raises(
        ValueError, match="^X and labels_pred must have the same length, got 899 and 900"
    ):
        score_interval(X[1:], labels, sample_size=90, **options)
