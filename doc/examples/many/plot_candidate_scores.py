"""
Rank candidates with confidence intervals
=========================================

Rank candidates by their scores, with confidence intervals and with the scores expected by chance.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import scale

from sklearn_clustcompare import score_candidates
from sklearn_clustcompare.plot import CandidateScoresDisplay

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
# Single linkage is no better than chance. Use ``compare`` to test whether one candidate is better
# than another: intervals of two scores of the same objects may overlap even if the difference is
# significant.
CandidateScoresDisplay.from_predictions(
    y, candidates, index="adjusted_rand_score", confidence_level=0.95, random_state=0
)
# sphinx_gallery_alt = "Ranked adjusted Rand indices of 17 candidates with intervals, and a band of chance near 0"
plt.show()

# %%
# With very many candidates, only the best and the worst are named; all others share a row.
runs = [
    KMeans(k, init="random", n_init=1, max_iter=3, random_state=seed).fit_predict(X)
    for k in range(2, 12)
    for seed in range(30)
]
scores = score_candidates(y, runs, indices="adjusted_mutual_info_score")
CandidateScoresDisplay(scores, max_shown=15).plot()
# sphinx_gallery_alt = "Scores of 300 candidates: the best ten and the worst five by name, 285 others in one row"
plt.show()
