"""Data with clear clusters."""

import pytest
from sklearn.datasets import make_blobs


@pytest.fixture(scope="session")
def blobs():
    centers = [[0, 0], [6, 0], [0, 6]]
    return make_blobs(120, centers=centers, cluster_std=0.6, random_state=0)
