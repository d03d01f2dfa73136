"""
Clustering trees
================

Cluster the same objects with increasing numbers of clusters, and link each cluster to those that it
comes from. As long as clusters are only divided, the levels form a tree. Clusters that exchange
objects indicate that there are too many.
"""

import matplotlib.pyplot as plt
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale

from sklearn_clustcompare.hierarchies import clustering_tree
from sklearn_clustcompare.plot import ClusteringTreeDisplay

X = scale(load_wine().data)
levels = {f"k = {k}": KMeans(k, n_init=10, random_state=0).fit_predict(X) for k in range(1, 8)}

# %%
# The stability of a cluster is high if other levels have nearly the same cluster. The first and the
# last of three clusters recur, and the one between them is divided. From five clusters on, many
# clusters have several parents.
ClusteringTreeDisplay.from_partitions(levels)
# sphinx_gallery_alt = "Tree of k-means clusterings of wines with 1 to 7 clusters, colored by stability"
plt.show()

# %%
# Compute the mean stability of each level.
clustering_tree(levels).to_frame().groupby("partition")["stability"].mean().round(3)
