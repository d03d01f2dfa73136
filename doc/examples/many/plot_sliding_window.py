"""
Agreement over a stream
=======================

Tables of disjoint objects add up, and can be subtracted again. A window that slides along a stream
is updated by one small table per step: add the objects that come in, subtract those that go out.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits

from sklearn_clustcompare import (
    ContingencyTable,
    adjusted_rand_score,
    completeness_score,
    homogeneity_score,
)

# %%
# The digits are not in random order: those of one writer follow one another. k-means is fitted to
# the first 600 digits, and assigns all others to its clusters.
X, y = load_digits(return_X_y=True)
found = KMeans(10, n_init=10, random_state=0).fit(X[:600]).predict(X)

# %%
# Count blocks of 50 digits once. The next window is the last one plus a block minus a block.
size, width = 50, 4
blocks = [
    ContingencyTable.from_labels(y[start : start + size], found[start : start + size])
    for start in range(0, len(y), size)
]
windows = [sum(blocks[:width])]
for new, old in zip(blocks[width:], blocks, strict=False):
    windows.append(windows[-1] + new - old)

assert windows[-1] == sum(blocks[-width:])

# %%
# One score of all digits hides that it depends on the writer: the adjusted Rand index of a window
# lies between 0.5 and 0.9.
print(f"all digits: {adjusted_rand_score(sum(blocks)):.2f}")
ends = np.minimum(size * (width + np.arange(len(windows))), len(y))
# sphinx_gallery_alt = "Homogeneity, completeness and adjusted Rand index of the last 200 digits, which fall after the digits that the model was fitted to"
figure, axes = plt.subplots()
for index in (completeness_score, homogeneity_score, adjusted_rand_score):
    axes.plot(ends, [index(table) for table in windows], marker=".", label=index.__name__)
axes.axvspan(ends[0], 600, color="0.93", label="fitted to these")
axes.set(xlabel="digits seen", ylabel=f"score of the last {size * width} digits", ylim=(0, 1))
axes.legend(loc="lower left", ncols=2)
axes.set_title("Scores fall for writers that the model has not seen")
plt.show()
