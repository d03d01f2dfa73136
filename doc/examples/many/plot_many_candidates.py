"""
Score many candidates
=====================

Which of 60 partitions is closest to the reference, and do indices agree about it?
:func:`~sklearn_clustcompare.score_candidates` encodes the labels once and computes all indices from
one table per candidate.
"""

import matplotlib.pyplot as plt
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import quantile_transform

from sklearn_clustcompare import score_candidates

X, y = load_breast_cancer(return_X_y=True)
X = quantile_transform(X, n_quantiles=100)


def candidates():
    """Yield partitions one by one: they never need to be in memory together."""
    for k in (2, 3, 4, 5, 6):
        for seed in range(10):
            yield KMeans(k, n_init=1, random_state=seed).fit_predict(X)
        for linkage in ("ward", "complete"):
            yield AgglomerativeClustering(k, linkage=linkage).fit_predict(X)


indices = ["adjusted_mutual_info_score", "adjusted_rand_score", "purity_score"]
result = score_candidates(y, candidates(), indices=indices)
result

# %%
# Each point is a candidate. The two adjusted indices give similar rankings; purity, on the right, is
# highest for partitions with many clusters.
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), sharey=True)
for axes, other in ((left, "adjusted_rand_score"), (right, "purity_score")):
    points = axes.scatter(
        result.scores[other],
        result.scores["adjusted_mutual_info_score"],
        c=result.n_clusters,
        cmap="cividis",
    )
    axes.set(xlabel=other)
left.set(ylabel="adjusted_mutual_info_score")
figure.suptitle("Scores of 60 candidates")
figure.colorbar(points, label="number of clusters", ticks=[2, 3, 4, 5, 6])
# sphinx_gallery_alt = "Scores of 60 candidates: two adjusted indices agree, purity favors many clusters"
plt.show()
