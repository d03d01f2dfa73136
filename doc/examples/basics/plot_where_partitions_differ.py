"""
Show where two partitions differ
================================

Draw the objects in a plane, in the colors of matched clusters, to see whether two partitions differ
at the border between clusters or merge whole groups.
"""

import matplotlib.pyplot as plt
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.preprocessing import scale

from sklearn_clustcompare.plot import EmbeddingAgreementDisplay

data = load_wine()
X = scale(data.data)
places = PCA(2).fit_transform(X)
growers = data.target_names[data.target]

# %%
# Each point has the color of its cluster. Six wines lie in clusters that are not matched with their
# grower; a ring shows the color of the grower. Most of them are at borders.
found = KMeans(3, n_init=10, random_state=0).fit_predict(X)
display = EmbeddingAgreementDisplay.from_predictions(places, growers, found)
# sphinx_gallery_alt = "178 wines in a plane, colored by matched cluster; six differ, mostly at borders"
plt.show()

# %%
# With five clusters, two growers are split. The agreement about an object is the number of objects
# that its two clusters share, divided by the size of the larger one.
found = KMeans(5, n_init=10, random_state=0).fit_predict(X)
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
display = EmbeddingAgreementDisplay.from_predictions(places, growers, found, ax=left)
display.plot(ax=right, color_by="agreement")
# sphinx_gallery_alt = "Wines in five clusters: rings around unmatched wines, and the agreement about each wine"
plt.show()
