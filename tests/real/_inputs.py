"""What people have: data of scikit-learn, and partitions into many clusters of unequal sizes."""

import numpy as np
import pytest
from sklearn import datasets
from sklearn.preprocessing import StandardScaler

SHIPPED = ("iris", "wine", "digits", "breast_cancer")


def shipped(name):
    """Return standardized features and classes of a data set of scikit-learn."""
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def zipf_sizes(n_samples, n_clusters):
    """Return sizes in proportion to 1, 1/2, 1/3, ..., at least 1."""
    shares = 1 / np.arange(1, n_clusters + 1)
    sizes = 1 + np.floor(shares / shares.sum() * (n_samples - n_clusters)).astype(int)
    sizes[0] += n_samples - sizes.sum()
    return sizes


def zipf_labels(n_samples, n_clusters, seed=0):
    """Return labels of clusters with these sizes, in random order."""
    labels = np.repeat(np.arange(n_clusters), zipf_sizes(n_samples, n_clusters))
    return np.random.default_rng(seed).permutation(labels)


def moved(labels, share, seed):
    """Return labels of which a share was replaced by those of other objects."""
    rng = np.random.default_rng(seed)
    chosen = rng.random(len(labels)) < share
    return np.where(chosen, rng.permutation(labels), labels)


# A caution that comes with intervals of information where clusters are many.
too_small_is_said = pytest.mark.filterwarnings(
    "ignore:.*too small for so many clusters", "ignore:the intervals of .* may not hold for"
)
