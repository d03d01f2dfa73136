"""Ticks of clusters: as many as there is room for, whenever the picture is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.ticker import FixedLocator


class RoomyLocator(FixedLocator):
    """Ticks at the first of given places, and at each further one that is not too close to them.

    The distance is in inches; ``frame`` holds the axes, of which a secondary axis has none.
    """

    def __init__(self, places: Any, inches: float, frame: Any) -> None:
        super().__init__(places)
        self.inches = inches
        self.frame = frame

    axis: Any
    locs: Any

    def __call__(self) -> Any:
        extent = self.frame.get_window_extent()
        pixels = extent.width if self.axis.axis_name == "x" else extent.height
        low, high = sorted(self.axis.get_view_interval())
        gap = self.inches * self.frame.figure.dpi * (high - low) / max(pixels, 1.0) * (1 - 1e-9)
        kept: list[float] = []
        for place in self.locs:
            if not kept or np.abs(np.subtract(kept, place)).min() >= gap:
                kept.append(place)
        return np.array(kept)
