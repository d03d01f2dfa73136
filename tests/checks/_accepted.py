"""Labels of iris that are accepted, and worse ones."""

import numpy as np
from sklearn.datasets import load_iris

X, Y = load_iris(return_X_y=True)
GOOD = np.where((Y == 2) & (np.arange(150) % 10 == 0), 1, Y)
POOR = np.where((Y == 2) & (np.arange(150) % 2 == 0), 1, Y)
