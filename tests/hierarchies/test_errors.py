"""What is wrong is an error that names it."""

import numpy as np
import pytest

from sklearn_clustcompare import Hierarchy
from sklearn_clustcompare.hierarchies import bakers_gamma, clustering_tree, compare_hierarchies
from tests._errors import error_cases
from tests.hierarchies._hierarchies import linkages

COARSE, FINE = list("aaaabbbb"), [0, 0, 1, 1, 2, 2, 3, 3]


VALUE_ERRORS = {
    # clustering tree
    "^partitions must hold at least two partitions, got 1": lambda: clustering_tree([[0, 1]]),
    "^partition 0 and partition 1 must have the same length": lambda: clustering_tree(
        [[0, 1], [0]]
    ),
    "^noise='drop' and missing='drop' must leave at least one object": lambda: clustering_tree(
        [[0, -1], [-1, 0]], noise="drop"
    ),
    # comparison
    r"^param_range must increase and lie between 1 and .* 6, got \[3, 2\]": lambda: (
        compare_hierarchies(*linkages(6, 0), param_range=[3, 2])
    ),
    "^param_range must increase": lambda: compare_hierarchies(*linkages(6, 0), param_range=[2, 2]),
    "^param_range must increase and lie between 1": [
        lambda: compare_hierarchies(*linkages(6, 0), param_range=[0, 2]),
        lambda: compare_hierarchies(*linkages(6, 0), param_range=[2, 7]),
    ],
    "^index must be one of": lambda: compare_hierarchies(*linkages(6, 0), index="fowlkes"),
    "^beta must": lambda: compare_hierarchies(*linkages(6, 0), index="pair_f_score", beta=-1),
    # dendrograms
    r"which are \[2, 4\], got \[2, 3\]": lambda: compare_hierarchies(
        linkages(8, 0)[0], Hierarchy.from_labels([COARSE, FINE]), param_range=[2, 3]
    ),
    "^method must be one of 'goodman_kruskal', 'spearman'": lambda: bakers_gamma(
        *linkages(8, 0), method="kendall"
    ),
}

TYPE_ERRORS = {
    # clustering tree
    "^partition 1 must be a 1-D array of labels": lambda: clustering_tree([[0, 1], np.eye(2)]),
    # comparison
    "^param_range must be a 1-D sequence of integers, got 3": lambda: compare_hierarchies(
        *linkages(6, 0), param_range=3
    ),
    r"^param_range must be a 1-D sequence of integers, got \[2.0\]": lambda: compare_hierarchies(
        *linkages(6, 0), param_range=[2.0]
    ),
}


@error_cases(VALUE_ERRORS, TYPE_ERRORS)
def test_what_is_wrong_is_named(error, text, call):
    with pytest.raises(error, match=text):
        call()
