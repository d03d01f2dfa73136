"""
What indices of entities favor
==============================

Records or mentions make many small clusters. Cut a tree of them at every height, from one cluster
for all to one cluster for each, and draw the F-scores of four indices: where is each one largest?
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage

from sklearn_clustcompare import bcubed_f_score
from sklearn_clustcompare.metrics import ceaf_f_score, lea_f_score, muc_f_score

# %%
# 120 entities with one to eight records, as points in a plane.
rng = np.random.default_rng(0)
entities = np.repeat(np.arange(120), rng.integers(1, 9, size=120))
points = rng.uniform(0, 40, size=(120, 2))[entities] + rng.normal(0, 0.6, size=(len(entities), 2))
tree = linkage(points, "average")

# %%
# MUC counts the links of a spanning tree: its largest value is that of too few clusters, and one
# cluster of all records still scores 0.9. The other three are low on both sides, and largest near
# the true number of entities, which the vertical line marks.
numbers = np.unique(np.geomspace(1, len(entities), 40).astype(int))
cuts = [fcluster(tree, number, "maxclust") for number in numbers]
# sphinx_gallery_alt = "F-scores of MUC, B-cubed, CEAF and LEA against the number of clusters; the last three peak near the 120 entities, MUC is nearly flat up to there"
figure, axes = plt.subplots()
for name, index, parameters in (
    ("MUC", muc_f_score, {}),
    ("B-cubed", bcubed_f_score, {}),
    ("CEAF", ceaf_f_score, {"similarity": "dice"}),
    ("LEA", lea_f_score, {}),
):
    scores = [index(entities, found, **parameters) for found in cuts]
    axes.plot(numbers, scores, marker=".", label=name)
axes.axvline(120, color="0.8", zorder=0)
axes.set(xscale="log", xlabel="number of clusters (120 entities)", ylabel="F-score", ylim=(0, 1))
axes.legend(loc="center left", bbox_to_anchor=(0, 0.65))
axes.set_title("MUC favors few clusters")
plt.show()
