"""Results as large as the square of the input are refused before they fill the memory."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage
from sklearn import config_context

from sklearn_clustcompare import (
    bakers_gamma,
    co_association_matrix,
    cophenetic_correlation,
    pairwise_scores,
)
from sklearn_clustcompare._memory import require_memory

PARTITIONS = np.arange(600).reshape(200, 3) % 2
COARSE = [np.arange(100) // 50, np.arange(100)]
ONE = [np.zeros(90), np.arange(90)]  # whose matrix is full
TREE = linkage(np.random.default_rng(0).random((100, 2)))
CALLS = {
    "pairs of partitions": lambda: pairwise_scores(PARTITIONS, index="rand_score"),
    "co-association matrix of 100 cells": lambda: co_association_matrix(COARSE),
    "co-association matrix of 90 cells": lambda: co_association_matrix(ONE),
    "all pairs of 100 objects": lambda: cophenetic_correlation(TREE, TREE),
    "pairs of 100 objects": lambda: bakers_gamma(TREE, TREE),
}


@pytest.mark.parametrize("what", CALLS)
def test_size_and_way_out_are_named_beforehand(what):
    CALLS[what]()
    with (
        config_context(working_memory=0.001),
        pytest.raises(MemoryError, match=rf"{what} needs about .* GB, more than .* working_memory"),
    ):
        CALLS[what]()


def test_the_limit_is_eight_times_the_working_memory():
    with config_context(working_memory=2):
        require_memory("it", 8 * 2 * 2**20, "nothing")
        with pytest.raises(MemoryError, match="^it needs about 0.0168 GB.*: nothing, or raise it"):
            require_memory("it", 8 * 2 * 2**20 + 1, "nothing")
