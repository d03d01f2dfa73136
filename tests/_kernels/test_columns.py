"""Ways to fill columns, in each form that is installed, by enumeration."""

import collections
import itertools
import math

import numpy as np
import pytest

from sklearn_clustcompare._kernels import _columns
from tests._kernels._forms import each_form


@each_form(_columns)
@pytest.mark.parametrize(
    ("states", "groups", "size"),
    [
        ([[1, 2, 2], [0, 1, 4]], [0, 1, 1], 3),
        ([[2, 2, 2, 2], [1, 1, 3, 3], [0, 0, 0, 8]], [0, 0, 0, 0], 5),
        ([[1, 1, 3], [0, 2, 3], [1, 2, 2]], [0, 0, 0], 3),
        ([[3, 3], [1, 5]], [0, 1], 4),
        ([[0, 2, 2, 1, 2, 2]], [0, 0, 0, 1, 2, 2], 4),
        ([[5, 5, 5]], [0, 1, 2], 0),
    ],
)
def test_column_fillings(kernels, states, groups, size):
    states, groups = np.array(states), np.array(groups)
    rng = np.random.default_rng(0)
    # The table of cells of each row starts at some base, the same for rows that are alike.
    tables = {}
    bases = np.empty_like(states)
    for place, available in np.ndenumerate(states):
        key = groups[place[1]], available
        bases[place] = tables.setdefault(key, 10 * len(tables))
    logarithms, values = rng.normal(size=10 * len(tables)), rng.integers(-9, 9, 10 * len(tables))
    expected = []
    for state, base in zip(states.tolist(), bases, strict=True):
        ways = collections.defaultdict(list)
        for taken in itertools.product(*(range(left + 1) for left in state)):
            if sum(taken) == size:
                alike = collections.defaultdict(list)
                for group, left, count in zip(groups.tolist(), state, taken, strict=True):
                    alike[group, left].append(left - count)
                left = tuple(one for rows in alike.values() for one in sorted(rows))
                cells = base + taken
                ways[left].append((math.exp(logarithms[cells].sum()), values[cells].sum()))
        expected.append(
            {left: (sum(w for w, _ in some), some[0][1]) for left, some in ways.items()}
        )
    arguments = states, groups, size, bases, logarithms, values
    first, remainders, weights, sums = kernels.column_fillings(*arguments, 10**6)
    assert first.tolist() == [0, *itertools.accumulate(map(len, expected))]
    for number, ways in enumerate(expected):
        some = slice(first[number], first[number + 1])
        assert list(map(tuple, remainders[some].tolist())) == sorted(ways, reverse=True)
        found = [ways[tuple(left)] for left in remainders[some].tolist()]
        np.testing.assert_allclose(weights[some], [weight for weight, _ in found], rtol=1e-14)
        assert sums[some].tolist() == [value for _, value in found]
    assert kernels.column_fillings(*arguments, len(sums)) is not None
    assert kernels.column_fillings(*arguments, len(sums) - 1) is None


@each_form(_columns)
def test_tails_of_ways(kernels):
    rng = np.random.default_rng(0)
    for _ in range(20):
        first = np.append(0, np.cumsum(rng.integers(1, 6, size=7)))
        values, weights = rng.integers(-5, 5, size=first[-1]), rng.random(first[-1])
        states = np.sort(rng.integers(7, size=rng.integers(12)))
        missing, of_branches = rng.integers(-6, 6, size=len(states)), rng.random(len(states))
        missing = missing[np.lexsort((-missing, states))]
        expected = np.zeros(7)
        for state, least, weight in zip(states, missing, of_branches, strict=True):
            some = slice(first[state], first[state + 1])
            expected[state] += weight * weights[some][values[some] >= least].sum()
        found = kernels.tails_of_ways(first, values, weights, states, missing, of_branches)
        np.testing.assert_allclose(found, expected, rtol=1e-14)
