"""The option ``--picture``: write a picture of the result to a file."""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sklearn_clustcompare.cli._arguments import output_file

_FORMATS = (".png", ".pdf", ".svg")


def add_picture_option(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument(
        "--picture",
        type=_picture_file,
        metavar="FILE",
        help=f"also draw {what}; the name ends in .png, .pdf or .svg (needs Matplotlib)",
    )


def draw(path: Path | None, make: Callable[[], Any]) -> None:
    """Make a Display, which draws it, and save its figure; do nothing if there is no path."""
    if path is None:
        return
    from matplotlib import pyplot

    pyplot.switch_backend("agg")  # without a window, on any machine
    figure = make().figure_
    try:
        figure.savefig(path)
    except OSError as error:
        msg = f"{path} cannot be written: {error.strerror}"
        raise ValueError(msg) from error
    finally:
        pyplot.close(figure)


def _picture_file(text: str) -> Path:
    path = output_file(text)
    if path.suffix.lower() not in _FORMATS:
        msg = f"must be a file whose name ends with {', '.join(_FORMATS)}, got {text!r}"
        raise argparse.ArgumentTypeError(msg)
    if importlib.util.find_spec("matplotlib") is None:  # before a long search
        msg = "needs Matplotlib, which is not installed: pip install matplotlib"
        raise argparse.ArgumentTypeError(msg)
    return path
