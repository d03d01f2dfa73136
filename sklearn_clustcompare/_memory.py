"""Results whose size is the square of the input: refused before they fill the memory.

Work of as many steps is announced.
"""

from __future__ import annotations

import warnings

# Results of several matrices of this many times the working memory of scikit-learn are refused.
_FACTOR = 8


# Seconds of work that are announced.
_LONG = 10.0


def is_long(seconds: float) -> bool:
    """Return whether work is said before it begins: more than ten seconds on one core."""
    return seconds > _LONG


def time_text(seconds: float) -> str:
    """Return a time in seconds, or in minutes from three on."""
    return f"{seconds:.0f} s" if seconds < 180 else f"{seconds / 60:.0f} min"


def warn_if_long(what: str, seconds: float, instead: str) -> None:
    """Warn before work that may take long."""
    if is_long(seconds):
        about = f"{what} may take about {time_text(seconds)}: {instead}"
        warnings.warn(about, UserWarning, stacklevel=3)


def require_memory(what: str, n_bytes: float, instead: str) -> None:
    """Raise MemoryError if a result needs more than eight times scikit-learn's working memory."""
    from sklearn import get_config

    limit = _FACTOR * get_config()["working_memory"] * 2.0**20
    if n_bytes > limit:
        msg = (
            f"{what} needs about {n_bytes / 1e9:.3g} GB, more than {limit / 1e9:.3g} GB, eight "
            f"times the working_memory of scikit-learn: {instead}, or raise it with "
            "sklearn.set_config"
        )
        raise MemoryError(msg)
