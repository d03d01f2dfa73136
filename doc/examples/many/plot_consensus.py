"""
Combine k-means runs into a consensus
=====================================

Twelve random initializations of k-means give twelve partitions. On average, their consensus agrees
with them better than they agree with one another; here it is also closer to the digits than any of
them.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits

from sklearn_clustcompare import adjusted_rand_score, consensus_partition, pairwise_scores

X, y = load_digits(return_X_y=True)
X, y = X[:400], y[:400]
runs = [KMeans(10, init="random", n_init=1, random_state=seed).fit_predict(X) for seed in range(12)]

# %%
# The medoid is the run with the highest average agreement with all runs. The consensus is a new
# partition.
averages = pairwise_scores(runs, index="adjusted_rand_score").values.mean(axis=0)
medoid = int(averages.argmax())
consensus = consensus_partition(runs, index="adjusted_rand_score", random_state=0)
print(f"average agreement of a run         {averages.mean():.3f}")
print(f"average agreement of the medoid    {averages[medoid]:.3f}")
print(f"average agreement of the consensus {consensus.score:.3f}")

# %%
# Compare the agreement with the runs, which is known in practice, with the agreement with the
# digits, which is not.
truth = [adjusted_rand_score(y, run) for run in runs]
figure, axes = plt.subplots()
axes.plot(averages, truth, "o", color="0.6", label="single runs")
axes.plot(averages[medoid], truth[medoid], "C0s", markersize=9, label="medoid")
axes.plot(
    consensus.score,
    adjusted_rand_score(y, consensus.labels),
    "C3*",
    markersize=14,
    label="consensus",
)
axes.axhline(np.mean(truth), color="0.8", zorder=0, label="mean of the runs")
axes.set(xlabel="average agreement with the runs", ylabel="agreement with the digits")
axes.set_title("The consensus is better than the runs")
axes.legend()
# sphinx_gallery_alt = "Agreement with the digits over agreement with the runs: the consensus is highest in both"
plt.show()
