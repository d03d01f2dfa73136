"""What clusterers take, and what their main parameter is."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import (
    DBSCAN,
    HDBSCAN,
    OPTICS,
    AffinityPropagation,
    AgglomerativeClustering,
    KMeans,
    SpectralClustering,
)
from sklearn.decomposition import PCA, KernelPCA
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KNeighborsTransformer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer

from sklearn_clustcompare import (
    choose_n_clusters,
    gap_statistic,
    prediction_strength,
    structure_test,
)
from sklearn_clustcompare._clusterers import (
    clusters_parameter,
    is_symmetric,
    last_step,
    main_parameter,
    pairs_given,
    pairs_taken,
)

SQUARE = np.array([[0.0, 1.0], [1.0, 0.0]])
FEATURES = np.array([[0.0, 1.0], [2.0, 0.0]])


@pytest.mark.parametrize(
    ("estimator", "name"),
    [
        (KMeans(), "n_clusters"),
        (SpectralClustering(), "n_clusters"),
        (GaussianMixture(), "n_components"),
        (HDBSCAN(), "min_cluster_size"),
        (OPTICS(), "min_cluster_size"),
        (make_pipeline(PCA(), GaussianMixture()), "gaussianmixture__n_components"),
        (make_pipeline(PCA(), make_pipeline(HDBSCAN())), "pipeline__hdbscan__min_cluster_size"),
    ],
)
def test_the_main_parameter_is_that_of_the_last_step(estimator, name):
    assert main_parameter(estimator) == name
    assert clusters_parameter(estimator) == (None if "min" in name else name)


def test_a_parameter_that_is_not_there_is_told():
    with pytest.raises(ValueError, match="^param_name must be a parameter of DBSCAN, one of 'alg"):
        main_parameter(DBSCAN())
    with pytest.raises(ValueError, match="got 'auto', which stands for n_clusters, n_components, "):
        main_parameter(Pipeline([("pca", PCA()), ("none", "passthrough")]))
    with pytest.raises(ValueError, match="got 'n_cluster'; did you mean 'n_clusters'"):
        main_parameter(KMeans(), "n_cluster")
    with pytest.raises(TypeError):
        main_parameter("KMeans")


@pytest.mark.parametrize("call", [gap_statistic, prediction_strength, choose_n_clusters])
def test_one_object_is_no_cluster(call):
    X = np.random.default_rng(0).normal(size=(20, 2))
    with pytest.raises(ValueError, match="^min_cluster_size must be at least 2, .* got 1"):
        call(HDBSCAN(), X, [1, 5])
    with pytest.raises(ValueError, match="^hdbscan__min_cluster_size must be at least 2"):
        structure_test(make_pipeline(HDBSCAN()), X, [1, 5], statistic="dunn_score")


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator",
    [
        make_pipeline(FunctionTransformer(), KMeans(n_init=1)),
        GaussianMixture(),
        make_pipeline(FunctionTransformer(), GaussianMixture()),
    ],
)
def test_the_parameter_is_found_by_itself(estimator):
    rng = np.random.default_rng(0)
    X = np.concatenate([center + rng.normal(size=(15, 2)) for center in ([0, 0], [30, 30])])
    found = gap_statistic(estimator, X, [1, 2, 3], n_null=3, null="box")
    assert found.param_name == main_parameter(estimator)
    assert found.choose() == 2
    strength = prediction_strength(estimator, X, [1, 2, 3], n_resamples=2)
    assert (strength.param_name, strength.choose()) == (main_parameter(estimator), 2)
    found = structure_test(estimator, X, [2, 3], statistic="dunn_score", n_null=3, null="box")
    assert (found.param_name, found.best) == (main_parameter(estimator), 2)
    choice = choose_n_clusters(estimator, X, [1, 2, 3], n_null=19, random_state=0)
    assert (choice.param_name, choice.n_clusters) == (main_parameter(estimator), 2)


# --------------------------------------------------------------------------- square input


@pytest.mark.parametrize(
    ("estimator", "kind"),
    [
        (KMeans(), None),
        (DBSCAN(), None),
        (DBSCAN(metric="precomputed"), "distances"),
        (HDBSCAN(metric="precomputed"), "distances"),
        (OPTICS(metric="precomputed"), "distances"),
        (AgglomerativeClustering(metric="precomputed", linkage="single"), "distances"),
        (SpectralClustering(affinity="precomputed"), "similarities"),
        (SpectralClustering(affinity="precomputed_nearest_neighbors"), "distances"),
        (AffinityPropagation(affinity="precomputed"), "similarities"),
        (make_pipeline(make_pipeline(DBSCAN(metric="precomputed"))), "distances"),
        (make_pipeline(KNeighborsTransformer(metric="precomputed"), KMeans()), None),
        (Pipeline([("pca", PCA()), ("none", "passthrough")]), None),
    ],
)
def test_what_the_last_step_takes_of_pairs(estimator, kind):
    assert pairs_taken(estimator) == kind


@pytest.mark.parametrize(
    ("estimator", "X", "kind"),
    [
        (KMeans(), SQUARE, None),
        (DBSCAN(metric="precomputed"), FEATURES, "distances"),
        (make_pipeline(FunctionTransformer(), DBSCAN(metric="precomputed")), SQUARE, "distances"),
        (make_pipeline(FunctionTransformer(), DBSCAN(metric="precomputed")), FEATURES, None),
        (make_pipeline(FunctionTransformer(), KMeans()), SQUARE, None),
        (make_pipeline(KernelPCA(kernel="precomputed"), KMeans()), SQUARE, "similarities"),
        (None, SQUARE, "distances"),
        (None, SQUARE + np.eye(2), None),
        (None, FEATURES, None),
    ],
)
def test_what_the_data_hold_of_pairs(estimator, X, kind):
    assert pairs_given(estimator, X) == kind


def test_symmetry():
    values = np.random.default_rng(0).normal(size=(6, 6))
    even = values + values.T
    for one in (even, even * (1 + 1e-12 * values), sparse.csr_array(even), even.astype("f4")):
        assert is_symmetric(one)
    for one in (values, sparse.csr_array(values), even[:5], even.astype(str), even[0]):
        assert not is_symmetric(one)


def test_the_last_step():
    model = KMeans()
    assert last_step(make_pipeline(PCA(), make_pipeline(model))) is model
    assert last_step(model) is model
