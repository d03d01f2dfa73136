"""
Which cluster failed?
=====================

The agreement of k-means with ten handwritten digits is 0.66, by the adjusted Rand index. That
number hides that zeros and sixes are found nearly without an error, while half of the ones
and half of the eights lie together in one cluster.
"""

import matplotlib.pyplot as plt
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits

from sklearn_clustcompare import (
    ContingencyDisplay,
    DecompositionDisplay,
    adjusted_rand_score,
    cluster_decomposition,
)

X, y = load_digits(return_X_y=True)
found = KMeans(10, n_init=4, random_state=0).fit_predict(X)
print(f"adjusted Rand index {adjusted_rand_score(y, found):.2f}")

# %%
# R_i is how well digit i is told by the clusters, ``lost`` its share of all that is missing, and
# the verdict says whether it was split, merged with others, or both.
decomposition = cluster_decomposition(y, found)
decomposition

# %%
# A bar for each digit (up) and for the cluster matched with it (down): as high as its value and as
# wide as its weight, so that the area is the overall index. The colour is the verdict.
DecompositionDisplay(decomposition).plot()
plt.show()

# %%
# Where did the digits go? Clusters stand in the order that matches the digits best.
ContingencyDisplay.from_predictions(y, found)
plt.show()
