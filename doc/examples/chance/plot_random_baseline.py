"""
Scores of random labels
=======================

Random labels have nothing in common with handwritten digits, so an index should not increase with
the number of random clusters. Indices that are not adjusted for chance do.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from sklearn_clustcompare import ContingencyTable, get_index

_, y = load_digits(return_X_y=True)
y = y[:500]
rng = np.random.default_rng(0)
numbers = [2, 5, 10, 20, 50, 100, 200, 400]

# %%
# Draw ten random candidates for each number of clusters, and compare each with the digits. All
# indices of a candidate are computed from one table.
styles = {
    "rand_score": "C0--o",
    "purity_score": "C2--s",
    "normalized_mutual_info_score": "C1--^",
    "adjusted_mutual_info_score": "C3-D",
    "adjusted_rand_score": "C4:v",
}
means = {name: [] for name in styles}
for number in numbers:
    tables = [ContingencyTable.from_labels(y, rng.integers(number, size=len(y))) for _ in range(10)]
    for name in styles:
        means[name].append(np.mean([get_index(name)(table) for table in tables]))

# %%
# Dashed lines are not adjusted. With 400 random clusters the normalized mutual information exceeds
# 0.4. The two adjusted indices stay at zero: their curves coincide, and one is drawn with open markers.
# The names stand in the order of the curves at their right end.
figure, axes = plt.subplots(figsize=(8, 4.2))
for name in sorted(styles, key=lambda name: -means[name][-1]):
    is_open = name == "adjusted_rand_score"
    axes.semilogx(
        numbers,
        means[name],
        styles[name],
        label=name,
        markersize=9 if is_open else 6,
        markerfacecolor="none" if is_open else None,
    )
axes.set(xlabel="number of random clusters", ylabel="mean score of random labels", ylim=(-0.05, 1))
axes.set_xticks(numbers, [str(number) for number in numbers])
axes.minorticks_off()
axes.set_title("Random labels score 0 only if an index is adjusted")
axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
# sphinx_gallery_alt = "Mean scores of random labels over the number of clusters: only adjusted indices stay at 0"
plt.show()
