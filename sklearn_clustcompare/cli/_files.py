"""What the commands read and write: label files, CSV files and data; lines, tables and pictures.

Cells are text without surrounding blanks, and so are labels: ``1`` and ``1.0`` differ. A first
column without a name is the index, as pandas and R write it: neither labels nor features unless an
option names it. Only the requested columns are kept: labels as numbers, with each distinct text
once. Errors name the file, the line and the column. NumPy is imported only in functions that make
arrays, so that ``--help`` runs without it.
"""

from __future__ import annotations

import csv
import difflib
import errno
import fnmatch
import gzip
import io
import itertools
import json
import math
import re
import sys
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, cast

from sklearn_clustcompare._files import write_file
from sklearn_clustcompare._options import options_text, shortened_text
from sklearn_clustcompare._rendering import number_texts, printable, text_table

if TYPE_CHECKING:
    import argparse

    from sklearn_clustcompare._array_types import Array
    from sklearn_clustcompare.cli._parser import Threshold
    from sklearn_clustcompare.indices import Index

PROGRAM = "clustcompare"
N_DECIMALS = 4

_LONGEST = 2_000  # characters of a line
_MOST_DECIMALS = 17


def say(text: str) -> None:
    """Write one line to stderr."""
    line = shortened_text(printable(" ".join(text.split())), _LONGEST)
    print(f"{PROGRAM}: {line}", file=sys.stderr)


def write_out(text: str, end: str = "\n", file: Any = None) -> None:
    """Write to stdout, or another stream; raise ValueError if it cannot be written."""
    try:
        print(text, end=end, file=file, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        fail(f"the output cannot be written: {error.strerror}")


def fail(message: str) -> NoReturn:
    """End the command: the message is all that is told of an error."""
    raise ValueError(message) from None


def print_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    say(f"warning: {message}")


# --------------------------------------------------------------------------- tables and files


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


def finish(
    arguments: argparse.Namespace,
    result: Any,
    text: str,
    verdicts: Sequence[Verdict] = (),
    *,
    failures: Iterable[str] = (),
    rows: Sequence[Mapping[str, Any]] = (),
    picture: Callable[[], Any] | None = None,
) -> int:
    """Print the result, or its text unless JSON is asked for, write and draw it; say what failed.

    ``rows`` are those of the CSV file to write; without them the text is written. Results that took
    long are printed before writing a file can fail, and are in the file even if the reader of the
    output closed it. Return the exit status.
    """
    given = vars(arguments)
    output = given.get("output")
    if given["json"] or given.get("report") == "json":
        text = json_text(result | _as_dict(verdicts) if verdicts else result)
    if output and not rows:
        write_file(output, f"{text}\n".encode(), str(output))
    else:
        try:
            write_out(text)
        finally:
            if output:
                _write_rows(output, rows)
    if picture and given["picture"]:
        draw(given["picture"], picture)
    failed = [*failures, *failures_of(verdicts)]
    for failure in failed:
        say(f"failed: {failure}")
    return 1 if failed else 0


def _write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_file(path, stream.getvalue().encode(), str(path))


def draw(path: Path, make: Callable[[], Any]) -> None:
    """Make a Display, which draws it, and save its figure."""
    from matplotlib import pyplot

    pyplot.switch_backend("agg")  # without a window, on any machine
    figure, stream = make().figure_, io.BytesIO()
    try:
        figure.savefig(stream, format=path.suffix[1:])
    finally:
        pyplot.close(figure)
    write_file(path, stream.getvalue(), str(path))


# --------------------------------------------------------------------------- limits of scores


class Verdict(NamedTuple):
    """The result of checking a threshold; the candidate is named if there are several."""

    threshold: Threshold
    value: float
    candidate: str | None = None

    @property
    def passed(self) -> bool:
        """Whether the value keeps the limit; NaN does not."""
        return self.threshold.chosen.keeps(self.value, self.threshold.limit)


def judge(
    scores: Mapping[str, Mapping[str, float]], thresholds: Iterable[Threshold]
) -> list[Verdict]:
    """Check the scores of each candidate by their titles."""
    return [
        Verdict(one, values[one.chosen.name], name if len(scores) > 1 else None)
        for name, values in scores.items()
        for one in thresholds
    ]


def _as_dict(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return the verdicts for JSON."""
    listed = [
        ({} if one.candidate is None else {"candidate": one.candidate})
        | {"index": one.threshold.chosen.name, "value": one.value}
        | {"threshold": one.threshold.limit, "passed": one.passed}
        for one in verdicts
    ]
    return {"thresholds": listed, "passed": all(one.passed for one in verdicts)}


def failures_of(verdicts: Iterable[Verdict]) -> Iterator[str]:
    """Yield in words which thresholds are missed."""
    for one in verdicts:
        if not one.passed:
            value, limit = _texts(one.value, one.threshold.limit)
            side = "below" if one.threshold.chosen.index.greater_is_better else "above"
            how = "undefined, required is" if math.isnan(one.value) else f"{value}, {side}"
            of = "" if one.candidate is None else f" of {one.candidate!r}"
            yield f"{one.threshold.chosen.name}{of} is {how} {limit}"


def _texts(value: float, limit: float) -> tuple[str, str]:
    """Write a value as tables do, with more digits if they do not separate it from the limit."""
    for n_decimals in range(N_DECIMALS, _MOST_DECIMALS):
        (text,) = number_texts([value], n_decimals)
        if not math.isfinite(value) or (float(text) - limit) * (value - limit) > 0:
            return text, repr(limit)
    return repr(value), repr(limit)


STANDARD_INPUT = "-"
TOY_SETS = ("iris", "wine", "digits", "breast_cancer")

_AS_TEXT: dict[str, Any] = {"encoding": "utf-8", "errors": "surrogateescape", "newline": ""}
_BYTE_ORDER_MARK = "\ufeff"
# What no text has: zero bytes, and bytes that are not UTF-8.
_NO_TEXT = re.compile("[\0\udc80-\udcff]")
# Endings of files that pandas reads, and the names of its functions.
_FRAME_READERS = {".parquet": "read_parquet", ".feather": "read_feather"}
# What pandas.read_csv takes for missing values by default.
_MISSING = frozenset(
    ["", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"]
    + ["<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"]
)
# How an option may name the column without a name: pandas calls it by the last one.
_INDEX_NAMES = ("index", "", "Unnamed: 0")
_DROP = "--missing drop of compare and rank leaves such objects out"
_N_COLUMNS_SHOWN = 10
_DELIMITERS = (";", "\t", "|", ",", " ")
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+([eE][+-]?\d+)?\s*")
_WHOLE_NUMBER = re.compile(r"([+-]?\d+)(\.0*)?")
# A quoted field and the delimiter behind it, or a tab, where there should be one label.
_FIELDS = re.compile(r'^"[^"]*"[ ,;]|\t')
# Least ratio of the widest to the narrowest feature for which a note is printed.
_MANY_TIMES = 100


def shown_path(path: str) -> str:
    """Return the name of a file for messages."""
    return "standard input" if path == STANDARD_INPUT else path


def is_table(path: str) -> bool:
    """Return whether the name of a file is that of one with named columns."""
    return _is_frame(path) or path.lower().removesuffix(".gz").endswith((".csv", ".tsv"))


# --------------------------------------------------------------------------- text


def _lines(path: str) -> Iterator[str]:
    """Yield the lines of a file, decompressed if it ends in ``.gz``; standard input is read once.

    A byte that is not UTF-8 becomes a character of its own, which :meth:`LabelColumn.check` knows:
    columns that are not asked for may have another encoding.
    """
    shown = shown_path(path)
    try:
        with _open(path) as stream:
            yield next(stream, "").removeprefix(_BYTE_ORDER_MARK)
            yield from stream
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        fail(f"{shown} must be a gzip file, as its name suggests ({error})")
    except OSError as error:
        fail(f"{shown} cannot be read: {error.strerror}")


def _check_text(place: str, text: str) -> None:
    """Raise ValueError for a byte that is not UTF-8, or zero."""
    if found := _NO_TEXT.search(text):
        byte = f"{ord(found[0]) % 256:#04x}"
        fail(f"{place}: must be UTF-8 text, got byte {byte}; save the file in this encoding")


def _open(path: str) -> Any:
    if _is_frame(path):
        return nullcontext(io.StringIO(_frame_text(path)))
    if path == STANDARD_INPUT:
        if sys.stdin is None:
            raise OSError(errno.EBADF, "it is closed")
        cast("io.TextIOWrapper", sys.stdin).reconfigure(**_AS_TEXT)
        return nullcontext(sys.stdin)
    if path.lower().endswith(".gz"):
        return gzip.open(path, "rt", **_AS_TEXT)
    return open(path, **_AS_TEXT)


def _is_frame(path: str) -> bool:
    """Return whether the name of a file is that of a frame that pandas reads."""
    return Path(path).suffix.lower() in _FRAME_READERS


def _frame_text(path: str) -> str:
    """Return a Parquet or Feather file as pandas would write it to a CSV file."""
    try:
        import pandas as pd

        frame = getattr(pd, _FRAME_READERS[Path(path).suffix.lower()])(path)
    except ImportError as error:
        fail(
            f"{path} is read by pandas with pyarrow, which cannot be imported ({error}); install "
            "them, or save the file as CSV"
        )
    except (OSError, ValueError) as error:
        fail(f"{path} cannot be read by pandas: {getattr(error, 'strerror', None) or error}")
    has_index = frame.index.name is not None or not frame.index.equals(pd.RangeIndex(len(frame)))
    return cast("str", frame.to_csv(index=has_index, lineterminator="\n"))


# --------------------------------------------------------------------------- labels


class _Codes(dict[str, int]):
    """The numbers of the cells of a column: one for each text, without surrounding blanks."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}
        self.codes = array("i")

    def __missing__(self, cell: str) -> int:
        code = self[cell] = self.texts.setdefault(cell.strip(), len(self.texts))
        return code

    def add(self, cell: str) -> None:
        self.codes.append(self[cell])


@dataclass(frozen=True, eq=False)
class LabelColumn:
    """A column of labels: row k, on line ``lines[k]``, has the text ``texts[codes[k]]``."""

    codes: Array
    texts: Sequence[str]
    lines: Sequence[int]
    path: str
    name: str | None = None

    def __len__(self) -> int:
        return len(self.codes)

    def labels(self, missing: str = "error", advice: str = _DROP) -> Array:
        """Return the labels as objects; missing ones are None, or an error with advice."""
        import numpy as np

        is_missing = np.array([text in _MISSING for text in self.texts])
        gaps = is_missing[self.codes]
        if missing == "error" and gaps.any():
            row = int(gaps.argmax())
            got = self.texts[self.codes[row]]
            fail(f"{self.place(row)}: a label must not be missing, got {got!r}; {advice}")
        values = np.array(self.texts, dtype=object)
        values[is_missing] = None
        return values[self.codes]

    def all_differ(self) -> bool:
        """Return whether there are several labels and all of them differ, as those of ids do."""
        return 1 < len(self) == len(self.texts) and _MISSING.isdisjoint(self.texts)

    def check(self) -> None:
        """Raise ValueError for what is no text; warn if one number is written in two ways.

        The latter occurs in files that were joined.
        """
        for text in filter(_NO_TEXT.search, self.texts):
            _check_text(self.place_of(text), text)
        seen: dict[str, str] = {}
        for text in self.texts:
            match = _WHOLE_NUMBER.fullmatch(text)
            if match and seen.setdefault(match[1], text) != text:
                say(
                    f"warning: {self.place_of(text)}: {text!r} and {seen[match[1]]!r} count as two "
                    "clusters, as labels are text"
                )
                return

    def place(self, row: int) -> str:
        column = "" if self.name is None else f", column {self.name!r}"
        return f"{self.path}, line {self.lines[row]}{column}"

    def place_of(self, text: str) -> str:
        return self.place(int((self.codes == self.texts.index(text)).argmax()))


def read_labels(path: str) -> LabelColumn:
    """Read a text file with one label per line; blank lines at the end are ignored."""
    import numpy as np

    shown = shown_path(path)
    if is_table(path):
        fail(f"{shown} must be a text file with one label per line, got a CSV file or a frame")
    known = _Codes()
    for line in _lines(path):
        known.add(line)
    codes = np.array(known.codes)
    filled = np.flatnonzero(codes != known.texts.get("", -1))
    if not filled.size:
        fail(f"{shown} must have one label per line, got an empty file")
    texts = list(known.texts)
    column = LabelColumn(codes[: filled[-1] + 1], texts, range(1, len(codes) + 1), shown)
    for code, text in enumerate(texts):
        if _FIELDS.search(text) or (code == 1 and _are_numbered(column)):
            between = "a tab" if "\t" in text else "a space or a comma"
            _refuse_line(column, text, f"fields with {between} between")
    if _are_below_header(column):
        _refuse_line(column, texts[0], f"the header {texts[0]}")
    column.check()
    return column


def _refuse_line(column: LabelColumn, text: str, got: str) -> NoReturn:
    fail(
        f"{column.place_of(text)}: must be one label, got {got}; "
        "to read a column of a file with a header, name the column, and its --delimiter"
    )


def _are_below_header(column: LabelColumn) -> bool:
    """Return whether the first text is quoted, or alone no number, as a header written by R is."""
    first, *others = column.texts
    occurs_once = (column.codes == 0).sum() == 1
    are_numbers = bool(others) and all(map(_WHOLE_NUMBER.fullmatch, others))
    is_alone = are_numbers and not _WHOLE_NUMBER.fullmatch(first) and first not in _MISSING
    return bool(occurs_once and (is_alone or (first[:1] == first[-1:] == '"' and len(first) > 1)))


def _are_numbered(column: LabelColumn) -> bool:
    """Return whether the number of its row stands before each label, as R writes a vector."""
    texts = [*filter(None, column.texts)]
    return len(texts) == len(column) and any(
        all(text.startswith(f"{row} ") for row, text in enumerate(rows, 1))
        for rows in (texts, texts[1:])
    )


# --------------------------------------------------------------------------- CSV files


class Columns(NamedTuple):
    """The columns read: labels by name, and features of shape (n_rows, n_features)."""

    labels: dict[str, LabelColumn]
    features: Array


class CsvFile:
    """A CSV file whose header was read; its rows are read once, by :meth:`read`.

    ``names`` are those of the columns but the index. Blank lines below the header are no rows.
    """

    def __init__(self, path: str, delimiter: str | None = None) -> None:
        self.path = shown_path(path)
        usual = "\t" if path.lower().removesuffix(".gz").endswith(".tsv") else ","
        self._delimiter = delimiter if delimiter and not _is_frame(path) else usual
        rows = self._numbered_rows(_lines(path))
        _, header = next(rows, (1, []))
        filled = (numbered for numbered in rows if numbered[1])
        self._first_line, first = next(filled, (0, []))
        if not header and not first:
            fail(f"{self.path} must have a header and rows, got an empty file")
        self._rows = itertools.chain([(self._first_line, first)] if first else [], filled)
        self.names = self._header = [name.strip() for name in header]
        # R names no column of the names of rows; they all differ, which is checked on reading.
        self._has_row_names = len(first) == len(header) + 1 > 1 and bool(
            first[-1].strip() and not self.hint
        )
        if self._has_row_names:
            self._header = ["", *self.names]
        if len(self._header) > 1 and not self._header[0]:
            self.names = self._header[1:]
        _check_header(self.path, self.names, len(self._header) - len(self.names))

    @property
    def hint(self) -> str:
        """The end of an error message: the delimiter that a header read as one field suggests."""
        header = "".join(self._header)
        others = (text for text in _DELIMITERS if text in header and text != self._delimiter)
        found = next(others, None)
        if len(self._header) > 1 or found is None:
            return ""
        shown = "\\t" if found == "\t" else found
        return f"; give --delimiter '{shown}' if that separates the fields"

    def matching(self, columns: Iterable[str]) -> list[str]:
        """Return the names of columns, those of several where one is a pattern such as run_*."""
        found = (
            [one] if one in self.names else fnmatch.filter(self.names, one) or [one]
            for one in columns
        )
        return [*dict.fromkeys(itertools.chain.from_iterable(found))]

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
        coded = {name: _Codes() for name in (*labels, *row_names)}
        coded_at = [(known, self._position(name)) for name, known in coded.items()]
        features_at = [(name, self._position(name)) for name in features]
        lines, numbers = array("q"), array("d")
        for line, row in self._rows:
            if len(row) != len(self._header):
                self._reject_row(row, line)
            lines.append(line)
            for known, position in coded_at:
                known.add(row[position])
            for name, position in features_at:
                numbers.append(self._number(row[position], line, name))
        if not lines:
            fail(f"{self.path} must have rows below its header, got none")
        columns = {
            name: LabelColumn(np.array(known.codes), list(known.texts), lines, self.path, name)
            for name, known in coded.items()
        }
        if self._has_row_names and len(columns[""].texts) < len(lines):
            self._reject_row([*self.names, ""], self._first_line, len(self.names))
        for column in columns.values():
            column.check()
        return Columns(columns, np.array(numbers).reshape(len(lines), -1))

    def _numbered_rows(self, lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
        """Yield each row, and the line where it starts."""
        reader = csv.reader(lines, delimiter=self._delimiter, strict=True)
        line = 1
        try:
            for row in reader:
                yield line, row
                line = reader.line_num + 1
        except csv.Error as error:
            hint = "; --delimiter names another separator of the fields" if line == 1 else ""
            fail(f"{self.path}, line {line}: not a row of a CSV file ({error}){hint}")

    def _reject_row(self, row: list[str], line: int, n_fields: int | None = None) -> NoReturn:
        n_fields = n_fields or len(self._header)
        where = "header" if n_fields == len(self.names) or not self._has_row_names else "first row"
        more = "; fields that contain the delimiter need quotes" if len(row) > n_fields else ""
        fail(
            f"{self.path}, line {line}: expected {n_fields} fields as in the {where}, "
            f"found {len(row)}{self.hint or more}"
        )

    def _number(self, cell: str, line: int, column: str) -> float:
        try:
            number = math.nan if "_" in cell else float(cell)  # 1_000 is a number in Python only
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            place = f"{self.path}, line {line}, column {column!r}"
            _check_text(place, cell)
            comma = _DECIMAL_COMMA.fullmatch(cell)
            fail(
                f"{place}: a feature must be a finite number, got {cell.strip()!r}"
                f"{', with a decimal comma instead of a point' if comma else ''}; "
                "--drop leaves columns out"
            )
        return number

    def _position(self, column: str) -> int:
        if column in self.names:
            return self._header.index(column)
        if column in _INDEX_NAMES and not self._header[0]:
            return 0
        close = difflib.get_close_matches(column, self.names, n=3)
        shown = close or self.names[:_N_COLUMNS_SHOWN]
        more = "" if close or len(shown) == len(self.names) else ", ..."
        return fail(
            f"{self.path} has no column {column!r}; "
            f"{'the closest' if close else 'its columns'}: {', '.join(map(repr, shown))}{more}"
            f"{self.hint}"
        )


def _check_header(path: str, names: list[str], n_before: int) -> None:
    """Raise ValueError unless columns have names that differ; ``n_before`` is that of an index."""
    _check_text(f"{path}, line 1", "".join(names))
    if not all(names) or not names:
        position = n_before + (names.index("") if names else 0) + 1
        fail(f"{path}, line 1: every column must have a name, column {position} has none")
    for position, name in enumerate(names):
        first = names.index(name)
        if first != position:
            fail(
                f"{path}, line 1: column names must differ, got {name!r} as columns "
                f"{n_before + first + 1} and {n_before + position + 1}"
            )


# --------------------------------------------------------------------------- data to cluster


class Data(NamedTuple):
    """Features of shape (n_objects, n_features), reference labels if any, and their names."""

    X: Array
    y: Any
    names: list[str]
    label: str = ""

    def scaled(self, scale: bool) -> Array:
        """Return the features, each of variance 1 or with a note if their scales differ a lot."""
        if scale:
            from sklearn.preprocessing import StandardScaler

            return cast("Array", StandardScaler().fit_transform(self.X))
        self.note_on_scale()
        return self.X

    def note_on_scale(self) -> None:
        """Print a note if some features have a far larger range than others."""
        widths = self.X.max(axis=0) - self.X.min(axis=0)
        named = [pair for pair in zip(widths.tolist(), self.names, strict=True) if pair[0] > 0]
        (low, narrow), (high, wide) = min(named, default=(1, "")), max(named, default=(1, ""))
        if high >= _MANY_TIMES * low:
            say(
                f"note: features differ in scale: {wide!r} spans {high:.3g} and {narrow!r} "
                f"{low:.3g}; --scale gives all of them the same variance"
            )


def load_data(
    data: str,
    drop: Sequence[str] | None,
    delimiter: str | None,
    data_name: str,
    label: str | None = None,
    option: str = "",
) -> Data:
    """Return features and reference labels: those of the last column if ``label`` is None.

    ``data_name`` and ``option`` name the data and the column of labels on the command line; without
    an option there is no such column.
    """
    if data in TOY_SETS:
        return _load_toy_set(data, {option: label, "--drop": drop})
    if not is_table(data) and data != STANDARD_INPUT and not Path(data).exists():
        fail(
            f"no file is named {data!r}: "
            f"{data_name} must be a CSV file or one of {options_text(TOY_SETS, data)}"
        )
    file, drop = CsvFile(data, delimiter), drop or []
    labels = [label or file.names[-1]] if option else []
    if labels and labels[0] in drop:
        fail(f"--drop must not name the column of labels, got {labels[0]!r}")
    features = file.names_without([*labels, *drop])
    if not features:
        one = f" and one of labels, got {labels[0]!r} only" if labels else ""
        dropped = f", dropped {', '.join(map(repr, drop))}" if drop else ""
        fail(f"{data} must have columns of features{one}{dropped}{file.hint}")
    try:
        columns = file.read(labels, features)
    except ValueError as error:
        if labels and not label:
            error.add_note(
                f"(Labels are read from the last column, {labels[0]!r}: {option} names "
                "another, and --no-label none.)"
            )
        raise
    if not labels:
        return Data(columns.features, None, features)
    others = f"another with {option}" + (", or none with --no-label" if option == "--label" else "")
    column = columns.labels[labels[0]]
    y = column.labels()
    fractional = next(filter(_is_fractional, column.texts), None)
    if fractional is not None:
        fail(
            f"the label column {labels[0]!r} of {data} must hold discrete labels, got "
            f"{fractional!r}; choose {others}"
        )
    return Data(columns.features, y, features, labels[0])


def _load_toy_set(name: str, columns: Mapping[str, Any]) -> Data:
    for option, value in columns.items():
        if value:
            fail(f"{option} names a column of a CSV file, but {name} is a toy set")
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name}")()
    return Data(bunch.data, bunch.target, list(bunch.feature_names))


def _is_fractional(text: str) -> bool:
    try:
        number = float(text)
    except ValueError:
        return False
    return math.isfinite(number) and not number.is_integer()
