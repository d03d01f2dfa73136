"""
An index against q: small clusters or big ones?
===============================================

The order q of the entropy decides how much the big clusters count. Two candidates for the same
reference: one finds the two small clusters and cuts the big one in halves; the other finds the big
one and merges the small ones. Which is better? It depends on q, so say what matters to you.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from sklearn_clustcompare import IndexCurveDisplay, recommend_index

# %%
# The reference: benign tumours, and the malignant ones of small and of large radius.
data = load_breast_cancer()
radius = data.data[:, 0]
large = radius > np.quantile(radius[data.target == 0], 0.8)
y = np.where(data.target == 1, "benign", np.where(large, "malignant, large", "malignant, small"))
for name, size in zip(*np.unique(y, return_counts=True), strict=True):
    print(f"{name:17}{size}")

candidates = {
    "halves the big cluster": np.where(
        y == "benign", np.where(radius > 12.2, "benign 1", "benign 2"), y
    ),
    "merges the small ones": np.where(y == "benign", "benign", "malignant"),
}

# %%
# Stars mark the winner. At q = 1 the index is the usual adjusted mutual information, at q = 2 the
# adjusted Rand index.
IndexCurveDisplay.from_predictions(
    y, candidates, index="adjusted_mutual_info_score", q=np.arange(0.2, 4.1, 0.2)
)
plt.show()

# %%
# What would Romano et al. advise for this reference?
advice = recommend_index(y)
print(advice.index, advice.parameters)
print("\n".join(advice.reasons))
