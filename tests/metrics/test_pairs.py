"""Functions of pairs that are no index."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics.cluster import pair_confusion_matrix as sklearn_pair_confusion_matrix

from sklearn_clustcompare import pair_confusion_matrix


def test_pair_confusion_matrix_is_that_of_scikit_learn(case):
    ours = pair_confusion_matrix(*case)
    assert ours.dtype == np.int64
    if len(case[0]):
        numbers = [pd.factorize(np.array(labels))[0] for labels in case]
        np.testing.assert_array_equal(ours, sklearn_pair_confusion_matrix(*numbers))
    else:
        assert not ours.any()


def test_pair_confusion_matrix_beyond_int64():
    matrix = pair_confusion_matrix([0, 0, 1], [0, 1, 1], sample_weight=[10**12] * 3)
    assert matrix.dtype == np.float64
    assert matrix.sum() == pytest.approx(9e24)
