"""What is wrong is an error that names it."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage
from sklearn.cluster import AgglomerativeClustering

import sklearn_clustcompare
from sklearn_clustcompare import adjusted_rand_score, match_clusters, relabel
from sklearn_clustcompare.metrics import (
    categorical_entropy,
    clustering_entropy,
    overlapping_normalized_mutual_info_score,
    partition_entropy,
    relabel_partitions,
)
from tests._covers import OVERLAPPING, cover_of
from tests._errors import error_cases

TRUE, PRED = (cover_of(sets, 6) for sets in OVERLAPPING)
LABELS = [0, 0, 0, 1, 1, 1]


VALUE_ERRORS = {
    # covers
    "^average must be 'object' for covers, got 'cluster'": lambda: (
        sklearn_clustcompare.bcubed_f_score(TRUE, PRED, average="cluster")
    ),
    "^alpha must lie between 0 and 1": lambda: (
        sklearn_clustcompare.element_centric_similarity_score(TRUE, PRED, alpha=1)
    ),
    "^variant must be one of 'mgh', 'lfk'; got 'max'": lambda: (
        overlapping_normalized_mutual_info_score(TRUE, PRED, variant="max")
    ),
    r"linkage matrix to Hierarchy\.from_linkage": lambda: adjusted_rand_score(
        LABELS[:5], linkage(np.array([[0.0], [1.0], [4.0], [9.0], [11.0], [30.0]]))
    ),
    r"use Hierarchy\.from_labels for the levels of a hierarchy": lambda: adjusted_rand_score(
        LABELS, [[0, 0, 0, 1, 1, 1], [0, 0, 1, 2, 2, 2]]
    ),
    # information
    "^labels must not contain missing values, got None at position 1": lambda: clustering_entropy(
        [0, None]
    ),
    r"^labels must be a 1-D array of labels, got .*\(2, 1\): pass a column of labels": lambda: (
        clustering_entropy([[0], [1]])
    ),
    r"^labels must be a 1-D array of labels, got .*\(1, 1, 1\)": lambda: clustering_entropy(
        np.zeros((1, 1, 1))
    ),
    "^q must be a number from 0.001 to 30, got 0": lambda: clustering_entropy([0, 1], q=0),
    "^base must be None .* got 1": lambda: clustering_entropy([0, 1], base=1),
    "^base must be None .* got 0.5": lambda: partition_entropy([[1, 0]], base=0.5),
    "^base must be None unless q is 1": lambda: clustering_entropy([0, 1], base=2, q=2),
    "^sample_weight must have shape": lambda: clustering_entropy([0, 1], sample_weight=[1]),
    "^sample_weight must not be negative": lambda: clustering_entropy(
        [0, 1], sample_weight=[1, -1]
    ),
    r"^X must be a 2-D array \(n_samples, n_features\), got 1 dimension": lambda: (
        categorical_entropy([1, 2], [0, 1])
    ),
    "^X and labels must have the same length, got 3 and 2": lambda: categorical_entropy(
        [[1], [2], [3]], [0, 1]
    ),
    "^column 1 of X must not contain missing values, got None": lambda: categorical_entropy(
        [[1, "a"], [2, None]], [0, 1]
    ),
    "^column 0 of X must not contain masked values": lambda: categorical_entropy(
        np.ma.array([[1], [2]], mask=[[0], [1]]), [0, 1]
    ),
    # relabel
    "^labels_true and labels_pred must have the same length": lambda: relabel([0, 1], [0]),
    "^method must be one of 'optimal', 'greedy', ": lambda: relabel([0], [0], method="best"),
    "^labels_pred must not contain NaN, got nan at": lambda: relabel([0], [np.nan]),
    "^labels_true must leave numbers of type int64 above its": lambda: relabel(
        [2**63 - 1, 2**63 - 1], [0, 1], method="optimal"
    ),
    # sets
    "^method must be one of 'optimal', 'greedy', 'majority'; got 'best'": lambda: match_clusters(
        [0], [0], method="best"
    ),
    # soft
    "memberships: .* sum to 1, got 0.9 in row 1": [
        lambda: sklearn_clustcompare.metrics.partition_coefficient([[1, 0], [0.5, 0.4]]),
        lambda: sklearn_clustcompare.metrics.partition_entropy([[1, 0], [0.5, 0.4]]),
    ],
    "at least one object": [
        lambda: sklearn_clustcompare.metrics.partition_coefficient(np.empty((0, 3))),
        lambda: sklearn_clustcompare.metrics.partition_entropy(np.empty((0, 3))),
    ],
    "2-D|dimension": [
        lambda: sklearn_clustcompare.metrics.partition_coefficient([0, 1, 1]),
        lambda: sklearn_clustcompare.metrics.partition_entropy([0, 1, 1]),
    ],
}

TYPE_ERRORS = {
    # many partitions
    "^partitions must be all .*, got memberships for partition 1 and labels for partition 0": (
        lambda: relabel_partitions(None, [[0, 1], [[0.5, 0.5], [1, 0]]])
    ),
    # covers
    r"AgglomerativeClustering; .* Hierarchy\.from_linkage": lambda: adjusted_rand_score(
        LABELS,
        AgglomerativeClustering().fit(np.array([[0.0], [1.0], [4.0], [9.0], [11.0], [30.0]])),
    ),
}


@error_cases(VALUE_ERRORS, TYPE_ERRORS)
def test_what_is_wrong_is_named(error, text, call):
    with pytest.raises(error, match=text):
        call()
