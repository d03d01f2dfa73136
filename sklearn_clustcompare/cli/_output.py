"""What the commands print and write: aligned tables, JSON, CSV files."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sklearn_clustcompare import Index


def table_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Lay out rows in aligned columns: numbers to the right, text to the left."""
    columns = []
    for name, first in rows[0].items():
        cells = [name, *(cell_text(row[name]) for row in rows)]
        width = max(map(len, cells))
        adjust = str.ljust if isinstance(first, str) else str.rjust
        columns.append([adjust(cell, width) for cell in cells])
    return "\n".join("  ".join(line).rstrip() for line in zip(*columns, strict=True))


def cell_text(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.6f}" if abs(value) < 1e6 else f"{value:.10g}"
    return str(value)


def direction(index: Index) -> str:
    return "higher" if index.greater_is_better else "lower"


def json_text(data: Any) -> str:
    return json.dumps(_plain(data), indent=2, allow_nan=False)


def _plain(data: Any) -> Any:
    """Replace what JSON cannot write: infinite bounds become null."""
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    if isinstance(data, float) and math.isinf(data):
        return None
    return data


def write_csv(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
