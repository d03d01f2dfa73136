"""Tables as plain text, Markdown and HTML, and numbers in their cells."""

from __future__ import annotations

import math
import os
import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import wraps
from html import escape
from itertools import groupby
from textwrap import fill
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar, cast, dataclass_transform

from sklearn_clustcompare._options import PACKAGE, did_you_mean, shortened_text, show_types

Row = Sequence[str]
Class = TypeVar("Class")
Method = TypeVar("Method", bound=Callable[..., Any])

WIDTH = 100
# Numbers, and "-" for one that is missing.
_NUMBER = re.compile(r"-?\d+(?P<decimals>\.\d+)?(e[+-]?\d+)?%?|-?inf%?|-", re.ASCII)
_FIGURE_SPACE = "\u2007"
DOTS = "\N{HORIZONTAL ELLIPSIS}"
# Shorter common beginnings or ends of names are kept: the dots that replace them need room as well.
_MIN_COMMON = 3
# Rows that the table of a result has at most, without the line that counts the others.
_MAX_ROWS = 20
# Rows and columns that the table of a matrix has at most.
_MAX_COLUMNS = 10
# Characters of a word and of a cell that are shown. Names of clusters may be whole documents.
_MAX_WORD, _MAX_CELL = 200, 1000
_LONG_WORD = re.compile(rf"\S{{{_MAX_WORD + 1},}}")
# Kinds of characters that turn the direction of what follows.
_TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
# From here on, a float need not be exact.
_LARGEST_WHOLE = 2.0**53
# Numbers as close to each other as this differ by errors of rounding.
_ROUNDING = 1e-12
# Decimals of a number of a report beyond those requested, and of a percentage, at most.
_MORE_DECIMALS = 2
_MOST_DECIMALS = 9


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
        return [_not_finite(value) or f"{value:.4e}" for value in values]
    most = 4 if largest < 10 else 3 if largest < 100 else 2
    needed = (n for n in range(most) if all(abs(round(x, n) - x) <= _ROUNDING for x in finite))
    n_decimals = next(needed, most)
    return [_fixed(value, n_decimals) for value in values]


def decimal(value: float) -> str:
    """Write one number as :func:`decimals` does."""
    return decimals([value])[0]


def number_texts(values: Iterable[float | None], digits: int) -> list[str]:
    """Write a column of numbers with ``digits`` decimals, and 0, 1 and -1 as :func:`decimals` does.

    There are up to two more decimals where a number would look like one of these.
    """
    return _least_decimals(_present(values), digits, 1.0)


def number_text(value: float | None, digits: int) -> str:
    """Write one number as :func:`number_texts` does."""
    return number_texts([value], digits)[0]


def n_clusters_text(number: int) -> str:
    return f"{number} cluster{'' if number == 1 else 's'}"


def n_candidates_text(number: int) -> str:
    return f"{number} candidate{'' if number == 1 else 's'}"


def p_text(pvalue: float, least: float) -> str:
    """Write a p-value of which a 1 is exactly that, or that it is below the least possible one."""
    if pvalue <= least * (1 + 1e-9):
        return f"p < {least:.3g}"
    text = f"{pvalue:.3g}"
    return f"p = {number_text(pvalue, 4) if text == '1' and pvalue < 1 else text}"


def percent_texts(shares: Iterable[float | None], digits: int) -> list[str]:
    """Write a column of shares as percentages, of which a 0 or 100 is exactly that.

    The largest has at least ``digits`` significant digits, so that small shares can be compared.
    """
    percentages = [100 * share for share in _present(shares)]
    largest = max((abs(one) for one in percentages if math.isfinite(one)), default=0.0)
    needed = digits - 1 - math.floor(math.log10(largest)) if largest else 0
    fewest = min(max(digits - 1, 1, needed), _MOST_DECIMALS)
    texts = _least_decimals(percentages, fewest, 100.0)
    return [text if text == "-" else f"{text}%" for text in texts]


def percent_text(share: float | None, digits: int) -> str:
    """Write one share as :func:`percent_texts` does, but 0% and 100% without decimals."""
    return f"{share:.0%}" if share in (0, 1) else percent_texts([share], digits)[0]


def _present(values: Iterable[float | None]) -> list[float]:
    return [math.nan if value is None else value for value in values]


def _least_decimals(values: Sequence[float], fewest: int, whole: float) -> list[str]:
    """Write numbers with the fewest decimals by which none looks like 0 or a whole that is not."""
    most = fewest + _MORE_DECIMALS
    # Numbers that are tiny whatever the decimals do not lengthen the others.
    judged = [value for value in values if _seems(value, most, whole) != 0]
    n_decimals = next(
        (
            n
            for n in range(fewest, most)
            if all(_seems(value, n, whole) is None for value in judged)
        ),
        most,
    )
    return [_fixed(value, n_decimals, whole) for value in values]


def _fixed(value: float, n_decimals: int, whole: float = 1.0) -> str:
    if text := _not_finite(value):
        return text
    seems = _seems(value, n_decimals, whole)
    if seems == 0:
        return f"{value:.1e}"
    if seems is not None:
        step = 10.0**-n_decimals
        value = math.copysign(whole - step if abs(value) < whole else whole + step, value)
    text = f"{value:.{n_decimals}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def _seems(value: float, n_decimals: int, whole: float) -> float | None:
    """Return 0 or the whole if a number would be written as that and is not, else None."""
    if not math.isfinite(value):
        return None
    written = abs(float(f"{value:.{n_decimals}f}"))
    if written == 0 and value:
        return 0.0
    if written == whole and abs(abs(value) - whole) > _ROUNDING * whole:
        return whole
    return None


def _not_finite(value: float) -> str:
    return "" if math.isfinite(value) else "-" if math.isnan(value) else f"{value:g}"


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
    written by ``str``, names that would be equal as text by ``repr``.
    """
    titles, found = zip(*_pairs(columns), strict=True)
    n_rows = len(found[0])
    shown = ends(n_rows, _MAX_ROWS)
    texts = []
    for title, values in zip(titles, found, strict=True):
        cells = [values[position] for position in shown]
        texts.append(list(map(form_of(cells), cells)) if title in names else as_texts(cells))
    return Table(titles, list(zip(*texts, strict=True)), n_rows - len(shown))


def matrix_table(names: Any, col_names: Any, values: Any) -> Table:
    """Make a table of a matrix, dense or sparse, with equal decimals in all cells.

    Of too many rows or columns it has the first and the last ones.
    """
    rows, cols = ends(len(names), _MAX_COLUMNS), ends(len(col_names), _MAX_COLUMNS)
    shown = values[rows][:, cols]
    cells = as_texts((shown.toarray() if hasattr(shown, "toarray") else shown).ravel().tolist())
    row_names, header_names = [names[row] for row in rows], [col_names[col] for col in cols]
    body = [
        [name, *cells[number * len(cols) : (number + 1) * len(cols)]]
        for number, name in enumerate(map(form_of(row_names), row_names))
    ]
    header = ["", *map(form_of(header_names), header_names)]
    if len(cols) < len(col_names):
        for line in (header, *body):
            line.insert(1 + _middle(cols), "...")
    return Table(header, body, len(names) - len(rows))


def form_of(names: Iterable[Any]) -> Callable[[Any], str]:
    """Return what writes names: ``str``, ``repr`` if two are equal as text, such as 1 and "1"."""
    different = set(names)
    return str if len(set(map(str, different))) == len(different) else repr


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
    header, *body = map(_cut, (header, *body))
    last = len(header) - 1
    lines = [""] * (len(body) + 1)
    for place, (column, is_text) in enumerate(
        zip(zip(header, *body, strict=True), _are_texts(header, body), strict=True)
    ):
        cells = [printable(cell) for cell in column]
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
    header, *body = map(_cut, (header, *body))
    first, *rest = ("| " + " | ".join(map(markdown, row)) + " |" for row in (header, *body))
    marks = (":--" if is_text else "--:" for is_text in _are_texts(header, body))
    return "\n".join([first, f"| {' | '.join(marks)} |", *rest])


def html_table(header: Row, body: Sequence[Row], caption: str = "", n_hidden: int = 0) -> str:
    """Align each cell by a style of its own, since notebooks and sites have their own sheets."""
    header, *body = map(_cut, (header, *body))
    are_texts = _are_texts(header, body)
    styles = [f'style="text-align: {"left" if is_text else "right"}"' for is_text in are_texts]
    head = "".join(
        f'<th scope="col" {style}>{html_name(cell)}</th>'
        for cell, style in zip(header, styles, strict=True)
    )
    columns = [
        map(html_name, column) if is_text else map(html, _aligned(column, _FIGURE_SPACE))
        for column, is_text in zip(zip(*body, strict=True), are_texts, strict=False)
    ]
    rows = [
        f'<tr><th scope="row" {styles[0]}>{row[0]}</th>'
        + "".join(
            f"<td {style}>{cell}</td>" for cell, style in zip(row[1:], styles[1:], strict=True)
        )
        + "</tr>"
        for row in zip(*columns, strict=True)
    ]
    if n_hidden:
        cell = f'<td colspan="{len(header)}" style="text-align: left">{_hidden(n_hidden)}</td>'
        rows.insert(_middle(body), f"<tr>{cell}</tr>")
    style = 'style="text-align: left; white-space: nowrap"'  # a table may be narrower than it
    named = f"<caption {style}>{html(caption)}</caption>" if caption else ""
    return f"<table>{named}<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _cut(row: Row) -> Row:
    """Cut long cells in their middle."""
    return [shortened_text(cell, _MAX_CELL) for cell in row]


def _are_texts(header: Row, body: Sequence[Row]) -> list[bool]:
    """Return for each column whether it holds anything but numbers."""
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


# --------------------------------------------------------------------------- names


def distinct_texts(labels: Iterable[Any], width: int) -> list[str]:
    """Return labels as one line each, such that different labels remain different.

    Words at the beginning or end that all long labels share are replaced by dots, then the middle
    of labels that are still too long is left out; less is left out if labels would become equal.
    """
    labels = list(labels)
    texts = [one_line(text) for text in map(form_of(labels), labels)]
    short = {text: text for text in texts}
    short |= _without_common_ends([text for text in short if len(text) > width], width)
    widths = dict.fromkeys(short, width)
    clashing = list(short)
    cuts: dict[str, str] = {}
    while clashing:
        cuts |= {text: _fit(short[text], widths[text]) for text in clashing}
        same = defaultdict(list)
        for text, cut in cuts.items():
            same[cut].append(text)
        clashing = [text for group in same.values() if len(group) > 1 for text in group]
        for text in clashing:
            if len(short[text]) <= widths[text]:
                short[text] = text
            widths[text] += 2
    return [cuts[text] for text in texts]


def one_line(label: Any) -> str:
    return " ".join(str(label).split())


def without_middle(text: str, width: int) -> str:
    """Leave out the middle of a text that is too long."""
    if len(text) <= width:
        return text
    # Names of many clusters usually differ at their ends.
    tail = (width - 1) * 2 // 3
    return f"{text[: width - 1 - tail]}{DOTS}{text[-tail:]}"


def _fit(text: str, width: int) -> str:
    """Leave out the dots at the ends of a text that is too long, then its middle."""
    return text if len(text) <= width else without_middle(text.strip(DOTS), width)


def _without_common_ends(texts: list[str], width: int) -> dict[str, str]:
    """Replace common words at the beginning and at the end of all texts by dots.

    No more of the common beginning is left out than needed, if that suffices.
    """
    if not texts:
        return {}
    last = max(_common_words([text[::-1] for text in texts]), default=0)
    starts = [first for first in _common_words(texts) if first + last < min(map(len, texts))]
    longest = max(map(len, texts)) - last + (last > 0)
    enough = [first for first in [0, *starts] if longest - first + (first > 0) <= width]
    first = min(enough, default=max(starts, default=0))
    return {
        text: DOTS * (first > 0) + text[first : len(text) - last] + DOTS * (last > 0)
        for text in texts
    }


def _common_words(texts: list[str]) -> list[int]:
    """Return the end of the whole words and numbers that all texts begin with."""
    if len(texts) < 2:
        return []
    longest = min(len(os.path.commonprefix(texts)), min(map(len, texts)) - 1)
    return [
        size
        for size in range(_MIN_COMMON, longest + 1)
        if texts[0][size].isalnum()
        and all(_kind(text[size - 1]) != _kind(text[size]) for text in texts)
    ]


def _kind(character: str) -> str:
    """Return the type of a character: neighbors of one word or number have the same."""
    return "0" if character.isdigit() else "a" if character.isalpha() else character


# --------------------------------------------------------------------------- results


# The file of each class of results.
RECORDS: dict[str, str] = {}


def result_record(cls: type[Class]) -> type[Class]:
    """Let pickles and ``help`` name a class by its public module, whatever file it stands in.

    A tuple is shown in notebooks as a table of its fields.
    """
    RECORDS[cls.__name__] = cls.__module__
    cls.__module__ = "sklearn_clustcompare.results"
    show_types({cls.__name__: cls})
    if hasattr(cls, "_asdict"):
        cls._repr_html_ = _fields_html  # type: ignore[attr-defined]
    return cls


def _fields_html(record: Any) -> str:
    return record_html(type(record).__name__, record._asdict())


def record_html(title: str, values: Mapping[str, Any]) -> str:
    """Return the values of a tuple or float by their names, written as in its ``repr``."""
    return html_table(("", "value"), [(name, repr(value)) for name, value in values.items()], title)


# Attributes, each with what is written for it where that is more, and what results of other
# packages call that. A later one takes precedence.
_OF_OTHERS = {
    "to_frame": "clusters per_cluster rows summary to_csv to_dataframe to_pandas verdict",
    "to_dict json.dumps(result.to_dict())": "to_json",
    "to_html": "dump export save to_file to_pdf write",
    "to_markdown": "text to_string to_text",
    "n_clusters": "best_k k n_clusters_",
    "interval": "ci confidence_interval",
    "interval interval[0]": "low lower",
    "interval interval[1]": "high upper",
    "intervals": "ci confidence_interval interval",
    "pvalue": "p p_value pval",
    "scores": "score values",
    "standardized": "z zscore",
    "labels": "labels_",
    "estimator": "best_estimator_ best_params_ estimator_",
    "values": "shape",
    "ax_": "ax axes axis",
    "figure_": "fig fig_ figure",
    "figure_ figure_.savefig": "save savefig to_file write",
}


def missing_attribute(result: Any, name: str, ours: str | None = None) -> Any:
    """Raise the error for an attribute that a result does not have, with those that it has.

    Those of its own records are named as well, by the way to them; ``ours`` is where one is.
    """
    if hasattr(type(result), name):  # its own code failed
        return object.__getattribute__(result, name)
    msg = f"{type(result).__name__!r} object has no attribute {name!r}"
    if not name.startswith("_"):
        has = {one: one for one in _attributes(result)}
        inner = {
            one: f"{first}.{one}"
            for first, part in getattr(result, "__dict__", {}).items()
            if first in has and type(part).__module__.startswith(PACKAGE)
            for one in _attributes(part)
        }
        found = inner | has
        names = has | {
            other: (text or own).replace(own, found[own])
            for key, others in _OF_OTHERS.items()
            for own, _, text in [key.partition(" ")]
            if own in found
            for other in others.split()
        }
        asked = {name: ours or inner[name]} if ours or name in inner else {}
        msg += did_you_mean(name, names | has | asked) or f"; it has {', '.join(has)}"
    # Without the object, in which Python would look for names that are like it.
    raise AttributeError(msg, name=name, obj=None)


def _attributes(result: Any) -> list[str]:
    of_text = dir(str) if isinstance(result, str) else ()
    return [one for one in dir(result) if not (one.startswith("_") or one in of_text)]


# How what a method returns is written to a file; what is not named here is text.
_WRITTEN = {
    "to_frame": "result.to_frame().to_csv(path)",
    "to_dict": "Path(path).write_text(json.dumps(result.to_dict()))",
}


def takes_no_path(method: Method) -> Method:
    """Let a method without arguments that is given a path say how a file is written."""

    @wraps(method)
    def call(self: Any, *args: Any, **options: Any) -> Any:
        if args or options:
            text = f'Path(path).write_text(result.{method.__name__}(), encoding="utf-8")'
            msg = (
                f"{type(self).__name__}.{method.__name__}() takes no arguments; "
                f"to write a file: {_WRITTEN.get(method.__name__, text)}"
            )
            raise TypeError(msg)
        return method(self)

    return cast("Method", call)


class Shown:
    """A result that shows as a headline, a table and a conclusion, also in notebooks."""

    __slots__ = ()

    if not TYPE_CHECKING:
        __getattr__ = missing_attribute

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
        return "\n".join([printable(self._headline()), *text, *map(printable, self._conclusion())])

    def _repr_html_(self) -> str:
        table, headline = self._shown(), self._headline()
        if table is None:
            return "".join(paragraphs([headline, *self._conclusion()]))
        html = html_table(table.header, table.body, headline, table.n_hidden)
        return "".join([html, *paragraphs(self._conclusion())])


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
class Result(Shown):
    """A result: a frozen dataclass of its annotations, of equal ones only with ``eq``.

    It is pickled, and named by ``help``, by its public module, whatever file it stands in.
    """

    def __init_subclass__(cls, *, eq: bool = False, kw_only: bool = False) -> None:
        made: Any = dataclass(frozen=True, repr=False, eq=eq, kw_only=kw_only)(cls)
        if fields(made) and made.__module__.startswith(PACKAGE):  # not a user's own
            result_record(made)

    def _row_names(self) -> tuple[str, Any] | None:
        """Return what the rows are named by, and the names: the first column, or the index."""
        return None

    def _columns(self) -> Mapping[str, Any] | Sequence[tuple[str, Any]]:
        """Return the titles and the values of the other columns; titles in a list may be equal."""
        known = fields(self)  # type: ignore[arg-type]
        return {one.name: [getattr(self, one.name)] for one in known}

    @takes_no_path
    def to_frame(self) -> Any:
        """Return the result as a pandas DataFrame, which has to be installed.

        Returns
        -------
        pandas.DataFrame
            With the columns that are shown, and the names of the rows as index, if they have some;
            without a table a column for each attribute.
        """
        import pandas as pd

        titles, values = zip(*_pairs(self._columns()), strict=True)
        frame = pd.concat(map(pd.Series, values), axis=1, keys=range(len(titles)))
        frame = frame.set_axis(titles, axis=1)
        if (named := self._row_names()) is None:
            return frame
        # Names that are tuples would become several levels.
        return frame.set_axis(pd.Index(named[1], name=named[0], tupleize_cols=False), axis=0)


class Rows(Result):
    """A result with a row for each of several things: its columns are shown, and make a frame.

    Columns of ``_names`` are written as they are, also numbers.
    """

    _names: ClassVar[Collection[str]] = ()

    def _shown(self) -> Table:
        named = self._row_names()
        first, names = ([named], [named[0]]) if named else ([], [])
        return table_of([*first, *_pairs(self._columns())], [*names, *self._names])


def _pairs(
    columns: Mapping[str, Any] | Sequence[tuple[str, Any]],
) -> Iterable[tuple[str, Any]]:
    return columns.items() if isinstance(columns, Mapping) else columns


class Drawn:
    """A result that a Display draws."""

    __slots__ = ()

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the result with Matplotlib, which has to be installed.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.
        **options : dict
            Keywords of the Display of this result and of its method ``plot``.

        Returns
        -------
        Display
            The picture, with ``ax_`` and ``figure_``.
        """
        # The package imports its parts at their first use; Displays are far above of results.
        package: Any = sys.modules["sklearn_clustcompare"]
        return package.plot.draw_result(self, ax, options)


# --------------------------------------------------------------------------- text


def printable(text: str) -> str:
    """Write control characters, line ends and surrogates as Python does in its literals.

    So are those that turn the direction of what follows. Long words are cut in their middle.
    """
    return "".join(
        f"\\u{ord(one):04x}" if unicodedata.bidirectional(one) in _TURNING else one
        for one in _in_literals(text)
    )


def _in_literals(text: str) -> str:
    text = _LONG_WORD.sub(lambda found: shortened_text(found[0], _MAX_WORD), text)
    return "".join(
        repr(one)[1:-1] if unicodedata.category(one) in ("Cc", "Cs", "Zl", "Zp") else one
        for one in text
    )


def html(text: str) -> str:
    """Escape what HTML would take for markup; elements keep their own direction of writing."""
    return escape(_in_literals(text))


def html_name(text: str) -> str:
    """Escape a name, and keep its direction of writing apart from that of its neighbors."""
    return f"<bdi>{html(text)}</bdi>"


def markdown(text: str) -> str:
    """Escape what Markdown would take for markup."""
    text = printable(text)
    for mark in "\\`*_|<>[]":
        text = text.replace(mark, "\\" + mark)
    return " ".join(text.split())


def wrapped(text: str, indent: str = "") -> str:
    """Break a paragraph into lines."""
    return fill(printable(text), WIDTH, subsequent_indent=indent, break_long_words=False)


def paragraphs(paragraphs: Iterable[str]) -> list[str]:
    """Return paragraphs of HTML; those that begin with a dash are the items of a list."""
    found = []
    for is_item, texts in groupby(paragraphs, lambda text: text.startswith("- ")):
        if is_item:
            items = "".join(f"<li>{html(text[2:])}</li>" for text in texts)
            found.append(f"<ul>{items}</ul>")
        else:
            found += [f"<p>{html(text)}</p>" for text in texts]
    return found
