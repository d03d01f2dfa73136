"""What all Displays have in common."""

from __future__ import annotations

from typing import Any


class Display:
    """A picture of a result, which shows as its name and title where it is the value of a cell."""

    ax_: Any

    def __repr__(self) -> str:
        ax: Any = getattr(self, "ax_", None)
        title = ax.get_title() if hasattr(ax, "get_title") else ""
        return f"{type(self).__name__}{': ' if title else ''}{' '.join(title.split())}"
