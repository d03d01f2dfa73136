"""
Where do two partitions differ?
===============================

Draw the objects in a plane, in the colours of matched clusters: is it the border between two
clusters that is drawn elsewhere, or are whole groups joined with others?
"""

import matplotlib.pyplot as plt
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.preprocessing import scale

from sklearn_clustcompare import EmbeddingAgreementDisplay

data = load_wine()
X = scale(data.data)
places = PCA(2).fit_transform(X)
growers = data.target_names[data.target]

# %%
# A point has the colour of its cluster. Six wines lie in clusters that are not matched with their
# grower, in whose colour they have a ring: most of them are at borders.
found = KMeans(3, n_init=10, random_state=0).fit_predict(X)
display = EmbeddingAgreementDisplay.from_predictions(places, growers, found)
plt.show()

# %%
# With five clusters two growers are split. The agreement about an object is the number of objects
# that its two clusters share, by the size of the larger one.
found = KMeans(5, n_init=10, random_state=0).fit_predict(X)
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
display = EmbeddingAgreementDisplay.from_predictions(places, growers, found, ax=left)
display.plot(ax=right, kind="agreement")
plt.show()
