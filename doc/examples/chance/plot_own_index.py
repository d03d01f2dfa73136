"""
Chance for an index of your own
===============================

Which share of its two clusters do an object's cluster of the reference and its cluster of the
candidate have in common? The mean of this Jaccard index over all objects is not in the package. It
needs one function and one record; then it is adjusted for chance and tested as the built-in ones.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import AgglomerativeClustering
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale

from sklearn_clustcompare import ContingencyTable, chance_adjusted_score, permutation_test
from sklearn_clustcompare.indices import CellSum, Index
from sklearn_clustcompare.plot import NullDistributionDisplay


# %%
# The n objects of a cell lie in clusters of a and b objects, which have a + b - n objects together:
# each of them has the Jaccard index n / (a + b - n), and the sum over the cell is this.
def overlap(n, a, b):
    """Return what a cell adds to the sum."""
    return n * n / (a + b - n)


def mean_overlap(total, margins):
    """Return the mean over the objects of the Jaccard index of their two clusters."""
    return total / margins.n_samples


index = Index(
    "mean_overlap_score",
    of_statistic=mean_overlap,
    greater_is_better=True,
    range=(0, 1),
    symmetric=True,
    source="own work",
    linear_in="cells",
    cell_sum=CellSum(overlap, smooth=True),
)

# %%
# The more clusters, the lower the index of random labels. The exact mean under permutation is known
# because the record declares ``linear_in="cells"``; the adjusted index subtracts it.
X, y = load_wine(return_X_y=True)
X = scale(X)
numbers = np.arange(2, 21)
partitions = [AgglomerativeClustering(k).fit_predict(X) for k in numbers]
plain = [index(ContingencyTable.from_labels(y, found)) for found in partitions]
adjusted = [chance_adjusted_score(y, found, index=index) for found in partitions]
expected = [score.expected for score in adjusted]

# sphinx_gallery_alt = "Mean overlap of Ward clusterings of the wines with 2 to 20 clusters, its adjusted form and the exact mean of random labels; both are highest at 3 clusters"
figure, axes = plt.subplots()
axes.plot(numbers, plain, marker="o", label="index")
axes.plot(numbers, adjusted, marker="s", label="adjusted for chance")
axes.plot(numbers, expected, "k:", label="exact mean of random labels")
axes.set(xlabel="clusters of Ward linkage", ylabel="mean overlap", ylim=(0, 1))
axes.set_title("An index of one's own, adjusted for chance")
axes.set_xticks(numbers[::3])
axes.legend()
plt.show()

# %%
# Test single linkage by the same index. It cuts off wines one by one, and agrees with the growers
# less than random labels with the same cluster sizes.
single = AgglomerativeClustering(6, linkage="single").fit_predict(X)
test = permutation_test(y, single, index=index, method="monte_carlo", random_state=0)
# sphinx_gallery_alt = "Histogram of the index of 9,999 random partitions around the exact mean; the observed value lies at its lower end, p = 1"
NullDistributionDisplay(test).plot()
plt.show()
