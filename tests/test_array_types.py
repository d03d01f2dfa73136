"""Types as signatures and help show them."""

import inspect
import pydoc

import pytest

from sklearn_clustcompare import adjusted_mutual_info_score, results
from tests._docstrings import (
    public,
)
from tests.test_public_api import _callables


@pytest.mark.parametrize("renders", [adjusted_mutual_info_score, results.GapStatistic.choose])
def test_help_shows_types(renders):
    header = pydoc.render_doc(renders, renderer=pydoc.plaintext).splitlines()[2]
    assert header == str(renders.__name__) + str(inspect.signature(renders))
    types = inspect.get_annotations(renders)
    assert all(f"{name}: {types[name]}" in header for name in types if name != "return")
    assert header.endswith(f" -> {types['return']}")


def test_types_are_shown_without_quotes():
    of_partitions = {"labels_true", "labels_pred", "labels_a", "labels_b", "labels", "partitions"}
    of_partitions |= {"candidates", "memberships"}
    n_shown = 0
    for name in _callables():
        one = public(name)
        if issubclass(one if inspect.isclass(one) else object, tuple):
            continue  # named tuples have types of their own
        for parameter in inspect.signature(one).parameters.values():
            if isinstance(parameter.annotation, str):
                n_shown += 1
                assert repr(parameter.annotation) == parameter.annotation, (name, parameter)
            if not inspect.isclass(one) and parameter.name in of_partitions:
                assert parameter.annotation != "Any", (name, parameter)
    assert n_shown > 500
