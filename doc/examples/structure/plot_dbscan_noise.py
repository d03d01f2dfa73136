"""
Handle the noise of DBSCAN
==========================

DBSCAN labels objects that belong to no cluster -1. Count noise as one cluster, as clusters of one
object, or drop it. The choice changes the score and can change the winner, so always report how
many objects were compared.
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
# Apply three treatments of noise to the same partitions.
index = "adjusted_rand_score"
results = {
    noise: score_candidates(y, partitions, indices=index, noise=noise)
    for noise in ("cluster", "singletons", "drop")
}
for noise, result in results.items():
    best = result.names[int(np.argmax(result.scores[index]))]
    print(f"noise={noise:12} best radius {best}")

# %%
# Dropping noise favors small radii, since the objects that remain are easy to cluster. The dotted
# line shows the share of objects that remains.
figure, axes = plt.subplots()
for noise, result in results.items():
    axes.plot(radii, result.scores[index], marker=".", label=f'noise="{noise}"')
axes.plot(radii, results["drop"].coverage, "k:", label="share of objects compared")
axes.set(xlabel="radius eps of DBSCAN", ylabel="adjusted Rand index", ylim=(0, 1.02))
axes.legend()
axes.set_title("Three treatments of noise")
# sphinx_gallery_alt = "Adjusted Rand index over the radius of DBSCAN: dropping noise favors small radii"
plt.show()
