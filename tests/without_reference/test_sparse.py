"""Sparse data: the law of structureless ones, and the same results as for dense data."""

import math
import pickle

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import pdist
from scipy.stats import multivariate_normal, norm
from sklearn.cluster import AgglomerativeClustering, KMeans

from sklearn_clustcompare import choose_n_clusters, gap_statistic, structure_test
from sklearn_clustcompare.without_reference._gap import log_dispersion
from sklearn_clustcompare.without_reference._null_data import (
    SparseCopula,
    _latent_correlations,
    laws_of,
)
from tests.without_reference._stability_data import law_of

RNG = np.random.default_rng(0)
COUNTS = sparse.csr_array(RNG.poisson(0.2, size=(60, 30)).astype(float))


def _two_topics():
    rates = np.full((2, 30), 0.05)
    rates[0, :15] = rates[1, 15:] = 1.5
    return sparse.csr_array(
        np.random.default_rng(1).poisson(rates.repeat(20, axis=0)).astype(float)
    )


# --------------------------------------------------------------------------- the law


@pytest.mark.parametrize("null", ["copula", "permute"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_columns_keep_their_values(null, dtype):
    dense = COUNTS.toarray().astype(dtype)
    dense[:, 3], dense[:, 5] = 1.0, 0.0
    X = sparse.csr_array(dense)
    law = law_of(null, X)
    drawn = law.draw(4)
    assert sparse.issparse(drawn)
    assert drawn.dtype == dtype
    assert np.array_equal(np.sort(drawn.toarray(), axis=0), np.sort(X.toarray(), axis=0))
    assert not np.array_equal(drawn.toarray(), X.toarray())
    again = pickle.loads(pickle.dumps(law)).draw(4)
    assert np.array_equal(drawn.toarray(), again.toarray())
    assert not np.array_equal(drawn.toarray(), law.draw(5).toarray())


def test_a_factor_keeps_columns_together_and_none_is_made_up():
    rng = np.random.default_rng(0)
    factor = rng.normal(size=(4000, 1))
    latent = 0.7 * factor + np.sqrt(0.51) * rng.normal(size=(4000, 40))
    X = (latent > 1).astype(float)
    above = np.triu_indices(40, 1)
    own, drawn, permuted = (
        np.corrcoef(one.T)[above]
        for one in (
            X,
            SparseCopula(X).draw(0).toarray(),
            SparseCopula(X, most_factors=0).draw(0).toarray(),
        )
    )
    share = norm.sf(1)
    both = multivariate_normal([0, 0], [[1, 0.49], [0.49, 1]]).cdf([-1, -1])
    expected = (both - share**2) / (share * (1 - share))
    assert own.mean() == pytest.approx(expected, abs=0.02)
    assert drawn.mean() == pytest.approx(expected, abs=0.02)
    assert _latent_correlations(np.array([expected, 0.0]), np.full(2, share)) == pytest.approx(
        [0.49, 0.0], abs=1e-4
    )
    assert permuted.mean() == pytest.approx(0, abs=0.005)
    independent = (rng.normal(size=(4000, 40)) > 1).astype(float)
    assert SparseCopula(independent)._loadings.shape == (40, 0)


@pytest.mark.parametrize("shape", [(2, 1), (2, 5), (30, 1), (4, 3)])
def test_few_objects_or_columns(shape):
    X = sparse.csr_array(np.random.default_rng(0).integers(0, 2, size=shape).astype(float))
    assert law_of("copula", X).draw(0).shape == shape


def test_copies_of_entries_are_added_up():
    twice = sparse.csr_array(
        (np.array([1.0, 2.0, 5.0]), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2)
    )
    drawn = law_of("permute", twice).draw(0).toarray()
    assert np.sort(drawn, axis=0).tolist() == [[0.0, 0.0], [3.0, 5.0]]


def test_laws_of_sparse_data_are_named():
    assert [law.name for law in laws_of("auto", COUNTS)] == ["copula"]
    with pytest.raises(ValueError, match="^null must be a callable or one of 'copula', 'permute'"):
        law_of("pca", COUNTS)
    bad = COUNTS.copy()
    bad.data[0] = np.inf
    with pytest.raises(ValueError, match="^X must be finite, got inf in row 0, column "):
        law_of("copula", bad)


# --------------------------------------------------------------------------- results


@pytest.mark.parametrize("power", [1, 2])
def test_dispersion_is_that_of_dense_data(power):
    labels = np.random.default_rng(0).integers(3, size=60)
    X = COUNTS.toarray()
    expected = sum(
        (pdist(X[labels == one]) ** power).sum() / np.count_nonzero(labels == one)
        for one in range(3)
    )
    assert math.exp(log_dispersion(COUNTS, labels, power)) == pytest.approx(expected, rel=1e-10)
    equal = sparse.csr_array(np.tile(X[:1], (60, 1)))
    assert log_dispersion(equal, labels, power) == -math.inf


def test_the_statistic_of_sparse_data_is_that_of_dense_ones():
    topics = _two_topics()
    for index in ("silhouette_score", "calinski_harabasz_score", "davies_bouldin_score"):
        options = {"statistic": index, "null": "permute", "n_null": 2}
        found = structure_test(KMeans(init="random", n_init=1), topics, [2, 3], **options)
        dense = structure_test(KMeans(init="random", n_init=1), topics.toarray(), [2, 3], **options)
        np.testing.assert_allclose(found.values, dense.values, rtol=1e-7)


@pytest.mark.slow
def test_topics_are_found():
    topics = _two_topics()
    options = {"null": "permute", "n_null": 19}
    test = structure_test(KMeans(n_init=1), topics, statistic="silhouette_score", **options)
    assert test.pvalue == 0.05
    test = structure_test(KMeans(n_init=1), COUNTS, statistic="silhouette_score", **options)
    assert test.pvalue > 0.05
    gap = gap_statistic(KMeans(n_init=1), topics, [1, 2, 3], null="permute", n_null=4)
    assert gap.choose() == 2
    assert choose_n_clusters(KMeans(n_init=1), topics, [2, 3], **options).n_clusters == 2


def test_a_clusterer_without_sparse_data_names_itself():
    with pytest.raises(TypeError, match="Sparse data was passed") as caught:
        gap_statistic(AgglomerativeClustering(), COUNTS, [2], null="permute", n_null=2)
    assert "AgglomerativeClustering with n_clusters=2" in caught.value.__notes__[0]
