"""The split that fits and scores the same objects."""

import pytest
from sklearn.datasets import load_iris
from sklearn.experimental import enable_halving_search_cv  # noqa: F401

from sklearn_clustcompare.model_selection import TransductiveSplit

# scikit-learn's own deprecations, of HDBSCAN's default for copy and the like, are not ours.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning:sklearn")


def test_transductive_split():
    X, y = load_iris(return_X_y=True)
    split = TransductiveSplit()
    assert split.get_n_splits(X, y) == 1
    ((train, test),) = split.split(X.tolist(), y)
    assert train.tolist() == test.tolist() == list(range(150))
    assert repr(split) == "TransductiveSplit()"
