"""
Silhouettes
===========

The mean silhouette hides which objects fit badly. The picture shows all of them: a knife for each
cluster, whose blade are the silhouettes of its objects. The data are iris flowers; their species are
not used.
"""

import matplotlib.pyplot as plt
from sklearn.cluster import DBSCAN, KMeans
from sklearn.datasets import load_iris

from sklearn_clustcompare.plot import SilhouetteDisplay

X = load_iris().data
display = SilhouetteDisplay.from_estimator(KMeans(n_init=5, random_state=0), X, [2, 3, 4])
# sphinx_gallery_alt = "Silhouettes of k-means with 2, 3 and 4 clusters of iris: two broad knives, then thinner ones"
plt.show()

# %%
# With two clusters both blades are broad. With three, the smaller setosa stays as it is, and the other
# two are worn to a point: their objects lie almost as close to the neighbor. The mean falls from 0.68 to
# 0.55, although there are three species: silhouettes see gaps between clusters, not classes.
display.values.mean(axis=1).round(2)

# %%
# Noise of DBSCAN is gray. Its objects are closer to a cluster than to each other, which pulls the mean
# down; ``noise="drop"`` leaves them out.
SilhouetteDisplay.from_estimator(DBSCAN(eps=0.5), X)
# sphinx_gallery_alt = "Silhouettes of DBSCAN: a gray knife of noise below zero, and two clusters above"
plt.show()
