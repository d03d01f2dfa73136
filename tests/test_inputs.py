"""Every kind of input in every public function of partitions, and the page that lists them."""

import contextlib
import functools
import itertools
import re

import numpy as np
import pytest
from scipy.sparse import issparse

from tests._files import REPOSITORY
from tests._functions import FUNCTIONS, PARAMETERS, leaves, names_of_sides, result_of
from tests._inputs import KINDS, KINDS_BY_LINE

TRUTH = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
FOUND = [0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 3, 3]
PAGE = REPOSITORY / "doc" / "user_guide" / "inputs.rst"


@functools.cache
def value_of_plain_labels(name):
    return leaves(result_of(name, [TRUTH, FOUND, TRUTH]))


def check(name, kind, side):
    given = [TRUTH, FOUND, TRUTH]
    for at in side:
        given[at] = kind.make(given[at])
    try:
        value = result_of(name, given)
    except (TypeError, ValueError) as error:
        message = str(error)
        is_internal = re.search(r"\b(Labels|Memberships|Partition)\b", message)
        if is_internal or not any(names_of_sides(name)[at] in message for at in side):
            error.add_note(f"{name} of {kind.name} on the sides {side}")
            raise
        return message
    if name == "relabel" and np.ndim(value) == 2:  # memberships by columns of the reference
        value = np.ravel((value if issparse(value) else np.asarray(value)).argmax(axis=1))
    what = f"{name} of {kind.name} on the sides {side}"
    np.testing.assert_equal(leaves(value), value_of_plain_labels(name), err_msg=what)
    return None


SIDES = [(0,), (1,), (0, 1)]


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_all_kinds(name):
    for kind, side in itertools.product(KINDS, SIDES):
        with contextlib.suppress(pytest.skip.Exception):  # a package is missing
            check(name, kind, side)


FUNCTION_OF = {one: name for name, parameters in PARAMETERS.items() for one in parameters}


@pytest.mark.parametrize("parameter", sorted(FUNCTION_OF))
@pytest.mark.parametrize("value", ["x" * 10**5, ["x" * 10**5, 1], ["x"] * 1000], ids=len)
def test_long_values_are_cut_in_messages(parameter, value):
    """A value of any length leaves a message that can be read."""
    options = {"x" * 10**5: 1} if parameter == "params" else {parameter: value}
    try:
        result_of(FUNCTION_OF[parameter], [TRUTH, FOUND, TRUTH], **options)
    except (TypeError, ValueError) as error:
        message = str(error)
    else:
        message = ""
    assert len(message) < 2000


def test_functions_are_found():
    assert len(FUNCTIONS) > 70


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_both_sides_of_any_kind_have_the_value_of_plain_labels(kind):
    assert check("adjusted_rand_score", kind, (0, 1)) is None


def test_the_page_lists_the_kinds():
    page = PAGE.read_text(encoding="utf-8").replace("\n  ", " ")
    listed = re.findall(r"^- (.*)$", page, re.MULTILINE)
    assert listed == list(KINDS_BY_LINE)
