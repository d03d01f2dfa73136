"""
Reading a report
================

The report is to clusterings what ``classification_report`` is to classifiers: the overall indices,
each beside its form adjusted for chance, and a row for every cluster.
"""

import matplotlib.pyplot as plt
from sklearn.cluster import AgglomerativeClustering
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import quantile_transform

from sklearn_clustcompare import ContingencyDisplay, clustering_comparison_report

data = load_breast_cancer()
tumours = data.target_names[data.target]
X = quantile_transform(data.data, n_quantiles=100)
found = AgglomerativeClustering(4).fit_predict(X)

# %%
# How to read it, from the top:
#
# - *value* far above *adjusted*: random labels would score high, too, as for the Rand index here.
#   Trust the right column.
# - *homogeneity* above *completeness*: the candidate is finer than the reference.
# - *lost*: the cluster to look at first is the one that lost the most information.
# - *verdict*: "split" clusters may be subtypes, "merged" ones are not told apart.
report = clustering_comparison_report(tumours, found)
report

# %%
# The same as a picture: shares of each row.
_, axes = plt.subplots(figsize=(7, 3.4), layout="constrained")
ContingencyDisplay.from_predictions(tumours, found, normalize="true", ax=axes)
plt.show()
