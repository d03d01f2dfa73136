"""
How many clusters: a tree of clusterings
========================================

Cluster the same objects with more and more clusters, and link each cluster to those it came from.
As long as clusters are only divided, the levels make a tree. Where clusters begin to exchange
objects, there are too many.
"""

import matplotlib.pyplot as plt
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale

from sklearn_clustcompare import ClusteringTreeDisplay, clustering_tree

X = scale(load_wine().data)
levels = {f"k = {k}": KMeans(k, n_init=10, random_state=0).fit_predict(X) for k in range(1, 8)}

# %%
# The stability of a cluster is high if other levels have nearly the same one. The first and last
# of three clusters come again, and the one between them is divided. From five clusters on, many
# have several lines from above.
ClusteringTreeDisplay.from_partitions(levels)
plt.show()

# %%
# The same as numbers: the mean stability of each level.
clustering_tree(levels).to_frame().groupby("partition")["stability"].mean().round(3)
