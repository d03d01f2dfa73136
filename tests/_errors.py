"""How tests look at an error."""

import pytest


def said_by(error, function, *arguments, **keywords):
    """Return the message, once it is sure that exactly this type of error was raised."""
    with pytest.raises((TypeError, ValueError)) as caught:
        function(*arguments, **keywords)
    assert type(caught.value) is error, repr(caught.value)
    return str(caught.value)


def error_cases(value_errors, type_errors):
    """Call a test with each call of two tables, the error that it raises, and its text.

    The tables have a call, or a list of calls, for each text.
    """
    cases = [
        (error, text, call)
        for error, table in ((ValueError, value_errors), (TypeError, type_errors))
        for text, calls in table.items()
        for call in (calls if isinstance(calls, list) else [calls])
    ]
    return pytest.mark.parametrize(("error", "text", "call"), cases)
