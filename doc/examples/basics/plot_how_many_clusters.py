"""
Choose the number of clusters without a reference
==================================================

One call weighs independent evidence: a number is named only if its clusters are better than in data
without clusters, separated, and found again in other samples. The data are wines of three growers; the
growers are not used.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_wine
from sklearn.metrics import silhouette_score
from sklearn.preprocessing import scale

from sklearn_clustcompare import NClustersDisplay, adjusted_rand_score, choose_n_clusters

X, growers = load_wine(return_X_y=True)
choice = choose_n_clusters(KMeans(n_init=3), scale(X), param_range=range(1, 8))
print(choice.verdict)

# %%
# The silhouette of three clusters is hardly larger than that of two or four, but only three are found
# again in halves of the data. Bands show data without clusters, one for each law. Dotted lines are the
# least values of a division that is found again. Diamonds below the gap are the numbers that published
# rules choose; :meth:`~sklearn_clustcompare.results.GapStatistic.choose` defines them.
NClustersDisplay(choice).plot()
# sphinx_gallery_alt = "Silhouette, valley, prediction strength, stability and gap over 1 to 7 clusters, 3 marked"
plt.show()

# %%
# The three clusters are nearly the growers.
found = KMeans(choice.n_clusters, n_init=10, random_state=0).fit_predict(scale(X))
print(round(adjusted_rand_score(growers, found), 3))

# %%
# The silhouette assumes compact groups. On two rings it prefers the halves found by k-means to the
# rings. The verdict on k-means is that its clusters are no better than those of one cloud; for single
# linkage, which finds chains, it requires valleys instead of high silhouettes.
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
