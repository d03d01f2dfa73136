"""
Which clusterer is better on many data sets?
============================================

Several clusterers on several data sets, ranked: which of them differ by more than chance?
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import AgglomerativeClustering, Birch, KMeans
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_blobs,
    make_circles,
    make_moons,
)
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare import CriticalDifferenceDisplay, benchmark_clusterers

digits, digit_classes = load_digits(return_X_y=True)
datasets = {
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "breast cancer": load_breast_cancer(return_X_y=True),
    "digits": (digits[::4], digit_classes[::4]),
    "moons": make_moons(300, noise=0.08, random_state=0),
    "circles": make_circles(300, noise=0.08, factor=0.4, random_state=0),
    "blobs": make_blobs(300, centers=4, random_state=0),
    "unequal blobs": make_blobs([200, 60, 20], cluster_std=[2.0, 1.0, 0.5], random_state=1),
}
clusterers = {
    "k-means": KMeans(n_init=5),
    "Gaussian mixture": GaussianMixture(n_init=3, reg_covar=1e-3),
    "Birch": Birch(),
} | {
    f"agglomerative, {linkage}": AgglomerativeClustering(linkage=linkage)
    for linkage in ("ward", "average", "complete", "single")
}

# %%
# Each clusterer gets the number of clusters of the reference. Several indices are computed from the
# same fits.
result = benchmark_clusterers(
    {name: make_pipeline(StandardScaler(), one) for name, one in clusterers.items()},
    datasets,
    ["adjusted_rand_score", "adjusted_mutual_info_score"],
    n_clusters="reference",
    random_state=0,
)
result

# %%
# The scores of single data sets show where each clusterer is good.
scores = result.scores()
# sphinx_gallery_alt = "Adjusted Rand index of seven clusterers on eight data sets as a colored matrix; no clusterer is best on all"
fig, ax = plt.subplots(figsize=(7, 4), layout="constrained")
image = ax.imshow(scores, vmin=0, vmax=1, aspect="auto")
ax.set_xticks(range(len(clusterers)), clusterers, rotation=40, ha="right")
ax.set_yticks(range(len(datasets)), datasets)
ax.set_title("Scores of clusterers on data sets")
fig.colorbar(image, label="adjusted_rand_score")
plt.show()

# %%
# Friedman's test asks whether the mean ranks differ at all, and Nemenyi's test which pairs do.
ranks = result.rank()
ranks

# %%
# A bar joins clusterers that do not differ significantly.
display = CriticalDifferenceDisplay(ranks)
# sphinx_gallery_alt = "Mean ranks of seven clusterers on an axis from 1 to 7, with bars that join those without a significant difference"
display.plot()
plt.show()

# %%
# With eight data sets hardly any pair differs: to find a difference of half of the critical
# difference takes four times as many data sets.
np.round(ranks.critical_difference, 2)
