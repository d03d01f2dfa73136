"""
Compare two hierarchies at every cut
====================================

Do single, complete and Ward linkage build the same tree of wines? Cut two trees into k clusters and
compare the two partitions for every k. This is the B_k plot of Fowlkes and Mallows, with the values
expected of unrelated trees.
"""

import matplotlib.pyplot as plt
from scipy.cluster.hierarchy import linkage
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale

from sklearn_clustcompare.plot import HierarchyComparisonDisplay

X = scale(load_wine().data)
trees = {method: linkage(X, method) for method in ("ward", "complete", "single")}

# %%
# The gray band is the exact mean of B_k under permutation, plus and minus two standard deviations.
# Ward and complete linkage agree far beyond chance at nearly every cut.
#
# Single linkage makes one large cluster and many single wines. For small k, its agreement with Ward
# is no more than such sizes give by chance.
figure, panels = plt.subplots(1, 2, figsize=(10, 4), sharey=True)
for axes, other in zip(panels, ("complete", "single"), strict=True):
    HierarchyComparisonDisplay.from_linkages(
        trees["ward"], trees[other], index="fowlkes_mallows_score", ax=axes
    )
    axes.set_title(f"Ward and {other}")
# sphinx_gallery_alt = "Agreement of Ward with complete and with single linkage at every cut, and bands of chance"
plt.show()
