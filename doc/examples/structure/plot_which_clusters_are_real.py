"""
Which clusters are real
=======================

A clusterer of six clusters finds six in any data. Test each merge of their tree: where
the objects do not differ from one cloud, the clusters are parts of it.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import AgglomerativeClustering
from sklearn.datasets import load_iris

from sklearn_clustcompare import cluster_significance
from sklearn_clustcompare.plot import ClusterSignificanceDisplay

X, species = load_iris(return_X_y=True)

# %%
# Six clusters of irises, by Ward's method.
found = cluster_significance(AgglomerativeClustering(6), X)
print(found)

# %%
# Two clusters remain: one species, and the other two together. These differ in their mean, but their
# flowers overlap, and without the names of the species nothing shows that they are two clouds.
ClusterSignificanceDisplay(found).plot()
# sphinx_gallery_alt = "Tree of six clusters: the merge of all is significant, the two below are not"
plt.show()

# %%
print(
    np.array([[np.sum((found.labels == k) & (species == s)) for s in range(3)] for k in range(2)])
)

# %%
# Labels that exist are tested in the same way. Two of the species are joined: that a test finds no
# difference does not show that there is none.
print(cluster_significance(species, X))
