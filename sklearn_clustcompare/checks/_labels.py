"""Checks of the labels themselves."""

from __future__ import annotations

import numpy as np

from sklearn_clustcompare.checks._comparing import require, require_same_labels
from sklearn_clustcompare.checks._data import blobs, overlapping
from sklearn_clustcompare.checks._record import FIT_PREDICT, N_CLUSTERS, REPEATABLE, check
from sklearn_clustcompare.checks._subject import Subject, labels_of


@check(FIT_PREDICT, REPEATABLE)
def check_fit_predict_returns_the_labels(subject: Subject) -> None:
    """``fit_predict`` returns the labels of ``fit``: ``labels_``, or ``predict`` for mixtures.

    Data: overlapping groups. Tolerance: none.
    """
    X, _ = overlapping()
    found = np.asarray(subject.make().fit_predict(X))
    require_same_labels(labels_of(subject.fit(X), X), found, "fit_predict after fit")


@check()
def check_labels_are_integers(subject: Subject) -> None:
    """There is one label for each object, of an integer type.

    Data: blobs. Tolerance: none.
    """
    X, _ = blobs()
    labels = subject.labels(X)
    require(labels.shape == (len(X),), f"labels must have shape {(len(X),)}, got {labels.shape}")
    require(labels.dtype.kind in "iu", f"labels must be integers, got {labels.dtype}")


@check()
def check_labels_are_consecutive(subject: Subject) -> None:
    """Clusters are numbered 0 to k - 1 without gaps; noise is negative.

    Data: blobs. Tolerance: none.
    """
    X, _ = blobs()
    clusters = np.unique(subject.labels(X))
    clusters = clusters[clusters >= 0]
    require(
        np.array_equal(clusters, np.arange(len(clusters))),
        f"clusters must be numbered from 0 without gaps, got {clusters.tolist()}",
    )


@check(N_CLUSTERS)
def check_n_clusters_is_kept(subject: Subject) -> None:
    """There are as many clusters as requested.

    Data: 2, 3 and 4 blobs, as many clusters. Tolerance: none.
    """
    for n_clusters in (2, 3, 4):
        X, _ = blobs(n_clusters)
        labels = subject.labels(X, n_clusters)
        found = len(np.unique(labels[labels >= 0]))
        require(
            found == n_clusters,
            f"{subject.n_clusters_param}={n_clusters} must give {n_clusters} clusters, got {found}",
        )
