"""Tables and short documents as plain text, Markdown and HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from textwrap import fill
from typing import NamedTuple

Row = Sequence[str]

_WIDTH = 100
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?|-", re.ASCII)  # "-" for one that is missing
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


# --------------------------------------------------------------------------- tables


def text_table(header: Row, body: Sequence[Row]) -> str:
    """Align columns of numbers to the right; text only in the first and the last column."""
    last = len(header) - 1
    to_left = [
        is_text and place in (0, last) for place, is_text in enumerate(_are_texts(header, body))
    ]
    widths = [max(map(len, column)) for column in zip(header, *body, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if left else cell.rjust(width)
            for cell, width, left in zip(row, widths, to_left, strict=True)
        ).rstrip()
        for row in (header, *body)
    )


def markdown_table(header: Row, body: Sequence[Row]) -> str:
    first, *rest = ("| " + " | ".join(map(markdown, row)) + " |" for row in (header, *body))
    marks = (":--" if is_text else "--:" for is_text in _are_texts(header, body))
    return "\n".join([first, f"| {' | '.join(marks)} |", *rest])


def html_table(header: Row, body: Sequence[Row], caption: str = "") -> str:
    """Align each cell by a style of its own, since notebooks and sites have their own sheets."""
    styles = [
        f'style="text-align: {"left" if is_text else "right"}"'
        for is_text in _are_texts(header, body)
    ]
    head = "".join(
        f'<th scope="col" {style}>{escape(cell)}</th>'
        for cell, style in zip(header, styles, strict=True)
    )
    rows = "".join(
        f'<tr><th scope="row" {styles[0]}>{escape(row[0])}</th>'
        + "".join(
            f"<td {style}>{escape(cell)}</td>"
            for cell, style in zip(row[1:], styles[1:], strict=True)
        )
        + "</tr>"
        for row in body
    )
    named = f'<caption style="text-align: left">{escape(caption)}</caption>' if caption else ""
    return f"<table>{named}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _are_texts(header: Row, body: Sequence[Row]) -> list[bool]:
    """Tell of each column whether it holds anything but numbers."""
    return [
        not all(_NUMBER.fullmatch(cell) for cell in column)
        for _, *column in zip(header, *body, strict=True)
    ]


# --------------------------------------------------------------------------- results


class Shown:
    """A result that shows as a headline, a table and a conclusion, also in notebooks."""

    __slots__ = ()

    def _headline(self) -> str:
        raise NotImplementedError

    def _shown(self) -> Sequence[Row]:
        """Return the rows of the table as text, the header first."""
        raise NotImplementedError

    def _conclusion(self) -> Sequence[str]:
        """Return what follows from the table, by lines."""
        return ()

    def __repr__(self) -> str:
        header, *body = self._shown()
        table = [text_table(header, body)] if body else []
        return "\n".join([self._headline(), *table, *self._conclusion()])

    def _repr_html_(self) -> str:
        header, *body = self._shown()
        table = html_table(header, body, caption=self._headline())
        return "".join([table, *paragraphs(self._conclusion())])


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
