"""
What chance alone would give
============================

Is the agreement of two partitions more than luck? Shuffle one of them and look at what the index is
then. Its mean and standard deviation are known exactly, without any shuffling, and a gamma law with
these two numbers is close to the truth.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_diabetes

from sklearn_clustcompare import NullDistributionDisplay, independence_test

# %%
# Do clusters of two measurements of blood say anything about how far diabetes is a year later? The
# outcome is cut into quarters, the measurements of 442 patients into six clusters.
X, progression = load_diabetes(return_X_y=True)
quarter = np.searchsorted(np.quantile(progression, [0.25, 0.5, 0.75]), progression)
blood = KMeans(6, n_init=10, random_state=0).fit_predict(X[:, 4:6])

test = independence_test(quarter, blood)
print(f"mutual information  {test.statistic:.4f} nats")
print(f"by chance           {test.mean:.4f} +- {test.standard_deviation:.4f}")
print(f"standardised        {test.standardized:.1f}")
print(f"p-value             {test.pvalue:.1e}")

# %%
# The same as a picture: random partitions with the same cluster sizes, and the law above. The
# agreement is small, and it is no accident.
NullDistributionDisplay.from_predictions(
    quarter, blood, index="mutual_info_score", n_resamples=2000, random_state=0
)
plt.show()
