"""
Compare two segmentations of an image
=====================================

Four disks that touch each other are cut out of a noisy image. Count the pixels of both label images
once; then measure false splits and false merges, and count the disks that were found.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import AgglomerativeClustering
from sklearn.feature_extraction.image import grid_to_graph

from sklearn_clustcompare import ContingencyTable, pair_f_score, relabel
from sklearn_clustcompare.metrics import cluster_f_score, conditional_entropy

rows, columns = np.indices((60, 60))
annotated = np.zeros((60, 60), dtype=int)
disks = [(18, 20, 10), (22, 39, 11), (40, 17, 12), (41, 41, 9)]
for disk, (row, column, radius) in enumerate(disks, start=1):
    annotated[(rows - row) ** 2 + (columns - column) ** 2 < radius**2] = disk
brightness = np.array([0.0, 1.0, 1.6, 2.2, 1.3])[annotated]
image = brightness + 0.2 * np.random.default_rng(0).normal(size=annotated.shape)

# %%
# Ward linkage joins neighboring pixels only. Cut the tree into more and more segments.
numbers = list(range(2, 13))
segmented = {
    k: AgglomerativeClustering(k, connectivity=grid_to_graph(*image.shape))
    .fit_predict(image.reshape(-1, 1))
    .reshape(image.shape)
    for k in numbers
}
tables = {k: ContingencyTable.from_images(annotated, segmented[k]) for k in numbers}

# %%
# False merges go down and false splits go up with the number of segments; their sum is the
# variation of information. The adapted Rand error leaves out the pixels that belong to no disk. The
# F-score counts segments that overlap an annotated one by more than half of both together.
curves = {
    "false merges (bits)": [conditional_entropy(tables[k], base=2) for k in numbers],
    "false splits (bits)": [conditional_entropy(tables[k].T, base=2) for k in numbers],
    "adapted Rand error": [
        1 - pair_f_score(ContingencyTable.from_images(annotated, segmented[k], ignore_true=0))
        for k in numbers
    ],
    "F-score of segments": [cluster_f_score(tables[k], threshold=0.5) for k in numbers],
}
# sphinx_gallery_alt = "Annotated discs, their segmentation into 5 segments, and false merges, false splits, adapted Rand error and F-score for 2 to 12 segments; the best number is 5"
figure, axes = plt.subplots(1, 3, figsize=(11, 3.8), width_ratios=[1, 1, 1.6])
best = numbers[int(np.argmax(curves["F-score of segments"]))]
matched = relabel(annotated.ravel(), segmented[best].ravel(), method="optimal").reshape(image.shape)
for ax, labels, title in (
    (axes[0], annotated, "annotated"),
    (axes[1], matched, f"Ward, {best} segments"),
):
    ax.imshow(labels, cmap="cividis", interpolation="nearest")
    ax.set(title=title, xticks=[], yticks=[])
for (name, values), marker in zip(curves.items(), "osD^", strict=True):
    axes[2].plot(numbers, values, marker=marker, label=name)
axes[2].set(xlabel="number of segments", ylim=(0, None), title="Errors and the F-score")
axes[2].legend()
plt.show()
