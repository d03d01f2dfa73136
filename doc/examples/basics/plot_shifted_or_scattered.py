"""
What matching indices ignore
============================

Two candidates misplace the same share of the objects of each cluster. One moves them all to the
next cluster, the other spreads them over all clusters. Which is closer to the reference? The
example is Meila's; see :doc:`/user_guide/matching`.
"""

import matplotlib.pyplot as plt
import numpy as np

from sklearn_clustcompare import ContingencyTable, get_index
from sklearn_clustcompare.plot import ContingencyDisplay

n_clusters, size = 5, 100
stay = np.eye(n_clusters, dtype=int)
go_next = np.roll(stay, 1, axis=1)


def shifted(moved):
    return ContingencyTable.from_counts((size - moved) * stay + moved * go_next)


def scattered(moved):
    to_each = moved // (n_clusters - 1)
    return ContingencyTable.from_counts((size - moved) * stay + to_each * (1 - stay))


# %%
# With 20 objects of each cluster moved, each cluster of the first candidate contains objects of two
# reference clusters; each cluster of the second contains objects of all five.
figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for ax, make in zip(axes, (shifted, scattered), strict=True):
    ContingencyDisplay.from_table(make(20), ax=ax)
    ax.set_title(make.__name__)
# sphinx_gallery_alt = "Two contingency tables with diagonal 80: one has 20 in the next cell, the other 5 in all"
plt.show()

# %%
# Matching gives both candidates the same score as long as most objects stay. Pair counting and
# mutual information distinguish them, mutual information more strongly.
names = ["maximum_match_score", "adjusted_rand_score", "adjusted_mutual_info_score"]
numbers = np.arange(0, 61, 4)
figure, ax = plt.subplots(figsize=(9, 4.2), layout="constrained")
for color, name in enumerate(names):
    for make, style in ((shifted, "-"), (scattered, "--")):
        values = [get_index(name)(make(moved)) for moved in numbers]
        ax.plot(numbers / size, values, style, color=f"C{color}", label=f"{name}, {make.__name__}")
ax.set(xlabel="share of the objects moved", ylabel="score", title="To one cluster or to all others")
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
# sphinx_gallery_alt = "Scores over the share moved: matching is equal for both, pairs and information differ"
plt.show()
