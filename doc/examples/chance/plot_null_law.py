"""
Test agreement against chance
=============================

Is the agreement of two partitions larger than expected by chance? Under random permutations of one
of them, the mean and the standard deviation of the index are known exactly, and an approximation with four
moments is close to its distribution for many objects.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_diabetes

from sklearn_clustcompare.plot import NullDistributionDisplay
from sklearn_clustcompare.significance import independence_test

# %%
# Are clusters of two blood measurements related to the progression of diabetes a year later? The
# outcome of 442 patients is cut at its quartiles, and the measurements into six clusters.
X, progression = load_diabetes(return_X_y=True)
quarter = np.searchsorted(np.quantile(progression, [0.25, 0.5, 0.75]), progression)
blood = KMeans(6, n_init=10, random_state=0).fit_predict(X[:, 4:6])

test = independence_test(quarter, blood)
print(f"mutual information  {test.statistic:.4f} nats")
print(f"by chance           {test.mean:.4f} +- {test.standard_deviation:.4f}")
print(f"standardized        {test.standardized:.1f}")
print(f"p-value             {test.pvalue:.1e}")

# %%
# The histogram shows random partitions with the same cluster sizes, and the curve is the law
# with four moments. The agreement is small but significant.
NullDistributionDisplay.from_predictions(
    quarter, blood, index="mutual_info_score", n_resamples=2000, random_state=0
)
# sphinx_gallery_alt = "Histogram of the mutual information of 2000 permutations; the observed value is beyond it"
plt.show()
