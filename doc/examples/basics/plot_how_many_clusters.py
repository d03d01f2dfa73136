"""
How many clusters, without a reference?
=======================================

Wines of three growers; forget the growers. One call compares several criteria for the number of
clusters, each beside data without clusters.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_wine
from sklearn.metrics import silhouette_score
from sklearn.preprocessing import scale

from sklearn_clustcompare import NClustersDisplay, adjusted_rand_score, choose_n_clusters

X, growers = load_wine(return_X_y=True)
choice = choose_n_clusters(KMeans(n_init=3), scale(X), param_range=range(1, 8), n_resamples=10)
print(choice.summary)

# %%
# All criteria stand side by side. The silhouette of three clusters is hardly larger than that of
# two or four; stability, the gap and the prediction strength are clearer. Grey bands are data
# without clusters.
NClustersDisplay(choice).plot()
plt.show()

# %%
# The three clusters are the growers, nearly.
found = KMeans(choice.n_clusters, n_init=10, random_state=0).fit_predict(scale(X))
print(round(adjusted_rand_score(growers, found), 3))

# %%
# Two rings are where compact groups are the wrong idea. The silhouette prefers the halves of
# k-means to the rings themselves, and no criterion made of distances to centers sees the mistake.
rng = np.random.default_rng(0)
angle = rng.uniform(0, 2 * np.pi, 300)
radius = np.repeat([1.0, 3.0], 150) + rng.normal(scale=0.1, size=300)
rings = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
clusterers = {
    "k-means": KMeans(2, n_init=5, random_state=0),
    "single linkage": AgglomerativeClustering(2, linkage="single"),
}
figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
for ax, (name, clusterer) in zip(axes, clusterers.items(), strict=True):
    labels = clusterer.fit_predict(rings)
    ax.scatter(*rings.T, c=labels, s=9, cmap="cividis")
    ax.set(aspect="equal", title=f"{name}: silhouette {silhouette_score(rings, labels):.2f}")
plt.show()
