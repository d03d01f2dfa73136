"""Tables and short documents as plain text, Markdown and HTML."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from html import escape
from textwrap import fill
from typing import Any, NamedTuple

Row = Sequence[str]

_WIDTH = 100
# Numbers, and "-" for one that is missing.
_NUMBER = re.compile(r"-?\d+(?P<decimals>\.\d+)?(e[+-]?\d+)?|-?inf|-", re.ASCII)
_FIGURE_SPACE = "\u2007"
# Rows that the table of a result has at most, without the line that counts the others.
_MAX_ROWS = 20
# Rows and columns that the table of a matrix has at most.
_MAX_COLUMNS = 10
# From here on, a float need not be exact.
_LARGEST_WHOLE = 2.0**53
# Numbers as close to each other as this differ by errors of rounding.
_ROUNDING = 1e-12
_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 1rem 0; }
caption { font-weight: bold; padding: 0.3rem 0; }
th, td { border-bottom: 1px solid #8886; padding: 0.2rem 0.7rem; }
"""


class Section(NamedTuple):
    """A table with its title, and paragraphs before and after it."""

    title: str
    before: tuple[str, ...]
    header: Row
    body: Sequence[Row]
    after: tuple[str, ...]


class Document(NamedTuple):
    """A title, an introduction, sections, a list of notes and a legend."""

    title: str
    intro: str
    sections: Sequence[Section]
    notes: tuple[str, ...]
    legend: tuple[str, ...]


# --------------------------------------------------------------------------- numbers


def decimals(values: Sequence[float]) -> list[str]:
    """Write the numbers of a column with equal decimals: as many as they need, up to four.

    Large numbers have fewer, but not fewer than two if they need them. A 0, 1 or -1 is exact, but
    for errors of rounding: numbers close to 0 are written with an exponent, and numbers close to 1
    are rounded away from it. NaN is "-".
    """
    finite = [value for value in values if math.isfinite(value)]
    largest = max(map(abs, finite), default=0.0)
    if largest >= _LARGEST_WHOLE:
        return [_missing(value) or f"{value:.4e}" for value in values]
    most = 4 if largest < 10 else 3 if largest < 100 else 2
    needed = (n for n in range(most) if all(abs(round(x, n) - x) <= _ROUNDING for x in finite))
    n_decimals = next(needed, most)
    return [_missing(value) or _fixed(value, n_decimals) for value in values]


def decimal(value: float) -> str:
    """Write one number as :func:`decimals` does."""
    return decimals([value])[0]


def _missing(value: float) -> str:
    return "" if math.isfinite(value) else "-" if math.isnan(value) else f"{value:g}"


def _fixed(value: float, n_decimals: int) -> str:
    size, text = abs(value), f"{value:.{n_decimals}f}"
    if float(text) == 0:
        return f"{value:.1e}" if value else f"{0:.{n_decimals}f}"
    if abs(float(text)) == 1 and abs(size - 1) > _ROUNDING:
        beside = 1 - 10**-n_decimals if size < 1 else 1 + 10**-n_decimals
        return f"{math.copysign(beside, value):.{n_decimals}f}"
    return text


# --------------------------------------------------------------------------- tables


class Table(NamedTuple):
    """Cells as text; ``n_hidden`` rows are left out in the middle."""

    header: Row
    body: Sequence[Row]
    n_hidden: int = 0


def table_of(
    columns: Mapping[str, Any] | Sequence[tuple[str, Any]], names: Collection[str] = ()
) -> Table:
    """Make a table of columns and their titles: the first and last rows if there are too many.

    A column with floats has equal decimals, unless it is one of ``names``; all other cells are
    written by ``str``.
    """
    titles, found = zip(
        *(columns.items() if isinstance(columns, Mapping) else columns), strict=True
    )
    n_rows = len(found[0])
    shown = ends(n_rows, _MAX_ROWS)
    texts = []
    for title, values in zip(titles, found, strict=True):
        cells = [values[position] for position in shown]
        texts.append(list(map(str, cells)) if title in names else as_texts(cells))
    return Table(titles, list(zip(*texts, strict=True)), n_rows - len(shown))


def matrix_table(names: Any, col_names: Any, values: Any) -> Table:
    """Make a table of a matrix, dense or sparse, with equal decimals in all cells.

    Of too many rows or columns it has the first and the last ones.
    """
    rows, cols = ends(len(names), _MAX_COLUMNS), ends(len(col_names), _MAX_COLUMNS)
    shown = values[rows][:, cols]
    cells = as_texts((shown.toarray() if hasattr(shown, "toarray") else shown).ravel().tolist())
    body = [
        [str(names[row]), *cells[number * len(cols) : (number + 1) * len(cols)]]
        for number, row in enumerate(rows)
    ]
    header = ["", *(str(col_names[col]) for col in cols)]
    if len(cols) < len(col_names):
        for line in (header, *body):
            line.insert(1 + _middle(cols), "...")
    return Table(header, body, len(names) - len(rows))


def as_texts(values: Sequence[Any]) -> list[str]:
    """Write the values of a column."""
    if any(isinstance(value, float) for value in values):
        return decimals(values)
    return [str(value) for value in values]


def ends(n_items: int, n_shown: int) -> list[int]:
    """Return the positions of the first and the last items, if there are too many."""
    if n_items <= n_shown:
        return list(range(n_items))
    n_last = n_shown // 2
    return [*range(n_shown - n_last), *range(n_items - n_last, n_items)]


def text_table(header: Row, body: Sequence[Row], n_hidden: int = 0) -> str:
    """Align columns of numbers at the decimal point; text only in the first and the last column.

    Widths are those of a terminal, where East Asian characters take two columns.
    """
    last = len(header) - 1
    lines = [""] * (len(body) + 1)
    for place, (column, is_text) in enumerate(
        zip(zip(header, *body, strict=True), _are_texts(header, body), strict=True)
    ):
        cells = [_one_line(cell) for cell in column]
        if not is_text:
            cells[1:] = _aligned(cells[1:], " ")
        widths = [_width(cell) for cell in cells]
        to_left = is_text and place in (0, last)
        for number, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            space = " " * (max(widths) - width)
            lines[number] += ("  " if place else "") + (cell + space if to_left else space + cell)
    lines = [line.rstrip() for line in lines]
    if n_hidden:
        lines.insert(_middle(body) + 1, _hidden(n_hidden))
    return "\n".join(lines)


def markdown_table(header: Row, body: Sequence[Row]) -> str:
    first, *rest = ("| " + " | ".join(map(markdown, row)) + " |" for row in (header, *body))
    marks = (":--" if is_text else "--:" for is_text in _are_texts(header, body))
    return "\n".join([first, f"| {' | '.join(marks)} |", *rest])


def html_table(header: Row, body: Sequence[Row], caption: str = "", n_hidden: int = 0) -> str:
    """Align each cell by a style of its own, since notebooks and sites have their own sheets."""
    are_texts = _are_texts(header, body)
    styles = [f'style="text-align: {"left" if is_text else "right"}"' for is_text in are_texts]
    head = "".join(
        f'<th scope="col" {style}>{escape(cell)}</th>'
        for cell, style in zip(header, styles, strict=True)
    )
    columns = [
        column if is_text else _aligned(column, _FIGURE_SPACE)
        for column, is_text in zip(zip(*body, strict=True), are_texts, strict=False)
    ]
    rows = [
        f'<tr><th scope="row" {styles[0]}>{escape(row[0])}</th>'
        + "".join(
            f"<td {style}>{escape(cell)}</td>"
            for cell, style in zip(row[1:], styles[1:], strict=True)
        )
        + "</tr>"
        for row in zip(*columns, strict=True)
    ]
    if n_hidden:
        cell = f'<td colspan="{len(header)}" style="text-align: left">{_hidden(n_hidden)}</td>'
        rows.insert(_middle(body), f"<tr>{cell}</tr>")
    style = 'style="text-align: left; white-space: nowrap"'  # a table may be narrower than it
    named = f"<caption {style}>{escape(caption)}</caption>" if caption else ""
    return f"<table>{named}<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _are_texts(header: Row, body: Sequence[Row]) -> list[bool]:
    """Tell of each column whether it holds anything but numbers."""
    return [
        not all(_NUMBER.fullmatch(cell) for cell in column)
        for _, *column in zip(header, *body, strict=True)
    ]


def _aligned(column: Sequence[str], space: str) -> list[str]:
    """Fill numbers up at their ends so that their decimal points stand below each other."""
    matches = [_NUMBER.fullmatch(cell) for cell in column]
    tails = [
        len(cell) - match.start("decimals") if match and match["decimals"] else 0
        for cell, match in zip(column, matches, strict=True)
    ]
    longest = max(tails, default=0)
    return [
        cell if cell == "-" else cell + space * (longest - tail)
        for cell, tail in zip(column, tails, strict=True)
    ]


def _middle(shown: Sequence[Any]) -> int:
    """Return how many rows or columns stand before those that are hidden."""
    return (len(shown) + 1) // 2


def _hidden(n_rows: int) -> str:
    return f"... {n_rows:,} more"


def _one_line(cell: str) -> str:
    """Write control characters and line ends as Python does in its literals."""
    return "".join(
        repr(one)[1:-1] if unicodedata.category(one) in ("Cc", "Zl", "Zp") else one for one in cell
    )


def _width(text: str) -> int:
    """Return the number of columns that a text takes in a terminal."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.category(one) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(one) in "WF"
        else 1
        for one in unicodedata.normalize("NFC", text)
    )


# --------------------------------------------------------------------------- results


class Shown:
    """A result that shows as a headline, a table and a conclusion, also in notebooks."""

    __slots__ = ()

    def _headline(self) -> str:
        raise NotImplementedError

    def _shown(self) -> Table | None:
        """Return the table, if there is one."""
        return None

    def _conclusion(self) -> Sequence[str]:
        """Return what follows from the table, by lines."""
        return ()

    def __repr__(self) -> str:
        table = self._shown()
        text = [text_table(*table)] if table and table.body else []
        return "\n".join([self._headline(), *text, *self._conclusion()])

    def _repr_html_(self) -> str:
        table, headline = self._shown(), self._headline()
        if table is None:
            return "".join(paragraphs([headline, *self._conclusion()]))
        html = html_table(table.header, table.body, headline, table.n_hidden)
        return "".join([html, *paragraphs(self._conclusion())])


def record_html(title: str, values: Mapping[str, Any]) -> str:
    """Return the values of a tuple or float by their names, written as in its ``repr``."""
    return html_table(("", "value"), [(name, repr(value)) for name, value in values.items()], title)


# --------------------------------------------------------------------------- documents


def document_as_text(document: Document) -> str:
    parts = [document.title, "=" * len(document.title), _fill(document.intro)]
    for section in document.sections:
        parts += ["", section.title, *_wrapped(section.before)]
        parts += [text_table(section.header, section.body)] if section.body else []
        parts += _wrapped(section.after)
    if document.notes:
        parts += ["", "Mind"]
        parts += [_fill(f"- {note}", "  ") for note in document.notes]
    return "\n".join([*parts, "", *_wrapped(document.legend)]) + "\n"


def document_as_markdown(document: Document) -> str:
    parts = [f"# {document.title}", markdown(document.intro)]
    for section in document.sections:
        parts += [f"## {markdown(section.title)}", *map(markdown, section.before)]
        parts += [markdown_table(section.header, section.body)] if section.body else []
        parts += map(markdown, section.after)
    if document.notes:
        parts += ["## Mind", "\n".join(f"- {markdown(note)}" for note in document.notes)]
    return "\n\n".join([*parts, *map(markdown, document.legend)]) + "\n"


def document_as_html(document: Document) -> str:
    parts = [f"<h1>{escape(document.title)}</h1>", *paragraphs((document.intro,))]
    for section in document.sections:
        parts += [f"<h2>{escape(section.title)}</h2>", *paragraphs(section.before)]
        parts.append(html_table(section.header, section.body))
        parts += paragraphs(section.after)
    if document.notes:
        items = "".join(f"<li>{escape(note)}</li>" for note in document.notes)
        parts.append(f"<h2>Mind</h2><ul>{items}</ul>")
    return "".join([*parts, *paragraphs(document.legend)])


def html_page(title: str, body: str) -> str:
    """Return a page that needs no other file."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>"
        f"<body>{body}</body></html>\n"
    )


def markdown(text: str) -> str:
    """Escape what Markdown would take for markup."""
    for mark in "\\`*_|<>[]":
        text = text.replace(mark, "\\" + mark)
    return " ".join(text.split())


def _wrapped(paragraphs: Sequence[str]) -> list[str]:
    return [_fill(paragraph) for paragraph in paragraphs]


def _fill(text: str, indent: str = "") -> str:
    return fill(text, _WIDTH, subsequent_indent=indent, break_long_words=False)


def paragraphs(paragraphs: Sequence[str]) -> list[str]:
    return [f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs]
