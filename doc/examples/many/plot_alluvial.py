"""
Alluvial diagrams of clusterings
================================

An alluvial diagram shows two or more clusterings as columns, and the objects that their clusters
share as streams between them. Use it to see which clusters are split or merged.
"""

import matplotlib.pyplot as plt
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits

from sklearn_clustcompare.plot import AlluvialDisplay

X, y = load_digits(return_X_y=True)

# %%
# Compare ten handwritten digits with ten clusters. Clusters are ordered so that few streams cross,
# and matched clusters have the same color. The ones are split among three clusters, one of which
# also contains most of the eights.
found = KMeans(10, n_init=4, random_state=0).fit_predict(X)
AlluvialDisplay.from_predictions(y, found)
# sphinx_gallery_alt = "Streams from ten digits to ten clusters; the ones are split among three clusters"
plt.show()

# %%
# Follow the digits through increasing numbers of clusters. Streams have the color of the cluster
# that they leave.
chain = {f"k = {k}": KMeans(k, n_init=4, random_state=0).fit_predict(X) for k in (2, 4, 6, 8, 10)}
AlluvialDisplay.from_partitions(chain)
# sphinx_gallery_alt = "Streams through k-means clusterings with 2, 4, 6, 8 and 10 clusters"
plt.show()

# %%
# Clusters smaller than ``min_share`` are drawn together.
fine = KMeans(40, n_init=1, random_state=0).fit_predict(X)
AlluvialDisplay.from_predictions(y, fine, names=("digits", "40 clusters"), min_share=0.02)
# sphinx_gallery_alt = "Streams from ten digits to 40 clusters; the eleven smallest are drawn together as other"
plt.show()
