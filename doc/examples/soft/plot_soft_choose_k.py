"""
Choose k softly
===============

A Gaussian mixture knows how sure it is. ``response="predict_proba"`` lets the scorer use that:
wines between two growers count for both. The index is the one that Lei et al. (2016) recommend for
soft partitions, the mutual information divided by the larger entropy.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare import TransductiveSplit, make_clustering_scorer

X, y = load_wine(return_X_y=True)
pipeline = make_pipeline(
    StandardScaler(), PCA(4, random_state=0), GaussianMixture(n_init=3, random_state=0)
)
numbers = list(range(2, 8))

# %%
# A scorer for each way to divide the mutual information; the first one decides.
names = {"max": "NMI_sM, max", "arithmetic": "NMI_ss, arithmetic", "min": "NMI_sm, min"}
search = GridSearchCV(
    pipeline,
    {"gaussianmixture__n_components": numbers},
    scoring={
        method: make_clustering_scorer(
            "normalized_mutual_info_score", response="predict_proba", average_method=method
        )
        for method in names
    },
    refit="max",
    cv=TransductiveSplit(),
    error_score="raise",
).fit(X, y)
print(search.best_params_)

# %%
# Divided by the smaller entropy the index hardly falls with too many components: it forgives a
# partition that is too fine.
figure, axes = plt.subplots()
for method, name in names.items():
    axes.plot(numbers, search.cv_results_[f"mean_test_{method}"], marker="o", label=name)
axes.axvline(3, color="0.8", zorder=0)
axes.set(xlabel="number of components", ylabel="soft normalized mutual information")
axes.legend()
plt.show()
