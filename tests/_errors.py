"""How tests look at an error."""

import pytest


def said_by(error, function, *arguments, **keywords):
    """Return the message, once it is sure that exactly this type of error was raised."""
    with pytest.raises((TypeError, ValueError)) as caught:
        function(*arguments, **keywords)
    assert type(caught.value) is error, repr(caught.value)
    return str(caught.value)
