"""
Compare two soft partitions
===========================

The adjusted Rand index of two equal soft partitions is below 1, since the expected table describes
random draws from the memberships. The Frobenius-adjusted index is 1. Both can be used if one of the
two sides is labels.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris
from sklearn.mixture import GaussianMixture

from sklearn_clustcompare import (
    adjusted_rand_score,
    frobenius_adjusted_rand_score,
)
from sklearn_clustcompare.metrics import partition_entropy

X, y = load_iris(return_X_y=True)
mixture = GaussianMixture(3, n_init=3, random_state=0).fit(X)
scores = np.log(mixture.weights_) + np.stack(
    [
        -0.5 * np.einsum("ij,jk,ik->i", X - mean, precision, X - mean)
        + 0.5 * np.linalg.slogdet(precision)[1]
        for mean, precision in zip(mixture.means_, mixture.precisions_, strict=True)
    ],
    axis=1,
)


# %%
# Scale the log memberships of a Gaussian mixture by a temperature; at 1 the memberships are those of
# ``predict_proba``, and a higher temperature makes them vaguer. Then compare each soft partition
# with itself, and with the species.
def memberships(temperature):
    """Return the memberships at a temperature."""
    exponents = (scores - scores.max(axis=1, keepdims=True)) / temperature
    return np.exp(exponents) / np.exp(exponents).sum(axis=1, keepdims=True)


assert np.allclose(memberships(1), mixture.predict_proba(X))
temperatures = np.logspace(-1, 2.5, 25)
partitions = [memberships(temperature) for temperature in temperatures]
vagueness = [partition_entropy(partition, base=3) for partition in partitions]

# %%
# Left: each partition is compared with itself. The vaguer the partition, the lower the adjusted Rand
# index (dashed); a crisper partition can score higher than a copy. The Frobenius-adjusted index
# stays at 1.
#
# Right: each partition is compared with labels, the species. Both indices fall, the
# Frobenius-adjusted one after a small rise, since a vague partition contains little information on
# the species.
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), sharey=True)
for index, style in ((frobenius_adjusted_rand_score, "C1"), (adjusted_rand_score, "C0--")):
    left.plot(vagueness, [index(one, one) for one in partitions], style, label=index.__name__)
    right.plot(vagueness, [index(y, one) for one in partitions], style, label=index.__name__)
left.set(title="against itself", xlabel="partition entropy", ylabel="score", ylim=(0, 1.05))
right.set(title="against the species", xlabel="partition entropy")
right.legend(loc="upper right")
# sphinx_gallery_alt = "Two indices over the partition entropy, against itself and against the species"
plt.show()
