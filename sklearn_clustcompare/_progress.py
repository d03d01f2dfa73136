"""Progress of long calls, for those who ask for it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")

# Seconds between two lines of plain text.
_INTERVAL = 2.0


def progress(
    items: Iterable[T], *, verbose: Any, description: str, total: int | None = None
) -> Iterator[T]:
    """Pass items on; with ``verbose`` tell on stderr how many of ``total`` there were."""
    if not verbose:
        return iter(items)
    try:
        from tqdm import tqdm
    except ImportError:
        return _plain(items, description, total)
    return iter(tqdm(items, desc=description, total=total))


def _plain(items: Iterable[T], description: str, total: int | None) -> Iterator[T]:
    n_items, told = 0, time.monotonic()
    for item in items:
        yield item
        n_items += 1
        if time.monotonic() - told >= _INTERVAL:
            _tell(description, n_items, total)
            told = time.monotonic()
    _tell(description, n_items, total)


def _tell(description: str, n_items: int, total: int | None) -> None:
    of = "" if total is None else f" of {total}"
    print(f"{description}: {n_items}{of}", file=sys.stderr, flush=True)
