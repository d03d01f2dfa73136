"""
Choose the number of clusters without a reference
==================================================

One call names the best number and grades it: whether the clusters are separated, and come back in other
halves of the data, and whether they are better than in data without clusters. The data are wines of three
growers; the growers are not used.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_wine
from sklearn.metrics import silhouette_score
from sklearn.preprocessing import scale

from sklearn_clustcompare import adjusted_rand_score, choose_n_clusters
from sklearn_clustcompare.plot import NClustersDisplay

X, growers = load_wine(return_X_y=True)
choice = choose_n_clusters(KMeans(n_init=3), scale(X), param_range=range(1, 8))
print(choice.verdict)

# %%
# The silhouette of three clusters is hardly larger than that of two or four, but only three come back in
# other halves of the data. Bands show data without clusters, one for each law. The cores of the three are
# denser than the passes between them, but not by 2.5 times: they touch.
NClustersDisplay(choice).plot()
# sphinx_gallery_alt = "Silhouette with bands, strength and ratio over 1 to 7 clusters, 3 marked"
plt.show()

# %%
# The three clusters are nearly the growers.
found = KMeans(choice.n_clusters, n_init=10, random_state=0).fit_predict(scale(X))
print(round(adjusted_rand_score(growers, found), 3))

# %%
# The silhouette assumes compact groups. On two rings it prefers the halves found by k-means to the
# rings. Parts of rings by k-means are no separated clusters; for single linkage, which finds chains, no
# silhouette is compared.
rng = np.random.default_rng(0)
angle = rng.uniform(0, 2 * np.pi, 300)
radius = np.repeat([1.0, 3.0], 150) + rng.normal(scale=0.1, size=300)
rings = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
clusterers = {
    "k-means": KMeans(2, n_init=5, random_state=0),
    "single linkage": AgglomerativeClustering(2, linkage="single"),
}
for name, clusterer in clusterers.items():
    verdict = choose_n_clusters(clusterer, rings, param_range=range(1, 5), n_null=19).verdict
    print(f"{name}: {verdict.headline}")

figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
for ax, (name, clusterer) in zip(axes, clusterers.items(), strict=True):
    labels = clusterer.fit_predict(rings)
    ax.scatter(*rings.T, c=labels, s=9, cmap="cividis")
    ax.set(aspect="equal", title=f"{name}: silhouette {silhouette_score(rings, labels):.2f}")
# sphinx_gallery_alt = "Two rings, halved by k-means with silhouette 0.33, found by single linkage with 0.19"
plt.show()
