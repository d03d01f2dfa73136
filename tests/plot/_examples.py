"""Partitions to draw, and what is read from the drawing."""

import numpy as np
from scipy.cluster.hierarchy import linkage
from sklearn.datasets import load_iris

TRUTH = np.repeat(["a", "b", "c"], [6, 4, 2])
FOUND = np.array([1, 1, 1, 1, 1, 0, 0, 0, 0, 2, 2, 2])
MANY = np.random.default_rng(0).integers(200, size=1500)
MANY_FOUND = np.where(np.random.default_rng(1).random(1500) < 0.5, MANY, MANY[::-1])
X, Y = load_iris(return_X_y=True)
Z = linkage(X, "average"), linkage(X, "ward")


def texts(axis):
    return [label.get_text() for label in axis.get_ticklabels()]
