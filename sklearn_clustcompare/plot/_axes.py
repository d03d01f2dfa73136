"""What all displays share: axes, colours, and labels of clusters that stay readable."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Of Okabe and Ito's palette, which is told apart with any colour vision.
BLUE, ORANGE, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SKY, YELLOW, BLACK, GREY = "#56B4E9", "#E69F00", "#000000", "#8C8C8C"
CYCLE = (BLUE, ORANGE, GREEN, PURPLE, SKY, YELLOW, BLACK)

# Small values light, large ones dark, and no value white.
COLORMAP = "cividis_r"

_MAX_TEXT = 14
_FONT_SIZE = 9
_LINE_INCHES = 0.17
_CHARACTER_INCHES = 0.095
_SHRINKAGE = 0.85


def import_pyplot(display: Any) -> Any:
    """Return the module, or say for which display it is needed."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        msg = (
            f"{type(display).__name__}.plot needs Matplotlib, which is not installed: "
            "pip install matplotlib"
        )
        raise ImportError(msg) from error
    return pyplot


def new_axes(ax: Any, display: Any, figsize: tuple[float, float]) -> Any:
    """Return the axes given, or those of a new figure; note them on the display."""
    pyplot = import_pyplot(display)
    if ax is None:
        _, ax = pyplot.subplots(figsize=figsize, layout="constrained")
    display.ax_, display.figure_ = ax, ax.figure
    return ax


def shorten(label: Any, width: int = _MAX_TEXT) -> str:
    """Write a label in one line, without its middle where it is too long."""
    text = " ".join(str(label).split())
    if len(text) > width:
        # Names of many clusters mostly differ at their ends.
        tail = (width - 1) * 2 // 3
        text = f"{text[: width - 1 - tail]}\N{HORIZONTAL ELLIPSIS}{text[-tail:]}"
    return text.replace("$", r"\$")  # two of them would enclose a formula


def label_clusters(axis: Any, positions: ArrayLike, labels: Sequence[Any]) -> None:
    """Put labels on an axis, as many as fit, turned and cut where they are long."""
    ax = axis.axes
    places = np.asarray(positions, dtype=np.float64)
    texts = [shorten(label) for label in labels]
    extent = ax.get_window_extent()
    is_x = axis.axis_name == "x"
    pixels = extent.width if is_x else extent.height
    if ax.get_aspect() != "auto":
        # The layout, which comes later, shrinks both sides for the labels of one.
        pixels = _SHRINKAGE * min(extent.width, extent.height)
    inches = pixels / ax.figure.dpi
    low, high = sorted(axis.get_view_interval())
    per_inch = (high - low) / inches
    longest = max(map(len, texts), default=0)
    narrowest = np.diff(np.sort(places)).min(initial=math.inf)
    turned = is_x and longest * _CHARACTER_INCHES * per_inch > narrowest
    kept = _spaced(places, _LINE_INCHES * per_inch)
    axis.set_ticks(places[kept], [texts[position] for position in kept])
    ax.tick_params(
        axis=axis.axis_name,
        labelsize=_FONT_SIZE,
        length=2,
        **({"rotation": 90} if turned else {}),
    )


def _spaced(places: NDArray[np.float64], gap: float) -> list[int]:
    """Choose places from left to right, no two of them closer than the gap."""
    kept: list[int] = []
    last = -math.inf
    for position in np.argsort(places, kind="stable").tolist():
        if places[position] - last >= gap * (1 - 1e-9):
            kept.append(position)
            last = places[position]
    return kept


def draw_colorbar(image: Any, label: str) -> None:
    """Add a bar as high as the axes, which the layout would not make for images."""
    ax = image.axes
    ax.figure.colorbar(image, cax=ax.inset_axes((1.03, 0, 0.045, 1)), label=label)


def draw_band(
    ax: Any,
    x: NDArray[Any],
    mean: NDArray[np.float64],
    deviation: NDArray[np.float64],
    **style: Any,
) -> Any:
    """Shade two standard deviations on either side of a mean; a single point gets a width."""
    low, high = mean - 2 * deviation, mean + 2 * deviation
    if len(x) == 1:
        x, low, high = np.array([x[0] - 0.25, x[0] + 0.25]), low.repeat(2), high.repeat(2)
    return ax.fill_between(x, low, high, **style)


def plain(values: Iterable[Any]) -> list[Any]:
    """Return labels as Python values, for texts without NumPy's types."""
    return np.asarray(values).tolist()
