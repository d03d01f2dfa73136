"""Read label files and CSV files; each error names the file, the line and the column.

Cells are text without surrounding blanks, and so are labels: ``1`` and ``1.0`` differ. Rows are
read in blocks, and only the requested columns are kept: labels as numbers, with each distinct text
once. NumPy is imported only in functions that make arrays, so that ``--help`` runs without it.
"""

from __future__ import annotations

import csv
import difflib
import io
import itertools
import math
import operator
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from sklearn_clustcompare.cli._text import read_pieces, shown_path

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Missing values as written by NumPy, pandas and R.
_MISSING = frozenset({"", "nan", "NaN", "NA", "<NA>"})

_DROP = "--missing drop of compare and rank leaves such objects out"
_LINE_END = re.compile(r"\r\n|\r|\n")
_N_COLUMNS_SHOWN = 10
_N_ROWS_OF_BLOCK = 1 << 14
_OTHER_DELIMITERS = (";", "\t", "|", ",")


class Columns(NamedTuple):
    """The columns read: labels by name, and features of shape (n_rows, n_features)."""

    labels: dict[str, LabelColumn]
    features: NDArray[Any]


@dataclass(frozen=True, eq=False)
class LabelColumn:
    """A column of labels: row k, on line ``lines[k]``, has the text ``texts[codes[k]]``."""

    codes: NDArray[Any]
    texts: Sequence[str]
    lines: Sequence[int] | NDArray[Any]
    path: str
    name: str | None = None

    def __len__(self) -> int:
        return len(self.codes)

    def labels(self, missing: str = "error", advice: str = _DROP) -> NDArray[Any]:
        """Return the labels as objects; missing ones are None, or an error with advice."""
        import numpy as np

        is_missing = np.array([text in _MISSING for text in self.texts])
        gaps = is_missing[self.codes]
        if missing == "error" and gaps.any():
            row = int(gaps.argmax())
            msg = (
                f"{self.place(row)}: a label must not be missing, got "
                f"{self.texts[self.codes[row]]!r}; {advice}"
            )
            raise ValueError(msg)
        values = np.array(self.texts, dtype=object)
        values[is_missing] = None
        return values[self.codes]

    def place(self, row: int) -> str:
        column = "" if self.name is None else f", column {self.name!r}"
        return f"{self.path}, line {self.lines[row]}{column}"


class CsvFile:
    """A CSV file whose header was read; its rows are read once, by :meth:`read`.

    Files ending in ``.gz`` are decompressed.
    """

    def __init__(self, path: str, delimiter: str | None = None) -> None:
        self.path = shown_path(path)
        lines = itertools.chain.from_iterable(
            io.StringIO(piece, newline="") for piece in read_pieces(path)
        )
        self._reader = csv.reader(lines, delimiter=delimiter or _usual_delimiter(path), strict=True)
        header, _ = self._next_rows(1)
        if not any(header) and not any(self._next_rows(_N_ROWS_OF_BLOCK)[0]):
            msg = f"{self.path} must have a header and rows, got an empty file"
            raise ValueError(msg)
        self.names = [name.strip() for name in header[0]]
        _check_header(self.path, self.names)

    @property
    def hint(self) -> str:
        """The end of an error message about the columns: the delimiter that the header suggests."""
        return _delimiter_hint(self.names)

    def names_without(self, columns: Iterable[str]) -> list[str]:
        """Return the names of the other columns; those to leave out must exist."""
        left_out = set(columns)
        for column in left_out:
            self._position(column)
        return [name for name in self.names if name not in left_out]

    def read(self, labels: Iterable[str] = (), features: Sequence[str] = ()) -> Columns:
        """Read columns of labels and columns of finite numbers."""
        import numpy as np

        codes = {name: _Codes() for name in labels}
        cells_of = {name: operator.itemgetter(self._position(name)) for name in (*codes, *features)}
        numbers: list[NDArray[Any]] = []
        all_lines = []
        for rows, lines in self._blocks():
            all_lines.append(np.array(lines))
            for name, known in codes.items():
                known.add(map(cells_of[name], rows))
            block = [self._numbers(name, map(cells_of[name], rows), lines) for name in features]
            numbers.append(np.array(block).T)
        if not all_lines:
            msg = f"{self.path} must have rows below its header, got none"
            raise ValueError(msg)
        line_of = np.concatenate(all_lines)
        return Columns(
            {
                name: LabelColumn(known.all(), list(known.texts), line_of, self.path, name)
                for name, known in codes.items()
            },
            np.concatenate(numbers),
        )

    def _blocks(self) -> Iterator[tuple[list[list[str]], Sequence[int]]]:
        """Yield rows and the line where each starts, without blank lines at the end."""
        blank = None
        while True:
            rows, lines = self._next_rows(_N_ROWS_OF_BLOCK)
            if not rows:
                return
            n_rows = next((n for n in range(len(rows), 0, -1) if rows[n - 1]), 0)
            if n_rows and blank is not None:
                self._reject_row([], blank)
            if n_rows < len(rows) and blank is None:
                blank = lines[n_rows]
            del rows[n_rows:]
            if set(map(len, rows)) - {len(self.names)}:
                for row, line in zip(rows, lines, strict=False):
                    if len(row) != len(self.names):
                        self._reject_row(row, line)
            if rows:
                yield rows, lines[:n_rows]

    def _next_rows(self, n_rows: int) -> tuple[list[list[str]], Sequence[int]]:
        """Return the next rows, and the line where each starts."""
        start = self._reader.line_num + 1
        rows: list[list[str]] = []
        try:
            for row in itertools.islice(self._reader, n_rows):
                rows.append(row)  # rows before an error are needed
        except csv.Error as error:
            *_, line = _first_lines(rows, start)
            msg = f"{self.path}, line {line}: not a row of a CSV file ({error})"
            raise ValueError(msg) from None
        if self._reader.line_num + 1 - start == len(rows):
            return rows, range(start, start + len(rows))
        return rows, _first_lines(rows, start)[:-1]

    def _reject_row(self, row: list[str], line: int) -> None:
        is_longer = len(row) > len(self.names)
        more = "; fields that contain the delimiter need quotes" if is_longer else ""
        msg = (
            f"{self.path}, line {line}: expected {len(self.names)} fields as in the header, "
            f"found {len(row)}{self.hint or more}"
        )
        raise ValueError(msg)

    def _numbers(self, column: str, cells: Iterable[str], lines: Iterable[int]) -> list[float]:
        numbers = []
        for cell, line in zip(cells, lines, strict=True):
            number = _as_number(cell)
            if not math.isfinite(number):
                msg = (
                    f"{self.path}, line {line}, column {column!r}: a feature must be a finite "
                    f"number, got {cell.strip()!r}; --drop leaves columns out"
                )
                raise ValueError(msg)
            numbers.append(number)
        return numbers

    def _position(self, column: str) -> int:
        if column in self.names:
            return self.names.index(column)
        close = difflib.get_close_matches(column, self.names, n=3)
        shown = close or self.names[:_N_COLUMNS_SHOWN]
        more = "" if close or len(shown) == len(self.names) else ", ..."
        msg = (
            f"{self.path} has no column {column!r}; "
            f"{'the closest' if close else 'its columns'}: {', '.join(map(repr, shown))}{more}"
            f"{self.hint}"
        )
        raise ValueError(msg)


class _Codes(dict[str, int]):
    """The numbers of the cells of a column: one for each text, without surrounding blanks."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}
        self._parts: list[NDArray[Any]] = []

    def __missing__(self, cell: str) -> int:
        code = self[cell] = self.texts.setdefault(cell.strip(), len(self.texts))
        return code

    def add(self, cells: Iterable[str]) -> None:
        import numpy as np

        self._parts.append(np.fromiter(map(self.__getitem__, cells), dtype=np.int32))

    def all(self) -> NDArray[Any]:
        import numpy as np

        return np.concatenate([*self._parts, np.empty(0, np.int32)])


def read_labels(path: str) -> LabelColumn:
    """Read a text file with one label per line; Files ending in ``.gz`` are decompressed.

    Blank lines at the end are ignored.
    """
    import numpy as np

    shown = shown_path(path)
    if is_csv(path):
        msg = f"{shown} must be a text file with one label per line, got a CSV file"
        raise ValueError(msg)
    known = _Codes()
    for piece in read_pieces(path):
        known.add(io.StringIO(piece, newline=None))
    codes = known.all()
    filled = np.flatnonzero(codes != known.texts.get("", -1))
    if not filled.size:
        msg = f"{shown} must have one label per line, got an empty file"
        raise ValueError(msg)
    column = LabelColumn(
        codes[: filled[-1] + 1], list(known.texts), range(1, len(codes) + 1), shown
    )
    for text, code in known.texts.items():
        if "\t" in text:
            msg = (
                f"{column.place(int((codes == code).argmax()))}: must be one label, got fields "
                "with a tab between; to read a column of a file with a header, name the column"
            )
            raise ValueError(msg)
    return column


def is_csv(path: str) -> bool:
    """Return whether the name of a file is that of a CSV or TSV file."""
    return path.lower().removesuffix(".gz").endswith((".csv", ".tsv"))


def _usual_delimiter(path: str) -> str:
    return "\t" if path.lower().removesuffix(".gz").endswith(".tsv") else ","


def _first_lines(rows: Iterable[Iterable[str]], start: int) -> list[int]:
    """Return the line where each row starts, and the line behind the last one."""
    heights = (1 + sum(len(_LINE_END.findall(cell)) for cell in row) for row in rows)
    return list(itertools.accumulate(heights, initial=start))


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
    """Suggest the delimiter if the whole header was read as one field."""
    header = "".join(names)
    found = next((text for text in _OTHER_DELIMITERS if text in header), None)
    if len(names) > 1 or found is None:
        return ""
    shown = "\\t" if found == "\t" else found
    return f"; give --delimiter '{shown}' if that separates the fields"


def _as_number(cell: str) -> float:
    if "_" in cell:  # 1_000 is a number in Python only
        return math.nan
    try:
        return float(cell)
    except ValueError:
        return math.nan
