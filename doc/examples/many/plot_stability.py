"""
Is a clustering stable?
=======================

Without a reference one can still ask whether a method says the same twice. Cluster many random
halves of the data, and compare every two partitions on the objects they share.
"""

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale

from sklearn_clustcompare import adjusted_rand_score

X = scale(load_wine().data)
rng = np.random.default_rng(0)
samples = [rng.choice(len(X), size=len(X) // 2, replace=False) for _ in range(10)]
numbers = list(range(2, 9))


# %%
# Two halves share about a quarter of the wines. Adjusted for chance, agreements with different
# numbers of clusters can be compared.
def agreements(k):
    """Return the agreements of the clusterings of all pairs of halves."""
    runs = [
        (sample, KMeans(k, n_init=3, random_state=0).fit_predict(X[sample])) for sample in samples
    ]
    scores = []
    for (one, first), (other, second) in combinations(runs, 2):
        _, here, there = np.intersect1d(one, other, return_indices=True)
        scores.append(adjusted_rand_score(first[here], second[there]))
    return scores


scores = [agreements(k) for k in numbers]

# %%
# Three clusters have the highest median. Two do nearly as well on average, but some halves disagree
# badly; more than three are found again less and less.
figure, axes = plt.subplots()
axes.boxplot(scores, positions=numbers, widths=0.5)
axes.set(xlabel="number of clusters", ylabel="agreement of two halves", ylim=(0, 1.02))
plt.show()
