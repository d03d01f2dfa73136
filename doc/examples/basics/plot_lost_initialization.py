"""
Detect a regression of a clusterer
==================================

A change replaces the k-means++ initialization of a clusterer by random starts. The code still runs
and its output still looks right. A :class:`~sklearn_clustcompare.checks.ClusteringBaseline` detects the
regression by comparing with the labels accepted at the last release.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

from sklearn_clustcompare.checks import ClusteringBaseline
from sklearn_clustcompare.plot import ContingencyDisplay

X, y = make_blobs(600, centers=8, cluster_std=0.6, random_state=0)

# %%
# Accept the labels of the last release. In a test suite, run
# ``pytest --clustering-baseline-update`` and commit the file.
folder = tempfile.TemporaryDirectory()
baseline = ClusteringBaseline(Path(folder.name) / "clustering_baseline.json")
before = KMeans(8, init="k-means++", n_init=1, random_state=0).fit_predict(X)
baseline.accept("blobs", y, before, data=X)

# %%
# The check fails. Its message shows the index, the clusters that got worse, and the report of the
# new labels.
now = KMeans(8, init="random", n_init=1, random_state=0).fit_predict(X)
try:
    baseline.check("blobs", y, now, data=X)
except AssertionError as error:
    message = str(error)
print("\n".join(message.splitlines()[:12]))

# %%
# Some pairs of blobs share a center, and other blobs are cut in two, which is typical of bad starts.
ContingencyDisplay.from_predictions(y, now)
# sphinx_gallery_alt = "Contingency table of eight blobs and eight clusters: blobs share clusters or are split"
plt.show()

# %%
# Another seed of the original clusterer passes the check.
again = KMeans(8, init="k-means++", n_init=1, random_state=1).fit_predict(X)
print(baseline.compare("blobs", y, again, data=X).message.splitlines()[0])
folder.cleanup()
