"""Read label files and CSV files; each error names the file, the line and the column.

Cells are text without surrounding blanks, and so are labels: ``1`` and ``1.0`` differ. A first
column without a name is the index, as pandas and R write it: neither labels nor features unless an
option names it. Rows are read in blocks, and only the requested columns are kept: labels as
numbers, with each distinct text once. NumPy is imported only in functions that make arrays, so that
``--help`` runs without it.
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

from sklearn_clustcompare.cli._console import say
from sklearn_clustcompare.cli._text import frame_pieces, is_frame, read_pieces, shown_path

if TYPE_CHECKING:
    from numpy.typing import NDArray

# What pandas.read_csv takes for missing values by default.
_MISSING = frozenset(
    [
        "",
        "#N/A",
        "#N/A N/A",
        "#NA",
        "-1.#IND",
        "-1.#QNAN",
        "-NaN",
        "-nan",
        "1.#IND",
        "1.#QNAN",
        "<NA>",
        "N/A",
        "NA",
        "NULL",
        "NaN",
        "None",
        "n/a",
        "nan",
        "null",
    ]
)
# How an option may name the column without a name: pandas calls it by the last one.
_INDEX_NAMES = ("index", "", "Unnamed: 0")

_DROP = "--missing drop of compare and rank leaves such objects out"
_LINE_END = re.compile(r"\r\n|\r|\n")
_N_COLUMNS_SHOWN = 10
_N_ROWS_OF_BLOCK = 1 << 14
_DELIMITERS = (";", "\t", "|", ",", " ")
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+([eE][+-]?\d+)?\s*")
_WHOLE_NUMBER = re.compile(r"([+-]?\d+)(\.0*)?")
# A quoted field and the delimiter behind it, or a tab, where there should be one label.
_FIELDS = re.compile(r'^"[^"]*"[ ,;]|\t')


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

    def all_differ(self) -> bool:
        """Return whether there are several labels and all of them differ, as those of ids do."""
        return 1 < len(self) == len(self.texts) and _MISSING.isdisjoint(self.texts)

    def warn_of_equal_numbers(self) -> None:
        """Warn if one number is written in two ways, as in files that were joined."""
        seen: dict[str, str] = {}
        for text in self.texts:
            match = _WHOLE_NUMBER.fullmatch(text)
            if match and seen.setdefault(match[1], text) != text:
                row = int((self.codes == self.texts.index(text)).argmax())
                say(
                    f"warning: {self.place(row)}: {text!r} and {seen[match[1]]!r} count as two "
                    "clusters, as labels are text"
                )
                return

    def place(self, row: int) -> str:
        column = "" if self.name is None else f", column {self.name!r}"
        return f"{self.path}, line {self.lines[row]}{column}"


class CsvFile:
    """A CSV file whose header was read; its rows are read once, by :meth:`read`.

    Files ending in ``.gz`` are decompressed. ``names`` are those of the columns but the index.
    """

    def __init__(self, path: str, delimiter: str | None = None) -> None:
        self.path = shown_path(path)
        pieces = frame_pieces(path) if is_frame(path) else read_pieces(path)
        lines = itertools.chain.from_iterable(io.StringIO(piece, newline="") for piece in pieces)
        self._delimiter = delimiter if delimiter and not is_frame(path) else _usual_delimiter(path)
        self._reader = csv.reader(lines, delimiter=self._delimiter, strict=True)
        header, _ = self._next_rows(1)
        first, _ = self._first_block = self._next_rows(1)
        if not any(header) and not any([*first, *self._next_rows(_N_ROWS_OF_BLOCK)[0]]):
            msg = f"{self.path} must have a header and rows, got an empty file"
            raise ValueError(msg)
        self.names = self._header = [name.strip() for name in header[0]]
        # R names no column of the names of rows; they all differ, which is checked on reading.
        self._has_row_names = (
            bool(
                self.names
                and first
                and len(first[0]) == len(self.names) + 1
                and first[0][-1].strip()
            )
            and not self.hint
        )
        if self._has_row_names:
            self._header = ["", *self.names]
        if len(self._header) > 1 and not self._header[0]:
            self.names = self._header[1:]
        _check_header(self.path, self.names, len(self._header) - len(self.names))

    @property
    def hint(self) -> str:
        """The end of an error message about the columns: the delimiter that the header suggests."""
        return _delimiter_hint(self._header, self._delimiter)

    def names_without(self, columns: Iterable[str]) -> list[str]:
        """Return the names of the other columns; those to leave out must exist."""
        left_out = set(columns)
        for column in left_out:
            self._position(column)
        return [name for name in self.names if name not in left_out]

    def read(self, labels: Iterable[str] = (), features: Sequence[str] = ()) -> Columns:
        """Read columns of labels and columns of finite numbers."""
        import numpy as np

        row_names = [""] if self._has_row_names else []
        codes = {name: _Codes() for name in (*labels, *row_names)}
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
        columns = {
            name: LabelColumn(known.all(), list(known.texts), line_of, self.path, name)
            for name, known in codes.items()
        }
        if self._has_row_names and len(columns[""].texts) < len(line_of):
            self._reject_row([*self.names, ""], self._first_block[1][0], len(self.names))
        for column in columns.values():
            column.warn_of_equal_numbers()
        return Columns(columns, np.concatenate(numbers))

    def _blocks(self) -> Iterator[tuple[list[list[str]], Sequence[int]]]:
        """Yield rows and the line where each starts, without blank lines at the end."""
        blank = None
        blocks = iter(lambda: self._next_rows(_N_ROWS_OF_BLOCK), None)
        for rows, lines in itertools.chain([self._first_block], blocks):
            if not rows:
                return
            n_rows = next((n for n in range(len(rows), 0, -1) if rows[n - 1]), 0)
            if n_rows and blank is not None:
                self._reject_row([], blank)
            if n_rows < len(rows) and blank is None:
                blank = lines[n_rows]
            del rows[n_rows:]
            if set(map(len, rows)) - {len(self._header)}:
                for row, line in zip(rows, lines, strict=False):
                    if len(row) != len(self._header):
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
            hint = "; --delimiter names another separator of the fields" if line == 1 else ""
            msg = f"{self.path}, line {line}: not a row of a CSV file ({error}){hint}"
            raise ValueError(msg) from None
        if self._reader.line_num + 1 - start == len(rows):
            return rows, range(start, start + len(rows))
        return rows, _first_lines(rows, start)[:-1]

    def _reject_row(self, row: list[str], line: int, n_fields: int | None = None) -> None:
        n_fields = n_fields or len(self._header)
        where = "header" if n_fields == len(self.names) or not self._has_row_names else "first row"
        more = "; fields that contain the delimiter need quotes" if len(row) > n_fields else ""
        msg = (
            f"{self.path}, line {line}: expected {n_fields} fields as in the {where}, "
            f"found {len(row)}{self.hint or more}"
        )
        raise ValueError(msg)

    def _numbers(self, column: str, cells: Iterable[str], lines: Iterable[int]) -> list[float]:
        numbers = []
        for cell, line in zip(cells, lines, strict=True):
            number = _as_number(cell)
            if not math.isfinite(number):
                comma = _DECIMAL_COMMA.fullmatch(cell)
                msg = (
                    f"{self.path}, line {line}, column {column!r}: a feature must be a finite "
                    f"number, got {cell.strip()!r}"
                    f"{', with a decimal comma instead of a point' if comma else ''}; "
                    "--drop leaves columns out"
                )
                raise ValueError(msg)
            numbers.append(number)
        return numbers

    def _position(self, column: str) -> int:
        if column in self.names:
            return self._header.index(column)
        if column in _INDEX_NAMES and not self._header[0]:
            return 0
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
    if is_table(path):
        msg = f"{shown} must be a text file with one label per line, got a CSV file or a frame"
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
        if _FIELDS.search(text) or (code == 1 and _are_numbered(column)):
            between = "a tab" if "\t" in text else "a space or a comma"
            msg = (
                f"{column.place(int((codes == code).argmax()))}: must be one label, got fields "
                f"with {between} between; to read a column of a file with a header, name the "
                "column, and its --delimiter"
            )
            raise ValueError(msg)
    column.warn_of_equal_numbers()
    return column


def _are_numbered(column: LabelColumn) -> bool:
    """Return whether the number of its row stands before each label, as R writes a vector."""
    texts = [*filter(None, column.texts)]
    return len(texts) == len(column) and any(
        all(text.startswith(f"{row} ") for row, text in enumerate(rows, 1))
        for rows in (texts, texts[1:])
    )


def is_table(path: str) -> bool:
    """Return whether the name of a file is that of one with named columns."""
    return is_frame(path) or path.lower().removesuffix(".gz").endswith((".csv", ".tsv"))


def _usual_delimiter(path: str) -> str:
    return "\t" if path.lower().removesuffix(".gz").endswith(".tsv") else ","


def _first_lines(rows: Iterable[Iterable[str]], start: int) -> list[int]:
    """Return the line where each row starts, and the line behind the last one."""
    heights = (1 + sum(len(_LINE_END.findall(cell)) for cell in row) for row in rows)
    return list(itertools.accumulate(heights, initial=start))


def _check_header(path: str, names: list[str], n_before: int) -> None:
    """Raise ValueError unless columns have names that differ; ``n_before`` is that of an index."""
    if not all(names) or not names:
        position = n_before + (names.index("") if names else 0) + 1
        msg = f"{path}, line 1: every column must have a name, column {position} has none"
        raise ValueError(msg)
    for position, name in enumerate(names):
        first = names.index(name)
        if first != position:
            msg = (
                f"{path}, line 1: column names must differ, got {name!r} as columns "
                f"{n_before + first + 1} and {n_before + position + 1}"
            )
            raise ValueError(msg)


def _delimiter_hint(names: list[str], delimiter: str) -> str:
    """Suggest the delimiter if the whole header was read as one field."""
    header = "".join(names)
    found = next((text for text in _DELIMITERS if text in header and text != delimiter), None)
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
