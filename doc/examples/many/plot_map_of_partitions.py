"""
A map of clusterings
====================

Which algorithms say the same? The variation of information is a metric on partitions, so distances
between them can be drawn like distances between towns.
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
# All pairs of distances, in bits, then classical scaling: the two largest eigenvectors of the
# centred matrix of squared distances.
compared = pairwise_scores(partitions, index="variation_of_information_distance", base=2)
distances = compared.values
centre = np.eye(len(partitions)) - 1 / len(partitions)
values, vectors = np.linalg.eigh(-0.5 * centre @ distances**2 @ centre)
places = vectors[:, -2:] * np.sqrt(values[-2:])

# %%
# Colours tell the number of clusters, markers the algorithm. What lies near the growers is a good
# clustering; most algorithms meet there if they are asked for three clusters.
figure, axes = plt.subplots(figsize=(8, 5))
markers = {
    "growers": "*",
    "k-means": "o",
    "Ward": "s",
    "complete": "D",
    "mixture": "^",
    "Birch": "v",
}
colours = {2: "C0", 3: "C1", 5: "C2"}
for (name, k), (x, height) in zip(partitions, places, strict=True):
    if name == "growers":
        axes.plot(x, height, "k*", markersize=16, zorder=3)
    else:
        axes.plot(x, height, markers[name], color=colours[k], markersize=9, alpha=0.8)
for name, marker in markers.items():
    axes.plot([], [], marker, color="0.4", label=name)
for k, colour in colours.items():
    axes.plot([], [], "o", color=colour, label=f"{k} clusters")
axes.set(xlabel="bits", ylabel="bits", aspect="equal")
axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()
