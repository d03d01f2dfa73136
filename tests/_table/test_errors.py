"""What is wrong is an error that names it."""

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable, pair_f_score
from tests._errors import error_cases
from tests._inputs import import_or_skip

VALUE_ERRORS = {
    # contingency
    "got 1 objects in row 'a' and column 1, and 2 to": lambda: (
        ContingencyTable.from_labels(["a", "a", "b"], [1, 2, 2])
        - ContingencyTable.from_labels(["a", "a"], [1, 1])
    ),
    "got 0 objects in row 'c' and column 1, and 1 to": lambda: (
        ContingencyTable.from_labels(["a", "a", "b"], [1, 2, 2])
        - ContingencyTable.from_labels(["c"], [1])
    ),
    r"less than 2\*\*63": lambda: (
        ContingencyTable.from_counts([[2**62]]) + ContingencyTable.from_counts([[2**62]])
    ),
    r"^counts must be a 2-D array .*: call \.collect\(\)": lambda: ContingencyTable.from_counts(
        import_or_skip("polars").DataFrame({"a": [1, 5], "x": [3, 1]}).lazy()
    ),
    # images
    r"same shape, got \(2, 3\) and \(3, 2\)$": lambda: ContingencyTable.from_images(
        np.zeros((2, 3), int), np.zeros((3, 2), int)
    ),
    "^image_true must": lambda: ContingencyTable.from_images([[0.5]], [[1]]),
    "^image_pred must .*missing='drop'": lambda: ContingencyTable.from_images([[0]], [[np.nan]]),
    "^ignore_pred must have the type of the": lambda: ContingencyTable.from_images(
        [[0]], [[1]], ignore_pred="1"
    ),
    "what is ignored, .* must leave at least one object": lambda: pair_f_score(
        ContingencyTable.from_images([[0, 0]], [[1, 2]], ignore_true=0)
    ),
}

TYPE_ERRORS = {
    # images
    "^ignore_true must be hashable": lambda: ContingencyTable.from_images(
        [[0]], [[1]], ignore_true=[[0]]
    ),
    "^image_true must": lambda: ContingencyTable.from_images(3, [[1]]),
}


@error_cases(VALUE_ERRORS, TYPE_ERRORS)
def test_what_is_wrong_is_named(error, text, call):
    with pytest.raises(error, match=text):
        call()
