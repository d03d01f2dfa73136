"""
Similarities ordered by cluster
===============================

The oldest picture of a clustering: similarities of all pairs of objects, ordered by cluster. Good
clusters are dark blocks. The same picture works one floor higher, with whole clusterings in the
place of objects.
"""

import matplotlib.pyplot as plt
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import scale

from sklearn_clustcompare import SimilarityMatrixDisplay, pairwise_scores

X, y = load_wine(return_X_y=True)
X = scale(X)

# %%
# Objects: the wines of three growers.
SimilarityMatrixDisplay.from_predictions(X, y)
plt.show()

# %%
# Partitions: three algorithms with three numbers of clusters, and the growers. All that is asked
# for three clusters finds nearly the same ones. The tree above joins those alike.
partitions = {"growers": y}
for k in (2, 3, 5):
    partitions[f"k-means {k}"] = KMeans(k, n_init=3, random_state=0).fit_predict(X)
    partitions[f"Ward {k}"] = AgglomerativeClustering(k).fit_predict(X)
    partitions[f"mixture {k}"] = GaussianMixture(k, random_state=0).fit_predict(X)
scores = pairwise_scores(partitions, index="adjusted_rand_score")
SimilarityMatrixDisplay.from_scores(scores, dendrogram=True)
plt.show()
