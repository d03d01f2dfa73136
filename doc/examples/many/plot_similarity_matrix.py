"""
Similarity matrices
===================

Draw the similarities of all pairs of objects, ordered by cluster: good clusters are dark blocks.
The same display shows the similarities of pairs of clusterings.
"""

import matplotlib.pyplot as plt
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import scale

from sklearn_clustcompare import pairwise_scores
from sklearn_clustcompare.plot import SimilarityMatrixDisplay

X, y = load_wine(return_X_y=True)
X = scale(X)

# %%
# The objects are wines of three growers.
SimilarityMatrixDisplay.from_predictions(X, y)
# sphinx_gallery_alt = "Similarity of 178 wines ordered by grower: three dark blocks on the diagonal"
plt.show()

# %%
# The partitions come from three algorithms with three numbers of clusters, and the growers. All
# algorithms find nearly the same three clusters. The dendrogram joins similar partitions.
partitions = {"growers": y}
for k in (2, 3, 5):
    partitions[f"k-means {k}"] = KMeans(k, n_init=3, random_state=0).fit_predict(X)
    partitions[f"Ward {k}"] = AgglomerativeClustering(k).fit_predict(X)
    partitions[f"mixture {k}"] = GaussianMixture(k, random_state=0).fit_predict(X)
scores = pairwise_scores(partitions, index="adjusted_rand_score")
SimilarityMatrixDisplay.from_scores(scores, dendrogram=True)
# sphinx_gallery_alt = "Adjusted Rand indices of ten partitions with a dendrogram; those of three clusters are similar"
plt.show()
