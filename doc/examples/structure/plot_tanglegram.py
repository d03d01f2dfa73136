"""
Two hierarchies face to face
============================

A curve shows at which numbers of clusters two hierarchies agree; a tanglegram shows on which
objects. The leaves of both are ordered so that few lines cross, and lines are grey where the
clusters of an object are not matched.
"""

import matplotlib.pyplot as plt
from scipy.cluster.hierarchy import linkage
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale

from sklearn_clustcompare import HierarchyComparisonDisplay, TanglegramDisplay

X = scale(load_wine().data)
ward, complete = linkage(X, "ward"), linkage(X, "complete")

# %%
# Cut into three clusters, Ward and complete linkage differ about a part of the middle cluster.
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
TanglegramDisplay.from_linkages(ward, complete, n_clusters=3, names=("Ward", "complete"), ax=left)
HierarchyComparisonDisplay.from_linkages(ward, complete, ax=right)
plt.show()

# %%
# Objects have names where there is room for them.
some = X[::7]
TanglegramDisplay.from_linkages(
    linkage(some, "ward"),
    linkage(some, "average"),
    names=("Ward", "average"),
    object_names=[f"wine {number}" for number in range(0, len(X), 7)],
)
plt.show()
