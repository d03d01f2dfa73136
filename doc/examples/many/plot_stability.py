"""
Stability of a clustering and of its clusters
=============================================

Without a reference, check whether other data from the same source would give the same clusters:
cluster many pairs of samples, and compare the two clusterings of each pair. Then check the
stability of single clusters.
"""

import matplotlib.pyplot as plt
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale

from sklearn_clustcompare import StabilitySearch, cluster_stability
from sklearn_clustcompare.plot import ClusterStabilityDisplay, StabilityDisplay

X = scale(load_wine().data)

# %%
# The search clusters the same pairs of bootstrap samples with two to eight clusters, and repeats
# this on data without clusters. Since the index is adjusted for chance, agreements with different
# numbers of clusters can be compared.
search = StabilitySearch(
    KMeans(n_init=3), {"n_clusters": range(2, 9)}, n_resamples=15, null="pca", random_state=0
).fit(X)
print(search.best_params_)

# %%
# Three clusters are stable, far above the band of data without clusters. Two clusters are not: they
# cut one of the three in two, and not always the same one.
StabilityDisplay.from_estimator(search)
# sphinx_gallery_alt = "Stability of k-means over 2 to 8 clusters, highest above the band of chance at 3"
plt.show()

# %%
# With three clusters, every cluster is stable. With four, some are found again and others are not.
figure, axes = plt.subplots(1, 2, figsize=(9, 4), sharey=True, layout="constrained")
for ax, n_clusters in zip(axes, (3, 4), strict=True):
    stability = cluster_stability(KMeans(n_clusters, n_init=3), X, n_resamples=50)
    ClusterStabilityDisplay(stability).plot(ax=ax)
    ax.set_title(f"{n_clusters} clusters")
    print(stability)
# sphinx_gallery_alt = "Jaccard indices of clusters in resamples: all of three are stable, some of four are not"
plt.show()
