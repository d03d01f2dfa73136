"""
Find the clusters that failed
=============================

The adjusted Rand index of k-means and ten handwritten digits is 0.66. The decomposition shows that
zeros and sixes are found nearly without error, and that half of the ones and half of the eights
share a cluster.
"""

import matplotlib.pyplot as plt
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits

from sklearn_clustcompare import adjusted_rand_score, cluster_decomposition
from sklearn_clustcompare.plot import ContingencyDisplay, DecompositionDisplay

X, y = load_digits(return_X_y=True)
found = KMeans(10, n_init=4, random_state=0).fit_predict(X)
print(f"adjusted Rand index {adjusted_rand_score(y, found):.2f}")

# %%
# ``R_i`` is how well the clusters determine digit i, ``lost`` is its share of the lost information,
# and the verdict shows whether it was split, merged with others, or both.
decomposition = cluster_decomposition(y, found)
decomposition

# %%
# Each digit has a bar (up), and so does the cluster matched with it (down). Bars are as high as the
# value and as wide as the weight, so that the area is the overall index. Colors show the verdict.
DecompositionDisplay(decomposition).plot()
# sphinx_gallery_alt = "Bars of ten digits and their clusters, colored by verdict: 1, 3, 8 and 9 were merged or split"
plt.show()

# %%
# The contingency table shows where the digits are. Clusters are in the order that matches the digits
# best.
ContingencyDisplay.from_predictions(y, found)
# sphinx_gallery_alt = "Contingency table of ten digits and ten clusters: ones and eights share a cluster"
plt.show()
