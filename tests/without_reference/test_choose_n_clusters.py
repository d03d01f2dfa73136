"""Several criteria for the number of clusters in one call."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare import NClustersChoice, choose_n_clusters, gap_statistic
from sklearn_clustcompare.without_reference._choose_n_clusters import _most_frequent

CENTERS = [[5, 5], [13, 11], [3, 20], [22, 3], [24, 17]]
CRITERIA = [
    "gap_statistic, tibshirani",
    "gap_statistic, first_se_max",
    "prediction_strength, above 0.8",
    "stability, null",
    "stability, null_max",
    "silhouette_score, largest",
]


def blobs(n_samples=100):
    return make_blobs(n_samples, centers=CENTERS, cluster_std=0.7, random_state=0)[0]


@pytest.fixture(scope="module")
def of_blobs():
    return choose_n_clusters(KMeans(n_init=5), blobs(), param_range=range(1, 8), n_resamples=5)


@pytest.fixture(scope="module")
def of_uniform():
    X = np.random.default_rng(1).uniform(size=(100, 2))
    return choose_n_clusters(KMeans(n_init=3), X, param_range=range(2, 6), n_resamples=10)


@pytest.mark.slow
def test_every_criterion_finds_five_separate_blobs(of_blobs):
    assert of_blobs.choices() == dict.fromkeys(CRITERIA, 5)
    assert of_blobs.n_clusters == 5
    assert len(of_blobs.cluster_stability) == 5
    lines = of_blobs.summary.splitlines()
    assert lines[0] == "5 clusters: the choice of 6 of 6 criteria."
    assert "have structure" in lines[1]
    assert "p = 0.05" in lines[1]
    assert lines[2].endswith("when the data are resampled: 5 highly stable.")


@pytest.mark.slow
def test_uniform_data_have_no_clusters(of_uniform):
    assert of_uniform.gap.param_range.tolist() == [1, 2, 3, 4, 5]
    assert of_uniform.n_clusters == 1
    assert of_uniform.cluster_stability is None
    choices = of_uniform.choices()
    assert choices["stability, null"] == choices["prediction_strength, above 0.8"] == 1
    assert choices["silhouette_score, largest"] > 1
    first, second, third = of_uniform.summary.splitlines()
    assert first.startswith("1 cluster: the choice of 5 of 6 criteria; ")
    assert second.startswith("No evidence of structure")
    assert third.startswith("No criterion knows")


@pytest.mark.parametrize(
    ("choices", "number"), [((3, 2, 3), 3), ((4, 2, 4, 2), 2), ((None, None, 7), 7), ((1, 5), 1)]
)
def test_most_frequent_choice(choices, number):
    assert _most_frequent(dict(enumerate(choices))) == number


def choice_of(by_gap, by_strength, by_stability, best_silhouette, pvalue=0.05, n_null=19):
    """Make the result of criteria that choose these numbers, of 1 to 5 clusters."""
    return NClustersChoice(
        SimpleNamespace(
            choices=lambda: {"tibshirani": by_gap, "first_se_max": by_gap}, param_name="k"
        ),
        SimpleNamespace(choose=lambda: by_strength),
        SimpleNamespace(choose=lambda rule: {"k": by_stability}),
        SimpleNamespace(
            values=np.array([float(k == best_silhouette) for k in range(2, 6)]),
            param_range=[2, 3, 4, 5],
            pvalue=pvalue,
            null_values=np.zeros((n_null, 4)),
            null="pca",
        ),
        None,
    )


def test_the_summary_shows_ties_of_the_criteria():
    gap, stability = "gap_statistic, tibshirani and gap_statistic, first_se_max", "stability, null"
    tied = choice_of(4, None, 2, 5).summary.splitlines()[0]
    assert tied == (
        "2 clusters: the choice of 2 of 6 criteria, the smallest of several that as many choose; "
        f"4 by {gap}; nothing by prediction_strength, above 0.8; 5 by silhouette_score, largest."
    )
    clear = choice_of(4, 4, 2, 5).summary.splitlines()[0]
    assert clear == (
        f"4 clusters: the choice of 3 of 6 criteria; 2 by {stability} and {stability}_max; 5 by "
        "silhouette_score, largest."
    )


@pytest.mark.parametrize(
    ("pvalue", "n_null", "end"),
    [
        (0.05, 19, "19 structureless data sets (pca), p = 0.05, the smallest possible."),
        (0.02, 49, "49 structureless data sets (pca), p = 0.02, the smallest possible."),
        (0.04, 49, "49 structureless data sets (pca), p = 0.04."),
        (0.1, 19, "is not better than for structureless data (pca), p = 0.1."),
    ],
)
def test_the_summary_shows_whether_a_p_value_can_be_smaller(pvalue, n_null, end):
    line = choice_of(3, 3, 3, 3, pvalue, n_null).summary.splitlines()[1]
    assert line.endswith(end)


@pytest.mark.slow
def test_columns_are_those_of_the_criteria(of_blobs):
    frame = of_blobs.to_frame()
    assert frame.index.tolist() == list(range(1, 8))
    assert np.isnan(frame.loc[1, "silhouette_score"])
    assert frame["silhouette_score"].idxmax() == 5
    assert frame["gap"].to_numpy() == pytest.approx(of_blobs.gap.gap)
    assert (frame["null_stability"] < frame["stability"]).loc[5]
    for name, column in of_blobs.columns().items():
        expected = frame.index if name == "n_clusters" else frame[name]
        np.testing.assert_array_equal(column, expected)


@pytest.mark.slow
def test_each_number_shows_the_criteria_that_choose_it(of_blobs, of_uniform):
    row = next(line for line in repr(of_blobs).splitlines() if line.split()[0] == "5")
    assert all(criterion in row for criterion in CRITERIA)
    row = next(line for line in repr(of_uniform).splitlines() if line.split()[0] == "1")
    assert "stability, null" in row
    assert "<table" in of_blobs._repr_html_()
    assert "No criterion knows" in of_uniform._repr_html_()


@pytest.mark.slow
def test_results_depend_neither_on_jobs_nor_on_calls():
    X = blobs(40)
    one, two = (
        choose_n_clusters(KMeans(), X, param_range=range(1, 4), n_resamples=3, n_jobs=n_jobs)
        for n_jobs in (1, 2)
    )
    for name, column in one.columns().items():
        np.testing.assert_array_equal(column, two.columns()[name])
    assert one.summary == two.summary
    other = choose_n_clusters(KMeans(), X, param_range=range(1, 4), n_resamples=3, random_state=1)
    assert (one.gap.gap != other.gap.gap).any()


@pytest.mark.slow
def test_parameters_of_pipelines_and_of_mixtures():
    X = blobs(60) * [1, 1000]
    pipeline = make_pipeline(StandardScaler(), KMeans(n_init=3))
    options = {"param_range": range(2, 7), "n_resamples": 3}
    choice = choose_n_clusters(pipeline, X, param_name="kmeans__n_clusters", **options)
    assert choice.columns()["kmeans__n_clusters"].tolist() == [1, 2, 3, 4, 5, 6]
    assert choice.n_clusters == 5
    mixture = GaussianMixture(covariance_type="spherical")
    options["param_range"] = [5, 6]
    choice = choose_n_clusters(mixture, blobs(60), param_name="n_components", **options)
    assert choice.to_frame().index.name == "n_components"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"param_range": [1, 2]}, "param_range must hold at least two numbers above 1, got"),
        ({"param_range": [3, 2]}, "param_range must hold increasing positive integers"),
        ({"param_name": "k"}, "param_name must be a parameter of KMeans"),
        ({"null": "uniform"}, "null must be a callable, a list or one of"),
        ({"n_null": 18}, "n_null must be at least 19 for a test at the level 0.05, got 18"),
        ({"n_resamples": 1}, "n_resamples must be"),
        ({"param_range": [2, 3, 41]}, "param_range must not exceed the 40 objects of X"),
    ],
)
def test_bad_parameters_are_refused(options, message):
    given = {"param_range": range(1, 4), "n_resamples": 2} | options
    with pytest.raises(ValueError, match=message):
        choose_n_clusters(KMeans(), blobs(40), **given)


def test_bad_data_are_refused():
    X = blobs(40)
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="X must be finite, got nan in row 3, column 1"):
        choose_n_clusters(KMeans(), X)


@pytest.mark.slow
def test_the_gap_is_that_of_the_function_alone(of_blobs):
    # Of other draws, so that the two differ by their random errors.
    alone = gap_statistic(
        KMeans(n_init=5), blobs(), param_range=range(1, 8), n_null=19, power=1, random_state=7
    )
    np.testing.assert_allclose(of_blobs.gap.log_dispersion[:5], alone.log_dispersion[:5])
    assert (np.abs(of_blobs.gap.gap - alone.gap) < 5 * alone.standard_error).all()
