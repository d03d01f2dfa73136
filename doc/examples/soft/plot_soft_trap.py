"""
Soft partitions: the trap and the way out
=========================================

Two soft partitions are equal. Does an index say so? The adjusted Rand index of the expected table
does not: it compares random draws from the memberships. The Frobenius-adjusted one does. If one of
the two sides is labels, there is no trap.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris
from sklearn.mixture import GaussianMixture

from sklearn_clustcompare import (
    adjusted_rand_score,
    frobenius_adjusted_rand_score,
    partition_entropy,
)

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
# A temperature makes the memberships of a Gaussian mixture crisper or vaguer; at 1 they are those
# of ``predict_proba``. Then each soft partition is compared with itself, and with the species.
def memberships(temperature):
    """Return the memberships at a temperature."""
    exponents = (scores - scores.max(axis=1, keepdims=True)) / temperature
    return np.exp(exponents) / np.exp(exponents).sum(axis=1, keepdims=True)


assert np.allclose(memberships(1), mixture.predict_proba(X))
temperatures = np.logspace(-1, 2.5, 25)
partitions = [memberships(temperature) for temperature in temperatures]
vagueness = [partition_entropy(partition, base=3) for partition in partitions]

# %%
# On the left, the vaguer the partition, the lower the adjusted Rand index (dashed), though each
# partition is compared with an equal one. The curve tells what a perfect copy would score; a
# crisper partition can score higher. The Frobenius-adjusted index stays at 1.
#
# On the right one side is labels, the species. There both indices fall, the Frobenius-adjusted one
# after a small rise, and rightly so: a vague partition tells little of the species.
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), sharey=True)
for index, style in ((frobenius_adjusted_rand_score, "C1"), (adjusted_rand_score, "C0--")):
    left.plot(vagueness, [index(one, one) for one in partitions], style, label=index.__name__)
    right.plot(vagueness, [index(y, one) for one in partitions], style, label=index.__name__)
left.set(title="against itself", xlabel="partition entropy", ylabel="score", ylim=(0, 1.05))
right.set(title="against the species", xlabel="partition entropy")
right.legend(loc="upper right")
plt.show()
