"""
Which cell types are lost
=========================

Leiden clusters of 700 blood cells of ten annotated types, at four resolutions. :doc:`The tutorial
</tutorials/cells>` explains the data and tests which resolution is better.
"""

import matplotlib.pyplot as plt
import pandas as pd

from sklearn_clustcompare.plot import AlluvialDisplay, EmbeddingAgreementDisplay, IndexCurveDisplay

# %%
# Run this in the folder of the example, or download ``cells.csv`` and ``cells_umap.csv`` from the
# tutorial.
cells = pd.read_csv("../../tutorials/cells.csv", index_col="id")
plane = pd.read_csv("../../tutorials/cells_umap.csv", index_col="id")

# %%
# The rare CD34+ cells have a cluster of their own. Five kinds of T cells share cluster 2.
figure, axes = plt.subplots(figsize=(9, 6))
AlluvialDisplay.from_predictions("type", "leiden_0.5", data=cells, min_share=0, ax=axes)
# sphinx_gallery_alt = "Streams from ten cell types to nine clusters; five kinds of T cells share one"
plt.show()

# %%
# Each point is a cell: blue if its cluster is nearly its type, orange if they share few cells.
EmbeddingAgreementDisplay.from_predictions(
    plane, "type", "leiden_0.5", data=cells, color_by="agreement"
)
# sphinx_gallery_alt = "Cells in a plane, colored by the agreement of type and cluster, which is lowest among T cells"
plt.show()

# %%
# More clusters raise homogeneity and lower completeness. Adjusted indices are highest for 9 clusters,
# at resolution 0.5.
leiden = ["leiden_0.25", "leiden_0.5", "leiden_1", "leiden_2"]
indices = ["homogeneity_score", "completeness_score", "ami", "ari"]
IndexCurveDisplay.from_predictions("type", leiden, data=cells, index=indices)
# sphinx_gallery_alt = "Four indices over the number of clusters; adjusted ones are highest for 9"
plt.show()
