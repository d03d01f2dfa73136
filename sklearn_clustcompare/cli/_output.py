"""Output of the commands: aligned tables, JSON, CSV files."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sklearn_clustcompare._files import write_file
from sklearn_clustcompare._rendering import number_texts, text_table

if TYPE_CHECKING:
    from sklearn_clustcompare import Index

N_DECIMALS = 4


def table_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Align rows in columns; the numbers of a column have at least four decimals."""
    columns = [[row[name] for row in rows] for name in rows[0]]
    return text_table(list(rows[0]), list(zip(*map(_cell_texts, columns), strict=True)))


def _cell_texts(column: Sequence[Any]) -> list[str]:
    if any(isinstance(value, float) for value in column):
        return number_texts(column, N_DECIMALS)
    return ["-" if value is None else str(value) for value in column]


def direction(index: Index) -> str:
    return "higher" if index.greater_is_better else "lower"


def json_text(data: Any) -> str:
    return json.dumps(_plain(data), indent=2, allow_nan=False)


def _plain(data: Any) -> Any:
    """Replace infinite bounds and undefined scores, which JSON cannot represent, by null."""
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return data


def put(text: str, output: Path | None, rows: Sequence[Mapping[str, Any]]) -> None:
    """Print the result, then write its rows to a CSV file if one is given.

    Results that took long are printed before writing the file can fail, and are in the file even if
    the reader of the output closed it.
    """
    try:
        print(text, flush=True)
    finally:
        if output:
            stream = io.StringIO()
            writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
            write_file(output, stream.getvalue(), str(output))
