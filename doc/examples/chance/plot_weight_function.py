"""
How clusters are weighted by size
=================================

Overall indices are weighted means of values of the single clusters. The weight of a cluster depends
on its size alone, through the entropy or through the number of its pairs of objects.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from sklearn_clustcompare.plot import WeightFunctionDisplay

# %%
# Make clusters of four sizes by cutting the radius of tumors at three quantiles.
radius = load_breast_cancer().data[:, 0]
names = np.array(["60 %", "30 %", "8 %", "2 %"])
y = names[np.searchsorted(np.quantile(radius, [0.60, 0.90, 0.98]), radius)]

# %%
# With entropy weights, a cluster with 1/e of the objects weighs most (Figure 1 of van der Hoef and
# Warrens).
WeightFunctionDisplay.from_predictions(y)
# sphinx_gallery_alt = "Weight -p log p over the share p of a cluster, with its maximum at 1/e"
plt.show()

# %%
# Compare the weights of the four clusters. With pair counting, the largest cluster has nearly all of
# the weight. With information, small clusters have a larger weight than their share of the objects.
shares = np.sort(np.unique(y, return_counts=True)[1] / len(y))
weights = {
    "objects: p": shares,
    "information: -p log p": -shares * np.log(shares),
    "pairs: p²": shares**2,
}
table = np.stack([row / row.sum() for row in weights.values()])
lefts = np.cumsum(table, axis=1) - table
figure, axes = plt.subplots(figsize=(7, 2.8))
for column, name in enumerate(names[::-1]):
    axes.barh(list(weights), table[:, column], left=lefts[:, column], label=name)
axes.set(xlabel="share of the weight", xlim=(0, 1), title="What the clusters weigh")
figure.legend(title="cluster with", loc="outside right")
# sphinx_gallery_alt = "Weights of four clusters by objects, information and pairs: pairs favor the largest"
plt.show()
