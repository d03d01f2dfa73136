"""Values of indices and of their definitions, for labels, tables and all orders of the objects."""

import mpmath
import pytest
from hypothesis import strategies as st

from sklearn_clustcompare import ContingencyTable, get_index
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED
from tests import _oracles as oracles
from tests._examples import pairs_of_labels

ORDERS = [0.5, 1, 2, 3]


small_pairs = pairs_of_labels(2, 14, 3)


def value_of(name, labels_true, labels_pred, **parameters):
    return of_table(name, ContingencyTable.from_labels(labels_true, labels_pred), **parameters)


def of_table(name, table, **parameters):
    with UNDEFINED_IGNORED:
        return get_index(name)(table, **parameters)


def defined(function, *arguments, **parameters):
    """Return the value by definition, or None where that divides by zero."""
    try:
        return function(*arguments, **parameters)
    except ZeroDivisionError:
        return None


def approx(value, rel=1e-14, abs=1e-14):
    return pytest.approx(float(value), rel=rel, abs=abs)


def enumerated_mean(function, labels_true, labels_pred):
    arrangements = oracles.distinct_arrangements(labels_pred)
    return mpmath.fsum(function(labels_true, other) for other in arrangements) / len(arrangements)


FIXED_PAIRS = [
    ([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1]),
    ([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 3]),
    ([0, 0, 0, 0, 0, 1], [0, 0, 0, 1, 1, 0]),
    ([0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 2, 2]),
]


def bounded_tables(max_count):
    rows = st.lists(
        st.lists(st.integers(0, max_count), min_size=3, max_size=3), min_size=1, max_size=4
    )
    return rows.filter(lambda counts: sum(map(sum, counts)) > 0)


LARGE = bounded_tables(10**11)


def without_empty(counts):
    rows = [row for row in counts if any(row)]
    cols = [col for col in zip(*rows, strict=True) if any(col)]
    return [list(row) for row in zip(*cols, strict=True)]
