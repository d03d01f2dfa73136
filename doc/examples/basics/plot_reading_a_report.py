"""
Read a comparison report
========================

:func:`~sklearn_clustcompare.clustering_comparison_report` is the counterpart of
:func:`sklearn.metrics.classification_report` for clusterings. It lists overall indices, each with
its form adjusted for chance, and a row for every cluster.
"""

import matplotlib.pyplot as plt
from sklearn.cluster import AgglomerativeClustering
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import quantile_transform

from sklearn_clustcompare import clustering_comparison_report
from sklearn_clustcompare.plot import ContingencyDisplay

data = load_breast_cancer()
tumours = data.target_names[data.target]
X = quantile_transform(data.data, n_quantiles=100)
found = AgglomerativeClustering(4).fit_predict(X)

# %%
# Read it from the top:
#
# - *value* far above *adjusted*: random labels would also score high, as for the Rand index here.
#   Use the adjusted value.
# - *homogeneity* above *completeness*: the candidate is finer than the reference.
# - *lost*: start with the cluster that lost the most information.
# - *verdict*: "split" clusters may be subtypes; the candidate does not distinguish "merged" ones.
report = clustering_comparison_report(tumours, found)
report

# %%
# The contingency table shows the same as shares of each row.
_, axes = plt.subplots(figsize=(7, 3.4), layout="constrained")
ContingencyDisplay.from_predictions(tumours, found, normalize="true", ax=axes)
# sphinx_gallery_alt = "Shares of benign and malignant tumors in four clusters: two benign, two malignant"
plt.show()
