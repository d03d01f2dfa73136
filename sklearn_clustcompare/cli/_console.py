"""Lines on stderr."""

from __future__ import annotations

import sys
from typing import TextIO

from sklearn_clustcompare._options import shortened_text
from sklearn_clustcompare._rendering import printable

PROGRAM = "clustcompare"

_LONGEST = 2_000  # characters of a line


def say(text: str) -> None:
    """Write one line to stderr."""
    line = shortened_text(printable(" ".join(text.split())), _LONGEST)
    print(f"{PROGRAM}: {line}", file=sys.stderr, flush=True)


def print_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    say(f"warning: {message}")
