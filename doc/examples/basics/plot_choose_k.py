"""
Choose the number of clusters in a pipeline
===========================================

The data are wines of three growers with thirteen chemical measurements. How many clusters does a
k-means pipeline need to recover the growers? Run a grid search as for classifiers, and pass indices
of agreement with the reference labels as ``scoring``.
"""

import matplotlib.pyplot as plt
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare import TransductiveSplit, make_clustering_scorer

X, y = load_wine(return_X_y=True)
names = [
    "adjusted_rand_score",
    "adjusted_mutual_info_score",
    "normalized_mutual_info_score",
    "purity_score",
]

# %%
# Four indices cost as much as one, since all are computed from the same contingency table.
# ``TransductiveSplit`` fits and scores all wines: the question is about these wines, not about
# future ones.
search = GridSearchCV(
    make_pipeline(StandardScaler(), KMeans(n_init=10, random_state=0)),
    {"kmeans__n_clusters": list(range(2, 11))},
    scoring=make_clustering_scorer(names),
    refit="adjusted_rand_score",
    cv=TransductiveSplit(),
    error_score="raise",
).fit(X, y)
print(search.best_params_)

# %%
# All four indices peak at three clusters. Beyond the peak, the adjusted Rand index falls fast, and
# purity hardly falls: splitting a cluster never lowers purity, so it does not penalize too many
# clusters. It falls a little here because k-means with one more cluster does not just split a
# cluster, but changes all clusters.
figure, axes = plt.subplots()
for name in names:
    scores = search.cv_results_[f"mean_test_{name}"]
    axes.plot(range(2, 11), scores, marker="o", label=name)
axes.axvline(3, color="0.8", zorder=0)
axes.set(xlabel="number of clusters", ylabel="agreement with the growers", ylim=(0, 1.02))
axes.set_title("All indices are largest at three clusters")
axes.legend()
# sphinx_gallery_alt = "Four indices over the number of clusters, 2 to 10: all peak at 3, purity hardly falls"
plt.show()
