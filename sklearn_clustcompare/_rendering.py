"""Tables as plain text, Markdown and HTML, and numbers in their cells."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from html import escape
from textwrap import fill
from typing import TypeGuard

Row = Sequence[str]

WIDTH = 100
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?%?|-", re.ASCII)  # "-" for one that is missing
# Decimals that a number may have beyond those asked for, and those of the smallest percentage.
_MORE_DECIMALS = 2
_MOST_DECIMALS = 9


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


# --------------------------------------------------------------------------- numbers


def number_texts(values: Iterable[float | None], digits: int) -> list[str]:
    """Write a column of numbers with equal decimals, of which a 0, 1 or -1 is exactly that.

    There are ``digits`` decimals, or up to two more where a number would look like one of these.
    What still would is written with an exponent or rounded away from 1. What is missing is "-".
    """
    return _texts(list(values), digits, 1.0)


def number_text(value: float | None, digits: int) -> str:
    """Write one number as :func:`number_texts` does."""
    return number_texts([value], digits)[0]


def percent_texts(shares: Iterable[float | None], digits: int) -> list[str]:
    """Write a column of shares as percentages, of which a 0 or 100 is exactly that.

    The largest has at least ``digits`` significant digits, so that small shares can be compared.
    """
    percentages = [None if share is None else 100 * share for share in shares]
    largest = max((abs(one) for one in percentages if _is_finite(one)), default=0.0)
    needed = digits - 1 - math.floor(math.log10(largest)) if largest else 0
    decimals = min(max(digits - 1, 1, needed), _MOST_DECIMALS)
    return [text if text == "-" else f"{text}%" for text in _texts(percentages, decimals, 100.0)]


def percent_text(share: float | None, digits: int) -> str:
    """Write one share as :func:`percent_texts` does, but 0% and 100% without decimals."""
    return f"{share:.0%}" if share in (0, 1) else percent_texts([share], digits)[0]


def _texts(values: Sequence[float | None], fewest: int, whole: float) -> list[str]:
    most = fewest + _MORE_DECIMALS
    # Numbers that are tiny whatever the decimals do not lengthen the others.
    judged = [one for one in values if _is_finite(one) and not _looks_like(one, most, (0.0,))]
    ends = (0.0, whole, -whole)
    decimals = next(
        (
            places
            for places in range(fewest, most)
            if not any(_looks_like(value, places, ends) for value in judged)
        ),
        most,
    )
    return [_text(value, decimals, whole) for value in values]


def _text(value: float | None, decimals: int, whole: float) -> str:
    if value is None or math.isnan(value):
        return "-"
    if _looks_like(value, decimals, (0.0,)):
        return f"{value:.1e}"
    if _looks_like(value, decimals, (whole, -whole)):
        step = 10.0**-decimals
        size = whole - step if abs(value) < whole else whole + step
        value = math.copysign(size, value)
    return f"{value + 0.0:.{decimals}f}"  # without the sign of zero


def _looks_like(value: float | None, decimals: int, ends: tuple[float, ...]) -> bool:
    """Tell whether a number would be written as one of the ends, and is none."""
    return value is not None and value not in ends and float(f"{value:.{decimals}f}") in ends


def _is_finite(value: float | None) -> TypeGuard[float]:
    return value is not None and math.isfinite(value)


# --------------------------------------------------------------------------- text


def markdown(text: str) -> str:
    """Escape what Markdown would take for markup."""
    for mark in "\\`*_|<>[]":
        text = text.replace(mark, "\\" + mark)
    return " ".join(text.split())


def wrapped(text: str, indent: str = "") -> str:
    """Break a paragraph into lines."""
    return fill(text, WIDTH, subsequent_indent=indent, break_long_words=False)


def paragraphs(paragraphs: Sequence[str]) -> list[str]:
    return [f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs]
