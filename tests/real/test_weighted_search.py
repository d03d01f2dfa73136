"""A search scores the fits that were made: with weights, of clusterers that cannot predict."""

import numpy as np
import pytest
from sklearn import metrics
from sklearn.cluster import DBSCAN
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV

from sklearn_clustcompare import TransductiveSplit, make_clustering_scorer
from tests._examples import weighted_search


@weighted_search
@pytest.mark.parametrize("columns", [slice(0, 2), slice(2, 4)])
def test_weights_of_distinct_rows_are_repeated_rows(columns):
    X, classes = load_iris(return_X_y=True)
    rows = np.column_stack([X[:, columns], classes])
    distinct, weight = np.unique(rows, axis=0, return_counts=True)
    U, y = distinct[:, :2], distinct[:, 2].astype(int)
    assert weight.max() > 1
    eps = [0.15, 0.2, 0.25, 0.3]
    search = GridSearchCV(
        DBSCAN(min_samples=8),
        {"eps": eps},
        scoring=make_clustering_scorer("adjusted_rand_score"),
        cv=TransductiveSplit(),
        error_score="raise",
    ).fit(U, y, sample_weight=weight)
    expected = []
    for one in eps:
        # In this order, by which DBSCAN assigns objects at borders.
        labels = DBSCAN(eps=one, min_samples=8).fit(np.repeat(U, weight, axis=0)).labels_
        expected.append(metrics.adjusted_rand_score(np.repeat(y, weight), labels))
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], expected, rtol=1e-12)
    assert search.best_params_["eps"] == eps[int(np.argmax(expected))]
