"""Candidates and tests by the data, without a reference."""

import math

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import pdist, squareform
from scipy.stats import binom
from scipy.stats import t as student
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import silhouette_samples, silhouette_score

from sklearn_clustcompare import (
    adjusted_rand_score,
    chance_adjusted_score,
    dbcv_score,
    get_index,
    index_curve,
    list_indices,
    paired_comparison_test,
    permutation_test,
    score_candidates,
    score_interval,
)
from sklearn_clustcompare._partition import DEFAULT, read
from sklearn_clustcompare.indices._judged import Chosen, Judged
from sklearn_clustcompare.plot import CandidateScoresDisplay, IndexCurveDisplay
from tests._examples import FEW_EXAMPLES
from tests._indices import own_index

IRIS, SPECIES = load_iris(return_X_y=True)
DOORS = {
    "score_candidates": lambda y, X, index, **more: score_candidates(
        y, [SPECIES, SPECIES % 2], indices=index, X=X, **more
    ),
    "index_curve": lambda y, X, index, **more: index_curve(
        y, {3: SPECIES, 2: SPECIES % 2}, index=index, X=X, **more
    ),
    "score_interval": lambda y, X, index, **more: score_interval(
        y, SPECIES, index=index, X=X, **more
    ),
    "paired_comparison_test": lambda y, X, index, **more: paired_comparison_test(
        y, SPECIES, SPECIES % 2, index=index, X=X, **more
    ),
    "permutation_test": lambda y, X, index, **more: permutation_test(
        y, SPECIES, index=index, X=X, **more
    ),
    "chance_adjusted_score": lambda y, X, index, **more: chance_adjusted_score(
        y, SPECIES, index=index, X=X, **more
    ),
}


def chosen(name, **parameters):
    return Chosen(name, get_index(name), parameters)


# --------------------------------------------------------------------------- tables


def test_reference_and_data_in_one_call():
    candidates = {"species": SPECIES, "pairs": SPECIES % 2}
    names = ["davies_bouldin_score", "adjusted_rand_score", "silhouette_score"]
    found = score_candidates(SPECIES, candidates, indices=names, X=IRIS)
    assert list(found.scores) == names
    for k, labels in enumerate(candidates.values()):
        for name in names:
            index = get_index(name)
            expected = (
                index(IRIS, labels) if index.needs_data else adjusted_rand_score(SPECIES, labels)
            )
            assert found.scores[name][k] == expected
    # Lower is better.
    best = np.argmin(found.scores["davies_bouldin_score"])
    assert found.best() == found.names[best]
    curve = index_curve(SPECIES, {3: SPECIES, 2: SPECIES % 2}, index=names, X=IRIS)
    np.testing.assert_array_equal(
        np.sort(curve.values, axis=1), np.sort(list(found.scores.values()), axis=1)
    )
    assert np.isnan(curve.expected[0]).all()
    assert np.isfinite(curve.expected[1]).all()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_parameters_distances_and_workers(n_jobs):
    D = squareform(pdist(IRIS, "cityblock"))
    keywords = {"indices": ["silhouette_score", "dbcv_score", "xie_beni_score"], "n_jobs": n_jobs}
    found = score_candidates(None, [SPECIES], X=IRIS, metric="cityblock", **keywords)
    assert found.parameters["silhouette_score"] == {"metric": "cityblock"}
    assert found.scores["silhouette_score"] == silhouette_score(IRIS, SPECIES, metric="cityblock")
    given_as = score_candidates(
        None,
        [SPECIES],
        indices=["silhouette_score", "dbcv_score"],
        X=D,
        metric="precomputed",
        n_features=4,
        n_jobs=n_jobs,
    )
    for name, values in given_as.scores.items():
        assert values == pytest.approx(found.scores[name], rel=1e-12)


def test_noise_is_that_of_the_candidate():
    noisy = np.where(np.arange(150) % 7 == 0, -1, SPECIES)
    kept, index = noisy != -1, "silhouette_score"
    found = score_candidates(None, [noisy], indices=[index, "dbcv_score"], X=IRIS, noise="drop")
    expected = pytest.approx(silhouette_score(IRIS[kept], noisy[kept]), rel=1e-12)
    assert found.scores[index] == expected
    assert found.scores["dbcv_score"] == dbcv_score(IRIS[kept], noisy[kept])
    assert found.coverage == pytest.approx(kept.mean())
    found = score_candidates(None, [noisy], indices="dbcv_score", X=IRIS)
    assert found.scores["dbcv_score"] == dbcv_score(IRIS, noisy)
    # The number of the reference that stands for the data is no label of noise.
    zeros = np.where(noisy == -1, 0, noisy + 1)
    for noise in ("drop", "singletons"):
        other = score_candidates(None, [zeros], indices=index, X=IRIS, noise=noise, noise_label=0)
        same = score_candidates(None, [noisy], indices=index, X=IRIS, noise=noise)
        assert other.scores[index] == pytest.approx(same.scores[index], rel=1e-12)
        assert other.coverage == same.coverage
    D = squareform(pdist(IRIS))
    found = score_candidates(None, [noisy], indices=index, X=D, metric="precomputed", noise="drop")
    assert found.scores[index] == pytest.approx(silhouette_score(IRIS[kept], noisy[kept]))


def test_a_candidate_without_a_value_is_the_last():
    candidates = {"one": [0] * 150, "species": SPECIES}
    with pytest.warns(
        UndefinedMetricWarning, match="silhouette_score is undefined for 1 of 2.*'one'"
    ):
        found = score_candidates(None, candidates, indices="silhouette_score", X=IRIS)
    assert np.isnan(found.scores["silhouette_score"][0])
    assert found.rank().tolist() == [2, 1]


# --------------------------------------------------------------------------- intervals


def jackknife(without):
    """Return the standard error of a mean by its values without each part."""
    return math.sqrt((len(without) - 1) * np.var(without))


@pytest.mark.parametrize("name", ["silhouette_score", "incidence_proximity_correlation"])
@FEW_EXAMPLES
@given(seed=st.integers(0, 10**6), n_clusters=st.integers(2, 5))
def test_values_without_each_object_are_those_of_the_other_objects(name, seed, n_clusters):
    rng = np.random.default_rng(seed)
    n_objects = int(rng.integers(4, 20))
    X, labels = rng.standard_normal((n_objects, 2)), rng.integers(n_clusters, size=n_objects)
    labels[:3] = [0, 0, 1]
    one, judged = chosen(name), Judged.of(X, read(labels, "labels"), DEFAULT)
    if math.isnan(judged.value_or_nan(one)):
        return
    found = judged.apply(one.index.without_each, one)
    expected = [
        judged.take(np.delete(np.arange(n_objects), k)).value_or_nan(one) for k in range(n_objects)
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-8)


@pytest.mark.slow
def test_standard_error_is_that_of_the_jackknife():
    labels = SPECIES % 2
    for name in ("silhouette_score", "calinski_harabasz_score"):
        index = get_index(name)
        without = [
            index(np.delete(IRIS, k, axis=0), np.delete(labels, k)) for k in range(len(IRIS))
        ]
        found = score_interval(None, labels, index=name, X=IRIS)
        assert found.score == index(IRIS, labels)
        assert found.standard_error == pytest.approx(jackknife(without), rel=1e-6)
        assert found.interval[0] < found.score < found.interval[1]
        assert found.n_samples == 150


def test_many_objects_are_left_out_in_random_parts():
    # Sorted by a feature that is all that varies: consecutive parts would hardly differ.
    X, labels = np.sort(np.random.default_rng(0).normal(size=(600, 1)), axis=0), np.arange(600) % 2
    found = score_interval(None, labels, index="within_cluster_sum_of_squares", X=X)
    squares = (X[:, 0] - X.mean()) ** 2
    assert found.standard_error == pytest.approx(squares.std() * math.sqrt(600), rel=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("what", ["within", "between"])
def test_intervals_of_sums_of_squares_have_the_units_of_the_data(what):
    index = f"{what}_cluster_sum_of_squares"
    one, tiny = (score_interval(None, SPECIES, index=index, X=X) for X in (IRIS, IRIS * 2.0**-30))
    assert one.interval[0] < one.score < one.interval[1]
    np.testing.assert_allclose(tiny.interval, np.array(one.interval) * 2.0**-60, rtol=1e-9)


def test_groups_are_left_out_as_a_whole():
    groups = np.arange(150) % 30
    found = score_interval(None, SPECIES, index="silhouette_score", X=IRIS, groups=groups)
    without = [silhouette_score(IRIS[groups != one], SPECIES[groups != one]) for one in range(30)]
    assert found.standard_error == pytest.approx(jackknife(without), rel=1e-6)
    with pytest.raises(ValueError, match="groups must hold at least 10 groups"):
        score_interval(None, SPECIES, index="silhouette_score", X=IRIS, groups=groups % 9)


@pytest.mark.slow
def test_half_samples_of_indices_with_maxima():
    index, labels = get_index("xie_beni_score"), SPECIES
    found = score_interval(None, labels, index=index, X=IRIS, n_resamples=99, random_state=0)
    rng = np.random.default_rng(1)
    halves = [rng.permutation(150)[:75] for _ in range(200)]
    error = np.std([index(IRIS[half], labels[half]) for half in halves])
    assert found.standard_error == pytest.approx(error, rel=0.25)


def test_an_index_of_your_own_has_the_larger_error():
    own = own_index(lambda X, labels: np.mean(labels == 0), soft=False, needs_data=True)
    found = score_interval(None, SPECIES, index=own, X=IRIS, n_resamples=200, random_state=0)
    assert found.standard_error == pytest.approx(math.sqrt(2 / 9 / 150), rel=0.15)


def test_difference_of_two_silhouettes_is_that_of_their_widths_if_others_do_not_matter():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(200, 2)), rng.normal(size=(200, 2)) + 8])
    a, b = np.repeat([0, 1], 200), np.repeat([0, 1, 2], [200, 100, 100])
    found = paired_comparison_test(None, a, b, index="silhouette_score", X=X)
    values = silhouette_score(X, a), silhouette_score(X, b)
    assert (found.value_a, found.value_b) == pytest.approx(values, rel=1e-12)
    assert found.difference == pytest.approx(values[0] - values[1], rel=1e-12)
    # The widths vary far more than the means of distances do.
    widths = silhouette_samples(X, a) - silhouette_samples(X, b)
    assert found.standard_error == pytest.approx(widths.std() / 20, rel=0.2)
    reach = student.isf(0.025, 399) * found.standard_error
    assert found.interval[0] <= found.difference - reach * 0.999
    assert found.pvalue < 1e-6
    same = paired_comparison_test(None, a, 1 - a, index="silhouette_score", X=X)
    assert (same.difference, same.pvalue) == (0.0, 1.0)


@pytest.mark.slow
def test_intervals_of_candidates_are_those_of_single_calls():
    candidates = {"species": SPECIES, "pairs": SPECIES % 2}
    names = ["silhouette_score", "adjusted_rand_score"]
    found = score_candidates(SPECIES, candidates, indices=names, X=IRIS, confidence_level=0.9)
    for k, labels in enumerate(candidates.values()):
        alone = score_interval(None, labels, index=names[0], X=IRIS, confidence_level=0.9)
        np.testing.assert_allclose(found.intervals[names[0]][k], alone.interval, rtol=1e-12)
        alone = score_interval(SPECIES, labels, index=names[1], confidence_level=0.9)
        np.testing.assert_allclose(found.intervals[names[1]][k], alone.interval, rtol=1e-12)
    test = paired_comparison_test(
        None, SPECIES, SPECIES % 2, index=names[0], X=IRIS, confidence_level=0.9
    )
    compared = found.compare(names[0])
    assert compared.differences[0] == test.difference
    assert compared.pvalues[0] == pytest.approx(test.pvalue)
    curve = index_curve(None, candidates, index=names[0], X=IRIS, confidence_level=0.9)
    order = [list(candidates).index(one) for one in curve.candidates]
    np.testing.assert_allclose(curve.intervals[0], found.intervals[names[0]][order])


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("dunn_score", ".*structure_test"),
        ("dbcv_score", ".*structure_test"),
        ("modularity_score", ": no interval is known"),
    ],
)
def test_indices_of_extreme_objects_and_of_graphs_have_no_interval(name, reason):
    X = np.ones((150, 150)) - np.eye(150) if name == "modularity_score" else IRIS
    for door, more in (
        ("score_interval", {}),
        ("score_candidates", {"confidence_level": 0.9}),
        ("paired_comparison_test", {}),
    ):
        with pytest.raises(ValueError, match=f"^index must not be {name} for a .* error{reason}"):
            DOORS[door](None, X, name, **more)


def test_intervals_are_of_all_objects():
    with pytest.raises(ValueError, match="sample_size must be None for a sampling error"):
        DOORS["score_candidates"](
            None, IRIS, "silhouette_score", confidence_level=0.9, sample_size=50
        )


# --------------------------------------------------------------------------- chance


@pytest.mark.slow
def test_permuted_labels_have_the_exact_law_of_all_orders():
    # Of six objects in two clusters of three there are ten partitions, half of them mirrored.
    X = np.array([[0.0], [1.0], [2.5], [7.0], [8.0], [9.5]])
    labels = [0, 0, 0, 1, 1, 1]
    found = permutation_test(
        None, labels, index="silhouette_score", X=X, method="monte_carlo", n_resamples=499
    )
    assert found.pvalue == pytest.approx(0.1, abs=0.03)
    assert found.statistic == silhouette_score(X, labels)
    assert found.method == "monte_carlo"
    sequential = permutation_test(None, labels[::-1], index="silhouette_score", X=X)
    assert len(sequential.null_distribution) < 499
    less = permutation_test(None, labels, index="silhouette_score", X=X, alternative="less")
    assert less.pvalue == 1.0
    # Lower is better.
    lower = permutation_test(
        None, labels, index="davies_bouldin_score", X=X, method="monte_carlo", n_resamples=99
    )
    assert lower.pvalue == pytest.approx(0.1, abs=0.09)


def test_blocks_stay_together():
    X = np.array([[0.0], [1.0], [7.0], [8.0]])
    labels, blocks = [0, 0, 1, 1], ["a", "a", "b", "b"]
    found = permutation_test(None, labels, index="silhouette_score", X=X, blocks=blocks)
    # Within these blocks all permutations have the same clusters.
    assert found.pvalue == 1.0
    assert (found.null_distribution == found.statistic).all()


@pytest.mark.slow
def test_adjusted_silhouette_is_zero_for_random_labels():
    rng = np.random.default_rng(0)
    scores = [
        chance_adjusted_score(
            None,
            rng.permutation(SPECIES),
            index="silhouette_score",
            X=IRIS,
            n_resamples=40,
            random_state=0,
        )
        for _ in range(10)
    ]
    assert abs(np.mean(scores)) < 0.01
    found = chance_adjusted_score(
        None, SPECIES, index="silhouette_score", X=IRIS, n_resamples=40, random_state=0
    )
    assert found == pytest.approx((found.unadjusted - found.expected) / (1 - found.expected))
    with pytest.raises(ValueError, match="method must be 'monte_carlo' or 'auto'"):
        chance_adjusted_score(None, SPECIES, index="silhouette_score", X=IRIS, method="exact")
    with pytest.raises(ValueError, match="must have a best value to be adjusted"):
        chance_adjusted_score(None, SPECIES, index="dunn_score", X=IRIS)


# --------------------------------------------------------------------------- what is needed


@pytest.mark.parametrize("door", DOORS)
def test_what_an_index_needs_is_named(door):
    call = DOORS[door]
    index = "silhouette_score"
    with pytest.raises(ValueError, match="^X must be given for silhouette_score"):
        call(None, None, index)
    with pytest.raises(ValueError, match="^labels_true must be None for silhouette_score"):
        call(SPECIES, IRIS, index)
    with pytest.raises(ValueError, match="^labels_true must be given for rand_score, got None"):
        call(None, None, "rand_score")
    with pytest.raises(ValueError, match="^X must be None for rand_score"):
        call(SPECIES, IRIS, "rand_score")
    with pytest.raises(ValueError, match="^sample_weight must be None for silhouette_score"):
        call(None, IRIS, index, sample_weight=np.ones(150))
    with pytest.raises(ValueError, match="must have the same length, got 149"):
        call(None, IRIS[:149], index)


def test_other_forms_of_data():
    frame = pd.DataFrame(IRIS, index=np.arange(150)[::-1])
    labels = pd.Series(SPECIES, index=frame.index)
    expected = silhouette_score(IRIS, SPECIES)
    for X, given_as in (
        (frame, labels),
        (sparse.csr_array(IRIS), SPECIES),
        (IRIS.tolist(), SPECIES),
    ):
        found = score_candidates(None, [given_as], indices="silhouette_score", X=X)
        assert found.scores["silhouette_score"] == pytest.approx(expected, rel=1e-9)
    with pytest.raises(ValueError, match="must have the same index"):
        score_candidates(None, [labels.sort_index()], indices="silhouette_score", X=frame)
    with pytest.raises(ValueError, match="^within must be left out for silhouette_score"):
        score_candidates(None, [SPECIES], indices="silhouette_score", X=IRIS, within=SPECIES)
    with pytest.raises(ValueError, match="^unmatched must be left out for silhouette_score"):
        score_candidates(None, [SPECIES], indices="silhouette_score", X=IRIS, unmatched="drop")
    found = score_candidates(None, [SPECIES], indices="silhouette_score", X=IRIS)
    with pytest.raises(ValueError, match=r"by permutation_test\(None, labels"):
        found.permutation_test()


@pytest.mark.parametrize("name", list_indices(needs_data=True, needs_graph=False))
def test_every_index_has_its_value_everywhere(name):
    X, labels = IRIS[::5], SPECIES[::5]
    value = get_index(name)(X, labels)
    assert score_candidates(None, [labels], indices=name, X=X).scores[name] == value
    assert index_curve(None, {"a": labels}, index=name, X=X).values == value
    tested = permutation_test(None, labels, index=name, X=X, n_resamples=19)
    assert tested.statistic == value
    assert tested.pvalue == 1 / 20


def test_pictures_of_values_by_the_data():
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot

    candidates = {3: SPECIES, 2: SPECIES % 2}
    scores = CandidateScoresDisplay.from_predictions(
        None, candidates, index="silhouette_score", X=IRIS
    )
    expected = sorted((silhouette_score(IRIS, one) for one in candidates.values()), reverse=True)
    np.testing.assert_allclose(scores.points_.get_offsets()[:, 0], expected)
    assert scores.band_ is None
    curve = IndexCurveDisplay.from_predictions(None, candidates, index="silhouette_score", X=IRIS)
    assert curve.ax_.get_title(loc="left") or curve.ax_.get_title()
    assert sorted(curve.lines_[0].get_ydata(), reverse=True) == pytest.approx(expected)
    pyplot.close("all")


def test_memberships_by_the_data():
    X = IRIS[::5]
    memberships = np.random.default_rng(0).dirichlet(np.ones(3), 30)
    names = ["within_cluster_sum_of_squares", "xie_beni_score"]
    found = score_candidates(None, [memberships], indices=names, X=X)
    for name in names:
        assert found.scores[name] == get_index(name)(X, memberships)
    interval = score_interval(None, memberships, index=names[0], X=X)
    without = [
        get_index(names[0])(np.delete(X, k, axis=0), np.delete(memberships, k, axis=0))
        for k in range(30)
    ]
    assert interval.standard_error == pytest.approx(jackknife(without), rel=1e-9)
    test = permutation_test(None, memberships, index=names[0], X=X, n_resamples=19)
    assert 0.05 <= test.pvalue <= 1
    with pytest.raises(ValueError, match="must be labels for silhouette_score, got memberships"):
        score_candidates(None, [memberships], indices="silhouette_score", X=X)


@pytest.mark.parametrize("name", ["silhouette_score", "incidence_proximity_correlation"])
def test_chunks_do_not_change_values_without_each_object(name):
    one, judged = chosen(name), Judged.of(IRIS, read(SPECIES, "labels"), DEFAULT)
    expected = judged.apply(one.index.without_each, one)
    with sklearn.config_context(working_memory=0.01):
        found = judged.apply(one.index.without_each, one)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the test may not hold")
def test_equal_clusterers_seldom_differ():
    rng = np.random.default_rng(0)
    found = 0
    for _ in range(60):
        X = rng.uniform(size=(50, 2))
        a, b = (
            KMeans(3, n_init=1, random_state=int(rng.integers(2**31)))
            .fit(X + rng.normal(scale=0.1, size=X.shape))
            .labels_
            for _ in range(2)
        )
        found += paired_comparison_test(None, a, b, index="silhouette_score", X=X).pvalue <= 0.05
    assert found <= binom.isf(1e-3, 60, 0.065)
