"""
How much does a cluster weigh?
==============================

Overall indices are weighted means of values of the single clusters. The weight of a cluster depends
on its size alone: by the entropy, or by the number of its pairs of objects.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from sklearn_clustcompare import WeightFunctionDisplay

# %%
# Clusters of all sizes: the radius of tumours, cut at three quantiles.
radius = load_breast_cancer().data[:, 0]
names = np.array(["60 %", "30 %", "8 %", "2 %"])
y = names[np.searchsorted(np.quantile(radius, [0.60, 0.90, 0.98]), radius)]

# %%
# By the entropy, a cluster with 1/e of the objects weighs most: this is Figure 1 of van der Hoef &
# Warrens.
WeightFunctionDisplay.from_predictions(y)
plt.show()

# %%
# Share of the overall value that each cluster decides. With pairs the largest decides nearly
# everything, and the small ones nothing. Information gives small clusters more to say than their
# share of the objects.
shares = np.sort(np.unique(y, return_counts=True)[1] / len(y))
weights = {
    "objects: p": shares,
    "information: -p log p": -shares * np.log(shares),
    "pairs: p²": shares**2,
}
table = np.stack([row / row.sum() for row in weights.values()])
lefts = np.cumsum(table, axis=1) - table
figure, axes = plt.subplots(figsize=(7, 2.6))
for column, colour in enumerate(["#56b4e9", "#009e73", "#e69f00", "#0072b2"]):
    axes.barh(list(weights), table[:, column], left=lefts[:, column], color=colour)
axes.set(xlabel="share of the weight, small clusters first", xlim=(0, 1))
plt.show()
