"""
Clusters that overlap
=====================

Put each wine into every component of a Gaussian mixture to which it belongs with at least a given
probability. Wines between two components are then in both: the clusters overlap. Compare them with
the growers by indices that take a cover.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import scale

from sklearn_clustcompare import Cover, omega_score
from sklearn_clustcompare.metrics import (
    average_f_score,
    element_centric_similarities,
    overlapping_normalized_mutual_info_score,
)

X, growers = load_wine(return_X_y=True)
places = PCA(2).fit_transform(scale(X))
mixture = GaussianMixture(3, covariance_type="tied", n_init=5, random_state=0).fit(places)
probabilities = mixture.predict_proba(places)

# %%
# A cover for each threshold. A low threshold makes large clusters that overlap; above 0.5 some
# wines are in no cluster.
thresholds = np.array([0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95])
covers = [Cover.from_matrix((probabilities >= threshold).astype(int)) for threshold in thresholds]
for threshold, cover in zip(thresholds, covers, strict=True):
    n_clusters = cover.membership.sum(axis=1)
    several, none = (n_clusters > 1).sum(), (n_clusters == 0).sum()
    print(f"{threshold:5}: {several:3} wines in several clusters, {none:3} in none")

# %%
# On the left, the agreement with the growers against the threshold. On the right, the
# element-centric similarity of each wine: it is low where the cover puts a wine among those of
# another grower, and lower for wines in several clusters than for others nearby.
cover = covers[list(thresholds).index(0.1)]
similarities = element_centric_similarities(growers, cover)
overlapping = cover.membership.sum(axis=1) > 1
# sphinx_gallery_alt = "Left: three indices of covers against the threshold of the probability, highest near 0.5. Right: wines in a plane, colored by element-centric similarity, with circles around those in several clusters"
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
for score in (omega_score, overlapping_normalized_mutual_info_score, average_f_score):
    values = [score(growers, cover) for cover in covers]
    left.semilogx(thresholds, values, marker="o", label=score.__name__)
left.set(
    title="Agreement of covers",
    xlabel="threshold of the probability",
    ylabel="agreement with the growers",
    ylim=(0, 1),
)
left.legend(loc="lower right")
points = right.scatter(*places.T, c=similarities, cmap="cividis_r", s=18)
right.scatter(*places[overlapping].T, s=70, facecolors="none", edgecolors="C1", label="in several")
right.set(title="Wines at threshold 0.1", xlabel="first component", ylabel="second component")
right.legend()
figure.colorbar(points, label="element-centric similarity")
plt.show()
