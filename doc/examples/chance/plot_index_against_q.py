"""
Weight small or large clusters by the order q
=============================================

The order q of the entropy sets how much large clusters count. Compare two candidates for the same
reference: one finds the two small clusters and cuts the large one in half; the other finds the
large one and merges the small ones. Which is better depends on q.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from sklearn_clustcompare import recommend_index
from sklearn_clustcompare.plot import IndexCurveDisplay

# %%
# The reference has benign tumors, and malignant ones of small and of large radius.
data = load_breast_cancer()
radius = data.data[:, 0]
large = radius > np.quantile(radius[data.target == 0], 0.8)
y = np.where(data.target == 1, "benign", np.where(large, "malignant, large", "malignant, small"))
for name, size in zip(*np.unique(y, return_counts=True), strict=True):
    print(f"{name:17}{size}")

candidates = {
    "halves the large cluster": np.where(
        y == "benign", np.where(radius > 12.2, "benign 1", "benign 2"), y
    ),
    "merges the small ones": np.where(y == "benign", "benign", "malignant"),
}

# %%
# Stars mark the winner. At q = 1 the index is the usual adjusted mutual information, at q = 2 it is
# the adjusted Rand index.
IndexCurveDisplay.from_predictions(
    y, candidates, index="adjusted_mutual_info_score", q_range=np.arange(0.2, 4.1, 0.2)
)
# sphinx_gallery_alt = "Adjusted mutual information of two candidates over the order q: the winner changes at 0.5"
plt.show()

# %%
# Romano et al. recommend an index by the sizes of the reference clusters.
advice = recommend_index(y)
print(advice.index, advice.parameters)
print("\n".join(advice.reasons))
