"""Pictures of the experiments, in the colors of the package; without matplotlib there are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sklearn_clustcompare.plot._display import CYCLE, GRAY

__all__ = ["CYCLE", "GRAY", "import_pyplot", "save"]


def import_pyplot() -> Any | None:
    """Return pyplot, drawing on no screen; where it is not installed, say so and return None."""
    try:
        import matplotlib as mpl
    except ImportError:
        print("matplotlib is not installed: tables only")
        return None
    mpl.use("Agg")
    from matplotlib import pyplot

    pyplot.rcParams["axes.prop_cycle"] = pyplot.cycler(color=(*CYCLE, GRAY))
    return pyplot


def save(figure: Any, folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.png"
    figure.savefig(path, dpi=120)
    print(f"  plot:  {path}", flush=True)
