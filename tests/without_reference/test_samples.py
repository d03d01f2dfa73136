"""Tests of samples of large data: only their rows are read, and the answers are those of all."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.cluster import HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.metrics import adjusted_rand_score, silhouette_score

from sklearn_clustcompare.without_reference import (
    _structure,
    cluster_significance,
    structure_test,
)
from sklearn_clustcompare.without_reference._fits import Statistic
from tests._examples import slow
from tests.without_reference.test_large_data import FORMS, FORMS_TRIED, TRUE, Counted, X

K = KMeans(3, n_init=3)
SMALL = {"subsample": 60, "n_null": 19, "null": "gaussian"}


def spread(X):
    return X[:, 0].std()


def n_clusters(X, labels):
    return len(set(labels) - {-1})


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS_TRIED)
def test_both_tests_find_clusters_in_samples_whatever_holds_the_rows(form, tmp_path):
    data = FORMS[form](X, tmp_path)
    null = "copula" if form == "sparse" else "gaussian"
    test = structure_test(K, data, statistic="silhouette_score", **SMALL | {"null": null})
    assert (test.pvalue, test.subsample) == (0.05, 60)
    assert "means of samples of 60 rows" in repr(test)
    for estimator in (KMeans(4, n_init=3), TRUE):
        found = cluster_significance(estimator, data, **SMALL | {"null": null})
        assert (found.n_clusters, found.subsample) == (3, 60)
        assert found.sizes[-1] == len(found.labels) == 4000
        assert adjusted_rand_score(TRUE, found.labels) > 0.99


@pytest.mark.slow
def test_only_sampled_rows_are_read():
    data = Counted(X)
    structure_test(None, data, statistic=spread, **SMALL)
    assert sum(data.read) == 2 + 300
    data = Counted(X)
    cluster_significance(TRUE, data, **SMALL)
    assert sum(data.read) == 2 + 300


def test_the_statistic_is_the_mean_over_disjoint_samples():
    seen = []

    def keep(X):
        seen.append(X)
        return X[:, 0].std()

    test = structure_test(None, X, statistic=keep, subsample=60, null="gaussian", n_null=3)
    assert {len(one) for one in seen} == {60}
    assert test.values[0] == pytest.approx(np.mean([one[:, 0].std() for one in seen[:5]]))
    rows = np.vstack(seen[:5])
    assert len(np.unique(rows, axis=0)) == 300
    assert cdist(rows, X).min(axis=1).max() == 0
    # A structureless data set is divided in the same way.
    expected = [np.mean([one[:, 0].std() for one in seen[at : at + 5]]) for at in (5, 10, 15)]
    assert test.null_distribution == pytest.approx(expected)


def test_parts_are_clustered_by_themselves():
    parts = [np.arange(0, 40), np.arange(40, 90)]
    statistic = Statistic(
        AgglomerativeClustering(),
        [{"n_clusters": 2}, {"n_clusters": 3}],
        lambda seed, found, candidate: silhouette_score(found.space, found.labels),
        parts,
    )
    sets = [X[:90], X[90:180]]
    expected = np.empty((2, 2))
    for number, k in np.ndindex(2, 2):
        model, rows = AgglomerativeClustering(2 + k), sets[number]
        values = [silhouette_score(rows[one], model.fit_predict(rows[one])) for one in parts]
        expected[number, k] = np.mean(values)
    np.testing.assert_allclose(statistic(sets, [[0, 1, 2], [0, 3, 4]]), expected)


@pytest.mark.slow
def test_a_cluster_that_is_in_no_sample_keeps_its_place():
    labels = np.where(np.arange(4000) == 17, "rare", TRUE.astype(str))
    found = cluster_significance(labels, X, **SMALL)
    assert found.clusters.tolist() == ["0", "1", "2", "rare"]
    assert found.sizes[3] == 1
    assert found.readings[3] != "one cluster"
    assert adjusted_rand_score(TRUE, found.labels) > 0.99


@pytest.mark.slow
def test_parameters_that_count_objects_are_scaled():
    model = HDBSCAN(min_cluster_size=400, copy=True)
    test = structure_test(model, X, statistic=n_clusters, subsample=200, n_null=2)
    assert test.values == [3]
    assert cluster_significance(model, X, subsample=200, n_null=19, null="gaussian").n_clusters == 3


@pytest.mark.parametrize("case", [slow("blobs"), "one", slow("touching")])
def test_an_early_end_has_the_decision_of_all_data_sets(case, monkeypatch):
    rng = np.random.default_rng(5)
    gap = {"blobs": 8, "one": 0, "touching": 2.5}[case]
    rows = rng.normal(size=(120, 3)) + gap * np.eye(3)[np.arange(120) % 3]
    how = {"n_null": 39, "null": ["gaussian", "pca"]}
    early = cluster_significance(np.arange(120) % 3, rows, **how)
    monkeypatch.setattr(_structure, "_FIRST_LOOK", 39)
    whole = cluster_significance(np.arange(120) % 3, rows, **how)
    np.testing.assert_array_equal(early.labels, whole.labels)
    np.testing.assert_array_equal(early.is_significant, whole.is_significant)
    assert early.readings == whole.readings


def test_one_sample_scales_the_counts_of_the_estimator():
    fitted = []

    class Recorded(HDBSCAN):
        def fit(self, X, y=None):
            fitted.append((len(X), self.min_cluster_size))
            return super().fit(X, y)

    rows = X[:600]
    how = {"subsample": 150, "n_null": 2, "statistic": "silhouette_score", "null": "pca"}
    for n_subsamples in (1, 2):
        with pytest.raises(ValueError, match="structureless data"):  # it divides none of them
            structure_test(
                Recorded(min_cluster_size=80, copy=True), rows, n_subsamples=n_subsamples, **how
            )
    assert {size for _, size in fitted} == {20}
    assert {n_rows for n_rows, _ in fitted} == {150}
