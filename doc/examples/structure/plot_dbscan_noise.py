"""
DBSCAN: what to do with noise
=============================

DBSCAN leaves objects out and labels them -1. Is that a cluster of its own, many clusters of one
object, or nothing to be compared? The answer changes the score, and can change the winner. Always
tell how many objects were compared.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import DBSCAN
from sklearn.datasets import load_iris

from sklearn_clustcompare import score_candidates

X, y = load_iris(return_X_y=True)
radii = np.linspace(0.3, 1.2, 19)
partitions = {f"{radius:.2f}": DBSCAN(eps=radius).fit_predict(X) for radius in radii}

# %%
# Three treatments of the same partitions.
index = "adjusted_rand_score"
results = {
    noise: score_candidates(y, partitions, indices=index, noise=noise)
    for noise in ("cluster", "singletons", "drop")
}
for noise, result in results.items():
    best = result.names[int(np.argmax(result.scores[index]))]
    print(f"noise={noise:12} best radius {best}")

# %%
# Dropping noise flatters small radii: what is left of the data is easy. The dotted line shows how
# little is left.
figure, axes = plt.subplots()
for noise, result in results.items():
    axes.plot(radii, result.scores[index], marker=".", label=f'noise="{noise}"')
axes.plot(radii, results["drop"].coverage, "k:", label="share of objects compared")
axes.set(xlabel="radius eps of DBSCAN", ylabel="adjusted Rand index", ylim=(0, 1.02))
axes.legend()
plt.show()
