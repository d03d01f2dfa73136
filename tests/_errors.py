"""How tests look at an error."""

from functools import partial

import pytest


def said_by(error, function, *arguments, **keywords):
    """Return the message, once it is sure that exactly this type of error was raised."""
    with pytest.raises((TypeError, ValueError)) as caught:
        function(*arguments, **keywords)
    assert type(caught.value) is error, repr(caught.value)
    return str(caught.value)


def using(function, *given, **options):
    """Return a function of more arguments, and of options that replace those given, for tables."""
    return lambda *more, **others: partial(function, *given, *more, **(options | others))


def error_cases(*tables):
    """Call a test with each call of tables of value, type and attribute errors, and its text.

    A table has a call, or a list of calls, for each text.
    """
    cases = [
        (error, text, call)
        for error, table in zip((ValueError, TypeError, AttributeError), tables, strict=False)
        for text, calls in table.items()
        for call in (calls if isinstance(calls, list) else [calls])
    ]
    return pytest.mark.parametrize(("error", "text", "call"), cases)
