"""pandas, where it is installed."""

from __future__ import annotations

from typing import Any
from unittest import SkipTest


def import_pandas() -> Any:
    """Return pandas; without it the check is skipped."""
    try:
        import pandas as pd
    except ImportError:
        msg = "pandas is not installed"
        raise SkipTest(msg) from None
    return pd
