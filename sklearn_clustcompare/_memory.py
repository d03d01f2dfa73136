"""Results whose size is the square of the input: refused before they fill the memory."""

from __future__ import annotations

from sklearn import get_config

# Results of several matrices of this many times the working memory of scikit-learn are refused.
_FACTOR = 8


def require_memory(what: str, n_bytes: float, instead: str) -> None:
    """Raise MemoryError if a result needs more than eight times scikit-learn's working memory."""
    limit = _FACTOR * get_config()["working_memory"] * 2.0**20
    if n_bytes > limit:
        msg = (
            f"{what} needs about {n_bytes / 1e9:.3g} GB, more than {limit / 1e9:.3g} GB, eight "
            f"times the working_memory of scikit-learn: {instead}, or raise it with "
            "sklearn.set_config"
        )
        raise MemoryError(msg)
