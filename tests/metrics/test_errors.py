"""What is wrong is an error that names it."""

import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import linkage
from sklearn.cluster import AgglomerativeClustering

from sklearn_clustcompare import (
    adjusted_rand_score,
    bcubed_f_score,
    element_centric_similarity_score,
    match_clusters,
    relabel,
)
from sklearn_clustcompare.metrics import (
    categorical_entropy,
    clustering_entropy,
    overlapping_normalized_mutual_info_score,
    partition_coefficient,
    partition_entropy,
    relabel_partitions,
)
from tests._covers import OVERLAPPING, cover_of
from tests._errors import error_cases, using

LABELS = [0, 0, 0, 1, 1, 1]
PLACES = np.array([[0.0], [1.0], [4.0], [9.0], [11.0], [30.0]])
LETTERS = pd.Series([0, 0, 1, 1], index=list("abcd"))

covers = [cover_of(sets, 6) for sets in OVERLAPPING]
rand, named, runs = using(adjusted_rand_score, LABELS), using(relabel), using(relabel_partitions)
entropy, of_columns = using(clustering_entropy), using(categorical_entropy)
of_soft = [using(partition_coefficient), using(partition_entropy)]

VALUE_ERRORS = {
    # covers
    "^average must be 'object' for covers, got 'cluster'": using(bcubed_f_score, *covers)(
        average="cluster"
    ),
    "^alpha must lie between 0 and 1": using(element_centric_similarity_score, *covers)(alpha=1),
    "^variant must be one of 'mgh', 'lfk'; got 'max'": using(
        overlapping_normalized_mutual_info_score, *covers
    )(variant="max"),
    r"linkage matrix to Hierarchy\.from_linkage": using(adjusted_rand_score)(
        LABELS[:5], linkage(PLACES)
    ),
    r"use Hierarchy\.from_labels for the levels of a hierarchy": rand([LABELS, [0, 0, 1, 2, 2, 2]]),
    # information
    "^labels must not contain missing values, got None at position 1": entropy([0, None]),
    r"^labels must be a 1-D array of labels, got .*\(2, 1\): pass a column of labels": entropy(
        [[0], [1]]
    ),
    r"^labels must be a 1-D array of labels, got .*\(1, 1, 1\)": entropy(np.zeros((1, 1, 1))),
    "^q must be a number from 0.001 to 30, got 0": entropy([0, 1], q=0),
    "^base must be None .* got 1": entropy([0, 1], base=1),
    "^base must be None .* got 0.5": of_soft[1]([[1, 0]], base=0.5),
    "^base must be None unless q is 1": entropy([0, 1], base=2, q=2),
    "^sample_weight must have shape": entropy([0, 1], sample_weight=[1]),
    "^sample_weight must not be negative": entropy([0, 1], sample_weight=[1, -1]),
    r"^X must be a 2-D array \(n_samples, n_features\), got 1 dimension": of_columns(
        [1, 2], [0, 1]
    ),
    "^X and labels must have the same length, got 3 and 2": of_columns([[1], [2], [3]], [0, 1]),
    "^column 1 of X must not contain missing values, got None": of_columns(
        [[1, "a"], [2, None]], [0, 1]
    ),
    "^column 0 of X must not contain masked values": of_columns(
        np.ma.array([[1], [2]], mask=[[0], [1]]), [0, 1]
    ),
    # relabel
    "^labels_true and labels_pred must have the same length": named([0, 1], [0]),
    "^method must be one of 'optimal', 'greedy', ": named([0], [0], method="best"),
    "^labels_pred must not contain NaN, got nan at": named([0], [np.nan]),
    "^labels_true must leave numbers of type int64 above its": named(
        [2**63 - 1, 2**63 - 1], [0, 1], method="optimal"
    ),
    # relabel several
    "^labels_true and .* must have the same length, got 2 and 3": runs([0, 1], [[0, 1, 1]]),
    "^partitions must hold at least one": runs([0, 1], []),
    "^partition 0 and partition 1 must have the same index": runs(
        LETTERS, [LETTERS, LETTERS[list("acbd")]]
    ),
    "partition 1 must have the same length, got 2 and 1": runs([0, 1], [[0, 1], [0]]),
    "^partitions must have at least one object": runs(None, [[], []]),
    "^partitions must be a 2-D array": runs(None, np.array(3)),
    # sets
    "^method must be one of 'optimal', 'greedy', 'majority'; got 'best'": using(match_clusters)(
        [0], [0], method="best"
    ),
    # soft
    "memberships: .* sum to 1, got 0.9 in row 1": [one([[1, 0], [0.5, 0.4]]) for one in of_soft],
    "at least one object": [one(np.empty((0, 3))) for one in of_soft],
    "2-D|dimension": [one([0, 1, 1]) for one in of_soft],
}

TYPE_ERRORS = {
    # many partitions
    "^partitions must be all .*, got memberships for partition 1 and labels for partition 0": using(
        relabel_partitions, None, [[0, 1], [[0.5, 0.5], [1, 0]]]
    )(),
    # covers
    r"AgglomerativeClustering; .* Hierarchy\.from_linkage": rand(
        AgglomerativeClustering().fit(PLACES)
    ),
    # relabel several
    "^partition 0 must be a 1-D array of labels, got int": runs(None, [5, [0, 1]]),
    "^partition 1 must be a 1-D array of labels, got NoneType": runs(None, [[0, 1], None]),
    "^partitions must be several partitions": runs(None, None),
}


@error_cases(VALUE_ERRORS, TYPE_ERRORS)
def test_what_is_wrong_is_named(error, text, call):
    with pytest.raises(error, match=text):
        call()
