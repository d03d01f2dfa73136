"""
By how much does the best candidate lead?
=========================================

Scores of candidates, ranked, with what they would be for other objects from the same source, and
what they would be by chance.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import scale

from sklearn_clustcompare import CandidateScoresDisplay, score_candidates

X, y = load_wine(return_X_y=True)
X = scale(X)
candidates = {"random": np.random.default_rng(0).integers(3, size=len(y))}
candidates["DBSCAN"] = DBSCAN(2.3, min_samples=10).fit_predict(X)
for k in (2, 3, 4):
    candidates[f"k-means {k}"] = KMeans(k, n_init=10, random_state=0).fit_predict(X)
    candidates[f"mixture {k}"] = GaussianMixture(k, n_init=5, random_state=0).fit_predict(X)
    for linkage in ("ward", "complete", "single"):
        found = AgglomerativeClustering(k, linkage=linkage).fit_predict(X)
        candidates[f"{linkage} {k}"] = found

# %%
# Single linkage is no better than chance. Whether the lead of one candidate over another is more
# than chance, ``compare`` tests: intervals of two scores of the same objects may overlap though the
# difference is certain.
CandidateScoresDisplay.from_predictions(
    y, candidates, index="adjusted_rand_score", confidence_level=0.95, random_state=0
)
plt.show()

# %%
# Of very many candidates the best and the worst are named, and all others share a row.
runs = [
    KMeans(k, init="random", n_init=1, max_iter=3, random_state=seed).fit_predict(X)
    for k in range(2, 12)
    for seed in range(30)
]
scores = score_candidates(y, runs, indices="adjusted_mutual_info_score")
CandidateScoresDisplay(scores, max_shown=15).plot()
plt.show()
