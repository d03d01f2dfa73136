"""What is counted whole and in parts."""

import numpy as np

from sklearn_clustcompare import ContingencyTable

TREATMENTS = ("cluster", "singletons", "drop")


def labels_and_weights(n_samples=1000):
    rng = np.random.default_rng(7)
    return (*rng.integers(-1, 5, (2, n_samples)), rng.integers(0, 4, n_samples))


def count(labels_true, labels_pred, sample_weight=None, **noise):
    return ContingencyTable.from_labels(
        labels_true, labels_pred, sample_weight=sample_weight, **noise
    )
