"""Words that parameters accept; without NumPy, for the help of the command line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

NOISE_TREATMENTS = ("cluster", "singletons", "drop")
MISSING_TREATMENTS = ("error", "drop", "cluster")


def options_text(options: Iterable[Any], got: Any) -> str:
    """List the options, the closest ones first if the value looks like a typing error."""
    names = [str(option) for option in options]
    close = difflib.get_close_matches(str(got), names, n=3)
    hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
    return f"{', '.join(repr(option) for option in options)}; got {got!r}{hint}"
