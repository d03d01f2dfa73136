"""Rules of parameters that several indices share."""

import pytest

from sklearn_clustcompare import get_index
from tests._errors import said_by
from tests.indices.test_record import TABLE


@pytest.mark.parametrize(
    "name", ["mutual_info_score", "conditional_entropy", "variation_of_information_distance"]
)
def test_base_is_for_shannon_entropy_only(name):
    message = said_by(ValueError, get_index(name), TABLE, base=2, q=2)
    assert "base" in message
    assert "q" in message


@pytest.mark.parametrize("normalize", ["joint", "expected"])
def test_normalized_distance_has_no_base(normalize):
    index = get_index("variation_of_information_distance")
    message = said_by(ValueError, index, TABLE, base=2, normalize=normalize)
    assert "base" in message
