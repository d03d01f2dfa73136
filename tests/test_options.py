"""Words that parameters accept, and values in texts."""

import pytest

from sklearn_clustcompare import (
    get_index,
)
from sklearn_clustcompare.indices import read_index
from tests._errors import said_by


@pytest.mark.parametrize(("text", "value"), [("2", 2), ("0.5", 0.5), ("1e0", 1.0)])
def test_numbers_are_read_from_texts(text, value):
    _, parameters = read_index(f"mi:q={text}")
    assert parameters == {"q": value}
    assert type(parameters["q"]) is type(value)


def test_constants_are_read_from_texts():
    assert read_index("mi:base=None")[1] == {"base": None}
    assert read_index("van_dongen_distance:normalize=true")[1] == {"normalize": True}


@pytest.mark.parametrize("wrong", ["x" * 10_000, list(range(10_000)), "a_b_" * 5_000, {}, ""])
def test_long_or_strange_values_are_shortened(wrong):
    assert len(said_by(ValueError, get_index, wrong)) <= 400
