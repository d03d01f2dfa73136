"""
Choose the number of components by memberships
==============================================

With ``response="predict_proba"`` a scorer uses the memberships of a Gaussian mixture: an uncertain
wine counts for several components. Lei et al. (2016) recommend the mutual information divided by
the larger entropy for soft partitions.
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
# Use a scorer for each normalization; ``refit`` names the one that selects.
methods = ["max", "arithmetic", "min"]
search = GridSearchCV(
    pipeline,
    {"gaussianmixture__n_components": numbers},
    scoring={
        method: make_clustering_scorer(
            "normalized_mutual_info_score", response="predict_proba", average_method=method
        )
        for method in methods
    },
    refit="max",
    cv=TransductiveSplit(),
    error_score="raise",
).fit(X, y)
print(search.best_params_)

# %%
# At three components the two entropies are about equal, and so are the three values. Divided by the
# smaller entropy ("min"), the index would choose seven: it does not penalize partitions that are
# too coarse or too fine. Divided by the larger entropy ("max"), it falls fastest on both sides.
figure, axes = plt.subplots()
for method in methods:
    scores = search.cv_results_[f"mean_test_{method}"]
    axes.plot(numbers, scores, marker="o", label=f'average_method="{method}"')
axes.axvline(3, color="0.8", zorder=0)
axes.set(xlabel="number of components", ylabel="soft normalized mutual information", ylim=(0, 0.9))
axes.legend(loc="lower right")
axes.set_title("The divisor decides which number is best")
# sphinx_gallery_alt = "Soft mutual information over 2 to 7 components: the maximum norm peaks at 3"
plt.show()
