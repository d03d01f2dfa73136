"""Every kind of input in every public function of two partitions, and the page that lists them."""

import contextlib
import functools
import inspect
import itertools
import re
import warnings
from dataclasses import fields, is_dataclass

import numpy as np
import pytest
from scipy.sparse import issparse

from sklearn_clustcompare import (
    co_association_matrix,
    consensus_partition,
    index_curve,
    paired_comparison_test,
    pairwise_scores,
    score_candidates,
)
from tests._docstrings import public, public_names
from tests._files import REPOSITORY
from tests._inputs import KINDS

TRUTH = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
FOUND = [0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 3, 3]

# Values of parameters without a default.
REQUIRED = {"index": "adjusted_rand_score", "labels_a": FOUND, "labels_b": TRUTH}
SPECIAL = {
    "noise_bounds": {"index": "purity_score"},
    "assert_clustering": {"adjusted_rand_score": 0.1},
    "assert_not_worse": {"labels_accepted": FOUND, "tolerance": 0.9},
}
# Other arguments name the objects.
LEFT_OUT = {"align_partitions", "partial_partition_distance"}
PAGE = REPOSITORY / "doc" / "user_guide" / "inputs.rst"


def functions():
    for name in public_names():
        function = public(name)
        if inspect.isfunction(function) and name not in LEFT_OUT:
            parameters = inspect.signature(function).parameters
            if {"labels_true", "labels_pred"} <= set(parameters):
                yield name, function, parameters


FUNCTIONS = {name: (function, parameters) for name, function, parameters in functions()}

# Functions of several partitions, and how their messages call the two.
SEVERAL = {
    "score_candidates": (
        lambda true, pred: score_candidates(true, [pred], indices="rand_score").scores,
        ("labels_true", "candidate 0"),
    ),
    "paired_comparison_test": (
        lambda true, pred: paired_comparison_test(TRUTH, true, pred, index="rand_score").difference,
        ("labels_a", "labels_b"),
    ),
    "index_curve": (
        lambda true, pred: index_curve(true, {4: pred}, index="rand_score").values,
        ("labels_true", "candidate 0"),
    ),
    "pairwise_scores": (
        lambda true, pred: pairwise_scores([true, pred], index="rand_score").values,
        ("partition 0", "partition 1"),
    ),
    "consensus_partition": (
        lambda true, pred: consensus_partition([true, pred]).score,
        ("partition 0", "partition 1"),
    ),
    "co_association_matrix": (
        lambda true, pred: str(co_association_matrix([true, pred])),
        ("partition 0", "partition 1"),
    ),
}


def value_of(name, true, pred):
    if name in SEVERAL:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return SEVERAL[name][0](true, pred)
    function, parameters = FUNCTIONS[name]
    options = {key: value for key, value in REQUIRED.items() if key in parameters}
    if "random_state" in parameters:
        options["random_state"] = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(true, pred, **(options | SPECIAL.get(name, {})))


def plain(value):
    """Return a result as nested lists, to be compared."""
    if is_dataclass(value):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value if isinstance(value, int | float | str | dict | type(None)) else repr(value)


@functools.cache
def value_of_plain_labels(name):
    return plain(value_of(name, TRUTH, FOUND))


def check(name, kind, side):
    given = [TRUTH, FOUND]
    for at in side:
        given[at] = kind.make(given[at])
    names = SEVERAL[name][1] if name in SEVERAL else ("labels_true", "labels_pred")
    try:
        value = value_of(name, *given)
    except (TypeError, ValueError) as error:
        message = str(error)
        is_internal = re.search(r"\b(Labels|Memberships|Partition)\b", message)
        if is_internal or not any(names[at] in message for at in side):
            error.add_note(f"{name} of {kind.name} on the sides {side}")
            raise
        return message
    if name == "relabel" and np.ndim(value) == 2:  # memberships by columns of the reference
        value = np.ravel((value if issparse(value) else np.asarray(value)).argmax(axis=1))
    what = f"{name} of {kind.name} on the sides {side}"
    np.testing.assert_equal(plain(value), value_of_plain_labels(name), err_msg=what)
    return None


SIDES = [(0,), (1,), (0, 1)]
# Each function once, with another kind than the one before.
SAMPLED = [
    (name, KINDS[number % len(KINDS)], SIDES[number % 3]) for number, name in enumerate(FUNCTIONS)
]


def named(case):
    name, kind, side = case
    return f"{name}-{kind.name}-{side}"


@pytest.mark.parametrize("case", SAMPLED, ids=named)
def test_a_sample_of_functions_and_kinds(case):
    check(*case)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FUNCTIONS, *SEVERAL])
def test_all_kinds(name):
    for kind, side in itertools.product(KINDS, SIDES):
        with contextlib.suppress(pytest.skip.Exception):  # a package is missing
            check(name, kind, side)


def test_functions_are_found():
    assert len(FUNCTIONS) > 70


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_both_sides_of_any_kind_have_the_value_of_plain_labels(kind):
    assert check("adjusted_rand_score", kind, (0, 1)) is None


def test_the_page_lists_the_kinds():
    page = PAGE.read_text(encoding="utf-8").replace("\n  ", " ")
    listed = re.findall(r"^- (.*)$", page, re.MULTILINE)
    assert listed == list(dict.fromkeys(kind.line for kind in KINDS))
