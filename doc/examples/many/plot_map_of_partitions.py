"""
Map clusterings by their distances
==================================

Which algorithms give similar results? The variation of information is a metric on partitions, so
multidimensional scaling can draw partitions as points in a plane.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import AgglomerativeClustering, Birch, KMeans
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import scale

from sklearn_clustcompare import pairwise_scores

X, y = load_wine(return_X_y=True)
X = scale(X)
partitions = {("growers", 3): y}
for k in (2, 3, 5):
    partitions["k-means", k] = KMeans(k, n_init=3, random_state=0).fit_predict(X)
    partitions["Ward", k] = AgglomerativeClustering(k).fit_predict(X)
    partitions["complete", k] = AgglomerativeClustering(k, linkage="complete").fit_predict(X)
    partitions["mixture", k] = GaussianMixture(k, random_state=0).fit_predict(X)
    partitions["Birch", k] = Birch(n_clusters=k, threshold=1.5).fit_predict(X)

# %%
# Compute all pairs of distances in bits, and apply classical scaling: the two largest eigenvectors
# of the centered matrix of squared distances.
compared = pairwise_scores(partitions, index="variation_of_information_distance", base=2)
distances = compared.values
center = np.eye(len(partitions)) - 1 / len(partitions)
values, vectors = np.linalg.eigh(-0.5 * center @ distances**2 @ center)
places = vectors[:, -2:] * np.sqrt(values[-2:])

# %%
# Colors show the number of clusters, markers the algorithm. Partitions near the growers are good;
# most algorithms are close to them with three clusters.
figure, axes = plt.subplots(figsize=(8, 5))
markers = {
    "growers": "*",
    "k-means": "o",
    "Ward": "s",
    "complete": "D",
    "mixture": "^",
    "Birch": "v",
}
colors = {2: "C0", 3: "C1", 5: "C2"}
for (name, k), (x, height) in zip(partitions, places, strict=True):
    if name == "growers":
        axes.plot(x, height, "k*", markersize=16, zorder=3)
    else:
        axes.plot(x, height, markers[name], color=colors[k], markersize=9, alpha=0.8)
for name, marker in markers.items():
    axes.plot([], [], marker, color="0.4", label=name)
for k, color in colors.items():
    axes.plot([], [], "o", color=color, label=f"{k} clusters")
axes.set(xlabel="bits", ylabel="bits", aspect="equal", title="Distances of 16 partitions")
axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
# sphinx_gallery_alt = "Sixteen partitions as points: most with three clusters lie near the growers"
plt.show()
