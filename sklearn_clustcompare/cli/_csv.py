"""Read label files and CSV files; each error names the file, the line and the column.

A cell is text without the blanks around it, and so is a label: ``1`` and ``1.0`` are two names.
NumPy is imported by what makes arrays, so that the help of a command starts without it.
"""

from __future__ import annotations

import csv
import difflib
import gzip
import io
import math
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

# How NumPy, pandas and R write a missing value.
_MISSING = frozenset({"", "nan", "NaN", "NA", "<NA>"})

_N_COLUMNS_SHOWN = 10
_OTHER_DELIMITERS = (";", "\t", "|", ",")


class CsvFile(NamedTuple):
    """The cells of a CSV file by column, and the line of the file where each row starts."""

    path: str
    columns: dict[str, list[str]]
    lines: list[int]

    @property
    def names(self) -> list[str]:
        return list(self.columns)

    @property
    def hint(self) -> str:
        """What to add to a complaint about the columns."""
        return _delimiter_hint(self.names)

    def names_without(self, columns: Iterable[str]) -> list[str]:
        """Return the names of the other columns; those to leave out must be there."""
        left_out = set(columns)
        for column in left_out:
            self._cells(column)
        return [name for name in self.columns if name not in left_out]

    def labels(self, column: str, missing: str = "error") -> NDArray[Any]:
        """Return one column as labels; those that are missing are None, or an error."""
        cells = self._cells(column)
        if missing == "error":
            _reject_missing(cells, self.lines, self.path, f", column {column!r}")
        return _label_array(cells)

    def features(self, columns: Iterable[str]) -> NDArray[Any]:
        """Return columns of finite numbers as an array of shape (n_rows, n_columns)."""
        import numpy as np

        return np.column_stack([self._numbers(column) for column in columns])

    def _numbers(self, column: str) -> list[float]:
        numbers = []
        for cell, line in zip(self._cells(column), self.lines, strict=True):
            number = _as_number(cell)
            if not math.isfinite(number):
                msg = (
                    f"{self.path}, line {line}, column {column!r}: "
                    f"a feature must be a finite number, got {cell!r}; --drop leaves columns out"
                )
                raise ValueError(msg)
            numbers.append(number)
        return numbers

    def _cells(self, column: str) -> list[str]:
        if column in self.columns:
            return self.columns[column]
        close = difflib.get_close_matches(column, self.columns, n=3)
        shown = close or self.names[:_N_COLUMNS_SHOWN]
        more = "" if close or len(shown) == len(self.columns) else ", ..."
        msg = (
            f"{self.path} has no column {column!r}; "
            f"{'the closest' if close else 'its columns'}: {', '.join(map(repr, shown))}{more}"
            f"{self.hint}"
        )
        raise ValueError(msg)


def read_csv(path: str, delimiter: str | None = None) -> CsvFile:
    """Read a CSV file that has a header; ``.gz`` is unpacked."""
    rows, lines = _read_rows(path, delimiter or _usual_delimiter(path))
    if not rows:
        msg = f"{path} must have a header and rows, got an empty file"
        raise ValueError(msg)
    names = rows[0]
    _check_header(path, names)
    if len(rows) == 1:
        msg = f"{path} must have rows below its header, got none"
        raise ValueError(msg)
    for row, line in zip(rows, lines, strict=True):
        if len(row) != len(names):
            msg = (
                f"{path}, line {line}: expected {len(names)} fields as in the header, "
                f"found {len(row)}{_delimiter_hint(names)}"
            )
            raise ValueError(msg)
    columns = zip(*rows[1:], strict=True)
    return CsvFile(path, dict(zip(names, map(list, columns), strict=True)), lines[1:])


def read_labels(path: str, missing: str = "error") -> NDArray[Any]:
    """Read a text file with one label per line; ``.gz`` is unpacked.

    Labels that are missing are None, or an error. Blank lines at the end are no labels.
    """
    if is_csv(path):
        msg = f"{path} must be a text file with one label per line, got a CSV file"
        raise ValueError(msg)
    labels = [line.strip() for line in io.StringIO(_read_text(path), newline=None)]
    while labels and not labels[-1]:
        labels.pop()
    if not labels:
        msg = f"{path} must have one label per line, got an empty file"
        raise ValueError(msg)
    if missing == "error":
        _reject_missing(labels, range(1, len(labels) + 1), path, "")
    for line, label in enumerate(labels, 1):
        if "\t" in label:
            msg = (
                f"{path}, line {line}: must be one label, got fields with a tab between: a file of "
                "columns needs a header, and the name of its column of labels"
            )
            raise ValueError(msg)
    return _label_array(labels)


def is_csv(path: str) -> bool:
    """Tell by its name whether a file has a header and columns, separated by commas or tabs."""
    return path.lower().removesuffix(".gz").endswith((".csv", ".tsv"))


def _usual_delimiter(path: str) -> str:
    return "\t" if path.lower().removesuffix(".gz").endswith(".tsv") else ","


def _read_rows(path: str, delimiter: str) -> tuple[list[list[str]], list[int]]:
    """Return all rows, and the line where each starts, without the blank lines at the end."""
    text = io.StringIO(_read_text(path), newline="")
    reader = csv.reader(text, delimiter=delimiter, strict=True)
    rows, lines = [], []
    line = 1
    try:
        for row in reader:
            rows.append([cell.strip() for cell in row])
            lines.append(line)
            line = reader.line_num + 1
    except csv.Error as error:
        msg = f"{path}, line {line}: not a row of a CSV file ({error})"
        raise ValueError(msg) from None
    while rows and not rows[-1]:
        rows.pop()
        lines.pop()
    return rows, lines


def _read_text(path: str) -> str:
    try:
        data = Path(path).read_bytes()
        if path.lower().endswith(".gz"):
            data = gzip.decompress(data)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        msg = f"{path} must be a gzip file, as its name says ({error})"
        raise ValueError(msg) from None
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror}"
        raise ValueError(msg) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        msg = f"{path}, line {line}: must be UTF-8 text, got byte {data[error.start]:#04x}"
        raise ValueError(msg) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        msg = f"{path}, line {line}: must be UTF-8 text, got byte 0x00"
        raise ValueError(msg)
    return text


def _check_header(path: str, names: list[str]) -> None:
    if not all(names) or not names:
        position = names.index("") + 1 if names else 1
        msg = f"{path}, line 1: every column must have a name, column {position} has none"
        raise ValueError(msg)
    for position, name in enumerate(names):
        first = names.index(name)
        if first != position:
            msg = (
                f"{path}, line 1: column names must differ, "
                f"got {name!r} as columns {first + 1} and {position + 1}"
            )
            raise ValueError(msg)


def _delimiter_hint(names: list[str]) -> str:
    """Tell what seems to stand between the fields where the whole header is one of them."""
    header = "".join(names)
    found = next((text for text in _OTHER_DELIMITERS if text in header), None)
    if len(names) > 1 or found is None:
        return ""
    shown = "\\t" if found == "\t" else found
    return f"; give --delimiter '{shown}' if that separates the fields"


def _reject_missing(labels: list[str], lines: Iterable[int], path: str, where: str) -> None:
    if _MISSING.isdisjoint(labels):
        return
    label, line = next(pair for pair in zip(labels, lines, strict=True) if pair[0] in _MISSING)
    msg = (
        f"{path}, line {line}{where}: a label must not be missing, got {label!r}; compare and "
        "rank leave such objects out with --missing drop"
    )
    raise ValueError(msg)


def _label_array(labels: list[str]) -> NDArray[Any]:
    import numpy as np

    return np.array([None if label in _MISSING else label for label in labels], dtype=object)


def _as_number(cell: str) -> float:
    if "_" in cell:  # 1_000 is a number to Python only
        return math.nan
    try:
        return float(cell)
    except ValueError:
        return math.nan
