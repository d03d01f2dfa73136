"""
A k-means that loses its initialization
=======================================

A clusterer gets worse by one line of a large change: its starts are drawn at random, where they
were spread over the data before. It still runs, and it still looks right. What notices is a
*baseline*: the labels that were accepted at the last release.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

from sklearn_clustcompare import ClusteringBaseline, ContingencyDisplay

X, y = make_blobs(600, centers=8, cluster_std=0.6, random_state=0)

# %%
# At the last release these labels were accepted. In a test suite that is
# ``pytest --clustering-baseline-update``, and the file is committed.
folder = tempfile.TemporaryDirectory()
baseline = ClusteringBaseline(Path(folder.name) / "clustering_baseline.json")
before = KMeans(8, init="k-means++", n_init=1, random_state=0).fit_predict(X)
baseline.accept("blobs", y, before, data=X)

# %%
# Since then the initialization was lost. This is what its author sees: the index, then the clusters
# that got worse, then the report of the new labels.
now = KMeans(8, init="random", n_init=1, random_state=0).fit_predict(X)
try:
    baseline.check("blobs", y, now, data=X)
except AssertionError as error:
    message = str(error)
print("\n".join(message.splitlines()[:12]))

# %%
# Pairs of blobs share a centre, and other blobs are cut in two: the sign of a bad start.
ContingencyDisplay.from_predictions(y, now)
plt.show()

# %%
# Another seed of the healthy clusterer changes nothing: the test does not flicker.
again = KMeans(8, init="k-means++", n_init=1, random_state=1).fit_predict(X)
print(baseline.compare("blobs", y, again, data=X).message.splitlines()[0])
folder.cleanup()
