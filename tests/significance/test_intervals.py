"""Intervals of one score: the score they hold, their ends, and how often they cover the truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sklearn_clustcompare import ContingencyTable, get_index, score_interval
from sklearn_clustcompare.results import ScoreInterval
from sklearn_clustcompare.significance._resampling import in_parts
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


@pytest.mark.slow
def test_standard_error_of_purity_is_that_of_a_share():
    """With a clear majority in each cluster purity is a mean over objects."""
    result = interval(index="purity_score", n_resamples=4000)
    expected = np.sqrt(result.score * (1 - result.score) / 149)
    assert result.standard_error == pytest.approx(expected, rel=0.05)


# --------------------------------------------------------------------------- ends


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


# ------------------------------------------------------------------- coverage of known populations


@pytest.mark.parametrize(
    ("n_units", "most", "n_parts"), [(7, 7, 7), (8, 7, 4), (1000, 1000, 1000), (2500, 1000, 833)]
)
def test_parts_are_disjoint_and_of_equal_size(n_units, most, n_parts):
    parts = in_parts(n_units, most)
    sizes = np.bincount(parts[parts >= 0])
    assert (len(sizes), len({*sizes.tolist()})) == (n_parts, 1)
    assert np.count_nonzero(parts < 0) < sizes[0]


@pytest.mark.parametrize("name", ["adjusted_rand_score", "normalized_mutual_info_score"])
@pytest.mark.parametrize("error", [0.5, slow(0.3), 0.15])
@pytest.mark.filterwarnings("ignore:the interval may not hold")
def test_intervals_hold_the_value_of_the_population(name, error):
    """Two equal clusters, of whose objects a share is in the other one, from independence on."""
    shares = np.array([[1 - error, error], [error, 1 - error]]) / 2
    population = get_index(name)(ContingencyTable.from_counts((shares * 1e7).astype(np.int64)))
    rng, covered = np.random.default_rng(0), 0
    for _ in range(100):
        cells = np.repeat(np.arange(4), rng.multinomial(200, shares.ravel()))
        low, high = score_interval(cells // 2, cells % 2, index=name).interval
        covered += low - 1e-6 <= population <= high + 1e-6
    # At most 88 of 100 intervals of level .95 hold it with probability .004.
    assert covered > 88


@pytest.mark.parametrize("name", ["pair_f_score", "bcubed_f_score"])
def test_the_error_of_a_score_that_no_single_object_changes(name):
    """Of four equal cells no object matters more than another; samples differ nevertheless."""
    index, rng = get_index(name), np.random.default_rng(0)
    samples = rng.multinomial(200, np.full(4, 0.25), size=400).reshape(-1, 2, 2)
    deviation = np.std([index(ContingencyTable.from_counts(one)) for one in samples])
    cells = np.repeat(np.arange(4), 50)
    found = score_interval(cells // 2, cells % 2, index=name).standard_error
    assert 0.7 < found / deviation < 2


INDEPENDENT, MERGED = np.full((4, 4), 1 / 16), np.kron(np.eye(3), np.full((2, 1), 1 / 6))


@pytest.mark.parametrize(
    ("shares", "name"),
    [
        (INDEPENDENT, "purity_score"),
        slow(INDEPENDENT, "matching_accuracy_score"),
        (MERGED, "v_measure_score"),
        slow(MERGED, "variation_of_information_distance"),
    ],
)
@pytest.mark.filterwarnings("ignore:the interval may not hold")
def test_intervals_hold_the_value_where_clusters_tie_and_where_cells_cannot_occur(shares, name):
    """Equal clusters that are independent, or of which pairs are merged without an error."""
    population = get_index(name)(ContingencyTable.from_counts(np.rint(shares * 48e6)))
    rng, covered, widths, scores = np.random.default_rng(1), 0, [], []
    for _ in range(60):
        cells = np.repeat(np.arange(shares.size), rng.multinomial(240, shares.ravel()))
        result = score_interval(
            cells // shares.shape[1], cells % shares.shape[1], index=name, n_resamples=99
        )
        low, high = result.interval
        covered += low - 1e-6 <= population <= high + 1e-6
        widths.append(high - low)
        scores.append(result.score)
    # At most 51 of 60 intervals of level .95 hold it with probability .003.
    assert covered > 51
    # The variance of the score is that of cluster sizes, which intervals overstate.
    assert np.mean(widths) < (3.5 if shares is INDEPENDENT else 2.0) * 3.92 * np.std(scores)


# --------------------------------------------------------------------------- entities


def merged_entities(n_entities, rng):
    """Return two records an entity, of which a share is split off and some are merged."""
    true = np.repeat(np.arange(n_entities), 2)
    found = np.where(rng.random(len(true)) < 0.05, n_entities + np.arange(len(true)), true)
    for first, second in rng.choice(n_entities, (n_entities // 30, 2), replace=False):
        found[found == second] = first
    return true, found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pair_precision_score", "bcubed_f_score"])
@pytest.mark.parametrize("n_entities", [90, 1200])  # one by one, and in parts
def test_more_entities_would_not_be_merged_more(name, n_entities):
    true, found = merged_entities(n_entities, np.random.default_rng(0))
    made = score_interval(true, found, index=name, groups=true)
    score = get_index(name)(ContingencyTable.from_labels(true, found))
    low, high = made.interval
    assert made.bias == 0
    assert low < score < high
    assert high - low < 6 * made.standard_error
