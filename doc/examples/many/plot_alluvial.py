"""
Where the objects go
====================

An alluvial diagram shows two or more clusterings as columns, and the objects that their clusters
share as streams between them. Clusters that were split or merged are seen at a glance.
"""

import matplotlib.pyplot as plt
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits

from sklearn_clustcompare import AlluvialDisplay

X, y = load_digits(return_X_y=True)

# %%
# Ten handwritten digits and ten clusters. Clusters are ordered so that few streams cross, and
# matched ones have the same colour. The ones are split among three clusters, one of which holds
# most of the eights as well.
found = KMeans(10, n_init=4, random_state=0).fit_predict(X)
AlluvialDisplay.from_predictions(y, found)
plt.show()

# %%
# The same digits in more and more clusters. Streams have the colour of the cluster that they leave.
chain = {f"k = {k}": KMeans(k, n_init=4, random_state=0).fit_predict(X) for k in (2, 4, 6, 8, 10)}
AlluvialDisplay.from_partitions(chain)
plt.show()

# %%
# Small clusters of a fine clustering are drawn together; ``min_share`` says which are small.
fine = KMeans(40, n_init=1, random_state=0).fit_predict(X)
AlluvialDisplay.from_predictions(y, fine, names=("digits", "40 clusters"), min_share=0.02)
plt.show()
