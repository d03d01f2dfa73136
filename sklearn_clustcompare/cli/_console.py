"""Lines on stderr."""

from __future__ import annotations

import sys
from typing import TextIO

PROGRAM = "clustcompare"


def say(text: str) -> None:
    """Write one line to stderr."""
    print(f"{PROGRAM}: {' '.join(text.split())}", file=sys.stderr, flush=True)


def print_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    say(f"warning: {message}")
