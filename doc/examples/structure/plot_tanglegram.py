"""
Tanglegrams of two hierarchies
==============================

A tanglegram shows on which objects two hierarchies agree. The leaves of both are ordered so that
few lines cross, and lines are gray where the clusters of an object are not matched. The curve next to
it shows at which numbers of clusters they agree.
"""

import matplotlib.pyplot as plt
from scipy.cluster.hierarchy import linkage
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale

from sklearn_clustcompare import HierarchyComparisonDisplay, TanglegramDisplay

X = scale(load_wine().data)
ward, complete = linkage(X, "ward"), linkage(X, "complete")

# %%
# Cut into three clusters, Ward and complete linkage disagree on a part of the middle cluster.
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
TanglegramDisplay.from_linkages(ward, complete, n_clusters=3, names=("Ward", "complete"), ax=left)
HierarchyComparisonDisplay.from_linkages(ward, complete, index="fowlkes_mallows_score", ax=right)
# sphinx_gallery_alt = "Dendrograms of Ward and complete linkage face each other; a curve of their agreement"
plt.show()

# %%
# Pass ``object_names`` to name the objects.
some = X[::7]
TanglegramDisplay.from_linkages(
    linkage(some, "ward"),
    linkage(some, "average"),
    names=("Ward", "average"),
    object_names=[f"wine {number}" for number in range(0, len(X), 7)],
)
# sphinx_gallery_alt = "Dendrograms of Ward and average linkage of 26 wines, joined by lines with few crossings"
plt.show()
