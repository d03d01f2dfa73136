"""
Gap statistic
=============

The gap statistic compares the dispersion within clusters with that of data without clusters, for
each number of clusters. The data are wines of three growers; the growers are not used.
"""

import matplotlib.pyplot as plt
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale

from sklearn_clustcompare import gap_statistic
from sklearn_clustcompare.plot import GapDisplay

X = scale(load_wine().data)
result = gap_statistic(
    KMeans(n_init=3, random_state=0), X, param_range=range(1, 9), n_null=20, random_state=0
)
result

# %%
# The gap rises up to three clusters and is flat beyond. The marks below it show what each rule
# chooses: all but the global maximum choose three clusters.
GapDisplay(result).plot()
# sphinx_gallery_alt = "Gap over 1 to 8 clusters: it rises up to 3 and is flat beyond"
plt.show()

# %%
# The elbow plot shows the two dispersions whose difference is the gap. Both fall with every cluster;
# only the distance between them is evidence of clusters.
GapDisplay(result).plot(curve="elbow")
# sphinx_gallery_alt = "Dispersion within clusters of the wines and of data without clusters, over 1 to 8 clusters"
plt.show()
